//! Questions with the answer behind them: "Is Black better? No." says that Black is not better.

use std::ops::Range;

use super::{
    noun_phrase,
    phrase::Head,
    token::{Tok, Token, tokens},
};

/// Most words of an answer that is no more than one.
const LONGEST_ANSWER: usize = 6;

/// What question and answer say together, in plain words.
pub fn statement(text: &str, question: &Range<usize>, answer: &Range<usize>) -> Option<String> {
    let question = text.get(question.clone())?.strip_suffix('?')?;
    let asked = tokens(question, 0..question.len());
    let asked = asked.as_slice();
    let said = tokens(text, answer.clone());
    if said.len() > LONGEST_ANSWER {
        return None;
    }
    let part = |tokens: &[Token]| {
        let (first, last) = (tokens.first()?, tokens.last()?);
        question.get(first.span.start..last.span.end).map(str::to_owned)
    };
    let word = |at: usize| asked.get(at).map_or("", Token::word);
    let given = text.get(answer.clone())?.trim_end_matches(['.', '!']).to_owned();
    match word(0) {
        "whose" if matches!(word(1), "turn" | "move" | "go") => return Some(format!("It is {given} turn.")),
        "who" => return Some(format!("{given} {}.", part(asked.get(1..)?)?)),
        "what" | "which" if is_auxiliary(word(1)) => {
            return Some(format!("{} {} {given}.", part(asked.get(2..)?)?, word(1)));
        }
        "which" => return Some(format!("{given} {}.", part(asked.get(2..)?)?)),
        // "Where is the king? Still in the centre."
        "where" if is_auxiliary(word(1)) => {
            return Some(format!("{} {} {given}.", part(asked.get(2..)?)?, word(1)));
        }
        first if is_auxiliary(first) => {}
        _ => return None,
    }
    let yes = agrees(&said)?;
    let behind = subject(asked)?;
    let rest = part(asked.get(behind..)?)?;
    let not = if yes { "" } else { " not" };
    Some(format!("{} {}{not} {rest}.", part(&asked[1..behind])?, word(0)))
}

fn is_auxiliary(word: &str) -> bool {
    matches!(
        word,
        "is" | "are"
            | "was"
            | "were"
            | "does"
            | "do"
            | "did"
            | "has"
            | "have"
            | "had"
            | "can"
            | "could"
            | "will"
            | "would"
            | "must"
    )
}

/// The token behind the subject of a question that begins with its verb.
fn subject(asked: &[Token]) -> Option<usize> {
    let second = asked.get(1)?;
    if second.word() == "there" || noun_phrase::color(second.word()).is_some() && side_alone(asked) {
        return Some(2);
    }
    match second.tok {
        Tok::Move(_) | Tok::Square(_) => Some(2),
        Tok::Number { dots, .. } if dots > 0 => Some(3),
        _ => noun_phrase::read(asked, 1, &[]).map(|(_, next)| next),
    }
}

/// "White" as a side and not as the colour of a man.
fn side_alone(asked: &[Token]) -> bool {
    noun_phrase::read(asked, 1, &[]).is_none_or(|(np, _)| !np.is_men() && !matches!(np.head, Head::Square { .. }))
}

/// Yes or no, where the words say no more than that.
fn agrees(said: &[Token]) -> Option<bool> {
    let words: Vec<&str> = said.iter().map(Token::word).filter(|w| !w.is_empty()).collect();
    let no = words
        .iter()
        .any(|w| matches!(*w, "no" | "not" | "never" | "hardly" | "nope" | "far" | "wrong"));
    let yes = words.iter().any(|w| {
        matches!(
            *w,
            "yes" | "indeed" | "certainly" | "definitely" | "absolutely" | "course" | "sure" | "right" | "correct"
        )
    });
    let short = matches!(words.as_slice(), [_, last] if is_auxiliary(last));
    if no {
        Some(false)
    } else if yes || short {
        Some(true)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commentary::claims::sentences::sentences;

    #[test]
    fn question_and_answer_make_a_statement() {
        for (text, said) in [
            ("Is Black better? No.", "Black Is not better."),
            ("Does White have an edge? Not at all.", "White Does not have an edge."),
            ("Can White play 22.Nd3? Yes!", "White Can play 22.Nd3."),
            ("Was Na6 a good move? It was.", "Na6 Was a good move."),
            (
                "Is the knight on f3 pinned? It isn't.",
                "the knight on f3 Is not pinned.",
            ),
            ("Is there a pin? Yes.", "there Is a pin."),
            ("Whose turn is it? Black's.", "It is Black's turn."),
            ("What was the best move? 40...h4.", "the best move was 40...h4."),
            ("Who is to move? White.", "White is to move."),
            ("Which side is better? Black.", "Black is better."),
        ] {
            let parts = sentences(text);
            let plain = statement(text, &parts[0], &parts[1]);
            assert_eq!(plain.map(|s| s.to_lowercase()), Some(said.to_lowercase()), "{text}");
        }
        let text = "Is Black better? The knight is on e5 and the rook attacks it.";
        let parts = sentences(text);
        assert_eq!(statement(text, &parts[0], &parts[1]), None);
    }
}

//! Open questions with the answer behind them: "Whose turn is it? Black's." says that it is Black's turn.

use std::ops::Range;

use crate::commentary::claims::text::token::{Token, tokens};

/// Most words of an answer that is no more than one.
const LONGEST_ANSWER: usize = 6;

/// What question and answer say together, in plain words.
pub fn statement(text: &str, question: &Range<usize>, answer: &Range<usize>) -> Option<String> {
    let question = text.get(question.clone())?.strip_suffix('?')?;
    let asked = tokens(question, 0..question.len());
    if tokens(text, answer.clone()).len() > LONGEST_ANSWER {
        return None;
    }
    let word = |at: usize| asked.get(at).map_or("", Token::word);
    let from = |at: usize| question.get(asked.get(at)?.span.start..);
    let given = text.get(answer.clone())?.trim_end_matches(['.', '!']);
    Some(match (word(0), word(1)) {
        ("whose", "turn" | "move" | "go") => format!("It is {given} turn."),
        ("who", _) => format!("{given} {}.", from(1)?),
        // "Where is the king? Still in the centre."
        ("what" | "which" | "where", verb @ ("is" | "are" | "was" | "were")) => format!("{} {verb} {given}.", from(2)?),
        ("which", _) => format!("{given} {}.", from(2)?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commentary::claims::text::sentences::sentences;

    #[test]
    fn question_and_answer_make_a_statement() {
        for (text, said) in [
            ("Whose turn is it? Black's.", "It is Black's turn."),
            ("What was the best move? 40...h4.", "the best move was 40...h4."),
            ("Who is to move? White.", "White is to move."),
            ("Which side is better? Black.", "Black is better."),
        ] {
            let parts = sentences(text);
            let plain = statement(text, &parts[0], &parts[1]);
            assert_eq!(plain.map(|s| s.to_lowercase()), Some(said.to_lowercase()), "{text}");
        }
        let text = "Who is better? The knight is on e5 and the rook attacks it.";
        let parts = sentences(text);
        assert_eq!(statement(text, &parts[0], &parts[1]), None);
    }
}

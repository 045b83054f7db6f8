//! Questions: "Is the knight pinned?" says nothing, "Is the knight pinned? No." says that it is not.

use crate::commentary::claims::{
    grammar::noun_phrase,
    text::token::{Tok, Token},
};

/// The words of a yes-or-no question put as a statement: "is the knight pinned" as "the knight is pinned". `None` for
/// any other sentence; "doesn't the knight fork both?" says yes and is not a question either. The mark may be a move's: "the Be5?"
#[must_use]
pub fn stated(text: &str, tokens: &[Token]) -> Option<Vec<Token>> {
    let last = tokens.last()?;
    let marked = text.get(last.span.clone()).is_some_and(|word| word.ends_with('?'));
    let mark = usize::from(last.tok == Tok::Sign('?'));
    let all = &tokens[..tokens.len() - mark];
    let (first, rest) = all.split_first()?;
    if !marked || !is_auxiliary(first.word()) || rest.first()?.word() == "not" {
        return None;
    }
    let end = subject_len(rest);
    let mut found = rest[..end].to_vec();
    found.push(first.clone());
    found.extend_from_slice(&rest[end..]);
    Some(found)
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
            | "should"
            | "must"
    )
}

/// The tokens of "the knight and the bishop on c4", or of a move, or of "there".
fn subject_len(tokens: &[Token]) -> usize {
    let mut at = 0;
    loop {
        at = match tokens.get(at).map(|t| &t.tok) {
            Some(Tok::Move(_) | Tok::Square(_)) => at + 1,
            Some(Tok::Number { .. } | Tok::Ellipsis) => {
                at += 1;
                continue;
            }
            Some(Tok::Word(word)) if word == "there" => at + 1,
            _ => match noun_phrase::read(tokens, at, &[]) {
                Some((_, next)) => next,
                None => return at,
            },
        };
        match tokens.get(at).map(Token::word) {
            Some("and" | "or") => at += 1,
            _ => return at,
        }
    }
}

/// The answer that a short sentence gives: "No.", "It isn't.", "Yes, it does."
#[must_use]
pub fn answer(tokens: &[Token]) -> Option<bool> {
    let words: Vec<&str> = tokens.iter().map(Token::word).filter(|word| !word.is_empty()).collect();
    let no = words
        .iter()
        .any(|word| matches!(*word, "no" | "not" | "hardly" | "never"));
    let short = match words.as_slice() {
        [
            "yes" | "no" | "indeed" | "certainly" | "hardly" | "not" | "never" | "absolutely",
            rest @ ..,
        ] => rest.len() < 4,
        ["of", "course", rest @ ..] => rest.len() < 2,
        ["it" | "he" | "she" | "they" | "there", verb, rest @ ..] => is_auxiliary(verb) && matches!(rest, [] | ["not"]),
        _ => false,
    };
    short.then_some(!no)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commentary::claims::text::token::tokens;

    fn as_stated(text: &str) -> Option<String> {
        let words = stated(text, &tokens(text, 0..text.len()))?;
        let plain = |t: &Token| match &t.tok {
            Tok::Square(square) => square.to_string(),
            Tok::Move(san) => san.clone(),
            _ => t.word().to_owned(),
        };
        Some(words.iter().map(plain).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn questions_are_put_as_statements() {
        for (asked, said) in [
            ("Is the knight on c6 pinned?", Some("the knight on c6 is pinned")),
            (
                "Do the queen and the bishop on d7 form a battery?",
                Some("the queen and the bishop on d7 do form a battery"),
            ),
            ("Does Nc7+ fork both?", Some("Nc7+ does fork both")),
            ("Does the rook pin the Be5?", Some("the rook does pin the Be5")),
            ("Is there a pin on e7?", Some("there is a pin on e7")),
            ("Can White promote?", Some("white can promote")),
            ("Doesn't the knight fork both?", None),
            ("The knight is pinned.", None),
            ("Who is pinned?", None),
        ] {
            assert_eq!(as_stated(asked).as_deref(), said, "{asked}");
        }
    }

    #[test]
    fn short_answers_are_yes_or_no() {
        let of = |text: &str| answer(&tokens(text, 0..text.len()));
        for (text, said) in [
            ("No.", Some(false)),
            ("Yes!", Some(true)),
            ("It isn't.", Some(false)),
            ("Yes, it does.", Some(true)),
            ("Of course not.", Some(false)),
            ("Not at all.", Some(false)),
            ("It is pinned by the bishop.", None),
            ("No pawn can move, and White wins at once.", None),
            ("", None),
        ] {
            assert_eq!(of(text), said, "{text}");
        }
    }
}

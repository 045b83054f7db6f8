//! Cues: patterns of words that make a claim in ways the grammar does not know, over a stretch of a sentence.
//!
//! A pattern is words with blanks between them: `a|b` is one of several, `win~` any word that begins so, `be`, `have` and
//! `do` any form of them, `word?` may be missing, `..` is up to four words of any kind, `^` and `$` are the ends of the
//! stretch, `!word` stands where that word must not follow. `SIDE`, `MOVE`, `AMOUNT`, `EXTRA`, `MEN`, `MAN`
//! (no king, and not just any), `SQUARE` are slots. Articles, adverbs and denials may stand anywhere.

use std::ops::Range;

use phrases::is_or_begins_as_one_of;

use crate::commentary::claims::grammar::atom::{Atom, Slot};

/// What a pattern matched.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Match {
    /// The atoms from the first to the last.
    pub range: Range<usize>,
    /// The atoms that the pattern names.
    pub named: Vec<usize>,
}

/// The first place where the pattern fits.
pub fn find(elements: &[String], atoms: &[Atom]) -> Option<Match> {
    if elements.first().is_some_and(|e| e == "^") {
        return fit(&elements[1..], atoms, 0, true).map(|named| whole(named, 0));
    }
    (0..atoms.len()).find_map(|start| fit(elements, atoms, start, false).map(|named| whole(named, start)))
}

fn whole(named: Vec<usize>, start: usize) -> Match {
    let from = named.first().copied().unwrap_or(start);
    let to = named.last().map_or(start, |last| last + 1);
    Match { range: from..to, named }
}

/// The atoms that the elements name from `at` on; the first must fit there unless `loose`.
fn fit(elements: &[String], atoms: &[Atom], at: usize, loose: bool) -> Option<Vec<usize>> {
    let Some((first, rest)) = elements.split_first() else {
        return Some(Vec::new());
    };
    if first == ".." {
        return (at..=(at + 4).min(atoms.len())).find_map(|next| fit(rest, atoms, next, true));
    }
    if let Some(unwanted) = first.strip_prefix('!') {
        let next = atoms[at.min(atoms.len())..].iter().find(|a| !a.light);
        let stops = next.is_some_and(|a| unwanted.split('|').any(|one| is(one, a)));
        return if stops { None } else { fit(rest, atoms, at, loose) };
    }
    if first == "$" {
        return atoms[at.min(atoms.len())..]
            .iter()
            .all(|a| a.light || a.word == ".")
            .then(Vec::new);
    }
    let (element, optional) = first.strip_suffix('?').map_or((first.as_str(), false), |e| (e, true));
    if let Some(atom) = atoms.get(at) {
        if is(element, atom)
            && let Some(mut named) = fit(rest, atoms, at + 1, true)
        {
            named.insert(0, at);
            return Some(named);
        }
        if loose
            && atom.light
            && let Some(named) = fit(elements, atoms, at + 1, true)
        {
            return Some(named);
        }
    }
    if optional { fit(rest, atoms, at, loose) } else { None }
}

pub fn is(element: &str, atom: &Atom) -> bool {
    match element {
        "SIDE" => matches!(atom.slot, Some(Slot::Side(_))),
        "MOVE" => matches!(atom.slot, Some(Slot::Move | Slot::Square)),
        "AMOUNT" => matches!(atom.slot, Some(Slot::Amount { .. })),
        "EXTRA" => matches!(atom.slot, Some(Slot::Amount { extra: true })),
        "MEN" => matches!(atom.slot, Some(Slot::Men | Slot::Amount { .. })),
        "MAN" => matches!(atom.slot, Some(Slot::Men)) && !atom.text.contains("king"),
        "SQUARE" => matches!(atom.slot, Some(Slot::Square)),
        _ => !atom.word.is_empty() && is_or_begins_as_one_of(atom.word.as_bytes(), element.as_bytes(), b'~'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commentary::claims::{
        grammar::{atom::atoms, chunker},
        text::token,
    };
    use shakmaty::Color;

    fn matched(pattern: &str, text: &str) -> Option<String> {
        let tokens = token::tokens(text, 0..text.len());
        let parts = chunker::parts(&tokens);
        let atoms = atoms(text, &tokens, &parts, Color::White);
        let elements: Vec<String> = pattern.split(' ').map(str::to_owned).collect();
        let found = find(&elements, &atoms)?;
        Some(text[atoms[found.range.start].span.start..atoms[found.range.end - 1].span.end].to_owned())
    }

    #[test]
    fn patterns_skip_light_words_and_name_slots() {
        assert_eq!(
            matched("have upper hand", "White clearly does not have the upper hand here").as_deref(),
            Some("have the upper hand")
        );
        assert_eq!(
            matched("SIDE be AMOUNT up|ahead", "Black is simply two pawns ahead.").as_deref(),
            Some("Black is simply two pawns ahead")
        );
        assert_eq!(
            matched(
                "MOVE be .. stronger than MOVE",
                "12.Nf3 was a good deal stronger than Qxb7."
            )
            .as_deref(),
            Some("Nf3 was a good deal stronger than Qxb7")
        );
        assert_eq!(matched("^ equal~ $", "Equality.").as_deref(), Some("Equality"));
        assert_eq!(matched("^ equal~ $", "Equality is near."), None);
        assert_eq!(
            matched("^ to move : SIDE", "To move: Black.").as_deref(),
            Some("To move: Black")
        );
    }
}

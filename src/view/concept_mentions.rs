//! Where a comment names one of the paper's concepts, and which men it names beside it: what the paper's Figure 3 prints in
//! blue.
//!
//! A concept is named by a phrase of a fixed list. The men that it touches are those that stand in the same sentence and that
//! the concept can be about: passed pawns are about pawns, king safety about kings and pawns, threats about any man.

use std::ops::Range;

use shakmaty::{Role, Square};

use crate::{commentary::claims::sentences::sentences, concepts::Term};

/// Phrases that are looked for in one text; what comes after so many is not marked.
const MOST_MENTIONS: usize = 500;

/// The phrases of each term. A word that ends in `*` stands for all that begin so; a hyphen in a text parts words.
const PHRASES: [(Term, &[&str]); 12] = [
    (
        Term::Material,
        &[
            "material*",
            "pawn up",
            "pawns up",
            "pawn down",
            "pawns down",
            "pawn ahead",
            "pawns ahead",
            "piece up",
            "piece down",
            "piece ahead",
            "wins a pawn",
            "wins a piece",
            "winning a pawn",
            "winning a piece",
            "loses a pawn",
            "loses a piece",
        ],
    ),
    (
        Term::Imbalance,
        &[
            "imbalance*",
            "bishop pair",
            "pair of bishops",
            "two bishops",
            "exchange up",
            "exchange down",
            "wins the exchange",
        ],
    ),
    (
        Term::Pawns,
        &[
            "pawn structure*",
            "pawn chain*",
            "pawn island*",
            "pawn majority",
            "pawn weakness*",
            "doubled pawn*",
            "isolated pawn*",
            "backward pawn*",
            "hanging pawns",
            "connected pawns",
            "weak pawn*",
        ],
    ),
    (
        Term::Knights,
        &[
            "outpost*",
            "active knight*",
            "strong knight*",
            "passive knight*",
            "bad knight*",
            "knight placement",
            "centralized knight",
            "centralised knight",
        ],
    ),
    (
        Term::Bishops,
        &[
            "active bishop*",
            "strong bishop*",
            "good bishop*",
            "bad bishop*",
            "passive bishop*",
            "bishop placement",
            "fianchetto*",
            "long diagonal",
        ],
    ),
    (
        Term::Rooks,
        &[
            "open file*",
            "half open file*",
            "semi open file*",
            "seventh rank",
            "7th rank",
            "active rook*",
            "passive rook*",
            "rook placement",
            "rook lift",
            "connects the rooks",
            "connected rooks",
        ],
    ),
    (
        Term::Queens,
        &[
            "active queen",
            "exposed queen",
            "strong queen",
            "passive queen",
            "queen placement",
            "queen activity",
            "early queen",
        ],
    ),
    (
        Term::Mobility,
        &[
            "mobility",
            "mobile",
            "active",
            "activity",
            "activat*",
            "passive",
            "restrict*",
            "freedom",
            "cramp*",
        ],
    ),
    (
        Term::KingSafety,
        &[
            "king safety",
            "king's safety",
            "safety of the king",
            "pawn shield",
            "shelter*",
            "safer king",
            "king is safe*",
            "king less safe",
            "king safer",
            "exposed king",
            "king is exposed",
            "exposes the king",
            "king exposed",
            "weak king",
            "mating attack",
            "back rank",
            "castl*",
            "king in the center",
            "king in the centre",
        ],
    ),
    (
        Term::Threats,
        &[
            "threat*",
            "attack*",
            "fork*",
            "pin",
            "pins",
            "pinned",
            "pinning",
            "skewer*",
            "hanging",
            "hangs",
            "undefended",
            "unprotected",
            "en prise",
            "tempo",
        ],
    ),
    (
        Term::PassedPawns,
        &[
            "passed pawn*",
            "passed a pawn",
            "passed b pawn",
            "passed c pawn",
            "passed d pawn",
            "passed e pawn",
            "passed f pawn",
            "passed g pawn",
            "passed h pawn",
            "pawn is passed",
            "passer*",
            "promot*",
        ],
    ),
    (
        Term::Space,
        &[
            "space",
            "spatial",
            "room",
            "territory",
            "control of the center",
            "control of the centre",
            "central control",
            "center control",
            "centre control",
            "expand*",
            "expansion",
        ],
    ),
];

/// A phrase that names a concept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// Bytes of the text.
    pub range: Range<usize>,
    /// The term that it names; the text seldom says plainly whose.
    pub term: Term,
}

/// A man that is named beside a concept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    /// Bytes of the text, the square that is named with it included.
    pub range: Range<usize>,
    /// Where it stands, as far as the text says so.
    pub square: Option<Square>,
}

/// A word in lower case, with its place.
struct Word {
    text: String,
    range: Range<usize>,
}

/// The concepts that a text names, and the men that they touch, each in the order of the text.
#[must_use]
pub fn mentions(text: &str) -> (Vec<Mention>, Vec<Touched>) {
    let (mut mentions, mut touched) = (Vec::new(), Vec::new());
    for sentence in sentences(text) {
        if mentions.len() >= MOST_MENTIONS {
            break;
        }
        let words = words(text, &sentence);
        let found = phrases(text, &words);
        touched.extend(men(text, &words, &found));
        mentions.extend(found);
    }
    (mentions, touched)
}

fn words(text: &str, range: &Range<usize>) -> Vec<Word> {
    let said = text.get(range.clone()).unwrap_or_default();
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '\'' | '’');
    let mut words = Vec::new();
    let mut start = None;
    for (at, letter) in said.char_indices().chain([(said.len(), ' ')]) {
        match (is_part(letter), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                words.push(Word {
                    text: said[from..at].to_lowercase().replace('’', "'"),
                    range: range.start + from..range.start + at,
                });
                start = None;
            }
            _ => {}
        }
    }
    words
}

/// The phrases, the longest at each place.
fn phrases(text: &str, words: &[Word]) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let each = PHRASES
            .iter()
            .flat_map(|(term, all)| all.iter().map(move |phrase| (*term, *phrase)));
        let longest = each
            .filter_map(|(term, phrase)| Some((length(text, &words[at..], phrase)?, term)))
            .max_by_key(|(length, _)| *length);
        match longest {
            Some((length, term)) => {
                found.push(Mention {
                    range: words[at].range.start..words[at + length - 1].range.end,
                    term,
                });
                at += length;
            }
            None => at += 1,
        }
    }
    found
}

/// How many words a phrase takes where the words begin with it.
fn length(text: &str, words: &[Word], phrase: &str) -> Option<usize> {
    let mut count = 0;
    for part in phrase.split(' ') {
        let word = words.get(count)?;
        let fits = part
            .strip_suffix('*')
            .map_or(word.text == part, |begin| word.text.starts_with(begin));
        // Nothing but a blank or a hyphen may stand between.
        let joined = count == 0
            || text
                .get(words[count - 1].range.end..word.range.start)
                .is_some_and(|gap| matches!(gap, " " | "-" | "\n" | "‑"));
        if !fits || !joined {
            return None;
        }
        count += 1;
    }
    Some(count)
}

/// The men that a concept can be about.
const fn is_about(term: Term, role: Role) -> bool {
    match term {
        Term::Pawns | Term::PassedPawns => matches!(role, Role::Pawn),
        Term::Knights => matches!(role, Role::Knight),
        Term::Bishops => matches!(role, Role::Bishop),
        Term::Rooks => matches!(role, Role::Rook),
        Term::Queens => matches!(role, Role::Queen),
        Term::KingSafety => matches!(role, Role::King | Role::Pawn),
        Term::Imbalance => !matches!(role, Role::King | Role::Pawn),
        Term::Mobility => !matches!(role, Role::Pawn),
        Term::Material | Term::Threats | Term::Space => true,
    }
}

fn role(word: &str) -> Option<Role> {
    let word = word.strip_suffix("'s").unwrap_or(word);
    Some(match word.strip_suffix('s').unwrap_or(word) {
        "pawn" => Role::Pawn,
        "knight" => Role::Knight,
        "bishop" => Role::Bishop,
        "rook" => Role::Rook,
        "queen" => Role::Queen,
        "king" => Role::King,
        _ => return None,
    })
}

fn square(word: &str) -> Option<Square> {
    (word.len() == 2)
        .then(|| Square::from_ascii(word.as_bytes()).ok())
        .flatten()
}

/// The men of a sentence that its mentions can be about: "knight", "f3 knight", "knight on f3".
fn men(text: &str, words: &[Word], mentions: &[Mention]) -> Vec<Touched> {
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let Some(role) = role(&word.text) else { continue };
        if !mentions.iter().any(|mention| is_about(mention.term, role)) {
            continue;
        }
        let adjoins = |first: &Word, second: &Word| {
            text.get(first.range.end..second.range.start)
                .is_some_and(|gap| matches!(gap, " " | "-"))
        };
        let before = at
            .checked_sub(1)
            .map(|before| &words[before])
            .filter(|before| adjoins(before, word));
        let behind = words.get(at + 1..at + 3).filter(|pair| {
            matches!(pair[0].text.as_str(), "on" | "at") && adjoins(word, &pair[0]) && adjoins(&pair[0], &pair[1])
        });
        let before = before.and_then(|before| Some((before.range.start, square(&before.text)?)));
        let behind = behind.and_then(|pair| Some((pair[1].range.end, square(&pair[1].text)?)));
        let start = before.map_or(word.range.start, |b| b.0);
        let end = behind.map_or(word.range.end, |b| b.0);
        // Of a man that names the concept ("passed pawn on b6") its place is left.
        let named = mentions
            .iter()
            .find(|mention| mention.range.contains(&word.range.start));
        let start = named.map_or(start, |mention| mention.range.end.max(start));
        if start < end {
            found.push(Touched {
                range: start..end,
                square: before.or(behind).map(|found| found.1),
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn said(text: &str) -> (Vec<(&str, Term)>, Vec<&str>) {
        let (mentions, touched) = mentions(text);
        (
            mentions.into_iter().map(|m| (&text[m.range], m.term)).collect(),
            touched.into_iter().map(|t| &text[t.range]).collect(),
        )
    }

    #[test]
    fn concepts_are_named_by_their_phrases() {
        let text = "The pawn shield is gone and king safety suffers. White has the bishop pair, an Open-File and more space; b6 is a \
                    passed pawn.";
        let (named, _) = said(text);
        assert_eq!(
            named,
            [
                ("pawn shield", Term::KingSafety),
                ("king safety", Term::KingSafety),
                ("bishop pair", Term::Imbalance),
                ("Open-File", Term::Rooks),
                ("space", Term::Space),
                ("passed pawn", Term::PassedPawns),
            ]
        );
        // A sign between the words parts them, and a word that only begins alike is another.
        assert!(said("An open. File by file; the spacecraft, a pinch.").0.is_empty());
    }

    #[test]
    fn the_men_beside_a_concept_are_touched() {
        let text = "The f3-knight threatens the queen on d4. The rook on a1 stands there.";
        let (named, men) = said(text);
        assert_eq!(named, [("threatens", Term::Threats)]);
        assert_eq!(men, ["f3-knight", "queen on d4"], "nothing is named beside the rook");
        let (_, touched) = mentions(text);
        assert_eq!(
            touched.iter().map(|t| t.square).collect::<Vec<_>>(),
            [Some(Square::F3), Some(Square::D4)]
        );
        // Those that the concept can be about.
        let (_, men) = said("King’s safety: the queen looks at the pawns.");
        assert_eq!(men, ["pawns"]);
        let (named, men) = said("The passed pawn on b6 runs.");
        assert_eq!((named, men), (vec![("passed pawn", Term::PassedPawns)], vec![" on b6"]));
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in ".{0,200}|([a-h][1-8]|pawn|on|king|safety|’| |\\.|threat|é|-){0,60}") {
            let (mentions, touched) = mentions(&text);
            let mut end = 0;
            for mention in &mentions {
                prop_assert!(text.get(mention.range.clone()).is_some() && mention.range.start >= end);
                end = mention.range.end;
            }
            for man in &touched {
                prop_assert!(text.get(man.range.clone()).is_some_and(|text| !text.is_empty()));
            }
        }
    }
}

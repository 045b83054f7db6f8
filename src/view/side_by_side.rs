//! Comments on one move side by side (the paper's Figures 1 and 3), and what two of them have apart (its Figure A6).

use std::{collections::BTreeSet, ops::Range};

use serde::{Serialize, Serializer};
use shakmaty::Square;

use super::{concept_mentions::mentions, proof::squares_named};
use crate::{
    commentary::{
        Claim, ClaimKind, ClaimVerdict, Declaration, FactSheet, claims::declared::check_declared, revision::Tally,
    },
    concepts::Term,
    survey::model_method::comment_text,
};

/// A comment whose wrong words, named concepts and touched men are marked.
#[derive(Debug, Clone, PartialEq)]
pub struct MarkedComment {
    /// The comment, without letters that could show it otherwise than it is.
    pub text: String,
    /// The whole text in order, cut where a mark begins or ends.
    pub segments: Vec<Segment>,
    /// Where it is wrong, in order; none overlaps another.
    pub wrong: Vec<Wrong>,
    /// The concepts that it names, each once, in the order of the text.
    pub concepts: Vec<Term>,
    /// How many claims of each verdict.
    pub tally: Tally,
    /// What is said where the model that was asked for its claims gave not all of them.
    pub note: Option<String>,
    claims: Vec<Claim>,
}

/// A stretch of a comment with one set of marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// Bytes of the text.
    pub range: Range<usize>,
    /// The number in [`MarkedComment::wrong`] of what is wrong there.
    pub wrong: Option<usize>,
    /// The concept that is named there.
    pub concept: Option<Term>,
    /// Whether a man stands there that a concept touches.
    pub man: bool,
}

/// Words that board or engine contradict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// Bytes of the text.
    pub range: Range<usize>,
    /// Why, sentences, none twice.
    pub reasons: Vec<String>,
}

impl MarkedComment {
    /// Checks and marks a comment on the sheet's move.
    #[must_use]
    pub fn new(sheet: &FactSheet, said: &str) -> Self {
        Self::declared(sheet, said, &Declaration::Unasked)
    }

    /// The same, by what a model declared of the comment's text ([`comment_text`]).
    #[must_use]
    pub fn declared(sheet: &FactSheet, said: &str, declaration: &Declaration) -> Self {
        let text = comment_text(said);
        let checked = check_declared(sheet, &text, declaration.claims());
        let (mentions, men) = mentions(&text);
        let wrong = wrong(&checked.claims);
        let mut cuts: BTreeSet<usize> = [0, text.len()].into();
        let ranges = wrong.iter().map(|wrong| &wrong.range);
        let ranges = ranges.chain(mentions.iter().map(|mention| &mention.range));
        for range in ranges.chain(men.iter().map(|man| &man.range)) {
            cuts.extend([range.start, range.end]);
        }
        let cuts: Vec<usize> = cuts.into_iter().filter(|at| text.is_char_boundary(*at)).collect();
        // The ranges of each kind are sorted and apart, so that each is looked for where the last one was found.
        let (mut next_wrong, mut next_mention, mut next_man) = (0, 0, 0);
        let segments = cuts
            .windows(2)
            .map(|pair| {
                let range = pair[0]..pair[1];
                let holds = |other: &Range<usize>| other.start <= range.start && range.end <= other.end;
                while wrong.get(next_wrong).is_some_and(|w| w.range.end <= range.start) {
                    next_wrong += 1;
                }
                while mentions.get(next_mention).is_some_and(|m| m.range.end <= range.start) {
                    next_mention += 1;
                }
                while men.get(next_man).is_some_and(|m| m.range.end <= range.start) {
                    next_man += 1;
                }
                Segment {
                    wrong: wrong.get(next_wrong).filter(|w| holds(&w.range)).map(|_| next_wrong),
                    concept: mentions.get(next_mention).filter(|m| holds(&m.range)).map(|m| m.term),
                    man: men.get(next_man).is_some_and(|m| holds(&m.range)),
                    range,
                }
            })
            .collect();
        let mut concepts = Vec::new();
        for mention in mentions {
            if !concepts.contains(&mention.term) {
                concepts.push(mention.term);
            }
        }
        Self {
            segments,
            wrong,
            concepts,
            tally: Tally::of(&checked),
            note: declaration.note(),
            claims: checked.claims,
            text,
        }
    }

    /// What the check found and which concepts are named, in a sentence or two.
    #[must_use]
    pub fn summary(&self) -> String {
        let claims = match self.tally.all() {
            0 => "Nothing in it can be checked.".to_owned(),
            _ => format!("Claims: {}.", self.tally.words()),
        };
        let concepts: Vec<&str> = self.concepts.iter().map(|term| term.label()).collect();
        if concepts.is_empty() {
            claims + " No concept is named."
        } else {
            format!("{claims} Concepts named: {}.", concepts.join(", "))
        }
    }
}

/// The contradicted claims, those whose words overlap as one.
fn wrong(claims: &[Claim]) -> Vec<Wrong> {
    let mut contradicted: Vec<&Claim> = claims
        .iter()
        .filter(|claim| claim.verdict == ClaimVerdict::Contradicted && !claim.span.is_empty())
        .collect();
    contradicted.sort_by_key(|claim| (claim.span.start, claim.span.end));
    let mut found: Vec<Wrong> = Vec::new();
    for claim in contradicted {
        match found.last_mut().filter(|last| claim.span.start < last.range.end) {
            Some(last) => {
                last.range.end = last.range.end.max(claim.span.end);
                if !last.reasons.contains(&claim.reason) {
                    last.reasons.push(claim.reason.clone());
                }
            }
            None => found.push(Wrong {
                range: claim.span.clone(),
                reasons: vec![claim.reason.clone()],
            }),
        }
    }
    found
}

/// What two comments have apart and in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Differences {
    /// Claims, those of prose that is tied to no board left out.
    pub claims: Apart<ClaimSaid>,
    /// Concepts named.
    #[serde(serialize_with = "labels")]
    pub concepts: Apart<Term>,
}

/// Things of two comments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Apart<T> {
    /// In the first alone.
    pub first: Vec<T>,
    /// In the second alone.
    pub second: Vec<T>,
    /// In both, as the first has them.
    pub both: Vec<T>,
}

/// A claim with its verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClaimSaid {
    /// Its words.
    pub text: String,
    /// What it is about, in a word.
    pub kind: &'static str,
    /// What the check says.
    pub verdict: ClaimVerdict,
}

/// Two claims say the same where they are of one kind, have one verdict and name the same squares, those of moves too; where
/// they name none, where they use the same words.
#[derive(PartialEq, Eq)]
struct Sameness {
    kind: ClaimKind,
    verdict: ClaimVerdict,
    squares: Vec<Square>,
    /// Empty where there are squares.
    words: String,
}

/// Words that two ways to say the same often differ in.
const SMALL: [&str; 9] = ["the", "a", "an", "and", "it", "its", "this", "that", "is"];

impl Sameness {
    fn of(claim: &Claim) -> Self {
        let mut squares = squares_named(&claim.text);
        squares.sort();
        let lower = claim.text.to_lowercase();
        let words: Vec<&str> = lower
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|word| !word.is_empty() && !SMALL.contains(word))
            .collect();
        Self {
            kind: claim.kind,
            verdict: claim.verdict,
            words: if squares.is_empty() {
                words.join(" ")
            } else {
                String::new()
            },
            squares,
        }
    }
}

fn labels<S: Serializer>(concepts: &Apart<Term>, serializer: S) -> Result<S::Ok, S::Error> {
    let words = |terms: &[Term]| terms.iter().map(|term| term.label()).collect();
    let said: Apart<&str> = Apart {
        first: words(&concepts.first),
        second: words(&concepts.second),
        both: words(&concepts.both),
    };
    said.serialize(serializer)
}

/// Claims of one comment that are compared; what comes after so many is left out.
const MOST_COMPARED: usize = 300;

/// What two comments on one move have apart: claims and concepts.
#[must_use]
pub fn differences(first: &MarkedComment, second: &MarkedComment) -> Differences {
    let claims = |comment: &MarkedComment| -> Vec<(Sameness, ClaimSaid)> {
        let mut said: Vec<(Sameness, ClaimSaid)> = Vec::new();
        for claim in comment
            .claims
            .iter()
            .filter(|claim| claim.kind != ClaimKind::Other)
            .take(MOST_COMPARED)
        {
            let same = Sameness::of(claim);
            if said.iter().all(|(other, _)| *other != same) {
                said.push((
                    same,
                    ClaimSaid {
                        text: claim.text.clone(),
                        kind: claim.kind.word(),
                        verdict: claim.verdict,
                    },
                ));
            }
        }
        said
    };
    let concepts = |comment: &MarkedComment| comment.concepts.iter().map(|term| (*term, *term)).collect();
    Differences {
        claims: apart(claims(first), claims(second)),
        concepts: apart(concepts(first), concepts(second)),
    }
}

fn apart<K: PartialEq, T>(first: Vec<(K, T)>, second: Vec<(K, T)>) -> Apart<T> {
    let second: Vec<(K, T, bool)> = second
        .into_iter()
        .map(|(key, value)| {
            let shared = first.iter().any(|(other, _)| *other == key);
            (key, value, shared)
        })
        .collect();
    let (both, only): (Vec<_>, Vec<_>) = first
        .into_iter()
        .partition(|(key, _)| second.iter().any(|(other, ..)| other == key));
    Apart {
        both: both.into_iter().map(|(_, value)| value).collect(),
        first: only.into_iter().map(|(_, value)| value).collect(),
        second: second
            .into_iter()
            .filter(|(.., shared)| !shared)
            .map(|(_, value, _)| value)
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::{Played, fen::read_fen, notation::read_move};

    /// Scholar's mate, seen from the blunder that allows it.
    fn sheet() -> FactSheet {
        let read = read_fen("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3").unwrap();
        let mv = read_move(&read.position, read.mode, "Nf6").unwrap();
        let played = Played::new(read.position, mv, read.mode, Vec::new()).unwrap();
        FactSheet::new(&played, None, None)
    }

    fn with<'a>(comment: &'a MarkedComment, is: impl Fn(&Segment) -> bool + 'a) -> Vec<&'a str> {
        let marked = comment.segments.iter().filter(move |segment| is(segment));
        marked.map(|segment| &comment.text[segment.range.clone()]).collect()
    }

    #[test]
    fn what_is_wrong_and_what_is_named_is_marked_in_place() {
        let text = "The knight on f6 attacks the queen on h5. The bishop on c4 is pinned. White is a queen ahead.";
        let comment = MarkedComment::new(&sheet(), text);
        assert_eq!(with(&comment, |_| true).concat(), text, "nothing is lost");
        let wrong = with(&comment, |segment| segment.wrong.is_some()).concat();
        assert!(
            wrong.contains("White is a queen ahead") && !wrong.contains("pinned"),
            "{wrong}"
        );
        assert_eq!(comment.wrong.len(), 1);
        assert!(
            comment.wrong[0]
                .reasons
                .iter()
                .any(|reason| reason.contains("Material is level")),
            "{:?}",
            comment.wrong
        );
        assert_eq!(
            with(&comment, |segment| segment.concept.is_some()),
            ["attacks", "pinned"]
        );
        assert_eq!(
            with(&comment, |segment| segment.man),
            ["knight on f6", "queen on h5", "bishop on c4"]
        );
        assert_eq!(comment.concepts, [Term::Threats]);
        assert!(
            comment.summary().contains("1 wrong, 1 doubtful") && comment.summary().contains("Concepts named: threats.")
        );
    }

    #[test]
    fn two_comments_are_compared_by_what_they_claim() {
        let first = MarkedComment::new(
            &sheet(),
            "The knight on f6 attacks the queen on h5. The bishop on c4 is pinned. White has more space.",
        );
        let second = MarkedComment::new(
            &sheet(),
            "The queen on h5 is attacked by the knight on f6. White is a queen ahead.",
        );
        let found = differences(&first, &second);
        let texts = |claims: &[ClaimSaid]| claims.iter().map(|c| (c.kind, c.verdict)).collect::<Vec<_>>();
        assert!(
            texts(&found.claims.both).contains(&("attack", ClaimVerdict::Supported)),
            "{found:?}"
        );
        assert!(
            texts(&found.claims.first).contains(&("pin", ClaimVerdict::Doubtful)),
            "{found:?}"
        );
        assert!(
            texts(&found.claims.second).contains(&("material", ClaimVerdict::Contradicted)),
            "{found:?}"
        );
        assert_eq!(
            (&found.concepts.both[..], &found.concepts.first[..]),
            (&[Term::Threats][..], &[Term::Space][..])
        );
        assert!(found.concepts.second.is_empty());
        let same = differences(&first, &first);
        assert!(same.claims.first.is_empty() && same.claims.second.is_empty() && same.concepts.first.is_empty());
    }

    #[test]
    fn letters_that_turn_a_text_round_are_gone_and_long_texts_end() {
        let comment = MarkedComment::new(&sheet(), "The \u{202e}pin<script>\u{0}.");
        assert_eq!(comment.text, "The pin<script>.");
        let long = MarkedComment::new(&sheet(), &"The queen attacks f7 threat pin. ".repeat(3_000));
        assert!(long.text.len() <= 20_000 && long.concepts == [Term::Threats]);
        let empty = MarkedComment::new(&sheet(), " \n ");
        assert_eq!(
            (empty.segments.len(), empty.summary().as_str()),
            (0, "Nothing in it can be checked. No concept is named.")
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn any_text_comes_out_whole(text in "(.|the |knight |on f6 |pinned|attacks | queen|\\. |e4|é|’|-){0,80}") {
            let comment = MarkedComment::new(&sheet(), &text);
            prop_assert_eq!(with(&comment, |_| true).concat(), comment.text.clone());
            for segment in &comment.segments {
                prop_assert!(!segment.range.is_empty() && segment.wrong.is_none_or(|n| n < comment.wrong.len()));
            }
            let _ = differences(&comment, &comment);
        }
    }
}

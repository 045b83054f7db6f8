//! What cues say in plain words: the tables of `restatements/`, one a kind of claim.
//!
//! A line without indentation is what is said, the indented ones below it are cues that say it (patterns as in `cue`).
//! `{S}` is the side, `{T}` the named side or the one that makes the move, `{M}` the move, `{A}` an amount of material, `{X}` men, `{Y}` the men named after
//! them, `{Q}` a square; `{n}` is "not" where the words deny it, `{-n}` where they don't. `{M>M2}` is "the first move is better than the second", `{best}` a side's best move,
//! "/" stands between readings of which one is enough. A side that the cue does not
//! name is the one named beside it, a move that it does not name the one that was played. `@word` is a class of words;
//! `@lead`, with which a cue may begin, stands for ways to name another move and what it would have done.
//!
//! The order within a table is no matter: the cue that names the most words is asked first.

use std::sync::LazyLock;

use super::cue::{Cue, Vocabulary};
use crate::commentary::claims::ClaimKind;

/// A cue and its plain words.
#[derive(Debug)]
pub struct Row {
    /// The pattern.
    pub cue: Cue,
    /// It supposes something: "if …".
    pub supposes: bool,
    /// What it says.
    pub says: &'static str,
}

const FILES: &[(ClaimKind, &str)] = &[
    (ClaimKind::Turn, include_str!("restatements/turn.txt")),
    (ClaimKind::Evaluation, include_str!("restatements/evaluation.txt")),
    (ClaimKind::Quality, include_str!("restatements/quality.txt")),
    (ClaimKind::Best, include_str!("restatements/best.txt")),
    (ClaimKind::Material, include_str!("restatements/material.txt")),
    (ClaimKind::Legality, include_str!("restatements/legality.txt")),
    (ClaimKind::Check, include_str!("restatements/check.txt")),
    (ClaimKind::Promotion, include_str!("restatements/promotion.txt")),
    (ClaimKind::Attack, include_str!("restatements/attack.txt")),
    (ClaimKind::Defence, include_str!("restatements/defence.txt")),
    (ClaimKind::Loose, include_str!("restatements/loose.txt")),
    (ClaimKind::Hanging, include_str!("restatements/hanging.txt")),
];

/// Words that stand for one another in many cues.
const CLASSES: &[(&str, &str)] = &[
    ("@engine", "engine|computer|stockfish|machine"),
    ("@move", "move|continuation|choice|option|try|decision"),
    ("@level", "equal|level|even|balanced"),
    ("@best", "best|strongest|right|correct|top|optimal|ideal"),
    (
        "@stays",
        "be|stand|stands|stood|remain|remains|remained|stay|stays|stayed|look|looks|come|comes|came|emerge|emerges|emerged|end|ends|ended|finish|finishes",
    ),
    (
        "@keeps",
        "have|keep|keeps|kept|keeping|hold|holds|held|preserve|preserves|preserved|retain|retains|retained|maintain|maintains|maintained|secure|secures|secured|lead|leads|led|leave|leaves|left|leaving|give|gives|gave|giving|obtain|obtained|promise|promises|promised|mean|means|meant|result|results|resulted|guarantee|guarantees|get|gets|got|reach|reaches|reached",
    ),
    ("@decisive", "winning|won|decisive|crushing|overwhelming|conclusive"),
    ("@plus", "advantage|edge|plus|pull"),
    ("@slight", "slight|small|tiny|modest|minimal|slim"),
    ("@reply", "reply|answer|response|defence|defense|retort|counter"),
];

/// Beginnings of cues; each makes a cue of its own.
const LEADS: &[(&str, &[&str])] = &[(
    "@lead",
    &[
        "MOVE instead|alone? would|could|might? only|merely? have?",
        "MOVE .. which|that|and would|could|might? only|merely? have?",
        "with|by|after|playing MOVE SIDE would|could|might? only? have?",
        "with|by|after|playing MOVE he|she|they would|could|might? only? have?",
    ],
)];

/// The cues of one kind.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<Row>,
    /// The rows that need one of a few words, by word, sorted.
    by_word: Vec<(u16, usize)>,
    /// The rows that need none.
    others: Vec<usize>,
}

/// The tables.
#[derive(Debug)]
pub struct Tables {
    /// The words of all.
    pub vocabulary: Vocabulary,
    /// A kind of claim's each.
    pub of_kinds: Vec<(ClaimKind, Table)>,
}

/// The tables of `restatements/`.
pub static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut vocabulary = Vocabulary::default();
    let of_kinds = FILES
        .iter()
        .map(|(kind, text)| (*kind, Table::read(text, &mut vocabulary)))
        .collect();
    Tables { vocabulary, of_kinds }
});

/// Reads the tables, which is done once.
pub fn prepare() {
    LazyLock::force(&TABLES);
}

impl Table {
    fn read(text: &'static str, vocabulary: &mut Vocabulary) -> Self {
        let mut table = Self::default();
        let mut says = "";
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let Some(cue) = line.strip_prefix("    ") else {
                says = line;
                continue;
            };
            let led = LEADS
                .iter()
                .find_map(|(name, all)| Some((*all, cue.strip_prefix(name)?)));
            match led {
                Some((leads, rest)) => {
                    for lead in leads {
                        table.add(lead.split(' ').chain(rest.split_whitespace()), says, vocabulary);
                    }
                }
                None => table.add(cue.split(' '), says, vocabulary),
            }
        }
        table.by_word.sort_unstable();
        table
    }

    fn add(&mut self, cue: impl Iterator<Item = &'static str>, says: &'static str, vocabulary: &mut Vocabulary) {
        let choices = |element: &'static str| -> Vec<&'static str> {
            let words = element.split('|');
            words.flat_map(|word| class(word).unwrap_or(word).split('|')).collect()
        };
        let elements: Vec<Vec<&'static str>> = cue.map(choices).collect();
        let cue = Cue::read(&elements, vocabulary);
        let number = self.rows.len();
        if cue.needs.is_empty() {
            self.others.push(number);
        }
        self.by_word.extend(cue.needs.iter().map(|word| (*word, number)));
        let supposes = elements.iter().any(|words| words[0].starts_with("if"));
        self.rows.push(Row { cue, supposes, says });
    }

    /// The rows that may fit a stretch of these words, in their order.
    pub fn for_words(&self, words: &[u16]) -> impl Iterator<Item = &Row> {
        let mut wanted = vec![false; self.rows.len()];
        for number in &self.others {
            wanted[*number] = true;
        }
        for word in words {
            let first = self.by_word.partition_point(|(needed, _)| needed < word);
            for (_, number) in self.by_word[first..].iter().take_while(|(needed, _)| needed == word) {
                wanted[*number] = true;
            }
        }
        self.rows
            .iter()
            .zip(wanted)
            .filter(|(_, wanted)| *wanted)
            .map(|(row, _)| row)
    }
}

/// The words of a class; a question mark behind it stays.
fn class(word: &str) -> Option<&'static str> {
    CLASSES.iter().find(|(name, _)| *name == word).map(|(_, words)| *words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_cues_below_what_they_say() {
        for (kind, Table { rows, .. }) in &TABLES.of_kinds {
            assert!(rows.len() > 1, "{kind:?}");
            for Row { says, .. } in rows {
                assert!(
                    says.contains(['.', '>']) || *says == "{best}",
                    "{kind:?}: {says:?} says nothing"
                );
            }
        }
        for word in TABLES.vocabulary.all() {
            assert!(
                !word.is_empty() && !word.contains(['@', '?', '!']) && *word == word.to_lowercase(),
                "{word:?}"
            );
        }
    }
}

//! Our own reader: prose into statements, by rows of patterns over a sentence's chunks. It knows no board; where words fit
//! several readings (which man "it" is, which position is spoken of), it gives all of them, and a claim is wrong only where
//! every one is.
//!
//! | file | what is there |
//! |---|---|
//! | `chunk` | men, sides, moves, squares, amounts, words |
//! | `pattern` | the dialect of the rows |
//! | `rows`, `fixed` | what is said how, and what that fixes |
//! | `readings` | what words may say |
//! | `referent` | whom words mean |
//! | `path`, `scope` | which position is spoken of, and in which way |
//! | `sentence`, `meaning`, `bearing`, `amounts`, `places`, `by_the_way` | what the rows have caught as statements |

mod amounts;
mod bearing;
mod by_the_way;
mod chunk;
mod fixed;
mod meaning;
mod path;
mod pattern;
mod places;
mod readings;
mod referent;
mod rows;
mod scope;
mod sentence;

use std::ops::Range;

pub use readings::Reading;

use self::{path::Paths, referent::Mentions, sentence::Sentence};

use super::{
    statement::Designation,
    text::token::{self, Tok},
};

/// What is known of the move that a text is about, before any board is looked at.
#[derive(Debug, Clone)]
pub struct Subject {
    /// Its place in the game: half-moves from the first, which is 0.
    pub ply: u32,
    /// Its text.
    pub san: String,
    /// The man that moved, where it stands now.
    pub moved: Designation,
}

/// Builds what is built once for all texts, which the first one would wait for.
pub fn build() {
    rows::compiled();
}

/// Reads a text sentence by sentence, and remembers who and which positions were spoken of.
pub struct Reader<'a> {
    text: &'a str,
    mentions: Mentions,
    paths: Paths,
}

impl<'a> Reader<'a> {
    /// Of a text about a move.
    pub fn new(subject: &Subject, text: &'a str) -> Self {
        Self {
            text,
            mentions: Mentions::new(subject.moved),
            paths: Paths::new(subject.ply, subject.san.clone()),
        }
    }

    /// Reads the next sentence, whose bytes these are.
    pub fn sentence(&mut self, range: &Range<usize>) -> Vec<Reading> {
        let tokens = token::tokens(self.text, range.clone());
        // What is asked is not said.
        let asked = tokens.last().is_some_and(|token| token.tok == Tok::Sign('?'));
        let chunks = chunk::chunks(&tokens);
        self.mentions.begin();
        self.paths.begin(&chunks);
        let goes_on = tokens
            .iter()
            .any(|token| matches!(token.word(), "then" | "afterwards" | "thereafter"));
        let mut sentence = Sentence {
            chunks: &chunks,
            goes_on,
            mentions: &mut self.mentions,
            paths: &mut self.paths,
        };
        let mut found = Vec::new();
        if !asked {
            sentence.read(&mut found);
        }
        sentence.remember();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commentary::claims::{
        statement::{Predicate, Statement, WrittenStatement},
        text::sentences::sentences,
    };
    use proptest::prelude::*;

    /// After 20...Nxe4 by Black's knight.
    fn subject() -> Subject {
        let moved = "black knight e4".parse().expect("a man");
        Subject {
            ply: 39,
            san: "Nxe4".to_owned(),
            moved,
        }
    }

    fn read_all(text: &str) -> Vec<Reading> {
        let mut reader = Reader::new(&subject(), text);
        sentences(text)
            .iter()
            .flat_map(|range| reader.sentence(range))
            .collect()
    }

    /// The first alternative of every reading, in short.
    fn said(text: &str) -> Vec<String> {
        let short = |statement: &Statement| {
            let written = WrittenStatement::from(statement);
            let mut words: Vec<String> = written
                .predicate
                .into_iter()
                .chain(written.side)
                .chain(written.subject)
                .collect();
            words.extend(written.objects.unwrap_or_default());
            words.extend(written.behind.map(|behind| format!("behind {behind}")));
            words.extend(written.squares.unwrap_or_default());
            words.extend(written.file);
            words.extend(written.qualifier);
            words.extend(written.number.map(|number| number.to_string()));
            words.extend(written.only.map(|_| "only".to_owned()));
            words.extend(written.denied.map(|_| "denied".to_owned()));
            words.extend(written.mode);
            if written.position.as_deref() == Some("before") {
                words.push("before".to_owned());
            }
            words.extend(written.moves.unwrap_or_default());
            words.join(" ")
        };
        let mut found: Vec<String> = read_all(text)
            .iter()
            .flat_map(|reading| {
                reading
                    .alternatives
                    .first()
                    .into_iter()
                    .flatten()
                    .map(short)
                    .collect::<Vec<_>>()
            })
            .filter(|said| !said.starts_with("stands"))
            .collect();
        found.sort();
        found.dedup();
        found
    }

    #[test]
    fn sentences_become_statements() {
        for (text, expected) in [
            (
                "White's bishop on g5 attacks the knight on f6.",
                &["attacks white bishop g5 black knight f6"][..],
            ),
            (
                "The bishop on f8 is attacked by the rook on f1.",
                &["attacks rook f1 bishop f8"],
            ),
            (
                "The queen on a6 was attacking the knight on b5.",
                &["attacks queen a6 knight b5"],
            ),
            ("Black could even have castled short.", &[]),
            ("White has eight pawns to Black's six.", &["count white pawn 8"]),
            (
                "The knight on c3 doesn't protect the pawn on e4.",
                &["defends knight c3 pawn e4 denied"],
            ),
            ("Only the king on g1 guards f2.", &["defends king g1 f2 only"]),
            ("The rook on a8 has no defender.", &["undefended rook a8"]),
            ("Nothing protects the pawn on b7.", &["undefended pawn b7"]),
            (
                "The knight on f6 is pinned to the queen on d8.",
                &["pins knight f6 behind queen d8"],
            ),
            // By the material or by the engine: two readings, each of which may be the other.
            (
                "White is two pawns up.",
                &["ahead white white pawn white pawn", "score white about 200"],
            ),
            ("Black is a knight down.", &["ahead white white knight"]),
            ("White has a queen for a rook.", &["ahead white 4"]),
            ("Black is nearly five pawns better.", &["score black about 500"]),
            ("The engine makes it +2.6 for White.", &["score white 260"]),
            ("White stands clearly better.", &["better white clear"]),
            ("Black has no queen.", &["count black queen 0"]),
            ("The d-file is open.", &["open_file d"]),
            ("White can still castle queenside.", &["can_castle white queenside"]),
            (
                "White can no longer castle kingside.",
                &["can_castle white kingside denied"],
            ),
            ("White's d-pawn is passed.", &["passed white d-file pawn"]),
            ("The bishops are of opposite colours.", &[]),
            (
                "If the knight on f6 is pinned, all is well.",
                &["pins knight f6 supposed"],
            ),
            ("Is the knight on f6 pinned?", &[]),
        ] {
            assert_eq!(said(text), expected, "{text}");
        }
    }

    #[test]
    fn the_numbers_of_moves_tell_where_they_are_played() {
        for (text, expected) in [
            // Instead of the move, and the engine's word on it.
            (
                "20...Qd7 was the engine's choice.",
                &["best_move before Qd7", "playable before Qd7"][..],
            ),
            // The reply to it.
            ("21.Qd5 is best.", &["best_move Qd5", "better_move Qd5", "playable Qd5"]),
            ("21.Qd5 Nf6 is the main line.", &["best_move Qd5", "playable Qd5 Nf6"]),
            ("20...Nxe4 21.Qd5 is mate.", &["checkmate Qd5", "playable Qd5"]),
            // A reply to another move, named before it.
            (
                "20...Qd7 fails. Then 21.Qd5 is mate.",
                &["checkmate Qd5", "playable Qd5", "playable before Qd7"],
            ),
            ("White threatens 22.Qd5.", &[]),
        ] {
            assert_eq!(said(text), expected, "{text}");
        }
        // Both replies may be meant.
        let reply = read_all("20...Qd7 fails. Then 21.Qd5 is mate.");
        assert!(reply.iter().any(|reading| reading.alternatives.len() == 2));
    }

    #[test]
    fn words_that_point_back_mean_whom_was_named() {
        let meant = |text: &str| {
            let found = read_all(text);
            let last = found
                .into_iter()
                .rev()
                .find(|reading| reading.predicate != Predicate::Stands)
                .expect("a reading");
            let men = last
                .alternatives
                .iter()
                .flatten()
                .map(|statement| statement.subject.unwrap_or_default().to_string());
            men.collect::<Vec<_>>()
        };
        assert_eq!(meant("The rook on d1, which attacks d7.")[0], "rook d1");
        assert_eq!(meant("The rook lands on d1. It attacks d7.")[0], "d1");
        assert_eq!(meant("21.Bxg2 hits the rook on h1."), ["bishop g2", "bishop g2"]);
    }

    proptest! {
        #[test]
        fn no_text_upsets_the_reader(text in "[ -~]{0,120}", words in proptest::collection::vec("White|Black|the|is|not|knight|c-pawn|on|e4|attacks|two|pawns|better|up|21\\.|20\\.\\.\\.|Qd5|and|,|which|it|has|for|more than|half a", 0..24)) {
            for text in [text, words.join(" ")] {
                for reading in read_all(&text) {
                    prop_assert!(text.get(reading.span.clone()).is_some());
                    prop_assert!(!reading.alternatives.is_empty());
                }
            }
        }
    }
}

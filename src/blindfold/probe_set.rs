//! A set of probes: drawn from games that nobody learned from, kept as a file of JSON lines.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    legal_sets::LegalSets,
    ply::{Ply, replay, uci_text},
    probe::{Probe, ProbeError, ProbeLine},
    split::Beginnings,
};
use crate::{
    long_run::lines::{LineError, line_text, read_lines},
    pace::{AtOnce, Pace, at_once},
    random::{Rng, seeded_hash},
};

/// The version of the file's shape.
pub const SCHEMA: u32 = 1;

/// How many plies come before a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrefixLengths {
    /// At least.
    pub from: usize,
    /// At most.
    pub to: usize,
}

impl PrefixLengths {
    /// The paper's.
    pub const LONG: Self = Self { from: 51, to: 100 };
    /// A second set, in the authors' code alone.
    pub const SHORT: Self = Self { from: 5, to: 50 };
}

/// What is said once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeHeader {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The program that wrote it.
    pub program: String,
    /// Where it is from: the files.
    pub source: String,
    /// How many plies come before a question; `None` of a published set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lengths: Option<PrefixLengths>,
    /// What it was drawn with; `None` of a published set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The games that were asked to begin otherwise: how many.
    #[serde(default)]
    pub training_games: usize,
}

/// A line of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "lowercase")]
enum SetLine {
    /// The first.
    Probes(ProbeHeader),
    /// A probe.
    Probe(ProbeLine),
}

/// A set.
#[derive(Debug, Clone, PartialEq)]
pub struct ProbeSet {
    /// What is said once.
    pub header: ProbeHeader,
    /// The probes; no two have one name.
    pub probes: Vec<Probe>,
}

/// Why a file is no set of probes.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProbeSetError {
    /// It does not begin with a header.
    #[error("the file does not begin with the line of a set of probes")]
    NoHeader,
    /// It is of another shape.
    #[error("the file's shape is version {0}; this program reads version {SCHEMA}")]
    Schema(u32),
    /// A line cannot be read.
    #[error(transparent)]
    Line(#[from] LineError),
    /// A line is no probe.
    #[error("line {line}: {error}")]
    Probe {
        /// From 1.
        line: usize,
        /// What is wrong.
        error: ProbeError,
    },
    /// Two have one name.
    #[error("line {line}: there is a probe called {id} already")]
    Twice {
        /// From 1.
        line: usize,
        /// The name.
        id: String,
    },
}

impl ProbeSet {
    /// The whole file.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = line_text(&SetLine::Probes(self.header.clone())) + "\n";
        for probe in &self.probes {
            text += &line_text(&SetLine::Probe(probe.line()));
            text.push('\n');
        }
        text
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it is no set, or a line is no probe.
    pub fn read(text: &str) -> Result<Self, ProbeSetError> {
        at_once(Self::read_at(text, &AtOnce))
    }

    /// The same in turns.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub async fn read_at(text: &str, pace: &impl Pace) -> Result<Self, ProbeSetError> {
        let mut set: Option<Self> = None;
        let mut ids = BTreeSet::new();
        for line in read_lines::<SetLine>(text) {
            pace.turn().await;
            match (line, &mut set) {
                (Ok((_, SetLine::Probes(header))), None) if header.schema == SCHEMA => {
                    set = Some(Self {
                        header,
                        probes: Vec::new(),
                    });
                }
                (Ok((_, SetLine::Probes(header))), None) => return Err(ProbeSetError::Schema(header.schema)),
                (Ok((line, SetLine::Probe(probe))), Some(set)) => {
                    if !ids.insert(probe.id.clone()) {
                        return Err(ProbeSetError::Twice { line, id: probe.id });
                    }
                    let probe = Probe::read(&probe).map_err(|error| ProbeSetError::Probe { line, error })?;
                    set.probes.push(probe);
                }
                (Err(error), Some(_)) => return Err(error.into()),
                _ => return Err(ProbeSetError::NoHeader),
            }
        }
        set.ok_or(ProbeSetError::NoHeader)
    }
}

/// Draws probes from games, one a game at most, as the authors do: the prefix has a random length, up to one move before the
/// game's end; no game that was learned from begins with it; the next move is neither a pawn's nor castling; and pieces of two
/// types may move from two squares, so that there is another to ask about.
///
/// Each game draws for itself, with the seed and its moves: a probe does not depend on the games around it.
#[must_use]
pub fn draw(games: &[Vec<Ply>], learned: &Beginnings, lengths: PrefixLengths, count: usize, seed: u64) -> Vec<Probe> {
    at_once(draw_at(games, learned, lengths, count, seed, &AtOnce))
}

/// The same in turns.
pub async fn draw_at(
    games: &[Vec<Ply>],
    learned: &Beginnings,
    lengths: PrefixLengths,
    count: usize,
    seed: u64,
    pace: &impl Pace,
) -> Vec<Probe> {
    let mut probes: Vec<Probe> = Vec::new();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for game in games {
        pace.turn().await;
        if probes.len() == count {
            break;
        }
        let Some(line) = drawn(game, learned, lengths, seed) else {
            continue;
        };
        if !seen.insert(line.prefix.clone()) {
            continue;
        }
        let line = ProbeLine {
            id: format!("p{}", probes.len() + 1),
            ..line
        };
        probes.extend(Probe::read(&line).ok());
    }
    probes
}

fn drawn(game: &[Ply], learned: &Beginnings, lengths: PrefixLengths, seed: u64) -> Option<ProbeLine> {
    let most = lengths.to.min(game.len().checked_sub(1)?);
    let choices = (most + 1).checked_sub(lengths.from).filter(|choices| *choices > 0)?;
    let mut rng = Rng::new(seeded_hash(seed, &uci_text(game)));
    let length = lengths.from + rng.below(choices);
    let prefix = &game[..length];
    if learned.contain(prefix) {
        return None;
    }
    let next = game[length];
    let text = uci_text(prefix);
    let legal = LegalSets::of(&replay(&text).ok()?.position);
    let role = legal.role(next.from)?;
    // Castling starts on a king's square too, and ends on none that a king reaches.
    if !legal.targets(next.from).contains(&next.to) {
        return None;
    }
    let squares: Vec<_> = legal.squares().filter(|square| *square != next.from).collect();
    let types: Vec<_> = legal.types().into_iter().filter(|own| *own != role).collect();
    let square = squares.get(rng.below(squares.len()))?;
    let other = types.get(rng.below(types.len()))?;
    Some(ProbeLine {
        id: String::new(),
        prefix: text,
        starting_square: next.from.to_string(),
        ending_square: Some(next.to.to_string()),
        other_starting_square: Some(square.to_string()),
        other_piece_type: Some(other.upper_char().to_string()),
    })
}

#[cfg(test)]
mod tests {
    use shakmaty::Role;

    use super::{
        super::{probe::ProbeTask, probe::tests::example, random_game::random_game},
        *,
    };

    fn games(seeds: std::ops::Range<u64>) -> Vec<Vec<Ply>> {
        seeds.map(|seed| random_game(seed, 60 + (seed % 60) as usize)).collect()
    }

    fn header() -> ProbeHeader {
        ProbeHeader {
            schema: SCHEMA,
            program: "test".to_owned(),
            source: "games.pgn".to_owned(),
            lengths: Some(PrefixLengths::LONG),
            seed: Some(1),
            training_games: 0,
        }
    }

    #[test]
    fn probes_are_as_they_are_defined() {
        let all = games(0..200);
        let none = Beginnings::default();
        for lengths in [PrefixLengths::LONG, PrefixLengths::SHORT] {
            let probes = draw(&all, &none, lengths, 1000, 1);
            assert!(probes.len() > 40, "{}", probes.len());
            assert_eq!(draw(&all, &none, lengths, 1000, 1), probes, "the seed decides");
            assert_ne!(draw(&all, &none, lengths, 1000, 2), probes);
            assert_eq!(draw(&all, &none, lengths, 7, 1), probes[..7]);
            for probe in &probes {
                assert!((lengths.from..=lengths.to).contains(&probe.plies().len()));
                let game = all.iter().find(|game| game.starts_with(probe.plies())).unwrap();
                let next = game[probe.plies().len()];
                assert!(next.piece.is_some_and(|role| role != Role::Pawn));
                let actual = probe.question(ProbeTask::EndActual).unwrap();
                assert_eq!((actual.from(), actual.exact), (Some(next.from), Some(next.to)));
                let other = probe.question(ProbeTask::EndOther).unwrap();
                assert!(other.from() != actual.from() && !other.legal.is_empty());
                let start = probe.question(ProbeTask::StartActual).unwrap();
                assert_eq!((Some(start.role), start.exact), (next.piece, Some(next.from)));
                let other = probe.question(ProbeTask::StartOther).unwrap();
                assert!(other.role != start.role && !other.legal.is_empty());
            }
        }
    }

    #[test]
    fn lengths_are_spread_over_the_whole_range() {
        let all: Vec<Vec<Ply>> = (0..300).map(|seed| random_game(seed, 40)).collect();
        let lengths = PrefixLengths { from: 5, to: 9 };
        let probes = draw(&all, &Beginnings::default(), lengths, 1000, 1);
        for length in 5..=9 {
            let count = probes.iter().filter(|probe| probe.plies().len() == length).count();
            assert!(count * 10 > probes.len(), "{length}: {count} of {}", probes.len());
        }
        let short: Vec<Vec<Ply>> = vec![random_game(1, 5)];
        assert!(
            draw(&short, &Beginnings::default(), lengths, 10, 1).is_empty(),
            "no move is left"
        );
    }

    #[test]
    fn what_was_learned_from_is_not_asked() {
        let all = games(0..60);
        let learned: Vec<Vec<Ply>> = all[..30].to_vec();
        let probes = draw(&all, &Beginnings::of(&learned), PrefixLengths::LONG, 1000, 1);
        assert!(!probes.is_empty());
        for probe in probes {
            assert!(!learned.iter().any(|game| game.starts_with(probe.plies())));
        }
    }

    #[test]
    fn files_come_back_and_others_are_refused() {
        let set = ProbeSet {
            header: header(),
            probes: draw(&games(0..60), &Beginnings::default(), PrefixLengths::LONG, 9, 1),
        };
        let text = set.text();
        assert_eq!(ProbeSet::read(&text).unwrap(), set);
        assert_eq!(ProbeSet::read(""), Err(ProbeSetError::NoHeader));
        assert_eq!(ProbeSet::read("x\n"), Err(ProbeSetError::NoHeader));
        let newer = text.replacen("\"schema\":1", "\"schema\":2", 1);
        assert_eq!(ProbeSet::read(&newer), Err(ProbeSetError::Schema(2)));
        let twice = text.replacen("\"id\":\"p2\"", "\"id\":\"p1\"", 1);
        assert!(matches!(
            ProbeSet::read(&twice),
            Err(ProbeSetError::Twice { line: 3, .. })
        ));
        let mut wrong = example();
        wrong.starting_square = "e2".to_owned();
        let text = text + &line_text(&SetLine::Probe(wrong)) + "\n";
        assert!(matches!(
            ProbeSet::read(&text),
            Err(ProbeSetError::Probe { line: 11, .. })
        ));
    }
}

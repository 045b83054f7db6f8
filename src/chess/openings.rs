//! Names of openings, by position, so that transpositions count.
//!
//! The table is Lichess's (`lichess-org/chess-openings`, CC0): 3,800 positions with their code in the Encyclopaedia of
//! Chess Openings and their English name, "Family: Variation, Subvariation". `build.rs` takes it out of the package that
//! brings it.

use std::{collections::HashMap, sync::OnceLock};

use shakmaty::{Chess, Position, san::SanPlus};

use super::Played;
use crate::pace::{AtOnce, Pace, at_once};

/// What comes with Kibitz.
const TABLE: &str = include_str!(concat!(env!("OUT_DIR"), "/openings.tsv"));
static SHIPPED: OnceLock<Openings> = OnceLock::new();

/// A named opening.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Opening {
    /// The Encyclopaedia's code: a letter from A to E and two digits.
    pub eco: String,
    /// The English name: "Ruy Lopez: Berlin Defense".
    pub name: String,
}

/// Why a table of openings is refused; lines are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpeningsError {
    /// Not a code, a name and moves with tabs between.
    #[error("line {line} of the openings is not a code, a name and moves")]
    Fields {
        /// The line.
        line: usize,
    },
    /// A move that can't be played.
    #[error("line {line} of the openings: {token} can't be played")]
    Move {
        /// The line.
        line: usize,
        /// The move as written.
        token: String,
    },
}

/// A table of named positions.
#[derive(Debug, Clone, Default)]
pub struct Openings {
    named: HashMap<Chess, Opening>,
}

impl Openings {
    /// The table that comes with Kibitz, read at first use unless that was [prepared](Self::prepare).
    #[must_use]
    pub fn shipped() -> &'static Self {
        // A test reads the whole table; what is built in can't change after that.
        SHIPPED.get_or_init(|| Self::parse(TABLE).unwrap_or_default())
    }

    /// Reads the table that comes with Kibitz, which takes some tens of milliseconds, before it is used.
    pub async fn prepare(pace: &impl Pace) {
        if SHIPPED.get().is_none() {
            let read = Self::parse_in_turns(TABLE, pace).await.unwrap_or_default();
            // Somebody who could not wait has read the same meanwhile.
            let _ = SHIPPED.set(read);
        }
    }

    /// Reads a table: lines of code, name and moves from the first position (SAN with move numbers), tabs between. Where
    /// two lines lead to the same position, the first speaks.
    ///
    /// # Errors
    /// At the first line that is not of that form or whose moves can't be played.
    pub fn parse(text: &str) -> Result<Self, OpeningsError> {
        at_once(Self::parse_in_turns(text, &AtOnce))
    }

    async fn parse_in_turns(text: &str, pace: &impl Pace) -> Result<Self, OpeningsError> {
        let mut lines = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            let fields: Vec<&str> = text.split('\t').collect();
            let [eco, name, moves] = fields[..] else {
                return Err(OpeningsError::Fields { line });
            };
            let moves: Vec<&str> = moves.split_whitespace().filter(|token| !is_number(token)).collect();
            if eco.is_empty() || name.is_empty() || moves.is_empty() {
                return Err(OpeningsError::Fields { line });
            }
            lines.push((moves, line, eco, name));
            pace.turn().await;
        }
        // Neighbours share most of their moves: what the line before has played is not played again.
        lines.sort_unstable();
        let mut named: HashMap<Chess, (usize, Opening)> = HashMap::with_capacity(lines.len());
        let mut tokens: Vec<&str> = Vec::new();
        let mut positions = vec![Chess::default()];
        for (moves, line, eco, name) in lines {
            let shared = tokens.iter().zip(&moves).take_while(|(old, new)| old == new).count();
            positions.truncate(shared + 1);
            for token in &moves[shared..] {
                let next = positions.last().and_then(|at| play(at, token));
                positions.push(next.ok_or_else(|| OpeningsError::Move {
                    line,
                    token: (*token).to_owned(),
                })?);
            }
            tokens = moves;
            if let Some(reached) = positions.last() {
                let opening = || Opening {
                    eco: eco.to_owned(),
                    name: name.to_owned(),
                };
                let entry = named.entry(reached.clone()).or_insert_with(|| (line, opening()));
                if line < entry.0 {
                    *entry = (line, opening());
                }
            }
            pace.turn().await;
        }
        let named = named.into_iter().map(|(at, (_, opening))| (at, opening)).collect();
        Ok(Self { named })
    }

    /// The opening that `position` is named after. Its counters don't matter.
    #[must_use]
    pub fn name(&self, position: &Chess) -> Option<&Opening> {
        self.named.get(position)
    }

    /// The opening of a game: the name of its last position that has one. `positions` are in the game's order.
    #[must_use]
    pub fn of_game<'a>(&self, positions: impl DoubleEndedIterator<Item = &'a Chess>) -> Option<&Opening> {
        positions.rev().find_map(|position| self.name(position))
    }

    /// The opening that the game has reached with `played`, and whether it is this move that led to the name.
    #[must_use]
    pub fn reached(&self, played: &Played) -> Option<(&Opening, bool)> {
        let earlier = self.of_game(played.history.iter().chain([&played.before]));
        match self.name(&played.after) {
            Some(opening) => Some((opening, earlier.is_none_or(|old| old.name != opening.name))),
            None => earlier.map(|opening| (opening, false)),
        }
    }

    /// How many positions have a name.
    #[must_use]
    pub fn len(&self) -> usize {
        self.named.len()
    }

    /// True where no position has a name.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.named.is_empty()
    }
}

/// "12." and "3...".
fn is_number(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_digit())
}

fn play(at: &Chess, token: &str) -> Option<Chess> {
    let m = token.parse::<SanPlus>().ok()?.san.to_move(at).ok()?;
    at.clone().play(m).ok()
}

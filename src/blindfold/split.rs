//! Which games are learned from, which try a model out, and which questions are made of.

use std::collections::HashSet;

use shakmaty::{CastlingMode, Chess};
use thiserror::Error;

use super::{
    notation::Notation,
    ply::{Ply, uci_text},
    token::Token,
};
use crate::{
    chess::game::{Game, NodeId},
    random::seeded_hash,
};

/// Games with fewer plies are left out.
pub const FEWEST_PLIES: usize = 10;
/// Games with more plies are left out: what is kept fits into 512 tokens, types included.
pub const MOST_PLIES: usize = 150;

/// The moves of a game's main line; `None` where it does not begin in the first position of chess, or castles as Chess960 does.
#[must_use]
pub fn plies_of(game: &Game) -> Option<Vec<Ply>> {
    plies_to(game, game.end_of_line(NodeId::ROOT))
}

/// The moves that lead to a place of a game, of which the same is asked.
#[must_use]
pub fn plies_to(game: &Game, at: NodeId) -> Option<Vec<Ply>> {
    if *game.root() != Chess::default() || game.mode() != CastlingMode::Standard {
        return None;
    }
    let line = game.line_to(at);
    line.into_iter().map(|id| game.mv(id).and_then(Ply::of)).collect()
}

/// How many games a source had, and what became of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Offered {
    /// All.
    pub games: usize,
    /// Not from the first position of chess.
    pub elsewhere: usize,
    /// Fewer than [`FEWEST_PLIES`].
    pub too_short: usize,
    /// More than [`MOST_PLIES`].
    pub too_long: usize,
    /// The same moves as one before.
    pub repeated: usize,
}

/// Games that are kept, each once.
#[derive(Debug, Clone, Default)]
pub struct Gathered {
    games: HashSet<Vec<Ply>>,
    offered: Offered,
}

impl Gathered {
    /// Takes a game, or the news that there was one that cannot be used.
    pub fn offer(&mut self, plies: Option<Vec<Ply>>) {
        self.offered.games += 1;
        let Some(plies) = plies else {
            self.offered.elsewhere += 1;
            return;
        };
        if plies.len() < FEWEST_PLIES {
            self.offered.too_short += 1;
        } else if plies.len() > MOST_PLIES {
            self.offered.too_long += 1;
        } else if !self.games.insert(plies) {
            self.offered.repeated += 1;
        }
    }

    /// What became of the games.
    #[must_use]
    pub const fn offered(&self) -> Offered {
        self.offered
    }

    /// How many games are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The splits. Who is where depends on the seed and the set of games alone, not on their order in the source.
    ///
    /// # Errors
    /// When there are fewer games than the splits take.
    pub fn split(self, sizes: Sizes, seed: u64) -> Result<Splits, SplitError> {
        let found = self.games.len();
        if found < sizes.needed() || sizes.train[0] > sizes.train[1] || sizes.train[1] > sizes.train[2] {
            return Err(SplitError {
                needed: sizes.needed(),
                found,
            });
        }
        let mut games: Vec<Vec<Ply>> = self.games.into_iter().collect();
        games.sort_by_cached_key(|game| {
            let text = uci_text(game);
            (seeded_hash(seed, &text), text)
        });
        let mut games = games.into_iter();
        let mut take = |count: usize| games.by_ref().take(count).collect::<Vec<_>>();
        Ok(Splits {
            dev: take(sizes.dev),
            test: take(sizes.test),
            probe: take(sizes.probe),
            train: take(sizes.train[2]),
            sizes,
        })
    }
}

/// Too few games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the splits take {needed} games (S within M within L), and there are {found}")]
pub struct SplitError {
    /// What the splits take.
    pub needed: usize,
    /// What there is.
    pub found: usize,
}

/// How many games go where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// Train-S, Train-M and Train-L: each within the next.
    pub train: [usize; 3],
    /// For choosing among settings.
    pub dev: usize,
    /// For the perplexity in the end.
    pub test: usize,
    /// What questions are made of.
    pub probe: usize,
}

impl Sizes {
    /// The paper's (table 10).
    pub const PAPER: Self = Self {
        train: [15_000, 50_000, 200_000],
        dev: 15_000,
        test: 15_000,
        probe: 50_000,
    };

    /// How many games they take together.
    #[must_use]
    pub const fn needed(self) -> usize {
        self.train[2] + self.dev + self.test + self.probe
    }

    /// The paper's proportions, of this many games.
    #[must_use]
    pub const fn scaled_to(games: usize) -> Self {
        let paper = Self::PAPER;
        Self {
            train: [
                paper.train[0] * games / paper.needed(),
                paper.train[1] * games / paper.needed(),
                paper.train[2] * games / paper.needed(),
            ],
            dev: paper.dev * games / paper.needed(),
            test: paper.test * games / paper.needed(),
            probe: paper.probe * games / paper.needed(),
        }
    }
}

/// Games apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splits {
    /// For choosing among settings.
    pub dev: Vec<Vec<Ply>>,
    /// For the perplexity in the end.
    pub test: Vec<Vec<Ply>>,
    /// What questions are made of.
    pub probe: Vec<Vec<Ply>>,
    /// Train-L; the others are its beginnings.
    train: Vec<Vec<Ply>>,
    sizes: Sizes,
}

impl Splits {
    /// Each with its name, the training sets first.
    #[must_use]
    pub fn named(&self) -> [(&'static str, &[Vec<Ply>]); 6] {
        let [s, m, l] = self.sizes.train.map(|size| &self.train[..size]);
        [
            ("train-s", s),
            ("train-m", m),
            ("train-l", l),
            ("dev", &self.dev),
            ("test", &self.test),
            ("probe", &self.probe),
        ]
    }
}

/// Whether games begin in one way: what a model has learned from is no test of what it knows.
#[derive(Debug, Clone, Default)]
pub struct Beginnings {
    /// Games in UCI tokens, sorted: those that begin alike follow each other.
    games: Vec<Vec<Token>>,
}

impl Beginnings {
    /// Of these games.
    #[must_use]
    pub fn of<'a>(games: impl IntoIterator<Item = &'a Vec<Ply>>) -> Self {
        let mut games: Vec<_> = games.into_iter().map(|game| Notation::Uci.prefix(game)).collect();
        games.sort();
        Self { games }
    }

    /// Whether one of the games begins with these moves, or has no others.
    #[must_use]
    pub fn contain(&self, prefix: &[Ply]) -> bool {
        let prefix = Notation::Uci.prefix(prefix);
        let place = self.games.partition_point(|game| *game < prefix);
        self.games.get(place).is_some_and(|game| game.starts_with(&prefix))
    }
}

#[cfg(test)]
mod tests {
    use super::{super::random_game::random_game, *};

    fn gathered(order: impl Iterator<Item = u64>) -> Gathered {
        let mut gathered = Gathered::default();
        for seed in order {
            gathered.offer(Some(random_game(seed, 12)));
        }
        gathered
    }

    const SIZES: Sizes = Sizes {
        train: [5, 10, 20],
        dev: 6,
        test: 4,
        probe: 10,
    };

    #[test]
    fn games_are_kept_once_and_within_bounds() {
        let mut all = gathered(0..40);
        all.offer(Some(random_game(3, 12)));
        all.offer(Some(random_game(3, 9)));
        all.offer(Some(random_game(3, 10)));
        all.offer(None);
        let long: Vec<Ply> = ["g1f3", "g8f6", "f3g1", "f6g8"]
            .iter()
            .cycle()
            .take(151)
            .map(|text| {
                let uci: shakmaty::uci::UciMove = text.parse().unwrap();
                Ply {
                    piece: None,
                    from: uci.from().unwrap(),
                    to: uci.to().unwrap(),
                    promotion: None,
                }
            })
            .collect();
        all.offer(Some(long[..150].to_vec()));
        all.offer(Some(long));
        let wanted = Offered {
            games: 46,
            elsewhere: 1,
            too_short: 1,
            too_long: 1,
            repeated: 1,
        };
        assert_eq!((all.offered(), all.len()), (wanted, 42));
    }

    #[test]
    fn splits_are_apart_nested_and_depend_on_the_seed_alone() {
        let splits = gathered(0..40).split(SIZES, 1).unwrap();
        assert_eq!(gathered((0..40).rev()).split(SIZES, 1).unwrap(), splits);
        assert_ne!(gathered(0..40).split(SIZES, 2).unwrap(), splits);
        let [(_, s), (_, m), (_, l), ..] = splits.named();
        assert!(l.starts_with(m) && m.starts_with(s) && s.len() == 5);
        let apart: Vec<&Vec<Ply>> = splits.named()[2..].iter().flat_map(|(_, games)| *games).collect();
        assert_eq!(apart.iter().collect::<HashSet<_>>().len(), SIZES.needed());
        assert_eq!(
            gathered(0..39).split(SIZES, 1),
            Err(SplitError { needed: 40, found: 39 })
        );
    }

    #[test]
    fn the_papers_proportions_fit_any_number() {
        assert_eq!(Sizes::scaled_to(280_000), Sizes::PAPER);
        for games in [0, 1, 27, 28, 5_479] {
            let sizes = Sizes::scaled_to(games);
            assert!(sizes.needed() <= games && sizes.train[0] <= sizes.train[1]);
        }
    }

    #[test]
    fn beginnings_are_found_and_no_others() {
        let games: Vec<Vec<Ply>> = (0..30).map(|seed| random_game(seed, 20)).collect();
        let known = Beginnings::of(&games);
        for game in &games {
            for length in 0..=game.len() {
                assert!(known.contain(&game[..length]));
            }
        }
        for seed in 30..60 {
            let other = random_game(seed, 20);
            let plainly = |prefix: &[Ply]| games.iter().any(|game| game.starts_with(prefix));
            for length in 0..=other.len() {
                assert_eq!(known.contain(&other[..length]), plainly(&other[..length]));
            }
            assert!(!known.contain(&[other, random_game(1, 4)].concat()));
        }
        assert!(!Beginnings::default().contain(&[]));
    }
}

//! Positions from games.
//!
//! A ply is counted from 1. *Early* is before plies 7 to 12 (moves 4 to 6); *late* is before the moves that leave five to
//! eight moves of each side to the end, 9 to 16 plies; *middle* lies between. A game too short for both windows gives the
//! early ones alone. Which plies are taken depends on the seed and the game's name, and on the balance: whichever side has
//! been to move less often is preferred.

use std::collections::{BTreeMap, BTreeSet};

use shakmaty::{Chess, Color, Move, Position};

use super::{
    goal::Goal,
    hints::motifs,
    position::{Part, Reached, TestPosition},
};
use crate::{
    chess::{
        Openings,
        game::{Game, NodeId},
        write_fen,
    },
    grading::level::Level,
    random::{Rng, seeded_hash},
};

/// The plies of early positions, from 1.
const EARLY: std::ops::RangeInclusive<u32> = 7..=12;
/// Plies of a late position to the end of the game, its own move included.
const LATE: std::ops::RangeInclusive<u32> = 9..=16;

/// How many positions of each game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Take {
    /// So many of each part.
    Parts {
        /// Early ones.
        early: u32,
        /// Middle ones.
        middle: u32,
        /// Late ones.
        late: u32,
    },
    /// Every position, for tables by game and colour.
    All,
}

impl Take {
    /// The plan's: one early and one late.
    pub const PLAN: Self = Self::Parts {
        early: 1,
        middle: 0,
        late: 1,
    };
}

/// Gathers positions from one game after another.
#[derive(Debug, Clone)]
pub struct FromGames {
    take: Take,
    seed: u64,
    /// White's turns less Black's, of each level and part.
    balance: BTreeMap<(Option<Level>, Part), i32>,
    known: BTreeSet<String>,
    positions: Vec<TestPosition>,
}

/// A position of a game with the move made in it.
struct Place {
    ply: u32,
    position: Chess,
    mv: Move,
}

impl FromGames {
    /// None yet.
    #[must_use]
    pub fn new(take: Take, seed: u64) -> Self {
        Self {
            take,
            seed,
            balance: BTreeMap::new(),
            known: BTreeSet::new(),
            positions: Vec::new(),
        }
    }

    /// Takes the positions of a game called `name`; its main line counts.
    pub fn add(&mut self, game: &Game, name: &str) {
        let mut places = Vec::new();
        let mut position = game.root().clone();
        for id in game.main_line().into_iter().filter(|id| *id != NodeId::ROOT) {
            let Some(mv) = game.mv(id) else { break };
            places.push(Place {
                ply: places.len() as u32 + 1,
                position: position.clone(),
                mv,
            });
            position.play_unchecked(mv);
        }
        let level = game.tag("Level").and_then(|level| level.parse().ok());
        let plies = places.len() as u32;
        let chosen: Vec<usize> = match self.take {
            Take::All => (0..places.len()).collect(),
            Take::Parts { early, middle, late } => {
                let mut random = Rng::new(seeded_hash(self.seed, name));
                let mut chosen = Vec::new();
                for (part, count) in [(Part::Early, early), (Part::Middle, middle), (Part::Late, late)] {
                    for _ in 0..count {
                        chosen.extend(self.choose(&places, &chosen, level, part, &mut random));
                    }
                }
                chosen.sort_unstable();
                chosen
            }
        };
        for at in chosen {
            let at = self.position(game, name, level, &places[..=at], plies);
            self.positions.push(at);
        }
    }

    /// One more place of a part.
    fn choose(
        &mut self,
        places: &[Place],
        chosen: &[usize],
        level: Option<Level>,
        part: Part,
        random: &mut Rng,
    ) -> Option<usize> {
        let plies = places.len() as u32;
        let mut fit: Vec<usize> = (0..places.len())
            .filter(|at| window(places[*at].ply, plies) == Some(part) && !chosen.contains(at))
            .filter(|at| places[*at].position.legal_moves().len() > 1)
            .filter(|at| !self.known.contains(&placement(&places[*at].position)))
            .collect();
        let balance = self.balance.entry((level, part)).or_default();
        let wanted = match *balance {
            0 => Color::from_white(random.below(2) == 0),
            more => Color::from_white(more < 0),
        };
        let side: Vec<usize> = fit
            .iter()
            .copied()
            .filter(|at| places[*at].position.turn() == wanted)
            .collect();
        if !side.is_empty() {
            fit = side;
        }
        let at = *fit.get(random.below(fit.len()))?;
        *balance += places[at].position.turn().fold_wb(1, -1);
        self.known.insert(placement(&places[at].position));
        Some(at)
    }

    /// The last of `places` as a position of the suite.
    fn position(&self, game: &Game, name: &str, level: Option<Level>, places: &[Place], plies: u32) -> TestPosition {
        let mode = game.mode();
        // `places` ends with the one that was chosen.
        let (last, before) = places.split_last().map_or((&places[0], &[][..]), |split| split);
        let root = Game::new(Chess::default(), mode).root() == game.root();
        let rating = match last.position.turn() {
            Color::White => game.tag("WhiteElo"),
            Color::Black => game.tag("BlackElo"),
        };
        let openings = Openings::shipped();
        let reached = Reached {
            history: before.iter().map(|place| place.position.clone()).collect(),
            moves: before.iter().map(|place| place.mv).collect(),
            position: last.position.clone(),
            mode,
        };
        let all = before.iter().map(|place| &place.position).chain([&last.position]);
        let every = matches!(self.take, Take::All);
        TestPosition {
            start: (!root).then(|| write_fen(game.root(), mode)),
            moves: before
                .iter()
                .map(|place| place.mv.to_uci(mode).to_string())
                .collect::<Vec<_>>()
                .join(" "),
            part: part_of(last.ply, plies),
            level,
            rating: rating.and_then(|rating| rating.parse().ok()),
            game: Some(name.to_owned()),
            ply: Some(last.ply),
            opening: openings
                .of_game(all.collect::<Vec<_>>().into_iter())
                .map(|opening| format!("{} {}", opening.eco, opening.name)),
            book: openings.name(&last.position).is_some(),
            // Of every position of many games they would take long, and no table there asks for them.
            motifs: if every { Vec::new() } else { motifs(&reached, last.mv) },
            played: Some(last.mv.to_uci(mode).to_string()),
            ..TestPosition::new(format!("{name}@{}", last.ply), &last.position, mode, Goal::Grade)
        }
    }

    /// What was gathered.
    #[must_use]
    pub fn finish(self) -> Vec<TestPosition> {
        self.positions
    }
}

/// The window that a ply is in, where it is in one that positions are drawn from.
fn window(ply: u32, plies: u32) -> Option<Part> {
    let left = plies + 1 - ply;
    if EARLY.contains(&ply) {
        Some(Part::Early)
    } else if ply > *EARLY.end() && LATE.contains(&left) {
        Some(Part::Late)
    } else if ply > *EARLY.end() && left > *LATE.end() {
        Some(Part::Middle)
    } else {
        None
    }
}

/// The part that a ply is counted to.
fn part_of(ply: u32, plies: u32) -> Part {
    match window(ply, plies) {
        Some(part) => part,
        None if ply < *EARLY.start() => Part::Opening,
        None => Part::Late,
    }
}

/// A position without its counters.
pub(super) fn placement(position: &Chess) -> String {
    let fen = write_fen(position, shakmaty::CastlingMode::Standard);
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess::pgn::read_pgn, grading::suite::file::Suite};

    /// Games of random moves, `plies` long at most.
    fn games(count: u64, plies: usize) -> Vec<Game> {
        (0..count)
            .map(|number| {
                let mut rng = Rng::new(number);
                let mut game = Game::new(Chess::default(), shakmaty::CastlingMode::Standard);
                let (mut at, mut position) = (NodeId::ROOT, Chess::default());
                for _ in 0..plies {
                    let moves = position.legal_moves();
                    let Some(mv) = moves.get(rng.below(moves.len())) else {
                        break;
                    };
                    at = game.play(at, *mv).unwrap();
                    position.play_unchecked(*mv);
                }
                game.tags.push(("Level".to_owned(), "skill 5".to_owned()));
                game
            })
            .collect()
    }

    fn suite(take: Take, seed: u64, games: &[Game]) -> Vec<TestPosition> {
        let mut gathering = FromGames::new(take, seed);
        for (number, game) in games.iter().enumerate() {
            gathering.add(game, &format!("g{number}"));
        }
        gathering.finish()
    }

    #[test]
    fn windows_are_the_plans() {
        let parts: Vec<Option<Part>> = (1..=40).map(|ply| window(ply, 40)).collect();
        assert_eq!(parts[5], None);
        assert!(parts[6..12].iter().all(|part| *part == Some(Part::Early)));
        assert!(parts[12..24].iter().all(|part| *part == Some(Part::Middle)));
        assert!(parts[24..32].iter().all(|part| *part == Some(Part::Late)));
        assert!(parts[32..].iter().all(Option::is_none));
        assert_eq!((part_of(1, 40), part_of(40, 40)), (Part::Opening, Part::Late));
    }

    #[test]
    fn the_same_seed_gives_the_same_suite_with_sides_in_balance() {
        let games = games(20, 120);
        let take = Take::Parts {
            early: 1,
            middle: 2,
            late: 1,
        };
        let one = suite(take, 4, &games);
        assert_eq!(one, suite(take, 4, &games));
        assert_ne!(one, suite(take, 5, &games));
        for part in [Part::Early, Part::Middle, Part::Late] {
            let of_part: Vec<_> = one.iter().filter(|at| at.part == part).collect();
            let white = of_part.iter().filter(|at| at.turn() == Color::White).count();
            assert!(
                white.abs_diff(of_part.len() - white) <= 1,
                "{part:?}: {white} of {}",
                of_part.len()
            );
        }
        for at in &one {
            let reached = at.read().unwrap();
            assert_eq!(reached.history.len() + 1, at.ply.unwrap() as usize);
            assert!(at.played.is_some() && at.level == Some(Level::Skill(5)));
        }
        // The file says the same again.
        let text = Suite::new("x", String::new(), 4, one.clone()).text();
        assert_eq!(Suite::read(&text).unwrap().positions, one);
    }

    #[test]
    fn every_position_of_a_game_is_there_where_all_are_wanted() {
        let file = read_pgn("[WhiteElo \"1800\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *").unwrap();
        let all = suite(Take::All, 1, &file.games);
        assert_eq!(all.len(), 6);
        assert_eq!((all[0].rating, all[1].rating), (Some(1800), None));
        assert_eq!(all[5].opening.as_deref(), Some("C60 Ruy Lopez"));
        assert!(all[4].book);
        let none = suite(Take::PLAN, 1, &file.games);
        assert!(none.is_empty(), "too short");
    }
}

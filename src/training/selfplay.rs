//! How the players of self-play games choose: by the engine's scores, but not always the best move, so that positions
//! are as varied as those of people.

use shakmaty::{Chess, Move, Position};

use super::{Choice, Choices};
use crate::{
    random::{Rng, seeded_hash},
    uci::Score,
};

/// Plies of a game that are chosen among all legal moves, at most.
const RANDOM_OPENING: usize = 6;
/// Plies after them that are chosen boldly among the engine's moves, so that openings differ.
const BOLD_OPENING: u32 = 4;
/// The temperature of those, in centipawns.
const BOLD: f64 = 90.0;
/// The temperatures of the players, in centipawns, from the best play to the loosest.
const TEMPERATURES: [f64; 5] = [0.0, 12.0, 30.0, 60.0, 120.0];
/// How often each of them makes any legal move at all.
const LAPSES: [f64; 5] = [0.0, 0.005, 0.015, 0.03, 0.06];
/// Beyond this many centipawns all is won, and mates count as so much.
const CLAMP: i32 = 1500;
/// A game that both players see as decided by this many centipawns …
const DECIDED: i32 = 1000;
/// … for so many plies ends there.
const DECIDED_PLIES: u32 = 10;
/// No game is longer, in plies.
pub const LONGEST_GAME: u32 = 220;

/// How loosely one side plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Skill(usize);

impl Skill {
    /// Its place among the skills, 0 being the best.
    #[must_use]
    pub fn rank(self) -> usize {
        self.0
    }
}

/// The two players of a game: the same seed and number give the same game from the same engine.
#[derive(Debug, Clone)]
pub struct Players {
    random: Rng,
    random_plies: u32,
    skills: [Skill; 2],
    decided: u32,
}

impl Players {
    /// The players of game number `game` of the set with `seed`.
    #[must_use]
    pub fn new(seed: u64, game: u64) -> Self {
        let mut random = Rng::new(seeded_hash(seed, &game.to_string()));
        let random_plies = random.below(RANDOM_OPENING + 1) as u32;
        let mut skill = || Skill(random.below(TEMPERATURES.len()));
        Self {
            skills: [skill(), skill()],
            random,
            random_plies,
            decided: 0,
        }
    }

    /// White's and Black's.
    #[must_use]
    pub fn skills(&self) -> [Skill; 2] {
        self.skills
    }

    /// The move to make in `position`, where the engine offers `choices`, `ply` plies into the game. `None` when there
    /// is no legal move.
    pub fn choose(&mut self, position: &Chess, choices: &Choices, ply: u32) -> Option<Move> {
        let legal = position.legal_moves();
        let skill = self.skills[position.turn().fold_wb(0, 1)].0;
        let (temperature, lapse) = if ply < self.random_plies {
            (0.0, 1.0)
        } else if ply < self.random_plies + BOLD_OPENING {
            (BOLD, 0.0)
        } else {
            (TEMPERATURES[skill], LAPSES[skill])
        };
        if legal.is_empty() {
            return None;
        }
        let offered: Vec<(Move, f64)> = choices
            .moves
            .iter()
            .filter_map(|choice| Some((choice.uci.to_move(position).ok()?, weight(choice, choices, temperature))))
            .collect();
        if offered.is_empty() || self.random.unit() < lapse {
            return legal.get(self.random.below(legal.len())).copied();
        }
        let total: f64 = offered.iter().map(|(_, weight)| weight).sum();
        let mut left = self.random.unit() * total;
        for (mv, weight) in &offered {
            left -= weight;
            if left < 0.0 {
                return Some(*mv);
            }
        }
        offered.first().map(|(mv, _)| *mv)
    }

    /// True when the game has been decided for long enough, `best` being the score of the best move, ply by ply.
    pub fn is_decided(&mut self, best: Option<Score>) -> bool {
        let decided = best.is_some_and(|score| centipawns(score).abs() >= DECIDED);
        self.decided = if decided { self.decided + 1 } else { 0 };
        self.decided >= DECIDED_PLIES
    }
}

fn weight(choice: &Choice, choices: &Choices, temperature: f64) -> f64 {
    let best = choices.moves.first().map_or(0, |best| centipawns(best.score));
    let behind = f64::from(best - centipawns(choice.score));
    if temperature == 0.0 {
        return f64::from(u8::from(behind <= 0.0));
    }
    (-behind / temperature).exp().min(1.0)
}

/// The score in centipawns within ±1500, mates at its ends.
#[must_use]
pub fn centipawns(score: Score) -> i32 {
    match score {
        Score::Cp(cp) => cp.clamp(-CLAMP, CLAMP),
        Score::Mate(moves) if moves > 0 => CLAMP,
        Score::Mate(_) => -CLAMP,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices() -> Choices {
        Choices::in_comment("[%choices e2e4:40 d2d4:30 a2a3:-200]").unwrap()
    }

    fn counts(players: &mut Players, ply: u32) -> [usize; 3] {
        let position = Chess::default();
        let mut counts = [0; 3];
        for _ in 0..2000 {
            let mv = players.choose(&position, &choices(), ply).unwrap();
            let uci = mv.to_uci(shakmaty::CastlingMode::Standard).to_string();
            if let Some(i) = ["e2e4", "d2d4", "a2a3"].iter().position(|&known| known == uci) {
                counts[i] += 1;
            }
        }
        counts
    }

    fn dice_with(skill: usize) -> Players {
        Players {
            random_plies: 0,
            skills: [Skill(skill); 2],
            ..Players::new(1, 1)
        }
    }

    #[test]
    fn the_best_player_plays_the_best_move_and_the_loosest_any() {
        assert_eq!(counts(&mut dice_with(0), 20), [2000, 0, 0]);
        let [best, second, poor] = counts(&mut dice_with(4), 20);
        assert!(best.min(second) > 4 * poor && poor > 0, "{best} {second} {poor}");
        assert!(best + second + poor < 2000, "now and then something else");
    }

    #[test]
    fn the_opening_is_random_first() {
        let mut players = Players {
            random_plies: 3,
            ..dice_with(0)
        };
        assert!(counts(&mut players, 2).iter().sum::<usize>() < 1000);
        let bold = counts(&mut players, 3);
        assert!(bold[1] > 500, "{bold:?}");
    }

    #[test]
    fn the_same_dice_fall_the_same_way_and_others_do_not() {
        let rolls = |seed, game| counts(&mut Players::new(seed, game), 0);
        assert_eq!(rolls(1, 5), rolls(1, 5));
        let distinct: std::collections::BTreeSet<_> = (0..20)
            .map(|game| Players::new(1, game).skills().map(Skill::rank))
            .collect();
        assert!(distinct.len() > 8, "{distinct:?}");
    }

    #[test]
    fn a_game_is_decided_when_it_stays_so() {
        let mut players = Players::new(1, 1);
        for _ in 0..9 {
            assert!(!players.is_decided(Some(Score::Cp(-1200))));
        }
        assert!(!players.is_decided(Some(Score::Cp(300))));
        for _ in 0..9 {
            assert!(!players.is_decided(Some(Score::Mate(3))));
        }
        assert!(players.is_decided(Some(Score::Mate(-3))));
    }
}

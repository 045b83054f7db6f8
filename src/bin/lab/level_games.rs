//! Games of Stockfish against itself at a given strength, from seeded openings: what `lab games --skill` plays.
//!
//! Below full strength Stockfish draws its moves from a seed of its own that nobody can set, so that only the openings are
//! the same again: the file is the record.

use kibitz::{
    chess::{Openings, game::Game, game::NodeId},
    grading::{
        level::{Level, PLAN},
        seeded_opening::seeded_opening,
    },
    uci::{Limit, SearchRequest},
};
use shakmaty::{CastlingMode, Chess, KnownOutcome, Outcome, Position};

use super::{
    engine::{Engine, EngineError},
    setup::{Parts, SetupError},
};

/// Nodes of each search, where nothing else is asked for.
pub const NODES: u64 = 20_000;
/// Games of each level, where nothing else is asked for: what the plan recommends after its first five.
pub const GAMES: u64 = 20;
/// Games of each level in the plan's own preset.
const PLAN_GAMES: u64 = 2;
/// The longest game, in plies; the plan's longest has 269.
const LONGEST: usize = 400;

/// The strengths.
#[derive(Debug, Clone, clap::Args)]
pub struct LevelArgs {
    /// Stockfish's Skill Level, 0 to 20, on both sides; several give games of each.
    #[arg(long = "skill", value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(0..=20))]
    skills: Vec<u8>,
    /// Stockfish's UCI_Elo on both sides; several give games of each.
    #[arg(long = "elo", value_name = "ELO", value_parser = clap::value_parser!(u16).range(1000..=3500))]
    elos: Vec<u16>,
    /// The preset of the static-position plan: levels 5, 10, 15, 18 and 20, two games each.
    #[arg(long, conflicts_with_all = ["skills", "elos"])]
    plan: bool,
}

impl LevelArgs {
    /// All of them; none where games are played with all strength and varied by chance.
    pub fn levels(&self) -> Vec<Level> {
        if self.plan {
            return PLAN.to_vec();
        }
        let skills = self.skills.iter().copied().map(Level::Skill);
        skills.chain(self.elos.iter().copied().map(Level::Elo)).collect()
    }

    /// Games of each level, where nothing else is asked for.
    pub const fn games(&self) -> u64 {
        if self.plan { PLAN_GAMES } else { GAMES }
    }
}

/// The engine at the level of the last game.
pub struct LevelPlayer<'a> {
    parts: &'a Parts,
    engine: Option<(Level, Engine)>,
}

/// Why a game was not played to its end.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl<'a> LevelPlayer<'a> {
    /// None yet.
    pub const fn new(parts: &'a Parts) -> Self {
        Self { parts, engine: None }
    }

    /// Plays the level's game with this number, from 0.
    pub fn play(&mut self, level: Level, number: u64, seed: u64, limit: Limit) -> Result<Game, GameError> {
        let (_, engine) = match self.engine.take() {
            Some((at, engine)) if at == level => self.engine.insert((at, engine)),
            _ => {
                let engine = self.parts.engine_with(&level.options())?.ok_or(SetupError::NoEngine)?;
                self.engine.insert((level, engine))
            }
        };
        let mode = CastlingMode::Standard;
        let mut game = Game::new(Chess::default(), mode);
        let mut position = Chess::default();
        let mut seen: Vec<Chess> = Vec::new();
        let mut at = NodeId::ROOT;
        let mut moves = seeded_opening(Openings::shipped(), seed, &format!("{level} {number}"));
        let opening = moves.len();
        let mut outcome = Outcome::Unknown;
        for ply in 0..LONGEST {
            if let Outcome::Known(known) = position.outcome() {
                outcome = Outcome::Known(known);
                break;
            }
            if is_drawn(&seen, &position) {
                outcome = Outcome::Known(KnownOutcome::Draw);
                break;
            }
            let mv = if ply < opening {
                moves[ply]
            } else {
                let mut request = SearchRequest::new(number, Chess::default(), mode, limit)
                    .played_on(&moves)
                    .map_err(|_| EngineError::Lost)?;
                if ply == opening {
                    request = request.afresh();
                }
                let best = engine.search(request)?.best;
                let mv = best
                    .and_then(|best| best.to_move(&position).ok())
                    .ok_or(EngineError::Lost)?;
                moves.push(mv);
                mv
            };
            let Ok(next) = game.play(at, mv) else { break };
            at = next;
            seen.push(position.clone());
            position.play_unchecked(mv);
        }
        let player = format!("{}, {level}", engine.name());
        for (name, value) in [
            ("Event", format!("{level}, seed {seed}")),
            ("Round", (number + 1).to_string()),
            ("White", player.clone()),
            ("Black", player),
            ("Level", level.to_string()),
            ("BookPlies", opening.to_string()),
            ("Annotator", format!("{} a move", limit.words())),
        ] {
            game.tags.push((name.to_owned(), value));
        }
        game.outcome = outcome;
        Ok(game)
    }
}

/// Third time on the board, or fifty moves without a capture or pawn move.
pub fn is_drawn(seen: &[Chess], position: &Chess) -> bool {
    let since = seen.len().saturating_sub(position.halfmoves() as usize);
    position.halfmoves() >= 100 || seen[since..].iter().filter(|&earlier| earlier == position).count() >= 2
}

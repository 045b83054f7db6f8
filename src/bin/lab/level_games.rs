//! Games of Stockfish against itself at a given strength, from seeded openings: what `lab games --skill` plays.

use kibitz::{
    chess::game::Game,
    grading::{
        level::{Level, PLAN},
        level_game::{GAMES, LevelGame, NoMove, PLAN_GAMES},
    },
    uci::Limit,
};

use super::{
    engine::{Engine, EngineError},
    setup::{Parts, SetupError},
};

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
    #[error(transparent)]
    NoMove(#[from] NoMove),
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
        let mut game = LevelGame::begin(level, number, seed, limit);
        while let Some(request) = game.next(number) {
            game.take(&engine.search(request)?)?;
        }
        Ok(game.into_game(engine.name()))
    }
}

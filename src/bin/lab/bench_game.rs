//! How long a game's annotation takes by one engine, by two and by as many as usual: the page's benchmark does the same with
//! the same game.

use std::{error::Error, time::Instant};

use kibitz::{
    chess::pgn::read_pgn,
    uci::Limit,
    view::bench::{ANNOTATED_GAME, GAME_NODES, game_row, game_workers},
};
use serde::Serialize;

use super::{
    engine::Engine,
    game_annotation::{Effort, annotate_games, usual_threads},
    setup::Parts,
};

/// Lines of each search.
const LINES: u32 = 2;

/// An annotated game.
#[derive(Debug, Serialize)]
pub struct GameReport {
    /// Engines at the same time.
    pub workers: usize,
    /// Seconds, engines that are up already.
    pub seconds: f64,
}

impl GameReport {
    /// In a line.
    pub fn text(&self) -> String {
        format!(
            "{}: {:.2} s, {GAME_NODES} nodes a position",
            game_row(self.workers),
            self.seconds
        )
    }
}

/// Annotates the benchmark's game by each number of engines; none without an engine.
pub fn measure(parts: &Parts) -> Result<Vec<GameReport>, Box<dyn Error>> {
    let games = read_pgn(ANNOTATED_GAME)?.games;
    let effort = Effort {
        limit: Limit::Nodes(GAME_NODES),
        multipv: LINES,
    };
    let mut reports = Vec::new();
    for workers in game_workers(usual_threads(&games)) {
        let engines = (0..workers).filter_map(|_| parts.engine().transpose());
        let engines = engines.collect::<Result<Vec<Engine>, _>>()?;
        if engines.is_empty() {
            break;
        }
        let clock = Instant::now();
        annotate_games(&games, effort, engines, false, |_, _| ())?;
        let seconds = (clock.elapsed().as_secs_f64() * 1e3).round() / 1e3;
        reports.push(GameReport { workers, seconds });
    }
    Ok(reports)
}

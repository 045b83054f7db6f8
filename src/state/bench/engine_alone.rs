//! How many nodes a second the engine searches when nothing else is done.

use leptos::prelude::*;

use super::Bench;
use crate::{
    browser::clock,
    chess::Played,
    services::engine::{Engine, Kind},
    uci::SearchRequest,
};

impl Bench {
    /// The positions before the moves, searched to the comments' limit by an engine that remembers nothing and that nobody
    /// else asks: beside it stands what comments get out of theirs.
    pub(super) async fn engine_alone(&self, positions: &[Played]) -> Result<(), String> {
        let engine = Engine::new(Kind::stockfish(), |_| ());
        self.engine.set_value(Some(engine.clone()));
        engine.known_name().await.map_err(|e| e.to_string())?;
        let limit = self.preferences.get_untracked().effort().limit;
        let mut speeds = Vec::new();
        for played in positions {
            if self.running.try_get_value() != Some(true) {
                break;
            }
            let request = SearchRequest::new(engine.id(), played.before.clone(), played.mode, limit);
            let start = clock::now();
            let result = engine.search(request, |_| ()).await.map_err(|e| e.to_string())?;
            #[allow(clippy::cast_precision_loss)] // node counts are far below 2^52
            speeds.push(result.nodes as f64 / (clock::now() - start) * 1000.0);
        }
        self.add("engine alone, one worker", "nodes/s", &speeds);
        Ok(())
    }
}

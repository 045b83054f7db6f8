//! How long a game's annotation takes by one engine, by two and by as many as usual: a part of the page's benchmark.

use std::cell::RefCell;

use crate::{
    annotation::AnnotatedGame,
    browser::clock,
    chess::pgn::read_pgn,
    services::{
        engine::{Engine, Kind},
        engines::usual_engines,
        game_annotator::{GameAnnotatorError, UnderAnnotation, annotate_game},
        search_memory::SearchMemory,
    },
    uci::Limit,
    view::bench::{ANNOTATED_GAME, GAME_NODES, game_row, game_workers},
};

/// Lines of each search, as many as on the page.
const LINES: u32 = 2;

/// The game of the benchmark, as long as it is wanted.
struct Timed<W> {
    annotated: RefCell<AnnotatedGame>,
    is_wanted: W,
}

impl<W: Fn() -> bool> UnderAnnotation for Timed<W> {
    fn read<T>(&self, read: impl FnOnce(&AnnotatedGame) -> T) -> Option<T> {
        (self.is_wanted)().then(|| read(&self.annotated.borrow()))
    }

    fn change<T>(&self, change: impl FnOnce(&mut AnnotatedGame) -> T) -> Option<T> {
        (self.is_wanted)().then(|| change(&mut self.annotated.borrow_mut()))
    }
}

/// Adds a row for each number of engines, name and seconds. Each begins with engines that know nothing; the first of them is up.
///
/// # Errors
/// When the game could not be annotated.
pub async fn measure(is_wanted: impl Fn() -> bool, add: impl Fn(&str, f64)) -> Result<(), String> {
    let file = read_pgn(ANNOTATED_GAME).map_err(|error| error.to_string())?;
    let Some(game) = file.games.first() else { return Ok(()) };
    for engines in game_workers(usual_engines()) {
        let own = Engine::remembering(Kind::stockfish(), SearchMemory::of_page(), |_| ());
        own.known_name().await.map_err(|error| error.to_string())?;
        let timed = Timed {
            annotated: RefCell::new(AnnotatedGame::new(game, Limit::Nodes(GAME_NODES), LINES)),
            is_wanted: &is_wanted,
        };
        let begun = clock::now();
        match annotate_game(&own, engines, &timed).await {
            Ok(()) => add(&game_row(engines), (clock::now() - begun) / 1000.0),
            Err(GameAnnotatorError::Stopped) => break,
            Err(error) => return Err(format!("A game could not be annotated: {error}")),
        }
    }
    Ok(())
}

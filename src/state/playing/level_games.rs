//! Games of Stockfish against itself at levels. They are kept in the browser half-move by half-move, and go on after a reload
//! where they were.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{super::model_run::Going, Playing};
use crate::{
    browser::files,
    chess::pgn_writer::write_pgn,
    grading::{
        level::Level,
        level_game::LevelGame,
        level_games::{GamesWanted, LevelGames},
        suite::source::Source,
    },
    long_run::count::several,
    services::{
        engine::{Engine, Kind},
        saved_lines::SavedLines,
    },
    uci::Limit,
};

/// Where this browser keeps the games.
const SAVED_GAMES: SavedLines = SavedLines::new("level-games");

/// Half-moves between two words about a game.
const NEWS: usize = 10;

impl Playing {
    /// The games that the form asks for; tracked.
    ///
    /// # Errors
    /// Where it names no level, or one that is none: what to do.
    fn games_wanted(&self) -> Result<GamesWanted, String> {
        let levels = self.levels.get();
        let words = levels.split([',', ';']).filter(|word| !word.trim().is_empty());
        let levels = words
            .map(str::parse::<Level>)
            .collect::<Result<Vec<Level>, _>>()
            .map_err(|error| format!("{error}."))?;
        if levels.is_empty() {
            return Err("Name a level first, such as skill 5.".to_owned());
        }
        Ok(GamesWanted {
            levels,
            each: self.games_each.get().max(1),
            seed: self.choice.with(|choice| choice.seed),
            limit: Limit::Nodes(self.game_nodes.get().max(1)),
        })
    }

    /// Whether games of the kind that the form asks for are begun and not all over; tracked.
    #[must_use]
    pub fn games_go_on(&self) -> bool {
        let wanted = self.games_wanted();
        self.level_games.with(|games| {
            let begun = games.as_ref().filter(|games| games.next().is_some());
            begun.is_some_and(|games| wanted.as_ref() == Ok(&games.wanted))
        })
    }

    /// How far the games are, in words; tracked.
    #[must_use]
    pub fn games_stand(&self) -> Option<String> {
        self.level_games.with(|games| {
            let games = games.as_ref()?;
            let mut said = format!("{} of {} played", games.done(), several(games.all(), "game"));
            if let Some((_, game)) = games.cut() {
                said += &format!("; one stands after {}", several(game.plies(), "half-move"));
            }
            Some(said + ".")
        })
    }

    /// Plays games of Stockfish against itself at the levels that are wanted, and takes their positions. Games of that kind
    /// that were begun go on.
    pub fn play_games(&self) {
        self.problem.set(None);
        let wanted = match untrack(|| self.games_wanted()) {
            Ok(wanted) => wanted,
            Err(problem) => return self.problem.set(Some(problem)),
        };
        let go_on = untrack(|| self.games_go_on());
        let Some(going) = self.preparing.begin() else { return };
        self.notice.set(None);
        let this = *self;
        spawn_local(async move {
            if !go_on {
                let games = LevelGames::new(wanted);
                let head = games.head();
                this.level_games.set(Some(games));
                if SAVED_GAMES.keep_all(&head, std::iter::empty()).await.is_err() {
                    this.not_kept();
                }
            }
            let outcome = this.play_on(going).await;
            // What was played counts, whether it was stopped or not.
            this.level_games.try_update(|_| ());
            if this.take_games() {
                this.take_positions(0).await;
            }
            match outcome {
                Ok(()) => going.end(),
                Err(problem) => going.fail(problem),
            }
        });
    }

    /// Plays one game after the other to its end.
    async fn play_on(&self, going: Going) -> Result<(), String> {
        let mut engine: Option<(Level, Engine)> = None;
        while let Some(games) = self.level_games.try_get_untracked().flatten() {
            let Some((place, mut game)) = games.next() else { break };
            let level = game.level();
            let known = engine.take().filter(|(of, _)| *of == level);
            // An engine of its own: nobody else's searches may be made at this strength.
            let make = || (level, Engine::new(Kind::stockfish().with(level.options()), |_| ()));
            let (_, engine) = engine.insert(known.unwrap_or_else(make));
            let mut told = 0;
            while let Some(request) = game.next(engine.id()) {
                if game.plies() >= told {
                    told = game.plies() + NEWS;
                    going.tell(place, games.all(), Some(note(&games, place, &game)));
                }
                let Some(result) = going.unless_stopped(engine.search(request, |_| ())).await else {
                    return Ok(());
                };
                let result = result.map_err(|error| error.to_string())?;
                game.take(&result).map_err(|error| format!("A game ended: {error}."))?;
                let put = |games: &mut Option<LevelGames>| Some(games.as_mut()?.put(place, &game, &engine.name()));
                let Some(Some(line)) = self.level_games.try_update_untracked(put) else {
                    return Ok(());
                };
                if SAVED_GAMES.keep_row(place, &line).await.is_err() {
                    self.not_kept();
                }
            }
            self.level_games.try_update(|_| ());
        }
        Ok(())
    }

    /// Takes the games that are over as what positions are taken from; false where there is none.
    fn take_games(&self) -> bool {
        let finished = self
            .level_games
            .with_untracked(|games| games.as_ref().map(LevelGames::finished))
            .unwrap_or_default();
        if finished.is_empty() {
            return false;
        }
        let name = several(finished.len(), "game");
        self.source.try_set_value(Some((name, Source::Games(finished))));
        true
    }

    /// Brings back the games that this browser keeps, once; and their positions, where no others are there.
    pub(super) async fn restore_games(&self) {
        let Some(games) = SAVED_GAMES.find_once().await.and_then(|text| LevelGames::read(&text)) else {
            return;
        };
        // The user was quicker.
        if self.preparing.is_asking_untracked() || self.level_games.with_untracked(Option::is_some) {
            return;
        }
        let GamesWanted {
            levels,
            each,
            seed,
            limit,
        } = &games.wanted;
        let levels: Vec<String> = levels.iter().map(ToString::to_string).collect();
        self.levels.set(levels.join(", "));
        self.games_each.set(*each);
        self.choice.update(|choice| choice.seed = *seed);
        if let Limit::Nodes(nodes) = limit {
            self.game_nodes.set(*nodes);
        }
        self.level_games.set(Some(games));
        let is_free = self.played.with_untracked(Option::is_none) && self.waiting.with_untracked(Option::is_none);
        if is_free && self.take_games() {
            self.take_positions(0).await;
        }
    }

    /// Ends games or hints; the games that are finished stay.
    pub fn stop_preparing(&self) {
        self.preparing.stop();
        self.notice
            .set(Some("Stopped; what is played is kept, and you can go on.".to_owned()));
    }

    /// Forgets the games; positions that were taken from them stay.
    pub fn forget_games(&self) {
        self.level_games.set(None);
        spawn_local(SAVED_GAMES.forget());
    }

    /// Saves the games that are over.
    pub fn save_games(&self) {
        let finished = self
            .level_games
            .with_untracked(|games| games.as_ref().map(LevelGames::finished))
            .unwrap_or_default();
        let text = finished.iter().map(write_pgn).collect::<Vec<_>>().join("\n");
        self.saved(files::save("games.pgn", "application/x-chess-pgn", text.as_bytes()));
    }
}

/// Which game is played, and how far it is.
fn note(games: &LevelGames, place: usize, game: &LevelGame) -> String {
    let each = games.wanted.each;
    let number = place as u64 % each + 1;
    format!("{}, game {number} of {each}, half-move {}.", game.level(), game.plies())
}

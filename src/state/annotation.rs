//! The annotation of the open game: a search of every position of its main line, with progress, stop and
//! resumption. The page's engine is shared: the move under discussion goes first, see [`crate::services::engine`]. Where there
//! are cores for them, engines of the annotation's own work beside it, see [`crate::services::game_annotator`].

use std::pin::pin;

use futures_util::future::{Either, select};
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{game_store::GameStore, preferences::Preferences, seldom::Seldom};
use crate::{
    annotation::{AnnotatedGame, LineKey, MainLine, SavedAnnotation, Scope, annotate},
    browser::{clock, files, slices::Slices, storage},
    chess::{Game, pgn_writer::write_pgn},
    commentary::Voice,
    pace::Pace,
    services::{
        endpoint::{Stop, stopper},
        engine::Engine,
        engines::usual_engines,
        game_annotator::{GameAnnotatorError, UnderAnnotation, annotate_game},
    },
    view::{GameReport, game_report::file_stem, html_report, text_report},
};

/// How far the annotation is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum AnnotationStage {
    /// None was asked for.
    #[default]
    Idle,
    /// The engine is at work, or waits for its turn.
    Running,
    /// The user stopped it; it can go on.
    Stopped,
    /// Something went wrong, in a sentence; it can go on.
    Failed(String),
    /// Every position is searched.
    Done,
}

/// What can be saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Export {
    /// The game with comments, glyphs and evaluations.
    Pgn,
    /// The report as a page.
    Html,
    /// The report as text.
    Text,
}

/// How many games' annotations are remembered.
const REMEMBERED: usize = 8;
/// Under what name a tab keeps its last annotation, for a page that is loaded again.
const SAVED_ANNOTATION: &str = "kibitz-annotation";
/// The fewest moves that make a game worth annotating.
const FEWEST: usize = 2;
/// Kibitz's version, for what it writes.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The annotation of the open game.
#[derive(Clone, Copy)]
pub struct AnnotationState {
    engine: StoredValue<Engine, LocalStorage>,
    game_store: GameStore,
    preferences: Preferences,
    /// Goes up when an annotation begins and when it is to stop.
    generation: StoredValue<u64>,
    /// Ends the searches.
    stop: StoredValue<Option<Stop>, LocalStorage>,
    /// How many engines are at work.
    engines: RwSignal<usize>,
    /// True while comments are being made.
    narrating: StoredValue<bool>,
    remembered: StoredValue<Vec<AnnotatedGame>, LocalStorage>,
    /// What an earlier page of this tab wrote down, until its game is open; `None` before it was looked for.
    earlier: StoredValue<Option<Option<SavedAnnotation>>, LocalStorage>,
    current: RwSignal<Option<AnnotatedGame>>,
    /// Goes up when another annotation takes its place.
    place: StoredValue<u64>,
    keeping: Seldom,
    /// How far it is.
    pub stage: RwSignal<AnnotationStage>,
    /// Which moves are commented on.
    pub scope: RwSignal<Scope>,
    /// Why the last file was not saved.
    pub save_problem: RwSignal<Option<String>>,
}

impl AnnotationState {
    /// Nothing annotated but what an earlier page of this tab has written down.
    #[must_use]
    pub fn new(engine: Engine, game_store: GameStore, preferences: Preferences) -> Self {
        Self {
            engine: StoredValue::new_local(engine),
            game_store,
            preferences,
            generation: StoredValue::new(0),
            stop: StoredValue::new_local(None),
            engines: RwSignal::new(1),
            narrating: StoredValue::new(false),
            remembered: StoredValue::new_local(Vec::new()),
            earlier: StoredValue::new_local(None),
            current: RwSignal::new(None),
            place: StoredValue::new(0),
            keeping: Seldom::new(),
            stage: RwSignal::new(AnnotationStage::Idle),
            scope: RwSignal::new(Scope::default()),
            save_problem: RwSignal::new(None),
        }
    }

    /// Whether the open game is one to annotate; tracked.
    #[must_use]
    pub fn is_possible(&self) -> bool {
        self.game_store.with_game(|game| game.main_line().len() >= FEWEST)
    }

    /// How many positions an annotation of the open game has to search; tracked.
    #[must_use]
    pub fn to_search(&self) -> usize {
        self.game_store.with_game(MainLine::to_search_in)
    }

    /// Reads what is there; tracked. `None` before anything was asked for.
    pub fn with<T>(&self, read: impl FnOnce(&AnnotatedGame) -> T) -> Option<T> {
        self.current.with(|current| current.as_ref().map(read))
    }

    /// Changes what is there.
    pub fn change(&self, change: impl FnOnce(&mut AnnotatedGame)) {
        self.current.try_update(|current| current.as_mut().map(change));
        self.keep();
    }

    /// Whether what is there was searched as the settings ask now; tracked.
    #[must_use]
    pub fn fits_settings(&self) -> bool {
        let effort = self.preferences.effort();
        self.with(|annotated| annotated.searches_with(effort.limit, effort.multipv))
            .unwrap_or(true)
    }

    /// The report on the game; tracked. `None` before the first search.
    #[must_use]
    pub fn report(&self) -> Option<GameReport> {
        let scope = self.scope.get();
        let voice = self.preferences.get().voice;
        self.current.with(|current| {
            let annotated = current.as_ref().filter(|annotated| annotated.progress().0 > 0)?;
            Some(
                self.game_store
                    .with_game(|game| GameReport::new(game, annotated, scope, voice)),
            )
        })
    }

    /// Follows what the report is made of, without making one.
    pub fn track_report(&self) {
        self.scope.track();
        self.current.track();
        let _ = self.preferences.get();
        self.game_store.with_game(|_| ());
    }

    /// Follows the open game, whose main line is now this: an annotation of another game is put by, one of the
    /// same game goes on.
    pub fn follow(&self, line: &LineKey) {
        let Some(old) = self.current.try_update_untracked(Option::take).flatten() else {
            return self.show_remembered(line);
        };
        // Moves were added at the end, or taken away there: the same game.
        let same = old.line().key().shared(line) > old.line().len().min(line.len());
        if !same || line.is_empty() {
            self.remember(old);
            self.halt();
            return self.show_remembered(line);
        }
        let new = untrack(|| self.game_store.with_game(|game| old.continued(game)));
        if self.stage.get_untracked() == AnnotationStage::Done && !new.is_done() {
            self.stage.set(AnnotationStage::Stopped);
        } else if new.is_done() && self.stage.get_untracked() != AnnotationStage::Running {
            self.stage.set(AnnotationStage::Done);
        }
        self.put(Some(new));
    }

    /// Puts an annotation in the place of what is there.
    fn put(&self, annotated: Option<AnnotatedGame>) {
        self.place.update_value(|place| *place += 1);
        self.current.set(annotated);
    }

    fn show_remembered(&self, line: &LineKey) {
        let found = self
            .remembered
            .try_update_value(|all| {
                let place = all.iter().position(|annotated| annotated.line().key() == line)?;
                Some(all.remove(place))
            })
            .flatten();
        let is_known = found.is_some();
        self.show(found);
        if !is_known {
            self.show_earlier(line);
        }
    }

    fn show(&self, found: Option<AnnotatedGame>) {
        self.stage.set(match &found {
            None => AnnotationStage::Idle,
            Some(annotated) if annotated.is_done() => AnnotationStage::Done,
            Some(_) => AnnotationStage::Stopped,
        });
        let known = found.is_some();
        self.put(found);
        if known {
            let this = *self;
            spawn_local(async move { this.narrate().await });
        }
    }

    /// Has what is there written down, for a page that is loaded again.
    fn keep(&self) {
        let this = *self;
        self.keeping.ask(async move || this.write_down().await);
    }

    async fn write_down(&self) {
        let place = self.place.try_get_value();
        let pace = Slices::new();
        let mut text = String::new();
        for number in 0.. {
            let piece = self.current.try_with_untracked(|current| {
                let annotated = current.as_ref().filter(|_| self.place.try_get_value() == place)?;
                let is_begun = annotated.looked().iter().any(Option::is_some);
                is_begun.then(|| SavedAnnotation::piece(annotated, number))
            });
            match piece.flatten() {
                Some(Some(piece)) => text += &piece,
                Some(None) => break,
                // Nothing is searched yet, or another game has taken its place.
                None => return,
            }
            pace.turn().await;
        }
        // Without room for it the annotation lasts as long as the page.
        storage::write_in_tab(SAVED_ANNOTATION, &text);
    }

    /// Shows what an earlier page of this tab wrote down, if it is of this game, when it is judged again.
    fn show_earlier(&self, line: &LineKey) {
        let kept = self.earlier.try_update_value(|earlier| {
            earlier
                .get_or_insert_with(read_earlier)
                .take_if(|kept| kept.is_of(line))
        });
        let Some(kept) = kept.flatten() else { return };
        let this = *self;
        let game = untrack(|| self.game_store.with_game(Clone::clone));
        spawn_local(async move {
            clock::yield_to_browser().await;
            let Some(restored) = kept.restore(&game, &Slices::new()).await else {
                return;
            };
            // A long game takes a while: another may have been opened meanwhile, or this one annotated anew.
            let line = untrack(|| this.game_store.with_game(LineKey::of));
            if &line == restored.line().key() && this.current.with_untracked(Option::is_none) {
                this.show(Some(restored));
            } else {
                this.remember(restored);
            }
        });
    }

    fn remember(&self, annotated: AnnotatedGame) {
        if annotated.progress().0 == 0 {
            return;
        }
        self.remembered.update_value(|all| {
            if all.len() >= REMEMBERED {
                all.remove(0);
            }
            all.push(annotated);
        });
    }

    /// Begins an annotation as the settings ask, with what is known already of this game and of others that begin like it.
    pub fn start(&self) {
        let effort = self.preferences.get_untracked().effort();
        let new = |game: &Game| AnnotatedGame::new(game, effort.limit, effort.multipv);
        let mut new = untrack(|| self.game_store.with_game(new));
        if let Some(old) = self.current.try_update_untracked(Option::take).flatten() {
            self.remember(old);
        }
        self.remembered.with_value(|all| {
            for other in all {
                new.take_over(other);
            }
        });
        self.put(Some(new));
        self.resume();
    }

    /// Goes on where it stopped.
    pub fn resume(&self) {
        if self.stage.get_untracked() == AnnotationStage::Running {
            return;
        }
        self.generation.update_value(|generation| *generation += 1);
        let generation = self.generation.get_value();
        self.stage.set(AnnotationStage::Running);
        let (stop, stopped) = stopper();
        self.stop.set_value(Some(stop));
        let this = *self;
        spawn_local(async move {
            // Who stops it waits for no search: the engines' workers end with the work.
            let end = match select(pin!(this.search(generation)), pin!(stopped.heard())).await {
                Either::Left((end, _)) => end,
                Either::Right(_) => return,
            };
            if end == AnnotationStage::Done {
                this.narrate_rest().await;
            }
            if this.is_current(generation) {
                this.stage.set(end);
            }
        });
    }

    /// Stops the running annotation; what is done is kept.
    pub fn stop(&self) {
        self.halt();
        self.stage.set(AnnotationStage::Stopped);
    }

    fn halt(&self) {
        self.generation.update_value(|generation| *generation += 1);
        if let Some(stop) = self.stop.try_update_value(Option::take).flatten() {
            stop.now();
        }
    }

    /// Chooses which moves are commented on.
    pub fn choose(&self, scope: Scope) {
        self.scope.set(scope);
        let this = *self;
        spawn_local(async move { this.narrate().await });
    }

    fn is_current(&self, generation: u64) -> bool {
        self.generation.try_with_value(|g| *g == generation).unwrap_or(false)
    }

    /// How many engines are at work on it; tracked.
    #[must_use]
    pub fn engines(&self) -> usize {
        self.engines.get()
    }

    /// Searches what is not searched yet. The result is how it ended.
    async fn search(&self, generation: u64) -> AnnotationStage {
        let engine = self.engine.get_value();
        let open = Open {
            state: *self,
            generation,
        };
        match annotate_game(&engine, usual_engines(), &open).await {
            Ok(()) => AnnotationStage::Done,
            Err(GameAnnotatorError::Stopped) => AnnotationStage::Stopped,
            Err(error) => AnnotationStage::Failed(error.to_string()),
        }
    }

    /// Has the narrator finish.
    async fn narrate_rest(&self) {
        while self.narrating.try_get_value() == Some(true) {
            clock::yield_to_browser().await;
        }
        self.narrate().await;
    }

    /// Has the narrator speak of the chosen moves, one at a time, so that the page keeps answering.
    async fn narrate(&self) {
        if self.narrating.try_get_value().unwrap_or(true) {
            return;
        }
        self.narrating.set_value(true);
        loop {
            clock::yield_to_browser().await;
            let Some(scope) = self.scope.try_get_untracked() else {
                return;
            };
            let narrated = self.current.try_update_untracked(|current| {
                let annotated = current.as_mut()?;
                let unnarrated = annotated
                    .chosen(scope)
                    .into_iter()
                    .find(|index| annotated.moves()[*index].narration.is_none())?;
                Some(annotated.narrate(unnarrated))
            });
            match narrated {
                Some(Some(true)) => self.current.notify(),
                _ => break,
            }
        }
        self.narrating.set_value(false);
    }

    /// Hands a file to the user.
    pub fn save(&self, export: Export) {
        let scope = self.scope.get_untracked();
        let voice = self.preferences.get_untracked().voice;
        let written = self.current.with_untracked(|current| {
            let annotated = current.as_ref()?;
            untrack(|| {
                self.game_store
                    .with_game(|game| Some(write(game, annotated, scope, voice, export)))
            })
        });
        let Some((name, media_type, text)) = written else {
            return;
        };
        let problem = files::save(&name, media_type, text.as_bytes()).err();
        self.save_problem
            .set(problem.map(|error| format!("The file was not saved: {error}.")));
    }
}

/// The open game, as long as its annotation is not stopped.
struct Open {
    state: AnnotationState,
    generation: u64,
}

impl UnderAnnotation for Open {
    fn read<T>(&self, read: impl FnOnce(&AnnotatedGame) -> T) -> Option<T> {
        let AnnotationState { current, .. } = self.state;
        let is_current = self.state.is_current(self.generation);
        current.try_with_untracked(|current| current.as_ref().filter(|_| is_current).map(read))?
    }

    fn change<T>(&self, change: impl FnOnce(&mut AnnotatedGame) -> T) -> Option<T> {
        let AnnotationState { current, .. } = self.state;
        let is_current = self.state.is_current(self.generation);
        current.try_update(|current| current.as_mut().filter(|_| is_current).map(change))?
    }

    fn has_changed(&self) {
        let state = self.state;
        state.keep();
        // The engines do not wait for it.
        spawn_local(async move { state.narrate().await });
    }

    fn at_work(&self, engines: usize) {
        self.state.engines.try_set(engines);
    }
}

/// A file's name, media type and text.
fn write(
    game: &Game,
    annotated: &AnnotatedGame,
    scope: Scope,
    voice: Voice,
    export: Export,
) -> (String, &'static str, String) {
    let stem = file_stem(game);
    match export {
        Export::Pgn => (
            format!("{stem}-annotated.pgn"),
            "application/vnd.chess-pgn",
            write_pgn(&annotate(game, annotated, scope, voice, VERSION)),
        ),
        Export::Html => (
            format!("{stem}.html"),
            "text/html;charset=utf-8",
            html_report(&GameReport::new(game, annotated, scope, voice), VERSION),
        ),
        Export::Text => (
            format!("{stem}.txt"),
            "text/plain;charset=utf-8",
            text_report(&GameReport::new(game, annotated, scope, voice)),
        ),
    }
}

/// What an earlier page of this tab wrote down; `None` where it is not ours.
fn read_earlier() -> Option<SavedAnnotation> {
    serde_json::from_str(&storage::read_in_tab(SAVED_ANNOTATION)?).ok()
}

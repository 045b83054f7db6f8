//! Blindfold live: while a game is stepped through or played, where the model believes that a piece may go.

use leptos::prelude::*;
use shakmaty::{Chess, Square};
use wasm_bindgen_futures::spawn_local;

use super::{super::App, Blindfold};
use crate::{
    blindfold::{notation::Notation, ply::Ply, ranked::Belief, run_file::BlindPlayerKind, split::plies_to},
    view::{
        blindfold_belief::{BeliefView, prompt, starts},
        board::BoardView,
    },
};

/// What the model is asked.
#[derive(Debug, Clone, PartialEq)]
struct Asked {
    plies: Vec<Ply>,
    position: Chess,
    from: Square,
    notation: Notation,
    /// The model's hash.
    model: String,
}

/// The piece that is asked about, and what the model says of it.
#[derive(Clone, Copy)]
pub struct Live {
    blindfold: Blindfold,
    app: App,
    generation: StoredValue<u64>,
    /// The square that the user chose.
    chosen: RwSignal<Option<Square>>,
    /// The square of the piece that is asked about.
    pub from: Memo<Option<Square>>,
    /// What the model says of it, or why it says nothing.
    pub belief: RwSignal<Option<Result<BeliefView, String>>>,
}

impl Live {
    /// Follows the game on the board, as long as the component lives that asks for it.
    #[must_use]
    pub fn new(blindfold: Blindfold) -> Self {
        let app = App::get();
        let chosen = RwSignal::new(None);
        let from = Memo::new(move |_| {
            let starts = starts(&app.game_store.position());
            let is_start = |square: &Square| starts.contains(square);
            // Else what the game moves next, else whatever can be moved.
            chosen
                .get()
                .filter(is_start)
                .or_else(|| next_start(&app).filter(is_start))
                .or_else(|| starts.first().copied())
        });
        let live = Self {
            blindfold,
            app,
            generation: StoredValue::new(0),
            chosen,
            from,
            belief: RwSignal::new(None),
        };
        let asked = Memo::new(move |_| live.asked());
        Effect::new(move |_| live.ask(asked.get()));
        live
    }

    /// Whether the game on the board begins where the model's games do. Tracked.
    #[must_use]
    pub fn is_possible(&self) -> bool {
        self.plies().is_some()
    }

    fn plies(&self) -> Option<Vec<Ply>> {
        let at = self.app.game_store.at();
        self.app.game_store.with_game(|game| plies_to(game, at))
    }

    fn asked(&self) -> Option<Asked> {
        let description = self.blindfold.loaded.get()?;
        let Ok(BlindPlayerKind::Model { notation, hash, .. }) = BlindPlayerKind::of_model(&description) else {
            return None;
        };
        Some(Asked {
            plies: self.plies()?,
            position: self.app.game_store.position(),
            from: self.from.get()?,
            notation,
            model: hash,
        })
    }

    /// The piece that is asked about, where something may move from this square.
    pub fn choose(&self, square: Square) {
        if starts(&untrack(|| self.app.game_store.position())).contains(&square) {
            self.chosen.set(Some(square));
        }
    }

    /// What stands where something may move, with its square. Tracked.
    #[must_use]
    pub fn starts(&self) -> Vec<Square> {
        starts(&self.app.game_store.position())
    }

    fn ask(&self, asked: Option<Asked>) {
        let generation = self.generation.try_update_value(|generation| {
            *generation += 1;
            *generation
        });
        let tokens = asked
            .as_ref()
            .and_then(|asked| prompt(&asked.plies, &asked.position, asked.from, asked.notation));
        let (Some(asked), Some(tokens)) = (asked, tokens) else {
            self.belief.set(None);
            return;
        };
        let this = *self;
        let model = self.blindfold.language_model();
        spawn_local(async move {
            // Never dropped: that would end the model's worker. What comes too late is not looked at.
            let said = model.next(&[tokens]).await;
            if this.generation.try_get_value() != generation {
                return;
            }
            let view = match said {
                Ok(all) => {
                    let belief = all.first().and_then(Belief::of);
                    let view = belief.map(|belief| BeliefView::new(&asked.position, asked.from, &belief));
                    view.ok_or_else(|| "The model says what are no probabilities.".to_owned())
                }
                Err(error) => Err(error.to_string()),
            };
            this.belief.try_set(Some(view));
        });
    }

    /// The board with what the model believes. Tracked.
    #[must_use]
    pub fn board(&self) -> BoardView {
        let store = self.app.game_store;
        let flipped = store.flipped.get();
        let played = store.played();
        let board = BoardView::new(&store.position(), played.map(|played| played.mv), flipped, true);
        let mut board = match self.belief.get() {
            Some(Ok(belief)) => belief.on(board),
            Some(Err(_)) | None => board,
        };
        board
            .shaded
            .extend(self.from.get().map(|from| (from, "verdict-asked".to_owned())));
        board
    }
}

/// Where the game's next move starts.
fn next_start(app: &App) -> Option<Square> {
    let at = app.game_store.at();
    app.game_store.with_game(|game| game.mv(game.main_child(at)?)?.from())
}

//! What follows what: the address the board, the commentary the move, the annotation the game.
//!
//! It begins with the first page that needs it, and goes on while another page is shown: it belongs to the whole page.

use std::sync::Arc;

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{
    keyboard,
    route::{Route, route as route_now},
};
use crate::{
    annotation::LineKey,
    browser::{clock, location, slices::Slices},
    chess::Openings,
    services::engine::EngineStatus,
    state::{App, annotation::AnnotationStage, commentary::CommentaryStage, game_store::GameStore},
};

/// What has not begun yet.
#[derive(Clone, Copy)]
struct Waiting {
    board: StoredValue<Option<Owner>>,
    commentary: StoredValue<Option<Owner>>,
    route: RwSignal<Route>,
    /// What the board does when the address changes, once there is a board.
    follow_address: StoredValue<Option<fn(&GameStore)>>,
}

/// Lets what begins later belong to whoever calls this; `route` follows the address from now on.
pub fn prepare(route: RwSignal<Route>) {
    let owner = || StoredValue::new(Owner::current());
    let follow_address = StoredValue::new(None::<fn(&GameStore)>);
    provide_context(Waiting {
        board: owner(),
        commentary: owner(),
        route,
        follow_address,
    });
    let game_store = App::get().game_store;
    location::on_hash_change(move |_| {
        // The board first: what is shown anew writes its own address.
        if let Some(follow) = follow_address.get_value() {
            follow(&game_store);
        }
        let now = route_now();
        if route.get_untracked() != now {
            route.set(now);
        }
    });
}

/// The game of the address or of the tab is opened; from now on the address follows the board, and the board the address
/// and the keyboard. Does nothing the second time.
pub fn begin_board() {
    begin(|waiting| waiting.board, follow_board);
}

/// The commentary follows the move from now on, and the annotation the game. Does nothing the second time.
pub fn begin_commentary() {
    begin(|waiting| waiting.commentary, |_| follow_move());
}

fn begin(which: fn(&Waiting) -> StoredValue<Option<Owner>>, what: fn(&Waiting)) {
    let waiting: Waiting = expect_context();
    if let Some(owner) = which(&waiting).try_update_value(Option::take).flatten() {
        owner.with(|| what(&waiting));
    }
}

fn follow_board(waiting: &Waiting) {
    let game_store = App::get().game_store;
    let route = waiting.route;
    game_store.restore();
    waiting.follow_address.set_value(Some(GameStore::follow_address));
    keyboard::listen(game_store);
    // Reloading or sharing the address restores the view.
    Effect::new(move |_| {
        if route.get() == Route::Comment {
            game_store.show_address();
        }
    });
    Effect::new(move |_| game_store.keep());
    // A game asks for the name of its opening with its first move.
    spawn_local(async {
        clock::drawn().await;
        Openings::prepare(&Slices::new()).await;
    });
}

fn follow_move() {
    let app = App::get();
    app.network.restore();
    Effect::new(move |_| {
        let played = app.game_store.played();
        untrack(|| app.commentary.discuss(played));
    });
    Effect::new(move |_| app.commentary.follow_shading());
    look_ahead(app);
    let main_line = Memo::new(move |_| app.game_store.with_game(LineKey::of));
    Effect::new(move |_| main_line.with(|line| untrack(|| app.annotation.follow(line))));
    // Another network, other probes or another source: what they say of the move is heard again.
    let source = Memo::new(move |_| {
        let network = app.network.loaded.get().map(|network| network.description.sha256);
        let probes = app.probes.in_use.get().map(|probes| Arc::as_ptr(&probes.set).addr());
        (network, probes, app.preferences.get().concepts)
    });
    Effect::new(move |seen: Option<()>| {
        // A memo that nobody reads is not computed, and has nothing to follow.
        source.with(|_| ());
        if seen.is_some() {
            untrack(|| app.commentary.hear_again());
        }
    });
}

/// While nothing else is to be done the position on the board is searched, before its next move is made.
fn look_ahead(app: App) {
    let is_free = Memo::new(move |_| {
        let is_quiet = matches!(
            app.commentary.stage.get(),
            CommentaryStage::Idle | CommentaryStage::Done
        );
        // An engine that cannot be had is tried again when somebody asks for it.
        let is_there = !app.engine.with(|engine| matches!(engine, EngineStatus::Failed(_)));
        is_quiet && is_there && app.annotation.stage.get() != AnnotationStage::Running
    });
    let is_up = Memo::new(move |_| {
        !app.engine
            .with(|engine| matches!(engine, EngineStatus::Asleep | EngineStatus::Starting))
    });
    Effect::new(move |_| {
        if is_up.get() {
            untrack(|| app.lookahead.start_labels());
        }
    });
    let effort = Memo::new(move |_| app.preferences.effort());
    let outlook = Memo::new(move |_| app.game_store.outlook());
    Effect::new(move |_| {
        let outlook = is_free.get().then(|| outlook.get());
        let effort = effort.get();
        untrack(|| app.lookahead.follow(outlook, effort));
    });
}

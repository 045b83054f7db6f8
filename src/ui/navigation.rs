//! Stepping through the game, and typing a move.

use leptos::{ev::SubmitEvent, prelude::*};

use crate::{
    browser::clipboard,
    state::{
        App,
        game_store::{GameStore, Step},
    },
};

/// The buttons under the board and the field for a typed move.
#[component]
pub fn Navigation() -> impl IntoView {
    let app = App::get();
    let game_store = app.game_store;
    let copied = RwSignal::new("");
    let share = move |_| {
        let address = format!(
            "{}{}",
            crate::browser::location::base(),
            untrack(|| game_store.address())
        );
        wasm_bindgen_futures::spawn_local(async move {
            let done = clipboard::copy(&address).await;
            copied.set(if done {
                "Link copied"
            } else {
                "The browser did not allow copying: copy the address above"
            });
        });
    };
    view! {
        <div class="controls" role="group" aria-label="Game">
            <GameSteps />
            <button on:click=share>"Share"</button>
            <button
                aria-pressed=move || app.preferences.get().tactics.to_string()
                title="Pins, forks and pieces that can be won, drawn over the board"
                on:click=move |_| app.preferences.update(|settings| settings.tactics = !settings.tactics)
            >
                "Tactics"
            </button>
            <span class="hint" role="status">{copied}</span>
        </div>
        <MoveField />
    }
}

/// The buttons that step through the game, and the one that turns the board.
#[component]
pub fn GameSteps() -> impl IntoView {
    let game_store = App::get().game_store;
    let go = move |step| {
        move |_| {
            game_store.step(step);
        }
    };
    let at_start = move || game_store.with_game(|game| game.parent(game_store.at()).is_none());
    let at_end = move || game_store.with_game(|game| game.main_child(game_store.at()).is_none());
    view! {
        <button on:click=go(Step::First) disabled=at_start aria-label="To the start" title="Home"><Icon shape=Shape::First /></button>
        <button on:click=go(Step::Back) disabled=at_start aria-label="One move back" title="←"><Icon shape=Shape::Back /></button>
        <button on:click=go(Step::Forward) disabled=at_end aria-label="One move on" title="→"><Icon shape=Shape::Forward /></button>
        <button on:click=go(Step::Last) disabled=at_end aria-label="To the end" title="End"><Icon shape=Shape::Last /></button>
        <button on:click=move |_| game_store.flipped.update(|f| *f = !*f) aria-pressed=move || game_store.flipped.get().to_string()>"Flip"</button>
    }
}

/// A move typed as SAN or UCI.
#[component]
pub fn MoveField(
    /// Whose board it is; without one the page's.
    #[prop(optional)]
    store: Option<GameStore>,
    /// The field's id.
    #[prop(default = "move")]
    id: &'static str,
    /// Takes what is typed, where not every move may be played; `false` where it is refused.
    #[prop(optional, into)]
    play: Option<Callback<String, bool>>,
) -> impl IntoView {
    let game_store = store.unwrap_or_else(|| App::get().game_store);
    let text = RwSignal::new(String::new());
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let typed = text.get_untracked();
        let taken = match play {
            Some(play) => play.run(typed),
            None => game_store.type_move(&typed),
        };
        if taken {
            text.set(String::new());
        }
    };
    let problem = move || game_store.move_problem.get();
    let problem_id = format!("{id}-problem");
    view! {
        <form class="move-field" on:submit=submit>
            <label for=id>"Type a move"</label>
            <input
                id=id
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                placeholder="Nf3, e2e4, O-O"
                prop:value=text
                on:input=move |event| text.set(event_target_value(&event))
                aria-invalid=move || problem().is_some().to_string()
                aria-describedby=problem_id.clone()
            />
            <button type="submit">"Play"</button>
        </form>
        <p id=problem_id class="problem" role="alert">{problem}</p>
    }
}

/// The pictures on buttons that step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// To the start.
    First,
    /// One back.
    Back,
    /// One on.
    Forward,
    /// To the end.
    Last,
}

/// One of the pictures.
#[component]
pub fn Icon(
    /// The drawing on the button.
    shape: Shape,
) -> impl IntoView {
    let path = match shape {
        Shape::First => "M4 4h3v16H4zM20 4v16L8 12z",
        Shape::Back => "M18 4v16L6 12z",
        Shape::Forward => "M6 4v16l12-8z",
        Shape::Last => "M17 4h3v16h-3zM4 4v16l12-8z",
    };
    view! { <svg viewBox="0 0 24 24" aria-hidden="true"><path d=path /></svg> }
}

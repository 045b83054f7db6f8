//! The board with the bar beside it and the promotion choice over it.

use leptos::{html, prelude::*};
use shakmaty::{Chess, Position};
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::{clock, focus, ground::Ground, location, theme},
    chess::names::role_name,
    services::paths,
    state::App,
    view::{
        board::{BoardView, Brush},
        lines::EvalBar,
    },
};

/// Board, bar and promotion choice.
#[component]
pub fn Board() -> impl IntoView {
    let app = App::get();
    let element = NodeRef::<html::Div>::new();
    let ground = StoredValue::new_local(None::<Ground>);
    let problem = RwSignal::new(None::<String>);
    let shown = Memo::new(move |_| board_view(app));
    Effect::new(move |mounted: Option<bool>| {
        let Some(element) = element.get() else { return false };
        if mounted == Some(true) {
            return true;
        }
        spawn_local(async move {
            let url = location::absolute(&paths::board());
            let on_move = move |from: String, to: String| {
                if let (Ok(from), Ok(to)) = (from.parse(), to.parse()) {
                    app.desk.drag(from, to);
                }
            };
            match Ground::mount(&url, &element, &shown.get_untracked(), animation(), on_move).await {
                // The page may have been left while the script loaded.
                Ok(board) => {
                    board.show(
                        &shown
                            .try_get_untracked()
                            .unwrap_or_else(|| BoardView::new(&Chess::default(), None, false, false)),
                    );
                    ground.try_set_value(Some(board));
                }
                Err(error) => {
                    problem.try_set(Some(error.to_string()));
                }
            }
        });
        true
    });
    Effect::new(move |_| {
        // Tracked twice on purpose: cancelling a promotion leaves the position as it was, and the board must redraw.
        let view = shown.get();
        app.desk.promotion.track();
        ground.with_value(|g| {
            if let Some(ground) = g {
                ground.show(&view);
            }
        });
    });
    view! {
        <div class="board-frame">
            <Bar />
            <div class="board-square">
                <div class="board" node_ref=element aria-hidden="true"></div>
                {move || problem.get().map(|reason| view! {
                    <p class="board-problem" role="alert">
                        "The board cannot be shown: " {reason} ". Moves can be typed, and the position is in the text board below."
                    </p>
                })}
                <Promotion />
            </div>
        </div>
    }
}

/// Milliseconds of a gliding piece.
fn animation() -> u32 {
    if theme::reduced_motion() { 0 } else { 180 }
}

/// The position on the desk with its move, or the one that a chip previews.
fn board_view(app: App) -> BoardView {
    let flipped = app.desk.flipped.get();
    if let (Some(path), Some(subject)) = (app.commentary.preview.get(), app.commentary.subject.get()) {
        let mut position = subject.before.clone();
        let mut last = None;
        for step in &path {
            let Ok(mv) = step.to_move(&position) else { break };
            position.play_unchecked(mv);
            last = Some(mv);
        }
        let view = BoardView::new(&position, last, flipped, false);
        return match last {
            Some(mv) => view.with_arrow(mv, Brush::Reply),
            None => view,
        };
    }
    match app.desk.played() {
        Some(played) => {
            BoardView::new(&played.after, Some(played.mv), flipped, true).with_arrow(played.mv, Brush::Discussed)
        }
        None => BoardView::new(&app.desk.position(), None, flipped, true),
    }
}

/// White's winning chance as a bar.
#[component]
fn Bar() -> impl IntoView {
    let app = App::get();
    let bar = Memo::new(move |_| {
        let subject = app.commentary.subject.get()?;
        let mover = subject.mover();
        if let Some(Ok(evaluation)) = app.commentary.evaluation.get() {
            return Some(EvalBar::new(evaluation.played, mover));
        }
        app.commentary.glimpse.get().map(|score| EvalBar::new(score, mover))
    });
    let share = move || bar.get().map_or(50.0, |b| b.white * 100.0);
    view! {
        <div
            class="bar"
            class:flipped=move || app.desk.flipped.get()
            role="img"
            aria-label=move || bar.get().map_or_else(|| "No evaluation yet".to_owned(), |b| b.label)
        >
            <div class="bar-white" style:height=move || format!("{:.1}%", share())></div>
            <span class="bar-score" class:low=move || { share() < 50.0 }>
                {move || bar.get().map(|b| b.score)}
            </span>
        </div>
    }
}

/// The button that has the keyboard when a promotion is to be chosen.
const FIRST_CHOICE: &str = "first-promotion";

/// The choice of a piece for a pawn that reached the last rank.
#[component]
fn Promotion() -> impl IntoView {
    let app = App::get();
    let desk = app.desk;
    Effect::new(move |_| {
        if desk.promotion.with(Option::is_some) {
            spawn_local(async {
                clock::yield_to_browser().await;
                focus::focus(FIRST_CHOICE);
            });
        }
    });
    move || {
        desk.promotion.get().map(|choice| {
            let color = if choice.white { "white" } else { "black" };
            let buttons = choice
                .choices
                .into_iter()
                .enumerate()
                .map(|(i, (role, mv))| {
                    let name = role_name(role);
                    view! {
                        <button id=(i == 0).then_some(FIRST_CHOICE) aria-label=format!("Promote to a {name}") on:click=move |_| desk.promote(Some(mv))>
                            <span class=format!("promotion-piece cg-piece {color} {name}")></span>
                            <span>{name}</span>
                        </button>
                    }
                })
                .collect_view();
            view! {
                <div class="promotion" role="dialog" aria-label=format!("Promotion on {}", choice.square)>
                    {buttons}
                    <button class="quiet" on:click=move |_| desk.promote(None)>"Cancel"</button>
                </div>
            }
        })
    }
}

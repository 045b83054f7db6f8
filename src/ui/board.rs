//! The board with the bar beside it and the promotion choice over it.

use leptos::{html::custom, prelude::*};
use shakmaty::{Chess, Position};
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::{focus, turns},
    chess::{Played, names::role_name},
    state::{App, game_store::GameStore},
    ui::shown_board::chessground,
    view::{
        board::{Arrow, BoardView, Brush},
        lines::EvalBar,
        overlay::overlay,
        reason_moves::{ReasonMove, reason_moves},
    },
};

/// Board, bar and promotion choice.
#[component]
pub fn Board(
    /// Becomes true once the board is there, or known not to come.
    tried: RwSignal<bool>,
) -> impl IntoView {
    let app = App::get();
    let on_move = move |from: String, to: String| {
        if let (Ok(from), Ok(to)) = (from.parse(), to.parse()) {
            app.game_store.drag(from, to);
        }
    };
    let ground = chessground(
        Memo::new(move |_| board_view(app)).into(),
        tried,
        // Cancelling a promotion leaves the position as it was, and the board must be drawn again.
        move || app.game_store.promotion.track(),
        on_move,
        |_| (),
        |error| {
            format!(
                "The board cannot be shown: {error}. Moves can be typed, and the position is in the text board below."
            )
        },
    );
    view! {
        <div class="board-frame">
            <Bar />
            <div class="board-square">
                {ground}
                <Promotion />
            </div>
        </div>
        <Legend />
    }
}

/// The position shown with its move, or the one that a chip previews.
fn board_view(app: App) -> BoardView {
    let flipped = app.game_store.flipped.get();
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
    match app.game_store.played() {
        Some(played) => {
            let view =
                BoardView::new(&played.after, Some(played.mv), flipped, true).with_arrow(played.mv, Brush::Discussed);
            let view = view.with_arrows(tactics(app, &played.after));
            let view = app.commentary.heat.with(|heat| match heat {
                Some(Ok(map)) => view.with_shades(&map.shades),
                _ => view,
            });
            let lit = app.commentary.lit.get();
            // What is pointed at stands alone.
            if lit.is_empty() {
                let reasons = drawn(app, &played).into_iter();
                reasons.fold(view, |view, reason| view.with_arrow(reason.mv, reason.brush))
            } else {
                view.with_arrows(lit)
            }
        }
        None => {
            let position = app.game_store.position();
            BoardView::new(&position, None, flipped, true).with_arrows(tactics(app, &position))
        }
    }
}

/// The overlay, where it is switched on.
fn tactics(app: App, position: &Chess) -> Vec<Arrow> {
    if app.preferences.get().tactics {
        overlay(position)
    } else {
        Vec::new()
    }
}

/// The moves that the comment on this move gives as its reasons.
fn drawn(app: App, played: &Played) -> Vec<ReasonMove> {
    let prose = app.commentary.prose.get();
    app.commentary.sheet.with(|sheet| {
        let sheet = sheet.as_ref().filter(|sheet| sheet.played() == played);
        sheet.map_or_else(Vec::new, |sheet| reason_moves(sheet, &prose))
    })
}

/// What the arrows mean, in words.
#[component]
fn Legend() -> impl IntoView {
    let app = App::get();
    let reasons = Memo::new(move |_| {
        let played = app
            .game_store
            .played()
            .filter(|_| app.commentary.preview.get().is_none());
        played.map_or_else(Vec::new, |played| drawn(app, &played))
    });
    view! {
        <p class="arrows hint">
            {move || reasons.get().into_iter().map(|reason| {
                let class = if reason.brush == Brush::Better { "arrow-mark better" } else { "arrow-mark allowed" };
                let words = format!("{} {}", reason.san, reason.meaning());
                view! {
                    <span><span class=class aria-hidden="true"></span>{words}</span>
                }
            }).collect_view()}
            {move || app.preferences.get().tactics.then(|| view! {
                <span><span class="arrow-mark pin" aria-hidden="true"></span>"pins"</span>
                <span><span class="arrow-mark fork" aria-hidden="true"></span>"forks"</span>
                <span><span class="arrow-mark hanging" aria-hidden="true"></span>"can be won"</span>
            })}
        </p>
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
            class:flipped=move || app.game_store.flipped.get()
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

/// The classes of the board's columns, from the left as it is shown.
const COLUMNS: [&str; 8] = [
    "column-1", "column-2", "column-3", "column-4", "column-5", "column-6", "column-7", "column-8",
];

/// The choice of a piece, over the square and those next to it, for a pawn that reached the last rank.
#[component]
pub fn Promotion(
    /// Whose board it is; without one the page's.
    #[prop(optional)]
    store: Option<GameStore>,
) -> impl IntoView {
    let game_store = store.unwrap_or_else(|| App::get().game_store);
    Effect::new(move |_| {
        if game_store.promotion.with(Option::is_some) {
            spawn_local(async {
                turns::settled().await;
                focus::focus(FIRST_CHOICE);
            });
        }
    });
    move || {
        game_store.promotion.get().map(|choice| {
            let color = if choice.white { "white" } else { "black" };
            let buttons = choice
                .choices
                .into_iter()
                .enumerate()
                .map(|(i, (role, mv))| {
                    let name = role_name(role);
                    view! {
                        <button id=(i == 0).then_some(FIRST_CHOICE) aria-label=format!("Promote to a {name}") on:click=move |_| game_store.promote(Some(mv))>
                            <span class="cg-wrap">{custom("piece").class(format!("{color} {name}"))}</span>
                        </button>
                    }
                })
                .collect_view();
            let flipped = game_store.flipped.get();
            let file = usize::from(choice.square.file());
            let column = COLUMNS[if flipped { 7 - file } else { file }];
            let end = if choice.white == flipped { "from-bottom" } else { "from-top" };
            view! {
                <div class="promotion" role="dialog" aria-label=format!("Promotion on {}", choice.square)>
                    <div class=format!("promotion-choices {column} {end}")>
                        {buttons}
                        <button class="quiet" aria-label="Cancel" on:click=move |_| game_store.promote(None)>"✕"</button>
                    </div>
                </div>
            }
        })
    }
}

//! A board on the page, and one to look at only, on which nothing can be moved.

use leptos::{html, prelude::*};
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::{
        chessground::{BoardError, Chessground},
        location, theme,
    },
    services::paths,
    view::{board::BoardView, text_board::TextBoard},
};

/// The board with this view on it. Screen readers get the words beside it instead.
#[component]
pub fn ShownBoard(
    /// What it shows.
    #[prop(into)]
    view: Signal<BoardView>,
    /// What is said in a study's language where the board cannot be shown.
    #[prop(optional, into)]
    instead: Option<String>,
) -> impl IntoView {
    let problem = move |error: &BoardError| {
        instead
            .clone()
            .unwrap_or_else(|| format!("The board cannot be shown: {error}. The position is in the text board below."))
    };
    let ground = chessground(view, RwSignal::new(false), || (), |_, _| (), |_| (), problem);
    view! { <div class="board-square">{ground}</div> }
}

/// The board itself. `tried` becomes true once it is there, or known not to come. `redraw` is asked for what it tracks: when that
/// changes, the board is shown anew although the view is the same. `on_move` gets the squares of a move made on it, `on_select`
/// each square that is pressed. `problem` is what is said where it can't be shown.
pub fn chessground(
    view: Signal<BoardView>,
    tried: RwSignal<bool>,
    redraw: impl Fn() + 'static,
    on_move: impl Fn(String, String) + Copy + 'static,
    on_select: impl Fn(String) + Copy + 'static,
    problem: impl Fn(&BoardError) -> String + 'static,
) -> AnyView {
    let element = NodeRef::<html::Div>::new();
    let ground = StoredValue::new_local(None::<Chessground>);
    let problem = StoredValue::new_local(problem);
    let said = RwSignal::new(None::<String>);
    Effect::new(move |mounted: Option<bool>| {
        let Some(element) = element.get() else { return false };
        if mounted == Some(true) {
            return true;
        }
        spawn_local(async move {
            let url = location::absolute(&paths::board());
            match Chessground::mount(&url, &element, &view.get_untracked(), animation(), on_move, on_select).await {
                // The page may have been left, or turned to another view, while the script loaded.
                Ok(board) => {
                    if let Some(now) = view.try_get_untracked() {
                        board.show(&now);
                        ground.try_set_value(Some(board));
                    }
                }
                Err(error) => {
                    said.try_set(problem.try_with_value(|problem| problem(&error)));
                }
            }
            tried.try_set(true);
        });
        true
    });
    Effect::new(move |_| {
        let view = view.get();
        redraw();
        ground.with_value(|ground| {
            if let Some(ground) = ground {
                ground.show(&view);
            }
        });
    });
    view! {
        <div class="board" node_ref=element aria-hidden="true"></div>
        {move || said.get().map(|said| view! { <p class="board-problem" role="alert">{said}</p> })}
    }
    .into_any()
}

/// Milliseconds of a gliding piece.
fn animation() -> u32 {
    if theme::reduced_motion() { 0 } else { 180 }
}

/// A board in words, folded.
#[component]
pub fn Words(
    /// The board.
    #[prop(into)]
    board: Signal<TextBoard>,
    /// What it is called in a study's language.
    #[prop(optional, into)]
    title: Option<String>,
) -> impl IntoView {
    view! {
        <details class="text-board">
            <summary>{title.unwrap_or_else(|| "Position in words".to_owned())}</summary>
            {move || {
                let board = board.get();
                view! { <p>{board.status}</p><p>{board.white}</p><p>{board.black}</p> }
            }}
        </details>
    }
}

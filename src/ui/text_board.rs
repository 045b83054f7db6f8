//! The position as text, for screen readers and whoever likes it.

use leptos::prelude::*;
use shakmaty::Color;

use crate::{
    state::{App, game_store::GameStore},
    view::text_board::text_board,
};

/// A table of squares with two sentences on the pieces.
#[component]
pub fn TextBoardView(
    /// Whose board it is; without one the page's.
    #[prop(optional)]
    store: Option<GameStore>,
    /// Whether somebody else tells of the moves.
    #[prop(optional)]
    silent: bool,
) -> impl IntoView {
    let game_store = store.unwrap_or_else(|| App::get().game_store);
    let board = Memo::new(move |_| {
        let orientation = if game_store.flipped.get() {
            Color::Black
        } else {
            Color::White
        };
        let last = game_store.played().map(|played| played.san());
        text_board(&game_store.position(), orientation, last.as_deref())
    });
    view! {
        {(!silent).then(|| view! {
            <p class="unseen" role="status">{move || {
                let board = board.get();
                format!("{} {}", board.last_move.unwrap_or_default(), board.status)
            }}</p>
        })}
        <details class="text-board">
            <summary>"Text board"</summary>
            {move || {
                let board = board.get();
                let header = board.files.iter().map(|f| view! { <th scope="col">{f.to_string()}</th> }).collect_view();
                let rows = board.rows.iter().map(|row| {
                    let squares = row.squares.iter().map(|square| view! {
                        <td class:light=square.light aria-label=square.name.clone()>{square.letter.to_string()}</td>
                    }).collect_view();
                    view! { <tr><th scope="row">{row.rank.to_string()}</th>{squares}</tr> }
                }).collect_view();
                view! {
                    <table>
                        <caption>{board.status.clone()}</caption>
                        <thead><tr><td></td>{header}</tr></thead>
                        <tbody>{rows}</tbody>
                    </table>
                    <p>{board.white.clone()}</p>
                    <p>{board.black.clone()}</p>
                }
            }}
        </details>
    }
}

//! The game's moves with their variations.

use std::collections::HashMap;

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::turns,
    chess::game::NodeId,
    commentary::Verdict,
    state::App,
    view::move_list::{MoveItem, MoveLine, Unlisted, move_list},
};

/// A longer list, in half-moves, is drawn after what else follows the board: together they would hold up the page.
const MOST_AT_ONCE: usize = 60;

/// The list; the move on the board is marked.
#[component]
pub fn MoveList() -> impl IntoView {
    let App {
        game_store, annotation, ..
    } = App::get();
    let verdicts = Memo::new(move |_| {
        let all = annotation.with(|annotated| {
            let judged = annotated.moves().iter().filter_map(|mv| Some((mv.node, mv.verdict?)));
            judged.collect::<HashMap<_, _>>()
        });
        all.unwrap_or_default()
    });
    let now = move || {
        let at = game_store.at();
        let mut line = game_store.with_game(|game| move_list(game, at));
        verdicts.with(|verdicts| line.mark(|id| verdicts.get(&id).copied()));
        line
    };
    let line = RwSignal::new(untrack(now));
    let latest = StoredValue::new(0_u32);
    Effect::new(move |_| {
        let next = now();
        let number = latest.get_value().wrapping_add(1);
        latest.set_value(number);
        if line.with_untracked(|line| *line == next) {
            return;
        }
        if next.moves.len() <= MOST_AT_ONCE {
            line.set(next);
            return;
        }
        spawn_local(async move {
            turns::settled().await;
            if latest.try_get_value() == Some(number) {
                line.set(next);
            }
        });
    });
    move || {
        let line = line.get();
        (!line.moves.is_empty()).then(|| {
            view! {
                <section class="card moves" aria-labelledby="moves-title">
                    <h2 id="moves-title">"Moves"</h2>
                    <div class="move-line">{draw(&line, 0)}</div>
                </section>
            }
        })
    }
}

/// A line and its variations. They nest no deeper than the game allows; from the third level on they run inline.
fn draw(line: &MoveLine, depth: usize) -> AnyView {
    let comment = comment(&line.comment);
    let moves = line.moves.iter().map(|item| draw_move(item, depth)).collect_view();
    let unlisted = |which: Option<Unlisted>, word: &'static str| {
        which.map(|Unlisted { count, nearest }| {
            view! {
                <button class="quiet" on:click=move |_| go(nearest)>{format!("… {count} {word}")}</button>
            }
        })
    };
    let (earlier, later) = (unlisted(line.earlier, "earlier"), unlisted(line.later, "more"));
    view! { {comment} {earlier} {moves} {later} }.into_any()
}

fn draw_move(item: &MoveItem, depth: usize) -> AnyView {
    let id = item.id;
    let glyphs = item.glyphs.concat();
    let variations = item
        .variations
        .iter()
        .map(|line| match depth {
            0 | 1 => view! { <div class="variation">{draw(line, depth + 1)}</div> }.into_any(),
            _ => view! { <span class="inline-variation">"("{draw(line, depth + 1)}")"</span> }.into_any(),
        })
        .collect_view();
    view! {
        {item.number.clone().map(|n| view! { <span class="move-number">{n}</span> })}
        <button
            class=format!("move {}", item.verdict.filter(|v| v.is_bad()).map_or("", Verdict::word))
            class:current=item.current
            aria-current=item.current.then_some("true")
            aria-label=item.label.clone()
            on:click=move |_| go(id)
        >
            {item.san.clone()} {glyphs}
        </button>
        {comment(&item.comment)}
        {variations}
        {(item.more_variations > 0).then(|| view! {
            <span class="hint">{format!("{} more variations", item.more_variations)}</span>
        })}
    }
    .into_any()
}

fn comment(text: &str) -> Option<AnyView> {
    (!text.is_empty()).then(|| view! { <span class="comment">{text.to_owned()}</span> }.into_any())
}

fn go(id: NodeId) {
    App::get().game_store.go(id);
}

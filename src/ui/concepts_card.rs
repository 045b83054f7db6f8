//! The concepts as bars from before to after.

use leptos::prelude::*;

use crate::{
    browser::clock,
    state::App,
    view::concept_bars::{ConceptBar, ConceptsPanel, Direction},
};

/// How many bars are shown before the rest is asked for.
const SHOWN: usize = 6;

/// The card.
#[component]
pub fn ConceptsCard() -> impl IntoView {
    let commentary = App::get().commentary;
    let all = RwSignal::new(false);
    let panel = Memo::new(move |_| {
        let mover = commentary.subject.get()?.mover();
        Some(
            commentary
                .concepts
                .get()?
                .map(|c| ConceptsPanel::new(&c.changes, mover, &c.source)),
        )
    });
    view! {
        <section class="card concepts" aria-labelledby="concepts-title">
            <h2 id="concepts-title">"Concepts"</h2>
            {move || match panel.get() {
                None => view! { <p class="hint">"What the move does to king safety, threats, space and the rest."</p> }.into_any(),
                Some(Err(reason)) => view! { <p class="problem">{reason}</p> }.into_any(),
                Some(Ok(panel)) => {
                    let shown = if all.get() { panel.bars.len() } else { SHOWN };
                    let hidden = panel.bars.len().saturating_sub(shown);
                    view! {
                        <ul class="bars">{panel.bars.into_iter().take(shown).map(|bar| view! { <Bar bar /> }).collect_view()}</ul>
                        <div class="row">
                            <span class="hint">{panel.source} ". Right is better for the mover; pale changes are undone by the expected reply. Square-root scale."</span>
                            <button class="quiet" aria-expanded=all.get().to_string() on:click=move |_| all.update(|a| *a = !*a)>
                                {if all.get() { "Fewer".to_owned() } else { format!("{hidden} more") }}
                            </button>
                        </div>
                    }.into_any()
                }
            }}
        </section>
    }
}

/// One bar: it starts where the concept was before the move and glides to where it is after.
#[component]
fn Bar(
    /// What it shows.
    bar: ConceptBar,
) -> impl IntoView {
    let moved = RwSignal::new(false);
    wasm_bindgen_futures::spawn_local(async move {
        clock::yield_to_browser().await;
        moved.try_set(true);
    });
    let place = move || if moved.get() { bar.after } else { bar.before };
    let percent = |x: f64| format!("{:.1}%", x * 100.0);
    let (low, high) = (move || place().min(bar.before), move || place().max(bar.before));
    let direction = match bar.direction {
        Direction::Raised => "raised",
        Direction::Lowered => "lowered",
        Direction::Same => "same",
    };
    view! {
        <li class=format!("concept {direction}") class:passing=!bar.lasting aria-label=bar.label.clone()>
            <span class="concept-title" aria-hidden="true">{bar.title.clone()}</span>
            <span class="track" aria-hidden="true">
                <span class="zero"></span>
                <span class="span" style:left=move || percent(low()) style:width=move || percent(high() - low())></span>
                <span class="was" style:left=percent(bar.before)></span>
                <span class="is" style:left=move || percent(place())></span>
            </span>
            <span class="change" aria-hidden="true">{bar.change.clone()}</span>
        </li>
    }
}

//! The fact sheet, all of it.

use leptos::prelude::*;

use crate::{state::App, ui::pointed::Pointed};

/// The card: closed at first, it is the ground under the prose.
#[component]
pub fn FactsCard() -> impl IntoView {
    let commentary = App::get().commentary;
    move || {
        commentary.sheet.get().map(|sheet| {
            let rows = sheet
                .facts()
                .iter()
                .map(|fact| {
                    let text = fact.text.clone();
                    view! {
                    <li>
                        <span class="fact-id">{fact.id.to_string()}</span>
                        <span class="fact-kind">{fact.kind.word()}</span>
                        <Pointed text=text.clone() facts=vec![fact.id]>{text}</Pointed>
                    </li>
                    }
                })
                .collect_view();
            view! {
                <section class="card" aria-labelledby="facts-title">
                    <details class="facts">
                        <summary><h2 id="facts-title">{format!("Fact sheet ({} facts)", sheet.facts().len())}</h2></summary>
                        <ol>{rows}</ol>
                    </details>
                </section>
            }
        })
    }
}

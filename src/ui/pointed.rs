//! A text that lights on the board what it speaks of while it is pointed at, has the keyboard or was tapped.

use leptos::prelude::*;

use crate::{
    commentary::{FactId, claims::Proof},
    state::App,
    view::proof::{lit, proven},
};

/// The text.
#[component]
pub fn Pointed(
    /// What it says.
    text: String,
    /// The facts that it rests on.
    #[prop(optional)]
    facts: Vec<FactId>,
    /// What shows that it holds or does not, where more is known than its words and facts.
    #[prop(optional)]
    proof: Proof,
    /// The classes of its element, beside `pointed`.
    #[prop(optional)]
    class: &'static str,
    /// How it is drawn.
    children: Children,
) -> impl IntoView {
    let commentary = App::get().commentary;
    let said = StoredValue::new((text, facts, proof));
    let light = move || {
        let arrows = said.with_value(|(text, facts, proof)| {
            if !proof.is_empty() {
                return proven(proof);
            }
            commentary.sheet.with_untracked(|sheet| {
                let facts = facts.iter().filter_map(|id| sheet.as_ref()?.get(*id));
                lit(text, facts)
            })
        });
        commentary.lit.set(arrows);
    };
    let dark = move || commentary.lit.set(Vec::new());
    // What follows a tap may move the text from under the finger: it stays lit while it has the focus.
    let focused = StoredValue::new(false);
    view! {
        <span
            class=format!("{class} pointed")
            tabindex="0"
            on:mouseenter=move |_| light()
            on:mouseleave=move |_| {
                if focused.try_get_value() != Some(true) {
                    dark();
                }
            }
            on:focusin=move |_| {
                focused.try_update_value(|focused| *focused = true);
                light();
            }
            on:focusout=move |_| {
                focused.try_update_value(|focused| *focused = false);
                dark();
            }
            on:click=move |_| light()
        >
            {children()}
        </span>
    }
}

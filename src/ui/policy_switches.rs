//! The switches of a policy without search.

use leptos::prelude::*;

use crate::chessbench::policy::PolicyRules;

/// A box for each.
#[component]
pub fn PolicySwitches(
    /// What the ids begin with.
    of: &'static str,
    /// What is switched.
    rules: RwSignal<PolicyRules>,
    /// Whether nothing can be switched.
    #[prop(optional, into)]
    disabled: Signal<bool>,
) -> impl IntoView {
    let switch =
        move |what: &str, label: &'static str, read: fn(&PolicyRules) -> bool, write: fn(&mut PolicyRules, bool)| {
            view! {
                <label class="check">
                    <input
                        id=format!("{of}-{what}")
                        type="checkbox"
                        prop:checked=move || rules.with(read)
                        disabled=disabled
                        on:change=move |event| rules.update(|rules| write(rules, event_target_checked(&event)))
                    />
                    {label}
                </label>
            }
        };
    view! {
        {switch(
            "repetition", "a move that lets you claim a repetition is worth a draw",
            |rules| rules.repetition, |rules, on| rules.repetition = on,
        )}
        {switch(
            "softmax", "its first five moves are drawn, the better the likelier",
            |rules| rules.early_softmax, |rules, on| rules.early_softmax = on,
        )}
        {switch(
            "decided", "where its best five moves all exceed 99 %, Stockfish picks among them",
            |rules| rules.decided, |rules, on| rules.decided = on,
        )}
    }
}

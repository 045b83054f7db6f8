//! Fields of the players' page.

use leptos::prelude::*;

/// A whole number. What is typed beyond its ends is brought to them; what is none leaves the number as it was.
#[component]
pub fn Count(
    /// The field's id.
    id: &'static str,
    /// What it is.
    label: &'static str,
    /// At least.
    least: u64,
    /// At most.
    most: u64,
    /// The number.
    #[prop(into)]
    value: Signal<u64>,
    /// Takes another one.
    set: impl Fn(u64) + Copy + 'static,
    /// Whether it can be changed.
    #[prop(optional, into)]
    disabled: Signal<bool>,
) -> impl IntoView {
    let shown = RwSignal::new(value.get_untracked().to_string());
    Effect::new(move |_| shown.set(value.get().to_string()));
    let change = move |event| {
        match event_target_value(&event).trim().parse::<u64>() {
            Ok(wanted) => set(wanted.clamp(least, most)),
            Err(_) => set(value.get_untracked()),
        }
        // Told even where it is what it was: then the field shows the number that counts.
        shown.set(value.get_untracked().to_string());
    };
    view! {
        <label>
            {label} " "
            <input
                id=id
                type="number"
                min=least.to_string()
                max=most.to_string()
                step="1"
                prop:value=shown
                disabled=disabled
                on:change=change
            />
        </label>
    }
}

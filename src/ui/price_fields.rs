//! What a million tokens cost, where long runs of questions are begun.

use leptos::prelude::*;

use crate::long_run::tokens::Prices;

/// Two numbers; what is typed and is no price counts as nothing.
#[component]
pub fn PriceFields(
    /// What the fields' ids begin with.
    of: &'static str,
    /// The prices.
    prices: RwSignal<Prices>,
) -> impl IntoView {
    let price = move |part: &'static str, label: &'static str, place: fn(&mut Prices) -> &mut f64| {
        let id = format!("{of}-price-{part}");
        let now = move || *place(&mut prices.get());
        let set = move |event| {
            let wanted: f64 = event_target_value(&event).trim().parse().unwrap_or(0.0);
            let wanted = if wanted.is_finite() { wanted.max(0.0) } else { 0.0 };
            prices.update(|prices| *place(prices) = wanted);
        };
        view! {
            <label>{label} " " <input id=id type="number" min="0" step="any" prop:value=move || now().to_string() on:change=set /></label>
        }
    };
    view! {
        {price("prompts", "Price of a million tokens in prompts", |prices| &mut prices.prompt)}
        {price("replies", "in replies", |prices| &mut prices.completion)}
    }
}

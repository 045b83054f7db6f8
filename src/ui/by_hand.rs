//! By hand, for people without a key: a text goes into any chat, what that answers comes back here.

use leptos::prelude::*;

use super::copy::Copy;

/// A text to copy, a box for the answer, and what came of it.
#[component]
pub fn ByHand(
    /// The id of the box.
    #[prop(into)]
    id: String,
    /// What is copied; without it there is the box alone.
    #[prop(into)]
    text: Signal<String>,
    /// What the button says that copies it.
    copy: &'static str,
    /// What the box is for.
    #[prop(into)]
    label: String,
    /// What the button says that takes the answer.
    button: &'static str,
    /// The longest answer, in letters.
    #[prop(default = 20_000)]
    longest: usize,
    /// Takes what was pasted; false where nothing came of it: then it stays in the box.
    #[prop(into)]
    take: Callback<String, bool>,
    /// What came of the last answer, in sentences: it was taken, or what went wrong and what to do.
    #[prop(optional, into)]
    outcome: MaybeProp<Result<String, String>>,
) -> impl IntoView {
    let answer = RwSignal::new(String::new());
    let is_missing = RwSignal::new(false);
    let press = move |_| {
        let pasted = answer.get_untracked();
        let is_empty = pasted.trim().is_empty();
        is_missing.set(is_empty);
        if !is_empty && take.run(pasted) {
            answer.set(String::new());
        }
    };
    let said = move || match outcome.get() {
        _ if is_missing.get() => Some("Paste the chat’s answer first.".to_owned()),
        Some(Ok(said)) => Some(said),
        Some(Err(_)) | None => None,
    };
    let problem = move || outcome.get().and_then(Result::err).filter(|_| !is_missing.get());
    view! {
        <div class="row" hidden=move || text.with(String::is_empty)><Copy text label=copy /></div>
        <label for=id.clone()>{label}</label>
        <textarea
            id=id
            rows="5"
            maxlength=longest.to_string()
            prop:value=answer
            on:input=move |event| answer.set(event_target_value(&event))
        ></textarea>
        // The button stays where the keyboard is, whether there is an answer or not.
        <div class="row"><button type="button" on:click=press>{button}</button></div>
        <p class="hint by-hand-said" role="status">{said}</p>
        <p class="problem" role="alert">{problem}</p>
    }
}

//! A running study: who is where, how many ratings each comment has.

use leptos::{
    ev::{Event, SubmitEvent},
    prelude::*,
};

use crate::{
    browser::files,
    state::live::LiveState,
    ui::figures_table::{CopyAs, Form, figures},
};

/// Ratings of a comment that can be wished for at most.
const MOST_WANTED: usize = 10_000;

/// The card. What is watched is let go with it.
#[component]
pub fn LiveCard() -> impl IntoView {
    let state = LiveState::get();
    let address = RwSignal::new(String::new());
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        state.watch_address(&address.get_untracked());
    };
    let target = move |event: Event| {
        let wanted: Option<usize> = event_target_value(&event).trim().parse().ok();
        state.set_target(wanted.filter(|wanted| (1..=MOST_WANTED).contains(wanted)));
    };
    on_cleanup(move || state.stop());
    let some = Memo::new(move |_| state.source.with(Option::is_some));
    view! {
        <section class="card" id="live" aria-labelledby="live-title" aria-busy=move || state.looking.get().to_string()>
            <h2 id="live-title">"Live: a study that is running"</h2>
            <p class="hint">
                "Looks into the folder that results are collected in, or fetches the list of files at an address, and again every half \
                 minute while this page is open. With the study file beside the results, comments nobody has rated yet are listed too. \
                 Nothing is sent; no password goes along."
            </p>
            <div class="row">
                {LiveState::has_folders().then(|| view! {
                    <button id="live-folder" on:click=move |_| state.choose_folder()>"Watch a folder…"</button>
                })}
                <label class="button">
                    "Look at files…"
                    <input id="live-files" type="file" class="unseen" accept=".json,.jsonl" multiple=true
                        on:change=move |event| state.take_files(files::all_chosen(&event)) />
                </label>
            </div>
            <form class="simulate" on:submit=submit>
                <label>
                    "Address of the list (nginx’s autoindex_format json, or a JSON array of names)"
                    <input id="live-address" type="url" autocomplete="off" spellcheck="false" placeholder="https://results.example.org/study/"
                        prop:value=address on:input=move |event| address.set(event_target_value(&event)) />
                </label>
                <div class="numbers">
                    <label>
                        "Ratings wanted of each comment"
                        <input id="live-target" inputmode="numeric" autocomplete="off" on:change=target />
                    </label>
                </div>
                <div class="row">
                    <button type="submit" id="live-watch">"Watch the address"</button>
                    {move || some.get().then(|| view! {
                        <button type="button" id="live-again" disabled=state.looking on:click=move |_| state.look_again()>"Look again"</button>
                    })}
                    {move || state.watching.get().then(|| view! {
                        <button type="button" id="live-stop" on:click=move |_| state.stop()>"Stop watching"</button>
                    })}
                </div>
            </form>
            <p class="problem" id="live-problem" role="alert">{move || state.problem.get()}</p>
            {move || state.source.get().map(|source| view! { <p class="hint">{format!("From {source}.")}</p> })}
            <p class="hint" id="live-status" role="status">{move || state.status.get()}</p>
            {seen()}
            {move || {
                let refused = state.refused.get();
                (!refused.is_empty()).then(|| view! {
                    <ul class="notices" id="live-refused">{refused.into_iter().map(|reason| view! { <li>{reason}</li> }).collect_view()}</ul>
                })
            }}
        </section>
    }
}

/// What is seen.
fn seen() -> impl IntoView {
    let state = LiveState::get();
    move || {
        state.view.get().map(|view| {
            let (raters, quotas) = (view.raters.clone(), view.quotas.clone());
            let text = Callback::new(move |form: Form| form.write(&raters, &raters));
            let of_quotas = Callback::new(move |form: Form| form.write(&quotas, &quotas));
            view! {
                <p id="live-summary">{view.summary.clone()}</p>
                <div id="live-raters">
                    <CopyAs what="who is where" text />
                    {figures(&view.raters)}
                </div>
                <div id="live-quotas">
                    <CopyAs what="the quotas" text=of_quotas />
                    {figures(&view.quotas)}
                </div>
            }
        })
    }
}

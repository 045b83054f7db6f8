//! The top of the page.

use leptos::prelude::*;

use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::offline::{self, Offline},
    state::App,
};

/// Name, pages, how the page stands offline, and the light switch. Raters see the name alone: the rest is in English and not
/// theirs to use.
#[component]
pub fn Header() -> impl IntoView {
    let app = App::get();
    let theme = move || app.preferences.get().theme.unwrap_or_else(|| "system".into());
    let cycle = move |_| {
        app.preferences.update(|s| {
            s.theme = match s.theme.as_deref() {
                None => Some("light".into()),
                Some("light") => Some("dark".into()),
                Some(_) => None,
            };
        });
    };
    view! {
        <header class="top">
            <a class="wordmark" href="#" aria-label="Kibitz">
                <svg viewBox="0 0 32 32" aria-hidden="true" width="26" height="26">
                    <path class="wordmark-bubble" d="M4 6a3 3 0 0 1 3-3h18a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H14l-6 6v-6H7a3 3 0 0 1-3-3z" />
                    <path class="wordmark-pawn" d="M16 7a3 3 0 0 1 1.9 5.3c1 .8.9 2.9 2.1 5.2h1v2H11v-2h1c1.200-2.300 1.100-4.400 2.100-5.200A3 3 0 0 1 16 7z" />
                </svg>
                <span>"Kibitz"</span>
            </a>
            <nav aria-label="Pages" hidden=move || app.survey.alone.get()>
                <a href="#">"Comment"</a>
                <a href="#/probes">"Probes"</a>
                <a href="#/survey">"Survey"</a>
                <a href="#/analysis">"Analysis"</a>
                <a href="#/judge">"Judges"</a>
                <a href="#/players">"Players"</a>
                <a href="#/blindfold">"Blindfold"</a>
                <a href="#/searchless">"Searchless"</a>
                <a href="#/bench">"Bench"</a>
                <a href="#/about">"About"</a>
            </nav>
            <p class="offline" role="status" hidden=move || app.survey.alone.get()>
                {move || app.offline.get().map(|offline| match offline {
                    Offline::Ready => view! { <span class="pill good">"Ready for offline use"</span> }.into_any(),
                    Offline::NewVersion => view! {
                        <button class="pill" on:click=|_| spawn_local(offline::use_new_version())>"A new version is ready: use it"</button>
                    }.into_any(),
                    Offline::Unavailable(reason) => view! {
                        <span class="pill" title=reason>"No offline copy"</span>
                    }.into_any(),
                })}
            </p>
            <button class="quiet" hidden=move || app.survey.alone.get() on:click=cycle aria-label=move || format!("Colours: {}. Change", theme())>
                {move || match theme().as_str() { "light" => "☀", "dark" => "☾", _ => "◐" }}
                <span class="theme-name">
                    {move || match theme().as_str() { "light" => "\u{a0}Light", "dark" => "\u{a0}Dark", _ => "\u{a0}System" }}
                </span>
            </button>
        </header>
    }
}

//! The study builder's part on language: what the page itself says to raters.

use leptos::{ev::Event, prelude::*};

use crate::{
    state::App,
    survey::phrases::{Phrase, untranslated},
    ui::study_fields::line,
};

/// Languages that the page's own words are there in: the code and its name in itself.
const LANGUAGES: [(&str, &str); 2] = [("de", "Deutsch"), ("ko", "한국어")];

/// The language of the study, and the page's words in it.
#[component]
pub fn LanguageEditor() -> impl IntoView {
    let state = App::get().builder;
    let open = RwSignal::new(false);
    let missing = move || {
        let count = state.study.with(|study| untranslated(study).len());
        match count {
            0 => "The page speaks this language throughout.".to_owned(),
            count => format!(
                "Of the page's {} phrases {count} are still in English.",
                Phrase::ALL.len()
            ),
        }
    };
    let fields = move || {
        let field = |phrase: &Phrase| {
            let phrase = *phrase;
            let get = move |study: &crate::survey::Study| study.say(phrase).to_owned();
            line(
                format!("phrase-{}", phrase.key()),
                phrase.english(),
                get,
                move |study, text| {
                    if text.trim().is_empty() || text == phrase.english() {
                        study.phrases.remove(phrase.key());
                    } else {
                        study.phrases.insert(phrase.key().to_owned(), text);
                    }
                },
            )
        };
        open.get().then(|| Phrase::ALL.iter().map(field).collect_view())
    };
    let fetch = move |event: Event| {
        let chosen = event_target_value(&event);
        state.speak(&chosen);
    };
    view! {
        <section class="card survey-form" id="builder-language">
            <h2>"Language"</h2>
            <p class="hint">
                "Your own texts are in whatever language you write them. What the page itself says to raters (buttons, progress, the \
                 sentences at the end) is English unless the study says otherwise."
            </p>
            <label for="builder-phrases">"What the page says"</label>
            <select id="builder-phrases" on:change=fetch>
                <option value="">"in English, or as below"</option>
                {LANGUAGES.iter().map(|(code, name)| view! { <option value=*code lang=*code>{*name}</option> }).collect_view()}
            </select>
            {line("builder-language-code", "Code of the language (en, de, ko, pt-BR …), for screen readers",
                |s| s.language.clone().unwrap_or_default(),
                |s, v| s.language = Some(v.trim().to_owned()).filter(|language| !language.is_empty()))}
            <p id="builder-untranslated" role="status">{missing}</p>
            <details on:toggle=move |_| open.set(true)>
                <summary>"Every phrase, to be changed"</summary>
                <p class="hint">"What stands in braces is filled in, and must stay."</p>
                {fields}
            </details>
        </section>
    }
}

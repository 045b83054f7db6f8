//! The study builder's part on where answers are sent.

use leptos::prelude::*;

use crate::{
    state::App,
    survey::{
        Study,
        collection::{Collection, Verb},
    },
    ui::study_fields::{choice, line, number},
};

/// The address that answers are sent to, if any.
#[component]
pub fn SendingEditor() -> impl IntoView {
    let builder = App::get().builder;
    let study = builder.study;
    let sends = Memo::new(move |_| study.with(|study| study.options.collection.is_some()));
    let get = |study: &Study| {
        study
            .options
            .collection
            .as_ref()
            .map(|c| c.address.clone())
            .unwrap_or_default()
    };
    let set = |study: &mut Study, address: String| {
        let address = address.trim().to_owned();
        study.options.collection = (!address.is_empty()).then(|| match study.options.collection.take() {
            Some(collection) => Collection { address, ..collection },
            None => Collection::put(&address),
        });
    };
    let change = |study: &mut Study, change: &dyn Fn(&mut Collection)| {
        if let Some(collection) = study.options.collection.as_mut() {
            change(collection);
        }
    };
    let verbs = |_: &Study| {
        [
            ("PUT", "a file for each rater (PUT: WebDAV, S3)"),
            ("POST", "a row for each set (POST: PostgREST)"),
        ]
        .map(|(value, shown)| (value.to_owned(), shown.to_owned()))
        .to_vec()
    };
    let verb = |study: &Study| {
        let method = study.options.collection.as_ref().map(|c| c.method);
        if method == Some(Verb::Post) { "POST" } else { "PUT" }.to_owned()
    };
    view! {
        <section class="card survey-form" id="builder-sending">
            <h2>"Where answers go"</h2>
            <p class="hint">
                "Without an address raters download their results and hand you the file. With one they are also sent there, and \
                 raters are told so before they agree. The study file goes to every rater: put no password into it."
            </p>
            {line("builder-collection".to_owned(),
                "Address, with {study}, {rater}, {session} in it: https://results.example.org/{study}/{rater}-{session}.json".to_owned(), get, set)}
            {move || sends.get().then(|| view! {
                {choice("builder-collection-method".to_owned(), "As".to_owned(), verbs, verb, move |s, v| {
                    change(s, &|c| c.method = if v == "POST" { Verb::Post } else { Verb::Put });
                })}
                {number("builder-collection-every".to_owned(),
                    "Unfinished sets after so many comments, and at breaks (0: only finished ones)".to_owned(),
                    |s| s.options.collection.as_ref().map_or(0, |c| i64::try_from(c.every).unwrap_or(i64::MAX)),
                    move |s, v| change(s, &|c| c.every = usize::try_from(v).unwrap_or_default()))}
                <div class="row"><button id="builder-collection-try" type="button" on:click=move |_| builder.try_address()>"Try the address"</button></div>
                <p id="builder-collection-trial" role="status">{move || builder.trial.get()}</p>
            })}
        </section>
    }
}

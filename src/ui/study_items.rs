//! The study builder's part on moves and comments: where they come from, and what is there.

use std::collections::BTreeMap;

use leptos::{
    ev::{ClipboardEvent, Event},
    prelude::*,
};
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::{clipboard, files, slices::Slices},
    state::App,
    survey::{
        gameknot::NamedText,
        import::{Choice, Reading},
        limits::{MAX_STUDY_BYTES, MOST_METHODS},
    },
    ui::study_models::StudyModels,
};

/// The most items that are listed; more are counted.
const LISTED: usize = 60;

/// A longer text, in letters, is added at once when it is pasted: the browser would lay it out in the box, a megabyte for seconds.
const LONGEST_IN_BOX: usize = 100_000;

/// The items and their comments.
#[component]
pub fn ItemsEditor() -> impl IntoView {
    let state = App::get().builder;
    let pasted = RwSignal::new(String::new());
    let every = RwSignal::new(0_usize);
    let choice = move || match every.get_untracked() {
        0 => Choice::TurningPoints,
        n => Choice::Every(n),
    };
    let several = RwSignal::new(false);
    let reading = move || Reading {
        choice: choice(),
        keep_several: several.get_untracked(),
    };
    let take = move |chosen: Vec<files::Handle>| {
        spawn_local(async move {
            let (mut read, mut notices) = (Vec::new(), Vec::new());
            for file in chosen {
                let found = async {
                    let file = files::read(&file, MAX_STUDY_BYTES as u64).await?;
                    Ok::<_, files::ReadFileError>((file.text(&Slices::new()).await?, file.name))
                };
                match found.await {
                    Ok((found, name)) => {
                        notices.extend(found.notice_on(&name));
                        let text = found.text;
                        read.push(NamedText { name, text });
                    }
                    Err(error) => return state.refuse(format!("{}.", error)),
                }
            }
            state.add_files(read, notices, reading());
        });
    };
    let paste = move |event: ClipboardEvent| {
        if let Some(content) = clipboard::pasted(&event).filter(|content| content.length() > LONGEST_IN_BOX) {
            event.prevent_default();
            let reading = reading();
            spawn_local(async move { state.add(content.read(&Slices::new()).await, reading) });
        }
    };
    let counts = move || {
        state.study.with(|study| {
            format!(
                "{} items, {} comments by {} methods.",
                study.items.len(),
                study.comments(),
                study.methods().len()
            )
        })
    };
    let methods = Memo::new(move |_| {
        state.study.with(|study| {
            let mut counts = BTreeMap::<&str, usize>::new();
            for comment in study.items.iter().flat_map(|item| &item.comments) {
                *counts.entry(&comment.method).or_default() += 1;
            }
            let methods = study.methods().into_iter().take(MOST_METHODS);
            let counted = methods.map(|method| (method.to_owned(), counts.get(method).copied().unwrap_or_default()));
            counted.collect::<Vec<_>>()
        })
    });
    view! {
        <section class="card survey-form" id="builder-items">
            <h2>"Moves and comments"</h2>
            <label for="builder-paste">
                "Paste positions with moves (one a line: FEN and move), a PGN, a table (CSV or JSON lines with fen, move, method, comment), \
                 or lines of position ||| move ||| comment"
            </label>
            <textarea id="builder-paste" rows="6" spellcheck="false" prop:value=pasted on:paste=paste
                on:input=move |event| pasted.set(event_target_value(&event))></textarea>
            <div class="row">
                <button id="builder-add" class="primary" disabled=move || state.reading.get()
                    on:click=move |_| state.add(pasted.get_untracked(), reading())>"Add"</button>
                <label class="button">
                    "Add from a file…"
                    <input id="builder-table" type="file" class="unseen" accept=".csv,.tsv,.jsonl,.pgn,.txt,.che,.en" multiple=true
                        on:change=move |event: Event| take(files::all_chosen(&event)) />
                </label>
                <label for="builder-every">"Of a PGN take"</label>
                <select id="builder-every" on:change=move |event| every.set(event_target_value(&event).parse().unwrap_or_default())>
                    <option value="0">"turning points (glyphs or evaluations)"</option>
                    <option value="1">"every move"</option>
                    <option value="2">"every second move"</option>
                    <option value="4">"every fourth move"</option>
                    <option value="10">"every tenth move"</option>
                </select>
            </div>
            <label class="check">
                <input id="builder-several" type="checkbox" prop:checked=move || several.get()
                    on:change=move |event| several.set(event_target_checked(&event)) />
                "Keep comments about several moves (the paper leaves them out)"
            </label>
            <ul id="builder-import" class="notices" aria-live="polite">
                {move || state.imported.get().into_iter().map(|said| view! { <li>{said}</li> }).collect_view()}
            </ul>
            <p id="builder-counts">{counts}</p>
            <div class="row">
                <button id="builder-narrate" on:click=move |_| state.narrate(false)>"Add the narrator's comments (board alone)"</button>
                <button on:click=move |_| state.narrate(true)>"Add the narrator's comments (engine and concepts)"</button>
                <button on:click=move |_| state.use_references()>"Use references as a method"</button>
                <button class="quiet" on:click=move |_| state.clear()>"Remove all items"</button>
            </div>
            <StudyModels />
            {move || state.progress.get().map(|(done, all)| view! {
                <div class="progress">
                    <progress max=all.to_string() prop:value=done.to_string()></progress>
                    <span role="status">{format!("{done} of {all}")}</span>
                    <button class="quiet" on:click=move |_| state.stop()>"Stop"</button>
                </div>
            })}
            <ul class="notices">
                {move || methods.get().into_iter().map(|(method, count)| {
                    let gone = method.clone();
                    view! { <li>{format!("{method}: {count} comments ")}<button class="quiet" on:click=move |_| state.remove_method(&gone)>"Remove"</button></li> }
                }).collect_view()}
            </ul>
            <details>
                <summary>"The items"</summary>
                <ol class="item-list">
                    {move || state.study.with(|study| {
                        let listed = study.items.iter().take(LISTED).map(|item| view! {
                            <li>
                                <p><strong>{format!("{}: {}", item.id, item.mv)}</strong>" "<code>{item.fen.clone()}</code></p>
                                {item.comments.iter().map(|comment| view! {
                                    <p><span class="fact-kind">{comment.method.clone()}</span>" "{comment.text.clone()}</p>
                                }).collect_view()}
                            </li>
                        }).collect_view();
                        let more = study.items.len().saturating_sub(LISTED);
                        view! { {listed} {(more > 0).then(|| view! { <li>{format!("… and {more} more.")}</li> })} }
                    })}
                </ol>
            </details>
        </section>
    }
}

//! The box for a FEN, a PGN or moves, with examples one click away.

use leptos::{
    ev::{ClipboardEvent, DragEvent, Event, SubmitEvent},
    prelude::*,
};
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::{clipboard, files, slices::Slices},
    state::App,
    ui::game_list::GameList,
    view::examples::EXAMPLES,
};

/// The largest PGN file that is read.
const FILE_LIMIT: u64 = 2_000_000;

/// A longer text, in letters, is read at once when it is pasted: the browser would lay it out in the box, a megabyte for seconds.
const LONGEST_IN_BOX: usize = 10_000;

/// The box.
#[component]
pub fn PositionInput() -> impl IntoView {
    let game_store = App::get().game_store;
    let text = RwSignal::new(String::new());
    let read = move |content: String, notice: Option<String>| {
        spawn_local(async move {
            match game_store.read(&content).await {
                Some(true) => {
                    text.set(String::new());
                    game_store.notices.update(|notices| notices.extend(notice));
                }
                // What was given stays in the box, to be mended there.
                Some(false) if content.len() <= LONGEST_IN_BOX => text.set(content),
                Some(false) | None => {}
            }
        });
    };
    let refuse = move |error: files::ReadFileError| game_store.refuse(error.to_string());
    let read_file = move |file: Option<_>| {
        let Some(file) = file else { return };
        spawn_local(async move {
            match files::read(&file, FILE_LIMIT).await {
                Ok(file) => match file.text(&Slices::new()).await {
                    Ok(content) => {
                        let notice = content.notice_on(&file.name);
                        read(content.text, notice);
                    }
                    Err(error) => refuse(error),
                },
                Err(error) => refuse(error),
            }
        });
    };
    let paste = move |event: ClipboardEvent| {
        if let Some(content) = clipboard::pasted(&event).filter(|content| content.length() > LONGEST_IN_BOX) {
            event.prevent_default();
            spawn_local(async move { read(content.read(&Slices::new()).await, None) });
        }
    };
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        read(text.get_untracked(), None);
    };
    view! {
        <section class="card input" aria-labelledby="input-title">
            <h2 id="input-title">"Position or game"</h2>
            <form
                on:submit=submit
                on:dragover=|event: DragEvent| event.prevent_default()
                on:drop=move |event: DragEvent| {
                    if let Some(file) = files::dropped(&event) {
                        event.prevent_default();
                        read_file(Some(file));
                    }
                }
            >
                <label for="paste" class="quiet-label">"Paste a FEN, a PGN or moves; or drop a PGN file here"</label>
                <textarea
                    id="paste"
                    rows="3"
                    spellcheck="false"
                    autocomplete="off"
                    prop:value=text
                    on:paste=paste
                    on:input=move |event| text.set(event_target_value(&event))
                    aria-invalid=move || game_store.paste_problem.get().is_some().to_string()
                    aria-describedby="paste-problem"
                ></textarea>
                <div class="row">
                    <button type="submit" class="primary">"Read it"</button>
                    <label class="button">
                        "Open a file…"
                        <input
                            type="file"
                            class="unseen"
                            accept=".pgn,.fen,.epd,.txt,text/plain"
                            on:change=move |event: Event| read_file(files::chosen(&event))
                        />
                    </label>
                    {move || game_store.reading.get().then(|| view! {
                        <span class="progress" role="status">"Reading…"</span>
                        <button type="button" on:click=move |_| game_store.stop_reading()>"Stop"</button>
                    })}
                </div>
            </form>
            <p id="paste-problem" class="problem" role="alert">
                {move || game_store.paste_problem.get().map(|p| format!("{p} What you had stays."))}
            </p>
            <div role="status">
                <ul class="notices">
                    {move || game_store.notices.get().into_iter().map(|n| view! { <li>{n}</li> }).collect_view()}
                </ul>
            </div>
            {move || game_store.undoable().map(|what| view! {
                <div class="row">
                    <button id="undo-paste" class="quiet" on:click=move |_| game_store.undo()>{format!("Undo: back to {what}")}</button>
                </div>
            })}
            <GameList />
            <Examples />
        </section>
    }
}

/// Worked examples.
#[component]
pub fn Examples() -> impl IntoView {
    let game_store = App::get().game_store;
    view! {
        <div class="examples">
            <span>"Try:"</span>
            {EXAMPLES
                .iter()
                .map(|example| view! {
                    <button class="quiet" title=example.hint on:click=move |_| { game_store.paste(example.text); }>
                        {example.name}
                    </button>
                })
                .collect_view()}
        </div>
    }
}

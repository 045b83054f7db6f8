//! A card on which files can be dropped, and the button that chooses them.

use leptos::{
    ev::{DragEvent, Event},
    prelude::*,
};
use wasm_bindgen_futures::spawn_local;

use crate::browser::files::{self, FileBytes, ReadFileError};

/// Who takes files, and what of a file is read at all.
#[derive(Clone, Copy)]
pub struct Taker {
    /// The most bytes that are read of a file.
    pub limit: u64,
    /// Takes a file, or hears why it could not be read.
    pub take: Callback<Result<FileBytes, ReadFileError>>,
}

impl Taker {
    /// Takes files of at most `limit` bytes.
    pub fn new(limit: usize, take: impl Fn(Result<FileBytes, ReadFileError>) + Send + Sync + 'static) -> Self {
        Self {
            limit: limit as u64,
            take: Callback::new(take),
        }
    }

    fn files(self, files: Vec<files::Handle>) {
        spawn_local(async move {
            for file in files {
                let read = files::read(&file, self.limit).await;
                self.take.run(read);
            }
        });
    }
}

/// A card that takes the files dropped on it.
#[component]
pub fn DropZone(
    /// Who takes them.
    taker: Taker,
    /// Whether several are taken; else the first.
    #[prop(optional)]
    several: bool,
    /// What is on the card.
    children: Children,
) -> impl IntoView {
    let over = RwSignal::new(false);
    let drop = move |event: DragEvent| {
        event.prevent_default();
        over.set(false);
        taker.files(if several {
            files::all_dropped(&event)
        } else {
            files::dropped(&event).into_iter().collect()
        });
    };
    view! {
        <section
            class="card"
            class:drop-target=over
            on:dragover=move |event: DragEvent| { event.prevent_default(); over.set(true); }
            on:dragleave=move |_| over.set(false)
            on:drop=drop
        >
            {children()}
        </section>
    }
}

/// The button that chooses files.
#[component]
pub fn ChooseFiles(
    /// Who takes them.
    taker: Taker,
    /// The input's id.
    id: &'static str,
    /// What the button says.
    #[prop(into)]
    label: String,
    /// What the input accepts.
    accept: &'static str,
    /// Whether several can be chosen.
    #[prop(optional)]
    several: bool,
) -> impl IntoView {
    let choose = move |event: Event| taker.files(files::all_chosen(&event));
    view! {
        <label class="button">
            {label}
            <input id=id type="file" class="unseen" accept=accept multiple=several on:change=choose />
        </label>
    }
}

//! Parts of the page that are fetched when they are first shown.
//!
//! The page's wasm is cut at the functions that [`parts!`] makes: what can be reached only through them is in files of their
//! own, which `cargo dev build` writes beside the page's (`src/dev/program.rs`). Whoever rates comments fetches no
//! laboratory, and the board does not wait for the commentary.

use leptos::{prelude::*, wasm_split::SplitLoaderError};
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::{location, offline},
    survey::first_words::FirstWords,
};

/// How a part is made, once its code is there.
pub type Make = fn() -> AnyView;

/// Names the functions that make parts: `chunk: name = how it is made`. A chunk is fetched once, with the first of its
/// parts.
macro_rules! parts {
    ($($(#[$doc:meta])* $chunk:ident: $name:ident = $make:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        ///
        /// When the chunk could not be fetched.
        #[::leptos::wasm_split::wasm_split($chunk, fallible, wasm_split_path = ::leptos::wasm_split)]
        pub fn $name() -> Result<$crate::ui::part::Make, ::leptos::wasm_split::SplitLoaderError> {
            Ok($make)
        }
    )*};
}
pub(crate) use parts;

/// Shows a part as soon as its code is there. A part that could not be fetched says so, and can be asked for again.
pub fn part<F>(fetch: fn() -> F) -> impl IntoView
where
    F: Future<Output = Result<Make, SplitLoaderError>> + 'static,
{
    part_in(FirstWords::ENGLISH, fetch)
}

/// The same for raters, who are spoken to in their language.
pub fn part_in<F>(words: &'static FirstWords, fetch: fn() -> F) -> impl IntoView
where
    F: Future<Output = Result<Make, SplitLoaderError>> + 'static,
{
    let code = RwSignal::new(None::<Result<Make, ()>>);
    let ask = move || {
        code.set(None);
        spawn_local(async move {
            let mut fetched = fetch().await;
            // The copy for offline use may be damaged.
            if fetched.is_err() && offline::repair().await {
                fetched = fetch().await;
            }
            // The visitor may have gone elsewhere.
            code.try_set(Some(fetched.map_err(|_| ())));
        });
    };
    ask();
    move || match code.get() {
        None => view! { <p class="hint" role="status" lang=words.language>{words.loading}</p> }.into_any(),
        Some(Ok(make)) => make(),
        Some(Err(())) => view! {
            <div class="card" role="alert" lang=words.language>
                <p class="problem">{words.not_fetched}</p>
                <button on:click=move |_| ask()>{words.try_again}</button>
                <button class="quiet" on:click=move |_| location::reload()>{words.load_again}</button>
            </div>
        }
        .into_any(),
    }
}

//! The diagrams that instructions can show.

use leptos::prelude::*;

use crate::survey::diagram_words::Words;

/// A diagram with its legend. Screen readers hear the description instead of the drawing.
#[component]
pub fn DiagramView(
    /// What is written in it.
    words: Words,
) -> impl IntoView {
    let letters = [98, 180, 262]
        .into_iter()
        .zip(&words.areas)
        .map(|(x, (letter, _))| view! { <text class="letter" x=x y="115">{*letter}</text> })
        .collect_view();
    let legend = words
        .areas
        .map(|(letter, what)| view! { <li><strong>{letter}</strong>" "{what}</li> })
        .collect_view();
    view! {
        <figure class="diagram">
            <svg viewBox="0 0 360 190" role="img" aria-label=words.description>
                <circle cx="135" cy="110" r="75" />
                <circle cx="225" cy="110" r="75" />
                <text x="105" y="22">{words.left}</text>
                <text x="255" y="22">{words.right}</text>
                {letters}
            </svg>
            <ul>{legend}</ul>
            <figcaption>{words.caption}</figcaption>
        </figure>
    }
}

//! What Kibitz is, what it is made of, and under which terms.

use leptos::prelude::*;

/// `#/about`: what Kibitz is, its licence, and what it is made of.
#[component]
pub fn About() -> impl IntoView {
    let link =
        |href: &'static str, text: &'static str| view! { <a href=href rel="noreferrer" target="_blank">{text}</a> };
    view! {
        <article class="card about">
            <h1>"About Kibitz"</h1>
            <p>
                "Kibitz explains chess moves. It computes what a move changes on the board, what an engine thinks of it and which \
                 concepts moved, and says so in prose whose every sentence rests on a fact you can look up."
            </p>
            <h2>"Where it runs"</h2>
            <p>
                "In this browser, with no server of ours. After the first visit it works with the network off. Nothing you paste \
                 leaves the page, unless you connect a language model yourself: then the fact sheet goes to the address you named. \
                 A study that collects its raters' answers says where before anything is sent."
            </p>
            <h2>"What it is made of"</h2>
            <ul>
                <li>{link("https://stockfishchess.org", "Stockfish 19")} " evaluates positions, and Stockfish 8 names their terms (GPL-3.0); the builds for the browser are from "
                    {link("https://www.npmjs.com/package/stockfish", "npm’s stockfish")} "."</li>
                <li>{link("https://github.com/lichess-org/chessground", "chessground")} " is the board (GPL-3.0-or-later); "
                    {link("https://github.com/niklasf/shakmaty", "shakmaty")} " knows the rules (GPL-3.0-or-later)."</li>
                <li>{link("https://github.com/sonos/tract", "tract")} " runs the network; " {link("https://leptos.dev", "Leptos")} " draws the page (MIT, Apache-2.0)."</li>
                <li>"The names of openings are " {link("https://github.com/lichess-org/chess-openings", "Lichess’s")} " (CC0)."</li>
            </ul>
            <h2>"Where it comes from"</h2>
            <p>
                "The 21 concepts and their priorities follow Kim, Goh, Hwang, Cho and Ok: “Bridging the Gap between Expert and \
                 Language Models: Concept-guided Chess Commentary Generation and Evaluation” (NAACL 2025)."
            </p>
            <p>"Kibitz is free software under the GNU General Public License, version 3 or later."</p>
        </article>
    }
}

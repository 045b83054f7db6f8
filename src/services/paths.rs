//! Where the page finds what is served beside it: `index.html` says so in its `kibitz:…` metadata, which the build
//! fills in.

use crate::{browser::document, searchless::header::Target};

/// Stockfish 19 lite, single-threaded: the worker's script.
#[must_use]
pub fn engine() -> String {
    named("engine")
}

/// Its WebAssembly, which the script looks for beside itself.
#[must_use]
pub fn engine_wasm() -> String {
    let script = engine();
    format!("{}.wasm", script.strip_suffix(".js").unwrap_or(&script))
}

/// Stockfish 8, which labels positions with concept scores: a worker's script.
#[must_use]
pub fn labels() -> String {
    named("labels")
}

/// The network worker's script, which runs the program that it is handed.
#[must_use]
pub fn network() -> String {
    named("net-worker")
}

/// That program, which lies beside it.
#[must_use]
pub fn network_wasm() -> String {
    let script = network();
    format!("{}_bg.wasm", script.strip_suffix("_loader.js").unwrap_or(&script))
}

/// The default network, which ships with the app.
#[must_use]
pub fn default_network() -> String {
    named("network")
}

/// Its concept probes.
#[must_use]
pub fn default_probes() -> String {
    named("probes")
}

/// The positions that ship with the app for fitting probes.
#[must_use]
pub fn positions() -> String {
    named("positions")
}

/// The questions about boards after long beginnings of games that ship with the app.
#[must_use]
pub fn long_probes() -> String {
    named("long-probes")
}

/// Those after short ones.
#[must_use]
pub fn short_probes() -> String {
    named("short-probes")
}

/// The small language model that ships with the app.
#[must_use]
pub fn language_model() -> String {
    named("language-model")
}

/// The model without search that ships with the app, of this kind.
#[must_use]
pub fn searchless(target: Target) -> String {
    named(match target {
        Target::ActionValue => "searchless-av",
        Target::StateValue => "searchless-sv",
        Target::BehavioralCloning => "searchless-bc",
    })
}

/// What training models without search found.
#[must_use]
pub fn searchless_findings() -> String {
    named("searchless-findings")
}

/// chessground.
#[must_use]
pub fn board() -> String {
    named("board")
}

/// The service worker.
pub const OFFLINE: &str = "sw.js";

/// A page without the entry was put together wrongly: the name then stands for the path, and is what the error shows.
fn named(name: &str) -> String {
    document::meta(&format!("kibitz:{name}")).unwrap_or_else(|| format!("missing:{name}"))
}

//! Which layer may name which, and who may name the browser.

use super::source::Source;

/// The layers above the pure modules, lowest first: one may name those before it.
const LAYERS: [&str; 4] = ["browser", "services", "state", "ui"];

/// What only a layer may name. Everything else in `src` is pure or a program.
const WEB_CRATES: [&str; 9] = [
    "leptos",
    "web_sys",
    "js_sys",
    "wasm_bindgen",
    "wasm_bindgen_futures",
    "gloo_net",
    "gloo_timers",
    "serde_wasm_bindgen",
    "send_wrapper",
];

/// What a file is held to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Names no layer and no web crate.
    Pure,
    /// The layer at this index of [`LAYERS`].
    Layer(usize),
    /// A program's `main`: may name everything but `web_sys`.
    Program,
}

/// The place of a file, by its path relative to `src`.
fn place(path: &str) -> Place {
    if path == "lib.rs" || path == "main.rs" || path.starts_with("bin/") || path.starts_with("dev/") {
        return Place::Program;
    }
    let module = path.split(['/', '.']).next().unwrap_or_default();
    LAYERS
        .iter()
        .position(|layer| *layer == module)
        .map_or(Place::Pure, Place::Layer)
}

/// All offences of one file, as `path: what`.
pub fn offences(source: &Source) -> Vec<String> {
    let place = place(&source.path);
    let mut found = Vec::new();
    let mut offence = |what: String| found.push(format!("src/{}: {what}", source.path));
    let forbidden = match place {
        Place::Pure => &LAYERS[..],
        Place::Layer(layer) => &LAYERS[layer + 1..],
        Place::Program => &[],
    };
    for path in source.paths() {
        let [root, module, ..] = &path.segments[..] else {
            continue;
        };
        if matches!(root.as_str(), "crate" | "kibitz") && forbidden.contains(&module.as_str()) {
            offence(format!("names {}, in a layer above", path.segments.join("::")));
        }
    }
    for (at, token) in source.tokens.iter().enumerate() {
        if WEB_CRATES.contains(&token.as_str()) {
            if place == Place::Pure {
                offence(format!("a pure module names {}", token));
            } else if token == "web_sys" && place != Place::Layer(0) {
                offence("only browser/ names web_sys".to_owned());
            }
        }
        let sets_html = matches!(token.as_str(), "inner_html" | "set_inner_html");
        if source.path.starts_with("ui/") && sets_html && !is_constant(source, at + 1) {
            offence("inner_html with something that is not a constant".to_owned());
        }
    }
    found
}

/// Whether what is set from token `at` on is a literal or a constant in capitals.
fn is_constant(source: &Source, mut at: usize) -> bool {
    while matches!(source.text(at), "=" | "(" | "{") {
        at += 1;
    }
    while source.text(at + 1) == "::" {
        at += 2;
    }
    let value = source.text(at);
    value == "\"\"" || (!value.is_empty() && value.chars().all(|letter| letter.is_uppercase() || letter == '_'))
}

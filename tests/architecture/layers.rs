//! Which layer may name which, and who may name the browser; within the claim check, which part may name which, and who may
//! know a board.

use super::{
    circles::{Dependencies, among_parts},
    source::Source,
};

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

/// The lab's folder, and its one way to standard output and standard error.
const LAB: &str = "bin/lab/";
const OUTPUT: &str = "bin/lab/output.rs";

/// What panics where nobody reads what is written, `lab report … | head` say.
const PRINTING: [&str; 5] = ["print", "println", "eprint", "eprintln", "dbg"];

/// The folder of the claim check.
const CLAIMS: &str = "commentary/claims/";

/// Its parts from the bottom up, each with those that it may name: they all stand above it in this table.
const PARTS: [(&str, &[&str]); 11] = [
    ("claim", &[]),
    ("truth", &["claim"]),
    ("statement", &["claim"]),
    ("checked", &["claim", "statement"]),
    // Whether a statement holds is asked without a word of English.
    ("evaluation", &["statement", "truth"]),
    ("text", &[]),
    ("reading", &["statement", "text"]),
    ("stated", &["truth", "statement", "evaluation", "reading"]),
    ("sureness", &["statement"]),
    (
        "checker",
        &["checked", "claim", "text", "reading", "stated", "sureness"],
    ),
    ("declared", &["checked", "statement", "evaluation", "checker"]),
];

/// Parts that read words and know no position: what they do is tested without one.
const BOARDLESS: [&str; 2] = ["text", "reading"];

/// What such a part may name of `shakmaty`: sides, men and squares, as words name them.
const WORDS_OF_CHESS: [&str; 6] = ["CastlingSide", "Color", "File", "Rank", "Role", "Square"];

/// What such a part may name of `chess`: the names of men, and what they are worth.
const NAMES_OF_CHESS: [&str; 2] = ["material", "names"];

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

/// Where a file of the lab writes to standard output past the one way of doing so.
pub fn naked_prints(source: &Source) -> Vec<String> {
    if !source.path.starts_with(LAB) || source.path == OUTPUT {
        return Vec::new();
    }
    let names = |one: &[String]| match one {
        [word, sign] if PRINTING.contains(&word.as_str()) && sign == "!" => true,
        // `io::stdout()`, where `output::stdout()` is meant; `command.stdout(…)` is another's.
        [path, word] => path == "::" && matches!(word.as_str(), "Stdout" | "StdoutLock"),
        _ => false,
    };
    let own = |one: &[String]| one[0] == "io" && one[1] == "::" && matches!(one[2].as_str(), "stdout" | "stderr");
    let pairs = source.tokens.windows(2).filter(|pair| names(pair)).map(<[_]>::concat);
    let triples = source.tokens.windows(3).filter(|three| own(three)).map(<[_]>::concat);
    pairs
        .chain(triples)
        .map(|found| {
            format!(
                "{}: {found}, where output.rs has what a closed pipe does not stop",
                source.path
            )
        })
        .collect()
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

/// What the claim check's parts name that they may not, as `part: what`; parts that the table lacks are named, too.
pub fn strays(dependencies: &Dependencies) -> Vec<String> {
    let mut found = Vec::new();
    for (part, targets) in among_parts(dependencies, CLAIMS) {
        // The face hands on, and names nothing.
        let known = PARTS.iter().find(|(name, _)| *name == part);
        if known.is_none() && part != "mod" {
            found.push(format!("{part}: stands nowhere in the order of parts"));
        }
        let may = known.map_or(&[][..], |(_, may)| may);
        for (target, files) in targets.iter().filter(|(target, _)| !may.contains(&target.as_str())) {
            let files: Vec<&str> = files.iter().map(String::as_str).collect();
            found.push(format!("{part}: names {target} ({})", files.join(", ")));
        }
    }
    found
}

/// What the table of parts itself has wrong: a part that may name one below it.
pub fn climbing_parts() -> Vec<String> {
    let mut found = Vec::new();
    for (at, (part, may)) in PARTS.iter().enumerate() {
        let above: Vec<&str> = PARTS[..at].iter().map(|(name, _)| *name).collect();
        found.extend(
            may.iter()
                .filter(|name| !above.contains(name))
                .map(|name| format!("{part}: {name}")),
        );
    }
    found
}

/// Where a part of the claim check that reads words knows a position, as `path: what`.
pub fn knows_a_board(source: &Source) -> Vec<String> {
    let Some(inside) = source.path.strip_prefix(CLAIMS) else {
        return Vec::new();
    };
    let part = inside.split(['/', '.']).next().unwrap_or_default();
    if !BOARDLESS.contains(&part) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for path in source.paths() {
        let segments: Vec<&str> = path.segments.iter().map(String::as_str).collect();
        let stray = match segments[..] {
            ["shakmaty", name, ..] => !WORDS_OF_CHESS.contains(&name),
            ["crate", "chess", name, ..] => !NAMES_OF_CHESS.contains(&name),
            _ => segments.last() == Some(&"FactSheet"),
        };
        if stray {
            found.push(format!("src/{}: {}", source.path, path.segments.join("::")));
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

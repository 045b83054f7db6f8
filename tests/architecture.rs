//! Keeps the house in order: which layer may name which, who may name the browser, how long a file may be.
//!
//! `ui → state → services → browser`, and all of them may use the pure modules; never the other way round.

use std::fs;
use std::path::{Path, PathBuf};

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

/// Longer files have more than one subject.
const LONGEST: usize = 600;

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
    if path == "lib.rs" || path == "main.rs" || path.starts_with("bin/") {
        return Place::Program;
    }
    let module = path.split(['/', '.']).next().unwrap_or_default();
    LAYERS
        .iter()
        .position(|layer| *layer == module)
        .map_or(Place::Pure, Place::Layer)
}

/// The code of a file, line by line, with comments and the contents of string literals blanked, so that a word in
/// either is no offence. Line numbers stay.
fn code(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut rest = text;
    let mut comments = 0_usize;
    while let Some(next) = rest.chars().next() {
        let mut taken = next.len_utf8();
        if next == '\n' {
            lines.push(String::new());
        } else if comments > 0 {
            if rest.starts_with("*/") {
                (comments, taken) = (comments - 1, 2);
            } else if rest.starts_with("/*") {
                (comments, taken) = (comments + 1, 2);
            }
        } else if rest.starts_with("/*") {
            (comments, taken) = (1, 2);
        } else if rest.starts_with("//") {
            taken = rest.find('\n').unwrap_or(rest.len());
        } else if let Some(length) = string_literal(rest, lines.last().is_some_and(|line| line.ends_with(is_word))) {
            lines.extend(rest[..length].matches('\n').map(|_| String::new()));
            if let Some(line) = lines.last_mut() {
                line.push_str("\"\"");
            }
            taken = length;
        } else if let Some(length) = character_literal(rest) {
            taken = length;
        } else if let Some(line) = lines.last_mut() {
            line.push(next);
        }
        rest = &rest[taken..];
    }
    lines
}

/// The length in bytes of the string literal at the beginning of `rest`. An `r` or `b` that ends a word begins none.
fn string_literal(rest: &str, inside_word: bool) -> Option<usize> {
    let prefix = if inside_word {
        0
    } else {
        rest.find(|letter| !matches!(letter, 'r' | 'b' | 'c'))?
    };
    let (raw, body) = (rest[..prefix].contains('r'), &rest[prefix..]);
    let hashes = if raw { body.find(|letter| letter != '#')? } else { 0 };
    let inside = body[hashes..].strip_prefix('"')?;
    let start = prefix + hashes + 1;
    if raw {
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(start + inside.find(&end).map_or(inside.len(), |at| at + end.len()));
    }
    let mut escaped = false;
    for (at, letter) in inside.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(start + at + 1),
            _ => {}
        }
    }
    Some(rest.len())
}

/// The length in bytes of the character literal at the beginning of `rest`; a lifetime is none.
fn character_literal(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('\'')?;
    let first = inside.chars().next()?;
    if first == '\\' {
        return inside[2..].find('\'').map(|at| at + 4);
    }
    inside[first.len_utf8()..]
        .starts_with('\'')
        .then(|| first.len_utf8() + 2)
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Whether `line` has `word` as a whole path segment.
fn names(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

/// Whether `line` reaches the module `layer` of this crate: `crate::ui`, `kibitz::ui`, or `ui::` at the start of an item
/// of `use crate::{…}` (`braced`: the line is inside of one).
fn reaches(line: &str, layer: &str, braced: bool) -> bool {
    let after_crate = |root: &str| {
        line.match_indices(&format!("{root}::")).any(|(at, found)| {
            let rest = line[at + found.len()..].trim_start();
            match rest.strip_prefix('{') {
                Some(list) => list.split([',', '{', '}']).any(|item| begins_with(item.trim(), layer)),
                None => begins_with(rest, layer),
            }
        })
    };
    after_crate("crate") || after_crate("kibitz") || (braced && begins_with(line.trim(), layer))
}

fn begins_with(path: &str, layer: &str) -> bool {
    path.strip_prefix(layer).is_some_and(|rest| !rest.starts_with(is_word))
}

/// All offences of one file, as `path:line: what`.
fn offences(path: &str, text: &str) -> Vec<String> {
    let place = place(path);
    let mut found = Vec::new();
    let length = text.lines().count();
    if length > LONGEST {
        found.push(format!("src/{path}: {length} lines, more than {LONGEST}"));
    }
    let mut braced = false;
    for (index, line) in code(text).iter().enumerate() {
        let mut offence = |what: String| found.push(format!("src/{path}:{}: {what}: {}", index + 1, line.trim()));
        let forbidden = match place {
            Place::Pure => &LAYERS[..],
            Place::Layer(layer) => &LAYERS[layer + 1..],
            Place::Program => &[],
        };
        for layer in forbidden.iter().filter(|layer| reaches(line, layer, braced)) {
            offence(format!("names {layer}, a layer above"));
        }
        for name in WEB_CRATES.iter().filter(|name| names(line, name)) {
            if place == Place::Pure {
                offence(format!("a pure module names {name}"));
            } else if *name == "web_sys" && place != Place::Layer(0) {
                offence("only browser/ names web_sys".to_owned());
            }
        }
        if path.starts_with("ui/") && sets_html_from_data(line) {
            offence("inner_html with something that is not a constant".to_owned());
        }
        if line.contains("use crate::{") || line.contains("use kibitz::{") {
            braced = true;
        }
        braced &= !line.contains("};");
    }
    found
}

/// Whether the line sets `inner_html` from anything but a literal (blanked to `""`) or a constant in capitals.
fn sets_html_from_data(line: &str) -> bool {
    let constant = |value: &str| {
        let value = value.trim_start_matches(['=', '(', ' ', '{']);
        let name: String = value
            .chars()
            .take_while(|letter| is_word(*letter) || *letter == ':')
            .collect();
        let last = name.rsplit(':').next().unwrap_or_default();
        value.starts_with("\"\"") || (!last.is_empty() && !last.contains(|letter: char| letter.is_lowercase()))
    };
    ["inner_html", "set_inner_html"].iter().any(|name| {
        line.match_indices(name).any(|(at, _)| {
            let whole = !line[..at].ends_with(is_word) && !line[at + name.len()..].starts_with(is_word);
            whole && !constant(&line[at + name.len()..])
        })
    })
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("src can be read") {
        let path = entry.expect("src can be read").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn no_import_climbs_and_no_file_is_too_long() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    sources(&root, &mut paths);
    paths.sort();
    assert!(paths.len() > 20, "only {} sources found", paths.len());
    let mut found = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).expect("sources are UTF-8");
        let name = path
            .strip_prefix(&root)
            .expect("it was found there")
            .to_string_lossy()
            .replace('\\', "/");
        found.extend(offences(&name, &text));
    }
    assert!(found.is_empty(), "{} offences:\n{}", found.len(), found.join("\n"));
}

#[test]
fn the_check_finds_what_it_is_for() {
    for (path, text) in [
        ("chess/board.rs", "use crate::ui::App;"),
        ("chess/board.rs", "use kibitz::state::Game;"),
        (
            "chess/board.rs",
            "use crate::{\n    uci::Score,\n    services::Engine,\n};",
        ),
        ("chess/board.rs", "use crate::{uci::Score, browser::Clock};"),
        ("chess/board.rs", "fn now() -> f64 { js_sys::Date::now() }"),
        ("view/lines.rs", "use leptos::prelude::*;"),
        ("browser/worker.rs", "use crate::services::engine::Engine;"),
        ("services/engine.rs", "use crate::state::Game;"),
        ("services/engine.rs", "use web_sys::Worker;"),
        ("state/game.rs", "use crate::ui;"),
        ("ui/page.rs", "let window: web_sys::Window = w;"),
        ("ui/page.rs", "view! { <p inner_html=text></p> }"),
        ("ui/page.rs", "view! { <p inner_html={move || text.get()}></p> }"),
        ("ui/page.rs", "element.set_inner_html(&text);"),
        ("main.rs", "let window = web_sys::window();"),
    ] {
        assert_eq!(
            offences(path, text).len(),
            1,
            "{path}: {text}: {:?}",
            offences(path, text)
        );
    }
    assert_eq!(offences("chess/long.rs", &"\n".repeat(LONGEST + 1)).len(), 1);
}

#[test]
fn the_check_lets_through_what_is_right() {
    for (path, text) in [
        (
            "ui/page.rs",
            "use crate::state::Game;\nuse crate::services::Engine;\nuse leptos::prelude::*;",
        ),
        (
            "ui/page.rs",
            "view! { <p inner_html=ICON></p><p inner_html=\"<b>x</b>\"></p> }",
        ),
        ("browser/worker.rs", "use web_sys::Worker;\nuse crate::uci::line::Line;"),
        (
            "services/engine.rs",
            "use crate::browser::worker::Worker;\nuse crate::services::labels::Labels;",
        ),
        (
            "chess/board.rs",
            "// see crate::ui and web_sys\nlet a = \"crate::ui \\\" web_sys\";\nlet b = 'x'; let c: &'static str;",
        ),
        (
            "chess/board.rs",
            "/* crate::ui /* nested */ web_sys */ let state = quiet::ui; let r = r#\"js_sys \"quoted\" leptos\"#;",
        ),
        (
            "chess/board.rs",
            "use crate::uistate::X;\nlet q = '\\''; let s = \"leptos\";",
        ),
        ("lib.rs", "pub mod ui;"),
    ] {
        assert_eq!(offences(path, text), Vec::<String>::new(), "{path}: {text}");
    }
}

#[test]
fn offences_name_their_line() {
    let text = "//! leptos\n\nlet a = \"two\nlines\";\nuse leptos::prelude::*;\n";
    let found = offences("view/lines.rs", text);
    assert_eq!(
        found,
        ["src/view/lines.rs:5: a pure module names leptos: use leptos::prelude::*;"]
    );
}

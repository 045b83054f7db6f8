//! Keeps the house in order: which layer may name which, who may name the browser, that nothing goes in a circle, that old
//! names stay gone, and that the style sheet names what the page has.
//!
//! `ui → state → services → browser`, and all of them may use the pure modules; never the other way round.

mod circles;
mod layers;
mod names;
mod source;
mod styles;

use std::{fs, path::Path};

use circles::{among_modules, circles, dependencies, in_words};
use layers::{climbing_parts, knows_a_board, naked_prints, offences, strays};
use names::{bare_twice, old_names};
use source::{Source, texts};
use styles::strangers;

#[test]
fn no_import_climbs() {
    let found: Vec<String> = Source::all(true).iter().flat_map(offences).collect();
    assert!(found.is_empty(), "{} offences:\n{}", found.len(), found.join("\n"));
}

#[test]
fn no_module_depends_on_itself() {
    let modules = among_modules(&dependencies(&Source::all(false)));
    let found: Vec<String> = circles(&modules)
        .iter()
        .map(|circle| in_words(circle, &modules))
        .collect();
    assert!(found.is_empty(), "{} circles:\n{}", found.len(), found.join("\n"));
}

#[test]
fn no_file_depends_on_itself() {
    let files = dependencies(&Source::all(false));
    let found: Vec<String> = circles(&files).iter().map(|circle| in_words(circle, &files)).collect();
    assert!(found.is_empty(), "{} circles:\n{}", found.len(), found.join("\n"));
}

#[test]
fn the_claim_check_stands_in_its_order() {
    assert_eq!(climbing_parts(), Vec::<String>::new());
    let found = strays(&dependencies(&Source::all(false)));
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn what_reads_words_knows_no_board() {
    let found: Vec<String> = Source::all(false).iter().flat_map(knows_a_board).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_lab_writes_in_one_way() {
    let found: Vec<String> = Source::all(true).iter().flat_map(naked_prints).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
    for (path, text, found) in [
        ("bin/lab/report.rs", "fn f() { println!(\"a\"); }", 1),
        ("bin/lab/judge/report.rs", "fn f() { std::print!(\"a\"); }", 1),
        ("bin/lab/report.rs", "fn f() { eprintln!(\"a\"); dbg!(1); }", 2),
        ("bin/lab/report.rs", "fn f() { io::stdout().write_all(b\"a\"); }", 1),
        ("bin/lab/report.rs", "use std::io::StdoutLock;", 1),
        (
            "bin/lab/report.rs",
            "fn f() { output::stdout(); command.stdout(pipe); outln!(\"a\"); print(x); }",
            0,
        ),
        ("bin/lab/output.rs", "fn f() { io::stdout(); }", 0),
        ("dev/size.rs", "fn f() { println!(\"a\"); }", 0),
    ] {
        assert_eq!(
            naked_prints(&Source::new(path, text, true)).len(),
            found,
            "{path}: {text}"
        );
    }
}

#[test]
fn old_names_stay_gone() {
    let found = old_names(&Source::all(true));
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn bare_names_stand_for_one_thing() {
    let found = bare_twice(&Source::all(true));
    assert!(found.is_empty(), "defined more than once:\n{}", found.join("\n"));
}

#[test]
fn names_are_found_where_they_are_defined() {
    let one = Source::new(
        "a.rs",
        "pub const MOST: usize = 1; enum A { Line, Kept } const fn settle() {}",
        true,
    );
    let two = Source::new(
        "b.rs",
        "const fn f(MOST: *const Kept) -> Kept {} mod c { static MOST: u8 = 2; } struct Line; // fn obey",
        true,
    );
    let sources = [one, two];
    assert_eq!(old_names(&sources), ["src/a.rs: settle is now resolve"]);
    assert_eq!(bare_twice(&sources), ["MOST: a.rs, b.rs"]);
}

#[test]
fn offences_are_found() {
    for (path, text) in [
        ("chess/board.rs", "use crate::ui::App;"),
        ("chess/board.rs", "use kibitz::state::Game;"),
        (
            "chess/board.rs",
            "use crate::{\n    uci::Score,\n    services::Engine,\n};",
        ),
        ("chess/board.rs", "use crate::{uci::Score, browser::Clock};"),
        ("chess/board.rs", "fn now() -> f64 { crate::browser::clock::now() }"),
        ("chess/board.rs", "fn now() -> f64 { js_sys::Date::now() }"),
        ("view/lines.rs", "use leptos::prelude::*;"),
        ("browser/worker.rs", "use crate::services::engine::Engine;"),
        ("services/engine.rs", "use crate::state::Game;"),
        ("services/engine.rs", "use web_sys::Worker;"),
        ("state/game.rs", "use crate::ui;"),
        ("ui/page.rs", "fn f() { let window: web_sys::Window = w; }"),
        ("ui/page.rs", "fn f() { view! { <p inner_html=text></p> } }"),
        (
            "ui/page.rs",
            "fn f() { view! { <p inner_html={move || text.get()}></p> } }",
        ),
        ("ui/page.rs", "fn f() { element.set_inner_html(&text); }"),
        ("main.rs", "fn f() { let window = web_sys::window(); }"),
    ] {
        let found = offences(&Source::new(path, text, true));
        assert_eq!(found.len(), 1, "{path}: {text}: {found:?}");
    }
}

#[test]
fn what_is_right_is_no_offence() {
    for (path, text) in [
        (
            "ui/page.rs",
            "use crate::state::Game;\nuse crate::services::Engine;\nuse leptos::prelude::*;",
        ),
        (
            "ui/page.rs",
            "fn f() { view! { <p inner_html=icons::ICON></p><p inner_html=\"<b>x</b>\"></p> } }",
        ),
        ("browser/worker.rs", "use web_sys::Worker;\nuse crate::uci::line::Line;"),
        (
            "services/engine.rs",
            "use crate::browser::worker::Worker;\nuse crate::services::labels::Labels;",
        ),
        (
            "chess/board.rs",
            "// see crate::ui and web_sys\nfn f() { let a = \"crate::ui \\\" web_sys\"; let b = 'x'; }",
        ),
        (
            "chess/board.rs",
            "/* crate::ui /* nested */ web_sys */ fn f() { let state = quiet::ui; let r = r#\"js_sys \"quoted\"\"#; }",
        ),
        ("chess/board.rs", "use crate::uistate::X;\nconst Q: char = '\\'';"),
        ("lib.rs", "pub mod ui;"),
    ] {
        let found = offences(&Source::new(path, text, true));
        assert_eq!(found, Vec::<String>::new(), "{path}: {text}");
    }
}

/// The circles of a house of these files.
fn circles_of(files: &[(&str, &str)]) -> Vec<Vec<String>> {
    let sources: Vec<Source> = files
        .iter()
        .map(|(path, text)| Source::new(path, text, false))
        .collect();
    circles(&dependencies(&sources))
}

#[test]
fn parts_out_of_order_are_found() {
    let strays_of = |files: &[(&str, &str)]| {
        let sources: Vec<Source> = files
            .iter()
            .map(|(path, text)| Source::new(&format!("commentary/claims/{path}"), text, false))
            .collect();
        strays(&dependencies(&sources)).len()
    };
    let truth = ("truth.rs", "pub struct Truth;");
    let token = ("text.rs", "pub struct Token;");
    for (files, found) in [
        (&[truth, ("evaluation/mod.rs", "use super::truth::Truth;")][..], 0),
        (&[token, ("evaluation/mod.rs", "use super::text::Token;")], 1),
        (
            &[
                ("text/token.rs", "use super::super::reading::Np;"),
                ("reading/mod.rs", "pub struct Np;"),
            ],
            1,
        ),
        (&[("elsewhere.rs", "")], 1),
        (&[truth, ("mod.rs", "pub use truth::Truth;")], 0),
    ] {
        assert_eq!(strays_of(files), found, "{files:?}");
    }
    for (path, text, found) in [
        ("reading/frame.rs", "use shakmaty::{Color, Square};", 0),
        ("reading/frame.rs", "use shakmaty::{Chess, Square};", 1),
        ("reading/amounts.rs", "fn f() { shakmaty::Board::empty(); }", 1),
        ("reading/amounts.rs", "use crate::chess::material::value;", 0),
        ("text/token.rs", "use crate::{chess::Man, commentary::FactSheet};", 2),
        ("board/scene.rs", "use shakmaty::Chess;", 0),
    ] {
        let source = Source::new(&format!("commentary/claims/{path}"), text, false);
        assert_eq!(knows_a_board(&source).len(), found, "{path}: {text}");
    }
}

#[test]
fn circles_are_found() {
    let lib = ("lib.rs", "pub mod a;\npub mod b;");
    for files in [
        // By imports, by paths, by an imported module, and through a face that hands the name on.
        &[lib, ("a.rs", "use crate::b::B;"), ("b.rs", "use super::a::A;")][..],
        &[
            lib,
            ("a.rs", "fn f() { crate::b::f() }"),
            ("b.rs", "fn f() { crate::a::f::<u8>() }"),
        ],
        &[
            lib,
            ("a.rs", "use crate::{b};\nfn f() { b::f() }"),
            ("b.rs", "use crate::a::{self as first};\nfn f() { first::f() }"),
        ],
        &[
            lib,
            ("a/mod.rs", "mod c;\nmod d;\npub use self::{c::C, d::D};"),
            ("a/c.rs", "use super::D;"),
            ("a/d.rs", "use crate::a::C;"),
            ("b.rs", ""),
        ],
        // A face that does more than hand on.
        &[
            lib,
            ("a/mod.rs", "mod c;\npub use c::C;\npub struct A(C);"),
            ("a/c.rs", "use super::A;"),
        ],
    ] {
        assert_eq!(circles_of(files).len(), 1, "{files:?}");
    }
}

#[test]
fn what_goes_one_way_is_no_circle() {
    let lib = ("lib.rs", "pub mod a;\npub mod b;");
    for files in [
        &[
            lib,
            ("a.rs", "use crate::b::B;"),
            ("b.rs", "use std::fmt;\nuse serde::a::A;"),
        ][..],
        // Handing on is no dependency, and tests may look up.
        &[
            lib,
            ("a/mod.rs", "mod c;\nmod d;\npub use self::{c::C, d::D};"),
            ("a/c.rs", "use super::D;"),
            ("a/d.rs", "struct D;"),
        ],
        &[
            lib,
            ("a.rs", "use crate::b::B;"),
            ("b.rs", "#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}"),
        ],
        // A word in a comment or a text.
        &[
            lib,
            ("a.rs", "use crate::b::B;"),
            ("b.rs", "// crate::a::A\nconst B: &str = \"crate::a::A\";"),
        ],
    ] {
        assert_eq!(circles_of(files), Vec::<Vec<String>>::new(), "{files:?}");
    }
}

#[test]
fn the_style_sheet_names_what_the_page_has() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let css = fs::read_to_string(root.join("style/kibitz.css")).expect("the style sheet is there");
    let mut sources = texts(&root.join("src"));
    sources.push(fs::read_to_string(root.join("index.html")).expect("the page is there"));
    assert_eq!(strangers(&css, &sources), Vec::<String>::new());
}

#[test]
fn a_class_that_nothing_has_is_found() {
    let css = "/* .old */ .desk > .card:hover, #boot { color: #fff; width: .5rem }\n@media (width > 1.5rem) { .gone { top: 0 } .cg-wrap { } }";
    let sources = ["<div class=\"card\" id=\"boot\">".to_owned()];
    assert_eq!(strangers(css, &sources), ["desk", "gone"]);
}

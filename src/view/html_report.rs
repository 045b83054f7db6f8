//! The report on a game as one HTML file: no scripts, nothing fetched, everything escaped. What a PGN says of names and
//! moves was written by anybody.

use std::fmt::Write as _;

use html_escape::encode_safe;
use shakmaty::Color;

use super::{
    diagram::{diagram, in_words},
    game_report::{GameReport, Note},
    win_graph::{HEIGHT, WIDTH, WinGraph},
};
use crate::commentary::Verdict;

/// Even if something slipped through, a browser would run nothing and fetch nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

const STYLE: &str = "
:root { color-scheme: light dark; --ink: light-dark(#1f2328, #e6e4df); --paper: light-dark(#fff, #17191c);
  --soft: light-dark(#5a6069, #a3a8b0); --line: light-dark(#dcdad3, #363a40); --bad: light-dark(#a3322b, #f0978f); --good: light-dark(#23663c, #86d1a0);
  --white: light-dark(#fbfaf7, #e2e0da); --black: light-dark(#3a3d42, #43474d); --accent: light-dark(#1c6483, #7cc0dd); }
body { font: 1rem/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 44rem;
  margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; } h2 { font-size: 1.1rem; margin-top: 2rem; } h3 { font-size: 1rem; margin: 1.5rem 0 0.2rem; }
p { margin: 0.3rem 0; } .soft { color: var(--soft); font-size: 0.9rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 0.75rem; } dt { color: var(--soft); } dd { margin: 0; }
svg { width: 100%; height: auto; border: 1px solid var(--line); border-radius: 6px; }
.ground { fill: var(--black); } .area { fill: var(--white); } .curve { fill: none; stroke: var(--accent); stroke-width: 2; } .even { stroke: var(--soft); stroke-dasharray: 4 4; }
.diagram { display: block; width: 14rem; margin: 0.5rem 0; } .light { fill: #f0d9b5; } .dark { fill: #b58863; }
.diagram text { font: 8.4px 'DejaVu Sans', 'Segoe UI Symbol', 'Apple Symbols', 'Noto Sans Symbols2', sans-serif; text-anchor: middle; dominant-baseline: central; stroke-width: 0.35px; }
.diagram .white { fill: #fff; stroke: #222; } .diagram .black { fill: #222; }
path.moved { stroke: #1c648399; stroke-width: 1.6; } circle.moved { fill: #1c6483; }
.dot { fill: var(--bad); stroke: var(--white); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: 0.15rem 1rem 0.15rem 0; } th:first-child { text-align: left; font-weight: 400; }
.good { color: var(--good); } .bad, .inaccuracy, .mistake, .blunder { color: var(--bad); } .moves .mistake, .moves .blunder { font-weight: 700; } i { color: var(--soft); }
footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 0.5rem; }
@media print { body { max-width: none; } h3 { break-after: avoid; } }
";

/// Writes the report as a page of its own. `version` is Kibitz's.
#[must_use]
pub fn html_report(report: &GameReport, version: &str) -> String {
    let title = encode_safe(&report.title);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    if !report.details.is_empty() {
        out += "<dl>\n";
        for (name, value) in &report.details {
            let _ = writeln!(out, "<dt>{name}</dt><dd>{}</dd>", encode_safe(value));
        }
        out += "</dl>\n";
    }
    let _ = writeln!(out, "<p class=\"soft\">{}.</p>", encode_safe(&report.source));
    if let Some(story) = &report.story {
        let _ = writeln!(out, "<h2>How it went</h2>\n<p>{}</p>", encode_safe(story));
    }
    out += "<h2>White’s winning chance</h2>\n";
    out += &graph(&report.graph);
    let _ = writeln!(out, "<p class=\"soft\">{}</p>", encode_safe(&report.graph.summary));
    out += "<h2>Both sides</h2>\n<table>\n<thead><tr><th scope=\"col\">Moves</th><th scope=\"col\">White</th><th scope=\"col\">Black</th></tr></thead>\n<tbody>\n";
    for row in &report.tallies {
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td></tr>",
            row.what, row.white, row.black
        );
    }
    out += "</tbody>\n</table>\n<p class=\"soft\">Verdicts and accuracy by Lichess’s formulas.</p>\n<h2>Moves</h2>\n<p class=\"moves\">\n";
    for mv in &report.moves {
        if let Some(number) = &mv.number {
            let _ = write!(out, "<span class=\"soft\">{}</span> ", encode_safe(number));
        }
        let san = encode_safe(&mv.san);
        let _ = match mv.verdict.filter(|verdict| verdict.is_bad()) {
            Some(verdict) => write!(out, "<span class=\"{verdict}\">{san}{}</span>", mv.mark),
            None => write!(out, "{san}{}", mv.mark),
        };
        if !mv.comment.is_empty() {
            let _ = write!(out, " <i>{}</i>", encode_safe(&mv.comment));
        }
        if !mv.variations.is_empty() {
            let _ = write!(out, " <span class=\"soft\">{}</span>", encode_safe(&mv.variations));
        }
        out.push('\n');
    }
    out += "</p>\n";
    if !report.notes.is_empty() {
        let _ = writeln!(out, "<h2>{}</h2>", report.notes_title);
    }
    for said in &report.notes {
        out += &note(said);
    }
    let _ = writeln!(
        out,
        "<footer class=\"soft\">Annotated by Kibitz {}.</footer>\n</body>\n</html>",
        encode_safe(version)
    );
    out
}

fn note(note: &Note) -> String {
    let class = match note.praised {
        true => "good",
        false if note.verdict.is_bad() => "bad",
        false => "soft",
    };
    let called = if note.praised { note.called } else { note.verdict.word() };
    let mut out = format!(
        "<h3>{}{} <span class=\"{class}\">{}</span></h3>\n",
        encode_safe(&note.label),
        note.mark,
        called
    );
    out += &diagram(&note.after, Color::White, Some(note.mv), &in_words(&note.after));
    if let Some(reason) = &note.reason {
        let _ = writeln!(out, "<p><strong>{}</strong></p>", encode_safe(reason));
    }
    if !note.prose.is_empty() {
        let _ = writeln!(out, "<p>{}</p>", encode_safe(&note.prose));
    }
    if let Some(provenance) = &note.provenance {
        let _ = writeln!(out, "<p class=\"soft\">{}</p>", encode_safe(provenance));
    }
    let _ = writeln!(out, "<p class=\"soft\">{}</p>", encode_safe(&note.chances));
    if let Some(better) = &note.better {
        let _ = writeln!(out, "<p class=\"soft\">The engine’s line: {}</p>", encode_safe(better));
    }
    out
}

fn graph(graph: &WinGraph) -> String {
    let middle = HEIGHT / 2.0;
    let mut out = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\n<path class=\"ground\" d=\"{}\"/>\n<path class=\"area\" d=\"{}\"/>\n\
         <path class=\"even\" d=\"M0 {middle}H{WIDTH}\"/>\n<path class=\"curve\" d=\"{}\"/>\n",
        encode_safe(&graph.summary),
        graph.ground,
        graph.area,
        graph.line
    );
    let turns = |verdict: &Verdict| *verdict >= Verdict::Mistake;
    for point in graph
        .points
        .iter()
        .filter(|point| point.verdict.as_ref().is_some_and(turns))
    {
        let _ = writeln!(
            out,
            "<circle class=\"dot\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\"><title>{}</title></circle>",
            point.x,
            point.dot(4.0),
            encode_safe(&point.text())
        );
    }
    out += "</svg>\n";
    out
}

//! The tables of `docs/performance.md` that `cargo dev bench` writes: the same rows in the same order every time, so that a
//! difference between two runs is one of numbers.

use serde_json::Value;

use crate::failure::Failure;

/// Where the tables begin, on a line of its own.
const BEGIN: &str = "<!-- What follows is written by `cargo dev bench`: changes by hand are lost. -->";

/// Where they end.
const END: &str = "<!-- Here ends what `cargo dev bench` writes. -->";

/// How far a network's worker may be from onnxruntime-web, by network: its time as a share of the other's.
const RATIOS: [(&str, f64); 2] = [("256x20", 0.5), ("64x6", 0.4)];

/// The network whose worker's memory has an aim, and the aim, in MB.
const WORKER_MEMORY: (&str, f64) = ("256x20", 200.0);

/// The most that the page may take, in MB.
const TAB_MEMORY: f64 = 400.0;

/// The most that a session's first comment may take until nothing more is searched, in milliseconds.
const FIRST_COMMENT: f64 = 1_500.0;

/// Rows of the page's benchmark with the most that their median may be, in their own unit.
const AIMS: [(&str, f64); 5] = [
    ("claim check of a comment of 60 words", 10.0),
    ("comment, final verdict, the position looked at before", 1_000.0),
    ("first comment, everything started before", 1_500.0),
    ("first words of a comment", 150.0),
    ("network's worker, start to its first result", 150.0),
];

/// What was measured, as it was said.
pub struct Findings {
    /// By `tests/bench/run.mjs`.
    pub page: Value,
    /// By `lab bench` with the default network.
    pub lab: Value,
    /// By `lab bench` with a wide network and nothing else.
    pub lab_wide: Value,
}

/// The document with these tables in the place of those that it has.
pub fn with_tables(document: &str, tables: &str) -> Result<String, Failure> {
    let lost = |line: &str| Failure::Missing(format!("docs/performance.md has lost the line “{line}”: put it back."));
    let (before, rest) = document.split_once(BEGIN).ok_or_else(|| lost(BEGIN))?;
    let (_, after) = rest.split_once(END).ok_or_else(|| lost(END))?;
    Ok(format!("{before}{BEGIN}\n\n{tables}\n{END}{after}"))
}

/// All tables.
pub fn tables(findings: &Findings) -> Result<String, Failure> {
    let sections = [
        conditions(&findings.page),
        compared(&findings.page)?,
        loading_and_memory(&findings.page)?,
        sessions(&findings.page),
        sizes(&findings.page),
        page(&findings.page)?,
        lab(findings),
    ];
    Ok(sections.join("\n"))
}

/// A table of Markdown: the first column is to the left, the others are to the right. Rows are sorted.
fn table(heads: &[&str], mut rows: Vec<Vec<String>>) -> String {
    rows.sort();
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let heads: Vec<String> = heads.iter().map(|&head| head.to_owned()).collect();
    let rule = format!("|---|{}\n", "---:|".repeat(heads.len() - 1));
    let rows: String = rows.iter().map(|row| line(row)).collect();
    format!("{}{rule}{rows}", line(&heads))
}

/// Three figures, as far as there is something to measure: 0.00123, 1.35, 15.3, 146, 1,352.
fn figure(value: f64) -> String {
    let size = value.abs();
    if size >= 1000.0 {
        let digits = format!("{size:.0}");
        let grouped = digits.as_bytes().rchunks(3).rev();
        let grouped: Vec<_> = grouped.map(|group| String::from_utf8_lossy(group)).collect();
        return format!("{}{}", if value < 0.0 { "−" } else { "" }, grouped.join(","));
    }
    let places = match size {
        _ if size >= 100.0 => 0,
        _ if size >= 10.0 => 1,
        _ if size >= 1.0 => 2,
        // Nothing at all.
        _ if size < 1e-9 => 2,
        _ => (2.0 - size.log10().floor()) as usize,
    };
    format!("{value:.places$}").replace('-', "−")
}

/// A number, or a dash.
fn figure_of(value: &Value) -> String {
    let text = || value.as_str().and_then(|text| text.parse().ok());
    value.as_f64().or_else(text).map_or_else(|| "–".to_owned(), figure)
}

fn megabytes(value: &Value) -> Option<f64> {
    value.as_f64().map(|bytes| bytes / 1e6)
}

/// `0.35` of at most `0.4`: met.
fn verdict(value: Option<f64>, most: f64) -> &'static str {
    match value {
        Some(value) if value <= most => "met",
        Some(_) => "missed",
        None => "not measured",
    }
}

fn times(name: &str) -> String {
    name.replace('x', "×")
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("–")
}

fn list<'a>(value: &'a Value, what: &str) -> Result<&'a Vec<Value>, Failure> {
    let missing = || Failure::Missing(format!("what was measured in the browser lacks its {what}"));
    value.as_array().ok_or_else(missing)
}

fn conditions(page: &Value) -> String {
    let machine = &page["machine"];
    let memory = machine["memory"]
        .as_f64()
        .map_or(0.0, |bytes| bytes / f64::from(1 << 30));
    format!(
        "{date}, page of commit {commit}, {system}, {cpu}, {cores} cores, {memory:.0} GiB; load of the machine when it began: {load:.2}. Headless \
         Chromium {browser}, Node.js {node}, onnxruntime-web {onnxruntime} (wasm, one thread, SIMD). Medians, and where \
         there are brackets the lowest and the highest.\n",
        date = text(&page["date"]),
        commit = text(&page["commit"]),
        system = text(&machine["system"]),
        cpu = text(&machine["cpu"]),
        cores = machine["cores"],
        load = machine["load"].as_f64().unwrap_or_default(),
        browser = text(&page["browser"]),
        node = text(&page["node"]).trim_start_matches('v'),
        onnxruntime = text(&page["onnxruntime"]),
    )
}

fn compared(page: &Value) -> Result<String, Failure> {
    let mut rows = Vec::new();
    for found in list(&page["compared"], "comparison")? {
        let name = text(&found["name"]);
        let spread = |who: &Value| {
            let [low, median, high] = ["low", "median", "high"].map(|key| figure_of(&who[key]));
            format!("{median} ({low}–{high})")
        };
        let share = |key: &str| {
            let both = found["ours"][key].as_f64().zip(found["theirs"][key].as_f64());
            both.map(|(ours, theirs)| ours / theirs)
        };
        let two_places = |ratio: Option<f64>| ratio.map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.2}"));
        let ratio = share("median");
        let most = RATIOS.iter().find(|(of, _)| *of == name).map(|&(_, most)| most);
        rows.push(vec![
            times(name),
            spread(&found["ours"]),
            spread(&found["theirs"]),
            two_places(ratio),
            two_places(share("low")),
            most.map_or_else(String::new, |most| format!("≤ {most}: {}", verdict(ratio, most))),
            figure_of(&found["difference"]),
            found["turns"].to_string(),
        ]);
    }
    let heads = [
        "network",
        "Kibitz, ms",
        "onnxruntime-web, ms",
        "ratio of medians",
        "of the lowest",
        "aim for medians",
        "logits apart at most",
        "turns of each",
    ];
    Ok(format!(
        "### The network's worker beside onnxruntime-web\n\nA position, from the page's question to the answer, each in a worker \
         of its own, in turn on the same positions. Where the machine had other work, the lowest times are nearer to \
         what each program takes.\n\n{}",
        table(&heads, rows)
    ))
}

fn loading_and_memory(page: &Value) -> Result<String, Failure> {
    let mut rows = Vec::new();
    let mut add = |what: String, unit: &str, measured: Option<f64>, most: Option<f64>| {
        rows.push(vec![
            what,
            unit.to_owned(),
            measured.map_or_else(|| "–".to_owned(), figure),
            most.map_or_else(String::new, |most| format!("< {most}: {}", verdict(measured, most))),
        ]);
    };
    for found in list(&page["compared"], "comparison")? {
        let name = text(&found["name"]);
        for (key, whose) in [("ours", "network's worker"), ("theirs", "onnxruntime-web")] {
            let most = (key == "ours" && name == WORKER_MEMORY.0).then_some(WORKER_MEMORY.1);
            let of = format!("{whose}, {}", times(name));
            let memory = megabytes(&found[key]["memory"]);
            add(format!("WebAssembly memory: {of}"), "MB", memory, most);
            add(
                format!("from the file to a network: {of}"),
                "ms",
                found[key]["loading"].as_f64(),
                None,
            );
        }
    }
    let (tab, what) = (
        megabytes(&page["tab"]),
        "memory of the tab, its workers too, after a first comment",
    );
    add(what.to_owned(), "MB", tab, Some(TAB_MEMORY));
    let heads = ["what", "unit", "measured", "aim"];
    Ok(format!("### Loading and memory\n\n{}", table(&heads, rows)))
}

fn sessions(page: &Value) -> String {
    let found = &page["sessions"];
    let seconds = |what: &str| found[what].as_f64().map_or(0.0, |millis| millis / 1e3);
    let row = |what: &str, key: &str, aim: String| {
        let figures = ["low", "median", "high"].map(|figure| figure_of(&found[key][figure]));
        [what.to_owned()].into_iter().chain(figures).chain([aim]).collect()
    };
    let aim = verdict(found["done"]["median"].as_f64(), FIRST_COMMENT);
    let rows = vec![
        row("its judgement stands", "judged", String::new()),
        row(
            "nothing more is searched",
            "done",
            format!("≤ {}: {aim}", figure(FIRST_COMMENT)),
        ),
    ];
    format!(
        "### The first comment of a session\n\nThe page is opened anew, as its service worker kept it, on a position of which \
         nothing is known; {} s later a move is made. Milliseconds from there, of {} sessions; who waits longer than {} s is no longer \
         waited for.\n\n{}",
        seconds("look"),
        found["sessions"],
        seconds("most"),
        table(&["until", "lowest", "median", "highest", "aim"], rows)
    )
}

fn sizes(page: &Value) -> String {
    let parts = [
        ("the network's worker", "worker"),
        ("the page's program, all parts", "page"),
    ];
    let rows = parts.map(|(what, key)| {
        let kilobytes = |form: &str| page["sizes"][key][form].as_f64().map(|bytes| bytes / 1e3);
        let forms = ["plain", "gzip", "brotli"].map(|form| kilobytes(form).map_or_else(|| "–".to_owned(), figure));
        [what.to_owned()].into_iter().chain(forms).collect()
    });
    let heads = ["WebAssembly", "kB", "gzipped", "with Brotli"];
    format!("### Size\n\n{}", table(&heads, rows.to_vec()))
}

fn page(page: &Value) -> Result<String, Failure> {
    let mut rows = Vec::new();
    for row in list(&page["page"]["rows"], "rows of the page")? {
        let name = text(&row["name"]);
        let median = row["median"].as_str().and_then(|median| median.parse().ok());
        let aim = AIMS.iter().find(|(of, _)| *of == name);
        let aim = aim.map_or_else(String::new, |&(_, most)| {
            format!("≤ {}: {}", figure(most), verdict(median, most))
        });
        let [low, median, high] = ["low", "median", "high"].map(|key| figure_of(&row[key]));
        rows.push(vec![
            name.to_owned(),
            text(&row["unit"]).to_owned(),
            low,
            median,
            high,
            aim,
        ]);
    }
    let problem = text(&page["page"]["problem"]);
    let problem = if problem.is_empty() || problem == "–" {
        String::new()
    } else {
        format!("\nNot measured: {problem}\n")
    };
    let heads = ["what", "unit", "lowest", "median", "highest", "aim"];
    Ok(format!(
        "### The page's own benchmark\n\n`#/bench`, with the page's own settings.\n\n{}{problem}",
        table(&heads, rows)
    ))
}

fn lab(findings: &Findings) -> String {
    let mut rows = Vec::new();
    let mut add = |what: String, unit: &str, value: &Value| {
        if !value.is_null() {
            rows.push(vec![what, unit.to_owned(), figure_of(value)]);
        }
    };
    let lab = &findings.lab;
    add("engine".to_owned(), "nodes/s", &lab["engine"]["nodes_per_second"]);
    add(
        "annotated actions, one engine".to_owned(),
        "actions/s",
        &lab["annotation"]["median"],
    );
    add(
        "labels of Stockfish 8".to_owned(),
        "positions/s",
        &lab["probes"]["labels_per_second"],
    );
    add(
        "activations of every block".to_owned(),
        "positions/s",
        &lab["probes"]["activations_per_second"],
    );
    add(
        "fit of a probe".to_owned(),
        "s",
        &lab["probes"]["seconds_per_fit"]["median"],
    );
    add("memory, at the most".to_owned(), "MB", &lab["probes"]["peak_memory_mb"]);
    add(
        "1,000 blindfold questions".to_owned(),
        "s",
        &lab["blindfold"]["seconds_a_thousand"]["median"],
    );
    add(
        "AV, all moves of a position".to_owned(),
        "s",
        &lab["searchless"]["seconds"]["median"],
    );
    add("added to the bare search".to_owned(), "%", &lab["overhead_percent"]);
    for stage in lab["stages"].as_array().into_iter().flatten() {
        add(format!("comment: {}", text(&stage["name"])), "ms", &stage["median"]);
    }
    for (name, found) in [("64×6", lab), ("256×20", &findings.lab_wide)] {
        for way in found["convolutions"].as_array().into_iter().flatten() {
            let what = format!("network {name}, {}", text(&way["way"]));
            add(what, "ms a position", &way["median_ms"]);
        }
    }
    let engine = text(&lab["engine"]["name"]);
    let nodes = figure_of(&lab["limit"]["nodes"]);
    format!(
        "### The lab\n\n`lab bench`, native; engine: {engine}, {nodes} nodes a search.\n\n{}",
        table(&["what", "unit", "median"], rows)
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn findings() -> Findings {
        let program = |median: f64, bytes: u64| json!({ "low": 1.0, "median": median, "high": 1234.5, "memory": bytes, "loading": 500.25 });
        Findings {
            page: json!({
                "date": "2026-11-26",
                "commit": "abc",
                "machine": { "cpu": "A | B", "cores": 2, "memory": 8_u64 << 30, "system": "Linux", "load": 0.25 },
                "browser": "150.0",
                "node": "v20.20.2",
                "onnxruntime": "1.30.0",
                "compared": [
                    { "name": "64x6", "turns": 101, "difference": 0.00012345, "ours": program(1.5, 30_000_000), "theirs": program(5.0, 40_000_000) },
                    { "name": "256x20", "turns": 31, "difference": 0.0, "ours": program(60.0, 300_000_000), "theirs": program(100.0, 200_000_000) },
                ],
                "tab": 350_000_000,
                "sessions": {
                    "look": 3_000, "most": 10_000, "sessions": 10,
                    "judged": { "low": 100.0, "median": 916.4, "high": 1_700.0 },
                    "done": { "low": 200.0, "median": 1_532.0, "high": 10_000.0 },
                },
                "sizes": { "page": { "plain": 8_000_000, "gzip": 2_500_000, "brotli": 2_000_000 }, "worker": {} },
                "page": {
                    "rows": [
                        { "name": "narrator", "unit": "ms", "low": "0.10", "median": "0.20", "high": "0.30" },
                        { "name": "comment, final verdict, the position looked at before", "unit": "ms", "low": "900", "median": "1352", "high": "–" },
                    ],
                    "problem": "",
                },
            }),
            lab: json!({
                "limit": { "nodes": 20_000 },
                "engine": { "name": "Stockfish 19", "nodes_per_second": 512_345.0 },
                "stages": [{ "name": "total", "median": 640.5 }, { "name": "facts", "median": 0.5 }],
                "convolutions": [{ "way": "tract's own", "median_ms": 1.55 }],
                "searchless": null,
            }),
            lab_wide: json!({ "convolutions": [{ "way": "tract's own", "median_ms": 37.1 }] }),
        }
    }

    #[test]
    fn the_tables_say_what_was_measured_and_whether_it_is_what_was_aimed_at() {
        let written = tables(&findings()).unwrap();
        for line in [
            "2026-11-26, page of commit abc, Linux, A | B, 2 cores, 8 GiB; load of the machine when it began: 0.25. Headless Chromium 150.0, Node.js 20.20.2, onnxruntime-web 1.30.0 (wasm, one thread, SIMD).",
            "| 64×6 | 1.50 (1.00–1,234) | 5.00 (1.00–1,234) | 0.30 | 1.00 | ≤ 0.4: met | 0.000123 | 101 |",
            "| 256×20 | 60.0 (1.00–1,234) | 100 (1.00–1,234) | 0.60 | 1.00 | ≤ 0.5: missed | 0.00 | 31 |",
            "| WebAssembly memory: network's worker, 256×20 | MB | 300 | < 200: missed |",
            "| WebAssembly memory: network's worker, 64×6 | MB | 30.0 |  |",
            "| WebAssembly memory: onnxruntime-web, 256×20 | MB | 200 |  |",
            "| from the file to a network: network's worker, 64×6 | ms | 500 |  |",
            "| memory of the tab, its workers too, after a first comment | MB | 350 | < 400: met |",
            "nothing is known; 3 s later a move is made. Milliseconds from there, of 10 sessions;",
            "| its judgement stands | 100 | 916 | 1,700 |  |",
            "| nothing more is searched | 200 | 1,532 | 10,000 | ≤ 1,500: missed |",
            "| the page's program, all parts | 8,000 | 2,500 | 2,000 |",
            "| the network's worker | – | – | – |",
            "| comment, final verdict, the position looked at before | ms | 900 | 1,352 | – | ≤ 1,000: missed |",
            "| narrator | ms | 0.100 | 0.200 | 0.300 |  |",
            "engine: Stockfish 19, 20,000 nodes a search.",
            "| engine | nodes/s | 512,345 |",
            "| network 256×20, tract's own | ms a position | 37.1 |",
            "| comment: total | ms | 640 |",
        ] {
            assert!(written.contains(line), "{line}\n\n{written}");
        }
        assert!(
            !written.contains("AV,"),
            "what was not measured has no row in the lab's table"
        );
        assert!(!written.contains("Not measured"));
    }

    #[test]
    fn rows_are_sorted_and_a_bar_in_a_cell_is_none_of_the_table() {
        let rows = vec![
            vec!["b".to_owned(), "1".to_owned()],
            vec!["a | c".to_owned(), "2".to_owned()],
        ];
        assert_eq!(
            table(&["what", "n"], rows),
            "| what | n |\n|---|---:|\n| a \\| c | 2 |\n| b | 1 |\n"
        );
    }

    #[test]
    fn the_document_keeps_what_is_around_the_tables() {
        let document = format!("# Title\n\n{BEGIN}\n\nold\n{END}\n\nProse.\n");
        let new = with_tables(&document, "new\n").unwrap();
        assert_eq!(new, format!("# Title\n\n{BEGIN}\n\nnew\n\n{END}\n\nProse.\n"));
        assert_eq!(
            with_tables(&new, "new\n").unwrap(),
            new,
            "writing twice changes nothing"
        );
        assert!(
            with_tables("# Title\n", "new")
                .unwrap_err()
                .to_string()
                .contains("cargo dev bench")
        );
    }

    #[test]
    fn our_document_has_the_place() {
        let document = std::fs::read_to_string(format!("{}/docs/performance.md", crate::files::ROOT)).unwrap();
        let written = with_tables(&document, "new\n").unwrap();
        assert!(written.contains("# How long a network takes"));
    }

    #[test]
    fn a_browser_that_was_not_heard_is_no_table() {
        let findings = Findings {
            page: json!({}),
            ..findings()
        };
        assert!(tables(&findings).unwrap_err().to_string().contains("comparison"));
    }

    #[test]
    fn figures_have_three_digits() {
        for (value, text) in [
            (0.0, "0.00"),
            (0.001_234, "0.00123"),
            (0.85, "0.850"),
            (1.352, "1.35"),
            (15.31, "15.3"),
            (-146.4, "−146"),
            (1352.4, "1,352"),
            (1_234_567.0, "1,234,567"),
        ] {
            assert_eq!(figure(value), text);
        }
    }
}

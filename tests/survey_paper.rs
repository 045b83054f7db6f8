//! The paper's figures beside ours: where they stand, what stands beside what, and that ours stay as they are.
#![allow(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::collections::BTreeMap;

use kibitz::survey::{
    Study,
    analysis::{
        Options, Report, analyse,
        layout::Which,
        material::Material,
        table::{Cell, Table},
    },
    simulation::{Simulation, Spread, made_up_study, simulate},
};

const METHODS: [&str; 5] = [
    "reference",
    "gpt-x+llm",
    "gpt-x+engine+checked",
    "gpt-x+ccc",
    "gpt-x+full",
];

fn study(methods: &[&str]) -> Study {
    let names: Vec<String> = methods.iter().map(|&name| name.to_owned()).collect();
    made_up_study(8, &names, 3)
}

fn analysed(study: &Study) -> Report {
    let how = Simulation {
        raters: 4,
        careless: 0,
        effects: BTreeMap::from([("gpt-x+ccc".to_owned(), 0.2)]),
        spread: Spread::default(),
        seed: 2,
    };
    analyse(&simulate(study, &how), &Material::from(study), &Options::default()).unwrap()
}

/// The cells of a column by its heading, by the row's name.
#[track_caller]
fn column(table: &Table, head: &str) -> Vec<(String, String)> {
    let place = table.head.iter().position(|name| name == head);
    let place = place.unwrap_or_else(|| panic!("no {head} in {:?}", table.head));
    let cells = table.rows.iter().map(|row| (row[0].shown(), row[place].shown()));
    cells.collect()
}

fn has(table: &Table, words: &str) -> bool {
    table.notes.iter().any(|note| note.contains(words))
}

#[test]
fn means_have_the_papers_beside_them_by_arm() {
    let report = analysed(&study(&METHODS));
    let table = report.table_beside(Which::Means, true);
    let shown = |head| {
        column(&table, head)
            .into_iter()
            .map(|(_, cell)| cell)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        shown("correctness, paper (n = 250)"),
        ["0.62", "0.36*", "0.43*", "0.60", "–"]
    );
    assert_eq!(
        shown("fluency, paper (n = 250)"),
        ["0.62*", "0.84*", "0.85*", "0.91", "–"]
    );
    assert_eq!(shown("words, paper (n = 50)"), ["15.6*", "27.1*", "26.2*", "28.5", "–"]);
    let place = |name: &str| table.head.iter().position(|head| head == name).unwrap();
    assert_eq!(place("clarity") + 1, place("clarity, paper (n = 250)"));
    assert!(has(
        &table,
        "Kim et al., NAACL 2025, Table 1; n ratings of a method: 50 moves by 5 raters"
    ));
    assert!(has(
        &table,
        "beside gpt-x+engine+checked: the paper's GPT-4o + expert; beside gpt-x+ccc: the paper's CCC."
    ));
    assert!(has(&table, "second in correctness; in its Table 1 it is third"));
    // Our columns are what they are without.
    let ours = report.table_beside(Which::Means, false);
    assert_eq!(ours, report.table(Which::Means));
    for head in &ours.head {
        assert_eq!(column(&table, head), column(&ours, head));
    }
    for row in &table.rows {
        assert_eq!(row.len(), table.head.len());
    }
}

#[test]
fn errors_agreement_and_correlations_have_theirs() {
    let report = analysed(&study(&METHODS));
    let errors = report.table_beside(Which::Errors, true);
    let shown = |head| {
        column(&errors, head)
            .into_iter()
            .map(|(_, cell)| cell)
            .collect::<Vec<_>>()
    };
    assert_eq!(shown("CCC, paper")[..4], ["0.20", "0.26", "0.28", "0.34"]);
    assert_eq!(shown("GPT-4o, paper")[..4], ["0.46", "0.46", "0.28", "0.32"]);
    assert!(
        !errors.head.iter().any(|head| head.starts_with("Reference,")),
        "Table 2 has no rates of it"
    );
    assert!(has(&errors, "is not said"));
    let agreement = report.table_beside(Which::Agreement, true);
    let place = agreement
        .head
        .iter()
        .position(|head| head == "κ of ranks, paper (n = 250)")
        .unwrap();
    assert_eq!(agreement.head[place - 1], "κ of ranks");
    assert_eq!(agreement.rows[0][place].shown(), "0.539");
    let correlations = report.table_beside(Which::Correlations, true);
    let r = column(&correlations, "completeness r, paper (n = 250)");
    assert_eq!(r[0], ("BLEU-1".to_owned(), "−0.25".to_owned()));
    assert_eq!(column(&correlations, "fluency τ, paper (n = 250)")[3].1, "−0.17");
    let place = |name: &str| correlations.head.iter().position(|head| head == name).unwrap();
    assert_eq!(place("clarity τ") + 1, place("clarity r, paper (n = 250)"));
}

#[test]
fn columns_for_programs_are_marked_as_the_papers() {
    let report = analysed(&study(&METHODS));
    for which in Which::ALL {
        let (ours, both) = (report.rows_beside(which, false), report.rows_beside(which, true));
        assert_eq!(ours, report.rows(which));
        assert_eq!(both.head[..ours.head.len()], ours.head, "{which:?}");
        assert!(
            both.head[ours.head.len()..]
                .iter()
                .all(|head| head.starts_with("paper_"))
        );
        for (row, with) in ours.rows.iter().zip(&both.rows) {
            assert_eq!(
                (with.len(), &with[..row.len()]),
                (both.head.len(), &row[..]),
                "{which:?}"
            );
        }
    }
    let csv = report.rows_beside(Which::Means, true).to_csv();
    let ccc = csv
        .lines()
        .find(|line| line.starts_with("gpt-x+ccc,relevance,"))
        .unwrap();
    assert!(ccc.ends_with(",CCC,0.67,250,no"), "{ccc}");
    let full = csv.lines().find(|line| line.starts_with("gpt-x+full,words,")).unwrap();
    assert!(full.ends_with(",4,,,,"), "{full}");
    let csv = report.rows_beside(Which::Agreement, true).to_csv();
    assert!(csv.contains(",0.1782,250,5\n"), "{csv}");
}

#[test]
fn methods_that_are_none_of_the_papers_have_no_columns() {
    let report = analysed(&study(&["ours", "theirs"]));
    let table = report.table_beside(Which::Means, true);
    assert_eq!(table.head, report.table(Which::Means).head);
    assert!(has(&table, "Nothing here is in Table 1 of the paper."));
}

/// Table 5 is there where comments have scores of GCC-Eval, and only then.
#[test]
fn gcc_eval_is_shown_where_comments_have_it() {
    let mut study = study(&METHODS);
    assert_eq!(analysed(&study).gcc_eval, []);
    for (place, item) in study.items.iter_mut().enumerate() {
        for (method, comment) in item.comments.iter_mut().enumerate() {
            let score = 0.1 * (method + place % 2) as f64;
            comment.scores.insert("gcc-relevance".to_owned(), score);
            comment.scores.insert("gcc-fluency".to_owned(), 1.0);
            comment.scores.insert("gcc-correctness".to_owned(), 0.5);
        }
    }
    // One comment without a score.
    study.items[0].comments[3].scores.remove("gcc-relevance");
    let report = analysed(&study);
    let table = report.table_beside(Which::GccEval, true);
    let head = [
        "method",
        "gcc-relevance",
        "relevance, paper",
        "gcc-fluency",
        "fluency, paper",
    ];
    assert_eq!(table.head, head);
    let shown: Vec<Vec<String>> = table
        .rows
        .iter()
        .map(|row| row.iter().map(Cell::shown).collect())
        .collect();
    assert_eq!(shown[0], ["reference", "0.05", "0.51", "1.00", "0.72"]);
    assert_eq!(shown[3], ["gpt-x+ccc", "0.36", "0.89", "1.00", "1.00"]);
    assert_eq!(shown[4], ["gpt-x+full", "0.45", "–", "1.00", "–"]);
    assert!(has(&table, "Means of 7 to 8 comments") && has(&table, "Table 5; shares of the scale; n is not said"));
    let markdown = table.to_markdown();
    assert!(
        markdown.contains("| **0.45** |") && markdown.contains("| <ins>0.36</ins> |"),
        "{markdown}"
    );
    let row = report
        .gcc_eval
        .iter()
        .find(|row| row.method == "gpt-x+llm" && row.criterion == "relevance")
        .unwrap();
    assert!((row.mean - 0.15).abs() < 1e-12 && row.n == 8 && row.low.is_some());
    let csv = report.rows_beside(Which::GccEval, true).to_csv();
    assert!(
        csv.starts_with("method,metric,criterion,mean,low,high,n,simulated_raters,paper_method,paper_mean\n"),
        "{csv}"
    );
    // Beside its own criterion alone, in Table 4.
    let table = report.table_beside(Which::Correlations, true);
    let relevance = column(&table, "relevance r, paper (n = 250)");
    assert!(relevance.contains(&("gcc-relevance".to_owned(), "0.40".to_owned())));
    assert!(relevance.contains(&("gcc-fluency".to_owned(), "–".to_owned())));
}

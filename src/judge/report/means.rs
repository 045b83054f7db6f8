//! Mean scores by method: the paper's Table 5, and the claim check's row for correctness.

use std::collections::BTreeMap;

use super::{claims_by, methods};
use crate::{
    judge::{
        claim_score::{ClaimScore, METRICS},
        exchange::Outcome,
        gcc_eval::{Criterion, score::Score},
        run_file::Run,
        task::Ask,
    },
    stats::{Interval, mean::mean_interval},
    survey::analysis::{
        paper::{self, PaperMethod, SOURCE},
        table::{Better, Cell, Table},
    },
};

/// The level of intervals.
const LEVEL: f64 = 0.95;

/// The GCC-Eval scores of a run by judge, item, method and criterion.
pub type Scores<'a> = BTreeMap<(&'a str, &'a str, &'a str, Criterion), Score>;

/// Gathers them.
#[must_use]
pub fn scores(run: &Run) -> Scores<'_> {
    run.judged()
        .filter_map(|row| match (&row.task.ask, &row.outcome) {
            (Ask::GccEval { method, criterion }, Outcome::Score(score)) => Some((
                (
                    row.task.judge.as_str(),
                    row.task.item.as_str(),
                    method.as_str(),
                    *criterion,
                ),
                *score,
            )),
            _ => None,
        })
        .collect()
}

/// A method's mean score by one judge on one criterion.
#[derive(Debug, Clone, PartialEq)]
pub struct MeanScore {
    /// The judge's name, as the run has it.
    pub judge: String,
    /// The method.
    pub method: String,
    /// The criterion.
    pub criterion: Criterion,
    /// Scores: comments that have one.
    pub n: usize,
    /// Their mean, as a share of the scale, 0..1; `None` without scores.
    pub mean: Option<f64>,
    /// Its t interval over items.
    pub interval: Option<Interval>,
}

/// The means of all judges, methods and criteria, in the order of the run.
#[must_use]
pub fn mean_scores(run: &Run) -> Vec<MeanScore> {
    let scores = scores(run);
    let methods = methods(run);
    let mut rows = Vec::new();
    for judge in &run.header.judges {
        for method in &methods {
            for criterion in &run.header.settings.criteria {
                let shares: Vec<f64> = run
                    .items
                    .iter()
                    .filter_map(|item| scores.get(&(&judge.name, &item.id, method, *criterion)))
                    .map(|score| score.share)
                    .collect();
                rows.push(MeanScore {
                    judge: judge.name.clone(),
                    method: method.clone(),
                    criterion: *criterion,
                    n: shares.len(),
                    mean: (!shares.is_empty()).then(|| shares.iter().sum::<f64>() / shares.len() as f64),
                    interval: mean_interval(&shares, LEVEL).ok().and_then(|found| found.interval.ok()),
                });
            }
        }
    }
    rows
}

/// Table 5: means of scores as shares of the scale, with t intervals over items, a row for each judge and method. The best of
/// a judge's methods is marked.
#[must_use]
pub fn table_5(run: &Run) -> Vec<Table> {
    let scores = scores(run);
    let means = mean_scores(run);
    let criteria = &run.header.settings.criteria;
    run.header
        .judges
        .iter()
        .map(|judge| {
            let mut table = Table {
                caption: format!(
                    "GCC-Eval by {} ({}), means as shares of the scale from 0 to 1",
                    judge.name,
                    run.header.settings.mode.word()
                ),
                head: vec!["Method".to_owned()],
                ..Table::default()
            };
            for criterion in criteria {
                table.head.push(criterion.label().to_owned());
                table.head.push(format!("{} low", criterion.label()));
                table.head.push(format!("{} high", criterion.label()));
                table.head.push(format!("{} n", criterion.label()));
            }
            for method in methods(run) {
                let mut row = vec![Cell::Text(method.clone())];
                let own: Vec<&MeanScore> = means
                    .iter()
                    .filter(|mean| mean.judge == judge.name && mean.method == method)
                    .collect();
                for mean in &own {
                    row.push(Cell::number(mean.mean, 2));
                    row.push(Cell::number(mean.interval.map(|interval| interval.low), 2));
                    row.push(Cell::number(mean.interval.map(|interval| interval.high), 2));
                    row.push(Cell::Count(mean.n));
                }
                table.rows.push(row);
            }
            for place in 0..criteria.len() {
                table.mark_column(1 + 4 * place, Better::Higher);
            }
            beside_paper(&mut table, criteria);
            let masses: Vec<f64> = scores
                .iter()
                .filter(|((name, ..), _)| *name == judge.name)
                .map(|(_, score)| score.mass)
                .collect();
            if !masses.is_empty() {
                let mean = masses.iter().sum::<f64>() / masses.len() as f64;
                let least = masses.iter().copied().fold(f64::INFINITY, f64::min);
                table.notes.push(format!(
                    "Probability on the scores 1 to 5: {mean:.2} on average, {least:.2} at least. Scores are Σ s·p(s) over that \
                     mass; where it is small, they say little."
                ));
            }
            table.notes.extend(given_up(run, &judge.name));
            let own = run.header.settings.steps.contains_key(&judge.name);
            if own {
                table
                    .notes
                    .push("The judge wrote its own steps: its scores do not compare with those of another judge.".to_owned());
            }
            table.notes.push(format!(
                "n: comments with a score. t intervals of level {LEVEL} over items. A judge's high score is no sign of truth: see \
                 what the claim check says of the same methods."
            ));
            table
        })
        .collect()
}

/// What is said of requests that a judge's server took only without some of their fields; `None` where it took all as they were.
fn given_up(run: &Run, judge: &str) -> Option<String> {
    let (mut all, mut counts) = (0_usize, BTreeMap::<&str, usize>::new());
    let own = run.judged().filter(|row| row.task.judge == judge);
    for row in own.filter(|row| matches!(row.task.ask, Ask::GccEval { .. })) {
        all += 1;
        for field in &row.given_up {
            *counts.entry(field).or_default() += 1;
        }
    }
    let fields: Vec<String> = counts
        .into_iter()
        .map(|(field, count)| format!("{field} in {count} of {all} scores"))
        .collect();
    (!fields.is_empty()).then(|| {
        format!(
            "The server refused fields of the request and was asked without them: {}. Such scores are not drawn as the mode \
             says.",
            fields.join(", ")
        )
    })
}

/// Puts the paper's mean after each criterion's, where a method is one of the paper's.
fn beside_paper(table: &mut Table, criteria: &[Criterion]) {
    let paper: Vec<Option<PaperMethod>> = table
        .rows
        .iter()
        .map(|row| match row.first() {
            Some(Cell::Text(method)) => PaperMethod::of(method),
            _ => None,
        })
        .collect();
    if paper.iter().all(Option::is_none) {
        return;
    }
    // From the last, so that the places of those before stay.
    for (place, criterion) in criteria.iter().enumerate().rev() {
        let figure = |method: &Option<PaperMethod>| paper::gcc_eval((*method)?, criterion.word());
        let cells = paper.iter().map(|method| Cell::number(figure(method), 2)).collect();
        table.insert_column(5 + 4 * place, format!("{}, paper", criterion.label()), cells);
    }
    table.notes.push(format!(
        "Paper: {SOURCE}, Table 5; of how many comments is not said. Other moves and other models than ours."
    ));
}

/// What the claim check says of each method.
#[must_use]
pub fn claims(run: &Run) -> Table {
    let mut table = Table {
        caption: format!("The claim check: means over comments. {}", claims_by(run)),
        head: [
            "Method",
            "Checkable claims",
            "Supported",
            "Contradicted",
            "Nothing contradicted",
            "Comments",
        ]
        .map(str::to_owned)
        .into(),
        ..Table::default()
    };
    for method in methods(run) {
        let found: Vec<ClaimScore> = run
            .items
            .iter()
            .filter_map(|item| Some(ClaimScore::from(item.comment(&method)?.tally)))
            .collect();
        let mean = |values: Vec<f64>| (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
        table.rows.push(vec![
            Cell::Text(method),
            Cell::number(mean(found.iter().map(|score| score.checkable as f64).collect()), 2),
            Cell::number(mean(found.iter().filter_map(|score| score.supported).collect()), 2),
            Cell::number(mean(found.iter().filter_map(|score| score.contradicted).collect()), 2),
            Cell::number(mean(found.iter().map(|score| score.clean).collect()), 2),
            Cell::Count(found.len()),
        ]);
    }
    for (column, better) in [(2, Better::Higher), (3, Better::Lower), (4, Better::Higher)] {
        table.mark_column(column, better);
    }
    table
        .notes
        .push("Shares are of a comment's checkable claims; comments without any have no share.".to_owned());
    table
}

/// All scores as the table that `lab survey analyse --scores` and the analysis page read: `position`, `method`, and a column
/// for each metric. With several judges a metric has the judge's name after an `@`.
#[must_use]
pub fn scores_table(run: &Run) -> Table {
    let scores = scores(run);
    let judges = &run.header.judges;
    let mut columns: Vec<(String, &str, Criterion)> = Vec::new();
    for judge in judges {
        for criterion in &run.header.settings.criteria {
            let name = match judges.len() {
                1 => criterion.metric(),
                _ => format!("{}@{}", criterion.metric(), judge.name),
            };
            columns.push((name, &judge.name, *criterion));
        }
    }
    let mut table = Table {
        caption: "Scores of every comment".to_owned(),
        head: ["position", "method"]
            .map(str::to_owned)
            .into_iter()
            .chain(columns.iter().map(|(name, ..)| name.clone()))
            .chain(METRICS.map(str::to_owned))
            .collect(),
        ..Table::default()
    };
    for item in &run.items {
        for comment in &item.comments {
            let mut row = vec![Cell::Text(item.id.clone()), Cell::Text(comment.method.clone())];
            for (_, judge, criterion) in &columns {
                let score = scores.get(&(*judge, &item.id, &comment.method, *criterion));
                row.push(Cell::number(score.map(|score| score.score), 3));
            }
            for metric in ClaimScore::from(comment.tally).metrics() {
                row.push(Cell::number(metric, 3));
            }
            table.rows.push(row);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::super::tests::{items, played};
    use super::*;
    use crate::{
        judge::{gcc_eval::score::Mode, judges::Settings},
        survey::analysis::table::Mark,
    };

    /// Two judges of the fluency of three methods on two moves; one score cannot be read.
    fn run() -> Run {
        let settings = Settings {
            criteria: vec![Criterion::Fluency],
            mode: Mode::Integer,
            pairs: None,
            ..Settings::default()
        };
        let judges = ["kind & fair", "strict"];
        played(items(&["one", "two"], &["a", "b", "c"]), &judges, &settings, |task| {
            let Ask::GccEval { method, .. } = &task.ask else {
                panic!("scores alone are asked for")
            };
            let score = match (task.judge.as_str(), task.item.as_str(), method.as_str()) {
                ("strict", ..) => "1",
                (_, "one", "a") => "4",
                (_, "one", "c") => "ten",
                (_, _, "b") => "3",
                _ => "5",
            };
            score.to_owned()
        })
    }

    #[test]
    fn each_judge_has_a_table_with_its_best_marked() {
        let tables = table_5(&run());
        assert_eq!(tables.len(), 2);
        let rows: Vec<Vec<String>> = tables[0]
            .rows
            .iter()
            .map(|row| [0, 1, 4].map(|column| row[column].shown()).to_vec())
            .collect();
        assert_eq!(rows, [["a", "0.88", "2"], ["b", "0.50", "2"], ["c", "1.00", "1"]]);
        let marks: Vec<Option<Mark>> = tables[0].rows.iter().map(|row| row[1].mark()).collect();
        assert_eq!(marks, [Some(Mark::Second), None, Some(Mark::Best)]);
        // Where all are the same nothing is the best; and one score has no interval.
        assert!(tables[1].rows.iter().all(|row| row[1].mark().is_none()));
        assert_eq!(tables[0].rows[2][2], Cell::None);
        assert!(tables[0].to_latex().contains("GCC-Eval by kind \\& fair (integer)"));
        assert!(tables[0].to_markdown().contains("| **1.00** |"));
    }

    #[test]
    fn several_judges_scores_are_columns_with_their_names() {
        let table = scores_table(&run());
        assert_eq!(
            table.head[..4],
            ["position", "method", "gcc-fluency@kind & fair", "gcc-fluency@strict"]
        );
        let row = |position: &str, method: &str| {
            let wanted = [Cell::from(position), Cell::from(method)];
            table.rows.iter().find(|row| row[..2] == wanted).unwrap()
        };
        assert_eq!(row("one", "a")[2..4], [Cell::Number(4.0, 3), Cell::Number(1.0, 3)]);
        assert_eq!(row("one", "c")[2..4], [Cell::None, Cell::Number(1.0, 3)]);
    }

    #[test]
    fn the_claim_check_is_a_mean_over_comments() {
        let mut items = items(&["one"], &["right"]);
        let mut wrong = crate::judge::item::tests::item().comments.swap_remove(1);
        wrong.method = "wrong".to_owned();
        let mut silent = items[0].comments[0].clone();
        silent.method = "silent".to_owned();
        silent.tally.supported = 0;
        silent.tally.contradicted = 0;
        items[0].comments.extend([wrong, silent]);
        let table = claims(&played(items, &[], &Settings::default(), |_| String::new()));
        let clean: Vec<String> = table.rows.iter().map(|row| row[4].shown()).collect();
        assert_eq!(clean, ["1.00", "0.00", "1.00"]);
        // A comment without a claim has no share.
        assert_eq!(table.rows[2][2..4], [Cell::None, Cell::None]);
        assert_eq!(table.rows[0][2].mark(), Some(Mark::Best));
        assert_eq!(table.rows[1][3].shown(), "1.00");
    }
}

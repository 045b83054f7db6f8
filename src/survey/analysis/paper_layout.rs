//! The tables of a report with the paper's figures beside ours, where a method, a criterion, a kind of error or a metric of
//! ours is one of the paper's. The figures are in [`super::paper`].

use super::{
    Report,
    layout::{Which, distinct},
    means::WORDS,
    paper::{self, COMMENTS, COMMENTS_OF_A_METHOD, PaperMean, PaperMethod, RATERS, RATINGS, SOURCE},
    table::{Cell, Table},
};

/// What is beside a table: its number in the paper and the methods of ours that have a counterpart there.
struct Beside {
    number: usize,
    /// Of what the figures are, and how many.
    base: String,
    /// What else is to be known of them.
    more: Vec<&'static str>,
}

impl Report {
    /// A table for people, with the paper's figures beside ours if that is asked for.
    #[must_use]
    pub fn table_beside(&self, which: Which, paper: bool) -> Table {
        let mut table = self.table(which);
        if !paper {
            return table;
        }
        let columns = table.head.len();
        let beside = match which {
            Which::Means => self.means_beside(&mut table),
            Which::Errors => self.errors_beside(&mut table),
            Which::Agreement => self.agreement_beside(&mut table),
            Which::Correlations => self.correlations_beside(&mut table),
            Which::GccEval => self.gcc_eval_beside(&mut table),
            _ => return table,
        };
        let Beside { number, base, more } = beside;
        if table.head.len() == columns {
            table
                .notes
                .push(format!("Nothing here is in Table {number} of the paper."));
            return table;
        }
        table.notes.push(format!(
            "Paper: {SOURCE}, Table {number}; {base}. Other raters, other moves and other models than ours."
        ));
        if matches!(which, Which::Means | Which::Errors | Which::GccEval) {
            table.notes.extend(counterparts(&self.methods_of(which)));
        }
        table.notes.extend(more.into_iter().map(str::to_owned));
        table
    }

    /// A table for programs, with the paper's figures in columns of their own if that is asked for: their names begin with
    /// `paper_`.
    #[must_use]
    pub fn rows_beside(&self, which: Which, paper: bool) -> Table {
        let mut table = self.rows(which);
        if !paper {
            return table;
        }
        let label = |method: &str| PaperMethod::of(method).map_or(Cell::None, |method| Cell::from(method.label()));
        let count = |there: bool, n: usize| if there { Cell::Count(n) } else { Cell::None };
        let (head, cells): (&[&str], Vec<Vec<Cell>>) = match which {
            Which::Means => {
                let of_means = self.means.iter().map(|row| (&row.method, row.criterion.as_str()));
                let of_words = self.words.iter().map(|row| (&row.method, WORDS));
                let row = |(method, criterion): (&String, &str)| {
                    let found = paper_mean(method, criterion);
                    let n = if criterion == WORDS {
                        COMMENTS_OF_A_METHOD
                    } else {
                        RATINGS
                    };
                    vec![
                        label(method),
                        Cell::number(found.map(|found| found.mean), 2),
                        count(found.is_some(), n),
                        found.map_or(Cell::None, |found| Cell::from(if found.differs { "yes" } else { "no" })),
                    ]
                };
                (&MEANS, of_means.chain(of_words).map(row).collect())
            }
            Which::Errors => {
                let row = |row: &super::errors::ErrorRow| {
                    vec![label(&row.method), Cell::number(paper_rate(&row.method, &row.kind), 2)]
                };
                (&ERRORS, self.errors.iter().map(row).collect())
            }
            Which::Agreement => {
                let row = |row: &super::agreement::AgreementRow| {
                    let found = paper::kappa(&row.criterion);
                    let [n, raters] = [COMMENTS, RATERS].map(|n| count(found.is_some(), n));
                    vec![Cell::number(found, 4), n, raters]
                };
                (&AGREEMENT, self.agreement.iter().map(row).collect())
            }
            Which::Correlations => {
                let row = |row: &super::correlations::CorrelationRow| {
                    let found = paper::correlation(&row.metric, &row.criterion);
                    vec![
                        Cell::number(found.map(|found| found.0), 2),
                        Cell::number(found.map(|found| found.1), 2),
                        count(found.is_some(), COMMENTS),
                    ]
                };
                (&CORRELATIONS, self.correlations.iter().map(row).collect())
            }
            Which::GccEval => {
                let row = |row: &super::gcc_eval::GccEvalRow| {
                    vec![
                        label(&row.method),
                        Cell::number(paper_gcc(&row.method, row.criterion), 2),
                    ]
                };
                (&GCC_EVAL, self.gcc_eval.iter().map(row).collect())
            }
            _ => return table,
        };
        table.head.extend(head.iter().map(|&name| name.to_owned()));
        for (row, cells) in table.rows.iter_mut().zip(cells) {
            row.extend(cells);
        }
        table
    }

    fn methods_of(&self, which: Which) -> Vec<&str> {
        match which {
            Which::Errors => distinct(self.errors.iter().map(|row| row.method.as_str())),
            Which::GccEval => distinct(self.gcc_eval.iter().map(|row| row.method.as_str())),
            _ => distinct(self.means.iter().map(|row| row.method.as_str())),
        }
    }

    fn means_beside(&self, table: &mut Table) -> Beside {
        let methods = self.methods_of(Which::Means);
        let mut columns = distinct(self.means.iter().map(|row| row.criterion.as_str()));
        if !self.words.is_empty() {
            columns.push(WORDS);
        }
        // From the last, so that the places of those before stay.
        for (place, criterion) in columns.iter().enumerate().rev() {
            let (name, n, decimals) = match *criterion {
                WORDS => ("words", COMMENTS_OF_A_METHOD, 1),
                criterion => (criterion, RATINGS, 2),
            };
            let cell = |method: &&str| {
                paper_mean(method, criterion).map_or(Cell::None, |PaperMean { mean, differs }| {
                    Cell::Text(format!("{mean:.decimals$}{}", if differs { "*" } else { "" }))
                })
            };
            insert(
                table,
                place + 2,
                &format!("{name}, paper (n = {n})"),
                methods.iter().map(cell),
            );
        }
        let all = columns.contains(&"correctness") && methods.iter().any(|name| PaperMethod::of(name).is_some());
        let mut more = vec!["In the paper's columns * is a difference from its CCC with p < 0.001."];
        more.extend(all.then_some("The paper's text has CCC second in correctness; in its Table 1 it is third."));
        Beside {
            number: 1,
            base: format!("n ratings of a method: {COMMENTS_OF_A_METHOD} moves by {RATERS} raters"),
            more,
        }
    }

    fn errors_beside(&self, table: &mut Table) -> Beside {
        let kinds = distinct(self.errors.iter().map(|row| row.kind.as_str()));
        for (place, method) in self.methods_of(Which::Errors).into_iter().enumerate().rev() {
            if let Some(counterpart) = PaperMethod::of(method) {
                let cells = kinds.iter().map(|kind| Cell::number(paper_rate(method, kind), 2));
                insert(table, place + 2, &format!("{}, paper", counterpart.label()), cells);
            }
        }
        Beside {
            number: 2,
            base: "of how many ratings or comments these are shares is not said".to_owned(),
            more: Vec::new(),
        }
    }

    fn agreement_beside(&self, table: &mut Table) -> Beside {
        let cells = self
            .agreement
            .iter()
            .map(|row| Cell::number(paper::kappa(&row.criterion), 3));
        // After the criterion, κ and κ of ranks.
        insert(table, 3, &format!("κ of ranks, paper (n = {COMMENTS})"), cells);
        Beside {
            number: 3,
            base: format!("n comments, {RATERS} raters"),
            more: Vec::new(),
        }
    }

    fn correlations_beside(&self, table: &mut Table) -> Beside {
        let criteria = distinct(self.correlations.iter().map(|row| row.criterion.as_str()));
        let metrics = distinct(self.correlations.iter().map(|row| row.metric.as_str()));
        for (place, criterion) in criteria.into_iter().enumerate().rev() {
            type Part = fn((f64, f64)) -> f64;
            let parts: [(&str, Part); 2] = [("τ", |(_, tau)| tau), ("r", |(r, _)| r)];
            for (name, part) in parts {
                let cells = metrics
                    .iter()
                    .map(|metric| Cell::number(paper::correlation(metric, criterion).map(part), 2));
                insert(
                    table,
                    2 * place + 3,
                    &format!("{criterion} {name}, paper (n = {COMMENTS})"),
                    cells,
                );
            }
        }
        Beside {
            number: 4,
            base: format!("n comments, those of the reference among them, with the means of {RATERS} raters"),
            more: Vec::new(),
        }
    }

    fn gcc_eval_beside(&self, table: &mut Table) -> Beside {
        let methods = self.methods_of(Which::GccEval);
        let metrics = distinct(self.gcc_eval.iter().map(|row| row.metric.as_str()));
        for (place, metric) in metrics.into_iter().enumerate().rev() {
            if let Some(criterion) = paper::gcc_criterion(metric) {
                let cells = methods
                    .iter()
                    .map(|method| Cell::number(paper_gcc(method, criterion), 2));
                insert(table, place + 2, &format!("{criterion}, paper"), cells);
            }
        }
        Beside {
            number: 5,
            base: "shares of the scale; n is not said".to_owned(),
            more: Vec::new(),
        }
    }
}

const MEANS: [&str; 4] = ["paper_method", "paper_mean", "paper_n", "paper_differs_from_ccc"];
const ERRORS: [&str; 2] = ["paper_method", "paper_rate"];
const AGREEMENT: [&str; 3] = ["paper_fleiss_kappa_ranks", "paper_n", "paper_raters"];
const CORRELATIONS: [&str; 3] = ["paper_pearson", "paper_kendall", "paper_n"];
const GCC_EVAL: [&str; 2] = ["paper_method", "paper_mean"];

/// A column at a place, unless it has no figure at all.
fn insert(table: &mut Table, place: usize, head: &str, cells: impl Iterator<Item = Cell>) {
    let cells: Vec<Cell> = cells.collect();
    if cells.iter().any(|cell| *cell != Cell::None) {
        table.insert_column(place, head.to_owned(), cells);
    }
}

/// Which method of the paper stands beside which of ours, a sentence.
fn counterparts(methods: &[&str]) -> Option<String> {
    let pair = |method: &&str| Some(format!("{method}: the paper's {}", PaperMethod::of(method)?.label()));
    let pairs: Vec<String> = methods.iter().filter_map(pair).collect();
    (!pairs.is_empty()).then(|| format!("Beside {}.", pairs.join("; beside ")))
}

fn paper_mean(method: &str, criterion: &str) -> Option<PaperMean> {
    let method = PaperMethod::of(method)?;
    match criterion {
        WORDS => paper::words(method),
        criterion => paper::mean(method, criterion),
    }
}

fn paper_rate(method: &str, kind: &str) -> Option<f64> {
    paper::error_rate(PaperMethod::of(method)?, kind)
}

fn paper_gcc(method: &str, criterion: &str) -> Option<f64> {
    paper::gcc_eval(PaperMethod::of(method)?, criterion)
}

//! The tables of a report: laid out as in the paper for people, one figure a column for programs.

use super::{
    Report,
    agreement::AgreementRow,
    means::{Comparison, WORDS},
    table::{Cell, Table, p_value, rounded},
};

/// The level at which a comparison is marked.
pub const MARKED: f64 = 0.001;

/// One of the report's tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Which {
    /// Table 1: means.
    Means,
    /// The comparisons behind Table 1's marks.
    Comparisons,
    /// Table 2: kinds of errors.
    Errors,
    /// Table 3: agreement.
    Agreement,
    /// Table 4: correlations.
    Correlations,
    /// How often each rating was given.
    Distributions,
    /// Raters.
    Raters,
}

impl Which {
    /// All, in their order.
    pub const ALL: [Self; 7] = [
        Self::Means,
        Self::Comparisons,
        Self::Errors,
        Self::Agreement,
        Self::Correlations,
        Self::Distributions,
        Self::Raters,
    ];

    /// A name for options and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Means => "means",
            Self::Comparisons => "comparisons",
            Self::Errors => "errors",
            Self::Agreement => "agreement",
            Self::Correlations => "correlations",
            Self::Distributions => "distributions",
            Self::Raters => "raters",
        }
    }
}

impl Report {
    /// A table for people.
    #[must_use]
    pub fn table(&self, which: Which) -> Table {
        let mut table = match which {
            Which::Means => self.means_table(),
            Which::Errors => self.errors_table(),
            Which::Agreement => self.agreement_table(),
            Which::Correlations => self.correlations_table(),
            Which::Comparisons | Which::Distributions | Which::Raters => return self.rows(which),
        };
        self.mark_simulated(&mut table);
        table
    }

    /// Says of a table that its ratings are not people's, if so: in its caption, and in a column where tables go to
    /// programs, which drop captions.
    fn mark_simulated(&self, table: &mut Table) {
        if let Some(words) = self.simulated_words() {
            table.caption = format!("{words} {}", table.caption);
        }
    }

    /// "Simulated raters, not people." where there are any.
    #[must_use]
    pub fn simulated_words(&self) -> Option<String> {
        match (self.simulated, self.counts.raters) {
            (0, _) => None,
            (simulated, all) if simulated == all => Some("Simulated raters, not people.".to_owned()),
            (simulated, all) => Some(format!("{simulated} of {all} raters are simulated, not people.")),
        }
    }

    /// A table for programs: one row a case, one figure a column.
    #[must_use]
    pub fn rows(&self, which: Which) -> Table {
        let (caption, head, rows): (&str, &[&str], Vec<Vec<Cell>>) = match which {
            Which::Means => ("Means.", &MEANS, self.means_rows()),
            Which::Comparisons => (
                "Comparisons with the chosen method.",
                &COMPARISONS,
                self.comparison_rows(),
            ),
            Which::Errors => ("Kinds of errors.", &ERRORS, self.error_rows()),
            Which::Agreement => ("Agreement.", &AGREEMENT, self.agreement_rows()),
            Which::Correlations => ("Correlations.", &CORRELATIONS, self.correlation_rows()),
            Which::Distributions => (
                "How often each rating was given.",
                &DISTRIBUTIONS,
                self.distribution_rows(),
            ),
            Which::Raters => ("Raters.", &RATERS, self.rater_rows()),
        };
        let mut notes = Vec::new();
        if which == Which::Comparisons {
            notes.push(sentence(&self.test));
            notes.extend(self.comparisons.iter().filter_map(|row| {
                let reason = row.undefined?;
                Some(format!("No p-value for {} of {}: {reason}.", row.criterion, row.method))
            }));
        }
        let mut table = Table {
            caption: caption.to_owned(),
            head: head.iter().map(|&name| name.to_owned()).collect(),
            rows,
            notes,
        };
        self.mark_simulated(&mut table);
        if self.simulated > 0 {
            table.head.push("simulated_raters".to_owned());
            for row in &mut table.rows {
                row.push(Cell::Count(self.simulated));
            }
        }
        table
    }

    fn methods(&self) -> Vec<&str> {
        distinct(self.means.iter().map(|row| row.method.as_str()))
    }

    fn criteria(&self) -> Vec<&str> {
        distinct(self.means.iter().map(|row| row.criterion.as_str()))
    }

    fn comparison(&self, method: &str, criterion: &str) -> Option<&Comparison> {
        self.comparisons
            .iter()
            .find(|row| row.method == method && row.criterion == criterion)
    }

    fn mark(&self, method: &str, criterion: &str) -> &'static str {
        let p = self.comparison(method, criterion).and_then(|row| row.p_holm);
        if p.is_some_and(|p| p < MARKED) { "*" } else { "" }
    }

    fn means_table(&self) -> Table {
        let criteria = self.criteria();
        let mut head = vec!["method".to_owned()];
        head.extend(criteria.iter().map(|&name| name.to_owned()));
        if !self.words.is_empty() {
            head.push("words per comment".to_owned());
        }
        let rows = self.methods().into_iter().map(|method| {
            let mut row = vec![Cell::from(method)];
            for criterion in &criteria {
                let found = self
                    .means
                    .iter()
                    .find(|row| row.method == method && row.criterion == *criterion);
                row.push(
                    found
                        .and_then(|row| Some((row.mean?, row.low.zip(row.high))))
                        .map_or(Cell::None, |(mean, ends)| {
                            Cell::Text(with_interval(mean, ends, 2) + self.mark(method, criterion))
                        }),
                );
            }
            if !self.words.is_empty() {
                let found = self.words.iter().find(|row| row.method == method);
                row.push(found.map_or(Cell::None, |row| {
                    Cell::Text(rounded(row.mean, 1) + self.mark(method, WORDS))
                }));
            }
            row
        });
        let percent = rounded(100.0 * self.level, 0);
        let mut notes = vec![format!(
            "Ratings as shares of the scale, 0 to 1; in brackets {percent} % intervals: {}.",
            self.interval
        )];
        if let Some(baseline) = &self.baseline {
            notes.push(format!(
                "* differs from {baseline} with p < {MARKED}. {}",
                sentence(&self.test)
            ));
        }
        notes.extend(self.means.iter().filter_map(|row| {
            let reason = row.undefined?;
            Some(format!(
                "No interval for {} of {}: {reason}.",
                row.criterion, row.method
            ))
        }));
        Table {
            caption: format!(
                "Mean ratings by {} raters of {} comments on {} moves.",
                self.counts.raters, self.counts.items, self.counts.positions
            ),
            rows: rows.collect(),
            head,
            notes,
        }
    }

    fn errors_table(&self) -> Table {
        let methods = distinct(self.errors.iter().map(|row| row.method.as_str()));
        let kinds = distinct(self.errors.iter().map(|row| row.kind.as_str()));
        let mut head = vec!["kind of error".to_owned()];
        head.extend(methods.iter().map(|&name| name.to_owned()));
        let rows = kinds.into_iter().map(|kind| {
            let of = |method: &str| self.errors.iter().find(|row| row.kind == kind && row.method == method);
            let label = methods
                .first()
                .and_then(|method| of(method))
                .map_or(kind, |row| &row.label);
            let mut row = vec![Cell::from(label)];
            row.extend(
                methods
                    .iter()
                    .map(|method| Cell::number(of(method).and_then(|row| row.rate), 2)),
            );
            row
        });
        Table {
            caption: "Kinds of errors: the share of a method's ratings in which each was ticked.".to_owned(),
            head,
            rows: rows.collect(),
            notes: vec!["Several may be ticked for one comment.".to_owned()],
        }
    }

    fn agreement_table(&self) -> Table {
        let head = [
            "criterion",
            "Fleiss' κ",
            "κ of ranks",
            "Krippendorff's α (ordinal)",
            "ICC(2,1)",
            "ICC(2,k)",
            "raters",
            "items",
        ];
        let row = |row: &AgreementRow| {
            let mut cells = vec![Cell::from(row.criterion.as_str())];
            let figures = [
                row.fleiss_kappa,
                row.fleiss_kappa_ranks,
                row.krippendorff_alpha,
                row.icc21,
                row.icc2k,
            ];
            cells.extend(figures.map(|figure| Cell::number(figure, 3)));
            cells.extend([Cell::Count(row.raters), Cell::Count(row.items)]);
            cells
        };
        let mut notes = Vec::new();
        for row in &self.agreement {
            let [fewest, most] = row.ratings_per_item;
            if fewest < most {
                notes.push(format!(
                    "{}: items have {fewest} to {most} ratings; κ is generalised to unequal numbers.",
                    row.criterion
                ));
            }
            for (figure, reason) in &row.undefined {
                notes.push(format!("No {} for {}: {reason}.", figure_name(figure), row.criterion));
            }
        }
        Table {
            caption: "Agreement between raters.".to_owned(),
            head: head.map(str::to_owned).to_vec(),
            rows: self.agreement.iter().map(row).collect(),
            notes,
        }
    }

    fn correlations_table(&self) -> Table {
        let criteria = distinct(self.correlations.iter().map(|row| row.criterion.as_str()));
        let mut head = vec!["metric".to_owned()];
        head.extend(
            criteria
                .iter()
                .flat_map(|name| [format!("{name} r"), format!("{name} τ")]),
        );
        let metrics = distinct(self.correlations.iter().map(|row| row.metric.as_str()));
        let rows = metrics.into_iter().map(|metric| {
            let mut cells = vec![Cell::from(metric)];
            for criterion in &criteria {
                let found = self
                    .correlations
                    .iter()
                    .find(|row| row.metric == metric && row.criterion == *criterion);
                cells.push(Cell::number(found.and_then(|row| row.pearson), 2));
                cells.push(Cell::number(found.and_then(|row| row.kendall), 2));
            }
            cells
        });
        let reason = |row: &super::correlations::CorrelationRow| {
            Some(format!("{} of {}: {}.", row.metric, row.criterion, row.undefined?))
        };
        Table {
            caption: "Automatic metrics against people's mean ratings: Pearson's r and Kendall's τ.".to_owned(),
            rows: rows.collect(),
            head,
            notes: self.correlations.iter().filter_map(reason).collect(),
        }
    }

    fn means_rows(&self) -> Vec<Vec<Cell>> {
        let mean = |row: &super::means::MeanRow| {
            let mut cells = vec![Cell::from(row.method.as_str()), Cell::from(row.criterion.as_str())];
            cells.extend([row.mean, row.low, row.high].map(|figure| Cell::number(figure, 3)));
            cells.extend([row.n, row.positions, row.raters].map(Cell::Count));
            cells
        };
        let words = |row: &super::means::WordsRow| {
            let mut cells = vec![
                Cell::from(row.method.as_str()),
                Cell::from(WORDS),
                Cell::Number(row.mean, 1),
            ];
            cells.extend([row.low, row.high].map(|figure| Cell::number(figure, 1)));
            cells.extend([Cell::Count(row.n), Cell::Count(row.n), Cell::Count(0)]);
            cells
        };
        self.means
            .iter()
            .map(mean)
            .chain(self.words.iter().map(words))
            .collect()
    }

    fn comparison_rows(&self) -> Vec<Vec<Cell>> {
        let p = |p: Option<f64>| p.map_or(Cell::None, |p| Cell::Number(p, if p < MARKED { 6 } else { 3 }));
        let row = |row: &Comparison| {
            vec![
                Cell::from(row.method.as_str()),
                Cell::from(row.baseline.as_str()),
                Cell::from(row.criterion.as_str()),
                Cell::number(row.difference, 3),
                p(row.p),
                p(row.p_holm),
                Cell::number(row.effect, 2),
                Cell::Count(row.positions),
                Cell::Count(row.pairs),
            ]
        };
        self.comparisons.iter().map(row).collect()
    }

    fn error_rows(&self) -> Vec<Vec<Cell>> {
        let row = |row: &super::errors::ErrorRow| {
            let mut cells = vec![Cell::from(row.method.as_str()), Cell::from(row.kind.as_str())];
            cells.extend([row.rate, row.low, row.high].map(|figure| Cell::number(figure, 3)));
            cells.extend([row.count, row.n, row.asked].map(Cell::Count));
            cells.push(Cell::number(row.rate_asked, 3));
            cells
        };
        self.errors.iter().map(row).collect()
    }

    fn agreement_rows(&self) -> Vec<Vec<Cell>> {
        let row = |row: &AgreementRow| {
            let mut cells = vec![Cell::from(row.criterion.as_str())];
            let figures = [
                row.fleiss_kappa,
                row.fleiss_kappa_ranks,
                row.krippendorff_alpha,
                row.alpha_nominal,
                row.alpha_interval,
                row.icc21,
                row.icc2k,
                row.icc2k_low,
                row.icc2k_high,
            ];
            cells.extend(figures.map(|figure| Cell::number(figure, 3)));
            cells.extend([row.raters, row.items, row.crossed_items, row.ratings].map(Cell::Count));
            cells
        };
        self.agreement.iter().map(row).collect()
    }

    fn correlation_rows(&self) -> Vec<Vec<Cell>> {
        let row = |row: &super::correlations::CorrelationRow| {
            let mut cells = vec![Cell::from(row.metric.as_str()), Cell::from(row.criterion.as_str())];
            let figures = [
                row.pearson,
                row.pearson_p,
                row.pearson_low,
                row.pearson_high,
                row.kendall,
                row.kendall_p,
                row.kendall_low,
                row.kendall_high,
            ];
            cells.extend(figures.map(|figure| Cell::number(figure, 3)));
            cells.push(Cell::Count(row.n));
            cells
        };
        self.correlations.iter().map(row).collect()
    }

    fn distribution_rows(&self) -> Vec<Vec<Cell>> {
        let rows = self.distributions.iter().flat_map(|row| {
            row.counts.iter().map(|(value, count)| {
                vec![
                    Cell::from(row.criterion.as_str()),
                    Cell::from(row.method.as_str()),
                    Cell::Number(*value, 0),
                    Cell::Count(*count),
                    Cell::number((row.n > 0).then(|| *count as f64 / row.n as f64), 3),
                ]
            })
        });
        rows.collect()
    }

    fn rater_rows(&self) -> Vec<Vec<Cell>> {
        let row = |row: &super::quality::RaterRow| {
            let left_out = self.excluded.iter().any(|excluded| excluded.rater == row.rater);
            let flags: Vec<&str> = row.flags.iter().map(|flag| flag.words()).collect();
            let mut cells = vec![Cell::from(row.rater.as_str())];
            cells.extend([row.items, row.ratings, row.checks, row.failed_checks].map(Cell::Count));
            cells.push(Cell::number(row.repeat_difference, 2));
            cells.push(Cell::number(row.median_active_ms.map(|ms| ms as f64 / 1000.0), 1));
            cells.extend(
                [row.speed_index, row.too_fast, row.straight, row.with_others].map(|figure| Cell::number(figure, 2)),
            );
            cells.push(Cell::Text(flags.join("; ")));
            cells.push(Cell::from(if left_out { "no" } else { "yes" }));
            cells
        };
        self.raters.iter().map(row).collect()
    }
}

const MEANS: [&str; 8] = ["method", "criterion", "mean", "low", "high", "n", "positions", "raters"];
const COMPARISONS: [&str; 9] = [
    "method",
    "baseline",
    "criterion",
    "difference",
    "p",
    "p_holm",
    "effect",
    "positions",
    "pairs",
];
const ERRORS: [&str; 9] = [
    "method",
    "kind",
    "rate",
    "low",
    "high",
    "count",
    "n",
    "asked",
    "rate_asked",
];
const AGREEMENT: [&str; 14] = [
    "criterion",
    "fleiss_kappa",
    "fleiss_kappa_ranks",
    "krippendorff_alpha",
    "alpha_nominal",
    "alpha_interval",
    "icc21",
    "icc2k",
    "icc2k_low",
    "icc2k_high",
    "raters",
    "items",
    "crossed_items",
    "ratings",
];
const CORRELATIONS: [&str; 11] = [
    "metric",
    "criterion",
    "pearson",
    "pearson_p",
    "pearson_low",
    "pearson_high",
    "kendall",
    "kendall_p",
    "kendall_low",
    "kendall_high",
    "n",
];
const DISTRIBUTIONS: [&str; 5] = ["criterion", "method", "value", "count", "share"];
const RATERS: [&str; 13] = [
    "rater",
    "items",
    "ratings",
    "checks",
    "failed_checks",
    "repeat_difference",
    "median_active_s",
    "speed_index",
    "too_fast",
    "straight",
    "with_others",
    "flags",
    "included",
];

/// `0.62 [0.55, 0.69]`, or the mean alone.
pub(super) fn with_interval(mean: f64, ends: Option<(f64, f64)>, decimals: usize) -> String {
    let mean = rounded(mean, decimals);
    ends.map_or_else(
        || mean.clone(),
        |(low, high)| format!("{mean} [{}, {}]", rounded(low, decimals), rounded(high, decimals)),
    )
}

/// A figure's name for people.
fn figure_name(key: &str) -> &str {
    match key {
        "fleiss_kappa" => "Fleiss' κ",
        "fleiss_kappa_ranks" => "κ of ranks",
        "krippendorff_alpha" => "Krippendorff's α (ordinal)",
        "alpha_nominal" => "Krippendorff's α (nominal)",
        "alpha_interval" => "Krippendorff's α (interval)",
        "icc21" => "ICC(2,1)",
        "icc2k" => "ICC(2,k)",
        "icc2k_interval" => "interval of ICC(2,k)",
        other => other,
    }
}

/// Beginning with a capital and ending in a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().to_string())
        .unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

/// Each once, in the order of their first appearance.
pub(crate) fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut distinct: Vec<&str> = Vec::new();
    for name in names {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    }
    distinct
}

/// A comparison in words, for captions and tooltips.
#[must_use]
pub fn comparison_words(row: &Comparison) -> String {
    match (row.difference, row.p_holm, row.undefined) {
        (Some(difference), Some(p), _) => format!(
            "{} against {}: {} on {} positions, p = {} (Holm)",
            row.method,
            row.baseline,
            rounded(difference, 3),
            row.positions,
            p_value(p)
        ),
        (_, _, Some(reason)) => format!("{} against {}: {reason}", row.method, row.baseline),
        _ => format!("{} against {}: nothing to compare", row.method, row.baseline),
    }
}

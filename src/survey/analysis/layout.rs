//! The tables of a report: laid out as in the paper for people, one figure a column for programs.

use std::collections::BTreeSet;

use super::{
    Report,
    agreement::{AgreementRow, Base, SEED},
    gcc_eval::GccEvalRow,
    means::{Comparison, WORDS},
    participants::{MOST_FIELDS, ParticipantRow, fields, summary},
    spans::{SpanAgreementRow, SpanConditionRow},
    table::{Better, Cell, Table, marks, p_value, rounded},
};
use crate::stats::bootstrap::RESAMPLES;

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
    /// Table 5: GCC-Eval.
    GccEval,
    /// Agreement on words marked as wrong.
    Spans,
    /// What marks that were there before do.
    SpanConditions,
    /// How often each rating was given.
    Distributions,
    /// The raters one by one: times, checks, agreement with the others.
    Raters,
    /// Who took part.
    Participants,
}

impl Which {
    /// All tables, in the order in which the page and the files have them.
    pub const ALL: [Self; 11] = [
        Self::Means,
        Self::Comparisons,
        Self::Errors,
        Self::Agreement,
        Self::Correlations,
        Self::GccEval,
        Self::Spans,
        Self::SpanConditions,
        Self::Distributions,
        Self::Raters,
        Self::Participants,
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
            Self::GccEval => "gcc-eval",
            Self::Spans => "spans",
            Self::SpanConditions => "span-conditions",
            Self::Distributions => "distributions",
            Self::Raters => "raters",
            Self::Participants => "participants",
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
            Which::GccEval => self.gcc_eval_table(),
            Which::Spans => {
                let mut table = self.rows(which);
                // Comment by comment they are many: those are in the CSV.
                let pooled = self
                    .spans
                    .agreement
                    .iter()
                    .take_while(|row| row.scope != "comment")
                    .count();
                table.rows.truncate(pooled);
                return table;
            }
            Which::Comparisons | Which::SpanConditions | Which::Distributions | Which::Raters | Which::Participants => {
                return self.rows(which);
            }
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
            Which::GccEval => ("GCC-Eval.", &GCC_EVAL, self.gcc_eval_rows()),
            Which::Spans => (
                "Agreement on words marked as wrong: Krippendorff's α of tokens, F1 of the same marks.",
                &SPANS,
                self.span_rows(),
            ),
            Which::SpanConditions => (
                "Marks by what was marked before.",
                &SPAN_CONDITIONS,
                self.span_condition_rows(),
            ),
            Which::Distributions => (
                "How often each rating was given.",
                &DISTRIBUTIONS,
                self.distribution_rows(),
            ),
            Which::Raters => ("Raters.", &RATERS, self.rater_rows()),
            Which::Participants => ("Who took part.", &PARTICIPANTS, self.participant_rows()),
        };
        let mut head: Vec<String> = head.iter().map(|&name| name.to_owned()).collect();
        let mut notes = Vec::new();
        if which == Which::Participants {
            notes.extend(summary(&self.participants));
            let (fields, more) = fields(&self.participants);
            head.extend(fields.into_iter().map(|field| format!("form_{field}")));
            if more > 0 {
                notes.push(format!(
                    "{more} more form fields have no column: at most {MOST_FIELDS} are listed."
                ));
            }
        }
        if which == Which::Spans {
            notes.extend(self.span_notes());
        }
        if which == Which::SpanConditions && !self.spans.conditions.is_empty() {
            notes.push(
                "kept and accepted: the share of the check's marks, and of planted ones, among the raters' marks in the end, \
                 with the same words and kind. Under “hidden” raters saw neither."
                    .to_owned(),
            );
        }
        if which == Which::Comparisons {
            notes.push(sentence(&self.test));
            notes.extend(self.comparisons.iter().filter_map(|row| {
                let reason = row.undefined?;
                Some(format!("No p-value for {} of {}: {reason}.", row.criterion, row.method))
            }));
        }
        let mut table = Table {
            caption: caption.to_owned(),
            head,
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
        let methods = self.methods();
        let mean = |method: &str, criterion: &str| {
            let of_both = |row: &&super::means::MeanRow| row.method == method && row.criterion == criterion;
            self.means.iter().find(of_both)
        };
        let ranks: Vec<_> = criteria
            .iter()
            .map(|criterion| {
                let means = methods.iter().map(|method| mean(method, criterion)?.mean);
                marks(&means.collect::<Vec<_>>(), Better::Higher, 2)
            })
            .collect();
        let rows = methods.iter().enumerate().map(|(place, method)| {
            let mut row = vec![Cell::from(*method)];
            for (criterion, ranks) in criteria.iter().zip(&ranks) {
                let found = mean(method, criterion).and_then(|row| Some((row.mean?, row.low.zip(row.high))));
                row.push(found.map_or(Cell::None, |(mean, ends)| {
                    Cell::Text(with_interval(mean, ends, 2) + self.mark(method, criterion)).marked(ranks[place])
                }));
            }
            if !self.words.is_empty() {
                let found = self.words.iter().find(|row| row.method == *method);
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
        ];
        let row = |row: &AgreementRow| {
            let with_ends = |figure: Option<f64>, low: Option<f64>, high: Option<f64>| match figure {
                Some(figure) if low.is_some() => Cell::Text(with_interval(figure, low.zip(high), 3)),
                figure => Cell::number(figure, 3),
            };
            vec![
                Cell::from(row.criterion.as_str()),
                with_ends(row.fleiss_kappa, row.fleiss_kappa_low, row.fleiss_kappa_high),
                with_ends(
                    row.fleiss_kappa_ranks,
                    row.fleiss_kappa_ranks_low,
                    row.fleiss_kappa_ranks_high,
                ),
                with_ends(
                    row.krippendorff_alpha,
                    row.krippendorff_alpha_low,
                    row.krippendorff_alpha_high,
                ),
                Cell::number(row.icc21, 3),
                Cell::number(row.icc2k, 3),
            ]
        };
        let mut notes = vec![format!(
            "In brackets {} % intervals: percentiles of {RESAMPLES} bootstrap resamples of the positions, seed {SEED}.",
            rounded(100.0 * self.level, 0)
        )];
        notes.extend(self.bases());
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

    /// What each coefficient of Table 3 rests on; criteria with the same base are said together.
    fn bases(&self) -> Vec<String> {
        let kinds: [Rests; 3] = [
            ("κ and α", "items with two ratings or more", |row| row.base),
            (
                "κ of ranks",
                "comments on positions that two raters or more rated whole",
                |row| row.base_ranks,
            ),
            ("ICC", "items that all raters rated", |row| row.base_icc),
        ];
        let mut notes = Vec::new();
        for (name, what, base) in kinds {
            let mut same: Vec<(Base, Vec<&str>)> = Vec::new();
            for row in &self.agreement {
                match same.iter_mut().find(|(known, _)| *known == base(row)) {
                    Some((_, criteria)) => criteria.push(&row.criterion),
                    None => same.push((base(row), vec![&row.criterion])),
                }
            }
            let alone = same.len() == 1;
            notes.extend(same.into_iter().map(|(base, criteria)| {
                let of = if alone {
                    String::new()
                } else {
                    format!(" of {}", criteria.join(", "))
                };
                format!(
                    "{name}{of}: {} {what}, {} raters, {} ratings.",
                    base.items, base.raters, base.ratings
                )
            }));
        }
        notes
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
        let mut notes: Vec<String> = self.correlations.iter().filter_map(reason).collect();
        if self.reference_counted {
            notes.push("Reference comments count in BLEU and ROUGE too: each overlaps with itself by 1.".to_owned());
        }
        Table {
            caption: "Automatic metrics against people's mean ratings: Pearson's r and Kendall's τ.".to_owned(),
            rows: rows.collect(),
            head,
            notes,
        }
    }

    fn gcc_eval_table(&self) -> Table {
        let methods = distinct(self.gcc_eval.iter().map(|row| row.method.as_str()));
        let metrics = distinct(self.gcc_eval.iter().map(|row| row.metric.as_str()));
        let found = |method: &str, metric: &str| {
            let of_both = |row: &&GccEvalRow| row.method == method && row.metric == metric;
            self.gcc_eval.iter().find(of_both)
        };
        let mut head = vec!["method".to_owned()];
        head.extend(metrics.iter().map(|&metric| metric.to_owned()));
        let row = |method: &&str| {
            let of = |metric: &&str| Cell::number(found(method, metric).map(|row| row.mean), 2);
            std::iter::once(Cell::from(*method))
                .chain(metrics.iter().map(of))
                .collect()
        };
        let mut notes = Vec::new();
        if self.gcc_eval.iter().any(|row| !(0.0..=1.0).contains(&row.mean)) {
            notes.push("These scores are not shares of a scale, 0 to 1; nothing is rescaled.".to_owned());
        }
        let counts = || self.gcc_eval.iter().map(|row| row.n);
        if let (Some(fewest), Some(most)) = (counts().min(), counts().max()) {
            let n = if fewest == most {
                fewest.to_string()
            } else {
                format!("{fewest} to {most}")
            };
            notes.push(format!(
                "Means of {n} comments that were rated and have the score; intervals: copy as CSV."
            ));
        }
        let mut table = Table {
            caption: "Automatic evaluation: mean GCC-Eval by method.".to_owned(),
            rows: methods.iter().map(row).collect(),
            head,
            notes,
        };
        for column in 1..table.head.len() {
            table.mark_column(column, Better::Higher);
        }
        table
    }

    fn gcc_eval_rows(&self) -> Vec<Vec<Cell>> {
        let row = |row: &GccEvalRow| {
            let mut cells = [&row.method, &row.metric, row.criterion].map(Cell::from).to_vec();
            cells.extend([Some(row.mean), row.low, row.high].map(|figure| Cell::number(figure, 3)));
            cells.push(Cell::Count(row.n));
            cells
        };
        self.gcc_eval.iter().map(row).collect()
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
                row.fleiss_kappa_low,
                row.fleiss_kappa_high,
                row.fleiss_kappa_ranks,
                row.fleiss_kappa_ranks_low,
                row.fleiss_kappa_ranks_high,
                row.krippendorff_alpha,
                row.krippendorff_alpha_low,
                row.krippendorff_alpha_high,
                row.alpha_nominal,
                row.alpha_interval,
                row.icc21,
                row.icc2k,
                row.icc2k_low,
                row.icc2k_high,
            ];
            cells.extend(figures.map(|figure| Cell::number(figure, 3)));
            cells.extend([row.raters, row.items, row.crossed_items, row.ratings].map(Cell::Count));
            for base in [row.base, row.base_ranks, row.base_icc] {
                cells.extend([base.items, base.raters, base.ratings].map(Cell::Count));
            }
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

    fn span_rows(&self) -> Vec<Vec<Cell>> {
        let text = |text: &Option<String>| text.as_deref().map_or(Cell::None, Cell::from);
        let row = |row: &SpanAgreementRow| {
            let mut cells = vec![Cell::from(row.scope), text(&row.position), text(&row.method)];
            cells.extend([row.comments, row.ratings, row.tokens].map(Cell::Count));
            let figures = [
                row.marked,
                row.alpha,
                row.alpha_low,
                row.alpha_high,
                row.alpha_kinds,
                row.alpha_kinds_low,
                row.alpha_kinds_high,
                row.f1,
                row.f1_kinds,
            ];
            cells.extend(figures.map(|figure| Cell::number(figure, 3)));
            cells
        };
        self.spans.agreement.iter().map(row).collect()
    }

    fn span_notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let pooled = self.spans.agreement.iter().take_while(|row| row.scope != "comment");
        for row in pooled {
            notes.extend(row.undefined.map(|reason| format!("No α for {}: {reason}.", row.scope)));
            let reason = row.undefined_interval;
            notes.extend(reason.map(|reason| format!("No interval of α for {}: {reason}.", row.scope)));
        }
        if self.spans.agreement.iter().any(|row| row.alpha_low.is_some()) {
            notes.push(format!(
                "_low and _high: {} % intervals, percentiles of {RESAMPLES} bootstrap resamples of the positions, seed {SEED}.",
                rounded(100.0 * self.level, 0)
            ));
        }
        if self.spans.agreement.iter().any(|row| row.scope == "comment") {
            notes.push("Tokens are words parted by white space. Comment by comment: copy as CSV.".to_owned());
        }
        if self.spans.without_text > 0 {
            notes.push(format!(
                "{} comments with marks have no text here: give the study.",
                self.spans.without_text
            ));
        }
        notes
    }

    fn span_condition_rows(&self) -> Vec<Vec<Cell>> {
        let row = |row: &SpanConditionRow| {
            vec![
                Cell::from(row.condition.word()),
                Cell::Count(row.pages),
                Cell::Count(row.raters),
                Cell::Number(row.marks, 2),
                Cell::Count(row.prefilled),
                Cell::number(row.kept, 3),
                Cell::Count(row.planted),
                Cell::number(row.accepted, 3),
            ]
        };
        self.spans.conditions.iter().map(row).collect()
    }

    fn participant_rows(&self) -> Vec<Vec<Cell>> {
        let (fields, _) = fields(&self.participants);
        let minutes = |ms: Option<u64>| Cell::number(ms.map(|ms| ms as f64 / 60_000.0), 1);
        let text = |text: Option<&str>| text.map_or(Cell::None, Cell::from);
        let yes = |yes: bool| Cell::from(if yes { "yes" } else { "no" });
        let row = |row: &ParticipantRow| {
            let mut cells = vec![
                Cell::from(row.rater.as_str()),
                text(row.participant.as_deref()),
                row.slot.map_or(Cell::None, |slot| Cell::Text(slot.to_string())),
                row.row.map_or(Cell::None, |row| Cell::Text(row.to_string())),
                yes(row.pilot),
                row.outcome.map_or(Cell::None, |outcome| Cell::Text(outcome.word())),
                Cell::Count(row.answered),
                row.pages.map_or(Cell::None, Cell::Count),
                Cell::Count(row.checks_passed),
                Cell::Count(row.checks_failed),
                minutes(row.total_ms),
                minutes(row.active_ms),
                Cell::Text(row.flagged.join("; ")),
                yes(!row.left_out),
            ];
            cells.extend(
                fields
                    .iter()
                    .map(|field| text(row.form.get(*field).map(String::as_str))),
            );
            cells
        };
        self.participants.iter().map(row).collect()
    }

    fn rater_rows(&self) -> Vec<Vec<Cell>> {
        let excluded: BTreeSet<&str> = self.excluded.iter().map(|excluded| excluded.rater.as_str()).collect();
        let row = |row: &super::quality::RaterRow| {
            let left_out = excluded.contains(row.rater.as_str());
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

const SPANS: [&str; 15] = [
    "scope",
    "position",
    "method",
    "comments",
    "ratings",
    "tokens",
    "marked",
    "alpha",
    "alpha_low",
    "alpha_high",
    "alpha_kinds",
    "alpha_kinds_low",
    "alpha_kinds_high",
    "f1",
    "f1_kinds",
];
const SPAN_CONDITIONS: [&str; 8] = [
    "condition",
    "pages",
    "raters",
    "marks_per_page",
    "prefilled",
    "kept",
    "planted",
    "accepted",
];
const PARTICIPANTS: [&str; 14] = [
    "rater",
    "participant",
    "slot",
    "row",
    "pilot",
    "outcome",
    "answered",
    "pages",
    "checks_passed",
    "checks_failed",
    "total_min",
    "active_min",
    "flagged",
    "included",
];

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
const AGREEMENT: [&str; 29] = [
    "criterion",
    "fleiss_kappa",
    "fleiss_kappa_low",
    "fleiss_kappa_high",
    "fleiss_kappa_ranks",
    "fleiss_kappa_ranks_low",
    "fleiss_kappa_ranks_high",
    "krippendorff_alpha",
    "krippendorff_alpha_low",
    "krippendorff_alpha_high",
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
    "kappa_alpha_items",
    "kappa_alpha_raters",
    "kappa_alpha_ratings",
    "ranks_items",
    "ranks_raters",
    "ranks_ratings",
    "icc_items",
    "icc_raters",
    "icc_ratings",
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
const GCC_EVAL: [&str; 7] = ["method", "metric", "criterion", "mean", "low", "high", "n"];
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

/// A coefficient, what it rests on in words, and that base.
type Rests = (&'static str, &'static str, fn(&AgreementRow) -> Base);

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
        "fleiss_kappa_interval" => "interval of Fleiss' κ",
        "fleiss_kappa_ranks_interval" => "interval of κ of ranks",
        "krippendorff_alpha_interval" => "interval of Krippendorff's α (ordinal)",
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

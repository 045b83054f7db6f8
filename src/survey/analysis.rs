//! What ratings say: the tables of the paper, from ratings in long form.
//!
//! | file | what is there |
//! |---|---|
//! | [`material`] | what ratings alone don't say: scales, texts, checks |
//! | [`dataset`] | ratings by criterion and item |
//! | [`means`] | Table 1: means, words, comparisons with a chosen method |
//! | [`errors`] | Table 2: kinds of errors |
//! | [`agreement`] | Table 3: how far raters agree |
//! | [`correlations`] | Table 4: automatic metrics against people |
//! | [`gcc_eval`] | Table 5: GCC-Eval, where comments have its scores |
//! | [`distributions`] | how often each rating was given |
//! | [`quality`] | how carefully each rater rated |
//! | [`participants`] | who took part |
//! | [`spans`] | words marked as wrong: agreement, and what prefilled marks do |
//! | [`pairs`] | how far each two raters agree |
//! | [`change`] | what leaving raters out changes |
//! | [`table`], [`layout`] | the tables as CSV, Markdown and LaTeX |
//! | [`paper`], [`paper_layout`] | the paper's figures, and the tables with them beside ours |
//!
//! [`analyse`] does it all at once. A page that must not be blocked makes a [`Dataset`] and a [`report`] of it with a
//! [`Pace`] of its own.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{long_form::Rating, rater_code::is_simulated};
use crate::pace::{AtOnce, Pace, at_once};

pub mod agreement;
pub mod change;
pub mod correlations;
pub mod dataset;
pub mod distributions;
pub mod errors;
pub mod gcc_eval;
pub mod layout;
pub mod material;
pub mod means;
pub mod options;
pub mod pairs;
pub mod paper;
pub mod paper_layout;
pub mod participants;
pub mod quality;
pub mod spans;
pub mod table;

use agreement::AgreementRow;
use correlations::CorrelationRow;
use dataset::{Dataset, DatasetError};
use distributions::DistributionRow;
use errors::ErrorRow;
use gcc_eval::GccEvalRow;
use material::Material;
use means::{Comparison, MeanRow, WordsRow};
pub use options::{Options, Test};
use participants::ParticipantRow;
use quality::RaterRow;
use spans::SpanReport;

/// A rater whose ratings are left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Excluded {
    /// The rater.
    pub rater: String,
    /// Why the rater is left out, a sentence.
    pub reason: String,
}

/// Everything that the ratings say.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The study's identifier.
    pub study: String,
    /// How many of the raters are simulated: figures with them are not people's.
    pub simulated: usize,
    /// Raters, positions and items that the tables rest on.
    pub counts: Counts,
    /// The level of all intervals.
    pub level: f64,
    /// What the intervals of means are.
    pub interval: &'static str,
    /// What the p-values are of.
    pub test: String,
    /// The method that the others are compared with.
    pub baseline: Option<String>,
    /// Whether comments that are the reference itself count in BLEU and ROUGE.
    pub reference_counted: bool,
    /// Table 1.
    pub means: Vec<MeanRow>,
    /// Words per comment.
    pub words: Vec<WordsRow>,
    /// The methods compared with the baseline.
    pub comparisons: Vec<Comparison>,
    /// Table 2.
    pub errors: Vec<ErrorRow>,
    /// Table 3.
    pub agreement: Vec<AgreementRow>,
    /// Table 4.
    pub correlations: Vec<CorrelationRow>,
    /// Table 5.
    pub gcc_eval: Vec<GccEvalRow>,
    /// Words marked as wrong.
    pub spans: SpanReport,
    /// How often each rating was given.
    pub distributions: Vec<DistributionRow>,
    /// All raters, those left out too.
    pub raters: Vec<RaterRow>,
    /// All who took part, with ratings or without.
    pub participants: Vec<ParticipantRow>,
    /// Raters who are left out.
    pub excluded: Vec<Excluded>,
    /// What there is to know, as sentences.
    pub notes: Vec<String>,
}

/// What the tables rest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Raters who are not left out.
    pub raters: usize,
    /// Different positions among the rated items.
    pub positions: usize,
    /// Items: comments rated.
    pub items: usize,
    /// Ratings on scales, checks apart.
    pub ratings: usize,
}

/// What intervals of means are.
pub const INTERVAL: &str = "t interval of the mean, positions as clusters";

/// Why ratings cannot be analysed as asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnalysisError {
    /// The ratings.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// The method to compare with was not rated.
    #[error("there is no method “{0}” to compare with; there are {1}")]
    Baseline(String, String),
    /// Nobody is left.
    #[error("all {0} raters are left out")]
    Nobody(usize),
}

/// Which raters the options leave out, and why. Of a rater who is named, the flags are said too.
#[must_use]
pub fn excluded(raters: &[RaterRow], options: &Options) -> Vec<Excluded> {
    let reason = |row: &RaterRow| {
        let words: Vec<&str> = row.flags.iter().map(|flag| flag.words()).collect();
        let flagged = (!words.is_empty()).then(|| format!("flagged: {}", words.join(", ")));
        if options.exclude.contains(&row.rater) {
            let named = "named to be left out".to_owned();
            return Some(flagged.map_or_else(|| named.clone(), |flagged| format!("{named}; {flagged}")));
        }
        flagged.filter(|_| options.exclude_flagged)
    };
    let row = |row: &RaterRow| {
        Some(Excluded {
            rater: row.rater.clone(),
            reason: reason(row)?,
        })
    };
    raters.iter().filter_map(row).collect()
}

/// Analyses the ratings of one study.
///
/// # Errors
/// Without ratings, with those of several studies, with a scale that isn't known, with a baseline that was not rated,
/// or when nobody is left.
pub fn analyse(ratings: &[Rating], material: &Material, options: &Options) -> Result<Report, AnalysisError> {
    at_once(async {
        let pace = &AtOnce;
        let everybody = &BTreeSet::new();
        let data = Dataset::new([ratings].into_iter(), material, everybody, pace).await?;
        let raters = quality::raters(&data, material, &options.limits, pace).await;
        let excluded = excluded(&raters, options);
        if excluded.is_empty() {
            return report(&data, material, options, Raters { raters, excluded }, pace).await;
        }
        if excluded.len() == raters.len() {
            return Err(AnalysisError::Nobody(raters.len()));
        }
        let without = &excluded.iter().map(|excluded| excluded.rater.clone()).collect();
        let data = Dataset::new([ratings].into_iter(), material, without, pace).await?;
        report(&data, material, options, Raters { raters, excluded }, pace).await
    })
}

/// All raters, and which of them are left out.
#[derive(Debug, Clone, PartialEq)]
pub struct Raters {
    /// All, those left out too.
    pub raters: Vec<RaterRow>,
    /// Those left out: the dataset is without them.
    pub excluded: Vec<Excluded>,
}

/// What a dataset says.
///
/// # Errors
/// With a baseline that was not rated.
pub async fn report(
    data: &Dataset,
    material: &Material,
    options: &Options,
    Raters { raters, excluded }: Raters,
    pace: &impl Pace,
) -> Result<Report, AnalysisError> {
    if let Some(baseline) = &options.baseline
        && data.method(baseline).is_none()
    {
        return Err(AnalysisError::Baseline(baseline.clone(), data.methods.join(", ")));
    }
    let mut notes: Vec<String> = data.notes.iter().map(ToString::to_string).collect();
    notes.extend(correlations::left_out(material));
    let known: BTreeSet<&str> = raters.iter().map(|row| row.rater.as_str()).collect();
    for name in options.exclude.iter().filter(|name| !known.contains(name.as_str())) {
        notes.push(format!("there is no rater “{name}” to leave out"));
    }
    let left_out = excluded.iter().map(|excluded| excluded.rater.as_str()).collect();
    let participants = participants::participants(&material.sessions, &raters, &left_out);
    let distributions = distributions::distributions(data, pace).await;
    for criterion in &data.criteria {
        if !distributions.iter().any(|row| row.criterion == criterion.name) {
            notes.push(format!(
                "{} has more than {} different ratings: how often each was given is not listed",
                criterion.name,
                distributions::MOST_RATINGS
            ));
        }
    }
    Ok(Report {
        study: data.study.clone(),
        simulated: data.raters.iter().filter(|rater| is_simulated(rater)).count(),
        counts: Counts {
            raters: data.raters.len(),
            positions: data.positions.len(),
            items: data.items.len(),
            ratings: data
                .criteria
                .iter()
                .flat_map(|criterion| &criterion.by_item)
                .map(Vec::len)
                .sum(),
        },
        level: options.level,
        interval: INTERVAL,
        test: options.test.words(),
        baseline: options.baseline.clone(),
        reference_counted: options.count_reference,
        means: means::means(data, options, pace).await,
        words: means::words(data, material, options),
        comparisons: means::comparisons(data, material, options, pace).await,
        errors: errors::errors(data, options, pace).await,
        agreement: agreement::agreement(data, options, pace).await,
        correlations: correlations::correlations(data, material, options, pace).await,
        gcc_eval: gcc_eval::gcc_eval(data, material, options),
        spans: spans::spans(data, material, options, pace).await,
        distributions,
        raters,
        participants,
        excluded,
        notes,
    })
}

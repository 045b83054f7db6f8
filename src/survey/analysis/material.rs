//! What ratings alone don't say: the scales' ends, the comments' texts, what checks expect.

use std::collections::{BTreeMap, HashMap};

use crate::survey::{
    criteria::OTHER,
    responses::ResponseSet,
    session_facts::SessionFacts,
    span::Span,
    study::{PLANTED, Study},
};

/// What is known beside the ratings. All of it may be missing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Material {
    /// Criteria in the order of the tables, with the lowest and the highest rating of their scales.
    pub scales: Vec<(String, Ends)>,
    /// Methods in the order of the tables.
    pub methods: Vec<String>,
    /// Questions on what is wrong.
    pub follow_ups: Vec<KindsAsked>,
    /// Comments by position and method.
    pub comments: HashMap<(String, String), CommentText>,
    /// Planted checks by item: for each criterion the ratings that pass.
    pub expected: BTreeMap<String, BTreeMap<String, Vec<f64>>>,
    /// Planted checks by rater and item: whether they were passed.
    pub passed: BTreeMap<(String, String), bool>,
    /// What response sets say of their raters, by code.
    pub sessions: BTreeMap<String, SessionFacts>,
}

/// The ends of a scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ends {
    /// The lowest rating.
    pub low: f64,
    /// The highest.
    pub high: f64,
}

impl Ends {
    /// A rating as a share of the scale, 0..1.
    #[must_use]
    pub fn share(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }

    /// Whether it is on the scale.
    #[must_use]
    pub fn hold(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// A question of which several answers may be ticked: kinds of errors.
#[derive(Debug, Clone, PartialEq)]
pub struct KindsAsked {
    /// Its name in the results: the criterion of its rows.
    pub id: String,
    /// The name of the rows with free text under "other".
    pub text_id: String,
    /// The criterion after whose rating it is asked; `None` where that isn't known.
    pub of: Option<String>,
    /// The ratings after which it is asked.
    pub when: Vec<f64>,
    /// The kinds in their order, with what raters saw.
    pub kinds: Vec<(String, String)>,
}

/// A comment and what is known of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CommentText {
    /// The comment; empty where only its scores are known.
    pub text: String,
    /// What a person wrote on the move.
    pub reference: Option<String>,
    /// What automatic metrics gave it.
    pub scores: BTreeMap<String, f64>,
    /// Words that the claim check marks as wrong.
    pub marks: Vec<Span>,
    /// Wrong marks that can be planted among these.
    pub decoys: Vec<Span>,
}

impl From<&Study> for Material {
    fn from(study: &Study) -> Self {
        let mut material = Self {
            methods: study.methods().into_iter().map(str::to_owned).collect(),
            ..Self::default()
        };
        for criterion in &study.criteria {
            if let Some(points) = study.points(&criterion.id) {
                let ends = Ends {
                    low: 1.0,
                    high: points as f64,
                };
                material.scales.push((criterion.id.clone(), ends));
            }
            if let Some(asked) = &criterion.follow_up {
                let mut kinds: Vec<_> = asked.kinds.iter().map(|k| (k.id.clone(), k.label.clone())).collect();
                if asked.other {
                    kinds.push((OTHER.to_owned(), "Other".to_owned()));
                }
                material.follow_ups.push(KindsAsked {
                    id: asked.id.clone(),
                    text_id: asked.text_id(),
                    of: Some(criterion.id.clone()),
                    when: asked.when.iter().copied().map(f64::from).collect(),
                    kinds,
                });
            }
        }
        for item in &study.items {
            for comment in &item.comments {
                let text = CommentText {
                    text: comment.text.clone(),
                    reference: item.reference.clone(),
                    scores: comment.scores.clone(),
                    marks: comment.marks.clone(),
                    decoys: comment.decoys.clone(),
                };
                material
                    .comments
                    .insert((item.id.clone(), comment.method.clone()), text);
            }
        }
        for check in &study.checks.planted {
            let expected = check.expected.iter().map(|expected| {
                let values = expected.values.iter().copied().map(f64::from).collect();
                (expected.criterion.clone(), values)
            });
            let item = format!("{PLANTED}/{}", check.id);
            material.expected.insert(item, expected.collect());
        }
        material
    }
}

/// Automatic metrics at most: Table 4 has a row for each.
pub const MOST_METRICS: usize = 100;

/// Why a table of scores cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScoresError {
    /// No columns that say which comment.
    #[error("a table of scores needs the columns “position” and “method”, and one more for each metric")]
    Columns,
    /// More metrics than Table 4 has room for.
    #[error("there are {0} columns of scores, and at most {MOST_METRICS} metrics are taken")]
    TooMany(usize),
    /// A field is no number.
    #[error("line {line}: “{text}” is no number for {metric}")]
    Number {
        /// Counted from 1.
        line: u64,
        /// The column.
        metric: String,
        /// What is there.
        text: String,
    },
    /// The text is no CSV.
    #[error("not readable as CSV: {0}")]
    Csv(String),
}

impl Material {
    /// Takes from response sets which planted checks were passed, and who took part.
    pub fn add_sets(&mut self, sets: &[ResponseSet]) {
        for set in sets {
            self.add_set(set);
        }
    }

    /// Takes from a response set which planted checks were passed, and who took part.
    pub fn add_set(&mut self, set: &ResponseSet) {
        self.sessions.insert(set.rater.clone(), SessionFacts::from(set));
        for page in &set.pages {
            if let Some(passed) = page.passed {
                self.passed.insert((set.rater.clone(), page.item.clone()), passed);
            }
        }
    }

    /// Sets the ends of a criterion's scale, whatever they were.
    pub fn set_scale(&mut self, criterion: &str, ends: Ends) {
        match self.scales.iter_mut().find(|(name, _)| name == criterion) {
            Some((_, known)) => *known = ends,
            None => self.scales.push((criterion.to_owned(), ends)),
        }
    }

    /// Takes scores of automatic metrics from a CSV with the columns `position`, `method` and one for each metric;
    /// empty fields are left out. Says how many scores there were.
    ///
    /// # Errors
    /// When it is no such table.
    pub fn add_scores(&mut self, text: &str) -> Result<usize, ScoresError> {
        let text = text.trim_start_matches('\u{feff}');
        let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
        let unreadable = |error: csv::Error| ScoresError::Csv(error.to_string());
        let header = reader.headers().map_err(unreadable)?.clone();
        let place = |wanted: &str| header.iter().position(|name| name.trim() == wanted);
        let (Some(position), Some(method)) = (place("position"), place("method")) else {
            return Err(ScoresError::Columns);
        };
        match header.len().saturating_sub(2) {
            0 => return Err(ScoresError::Columns),
            metrics if metrics > MOST_METRICS => return Err(ScoresError::TooMany(metrics)),
            _ => {}
        }
        let mut count = 0;
        for record in reader.records() {
            let record = record.map_err(unreadable)?;
            let key = (record[position].to_owned(), record[method].to_owned());
            for (column, field) in record.iter().enumerate() {
                if column == position || column == method || field.trim().is_empty() {
                    continue;
                }
                let score: Option<f64> = field.trim().parse().ok().filter(|score: &f64| score.is_finite());
                let score = score.ok_or_else(|| ScoresError::Number {
                    line: record.position().map_or(0, csv::Position::line),
                    metric: header[column].to_owned(),
                    text: field.to_owned(),
                })?;
                let comment = self.comments.entry(key.clone()).or_default();
                comment.scores.insert(header[column].trim().to_owned(), score);
                count += 1;
            }
        }
        Ok(count)
    }
}

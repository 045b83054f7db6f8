//! What ratings alone don't say: the scales' ends, the comments' texts, what checks expect.

use std::collections::{BTreeMap, HashMap};

use crate::{
    survey::{
        criteria::OTHER,
        foreign_text::clipped,
        responses::ResponseSet,
        session_facts::SessionFacts,
        span::Span,
        study::{PLANTED, Study},
    },
    table_file::{BadRow, TableFile, TableFileError, is_missing},
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
        line: usize,
        /// The column.
        metric: String,
        /// What is there.
        text: String,
    },
    /// A row is none.
    #[error("line {line}: {wrong}")]
    Row {
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        wrong: BadRow,
    },
    /// The text is no table.
    #[error(transparent)]
    Table(#[from] TableFileError),
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

    /// Takes scores of automatic metrics from a table with the columns `position`, `method` and one for each metric;
    /// empty fields are left out. Says how many scores there were.
    ///
    /// # Errors
    /// When it is no such table.
    pub fn add_scores(&mut self, text: &str) -> Result<usize, ScoresError> {
        let mut table = TableFile::open(text)?;
        let (Some(position), Some(method)) = (table.find("position")?, table.find("method")?) else {
            return Err(ScoresError::Columns);
        };
        let columns = table.columns().iter().enumerate();
        let metrics: Vec<(usize, String)> = columns
            .filter(|(column, name)| ![position, method].contains(column) && !name.is_empty())
            .map(|(column, name)| (column, name.clone()))
            .collect();
        // Names that differ in the case of their letters may be two metrics.
        for (at, (_, name)) in metrics.iter().enumerate() {
            if metrics[..at].iter().any(|(_, before)| before == name) {
                return Err(TableFileError::Twice(name.clone()).into());
            }
        }
        match metrics.len() {
            0 => return Err(ScoresError::Columns),
            count if count > MOST_METRICS => return Err(ScoresError::TooMany(count)),
            _ => {}
        }
        let mut count = 0;
        while let Some((line, row)) = table.next() {
            let row = row.map_err(|wrong| ScoresError::Row { line, wrong })?;
            let key = (row.name(position).to_owned(), row.name(method).to_owned());
            for (column, metric) in &metrics {
                let field = row.name(*column);
                if is_missing(field) {
                    continue;
                }
                let score = table.number(field).ok_or_else(|| ScoresError::Number {
                    line,
                    metric: metric.clone(),
                    text: clipped(field),
                })?;
                let comment = self.comments.entry(key.clone()).or_default();
                comment.scores.insert(metric.clone(), score);
                count += 1;
            }
        }
        Ok(count)
    }
}

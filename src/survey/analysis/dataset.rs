//! Ratings by criterion and item, with names turned into numbers: what all tables are computed from.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::material::{Ends, KindsAsked, Material};
use crate::{
    pace::{self, Pace},
    survey::{
        long_form::{ERROR_KIND, Rating},
        span::{Prefill, SPAN, SPAN_CONDITION, Span},
        spreadsheet::formula_cells,
        study::PLANTED,
        time::from_rfc3339,
    },
};

/// Methods at most: the tables have a row or a column for each.
pub const MOST_METHODS: usize = 50;

/// Criteria at most: the tables have a column for each.
pub const MOST_CRITERIA: usize = 50;

/// Kinds of errors of one question at most: Table 2 has a row for each.
pub const MOST_KINDS: usize = 50;

/// Studies that an error names at most.
const MOST_NAMED: usize = 10;

/// An item: a comment of a method on a position's move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// Its position's place in [`Dataset::positions`].
    pub position: usize,
    /// Its method's place in [`Dataset::methods`].
    pub method: usize,
}

/// A rating of an item.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rated {
    /// The rater's place in [`Dataset::raters`].
    pub rater: usize,
    /// The scale's value.
    pub value: f64,
}

/// All ratings for one criterion.
#[derive(Debug, Clone, PartialEq)]
pub struct Criterion {
    /// Its name in the results.
    pub name: String,
    /// The ends of its scale.
    pub ends: Ends,
    /// Each item's ratings, by rater.
    pub by_item: Vec<Vec<Rated>>,
}

impl Criterion {
    /// An item's mean rating as a share of the scale; `None` without ratings.
    #[must_use]
    pub fn mean_share(&self, item: usize) -> Option<f64> {
        let rated = self.by_item.get(item).filter(|rated| !rated.is_empty())?;
        let sum: f64 = rated.iter().map(|rated| self.ends.share(rated.value)).sum();
        Some(sum / rated.len() as f64)
    }
}

/// A kind of error that a rater ticked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ticked {
    /// The item's place.
    pub item: usize,
    /// The rater's place.
    pub rater: usize,
    /// The kind's place in [`Question::kinds`].
    pub kind: usize,
}

/// A question on what is wrong, and what was ticked.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// What was asked when.
    pub asked: KindsAsked,
    /// The kinds, in the study's order, then in that of the ratings.
    pub kinds: Vec<String>,
    /// What was ticked, by item.
    pub ticked: Vec<Ticked>,
}

/// A rating of a check: a planted comment, or one shown a second time.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckRating {
    /// The rater's place.
    pub rater: usize,
    /// The check's name: `check/…` or an item's name with `#2` behind it.
    pub item: String,
    /// The criterion's place.
    pub criterion: usize,
    /// The scale's value.
    pub value: f64,
}

/// Words of a comment that a rater marked as wrong, if any: the rater was asked for them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marked {
    /// The item's place.
    pub item: usize,
    /// The rater's place.
    pub rater: usize,
    /// Which marks were there before.
    pub condition: Option<Prefill>,
    /// The marks, in their order, each once.
    pub spans: Vec<Span>,
}

/// Something to know about the ratings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Note {
    /// A criterion's scale is not known.
    #[error(
        "the scale of {criterion} is taken to go from {low} to {high}, its lowest and highest rating: give the study to be sure"
    )]
    Inferred {
        /// The criterion.
        criterion: String,
        /// Its lowest rating.
        low: String,
        /// Its highest.
        high: String,
    },
    /// Values that are no numbers.
    #[error("{count} rows of {criterion} hold no number and are left out")]
    NoNumber {
        /// The criterion.
        criterion: String,
        /// How many.
        count: usize,
    },
    /// What a spreadsheet program would run.
    #[error(
        "{count} cells of these ratings would be run as formulas by a spreadsheet program; a file saved as “CSV for a \
         spreadsheet” has an apostrophe before each"
    )]
    Formulas {
        /// How many.
        count: usize,
    },
    /// Rows without a value.
    #[error("{count} rows have no value: missing answers, left out")]
    Missing {
        /// How many.
        count: usize,
    },
    /// More kinds of errors than Table 2 has room for.
    #[error(
        "{count} rows name kinds of errors beyond the first {MOST_KINDS} and are left out: at most {MOST_KINDS} kinds are counted"
    )]
    Kinds {
        /// Rows left out.
        count: usize,
    },
    /// Marks that cannot be read.
    #[error(
        "{count} rows of marked words cannot be read and are left out: expected such as “12-25 wrong-piece”, or hidden, shown, planted"
    )]
    NoMark {
        /// How many.
        count: usize,
    },
    /// Values beyond the scale.
    #[error("{count} ratings of {criterion} are not on its scale and are left out")]
    OffScale {
        /// The criterion.
        criterion: String,
        /// How many.
        count: usize,
    },
    /// The same question answered twice.
    #[error("{count} rows answer a question again that the same rater has answered; the first answer is taken")]
    Again {
        /// How many.
        count: usize,
    },
    /// Ratings for methods that the study doesn't have.
    #[error("the study has no method “{method}”, but the ratings have")]
    UnknownMethod {
        /// The method.
        method: String,
    },
}

/// Why ratings cannot be analysed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DatasetError {
    /// Nothing to analyse.
    #[error("there are no ratings")]
    Empty,
    /// Two studies in one.
    #[error("the ratings are of several studies ({}): choose one", named(.0))]
    Studies(Vec<String>),
    /// More methods or criteria than there is room for.
    #[error("there are {found} {what}, and at most {most} are analysed: is a column of the file mistaken for another?")]
    TooMany {
        /// "methods" or "criteria".
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many are analysed.
        most: usize,
    },
    /// All values of a criterion are equal, and its scale is not known.
    #[error("all ratings of {0} are the same and its scale is not known: give the study, or the scale")]
    NoScale(String),
    /// The scale's ends are no scale.
    #[error("the scale of {0} must end higher than it begins")]
    BadScale(String),
}

/// The first names of many.
fn named(names: &[String]) -> String {
    let first = names
        .iter()
        .take(MOST_NAMED)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(", ");
    match names.len().saturating_sub(MOST_NAMED) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

/// Ratings by criterion and item.
#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    /// The study's identifier.
    pub study: String,
    /// Raters, in the order in which they appear.
    pub raters: Vec<String>,
    /// Positions (as `position` of the long form names them), in the order in which they appear.
    pub positions: Vec<String>,
    /// Methods, in the study's order where it is known.
    pub methods: Vec<String>,
    /// Items, without checks.
    pub items: Vec<Item>,
    /// The items' names.
    pub item_names: Vec<String>,
    /// Criteria, in the study's order where it is known.
    pub criteria: Vec<Criterion>,
    /// Kinds of errors, by question.
    pub questions: Vec<Question>,
    /// Marks by item and rater: whoever was asked for them.
    pub marked: Vec<Marked>,
    /// Ratings of checks.
    pub checks: Vec<CheckRating>,
    /// For each rater the milliseconds spent on each item, by the item's place.
    pub active: Vec<Vec<(usize, u64)>>,
    /// For each rater the first and the last answer, milliseconds since 1970; `None` where rows don't say.
    pub answered: Vec<Option<(u64, u64)>>,
    /// What there is to know.
    pub notes: Vec<Note>,
}

/// Names and their places.
#[derive(Debug, Default)]
struct Names<'a> {
    places: HashMap<&'a str, usize>,
    names: Vec<&'a str>,
    /// The place asked for last: rows of one rater and item stand together.
    last: usize,
}

impl<'a> Names<'a> {
    fn place(&mut self, name: &'a str) -> usize {
        if self.names.get(self.last) != Some(&name) {
            self.last = *self.places.entry(name).or_insert_with(|| {
                self.names.push(name);
                self.names.len() - 1
            });
        }
        self.last
    }

    fn owned(self) -> Vec<String> {
        self.names.into_iter().map(str::to_owned).collect()
    }
}

/// Ratings of one criterion as they come.
#[derive(Debug, Default)]
struct Column {
    rows: Vec<(usize, Rated)>,
    checks: Vec<(usize, String, f64)>,
    no_number: usize,
}

/// Sorting ratings into a dataset, some at a time, for pages that must not be blocked by many.
#[derive(Debug)]
pub struct Sorting<'a> {
    without: &'a BTreeSet<String>,
    studies: BTreeSet<&'a str>,
    known_methods: usize,
    scales: HashMap<&'a str, Ends>,
    raters: Names<'a>,
    positions: Names<'a>,
    methods: Names<'a>,
    criteria: Names<'a>,
    places: HashMap<(&'a str, usize, usize), usize>,
    items: Vec<Item>,
    item_names: Vec<&'a str>,
    columns: Vec<Column>,
    questions: Vec<Question>,
    kinds: Vec<HashMap<String, usize>>,
    active: Vec<HashMap<usize, u64>>,
    /// For each rater the first and the last time, as text: of one form they are in the order of time.
    answered: Vec<Option<(&'a str, &'a str)>>,
    /// By item and rater the condition and the marks.
    marks: BTreeMap<(usize, usize), (Option<Prefill>, BTreeSet<Span>)>,
    no_marks: usize,
    missing: usize,
    formulas: usize,
    kinds_left_out: usize,
}

impl<'a> Sorting<'a> {
    /// Nothing yet. `without` names raters whose ratings are left out.
    #[must_use]
    pub fn new(material: &'a Material, without: &'a BTreeSet<String>) -> Self {
        let questions = asked(material);
        let mut sorting = Self {
            without,
            studies: BTreeSet::new(),
            known_methods: material.methods.len(),
            scales: material
                .scales
                .iter()
                .map(|(name, ends)| (name.as_str(), *ends))
                .collect(),
            raters: Names::default(),
            positions: Names::default(),
            methods: Names::default(),
            criteria: Names::default(),
            places: HashMap::new(),
            items: Vec::new(),
            item_names: Vec::new(),
            columns: Vec::new(),
            kinds: questions.iter().map(kinds_of).collect(),
            questions,
            active: Vec::new(),
            answered: Vec::new(),
            marks: BTreeMap::new(),
            no_marks: 0,
            missing: 0,
            formulas: 0,
            kinds_left_out: 0,
        };
        for method in &material.methods {
            sorting.methods.place(method);
        }
        for (name, _) in &material.scales {
            sorting.criteria.place(name);
        }
        sorting
    }

    /// Takes ratings. Those of checks (the method [`PLANTED`]) are kept apart.
    pub fn add(&mut self, ratings: &'a [Rating]) {
        for rating in ratings {
            self.formulas += formula_cells(rating);
            if rating.is_missing() {
                self.missing += 1;
            } else if !self.without.contains(&rating.rater) {
                self.add_one(rating);
            }
        }
    }

    fn add_one(&mut self, rating: &'a Rating) {
        if !self.studies.contains(rating.study.as_str()) {
            self.studies.insert(&rating.study);
        }
        let rater = self.raters.place(&rating.rater);
        let check = rating.method == PLANTED;
        let item = if check { usize::MAX } else { self.item(rating) };
        self.active.resize_with(self.raters.names.len(), HashMap::new);
        self.answered.resize(self.raters.names.len(), None);
        if let Some(time) = rating.answered_at.as_deref() {
            let (first, last) = self.answered[rater].get_or_insert((time, time));
            (*first, *last) = ((*first).min(time), (*last).max(time));
        }
        if let Some(ms) = rating.active_ms.filter(|_| !check) {
            self.active[rater].entry(item).or_insert(ms);
        }
        if [SPAN, SPAN_CONDITION].contains(&rating.criterion.as_str()) {
            if !check {
                self.mark(item, rater, rating);
            }
            return;
        }
        let asked = self
            .questions
            .iter()
            .position(|question| question.asked.id == rating.criterion);
        if let Some(at) = asked {
            if !check {
                let (question, kinds) = (&mut self.questions[at], &mut self.kinds[at]);
                if question.kinds.len() >= MOST_KINDS && !kinds.contains_key(&rating.value) {
                    self.kinds_left_out += 1;
                    return;
                }
                let kind = kinds.get(&rating.value).copied().unwrap_or_else(|| {
                    question.kinds.push(rating.value.clone());
                    kinds.insert(rating.value.clone(), question.kinds.len() - 1);
                    question.kinds.len() - 1
                });
                question.ticked.push(Ticked { item, rater, kind });
            }
            return;
        }
        if self
            .questions
            .iter()
            .any(|question| question.asked.text_id == rating.criterion)
        {
            return;
        }
        let criterion = self.criteria.place(&rating.criterion);
        self.columns.resize_with(self.criteria.names.len(), Column::default);
        let column = &mut self.columns[criterion];
        match rating.number() {
            None => column.no_number += 1,
            Some(value) if check => column.checks.push((rater, rating.item.clone(), value)),
            Some(value) => column.rows.push((item, Rated { rater, value })),
        }
    }

    /// Takes a mark, or the condition under which the rater marked.
    fn mark(&mut self, item: usize, rater: usize, rating: &Rating) {
        let (condition, spans) = self.marks.entry((item, rater)).or_default();
        if rating.criterion == SPAN_CONDITION {
            match Prefill::from_word(rating.value.trim()) {
                // Of two the first stays.
                Some(found) => *condition = condition.or(Some(found)),
                None => self.no_marks += 1,
            }
        } else if let Some(span) = Span::from_value(&rating.value) {
            spans.insert(span);
        } else {
            self.no_marks += 1;
        }
    }

    fn item(&mut self, rating: &'a Rating) -> usize {
        let (position, method) = (
            self.positions.place(&rating.position),
            self.methods.place(&rating.method),
        );
        *self.places.entry((&rating.item, position, method)).or_insert_with(|| {
            self.items.push(Item { position, method });
            self.item_names.push(&rating.item);
            self.items.len() - 1
        })
    }

    /// The dataset.
    ///
    /// # Errors
    /// Without ratings, with those of several studies, or when a scale is not to be known.
    pub async fn finish(mut self, pace: &impl Pace) -> Result<Dataset, DatasetError> {
        if self.studies.len() > 1 {
            return Err(DatasetError::Studies(
                self.studies.into_iter().map(str::to_owned).collect(),
            ));
        }
        let study = self.studies.first().ok_or(DatasetError::Empty)?;
        let limits = [
            ("methods", self.methods.names.len(), MOST_METHODS),
            ("criteria", self.criteria.names.len(), MOST_CRITERIA),
        ];
        for (what, found, most) in limits {
            if found > most {
                return Err(DatasetError::TooMany { what, found, most });
            }
        }
        self.columns.resize_with(self.criteria.names.len(), Column::default);
        let mut dataset = Dataset {
            study: (*study).to_owned(),
            raters: self.raters.owned(),
            positions: self.positions.owned(),
            methods: self.methods.owned(),
            items: self.items,
            item_names: self.item_names.into_iter().map(str::to_owned).collect(),
            criteria: Vec::new(),
            questions: self.questions,
            marked: self.marks.into_iter().map(marked).collect(),
            checks: Vec::new(),
            active: self.active.into_iter().map(sorted_times).collect(),
            answered: self.answered.into_iter().map(read_times).collect(),
            notes: Vec::new(),
        };
        if self.formulas > 0 {
            dataset.notes.push(Note::Formulas { count: self.formulas });
        }
        if self.missing > 0 {
            dataset.notes.push(Note::Missing { count: self.missing });
        }
        if self.no_marks > 0 {
            dataset.notes.push(Note::NoMark { count: self.no_marks });
        }
        if self.kinds_left_out > 0 {
            dataset.notes.push(Note::Kinds {
                count: self.kinds_left_out,
            });
        }
        if self.known_methods > 0 {
            let unknown = dataset.methods[self.known_methods..].iter().cloned();
            dataset
                .notes
                .extend(unknown.map(|method| Note::UnknownMethod { method }));
        }
        let mut again = 0;
        for (name, column) in self.criteria.names.into_iter().zip(self.columns) {
            again += dataset.add(name, column, self.scales.get(name).copied(), pace).await?;
        }
        for question in &mut dataset.questions {
            question.ticked.sort_unstable();
            question.ticked.dedup();
        }
        if again > 0 {
            dataset.notes.push(Note::Again { count: again });
        }
        if dataset.criteria.is_empty() {
            return Err(DatasetError::Empty);
        }
        Ok(dataset)
    }
}

impl Dataset {
    /// Sorts the ratings of one study, which may stand in several places, into criteria and items.
    ///
    /// # Errors
    /// Without ratings, with those of several studies, or when a scale is not to be known.
    pub async fn new<'a>(
        ratings: impl Iterator<Item = &'a [Rating]>,
        material: &'a Material,
        without: &'a BTreeSet<String>,
        pace: &impl Pace,
    ) -> Result<Self, DatasetError> {
        let mut sorting = Sorting::new(material, without);
        for ratings in ratings {
            for step in ratings.chunks(pace::ROWS) {
                sorting.add(step);
                pace.turn().await;
            }
        }
        sorting.finish(pace).await
    }

    /// Adds a criterion; says how many ratings were there twice.
    async fn add(
        &mut self,
        name: &str,
        column: Column,
        known: Option<Ends>,
        pace: &impl Pace,
    ) -> Result<usize, DatasetError> {
        let name = name.to_owned();
        if column.no_number > 0 {
            self.notes.push(Note::NoNumber {
                criterion: name.clone(),
                count: column.no_number,
            });
        }
        // A criterion that nobody rated comments for has no place in the tables.
        if column.rows.is_empty() {
            return Ok(0);
        }
        let ends = match known {
            Some(ends) if ends.low < ends.high => ends,
            Some(_) => return Err(DatasetError::BadScale(name)),
            None => {
                let values = || column.rows.iter().map(|(_, rated)| rated.value);
                let ends = Ends {
                    low: values().fold(f64::INFINITY, f64::min),
                    high: values().fold(f64::NEG_INFINITY, f64::max),
                };
                if ends.low == ends.high {
                    return Err(DatasetError::NoScale(name));
                }
                self.notes.push(Note::Inferred {
                    criterion: name.clone(),
                    low: ends.low.to_string(),
                    high: ends.high.to_string(),
                });
                ends
            }
        };
        let mut by_item: Vec<Vec<Rated>> = vec![Vec::new(); self.items.len()];
        let (mut off_scale, all) = (0, column.rows.len());
        for (item, rated) in column.rows {
            if ends.hold(rated.value) {
                by_item[item].push(rated);
            } else {
                off_scale += 1;
            }
        }
        for rated in &mut by_item {
            pace.turn().await;
            // Stable: of two answers the first stays.
            rated.sort_by_key(|rated| rated.rater);
            rated.dedup_by_key(|rated| rated.rater);
        }
        if off_scale > 0 {
            self.notes.push(Note::OffScale {
                criterion: name.clone(),
                count: off_scale,
            });
        }
        let criterion = self.criteria.len();
        self.checks
            .extend(column.checks.into_iter().map(|(rater, item, value)| CheckRating {
                rater,
                item,
                criterion,
                value,
            }));
        let kept: usize = by_item.iter().map(Vec::len).sum();
        self.criteria.push(Criterion { name, ends, by_item });
        Ok(all - off_scale - kept)
    }

    /// The studies that rows are of, in the order in which they appear, and the criteria that hold numbers. A row every
    /// so often gives way.
    pub async fn overview<'a>(
        ratings: impl Iterator<Item = &'a [Rating]>,
        pace: &impl Pace,
    ) -> (Vec<String>, Vec<String>) {
        let (mut studies, mut criteria) = (Names::default(), Names::default());
        for step in ratings.flat_map(|ratings| ratings.chunks(pace::ROWS)) {
            pace.turn().await;
            for rating in step {
                studies.place(&rating.study);
                if rating.number().is_some() {
                    criteria.place(&rating.criterion);
                }
            }
        }
        (studies.owned(), criteria.owned())
    }

    /// The place of a method.
    #[must_use]
    pub fn method(&self, name: &str) -> Option<usize> {
        self.methods.iter().position(|method| method == name)
    }

    /// The place of a criterion.
    #[must_use]
    pub fn criterion(&self, name: &str) -> Option<usize> {
        self.criteria.iter().position(|criterion| criterion.name == name)
    }

    /// The items of each position.
    #[must_use]
    pub fn items_by_position(&self) -> Vec<Vec<usize>> {
        let mut by_position = vec![Vec::new(); self.positions.len()];
        for (place, item) in self.items.iter().enumerate() {
            by_position[item.position].push(place);
        }
        by_position
    }
}

fn asked(material: &Material) -> Vec<Question> {
    let question = |asked: KindsAsked| Question {
        kinds: asked.kinds.iter().map(|(id, _)| id.clone()).collect(),
        ticked: Vec::new(),
        asked,
    };
    let mut questions: Vec<Question> = material.follow_ups.iter().cloned().map(question).collect();
    if questions.iter().all(|known| known.asked.id != ERROR_KIND) {
        questions.push(question(KindsAsked {
            id: ERROR_KIND.to_owned(),
            text_id: format!("{ERROR_KIND}_text"),
            of: None,
            when: Vec::new(),
            kinds: Vec::new(),
        }));
    }
    questions
}

fn kinds_of(question: &Question) -> HashMap<String, usize> {
    question.kinds.iter().cloned().zip(0..).collect()
}

fn marked(((item, rater), (condition, spans)): ((usize, usize), (Option<Prefill>, BTreeSet<Span>))) -> Marked {
    Marked {
        item,
        rater,
        condition,
        spans: spans.into_iter().collect(),
    }
}

fn read_times(times: Option<(&str, &str)>) -> Option<(u64, u64)> {
    let (first, last) = times?;
    let (first, last) = (from_rfc3339(first)?, from_rfc3339(last)?);
    (first <= last).then_some((first, last))
}

fn sorted_times(times: HashMap<usize, u64>) -> Vec<(usize, u64)> {
    let mut times: Vec<(usize, u64)> = times.into_iter().collect();
    times.sort_unstable();
    times
}

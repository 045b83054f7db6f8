//! The results of many raters put together: what is there twice is taken once, what contradicts is named. Nothing is
//! dropped in silence.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt,
    ops::Range,
};

use thiserror::Error;

use super::{
    long_form::{LongFormError, Rating, read_csv},
    responses::{MAX_RESULTS_BYTES, ResponseSet, ResponsesError},
};

/// What a file of results holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Results {
    /// Response sets: JSON, or several as JSON lines.
    Sets(Vec<ResponseSet>),
    /// Rows: CSV in long form.
    Rows(Vec<Rating>),
}

/// A file that holds no results.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ResultsError {
    /// More than [`MAX_RESULTS_BYTES`].
    #[error("it has {0} bytes, more than the {MAX_RESULTS_BYTES} that are read")]
    TooLarge(usize),
    /// Not text.
    #[error("it is not text")]
    NotText,
    /// Nothing in it.
    #[error("it is empty")]
    Empty,
    /// JSON, but no response set.
    #[error("response set {0}: {1}")]
    Set(usize, ResponsesError),
    /// CSV, but not in long form.
    #[error(transparent)]
    Rows(#[from] LongFormError),
}

/// Reads a file of results: JSON, JSON lines or CSV, told apart by their first letter.
///
/// # Errors
/// When it is none of them.
pub fn read_results(bytes: &[u8]) -> Result<Results, ResultsError> {
    if bytes.len() > MAX_RESULTS_BYTES {
        return Err(ResultsError::TooLarge(bytes.len()));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| ResultsError::NotText)?;
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Err(ResultsError::Empty);
    }
    if !text.starts_with('{') {
        return Ok(Results::Rows(read_csv(text)?));
    }
    // A set may have been indented by an editor.
    let one = ResponseSet::read(text);
    if one.is_ok() || !text.contains('\n') {
        return one
            .map(|set| Results::Sets(vec![set]))
            .map_err(|error| ResultsError::Set(1, error));
    }
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let sets = (1..)
        .zip(lines)
        .map(|(n, line)| ResponseSet::read(line).map_err(|error| ResultsError::Set(n, error)));
    Ok(Results::Sets(sets.collect::<Result<_, _>>()?))
}

/// Something to know about files that were put together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// The same results twice.
    Duplicate {
        /// The file that has them again.
        file: String,
        /// The file that was read first.
        of: String,
        /// Whose.
        rater: String,
    },
    /// An earlier state of a session that is there further on too.
    Earlier {
        /// The file with fewer answers.
        file: String,
        /// The file that goes on.
        of: String,
        /// Whose.
        rater: String,
    },
    /// Two sessions of one rater that are not one the beginning of the other.
    Sessions {
        /// The file whose session was left out: it has fewer answers, or came later.
        left_out: String,
        /// The file whose session was taken.
        taken: String,
        /// Whose.
        rater: String,
    },
    /// Two versions of a study under one id.
    Versions {
        /// The study's id.
        study: String,
        /// A file of each version.
        files: Vec<String>,
    },
    /// Rows that were there already.
    Rows {
        /// The file that has them again.
        file: String,
        /// How many.
        rows: usize,
    },
    /// Two answers to one question.
    Answers {
        /// The file whose answer was left out.
        file: String,
        /// Whose.
        rater: String,
        /// On what.
        item: String,
        /// To which.
        criterion: String,
        /// The answer that was taken: it was read first.
        taken: String,
        /// The one that was left out.
        left_out: String,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicate { file, of, rater } => {
                write!(f, "{file}: the same results of {rater} as in {of}; taken once.")
            }
            Self::Earlier { file, of, rater } => {
                write!(
                    f,
                    "{file}: an earlier state of {rater}'s session; {of} goes further and was taken."
                )
            }
            Self::Sessions { left_out, taken, rater } => write!(
                f,
                "{left_out}: another session of {rater} than the one in {taken}, which was taken. If these are two \
                 people, give one another name."
            ),
            Self::Versions { study, files } => {
                write!(
                    f,
                    "The study “{study}” is there in several versions, as in {}.",
                    files.join(" and ")
                )
            }
            Self::Rows { file, rows } => write!(f, "{file}: {rows} rows were there already; taken once."),
            Self::Answers {
                file,
                rater,
                item,
                criterion,
                taken,
                left_out,
            } => write!(
                f,
                "{file}: {rater} answered “{left_out}” for {criterion} of {item}, but “{taken}” was read first and was taken."
            ),
        }
    }
}

/// Results put together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Merged {
    /// The response sets taken, one for each rater of a study.
    pub sets: Vec<ResponseSet>,
    /// All rows: of the sets and of the files in long form.
    pub ratings: Vec<Rating>,
    /// What there is to know.
    pub notes: Vec<Note>,
}

/// Puts files together, in their order.
#[must_use]
pub fn merge(files: Vec<(String, Results)>) -> Merged {
    let mut notes = Vec::new();
    let mut taken: Vec<(String, ResponseSet)> = Vec::new();
    let mut places: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut rows: Vec<(String, Vec<Rating>)> = Vec::new();
    for (file, results) in files {
        match results {
            Results::Rows(found) => rows.push((file, found)),
            Results::Sets(sets) => {
                for set in sets {
                    let key = (set.study.id.clone(), set.rater.clone());
                    match places.get(&key) {
                        None => {
                            places.insert(key, taken.len());
                            taken.push((file.clone(), set));
                        }
                        Some(place) => notes.push(choose(&mut taken[*place], file.clone(), set)),
                    }
                }
            }
        }
    }
    notes.extend(versions(&taken));
    let mut merging = Merging::default();
    for (file, set) in &taken {
        merging.add(file, set.ratings());
    }
    for (file, found) in rows {
        merging.add(&file, found);
    }
    notes.append(&mut merging.notes);
    Merged {
        sets: taken.into_iter().map(|(_, set)| set).collect(),
        ratings: merging.ratings,
        notes,
    }
}

/// Of two sets of one rater the better one, and what to say of the other.
fn choose(first: &mut (String, ResponseSet), file: String, second: ResponseSet) -> Note {
    let rater = second.rater.clone();
    if first.1 == second {
        return Note::Duplicate {
            file,
            of: first.0.clone(),
            rater,
        };
    }
    let same_study = first.1.study.sha256 == second.study.sha256;
    if same_study && first.1.journal.starts_with(&second.journal) {
        return Note::Earlier {
            file,
            of: first.0.clone(),
            rater,
        };
    }
    let goes_on = same_study && second.journal.starts_with(&first.1.journal);
    if goes_on || second.answered() > first.1.answered() {
        let left_out = std::mem::replace(&mut first.0, file);
        first.1 = second;
        let taken = first.0.clone();
        if goes_on {
            Note::Earlier {
                file: left_out,
                of: taken,
                rater,
            }
        } else {
            Note::Sessions { left_out, taken, rater }
        }
    } else {
        Note::Sessions {
            left_out: file,
            taken: first.0.clone(),
            rater,
        }
    }
}

fn versions(taken: &[(String, ResponseSet)]) -> Vec<Note> {
    let mut seen: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
    for (file, set) in taken {
        seen.entry(&set.study.id)
            .or_default()
            .entry(&set.study.sha256)
            .or_insert(file);
    }
    let several = seen.into_iter().filter(|(_, versions)| versions.len() > 1);
    several
        .map(|(study, versions)| Note::Versions {
            study: study.to_owned(),
            files: versions.into_values().map(str::to_owned).collect(),
        })
        .collect()
}

/// A question to one rater: study, rater, item, criterion, each by its place among the names.
type Asked = [u32; 4];

#[derive(Default)]
struct Merging {
    /// Names and their places: two hundred raters' rows have few different ones.
    names: HashMap<String, u32>,
    /// Where the answers to a question stand in `ratings`: those of one question stand together.
    answers: HashMap<Asked, Range<usize>>,
    ratings: Vec<Rating>,
    notes: Vec<Note>,
}

impl Merging {
    fn asked(&mut self, row: &Rating) -> Asked {
        [&row.study, &row.rater, &row.item, &row.criterion].map(|name| {
            if let Some(place) = self.names.get(name) {
                return *place;
            }
            let place = self.names.len() as u32;
            self.names.insert(name.clone(), place);
            place
        })
    }

    /// Adds a file's rows. What one file says to one question belongs together: kinds of errors are several rows.
    fn add(&mut self, file: &str, rows: Vec<Rating>) {
        let mut own: HashMap<Asked, Vec<usize>> = HashMap::with_capacity(rows.len());
        let mut order = Vec::new();
        let mut again = 0;
        for (place, row) in rows.iter().enumerate() {
            let asked = self.asked(row);
            let kept = own.entry(asked).or_insert_with(|| {
                order.push(asked);
                Vec::new()
            });
            if kept.iter().any(|kept| rows[*kept].value == row.value) {
                again += 1;
                continue;
            }
            // A rating has one value; only kinds come together.
            if let Some(first) = kept
                .first()
                .map(|first| &rows[*first])
                .filter(|first| first.number().is_some() || row.number().is_some())
            {
                self.notes.push(conflict(file, row, &first.value, &row.value));
                continue;
            }
            kept.push(place);
        }
        let mut rows: Vec<Option<Rating>> = rows.into_iter().map(Some).collect();
        for asked in order {
            let kept = own.remove(&asked).unwrap_or_default();
            let kept: Vec<Rating> = kept.into_iter().filter_map(|place| rows[place].take()).collect();
            let Some(known) = self.answers.get(&asked) else {
                let first = self.ratings.len();
                self.ratings.extend(kept);
                self.answers.insert(asked, first..self.ratings.len());
                continue;
            };
            let known = values(&self.ratings[known.clone()]);
            let found = values(&kept);
            if known == found {
                again += kept.len();
            } else if let Some(row) = kept.first() {
                self.notes.push(conflict(file, row, &listed(&known), &listed(&found)));
            }
        }
        if again > 0 {
            self.notes.push(Note::Rows {
                file: file.to_owned(),
                rows: again,
            });
        }
    }
}

fn values(rows: &[Rating]) -> BTreeSet<&str> {
    rows.iter().map(|row| row.value.as_str()).collect()
}

fn listed(values: &BTreeSet<&str>) -> String {
    values.iter().copied().collect::<Vec<_>>().join(", ")
}

fn conflict(file: &str, row: &Rating, taken: &str, left_out: &str) -> Note {
    Note::Answers {
        file: file.to_owned(),
        rater: row.rater.clone(),
        item: row.item.clone(),
        criterion: row.criterion.clone(),
        taken: taken.to_owned(),
        left_out: left_out.to_owned(),
    }
}

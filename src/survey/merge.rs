//! The results of many raters put together: what is there twice is taken once, what contradicts is named. Nothing is
//! dropped in silence.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt,
    ops::Range,
};

use serde::Deserialize;
use thiserror::Error;

use super::{
    collection::TRIAL_SCHEMA,
    foreign_text::clipped,
    long_form::{LongFormError, Rating, Rows},
    responses::{MAX_RESULTS_BYTES, ResponseSet, ResponsesError},
};
use crate::pace::{self, AtOnce, Pace, at_once};

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
/// When the bytes are no results in any of the three formats.
pub fn read_results(bytes: &[u8]) -> Result<Results, ResultsError> {
    at_once(read_results_in_turns(bytes, &AtOnce))
}

/// [`read_results`], with turns for others.
///
/// # Errors
/// When the bytes are no results in any of the three formats.
pub async fn read_results_in_turns(bytes: &[u8], pace: &impl Pace) -> Result<Results, ResultsError> {
    if bytes.len() > MAX_RESULTS_BYTES {
        return Err(ResultsError::TooLarge(bytes.len()));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| ResultsError::NotText)?;
    // Faults name lines of the file, and a table's end may be empty cells.
    let whole = text.trim_start_matches('\u{feff}');
    let text = whole.trim();
    if text.is_empty() {
        return Err(ResultsError::Empty);
    }
    let head = &text[..text.floor_char_boundary(LONGEST_HEAD)];
    let says_schema = head.contains("\"schema\"");
    if text.starts_with('[') && says_schema {
        return sets_of_array(text, pace).await;
    }
    if !text.starts_with('{') || (!says_schema && head.contains("\"rater\"")) {
        let mut rows = Vec::with_capacity(expected_rows(text));
        for row in Rows::open_at(whole, pace).await? {
            rows.push(row?);
            if rows.len() % pace::ROWS == 0 {
                pace.turn().await;
            }
        }
        return Ok(Results::Rows(rows));
    }
    if is_trial(text) {
        return Ok(Results::Sets(Vec::new()));
    }
    // A set may have been indented by an editor.
    let one = ResponseSet::read(text);
    if one.is_ok() || !text.contains('\n') {
        return one
            .map(|set| Results::Sets(vec![set]))
            .map_err(|error| ResultsError::Set(1, error));
    }
    let lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !is_trial(line));
    let mut sets = Vec::new();
    for (n, line) in (1..).zip(lines) {
        sets.push(ResponseSet::read(line).map_err(|error| ResultsError::Set(n, error))?);
        pace.turn().await;
    }
    Ok(Results::Sets(sets))
}

/// So many bytes of a text say whether JSON holds response sets or rows.
const LONGEST_HEAD: usize = 4096;

/// Response sets that somebody put together as one array.
async fn sets_of_array(text: &str, pace: &impl Pace) -> Result<Results, ResultsError> {
    let all: Vec<serde_json::Value> = serde_json::from_str(text)
        .map_err(|error| ResultsError::Set(1, ResponsesError::Shape(clipped(&error.to_string()))))?;
    let mut sets = Vec::with_capacity(all.len());
    for (n, set) in (1..).zip(all) {
        let set = ResponseSet::read(&set.to_string());
        sets.push(set.map_err(|error| ResultsError::Set(n, error))?);
        pace.turn().await;
    }
    Ok(Results::Sets(sets))
}

/// Whether this is a record that tried the address of a collection: nobody's answers.
fn is_trial(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Head {
        schema: String,
    }
    // No record of this kind is long, and results are.
    text.len() < MOST_OF_A_TRIAL && serde_json::from_str::<Head>(text).is_ok_and(|head| head.schema == TRIAL_SCHEMA)
}

/// The most bytes of a record that tries an address.
const MOST_OF_A_TRIAL: usize = 1_000;

/// How many rows a CSV will have, by its first lines, up to some hundred thousand: a list that grows to many megabytes by
/// doubling is copied in one long step.
fn expected_rows(text: &str) -> usize {
    const LINES: usize = 100;
    const MOST_ROWS: usize = 400_000;
    let first: usize = text.lines().take(LINES).map(|line| line.len() + 1).sum();
    (text.len() / (first / LINES).max(1)).min(MOST_ROWS)
}

/// A file's results with their rows: of each response set in it one sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// The file's name.
    pub file: String,
    /// The response set; `None` for a file in long form.
    pub set: Option<ResponseSet>,
    /// Its rows.
    pub rows: Vec<Rating>,
}

impl Sheet {
    /// The sheets of a file.
    pub async fn of(file: &str, results: Results, pace: &impl Pace) -> Vec<Self> {
        let sheet = |set, rows| Self {
            file: file.to_owned(),
            set,
            rows,
        };
        match results {
            Results::Rows(rows) => vec![sheet(None, rows)],
            Results::Sets(sets) => {
                let mut sheets = Vec::with_capacity(sets.len());
                for set in sets {
                    let rows = set.ratings();
                    sheets.push(sheet(Some(set), rows));
                    pace.turn().await;
                }
                sheets
            }
        }
    }
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
        /// The rater’s code.
        rater: String,
    },
    /// An earlier state of a session that is there further on too.
    Earlier {
        /// The file with fewer answers.
        file: String,
        /// The file that goes on.
        of: String,
        /// The rater’s code.
        rater: String,
    },
    /// Two sessions of one rater that are not one the beginning of the other.
    Sessions {
        /// The file whose session was left out: it has fewer answers, or came later.
        left_out: String,
        /// The file whose session was taken.
        taken: String,
        /// The rater’s code.
        rater: String,
    },
    /// Sessions that were a try before the study.
    Pilots {
        /// The raters’ codes.
        raters: Vec<String>,
        /// Whether they are taken all the same.
        included: bool,
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
        /// Rows of the file that are concerned.
        rows: usize,
    },
    /// More answers of one rater to one question than are read.
    TooMany {
        /// The file.
        file: String,
        /// Rows that were left out.
        rows: usize,
    },
    /// Rows without a value: the question was not answered.
    Missing {
        /// The file.
        file: String,
        /// Rows of the file that are concerned.
        rows: usize,
    },
    /// Two answers to one question.
    Answers {
        /// The file whose answer was left out.
        file: String,
        /// The rater’s code.
        rater: String,
        /// On what.
        item: String,
        /// The id of the criterion that was answered twice.
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
            Self::Pilots { raters, included } => {
                let what = if raters.len() == 1 {
                    "pilot session"
                } else {
                    "pilot sessions"
                };
                let where_to = if *included { "counted in" } else { "kept out of" };
                let verb = if raters.len() == 1 { "is" } else { "are" };
                write!(
                    f,
                    "{} {what} ({}) {verb} {where_to} the analysis.",
                    raters.len(),
                    raters.join(", ")
                )
            }
            Self::Versions { study, files } => {
                write!(
                    f,
                    "The study “{study}” is there in several versions, as in {}.",
                    files.join(" and ")
                )
            }
            Self::Rows { file, rows } => write!(f, "{file}: {rows} rows were there already; taken once."),
            Self::TooMany { file, rows } => write!(
                f,
                "{file}: {rows} rows are left out: at most {MOST_ANSWERS} answers of a rater to one question are read."
            ),
            Self::Missing { file, rows: 1 } => write!(f, "{file}: one row has no value: a missing answer, left out."),
            Self::Missing { file, rows } => write!(f, "{file}: {rows} rows have no value: missing answers, left out."),
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

/// What of many sheets is taken.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Picked {
    /// The sheets whose response sets are taken, one for each rater of a study.
    pub sets: Vec<usize>,
    /// The rows that are taken: the sheet, and which of its rows.
    pub rows: Vec<(usize, Range<usize>)>,
    /// What there is to know.
    pub notes: Vec<Note>,
}

impl Picked {
    /// How many rows are taken.
    #[must_use]
    pub fn count(&self) -> usize {
        self.rows.iter().map(|(_, rows)| rows.len()).sum()
    }

    /// The rows.
    pub fn slices<'a>(&'a self, sheets: &'a [Sheet]) -> impl Iterator<Item = &'a [Rating]> {
        self.rows.iter().map(|(sheet, rows)| &sheets[*sheet].rows[rows.clone()])
    }
}

/// What becomes of sessions that were a try before the study.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pilots {
    /// They are kept out, with all rows of their raters.
    #[default]
    LeftOut,
    /// They are taken like any other.
    Included,
}

/// Puts files together, in their order. Pilot sessions are kept out.
#[must_use]
pub fn merge(files: Vec<(String, Results)>) -> Merged {
    merge_with(files, Pilots::LeftOut)
}

/// [`merge`], with or without pilot sessions.
#[must_use]
pub fn merge_with(files: Vec<(String, Results)>, pilots: Pilots) -> Merged {
    at_once(async {
        let mut sheets = Vec::new();
        for (file, results) in files {
            sheets.extend(Sheet::of(&file, results, &AtOnce).await);
        }
        let picked = pick_with(&sheets, pilots, &AtOnce).await;
        let mut ratings = Vec::with_capacity(picked.count());
        for (sheet, rows) in picked.rows {
            let rows = &mut sheets[sheet].rows[rows];
            ratings.extend(rows.iter_mut().map(std::mem::take));
        }
        let sets = picked.sets.iter().filter_map(|sheet| sheets[*sheet].set.take());
        Merged {
            sets: sets.collect(),
            ratings,
            notes: picked.notes,
        }
    })
}

/// Picks from the sheets what is taken: of each rater's sessions one, then rows in the files' order. Pilot sessions are
/// kept out.
pub async fn pick(sheets: &[Sheet], pace: &impl Pace) -> Picked {
    pick_with(sheets, Pilots::LeftOut, pace).await
}

/// [`pick`], with or without pilot sessions.
pub async fn pick_with(sheets: &[Sheet], pilots: Pilots, pace: &impl Pace) -> Picked {
    let mut notes = Vec::new();
    let mut tries: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut taken: Vec<Session> = Vec::new();
    let mut places: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (sheet, found) in sheets.iter().enumerate() {
        let Some(set) = &found.set else { continue };
        if set.pilot {
            tries.insert((&set.study.id, &set.rater));
            if pilots == Pilots::LeftOut {
                continue;
            }
        }
        let session = Session {
            sheet,
            file: &found.file,
            set,
        };
        match places.get(&(set.study.id.as_str(), set.rater.as_str())) {
            None => {
                places.insert((&set.study.id, &set.rater), taken.len());
                taken.push(session);
            }
            Some(place) => notes.push(choose(&mut taken[*place], session)),
        }
        pace.turn().await;
    }
    if !tries.is_empty() {
        notes.push(Note::Pilots {
            raters: tries.iter().map(|(_, rater)| (*rater).to_owned()).collect(),
            included: pilots == Pilots::Included,
        });
    }
    notes.extend(versions(&taken));
    let sets: Vec<usize> = taken.iter().map(|session| session.sheet).collect();
    let tables = (0..sheets.len()).filter(|sheet| sheets[*sheet].set.is_none());
    let mut merging = Merging::default();
    if pilots == Pilots::LeftOut {
        // Rows don't say whether they were a try: those of a rater who is known from a try alone are of that.
        merging.without = tries.into_iter().filter(|of| !places.contains_key(of)).collect();
    }
    for sheet in sets.iter().copied().chain(tables) {
        merging.add(sheets, sheet, pace).await;
    }
    notes.append(&mut merging.notes);
    Picked {
        sets,
        rows: merging.rows,
        notes,
    }
}

/// A response set and where it is.
#[derive(Clone, Copy)]
struct Session<'a> {
    sheet: usize,
    file: &'a str,
    set: &'a ResponseSet,
}

/// Of two sets of one rater the better one, and what to say of the other.
fn choose<'a>(first: &mut Session<'a>, second: Session<'a>) -> Note {
    let rater = second.set.rater.clone();
    let (file, of) = (second.file.to_owned(), first.file.to_owned());
    if first.set == second.set {
        return Note::Duplicate { file, of, rater };
    }
    // What was a try gives way to what was not.
    match (first.set.pilot, second.set.pilot) {
        (false, true) => {
            return Note::Sessions {
                left_out: file,
                taken: of,
                rater,
            };
        }
        (true, false) => {
            *first = second;
            return Note::Sessions {
                left_out: of,
                taken: file,
                rater,
            };
        }
        _ => {}
    }
    let same_study = first.set.study.sha256 == second.set.study.sha256;
    if same_study && first.set.journal.starts_with(&second.set.journal) {
        return Note::Earlier { file, of, rater };
    }
    let goes_on = same_study && second.set.journal.starts_with(&first.set.journal);
    if !goes_on && second.set.answered() <= first.set.answered() {
        return Note::Sessions {
            left_out: file,
            taken: of,
            rater,
        };
    }
    *first = second;
    if goes_on {
        Note::Earlier {
            file: of,
            of: file,
            rater,
        }
    } else {
        Note::Sessions {
            left_out: of,
            taken: file,
            rater,
        }
    }
}

fn versions(taken: &[Session]) -> Vec<Note> {
    let mut seen: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
    for Session { file, set, .. } in taken {
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

/// The rows of one sheet that answer a question: a rating is one row, kinds of errors may be several.
struct Answer {
    sheet: usize,
    first: usize,
    more: Vec<usize>,
}

impl Answer {
    fn values<'a>(&self, rows: &'a [Rating]) -> BTreeSet<&'a str> {
        let more = self.more.iter().copied();
        [self.first]
            .into_iter()
            .chain(more)
            .map(|row| rows[row].value.as_str())
            .collect()
    }

    /// Takes one more row of the same sheet, or says why not.
    fn add(&mut self, rows: &[Rating], row: usize) -> Added {
        let (first, new) = (&rows[self.first], &rows[row]);
        if first.value == new.value || self.more.iter().any(|kept| rows[*kept].value == new.value) {
            Added::Again
        } else if first.number().is_some() || new.number().is_some() {
            // A rating has one value; only kinds come together.
            Added::Contradicts
        } else if self.more.len() + 1 >= MOST_ANSWERS {
            Added::TooMany
        } else {
            self.more.push(row);
            Added::Taken
        }
    }
}

/// Answers to one question at most: kinds that one rater ticked on one page.
const MOST_ANSWERS: usize = 100;

/// What became of a row.
enum Added {
    Taken,
    TooMany,
    Again,
    Contradicts,
}

#[derive(Default)]
struct Merging<'a> {
    /// Names and their places: two hundred raters' rows have few different ones.
    names: HashMap<&'a str, u32>,
    /// The last name of each field: neighbouring rows share most of them.
    last: [Option<(&'a str, u32)>; 4],
    answers: HashMap<Asked, Answer>,
    rows: Vec<(usize, Range<usize>)>,
    /// Studies and raters whose rows are left out.
    without: BTreeSet<(&'a str, &'a str)>,
    notes: Vec<Note>,
}

impl<'a> Merging<'a> {
    fn asked(&mut self, row: &'a Rating) -> Asked {
        let mut asked = [0; 4];
        let fields = [&row.study, &row.rater, &row.item, &row.criterion];
        for ((place, last), name) in asked.iter_mut().zip(&mut self.last).zip(fields) {
            *place = match last {
                Some((known, place)) if known == name => *place,
                _ => {
                    let next = self.names.len() as u32;
                    let place = *self.names.entry(name).or_insert(next);
                    *last = Some((name, place));
                    place
                }
            };
        }
        asked
    }

    fn take(&mut self, sheet: usize, row: usize) {
        match self.rows.last_mut() {
            Some((last, rows)) if *last == sheet && rows.end == row => rows.end = row + 1,
            _ => self.rows.push((sheet, row..row + 1)),
        }
    }

    /// Adds a sheet's rows. What one sheet says to one question belongs together: kinds of errors are several rows.
    async fn add(&mut self, sheets: &'a [Sheet], sheet: usize, pace: &impl Pace) {
        let Sheet { file, rows, .. } = &sheets[sheet];
        // Questions that another sheet has answered already.
        let mut others: Vec<(Asked, Answer)> = Vec::new();
        let mut places: HashMap<Asked, usize> = HashMap::new();
        let (mut again, mut missing, mut too_many) = (0, 0, 0);
        for (place, row) in rows.iter().enumerate() {
            if place % pace::ROWS == 0 {
                pace.turn().await;
            }
            if !self.without.is_empty() && self.without.contains(&(row.study.as_str(), row.rater.as_str())) {
                continue;
            }
            if row.is_missing() {
                missing += 1;
                continue;
            }
            let asked = self.asked(row);
            let answer = Answer {
                sheet,
                first: place,
                more: Vec::new(),
            };
            let own = match self.answers.get_mut(&asked) {
                None => {
                    self.answers.insert(asked, answer);
                    self.take(sheet, place);
                    continue;
                }
                Some(known) if known.sheet == sheet => known,
                Some(_) => {
                    let at = *places.entry(asked).or_insert(others.len());
                    if at == others.len() {
                        others.push((asked, answer));
                        continue;
                    }
                    &mut others[at].1
                }
            };
            match own.add(rows, place) {
                Added::Again => again += 1,
                Added::TooMany => too_many += 1,
                Added::Contradicts => {
                    let first = rows[own.first].value.as_str();
                    self.notes.push(conflict(file, row, first, &row.value));
                }
                Added::Taken if !places.contains_key(&asked) => self.take(sheet, place),
                Added::Taken => {}
            }
        }
        for (place, (asked, found)) in others.iter().enumerate() {
            if place % pace::ROWS == 0 {
                pace.turn().await;
            }
            let Some(known) = self.answers.get(asked) else { continue };
            let (known, values) = (known.values(&sheets[known.sheet].rows), found.values(rows));
            if known == values {
                again += values.len();
            } else {
                let row = &rows[found.first];
                self.notes.push(conflict(file, row, &listed(&known), &listed(&values)));
            }
        }
        if too_many > 0 {
            self.notes.push(Note::TooMany {
                file: file.clone(),
                rows: too_many,
            });
        }
        if missing > 0 {
            self.notes.push(Note::Missing {
                file: file.clone(),
                rows: missing,
            });
        }
        if again > 0 {
            self.notes.push(Note::Rows {
                file: file.clone(),
                rows: again,
            });
        }
    }
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

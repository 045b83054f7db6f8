//! A run as a file of JSON lines: a header with everything needed to make it again, the items as judges saw them, then a row
//! for every judgement and every failure, appended as it comes. A run that was cut off goes on where it stops.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    exchange::{Outcome, Row},
    gcc_eval::{Criterion, prompt},
    item::{JudgedComment, JudgedItem},
    judges::{Judge, Settings},
    rubric,
    task::{Task, tasks},
};
use crate::{
    long_run::{
        lines::{LineError, line_text, read_lines},
        tokens::Tokens,
    },
    pace::{AtOnce, Pace, at_once},
};

/// The version of the file's shape.
pub const SCHEMA: u32 = 1;

/// What is said once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The version of the prompts: [`super::VERSION`].
    pub prompts: u32,
    /// The version of the program that wrote it, with its commit where that is known.
    pub program: String,
    /// Who judges.
    pub judges: Vec<Judge>,
    /// What, and how.
    pub settings: Settings,
    /// The texts that prompts begin with, by criterion and for the `rubric`, with the fixed steps; an item's own lines follow.
    /// The hash of a whole question is its row's key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub prompt_texts: BTreeMap<String, String>,
}

impl Header {
    /// The header of a run by this program, which is named with its version and commit.
    #[must_use]
    pub fn new(program: String, judges: Vec<Judge>, settings: Settings) -> Self {
        Self {
            schema: SCHEMA,
            prompts: super::VERSION,
            program,
            prompt_texts: prompt_texts(&settings),
            judges,
            settings,
        }
    }
}

/// The name of the prompt for relevance where the item's reference is shown; items without one have the plain one.
const WITH_REFERENCE: &str = "relevance-with-reference";

fn prompt_texts(settings: &Settings) -> BTreeMap<String, String> {
    let criteria = settings.criteria.iter().flat_map(|criterion| {
        let text = |reference| prompt::system(*criterion, prompt::fixed_steps(*criterion), reference);
        let plain = (criterion.word().to_owned(), text(false));
        let with_reference = (settings.show_reference && *criterion == Criterion::Relevance)
            .then(|| (WITH_REFERENCE.to_owned(), text(true)));
        [Some(plain), with_reference].into_iter().flatten()
    });
    let rubric = settings
        .pairs
        .iter()
        .map(|_| ("rubric".to_owned(), rubric::prompt::system()));
    criteria.chain(rubric).collect()
}

/// A line of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "lowercase")]
pub enum RunLine {
    /// The first.
    Run(Header),
    /// An item.
    Item(JudgedItem),
    /// A comment by the claims that were declared of it: it stands in the place of its item's comment.
    Declared(DeclaredLine),
    /// A judgement or a failure.
    Row(Row),
}

/// What was declared of a comment, as it comes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeclaredLine {
    /// The item's id.
    pub item: String,
    /// The comment, judged by it.
    pub comment: JudgedComment,
}

impl RunLine {
    /// As a line of the file, without its end.
    #[must_use]
    pub fn text(&self) -> String {
        line_text(self)
    }
}

/// A run.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// What is said once.
    pub header: Header,
    /// The items.
    pub items: Vec<JudgedItem>,
    /// Rows in the order in which they came; failures are among them.
    pub rows: Vec<Row>,
}

/// Why a file is no run.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RunError {
    /// It does not begin with a header.
    #[error("the file does not begin with the line of a run of judges")]
    NoHeader,
    /// It is of another shape.
    #[error("the file's shape is version {0}; this program reads version {SCHEMA}")]
    Schema(u32),
    /// A line cannot be read.
    #[error(transparent)]
    Line(#[from] LineError),
    /// A comment that no item has.
    #[error("what was declared of a comment on {0} is of no comment of the run")]
    Stray(String),
    /// Two files are not of the same run.
    #[error("the files are of different runs: {0} differ")]
    Different(&'static str),
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Judgements wanted.
    pub all: usize,
    /// Judgements made.
    pub judged: usize,
    /// Wanted, tried and failed.
    pub failed: usize,
    /// Tokens of all requests, failures included, where servers counted them.
    pub tokens: Tokens,
}

impl Progress {
    /// Counts a row that is about to be added to the run.
    pub fn add(&mut self, run: &Run, row: &Row) {
        self.tokens = [self.tokens].into_iter().chain(row.tokens).sum();
        let (mut judged, mut failed) = (false, false);
        for before in run.rows.iter().filter(|before| before.task == row.task) {
            judged |= before.is_judged();
            failed |= !before.is_judged();
        }
        if judged {
            return;
        }
        if row.is_judged() {
            self.judged += 1;
            self.failed -= usize::from(failed);
        } else {
            self.failed += usize::from(!failed);
        }
    }
}

impl Run {
    /// A run of which nothing is judged.
    #[must_use]
    pub fn new(header: Header, items: Vec<JudgedItem>) -> Self {
        Self {
            header,
            items,
            rows: Vec::new(),
        }
    }

    /// Reads a file. Half a line at its end, which a run that was cut off may leave, is passed over.
    ///
    /// # Errors
    /// When it is no run, or a line other than the last cannot be read.
    pub fn read(text: &str) -> Result<Self, RunError> {
        at_once(Self::read_at(text, &AtOnce))
    }

    /// The same at a pace: there may be tens of megabytes.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub async fn read_at(text: &str, pace: &impl Pace) -> Result<Self, RunError> {
        let mut run: Option<Self> = None;
        for line in read_lines(text) {
            pace.turn().await;
            match (line, &mut run) {
                (Ok((_, RunLine::Run(header))), None) => {
                    if header.schema != SCHEMA {
                        return Err(RunError::Schema(header.schema));
                    }
                    run = Some(Self::new(header, Vec::new()));
                }
                (Ok((_, RunLine::Run(header))), Some(run)) if header == run.header => {}
                (Ok((_, RunLine::Run(_))), Some(_)) => return Err(RunError::Different("the headers")),
                (Ok(_), None) | (Err(_), None) => return Err(RunError::NoHeader),
                (Ok((_, RunLine::Item(item))), Some(run)) => run.items.push(item),
                (Ok((_, RunLine::Declared(line))), Some(run)) => {
                    let id = line.item.clone();
                    if !run.put_declared(line) {
                        return Err(RunError::Stray(id));
                    }
                }
                (Ok((_, RunLine::Row(row))), Some(run)) => run.rows.push(row),
                (Err(error), Some(_)) => return Err(error.into()),
            }
        }
        let mut run = run.ok_or(RunError::NoHeader)?;
        run.follow_declarations();
        Ok(run)
    }

    /// Puts a comment in its item by the claims that were declared of it; the verdicts on its pairs follow with
    /// [`follow_declarations`](Self::follow_declarations). False where no item has it.
    #[must_use]
    pub fn put_declared(&mut self, line: DeclaredLine) -> bool {
        let item = self.items.iter_mut().find(|item| item.id == line.item);
        item.is_some_and(|item| item.put_declared(line.comment))
    }

    /// Has verdicts on pairs follow what was declared of their comments, maybe after they were judged.
    pub fn follow_declarations(&mut self) {
        let is_declared = |item: &&JudgedItem| item.comments.iter().any(|comment| comment.declaration.is_some());
        let declared = self.items.iter().filter(is_declared);
        let declared: BTreeMap<&str, &JudgedItem> = declared.map(|item| (item.id.as_str(), item)).collect();
        for row in &mut self.rows {
            if let Some(item) = declared.get(row.task.item.as_str()) {
                row.follow(item, &self.header.settings);
            }
        }
    }

    /// The whole file.
    #[must_use]
    pub fn text(&self) -> String {
        let rows = self.rows.iter().cloned().map(RunLine::Row);
        let lines: Vec<String> = rows.map(|row| row.text() + "\n").collect();
        at_once(self.head_at(&AtOnce)) + &lines.concat()
    }

    /// The file without its rows, at a pace.
    pub async fn head_at(&self, pace: &impl Pace) -> String {
        let mut text = RunLine::Run(self.header.clone()).text() + "\n";
        for item in &self.items {
            pace.turn().await;
            text += &RunLine::Item(item.clone()).text();
            text.push('\n');
        }
        text
    }

    /// Everything that is to be judged.
    #[must_use]
    pub fn tasks(&self) -> Vec<Task> {
        tasks(&self.items, &self.header.judges, &self.header.settings)
    }

    /// What is not judged yet, failures included.
    #[must_use]
    pub fn left(&self) -> Vec<Task> {
        let judged: BTreeSet<&Task> = self.judged().map(|row| &row.task).collect();
        self.tasks().into_iter().filter(|task| !judged.contains(task)).collect()
    }

    /// The rows that hold a judgement, each task's first.
    pub fn judged(&self) -> impl Iterator<Item = &Row> {
        let mut seen = BTreeSet::new();
        self.rows
            .iter()
            .filter(|row| row.is_judged())
            .filter(move |row| seen.insert(&row.task))
    }

    /// Failures of tasks that no row judges, each task's last.
    #[must_use]
    pub fn failures(&self) -> Vec<&Row> {
        let judged: BTreeSet<&Task> = self.judged().map(|row| &row.task).collect();
        let mut last: BTreeMap<&Task, &Row> = BTreeMap::new();
        for row in self
            .rows
            .iter()
            .filter(|row| !row.is_judged() && !judged.contains(&row.task))
        {
            last.insert(&row.task, row);
        }
        last.into_values().collect()
    }

    /// Judgements by what they rest on: the same question need not be asked twice.
    #[must_use]
    pub fn by_key(&self) -> BTreeMap<String, Row> {
        self.judged().map(|row| (row.key.clone(), row.clone())).collect()
    }

    /// The item with this name.
    #[must_use]
    pub fn item(&self, id: &str) -> Option<&JudgedItem> {
        self.items.iter().find(|item| item.id == id)
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let all = self.tasks();
        let left = self.left().len();
        Progress {
            all: all.len(),
            judged: all.len() - left,
            failed: self.failures().len(),
            tokens: self.tokens(),
        }
    }

    /// Tokens of all requests, failures and declarations included, where servers counted them.
    #[must_use]
    pub fn tokens(&self) -> Tokens {
        let comments = self.items.iter().flat_map(|item| &item.comments);
        let declared = comments.filter_map(|comment| comment.declaration.as_ref()?.tokens);
        self.rows.iter().filter_map(|row| row.tokens).chain(declared).sum()
    }

    /// Adds the rows of another file of the same run, such as a shard's, and what was declared there; judgements and
    /// declarations that are there are kept.
    ///
    /// # Errors
    /// When it is of another run.
    pub fn merge(&mut self, other: Self) -> Result<(), RunError> {
        if self.header.judges != other.header.judges {
            return Err(RunError::Different("the judges"));
        }
        if self.header.settings != other.header.settings || self.header.prompts != other.header.prompts {
            return Err(RunError::Different("the settings"));
        }
        let same = |(own, theirs): (&JudgedItem, &JudgedItem)| own.is_same(theirs);
        if self.items.len() != other.items.len() || !self.items.iter().zip(&other.items).all(same) {
            return Err(RunError::Different("the items"));
        }
        for (own, theirs) in self.items.iter_mut().zip(other.items) {
            for (own, theirs) in own.comments.iter_mut().zip(theirs.comments) {
                if own.declaration.is_none() {
                    *own = theirs;
                }
            }
        }
        let judged: BTreeSet<Task> = self.judged().map(|row| row.task.clone()).collect();
        for row in other.rows {
            if !judged.contains(&row.task) && !self.rows.contains(&row) {
                self.rows.push(row);
            }
        }
        self.follow_declarations();
        Ok(())
    }
}

/// The kinds of failures and how many there are of each.
#[must_use]
pub fn failure_kinds(rows: &[&Row]) -> BTreeMap<String, usize> {
    let mut kinds = BTreeMap::new();
    for row in rows {
        if let Outcome::Error(failure) = &row.outcome {
            *kinds.entry(failure.kind.clone()).or_default() += 1;
        }
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        judge::{exchange::Failure, gcc_eval::score::Score, item::tests::item},
        long_run::tokens::Prices,
    };

    fn run() -> Run {
        let judge = Judge {
            name: "j".to_owned(),
            provider: "openai".to_owned(),
            server: "http://127.0.0.1:1".to_owned(),
            model: "m".to_owned(),
        };
        Run::new(
            Header::new("kibitz".to_owned(), vec![judge], Settings::default()),
            vec![item()],
        )
    }

    fn row(task: &Task, outcome: Outcome) -> Row {
        Row {
            task: task.clone(),
            key: format!("{task:?}"),
            outcome,
            replies: vec!["4".to_owned()],
            model_answered: None,
            tokens: Some(Tokens {
                prompt: 100,
                completion: 2,
            }),
            given_up: Vec::new(),
            attempts: Vec::new(),
            copied: false,
        }
    }

    fn score() -> Outcome {
        Outcome::Score(Score::of([0.0, 0.0, 0.0, 1.0, 0.0]).unwrap())
    }

    fn error() -> Outcome {
        Outcome::Error(Failure {
            kind: "overloaded".to_owned(),
            what: "Too much.".to_owned(),
            advice: String::new(),
        })
    }

    #[test]
    fn a_file_comes_back_and_half_a_line_is_passed_over() {
        let mut run = run();
        let task = run.tasks()[0].clone();
        run.rows.push(row(&task, score()));
        let text = run.text();
        assert_eq!(Run::read(&text).unwrap(), run);
        let texts = &run.header.prompt_texts;
        assert!(
            texts["clarity"].contains("Steps\n1.") && texts["rubric"].contains("Hard rule"),
            "{texts:?}"
        );
        assert!(!texts.contains_key(WITH_REFERENCE));
        let shown = Settings {
            show_reference: true,
            ..Settings::default()
        };
        let texts = Header::new(String::new(), Vec::new(), shown).prompt_texts;
        assert!(
            texts[WITH_REFERENCE].contains("person") && !texts["relevance"].contains("person"),
            "{texts:?}"
        );
        let cut = format!("{text}{{\"line\":\"row\",\"it");
        assert_eq!(Run::read(&cut).unwrap(), run);
        assert_eq!(
            Run::read(&format!("{text}nonsense\n{}", "{}")).unwrap_err().to_string(),
            "line 4 cannot be read: expected ident at line 1 column 2"
        );
        assert_eq!(Run::read(""), Err(RunError::NoHeader));
        assert_eq!(Run::read("{\"schema\":1}"), Err(RunError::NoHeader));
        let newer = text.replacen("\"schema\":1", "\"schema\":9", 1);
        assert_eq!(Run::read(&newer), Err(RunError::Schema(9)));
    }

    #[test]
    fn failures_are_kept_and_asked_again() {
        let mut run = run();
        let tasks = run.tasks();
        let mut counted = run.progress();
        for (task, outcome, judged, failed) in [
            (0, error(), 0, 1),
            (0, error(), 0, 1),
            (1, score(), 1, 1),
            (0, score(), 2, 0),
        ] {
            let row = row(&tasks[task], outcome);
            counted.add(&run, &row);
            run.rows.push(row);
            assert_eq!(run.progress(), counted);
            assert_eq!((counted.all, counted.judged, counted.failed), (10, judged, failed));
        }
        assert_eq!(run.left().len(), tasks.len() - 2);
        assert_eq!(
            run.tokens(),
            Tokens {
                prompt: 400,
                completion: 8
            }
        );
        let cost = Prices {
            prompt: 2.0,
            completion: 10.0,
        }
        .cost(run.tokens());
        assert!((cost - 0.00088).abs() < 1e-12);
    }

    #[test]
    fn shards_are_put_together_and_nothing_is_judged_twice() {
        let mut one = run();
        let mut two = run();
        let tasks = one.tasks();
        one.rows.push(row(&tasks[0], score()));
        one.rows.push(row(&tasks[1], error()));
        two.rows.push(row(&tasks[1], score()));
        two.rows.push(row(&tasks[0], score()));
        one.merge(two).unwrap();
        assert_eq!(one.judged().count(), 2);
        assert_eq!(one.failures(), Vec::<&Row>::new());
        let mut other = run();
        other.header.settings.seed = 9;
        assert_eq!(one.merge(other), Err(RunError::Different("the settings")));
    }
}

//! A run as a file of JSON lines: a header with everything needed to make it again, the positions, then a row for every
//! answer and every error, appended as it comes. A run that was cut off goes on where it stops.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    play::Row,
    player::Player,
    prompt,
    suite::{
        file::{Suite, SuiteHeader},
        position::TestPosition,
    },
    task::{Settings, Task, tasks},
};
use crate::{
    long_run::{
        count::{Count, Progress},
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
    /// The version of the prompts: [`prompt::VERSION`].
    pub prompts: u32,
    /// The program that wrote it, with its version and commit.
    pub program: String,
    /// What models are asked, by the prompt's name: of the first position of chess, with what is told beside it in angle
    /// brackets. Empty where nobody is asked in words.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub prompt_texts: BTreeMap<String, String>,
    /// The suite, and how it was made.
    pub suite: SuiteHeader,
    /// Who plays.
    pub players: Vec<Player>,
    /// The settings of the run, the same for every player.
    pub settings: Settings,
}

/// A line of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "lowercase")]
pub enum RunLine {
    /// The first.
    Play(Box<Header>),
    /// A position.
    Position(Box<TestPosition>),
    /// An answer or an error.
    Row(Box<Row>),
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
    /// The positions.
    pub positions: Vec<TestPosition>,
    /// Rows in the order in which they came; errors are among them.
    pub rows: Vec<Row>,
}

/// Why a file is no run.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RunError {
    /// It does not begin with a header.
    #[error("the file does not begin with the line of a run of players")]
    NoHeader,
    /// It is of another shape.
    #[error("the file's shape is version {0}; this program reads version {SCHEMA}")]
    Schema(u32),
    /// A line cannot be read.
    #[error(transparent)]
    Line(#[from] LineError),
    /// Two files are not of the same run.
    #[error("the files are of different runs: {0} differ")]
    Different(&'static str),
}

impl Run {
    /// A run in which nothing is answered.
    #[must_use]
    pub fn new(suite: Suite, players: Vec<Player>, settings: Settings) -> Self {
        let asked = players.iter().any(|player| player.kind.is_endpoint());
        Self {
            header: Header {
                schema: SCHEMA,
                prompts: prompt::VERSION,
                program: concat!("kibitz ", env!("CARGO_PKG_VERSION")).to_owned(),
                prompt_texts: if asked {
                    prompt::texts(&settings.prompts)
                } else {
                    BTreeMap::new()
                },
                suite: suite.header,
                players,
                settings,
            },
            positions: suite.positions,
            rows: Vec::new(),
        }
    }

    /// The same, written by a program that can name its commit.
    #[must_use]
    pub fn made_by(mut self, program: String) -> Self {
        self.header.program = program;
        self
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
                (Ok((_, RunLine::Play(header))), None) => {
                    if header.schema != SCHEMA {
                        return Err(RunError::Schema(header.schema));
                    }
                    run = Some(Self {
                        header: *header,
                        positions: Vec::new(),
                        rows: Vec::new(),
                    });
                }
                (Ok((_, RunLine::Play(_))), Some(_)) => return Err(RunError::Different("the headers")),
                (Ok(_) | Err(_), None) => return Err(RunError::NoHeader),
                (Ok((_, RunLine::Position(position))), Some(run)) => run.positions.push(*position),
                (Ok((_, RunLine::Row(row))), Some(run)) => run.rows.push(*row),
                (Err(error), Some(_)) => return Err(error.into()),
            }
        }
        run.ok_or(RunError::NoHeader)
    }

    /// The whole file.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = RunLine::Play(Box::new(self.header.clone())).text() + "\n";
        let positions = self.positions.iter().map(|at| RunLine::Position(Box::new(at.clone())));
        let rows = self.rows.iter().map(|row| RunLine::Row(Box::new(row.clone())));
        for line in positions.chain(rows) {
            text += &line.text();
            text.push('\n');
        }
        text
    }

    /// Every answer that is wanted.
    #[must_use]
    pub fn tasks(&self) -> Vec<Task> {
        tasks(&self.positions, &self.header.players, &self.header.settings)
    }

    /// Those that are not there yet, failed ones included.
    #[must_use]
    pub fn left(&self) -> Vec<Task> {
        let answered: BTreeSet<&Task> = self.answers().map(|row| &row.task).collect();
        self.tasks()
            .into_iter()
            .filter(|task| !answered.contains(task))
            .collect()
    }

    /// The rows that hold an answer, each task's first.
    pub fn answers(&self) -> impl Iterator<Item = &Row> {
        let mut seen = BTreeSet::new();
        self.rows
            .iter()
            .filter(|row| row.is_answer())
            .filter(move |row| seen.insert(&row.task))
    }

    /// Errors of tasks that have no answer, each task's last.
    #[must_use]
    pub fn errors(&self) -> Vec<&Row> {
        let answered: BTreeSet<&Task> = self.answers().map(|row| &row.task).collect();
        let mut last: BTreeMap<&Task, &Row> = BTreeMap::new();
        for row in self
            .rows
            .iter()
            .filter(|row| !row.is_answer() && !answered.contains(&row.task))
        {
            last.insert(&row.task, row);
        }
        last.into_values().collect()
    }

    /// Answers by what they rest on: the same question need not be asked twice.
    #[must_use]
    pub fn by_key(&self) -> BTreeMap<String, Row> {
        self.answers().map(|row| (row.key.clone(), row.clone())).collect()
    }

    /// The position with this name.
    #[must_use]
    pub fn position(&self, id: &str) -> Option<&TestPosition> {
        self.positions.iter().find(|at| at.id == id)
    }

    /// The player with this name.
    #[must_use]
    pub fn player(&self, name: &str) -> Option<&Player> {
        self.header.players.iter().find(|player| player.name == name)
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.count().progress()
    }

    /// The count of the run as it is, for rows that are to come.
    #[must_use]
    pub fn count(&self) -> Count<Task> {
        let all = self.tasks().len();
        let failed = self.errors().into_iter().map(|row| row.task.clone()).collect();
        Count::new(all, all - self.left().len(), failed, self.tokens())
    }

    /// Tokens of all requests, errors included, where servers counted them.
    #[must_use]
    pub fn tokens(&self) -> Tokens {
        self.rows.iter().filter_map(|row| row.tokens).sum()
    }

    /// Whether what is to be played is this run: the same players, settings, suite and positions.
    ///
    /// # Errors
    /// When it is not.
    pub fn same_as(
        &self,
        players: &[Player],
        settings: &Settings,
        suite: &SuiteHeader,
        positions: &[TestPosition],
    ) -> Result<(), RunError> {
        if self.header.players != players {
            return Err(RunError::Different("the players"));
        }
        if self.header.settings != *settings || self.header.prompts != prompt::VERSION {
            return Err(RunError::Different("the settings"));
        }
        if self.header.suite != *suite {
            return Err(RunError::Different("the suites"));
        }
        if self.positions != positions {
            return Err(RunError::Different("the positions"));
        }
        Ok(())
    }

    /// Adds the rows of another file of the same run, such as a shard's; answers that are there are kept.
    ///
    /// # Errors
    /// When it is of another run.
    pub fn merge(&mut self, other: Self) -> Result<(), RunError> {
        let Header {
            players,
            settings,
            suite,
            ..
        } = &other.header;
        self.same_as(players, settings, suite, &other.positions)?;
        let answered: BTreeSet<Task> = self.answers().map(|row| row.task.clone()).collect();
        for row in other.rows {
            if !answered.contains(&row.task) && !self.rows.contains(&row) {
                self.rows.push(row);
            }
        }
        Ok(())
    }
}

/// Tokens that the answers still to be given will take, from those that came: the mean of each player and prompt times what
/// is left. `None` where nothing of a model's was counted yet and its prompts have to stand for it: then by their letters.
#[must_use]
pub fn expected_tokens(run: &Run, left: &[Task]) -> Tokens {
    /// Bytes of English and chess a token, roughly.
    const BYTES: u64 = 3;
    let mut seen: BTreeMap<(&str, Option<prompt::PromptKind>), (Tokens, u64)> = BTreeMap::new();
    for row in &run.rows {
        if let Some(tokens) = row.tokens {
            let entry = seen.entry((&row.task.player, row.task.prompt)).or_default();
            entry.0 = [entry.0, tokens].into_iter().sum();
            entry.1 += 1;
        }
    }
    let positions: BTreeMap<&str, &TestPosition> = run.positions.iter().map(|at| (at.id.as_str(), at)).collect();
    let of = |task: &Task| -> Option<Tokens> {
        let kind = task.prompt?;
        if let Some((tokens, count)) = seen.get(&(task.player.as_str(), task.prompt)) {
            return Some(Tokens {
                prompt: tokens.prompt / count,
                completion: tokens.completion / count,
            });
        }
        let at = positions.get(task.item.as_str())?;
        let words = prompt::messages(kind, &at.read().ok()?, at.expert.as_deref(), at.concept.as_deref());
        Some(Tokens {
            prompt: words.iter().map(|message| message.content.len() as u64).sum::<u64>() / BYTES,
            completion: u64::from(run.header.settings.max_tokens),
        })
    };
    left.iter().filter_map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grading::{
        fault::{Fault, FaultKind},
        player::PlayerKind,
        suite::goal::Goal,
    };
    use shakmaty::{CastlingMode, Chess};

    fn run() -> Run {
        let at = |id: &str| TestPosition::new(id, &Chess::default(), CastlingMode::Standard, Goal::Grade);
        let suite = Suite::new("s", String::new(), 1, vec![at("a"), at("b")]);
        let player = |name: &str, kind| Player {
            name: name.to_owned(),
            kind,
        };
        let players = vec![
            player("random", PlayerKind::Random),
            player("played", PlayerKind::Played),
        ];
        Run::new(suite, players, Settings::default())
    }

    fn row(task: &Task, fault: Option<FaultKind>) -> Row {
        Row {
            task: task.clone(),
            key: format!("{task:?}"),
            moves: vec!["e2e4".to_owned()],
            fault: fault.map(|kind| Fault::new(kind, "x")),
            solved: None,
            said: String::new(),
            replies: Vec::new(),
            objected: Vec::new(),
            explanation: None,
            model_answered: None,
            tokens: None,
            millis: 1,
            given_up: Vec::new(),
            copied: false,
        }
    }

    #[test]
    fn files_come_back_and_errors_are_asked_again() {
        let mut run = run();
        let tasks = run.tasks();
        assert_eq!(tasks.len(), 2, "nobody knows what was played");
        run.rows.push(row(&tasks[0], Some(FaultKind::TimeOut)));
        run.rows.push(row(&tasks[1], Some(FaultKind::NotAMove)));
        assert_eq!(
            run.progress(),
            Progress {
                all: 2,
                answered: 1,
                failed: 1
            }
        );
        let text = run.text();
        assert_eq!(Run::read(&text).unwrap(), run);
        assert_eq!(Run::read(&format!("{text}{{\"line\":\"ro")).unwrap(), run);
        run.rows.push(row(&tasks[0], None));
        assert_eq!((run.progress().answered, run.errors().len(), run.rows.len()), (2, 0, 3));
        assert_eq!(Run::read("x"), Err(RunError::NoHeader));
    }

    #[test]
    fn rows_are_counted_as_they_come() {
        let mut run = run();
        let mut count = run.count();
        let tasks = run.tasks();
        let tokens = Tokens {
            prompt: 3,
            completion: 1,
        };
        for (task, fault) in [
            (0, Some(FaultKind::TimeOut)),
            (0, Some(FaultKind::Transport)),
            (1, Some(FaultKind::Transport)),
            (0, None),
            (1, Some(FaultKind::NoPiece)),
        ] {
            let row = Row {
                tokens: Some(tokens),
                ..row(&tasks[task], fault)
            };
            count.add(&row.task, row.is_answer(), row.tokens);
            run.rows.push(row);
            assert_eq!((count.progress(), count.tokens()), (run.progress(), run.tokens()));
            assert_eq!(count, run.count());
        }
    }

    #[test]
    fn shards_are_put_together_and_nothing_is_answered_twice() {
        let (mut one, mut two) = (run(), run());
        let tasks = one.tasks();
        one.rows.push(row(&tasks[0], None));
        two.rows.push(row(&tasks[0], Some(FaultKind::NotAMove)));
        two.rows.push(row(&tasks[1], None));
        one.merge(two).unwrap();
        assert_eq!(one.answers().count(), 2);
        assert!(one.rows[0].is_legal());
        let mut other = run();
        other.header.settings.seed = 9;
        assert_eq!(one.merge(other), Err(RunError::Different("the settings")));
        let mut other = run();
        other.positions.pop();
        assert_eq!(one.merge(other), Err(RunError::Different("the positions")));
    }

    #[test]
    fn a_header_says_what_models_are_asked_and_which_program_wrote_it() {
        assert!(run().header.prompt_texts.is_empty(), "nobody is asked in words");
        let model = Player {
            name: "m".to_owned(),
            kind: PlayerKind::Endpoint {
                provider: "openai".to_owned(),
                server: "http://127.0.0.1:1".to_owned(),
                model: "m".to_owned(),
            },
        };
        let settings = Settings {
            prompts: prompt::PromptKind::TABLE_7.to_vec(),
            ..Settings::default()
        };
        let suite = Suite::new("s", String::new(), 1, run().positions);
        let run = Run::new(suite, vec![model], settings).made_by("kibitz 1 (abc)".to_owned());
        let texts = &run.header.prompt_texts;
        assert_eq!(
            texts.keys().map(String::as_str).collect::<Vec<_>>(),
            ["again", "fen", "fen+concept", "fen+expert"]
        );
        assert!(
            texts["fen+expert"].contains("A chess engine's evaluation: <"),
            "{texts:?}"
        );
        assert!(texts["fen"].starts_with("You play chess."));
        assert_eq!(Run::read(&run.text()).unwrap().header.program, "kibitz 1 (abc)");
    }
}

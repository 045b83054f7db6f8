//! A run as a file of JSON lines: a header with everything needed to make it again, the probes, then a row for every answer and
//! every error, appended as it comes. A run that was cut off goes on where it stops.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    asked::{self, MoveText, messages, read_square},
    grade::Answer,
    notation::Notation,
    probe::{Probe, ProbeLine, ProbeTask, Question},
    probe_set::{ProbeHeader, ProbeSet, ProbeSetError},
    scored::{self, Scored, Scoring, can_be_scored},
    scripted::Scripted,
    token::Token,
};
use crate::{
    grading::fault::{Fault, FaultKind},
    llm::{ChatRequest, Reply},
    long_run::{
        count::Count,
        lines::{LineError, line_text, read_lines},
        shard::Shard,
        tokens::{Tokens, given_up},
    },
    pace::{AtOnce, Pace, at_once},
};

/// The version of the file's shape.
pub const SCHEMA: u32 = 1;

/// Who answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlindPlayer {
    /// The name in tables; no two in a run have the same.
    pub name: String,
    /// What it is.
    #[serde(flatten)]
    pub kind: BlindPlayerKind,
}

/// What a player is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "player", rename_all = "kebab-case")]
pub enum BlindPlayerKind {
    /// A player whose scores are known.
    Scripted {
        /// Which.
        script: Scripted,
    },
    /// A language model of our own format, which ranks its vocabulary.
    Model {
        /// What its file calls it.
        model: String,
        /// SHA-256 of its file, in hexadecimal.
        hash: String,
        /// How the games were written that it learned from.
        notation: Notation,
        /// What it is: `transformer`, `lstm`.
        kind: String,
        /// Layers.
        layers: usize,
        /// Heads of each; 0 where it attends to nothing.
        heads: usize,
        /// Numbers a token is inside of it.
        width: usize,
        /// How many tokens back it attends to, where that is not all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        window: Option<usize>,
        /// How many games it learned from, where its file says so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        games: Option<usize>,
    },
    /// A chat model that is asked in words.
    Asked {
        /// Its API's word.
        provider: String,
        /// `scheme://host:port`.
        server: String,
        /// The model asked for.
        model: String,
        /// How it is told the moves.
        text: MoveText,
    },
    /// A model behind an endpoint that tells how likely each next token is: its candidates are ranked.
    Scored {
        /// Its API's word.
        provider: String,
        /// `scheme://host:port`.
        server: String,
        /// The model asked for.
        model: String,
        /// How it is told the moves.
        text: MoveText,
    },
}

impl BlindPlayerKind {
    /// How it answers, for tables: ranked, or asked or scored with the form of the moves.
    #[must_use]
    pub fn mode(&self) -> String {
        match self {
            Self::Scripted { .. } => "ranked".to_owned(),
            Self::Model { notation, .. } => format!("ranked, {notation}"),
            Self::Asked { text, .. } => format!("asked, {text}"),
            Self::Scored { text, .. } => format!("scored, {text}"),
        }
    }

    /// Whether it is reached over an API.
    #[must_use]
    pub const fn is_behind_endpoint(&self) -> bool {
        matches!(self, Self::Asked { .. } | Self::Scored { .. })
    }

    /// Whether it is asked this: who has learned from UCI alone has never seen the types that the Start tasks ask with, and who
    /// is told the moves without types is not scored in them.
    #[must_use]
    pub const fn is_asked(&self, task: ProbeTask) -> bool {
        match self {
            Self::Model { notation, .. } => task.is_end() || !matches!(notation, Notation::Uci),
            Self::Scored { text, .. } => can_be_scored(*text, task),
            Self::Scripted { .. } | Self::Asked { .. } => true,
        }
    }
}

/// How players answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BlindSettings {
    /// Which tasks.
    pub tasks: Vec<ProbeTask>,
    /// Of models that are asked.
    pub temperature: f64,
    /// The most tokens of a reply.
    pub max_tokens: u32,
    /// Of models' samplers, and of players that draw.
    pub seed: u32,
}

impl Default for BlindSettings {
    /// The command line's.
    fn default() -> Self {
        Self {
            tasks: ProbeTask::ALL.to_vec(),
            temperature: 0.0,
            max_tokens: 64,
            seed: 1,
        }
    }
}

/// What is said once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BlindHeader {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The version of the prompts: [`asked::VERSION`].
    pub prompts: u32,
    /// The program that wrote it, with its version and commit.
    pub program: String,
    /// What models are asked or given to go on with, word for word, of the paper's example. Empty where nobody is told in words.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub prompt_texts: BTreeMap<String, String>,
    /// The set of probes, and how it was made.
    pub set: ProbeHeader,
    /// Who answers.
    pub players: Vec<BlindPlayer>,
    /// The settings of the run, the same for every player.
    pub settings: BlindSettings,
}

/// An answer that is wanted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BlindTask {
    /// The probe.
    pub probe: String,
    /// What is asked after it.
    pub task: ProbeTask,
    /// Who answers.
    pub player: String,
}

/// A row: an answer, or an error that is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BlindRow {
    /// What was asked of whom.
    #[serde(flatten)]
    pub task: BlindTask,
    /// The likeliest tokens, first the likeliest; of what was asked the square that was named.
    pub tokens: Vec<String>,
    /// Whether the player ranks its vocabulary.
    pub ranked: bool,
    /// Why there is no answer, or none that names a square.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// The reply, word for word.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reply: String,
    /// How much of the probability lies on squares and types, 0 to 1, where the model is scored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heard: Option<f64>,
    /// The model that answered, where the server says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_answered: Option<String>,
    /// Tokens of the request, where the server counted them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used: Option<Tokens>,
    /// Milliseconds that the answer took.
    #[serde(default)]
    pub millis: u64,
    /// Fields of the request that the server refused, so that it was asked without them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given_up: Vec<String>,
}

impl BlindRow {
    /// Whether there is an answer, of whatever worth; an error is asked for again.
    #[must_use]
    pub fn is_answer(&self) -> bool {
        !self.fault.as_ref().is_some_and(|fault| fault.kind.is_error())
    }

    /// What is graded; a text that is no token counts as no answer.
    #[must_use]
    pub fn answer(&self) -> Answer {
        Answer {
            tokens: self.tokens.iter().map_while(|text| text.parse().ok()).collect(),
            ranked: self.ranked,
        }
    }

    /// The row of a player that ranks its vocabulary.
    #[must_use]
    pub fn of_answer(task: &BlindTask, answer: &Answer) -> Self {
        Self {
            task: task.clone(),
            tokens: answer.tokens.iter().map(Token::to_string).collect(),
            ranked: answer.ranked,
            fault: None,
            reply: String::new(),
            heard: None,
            model_answered: None,
            used: None,
            millis: 0,
            given_up: Vec::new(),
        }
    }

    /// The row of a chat model's reply, which took so many milliseconds.
    #[must_use]
    pub fn of_reply(task: &BlindTask, question: &Question, reply: Reply, millis: u64) -> Self {
        let named = read_square(&reply.text, question);
        let answer = Answer {
            tokens: named.into_iter().collect(),
            ranked: false,
        };
        let fault = named
            .is_none()
            .then(|| Fault::new(FaultKind::NotAMove, "The reply names no square."));
        let replies = [reply];
        let (used, given_up) = (Tokens::of(&replies), given_up(&replies));
        let [reply] = replies;
        Self {
            fault,
            reply: reply.text,
            model_answered: reply.model,
            used,
            millis,
            given_up,
            ..Self::of_answer(task, &answer)
        }
    }

    /// The row of a model that was scored in so many milliseconds.
    #[must_use]
    pub fn of_scored(task: &BlindTask, scored: Scored, millis: u64) -> Self {
        let fault = scored.answer.tokens.is_empty().then(|| {
            Fault::new(
                FaultKind::NotAMove,
                "No square is among the tokens that the server lists.",
            )
        });
        Self {
            fault,
            heard: Some(scored.heard),
            model_answered: scored.model,
            used: scored.used,
            millis,
            ..Self::of_answer(task, &scored.answer)
        }
    }

    /// As a file has it, without the end of the line.
    #[must_use]
    pub fn line(&self) -> String {
        line_text(&BlindLine::Row(Box::new(self.clone())))
    }

    /// The row where there is no answer.
    #[must_use]
    pub fn failed(task: &BlindTask, kind: FaultKind, what: &str) -> Self {
        let nothing = Answer {
            tokens: Vec::new(),
            ranked: false,
        };
        Self {
            fault: Some(Fault::new(kind, what)),
            ..Self::of_answer(task, &nothing)
        }
    }
}

/// Rows as a file has them.
#[must_use]
pub fn rows_text(rows: &[BlindRow]) -> String {
    rows.iter().map(|row| row.line() + "\n").collect()
}

/// A line of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "lowercase")]
pub enum BlindLine {
    /// The first.
    Blindfold(Box<BlindHeader>),
    /// A probe.
    Probe(ProbeLine),
    /// An answer or an error.
    Row(Box<BlindRow>),
}

/// A run.
#[derive(Debug, Clone, PartialEq)]
pub struct BlindRun {
    /// What is said once.
    pub header: BlindHeader,
    /// The probes.
    pub probes: Vec<Probe>,
    /// Rows in the order in which they came; errors are among them.
    pub rows: Vec<BlindRow>,
}

/// Why a file is no run.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BlindRunError {
    /// It does not begin with a header.
    #[error("the file does not begin with the line of a run of blindfold players")]
    NoHeader,
    /// It is of another shape.
    #[error("the file's shape is version {0}; this program reads version {SCHEMA}")]
    Schema(u32),
    /// A line cannot be read.
    #[error(transparent)]
    Line(#[from] LineError),
    /// A line is no probe.
    #[error(transparent)]
    Probe(#[from] ProbeSetError),
    /// Two files are not of the same run.
    #[error("the files are of different runs: {0} differ")]
    Different(&'static str),
}

impl BlindRun {
    /// A run in which nothing is answered.
    #[must_use]
    pub fn new(set: ProbeSet, players: Vec<BlindPlayer>, settings: BlindSettings, program: String) -> Self {
        let mut run = Self {
            header: BlindHeader {
                schema: SCHEMA,
                prompts: asked::VERSION,
                program,
                prompt_texts: BTreeMap::new(),
                set: set.header,
                players: Vec::new(),
                settings,
            },
            probes: set.probes,
            rows: Vec::new(),
        };
        for player in players {
            run.join(player);
        }
        run
    }

    /// Lets another player in, who is asked everything; one of that name stays as it is.
    pub fn join(&mut self, player: BlindPlayer) {
        if self.player(&player.name).is_some() {
            return;
        }
        match &player.kind {
            BlindPlayerKind::Asked { text, .. } => self.header.prompt_texts.extend(asked::texts(*text)),
            BlindPlayerKind::Scored { text, .. } => self.header.prompt_texts.extend(scored::texts(*text)),
            BlindPlayerKind::Scripted { .. } | BlindPlayerKind::Model { .. } => {}
        }
        self.header.players.push(player);
    }

    /// Reads a file. Half a line at its end, which a run that was cut off may leave, is passed over.
    ///
    /// # Errors
    /// When it is no run, or a line other than the last cannot be read.
    pub fn read(text: &str) -> Result<Self, BlindRunError> {
        at_once(Self::read_at(text, &AtOnce))
    }

    /// The same in turns.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub async fn read_at(text: &str, pace: &impl Pace) -> Result<Self, BlindRunError> {
        let mut run: Option<Self> = None;
        for line in read_lines(text) {
            pace.turn().await;
            match (line, &mut run) {
                (Ok((_, BlindLine::Blindfold(header))), None) if header.schema == SCHEMA => {
                    run = Some(Self {
                        header: *header,
                        probes: Vec::new(),
                        rows: Vec::new(),
                    });
                }
                (Ok((_, BlindLine::Blindfold(header))), None) => return Err(BlindRunError::Schema(header.schema)),
                (Ok((line, BlindLine::Probe(probe))), Some(run)) => {
                    let probe = Probe::read(&probe).map_err(|error| ProbeSetError::Probe { line, error })?;
                    run.probes.push(probe);
                }
                (Ok((_, BlindLine::Row(row))), Some(run)) => run.rows.push(*row),
                (Ok((_, BlindLine::Blindfold(_))), Some(_)) => return Err(BlindRunError::Different("the headers")),
                (Err(error), Some(_)) => return Err(error.into()),
                (_, None) => return Err(BlindRunError::NoHeader),
            }
        }
        run.ok_or(BlindRunError::NoHeader)
    }

    /// The whole file.
    #[must_use]
    pub fn text(&self) -> String {
        self.head() + &rows_text(&self.rows)
    }

    /// The file without its rows: the header and the probes.
    #[must_use]
    pub fn head(&self) -> String {
        let mut text = line_text(&BlindLine::Blindfold(Box::new(self.header.clone()))) + "\n";
        for probe in &self.probes {
            text += &line_text(&BlindLine::Probe(probe.line()));
            text.push('\n');
        }
        text
    }

    /// The player with this name.
    #[must_use]
    pub fn player(&self, name: &str) -> Option<&BlindPlayer> {
        self.header.players.iter().find(|player| player.name == name)
    }

    /// Every answer that is wanted, probe by probe.
    #[must_use]
    pub fn tasks(&self) -> Vec<BlindTask> {
        let mut all = Vec::new();
        for probe in &self.probes {
            for task in &self.header.settings.tasks {
                if probe.question(*task).is_none() {
                    continue;
                }
                let asked = self.header.players.iter().filter(|player| player.kind.is_asked(*task));
                all.extend(asked.map(|player| BlindTask {
                    probe: probe.id().to_owned(),
                    task: *task,
                    player: player.name.clone(),
                }));
            }
        }
        all
    }

    /// Those of a shard that are not there yet, failed ones included; the questions of a probe stay together.
    #[must_use]
    pub fn left(&self, shard: Shard) -> Vec<BlindTask> {
        at_once(self.left_at(shard, &AtOnce))
    }

    /// The same in turns.
    pub async fn left_at(&self, shard: Shard, pace: &impl Pace) -> Vec<BlindTask> {
        let answered: BTreeSet<&BlindTask> = self.answers().map(|row| &row.task).collect();
        pace.turn().await;
        let mine = shard.of(self.tasks(), |task| &task.probe);
        pace.turn().await;
        mine.into_iter().filter(|task| !answered.contains(task)).collect()
    }

    /// The rows that hold an answer, each task's first.
    pub fn answers(&self) -> impl Iterator<Item = &BlindRow> {
        let mut seen = BTreeSet::new();
        self.rows
            .iter()
            .filter(|row| row.is_answer())
            .filter(move |row| seen.insert(&row.task))
    }

    /// Tasks that have no answer, and were tried.
    fn unanswered(&self) -> BTreeSet<&BlindTask> {
        let answered: BTreeSet<&BlindTask> = self.answers().map(|row| &row.task).collect();
        let tried = self.rows.iter().map(|row| &row.task);
        tried.filter(|task| !answered.contains(task)).collect()
    }

    /// How many tasks have no answer, and were tried.
    #[must_use]
    pub fn failed(&self) -> usize {
        self.unanswered().len()
    }

    /// How many of a player's.
    #[must_use]
    pub fn failed_of(&self, player: &str) -> usize {
        self.unanswered().iter().filter(|task| task.player == player).count()
    }

    /// Tokens of all requests, errors included, where servers counted them.
    #[must_use]
    pub fn used(&self) -> Tokens {
        self.rows.iter().filter_map(|row| row.used).sum()
    }

    /// The count of the run as it is, for rows that are to come.
    #[must_use]
    pub fn count(&self) -> Count<BlindTask> {
        at_once(self.count_at(&AtOnce))
    }

    /// The same in turns.
    pub async fn count_at(&self, pace: &impl Pace) -> Count<BlindTask> {
        let failed = self.unanswered().into_iter().cloned().collect();
        pace.turn().await;
        let answered = self.answers().count();
        pace.turn().await;
        Count::new(self.tasks().len(), answered, failed, self.used())
    }

    /// Probes by their names.
    #[must_use]
    pub fn by_id(&self) -> BTreeMap<&str, &Probe> {
        self.probes.iter().map(|probe| (probe.id(), probe)).collect()
    }

    /// The request that asks a task's question; `None` of players that are not asked in words.
    #[must_use]
    pub fn request(&self, player: &BlindPlayer, probe: &Probe, question: &Question) -> Option<ChatRequest> {
        let BlindPlayerKind::Asked { model, text, .. } = &player.kind else {
            return None;
        };
        let settings = &self.header.settings;
        Some(ChatRequest {
            temperature: Some(settings.temperature as f32),
            seed: Some(settings.seed),
            max_tokens: Some(settings.max_tokens),
            stream: false,
            ..ChatRequest::new(model, messages(probe, question, *text))
        })
    }

    /// What scoring a task's answer begins with, and the model that is scored; `None` of other players.
    #[must_use]
    pub fn scoring<'a>(
        &self,
        player: &'a BlindPlayer,
        probe: &Probe,
        question: &Question,
    ) -> Option<(&'a str, Scoring)> {
        let BlindPlayerKind::Scored { model, text, .. } = &player.kind else {
            return None;
        };
        Some((model, Scoring::new(scored::prompt(probe, question, *text)?)))
    }

    /// About how many tokens models behind endpoints will take for these tasks, going by the answers that are there; where a
    /// player has none, by the length of the prompt and the most that a reply may have.
    #[must_use]
    pub fn expected(&self, left: &[BlindTask]) -> Tokens {
        /// Bytes of English and chess a token, roughly.
        const BYTES: u64 = 3;
        let mut seen: BTreeMap<&str, (Tokens, u64)> = BTreeMap::new();
        for row in &self.rows {
            if let Some(used) = row.used {
                let entry = seen.entry(&row.task.player).or_default();
                entry.0 = [entry.0, used].into_iter().sum();
                entry.1 += 1;
            }
        }
        let probes = self.by_id();
        let of = |task: &BlindTask| -> Option<Tokens> {
            if let Some((used, count)) = seen.get(task.player.as_str()) {
                return Some(Tokens {
                    prompt: used.prompt / count,
                    completion: used.completion / count,
                });
            }
            let probe = probes.get(task.probe.as_str())?;
            let (player, question) = (self.player(&task.player)?, probe.question(task.task)?);
            if let Some((_, scoring)) = self.scoring(player, probe, &question) {
                let bytes = scoring.wanted().map_or(0, |text| text.len() as u64);
                return Some(Tokens {
                    prompt: scored::MOST_REQUESTS * bytes / BYTES,
                    completion: scored::MOST_REQUESTS,
                });
            }
            let request = self.request(player, probe, &question)?;
            let bytes: u64 = request
                .messages
                .iter()
                .map(|message| message.content.len() as u64)
                .sum();
            Some(Tokens {
                prompt: bytes / BYTES,
                completion: u64::from(self.header.settings.max_tokens),
            })
        };
        left.iter().filter_map(of).sum()
    }

    /// Whether another run is this one: the same players, settings and probes.
    ///
    /// # Errors
    /// When it is not.
    pub fn same_as(&self, other: &Self) -> Result<(), BlindRunError> {
        let (own, others) = (&self.header, &other.header);
        if own.players != others.players {
            return Err(BlindRunError::Different("the players"));
        }
        if own.settings != others.settings || own.prompts != others.prompts {
            return Err(BlindRunError::Different("the settings"));
        }
        if self.probes != other.probes {
            return Err(BlindRunError::Different("the probes"));
        }
        Ok(())
    }

    /// Adds the rows of another file of the same run, such as a shard's; answers that are there are kept.
    ///
    /// # Errors
    /// When it is of another run.
    pub fn merge(&mut self, other: Self) -> Result<(), BlindRunError> {
        self.same_as(&other)?;
        let answered: BTreeSet<BlindTask> = self.answers().map(|row| row.task.clone()).collect();
        for row in other.rows {
            if !answered.contains(&row.task) && !self.rows.contains(&row) {
                self.rows.push(row);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::{
        super::{
            probe_set::{PrefixLengths, SCHEMA as SET_SCHEMA, draw},
            random_game::random_game,
            split::Beginnings,
        },
        *,
    };

    /// A run of all scripted players, answered.
    pub fn run(probes: usize) -> BlindRun {
        let games: Vec<_> = (0..300).map(|seed| random_game(seed, 80)).collect();
        let set = ProbeSet {
            header: ProbeHeader {
                schema: SET_SCHEMA,
                program: "test".to_owned(),
                source: "games".to_owned(),
                lengths: Some(PrefixLengths::SHORT),
                seed: Some(1),
                training_games: 0,
            },
            probes: draw(&games, &Beginnings::default(), PrefixLengths::SHORT, probes, 1),
        };
        let players = Scripted::ALL.map(|script| BlindPlayer {
            name: script.word().to_owned(),
            kind: BlindPlayerKind::Scripted { script },
        });
        let settings = BlindSettings::default();
        let mut run = BlindRun::new(set, players.to_vec(), settings, "test".to_owned());
        for task in run.tasks() {
            let row = scripted_row(&run, &task);
            run.rows.push(row);
        }
        run
    }

    fn scripted_row(run: &BlindRun, task: &BlindTask) -> BlindRow {
        let question = run.by_id()[task.probe.as_str()].question(task.task).unwrap();
        let script = Scripted::of_word(&task.player).unwrap();
        BlindRow::of_answer(task, &script.answer(&task.probe, &question, 1))
    }

    #[test]
    fn files_come_back_and_errors_are_asked_again() {
        let mut run = run(5);
        let all = run.tasks();
        assert_eq!(all.len(), 5 * 4 * 3);
        assert!(run.left(Shard::WHOLE).is_empty());
        let text = run.text();
        assert_eq!(BlindRun::read(&text).unwrap(), run);
        assert_eq!(BlindRun::read(&format!("{text}{{\"line\":\"ro")).unwrap(), run);
        assert_eq!(BlindRun::read("x\n"), Err(BlindRunError::NoHeader));
        let newer = text.replacen("\"schema\":1", "\"schema\":2", 1);
        assert_eq!(BlindRun::read(&newer), Err(BlindRunError::Schema(2)));
        let row = run.rows.pop().unwrap();
        run.rows
            .push(BlindRow::failed(&row.task, FaultKind::TimeOut, "too slow"));
        assert_eq!((run.left(Shard::WHOLE), run.failed()), (vec![row.task.clone()], 1));
        run.rows.push(row);
        assert_eq!((run.left(Shard::WHOLE).len(), run.failed()), (0, 0));
    }

    #[test]
    fn rows_are_counted_as_they_come() {
        let whole = run(4);
        let mut run = BlindRun {
            rows: Vec::new(),
            ..whole.clone()
        };
        let mut count = run.count();
        assert_eq!((count.progress().all, count.progress().answered), (48, 0));
        let task = &whole.rows[0].task;
        let failed = BlindRow {
            used: Some(Tokens {
                prompt: 7,
                completion: 1,
            }),
            ..BlindRow::failed(task, FaultKind::TimeOut, "too slow")
        };
        for row in [failed].into_iter().chain(whole.rows.iter().cloned()) {
            count.add(&row.task, row.is_answer(), row.used);
            run.rows.push(row);
            assert_eq!(count, run.count());
        }
        assert_eq!((count.progress().answered, count.progress().failed), (48, 0));
        assert_eq!(count.tokens().prompt, 7);
    }

    #[test]
    fn a_model_of_uci_is_not_asked_where_pieces_stand() {
        let mut run = run(3);
        let model = |notation| BlindPlayerKind::Model {
            model: "small".to_owned(),
            hash: "00".to_owned(),
            notation,
            kind: "transformer".to_owned(),
            layers: 4,
            heads: 4,
            width: 128,
            window: None,
            games: Some(15_000),
        };
        for (name, notation, tasks) in [("uci", Notation::Uci, 6), ("rap", Notation::Rap(25), 12)] {
            run.header.players = vec![BlindPlayer {
                name: name.to_owned(),
                kind: model(notation),
            }];
            run.rows.clear();
            assert_eq!(run.tasks().len(), tasks, "{name}");
            assert_eq!(BlindRun::read(&run.text()).unwrap(), run);
            assert_eq!(
                run.expected(&run.tasks()),
                Tokens::default(),
                "nobody is asked in words"
            );
        }
        assert_eq!(run.header.players[0].kind.mode(), "ranked, rap25");
    }

    #[test]
    fn what_asking_takes_is_foreseen() {
        let mut run = run(2);
        run.header.players = vec![BlindPlayer {
            name: "chat".to_owned(),
            kind: BlindPlayerKind::Asked {
                provider: "openai".to_owned(),
                server: "http://127.0.0.1".to_owned(),
                model: "chat".to_owned(),
                text: MoveText::Pgn,
            },
        }];
        run.rows.clear();
        let tasks = run.tasks();
        let expected = run.expected(&tasks);
        assert_eq!(expected.completion, 64 * tasks.len() as u64);
        assert!(expected.prompt > 50 * tasks.len() as u64, "{expected:?}");
        let mut row = BlindRow::failed(&tasks[0], FaultKind::NotAMove, "no square");
        row.used = Some(Tokens {
            prompt: 100,
            completion: 3,
        });
        run.rows.push(row);
        assert_eq!(run.expected(&tasks[..2]).completion, 6, "as the answers were");
    }

    #[test]
    fn a_model_that_is_scored_has_its_own_tasks_texts_and_rows() {
        let mut run = run(2);
        run.header.players.clear();
        run.rows.clear();
        for (name, text) in [("squares", MoveText::Uci), ("types", MoveText::Types)] {
            run.join(BlindPlayer {
                name: name.to_owned(),
                kind: BlindPlayerKind::Scored {
                    provider: "openai".to_owned(),
                    server: "http://127.0.0.1".to_owned(),
                    model: "m".to_owned(),
                    text,
                },
            });
        }
        let tasks = run.tasks();
        let of = |name: &str| tasks.iter().filter(|task| task.player == name).count();
        assert_eq!((of("squares"), of("types")), (4, 8));
        assert_eq!(run.header.players[0].kind.mode(), "scored, uci");
        let names: Vec<&str> = run.header.prompt_texts.keys().map(String::as_str).collect();
        assert_eq!(
            names,
            ["types, scored, end", "types, scored, start", "uci, scored, end"]
        );
        assert_eq!(run.expected(&tasks).completion, 9 * 12);
        let scored = |tokens: Vec<Token>, heard| Scored {
            answer: Answer { tokens, ranked: true },
            heard,
            used: None,
            model: None,
        };
        run.rows.push(BlindRow::of_scored(
            &tasks[0],
            scored(vec![Token::of_type(shakmaty::Role::King)], 0.25),
            7,
        ));
        run.rows
            .push(BlindRow::of_scored(&tasks[1], scored(Vec::new(), 0.0), 7));
        assert_eq!(BlindRun::read(&run.text()).unwrap(), run);
        assert_eq!(run.answers().count(), 2, "nothing heard is an answer too, a wrong one");
    }

    #[test]
    fn shards_are_put_together_and_other_runs_refused() {
        let whole = run(6);
        let empty = BlindRun {
            rows: Vec::new(),
            ..whole.clone()
        };
        let mut parts = (0..3).map(|part| {
            let shard: Shard = format!("{part}/3").parse().unwrap();
            let mut part = empty.clone();
            part.rows = part.left(shard).iter().map(|task| scripted_row(&empty, task)).collect();
            part
        });
        let mut merged = parts.next().unwrap();
        for part in parts {
            assert!(!part.rows.is_empty());
            merged.merge(part).unwrap();
        }
        assert!(merged.left(Shard::WHOLE).is_empty());
        assert_eq!(merged.rows.len(), whole.rows.len());
        let mut other = empty;
        other.header.settings.seed = 2;
        assert_eq!(merged.merge(other), Err(BlindRunError::Different("the settings")));
    }
}

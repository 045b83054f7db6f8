//! Judging comments in the page: what is judged, by which model, how far it is. The run is the same file as the command
//! line's; it is kept in the browser row by row, and goes on after a reload.
//!
//! | file | what is there |
//! |---|---|
//! | [`asking`] | preparing items, asking judges, several questions at a time |
//! | [`declaring`] | having claims declared before comments are judged |
//! | [`people`] | people's ratings of the same comments |
//! | [`results`] | tables and charts of what is judged, people's ratings beside it |

mod asking;
mod declaring;
mod people;
mod results;

use std::cell::OnceCell;

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use self::people::People;
use super::{
    App, compare::Compare, endpoint::EndpointState, lanes::Lanes, model_run::ModelRun, preferences::Preferences,
};
use crate::{
    browser::{
        files::{self, FileBytes, ReadFileError},
        slices::Slices,
    },
    judge::{
        item::{JudgedItem, read_items_at},
        judges::Settings,
        report::{disagreements::Disagreement, means},
        run_file::{Progress, Run, RunLine},
    },
    long_run::{count::several, lines::end_words, tokens::Prices},
    services::{analysis::Services, saved_lines::SavedLines},
    state::notices,
    survey::{
        analysis::table::Table,
        import::{Choice, Reading},
        model_method::{Asked, comment_text, method_name},
        study::{Item, MethodComment},
        study_file::read_study_at,
        table::from_table_at,
    },
    view::rating_charts::MeansChart,
};

/// The most bytes of a file that are read.
pub const FILE_LIMIT: usize = 64_000_000;

/// The most questions that are asked at the same time.
pub const MOST_AT_ONCE: usize = 16;

/// Where this browser keeps the run.
const SAVED: SavedLines = SavedLines::new("judging");

/// What is to be judged once a run begins.
#[derive(Debug, Clone)]
pub enum Waiting {
    /// Comments that the engine and the claim check have not looked at.
    Plain(Vec<Item>),
    /// Comments with all that judges are told, as `lab judge prepare` writes them.
    Prepared(Vec<JudgedItem>),
}

impl Default for Waiting {
    fn default() -> Self {
        Self::Plain(Vec::new())
    }
}

impl Waiting {
    /// How many moves.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::Plain(items) => items.len(),
            Self::Prepared(items) => items.len(),
        }
    }

    /// Whether there is nothing to judge.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its comments.
    fn comments(&self) -> usize {
        match self {
            Self::Plain(items) => items.iter().map(|item| item.comments.len()).sum(),
            Self::Prepared(items) => items.iter().map(|item| item.comments.len()).sum(),
        }
    }
}

/// The judging.
#[derive(Clone, Copy)]
pub struct Judging {
    services: StoredValue<Services, LocalStorage>,
    preferences: Preferences,
    endpoint: EndpointState,
    /// Questions that are under way.
    lanes: Lanes,
    people: StoredValue<People>,
    /// What is judged, and how; fixed once a run has begun.
    pub settings: RwSignal<Settings>,
    /// Whether judges write their own steps for GCC-Eval.
    pub own_steps: RwSignal<bool>,
    /// Whether the model declares each comment's claims before it judges.
    pub declares: RwSignal<bool>,
    /// What tokens cost.
    pub prices: RwSignal<Prices>,
    /// Questions under way at the same time.
    pub at_once: RwSignal<usize>,
    /// What is to be judged once a run begins.
    pub waiting: RwSignal<Waiting>,
    /// The run. Rows that come are added without a word: [`Self::progress`] tells of them.
    pub judged: RwSignal<Option<Run>>,
    /// How far the run is.
    pub progress: RwSignal<Progress>,
    /// The run that another has replaced.
    pub former: RwSignal<Option<Run>>,
    /// What was done.
    pub notice: RwSignal<Option<String>>,
    /// What failed, and what to do.
    pub problem: RwSignal<Option<String>>,
    /// What is said of people's ratings.
    pub rated: RwSignal<Option<String>>,
    /// Its tables.
    pub tables: RwSignal<Vec<Table>>,
    /// Where judges and claim check differ, worst first.
    pub differing: RwSignal<Vec<Disagreement>>,
    /// Its charts.
    pub charts: RwSignal<Vec<MeansChart>>,
    /// How far it is.
    pub run: ModelRun,
}

impl Judging {
    /// The one of the page. It is made when it is first asked for, so that whoever judges nothing need not load it, and stays
    /// while pages come and go.
    #[must_use]
    pub fn get() -> Self {
        thread_local! {
            static JUDGING: OnceCell<Judging> = const { OnceCell::new() };
        }
        let App {
            services,
            preferences,
            endpoint,
            owner,
            ..
        } = App::get();
        let make = || owner.with_value(|owner| owner.with(|| Self::new(services, preferences, endpoint)));
        JUDGING.with(|judging| *judging.get_or_init(make))
    }

    /// Nothing to judge.
    #[must_use]
    fn new(services: StoredValue<Services, LocalStorage>, preferences: Preferences, endpoint: EndpointState) -> Self {
        Self {
            services,
            preferences,
            endpoint,
            lanes: Lanes::default(),
            people: StoredValue::new(People::default()),
            settings: RwSignal::new(Settings::default()),
            own_steps: RwSignal::new(false),
            declares: RwSignal::new(false),
            prices: RwSignal::new(Prices::default()),
            at_once: RwSignal::new(2),
            waiting: RwSignal::new(Waiting::default()),
            judged: RwSignal::new(None),
            progress: RwSignal::new(Progress::default()),
            former: RwSignal::new(None),
            notice: RwSignal::new(None),
            problem: RwSignal::new(None),
            rated: RwSignal::new(None),
            tables: RwSignal::new(Vec::new()),
            differing: RwSignal::new(Vec::new()),
            charts: RwSignal::new(Vec::new()),
            run: ModelRun::default(),
        }
    }

    /// Brings back the run that this browser keeps, once.
    pub fn restore(&self) {
        let this = *self;
        spawn_local(async move {
            let Some(text) = SAVED.find_once().await else { return };
            let Ok(run) = Run::read_at(&text, &Slices::new()).await else {
                return;
            };
            // The user was quicker.
            if this.judged.with_untracked(Option::is_some) || this.waiting.with_untracked(|items| !items.is_empty()) {
                this.former.set(Some(run));
                return;
            }
            this.show(run);
            this.make_tables().await;
        });
    }

    fn show(&self, run: Run) {
        self.settings.set(run.header.settings.clone());
        self.own_steps.set(!run.header.settings.steps.is_empty());
        self.progress.set(run.progress());
        self.judged.set(Some(run));
    }

    /// Takes a file: a run, prepared items, a study, or a table of comments.
    pub fn take_file(&self, file: Result<FileBytes, ReadFileError>) {
        self.problem.set(None);
        self.notice.set(None);
        let file = match file {
            Ok(file) => file,
            Err(error) => return self.problem.set(Some(format!("{error}."))),
        };
        self.notice.set(Some(format!("Reading {}…", file.name)));
        let this = *self;
        spawn_local(async move { this.read_file(file).await });
    }

    /// Reads in slices, between which the page answers.
    async fn read_file(&self, file: FileBytes) {
        let pace = Slices::new();
        let found = match file.text(&pace).await {
            Ok(found) => found,
            Err(error) => {
                self.notice.set(None);
                return self.problem.set(Some(format!("{error}.")));
            }
        };
        self.read_text(&file.name, &found.text, &pace).await;
        if self.problem.with_untracked(Option::is_none) {
            notices::add(self.notice, found.notice_on(&file.name));
        }
    }

    async fn read_text(&self, name: &str, text: &str, pace: &Slices) {
        if let Ok(run) = Run::read_at(text, pace).await {
            let said = format!("{name}: {} judgements.", run.rows.len());
            // To draw what is there is work enough for one turn.
            pace.rest().await;
            self.take_run(run, said);
            return notices::add(self.notice, end_words(text));
        }
        if let Some(items) = read_items_at(text, pace).await {
            self.notice.set(None);
            return self.take(Waiting::Prepared(items), name, None);
        }
        let study = read_study_at(text.as_bytes(), pace).await.map(|study| study.items);
        self.notice.set(None);
        match study {
            Ok(items) => self.take_items(items, name, None),
            Err(_) => {
                let reading = Reading {
                    choice: Choice::Every(1),
                    keep_several: false,
                };
                match from_table_at(text, reading, pace).await {
                    Ok(import) => {
                        let mut said = import.sentences();
                        said.extend(import.fault_sentences());
                        self.take_items(import.items, name, Some(said.join(" ")));
                    }
                    Err(error) => self.problem.set(Some(format!(
                        "{name} is neither a run of judges, a study nor a table of comments: {error}."
                    ))),
                }
            }
        }
    }

    fn take_run(&self, run: Run, said: String) {
        self.put_aside();
        self.waiting.set(Waiting::default());
        self.notice.set(Some(said));
        let this = *self;
        self.show(run.clone());
        spawn_local(async move {
            let rows = run.rows.iter().map(|row| RunLine::Row(row.clone()).text());
            if SAVED.keep_all(&run.head_at(&Slices::new()).await, rows).await.is_err() {
                this.not_kept();
            }
            this.make_tables().await;
        });
    }

    /// Takes what is to be judged, and puts aside what was judged of other comments.
    fn take_items(&self, mut items: Vec<Item>, name: &str, said: Option<String>) {
        items.retain(|item| !item.comments.is_empty());
        self.take(Waiting::Plain(items), name, said);
    }

    fn take(&self, items: Waiting, name: &str, said: Option<String>) {
        if items.comments() == 0 {
            return self.problem.set(Some(format!("{name} has no comments to judge.")));
        }
        self.forget();
        let counted = format!(
            "{name}: {}, {}.",
            several(items.len(), "move"),
            several(items.comments(), "comment")
        );
        self.notice.set(Some(said.unwrap_or(counted)));
        self.waiting.set(items);
    }

    /// Takes the study in the making.
    pub fn take_study(&self) {
        self.problem.set(None);
        let items = App::get().builder.study.with_untracked(|study| study.items.clone());
        self.take_items(items, "The study", None);
    }

    /// Takes the comments on the move on the board: the narrator's, a language model's, and what the comparison of methods has.
    pub fn take_board(&self) {
        self.problem.set(None);
        let app = App::get();
        let Some(mut item) = Compare::get().item() else {
            return self.problem.set(Some(
                "There is no comment on the board: make a move there, wait for its comment, and come back.".to_owned(),
            ));
        };
        item.comments.extend(model_comment(&app));
        self.take_items(vec![item], "The board", None);
    }

    /// Forgets the run; it can be had back until the page is closed.
    pub fn forget(&self) {
        self.put_aside();
        self.notice.set(None);
        spawn_local(SAVED.forget());
    }

    fn put_aside(&self) {
        self.run.stop();
        if let Some(run) = self.judged.get_untracked() {
            self.former.set(Some(run));
        }
        self.judged.set(None);
        self.progress.set(Progress::default());
        self.tables.set(Vec::new());
        self.charts.set(Vec::new());
        self.differing.set(Vec::new());
    }

    /// Brings the run back that was replaced; the present one takes its place.
    pub fn bring_back(&self) {
        if let Some(run) = self.former.get_untracked() {
            self.former.set(None);
            let said = format!("The former run: {} judgements.", run.rows.len());
            self.take_run(run, said);
        }
    }

    fn not_kept(&self) {
        self.problem.set(Some(
            "This browser keeps nothing: save the run before you close the page.".to_owned(),
        ));
    }

    /// What the run has cost at the prices given, in words; `None` without prices. Tracked.
    #[must_use]
    pub fn cost(&self) -> Option<String> {
        self.prices.get().spent(self.progress.get().tokens)
    }

    /// Whether what is judged can still be chosen: one run has one way of judging. Tracked.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.judged.with(Option::is_none)
    }

    /// Saves the run, or every comment's scores, as a file.
    pub fn save(&self, scores: bool) {
        let saved = self.judged.with_untracked(|run| {
            let run = run.as_ref()?;
            Some(if scores {
                files::save(
                    "judge-scores.csv",
                    "text/csv",
                    means::scores_table(run).to_csv().as_bytes(),
                )
            } else {
                files::save("judge-run.jsonl", "application/jsonl", run.text().as_bytes())
            })
        });
        if let Some(Err(error)) = saved {
            self.problem.set(Some(format!("The file could not be saved: {error}.")));
        }
    }
}

/// What the language model beside the board wrote of the move, as the user reads it.
fn model_comment(app: &App) -> Option<MethodComment> {
    use super::model_comment::Exchange;

    let settings = app.preferences.get_untracked();
    let text = app.model_comment.checked.get_untracked()?.kept;
    let method = match app.model_comment.exchange.get_untracked() {
        Exchange::Answered { model, .. } => method_name(
            &model,
            &Asked {
                arm: settings.arm,
                options: settings.prompt_options(settings.arm),
                concepts: settings.concepts,
                rule: settings.rule,
                checked: true,
            },
        ),
        _ => "pasted".to_owned(),
    };
    Some(MethodComment {
        method,
        text: comment_text(&text),
        scores: std::collections::BTreeMap::new(),
        marks: Vec::new(),
        decoys: Vec::new(),
    })
}

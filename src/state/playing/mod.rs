//! Playing on single positions in the page: which positions, who plays, how far it is, what the engine says of the moves. Run
//! and grades are the same files as the command line's; they are kept in the browser row by row, and go on after a reload.
//!
//! | file | what is there |
//! |---|---|
//! | [`choice`], [`suite`] | what is taken of games; positions from files and games, the engine's hints |
//! | [`level_games`] | games of Stockfish at levels |
//! | [`player`], [`who`] | the built-in players; who plays now, with the connected model |
//! | [`asking`] | every answer that is not there is asked for |
//! | [`built_in`] | the moves of engines and networks |
//! | [`grader`], [`grading`] | the engines that grade; an engine grades the moves, the claim check reads the reasons |
//! | [`results`] | tables, charts and single answers |

mod asking;
mod built_in;
mod choice;
mod grader;
mod grading;
mod level_games;
mod player;
mod results;
mod suite;
mod who;

use std::cell::OnceCell;

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

pub use self::{
    choice::Choice,
    grader::{GRADE_NODES, GRADE_NODES_8, Grader},
    player::BuiltIn,
};
use super::{
    App, endpoint::EndpointState, lanes::Lanes, model_run::ModelRun, network::NetworkState, preferences::Preferences,
};
use crate::{
    browser::{
        files::{FileBytes, ReadFileError},
        slices::Slices,
    },
    grading::{
        grade_file::{GradeLine, Grades},
        level::PLAN,
        level_game,
        level_games::LevelGames,
        report::{Report, answers::Answer},
        run_file::{Run, RunLine},
        suite::{
            file::{Suite, SuiteHeader},
            source::Source,
        },
        task::{Settings, Task},
    },
    long_run::{
        count::{Count, Progress, several},
        lines::end_words,
        tokens::{Prices, Tokens},
    },
    services::{analysis::Services, saved_lines::SavedLines},
    state::notices,
};

/// The most bytes of a file that are read.
pub const FILE_LIMIT: usize = 64_000_000;

/// The most questions that are asked at the same time.
pub const MOST_AT_ONCE: usize = 16;

/// Where this browser keeps the run.
const SAVED: SavedLines = SavedLines::new("playing");

/// What was played and how it was graded, where another run has replaced it.
#[derive(Debug, Clone)]
struct Former {
    run: Run,
    grades: [Option<Grades>; 2],
}

/// The playing.
#[derive(Clone, Copy)]
pub struct Playing {
    services: StoredValue<Services, LocalStorage>,
    preferences: Preferences,
    endpoint: EndpointState,
    network: NetworkState,
    /// Questions that are under way.
    lanes: Lanes,
    count: StoredValue<Count<Task>>,
    /// Which making of the tables is the latest.
    made: StoredValue<u64>,
    /// What the positions come from, so that others can be taken of it.
    source: StoredValue<Option<(String, Source)>>,
    former: RwSignal<Option<Former>>,

    /// What is taken of games and files.
    pub choice: RwSignal<Choice>,
    /// The positions that are to be played, where no run has begun.
    pub waiting: RwSignal<Option<Suite>>,
    /// The levels of games to play, in words: `skill 5, elo 1500`.
    pub levels: RwSignal<String>,
    /// How many games of each level.
    pub games_each: RwSignal<u64>,
    /// Nodes of each of their moves.
    pub game_nodes: RwSignal<u64>,
    /// The games at levels, as far as they are.
    pub level_games: RwSignal<Option<LevelGames>>,
    /// How far games or hints are.
    pub preparing: ModelRun,

    /// How players play; fixed once a run has begun.
    pub settings: RwSignal<Settings>,
    /// Whether the connected model plays.
    pub model_plays: RwSignal<bool>,
    /// The built-in players.
    pub built_in: RwSignal<Vec<BuiltIn>>,
    /// Nodes of each search of an engine that plays.
    pub nodes: RwSignal<u64>,
    /// Questions under way at the same time.
    pub at_once: RwSignal<usize>,
    /// What tokens cost.
    pub prices: RwSignal<Prices>,

    /// The run. Rows that come are added without a word: [`Self::progress`] tells of them.
    pub played: RwSignal<Option<Run>>,
    /// How far the run is.
    pub progress: RwSignal<Progress>,
    /// Tokens of all requests so far.
    pub tokens: RwSignal<Tokens>,
    /// How far the answers are.
    pub run: ModelRun,

    /// Nodes of each search of the first grader.
    pub grade_nodes: RwSignal<u64>,
    /// Whether the moves of the games are graded too.
    pub baseline: RwSignal<bool>,
    /// The grades of the first grader and of the second. Rows that come are added without a word: [`Self::graded`] tells of
    /// them.
    pub grades: RwSignal<[Option<Grades>; 2]>,
    /// How many rows each has.
    pub graded: RwSignal<[usize; 2]>,
    /// How far the grades are.
    pub grading: ModelRun,

    /// What was done.
    pub notice: RwSignal<Option<String>>,
    /// What failed, and what to do.
    pub problem: RwSignal<Option<String>>,
    /// Tables, and the figures of charts.
    pub report: RwSignal<Option<Report>>,
    /// Every answer, the worst first.
    pub answers: RwSignal<Vec<Answer>>,
}

impl Playing {
    /// The one of the page. It is made when it is first asked for, so that whoever tests nobody need not load it, and stays
    /// while pages come and go.
    #[must_use]
    pub fn get() -> Self {
        thread_local! {
            static PLAYING: OnceCell<Playing> = const { OnceCell::new() };
        }
        let app = App::get();
        let make = || app.owner.with_value(|owner| owner.with(|| Self::new(&app)));
        PLAYING.with(|playing| *playing.get_or_init(make))
    }

    /// Nothing to play.
    #[must_use]
    fn new(app: &App) -> Self {
        let levels: Vec<String> = PLAN.iter().map(ToString::to_string).collect();
        Self {
            services: app.services,
            preferences: app.preferences,
            endpoint: app.endpoint,
            network: app.network,
            lanes: Lanes::default(),
            count: StoredValue::new(Count::default()),
            made: StoredValue::new(0),
            source: StoredValue::new(None),
            former: RwSignal::new(None),
            choice: RwSignal::new(Choice::default()),
            waiting: RwSignal::new(None),
            levels: RwSignal::new(levels.join(", ")),
            games_each: RwSignal::new(level_game::GAMES),
            game_nodes: RwSignal::new(level_game::NODES),
            level_games: RwSignal::new(None),
            preparing: ModelRun::default(),
            settings: RwSignal::new(Settings::default()),
            model_plays: RwSignal::new(true),
            built_in: RwSignal::new(Vec::new()),
            nodes: RwSignal::new(level_game::NODES),
            at_once: RwSignal::new(2),
            prices: RwSignal::new(Prices::default()),
            played: RwSignal::new(None),
            progress: RwSignal::new(Progress::default()),
            tokens: RwSignal::new(Tokens::default()),
            run: ModelRun::default(),
            grade_nodes: RwSignal::new(GRADE_NODES),
            baseline: RwSignal::new(true),
            grades: RwSignal::new([None, None]),
            graded: RwSignal::new([0, 0]),
            grading: ModelRun::default(),
            notice: RwSignal::new(None),
            problem: RwSignal::new(None),
            report: RwSignal::new(None),
            answers: RwSignal::new(Vec::new()),
        }
    }

    /// Brings back the run, the grades and the games that this browser keeps, once.
    pub fn restore(&self) {
        let this = *self;
        spawn_local(async move {
            this.restore_run().await;
            this.restore_games().await;
        });
    }

    async fn restore_run(&self) {
        let pace = Slices::new();
        let Some(text) = SAVED.find_once().await else { return };
        let Ok(run) = Run::read_at(&text, &pace).await else {
            return;
        };
        let mut grades = [None, None];
        for grader in Grader::ALL {
            if let Some(text) = grader.saved().find().await {
                grades[grader as usize] = Grades::read_at(&text, &pace).await.ok();
            }
        }
        // The user was quicker.
        if self.played.with_untracked(Option::is_some) || self.waiting.with_untracked(Option::is_some) {
            self.former.set(Some(Former { run, grades }));
            return;
        }
        self.show(run);
        self.show_grades(grades);
        self.make_report().await;
    }

    fn show(&self, run: Run) {
        self.settings.set(run.header.settings.clone());
        let known: Vec<BuiltIn> = run.header.players.iter().filter_map(BuiltIn::of).collect();
        if !known.is_empty() {
            self.built_in.set(known);
        }
        self.recount(&run);
        self.played.set(Some(run));
    }

    fn show_grades(&self, grades: [Option<Grades>; 2]) {
        let rows = |grades: &Option<Grades>| grades.as_ref().map_or(0, |grades| grades.rows.len());
        self.graded.set([rows(&grades[0]), rows(&grades[1])]);
        self.grades.set(grades);
    }

    /// Counts a run anew: when it begins or comes back.
    fn recount(&self, run: &Run) {
        let count = run.count();
        self.progress.set(count.progress());
        self.tokens.set(count.tokens());
        self.count.set_value(count);
    }

    /// Takes a file: a run, grades, a suite, puzzles, EPD, or games.
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
        let text = &found.text;
        let run = Run::read_at(text, &pace).await;
        let grades = Grades::read_at(text, &pace).await;
        // To draw what is there is work enough for one turn.
        pace.rest().await;
        self.notice.set(None);
        match (run, grades) {
            (Ok(run), _) => {
                let said = format!("{}: {}.", file.name, several(run.rows.len(), "answer"));
                self.take_run(run, [None, None], said);
            }
            (_, Ok(grades)) => self.take_grades(grades, &file.name),
            _ => self.take_source(&file.name, text).await,
        }
        if self.problem.with_untracked(Option::is_none) {
            notices::add(self.notice, end_words(text));
            notices::add(self.notice, found.notice_on(&file.name));
        }
    }

    fn take_run(&self, run: Run, grades: [Option<Grades>; 2], said: String) {
        self.put_aside();
        self.waiting.set(None);
        self.notice.set(Some(said));
        let this = *self;
        self.show(run.clone());
        self.show_grades(grades.clone());
        spawn_local(async move {
            let rows = run.rows.iter().map(|row| RunLine::Row(Box::new(row.clone())).text());
            let mut kept = SAVED.keep_all(&head(&run), rows).await;
            for (grader, grades) in Grader::ALL.into_iter().zip(&grades) {
                kept = kept.and(match grades {
                    Some(grades) => keep_grades(grader, grades).await,
                    None => {
                        grader.saved().forget().await;
                        Ok(())
                    }
                });
            }
            if kept.is_err() {
                this.not_kept();
            }
            this.make_report().await;
        });
    }

    /// Takes grades of the present run's moves: in place of those by the same engine and limit, or where there are none.
    fn take_grades(&self, grades: Grades, name: &str) {
        if self.played.with_untracked(Option::is_none) {
            return self.problem.set(Some(format!(
                "{name} holds grades: open the run that they are of first."
            )));
        }
        let mut all = self.grades.get_untracked();
        let same = |known: &Option<Grades>| known.as_ref().is_none_or(|known| known.header == grades.header);
        let grader = Grader::ALL[all.iter().position(same).unwrap_or(1)];
        self.notice.set(Some(format!(
            "{name}: {} by {}.",
            several(grades.by_move().len(), "grade"),
            grades.words()
        )));
        all[grader as usize] = Some(grades.clone());
        self.show_grades(all);
        let this = *self;
        spawn_local(async move {
            if keep_grades(grader, &grades).await.is_err() {
                this.not_kept();
            }
            this.make_report().await;
        });
    }

    /// Takes positions, and puts aside what was played on others.
    fn take_suite(&self, suite: Suite, said: String) {
        self.forget();
        self.notice.set(Some(said));
        self.waiting.set(Some(suite));
    }

    /// Forgets the run and its grades; they can be had back until the page is closed.
    pub fn forget(&self) {
        self.put_aside();
        self.waiting.set(None);
        self.notice.set(None);
        spawn_local(async {
            SAVED.forget().await;
            for grader in Grader::ALL {
                grader.saved().forget().await;
            }
        });
    }

    fn put_aside(&self) {
        self.halt();
        self.grading.stop();
        if let Some(run) = self.played.get_untracked() {
            let grades = self.grades.get_untracked();
            self.former.set(Some(Former { run, grades }));
        }
        self.played.set(None);
        self.progress.set(Progress::default());
        self.tokens.set(Tokens::default());
        self.count.set_value(Count::default());
        self.show_grades([None, None]);
        self.made.update_value(|made| *made += 1);
        self.report.set(None);
        self.answers.set(Vec::new());
    }

    /// Whether a run was replaced that can be had back. Tracked.
    #[must_use]
    pub fn has_former(&self) -> bool {
        self.former.with(Option::is_some)
    }

    /// Brings the run back that was replaced; the present one takes its place.
    pub fn bring_back(&self) {
        if let Some(Former { run, grades }) = self.former.get_untracked() {
            self.former.set(None);
            let said = format!("The former run: {}.", several(run.rows.len(), "answer"));
            self.take_run(run, grades, said);
        }
    }

    fn not_kept(&self) {
        self.problem.set(Some(
            "This browser keeps nothing: save run and grades before you close the page.".to_owned(),
        ));
    }

    /// Whether what is played can still be chosen: one run has one way of playing. Tracked.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.played.with(Option::is_none)
    }

    /// The positions and their suite, of the run or waiting for one. Tracked.
    #[must_use]
    pub fn positions(&self) -> Option<(usize, SuiteHeader)> {
        let of_run = self
            .played
            .with(|run| run.as_ref().map(|run| (run.positions.len(), run.header.suite.clone())));
        of_run.or_else(|| {
            self.waiting.with(|suite| {
                suite
                    .as_ref()
                    .map(|suite| (suite.positions.len(), suite.header.clone()))
            })
        })
    }
}

/// The run without its rows, as a file.
fn head(run: &Run) -> String {
    let bare = Run {
        header: run.header.clone(),
        positions: run.positions.clone(),
        rows: Vec::new(),
    };
    bare.text()
}

async fn keep_grades(grader: Grader, grades: &Grades) -> Result<(), crate::browser::database::StorageError> {
    let rows = grades.rows.iter().map(|row| GradeLine::Row(row.clone()).text());
    grader
        .saved()
        .keep_all(&GradeLine::Grades(grades.header.clone()).text(), rows)
        .await
}

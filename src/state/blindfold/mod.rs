//! Blindfold runs in the page: which questions, who answers, how far it is, what the answers are worth. The run is the same file
//! as the command line's; it is kept in the browser as it comes, and goes on after a reload.
//!
//! | file | what is there |
//! |---|---|
//! | [`shipped_set`], [`sets`] | the sets that come with the app; questions from files and games |
//! | [`given_games`] | the games that questions were drawn from, kept for their tables |
//! | [`own_model`], [`who`] | the language model of our own format; who answers now |
//! | [`asking`], [`answering`] | every answer that is not there is asked for; whom it is asked of |
//! | [`results`] | tables and single answers, and what is saved |
//! | [`live`] | what the model believes of a game on the board |

mod answering;
mod asking;
mod given_games;
mod live;
mod own_model;
mod results;
mod sets;
mod shipped_set;
mod who;

use std::cell::OnceCell;

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use self::given_games::{GivenGames, forget_games};
pub use self::{live::Live, own_model::MODEL_FILE_LIMIT, results::LookedAt, shipped_set::ShippedSet};
use super::{App, endpoint::EndpointState, lanes::Lanes, model_run::ModelRun, on_demand::on_demand};
use crate::{
    blindfold::{
        asked::MoveText,
        probe_set::{PrefixLengths, ProbeHeader, ProbeSet},
        published::Published,
        report::{BlindReport, listed::ListedAnswer},
        run_file::{BlindPlayerKind, BlindRun, BlindSettings, BlindTask, rows_text},
        scripted::Scripted,
    },
    browser::slices::Slices,
    lm::LanguageModelDescription,
    long_run::{
        count::{Count, Progress, several},
        tokens::{Prices, Tokens},
    },
    pace::Pace,
    services::{language_model::LanguageModel, saved_lines::SavedLines},
};

/// The most bytes of a file that are read.
pub const FILE_LIMIT: usize = 64_000_000;

/// The most questions that a chat model is asked at the same time.
pub const MOST_AT_ONCE: usize = 16;

/// The most probes that are drawn from games, the paper's number.
const MOST_DRAWN: usize = 1_000;

/// Where this browser keeps the run; what a player says of one probe is one row of it.
const SAVED: SavedLines = SavedLines::new("blindfold");

/// Rows of a run that are copied in one step.
const COPIED: usize = 512;

/// The laboratory.
#[derive(Clone, Copy)]
pub struct Blindfold {
    endpoint: EndpointState,
    language_model: StoredValue<LanguageModel, LocalStorage>,
    /// Questions to the connected model that are under way.
    lanes: Lanes,
    count: StoredValue<Count<BlindTask>>,
    /// How many rows of [`SAVED`] are taken.
    saved_rows: StoredValue<usize>,
    /// Which making of the tables is the latest.
    made: StoredValue<u64>,
    /// The authors' instances so far, with the names of their files.
    published: StoredValue<(Vec<String>, Published)>,
    games: StoredValue<Option<GivenGames>>,
    former: RwSignal<Option<BlindRun>>,

    /// How long the beginnings of games are that questions are drawn from.
    pub lengths: RwSignal<PrefixLengths>,
    /// The seed of what is drawn.
    pub set_seed: RwSignal<u64>,
    /// How many probes the user wants asked about, the first of the set; until one says, all.
    chosen_first: RwSignal<Option<usize>>,
    /// The questions, where no run has begun.
    pub waiting: RwSignal<Option<ProbeSet>>,
    /// How far fetching and drawing are.
    pub preparing: ModelRun,

    /// How players answer; fixed once a run has begun.
    pub settings: RwSignal<BlindSettings>,
    /// The language model of our own format that is loaded.
    pub loaded: RwSignal<Option<LanguageModelDescription>>,
    /// How far loading it is.
    pub loading: ModelRun,
    /// Whether its file is kept in this browser.
    pub model_kept: RwSignal<bool>,
    /// Why it could not be loaded.
    pub loading_problem: RwSignal<Option<String>>,
    /// Whether it answers.
    pub model_answers: RwSignal<bool>,
    /// The players whose scores are known that answer.
    pub scripted: RwSignal<Vec<Scripted>>,
    /// How the connected model is told the moves where it is asked, each a player; none where it is not.
    pub texts: RwSignal<Vec<MoveText>>,
    /// How it is told the moves where it is scored, each a player; none where it is not.
    pub scored: RwSignal<Vec<MoveText>>,
    /// Questions under way at the same time.
    pub at_once: RwSignal<usize>,
    /// What tokens cost.
    pub prices: RwSignal<Prices>,

    /// The run. Rows that come are added without a word: [`Self::progress`] tells of them.
    pub answered: RwSignal<Option<BlindRun>>,
    /// How far the run is.
    pub progress: RwSignal<Progress>,
    /// Tokens of all requests so far.
    pub tokens: RwSignal<Tokens>,
    /// How far the answers are.
    pub run: ModelRun,

    /// What was done.
    pub notice: RwSignal<Option<String>>,
    /// What failed, and what to do.
    pub problem: RwSignal<Option<String>>,
    /// Whether tables are being made.
    pub making: RwSignal<bool>,
    /// Tables, and the figures of charts.
    pub report: RwSignal<BlindReport>,
    /// Every answer by its place in the run.
    pub listed: RwSignal<Vec<ListedAnswer>>,
}

impl Blindfold {
    /// The one of the page.
    #[must_use]
    pub fn get() -> Self {
        thread_local! {
            static BLINDFOLD: OnceCell<Blindfold> = const { OnceCell::new() };
        }
        on_demand(&BLINDFOLD, |app| Self::new(&app))
    }

    /// Nothing to answer.
    fn new(app: &App) -> Self {
        Self {
            endpoint: app.endpoint,
            language_model: StoredValue::new_local(LanguageModel::default()),
            lanes: Lanes::default(),
            count: StoredValue::new(Count::default()),
            saved_rows: StoredValue::new(0),
            made: StoredValue::new(0),
            published: StoredValue::new((Vec::new(), Published::default())),
            games: StoredValue::new(None),
            former: RwSignal::new(None),
            lengths: RwSignal::new(PrefixLengths::LONG),
            set_seed: RwSignal::new(1),
            chosen_first: RwSignal::new(None),
            waiting: RwSignal::new(None),
            preparing: ModelRun::default(),
            settings: RwSignal::new(BlindSettings::default()),
            loaded: RwSignal::new(None),
            loading: ModelRun::default(),
            model_kept: RwSignal::new(false),
            loading_problem: RwSignal::new(None),
            model_answers: RwSignal::new(true),
            scripted: RwSignal::new(vec![Scripted::Uniform, Scripted::RandomLegal]),
            texts: RwSignal::new(Vec::new()),
            scored: RwSignal::new(Vec::new()),
            at_once: RwSignal::new(2),
            prices: RwSignal::new(Prices::default()),
            answered: RwSignal::new(None),
            progress: RwSignal::new(Progress::default()),
            tokens: RwSignal::new(Tokens::default()),
            run: ModelRun::default(),
            notice: RwSignal::new(None),
            problem: RwSignal::new(None),
            making: RwSignal::new(false),
            report: RwSignal::new(BlindReport::default()),
            listed: RwSignal::new(Vec::new()),
        }
    }

    /// Brings back the run that this browser keeps, once.
    pub fn restore(&self) {
        self.restore_model();
        let this = *self;
        spawn_local(async move {
            let Some((text, rows)) = SAVED.find_counted_once().await else {
                return;
            };
            let Ok(run) = BlindRun::read_at(&text, &Slices::new()).await else {
                return;
            };
            // The user was quicker.
            if this.answered.with_untracked(Option::is_some) || this.waiting.with_untracked(Option::is_some) {
                this.former.set(Some(run));
                return;
            }
            this.saved_rows.set_value(rows);
            if let Some(games) = GivenGames::find(&run.header.set.source).await {
                this.games.set_value(Some(games));
            }
            this.show(run).await;
            this.make_report().await;
        });
    }

    /// Shows a run that comes from elsewhere, with those who answer in it chosen.
    async fn show(&self, run: BlindRun) {
        let count = run.count_at(&Slices::new()).await;
        self.recount(count);
        self.settings.set(run.header.settings.clone());
        let kinds = || run.header.players.iter().map(|player| &player.kind);
        self.model_answers
            .set(kinds().any(|kind| matches!(kind, BlindPlayerKind::Model { .. })));
        let scripted = kinds().filter_map(|kind| match kind {
            BlindPlayerKind::Scripted { script } => Some(*script),
            BlindPlayerKind::Model { .. } | BlindPlayerKind::Asked { .. } | BlindPlayerKind::Scored { .. } => None,
        });
        self.scripted.set(scripted.collect());
        let mut texts: [Vec<MoveText>; 2] = [Vec::new(), Vec::new()];
        for kind in kinds() {
            match kind {
                BlindPlayerKind::Asked { text, .. } => texts[0].push(*text),
                BlindPlayerKind::Scored { text, .. } => texts[1].push(*text),
                BlindPlayerKind::Scripted { .. } | BlindPlayerKind::Model { .. } => {}
            }
        }
        for (mut texts, chosen) in texts.into_iter().zip([self.texts, self.scored]) {
            texts.sort_unstable();
            texts.dedup();
            chosen.set(texts);
        }
        self.answered.set(Some(run));
    }

    fn recount(&self, count: Count<BlindTask>) {
        self.progress.set(count.progress());
        self.tokens.set(count.tokens());
        self.count.set_value(count);
    }

    /// A copy of the run, made in turns; `None` where there is none, or another has taken its place meanwhile.
    async fn copy(&self, pace: &impl Pace) -> Option<BlindRun> {
        let bare = |run: &BlindRun| BlindRun {
            header: run.header.clone(),
            probes: run.probes.clone(),
            rows: Vec::new(),
        };
        let more = |copy: &BlindRun| {
            self.answered.try_with_untracked(|run| {
                let run = run.as_ref().filter(|run| run.header == copy.header)?;
                Some(
                    run.rows
                        .iter()
                        .skip(copy.rows.len())
                        .take(COPIED)
                        .cloned()
                        .collect::<Vec<_>>(),
                )
            })
        };
        let mut copy = self.answered.try_with_untracked(|run| run.as_ref().map(bare))??;
        loop {
            pace.turn().await;
            let rows = more(&copy)??;
            if rows.is_empty() {
                return Some(copy);
            }
            copy.rows.extend(rows);
        }
    }

    fn take_run(&self, run: BlindRun, said: String) {
        self.put_aside();
        self.waiting.set(None);
        self.notice.set(Some(said));
        let this = *self;
        spawn_local(async move {
            forget_games().await;
            // The answers to a probe are kept together.
            let groups = || run.rows.chunk_by(|a, b| a.task.probe == b.task.probe);
            this.saved_rows.set_value(groups().count());
            this.show(run.clone()).await;
            if SAVED.keep_all(&run.head(), groups().map(rows_text)).await.is_err() {
                this.not_kept();
            }
            this.make_report().await;
        });
    }

    /// Takes questions, and puts aside what was answered of others.
    fn take_set(&self, set: ProbeSet, said: String) {
        self.forget();
        self.notice.set(Some(said));
        self.waiting.set(Some(set));
    }

    /// Forgets the run; it can be had back until the page is closed.
    pub fn forget(&self) {
        self.put_aside();
        self.waiting.set(None);
        self.notice.set(None);
        spawn_local(async {
            SAVED.forget().await;
            forget_games().await;
        });
    }

    fn put_aside(&self) {
        self.halt();
        if let Some(run) = self.answered.try_update(Option::take).flatten() {
            self.former.set(Some(run));
        }
        self.recount(Count::default());
        self.saved_rows.set_value(0);
        self.made.update_value(|made| *made += 1);
        self.making.set(false);
        self.report.set(BlindReport::default());
        self.listed.set(Vec::new());
    }

    /// Whether a run was replaced that can be had back. Tracked.
    #[must_use]
    pub fn has_former(&self) -> bool {
        self.former.with(Option::is_some)
    }

    /// Brings the run back that was replaced; the present one takes its place.
    pub fn bring_back(&self) {
        if let Some(run) = self.former.try_update(Option::take).flatten() {
            let said = format!("The former run: {}.", several(run.rows.len(), "answer"));
            self.take_run(run, said);
        }
    }

    fn not_kept(&self) {
        self.problem.set(Some(
            "This browser keeps nothing: save the run before you close the page.".to_owned(),
        ));
    }

    /// Whether what is asked can still be chosen: one run has one set and one way of asking. Tracked.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.answered.with(Option::is_none)
    }

    /// Probes that are asked about at most, the first of the set; of a run all. Tracked.
    #[must_use]
    pub fn first(&self) -> usize {
        let there = self.set().map_or(MOST_DRAWN, |(probes, _)| probes);
        let chosen = || self.chosen_first.get().unwrap_or(there);
        if self.is_open() { chosen() } else { there }
    }

    /// Has so many probes asked about. That stays so whatever set comes, for it may be on its way while this is said.
    pub fn choose_first(&self, probes: usize) {
        self.chosen_first.set(Some(probes));
    }

    /// How many probes there are, and what is said of their set, of the run or waiting for one. Tracked.
    #[must_use]
    pub fn set(&self) -> Option<(usize, ProbeHeader)> {
        let of_run = self
            .answered
            .with(|run| run.as_ref().map(|run| (run.probes.len(), run.header.set.clone())));
        of_run.or_else(|| {
            self.waiting
                .with(|set| set.as_ref().map(|set| (set.probes.len(), set.header.clone())))
        })
    }
}

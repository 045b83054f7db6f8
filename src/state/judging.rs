//! Judging comments in the page: what is judged, by which model, how far it is. The run is the same file as the command
//! line's; it is kept in the browser row by row, and goes on after a reload.

use std::{
    cell::{OnceCell, RefCell},
    collections::VecDeque,
    rc::Rc,
};

use futures_util::future::join_all;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{
    App,
    briefing::prepare,
    endpoint::{EndpointState, Failure},
    model_run::{Going, ModelRun},
    preferences::Preferences,
    study::StudyBuilder,
};
use crate::{
    browser::{
        clock,
        files::{self, FileBytes, ReadFileError},
        slices::Slices,
    },
    commentary::{Arm, Context},
    judge::{
        exchange::{Exchange, Next, Row},
        gcc_eval::{Criterion, score::Mode},
        item::JudgedItem,
        judges::{Judge, Pairs, Settings},
        report::{disagreements, means, pairs},
        run_file::{Header, Run},
        task::Task,
    },
    llm::base_url,
    services::{analysis::Services, endpoint::Stop, endpoint::stopper, judging},
    survey::{
        analysis::table::Table,
        import::{Choice, Reading},
        read_study,
        study::{Item, played},
        table::from_table,
    },
};

/// The most bytes of a file that are read.
pub const FILE_LIMIT: usize = 64_000_000;

/// The judging.
#[derive(Clone, Copy)]
pub struct Judging {
    services: StoredValue<Services, LocalStorage>,
    preferences: Preferences,
    endpoint: EndpointState,
    builder: StudyBuilder,
    /// The ways to stop what is under way, one for each question at a time.
    stops: StoredValue<Vec<Option<Stop>>, LocalStorage>,
    restored: StoredValue<bool>,
    /// The criteria of GCC-Eval that are asked for.
    pub criteria: RwSignal<Vec<Criterion>>,
    /// How its scores are drawn.
    pub mode: RwSignal<Mode>,
    /// Whether pairs are judged by the rubric.
    pub rubric: RwSignal<bool>,
    /// Questions under way at the same time.
    pub at_once: RwSignal<usize>,
    /// Items that are to be judged, and are not prepared yet.
    pub waiting: RwSignal<Vec<Item>>,
    /// The run.
    pub judged: RwSignal<Option<Run>>,
    /// What was done.
    pub notice: RwSignal<Option<String>>,
    /// What failed, and what to do.
    pub problem: RwSignal<Option<String>>,
    /// Its tables.
    pub tables: RwSignal<Vec<Table>>,
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
            builder,
            owner,
            ..
        } = App::get();
        let make = || owner.with_value(|owner| owner.with(|| Self::new(services, preferences, endpoint, builder)));
        JUDGING.with(|judging| *judging.get_or_init(make))
    }

    /// Nothing to judge.
    #[must_use]
    fn new(
        services: StoredValue<Services, LocalStorage>,
        preferences: Preferences,
        endpoint: EndpointState,
        builder: StudyBuilder,
    ) -> Self {
        Self {
            services,
            preferences,
            endpoint,
            builder,
            stops: StoredValue::new_local(Vec::new()),
            restored: StoredValue::new(false),
            criteria: RwSignal::new(Criterion::ALL.to_vec()),
            mode: RwSignal::new(Mode::Probabilities),
            rubric: RwSignal::new(true),
            at_once: RwSignal::new(2),
            waiting: RwSignal::new(Vec::new()),
            judged: RwSignal::new(None),
            notice: RwSignal::new(None),
            problem: RwSignal::new(None),
            tables: RwSignal::new(Vec::new()),
            run: ModelRun::default(),
        }
    }

    /// Brings back the run that this browser keeps, once.
    pub fn restore(&self) {
        if self.restored.get_value() {
            return;
        }
        self.restored.set_value(true);
        let this = *self;
        spawn_local(async move {
            let Some(run) = judging::find().await else { return };
            // The user was quicker.
            if this.judged.with_untracked(Option::is_some) {
                return;
            }
            this.take_settings(&run);
            this.judged.set(Some(run));
            this.make_tables().await;
        });
    }

    fn take_settings(&self, run: &Run) {
        let settings = &run.header.settings;
        self.criteria.set(settings.criteria.clone());
        self.mode.set(settings.mode);
        self.rubric.set(settings.pairs.is_some());
    }

    /// Takes a file: a run, prepared items, a study, or a table of comments.
    pub fn take_file(&self, file: Result<FileBytes, ReadFileError>) {
        self.problem.set(None);
        self.notice.set(None);
        let file = match file {
            Ok(file) => file,
            Err(error) => return self.problem.set(Some(format!("{error}."))),
        };
        let text = String::from_utf8_lossy(&file.bytes);
        if let Ok(run) = Run::read(&text) {
            return self.take_run(run, &file.name);
        }
        let study = read_study(&file.bytes).map(|study| study.items);
        match study {
            Ok(items) => self.take_items(items, &file.name),
            Err(_) => {
                let reading = Reading {
                    choice: Choice::Every(1),
                    keep_several: false,
                };
                match from_table(&text, reading) {
                    Ok(import) => {
                        let mut said = import.sentences();
                        said.extend(import.fault_sentences());
                        self.take_items(import.items, &file.name);
                        self.notice.set(Some(said.join(" ")));
                    }
                    Err(error) => self.problem.set(Some(format!(
                        "{} is neither a run of judges, a study nor a table of comments: {error}.",
                        file.name
                    ))),
                }
            }
        }
    }

    fn take_run(&self, run: Run, name: &str) {
        self.run.stop();
        self.take_settings(&run);
        self.waiting.set(Vec::new());
        self.notice.set(Some(format!("{name}: {} judgements.", run.rows.len())));
        let this = *self;
        self.judged.set(Some(run.clone()));
        spawn_local(async move {
            judging::forget().await;
            let mut kept = judging::keep_head(&run).await;
            for (number, row) in run.rows.iter().enumerate() {
                kept = kept.and(judging::keep_row(number, row).await);
            }
            if kept.is_err() {
                this.not_kept();
            }
            this.make_tables().await;
        });
    }

    /// Takes what is to be judged; what was judged of other comments is forgotten.
    fn take_items(&self, mut items: Vec<Item>, name: &str) {
        items.retain(|item| !item.comments.is_empty());
        if items.is_empty() {
            return self.problem.set(Some(format!("{name} has no comments to judge.")));
        }
        self.forget();
        let comments: usize = items.iter().map(|item| item.comments.len()).sum();
        self.notice
            .set(Some(format!("{name}: {} moves, {comments} comments.", items.len())));
        self.waiting.set(items);
    }

    /// Takes the study in the making.
    pub fn take_study(&self) {
        self.problem.set(None);
        let items = self.builder.study.with_untracked(|study| study.items.clone());
        self.take_items(items, "The study");
    }

    /// Forgets the run.
    pub fn forget(&self) {
        self.run.stop();
        self.judged.set(None);
        self.tables.set(Vec::new());
        self.notice.set(None);
        spawn_local(judging::forget());
    }

    fn not_kept(&self) {
        self.problem.set(Some(
            "This browser keeps nothing: save the run before you close the page.".to_owned(),
        ));
    }

    /// The model in use as a judge; `None` where none is connected.
    fn judge(&self) -> Option<Judge> {
        let endpoint = self.endpoint.endpoint();
        let model = untrack(|| self.endpoint.model());
        let server = base_url::server(&endpoint.base).unwrap_or_else(|_| "this browser".to_owned());
        self.endpoint.is_configured_untracked().then(|| Judge {
            name: if model.is_empty() {
                server.clone()
            } else {
                model.clone()
            },
            provider: endpoint.provider.word().to_owned(),
            server,
            model,
        })
    }

    fn settings(&self) -> Settings {
        Settings {
            criteria: self.criteria.get_untracked(),
            mode: self.mode.get_untracked(),
            pairs: self.rubric.get_untracked().then_some(Pairs::All),
            ..Settings::default()
        }
    }

    /// Whether criteria, mode and rubric can still be chosen: one run has one of each. Tracked.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.judged.with(Option::is_none)
    }

    /// Prepares what is not prepared, and asks for every judgement by the model in use that is not there; until it is
    /// stopped.
    pub fn start(&self) {
        let Some(judge) = self.judge() else { return };
        let Some(going) = self.run.begin() else { return };
        self.problem.set(None);
        self.notice.set(None);
        let this = *self;
        spawn_local(async move {
            let outcome = this.judge_all(judge, going).await;
            if going.is_current() {
                match outcome {
                    Ok(()) => going.end(),
                    Err(problem) => going.fail(problem),
                }
            }
            this.make_tables().await;
        });
    }

    async fn judge_all(&self, judge: Judge, going: Going) -> Result<(), String> {
        if self.judged.with_untracked(Option::is_none) {
            let items = self.prepared(going).await?;
            if !going.is_current() {
                return Ok(());
            }
            let header = Header::new(vec![judge.clone()], self.settings());
            self.judged.set(Some(Run::new(header, items)));
            self.waiting.set(Vec::new());
        }
        self.judged.update(|run| {
            if let Some(run) = run
                && !run.header.judges.contains(&judge)
            {
                run.header.judges.push(judge.clone());
            }
        });
        let Some(run) = self.judged.get_untracked() else {
            return Ok(());
        };
        if judging::keep_head(&run).await.is_err() {
            self.not_kept();
        }
        let left: VecDeque<Task> = run.left().into_iter().filter(|task| task.judge == judge.name).collect();
        let all = left.len();
        let left = Rc::new(RefCell::new(left));
        let begun = clock::now();
        let lanes = self.at_once.get_untracked().clamp(1, 16);
        self.stops.set_value((0..lanes).map(|_| None).collect());
        going.tell(0, all, None);
        join_all((0..lanes).map(|lane| self.lane(lane, &run, &judge, Rc::clone(&left), (all, begun), going))).await;
        Ok(())
    }

    /// Asks one question after the other until none is left.
    async fn lane(
        &self,
        lane: usize,
        run: &Run,
        judge: &Judge,
        left: Rc<RefCell<VecDeque<Task>>>,
        (all, begun): (usize, f64),
        going: Going,
    ) {
        while going.is_current() {
            let Some(task) = left.borrow_mut().pop_front() else {
                return;
            };
            let Some(item) = run.item(&task.item) else { continue };
            let Some(exchange) = Exchange::begin(&task, item, judge, &run.header.settings) else {
                continue;
            };
            let known = self.judged.with_untracked(|run| {
                let rows = run.as_ref().into_iter().flat_map(Run::judged);
                rows.into_iter().find(|row| row.key == exchange.key()).cloned()
            });
            let row = match known {
                Some(row) => Some(exchange.copied(&row)),
                None => self.ask(exchange, lane).await,
            };
            let Some(row) = row.filter(|_| going.is_current()) else {
                return;
            };
            self.keep(row).await;
            let done = all - left.borrow().len();
            let each = (clock::now() - begun) / 1000.0 / done.max(1) as f64;
            let failed = self
                .judged
                .with_untracked(|run| run.as_ref().map_or(0, |run| run.failures().len()));
            let failures = match failed {
                0 => String::new(),
                failed => format!(", {failed} failed"),
            };
            going.tell(
                done,
                all,
                Some(format!("About {:.0} s left{failures}.", each * (all - done) as f64)),
            );
        }
    }

    /// `None` where it was stopped.
    async fn ask(&self, mut exchange: Exchange, lane: usize) -> Option<Row> {
        let mut request = exchange.request();
        loop {
            let (stop, stopped) = stopper();
            self.stops.try_update_value(|stops| {
                if let Some(place) = stops.get_mut(lane) {
                    *place = Some(stop);
                }
            });
            let endpoint = self.endpoint.endpoint();
            let reply = endpoint.ask(request, stopped, self.endpoint.silence(), |_| ()).await;
            match reply {
                Err(error) if error.is_stopped() => return None,
                Err(error) => {
                    let kind = error.kind();
                    let Failure { what, advice, .. } = Failure::from(error);
                    return Some(exchange.failed(kind, &what, &advice));
                }
                Ok(reply) => {
                    let (then, next) = exchange.take(reply);
                    exchange = then;
                    match next {
                        Next::Done(row) => return Some(*row),
                        Next::Ask(next) => request = *next,
                    }
                }
            }
        }
    }

    async fn keep(&self, row: Row) {
        let number = self.judged.try_update(|run| {
            let rows = &mut run.as_mut()?.rows;
            rows.push(row.clone());
            Some(rows.len() - 1)
        });
        if let Some(Some(number)) = number
            && judging::keep_row(number, &row).await.is_err()
        {
            self.not_kept();
        }
    }

    /// What judges are told of the items: the engine looks at every move, and the claim check at every comment.
    async fn prepared(&self, going: Going) -> Result<Vec<JudgedItem>, String> {
        let waiting = self.waiting.get_untracked();
        let settings = crate::services::settings::Settings {
            context: Context::Fen,
            ..self.preferences.get_untracked()
        };
        let services = self.services.get_value();
        let mut items = Vec::with_capacity(waiting.len());
        for (done, item) in waiting.iter().enumerate() {
            going.tell(done, waiting.len(), Some(format!("The engine looks at {}.", item.id)));
            let played = played(&item.fen, &item.mv).map_err(|error| format!("{}: {error}.", item.id))?;
            let prepared = prepare(&services, &played, None, Arm::Engine, &settings)
                .await
                .map_err(|error| format!("The engine does not answer: {error}"))?;
            if !going.is_current() {
                return Ok(items);
            }
            items.push(JudgedItem::new(item, &prepared.sheet));
            clock::yield_to_browser().await;
        }
        Ok(items)
    }

    /// Ends the run under way; what is judged stays.
    pub fn stop(&self) {
        let stops = self.stops.try_update_value(std::mem::take).unwrap_or_default();
        for stop in stops.into_iter().flatten() {
            stop.now();
        }
        self.run.stop();
        self.notice
            .set(Some("Stopped; what is judged is kept, and you can go on.".to_owned()));
    }

    /// Makes the tables of what is judged so far.
    async fn make_tables(&self) {
        let Some(run) = self.judged.try_get_untracked().flatten() else {
            return;
        };
        let pace = Slices::new();
        let mut tables = means::table_5(&run);
        pace.rest().await;
        tables.push(means::claims(&run));
        if disagreements::has_pairs(&run) {
            tables.extend(pairs::win_matrix(&run));
            pace.rest().await;
            tables.extend(pairs::strengths(&run, &pace).await);
            tables.push(disagreements::order(&run));
        }
        if run.header.judges.len() > 1 {
            tables.push(disagreements::between_judges(&run));
        }
        pace.rest().await;
        tables.push(disagreements::table(&run));
        self.tables.try_set(tables);
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

//! Asking players: every answer that is not there is asked for, of the model several at a time, of built-in players one after
//! the other beside it.

use std::{
    cell::RefCell,
    collections::{BTreeMap, VecDeque},
    rc::Rc,
};

use futures_util::future::{join, join_all};
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{
    super::{endpoint::Failure, model_run::Going},
    MOST_AT_ONCE, Playing, SAVED,
    built_in::Tools,
    head,
};
use crate::{
    browser::{clock, document::program},
    grading::{
        fault::FaultKind,
        play::{Play, Row, Step, failure_kind},
        player::Player,
        run_file::{Run, RunLine},
        suite::position::TestPosition,
        task::{Settings, Task},
    },
    long_run::{count::forecast, tokens::Tokens},
    services::endpoint::Endpoint,
};

/// What a run under way needs, looked up once.
struct Table {
    run: Run,
    places: BTreeMap<String, usize>,
    endpoint: Endpoint,
    silence: Option<std::time::Duration>,
    known: RefCell<BTreeMap<String, Row>>,
    /// How many answers are asked for.
    all: usize,
    /// How many are done.
    done: RefCell<usize>,
    /// When it began, in milliseconds.
    begun: f64,
}

type Queue = Rc<RefCell<VecDeque<Task>>>;

impl Table {
    fn at(&self, task: &Task) -> Option<(&TestPosition, &Player, &Settings)> {
        let at = self.run.positions.get(*self.places.get(&task.item)?)?;
        Some((at, self.run.player(&task.player)?, &self.run.header.settings))
    }
}

impl Playing {
    /// Asks everybody who is to play for every answer that is not there; until it is stopped.
    pub fn start(&self) {
        let Some(going) = self.run.begin() else { return };
        self.problem.set(None);
        self.notice.set(None);
        going.tell(0, 1, Some("The players get ready.".to_owned()));
        let this = *self;
        spawn_local(async move {
            let outcome = this.play_all(going).await;
            if going.is_current() {
                match outcome {
                    Ok(()) => going.end(),
                    Err(problem) => going.fail(problem),
                }
            }
            this.make_report().await;
        });
    }

    async fn play_all(&self, going: Going) -> Result<(), String> {
        let players = self.players().await?;
        if !going.is_current() {
            return Ok(());
        }
        self.begin_run(&players);
        let Some(run) = self.played.get_untracked() else {
            return Ok(());
        };
        if SAVED.keep_head(&head(&run)).await.is_err() {
            self.not_kept();
        }
        let is_to_play = |task: &Task| players.iter().any(|player| player.name == task.player);
        let (asked, mut own): (Vec<Task>, Vec<Task>) = run
            .left()
            .into_iter()
            .filter(is_to_play)
            .partition(|task| task.prompt.is_some());
        // One player after the other: each engine is started once.
        own.sort_by(|a, b| a.player.cmp(&b.player));
        let all = asked.len() + own.len();
        if all == 0 {
            self.notice.set(Some(
                "Nothing is left to play: connect another model, or choose other players.".to_owned(),
            ));
        }
        let mut known = run.by_key();
        // The run that this one replaced may have answers to the same questions.
        let former = self
            .former
            .with_untracked(|former| former.as_ref().map(|former| former.run.by_key()));
        for (key, row) in former.into_iter().flatten() {
            known.entry(key).or_insert(row);
        }
        let places = run.positions.iter().enumerate();
        let table = Table {
            places: places.map(|(place, at)| (at.id.clone(), place)).collect(),
            endpoint: self.endpoint.endpoint(),
            silence: self.endpoint.silence(),
            known: RefCell::new(known),
            all,
            done: RefCell::new(0),
            begun: clock::now(),
            run,
        };
        self.tell(&table, going);
        let asked: Queue = Rc::new(RefCell::new(asked.into()));
        let own: Queue = Rc::new(RefCell::new(own.into()));
        let lanes = self.at_once.get_untracked().clamp(1, MOST_AT_ONCE);
        self.lanes.open(lanes);
        let asking = (0..lanes).map(|lane| self.lane(&table, Rc::clone(&asked), Some(lane), going));
        join(join_all(asking), self.lane(&table, own, None, going)).await;
        Ok(())
    }

    /// Makes the run where there is none, and enters the players that are new in it.
    fn begin_run(&self, players: &[Player]) {
        if self.played.with_untracked(Option::is_none) {
            let Some(suite) = self.waiting.get_untracked() else {
                return;
            };
            let mut run = Run::new(suite, Vec::new(), self.settings.get_untracked());
            run.header.program = program();
            self.played.set(Some(run));
            self.waiting.set(None);
        }
        self.played.update(|run| {
            let Some(run) = run else { return };
            for player in players {
                if !run.header.players.contains(player) {
                    run.header.players.push(player.clone());
                }
            }
            self.recount(run);
        });
    }

    /// Asks for one answer after the other until none is left: of the model, in this lane of several; of built-in players
    /// without one.
    async fn lane(&self, table: &Table, queue: Queue, lane: Option<usize>, going: Going) {
        let mut tools = Tools::new(self.services.get_value().network);
        while going.is_current() {
            let Some(task) = queue.borrow_mut().pop_front() else {
                return;
            };
            let Some(row) = self.answer(table, &task, lane, &mut tools, going).await else {
                continue;
            };
            if !going.is_current() {
                return;
            }
            if row.is_answer() {
                let mut known = table.known.borrow_mut();
                known.entry(row.key.clone()).or_insert_with(|| row.clone());
            }
            self.keep(row).await;
            *table.done.borrow_mut() += 1;
            self.tell(table, going);
            if lane.is_none() {
                // What answers at once must not hold up the page.
                clock::yield_to_browser().await;
            }
        }
    }

    /// The row of a task: copied where the same words were answered, else asked for. `None` where it was stopped.
    async fn answer(
        &self,
        table: &Table,
        task: &Task,
        lane: Option<usize>,
        tools: &mut Tools,
        going: Going,
    ) -> Option<Row> {
        let (at, player, settings) = table.at(task)?;
        // A suite's positions were all read when it was taken.
        let mut play = Play::begin(task, at, player, settings).ok()?;
        let copied = table.known.borrow().get(play.key()).map(|known| play.copied(known));
        if copied.is_some() {
            return copied;
        }
        loop {
            let begun = clock::now();
            let millis = || (clock::now() - begun).max(0.0) as u64;
            let step = if let Some(request) = play.request() {
                // Only models are asked, and in lanes.
                let stopped = self.lanes.begin(lane?);
                match table.endpoint.ask(request, stopped, table.silence, |_| ()).await {
                    Err(error) if error.is_stopped() => return None,
                    Err(error) => {
                        let kind = failure_kind(error.kind());
                        let Failure { what, advice, .. } = Failure::from(error);
                        return Some(play.failed(kind, format!("{what} {advice}").trim()));
                    }
                    Ok(reply) => play.take_reply(reply, millis()),
                }
            } else {
                let own = player.kind.own_move(at, play.reached(), settings.seed.into());
                let mv = match own {
                    Some(mv) => Ok(mv),
                    None => going.unless_stopped(tools.play(player, play.reached())).await?,
                };
                match mv {
                    Ok(mv) => play.take_move(mv, millis()),
                    Err(error) => return Some(play.failed(FaultKind::Transport, &error.to_string())),
                }
            };
            match step {
                Step::Done(row) => return Some(*row),
                Step::Again(next) => play = *next,
            }
        }
    }

    /// Says how far it is: the time that is left, what failed, what it has cost.
    fn tell(&self, table: &Table, going: Going) {
        let done = *table.done.borrow();
        let mut notes = Vec::new();
        if done > 0 {
            let each = (clock::now() - table.begun) / 1000.0 / done as f64;
            notes.push(format!("About {:.0} s left", each * (table.all - done) as f64));
        }
        let failed = self.progress.get_untracked().failed;
        if failed > 0 {
            notes.push(format!("{failed} failed"));
        }
        notes.extend(untrack(|| self.cost()));
        let note = (!notes.is_empty()).then(|| notes.join(", ") + ".");
        going.tell(done, table.all, note);
    }

    /// Adds a row to the run, and keeps it in the browser.
    async fn keep(&self, row: Row) {
        let number = self.played.try_update_untracked(|run| {
            let run = run.as_mut()?;
            run.rows.push(row.clone());
            Some(run.rows.len() - 1)
        });
        let Some(Some(number)) = number else { return };
        let now = self.count.try_update_value(|count| {
            count.add(&row.task, row.is_answer(), row.tokens);
            (count.progress(), count.tokens())
        });
        if let Some((progress, tokens)) = now {
            self.progress.try_set(progress);
            self.tokens.try_set(tokens);
        }
        if SAVED
            .keep_row(number, &RunLine::Row(Box::new(row)).text())
            .await
            .is_err()
        {
            self.not_kept();
        }
    }

    /// What the run has cost at the prices given, in words; `None` without prices. Tracked.
    #[must_use]
    pub fn cost(&self) -> Option<String> {
        self.prices.get().spent(self.tokens.get())
    }

    /// What so many answers of the model with about so many tokens will take, in words. Tracked.
    #[must_use]
    pub fn forecast(&self, (count, tokens): (usize, Tokens)) -> String {
        forecast("The model", count, tokens, self.prices.get())
    }

    /// Ends the run under way; what is answered stays.
    pub fn stop(&self) {
        self.halt();
        self.notice
            .set(Some("Stopped; what is answered is kept, and you can go on.".to_owned()));
    }

    /// The same without a word.
    pub(super) fn halt(&self) {
        self.lanes.stop();
        self.run.stop();
    }
}

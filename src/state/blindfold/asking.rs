//! Asking players: every answer that is not there is asked for, of the chat model several at a time, of the others one probe
//! after the other beside it.

use std::{cell::RefCell, collections::VecDeque, rc::Rc};

use futures_util::future::{join, join_all};
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{super::model_run::Going, Blindfold, MOST_AT_ONCE, SAVED, answering::Table, given_games::forget_games};
use crate::{
    blindfold::run_file::{BlindPlayer, BlindPlayerKind, BlindRow, BlindRun, BlindTask, rows_text},
    browser::{clock, document::program, slices::Slices},
    long_run::{count::forecast, shard::Shard, tokens::Tokens},
    pace::Pace,
};

/// What is asked in one go: a question of a chat model, or all that one of the others is asked about a probe.
type Asked = Vec<BlindTask>;

/// What is still to be asked.
type Queue = Rc<RefCell<VecDeque<Asked>>>;

/// How far the run under way is.
struct Sofar {
    /// How many answers are asked for.
    all: usize,
    /// How many are done.
    done: usize,
    /// When it began, in milliseconds.
    begun: f64,
}

impl Blindfold {
    /// Asks everybody who is to answer for every answer that is not there; until it is stopped.
    pub fn start(&self) {
        let Some(going) = self.run.begin() else { return };
        self.problem.set(None);
        self.notice.set(None);
        going.tell(0, 1, Some("The players get ready.".to_owned()));
        let this = *self;
        spawn_local(async move {
            let outcome = this.ask_all(going).await;
            if going.is_current() {
                match outcome {
                    Ok(()) => going.end(),
                    Err(problem) => going.fail(problem),
                }
            }
            this.make_report().await;
        });
    }

    async fn ask_all(&self, going: Going) -> Result<(), String> {
        let players = self.players(going).await?;
        let pace = Slices::new();
        let Some((run, left)) = self.begin_run(&players, going, &pace).await else {
            return Ok(());
        };
        if SAVED.keep_head(&run.head()).await.is_err() {
            self.not_kept();
        }
        if left.is_empty() {
            self.notice.set(Some(
                "Nothing is left to answer: choose other players, or connect another model.".to_owned(),
            ));
        }
        let sofar = RefCell::new(Sofar {
            all: left.len(),
            done: 0,
            begun: clock::now(),
        });
        let (asked, own) = queues(&run, left);
        let table = Table::new(run, self.endpoint.endpoint(), self.endpoint.silence());
        self.tell(&sofar.borrow(), going);
        let lanes = self.at_once.get_untracked().clamp(1, MOST_AT_ONCE);
        self.lanes.open(lanes);
        let asking = (0..lanes).map(|lane| self.lane(&table, Rc::clone(&asked), Some(lane), &sofar, going));
        let (asked, own) = join(join_all(asking), self.lane(&table, own, None, &sofar, going)).await;
        asked.into_iter().chain([own]).collect()
    }

    /// Makes the run where there is none, and lets the players in that are new. The run without its rows, and what these players
    /// have still to answer.
    async fn begin_run(
        &self,
        players: &[BlindPlayer],
        going: Going,
        pace: &impl Pace,
    ) -> Option<(BlindRun, Vec<BlindTask>)> {
        let known = self.copy(pace).await;
        let is_new = known.is_none();
        let mut run = match known {
            Some(run) => run,
            None => {
                let mut set = self.waiting.get_untracked()?;
                set.probes.truncate(untrack(|| self.first()).max(1));
                BlindRun::new(set, Vec::new(), self.settings.get_untracked(), program())
            }
        };
        for player in players {
            run.join(player.clone());
        }
        let count = run.count_at(pace).await;
        let mut left = run.left_at(Shard::WHOLE, pace).await;
        left.retain(|task| players.iter().any(|player| player.name == task.player));
        if !going.is_current() {
            return None;
        }
        run.rows.clear();
        if is_new {
            match self.games.get_value() {
                Some(games) => games.keep().await,
                None => forget_games().await,
            }
            self.answered.set(Some(run.clone()));
            self.waiting.set(None);
        } else {
            self.answered.update(|now| {
                if let Some(now) = now {
                    now.header = run.header.clone();
                }
            });
        }
        self.recount(count);
        Some((run, left))
    }

    /// Asks for one thing after the other until none is left: of the chat model, in this lane of several; of the others without
    /// one.
    async fn lane(
        &self,
        table: &Table,
        queue: Queue,
        lane: Option<usize>,
        sofar: &RefCell<Sofar>,
        going: Going,
    ) -> Result<(), String> {
        while going.is_current() {
            let Some(tasks) = queue.borrow_mut().pop_front() else {
                return Ok(());
            };
            let rows = match lane {
                Some(lane) => self.reply(table, &tasks, lane).await,
                None => self.rank(table, &tasks, going).await?,
            };
            let Some(rows) = rows.filter(|_| going.is_current()) else {
                return Ok(());
            };
            sofar.borrow_mut().done += rows.len();
            self.keep(rows).await;
            self.tell(&sofar.borrow(), going);
            if lane.is_none() {
                // What answers at once must not hold up the page.
                clock::yield_to_browser().await;
            }
        }
        Ok(())
    }

    /// Says how far it is: the time that is left, what failed, what it has cost.
    fn tell(&self, sofar: &Sofar, going: Going) {
        let mut notes = Vec::new();
        if sofar.done > 0 {
            let each = (clock::now() - sofar.begun) / 1000.0 / sofar.done as f64;
            notes.push(format!("About {:.0} s left", each * (sofar.all - sofar.done) as f64));
        }
        let failed = self.progress.get_untracked().failed;
        if failed > 0 {
            notes.push(format!("{failed} failed"));
        }
        notes.extend(untrack(|| self.cost()));
        let note = (!notes.is_empty()).then(|| notes.join(", ") + ".");
        going.tell(sofar.done, sofar.all, note);
    }

    /// Adds rows to the run, and keeps them in the browser.
    async fn keep(&self, rows: Vec<BlindRow>) {
        let text = rows_text(&rows);
        let now = self.count.try_update_value(|count| {
            for row in &rows {
                count.add(&row.task, row.is_answer(), row.used);
            }
            (count.progress(), count.tokens())
        });
        let there = self
            .answered
            .try_update_untracked(|run| run.as_mut().map(|run| run.rows.extend(rows)));
        if there.flatten().is_none() {
            return;
        }
        if let Some((progress, tokens)) = now {
            self.progress.try_set(progress);
            self.tokens.try_set(tokens);
        }
        let number = self.saved_rows.try_update_value(|number| {
            *number += 1;
            *number - 1
        });
        if let Some(number) = number
            && SAVED.keep_row(number, &text).await.is_err()
        {
            self.not_kept();
        }
    }

    /// What the run has cost at the prices given, in words; `None` without prices. Tracked.
    #[must_use]
    pub fn cost(&self) -> Option<String> {
        self.prices.get().spent(self.tokens.get())
    }

    /// What so many answers of the chat model with about so many tokens will take, in words. Tracked.
    #[must_use]
    pub fn forecast(&self, (count, tokens): (usize, Tokens)) -> String {
        forecast("The chat model", count, tokens, self.prices.get())
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

/// What is asked of models behind endpoints, a question each; and of the others, the scripted ones together.
fn queues(run: &BlindRun, left: Vec<BlindTask>) -> (Queue, Queue) {
    let kind = |task: &BlindTask| run.player(&task.player).map(|player| &player.kind);
    let (asked, own): (Vec<_>, Vec<_>) = left
        .into_iter()
        .partition(|task| kind(task).is_some_and(BlindPlayerKind::is_behind_endpoint));
    let (models, scripted): (Vec<_>, Vec<_>) = own
        .into_iter()
        .partition(|task| matches!(kind(task), Some(BlindPlayerKind::Model { .. })));
    let by_probe = |tasks: Vec<BlindTask>| {
        let mut groups: Vec<Asked> = Vec::new();
        for task in tasks {
            match groups.last_mut() {
                Some(group) if group[0].probe == task.probe => group.push(task),
                _ => groups.push(vec![task]),
            }
        }
        groups
    };
    let own = [by_probe(scripted), by_probe(models)].concat();
    let asked: VecDeque<Asked> = asked.into_iter().map(|task| vec![task]).collect();
    (Rc::new(RefCell::new(asked)), Rc::new(RefCell::new(own.into())))
}

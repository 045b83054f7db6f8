//! Asking judges: items are prepared, then every judgement that is not there is asked for, several at a time.

use std::{
    cell::RefCell,
    collections::{BTreeMap, VecDeque},
    rc::Rc,
    time::Duration,
};

use futures_util::future::join_all;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{
    super::{briefing::prepare, connected_model::ConnectedModel, endpoint::Failure, model_run::Going},
    Judging, MOST_AT_ONCE, SAVED, Waiting,
};
use crate::{
    browser::{clock, document::program, slices::Slices},
    commentary::{Arm, Context},
    judge::{
        exchange::{Exchange, Next, Row},
        gcc_eval::prompt::steps_request,
        item::JudgedItem,
        judges::Judge,
        run_file::{Header, Run, RunLine},
        task::Task,
    },
    services::{attempt::Step, endpoint::Endpoint, settings::Settings},
    survey::study::played,
};

/// Who is asked, and where: fixed when judging begins. The form may name another server meanwhile; a judge's questions stay
/// with the server that its name stands for.
pub(super) struct Asked {
    pub judge: Judge,
    pub endpoint: Endpoint,
    /// The longest silence.
    pub silence: Option<Duration>,
}

/// The questions that are left, and what is known already.
struct Queue {
    left: VecDeque<Task>,
    known: BTreeMap<String, Row>,
    /// How many there were.
    all: usize,
    /// How many are done.
    done: usize,
    /// When it began, in milliseconds.
    begun: f64,
}

impl Judging {
    /// The model in use as a judge; `None` where none is connected. Two models of the same name have their servers in theirs.
    fn asked(&self) -> Option<Asked> {
        let connected = ConnectedModel::of(&self.endpoint)?;
        let mut judge = Judge {
            name: connected.name(),
            provider: connected.provider.clone(),
            server: connected.server.clone(),
            model: connected.model.clone(),
        };
        let is_taken = self.judged.with_untracked(|run| {
            let judges = run.as_ref().map_or(&[][..], |run| &run.header.judges);
            judges.iter().any(|other| other.name == judge.name && *other != judge)
        });
        if is_taken {
            judge.name = connected.name_with_server();
        }
        Some(Asked {
            judge,
            endpoint: self.endpoint.endpoint(),
            silence: self.endpoint.silence(),
        })
    }

    /// Prepares what is not prepared, and asks for every judgement by the model in use that is not there; until it is
    /// stopped.
    pub fn start(&self) {
        let Some(asked) = self.asked() else { return };
        let Some(going) = self.run.begin() else { return };
        self.problem.set(None);
        self.notice.set(None);
        // At once: "Stop" takes the keyboard from the button that goes, and a second press begins nothing.
        going.tell(0, 1, None);
        let this = *self;
        spawn_local(async move {
            let outcome = this.judge_all(asked, going).await;
            if going.is_current() {
                match outcome {
                    Ok(()) => going.end(),
                    Err(problem) => going.fail(problem),
                }
            }
            this.make_tables().await;
        });
    }

    async fn judge_all(&self, asked: Asked, going: Going) -> Result<(), String> {
        let judge = &asked.judge;
        if self.judged.with_untracked(Option::is_none) {
            let items = self.prepared(going).await?;
            if !going.is_current() {
                return Ok(());
            }
            let settings = self.settings.get_untracked();
            let header = Header::new(program(), vec![judge.clone()], settings);
            let run = Run::new(header, items);
            self.progress.set(run.progress());
            self.judged.set(Some(run));
            self.waiting.set(Waiting::default());
        }
        self.write_steps(&asked, going).await?;
        self.judged.update(|run| {
            if let Some(run) = run
                && !run.header.judges.contains(judge)
            {
                run.header.judges.push(judge.clone());
            }
        });
        let Some(run) = self.judged.get_untracked().filter(|_| going.is_current()) else {
            return Ok(());
        };
        self.progress.set(run.progress());
        if SAVED.keep_head(&run.head_at(&Slices::new()).await).await.is_err() {
            self.not_kept();
        }
        if self.declares.get_untracked() {
            self.declare_all(&asked, going).await?;
        }
        let Some(run) = self.judged.get_untracked().filter(|_| going.is_current()) else {
            return Ok(());
        };
        let left: VecDeque<Task> = run.left().into_iter().filter(|task| task.judge == judge.name).collect();
        if left.is_empty() {
            self.notice.set(Some(format!(
                "Nothing is left for {} to judge: connect another model.",
                judge.name
            )));
        }
        let mut known = run.by_key();
        // The run that this one replaced may have answers to the same questions.
        let former = self.former.with_untracked(|former| former.as_ref().map(Run::by_key));
        for (key, row) in former.into_iter().flatten() {
            known.entry(key).or_insert(row);
        }
        let queue = Rc::new(RefCell::new(Queue {
            all: left.len(),
            left,
            known,
            done: 0,
            begun: clock::now(),
        }));
        let lanes = self.at_once.get_untracked().clamp(1, MOST_AT_ONCE);
        self.lanes.open(lanes);
        self.tell(&queue.borrow(), going);
        join_all((0..lanes).map(|lane| self.lane(lane, &run, &asked, Rc::clone(&queue), going))).await;
        Ok(())
    }

    /// Has a judge write its own steps for each criterion, where that is asked for and not done.
    async fn write_steps(&self, asked: &Asked, going: Going) -> Result<(), String> {
        let judge = &asked.judge;
        let (wanted, there) = self.judged.with_untracked(|run| {
            let settings = run.as_ref().map(|run| &run.header.settings);
            let there = settings.is_some_and(|settings| settings.steps.contains_key(&judge.name));
            (
                settings.map_or_else(Vec::new, |settings| settings.criteria.clone()),
                there,
            )
        });
        if there || !self.own_steps.get_untracked() {
            return Ok(());
        }
        let mut own = BTreeMap::new();
        for (done, criterion) in wanted.iter().enumerate() {
            let note = format!("{} writes its steps for {}.", judge.name, criterion.word());
            going.tell(done, wanted.len(), Some(note));
            let request = steps_request(*criterion, &judge.model);
            self.lanes.open(1);
            let stopped = self.lanes.begin(0);
            match asked.endpoint.ask(request, stopped, asked.silence, |_| ()).await {
                Err(error) if error.is_stopped() => return Ok(()),
                Err(error) => {
                    let Failure { what, advice, .. } = Failure::from(error);
                    return Err(format!("The judge wrote no steps. {what} {advice}"));
                }
                Ok(reply) => own.insert(criterion.word().to_owned(), reply.text.trim().to_owned()),
            };
        }
        if going.is_current() {
            self.judged.update(|run| {
                if let Some(run) = run {
                    run.header.settings.steps.insert(judge.name.clone(), own);
                    self.settings.set(run.header.settings.clone());
                }
            });
        }
        Ok(())
    }

    /// Asks one question after the other until none is left.
    async fn lane(&self, lane: usize, run: &Run, asked: &Asked, queue: Rc<RefCell<Queue>>, going: Going) {
        while going.is_current() {
            let Some(task) = queue.borrow_mut().left.pop_front() else {
                return;
            };
            let Some(item) = run.item(&task.item) else { continue };
            let Some(exchange) = Exchange::begin(&task, item, &asked.judge, &run.header.settings) else {
                continue;
            };
            let known = queue.borrow().known.get(exchange.key()).map(|row| exchange.copied(row));
            let row = match known {
                Some(row) => Some(row),
                None => self.ask(exchange, asked, lane).await,
            };
            let Some(row) = row.filter(|_| going.is_current()) else {
                return;
            };
            self.keep(&row).await;
            let mut queue = queue.borrow_mut();
            queue.done += 1;
            if row.is_judged() {
                queue.known.entry(row.key.clone()).or_insert(row);
            }
            self.tell(&queue, going);
        }
    }

    /// Says how far it is: the time that is left, what failed. What it has cost stands below, and stays.
    fn tell(&self, queue: &Queue, going: Going) {
        let mut note = String::new();
        if queue.done > 0 {
            let each = (clock::now() - queue.begun) / 1000.0 / queue.done as f64;
            note = format!("About {:.0} s left", each * (queue.all - queue.done) as f64);
        }
        let progress = self.progress.get_untracked();
        if progress.failed > 0 {
            note += &format!(", {} failed", progress.failed);
        }
        let note = note.trim_start_matches(", ").to_owned();
        going.tell(queue.done, queue.all, (!note.is_empty()).then(|| note + "."));
    }

    /// `None` where it was stopped.
    async fn ask(&self, mut exchange: Exchange, asked: &Asked, lane: usize) -> Option<Row> {
        let mut request = exchange.request();
        loop {
            let stopped = self.lanes.begin(lane);
            let mut again = Vec::new();
            let hear = |step| {
                if let Step::Waiting { kind, reason, .. } = step {
                    again.push((kind, reason));
                }
            };
            let answer = asked.endpoint.ask(request, stopped, asked.silence, hear).await;
            for (kind, reason) in &again {
                exchange.failed_once(kind, reason);
            }
            match answer {
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

    /// Adds a row to the run, and keeps it in the browser.
    async fn keep(&self, row: &Row) {
        let number = self.judged.try_update_untracked(|run| {
            let run = run.as_mut()?;
            let number = run.rows.len();
            self.progress.update(|progress| progress.add(run, row));
            run.rows.push(row.clone());
            Some(number)
        });
        if let Some(Some(number)) = number
            && SAVED.keep_row(number, &RunLine::Row(row.clone()).text()).await.is_err()
        {
            self.not_kept();
        }
    }

    /// What judges are told of the items: the engine looks at every move, and the claim check at every comment.
    async fn prepared(&self, going: Going) -> Result<Vec<JudgedItem>, String> {
        let waiting = match self.waiting.get_untracked() {
            Waiting::Plain(items) => items,
            Waiting::Prepared(items) => return Ok(items),
        };
        let settings = Settings {
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
        self.lanes.stop();
        self.run.stop();
        self.notice
            .set(Some("Stopped; what is judged is kept, and you can go on.".to_owned()));
    }
}

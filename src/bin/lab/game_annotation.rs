//! Games annotated by several engines at the same time, positions of one game too; what comes of them keeps its order. Who
//! searches what is the [`Allotment`]'s business: with a limit in nodes a game comes out the same by any number of engines.

use std::{
    error::Error,
    sync::{Condvar, Mutex},
    thread,
    time::{Duration, Instant},
};

use kibitz::{
    annotation::{Allotment, AnnotatedGame, MainLine},
    chess::Game,
    uci::{Limit, SearchRequest},
};

use super::{engine::Engine, run_output::locked};

/// How often progress is reported.
const NEWS: Duration = Duration::from_secs(2);

type Problem = Box<dyn Error + Send + Sync>;

/// Engines at the same time unless told otherwise: the cores less one, and no more than the games can keep busy.
pub fn usual_threads(games: &[Game]) -> usize {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    most_threads(games).min(cores.saturating_sub(1)).max(1)
}

/// How many engines the games can keep busy.
pub fn most_threads(games: &[Game]) -> usize {
    let each = games
        .iter()
        .map(|game| Allotment::most_workers(MainLine::to_search_in(game)));
    each.sum::<usize>().max(1)
}

/// What each search is limited by, and how many lines it has.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// The limit.
    pub limit: Limit,
    /// The lines.
    pub multipv: u32,
}

/// A game under way.
struct Open {
    number: usize,
    annotated: AnnotatedGame,
    allotment: Allotment,
}

/// What an engine does next.
enum Step {
    Search(usize, Box<SearchRequest>),
    Finish(usize, Box<AnnotatedGame>),
    /// Until another is done with something.
    Wait,
    End,
}

/// What the engines share.
struct Shared<'a, T> {
    games: &'a [Game],
    effort: Effort,
    engines: usize,
    /// Games that are begun, from the first.
    begun: usize,
    open: Vec<Open>,
    finished: Vec<Option<T>>,
    problem: Option<Problem>,
    is_told: bool,
    last_report: Instant,
}

impl<T> Shared<'_, T> {
    /// The rest of the engine's run; what is asked for already, the first game's first; then another game; then what may be asked for.
    fn next(&mut self, engine: usize) -> Step {
        if self.problem.is_some() {
            return Step::End;
        }
        loop {
            // Stable: of games that it has no run in the first stays first.
            let mut order: Vec<&mut Open> = self.open.iter_mut().collect();
            order.sort_by_key(|open| !open.allotment.is_in_run(engine));
            for open in order {
                let asked = open.allotment.asked_for(&open.annotated, engine, engine as u64);
                if let Some(request) = asked {
                    return Step::Search(open.number, Box::new(request));
                }
            }
            let Some(game) = self.games.get(self.begun) else { break };
            let annotated = AnnotatedGame::new(game, self.effort.limit, self.effort.multipv);
            let number = self.begun;
            self.begun += 1;
            if annotated.is_done() {
                return Step::Finish(number, Box::new(annotated));
            }
            self.open.push(Open {
                number,
                annotated,
                allotment: Allotment::default(),
            });
        }
        for open in &mut self.open {
            if let Some(request) = open.allotment.likely(&open.annotated, engine, engine as u64) {
                return Step::Search(open.number, Box::new(request));
            }
        }
        if self.open.is_empty() { Step::End } else { Step::Wait }
    }

    /// Takes an answer; the game where it was the last.
    fn take(
        &mut self,
        number: usize,
        engine: usize,
        name: &str,
        result: kibitz::uci::SearchResult,
    ) -> Result<Option<AnnotatedGame>, Problem> {
        // What was looked at ahead of its turn may come after the game is done.
        let Some(place) = self.open.iter().position(|open| open.number == number) else {
            return Ok(None);
        };
        let open = &mut self.open[place];
        open.allotment.take(&mut open.annotated, engine, name, result)?;
        let is_done = open.annotated.is_done();
        if self.is_told && (is_done || self.last_report.elapsed() >= NEWS) {
            self.last_report = Instant::now();
            tell(number, self.games.len(), self.engines, &self.open[place].annotated);
        }
        Ok(is_done.then(|| self.open.remove(place).annotated))
    }
}

/// Annotates the games by these engines, and has each finished; in their order.
///
/// # Errors
/// The first thing that went wrong: nothing is done after it.
pub fn annotate_games<T: Send>(
    games: &[Game],
    effort: Effort,
    engines: Vec<Engine>,
    is_told: bool,
    finish: impl Fn(&Game, AnnotatedGame) -> T + Sync,
) -> Result<Vec<T>, Box<dyn Error>> {
    let shared = Mutex::new(Shared {
        games,
        effort,
        engines: engines.len(),
        begun: 0,
        open: Vec::new(),
        finished: games.iter().map(|_| None).collect(),
        problem: None,
        is_told,
        last_report: Instant::now(),
    });
    let changed = Condvar::new();
    thread::scope(|scope| {
        for (number, mut engine) in engines.into_iter().enumerate() {
            let (shared, changed, finish) = (&shared, &changed, &finish);
            scope.spawn(move || {
                let worked = work(shared, changed, number, &mut engine, finish);
                if let Err(problem) = worked {
                    locked(shared).problem.get_or_insert(problem);
                }
                changed.notify_all();
            });
        }
    });
    let mut shared = locked(&shared);
    match shared.problem.take() {
        Some(problem) => Err(problem as Box<dyn Error>),
        None => Ok(shared.finished.drain(..).flatten().collect()),
    }
}

fn work<T>(
    shared: &Mutex<Shared<'_, T>>,
    changed: &Condvar,
    number: usize,
    engine: &mut Engine,
    finish: &impl Fn(&Game, AnnotatedGame) -> T,
) -> Result<(), Problem> {
    let mut held = locked(shared);
    loop {
        let (game, done) = match held.next(number) {
            Step::End => return Ok(()),
            Step::Wait => {
                held = changed.wait(held).unwrap_or_else(std::sync::PoisonError::into_inner);
                continue;
            }
            Step::Finish(game, annotated) => (game, Some(*annotated)),
            Step::Search(game, request) => {
                drop(held);
                // One that has crashed is started again by the second try.
                let result = engine.search((*request).clone()).or_else(|_| engine.search(*request))?;
                held = locked(shared);
                let done = held.take(game, number, engine.name(), result)?;
                changed.notify_all();
                (game, done)
            }
        };
        let (Some(annotated), Some(given)) = (done, held.games.get(game)) else {
            continue;
        };
        drop(held);
        let finished = finish(given, annotated);
        held = locked(shared);
        held.finished[game] = Some(finished);
    }
}

/// Tells how far a game is, on standard error.
fn tell(number: usize, games: usize, engines: usize, annotated: &AnnotatedGame) {
    let (done, total) = annotated.progress();
    let closer = match annotated.closer_looks() {
        (0, 0) => String::new(),
        (taken, 0) => format!(", {taken} closer looks"),
        (taken, more) => format!(", {taken} closer looks, {more} to come so far"),
    };
    let left = match annotated.left() {
        Some(left) if !annotated.is_done() => format!(", about {:.0} s left", left / 1000.0 / engines as f64),
        _ => String::new(),
    };
    errln!(
        "lab: game {} of {games}: {done} of {total} positions{closer}{left}",
        number + 1
    );
}

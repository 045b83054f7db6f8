//! Which of several engines searches which position of a game, so that the game comes out as with one.
//!
//! First looks are handed out in runs of neighbouring positions ([`RUN`]): one engine makes a run, in order, and keeps what it
//! remembers of each position for the next. When all are handed out an engine that would have nothing to do makes closer
//! looks ahead of their turn: those that are in doubt now, and likely to be asked for next. Their results are put by until
//! their turn comes, and dropped where it never does.
//!
//! What depends on how many engines there are, and what does not:
//!
//! - which searches count, and in which order closer looks do: no. They are those that one engine would be asked for;
//! - what a search finds, with a limit in nodes: no, unless a run is interrupted (by a stop, by the move under discussion, by
//!   an engine that is lost, by searches that were known): its next search then begins with less in the engine's memory, or
//!   with other things. Closer looks and the first of each run begin with an empty memory and are always the same;
//! - with a limit in time: yes, as with everything that takes time.

use super::{
    AnnotatedGame,
    look::{Look, RUN},
};
use crate::{
    commentary::AssembleError,
    uci::{SearchRequest, SearchResult},
};

/// A search that is handed out.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Task {
    position: usize,
    look: Look,
    /// What is searched ([`SearchRequest::identity`]): the game may be another one when the answer comes.
    identity: String,
}

impl Task {
    /// The search that a position would get next.
    fn of(annotated: &AnnotatedGame, position: usize) -> Option<Self> {
        Some(Self {
            position,
            look: annotated.next_look(position)?,
            identity: annotated.request(position, 0)?.identity(),
        })
    }

    /// Whether this is the search that its position would get next.
    fn is_next(&self, annotated: &AnnotatedGame) -> bool {
        Self::of(annotated, self.position).as_ref() == Some(self)
    }
}

/// One of the engines.
#[derive(Debug, Clone, Default)]
struct Worker {
    /// What it searches.
    task: Option<Task>,
    /// The position that comes next in its run.
    onward: Option<usize>,
}

/// A result whose turn has not come.
#[derive(Debug, Clone)]
struct Early {
    task: Task,
    engine: String,
    result: SearchResult,
}

/// Who searches what in a game. Workers have numbers, from 0; which there are is nobody's business here.
#[derive(Debug, Clone, Default)]
pub struct Allotment {
    workers: Vec<Worker>,
    early: Vec<Early>,
}

impl Allotment {
    /// How many workers a game with so many positions to search can keep busy: one for each run, and at least one.
    #[must_use]
    pub const fn most_workers(to_search: usize) -> usize {
        let runs = to_search.div_ceil(RUN);
        if runs == 0 { 1 } else { runs }
    }

    /// The search for a worker that has none. `None` where it has to wait for the others, or the game is done.
    pub fn next(&mut self, annotated: &AnnotatedGame, worker: usize, id: u64) -> Option<SearchRequest> {
        self.asked_for(annotated, worker, id)
            .or_else(|| self.likely(annotated, worker, id))
    }

    /// As [`next`](Self::next), but only a search that is asked for already.
    pub fn asked_for(&mut self, annotated: &AnnotatedGame, worker: usize, id: u64) -> Option<SearchRequest> {
        let position = match annotated.next()? {
            // Where a position lacks its first look that comes before all closer ones.
            unseen if annotated.looked().get(unseen).is_some_and(Option::is_none) => {
                self.first_look(annotated, worker)?
            }
            doubtful => doubtful,
        };
        let task = Task::of(annotated, position)?;
        if self.has(&task) {
            return None;
        }
        self.hand_out(annotated, worker, id, task)
    }

    /// As [`next`](Self::next), but only a closer look that may be asked for later.
    pub fn likely(&mut self, annotated: &AnnotatedGame, worker: usize, id: u64) -> Option<SearchRequest> {
        let out = self.workers.iter().filter_map(|worker| worker.task.as_ref());
        let waiting = out.chain(self.early.iter().map(|early| &early.task));
        let promised: usize = waiting
            .filter(|task| task.look != Look::First)
            .map(|task| task.look.cost())
            .sum();
        let room = annotated.room().saturating_sub(promised);
        let task = annotated.in_doubt().into_iter().find_map(|position| {
            let task = Task::of(annotated, position).filter(|task| task.look.cost() <= room)?;
            (!self.has(&task)).then_some(task)
        })?;
        self.hand_out(annotated, worker, id, task)
    }

    fn hand_out(&mut self, annotated: &AnnotatedGame, worker: usize, id: u64, task: Task) -> Option<SearchRequest> {
        let request = annotated.request(task.position, id)?;
        let onward = task.position + 1;
        let onward = (task.look == Look::First && !onward.is_multiple_of(RUN)).then_some(onward);
        *self.worker(worker) = Worker {
            task: Some(task),
            onward,
        };
        Some(request)
    }

    /// The position that a worker looks at first: the next of its run, or the first of a run that is nobody's.
    fn first_look(&mut self, annotated: &AnnotatedGame, worker: usize) -> Option<usize> {
        let is_unseen = |position: &usize| annotated.looked().get(*position).is_some_and(Option::is_none);
        let own = self.worker(worker).onward;
        let run_of = |position: usize| position / RUN;
        // What was known meanwhile is passed over.
        let rest = own.into_iter().flat_map(|own| own..(run_of(own) + 1) * RUN);
        rest.into_iter().find(is_unseen).or_else(|| {
            let others = self.workers.iter().enumerate().filter(|(number, _)| *number != worker);
            let taken: Vec<usize> = others
                .flat_map(|(_, other)| {
                    let searched = other.task.as_ref().filter(|task| task.look == Look::First);
                    searched.map(|task| task.position).into_iter().chain(other.onward)
                })
                .map(run_of)
                .collect();
            let all = 0..annotated.looked().len();
            all.filter(is_unseen)
                .find(|position| !taken.contains(&run_of(*position)))
        })
    }

    /// Whether a worker is in the middle of a run: what it remembers is of use there alone.
    #[must_use]
    pub fn is_in_run(&self, worker: usize) -> bool {
        self.workers.get(worker).is_some_and(|worker| worker.onward.is_some())
    }

    /// Whether a worker has a search.
    #[must_use]
    pub fn is_busy(&self, worker: usize) -> bool {
        self.workers.get(worker).is_some_and(|worker| worker.task.is_some())
    }

    /// Takes a worker's search and run away from it: it is lost, or has other things to do. Others get them.
    pub fn withdraw(&mut self, worker: usize) {
        *self.worker(worker) = Worker::default();
    }

    /// Takes what a worker has found, and with it what was found before its turn had come. Of a search that is no longer the
    /// worker's, or of another game by now, nothing is taken.
    ///
    /// # Errors
    /// As [`AnnotatedGame::take`]'s.
    pub fn take(
        &mut self,
        annotated: &mut AnnotatedGame,
        worker: usize,
        engine: &str,
        result: SearchResult,
    ) -> Result<(), AssembleError> {
        let Some(task) = self.worker(worker).task.take() else {
            return Ok(());
        };
        if task.look == Look::First {
            if task.is_next(annotated) {
                annotated.take(task.position, engine, result)?;
            }
        } else {
            let engine = engine.to_owned();
            self.early.push(Early { task, engine, result });
        }
        while let Some(early) = self.due(annotated) {
            annotated.take(early.task.position, &early.engine, early.result)?;
        }
        // Of another game.
        self.early.retain(|early| early.task.is_next(annotated));
        Ok(())
    }

    /// The result whose turn it is.
    fn due(&mut self, annotated: &AnnotatedGame) -> Option<Early> {
        let task = Task::of(annotated, annotated.next()?)?;
        let place = self.early.iter().position(|early| early.task == task)?;
        Some(self.early.swap_remove(place))
    }

    /// Whether this is searched already, or was.
    fn has(&self, task: &Task) -> bool {
        let is_out = self.workers.iter().any(|worker| worker.task.as_ref() == Some(task));
        is_out || self.early.iter().any(|early| early.task == *task)
    }

    fn worker(&mut self, worker: usize) -> &mut Worker {
        if self.workers.len() <= worker {
            self.workers.resize_with(worker + 1, Worker::default);
        }
        &mut self.workers[worker]
    }
}

#[cfg(test)]
mod tests {
    use proptest::{prelude::*, test_runner::RngSeed};
    use shakmaty::{CastlingMode, Position};

    use super::*;
    use crate::{
        chess::{Game, pgn::read_pgn},
        random::Rng,
        uci::{Limit, Search, UciLine},
    };

    const PGN: &str = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1";
    const LIMIT: Limit = Limit::Nodes(1000);

    fn game(pgn: &str) -> Game {
        read_pgn(pgn).unwrap().games.remove(0)
    }

    /// What an engine says that has its own opinion of every position, and another one each time it looks closer.
    fn answer(request: &SearchRequest, seed: u64) -> SearchResult {
        let at = request.root();
        let Limit::Nodes(nodes) = request.limit() else {
            panic!("{:?}", request.limit())
        };
        let place = u64::from(at.fullmoves().get()) * 2 + u64::from(at.turn().is_black());
        let mut rng = Rng::new(seed ^ (place << 32) ^ nodes);
        let mut moves: Vec<String> = at
            .legal_moves()
            .iter()
            .map(|mv| mv.to_uci(CastlingMode::Standard).to_string())
            .collect();
        moves.sort();
        let first = rng.below(moves.len());
        moves.swap(0, first);
        let score = i32::try_from(rng.below(600)).unwrap() - 300;
        let mut search = Search::new(moves.len().min(2));
        for (line, mv) in moves.iter().take(2).enumerate() {
            let score = score - 40 * i32::try_from(line).unwrap();
            let text = format!(
                "info depth 9 multipv {} score cp {score} nodes {nodes} time 40 pv {mv}",
                line + 1
            );
            search.on_line(&UciLine::parse(&text));
        }
        search.on_line(&UciLine::parse(&format!("bestmove {}", moves[0])));
        search.into_result()
    }

    fn by_one(game: &Game, seed: u64) -> AnnotatedGame {
        let mut annotated = AnnotatedGame::new(game, LIMIT, 2);
        while let Some(position) = annotated.next() {
            let result = answer(&annotated.request(position, 0).unwrap(), seed);
            annotated.take(position, "Engine", result).unwrap();
        }
        annotated
    }

    /// Several workers, who are done in any order; some of them get lost and come back.
    fn by_several(game: &Game, seed: u64, workers: usize, order: u64, losses: bool) -> AnnotatedGame {
        let mut rng = Rng::new(order);
        let mut annotated = AnnotatedGame::new(game, LIMIT, 2);
        let mut allotment = Allotment::default();
        let mut out: Vec<Option<SearchRequest>> = vec![None; workers];
        for steps in 0.. {
            assert!(steps < 10_000, "it ends");
            for (worker, out) in out.iter_mut().enumerate() {
                if out.is_none() {
                    *out = allotment.next(&annotated, worker, worker as u64);
                }
            }
            let mut asked: Vec<String> = out.iter().flatten().map(SearchRequest::identity).collect();
            let all = asked.len();
            asked.sort();
            asked.dedup();
            assert_eq!(asked.len(), all, "no search is handed out twice");
            if annotated.is_done() {
                break;
            }
            let busy: Vec<usize> = (0..workers).filter(|worker| out[*worker].is_some()).collect();
            assert!(!busy.is_empty(), "somebody is at work");
            let worker = busy[rng.below(busy.len())];
            let request = out[worker].take().unwrap();
            if losses && rng.below(4) == 0 {
                allotment.withdraw(worker);
            } else {
                allotment
                    .take(&mut annotated, worker, "Engine", answer(&request, seed))
                    .unwrap();
            }
        }
        annotated
    }

    fn assert_same(one: &AnnotatedGame, other: &AnnotatedGame) {
        assert_eq!(one.looked(), other.looked());
        let judged = |game: &AnnotatedGame| -> Vec<_> {
            game.moves()
                .iter()
                .map(|mv| (mv.evaluation.clone(), mv.verdict, mv.offer))
                .collect()
        };
        assert_eq!(judged(one), judged(other));
        assert_eq!(
            (one.engine(), one.turning_points()),
            (other.engine(), other.turning_points())
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(7), cases: 16, ..ProptestConfig::default() })]

        #[test]
        fn any_order_of_results_gives_the_game_that_one_engine_gives(
            seed: u64, order: u64, workers in 1_usize..7, losses: bool,
        ) {
            let long = format!("{} *", "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(6).replace("1. ", "").replace("2. ", ""));
            for pgn in [PGN, &long, "1. e4 *"] {
                let game = game(pgn);
                assert_same(&by_one(&game, seed), &by_several(&game, seed, workers, order, losses));
            }
        }
    }

    #[test]
    fn neighbours_go_to_one_worker() {
        let game = game(&format!("{} *", "Nf3 Nf6 Ng1 Ng8 ".repeat(6)));
        let mut annotated = AnnotatedGame::new(&game, LIMIT, 2);
        let mut allotment = Allotment::default();
        assert_eq!(Allotment::most_workers(25), 25_usize.div_ceil(RUN));
        let mut ask = |allotment: &mut Allotment, worker: usize| {
            let request = allotment.asked_for(&annotated, worker, 0)?;
            let position = allotment.workers[worker].task.as_ref()?.position;
            assert_eq!(
                request.is_afresh(),
                position % RUN == 0,
                "what it remembers of the neighbour is kept"
            );
            allotment
                .take(&mut annotated, worker, "Engine", answer(&request, 1))
                .unwrap();
            Some(position)
        };
        let first: Vec<_> = (0..RUN - 1).map(|_| ask(&mut allotment, 0).unwrap()).collect();
        assert_eq!(first, (0..RUN - 1).collect::<Vec<_>>());
        assert_eq!(ask(&mut allotment, 1), Some(RUN), "the first run is another's");
        assert_eq!(ask(&mut allotment, 0), Some(RUN - 1));
        assert_eq!(ask(&mut allotment, 0), Some(2 * RUN));
        allotment.withdraw(1);
        assert_eq!(
            ask(&mut allotment, 2),
            Some(RUN + 1),
            "what is taken away goes to another"
        );
    }

    #[test]
    fn an_answer_on_another_game_is_not_taken() {
        let mut annotated = AnnotatedGame::new(&game("1. e4 e5 2. Nf3 *"), LIMIT, 2);
        let mut allotment = Allotment::default();
        for _ in 0..3 {
            let request = allotment.next(&annotated, 0, 0).unwrap();
            allotment
                .take(&mut annotated, 0, "Engine", answer(&request, 1))
                .unwrap();
        }
        let request = allotment.next(&annotated, 0, 0).unwrap();
        annotated = annotated.continued(&game("1. e4 e5 2. Nc3 *"));
        allotment
            .take(&mut annotated, 0, "Engine", answer(&request, 1))
            .unwrap();
        assert_eq!(annotated.progress(), (3, 4));
    }
}

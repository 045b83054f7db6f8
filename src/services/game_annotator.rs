//! Several engines annotate a game. One of them is the page's own, which does what is asked about the move under discussion
//! first; while it does, the others have its positions. They end with the annotation, in the middle of a search too.
//!
//! Who searches what is the [`Allotment`]'s business; with one engine all is as if it were not there.

use std::{mem, time::Duration};

use futures_util::{FutureExt, StreamExt, select_biased, stream::FuturesUnordered};
use thiserror::Error;

use super::engine::{Engine, SearchError};
use crate::{
    annotation::{Allotment, AnnotatedGame},
    browser::clock,
    commentary::AssembleError,
};

/// How often it is asked whether the page's engine is free again, or has other things to do, while another has nothing to do.
const LOOK: Duration = Duration::from_millis(100);

/// The annotation ended before the game was done; what was found is kept.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GameAnnotatorError {
    /// The game is not there any more, or the page's engine was stopped.
    #[error("the annotation was stopped")]
    Stopped,
    /// No engine is left.
    #[error(transparent)]
    Engine(#[from] SearchError),
    /// An answer does not fit the game.
    #[error("The engine’s answer cannot be used: {0}.")]
    Answer(#[from] AssembleError),
}

/// A game that others look at, and may change, while it is annotated.
pub trait UnderAnnotation {
    /// Reads it; `None` where it is not there any more.
    fn read<T>(&self, read: impl FnOnce(&AnnotatedGame) -> T) -> Option<T>;
    /// Changes it; `None` where it is not there any more.
    fn change<T>(&self, change: impl FnOnce(&mut AnnotatedGame) -> T) -> Option<T>;
    /// Something new is known of it.
    fn has_changed(&self) {}
    /// How many engines are at work.
    fn at_work(&self, engines: usize) {
        let _ = engines;
    }
}

/// The page's own engine among them.
const OWN: usize = 0;

/// The page's own engine, and those beside it.
struct Team {
    /// `None` for one that is lost.
    engines: Vec<Option<Engine>>,
    /// Whether the page's own has a search of ours.
    own_is_asked: bool,
}

impl Team {
    fn new(own: &Engine, engines: usize) -> Self {
        let beside = std::iter::repeat_with(|| Some(own.beside()));
        let all = std::iter::once(Some(own.clone())).chain(beside);
        Self {
            engines: all.take(engines.max(1)).collect(),
            own_is_asked: false,
        }
    }

    fn engine(&self, worker: usize) -> Option<&Engine> {
        self.engines.get(worker)?.as_ref()
    }

    fn len(&self) -> usize {
        self.engines.iter().flatten().count()
    }

    /// Whether the page's own has other things to do, and others need not wait for it.
    fn own_is_elsewhere(&self) -> bool {
        self.len() > 1 && self.engine(OWN).is_some_and(Engine::is_held)
    }

    fn lose(&mut self, worker: usize) {
        if let Some(lost) = self.engines.get_mut(worker) {
            *lost = None;
        }
    }

    /// Takes the search of ours away from the page's own.
    fn stop_own(&self) {
        if let Some(own) = self.engine(OWN).filter(|_| self.own_is_asked) {
            own.stop_background();
        }
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        // The others end with their last handle.
        self.stop_own();
    }
}

/// Searches what the game still lacks, with at most so many engines at the same time. Dropping the future ends it at once.
///
/// An engine that is lost is started again, and its search repeated, once; is it lost again the others have what it had.
///
/// # Errors
/// When the game is gone, no engine is left, or an answer does not fit.
pub async fn annotate_game(
    own: &Engine,
    engines: usize,
    game: &impl UnderAnnotation,
) -> Result<(), GameAnnotatorError> {
    let positions = game.read(|annotated| annotated.looked().len());
    let most = Allotment::most_workers(positions.ok_or(GameAnnotatorError::Stopped)?);
    let mut team = Team::new(own, engines.min(most));
    // What it still searches ahead of being asked, another might be asked at the same time.
    own.stop_background();
    let mut allotment = Allotment::default();
    let mut searches = FuturesUnordered::new();
    // Those without a search.
    let mut idle: Vec<usize> = (0..team.len()).collect();
    // Nothing is searched ahead while answers come at once: they are known, and more would be searched than before.
    let mut has_waited = false;
    game.at_work(team.len());
    loop {
        let own_is_elsewhere = team.own_is_elsewhere();
        if own_is_elsewhere {
            team.stop_own();
            allotment.withdraw(OWN);
        }
        for worker in mem::take(&mut idle) {
            let Some(engine) = team.engine(worker).cloned() else {
                continue;
            };
            if worker == OWN && own_is_elsewhere {
                idle.push(worker);
                continue;
            }
            let next = |annotated: &AnnotatedGame| match has_waited {
                true => allotment.next(annotated, worker, engine.id()),
                false => allotment.asked_for(annotated, worker, engine.id()),
            };
            let request = game.read(next).ok_or(GameAnnotatorError::Stopped)?;
            let Some(request) = request else {
                idle.push(worker);
                continue;
            };
            team.own_is_asked |= worker == OWN;
            searches.push(async move { (worker, engine.search_in_background(request).await) });
        }
        if game.read(AnnotatedGame::is_done).ok_or(GameAnnotatorError::Stopped)? {
            return Ok(());
        }
        let somebody_waits = !idle.is_empty();
        let look = async {
            match somebody_waits {
                true => clock::sleep(LOOK).await,
                false => std::future::pending().await,
            }
        };
        let (worker, searched) = select_biased! {
            answer = searches.select_next_some() => answer,
            () = look.fuse() => {
                has_waited = true;
                continue;
            }
        };
        has_waited = false;
        team.own_is_asked &= worker != OWN;
        match searched {
            Ok(result) => {
                idle.push(worker);
                let name = team.engine(worker).map(Engine::name).unwrap_or_default();
                game.change(|annotated| allotment.take(annotated, worker, &name, result))
                    .ok_or(GameAnnotatorError::Stopped)??;
                game.has_changed();
            }
            // It was taken away, to be searched by another.
            Err(SearchError::Stopped) if !allotment.is_busy(worker) => idle.push(worker),
            Err(SearchError::Stopped) if worker == OWN => return Err(GameAnnotatorError::Stopped),
            Err(error) => {
                allotment.withdraw(worker);
                team.lose(worker);
                if team.len() == 0 {
                    return Err(error.into());
                }
                game.at_work(team.len());
            }
        }
    }
}

//! Everything that is computed about one move: engine, Stockfish 8's terms, network, facts, prose. Page and benchmark
//! run this same function; the command line runs the same stages natively.

use futures_util::join;
use shakmaty::{Chess, Position};
use thiserror::Error;

use super::{
    engine::{Engine, SearchError},
    labels::{Labels, LabelsError},
    network::{Network, NetworkError, NetworkView},
};
use crate::{
    browser::clock,
    chess::Played,
    commentary::{Evaluation, FactSheet, Sentence, assemble::AssembleError, narrate},
    concepts::{ConceptChange, ConceptScores, Source, priorities, sf8::Eval},
    uci::{Limit, SearchRequest, SearchResult},
};

/// The services that look at a move. Clones share them.
#[derive(Debug, Clone)]
pub struct Services {
    /// Stockfish 19.
    pub engine: Engine,
    /// Stockfish 8.
    pub labels: Labels,
    /// The user's Lc0 network, if there is one.
    pub network: Network,
}

/// How far the engine looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Of each of the two searches.
    pub limit: Limit,
    /// Lines of the search before the move.
    pub multipv: u32,
}

/// There is no evaluation.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EvaluationError {
    /// A search failed.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The searches don't fit the move.
    #[error("The engine's answer cannot be used: {0}.")]
    Assemble(#[from] AssembleError),
}

/// There are no concept scores.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ConceptsError {
    /// Stockfish 8 failed.
    #[error(transparent)]
    Labels(#[from] LabelsError),
    /// Its table says nothing here.
    #[error("Stockfish 8 has no terms for this position: it has a rule of its own for this ending.")]
    NoTable,
}

/// What the concepts did.
#[derive(Debug, Clone, PartialEq)]
pub struct Concepts {
    /// Who gave the scores.
    pub source: Source,
    /// All 21, by priority, the mover's view.
    pub changes: Vec<ConceptChange>,
}

/// Milliseconds spent in each stage; stages that overlap are timed on their own.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Timing {
    /// The search before the move.
    pub engine_before: f64,
    /// The search after it.
    pub engine_after: f64,
    /// Stockfish 8 on three positions.
    pub labels: f64,
    /// The network on two positions.
    pub network: f64,
    /// The fact sheet.
    pub facts: f64,
    /// The narrator.
    pub narration: f64,
    /// From asking to prose.
    pub total: f64,
}

/// All of it.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// The engine's view.
    pub evaluation: Result<Evaluation, EvaluationError>,
    /// The concepts.
    pub concepts: Result<Concepts, ConceptsError>,
    /// The network's view; `None` without a network.
    pub network: Option<Result<NetworkView, NetworkError>>,
    /// The facts.
    pub sheet: FactSheet,
    /// The narrator's prose.
    pub prose: Vec<Sentence>,
    /// Where the time went.
    pub timing: Timing,
}

/// What has come in while the rest is under way.
#[derive(Debug, Clone)]
pub enum Update {
    /// The running search has a new set of lines; `after` says which of the two searches.
    Searching {
        /// True in the second search.
        after: bool,
        /// What it has.
        result: SearchResult,
    },
    /// The network is done.
    Network(Result<NetworkView, NetworkError>),
}

/// Looks at a move. What fails is reported in its place, and the prose rests on what did not.
pub async fn analyse(
    services: &Services,
    played: &Played,
    effort: Effort,
    on_update: impl Fn(Update) + Clone + 'static,
) -> Analysis {
    let start = clock::now();
    let mut timing = Timing::default();
    let around = [played.before.clone(), played.after.clone()];
    let ((evaluation, searches), (early, labels_ms), (network, network_ms)) = join!(
        evaluate(&services.engine, played, effort, on_update.clone()),
        timed(services.labels.evaluate(&around)),
        timed(consult(&services.network, played, on_update.clone())),
    );
    (timing.engine_before, timing.engine_after) = searches;
    timing.network = network_ms;
    let reply = evaluation.as_ref().ok().and_then(|e| after_reply(played, e));
    let (concepts, late_ms) = timed(concepts(&services.labels, played, early, reply)).await;
    timing.labels = labels_ms + late_ms;
    let (sheet, facts_ms) = measured(|| {
        let changes = concepts.as_ref().ok().map(|c| c.changes.as_slice());
        FactSheet::new(played, evaluation.as_ref().ok(), changes)
    });
    let (prose, narration_ms) = measured(|| narrate(&sheet));
    timing.facts = facts_ms;
    timing.narration = narration_ms;
    timing.total = clock::now() - start;
    Analysis {
        evaluation,
        concepts,
        network,
        sheet,
        prose,
        timing,
    }
}

async fn evaluate(
    engine: &Engine,
    played: &Played,
    effort: Effort,
    on_update: impl Fn(Update) + Clone + 'static,
) -> (Result<Evaluation, EvaluationError>, (f64, f64)) {
    let report = move |after: bool| {
        let on_update = on_update.clone();
        move |result: &SearchResult| {
            on_update(Update::Searching {
                after,
                result: result.clone(),
            })
        }
    };
    let request = SearchRequest::before(engine.id(), played, effort.limit)
        .multipv(effort.multipv)
        .afresh();
    let (before, before_ms) = timed(engine.search(request, report(false))).await;
    let before = match before {
        Ok(result) => result,
        Err(error) => return (Err(error.into()), (before_ms, 0.0)),
    };
    let (after, after_ms) = match SearchRequest::after(engine.id(), played, effort.limit) {
        Some(request) => {
            let (after, ms) = timed(engine.search(request.afresh(), report(true))).await;
            match after {
                Ok(result) => (Some(result), ms),
                Err(error) => return (Err(error.into()), (before_ms, ms)),
            }
        }
        None => (None, 0.0),
    };
    let evaluation = Evaluation::assemble(played, engine.name(), effort.limit, &before, after.as_ref());
    (evaluation.map_err(Into::into), (before_ms, after_ms))
}

/// The position after the expected reply, where there is one.
fn after_reply(played: &Played, evaluation: &Evaluation) -> Option<Chess> {
    let reply = evaluation.after.first()?.moves.first()?;
    let reply = reply.to_move(&played.after).ok()?;
    played.after.clone().play(reply).ok()
}

async fn concepts(
    labels: &Labels,
    played: &Played,
    early: Result<Vec<Eval>, LabelsError>,
    reply: Option<Chess>,
) -> Result<Concepts, ConceptsError> {
    let mut scores = early?.into_iter().map(scores_of);
    let (before, after) = (scores.next().flatten(), scores.next().flatten());
    let reply = match reply {
        // Without the reply's scores the changes are still good: the paper's text does not use it.
        Some(position) => labels
            .evaluate(&[position])
            .await
            .ok()
            .and_then(|evals| evals.into_iter().next())
            .and_then(scores_of),
        None => None,
    };
    let (Some(before), Some(after)) = (before, after) else {
        return Err(ConceptsError::NoTable);
    };
    let changes = priorities(&before, &after, reply.as_ref(), played.mover());
    Ok(Concepts {
        source: Source::Stockfish8,
        changes,
    })
}

fn scores_of(eval: Eval) -> Option<ConceptScores> {
    match eval {
        Eval::Terms(terms) => Some(terms.scores()),
        Eval::NoTable(_) => None,
    }
}

async fn consult(
    network: &Network,
    played: &Played,
    on_update: impl Fn(Update),
) -> Option<Result<NetworkView, NetworkError>> {
    if !network.is_loaded() {
        return None;
    }
    let result = network.around(played).await;
    on_update(Update::Network(result.clone()));
    Some(result)
}

async fn timed<T>(work: impl Future<Output = T>) -> (T, f64) {
    let start = clock::now();
    let result = work.await;
    (result, clock::now() - start)
}

fn measured<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = clock::now();
    let result = work();
    (result, clock::now() - start)
}

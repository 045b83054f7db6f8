//! Everything that is computed about one move: engine, Stockfish 8's terms, network, facts, prose. Page and benchmark
//! run this same function; the command line runs the same stages natively.

use std::sync::Arc;

use futures_util::join;
use shakmaty::{Chess, Position};
use thiserror::Error;

use super::{
    engine::{Engine, SearchError},
    labels::{Labels, LabelsError},
    network::{Network, NetworkError, NetworkView},
};
use crate::{
    browser::{clock, turns},
    chess::Played,
    commentary::{Appraisal, AssembleError, Evaluation, FactSheet, Sentence, narrate, narrate_board},
    concepts::{
        Around, Choice, ConceptScores, Concepts, Decisions, MotifReading, Rule, Wanted, difference::SeenMove, sf8::Eval,
    },
    uci::{Limit, SearchResult},
};

/// The services that look at a move. Clones share them.
#[derive(Debug, Clone)]
pub struct Services {
    /// Stockfish 19.
    pub engine: Engine,
    /// Stockfish 8.
    pub labels: Labels,
    /// The Lc0 network, if there is one.
    pub network: Network,
}

/// How far the engine looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Of each of the first two searches; see [`Appraisal`].
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

/// Why Stockfish 8 speaks where the probes were asked.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NoProbes {
    /// There is no network.
    #[error("No network is in use: Stockfish 8 speaks in its place.")]
    NoNetwork,
    /// There are no probes for the network.
    #[error("The network in use has no concept probes yet: Stockfish 8 speaks in their place.")]
    NoSet,
    /// The network failed.
    #[error("{0} Stockfish 8 speaks in its place.")]
    Failed(#[from] NetworkError),
}

/// What was found out about the concepts.
#[derive(Debug, Clone, PartialEq)]
pub struct Heard {
    /// What facts and prose rest on.
    pub used: Result<Concepts, ConceptsError>,
    /// The second source, where both were asked for and both can speak.
    pub beside: Option<Result<Concepts, ConceptsError>>,
    /// Why the probes say nothing, where they were asked.
    pub instead: Option<NoProbes>,
    /// What the probes of motifs read, where they were asked; empty where the file has none.
    pub motifs: Vec<MotifReading>,
    /// The move as the probes of changes read it, where they were asked and the file has some.
    pub seen: Option<Arc<SeenMove>>,
}

/// Milliseconds spent in each stage; stages that overlap are timed on their own.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Timing {
    /// The first two searches: before the move and after it.
    pub first_look: f64,
    /// The searches that settle the judgement.
    pub settling: f64,
    /// Stockfish 8 on three positions; 0 where it was not asked.
    pub labels: f64,
    /// The network on two positions, or three where its probes are asked.
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
    /// The searches, which can go on.
    pub appraisal: Appraisal,
    /// The engine's view.
    pub evaluation: Result<Evaluation, EvaluationError>,
    /// The concepts.
    pub concepts: Heard,
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
    /// The running search has a new set of lines.
    Searching {
        /// How many searches of the round are done, and the round from 0.
        progress: (u32, u32),
        /// What it has.
        result: SearchResult,
    },
    /// What the board alone says, before anything was searched that was not known: nothing of it is taken back.
    FromBoard(Vec<Sentence>),
    /// The engine's view so far, and what can be said from it: more searches may change it. Concepts come when they are all
    /// there: a sentence is added then, and none is taken back for it.
    Looked {
        /// The engine's view.
        evaluation: Evaluation,
        /// The facts.
        sheet: Box<FactSheet>,
        /// The narrator's prose.
        prose: Vec<Sentence>,
    },
    /// The network is done.
    Network(Result<NetworkView, NetworkError>),
}

/// Looks at a move. What fails is reported in its place, and the prose rests on what did not. The browser has its turn
/// between the stages.
///
/// `known` are the searches, where the same move was looked at before with the same effort: what only concerns the network or
/// the concepts then needs no new search, and searches that were deepened go on. `stopped` is asked after each search: what
/// has been found by then is used.
pub async fn analyse(
    services: &Services,
    played: &Played,
    effort: Effort,
    wanted: Wanted,
    known: Option<Appraisal>,
    stopped: impl Fn() -> bool,
    on_update: impl Fn(Update) + Clone + 'static,
) -> Analysis {
    let start = clock::now();
    let mut timing = Timing::default();
    let around = [played.before.clone(), played.after.clone()];
    let fresh = || Appraisal::new(played.clone(), effort.limit, effort.multipv);
    let mut appraisal = known.unwrap_or_else(fresh);
    turns::settled().await;
    let is_new = appraisal.evaluation().is_none();
    // Stockfish 8 takes a second to start, and a processor from the engine: where probes speak alone it is not asked.
    let asks_labels = wanted.choice != Choice::Probes || services.network.probes().is_none();
    let ((searched, searches), (), (early, labels_ms), (network, network_ms)) = join!(
        search(&services.engine, played, &mut appraisal, stopped, on_update.clone()),
        from_board(played, is_new, on_update.clone()),
        timed(async {
            match asks_labels {
                true => Some(labels(&services.labels, &around).await),
                false => None,
            }
        }),
        timed(consult(&services.network, played, on_update.clone())),
    );
    turns::settled().await;
    (timing.first_look, timing.settling) = searches;
    let evaluation = match (appraisal.evaluation(), searched) {
        // A search that failed later on takes nothing away.
        (Some(evaluation), _) => Ok(evaluation.clone()),
        (None, Err(error)) => Err(error),
        (None, Ok(())) => Err(AssembleError::NothingBefore.into()),
    };
    let reply = evaluation.as_ref().ok().and_then(|e| after_reply(played, e));
    let (probed, probed_ms) = timed(probed(
        &services.network,
        played,
        wanted,
        network.as_ref(),
        reply.as_ref(),
    ))
    .await;
    timing.network = network_ms + probed_ms;
    let (terms, late_ms) = timed(async {
        // Where the probes speak alone, Stockfish 8 need not look at the reply.
        if wanted.choice == Choice::Probes && probed.is_ok() {
            return None;
        }
        Some(terms(&services.labels, played, wanted.rule, early, reply).await)
    })
    .await;
    timing.labels = if terms.is_some() { labels_ms + late_ms } else { 0.0 };
    let concepts = heard(wanted.choice, probed, terms);
    // While the network that was asked for is on its way nobody speaks in its place: what is read is not taken back.
    let waits = wanted.choice.wants_probes() && services.network.is_awaited();
    let used = concepts.used.as_ref().ok().filter(|_| !waits);
    turns::settled().await;
    let (sheet, facts_ms) = measured(|| FactSheet::new(played, evaluation.as_ref().ok(), used));
    turns::settled().await;
    let (prose, narration_ms) = measured(|| narrate(&sheet));
    // To show it takes a turn of its own.
    turns::settled().await;
    timing.facts = facts_ms;
    timing.narration = narration_ms;
    timing.total = clock::now() - start;
    Analysis {
        appraisal,
        evaluation,
        concepts,
        network,
        sheet,
        prose,
        timing,
    }
}

/// Who speaks, of those who can.
fn heard(choice: Choice, probed: Result<Probed, NoProbes>, terms: Option<Result<Concepts, ConceptsError>>) -> Heard {
    // Stockfish 8 was asked wherever the probes don't speak alone.
    let terms = || terms.unwrap_or(Err(ConceptsError::NoTable));
    match (choice, probed) {
        (Choice::Probes | Choice::Both, Ok(probed)) => Heard {
            used: Ok(probed.concepts),
            beside: (choice == Choice::Both).then(terms),
            instead: None,
            motifs: probed.motifs,
            seen: probed.seen,
        },
        (Choice::Stockfish8, _) => Heard {
            used: terms(),
            beside: None,
            instead: None,
            motifs: Vec::new(),
            seen: None,
        },
        (Choice::Probes | Choice::Both, Err(reason)) => Heard {
            used: terms(),
            beside: None,
            instead: Some(reason),
            motifs: Vec::new(),
            seen: None,
        },
    }
}

/// Makes the searches that the judgement still asks for, and says how long the first two took, and the others.
async fn search(
    engine: &Engine,
    played: &Played,
    appraisal: &mut Appraisal,
    stopped: impl Fn() -> bool,
    on_update: impl Fn(Update) + Clone + 'static,
) -> (Result<(), EvaluationError>, (f64, f64)) {
    let (mut first_look, mut settling) = (0.0, 0.0);
    // The annotation of the game waits until the judgement is made.
    let _ahead = engine.ahead();
    // Stopped once, what is known is not searched further when the network comes.
    while !(appraisal.evaluation().is_some() && stopped()) {
        let Some(request) = appraisal.next(engine.id()) else {
            break;
        };
        let progress = appraisal.progress();
        let hear = on_update.clone();
        let report = move |result: &SearchResult| {
            hear(Update::Searching {
                progress,
                result: result.clone(),
            });
        };
        let known = appraisal.evaluation().is_some();
        let (result, ms) = timed(engine.search(request, report)).await;
        *(if known { &mut settling } else { &mut first_look }) += ms;
        // What a search that was cut off has found is less than what is known, unless nothing is.
        if known && stopped() {
            break;
        }
        let taken = match result {
            Ok(result) => appraisal.take(&engine.name(), result).map_err(EvaluationError::from),
            Err(error) => Err(error.into()),
        };
        if let Err(error) = taken {
            return (Err(error), (first_look, settling));
        }
        if stopped() && appraisal.evaluation().is_some() {
            break;
        }
        if !appraisal.is_done()
            && let Some(evaluation) = appraisal.evaluation()
        {
            turns::settled().await;
            let sheet = Box::new(FactSheet::new(played, Some(evaluation), None));
            turns::settled().await;
            let prose = narrate(&sheet);
            turns::settled().await;
            on_update(Update::Looked {
                evaluation: evaluation.clone(),
                sheet,
                prose,
            });
            turns::settled().await;
        }
    }
    (Ok(()), (first_look, settling))
}

/// The position after the expected reply, where there is one.
fn after_reply(played: &Played, evaluation: &Evaluation) -> Option<Chess> {
    let reply = evaluation.after.first()?.moves.first()?;
    let reply = reply.to_move(&played.after).ok()?;
    played.after.clone().play(reply).ok()
}

/// What the probes say of a move.
struct Probed {
    concepts: Concepts,
    motifs: Vec<MotifReading>,
    /// The move as those of changes read it.
    seen: Option<Arc<SeenMove>>,
}

/// What the probes say, from the network's view of the positions around the move.
async fn probed(
    network: &Network,
    played: &Played,
    wanted: Wanted,
    view: Option<&Result<NetworkView, NetworkError>>,
    reply: Option<&Chess>,
) -> Result<Probed, NoProbes> {
    let (Some(view), true) = (view, wanted.choice.wants_probes()) else {
        return Err(NoProbes::NoNetwork);
    };
    let view = view.as_ref().map_err(|e| NoProbes::Failed(e.clone()))?;
    let (Some([before, after]), Some(probes)) = (view.decisions.as_deref(), network.probes()) else {
        return Err(NoProbes::NoSet);
    };
    let after_reply = match reply {
        // Without the reply's scores the changes are still good: the paper's text does not use it.
        Some(position) => network.after_reply(played, position).await.ok().flatten(),
        None => None,
    };
    // Without the probes of changes the scores still order the concepts.
    let seen = network.seen_move(played, reply).await.ok().flatten();
    // To read the move was work enough for one turn.
    turns::settled().await;
    let around = Decisions {
        before,
        after,
        after_reply: after_reply.as_deref(),
    };
    let predicted = seen.as_ref().map(|seen| &seen.predicted);
    Ok(Probed {
        concepts: probes.concepts(wanted.rule, around, predicted, played.mover()),
        motifs: probes.motifs(around, played.mover()),
        seen: seen.map(Arc::new),
    })
}

/// What Stockfish 8 says.
async fn terms(
    labels: &Labels,
    played: &Played,
    rule: Rule,
    early: Option<Result<Vec<Eval>, LabelsError>>,
    reply: Option<Chess>,
) -> Result<Concepts, ConceptsError> {
    let mut positions = Vec::new();
    let mut evals = match early {
        Some(early) => early?,
        None => {
            positions.extend([played.before.clone(), played.after.clone()]);
            Vec::new()
        }
    };
    positions.extend(reply);
    if !positions.is_empty() {
        match labels.evaluate(&positions).await {
            Ok(more) => evals.extend(more),
            // Without the reply's scores the changes are still good: the paper's text does not use it.
            Err(_) if !evals.is_empty() => (),
            Err(error) => return Err(error.into()),
        }
    }
    let mut scores = evals.into_iter().map(scores_of);
    let (before, after, reply) = (
        scores.next().flatten(),
        scores.next().flatten(),
        scores.next().flatten(),
    );
    let (Some(before), Some(after)) = (before, after) else {
        return Err(ConceptsError::NoTable);
    };
    let around = Around {
        before: &before,
        after: &after,
        after_reply: reply.as_ref(),
        predicted: None,
    };
    Ok(Concepts::of_terms(rule, &around, played.mover()))
}

fn scores_of(eval: Eval) -> Option<ConceptScores> {
    match eval {
        Eval::Terms(terms) => Some(terms.scores()),
        Eval::NoTable(_) => None,
    }
}

/// Says what the board alone tells of a move that nothing is known of.
async fn from_board(played: &Played, is_new: bool, on_update: impl Fn(Update)) {
    if !is_new {
        return;
    }
    // The engine is at work by then.
    turns::settled().await;
    let sheet = FactSheet::new(played, None, None);
    on_update(Update::FromBoard(narrate_board(&sheet)));
}

async fn labels(labels: &Labels, positions: &[Chess]) -> Result<Vec<Eval>, LabelsError> {
    // The engine is at work by then.
    turns::settled().await;
    labels.evaluate(positions).await
}

async fn consult(
    network: &Network,
    played: &Played,
    on_update: impl Fn(Update),
) -> Option<Result<NetworkView, NetworkError>> {
    if !network.is_loaded() {
        return None;
    }
    // The engine is at work by then.
    turns::settled().await;
    let result = network.around(played).await;
    turns::settled().await;
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

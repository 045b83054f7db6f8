//! The one pipeline: engine, labels or probes, network, facts, prose; each stage timed.

use std::time::{Duration, Instant};

use kibitz::chess::Played;
use kibitz::commentary::narrator::{Sentence, narrate};
use kibitz::commentary::{Appraisal, AssembleError, Evaluation, FactSheet, Verdict};
use kibitz::concepts::sf8::Eval;
use kibitz::concepts::{Around, Concepts, Decisions, ProbeSet, Rule, WrongActivations};
use kibitz::net::{NetworkOutput, RunError};
use kibitz::uci::{KnownSearches, Limit};
use shakmaty::{Chess, Position};

use super::engine::{Engine, EngineError};
use super::labels::{Labels, LabelsError};
use super::network::Runnable;
use super::setup::{Parts, SetupError};

/// Searches that are kept while a file is worked on: some kilobytes each.
const KNOWN: usize = 20_000;

/// The searches of a file of many lines, which may come back to a position.
pub fn known_searches() -> KnownSearches {
    KnownSearches::new(KNOWN)
}

/// What comments. A part that is absent is not spoken of.
#[derive(Debug)]
pub struct Pipeline {
    /// For the evaluation.
    pub engine: Option<Engine>,
    /// For the concepts.
    pub labels: Option<Labels>,
    /// For win, draw, loss and the policy.
    pub network: Option<Runnable>,
    /// Take the concepts from these, in place of the labels. Bound to the network.
    pub probes: Option<ProbeSet>,
    /// By which rule concepts are put in order.
    pub rule: Rule,
    /// Of each search.
    pub limit: Limit,
    /// Lines before the move.
    pub multipv: u32,
    /// Searches that were made, where many lines are worked on: none of them is made again.
    pub known: Option<KnownSearches>,
}

/// What the pipeline made of a move.
#[derive(Debug)]
pub struct Commented {
    /// The mover's view.
    pub evaluation: Option<Evaluation>,
    /// Where the engine spoke.
    pub verdict: Option<Verdict>,
    /// All 21 by priority, the mover's view; or why there are none.
    pub concepts: Result<Concepts, String>,
    /// Of the position before the move: the mover's view.
    pub network: Option<NetworkOutput>,
    /// The facts.
    pub sheet: FactSheet,
    /// The narrator's sentences, in their order.
    pub prose: Vec<Sentence>,
    /// How long each stage took.
    pub times: Times,
}

/// Time spent in each stage.
#[derive(Debug, Clone, Copy, Default)]
pub struct Times {
    /// The first two searches: before the move and after it.
    pub first_look: Duration,
    /// The searches that settle the judgement.
    pub settling: Duration,
    /// Two or three evaluations of Stockfish 8.
    pub labels: Duration,
    /// The network; three positions where there are probes, one otherwise.
    pub network: Duration,
    /// The fact sheet.
    pub facts: Duration,
    /// Time of the narrator.
    pub narration: Duration,
    /// From the first to the last.
    pub total: Duration,
}

/// Why there is no commentary.
#[derive(Debug, thiserror::Error)]
pub enum PipelineError {
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Its searches don't fit the move.
    #[error(transparent)]
    Assemble(#[from] AssembleError),
    /// Stockfish 8 failed.
    #[error(transparent)]
    Labels(#[from] LabelsError),
    /// The network failed.
    #[error(transparent)]
    Network(#[from] RunError),
    /// The probes don't fit the network.
    #[error(transparent)]
    Probes(#[from] WrongActivations),
}

impl Pipeline {
    /// The narrator's: engine and labels, as far as they were asked for, and no network.
    ///
    /// # Errors
    /// Where a part that was asked for can't be had.
    pub fn without_network(parts: &Parts, limit: Limit) -> Result<Self, SetupError> {
        Ok(Self {
            engine: parts.engine()?,
            labels: parts.labels()?,
            network: None,
            probes: None,
            rule: Rule::default(),
            limit,
            multipv: 2,
            known: None,
        })
    }

    /// Comments on a move.
    pub fn comment(&mut self, played: &Played) -> Result<Commented, PipelineError> {
        let begun = Instant::now();
        let mut times = Times::default();
        let evaluation = match self.evaluate_timed(played, &mut times) {
            Err(PipelineError::Assemble(error)) => {
                errln!("lab: {error}; the comment speaks from the board alone");
                None
            }
            evaluation => evaluation?,
        };
        let reply = evaluation
            .as_ref()
            .and_then(|evaluation| after_reply(played, evaluation));

        let clock = Instant::now();
        let (network, activations) = match &self.network {
            Some(network) => network
                .evaluate_tapped(&played.history, &played.before)
                .map(|(output, activations)| (Some(output), activations))?,
            None => (None, Vec::new()),
        };
        let probed = match (&self.network, &self.probes) {
            (Some(runner), Some(probes)) => {
                Some(probed(runner, probes, self.rule, &activations, played, reply.as_ref())?)
            }
            _ => None,
        };
        times.network = clock.elapsed();

        let clock = Instant::now();
        let concepts = match (probed, &mut self.labels) {
            (Some(probed), _) => Ok(probed),
            (None, Some(labels)) => labelled(labels, self.rule, played, reply.as_ref())?,
            (None, None) => Err("no source of concepts was given".to_owned()),
        };
        times.labels = clock.elapsed();

        let clock = Instant::now();
        let sheet = FactSheet::new(played, evaluation.as_ref(), concepts.as_ref().ok());
        times.facts = clock.elapsed();

        let clock = Instant::now();
        let prose = narrate(&sheet);
        times.narration = clock.elapsed();
        times.total = begun.elapsed();
        Ok(Commented {
            verdict: evaluation
                .as_ref()
                .and_then(|evaluation| Verdict::of(played, evaluation)),
            evaluation,
            concepts,
            network,
            sheet,
            prose,
            times,
        })
    }

    /// The engine's part alone; `None` without an engine.
    pub fn evaluate(&mut self, played: &Played) -> Result<Option<Evaluation>, PipelineError> {
        self.evaluate_timed(played, &mut Times::default())
    }

    fn evaluate_timed(&mut self, played: &Played, times: &mut Times) -> Result<Option<Evaluation>, PipelineError> {
        let Some(engine) = &mut self.engine else {
            return Ok(None);
        };
        let mut appraisal = Appraisal::new(played.clone(), self.limit, self.multipv);
        while let Some(request) = appraisal.next(1) {
            let first = appraisal.evaluation().is_none();
            let clock = Instant::now();
            let result = match self.known.as_mut().and_then(|known| known.get(&request)) {
                Some(result) => result.clone(),
                None => {
                    let result = engine.search(request.clone())?;
                    if let Some(known) = &mut self.known {
                        known.keep(&request, result.clone());
                    }
                    result
                }
            };
            *(if first {
                &mut times.first_look
            } else {
                &mut times.settling
            }) += clock.elapsed();
            if let Err(error) = appraisal.take(engine.name(), result) {
                // What an earlier look has found stands.
                return appraisal.evaluation().cloned().map(Some).ok_or_else(|| error.into());
            }
        }
        Ok(appraisal.evaluation().cloned())
    }
}

/// The position after the engine's expected reply.
fn after_reply(played: &Played, evaluation: &Evaluation) -> Option<Chess> {
    let reply = evaluation.after.first()?.moves.first()?.to_move(&played.after).ok()?;
    played.after.clone().play(reply).ok()
}

/// Concepts from Stockfish 8.
fn labelled(
    labels: &mut Labels,
    rule: Rule,
    played: &Played,
    reply: Option<&Chess>,
) -> Result<Result<Concepts, String>, LabelsError> {
    let mut positions = vec![played.before.clone(), played.after.clone()];
    positions.extend(reply.cloned());
    let evals = labels.evaluate(&positions)?;
    let scores = |i: usize| match evals.get(i) {
        Some(Eval::Terms(terms)) => Ok(terms.scores()),
        Some(Eval::NoTable(why)) => Err(why.to_string()),
        None => Err("the move ends the game, or no reply is known".to_owned()),
    };
    Ok(scores(0)
        .and_then(|before| Ok((before, scores(1)?)))
        .map(|(before, after)| {
            let after_reply = scores(2).ok();
            let around = Around {
                before: &before,
                after: &after,
                after_reply: after_reply.as_ref(),
                predicted: None,
            };
            Concepts::of_terms(rule, &around, played.mover())
        }))
}

/// Concepts from probes on the network's activations; `before`: those of the position before the move.
fn probed(
    network: &Runnable,
    probes: &ProbeSet,
    rule: Rule,
    before: &[Vec<f32>],
    played: &Played,
    reply: Option<&Chess>,
) -> Result<Concepts, PipelineError> {
    let decisions = |history: &[Chess], position: &Chess| -> Result<Vec<f32>, PipelineError> {
        let (_, activations) = network.evaluate_tapped(history, position)?;
        Ok(probes.decisions(&activations, &network.men(position))?)
    };
    let mut history = played.history.clone();
    history.push(played.before.clone());
    let after = decisions(&history, &played.after)?;
    history.push(played.after.clone());
    let after_reply = reply.map(|position| decisions(&history, position)).transpose()?;
    let mover = played.mover();
    let predicted = match probes.changes().filter(|_| rule == Rule::Ours) {
        Some(changes) => {
            let seats = |position: &Chess| network.seats(position, mover);
            let settled = reply.map(seats).transpose()?;
            Some(changes.predict(&seats(&played.before)?, &seats(&played.after)?, settled.as_ref())?)
        }
        None => None,
    };
    let around = Decisions {
        before: &probes.decisions(before, &network.men(&played.before))?,
        after: &after,
        after_reply: after_reply.as_deref(),
    };
    Ok(probes.concepts(rule, around, predicted.as_ref(), mover))
}

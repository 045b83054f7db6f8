//! Whom an answer is asked of: the connected model in words or by what it finds likely next, the others for the tokens that they
//! find likeliest.

use std::{collections::BTreeMap, time::Duration};

use super::{
    super::{endpoint::Failure, model_run::Going},
    Blindfold,
};
use crate::{
    blindfold::{
        perplexity::Logits,
        probe::{Probe, Question},
        ranked::answer,
        run_file::{BlindPlayer, BlindPlayerKind, BlindRow, BlindRun, BlindTask},
        scored::Scoring,
        token::Token,
    },
    browser::clock,
    grading::{fault::FaultKind, play::failure_kind},
    llm::CompletionRequest,
    services::{
        endpoint::{AskError, Endpoint, Stopped},
        language_model::LanguageModelError,
    },
};

/// What a run under way needs, looked up once. The form may name another server meanwhile: questions stay with the one that
/// the players' names stand for.
pub(super) struct Table {
    run: BlindRun,
    places: BTreeMap<String, usize>,
    endpoint: Endpoint,
    /// The longest silence.
    silence: Option<Duration>,
}

impl Table {
    pub(super) fn new(run: BlindRun, endpoint: Endpoint, silence: Option<Duration>) -> Self {
        let places = run.probes.iter().enumerate();
        Self {
            places: places.map(|(place, probe)| (probe.id().to_owned(), place)).collect(),
            run,
            endpoint,
            silence,
        }
    }

    fn at(&self, task: &BlindTask) -> Option<(&Probe, Question, &BlindPlayer)> {
        let probe = self.run.probes.get(*self.places.get(&task.probe)?)?;
        Some((probe, probe.question(task.task)?, self.run.player(&task.player)?))
    }
}

impl Blindfold {
    /// The rows of questions that go to the connected model, in this lane; `None` where it was stopped.
    pub(super) async fn reply(&self, table: &Table, tasks: &[BlindTask], lane: usize) -> Option<Vec<BlindRow>> {
        let mut rows = Vec::new();
        for task in tasks {
            let Some((probe, question, player)) = table.at(task) else {
                continue;
            };
            let mut stopped = self.lanes.begin(lane);
            let begun = clock::now();
            let millis = || (clock::now() - begun).max(0.0) as u64;
            let row = if let Some(request) = table.run.request(player, probe, &question) {
                let reply = table.endpoint.ask(request, stopped, table.silence, |_| ()).await;
                reply.map(|reply| BlindRow::of_reply(task, &question, reply, millis()))
            } else if let Some((model, mut scoring)) = table.run.scoring(player, probe, &question) {
                let heard = score(table, model, &mut scoring, &mut stopped).await;
                heard.map(|()| BlindRow::of_scored(task, scoring.scored(&question), millis()))
            } else {
                continue;
            };
            rows.push(match row {
                Ok(row) => row,
                Err(error) if error.is_stopped() => return None,
                Err(error) => {
                    let kind = failure_kind(error.kind());
                    let Failure { what, advice, .. } = Failure::from(error);
                    BlindRow::failed(task, kind, format!("{what} {advice}").trim())
                }
            });
        }
        Some(rows)
    }

    /// The rows of questions about one probe that players answer who rank the vocabulary; `None` where it was stopped. The model
    /// is asked all of them at once: it reads the moves once.
    ///
    /// # Errors
    /// When the model cannot be asked any more.
    pub(super) async fn rank(
        &self,
        table: &Table,
        tasks: &[BlindTask],
        going: Going,
    ) -> Result<Option<Vec<BlindRow>>, String> {
        let mut rows = Vec::new();
        let mut asked: Vec<(&BlindTask, Question, &str)> = Vec::new();
        let mut sequences: Vec<Vec<u8>> = Vec::new();
        for task in tasks {
            let Some((probe, question, player)) = table.at(task) else {
                continue;
            };
            match &player.kind {
                BlindPlayerKind::Scripted { script } => {
                    let seed = table.run.header.settings.seed;
                    let answer = script.answer(probe.id(), &question, seed.into());
                    rows.push(BlindRow::of_answer(task, &answer));
                }
                BlindPlayerKind::Model { notation, hash, .. } => {
                    let tokens = probe.tokens(*notation, &question);
                    sequences.push(tokens.into_iter().map(Token::number).collect());
                    asked.push((task, question, hash));
                }
                BlindPlayerKind::Asked { .. } | BlindPlayerKind::Scored { .. } => {}
            }
        }
        if !asked.is_empty() {
            let begun = clock::now();
            let Some(said) = going.unless_stopped(self.next(&asked, &sequences)).await else {
                return Ok(None);
            };
            let millis = ((clock::now() - begun).max(0.0) / asked.len() as f64) as u64;
            match said {
                Ok(all) => rows.extend(asked.iter().zip(&all).map(|((task, question, _), logits)| BlindRow {
                    millis,
                    ..BlindRow::of_answer(task, &answer(logits, question))
                })),
                // Of these alone, such as where the model reads fewer tokens.
                Err(LanguageModelError::Failed(reason)) => {
                    let failed = |(task, ..): &(&BlindTask, Question, &str)| {
                        BlindRow::failed(task, FaultKind::Transport, &reason)
                    };
                    rows.extend(asked.iter().map(failed));
                }
                Err(error) => return Err(error.to_string()),
            }
        }
        Ok(going.is_current().then_some(rows))
    }

    /// What the model says after each sequence.
    ///
    /// # Errors
    /// When it cannot be asked, or is another by now than the one that the answers are of.
    async fn next(
        &self,
        asked: &[(&BlindTask, Question, &str)],
        sequences: &[Vec<u8>],
    ) -> Result<Vec<Logits>, LanguageModelError> {
        let model = self.language_model();
        let now = model.description().map(|description| description.sha256);
        if asked.iter().any(|(_, _, hash)| now.as_deref() != Some(*hash)) {
            return Err(LanguageModelError::None);
        }
        model.next(sequences).await
    }
}

/// Hears all that a scoring wants to hear.
async fn score(table: &Table, model: &str, scoring: &mut Scoring, stopped: &mut Stopped) -> Result<(), AskError> {
    let mut request = CompletionRequest::new(model, "");
    while let Some(text) = scoring.wanted() {
        request.prompt = text;
        scoring.hear(table.endpoint.complete(&mut request, stopped, table.silence).await?);
    }
    Ok(())
}

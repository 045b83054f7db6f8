//! Players with their answers, graded.

use std::collections::BTreeMap;

use thiserror::Error;

use super::super::{
    grade::{Answer, Grade, grade},
    probe::{Probe, ProbeTask, Question},
    run_file::{BlindPlayer, BlindRun},
    scores::Scores,
};
use crate::pace::Pace;

/// An answer with its grade.
#[derive(Debug, Clone)]
pub struct Graded<'a> {
    /// What was asked about.
    pub probe: &'a Probe,
    /// What was asked.
    pub question: Question,
    /// What was said.
    pub answer: Answer,
    /// What it is worth.
    pub grade: Grade,
}

/// A player with all of its answers, probe by probe.
#[derive(Debug, Clone)]
pub struct Answers<'a> {
    /// Its name.
    pub player: &'a str,
    /// What it is.
    pub who: &'a BlindPlayer,
    /// Whether it ranks its vocabulary or is asked, and in which words.
    pub mode: String,
    /// Its answers.
    pub graded: Vec<Graded<'a>>,
    /// Its figures in each task, of nothing where it was not asked.
    pub scores: BTreeMap<ProbeTask, Scores>,
    /// Questions that it was asked and gave no answer to.
    pub failed: usize,
    /// How much of the probability lay on squares and types, in the mean of its answers; `None` where it is not scored.
    pub heard: Option<f64>,
}

impl Answers<'_> {
    /// The grades of a task.
    #[must_use]
    pub fn grades(&self, task: ProbeTask) -> Vec<Grade> {
        grades(&self.graded, task)
    }

    /// The answers of a task.
    pub fn of(&self, task: ProbeTask) -> impl Iterator<Item = &Graded<'_>> {
        self.graded.iter().filter(move |graded| graded.question.task == task)
    }
}

/// Runs that do not belong into one report.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReportError {
    /// There is none.
    #[error("there is no run")]
    NoRun,
    /// They are not about the same probes.
    #[error("the runs are about different probes; each set has a report of its own")]
    Probes,
    /// Two players have one name.
    #[error("two players are called {0}")]
    Twice(String),
}

/// The players of runs with their answers, graded.
///
/// # Errors
/// When the runs are about different probes, or two players have one name.
pub async fn answers<'a>(runs: &'a [BlindRun], pace: &impl Pace) -> Result<Vec<Answers<'a>>, ReportError> {
    let first = runs.first().ok_or(ReportError::NoRun)?;
    let probes = first.by_id();
    let mut all: Vec<Answers> = Vec::new();
    for run in runs {
        if run.probes != first.probes {
            return Err(ReportError::Probes);
        }
        for player in &run.header.players {
            if all.iter().any(|other| other.player == player.name) {
                return Err(ReportError::Twice(player.name.clone()));
            }
            let mut graded: Vec<Graded> = Vec::new();
            for row in run.answers().filter(|row| row.task.player == player.name) {
                pace.turn().await;
                let Some(probe) = probes.get(row.task.probe.as_str()).copied() else {
                    continue;
                };
                let Some(question) = probe.question(row.task.task) else {
                    continue;
                };
                let answer = row.answer();
                let grade = grade(probe, &question, &answer);
                graded.push(Graded {
                    probe,
                    question,
                    answer,
                    grade,
                });
            }
            // Workers and shards write as they come.
            graded.sort_by(|a, b| (a.probe.id(), a.question.task).cmp(&(b.probe.id(), b.question.task)));
            let failed = run.failed_of(&player.name);
            let heard = run.answers().filter(|row| row.task.player == player.name);
            let heard: Vec<f64> = heard.filter_map(|row| row.heard).collect();
            pace.turn().await;
            let mut scores = BTreeMap::new();
            for task in ProbeTask::ALL {
                scores.insert(task, Scores::of(&grades(&graded, task), pace).await);
            }
            all.push(Answers {
                player: &player.name,
                who: player,
                mode: player.kind.mode(),
                graded,
                scores,
                failed,
                heard: (!heard.is_empty()).then(|| heard.iter().sum::<f64>() / heard.len() as f64),
            });
        }
    }
    Ok(all)
}

fn grades(graded: &[Graded], task: ProbeTask) -> Vec<Grade> {
    let of = graded.iter().filter(|graded| graded.question.task == task);
    of.map(|graded| graded.grade).collect()
}

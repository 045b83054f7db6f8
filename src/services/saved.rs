//! What is kept in this browser under a network's hash: its probes, and how far a fit of them is.
//!
//! A fit is kept in pieces, each written once: the positions, the labels in chunks, the probes one by one. So a stop or
//! a reload costs no more than the piece under way. A store that can't be read holds nothing for us.

use serde::{Deserialize, Serialize};

use crate::{
    browser::database::{self, StorageError},
    concepts::{Control, fit::Fitted, fitting::Refused},
};

/// Keeps a probe file for the network with this hash.
///
/// # Errors
/// When the browser keeps nothing.
pub async fn keep_probes(hash: &str, file: &[u8]) -> Result<(), StorageError> {
    database::keep(&format!("probes-{hash}"), file).await
}

/// The probe file that is kept for the network with this hash.
pub async fn find_probes(hash: &str) -> Option<Vec<u8>> {
    find(&format!("probes-{hash}")).await
}

/// Removes the probes that are kept for the network with this hash.
pub async fn forget_probes(hash: &str) {
    forget(&format!("probes-{hash}")).await;
}

/// A fit that was begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Begun {
    /// What its positions are called: a file's name.
    pub source: String,
    /// How many there are.
    pub positions: usize,
    /// What is fitted besides.
    #[serde(default)]
    pub besides: Besides,
}

/// What is fitted besides the probes of positions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Besides {
    /// Controls.
    pub controls: Vec<Control>,
    /// Whether probes of changes are.
    pub changes: bool,
}

/// Under which name a control's outcomes are kept; without one the network's own.
#[must_use]
pub fn of_control(hash: &str, control: Option<Control>) -> String {
    control.map_or_else(|| hash.to_owned(), |control| format!("{hash}-{}", control.name()))
}

/// Under which name the labels of the positions after the moves are kept.
#[must_use]
pub fn of_moves(hash: &str) -> String {
    format!("{hash}-moves")
}

/// Keeps the network's first moves in the positions of a fit, in UCI.
///
/// # Errors
/// When the browser keeps nothing.
pub async fn keep_moves(hash: &str, moves: &[Option<String>]) -> Result<(), StorageError> {
    let text = serde_json::to_vec(moves).unwrap_or_default();
    database::keep(&fit(hash, "moves"), &text).await
}

/// The network's first moves.
pub async fn find_moves(hash: &str) -> Option<Vec<Option<String>>> {
    serde_json::from_slice(&find(&fit(hash, "moves")).await?).ok()
}

/// What became of a concept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// It has a probe.
    Fitted(Box<Fitted>),
    /// It has none.
    Refused(Refused),
}

fn fit(hash: &str, part: &str) -> String {
    format!("fit-{hash}-{part}")
}

/// Keeps that a fit was begun, with its positions as [`sampled::write`](crate::concepts::sampled::write) has them.
///
/// # Errors
/// When the browser keeps nothing.
pub async fn begin_fit(hash: &str, begun: &Begun, positions: &str) -> Result<(), StorageError> {
    forget_fit(hash).await;
    database::keep(&fit(hash, "positions"), positions.as_bytes()).await?;
    let text = serde_json::to_vec(begun).unwrap_or_default();
    database::keep(&fit(hash, "begun"), &text).await
}

/// The fit that was begun for the network with this hash, if it was not finished.
pub async fn find_fit(hash: &str) -> Option<Begun> {
    serde_json::from_slice(&find(&fit(hash, "begun")).await?).ok()
}

/// Its positions.
pub async fn fit_positions(hash: &str) -> Option<String> {
    String::from_utf8(find(&fit(hash, "positions")).await?).ok()
}

/// Keeps chunk number `chunk` of its labels.
///
/// # Errors
/// When the browser keeps nothing.
pub async fn keep_labels(hash: &str, chunk: usize, labels: &[Option<Vec<f32>>]) -> Result<(), StorageError> {
    let text = serde_json::to_vec(labels).unwrap_or_default();
    database::keep(&fit(hash, &format!("labels-{chunk}")), &text).await
}

/// Chunk number `chunk` of its labels.
pub async fn find_labels(hash: &str, chunk: usize) -> Option<Vec<Option<Vec<f32>>>> {
    serde_json::from_slice(&find(&fit(hash, &format!("labels-{chunk}"))).await?).ok()
}

/// Keeps what became of concept number `number`, in the order in which they were done.
///
/// # Errors
/// When the browser keeps nothing.
pub async fn keep_outcome(hash: &str, number: usize, outcome: &Outcome) -> Result<(), StorageError> {
    let text = serde_json::to_vec(outcome).unwrap_or_default();
    database::keep(&fit(hash, &format!("concept-{number}")), &text).await
}

/// What became of concept number `number`.
pub async fn find_outcome(hash: &str, number: usize) -> Option<Outcome> {
    serde_json::from_slice(&find(&fit(hash, &format!("concept-{number}"))).await?).ok()
}

/// Forgets a fit, finished or not.
pub async fn forget_fit(hash: &str) {
    for part in ["begun", "positions", "moves"] {
        forget(&fit(hash, part)).await;
    }
    let of_controls = Control::ALL.map(|control| of_control(hash, Some(control)));
    let names = [hash.to_owned(), of_moves(hash)].into_iter().chain(of_controls);
    for (name, kind) in names.flat_map(|name| [(name.clone(), "labels"), (name, "concept")]) {
        let mut number = 0;
        loop {
            let name = fit(&name, &format!("{kind}-{number}"));
            if find(&name).await.is_none() {
                break;
            }
            forget(&name).await;
            number += 1;
        }
    }
}

async fn find(name: &str) -> Option<Vec<u8>> {
    database::find(name).await.ok().flatten()
}

async fn forget(name: &str) {
    // What can't be removed could not be kept either.
    let _ = database::forget(name).await;
}

//! What is kept in this browser of a run of judges: its head once, every row as it comes. So a reload costs nothing that is
//! judged. A store that can't be read holds nothing for us.

use crate::{
    browser::database::{self, StorageError},
    judge::{
        exchange::Row,
        run_file::{Run, RunLine},
    },
};

const HEAD: &str = "judging-head";

fn row_name(number: usize) -> String {
    format!("judging-row-{number}")
}

/// Keeps header and items.
///
/// # Errors
/// When the browser keeps nothing.
pub async fn keep_head(run: &Run) -> Result<(), StorageError> {
    let head = Run::new(run.header.clone(), run.items.clone());
    database::keep(HEAD, head.text().as_bytes()).await
}

/// Keeps the row with this number.
///
/// # Errors
/// When the browser keeps nothing.
pub async fn keep_row(number: usize, row: &Row) -> Result<(), StorageError> {
    database::keep(&row_name(number), RunLine::Row(row.clone()).text().as_bytes()).await
}

/// The run that is kept.
pub async fn find() -> Option<Run> {
    let text = String::from_utf8(read(HEAD).await?).ok()?;
    let mut run = Run::read(&text).ok()?;
    while let Some(bytes) = read(&row_name(run.rows.len())).await {
        match serde_json::from_slice(&bytes) {
            Ok(RunLine::Row(row)) => run.rows.push(row),
            _ => break,
        }
    }
    Some(run)
}

/// Removes the run that is kept in this browser.
pub async fn forget() {
    // What can't be removed could not be kept either.
    let _ = database::forget(HEAD).await;
    let mut number = 0;
    while read(&row_name(number)).await.is_some() {
        let _ = database::forget(&row_name(number)).await;
        number += 1;
    }
}

async fn read(name: &str) -> Option<Vec<u8>> {
    database::find(name).await.ok().flatten()
}

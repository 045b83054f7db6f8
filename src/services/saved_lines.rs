//! What is kept in this browser of a long run: its head once, every row as it comes. So a reload costs nothing that is done.
//! A store that can't be read holds nothing for us.

use std::{cell::RefCell, collections::BTreeSet, rc::Rc};

use futures_util::lock::Mutex;

use crate::browser::database::{self, StorageError};

thread_local! {
    /// Whoever writes waits for whoever writes: to forget a long run takes seconds, and must not take rows of the next.
    static TURN: Rc<Mutex<()>> = Rc::default();
    /// What [`SavedLines::find_once`] has looked for.
    static LOOKED_FOR: RefCell<BTreeSet<&'static str>> = RefCell::default();
}

/// A place for a head and rows, each a line of JSON or several.
#[derive(Debug, Clone, Copy)]
pub struct SavedLines {
    prefix: &'static str,
}

impl SavedLines {
    /// The place with this name.
    #[must_use]
    pub const fn new(prefix: &'static str) -> Self {
        Self { prefix }
    }

    fn head(self) -> String {
        format!("{}-head", self.prefix)
    }

    fn row(self, number: usize) -> String {
        format!("{}-row-{number}", self.prefix)
    }

    /// Keeps the head.
    ///
    /// # Errors
    /// When the browser keeps nothing.
    pub async fn keep_head(self, text: &str) -> Result<(), StorageError> {
        let turn = TURN.with(Rc::clone);
        let _held = turn.lock().await;
        database::keep(&self.head(), text.as_bytes()).await
    }

    /// Keeps the row with this number.
    ///
    /// # Errors
    /// When the browser keeps nothing.
    pub async fn keep_row(self, number: usize, text: &str) -> Result<(), StorageError> {
        let turn = TURN.with(Rc::clone);
        let _held = turn.lock().await;
        database::keep(&self.row(number), text.as_bytes()).await
    }

    /// Keeps all of it, in place of what was there.
    ///
    /// # Errors
    /// When the browser keeps nothing.
    pub async fn keep_all(self, head: &str, rows: impl Iterator<Item = String>) -> Result<(), StorageError> {
        let turn = TURN.with(Rc::clone);
        let _held = turn.lock().await;
        self.drop_all().await;
        database::keep(&self.head(), head.as_bytes()).await?;
        for (number, row) in rows.enumerate() {
            database::keep(&self.row(number), row.as_bytes()).await?;
        }
        Ok(())
    }

    /// What is kept, as a file: the head, then the rows.
    pub async fn find(self) -> Option<String> {
        self.find_counted().await.map(|(text, _)| text)
    }

    /// The same with how many rows there are, for rows that hold several lines.
    async fn find_counted(self) -> Option<(String, usize)> {
        let mut text = text(&self.head()).await?;
        let mut number = 0;
        while let Some(row) = self::text(&self.row(number)).await {
            if !text.ends_with('\n') {
                text.push('\n');
            }
            text += &row;
            number += 1;
        }
        Some((text, number))
    }

    /// What is kept, where nobody has asked so since the page was opened: it is brought back once, and what came after it
    /// counts.
    pub async fn find_once(self) -> Option<String> {
        self.find_counted_once().await.map(|(text, _)| text)
    }

    /// The same with how many rows there are.
    pub async fn find_counted_once(self) -> Option<(String, usize)> {
        let is_first = LOOKED_FOR.with(|done| done.borrow_mut().insert(self.prefix));
        if is_first { self.find_counted().await } else { None }
    }

    /// Forgets it.
    pub async fn forget(self) {
        let turn = TURN.with(Rc::clone);
        let _held = turn.lock().await;
        self.drop_all().await;
    }

    async fn drop_all(self) {
        // What can't be removed could not be kept either.
        let _ = database::forget(&self.head()).await;
        let mut number = 0;
        while text(&self.row(number)).await.is_some() {
            let _ = database::forget(&self.row(number)).await;
            number += 1;
        }
    }
}

async fn text(name: &str) -> Option<String> {
    String::from_utf8(database::find(name).await.ok().flatten()?).ok()
}

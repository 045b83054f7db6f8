//! Where a session is kept: every event in two places before the rater goes on.
//!
//! An event is first written into the write-ahead copy (`localStorage`, at once and without waiting), then into the
//! journal in IndexedDB, and leaves the copy when the browser says that it is on the disk. What a crash leaves in the
//! copy is added to the journal when the session is opened again. One tab at a time writes: it holds a lock.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    time::Duration,
};

use futures_util::lock::Mutex;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{
    browser::{
        clock,
        journal::{self, JournalError, Lease},
        slices::Slices,
        storage,
    },
    survey::{Event, Study, collection_queue::Ledger, study_file::read_study_at},
};

/// How safe the last events are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventSafety {
    /// On the disk.
    Safe,
    /// In the write-ahead copy alone: enough for a closed tab, and tried again with the next event.
    Copy(JournalError),
    /// Nowhere: the rater must not go on.
    Nowhere(JournalError),
    /// Another tab has gone on with this session.
    Taken,
}

/// A session cannot be opened.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OpenError {
    /// Another tab has it.
    #[error("the session is open in another tab")]
    OtherTab,
    /// The browser's store says nothing.
    #[error("the browser's store does not answer")]
    Silent,
    /// Neither store can be used.
    #[error("the browser keeps nothing: {0}")]
    NoStore(JournalError),
    /// What was kept cannot be read: the number of the first such entry, from 1.
    #[error("entry {0} of the journal cannot be read")]
    Damaged(usize),
}

/// A session that was begun in this browser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Begun {
    /// Which study, to the letter.
    pub sha256: String,
    /// Its title.
    pub title: String,
    /// The rater’s code.
    pub rater: String,
}

impl Begun {
    /// The session of a rater in a study.
    #[must_use]
    pub fn new(study: &Study, rater: &str) -> Self {
        Self {
            sha256: study.sha256(),
            title: study.title.clone(),
            rater: rater.to_owned(),
        }
    }

    /// The name of its journal and its lock.
    /// Its name in the store.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}/{}", self.sha256, self.rater)
    }
}

/// The write-ahead copy: events that may not be in the journal yet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Ahead {
    /// The number of the first one.
    first: usize,
    /// As the journal has them.
    entries: Vec<String>,
}

/// How long opening a session may take: a store that another page holds is not waited for without end.
const LIMIT: Duration = Duration::from_secs(20);

/// A session's store, in the tab that writes.
#[derive(Clone)]
pub struct SurveyStore {
    _lock: Rc<Lease>,
    begun: Rc<Begun>,
    ahead: Rc<RefCell<Ahead>>,
    writing: Rc<Mutex<()>>,
    copied: Rc<Cell<bool>>,
}

impl SurveyStore {
    /// Opens the session for writing and returns what is kept of it. `by_force` takes it from the tab that has it;
    /// `lost` is called when another tab does that to this one.
    ///
    /// # Errors
    /// When another tab has it, or the browser keeps nothing or does not answer.
    pub async fn open(
        begun: Begun,
        study: &Study,
        by_force: bool,
        lost: impl Fn() + 'static,
    ) -> Result<(Self, Vec<Event>), OpenError> {
        let lock = journal::hold(&format!("kibitz-survey {}", begun.name()), by_force, lost).await;
        let lock = Rc::new(lock.ok_or(OpenError::OtherTab)?);
        let opening = async {
            let (entries, ahead) = Self::read(&begun).await?;
            let store = Self {
                _lock: lock,
                writing: Rc::default(),
                copied: Rc::new(Cell::new(true)),
                ahead: Rc::new(RefCell::new(ahead)),
                begun: Rc::new(begun),
            };
            store.remember(study).await?;
            Ok((store, entries))
        };
        clock::within(LIMIT, opening).await.unwrap_or(Err(OpenError::Silent))
    }

    /// What is kept of a session that another tab writes, to look at.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn look(begun: &Begun) -> Result<Vec<Event>, OpenError> {
        let looking = clock::within(LIMIT, Self::read(begun)).await;
        Ok(looking.unwrap_or(Err(OpenError::Silent))?.0)
    }

    /// The events kept, and those of them that the journal has not.
    async fn read(begun: &Begun) -> Result<(Vec<Event>, Ahead), OpenError> {
        let mut entries = journal::entries(&begun.name()).await.map_err(OpenError::NoStore)?;
        let copy: Ahead = storage::read(&copy_name(begun))
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default();
        let in_journal = entries.len();
        // The copy goes on where the journal ends, or begins before that: then its first part is in both.
        let mut ahead = Ahead {
            first: in_journal,
            entries: Vec::new(),
        };
        if copy.first <= in_journal {
            ahead.entries = copy.entries.into_iter().skip(in_journal - copy.first).collect();
        }
        entries.extend(ahead.entries.iter().cloned());
        let read =
            |(number, entry): (usize, &String)| serde_json::from_str(entry).map_err(|_| OpenError::Damaged(number));
        let events = (1..).zip(&entries).map(read).collect::<Result<_, _>>()?;
        Ok((events, ahead))
    }

    /// Keeps the study and that the session was begun, so that it can be found again without the file.
    async fn remember(&self, study: &Study) -> Result<(), OpenError> {
        let begun = serde_json::to_string(&*self.begun).unwrap_or_default();
        // Without white space: indented JSON is written by code of its own, which raters would load.
        let study = serde_json::to_string(study).unwrap_or_default();
        for (name, text) in [
            (format!("study {}", self.begun.sha256), study),
            (format!("session {}", self.begun.name()), begun),
        ] {
            match journal::put(&name, &text).await {
                Ok(()) => {}
                // Where the disk is full what is there can still be looked at and downloaded.
                Err(JournalError::Full) => {}
                Err(error) => return Err(OpenError::NoStore(error)),
            }
        }
        Ok(())
    }

    /// Writes an event into the write-ahead copy, at once. Follow it with [`SurveyStore::flush`].
    pub fn note(&self, event: &Event) {
        let mut ahead = self.ahead.borrow_mut();
        ahead.entries.push(serde_json::to_string(event).unwrap_or_default());
        self.copied.set(self.copy(&ahead));
    }

    /// Writes the copy; true when it holds all that the journal may not have.
    fn copy(&self, ahead: &Ahead) -> bool {
        let name = copy_name(&self.begun);
        if ahead.entries.is_empty() {
            storage::remove(&name);
            return true;
        }
        serde_json::to_string(ahead).is_ok_and(|text| storage::write(&name, &text))
    }

    /// Whether all noted events are on the disk.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.ahead.borrow().entries.is_empty()
    }

    /// Brings all noted events into the journal and waits until they are on the disk.
    pub async fn flush(&self) -> EventSafety {
        let _one_at_a_time = self.writing.lock().await;
        let now = self.ahead.borrow().clone();
        if now.entries.is_empty() {
            return EventSafety::Safe;
        }
        match journal::append(&self.begun.name(), now.first, &now.entries).await {
            Ok(()) => {
                let mut ahead = self.ahead.borrow_mut();
                ahead.entries.drain(..now.entries.len());
                ahead.first += now.entries.len();
                self.copied.set(self.copy(&ahead));
                EventSafety::Safe
            }
            Err(JournalError::Taken) => EventSafety::Taken,
            Err(error) if self.copied.get() => EventSafety::Copy(error),
            Err(error) => EventSafety::Nowhere(error),
        }
    }
}

fn copy_name(begun: &Begun) -> String {
    format!("kibitz.survey.{}", begun.name())
}

/// The sessions that were begun in this browser.
pub async fn sessions() -> Vec<Begun> {
    // A store that cannot be read holds none that could be gone on with.
    let found = journal::list("session ").await.unwrap_or_default();
    found
        .iter()
        .filter_map(|text| serde_json::from_str(text).ok())
        .collect()
}

/// The study of a session.
pub async fn study(begun: &Begun) -> Option<Study> {
    let text = journal::get(&format!("study {}", begun.sha256)).await.ok()??;
    read_study_at(text.as_bytes(), &Slices::new()).await.ok()
}

/// What is known of the sending of a session.
pub async fn ledger(begun: &Begun) -> Ledger {
    // One that cannot be read only makes the answers be sent again.
    let text = journal::get(&ledger_name(begun)).await.ok().flatten();
    text.and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default()
}

/// Keeps it.
pub async fn keep_ledger(begun: &Begun, ledger: &Ledger) {
    if let Ok(text) = serde_json::to_string(ledger) {
        // One that is not kept, on a full disk, only makes the answers be sent again.
        let _ = journal::put(&ledger_name(begun), &text).await;
    }
}

fn ledger_name(begun: &Begun) -> String {
    format!("ledger {}", begun.name())
}

/// The right to send a session's answers for as long as it is held; `None` while another tab does.
pub async fn sender(begun: &Begun) -> Option<Lease> {
    journal::borrow(&format!("kibitz-collection {}", begun.name())).await
}

/// Removes a session and all its answers from this browser.
///
/// # Errors
/// When the store cannot be written.
pub async fn forget(begun: &Begun) -> Result<(), JournalError> {
    journal::discard(&begun.name()).await?;
    storage::remove(&copy_name(begun));
    journal::drop_record(&ledger_name(begun)).await?;
    journal::drop_record(&format!("session {}", begun.name())).await
}

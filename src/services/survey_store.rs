//! Where a session is kept: every event in a journal and in a second copy, before the rater goes on.
//!
//! An event is first written into the write-ahead copy (`localStorage`, at once and without waiting), then into the
//! journal in IndexedDB and into files of the browser's own. It counts as kept when one of these two has it and all before
//! it, read back; it leaves the write-ahead copy when both have it, or the journal where the other cannot be written. What
//! a crash leaves in one place alone is put into the others when the session is opened again. One tab at a time writes: it
//! holds a lock.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    sync::Arc,
    time::Duration,
};

use futures_util::{future::join, lock::Mutex};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{
    browser::{
        clock,
        journal::{self, JournalError, Lease},
        second_copy,
        slices::Slices,
        storage,
    },
    survey::{
        Event, Study,
        collection_queue::Ledger,
        safekeeping::{Ahead, Found, Keeping, Parts, Place, Safety, Taken, folder, room},
        study_file::read_study_at,
    },
};

/// How safe the last events are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventSafety {
    /// In the journal.
    Safe,
    /// In the journal, which the browser had lost; it was written anew.
    Restored,
    /// In the second copy alone. The journal is tried again with the next event.
    Copy(JournalError),
    /// Nowhere but on the page: the rater must not go on. `lost`: what was kept before is gone as well.
    Nowhere {
        /// Why the journal did not take them.
        error: JournalError,
        /// Whether the journal has lost what it had.
        lost: bool,
    },
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
    /// There is no room for all that will have to be kept: so many bytes.
    #[error("there is no room for {0} bytes")]
    NoRoom(usize),
    /// What was kept cannot be read: the number of the first such entry, from 1.
    #[error("entry {0} of the journal cannot be read")]
    Damaged(usize),
}

/// A session that was begun in this browser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Begun {
    /// Which study, to the letter.
    pub sha256: String,
    /// Its title; empty where the browser has lost it and what was answered is still there.
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
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}/{}", self.sha256, self.rater)
    }

    /// The session whose journal has this name.
    fn named(name: &str) -> Option<Self> {
        let (sha256, rater) = name.split_once('/')?;
        Some(Self {
            sha256: sha256.to_owned(),
            title: String::new(),
            rater: rater.to_owned(),
        })
    }
}

/// How long opening a session may take, and each attempt to write: a store that another page holds is not waited for
/// without end.
const LIMIT: Duration = Duration::from_secs(20);

/// A session's store, in the tab that writes.
#[derive(Clone)]
pub struct SurveyStore {
    _lock: Rc<Lease>,
    begun: Rc<Begun>,
    study: Arc<Study>,
    keeping: Rc<RefCell<Keeping>>,
    listed: Rc<Cell<Listed>>,
    writing: Rc<Mutex<()>>,
}

/// Where the session and its study are noted, without which its events are not found again.
#[derive(Debug, Clone, Copy, Default)]
struct Listed {
    in_journal: bool,
    in_copy: bool,
}

impl Listed {
    const fn is_anywhere(self) -> bool {
        self.in_journal || self.in_copy
    }
}

/// What is kept of a session.
pub struct SavedEvents {
    /// What happened in it.
    pub events: Vec<Event>,
    /// From which event on, counted from 1, the places that keep it don't fit together, if they don't.
    pub differs: Option<usize>,
}

impl SurveyStore {
    /// Opens the session for writing and returns what is kept of it. `by_force` takes it from the tab that has it;
    /// `lost` is called when another tab does that to this one.
    ///
    /// # Errors
    /// When another tab has it, or the browser keeps nothing, does not answer, or has no room for a new one.
    pub async fn open(
        begun: Begun,
        study: &Arc<Study>,
        by_force: bool,
        lost: impl Fn() + 'static,
    ) -> Result<(Self, SavedEvents), OpenError> {
        let lock = journal::hold(&format!("kibitz-survey {}", begun.name()), by_force, lost).await;
        let lock = Rc::new(lock.ok_or(OpenError::OtherTab)?);
        let opening = async {
            let (found, left_over) = Self::find(&begun).await?;
            let kept = SavedEvents::of(&found)?;
            let bytes = room(study);
            if kept.events.is_empty() && !second_copy::has_room(bytes).await {
                return Err(OpenError::NoRoom(bytes));
            }
            let name = begun.name();
            if !found.passed_over.is_empty() {
                // Nothing is thrown away: whoever asks for it can be given it.
                let aside = journal::put(&format!("aside {name}"), &found.passed_over.join("\n")).await;
                aside.map_err(OpenError::NoStore)?;
            }
            match found.replace {
                Some(Place::Journal) => journal::discard(&name).await.map_err(OpenError::NoStore)?,
                Some(Place::Copy) => second_copy::remove(&folder(&name), None).await,
                None => {}
            }
            for file in left_over {
                second_copy::remove(&folder(&name), Some(&file)).await;
            }
            let store = Self {
                _lock: lock,
                begun: Rc::new(begun),
                study: Arc::clone(study),
                keeping: Rc::new(RefCell::new(found.keeping)),
                listed: Rc::default(),
                writing: Rc::default(),
            };
            match store.remember().await {
                // What is there can be looked at and downloaded in any case.
                Err(error) if kept.events.is_empty() && error != JournalError::Full => Err(OpenError::NoStore(error)),
                _ => Ok((store, kept)),
            }
        };
        clock::within(LIMIT, opening).await.unwrap_or(Err(OpenError::Silent))
    }

    /// What is kept of a session that another tab writes, to look at.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn look(begun: &Begun) -> Result<Vec<Event>, OpenError> {
        let looking = clock::within(LIMIT, Self::find(begun)).await;
        Ok(SavedEvents::of(&looking.unwrap_or(Err(OpenError::Silent))?.0)?.events)
    }

    async fn find(begun: &Begun) -> Result<(Found, Vec<String>), OpenError> {
        let name = begun.name();
        let mut copy = Parts::of(second_copy::read(&folder(&name)).await);
        let left_over = std::mem::take(&mut copy.left_over);
        let journal = match journal::entries(&name).await {
            Ok(entries) => entries,
            // With the second copy alone one can go on.
            Err(_) if !copy.entries.is_empty() => Vec::new(),
            Err(error) => return Err(OpenError::NoStore(error)),
        };
        let ahead: Option<Ahead> = storage::read(&ahead_name(begun)).and_then(|text| serde_json::from_str(&text).ok());
        Ok((Found::of(journal, copy, ahead.unwrap_or_default()), left_over))
    }

    /// Keeps the study and that the session was begun, so that it can be found again without the file.
    async fn remember(&self) -> Result<(), JournalError> {
        let name = self.begun.name();
        // Without white space: indented JSON is written by code of its own, which raters would load.
        let study = serde_json::to_string(&*self.study).unwrap_or_default();
        let begun = serde_json::to_string(&*self.begun).unwrap_or_default();
        let mut listed = Listed {
            in_journal: false,
            in_copy: true,
        };
        for (file, text) in [(STUDY, &study), (SESSION, &begun)] {
            // It is a second one, which not every browser has.
            listed.in_copy &= second_copy::write(&folder(&name), file, text).await.is_ok();
        }
        let mut put = journal::put(&format!("{STUDY} {}", self.begun.sha256), &study).await;
        if put.is_ok() {
            put = journal::put(&format!("{SESSION} {name}"), &begun).await;
        }
        listed.in_journal = put.is_ok();
        self.listed.set(listed);
        put
    }

    /// Writes an event into the write-ahead copy, at once. Follow it with [`SurveyStore::flush`].
    pub fn note(&self, event: &Event) {
        let entry = serde_json::to_string(event).unwrap_or_default();
        self.keeping.borrow_mut().note(entry);
        self.write_ahead();
    }

    fn write_ahead(&self) {
        let name = ahead_name(&self.begun);
        let ahead = self.keeping.borrow().ahead();
        if ahead.entries.is_empty() {
            storage::remove(&name);
        } else if let Ok(text) = serde_json::to_string(&ahead) {
            // Nothing is counted on it: browsers bring it to the disk when they like.
            storage::write(&name, &text);
        }
    }

    /// Whether all noted events are in the journal.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.keeping.borrow().is_settled()
    }

    /// Brings all noted events into the journal and the second copy and waits until they are there.
    pub async fn flush(&self) -> EventSafety {
        let _one_at_a_time = self.writing.lock().await;
        if self.is_settled() {
            let restored = self.keeping.borrow().has_lost();
            return if restored {
                EventSafety::Restored
            } else {
                EventSafety::Safe
            };
        }
        let journal = loop {
            let noted = self.keeping.borrow().entries().len();
            let (journal, ()) = join(self.to_journal(), self.to_copy()).await;
            let Ok(journal) = journal else {
                return EventSafety::Taken;
            };
            if journal.is_err() {
                // Now the second copy counts alone: all of it has to be there.
                let files = clock::within(LIMIT, second_copy::read(&folder(&self.begun.name()))).await;
                let stored = Parts::of(files.unwrap_or_default());
                self.keeping.borrow_mut().copy_has(&stored);
                self.to_copy().await;
            }
            // Safe is what all events are, and some may have been noted while these were written: they are no loss.
            if self.keeping.borrow().entries().len() == noted {
                break journal;
            }
        };
        self.write_ahead();
        let keeping = self.keeping.borrow();
        let error = journal.err().unwrap_or(JournalError::Changed);
        match keeping.safety() {
            _ if !self.listed.get().is_anywhere() => EventSafety::Nowhere {
                error,
                lost: keeping.has_lost(),
            },
            Safety::Safe => EventSafety::Safe,
            Safety::Restored => EventSafety::Restored,
            Safety::Copy => EventSafety::Copy(error),
            Safety::Nowhere => EventSafety::Nowhere {
                error,
                lost: keeping.has_lost(),
            },
        }
    }

    async fn to_journal(&self) -> Result<Result<(), JournalError>, Taken> {
        if !self.listed.get().in_journal
            && let Err(error) = self.remember().await
            && !self.listed.get().in_copy
        {
            return Ok(Err(error));
        }
        let first = self.append().await;
        let Err(error) = first else { return Ok(first) };
        // It may have taken them after all, or have lost all that it had: only what is there now counts.
        let reading = clock::within(LIMIT, journal::entries(&self.begun.name())).await;
        let stored = reading.unwrap_or(Err(JournalError::Silent)).unwrap_or_default();
        self.keeping.borrow_mut().journal_has(&stored)?;
        if error != JournalError::Changed {
            return Ok(Err(error));
        }
        // What it knew of the session is gone with the rest.
        Ok(match self.remember().await {
            Err(error) if !self.listed.get().in_copy => Err(error),
            _ => self.append().await,
        })
    }

    async fn append(&self) -> Result<(), JournalError> {
        let (first, entries) = {
            let keeping = self.keeping.borrow();
            (keeping.in_journal(), keeping.entries().to_vec())
        };
        let writing = clock::within(LIMIT, journal::append(&self.begun.name(), first, &entries)).await;
        writing.unwrap_or(Err(JournalError::Silent))?;
        self.keeping.borrow_mut().journal_took(entries.len());
        Ok(())
    }

    async fn to_copy(&self) {
        let folder = folder(&self.begun.name());
        loop {
            let Some((count, file, text)) = self.keeping.borrow().next_part() else {
                return;
            };
            let writing = clock::within(LIMIT, second_copy::write(&folder, &file, &text)).await;
            if writing != Some(Ok(())) {
                return self.keeping.borrow_mut().copy_failed();
            }
            self.keeping.borrow_mut().copy_took(count);
        }
    }
}

impl SavedEvents {
    fn of(found: &Found) -> Result<Self, OpenError> {
        let read =
            |(number, entry): (usize, &String)| serde_json::from_str(entry).map_err(|_| OpenError::Damaged(number));
        Ok(Self {
            events: (1..).zip(found.keeping.entries()).map(read).collect::<Result<_, _>>()?,
            differs: found.differs.map(|number| number + 1),
        })
    }
}

/// What names of studies and of sessions begin with.
const STUDY: &str = "study";
/// See [`STUDY`].
const SESSION: &str = "session";

fn ahead_name(begun: &Begun) -> String {
    format!("kibitz.survey.{}", begun.name())
}

/// The sessions that were begun in this browser, and why the journals among them cannot be seen, if they cannot. A browser
/// whose disk was full may have lost the record that names a session and have all that was answered in it.
pub async fn sessions() -> (Vec<Begun>, Option<JournalError>) {
    let prefix = format!("{SESSION} ");
    let listing = async { Ok((journal::list(&prefix).await?, journal::journals().await?)) };
    let (journal, copy) = join(clock::within(LIMIT, listing), second_copy::all(SESSION)).await;
    let (noted, named, error) = match journal.unwrap_or(Err(JournalError::Silent)) {
        Ok((noted, named)) => (noted, named, None),
        Err(error) => (Vec::new(), Vec::new(), Some(error)),
    };
    let noted = noted
        .iter()
        .chain(&copy)
        .filter_map(|text| serde_json::from_str(text).ok());
    let named = named.iter().filter_map(|name| Begun::named(name));
    let mut found: Vec<Begun> = Vec::new();
    for begun in noted.chain(named) {
        if found.iter().all(|known| known.name() != begun.name()) {
            found.push(begun);
        }
    }
    (found, error)
}

/// The study of a session.
pub async fn study(begun: &Begun) -> Option<Study> {
    let kept = journal::get(&format!("{STUDY} {}", begun.sha256)).await.ok().flatten();
    let text = match kept {
        Some(text) => text,
        None => {
            let files = second_copy::read(&folder(&begun.name())).await;
            files.into_iter().find(|(name, _)| name == STUDY)?.1
        }
    };
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
    second_copy::remove(&folder(&begun.name()), None).await;
    journal::discard(&begun.name()).await?;
    storage::remove(&ahead_name(begun));
    journal::drop_record(&ledger_name(begun)).await?;
    journal::drop_record(&format!("{SESSION} {}", begun.name())).await
}

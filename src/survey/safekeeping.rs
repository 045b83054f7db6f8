//! What is known to be kept of a session, and what may be relied on.
//!
//! A session's entries are in three places: the journal, the second copy (files in parts of [`PART`] entries), and the
//! write-ahead copy of what one of them may lack. Browsers lose whole stores and open empty ones in their places, so a
//! place counts for what was read back from it, and no more. The page remembers all entries: as long as it lives nothing
//! is lost, and a place that has lost some gets them anew.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{event::Event, study::Study};

/// The most bytes that are looked for before a session begins.
pub const MOST_ROOM: usize = 32_000_000;

/// Entries of one file of the second copy: a new entry makes no more than so many be written again.
pub const PART: usize = 100;

/// The write-ahead copy: entries that may not be in both other places yet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ahead {
    /// The number of the first one.
    pub first: usize,
    /// As the journal has them.
    pub entries: Vec<String>,
}

/// The journal is not the one of this page: another one has gone on with the session, or begun it anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken;

/// How safe the last entries are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Safety {
    /// In the journal.
    Safe,
    /// In the journal, which had lost entries and got them anew.
    Restored,
    /// In the second copy alone.
    Copy,
    /// Nowhere but on the page: the rater must not go on.
    Nowhere,
}

/// A session's entries, and how many of them are known to be where.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Keeping {
    entries: Vec<String>,
    journal: usize,
    copy: usize,
    /// Whether the second copy could not be written when that was tried last.
    copy_fails: bool,
    /// Whether the next file of the second copy is written under the second of its two names.
    second: bool,
    /// Whether the journal has lost entries that it had.
    lost: bool,
}

/// A place that keeps a session from its first entry on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The journal.
    Journal,
    /// The second copy.
    Copy,
}

/// What was found of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// All of it.
    pub keeping: Keeping,
    /// From this entry on, counted from 0, the places say different things, or what was between them is lost.
    pub differs: Option<usize>,
    /// The place that has to be emptied before it can take what the other one has.
    pub replace: Option<Place>,
    /// What is not part of the session then, to be kept aside.
    pub passed_over: Vec<String>,
}

/// The second copy's folder for the session with this name: a name that every file system takes.
#[must_use]
pub fn folder(name: &str) -> String {
    Sha256::digest(name).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn agree(one: &[String], other: &[String]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

fn is_valid(entry: &str) -> bool {
    serde_json::from_str::<Event>(entry).is_ok()
}

/// What the files of the second copy have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parts {
    /// As many entries as follow each other and can be read.
    pub entries: Vec<String>,
    /// Whether the last of them are in the file with the second of its two names.
    pub in_second: bool,
    /// The names of files that are left over from entries that were lost: new ones must not be read together with them.
    pub left_over: Vec<String>,
}

impl Parts {
    /// Of files, names with texts in any order. Each part has two names, and the file that has more counts: on a full disk a
    /// browser may lose the file that it was to replace, so the last good one is never replaced.
    #[must_use]
    pub fn of(files: Vec<(String, String)>) -> Self {
        let mut files: BTreeMap<String, String> = files
            .into_iter()
            .filter(|(name, _)| name.ends_with(PART_KIND))
            .collect();
        let mut parts = Self::default();
        while parts.entries.len().is_multiple_of(PART) {
            let part = parts.entries.len() / PART;
            let mut read = |second| -> Option<Vec<String>> {
                let text = files.remove(&part_name(part, second))?;
                let lines = text.lines().take(PART).take_while(|line| is_valid(line));
                Some(lines.map(str::to_owned).collect())
            };
            let (first, second) = (read(false), read(true));
            if first.is_none() && second.is_none() {
                break;
            }
            let count = |entries: &Option<Vec<String>>| entries.as_ref().map_or(0, Vec::len);
            parts.in_second = count(&second) > count(&first);
            let more = if parts.in_second { second } else { first };
            parts.entries.extend(more.unwrap_or_default());
        }
        parts.left_over = files.into_keys().collect();
        parts
    }
}

const PART_KIND: &str = ".jsonl";

fn part_name(part: usize, second: bool) -> String {
    format!("{part:06}{}{PART_KIND}", if second { "b" } else { "" })
}

/// How many bytes a session of this study needs at most, in all places together: its pages with all that happens on them,
/// and the study itself. Generous; of very long ones no more than [`MOST_ROOM`] is looked for.
#[must_use]
pub fn room(study: &Study) -> usize {
    let study_bytes = serde_json::to_string(study).map_or(0, |text| text.len());
    (500_000 + 2 * study_bytes + 12_000 * study.pages_for_one()).min(MOST_ROOM)
}

impl Found {
    /// Puts together what the places have. Of journal and second copy the one with more entries that can be read is right;
    /// the write-ahead copy goes on where that ends, or says the same before.
    #[must_use]
    pub fn of(journal: Vec<String>, copy: Parts, ahead: Ahead) -> Self {
        let Parts {
            entries: copy,
            in_second,
            ..
        } = copy;
        let copies_any = !copy.is_empty();
        let same = agree(&journal, &copy);
        let readable = journal.iter().take_while(|entry| is_valid(entry)).count();
        let of_copy = copy.len() > readable;
        let (entries, other, place) = if of_copy {
            (copy, journal, Place::Journal)
        } else {
            (journal, copy, Place::Copy)
        };
        let replace = (same < other.len()).then_some(place);
        let others = if replace.is_some() { 0 } else { same };
        let mut found = Self {
            keeping: Keeping {
                journal: if of_copy { others } else { entries.len() },
                copy: if of_copy { entries.len() } else { others },
                copy_fails: false,
                entries,
                second: !in_second && copies_any,
                lost: false,
            },
            differs: replace.map(|_| same),
            replace,
            passed_over: if replace.is_some() { other } else { Vec::new() },
        };
        let entries = &mut found.keeping.entries;
        match entries.get(ahead.first..) {
            Some(there) if agree(there, &ahead.entries) == there.len().min(ahead.entries.len()) => {
                let known = there.len();
                entries.extend(ahead.entries.into_iter().skip(known));
            }
            _ if ahead.entries.is_empty() => {}
            _ => {
                found.differs = found.differs.or(Some(ahead.first));
                found.passed_over.extend(ahead.entries);
            }
        }
        found
    }
}

impl Keeping {
    /// All entries.
    #[must_use]
    pub fn entries(&self) -> &[String] {
        &self.entries
    }

    /// One more.
    pub fn note(&mut self, entry: String) {
        self.entries.push(entry);
    }

    /// How many entries the journal has.
    #[must_use]
    pub fn in_journal(&self) -> usize {
        self.journal
    }

    /// Whether the journal has all.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.journal == self.entries.len()
    }

    /// What belongs into the write-ahead copy: what one of the other places lacks. A second copy that cannot be written, or
    /// lacks more than a part, is not waited for.
    #[must_use]
    pub fn ahead(&self) -> Ahead {
        let in_both = self.journal.min(self.copy);
        let first = if self.copy_fails || self.journal - in_both > PART {
            self.journal
        } else {
            in_both
        };
        Ahead {
            first,
            entries: self.entries[first..].to_vec(),
        }
    }

    /// The first part of the second copy that is not as it should be, with how many entries are kept when it is: its name and its text.
    #[must_use]
    pub fn next_part(&self) -> Option<(usize, String, String)> {
        let first = self.copy / PART * PART;
        let until = self.entries.len().min(first + PART);
        (self.copy < until).then(|| {
            (
                until,
                part_name(first / PART, self.second),
                self.entries[first..until].join("\n"),
            )
        })
    }

    /// The journal was read, and this is all that is in it.
    ///
    /// # Errors
    /// When that is not the beginning of this session.
    pub fn journal_has(&mut self, stored: &[String]) -> Result<(), Taken> {
        if agree(&self.entries, stored) < stored.len() {
            return Err(Taken);
        }
        self.lost |= stored.len() < self.journal;
        self.journal = stored.len();
        Ok(())
    }

    /// The first so many entries were read back from the journal.
    pub fn journal_took(&mut self, count: usize) {
        self.journal = count;
    }

    /// The first so many entries were read back from the second copy.
    pub fn copy_took(&mut self, count: usize) {
        self.copy = count;
        self.copy_fails = false;
        self.second = !self.second;
    }

    /// The second copy could not be written.
    pub fn copy_failed(&mut self) {
        self.copy_fails = true;
    }

    /// The second copy was read, and this is all that is in it. What does not fit is written over.
    pub fn copy_has(&mut self, stored: &Parts) {
        self.copy = agree(&self.entries, &stored.entries);
        let fits = self.copy == stored.entries.len();
        self.second = stored.in_second != fits;
    }

    /// How safe the last entries are.
    #[must_use]
    pub fn safety(&self) -> Safety {
        match self.entries.len() {
            all if self.journal == all && self.lost => Safety::Restored,
            all if self.journal == all => Safety::Safe,
            all if self.copy == all => Safety::Copy,
            _ => Safety::Nowhere,
        }
    }

    /// Whether the journal has lost entries that it had.
    #[must_use]
    pub fn has_lost(&self) -> bool {
        self.lost
    }
}

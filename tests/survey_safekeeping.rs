//! Keeping a session: whatever store is lost, cut short or full, and wherever the page ends, an event that was acknowledged
//! is found again while one copy of it lives, and none is made up or doubled.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use kibitz::survey::{
    Event, Stamp,
    event::What,
    safekeeping::{Ahead, Found, Keeping, PART, Parts, Place, Safety, Taken, folder},
};
use proptest::{collection::vec, prelude::*, test_runner::RngSeed};

fn entry(number: usize) -> String {
    let at = Stamp {
        wall: 1_700_000_000_000 + number as u64,
        tick: number as u64,
    };
    serde_json::to_string(&Event::new(at, What::Focused)).unwrap()
}

fn entries(from: usize, until: usize) -> Vec<String> {
    (from..until).map(entry).collect()
}

/// What may happen.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// So many events.
    Note(usize),
    /// Everything is written; the journal and the second copy take it or do not. Perhaps the page ends in between.
    Flush { journal: bool, copy: bool, ends: bool },
    /// The browser drops the journal and opens an empty one.
    LoseJournal,
    /// The same, of the second copy.
    LoseCopy,
    /// The journal loses its last entries.
    CutJournal(usize),
    /// The last file of the second copy is cut somewhere.
    CutCopy(usize),
    /// The write-ahead copy never came to the disk.
    LoseAhead,
    /// The page ends, and the session is opened again.
    Reopen,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (1_usize..80).prop_map(Step::Note),
        8 => (prop::bool::weighted(0.8), prop::bool::weighted(0.8), prop::bool::weighted(0.1))
            .prop_map(|(journal, copy, ends)| Step::Flush { journal, copy, ends }),
        1 => Just(Step::LoseJournal),
        1 => Just(Step::LoseCopy),
        1 => (1_usize..100).prop_map(Step::CutJournal),
        1 => (1_usize..4000).prop_map(Step::CutCopy),
        1 => Just(Step::LoseAhead),
        3 => Just(Step::Reopen),
    ]
}

/// A browser with its three places, and a page that writes there as `services/survey_store.rs` does.
#[derive(Default)]
struct Browser {
    journal: Vec<String>,
    files: Vec<(String, String)>,
    ahead: Ahead,
    page: Keeping,
    noted: usize,
    acknowledged: usize,
    /// Whether files were lost or cut since the page has read or written them.
    harmed: bool,
}

impl Browser {
    /// As `browser/journal.js` does it: into the journal that the page knows, or not at all.
    fn append(&mut self) -> bool {
        let first = self.page.in_journal();
        let known = &self.page.entries()[..first];
        let fits =
            self.journal.len() == first && self.journal.first() == known.first() && self.journal.last() == known.last();
        if fits {
            self.journal = self.page.entries().to_vec();
            self.page.journal_took(self.journal.len());
        }
        fits
    }

    /// Perhaps one file alone.
    fn write_copy(&mut self, ends: bool) {
        while let Some((count, name, text)) = self.page.next_part() {
            self.files.retain(|(known, _)| *known != name);
            self.files.push((name, text));
            self.page.copy_took(count);
            if ends {
                return;
            }
        }
    }

    fn flush(&mut self, journal: bool, copy: bool, ends: bool) -> Result<(), Taken> {
        if self.page.is_settled() {
            return Ok(());
        }
        if !journal {
            // It failed; what is there is read.
            self.page.journal_has(&self.journal)?;
        } else if !self.append() {
            self.page.journal_has(&self.journal)?;
            assert!(self.append(), "it was read, and fits now");
        }
        if copy {
            self.write_copy(ends);
        } else if let Some((_, name, _)) = self.page.next_part() {
            // On a full disk the file that was to be replaced is lost.
            let before = self.copy().entries.len();
            self.files.retain(|(known, _)| *known != name);
            let left = self.copy().entries.len();
            assert!(self.harmed || left == before, "another one has as much");
            self.page.copy_failed();
        }
        if ends {
            return Ok(());
        }
        if !journal {
            self.page.copy_has(&self.copy());
            self.harmed = false;
            if copy {
                self.write_copy(false);
            }
        }
        self.ahead = self.page.ahead();
        if !matches!(self.page.safety(), Safety::Nowhere) {
            self.acknowledged = self.page.entries().len();
            assert!(
                [&self.journal, &self.copy().entries].contains(&&self.page.entries().to_vec()),
                "what is acknowledged is somewhere"
            );
        }
        Ok(())
    }

    fn copy(&self) -> Parts {
        Parts::of(self.files.clone())
    }

    /// Opens the session again, and looks at what is there.
    fn reopen(&mut self) -> Result<(), TestCaseError> {
        let (journal, copy) = (self.journal.clone(), self.copy());
        let lives = journal.len().max(copy.entries.len());
        let found = Found::of(journal, copy, self.ahead.clone());
        let there = found.keeping.entries();
        prop_assert_eq!(
            there,
            &entries(0, there.len())[..],
            "none is made up, doubled or out of its place"
        );
        prop_assert!(there.len() >= lives);
        prop_assert!(there.len() <= self.noted);
        if lives >= self.acknowledged {
            prop_assert!(
                there.len() >= self.acknowledged,
                "{} of {}",
                there.len(),
                self.acknowledged
            );
        }
        // What is known to be somewhere is there.
        prop_assert!(found.keeping.in_journal() <= self.journal.len());
        prop_assert_eq!(found.replace, None, "one session's copies agree");
        let left_over = self.copy().left_over;
        self.files.retain(|(name, _)| !left_over.contains(name));
        self.noted = there.len();
        self.acknowledged = self.acknowledged.min(there.len());
        self.page = found.keeping;
        self.harmed = false;
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, rng_seed: RngSeed::Fixed(48), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_acknowledged_is_lost_while_a_copy_lives(steps in vec(step(), 1..40)) {
        let mut browser = Browser::default();
        for step in steps {
            match step {
                Step::Note(count) => {
                    for _ in 0..count {
                        browser.page.note(entry(browser.noted));
                        browser.noted += 1;
                    }
                    browser.ahead = browser.page.ahead();
                }
                Step::Flush { journal, copy, ends } => {
                    let news = !browser.page.is_settled();
                    prop_assert_eq!(browser.flush(journal, copy, ends), Ok(()));
                    if ends {
                        browser.reopen()?;
                    } else if journal && news {
                        prop_assert_eq!(&browser.journal, browser.page.entries(), "the page lives, so all is written anew");
                    }
                }
                Step::LoseJournal => browser.journal.clear(),
                Step::LoseCopy => {
                    browser.files.clear();
                    browser.harmed = true;
                }
                Step::CutJournal(count) => {
                    let left = browser.journal.len().saturating_sub(count);
                    browser.journal.truncate(left);
                }
                Step::CutCopy(bytes) => {
                    browser.harmed = true;
                    browser.files.sort();
                    if let Some((_, text)) = browser.files.last_mut() {
                        text.truncate(text.len().saturating_sub(bytes));
                    }
                }
                Step::LoseAhead => browser.ahead = Ahead::default(),
                Step::Reopen => browser.reopen()?,
            }
        }
        browser.reopen()?;
    }

    #[test]
    fn two_histories_are_never_mixed(
        same in 0_usize..250, one in 0_usize..250, other in 0_usize..250, ahead in 0_usize..500, more in 0_usize..9,
    ) {
        let journal = entries(0, same + one);
        let copy: Vec<String> = entries(0, same).into_iter().chain(entries(5_000, 5_000 + other)).collect();
        let ahead = Ahead { first: ahead, entries: entries(ahead, ahead + more) };
        let found = Found::of(journal.clone(), copied(&copy), ahead.clone());
        let (longer, shorter, place) =
            if copy.len() > journal.len() { (&copy, &journal, Place::Journal) } else { (&journal, &copy, Place::Copy) };
        let there = found.keeping.entries();
        prop_assert_eq!(&there[..longer.len()], &longer[..], "the longer one stays as it is");
        prop_assert!(there[longer.len()..].iter().all(|entry| ahead.entries.contains(entry)));
        let splits = same < shorter.len();
        prop_assert_eq!(found.replace, splits.then_some(place));
        if splits {
            prop_assert_eq!(found.differs, Some(same));
            // Nothing is thrown away, and nothing of the other is counted as kept.
            prop_assert!(found.passed_over.starts_with(shorter));
            prop_assert_eq!(found.keeping.in_journal(), if place == Place::Journal { 0 } else { journal.len() });
        }
        if found.differs.is_none() {
            prop_assert!(found.passed_over.is_empty());
        }
    }

    #[test]
    fn files_of_any_content_make_entries_that_can_be_read(
        files in vec(("(000000|000001|000002|session|x)(\\.jsonl)?", prop_oneof![Just(entries(0, PART).join("\n")), "(?s).{0,60}"]), 0..5),
    ) {
        let read = Parts::of(files);
        prop_assert!(read.entries.iter().all(|entry| serde_json::from_str::<Event>(entry).is_ok()));
    }
}

fn copied(entries: &[String]) -> Parts {
    Parts {
        entries: entries.to_vec(),
        ..Parts::default()
    }
}

fn page(count: usize, journal: usize) -> Keeping {
    let mut page = Found::of(entries(0, journal), Parts::default(), Ahead::default()).keeping;
    for number in journal..count {
        page.note(entry(number));
    }
    page
}

#[test]
fn a_journal_that_was_lost_is_written_anew_and_said() {
    let mut kept = page(60, 50);
    assert_eq!((kept.safety(), kept.in_journal()), (Safety::Nowhere, 50));
    // A full disk: the browser opens an empty store in the place of the old one.
    kept.journal_has(&[]).unwrap();
    assert!(kept.has_lost() && kept.safety() == Safety::Nowhere);
    assert_eq!(kept.ahead().entries.len(), 60, "all of it is to be written");
    kept.journal_took(60);
    assert_eq!(kept.safety(), Safety::Restored);
}

#[test]
fn what_the_second_copy_lacks_still_stands_ahead() {
    // The journal was quicker with the last two, and then the browser dropped it while one more was noted.
    let (mut kept, mut files) = (page(50, 50), Vec::new());
    while let Some((count, name, text)) = kept.next_part() {
        kept.copy_took(count);
        files.push((name, text));
    }
    kept.note(entry(50));
    kept.note(entry(51));
    kept.journal_took(52);
    kept.note(entry(52));
    let found = Found::of(Vec::new(), Parts::of(files), kept.ahead());
    assert_eq!(found.keeping.entries(), entries(0, 53));
    assert_eq!(found.differs, None);
    // A second copy that cannot be written is not waited for.
    kept.copy_failed();
    assert_eq!(kept.ahead().first, 52);
    kept.copy_took(53);
    assert_eq!(kept.ahead().first, 52, "the journal lacks it");
    let without = page(PART + 60, PART + 50);
    assert_eq!(
        without.ahead().first,
        PART + 50,
        "nor is one that lacks more than a part"
    );
}

#[test]
fn the_second_copy_alone_is_enough_and_less_is_not() {
    let mut kept = page(120, 100);
    let mut files = Vec::new();
    while let Some((count, name, text)) = kept.next_part() {
        assert_eq!(kept.safety(), Safety::Nowhere);
        kept.copy_took(count);
        files.push((name, text));
    }
    assert_eq!(kept.safety(), Safety::Copy);
    assert_eq!(files.len(), 2);
    let read = Parts::of(files);
    assert_eq!((read.entries, read.left_over), (entries(0, 120), Vec::new()));
    // The next entry makes the last file alone be written again.
    kept.note(entry(120));
    let (_, name, text) = kept.next_part().unwrap();
    assert_eq!((name.as_str(), text.lines().count()), ("000001.jsonl", 21));
}

#[test]
fn files_of_lost_entries_are_not_read_with_new_ones() {
    let text = |from, until| entries(from, until).join("\n");
    let files = vec![
        ("000002.jsonl".to_owned(), text(200, 250)),
        ("session".to_owned(), "{}".to_owned()),
        ("000000.jsonl".to_owned(), text(0, 40)),
    ];
    let read = Parts::of(files);
    assert_eq!(
        (read.entries, read.left_over),
        (entries(0, 40), vec!["000002.jsonl".to_owned()])
    );
}

#[test]
fn another_pages_journal_is_not_written_into() {
    let mut kept = page(10, 10);
    assert_eq!(
        kept.journal_has(&entries(0, 12)),
        Err(Taken),
        "another page has gone on"
    );
    assert_eq!(kept.journal_has(&entries(5_000, 5_003)), Err(Taken), "another session");
    assert_eq!(kept.journal_has(&entries(0, 4)), Ok(()));
}

#[test]
fn what_was_between_two_places_and_is_lost_is_said() {
    let found = Found::of(
        entries(0, 3),
        Parts::default(),
        Ahead {
            first: 7,
            entries: entries(7, 9),
        },
    );
    assert_eq!(found.keeping.entries(), &entries(0, 3)[..]);
    assert_eq!((found.differs, found.passed_over), (Some(7), entries(7, 9)));
}

#[test]
fn an_entry_that_cannot_be_read_gives_way_to_the_copy_that_can() {
    let mut journal = entries(0, 5);
    journal[3].truncate(9);
    let found = Found::of(journal.clone(), copied(&entries(0, 5)), Ahead::default());
    assert_eq!(found.keeping.entries(), &entries(0, 5)[..]);
    assert_eq!((found.replace, found.differs), (Some(Place::Journal), Some(3)));
    assert_eq!(found.passed_over, journal);
}

#[test]
fn folders_have_names_that_every_file_system_takes() {
    let names = ["a/R1", "a/Żółw.", "a/.."].map(folder);
    assert!(
        names
            .iter()
            .all(|name| name.len() == 64 && name.bytes().all(|b| b.is_ascii_hexdigit()))
    );
    assert_ne!(names[0], names[1]);
}

//! Sending answers: no sequence of failures, reloads and forgotten receipts loses a set or leaves two.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use crate::survey_kit::{Rater, studies};
use kibitz::{
    random::Rng,
    survey::{
        Event, ResponseSet, Session, Stage, Stamp, Study,
        collection::{Collection, CollectionError, Verb},
        collection_queue::{
            AFTER_REFUSAL, LONGEST_ASKED, LONGEST_WAIT, Ledger, Next, Occasion, Parcel, Reached, Trouble, Verdict,
            retry_after, session_id, verdict, wait,
        },
        demonstration::demonstration,
        event::What,
        merge::{Results, read_results},
    },
};
use proptest::{prelude::*, test_runner::RngSeed};

const ADDRESS: &str = "https://results.example.org/{study}/{rater}-{session}.json";
const SERVER: &str = "https://results.example.org";

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 128,
        rng_seed: RngSeed::Fixed(5),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// A server and the network before it.
struct Server {
    files: BTreeMap<String, String>,
    keys: BTreeMap<String, String>,
    rng: Rng,
    /// Of a hundred requests so many have an accident.
    trouble: usize,
}

impl Server {
    /// Takes a request, or not; says what the browser hears of it.
    fn hear(&mut self, parcel: &Parcel) -> Verdict {
        let accident = self.rng.below(100) < self.trouble;
        let kind = if accident { self.rng.below(6) } else { 6 };
        if matches!(kind, 2..=4) {
            return verdict(
                parcel.method,
                [503, 403, 413][kind - 2],
                "",
                Some(Duration::from_secs(9)),
                "",
            );
        }
        if kind == 0 {
            return Verdict::Later(Trouble::Unreachable, None);
        }
        let before = self.keys.insert(parcel.key.clone(), parcel.body.clone());
        assert!(before.is_none_or(|body| body == parcel.body), "one key, two contents");
        self.files.insert(parcel.url.clone(), parcel.body.clone());
        match kind {
            1 => Verdict::Later(Trouble::TimedOut, None),
            5 => Verdict::Later(Trouble::Unreachable, None),
            _ => verdict(parcel.method, 201, "", None, ""),
        }
    }
}

/// A browser with a rater in front of it. The journal is durable; the ledger is, but for what a crash takes.
struct Browser {
    collection: Collection,
    session: Session,
    journal: Vec<Event>,
    ledger: Ledger,
    kept: String,
    tick: u64,
}

impl Browser {
    fn new(study: &Arc<Study>, collection: &Collection) -> Self {
        Self {
            collection: collection.clone(),
            session: Session::new(Arc::clone(study), "R1"),
            journal: Vec::new(),
            ledger: Ledger::default(),
            kept: String::new(),
            tick: 0,
        }
    }

    fn reached(&self) -> Option<Reached> {
        Reached::of(&self.session, SERVER)
    }

    fn happens(&mut self, event: Event) {
        if self.session.is_over() {
            return;
        }
        let before = self.session.submissions();
        if self.session.apply(&event).is_err() {
            return;
        }
        self.journal.push(event);
        if let Some(now) = self.reached()
            && (now.submissions > before || now.over)
        {
            let occasion = match self.session.stage() {
                Stage::Break { .. } => Occasion::Pause,
                _ => Occasion::Page,
            };
            self.ledger.look(now, self.collection.every, occasion);
        }
    }

    fn reload(&mut self) {
        self.ledger = serde_json::from_str(&self.kept).unwrap_or_default();
        self.session = Session::replay(Arc::clone(self.session.study()), "R1", &self.journal).unwrap();
        self.tick = 0;
        if let Some(now) = self.reached() {
            self.ledger.look(now, self.collection.every, Occasion::Opened);
        }
    }

    /// One step of the courier. `keeps`: whether the ledger gets onto the disk.
    fn courier(&mut self, server: &mut Server, keeps: bool) -> Next {
        let Some(now) = self.reached() else {
            assert_eq!(
                Parcel::pack(&self.collection, &self.session, &self.journal, "app"),
                None
            );
            return Next::Nothing;
        };
        let next = self.ledger.next(now, self.tick);
        match next {
            Next::Send => {
                let parcel = Parcel::pack(&self.collection, &self.session, &self.journal, "app").unwrap();
                let heard = server.hear(&parcel);
                let refused = matches!(heard, Verdict::Refused(_));
                self.ledger.record(&parcel, heard, self.tick, 1, self.tick);
                // As the page does: what was answered meanwhile may be due. What was refused is not.
                self.ledger.look(now, self.collection.every, Occasion::Page);
                let waits = if now.over {
                    matches!(self.ledger.next(now, self.tick), Next::Wait(wait) if wait >= AFTER_REFUSAL)
                } else {
                    self.ledger.next(now, u64::MAX) == Next::Refused
                };
                assert!(!refused || waits);
                if keeps {
                    self.kept = serde_json::to_string(&self.ledger).unwrap();
                }
            }
            Next::Wait(wait) => self.tick += u64::try_from(wait.as_millis()).unwrap(),
            Next::Nothing | Next::Refused => {}
        }
        // A receipt is never for more than the server has.
        if let Some(receipt) = &self.ledger.receipt {
            assert!(server.keys.contains_key(&receipt.key));
        }
        next
    }
}

fn agree(browser: &mut Browser) {
    let happens = |browser: &mut Browser, what| browser.happens(Event::new(Stamp { wall: 5, tick: 5 }, what));
    happens(browser, What::Opened);
    happens(
        browser,
        What::SendsTo {
            server: SERVER.to_owned(),
        },
    );
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn nothing_is_lost_or_doubled(
        study in studies(), seed in any::<u64>(), trouble in 0..100_usize, every in 0..6_usize, each in any::<bool>(), events in 1..300_usize,
    ) {
        let address = if each { "https://results.example.org/{study}/{rater}-{session}-{revision}.json" } else { ADDRESS };
        let collection = Collection { every, ..Collection::put(address) };
        prop_assert_eq!(collection.check(), Ok(()));
        let study = Arc::new(study);
        let mut server = Server { files: BTreeMap::new(), keys: BTreeMap::new(), rng: Rng::new(seed), trouble };
        let mut browser = Browser::new(&study, &collection);
        let mut rater = Rater::new(seed);
        let mut rng = Rng::new(!seed);
        agree(&mut browser);
        for _ in 0..events {
            let event = rater.event(&browser.session);
            browser.happens(event);
            match rng.below(10) {
                0 => browser.reload(),
                1..=4 => { browser.courier(&mut server, rng.below(4) > 0); }
                5 if every > 0 => if let Some(now) = browser.reached() { browser.ledger.look(now, every, Occasion::Pause); },
                _ => {}
            }
        }
        // The server is mended, the app opened once more.
        server.trouble = 0;
        browser.reload();
        while browser.courier(&mut server, true) != Next::Nothing {}
        let Some(now) = browser.reached() else {
            prop_assert!(server.files.is_empty(), "sent without consent");
            return Ok(());
        };
        if every > 0 || now.over {
            prop_assert!(!browser.ledger.is_behind(now));
        }
        // As many files as sets, or one; and the newest has every answer.
        prop_assert_eq!(server.files.len(), if each { server.keys.len() } else { server.keys.len().min(1) });
        let newest = server.files.values().max_by_key(|body| ResponseSet::read(body).unwrap().journal.len());
        if let Some(newest) = newest {
            let newest = ResponseSet::read(newest).unwrap();
            let here = ResponseSet::collect(&browser.session, &browser.journal, "app");
            prop_assert!(browser.journal.starts_with(&newest.journal));
            if every > 0 || now.over {
                let answers = |set: &ResponseSet| set.pages.iter().map(|page| (page.item.clone(), page.answered_at.clone(), page.ratings.clone()))
                    .filter(|page| page.1.is_some()).collect::<Vec<_>>();
                if now.over {
                    prop_assert_eq!(&newest, &here);
                }
                prop_assert_eq!(answers(&newest).len(), answers(&here).len());
            }
        } else {
            prop_assert!(now.submissions == 0 && !now.over || every == 0);
        }
    }

    #[test]
    fn any_address_is_taken_or_refused(address in ".{0,80}", rater in "[a-zA-Zäß0-9._-]{1,12}", middle in "[a-z{}./?#@:%\\\\-]{0,30}") {
        for address in [address, format!("https://{middle}/{{rater}}"), format!("https://results.example.org/{middle}{{rater}}")] {
            let collection = Collection::put(&address);
            if let Ok(()) = collection.check() {
                let server = collection.server().unwrap();
                let target = collection.target("s", &rater, "0123", 4);
                if let Some(target) = target {
                    prop_assert!(target.to_ascii_lowercase().starts_with(&server), "{target} is not at {server}");
                    prop_assert!(!target.contains(['{', '}', '#', '@', '\\', ' ']) || target.contains("/") , "{}", target);
                    prop_assert!(!target.contains("/../"));
                }
            }
        }
    }

    #[test]
    fn waits_grow_and_end(failed in any::<u32>(), asked in prop::option::of(any::<u64>()), seed in any::<u64>()) {
        let asked = asked.map(Duration::from_secs);
        let found = wait(failed, asked, seed);
        prop_assert!(found <= LONGEST_WAIT.mul_f64(1.1).max(LONGEST_ASKED));
        prop_assert!(found >= asked.unwrap_or_default().min(LONGEST_ASKED));
        prop_assert!(found >= Duration::from_millis(1800));
        prop_assert!(wait(failed.max(1), None, seed) <= Duration::from_secs(2).mul_f64(1.1) * 2_u32.saturating_pow(failed.clamp(1, 20) - 1));
    }
}

/// `tests/data/survey/collection-addresses.tsv`: address, then the server and where a set goes, or what is wrong.
#[test]
fn addresses_are_read_strictly() {
    let table = include_str!("data/survey/collection-addresses.tsv");
    let mut rows = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let (address, said) = line.split_once('\t').unwrap();
        let collection = Collection::put(address);
        let found = match collection.check() {
            Ok(()) => format!(
                "{}\t{}",
                collection.server().unwrap(),
                collection.target("st+1", "Rä 7", "00ff", 12).unwrap_or_default()
            ),
            Err(error) => error.to_string(),
        };
        assert_eq!(found, said, "{address}");
        rows += 1;
    }
    assert_eq!(rows, 21);
}

#[test]
fn a_name_of_dots_leaves_no_folder() {
    let collection = Collection::put("https://x.example.org/{rater}/a.json");
    assert_eq!(collection.target("s", "..", "0", 1), None);
    assert_eq!(collection.target("s", "...", "0", 1), None);
    assert!(collection.target("s", "a..", "0", 1).is_some());
}

#[test]
fn headers_carry_no_secrets() {
    let with = |name: &str, value: &str| {
        let headers = BTreeMap::from([(name.to_owned(), value.to_owned())]);
        Collection {
            headers,
            ..Collection::put(ADDRESS)
        }
        .check()
    };
    assert_eq!(with("Prefer", "resolution=merge-duplicates"), Ok(()));
    for name in ["Authorization", "cookie"] {
        assert_eq!(with(name, "x"), Err(CollectionError::Secret(name.to_owned())));
    }
    assert_eq!(
        with("x-token", "Bearer abc"),
        Err(CollectionError::Secret("x-token".to_owned()))
    );
    for (name, value) in [
        ("Content-Type", "text/html"),
        ("Host", "x"),
        ("Sec-Fetch-Mode", "x"),
        ("Idempotency-Key", "x"),
        ("two words", "x"),
        ("", "x"),
        ("x-a", "line\r\nx-b: 1"),
        ("x-a", "ä"),
    ] {
        assert_eq!(with(name, value), Err(CollectionError::Header(name.to_owned())));
    }
}

#[test]
fn answers_of_servers_are_read() {
    let put = |status| verdict(Verb::Put, status, "text/plain", None, "why");
    for status in [200, 201, 202, 204] {
        assert_eq!(put(status), Verdict::Received, "{status}");
    }
    for status in [408, 423, 425, 429, 500, 502, 503, 504, 507] {
        assert!(
            matches!(put(status), Verdict::Later(Trouble::Status(..), None)),
            "{status}"
        );
    }
    for status in [400, 401, 403, 404, 405, 409, 410, 411, 413, 415, 422, 501] {
        assert!(matches!(put(status), Verdict::Refused(Trouble::Status(..))), "{status}");
    }
    for status in [0, 301, 302, 303, 307, 308] {
        assert_eq!(put(status), Verdict::Refused(Trouble::Redirected));
    }
    assert_eq!(
        verdict(Verb::Put, 200, "text/html; charset=utf-8", None, ""),
        Verdict::Refused(Trouble::WebPage)
    );
    // Apache answers a new file with a page that says so.
    assert_eq!(verdict(Verb::Put, 201, "text/html", None, ""), Verdict::Received);
    let twice = r#"{"code":"23505","details":"Key (key)=(00ff-12) already exists."}"#;
    assert_eq!(
        verdict(Verb::Post, 409, "application/json", None, twice),
        Verdict::Received
    );
    assert!(matches!(
        verdict(Verb::Put, 409, "application/json", None, twice),
        Verdict::Refused(_)
    ));
    let now = std::time::UNIX_EPOCH + Duration::from_secs(1_795_283_885);
    assert_eq!(retry_after("120", now), Some(Duration::from_secs(120)));
    assert_eq!(
        retry_after("Sat, 21 Nov 2026 17:59:05 GMT", now),
        Some(Duration::from_secs(60))
    );
    assert_eq!(retry_after("Sat, 21 Nov 2020 17:59:05 GMT", now), Some(Duration::ZERO));
    assert_eq!(retry_after("soon", now), None);
}

#[test]
fn nothing_goes_where_the_rater_did_not_agree() {
    let mut study = demonstration().unwrap();
    study.options.collection = Some(Collection::put(ADDRESS));
    let collection = study.options.collection.clone().unwrap();
    let study = Arc::new(study);
    let mut browser = Browser::new(&study, &collection);
    let happens = |browser: &mut Browser, what| browser.happens(Event::new(Stamp { wall: 5, tick: 5 }, what));
    happens(&mut browser, What::Opened);
    // Not before the consent, and not when the server that was named was another one.
    happens(
        &mut browser,
        What::SendsTo {
            server: "https://elsewhere.example.org".to_owned(),
        },
    );
    assert_eq!(browser.reached(), None);
    happens(
        &mut browser,
        What::Consented {
            version: study.consent.version.clone(),
        },
    );
    assert_eq!(browser.reached(), None);
    assert_eq!(
        Parcel::pack(&collection, &browser.session, &browser.journal, "app"),
        None
    );
    happens(
        &mut browser,
        What::SendsTo {
            server: SERVER.to_owned(),
        },
    );
    assert!(browser.reached().is_some());
    let parcel = Parcel::pack(&collection, &browser.session, &browser.journal, "app").unwrap();
    let id = session_id(&study.sha256(), "R1", &browser.journal).unwrap();
    assert_eq!(
        parcel.url,
        format!("https://results.example.org/demonstration/R1-{id}.json")
    );
    assert_eq!(parcel.key, format!("{id}-4"));
    let mut declined = Browser::new(&study, &collection);
    agree(&mut declined);
    happens(&mut declined, What::Declined);
    assert_eq!(declined.reached(), None);
}

#[test]
fn a_trial_of_the_address_is_nobodys_session() {
    for (method, address) in [(Verb::Put, ADDRESS), (Verb::Post, "https://db.example.org/responses")] {
        let collection = Collection {
            method,
            ..Collection::put(address)
        };
        let trial = Parcel::trial(&collection, "s", 7).unwrap();
        assert_eq!(
            (trial.key.as_str(), trial.reached),
            ("kibitz-trial-7", Reached::default())
        );
        let body: serde_json::Value = serde_json::from_str(&trial.body).unwrap();
        assert_eq!(body["schema"], "kibitz-trial-1");
        let record = if method == Verb::Post {
            &body["responses"]
        } else {
            &body
        };
        let record = record.to_string();
        assert_eq!(read_results(record.as_bytes()), Ok(Results::Sets(Vec::new())));
        assert_eq!(
            read_results(format!("{record}\n{record}\n").as_bytes()),
            Ok(Results::Sets(Vec::new()))
        );
    }
    // The record would take the place of the one file that a signed address is for.
    let signed = Collection::put("https://bucket.example.org/R1.json?X-Amz-Signature=1");
    assert_eq!(signed.check(), Ok(()));
    assert_eq!(Parcel::trial(&signed, "s", 7), None);
}

#[test]
fn what_ends_without_another_answer_is_sent_too() {
    let reached = |revision, over| Reached {
        revision,
        submissions: 3,
        pages: 3,
        over,
    };
    let mut ledger = Ledger::default();
    ledger.look(reached(20, false), 1, Occasion::Page);
    assert_eq!(ledger.next(reached(20, false), 0), Next::Send);
    let parcel = Parcel {
        url: String::new(),
        method: Verb::Put,
        headers: Vec::new(),
        body: String::new(),
        key: "00ff-20".to_owned(),
        reached: reached(20, false),
    };
    ledger.record(&parcel, Verdict::Received, 0, 1, 1);
    ledger.look(reached(25, false), 1, Occasion::Pause);
    assert_eq!(
        ledger.next(reached(25, false), 0),
        Next::Nothing,
        "nothing was answered since"
    );
    // The rater came back too late: what there is, is final now, also where only finished sets are sent.
    ledger.look(reached(26, true), 0, Occasion::Opened);
    assert_eq!(ledger.next(reached(26, true), 0), Next::Send);
    // A refused end is not sent again by itself; a failed one waits; one that is asked for goes at once.
    ledger.record(&parcel, Verdict::Refused(Trouble::WebPage), 0, 1, 1);
    ledger.look(reached(26, true), 0, Occasion::Page);
    assert_eq!(
        ledger.next(reached(26, true), 0),
        Next::Send,
        "what was refused was not the end"
    );
    let end = Parcel {
        reached: reached(26, true),
        ..parcel
    };
    ledger.record(&end, Verdict::Refused(Trouble::WebPage), 0, 1, 1);
    ledger.look(reached(26, true), 0, Occasion::Page);
    assert_eq!(ledger.next(reached(26, true), 0), Next::Wait(AFTER_REFUSAL));
    ledger.look(reached(26, true), 0, Occasion::Pause);
    ledger.record(&end, Verdict::Later(Trouble::TimedOut, None), 0, 1, 1);
    assert!(matches!(ledger.next(reached(26, true), 0), Next::Wait(_)));
    ledger.look(reached(26, true), 0, Occasion::Asked);
    assert_eq!(ledger.next(reached(26, true), 0), Next::Send);
}

#[test]
fn rows_carry_the_set_and_its_key() {
    let mut study = demonstration().unwrap();
    let collection = Collection {
        method: Verb::Post,
        headers: BTreeMap::from([("Prefer".to_owned(), "resolution=merge-duplicates".to_owned())]),
        ..Collection::put("https://db.example.org/responses?on_conflict=session")
    };
    study.options.collection = Some(collection.clone());
    let study = Arc::new(study);
    let mut browser = Browser::new(&study, &collection);
    agree(&mut browser);
    browser.session = Session::replay(Arc::clone(&study), "R1", &browser.journal).unwrap();
    // The server's name differs from the one agreed to above.
    assert_eq!(
        Parcel::pack(&collection, &browser.session, &browser.journal, "app"),
        None
    );
    for what in [
        What::SendsTo {
            server: "https://db.example.org".to_owned(),
        },
        What::Consented {
            version: study.consent.version.clone(),
        },
    ] {
        browser.happens(Event::new(Stamp::default(), what));
    }
    let parcel = Parcel::pack(&collection, &browser.session, &browser.journal, "app").unwrap();
    let row: serde_json::Value = serde_json::from_str(&parcel.body).unwrap();
    assert_eq!(row["schema"], "kibitz-collection-1");
    assert_eq!(row["key"], parcel.key.as_str());
    assert_eq!(row["outcome"], "partial");
    let set = ResponseSet::collect(&browser.session, &browser.journal, "app");
    assert_eq!(ResponseSet::read(&row["responses"].to_string()).unwrap(), set);
    assert!(
        parcel
            .headers
            .contains(&("idempotency-key".to_owned(), parcel.key.clone()))
    );
    assert!(parcel.headers.iter().any(|(name, _)| name == "Prefer"));
}

#[test]
fn the_study_stays_the_same_study_when_the_address_moves() {
    let mut study = demonstration().unwrap();
    let before = study.sha256();
    study.options.collection = Some(Collection::put(ADDRESS));
    assert_eq!(study.sha256(), before);
    let again: Study = serde_json::from_str(&study.to_json()).unwrap();
    assert_eq!(again, study);
}

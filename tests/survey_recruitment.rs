//! Raters who are recruited: who sees what, who is asked further, what they mark, and where they go.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{collections::BTreeMap, sync::Arc};

use kibitz::survey::{
    Event, PageKind, ResponseSet, Session, Stage, Stamp, Study,
    allocation::Allocation,
    analysis::{Options, analyse, material::Material},
    assignment::{assign_slot, slot},
    criteria::Kind,
    demonstration::demonstration,
    event::What,
    long_form::{read_csv, write_csv},
    phrases::{Phrase, read_phrases, untranslated},
    read_study,
    recruitment::{Exit, Recruitment},
    responses::Outcome,
    session::Ending,
    simulation::{Simulation, Spread, made_up_study, simulate},
    span::{Prefill, Span, SpanQuestion},
    study::{Admits, Consequence, Failing, Item},
    study_file::{Place, Wrong, check},
};

/// A study of so many items, with as many methods on each as the demonstration has.
fn study(items: usize) -> Study {
    let mut study = demonstration().unwrap();
    let pattern = study.items[0].clone();
    study.items = (1..=items)
        .map(|n| Item {
            id: format!("m{n}"),
            ..pattern.clone()
        })
        .collect();
    study.checks.repeats = 0;
    study
}

fn exit(code: &str) -> Exit {
    Exit {
        text: None,
        code: Some(code.to_owned()),
        redirect: Some("https://site.example.org/done?cc={code}&id={participant}".to_owned()),
    }
}

/// A session after its consent, with nothing between that and the pages.
fn begun(study: &Study, rater: &str, invited: Option<What>) -> Session {
    let mut session = Session::new(Arc::new(study.clone()), rater);
    happens(&mut session, What::Opened);
    if let Some(invited) = invited {
        happens(&mut session, invited);
    }
    let version = study.consent.version.clone();
    happens(&mut session, What::Consented { version });
    session
}

fn happens(session: &mut Session, what: What) {
    session.apply(&Event::new(Stamp::default(), what)).unwrap();
}

/// Answers the page with the same point everywhere.
fn rate(session: &mut Session, value: u8) {
    let study = Arc::clone(session.study());
    let page = session.page_id().unwrap();
    for criterion in &study.criteria {
        let criterion = criterion.id.clone();
        let page = page.clone();
        happens(session, What::Rated { page, criterion, value });
    }
    let follow_up = study.criteria[0].follow_up.clone().unwrap();
    let (id, kind) = (follow_up.id, follow_up.kinds[0].id.clone());
    if follow_up.when.contains(&value) {
        let page = page.clone();
        happens(
            session,
            What::Ticked {
                page,
                follow_up: id,
                kind,
                on: true,
            },
        );
    }
    happens(session, What::Submitted { page });
}

fn straight_to_pages(study: &mut Study) {
    study.form.clear();
    study.instructions.clear();
    study.comprehension = None;
    study.practice.clear();
    study.options.breaks = None;
}

#[test]
fn forty_slots_are_balanced_over_items_and_methods() {
    let mut study = study(20);
    study.options.allocation = Allocation {
        items_per_rater: Some(6),
        raters_per_item: Some(12),
        ..Allocation::default()
    };
    assert_eq!(check(&study), []);
    assert_eq!(study.options.allocation.needed(20), Some(40));
    let methods = study.methods().len();
    let mut raters_of = vec![0_usize; 20];
    // How often a method stood at a place on an item.
    let mut places: BTreeMap<(usize, usize, usize), usize> = BTreeMap::new();
    for rater in 1..=40_u64 {
        let pages = assign_slot(&study, &format!("id{rater}"), Some(rater));
        let mut seen: BTreeMap<usize, usize> = BTreeMap::new();
        for page in pages {
            if let PageKind::Comment(item, comment) = page.kind {
                let place = seen.entry(item).or_default();
                *places.entry((item, comment, *place)).or_default() += 1;
                *place += 1;
            }
        }
        assert_eq!(seen.len(), 6);
        for (item, comments) in seen {
            assert_eq!(comments, methods, "all comments on an item of the share");
            raters_of[item] += 1;
        }
    }
    // 12 raters for each item, and on each item every method four times in each of the three places.
    assert_eq!(raters_of, [12; 20]);
    assert_eq!(methods, 3);
    assert_eq!(places.len(), 20 * 3 * 3);
    assert!(places.values().all(|count| *count == 4), "{places:?}");
}

/// Names as a recruiting site gives them: 24 hexadecimal digits that say nothing.
fn opaque(number: u64) -> String {
    let hash = |salt| kibitz::random::seeded_hash(salt, &number.to_string());
    format!("{:016x}{:08x}", hash(1), hash(2) & 0xffff_ffff)
}

/// The counts of how often a method stood at a place, on each item.
fn places_of(study: &Study, raters: &[(String, Option<u64>)]) -> BTreeMap<(usize, usize, usize), usize> {
    let mut places = BTreeMap::new();
    for (rater, slot) in raters {
        let mut seen: BTreeMap<usize, usize> = BTreeMap::new();
        for page in assign_slot(study, rater, *slot) {
            if let PageKind::Comment(item, comment) = page.kind {
                let place = seen.entry(item).or_default();
                *places.entry((item, comment, *place)).or_default() += 1;
                *place += 1;
            }
        }
    }
    places
}

#[test]
fn forty_opaque_names_are_hashed_to_rows_within_bounds() {
    let methods = ["llm", "engine", "ccc", "facts", "full"].map(str::to_owned);
    let mut study = made_up_study(50, &methods, 15);
    straight_to_pages(&mut study);
    study.recruitment = Some(Recruitment {
        participant: Some("PROLIFIC_PID".to_owned()),
        ..Recruitment::default()
    });
    // All items for everybody: 40 names fall on ten rows.
    let raters: Vec<(String, Option<u64>)> = (0..40).map(|number| (opaque(number), None)).collect();
    let places = places_of(&study, &raters);
    // Whatever rows were drawn, over the items each method stands about as often in each place, since the items begin at
    // different rows. An odd number of methods has rows in two halves, which half is of chance for each item: so not exactly.
    let mut over_items: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for ((_, method, place), count) in &places {
        *over_items.entry((*method, *place)).or_default() += count;
    }
    assert_eq!(over_items.len(), 5 * 5);
    let even = 40 * 50 / 5;
    assert!(
        over_items.values().all(|count| count.abs_diff(even) <= even / 20),
        "{over_items:?}"
    );
    // On one item it is a lottery: 40 draws at 1 in 5 make 8, with a standard deviation of 2.5. Four of them are the bound.
    let bound = 4.0 * (40.0_f64 * 0.2 * 0.8).sqrt();
    for (place, count) in &places {
        assert!((*count as f64 - 8.0).abs() <= bound, "{place:?}: {count}");
    }
    // The row is in the results, is the same again, and says in which orders the methods were met.
    let mut orders: BTreeMap<u64, BTreeMap<(usize, usize, usize), usize>> = BTreeMap::new();
    for (name, _) in &raters {
        let invited = What::Invited {
            participant: Some(name.clone()),
            slot: None,
        };
        let set = ResponseSet::collect(&begun(&study, name, Some(invited)), &[], "test");
        let row = set.row.unwrap();
        assert!((1..=10).contains(&row) && set.slot.is_none(), "{row}");
        assert_eq!(ResponseSet::read(&set.to_json()).unwrap().row, Some(row));
        let own = places_of(&study, &[(name.clone(), None)]);
        assert_eq!(orders.entry(row).or_insert_with(|| own.clone()), &own, "{name}");
    }
    // Shares: 40 names fall on 40 slots, which are in the results; a slot for each in the link is exact.
    study.options.allocation = Allocation {
        items_per_rater: Some(10),
        raters_per_item: Some(8),
        ..Allocation::default()
    };
    assert_eq!(study.options.allocation.needed(50), Some(40));
    let drawn: Vec<(String, Option<u64>)> = raters
        .iter()
        .map(|(name, _)| {
            let set = ResponseSet::collect(&begun(&study, name, None), &[], "test");
            assert!(set.row.is_none() && set.slot.is_some_and(|slot| (1..=40).contains(&slot)));
            (name.clone(), set.slot)
        })
        .collect();
    let given: Vec<(String, Option<u64>)> = (1..)
        .map(Some)
        .zip(&raters)
        .map(|(slot, (name, _))| (name.clone(), slot))
        .collect();
    let raters_of = |raters: &[(String, Option<u64>)]| {
        let mut counts = vec![0_usize; 50];
        for ((item, comment, _), count) in places_of(&study, raters) {
            counts[item] += if comment == 0 { count } else { 0 };
        }
        counts
    };
    assert_eq!(raters_of(&given), [8; 50]);
    // By hash an item's raters are 40 draws at 1 in 5.
    let by_hash = raters_of(&drawn);
    assert_eq!(by_hash.iter().sum::<usize>(), 400);
    assert!(
        by_hash.iter().all(|count| (*count as f64 - 8.0).abs() <= bound),
        "{by_hash:?}"
    );
}

#[test]
fn a_number_at_the_end_of_a_code_is_the_row() {
    let study = study(3);
    let row = |rater: &str, slot| kibitz::survey::assignment::row(&study, rater, slot);
    // Three methods have six rows.
    let rows: Vec<Option<u64>> = ["R01", "R02", "R06", "R07"].map(|rater| row(rater, None)).to_vec();
    assert_eq!(rows, [Some(1), Some(2), Some(6), Some(1)]);
    assert_eq!(row("R01", Some(4)), Some(4), "the link has the last word");
}

#[test]
fn ccc_against_engine_comes_out_paired_and_right_from_shares() {
    let methods = ["llm", "engine", "ccc", "facts", "full"].map(str::to_owned);
    let mut study = made_up_study(60, &methods, 15);
    study.options.allocation = Allocation {
        items_per_rater: Some(12),
        raters_per_item: Some(8),
        ..Allocation::default()
    };
    assert_eq!(study.options.allocation.needed(60), Some(40));
    let effects = [("ccc", 0.2), ("llm", -0.2)].map(|(method, effect)| (method.to_owned(), effect));
    let how = Simulation {
        raters: 40,
        careless: 0,
        effects: BTreeMap::from(effects),
        spread: Spread::default(),
        seed: 15,
    };
    let against_engine = Options {
        baseline: Some("engine".to_owned()),
        ..Options::default()
    };
    let report = analyse(&simulate(&study, &how), &Material::from(&study), &against_engine).unwrap();
    for row in report.comparisons.iter().filter(|row| row.criterion != "words") {
        // Every rater of a position rated both methods there: eight pairs on each of the sixty.
        assert_eq!((row.positions, row.pairs), (60, 480), "{row:?}");
        let (difference, p) = (row.difference.unwrap(), row.p_holm.unwrap());
        match row.method.as_str() {
            "ccc" => assert!((difference - 0.2).abs() < 0.08 && p < 0.001, "{row:?}"),
            "llm" => assert!((difference + 0.2).abs() < 0.08 && p < 0.001, "{row:?}"),
            _ => assert!(difference.abs() < 0.08 && p > 0.001, "{row:?}"),
        }
    }
}

#[test]
fn a_slot_comes_from_the_link_or_the_name() {
    let mut study = study(20);
    assert_eq!(slot(&study, "R07", None), None, "everybody sees everything");
    study.options.allocation.items_per_rater = Some(5);
    study.options.allocation.slots = Some(8);
    assert_eq!(slot(&study, "R07", None), Some(7), "codes numbered by hand");
    assert_eq!(slot(&study, "R07", Some(3)), Some(3));
    assert_eq!(slot(&study, "R07", Some(0)), Some(7));
    study.recruitment = Some(Recruitment {
        participant: Some("PROLIFIC_PID".to_owned()),
        ..Recruitment::default()
    });
    let by_name = slot(&study, "5f2b8c1d9e0a7b3c4d5e6f70", None).unwrap();
    assert!(
        (1..=8).contains(&by_name),
        "the digits at the end of a name say nothing: {by_name}"
    );
    study.options.allocation.reissue = vec![2];
    assert_eq!(slot(&study, "5f2b8c1d9e0a7b3c4d5e6f70", None), Some(2));
    let before = study.sha256();
    study.options.allocation.reissue.clear();
    assert_eq!(study.sha256(), before, "giving slots out again makes no other study");
}

#[test]
fn the_link_is_in_the_journal_and_in_the_results() {
    let mut study = study(9);
    straight_to_pages(&mut study);
    study.options.allocation.items_per_rater = Some(3);
    study.options.pilot = true;
    let invited = What::Invited {
        participant: Some("ada@example.org".to_owned()),
        slot: Some(2),
    };
    let session = begun(&study, "p-1", Some(invited.clone()));
    assert_eq!(session.pages(), assign_slot(&study, "p-1", Some(2)));
    let set = ResponseSet::collect(&session, &[], "test");
    assert_eq!(
        (set.participant.as_deref(), set.slot, set.pilot),
        (Some("ada@example.org"), Some(2), true)
    );
    assert_eq!(ResponseSet::read(&set.to_json()).unwrap(), set);
    // Once agreed, nobody changes who this is.
    let mut session = session;
    assert!(session.apply(&Event::new(Stamp::default(), invited)).is_err());
}

#[test]
fn who_does_not_fit_is_thanked_and_leaves_with_a_code() {
    let mut study = demonstration().unwrap();
    let rating = study.form.iter_mut().find(|field| field.id == "rating").unwrap();
    rating.admits = Some(Admits::Number { min: 1200, max: 2000 });
    study.recruitment = Some(Recruitment {
        complete: exit("DONE"),
        screened_out: exit("OUT"),
        ..Recruitment::default()
    });
    assert_eq!(check(&study), []);
    let form = |rating: &str| What::Form {
        answers: [("rating", rating), ("site", "FIDE"), ("language", "Fluent")]
            .map(|(id, answer)| (id.to_owned(), answer.to_owned()))
            .into(),
    };
    let mut session = begun(&study, "R1", None);
    happens(&mut session, form("1199"));
    assert_eq!(session.stage(), Stage::Ended(Ending::ScreenedOut));
    assert_eq!(session.exit().unwrap().code.as_deref(), Some("OUT"));
    assert_eq!(
        ResponseSet::collect(&session, &[], "test").outcome,
        Outcome::ScreenedOut
    );
    let mut session = begun(&study, "R1", None);
    happens(&mut session, form("1200"));
    assert_eq!((session.stage(), session.exit()), (Stage::Instructions, None));
}

#[test]
fn failed_checks_do_what_the_study_says() {
    for (then, allowed) in [
        (Consequence::Flag, 0),
        (Consequence::Exit, 0),
        (Consequence::Exit, 9),
        (Consequence::End, 0),
        (Consequence::End, 9),
    ] {
        let mut study = study(4);
        straight_to_pages(&mut study);
        let planted = study.checks.planted[0].expected.clone();
        assert!(
            planted.iter().all(|expected| !expected.values.contains(&3)),
            "3 fails the check"
        );
        study.checks.failing = Failing { allowed, then };
        study.recruitment = Some(Recruitment {
            complete: exit("DONE"),
            failed_checks: exit("FAILED"),
            ..Recruitment::default()
        });
        let mut session = begun(&study, "R1", None);
        let mut pages = 0;
        while !session.is_over() {
            rate(&mut session, 3);
            pages += 1;
        }
        let code = session.exit().unwrap().code.unwrap();
        let end = (session.stage(), code.as_str());
        match (then, allowed) {
            (Consequence::End, 0) => {
                assert_eq!(end, (Stage::Ended(Ending::FailedChecks), "FAILED"));
                assert!(pages < session.pages().len());
            }
            (Consequence::Exit, 0) => assert_eq!(end, (Stage::Done, "FAILED")),
            _ => assert_eq!(end, (Stage::Done, "DONE")),
        }
    }
}

#[test]
fn words_are_marked_and_come_back_from_the_files() {
    let mut study = study(4);
    straight_to_pages(&mut study);
    study.checks.planted.clear();
    let span = |start, end| Span {
        start,
        end,
        kind: "piece".to_owned(),
    };
    study.spans = Some(SpanQuestion {
        question: "Mark the words that are wrong.".to_owned(),
        kinds: vec![Kind {
            id: "piece".to_owned(),
            label: "A piece that is not there".to_owned(),
        }],
        prefill: vec![Prefill::Hidden, Prefill::Shown, Prefill::Planted],
    });
    for comment in study.items.iter_mut().flat_map(|item| &mut item.comments) {
        comment.marks = vec![span(0, 3)];
        comment.decoys = vec![span(2, 4), span(4, 6)];
    }
    assert_eq!(check(&study), []);
    // Each item meets each condition over three raters, each rater each over three items.
    let mut met: BTreeMap<(String, Prefill), usize> = BTreeMap::new();
    for rater in 1..=3 {
        let session = begun(&study, &format!("R{rater}"), None);
        let mut own: BTreeMap<Prefill, usize> = BTreeMap::new();
        for page in session.pages() {
            let prefill = session.prefill(page).unwrap();
            *met.entry((page.id.clone(), prefill)).or_default() += 1;
            *own.entry(prefill).or_default() += 1;
        }
        assert_eq!(own.len(), 3, "{own:?}");
    }
    assert!(met.values().all(|count| *count == 1) && met.len() == 4 * 3 * 3);
    let mut session = begun(&study, "R1", None);
    for _ in 0..session.pages().len() {
        let page = session.page_id().unwrap();
        let found = session.pages().iter().find(|found| found.id == page).unwrap();
        let marks = session.answer_on(&page).unwrap().spans.clone().unwrap();
        let first = match session.prefill(found).unwrap() {
            Prefill::Hidden => vec![],
            Prefill::Shown => vec![span(0, 3)],
            Prefill::Planted => vec![span(0, 3), span(4, 6)],
        };
        assert_eq!(marks, first);
        for bad in [vec![span(0, 9_999)], vec![span(0, 4), span(3, 6)], vec![span(3, 3)]] {
            let marked = What::Marked {
                page: page.clone(),
                spans: bad,
            };
            assert!(session.apply(&Event::new(Stamp::default(), marked)).is_err());
        }
        happens(
            &mut session,
            What::Marked {
                page,
                spans: vec![span(1, 5)],
            },
        );
        rate(&mut session, 2);
    }
    let set = ResponseSet::collect(&session, &[], "test");
    let rows = read_csv(&write_csv(&set.ratings())).unwrap();
    let marked = rows
        .iter()
        .filter(|row| row.criterion == "span" && row.value == "1-5 piece");
    assert_eq!(marked.count(), session.pages().len());
    assert_eq!(
        rows.iter().filter(|row| row.criterion == "span_condition").count(),
        session.pages().len()
    );
    assert!(set.pages.iter().all(|page| !page.changes.is_empty()));
}

#[test]
fn faults_of_recruitment_are_named() {
    let faults = |change: &dyn Fn(&mut Study)| {
        let mut study = study(10);
        change(&mut study);
        check(&study)
            .into_iter()
            .map(|fault| (fault.place, fault.wrong.to_string()))
            .collect::<Vec<_>>()
    };
    let one = |place, text: &str| vec![(place, text.to_owned())];
    assert_eq!(
        faults(&|study| study.options.allocation.items_per_rater = Some(11)),
        one(
            Place::Allocation,
            "the items for each rater must be from 1 to 10, not 11"
        )
    );
    assert_eq!(
        faults(&|study| study.form[0].admits = Some(Admits::Number { min: 4000, max: 5000 })),
        one(Place::Form(1), &Wrong::AdmitsNobody.to_string())
    );
    assert_eq!(
        faults(&|study| {
            study.recruitment = Some(Recruitment {
                complete: Exit {
                    redirect: Some("javascript:alert(1)".to_owned()),
                    ..Exit::default()
                },
                ..Recruitment::default()
            });
        }),
        one(
            Place::Recruitment,
            "raters can only be sent to an address that begins with https://"
        )
    );
    assert_eq!(
        faults(&|study| {
            study.recruitment = Some(Recruitment {
                participant: Some("slot".to_owned()),
                ..Recruitment::default()
            });
        }),
        one(Place::Recruitment, "“slot” is reserved")
    );
    assert_eq!(
        faults(&|study| {
            study
                .phrases
                .insert("progress".to_owned(), "{done} von {alle}".to_owned());
        }),
        one(
            Place::Phrases,
            "“progress” fills in {alle}, {done}, but has to fill in {all}, {done}, {time}"
        )
    );
    assert_eq!(
        faults(&|study| {
            study.phrases.insert("hello".to_owned(), "Hallo".to_owned());
        }),
        one(Place::Phrases, "there is no phrase “hello”")
    );
    assert_eq!(
        faults(&|study| study.items[2].comments[1].marks = vec![Span {
            start: 0,
            end: 3,
            kind: "x".to_owned()
        }]),
        one(Place::Comment(3, 2), &Wrong::Marks.to_string())
    );
}

#[test]
fn what_a_foreign_study_says_in_english_is_listed() {
    let mut study = study(1);
    assert_eq!(untranslated(&study), []);
    study.language = Some("de".to_owned());
    assert_eq!(untranslated(&study).len(), Phrase::ALL.len());
    study.phrases.insert("next".to_owned(), "Weiter".to_owned());
    assert!(!untranslated(&study).contains(&Phrase::Next));
}

#[test]
fn the_examples_in_other_languages_are_complete() {
    for (code, bytes) in [
        ("de", include_bytes!("data/survey/study-de.json").as_slice()),
        ("ko", include_bytes!("data/survey/study-ko.json")),
    ] {
        let study = read_study(bytes).unwrap();
        assert_eq!(study.language.as_deref(), Some(code));
        assert_eq!(untranslated(&study), [], "{code}");
        // The phrases are those that the app ships.
        let shipped = std::fs::read(format!("{}/public/phrases/{code}.json", env!("CARGO_MANIFEST_DIR"))).unwrap();
        assert_eq!(read_phrases(&shipped).unwrap().phrases, study.phrases, "{code}");
    }
}

//! Instruments: a study's texts as a file, out and in again.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use kibitz::survey::{
    demonstration::demonstration,
    diagram::Diagram,
    instrument::{Instrument, InstrumentError, read_instrument},
    preset,
    study::{Example, FieldKind, FormField, Section},
    study_file::check,
};
use proptest::{prelude::*, test_runner::RngSeed};
use serde_json::{Value, json};

#[test]
fn the_papers_instrument_goes_out_and_comes_in() {
    let study = preset::paper("ours", "Our study");
    let text = Instrument::of(&study).to_json();
    let mut other = demonstration().unwrap();
    let (items, id) = (other.items.clone(), other.id.clone());
    read_instrument(text.as_bytes()).unwrap().put_into(&mut other);
    assert_eq!(
        (&other.items, &other.id),
        (&items, &id),
        "moves, comments and name stay"
    );
    assert_eq!(Instrument::of(&other), Instrument::of(&study));
    assert_eq!(check(&other), []);
}

#[test]
fn what_is_wrong_with_an_instrument_is_said_with_its_place() {
    let whole: Value = serde_json::from_str(&Instrument::of(&preset::paper("p", "P")).to_json()).unwrap();
    let changed = |pointer: &str, value: Value| {
        let mut instrument = whole.clone();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        instrument.pointer_mut(parent).unwrap()[key] = value;
        // A line for every field, so that lines say something.
        serde_json::to_string_pretty(&instrument).unwrap()
    };
    for (pointer, value, said) in [
        (
            "/colour",
            json!("blue"),
            "This instrument cannot be read: unknown field `colour`, expected one of",
        ),
        (
            "/items",
            json!([]),
            "This instrument cannot be read: unknown field `items`",
        ),
        (
            "/schema",
            json!("kibitz-study-1"),
            "This file is a “kibitz-study-1”; an instrument is a “kibitz-instrument-1”.",
        ),
        ("/title", json!(""), "the title: the text is missing."),
        (
            "/practice/0/move",
            json!("e9"),
            "practice comment 1: the move e9 cannot be played.",
        ),
        (
            "/practice/0/expected/0/criterion",
            json!("beauty"),
            "practice comment 1: there is no criterion “beauty”.",
        ),
        (
            "/instructions/0/diagram",
            json!("pie"),
            "This instrument cannot be read: unknown variant `pie`",
        ),
    ] {
        let error = read_instrument(changed(pointer, value).as_bytes())
            .unwrap_err()
            .to_string();
        assert!(error.starts_with(said), "{pointer}: {error}");
        assert!(
            !said.contains("cannot be read") || error.contains(" at line "),
            "{error}"
        );
    }
    // All faults at once.
    let mut instrument = Instrument::of(&preset::paper("p", "P"));
    instrument.consent.text.clear();
    instrument.criteria[1].scale = "none".to_owned();
    let InstrumentError::Faults(faults) = read_instrument(instrument.to_json().as_bytes()).unwrap_err() else {
        panic!("it has faults")
    };
    assert!(faults.len() >= 2, "{faults:?}");
    let said = InstrumentError::Faults(faults).to_string();
    assert!(
        said.contains("the consent: the text is missing.") && said.contains("there is no scale “none”"),
        "{said}"
    );
}

/// A text that somebody may have pasted, with something to see in it.
fn text() -> impl Strategy<Value = String> {
    "[A-Za-z가-힣äß][A-Za-z가-힣äß .,?!\"\\\\{}<>&\n\t–“]{0,60}"
}

fn sections() -> impl Strategy<Value = Vec<Section>> {
    let example = (text(), text()).prop_map(|(label, text)| Example { label, text });
    let section = (text(), text(), prop::collection::vec(example, 0..4), any::<bool>());
    let section = section.prop_map(|(heading, text, examples, drawn)| Section {
        heading,
        text,
        examples,
        board: None,
        diagram: drawn.then_some(Diagram::RelevanceCompleteness),
    });
    prop::collection::vec(section, 0..6)
}

fn form() -> impl Strategy<Value = Vec<FormField>> {
    let kind = prop_oneof![
        Just(FieldKind::Text),
        (-5..5_i64, 5..50_i64).prop_map(|(min, max)| FieldKind::Number { min, max }),
        prop::collection::btree_set(text(), 2..5).prop_map(|all| FieldKind::Choice(all.into_iter().collect())),
    ];
    prop::collection::vec((text(), kind, any::<bool>()), 0..5).prop_map(|fields| {
        let field = |(n, (label, kind, required))| FormField {
            id: format!("field-{n}"),
            label,
            kind,
            required,
            admits: None,
        };
        fields.into_iter().enumerate().map(field).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 64,
        rng_seed: RngSeed::Fixed(7),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn instruments_are_read_as_they_were_written(
        title in text(), consent in text(), instructions in sections(), form in form(),
        statements in prop::collection::vec(text(), 5), comments in prop::collection::vec((text(), text()), 3),
        asked in any::<bool>(),
    ) {
        let mut instrument = Instrument::of(&preset::paper("p", &title));
        instrument.consent.text = consent;
        instrument.instructions = instructions;
        instrument.form = form;
        for (criterion, statement) in instrument.criteria.iter_mut().zip(statements) {
            criterion.statement = statement;
        }
        for (practice, (text, feedback)) in instrument.practice.iter_mut().zip(comments) {
            (practice.text, practice.feedback) = (text, feedback);
        }
        if !asked {
            instrument.comprehension = None;
        }
        let text = instrument.to_json();
        prop_assert_eq!(read_instrument(text.as_bytes()), Ok(instrument.clone()));
        // Through a study and out again, nothing is lost.
        let mut study = demonstration().unwrap();
        instrument.clone().put_into(&mut study);
        prop_assert_eq!(Instrument::of(&study), instrument);
    }

    #[test]
    fn damaged_instruments_do_no_harm(from in 0..4_000_usize, length in 0..40_usize, put in "(?s).{0,8}|\\[\\[\\[|-1|1e999|null|\"\"") {
        let text = Instrument::of(&preset::paper("p", "P")).to_json();
        let bytes = text.as_bytes();
        let (from, to) = (from.min(bytes.len()), (from + length).min(bytes.len()));
        let damaged = [&bytes[..from], put.as_bytes(), &bytes[to..]].concat();
        let _ = read_instrument(&damaged);
    }
}

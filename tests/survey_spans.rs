//! Words marked as wrong: agreement and conditions against those of a program of another make.
//! tests/data/survey/spans-expected.json says whose figures they are.
#![allow(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use kibitz::survey::{
    Rating,
    analysis::{
        Options, analyse,
        layout::Which,
        material::{CommentText, Ends, Material},
    },
    span::{SPAN, SPAN_CONDITION, Span},
};
use serde_json::Value;

fn expected() -> Value {
    serde_json::from_str(include_str!("data/survey/spans-expected.json")).unwrap()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn spans(value: &Value) -> Vec<Span> {
    let place = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    let span = |span: &Value| Span {
        start: place(&span[0]),
        end: place(&span[1]),
        kind: text(&span[2]),
    };
    value.as_array().unwrap().iter().map(span).collect()
}

/// The study's texts and marks, and a rating of every page beside the marks.
fn study(expected: &Value) -> (Vec<Rating>, Material) {
    let mut material = Material {
        scales: vec![("clarity".to_owned(), Ends { low: 1.0, high: 5.0 })],
        ..Material::default()
    };
    for comment in expected["texts"].as_array().unwrap() {
        let found = CommentText {
            text: text(&comment["text"]),
            marks: spans(&comment["marks"]),
            decoys: spans(&comment["decoys"]),
            ..CommentText::default()
        };
        material
            .comments
            .insert((text(&comment["position"]), text(&comment["method"])), found);
    }
    let mut ratings = Vec::new();
    for page in expected["pages"].as_array().unwrap() {
        let mut row = |criterion: &str, value: String| {
            let (position, method) = (text(&page["position"]), text(&page["method"]));
            ratings.push(Rating {
                study: "s".to_owned(),
                rater: text(&page["rater"]),
                item: format!("{position}/{method}"),
                position,
                method,
                criterion: criterion.to_owned(),
                value,
                ..Rating::default()
            });
        };
        row("clarity", "4".to_owned());
        for span in spans(&page["spans"]) {
            row(SPAN, span.to_value());
        }
        row(SPAN_CONDITION, text(&page["condition"]));
    }
    (ratings, material)
}

#[track_caller]
fn same(found: &Value, wanted: &Value) {
    for (name, wanted) in wanted.as_object().unwrap() {
        let found = &found[name];
        match wanted.as_f64() {
            Some(wanted) => {
                let found = found.as_f64().unwrap_or_else(|| panic!("no {name}"));
                assert!((found - wanted).abs() < 1e-12, "{name}: {found}, expected {wanted}");
            }
            None => assert_eq!(found, wanted, "{name}"),
        }
    }
}

#[test]
fn agreement_and_conditions_are_those_of_another_program() {
    let expected = expected();
    let (ratings, material) = study(&expected);
    let report = analyse(&ratings, &material, &Options::default()).unwrap();
    let found = serde_json::to_value(&report.spans).unwrap();
    for table in ["agreement", "conditions"] {
        let (found, wanted) = (found[table].as_array().unwrap(), expected[table].as_array().unwrap());
        assert_eq!(found.len(), wanted.len(), "{table}");
        for wanted in wanted {
            let of = |row: &&Value| {
                ["scope", "condition", "position", "method"]
                    .iter()
                    .all(|key| row[key] == wanted[key])
            };
            same(found.iter().find(of).unwrap(), wanted);
        }
    }
    // Where nobody marked anything there is no figure, but a reason.
    let nothing = report
        .spans
        .agreement
        .iter()
        .find(|row| row.position.as_deref() == Some("p3"))
        .unwrap();
    assert_eq!((nothing.alpha, nothing.f1, nothing.marked), (None, None, Some(0.0)));
    assert!(nothing.undefined.is_some());
    // Marks are no ratings, and no criterion.
    assert_eq!(report.notes, [] as [String; 0]);
    assert_eq!(report.agreement.len(), 1);
    let people = report.table(Which::Spans);
    assert!(people.rows.len() < report.rows(Which::Spans).rows.len());
    assert_eq!(report.table(Which::SpanConditions).rows.len(), 3);
}

#[test]
fn what_cannot_be_counted_is_said() {
    let expected = expected();
    let (mut ratings, mut material) = study(&expected);
    material.comments.clear();
    ratings[1].criterion = SPAN.to_owned();
    ratings[1].value = "from here to there".to_owned();
    let report = analyse(&ratings, &material, &Options::default()).unwrap();
    assert!(report.spans.agreement.is_empty());
    assert_eq!(report.spans.conditions.len(), 3);
    assert!(
        report.notes[0].starts_with("1 rows of marked words cannot be read"),
        "{:?}",
        report.notes
    );
    let notes = report.table(Which::Spans).notes;
    assert!(
        notes[0].contains("5 comments with marks have no text here"),
        "{notes:?}"
    );
}

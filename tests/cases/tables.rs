//! Tables as programs of many kinds and countries write them: comments, ratings, scores, puzzles.

use std::collections::BTreeSet;

use kibitz::{
    chessbench::bag_record::BagKind,
    file_text::read_text,
    grading::suite::{
        goal::Goal,
        position::TestPosition,
        source::{Source, read_source},
    },
    pace::{AtOnce, at_once},
    survey::{
        analysis::material::Material,
        import::{Choice, Import, Reading},
        intake::{self, Intake},
        merge::Results,
        sources::from_text,
    },
};

use super::{bytes::said, table::check};

#[test]
fn tables_are_read_whoever_wrote_them() {
    check("tables.tsv", |case| {
        let found = match case.file.split('-').next() {
            Some("table") => comments(&case.bytes),
            Some("puzzles") => puzzles(&case.bytes),
            _ => ratings_or_scores(&case.bytes),
        };
        found.unwrap_or_else(|error| format!("refused: {error}"))
    });
}

fn comments(bytes: &[u8]) -> Result<String, String> {
    let read = read_text(bytes).map_err(|error| error.to_string())?;
    let reading = Reading {
        choice: Choice::Every(1),
        keep_several: true,
    };
    let import = from_text(&read.text, reading).map_err(|error| error.to_string())?;
    let rest = import
        .sentences()
        .into_iter()
        .skip(1)
        .filter(|sentence| !sentence.ends_with(':'));
    let all: Vec<String> = [in_words(&import)]
        .into_iter()
        .chain(rest)
        .chain(import.fault_sentences())
        .collect();
    Ok(all.join("; ") + &said(read.notice))
}

fn in_words(import: &Import) -> String {
    let comments = import.items.iter().flat_map(|item| &item.comments).map(|comment| {
        let scores: Vec<String> = comment
            .scores
            .iter()
            .map(|(name, score)| format!(" ({name} {score})"))
            .collect();
        format!(
            "{}: {}{}",
            comment.method,
            comment.text.replace('\n', "⏎"),
            scores.concat()
        )
    });
    comments.collect::<Vec<_>>().join(" | ")
}

fn ratings_or_scores(bytes: &[u8]) -> Result<String, String> {
    let (intake, notice) = at_once(intake::read(bytes, &AtOnce)).map_err(|error| error.to_string())?;
    let found = match intake {
        Intake::Results(Results::Rows(rows)) => {
            let raters: BTreeSet<&str> = rows.iter().map(|row| row.rater.as_str()).collect();
            let values = rows
                .iter()
                .map(|row| if row.is_missing() { "missing" } else { row.value.trim() });
            let (raters, values): (Vec<_>, Vec<_>) = (raters.into_iter().collect(), values.collect());
            format!("{} ratings by {}: {}", rows.len(), raters.join(", "), values.join(" "))
        }
        Intake::Scores { text, count } => {
            let mut material = Material::default();
            material.add_scores(&text).map_err(|error| error.to_string())?;
            let all = material.comments.values().flat_map(|comment| &comment.scores);
            let mut all: Vec<String> = all.map(|(name, score)| format!("{name} {score}")).collect();
            all.sort();
            format!("{count} scores: {}", all.join(", "))
        }
        other => format!("{other:?}"),
    };
    Ok(found + &said(notice))
}

fn puzzles(bytes: &[u8]) -> Result<String, String> {
    let read = read_text(bytes).map_err(|error| error.to_string())?;
    match at_once(read_source(&read.text, &AtOnce)).map_err(|error| error.to_string())? {
        Source::Positions { positions, .. } => Ok(positions.iter().map(of_puzzle).collect::<Vec<_>>().join(" | ")),
        _ => Ok("no puzzles".to_owned()),
    }
}

fn of_puzzle(at: &TestPosition) -> String {
    let line = match &at.goal {
        Goal::Line { line } => line.join(" "),
        // The solver's move is a mate in one: it is in the expert's words.
        _ => at
            .expert
            .as_deref()
            .map_or("", |words| if words.contains("Qxf7#") { "f3f7" } else { words })
            .to_owned(),
    };
    let rating = at
        .rating
        .map_or_else(|| "unrated".to_owned(), |rating| rating.to_string());
    format!("{} {} [{line}] {rating}: {}", at.id, at.moves, at.themes.join(" "))
}

#[test]
fn shards_of_the_data_set_are_known_by_their_names() {
    for (name, found) in [
        ("action_value_data.bag", Some((BagKind::ActionValue, 1))),
        (
            "action_value-00000-of-02148_data.bag",
            Some((BagKind::ActionValue, 2148)),
        ),
        ("action_value-00001-of-00002_data.bag", Some((BagKind::ActionValue, 2))),
        ("state_value-00000-of-00001_data.bag", Some((BagKind::StateValue, 1))),
        (
            "behavioral_cloning-00007-of-00008_data.bag",
            Some((BagKind::BehavioralCloning, 8)),
        ),
        ("action_value-00002-of-00002_data.bag", None),
        ("action_value-old_data.bag", None),
        ("my_action_value_data.bag", None),
        ("action_value_data.bagz", None),
    ] {
        assert_eq!(BagKind::of_file(name), found, "{name}");
    }
}

//! Files that are opened in a spreadsheet program, which would run as a formula what somebody else has named.

use super::Rating;

/// Whether a spreadsheet takes a cell for a formula: it begins with `=`, `@`, a tab or a line's end, or with `+` or `-`
/// unless all of it is letters, digits, `-`, `_`, `.` and `+`, which names of methods may be.
fn is_formula(text: &str) -> bool {
    let name = |letter: char| letter.is_alphanumeric() || "-_.+".contains(letter);
    match text.chars().next() {
        Some('=' | '@' | '\t' | '\r' | '\n') => true,
        Some('+' | '-') => !text.chars().all(name),
        _ => false,
    }
}

/// A text as a cell of CSV that a spreadsheet does not take for a formula: an apostrophe goes before one.
#[must_use]
pub fn no_formula(text: &str) -> String {
    if is_formula(text) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

/// How many cells of a row a spreadsheet would run.
#[must_use]
pub fn formula_cells(rating: &Rating) -> usize {
    let texts = [
        &rating.study,
        &rating.rater,
        &rating.item,
        &rating.position,
        &rating.method,
        &rating.criterion,
        &rating.value,
    ];
    let cells = texts.into_iter().chain(&rating.answered_at);
    cells.filter(|text| is_formula(text)).count()
}

/// The ratings without anything that would be run: raters, items and methods are named by whoever made the study or the
/// file. Such rows are for looking at; what is to be read again is written as it is.
#[must_use]
pub fn for_spreadsheets(ratings: &[Rating]) -> Vec<Rating> {
    let safe = |rating: &Rating| Rating {
        study: no_formula(&rating.study),
        rater: no_formula(&rating.rater),
        item: no_formula(&rating.item),
        position: no_formula(&rating.position),
        method: no_formula(&rating.method),
        criterion: no_formula(&rating.criterion),
        value: no_formula(&rating.value),
        active_ms: rating.active_ms,
        answered_at: rating.answered_at.as_deref().map(no_formula),
    };
    ratings.iter().map(safe).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::long_form::{read_csv, write_csv};

    #[test]
    fn no_cell_of_a_safe_file_is_a_formula() {
        let honest = Rating {
            study: "s".into(),
            rater: "r1".into(),
            item: "p1-a".into(),
            position: "p1".into(),
            method: "-narrator".into(),
            criterion: "clarity".into(),
            value: "4".into(),
            active_ms: Some(61_500),
            answered_at: Some("2026-11-21T12:00:00Z".into()),
        };
        let hostile = Rating {
            rater: "=HYPERLINK(\"http://127.0.0.1/?\"&A1)".into(),
            method: "+cmd|' /C calc'!A0".into(),
            item: "@SUM(A1)".into(),
            position: "\t=1".into(),
            value: "-2*(3)".into(),
            ..honest.clone()
        };
        assert_eq!((formula_cells(&honest), formula_cells(&hostile)), (0, 5));
        let safe = read_csv(&write_csv(&for_spreadsheets(&[hostile.clone(), honest.clone()]))).unwrap();
        let marked = |text: &str| format!("'{text}");
        assert_eq!(
            [
                &safe[0].rater,
                &safe[0].method,
                &safe[0].item,
                &safe[0].position,
                &safe[0].value
            ],
            [
                &marked(&hostile.rater),
                &marked(&hostile.method),
                &marked(&hostile.item),
                &marked(&hostile.position),
                &marked(&hostile.value)
            ]
        );
        assert_eq!(safe[1], honest);
    }
}

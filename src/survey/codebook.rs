//! What the columns and values of exported ratings mean: the codebook that lies beside an export.

use super::{
    analysis::table::{Cell, Table},
    criteria::{Criterion, FollowUp, OTHER},
    long_form::COLUMNS,
    responses::Outcome,
    span::{Prefill, SPAN, SPAN_CONDITION},
    study::{FieldKind, PLANTED, Study},
};

/// What one name in the files means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Where it stands: "column", "criterion", "form field".
    pub part: &'static str,
    /// The name as files have it.
    pub name: String,
    /// What can stand there, as files have it; several are parted by semicolons.
    pub values: String,
    /// What it means.
    pub meaning: String,
    /// What an empty or missing value means.
    pub missing: String,
}

/// What all names in a study's files mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Codebook {
    /// The study's id.
    pub study: String,
    /// Its title.
    pub title: String,
    /// Which version of it: [`Study::sha256`].
    pub sha256: String,
    /// The names, in the order of the files.
    pub entries: Vec<Entry>,
}

impl From<&Study> for Codebook {
    fn from(study: &Study) -> Self {
        let mut entries: Vec<Entry> = COLUMNS.iter().map(|column| of_column(study, column)).collect();
        for criterion in &study.criteria {
            entries.push(of_criterion(study, criterion));
            if let Some(follow_up) = &criterion.follow_up {
                entries.extend(of_follow_up(criterion, follow_up));
            }
        }
        entries.extend(of_spans());
        entries.extend(study.form.iter().map(|field| {
            let values = match &field.kind {
                FieldKind::Text => "text".to_owned(),
                FieldKind::Number { min, max } => format!("a whole number from {min} to {max}"),
                FieldKind::Choice(choices) => choices.join("; "),
            };
            let missing = if field.required {
                "the rater did not come to the form; it must be filled in"
            } else {
                "not answered; nobody had to"
            };
            entry("form field", &field.id, values, field.label.clone(), missing)
        }));
        entries.extend(of_results());
        entries.extend(
            OUTCOMES.map(|(outcome, meaning)| entry("outcome", &outcome.word(), String::new(), meaning.to_owned(), "")),
        );
        Self {
            study: study.id.clone(),
            title: study.title.clone(),
            sha256: study.sha256(),
            entries,
        }
    }
}

/// The outcomes of a session, as results have them.
const OUTCOMES: [(Outcome, &str); 7] = [
    (Outcome::Complete, "all pages are answered"),
    (Outcome::Partial, "the session goes on, or was left"),
    (Outcome::Declined, "the rater did not agree to the consent text"),
    (
        Outcome::FailedComprehension,
        "the questions on the instructions were not answered right",
    ),
    (
        Outcome::ScreenedOut,
        "the answers of the form are not those of the raters that the study looks for",
    ),
    (
        Outcome::FailedChecks,
        "more planted checks were failed than the study allows, and it ended for that",
    ),
    (Outcome::Expired, "the rater came back too late"),
];

fn entry(part: &'static str, name: &str, values: String, meaning: String, missing: &str) -> Entry {
    Entry {
        part,
        name: name.to_owned(),
        values,
        meaning,
        missing: missing.to_owned(),
    }
}

fn of_column(study: &Study, column: &str) -> Entry {
    let of = |values: &str, meaning: &str, missing: &str| {
        entry("column", column, values.to_owned(), meaning.to_owned(), missing)
    };
    match column {
        "study" => of(&study.id, "The study.", "the file does not say"),
        "rater" => of(
            "a code",
            "Who rated. Codes of “sim-” and a number are of simulated raters.",
            "never",
        ),
        "item" => of(
            "POSITION/METHOD; POSITION/METHOD#2; check/ID",
            "What was rated: a comment; the same comment shown again; a planted check.",
            "never",
        ),
        "position" => of(
            "an id",
            "The position with its move that the comment is about; of a planted check its id.",
            "never",
        ),
        "method" => {
            let mut methods = study.methods();
            methods.push(PLANTED);
            of(
                &methods.join("; "),
                "What wrote the comment. Raters did not see it. “check”: a planted or repeated comment, which is in no table.",
                "never",
            )
        }
        "criterion" => of(
            "the id of a criterion or a follow-up question, or one of the names below",
            "What the value answers. One row for each answer.",
            "never",
        ),
        "value" => of(
            "see the criterion",
            "The answer.",
            "the question was not answered: a missing answer, which is left out and counted. What was not asked has no row",
        ),
        "active_ms" => of(
            "milliseconds",
            "How long the page was looked at, without the time in which it had no focus. The same in all rows of a page.",
            "not known",
        ),
        "answered_at" => of(
            "RFC 3339, UTC",
            "When the page was last answered, by the rater's device.",
            "not known",
        ),
        _ => of("", "", ""),
    }
}

fn of_criterion(study: &Study, criterion: &Criterion) -> Entry {
    let points = study.scale_of(criterion).map_or_else(String::new, |scale| {
        let point = |(number, label): (usize, &String)| {
            if label.is_empty() {
                number.to_string()
            } else {
                format!("{number} = {label}")
            }
        };
        (1..).zip(&scale.points).map(point).collect::<Vec<_>>().join("; ")
    });
    entry(
        "criterion",
        &criterion.id,
        points,
        format!("{}: {}", criterion.title, criterion.statement),
        "the page was not answered, or the file left it out",
    )
}

fn of_follow_up(criterion: &Criterion, follow_up: &FollowUp) -> Vec<Entry> {
    let numbers = |values: &[u8]| values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let asked = format!(
        "{} Asked after {} of {}; one row for each answer ticked.",
        follow_up.question,
        numbers(&follow_up.when),
        criterion.id
    );
    let needed = if follow_up.required.is_empty() {
        "not asked after this rating, or nothing was ticked".to_owned()
    } else {
        format!(
            "not asked after this rating, or nothing was ticked; after {} something must be",
            numbers(&follow_up.required)
        )
    };
    let mut kinds: Vec<&str> = follow_up.kinds.iter().map(|kind| kind.id.as_str()).collect();
    if follow_up.other {
        kinds.push(OTHER);
    }
    let mut entries = vec![entry("follow-up", &follow_up.id, kinds.join("; "), asked, &needed)];
    let kind = |id: &str, label: &str| {
        entry(
            "kind",
            id,
            format!("{} = {id}", follow_up.id),
            label.to_owned(),
            "not ticked",
        )
    };
    entries.extend(follow_up.kinds.iter().map(|ticked| kind(&ticked.id, &ticked.label)));
    if follow_up.other {
        entries.push(kind(OTHER, "Something else; what is in the row below."));
        let meaning = "What the rater wrote under “other”, in their own words: it may say who they are.".to_owned();
        entries.push(entry(
            "follow-up",
            &follow_up.text_id(),
            "text".to_owned(),
            meaning,
            "“other” was not ticked",
        ));
    }
    entries
}

fn of_spans() -> Vec<Entry> {
    let conditions = [Prefill::Hidden, Prefill::Shown, Prefill::Planted];
    let names: Vec<&str> = conditions.iter().map(|condition| condition.word()).collect();
    let meaning = |condition: Prefill| match condition {
        Prefill::Hidden => "The comment carried no marks when it was first shown.",
        Prefill::Shown => "It carried the marks of the claim check.",
        Prefill::Planted => "It carried the marks of the claim check and wrong ones planted among them.",
    };
    let mut entries = vec![
        entry(
            "criterion",
            SPAN,
            "START-END KIND, such as 12-25 wrong-piece".to_owned(),
            "Words of the comment that the rater marked as wrong: the first character, counted from 0, the one after the last, \
             and the kind of error. Characters are Unicode scalar values. One row a mark."
                .to_owned(),
            "nothing was marked where the page has a row span_condition; not asked where it has none",
        ),
        entry(
            "criterion",
            SPAN_CONDITION,
            names.join("; "),
            "Which marks the comment carried when it was first shown to the rater.".to_owned(),
            "marks were not asked for",
        ),
    ];
    entries.extend(conditions.map(|condition| {
        entry(
            "span condition",
            condition.word(),
            String::new(),
            meaning(condition).to_owned(),
            "",
        )
    }));
    entries
}

/// Names of the results as JSON that are in no column of the long form.
fn of_results() -> Vec<Entry> {
    [
        (
            "participant",
            "text",
            "The name by which a recruiting site knows the rater.",
            "the address had none",
        ),
        (
            "slot",
            "a whole number from 1",
            "The rater's slot: the share of the items, or the row.",
            "neither link nor study has one",
        ),
        (
            "row",
            "a whole number from 1",
            "The row of the design of methods: raters of one row met the methods in the same orders.",
            "raters see a share of the items",
        ),
        (
            "pilot",
            "true; false",
            "Whether this was a try before the study: kept out of the analysis.",
            "false",
        ),
        (
            "passed",
            "true; false",
            "Of a planted check: whether the expected ratings were given.",
            "no planted check, or not answered",
        ),
        ("outcome", "see below", "How far the session went.", "never"),
    ]
    .map(|(name, values, meaning, missing)| entry("result", name, values.to_owned(), meaning.to_owned(), missing))
    .into()
}

impl Codebook {
    fn table(&self) -> Table {
        let row = |entry: &Entry| {
            [entry.part, &entry.name, &entry.values, &entry.meaning, &entry.missing]
                .map(Cell::from)
                .to_vec()
        };
        Table {
            caption: format!("Codebook of the study “{}” ({}).", self.title, self.study),
            head: ["part", "name", "values", "meaning", "missing"]
                .map(str::to_owned)
                .to_vec(),
            rows: self.entries.iter().map(row).collect(),
            notes: vec![
                format!("Study version (SHA-256): {}.", self.sha256),
                "A rating is the number of a point, from 1.".to_owned(),
            ],
        }
    }

    /// As a Markdown table.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        self.table().to_markdown()
    }

    /// As CSV with a header. What a spreadsheet would take for a formula has an apostrophe before it.
    #[must_use]
    pub fn to_csv(&self) -> String {
        self.table().to_csv()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::demonstration::demonstration;

    fn find<'a>(book: &'a Codebook, part: &str, name: &str) -> &'a Entry {
        let found: Vec<&Entry> = book
            .entries
            .iter()
            .filter(|entry| entry.part == part && entry.name == name)
            .collect();
        assert_eq!(found.len(), 1, "{part} {name}");
        found[0]
    }

    #[test]
    fn every_name_in_the_files_is_in_it() {
        let study = demonstration().unwrap();
        let book = Codebook::from(&study);
        for column in COLUMNS {
            assert!(!find(&book, "column", column).meaning.is_empty(), "{column}");
        }
        for criterion in &study.criteria {
            let found = find(&book, "criterion", &criterion.id);
            assert!(found.meaning.contains(&criterion.statement));
            assert_eq!(
                found.values.matches(';').count() + 1,
                study.points(&criterion.id).unwrap()
            );
        }
        assert_eq!(
            find(&book, "criterion", "correctness").values,
            "1 = disagree; 2; 3 = agree"
        );
        for field in &study.form {
            assert_eq!(find(&book, "form field", &field.id).meaning, field.label);
        }
        assert_eq!(find(&book, "kind", "illegal").values, "error_kind = illegal");
        assert!(
            find(&book, "follow-up", "error_kind_text")
                .meaning
                .contains("own words")
        );
        assert!(find(&book, "column", "method").values.ends_with("; check"));
        assert!(find(&book, "column", "value").missing.contains("missing answer"));
        for outcome in ["complete", "partial", "declined", "failed-comprehension", "expired"] {
            find(&book, "outcome", outcome);
        }
        for condition in ["hidden", "shown", "planted"] {
            find(&book, "span condition", condition);
        }
    }

    #[test]
    fn it_is_a_table_in_both_formats() {
        let book = Codebook::from(&demonstration().unwrap());
        let csv = book.to_csv();
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        assert_eq!(reader.records().map(Result::unwrap).count(), book.entries.len());
        let rows = book.to_markdown().lines().filter(|line| line.starts_with('|')).count();
        assert_eq!(rows, book.entries.len() + 2);
    }
}

//! The claim check against claims whose truth it had no part in: `tests/data/claims`.
//!
//! `KIBITZ_CLAIMS_REPORT=FILE` writes the figures as JSON; `KIBITZ_CLAIMS_FAILURES=FILE` writes what was judged wrongly
//! of the development half (in all its wordings) and of the sentences written by hand, never of the half that is kept unseen.
//! `KIBITZ_CLAIMS_EXTRA=FILE` has another file of claims judged beside them, for a wording that is being tried.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt::Write as _,
    ops::Range,
};

use kibitz::commentary::{
    FactSheet,
    claims::{Checked, ClaimKind, ClaimVerdict},
    narrate,
};
use serde::Deserialize;
use serde_json::json;
use shakmaty::{Color, Position};

use crate::claim_positions::{
    HANDWRITTEN as HANDWRITTEN_POSITIONS, LABELLED as POSITIONS, checked, positions, read, sheet, sheets,
};

const DEVELOPMENT: [&str; 8] = [
    include_str!("data/claims/dev.jsonl"),
    include_str!("data/claims/dev2.jsonl"),
    include_str!("data/claims/dev3.jsonl"),
    include_str!("data/claims/dev4.jsonl"),
    include_str!("data/claims/dev5.jsonl"),
    include_str!("data/claims/dev6.jsonl"),
    include_str!("data/claims/dev7.jsonl"),
    include_str!("data/claims/dev8.jsonl"),
];
const HELD_OUT: &str = include_str!("data/claims/heldout.jsonl");
const PHRASINGS: [&str; 8] = [
    include_str!("data/claims/templates_dev.txt"),
    include_str!("data/claims/templates_dev2.txt"),
    include_str!("data/claims/templates_dev3.txt"),
    include_str!("data/claims/templates_dev4.txt"),
    include_str!("data/claims/templates_dev5.txt"),
    include_str!("data/claims/templates_dev6.txt"),
    include_str!("data/claims/templates_dev7.txt"),
    include_str!("data/claims/templates_dev8.txt"),
];
const PHRASINGS_HELD_OUT: &str = include_str!("data/claims/templates_heldout.txt");
const HANDWRITTEN: &str = include_str!("data/claims/handwritten.jsonl");

/// Share of false claims that must be caught, of each kind and of all.
const RECALL: f64 = 0.95;
/// Share of true claims that may be contradicted, of each kind and of all.
const FALSE_ALARMS: f64 = 0.02;
/// What is reached on the held-out half, all kinds together: not to be lost again.
const REACHED_RECALL: f64 = 0.975;
/// The same of false alarms.
const REACHED_FALSE_ALARMS: f64 = 0.012;
/// Share of false claims that are caught as the last sentence of a comment.
const REACHED_BEHIND: f64 = 0.88;
/// Share of false claims that are caught of each wording of the development half; wording 7 is at 0.934.
const REACHED_DEVELOPMENT: f64 = 0.93;
/// Kinds that are short of an aim by themselves on the held-out half, where 2 alarms of 57 are too many; the aim is 0.
const REACHED_SHORT: usize = 9;
/// Wrong verdicts on the sentences written by hand so far; the aim is zero.
const REACHED_WRONG: usize = 7;

/// A labelled claim.
#[derive(Deserialize)]
struct Labelled {
    id: String,
    pos: String,
    text: String,
    kind: String,
    truth: bool,
    template: String,
    /// The words of the labelled claim where the sentence holds more than one.
    phrase: Option<String>,
}

/// A sentence written by hand.
#[derive(Deserialize)]
struct Written {
    id: String,
    pos: String,
    text: String,
    claims: Vec<Expected>,
}

#[derive(Deserialize)]
struct Expected {
    phrase: String,
    kind: String,
    verdict: String,
}

/// Where the labelled words stand; the whole text where none are named.
fn labelled(text: &str, phrase: Option<&str>) -> Range<usize> {
    phrase.map_or(0..text.len(), |phrase| {
        let start = text
            .find(phrase)
            .unwrap_or_else(|| panic!("{phrase:?} is not in {text:?}"));
        start..start + phrase.len()
    })
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

fn verdicts<'a>(checked: &'a Checked, at: &'a Range<usize>) -> impl Iterator<Item = ClaimVerdict> + 'a {
    checked
        .claims
        .iter()
        .filter(|claim| overlap(&claim.span, at))
        .map(|claim| claim.verdict)
}

/// How the claims of one kind fared.
#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    wrong: u32,
    caught: u32,
    right: u32,
    alarms: u32,
    /// Right ones of which the check found the claim of that kind supported.
    supported: u32,
    /// Wrong ones that were not caught, but found to be supported.
    believed: u32,
}

impl Tally {
    fn share(of: u32, all: u32) -> f64 {
        if all == 0 { 1.0 } else { f64::from(of) / f64::from(all) }
    }

    fn recall(&self) -> f64 {
        Self::share(self.caught, self.wrong)
    }

    fn false_alarms(&self) -> f64 {
        1.0 - Self::share(self.right - self.alarms, self.right)
    }

    fn coverage(&self) -> f64 {
        Self::share(self.supported, self.right)
    }

    fn add(&mut self, other: &Self) {
        self.wrong += other.wrong;
        self.caught += other.caught;
        self.right += other.right;
        self.alarms += other.alarms;
        self.supported += other.supported;
        self.believed += other.believed;
    }
}

struct Outcome {
    kinds: BTreeMap<String, Tally>,
    overall: Tally,
    /// Of each labelled kind, what kinds of claims were held against lines that are true.
    alarms: BTreeMap<(String, &'static str), u32>,
    failures: Vec<String>,
}

/// A false claim is caught when something its words overlap is contradicted; a true line is a false alarm when
/// anything in it is.
fn judge(lines: &[Labelled], sheets: &HashMap<String, FactSheet>) -> Outcome {
    let mut kinds: BTreeMap<String, Tally> = BTreeMap::new();
    let mut alarms: BTreeMap<(String, &'static str), u32> = BTreeMap::new();
    let mut failures = Vec::new();
    for line in lines {
        let checked = checked(&sheets[&line.pos], &line.text);
        let at = labelled(&line.text, line.phrase.as_deref());
        let tally = kinds.entry(line.kind.clone()).or_default();
        let good = if line.truth {
            tally.right += 1;
            let supported = checked.claims.iter().any(|claim| {
                claim.kind.word() == line.kind && claim.verdict == ClaimVerdict::Supported && overlap(&claim.span, &at)
            });
            tally.supported += u32::from(supported);
            tally.alarms += u32::from(!checked.is_clean());
            for claim in checked.contradicted() {
                *alarms.entry((line.kind.clone(), claim.kind.word())).or_default() += 1;
            }
            checked.is_clean()
        } else {
            tally.wrong += 1;
            let caught = verdicts(&checked, &at).any(|verdict| verdict == ClaimVerdict::Contradicted);
            tally.caught += u32::from(caught);
            let believed = !caught && verdicts(&checked, &at).any(|verdict| verdict == ClaimVerdict::Supported);
            tally.believed += u32::from(believed);
            caught
        };
        if !good {
            failures.push(failure(
                &line.id,
                &line.pos,
                &line.kind,
                &line.text,
                &checked,
                if line.truth { "true" } else { "false" },
            ));
        }
    }
    let mut overall = Tally::default();
    kinds.values().for_each(|tally| overall.add(tally));
    Outcome {
        kinds,
        overall,
        alarms,
        failures,
    }
}

/// One line for whoever mends the check.
fn failure(id: &str, pos: &str, kind: &str, text: &str, checked: &Checked, expected: &str) -> String {
    let claims: Vec<_> = checked
        .claims
        .iter()
        .map(|c| json!({"text": c.text, "kind": c.kind, "verdict": c.verdict, "reason": c.reason}))
        .collect();
    json!({"id": id, "pos": pos, "kind": kind, "expected": expected, "text": text, "claims": claims}).to_string()
}

fn table(half: &str, outcome: &Outcome) -> String {
    let mut text = format!(
        "{half}\n{:<12} {:>6} {:>7} {:>8} {:>6} {:>7} {:>9}  alarms by kind of claim\n",
        "kind", "false", "caught", "believed", "true", "alarms", "supported"
    );
    for (kind, tally) in outcome
        .kinds
        .iter()
        .map(|(kind, tally)| (kind.as_str(), tally))
        .chain([("all", &outcome.overall)])
    {
        let by: Vec<String> = outcome
            .alarms
            .iter()
            .filter(|((labelled, _), _)| labelled == kind)
            .map(|((_, found), n)| format!("{found} {n}"))
            .collect();
        let _ = writeln!(
            text,
            "{kind:<12} {:>6} {:>7.3} {:>8} {:>6} {:>7.3} {:>9.3}  {}",
            tally.wrong,
            tally.recall(),
            tally.believed,
            tally.right,
            tally.false_alarms(),
            tally.coverage(),
            by.join(", ")
        );
    }
    text
}

fn report(outcome: &Outcome) -> serde_json::Value {
    let one = |tally: &Tally| {
        json!({"false": tally.wrong, "caught": tally.caught, "recall": tally.recall(), "true": tally.right,
               "alarms": tally.alarms, "false_alarms": tally.false_alarms(), "coverage": tally.coverage()})
    };
    let kinds: BTreeMap<_, _> = outcome.kinds.iter().map(|(kind, tally)| (kind, one(tally))).collect();
    json!({"kinds": kinds, "overall": one(&outcome.overall)})
}

/// Writes to the file that the environment names, if it does.
fn write_where_asked(variable: &str, text: &str) {
    if let Some(file) = std::env::var_os(variable) {
        std::fs::write(&file, text).unwrap();
    }
}

/// One wording of the development half. The check was made on these, so its figures are no measure of it; but what is reached
/// is not to be lost.
fn development(wording: usize) {
    let outcome = judge(&read::<Labelled>(DEVELOPMENT[wording - 1]), &sheets(POSITIONS));
    eprintln!("{}", table(&format!("development half, wording {wording}"), &outcome));
    let all = &outcome.overall;
    assert!(
        all.recall() >= REACHED_DEVELOPMENT && all.false_alarms() <= FALSE_ALARMS,
        "development half, wording {wording}: recall {:.3}, false alarms {:.3}",
        all.recall(),
        all.false_alarms()
    );
}

// Each apart, so that they run side by side.
#[test]
fn development_1() {
    development(1);
}

#[test]
fn development_2() {
    development(2);
}

#[test]
fn development_3() {
    development(3);
}

#[test]
fn development_4() {
    development(4);
}

#[test]
fn development_5() {
    development(5);
}

#[test]
fn development_6() {
    development(6);
}

#[test]
fn development_7() {
    development(7);
}

#[test]
fn development_8() {
    development(8);
}

/// Writes what the environment asks for: figures of both halves, and what was judged wrongly of the development half.
fn write_reports(sheets: &HashMap<String, FactSheet>, held_out: &Outcome) {
    let asked = |variable: &str| std::env::var_os(variable).is_some();
    if !["KIBITZ_CLAIMS_REPORT", "KIBITZ_CLAIMS_FAILURES", "KIBITZ_CLAIMS_EXTRA"]
        .into_iter()
        .any(asked)
    {
        return;
    }
    let mut development: Vec<Outcome> = DEVELOPMENT
        .iter()
        .map(|lines| judge(&read::<Labelled>(lines), sheets))
        .collect();
    if let Some(file) = std::env::var_os("KIBITZ_CLAIMS_EXTRA") {
        development.push(judge(&read(&std::fs::read_to_string(file).unwrap()), sheets));
    }
    for (outcome, wording) in development.iter().zip(1..) {
        eprintln!("{}", table(&format!("development half, wording {wording}"), outcome));
    }
    let figures = json!({
        "development": development.iter().map(report).collect::<Vec<_>>(),
        "held_out": report(held_out),
    });
    write_where_asked(
        "KIBITZ_CLAIMS_REPORT",
        &format!("{}\n", serde_json::to_string_pretty(&figures).unwrap()),
    );
    let failures: Vec<String> = development.into_iter().flat_map(|outcome| outcome.failures).collect();
    write_where_asked("KIBITZ_CLAIMS_FAILURES", &failures.join("\n"));
}

#[test]
fn false_claims_are_caught_and_true_ones_left_alone() {
    let sheets = sheets(POSITIONS);
    let held_out = judge(&read::<Labelled>(HELD_OUT), &sheets);
    eprintln!("{}", table("held-out half", &held_out));
    write_reports(&sheets, &held_out);
    let all = &held_out.overall;
    assert!(
        all.recall() >= REACHED_RECALL && all.false_alarms() <= REACHED_FALSE_ALARMS,
        "held-out half: recall {:.3}, false alarms {:.3}, worse than before",
        all.recall(),
        all.false_alarms()
    );
    let below: Vec<String> = held_out
        .kinds
        .iter()
        .map(|(kind, tally)| (kind.as_str(), tally))
        .chain([("all", &held_out.overall)])
        .filter(|(_, tally)| tally.recall() < RECALL || tally.false_alarms() > FALSE_ALARMS)
        .map(|(kind, tally)| {
            format!(
                "{kind}: recall {:.3}, false alarms {:.3}",
                tally.recall(),
                tally.false_alarms()
            )
        })
        .collect();
    eprintln!("{} rows still short of the aim:\n{}", below.len(), below.join("\n"));
    assert!(below.len() <= REACHED_SHORT, "{}", below.join("\n"));
}

/// The same claims as a comment's last sentence, behind what the narrator says of the move: the check is laxer there, since a
/// later sentence may go on with a line.
#[test]
fn false_claims_are_caught_at_the_end_of_a_comment() {
    let sheets = sheets(POSITIONS);
    let openings: HashMap<&String, String> = sheets
        .iter()
        .map(|(pos, sheet)| {
            let prose: Vec<String> = narrate(sheet).into_iter().map(|sentence| sentence.text).collect();
            (pos, prose.join(" ") + " ")
        })
        .collect();
    let lines: Vec<Labelled> = read::<Labelled>(HELD_OUT).into_iter().step_by(4).collect();
    let (mut wrong, mut caught, mut right, mut alarms) = (0, 0, 0, 0);
    for line in &lines {
        let opening = &openings[&line.pos];
        let checked = checked(&sheets[&line.pos], &format!("{opening}{}", line.text));
        let at = labelled(&line.text, line.phrase.as_deref());
        let at = opening.len() + at.start..opening.len() + at.end;
        if line.truth {
            right += 1;
            alarms += usize::from(!checked.is_clean());
        } else {
            wrong += 1;
            caught += usize::from(verdicts(&checked, &at).any(|verdict| verdict == ClaimVerdict::Contradicted));
        }
    }
    let share = |of: usize, all: usize| of as f64 / all as f64;
    eprintln!(
        "behind a comment, held-out half: {caught} of {wrong} false claims caught ({:.3}), {alarms} alarms of {right} ({:.3})",
        share(caught, wrong),
        share(alarms, right)
    );
    assert!(share(caught, wrong) >= REACHED_BEHIND, "{caught} of {wrong}");
    assert!(share(alarms, right) <= FALSE_ALARMS, "{alarms} of {right}");
}

/// What a sentence written by hand expects must not be answered with the opposite. Silence on a true claim is no error
/// (it is counted); silence on a false one is.
#[test]
fn sentences_of_commentators_get_no_wrong_verdict() {
    let sheets = sheets(HANDWRITTEN_POSITIONS);
    let (mut claims, mut silent, mut failures) = (0, 0, Vec::new());
    let lines: Vec<Written> = read(HANDWRITTEN);
    for line in &lines {
        let checked = checked(&sheets[&line.pos], &line.text);
        let expects_wrong: Vec<Range<usize>> = line
            .claims
            .iter()
            .filter(|expected| expected.verdict == "contradicted")
            .map(|expected| labelled(&line.text, Some(&expected.phrase)))
            .collect();
        for expected in &line.claims {
            claims += 1;
            let at = labelled(&line.text, Some(&expected.phrase));
            let found: Vec<ClaimVerdict> = verdicts(&checked, &at).collect();
            let has = |verdict| found.contains(&verdict);
            let good = match expected.verdict.as_str() {
                "contradicted" => has(ClaimVerdict::Contradicted),
                "supported" => {
                    silent += usize::from(!has(ClaimVerdict::Supported));
                    !has(ClaimVerdict::Contradicted) || expects_wrong.iter().any(|wrong| overlap(wrong, &at))
                }
                "uncheckable" => !has(ClaimVerdict::Contradicted) && !has(ClaimVerdict::Supported),
                other => panic!("{}: {other}", line.id),
            };
            if !good {
                let wanted = format!("{}: {}", expected.verdict, expected.phrase);
                failures.push(failure(
                    &line.id,
                    &line.pos,
                    &expected.kind,
                    &line.text,
                    &checked,
                    &wanted,
                ));
            }
        }
        // Nothing else in the sentence is wrong.
        for claim in checked.contradicted() {
            if !line
                .claims
                .iter()
                .any(|c| overlap(&labelled(&line.text, Some(&c.phrase)), &claim.span))
            {
                let wanted = format!("nothing against {:?}", claim.text);
                failures.push(failure(
                    &line.id,
                    &line.pos,
                    claim.kind.word(),
                    &line.text,
                    &checked,
                    &wanted,
                ));
            }
        }
    }
    eprintln!(
        "{} sentences by hand, {claims} claims: {} wrong verdicts, {silent} true claims not found",
        lines.len(),
        failures.len()
    );
    if let Some(file) = std::env::var_os("KIBITZ_CLAIMS_FAILURES") {
        let mut file = file;
        file.push(".handwritten");
        std::fs::write(&file, failures.join("\n")).unwrap();
    }
    assert!(failures.len() <= REACHED_WRONG, "{}", failures.join("\n"));
}

#[test]
fn the_corpus_is_what_it_says() {
    let (origin, rows) = positions(POSITIONS);
    assert!(origin.engine.starts_with("Stockfish") && origin.nodes > 0);
    let half_of: HashMap<&str, &str> = rows.iter().map(|row| (row.id.as_str(), row.half.as_str())).collect();
    let mut spoken_of = BTreeSet::new();
    let mut kinds: BTreeMap<(String, bool), [u32; 2]> = BTreeMap::new();
    let mut templates: [BTreeSet<String>; 2] = Default::default();
    let mut claims = 0;
    for (half, (name, lines)) in [("dev", DEVELOPMENT[0]), ("heldout", HELD_OUT)].into_iter().enumerate() {
        for line in read::<Labelled>(lines) {
            claims += 1;
            assert_eq!(half_of[line.pos.as_str()], name, "{}", line.id);
            assert!(ClaimKind::of_word(&line.kind).is_some(), "{}: {}", line.id, line.kind);
            assert!(
                line.phrase.as_deref().is_none_or(|phrase| line.text.contains(phrase)),
                "{}",
                line.id
            );
            kinds.entry((line.kind, line.truth)).or_default()[half] += 1;
            spoken_of.insert(line.pos);
            templates[half].extend(line.template.split('+').map(str::to_owned));
        }
    }
    assert!(
        claims >= 3000 && spoken_of.len() >= 300,
        "{claims} claims over {} positions",
        spoken_of.len()
    );
    assert!(templates[0].is_disjoint(&templates[1]));
    let mut ids = BTreeSet::new();
    for line in DEVELOPMENT[1..].iter().flat_map(|lines| read::<Labelled>(lines)) {
        assert_eq!(half_of[line.pos.as_str()], "dev", "{}", line.id);
        assert!(ClaimKind::of_word(&line.kind).is_some(), "{}: {}", line.id, line.kind);
        labelled(&line.text, line.phrase.as_deref());
        for template in line.template.split('+') {
            assert!(
                templates.iter().all(|others| !others.contains(template)),
                "{}: {template}",
                line.id
            );
        }
        assert!(ids.insert(line.id));
    }
    assert!(ids.len() >= 2500, "{}", ids.len());
    for kind in ClaimKind::ALL {
        // Prose about no board, and what the corpus's claims presuppose without being about it.
        if matches!(
            kind,
            ClaimKind::Other | ClaimKind::Movement | ClaimKind::Phase | ClaimKind::Trapped
        ) {
            continue;
        }
        for truth in [true, false] {
            let [dev, held_out] = kinds.get(&(kind.word().to_owned(), truth)).copied().unwrap_or_default();
            assert!(
                dev >= 20 && held_out >= 40,
                "{} {truth}: {dev}, {held_out}",
                kind.word()
            );
        }
    }
    let (mut right, mut wrong) = (0_u32, 0_u32);
    for ((_, truth), [dev, held_out]) in &kinds {
        *(if *truth { &mut right } else { &mut wrong }) += dev + held_out;
    }
    assert!(
        right.abs_diff(wrong) * 50 < right + wrong,
        "{right} true, {wrong} false"
    );

    let (_, rows) = positions(HANDWRITTEN_POSITIONS);
    let known: BTreeSet<&str> = rows.iter().map(|row| row.id.as_str()).collect();
    let by_hand: Vec<Written> = read(HANDWRITTEN);
    assert!(by_hand.len() >= 150);
    for line in &by_hand {
        assert!(
            known.contains(line.pos.as_str()) && !line.claims.is_empty(),
            "{}",
            line.id
        );
        for claim in &line.claims {
            labelled(&line.text, Some(&claim.phrase));
            assert!(ClaimKind::of_word(&claim.kind).is_some(), "{}: {}", line.id, claim.kind);
        }
    }
}

/// The phrasings of a file of templates, without what fills them and how they end.
fn phrasings(templates: &str) -> BTreeSet<String> {
    let lines = templates.lines().filter(|line| line.starts_with(['+', '-']));
    lines
        .filter_map(|line| line.split_once(' '))
        .map(|(_, words)| {
            let between: Vec<&str> = words
                .split('{')
                .map(|piece| piece.split_once('}').map_or(piece, |(_, rest)| rest))
                .collect();
            between.join("{}").trim().trim_end_matches(['.', '!']).to_lowercase()
        })
        .collect()
}

/// Common words are common to many writers: what the held-out half says must be in none of the files the check is
/// developed on, or it would not be unseen.
#[test]
fn phrasings_that_are_held_out_are_nowhere_else() {
    let held_out = phrasings(PHRASINGS_HELD_OUT);
    assert!(held_out.len() > 400, "{}", held_out.len());
    for (file, templates) in PHRASINGS.iter().enumerate() {
        let seen = phrasings(templates);
        assert!(seen.is_empty() || seen.len() > 100, "{}", seen.len());
        assert_eq!(seen.intersection(&held_out).count(), 0, "in file {file}");
    }
}

/// The labels do not come from the code under test; here a few of the plainest are counted over with shakmaty.
#[test]
fn turns_and_checks_are_labelled_as_the_board_has_them() {
    let (origin, rows) = positions(POSITIONS);
    let sheets: HashMap<&str, FactSheet> = rows
        .iter()
        .map(|row| (row.id.as_str(), sheet(&origin, row, None)))
        .collect();
    let mut seen = 0;
    for line in DEVELOPMENT.into_iter().chain([HELD_OUT]).flat_map(read::<Labelled>) {
        let after = &sheets[line.pos.as_str()].played().after;
        let expected = match line.text.as_str() {
            "White to move." | "It is now White to move." | "White is on move." | "White to play." => {
                after.turn() == Color::White
            }
            "Black to move." | "It is now Black to move." | "Black is on move." | "Black to play." => {
                after.turn() == Color::Black
            }
            "It is checkmate." | "That's mate!" => after.is_checkmate(),
            "It is stalemate." | "The game ends in stalemate." => after.is_stalemate(),
            _ => continue,
        };
        seen += 1;
        assert_eq!(expected, line.truth, "{}: {}", line.id, line.text);
    }
    assert!(seen >= 20, "{seen}");
}

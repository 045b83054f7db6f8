//! What the narrator claims holds, and is never contradicted by our own reader, whatever it was told: by the board, the engine, and
//! Stockfish 8's terms, as they were recorded for the positions of the labelled claims.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;

use crate::claim_positions::{HANDWRITTEN, LABELLED, positions, read, sheet};
use kibitz::{
    commentary::{
        Claim, FactSheet,
        claims::{Statement, check, evaluate, statement::WrittenStatement},
        fact_claims, narrate_board, narrate_in,
    },
    concepts::{Concept, ConceptScores, Concepts, Source, priorities},
};
use serde::Deserialize;
use shakmaty::{Color, fen::Fen};

/// How many wordings of each are checked.
const WORDINGS: u32 = 2;
/// Facts that are held against themselves so far, of every sixth position; the aim is zero.
const REACHED: usize = 21;
/// Sentences of the narrator that our reader misreads so far, in two wordings; the aim is zero.
const MISREAD: usize = 2;
/// Of the positions, those whose facts are read.
const EVERY: usize = 6;
const CONCEPTS: &str = include_str!("data/claims/concepts.jsonl");

#[derive(Deserialize)]
struct Head {
    concepts: Vec<String>,
}

/// The mover's view of each concept, in the order of the head.
#[derive(Deserialize)]
struct Recorded {
    id: String,
    before: Vec<f32>,
    after: Vec<f32>,
    after_reply: Option<Vec<f32>>,
}

impl Recorded {
    fn concepts(&self, names: &[Concept], mover: Color) -> Concepts {
        let scores = |values: &Vec<f32>| {
            assert_eq!(values.len(), names.len());
            ConceptScores::new(Concept::ALL.map(|concept| {
                let value = values[names.iter().position(|name| *name == concept).unwrap()];
                // Back from the mover's view to that of the concept's own side.
                if concept.side.unwrap_or(Color::White) == mover {
                    value
                } else {
                    -value
                }
            }))
        };
        let reply = self.after_reply.as_ref().map(scores);
        Concepts {
            source: Source::Stockfish8,
            changes: priorities(&scores(&self.before), &scores(&self.after), reply.as_ref(), mover),
            rule: kibitz::concepts::Rule::default(),
            by_authors: Vec::new(),
            doubted: Vec::new(),
        }
    }
}

/// What our reader holds against a text, surely or not.
fn against(sheet: &FactSheet, text: &str) -> Vec<Claim> {
    let claims = check(sheet, text).claims;
    claims.into_iter().filter(|claim| claim.verdict.is_against()).collect()
}

/// The sheets of all positions that have concepts.
fn sheets() -> Vec<(String, FactSheet)> {
    let (head, lines) = CONCEPTS.split_once('\n').unwrap();
    let head: Head = serde_json::from_str(head).unwrap();
    let names: Vec<Concept> = head
        .concepts
        .iter()
        .map(|name| Concept::from_name(name).unwrap())
        .collect();
    let recorded: HashMap<String, Recorded> = read::<Recorded>(lines)
        .into_iter()
        .map(|line| (line.id.clone(), line))
        .collect();
    let mut found = Vec::new();
    for file in [LABELLED, HANDWRITTEN] {
        let (origin, rows) = positions(file);
        for row in &rows {
            let mover = row.fen.parse::<Fen>().unwrap().as_setup().turn;
            let concepts = recorded.get(&row.id).map(|line| line.concepts(&names, mover));
            found.push((
                format!("{} {} {}", row.id, row.fen, row.uci),
                sheet(&origin, row, concepts.as_ref()),
            ));
        }
    }
    found
}

/// What is not so of some claims, a line each.
fn not_so(sheet: &FactSheet, claims: Vec<Statement>) -> Vec<String> {
    let judged = claims.into_iter().map(|claim| (evaluate(&claim, sheet), claim));
    judged
        .filter(|(truth, _)| truth.fails())
        .map(|(truth, claim)| {
            let written = serde_json::to_string(&WrittenStatement::from(&claim)).unwrap();
            format!("{written} {}", truth.into_parts().1)
        })
        .collect()
}

/// Board and engine judge what a sentence claims as data: nobody reads its words.
#[test]
fn what_its_sentences_claim_is_so() {
    let (mut claims, mut silent) = (0, 0);
    let mut wrong = Vec::new();
    for (name, sheet) in &sheets() {
        for sentence in narrate_in(sheet, 0).iter().chain(&narrate_board(sheet)) {
            let claimed = sentence.claims(sheet);
            claims += claimed.len();
            silent += usize::from(claimed.is_empty());
            for not_so in not_so(sheet, claimed) {
                wrong.push(format!("{name}: {}\n    {not_so}", sentence.text));
            }
        }
    }
    assert!(
        claims > 3000 && silent < 60,
        "{claims} claims, {silent} sentences without one"
    );
    assert!(wrong.is_empty(), "{} of {claims}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Not only what is said of them: every fact of a sheet.
#[test]
fn what_facts_claim_is_so() {
    let (mut claims, mut wrong) = (0, Vec::new());
    for (name, sheet) in sheets().iter().step_by(EVERY) {
        for fact in sheet.facts() {
            let claimed = fact_claims::claims(fact);
            claims += claimed.len();
            for not_so in not_so(sheet, claimed) {
                wrong.push(format!("{name}: {}\n    {not_so}", fact.text));
            }
        }
    }
    assert!(claims > 2000, "{claims}");
    assert!(wrong.is_empty(), "{} of {claims}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn engine_and_concepts_in_its_words_are_not_held_against_it() {
    let sheets = sheets();
    assert!(sheets.len() > 400, "{}", sheets.len());
    let (mut sentences, mut of_concepts) = (0, 0);
    let mut wrong = Vec::new();
    for ((name, sheet), wording) in sheets
        .iter()
        .flat_map(|sheet| (0..WORDINGS).map(move |wording| (sheet, wording)))
    {
        let prose: Vec<String> = narrate_in(sheet, wording)
            .into_iter()
            .map(|sentence| sentence.text)
            .collect();
        sentences += prose.len();
        let text = prose.join(" ");
        of_concepts += text.matches(" also ").count();
        for claim in against(sheet, &text) {
            wrong.push(format!(
                "{name}: {text}\n    {} {:?} {}",
                claim.kind.word(),
                claim.text,
                claim.reason
            ));
        }
    }
    // Few of them: what the board does not bear out is not said.
    assert!(of_concepts > 30, "concepts are spoken of {of_concepts} times");
    assert!(
        wrong.len() <= MISREAD,
        "{} of {sentences} sentences:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// What is said before anything is searched, held against all that is known later.
#[test]
fn the_board_alone_says_nothing_that_is_taken_back() {
    let (mut told, mut wrong) = (std::collections::BTreeSet::new(), Vec::new());
    for (name, sheet) in sheets() {
        let prose = narrate_board(&FactSheet::new(sheet.played(), None, None));
        assert_eq!(prose.len(), 1, "{name}");
        let text = &prose[0].text;
        assert!(
            text.contains(|letter: char| letter.is_ascii_alphanumeric()),
            "{name}: {text}"
        );
        for claim in against(&sheet, text) {
            wrong.push(format!("{name}: {text}\n    {} {}", claim.kind.word(), claim.reason));
        }
        told.insert(text.clone());
    }
    assert!(told.len() > 300, "{}", told.len());
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

/// What a model quotes from its prompt is not held against it.
#[test]
fn facts_are_not_held_against_themselves() {
    let mut wrong = Vec::new();
    let mut facts = 0;
    for (name, sheet) in sheets().iter().step_by(EVERY) {
        for fact in sheet.facts() {
            facts += 1;
            for claim in against(sheet, &fact.text) {
                wrong.push(format!(
                    "{} {:?} {}\n    {:?} {name}",
                    claim.kind.word(),
                    fact.text,
                    claim.reason,
                    fact.moment
                ));
            }
        }
    }
    assert!(
        wrong.len() <= REACHED,
        "{} of {facts} facts:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

//! The worked examples of a prompt: positions, evaluations and comments of our own, printed like any other sheet.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;
use shakmaty::{Chess, Position, san::SanPlus, uci::UciMove};

use super::{
    super::{Arm, Evaluation, FactSheet, Line, ranked},
    candidates::candidates,
};
use crate::{
    chess::{Played, fen::read_fen, notation::read_move},
    concepts::{Concept, ConceptChange, Concepts, Source},
    uci::{Limit, Score},
};

const FILE: &str = include_str!("examples.json");

/// The line that the reasoning before a comment begins with.
pub(super) const fn heading(arm: Arm) -> &'static str {
    if arm.tells_concepts() {
        "Concept evaluation"
    } else {
        "Reasoning"
    }
}

/// An example: the sheets of a move, and what a good answer says of it.
#[derive(Debug, Clone)]
pub struct Example {
    probes: FactSheet,
    terms: FactSheet,
    remarks: BTreeMap<String, String>,
    steps: Vec<String>,
    comment: String,
}

/// Why the examples can't be read.
#[derive(Debug, thiserror::Error)]
pub enum ExampleError {
    /// Not the JSON it should be.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A FEN, move, line or concept name that can't be.
    #[error("example {0}: {1}")]
    Chess(String, String),
}

/// The examples of every prompt.
#[must_use]
pub fn examples() -> &'static [Example] {
    // The file is part of the program, and a test reads it.
    static EXAMPLES: LazyLock<Vec<Example>> = LazyLock::new(|| read_examples(FILE).unwrap_or_default());
    &EXAMPLES
}

impl Example {
    /// The sheet, with concepts from the same kind of source as another sheet's; from probes where that has none.
    #[must_use]
    pub fn sheet(&self, like: &FactSheet) -> &FactSheet {
        match like.concepts().map(|concepts| &concepts.source) {
            Some(Source::Stockfish8) => &self.terms,
            _ => &self.probes,
        }
    }

    /// The comment, the same for every arm.
    #[must_use]
    pub fn comment(&self) -> &str {
        &self.comment
    }

    /// The answer as the instructions for `arm` ask for it; `sheet` is one of its own.
    #[must_use]
    pub fn answer(&self, sheet: &FactSheet, arm: Arm, reasoning: bool) -> String {
        let mut answer = String::new();
        if reasoning {
            answer.push_str(&format!("{}:\n", heading(arm)));
            if arm.tells_concepts() {
                for candidate in candidates(sheet, arm) {
                    if let Some(remark) = self.remarks.get(candidate.concept.name()) {
                        answer.push_str(&format!("- {}: {remark}\n", candidate.concept.title()));
                    }
                }
            } else {
                for step in &self.steps {
                    answer.push_str(&format!("- {step}\n"));
                }
            }
        }
        answer + "Comment: " + &self.comment
    }

    /// The steps of reasoning of the arms without concepts, each a sentence on the board.
    #[must_use]
    pub fn steps(&self) -> &[String] {
        &self.steps
    }

    /// The concepts that an arm would name of it and that no remark is written for; none in a good file.
    #[must_use]
    pub fn unremarked(&self) -> Vec<&'static str> {
        [&self.probes, &self.terms]
            .into_iter()
            .flat_map(|sheet| Arm::ALL.into_iter().flat_map(|arm| candidates(sheet, arm)))
            .map(|candidate| candidate.concept.name())
            .filter(|name| !self.remarks.contains_key(*name))
            .collect()
    }
}

#[derive(Deserialize)]
struct File {
    engine: String,
    nodes: u64,
    network: String,
    examples: Vec<Written>,
}

#[derive(Deserialize)]
struct Written {
    name: String,
    fen: String,
    #[serde(rename = "move")]
    mv: String,
    before: Vec<WrittenLine>,
    played: Score,
    after: Vec<WrittenLine>,
    probes: Vec<WrittenChange>,
    /// Decision values, clipped, for the paper's method.
    clipped: Vec<WrittenChange>,
    terms: Vec<WrittenChange>,
    remarks: BTreeMap<String, String>,
    steps: Vec<String>,
    comment: String,
}

#[derive(Deserialize)]
struct WrittenLine {
    score: Score,
    depth: u32,
    /// SAN, with spaces between.
    line: String,
}

/// Name, before, after, after the reply: the mover's view.
type WrittenChange = (String, f32, f32, Option<f32>);

/// Reads a file of examples.
///
/// # Errors
/// Where it is not of the form, or holds something that chess does not allow.
pub fn read_examples(json: &str) -> Result<Vec<Example>, ExampleError> {
    let file: File = serde_json::from_str(json)?;
    file.examples
        .iter()
        .map(|written| read(&file, written).map_err(|why| ExampleError::Chess(written.name.clone(), why)))
        .collect()
}

fn read(file: &File, written: &Written) -> Result<Example, String> {
    let position = read_fen(&written.fen).map_err(|error| error.to_string())?;
    let mv = read_move(&position.position, position.mode, &written.mv).map_err(|error| error.to_string())?;
    let played = Played::new(position.position, mv, position.mode, Vec::new()).ok_or("the move is not legal")?;
    let lines = |written: &[WrittenLine], from: &Chess| -> Result<Vec<Line>, String> {
        written.iter().map(|w| line(w, from, &played)).collect()
    };
    let before = lines(&written.before, &played.before)?;
    let evaluation = Evaluation {
        engine: file.engine.clone(),
        limit: Limit::Nodes(file.nodes),
        nodes: 2 * file.nodes,
        trust: crate::commentary::Trust::Settled,
        ranking: ranked(&before),
        before,
        played: written.played,
        accepted: None,
        after: lines(&written.after, &played.after)?,
    };
    let sheet = |source, changes: &[WrittenChange], by_authors: &[WrittenChange]| {
        let concepts = Concepts {
            source,
            changes: changes.iter().map(change).collect::<Result<_, String>>()?,
            rule: crate::concepts::Rule::default(),
            by_authors: by_authors.iter().map(change).collect::<Result<_, String>>()?,
            doubted: Vec::new(),
        };
        Ok::<_, String>(FactSheet::new(&played, Some(&evaluation), Some(&concepts)))
    };
    Ok(Example {
        probes: sheet(
            Source::Probes {
                network_hash: file.network.clone(),
            },
            &written.probes,
            &written.clipped,
        )?,
        terms: sheet(Source::Stockfish8, &written.terms, &written.terms)?,
        remarks: written.remarks.clone(),
        steps: written.steps.clone(),
        comment: written.comment.clone(),
    })
}

fn line(written: &WrittenLine, from: &Chess, played: &Played) -> Result<Line, String> {
    let mut at = from.clone();
    let mut moves: Vec<UciMove> = Vec::new();
    let mut san = Vec::new();
    for word in written.line.split_whitespace() {
        let mv = word
            .parse::<SanPlus>()
            .map_err(|_| format!("{word} is no move"))?
            .san
            .to_move(&at)
            .map_err(|_| format!("{word} can't be played"))?;
        moves.push(mv.to_uci(played.mode));
        san.push(SanPlus::from_move(at.clone(), mv).to_string());
        at.play_unchecked(mv);
    }
    Ok(Line {
        score: written.score,
        wdl: None,
        depth: written.depth,
        moves,
        san,
    })
}

fn change((name, before, after, after_reply): &WrittenChange) -> Result<ConceptChange, String> {
    Ok(ConceptChange {
        concept: Concept::from_name(name).ok_or_else(|| format!("{name} is no concept"))?,
        before: *before,
        after: *after,
        after_reply: *after_reply,
        rank: None,
    })
}

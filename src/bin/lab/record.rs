//! A commentary as one JSON object, and as text to read. Nothing in it depends on the clock.

use std::fmt::Write;

use kibitz::commentary::narrator::Sentence;
use kibitz::commentary::{Evaluation, Fact, Line};
use kibitz::concepts::ConceptChange;
use kibitz::uci::{Limit, Score};
use serde::Serialize;
use serde_json::Value;
use shakmaty::san::SanPlus;

use super::input::Input;
use super::model::ModelComment;
use super::network::Runnable;
use super::pipeline::Commented;

/// How many of the network's moves are listed.
const POLICY_MOVES: usize = 5;

/// The object of a position. Scores, win probabilities and concepts are the mover's view.
#[derive(Serialize)]
pub struct Record<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a Value>,
    fen: &'a str,
    #[serde(rename = "move")]
    mv: MoveRecord,
    repairs: &'a [String],
    verdict: Option<&'static str>,
    evaluation: Option<EvaluationRecord<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    network: Option<NetworkRecord<'a>>,
    facts: &'a [Fact],
    concepts: Vec<ConceptRecord>,
    concept_source: Option<String>,
    /// The rule that put the concepts in order.
    concept_rule: Option<&'static str>,
    /// What their changes are in.
    concept_unit: Option<&'static str>,
    /// Why there are no concepts.
    #[serde(skip_serializing_if = "Option::is_none")]
    no_concepts: Option<&'a str>,
    prose: &'a [Sentence],
    /// The language model's comment.
    #[serde(flatten)]
    model: Option<&'a ModelComment>,
}

/// What stands in the place of a bad line.
#[derive(Debug, Serialize)]
pub struct ErrorRecord<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<&'a Value>,
    pub error: &'a str,
    pub line: usize,
}

#[derive(Debug, Serialize)]
struct MoveRecord {
    uci: String,
    san: String,
}

#[derive(Debug, Serialize)]
struct EvaluationRecord<'a> {
    engine: &'a str,
    limit: Limit,
    nodes: u64,
    view: &'static str,
    before: Vec<LineRecord<'a>>,
    played: ScoreRecord,
    after: Vec<LineRecord<'a>>,
    expected_reply: Option<MoveRecord>,
}

#[derive(Debug, Serialize)]
struct LineRecord<'a> {
    #[serde(flatten)]
    score: ScoreRecord,
    #[serde(skip_serializing_if = "Option::is_none")]
    wdl: Option<[u16; 3]>,
    depth: u32,
    moves: Vec<String>,
    san: &'a [String],
}

#[derive(Debug, Serialize)]
struct ScoreRecord {
    score: Score,
    text: String,
    win: f64,
}

#[derive(Debug, Serialize)]
struct ConceptRecord {
    name: &'static str,
    label: String,
    before: f32,
    after: f32,
    change: f32,
    after_reply: Option<f32>,
    settled: f32,
    lasting: bool,
}

#[derive(Debug, Serialize)]
struct NetworkRecord<'a> {
    name: &'a str,
    hash: &'a str,
    wdl: Option<[f32; 3]>,
    q: f32,
    policy: Vec<PolicyRecord>,
    /// The probability that the network gives the move played.
    played: f32,
}

#[derive(Debug, Serialize)]
struct PolicyRecord {
    san: String,
    p: f32,
}

impl<'a> Record<'a> {
    /// Puts the object together.
    pub fn new(
        id: Option<&'a Value>,
        input: &'a Input,
        commented: &'a Commented,
        network: Option<&'a Runnable>,
        model: Option<&'a ModelComment>,
    ) -> Self {
        let mover = input.played.mover();
        let (concepts, no_concepts) = match &commented.concepts {
            Ok(concepts) => (Some(concepts), None),
            Err(why) => (None, Some(why.as_str())),
        };
        Self {
            id,
            fen: &input.fen,
            mv: MoveRecord {
                uci: input.played.uci().to_string(),
                san: input.played.san(),
            },
            repairs: &input.repairs,
            verdict: commented.verdict.map(kibitz::commentary::Verdict::word),
            evaluation: commented.evaluation.as_ref().map(evaluation),
            network: network.zip(commented.network.as_ref()).map(|(network, output)| {
                let played = output.policy.iter().find(|(m, _)| *m == input.played.mv);
                NetworkRecord {
                    name: &network.name,
                    hash: &network.hash,
                    wdl: output.wdl,
                    q: output.q,
                    policy: output
                        .policy
                        .iter()
                        .take(POLICY_MOVES)
                        .map(|&(m, p)| PolicyRecord {
                            san: SanPlus::from_move(input.played.before.clone(), m).to_string(),
                            p,
                        })
                        .collect(),
                    played: played.map_or(0.0, |&(_, p)| p),
                }
            }),
            facts: commented.sheet.facts(),
            concepts: concepts
                .into_iter()
                .flat_map(|concepts| &concepts.changes)
                .map(|change| concept(change, mover))
                .collect(),
            concept_source: concepts.map(|concepts| concepts.source.to_string()),
            concept_rule: concepts.map(|concepts| concepts.rule.name()),
            concept_unit: concepts.map(|concepts| concepts.unit().short()),
            no_concepts,
            prose: &commented.prose,
            model,
        }
    }

    /// For the eye.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n{}", self.fen, self.mv.san);
        if let Some(verdict) = self.verdict {
            let _ = write!(text, ": {verdict}");
        }
        text.push('\n');
        for repair in self.repairs {
            let _ = writeln!(text, "  repaired: {repair}");
        }
        text.push('\n');
        for sentence in self.prose {
            let _ = writeln!(text, "{}", sentence.text);
        }
        if let Some(model) = self.model {
            let _ = write!(text, "\n{}", model.text());
        }
        if let Some(evaluation) = &self.evaluation {
            let _ = writeln!(
                text,
                "\n{}, the mover's view: {}",
                evaluation.engine, evaluation.played.text
            );
            for line in &evaluation.before {
                let _ = writeln!(text, "  {:>7}  {}", line.score.text, line.san.join(" "));
            }
            for line in &evaluation.after {
                let _ = writeln!(text, "  {:>7}  {} {}", line.score.text, self.mv.san, line.san.join(" "));
            }
        }
        if let Some(network) = &self.network {
            let moves: Vec<String> = network
                .policy
                .iter()
                .map(|m| format!("{} {:.0} %", m.san, m.p * 100.0))
                .collect();
            let _ = writeln!(text, "\n{}: {}", network.name, moves.join(", "));
        }
        if let Some(source) = &self.concept_source {
            let (rule, unit) = (
                self.concept_rule.unwrap_or_default(),
                self.concept_unit.unwrap_or_default(),
            );
            let _ = writeln!(
                text,
                "\nConcepts ({source}; order: {rule}; in {unit}), the mover's view:"
            );
            for concept in self.concepts.iter().filter(|concept| concept.change != 0.0).take(5) {
                let _ = writeln!(
                    text,
                    "  {:<24} {:+.2} → {:+.2}  ({:+.2})",
                    concept.label, concept.before, concept.after, concept.change
                );
            }
        }
        let _ = writeln!(text, "\nFacts:");
        for fact in self.facts {
            let _ = writeln!(text, "  {:<4} {}", fact.id.to_string(), fact.text);
        }
        text
    }
}

fn evaluation(evaluation: &Evaluation) -> EvaluationRecord<'_> {
    EvaluationRecord {
        engine: &evaluation.engine,
        limit: evaluation.limit,
        nodes: evaluation.nodes,
        view: "mover",
        before: evaluation.before.iter().map(line).collect(),
        played: score(evaluation.played),
        after: evaluation.after.iter().map(line).collect(),
        expected_reply: evaluation.after.first().and_then(|line| {
            Some(MoveRecord {
                uci: line.moves.first()?.to_string(),
                san: line.san.first()?.clone(),
            })
        }),
    }
}

fn line(line: &Line) -> LineRecord<'_> {
    LineRecord {
        score: score(line.score),
        wdl: line.wdl,
        depth: line.depth,
        moves: line.moves.iter().map(ToString::to_string).collect(),
        san: &line.san,
    }
}

fn score(score: Score) -> ScoreRecord {
    /// Digits that mean something in a win probability.
    const PARTS: f64 = 1e4;
    ScoreRecord {
        score,
        text: score.to_string(),
        win: (score.win_probability() * PARTS).round() / PARTS,
    }
}

fn concept(change: &ConceptChange, mover: shakmaty::Color) -> ConceptRecord {
    ConceptRecord {
        name: change.concept.name(),
        label: change.concept.label(mover),
        before: change.before,
        after: change.after,
        change: change.change(),
        after_reply: change.after_reply,
        settled: change.settled(),
        lasting: change.lasting(),
    }
}

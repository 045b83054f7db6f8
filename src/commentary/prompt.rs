//! The fact sheet printed as a chat prompt: the paper's method (CCC, section 3.1.2) in our words.
//!
//! The user text gives the board, the move, the engine's evaluation in the paper's wording, the concepts by priority, all
//! attacks and the numbered facts. Whatever a language model may say has to come from there.

use std::fmt::Write as _;

use shakmaty::{Color, EnPassantMode, Position, Role, fen::Fen};

use super::{
    Evaluation, FactSheet, Line,
    fact::{Change, Detail, FactKind, Moment},
};
use crate::{
    chess::{
        Man,
        material::join,
        names::{color_name, role_name},
    },
    uci::Score,
};

/// A prompt for a chat model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// The system message: the role and its rules.
    pub system: String,
    /// The user message: what is known about the move.
    pub user: String,
}

const SYSTEM: &str = "You are a chess coach who comments on one move of a game. You are given the board, the move, an \
engine's evaluation, the concepts that the move changed and a numbered list of facts. The facts are correct and \
complete: say only what they support.";

const INSTRUCTIONS: &str = "Comment on the move in one to three sentences of plain English prose.
- Start with what matters most about the move: mate, material, a tactic, or the plan behind it; then why it is good or bad.
- Name only pieces, squares and moves that appear in the facts, and attack lists, above. Do not invent moves or lines.
- Give no evaluation numbers: no centipawns, percentages or depths. Do not mention fact numbers, the engine or these instructions.
- Say less rather than guess.";

/// Prints the sheet as a prompt.
#[must_use]
pub fn prompt(sheet: &FactSheet) -> Prompt {
    let played = sheet.played();
    let mut user = String::new();
    let fen = Fen::from_position(&played.before, EnPassantMode::Legal);
    let mut line = |text: String| {
        user.push_str(&text);
        user.push('\n');
    };
    line(format!("position: {fen}"));
    line(format!("side to move: {}", color_name(played.mover())));
    for color in Color::ALL {
        line(format!("{}'s men: {}", color_name(color), men(sheet, color)));
    }
    let dots = if played.mover() == Color::White { "." } else { "..." };
    line(format!("move: {}{dots} {}", played.before.fullmoves(), played.san()));
    if let Some(evaluation) = sheet.evaluation() {
        line(format!(
            "engine evaluation ({}'s view): {}",
            color_name(played.mover()),
            evaluation_line(sheet, evaluation)
        ));
    }
    let concepts: Vec<String> = sheet.of_kind(FactKind::Concept).map(|fact| fact.text.clone()).collect();
    if !concepts.is_empty() {
        line(String::from("concepts, the most changed first:"));
        for concept in concepts {
            line(format!("- {concept}"));
        }
    }
    for (moment, title) in [
        (Moment::Before, "attacks before the move"),
        (Moment::After, "attacks after the move"),
    ] {
        line(format!("{title}: {}", attacks(sheet, moment)));
    }
    line(String::from("facts:"));
    for fact in sheet.facts() {
        if !matches!(fact.kind, FactKind::Attack | FactKind::Concept) {
            line(format!("[{}] {}", fact.id, fact.text));
        }
    }
    let _ = write!(user, "\n{INSTRUCTIONS}");
    Prompt {
        system: SYSTEM.to_owned(),
        user,
    }
}

/// "king g1, queen d1, rooks a1 and f1, …".
fn men(sheet: &FactSheet, color: Color) -> String {
    let board = sheet.played().before.board();
    let mut groups = Vec::new();
    for role in Role::ALL.into_iter().rev() {
        let squares: Vec<String> = Man::all(board, board.by_piece(role.of(color)))
            .iter()
            .map(|man| man.square.to_string())
            .collect();
        let plural = if squares.len() > 1 { "s" } else { "" };
        if !squares.is_empty() {
            groups.push(format!("{}{plural} {}", role_name(role), join(&squares)));
        }
    }
    groups.join(", ")
}

fn attacks(sheet: &FactSheet, moment: Moment) -> String {
    let list: Vec<String> = sheet
        .of_kind(FactKind::Attack)
        .filter(|fact| fact.moment == moment)
        .filter_map(|fact| match &fact.detail {
            Detail::Attack { attack, change } => Some(format!(
                "{} attacks {}{}",
                attack.by,
                attack.target,
                if moment == Moment::After && *change == Change::New {
                    " (new)"
                } else {
                    ""
                }
            )),
            _ => None,
        })
        .collect();
    if list.is_empty() {
        "none".to_owned()
    } else {
        list.join("; ")
    }
}

/// The paper's evaluation sentence, in the mover's view: the move with its score, the expected reply, the best and second
/// best moves against it.
#[must_use]
pub fn evaluation_line(sheet: &FactSheet, evaluation: &Evaluation) -> String {
    let played = sheet.played();
    let san = played.san();
    let mut text = format!("actual move - {san} {}", score(evaluation.played));
    if let Some(reply) = evaluation.after.first().and_then(|line| line.san.first()) {
        let _ = write!(text, ", expected reply - {reply}");
    }
    for (name, line) in ["best move", "second best move"].into_iter().zip(&evaluation.before) {
        let Some(best) = line.san.first() else { continue };
        let against = if line.moves.first() == Some(&played.uci()) {
            "is the actual move".to_owned()
        } else {
            compare(line, evaluation.played)
        };
        let _ = write!(text, ", {name} - {best} {against}");
    }
    text
}

fn score(score: Score) -> String {
    match score {
        Score::Cp(cp) => format!("{cp}cp"),
        Score::Mate(n) if n < 0 => format!("is mated in {}", n.unsigned_abs()),
        Score::Mate(0) => "checkmate".to_owned(),
        Score::Mate(n) => format!("Mate in {n}"),
    }
}

/// The paper's steps of 20, 50 and 100 centipawns.
fn compare(line: &Line, played: Score) -> String {
    let (other, played) = match (line.score, played) {
        (Score::Cp(other), Score::Cp(played)) => (other, played),
        (mate @ Score::Mate(_), _) => return score(mate),
        (Score::Cp(_), Score::Mate(n)) => {
            return if n > 0 {
                "worse than actual move"
            } else {
                "better than actual move"
            }
            .to_owned();
        }
    };
    let difference = other - played;
    let step = match difference.unsigned_abs() {
        0..=20 => return "similar to actual move".to_owned(),
        21..=50 => 20,
        51..=100 => 50,
        _ => 100,
    };
    format!(
        "{} than actual move over {step}cp",
        if difference > 0 { "better" } else { "worse" }
    )
}

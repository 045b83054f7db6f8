//! What a question says of a move: the board, the move, and as much of the sheet as the arm is told.

use std::fmt::Write as _;

use shakmaty::{Color, EnPassantMode, Position, Role, fen::Fen};

use super::{
    super::{
        Arm, Evaluation, FactSheet, Line,
        fact::{Change, Detail, FactKind, Moment},
    },
    Context,
    candidates::candidate_lines,
};
use crate::{
    chess::{
        Man, Played,
        game::{Game, NodeId},
        material::join,
        names::{color_name, role_name},
        pgn_writer::write_pgn,
    },
    uci::Score,
};

/// What `arm` is told about the move, a line each: also what every turn of a conversation about it carries.
#[must_use]
pub fn briefing(sheet: &FactSheet, arm: Arm, context: Context) -> String {
    let played = sheet.played();
    let mut lines = board(played, context);
    lines.push(format!("side to move: {}", color_name(played.mover())));
    if arm.tells_facts() {
        for color in Color::ALL {
            lines.push(format!("{}'s pieces: {}", color_name(color), men(sheet, color)));
        }
    }
    lines.push(format!("move: {}", numbered(played)));
    if let Some(evaluation) = sheet.evaluation().filter(|_| arm.tells_engine()) {
        lines.push(format!(
            "engine evaluation ({}'s view): {}",
            color_name(played.mover()),
            evaluation_line(sheet, evaluation)
        ));
    }
    if arm.tells_concepts() {
        lines.extend(candidate_lines(sheet, arm));
    }
    if arm.tells_attacks() {
        for (moment, title) in [
            (Moment::Before, "attacks before the move"),
            (Moment::After, "attacks after the move"),
        ] {
            lines.push(format!("{title}: {}", attacks(sheet, moment)));
        }
    }
    if arm.tells_facts() {
        lines.push("facts:".to_owned());
        lines.extend(
            sheet
                .facts()
                .iter()
                .filter(|fact| !matches!(fact.kind, FactKind::Attack | FactKind::Concept))
                .map(|fact| format!("[{}] {}", fact.id, fact.text)),
        );
    }
    lines.join("\n")
}

/// The position, or the moves that led to it. The moves are those between the positions, written afresh: whatever else a
/// PGN held stays out.
fn board(played: &Played, context: Context) -> Vec<String> {
    let fen = |position| Fen::from_position(position, EnPassantMode::Legal);
    let game = match context {
        Context::Fen => None,
        Context::Pgn => lead(played).filter(|game| !game.is_empty()),
    };
    let Some(game) = game else {
        return vec![format!("position: {}", fen(&played.before))];
    };
    let written = write_pgn(&game);
    let moves = written.split_once("\n\n").map_or("", |(_, moves)| moves);
    let moves: Vec<&str> = moves.split_whitespace().filter(|word| *word != "*").collect();
    let mut lines = Vec::new();
    if *game.root() != Default::default() {
        lines.push(format!("starting position: {}", fen(game.root())));
    }
    lines.push(format!("game so far: {}", moves.join(" ")));
    lines
}

/// The game that led to the move, without it; `None` where a position of the history does not follow from the one before.
fn lead(played: &Played) -> Option<Game> {
    let mut positions = played.history.iter().chain([&played.before]);
    let mut at = positions.next()?.clone();
    let mut game = Game::new(at.clone(), played.mode);
    let mut node = NodeId::ROOT;
    for next in positions {
        let leads = |mv: &shakmaty::Move| {
            let mut after = at.clone();
            after.play_unchecked(*mv); // one of the legal moves
            after == *next
        };
        let mv = at.legal_moves().into_iter().find(leads)?;
        node = game.play(node, mv).ok()?;
        at = next.clone();
    }
    Some(game)
}

/// `27. Nc7+`, `27... Kd7`.
#[must_use]
pub fn numbered(played: &Played) -> String {
    let dots = if played.mover() == Color::White { "." } else { "..." };
    format!("{}{dots} {}", played.before.fullmoves(), played.san())
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

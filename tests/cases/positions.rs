//! What is pasted into the box for positions: lists, remarks, numbers, signs that nobody sees, positions broken over lines.

use kibitz::chess::{Game, NodeId, pasted::PastedError, read_pasted, write_fen};

use super::table::{Case, check};

#[test]
fn pasted_positions_are_read() {
    check("positions.tsv", said);
}

/// The positions; what was left out by line; how many things were mended; operations; the moves of the first.
fn said(case: &Case) -> String {
    let pasted = match read_pasted(&String::from_utf8_lossy(&case.bytes)) {
        Ok(pasted) => pasted,
        Err(error) => return format!("refused: {}", first_sentence(&error)),
    };
    let positions: Vec<String> = pasted
        .games
        .iter()
        .map(|game| write_fen(game.root(), game.mode()))
        .collect();
    let mut said = positions.join(" | ");
    for problem in &pasted.problems {
        let why = problem.kind.to_string();
        let why = why.split_once("was left out. ").map_or(&*why, |(_, why)| why);
        said += &format!("; line {}: {why}", problem.line);
    }
    if !pasted.repairs.is_empty() {
        said += &format!("; mended: {}", pasted.repairs.len());
    }
    for (opcode, operands) in &pasted.operations {
        said += &format!("; {opcode} {}", operands.join(" "));
    }
    let moves = moves(&pasted.games[0]);
    if !moves.is_empty() && pasted.reading != kibitz::chess::pasted::Reading::Link {
        said += &format!("; moves: {moves}");
    }
    said
}

fn first_sentence(error: &PastedError) -> String {
    let text = error.to_string();
    text.split_inclusive(". ").next().unwrap_or(&text).trim().to_owned()
}

fn moves(game: &Game) -> String {
    let line = game.main_line();
    let labels = line.into_iter().filter(|node| *node != NodeId::ROOT).map(|node| {
        let san = game.san(node).unwrap_or_default();
        match game.mover(node) {
            shakmaty::Color::White => format!("{}. {san}", game.move_number(node)),
            shakmaty::Color::Black => san,
        }
    });
    labels.collect::<Vec<_>>().join(" ")
}

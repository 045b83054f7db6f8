//! Items from what people have: positions with moves, games; tables of comments are read by
//! [`table`](super::table), lines that belong together by [`gameknot`].

use std::collections::BTreeSet;

use super::{
    gameknot,
    gathering::{Gathering, Row, unused},
    import::{Choice, Import, Reading, RowWrong, SourceError},
    limits::MAX_STUDY_BYTES,
    study::Item,
    table::from_table_at,
};
use crate::{
    chess::{Game, NodeId, fen::write_fen, pgn::read_pgn_at},
    pace::{AtOnce, Pace, at_once},
    table_file::is_json,
    uci::Score,
};

/// So many bytes of a text's first line say what it is.
const LONGEST_HEADER: usize = 4096;

/// The change of a winning chance that makes a turning point.
const TURN: f64 = 0.1;

/// Items without comments from lines of a FEN and a move: `FEN move`, or parted by a tab, `;`, `,` or `|`. Lines that cannot
/// be used are noted.
///
/// # Errors
/// When no line is of this form.
pub fn from_positions(text: &str, reading: Reading) -> Result<Import, SourceError> {
    at_once(from_positions_at(text, reading, &AtOnce))
}

async fn from_positions_at(text: &str, reading: Reading, pace: &impl Pace) -> Result<Import, SourceError> {
    if text.len() > MAX_STUDY_BYTES {
        return Err(SourceError::TooLong(text.len()));
    }
    let mut gathering = Gathering::new(reading, false);
    for (line, whole) in (1..).zip(text.lines()) {
        pace.turn().await;
        let whole = whole.trim();
        if whole.is_empty() || whole.starts_with('#') {
            continue;
        }
        let (fen, mv) = match whole.rfind(['\t', ';', ',', '|']) {
            Some(at) => (whole[..at].trim(), whole[at + 1..].trim().to_owned()),
            None => gameknot::position_and_move(whole),
        };
        if mv.is_empty() {
            gathering.fault(line, RowWrong::NoMove);
            continue;
        }
        gathering.row(Row {
            line,
            fen: fen.to_owned(),
            mv,
            ..Row::default()
        })?;
    }
    gathering.finish(false)
}

/// Items without comments from the main lines of games. What a commentator wrote after the move becomes the reference.
///
/// # Errors
/// When it is no PGN, or gives no items.
pub fn from_pgn(text: &str, reading: Reading) -> Result<Import, SourceError> {
    at_once(from_pgn_at(text, reading, &AtOnce))
}

async fn from_pgn_at(text: &str, reading: Reading, pace: &impl Pace) -> Result<Import, SourceError> {
    let choice = reading.choice;
    let file = read_pgn_at(text, pace).await?;
    let mut gathering = Gathering::new(reading, false);
    let mut chosen_moves = 0_usize;
    for (number, game) in (1..).zip(&file.games) {
        let mut chance = None;
        for (ply, node) in (1..).zip(game.main_line()) {
            pace.turn().await;
            let before = chance;
            chance = evaluation(game, node);
            let chosen = match choice {
                Choice::Every(n) => n > 0 && usize::is_multiple_of(ply, n),
                Choice::TurningPoints => {
                    let glyph = game.nags(node).iter().any(|nag| (1..=6).contains(nag));
                    let turned = before
                        .zip(chance)
                        .is_some_and(|(a, b): (f64, f64)| (a - b).abs() >= TURN);
                    glyph || turned
                }
            };
            let Some(played) = game.played(node).filter(|_| chosen) else {
                continue;
            };
            chosen_moves += 1;
            let reference = without_commands(game.comment(node));
            gathering.row(Row {
                // A game has no lines that its reader would tell: the game's number has to do.
                line: number,
                fen: write_fen(&played.before, played.mode),
                mv: played.san(),
                reference: (!reference.is_empty()).then_some(reference),
                ..Row::default()
            })?;
        }
    }
    match (chosen_moves, choice) {
        (0, Choice::TurningPoints) => Err(SourceError::NoTurningPoints),
        (0, Choice::Every(_)) => Err(SourceError::Empty),
        _ => gathering.finish(false).map(|import| Import {
            of_games: true,
            ..import
        }),
    }
}

/// White's winning chance after a move, from `[%eval 0.31]` or `[%eval #-3]` in its comment, as Lichess writes it.
fn evaluation(game: &Game, node: NodeId) -> Option<f64> {
    let comment = game.comment(node);
    let value = comment.split_once("[%eval ")?.1;
    let value = value.split([']', ',', ' ']).next()?;
    let score = match value.strip_prefix('#') {
        Some(mate) => Score::Mate(mate.parse().ok()?),
        #[allow(clippy::cast_possible_truncation)] // bounded in the line itself
        None => Score::Cp((value.parse::<f64>().ok()?.clamp(-300.0, 300.0) * 100.0).round() as i32),
    };
    Some(score.win_probability())
}

/// A comment without commands such as `[%clk 0:03:00]`.
fn without_commands(comment: &str) -> String {
    let mut text = String::new();
    let mut rest = comment;
    while let Some((before, after)) = rest.split_once("[%") {
        text.push_str(before);
        rest = after.split_once(']').map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Items from whatever was pasted: a table, lines of position, move and comment, a PGN, or positions with moves.
///
/// # Errors
/// When it cannot be read as any of these, or gives no items.
pub fn from_text(text: &str, reading: Reading) -> Result<Import, SourceError> {
    at_once(from_text_at(text, reading, &AtOnce))
}

/// The same at a pace: there may be megabytes.
///
/// # Errors
/// As [`from_text`].
pub async fn from_text_at(text: &str, reading: Reading, pace: &impl Pace) -> Result<Import, SourceError> {
    // Nothing is cut off at the beginning but the mark: faults name lines of the file. A table's end may be empty cells.
    let whole = text.trim_start_matches('\u{feff}');
    let text = whole.trim_end();
    let start = text.trim_start();
    let first = start[..start.floor_char_boundary(LONGEST_HEADER)]
        .split(['\n', '\r'])
        .find(|line| line.contains(|letter: char| letter.is_alphanumeric() || letter == '#'));
    let first = first.unwrap_or_default().to_lowercase();
    let is_table = is_json(start)
        || first.trim_start_matches('"').starts_with("sep=")
        || ["fen", "move", "method"].iter().all(|column| first.contains(column));
    // A position has seven slashes in its first word; a game begins with a tag, a comment or a move number.
    let is_position = first.split(' ').next().unwrap_or_default().matches('/').count() == 7 || first.starts_with('#');
    if is_table {
        from_table_at(whole, reading, pace).await
    } else if gameknot::is_lines(text) {
        gameknot::from_lines_at(text, reading, pace).await
    } else if is_position || start.is_empty() {
        from_positions_at(text, reading, pace).await
    } else {
        from_pgn_at(text, reading, pace).await
    }
}

/// Adds items to others; ids that are taken get a number behind them.
pub fn add(items: &mut Vec<Item>, more: Vec<Item>) {
    let mut taken: BTreeSet<String> = items.iter().map(|item| item.id.clone()).collect();
    for mut item in more {
        item.id = unused(item.id, &mut taken);
        items.push(item);
    }
}

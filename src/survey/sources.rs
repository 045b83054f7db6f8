//! Items from what people have: positions with moves, games, tables of comments.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use super::{
    foreign_text::clipped,
    study::{Item, MethodComment, ShownError, played},
    study_file::{MAX_PAGES, MAX_STUDY_BYTES},
};
use crate::{
    chess::{
        Game, NodeId,
        fen::write_fen,
        pgn::{PgnError, read_pgn},
    },
    uci::Score,
};

/// A text that gives no items.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SourceError {
    /// Nothing in it.
    #[error("There is nothing in it.")]
    Empty,
    /// More than is read.
    #[error("It has {0} bytes; at most {MAX_STUDY_BYTES} are read.")]
    TooLong(usize),
    /// More items than a study has.
    #[error("It gives more than {MAX_PAGES} items.")]
    TooMany,
    /// A line without a move.
    #[error("Line {0}: write the position, then the move.")]
    NoMove(usize),
    /// A position or a move that cannot be shown.
    #[error("Line {line}: {error}")]
    Shown {
        /// From 1.
        line: usize,
        /// What is wrong with it.
        error: ShownError,
    },
    /// Not the PGN.
    #[error("{0}")]
    Pgn(#[from] PgnError),
    /// No turning points are marked.
    #[error(
        "These games mark no turning points: they have neither glyphs such as ?? nor evaluations ([%eval …]). Take every \
         n-th move instead."
    )]
    NoTurningPoints,
    /// No table.
    #[error("It cannot be read as a table: {0}.")]
    Table(String),
    /// The table lacks a column.
    #[error("The column “{0}” is missing: the first line names the columns fen, move, method and comment.")]
    Column(&'static str),
    /// A row without something.
    #[error("Line {0}: the {1} is missing.")]
    Field(usize, &'static str),
    /// A method twice on one move.
    #[error("Line {0}: there is a comment by “{1}” on this move already.")]
    Twice(usize, String),
}

/// Which moves of a game become items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Every so manieth half-move of the main line.
    Every(usize),
    /// Those with a glyph from `!` to `?!`, and those that change the winning chance of an evaluation in the comments by a
    /// tenth or more.
    TurningPoints,
}

/// The change of a winning chance that makes a turning point.
const TURN: f64 = 0.1;

/// Items without comments from lines of a FEN and a move: `FEN move`, or parted by a tab, `;`, `,` or `|`.
///
/// # Errors
/// At the first line that is not of this form.
pub fn from_positions(text: &str) -> Result<Vec<Item>, SourceError> {
    if text.len() > MAX_STUDY_BYTES {
        return Err(SourceError::TooLong(text.len()));
    }
    let mut items = Vec::new();
    for (line, whole) in (1..).zip(text.lines()) {
        let whole = whole.trim();
        if whole.is_empty() || whole.starts_with('#') {
            continue;
        }
        let part = |at: usize, width: usize| (whole[..at].trim(), whole[at + width..].trim());
        let (fen, mv) = match whole.rfind(['\t', ';', ',', '|']) {
            Some(at) => part(at, 1),
            None => part(whole.rfind(' ').ok_or(SourceError::NoMove(line))?, 1),
        };
        if mv.is_empty() {
            return Err(SourceError::NoMove(line));
        }
        played(fen, mv).map_err(|error| SourceError::Shown { line, error })?;
        push(&mut items, fen.to_owned(), mv.to_owned(), None)?;
    }
    if items.is_empty() {
        Err(SourceError::Empty)
    } else {
        Ok(items)
    }
}

/// Items without comments from the main lines of games. What a commentator wrote after the move becomes the reference.
///
/// # Errors
/// When it is no PGN, or gives no items.
pub fn from_pgn(text: &str, choice: Choice) -> Result<Vec<Item>, SourceError> {
    let file = read_pgn(text)?;
    let mut items = Vec::new();
    for game in &file.games {
        let mut chance = None;
        for (ply, node) in (1..).zip(game.main_line()) {
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
            let reference = without_commands(game.comment(node));
            let reference = (!reference.is_empty()).then_some(reference);
            push(
                &mut items,
                write_fen(&played.before, played.mode),
                played.san(),
                reference,
            )?;
        }
    }
    match (items.is_empty(), choice) {
        (false, _) => Ok(items),
        (true, Choice::TurningPoints) => Err(SourceError::NoTurningPoints),
        (true, Choice::Every(_)) => Err(SourceError::Empty),
    }
}

fn push(items: &mut Vec<Item>, fen: String, mv: String, reference: Option<String>) -> Result<(), SourceError> {
    if items.len() >= MAX_PAGES {
        return Err(SourceError::TooMany);
    }
    items.push(Item {
        id: format!("m{}", items.len() + 1),
        fen,
        mv,
        reference,
        comments: Vec::new(),
    });
    Ok(())
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

/// A row of a table of comments.
struct Row {
    line: usize,
    fields: BTreeMap<String, String>,
}

/// Items with comments from a table: CSV (commas, semicolons or tabs) or JSON lines with `fen`, `move`, `method` and
/// `comment`. Rows on the same move of the same position become one item; `item` names it, `reference` is its reference,
/// and every other column whose value is a number is a score of the comment.
///
/// # Errors
/// At the first row that cannot be used.
pub fn from_table(text: &str) -> Result<Vec<Item>, SourceError> {
    if text.len() > MAX_STUDY_BYTES {
        return Err(SourceError::TooLong(text.len()));
    }
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Err(SourceError::Empty);
    }
    let rows = if text.starts_with('{') {
        json_lines(text)?
    } else {
        csv_rows(text)?
    };
    if rows.is_empty() {
        return Err(SourceError::Empty);
    }
    let mut items: Vec<Item> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut ids: BTreeSet<String> = BTreeSet::new();
    for Row { line, mut fields } in rows {
        let mut take = |name: &'static str| fields.remove(name).filter(|field| !field.trim().is_empty());
        let fen = take("fen").ok_or(SourceError::Field(line, "fen"))?;
        let mv = take("move").ok_or(SourceError::Field(line, "move"))?;
        let method = take("method").ok_or(SourceError::Field(line, "method"))?;
        let comment = take("comment").ok_or(SourceError::Field(line, "comment"))?;
        let (id, reference) = (take("item"), take("reference"));
        let shown = played(&fen, &mv).map_err(|error| SourceError::Shown { line, error })?;
        let key = id
            .clone()
            .unwrap_or_else(|| format!("{} {}", write_fen(&shown.before, shown.mode), shown.uci()));
        let place = match places.get(&key) {
            Some(place) => *place,
            None => {
                push(&mut items, fen, mv, None)?;
                let place = items.len() - 1;
                let name = id.map_or_else(|| items[place].id.clone(), |id| as_name(&id));
                items[place].id = unused(name, &mut ids);
                places.insert(key, place);
                place
            }
        };
        let item = &mut items[place];
        if item.reference.is_none() {
            item.reference = reference;
        }
        let method = as_name(&method);
        if item.comments.iter().any(|comment| comment.method == method) {
            return Err(SourceError::Twice(line, method));
        }
        let scores = fields.into_iter().filter_map(|(name, value)| {
            let score = value.trim().parse::<f64>().ok().filter(|score| score.is_finite())?;
            Some((name, score))
        });
        item.comments.push(MethodComment {
            method,
            text: comment.trim().to_owned(),
            scores: scores.collect(),
            marks: Vec::new(),
            decoys: Vec::new(),
        });
    }
    Ok(items)
}

/// The text with what a name in the results may not have turned into `-`: "GPT-4o + expert" to "GPT-4o-+-expert".
#[must_use]
pub fn as_name(text: &str) -> String {
    let letter = |c: char| {
        if c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+') {
            c
        } else {
            '-'
        }
    };
    text.trim()
        .chars()
        .take(super::study_file::MAX_NAME)
        .map(letter)
        .collect()
}

fn unused(name: String, taken: &mut BTreeSet<String>) -> String {
    let mut candidate = name.clone();
    let mut number = 2;
    while !taken.insert(candidate.clone()) {
        candidate = format!("{name}-{number}");
        number += 1;
    }
    candidate
}

fn json_lines(text: &str) -> Result<Vec<Row>, SourceError> {
    let mut rows = Vec::new();
    for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text)
            .map_err(|error| SourceError::Table(format!("line {line}: {}", clipped(&error.to_string()))))?;
        let fields = object.into_iter().filter_map(|(name, value)| match value {
            serde_json::Value::String(text) => Some((name, text)),
            serde_json::Value::Number(number) => Some((name, number.to_string())),
            _ => None,
        });
        rows.push(Row {
            line,
            fields: fields.collect(),
        });
    }
    Ok(rows)
}

fn csv_rows(text: &str) -> Result<Vec<Row>, SourceError> {
    let first = text.lines().next().unwrap_or_default();
    let most = |separator: &u8| first.bytes().filter(|byte| byte == separator).count();
    let separator = [b'\t', b';', b','].into_iter().max_by_key(most).unwrap_or(b',');
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .from_reader(text.as_bytes());
    let table = |error: csv::Error| SourceError::Table(clipped(&error.to_string()));
    let header: Vec<String> = reader
        .headers()
        .map_err(table)?
        .iter()
        .map(|name| name.trim().to_lowercase())
        .collect();
    for column in ["fen", "move", "method", "comment"] {
        if !header.iter().any(|name| name == column) {
            return Err(SourceError::Column(column));
        }
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(table)?;
        let line = record
            .position()
            .map_or(0, |position| usize::try_from(position.line()).unwrap_or(usize::MAX));
        let fields = header.iter().cloned().zip(record.iter().map(str::to_owned));
        rows.push(Row {
            line,
            fields: fields.collect(),
        });
    }
    Ok(rows)
}

/// Items from whatever was pasted: a table, a PGN, or positions with moves. `choice` is for games.
///
/// # Errors
/// When it is none of them, or gives no items.
pub fn from_text(text: &str, choice: Choice) -> Result<Vec<Item>, SourceError> {
    let text = text.trim_start_matches('\u{feff}').trim();
    let first = text.lines().next().unwrap_or_default().to_lowercase();
    let is_table = text.starts_with('{') || ["fen", "move", "method"].iter().all(|column| first.contains(column));
    // A position has seven slashes in its first word; a game begins with a tag, a comment or a move number.
    let is_position = first.split(' ').next().unwrap_or_default().matches('/').count() == 7 || first.starts_with('#');
    if is_table {
        from_table(text)
    } else if is_position || text.is_empty() {
        from_positions(text)
    } else {
        from_pgn(text, choice)
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

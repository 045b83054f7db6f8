//! Whatever one box accepts: FEN, EPD, PGN, moves, a position with moves, a link. It is only text: nothing is fetched.

use std::fmt;

use percent_encoding::percent_decode_str;
use shakmaty::{CastlingMode, Chess};
use thiserror::Error;

use super::{
    epd::{Epd, EpdError, read_epd},
    fen::{ReadFen, read_fen, read_fen_prefix},
    fen_error::FenError,
    game::{Game, NodeId},
    link::{Link, LinkError},
    pgn::{MAX_GAMES, MAX_PGN_BYTES, PgnError, PgnFile, read_games},
    pgn_pieces::is_tag,
    pgn_problem::{PgnProblem, ProblemKind},
    placement::clip,
    position_list::{ListLine, is_remark, list_lines, without_unseen},
    repair::Repair,
};
use crate::pace::{AtOnce, Pace, at_once};

/// A text whose first so many bytes hold no piece placement is no FEN.
const LONGEST_PLACEMENT: usize = 1000;

/// The EPD opcodes (PGN standard, section 16.2.5, and the comments c0–c9) that are taken for one without a `;` behind.
const EPD_OPCODES: [&str; 32] = [
    "acd",
    "acn",
    "acs",
    "am",
    "bm",
    "ce",
    "dm",
    "draw_accept",
    "draw_claim",
    "draw_offer",
    "draw_reject",
    "eco",
    "fmvn",
    "hmvc",
    "id",
    "nic",
    "noop",
    "pm",
    "pv",
    "rc",
    "resign",
    "sm",
    "c0",
    "c1",
    "c2",
    "c3",
    "c4",
    "c5",
    "c6",
    "c7",
    "c8",
    "c9",
];

/// What a text was taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// `startpos`: the position in which games start.
    Start,
    /// A FEN, or several, one a line.
    Fen,
    /// A position with EPD operations, or several, one a line.
    Epd,
    /// A FEN followed by moves.
    FenAndMoves,
    /// Moves from the start, without PGN tags.
    Moves,
    /// One or more PGN games.
    Pgn,
    /// A link of Kibitz, or an address that holds a FEN.
    Link,
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Start => "the start position",
            Self::Fen => "a FEN",
            Self::Epd => "an EPD line",
            Self::FenAndMoves => "a FEN followed by moves",
            Self::Moves => "a list of moves",
            Self::Pgn => "a PGN",
            Self::Link => "a link",
        })
    }
}

/// What was pasted.
#[derive(Debug, Clone)]
pub struct Pasted {
    /// What the text was taken for.
    pub reading: Reading,
    /// At least one; a position alone is a game without moves.
    pub games: Vec<Game>,
    /// Where to look in the first game: at the last move of a list or of a FEN with moves, at the link's move, else at
    /// the root.
    pub at: NodeId,
    /// What was mended, with the index in `games`.
    pub repairs: Vec<(usize, Repair)>,
    /// What could not be read.
    pub problems: Vec<PgnProblem>,
    /// How many more problems there are than `problems` holds.
    pub more_problems: usize,
    /// The EPD operations of the first position.
    pub operations: Vec<(String, Vec<String>)>,
}

/// Why a text is nothing that Kibitz reads: the nearest reading, and its reason.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PastedError {
    /// An empty text, or spaces alone.
    #[error("Paste a FEN, a PGN or moves.")]
    Empty,
    /// More than two megabytes.
    #[error("This text has {0} bytes; at most {MAX_PGN_BYTES} are read. Paste one game, or a part of the file.")]
    TooLong(usize),
    /// Looks like a FEN.
    #[error("This looks like a FEN, but it cannot be read. {0}")]
    Fen(#[from] FenError),
    /// Looks like an EPD line.
    #[error("This looks like an EPD line, but it cannot be read. {0}")]
    Epd(#[from] EpdError),
    /// Looks like a PGN.
    #[error("This looks like a PGN, but it cannot be read. {0}")]
    Pgn(PgnError),
    /// Looks like nothing else, and is no list of moves either.
    #[error("This is no FEN and no PGN, and read as a list of moves it fails. {0}")]
    Moves(PgnError),
    /// A link of Kibitz.
    #[error("This looks like a link of Kibitz, but it cannot be opened. {0}")]
    Link(#[from] LinkError),
    /// An address without a FEN.
    #[error(
        "This address holds no position, and nothing is fetched from the network: paste the FEN or the PGN itself."
    )]
    Address,
}

impl PastedError {
    /// What the text came nearest to; `None` for no text or too much of it.
    #[must_use]
    pub fn nearest(&self) -> Option<Reading> {
        match self {
            Self::Empty | Self::TooLong(_) => None,
            Self::Fen(_) => Some(Reading::Fen),
            Self::Epd(_) => Some(Reading::Epd),
            Self::Pgn(_) => Some(Reading::Pgn),
            Self::Moves(_) => Some(Reading::Moves),
            Self::Link(_) | Self::Address => Some(Reading::Link),
        }
    }
}

/// Reads whatever was pasted, typed or dropped.
///
/// # Errors
/// Where it cannot be read as anything in [`Reading`]: which it came nearest to, and what is wrong with it as such.
pub fn read_pasted(text: &str) -> Result<Pasted, PastedError> {
    at_once(read_pasted_at(text, &AtOnce))
}

/// The same at a pace: a file of games takes seconds.
///
/// # Errors
/// As [`read_pasted`].
pub async fn read_pasted_at(text: &str, pace: &impl Pace) -> Result<Pasted, PastedError> {
    if text.len() > MAX_PGN_BYTES {
        return Err(PastedError::TooLong(text.len()));
    }
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    if without_unseen(text).trim().is_empty() {
        return Err(PastedError::Empty);
    }
    if let Some(rest) = after_word(text, "position")
        .filter(|rest| after_word(rest, "startpos").is_some() || after_word(rest, "fen").is_some())
    {
        return read_position(rest, pace).await; // the UCI command
    }
    if is_link(text) {
        return read_link(text);
    }
    read_position(text, pace).await
}

async fn read_position(text: &str, pace: &impl Pace) -> Result<Pasted, PastedError> {
    if let Some(rest) = after_word(text, "startpos") {
        return read_from_start(rest, pace).await;
    }
    let tagged = text.lines().any(|line| is_tag(line.trim_start()) && line.contains('"'));
    pace.turn().await;
    let shown = without_unseen(text);
    pace.turn().await;
    let lines = if tagged {
        Vec::new()
    } else {
        list_lines(&shown, pace).await
    };
    let positions = lines.iter().filter(|line| line.is_position).count();
    if let [first, ..] = &lines[..]
        && positions == 1
        && (first.is_position || looks_like_fen(&first.text))
    {
        // What follows on its own line, and on the lines behind it.
        let rest = if lines.len() > 1 { &shown[first.end..] } else { "" };
        return read_fen_and_more(&format!("{}\n{rest}", first.text), pace).await;
    }
    if positions > 1 {
        return read_positions(&lines, pace).await;
    }
    if looks_like_fen(&shown) {
        return read_fen_and_more(&shown, pace).await;
    }
    let tagged = tagged || text.starts_with('[');
    match read_games(text, None, pace).await {
        // One position among lines that are no moves.
        Err(_) if positions == 1 => read_positions(&lines, pace).await,
        Ok(file) if tagged => Ok(from_file(Reading::Pgn, file, NodeId::ROOT)),
        Ok(file) => {
            let at = file
                .games
                .first()
                .map_or(NodeId::ROOT, |game| game.end_of_line(NodeId::ROOT));
            Ok(from_file(Reading::Moves, file, at))
        }
        Err(error) if tagged => Err(PastedError::Pgn(error)),
        Err(error) => Err(PastedError::Moves(error)),
    }
}

fn from_file(reading: Reading, file: PgnFile, at: NodeId) -> Pasted {
    let PgnFile {
        games,
        problems,
        more_problems,
        repairs,
    } = file;
    Pasted {
        reading,
        games,
        at,
        repairs,
        problems,
        more_problems,
        operations: Vec::new(),
    }
}

fn from_position(reading: Reading, read: ReadFen) -> Pasted {
    Pasted {
        reading,
        games: vec![Game::new(read.position, read.mode)],
        at: NodeId::ROOT,
        repairs: read.repairs.into_iter().map(|repair| (0, repair)).collect(),
        problems: Vec::new(),
        more_problems: 0,
        operations: Vec::new(),
    }
}

/// The rest of `text` after `word` and white space.
fn after_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let head = text.get(..word.len())?;
    let rest = &text[word.len()..];
    (head.eq_ignore_ascii_case(word) && (rest.is_empty() || rest.starts_with(char::is_whitespace)))
        .then(|| rest.trim_start())
}

/// Whether the first word is much like a piece placement: rows between slashes.
fn looks_like_fen(text: &str) -> bool {
    let text = text.get(..text.floor_char_boundary(LONGEST_PLACEMENT)).unwrap_or(text);
    let text = text.trim_start_matches(['"', '\'', '`', '“', '‘', '„', '«']);
    let text = after_word(text, "fen").unwrap_or(text);
    let label = text
        .split_once([':', '='])
        .filter(|(label, _)| label.len() < 12 && !label.contains('/'));
    let text = label.map_or(text, |(_, rest)| rest).trim_start();
    let text = text.trim_start_matches(['"', '\'', '`', '“', '‘', '„', '«']);
    let word = text
        .split(|c: char| c.is_whitespace() || c == '_')
        .next()
        .unwrap_or_default();
    word.matches('/').count() >= 3 && !word.contains("//") && !word.starts_with('[')
}

async fn read_from_start(rest: &str, pace: &impl Pace) -> Result<Pasted, PastedError> {
    let start = ReadFen {
        position: Chess::default(),
        mode: CastlingMode::Standard,
        repairs: Vec::new(),
    };
    let rest = after_word(rest, "moves").unwrap_or(rest);
    if rest.is_empty() {
        return Ok(from_position(Reading::Start, start));
    }
    read_moves_after(start, rest, Reading::Moves, pace).await
}

async fn read_moves_after(
    start: ReadFen,
    moves: &str,
    reading: Reading,
    pace: &impl Pace,
) -> Result<Pasted, PastedError> {
    let mut file = read_games(moves, Some(&start), pace)
        .await
        .map_err(PastedError::Moves)?;
    let at = file
        .games
        .first()
        .map_or(NodeId::ROOT, |game| game.end_of_line(NodeId::ROOT));
    let mut repairs: Vec<(usize, Repair)> = start.repairs.into_iter().map(|repair| (0, repair)).collect();
    repairs.append(&mut file.repairs);
    file.repairs = repairs;
    Ok(from_file(reading, file, at))
}

async fn read_fen_and_more(text: &str, pace: &impl Pace) -> Result<Pasted, PastedError> {
    let (read, rest) = read_fen_prefix(text)?;
    let moves = after_word(&rest, "moves").unwrap_or(&rest);
    if !moves.contains(char::is_alphanumeric) {
        return Ok(from_position(Reading::Fen, read_fen(text)?));
    }
    let first = rest
        .split(|c: char| c.is_whitespace() || c == ';')
        .next()
        .unwrap_or_default();
    let opcode = moves == rest && EPD_OPCODES.contains(&first);
    if moves == rest && !opcode && is_remark(&rest) {
        return Ok(from_position(Reading::Fen, with_remark(read, &rest)));
    }
    if opcode || rest.contains(';') {
        let epd = read_epd(text)?;
        let mut pasted = from_position(Reading::Epd, epd.read);
        pasted.operations = epd.operations;
        return Ok(pasted);
    }
    read_moves_after(read, moves, Reading::FenAndMoves, pace).await
}

/// A position with a remark behind it, which is left out.
fn with_remark(mut read: ReadFen, remark: &str) -> ReadFen {
    read.repairs.push(Repair::Ignored(clip(remark.trim())));
    read
}

/// A line of a list.
fn read_line(line: &str) -> Result<Epd, EpdError> {
    let first = |rest: &str| EPD_OPCODES.contains(&rest.split_whitespace().next().unwrap_or_default());
    match read_fen_prefix(line) {
        Ok((read, rest)) if is_remark(&rest) && !first(&rest) => Ok(Epd {
            read: with_remark(read, &rest),
            operations: Vec::new(),
        }),
        _ => read_epd(line),
    }
}

/// A list of positions, one a line. Lines that are none are named.
async fn read_positions(lines: &[ListLine<'_>], pace: &impl Pace) -> Result<Pasted, PastedError> {
    if lines.len() > MAX_GAMES {
        return Err(PastedError::Pgn(PgnError::TooManyGames));
    }
    let mut file = PgnFile {
        games: Vec::new(),
        problems: Vec::new(),
        more_problems: 0,
        repairs: Vec::new(),
    };
    let mut operations = None;
    let mut first_error = None;
    for (index, line) in lines.iter().enumerate() {
        pace.turn().await;
        let read = match line.is_position {
            true => read_line(&line.text),
            false => Err(EpdError::NoPosition(clip(&line.text))),
        };
        match read {
            Ok(epd) => {
                let mut game = Game::new(epd.read.position.clone(), epd.read.mode);
                if let Some(id) = epd.operands("id").and_then(<[String]>::first) {
                    game.tags.push(("Event".to_owned(), id.clone()));
                }
                let at = file.games.len();
                file.repairs
                    .extend(epd.read.repairs.into_iter().map(|repair| (at, repair)));
                file.games.push(game);
                operations.get_or_insert(epd.operations);
            }
            Err(error) if file.problems.len() < 100 => {
                first_error.get_or_insert_with(|| error.clone());
                file.problems.push(PgnProblem {
                    game: index + 1,
                    line: line.number,
                    kind: ProblemKind::Position(error),
                    more: 0,
                });
            }
            Err(_) => file.more_problems += 1,
        }
    }
    if let (true, Some(error)) = (file.games.is_empty(), first_error) {
        return Err(error.into());
    }
    let operations = operations.unwrap_or_default();
    let reading = if operations.is_empty() {
        Reading::Fen
    } else {
        Reading::Epd
    };
    Ok(Pasted {
        operations,
        ..from_file(reading, file, NodeId::ROOT)
    })
}

fn is_link(text: &str) -> bool {
    let one_word = !text.contains(char::is_whitespace);
    (text.starts_with('#') && one_word)
        || text.contains("#fen=")
        || (text.starts_with("fen=") && text.contains('&'))
        || (one_word && (text.contains("://") || text.starts_with("lichess.org/") || text.starts_with("www.")))
}

fn read_link(text: &str) -> Result<Pasted, PastedError> {
    let (address, hash) = text.split_once('#').unwrap_or(if text.starts_with("fen=") {
        ("", text)
    } else {
        (text, "")
    });
    if hash.split(['&', '?', '/']).any(|pair| pair.starts_with("fen=")) {
        let opened = Link::from_hash(hash)?.open()?;
        return Ok(Pasted {
            reading: Reading::Link,
            games: vec![opened.game],
            at: opened.at,
            repairs: opened.repairs.into_iter().map(|repair| (0, repair)).collect(),
            problems: Vec::new(),
            more_problems: 0,
            operations: Vec::new(),
        });
    }
    if address.is_empty() {
        return Err(LinkError::NoFen.into());
    }
    let fen = fen_in_address(address).ok_or(PastedError::Address)?;
    let read = read_fen(&fen)?;
    Ok(from_position(Reading::Link, read))
}

/// The FEN in the query (`?fen=…`) or in the path (`/analysis/standard/8/8/…_w_-_-_0_1`) of an address.
fn fen_in_address(address: &str) -> Option<String> {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let in_query = query.split('&').find_map(|pair| pair.strip_prefix("fen="));
    if let Some(fen) = in_query {
        return decoded(&fen.replace('+', " "));
    }
    let path = decoded(path)?;
    let segments: Vec<&str> = path.split('/').collect();
    let is_row =
        |row: &str| !row.is_empty() && row.len() <= 8 && row.chars().all(|c| "pnbrqkPNBRQK12345678".contains(c));
    let start = segments.windows(8).position(|rows| {
        let last = rows[7].split(['_', ' ']).next().unwrap_or_default();
        rows[..7].iter().all(|row| is_row(row)) && is_row(last)
    })?;
    Some(segments[start..].join("/"))
}

fn decoded(text: &str) -> Option<String> {
    percent_decode_str(text)
        .decode_utf8()
        .ok()
        .map(|text| text.replace('_', " "))
}

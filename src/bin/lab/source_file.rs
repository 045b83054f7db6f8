//! Positions from files: PGN, our own position files, Lichess's evaluations; each also compressed with Zstandard.

use std::{
    fs::File,
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
};

use kibitz::{
    chess::{fen::write_fen, game::Game, game::NodeId, pgn::read_pgn, pgn_pieces::GameStarts},
    file_text::read_text,
    training::{Choice, Choices, PositionRecord},
    uci::Score,
};
use serde::Deserialize;
use shakmaty::{Color, Position};

/// The longest game or line that is read, in bytes.
const MAX_TEXT: usize = 1 << 20;

/// Why a file gives no more positions.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// It can't be read.
    #[error("can't read {path}: {error}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// Its name does not say what it holds.
    #[error("{0}: its name should end in .pgn or .jsonl, or either of them with .zst")]
    Unknown(PathBuf),
    /// A line is not what it should be.
    #[error("{path}, line {line}: {error}")]
    Line {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong with it.
        error: serde_json::Error,
    },
}

/// What the files held that could not be used.
#[derive(Debug, Default, Clone, Copy)]
pub struct Losses {
    /// Games of which a part could not be read.
    pub games: usize,
    /// Games or lines longer than a megabyte.
    pub too_long: usize,
    /// Lines that are no UTF-8 and were read as Windows-1252.
    pub windows_1252: usize,
}

impl Losses {
    /// Says on standard error what was lost of this file, if anything was.
    pub fn say(self, path: &Path) {
        if self.games + self.too_long > 0 {
            errln!(
                "lab: {}: {} games were not read whole, {} were too long to be read",
                path.display(),
                self.games,
                self.too_long
            );
        }
        if self.windows_1252 > 0 {
            errln!(
                "lab: {}: {} lines are not UTF-8 and were read as Windows-1252",
                path.display(),
                self.windows_1252
            );
        }
    }
}

/// Calls `each` with the games of a PGN file and their names, in order.
pub fn each_game(path: &Path, mut each: impl FnMut(&Game, &str)) -> Result<Losses, SourceError> {
    let (reader, name) = open(path)?;
    let Some(stem) = name.strip_suffix(".pgn") else {
        return Err(SourceError::Unknown(path.to_owned()));
    };
    read_pgn_games(reader, stem, &mut each).map_err(|error| SourceError::Unreadable {
        path: path.to_owned(),
        error,
    })
}

/// Calls `each` with the positions of each game in the file, in order.
pub fn read_games(path: &Path, mut each: impl FnMut(Vec<PositionRecord>)) -> Result<Losses, SourceError> {
    let (reader, name) = open(path)?;
    if let Some(stem) = name.strip_suffix(".pgn") {
        let mut each = |game: &Game, name: &str| each(positions_of(game, name));
        read_pgn_games(reader, stem, &mut each).map_err(|error| SourceError::Unreadable {
            path: path.to_owned(),
            error,
        })
    } else if name.ends_with(".jsonl") {
        read_lines(reader, path, &mut each)
    } else {
        Err(SourceError::Unknown(path.to_owned()))
    }
}

/// A file's text, decompressed where it has to be, and its name without `.zst`.
fn open(path: &Path) -> Result<(Box<dyn BufRead>, String), SourceError> {
    let unreadable = |error| SourceError::Unreadable {
        path: path.to_owned(),
        error,
    };
    let file = BufReader::with_capacity(1 << 20, File::open(path).map_err(unreadable)?);
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let plain = name.strip_suffix(".zst");
    let mut reader: Box<dyn BufRead> = if plain.is_some() {
        let decoder = ruzstd::decoding::StreamingDecoder::new(file).map_err(|error| unreadable(invalid(error)))?;
        Box::new(BufReader::with_capacity(1 << 20, decoder))
    } else {
        Box::new(file)
    };
    let begin = reader.fill_buf().map_err(unreadable)?;
    if begin.starts_with(&[0xff, 0xfe]) || begin.starts_with(&[0xfe, 0xff]) {
        // UTF-16 has no lines of bytes. Nobody writes it but by hand: such files are short.
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).map_err(unreadable)?;
        let text = read_text(&bytes).map_err(|error| unreadable(invalid(error)))?.text;
        reader = Box::new(io::Cursor::new(text.into_bytes()));
    }
    let plain = plain.unwrap_or(&name).to_owned();
    Ok((reader, plain))
}

fn invalid(error: impl std::error::Error) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}

/// A line of text without its end; `None` at the end of the file. What is beyond a megabyte is not kept.
fn read_line(reader: &mut dyn BufRead, losses: &mut Losses) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let taken = io::Read::take(&mut *reader, MAX_TEXT as u64).read_until(b'\n', &mut bytes)?;
    if taken == 0 {
        return Ok(None);
    }
    if bytes.last() != Some(&b'\n') && taken == MAX_TEXT {
        reader.skip_until(b'\n')?;
    }
    let read = read_text(&bytes).map_err(invalid)?;
    losses.windows_1252 += usize::from(read.notice.is_some());
    Ok(Some(read.text.trim_end().to_owned()))
}

fn read_pgn_games(mut reader: Box<dyn BufRead>, stem: &str, each: &mut impl FnMut(&Game, &str)) -> io::Result<Losses> {
    let mut losses = Losses::default();
    let mut text = String::new();
    let mut number = 0;
    let mut starts = GameStarts::default();
    loop {
        let line = read_line(&mut *reader, &mut losses)?;
        let begins = line.as_deref().is_none_or(|line| starts.begins(line));
        if begins && !text.trim().is_empty() {
            number += 1;
            if text.len() > MAX_TEXT {
                losses.too_long += 1;
            } else if let Ok(file) = read_pgn(&text) {
                losses.games += usize::from(file.problems.iter().any(|problem| problem.kind.leaves_out()));
                for game in &file.games {
                    each(game, &name_of(game, &format!("{stem}#{number}")));
                }
            } else {
                losses.games += 1;
            }
            text.clear();
        }
        let Some(line) = line else { return Ok(losses) };
        if text.len() <= MAX_TEXT {
            text.push_str(&line);
            text.push('\n');
        }
    }
}

/// A game's address at Lichess, else its place in the file.
fn name_of(game: &Game, place: &str) -> String {
    match game.tag("Site") {
        Some(site) if site.starts_with("https://lichess.org/") => site.to_owned(),
        _ => place.to_owned(),
    }
}

/// The positions in which a move of the main line was made.
fn positions_of(game: &Game, name: &str) -> Vec<PositionRecord> {
    let mut position = game.root().clone();
    let mut records = Vec::with_capacity(game.len());
    for (ply, &id) in game.main_line().iter().filter(|&&id| id != NodeId::ROOT).enumerate() {
        let choices = Choices::in_comment(game.comment(id)).unwrap_or_default();
        records.push(PositionRecord {
            game: name.to_owned(),
            ply: ply as u32,
            fen: write_fen(&position, game.mode()),
            lines: choices.moves,
            wdl: choices.wdl,
        });
        let Some(mv) = game.mv(id) else { break };
        position.play_unchecked(mv);
    }
    records
}

/// A line of Lichess's evaluation dump (<https://database.lichess.org/#evals>). Scores are White's view.
#[derive(Deserialize)]
struct LichessLine {
    fen: String,
    evals: Vec<LichessEval>,
}

#[derive(Deserialize)]
struct LichessEval {
    pvs: Vec<LichessPv>,
    #[serde(default)]
    knodes: u64,
}

#[derive(Deserialize)]
struct LichessPv {
    cp: Option<i32>,
    mate: Option<i32>,
    line: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum SourceLine {
    Ours(PositionRecord),
    Lichess(LichessLine),
}

fn read_lines(
    mut reader: Box<dyn BufRead>,
    path: &Path,
    each: &mut impl FnMut(Vec<PositionRecord>),
) -> Result<Losses, SourceError> {
    let mut game: Vec<PositionRecord> = Vec::new();
    let mut number = 0;
    let mut losses = Losses::default();
    while let Some(text) = read_line(&mut *reader, &mut losses).map_err(|error| SourceError::Unreadable {
        path: path.to_owned(),
        error,
    })? {
        number += 1;
        if text.is_empty() {
            continue;
        }
        let line = serde_json::from_str(&text).map_err(|error| SourceError::Line {
            path: path.to_owned(),
            line: number,
            error,
        })?;
        let record = match line {
            SourceLine::Ours(record) => record,
            SourceLine::Lichess(line) => of_lichess(line),
        };
        if game.first().is_some_and(|first| first.game != record.game) {
            each(std::mem::take(&mut game));
        }
        game.push(record);
    }
    if !game.is_empty() {
        each(game);
    }
    Ok(losses)
}

/// The evaluation with the most lines, of those the deepest. The dump names no games: each position is its own.
fn of_lichess(line: LichessLine) -> PositionRecord {
    let turn = match line.fen.split(' ').nth(1) {
        Some("b") => Color::Black,
        _ => Color::White,
    };
    let eval = line.evals.iter().max_by_key(|eval| (eval.pvs.len(), eval.knodes));
    let lines = eval.map_or(&[][..], |eval| &eval.pvs).iter().filter_map(|pv| {
        let score = match (pv.cp, pv.mate) {
            (_, Some(moves)) => Score::Mate(moves),
            (Some(cp), None) => Score::Cp(cp),
            (None, None) => return None,
        };
        Some(Choice {
            uci: pv.line.split(' ').next()?.parse().ok()?,
            score: turn.fold_wb(score, score.negated()),
        })
    });
    PositionRecord {
        game: line.fen.clone(),
        ply: 0,
        lines: lines.collect(),
        wdl: None,
        fen: line.fen,
    }
}

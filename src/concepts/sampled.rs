//! Positions to fit probes on, as files have them, with the games they are from.
//!
//! Read are lines `game<TAB>FEN` (as the app ships them), JSON lines with `fen` and perhaps `game`, lines that are FENs,
//! and PGN. A file is cut into [`pieces`] first, so that a page can read it bit by bit.

use flate2::read::GzDecoder;
use serde::Deserialize;
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

use crate::{
    chess::{
        fen::{read_fen, write_fen},
        pgn::read_pgn,
        pgn_pieces,
    },
    file_text::{NotText, read_text},
};

/// A position and the game it is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sampled {
    /// The game's name in its file. Positions without one count as games of their own.
    pub game: String,
    /// The position, standard castling notation.
    pub fen: String,
}

/// A file that holds no positions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoPositions {
    /// Compressed, and damaged.
    #[error("it is compressed and cannot be unpacked: {0}")]
    Packed(String),
    /// Too large, unpacked.
    #[error("it is larger than {} MB", LARGEST / 1_000_000)]
    TooLarge,
    /// No text.
    #[error(transparent)]
    NotText(#[from] NotText),
    /// Nothing in it.
    #[error("there are no positions in it")]
    Empty,
}

/// Bytes of unpacked text that are read.
const LARGEST: usize = 64_000_000;
/// Plies before the first position that is taken of a game: earlier ones repeat from game to game.
const OPENING: usize = 8;
/// Of a game every so manieth position is taken: neighbours say much the same.
const EVERY: usize = 3;

/// The text of a file, unpacked where it is gzipped.
///
/// # Errors
/// When it is damaged, too large or no text.
pub fn text(bytes: &[u8]) -> Result<String, NoPositions> {
    use std::io::Read as _;
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        if bytes.len() > LARGEST {
            return Err(NoPositions::TooLarge);
        }
        // What is beyond ASCII names players and is not looked at: how it was read is nothing to tell.
        return Ok(read_text(bytes)?.text);
    }
    let mut unpacked = Vec::new();
    GzDecoder::new(bytes)
        .take(LARGEST as u64 + 1)
        .read_to_end(&mut unpacked)
        .map_err(|e| NoPositions::Packed(e.to_string()))?;
    if unpacked.len() > LARGEST {
        return Err(NoPositions::TooLarge);
    }
    Ok(read_text(&unpacked)?.text)
}

/// A part of a file that is read in one go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'a> {
    /// A line with one position.
    Line(&'a str),
    /// A game.
    Game(&'a str),
}

/// The parts of a file, in its order.
///
/// # Errors
/// When there are none.
pub fn pieces(text: &str) -> Result<Vec<Piece<'_>>, NoPositions> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().ok_or(NoPositions::Empty)?;
    if position_of(first).is_some() {
        return Ok(text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .map(Piece::Line)
            .collect());
    }
    Ok(pgn_pieces::pieces(text, 0).map(Piece::Game).collect())
}

/// Game, if one is named, and FEN of a line.
fn position_of(line: &str) -> Option<(Option<String>, &str)> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Name {
        Number(u64),
        Text(String),
    }
    #[derive(Deserialize)]
    struct Record<'a> {
        #[serde(borrow)]
        fen: &'a str,
        #[serde(default)]
        game: Option<Name>,
    }
    if line.starts_with('{') {
        let record: Record<'_> = serde_json::from_str(line).ok()?;
        let game = record.game.map(|name| match name {
            Name::Number(number) => number.to_string(),
            Name::Text(text) => text,
        });
        return Some((game, record.fen));
    }
    let (game, fen) = match line.split_once('\t') {
        Some((game, fen)) => (Some(game.to_owned()), fen),
        None => (None, line),
    };
    let board = fen.split_whitespace().next()?;
    (board.matches('/').count() == 7).then_some((game, fen))
}

/// The positions of a piece; `number` is its place in the file, which names the games that have no name. What can't be
/// read gives none.
#[must_use]
pub fn read(piece: Piece<'_>, number: usize) -> Vec<Sampled> {
    match piece {
        Piece::Line(line) => {
            let read = position_of(line).and_then(|(game, fen)| Some((game, read_fen(fen).ok()?)));
            let Some((game, read)) = read.filter(|(_, read)| !read.mode.is_chess960()) else {
                return Vec::new();
            };
            sampled(game.unwrap_or_else(|| number.to_string()), &read.position)
                .into_iter()
                .collect()
        }
        Piece::Game(text) => {
            let Ok(file) = read_pgn(text) else { return Vec::new() };
            let games = file
                .games
                .iter()
                .enumerate()
                .filter(|(_, game)| !game.mode().is_chess960());
            games
                .flat_map(|(i, game)| {
                    let name = if i == 0 {
                        number.to_string()
                    } else {
                        format!("{number}.{i}")
                    };
                    let line = game.main_line().into_iter().skip(OPENING).step_by(EVERY);
                    line.filter_map(move |node| sampled(name.clone(), &game.position(node)?))
                })
                .collect()
        }
    }
}

/// `None` where the game is over, since a network has nothing to say there, and for positions that no game leads to.
fn sampled(game: String, position: &Chess) -> Option<Sampled> {
    if position.is_game_over() {
        return None;
    }
    let fen = write_fen(position, CastlingMode::Standard);
    let strict: Option<Chess> = fen
        .parse::<Fen>()
        .ok()
        .and_then(|fen| fen.into_position(CastlingMode::Standard).ok());
    strict.map(|_| Sampled { game, fen })
}

/// Positions as the app ships and keeps them.
#[must_use]
pub fn write(positions: &[Sampled]) -> String {
    positions
        .iter()
        .map(|Sampled { game, fen }| format!("{}\t{fen}\n", game.replace(['\t', '\n', '\r'], " ")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Write as _;

    const A: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    const B: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    const MATE: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";

    fn all(text: &str) -> Vec<(String, String)> {
        let pieces = pieces(text).unwrap();
        let read = pieces.into_iter().enumerate().flat_map(|(i, piece)| read(piece, i));
        read.map(|s| (s.game, s.fen)).collect()
    }

    fn rows(rows: &[(&str, &str)]) -> Vec<(String, String)> {
        rows.iter().map(|(g, f)| ((*g).to_owned(), (*f).to_owned())).collect()
    }

    #[test]
    fn lines_of_each_kind() {
        assert_eq!(
            all(&format!("7\t{A}\n\nx y\t{B}\n7\t{MATE}\n")),
            rows(&[("7", A), ("x y", B)])
        );
        assert_eq!(
            all(&format!(
                "{{\"fen\":\"{A}\",\"game\":12,\"cp\":3}}\n{{\"fen\":\"{B}\"}}\nrubbish\n"
            )),
            rows(&[("12", A), ("1", B)])
        );
        assert_eq!(all(&format!("\n{A}\r\n{B}")), rows(&[("0", A), ("1", B)]));
    }

    #[test]
    fn games_give_every_third_position_after_the_opening() {
        let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6";
        let text = format!("[Event \"a\"]\n[White \"x\"]\n\n{moves} *\n\n[Event \"b\"]\n\n{moves} *\n");
        let found = all(&text);
        let games: Vec<&str> = found.iter().map(|(game, _)| game.as_str()).collect();
        assert_eq!(games, ["0", "0", "1", "1"]);
        let after_castling = "r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 3 5";
        let after_b5 = "r1bqk2r/2ppbppp/p1n2n2/1p2p3/B3P3/5N2/PPPP1PPP/RNBQR1K1 w kq - 0 7";
        assert_eq!(found[0].1, after_castling);
        assert_eq!(found[1].1, after_b5);
    }

    #[test]
    fn packed_and_not_and_neither() {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packer.write_all(format!("1\t{A}\n").as_bytes()).unwrap();
        let packed = packer.finish().unwrap();
        assert_eq!(all(&text(&packed).unwrap()), rows(&[("1", A)]));
        assert!(matches!(text(&packed[..packed.len() / 2]), Err(NoPositions::Packed(_))));
        assert!(matches!(text(b"PK\x03\x04"), Err(NoPositions::NotText(_))));
        assert_eq!(pieces(" \n"), Err(NoPositions::Empty));
        assert!(all("no chess here").is_empty());
    }

    #[test]
    fn what_is_written_is_read_again() {
        let sampled = [("a\tb", A), ("2", B)].map(|(game, fen)| Sampled {
            game: game.into(),
            fen: fen.into(),
        });
        assert_eq!(all(&write(&sampled)), rows(&[("a b", A), ("2", B)]));
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200), lines: String) {
            if let Ok(text) = text(&bytes) {
                let _ = pieces(&text);
            }
            for (i, piece) in pieces(&lines).unwrap_or_default().into_iter().enumerate() {
                let _ = read(piece, i);
            }
        }
    }
}

//! The hash of a shared link: `#fen=…&moves=…&move=…`.
//!
//! `fen` is where the moves begin, `moves` (optional, comma-separated) led from there to the position under discussion,
//! so that its history survives, and `move` (optional) is the move asked about; a pass is written `0000`. Spaces are
//! written `_`; `_` and `%20` are read. No network and no address is involved: a link is text.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use shakmaty::{CastlingMode, Chess, san::SanPlus};
use thiserror::Error;

use super::{
    fen::{ReadFen, read_fen, with_castling_restored, write_fen},
    fen_error::FenError,
    game::{Game, HalfMove, NodeId, PlayError},
    move_error::MoveError,
    notation::read_move,
    pass::{UCI_OF_PASS, passed},
    placement::clip,
    repair::Repair,
};

/// The longest hash read, in bytes.
pub const MAX_LINK_BYTES: usize = 16 * 1024;

/// The most moves a link carries. A longer game's link starts that many half-moves before the move.
pub const MAX_LINK_MOVES: usize = 400;

/// What stays as it is in a hash: letters, digits and these. Everything else is percent-encoded.
const UNESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'~');

/// A view that can be shared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Where the moves begin.
    pub fen: String,
    /// The move asked about, in UCI or SAN.
    pub mv: Option<String>,
    /// The moves that led from `fen` to the position of `mv`, in UCI or SAN.
    pub moves: Option<Vec<String>>,
}

/// Why a hash is no link.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LinkError {
    /// More than [`MAX_LINK_BYTES`].
    #[error("This link is too long ({0} bytes).")]
    TooLong(usize),
    /// No `fen=`.
    #[error("This link names no position: it has no fen=….")]
    NoFen,
    /// A key that stands twice.
    #[error("This link names {0}= twice.")]
    Twice(String),
    /// Bytes that are no text.
    #[error("The {0}= of this link is damaged: it is not UTF-8 text.")]
    NotText(String),
    /// More than [`MAX_LINK_MOVES`].
    #[error("This link holds more than {MAX_LINK_MOVES} moves.")]
    TooManyMoves,
    /// The position.
    #[error("The position of this link cannot be read. {0}")]
    Fen(#[from] FenError),
    /// A move.
    #[error("The move {text} of this link cannot be played. {error}")]
    Move {
        /// As it was written.
        text: String,
        /// What is wrong with the move.
        error: MoveError,
    },
    /// The game is full; cannot happen within [`MAX_LINK_MOVES`].
    #[error(transparent)]
    Play(#[from] PlayError),
}

/// What a link shows.
#[derive(Debug, Clone)]
pub struct Opened {
    /// The moves of the link as a game.
    pub game: Game,
    /// The move asked about, or the last of `moves`, or the root.
    pub at: NodeId,
    /// Whether `at` is a move that is asked about (else it is only where to look).
    pub asked: bool,
    /// What was mended in the FEN.
    pub repairs: Vec<Repair>,
}

impl Link {
    /// The link to a move of a game with the moves that led to it.
    #[must_use]
    pub fn of(game: &Game, at: NodeId) -> Self {
        let line = game.line_to(at);
        let uci = |id: &NodeId| match game.mv(*id) {
            Some(mv) => Some(mv.to_uci(game.mode()).to_string()),
            None => game.is_pass(*id).then(|| UCI_OF_PASS.to_owned()),
        };
        let (last, before) = match line.split_last() {
            Some((last, before)) => (Some(last), before),
            None => (None, line.as_slice()),
        };
        let (left_out, kept) = before.split_at(before.len().saturating_sub(MAX_LINK_MOVES));
        let start = left_out.last().copied().unwrap_or(NodeId::ROOT);
        let root = game.position(start).unwrap_or_else(|| game.root().clone());
        Self {
            fen: write_fen(&root, game.mode()),
            mv: last.and_then(uci),
            moves: (!kept.is_empty()).then(|| kept.iter().filter_map(uci).collect()),
        }
    }

    /// The hash with its `#`.
    #[must_use]
    pub fn to_hash(&self) -> String {
        let mut hash = format!("#fen={}", encode(&self.fen));
        if let Some(moves) = self.moves.as_ref().filter(|moves| !moves.is_empty()) {
            let moves: Vec<String> = moves.iter().map(|mv| encode(mv)).collect();
            hash.push_str(&format!("&moves={}", moves.join(",")));
        }
        if let Some(mv) = &self.mv {
            hash.push_str(&format!("&move={}", encode(mv)));
        }
        hash
    }

    /// Reads a hash, with or without its `#`. Keys it does not know are passed over.
    ///
    /// # Errors
    /// Where it is no link; the position and the moves are looked at by [`Link::open`].
    pub fn from_hash(hash: &str) -> Result<Self, LinkError> {
        if hash.len() > MAX_LINK_BYTES {
            return Err(LinkError::TooLong(hash.len()));
        }
        let hash = hash.trim();
        let hash = hash.strip_prefix('#').unwrap_or(hash);
        let hash = hash.trim_start_matches(['/', '?']);
        let (mut fen, mut mv, mut moves) = (None, None, None);
        for (key, value) in hash.split('&').filter_map(|pair| pair.split_once('=')) {
            let slot = match key {
                "fen" => &mut fen,
                "move" => &mut mv,
                "moves" => &mut moves,
                _ => continue,
            };
            if slot.replace(value).is_some() {
                return Err(LinkError::Twice(key.to_owned()));
            }
        }
        // A FEN has no plus sign, so one is a space that some programs encode so. In a move it is a check mark.
        let fen = decode("fen", &fen.ok_or(LinkError::NoFen)?.replace('+', " "))?;
        let mv = mv
            .filter(|text| !text.is_empty())
            .map(|text| decode("move", text))
            .transpose()?;
        let moves: Option<Vec<String>> = moves
            .filter(|text| !text.is_empty())
            .map(|text| text.split(',').map(|one| decode("moves", one)).collect())
            .transpose()?;
        if moves.as_ref().is_some_and(|moves| moves.len() > MAX_LINK_MOVES) {
            return Err(LinkError::TooManyMoves);
        }
        Ok(Self { fen, mv, moves })
    }

    /// Plays the link's moves from its position.
    ///
    /// # Errors
    /// Where the position or a move cannot be read.
    pub fn open(&self) -> Result<Opened, LinkError> {
        let mut start = read_start(&self.fen)?;
        let moves = self.moves.as_deref().unwrap_or_default();
        if moves.len() > MAX_LINK_MOVES {
            return Err(LinkError::TooManyMoves);
        }
        let texts: Vec<&String> = moves.iter().chain(&self.mv).collect();
        if let Some((restored, _)) = texts.first().and_then(|first| with_castling_restored(&start, first)) {
            start = restored;
        }
        let mut game = Game::new(start.position.clone(), start.mode);
        let mut position = start.position;
        let mut at = NodeId::ROOT;
        for text in texts {
            if text == UCI_OF_PASS
                && let Some(after) = passed(&position)
            {
                position = after;
                at = game.add(at, HalfMove::Pass)?;
                continue;
            }
            let mv = read_move(&position, start.mode, text).map_err(|error| LinkError::Move {
                text: clip(text),
                error,
            })?;
            let san = SanPlus::from_move_and_play_unchecked(&mut position, mv);
            at = game.add(at, HalfMove::Move(mv, san))?;
        }
        Ok(Opened {
            game,
            at,
            asked: self.mv.is_some(),
            repairs: start.repairs,
        })
    }
}

fn read_start(fen: &str) -> Result<ReadFen, FenError> {
    if fen.trim() == "startpos" {
        return Ok(ReadFen {
            position: Chess::default(),
            mode: CastlingMode::Standard,
            repairs: Vec::new(),
        });
    }
    read_fen(fen)
}

fn encode(text: &str) -> String {
    utf8_percent_encode(text, UNESCAPED).to_string().replace("%20", "_")
}

fn decode(key: &str, text: &str) -> Result<String, LinkError> {
    let text = text.replace('_', " ");
    percent_decode_str(&text)
        .decode_utf8()
        .map(std::borrow::Cow::into_owned)
        .map_err(|_| LinkError::NotText(key.to_owned()))
}

//! PGN read: games with variations, comments and glyphs. What cannot be read is reported; what came before it is kept.

use std::fmt;

use shakmaty::{CastlingMode, Chess, Color, Move, Outcome, Position, san::SanPlus};
use thiserror::Error;

use super::{
    epd::EpdError,
    fen::{ReadFen, read_fen_of, with_castling_restored},
    fen_error::FenError,
    game::{Game, MAX_DEPTH, MAX_NODES, NodeId, join, plain_comment},
    move_error::MoveError,
    notation::read_move,
    pgn_tokens::{Token, Tokens},
    placement::clip,
    repair::Repair,
};
use crate::pace::{AtOnce, Pace, at_once};

/// The largest text taken, in bytes: some 2,000 games without comments.
pub const MAX_PGN_BYTES: usize = 2 << 20;
/// The most games in one text.
pub const MAX_GAMES: usize = 5_000;
/// The most moves in one text, all games and variations together.
pub const MAX_MOVES: usize = 300_000;
/// So many tokens are one step of a paced reading: well below a millisecond.
const TURN: usize = 32;
/// So many words that are no moves a game may have among its moves, or as many as it has moves; what has more is prose.
const MAX_STRAY_WORDS: usize = 20;
/// Problems beyond this many are counted and not kept.
const MAX_PROBLEMS: usize = 100;

/// What a PGN text holds.
#[derive(Debug, Clone)]
pub struct PgnFile {
    /// The games, in the order of the text; at least one.
    pub games: Vec<Game>,
    /// What could not be read, in the order of the text.
    pub problems: Vec<PgnProblem>,
    /// How many more problems there are than `problems` holds.
    pub more_problems: usize,
    /// What was mended in FEN tags, with the index in `games`.
    pub repairs: Vec<(usize, Repair)>,
}

/// Why a text is refused as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PgnError {
    /// More than [`MAX_PGN_BYTES`].
    #[error("This PGN has {0} bytes; at most {MAX_PGN_BYTES} are read.")]
    TooLong(usize),
    /// More than [`MAX_GAMES`].
    #[error("This PGN holds more than {MAX_GAMES} games.")]
    TooManyGames,
    /// More than [`MAX_MOVES`].
    #[error("This PGN holds more than {MAX_MOVES} moves.")]
    TooManyMoves,
    /// Neither a tag nor a move.
    #[error("There is no game in this text.")]
    NoGame,
    /// Text with a move here and there: words without the shape of a move, and moves that were read.
    #[error(
        "This is hardly a game (words that are no moves: {words}; moves that could be played: {moves}). Paste the game \
         alone."
    )]
    Prose {
        /// Without the shape of a move.
        words: usize,
        /// Read as moves, variations included.
        moves: usize,
    },
    /// No game could be read, for this reason.
    #[error("No game could be read. {0}")]
    NothingRead(Box<PgnProblem>),
}

/// Something in a PGN text that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PgnProblem {
    /// Which game of the text, from 1.
    pub game: usize,
    /// Which line of the text, from 1.
    pub line: usize,
    /// What it is.
    pub kind: ProblemKind,
}

/// What can be wrong in a game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProblemKind {
    /// Something that is not a move, or not a legal one. The line ends before it.
    #[error("{number} {text} was not read, and the line ends before it: {error}")]
    Move {
        /// `12.` or `12…`.
        number: String,
        /// As it was written.
        text: String,
        /// What is wrong with the move.
        error: MoveError,
    },
    /// The FEN tag. The game is left out.
    #[error("the FEN tag cannot be read, and the game was left out. {0}")]
    Fen(FenError),
    /// A line in a list of positions. It is left out.
    #[error("the position cannot be read, and was left out. {0}")]
    Position(EpdError),
    /// The Variant tag names another game. It is left out.
    #[error("this is a game of {0}, which is not chess as Kibitz knows it, and was left out.")]
    Variant(String),
    /// A variation before any move.
    #[error("a variation stands where there is no move to vary, and was left out.")]
    StrayVariation,
    /// `)` without `(`.
    #[error("a closing parenthesis has no opening one, and was passed over.")]
    StrayClose,
    /// Deeper nesting than [`MAX_DEPTH`].
    #[error("variations are nested more than {MAX_DEPTH} deep; the deeper ones were left out.")]
    TooDeep,
    /// More moves than [`MAX_NODES`].
    #[error("the game has more than {MAX_NODES} moves; the rest was left out.")]
    TooManyMoves,
    /// A comment that is not closed: it takes all the rest.
    #[error("a comment that opens with {{ is not closed; the rest of the text was taken for it.")]
    UnclosedComment,
}

impl fmt::Display for PgnProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Game {}, line {}: {}", self.game, self.line, self.kind)
    }
}

/// Reads every game of a PGN text.
///
/// # Errors
/// Where the text is too large, or holds no game that can be read.
pub fn read_pgn(text: &str) -> Result<PgnFile, PgnError> {
    at_once(read_games(text, None, &AtOnce))
}

/// The same at a pace.
///
/// # Errors
/// As [`read_pgn`].
pub async fn read_pgn_at(text: &str, pace: &impl Pace) -> Result<PgnFile, PgnError> {
    read_games(text, None, pace).await
}

/// Reads the games of a PGN text at a pace; movetext starts in `start`, where it follows a FEN.
///
/// # Errors
/// As [`read_pgn`].
pub(super) async fn read_games(text: &str, start: Option<&ReadFen>, pace: &impl Pace) -> Result<PgnFile, PgnError> {
    if text.len() > MAX_PGN_BYTES {
        return Err(PgnError::TooLong(text.len()));
    }
    let mut reader = Reader {
        file: PgnFile {
            games: Vec::new(),
            problems: Vec::new(),
            more_problems: 0,
            repairs: Vec::new(),
        },
        start: start.cloned(),
        started: 0,
        moves: 0,
        stray_words: 0,
        tags: Vec::new(),
        preface: String::new(),
        body: Body::None,
        line: 1,
    };
    for (count, (line, token)) in Tokens::new(text).enumerate() {
        reader.line = line;
        let mut token = token;
        while let Some((piece, rest)) = token.beginning() {
            reader.token(piece)?;
            token = rest;
            pace.turn().await;
        }
        reader.token(token)?;
        if count % TURN == 0 {
            pace.turn().await;
        }
    }
    reader.end_game(None)?;
    let (file, words) = (reader.file, reader.stray_words);
    let moves: usize = file.games.iter().map(Game::len).sum();
    if moves > 0 && words > MAX_STRAY_WORDS.max(moves) {
        return Err(PgnError::Prose { words, moves });
    }
    let empty = |game: &Game| game.is_empty() && game.tags.is_empty() && *game.root() == Chess::default();
    let nothing = start.is_none() && !file.problems.is_empty() && file.games.iter().all(empty);
    if file.games.is_empty() || nothing {
        return Err(match file.problems.into_iter().next() {
            Some(problem) => PgnError::NothingRead(Box::new(problem)),
            None => PgnError::NoGame,
        });
    }
    Ok(file)
}

/// One line of the tree while it is read.
struct Frame {
    at: NodeId,
    position: Chess,
    /// Where the last move of this line was played from: what a variation departs from.
    before: Option<(NodeId, Chess)>,
    /// A comment that waits for the first move of a variation.
    waiting: String,
    /// The line has ended early: what follows in it is passed over.
    dead: bool,
    /// Variations open inside this line that are passed over.
    passed_over: usize,
}

enum Body {
    /// Between games, or among the tags of one.
    None,
    /// In the moves; the frames are never empty.
    Game(Box<Game>, Vec<Frame>),
    /// In the moves of a game that is left out.
    LeftOut,
}

struct Reader {
    file: PgnFile,
    start: Option<ReadFen>,
    /// Games begun, those left out included.
    started: usize,
    moves: usize,
    /// Words that were not read and have not the shape of a move either.
    stray_words: usize,
    tags: Vec<(String, String)>,
    /// Comments before anything else of a game.
    preface: String,
    body: Body,
    line: usize,
}

impl Reader {
    fn problem(&mut self, kind: ProblemKind) {
        if self.file.problems.len() < MAX_PROBLEMS {
            let problem = PgnProblem {
                game: self.started.max(1),
                line: self.line,
                kind,
            };
            self.file.problems.push(problem);
        } else {
            self.file.more_problems += 1;
        }
    }

    fn token(&mut self, token: Token) -> Result<(), PgnError> {
        match token {
            Token::Tag(name, value) => {
                if !matches!(self.body, Body::None) {
                    self.end_game(None)?;
                }
                self.preface.clear();
                self.tags.push((name.to_owned(), value));
            }
            Token::Result(outcome) => {
                let nested = matches!(&self.body, Body::Game(_, frames) if frames.len() > 1);
                // A result inside a variation is an opinion; and a lone `*` between games is nothing.
                let nothing = matches!(self.body, Body::None) && self.tags.is_empty();
                if !nested && !nothing {
                    self.begin_game()?;
                    self.end_game(Some(outcome))?;
                }
            }
            Token::Word(word) => {
                self.begin_game()?;
                self.word(word)?;
            }
            Token::Comment(text) if matches!(self.body, Body::None) && self.tags.is_empty() => {
                // The head of a file, or of a game without tags: known when the next token comes.
                join(&mut self.preface, &plain_comment(text));
            }
            Token::Comment(text) => {
                self.begin_game()?;
                self.comment(text);
            }
            Token::UnclosedComment(text) => {
                self.begin_game()?;
                self.comment(text);
                self.problem(ProblemKind::UnclosedComment);
            }
            Token::Nag(nag) => {
                if let Body::Game(game, frames) = &mut self.body
                    && let Some(frame) = frames.last().filter(|frame| frame.is_read() && frame.before.is_some())
                {
                    game.add_nag(frame.at, nag);
                }
            }
            Token::Open => {
                self.begin_game()?;
                self.open();
            }
            Token::Close => self.close(),
        }
        Ok(())
    }

    /// Makes the game from the tags, if none is under way.
    fn begin_game(&mut self) -> Result<(), PgnError> {
        if !matches!(self.body, Body::None) {
            return Ok(());
        }
        if self.started == MAX_GAMES {
            return Err(PgnError::TooManyGames);
        }
        self.started += 1;
        let mut tags = std::mem::take(&mut self.tags);
        let value = |name: &str| tags.iter().find(|(n, _)| n == name).map(|(_, value)| value.clone());
        let variant = value("Variant").unwrap_or_default().to_ascii_lowercase();
        let chess960 = ["960", "fischer", "freestyle"]
            .iter()
            .any(|word| variant.contains(word));
        if !chess960
            && !matches!(
                variant.as_str(),
                "" | "?" | "-" | "standard" | "normal" | "chess" | "from position"
            )
        {
            self.problem(ProblemKind::Variant(clip(&value("Variant").unwrap_or_default())));
            self.body = Body::LeftOut;
            return Ok(());
        }
        let start = match (value("FEN"), &self.start) {
            (Some(fen), _) => match read_fen_of(&fen, chess960) {
                Ok(read) => read,
                Err(error) => {
                    self.problem(ProblemKind::Fen(error));
                    self.body = Body::LeftOut;
                    return Ok(());
                }
            },
            (None, Some(start)) => ReadFen {
                repairs: Vec::new(),
                ..start.clone()
            },
            (None, None) => ReadFen {
                position: Chess::default(),
                mode: CastlingMode::Standard,
                repairs: Vec::new(),
            },
        };
        let index = self.file.games.len();
        self.file
            .repairs
            .extend(start.repairs.into_iter().map(|repair| (index, repair)));
        let mut game = Game::new(start.position.clone(), start.mode);
        game.outcome = value("Result")
            .and_then(|text| text.parse().ok())
            .unwrap_or(Outcome::Unknown);
        tags.retain(|(name, value)| {
            !matches!(name.as_str(), "FEN" | "SetUp" | "Result") && !matches!(value.as_str(), "?" | "????.??.??")
        });
        game.tags = tags;
        game.set_comment(NodeId::ROOT, &std::mem::take(&mut self.preface));
        self.body = Body::Game(Box::new(game), vec![Frame::new(NodeId::ROOT, start.position)]);
        Ok(())
    }

    fn end_game(&mut self, outcome: Option<Outcome>) -> Result<(), PgnError> {
        if matches!(self.body, Body::None) && !self.tags.is_empty() {
            self.begin_game()?; // tags alone: a position to look at
        }
        if let Body::Game(mut game, _) = std::mem::replace(&mut self.body, Body::None) {
            if let Some(outcome @ Outcome::Known(_)) = outcome {
                game.outcome = outcome;
            }
            self.file.games.push(*game);
        }
        Ok(())
    }

    fn comment(&mut self, text: &str) {
        let Body::Game(game, frames) = &mut self.body else {
            return;
        };
        let nested = frames.len() > 1;
        let Some(frame) = frames.last_mut().filter(|frame| frame.is_read()) else {
            return;
        };
        let text = plain_comment(text);
        if frame.before.is_none() && nested {
            join(&mut frame.waiting, &text);
        } else {
            game.append_comment(frame.at, &text);
        }
    }

    fn open(&mut self) {
        let Body::Game(_, frames) = &mut self.body else {
            return;
        };
        let deep = frames.len() > MAX_DEPTH;
        let Some(frame) = frames.last_mut() else { return };
        let was_read = frame.is_read();
        match &frame.before {
            Some((at, position)) if was_read && !deep => {
                let variation = Frame::new(*at, position.clone());
                frames.push(variation);
            }
            before => {
                // Only counted: a million parentheses must not become a million positions.
                let kind = if before.is_some() {
                    ProblemKind::TooDeep
                } else {
                    ProblemKind::StrayVariation
                };
                frame.passed_over += 1;
                if was_read {
                    self.problem(kind);
                }
            }
        }
    }

    fn close(&mut self) {
        let Body::Game(_, frames) = &mut self.body else {
            return;
        };
        let nested = frames.len() > 1;
        match frames.last_mut() {
            Some(frame) if frame.passed_over > 0 => frame.passed_over -= 1,
            Some(_) if nested => {
                frames.pop();
            }
            _ => self.problem(ProblemKind::StrayClose),
        }
    }

    fn word(&mut self, word: &str) -> Result<(), PgnError> {
        let Body::Game(game, frames) = &mut self.body else {
            return Ok(());
        };
        let first = frames.len() == 1;
        let Some(frame) = frames.last_mut().filter(|frame| frame.is_read()) else {
            self.stray_words += usize::from(!is_like_a_move(word));
            return Ok(());
        };
        self.moves += 1; // those that fail cost as much
        if self.moves > MAX_MOVES {
            return Err(PgnError::TooManyMoves);
        }
        let read = match quick_move(&frame.position, word) {
            Some(mv) => Ok(mv),
            None => read_move(&frame.position, game.mode(), word),
        };
        let read = match read {
            Err(error) if first && game.is_empty() => {
                // The first move may be the castling that the FEN's missing rights forbid.
                let root = ReadFen {
                    position: game.root().clone(),
                    mode: game.mode(),
                    repairs: Vec::new(),
                };
                match with_castling_restored(&root, word) {
                    Some((restored, mv)) => {
                        let comment = game.comment(NodeId::ROOT).to_owned();
                        let mut anew = Game::new(restored.position.clone(), restored.mode);
                        anew.tags = std::mem::take(&mut game.tags);
                        anew.outcome = game.outcome;
                        anew.set_comment(NodeId::ROOT, &comment);
                        **game = anew;
                        frame.position = restored.position;
                        let index = self.file.games.len();
                        self.file
                            .repairs
                            .extend(restored.repairs.into_iter().map(|repair| (index, repair)));
                        Ok(mv)
                    }
                    None => Err(error),
                }
            }
            read => read,
        };
        match read {
            Ok(mv) => {
                if !frame.play(game, mv) {
                    for frame in frames.iter_mut() {
                        frame.dead = true;
                    }
                    self.problem(ProblemKind::TooManyMoves);
                }
            }
            Err(error) => {
                frame.dead = true;
                self.stray_words += usize::from(!is_like_a_move(word));
                let number = frame.number();
                self.problem(ProblemKind::Move {
                    number,
                    text: clip(word),
                    error,
                });
            }
        }
        Ok(())
    }
}

impl Frame {
    fn new(at: NodeId, position: Chess) -> Self {
        Self {
            at,
            position,
            before: None,
            waiting: String::new(),
            dead: false,
            passed_over: 0,
        }
    }

    /// Whether what comes next belongs to this line and is wanted.
    fn is_read(&self) -> bool {
        !self.dead && self.passed_over == 0
    }

    /// Adds the move to the game and goes there. False where the game is full.
    fn play(&mut self, game: &mut Game, mv: Move) -> bool {
        let before = (self.at, self.position.clone());
        let san = SanPlus::from_move_and_play_unchecked(&mut self.position, mv);
        let id = match game.child_with(self.at, mv) {
            Some(id) => id,
            None => match game.add(self.at, mv, san) {
                Ok(id) => id,
                Err(_) => return false,
            },
        };
        if !self.waiting.is_empty() {
            let mut whole = game.comment_before(id).to_owned();
            join(&mut whole, &std::mem::take(&mut self.waiting));
            game.set_comment_before(id, &whole);
        }
        self.at = id;
        self.before = Some(before);
        true
    }

    /// `12.` or `12…`, for the move to be played here.
    fn number(&self) -> String {
        let dots = if self.position.turn() == Color::White {
            "."
        } else {
            "…"
        };
        format!("{}{dots}", self.position.fullmoves())
    }
}

/// Whether a word has the shape of a move in any language's letters: a square in it, or castling.
fn is_like_a_move(word: &str) -> bool {
    let square = |pair: &[u8]| matches!(pair, [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8']);
    word.as_bytes().windows(2).any(square) || ["O-O", "0-0", "o-o"].iter().any(|castling| word.contains(castling))
}

/// SAN as programs write it, without asking why where it fails.
fn quick_move(position: &Chess, word: &str) -> Option<Move> {
    SanPlus::from_ascii(word.as_bytes()).ok()?.san.to_move(position).ok()
}

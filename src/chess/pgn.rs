//! PGN read: games with variations, comments and glyphs. What cannot be read is reported; what came before it is kept.

use std::{borrow::Cow, collections::HashSet, ops::Range};

use shakmaty::{CastlingMode, Chess, Color, Move, Outcome, Position, san::SanPlus};
use thiserror::Error;

use super::{
    fen::{ReadFen, read_fen_of, with_castling_restored},
    fen_fields::is_dash,
    game::{Game, HalfMove, MAX_DEPTH, NodeId, join, plain_comment},
    move_error::MoveError,
    notation::read_move,
    pass::passed,
    pgn_problem::{PgnProblem, ProblemKind},
    pgn_result::read_result,
    pgn_tokens::{Placed, Token, Tokens, is_numeric_move, says_nothing},
    placement::clip,
    repair::Repair,
    typed_move::{TypedMoveError, read_typed},
    variant::Variant,
    written_move::{is_invisible, is_null},
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
/// So many words that are no moves a text may have, or so many for each of its moves; what has more is prose.
const MAX_STRAY_WORDS: usize = 20;
const STRAY_WORDS_A_MOVE: usize = 10;
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
    let mut reader = Reader::new(text, start);
    let mut tokens = Tokens::new(text).peekable();
    let mut count = 0;
    while let Some(mut placed) = tokens.next() {
        while let Some((piece, rest)) = placed.token.beginning() {
            let piece = Placed {
                token: piece,
                ..placed.clone()
            };
            reader.take(&piece, None)?;
            placed.token = rest;
            pace.turn().await;
        }
        reader.take(&placed, tokens.peek())?;
        count += 1;
        if count % TURN == 0 {
            pace.turn().await;
        }
    }
    let (mut file, words) = reader.finish()?;
    let moves: usize = file.games.iter().map(Game::len).sum();
    if moves > 0 && words > MAX_STRAY_WORDS.max(STRAY_WORDS_A_MOVE * moves) {
        return Err(PgnError::Prose { words, moves });
    }
    // What held no game is no comment on one.
    if file.games.is_empty()
        && let Some(problem) = file.problems.first_mut()
        && let ProblemKind::StrayWords(words) = &problem.kind
    {
        let first = clip(words.split_whitespace().next().unwrap_or_default());
        problem.kind = ProblemKind::Move {
            number: "1.".to_owned(),
            error: MoveError::NotAMove(first.clone()).into(),
            text: first,
        };
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
    /// The line has ended early: what follows in it, from this byte on, is a comment. The number of the move that ended it
    /// stands before it.
    unread: Option<(usize, String)>,
    /// Variations open inside this line that become comments, and the byte where the outermost begins.
    passed_over: usize,
    passed_over_from: usize,
}

enum Body {
    /// Between games, or among the tags of one.
    None,
    /// In the moves; the frames are never empty.
    Game {
        game: Box<Game>,
        frames: Vec<Frame>,
        /// Its result was read: what follows belongs to it until the next game begins.
        ended: bool,
    },
    /// In the moves of a game that is left out; whether its result was read.
    LeftOut(bool),
}

/// Words that are no moves, one after another.
struct Run {
    span: Range<usize>,
    line: usize,
    words: usize,
    /// Its first word is a move in numbers.
    numeric: bool,
}

struct Reader<'a> {
    text: &'a str,
    file: PgnFile,
    start: Option<ReadFen>,
    /// Games begun, those left out included.
    started: usize,
    moves: usize,
    /// Words that were not read and have not the shape of a move either.
    stray_words: usize,
    tags: Vec<(String, String)>,
    /// Where the tags after the last empty line begin, and the names of those before.
    block: usize,
    earlier_names: HashSet<String>,
    /// An empty line was seen since the last tag or result.
    after_empty_line: bool,
    /// Text before the tags of a game.
    head: String,
    /// Text between games, or among the tags of one: whose it is, is known when the next token comes.
    preface: String,
    run: Option<Run>,
    body: Body,
    /// Of the token that is read.
    line: usize,
    at: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, start: Option<&ReadFen>) -> Self {
        Self {
            text,
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
            block: 0,
            earlier_names: HashSet::new(),
            after_empty_line: false,
            head: String::new(),
            preface: String::new(),
            run: None,
            body: Body::None,
            line: 1,
            at: 0,
        }
    }

    /// What was read, and the number of words that have not the shape of a move.
    fn finish(mut self) -> Result<(PgnFile, usize), PgnError> {
        self.at = self.text.len();
        self.end_run();
        self.end_game()?;
        Ok((self.file, self.stray_words))
    }

    fn problem(&mut self, kind: ProblemKind) {
        self.problem_at(self.line, kind);
    }

    fn problem_at(&mut self, line: usize, kind: ProblemKind) {
        if !kind.is_lone() {
            let same =
                |problem: &&mut PgnProblem| std::mem::discriminant(&problem.kind) == std::mem::discriminant(&kind);
            if let Some(first) = self.file.problems.iter_mut().find(same) {
                first.more += 1;
                return;
            }
        }
        if self.file.problems.len() < MAX_PROBLEMS {
            let begun = usize::from(matches!(self.body, Body::None));
            self.file.problems.push(PgnProblem {
                game: (self.started + begun).max(1),
                line,
                kind,
                more: 0,
            });
        } else {
            self.file.more_problems += 1;
        }
    }

    /// Whether the result of the game was read.
    fn is_ended(&self) -> bool {
        matches!(self.body, Body::Game { ended: true, .. } | Body::LeftOut(true))
    }

    fn take(&mut self, placed: &Placed<'_>, next: Option<&Placed<'_>>) -> Result<(), PgnError> {
        self.line = placed.line;
        self.at = placed.span.start;
        if placed.after_empty_line {
            self.end_run();
            self.after_empty_line = true;
        }
        if let Token::Word(word) = placed.token {
            return self.word(word, placed, next);
        }
        if let (Token::Nag(_), Some(run)) = (&placed.token, &mut self.run)
            && run.span.end == placed.span.start
        {
            run.span.end = placed.span.end; // `well played!`
            return Ok(());
        }
        self.end_run();
        match &placed.token {
            Token::Word(_) => {}
            Token::Tag(name, value) => self.tag(name, value)?,
            Token::Result(outcome) => self.result(*outcome)?,
            Token::Comment(text) => self.comment(text),
            Token::UnclosedComment(text) => {
                self.begin_game()?;
                self.comment(text);
                self.problem(ProblemKind::UnclosedComment);
            }
            Token::Nag(nag) => {
                if let Body::Game { game, frames, .. } = &mut self.body
                    && let Some(frame) = frames.last().filter(|frame| frame.is_read() && frame.before.is_some())
                {
                    game.add_nag(frame.at, *nag);
                }
            }
            Token::Open => {
                self.begin_game()?;
                self.open();
            }
            Token::Close => self.close(placed.span.end),
        }
        Ok(())
    }

    fn tag(&mut self, name: &str, value: &str) -> Result<(), PgnError> {
        if !matches!(self.body, Body::None) {
            self.end_game()?;
        }
        // A game may have no moves. Another begins where a tag stands again that stood before an empty line, and where text
        // stands between; tags with empty lines between them are one game's.
        let again = name == "Event" && self.tags.len() > 1 && self.tags.iter().any(|(other, _)| other == name);
        if self.after_empty_line && !self.tags.is_empty() && !self.preface.is_empty() {
            self.end_game()?;
        } else if self.after_empty_line || again {
            let before = self.tags.get(self.block..).unwrap_or_default();
            self.earlier_names.extend(before.iter().map(|(name, _)| name.clone()));
            self.block = self.tags.len();
        }
        let is_tentative = again && !self.after_empty_line;
        if !is_tentative && self.earlier_names.contains(name) {
            let next = self.tags.split_off(self.block);
            self.end_game()?;
            self.tags = next;
        }
        if self.tags.is_empty() {
            join(&mut self.head, &std::mem::take(&mut self.preface));
        }
        self.after_empty_line = false;
        self.tags.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    fn result(&mut self, outcome: Outcome) -> Result<(), PgnError> {
        if matches!(&self.body, Body::Game { frames, .. } if frames.len() > 1) || self.is_ended() {
            return Ok(()); // inside a variation it is an opinion
        }
        if matches!(self.body, Body::None) && self.tags.is_empty() {
            return Ok(()); // a lone `*` between games
        }
        self.begin_game()?;
        match &mut self.body {
            Body::Game { game, frames, ended } => {
                if outcome != Outcome::Unknown {
                    game.outcome = outcome;
                }
                if let [frame] = &mut frames[..] {
                    frame.keep_unread(game, self.text, self.at);
                }
                *ended = true;
            }
            Body::LeftOut(ended) => *ended = true,
            Body::None => {}
        }
        self.after_empty_line = false;
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
        let tags = self.own_tags();
        self.started += 1;
        self.after_empty_line = false;
        let value = |name: &str| tags.iter().find(|(n, _)| n == name).map(|(_, value)| value.trim());
        let named = value("Variant").unwrap_or_default();
        let Some(variant) = Variant::named(named) else {
            self.body = Body::LeftOut(false);
            self.problem(ProblemKind::Variant(clip(named)));
            return Ok(());
        };
        let usual = || ReadFen {
            position: Chess::default(),
            mode: CastlingMode::Standard,
            repairs: Vec::new(),
        };
        let fen = value("FEN").filter(|fen| !fen.is_empty());
        let (start, unknown) = match (fen, &self.start) {
            (Some(fen), _) if !fen.contains(char::is_alphanumeric) => (usual(), Some(fen)),
            (Some(fen), _) if fen.eq_ignore_ascii_case("startpos") => (usual(), None),
            (Some(fen), _) => match read_fen_of(fen, variant == Variant::Chess960) {
                Ok(read) => (read, None),
                Err(error) => {
                    self.body = Body::LeftOut(false);
                    self.problem(ProblemKind::Fen(error));
                    return Ok(());
                }
            },
            (None, Some(start)) => (
                ReadFen {
                    repairs: Vec::new(),
                    ..start.clone()
                },
                None,
            ),
            (None, None) => (usual(), None),
        };
        let unknown = unknown.map(|fen| ProblemKind::UnknownStart(clip(fen)));
        let index = self.file.games.len();
        self.file
            .repairs
            .extend(start.repairs.into_iter().map(|repair| (index, repair)));
        let mut game = Game::new(start.position.clone(), start.mode);
        game.outcome = value("Result")
            .and_then(read_result)
            .map_or(Outcome::Unknown, |(outcome, _)| outcome);
        let is_kept = |(name, value): &(String, String)| {
            !matches!(name.as_str(), "FEN" | "SetUp" | "Result") && !matches!(value.as_str(), "?" | "????.??.??")
        };
        game.tags = tags.into_iter().filter(is_kept).collect();
        game.append_comment(NodeId::ROOT, &std::mem::take(&mut self.head));
        game.append_comment(NodeId::ROOT, &std::mem::take(&mut self.preface));
        self.body = Body::Game {
            game: Box::new(game),
            frames: vec![Frame::new(NodeId::ROOT, start.position)],
            ended: false,
        };
        if let Some(unknown) = unknown {
            self.problem(unknown);
        }
        Ok(())
    }

    /// The tags of the game that begins, each once.
    fn own_tags(&mut self) -> Vec<(String, String)> {
        self.block = 0;
        self.earlier_names.clear();
        let mut tags = std::mem::take(&mut self.tags);
        let mut seen = HashSet::new();
        if tags.iter().any(|(name, _)| !seen.insert(name.as_str())) {
            let mut first: HashSet<String> = HashSet::new();
            let mut twice = Vec::new();
            tags.retain(|(name, _)| {
                let is_first = first.insert(name.clone());
                if !is_first {
                    twice.push(name.clone());
                }
                is_first
            });
            for name in twice {
                self.problem(ProblemKind::RepeatedTag(clip(&name)));
            }
        }
        tags
    }

    /// Puts the game that is read, or tags alone, into the file.
    fn end_game(&mut self) -> Result<(), PgnError> {
        if matches!(self.body, Body::None) && !self.tags.is_empty() {
            self.begin_game()?; // tags alone: a position to look at
        }
        if let Body::Game { .. } = self.body {
            while matches!(&self.body, Body::Game { frames, .. } if frames.len() > 1) {
                self.end_variation(self.at);
            }
            let preface = std::mem::take(&mut self.preface);
            if let Body::Game { mut game, frames, .. } = std::mem::replace(&mut self.body, Body::None) {
                for mut frame in frames {
                    frame.keep_unread(&mut game, self.text, self.at);
                    frame.say(&mut game, &preface);
                }
                self.file.games.push(*game);
            }
        }
        self.body = Body::None;
        Ok(())
    }

    /// Text that belongs to what was read last.
    fn comment(&mut self, text: &str) {
        let text = plain_comment(text);
        let is_apart = self.is_ended() && self.after_empty_line;
        match &mut self.body {
            Body::Game { game, frames, .. } if !is_apart => {
                let nested = frames.len() > 1;
                let Some(frame) = frames.last_mut().filter(|frame| frame.is_read()) else {
                    return; // part of what is unread
                };
                if frame.before.is_none() && nested {
                    join(&mut frame.waiting, &text);
                } else {
                    game.append_comment(frame.at, &text);
                }
            }
            Body::LeftOut(_) if !is_apart => {}
            _ => join(&mut self.preface, &text),
        }
    }

    fn open(&mut self) {
        let was_ended = self.is_ended();
        let at = self.at;
        let Body::Game { game, frames, ended } = &mut self.body else {
            return;
        };
        let deep = frames.len() > MAX_DEPTH;
        let main = frames.len() == 1;
        let Some(frame) = frames.last_mut() else { return };
        let was_read = frame.is_read();
        let kind = match &frame.before {
            Some((at, position)) if was_read && !deep => {
                let variation = Frame::new(*at, position.clone());
                frames.push(variation);
                None
            }
            before => {
                // Only counted: a million parentheses must not become a million positions.
                if frame.passed_over == 0 {
                    frame.passed_over_from = at;
                }
                frame.passed_over += 1;
                Some(if before.is_some() {
                    ProblemKind::TooDeep
                } else {
                    ProblemKind::StrayVariation
                })
            }
        };
        if *ended && main {
            frames[0].say(game, &std::mem::take(&mut self.preface));
        }
        if let Some(kind) = kind.filter(|_| was_read) {
            self.problem(kind);
        } else if was_ended && main {
            self.problem(ProblemKind::AfterResult("a variation".to_owned()));
        }
    }

    /// `end` is the byte behind the parenthesis.
    fn close(&mut self, end: usize) {
        let text = self.text;
        if let Body::Game { game, frames, .. } = &mut self.body {
            let nested = frames.len() > 1;
            match frames.last_mut() {
                Some(frame) if frame.passed_over > 0 => {
                    frame.passed_over -= 1;
                    if frame.is_read() {
                        let skipped = unread_comment(&text[frame.passed_over_from..end]);
                        frame.say(game, &skipped);
                    }
                    return;
                }
                Some(_) if nested => return self.end_variation(end - 1),
                Some(frame) if !frame.is_read() => return,
                _ => {}
            }
        }
        self.problem(ProblemKind::StrayClose);
    }

    /// Leaves the innermost variation, which ends at this byte.
    fn end_variation(&mut self, end: usize) {
        let Body::Game { game, frames, .. } = &mut self.body else {
            return;
        };
        let Some(mut frame) = frames.pop() else { return };
        frame.keep_unread(game, self.text, end);
        if let Some(outer) = frames.last_mut() {
            // A variation without a move is a comment.
            if frame.before.is_none() && !frame.waiting.is_empty() {
                outer.say(game, &frame.waiting);
            }
            // The game is full: that ends every line that is open.
            if game.is_full() && outer.unread.is_none() {
                outer.unread = Some((end + 1, String::new()));
            }
        }
    }

    /// Ends words that are no moves: they are a comment.
    fn end_run(&mut self) {
        let Some(run) = self.run.take() else { return };
        let text = &self.text[run.span];
        let ended = self.is_ended();
        self.comment(text);
        let shown = clip(&plain_comment(text));
        if matches!(self.body, Body::LeftOut(_)) {
            return;
        }
        let kind = match (run.numeric, ended && !self.after_empty_line) {
            (true, _) => ProblemKind::NumericMoves(shown),
            (false, true) => ProblemKind::AfterResult(format!("“{shown}”")),
            (false, false) => ProblemKind::StrayWords(shown),
        };
        self.problem_at(run.line, kind);
    }

    /// Adds a word that is no move to those before it.
    fn stray(&mut self, word: &str, placed: &Placed<'_>) {
        self.stray_words += 1;
        match &mut self.run {
            Some(run) => {
                run.span.end = placed.span.end;
                run.words += 1;
            }
            None => {
                self.run = Some(Run {
                    span: placed.span.clone(),
                    line: placed.line,
                    words: 1,
                    numeric: is_numeric_move(word),
                });
            }
        }
    }

    /// Whether a word among words that are no moves is one of theirs, although it has the shape of a move: the sentence ends
    /// with it or goes on.
    fn is_prose(&self, word: &str, placed: &Placed<'_>, next: Option<&Placed<'_>>) -> bool {
        let goes_on = match next {
            Some(next) if next.line == placed.line => match next.token {
                Token::Word(next) => {
                    next.starts_with(char::is_alphabetic)
                        && !is_like_a_move(next)
                        && !is_null(next)
                        && !says_nothing(next)
                }
                _ => false,
            },
            _ => false,
        };
        // Behind a full stop another sentence would begin with a capital.
        let is_sentence = self
            .run
            .as_ref()
            .is_some_and(|run| run.words > 1 && !self.text[run.span.clone()].ends_with(['.', '!', '?']));
        (is_sentence && goes_on) || word.ends_with(['.', ',', ':', '\'', '’', '”'])
    }

    fn word(&mut self, word: &str, placed: &Placed<'_>, next: Option<&Placed<'_>>) -> Result<(), PgnError> {
        let word: &str = &visible(word);
        // Most words are moves as programs write them.
        if self.run.is_none()
            && !placed.after_empty_line
            && let Body::Game {
                game,
                frames,
                ended: false,
            } = &mut self.body
            && let Some(frame) = frames.last_mut().filter(|frame| frame.is_read())
            && self.moves < MAX_MOVES
            && !game.is_full()
            && let Some(mv) = quick_move(&frame.position, word)
        {
            self.moves += 1;
            frame.play(game, Some(mv));
            return Ok(());
        }
        if says_nothing(word) {
            if let Some(run) = &mut self.run {
                run.span.end = placed.span.end;
            }
            return Ok(());
        }
        let is_nested = matches!(&self.body, Body::Game { frames, .. } if frames.len() > 1);
        let begins = matches!(self.body, Body::None) || (self.is_ended() && !is_nested);
        if begins {
            if !self.goes_on(word, placed.number) {
                if !self.begins_game(word, placed, next) {
                    self.stray(word, placed);
                    return Ok(());
                }
                self.end_run();
                if !matches!(self.body, Body::None) {
                    // What stands before it behind an empty line is said of it.
                    let preface = std::mem::take(&mut self.preface);
                    self.end_game()?;
                    self.preface = preface;
                }
            }
            self.begin_game()?;
        } else if self.begins_without_result(placed) {
            self.end_run();
            self.end_game()?;
            self.begin_game()?;
        }
        self.mv(word, placed, next)
    }

    /// Whether a word behind a result is the game's next move: the result stood within the moves.
    fn goes_on(&mut self, word: &str, number: Option<u32>) -> bool {
        let Body::Game { frames, ended, .. } = &mut self.body else {
            return false;
        };
        let [frame] = &frames[..] else { return false };
        let is_next = number.is_some_and(|number| number > 1 && number == frame.position.fullmoves().get());
        if is_next && frame.is_read() && quick_move(&frame.position, word).is_some() {
            *ended = false;
            return true;
        }
        false
    }

    /// Whether a word between games is a move of the next.
    fn begins_game(&self, word: &str, placed: &Placed<'_>, next: Option<&Placed<'_>>) -> bool {
        let pass = is_null(word);
        if !pass && !is_like_a_move(word) {
            return false;
        }
        let usual = Chess::default();
        let start = self.start.as_ref().map_or(&usual, |start| &start.position);
        let has_position = self.tags.iter().any(|(name, _)| name == "FEN");
        let is_legal = || read_move(start, CastlingMode::Standard, word).is_ok();
        match placed.number {
            Some(number) if self.is_ended() => number == 1 || number == start.fullmoves().get(),
            Some(_) => true,
            None if self.run.is_some() => !pass && !self.is_prose(word, placed, next) && (has_position || is_legal()),
            None if self.is_ended() => is_legal(),
            None => true,
        }
    }

    /// Whether a move number begins another game, of which the one before has no result: `1.` behind an empty line.
    fn begins_without_result(&self, placed: &Placed<'_>) -> bool {
        match &self.body {
            Body::Game { game, frames, .. } => {
                placed.after_empty_line
                    && placed.number == Some(1)
                    && frames.len() == 1
                    && !game.is_empty()
                    && frames[0].position.fullmoves().get() > 1
                    && self.start.is_none()
            }
            _ => false,
        }
    }

    /// Plays a word of the game that is under way, if it is a move.
    fn mv(&mut self, word: &str, placed: &Placed<'_>, next: Option<&Placed<'_>>) -> Result<(), PgnError> {
        let pass = is_null(word);
        let is_stray = !pass && !is_like_a_move(word);
        let is_prose = self.run.is_some() && (pass || self.is_prose(word, placed, next));
        let Body::Game { game, frames, .. } = &mut self.body else {
            return Ok(());
        };
        let first = frames.len() == 1;
        let Some(frame) = frames.last_mut().filter(|frame| frame.is_read()) else {
            self.stray_words += usize::from(is_stray);
            return Ok(());
        };
        if is_stray {
            self.stray(word, placed);
            return Ok(());
        }
        self.moves += 1; // those that fail cost as much
        if self.moves > MAX_MOVES {
            return Err(PgnError::TooManyMoves);
        }
        let read = if !pass {
            read_in_any_letters(&frame.position, game.mode(), word).map(Some)
        } else if passed(&frame.position).is_some() {
            Ok(None)
        } else {
            Err(MoveError::NullMove(word.to_owned()).into())
        };
        // Among words that are no moves a move stands by its number, or where no sentence goes on.
        if self.run.is_some() {
            let fits = match placed.number {
                Some(number) => number == frame.position.fullmoves().get(),
                None => read.is_ok() && !is_prose,
            };
            if !fits {
                self.stray(word, placed);
                return Ok(());
            }
            self.end_run();
        }
        self.play(word, first, read)
    }

    /// Adds a move or a pass to the line, or ends the line where it can't be made.
    fn play(&mut self, word: &str, first: bool, read: Result<Option<Move>, TypedMoveError>) -> Result<(), PgnError> {
        let index = self.file.games.len();
        let at = self.at;
        let Body::Game { game, frames, .. } = &mut self.body else {
            return Ok(());
        };
        let Some(frame) = frames.last_mut() else { return Ok(()) };
        let mut problem = None;
        let read = match read {
            Err(TypedMoveError::Move(MoveError::NotACapture(square))) => {
                let bare: String = word.chars().filter(|c| !matches!(c, 'x' | 'X' | ':' | '×')).collect();
                let mv = read_move(&frame.position, game.mode(), &bare);
                if mv.is_ok() {
                    problem = Some(ProblemKind::SuperfluousCapture {
                        number: frame.number(),
                        text: clip(word),
                    });
                }
                mv.map(Some).map_err(|_| MoveError::NotACapture(square).into())
            }
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
                        self.file
                            .repairs
                            .extend(restored.repairs.into_iter().map(|repair| (index, repair)));
                        Ok(Some(mv))
                    }
                    None => Err(error),
                }
            }
            read => read,
        };
        match read {
            Ok(mv) => {
                if let Some(mv) = mv.filter(|mv| {
                    is_in_other_letters(word) && read_move(&frame.position, game.mode(), word).ok() != Some(*mv)
                }) {
                    problem = Some(ProblemKind::OtherLanguage {
                        number: frame.number(),
                        text: clip(word),
                        san: SanPlus::from_move(frame.position.clone(), mv).to_string(),
                    });
                }
                if !frame.play(game, mv) {
                    frame.unread = Some((at, frame.number()));
                    problem = Some(ProblemKind::TooManyMoves);
                }
            }
            Err(error) => {
                frame.unread = Some((at, frame.number()));
                problem = Some(ProblemKind::Move {
                    number: frame.number(),
                    text: clip(word),
                    error,
                });
            }
        }
        if let Some(problem) = problem {
            self.problem(problem);
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
            unread: None,
            passed_over: 0,
            passed_over_from: 0,
        }
    }

    /// Whether what comes next belongs to this line and is wanted.
    fn is_read(&self) -> bool {
        self.unread.is_none() && self.passed_over == 0
    }

    /// Adds the move, or a pass where there is none, to the game and goes there. Both are known to be possible. False where the
    /// game is full.
    fn play(&mut self, game: &mut Game, mv: Option<Move>) -> bool {
        let known = game.child_by(self.at, mv);
        if known.is_none() && game.is_full() {
            return false;
        }
        let before = (self.at, self.position.clone());
        let step = match mv {
            Some(mv) => HalfMove::Move(mv, SanPlus::from_move_and_play_unchecked(&mut self.position, mv)),
            None => {
                self.position = passed(&self.position).unwrap_or_else(|| self.position.clone());
                HalfMove::Pass
            }
        };
        let Some(id) = known.or_else(|| game.add(self.at, step).ok()) else {
            return false;
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

    /// Says something of the last move of the line, or of the first where there is none.
    fn say(&mut self, game: &mut Game, text: &str) {
        if self.before.is_none() && self.at != NodeId::ROOT {
            join(&mut self.waiting, text);
        } else {
            game.append_comment(self.at, text);
        }
    }

    /// Makes a comment of what was not read of the line, up to this byte of the text.
    fn keep_unread(&mut self, game: &mut Game, text: &str, end: usize) {
        if let Some((from, number)) = self.unread.take() {
            self.passed_over = 0;
            let rest = unread_comment(&text[from.min(end)..end]);
            let rest = match (self.before.is_none() && self.at != NodeId::ROOT, rest.is_empty()) {
                (_, true) => return,
                (true, _) => format!("({number} {rest})"),
                (false, _) => format!("{number} {rest}"),
            };
            self.say(game, rest.trim_start());
        } else if std::mem::take(&mut self.passed_over) > 0 {
            let rest = unread_comment(&text[self.passed_over_from.min(end)..end]);
            self.say(game, &rest);
        }
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

/// Text of a game as a comment on it: what stands in braces there is no comment of its own, and no command to programs.
fn unread_comment(text: &str) -> String {
    plain_comment(&text.replace('{', "(").replace("[%", "[ %"))
}

/// The word without characters that nobody sees, its dashes as hyphens.
fn visible(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return word.into();
    }
    let seen = word.chars().filter(|c| !is_invisible(*c));
    seen.map(|c| if is_dash(c) { '-' } else { c }).collect()
}

/// Whether a word has the shape of a move in any language's letters: something like a square in it, or castling.
fn is_like_a_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    let is_square = |at: usize| {
        matches!(bytes[at..], [b'a'..=b'h' | b'A'..=b'H', b'0'..=b'9', ..])
            && !bytes.get(at + 2).is_some_and(u8::is_ascii_digit)
            // `depth8` is a word, `Sge2` a knight's move.
            && !at.checked_sub(1).is_some_and(|before| matches!(bytes[before], b'i'..=b'w' | b'y' | b'z'))
    };
    (0..bytes.len()).any(is_square) || ["O-O", "0-0", "o-o"].iter().any(|castling| word.contains(castling))
}

/// Whether a move begins with the letter of a piece in another language than English.
fn is_in_other_letters(word: &str) -> bool {
    word.starts_with(char::is_uppercase) && !word.starts_with(['K', 'Q', 'R', 'B', 'N', 'P', 'O'])
}

/// A move as it is written, its piece's letter in whatever language allows one legal move.
fn read_in_any_letters(position: &Chess, mode: CastlingMode, word: &str) -> Result<Move, TypedMoveError> {
    if is_in_other_letters(word) {
        read_typed(position, mode, word)
    } else {
        Ok(read_move(position, mode, word)?)
    }
}

/// SAN as programs write it, without asking why where it fails.
fn quick_move(position: &Chess, word: &str) -> Option<Move> {
    SanPlus::from_ascii(word.as_bytes()).ok()?.san.to_move(position).ok()
}

//! One answer of a blindfold player on the board: the moves that it was told, its likeliest tokens with what each is worth and
//! why, and which answers somebody wants to look at.

use shakmaty::{Bitboard, Board, Chess, Color, Piece, Position, Role, Square, attacks, san::SanPlus};

use super::{
    board::BoardView,
    text_board::{TextBoard, text_board},
};
use crate::{
    blindfold::{
        end_error::EndError,
        grade::{Answer, Grade},
        probe::{Probe, Question},
        token::Token,
    },
    chess::names::{color_name, role_name},
};

/// Which answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AnswerFilter {
    /// All of them.
    #[default]
    All,
    /// Those that are not legal.
    Wrong,
    /// Legal, and not what was played.
    NotPlayed,
    /// Wrong in this way, of the End tasks.
    Error(EndError),
    /// Castling that the rules allow.
    Castling,
    /// What names no square.
    Unparsable,
}

impl AnswerFilter {
    /// Each with its word and its label.
    pub const ALL: [(Self, &'static str, &'static str); 9] = [
        (Self::All, "all", "all answers"),
        (Self::Wrong, "wrong", "not legal"),
        (Self::NotPlayed, "not-played", "legal, and not what was played"),
        (Self::Error(EndError::Unreachable), "unreachable", "unreachable"),
        (Self::Error(EndError::Syntax), "syntax", "syntax"),
        (Self::Error(EndError::PathObstruction), "path", "path obstruction"),
        (Self::Error(EndError::PseudoLegal), "pseudo-legal", "pseudo-legal"),
        (Self::Castling, "castling", "castling"),
        (Self::Unparsable, "unparsable", "naming no square"),
    ];

    /// That of a word.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(_, own, _)| *own == word);
        found.map(|(filter, ..)| *filter)
    }

    /// Whether an answer with this grade is one of them.
    #[must_use]
    pub fn admits(self, grade: &Grade) -> bool {
        match self {
            Self::All => true,
            Self::Wrong => !grade.legal,
            Self::NotPlayed => grade.legal && grade.exact == Some(false),
            Self::Error(error) => grade.error == Some(error),
            Self::Castling => grade.castling,
            Self::Unparsable => grade.unparsable,
        }
    }
}

/// What a token is worth as an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenVerdict {
    /// Legal, and what was played.
    Played,
    /// Legal.
    Legal,
    /// Wrong, of the End tasks.
    Error(EndError),
    /// Wrong, of the Start tasks.
    NotThere,
}

impl TokenVerdict {
    /// Whether it is legal.
    #[must_use]
    pub const fn is_legal(self) -> bool {
        matches!(self, Self::Played | Self::Legal)
    }

    /// In words, with a sign of its own, so that nobody needs the colour.
    #[must_use]
    pub fn label(self) -> String {
        match self {
            Self::Played => "★ played".to_owned(),
            Self::Legal => "✓ legal".to_owned(),
            Self::Error(error) => format!("✗ {}", error.label().to_lowercase()),
            Self::NotThere => "✗ not there".to_owned(),
        }
    }

    /// The class of its square on the board: each has a pattern of its own.
    const fn class(self) -> &'static str {
        match self {
            Self::Played => "verdict-played",
            Self::Legal => "verdict-legal",
            Self::Error(_) | Self::NotThere => "verdict-wrong",
        }
    }
}

/// One of the likeliest tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgedToken {
    /// The token.
    pub token: Token,
    /// What it is worth.
    pub verdict: TokenVerdict,
    /// Why it is wrong, a sentence; empty where it is not.
    pub why: String,
}

/// The likeliest tokens of an answer, as many as there are legal answers, with what each is worth.
#[must_use]
pub fn judged(probe: &Probe, question: &Question, answer: &Answer) -> Vec<JudgedToken> {
    let most = answer.tokens.iter().take(question.legal.len());
    most.map(|token| judged_token(probe, question, *token)).collect()
}

fn judged_token(probe: &Probe, question: &Question, token: Token) -> JudgedToken {
    let position = probe.position();
    let square = token.square();
    let (verdict, why) = match square.filter(|square| question.legal.contains(square)) {
        Some(square) if question.exact == Some(square) => (TokenVerdict::Played, String::new()),
        Some(_) => (TokenVerdict::Legal, String::new()),
        None => match question.from().filter(|_| question.task.is_end()) {
            Some(from) => {
                let error = EndError::of(position, from, square);
                (TokenVerdict::Error(error), why_not_there(position, from, square, error))
            }
            None => (TokenVerdict::NotThere, why_not_from(position, question.role, square)),
        },
    };
    JudgedToken { token, verdict, why }
}

/// `the white knight`.
fn named(piece: Piece) -> String {
    format!(
        "the {} {}",
        color_name(piece.color).to_lowercase(),
        role_name(piece.role)
    )
}

/// Why a piece does not go to a square.
fn why_not_there(position: &Chess, from: Square, to: Option<Square>, error: EndError) -> String {
    let Some(to) = to else {
        return "This is no square.".to_owned();
    };
    let Some(piece) = position.board().piece_at(from) else {
        return format!("Nothing stands on {from}.");
    };
    match error {
        EndError::Unreachable => format!("Nothing of any type goes from {from} to {to}."),
        EndError::Syntax if is_castling(position, from, to) => {
            "Castling may be made there; the paper’s sets leave it out, and it counts as syntax.".to_owned()
        }
        EndError::Syntax => format!("A {} does not go from {from} to {to}.", role_name(piece.role)),
        EndError::PathObstruction => obstruction(position.board(), piece, from, to),
        EndError::PseudoLegal => in_check(position.board(), piece, from, to),
    }
}

fn is_castling(position: &Chess, from: Square, to: Square) -> bool {
    let castlings = position.legal_moves();
    let mut castlings = castlings.iter().filter(|mv| mv.is_castle());
    castlings.any(|mv| super::board::squares(*mv) == Some((from, to)))
}

fn obstruction(board: &Board, piece: Piece, from: Square, to: Square) -> String {
    let between = attacks::between(from, to) & board.occupied();
    // The nearest to where it starts.
    let first = between.into_iter().min_by_key(|square| from.distance(*square));
    match first
        .or(Some(to))
        .and_then(|square| Some((square, board.piece_at(square)?)))
    {
        Some((square, own)) if square == to && own.color == piece.color => {
            format!("{} of the same side stands on {to}.", capital(&named(own)))
        }
        Some((square, other)) => format!("{} on {square} stands in the way.", capital(&named(other))),
        None => format!("The way from {from} to {to} is not free."),
    }
}

fn in_check(board: &Board, piece: Piece, from: Square, to: Square) -> String {
    let mut after = board.clone();
    after.discard_piece_at(from);
    after.set_piece_at(to, piece);
    let attacker = after.king_of(piece.color).and_then(|king| {
        let attackers: Bitboard = after.attacks_to(king, !piece.color, after.occupied());
        let square = attackers.first()?;
        Some((king, square, after.piece_at(square)?))
    });
    match attacker {
        Some((king, square, other)) => format!(
            "{} on {square} would give check to the king on {king}.",
            capital(&named(other))
        ),
        None => "The own king would be in check.".to_owned(),
    }
}

/// Why no piece of this type moves from a square.
fn why_not_from(position: &Chess, role: Role, square: Option<Square>) -> String {
    let Some(square) = square else {
        return "This is no square.".to_owned();
    };
    match position.board().piece_at(square) {
        None => format!("{square} is empty."),
        Some(piece) if piece == role.of(position.turn()) => {
            format!("{} on {square} has no legal move.", capital(&named(piece)))
        }
        Some(piece) => format!("There stands {}.", named(piece)),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// What is asked, in words: `White moves the bishop on f1. Where may it go?`
#[must_use]
pub fn asked(probe: &Probe, question: &Question) -> String {
    let (side, piece) = (color_name(probe.position().turn()), role_name(question.role));
    match question.from().filter(|_| question.task.is_end()) {
        Some(from) => format!("{side} moves the {piece} on {from}. Where may it go?"),
        None => format!("{side} moves a {piece}. Where does it stand?"),
    }
}

/// The moves of the prompt in SAN, those of White with their numbers: `1. e4`, `e5`, `2. Nf3`.
#[must_use]
pub fn moves(probe: &Probe) -> Vec<String> {
    let mut position = Chess::default();
    let mut moves = Vec::with_capacity(probe.plies().len());
    for ply in probe.plies() {
        let Some(mv) = ply.in_position(&position) else { break };
        let number = position.fullmoves();
        let is_white = position.turn() == Color::White;
        let san = SanPlus::from_move_and_play_unchecked(&mut position, mv);
        moves.push(if is_white {
            format!("{number}. {san}")
        } else {
            san.to_string()
        });
    }
    moves
}

/// The position after so many half-moves of the prompt, in words, the side that is asked about at the bottom.
#[must_use]
pub fn words_after(probe: &Probe, plies: usize) -> TextBoard {
    let mut position = Chess::default();
    for ply in probe.plies().iter().take(plies) {
        let Some(mv) = ply.in_position(&position) else { break };
        position.play_unchecked(mv);
    }
    text_board(&position, probe.position().turn(), None)
}

/// The board after so many half-moves of the prompt, the side that is asked about at the bottom. After the last of them the
/// squares have the classes of their verdicts; legal answers that are not among the likeliest tokens are `verdict-missed`, and
/// the square that is asked with is `verdict-asked`.
#[must_use]
pub fn board_after(probe: &Probe, question: &Question, tokens: &[JudgedToken], plies: usize) -> BoardView {
    let mut position = Chess::default();
    let mut last = None;
    for ply in probe.plies().iter().take(plies) {
        let Some(mv) = ply.in_position(&position) else { break };
        position.play_unchecked(mv);
        last = Some(mv);
    }
    let flipped = probe.position().turn() == Color::Black;
    let mut view = BoardView::new(&position, last, flipped, false);
    if plies < probe.plies().len() {
        return view;
    }
    let squares = tokens
        .iter()
        .filter_map(|one| Some((one.token.square()?, one.verdict.class())));
    let mut shaded: Vec<(Square, String)> = squares.map(|(square, class)| (square, class.to_owned())).collect();
    for square in &question.legal {
        if !shaded.iter().any(|(own, _)| own == square) {
            shaded.push((*square, "verdict-missed".to_owned()));
        }
    }
    if let Some(from) = question
        .from()
        .filter(|from| !shaded.iter().any(|(own, _)| own == from))
    {
        shaded.push((from, "verdict-asked".to_owned()));
    }
    view.shaded = shaded;
    view
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blindfold::{
        grade::grade,
        probe::{ProbeLine, ProbeTask},
    };

    fn probe(prefix: &str, from: &str, kind: Option<&str>) -> Probe {
        Probe::read(&ProbeLine {
            id: "p1".to_owned(),
            prefix: prefix.to_owned(),
            starting_square: from.to_owned(),
            ending_square: None,
            other_starting_square: None,
            other_piece_type: kind.map(str::to_owned),
        })
        .unwrap()
    }

    fn example() -> Probe {
        Probe::read(&ProbeLine {
            id: "figure-1".to_owned(),
            prefix: "e2e4 e7e5 g1f3 b8c6 d2d4 h7h6".to_owned(),
            starting_square: "f1".to_owned(),
            ending_square: Some("b5".to_owned()),
            other_starting_square: Some("f3".to_owned()),
            other_piece_type: Some("N".to_owned()),
        })
        .unwrap()
    }

    fn answer(tokens: &str) -> Answer {
        Answer {
            tokens: tokens.split(' ').map(|text| text.parse().unwrap()).collect(),
            ranked: true,
        }
    }

    fn whys(probe: &Probe, task: ProbeTask, tokens: &str) -> Vec<(String, String)> {
        let question = probe.question(task).unwrap();
        tokens
            .split(' ')
            .map(|text| {
                let one = judged_token(probe, &question, text.parse().unwrap());
                (one.verdict.label(), one.why)
            })
            .collect()
    }

    #[test]
    fn every_wrong_answer_says_why() {
        let said = whys(&example(), ProbeTask::EndActual, "b5 c4 g1 g2 h8 P b3");
        let wanted = [
            ("★ played", ""),
            ("✓ legal", ""),
            ("✗ syntax", "A bishop does not go from f1 to g1."),
            ("✗ path obstruction", "The white pawn of the same side stands on g2."),
            ("✗ unreachable", "Nothing of any type goes from f1 to h8."),
            ("✗ unreachable", "This is no square."),
            ("✗ unreachable", "Nothing of any type goes from f1 to b3."),
        ];
        assert_eq!(said, wanted.map(|(verdict, why)| (verdict.to_owned(), why.to_owned())));
        let through = whys(&example(), ProbeTask::EndActual, "h3");
        assert_eq!(through[0].1, "The white pawn on g2 stands in the way.");
        let start = whys(&example(), ProbeTask::StartOther, "b1 e4 c3 f6 N");
        let wanted = [
            ("✓ legal", ""),
            ("✗ not there", "There stands the white pawn."),
            ("✗ not there", "c3 is empty."),
            ("✗ not there", "f6 is empty."),
            ("✗ not there", "This is no square."),
        ];
        assert_eq!(start, wanted.map(|(verdict, why)| (verdict.to_owned(), why.to_owned())));
    }

    #[test]
    fn checks_castling_and_pieces_without_moves_are_told() {
        // Once the pawn has left d7 the bishop pins the knight.
        let pinned = probe("e2e4 e7e5 g1f3 b8c6 f1b5 d7d6 d2d4", "g8", None);
        let why = why_not_there(pinned.position(), Square::C6, Some(Square::D4), EndError::PseudoLegal);
        assert_eq!(why, "The white bishop on b5 would give check to the king on e8.");
        let king = probe("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5", "e1", None);
        let line = ProbeLine {
            ending_square: Some("e2".to_owned()),
            ..king.line()
        };
        let said = whys(&Probe::read(&line).unwrap(), ProbeTask::EndActual, "g1");
        assert_eq!(said[0].0, "✗ syntax");
        assert!(said[0].1.starts_with("Castling may be made there"), "{}", said[0].1);
        let opening = probe("e2e4 e7e5", "g1", Some("B"));
        let said = whys(&opening, ProbeTask::StartOther, "c1 f8");
        assert_eq!(said[0].1, "The white bishop on c1 has no legal move.");
        assert_eq!(said[1].1, "There stands the black bishop.");
    }

    #[test]
    fn the_board_shows_the_prompt_and_at_its_end_the_verdicts() {
        let probe = example();
        let question = probe.question(ProbeTask::EndActual).unwrap();
        let tokens = judged(&probe, &question, &answer("b5 g1 P e2 g2 a6"));
        assert_eq!(tokens.len(), 5, "as many as are legal");
        let start = board_after(&probe, &question, &tokens, 0);
        assert!(start.placement.starts_with("rnbqkbnr") && start.shaded.is_empty() && start.last_move.is_none());
        let end = board_after(&probe, &question, &tokens, probe.plies().len());
        let class = |square: &str| {
            let square: Square = square.parse().unwrap();
            end.shaded
                .iter()
                .find(|(own, _)| *own == square)
                .map(|(_, class)| class.as_str())
        };
        assert_eq!(class("b5"), Some("verdict-played"));
        assert_eq!(class("e2"), Some("verdict-legal"));
        assert_eq!(
            (class("g1"), class("g2")),
            (Some("verdict-wrong"), Some("verdict-wrong"))
        );
        assert_eq!(
            (class("a6"), class("f1"), class("h5")),
            (Some("verdict-missed"), Some("verdict-asked"), None)
        );
        assert_eq!(end.last_move, Some((Square::H7, Square::H6)));
        assert!(!end.flipped);
    }

    #[test]
    fn the_prompt_is_told_move_by_move() {
        let probe = example();
        assert_eq!(moves(&probe), ["1. e4", "e5", "2. Nf3", "Nc6", "3. d4", "h6"]);
        let end = probe.question(ProbeTask::EndActual).unwrap();
        assert_eq!(asked(&probe, &end), "White moves the bishop on f1. Where may it go?");
        let start = probe.question(ProbeTask::StartOther).unwrap();
        assert_eq!(asked(&probe, &start), "White moves a knight. Where does it stand?");
        assert!(words_after(&probe, 3).white.contains("f3"));
        assert!(!words_after(&probe, 2).white.contains("f3"));
    }

    #[test]
    fn filters_admit_what_they_say() {
        let probe = example();
        let question = probe.question(ProbeTask::EndActual).unwrap();
        let admits = |tokens: &str| {
            let grade = grade(&probe, &question, &answer(tokens));
            let all = AnswerFilter::ALL.iter().filter(|(filter, ..)| filter.admits(&grade));
            all.map(|(_, word, _)| *word).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(admits("b5"), "all");
        assert_eq!(admits("c4"), "all not-played");
        assert_eq!(admits("g1"), "all wrong syntax");
        assert_eq!(admits("g2"), "all wrong path");
        assert_eq!(admits("P"), "all wrong unreachable");
        for (filter, word, _) in AnswerFilter::ALL {
            assert_eq!(AnswerFilter::of_word(word), Some(filter));
        }
        assert_eq!(AnswerFilter::of_word("none"), None);
    }
}

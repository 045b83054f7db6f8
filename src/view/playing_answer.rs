//! One answer of a player on the board, and which answers somebody wants to look at.

use shakmaty::{Color, Position};

use super::{
    board::{BoardView, Brush},
    text_board::{TextBoard, text_board},
};
use crate::{
    chess::{read_fen, read_move},
    grading::{grade::Class, report::answers::Answer},
};

/// Which answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Filter {
    /// All of them.
    #[default]
    All,
    /// Those that are no legal move.
    Illegal,
    /// Legal moves that do not solve their position.
    Missed,
    /// Blunders and mistakes.
    Bad,
    /// Good and excellent moves, and solved positions.
    Good,
    /// Reasons with a wrong claim.
    WrongClaims,
    /// No answer at all.
    Errors,
}

impl Filter {
    /// Each with its word and its label.
    pub const ALL: [(Self, &'static str, &'static str); 7] = [
        (Self::All, "all", "all answers"),
        (Self::Illegal, "illegal", "no legal move"),
        (Self::Missed, "missed", "not solved"),
        (Self::Bad, "bad", "blunders and mistakes"),
        (Self::Good, "good", "good moves and solved positions"),
        (Self::WrongClaims, "claims", "reasons with a wrong claim"),
        (Self::Errors, "errors", "errors"),
    ];

    /// That of a word.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(_, own, _)| *own == word);
        found.map(|(filter, ..)| *filter)
    }

    /// Whether an answer is one of them.
    #[must_use]
    pub fn admits(self, answer: &Answer) -> bool {
        match self {
            Self::All => true,
            Self::Illegal => answer.fault.is_some() && !answer.is_error(),
            Self::Missed => answer.fault.is_none() && answer.solved == Some(false),
            Self::Bad => matches!(answer.class, Some(Class::Mistake | Class::Blunder)),
            Self::Good => answer.solved == Some(true) || matches!(answer.class, Some(Class::Excellent | Class::Good)),
            Self::WrongClaims => !answer.wrong.is_empty(),
            Self::Errors => answer.is_error(),
        }
    }
}

/// The position with the move that was made and the best one as arrows, the side to move at the bottom, and the same in
/// words. `None` where there is no such position.
#[must_use]
pub fn shown(answer: &Answer) -> Option<(BoardView, TextBoard)> {
    let read = read_fen(&answer.fen).ok()?;
    let turn = read.position.turn();
    let mv = |text: &String| read_move(&read.position, read.mode, text).ok();
    let made = answer.mv.as_ref().and_then(mv);
    let best = answer.best.first().and_then(mv).filter(|best| Some(*best) != made);
    let mut view = BoardView::new(&read.position, None, turn == Color::Black, false);
    if let Some(best) = best {
        view = view.with_arrow(best, Brush::Better);
    }
    if let Some(made) = made {
        view = view.with_arrow(made, Brush::Discussed);
    }
    Some((view, text_board(&read.position, turn, None)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::link::Link,
        grading::fault::{Fault, FaultKind},
    };

    fn answer() -> Answer {
        let fen = "6k1/5ppp/8/8/8/8/R7/K7 w - - 1 21".to_owned();
        Answer {
            item: "a".to_owned(),
            player: "p".to_owned(),
            said: "Ra3".to_owned(),
            mv: Some("a2a3".to_owned()),
            san: Some("Ra3".to_owned()),
            fault: None,
            solved: Some(false),
            class: Some(Class::Blunder),
            loss: Some(900),
            best: vec!["Ra8#".to_owned()],
            best_line: Vec::new(),
            line: Vec::new(),
            reason: None,
            wrong: Vec::new(),
            link: Link {
                fen: fen.clone(),
                mv: None,
                moves: None,
            },
            fen,
        }
    }

    #[test]
    fn the_board_shows_what_was_made_and_what_was_best() {
        let (view, words) = shown(&answer()).unwrap();
        let brushes: Vec<Brush> = view.arrows.iter().map(|arrow| arrow.brush).collect();
        assert_eq!(brushes, [Brush::Better, Brush::Discussed]);
        assert!(
            !view.flipped && words.white.to_lowercase().contains("rook"),
            "{}",
            words.white
        );
        let mut best = answer();
        best.mv = Some("a2a8".to_owned());
        assert_eq!(shown(&best).unwrap().0.arrows.len(), 1);
        best.fen = "nothing".to_owned();
        assert_eq!(shown(&best), None);
    }

    #[test]
    fn filters_part_the_answers() {
        let (mut illegal, mut error) = (answer(), answer());
        illegal.fault = Some(Fault::new(FaultKind::NoPiece, "No."));
        illegal.class = None;
        error.fault = Some(Fault::new(FaultKind::TimeOut, "No."));
        error.class = None;
        error.solved = None;
        let admitted = |filter: Filter| [&answer(), &illegal, &error].map(|answer| filter.admits(answer));
        assert_eq!(admitted(Filter::All), [true, true, true]);
        assert_eq!(admitted(Filter::Illegal), [false, true, false]);
        assert_eq!(admitted(Filter::Missed), [true, false, false]);
        assert_eq!(admitted(Filter::Bad), [true, false, false]);
        assert_eq!(admitted(Filter::Errors), [false, false, true]);
        assert_eq!(Filter::of_word("claims"), Some(Filter::WrongClaims));
        assert_eq!(Filter::of_word("none"), None);
    }
}

//! The 1,968 actions: every move that a queen, a knight or a promoting pawn could make on some board, with a number each.

use std::{collections::HashMap, fmt, str::FromStr, sync::LazyLock};

use serde::{Deserialize, Serialize};
use shakmaty::{Bitboard, CastlingMode, Chess, File, Move, Position, Rank, Role, Square, attacks, uci::UciMove};
use thiserror::Error;

/// How many actions there are: 1,792 by queen or knight, 176 promotions.
pub const ACTIONS: usize = 1968;

/// An action by its number: from a1, b1, … h8 where a queen goes and then where a knight goes, each with the squares in that
/// order, castling among them as the king's move; then promotions from the second rank to the first and from the seventh to the
/// eighth, file by file, straight on, to the left and to the right, each to queen, rook, bishop and knight.
///
/// This is the released code's order. The paper says that actions are sorted by their text, and they are not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Action(u16);

/// A text or number that is no action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("this is none of the {ACTIONS} actions")]
pub struct NoAction;

/// From, to, and what a pawn becomes.
type Step = (Square, Square, Option<Role>);

struct Table {
    steps: Vec<Step>,
    numbers: HashMap<Step, u16>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut steps: Vec<Step> = Vec::with_capacity(ACTIONS);
    for from in Square::ALL {
        let queen = attacks::queen_attacks(from, Bitboard::EMPTY);
        let goes = queen.into_iter().chain(attacks::knight_attacks(from));
        steps.extend(goes.map(|to| (from, to, None)));
    }
    for (rank, last) in [(Rank::Second, Rank::First), (Rank::Seventh, Rank::Eighth)] {
        for file in File::ALL {
            let targets = [Some(file), file.offset(-1), file.offset(1)];
            for target in targets.into_iter().flatten() {
                let promotions = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
                let (from, to) = (Square::from_coords(file, rank), Square::from_coords(target, last));
                steps.extend(promotions.map(|role| (from, to, Some(role))));
            }
        }
    }
    let numbers = steps
        .iter()
        .enumerate()
        // There are 1,968.
        .map(|(number, step)| (*step, number as u16))
        .collect();
    Table { steps, numbers }
});

impl Action {
    /// The action with this number.
    ///
    /// # Errors
    /// From 1,968 on there is none.
    pub const fn new(number: u16) -> Result<Self, NoAction> {
        if (number as usize) < ACTIONS {
            Ok(Self(number))
        } else {
            Err(NoAction)
        }
    }

    /// Every action, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        // There are 1,968.
        (0..ACTIONS as u16).map(Self)
    }

    /// The action of a move as UCI has it; drops and the null move have none.
    ///
    /// # Errors
    /// When there is none.
    pub fn of_uci(uci: UciMove) -> Result<Self, NoAction> {
        let UciMove::Normal { from, to, promotion } = uci else {
            return Err(NoAction);
        };
        TABLE
            .numbers
            .get(&(from, to, promotion))
            .map(|number| Self(*number))
            .ok_or(NoAction)
    }

    /// The action of a legal move; `mode` says how castling is written.
    ///
    /// # Errors
    /// Of drops, which standard chess has not.
    pub fn of_move(mv: Move, mode: CastlingMode) -> Result<Self, NoAction> {
        Self::of_uci(mv.to_uci(mode))
    }

    /// Its number.
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0
    }

    /// As UCI has it.
    #[must_use]
    pub fn uci(self) -> UciMove {
        let (from, to, promotion) = TABLE.steps[usize::from(self.0)];
        UciMove::Normal { from, to, promotion }
    }
}

/// The legal moves of a position with their actions, in the order of actions: the order of everything that is said move by
/// move, since of equal figures the first one counts.
#[must_use]
pub fn legal_actions(position: &Chess, mode: CastlingMode) -> Vec<(Action, Move)> {
    let mut legal: Vec<(Action, Move)> = position
        .legal_moves()
        .into_iter()
        .filter_map(|mv| Some((Action::of_move(mv, mode).ok()?, mv)))
        .collect();
    legal.sort_by_key(|(action, _)| *action);
    legal
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.uci().fmt(f)
    }
}

impl FromStr for Action {
    type Err = NoAction;

    fn from_str(text: &str) -> Result<Self, NoAction> {
        Self::of_uci(text.parse().map_err(|_| NoAction)?)
    }
}

impl From<Action> for String {
    fn from(action: Action) -> Self {
        action.to_string()
    }
}

impl TryFrom<String> for Action {
    type Error = NoAction;

    fn try_from(text: String) -> Result<Self, NoAction> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::random::Rng;

    /// Written by `tests/data/chessbench/expected.py`.
    const EXPECTED: &str = include_str!("../../tests/data/chessbench/actions.txt");

    #[test]
    fn the_list_of_independent_code_is_met() {
        let expected: Vec<&str> = EXPECTED
            .lines()
            .filter(|line| !line.starts_with('#'))
            .flat_map(|line| line.split(' '))
            .collect();
        let ours: Vec<String> = Action::all().map(|action| action.to_string()).collect();
        assert_eq!(ours, expected);
        assert_eq!(ours.len(), ACTIONS);
        for action in Action::all() {
            assert_eq!(action.to_string().parse(), Ok(action));
            assert_eq!(Action::new(action.number()), Ok(action));
            assert_eq!(Action::of_uci(action.uci()), Ok(action));
        }
        let number = |uci: &str| uci.parse::<Action>().map(Action::number);
        assert_eq!((number("e2e4"), number("e1g1")), (Ok(317), Ok(102)));
        for none in ["", "e2e2", "a1b4", "e7e8k", "e6e7q", "0000", "P@e4", "i1i2", "a7c8q"] {
            assert_eq!(number(none), Err(NoAction), "{none}");
        }
        assert_eq!(Action::new(1968), Err(NoAction));
    }

    #[test]
    fn json_has_them_as_uci() {
        let action: Action = "a7a8n".parse().unwrap();
        assert_eq!(serde_json::to_string(&action).unwrap(), "\"a7a8n\"");
        assert_eq!(serde_json::from_str::<Action>("\"a7a8n\"").unwrap(), action);
        assert!(serde_json::from_str::<Action>("\"a7a9\"").is_err());
    }

    proptest! {
        #[test]
        fn every_legal_move_is_an_action(seed in any::<u64>(), plies in 0_usize..200) {
            let mut rng = Rng::new(seed);
            let mut position = Chess::default();
            for _ in 0..plies {
                let moves = position.legal_moves();
                let Some(mv) = moves.get(rng.below(moves.len())) else { break };
                position.play_unchecked(*mv);
            }
            let legal = legal_actions(&position, CastlingMode::Standard);
            prop_assert_eq!(legal.len(), position.legal_moves().len());
            prop_assert!(legal.is_sorted_by(|a, b| a.0 < b.0));
            for (action, mv) in legal {
                prop_assert_eq!(action.uci().to_move(&position).ok(), Some(mv));
            }
        }
    }
}

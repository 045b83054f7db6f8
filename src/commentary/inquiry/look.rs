//! The searches that a question needs, as data.

use shakmaty::{Chess, Move, Position};

use crate::{
    chess::{Played, motifs::threat::passed_turn, names::color_name},
    uci::{Limit, SearchRequest, SearchResult},
};

/// Lines of the search for alternatives: the move played may be among them.
const ALTERNATIVES: u32 = 5;

/// One search.
#[derive(Debug, Clone, PartialEq)]
pub enum Look {
    /// Of the position before the move, with these moves and the one played to choose among: one depth for all.
    Duel(Vec<Move>),
    /// Of the position before the move, for its best lines.
    Before,
    /// Of the position after the move.
    After,
    /// A null move: of the position after the move, as if the opponent passed.
    Passed,
    /// A null move: of the position before the move, as if the mover passed.
    Earlier,
}

/// A search that was made.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The search that was made.
    pub look: Look,
    /// What it found, **the view of the side to move in the searched position**.
    pub result: SearchResult,
}

impl Look {
    /// The search, with the owner's number. `limit` is that of a search that gives one line: several lines have twice that, and
    /// begin with nothing in the engine's memory, for what an earlier search left there of one move would show in the comparison.
    /// `None` where there is nothing to search: the game is over, or the side that would pass is in check.
    #[must_use]
    pub fn request(&self, id: u64, played: &Played, limit: Limit) -> Option<SearchRequest> {
        Some(match self {
            Self::Duel(moves) => {
                let mut among = moves.clone();
                if !among.contains(&played.mv) {
                    among.push(played.mv);
                }
                let lines = u32::try_from(among.len()).unwrap_or(ALTERNATIVES);
                SearchRequest::before(id, played, limit.doubled(1))
                    .multipv(lines)
                    .among(&among)
                    .afresh()
            }
            Self::Before => SearchRequest::before(id, played, limit.doubled(1))
                .multipv(ALTERNATIVES)
                .afresh(),
            Self::After => SearchRequest::after(id, played, limit)?,
            Self::Passed | Self::Earlier => {
                let position = self.position(played).filter(|position| !position.is_game_over())?;
                SearchRequest::new(id, position, played.mode, limit)
            }
        })
    }

    /// The position that is searched; `None` where a null move is not possible there.
    #[must_use]
    pub fn position(&self, played: &Played) -> Option<Chess> {
        match self {
            Self::Duel(_) | Self::Before => Some(played.before.clone()),
            Self::After => Some(played.after.clone()),
            Self::Passed => passed_turn(&played.after),
            Self::Earlier => passed_turn(&played.before),
        }
    }

    /// What is looked at, to follow "Looked at"; `None` for the duel, whose moves are named as lines.
    #[must_use]
    pub fn title(&self, played: &Played) -> Option<String> {
        let (mover, other) = (color_name(played.mover()), color_name(played.mover().other()));
        Some(match self {
            Self::Duel(_) => return None,
            Self::Before => format!("the best moves in place of {}", played.san()),
            Self::After => format!("the position after {}", played.san()),
            Self::Passed => format!("{mover}'s moves if {other} passed"),
            Self::Earlier => format!("{other}'s moves if {mover} had passed"),
        })
    }
}

/// Whether the plan of the side that is not to move in `position` cannot be seen in the first line: its first two moves are
/// captures, answers to captures or to checks, or there are none.
pub(super) fn is_forced(position: &Chess, result: &SearchResult) -> bool {
    let mut at = position.clone();
    let mut forced = true;
    let mut captured = false;
    let line = result.lines.first().map(|line| line.pv.as_slice()).unwrap_or_default();
    for (i, uci) in line.iter().take(4).enumerate() {
        let Ok(m) = uci.to_move(&at) else { break };
        if i % 2 == 1 {
            forced &= m.is_capture() || captured || at.is_check();
        }
        captured = m.is_capture();
        at.play_unchecked(m);
    }
    forced
}

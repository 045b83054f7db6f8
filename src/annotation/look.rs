//! How closely a position is looked at. Every position gets a first look; where neighbours disagree or much is at stake
//! it gets a closer one, and a closest.

use serde::{Deserialize, Serialize};
use shakmaty::uci::UciMove;

use crate::uci::{Limit, Score, SearchResult, uci_text};

/// So many neighbouring positions get their first look one after the other, by one engine that keeps what it remembers of each
/// for the next. The longer, the more it knows beforehand; the shorter, the better several engines share a game: of 142
/// positions of two games, at 50,000 nodes, scores were off those at 1,000,000 by 0.031 of win probability in runs of 1, by
/// 0.024 in runs of 4, by 0.023 in runs of 8, by 0.022 in runs of 16.
pub const RUN: usize = 8;

/// How closely a position is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Look {
    /// Half of the limit that was asked for.
    First,
    /// Twice that limit.
    Closer,
    /// Four times that limit.
    Closest,
    /// Eight times that limit: where two searches as close as that do not agree.
    Deepest,
}

impl Look {
    /// The limit of the search; `asked` is the one that was asked for.
    #[must_use]
    pub fn limit(self, asked: Limit) -> Limit {
        match self {
            Self::First => asked.halved(),
            Self::Closer => asked.doubled(1),
            Self::Closest => asked.doubled(2),
            Self::Deepest => asked.doubled(3),
        }
    }

    /// What the search costs, in first looks.
    #[must_use]
    pub const fn cost(self) -> usize {
        match self {
            Self::First => 1,
            Self::Closer => 4,
            Self::Closest => 8,
            Self::Deepest => 16,
        }
    }

    /// What this search and those before it cost, in first looks.
    #[must_use]
    pub const fn cost_in_all(self) -> usize {
        let before = match self {
            Self::First => 0,
            Self::Closer => Self::First.cost_in_all(),
            Self::Closest => Self::Closer.cost_in_all(),
            Self::Deepest => Self::Closest.cost_in_all(),
        };
        before + self.cost()
    }

    /// The next closer one.
    #[must_use]
    pub const fn closer(self) -> Option<Self> {
        match self {
            Self::First => Some(Self::Closer),
            Self::Closer => Some(Self::Closest),
            Self::Closest => Some(Self::Deepest),
            Self::Deepest => None,
        }
    }
}

/// The searches of a position. Scores are **the view of the side to move**.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Looked {
    /// How close the last one was.
    pub look: Look,
    /// What it found.
    pub result: SearchResult,
    /// What the first look would have played.
    #[serde(with = "uci_text::optional")]
    pub first_choice: Option<UciMove>,
    /// How it scored that.
    pub first_score: Option<Score>,
    /// Milliseconds, all searches together.
    pub time: u64,
}

impl Looked {
    /// What a first look found.
    #[must_use]
    pub fn first(result: SearchResult) -> Self {
        let line = result.lines.first();
        Self {
            look: Look::First,
            first_choice: line.and_then(|line| line.pv.first().cloned()),
            first_score: line.map(|line| line.score),
            time: result.time,
            result,
        }
    }

    /// The same with what the next closer look found.
    #[must_use]
    pub fn then(self, result: SearchResult) -> Self {
        Self {
            look: self.look.closer().unwrap_or(self.look),
            time: self.time.saturating_add(result.time),
            result,
            ..self
        }
    }

    /// The look that would come next.
    #[must_use]
    pub fn next(looked: Option<&Self>) -> Option<Look> {
        looked.map_or(Some(Look::First), |looked| looked.look.closer())
    }
}

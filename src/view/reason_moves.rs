//! The moves that a comment on a bad move names as its reasons, for the board to draw: what it allows and what was
//! better.

use shakmaty::{Chess, Move, san::SanPlus};

use super::board::Brush;
use crate::commentary::{FactSheet, Sentence, fact::Detail};

/// A move that the prose gives as a reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReasonMove {
    /// The move.
    pub mv: Move,
    /// The move as the prose writes it.
    pub san: String,
    /// [`Brush::Allowed`] or [`Brush::Better`].
    pub brush: Brush,
}

impl ReasonMove {
    /// What the arrow means.
    #[must_use]
    pub fn meaning(&self) -> &'static str {
        match self.brush {
            Brush::Better => "was better",
            _ => "is what the move allows",
        }
    }
}

/// The replies and better moves that the sentences rest on, each once; none for a move that is not bad.
#[must_use]
pub fn reason_moves(sheet: &FactSheet, prose: &[Sentence]) -> Vec<ReasonMove> {
    let played = sheet.played();
    let facts = prose.iter().flat_map(|sentence| &sentence.facts);
    let details: Vec<&Detail> = facts.filter_map(|id| Some(&sheet.get(*id)?.detail)).collect();
    let bad = |detail: &&Detail| matches!(detail, Detail::Verdict { verdict, .. } if verdict.is_bad());
    if !details.iter().any(bad) {
        return Vec::new();
    }
    let mut moves: Vec<ReasonMove> = Vec::new();
    for detail in details {
        let reason = match detail {
            Detail::Punishment { san, .. } => read(&played.after, san, Brush::Allowed),
            Detail::Best { san, .. } => read(&played.before, san, Brush::Better),
            _ => None,
        };
        moves.extend(reason.filter(|reason| !moves.contains(reason)));
    }
    moves
}

fn read(position: &Chess, san: &str, brush: Brush) -> Option<ReasonMove> {
    let mv = san.parse::<SanPlus>().ok()?.san.to_move(position).ok()?;
    Some(ReasonMove {
        mv,
        san: san.to_owned(),
        brush,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::Played,
        commentary::{Evaluation, narrate},
        uci::{Limit, Search, SearchResult, UciLine},
    };
    use shakmaty::{CastlingMode, fen::Fen};

    fn search(line: &str) -> SearchResult {
        let mut search = Search::new(1);
        search.on_line(&UciLine::parse(&format!("info depth 12 multipv 1 {line}")));
        search.on_line(&UciLine::parse("bestmove 0000"));
        search.into_result()
    }

    fn drawn(fen: &str, san: &str, before: &str, after: &str) -> Vec<(String, Brush)> {
        let position: Chess = fen
            .parse::<Fen>()
            .unwrap()
            .into_position(CastlingMode::Standard)
            .unwrap();
        let mv = san.parse::<SanPlus>().unwrap().san.to_move(&position).unwrap();
        let played = Played::new(position, mv, CastlingMode::Standard, Vec::new()).unwrap();
        let (before, after) = (search(before), search(after));
        let evaluation = Evaluation::assemble(&played, "Test", Limit::Nodes(1), &before, Some(&after)).unwrap();
        let sheet = FactSheet::new(&played, Some(&evaluation), None);
        let moves = reason_moves(&sheet, &narrate(&sheet));
        moves.into_iter().map(|reason| (reason.san, reason.brush)).collect()
    }

    const SCHOLAR: &str = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3";

    #[test]
    fn a_blunder_shows_what_it_allows_and_what_was_better() {
        let drawn = drawn(
            SCHOLAR,
            "Nf6",
            "score cp 30 nodes 1 nps 1 time 1 pv d8e7 b1c3",
            "score mate 1 nodes 1 nps 1 time 1 pv h5f7",
        );
        assert_eq!(
            drawn,
            [("Qxf7#".to_owned(), Brush::Allowed), ("Qe7".to_owned(), Brush::Better)]
        );
    }

    #[test]
    fn a_good_move_draws_nothing() {
        let drawn = drawn(
            SCHOLAR,
            "Qe7",
            "score cp 30 nodes 1 nps 1 time 1 pv d8e7 b1c3",
            "score cp -30 nodes 1 nps 1 time 1 pv b1c3 g8f6",
        );
        assert!(drawn.is_empty(), "{drawn:?}");
    }
}

//! The positions of a game's main line, and what to ask the engine about each.

use shakmaty::{CastlingMode, Chess, Color, Move, Outcome, Position, uci::UciMove};

use crate::{
    chess::{Game, NodeId, Played, fen::write_fen, pass::passed},
    uci::{Limit, SearchRequest},
};

/// What makes two main lines the same: cheap to make and to compare, however long the game is, where the positions
/// themselves are not needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineKey {
    mode: CastlingMode,
    /// The first position as FEN.
    start: String,
    /// `None` for a pass.
    moves: Vec<Option<Move>>,
}

impl LineKey {
    /// That of `game`'s main line.
    #[must_use]
    pub fn of(game: &Game) -> Self {
        Self {
            mode: game.mode(),
            start: write_fen(game.root(), game.mode()),
            moves: game.main_line().into_iter().map(|node| game.mv(node)).collect(),
        }
    }

    /// How many moves there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there is no move.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// How many positions, from the first, the two lines have in common with all that led to them.
    #[must_use]
    pub fn shared(&self, other: &Self) -> usize {
        if (self.mode, &self.start) != (other.mode, &other.start) {
            return 0;
        }
        let same = self.moves.iter().zip(&other.moves).take_while(|(a, b)| a == b);
        1 + same.count()
    }

    /// The first position as FEN, and the moves in UCI with spaces between.
    #[must_use]
    pub fn written(&self) -> (String, String) {
        let moves: Vec<String> = self.ucis().map(|mv| mv.to_string()).collect();
        (self.start.clone(), moves.join(" "))
    }

    /// The moves; a pass is UCI's null move.
    fn ucis(&self) -> impl Iterator<Item = UciMove> {
        self.moves
            .iter()
            .map(|mv| mv.map_or(UciMove::Null, |mv| mv.to_uci(self.mode)))
    }

    /// Whether this is what was [written](Self::written).
    #[must_use]
    pub fn is_written(&self, fen: &str, moves: &str) -> bool {
        let written = moves.split_whitespace().map(|mv| mv.parse::<UciMove>().ok());
        self.start == fen && written.eq(self.ucis().map(Some))
    }
}

/// A game's main line, with every position replayed once. Position 0 is the one before the first move, position `k` the
/// one after `k` moves; move `k` (from 0) leads from position `k` to position `k + 1`. A pass counts as one, of which nothing
/// is known but that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MainLine {
    key: LineKey,
    /// One more than there are moves.
    positions: Vec<Chess>,
    nodes: Vec<NodeId>,
}

impl MainLine {
    /// The main line of `game`.
    #[must_use]
    pub fn of(game: &Game) -> Self {
        let (key, nodes) = (LineKey::of(game), game.main_line());
        let mut at = game.root().clone();
        let mut positions = Vec::with_capacity(key.len() + 1);
        positions.push(at.clone());
        for mv in &key.moves {
            match mv {
                Some(mv) => at.play_unchecked(*mv), // legal: a game holds no others
                None => at = passed(&at).unwrap_or(at),
            }
            positions.push(at.clone());
        }
        Self { key, positions, nodes }
    }

    /// How castling is written.
    #[must_use]
    pub const fn mode(&self) -> CastlingMode {
        self.key.mode
    }

    /// What makes it the same as another.
    #[must_use]
    pub fn key(&self) -> &LineKey {
        &self.key
    }

    /// How many moves there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.key.len()
    }

    /// Whether there is no move.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.key.is_empty()
    }

    /// All positions, one more than there are moves.
    #[must_use]
    pub fn positions(&self) -> &[Chess] {
        &self.positions
    }

    /// The game's node that the move leads to.
    #[must_use]
    pub fn node(&self, index: usize) -> Option<NodeId> {
        self.nodes.get(index).copied()
    }

    /// The side that plays the move. White where there is no such move.
    #[must_use]
    pub fn mover(&self, index: usize) -> Color {
        self.positions.get(index).map_or(Color::White, Position::turn)
    }

    fn mv(&self, index: usize) -> Option<Move> {
        *self.key.moves.get(index)?
    }

    /// The move in UCI notation; `None` where there is no such move.
    #[must_use]
    pub fn uci(&self, index: usize) -> Option<UciMove> {
        self.mv(index).map(|mv| mv.to_uci(self.key.mode))
    }

    /// The positions that led to this one, back to the last pass.
    fn history(&self, position: usize) -> &[Chess] {
        let earlier = &self.key.moves[..position];
        let from = earlier.iter().rposition(Option::is_none).map_or(0, |pass| pass + 1);
        &self.positions[from..position]
    }

    /// The move with all that came before it; `None` where there is no such move.
    #[must_use]
    pub fn played(&self, index: usize) -> Option<Played> {
        let mv = self.mv(index)?;
        let history = self.history(index).to_vec();
        Played::new(self.positions[index].clone(), mv, self.key.mode, history)
    }

    /// The move without what came before it, for what looks at the two positions alone.
    #[must_use]
    pub fn step(&self, index: usize) -> Option<Played> {
        let mv = self.mv(index)?;
        Played::new(self.positions[index].clone(), mv, self.key.mode, Vec::new())
    }

    /// How many positions, from the first, must be searched to judge all moves: every one but a last one in which the
    /// game is over. None where there is no move.
    #[must_use]
    pub fn to_search(&self) -> usize {
        to_search(self.key.len(), self.positions.last())
    }

    /// As [`to_search`](Self::to_search), of a game whose line need not be kept for it.
    #[must_use]
    pub fn to_search_in(game: &Game) -> usize {
        let nodes = game.main_line();
        let last = nodes.last().and_then(|last| game.position(*last));
        to_search(nodes.len(), last.as_ref())
    }

    /// The search of a position, with the moves that led there since the last that cannot be taken back, so that the
    /// engine sees repetitions. `None` where there is nothing to search.
    #[must_use]
    pub fn request(&self, position: usize, id: u64, limit: Limit, multipv: u32) -> Option<SearchRequest> {
        if position >= self.to_search() {
            return None;
        }
        let request = if let Some(next) = self.played(position) {
            SearchRequest::before(id, &next, limit)
        } else if let Some(last) = position.checked_sub(1).and_then(|last| self.played(last)) {
            SearchRequest::after(id, &last, limit)?
        } else {
            let at = self.positions.get(position)?.clone();
            SearchRequest::reached(id, self.history(position), at, self.key.mode, limit)
        };
        Some(request.multipv(multipv))
    }
}

/// Nothing is asked of a position in which the game is over, nor of one without a move.
fn to_search(moves: usize, last: Option<&Chess>) -> usize {
    match last {
        _ if moves == 0 => 0,
        Some(last) if last.outcome() != Outcome::Unknown => moves,
        _ => moves + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::pgn::read_pgn;

    fn line(pgn: &str) -> MainLine {
        MainLine::of(&read_pgn(pgn).unwrap().games.remove(0))
    }

    #[test]
    fn one_search_more_than_moves_unless_the_game_is_over() {
        let limit = Limit::Nodes(10);
        let open = line("1. e4 e5 (1... c5 2. Nf3) 2. Nf3");
        assert_eq!((open.len(), open.to_search()), (3, 4));
        let last = open.request(3, 9, limit, 2).unwrap();
        assert_eq!((last.id(), last.lines()), (9, 2));
        assert_eq!(last.root(), open.positions().last().unwrap());
        assert!(open.request(4, 9, limit, 2).is_none());
        let mate = line("1. f3 e5 2. g4 Qh4#");
        assert_eq!((mate.len(), mate.to_search()), (4, 4));
        assert!(mate.request(4, 9, limit, 2).is_none());
        assert_eq!(line("[White \"A\"]\n\n*").to_search(), 0);
        for pgn in ["1. e4 e5 2. Nf3", "1. f3 e5 2. g4 Qh4#", "[White \"A\"]\n\n*"] {
            let game = read_pgn(pgn).unwrap().games.remove(0);
            assert_eq!(MainLine::to_search_in(&game), MainLine::of(&game).to_search(), "{pgn}");
        }
    }

    #[test]
    fn every_position_is_asked_about_as_it_came_about() {
        let line = line("1. Nf3 Nf6 2. Ng1 Ng8 3. e4");
        for position in 0..line.to_search() {
            let request = line.request(position, 1, Limit::Nodes(1), 2).unwrap();
            assert_eq!(request.root(), &line.positions()[position]);
        }
        let sent = line.request(4, 1, Limit::Nodes(1), 2).unwrap().position().to_string();
        assert!(sent.ends_with("moves g1f3 g8f6 f3g1 f6g8"), "{sent}");
    }

    #[test]
    fn lines_share_what_is_the_same_from_the_start() {
        let one = line("1. e4 e5 2. Nf3 Nc6");
        let shared = |other: &str| one.key().shared(line(other).key());
        assert_eq!(one.key().shared(one.key()), 5);
        assert_eq!(shared("1. e4 e5 2. Nc3 Nc6"), 3);
        assert_eq!(shared("1. d4"), 1);
        assert_eq!(shared("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4"), 0);
    }

    #[test]
    fn a_line_is_known_again_by_what_is_written_of_it() {
        let chess960 = "[FEN \"nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1\"]\n\n1. e4 e5 2. d4";
        for pgn in [
            "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O",
            "1. e4",
            "[Event \"?\"]\n\n*",
            chess960,
        ] {
            let line = line(pgn);
            let (fen, moves) = line.key().written();
            assert!(line.key().is_written(&fen, &moves), "{pgn}");
            assert!(!line.key().is_written(&fen, &format!("{moves} e7e5")), "{pgn}");
            assert!(!line.key().is_written("", &moves), "{pgn}");
        }
    }
}

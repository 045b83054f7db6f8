//! What an engine is asked to search.

use shakmaty::{CastlingMode, Chess, Move, Position, uci::UciMove};

use super::{Command, Info, Limit, SearchResult};
use crate::chess::Played;

/// One search. It can only be built from legal positions and moves, so what it sends can't crash an engine.
#[derive(Debug, Clone)]
pub struct SearchRequest {
    id: u64,
    start: Chess,
    moves: Vec<UciMove>,
    root: Chess,
    mode: CastlingMode,
    limit: Limit,
    multipv: u32,
    among: Vec<UciMove>,
    afresh: bool,
}

/// A move on the way to the position that is not legal there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{uci} (ply {ply}) is not a legal move on the way to the position that should be searched")]
pub struct IllegalLead {
    /// The move in UCI notation.
    pub uci: String,
    /// Its place, from 1.
    pub ply: usize,
}

impl SearchRequest {
    /// A search of `position`. `id` is the owner's, and comes back with the result.
    ///
    /// The limit is at least 1 (`go depth 0` means without a limit to some engines), MultiPV between 1 and 256.
    #[must_use]
    pub fn new(id: u64, position: Chess, mode: CastlingMode, limit: Limit) -> Self {
        let depth = |plies: u32| plies.clamp(1, 245);
        let time = |ms: u32| ms.clamp(1, i32::MAX as u32);
        let limit = match limit {
            Limit::Depth(plies) => Limit::Depth(depth(plies)),
            Limit::Nodes(nodes) => Limit::Nodes(nodes.clamp(1, i64::MAX as u64)),
            Limit::Time(ms) => Limit::Time(time(ms)),
            Limit::DepthTime { plies, ms } => Limit::DepthTime {
                plies: depth(plies),
                ms: time(ms),
            },
        };
        Self {
            id,
            start: position.clone(),
            moves: Vec::new(),
            root: position,
            mode,
            limit,
            multipv: 1,
            among: Vec::new(),
            afresh: false,
        }
    }

    /// The search of the position before `played`, with the moves that led to it so that the engine sees repetitions.
    #[must_use]
    pub fn before(id: u64, played: &Played, limit: Limit) -> Self {
        Self::reached(id, &played.history, played.before.clone(), played.mode, limit)
    }

    /// The search of a position that was reached through `history`, oldest first, so that the engine sees repetitions.
    #[must_use]
    pub fn reached(id: u64, history: &[Chess], position: Chess, mode: CastlingMode, limit: Limit) -> Self {
        let mut request = Self::new(id, position, mode, limit);
        request.lead_from(history);
        request
    }

    /// The search of the position after `played`; `None` when that ended the game.
    #[must_use]
    pub fn after(id: u64, played: &Played, limit: Limit) -> Option<Self> {
        if played.after.is_game_over() {
            return None;
        }
        let mut request = Self::before(id, played, limit);
        request.moves.push(played.uci());
        request.root = played.after.clone();
        Some(request)
    }

    /// The same search with `moves` played first.
    ///
    /// # Errors
    /// When one of them is not legal.
    pub fn played_on(mut self, moves: &[Move]) -> Result<Self, IllegalLead> {
        for (i, &m) in moves.iter().enumerate() {
            let uci = m.to_uci(self.mode);
            if !self.root.is_legal(m) {
                return Err(IllegalLead {
                    uci: uci.to_string(),
                    ply: i + 1,
                });
            }
            self.root.play_unchecked(m);
            self.moves.push(uci);
        }
        Ok(self)
    }

    /// How many lines to search, 1..256.
    #[must_use]
    pub fn multipv(mut self, lines: u32) -> Self {
        self.multipv = lines.clamp(1, 256);
        self
    }

    /// Searches these of the position's moves alone; what is not legal there is left out, and without a legal one among them
    /// all moves are searched. Their order is no matter: the same moves are the same request.
    #[must_use]
    pub fn among(mut self, moves: &[Move]) -> Self {
        self.among.clear();
        for m in moves.iter().filter(|m| self.root.is_legal(**m)) {
            let uci = m.to_uci(self.mode);
            let place = self.among.partition_point(|known| known.to_string() < uci.to_string());
            if self.among.get(place) != Some(&uci) {
                self.among.insert(place, uci);
            }
        }
        self
    }

    /// Clears the engine's memory first, so that the result depends on this request alone.
    #[must_use]
    pub fn afresh(mut self) -> Self {
        self.afresh = true;
        self
    }

    /// The owner's number.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The position that is searched.
    #[must_use]
    pub fn root(&self) -> &Chess {
        &self.root
    }

    /// How castling is written.
    #[must_use]
    pub fn mode(&self) -> CastlingMode {
        self.mode
    }

    /// When the search ends.
    #[must_use]
    pub fn limit(&self) -> Limit {
        self.limit
    }

    /// How many lines are asked for.
    #[must_use]
    pub fn lines(&self) -> u32 {
        self.multipv
    }

    /// How many lines the engine can give: no more than there are moves to choose among.
    #[must_use]
    pub fn expected_lines(&self) -> usize {
        let moves = match self.among.len() {
            0 => self.root.legal_moves().len(),
            n => n,
        };
        moves.min(self.multipv as usize)
    }

    /// True when the engine's memory is to be cleared first.
    #[must_use]
    pub fn is_afresh(&self) -> bool {
        self.afresh
    }

    /// The `position` command.
    #[must_use]
    pub fn position(&self) -> Command {
        Command::Position {
            start: Box::new(self.start.clone()),
            moves: self.moves.clone(),
        }
    }

    /// The `go` command.
    #[must_use]
    pub fn go(&self) -> Command {
        Command::Go {
            limit: self.limit,
            among: self.among.clone(),
        }
    }

    /// What is searched, in words that two searches share only where they must find the same: the position, the positions before
    /// it that can come again, the moves to choose among, limit and lines, and whether the engine forgets first.
    #[must_use]
    pub fn identity(&self) -> String {
        let (mut start, mut moves) = (self.start.clone(), &self.moves[..]);
        let mut at = start.clone();
        for (played, uci) in self.moves.iter().enumerate() {
            // Every move was legal when it was taken in.
            let Ok(step) = uci.to_move(&at) else { break };
            at.play_unchecked(step);
            if at.halfmoves() == 0 {
                (start, moves) = (at.clone(), &self.moves[played + 1..]);
            }
        }
        let position = Command::Position {
            start: Box::new(start),
            moves: moves.to_vec(),
        };
        let chess960 = if self.mode == CastlingMode::Chess960 {
            " chess960"
        } else {
            ""
        };
        let afresh = if self.afresh { " afresh" } else { "" };
        format!("{position} {} lines {}{chess960}{afresh}", self.go(), self.multipv)
    }

    /// Whether this can be what the search found: as many lines as there can be, at the most, each of legal moves, and no two
    /// that begin alike.
    #[must_use]
    pub fn can_give(&self, result: &SearchResult) -> bool {
        let lines = &result.lines;
        let is_playable = |line: &Info| {
            let mut at = self.root.clone();
            line.pv.iter().all(|uci| match uci.to_move(&at) {
                Ok(step) => {
                    at.play_unchecked(step);
                    true
                }
                Err(_) => false,
            })
        };
        let is_new = |(place, line): (usize, &Info)| {
            let first = line.pv.first();
            first.is_some() && lines[..place].iter().all(|earlier| earlier.pv.first() != first)
        };
        (1..=self.expected_lines()).contains(&lines.len())
            && lines.iter().enumerate().all(is_new)
            && lines.iter().all(is_playable)
            && result.best.is_none_or(|best| best.to_move(&self.root).is_ok())
    }

    /// Finds the moves that lead through `history` to the root, back to the last capture or pawn move: what is older
    /// cannot repeat. A history with a gap is used from the gap on.
    fn lead_from(&mut self, history: &[Chess]) {
        let mut moves = Vec::new();
        let mut next = self.root.clone();
        for earlier in history.iter().rev() {
            if next.halfmoves() == 0 {
                break;
            }
            let step = earlier.legal_moves().into_iter().find(|&m| {
                let mut reached = earlier.clone();
                reached.play_unchecked(m);
                reached == next
            });
            let Some(step) = step else { break };
            moves.push(step.to_uci(self.mode));
            next = earlier.clone();
        }
        moves.reverse();
        self.start = next;
        self.moves = moves;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;
    use shakmaty::san::San;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>()
            .unwrap()
            .into_position(CastlingMode::Standard)
            .unwrap()
    }

    #[test]
    fn history_becomes_moves_since_the_last_irreversible_one() {
        let mut at = Chess::default();
        let mut history = Vec::new();
        for san in ["e4", "e5", "Nf3", "Nc6", "Ng1", "Nb8"] {
            let m = san.parse::<San>().unwrap().to_move(&at).unwrap();
            history.push(at.clone());
            at.play_unchecked(m);
        }
        let m = "Nf3".parse::<San>().unwrap().to_move(&at).unwrap();
        let played = Played::new(at, m, CastlingMode::Standard, history).unwrap();
        let before = SearchRequest::before(1, &played, Limit::Nodes(10));
        assert_eq!(
            before.position().to_string(),
            "position fen rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2 moves g1f3 b8c6 f3g1 c6b8"
        );
        let after = SearchRequest::after(2, &played, Limit::Nodes(10)).unwrap();
        assert!(after.position().to_string().ends_with("c6b8 g1f3"));
        assert_eq!(after.root(), &played.after);
    }

    #[test]
    fn what_cannot_come_again_makes_no_other_search() {
        let play = |sans: &[&str]| {
            let mut at = Chess::default();
            let mut history = Vec::new();
            for san in sans {
                let m = san.parse::<San>().unwrap().to_move(&at).unwrap();
                history.push(at.clone());
                at.play_unchecked(m);
            }
            (history, at)
        };
        let reached = |sans: &[&str]| {
            let (history, at) = play(sans);
            SearchRequest::reached(1, &history, at, CastlingMode::Standard, Limit::Nodes(10))
        };
        let (mut history, after) = play(&["Nf3", "Nf6", "e4"]);
        let before = history.pop().unwrap();
        let m = "e4".parse::<San>().unwrap().to_move(&before).unwrap();
        let played = Played::new(before, m, CastlingMode::Standard, history).unwrap();
        let by_move = SearchRequest::after(7, &played, Limit::Nodes(10)).unwrap();
        let alone = SearchRequest::new(8, after, CastlingMode::Standard, Limit::Nodes(10));
        assert_eq!(by_move.identity(), alone.identity());
        assert_ne!(alone.identity(), alone.clone().afresh().identity());
        assert_ne!(alone.identity(), alone.clone().multipv(2).identity());
        // The position before has been there twice, and there once.
        let twice = reached(&["e4", "e5", "Nf3", "Nf6", "Ng1", "Ng8"]);
        let once = reached(&["e4", "e5"]);
        assert_eq!(twice.root().board(), once.root().board());
        assert_ne!(twice.identity(), once.identity());
    }

    #[test]
    fn a_result_fits_what_was_searched() {
        let request = SearchRequest::new(1, Chess::default(), CastlingMode::Standard, Limit::Nodes(9)).multipv(2);
        let line = |pv: &[&str]| Info {
            depth: 1,
            multipv: 1,
            score: crate::uci::Score::Cp(1),
            bound: false,
            wdl: None,
            nodes: 9,
            nps: 0,
            time: 0,
            pv: pv.iter().map(|uci| uci.parse().unwrap()).collect(),
        };
        let gives = |lines: &[&[&str]], best: Option<&str>| {
            request.can_give(&SearchResult {
                lines: lines.iter().map(|pv| line(pv)).collect(),
                best: best.map(|uci| uci.parse().unwrap()),
                nodes: 9,
                nps: 0,
                time: 0,
            })
        };
        assert!(gives(&[&["e2e4", "e7e5"], &["d2d4"]], Some("e2e4")));
        for wrong in [
            gives(&[], None),
            gives(&[&[]], None),
            gives(&[&["e2e4"], &["e2e4"]], None),
            gives(&[&["e2e4", "e2e4"]], None),
            gives(&[&["a2a3"], &["b2b3"], &["c2c3"]], None),
            gives(&[&["e2e4"]], Some("e7e5")),
        ] {
            assert!(!wrong);
        }
    }

    #[test]
    fn a_gap_in_the_history_is_not_bridged() {
        let at = position("8/8/8/4k3/8/8/8/R3K3 w - - 7 40");
        let m = "Ra5+".parse::<San>().unwrap().to_move(&at).unwrap();
        let played = Played::new(at, m, CastlingMode::Standard, vec![Chess::default()]).unwrap();
        let request = SearchRequest::before(1, &played, Limit::Nodes(10));
        assert_eq!(
            request.position().to_string(),
            "position fen 8/8/8/4k3/8/8/8/R3K3 w - - 7 40"
        );
    }

    #[test]
    fn nothing_to_search_after_mate() {
        let at = position("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1");
        let m = "Ra8#".parse::<San>().unwrap().to_move(&at).unwrap();
        let played = Played::new(at, m, CastlingMode::Standard, vec![]).unwrap();
        assert!(SearchRequest::after(1, &played, Limit::Depth(3)).is_none());
    }

    #[test]
    fn moves_to_choose_among_are_legal_and_once_each() {
        let at = Chess::default();
        let [e4, nf3] = ["e4", "Nf3"].map(|san| san.parse::<San>().unwrap().to_move(&at).unwrap());
        let mut next = at.clone();
        next.play_unchecked(e4);
        let foreign = "e5".parse::<San>().unwrap().to_move(&next).unwrap();
        let request = SearchRequest::new(1, at, CastlingMode::Standard, Limit::Nodes(5)).multipv(3);
        assert_eq!(request.expected_lines(), 3);
        let two = request.clone().among(&[e4, foreign, nf3, e4]);
        assert_eq!(two.expected_lines(), 2);
        assert_eq!(two.go().to_string(), "go nodes 5 searchmoves e2e4 g1f3");
        let other_way = request.clone().among(&[nf3, e4]);
        assert_eq!(
            other_way.go().to_string(),
            two.go().to_string(),
            "the order is no matter"
        );
        assert_eq!(request.among(&[foreign]).expected_lines(), 3);
    }

    #[test]
    fn illegal_leads_and_silly_limits() {
        let at = Chess::default();
        let e4 = "e4".parse::<San>().unwrap().to_move(&at).unwrap();
        let request = SearchRequest::new(1, at, CastlingMode::Standard, Limit::Depth(0)).multipv(0);
        assert_eq!((request.limit(), request.lines()), (Limit::Depth(1), 1));
        let error = request.clone().played_on(&[e4, e4]).unwrap_err();
        assert_eq!((error.uci.as_str(), error.ply), ("e2e4", 2));
        assert_eq!(request.multipv(999).expected_lines(), 20);
    }
}

//! What the engine thinks of a move. **Every score here is the mover's view.**

use shakmaty::{CastlingMode, Chess, Outcome, Position, san::SanPlus, uci::UciMove};

use crate::{
    chess::Played,
    uci::{Info, Limit, Score, SearchResult},
};

/// One line the engine would play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The mover's view.
    pub score: Score,
    /// Win, draw, loss per mille, the mover's view, where the engine says.
    pub wdl: Option<[u16; 3]>,
    /// Plies searched.
    pub depth: u32,
    /// Legal moves from the position the line starts in, at least one.
    pub moves: Vec<UciMove>,
    /// The same in SAN, as many.
    pub san: Vec<String>,
}

impl Line {
    /// What follows the first move, with the same score; `None` where nothing does.
    #[must_use]
    pub fn continued(&self) -> Option<Self> {
        (self.moves.len() > 1).then(|| Self {
            score: self.score,
            wdl: self.wdl,
            depth: self.depth.saturating_sub(1),
            moves: self.moves[1..].to_vec(),
            san: self.san[1..].to_vec(),
        })
    }
}

/// How far an evaluation can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Trust {
    /// From the first two searches alone.
    #[default]
    FirstLook,
    /// Searches of different kinds agree.
    Settled,
    /// The budget was spent before they did.
    Open,
}

/// The engine's searches before and after the move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluation {
    /// The engine's name as it gave it.
    pub engine: String,
    /// The limit of the search before the move and of the one after it.
    pub limit: Limit,
    /// Nodes searched, all searches together.
    pub nodes: u64,
    /// How far it can be trusted.
    pub trust: Trust,
    /// The best lines in the position before the move, best first; never empty (a legal move exists). Where the played
    /// move is among them its score is [`played`](Self::played).
    pub before: Vec<Line>,
    /// The moves of the search before the move with the scores that it gave them, best first: its own order, where the
    /// search after the move has put another first in [`before`](Self::before). The order of `before` once more was searched.
    pub ranking: Vec<(UciMove, Score)>,
    /// The score of the played move, never above that of `before[0]`.
    pub played: Score,
    /// The best lines for the opponent in the position after the move, in **the mover's view** of the score, best for
    /// the opponent first; empty when the move ended the game. `after[0].moves[0]` is the expected reply.
    pub after: Vec<Line>,
    /// Where the move offers a man that the expected reply does not take: the line in which it is taken, beginning with the
    /// capture; **the mover's view** of the score.
    pub accepted: Option<Line>,
}

/// Searches that don't fit the move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AssembleError {
    /// The search before the move gave no line that can be played there.
    #[error("the engine gave no playable line for the position before the move")]
    NothingBefore,
    /// The game goes on after the move, but its search is missing or gave no line that can be played there.
    #[error("the engine gave no playable line for the position after the move")]
    NothingAfter,
}

impl Evaluation {
    /// Puts the searches of the positions before and after `played` together. `after` is not needed, and not read,
    /// where the move ends the game.
    ///
    /// Every score is the mover's view, and mates are counted from the position before the move in both lists, so that
    /// `before[0].score` and `played` compare ([`Score::of_the_move_before`]). `played` is the score of the search *after*
    /// the move, which looked at this move alone and one ply further; where the move is one of the lines before it, it has
    /// that score there too, and where it turns out better than all of them it is the first. A move that mates scores
    /// `Mate(1)`, one that draws at once `Cp(0)`.
    ///
    /// Variations are replayed: an illegal tail is cut off, and a line that starts with an illegal move is left out.
    ///
    /// # Errors
    /// When a search that is needed gave nothing that can be played.
    pub fn assemble(
        played: &Played,
        engine: impl Into<String>,
        limit: Limit,
        before: &SearchResult,
        after: Option<&SearchResult>,
    ) -> Result<Self, AssembleError> {
        let lines_before = Self::lines_before(played, before);
        if lines_before.is_empty() {
            return Err(AssembleError::NothingBefore);
        }
        let (score, lines_after, nodes_after) = match played.after.outcome() {
            Outcome::Known(outcome) => {
                let score = outcome.winner().map_or(Score::Cp(0), |winner| {
                    Score::Mate(if winner == played.mover() { 1 } else { 0 })
                });
                (score, Vec::new(), 0)
            }
            Outcome::Unknown => {
                let after = after.ok_or(AssembleError::NothingAfter)?;
                let turned = Self::lines_after(played, after);
                let best = turned.first().ok_or(AssembleError::NothingAfter)?.score;
                (best, turned, after.nodes)
            }
        };
        Ok(Self {
            engine: engine.into(),
            limit,
            nodes: before.nodes.saturating_add(nodes_after),
            trust: Trust::FirstLook,
            ranking: ranked(&lines_before),
            before: reconciled(played, lines_before, score, &lines_after),
            played: score,
            after: lines_after,
            accepted: None,
        })
    }

    /// The lines of a search before the move, the mover's view, cut where they can't be played.
    #[must_use]
    pub fn lines_before(played: &Played, before: &SearchResult) -> Vec<Line> {
        lines(&before.lines, &played.before, played.mode, |score| score, |wdl| wdl)
    }

    /// The lines of a search after the move, in the mover's view, cut where they can't be played.
    #[must_use]
    pub fn lines_after(played: &Played, after: &SearchResult) -> Vec<Line> {
        lines(
            &after.lines,
            &played.after,
            played.mode,
            Score::of_the_move_before,
            |[win, draw, loss]| [loss, draw, win],
        )
    }

    /// Every score that the engine gave, **the mover's view**.
    pub fn scores(&self) -> impl Iterator<Item = Score> {
        let lines = self.before.iter().chain(&self.after).map(|line| line.score);
        lines
            .chain(self.ranking.iter().map(|(_, score)| *score))
            .chain([self.played])
    }

    /// Whether the search before the move put a move first, as long as nothing else was searched.
    #[must_use]
    pub fn ranked_first(&self, m: &UciMove) -> bool {
        self.ranking.first().is_some_and(|(first, _)| first == m)
    }

    /// Whether a search before the move has a line that can be played.
    ///
    /// # Errors
    /// When it has none.
    pub fn playable(played: &Played, before: &SearchResult) -> Result<(), AssembleError> {
        if Self::lines_before(played, before).is_empty() {
            return Err(AssembleError::NothingBefore);
        }
        Ok(())
    }
}

/// The first moves of lines, with their scores.
#[must_use]
pub fn ranked(lines: &[Line]) -> Vec<(UciMove, Score)> {
    lines
        .iter()
        .filter_map(|line| Some((*line.moves.first()?, line.score)))
        .collect()
}

/// The lines before the move with the played one's score as the search after it found it, best first.
fn reconciled(played: &Played, mut lines: Vec<Line>, score: Score, after: &[Line]) -> Vec<Line> {
    let uci = played.uci();
    let kept = lines.len();
    let at = lines.iter().position(|line| line.moves.first() == Some(&uci));
    let above = lines.first().is_none_or(|first| score > first.score);
    match at {
        Some(at) => lines[at].score = score,
        None if above => {
            let follows = after.first();
            lines.insert(
                0,
                Line {
                    score,
                    wdl: follows.and_then(|line| line.wdl),
                    depth: follows.map_or(1, |line| line.depth + 1),
                    moves: [uci]
                        .into_iter()
                        .chain(follows.into_iter().flat_map(|line| line.moves.clone()))
                        .collect(),
                    san: [played.san()]
                        .into_iter()
                        .chain(follows.into_iter().flat_map(|line| line.san.clone()))
                        .collect(),
                },
            );
        }
        None => {}
    }
    // Stable: of equal scores the engine's own order stands.
    lines.sort_by_key(|line| std::cmp::Reverse(line.score));
    lines.truncate(kept);
    lines
}

fn lines(
    infos: &[Info],
    from: &Chess,
    mode: CastlingMode,
    turn_score: impl Fn(Score) -> Score,
    turn_wdl: impl Fn([u16; 3]) -> [u16; 3],
) -> Vec<Line> {
    infos
        .iter()
        .filter_map(|info| {
            let (moves, san) = replay(&info.pv, from, mode);
            (!moves.is_empty()).then(|| Line {
                score: turn_score(info.score),
                wdl: info.wdl.map(&turn_wdl),
                depth: info.depth,
                moves,
                san,
            })
        })
        .collect()
}

/// The legal head of a variation, in UCI notation and in SAN.
fn replay(pv: &[UciMove], from: &Chess, mode: CastlingMode) -> (Vec<UciMove>, Vec<String>) {
    let mut at = from.clone();
    pv.iter()
        .map_while(|uci| {
            let m = uci.to_move(&at).ok()?;
            Some((
                m.to_uci(mode),
                SanPlus::from_move_and_play_unchecked(&mut at, m).to_string(),
            ))
        })
        .unzip()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::{Search, UciLine};
    use shakmaty::fen::Fen;

    fn played(fen: &str, uci: &str) -> Played {
        let before: Chess = fen
            .parse::<Fen>()
            .unwrap()
            .into_position(CastlingMode::Standard)
            .unwrap();
        let m = uci.parse::<UciMove>().unwrap().to_move(&before).unwrap();
        Played::new(before, m, CastlingMode::Standard, vec![]).unwrap()
    }

    fn search(expected: usize, lines: &[&str]) -> SearchResult {
        let mut search = Search::new(expected);
        for line in lines {
            search.on_line(&UciLine::parse(line));
        }
        search.into_result()
    }

    const LIMIT: Limit = Limit::Nodes(1000);

    #[test]
    fn scores_turn_to_the_mover() {
        let played = played("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3");
        let before = search(
            2,
            &[
                "info depth 5 multipv 1 score cp 40 wdl 90 900 10 nodes 100 pv e2e4 e7e5 e1g1",
                "info depth 5 multipv 2 score cp 35 wdl 80 900 20 nodes 100 pv g1f3",
            ],
        );
        let after = search(1, &["info depth 6 score cp -30 wdl 5 925 70 nodes 50 pv d7d5 d2d4"]);
        let got = Evaluation::assemble(&played, "E", LIMIT, &before, Some(&after)).unwrap();
        assert_eq!(got.before[0].san, ["e4", "e5"], "castling through pieces is cut off");
        assert_eq!(got.before[0].wdl, Some([90, 900, 10]));
        assert_eq!(
            got.played,
            Score::Cp(30),
            "the search after the move speaks, not line 2 before it"
        );
        assert_eq!(got.after[0].score, Score::Cp(30));
        assert_eq!(got.after[0].wdl, Some([70, 925, 5]));
        assert_eq!(got.after[0].san, ["d5", "d4"]);
        assert_eq!(got.nodes, 150);
    }

    #[test]
    fn what_the_search_before_put_first_is_kept() {
        let played = played("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3");
        let before = search(
            2,
            &[
                "info depth 5 multipv 1 score cp 40 nodes 100 pv e2e4",
                "info depth 5 multipv 2 score cp 35 nodes 100 pv g1f3",
            ],
        );
        let after = search(1, &["info depth 6 score cp -60 nodes 50 pv d7d5"]);
        let got = Evaluation::assemble(&played, "E", LIMIT, &before, Some(&after)).unwrap();
        assert_eq!(got.before[0].san, ["Nf3"], "the search after it found more");
        let e4: UciMove = "e2e4".parse().unwrap();
        assert_eq!(got.ranking, [(e4, Score::Cp(40)), (played.uci(), Score::Cp(35))]);
        assert!(got.ranked_first(&e4) && !got.ranked_first(&played.uci()));
        assert!(
            [60, 40, 35]
                .iter()
                .all(|cp| got.scores().any(|score| score == Score::Cp(*cp)))
        );
    }

    #[test]
    fn mates_are_counted_from_before_the_move() {
        let quiet = played("7k/8/6K1/8/8/8/8/1R6 w - - 0 1", "b1c1");
        let before = search(1, &["info depth 9 score mate 1 pv b1b8"]);
        let after = search(1, &["info depth 9 score mate -1 pv h8g8 c1c8"]);
        let got = Evaluation::assemble(&quiet, "E", LIMIT, &before, Some(&after)).unwrap();
        assert_eq!((got.before[0].score, got.played), (Score::Mate(1), Score::Mate(2)));
        assert_eq!(got.before[0].san, ["Rb8#"]);
        let loses = search(1, &["info depth 9 score mate 2 pv h8g8"]);
        let got = Evaluation::assemble(&quiet, "E", LIMIT, &before, Some(&loses)).unwrap();
        assert_eq!(got.played, Score::Mate(-2));
    }

    #[test]
    fn moves_that_end_the_game_need_no_second_search() {
        let before = search(1, &["info depth 9 score mate 1 nodes 7 pv b1b8"]);
        let mate = played("7k/8/6K1/8/8/8/8/1R6 w - - 0 1", "b1b8");
        let got = Evaluation::assemble(&mate, "E", LIMIT, &before, None).unwrap();
        assert_eq!((got.played, got.nodes), (Score::Mate(1), 7));
        assert!(got.after.is_empty());
        let stalemate = played("7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", "f2f7");
        let before = search(1, &["info depth 9 score mate 2 pv f2f1"]);
        let got = Evaluation::assemble(&stalemate, "E", LIMIT, &before, None).unwrap();
        assert_eq!(got.played, Score::Cp(0));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let played = played("7k/8/6K1/8/8/8/8/1R6 w - - 0 1", "b1c1");
        let foreign = search(1, &["info depth 9 score cp 0 pv e2e4"]);
        let fits = search(1, &["info depth 9 score mate 1 pv b1b8"]);
        assert_eq!(
            Evaluation::assemble(&played, "E", LIMIT, &foreign, Some(&fits)),
            Err(AssembleError::NothingBefore)
        );
        for after in [None, Some(&foreign)] {
            assert_eq!(
                Evaluation::assemble(&played, "E", LIMIT, &fits, after),
                Err(AssembleError::NothingAfter)
            );
        }
    }
}

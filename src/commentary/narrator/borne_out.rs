//! Whether the expected line bears out what a move is said to do: where a man stands is not worth telling if the reply takes
//! it there, nor a fork of which nothing is taken.

use shakmaty::{Move, Position, Square};

use super::super::{
    FactSheet,
    fact::{Change, Detail, Fate},
};

/// How far into the line, from the reply on, a forked man must be taken, in half-moves.
const SOON: usize = 4;

/// True unless `line`, the [expected one](expected), shows that the detail comes to nothing; `to` is where the man that moves
/// goes.
pub fn is_borne_out(line: &[Move], to: Square, detail: &Detail) -> bool {
    let taken = line.first().filter(|reply| reply.is_capture()).map(|reply| reply.to());
    let stands = praised(detail, to).into_iter().flatten();
    !stands.into_iter().any(|square| Some(square) == taken) && !is_empty_fork(detail, line)
}

/// True for a fork after which the mover takes none of the forked men.
fn is_empty_fork(detail: &Detail, line: &[Move]) -> bool {
    let Detail::Fork(fork) = detail else { return false };
    // Every second move is the mover's.
    let mut own = line.iter().skip(1).step_by(2);
    let takes = |m: &Move| m.is_capture() && fork.targets.iter().any(|target| target.square == m.to());
    line.len() >= 2 && !own.any(takes)
}

/// The expected line from the reply on.
pub fn expected(sheet: &FactSheet) -> Vec<Move> {
    let mut at = sheet.played().after.clone();
    let line = sheet.evaluation().and_then(|evaluation| evaluation.after.first());
    let moves = line.into_iter().flat_map(|line| &line.moves).take(SOON);
    moves
        .map_while(|uci| {
            let m = uci.to_move(&at).ok()?;
            at.play_unchecked(m);
            Some(m)
        })
        .collect()
}

/// Where the men stand after the move whose place it praises; `to` is where the man that moves goes.
fn praised(detail: &Detail, to: Square) -> [Option<Square>; 2] {
    let one = |square| [Some(square), None];
    match detail {
        Detail::Passed {
            pawn,
            change: Change::New,
        }
        | Detail::Space { pawn } => one(pawn.square),
        Detail::Outpost { man }
        | Detail::File { man, .. }
        | Detail::FileOpened { man, .. }
        | Detail::Activity { man, .. }
        | Detail::Battery { front: man, .. } => one(man.square),
        Detail::Hanging {
            hanging,
            change: Change::Gone,
            fate,
            ..
        } => match fate {
            Fate::Moves => one(to),
            _ => one(hanging.target.square),
        },
        Detail::Development { .. } | Detail::Retreat { .. } | Detail::KingActivity { .. } => one(to),
        Detail::Connected { rooks } => rooks.map(|rook| Some(rook.square)),
        _ => [None, None],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::Played,
        commentary::{Evaluation, narrate},
        uci::{Limit, Search, SearchResult, UciLine},
    };
    use shakmaty::{CastlingMode, Chess, fen::Fen, san::SanPlus};

    fn search(line: &str) -> SearchResult {
        let mut search = Search::new(1);
        search.on_line(&UciLine::parse(&format!(
            "info depth 12 multipv 1 nodes 1 nps 1 time 1 {line}"
        )));
        search.on_line(&UciLine::parse("bestmove 0000"));
        search.into_result()
    }

    /// What is said of a move if `line` is expected after it.
    fn commented(fen: &str, san: &str, line: &str) -> String {
        let position: Chess = fen
            .parse::<Fen>()
            .unwrap()
            .into_position(CastlingMode::Standard)
            .unwrap();
        let mv = san.parse::<SanPlus>().unwrap().san.to_move(&position).unwrap();
        let played = Played::new(position, mv, CastlingMode::Standard, Vec::new()).unwrap();
        let before = search(&format!("score cp 20 pv {} {line}", played.uci()));
        let after = search(&format!("score cp -20 pv {line}"));
        let evaluation = Evaluation::assemble(&played, "Test", Limit::Nodes(1), &before, Some(&after)).unwrap();
        let sheet = FactSheet::new(&played, Some(&evaluation), None);
        let prose: Vec<String> = narrate(&sheet).into_iter().map(|sentence| sentence.text).collect();
        prose.join(" ")
    }

    #[test]
    fn a_rook_that_is_taken_is_not_freed() {
        let fen = "Q3k2r/5ppp/3bpn2/2q5/2p5/P1NnP2P/1P3PP1/R1B2K1R b - - 4 22";
        let text = commented(fen, "Kd7", "a8h8");
        assert!(!text.contains("free"), "{text}");
        let text = commented(fen, "Kd7", "a8b7");
        assert!(text.contains("h8"), "{text}");
    }

    #[test]
    fn a_fork_that_wins_nothing_is_a_check() {
        let fen = "rnbqk1nr/ppp2ppp/8/b2pp3/6P1/2PPP2P/PP3P2/RNBQKBNR w KQkq - 1 6";
        let text = commented(fen, "Qa4+", "b8c6 b2b4 a5b6 b4b5");
        assert!(!text.contains("fork"), "{text}");
        let text = commented(fen, "Qa4+", "c7c6 a4a5");
        assert!(text.contains("fork"), "{text}");
    }
}

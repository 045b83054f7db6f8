//! What a move does for a man that the expected reply takes is not worth telling.

use shakmaty::{Position, Square};

use super::super::{
    FactSheet,
    fact::{Change, Detail},
};

/// True where the detail praises where a man stands, and the expected reply takes it there.
pub fn is_fleeting(sheet: &FactSheet, detail: &Detail) -> bool {
    let to = sheet.played().mv.to();
    let taken = taken(sheet);
    praised(detail, to)
        .into_iter()
        .any(|square| square.is_some() && square == taken)
}

/// The square on which the expected reply captures.
fn taken(sheet: &FactSheet) -> Option<Square> {
    let reply = sheet.evaluation()?.after.first()?.moves.first()?;
    let reply = reply.to_move(&sheet.played().after).ok()?;
    reply.is_capture().then_some(reply.to())
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

    /// Kd7 frees the rook on h8, which Qxh8 takes.
    #[test]
    fn a_rook_that_is_taken_is_not_freed() {
        let fen = "Q3k2r/5ppp/3bpn2/2q5/2p5/P1NnP2P/1P3PP1/R1B2K1R b - - 4 22";
        let position: Chess = fen
            .parse::<Fen>()
            .unwrap()
            .into_position(CastlingMode::Standard)
            .unwrap();
        let mv = "Kd7".parse::<SanPlus>().unwrap().san.to_move(&position).unwrap();
        let played = Played::new(position, mv, CastlingMode::Standard, Vec::new()).unwrap();
        let text = |reply: &str| {
            let before = search("score cp 20 pv e8d7 a8h8");
            let after = search(&format!("score cp -20 pv {reply}"));
            let evaluation = Evaluation::assemble(&played, "Test", Limit::Nodes(1), &before, Some(&after)).unwrap();
            let sheet = FactSheet::new(&played, Some(&evaluation), None);
            let prose: Vec<String> = narrate(&sheet).into_iter().map(|sentence| sentence.text).collect();
            prose.join(" ")
        };
        assert!(
            !text("a8h8").contains("the rook on h8:") && !text("a8h8").contains("freeing"),
            "{}",
            text("a8h8")
        );
        assert!(text("a8b7").contains("h8"), "{}", text("a8b7"));
    }
}

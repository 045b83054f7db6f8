//! Worked examples: positions with a move, and a game, one click away. Each must read without repairs.

/// One example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// On its button.
    pub name: &'static str,
    /// What it shows.
    pub hint: &'static str,
    /// What the box is given.
    pub text: &'static str,
}

/// The examples. The positions are classical; the game is Morphy's at the Paris opera, 1858.
pub const EXAMPLES: [Example; 6] = [
    Example {
        name: "A fork",
        hint: "The fried liver attack: a knight is given for the king's safety, and forks on its way",
        text: "r1bqkb1r/ppp2ppp/2n5/3np1N1/2B5/8/PPPP1PPP/RNBQK2R w KQkq - 0 6 Nxf7",
    },
    Example {
        name: "A pin",
        hint: "The simplest of pins: bishop, knight, queen",
        text: "r1bqkbnr/ppp2ppp/2np4/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 1 4 Bg4",
    },
    Example {
        name: "A blunder",
        hint: "The scholar's mate is allowed",
        text: "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3 Nf6",
    },
    Example {
        name: "A quiet move",
        hint: "The Ruy Lopez: what does castling do?",
        text: "r1bqkbnr/1ppp1ppp/p1n5/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 1 4 Nf6",
    },
    Example {
        name: "An endgame",
        hint: "The outside passed pawn decides",
        text: "8/5pk1/6p1/P7/8/6P1/5PK1/8 w - - 0 40 a6",
    },
    Example {
        name: "A game",
        hint: "Morphy against the Duke of Brunswick and Count Isouard, Paris 1858",
        text: "[Event \"Paris opera\"]\n[Site \"Paris\"]\n[Date \"1858.??.??\"]\n[White \"Morphy, Paul\"]\n[Black \"Duke of Brunswick and Count Isouard\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::pasted::read_pasted;

    #[test]
    fn every_example_reads_without_repairs() {
        for example in EXAMPLES {
            let pasted = read_pasted(example.text).unwrap_or_else(|e| panic!("{}: {e}", example.name));
            assert!(
                pasted.repairs.is_empty() && pasted.problems.is_empty(),
                "{}: {:?}",
                example.name,
                pasted.repairs
            );
            assert!(!pasted.games[0].is_empty(), "{} has a move", example.name);
        }
    }
}

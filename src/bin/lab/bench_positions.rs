//! Moves that the benchmark is run on: openings, middle games and endings, good moves and bad ones, both colours.

/// FEN and move.
pub const POSITIONS: [(&str, &str); 20] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e4"),
    (
        "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
        "Nf6",
    ),
    (
        "r1bqkb1r/pppp1ppp/2n2n2/4p1N1/2B1P3/8/PPPP1PPP/RNBQK2R b KQkq - 5 4",
        "d5",
    ),
    ("rnbqkb1r/ppp1pppp/5n2/3p4/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 1 3", "cxd5"),
    (
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8",
        "O-O",
    ),
    (
        "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 1 6",
        "e5",
    ),
    (
        "r2q1rk1/1b2bppp/p2ppn2/1pn3B1/3NP3/1BN5/PPP1QPPP/2KR3R w - - 4 12",
        "Bxf6",
    ),
    ("2r2rk1/pp1q1ppp/3bp3/3p4/3P4/1P1QPN2/P4PPP/2R2RK1 b - - 2 17", "Rxc1"),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "Bxa6",
    ),
    (
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
        "Qxf7#",
    ),
    (
        "r1bqkbnr/ppp2ppp/2np4/4p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R b KQkq - 1 4",
        "Bg4",
    ),
    (
        "r2qkbnr/ppp2p1p/2np2p1/4p3/2B1P1b1/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 6",
        "Nxe5",
    ),
    ("4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19", "Rf7"),
    ("5rk1/1p4pp/p1p1b3/4Pp2/3B4/P6P/1PP3P1/4R1K1 w - f6 0 25", "exf6"),
    ("8/pp3pk1/2p3p1/3p1q2/3P4/4P1Q1/PP3PP1/6K1 w - - 0 30", "Qe5+"),
    ("6k1/5p2/1p4p1/pP6/P2P4/3K2r1/2R5/8 w - - 3 41", "Kc4"),
    ("8/5pk1/4p1p1/3pP2p/3P1P1P/3K2P1/8/8 w - - 0 40", "Kc3"),
    ("8/1P4k1/8/8/8/5K2/1r6/8 w - - 0 60", "b8=Q"),
    ("3r2k1/p4ppp/1p6/8/8/1P3N2/P4PPP/3R2K1 b - - 0 26", "Rxd1+"),
    (
        "r4rk1/1pp1qppp/p1np1n2/4p1B1/2B1P1b1/2PP1N2/PP2QPPP/R4RK1 w - - 1 11",
        "Bxf6",
    ),
];

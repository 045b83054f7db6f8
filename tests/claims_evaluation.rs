//! Statements judged one by one: how many men, nobody else, of one kind of men, along a line. Each verdict can be read off the
//! board.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use kibitz::{
    chess::{Played, read_move},
    commentary::{
        ClaimVerdict::{self, Contradicted, Doubtful, NotJudged, Supported},
        Evaluation, FactSheet,
        claims::{Claim, ClaimKind, Statement, check, evaluate, prove, statement::WrittenStatement},
    },
    uci::{Limit, Search, SearchResult, UciLine},
};
use shakmaty::{CastlingMode, Chess, fen::Fen};

fn played(fen: &str, mv: &str) -> Played {
    let fen: Fen = fen.parse().unwrap();
    let before: Chess = fen.into_position(CastlingMode::Standard).unwrap();
    let m = read_move(&before, CastlingMode::Standard, mv).unwrap();
    Played::new(before, m, CastlingMode::Standard, Vec::new()).unwrap()
}

fn statement(written: &str) -> Statement {
    let written: WrittenStatement = serde_json::from_str(written).unwrap();
    Statement::try_from(&written).unwrap()
}

fn on(sheet: &FactSheet, written: &str) -> ClaimVerdict {
    evaluate(&statement(written), sheet).into_parts().0
}

fn reason(sheet: &FactSheet, written: &str) -> String {
    evaluate(&statement(written), sheet).into_parts().1
}

fn judged(fen: &str, mv: &str, written: &str) -> ClaimVerdict {
    on(&FactSheet::new(&played(fen, mv), None, None), written)
}

/// The lines of a search, best first: score and variation as UCI has them.
fn search(lines: &[&str]) -> SearchResult {
    let mut search = Search::new(lines.len());
    for (number, line) in lines.iter().enumerate() {
        let line = format!("info depth 9 multipv {} nodes 9 score {line}", number + 1);
        search.on_line(&UciLine::parse(&line));
    }
    search.into_result()
}

/// The sheet of a move that the engine has judged by two searches.
fn searched(fen: &str, mv: &str, before: &[&str], after: &[&str]) -> FactSheet {
    let played = played(fen, mv);
    let (before, after) = (search(before), search(after));
    let evaluation = Evaluation::assemble(&played, "E", Limit::Nodes(9), &before, Some(&after)).unwrap();
    FactSheet::new(&played, Some(&evaluation), None)
}

/// After 1. e4 e5 2. Nf3 d6 3. d4, where 3...Bg4 pins the knight: the queen and the g-pawn guard it.
const PINNED: &str = "rnbqkbnr/ppp2ppp/3p4/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 3";

fn all(fen: &str, mv: &str, cases: &[(&str, ClaimVerdict)]) {
    for (written, expected) in cases {
        assert_eq!(judged(fen, mv, written), *expected, "{written}");
    }
}

#[test]
fn men_that_bear_on_a_square_are_counted() {
    let guards = r#""predicate": "defends", "subject": "white", "objects": ["white knight f3"]"#;
    let case = |more: &str| format!("{{{guards}, {more}}}");
    all(
        PINNED,
        "Bg4",
        &[
            (&case(r#""number": 2"#), Supported),
            (&case(r#""number": 3"#), Contradicted),
            (&case(r#""number": 1, "qualifier": "more_than""#), Supported),
            (
                r#"{"predicate": "attacks", "subject": "black", "squares": ["f3"], "number": 2}"#,
                Contradicted,
            ),
            (
                r#"{"predicate": "attacks", "subject": "black", "squares": ["f3"], "number": 1}"#,
                Supported,
            ),
        ],
    );
}

#[test]
fn that_nothing_else_does_it_is_looked_at() {
    let takes = r#""predicate": "can_take", "subject": "white pawn d4", "objects": ["black pawn e5"]"#;
    all(
        PINNED,
        "Bg4",
        &[
            (&format!("{{{takes}}}"), Supported),
            (&format!(r#"{{{takes}, "only": true}}"#), Contradicted),
            (r#"{"predicate": "playable", "moves": ["dxe5"]}"#, Supported),
            (
                r#"{"predicate": "playable", "moves": ["dxe5"], "only": true}"#,
                NotJudged,
            ),
        ],
    );
    let back = r#""predicate": "recaptures", "moves": ["Nxd4"]"#;
    all(
        PINNED,
        "exd4",
        &[
            (&format!("{{{back}}}"), Supported),
            (&format!(r#"{{{back}, "only": true}}"#), Contradicted),
        ],
    );
    // The rook mates, too.
    let two_mates = "k7/8/1K6/8/8/8/8/6QR w - - 0 1";
    all(
        two_mates,
        "Qg8",
        &[
            (r#"{"predicate": "checkmate"}"#, Supported),
            (r#"{"predicate": "checkmate", "only": true}"#, Contradicted),
        ],
    );
    all(
        "k7/8/1K6/8/8/8/8/6Q1 w - - 0 1",
        "Qg8",
        &[(r#"{"predicate": "checkmate", "only": true}"#, Supported)],
    );
}

#[test]
fn a_choice_of_moves_is_more_than_one() {
    let choice = r#"{"predicate": "legal_moves", "side": "white", "number": 1, "qualifier": "more_than"}"#;
    all(PINNED, "Bg4", &[(choice, Supported)]);
    // The king can go to g8 alone.
    let corner = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";
    all(
        corner,
        "Rf1",
        &[(&choice.replace("white", "black"), Contradicted), (choice, NotJudged)],
    );
}

#[test]
fn pawns_may_be_meant_alone() {
    let knight_and_pawn = "4k3/ppp5/8/8/8/8/PPPP4/3NK3 w - - 0 1";
    all(
        knight_and_pawn,
        "Ne3",
        &[
            (
                r#"{"predicate": "ahead", "side": "white", "objects": ["white pawn"]}"#,
                NotJudged,
            ),
            (
                r#"{"predicate": "ahead", "side": "white", "objects": ["white queen"]}"#,
                Contradicted,
            ),
            (
                r#"{"predicate": "level", "objects": ["white pawn", "black pawn"]}"#,
                Contradicted,
            ),
        ],
    );
    // A piece to nothing, and three pawns each.
    all(
        "4k3/ppp5/8/8/8/8/PPP5/3NK3 w - - 0 1",
        "Ne3",
        &[
            (r#"{"predicate": "level"}"#, Contradicted),
            (
                r#"{"predicate": "level", "objects": ["white pawn", "black pawn"]}"#,
                Supported,
            ),
        ],
    );
}

#[test]
fn what_a_line_costs_is_given_up() {
    let given =
        r#"{"predicate": "gives_up", "side": "white", "objects": ["white knight"], "moves": ["Nxe5", "dxe5", "dxe5"]}"#;
    all(PINNED, "Bg4", &[(given, Supported)]);
}

#[test]
fn what_a_side_could_put_in_the_way_is_not_said() {
    let blocked = r#"{"predicate": "blocks", "subject": "white", "objects": ["black bishop g4"], "denied": true}"#;
    all(PINNED, "Bg4", &[(blocked, NotJudged)]);
}

#[test]
fn castling_moves_the_rook_too() {
    let castling = "rnbqk2r/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
    all(
        castling,
        "O-O",
        &[
            (r#"{"predicate": "goes", "subject": "white rook h1"}"#, Supported),
            (
                r#"{"predicate": "goes", "subject": "white rook f1", "squares": ["f1"]}"#,
                Supported,
            ),
            (r#"{"predicate": "goes", "subject": "white rook a1"}"#, Contradicted),
            (
                r#"{"predicate": "goes", "subject": "white rook h1", "squares": ["e1"]}"#,
                Contradicted,
            ),
        ],
    );
}

#[test]
fn a_side_that_is_to_move_has_a_check_or_none() {
    let none = r#"{"predicate": "gives_check", "side": "white", "denied": true}"#;
    // The knight takes on f7 without check; the bishop takes there with check.
    all(
        "rnbqkb1r/pppp1ppp/5n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 3",
        "Nc6",
        &[(none, Contradicted)],
    );
    all(PINNED, "Be7", &[(&none.replace("white", "black"), Supported)]);
    all(
        PINNED,
        "a6",
        &[(none, Contradicted), (&none.replace("white", "black"), Supported)],
    );
}

#[test]
fn a_piece_that_is_not_named_is_not_passed_over() {
    let ahead = |men: &str| format!(r#"{{"predicate": "ahead", "side": "white", "objects": [{men}]}}"#);
    let (rook, both) = (ahead(r#""rook""#), ahead(r#""rook", "bishop""#));
    // A rook and a bishop more.
    all(
        "4k3/5ppp/8/8/8/8/5PPP/R1B1K3 w - - 0 1",
        "Kd2",
        &[(&rook, Contradicted), (&both, Supported)],
    );
    // A rook and three pawns more: pawns may be passed over.
    all("4k3/8/8/8/8/8/5PPP/R3K3 w - - 0 1", "Kd2", &[(&rook, NotJudged)]);
    // A rook and a bishop against a knight.
    all("1n2k3/5ppp/8/8/8/8/5PPP/R1B1K3 w - - 0 1", "Kd2", &[(&rook, Supported)]);
}

#[test]
fn a_piece_and_a_pawn_are_both_more() {
    let ahead = |men: &str| format!(r#"{{"predicate": "ahead", "side": "white", "objects": [{men}]}}"#);
    let (piece, both) = (ahead(r#""white piece""#), ahead(r#""white piece", "white pawn""#));
    // A knight for a pawn, which a two points' lead does not tell from a piece and a pawn.
    all(
        "4k3/5ppp/8/8/8/8/6PP/1N2K3 w - - 0 1",
        "Kd2",
        &[(&piece, Supported), (&both, Contradicted)],
    );
    let two_pawns = ahead(r#""white piece", "white pawn", "white pawn""#);
    all(
        "4k3/6pp/8/8/8/8/5PPP/1N2K3 w - - 0 1",
        "Kd2",
        &[(&both, Supported), (&two_pawns, Contradicted)],
    );
    // Three pawns are no piece.
    all("4k3/7p/8/8/8/8/4PPPP/4K3 w - - 0 1", "Kd2", &[(&piece, NotJudged)]);
    all("4k3/6pp/8/8/8/8/5PPP/4K3 w - - 0 1", "Kd2", &[(&piece, Contradicted)]);
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn the_engine_s_choice_is_that_of_either_search() {
    let before = &["cp 40 pv e2e4 e7e5", "cp 25 pv d2d4 d7d5", "cp 20 pv g1f3 d7d5"];
    // After it, the move looks better than all of them.
    let sheet = searched(START, "Nf3", before, &["cp -60 pv d7d5"]);
    let best = |m: &str| format!(r#"{{"predicate": "best_move", "position": "before", "moves": ["{m}"]}}"#);
    assert_eq!(on(&sheet, &best("Nf3")), Supported);
    assert_eq!(on(&sheet, &best("e4")), Supported);
    assert_eq!(on(&sheet, &best("d4")), Contradicted);
    // A few centipawns may fall the other way.
    let sheet = searched(START, "d4", &["cp 40 pv e2e4", "cp 35 pv g1f3"], &["cp -10 pv d7d5"]);
    assert_eq!(on(&sheet, &best("Nf3")), NotJudged);
    let better = |m: &str| format!(r#"{{"predicate": "better_move", "position": "before", "moves": ["{m}"]}}"#);
    assert_eq!(on(&sheet, &better("Nf3")), Supported);
    // Of two lost positions neither is the better for a quarter of a pawn.
    let lost = searched(
        START,
        "d4",
        &["cp -650 pv e2e4", "cp -680 pv d2d4"],
        &["cp 680 pv d7d5"],
    );
    assert_eq!(on(&lost, &better("e4")), NotJudged);
}

#[test]
fn reasons_have_moves_and_scores_as_players_write_them() {
    let before = &["mate 3 pv e2e4 e7e5", "cp 25 pv g1f3 d7d5"];
    let sheet = searched(START, "d4", before, &["cp 130 pv d7d5"]);
    let best = r#"{"predicate": "best_move", "position": "before", "moves": ["d4"]}"#;
    assert_eq!(reason(&sheet, best), "The engine's first choice is e4.");
    // It is shown by itself: further on in its line the board may look as if the other move had been made.
    let shown: Vec<String> = prove(&statement(best), &sheet)
        .moves
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(shown, ["e2e4"]);
    let better = r#"{"predicate": "better_move", "position": "before", "moves": ["Nf3"]}"#;
    assert_eq!(reason(&sheet, better), "By the engine Nf3 comes to +0.25, d4 to -1.30.");
    let score = r#"{"predicate": "score", "side": "black", "number": 500}"#;
    assert_eq!(reason(&sheet, score), "By the engine it is +1.30 for Black.");
    let only = r#"{"predicate": "only_move", "position": "before", "moves": ["e4"]}"#;
    assert_eq!(
        reason(&sheet, only),
        "By the engine it comes to #3, the next best move to +0.25."
    );
    let ahead = |side: &str| format!(r#"{{"predicate": "ahead", "side": "{side}"}}"#);
    let up = FactSheet::new(&played("4k3/6pp/8/8/8/8/5PPP/4K3 w - - 0 1", "Kd2"), None, None);
    assert_eq!(reason(&up, &ahead("white")), "White is 1 point ahead.");
    assert_eq!(reason(&up, &ahead("black")), "White is 1 point ahead.");
}

#[test]
fn what_two_rows_find_is_said_once() {
    let before = &["cp 40 pv e2e4 e7e5", "cp 15 pv g1f3 d7d5"];
    let sheet = searched(START, "Nf3", before, &["cp -15 pv d7d5"]);
    let checked = check(
        &sheet,
        "White takes the centre. Nf3 is the best move. Then 1...d5 2.e4 may follow.",
    );
    let claims = |sentence: usize| -> Vec<(&str, ClaimVerdict)> {
        let of = checked.claims.iter().filter(|claim| claim.sentence == sentence);
        of.map(|claim| (claim.kind.word(), claim.verdict)).collect()
    };
    let best: Vec<_> = claims(1)
        .into_iter()
        .filter(|(kind, _)| *kind == ClaimKind::Best.word())
        .collect();
    assert_eq!(best, [(ClaimKind::Best.word(), Doubtful)]);
    assert_eq!(claims(2), [(ClaimKind::Legality.word(), Supported)]);
    // With what it says as data.
    let against = |claim: &&Claim| claim.verdict.is_against();
    assert!(
        checked
            .claims
            .iter()
            .filter(against)
            .all(|claim| !claim.statements.is_empty())
    );
}

#[test]
fn a_mate_has_the_number_of_one_of_the_engine_s_lines() {
    let mate = |number: u8| {
        let of_white = r#""predicate": "forced_mate", "side": "white", "position": "before""#;
        format!(r#"{{{of_white}, "number": {number}}}"#)
    };
    let fen = "7k/8/5K2/8/8/8/8/1R6 w - - 0 1";
    let sheet = searched(
        fen,
        "Rc1",
        &["mate 2 pv f6g6 h8g8 b1b8", "mate 5 pv b1a1"],
        &["mate -5 pv h8h7"],
    );
    assert_eq!(on(&sheet, &mate(2)), Supported);
    assert_eq!(on(&sheet, &mate(5)), NotJudged);
    assert_eq!(on(&sheet, &mate(9)), Contradicted);
    // Of a line that is named, that line's number counts.
    let sheet = searched(
        fen,
        "Kg6",
        &["mate 2 pv f6g6 h8g8 b1b8", "mate 5 pv b1a1"],
        &["mate -1 pv h8g8 b1b8"],
    );
    let of_ra1 = |number: u8| mate(number).replace(r#""number""#, r#""moves": ["Ra1"], "number""#);
    assert_eq!(on(&sheet, &of_ra1(5)), Supported);
    assert_eq!(on(&sheet, &of_ra1(2)), Contradicted);
    let as_good = r#"{"predicate": "equally_good", "position": "before", "moves": ["Ra1"]}"#;
    assert_eq!(on(&sheet, as_good), NotJudged);
}

#[test]
fn nobody_threatens_to_lose_a_piece_for_a_pawn() {
    let takes = |man: &str| {
        format!(r#"{{"predicate": "threatens_to_take", "subject": "white {man}", "objects": ["black pawn d5"]}}"#)
    };
    let guarded = |man: &str| format!("4k3/8/4p3/3p4/8/{man}/8/4K3 w - - 0 1");
    all(&guarded("3Q4"), "Kf2", &[(&takes("queen d3"), Contradicted)]);
    // That may mean no more than that it attacks it.
    all(&guarded("2N5"), "Kf2", &[(&takes("knight c3"), NotJudged)]);
}

#[test]
fn what_is_won_is_what_was_taken() {
    let wins = |man: &str| format!(r#"{{"predicate": "wins", "side": "white", "objects": ["black {man}"]}}"#);
    // The rook on d8 has no guard; nothing else is to be had.
    all(
        "3r3k/6pp/8/8/8/8/6PP/3R3K w - - 0 1",
        "Rxd8#",
        &[(&wins("rook"), Supported), (&wins("bishop"), Contradicted)],
    );
}

#[test]
fn pawns_of_a_file_that_has_none_are_not_doubled() {
    let doubled = |pawn: &str| format!(r#"{{"predicate": "doubled", "subject": "{pawn}"}}"#);
    // 1...exd5 leaves the e-file for the d-file, where another pawn stands.
    all(
        "4k3/8/3pp3/3P4/8/8/8/4K3 b - - 0 1",
        "exd5",
        &[
            (&doubled("black e-pawn"), Contradicted),
            (&doubled("black d-pawn"), Supported),
        ],
    );
}

/// White checks by 1. Rb8+ and by 1. Re8+.
const TWO_CHECKS: &str = "6k1/5p1p/8/8/8/8/1R3P1P/4R1K1 w - - 0 1";

#[test]
fn a_check_is_given_by_a_man_as_it_stood_or_as_it_stands() {
    all(
        TWO_CHECKS,
        "Rb8+",
        &[
            (
                r#"{"predicate": "gives_check", "subject": "white rook b2", "position": "after"}"#,
                Supported,
            ),
            (
                r#"{"predicate": "gives_check", "subject": "white rook b8", "position": "after"}"#,
                Supported,
            ),
            (
                r#"{"predicate": "gives_check", "subject": "white rook e1", "position": "after"}"#,
                Contradicted,
            ),
            // Re8+ would have been one, too.
            (
                r#"{"predicate": "gives_check", "only": true, "position": "after"}"#,
                Contradicted,
            ),
        ],
    );
}

#[test]
fn who_takes_back_is_looked_at() {
    let exchange = r#""position": "before", "moves": ["Nxe5", "dxe5"]"#;
    all(
        "rnbqkbnr/ppp2ppp/3p4/4p3/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 3",
        "d3",
        &[
            (
                &format!(r#"{{"predicate": "recaptures", "subject": "black pawn d6", {exchange}}}"#),
                Supported,
            ),
            (
                &format!(r#"{{"predicate": "recaptures", "subject": "black queen", {exchange}}}"#),
                Contradicted,
            ),
        ],
    );
}

#[test]
fn castling_is_on_the_wing_that_is_said() {
    let line = r#""position": "after", "moves": ["a6", "O-O"]"#;
    all(
        "4k3/p7/8/8/8/8/P7/R3K2R w KQ - 0 1",
        "a3",
        &[
            (
                &format!(r#"{{"predicate": "castles", "side": "white", "qualifier": "kingside", {line}}}"#),
                Supported,
            ),
            (
                &format!(r#"{{"predicate": "castles", "side": "white", "qualifier": "queenside", {line}}}"#),
                Contradicted,
            ),
        ],
    );
}

#[test]
fn pairs_that_go_are_counted() {
    let line = r#""position": "after", "moves": ["Rxd8+", "Rxd8"]"#;
    all(
        "r2r2k1/p4ppp/8/8/8/8/P4PPP/R2R2K1 b - - 0 1",
        "a6",
        &[
            (
                &format!(r#"{{"predicate": "trades", "objects": ["rook"], {line}}}"#),
                Supported,
            ),
            (
                &format!(r#"{{"predicate": "trades", "objects": ["rook"], "number": 2, {line}}}"#),
                Contradicted,
            ),
            // What may come behind two moves is open, but not behind a whole line.
            (
                r#"{"predicate": "trades", "objects": ["rook"], "position": "after", "moves": ["h3", "h6"]}"#,
                NotJudged,
            ),
            (
                r#"{"predicate": "trades", "objects": ["rook"], "position": "after", "moves": ["h3", "h6", "g3", "g6"]}"#,
                Contradicted,
            ),
        ],
    );
}

#[test]
fn pieces_are_level_whatever_pawns_there_are() {
    all(
        "4k3/8/2n5/8/8/2B5/PP6/4K3 w - - 0 1",
        "a3",
        &[
            (
                r#"{"predicate": "level", "objects": ["piece"], "position": "after"}"#,
                Supported,
            ),
            (
                r#"{"predicate": "level", "objects": ["white piece"], "position": "after"}"#,
                Supported,
            ),
            (r#"{"predicate": "level", "position": "after"}"#, Contradicted),
        ],
    );
}

#[test]
fn a_man_that_can_move_at_all_is_asked_of_its_moves() {
    // Behind 1. Kf7 Black has Kh7 and a2.
    all(
        "7k/8/5K2/8/8/p7/8/6R1 w - - 0 1",
        "Kf7",
        &[
            (
                r#"{"predicate": "can_go", "subject": "black pawn a3", "only": true, "position": "after"}"#,
                Contradicted,
            ),
            (
                r#"{"predicate": "can_go", "subject": "black king", "position": "after"}"#,
                Supported,
            ),
            (
                r#"{"predicate": "can_go", "subject": "black pawn a3", "position": "after"}"#,
                Supported,
            ),
        ],
    );
}

#[test]
fn men_stand_on_all_of_the_squares_that_are_named() {
    all(
        "4k3/8/8/8/8/8/P7/R2RK3 w - - 0 1",
        "a3",
        &[
            (
                r#"{"predicate": "stands", "subject": "white rook", "squares": ["a1", "d1"], "position": "after"}"#,
                Supported,
            ),
            (
                r#"{"predicate": "stands", "subject": "white rook", "squares": ["a1", "h1"], "position": "after"}"#,
                NotJudged,
            ),
            (
                r#"{"predicate": "stands", "subject": "white rook", "squares": ["g1", "h1"], "denied": true, "position": "after"}"#,
                Supported,
            ),
            (
                r#"{"predicate": "stands", "subject": "white rook", "squares": ["d1", "h1"], "denied": true, "position": "after"}"#,
                Contradicted,
            ),
            (
                r#"{"predicate": "stands", "subject": "white rook", "file": "h", "position": "after"}"#,
                Contradicted,
            ),
            (
                r#"{"predicate": "undeveloped", "subject": "white rook", "number": 2, "position": "after"}"#,
                Contradicted,
            ),
        ],
    );
}

#[test]
fn a_king_threatens_nothing_that_is_guarded() {
    all(
        "4k3/8/8/3p4/2b5/8/3K4/8 w - - 0 1",
        "Kc3",
        &[(
            r#"{"predicate": "threatens_to_take", "subject": "white king c3", "objects": ["black bishop c4"], "position": "after"}"#,
            Contradicted,
        )],
    );
}

#[test]
fn pieces_and_pawns_that_are_more_are_both_counted() {
    all(
        "4k3/5pp1/8/8/8/8/PPPP4/R3K3 w Q - 0 1",
        "a3",
        &[
            (
                r#"{"predicate": "ahead", "side": "white", "objects": ["rook", "pawn", "pawn"], "position": "after"}"#,
                Supported,
            ),
            (
                r#"{"predicate": "ahead", "side": "white", "objects": ["rook", "pawn", "pawn", "pawn"], "position": "after"}"#,
                Contradicted,
            ),
        ],
    );
}

#[test]
fn the_engine_s_lines_have_its_moves_in_order() {
    let sheet = searched(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "e4",
        &["cp 30 pv e2e4 e7e5 g1f3", "cp 25 pv d2d4 d7d5"],
        &["cp -30 pv e7e5 g1f3 b8c6", "cp -44 pv c7c5 g1f3"],
    );
    for (written, verdict) in [
        (
            r#"{"predicate": "best_move", "position": "after", "moves": ["e5"]}"#,
            Supported,
        ),
        // Not among those it gave.
        (
            r#"{"predicate": "best_move", "position": "after", "moves": ["h5"]}"#,
            Contradicted,
        ),
        // Its line goes on otherwise.
        (
            r#"{"predicate": "best_move", "position": "after", "moves": ["e5", "Nc3"]}"#,
            Contradicted,
        ),
        (
            r#"{"predicate": "best_move", "position": "after", "moves": ["e5", "Nf3"]}"#,
            Supported,
        ),
        // Of a move that is named no other line's score is meant.
        (
            r#"{"predicate": "score", "side": "white", "number": 44, "qualifier": "more_than", "position": "after", "moves": ["e5"]}"#,
            NotJudged,
        ),
        (
            r#"{"predicate": "score", "side": "white", "number": 90, "qualifier": "more_than", "position": "before", "moves": ["d4"]}"#,
            Contradicted,
        ),
    ] {
        assert_eq!(on(&sheet, written), verdict, "{written}");
    }
}

#[test]
fn a_side_that_can_take_one_man_alone_takes_nothing_else() {
    let fen = "4k3/8/8/3p1n2/4P3/8/8/4K3 w - - 0 1";
    let only = |object: &str| {
        format!(
            r#"{{"predicate": "can_take", "subject": "white", "objects": ["{object}"], "only": true, "position": "before"}}"#
        )
    };
    assert_eq!(judged(fen, "Kd1", &only("black pawn d5")), Contradicted);
    let fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
    assert_eq!(judged(fen, "Kd1", &only("black pawn d5")), Supported);
}

#[test]
fn a_king_s_only_square_is_its_only_one() {
    let only = |square: &str| {
        format!(
            r#"{{"predicate": "can_go", "subject": "black king", "squares": ["{square}"], "only": true, "position": "after"}}"#
        )
    };
    // Behind 1. Kb6 the king in the corner has b8, behind 1. Kc6 a7 as well.
    let fen = "k7/8/8/1K6/8/8/8/8 w - - 0 1";
    assert_eq!(judged(fen, "Kb6", &only("b8")), Supported);
    assert_eq!(judged(fen, "Kc6", &only("b8")), Contradicted);
}

#[test]
fn checks_of_the_side_to_move_are_counted() {
    let checks = |number: u8, qualifier: &str, subject: &str| {
        format!(
            r#"{{"predicate": "gives_check", "subject": "{subject}", "number": {number}{qualifier}, "position": "before"}}"#
        )
    };
    // Rb8+ and Re8+.
    for (written, verdict) in [
        (checks(2, "", "white"), Supported),
        (checks(3, "", "white"), Contradicted),
        (checks(1, r#", "qualifier": "more_than""#, "white"), Supported),
        (checks(2, "", "white rook b2"), Contradicted),
    ] {
        assert_eq!(judged(TWO_CHECKS, "h3", &written), verdict, "{written}");
    }
}

#[test]
fn a_check_may_be_said_of_a_side_that_was_not_to_move() {
    // "who may now sweep down to b8 with check"
    all(
        TWO_CHECKS,
        "h3",
        &[
            (
                r#"{"predicate": "gives_check", "subject": "white rook b2", "position": "after", "moves": ["Rb8+"]}"#,
                Supported,
            ),
            (
                r#"{"predicate": "gives_check", "subject": "white rook b2", "position": "after", "moves": ["Rb7"]}"#,
                Contradicted,
            ),
            // What can be played is asked of whose turn it is.
            (
                r#"{"predicate": "playable", "position": "after", "moves": ["Rb8+"]}"#,
                Contradicted,
            ),
        ],
    );
}

#[test]
fn men_are_counted_on_a_wing() {
    let count = |number: u8, wing: &str| {
        format!(
            r#"{{"predicate": "count", "subject": "white pawn", "number": {number}, "qualifier": "{wing}", "position": "after"}}"#
        )
    };
    let fen = "4k3/8/8/8/8/8/PP2PPP1/4K3 w - - 0 1";
    for (written, verdict) in [
        (count(2, "queenside"), Supported),
        // With the e-pawn, or without it.
        (count(3, "kingside"), Supported),
        (count(2, "kingside"), Supported),
        (count(4, "kingside"), Contradicted),
    ] {
        assert_eq!(judged(fen, "Kd1", &written), verdict, "{written}");
    }
}

#[test]
fn a_view_is_blocked_of_the_square_that_is_named() {
    let blocks = |square: &str| {
        format!(
            r#"{{"predicate": "blocks", "subject": "white pawn d4", "objects": ["black bishop e5"], "squares": ["{square}"], "position": "after"}}"#
        )
    };
    let fen = "4k3/8/8/4b3/8/3P4/8/4K3 w - - 0 1";
    assert_eq!(judged(fen, "d4", &blocks("b2")), Supported);
    assert_eq!(judged(fen, "d4", &blocks("g3")), Contradicted);
}

#[test]
fn a_battery_stands_on_the_file_that_is_named() {
    let battery = |file: &str| {
        format!(
            r#"{{"predicate": "battery", "subject": "white rook", "objects": ["white rook"], "file": "{file}", "position": "after"}}"#
        )
    };
    let fen = "4k3/8/8/8/8/8/3R4/2R1K3 w - - 0 1";
    assert_eq!(judged(fen, "Rdc2", &battery("c")), Supported);
    assert_ne!(judged(fen, "Rdc2", &battery("d")), Supported);
}

#[test]
fn several_men_are_given_up_one_by_one() {
    let gives_up = |objects: &str| {
        format!(
            r#"{{"predicate": "gives_up", "side": "white", "objects": [{objects}], "position": "after", "moves": ["Nxf7", "Kxf7"]}}"#
        )
    };
    let fen = "6k1/p4p2/8/4N3/8/4B3/8/4K3 b - - 0 1";
    assert_eq!(judged(fen, "a6", &gives_up(r#""white knight""#)), Supported);
    assert_eq!(
        judged(fen, "a6", &gives_up(r#""white minor piece", "white minor piece""#)),
        Contradicted
    );
}

#[test]
fn how_much_better_a_move_was_is_counted() {
    let sheet = searched(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "g4",
        &["cp 40 pv e2e4 e7e5", "cp 30 pv d2d4 d7d5"],
        &["cp 150 pv d7d5 f1g2"],
    );
    let better = |number: i32, how: &str| {
        format!(r#"{{"predicate": "better_move", "position": "before", "moves": ["e4"], "number": {number}{how}}}"#)
    };
    for (written, verdict) in [
        (better(190, ""), Supported),
        (better(200, ""), Supported),
        (better(400, ""), Contradicted),
        (better(100, r#", "qualifier": "more_than""#), Supported),
        (better(300, r#", "qualifier": "more_than""#), Contradicted),
    ] {
        assert_eq!(on(&sheet, &written), verdict, "{written}");
    }
}

#[test]
fn who_stands_at_the_end_of_a_line_has_not_been_taken_in_it() {
    let stands = |subject: &str, moves: &str| {
        format!(r#"{{"predicate": "stands", "subject": "{subject}", "position": "after", "moves": [{moves}]}}"#)
    };
    let fen = "r5k1/8/8/8/8/4P3/5P2/4K3 b - - 0 1";
    for (written, verdict) in [
        (stands("black rook a3", r#""f3", "Ra3""#), Supported),
        (stands("black rook a8", r#""f3", "Ra3""#), Contradicted),
        (
            stands("black rook e3", r#""f3", "Ra3", "Kd1", "Rxe3", "Kc1", "Re8""#),
            Contradicted,
        ),
        // Of one move the man that it took may be meant.
        (stands("white pawn e3", r#""Rxe3""#), NotJudged),
    ] {
        let (fen, mv) = if written.contains("[\"Rxe3\"]") {
            ("4r1k1/8/8/8/8/4P3/5P2/4K3 w - - 0 1", "Kf1")
        } else {
            (fen, "Kf8")
        };
        assert_eq!(judged(fen, mv, &written), verdict, "{written}");
    }
}

#[test]
fn ways_of_taking_are_counted() {
    let takes = |number: u8, rest: &str| {
        format!(r#"{{"predicate": "can_take", "number": {number}, "position": "before"{rest}}}"#)
    };
    // cxd5, exd5, Bxd5 and Qxd5, the rook on a1 takes a7, and there are two pawns on the fifth rank: d5 and f5.
    let fen = "4k3/p7/8/3p1p2/2P1P3/1B6/8/R2QK3 w - - 0 1";
    for (written, verdict) in [
        (
            takes(4, r#", "subject": "white", "objects": ["black pawn d5"]"#),
            Contradicted,
        ),
        (
            takes(3, r#", "subject": "white", "objects": ["black pawn d5"]"#),
            Supported,
        ),
        (
            takes(2, r#", "subject": "white pawn", "objects": ["black pawn d5"]"#),
            Supported,
        ),
        (takes(5, r#", "subject": "white""#), Supported),
        (takes(3, r#", "subject": "white""#), Contradicted),
        // Whose men take is clear from whose are taken.
        (takes(3, r#", "objects": ["black pawn d5"]"#), Supported),
    ] {
        assert_eq!(judged(fen, "Kf1", &written), verdict, "{written}");
    }
    let goes = |number: u8| {
        format!(
            r#"{{"predicate": "can_go", "number": {number}, "subject": "white piece", "squares": ["d2"], "position": "before"}}"#
        )
    };
    // Queen and king.
    assert_eq!(judged(fen, "Kf1", &goes(2)), Supported);
    assert_eq!(judged(fen, "Kf1", &goes(3)), Contradicted);
}

#[test]
fn what_is_the_only_one_of_its_kind_has_no_other_beside_it() {
    // Black has doubled pawns on the f-file and on the b-file; c, d, g and h are open.
    let fen = "4k3/1p3p2/1p3p2/8/8/8/P3PP2/4K3 w - - 0 1";
    let doubled = r#""predicate": "doubled", "subject": "black pawn", "file": "f", "position": "after""#;
    let open = r#""predicate": "open_file", "file": "d", "position": "after""#;
    let isolated = r#""predicate": "isolated", "subject": "white pawn a2", "only": true, "position": "after""#;
    for (written, verdict) in [
        (format!("{{{doubled}}}"), Supported),
        (format!(r#"{{{doubled}, "only": true}}"#), Contradicted),
        (format!("{{{open}}}"), Supported),
        (format!(r#"{{{open}, "only": true}}"#), Contradicted),
        (format!("{{{isolated}}}"), Supported),
    ] {
        assert_eq!(judged(fen, "Kd1", &written), verdict, "{written}");
    }
}

#[test]
fn pawn_islands_are_counted() {
    let islands = |side: &str, number: u8| {
        format!(r#"{{"predicate": "pawn_islands", "side": "{side}", "number": {number}, "position": "after"}}"#)
    };
    let fen = "4k3/1p3p2/1p3p2/8/8/8/P1PPP2P/4K3 w - - 0 1";
    for (written, verdict) in [
        (islands("white", 3), Supported),
        (islands("white", 2), Contradicted),
        (islands("black", 2), Supported),
        (islands("black", 4), Contradicted),
    ] {
        assert_eq!(judged(fen, "Kd1", &written), verdict, "{written}");
    }
}

#[test]
fn a_check_on_a_square_is_one_that_could_be_given() {
    let check = |square: &str| {
        format!(
            r#"{{"predicate": "gives_check", "subject": "white rook b2", "squares": ["{square}"], "position": "after"}}"#
        )
    };
    // After 1. h3: were it White's turn.
    assert_eq!(judged(TWO_CHECKS, "h3", &check("b8")), Supported);
    assert_eq!(judged(TWO_CHECKS, "h3", &check("b7")), Contradicted);
}

#[test]
fn a_pinned_man_threatens_nothing() {
    let threat = |subject: &str| {
        format!(
            r#"{{"predicate": "threatens_to_take", "subject": "{subject}", "objects": ["black bishop b6"], "position": "after"}}"#
        )
    };
    let fen = "4k3/4r3/1b6/P7/2N5/8/8/4K3 w - - 0 1";
    assert_eq!(judged(fen, "Kd1", &threat("white knight c4")), Supported);
    let pinned = "4k3/8/1b2q3/P7/2N5/8/K7/8 b - - 0 1";
    assert_eq!(judged(pinned, "Kf8", &threat("white knight c4")), Contradicted);
    assert_eq!(judged(pinned, "Kf8", &threat("white pawn a5")), Supported);
}

#[test]
fn rooks_with_a_bishop_between_are_no_battery() {
    let battery =
        r#"{"predicate": "battery", "subject": "white rook d1", "objects": ["white rook g1"], "position": "after"}"#;
    let fen = "4k3/8/8/8/8/8/8/R3KBR1 w Q - 0 1";
    assert_eq!(judged(fen, "O-O-O", battery), Contradicted);
    assert_eq!(judged("4k3/8/8/8/8/8/8/R3K1R1 w Q - 0 1", "O-O-O", battery), Supported);
}

#[test]
fn the_second_choice_is_second_by_the_search_that_ranked_it() {
    // The search before the move has e4 first; that after it thinks more of d4.
    let sheet = searched(
        START,
        "d4",
        &["cp 40 pv e2e4 e7e5", "cp 30 pv d2d4 d7d5"],
        &["cp -55 pv d7d5 c2c4"],
    );
    let best = |m: &str, denied: bool| {
        format!(r#"{{"predicate": "best_move", "position": "before", "moves": ["{m}"], "denied": {denied}}}"#)
    };
    for (written, verdict) in [
        (best("d4", true), Supported),
        (best("e4", true), Contradicted),
        (best("e4", false), Supported),
        (best("Nf3", false), Contradicted),
        // The only reply that the engine gives is its choice.
        (
            r#"{"predicate": "best_move", "position": "after", "moves": ["Nf6"]}"#.to_owned(),
            Contradicted,
        ),
    ] {
        assert_eq!(on(&sheet, &written), verdict, "{written}");
    }
}

#[test]
fn a_reply_is_as_good_as_the_best_one() {
    let sheet = searched(
        START,
        "e4",
        &["cp 40 pv e2e4 e7e5"],
        &["cp -40 pv e7e5", "cp -48 pv c7c5", "cp -210 pv f7f6"],
    );
    let good = |m: &str| format!(r#"{{"predicate": "equally_good", "position": "after", "moves": ["{m}"]}}"#);
    assert_eq!(on(&sheet, &good("c5")), Supported);
    assert_eq!(on(&sheet, &good("f6")), Contradicted);
}

#[test]
fn moves_to_mate_are_those_of_the_side_that_mates() {
    // Black is mated in two: 1... Kb8 2. Ra8 has not been played yet.
    let fen = "k7/8/1K6/8/8/8/8/7R b - - 0 1";
    let sheet = searched(fen, "Kb8", &["mate -1 pv a8b8 h1h8"], &["mate 1 pv h1h8"]);
    let mate = |position: &str, number: u8| {
        format!(r#"{{"predicate": "forced_mate", "side": "white", "number": {number}, "position": "{position}"}}"#)
    };
    assert_eq!(on(&sheet, &mate("after", 1)), Supported);
    assert_eq!(on(&sheet, &mate("after", 2)), Contradicted);
    assert_eq!(on(&sheet, &mate("before", 2)), Contradicted);
}

#[test]
fn captures_of_a_line_are_counted_and_where_they_are_made() {
    let fen = "4k3/8/8/2p1p3/3P4/8/8/3RK3 w - - 0 1";
    let line = r#""position": "before", "moves": ["dxe5", "Kf7", "e6+", "Kxe6"]"#;
    let takes = |rest: &str| format!(r#"{{"predicate": "takes", {line}{rest}}}"#);
    for (written, verdict) in [
        (takes(r#", "side": "white", "number": 1"#), Supported),
        (takes(r#", "side": "white", "number": 2"#), Contradicted),
        (takes(r#", "number": 2"#), Supported),
        (takes(r#", "objects": ["black pawn e5", "white pawn e6"]"#), Supported),
        (
            takes(r#", "objects": ["black pawn e5", "black pawn c5"]"#),
            Contradicted,
        ),
        (
            format!(r#"{{"predicate": "trades", "objects": ["pawn"], "squares": ["e6"], {line}}}"#),
            Supported,
        ),
        (
            format!(r#"{{"predicate": "trades", "objects": ["pawn"], "squares": ["d5"], {line}}}"#),
            Contradicted,
        ),
    ] {
        assert_eq!(judged(fen, "Kf1", &written), verdict, "{written}");
    }
    // One move takes one man: of two something else is meant.
    let two = r#"{"predicate": "takes", "objects": ["black pawn e5", "black pawn c5"], "position": "after"}"#;
    assert_eq!(judged(fen, "dxe5", two), NotJudged);
}

#[test]
fn a_pawn_promotes_where_it_is_said_to() {
    let promotes =
        |square: &str| format!(r#"{{"predicate": "promotes", "squares": ["{square}"], "position": "after"}}"#);
    let fen = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(judged(fen, "axb8=Q+", &promotes("b8")), Supported);
    assert_eq!(judged(fen, "axb8=Q+", &promotes("a8")), Contradicted);
}

#[test]
fn a_score_may_be_quoted_as_the_engine_gives_it() {
    // Black's move: the engine gives Black's view, -1.23 for White is +1.23 for Black.
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let sheet = searched(fen, "e5", &["cp 123 pv e7e5"], &["cp -123 pv g1f3"]);
    let score =
        |number: i32, side: &str| format!(r#"{{"predicate": "score", "number": {number}, "position": "after"{side}}}"#);
    assert_eq!(on(&sheet, &score(-123, "")), Supported);
    assert_eq!(on(&sheet, &score(123, "")), NotJudged);
    // Not where the side is named, nor where the figure is another.
    assert_eq!(on(&sheet, &score(123, r#", "side": "white""#)), Contradicted);
    assert_eq!(on(&sheet, &score(180, "")), Contradicted);
}

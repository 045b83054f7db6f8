//! Nothing that can be pasted brings a reader down, and what is written is read back the same.

#![allow(clippy::unwrap_used)]

use kibitz::{
    chess::{
        Game, NodeId, epd::read_epd, link::Link, pgn::read_pgn, pgn_writer::write_pgn, pv_san, read_fen, read_move,
        read_pasted, with_castling_restored, write_fen,
    },
    view::{move_list, text_board},
};
use proptest::{prelude::*, test_runner::RngSeed};
use shakmaty::{CastlingMode, Chess, Color, Position, uci::UciMove};

/// Text that is nearly right: pieces of everything that the readers know.
fn crumbs() -> impl Strategy<Value = String> {
    let crumb = prop_oneof![
        Just("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"),
        Just("4k3/P7/8/2pP4/8/8/8/R3K2R"),
        Just("nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN"),
        Just("8/8/8/8/8/8/8/8"),
        Just("/"),
        Just("w"),
        Just("b"),
        Just("KQkq"),
        Just("HAha"),
        Just("-"),
        Just("–"),
        Just("e3"),
        Just("c6"),
        Just("0"),
        Just("0 1"),
        Just("99999999999"),
        Just("_"),
        Just("\""),
        Just("“"),
        Just("FEN: "),
        Just("[FEN \""),
        Just("\"]\n"),
        Just("[Variant \"Chess960\"]"),
        Just("1."),
        Just("12..."),
        Just("e4"),
        Just("e5"),
        Just("Nf3"),
        Just("dxc6"),
        Just("e.p."),
        Just("a8=Q+"),
        Just("a8(N)"),
        Just("e7e8q"),
        Just("O-O"),
        Just("0-0-0"),
        Just("--"),
        Just("♘f3"),
        Just("!?"),
        Just("$3"),
        Just("$999"),
        Just("±"),
        Just("{"),
        Just("}"),
        Just("("),
        Just(")"),
        Just(";"),
        Just("%"),
        Just("\n"),
        Just("\r\n"),
        Just("bm"),
        Just("c0 \"x\";"),
        Just("hmvc 3;"),
        Just("1-0"),
        Just("*"),
        Just("½"),
        Just("#fen="),
        Just("&move="),
        Just("&moves="),
        Just("%20"),
        Just("%ff"),
        Just("%"),
        Just("https://lichess.org/analysis/"),
        Just("startpos"),
        Just("moves"),
        Just("position"),
        Just("🦀"),
        Just("\u{feff}"),
        Just("\u{0}"),
    ];
    proptest::collection::vec((crumb, any::<bool>()), 0..24).prop_map(|crumbs| {
        crumbs
            .into_iter()
            .map(|(crumb, space)| format!("{crumb}{}", if space { " " } else { "" }))
            .collect()
    })
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => crumbs(),
        1 => any::<String>(),
        1 => proptest::collection::vec(any::<u8>(), 0..200).prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
    ]
}

/// A walk of legal moves from the seed's start: every choice is a number drawn beforehand.
fn walk(choices: &[u16]) -> Game {
    let mut game = Game::new(Chess::default(), CastlingMode::Standard);
    let mut at = NodeId::ROOT;
    for choice in choices {
        let position = game.position(at).unwrap();
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let next = game.play(at, legal[usize::from(*choice) % legal.len()]).unwrap();
        // Now and then a step back, so that there are variations; and something said.
        at = if choice % 11 == 3 {
            game.parent(next).unwrap()
        } else {
            next
        };
        if choice % 5 == 0 {
            game.add_nag(next, (choice % 140) as u8);
            game.set_comment(next, "said; with (signs) 1. e4 [and] \"more\" %");
        }
        if choice % 11 == 3 {
            game.set_comment_before(next, "first");
        }
    }
    game
}

fn spelled(game: &Game) -> String {
    let mut out = format!(
        "{:?} {} {}\n",
        game.tags,
        write_fen(game.root(), game.mode()),
        game.outcome
    );
    let mut stack = vec![(NodeId::ROOT, 0)];
    while let Some((id, depth)) = stack.pop() {
        // A comment before a move of the main line is written as one after the move before it.
        let main = game.parent(id).is_none_or(|parent| game.main_child(parent) == Some(id));
        let before = if main { "" } else { game.comment_before(id) };
        out.push_str(&format!(
            "{depth} {:?} {:?} {before:?}\n",
            game.label(id),
            game.nags(id)
        ));
        stack.extend(game.children(id).iter().rev().map(|child| (*child, depth + 1)));
    }
    out
}

fn look_at(game: &Game, at: NodeId) {
    let list = move_list(game, at);
    let unlisted = [list.earlier, list.later]
        .into_iter()
        .flatten()
        .map(|unlisted| unlisted.count);
    assert_eq!(list.moves.len() + unlisted.sum::<usize>(), game.main_line().len());
    let position = game.position(at).unwrap();
    let board = text_board(&position, Color::Black, game.label(at).as_deref());
    assert_eq!(board.rows.len(), 8);
    if let Some(played) = game.played(at) {
        assert_eq!(played.after, position);
        assert_eq!(
            played.history.len(),
            (game.ply(at) - 1).min(kibitz::chess::game::MAX_HISTORY)
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, rng_seed: RngSeed::Fixed(2026), ..ProptestConfig::default() })]

    #[test]
    fn any_text_leaves_the_readers_standing(text in text()) {
        if let Ok(read) = read_fen(&text) {
            let fen = write_fen(&read.position, read.mode);
            let again = read_fen(&fen).unwrap();
            prop_assert_eq!(again.position, read.position);
            prop_assert_eq!(again.mode, read.mode);
        }
        if let Ok(epd) = read_epd(&text) {
            let _ = epd.moves("bm");
        }
        if let Ok(file) = read_pgn(&text) {
            for game in &file.games {
                let again = read_pgn(&write_pgn(game)).unwrap();
                prop_assert_eq!(again.games.len(), 1);
                prop_assert_eq!(spelled(&again.games[0]), spelled(game), "{}", write_pgn(game));
            }
        }
        if let Ok(pasted) = read_pasted(&text) {
            prop_assert!(!pasted.games.is_empty());
            look_at(&pasted.games[0], pasted.at);
        }
        if let Ok(link) = Link::from_hash(&text) {
            let _ = link.open();
        }
    }

    #[test]
    fn any_text_is_a_legal_move_or_an_error(text in text(), choices in proptest::collection::vec(any::<u16>(), 0..60)) {
        let game = walk(&choices);
        let position = game.position(game.end_of_line(NodeId::ROOT)).unwrap();
        for word in text.split_whitespace().chain([text.as_str()]) {
            if let Ok(mv) = read_move(&position, CastlingMode::Standard, word) {
                prop_assert!(position.is_legal(mv));
            }
            if let Ok(uci) = word.parse::<UciMove>() {
                prop_assert!(pv_san(&position, &[uci, uci]).len() <= 2);
            }
        }
        let read = read_fen(&write_fen(&position, CastlingMode::Standard)).unwrap();
        if let Some((restored, mv)) = with_castling_restored(&read, &text) {
            prop_assert!(restored.position.is_legal(mv));
        }
    }

    #[test]
    fn games_fens_moves_and_links_come_back(choices in proptest::collection::vec(any::<u16>(), 0..120)) {
        let game = walk(&choices);
        let written = write_pgn(&game);
        let again = read_pgn(&written).unwrap();
        prop_assert!(again.problems.is_empty(), "{:?}\n{}", again.problems, written);
        prop_assert_eq!(spelled(&again.games[0]), spelled(&game), "{}", written);

        let end = game.end_of_line(NodeId::ROOT);
        look_at(&game, end);
        let position = game.position(end).unwrap();
        let fen = write_fen(&position, CastlingMode::Standard);
        let read = read_fen(&fen).unwrap();
        prop_assert!(read.repairs.is_empty(), "{} {:?}", fen, read.repairs);
        prop_assert_eq!(&read.position, &position);
        prop_assert_eq!((read.position.halfmoves(), read.position.fullmoves()), (position.halfmoves(), position.fullmoves()));

        for mv in position.legal_moves() {
            let san = shakmaty::san::SanPlus::from_move(position.clone(), mv).to_string();
            prop_assert_eq!(read_move(&position, CastlingMode::Standard, &san), Ok(mv));
            let uci = mv.to_uci(CastlingMode::Standard);
            prop_assert_eq!(read_move(&position, CastlingMode::Standard, &uci.to_string()), Ok(mv));
            prop_assert_eq!(read_move(&position, CastlingMode::Standard, &mv.to_string()), Ok(mv), "{}", mv);
            prop_assert_eq!(pv_san(&position, &[uci]), [san]);
        }

        let link = Link::of(&game, end);
        let back = Link::from_hash(&link.to_hash()).unwrap();
        prop_assert_eq!(&back, &link);
        let opened = back.open().unwrap();
        prop_assert_eq!(opened.game.position(opened.at).unwrap(), position);
        prop_assert_eq!(opened.game.played(opened.at).map(|p| p.history.len()), game.played(end).map(|p| p.history.len()));
    }

    #[test]
    fn any_link_comes_back(fen in "\\PC{1,40}", mv in proptest::option::of("\\PC{1,12}"), moves in proptest::option::of(proptest::collection::vec("\\PC{1,8}", 1..6))) {
        let link = Link { fen, mv, moves };
        prop_assert_eq!(Link::from_hash(&link.to_hash()).unwrap(), link);
    }
}

/// Half-megabyte texts whose reading must stay about linear. A quadratic step makes minutes of it.
#[test]
fn large_hostile_texts_are_read_in_one_pass() {
    const SIZE: usize = 1 << 19;
    let fill = |head: &str, crumb: &str| {
        let mut text = head.to_owned();
        while text.len() + crumb.len() <= SIZE {
            text.push_str(crumb);
        }
        text
    };
    let texts = [
        fill("1. e4 ", "{a}"),
        fill("1. e4 (", "{a}"),
        fill("", "{a}"),
        fill("1. e4 ", "("),
        fill("", "("),
        fill("1. e4 ", "(x)"),
        fill("1. e4 ", "(d4)"),
        fill("1. e4 ", ")"),
        fill("", "["),
        fill("", "[ "),
        fill("", "[A\"\"]"),
        fill("", "[A \""),
        fill("", "[A \"x\"] e4 "),
        fill("", "Nf3 Nf6 Ng1 Ng8 "),
        fill("1. e4 ", "$1"),
        fill("1. e4 ", "!?"),
        fill("", "e4 * "),
        fill("", "*"),
        fill("", "8/"),
        fill("", "\""),
        fill("", "%\n"),
        fill("", ";\n"),
        fill("", "é"),
        fill("", "8/8/8/8\n"),
        fill("4k3/8/8/8/8/8/4P3/4K3 w - - ", "bm e4; "),
        fill("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 ", "e4 "),
        fill("#fen=", "%20"),
        fill("https://lichess.org/", "8/"),
        fill("fen=", "&fen="),
    ];
    for text in texts {
        if let Ok(pasted) = read_pasted(&text) {
            look_at(&pasted.games[0], pasted.at);
            assert!(write_pgn(&pasted.games[0]).len() <= 2 * SIZE);
        }
        let _ = (
            read_fen(&text).is_ok(),
            read_epd(&text).is_ok(),
            Link::from_hash(&text).is_ok(),
        );
    }
}

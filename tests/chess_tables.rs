//! What people paste and type, case by case, against the tables in `tests/data`.

#![allow(clippy::unwrap_used)]

use kibitz::chess::{
    Game, MoveError, NodeId, fen, fen_error::FenError, link::Link, pgn::read_pgn, pgn_problem::ProblemKind,
    pgn_writer::write_pgn, read_fen, read_move, read_pasted, with_castling_restored, write_fen,
};
use shakmaty::{CastlingMode, CastlingSide, Position};

/// The rows of a table: fields between commas, quoted where they hold one; `#` lines and the head are left out.
fn table(name: &str) -> Vec<Vec<String>> {
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    text.lines()
        .filter(|line| !line.starts_with("# "))
        .skip(1)
        .map(split)
        .collect()
}

fn split(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut chars = line.chars().peekable();
    let mut quoted = false;
    while let Some(c) = chars.next() {
        let field = fields.last_mut().unwrap();
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => field.extend(chars.next()),
            '"' if quoted => quoted = false,
            '"' if field.is_empty() => quoted = true,
            ',' if !quoted => fields.push(String::new()),
            c => field.push(c),
        }
    }
    fields
}

/// Runs every row and reports all that differ, not only the first.
fn check(name: &str, columns: usize, case: impl Fn(&[String]) -> Result<(), String>) {
    let rows = table(name);
    assert!(rows.len() > 20, "{name} has only {} rows", rows.len());
    let mut wrong = Vec::new();
    for row in &rows {
        assert_eq!(row.len(), columns, "{name}: {row:?}");
        if let Err(what) = case(row) {
            wrong.push(format!("{}\n    {what}", row[0]));
        }
    }
    assert!(
        wrong.is_empty(),
        "{name}: {} of {} rows differ\n{}",
        wrong.len(),
        rows.len(),
        wrong.join("\n")
    );
}

fn same(what: &str, is: &str, expected: &str) -> Result<(), String> {
    if is == expected {
        Ok(())
    } else {
        Err(format!("{what}\n      is       {is}\n      expected {expected}"))
    }
}

#[test]
fn sloppy_fens_are_mended_and_it_is_said() {
    check("fen-repairs.csv", 3, |row| {
        let read = read_fen(&row[0]).map_err(|e| e.to_string())?;
        same("FEN", &write_fen(&read.position, read.mode), &row[1])?;
        let repairs: Vec<String> = read.repairs.iter().map(ToString::to_string).collect();
        same("repairs", &repairs.join(" "), &row[2])?;
        // What was written is read back without another repair, but for a position kept although it cannot be.
        let again = read_fen(&row[1]).map_err(|e| e.to_string())?;
        let said: Vec<String> = again.repairs.iter().map(ToString::to_string).collect();
        if said.iter().any(|repair| !repair.starts_with("No game can lead")) {
            return Err(format!("read back with {said:?}"));
        }
        if again.position != read.position || again.mode != read.mode {
            return Err("read back as another position".to_owned());
        }
        Ok(())
    });
}

#[test]
fn other_fens_are_refused_by_field_and_reason() {
    check("fen-refusals.csv", 3, |row| {
        let Err(error) = read_fen(&row[0]) else {
            return Err("was read".to_owned());
        };
        same(
            "field",
            &error.field().map(|field| field.to_string()).unwrap_or_default(),
            &row[1],
        )?;
        same("message", &error.to_string(), &row[2])
    });
}

#[test]
fn typed_moves_are_found_or_explained() {
    check("moves.csv", 4, |row| {
        let read = read_fen(&row[0]).map_err(|e| e.to_string())?;
        match read_move(&read.position, read.mode, &row[1]) {
            Ok(mv) => same(&row[1], &mv.to_uci(read.mode).to_string(), &row[2]),
            Err(error) => same(&row[1], &error.to_string(), &row[3]),
        }
    });
}

#[test]
fn one_box_takes_it_all() {
    check("pasted.csv", 6, |row| {
        let text = row[0].replace("\\n", "\n");
        let pasted = match read_pasted(&text) {
            Ok(pasted) => pasted,
            Err(error) => return same("message", &error.to_string(), &row[5]),
        };
        same("message", "", &row[5])?;
        same("reading", &pasted.reading.to_string(), &row[1])?;
        same("games", &pasted.games.len().to_string(), &row[2])?;
        same("moves", &sans(&pasted.games[0]).join(" "), &row[3])?;
        same("problems", &pasted.problems.len().to_string(), &row[4])
    });
}

fn sans(game: &Game) -> Vec<String> {
    game.main_line().into_iter().filter_map(|id| game.san(id)).collect()
}

fn data(name: &str) -> String {
    std::fs::read_to_string(format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Everything that a game says, as text: ids are left out, since they differ after a round trip.
pub fn spelled(game: &Game) -> String {
    let mut out = format!(
        "{:?} {} {}\n",
        game.tags,
        write_fen(game.root(), game.mode()),
        game.outcome
    );
    let mut stack = vec![(NodeId::ROOT, 0)];
    while let Some((id, depth)) = stack.pop() {
        let (label, nags) = (game.label(id).unwrap_or_default(), game.nags(id));
        let (before, after) = (game.comment_before(id), game.comment(id));
        out.push_str(&format!("{depth} {label} {nags:?} {before:?} {after:?}\n"));
        stack.extend(game.children(id).iter().rev().map(|child| (*child, depth + 1)));
    }
    out
}

#[test]
fn an_annotated_game_is_read_whole_and_written_back() {
    let file = read_pgn(&data("annotated.pgn")).unwrap();
    assert_eq!((file.games.len(), file.problems.len()), (1, 0), "{:?}", file.problems);
    let game = &file.games[0];
    assert_eq!(sans(game).join(" "), "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6 d3 O-O");
    assert_eq!(game.tag("Event"), Some("A made-up \"test\" game"));
    assert_eq!(game.comment(NodeId::ROOT), "Before the game.");
    assert_eq!(game.len(), 19);
    let line = game.main_line();
    assert_eq!(game.comment(line[0]), "King's pawn over two lines");
    assert_eq!(game.comment(line[3]), "to the end of the line");
    assert_eq!(
        (game.nags(line[0]), game.nags(line[8]), game.nags(line[9])),
        (&[1][..], &[16, 36][..], &[5][..])
    );
    let thirds: Vec<_> = game
        .children(line[3])
        .iter()
        .map(|id| game.label(*id).unwrap())
        .collect();
    assert_eq!(thirds, ["3. Bc4", "3. Bb5", "3. d4"]);
    assert_eq!(game.comment_before(game.next_sibling(line[8]).unwrap()), "Instead");
    assert_eq!(game.outcome.as_str(), "1/2-1/2");

    let written = write_pgn(game);
    assert!(written.lines().all(|line| line.chars().count() < 80), "{written}");
    let again = read_pgn(&written).unwrap();
    assert!(again.problems.is_empty(), "{:?}\n{written}", again.problems);
    assert_eq!(spelled(&again.games[0]), spelled(game), "{written}");
}

#[test]
fn a_broken_file_keeps_what_is_sound() {
    let file = read_pgn(&data("broken.pgn")).unwrap();
    let problems: Vec<String> = file.problems.iter().map(ToString::to_string).collect();
    let starts = [
        "Game 1, line 3: 2. Qh9 was not read, and the line ends before it: “Qh9” is not a move",
        "Game 2, line 7: 1… Ke7 was not read, and the line ends before it: e7 is occupied by Black's own pawn.",
        "Game 3, line 12: the FEN tag cannot be read, and the game was left out. Piece placement: White has no king.",
        "Game 4, line 16: a variation stands where there is no move to vary",
        "Game 4, line 16: a closing parenthesis has no opening one, and was passed over; so was 1 more.",
        "Game 5, line 20: a comment that opens with { is not closed",
    ];
    assert_eq!(problems.len(), starts.len(), "{problems:#?}");
    for (problem, start) in problems.iter().zip(starts) {
        assert!(problem.starts_with(start), "{problem}\nexpected {start}");
    }
    let lines: Vec<String> = file.games.iter().map(|game| sans(game).join(" ")).collect();
    assert_eq!(lines, ["e4 e5", "d4 d5 c4 e6", "d4 Nf6 c4", "c4 e5"]);
}

#[test]
fn chess960_castles_and_comes_back() {
    let file = read_pgn(&data("chess960.pgn")).unwrap();
    assert!(file.problems.is_empty(), "{:?}", file.problems);
    let game = &file.games[0];
    assert_eq!(game.mode(), CastlingMode::Chess960);
    assert_eq!(sans(game).last().unwrap(), "O-O");
    let end = game.end_of_line(NodeId::ROOT);
    let castled = game.position(end).unwrap();
    assert_eq!(
        write_fen(&castled, game.mode()),
        "nrb2rkn/ppppqppp/4pb2/8/8/4PB2/PPPPQPPP/NRB2RKN w - - 8 6"
    );
    let again = read_pgn(&write_pgn(game)).unwrap();
    assert_eq!(spelled(&again.games[0]), spelled(game));
    let link = Link::of(game, end);
    let opened = Link::from_hash(&link.to_hash()).unwrap().open().unwrap();
    assert_eq!(opened.game.position(opened.at).unwrap(), castled);
}

#[test]
fn castling_comes_back_only_where_it_is_the_move() {
    let read = read_fen("r3k2r/8/8/8/8/8/8/R3K2R b - - 0 0").unwrap();
    let (restored, mv) = with_castling_restored(&read, "12... O-O-O").unwrap();
    assert_eq!(mv.castling_side(), Some(CastlingSide::QueenSide));
    assert_eq!(
        write_fen(&restored.position, restored.mode),
        "r3k2r/8/8/8/8/8/8/R3K2R b q - 0 1"
    );
    assert_eq!(
        restored.repairs.last().unwrap().to_string(),
        "Black's right to castle queenside was put back, since that is the move given and king and rook are at home."
    );
    for typed in ["O-O", "e8g8", "e8h8", "Ke8-g8", "0-0"] {
        assert!(with_castling_restored(&read, typed).is_some(), "{typed}");
    }
    for typed in ["Ke7", "e8e7", "Rg8", "h8g8", "", "hello"] {
        assert!(with_castling_restored(&read, typed).is_none(), "{typed}");
    }
    let not_home = ["r4k1r/8/8/8/8/8/8/4K3 b - - 0 1", "1r2k1r1/8/8/8/8/8/8/4K3 b - - 0 1"];
    let not_free = ["r3kb1r/8/8/8/8/8/8/4K3 b - - 0 1", "r3k2r/8/8/8/8/8/8/4KR2 b - - 0 1"];
    for fen in not_home.iter().chain(&not_free) {
        assert!(
            with_castling_restored(&read_fen(fen).unwrap(), "O-O").is_none(),
            "{fen}"
        );
    }
}

#[test]
fn a_game_is_played_varied_and_pruned() {
    let mut game = Game::new(shakmaty::Chess::default(), CastlingMode::Standard);
    let play = |game: &mut Game, at: NodeId, text: &str| {
        let position = game.position(at).unwrap();
        let mv = read_move(&position, game.mode(), text).unwrap();
        game.play(at, mv).unwrap()
    };
    let e4 = play(&mut game, NodeId::ROOT, "e4");
    let e5 = play(&mut game, e4, "e5");
    let c5 = play(&mut game, e4, "c5");
    let nf3 = play(&mut game, c5, "Nf3");
    assert_eq!(play(&mut game, e4, "c5"), c5, "an existing child is reused");
    assert_eq!((game.next_sibling(e5), game.prev_sibling(c5)), (Some(c5), Some(e5)));
    assert_eq!(game.label(nf3).unwrap(), "2. Nf3");
    assert_eq!(game.label(c5).unwrap(), "1… c5");
    let played = game.played(nf3).unwrap();
    assert_eq!(played.history.len(), 2);
    assert_eq!(played.history[0], shakmaty::Chess::default());
    assert_eq!(played.before.turn(), shakmaty::Color::White);
    assert!(game.played(NodeId::ROOT).is_none());

    assert!(game.promote(nf3), "from deep inside the variation");
    assert_eq!(game.main_line(), [e4, c5, nf3]);
    assert!(!game.promote(nf3), "already the main line");
    assert_eq!(game.delete(c5), Some(e4));
    assert!(!game.contains(nf3) && game.position(nf3).is_none() && game.played(nf3).is_none());
    assert_eq!((game.main_line(), game.len()), (vec![e4, e5], 2));
    assert_eq!(game.delete(NodeId::ROOT), None);
}

#[test]
fn too_much_is_refused_by_name() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(6_000);
    let file = read_pgn(&shuffle).unwrap();
    assert_eq!(file.games[0].len(), kibitz::chess::game::MAX_NODES);
    assert!(
        matches!(file.problems[..], [ref p] if p.kind == ProblemKind::TooManyMoves),
        "{:?}",
        file.problems
    );

    let deep = format!("1. e4 {}", "(1. d4 ".repeat(10_000));
    let file = read_pgn(&deep).unwrap();
    assert!(
        file.problems.iter().any(|p| p.kind == ProblemKind::TooDeep),
        "{:?}",
        file.problems
    );
    let written = write_pgn(&file.games[0]);
    assert!(read_pgn(&written).unwrap().problems.is_empty());

    let many = "1. e4 *\n".repeat(5_001);
    assert_eq!(
        read_pgn(&many).unwrap_err().to_string(),
        format!("This PGN holds more than {} games.", kibitz::chess::pgn::MAX_GAMES)
    );
    let long = "x".repeat(3 << 20);
    assert!(
        read_pasted(&long)
            .unwrap_err()
            .to_string()
            .starts_with("This text has 3145728 bytes")
    );
    assert!(matches!(read_fen(&long), Err(FenError::TooLong(_))));
    assert_eq!(fen::MAX_FEN_BYTES, 4096);
    let start = shakmaty::Chess::default();
    assert!(matches!(
        read_move(&start, CastlingMode::Standard, &long),
        Err(MoveError::NotAMove(_))
    ));
}

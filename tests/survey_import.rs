//! Tables, lines and games that are brought into a study: what is taken, what is not, and what is said of it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use kibitz::survey::{
    demonstration::demonstration,
    gameknot::{NamedText, from_files},
    import::{Choice, Import, MOST_LISTED, Reading, SourceError},
    sources::from_text,
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const ENDING: &str = "8/2pk4/1p2N1pp/1P1P1p2/2P2KP1/3P4/7P/8 w - - 0 0";

fn read(text: &str) -> Result<Import, SourceError> {
    from_text(text, Reading::default())
}

#[test]
fn all_faults_are_said_with_their_lines_and_the_good_rows_are_taken() {
    // Lines as an editor counts them: 1 is empty, 2 the header, 3 to 5 one row with a cell of three lines, 6 is empty, …
    let text = format!(
        "\r\nfen,move,method,comment\r\n{START},e4,a,\"A pawn.\r\n\r\nTo e4.\"\r\n\r\n{START},e9,a,Wrong.\r\n{START},,,No move.\r\n\
         {START},d4,a,Good, but without quotes.\r\n{START},e4,b,Also good.\r\n,,,\r\n{START},e4,b,Twice.\r\n"
    );
    let import = read(&text).unwrap();
    assert_eq!((import.items.len(), import.items[0].comments.len()), (1, 2));
    assert_eq!(import.items[0].comments[0].text, "A pawn.\r\n\r\nTo e4.");
    let said = import.fault_sentences();
    let beginnings = [
        "Line 7: the move e9 cannot be played.",
        "Line 8: the move is missing.",
        "Line 8: the method is missing.",
        "Line 9: it has 5 cells, and there are 4 columns.",
        "Line 12: there is a comment by “b” on this move already.",
    ];
    assert_eq!(said.len(), beginnings.len(), "{said:#?}");
    for (sentence, beginning) in said.iter().zip(beginnings) {
        assert!(sentence.starts_with(beginning), "{sentence}");
    }
    assert!(import.sentences().contains(&"5 faults:".to_owned()));
}

#[test]
fn more_faults_than_can_be_listed_are_counted() {
    let rows = format!("{START},e9,a,Wrong.\n").repeat(MOST_LISTED + 7);
    let import = read(&format!("fen,move,method,comment\n{START},e4,a,Good.\n{rows}")).unwrap();
    assert_eq!(import.fault_sentences().last().unwrap(), "And 7 more.");
    let none = read(&format!("fen,move,method,comment\n{rows}"))
        .unwrap_err()
        .to_string();
    assert!(
        none.starts_with("Line 2: the move e9") && none.ends_with("And 7 more."),
        "{none}"
    );
}

#[test]
fn lines_of_old_macs_and_of_json_are_counted_too() {
    let import = read(&format!(
        "fen,move,method,comment\r{START},e4,a,Good.\r{START},e9,a,Wrong.\r"
    ))
    .unwrap();
    assert!(
        import.fault_sentences()[0].starts_with("Line 3: the move e9"),
        "{import:?}"
    );
    let good = format!("{{\"fen\":\"{START}\",\"move\":\"e4\",\"method\":\"a\",\"comment\":\"Good.\"}}");
    let import = read(&format!("\n\n{good}\n\n{{\"fen\"\n{{\"move\":\"e4\"}}\n")).unwrap();
    let said = import.fault_sentences();
    assert!(said[0].starts_with("Line 5: it is not JSON"), "{said:?}");
    assert_eq!(
        said[1..],
        ["Line 6: the fen is missing.", "Line 6: the method is missing."]
    );
}

#[test]
fn an_empty_cell_is_a_missing_comment() {
    let text = format!("fen,move,method,comment\n{START},e4,a,One.\n{START},e4,b, \n{START},d4,a,\n{START},d4,b,\n");
    let import = read(&text).unwrap();
    assert_eq!((import.items.len(), import.items[0].comments.len()), (1, 1));
    assert_eq!(
        import.sentences(),
        [
            "1 item was added.",
            "3 comments are missing, as there is no text: lines 3, 4, 5.",
            "1 move is left out, as no comment on it is there."
        ]
    );
    assert!(import.faults.is_empty());
}

#[test]
fn comments_about_several_moves_are_left_out_unless_they_are_wanted() {
    let text = format!(
        "fen,move,method,comment\n{START},e4,reference,1. e4 e5 2. Nf3 is book.\n{START},e4,model,A pawn.\n\
         {START},d4,reference,The other pawn.\n{START},d4,model,These moves are book.\n{START},1. c4 c5,reference,Symmetrical.\n"
    );
    let import = read(&text).unwrap();
    // What a person wrote about several moves takes its move along; a model's comment goes alone.
    assert_eq!(import.items.len(), 1);
    assert_eq!((import.items[0].mv.as_str(), import.items[0].comments.len()), ("d4", 1));
    assert_eq!(
        import.sentences()[1],
        "3 comments are left out, as the text is about more than the one move: lines 2, 5, 6."
    );
    let reading = Reading {
        keep_several: true,
        ..Reading::default()
    };
    let kept = from_text(&text, reading).unwrap();
    let counts: Vec<usize> = kept.items.iter().map(|item| item.comments.len()).collect();
    assert_eq!((kept.items.len(), counts), (3, vec![2, 2, 1]));
    // Of several moves the last is shown, where the ones before it lead.
    assert_eq!(
        (kept.items[2].mv.as_str(), kept.items[2].fen.as_str()),
        ("c5", "rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 1")
    );
    // In games, too.
    let game = "1. e4! {These moves are book.} e5 2. Nf3! {Develops.} *";
    let import = read(game).unwrap();
    assert_eq!((import.items.len(), import.items[0].mv.as_str()), (1, "Nf3"));
    assert!(
        import.sentences()[1].ends_with("more than the one move: game 1."),
        "{import:?}"
    );
}

#[test]
fn the_number_of_the_move_is_the_items() {
    let text = format!("fen,move,method,comment\n{ENDING},22. Nd8+,a,Check.\n{ENDING},Nd8+,b,Also.\n");
    let import = read(&text).unwrap();
    assert_eq!(import.items.len(), 1, "the number makes no other position of it");
    assert_eq!(import.items[0].fen, ENDING.replace("0 0", "0 22"));
    let shown =
        kibitz::view::survey::MoveView::new(&demonstration().unwrap(), &import.items[0].fen, &import.items[0].mv)
            .unwrap();
    assert!(shown.label.contains("22. Nd8"), "{}", shown.label);
    assert!(
        import.sentences()[1].starts_with("1 position has the move’s number"),
        "{import:?}"
    );
}

#[test]
fn lines_of_position_move_and_comment_are_read() {
    for bar in ["|||", "\t", " ||| "] {
        let text = format!(
            "{START}{bar}e4{bar}A pawn , to e4 .\n\n{START}{bar}d4{bar}\n{START}{bar}e9{bar}Wrong.\n{START}{bar}c4{bar}a{bar}b\n{START}{bar}1. c4 c5{bar}Two.\n"
        );
        let import = read(&text).unwrap();
        let found: Vec<(&str, Option<&str>)> = import
            .items
            .iter()
            .map(|item| (item.mv.as_str(), item.reference.as_deref()))
            .collect();
        assert_eq!(found, [("e4", Some("A pawn , to e4 .")), ("d4", None)], "{bar}");
        let said = import.fault_sentences();
        assert!(
            said[0].starts_with("Line 4: the move e9") && said[1].starts_with("Line 5: it has 4 fields"),
            "{said:?}"
        );
        assert_eq!((import.several.count, import.several.first[0]), (1, 6));
    }
}

#[test]
fn files_that_belong_together_line_by_line_are_read() {
    let file = |name: &str, text: &str| NamedText {
        name: name.to_owned(),
        text: text.to_owned(),
    };
    let moves = file(
        "test.single.che",
        &format!("{START} ||| e4\n{START}\t1. d4\n\n{ENDING} 22. Nd8+\n{START} ||| e9\n"),
    );
    let people = file("test.single.en", "the usual .\nthe other .\n\n\nwrong .\n");
    let model = file("test.single.gac.en", "White moves .\n\n\nWhite checks .\nwrong .\n");
    let import = from_files(&[people.clone(), moves.clone(), model.clone()], Reading::default()).unwrap();
    let found: Vec<_> = import
        .items
        .iter()
        .map(|item| {
            let methods: Vec<_> = item.comments.iter().map(|comment| comment.method.as_str()).collect();
            (item.mv.as_str(), item.reference.as_deref(), methods)
        })
        .collect();
    assert_eq!(
        found,
        [
            ("e4", Some("the usual ."), vec!["gac"]),
            ("1. d4", Some("the other ."), vec![]),
            ("22. Nd8+", None, vec!["gac"]),
        ]
    );
    assert_eq!((import.empty.first.as_slice(), import.fault_count), (&[2][..], 1));
    for (files, said) in [
        (vec![moves.clone()], "The comments are missing: choose test.single.en"),
        (vec![people.clone()], "Choose one file of moves (.che)"),
        (
            vec![moves.clone(), file("test.single.en", "one\n")],
            "test.single.che has 5 lines and test.single.en has 1",
        ),
        (
            vec![moves.clone(), file("train.en", "one\n")],
            "train.en does not belong to test.single.che",
        ),
    ] {
        let error = from_files(&files, Reading::default()).unwrap_err().to_string();
        assert!(error.starts_with(said), "{error}");
    }
}

/// A board in words as the GameKnot data has it: up the files, from a1.
fn in_words(placement: &str) -> String {
    let mut squares = vec![vec!["eps".to_owned(); 8]; 8];
    for (rank, row) in (0..8).rev().zip(placement.split('/')) {
        let mut file = 0;
        for letter in row.chars() {
            if let Some(empty) = letter.to_digit(10) {
                file += empty as usize;
                continue;
            }
            let color = if letter.is_uppercase() { "white" } else { "black" };
            let role = match letter.to_ascii_lowercase() {
                'p' => "pawn",
                'n' => "knight",
                'b' => "bishop",
                'r' => "rook",
                'q' => "queen",
                _ => "king",
            };
            squares[file][rank] = format!("{color}_{role}");
            file += 1;
        }
    }
    squares.concat().join(" ")
}

#[test]
fn boards_in_words_are_read_and_the_move_between_them_is_found() {
    let line = |after: &str, before: &str, moves: &str| {
        format!("{} <EOC> {} <EOP> {moves} <EOMH>", in_words(after), in_words(before))
    };
    // The first line as the data has it: both boards written out.
    let start = "white_rook white_pawn eps eps eps eps black_pawn black_rook white_knight white_pawn eps eps eps eps black_pawn \
                 black_knight white_bishop white_pawn eps eps eps eps black_pawn black_bishop white_queen white_pawn eps eps eps eps \
                 black_pawn black_queen white_king white_pawn eps eps eps eps black_pawn black_king white_bishop white_pawn eps eps \
                 eps eps black_pawn black_bishop white_knight white_pawn eps eps eps eps black_pawn black_knight white_rook \
                 white_pawn eps eps eps eps black_pawn black_rook";
    assert_eq!(in_words("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"), start);
    let lines = [
        // Quiet: the words do not say which knight.
        line(
            "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "white_knight f3 <EOM>",
        ),
        // A capture.
        line(
            "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR",
            "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR",
            "white_pawn e X d5 <EOM>",
        ),
        // Castling, with a right that no board shows.
        line(
            "r4rk1/pppq1ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPPQ1PPP/R4RK1",
            "r3k2r/pppq1ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPPQ1PPP/R4RK1",
            "black_pawn O -O <EOM>",
        ),
        // A promotion to a knight.
        line(
            "3N4/8/8/8/8/2k5/8/2K5",
            "8/3P4/8/8/8/2k5/8/2K5",
            "white_<strangeMove> <EOM>",
        ),
        // Taken in passing.
        line(
            "4k3/8/8/8/8/3p4/8/4K3",
            "4k3/8/8/8/3Pp3/8/8/4K3",
            "black_pawn e X d3 <EOM>",
        ),
        // No move at all leads there.
        line("8/8/8/8/8/2k5/8/3K4", "8/3P4/8/8/8/2k5/8/2K5", "white_king d1 <EOM>"),
        // A board too short.
        line("8/8/8/8/8/2k5/8/3K4", "8/8/8/8/8/2k5/8/2K5", "white_king d1 <EOM>").replacen("eps ", "", 1),
        // Several moves in one.
        line(
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "white_pawn e4 <EOM> black_pawn e5 <EOM>",
        ),
    ];
    let file = |name: &str, text: String| NamedText {
        name: name.to_owned(),
        text,
    };
    let comments = "a comment .\n".repeat(lines.len());
    let files = [
        file("test.che-eng.single.che", lines.join("\n")),
        file("test.che-eng.single.en", comments),
    ];
    let import = from_files(&files, Reading::default()).unwrap();
    let moves: Vec<&str> = import.items.iter().map(|item| item.mv.as_str()).collect();
    assert_eq!(moves, ["Nf3", "exd5", "O-O", "d8=N", "exd3"], "{import:?}");
    assert_eq!(
        import.items[4].fen, "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1",
        "the pawn that could be taken in passing"
    );
    assert_eq!(import.items[0].reference.as_deref(), Some("a comment ."));
    assert_eq!(
        import.fault_sentences(),
        [
            "Line 6: no legal move leads from the one board to the other.",
            "Line 7: a board in words has 64 of them, each “eps” or a piece such as “white_rook”, and one of these has not.",
        ]
    );
    assert_eq!((import.several.count, import.several.first[0]), (1, 8));
    // What can be shown to raters is shown.
    for item in &import.items {
        assert!(kibitz::survey::study::played(&item.fen, &item.mv).is_ok(), "{item:?}");
    }
}

#[test]
fn a_table_of_very_many_methods_is_read_in_bounded_time() {
    let begun = std::time::Instant::now();
    let rows: String = (0..20_000)
        .map(|n| format!("{START},e4,method-{n},A comment.\n"))
        .collect();
    let import = read(&format!("fen,move,method,comment\n{rows}")).unwrap();
    assert_eq!((import.items[0].comments.len(), import.fault_count), (50, 19_950));
    assert!(import.fault_sentences()[0].contains("this move has 50 comments already"));
    // Half a second without optimization; the bound leaves room for a busy machine.
    assert!(begun.elapsed().as_secs() < 30, "{:?}", begun.elapsed());
    let choice = Choice::TurningPoints;
    assert_eq!(
        Reading::default(),
        Reading {
            choice,
            keep_several: false
        }
    );
}

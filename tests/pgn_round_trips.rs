//! Files of games with all the oddities that files of games have, made from seeds: what is in them is known, and nothing of
//! it may be lost or invented, when they are read and when what was read is written and read again. Some of them hold only
//! oddities that python-chess takes as they are meant: those are held against what it makes of them
//! (`tests/data/pgn-round-trips`).

#![allow(clippy::unwrap_used)]

use std::{collections::BTreeMap, path::Path};

use kibitz::{
    chess::{Game, NodeId, fen::write_fen, pass::passed, pgn::read_pgn, pgn_writer::write_pgn},
    random::{Rng, hash},
};
use shakmaty::{CastlingMode, Chess, Move, Position, san::SanPlus};

/// How many files are made. Every fifth is for python-chess too.
const FILES: u64 = 500;
const FOR_PYTHON: u64 = 5;

/// What is in a game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Truth {
    white: String,
    black: String,
    outcome: String,
    start: String,
    main_line: Vec<String>,
    /// Half-moves, variations included.
    moves: usize,
    /// Words that stand in its comments, each once.
    said: Vec<String>,
}

/// A text with what is in it.
struct File {
    text: String,
    games: Vec<Truth>,
}

/// Makes one file.
struct Maker {
    rng: Rng,
    /// Only what python-chess takes as it is meant.
    plain: bool,
    next_word: usize,
}

const NULLS: [&str; 6] = ["--", "Z0", "@@@@", "<>", "0000", "––"];
const SIGNS: [&str; 6] = ["!", "??", "!?", " $1", " $14", " ±"];
const ENDS: [(&str, &[&str]); 4] = [
    ("1-0", &["1-0", "1:0", "1–0", "1 - 0", "1-0."]),
    ("0-1", &["0-1", "0:1", "0 : 1"]),
    ("1/2-1/2", &["1/2-1/2", "1/2", "½-½", "½:½", "0.5-0.5"]),
    ("*", &["*"]),
];

impl Maker {
    fn new(seed: u64) -> Self {
        Self {
            rng: Rng::new(seed),
            plain: seed.is_multiple_of(FOR_PYTHON),
            next_word: 0,
        }
    }

    /// True once in so many times.
    fn once_in(&mut self, times: usize) -> bool {
        self.rng.below(times) == 0
    }

    /// As [`once_in`](Self::once_in), of what only Kibitz reads as it is meant.
    fn oddly(&mut self, times: usize) -> bool {
        self.once_in(times) && !self.plain
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.rng.below(from.len())]
    }

    /// A word that stands nowhere else in the file.
    fn said(&mut self, truth: &mut Truth) -> String {
        self.next_word += 1;
        let word = format!("zz{}zz", self.next_word);
        truth.said.push(word.clone());
        word
    }

    fn file(mut self) -> File {
        let end = self.pick(&["\n", "\n", "\r\n", if self.plain { "\n" } else { "\r" }]);
        let mut text = String::new();
        if self.oddly(8) {
            text.push('\u{feff}');
        }
        let mut games = Vec::new();
        for number in 0..1 + self.rng.below(6) {
            let mut truth = Truth::default();
            if self.oddly(12) {
                let word = self.said(&mut truth);
                // Text before a game is its comment at the head of a file; behind another it is that one's.
                let whose = games.last_mut().filter(|_| number > 0);
                if let Some(before) = whose {
                    let before: &mut Truth = before;
                    before.said.append(&mut truth.said);
                }
                text += &format!("{{about {word}}}\n\n");
            }
            self.game(&mut text, &mut truth);
            games.push(truth);
        }
        File {
            text: text.replace('\n', end),
            games,
        }
    }

    fn game(&mut self, text: &mut String, truth: &mut Truth) {
        let (outcome, written) = ENDS[self.rng.below(ENDS.len())];
        truth.outcome = outcome.to_owned();
        let written = if self.plain { outcome } else { self.pick(written) };
        let (position, root) = self.start();
        truth.start = write_fen(&position, CastlingMode::Standard);
        self.tags(text, truth, root.then_some(&position));
        if self.once_in(10) {
            // Tags alone; python-chess wants a result.
            let result = if self.plain { outcome } else { "" };
            text.push_str(&format!("{result}\n\n"));
            return;
        }
        if self.oddly(8) {
            let word = self.said(truth);
            text.push_str(&format!("{{before {word}}}\n\n"));
        }
        let plies = 2 + self.rng.below(30);
        let mut line = Vec::new();
        self.line(&mut line, truth, position, plies, 0);
        line.push(written.to_owned());
        if self.once_in(6) {
            let word = self.said(truth);
            line.push(format!("{{over {word}}}"));
        }
        if self.oddly(8) {
            let word = self.said(truth);
            line.push(format!("ff {word}"));
        }
        self.lay_out(text, &line);
        text.push_str("\n\n");
        if self.oddly(10) {
            let word = self.said(truth);
            text.push_str(&format!("; behind {word}\n\n"));
        }
    }

    /// Where a game begins, and whether that needs saying.
    fn start(&mut self) -> (Chess, bool) {
        let mut position = Chess::default();
        if !self.once_in(4) {
            return (position, false);
        }
        for _ in 0..4 + self.rng.below(20) {
            let legal = position.legal_moves();
            if legal.is_empty() {
                return (Chess::default(), false);
            }
            position.play_unchecked(legal[self.rng.below(legal.len())]);
        }
        // As a FEN says it: an en passant square only where a pawn can take.
        let fen = write_fen(&position, CastlingMode::Standard);
        let read = kibitz::chess::read_fen(&fen).unwrap().position;
        if read.legal_moves().is_empty() {
            return (Chess::default(), false);
        }
        (read, true)
    }

    fn tags(&mut self, text: &mut String, truth: &mut Truth, from: Option<&Chess>) {
        self.next_word += 1;
        truth.white = format!("Brook{}", self.next_word);
        truth.black = format!("Ashe{}", self.next_word);
        let mut event = match self.rng.below(if self.plain { 3 } else { 8 }) {
            0 => "[Event \"Club night\"]",
            1 => "[Event \"The \\\"Open\\\" C:\\\\x\"]",
            2 => "[Event \"\"]",
            3 => "[Event \"3rd \"Anna Brook\" Memorial\"]",
            4 => "[Event Club night]",
            5 => "[Event \"A long name of an event that some\nprogram broke\"]",
            6 => "[event 'Club']",
            _ => "[Event: \"Club\"]",
        }
        .to_owned();
        if self.oddly(6) {
            event.push_str("\n[White-Title \"GM\"]");
        }
        let mut tags = vec![
            event,
            format!("[White \"{}\"]", truth.white),
            format!("[Black \"{}\"]", truth.black),
        ];
        if self.oddly(6) {
            tags[1] = format!("[WHITE {}]", truth.white);
        }
        if self.once_in(2) || truth.outcome != "*" {
            tags.push(format!("[Result \"{}\"]", truth.outcome));
        }
        if self.once_in(4) {
            let usual = ["Standard", "Chess", "Classical", "Normal", "From Position"];
            let all = ["Regular", "orthodox", "Standard ", "regular chess", "?"];
            let name = if self.plain { self.pick(&usual) } else { self.pick(&all) };
            tags.push(format!("[Variant \"{name}\"]"));
        }
        match from {
            Some(position) => {
                let (set_up, fen) = if self.oddly(2) {
                    ("Setup", "Fen")
                } else {
                    ("SetUp", "FEN")
                };
                let written = write_fen(position, CastlingMode::Standard);
                tags.push(format!("[{set_up} \"1\"]\n[{fen} \"{written}\"]"));
            }
            None if self.oddly(8) => tags.push("[FEN \"\"]".to_owned()),
            None => {}
        }
        let between = if self.oddly(10) { "\n\n" } else { "\n" };
        *text += &tags.join(between);
        *text += "\n\n";
    }

    /// Moves from a position, with what is said between them; variations nest.
    fn line(&mut self, out: &mut Vec<String>, truth: &mut Truth, start: Chess, plies: usize, depth: usize) {
        let mut position = start;
        let mut numbered = true;
        for ply in 0..plies {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mv = legal[self.rng.below(legal.len())];
            if numbered || position.turn().is_white() {
                let dots = if position.turn().is_white() { "." } else { "..." };
                out.push(format!("{}{dots}", position.fullmoves()));
            }
            let before = position.clone();
            let pass = passed(&position).filter(|_| self.once_in(20));
            truth.moves += 1;
            let (mut written, san) = match pass {
                Some(after) => {
                    position = after;
                    let signs = if self.plain { &NULLS[..3] } else { &NULLS[..] };
                    (self.pick(signs).to_owned(), "--".to_owned())
                }
                None => {
                    let san = SanPlus::from_move(position.clone(), mv).to_string();
                    position.play_unchecked(mv);
                    (self.written(mv, &san), san)
                }
            };
            if depth == 0 {
                truth.main_line.push(san);
            }
            if self.once_in(12) {
                let sign = self.pick(&SIGNS[..if self.plain { 5 } else { 6 }]);
                written.push_str(sign);
            }
            out.push(written);
            numbered = self.remark(out, truth);
            // A variation departs from the move just played, and says something else.
            let others: Vec<Move> = before.legal_moves().into_iter().filter(|other| *other != mv).collect();
            if depth < 2 && self.once_in(14) && !others.is_empty() {
                out.push("(".to_owned());
                let (mut varied, other) = (before.clone(), others[self.rng.below(others.len())]);
                let dots = if varied.turn().is_white() { "." } else { "..." };
                out.push(format!("{}{dots}", varied.fullmoves()));
                out.push(SanPlus::from_move_and_play_unchecked(&mut varied, other).to_string());
                truth.moves += 1;
                let more = self.rng.below(5);
                self.line(out, truth, varied, more, depth + 1);
                if self.oddly(3) {
                    let word = self.said(truth);
                    out.push(format!("and {word} wins"));
                }
                out.push(")".to_owned());
                numbered = true;
            } else if self.oddly(30) && ply > 0 {
                let word = self.said(truth);
                out.push(format!("({{{word}}})"));
                numbered = true;
            }
        }
    }

    /// A move as somebody may write it.
    fn written(&mut self, mv: Move, san: &str) -> String {
        let bare = san.trim_end_matches(['+', '#']);
        if mv.is_castle() && self.once_in(3) {
            return bare.replace('O', "0");
        }
        if let (true, Some((square, piece))) = (self.oddly(2), bare.split_once('=')) {
            let form = self.rng.below(4);
            return match form {
                0 => format!("{square}({piece})"),
                1 => format!("{square} = {piece}"),
                2 => format!("{square}{piece}"),
                _ => format!("{square} ({piece})"),
            };
        }
        let is_piece = san.starts_with(['K', 'Q', 'R', 'B', 'N']);
        if is_piece && !mv.is_capture() && self.oddly(20) {
            return format!("{}x{}", &bare[..bare.len() - 2], &bare[bare.len() - 2..]);
        }
        if is_piece && self.oddly(20) {
            return format!("{}\u{200b}{}", &san[..1], &san[1..]);
        }
        if self.once_in(8) {
            bare.to_owned()
        } else {
            san.to_owned()
        }
    }

    /// What is said behind a move; whether there is something.
    fn remark(&mut self, out: &mut Vec<String>, truth: &mut Truth) -> bool {
        if self.once_in(12) {
            let word = self.said(truth);
            out.push(match self.rng.below(3) {
                0 => format!("{{ {word} [%clk 0:05:00] }}"),
                1 => format!("{{first; (then) [{word}]\nmore}}"),
                _ => format!("; {word}\n"),
            });
            return true;
        }
        if !self.oddly(12) {
            return false;
        }
        let word = self.said(truth);
        out.push(match self.rng.below(7) {
            0 => format!("{word} RR"),
            1 => format!("dis ch {word}"),
            2 => format!("A good move, {word} says."),
            3 => format!("0:05 {word}"),
            4 => format!("5.2s {word}"),
            5 => format!("(0:12 {word})"),
            _ => format!("[{word} was played at once]"),
        });
        true
    }

    /// Words on lines of some length, with an escaped line now and then.
    fn lay_out(&mut self, text: &mut String, words: &[String]) {
        let width = [60, 79, 200, 1][self.rng.below(4)];
        let mut column = 0;
        for word in words {
            if column > 0 && column + word.len() > width {
                text.push('\n');
                column = 0;
                if self.once_in(20) {
                    text.push_str("% an escape\n");
                }
            } else if column > 0 {
                text.push(' ');
            }
            text.push_str(word);
            column = if word.ends_with('\n') {
                0
            } else {
                column + word.len() + 1
            };
        }
    }
}

fn file(seed: u64) -> File {
    Maker::new(seed).file()
}

/// Every node of a game but its root.
fn nodes(game: &Game) -> Vec<NodeId> {
    let mut all = Vec::new();
    let mut left = vec![NodeId::ROOT];
    while let Some(node) = left.pop() {
        left.extend(game.children(node));
        all.push(node);
    }
    all
}

/// What was read of a game, in the form of its truth.
fn found(game: &Game) -> Truth {
    let comments: Vec<&str> = nodes(game)
        .into_iter()
        .flat_map(|node| [game.comment_before(node), game.comment(node)])
        .collect();
    let comments = comments.join(" ");
    let is_own = |word: &&str| word.starts_with("zz") && word.ends_with("zz") && word.len() > 4;
    let said = comments.split(|c: char| !c.is_alphanumeric()).filter(is_own);
    Truth {
        white: game.tag("White").unwrap_or_default().to_owned(),
        black: game.tag("Black").unwrap_or_default().to_owned(),
        outcome: game.outcome.to_string(),
        start: write_fen(game.root(), game.mode()),
        main_line: game.main_line().into_iter().filter_map(|id| game.san(id)).collect(),
        moves: game.len(),
        said: said.map(str::to_owned).collect(),
    }
}

/// Words in the order of the alphabet: where a comment stands is the reader's affair.
fn sorted(mut truth: Truth) -> Truth {
    truth.said.sort();
    truth
}

fn differences(file: &File, text: &str) -> Vec<String> {
    let read = match read_pgn(text) {
        Ok(read) => read,
        Err(error) => return vec![error.to_string()],
    };
    let mut wrong = Vec::new();
    if read.games.len() != file.games.len() {
        wrong.push(format!("{} games, {} were read", file.games.len(), read.games.len()));
    }
    for (truth, game) in file.games.iter().zip(&read.games) {
        let (right, found) = (sorted(truth.clone()), sorted(found(game)));
        if right != found {
            wrong.push(format!("right: {right:?}\nfound: {found:?}\n{:?}", read.problems));
        }
    }
    wrong
}

#[test]
fn no_game_and_no_comment_is_lost_or_invented() {
    let mut wrong = Vec::new();
    for seed in 0..FILES {
        let file = file(seed);
        let first = differences(&file, &file.text);
        let written: String = match read_pgn(&file.text) {
            Ok(read) => read.games.iter().map(write_pgn).collect(),
            Err(_) => String::new(),
        };
        let second = differences(&file, &written);
        if let Some(difference) = first.first() {
            wrong.push(format!("seed {seed}: {difference}\n{}", file.text));
        } else if let Some(difference) = second.first() {
            wrong.push(format!("seed {seed}, written again: {difference}\n{written}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {FILES} files differ, first {}",
        wrong.len(),
        wrong[0]
    );
}

#[test]
fn all_notices_of_a_file_are_few() {
    for seed in 0..FILES {
        let read = read_pgn(&file(seed).text).unwrap();
        assert!(read.problems.len() <= 6, "seed {seed}: {:#?}", read.problems);
    }
    let read = read_pgn(&"Nf3 zz Nf6 zz Ng1 zz Ng8 zz ".repeat(1_250)).unwrap();
    assert_eq!(read.games[0].len(), 5_000);
    assert_eq!(read.problems.len(), 1, "{:?}", &read.problems);
    assert_eq!(
        read.problems[0].to_string(),
        "Game 1, line 1: “zz” is no move, and was kept as a comment; so were 4999 more."
    );
}

/// What python-chess makes of every fifth file: a line for each game.
fn python_chess() -> BTreeMap<u64, (String, Vec<String>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/pgn-round-trips/python-chess.tsv");
    let text = std::fs::read_to_string(path).unwrap();
    let mut all = BTreeMap::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [seed, hash, game] = cells[..] else {
            panic!("{line}")
        };
        let games: &mut (String, Vec<String>) = all.entry(seed.parse().unwrap()).or_default();
        games.0 = hash.to_owned();
        games.1.push(game.to_owned());
    }
    all
}

fn hash_of(text: &str) -> String {
    format!("{:016x}", hash(text))
}

#[test]
fn plain_oddities_are_read_as_python_chess_reads_them() {
    let all = python_chess();
    assert_eq!(all.len() as u64, FILES / FOR_PYTHON);
    for (seed, (hash, games)) in all {
        let text = file(seed).text;
        assert_eq!(
            hash_of(&text),
            hash,
            "seed {seed}: another text than python-chess was asked about; tests/data/pgn-round-trips/README.md says how to ask again"
        );
        let read = read_pgn(&text).unwrap();
        let found: Vec<String> = read.games.iter().map(as_python_chess).collect();
        assert_eq!(found, games, "seed {seed}\n{text}");
    }
}

/// Players, result, moves of the main line in UCI, half-moves with variations, position at the end.
fn as_python_chess(game: &Game) -> String {
    let moves: Vec<String> = game
        .main_line()
        .into_iter()
        .map(|id| match game.mv(id) {
            Some(mv) => mv.to_uci(game.mode()).to_string(),
            None => "0000".to_owned(),
        })
        .collect();
    let end = game.position(game.end_of_line(NodeId::ROOT)).unwrap();
    let fen = write_fen(&end, game.mode());
    let board = fen.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let truth = found(game);
    format!(
        "{} – {} {} {} {} {board}",
        truth.white,
        truth.black,
        truth.outcome,
        moves.join(","),
        game.len()
    )
}

/// Writes the files that python-chess is asked about into the folder that `KIBITZ_PGN_FOLDER` names.
#[test]
#[ignore = "writes files, for tests/data/pgn-round-trips/python_chess.py"]
fn write_the_files_for_python_chess() {
    let folder = std::env::var("KIBITZ_PGN_FOLDER").expect("KIBITZ_PGN_FOLDER names a folder");
    for seed in (0..FILES).step_by(FOR_PYTHON as usize) {
        let text = file(seed).text;
        let name = format!("{seed}-{}.pgn", hash_of(&text));
        std::fs::write(Path::new(&folder).join(name), text).unwrap();
    }
}

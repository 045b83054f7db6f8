//! Every sentence of the narrator rests on the facts it names: moves, squares and men in the prose are those of the facts.

#![allow(clippy::unwrap_used, clippy::result_large_err)] // A test that can't set up its position has failed.

use std::{
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Stdio},
};

use kibitz::{
    chess::Played,
    commentary::{Arm, Evaluation, FactKind, FactSheet, Line, PromptOptions, Sentence, fact::Detail, narrate, prompt},
    concepts::{Concept, ConceptChange, Concepts, Source, Term},
    random::Rng,
    uci::{Limit, Score, Search, SearchResult, UciLine},
};
use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, FromSetup, Position, PositionError, Role, fen::Fen, san::SanPlus,
    uci::UciMove,
};

/// What is wrong with a sentence, if anything.
fn complaint(sheet: &FactSheet, sentence: &Sentence) -> Option<String> {
    let text = sentence.text.trim();
    if text.len() < 5 || !text.ends_with('.') || text.contains("  ") || text.contains(" ,") || text.contains("..") {
        return Some("not a tidy sentence".to_owned());
    }
    if sentence.facts.is_empty() {
        return Some("no facts".to_owned());
    }
    let mut grounds = String::new();
    for &id in &sentence.facts {
        let Some(fact) = sheet.get(id) else {
            return Some(format!("no fact {id}"));
        };
        grounds.push_str(&fact.text);
        grounds.push('\n');
    }
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !(c.is_ascii_alphanumeric() || "+#=-".contains(c)))
            .map(|word| word.trim_matches('-').to_owned())
            .filter(|word| !word.is_empty())
            .collect()
    };
    let known = words(&grounds);
    let said = words(text);
    for (i, word) in said.iter().enumerate() {
        let number = word.parse::<u32>().is_ok();
        if number && !(i >= 2 && said[i - 2] == "mate" && said[i - 1] == "in") {
            return Some(format!("the number {word}"));
        }
        let checkable = word.bytes().any(|b| b.is_ascii_digit()) || word.starts_with("O-O");
        if checkable && !known.contains(word) {
            return Some(format!("{word} is not in its facts"));
        }
        let square = word.len() == 2 && word.parse::<shakmaty::Square>().is_ok();
        if square && i >= 2 && said[i - 1] == "on" {
            let man = format!("{} on {word}", said[i - 2]);
            let roles = ["pawn", "knight", "bishop", "rook", "queen", "king"];
            if roles.contains(&said[i - 2].as_str()) && !grounds.contains(&man) {
                return Some(format!("\"{man}\" is not in its facts"));
            }
        }
    }
    let forbidden = [
        "centipawn",
        "%",
        "depth",
        "probability",
        " a a",
        " a e",
        " a i",
        " a o",
        " an b",
        " an m",
    ];
    forbidden
        .iter()
        .find(|word| text.contains(**word))
        .map(|word| format!("says {word:?}"))
}

fn check(played: &Played, evaluation: Option<&Evaluation>, concepts: Option<&[ConceptChange]>) -> Vec<Sentence> {
    check_with(played, evaluation, concepts.map(terms).as_ref())
}

/// What Stockfish 8 says.
fn terms(changes: &[ConceptChange]) -> Concepts {
    Concepts {
        source: Source::Stockfish8,
        changes: changes.to_vec(),
        rule: kibitz::concepts::Rule::default(),
        by_authors: Vec::new(),
        doubted: Vec::new(),
    }
}

fn check_with(played: &Played, evaluation: Option<&Evaluation>, concepts: Option<&Concepts>) -> Vec<Sentence> {
    let sheet = FactSheet::new(played, evaluation, concepts);
    let prose = narrate(&sheet);
    let whole: Vec<&str> = prose.iter().map(|s| s.text.as_str()).collect();
    let fen = Fen::from_position(&played.before, EnPassantMode::Legal);
    assert!((1..=3).contains(&prose.len()), "{fen} {}: {whole:?}", played.san());
    for sentence in &prose {
        if let Some(wrong) = complaint(&sheet, sentence) {
            panic!(
                "{fen} {}: {wrong}: {} {:?}",
                played.san(),
                sentence.text,
                sentence.facts
            );
        }
    }
    assert_eq!(
        prose,
        narrate(&FactSheet::new(played, evaluation, concepts)),
        "the same sheet, the same text"
    );
    if let Some(twice) = said_twice(&sheet, &prose) {
        panic!("{fen} {}: {twice}, said twice: {whole:?}", played.san());
    }
    prose
}

/// What a sentence on a concept repeats of the sentences before it.
fn said_twice(sheet: &FactSheet, prose: &[Sentence]) -> Option<&'static str> {
    let facts: Vec<&Detail> = prose
        .iter()
        .flat_map(|sentence| &sentence.facts)
        .filter_map(|id| Some(&sheet.get(*id)?.detail))
        .collect();
    let concepts = facts.iter().filter_map(|fact| match fact {
        Detail::Concept { concept, .. } => Some((concept.term, concept.side)),
        _ => None,
    });
    let mut pairs = concepts.flat_map(|concept| facts.iter().map(move |fact| (concept, *fact)));
    pairs.find_map(|((term, side), fact)| match (term, fact) {
        (Term::PassedPawns, Detail::Passed { pawn, .. }) if side == Some(pawn.color) => Some("the passed pawn"),
        (Term::KingSafety, Detail::Shelter { king, .. }) if side == Some(king.color) => Some("the king's shelter"),
        (
            Term::Knights | Term::Bishops | Term::Rooks | Term::Queens,
            Detail::Outpost { man } | Detail::Development { man, .. } | Detail::Retreat { man, .. },
        ) if side == Some(man.color)
            && matches!(
                (term, man.role),
                (Term::Knights, Role::Knight)
                    | (Term::Bishops, Role::Bishop)
                    | (Term::Rooks, Role::Rook)
                    | (Term::Queens, Role::Queen)
            ) =>
        {
            Some("where the piece stands")
        }
        _ => None,
    })
}

#[test]
fn a_passed_pawn_advances_once() {
    // The first is the page's example of an endgame.
    for (fen, san) in [
        ("8/5pk1/6p1/P7/8/6P1/5PK1/8 w - - 0 40", "a6"),
        ("8/5pk1/P5p1/8/8/6P1/5PK1/8 w - - 0 41", "a7"),
        ("8/5pk1/6p1/8/P7/6P1/5PK1/8 w - - 0 39", "a5"),
        ("8/5pk1/6p1/8/p7/6P1/5PK1/8 b - - 0 40", "a3"),
        ("r5k1/5ppp/8/2P5/8/8/5PPP/2R3K1 w - - 0 30", "c6"),
    ] {
        let played = played(fen, san);
        let side = Some(played.mover());
        for by in [0.3, 0.8, 2.5] {
            let risen = ConceptChange {
                concept: Concept {
                    term: Term::PassedPawns,
                    side,
                },
                before: 0.5,
                after: 0.5 + by,
                after_reply: None,
                rank: None,
            };
            let prose = whole(&check(&played, None, Some(&[risen])));
            assert_eq!(prose.matches("passed pawn").count(), 1, "{prose}");
        }
    }
}

fn position(fen: &str) -> Chess {
    Chess::from_setup(fen.parse::<Fen>().unwrap().into_setup(), CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .unwrap()
}

fn played(fen: &str, san: &str) -> Played {
    let before = position(fen);
    let mv = san.parse::<SanPlus>().unwrap().san.to_move(&before).unwrap();
    Played::new(before, mv, CastlingMode::Standard, vec![]).unwrap()
}

/// A line from SAN moves.
fn line(start: &Chess, score: Score, san: &str) -> Line {
    let mut pos = start.clone();
    let mut moves = Vec::new();
    for san in san.split_whitespace() {
        let m = san.parse::<SanPlus>().unwrap().san.to_move(&pos).unwrap();
        moves.push(m.to_uci(CastlingMode::Standard));
        pos.play_unchecked(m);
    }
    Line {
        score,
        wdl: None,
        depth: 12,
        moves,
        san: san.split_whitespace().map(str::to_owned).collect(),
    }
}

fn judged(played: &Played, before: &[(Score, &str)], score: Score, after: &[&str]) -> Evaluation {
    Evaluation {
        engine: "Test".to_owned(),
        limit: Limit::Nodes(1),
        nodes: 2,
        trust: kibitz::commentary::Trust::Settled,
        ranking: Vec::new(),
        before: before
            .iter()
            .map(|&(score, san)| line(&played.before, score, san))
            .collect(),
        played: score,
        accepted: None,
        after: after.iter().map(|san| line(&played.after, score, san)).collect(),
    }
}

fn whole(prose: &[Sentence]) -> String {
    prose.iter().map(|s| s.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// Random legal moves judged by made-up scores along real lines: the prose must hold whatever the engine says.
#[test]
fn thousands_of_random_moves_are_explained_from_their_facts() {
    let mut rng = Rng::new(0x0ddb_1a5e_dc01_2340);
    let mut moves_seen = 0;
    let mut openings = std::collections::BTreeSet::new();
    for _ in 0..170 {
        let mut pos = Chess::default();
        let mut history = Vec::new();
        for _ in 0..rng.below(120) {
            let legal = pos.legal_moves();
            if legal.is_empty() {
                break;
            }
            let m = legal[rng.below(legal.len())];
            let played = Played::new(pos.clone(), m, CastlingMode::Standard, history.clone()).unwrap();
            if rng.below(3) == 0 {
                let score = |rng: &mut Rng| match rng.below(8) {
                    0 => Score::Mate(i32::try_from(rng.below(5)).unwrap() + 1),
                    1 => Score::Mate(-1 - i32::try_from(rng.below(5)).unwrap()),
                    _ => Score::Cp(i32::try_from(rng.below(1200)).unwrap() - 600),
                };
                let mut random_line = |start: &Chess| {
                    let mut at = start.clone();
                    let mut san = Vec::new();
                    for _ in 0..=rng.below(9) {
                        let legal = at.legal_moves();
                        let forcing: Vec<_> = legal.iter().copied().filter(|m| m.is_capture()).collect();
                        let from = if forcing.is_empty() { &legal[..] } else { &forcing[..] };
                        let Some(&m) = from.get(rng.below(from.len().max(1))) else {
                            break;
                        };
                        san.push(SanPlus::from_move_and_play_unchecked(&mut at, m).to_string());
                    }
                    san.join(" ")
                };
                let (best, reply) = (random_line(&played.before), random_line(&played.after));
                let after: Vec<&str> = if reply.is_empty() { vec![] } else { vec![&reply] };
                let scores = (score(&mut rng), score(&mut rng));
                let evaluation = judged(&played, &[(scores.0, &best)], scores.1, &after);
                let concepts: Vec<ConceptChange> = Concept::ALL
                    .into_iter()
                    .take(6)
                    .map(|concept| ConceptChange {
                        concept,
                        before: 0.0,
                        after: rng.below(200) as f32 / 100.0 - 1.0,
                        after_reply: None,
                        rank: None,
                    })
                    .collect();
                check(&played, Some(&evaluation), Some(&concepts));
                let prose = check(&played, None, None);
                openings.insert(
                    prose[0]
                        .text
                        .split_whitespace()
                        .take(3)
                        .skip(1)
                        .collect::<Vec<_>>()
                        .join(" "),
                );
                moves_seen += 1;
            }
            history.push(std::mem::replace(&mut pos, played.after));
        }
    }
    assert!(moves_seen > 2000, "{moves_seen}");
    assert!(openings.len() > 40, "the wording varies: {openings:?}");
}

#[test]
fn a_blunder_says_what_it_allows_and_what_was_better() {
    // Black's queen leaves d8's rook … the knight forks.
    let played = played("r3k3/8/8/3N4/8/8/q7/4K3 b - - 0 1", "Qa6");
    let evaluation = judged(
        &played,
        &[(Score::Cp(900), "Kd7 Nb6+")],
        Score::Cp(100),
        &["Nc7+ Kd7 Nxa6 Rxa6"],
    );
    let prose = check(&played, Some(&evaluation), None);
    let text = whole(&prose);
    assert!(text.starts_with("Qa6 ") && text.contains("a blunder"), "{text}");
    assert!(text.contains("Nc7+") && text.contains("Kd7"), "{text}");
    assert!(text.contains("fork"), "{text}");
    let sheet = FactSheet::new(&played, Some(&evaluation), None);
    for kind in [FactKind::Verdict, FactKind::Punishment, FactKind::Best] {
        assert!(sheet.of_kind(kind).next().is_some(), "{kind:?}");
    }
}

#[test]
fn mates_missed_and_allowed_are_named() {
    let missed = played("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "Ra7");
    let evaluation = judged(&missed, &[(Score::Mate(1), "Ra8#")], Score::Cp(500), &["h6"]);
    let text = whole(&check(&missed, Some(&evaluation), None));
    assert!(text.contains("Ra8#, which mates at once"), "{text}");

    let allowed = played("r5k1/8/8/8/8/8/5PPP/1R4K1 w - - 0 1", "Rb7");
    let evaluation = judged(&allowed, &[(Score::Cp(0), "h3 Ra7")], Score::Mate(-1), &["Ra1#"]);
    let text = whole(&check(&allowed, Some(&evaluation), None));
    assert!(text.contains("a blunder") && text.contains("Ra1#"), "{text}");
}

#[test]
fn a_sound_sacrifice_needs_the_engines_word() {
    let played = played("6k1/5ppp/8/8/8/8/q4PPP/1R1R2K1 w - - 0 1", "Ra1");
    assert!(
        FactSheet::new(&played, None, None)
            .of_kind(FactKind::Sacrifice)
            .next()
            .is_none()
    );
    let good = judged(
        &played,
        &[(Score::Cp(600), "Ra1 Qe6 Re1")],
        Score::Cp(600),
        &["Qxa1 Rxa1 h6"],
    );
    assert!(
        FactSheet::new(&played, Some(&good), None)
            .of_kind(FactKind::Sacrifice)
            .next()
            .is_none(),
        "it is protected"
    );
    let played = self::played("2r3k1/5ppp/8/8/8/1B6/5PPP/4R1K1 w - - 0 1", "Bxf7+");
    let good = judged(&played, &[(Score::Cp(50), "Bxf7+ Kxf7")], Score::Cp(50), &["Kxf7 Kf1"]);
    let sheet = FactSheet::new(&played, Some(&good), None);
    let fact = sheet.of_kind(FactKind::Sacrifice).next().expect("a bishop for a pawn");
    assert!(
        fact.text
            .starts_with("White bishop on f7 is sacrificed: Black king on g8 can take it"),
        "{}",
        fact.text
    );
    let bad = judged(&played, &[(Score::Cp(50), "g3 Rc3")], Score::Cp(-300), &["Kxf7 Kf1"]);
    assert!(
        FactSheet::new(&played, Some(&bad), None)
            .of_kind(FactKind::Sacrifice)
            .next()
            .is_none()
    );
}

/// A queen goes before Black's king.
const BARED: &str = "r4rk1/pppq1ppp/2n5/8/8/8/PPP2PPP/R1BQ1RK1 w - - 0 15";

#[test]
fn only_lasting_concepts_are_mentioned() {
    let played = played(BARED, "Qh5");
    let change = |term, side, after: f32, after_reply| ConceptChange {
        concept: Concept { term, side },
        before: 0.0,
        after,
        after_reply: Some(after_reply),
        rank: None,
    };
    let concepts = [
        change(Term::PassedPawns, Some(Color::White), 0.9, -0.1),
        change(Term::KingSafety, Some(Color::Black), 0.5, 0.4),
    ];
    let prose = check(&played, None, Some(&concepts));
    let text = whole(&prose);
    assert!(
        text.contains("also makes Black's king less safe") && !text.contains("passed"),
        "{text}"
    );
    // The opponent's term, in the mover's view: positive means that it fell.
    let concepts = [change(Term::KingSafety, Some(Color::Black), 0.8, 0.8)];
    let sheet = FactSheet::new(&played, None, Some(&terms(&concepts)));
    let fact = sheet.of_kind(FactKind::Concept).next().unwrap();
    assert_eq!(
        fact.text,
        "Stockfish 8's terms say that Black's king safety score falls by 0.80 pawns, which favours White."
    );
}

/// The same numbers mean another thing in another unit: a quarter of a pawn is worth a sentence, a quarter of a standard
/// deviation is not.
#[test]
fn a_fact_from_probes_says_so_and_has_to_move_further() {
    let played = played(BARED, "Qh5");
    let changed = |source: Source, change: f32| Concepts {
        source,
        changes: vec![ConceptChange {
            concept: Concept {
                term: Term::KingSafety,
                side: Some(Color::Black),
            },
            before: 0.0,
            after: change,
            after_reply: None,
            rank: None,
        }],
        rule: kibitz::concepts::Rule::default(),
        by_authors: Vec::new(),
        doubted: Vec::new(),
    };
    let probes = || Source::Probes {
        network_hash: "ab".repeat(32),
    };
    let says = |concepts: &Concepts| whole(&check_with(&played, None, Some(concepts))).contains("also makes");
    assert!(says(&changed(Source::Stockfish8, 0.25)));
    assert!(!says(&changed(probes(), 0.25)));
    assert!(says(&changed(probes(), 0.5)));
    let mut weak = changed(probes(), 0.5);
    weak.doubted = vec![weak.changes[0].concept];
    assert!(!says(&weak), "a weak probe is no fact");
    let sheet = FactSheet::new(&played, None, Some(&changed(probes(), -0.5)));
    assert_eq!(
        sheet.of_kind(FactKind::Concept).next().unwrap().text,
        "The network's concept probes say that Black's king safety score rises by 0.50 standard deviations, which favours \
         Black."
    );
}

/// A probe may say so, but a queen's move leaves the pawns where they are.
#[test]
fn pawn_structure_needs_a_pawn_that_moved_or_went() {
    let start = "rnbqkbnr/ppp2ppp/8/3pp3/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 3";
    let concepts = [ConceptChange {
        concept: Concept {
            term: Term::Pawns,
            side: None,
        },
        before: 0.0,
        after: 1.7,
        after_reply: None,
        rank: None,
    }];
    let facts = |mv: &str| {
        let sheet = FactSheet::new(&played(start, mv), None, Some(&terms(&concepts)));
        sheet.of_kind(FactKind::Concept).count()
    };
    assert_eq!((facts("Qd2"), facts("dxe5"), facts("c3")), (0, 1, 1));
}

/// Stockfish 8 counts space only with most pieces on the board, so no probe can know of it in an ending.
#[test]
fn space_is_not_mentioned_in_an_ending() {
    let played = played("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1", "d4");
    let concepts = [ConceptChange {
        concept: Concept {
            term: Term::Space,
            side: Some(Color::White),
        },
        before: 0.0,
        after: 1.5,
        after_reply: None,
        rank: None,
    }];
    assert!(!whole(&check(&played, None, Some(&concepts))).contains("space"));
}

#[test]
fn the_prompt_holds_the_board_the_engine_and_every_fact() {
    let played = played("r3k3/8/8/3N4/8/8/8/4K3 w - - 3 27", "Nc7+");
    let evaluation = judged(
        &played,
        &[(Score::Cp(320), "Nc7+ Kd7 Nxa8"), (Score::Cp(-150), "Kd2 Ra1")],
        Score::Cp(330),
        &["Kd7 Nxa8"],
    );
    let concepts = [ConceptChange {
        concept: Concept {
            term: Term::Threats,
            side: Some(Color::White),
        },
        before: 0.1,
        after: 0.8,
        after_reply: None,
        rank: None,
    }];
    let sheet = FactSheet::new(&played, Some(&evaluation), Some(&terms(&concepts)));
    let prompt = prompt(&sheet, Arm::Full, PromptOptions::of(Arm::Full));
    for expected in [
        "position: r3k3/8/8/3N4/8/8/8/4K3 w - - 3 27\n",
        "White's pieces: king e1, knight d5\n",
        "Black's pieces: king e8, rook a8\n",
        "move: 27. Nc7+\n",
        "engine evaluation (White's view): actual move - Nc7+ 330cp, expected reply - Kd7, best move - Nc7+ is the actual \
         move, second best move - Kd2 worse than actual move over 100cp\n",
        "- White's threats: up 0.70, favours White\n",
        "attacks after the move: White knight on c7 attacks Black rook on a8 (new); White knight on c7 attacks Black king \
         on e8 (new)\n",
        "White knight on c7 forks Black king on e8 and Black rook on a8.",
    ] {
        assert!(
            prompt.question().contains(expected),
            "{expected}\n---\n{}",
            prompt.question()
        );
    }
    for fact in sheet
        .facts()
        .iter()
        .filter(|f| !matches!(f.kind, FactKind::Attack | FactKind::Concept))
    {
        assert!(prompt.question().contains(&format!("[{}] {}", fact.id, fact.text)));
    }
}

/// A native engine for the tests that want real lines.
struct Engine {
    child: Child,
    out: BufReader<ChildStdout>,
}

impl Engine {
    fn start() -> Option<Self> {
        let path = Path::new("/usr/games/stockfish");
        if !path.exists() {
            eprintln!("skipped: there is no {}", path.display());
            return None;
        }
        let mut child = Command::new(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let out = BufReader::new(child.stdout.take()?);
        Some(Self { child, out })
    }

    fn search(&mut self, pos: &Chess) -> SearchResult {
        let fen = Fen::from_position(pos, EnPassantMode::Legal);
        let lines = pos.legal_moves().len().min(2);
        let stdin = self.child.stdin.as_mut().unwrap();
        writeln!(
            stdin,
            "ucinewgame\nsetoption name MultiPV value 2\nposition fen {fen}\ngo nodes 4000"
        )
        .unwrap();
        let mut search = Search::new(lines);
        let mut text = String::new();
        loop {
            text.clear();
            assert!(self.out.read_line(&mut text).unwrap() > 0, "the engine died on {fen}");
            let line = UciLine::parse(text.trim());
            let end = matches!(line, UciLine::BestMove(_));
            search.on_line(&line);
            if end {
                return search.into_result();
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It may have gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn puzzles_with_a_real_engine_are_explained_from_their_facts() {
    let dir: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/lichess-themes");
    let Ok(entries) = std::fs::read_dir(&dir) else {
        eprintln!("skipped: there is no {}", dir.display());
        return;
    };
    let Some(mut engine) = Engine::start() else { return };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut moves_seen = 0;
    for file in files {
        for row in std::fs::read_to_string(&file).unwrap().lines().skip(1).step_by(8) {
            let fields: Vec<&str> = row.split(',').collect();
            let mut pos = position(fields[1]);
            let mut history = Vec::new();
            // The opponent's blunder and the solution's first move are both worth a comment.
            for uci in fields[2].split(' ').take(2) {
                let m = uci.parse::<UciMove>().unwrap().to_move(&pos).unwrap();
                let played = Played::new(pos.clone(), m, CastlingMode::Standard, history.clone()).unwrap();
                let before = engine.search(&played.before);
                let after = (!played.after.is_game_over()).then(|| engine.search(&played.after));
                let evaluation =
                    Evaluation::assemble(&played, "Stockfish", Limit::Nodes(4000), &before, after.as_ref()).unwrap();
                check(&played, Some(&evaluation), None);
                history.push(std::mem::replace(&mut pos, played.after));
                moves_seen += 1;
            }
        }
    }
    assert!(moves_seen >= 150, "{moves_seen}");
}

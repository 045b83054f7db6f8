//! The facts of composed positions, of their mirror images and of random games.

#![allow(clippy::result_large_err)] // shakmaty's own error, in tests.

use kibitz::{
    chess::Played,
    commentary::{Arm, Fact, FactKind, FactSheet, PromptOptions, fact::Moment, narrate, prompt},
    random::Rng,
};
use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move, Position, PositionError, Square, fen::Fen, san::SanPlus,
};

const CASES: &str = include_str!("data/facts.csv");

fn position(fen: &str) -> Chess {
    let setup = fen.parse::<Fen>().expect("a FEN").into_setup();
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .expect("a position")
}

fn mirrored(played: &Played) -> Played {
    let flip = |pos: &Chess| {
        let setup = pos.to_setup(EnPassantMode::Legal).into_mirrored();
        Chess::from_setup(setup, played.mode)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .expect("the mirror image of a position is one")
    };
    let history = played.history.iter().map(flip).collect();
    Played::new(flip(&played.before), played.mv.to_mirrored(), played.mode, history).expect("a mirrored move is legal")
}

/// "kind square …[@moment]" in a case.
struct Wanted {
    kind: String,
    squares: Vec<Square>,
    moment: Option<String>,
}

impl Wanted {
    fn read(text: &str, flip: bool) -> Self {
        let (fact, moment) = text
            .split_once('@')
            .map_or((text, None), |(fact, moment)| (fact, Some(moment.to_owned())));
        let mut words = fact.split_whitespace();
        let kind = words.next().expect("a kind").to_owned();
        assert!(FactKind::ALL.iter().any(|k| k.word() == kind), "unknown kind {kind}");
        let squares = words
            .map(|word| word.parse::<Square>().expect("a square"))
            .map(|square| if flip { square.flip_vertical() } else { square })
            .collect();
        Self { kind, squares, moment }
    }

    fn fits(&self, fact: &Fact, flip: bool) -> bool {
        let moment = match fact.moment {
            Moment::Before => "before",
            Moment::After => "after",
            _ => "",
        };
        // Men of the same worth are listed from a1 to h8, so a mirror image may list them in another order.
        let same = if flip && self.squares.len() > 1 {
            self.squares.iter().all(|s| fact.squares.contains(s)) && self.squares.len() <= fact.squares.len()
        } else {
            fact.squares.starts_with(&self.squares)
        };
        fact.kind.word() == self.kind && same && self.moment.as_deref().is_none_or(|wanted| wanted == moment)
    }
}

#[test]
fn composed_positions_have_their_facts() {
    let mut cases = 0;
    let mut failures = Vec::new();
    for (number, line) in CASES.lines().enumerate().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [fen, san, must, must_not] = fields[..] else {
            panic!("line {}: four fields", number + 1)
        };
        let before = position(fen);
        let Some(mv) = san
            .parse::<SanPlus>()
            .ok()
            .and_then(|san| san.san.to_move(&before).ok())
        else {
            panic!("line {}: {san} can't be played", number + 1)
        };
        let played = Played::new(before, mv, CastlingMode::Standard, vec![]).expect("legal");
        assert_eq!(played.san(), san, "line {}", number + 1);
        for (flip, played) in [(false, played.clone()), (true, mirrored(&played))] {
            cases += 1;
            let sheet = FactSheet::new(&played, None, None);
            for wanted in must.split('|') {
                let wanted = Wanted::read(wanted, flip);
                if !sheet.facts().iter().any(|fact| wanted.fits(fact, flip)) {
                    failures.push(format!(
                        "line {} flip {flip}: no {} {:?}",
                        number + 1,
                        wanted.kind,
                        wanted.squares
                    ));
                }
            }
            for wanted in must_not.split('|').filter(|text| !text.is_empty()) {
                let wanted = Wanted::read(wanted, flip);
                if let Some(fact) = sheet.facts().iter().find(|fact| wanted.fits(fact, flip)) {
                    failures.push(format!("line {} flip {flip}: {}", number + 1, fact.text));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(cases >= 120, "{cases} cases");
}

#[test]
fn every_board_kind_has_a_case() {
    use FactKind as K;
    // These need an engine, concepts or a game's history; other tests have them.
    let elsewhere = [
        K::Recapture,
        K::Sacrifice,
        K::Mate,
        K::Verdict,
        K::Best,
        K::Reply,
        K::Punishment,
        K::Concept,
        K::Opening,
        K::Remedy,
        K::Plan,
    ];
    for kind in FactKind::ALL.iter().filter(|kind| !elsewhere.contains(kind)) {
        let shown = CASES.lines().skip(1).any(|line| {
            let must = line.split(',').nth(2).unwrap_or_default();
            must.split('|')
                .any(|fact| fact.split([' ', '@']).next() == Some(kind.word()))
        });
        assert!(shown, "no case for {}", kind.word());
    }
}

/// One of the moves, a capture or promotion more often than chance would have it.
fn any_move(rng: &mut Rng, moves: &[Move]) -> Move {
    let forcing: Vec<Move> = moves
        .iter()
        .copied()
        .filter(|m| m.is_capture() || m.is_promotion())
        .collect();
    if forcing.is_empty() || rng.below(4) > 0 {
        moves[rng.below(moves.len())]
    } else {
        forcing[rng.below(forcing.len())]
    }
}

/// Plays seeded random games and calls `visit` on every `step`th move.
fn random_moves(games: usize, step: usize, mut visit: impl FnMut(&Played)) {
    let mut rng = Rng::new(0x5eed_0fc0_ffee_1234);
    for game in 0..games {
        // Every third game starts from a Chess960 position.
        let (mut pos, mode) = if game % 3 == 0 {
            let number = u32::try_from(rng.below(960)).expect("below 960");
            let setup = shakmaty::Setup {
                board: shakmaty::Board::chess960(number),
                castling_rights: shakmaty::Board::chess960(number).rooks(),
                ..shakmaty::Setup::initial()
            };
            (
                Chess::from_setup(setup, CastlingMode::Chess960).expect("a start position"),
                CastlingMode::Chess960,
            )
        } else {
            (Chess::default(), CastlingMode::Standard)
        };
        let mut history: Vec<Chess> = Vec::new();
        for ply in 0..rng.below(160) {
            let moves = pos.legal_moves();
            if moves.is_empty() {
                break;
            }
            let played = Played::new(pos.clone(), any_move(&mut rng, &moves), mode, history.clone()).expect("legal");
            if ply % step == 0 || played.mv.is_castle() || played.mv.is_promotion() || played.mv.is_en_passant() {
                visit(&played);
            }
            history.push(std::mem::replace(&mut pos, played.after));
        }
    }
}

/// Colour names, squares and ranks that tell two men apart ("R8g5") swapped as in the mirror image.
fn flipped_text(text: &str) -> String {
    let text = text
        .replace("White", "\u{1}")
        .replace("Black", "White")
        .replace('\u{1}', "Black");
    let mut chars: Vec<char> = text.chars().collect();
    for i in 1..chars.len() {
        let named = ('a'..='h').contains(&chars[i - 1]) || "RNBQ".contains(chars[i - 1]);
        if named && ('1'..='8').contains(&chars[i]) {
            chars[i] = char::from(b'1' + b'8' - chars[i] as u8);
        }
    }
    chars.into_iter().collect()
}

/// A fact by what doesn't depend on the order in which men were found.
fn outline(fact: &Fact, flip: bool) -> (FactKind, Vec<Square>, String) {
    let mut squares: Vec<Square> = fact
        .squares
        .iter()
        .map(|s| if flip { s.flip_vertical() } else { *s })
        .collect();
    squares.sort_unstable();
    let text = if flip {
        flipped_text(&fact.text)
    } else {
        fact.text.clone()
    };
    let mut letters: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).collect();
    letters.sort_unstable();
    (fact.kind, squares, letters.into_iter().collect())
}

#[test]
fn a_mirror_image_has_the_same_facts() {
    let mut seen = 0;
    random_moves(60, 7, |played| {
        let here = FactSheet::new(played, None, None);
        let there = FactSheet::new(&mirrored(played), None, None);
        // Openings are named from White's side alone.
        let outlines = |sheet: &FactSheet, flip| -> Vec<_> {
            let facts = sheet.facts().iter().filter(|f| f.kind != FactKind::Opening);
            facts.map(|f| outline(f, flip)).collect()
        };
        let mut ours = outlines(&here, false);
        let mut theirs = outlines(&there, true);
        ours.sort();
        theirs.sort();
        // Two equal captors of one man: which of them is named first may depend on the square order.
        let differ = ours.iter().zip(&theirs).filter(|(a, b)| a != b).count();
        let kinds = |facts: &[(FactKind, Vec<Square>, String)]| facts.iter().map(|f| f.0).collect::<Vec<_>>();
        assert_eq!(kinds(&ours), kinds(&theirs), "{}", fen(played));
        for (a, b) in ours.iter().zip(&theirs).filter(|(a, b)| a != b) {
            let by_choice = [
                FactKind::Hanging,
                FactKind::Threat,
                FactKind::Trapped,
                FactKind::Trade,
                FactKind::MateThreat,
                FactKind::Exposed,
            ];
            assert!(by_choice.contains(&a.0), "{}: {a:?} {b:?} ({differ})", fen(played));
        }
        seen += 1;
    });
    assert!(seen > 400, "{seen}");
}

fn fen(played: &Played) -> String {
    format!(
        "{} {}",
        Fen::from_position(&played.before, EnPassantMode::Legal),
        played.san()
    )
}

#[test]
fn attacks_are_complete() {
    random_moves(40, 9, |played| {
        let sheet = FactSheet::new(played, None, None);
        for (moment, pos) in [(Moment::Before, &played.before), (Moment::After, &played.after)] {
            let mut expected = Vec::new();
            for from in pos.board().occupied() {
                let color = pos.board().color_at(from).expect("occupied");
                for to in pos.board().attacks_from(from) & pos.board().by_color(!color) {
                    expected.push(vec![from, to]);
                }
            }
            let mut got: Vec<Vec<Square>> = sheet
                .of_kind(FactKind::Attack)
                .filter(|fact| fact.moment == moment)
                .map(|fact| fact.squares.clone())
                .collect();
            expected.sort();
            got.sort();
            assert_eq!(got, expected, "{moment:?} {}", fen(played));
        }
    });
}

#[test]
fn no_legal_move_panics_or_leaves_nothing_said() {
    let mut castled = 0;
    let mut promoted = 0;
    random_moves(90, 5, |played| {
        let sheet = FactSheet::new(played, None, None);
        let prose = narrate(&sheet);
        assert!(!prose.is_empty() && prose.len() <= 3, "{}", fen(played));
        assert!(
            !prompt(&sheet, Arm::Full, PromptOptions::of(Arm::Full))
                .question()
                .is_empty()
        );
        assert!(sheet.facts().iter().all(|fact| sheet.get(fact.id) == Some(fact)));
        castled += u32::from(played.mv.is_castle());
        promoted += u32::from(played.mv.is_promotion());
    });
    assert!(
        castled > 3 && promoted > 3,
        "{castled} castlings, {promoted} promotions"
    );
}

#[test]
fn taking_back_needs_the_game() {
    let start = position("r1bqkbnr/pppp1ppp/2n5/4p3/3P4/5N2/PPP1PPPP/RNBQKB1R b KQkq - 0 1");
    let play = |pos: &Chess, san: &str, history: Vec<Chess>| {
        let mv = san.parse::<SanPlus>().expect("a SAN").san.to_move(pos).expect("legal");
        Played::new(pos.clone(), mv, CastlingMode::Standard, history).expect("legal")
    };
    let taken = play(&start, "exd4", vec![]);
    let back = play(&taken.after, "Nxd4", vec![start]);
    let kinds = |played: &Played| {
        FactSheet::new(played, None, None)
            .facts()
            .iter()
            .map(|f| f.kind)
            .collect::<Vec<_>>()
    };
    assert!(kinds(&back).contains(&FactKind::Recapture));
    assert!(!kinds(&taken).contains(&FactKind::Recapture));
    let without_history = play(&taken.after, "Nxd4", vec![]);
    assert!(!kinds(&without_history).contains(&FactKind::Recapture));
}

#[test]
fn facts_are_json_with_their_words() {
    let played = {
        let before = position("r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1");
        let mv = "Nc7+"
            .parse::<SanPlus>()
            .expect("a SAN")
            .san
            .to_move(&before)
            .expect("legal");
        Played::new(before, mv, CastlingMode::Standard, vec![]).expect("legal")
    };
    let sheet = FactSheet::new(&played, None, None);
    let fork = sheet.of_kind(FactKind::Fork).next().expect("a fork");
    let json = serde_json::to_value(fork).expect("facts serialise");
    assert_eq!(json["kind"], "fork");
    assert_eq!(json["squares"], serde_json::json!(["c7", "e8", "a8"]));
    assert_eq!(
        json["text"],
        "White knight on c7 forks Black king on e8 and Black rook on a8."
    );
    assert_eq!(json["moment"], "after");
    assert_eq!(json["source"], "board");
    assert_eq!(played.mover(), Color::White);
    let words: Vec<&str> = FactKind::ALL.iter().map(|kind| kind.word()).collect();
    assert!(words.iter().all(|word| word.bytes().all(|b| b.is_ascii_lowercase())));
}

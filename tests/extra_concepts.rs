//! The labels of the concepts beside the 21: positions made by hand, colours exchanged, puzzles of each theme.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use kibitz::commentary::theme_facts::theme_rows;
use kibitz::concepts::{ExtraConcept, extra_labels::BestMove, strategic_theme::read_suite};
use kibitz::uci::Score;
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, fen::Fen, uci::UciMove};

fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().unwrap();
    // Positions made by hand may be ones that no game leads to: a king left in check is not among them.
    fen.into_position(CastlingMode::Standard).unwrap()
}

/// The position with colours exchanged and ranks flipped.
fn flipped(position: &Chess) -> Chess {
    let setup = position.to_setup(EnPassantMode::Legal).into_mirrored();
    setup.position(CastlingMode::Standard).unwrap()
}

fn best(position: &Chess, text: &str) -> BestMove {
    let (uci, cp) = text.split_once(':').unwrap();
    BestMove {
        mv: uci.parse::<UciMove>().unwrap().to_move(position).unwrap(),
        win_probability: Score::Cp(cp.parse().unwrap()).win_probability(),
    }
}

#[test]
fn positions_made_by_hand_are_labelled_rightly() {
    let mut answers = std::collections::BTreeMap::<ExtraConcept, [usize; 2]>::new();
    for line in include_str!("data/extra-concepts.csv")
        .lines()
        .filter(|line| !line.starts_with('#'))
    {
        let mut fields = line.splitn(5, ',');
        let mut field = || fields.next().unwrap_or_else(|| panic!("{line}: five fields"));
        let (fen, name, label, move_text) = (field(), field(), field(), field());
        let concept = ExtraConcept::from_name(name).unwrap_or_else(|| panic!("{line}: no concept"));
        let wanted = match label {
            "none" => None,
            other => Some(other.parse::<bool>().unwrap()),
        };
        let position = position(fen);
        let best = (!move_text.is_empty()).then(|| best(&position, move_text));
        assert_eq!(concept.label(&position, best.as_ref()), wanted, "{line}");
        let other = flipped(&position);
        let best = best.map(|best| BestMove {
            mv: best.mv.to_mirrored(),
            ..best
        });
        assert_eq!(
            concept.label(&other, best.as_ref()),
            wanted,
            "colours exchanged: {line}"
        );
        if let Some(wanted) = wanted {
            answers.entry(concept).or_default()[usize::from(wanted)] += 1;
        }
    }
    for concept in ExtraConcept::ALL {
        let [without, with] = answers.get(&concept).copied().unwrap_or_default();
        assert!(without > 0 && with > 0, "{concept}: {with} with and {without} without");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// In the mover's frame it does not matter which colour the mover has.
    #[test]
    fn labels_stay_when_the_colours_are_exchanged(choices in proptest::collection::vec(any::<u16>(), 0..120)) {
        let mut position = Chess::default();
        for choice in &choices {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[usize::from(*choice) % moves.len()]);
        }
        let other = flipped(&position);
        let best = position.legal_moves().first().map(|&mv| BestMove { mv, win_probability: 0.5 });
        let mirrored = best.map(|best| BestMove { mv: best.mv.to_mirrored(), ..best });
        for concept in ExtraConcept::ALL {
            prop_assert_eq!(
                concept.label(&position, best.as_ref()),
                concept.label(&other, mirrored.as_ref()),
                "{} in {}", concept, Fen::from_position(&position, EnPassantMode::Legal)
            );
        }
    }
}

fn shared(name: &str) -> Option<String> {
    let path = format!("{}/../shared/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        eprintln!("skipped: {path} is not there");
    }
    text
}

/// A Lichess puzzle: the position after the opponent's move, with the solution's first move.
struct Puzzle {
    position: Chess,
    solution: Move,
    themes: Vec<String>,
}

fn puzzles() -> Option<Vec<Puzzle>> {
    let mut found = Vec::new();
    for file in [
        "discoveredAttack",
        "fork",
        "hangingPiece",
        "mateIn1",
        "mateIn2",
        "pin",
        "sacrifice",
        "skewer",
    ] {
        let text = shared(&format!("lichess-themes/{file}.csv"))?;
        for line in text.lines().skip(1) {
            let fields: Vec<&str> = line.split(',').collect();
            let mut position = position(fields[1]);
            let mut moves = fields[2].split(' ').map(|m| m.parse::<UciMove>().unwrap());
            let opponent = moves.next().unwrap().to_move(&position).unwrap();
            position.play_unchecked(opponent);
            found.push(Puzzle {
                solution: moves.next().unwrap().to_move(&position).unwrap(),
                themes: fields[4].split(' ').map(str::to_owned).collect(),
                position,
            });
        }
    }
    Some(found)
}

/// Of the puzzles with a theme the concept must be there in a share, and less often in the other puzzles. A theme may also
/// come up later in a puzzle's line than in its first position, hence shares below 1. `least` is what was measured on the
/// eight files, in percent, rounded down to five; `most`, of the puzzles without the theme, rounded up.
///
/// Lichess's "exposedKing" is not among them: 27 puzzles have it, mostly endgames, where our exposed king has none.
#[test]
fn puzzles_of_a_theme_have_its_concept() {
    let Some(puzzles) = puzzles() else { return };
    let mut failed = Vec::new();
    for (theme, name, least, most) in [
        ("fork", "Our Fork", 60, 10),
        ("pin", "Their Pinned Man", 55, 20),
        ("skewer", "Our Skewer", 50, 5),
        ("discoveredAttack", "Our Discovered Attack", 55, 10),
        ("mateIn1", "Our Mate in One", 100, 0),
        ("hangingPiece", "Their Hanging Piece", 100, 20),
        ("sacrifice", "Our Sacrifice", 75, 5),
    ] {
        let concept = ExtraConcept::from_name(name).unwrap();
        let share = |tagged: bool| {
            let of_them: Vec<bool> = puzzles
                .iter()
                .filter(|puzzle| puzzle.themes.iter().any(|tag| tag == theme) == tagged)
                .filter_map(|puzzle| {
                    // What solves a puzzle wins.
                    let best = BestMove {
                        mv: puzzle.solution,
                        win_probability: 1.0,
                    };
                    concept.label(&puzzle.position, Some(&best))
                })
                .collect();
            (
                100 * of_them.iter().filter(|&&has| has).count() / of_them.len().max(1),
                of_them.len(),
            )
        };
        let ((own, n), (other, m)) = (share(true), share(false));
        println!("{theme:<18} {name:<24} {own:>3} % of {n:>4}, else {other:>3} % of {m}");
        if own < least || other > most {
            failed.push(format!(
                "{theme}: {own} % with it (at least {least}), {other} % without (at most {most})"
            ));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

/// Each theme is listed with the reason why there is no probe. Its best moves have the facts that speak of it, if there
/// are any, more often than the best moves of the other themes.
#[test]
fn the_strategic_test_suite_has_facts_and_no_probes() {
    let Some(text) = shared("sts-v6.epd") else { return };
    let suite = read_suite(&text).unwrap();
    assert_eq!(suite.len(), text.lines().filter(|line| !line.trim().is_empty()).count());
    let rows = theme_rows(&suite);
    assert_eq!(rows.len(), 15);
    assert_eq!(rows.iter().map(|row| row.positions).sum::<usize>(), suite.len());
    for row in rows {
        println!("{}", serde_json::to_string(&row).unwrap());
        assert!((50..=100).contains(&row.positions), "{row:?}");
        assert_eq!(row.probe, Some(format!("not enough labels ({} of 500)", row.positions)));
        assert_eq!(row.facts.is_empty(), row.share.is_none());
        if let (Some(share), Some(elsewhere)) = (row.share, row.share_elsewhere) {
            assert!(share > 2.0 * elsewhere, "{row:?}");
        }
    }
}

//! The feature context: what the move does, and what it does not do. The rubric's hard rule asks what a claim has no support
//! for, so that absences are stated too ("check: no", "trade: no", "threat: none"); `NA` is what nobody looked at.

use serde::{Deserialize, Serialize};
use shakmaty::{Board, Chess, Color, Position, Square, attacks::king_attacks};

use crate::{
    chess::{
        Man,
        material::{Surplus, join},
        motifs::threat::{hanging, passed_turn},
        names::{color_name, role_name},
    },
    commentary::{
        FactSheet, Verdict,
        fact::{Change, Detail, Fact, FactKind},
    },
    uci::Score,
};

/// A line of the context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feature {
    /// What it is about, such as `check`.
    pub name: String,
    /// What is so; `no` or `none` where nothing is, `NA` where it is not known.
    pub value: String,
}

/// What is not known.
const NA: &str = "NA";

/// The context as text, a line each.
#[must_use]
pub fn context(features: &[Feature]) -> String {
    let lines: Vec<String> = features
        .iter()
        .map(|feature| format!("{}: {}", feature.name, feature.value))
        .collect();
    lines.join("\n")
}

/// The features of a move, in a fixed order; all of them, always.
#[must_use]
pub fn features(sheet: &FactSheet) -> Vec<Feature> {
    let played = sheet.played();
    let mover = played.mover();
    let after = &played.after;
    let mut all = Vec::new();
    let mut add = |name: &str, value: String| {
        all.push(Feature {
            name: name.to_owned(),
            value,
        });
    };
    add("side that moves", color_name(mover).to_owned());
    for (name, value) in evaluation(sheet) {
        add(name, value);
    }
    for (name, verdict) in [
        ("blunder", Verdict::Blunder),
        ("mistake", Verdict::Mistake),
        ("inaccuracy", Verdict::Inaccuracy),
    ] {
        add(name, flag(sheet, verdict));
    }
    add(
        "capture",
        yes(first(sheet, |detail| match detail {
            Detail::Capture { taken, .. } | Detail::EnPassant { taken, .. } => Some(taken.plain()),
            _ => None,
        })),
    );
    add(
        "trade",
        yes(first(sheet, |detail| match detail {
            Detail::Trade {
                ours,
                theirs,
                made: true,
            } => Some(format!("{} for {}", role_name(ours.role), role_name(theirs.role))),
            _ => None,
        })),
    );
    add(
        "trade offered",
        yes(first(sheet, |detail| match detail {
            Detail::Trade {
                ours,
                theirs,
                made: false,
            } => Some(format!("{} for {}", role_name(ours.role), role_name(theirs.role))),
            _ => None,
        })),
    );
    add(
        "check",
        yes(after
            .is_check()
            .then(|| format!("to {}'s king", color_name(mover.other())))),
    );
    add("checkmate", yes(after.is_checkmate().then(String::new)));
    add("stalemate", yes(after.is_stalemate().then(String::new)));
    add(
        "promotion",
        yes(played.mv.promotion().map(|into| role_name(into).to_owned())),
    );
    add(
        "castling",
        yes(first(sheet, |detail| match detail {
            Detail::Castling { short, .. } => Some(if *short { "short" } else { "long" }.to_owned()),
            _ => None,
        })),
    );
    for side in [mover, mover.other()] {
        add(
            &format!("{}'s hanging pieces", color_name(side)),
            hanging_men(after, side),
        );
    }
    let balance = Surplus::of(after.board(), mover);
    add("material after the move", balance_of(mover, &balance));
    add("threat", threats(sheet, after));
    add("forced mate", forced_mate(sheet));
    add("forced tactic", texts(sheet, is_tactic));
    for side in [mover.other(), mover] {
        let (before, now) = (pressure(played.before.board(), side), pressure(after.board(), side));
        add(
            &format!("pressure on {}'s king", color_name(side)),
            format!("attacks on the squares around it: {before} before, {now} after"),
        );
    }
    all
}

/// Score, swing and win probability, the mover's view.
fn evaluation(sheet: &FactSheet) -> [(&'static str, String); 3] {
    let found = sheet.evaluation().and_then(|evaluation| {
        let best = evaluation.before.first()?.score;
        Some((best, evaluation.played))
    });
    let Some((best, played)) = found else {
        return ["evaluation", "evaluation swing", "win probability"].map(|name| (name, NA.to_owned()));
    };
    let swing = match (best, played) {
        (Score::Cp(best), Score::Cp(played)) => format!("{} centipawns against the best move", (played - best).min(0)),
        (best, played) if best == played => "none".to_owned(),
        (best, played) => format!("from {} with the best move to {}", pawns(best), pawns(played)),
    };
    let percent = |share: f64| format!("{:.0} %", share * 100.0);
    let shares = sheet.facts().iter().find_map(|fact| match fact.detail {
        Detail::Verdict { best, played, .. } => Some((best, played)),
        _ => None,
    });
    let win = shares.map_or_else(
        || NA.to_owned(),
        |(best, played)| {
            format!(
                "{} with the best move, {} with this one",
                percent(best),
                percent(played)
            )
        },
    );
    [
        (
            "evaluation",
            format!("{} with the best move, {} with this one", pawns(best), pawns(played)),
        ),
        ("evaluation swing", swing),
        ("win probability", win),
    ]
}

fn pawns(score: Score) -> String {
    match score {
        Score::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        Score::Mate(0) => "checkmate".to_owned(),
        Score::Mate(moves) if moves > 0 => format!("mate in {moves}"),
        Score::Mate(moves) => format!("mate in {} against the mover", moves.unsigned_abs()),
    }
}

fn flag(sheet: &FactSheet, wanted: Verdict) -> String {
    let verdict = sheet.facts().iter().find_map(|fact| match fact.detail {
        Detail::Verdict { verdict, .. } => Some(verdict),
        _ => None,
    });
    match verdict {
        None => NA.to_owned(),
        Some(verdict) => if verdict == wanted { "yes" } else { "no" }.to_owned(),
    }
}

fn first(sheet: &FactSheet, of: impl Fn(&Detail) -> Option<String>) -> Option<String> {
    sheet.facts().iter().find_map(|fact| of(&fact.detail))
}

/// `yes (pawn on e5)`, `no`.
fn yes(found: Option<String>) -> String {
    match found {
        None => "no".to_owned(),
        Some(what) if what.is_empty() => "yes".to_owned(),
        Some(what) => format!("yes ({what})"),
    }
}

fn hanging_men(position: &Chess, side: Color) -> String {
    let men: Vec<String> = hanging(position, side)
        .iter()
        .map(|found| format!("{} (worth {} to the opponent)", found.target.plain(), found.gain))
        .collect();
    listed(&men)
}

fn listed(all: &[String]) -> String {
    if all.is_empty() { "none".to_owned() } else { join(all) }
}

fn balance_of(mover: Color, material: &Surplus) -> String {
    let points = material.points();
    let side = if points < 0 { mover.other() } else { mover };
    match points.unsigned_abs() {
        0 => "even".to_owned(),
        points => format!("{} is ahead by {points}", color_name(side)),
    }
}

fn texts(sheet: &FactSheet, fits: impl Fn(&Fact) -> bool) -> String {
    let texts: Vec<&str> = sheet
        .facts()
        .iter()
        .filter(|fact| fits(fact))
        .map(|fact| fact.text.as_str())
        .collect();
    if texts.is_empty() {
        "none".to_owned()
    } else {
        texts.join(" ")
    }
}

/// What the mover would win or mate with if the opponent did nothing; in check nobody can do nothing.
fn threats(sheet: &FactSheet, after: &Chess) -> String {
    if passed_turn(after).is_none() {
        return format!("{NA} (the opponent is in check)");
    }
    texts(sheet, |fact| {
        matches!(fact.kind, FactKind::Threat | FactKind::MateThreat)
    })
}

/// The engine's, or the one on the board.
fn forced_mate(sheet: &FactSheet) -> String {
    let mates = texts(sheet, |fact| matches!(fact.detail, Detail::Mate { .. }));
    if mates == "none" && sheet.evaluation().is_none() {
        return NA.to_owned();
    }
    mates
}

fn is_tactic(fact: &Fact) -> bool {
    match &fact.detail {
        Detail::Pin { change, .. } => *change == Change::New,
        detail => matches!(
            detail,
            Detail::Fork(_) | Detail::Skewer(_) | Detail::Discovered(_) | Detail::Trapped(_) | Detail::Sacrifice { .. }
        ),
    }
}

/// Attacks by enemy men on the king's square and those around it.
fn pressure(board: &Board, side: Color) -> usize {
    let Some(king) = board.king_of(side) else { return 0 };
    let zone = king_attacks(king) | king;
    zone.into_iter()
        .map(|square: Square| Man::all(board, board.attacks_to(square, side.other(), board.occupied())).len())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::{Played, read_fen, read_move},
        commentary::Evaluation,
        uci::{Limit, Search, SearchResult, UciLine},
    };

    fn search(info: &str) -> SearchResult {
        let mut search = Search::new(1);
        search.on_line(&UciLine::parse(&format!("info depth 12 nodes 100 {info}")));
        search.into_result()
    }

    /// A move with what the engine says before it and after it, the view of whoever moves; and some of its features.
    struct Row {
        fen: &'static str,
        san: &'static str,
        engine: Option<[&'static str; 2]>,
        wanted: &'static [(&'static str, &'static str)],
    }

    fn of(row: &Row) -> Vec<Feature> {
        let read = read_fen(row.fen).unwrap();
        let mv = read_move(&read.position, read.mode, row.san).unwrap();
        let played = Played::new(read.position, mv, read.mode, Vec::new()).unwrap();
        let evaluation = row.engine.map(|[before, after]| {
            let (before, after) = (search(before), search(after));
            Evaluation::assemble(&played, "Test", Limit::Nodes(100), &before, Some(&after)).unwrap()
        });
        features(&FactSheet::new(&played, evaluation.as_ref(), None))
    }

    const ROWS: &[Row] = &[
        Row {
            fen: "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4",
            san: "Bxc6",
            engine: Some(["score cp 30 pv b5a4", "score cp -15 pv d7c6"]),
            wanted: &[
                ("capture", "yes (knight on c6)"),
                ("trade", "yes (bishop for knight)"),
                ("check", "no"),
                ("promotion", "no"),
                ("castling", "no"),
                ("evaluation swing", "-15 centipawns against the best move"),
                ("blunder", "no"),
                ("forced tactic", "Black pawn on d7 is pinned to Black king on e8"),
            ],
        },
        Row {
            fen: "rnbqkb1r/pppp1ppp/5n2/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 2 3",
            san: "a3",
            engine: Some(["score cp -20 pv h5e5", "score cp 880 pv f6h5"]),
            wanted: &[
                (
                    "White's hanging pieces",
                    "queen on h5 (worth 9 to the opponent) and pawn on e4 (worth 1 to the opponent)",
                ),
                ("capture", "no"),
                ("trade", "no"),
                ("evaluation swing", "-860 centipawns against the best move"),
                ("blunder", "yes"),
                ("mistake", "no"),
            ],
        },
        Row {
            fen: "8/P5k1/8/8/8/8/6K1/8 w - - 0 1",
            san: "a8=Q",
            engine: None,
            wanted: &[
                ("promotion", "yes (queen)"),
                ("evaluation", "NA"),
                ("evaluation swing", "NA"),
                ("win probability", "NA"),
                ("blunder", "NA"),
                ("forced mate", "NA"),
            ],
        },
        Row {
            fen: "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2",
            san: "g4",
            engine: Some(["score cp -60 pv e2e4", "score mate 1 pv d8h4"]),
            wanted: &[
                (
                    "evaluation swing",
                    "from -0.60 with the best move to mate in 1 against the mover",
                ),
                ("blunder", "yes"),
                ("check", "no"),
            ],
        },
        Row {
            fen: "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR w KQkq - 2 3",
            san: "Qh5",
            engine: None,
            wanted: &[
                ("threat", "f7"),
                (
                    "pressure on Black's king",
                    "attacks on the squares around it: 1 before, 2 after",
                ),
                ("check", "no"),
                ("capture", "no"),
            ],
        },
        Row {
            fen: "rnbqkb1r/ppp2ppp/3p4/4N3/4n3/8/PPPP1PPP/RNBQKB1R w KQkq - 0 5",
            san: "Nxf7",
            engine: Some(["score cp 0 pv e5f3", "score cp 300 pv e8f7"]),
            wanted: &[
                ("capture", "yes (pawn on f7)"),
                ("trade", "no"),
                ("material after the move", "White is ahead by 1"),
                ("checkmate", "no"),
            ],
        },
        Row {
            fen: "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1",
            san: "Nc7+",
            engine: None,
            wanted: &[
                ("check", "yes (to Black's king)"),
                ("forced tactic", "forks Black king on e8 and Black rook on a8"),
                ("capture", "no"),
            ],
        },
        Row {
            fen: "7k/8/5K2/8/8/8/8/1R6 w - - 0 1",
            san: "Kg6",
            engine: Some(["score mate 2 pv f6g6", "score mate -1 pv h8g8"]),
            wanted: &[
                ("forced mate", "White mates by force in 2"),
                ("evaluation swing", "none"),
                ("threat", "White threatens mate with Rb8#"),
                ("checkmate", "no"),
            ],
        },
        Row {
            fen: "8/3nk3/1p4pp/1N1P1p2/1bP2KP1/3P1P2/7P/8 b - - 0 30",
            san: "Bd2+",
            engine: None,
            wanted: &[
                ("check", "yes (to White's king)"),
                ("threat", "NA (the opponent is in check)"),
                ("capture", "no"),
                ("stalemate", "no"),
            ],
        },
        Row {
            fen: "7k/8/6K1/8/8/8/8/1R6 w - - 0 1",
            san: "Rb8#",
            engine: None,
            wanted: &[
                ("checkmate", "yes"),
                ("check", "yes (to Black's king)"),
                ("stalemate", "no"),
            ],
        },
        Row {
            fen: "r3k2r/pppq1ppp/2np1n2/1Bb1p1B1/3PP3/2N2N2/PPP2PPP/R2QK2R w KQkq - 0 8",
            san: "O-O",
            engine: Some(["score cp 40 pv e1g1", "score cp -40 pv c5d4"]),
            wanted: &[
                ("castling", "yes (short)"),
                ("capture", "no"),
                ("blunder", "no"),
                ("evaluation", "+0.40 with the best move, +0.40 with this one"),
            ],
        },
    ];

    /// Features in sentences: of these a word must be there.
    const PROSE: [&str; 3] = ["threat", "forced tactic", "forced mate"];

    #[test]
    fn features_say_what_the_move_does_and_what_it_does_not() {
        let mut wrong = Vec::new();
        for row in ROWS {
            let found = of(row);
            for (name, wanted) in row.wanted {
                let value = &found.iter().find(|feature| feature.name == *name).unwrap().value;
                if value != wanted && !(PROSE.contains(name) && value.contains(wanted)) {
                    wrong.push(format!("{name} of {}: {value}, not {wanted}", row.san));
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}

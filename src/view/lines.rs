//! The engine's lines, and the bar beside the board. **Everything shown here is White's view**, as chess sites show it.

use shakmaty::{Color, uci::UciMove};

use crate::{
    chess::{Played, names::color_name},
    commentary::{Evaluation, Line},
    uci::{Limit, Score},
};

/// The bar beside the board.
#[derive(Debug, Clone, PartialEq)]
pub struct EvalBar {
    /// White's winning chance, 0 to 1.
    pub white: f64,
    /// The score, White's view: `+0.3`, `#-2`.
    pub score: String,
    /// For screen readers.
    pub label: String,
}

impl EvalBar {
    /// The bar for a score in `mover`'s view.
    #[must_use]
    pub fn new(score: Score, mover: Color) -> Self {
        let white = white_view(score, mover);
        let chance = match mover {
            Color::White => score.win_probability(),
            Color::Black => 1.0 - score.win_probability(),
        };
        let text = short(white);
        let label = format!(
            "Evaluation {text}, White's view: White's winning chance is {:.0} per cent",
            chance * 100.0
        );
        Self {
            white: chance,
            score: text,
            label,
        }
    }
}

/// The score in White's view.
#[must_use]
pub fn white_view(score: Score, mover: Color) -> Score {
    // Not `negated`: a mate on the board stays one, seen from the other side.
    match (mover, score) {
        (Color::White, score) => score,
        (Color::Black, Score::Cp(cp)) => Score::Cp(cp.saturating_neg()),
        (Color::Black, Score::Mate(n)) => Score::Mate(n.saturating_neg()),
    }
}

/// `+0.3` or `#4`: one decimal is what the search is good for.
#[must_use]
pub fn short(score: Score) -> String {
    match score {
        Score::Cp(cp) => {
            let pawns = f64::from(cp) / 100.0;
            // No "-0.0".
            if pawns.abs() < 0.05 {
                "0.0".to_owned()
            } else {
                format!("{pawns:+.1}")
            }
        }
        Score::Mate(n) => format!("#{n}"),
    }
}

/// A move that can be shown on the board: where it stands in its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What stands before it: `12.`, `12…`, or nothing.
    pub number: String,
    /// The move in SAN.
    pub san: String,
    /// All moves from the position before the discussed move up to and including this one.
    pub path: Vec<UciMove>,
}

/// One of the engine's lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineRow {
    /// What the line is: `best`, `second best`, `played`.
    pub title: String,
    /// White's view.
    pub score: String,
    /// Its moves.
    pub steps: Vec<Step>,
}

/// The panel of lines.
#[derive(Debug, Clone, PartialEq)]
pub struct LinesPanel {
    /// The engine, its limit and the depth it reached.
    pub source: String,
    /// The mover's winning chance in words: what the move costs, where it is not the engine's own choice.
    pub chances: String,
    /// Best lines before the move, then what follows the played move.
    pub rows: Vec<LineRow>,
}

impl LinesPanel {
    /// The panel for an evaluated move.
    #[must_use]
    pub fn new(played: &Played, evaluation: &Evaluation) -> Self {
        let mover = played.mover();
        let row = |title: String, score: Score, lead: &[UciMove], line: Option<&Line>| LineRow {
            title,
            score: short(white_view(score, mover)),
            steps: steps(played, lead, line),
        };
        let mut rows: Vec<LineRow> = evaluation
            .before
            .iter()
            .enumerate()
            .map(|(i, line)| row(ordinal(i), line.score, &[], Some(line)))
            .collect();
        rows.push(row(
            "played".into(),
            evaluation.played,
            &[played.uci()],
            evaluation.after.first(),
        ));
        Self {
            source: format!(
                "{}, {} a search, depth {}",
                evaluation.engine,
                limit(evaluation.limit),
                evaluation.before.first().map_or(0, |line| line.depth)
            ),
            chances: chances(played, evaluation),
            rows,
        }
    }
}

fn chances(played: &Played, evaluation: &Evaluation) -> String {
    let percent = |score: Score| format!("{:.0} %", score.win_probability() * 100.0);
    let mover = color_name(played.mover());
    let after = percent(evaluation.played);
    match evaluation.before.first() {
        Some(best) if best.moves.first() != Some(&played.uci()) => {
            format!(
                "{mover}’s winning chance is {} with the best move, {after} after the move played.",
                percent(best.score)
            )
        }
        _ => format!("{mover}’s winning chance is {after} after this move, the engine’s first choice."),
    }
}

fn ordinal(index: usize) -> String {
    match index {
        0 => "best".into(),
        1 => "second best".into(),
        2 => "third best".into(),
        n => format!("{}th best", n + 1),
    }
}

/// The limit in words.
#[must_use]
pub fn limit(limit: Limit) -> String {
    limit.words()
}

/// The moves of a line that starts after `lead`, numbered as in a book.
fn steps(played: &Played, lead: &[UciMove], line: Option<&Line>) -> Vec<Step> {
    use shakmaty::Position;
    let mut path = lead.to_vec();
    let mut ply = (played.before.fullmoves().get() as usize - 1) * 2 + usize::from(!played.mover().is_white());
    let mut steps = Vec::new();
    let mut push = |san: String, path: Vec<UciMove>| {
        let number = match (ply % 2, steps.is_empty()) {
            (0, _) => format!("{}.", ply / 2 + 1),
            (_, true) => format!("{}…", ply / 2 + 1),
            _ => String::new(),
        };
        steps.push(Step { number, san, path });
        ply += 1;
    };
    if !lead.is_empty() {
        push(played.san(), lead.to_vec());
    }
    if let Some(line) = line {
        for (mv, san) in line.moves.iter().zip(&line.san) {
            path.push(*mv);
            push(san.clone(), path.clone());
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, Chess};

    #[test]
    fn white_view_of_scores() {
        assert_eq!(short(white_view(Score::Cp(-134), Color::Black)), "+1.3");
        assert_eq!(short(white_view(Score::Mate(2), Color::Black)), "#-2");
        assert_eq!(short(Score::Cp(-3)), "0.0");
        let bar = EvalBar::new(Score::Cp(300), Color::Black);
        assert!(bar.white < 0.3, "{bar:?}");
        assert!((EvalBar::new(Score::Mate(1), Color::Black).white - 0.0).abs() < 1e-9);
    }

    #[test]
    fn lines_are_numbered_and_lead_from_the_position_before() {
        let before = Chess::default();
        let mv: UciMove = "e2e4".parse().unwrap();
        let played = Played::new(
            before.clone(),
            mv.to_move(&before).unwrap(),
            CastlingMode::Standard,
            vec![],
        )
        .unwrap();
        let line = |moves: &[&str], san: &[&str], cp| Line {
            score: Score::Cp(cp),
            wdl: None,
            depth: 9,
            moves: moves.iter().map(|m| m.parse().unwrap()).collect(),
            san: san.iter().map(|s| (*s).to_owned()).collect(),
        };
        let evaluation = Evaluation {
            engine: "Test".into(),
            limit: Limit::Nodes(20_000),
            nodes: 1,
            trust: crate::commentary::Trust::Settled,
            ranking: Vec::new(),
            before: vec![line(&["d2d4", "d7d5", "c2c4"], &["d4", "d5", "c4"], 30)],
            played: Score::Cp(25),
            accepted: None,
            after: vec![line(&["c7c5"], &["c5"], 25)],
        };
        let panel = LinesPanel::new(&played, &evaluation);
        assert_eq!(limit(Limit::Nodes(4_000_000)), "4,000,000 nodes");
        assert_eq!(limit(Limit::Nodes(900)), "900 nodes");
        assert_eq!(panel.source, "Test, 20,000 nodes a search, depth 9");
        assert_eq!(
            panel.chances,
            "White’s winning chance is 53 % with the best move, 52 % after the move played."
        );
        let text = |row: &LineRow| {
            row.steps
                .iter()
                .map(|s| format!("{}{}", s.number, s.san))
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(text(&panel.rows[0]), "1.d4 d5 2.c4");
        assert_eq!(text(&panel.rows[1]), "1.e4 c5");
        assert_eq!(panel.rows[1].steps[1].path.len(), 2);
        assert_eq!(panel.rows[0].steps[2].path.len(), 3);
    }
}

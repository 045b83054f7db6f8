//! What the network says, for the panel.

use shakmaty::{Color, Move, san::SanPlus, uci::UciMove};

use crate::{chess::Played, net::NetworkOutput};

/// A move that the network would play.
#[derive(Debug, Clone, PartialEq)]
pub struct PolicyRow {
    /// The move in SAN.
    pub san: String,
    /// From the position before the discussed move.
    pub path: Vec<UciMove>,
    /// Its probability, 0 to 1.
    pub probability: f64,
    /// True for the move under discussion.
    pub discussed: bool,
}

/// The expected result, **White's view**.
#[derive(Debug, Clone, PartialEq)]
pub struct Outlook {
    /// White wins, draw, Black wins: 0 to 1 each. `None` for networks without a draw.
    pub shares: Option<[f64; 3]>,
    /// White's expected share of the point, 0 to 1.
    pub white: f64,
    /// For the reader: `White 45 %, draw 30 %, Black 25 %`.
    pub text: String,
}

/// The panel.
#[derive(Debug, Clone, PartialEq)]
pub struct NetworkPanel {
    /// Before the move.
    pub before: Outlook,
    /// The network's view after the move.
    pub after: Outlook,
    /// The most probable moves, and the discussed one if it is not among them.
    pub policy: Vec<PolicyRow>,
}

/// How many moves are shown.
const SHOWN: usize = 5;

impl NetworkPanel {
    /// The panel for the network's outputs before and after the move.
    #[must_use]
    pub fn new(played: &Played, before: &NetworkOutput, after: &NetworkOutput) -> Self {
        let row = |(mv, probability): &(Move, f32)| PolicyRow {
            san: SanPlus::from_move(played.before.clone(), *mv).to_string(),
            path: vec![mv.to_uci(played.mode)],
            probability: f64::from(*probability),
            discussed: *mv == played.mv,
        };
        let mut policy: Vec<PolicyRow> = before.policy.iter().take(SHOWN).map(row).collect();
        if !policy.iter().any(|r| r.discussed) {
            policy.extend(before.policy.iter().find(|(mv, _)| *mv == played.mv).map(row));
        }
        Self {
            before: Outlook::new(before, played.mover()),
            after: Outlook::new(after, played.mover().other()),
            policy,
        }
    }
}

/// By how much a side must be preferred for two to disagree about it, in White's winning chance, from 0.5.
const CLEAR: f64 = 0.1;

/// Where network and engine prefer different sides after the move: a line that says so, and why. `engine` is White's
/// winning chance, 0 to 1.
#[must_use]
pub fn disagreement(after: &Outlook, engine: f64) -> Option<String> {
    let network = after.white;
    let clear = |chance: f64| (chance - 0.5).abs() >= CLEAR;
    if !(clear(network) && clear(engine)) || (network > 0.5) == (engine > 0.5) {
        return None;
    }
    let side = |chance: f64| if chance > 0.5 { "White" } else { "Black" };
    Some(format!(
        "Network and engine disagree: the network prefers {}, the engine {}. The network judges the position at a glance, \
         without calculating; the engine has calculated, so trust it where there is something to calculate.",
        side(network),
        side(engine)
    ))
}

impl Outlook {
    fn new(output: &NetworkOutput, to_move: Color) -> Self {
        match output.wdl {
            Some([win, draw, loss]) => {
                let (white, black) = if to_move.is_white() { (win, loss) } else { (loss, win) };
                let shares = [white, draw, black].map(f64::from);
                let text = format!(
                    "White {:.0} %, draw {:.0} %, Black {:.0} %",
                    shares[0] * 100.0,
                    shares[1] * 100.0,
                    shares[2] * 100.0
                );
                Self {
                    shares: Some(shares),
                    white: shares[0] + shares[1] / 2.0,
                    text,
                }
            }
            None => {
                let q = if to_move.is_white() { output.q } else { -output.q };
                Self {
                    shares: None,
                    white: f64::midpoint(1.0, f64::from(q)),
                    text: format!("expected result {q:+.2} for White (−1 to 1)"),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, Chess, Position};

    #[test]
    fn a_disagreement_needs_two_clear_opinions() {
        let outlook = |white| Outlook {
            shares: None,
            white,
            text: String::new(),
        };
        assert!(
            disagreement(&outlook(0.7), 0.2)
                .is_some_and(|line| line.contains("the network prefers White, the engine Black"))
        );
        for (network, engine) in [(0.7, 0.9), (0.55, 0.1), (0.7, 0.45), (0.2, 0.1)] {
            assert_eq!(disagreement(&outlook(network), engine), None);
        }
    }

    #[test]
    fn white_view_and_the_discussed_move() {
        let start = Chess::default();
        let legal = start.legal_moves();
        let find = |uci: &str| uci.parse::<UciMove>().unwrap().to_move(&start).unwrap();
        let (e4, a4) = (find("e2e4"), find("a2a4"));
        let mut policy: Vec<(Move, f32)> = legal.iter().filter(|m| **m != a4).map(|m| (*m, 0.05)).collect();
        policy.push((a4, 0.01));
        let before = NetworkOutput {
            wdl: Some([0.5, 0.3, 0.2]),
            q: 0.3,
            moves_left: None,
            policy,
            activations: vec![],
        };
        let played = Played::new(start.clone(), a4, CastlingMode::Standard, vec![]).unwrap();
        let after = NetworkOutput {
            wdl: None,
            q: 0.25,
            moves_left: None,
            policy: vec![(e4, 1.0)],
            activations: vec![],
        };
        let panel = NetworkPanel::new(&played, &before, &after);
        assert_eq!(panel.before.text, "White 50 %, draw 30 %, Black 20 %");
        assert_eq!(panel.after.text, "expected result -0.25 for White (−1 to 1)");
        assert_eq!(panel.policy.len(), SHOWN + 1);
        assert!(panel.policy[SHOWN].discussed && panel.policy[SHOWN].san == "a4");
    }
}

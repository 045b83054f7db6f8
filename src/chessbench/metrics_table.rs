//! The figures of players as a table, a row a figure, with the paper's beside them.

use super::{
    metrics::{BoardMean, MetricsSummary},
    scores_file::ScoredPlayer,
};
use crate::{
    searchless::header::Target,
    stats::{Interval, Undefined, rate::Rate},
    survey::analysis::table::{Cell, Table},
};

/// Puzzles (%), actions (%) and τ of the paper's ablation (table 2), whose models have learned from a million games.
const PAPER: [(Target, f64, f64, f64); 3] = [
    (Target::ActionValue, 83.3, 63.0, 0.259),
    (Target::StateValue, 77.5, 58.5, 0.215),
    (Target::BehavioralCloning, 65.7, 56.7, 0.116),
];

/// The rest of the paper's table 2: what was changed, then the same figures.
const ABLATIONS: [(&str, f64, f64, f64); 13] = [
    ("HL-Gauss", 82.0, 61.8, 0.257),
    ("log loss", 80.6, 61.9, 0.257),
    ("L2", 80.8, 58.9, 0.240),
    ("2 layers", 54.7, 51.5, 0.209),
    ("4 layers", 40.5, 44.3, 0.179),
    ("8 layers", 79.5, 60.7, 0.252),
    ("16 layers", 81.3, 61.6, 0.256),
    ("32 layers", 79.5, 61.2, 0.254),
    ("16 bins", 83.0, 61.4, 0.248),
    ("32 bins", 83.0, 63.2, 0.261),
    ("64 bins", 84.4, 63.1, 0.259),
    ("128 bins", 83.8, 63.4, 0.262),
    ("256 bins", 83.7, 63.0, 0.260),
];

/// A player with its figures.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayerFigures<'a> {
    /// Who.
    pub player: &'a ScoredPlayer,
    /// The figures.
    pub summary: MetricsSummary,
    /// Milliseconds that a board took, on average.
    pub millis: Option<f64>,
}

/// The paper's figures of a kind of model: puzzles solved and actions, per cent, and τ of sort orders.
#[must_use]
pub fn published(target: Target) -> Option<(f64, f64, f64)> {
    let found = PAPER.iter().find(|(of, ..)| *of == target);
    found.map(|(_, puzzles, actions, tau)| (*puzzles, *actions, *tau))
}

/// Each player's figures, a row a figure.
#[must_use]
pub fn metrics_table(players: &[PlayerFigures<'_>]) -> Table {
    let head = ["Player", "Figure", "Boards", "Value", "95 %", "Paper"];
    Table {
        caption: "What predictions are worth (table 2)".to_owned(),
        head: head.map(str::to_owned).to_vec(),
        rows: players.iter().flat_map(rows).collect(),
        notes: vec![
            "Intervals are Wilson's of shares, and by drawing boards anew of means. The paper's figures are of models of its ablation, \
             which have learned from a million games, on its own test boards. Its “Kendall’s τ” is that of sort orders."
                .to_owned(),
        ],
    }
}

fn rows(of: &PlayerFigures<'_>) -> Vec<Vec<Cell>> {
    let summary = &of.summary;
    let paper = of.player.target.and_then(published);
    let clones = of.player.target == Some(Target::BehavioralCloning);
    let row = |what: &str, cells: Option<[Cell; 3]>, paper: Option<(f64, usize)>| {
        let cells = cells?;
        let paper = paper.map_or(Cell::None, |(figure, decimals)| Cell::Number(figure, decimals));
        let names = [Cell::from(of.player.name.as_str()), Cell::from(what)];
        Some(names.into_iter().chain(cells).chain([paper]).collect::<Vec<_>>())
    };
    let of_bins = if clones { "moves" } else { "bins" };
    let rows = [
        row(
            "action accuracy, %",
            share(summary.accuracy),
            paper.map(|(_, actions, _)| (actions, 1)),
        ),
        row(
            "τ of sort orders",
            mean(summary.tau_of_sort_orders.as_ref(), 3),
            paper.map(|(.., tau)| (tau, 3)),
        ),
        row("Kendall’s τ-b", mean(summary.tau_b.as_ref(), 3), None),
        row(
            &format!("log loss of {of_bins}, bits"),
            mean(summary.log_loss.as_ref(), 3),
            None,
        ),
        row(
            &format!("entropy of {of_bins}, bits"),
            mean(summary.entropy.as_ref(), 3),
            None,
        ),
        row(
            "squared error of the win probability",
            mean(summary.squared_error.as_ref(), 4),
            None,
        ),
        row("squared inconsistency", mean(summary.consistency.as_ref(), 4), None),
        row("legal without a mask, %", share(summary.legal_unmasked), None),
        row(
            "milliseconds a board",
            of.millis
                .map(|millis| [Cell::Count(summary.boards), Cell::Number(millis, 1), Cell::None]),
            None,
        ),
    ];
    rows.into_iter().flatten().collect()
}

fn share(rate: Option<Rate>) -> Option<[Cell; 3]> {
    let Rate { rate, interval, n, .. } = rate?;
    let ends = format!("{:.1} to {:.1}", interval.low * 100.0, interval.high * 100.0);
    Some([Cell::Count(n), Cell::Number(rate * 100.0, 1), Cell::Text(ends)])
}

fn mean(mean: Option<&BoardMean>, decimals: usize) -> Option<[Cell; 3]> {
    let BoardMean { mean, interval, n } = *mean?;
    let shown = if mean.is_finite() {
        Cell::Number(mean, decimals)
    } else {
        Cell::from("∞")
    };
    Some([Cell::Count(n), shown, ends(interval, decimals)])
}

fn ends(interval: Result<Interval, Undefined>, decimals: usize) -> Cell {
    match interval {
        Ok(Interval { low, high }) => Cell::Text(format!("{low:.decimals$} to {high:.decimals$}")),
        Err(_) => Cell::None,
    }
}

/// The paper's table 2.
#[must_use]
pub fn published_table() -> Table {
    let kinds = PAPER.map(|(target, puzzles, actions, tau)| {
        let what = format!("{}, {}", target.short(), target.words());
        (what, puzzles, actions, tau)
    });
    let others = ABLATIONS.map(|(what, puzzles, actions, tau)| (what.to_owned(), puzzles, actions, tau));
    let rows = kinds.into_iter().chain(others).map(|(what, puzzles, actions, tau)| {
        vec![
            Cell::Text(what),
            Cell::Number(puzzles, 1),
            Cell::Number(actions, 1),
            Cell::Number(tau, 3),
        ]
    });
    Table {
        caption: "The paper's ablations (table 2)".to_owned(),
        head: ["Model", "Puzzles, %", "Actions, %", "τ of sort orders"]
            .map(str::to_owned)
            .to_vec(),
        rows: rows.collect(),
        notes: vec!["Ruoss and others (2024).".to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            bins::Bins,
            metrics::{board_metrics, summary},
            record::tests::records,
            scripted::ScriptedPredictor,
        },
        *,
    };
    use crate::pace::{AtOnce, at_once};

    #[test]
    fn our_figures_stand_beside_the_papers() {
        let player = ScoredPlayer {
            name: "oracle".to_owned(),
            what: "scripted".to_owned(),
            target: Some(Target::ActionValue),
            sha256: None,
        };
        let bins = Bins::DEFAULT;
        let figures: Vec<_> = records(40)
            .iter()
            .filter(|record| record.actions.len() > 1)
            .map(|record| {
                let prediction = ScriptedPredictor::Oracle.values(record, bins);
                board_metrics(record, &prediction, bins).unwrap()
            })
            .collect();
        let figures = PlayerFigures {
            player: &player,
            summary: at_once(summary(&figures, 1, &AtOnce)),
            millis: None,
        };
        let table = metrics_table(&[figures]);
        let shown: Vec<Vec<String>> = table
            .rows
            .iter()
            .map(|row| row.iter().map(Cell::shown).collect())
            .collect();
        assert_eq!(shown[0][1..2], ["action accuracy, %"]);
        assert_eq!((shown[0][3].as_str(), shown[0][5].as_str()), ("100.0", "63.0"));
        assert_eq!((shown[1][3].as_str(), shown[1][5].as_str()), ("1.000", "0.259"));
        assert!(table.rows.iter().all(|row| row.len() == table.head.len()));
        assert!(published_table().rows.iter().all(|row| row.len() == 4));
    }
}

//! What training found: the figures of models that were trained here, as `training/searchless/findings.py` gathers them, and the
//! comparisons that the paper makes (table 2, figures 3 and A2 to A5).

use serde::Deserialize;
use thiserror::Error;

use super::puzzle::{PuzzleResult, rating_table};
use crate::{
    searchless::header::{Target, ValueLoss},
    survey::analysis::table::{Cell, Table},
};

const SCHEMA: &str = "kibitz-searchless-findings-1";

/// A mean, and the ends of its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(from = "[f64; 3]")]
pub struct Estimated {
    /// The mean.
    pub mean: f64,
    /// Where its interval begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
}

impl From<[f64; 3]> for Estimated {
    fn from([mean, low, high]: [f64; 3]) -> Self {
        Self { mean, low, high }
    }
}

/// What the models were held against.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct TestSet {
    /// Boards with a legal move.
    pub boards: usize,
    /// Their action values.
    pub actions: usize,
    /// How often a move by lot would be a best one.
    pub by_lot: Estimated,
}

/// A model that was trained here.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct TrainedModel {
    /// What it is called, as `training/searchless/reproduce.sh train` calls it.
    pub name: String,
    /// What it predicts.
    pub kind: Target,
    /// Layers, one upon the other.
    pub layers: usize,
    /// Numbers that stand for a symbol.
    pub width: usize,
    /// Bins of a value; 0 where behavior is cloned.
    pub bins: usize,
    /// What it was trained for.
    pub loss: ValueLoss,
    /// Boards that it learned from.
    pub boards: usize,
    /// Points among which training drew.
    pub points: usize,
    /// Points that training drew.
    pub samples: usize,
    /// Whose weights it began with.
    pub begin: Option<String>,
    /// How often its move is a best one.
    pub accurate: Estimated,
    /// Kendall's τ-b.
    pub tau_b: Estimated,
    /// The paper's τ, of sort orders.
    pub tau_of_sort_orders: Estimated,
    /// Of values; cloned behavior has none.
    pub squared_error: Option<Estimated>,
    /// In bits; bare values have none.
    pub log_loss: Option<Estimated>,
    /// How the losses fell.
    pub losses: Vec<Losses>,
}

/// The losses of a model while it learned.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(from = "(usize, f64, f64)")]
pub struct Losses {
    /// Points drawn.
    pub drawn: usize,
    /// The loss on the dev boards then.
    pub dev: f64,
    /// The mean loss of training since it was last told.
    pub training: f64,
}

impl From<(usize, f64, f64)> for Losses {
    fn from((drawn, dev, training): (usize, f64, f64)) -> Self {
        Self { drawn, dev, training }
    }
}

/// A band of puzzles, and how many of them a player solved.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "(String, u16, usize, usize)")]
pub struct SolvedBand {
    /// Who.
    pub player: String,
    /// The lowest rating of the band.
    pub from: u16,
    /// Puzzles.
    pub puzzles: usize,
    /// Of them, those that were solved.
    pub solved: usize,
}

impl From<(String, u16, usize, usize)> for SolvedBand {
    fn from((player, from, puzzles, solved): (String, u16, usize, usize)) -> Self {
        Self {
            player,
            from,
            puzzles,
            solved: solved.min(puzzles),
        }
    }
}

/// What training found.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Findings {
    schema: String,
    /// What the models were held against.
    pub test: TestSet,
    /// The models, by their names.
    pub models: Vec<TrainedModel>,
    /// Puzzles by rating (figure 2); bands of a player follow one another, the lowest first.
    #[serde(default)]
    pub puzzles: Vec<SolvedBand>,
}

/// The file of findings can't be read.
#[derive(Debug, Error)]
pub enum FindingsError {
    /// It is none.
    #[error("the file of findings can't be read: {0}")]
    Json(#[from] serde_json::Error),
    /// It is of another version.
    #[error("the findings are of the kind {0:?}; this version reads {SCHEMA:?}")]
    Schema(String),
}

/// A comparison: models that differ in one thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// Action values, state values, cloned behavior (table 2, figure A4, A5).
    Targets,
    /// Losses (table 2, figure A3).
    Losses,
    /// Numbers of bins (table 2).
    Bins,
    /// Layers (table 2).
    Depths,
    /// Boards and sizes (figure 3).
    Data,
}

impl Comparison {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 5] = [Self::Targets, Self::Losses, Self::Bins, Self::Depths, Self::Data];

    /// What is compared, and where in the paper.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Targets => "What is learned (figures A4 and A5)",
            Self::Losses => "Losses (figure A3)",
            Self::Bins => "Numbers of bins (table 2)",
            Self::Depths => "Layers (table 2)",
            Self::Data => "Boards and sizes (figure 3)",
        }
    }

    /// Whether a model is part of it.
    fn has(self, model: &TrainedModel) -> bool {
        let name = model.name.as_str();
        match self {
            Self::Targets => {
                !name.starts_with("study") || matches!(name, "study" | "study-points" | "study-sv" | "study-bc")
            }
            Self::Losses => matches!(name, "study" | "study-log" | "study-l2"),
            Self::Bins => name == "study" || name.starts_with("study-bins-"),
            Self::Depths => name == "study" || name.starts_with("study-depth-"),
            Self::Data => matches!(name, "study" | "study-small") || name.contains("-boards-"),
        }
    }

    /// By what its rows are sorted.
    fn key(self, model: &TrainedModel) -> (usize, usize) {
        match self {
            Self::Targets => (
                Target::ALL.iter().position(|kind| *kind == model.kind).unwrap_or(0),
                model.points + model.samples,
            ),
            Self::Losses => (
                match model.loss {
                    ValueLoss::HlGauss => 0,
                    ValueLoss::Log => 1,
                    ValueLoss::L2 => 2,
                },
                0,
            ),
            Self::Bins => (model.bins, 0),
            Self::Depths => (model.layers, 0),
            Self::Data => (model.width, model.boards),
        }
    }

    /// What tells a model from the others.
    #[must_use]
    pub fn label(self, model: &TrainedModel) -> String {
        match self {
            Self::Targets => {
                let begun = model.begin.as_deref().map(|other| format!(" from {other}"));
                // Moves are points of their own: fewer than two a board are a part of them.
                let is_part = model.kind == Target::ActionValue && model.points < 2 * model.boards;
                let of = is_part.then(|| format!(" of {}k", model.points / 1000));
                let drawn = model.samples / 1000;
                format!(
                    "{}{} {drawn}k{}",
                    model.kind.short(),
                    begun.unwrap_or_default(),
                    of.unwrap_or_default()
                )
            }
            Self::Losses => match model.loss {
                ValueLoss::HlGauss => "HL-Gauss",
                ValueLoss::Log => "log",
                ValueLoss::L2 => "L2",
            }
            .to_owned(),
            Self::Bins => format!("{} bins", model.bins),
            Self::Depths => format!("{} layers", model.layers),
            // Charts have room for 14 letters.
            Self::Data => format!("{}×{} on {}", model.layers, model.width, model.boards),
        }
    }
}

impl Findings {
    /// Reads the file.
    ///
    /// # Errors
    /// When it is none.
    pub fn read(text: &str) -> Result<Self, FindingsError> {
        let findings: Self = serde_json::from_str(text)?;
        match findings.schema == SCHEMA {
            true => Ok(findings),
            false => Err(FindingsError::Schema(findings.schema)),
        }
    }

    /// The models of a comparison, in the order of what they differ in; none where there is nothing to compare.
    #[must_use]
    pub fn compared(&self, comparison: Comparison) -> Vec<&TrainedModel> {
        let mut models: Vec<_> = self.models.iter().filter(|model| comparison.has(model)).collect();
        models.sort_by_key(|model| comparison.key(model));
        if models.len() < 2 { Vec::new() } else { models }
    }

    /// The models that ship, in the order of what they predict.
    #[must_use]
    pub fn shipped(&self) -> Vec<&TrainedModel> {
        let mut models: Vec<_> = self
            .models
            .iter()
            .filter(|model| !model.name.starts_with("study"))
            .collect();
        models.sort_by_key(|model| Target::ALL.iter().position(|kind| *kind == model.kind));
        models
    }

    /// The players that were given puzzles, each with its bands.
    #[must_use]
    pub fn solvers(&self) -> Vec<(&str, &[SolvedBand])> {
        let each = self.puzzles.chunk_by(|one, other| one.player == other.player);
        each.filter_map(|bands| Some((bands.first()?.player.as_str(), bands)))
            .collect()
    }

    /// Figure 2 as a table; `None` where no puzzles were given.
    fn puzzle_table(&self) -> Option<Table> {
        let results = |bands: &[SolvedBand]| {
            let each = bands.iter().flat_map(|band| {
                (0..band.puzzles).map(|place| PuzzleResult {
                    rating: band.from,
                    solved: place < band.solved,
                })
            });
            each.collect::<Vec<_>>()
        };
        let players: Vec<_> = self
            .solvers()
            .into_iter()
            .map(|(name, bands)| (name, results(bands)))
            .collect();
        let given: Vec<_> = players
            .iter()
            .map(|(name, results)| (*name, results.as_slice()))
            .collect();
        (!given.is_empty()).then(|| rating_table(&given))
    }

    /// A table for each comparison that has been made, and one of puzzles.
    #[must_use]
    pub fn tables(&self) -> Vec<Table> {
        let made = Comparison::ALL.into_iter().filter_map(|comparison| {
            let models = self.compared(comparison);
            (!models.is_empty()).then(|| self.table(comparison, &models))
        });
        made.chain(self.puzzle_table()).collect()
    }

    fn table(&self, comparison: Comparison, models: &[&TrainedModel]) -> Table {
        let heads = [
            "Model",
            "Boards",
            "Points",
            "Drawn",
            "Best moves, %",
            "95 %",
            "τ-b",
            "95 %",
            "τ of sort orders",
            "Squared error",
            "95 %",
            "Log loss, bits",
        ];
        let row = |model: &&TrainedModel| {
            let share = model.accurate;
            let squared = model.squared_error;
            vec![
                Cell::Text(comparison.label(model)),
                Cell::Count(model.boards),
                Cell::Count(model.points),
                Cell::Count(model.samples),
                Cell::Number(100.0 * share.mean, 1),
                ends(100.0 * share.low, 100.0 * share.high, 1),
                Cell::Number(model.tau_b.mean, 3),
                ends(model.tau_b.low, model.tau_b.high, 3),
                Cell::Number(model.tau_of_sort_orders.mean, 3),
                squared.map_or(Cell::None, |value| Cell::Number(value.mean, 4)),
                squared.map_or(Cell::None, |value| ends(value.low, value.high, 4)),
                model.log_loss.map_or(Cell::None, |loss| Cell::Number(loss.mean, 2)),
            ]
        };
        let TestSet {
            boards,
            actions,
            by_lot,
        } = &self.test;
        let note = format!(
            "Models trained here, held against {boards} boards with {actions} actions that none of them has seen. A move by lot is a best \
             one in {:.1} per cent. Intervals are Wilson's of shares, and by drawing boards anew of the rest; one seed each.",
            100.0 * by_lot.mean
        );
        Table {
            caption: format!("Trained here: {}", comparison.title()),
            head: heads.map(str::to_owned).to_vec(),
            rows: models.iter().map(row).collect(),
            notes: vec![note],
        }
    }
}

fn ends(low: f64, high: f64, decimals: usize) -> Cell {
    Cell::Text(format!("{low:.decimals$} to {high:.decimals$}"))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The file that comes with the app.
    pub(crate) fn shipped() -> Findings {
        Findings::read(include_str!("../../public/searchless/findings.json")).unwrap()
    }

    #[test]
    fn what_ships_makes_tables() {
        let findings = shipped();
        let targets = findings.compared(Comparison::Targets);
        let kinds: Vec<Target> = targets.iter().map(|model| model.kind).collect();
        assert!(
            kinds.is_sorted() && kinds.contains(&Target::BehavioralCloning),
            "{kinds:?}"
        );
        for table in findings.tables() {
            assert!(table.rows.len() > 1, "{}", table.caption);
            assert!(table.rows.iter().all(|row| row.len() == table.head.len()));
        }
        for model in &findings.models {
            let Estimated { mean, low, high } = model.accurate;
            assert!(low <= mean && mean <= high, "{}", model.name);
            assert!(!model.losses.is_empty(), "{}", model.name);
        }
    }

    #[test]
    fn what_is_none_is_refused() {
        assert!(matches!(Findings::read("{}"), Err(FindingsError::Json(_))));
        let other = include_str!("../../public/searchless/findings.json").replacen("findings-1", "findings-2", 1);
        assert!(matches!(Findings::read(&other), Err(FindingsError::Schema(_))));
    }
}

//! A fit of probes under way: how far it is, and how long it may take.

use crate::concepts::Control;

/// What is being done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FitStage {
    /// The positions are read.
    Reading,
    /// Stockfish 8 labels them.
    Labelling,
    /// The network evaluates them.
    Evaluating,
    /// The probes are fitted.
    Fitting,
    /// What is read in the network's place is gathered.
    EvaluatingControl(Control),
    /// The same probes are fitted on that.
    FittingControl(Control),
    /// Stockfish 8 labels what the network's moves lead to.
    LabellingMoves,
    /// The network evaluates the moves from both seats.
    EvaluatingMoves,
    /// The probes of changes are fitted.
    FittingChanges,
}

impl FitStage {
    /// Those of a fit with these controls, and with probes of changes or without, in their order.
    #[must_use]
    pub fn of(controls: &[Control], changes: bool) -> Vec<Self> {
        let own = [Self::Reading, Self::Labelling, Self::Evaluating, Self::Fitting];
        let of_control = |&control| [Self::EvaluatingControl(control), Self::FittingControl(control)];
        let of_changes = [Self::LabellingMoves, Self::EvaluatingMoves, Self::FittingChanges];
        own.into_iter()
            .chain(controls.iter().flat_map(of_control))
            .chain(of_changes.into_iter().filter(|_| changes))
            .collect()
    }

    /// For the reader.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Reading => "Reading the positions",
            Self::Labelling => "Labelling them with Stockfish 8",
            Self::Evaluating => "Running the network on them",
            Self::Fitting => "Fitting the probes",
            Self::EvaluatingControl(Control::Shuffled) => "Running the shuffled network on them",
            Self::FittingControl(Control::Shuffled) => "Fitting on the shuffled network",
            Self::EvaluatingControl(Control::Planes) => "Reading the input planes",
            Self::FittingControl(Control::Planes) => "Fitting on the input planes",
            Self::LabellingMoves => "Labelling what moves lead to",
            Self::EvaluatingMoves => "Running the network on the moves",
            Self::FittingChanges => "Fitting the probes of changes",
        }
    }

    /// What is counted in it.
    const fn unit(self) -> &'static str {
        match self {
            Self::Reading | Self::Labelling | Self::Evaluating | Self::EvaluatingControl(_) => "positions",
            Self::LabellingMoves | Self::EvaluatingMoves => "moves",
            Self::Fitting | Self::FittingControl(_) | Self::FittingChanges => "steps",
        }
    }
}

/// How far a fit is.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// What is being done.
    pub stage: FitStage,
    /// How much of the stage is done.
    pub done: usize,
    /// Of how much; 0 where that is not known.
    pub total: usize,
    /// How much was there before this visit or the last stop: it took no time now.
    pub before: usize,
    /// Milliseconds spent in the stage.
    pub spent: f64,
    /// The concept being fitted, as [`concept_label`] has it.
    pub concept: Option<String>,
}

impl Progress {
    /// At the beginning of a stage.
    #[must_use]
    pub const fn begin(stage: FitStage, total: usize, before: usize) -> Self {
        Self {
            stage,
            done: before,
            total,
            before,
            spent: 0.0,
            concept: None,
        }
    }

    /// Seconds that the stage still takes, at the pace so far. `None` before there is a pace.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // counts far below 2^52
    pub fn left(&self) -> Option<f64> {
        let now = self.done.saturating_sub(self.before);
        if now == 0 || self.total == 0 || self.spent < 500.0 {
            return None;
        }
        let still = self.total.saturating_sub(self.done) as f64;
        Some(self.spent / now as f64 * still / 1000.0)
    }

    /// `1,200 of 5,000 positions, about 20 s left`.
    #[must_use]
    pub fn text(&self) -> String {
        let unit = self.stage.unit();
        let mut text = match self.total {
            0 => format!("{} {unit}", grouped(self.done)),
            total => format!("{} of {} {unit}", grouped(self.done), grouped(total)),
        };
        if let Some(concept) = &self.concept {
            text += &format!(", {concept}");
        }
        if let Some(left) = self.left() {
            text += &format!(", about {} left", duration(left));
        }
        text
    }
}

/// Where the time went, of the stages in which anything was done: `labels 1,430 a second, network 118 a second, probes 18 s`.
#[must_use]
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss
)] // small positive numbers
pub fn pace(stages: &[Progress]) -> String {
    let parts: Vec<String> = stages
        .iter()
        .filter_map(|stage| {
            let done = stage.done.saturating_sub(stage.before);
            if done == 0 || stage.spent <= 0.0 {
                return None;
            }
            let each_second = || grouped((done as f64 / stage.spent * 1000.0).round() as usize);
            match stage.stage {
                FitStage::Reading => None,
                FitStage::Labelling => Some(format!("labels {} a second", each_second())),
                FitStage::Evaluating => Some(format!("network {} a second", each_second())),
                FitStage::Fitting => Some(format!("probes {}", duration(stage.spent / 1000.0))),
                FitStage::FittingControl(control) => {
                    let what = match control {
                        Control::Shuffled => "shuffled network",
                        Control::Planes => "input planes",
                    };
                    Some(format!("{what} {}", duration(stage.spent / 1000.0)))
                }
                FitStage::FittingChanges => Some(format!("changes {}", duration(stage.spent / 1000.0))),
                FitStage::EvaluatingControl(_) | FitStage::LabellingMoves | FitStage::EvaluatingMoves => None,
            }
        })
        .collect();
    parts.join(", ")
}

/// A concept's name in the mover's frame as a reader wants it: `our king safety` for `Our Kingsafety`, `their fork`.
#[must_use]
pub fn concept_label(name: &str) -> String {
    let (side, term) = match name.split_once(' ') {
        Some(("Our", term)) => ("White ", term),
        Some(("Their", term)) => ("Black ", term),
        _ => ("", name),
    };
    match crate::concepts::Concept::from_name(&format!("{side}{term}")) {
        Some(concept) => concept.label(shakmaty::Color::White),
        None if side.is_empty() => name.to_owned(),
        None => name.to_lowercase(),
    }
}

/// `5,000`.
#[must_use]
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `40 s`, `3 min`.
#[must_use]
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{} s", s.ceil().max(1.0)),
        s => format!("{} min", (s / 60.0).round()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_fitted_besides_comes_after_the_probes() {
        assert_eq!(FitStage::of(&[], false).last(), Some(&FitStage::Fitting));
        let all = FitStage::of(&Control::ALL, true);
        assert_eq!((all.len(), all.last()), (11, Some(&FitStage::FittingChanges)));
        let labels: std::collections::BTreeSet<&str> = all.iter().map(|stage| stage.label()).collect();
        assert_eq!(labels.len(), all.len());
    }

    #[test]
    fn the_estimate_counts_only_what_was_done_now() {
        let mut progress = Progress::begin(FitStage::Labelling, 5000, 2000);
        assert_eq!(progress.text(), "2,000 of 5,000 positions");
        (progress.done, progress.spent) = (3000, 10_000.0);
        assert_eq!(progress.text(), "3,000 of 5,000 positions, about 20 s left");
        progress = Progress::begin(FitStage::Fitting, 588, 0);
        (progress.done, progress.spent, progress.concept) = (88, 60_000.0, Some(concept_label("Their Kingsafety")));
        assert_eq!(progress.text(), "88 of 588 steps, their king safety, about 6 min left");
    }

    #[test]
    fn the_pace_is_of_what_was_done_now() {
        let stage = |stage, total, before, done, spent| Progress {
            done,
            spent,
            ..Progress::begin(stage, total, before)
        };
        let stages = [
            stage(FitStage::Reading, 0, 0, 5000, 300.0),
            stage(FitStage::Labelling, 5000, 2000, 5000, 2000.0),
            stage(FitStage::Evaluating, 5000, 0, 5000, 42_400.0),
            stage(FitStage::Fitting, 588, 0, 588, 17_600.0),
        ];
        assert_eq!(
            pace(&stages),
            "labels 1,500 a second, network 118 a second, probes 18 s"
        );
        assert_eq!(pace(&[stage(FitStage::Labelling, 500, 500, 500, 0.0)]), "");
    }

    #[test]
    fn names_and_numbers_read_well() {
        assert_eq!(concept_label("Our Bishop"), "our bishops");
        assert_eq!(concept_label("Imbalance"), "piece imbalance");
        assert_eq!(concept_label("Their Pinned Man"), "their pinned man");
        assert_eq!(concept_label("Fork"), "Fork");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(
            (grouped(0), grouped(999), grouped(1000)),
            ("0".into(), "999".into(), "1,000".into())
        );
        assert_eq!(
            (duration(0.2), duration(89.0), duration(150.0)),
            ("1 s".into(), "89 s".into(), "3 min".into())
        );
    }
}

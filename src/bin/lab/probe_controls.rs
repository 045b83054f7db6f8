//! Controls of probes, fitted with the probes' own settings ([`kibitz::concepts::control`]); and the paper's own protocol.

use std::error::Error;

use clap::ValueEnum;
use kibitz::{
    concepts::{
        Layer, PlaneRows, control,
        extra_fit::{self, ExtraLabels, ExtraRow, Figures, Judged},
        fit::{Fitted, Settings, Target},
        fitting::targets,
        report::{Evidence, Report},
    },
    random::seeded_hash,
};
use serde::Serialize;

use super::{
    probe_data::{ActivationFiles, Cache},
    probe_fit::{FitArgs, fit_all},
    probe_inputs::ProbeInputs,
};

/// Positions of the paper's protocol: of more, these many are drawn by lot.
const PAPER_POSITIONS: usize = 200_000;

/// Another fit to hold the probes against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Control {
    /// The paper's protocol: the flattened last block alone, tails of 5 % to learn from and to judge by, 200,000 positions.
    Paper,
    /// The paper's protocol on the shuffled network.
    PaperShuffled,
    /// The same layers of a network of the same shape with the weights of each layer shuffled.
    Shuffled,
    /// The input planes, square by square.
    Planes,
}

impl Control {
    /// As it is called on the command line and in reports.
    fn name(self) -> String {
        self.to_possible_value()
            .map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// The control that a probe's card has a place for; the paper's protocol is none.
    const fn of_card(self) -> Option<control::Control> {
        match self {
            Self::Shuffled => Some(control::Control::Shuffled),
            Self::Planes => Some(control::Control::Planes),
            Self::Paper | Self::PaperShuffled => None,
        }
    }
}

/// Which controls are fitted.
#[derive(Debug, clap::Args)]
pub struct ControlArgs {
    /// Fit only these beside the probes, and print their accuracies: as many as are wanted. Without it all of them.
    #[arg(long = "control", value_name = "CONTROL")]
    controls: Vec<Control>,
    /// Fit no control and not by the paper's protocol: a fifth of the time, and figures that say little.
    #[arg(long, conflicts_with = "controls")]
    without_controls: bool,
}

impl ControlArgs {
    /// Those that are wanted.
    pub fn wanted(&self) -> Vec<Control> {
        match (self.without_controls, self.controls.is_empty()) {
            (true, _) => Vec::new(),
            (false, true) => Control::value_variants().to_vec(),
            (false, false) => self.controls.clone(),
        }
    }
}

/// What a control found.
#[derive(Debug, Serialize)]
pub struct Controlled {
    /// The control's name, as `--control` has it.
    pub control: String,
    /// Accuracies of the paper's 21 rows.
    pub accuracies: Vec<f64>,
    /// Their mean.
    pub mean: f64,
    /// The least.
    pub min: f64,
    /// Rows at or above the paper's.
    pub at_or_above_paper: usize,
    /// Mean of the probes' accuracies less the control's.
    pub selectivity: f64,
    /// Positions that took part.
    pub positions: usize,
    /// Accuracies of the concepts beside the 21, by name in the mover's frame; none under the paper's protocol, which has
    /// none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub extra: Vec<ExtraControl>,
    /// Accuracies in the mover's frame, for the probes' cards.
    #[serde(skip)]
    pub of_cards: Option<(control::Control, Vec<(String, f64)>)>,
}

/// What a control reached on a concept beside the 21.
#[derive(Debug, Serialize)]
pub struct ExtraControl {
    /// The concept, in the mover's frame.
    pub concept: String,
    /// On as many test positions with it as without it.
    pub accuracy: f64,
}

/// Fits and judges a control with the probes' own settings.
pub fn controlled(
    control: Control,
    inputs: &ProbeInputs,
    extra: &[ExtraLabels],
    args: &FitArgs,
    settings: &Settings,
    of_probes: &Report,
    cache: &Cache,
) -> Result<Controlled, Box<dyn Error>> {
    errln!("lab: control: {}", control.name());
    let last = u8::try_from(inputs.network.blocks()).unwrap_or(u8::MAX);
    let by_paper = matches!(control, Control::Paper | Control::PaperShuffled);
    // What is not labelled takes no part, on any side.
    let mut labelled = inputs.labelled.clone();
    if by_paper && labelled.len() > PAPER_POSITIONS {
        let mut order: Vec<usize> = (0..labelled.len()).collect();
        order.sort_by_key(|&i| seeded_hash(settings.seed, &inputs.file.records[i].fen));
        for &i in &order[PAPER_POSITIONS..] {
            labelled[i].0 = None;
        }
    }
    let own = Settings {
        layers: match control {
            Control::Shuffled => settings.layers.clone(),
            Control::Planes => vec![PlaneRows::layer()],
            Control::Paper | Control::PaperShuffled => vec![Layer::block(last)],
        },
        training_share: if by_paper {
            settings.share
        } else {
            settings.training_share
        },
        ..settings.clone()
    };
    let (targets, classes) = (
        targets(&labelled, &inputs.labels_text()),
        if by_paper {
            Vec::new()
        } else {
            extra_fit::targets(extra, &inputs.positions)
        },
    );
    let threads = args.procedure.threads;
    let fitted = if control == Control::Planes {
        let store = PlaneRows::of(&inputs.file.positions);
        fit_both(targets, classes, &own, |targets, settings| {
            fit_all(targets, &inputs.positions, settings, &store, threads)
        })?
    } else {
        let shuffled = matches!(control, Control::Shuffled | Control::PaperShuffled);
        let network = if shuffled {
            &inputs.network.shuffled(args.seed)
        } else {
            &inputs.network
        };
        let store = ActivationFiles::new(network, &inputs.file, &own.layers, cache, threads.into())?;
        fit_both(targets, classes, &own, |targets, settings| {
            fit_all(targets, &inputs.positions, settings, &store, threads)
        })?
    };
    let of_cards = control.of_card().map(|of| {
        let figures = |fitted: &Fitted| (fitted.probe.card.name.clone(), fitted.probe.card.accuracy);
        (of, fitted.iter().map(figures).collect())
    });
    let judged: Vec<Judged> = fitted
        .iter()
        .map(|fitted| Judged {
            probe: &fitted.probe,
            decisions: &fitted.decisions,
        })
        .collect();
    let rows = if by_paper {
        Vec::new()
    } else {
        extra_fit::rows(extra, &inputs.positions, &judged)
    };
    let extra = rows.into_iter().filter_map(|row| match row.figures {
        Figures::Probe { accuracy, .. } => Some(ExtraControl {
            concept: row.concept.to_owned(),
            accuracy,
        }),
        Figures::None { .. } => None,
    });
    let extra = extra.collect();
    let decisions: Vec<Vec<f32>> = fitted.iter().map(|fitted| fitted.decisions.clone()).collect();
    let probes: Vec<_> = fitted.into_iter().map(|fitted| fitted.probe).collect();
    let table = probes.len().min(of_probes.colours.rows.len());
    let report = Report::new(&Evidence {
        positions: &inputs.positions,
        labels: &labelled,
        share: settings.share,
        probes: &probes[..table],
        decisions: &decisions[..table],
    })?;
    Ok(Controlled {
        control: control.name(),
        accuracies: report.colours.rows.iter().map(|row| row.accuracy).collect(),
        mean: report.colours.mean,
        min: report.colours.min,
        at_or_above_paper: report.at_or_above_paper,
        selectivity: of_probes.colours.mean - report.colours.mean,
        positions: labelled.iter().filter(|(scores, _)| scores.is_some()).count(),
        extra,
        of_cards,
    })
}

/// The probes of the 21 and those of the concepts beside them, which are fitted with settings of their own.
fn fit_both(
    targets: Vec<Target>,
    classes: Vec<Target>,
    settings: &Settings,
    fit: impl Fn(Vec<Target>, &Settings) -> Result<Vec<Fitted>, Box<dyn Error>>,
) -> Result<Vec<Fitted>, Box<dyn Error>> {
    let mut fitted = fit(targets, settings)?;
    if !classes.is_empty() {
        fitted.extend(fit(classes, &extra_fit::settings(settings))?);
    }
    Ok(fitted)
}

/// Prints the probes' accuracies beside the controls', with the selectivity in brackets.
pub fn print(report: &Report, extra: &[ExtraRow], controls: &[Controlled]) {
    if controls.is_empty() {
        return;
    }
    outln!("\nAccuracies beside controls (in brackets: the probes' less the control's)\n");
    out!("{:<18} {:>8}", "", "probes");
    for control in controls {
        out!(" {:>18}", control.control);
    }
    outln!();
    let line = |name: &str, own: f64, others: &mut dyn Iterator<Item = f64>| {
        out!("{name:<18} {own:>8.3}");
        for other in others {
            let text = if other.is_nan() {
                "–".to_owned()
            } else {
                format!("{other:.3} ({:+.3})", own - other)
            };
            out!(" {text:>18}");
        }
        outln!();
    };
    for (i, row) in report.colours.rows.iter().enumerate() {
        line(
            &row.concept,
            row.accuracy,
            &mut controls
                .iter()
                .map(|control| control.accuracies.get(i).copied().unwrap_or(f64::NAN)),
        );
    }
    line(
        "mean",
        report.colours.mean,
        &mut controls.iter().map(|control| control.mean),
    );
    let of_extra = |control: &Controlled, name: &str| {
        let found = control.extra.iter().find(|row| row.concept == name);
        found.map_or(f64::NAN, |row| row.accuracy)
    };
    for row in extra {
        if let Figures::Probe { accuracy, .. } = &row.figures {
            line(
                row.concept,
                *accuracy,
                &mut controls.iter().map(|control| of_extra(control, row.concept)),
            );
        }
    }
}

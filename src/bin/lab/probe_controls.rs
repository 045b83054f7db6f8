//! Controls of probes: what the same fit finds where training has put nothing; and the paper's own protocol.
//!
//! Hewitt and Liang ("Designing and Interpreting Probes with Control Tasks", EMNLP 2019): a probe's accuracy says little
//! of a network unless the same probe does worse without it. The difference is the selectivity.

use std::{convert::Infallible, error::Error};

use clap::ValueEnum;
use kibitz::{
    concepts::{
        Activations, Layer,
        fit::{Fitted, Settings},
        fitting::targets,
        layer::Pools,
        report::{Evidence, Report},
    },
    net::{InputFormat, Planes},
};
use serde::Serialize;
use shakmaty::Chess;

use super::{
    probe_data::{ActivationFiles, Cache},
    probe_fit::{FitArgs, fit_all},
    probe_inputs::ProbeInputs,
};

/// Planes of men and of castling rights: all that a position without its game shows.
const PLANES: [std::ops::Range<usize>; 2] = [0..12, 104..108];

/// Another fit to hold the probes against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Control {
    /// The same layers of a network of the same shape with the weights of each layer shuffled.
    Shuffled,
    /// The input planes, square by square.
    Planes,
    /// The paper's protocol: the flattened last block alone, tails of 5 % to learn from and to judge by.
    Paper,
    /// The paper's protocol on the shuffled network.
    PaperShuffled,
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
}

/// Fits and judges a control with the probes' own settings.
pub fn controlled(
    control: Control,
    inputs: &ProbeInputs,
    args: &FitArgs,
    settings: &Settings,
    of_probes: &Report,
    cache: &Cache,
) -> Result<Controlled, Box<dyn Error>> {
    let blocks = u8::try_from(inputs.network.blocks.len()).unwrap_or(u8::MAX);
    let paper = Settings {
        layers: vec![Layer::block(blocks)],
        training_share: settings.share,
        ..settings.clone()
    };
    let targets = targets(&inputs.labelled, &inputs.labels_text());
    let of_network = |shuffled: bool, settings: &Settings| -> Result<Vec<Fitted>, Box<dyn Error>> {
        let network = if shuffled {
            &inputs.network.shuffled(args.seed)
        } else {
            &inputs.network
        };
        let store = ActivationFiles::new(network, &inputs.file, cache, args.threads.into())?;
        fit_all(targets.clone(), &inputs.positions, settings, &store, args.threads)
    };
    let fitted = match control {
        Control::Shuffled => of_network(true, settings)?,
        Control::Paper => of_network(false, &paper)?,
        Control::PaperShuffled => of_network(true, &paper)?,
        Control::Planes => {
            let settings = Settings {
                layers: vec![Layer::block(1)],
                ..settings.clone()
            };
            let store = PlaneRows(&inputs.file.positions);
            fit_all(targets, &inputs.positions, &settings, &store, args.threads)?
        }
    };
    let decisions: Vec<Vec<f32>> = fitted.iter().map(|fitted| fitted.decisions.clone()).collect();
    let probes: Vec<_> = fitted.into_iter().map(|fitted| fitted.probe).collect();
    let report = Report::new(&Evidence {
        positions: &inputs.positions,
        labels: &inputs.labelled,
        share: settings.share,
        probes: &probes,
        decisions: &decisions,
    })?;
    Ok(Controlled {
        control: control
            .to_possible_value()
            .map_or_else(String::new, |value| value.get_name().to_owned()),
        accuracies: report.colours.rows.iter().map(|row| row.accuracy).collect(),
        mean: report.colours.mean,
        min: report.colours.min,
        at_or_above_paper: report.at_or_above_paper,
        selectivity: of_probes.colours.mean - report.colours.mean,
    })
}

/// Prints the probes' accuracies beside the controls', with the selectivity in brackets.
pub fn print(report: &Report, controls: &[Controlled]) {
    if controls.is_empty() {
        return;
    }
    println!("\nAccuracies beside controls (in brackets: the probes' less the control's)\n");
    print!("{:<18} {:>8}", "", "probes");
    for control in controls {
        print!(" {:>18}", control.control);
    }
    println!();
    let line = |name: &str, own: f64, others: &mut dyn Iterator<Item = f64>| {
        print!("{name:<18} {own:>8.3}");
        for other in others {
            print!(" {:>18}", format!("{other:.3} ({:+.3})", own - other));
        }
        println!();
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
}

/// Input planes as though they were a block's activations: 16 filters.
#[derive(Debug)]
struct PlaneRows<'a>(&'a [Chess]);

impl Activations for PlaneRows<'_> {
    type Error = Infallible;

    fn filters(&self) -> usize {
        PLANES.iter().map(ExactSizeIterator::len).sum()
    }

    fn rows(&self, layer: &Layer, positions: &[u32], out: &mut Vec<f32>) -> Result<(), Infallible> {
        debug_assert_eq!((layer.blocks(), layer.pools()), (&[1][..], Pools::None));
        for &position in positions {
            let planes = Planes::with_format(InputFormat::Classical, &[], &self.0[position as usize]);
            for plane in PLANES.into_iter().flatten() {
                let mask = planes.mask(plane);
                out.extend((0..64).map(|square| (mask >> square & 1) as f32));
            }
        }
        Ok(())
    }
}

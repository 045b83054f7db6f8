//! Fits the probes of all concepts, some at a time.

use std::{
    error::Error,
    path::PathBuf,
    sync::{Mutex, PoisonError},
    thread,
};

use kibitz::concepts::{
    Activations, Layer,
    fit::{ConceptFit, FitError, Fitted, Settings, Target},
    split::Positions,
};

use super::probe_data::Progress;

/// How to fit; what is not given is as in the browser.
#[derive(Debug, clap::Args)]
pub struct FitArgs {
    /// Of the split by game, of ties and of the order of rows.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Layers to choose from, such as "block 6", "blocks 2+6", "block 6 with pools"; without it every block alone.
    #[arg(long = "layer", value_name = "LAYER")]
    pub layers: Vec<Layer>,
    #[command(flatten)]
    pub procedure: Procedure,
}

impl FitArgs {
    /// The settings for so many positions and a network with so many blocks.
    pub fn settings(&self, blocks: usize, positions: usize) -> Settings {
        let usual = self.procedure.settings(blocks, positions, self.seed);
        if self.layers.is_empty() {
            return usual;
        }
        Settings {
            layers: self.layers.clone(),
            ..usual
        }
    }
}

/// How a layer's probe is fitted.
#[derive(Debug, clap::Args)]
pub struct Procedure {
    /// Values of C to choose from, ascending.
    #[arg(long = "c", value_name = "C", value_delimiter = ',')]
    cs: Vec<f64>,
    /// Share of the positions in each tail to learn from; without it that of the tails to judge by, 0.05.
    #[arg(long, value_name = "SHARE")]
    training_share: Option<f64>,
    /// Rows at most while layer and C are chosen.
    #[arg(long, value_name = "ROWS")]
    search_rows: Option<usize>,
    /// Rows at most in the last fit.
    #[arg(long, value_name = "ROWS")]
    final_rows: Option<usize>,
    /// Factors on the chosen C to choose again from with all rows.
    #[arg(long, value_name = "FACTOR", value_delimiter = ',')]
    refinement: Vec<f64>,
    /// Fits and runs of the network at the same time.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=64))]
    pub threads: u8,
    /// A folder to keep labels and activations in (9.8 GB for 200,000 positions and a network of 64 filters and 6
    /// blocks), so that another run is quick; without it they are thrown away at the end.
    #[arg(long, value_name = "FOLDER")]
    pub cache: Option<PathBuf>,
}

impl Procedure {
    /// The settings for so many positions and a network with so many blocks, with all layers to choose from.
    pub fn settings(&self, blocks: usize, positions: usize, seed: u64) -> Settings {
        let usual = Settings::thorough(u8::try_from(blocks).unwrap_or(u8::MAX), positions, seed);
        let or = |given: &Vec<f64>, usual: Vec<f64>| if given.is_empty() { usual } else { given.clone() };
        Settings {
            training_share: self.training_share.unwrap_or(usual.training_share),
            cs: or(&self.cs, usual.cs),
            refinement: or(&self.refinement, usual.refinement),
            search_rows: self.search_rows.unwrap_or(usual.search_rows),
            final_rows: self.final_rows.unwrap_or(usual.final_rows),
            ..usual
        }
    }
}

/// Fits the targets, `threads` at a time; the probes are in the order of the targets.
pub fn fit_all<A>(
    targets: Vec<Target>,
    positions: &Positions,
    settings: &Settings,
    store: &A,
    threads: u8,
) -> Result<Vec<Fitted>, Box<dyn Error>>
where
    A: Activations + Sync,
    A::Error: Send + 'static,
{
    let jobs = targets.into_iter().map(|target| (target, settings.clone()));
    fit_each(jobs.collect(), positions, store, threads)
}

/// The same with settings of each target's own.
pub fn fit_each<A>(
    jobs: Vec<(Target, Settings)>,
    positions: &Positions,
    store: &A,
    threads: u8,
) -> Result<Vec<Fitted>, Box<dyn Error>>
where
    A: Activations + Sync,
    A::Error: Send + 'static,
{
    let progress = Progress::new(
        "fits",
        jobs.iter().map(|(_, settings)| ConceptFit::steps(settings)).sum(),
    );
    // The first target is to be taken first.
    let waiting = Mutex::new(jobs.into_iter().enumerate().rev().collect::<Vec<_>>());
    let take = || waiting.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let done = thread::scope(|scope| {
        let running: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| -> Result<Vec<_>, FitError<A::Error>> {
                    let mut done = Vec::new();
                    while let Some((number, (target, settings))) = take() {
                        let fitted = fit_one(target, positions, &settings, store, &progress)?;
                        done.push((number, fitted));
                    }
                    Ok(done)
                })
            })
            .collect();
        running
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect::<Result<Vec<_>, _>>()
    })?;
    progress.end();
    let mut done = done.concat();
    done.sort_by_key(|(number, _)| *number);
    Ok(done.into_iter().map(|(_, fitted)| fitted).collect())
}

fn fit_one<A: Activations>(
    target: Target,
    positions: &Positions,
    settings: &Settings,
    store: &A,
    progress: &Progress,
) -> Result<Fitted, FitError<A::Error>> {
    let mut fit = ConceptFit::new(target, positions, settings)?;
    loop {
        let fitted = fit.step(positions, settings, store)?;
        progress.add(1);
        if let Some(fitted) = fitted {
            let card = &fitted.probe.card;
            errln!(
                "lab: {}: accuracy {:.4}, {}, C {:.0e}, {} rows",
                card.name,
                card.accuracy,
                card.layer,
                card.c,
                card.n
            );
            return Ok(fitted);
        }
    }
}

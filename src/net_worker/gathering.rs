//! Fitting probes in the network's worker: positions go through the network, block by block their activations stay here in
//! half precision, and the fit reads them. Only what was fitted leaves the worker.

use shakmaty::{CastlingMode, Chess, Color, Position, uci::UciMove};

use super::{
    protocol::{PositionText, Reply, Row, Turn},
    server::Loaded,
};
use crate::{
    concepts::{
        Activations, ConceptScores, Control, Fitting, HalfStore, Layer, Men, PlaneRows,
        activations::NoRow,
        fit::{Fitted, Settings},
        fitting::{Refused, Saved, Step, targets},
        split::Positions,
    },
    net::Network,
};

/// Of the split, of ties and of the order of rows.
pub(super) const SEED: u64 = 1;
/// As the probes' cards name where the labels come from.
const LABELS: &str = "stockfish@8.0.0 eval, mid-game";

/// Positions gathered for a fit, and the fit.
#[derive(Debug)]
pub struct Gathering {
    network: Loaded,
    /// Of the network in use, also where a control of it is read.
    hash: String,
    control: Option<Control>,
    store: Store,
    games: Vec<(String, String)>,
    labels: Vec<(Option<ConceptScores>, Color)>,
    job: Option<Fitting>,
}

/// What a fit reads.
#[derive(Debug)]
enum Store {
    Network(HalfStore),
    Planes(PlaneRows),
}

impl Activations for Store {
    type Error = NoRow;

    fn filters(&self) -> usize {
        match self {
            Self::Network(store) => store.filters(),
            Self::Planes(rows) => rows.filters(),
        }
    }

    fn rows(&self, layer: &Layer, positions: &[u32], out: &mut Vec<f32>) -> Result<(), NoRow> {
        match self {
            Self::Network(store) => store.rows(layer, positions, out),
            Self::Planes(rows) => rows.rows(layer, positions, out),
        }
    }
}

impl Gathering {
    /// Nothing gathered yet, on this network.
    #[must_use]
    pub fn new(network: Loaded) -> Self {
        let description = network.description();
        Self {
            store: Store::Network(HalfStore::new(description.filters, description.blocks)),
            hash: description.sha256.clone(),
            control: None,
            network,
            games: Vec::new(),
            labels: Vec::new(),
            job: None,
        }
    }

    /// Nothing gathered yet, for a fit on the input planes of this network.
    #[must_use]
    pub fn of_planes(network: Loaded) -> Self {
        Self {
            store: Store::Planes(PlaneRows::default()),
            control: Some(Control::Planes),
            ..Self::new(network)
        }
    }

    /// Nothing gathered yet, for a fit on this network with the weights of each layer shuffled.
    ///
    /// # Errors
    /// When tract refuses the graph.
    pub fn of_shuffled(network: &Network) -> Result<Self, String> {
        Ok(Self {
            control: Some(Control::Shuffled),
            hash: network.sha256.clone(),
            ..Self::new(Loaded::build(network.shuffled(SEED), |_, _| {})?)
        })
    }

    /// What is read in place of the network.
    #[must_use]
    pub const fn control(&self) -> Option<Control> {
        self.control
    }

    /// Positions so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// True when there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The hash of the network in use: of a shuffled one, that of the network that it was made from.
    #[must_use]
    pub fn network(&self) -> &str {
        &self.hash
    }

    /// Runs the network on a position and keeps what a fit needs of it. Gives the move that the network finds most probable
    /// (`None` where the input planes are read).
    ///
    /// # Errors
    /// When the position can't be read, or the network fails on it. It is left out then.
    pub fn add(&mut self, row: Row) -> Result<Option<UciMove>, String> {
        let text = PositionText {
            fens: vec![row.fen.clone()],
            moves: Vec::new(),
            chess960: false,
            seat: None,
        };
        let (_, position): (_, Chess) = text.read().map_err(|e| e.to_string())?;
        let mut first = None;
        match &mut self.store {
            Store::Planes(rows) => rows.push(&position),
            Store::Network(store) => {
                let (output, blocks) = self.network.evaluate(&[], &position).map_err(|e| e.to_string())?;
                let men = Men::seen(self.network.description().format.input, &position);
                store.push(&blocks, men).map_err(|e| e.to_string())?;
                first = output.policy.first().map(|(mv, _)| mv.to_uci(CastlingMode::Standard));
            }
        }
        let labels = row.labels.and_then(|labels| <[f32; 21]>::try_from(labels).ok());
        self.labels.push((labels.map(ConceptScores::new), position.turn()));
        self.games.push((row.game, row.fen));
        Ok(first)
    }

    /// Begins the fit on what was gathered, or goes on from what was saved of one on the same positions.
    pub fn begin(&mut self, saved: Vec<Fitted>, refused: Vec<Refused>) {
        let positions = Positions::new(self.games.iter().map(|(game, fen)| (game.as_str(), fen.as_str())), SEED);
        let blocks = u8::try_from(self.network.description().blocks).unwrap_or(u8::MAX);
        let mut settings = Settings::every_block(blocks, positions.len(), SEED);
        if self.control == Some(Control::Planes) {
            settings.layers = vec![PlaneRows::layer()];
        }
        let targets = targets(&self.labels, LABELS);
        let saved = Saved {
            settings: settings.clone(),
            finished: saved,
            refused,
        };
        self.job = Some(Fitting::resume(positions, targets, settings, saved));
    }

    /// Works on the fit until `enough` says so, one step at least.
    ///
    /// # Errors
    /// When no fit was begun, or it fails as a whole.
    pub fn turn(&mut self, mut enough: impl FnMut() -> bool) -> Result<Turn, String> {
        let job = self.job.as_mut().ok_or("there is no fit to go on with")?;
        let (finished, given_up) = (job.finished().len(), job.refused().len());
        let concept = loop {
            let worked_on = match job.step(&self.store).map_err(|e| e.to_string())? {
                Step::Done => break None,
                Step::Worked(name) | Step::Fitted(name) => name,
                Step::Refused(refused) => refused.name,
            };
            if enough() {
                break Some(worked_on);
            }
        };
        let progress = job.progress();
        let mut fitted = job.finished()[finished..].to_vec();
        for one in &mut fitted {
            // They are as many as there are test positions, and nobody on the page reads them.
            one.decisions = Vec::new();
        }
        Ok(Turn {
            done: progress.done,
            total: progress.total,
            concept,
            fitted,
            refused: job.refused()[given_up..].to_vec(),
            memory: None,
        })
    }

    /// The answer to request `id`: how many positions there are, and the network's first moves in those that it added.
    #[must_use]
    pub fn gathered(&self, id: u32, moves: Vec<Option<String>>) -> Reply {
        Reply::Gathered {
            id,
            network: self.network().to_owned(),
            positions: self.len(),
            moves,
        }
    }
}

//! Fitting probes of changes in the network's worker: moves are seen from both seats, the differences stay here in half
//! precision, and the fit reads them.

use half::{f16, slice::HalfFloatSliceExt};
use shakmaty::{Chess, Color, Position, uci::UciMove};

use super::{
    gathering::SEED,
    protocol::{MoveRow, PositionText, Reply},
    server::Loaded,
};
use crate::concepts::{
    Concept, ConceptScores, Layer, Men, Pools,
    difference::{
        ChangeFitting, ChangeProbes, PairRows,
        fit::rank_shape,
        fitting::{ChangeSettings, FittedChanges, JudgedChanges, Pairs},
        pairs::{Met, Place},
        targets::change,
    },
    fitting::in_frame,
    split::Side,
};

/// The most numbers that a move's row may have: ridge regression keeps the square of it, twice, in memory (0.5 GB).
const MOST_COLUMNS: usize = 8_192;
/// The most blocks that are read.
const MOST_BLOCKS: u8 = 2;
/// Moves worked on at once: a step of a fit is to be short.
const LOT: usize = 64;
/// As the probes' cards name where the labels come from.
const LABELS: &str = "stockfish@8.0.0 eval, mid-game, change by the network's first move";
/// Past which ply a move counts: these positions are no game's opening.
const PAST_OPENING: u32 = 100;

/// Moves gathered for a fit, and the fit.
#[derive(Debug)]
pub struct MoveGathering {
    network: Loaded,
    layer: Layer,
    rows: Differences,
    met: Met,
    pairs: Pairs,
    /// Numbers of the moves that judge.
    judges: Vec<u32>,
    job: Option<ChangeFitting>,
}

/// Rows in half precision.
#[derive(Debug)]
struct Differences {
    width: usize,
    rows: Vec<f16>,
}

/// There is no such row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there is no move {0}")]
pub struct NoMove(u32);

impl PairRows for Differences {
    type Error = NoMove;

    fn width(&self) -> usize {
        self.width
    }

    fn append(&self, pairs: &[u32], out: &mut Vec<f32>) -> Result<(), NoMove> {
        for &pair in pairs {
            let from = pair as usize * self.width;
            let row = self.rows.get(from..from + self.width).ok_or(NoMove(pair))?;
            let at = out.len();
            out.resize(at + self.width, 0.0);
            row.convert_to_f32_slice(&mut out[at..]);
        }
        Ok(())
    }
}

/// What is read of a network with so many blocks and filters; `None` where one block's row is wider than memory allows.
#[must_use]
pub fn layer_for(blocks: usize, filters: usize) -> Option<Layer> {
    let blocks = u8::try_from(blocks).unwrap_or(u8::MAX);
    (1..=MOST_BLOCKS)
        .rev()
        .map(|most| Layer::spread(blocks, most).with_pools(Pools::Sums))
        .find(|layer| 2 * layer.width(filters) <= MOST_COLUMNS)
}

impl MoveGathering {
    /// Nothing gathered yet, on this network.
    ///
    /// # Errors
    /// When it is too wide.
    pub fn new(network: Loaded) -> Result<Self, String> {
        let description = network.description();
        let layer = layer_for(description.blocks, description.filters).ok_or_else(|| {
            format!(
                "probes of changes of a network of {} filters need more memory than there is",
                description.filters
            )
        })?;
        Ok(Self {
            rows: Differences {
                width: 2 * layer.width(description.filters),
                rows: Vec::new(),
            },
            layer,
            network,
            met: Met::default(),
            pairs: Pairs::default(),
            judges: Vec::new(),
            job: None,
        })
    }

    /// The network's hash.
    #[must_use]
    pub fn network(&self) -> &str {
        &self.network.description().sha256
    }

    /// Moves so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pairs.changes.len()
    }

    /// True when there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Runs the network on both positions of a move, from both seats.
    ///
    /// # Errors
    /// When the move can't be read, or the network fails on a position. It is left out then, and so is one that was
    /// gathered before.
    pub fn add(&mut self, row: &MoveRow) -> Result<(), String> {
        let text = PositionText {
            fens: vec![row.fen.clone()],
            moves: Vec::new(),
            chess960: false,
            seat: None,
        };
        let (_, before): (_, Chess) = text.read().map_err(|e| e.to_string())?;
        let mv = row
            .mv
            .parse::<UciMove>()
            .map_err(|e| e.to_string())?
            .to_move(&before)
            .map_err(|e| e.to_string())?;
        let after = before.clone().play(mv).map_err(|e| e.to_string())?;
        let scores = |labels: &Vec<f32>| -> Result<ConceptScores, String> {
            let labels = <[f32; 21]>::try_from(labels.as_slice());
            labels
                .map(ConceptScores::new)
                .map_err(|_| "21 labels are needed".to_owned())
        };
        let (terms, terms_after) = (scores(&row.labels[0])?, scores(&row.labels[1])?);
        let later = PositionText::new(&[], &after, shakmaty::CastlingMode::Standard);
        let place = |ply, fen| Place {
            game: &row.game,
            ply,
            fen,
        };
        let new = self.met.is_new_move(
            place(PAST_OPENING, &row.fen),
            place(PAST_OPENING + 1, later.fens.first().map_or("", String::as_str)),
        );
        if !new {
            return Err("the move was gathered before".to_owned());
        }
        let mover = before.turn();
        let mut difference = Vec::with_capacity(self.rows.width);
        for us in [mover, !mover] {
            let mut earlier = Vec::with_capacity(self.rows.width / 2);
            let from = difference.len();
            self.see(&after, us, &mut difference)?;
            self.see(&before, us, &mut earlier)?;
            difference[from..]
                .iter_mut()
                .zip(&earlier)
                .for_each(|(x, before)| *x -= before);
        }
        let from = self.rows.rows.len();
        self.rows.rows.resize(from + difference.len(), f16::ZERO);
        self.rows.rows[from..].convert_from_f32_slice(&difference);
        let side = Side::of(&row.game, SEED);
        if side == Side::Test {
            self.judges.push(self.len() as u32);
        }
        let in_frame = in_frame(&terms, mover);
        self.pairs.changes.push(change(&terms, &terms_after, mover));
        self.pairs
            .before
            .push(Concept::ALL.map(|concept| in_frame.get(concept)));
        self.pairs.chooses.push(side == Side::Validation);
        Ok(())
    }

    /// Appends what is read of a position from a seat.
    fn see(&self, position: &Chess, us: Color, out: &mut Vec<f32>) -> Result<(), String> {
        let description = self.network.description();
        let (_, activations) = self.network.evaluate_from(us, position).map_err(|e| e.to_string())?;
        let men = Men::seen_by(description.format.input, us, position);
        self.layer
            .gather(&activations, &men, description.filters, out)
            .map_err(|e| e.to_string())
    }

    /// The answer to request `id`: how many moves there are.
    #[must_use]
    pub fn gathered(&self, id: u32) -> Reply {
        Reply::GatheredMoves {
            id,
            network: self.network().to_owned(),
            moves: self.len(),
        }
    }

    /// Works on the fit until `enough` says so, one step at least, and gives the answer to request `id`.
    ///
    /// # Errors
    /// When the moves don't suffice.
    pub fn turn(&mut self, id: u32, mut enough: impl FnMut() -> bool) -> Result<Reply, String> {
        if self.job.is_none() {
            self.begin();
        }
        let job = self.job.as_mut().ok_or("there is no fit to go on with")?;
        while job.step(&self.rows).map_err(|e| e.to_string())? && !enough() {}
        let (done, total) = job.progress();
        let fitted = self.job.as_ref().and_then(ChangeFitting::fitted);
        let probes = fitted.map(|fitted| self.judged(fitted)).transpose()?.map(Box::new);
        Ok(Reply::FittedChanges {
            id,
            done,
            total,
            probes,
        })
    }

    /// The moves that judge take no part in the fit.
    fn begin(&mut self) {
        let judging: std::collections::HashSet<u32> = self.judges.iter().copied().collect();
        let numbers: Vec<u32> = (0..self.len() as u32).filter(|i| !judging.contains(i)).collect();
        let (columns, _) = rank_shape(&self.layer, self.network.description().filters);
        let settings = ChangeSettings {
            columns,
            lot: LOT,
            threads: 1,
        };
        self.job = Some(ChangeFitting::of(
            self.pairs.clone(),
            &numbers,
            self.rows.width,
            settings,
        ));
    }

    fn judged(&self, fitted: &FittedChanges) -> Result<ChangeProbes, String> {
        let filters = self.network.description().filters;
        let probes = fitted
            .probes(&self.layer, LABELS, SEED, filters)
            .map_err(|e| e.to_string())?;
        let (mut roots, mut ranks, mut row) = (Vec::new(), Vec::new(), Vec::new());
        for &judge in &self.judges {
            row.clear();
            self.rows.append(&[judge], &mut row).map_err(|e| e.to_string())?;
            roots.push(probes.roots(&row));
            ranks.push(probes.predict_row(&row).rank);
        }
        let truth: Vec<_> = self.judges.iter().map(|&i| self.pairs.changes[i as usize]).collect();
        let judged = JudgedChanges::of(&roots, &ranks, &truth, &fitted.units);
        Ok(probes.judged(&judged.figures))
    }
}

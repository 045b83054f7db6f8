//! What probes read, written out for people who go on elsewhere: CSV tables, arrays in NumPy's format, and what they hold as
//! JSON. The lab and the page write the same bytes.

use shakmaty::Color;

use super::concept::frame_name;
use super::layer::WrongActivations;
use super::men::Men;
use super::priority::Predicted;
use super::probe::ProbeSet;
use super::rule::Rule;
use super::{Concept, shares::Shares};

/// Where a position comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// The game's name; empty where there is none.
    pub game: String,
    /// Half-moves played before it.
    pub ply: u32,
    /// The position.
    pub fen: String,
}

/// A position with the network's activations.
#[derive(Debug, Clone, Copy)]
pub struct ReadPosition<'a> {
    /// Where it comes from.
    pub origin: &'a Origin,
    /// Every block's, the first block first.
    pub activations: &'a [Vec<f32>],
    /// Where the men stand, as the network sees it.
    pub men: &'a Men,
    /// Who is to move.
    pub turn: Color,
}

/// Positions read out, file by file. Each is complete with its last position.
#[derive(Debug, Clone, PartialEq)]
pub struct Readout {
    positions: usize,
    /// `scores.csv`.
    pub scores: String,
    /// The numbers of `activations.npy`, in little endian.
    activations: Vec<u8>,
    /// Those of `shares.npy`.
    shares: Vec<u8>,
    blocks: usize,
    filters: usize,
    probes: usize,
}

/// Numbers of a probe in `shares.npy`: 64 squares and the constant.
const SHARES: usize = 65;

impl Readout {
    /// Of a network with so many blocks; nothing yet.
    #[must_use]
    pub fn new(probes: &ProbeSet, blocks: usize) -> Self {
        let mut head = vec!["game".to_owned(), "ply".to_owned(), "fen".to_owned()];
        head.extend(probes.all().iter().map(|probe| probe.card.name.clone()));
        head.extend(Concept::ALL.map(|concept| format!("{concept} (score)")));
        Self {
            positions: 0,
            scores: line(&head),
            activations: Vec::new(),
            shares: Vec::new(),
            blocks,
            filters: probes.filters(),
            probes: probes.all().len(),
        }
    }

    /// Positions read out.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.positions
    }

    /// True when there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.positions == 0
    }

    /// Adds a position.
    ///
    /// # Errors
    /// When a block that is read is missing or has another size.
    pub fn add(&mut self, probes: &ProbeSet, read: &ReadPosition) -> Result<(), WrongActivations> {
        let ReadPosition {
            origin,
            activations,
            men,
            turn,
        } = *read;
        let mut row = vec![origin.game.clone(), origin.ply.to_string(), origin.fen.clone()];
        row.extend(probes.decisions(activations, men)?.iter().map(ToString::to_string));
        let standardised = probes.scores_for(Rule::Ours, activations, men, turn)?;
        row.extend(standardised.iter().map(|(_, score)| score.to_string()));
        let shares = probes
            .all()
            .iter()
            .map(|probe| probes.shares(probe, activations, men, turn))
            .collect::<Result<Vec<Shares>, _>>()?;
        self.scores += &line(&row);
        extend(&mut self.activations, activations.iter().flatten().copied());
        for own in &shares {
            extend(
                &mut self.shares,
                own.squares.iter().chain([&own.constant]).map(|&share| share as f32),
            );
        }
        self.positions += 1;
        Ok(())
    }

    /// `activations.npy`: position, block, filter, rank, file, as the side to move sees the board.
    #[must_use]
    pub fn activations_npy(&self) -> Vec<u8> {
        npy(&[self.positions, self.blocks, self.filters, 8, 8], &self.activations)
    }

    /// `shares.npy`: position, probe, the squares a1 b1 … h8 of the board as it is and the constant.
    #[must_use]
    pub fn shares_npy(&self) -> Vec<u8> {
        npy(&[self.positions, self.probes, SHARES], &self.shares)
    }
}

/// `about.json`: what the files hold. `positions`: where they are from, by name or hash.
#[must_use]
pub fn about(probes: &ProbeSet, positions: &str, changes: bool) -> serde_json::Value {
    let mut about = serde_json::json!({
        "schema": "kibitz-readout-1",
        "network": probes.network(),
        "positions": positions,
        "probes": probes.all().iter().map(|probe| &probe.card).collect::<Vec<_>>(),
        "scores.csv": "decision values in the mover's frame, then standardised scores: a side's in its own view, totals in White's",
        "activations.npy": "position, block, filter, rank, file: the board as the side to move sees it",
        "shares.npy": "position, probe, square a1 b1 ... h8 of the board as it is, then the constant: sums to the decision value",
    });
    if changes {
        about["changes.csv"] =
            "what each move changes by the probes of changes, in standard deviations of the term, and the rank by which \
             concepts are ordered; both in the mover's frame"
                .into();
    }
    about
}

/// The head of `changes.csv`.
#[must_use]
pub fn changes_head() -> String {
    let mut head = ["game", "ply", "fen", "move"].map(str::to_owned).to_vec();
    for kind in ["change", "rank"] {
        head.extend(Concept::ALL.map(|concept| format!("{} ({kind})", frame_name(concept))));
    }
    line(&head)
}

/// A move's line in `changes.csv`: the position before it, the move in UCI.
#[must_use]
pub fn changes_line(before: &Origin, mv: &str, predicted: &Predicted) -> String {
    let mut row = vec![
        before.game.clone(),
        before.ply.to_string(),
        before.fen.clone(),
        mv.to_owned(),
    ];
    row.extend(predicted.change.iter().chain(&predicted.rank).map(ToString::to_string));
    line(&row)
}

/// A line of CSV (RFC 4180, but for its end: a line feed alone).
fn line(cells: &[String]) -> String {
    let cell = |text: &String| {
        if text.contains(['"', ',', '\n', '\r']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text.clone()
        }
    };
    cells.iter().map(cell).collect::<Vec<_>>().join(",") + "\n"
}

fn extend(bytes: &mut Vec<u8>, numbers: impl Iterator<Item = f32>) {
    bytes.extend(numbers.flat_map(f32::to_le_bytes));
}

/// Single-precision numbers of this shape in NumPy's format 1.0.
fn npy(shape: &[usize], numbers: &[u8]) -> Vec<u8> {
    /// What the head's length is a multiple of.
    const ALIGNED: usize = 64;
    /// Magic, version and length.
    const BEFORE: usize = 10;
    let sizes: String = shape.iter().map(|size| format!("{size}, ")).collect();
    let mut head = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({sizes}), }}");
    while !(BEFORE + head.len() + 1).is_multiple_of(ALIGNED) {
        head.push(' ');
    }
    head.push('\n');
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    // A handful of sizes: some hundred bytes.
    file.extend((head.len() as u16).to_le_bytes());
    file.extend(head.bytes());
    file.extend(numbers);
    file
}

#[cfg(test)]
mod tests {
    use super::super::probe::tests::synthetic;
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        let cells = ["plain", "a, b", "say \"so\"", ""].map(str::to_owned);
        assert_eq!(line(&cells), "plain,\"a, b\",\"say \"\"so\"\"\",\n");
    }

    #[test]
    fn files_hold_what_was_read() {
        let probes = synthetic();
        let mut block = vec![0.0; 64];
        block[..3].copy_from_slice(&[2.0, 3.0, 4.0]);
        let activations = [block.clone(), block];
        let origin = Origin {
            game: "a game".into(),
            ply: 7,
            fen: "8/8/8/8/8/8/8/8 w - - 0 1".into(),
        };
        let mut readout = Readout::new(&probes, 2);
        for _ in 0..2 {
            let read = ReadPosition {
                origin: &origin,
                activations: &activations,
                men: &Men::default(),
                turn: Color::White,
            };
            readout.add(&probes, &read).unwrap();
        }
        let lines: Vec<&str> = readout.scores.lines().collect();
        assert_eq!((lines.len(), readout.len()), (3, 2));
        let cells: Vec<&str> = lines[1].split(',').collect();
        assert_eq!(cells.len(), lines[0].split(',').count());
        let value: f32 = cells[3 + 4].parse().unwrap();
        let shares = readout.shares_npy();
        let head = 10 + usize::from(u16::from_le_bytes([shares[8], shares[9]]));
        assert_eq!((&shares[..6], head % 64), (&b"\x93NUMPY"[..], 0));
        assert_eq!(shares.len() - head, 2 * probes.all().len() * SHARES * 4);
        let numbers: Vec<f32> = shares[head..]
            .chunks_exact(4)
            .map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]))
            .collect();
        let sum: f32 = numbers[4 * SHARES..5 * SHARES].iter().sum();
        assert!((sum - value).abs() < 1e-4, "{sum} {value}");
        let activations = readout.activations_npy();
        let text = String::from_utf8_lossy(&activations[..128]).into_owned();
        assert!(text.contains("'shape': (2, 2, 1, 8, 8, )"), "{text}");
    }

    #[test]
    fn changes_are_a_row_a_move() {
        let predicted = Predicted {
            change: std::array::from_fn(|i| i as f32),
            settled: None,
            rank: [0.5; 21],
        };
        let row = changes_line(&Origin::default(), "e2e4", &predicted);
        assert_eq!(row.split(',').count(), changes_head().split(',').count());
        assert!(row.starts_with(",0,,e2e4,0,1,2,"), "{row}");
    }
}

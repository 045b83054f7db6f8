//! Reads tests/data/net-*-expected.jsonl (what each field is, tests/data/prepare/lc0_expected.py says) and compares.

#![allow(dead_code, reason = "not every set of features uses all of it")]
#![allow(clippy::unwrap_used, reason = "a test that can't read its data has failed")]

use std::path::{Path, PathBuf};

#[cfg(feature = "net")]
use kibitz::net::{
    Network, NetworkOutput, Runner,
    policy::{index_of, probabilities},
};
use serde::Deserialize;
use shakmaty::{CastlingMode, Chess, Position, fen::Fen, uci::UciMove};

/// The first line.
#[derive(Deserialize)]
pub struct Header {
    /// SHA-256 of the uncompressed network.
    pub sha256: String,
}

/// The other lines.
#[derive(Deserialize)]
pub struct Expected {
    pub fen: String,
    pub moves: String,
    pub q: f32,
    pub d: f32,
    pub policy: Vec<(u16, f32)>,
    pub clock: Option<f32>,
    pub planes: Option<String>,
}

impl Expected {
    /// The history and the position.
    pub fn game(&self) -> (Vec<Chess>, Chess) {
        game(&self.fen, &self.moves)
    }
}

/// The positions before the last of `moves`, oldest first, and the one after it.
pub fn game(fen: &str, moves: &str) -> (Vec<Chess>, Chess) {
    let fen: Fen = fen.parse().unwrap();
    let setup = fen.as_setup().clone();
    let mode = CastlingMode::detect(&setup);
    let mut now: Chess = fen
        .into_position(mode)
        .or_else(shakmaty::PositionError::ignore_too_much_material)
        .unwrap();
    let mut history = Vec::new();
    for text in moves.split_whitespace() {
        let mv = text.parse::<UciMove>().unwrap().to_move(&now).unwrap();
        history.push(now.clone());
        now = now.play(mv).unwrap();
    }
    (history, now)
}

pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

pub fn read(name: &str) -> (Header, Vec<Expected>) {
    let text = std::fs::read_to_string(data(name)).unwrap();
    let (header, lines) = text.split_once('\n').unwrap();
    let lines = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (serde_json::from_str(header).unwrap(), lines)
}

/// A network of ../shared/nets, or `None` with a word about it where there are none.
pub fn maia(rating: u16) -> Option<Vec<u8>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../shared/nets/maia-{rating}.pb.gz"));
    let bytes = std::fs::read(&path).ok();
    if bytes.is_none() {
        eprintln!("skipped: there is no {}", path.display());
    }
    bytes
}

/// The largest differences found.
#[derive(Debug, Default)]
pub struct Deviation {
    pub logit: f32,
    pub probability: f32,
    pub wdl: f32,
    pub q: f32,
}

/// Evaluates every position and compares it with what Lc0 says.
#[cfg(feature = "net")]
pub fn compare(network: &Network, runner: &Runner, positions: &[Expected]) -> Deviation {
    let mut deviation = Deviation::default();
    for expected in positions {
        let (history, position) = expected.game();
        let output = runner.evaluate(&history, &position).unwrap();
        let what = format!("{} {}", expected.fen, expected.moves);
        let NetworkOutput {
            wdl,
            q,
            policy,
            activations,
            ..
        } = output;
        assert_eq!(activations.len(), network.activations());
        deviation.q = deviation.q.max((q - expected.q).abs());
        if let Some([w, d, l]) = wdl {
            let win = (1.0 - expected.d + expected.q) / 2.0;
            for (ours, theirs) in [(w, win), (d, expected.d), (l, win - expected.q)] {
                deviation.wdl = deviation.wdl.max((ours - theirs).abs());
            }
        }
        let mut ours: Vec<(u16, f32)> = policy
            .iter()
            .map(|&(mv, p)| (index_of(mv, position.turn()).unwrap(), p))
            .collect();
        ours.sort_by_key(|p| p.0);
        assert_eq!(
            ours.iter().map(|p| p.0).collect::<Vec<_>>(),
            expected.policy.iter().map(|p| p.0).collect::<Vec<_>>(),
            "other moves: {what}"
        );
        // Probabilities of Lc0's logits by our softmax: its own is approximate.
        let mut logits = vec![0.0; 1858];
        for &(index, logit) in &expected.policy {
            logits[usize::from(index)] = logit;
        }
        let theirs = probabilities(&position, &logits).unwrap();
        for (mv, p) in theirs {
            let index = index_of(mv, position.turn()).unwrap();
            let (_, our) = ours[ours.binary_search_by_key(&index, |p| p.0).unwrap()];
            assert!((our - p).abs() < 1e-3, "{mv:?} has {our} instead of {p}: {what}");
            deviation.probability = deviation.probability.max((our - p).abs());
            // Logits up to the constant that softmax drops: ln(p / best p) against the difference of logits.
            let best = expected.policy.iter().map(|p| p.1).fold(f32::MIN, f32::max);
            let top = policy[0].1;
            if our > 1e-6 {
                let difference = ((our / top).ln() - (logits[usize::from(index)] - best)).abs();
                deviation.logit = deviation.logit.max(difference);
            }
        }
    }
    deviation
}

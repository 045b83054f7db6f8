//! The messages between the page and the network's worker.
//!
//! Each message is an object `{ text, data }`: `text` is one of the types below as JSON, `data` the bytes that go with
//! it, if any, transferred and not copied. The worker says [`Reply::Ready`] once it listens; what is posted before that
//! is lost. Every [`Request::Load`] ends in one `Loaded`, `Refused` or `Cancelled`, every [`Request::Evaluate`] in one
//! `Evaluated`, `Failed` or `Cancelled`, with the request's id; `Gather` in `Gathered` or `Failed`, `Fit` and `Turn` in
//! `Turned` or `Failed`, `GatherMoves` in `GatheredMoves` or `Failed`, `FitChanges` in `FittedChanges` or `Failed`, `Steer` and
//! `SteerTurn` in `Steering`, `Steered` or `Failed`, `LanguageModel` in `LanguageModel` or `Failed`, `Searchless` in
//! `Searchless` or `Failed`, `Compare` in `Compared` or `Failed`. Between the turns of a fit
//! other requests are answered.

use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position, PositionError, fen::Fen, uci::UciMove};

use super::{
    lm_protocol::{LmReply, LmRequest},
    searchless_protocol::{SearchlessReply, SearchlessRequest},
};
use crate::{
    concepts::{Control, Layer, difference::ChangeProbes, fit::Fitted, fitting::Refused, steering::Steered},
    net::{
        evaluation::NetworkOutput,
        network::Description,
        policy::{index_of, move_at},
    },
};

/// Positions that one evaluation may name, and FENs and moves that may lead to each.
pub const MOST_POSITIONS: usize = 4096;

/// From the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Request {
    /// Use the network whose file is `data` (a `Blob`, which is read piece by piece). Until it is loaded, and when it is
    /// refused, the one in use stays.
    Load {
        /// Of this request.
        id: u32,
        /// What to call the network: the file's name.
        name: String,
    },
    /// Evaluate positions, in their order.
    Evaluate {
        /// Of this request.
        id: u32,
        /// At most [`MOST_POSITIONS`].
        positions: Vec<PositionText>,
        /// The residual blocks whose activations are wanted, numbered from 1.
        #[serde(default)]
        blocks: Vec<u8>,
    },
    /// Run the network on positions and keep their activations here for a fit of probes.
    Gather {
        /// Of this request.
        id: u32,
        /// Forget what was gathered before.
        afresh: bool,
        /// What is read in the network's place. Heeded with `afresh`; a shuffled network is made from `data`, the file of the
        /// one in use.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        control: Option<Control>,
        /// At most [`MOST_POSITIONS`].
        rows: Vec<Row>,
    },
    /// Run the network on both positions of moves, from both seats, and keep the differences here for a fit of probes of
    /// changes. Positions that were gathered are forgotten.
    GatherMoves {
        /// Of this request.
        id: u32,
        /// Forget the moves gathered before.
        afresh: bool,
        /// At most [`MOST_POSITIONS`].
        rows: Vec<MoveRow>,
    },
    /// Work on the fit of probes of changes on the moves gathered, and begin it if need be.
    FitChanges {
        /// Of this request.
        id: u32,
        /// Milliseconds; one step is done in any case.
        millis: u32,
    },
    /// Shift the activations of the network, whose file is `data`, along a probe's direction.
    Steer {
        /// Of this request.
        id: u32,
        /// What, where and by how much.
        steer: Box<SteerText>,
    },
    /// Work on the steering for about that long. Nothing need be said to stop it.
    SteerTurn {
        /// Of this request.
        id: u32,
        /// Milliseconds; the network is run once in any case.
        millis: u32,
    },
    /// Begin the fit on what was gathered.
    Fit {
        /// Of this request.
        id: u32,
        /// Probes that were fitted before on the same positions: these are not done again.
        fitted: Vec<Fitted>,
        /// Concepts that were given up before.
        refused: Vec<Refused>,
    },
    /// Work on the fit for about that long.
    Turn {
        /// Of this request.
        id: u32,
        /// Milliseconds; one step is done in any case.
        millis: u32,
    },
    /// Ask a language model.
    LanguageModel {
        /// Of this request.
        id: u32,
        /// What is asked.
        ask: LmRequest,
    },
    /// Ask models without search.
    Searchless {
        /// Of this request.
        id: u32,
        /// What is asked.
        ask: SearchlessRequest,
    },
    /// Time the network, whose file is `data`, with tract's own convolutions and with ours. Without a
    /// position, both are built; with one, it is timed on what was built.
    Compare {
        /// Of this request.
        id: u32,
        /// The position.
        position: Option<PositionText>,
    },
    /// Stop another request. It is answered with `Cancelled` unless it has ended already.
    Cancel {
        /// The id of the request to stop.
        id: u32,
    },
}

/// How far a network is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoadStage {
    /// Its file is being read, unpacked and checked.
    Reading {
        /// Bytes of the file so far.
        done: u64,
        /// All of them.
        all: u64,
    },
    /// Its graph is being built and optimised.
    Building {
        /// Blocks so far.
        done: usize,
        /// All of them.
        all: usize,
    },
}

/// From the worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Reply {
    /// It listens. Posted once.
    Ready {
        /// The lock that it holds for as long as it lives, where the browser has locks.
        lifeline: Option<String>,
    },
    /// A network is on its way.
    Loading {
        /// The request's.
        id: u32,
        /// What is being done now.
        stage: LoadStage,
    },
    /// The network is in use.
    Loaded {
        /// The request's.
        id: u32,
        /// As the request called it.
        name: String,
        /// What it is.
        network: Description,
    },
    /// The file is no network that can be run; the network in use stays.
    Refused {
        /// The request's.
        id: u32,
        /// What was found, to follow "This network was not loaded: ".
        reason: String,
    },
    /// Every position is evaluated. `data` is a `Float32Array`: position after position, and of each the activations of
    /// the wanted blocks, one after the other.
    Evaluated {
        /// The request's.
        id: u32,
        /// SHA-256 of the network that did it; see [`crate::net::Network::sha256`].
        network: String,
        /// Numbers of `data` that belong to each block of a position.
        activations: usize,
        /// One per position.
        outputs: Vec<Output>,
    },
    /// The positions are gathered; those that the network can't be run on are left out.
    Gathered {
        /// The request's.
        id: u32,
        /// SHA-256 of the network that was run.
        network: String,
        /// Positions gathered by now.
        positions: usize,
        /// The moves that the network finds most probable in the positions of this request, in UCI; `None` where there is
        /// none, or none was asked.
        #[serde(default)]
        moves: Vec<Option<String>>,
    },
    /// The moves are gathered; those that the network can't be run on are left out.
    GatheredMoves {
        /// The request's.
        id: u32,
        /// SHA-256 of the network that was run.
        network: String,
        /// Moves gathered by now.
        moves: usize,
    },
    /// The fit of probes of changes has gone on.
    FittedChanges {
        /// The request's.
        id: u32,
        /// Steps done.
        done: usize,
        /// All steps.
        total: usize,
        /// The probes, once all steps are done.
        probes: Option<Box<ChangeProbes>>,
    },
    /// Steering has gone on.
    Steering {
        /// The request's.
        id: u32,
        /// Runs of the network done.
        done: usize,
        /// All of them.
        total: usize,
    },
    /// Steering has ended.
    Steered {
        /// The request's.
        id: u32,
        /// What was found.
        steered: Steered,
    },
    /// The fit has gone on. The answer to `Fit` and to `Turn`.
    Turned {
        /// The request's.
        id: u32,
        /// How far it is, and what is new.
        turn: Turn,
    },
    /// What a language model says, or what is said of it.
    LanguageModel {
        /// The request's.
        id: u32,
        /// The answer.
        said: LmReply,
    },
    /// What a model without search says, or what is said of it.
    Searchless {
        /// The request's.
        id: u32,
        /// The answer.
        said: SearchlessReply,
    },
    /// The position is timed, or both ways are built.
    Compared {
        /// The request's.
        id: u32,
        /// Milliseconds that the position takes with tract's own convolutions and with ours; 0 without a position.
        millis: [f64; 2],
    },
    /// It was asked to stop, and has.
    Cancelled {
        /// The request's.
        id: u32,
    },
    /// A request could not be answered. Without an id the worker itself is broken and must be started again.
    Failed {
        /// The request's.
        id: Option<u32>,
        /// Why, in a sentence.
        reason: String,
    },
}

/// A position as text, with what led to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionText {
    /// FENs, one ply apart, oldest first; at least one.
    pub fens: Vec<String>,
    /// UCI moves played from the last of them. The position they lead to is the one meant.
    #[serde(default)]
    pub moves: Vec<String>,
    /// How castling is meant, in the FENs and in the moves.
    #[serde(default)]
    pub chess960: bool,
    /// From whose seat the network is to see it, **whoever is to move**: only the activations of the answer mean something
    /// then. `None`: as the side to move does, with what led to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
}

/// A side's seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// White's: the board as it is.
    White,
    /// Black's: the board turned around.
    Black,
}

impl Seat {
    /// Whose it is.
    #[must_use]
    pub const fn color(self) -> Color {
        match self {
            Self::White => Color::White,
            Self::Black => Color::Black,
        }
    }
}

impl From<Color> for Seat {
    fn from(color: Color) -> Self {
        color.fold_wb(Self::White, Self::Black)
    }
}

/// A position to fit on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The game it is from: all positions of a game are learnt from, or all of them judge.
    pub game: String,
    /// The position as FEN.
    pub fen: String,
    /// The 21 concepts as Stockfish 8 gives them, in the order of Table 6: a side's in its own view, totals in White's.
    /// `None` where it has no table.
    pub labels: Option<Vec<f32>>,
}

/// A move to fit probes of changes on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MoveRow {
    /// The game it is from.
    pub game: String,
    /// The position before it.
    pub fen: String,
    /// The move, in UCI.
    pub mv: String,
    /// The 21 concepts before the move and after it, as [`Row::labels`] has them.
    pub labels: [Vec<f32>; 2],
}

/// What is to be steered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SteerText {
    /// What the probe reads.
    pub layer: Layer,
    /// Its weights.
    pub weights: Vec<f32>,
    /// The block whose activations are shifted, from 1.
    pub block: u8,
    /// FENs of the positions by which the standard deviation is measured.
    pub measured: Vec<String>,
    /// FENs of those that are steered; `None` for the same.
    pub steered: Option<Vec<String>>,
    /// Shifts, in standard deviations.
    pub shifts: Vec<f64>,
    /// Directions of chance.
    pub chances: usize,
    /// Of the directions of chance.
    pub seed: u64,
}

/// What a turn of fitting did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// Steps done.
    pub done: usize,
    /// Steps that the whole fit takes.
    pub total: usize,
    /// The concept worked on, in the mover's frame; `None` once all are done.
    pub concept: Option<String>,
    /// Probes that were finished in this turn, without their decision values.
    pub fitted: Vec<Fitted>,
    /// Concepts given up in this turn, for want of labels.
    pub refused: Vec<Refused>,
    /// Bytes of WebAssembly memory that the worker has: the most it has needed, since such memory never shrinks. `None`
    /// outside a worker.
    pub memory: Option<u64>,
}

/// Why a [`PositionText`] is no position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PositionTextError {
    /// No FEN.
    #[error("a position needs a FEN")]
    NoFen,
    /// Longer than [`MOST_POSITIONS`].
    #[error("a position's history may have {MOST_POSITIONS} plies, not {0}")]
    TooLong(usize),
    /// No FEN, or of no position.
    #[error("{fen:?} is not a position: {reason}")]
    Fen {
        /// The text.
        fen: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Not a move, or not a legal one.
    #[error("{0:?} is not a legal move there")]
    Move(String),
}

impl PositionText {
    /// `position` with as much of its history as the network can see: seven positions, and what they could repeat.
    #[must_use]
    pub fn new(history: &[Chess], position: &Chess, mode: CastlingMode) -> Self {
        // Nothing before the last capture or pawn move can be repeated, and only seven positions are shown.
        let reach = |i: usize| history.get(i).unwrap_or(position).halfmoves() as usize;
        let shown = history.len().saturating_sub(7);
        // One more, so that the earliest position that counts is seen to come from a game and not from a FEN.
        let first = shown.saturating_sub(reach(shown) + 1);
        let known = history[first..].iter().chain([position]);
        Self {
            fens: known
                .map(|p| Fen::from_position(p, EnPassantMode::Always).to_string())
                .collect(),
            moves: Vec::new(),
            chess960: mode.is_chess960(),
            seat: None,
        }
    }

    /// A bare position as `us` sees it, whoever is to move: see [`Planes::seen_by`](crate::net::Planes::seen_by).
    #[must_use]
    pub fn from_seat(position: &Chess, us: Color, mode: CastlingMode) -> Self {
        Self {
            seat: Some(us.into()),
            ..Self::new(&[], position, mode)
        }
    }

    /// History (oldest first) and position.
    ///
    /// # Errors
    /// When a FEN can't be read or a move not be played. Positions that couldn't arise in a game but can be played
    /// on are taken: whoever sends them has judged them already.
    pub fn read(&self) -> Result<(Vec<Chess>, Chess), PositionTextError> {
        let plies = self.fens.len() + self.moves.len();
        if plies > MOST_POSITIONS {
            return Err(PositionTextError::TooLong(plies));
        }
        let mode = CastlingMode::from_chess960(self.chess960);
        let mut history = self
            .fens
            .iter()
            .map(|fen| position(fen, mode))
            .collect::<Result<Vec<_>, _>>()?;
        let mut now = history.pop().ok_or(PositionTextError::NoFen)?;
        for text in &self.moves {
            let refuse = || PositionTextError::Move(text.clone());
            let mv = text
                .parse::<UciMove>()
                .map_err(|_| refuse())?
                .to_move(&now)
                .map_err(|_| refuse())?;
            let next = now.clone().play(mv).map_err(|_| refuse())?;
            history.push(std::mem::replace(&mut now, next));
        }
        Ok((history, now))
    }
}

fn position(text: &str, mode: CastlingMode) -> Result<Chess, PositionTextError> {
    let refuse = |reason: String| PositionTextError::Fen {
        fen: text.to_owned(),
        reason,
    };
    let fen: Fen = text.parse().map_err(|e| refuse(format!("{e}")))?;
    fen.into_position::<Chess>(mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .map_err(|e| refuse(e.to_string()))
}

/// What a network says of one position, without the activations. The side to move's view.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Output {
    /// See [`NetworkOutput::wdl`].
    pub wdl: Option<[f32; 3]>,
    /// See [`NetworkOutput::q`].
    pub q: f32,
    /// See [`NetworkOutput::moves_left`].
    #[serde(default)]
    pub moves_left: Option<f32>,
    /// Index (see [`crate::net::policy`]) and probability of every legal move, most probable first.
    pub policy: Vec<(u16, f32)>,
}

impl Output {
    /// What of `output` is sent as text: all but the activations.
    #[must_use]
    pub fn new(output: &NetworkOutput, position: &Chess) -> Self {
        let us = position.turn();
        let policy = output.policy.iter().filter_map(|&(mv, p)| Some((index_of(mv, us)?, p)));
        Self {
            wdl: output.wdl,
            q: output.q,
            moves_left: output.moves_left,
            policy: policy.collect(),
        }
    }

    /// The output again, with these activations. `None` when a move is not legal in `position`: then it is the output
    /// of another.
    #[must_use]
    pub fn join(self, position: &Chess, activations: Vec<f32>) -> Option<NetworkOutput> {
        let policy = self
            .policy
            .iter()
            .map(|&(index, p)| Some((move_at(position, index)?, p)));
        Some(NetworkOutput {
            wdl: self.wdl,
            q: self.q,
            moves_left: self.moves_left,
            policy: policy.collect::<Option<_>>()?,
            activations,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{Planes, format::InputFormat};

    fn text(fens: &[&str], moves: &str) -> PositionText {
        PositionText {
            fens: fens.iter().map(|&f| f.to_owned()).collect(),
            moves: moves.split_whitespace().map(str::to_owned).collect(),
            chess960: false,
            seat: None,
        }
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn messages_are_json() {
        let request = Request::Evaluate {
            id: 7,
            positions: vec![text(&[START], "e2e4")],
            blocks: vec![5],
        };
        let json = serde_json::to_string(&request).unwrap();
        let expected = r#"{"kind":"evaluate","id":7,"positions":[{"fens":["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"],"moves":["e2e4"],"chess960":false}],"blocks":[5]}"#;
        assert_eq!(json, expected);
        assert_eq!(serde_json::from_str::<Request>(&json).unwrap(), request);
        let reply: Reply =
            serde_json::from_str(r#"{"kind":"loading","id":1,"stage":{"building":{"done":2,"all":6}}}"#).unwrap();
        assert_eq!(
            reply,
            Reply::Loading {
                id: 1,
                stage: LoadStage::Building { done: 2, all: 6 }
            }
        );
    }

    #[test]
    fn what_is_gathered_and_fitted_is_json() {
        let request = Request::Gather {
            id: 3,
            afresh: true,
            control: None,
            rows: vec![Row {
                game: "12".into(),
                fen: START.into(),
                labels: Some(vec![0.25; 21]),
            }],
        };
        let json = serde_json::to_string(&request).unwrap();
        assert!(
            json.starts_with(r#"{"kind":"gather","id":3,"afresh":true,"rows":[{"game":"12","fen":"rnb"#),
            "{json}"
        );
        assert_eq!(serde_json::from_str::<Request>(&json).unwrap(), request);
        let reply = Reply::Turned {
            id: 4,
            turn: Turn {
                done: 1,
                total: 588,
                concept: Some("Material".into()),
                fitted: Vec::new(),
                refused: vec![Refused {
                    name: "Our Queens".into(),
                    reason: "Our Queens: not enough labels".into(),
                }],
                memory: Some(1 << 20),
            },
        };
        let json = serde_json::to_string(&reply).unwrap();
        assert_eq!(serde_json::from_str::<Reply>(&json).unwrap(), reply);
    }

    #[test]
    fn the_network_sees_the_same_either_way() {
        let repeating = "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 b5e2 f6g8 e2b5 g8f6 b5e2 f6g8 e2b5";
        // The earliest position that is shown follows a double step that nothing could take.
        let quiet = "a2a3 a7a6 e2e4 g8f6 b1c3 b8c6 g1f3 c6b8 f3g1 f6g8";
        for (moves, plies) in [(repeating, 13), (quiet, 10)] {
            let (history, now) = text(&[START], moves).read().unwrap();
            assert_eq!(history.len(), plies);
            let sent = PositionText::new(&history, &now, CastlingMode::Standard);
            assert!(sent.fens.len() < plies + 1, "what can't matter stays at home");
            let (short, again) = sent.read().unwrap();
            for format in InputFormat::ALL {
                let planes = Planes::with_format(format, &history, &now);
                assert_eq!(Planes::with_format(format, &short, &again), planes, "{format:?}");
                assert_ne!(
                    Planes::with_format(InputFormat::Classical, &[], &now),
                    planes,
                    "{format:?}"
                );
            }
        }
    }

    #[test]
    fn refuses_what_is_no_position() {
        assert_eq!(text(&[], "").read(), Err(PositionTextError::NoFen));
        assert_eq!(
            text(&[START], "e2e5").read(),
            Err(PositionTextError::Move("e2e5".into()))
        );
        let error = text(&["8/8/8/8/8/8/8/8 w - - 0 1"], "").read().unwrap_err().to_string();
        assert!(
            error.starts_with("\"8/8/8/8/8/8/8/8 w - - 0 1\" is not a position: "),
            "{error}"
        );
        let long = PositionText {
            fens: vec![START.to_owned(); MOST_POSITIONS + 1],
            ..text(&[], "")
        };
        assert_eq!(long.read(), Err(PositionTextError::TooLong(MOST_POSITIONS + 1)));
    }

    #[test]
    fn an_output_survives_the_way() {
        let position = Chess::default();
        let moves = position.legal_moves();
        let output = NetworkOutput {
            wdl: None,
            q: 0.25,
            moves_left: Some(40.5),
            policy: moves.iter().map(|&mv| (mv, 0.05)).collect(),
            activations: vec![1.0, 2.0],
        };
        let sent = Output::new(&output, &position);
        assert_eq!(sent.clone().join(&position, vec![1.0, 2.0]), Some(output));
        let (_, other) = text(&[START], "e2e4").read().unwrap();
        // Black has White's start moves, seen from its side: but not all of these.
        let (_, mated) = text(&[START], "f2f3 e7e5 g2g4 d8h4").read().unwrap();
        assert!(sent.clone().join(&other, Vec::new()).is_some());
        assert_eq!(sent.join(&mated, Vec::new()), None);
    }
}

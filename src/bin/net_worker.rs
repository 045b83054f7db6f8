//! The network's worker: tract in a wasm of its own, so that the page needn't load it.
//!
//! # Protocol
//! Messages both ways are objects `{ text, data }`; `text` is JSON, one of [`Request`] (to the worker) or [`Reply`] (to
//! the page), told apart by `kind`; `data` is transferred.
//!
//! | to the worker | `data` | answers |
//! |---|---|---|
//! | | | `ready {lifeline}` once, at the start; what is posted before it is lost. The lock of that name is the worker's for as long as it lives |
//! | `load {id, name}` | `ArrayBuffer`, a `.pb`, `.pb.gz` or `.onnx` | `loading {id, stage: reading ‖ building}`…, then `loaded {id, name, network}`, `refused {id, reason}` or `cancelled {id}` |
//! | `evaluate {id, positions: [{fens, moves, chess960}], blocks: [number]}` | | `evaluated {id, network, activations, outputs}` with a `Float32Array`, `failed {id, reason}` or `cancelled {id}` |
//! | `gather {id, afresh, rows: [{game, fen, labels}]}` | | `gathered {id, network, positions}` or `failed {id, reason}` |
//! | `fit {id, fitted, refused}` | | `turned {id, turn}` or `failed {id, reason}` |
//! | `turn {id, millis}` | | `turned {id, turn: {done, total, concept, fitted, refused}}` or `failed {id, reason}` |
//! | `cancel {id}` | | none of its own |
//!
//! * `fens` are one ply apart, oldest first; `moves` (UCI) go on from the last. The position they end in is meant.
//! * `outputs` has `{wdl, q, policy: [[index, probability], …]}` per position, the side to move's view; `data` has
//!   `activations` numbers per position and wanted block (numbered from 1), plane by plane, as the side to move sees the
//!   board and the network's input format transforms it.
//! * A refused file leaves the network in use where it is. An evaluation runs to its end on the network it began with.
//! * Between positions the worker listens, so a `cancel` is heard within one position's time.
//! * What is gathered, and its fit, belong to the network in use then; another network that comes into use ends them.
//! * The page asks for one turn of a fit after the other, so evaluations are answered in between.
//! * `failed` without an id: the worker has crashed or got what it can't read. After a crash it answers no more (the
//!   `error` event follows); start another.

use std::{cell::RefCell, rc::Rc};

use kibitz::{
    browser::{
        lifeline,
        worker_scope::{listen, now, post, yield_now},
    },
    net_worker::{
        gathering::Gathering,
        protocol::{LoadStage, MOST_POSITIONS, PositionText, Reply, Request, Row, Turn},
        server::{self, Evaluation, Loaded, Server},
    },
};
use wasm_bindgen_futures::spawn_local;

/// How long to evaluate, in milliseconds, before listening again. A turn of the event loop costs up to 4 ms.
const PATIENCE: f64 = 40.0;

type Shared = Rc<RefCell<Server>>;
type Fit = Rc<RefCell<Option<Gathering>>>;

fn main() {
    std::panic::set_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        failed(None, format!("the network worker has crashed: {info}"));
    }));
    let server = Shared::default();
    let fit = Fit::default();
    listen(move |text, data| match serde_json::from_str(&text) {
        Ok(Request::Load { id, name }) => spawn_local(load(server.clone(), fit.clone(), id, name, data)),
        Ok(Request::Evaluate { id, positions, blocks }) => {
            spawn_local(evaluate(server.clone(), id, positions, blocks));
        }
        Ok(Request::Gather { id, afresh, rows }) => spawn_local(gather(server.clone(), fit.clone(), id, afresh, rows)),
        Ok(Request::Fit { id, fitted, refused }) => turned(&fit, id, |fit| {
            fit.begin(fitted, refused);
            fit.turn(|| true)
        }),
        Ok(Request::Turn { id, millis }) => {
            let since = now();
            turned(&fit, id, |fit| fit.turn(|| now() - since >= f64::from(millis)));
        }
        Ok(Request::Cancel { id }) => server.borrow_mut().cancel(id),
        Err(error) => failed(None, format!("the network worker can't read a message: {error}")),
    });
    spawn_local(async {
        let lifeline = lifeline::hold().await;
        say(&Reply::Ready { lifeline }, None);
    });
}

fn say(reply: &Reply, floats: Option<&[f32]>) {
    let posted = serde_json::to_string(reply).is_ok_and(|text| post(&text, floats));
    if !posted && floats.is_some() {
        failed(None, "the activations could not be handed to the page".to_owned());
    }
}

fn failed(id: Option<u32>, reason: String) {
    say(&Reply::Failed { id, reason }, None);
}

async fn load(server: Shared, fit: Fit, id: u32, name: String, data: Option<Vec<u8>>) {
    server.borrow_mut().begin(id);
    let reply = match loaded(&server, id, data.unwrap_or_default()).await {
        Ok(_) if server.borrow().is_cancelled(id) => Reply::Cancelled { id },
        Ok(loaded) => {
            let network = loaded.description().clone();
            server.borrow_mut().use_network(loaded);
            fit.take();
            Reply::Loaded { id, name, network }
        }
        Err(_) if server.borrow().is_cancelled(id) => Reply::Cancelled { id },
        Err(reason) => Reply::Refused { id, reason },
    };
    server.borrow_mut().end(id);
    say(&reply, None);
}

async fn loaded(server: &Shared, id: u32, bytes: Vec<u8>) -> Result<Loaded, String> {
    let stage = |stage| say(&Reply::Loading { id, stage }, None);
    stage(LoadStage::Reading);
    let network = server::read(&bytes)?;
    // Its memory is worth having while the graph is built.
    drop(bytes);
    yield_now().await;
    if server.borrow().is_cancelled(id) {
        return Err(String::new());
    }
    stage(LoadStage::Building);
    let loaded = Loaded::build(&network);
    yield_now().await;
    loaded
}

async fn evaluate(server: Shared, id: u32, positions: Vec<PositionText>, blocks: Vec<u8>) {
    server.borrow_mut().begin(id);
    let answer = evaluated(&server, id, positions, blocks).await;
    server.borrow_mut().end(id);
    match answer {
        Ok((reply, activations)) => say(&reply, Some(&activations)),
        Err(reply) => say(&reply, None),
    }
}

async fn evaluated(
    server: &Shared,
    id: u32,
    positions: Vec<PositionText>,
    blocks: Vec<u8>,
) -> Result<(Reply, Vec<f32>), Reply> {
    let mut evaluation = Evaluation::start(&server.borrow(), id, positions, blocks)?;
    let mut since = now();
    while evaluation.step()? {
        if now() - since > PATIENCE {
            yield_now().await;
            since = now();
        }
        if server.borrow().is_cancelled(id) {
            return Err(Reply::Cancelled { id });
        }
    }
    Ok(evaluation.finish())
}

async fn gather(server: Shared, fit: Fit, id: u32, afresh: bool, rows: Vec<Row>) {
    let failing = |reason: &str| failed(Some(id), reason.to_owned());
    if rows.len() > MOST_POSITIONS {
        return failing("these are too many positions at once");
    }
    // Taken out for the time, so that nothing else begins on it while we listen.
    let kept = fit.take().filter(|_| !afresh);
    let Some(mut gathering) = kept.or_else(|| server.borrow().in_use().map(Gathering::new)) else {
        return failing("no network is loaded yet");
    };
    let mut since = now();
    for row in rows {
        // What the network can't be run on is missing from the count.
        let _ = gathering.add(row);
        if now() - since > PATIENCE {
            yield_now().await;
            since = now();
        }
    }
    let in_use = server.borrow().in_use();
    if in_use.is_none_or(|network| network.description().sha256 != gathering.network()) {
        return failing("another network has come into use");
    }
    say(&gathering.gathered(id), None);
    fit.replace(Some(gathering));
}

fn turned(fit: &Fit, id: u32, work: impl FnOnce(&mut Gathering) -> Result<Turn, String>) {
    let result = match fit.borrow_mut().as_mut() {
        Some(gathering) => work(gathering),
        None => Err("there is no fit to go on with".to_owned()),
    };
    match result {
        Ok(mut turn) => {
            turn.memory = memory();
            say(&Reply::Turned { id, turn }, None);
        }
        Err(reason) => failed(Some(id), reason),
    }
}

/// Bytes of this worker's WebAssembly memory.
#[cfg(target_arch = "wasm32")]
fn memory() -> Option<u64> {
    const PAGE: usize = 65_536; // bytes, by the WebAssembly standard
    u64::try_from(core::arch::wasm32::memory_size(0) * PAGE).ok()
}

/// Natively there is no such memory.
#[cfg(not(target_arch = "wasm32"))]
fn memory() -> Option<u64> {
    None
}

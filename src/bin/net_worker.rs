//! The network's worker: tract in a wasm of its own, so that the page needn't load it.
//!
//! # Protocol
//! Messages both ways are objects `{ text, data }`; `text` is JSON, one of [`Request`] (to the worker) or [`Reply`] (to
//! the page), told apart by `kind`; `data` is transferred.
//!
//! | to the worker | `data` | answers |
//! |---|---|---|
//! | | | `ready {lifeline}` once, at the start; what is posted before it is lost. The lock of that name is the worker's for as long as it lives |
//! | `load {id, name}` | `Blob`, a `.pb`, `.pb.gz` or `.onnx` | `loading {id, stage: {reading: {done, all}} ‖ {building: {done, all}}}`…, then `loaded {id, name, network}`, `refused {id, reason}` or `cancelled {id}` |
//! | `evaluate {id, positions: [{fens, moves, chess960}], blocks: [number]}` | | `evaluated {id, network, activations, outputs}` with a `Float32Array`, `failed {id, reason}` or `cancelled {id}` |
//! | `gather {id, afresh, control, rows: [{game, fen, labels}]}` | `ArrayBuffer` of the network in use, where `control` is `shuffled` and `afresh` is set | `gathered {id, network, positions, moves}` or `failed {id, reason}` |
//! | `fit {id, fitted, refused}` | | `turned {id, turn}` or `failed {id, reason}` |
//! | `turn {id, millis}` | | `turned {id, turn: {done, total, concept, fitted, refused}}` or `failed {id, reason}` |
//! | `gathermoves {id, afresh, rows: [{game, fen, mv, labels: [before, after]}]}` | | `gatheredmoves {id, network, moves}` or `failed {id, reason}` |
//! | `fitchanges {id, millis}` | | `fittedchanges {id, done, total, probes}` or `failed {id, reason}` |
//! | `steer {id, steer}` | `ArrayBuffer` of the network in use | `steering {id, done, total}` or `failed {id, reason}` |
//! | `steerturn {id, millis}` | | `steering {id, done, total}`, at the end `steered {id, steered}`, or `failed {id, reason}` |
//! | `languagemodel {id, ask: {what: load}}` | `ArrayBuffer`, a `.safetensors` of [`kibitz::lm`] | `languagemodel {id, said: {what: loaded, model} ‖ {what: refused, reason}}` |
//! | `languagemodel {id, ask: {what: next, sequences: [[token, …], …]}}` | | `languagemodel {id, said: {what: next, model, vocabulary}}` with a `Float32Array`, or `failed {id, reason}` |
//! | `searchless {id, ask: {what: load}}` | `ArrayBuffer`, a `.safetensors` of [`kibitz::searchless`] | `searchless {id, said: {what: loaded, model} ‖ {what: refused, reason}}` |
//! | `searchless {id, ask: {what: read, model, rows: [[symbol, …], …]}}` | | `searchless {id, said: {what: read, model, outputs}}` with a `Float32Array`, or `failed {id, reason}` |
//! | `compare {id, position}` | `ArrayBuffer` of the network in use, without a position | `compared {id, millis: [tract's, ours]}` or `failed {id, reason}` |
//! | `cancel {id}` | | none of its own |
//!
//! * `fens` are one ply apart, oldest first; `moves` (UCI) go on from the last. The position they end in is meant.
//! * `outputs` has `{wdl, q, policy: [[index, probability], …]}` per position, the side to move's view; `data` has
//!   `activations` numbers per position and wanted block (numbered from 1), plane by plane, as the side to move sees the
//!   board and the network's input format transforms it.
//! * A refused file leaves the network in use where it is. An evaluation runs to its end on the network it began with.
//! * Between positions the worker listens, so a `cancel` is heard within one position's time, or three's where a network is so
//!   wide that it is run on three together. A file is read a piece at a time, and a `cancel` heard in between; building is
//!   one piece of work, and the page ends the worker to stop it.
//! * What is gathered, and its fit, belong to the network in use then; another network that comes into use ends them.
//! * A language model's answer has the natural logarithms of `vocabulary` probabilities for each sequence, in their order. A
//!   request is answered in one piece: the page has a worker of its own for a language model, and ends it to stop.
//! * Models without search are named by the SHA-256 of their files, several are in use at once, and the page has a worker of its own
//!   for them, too.
//! * The page asks for one turn of a fit after the other, so evaluations are answered in between.
//! * `failed` without an id: the worker has crashed or got what it can't read. After a crash it answers no more (the
//!   `error` event follows); start another.

use std::{cell::RefCell, rc::Rc};

use kibitz::{
    browser::{
        held_file::HeldFile,
        lifeline,
        worker_scope::{Handed, listen, now, post, yield_now},
    },
    concepts::Control,
    net::Arriving,
    net_worker::{
        comparison::Comparison,
        gathering::Gathering,
        lm_protocol::LmRequest,
        lm_server::LmServer,
        move_gathering::MoveGathering,
        protocol::{LoadStage, MOST_POSITIONS, MoveRow, PositionText, Reply, Request, Row, SteerText, Turn},
        searchless_protocol::SearchlessRequest,
        searchless_server::SearchlessServer,
        server::{self, Evaluation, Loaded, Server},
        steering::{ProbeSteering, Steer},
    },
};
use wasm_bindgen_futures::spawn_local;

/// How long to evaluate, in milliseconds, before listening again. A turn of the event loop costs up to 4 ms.
const PATIENCE: f64 = 40.0;

type Shared = Rc<RefCell<Server>>;
type Fit = Rc<RefCell<Option<Gathered>>>;

/// What is gathered for a fit: of one kind at a time.
enum Gathered {
    Positions(Box<Gathering>),
    Moves(Box<MoveGathering>),
}

/// What the linker makes of the constructors of everything linked, tract's lists of its kernels among them.
#[expect(unsafe_code, reason = "a function of the linker's, which takes and gives nothing")]
mod constructors {
    unsafe extern "C" {
        fn __wasm_call_ctors();
    }

    /// Runs them. Where a program doesn't, the linker has every call from JavaScript begin with them.
    pub fn run() {
        // SAFETY: it is called once, before anything that relies on it.
        unsafe {
            __wasm_call_ctors();
        }
    }
}

fn main() {
    constructors::run();
    std::panic::set_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        failed(None, format!("the network worker has crashed: {info}"));
    }));
    let server = Shared::default();
    let fit = Fit::default();
    let steering = Steered::default();
    let mut comparison = None;
    let mut language_model = LmServer::default();
    let mut searchless = SearchlessServer::default();
    listen(move |text, handed| match serde_json::from_str(&text) {
        Ok(Request::Load { id, name }) => spawn_local(load(server.clone(), fit.clone(), id, name, handed)),
        Ok(Request::Evaluate { id, positions, blocks }) => {
            spawn_local(evaluate(server.clone(), id, positions, blocks));
        }
        Ok(Request::Gather {
            id,
            afresh,
            control,
            rows,
        }) => {
            let anew = afresh.then_some(Anew {
                control,
                data: handed.bytes(),
            });
            spawn_local(gather(server.clone(), fit.clone(), id, anew, rows));
        }
        Ok(Request::GatherMoves { id, afresh, rows }) => {
            spawn_local(gather_moves(server.clone(), fit.clone(), id, afresh, rows));
        }
        Ok(Request::FitChanges { id, millis }) => {
            let since = now();
            fit_changes(&fit, id, || now() - since >= f64::from(millis));
        }
        Ok(Request::Steer { id, steer }) => {
            begin_steering(&steering, id, *steer, &handed.bytes().unwrap_or_default());
        }
        Ok(Request::SteerTurn { id, millis }) => steer_on(&steering, id, millis),
        Ok(Request::Fit { id, fitted, refused }) => turned(&fit, id, |fit| {
            fit.begin(fitted, refused);
            fit.turn(|| true)
        }),
        Ok(Request::Turn { id, millis }) => {
            let since = now();
            turned(&fit, id, |fit| fit.turn(|| now() - since >= f64::from(millis)));
        }
        Ok(Request::LanguageModel { id, ask }) => {
            ask_language_model(&mut language_model, id, &ask, handed.bytes().unwrap_or_default());
        }
        Ok(Request::Searchless { id, ask }) => {
            ask_searchless(&mut searchless, id, &ask, handed.bytes().unwrap_or_default());
        }
        Ok(Request::Compare { id, position }) => {
            match compare(&mut comparison, position.as_ref(), &handed.bytes().unwrap_or_default()) {
                Ok(millis) => say(&Reply::Compared { id, millis }, None),
                Err(reason) => failed(Some(id), reason),
            }
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
        failed(None, "the numbers could not be handed to the page".to_owned());
    }
}

fn failed(id: Option<u32>, reason: String) {
    say(&Reply::Failed { id, reason }, None);
}

/// Bytes of a network's file that are read at a time.
const PIECE: u64 = 1 << 20;

async fn load(server: Shared, fit: Fit, id: u32, name: String, handed: Handed) {
    server.borrow_mut().begin(id);
    let result = match handed {
        Handed::File(file) => loaded(&server, id, &file).await,
        Handed::Bytes(_) | Handed::Nothing => Err("it came without a file".to_owned()),
    };
    let reply = match result {
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

async fn loaded(server: &Shared, id: u32, file: &HeldFile) -> Result<Loaded, String> {
    let stage = |stage| say(&Reply::Loading { id, stage }, None);
    let (mut done, all) = (0, file.size());
    let mut arriving = Arriving::default();
    while done < all {
        stage(LoadStage::Reading { done, all });
        let piece = file.piece(done, PIECE).await.map_err(|e| e.to_string())?;
        if piece.is_empty() {
            return Err("the file became shorter while it was read".to_owned());
        }
        done += piece.len() as u64;
        arriving.take(&piece).map_err(|e| e.to_string())?;
        if server.borrow().is_cancelled(id) {
            return Err(String::new());
        }
    }
    stage(LoadStage::Reading { done, all });
    let network = arriving.finish().map_err(|e| e.to_string())?;
    let blocks = network.blocks();
    stage(LoadStage::Building { done: 0, all: blocks });
    let loaded = Loaded::build(network, |done, all| stage(LoadStage::Building { done, all }));
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

/// How a gathering begins.
struct Anew {
    control: Option<Control>,
    data: Option<Vec<u8>>,
}

impl Anew {
    fn begin(self, server: &Shared) -> Result<Gathering, String> {
        let in_use = server.borrow().in_use().ok_or(NO_NETWORK)?;
        match self.control {
            None => Ok(Gathering::new(in_use)),
            Some(Control::Planes) => Ok(Gathering::of_planes(in_use)),
            Some(Control::Shuffled) => Gathering::of_shuffled(&server::read(&self.data.unwrap_or_default())?),
        }
    }
}

const NO_NETWORK: &str = "no network is loaded yet";
const ANOTHER: &str = "another network has come into use";

async fn gather(server: Shared, fit: Fit, id: u32, anew: Option<Anew>, rows: Vec<Row>) {
    if rows.len() > MOST_POSITIONS {
        return failed(Some(id), "these are too many positions at once".to_owned());
    }
    // Taken out for the time, so that nothing else begins on it while we listen.
    let kept = match fit.take() {
        Some(Gathered::Positions(kept)) if anew.is_none() => Some(kept),
        _ => None,
    };
    let begun = match (kept, anew) {
        (Some(kept), _) => Ok(kept),
        (None, anew) => anew
            .unwrap_or(Anew {
                control: None,
                data: None,
            })
            .begin(&server)
            .map(Box::new),
    };
    let mut gathering = match begun {
        Ok(gathering) => gathering,
        Err(reason) => return failed(Some(id), reason),
    };
    let (mut since, mut moves) = (now(), Vec::with_capacity(rows.len()));
    for row in rows {
        // What the network can't be run on is missing from the count.
        moves.push(gathering.add(row).ok().flatten().map(|mv| mv.to_string()));
        if now() - since > PATIENCE {
            yield_now().await;
            since = now();
        }
    }
    if !is_in_use(&server, gathering.network()) {
        return failed(Some(id), ANOTHER.to_owned());
    }
    say(&gathering.gathered(id, moves), None);
    fit.replace(Some(Gathered::Positions(gathering)));
}

async fn gather_moves(server: Shared, fit: Fit, id: u32, afresh: bool, rows: Vec<MoveRow>) {
    if rows.len() > MOST_POSITIONS {
        return failed(Some(id), "these are too many moves at once".to_owned());
    }
    let kept = match fit.take() {
        Some(Gathered::Moves(kept)) if !afresh => Some(kept),
        _ => None,
    };
    let begin = || {
        let in_use = server.borrow().in_use().ok_or(NO_NETWORK)?;
        MoveGathering::new(in_use).map(Box::new)
    };
    let mut gathering = match kept.map_or_else(begin, Ok) {
        Ok(gathering) => gathering,
        Err(reason) => return failed(Some(id), reason),
    };
    let mut since = now();
    for row in rows {
        // What can't be read, and what was gathered before, is missing from the count.
        let _ = gathering.add(&row);
        if now() - since > PATIENCE {
            yield_now().await;
            since = now();
        }
    }
    if !is_in_use(&server, gathering.network()) {
        return failed(Some(id), ANOTHER.to_owned());
    }
    say(&gathering.gathered(id), None);
    fit.replace(Some(Gathered::Moves(gathering)));
}

fn is_in_use(server: &Shared, network: &str) -> bool {
    let in_use = server.borrow().in_use();
    in_use.is_some_and(|own| own.description().sha256 == network)
}

fn fit_changes(fit: &Fit, id: u32, enough: impl FnMut() -> bool) {
    let result = match fit.borrow_mut().as_mut() {
        Some(Gathered::Moves(gathering)) => gathering.turn(id, enough),
        _ => Err(NO_FIT.to_owned()),
    };
    match result {
        Ok(reply) => say(&reply, None),
        Err(reason) => failed(Some(id), reason),
    }
}

const NO_FIT: &str = "there is no fit to go on with";

fn turned(fit: &Fit, id: u32, work: impl FnOnce(&mut Gathering) -> Result<Turn, String>) {
    let result = match fit.borrow_mut().as_mut() {
        Some(Gathered::Positions(gathering)) => work(gathering),
        _ => Err(NO_FIT.to_owned()),
    };
    match result {
        Ok(mut turn) => {
            turn.memory = memory();
            say(&Reply::Turned { id, turn }, None);
        }
        Err(reason) => failed(Some(id), reason),
    }
}

type Steered = Rc<RefCell<Option<ProbeSteering>>>;

fn begin_steering(steering: &Steered, id: u32, steer: SteerText, bytes: &[u8]) {
    let begun = server::read(bytes)
        .and_then(|network| ProbeSteering::new(&network, Steer::read(steer)?).map_err(|e| e.to_string()));
    match begun {
        Ok(begun) => {
            let (done, total) = begun.progress();
            steering.replace(Some(begun));
            say(&Reply::Steering { id, done, total }, None);
        }
        Err(reason) => failed(Some(id), reason),
    }
}

fn steer_on(steering: &Steered, id: u32, millis: u32) {
    let since = now();
    let turn = || -> Result<Reply, String> {
        let mut steering = steering.borrow_mut();
        let steering = steering.as_mut().ok_or("nothing is being steered")?;
        while steering.step().map_err(|e| e.to_string())? && now() - since < f64::from(millis) {}
        let (done, total) = steering.progress();
        Ok(match steering.steered() {
            Some(steered) => Reply::Steered { id, steered },
            None => Reply::Steering { id, done, total },
        })
    };
    match turn() {
        Ok(reply) => say(&reply, None),
        Err(reason) => failed(Some(id), reason),
    }
}

fn compare(
    comparison: &mut Option<Comparison>,
    position: Option<&PositionText>,
    file: &[u8],
) -> Result<[f64; 2], String> {
    let Some(position) = position else {
        *comparison = Some(Comparison::new(&server::read(file)?).map_err(|e| e.to_string())?);
        return Ok([0.0; 2]);
    };
    let comparison = comparison.as_ref().ok_or("nothing is being compared")?;
    let (_, position) = position.read().map_err(|e| e.to_string())?;
    comparison.measure(&position, now).map_err(|e| e.to_string())
}

fn ask_language_model(server: &mut LmServer, id: u32, ask: &LmRequest, data: Vec<u8>) {
    let answer = match ask {
        LmRequest::Load => Ok((server.load(data), None)),
        LmRequest::Next { sequences } => server.next(sequences).map(|(said, numbers)| (said, Some(numbers))),
    };
    match answer {
        Ok((said, numbers)) => say(&Reply::LanguageModel { id, said }, numbers.as_deref()),
        Err(reason) => failed(Some(id), reason),
    }
}

fn ask_searchless(server: &mut SearchlessServer, id: u32, ask: &SearchlessRequest, data: Vec<u8>) {
    let answer = match ask {
        SearchlessRequest::Load => Ok((server.load(data), None)),
        SearchlessRequest::Read { model, rows } => {
            let read = server.read(model, rows);
            read.map(|(said, numbers)| (said, Some(numbers)))
        }
    };
    match answer {
        Ok((said, numbers)) => say(&Reply::Searchless { id, said }, numbers.as_deref()),
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

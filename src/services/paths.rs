//! Where the page finds what is served beside it. The same names are in `index.html`, which puts the files there.

/// Stockfish 19 lite, single-threaded: the worker's script.
pub const ENGINE: &str = "engine/19.0.0/stockfish-19-lite-single.js";
/// Its WebAssembly, which the script looks for beside itself.
pub const ENGINE_WASM: &str = "engine/19.0.0/stockfish-19-lite-single.wasm";
/// Stockfish 8, which labels positions with concept scores: a worker's script.
pub const LABELS: &str = "labels/8.0.0/stockfish.js";
/// The network worker: a module that starts its own WebAssembly.
pub const NETWORK: &str = "net_worker_loader.js";
/// chessground.
pub const BOARD: &str = "board/10.4.1/chessground.min.js";
/// The service worker.
pub const OFFLINE: &str = "sw.js";

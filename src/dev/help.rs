//! What the command line offers.

/// What `cargo dev help` prints.
pub const HELP: &str = "\
cargo dev serve [--debug] [--port N]   set up what is missing, build the app, serve it on 127.0.0.1 (default port 8080)
cargo dev test [--only CHECK,…]        set up what is missing and run the checks: fmt, lint, native, wasm, e2e
cargo dev build [--debug]              build the app into dist/
cargo dev bench [--only browser|lab] [--dist DIR] [--lab FILE]
                                       measure the release build (or the one in DIR) and the release lab (or FILE), compare the
                                       network's worker with onnxruntime-web, write the tables of docs/performance.md
cargo dev size                         print what the app's wasm is made of, by crate and module
cargo dev setup                        only install what is missing
";

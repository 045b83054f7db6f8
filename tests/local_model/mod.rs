//! A real, if tiny, language model on this machine: SmolLM2-135M behind the real llama.cpp server (`tests/llm_server.py`).

#![allow(
    clippy::unwrap_used,
    reason = "outside the test functions too, a failure is a failed test"
)]

use std::{
    io::{BufRead, BufReader, Read},
    path::Path,
    process::{Child, Command, Stdio},
};

use serde_json::Value;

/// What the server's script says where a package is missing.
const MISSING: i32 = 3;

/// The running server. It ends when its standard input does.
pub struct LocalModel {
    child: Child,
    /// The address of its API.
    pub base: String,
    /// The model's name.
    pub model: String,
}

impl LocalModel {
    /// `None`, with a message, where its packages are not installed.
    pub fn start(context: u32) -> Option<Self> {
        let python = std::env::var("KIBITZ_LLM_PYTHON").unwrap_or_else(|_| "python3".to_owned());
        let child = Command::new(&python)
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/llm_server.py"))
            .args(["--context", &context.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let Ok(mut child) = child else {
            eprintln!("skipped: {python} can't be run");
            return None;
        };
        // Its log is read to the end, or the pipe would fill and stop it.
        let mut log = child.stderr.take().unwrap();
        let log = std::thread::spawn(move || {
            let mut text = Vec::new();
            // What was logged before the server was ended is enough.
            let _ = log.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        });
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let Ok(ready) = serde_json::from_str::<Value>(&line) else {
            let status = child.wait().unwrap();
            let log = log.join().unwrap();
            assert_eq!(status.code(), Some(MISSING), "{log}");
            eprintln!("skipped: {}", log.trim());
            return None;
        };
        let text = |name: &str| ready[name].as_str().unwrap().to_owned();
        Some(Self {
            base: text("base"),
            model: text("model"),
            child,
        })
    }
}

impl Drop for LocalModel {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

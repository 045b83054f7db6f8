//! A child process that talks in lines.

use std::{
    ffi::OsStr,
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, RecvTimeoutError, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

/// The longest line kept, in bytes; what goes beyond becomes a line of its own. Engines' longest are under 4,000.
const MAX_LINE: u64 = 1 << 16;
/// Lines that may wait to be read before the child has to.
const BACKLOG: usize = 4096;
/// How long a child may take to go after its input was closed.
const FAREWELL: Duration = Duration::from_millis(200);

/// A running child. It is killed when this is dropped.
#[derive(Debug)]
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    complaint: Arc<Mutex<String>>,
    /// Closed once all that the child complains of has been read.
    complained: Receiver<()>,
}

/// Why a child is of no use.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// It can't be started.
    #[error("{program} can't be started: {error}")]
    Start {
        /// What was to be run.
        program: String,
        /// Why not.
        error: std::io::Error,
    },
    /// It ended.
    #[error("{0}")]
    Ended(String),
    /// It said nothing in the time it had.
    #[error("no answer")]
    Silent,
}

impl Process {
    /// Starts `program` with `args`.
    pub fn start(program: &OsStr, args: &[&OsStr]) -> Result<Self, ProcessError> {
        let mut child = Command::new(program)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| ProcessError::Start {
                program: program.to_string_lossy().into_owned(),
                error,
            })?;
        let input = child.stdin.take();
        let (send, lines) = sync_channel(BACKLOG);
        if let Some(output) = child.stdout.take() {
            // Ends with the child's output, or when nobody listens any more.
            thread::spawn(move || each_line(output, |line| send.send(line).is_ok()));
        }
        let complaint = Arc::new(Mutex::new(String::new()));
        let (read_all, complained) = sync_channel(0);
        if let Some(errors) = child.stderr.take() {
            let last = Arc::clone(&complaint);
            thread::spawn(move || {
                let _closed_at_the_end = read_all;
                each_line(errors, |line| {
                    if let Ok(mut last) = last.lock()
                        && !line.trim().is_empty()
                    {
                        *last = line;
                    }
                    true
                });
            });
        }
        Ok(Self {
            child,
            input,
            lines,
            complaint,
            complained,
        })
    }

    /// Writes text, which ends its own lines, at once.
    pub fn send(&mut self, text: &str) -> Result<(), ProcessError> {
        let written = self
            .input
            .as_mut()
            .is_some_and(|input| input.write_all(text.as_bytes()).and_then(|()| input.flush()).is_ok());
        if written { Ok(()) } else { Err(self.ended()) }
    }

    /// The next line, without its end.
    pub fn line(&mut self, until: Instant) -> Result<String, ProcessError> {
        let left = until.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(left) {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => Err(ProcessError::Silent),
            Err(RecvTimeoutError::Disconnected) => Err(self.ended()),
        }
    }

    fn ended(&mut self) -> ProcessError {
        let status = match self.wait(FAREWELL) {
            Some(status) => status.to_string(),
            None => "it closed its pipes".to_owned(),
        };
        // Its end may be known before its last words are; a grandchild that holds the pipe is not waited for.
        let _ = self.complained.recv_timeout(FAREWELL);
        let complaint = self.complaint.lock().map(|last| last.clone()).unwrap_or_default();
        ProcessError::Ended(if complaint.is_empty() {
            status
        } else {
            format!("{status}; it said {:?}", complaint.trim())
        })
    }

    fn wait(&mut self, limit: Duration) -> Option<std::process::ExitStatus> {
        let end = Instant::now() + limit;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < end => thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Engines end with their input; what does not is killed. Nothing can be done about a kill that fails.
        drop(self.input.take());
        if self.wait(FAREWELL).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Hands over each line until there are no more or `take` says that it is enough.
fn each_line(stream: impl Read, mut take: impl FnMut(String) -> bool) {
    let mut stream = BufReader::new(stream);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match stream.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&bytes);
        if !take(text.trim_end_matches(['\r', '\n']).to_owned()) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Process {
        Process::start("sh".as_ref(), &["-c".as_ref(), script.as_ref()]).unwrap()
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(10)
    }

    #[test]
    fn lines_go_both_ways() {
        let mut process = shell("while read -r x; do echo \"got $x\"; done");
        process.send("one\ntwo\n").unwrap();
        assert_eq!(process.line(soon()).unwrap(), "got one");
        assert_eq!(process.line(soon()).unwrap(), "got two");
        assert!(matches!(
            process.line(Instant::now() + Duration::from_millis(20)),
            Err(ProcessError::Silent)
        ));
    }

    #[test]
    fn an_end_is_reported_with_its_reason() {
        let mut process = shell("echo up; echo 'no such network' >&2; exit 3");
        assert_eq!(process.line(soon()).unwrap(), "up");
        let error = process.line(soon()).unwrap_err().to_string();
        assert!(error.contains('3') && error.contains("no such network"), "{error}");
    }

    #[test]
    fn a_deaf_child_is_killed() {
        let begun = Instant::now();
        drop(shell("trap '' TERM HUP; while :; do sleep 0.05; done"));
        assert!(begun.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn what_does_not_exist_is_named() {
        let error = Process::start("/nowhere/engine".as_ref(), &[]).unwrap_err().to_string();
        assert!(error.contains("/nowhere/engine"), "{error}");
    }
}

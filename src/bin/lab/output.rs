//! What the lab says: standard output and standard error, one way of writing to each.
//!
//! A reader that has seen enough (`lab report … | head`) closes the pipe, which is no fault: the rest is not printed, a
//! stream of lines ends there, and what is written to files goes on. `println!` would panic. What cannot be printed for
//! another reason, a full disk say, is said at the end, and the exit status is 2.

use std::{
    error::Error,
    fmt,
    io::{self, StdoutLock, Write},
    process::ExitCode,
    sync::OnceLock,
};

/// Why nothing more can be printed: the first failure.
static FAILURE: OnceLock<io::Error> = OnceLock::new();

/// A line on standard output.
macro_rules! outln {
    () => { $crate::output::print(format_args!("\n")) };
    ($($text:tt)*) => { $crate::output::print(format_args!("{}\n", format_args!($($text)*))) };
}

/// A part of a line on standard output.
macro_rules! out {
    ($($text:tt)*) => { $crate::output::print(format_args!($($text)*)) };
}

/// A line on standard error. Where nobody reads it, it is gone.
macro_rules! errln {
    ($($text:tt)*) => { $crate::output::tell(format_args!("{}\n", format_args!($($text)*))) };
}

/// Prints; a failure is kept for [`finished`].
pub fn print(text: fmt::Arguments<'_>) {
    if FAILURE.get().is_none()
        && let Err(error) = io::stdout().write_fmt(text)
    {
        keep(&error);
    }
}

/// Says something on standard error.
pub fn tell(text: fmt::Arguments<'_>) {
    // There is nowhere left to say that it failed.
    let _ = io::stderr().write_fmt(text);
}

/// Standard output for a stream of lines, which ends with its first error.
pub struct Output(StdoutLock<'static>);

/// Standard output, locked.
pub fn stdout() -> Output {
    Output(io::stdout().lock())
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).inspect_err(keep)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().inspect_err(keep)
    }
}

fn keep(error: &io::Error) {
    if error.kind() != io::ErrorKind::Interrupted {
        // The first one stands.
        let _ = FAILURE.set(io::Error::new(error.kind(), error.to_string()));
    }
}

fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    let kind = match error.downcast_ref::<io::Error>() {
        Some(error) => Some(error.kind()),
        None => error.downcast_ref().and_then(serde_json::Error::io_error_kind),
    };
    kind == Some(io::ErrorKind::BrokenPipe)
}

/// How the program ends, given how its work did. An error that is but the closed pipe is none.
pub fn finished(result: Result<ExitCode, Box<dyn Error>>) -> ExitCode {
    // What is still in the buffer of a line.
    if let Err(error) = io::stdout().flush() {
        keep(&error);
    }
    match (result, FAILURE.get()) {
        (Ok(code), None) => code,
        (Ok(code), Some(error)) if error.kind() == io::ErrorKind::BrokenPipe => code,
        (Err(error), Some(_)) if is_closed_pipe(&*error) => ExitCode::SUCCESS,
        (Ok(_), Some(error)) => {
            errln!("lab: the output cannot be written: {error}");
            ExitCode::from(2)
        }
        (Err(error), _) => {
            errln!("lab: {error}");
            ExitCode::from(2)
        }
    }
}

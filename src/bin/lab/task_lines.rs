//! Work that comes as a file with a JSON object a line: a result a line goes out, and an error in a bad line's place.

use std::{
    error::Error,
    io::{self, BufRead, BufReader, Write},
    path::Path,
};

use serde_json::Value;

use super::record::ErrorRecord;

/// A line that was read.
#[derive(Debug)]
pub struct TaskLine {
    /// Given back with whatever comes of the line.
    pub id: Option<Value>,
    /// The whole object.
    pub object: Value,
}

/// How many lines came to something, and how many did not.
#[derive(Debug, Default)]
pub struct Tally {
    done: usize,
    failed: usize,
}

impl Tally {
    /// "3 commented, 1 failed".
    pub fn as_text(&self, done: &str) -> String {
        format!("{} {done}, {} failed", self.done, self.failed)
    }
}

/// Opens a file, or standard input.
pub fn open(path: &Path) -> Result<Box<dyn BufRead>, Box<dyn Error>> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(io::stdin().lock()));
    }
    match std::fs::File::open(path) {
        Ok(file) => Ok(Box::new(BufReader::new(file))),
        Err(error) => Err(format!("--in {} can't be read: {error}", path.display()).into()),
    }
}

/// Puts every line through `work`, which writes what comes of it; the error of one that fails is written here.
pub fn each<W: Write>(
    mut lines: impl BufRead,
    out: &mut W,
    json: bool,
    mut work: impl FnMut(&TaskLine, &mut W) -> Result<(), TaskError>,
) -> io::Result<Tally> {
    let mut tally = Tally::default();
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        if lines.read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        let (id, result) = match serde_json::from_slice::<Value>(&bytes) {
            Ok(object) => {
                // Taken first, so that an error keeps it even where the rest of the object is not as it should be.
                let id = object.get("id").filter(|id| !id.is_null()).cloned();
                let line = TaskLine { id, object };
                let result = work(&line, out);
                (line.id, result)
            }
            Err(error) => (None, Err(TaskError::Bad(format!("this line is not JSON: {error}")))),
        };
        match result {
            Ok(()) => tally.done += 1,
            Err(TaskError::Out(error)) => return Err(error),
            Err(TaskError::Bad(error)) => {
                tally.failed += 1;
                if json {
                    let record = ErrorRecord {
                        id: id.as_ref(),
                        error: &error,
                        line: number,
                    };
                    writeln!(out, "{}", serde_json::to_string(&record)?)?;
                } else {
                    writeln!(out, "line {number}: {error}\n")?;
                }
            }
        }
        out.flush()?;
    }
    Ok(tally)
}

/// Why a line came to nothing.
#[derive(Debug)]
pub enum TaskError {
    /// The line, or the work on it: the next line goes on.
    Bad(String),
    /// Nothing can be written any more: the whole run ends.
    Out(io::Error),
}

impl From<Box<dyn Error>> for TaskError {
    fn from(error: Box<dyn Error>) -> Self {
        Self::Bad(error.to_string())
    }
}

impl From<io::Error> for TaskError {
    fn from(error: io::Error) -> Self {
        Self::Out(error)
    }
}

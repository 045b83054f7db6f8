//! What was asked for on the command line.

use std::path::PathBuf;

use crate::bench::Part;
use crate::check::Check;
use crate::failure::Failure;
use crate::kind::Kind;

/// The first word after `cargo dev`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// Print the help.
    Help,
    /// Install what is missing.
    Setup,
    /// Set up and build.
    Build,
    /// Set up, build and serve.
    Serve {
        /// The port asked for; without one 8080 or the next that is free.
        port: Option<u16>,
    },
    /// Measure, and write the tables of what was measured.
    Bench {
        /// A release build that is there already.
        dist: Option<PathBuf>,
        /// A lab that is there already.
        lab: Option<PathBuf>,
        /// The one part that is measured; of the other one what it found last is told again.
        part: Option<Part>,
    },
    /// Print what the wasm programs are made of.
    Size,
    /// Set up and run checks.
    Test {
        /// Which checks, in the order of [`Check::ALL`].
        only: Vec<Check>,
    },
}

/// A command line that was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// What to do.
    pub task: Task,
    /// How to compile the app.
    pub kind: Kind,
}

impl Options {
    /// Reads the words after `cargo dev`; a word that means nothing there is refused by name.
    pub fn read(words: &[String]) -> Result<Options, Failure> {
        let mut words = words.iter().map(String::as_str);
        let task = words.next().unwrap_or("help");
        let (mut kind, mut port, mut only) = (Kind::Release, None, None);
        let (mut dist, mut lab, mut part) = (None, None, None);
        let builds = matches!(task, "build" | "serve");
        while let Some(word) = words.next() {
            match word {
                "--debug" if builds => kind = Kind::Debug,
                "--port" if task == "serve" => {
                    let value = words.next().unwrap_or_default();
                    let number = value.parse::<u16>().ok().filter(|number| *number > 0);
                    port =
                        Some(number.ok_or_else(|| Failure::usage(format!("--port wants 1 to 65535, not “{value}”")))?);
                }
                "--dist" if task == "bench" => dist = Some(path(word, words.next())?),
                "--lab" if task == "bench" => lab = Some(path(word, words.next())?),
                "--only" if task == "bench" => part = Some(Part::read(words.next().unwrap_or_default())?),
                "--only" if task == "test" => only = Some(Check::read_list(words.next().unwrap_or_default())?),
                _ => {
                    return Err(Failure::usage(format!(
                        "“{word}” means nothing after `cargo dev {task}`"
                    )));
                }
            }
        }
        let task = match task {
            "help" | "--help" | "-h" => Task::Help,
            "setup" => Task::Setup,
            "build" => Task::Build,
            "serve" => Task::Serve { port },
            "bench" => Task::Bench { dist, lab, part },
            "size" => Task::Size,
            "test" => Task::Test {
                only: only.unwrap_or_else(|| Check::ALL.to_vec()),
            },
            _ => return Err(Failure::usage(format!("there is no `cargo dev {task}`"))),
        };
        Ok(Options { task, kind })
    }
}

/// The path that follows an option, from where the command was given: it runs elsewhere.
fn path(option: &str, word: Option<&str>) -> Result<PathBuf, Failure> {
    let word = word.filter(|word| !word.is_empty());
    let word = word.ok_or_else(|| Failure::usage(format!("{option} wants a path")))?;
    std::path::absolute(word).map_err(|source| Failure::file(word, source))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Options, Failure> {
        Options::read(&line.split_whitespace().map(String::from).collect::<Vec<_>>())
    }

    #[test]
    fn reads_the_documented_commands() {
        let serve = read("serve --debug --port 9000").unwrap();
        assert_eq!(
            serve,
            Options {
                task: Task::Serve { port: Some(9000) },
                kind: Kind::Debug
            }
        );
        let test = read("test --only e2e,fmt").unwrap();
        assert_eq!(
            test.task,
            Task::Test {
                only: vec![Check::Format, Check::EndToEnd]
            }
        );
        assert_eq!(
            read("test").unwrap().task,
            Task::Test {
                only: Check::ALL.to_vec()
            }
        );
        let bench = read("bench --dist dist").unwrap().task;
        let dist = std::path::absolute("dist").ok();
        let (lab, part) = (None, None);
        assert_eq!(bench, Task::Bench { dist, lab, part });
        let lab = read("bench --only lab").unwrap().task;
        assert!(matches!(
            lab,
            Task::Bench {
                part: Some(Part::Lab),
                ..
            }
        ));
        assert_eq!(read("").unwrap().task, Task::Help);
    }

    #[test]
    fn refuses_by_name() {
        for (line, named) in [
            ("serve --port zero", "zero"),
            ("serve --port 0", "“0”"),
            ("serve --port", "--port"),
            ("test --debug", "--debug"),
            ("bench --dist", "--dist"),
            ("bench --only lap", "lap"),
            ("serve --dist dist", "--dist"),
            ("test --only fmt,typo", "typo"),
            ("deploy", "deploy"),
        ] {
            let message = read(line).unwrap_err().to_string();
            assert!(message.contains(named), "{line}: {message}");
        }
    }
}

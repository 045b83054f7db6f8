//! The instances that the authors published, `end_long.jsonl` and `start_long.jsonl` and their like: their fields, held against
//! the rules of chess.

use std::collections::BTreeMap;

use serde::Deserialize;
use shakmaty::Square;
use thiserror::Error;

use super::{
    ply::{ReplayError, replay, typed_text},
    probe::{Probe, ProbeError, ProbeLine, ProbeTask, piece_type},
};
use crate::{
    long_run::lines::{LineError, read_lines},
    pace::{AtOnce, Pace, at_once},
};

/// A line of either file.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum PublishedLine {
    End(EndLine),
    Start(StartLine),
}

/// A line of `end_….jsonl`.
#[derive(Debug, Clone, Deserialize)]
struct EndLine {
    prefix: String,
    oracle_prefix: String,
    piece_type: String,
    starting_square: String,
    ending_square: String,
    legal_ending_square: Vec<String>,
    other_piece_type: String,
    other_starting_square: String,
    other_ending_square: Vec<String>,
}

/// A line of `start_….jsonl`.
#[derive(Debug, Clone, Deserialize)]
struct StartLine {
    prefix: String,
    oracle_prefix: String,
    piece_type: String,
    starting_square: String,
    legal_starting_square: Vec<String>,
    other_piece_type: String,
    other_starting_square: Vec<String>,
}

/// Why a file is none of the authors'.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PublishedError {
    /// A line is not of that shape.
    #[error("{0}; lines of end_….jsonl and start_….jsonl are read")]
    Line(#[from] LineError),
    /// A line is no probe.
    #[error("line {line}: {error}")]
    Probe {
        /// From 1.
        line: usize,
        /// What is wrong.
        error: ProbeError,
    },
    /// The moves with their types are none.
    #[error("line {line}: oracle_prefix: {error}")]
    Types {
        /// From 1.
        line: usize,
        /// What is wrong.
        error: ReplayError,
    },
    /// A field says something else than the rules of chess.
    #[error("line {line}: {field} is not what the rules of chess make of the prefix")]
    Rules {
        /// From 1.
        line: usize,
        /// Which field.
        field: &'static str,
    },
    /// Two files ask different things after one prefix.
    #[error("line {line}: another line with this prefix has another starting_square")]
    Apart {
        /// From 1.
        line: usize,
    },
}

/// Instances by their prefix, put together from one or both files.
#[derive(Debug, Clone, Default)]
pub struct Published {
    lines: Vec<ProbeLine>,
    by_prefix: BTreeMap<String, usize>,
}

impl Published {
    /// Takes a file. What both files have of a prefix becomes one probe.
    ///
    /// # Errors
    /// When a line is not of the authors' shape, or contradicts the rules.
    pub fn add(&mut self, text: &str) -> Result<(), PublishedError> {
        at_once(self.add_at(text, &AtOnce))
    }

    /// The same in turns. Where it fails, what came before the bad line is there.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub async fn add_at(&mut self, text: &str, pace: &impl Pace) -> Result<(), PublishedError> {
        for line in read_lines(text) {
            pace.turn().await;
            let (number, line) = line?;
            let read = match line {
                PublishedLine::End(line) => line.probe(number)?,
                PublishedLine::Start(line) => line.probe(number)?,
            };
            match self.by_prefix.get(&read.prefix) {
                Some(place) => {
                    let known = &mut self.lines[*place];
                    if known.starting_square != read.starting_square {
                        return Err(PublishedError::Apart { line: number });
                    }
                    known.ending_square = known.ending_square.take().or(read.ending_square);
                    known.other_starting_square = known.other_starting_square.take().or(read.other_starting_square);
                    known.other_piece_type = known.other_piece_type.take().or(read.other_piece_type);
                }
                None => {
                    self.by_prefix.insert(read.prefix.clone(), self.lines.len());
                    let id = format!("p{}", self.lines.len() + 1);
                    self.lines.push(ProbeLine { id, ..read });
                }
            }
        }
        Ok(())
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The probes, in the order of the files.
    #[must_use]
    pub fn probes(&self) -> Vec<Probe> {
        at_once(self.probes_at(&AtOnce))
    }

    /// The same in turns.
    pub async fn probes_at(&self, pace: &impl Pace) -> Vec<Probe> {
        let mut probes = Vec::with_capacity(self.lines.len());
        for line in &self.lines {
            pace.turn().await;
            // Every line was read once before.
            probes.extend(Probe::read(line).ok());
        }
        probes
    }
}

impl EndLine {
    fn probe(self, line: usize) -> Result<ProbeLine, PublishedError> {
        let read = ProbeLine {
            id: String::new(),
            prefix: self.prefix,
            starting_square: self.starting_square,
            ending_square: Some(self.ending_square),
            other_starting_square: Some(self.other_starting_square),
            other_piece_type: None,
        };
        let probe = Probe::read(&read).map_err(|error| PublishedError::Probe { line, error })?;
        check_types(&probe, &self.oracle_prefix, line)?;
        let actual = Said {
            task: ProbeTask::EndActual,
            role: ("piece_type", &self.piece_type),
            legal: ("legal_ending_square", &self.legal_ending_square),
        };
        let other = Said {
            task: ProbeTask::EndOther,
            role: ("other_piece_type", &self.other_piece_type),
            legal: ("other_ending_square", &self.other_ending_square),
        };
        check(&probe, [actual, other], line)?;
        Ok(read)
    }
}

impl StartLine {
    fn probe(self, line: usize) -> Result<ProbeLine, PublishedError> {
        let read = ProbeLine {
            id: String::new(),
            prefix: self.prefix,
            starting_square: self.starting_square,
            ending_square: None,
            other_starting_square: None,
            other_piece_type: Some(self.other_piece_type.clone()),
        };
        let probe = Probe::read(&read).map_err(|error| PublishedError::Probe { line, error })?;
        check_types(&probe, &self.oracle_prefix, line)?;
        let actual = Said {
            task: ProbeTask::StartActual,
            role: ("piece_type", &self.piece_type),
            legal: ("legal_starting_square", &self.legal_starting_square),
        };
        let other = Said {
            task: ProbeTask::StartOther,
            role: ("other_piece_type", &self.other_piece_type),
            legal: ("other_starting_square", &self.other_starting_square),
        };
        check(&probe, [actual, other], line)?;
        Ok(read)
    }
}

/// The prefix with its types is the prefix.
fn check_types(probe: &Probe, oracle_prefix: &str, line: usize) -> Result<(), PublishedError> {
    replay(oracle_prefix).map_err(|error| PublishedError::Types { line, error })?;
    let words: Vec<&str> = oracle_prefix.split_whitespace().collect();
    if words.join(" ") == typed_text(probe.plies()) {
        Ok(())
    } else {
        let field = "oracle_prefix";
        Err(PublishedError::Rules { line, field })
    }
}

/// What a line says of a task: fields and their values.
struct Said<'a> {
    task: ProbeTask,
    role: (&'static str, &'a str),
    legal: (&'static str, &'a [String]),
}

fn check(probe: &Probe, said: [Said; 2], line: usize) -> Result<(), PublishedError> {
    for Said { task, role, legal } in said {
        let wrong = |field| PublishedError::Rules { line, field };
        let question = probe.question(task).ok_or_else(|| wrong(legal.0))?;
        let own = piece_type(role.0, role.1).map_err(|error| PublishedError::Probe { line, error })?;
        if own != question.role {
            return Err(wrong(role.0));
        }
        let mut squares: Vec<Square> = legal
            .1
            .iter()
            .map(|text| Square::from_ascii(text.as_bytes()).map_err(|_| wrong(legal.0)))
            .collect::<Result<_, _>>()?;
        squares.sort_unstable();
        if squares != question.legal {
            return Err(wrong(legal.0));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of their shape, about the paper's example.
    const END: &str = r#"{"prefix": "e2e4 e7e5 g1f3 b8c6 d2d4 h7h6", "oracle_prefix": "Pe2e4 Pe7e5 Ng1f3 Nb8c6 Pd2d4 Ph7h6", "piece_type": "B", "starting_square": "f1", "ending_square": "b5", "legal_ending_square": ["a6", "b5", "c4", "d3", "e2"], "other_piece_type": "N", "other_starting_square": "f3", "other_ending_square": ["g5", "e5", "h4", "d2", "g1"]}
"#;
    const START: &str = r#"{"prefix": "e2e4 e7e5 g1f3 b8c6 d2d4 h7h6", "oracle_prefix": "Pe2e4 Pe7e5 Ng1f3 Nb8c6 Pd2d4 Ph7h6", "piece_type": "B", "starting_square": "f1", "legal_starting_square": ["f1", "c1"], "other_piece_type": "N", "other_starting_square": ["b1", "f3"]}
"#;

    #[test]
    fn both_files_make_one_set() {
        let mut both = Published::default();
        both.add(END).unwrap();
        both.add(START).unwrap();
        let probes = both.probes();
        assert_eq!(probes.len(), 1);
        for task in ProbeTask::ALL {
            assert!(probes[0].question(task).is_some(), "{}", task.label());
        }
        assert_eq!(
            probes[0].line(),
            ProbeLine {
                id: "p1".to_owned(),
                ..super::super::probe::tests::example()
            }
        );
        let mut start = Published::default();
        start.add(START).unwrap();
        assert!(start.probes()[0].question(ProbeTask::EndActual).is_none());
    }

    #[test]
    fn what_contradicts_the_rules_is_refused_by_its_field() {
        let field = |text: &str, from: &str, to: &str| {
            assert!(text.contains(from), "{from}");
            match Published::default().add(&text.replace(from, to)) {
                Err(PublishedError::Rules { line: 1, field }) => field.to_owned(),
                other => format!("{other:?}"),
            }
        };
        assert_eq!(field(END, "\"c4\", ", ""), "legal_ending_square");
        assert_eq!(field(END, "\"g1\"]", "\"g1\", \"d2\"]"), "other_ending_square");
        assert_eq!(field(END, "\"e5\", ", "\"z5\", "), "other_ending_square");
        assert_eq!(field(END, "\"B\"", "\"Q\""), "piece_type");
        assert_eq!(field(START, "[\"b1\", ", "["), "other_starting_square");
        assert!(field(END, "Ng1f3", "g1f3").contains("oracle_prefix"));
        assert!(field(END, "Ng1f3", "Bg1f3").contains("Types"));
        assert!(field(END, "\"b5\", \"legal", "\"b6\", \"legal").contains("NotLegal"));
        assert!(matches!(Published::default().add("{}\n"), Err(PublishedError::Line(_))));
    }
}

//! What is saved: the run's file, and its boards in the forms that sets have. Large ones are written in turns.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{Annotating, lines};
use crate::{
    browser::{
        files::{Pieces, SaveError},
        slices::Slices,
    },
    chessbench::{
        bag::BagWriter,
        bag_record::{BagKind, bag_records},
        csv_file::{head_line, write_rows},
        record::{RecordSet, records_text},
    },
    pace::Pace,
};

/// Boards that are written in one step: a fraction of a millisecond each.
const WRITTEN: usize = 16;

/// A form that annotated boards are saved in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetForm {
    /// A header, then a board a line.
    Jsonl,
    /// A row an action.
    Csv,
    /// A file in the dataset's own layout.
    Bag(BagKind),
}

impl SetForm {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Jsonl,
        Self::Csv,
        Self::Bag(BagKind::ActionValue),
        Self::Bag(BagKind::StateValue),
        Self::Bag(BagKind::BehavioralCloning),
    ];

    /// For people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Jsonl => "JSON lines",
            Self::Csv => "CSV",
            Self::Bag(BagKind::ActionValue) => "Action values (.bag)",
            Self::Bag(BagKind::StateValue) => "State values (.bag)",
            Self::Bag(BagKind::BehavioralCloning) => "Best moves (.bag)",
        }
    }

    /// The name of its button.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
            Self::Bag(BagKind::ActionValue) => "action-values",
            Self::Bag(BagKind::StateValue) => "state-values",
            Self::Bag(BagKind::BehavioralCloning) => "best-moves",
        }
    }

    const fn file(self) -> (&'static str, &'static str) {
        match self {
            Self::Jsonl => ("searchless-set.jsonl", "application/jsonl"),
            Self::Csv => ("searchless-set.csv", "text/csv"),
            Self::Bag(kind) => (kind.file_name(), "application/octet-stream"),
        }
    }

    async fn write(self, set: &RecordSet, pace: &Slices) -> Result<Pieces, SaveError> {
        let pieces = Pieces::default();
        let chunks = set.records.chunks(WRITTEN);
        match self {
            Self::Jsonl => {
                pieces.add(set.header.line().as_bytes())?;
                for records in chunks {
                    pace.turn().await;
                    pieces.add(records_text(records).as_bytes())?;
                }
            }
            Self::Csv => {
                pieces.add(head_line().as_bytes())?;
                for records in chunks {
                    pace.turn().await;
                    pieces.add(write_rows(records).as_bytes())?;
                }
            }
            Self::Bag(kind) => {
                let mut writer = BagWriter::new(Vec::new());
                for records in chunks {
                    pace.turn().await;
                    for record in bag_records(records, kind) {
                        // Memory takes every record.
                        let _ = writer.write(&record.encode());
                    }
                    pieces.add(&writer.take_piece())?;
                }
                let ends = writer.finish().unwrap_or_default();
                for ends in ends.chunks(1 << 20) {
                    pace.turn().await;
                    pieces.add(ends)?;
                }
            }
        }
        Ok(pieces)
    }
}

impl Annotating {
    /// Saves the run.
    pub fn save_run(&self) {
        let this = *self;
        spawn_local(async move {
            let pace = Slices::new();
            let Some(run) = this.copy(&pace).await else { return };
            let write = async || {
                let pieces = Pieces::default();
                pieces.add(run.head_at(&pace).await.as_bytes())?;
                for rows in run.rows.chunks(WRITTEN) {
                    pace.turn().await;
                    pieces.add(lines(rows).as_bytes())?;
                }
                pieces.save("searchless-run.jsonl", "application/jsonl")
            };
            this.saved(write().await);
        });
    }

    /// Saves the boards that are annotated.
    pub fn save_set(&self, form: SetForm) {
        let this = *self;
        spawn_local(async move {
            let pace = Slices::new();
            let Some(run) = this.copy(&pace).await else { return };
            let set = run.set_at(&pace).await;
            drop(run);
            let (name, media_type) = form.file();
            let pieces = form.write(&set, &pace).await;
            this.saved(pieces.and_then(|pieces| pieces.save(name, media_type)));
        });
    }

    fn saved(&self, result: Result<(), SaveError>) {
        if let Err(error) = result {
            self.problem.set(Some(format!("The file could not be saved: {error}.")));
        }
    }
}

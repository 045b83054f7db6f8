//! Whom items' moves are looked at by, and what is known of them then.

use std::{collections::BTreeMap, error::Error, path::PathBuf};

use kibitz::{
    commentary::FactSheet,
    judge::item::{JudgedItem, engine_words},
    survey::study::played,
};

use super::super::{
    comment::LimitArgs,
    pipeline::{Pipeline, known_searches},
    setup::{Parts, SetupError},
};

/// What is asked about the moves.
#[derive(Debug, Clone, clap::Args)]
pub struct Source {
    /// A UCI engine; without it `stockfish` on the PATH, then /usr/games/stockfish.
    #[arg(long, value_name = "PATH")]
    engine: Option<PathBuf>,
    /// Asks no engine: judges get no evaluation, and the claim check only the board.
    #[arg(long, conflicts_with = "engine")]
    no_engine: bool,
    #[command(flatten)]
    limit: LimitArgs,
}

/// What is known of the moves of items, by the items' ids.
pub type Sheets = BTreeMap<String, FactSheet>;

impl Source {
    /// The pipeline with its engine, or without one.
    pub fn pipeline(&self) -> Result<Pipeline, Box<dyn Error>> {
        let parts = Parts {
            engine: self.engine.clone(),
            labels: None,
            net: None,
        };
        let engine = match self.no_engine {
            true => None,
            false => Some(parts.engine()?.ok_or(SetupError::NoEngine)?),
        };
        Ok(Pipeline {
            engine,
            labels: None,
            network: None,
            probes: None,
            rule: kibitz::concepts::Rule::default(),
            limit: self.limit.limit(),
            multipv: 2,
            known: Some(known_searches()),
        })
    }

    /// The sheets of items with comments that nobody has declared the claims of; those that are `known` are not made again. The
    /// engine is the one that the items were prepared with, so that declared claims are judged by what judges are told.
    pub fn sheets_for(&self, items: &[&JudgedItem], mut known: Sheets) -> Result<Sheets, Box<dyn Error>> {
        let mut pipeline = None;
        for item in items {
            if known.contains_key(&item.id) || item.undeclared().next().is_none() {
                continue;
            }
            if pipeline.is_none() {
                pipeline = Some(match item.engine {
                    Some(_) => self.pipeline()?,
                    None => Self {
                        no_engine: true,
                        ..self.clone()
                    }
                    .pipeline()?,
                });
            }
            let Some(pipeline) = &mut pipeline else { continue };
            let sheet = sheet(pipeline, &item.id, &item.fen, &item.mv)?;
            if engine_words(&sheet) != item.engine {
                let by = |engine: &Option<String>| engine.clone().unwrap_or_else(|| "no engine".to_owned());
                return Err(format!(
                    "item {} was prepared with {}, and would be looked at with {} for its claims: give that engine and limit, or \
                     have claims declared where the items are prepared",
                    item.id,
                    by(&item.engine),
                    by(&engine_words(&sheet))
                )
                .into());
            }
            known.insert(item.id.clone(), sheet);
        }
        Ok(known)
    }
}

/// What is known of a move; `id` names its item in errors.
pub fn sheet(pipeline: &mut Pipeline, id: &str, fen: &str, mv: &str) -> Result<FactSheet, Box<dyn Error>> {
    let played = played(fen, mv).map_err(|error| format!("item {id}: {error}"))?;
    let evaluation = pipeline.evaluate(&played)?;
    Ok(FactSheet::new(&played, evaluation.as_ref(), None))
}

//! The part of a run that one machine does.

use std::{collections::BTreeSet, fmt, str::FromStr};

use thiserror::Error;

/// One of so many parts, as `i/n`, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    part: usize,
    parts: usize,
}

/// A text that names no shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a shard is written i/n, i from 0 to n − 1")]
pub struct ShardError;

impl Shard {
    /// The only shard: the whole run.
    pub const WHOLE: Self = Self { part: 0, parts: 1 };

    /// Those tasks whose unit is every `n`-th, from the one with the number `i`: the tasks of a unit stay together.
    #[must_use]
    pub fn of<T>(self, tasks: Vec<T>, unit: impl Fn(&T) -> &str) -> Vec<T> {
        let mut units: Vec<&str> = Vec::new();
        let mut seen = BTreeSet::new();
        for task in &tasks {
            if seen.insert(unit(task)) {
                units.push(unit(task));
            }
        }
        let mine: BTreeSet<String> = units
            .into_iter()
            .skip(self.part)
            .step_by(self.parts)
            .map(str::to_owned)
            .collect();
        tasks.into_iter().filter(|task| mine.contains(unit(task))).collect()
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let parts = text
            .split_once('/')
            .and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match parts {
            Some((part, parts)) if part < parts => Ok(Self { part, parts }),
            _ => Err(ShardError),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_the_whole_and_units_stay_together() {
        let tasks: Vec<(String, u8)> = (0..7)
            .flat_map(|item| [(format!("i{item}"), 0), (format!("i{item}"), 1)])
            .collect();
        let mut all = Vec::new();
        for part in 0..3 {
            let shard: Shard = format!("{part}/3").parse().unwrap();
            let mine = shard.of(tasks.clone(), |task| &task.0);
            assert!(mine.chunks(2).all(|pair| pair[0].0 == pair[1].0));
            all.extend(mine);
        }
        all.sort();
        assert_eq!(all, tasks);
        assert_eq!(Shard::WHOLE.of(tasks.clone(), |task| &task.0), tasks);
        for wrong in ["", "1", "3/3", "0/0", "-1/2", "a/b"] {
            assert_eq!(wrong.parse::<Shard>(), Err(ShardError), "{wrong}");
        }
    }
}

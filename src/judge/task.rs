//! The single judgements of a run: *items × methods × judges × criteria*, and pairs of methods in both orders.

use serde::{Deserialize, Serialize};

use super::{
    gcc_eval::Criterion,
    item::JudgedItem,
    judges::{Judge, Pairs, Settings},
};
use crate::long_run::shard::Shard;

/// One judgement.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Task {
    /// The item's id.
    pub item: String,
    /// Who judges.
    pub judge: String,
    /// What of it.
    #[serde(flatten)]
    pub ask: Ask,
}

/// What is judged.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub enum Ask {
    /// One comment on one criterion.
    GccEval {
        /// Whose comment.
        method: String,
        /// The criterion.
        criterion: Criterion,
    },
    /// Two comments by the rubric.
    Rubric {
        /// Whose comment is A.
        first: String,
        /// Whose is B.
        second: String,
    },
}

/// All judgements of a run, item by item.
#[must_use]
pub fn tasks(items: &[JudgedItem], judges: &[Judge], settings: &Settings) -> Vec<Task> {
    let mut all = Vec::new();
    for item in items {
        for judge in judges {
            let mut add = |ask| {
                all.push(Task {
                    item: item.id.clone(),
                    judge: judge.name.clone(),
                    ask,
                });
            };
            for comment in &item.comments {
                for criterion in &settings.criteria {
                    add(Ask::GccEval {
                        method: comment.method.clone(),
                        criterion: *criterion,
                    });
                }
            }
            for (first, second) in pairs(item, settings.pairs.as_ref()) {
                add(Ask::Rubric {
                    first: first.to_owned(),
                    second: second.to_owned(),
                });
                add(Ask::Rubric {
                    first: second.to_owned(),
                    second: first.to_owned(),
                });
            }
        }
    }
    all
}

/// The pairs of an item's methods, each once.
fn pairs<'a>(item: &'a JudgedItem, wanted: Option<&Pairs>) -> Vec<(&'a str, &'a str)> {
    let methods: Vec<&str> = item.comments.iter().map(|comment| comment.method.as_str()).collect();
    match wanted {
        None => Vec::new(),
        Some(Pairs::Against(rival)) => {
            let Some(rival) = methods.iter().copied().find(|method| method == rival) else {
                return Vec::new();
            };
            methods
                .into_iter()
                .filter(|method| *method != rival)
                .map(|method| (method, rival))
                .collect()
        }
        Some(Pairs::All) => {
            let mut pairs = Vec::new();
            for (place, first) in methods.iter().enumerate() {
                pairs.extend(methods[place + 1..].iter().map(|second| (*first, *second)));
            }
            pairs
        }
    }
}

/// A machine's part: an item's judgements stay together.
#[must_use]
pub fn shard(tasks: Vec<Task>, shard: Shard) -> Vec<Task> {
    shard.of(tasks, |task| &task.item)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::judge::item::tests::item;

    fn judge(name: &str) -> Judge {
        Judge {
            name: name.to_owned(),
            provider: "openai".to_owned(),
            server: "http://127.0.0.1:1".to_owned(),
            model: name.to_owned(),
        }
    }

    #[test]
    fn every_combination_is_there_once() {
        let mut other = item();
        other.id = "other".to_owned();
        let items = [item(), other];
        let judges = [judge("a"), judge("b")];
        let all = tasks(&items, &judges, &Settings::default());
        // 2 items × 2 judges × (2 methods × 4 criteria + 1 pair × 2 orders)
        assert_eq!(all.len(), 40);
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 40);
        let mut parts: Vec<Task> = (0..3)
            .flat_map(|part| shard(all.clone(), format!("{part}/3").parse().unwrap()))
            .collect();
        parts.sort();
        let mut sorted = all.clone();
        sorted.sort();
        assert_eq!(parts, sorted);
        let against = Settings {
            pairs: Some(Pairs::Against("ours".to_owned())),
            criteria: Vec::new(),
            ..Settings::default()
        };
        assert_eq!(tasks(&items[..1], &judges[..1], &against).len(), 2);
    }

    #[test]
    fn tasks_are_written_flat() {
        let task = Task {
            item: "x".to_owned(),
            judge: "j".to_owned(),
            ask: Ask::GccEval {
                method: "m".to_owned(),
                criterion: Criterion::Clarity,
            },
        };
        let text = serde_json::to_string(&task).unwrap();
        assert_eq!(
            text,
            r#"{"item":"x","judge":"j","ask":"gcc-eval","method":"m","criterion":"clarity"}"#
        );
        assert_eq!(serde_json::from_str::<Task>(&text).unwrap(), task);
    }
}

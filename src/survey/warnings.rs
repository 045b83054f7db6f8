//! What does not keep a study from being run, but is better known before people are asked.

use std::{collections::BTreeSet, fmt};

use super::{
    limits::{MAX_PAGES, MOST_METHODS},
    study::Study,
};
use crate::stats::reach::{LEVELS, PairedTest, positions_needed, smallest_p};

/// The usual level.
const USUAL_LEVEL: f64 = LEVELS[0];
/// The level of the paper's comparisons.
const PAPER_LEVEL: f64 = LEVELS[1];

/// The most items whose gaps are listed.
pub const MOST_LISTED: usize = 20;

/// An item that lacks comments which other items have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// The item's id.
    pub item: String,
    /// The methods that have no comment on it, in the order of [`Study::methods`].
    pub methods: Vec<String>,
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: no comment by {}", self.item, self.methods.join(", "))
    }
}

/// Something to know.
#[derive(Debug, Clone, PartialEq)]
pub enum Warning {
    /// Not every method has a comment on every item.
    Gaps {
        /// The first [`MOST_LISTED`] items with gaps.
        gaps: Vec<Gap>,
        /// Items with gaps, in all.
        items: usize,
        /// Comments that are missing, in all.
        comments: usize,
    },
    /// So few positions that no comparison of methods can reach a level.
    FewPositions {
        /// Items on which at least two methods have comments.
        positions: usize,
    },
}

impl Warning {
    /// What goes below the sentence, one entry a line.
    #[must_use]
    pub fn details(&self) -> Vec<String> {
        match self {
            Self::Gaps { gaps, items, .. } => {
                let more = items.saturating_sub(gaps.len());
                let rest = (more > 0).then(|| format!("and {more} more items"));
                gaps.iter().map(ToString::to_string).chain(rest).collect()
            }
            Self::FewPositions { .. } => Vec::new(),
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gaps { items, comments, .. } => write!(
                f,
                "{} and {}: comparisons of methods leave out what has no pair.",
                counted(*items, "item has gaps", "items have gaps"),
                counted(*comments, "comment is missing", "comments are missing"),
            ),
            Self::FewPositions { positions } => {
                let least = smallest_p(*positions, PairedTest::SignedRank);
                write!(
                    f,
                    "With {} no comparison of two methods can reach p < {PAPER_LEVEL}, the paper’s level: Wilcoxon’s \
                     signed-rank test gives {} at best (2 / 2^{positions}). That takes {} positions or more",
                    counted(*positions, "position", "positions"),
                    shown(least),
                    positions_needed(PAPER_LEVEL, PairedTest::SignedRank, 1).unwrap_or_default(),
                )?;
                if least >= USUAL_LEVEL {
                    write!(
                        f,
                        "; p < {USUAL_LEVEL} takes {}",
                        positions_needed(USUAL_LEVEL, PairedTest::SignedRank, 1).unwrap_or_default()
                    )?;
                }
                f.write_str(". Corrected for several comparisons, it takes more.")
            }
        }
    }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Two figures that matter: 0.002, 0.016, 0.5.
fn shown(p: f64) -> String {
    let digits = if p < 0.01 { 4 } else { 3 };
    let text = format!("{p:.digits$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// What is better known before people are asked.
#[must_use]
pub fn warnings(study: &Study) -> Vec<Warning> {
    let few = few_positions(study);
    gaps(study).into_iter().chain(few).collect()
}

fn gaps(study: &Study) -> Option<Warning> {
    let methods = study.methods();
    // More methods than a study may have are a fault, and no table to look for holes in.
    if methods.len() > MOST_METHODS {
        return None;
    }
    let (mut gaps, mut items, mut comments) = (Vec::new(), 0, 0);
    for item in study.items.iter().take(MAX_PAGES) {
        let there: BTreeSet<&str> = item.comments.iter().map(|comment| comment.method.as_str()).collect();
        let missing: Vec<&str> = methods
            .iter()
            .copied()
            .filter(|method| !there.contains(method))
            .collect();
        if missing.is_empty() {
            continue;
        }
        items += 1;
        comments += missing.len();
        if gaps.len() < MOST_LISTED {
            gaps.push(Gap {
                item: item.id.clone(),
                methods: missing.into_iter().map(str::to_owned).collect(),
            });
        }
    }
    (items > 0).then_some(Warning::Gaps { gaps, items, comments })
}

fn few_positions(study: &Study) -> Option<Warning> {
    let positions = study.items.iter().filter(|item| item.comments.len() > 1).count();
    (positions > 0 && smallest_p(positions, PairedTest::SignedRank) >= PAPER_LEVEL)
        .then_some(Warning::FewPositions { positions })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::demonstration::demonstration;

    #[test]
    fn gaps_are_named_by_item_and_method() {
        let mut study = demonstration().unwrap();
        assert_eq!(gaps(&study), None);
        study.items[1].comments.remove(0);
        study.items[4].comments.truncate(1);
        let warning = gaps(&study).unwrap();
        assert_eq!(
            warning.to_string(),
            "2 items have gaps and 3 comments are missing: comparisons of methods leave out what has no pair."
        );
        assert_eq!(
            warning.details(),
            ["m2: no comment by narrator", "m5: no comment by facts, move-in-words"]
        );
        for item in &mut study.items {
            item.comments.truncate(1);
        }
        study.items = (0..30).flat_map(|_| study.items.clone()).collect();
        let details = gaps(&study).unwrap().details();
        assert_eq!(
            (details.len(), details[MOST_LISTED].as_str()),
            (MOST_LISTED + 1, "and 220 more items")
        );
    }

    #[test]
    fn too_few_positions_are_said() {
        let mut study = demonstration().unwrap();
        let said = |study: &Study| few_positions(study).map(|warning| warning.to_string());
        let eight = said(&study).unwrap();
        assert!(
            eight.starts_with("With 8 positions no comparison of two methods can reach p < 0.001")
                && eight.contains("gives 0.0078 at best (2 / 2^8). That takes 11 positions or more. Corrected"),
            "{eight}"
        );
        study.items.truncate(3);
        assert!(
            said(&study)
                .unwrap()
                .contains("0.25 at best (2 / 2^3). That takes 11 positions or more; p < 0.05 takes 6.")
        );
        study.items = (0..4).flat_map(|_| study.items.clone()).collect();
        assert_eq!(said(&study), None, "twelve");
        study.items.clear();
        assert_eq!(said(&study), None, "there is nothing to say of nothing");
    }
}

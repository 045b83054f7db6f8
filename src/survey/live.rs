//! Where the raters of a running study are: from the sets of results that have arrived so far.

use std::collections::BTreeMap;

use super::{
    event::What,
    responses::{Kind, Outcome, ResponseSet},
    session::practice_id,
    session_facts::SessionFacts,
    study::Study,
};

/// How far a rater has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reached {
    /// The page was opened.
    Opened,
    /// The rater agreed.
    Agreed,
    /// The rater form is filled in.
    FormFilled,
    /// The instructions are read.
    InstructionsRead,
    /// Comments are rated for practice.
    Practising,
    /// Comments are rated.
    Rating,
    /// It is over.
    Over(Outcome),
}

impl Reached {
    /// In words.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Self::Opened => "opened".to_owned(),
            Self::Agreed => "agreed".to_owned(),
            Self::FormFilled => "form filled in".to_owned(),
            Self::InstructionsRead => "instructions read".to_owned(),
            Self::Practising => "practising".to_owned(),
            Self::Rating => "rating".to_owned(),
            Self::Over(outcome) => outcome.word(),
        }
    }
}

/// One rater of a running study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveRater {
    /// The rater's code.
    pub rater: String,
    /// Whether it is a try before the study.
    pub pilot: bool,
    /// How far the rater has come.
    pub reached: Reached,
    /// Pages answered.
    pub answered: usize,
    /// Pages in all.
    pub pages: usize,
    /// The last thing that happened, milliseconds since 1970 by the rater's device.
    pub last: Option<u64>,
    /// Planted checks that were answered.
    pub checks: usize,
    /// Checks that the rater has failed.
    pub failed: usize,
    /// Milliseconds that pages were looked at.
    pub active_ms: u64,
    /// Milliseconds from the first event to the last.
    pub total_ms: u64,
}

/// Ratings of a comment so far: pilot sessions and checks apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quota {
    /// The position and move, as the long form names them.
    pub position: String,
    /// The method's name, as the study has it.
    pub method: String,
    /// Raters who have answered its page.
    pub ratings: usize,
}

/// A running study.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Live {
    /// The study's id.
    pub study: String,
    /// Its raters, by code.
    pub raters: Vec<LiveRater>,
    /// Its comments, in the study's order where that is known: each position with each method.
    pub quotas: Vec<Quota>,
    /// Sets of other studies that lie there too.
    pub others: usize,
    /// Earlier states of sessions that are there further on.
    pub earlier: usize,
}

/// Comments that are counted at most: a table of more would hold the page up.
pub const MOST_COMMENTS: usize = 10_000;

/// What these sets tell: of each rater the one that goes furthest, of the study that is given, or that most are of.
#[must_use]
pub fn live<'a>(sets: impl Iterator<Item = &'a ResponseSet>, study: Option<&Study>) -> Live {
    let sets: Vec<&ResponseSet> = sets.collect();
    let mut studies: BTreeMap<&str, usize> = BTreeMap::new();
    for set in &sets {
        *studies.entry(&set.study.id).or_default() += 1;
    }
    let most = studies.iter().max_by_key(|(_, count)| **count).map(|(id, _)| *id);
    let Some(id) = study.map(|study| study.id.as_str()).or(most) else {
        return Live::default();
    };
    let mut furthest: BTreeMap<(&str, bool), &ResponseSet> = BTreeMap::new();
    let own: Vec<&ResponseSet> = sets.iter().copied().filter(|set| set.study.id == id).collect();
    for set in &own {
        let far = |set: &ResponseSet| (set.answered(), set.journal.len());
        let known = furthest.entry((&set.rater, set.pilot)).or_insert(set);
        if far(set) > far(known) {
            *known = set;
        }
    }
    Live {
        study: id.to_owned(),
        earlier: own.len() - furthest.len(),
        others: sets.len() - own.len(),
        quotas: quotas(furthest.values().copied().filter(|set| !set.pilot), study),
        raters: furthest.into_values().map(rater).collect(),
    }
}

fn rater(set: &ResponseSet) -> LiveRater {
    let facts = SessionFacts::from(set);
    LiveRater {
        rater: set.rater.clone(),
        pilot: facts.pilot,
        reached: reached(set),
        answered: facts.answered,
        pages: facts.pages,
        last: facts.last,
        checks: facts.passed + facts.failed,
        failed: facts.failed,
        active_ms: facts.active_ms,
        total_ms: facts.total_ms().unwrap_or(0),
    }
}

fn reached(set: &ResponseSet) -> Reached {
    if set.outcome != Outcome::Partial {
        return Reached::Over(set.outcome);
    }
    if set.pages.iter().any(|page| page.shown_at.is_some()) {
        return Reached::Rating;
    }
    let practice = practice_id(0);
    let of_practice = |page: &str| page.split('/').next() == practice.split('/').next();
    // One follows the other, so that the last that says something is the furthest.
    let of_event = |what: &What| match what {
        What::Rated { page, .. } | What::Submitted { page } if of_practice(page) => Some(Reached::Practising),
        What::Rated { .. } | What::Submitted { .. } => Some(Reached::Rating),
        What::Read | What::Answered { .. } => Some(Reached::InstructionsRead),
        What::Form { .. } => Some(Reached::FormFilled),
        What::Consented { .. } => Some(Reached::Agreed),
        _ => None,
    };
    let last = set.journal.iter().rev().find_map(|event| of_event(&event.what));
    last.unwrap_or(Reached::Opened)
}

fn quotas<'a>(sets: impl Iterator<Item = &'a ResponseSet>, study: Option<&Study>) -> Vec<Quota> {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for page in sets.flat_map(|set| &set.pages) {
        if page.kind == Kind::Comment && page.answered_at.is_some() && counts.len() < MOST_COMMENTS {
            *counts.entry((&page.position, &page.method)).or_default() += 1;
        }
    }
    let quota = |position: &str, method: &str, ratings: usize| Quota {
        position: position.to_owned(),
        method: method.to_owned(),
        ratings,
    };
    match study {
        Some(study) => {
            let all = study
                .items
                .iter()
                .flat_map(|item| item.comments.iter().map(|comment| (&*item.id, &*comment.method)));
            all.map(|(position, method)| quota(position, method, counts.get(&(position, method)).copied().unwrap_or(0)))
                .collect()
        }
        None => counts
            .into_iter()
            .map(|((position, method), ratings)| quota(position, method, ratings))
            .collect(),
    }
}

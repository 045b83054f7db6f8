//! Studies and raters of chance, for the tests of the survey.

#![allow(clippy::unwrap_used, reason = "a test that cannot set up its study has failed")]

use std::{collections::BTreeMap, sync::Arc};

use kibitz::{
    random::Rng,
    survey::{
        Event, Session, Stage, Stamp, Study,
        demonstration::demonstration,
        event::What,
        study::{Breaks, Grouping, Item, MethodComment, Order},
        study_file::check,
    },
};
use proptest::prelude::*;

/// A study without faults: up to eight items, up to five methods, each item with some of them.
pub fn studies() -> impl Strategy<Value = Study> {
    let items = prop::collection::vec(prop::collection::vec(any::<bool>(), 1..6), 1..9);
    let breaks = prop::option::of((1..7_usize, 0..3_u32, any::<bool>()));
    let rest = (
        any::<bool>(),
        any::<bool>(),
        any::<u64>(),
        0..3_usize,
        0..3_usize,
        0..6_usize,
        any::<bool>(),
    );
    (items, breaks, rest).prop_map(
        |(items, breaks, (rounds, shuffle, seed, planted, repeats, gap, back))| {
            let mut study = demonstration().unwrap();
            let pattern = study.items[0].clone();
            study.items = (1..)
                .zip(items)
                .map(|(n, methods)| Item {
                    id: format!("m{n}"),
                    comments: comments(&methods),
                    ..pattern.clone()
                })
                .collect();
            study.options.order = Order {
                seed,
                pages: if rounds { Grouping::Rounds } else { Grouping::ByItem },
                shuffle,
            };
            study.options.back = back;
            study.options.breaks = breaks.map(|(after, minutes, skippable)| Breaks {
                after,
                minutes,
                skippable,
            });
            study.checks.repeat_gap = gap;
            let pages = study.comments();
            study.checks.repeats = repeats.min(pages.saturating_sub(gap) / 2);
            let pattern = study.checks.planted[0].clone();
            study.checks.planted = (0..planted.min(pages / 3))
                .map(|n| {
                    let mut planted = pattern.clone();
                    planted.id = format!("check-{n}");
                    planted
                })
                .collect();
            assert_eq!(check(&study), []);
            study
        },
    )
}

fn comments(methods: &[bool]) -> Vec<MethodComment> {
    let mut chosen: Vec<usize> = (0..methods.len()).filter(|m| methods[*m]).collect();
    if chosen.is_empty() {
        chosen.push(0);
    }
    chosen
        .into_iter()
        .map(|method| MethodComment {
            method: format!("method-{method}"),
            text: format!("A comment by {method}."),
            scores: BTreeMap::new(),
            marks: Vec::new(),
            decoys: Vec::new(),
        })
        .collect()
}

/// A rater who does what they please: mostly what is asked, now and then something else. Two clocks go with it.
pub struct Rater {
    rng: Rng,
    now: Stamp,
}

impl Rater {
    pub fn new(seed: u64) -> Self {
        Self {
            rng: Rng::new(seed),
            now: Stamp {
                wall: 1_795_283_885_000,
                tick: 0,
            },
        }
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.rng.below(100) < percent
    }

    /// What happens next.
    pub fn event(&mut self, session: &Session) -> Event {
        let passed = self.rng.below(20_000) as u64;
        self.now.tick += passed;
        self.now.wall += passed;
        if self.chance(2) {
            // Someone sets the clock, back or forth.
            self.now.wall = self.now.wall + 3_600_000 - self.rng.below(7_200_000) as u64;
        }
        if session.stage() == Stage::New || self.chance(4) {
            self.now.tick = self.rng.below(100) as u64;
            self.now.wall += self.rng.below(3_600_000) as u64;
            return Event::new(self.now, What::Opened);
        }
        if self.chance(5) {
            let what = if self.chance(50) { What::Blurred } else { What::Focused };
            return Event::new(self.now, what);
        }
        let what = if self.chance(5) {
            self.nonsense()
        } else {
            self.sensible(session)
        };
        Event::new(self.now, what)
    }

    fn sensible(&mut self, session: &Session) -> What {
        let study = Arc::clone(session.study());
        match session.stage() {
            Stage::Consent => What::Consented {
                version: study.consent.version.clone(),
            },
            Stage::Form => What::Form {
                answers: [("rating", "1776"), ("site", "FIDE"), ("language", "Fluent")]
                    .map(|(id, answer)| (id.to_owned(), answer.to_owned()))
                    .into(),
            },
            Stage::Instructions => What::Read,
            Stage::Comprehension { .. } => What::Answered {
                choices: study
                    .comprehension
                    .as_ref()
                    .unwrap()
                    .questions
                    .iter()
                    .map(|q| q.answer)
                    .collect(),
            },
            Stage::Break { .. } => {
                let left = session.break_left(self.now).unwrap();
                self.now.tick += left;
                self.now.wall += left;
                What::Continued
            }
            Stage::Practice { feedback: true, .. } => What::Continued,
            Stage::Item { .. } if session.can_go_back() && self.chance(10) => What::Back,
            Stage::Item { .. } | Stage::Practice { .. } => self.rate(session),
            Stage::New | Stage::Done | Stage::Ended(_) => What::Focused,
        }
    }

    fn rate(&mut self, session: &Session) -> What {
        let page = session.page_id().unwrap();
        let missing = session.missing();
        if missing.is_empty() && self.chance(70) {
            return What::Submitted { page };
        }
        let study = session.study();
        if let Some(kind) = missing.iter().find(|missing| missing.id == "error_kind") {
            if self.chance(30) {
                return What::Wrote {
                    page,
                    follow_up: kind.id.clone(),
                    text: format!("It is \"odd\",\n{}", self.rng.below(9)),
                };
            }
            let kinds = ["illegal", "tactical", "positional", "evaluation", "other"];
            return What::Ticked {
                page,
                follow_up: kind.id.clone(),
                kind: kinds[self.rng.below(5)].to_owned(),
                on: true,
            };
        }
        let criterion = match missing.first() {
            Some(missing) => missing.id.clone(),
            None => study.criteria[self.rng.below(study.criteria.len())].id.clone(),
        };
        let points = study.points(&criterion).unwrap();
        #[allow(clippy::cast_possible_truncation)] // at most nine
        let value = (1 + self.rng.below(points)) as u8;
        What::Rated { page, criterion, value }
    }

    fn nonsense(&mut self) -> What {
        match self.rng.below(7) {
            0 => What::Back,
            1 => What::Continued,
            2 => What::Submitted {
                page: "m1/method-0".to_owned(),
            },
            3 => What::Rated {
                page: "m1/method-0".to_owned(),
                criterion: "clarity".to_owned(),
                value: 200,
            },
            4 => What::Form {
                answers: BTreeMap::new(),
            },
            5 => What::Consented { version: String::new() },
            _ => What::Read,
        }
    }

    /// Goes on until the end, or for `most` events; returns the session and its journal.
    pub fn run(&mut self, study: &Arc<Study>, name: &str, most: usize) -> (Session, Vec<Event>) {
        let mut session = Session::new(Arc::clone(study), name);
        let mut journal = Vec::new();
        for _ in 0..most {
            let event = self.event(&session);
            let before = session.clone();
            match session.apply(&event) {
                Ok(()) => journal.push(event),
                Err(_) => assert_eq!(session, before, "a denied event changes nothing"),
            }
            if matches!(session.stage(), Stage::Done | Stage::Ended(_)) {
                break;
            }
        }
        (session, journal)
    }
}

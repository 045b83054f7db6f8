//! A sentence with what was spoken of before it: its readings.

use std::collections::HashSet;

use shakmaty::Color;

use super::super::statement::Mode;
use super::{
    super::statement::{Along, Designation, Predicate, Qualifier, Statement},
    chunk::{Chunk, Item},
    fixed::{Fix, Fixed},
    path::Paths,
    pattern::Caught,
    readings::Reading,
    referent::{Meant, Mentions},
    rows::{Compiled, compiled},
};

/// Most alternatives of a reading: words that may mean more are left alone.
const MOST_ALTERNATIVES: usize = 48;

/// Words before a pin that is none, or no more.
fn ends(word: &str) -> bool {
    let stems = [
        "no", "without", "releas", "break", "brok", "lift", "escap", "end", "shak", "avoid",
    ];
    stems.iter().any(|stem| word.starts_with(stem))
}

pub struct Sentence<'a> {
    pub chunks: &'a [Chunk],
    /// "then", "by then": it goes on from where the sentence before has led.
    pub goes_on: bool,
    pub mentions: &'a mut Mentions,
    pub paths: &'a mut Paths,
}

impl Sentence<'_> {
    pub(super) fn read(&mut self, found: &mut Vec<Reading>) {
        let words = self.chunks.iter().filter_map(|chunk| match &chunk.item {
            Item::Word(word) | Item::Pronoun(word) => Some(word.as_str()),
            _ => None,
        });
        let words: HashSet<&str> = words.collect();
        let rows: Vec<&Compiled> = compiled().iter().filter(|row| row.pattern.may_match(&words)).collect();
        for at in 0..self.chunks.len() {
            if let Item::Moves(_) = &self.chunks[at].item {
                found.extend(self.playable(at));
                self.paths.follow(self.chunks, at);
            }
            found.extend(self.by_the_way(at));
            let mut read: Vec<Predicate> = Vec::new();
            for row in &rows {
                if read.contains(&row.predicate) {
                    continue;
                }
                let Some(caught) = row.pattern.matches(self.chunks, at) else {
                    continue;
                };
                if let Some(reading) = self.reading(row.predicate, row.fixed, &caught, at) {
                    read.push(row.predicate);
                    found.push(reading);
                }
            }
        }
    }

    pub(super) fn remember(&mut self) {
        self.mentions.remember(self.chunks);
    }

    /// That the moves here can be played, where their numbers tell from which position.
    pub(super) fn playable(&self, at: usize) -> Option<Reading> {
        let Item::Moves(moves) = &self.chunks[at].item else {
            return None;
        };
        let first = moves.first()?.ply?;
        if !self.paths.is_near(first) || self.denied_or_threatened(at) {
            return None;
        }
        let roots = self.paths.roots(moves);
        let alternatives: Vec<Vec<Statement>> = roots
            .into_iter()
            .map(|line| {
                vec![Statement {
                    line,
                    ..Statement::new(Predicate::Playable)
                }]
            })
            .collect();
        (!alternatives.is_empty()).then(|| Reading {
            span: self.chunks[at].span.clone(),
            predicate: Predicate::Playable,
            alternatives,
            elsewhere: Vec::new(),
        })
    }

    /// What these words say by a row.
    pub(super) fn reading(
        &self,
        predicate: Predicate,
        fixed: Fixed,
        caught: &Caught<'_>,
        at: usize,
    ) -> Option<Reading> {
        // "There is no pin on the knight", "it breaks the pin".
        if at > 0 && predicate == Predicate::Pins && ends(self.chunks[at - 1].word()) {
            return None;
        }
        // "can castle" and "castles" are two things.
        let can = caught
            .modal
            .is_some_and(|modal| matches!(modal, "can" | "may" | "could"));
        if fixed.has(Fix::Moved) && predicate == Predicate::CanTake && self.is_mover(caught.subject) {
            return None;
        }
        if fixed.has(Fix::Modal) && !can || fixed.has(Fix::Told) && caught.modal.is_some() {
            return None;
        }
        let mode = self.mode(caught, at, fixed.has(Fix::Able), predicate)?;
        // Who is not the one that moved may do it a move later.
        let follows = |chunk: &Chunk| {
            matches!(
                chunk.word(),
                "line" | "engine" | "next" | "follow" | "follows" | "later"
            )
        };
        let deed = fixed.has(Fix::Deed) && !self.is_mover(caught.subject) && caught.moves.is_none()
            || predicate == Predicate::Castles && self.chunks.iter().any(follows)
            // "mates one move later": in the end.
            || predicate == Predicate::Checkmate && self.chunks.iter().any(|chunk| chunk.word() == "later");
        let mode = if deed { Mode::Supposed } else { mode };
        let denied = caught.denials % 2 == 1;
        let plain = Statement {
            denied: denied != fixed.has(Fix::Denied),
            mode,
            qualifier: [
                (Fix::Kingside, Qualifier::Kingside),
                (Fix::Queenside, Qualifier::Queenside),
                (Fix::Winning, Qualifier::Winning),
            ]
            .into_iter()
            .find_map(|(fix, qualifier)| fixed.has(fix).then_some(qualifier))
            .or_else(|| self.wing(predicate, caught.end))
            .or(caught.degree),
            side: caught.side.map(|side| {
                if fixed.has(Fix::Other) != caught.turned {
                    side.other()
                } else {
                    side
                }
            }),
            ..Statement::new(predicate)
        };
        // "all four of his pawns", "one of the rooks": more or less than the men that are named.
        let part = |at: usize| at > 0 && self.chunks[at - 1].word() == "of";
        if [caught.subject, caught.object].into_iter().flatten().any(part) {
            return None;
        }
        let said = self.said(predicate, fixed, caught, at, plain)?;
        let lines = self.lines(predicate, caught, at)?;
        let along = |lines: &[Along]| {
            let mut alternatives: Vec<Vec<Statement>> = Vec::new();
            for statements in &said {
                for line in lines {
                    let of = |statement: &Statement| Statement {
                        line: line.clone(),
                        ..statement.clone()
                    };
                    alternatives.push(statements.iter().map(of).collect());
                }
            }
            alternatives
        };
        let mut alternatives = along(&lines);
        let mut elsewhere = if caught.moves.is_some() {
            Vec::new()
        } else {
            along(self.paths.earlier())
        };
        if self.goes_on {
            alternatives.append(&mut elsewhere);
        }
        let start = self.chunks[at].span.start;
        let end = self.chunks[caught.end.checked_sub(1)?].span.end;
        (!alternatives.is_empty() && alternatives.len() <= MOST_ALTERNATIVES).then_some(Reading {
            span: start..end.max(start),
            predicate,
            alternatives,
            elsewhere,
        })
    }

    /// Whether the subject's role is that of the man that moved.
    pub(super) fn is_mover(&self, subject: Option<usize>) -> bool {
        let moved = self.mentions.moved();
        subject.is_some_and(|at| match &self.chunks[at].item {
            Item::Men(men) => matches!(men.each.as_slice(), [(man, _)] if man.role == moved.role
                && man.color.is_none_or(|color| Some(color) == moved.color)
                && man.square.is_none_or(|square| Some(square) == moved.square)),
            _ => false,
        })
    }

    /// "castle kingside", "the right to castle short".
    pub(super) fn wing(&self, predicate: Predicate, end: usize) -> Option<Qualifier> {
        let behind = self.chunks.get(end..)?.iter().take(2).map(Chunk::word);
        (predicate == Predicate::CanCastle).then_some(())?;
        behind.into_iter().find_map(|word| match word {
            "kingside" | "short" => Some(Qualifier::Kingside),
            "queenside" | "long" => Some(Qualifier::Queenside),
            _ => None,
        })
    }

    /// "only", "alone": nobody else does it.
    pub(super) fn alone(&self, at: usize, end: usize) -> bool {
        let around = &self.chunks[at.saturating_sub(1)..(end + 1).min(self.chunks.len())];
        around
            .iter()
            .any(|chunk| matches!(chunk.word(), "only" | "alone" | "solely" | "sole"))
    }

    /// One alternative for each of those that are meant, all of its men said of.
    pub(super) fn each(&self, men: &[Vec<Designation>], of: impl Fn(Designation) -> Statement) -> Vec<Vec<Statement>> {
        men.iter().map(|men| men.iter().map(|man| of(*man)).collect()).collect()
    }

    pub(super) fn is_none(&self, at: usize) -> bool {
        matches!(&self.chunks[at].item, Item::Men(men) if men.none)
    }

    /// Whom the chunk may mean.
    pub(super) fn men_at(&self, at: usize) -> Option<Meant> {
        self.mentions.meant(self.chunks, at)
    }

    /// The side that is named, or the one that a clause takes from before; `fixed` may turn it to the other.
    pub(super) fn side_of(&self, plain: &Statement, at: usize, fixed: Fixed) -> Option<Color> {
        let turned = |side: Color| if fixed.has(Fix::Other) { side.other() } else { side };
        plain.side.or_else(|| self.side_before(at).map(turned))
    }

    /// The side that a clause takes from before: the last that was named, else the owner of the first men that were.
    pub(super) fn side_before(&self, at: usize) -> Option<Color> {
        let before = &self.chunks[..at];
        let named = before.iter().rev().find_map(|chunk| match &chunk.item {
            Item::Side(side) => Some(*side),
            _ => None,
        });
        let owner = || {
            before.iter().find_map(|chunk| match &chunk.item {
                Item::Men(men) if men.definite => men.each.first()?.0.color,
                _ => None,
            })
        };
        named.or_else(owner)
    }
}

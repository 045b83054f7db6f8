//! The offline narrator: one to three sentences from the fact sheet, each resting on facts it names.

mod bad;
mod board_alone;
mod borne_out;
mod fair;

pub use self::board_alone::narrate_board;
use serde::Serialize;
use shakmaty::{Color, EnPassantMode, fen::Fen};

use super::{
    FactId, FactSheet, Verdict,
    board_facts::Found,
    concept_backing::{backed_effect, is_said},
    fact::{Detail, Fact, FactKind, Moment},
    phrases::WordChoice,
    salience::select,
};
use crate::{chess::material::Surplus, concepts::Concept};

/// A sentence of the commentary with the facts it rests on, at least one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sentence {
    /// The sentence.
    pub text: String,
    /// The facts.
    pub facts: Vec<FactId>,
}

/// The most sentences a comment has.
const MOST_SENTENCES: usize = 3;

/// Comments on the move in one to three sentences. The same sheet gives the same text.
#[must_use]
pub fn narrate(sheet: &FactSheet) -> Vec<Sentence> {
    narrate_in(sheet, 0)
}

/// The same facts in other words: a number for each set of choices among them, 0 for those of [`narrate`].
#[must_use]
pub fn narrate_in(sheet: &FactSheet, wording: u32) -> Vec<Sentence> {
    let mut narrator = Narrator::new(sheet, wording);
    match narrator.verdict() {
        Some((verdict, id)) if verdict.is_bad() => narrator.bad(verdict, id),
        verdict => narrator.fair(verdict),
    }
    narrator.said.truncate(MOST_SENTENCES);
    narrator.said
}

struct Narrator<'a> {
    sheet: &'a FactSheet,
    san: String,
    mover: Color,
    words: WordChoice,
    said: Vec<Sentence>,
    /// What is known of the ending is said: the standing need not be.
    ended: bool,
}

impl<'a> Narrator<'a> {
    fn new(sheet: &'a FactSheet, wording: u32) -> Self {
        let played = sheet.played();
        let epd = Fen::from_position(&played.before, EnPassantMode::Legal).to_string();
        let board = epd.rsplitn(3, ' ').last().unwrap_or_default();
        let choice = if wording == 0 {
            String::new()
        } else {
            format!(" {wording}")
        };
        Self {
            sheet,
            san: played.san(),
            mover: played.mover(),
            words: WordChoice::of(&format!("{board} {}{choice}", played.uci())),
            said: Vec::new(),
            ended: false,
        }
    }

    fn say(&mut self, text: String, mut facts: Vec<FactId>) {
        facts.sort_unstable();
        facts.dedup();
        self.said.push(Sentence { text, facts });
    }

    fn facts(&self) -> &'a [Fact] {
        self.sheet.facts()
    }

    fn find(&self, kind: FactKind) -> Option<&'a Fact> {
        self.facts().iter().find(|fact| fact.kind == kind)
    }

    fn id_of(&self, detail: &Detail) -> Option<FactId> {
        self.facts()
            .iter()
            .find(|fact| fact.detail == *detail)
            .map(|fact| fact.id)
    }

    fn move_id(&self) -> Vec<FactId> {
        self.find(FactKind::Move).map(|f| f.id).into_iter().collect()
    }

    fn verdict(&self) -> Option<(Verdict, FactId)> {
        self.facts().iter().find_map(|fact| match &fact.detail {
            Detail::Verdict { verdict, .. } => Some((*verdict, fact.id)),
            _ => None,
        })
    }

    /// What the mover wins or loses along the expected line, from the mover's view.
    fn harvest(&self) -> Option<(Surplus, FactId)> {
        self.facts().iter().find_map(|fact| match &fact.detail {
            Detail::MaterialChange { side, surplus } => {
                let surplus = if *side == self.mover {
                    surplus.clone()
                } else {
                    surplus.reversed()
                };
                Some((surplus, fact.id))
            }
            _ => None,
        })
    }

    /// The most telling deeds of the move, with their facts.
    fn deeds(&mut self, most: usize, least: u32) -> Vec<(Detail, FactId)> {
        let (line, to) = (borne_out::expected(self.sheet), self.sheet.played().mv.to());
        let found: Vec<Found> = self
            .facts()
            .iter()
            .filter(|fact| !matches!(fact.moment, Moment::Line | Moment::Best))
            // That it is a check is in its name.
            .filter(|fact| !matches!(&fact.detail, Detail::Check { by, discovered: false, .. } if by.len() == 1))
            .filter(|fact| borne_out::is_borne_out(&line, to, &fact.detail))
            .map(|fact| Found {
                moment: fact.moment,
                detail: fact.detail.clone(),
            })
            .collect();
        select(&found, self.mover, most, least)
            .into_iter()
            .filter_map(|detail| self.id_of(&detail).map(|id| (detail, id)))
            .collect()
    }

    /// A lasting change of a concept: one that helps the mover, or one that harms.
    fn concept(&mut self, helps: bool) {
        if self.said.len() >= MOST_SENTENCES {
            return;
        }
        let concepts: Vec<(FactId, Concept, f32, f32)> = self
            .facts()
            .iter()
            .filter_map(|fact| match &fact.detail {
                Detail::Concept {
                    concept, change, unit, ..
                } => Some((fact.id, *concept, *change, unit.least_change())),
                _ => None,
            })
            .collect();
        let largest = concepts
            .iter()
            .map(|(_, _, change, _)| change.abs())
            .fold(0.0, f32::max);
        let worth = |change: f32, least: f32| (change > 0.0) == helps && change.abs() >= (largest / 2.0).max(least);
        let helped = if helps { self.mover } else { self.mover.other() };
        let said: Vec<&Detail> = self
            .said
            .iter()
            .flat_map(|sentence| &sentence.facts)
            .filter_map(|id| Some(&self.sheet.get(*id)?.detail))
            .collect();
        let backed = concepts
            .iter()
            .filter(|(_, _, change, least)| worth(*change, *least))
            .filter(|(_, concept, ..)| !said.iter().any(|said| is_said(*concept, said)))
            .find_map(|&(id, concept, ..)| Some((id, backed_effect(self.sheet, concept, helped)?)));
        let Some((id, effect)) = backed else { return };
        // "It" could be the reply or the better move of the sentence before: the move is named.
        let san = self.san.clone();
        let subject = if helps {
            self.words.pick(&["The move", &san])
        } else {
            &san
        };
        let text = format!("{subject} also {effect}.");
        let mut ids = vec![id];
        ids.extend(self.move_id());
        self.say(text, ids);
    }
}

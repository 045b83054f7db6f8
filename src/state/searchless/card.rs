//! The data card of what is annotated, or of a set that was given.

use std::cell::OnceCell;

use leptos::prelude::*;

use super::{
    super::{on_demand::on_demand, report_form::ReportForm},
    annotating::Annotating,
    sets::Sets,
};
use crate::{
    browser::{files, slices::Slices},
    chessbench::{
        data_card::{SetFigures, card_tables},
        record::{RecordSet, SetHeader},
    },
    survey::analysis::table::Table,
};

/// Whose card it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardOf {
    /// What is annotated here.
    Run,
    /// The set that is learned from.
    Learned,
    /// The set that is tested on.
    Tested,
}

impl CardOf {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Run, Self::Learned, Self::Tested];

    /// For people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Run => "the run of this page",
            Self::Learned => "the set that is learned from",
            Self::Tested => "the set that is tested on",
        }
    }

    /// For choices.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Learned => "learned",
            Self::Tested => "tested",
        }
    }
}

/// The card.
#[derive(Clone, Copy)]
pub struct Card {
    sets: Sets,
    annotating: Annotating,
    made: StoredValue<u64>,
    /// Whose.
    pub of: RwSignal<CardOf>,
    /// What its charts show.
    pub figures: RwSignal<SetFigures>,
    /// Its tables; none where there is nothing to show.
    pub tables: RwSignal<Vec<Table>>,
    /// What could not be saved.
    pub problem: RwSignal<Option<String>>,
}

impl Card {
    /// The one of the page.
    #[must_use]
    pub fn get() -> Self {
        thread_local! {
            static CARD: OnceCell<Card> = const { OnceCell::new() };
        }
        let (sets, annotating) = (Sets::get(), Annotating::get());
        on_demand(&CARD, |_| Self {
            sets,
            annotating,
            made: StoredValue::new(0),
            of: RwSignal::new(CardOf::Run),
            figures: RwSignal::new(SetFigures::default()),
            tables: RwSignal::new(Vec::new()),
            problem: RwSignal::new(None),
        })
    }

    /// Makes it anew. Of two that are made at once the later counts.
    pub async fn make(self) {
        let number = self.made.try_update_value(|made| {
            *made += 1;
            *made
        });
        let pace = Slices::new();
        let sets = self.sets;
        let made = match self.of.get_untracked() {
            CardOf::Run => match self.annotating.copy(&pace).await {
                Some(run) => Some(figures(&run.set_at(&pace).await, &pace).await),
                None => None,
            },
            CardOf::Learned => of_given(sets.learned.get_untracked().map(|given| given.set), &pace).await,
            CardOf::Tested => of_given(sets.tested.get_untracked().map(|given| given.set), &pace).await,
        };
        if self.made.try_get_value() != number {
            return;
        }
        let made = made.filter(|(_, figures)| *figures != SetFigures::default());
        let tables = made.as_ref().map(|(header, figures)| card_tables(header, figures));
        self.tables.try_set(tables.unwrap_or_default());
        self.figures
            .try_set(made.map_or_else(SetFigures::default, |(_, figures)| figures));
    }

    /// The card's tables and the overlap's. Tracked.
    #[must_use]
    pub fn report(self) -> Vec<Table> {
        let mut tables = self.tables.get();
        tables.extend(self.sets.overlap.get());
        tables
    }

    /// Saves all tables.
    pub fn save_report(self, form: ReportForm) {
        let text = form.write(&untrack(|| self.report()));
        let (name, media_type) = form.file("searchless");
        let saved = files::save(&name, media_type, text.as_bytes());
        let problem = saved
            .err()
            .map(|error| format!("The file could not be saved: {error}."));
        self.problem.set(problem);
    }
}

async fn of_given(set: Option<std::sync::Arc<RecordSet>>, pace: &Slices) -> Option<(SetHeader, SetFigures)> {
    let set = set?;
    Some(figures(&set, pace).await)
}

async fn figures(set: &RecordSet, pace: &Slices) -> (SetHeader, SetFigures) {
    (set.header.clone(), SetFigures::of_at(&set.records, pace).await)
}

//! Comments as a reader gets them who has looked at the position first: the page searches it meanwhile.

use leptos::prelude::*;

use super::{Bench, heard};
use crate::{
    browser::clock,
    chess::Played,
    services::{
        analysis::Services,
        engine::{Engine, Kind},
        search_memory::SearchMemory,
    },
    state::lookahead::{Outlook, look},
};

impl Bench {
    /// The first comment of an engine that has started before, and comments on moves of positions that were looked at as long as
    /// the page looks ahead.
    pub(super) async fn looked_at(&self, services: &Services, positions: &[Played]) -> Result<(), String> {
        let memory = SearchMemory::of_page();
        memory.forget();
        let engine = Engine::remembering(Kind::stockfish(), memory.clone(), |_| ());
        self.engine.set_value(Some(engine.clone()));
        engine.known_name().await.map_err(|e| e.to_string())?;
        let services = Services {
            engine,
            ..services.clone()
        };
        let settings = self.preferences.get_untracked();
        let (effort, wanted) = (settings.effort(), settings.wanted());
        if let Some(played) = positions.first() {
            let (analysis, _) = heard(&services, played, effort, wanted).await;
            self.add(
                "first comment, everything started before",
                "ms",
                &[analysis.timing.total],
            );
        }
        let (mut looks, mut first_words, mut totals) = (Vec::new(), Vec::new(), Vec::new());
        for played in positions {
            if self.running.try_get_value() != Some(true) {
                return Ok(());
            }
            memory.forget();
            let outlook = Outlook {
                position: played.before.clone(),
                mode: played.mode,
                history: played.history.clone(),
                next: None,
            };
            // Where it has to stop, a reader too would have waited for it.
            let since = clock::now();
            let _ = look(&services.engine, &outlook, effort).await;
            looks.push(clock::now() - since);
            let (analysis, words) = heard(&services, played, effort, wanted).await;
            first_words.push(words);
            totals.push(analysis.timing.total);
        }
        self.add("looking ahead, until nothing more is searched", "ms", &looks);
        self.add("first words, the position looked at before", "ms", &first_words);
        self.add("comment, final verdict, the position looked at before", "ms", &totals);
        Ok(())
    }
}

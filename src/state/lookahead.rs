//! What will be asked next is searched while the reader looks: the position on the board as soon as it stands there, then
//! the moves that are likely to be made. Every search gives way to whatever is asked of the engine.

use futures_util::future::{AbortHandle, abortable};
use leptos::prelude::*;
use shakmaty::{CastlingMode, Chess, Move, Position};
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::{clock, document, turns},
    chess::Played,
    commentary::Appraisal,
    concepts::source::Choice,
    services::{
        analysis::{Effort, Services},
        engine::Engine,
    },
    uci::Info,
};

use super::preferences::Preferences;

/// How many moves are looked at.
const MOVES: usize = 2;
/// How many rounds of a move's searches are made: each takes twice as long as the one before, up to five of them. For those that a
/// judgement needs beyond these, whoever asks for it waits.
const ROUNDS: u32 = 2;
/// How long the search of the position may have taken, in milliseconds, for its moves to be looked at too.
const QUICK: u64 = 2_000;

/// The position on the board, from which the next move will be made.
#[derive(Debug, Clone, PartialEq)]
pub struct Outlook {
    /// The position.
    pub position: Chess,
    /// How castling is written.
    pub mode: CastlingMode,
    /// The positions that led to it, oldest first.
    pub history: Vec<Chess>,
    /// How the open game goes on.
    pub next: Option<Move>,
}

impl Outlook {
    fn appraisal(&self, mv: Move, effort: Effort) -> Option<Appraisal> {
        let played = Played::new(self.position.clone(), mv, self.mode, self.history.clone())?;
        Some(Appraisal::new(played, effort.limit, effort.multipv))
    }
}

/// The looking ahead.
#[derive(Clone, Copy)]
pub struct Lookahead {
    services: StoredValue<Services, LocalStorage>,
    running: StoredValue<Option<AbortHandle>>,
    has_labels: StoredValue<bool>,
    preferences: Preferences,
}

impl Lookahead {
    /// Nothing is looked at yet.
    #[must_use]
    pub fn new(services: StoredValue<Services, LocalStorage>, preferences: Preferences) -> Self {
        Self {
            services,
            running: StoredValue::new(None),
            has_labels: StoredValue::new(false),
            preferences,
        }
    }

    /// Looks ahead from here, or from nowhere while something else is to be done. What was under way is left.
    pub fn follow(&self, outlook: Option<Outlook>, effort: Effort) {
        if let Some(running) = self.running.try_update_value(Option::take).flatten() {
            running.abort();
        }
        let Some(outlook) = outlook else { return };
        let services = self.services.get_value();
        let (work, handle) = abortable(async move {
            // First the page.
            clock::drawn().await;
            look(&services.engine, &outlook, effort).await
        });
        self.running.set_value(Some(handle));
        let lookahead = *self;
        spawn_local(async move {
            // Left or done: where the engine was not needed, the labels have not been started yet.
            let _ = work.await;
            lookahead.start_labels();
        });
    }

    /// Starts what labels are asked of, so that the first comment need not wait for that; that it cannot be is said there. It
    /// takes a processor for a second, and the engine's first searches are what a comment waits for: so not before the engine is
    /// up, and not where the probes are to speak alone.
    pub fn start_labels(&self) {
        if self.preferences.get_untracked().concepts == Choice::Probes {
            return;
        }
        if self.has_labels.try_update_value(|has| std::mem::replace(has, true)) == Some(false) {
            let Some(Services { labels, .. }) = self.services.try_get_value() else {
                return;
            };
            spawn_local(async move {
                let _ = labels.evaluate(&[Chess::default()]).await;
            });
        }
    }
}

/// Makes the searches that a comment on the next move will ask for, as long as the page is seen. An engine that is not there,
/// or has other things to do, is left alone.
pub async fn look(engine: &Engine, outlook: &Outlook, effort: Effort) -> Option<()> {
    // The search before the move is the same whatever is played.
    let any = outlook
        .next
        .or_else(|| outlook.position.legal_moves().first().copied())?;
    let request = outlook.appraisal(any, effort)?.next(engine.id())?;
    let before = engine.search_ahead(request).await.ok()?;
    if before.time > QUICK {
        return None;
    }
    let first = |line: &Info| line.pv.first()?.to_move(&outlook.position).ok();
    let mut moves: Vec<Move> = outlook.next.into_iter().collect();
    for mv in before.lines.iter().filter_map(first) {
        if !moves.contains(&mv) {
            moves.push(mv);
        }
    }
    let looked_at = moves.into_iter().take(MOVES).map(|mv| outlook.appraisal(mv, effort));
    let mut appraisals = looked_at.collect::<Option<Vec<_>>>()?;
    // Every move's first round comes before any one's second.
    for rounds in 1..=ROUNDS {
        for appraisal in &mut appraisals {
            while let Some(request) = appraisal.next(engine.id()).filter(|_| appraisal.progress().1 < rounds) {
                turns::settled().await;
                if document::hidden() {
                    return None;
                }
                let result = engine.search_ahead(request).await.ok()?;
                appraisal.take(&engine.name(), result).ok()?;
            }
        }
    }
    Some(())
}

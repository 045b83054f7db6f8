//! What is said of the move under discussion.

use std::sync::Arc;

use leptos::prelude::*;
use shakmaty::{Position as _, uci::UciMove};
use wasm_bindgen_futures::spawn_local;

use super::preferences::Preferences;
use crate::{
    browser::turns,
    chess::{Played, fen::write_fen},
    commentary::{Appraisal, Evaluation, FactSheet, Sentence, Trust},
    concepts::{Concept, Concepts, MotifReading, Rule, Source, Unit, Wanted, difference::SeenMove},
    services::{
        analysis::{self, Analysis, Effort, Heard, Services, Timing, Update},
        network::NetworkView,
    },
    uci::{Limit, Score, SearchResult},
    view::{
        board::Arrow,
        heat_map::{HeatMap, Shading},
        lines::LinesPanel,
    },
};

/// How far the commentary is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum CommentaryStage {
    /// No move is under discussion.
    #[default]
    Idle,
    /// The engine is at work, and there is nothing to read yet but what the board alone says.
    Searching {
        /// In the second of its first two searches.
        after: bool,
        /// Plies so far.
        depth: u32,
        /// How much of both searches is done, 0 to 1.
        done: f64,
        /// Milliseconds still to go, as far as is known.
        left: Option<f64>,
    },
    /// The first prose is there, and the engine goes on to settle the judgement.
    Settling {
        /// The round of searches, from 0; each has twice the limit of the one before.
        round: u32,
        /// Plies so far.
        depth: u32,
        /// How much of the round is done, 0 to 1.
        done: f64,
    },
    /// The prose is there and stays as it is.
    Done,
}

/// The commentary on the page.
#[derive(Clone, Copy)]
pub struct Commentary {
    services: StoredValue<Services, LocalStorage>,
    preferences: Preferences,
    generation: StoredValue<u64>,
    remembered: StoredValue<Vec<(Key, Analysis)>, LocalStorage>,
    /// Network or source have changed while the engine is at work: the rest is done again when it has finished.
    stale: StoredValue<bool>,
    /// The user wants no more searching for this move.
    halted: StoredValue<bool>,
    /// What came while the prose was held.
    waiting: StoredValue<Option<(FactSheet, Vec<Sentence>)>, LocalStorage>,
    /// The move under discussion.
    pub subject: RwSignal<Option<Played>>,
    /// How far it is.
    pub stage: RwSignal<CommentaryStage>,
    /// The running search's score of the position, the view of the side that moves there, before the result is in.
    pub glimpse: RwSignal<Option<Score>>,
    /// The engine's view, or why there is none.
    pub evaluation: RwSignal<Option<Result<Evaluation, String>>>,
    /// The engine's lines, which both the prose's chips and the engine's card draw.
    pub lines: Memo<Option<LinesPanel>>,
    /// The concepts, or why there are none.
    pub concepts: RwSignal<Option<ConceptFindings>>,
    /// The network's view, or why there is none.
    pub network: RwSignal<Option<Result<NetworkView, String>>>,
    /// The facts.
    pub sheet: RwSignal<Option<FactSheet>>,
    /// The narrator's prose.
    pub prose: RwSignal<Vec<Sentence>>,
    /// How far the judgement can be trusted; `None` without one.
    pub trust: RwSignal<Option<Trust>>,
    /// The reader holds the prose as it is, whatever the engine finds.
    pub held: RwSignal<bool>,
    /// Where the time went.
    pub timing: RwSignal<Option<Timing>>,
    /// Moves, from the position before the discussed one, that the board shows while a chip is pointed at.
    pub preview: RwSignal<Option<Vec<UciMove>>>,
    /// The concept whose squares are shaded on the board.
    pub shaded: RwSignal<Option<Concept>>,
    /// Of what the squares have their shares.
    pub shading: RwSignal<Shading>,
    /// The squares' shares, or why there are none; `None` where no concept is shaded, and until they are there.
    pub heat: RwSignal<Option<Result<HeatMap, String>>>,
    /// Goes up when other shares are wanted.
    heats: StoredValue<u64>,
    /// What is lit on the board while a sentence, a fact or a claim is pointed at.
    pub lit: RwSignal<Vec<Arrow>>,
}

/// What is shown of the concepts; reasons are sentences.
#[derive(Debug, Clone, PartialEq)]
pub struct ConceptFindings {
    /// What facts and prose rest on.
    pub used: Result<Concepts, String>,
    /// The second source, side by side.
    pub beside: Option<Result<Concepts, String>>,
    /// Why the probes say nothing, where they were asked.
    pub instead: Option<String>,
    /// What the probes of motifs read, where there are some.
    pub motifs: Vec<MotifReading>,
    /// The move as the probes of changes read it, where there are some: for the board.
    pub seen: Option<Arc<SeenMove>>,
}

impl ConceptFindings {
    /// What the probes say, where facts and prose rest on them.
    #[must_use]
    pub fn by_probes(&self) -> Option<&Concepts> {
        let concepts = self.used.as_ref().ok()?;
        matches!(concepts.source, Source::Probes { .. }).then_some(concepts)
    }
}

impl From<Heard> for ConceptFindings {
    fn from(heard: Heard) -> Self {
        Self {
            used: heard.used.map_err(|e| e.to_string()),
            beside: heard.beside.map(|b| b.map_err(|e| e.to_string())),
            instead: heard.instead.map(|reason| reason.to_string()),
            motifs: heard.motifs,
            seen: heard.seen,
        }
    }
}

/// The same question has the same answer.
#[derive(Clone, PartialEq, Eq)]
struct Key {
    search: SearchKey,
    wanted: Wanted,
    /// See [`Network::changes`](crate::services::network::Network::changes).
    network: u32,
}

/// What the engine's view depends on.
#[derive(Clone, PartialEq, Eq)]
struct SearchKey {
    fen: String,
    uci: String,
    history: usize,
    effort: Effort,
}

/// How many analyses are remembered for going back and forth in a game.
const REMEMBERED: usize = 64;

impl Commentary {
    /// With nothing to say yet.
    #[must_use]
    pub fn new(services: Services, preferences: Preferences) -> Self {
        let subject = RwSignal::new(None::<Played>);
        let evaluation = RwSignal::new(None::<Result<Evaluation, String>>);
        let lines = Memo::new(move |_| match (subject.get(), evaluation.get()) {
            (Some(played), Some(Ok(evaluation))) => Some(LinesPanel::new(&played, &evaluation)),
            _ => None,
        });
        Self {
            services: StoredValue::new_local(services),
            preferences,
            generation: StoredValue::new(0),
            remembered: StoredValue::new_local(Vec::new()),
            stale: StoredValue::new(false),
            halted: StoredValue::new(false),
            waiting: StoredValue::new_local(None),
            subject,
            stage: RwSignal::new(CommentaryStage::Idle),
            glimpse: RwSignal::new(None),
            evaluation,
            lines,
            concepts: RwSignal::new(None),
            network: RwSignal::new(None),
            sheet: RwSignal::new(None),
            prose: RwSignal::new(Vec::new()),
            trust: RwSignal::new(None),
            held: RwSignal::new(false),
            timing: RwSignal::new(None),
            preview: RwSignal::new(None),
            shaded: RwSignal::new(None),
            shading: RwSignal::new(Shading::default()),
            heat: RwSignal::new(None),
            heats: StoredValue::new(0),
            lit: RwSignal::new(Vec::new()),
        }
    }

    /// Takes up a move, or none. What was under way for another is stopped.
    pub fn discuss(&self, played: Option<Played>) {
        let generation = self.generation.with_value(|g| g + 1);
        self.generation.set_value(generation);
        self.stale.set_value(false);
        self.preview.set(None);
        self.lit.set(Vec::new());
        let same = self.subject.with_untracked(|subject| *subject == played);
        self.subject.set(played.clone());
        let services = self.services.get_value();
        // Asked about the same move again, as when a network has come, it has no search of its own to end; the one that runs
        // may be a benchmark's or a question's.
        let searching = self.is_searching();
        let leave = || {
            if !same || searching {
                services.engine.stop();
            }
        };
        let Some(played) = played else {
            leave();
            self.clear(CommentaryStage::Idle);
            return;
        };
        let settings = self.preferences.get_untracked();
        let (effort, wanted) = (settings.effort(), settings.wanted());
        let key = Key {
            search: SearchKey::new(&played, effort),
            wanted,
            network: services.network.changes(),
        };
        if let Some(analysis) = self.recall(&key) {
            leave();
            self.show(analysis);
            return;
        }
        let known = self.recall_searches(&key.search);
        // What the user has stopped stays so when the same move is only heard again.
        if !(same && known.is_some()) {
            self.halted.set_value(false);
        }
        // What is shown of this very move stays until there is something newer.
        if !(same && known.is_some()) {
            self.clear(CommentaryStage::Searching {
                after: false,
                depth: 0,
                done: 0.0,
                left: None,
            });
        }
        self.look(key, played, known, generation);
    }

    /// Searches on after the judgement was made, with twice the limit.
    pub fn deepen(&self) {
        let (Some(played), false) = (self.subject.get_untracked(), self.is_searching()) else {
            return;
        };
        let settings = self.preferences.get_untracked();
        let key = Key {
            search: SearchKey::new(&played, settings.effort()),
            wanted: settings.wanted(),
            network: self.services.with_value(|services| services.network.changes()),
        };
        let Some(mut searches) = self
            .recall_searches(&key.search)
            .filter(|_| key.search.effort == settings.effort())
        else {
            return;
        };
        // Stopped earlier, it has something left to do without being asked for more.
        if searches.is_done() && !searches.deepen() {
            return;
        }
        let generation = self.generation.with_value(|g| g + 1);
        self.generation.set_value(generation);
        let (_, round) = searches.progress();
        self.halted.set_value(false);
        self.stage.set(CommentaryStage::Settling {
            round,
            depth: 0,
            done: 0.0,
        });
        self.look(key, played, Some(searches), generation);
    }

    fn look(&self, key: Key, played: Played, known: Option<Appraisal>, generation: u64) {
        let services = self.services.get_value();
        let (effort, wanted) = (key.search.effort, key.wanted);
        let this = *self;
        spawn_local(async move {
            let stopped = move || this.halted.try_get_value().unwrap_or(true) || !this.is_current(generation);
            let on_update = move |update| {
                if this.is_current(generation) {
                    this.on_update(update, effort.limit);
                }
            };
            let analysis = analysis::analyse(&services, &played, effort, wanted, known, stopped, on_update).await;
            if this.is_current(generation) {
                // A network that came or went meanwhile has left its mark on some stages and not on others.
                if analysis.evaluation.is_ok() {
                    this.remember(key, analysis.clone());
                    // The copy was work enough for one turn.
                    turns::settled().await;
                    if !this.is_current(generation) {
                        return;
                    }
                }
                this.show(analysis);
                if this.stale.get_value() {
                    this.again();
                }
            }
        });
    }

    /// Looks at the same move again, as after a change of settings.
    pub fn again(&self) {
        self.discuss(self.subject.get_untracked());
    }

    /// Hears network and probes again, as after a change of them or of the source. The engine's search goes on.
    pub fn hear_again(&self) {
        if self.is_searching() {
            self.stale.set_value(true);
        } else {
            self.again();
        }
    }

    /// Whether the engine is at work on this move.
    fn is_searching(&self) -> bool {
        matches!(
            self.stage.get_untracked(),
            CommentaryStage::Searching { .. } | CommentaryStage::Settling { .. }
        )
    }

    /// Holds the prose as it is, or lets it follow the engine again.
    pub fn hold(&self, held: bool) {
        self.held.set(held);
        if !held && let Some((sheet, prose)) = self.waiting.try_update_value(Option::take).flatten() {
            self.say(sheet, prose);
        }
    }

    /// Finds the squares' shares in the shaded concept, or has the network asked for them; to be called when something
    /// changes; tracked. A change that the probes of changes foretell has its shares from them, everything else from the
    /// probes of positions.
    pub fn follow_shading(&self) {
        self.heats.update_value(|n| *n += 1);
        let asked = self.heats.get_value();
        let (concept, shading, played) = (self.shaded.get(), self.shading.get(), self.subject.get());
        let spoken = self.concepts.with(|findings| {
            let findings = findings.as_ref()?;
            Some((findings.seen.clone(), findings.by_probes()?.rule))
        });
        // What was shown is of something else.
        if self.heat.with_untracked(Option::is_some) {
            self.heat.set(None);
        }
        let (Some(concept), Some(played), Some((seen, rule))) = (concept, played, spoken) else {
            return;
        };
        let seen = seen.filter(|_| shading == Shading::Change && rule == Rule::Ours);
        let services = self.services.get_value();
        let this = *self;
        spawn_local(async move {
            let (shares, unit) = match seen {
                Some(seen) => (seen.shares(concept).ok().flatten(), seen.unit(concept).map(root_of)),
                None => {
                    let read = services.network.score_shares(&played, concept, rule).await;
                    let unit = match rule {
                        Rule::Ours => Unit::ProbeSpreads,
                        Rule::Paper | Rule::Authors => Unit::DecisionValues,
                    };
                    match read {
                        Ok(shares) => (
                            shares.map(|[before, after]| match shading {
                                Shading::Change => after.since(&before),
                                Shading::Value => after,
                            }),
                            Some(unit.long().to_owned()),
                        ),
                        Err(error) => {
                            if this.heats.try_get_value() == Some(asked) {
                                this.heat.set(Some(Err(error.to_string())));
                            }
                            return;
                        }
                    }
                }
            };
            if this.heats.try_get_value() == Some(asked) {
                let map = shares
                    .zip(unit)
                    .map(|(shares, unit)| Ok(HeatMap::new(&shares, played.mover(), played.after.board(), unit)));
                this.heat.set(map);
            }
        });
    }

    /// Why concepts are missing, or come from another source than the one that is set; tracked. `None` while they are
    /// not there yet.
    #[must_use]
    pub fn lacking_concepts(&self) -> Option<String> {
        self.concepts.with(|findings| {
            let findings = findings.as_ref()?;
            findings
                .instead
                .clone()
                .or_else(|| findings.used.as_ref().err().cloned())
        })
    }

    /// Ends the search; what it has found is used.
    pub fn stop(&self) {
        self.halted.set_value(true);
        self.services.with_value(|services| services.engine.stop());
    }

    fn is_current(&self, generation: u64) -> bool {
        self.generation.try_with_value(|g| *g == generation).unwrap_or(false)
    }

    fn clear(&self, stage: CommentaryStage) {
        self.stage.set(stage);
        self.glimpse.set(None);
        self.evaluation.set(None);
        self.concepts.set(None);
        self.network.set(None);
        self.sheet.set(None);
        self.prose.set(Vec::new());
        self.trust.set(None);
        self.held.set(false);
        self.waiting.set_value(None);
        self.timing.set(None);
    }

    /// Shows facts and prose; not while the reader holds what is there.
    fn say(&self, sheet: FactSheet, prose: Vec<Sentence>) {
        if self.held.get_untracked() && self.prose.with_untracked(|prose| !prose.is_empty()) {
            self.waiting.set_value(Some((sheet, prose)));
            return;
        }
        self.trust.set(sheet.evaluation().map(|evaluation| evaluation.trust));
        self.sheet.set(Some(sheet));
        // The same words again are no news.
        if self.prose.with_untracked(|shown| *shown != prose) {
            self.prose.set(prose);
        }
    }

    fn on_update(&self, update: Update, limit: Limit) {
        match update {
            Update::Searching { progress, result } => {
                let Some(line) = result.lines.first() else { return };
                let (searches, round) = progress;
                let depth = result.depth();
                // The duel has twice the limit of the searches before it, which themselves double with each round.
                let doublings = round + u32::from(searches == 2);
                let part = share(&result, limit.doubled(doublings));
                if searches >= 2 || round > 0 {
                    let before = f64::from(searches.min(2)) / 4.0;
                    let size = if searches >= 2 { 0.5 } else { 0.25 };
                    let done = (before + part * size).clamp(0.0, 1.0);
                    return self.stage.set(CommentaryStage::Settling { round, depth, done });
                }
                let after = searches == 1;
                if !after {
                    self.glimpse.set(Some(line.score));
                }
                let done = f64::midpoint(if after { 1.0 } else { 0.0 }, part);
                #[allow(clippy::cast_precision_loss)] // milliseconds
                let elapsed = result.time as f64;
                let left = (part > 0.05).then(|| elapsed / part * (if after { 1.0 } else { 2.0 } - part));
                self.stage.set(CommentaryStage::Searching {
                    after,
                    depth,
                    done,
                    left,
                });
            }
            Update::Looked {
                evaluation,
                sheet,
                prose,
            } => {
                self.evaluation.set(Some(Ok(evaluation)));
                self.say(*sheet, prose);
                if !matches!(self.stage.get_untracked(), CommentaryStage::Settling { .. }) {
                    self.stage.set(CommentaryStage::Settling {
                        round: 0,
                        depth: 0,
                        done: 0.5,
                    });
                }
            }
            Update::FromBoard(prose) => {
                // Known searches may have been faster.
                if matches!(self.stage.get_untracked(), CommentaryStage::Searching { .. }) {
                    self.prose.set(prose);
                }
            }
            Update::Network(result) => self.network.set(Some(result.map_err(|e| e.to_string()))),
        }
    }

    fn show(&self, analysis: Analysis) {
        self.evaluation
            .set(Some(analysis.evaluation.map_err(|e| e.to_string())));
        self.concepts.set(Some(analysis.concepts.into()));
        self.network.set(analysis.network.map(|r| r.map_err(|e| e.to_string())));
        self.say(analysis.sheet, analysis.prose);
        self.timing.set(Some(analysis.timing));
        self.stage.set(CommentaryStage::Done);
    }

    fn recall(&self, key: &Key) -> Option<Analysis> {
        self.remembered
            .with_value(|all| all.iter().find(|(k, _)| k == key).map(|(_, analysis)| analysis.clone()))
    }

    fn recall_searches(&self, search: &SearchKey) -> Option<Appraisal> {
        self.remembered.with_value(|all| {
            let found = all.iter().rev().find(|(key, _)| key.search == *search)?;
            found.1.evaluation.as_ref().ok()?;
            Some(found.1.appraisal.clone())
        })
    }

    fn remember(&self, key: Key, analysis: Analysis) {
        self.remembered.update_value(|all| {
            // What was found deeper takes the place of what was there.
            all.retain(|(known, _)| *known != key);
            if all.len() >= REMEMBERED {
                all.remove(0);
            }
            all.push((key, analysis));
        });
    }
}

impl SearchKey {
    fn new(played: &Played, effort: Effort) -> Self {
        Self {
            fen: write_fen(&played.before, played.mode),
            uci: played.uci().to_string(),
            history: played.history.len(),
            effort,
        }
    }
}

/// What the shares in a foretold change are in.
fn root_of(pawns: f64) -> String {
    format!("square roots of the foretold change, where 1 stands for {pawns:.2} pawns of Stockfish 8's term")
}

/// How much of a search is done, 0 to 1. Each ply takes about 1.7 times as long as the one before (Stockfish's usual
/// branching), so depth is turned into work by that.
#[allow(clippy::cast_precision_loss)] // counts far below 2^52
fn share(result: &SearchResult, limit: Limit) -> f64 {
    let of_depth = |plies: u32| 1.7_f64.powi(result.depth() as i32 - plies as i32);
    let of_time = |ms: u32| result.time as f64 / f64::from(ms);
    let part = match limit {
        Limit::Nodes(nodes) => result.nodes as f64 / nodes as f64,
        Limit::Time(ms) => of_time(ms),
        Limit::Depth(plies) => of_depth(plies),
        Limit::DepthTime { plies, ms } => of_depth(plies).max(of_time(ms)),
    };
    part.clamp(0.0, 1.0)
}

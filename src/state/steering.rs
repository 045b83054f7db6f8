//! Steering a probe of the network in use, and what was found.

use leptos::prelude::*;
use shakmaty::{CastlingMode, Chess};
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::clock,
    chess::fen::write_fen,
    concepts::sampled,
    net_worker::protocol::SteerText,
    services::{analysis::Services, paths, shipped, steering::SteerTurn},
    view::{fit::concept_label, steering::SteeringView},
};

/// Positions of the set: the first that come with the app.
const SET: usize = 40;
/// Shifts, in standard deviations.
const SHIFTS: [f64; 4] = [-2.0, -1.0, 1.0, 2.0];
/// Directions of chance.
const CHANCES: usize = 20;
/// Of the directions of chance.
const SEED: u64 = 1;
/// Milliseconds of steering between which other requests are answered.
const TURN: u32 = 200;

/// What was steered.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// `Our king safety, on 40 positions`.
    pub title: String,
    /// The curves.
    pub view: SteeringView,
}

/// Steering, and what was found last.
#[derive(Clone, Copy)]
pub struct SteeringState {
    services: StoredValue<Services, LocalStorage>,
    /// Goes up when steering begins and when it is to stop.
    generation: StoredValue<u64>,
    /// Runs of the network done, and all of them, while it goes on.
    pub progress: RwSignal<Option<(usize, usize)>>,
    /// What was found last.
    pub found: RwSignal<Option<Found>>,
    /// Why nothing was, or that it was stopped.
    pub problem: RwSignal<Option<String>>,
}

impl SteeringState {
    /// Nothing steered yet.
    #[must_use]
    pub fn new(services: StoredValue<Services, LocalStorage>) -> Self {
        Self {
            services,
            generation: StoredValue::new(0),
            progress: RwSignal::new(None),
            found: RwSignal::new(None),
            problem: RwSignal::new(None),
        }
    }

    /// Steers the probe of this name, on `position` alone or on the set.
    pub fn start(&self, name: String, position: Option<Chess>) {
        let this = *self;
        self.generation.update_value(|generation| *generation += 1);
        let generation = self.generation.get_value();
        self.problem.set(None);
        self.found.set(None);
        self.progress.set(Some((0, 0)));
        spawn_local(async move {
            let result = this.steer(generation, &name, position).await;
            if this.generation.try_get_value() != Some(generation) {
                return;
            }
            this.progress.set(None);
            match result {
                Ok(found) => this.found.set(found),
                Err(reason) => this.problem.set(Some(reason)),
            }
        });
    }

    /// Stops.
    pub fn stop(&self) {
        let _ = self.generation.try_update_value(|generation| *generation += 1);
        let _ = self.progress.try_set(None);
    }

    async fn steer(&self, generation: u64, name: &str, position: Option<Chess>) -> Result<Option<Found>, String> {
        let network = self.services.with_value(|services| services.network.clone());
        let probes = network.probes().ok_or("This network has no probes.")?;
        let probe = probes
            .all()
            .iter()
            .find(|probe| probe.card.name == name && !probe.is_silent())
            .ok_or("There is no such probe.")?;
        let block = probe.card.layer.blocks().last().copied().unwrap_or(1);
        let measured = set().await?;
        let (concept, positions) = (concept_label(name), position.as_ref().map_or(measured.len(), |_| 1));
        let steer = SteerText {
            layer: probe.card.layer.clone(),
            weights: probe.weights().to_vec(),
            block,
            measured,
            steered: position.map(|position| vec![write_fen(&position, CastlingMode::Standard)]),
            shifts: SHIFTS.to_vec(),
            chances: CHANCES,
            seed: SEED,
        };
        // The set has just been read.
        clock::yield_to_browser().await;
        let mut turn = network.begin_steering(steer).await.map_err(|e| e.to_string())?;
        loop {
            if self.generation.try_get_value() != Some(generation) {
                return Ok(None);
            }
            match turn {
                SteerTurn::Under(done, total) => self.progress.set(Some((done, total))),
                SteerTurn::Done(steered) => {
                    let on = if positions == 1 {
                        "on the open position".to_owned()
                    } else {
                        format!("on {positions} positions")
                    };
                    return Ok(Some(Found {
                        title: format!("{concept}, {on}"),
                        view: SteeringView::new(&steered, &concept, block, positions),
                    }));
                }
            }
            // A comment that waits for the network goes first.
            clock::yield_to_browser().await;
            turn = network.steer_turn(TURN).await.map_err(|e| e.to_string())?;
        }
    }
}

/// FENs of the set.
async fn set() -> Result<Vec<String>, String> {
    let failed = |reason: String| format!("The positions cannot be fetched: {reason}.");
    let bytes = shipped::fetch(&paths::positions(), |_, _| ()).await;
    let bytes = bytes.map_err(|e| failed(e.to_string()))?;
    clock::yield_to_browser().await;
    let text = sampled::text(&bytes).map_err(|e| failed(e.to_string()))?;
    // The first lines are enough: to look through all of them takes long.
    let head: String = text.split_inclusive('\n').take(SET).collect();
    let pieces = sampled::pieces(&head).map_err(|e| failed(e.to_string()))?;
    let rows = pieces
        .into_iter()
        .enumerate()
        .flat_map(|(i, piece)| sampled::read(piece, i));
    Ok(rows.map(|row| row.fen).take(SET).collect())
}

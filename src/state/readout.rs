//! Reading positions out with the network in use: what its probes say of them, as files.

use leptos::prelude::*;
use shakmaty::{CastlingMode, Chess, Position};
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::{clock, files},
    chess::{Game, NodeId, Played, fen::write_fen},
    concepts::{
        Men,
        readout::{self, Origin, ReadPosition, Readout},
        sampled,
    },
    services::analysis::Services,
};

/// The most positions that are read out: the activations of a network of 64 filters and 6 blocks are 0.1 MB each.
pub const MOST_POSITIONS: usize = 500;

/// What is read out.
#[derive(Debug, Clone)]
pub enum Wanted {
    /// The open position.
    Position(Chess),
    /// The main line of the open game.
    Game(Game),
    /// A file of positions or games.
    File(files::FileBytes),
}

/// A file that can be saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Its name.
    pub name: &'static str,
    /// Its media type.
    media_type: &'static str,
    /// What it holds.
    bytes: Vec<u8>,
}

/// Files read out, and how the last one went.
#[derive(Clone, Copy)]
pub struct ReadoutState {
    services: StoredValue<Services, LocalStorage>,
    generation: StoredValue<u64>,
    /// Positions read, and all of them, while it goes on.
    pub progress: RwSignal<Option<(usize, usize)>>,
    /// What was read last.
    pub outputs: RwSignal<Vec<Output>>,
    /// What is said of it: how many positions, what was left out.
    pub notice: RwSignal<Option<String>>,
    /// Why nothing was.
    pub problem: RwSignal<Option<String>>,
}

/// A position to read, with the move that is played in it.
struct Read {
    origin: Origin,
    position: Chess,
    played: Option<Played>,
}

impl ReadoutState {
    /// Nothing read yet.
    #[must_use]
    pub fn new(services: StoredValue<Services, LocalStorage>) -> Self {
        Self {
            services,
            generation: StoredValue::new(0),
            progress: RwSignal::new(None),
            outputs: RwSignal::new(Vec::new()),
            notice: RwSignal::new(None),
            problem: RwSignal::new(None),
        }
    }

    /// Reads out.
    pub fn start(&self, wanted: Wanted) {
        let this = *self;
        self.generation.update_value(|generation| *generation += 1);
        let generation = self.generation.get_value();
        self.problem.set(None);
        self.notice.set(None);
        self.outputs.set(Vec::new());
        self.progress.set(Some((0, 0)));
        spawn_local(async move {
            let result = this.read(generation, wanted).await;
            if this.generation.try_get_value() != Some(generation) {
                return;
            }
            this.progress.set(None);
            match result {
                Ok(Some((outputs, notice))) => {
                    this.outputs.set(outputs);
                    this.notice.set(Some(notice));
                }
                Ok(None) => {}
                Err(reason) => this.problem.set(Some(reason)),
            }
        });
    }

    /// Stops.
    pub fn stop(&self) {
        let _ = self.generation.try_update_value(|generation| *generation += 1);
        let _ = self.progress.try_set(None);
    }

    /// Hands a file to the user.
    pub fn save(&self, output: &Output) {
        if let Err(error) = files::save(output.name, output.media_type, &output.bytes) {
            self.problem
                .set(Some(format!("{} cannot be saved: {error}.", output.name)));
        }
    }

    async fn read(&self, generation: u64, wanted: Wanted) -> Result<Option<(Vec<Output>, String)>, String> {
        let network = self.services.with_value(|services| services.network.clone());
        let description = network.description().ok_or("No network is loaded.")?;
        let probes = network.probes().ok_or("This network has no probes.")?;
        let (name, mut reads) = reads(wanted).await?;
        let found = reads.len();
        reads.truncate(MOST_POSITIONS);
        if reads.is_empty() {
            return Err("There are no positions in it.".into());
        }
        let mut out = Readout::new(&probes, description.blocks);
        let mut changes = readout::changes_head();
        let mut moves = 0;
        for (i, read) in reads.iter().enumerate() {
            if self.generation.try_get_value() != Some(generation) {
                return Ok(None);
            }
            self.progress.set(Some((i, reads.len())));
            let activations = network.activations(&read.position).await.map_err(|e| e.to_string())?;
            clock::yield_to_browser().await;
            let position = ReadPosition {
                origin: &read.origin,
                activations: &activations,
                men: &Men::seen(description.format.input, &read.position),
                turn: read.position.turn(),
            };
            out.add(&probes, &position).map_err(|e| e.to_string())?;
            let Some(played) = &read.played else { continue };
            clock::yield_to_browser().await;
            if let Some(seen) = network.seen_move(played, None).await.map_err(|e| e.to_string())? {
                let mv = played.mv.to_uci(played.mode).to_string();
                changes += &readout::changes_line(&read.origin, &mv, &seen.predicted);
                moves += 1;
            }
        }
        clock::yield_to_browser().await;
        let about = readout::about(&probes, &name, moves > 0);
        let output = |name, media_type, bytes| Output {
            name,
            media_type,
            bytes,
        };
        let mut outputs = vec![
            output("scores.csv", "text/csv", out.scores.clone().into_bytes()),
            output("activations.npy", "application/octet-stream", out.activations_npy()),
            output("shares.npy", "application/octet-stream", out.shares_npy()),
            output(
                "about.json",
                "application/json",
                serde_json::to_vec_pretty(&about).unwrap_or_default(),
            ),
        ];
        if moves > 0 {
            outputs.push(output("changes.csv", "text/csv", changes.into_bytes()));
        }
        let left_out = found - reads.len();
        let mut notice = format!("{} positions of {name} are read out", reads.len());
        if left_out > 0 {
            notice += &format!(": the first {MOST_POSITIONS}, {left_out} are left out");
        }
        Ok(Some((outputs, notice + ".")))
    }
}

async fn reads(wanted: Wanted) -> Result<(String, Vec<Read>), String> {
    match wanted {
        Wanted::Position(position) => {
            let origin = Origin {
                fen: write_fen(&position, CastlingMode::Standard),
                ..Origin::default()
            };
            let read = Read {
                origin,
                position,
                played: None,
            };
            Ok(("the open position".to_owned(), vec![read]))
        }
        Wanted::Game(game) => Ok(("the open game".to_owned(), of_game(&game))),
        Wanted::File(file) => {
            let text = sampled::text(&file.bytes).map_err(|e| format!("{} cannot be used: {e}.", file.name))?;
            let pieces = sampled::pieces(&text).map_err(|e| format!("{} cannot be used: {e}.", file.name))?;
            let mut all = Vec::new();
            for (i, piece) in pieces.into_iter().enumerate() {
                if all.len() > MOST_POSITIONS {
                    break;
                }
                clock::yield_to_browser().await;
                all.extend(sampled::read(piece, i).into_iter().filter_map(|row| {
                    let position = super::fit::position(&row.fen)?;
                    Some(Read {
                        origin: Origin {
                            game: row.game,
                            ply: 0,
                            fen: row.fen,
                        },
                        position,
                        played: None,
                    })
                }));
            }
            Ok((file.name, all))
        }
    }
}

/// The positions of a game's main line, from the first to the last.
fn of_game(game: &Game) -> Vec<Read> {
    let title = ["White", "Black"]
        .map(|tag| game.tag(tag).unwrap_or("?").to_owned())
        .join(" – ");
    let read = |ply: usize, position: Chess, next: Option<NodeId>| Read {
        origin: Origin {
            game: title.clone(),
            ply: u32::try_from(ply).unwrap_or(u32::MAX),
            fen: write_fen(&position, game.mode()),
        },
        position,
        played: next.and_then(|next| game.played(next)),
    };
    let line = game.main_line();
    line.iter()
        .enumerate()
        .filter_map(|(ply, &node)| Some(read(ply, game.position(node)?, line.get(ply + 1).copied())))
        .collect()
}

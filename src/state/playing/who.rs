//! Who plays: the built-in players that are chosen, and the connected model.

use leptos::prelude::*;

use super::{super::connected_model::ConnectedModel, Playing, player::BuiltIn};
use crate::{
    grading::{
        player::{Player, PlayerKind},
        run_file::{Run, expected_tokens},
        suite::file::Suite,
    },
    long_run::tokens::Tokens,
    uci::Limit,
};

/// Whether two players are one, whatever their limits.
fn is_same(one: &PlayerKind, other: &PlayerKind) -> bool {
    match (one, other) {
        (
            PlayerKind::Engine { engine, level, .. },
            PlayerKind::Engine {
                engine: other,
                level: other_level,
                ..
            },
        ) => (engine, level) == (other, other_level),
        _ => one == other,
    }
}

/// Tasks of which the tokens are estimated one by one; of more, a sample.
const SAMPLE: usize = 200;

impl Playing {
    /// The connected model as a player; `None` where none is connected. Two models of the same name have their servers in
    /// theirs.
    pub(super) fn model(&self) -> Option<Player> {
        let connected = ConnectedModel::of(&self.endpoint)?;
        let mut player = Player {
            name: connected.name(),
            kind: PlayerKind::Endpoint {
                provider: connected.provider.clone(),
                server: connected.server.clone(),
                model: connected.model.clone(),
            },
        };
        let is_taken = self.played.with_untracked(|run| {
            let players = run.as_ref().map_or(&[][..], |run| &run.header.players);
            players
                .iter()
                .any(|other| other.name == player.name && other.kind != player.kind)
        });
        if is_taken {
            player.name = connected.name_with_server();
        }
        Some(player)
    }

    /// Everybody who is to play now. Engine and network are started where they play: their names go into the run.
    pub(super) async fn players(&self) -> Result<Vec<Player>, String> {
        let mut players: Vec<Player> = Vec::new();
        for built_in in self.built_in.get_untracked() {
            let kind = match built_in {
                BuiltIn::Random => PlayerKind::Random,
                BuiltIn::First => PlayerKind::First,
                BuiltIn::Played => PlayerKind::Played,
                BuiltIn::Solution => PlayerKind::Solution,
                BuiltIn::Engine(level) => {
                    // The shared one is the same program: it is asked for its name alone.
                    let shared = self.services.get_value().engine;
                    let engine = shared.known_name().await.map_err(|error| error.to_string())?;
                    PlayerKind::Engine {
                        engine,
                        level,
                        limit: Limit::Nodes(self.nodes.get_untracked()),
                    }
                }
                BuiltIn::Network(head) => {
                    if !self.network.ready().await {
                        return Err("There is no network that could play.".to_owned());
                    }
                    let network = self.services.get_value().network;
                    let description = network.description().ok_or("There is no network that could play.")?;
                    PlayerKind::Network {
                        network: network.name().unwrap_or_default(),
                        hash: description.sha256,
                        head,
                    }
                }
            };
            let name = built_in.name();
            let known = self
                .played
                .with_untracked(|run| run.as_ref().and_then(|run| run.player(&name).cloned()));
            players.push(match known {
                // The run's own player of this name keeps the nodes that it was set to.
                Some(known) if is_same(&known.kind, &kind) => known,
                Some(_) => {
                    return Err(format!(
                        "In this run “{name}” is somebody else, such as another network: leave it out, or begin a new run."
                    ));
                }
                None => Player { name, kind },
            });
        }
        players.extend(self.model().filter(|_| self.model_plays.get_untracked()));
        if players.is_empty() {
            return Err("Nobody plays: connect a model or choose a built-in player.".to_owned());
        }
        Ok(players)
    }

    /// About how many tokens the model will take for what is left, and how many answers that is; `None` where no model plays.
    /// Tracked.
    #[must_use]
    pub fn expected(&self) -> Option<(usize, Tokens)> {
        let configured = self.endpoint.is_configured();
        let settings = self.settings.get();
        let (plays, asking) = (self.model_plays.get(), self.run.is_asking());
        // Counted before it begins; then the tokens that were spent are shown.
        if !configured || !plays || asking {
            return None;
        }
        self.progress.track();
        let suite = self.waiting.get();
        let model = self.model()?;
        self.played.with(|run| {
            let fresh = || {
                let Suite { header, positions } = suite?;
                Some(Run::new(Suite { header, positions }, vec![model.clone()], settings))
            };
            let made;
            let run = match run {
                Some(run) => run,
                None => {
                    made = fresh()?;
                    &made
                }
            };
            let mut left = run.left();
            if run.player(&model.name).is_none() {
                // It has not played in this run.
                let alone = [model.clone()];
                left = crate::grading::task::tasks(&run.positions, &alone, &run.header.settings);
            }
            left.retain(|task| task.player == model.name);
            let count = left.len();
            let step = count.div_ceil(SAMPLE).max(1);
            let sample: Vec<_> = left.into_iter().step_by(step).collect();
            let tokens = expected_tokens(run, &sample);
            let scaled = |tokens: u64| tokens * count as u64 / sample.len().max(1) as u64;
            (count > 0).then(|| {
                let tokens = Tokens {
                    prompt: scaled(tokens.prompt),
                    completion: scaled(tokens.completion),
                };
                (count, tokens)
            })
        })
    }
}

//! Who is entered, and what has to be there for it: models, the network, a connection.

use leptos::prelude::*;

use super::{super::super::connected_model::ConnectedModel, Competing};
use crate::{
    searchless::header::Target,
    tournament::{
        contestant::{Contestant, Way},
        entrant::Entrant,
        run_file::MOST_PLAYERS,
    },
};

impl Competing {
    /// Enters somebody; nobody twice.
    pub fn enter(&self, entrant: Entrant) {
        self.problem.set(None);
        let entered = self
            .entrants
            .with_untracked(|entrants| match entrants.contains(&entrant) {
                true => Err(format!("“{}” is entered already.", entrant.name())),
                false if entrants.len() >= MOST_PLAYERS => {
                    Err(format!("A tournament has at most {MOST_PLAYERS} players."))
                }
                false => Ok(()),
            });
        match entered {
            Ok(()) => self.entrants.update(|entrants| entrants.push(entrant)),
            Err(problem) => self.problem.set(Some(problem)),
        }
    }

    /// Leaves somebody out.
    pub fn leave_out(&self, entrant: Entrant) {
        self.entrants.update(|entrants| entrants.retain(|own| *own != entrant));
    }

    /// Those who are entered, with what they need fetched.
    pub(super) async fn entered(&self) -> Result<Vec<Contestant>, String> {
        let rules = self.rules.get_untracked();
        let mut contestants: Vec<Contestant> = Vec::new();
        for entrant in self.entrants.get_untracked() {
            let contestant = self.players.contestant(entrant, rules).await;
            let mut contestant =
                contestant.map_err(|problem| format!("{problem} Or leave “{}” out.", entrant.name()))?;
            // Models of the reader's are called as their files say.
            if contestants.iter().any(|other| other.name == contestant.name) {
                contestant.name += &format!(" ({})", contestants.len() + 1);
            }
            contestants.push(contestant);
        }
        Ok(contestants)
    }

    /// Whether all players of a tournament are here.
    ///
    /// # Errors
    /// Who is not, and what to do.
    pub(super) async fn all_here(&self, contestants: &[Contestant]) -> Result<(), String> {
        for Contestant { name, way } in contestants {
            let missing = match way {
                Way::Model { target, sha256, .. } => self.model_missing(*target, sha256).await,
                Way::NetworkPolicy { sha256 } | Way::NetworkValue { sha256 } => {
                    (self.players.network_hash().await.as_ref() != Some(sha256)).then(|| {
                        format!(
                            "is a network (SHA-256 {}…) that is not loaded: choose it on the board page, and go on",
                            short(sha256)
                        )
                    })
                }
                Way::Chat { model } => {
                    let connected = ConnectedModel::of(&self.players.endpoint);
                    let is_here = connected.is_some_and(|connected| connected.model == *model);
                    (!is_here).then(|| {
                        format!("is the language model {model}, which is not connected: connect it, and go on")
                    })
                }
                Way::Person => Some("is a person, who plays nowhere but at a board".to_owned()),
                Way::Random | Way::Level { .. } | Way::Engine { .. } | Way::EachMove { .. } => None,
            };
            if let Some(missing) = missing {
                return Err(format!("“{name}” {missing}."));
            }
        }
        Ok(())
    }

    async fn model_missing(&self, target: Target, sha256: &str) -> Option<String> {
        let models = self.players.predicting.models();
        if models.description(sha256).is_some() {
            return None;
        }
        let shipped = models.shipped(target).await;
        let is_shipped = shipped.is_ok_and(|shipped| shipped.sha256 == sha256);
        (!is_shipped).then(|| {
            format!(
                "is a model (SHA-256 {}…) that is not here: load its file under Predict, and go on",
                short(sha256)
            )
        })
    }
}

fn short(sha256: &str) -> &str {
    sha256.get(..8).unwrap_or(sha256)
}

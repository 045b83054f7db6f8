//! Whoever can be played against: what has to be fetched, loaded or connected for it.

use leptos::prelude::*;

use super::{
    super::{connected_model::ConnectedModel, endpoint::EndpointState, network::NetworkState},
    predicting::Predicting,
};
use crate::{
    chessbench::policy::PolicyRules,
    services::contestants::{Connection, Contestants},
    tournament::{
        contestant::{Contestant, Way},
        entrant::{Entrant, EntrantKind},
    },
};

/// Where players come from.
#[derive(Clone, Copy)]
pub(super) struct Players {
    /// The models.
    pub predicting: Predicting,
    /// The network.
    pub network: NetworkState,
    /// The language model.
    pub endpoint: EndpointState,
}

impl Players {
    /// A player of one's choice; the model is fetched, the network waited for. Models play by these rules.
    ///
    /// # Errors
    /// Who is not here, and what to do.
    pub(super) async fn contestant(&self, entrant: Entrant, rules: PolicyRules) -> Result<Contestant, String> {
        if let Some(way) = entrant.way() {
            let name = entrant.name();
            return Ok(Contestant { name, way });
        }
        let (name, way) = match entrant.kind {
            EntrantKind::Shipped(target) => {
                let shipped = self.predicting.models().shipped(target).await;
                let sha256 = shipped.map_err(|error| error.to_string())?.sha256;
                (entrant.name(), Way::Model { target, sha256, rules })
            }
            EntrantKind::Own => {
                let own = self.predicting.own.get_untracked();
                let own = own.ok_or("No model of your own is loaded: load it under Predict.")?;
                let name = match own.header.name.as_str() {
                    "" => entrant.name(),
                    name => name.to_owned(),
                };
                let way = Way::Model {
                    target: own.header.kind,
                    sha256: own.sha256,
                    rules,
                };
                (name, way)
            }
            EntrantKind::NetworkPolicy | EntrantKind::NetworkValue => {
                let sha256 = self.network_hash().await;
                let sha256 = sha256.ok_or("No network is loaded: choose one on the board page.")?;
                let way = match entrant.kind {
                    EntrantKind::NetworkPolicy => Way::NetworkPolicy { sha256 },
                    _ => Way::NetworkValue { sha256 },
                };
                (entrant.name(), way)
            }
            _ => {
                let connected = ConnectedModel::of(&self.endpoint);
                let connected = connected.ok_or("No language model is connected: connect one on the board page.")?;
                let (name, model) = (connected.name(), connected.model);
                (name, Way::Chat { model })
            }
        };
        Ok(Contestant { name, way })
    }

    /// The SHA-256 of the network in use, which is waited for where it is on its way.
    pub(super) async fn network_hash(&self) -> Option<String> {
        if !self.network.ready().await {
            return None;
        }
        self.predicting.network().hash()
    }

    /// The connection to the language model.
    pub(super) fn connection(&self) -> Option<Connection> {
        self.endpoint.is_configured_untracked().then(|| Connection {
            endpoint: self.endpoint.endpoint(),
            silence: self.endpoint.silence(),
        })
    }

    /// Whoever finds their moves.
    pub(super) fn contestants(&self) -> Contestants {
        Contestants::new(self.predicting.models(), self.predicting.network())
    }
}

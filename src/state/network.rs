//! The network: the default one that ships with the app, or the user's own.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::probes::ProbesState;
use crate::{
    browser::{clock, database, files::FileBytes},
    net::network::Description,
    services::{
        network::{Loading, Network},
        paths, shipped,
    },
};

/// A network in use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InUse {
    /// The file's name.
    pub name: String,
    /// What it is.
    pub description: Description,
    /// Whether it is the one that ships with the app.
    pub default: bool,
}

/// The network in use and how the last file went.
#[derive(Clone, Copy)]
pub struct NetworkState {
    service: StoredValue<Network, LocalStorage>,
    probes: ProbesState,
    /// Whether the first network was looked for.
    restored: StoredValue<bool>,
    /// The network in use.
    pub loaded: RwSignal<Option<InUse>>,
    /// What is being done with a new file.
    pub loading: RwSignal<Option<Loading>>,
    /// Why the last file was refused. The network in use stays.
    pub problem: RwSignal<Option<String>>,
    /// Whether the user's own is kept for the next visit.
    pub kept: RwSignal<bool>,
}

/// The name under which the file is kept in this browser.
const SAVED_NETWORK: &str = "network";
/// The name under which its name is kept.
const SAVED_NETWORK_NAME: &str = "network-name";

/// Where a network comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    Shipped,
    Kept,
    Given,
}

/// How often somebody who waits for the first network looks whether it is there.
const LOOK: std::time::Duration = std::time::Duration::from_millis(50);

impl NetworkState {
    /// Without a network.
    #[must_use]
    pub fn new(service: Network, probes: ProbesState) -> Self {
        Self {
            service: StoredValue::new_local(service),
            probes,
            restored: StoredValue::new(false),
            loaded: RwSignal::new(None),
            loading: RwSignal::new(None),
            problem: RwSignal::new(None),
            kept: RwSignal::new(false),
        }
    }

    /// Once the page has been drawn: takes the network that was kept at an earlier visit, or else the default one. Does
    /// nothing the second time.
    pub fn restore(&self) {
        if self.restored.get_value() {
            return;
        }
        self.restored.set_value(true);
        let this = *self;
        let service = self.service.get_value();
        service.set_awaited(true);
        spawn_local(async move {
            this.load_first().await;
            service.set_awaited(false);
        });
    }

    /// Waits until the first network is there, and says whether one is.
    pub async fn ready(&self) -> bool {
        self.restore();
        let service = self.service.get_value();
        while service.is_awaited() {
            clock::sleep(LOOK).await;
        }
        service.is_loaded()
    }

    async fn load_first(&self) {
        clock::drawn().await;
        // A store that can't be read holds nothing for us.
        let (Ok(Some(bytes)), Ok(name)) = (
            database::find(SAVED_NETWORK).await,
            database::find(SAVED_NETWORK_NAME).await,
        ) else {
            return self.load_default().await;
        };
        let name = name.map_or_else(|| "kept network".into(), |n| String::from_utf8_lossy(&n).into_owned());
        self.load(FileBytes { name, bytes }, Origin::Kept).await;
        if self.loaded.with_untracked(Option::is_none) {
            // An app that has changed may refuse what it once kept.
            let problem = self.problem.get_untracked();
            self.load_default().await;
            self.problem.update(|now| *now = now.take().or(problem));
        }
    }

    /// Takes a new file; it replaces the network in use once it has proved to be one.
    pub fn take(&self, file: FileBytes) {
        let this = *self;
        spawn_local(async move { this.load(file, Origin::Given).await });
    }

    /// Goes back to the default network and forgets the user's own.
    pub fn back_to_default(&self) {
        let this = *self;
        spawn_local(async move {
            // What can't be removed could not be kept either.
            let _ = database::forget(SAVED_NETWORK).await;
            let _ = database::forget(SAVED_NETWORK_NAME).await;
            this.kept.set(false);
            this.load_default().await;
        });
    }

    async fn load_default(&self) {
        let path = paths::default_network();
        let loading = self.loading;
        self.problem.set(None);
        loading.set(Some(Loading::Fetching(0, None)));
        let fetched = shipped::fetch(&path, move |done, all| loading.set(Some(Loading::Fetching(done, all)))).await;
        match fetched {
            Ok(bytes) => {
                let name = path.rsplit('/').next().unwrap_or_default().to_owned();
                self.load(FileBytes { name, bytes }, Origin::Shipped).await;
            }
            Err(error) => {
                loading.set(None);
                self.problem
                    .set(Some(format!("The default network cannot be loaded: {error}.")));
            }
        }
    }

    async fn load(&self, file: FileBytes, origin: Origin) {
        let service = self.service.get_value();
        self.problem.set(None);
        let loading = self.loading;
        let result = service
            .load(&file.name, &file.bytes, move |stage| loading.set(Some(stage)))
            .await;
        match result {
            Ok(description) => {
                let default = origin == Origin::Shipped;
                // With its probes, so that the first thing said with the network is said with them.
                self.probes.find(&description, default).await;
                if service.hash().as_ref() != Some(&description.sha256) {
                    // Another file has come into use meanwhile, and is the one to show.
                    return;
                }
                self.loaded.set(Some(InUse {
                    name: file.name.clone(),
                    description,
                    default,
                }));
                self.kept.set(match origin {
                    Origin::Shipped => false,
                    Origin::Kept => true,
                    Origin::Given => {
                        database::keep(SAVED_NETWORK, &file.bytes).await.is_ok()
                            && database::keep(SAVED_NETWORK_NAME, file.name.as_bytes()).await.is_ok()
                    }
                });
            }
            Err(error) => self.problem.set(Some(error.to_string())),
        }
        loading.set(None);
    }

    /// Says why a file could not be read.
    pub fn refuse(&self, reason: String) {
        self.problem.set(Some(reason));
    }
}

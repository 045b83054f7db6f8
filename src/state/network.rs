//! The network: the default one that ships with the app, or the user's own.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{
    model_run::{Going, ModelRun},
    probes::ProbesState,
};
use crate::{
    browser::{clock, database, files::Handle, held_file::HeldFile},
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
    /// How far that is.
    pub run: ModelRun,
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
            run: ModelRun::default(),
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
        let (Ok(Some(file)), Ok(name)) = (
            database::find_file(SAVED_NETWORK).await,
            database::find(SAVED_NETWORK_NAME).await,
        ) else {
            return self.load_default().await;
        };
        let name = name.map_or_else(|| "kept network".into(), |n| String::from_utf8_lossy(&n).into_owned());
        let Some(going) = self.run.begin() else { return };
        self.load(going, name, file, Origin::Kept).await;
        if going.is_current() && self.loaded.with_untracked(Option::is_none) {
            // An app that has changed may refuse what it once kept.
            let problem = self.problem.get_untracked();
            self.load_default().await;
            self.problem.update(|now| *now = now.take().or(problem));
        }
    }

    /// Takes a new file; it replaces the network in use once it has proved to be one. Of two files the last counts.
    pub fn take(&self, file: &Handle) {
        self.run.stop();
        let Some(going) = self.run.begin() else { return };
        let this = *self;
        let (name, file) = (file.name(), HeldFile::from(file));
        spawn_local(async move {
            this.load(going, name, file, Origin::Given).await;
            if going.is_current() && this.loaded.with_untracked(Option::is_none) {
                // The first network was still on its way, and gave way to a file that is none.
                let problem = this.problem.get_untracked();
                this.load_default().await;
                this.problem.update(|now| *now = now.take().or(problem));
            }
        });
    }

    /// Ends the loading of a new file. The network in use stays.
    pub fn stop(&self) {
        self.run.stop();
        self.loading.set(None);
        self.problem.set(Some("Loading the network was stopped.".to_owned()));
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

    fn tell(&self, going: Going, stage: Loading) {
        if going.is_current() {
            self.loading.set(Some(stage));
            let (done, all, note) = stage.progress();
            going.tell(done, all, Some(note));
        }
    }

    async fn load_default(&self) {
        let Some(going) = self.run.begin() else { return };
        let path = paths::default_network();
        self.problem.set(None);
        self.tell(going, Loading::Fetching(0, None));
        let this = *self;
        let fetch = shipped::fetch(&path, move |done, all| this.tell(going, Loading::Fetching(done, all)));
        let Some(fetched) = going.unless_stopped(fetch).await else {
            return;
        };
        let file = fetched
            .map_err(|error| error.to_string())
            .and_then(|bytes| HeldFile::of_bytes(&bytes).map_err(|error| error.to_string()));
        match file {
            Ok(file) => {
                let name = path.rsplit('/').next().unwrap_or_default().to_owned();
                self.load(going, name, file, Origin::Shipped).await;
            }
            Err(error) => {
                going.end();
                self.loading.set(None);
                self.problem
                    .set(Some(format!("The default network cannot be loaded: {error}.")));
            }
        }
    }

    async fn load(&self, going: Going, name: String, file: HeldFile, origin: Origin) {
        let service = self.service.get_value();
        self.problem.set(None);
        let this = *self;
        let load = service.load(&name, &file, move |stage| this.tell(going, stage));
        let Some(result) = going.unless_stopped(load).await else {
            return;
        };
        // It is in use, or will not be: there is nothing to stop any more.
        going.end();
        match result {
            Ok(description) => self.use_loaded(name, description, &file, origin).await,
            Err(error) => self.problem.set(Some(error.to_string())),
        }
        if going.is_current() {
            self.loading.set(None);
        }
    }

    async fn use_loaded(&self, name: String, description: Description, file: &HeldFile, origin: Origin) {
        let service = self.service.get_value();
        let default = origin == Origin::Shipped;
        // With its probes, so that the first thing said with the network is said with them.
        self.probes.find(&description, default).await;
        let sha256 = description.sha256.clone();
        if service.hash().as_ref() != Some(&sha256) {
            // Another file has come into use meanwhile, and is the one to show.
            return;
        }
        self.loaded.set(Some(InUse {
            name: name.clone(),
            description,
            default,
        }));
        self.kept.set(match origin {
            Origin::Shipped => false,
            Origin::Kept => true,
            Origin::Given => {
                database::keep_file(SAVED_NETWORK, file).await.is_ok()
                    && database::keep(SAVED_NETWORK_NAME, name.as_bytes()).await.is_ok()
            }
        });
        if origin == Origin::Given
            && self.kept.get_untracked()
            && let Ok(Some(kept)) = database::find_file(SAVED_NETWORK).await
        {
            service.hold(&sha256, kept);
        }
    }

    /// Says why a file could not be read.
    pub fn refuse(&self, reason: String) {
        self.problem.set(Some(reason));
    }
}

//! The network that the user gave.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::{database, files::FileBytes},
    net::network::Description,
    services::network::{Loading, Network},
};

/// The network in use and how the last file went.
#[derive(Clone, Copy)]
pub struct NetworkState {
    service: StoredValue<Network, LocalStorage>,
    /// The network in use: the file's name and what it is.
    pub loaded: RwSignal<Option<(String, Description)>>,
    /// What is being done with a new file.
    pub loading: RwSignal<Option<Loading>>,
    /// Why the last file was refused. The network in use stays.
    pub problem: RwSignal<Option<String>>,
    /// Whether it is kept for the next visit.
    pub kept: RwSignal<bool>,
}

/// The name under which the file is kept in this browser.
const KEPT: &str = "network";
/// The name under which its name is kept.
const KEPT_NAME: &str = "network-name";

impl NetworkState {
    /// Without a network.
    #[must_use]
    pub fn new(service: Network) -> Self {
        Self {
            service: StoredValue::new_local(service),
            loaded: RwSignal::new(None),
            loading: RwSignal::new(None),
            problem: RwSignal::new(None),
            kept: RwSignal::new(false),
        }
    }

    /// Takes the network that was kept at an earlier visit, if any.
    pub fn restore(&self) {
        let this = *self;
        spawn_local(async move {
            // A store that can't be read holds nothing for us.
            let (Ok(Some(bytes)), Ok(name)) = (database::find(KEPT).await, database::find(KEPT_NAME).await) else {
                return;
            };
            let name = name.map_or_else(|| "kept network".into(), |n| String::from_utf8_lossy(&n).into_owned());
            this.load(FileBytes { name, bytes }, false).await;
        });
    }

    /// Takes a new file; it replaces the network in use once it has proved to be one.
    pub fn take(&self, file: FileBytes) {
        let this = *self;
        spawn_local(async move { this.load(file, true).await });
    }

    async fn load(&self, file: FileBytes, keep: bool) {
        let service = self.service.get_value();
        self.problem.set(None);
        let loading = self.loading;
        let result = service
            .load(&file.name, &file.bytes, move |stage| loading.set(Some(stage)))
            .await;
        self.loading.set(None);
        match result {
            Ok(description) => {
                self.loaded.set(Some((file.name.clone(), description)));
                if keep {
                    let kept = database::keep(KEPT, &file.bytes).await.is_ok()
                        && database::keep(KEPT_NAME, file.name.as_bytes()).await.is_ok();
                    self.kept.set(kept);
                } else {
                    self.kept.set(true);
                }
            }
            Err(error) => self.problem.set(Some(error.to_string())),
        }
    }

    /// Says why a file could not be read.
    pub fn refuse(&self, reason: String) {
        self.problem.set(Some(reason));
    }

    /// Does without a network again.
    pub fn forget(&self) {
        let this = *self;
        self.service.with_value(Network::unload);
        self.loaded.set(None);
        spawn_local(async move {
            // What can't be removed could not be kept either.
            let _ = database::forget(KEPT).await;
            let _ = database::forget(KEPT_NAME).await;
            this.kept.set(false);
        });
    }
}

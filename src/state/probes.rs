//! The concept probes of the network in use: shipped with the default one, fitted here, or from a file.

use std::sync::Arc;

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::{
        clock,
        files::{self, FileBytes},
    },
    concepts::ProbeSet,
    net::network::Description,
    services::{network::Network, paths, saved, shipped},
};

/// Where probes come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// They ship with the default network.
    Shipped,
    /// They were fitted in this browser, now or at an earlier visit, or read from a file at an earlier visit.
    Kept,
    /// They were fitted just now.
    Fitted,
    /// They were read from a file just now.
    File,
}

/// Probes in use.
#[derive(Debug, Clone, PartialEq)]
pub struct InUse {
    /// The probes.
    pub set: Arc<ProbeSet>,
    /// Where they come from.
    pub origin: Origin,
    /// Whether they are kept in this browser for the next visit; shipped ones need not be.
    pub kept: bool,
}

/// The probes in use and how the last file went.
#[derive(Clone, Copy)]
pub struct ProbesState {
    service: StoredValue<Network, LocalStorage>,
    /// The probes of the network in use, if it has any.
    pub in_use: RwSignal<Option<InUse>>,
    /// Why the last probes were refused. Those in use stay.
    pub problem: RwSignal<Option<String>>,
}

impl ProbesState {
    /// Without probes.
    #[must_use]
    pub fn new(service: Network) -> Self {
        Self {
            service: StoredValue::new_local(service),
            in_use: RwSignal::new(None),
            problem: RwSignal::new(None),
        }
    }

    /// Looks for the probes of a network that has just come into use: kept ones before shipped ones, which only the
    /// default network has.
    pub(super) async fn find(&self, network: &Description, default: bool) {
        self.problem.set(None);
        self.in_use.set(None);
        let still = || self.service.with_value(Network::hash).as_ref() == Some(&network.sha256);
        let kept = saved::find_probes(&network.sha256).await;
        if let Some(file) = kept.filter(|_| still()) {
            // Older formats are possible here: then the shipped ones are next, or a new fit.
            match self.use_file(&file, Origin::Kept, true) {
                Ok(()) => {
                    if default {
                        self.add_shipped_changes(still).await;
                    }
                    return;
                }
                Err(reason) => self
                    .problem
                    .set(Some(format!("The kept probes cannot be used: {reason}."))),
            }
        }
        if default {
            let shipped = shipped::fetch(&paths::default_probes(), |_, _| ()).await;
            if !still() {
                return;
            }
            let used = match shipped {
                Ok(file) => self.use_file(&file, Origin::Shipped, false),
                Err(error) => Err(error.to_string()),
            };
            if let Err(reason) = used {
                self.problem
                    .set(Some(format!("The default network's probes cannot be used: {reason}.")));
            }
        }
    }

    /// Gives kept probes of the default network that have no probes of changes the shipped ones: they were fitted, or kept,
    /// before a file held both kinds.
    async fn add_shipped_changes(&self, still: impl Fn() -> bool) {
        let lacking = |in_use: &InUse| in_use.origin == Origin::Kept && in_use.set.changes().is_none();
        if !self.in_use.with_untracked(|now| now.as_ref().is_some_and(lacking)) {
            return;
        }
        let Ok(file) = shipped::fetch(&paths::default_probes(), |_, _| ()).await else {
            return;
        };
        clock::yield_to_browser().await;
        let Ok(shipped) = ProbeSet::read(&file) else { return };
        let now = self.in_use.get_untracked().filter(|now| still() && lacking(now));
        if let Some(now) = now {
            let whole = ProbeSet::clone(&now.set).keeping_changes_of(&shipped);
            // It was in use without them a moment ago.
            let _ = self.use_set(whole, now.origin, now.kept);
        }
    }

    /// Takes a probe file that the user gave, and keeps it.
    pub fn take(&self, file: FileBytes) {
        let this = *self;
        spawn_local(async move {
            match this.use_file(&file.bytes, Origin::File, false) {
                Ok(()) => this.keep().await,
                Err(reason) => this.refuse(format!("{} was not loaded: {reason}.", file.name)),
            }
        });
    }

    /// Uses probes that were fitted just now, and keeps them.
    pub(super) async fn adopt(&self, set: ProbeSet) {
        match self.use_set(set, Origin::Fitted, false) {
            Ok(()) => self.keep().await,
            Err(reason) => self.refuse(format!("The fitted probes cannot be used: {reason}.")),
        }
    }

    /// Hands the probes in use to the user as a file.
    pub fn save(&self) {
        let Some(in_use) = self.in_use.get_untracked() else {
            return;
        };
        let hash: String = in_use.set.network().chars().take(12).collect();
        let saved = files::save(
            &format!("{hash}.probes"),
            "application/octet-stream",
            &in_use.set.write(),
        );
        if let Err(error) = saved {
            self.refuse(format!("The probes cannot be saved: {error}."));
        }
    }

    /// Does without the kept probes; the default network then has its shipped ones again.
    ///
    /// `default`: whether the network in use is the default one.
    pub fn forget(&self, default: bool) {
        let this = *self;
        let Some(network) = self.service.with_value(Network::description) else {
            return;
        };
        spawn_local(async move {
            saved::forget_probes(&network.sha256).await;
            // None belong to any network.
            let _ = this.service.with_value(|service| service.use_probes(None));
            this.find(&network, default).await;
        });
    }

    /// Says why probes could not be used.
    pub fn refuse(&self, reason: String) {
        self.problem.set(Some(reason));
    }

    async fn keep(&self) {
        let Some(in_use) = self.in_use.get_untracked() else {
            return;
        };
        // The report is being drawn.
        clock::yield_to_browser().await;
        let kept = saved::keep_probes(in_use.set.network(), &in_use.set.write())
            .await
            .is_ok();
        self.in_use.update(|now| {
            if let Some(now) = now.as_mut().filter(|now| Arc::ptr_eq(&now.set, &in_use.set)) {
                now.kept = kept;
            }
        });
    }

    fn use_file(&self, file: &[u8], origin: Origin, kept: bool) -> Result<(), String> {
        let set = ProbeSet::read(file).map_err(|e| e.to_string())?;
        self.use_set(set, origin, kept)
    }

    fn use_set(&self, set: ProbeSet, origin: Origin, kept: bool) -> Result<(), String> {
        // A set without probes of changes leaves those of the same network in use.
        let set = match self.in_use.get_untracked() {
            Some(now) => set.keeping_changes_of(&now.set),
            None => set,
        };
        let set = Arc::new(set);
        self.service
            .with_value(|service| service.use_probes(Some(set.clone())))
            .map_err(|e| e.to_string())?;
        self.problem.set(None);
        self.in_use.set(Some(InUse { set, origin, kept }));
        Ok(())
    }
}

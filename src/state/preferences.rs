//! What the user set.

use leptos::prelude::*;

use crate::{
    browser::theme,
    services::{
        analysis::Effort,
        settings::{Connection, Settings},
    },
    uci::Limit,
};

/// Settings, kept at every change.
#[derive(Clone, Copy)]
pub struct Preferences {
    settings: RwSignal<Settings>,
    /// False when the browser keeps nothing, so that the user can be told.
    pub kept: RwSignal<bool>,
}

impl Preferences {
    /// The kept settings.
    #[must_use]
    pub fn load() -> Self {
        let settings = Settings::load();
        theme::set_theme(settings.theme.as_deref());
        Self {
            settings: RwSignal::new(settings),
            kept: RwSignal::new(true),
        }
    }

    /// The settings; tracked.
    #[must_use]
    pub fn get(&self) -> Settings {
        self.settings.get()
    }

    /// The settings; not tracked.
    #[must_use]
    pub fn get_untracked(&self) -> Settings {
        self.settings.get_untracked()
    }

    /// How far the engine looks; tracked.
    #[must_use]
    pub fn effort(&self) -> Effort {
        self.settings.with(Settings::effort)
    }

    /// Changes and keeps them.
    pub fn update(&self, change: impl FnOnce(&mut Settings)) {
        self.settings.update(change);
        let settings = self.settings.get_untracked();
        theme::set_theme(settings.theme.as_deref());
        self.kept.set(settings.save());
    }

    /// How the language model's service in use is asked; tracked.
    #[must_use]
    pub fn connection(&self) -> Connection {
        self.settings.with(Settings::connection)
    }

    /// Whether the model in use is asked for the claims of its own comments; tracked.
    #[must_use]
    pub fn declares(&self) -> bool {
        self.settings.with(Settings::declares)
    }

    /// Whether only sentences with a supported claim are shown of what it says; tracked.
    #[must_use]
    pub fn supported_only(&self) -> bool {
        self.settings.with(Settings::supported_only)
    }

    /// Changes how it is asked.
    pub fn change_connection(&self, change: impl FnOnce(&mut Connection)) {
        self.update(|settings| settings.change_connection(change));
    }

    /// Sets the engine's limit.
    pub fn set_limit(&self, limit: Limit) {
        self.update(|s| s.limit = limit);
    }
}

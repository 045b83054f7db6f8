//! What stands beside the board: one panel at a time.

use leptos::prelude::*;

use crate::browser::storage;

/// Under what name a tab of the browser keeps which panel is open.
const OPEN: &str = "kibitz-panel";

/// A panel beside the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Panel {
    /// The prose, the questions about it, and the facts under it.
    #[default]
    Commentary,
    /// The engine's lines and settings.
    Engine,
    /// What the move does to the concepts.
    Concepts,
    /// The network's moves and chances.
    Network,
    /// A language model's comment.
    Model,
}

impl Panel {
    /// All of them, in their order.
    pub const ALL: [Self; 5] = [
        Self::Commentary,
        Self::Engine,
        Self::Concepts,
        Self::Network,
        Self::Model,
    ];

    /// Its name on its tab.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Commentary => "Commentary",
            Self::Engine => "Engine",
            Self::Concepts => "Concepts",
            Self::Network => "Network",
            Self::Model => "Model",
        }
    }

    /// The panel `steps` further on, round the ends.
    #[must_use]
    pub fn further(self, steps: isize) -> Self {
        let count = Self::ALL.len() as isize;
        let at = Self::ALL.iter().position(|panel| *panel == self).unwrap_or_default() as isize;
        // Within 0 and the number of panels.
        Self::ALL[(at + steps).rem_euclid(count) as usize]
    }
}

/// Which panel is open.
#[derive(Clone, Copy)]
pub struct Panels {
    open: RwSignal<Panel>,
}

impl Panels {
    /// The one that this tab of the browser had open last.
    #[must_use]
    pub fn load() -> Self {
        let kept = storage::read_in_tab(OPEN);
        let open = Panel::ALL
            .into_iter()
            .find(|panel| kept.as_deref() == Some(panel.label()));
        Self {
            open: RwSignal::new(open.unwrap_or_default()),
        }
    }

    /// The open panel; tracked.
    #[must_use]
    pub fn open(&self) -> Panel {
        self.open.get()
    }

    /// Opens another.
    pub fn show(&self, panel: Panel) {
        self.open.set(panel);
        storage::write_in_tab(OPEN, panel.label());
    }
}

//! What the work on ratings works on.

use std::sync::Arc;

use crate::survey::{
    Study,
    analysis::{Options, Report, dataset::Dataset, material::Material, quality},
    merge::{Picked, Sheet},
};

/// What the loop works on.
#[derive(Default)]
pub(super) struct Work {
    pub(super) studies: Vec<(usize, Study)>,
    pub(super) scores: Vec<(usize, String)>,
    pub(super) sheets: Vec<Sheet>,
    /// The file of each sheet.
    pub(super) owners: Vec<usize>,
    pub(super) simulated: Option<(Study, Sheet)>,
    pub(super) picked: Picked,
    pub(super) criteria: Vec<String>,
    pub(super) material: Material,
    /// Everybody's ratings, and how carefully they rated.
    pub(super) everybody: Option<(Dataset, Vec<quality::RaterRow>)>,
    /// What they say, with the options that this was computed with.
    pub(super) all: Option<(Options, Arc<Report>)>,
    /// The ratings without the raters that are left out.
    pub(super) without: Option<Dataset>,
    pub(super) problem: Option<String>,
    pub(super) study_notes: Vec<String>,
}

impl Work {
    pub(super) fn sheets(&self) -> &[Sheet] {
        self.simulated
            .as_ref()
            .map_or(&self.sheets, |(_, sheet)| std::slice::from_ref(sheet))
    }
}

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
    /// Studies beyond those that can be chosen among.
    pub(super) more_studies: usize,
    pub(super) material: Material,
    /// Everybody's ratings, and how carefully they rated.
    pub(super) everybody: Option<(Dataset, Vec<quality::RaterRow>)>,
    /// What they say, with the options that this was computed with.
    pub(super) all: Option<(Options, Arc<Report>)>,
    /// The ratings without the raters that are left out.
    pub(super) without: Option<Dataset>,
    /// What raters' new names are drawn with: the same in all files of this visit, and nobody else's.
    pub(super) seed: Option<u64>,
    pub(super) problem: Option<String>,
    pub(super) study_notes: Vec<String>,
}

impl Work {
    /// The study of the ratings that are analysed, if its file is there. Rows without a study's name are of the study
    /// that is given.
    pub(super) fn study(&self, chosen: Option<&str>) -> Option<&Study> {
        let of_chosen = |study: &&Study| chosen.is_none_or(|id| id.is_empty() || id == study.id);
        match &self.simulated {
            Some((study, _)) => Some(study),
            None => self.studies.iter().rev().map(|(_, study)| study).find(of_chosen),
        }
    }

    pub(super) fn sheets(&self) -> &[Sheet] {
        self.simulated
            .as_ref()
            .map_or(&self.sheets, |(_, sheet)| std::slice::from_ref(sheet))
    }
}

//! The ratings and what they say, as the page reads them.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
};

use leptos::prelude::*;

use super::{
    rows::{Command, FileRow, Progress, Refresh, ScaleRow},
    work::Work,
};
use crate::survey::analysis::{Report, pairs::Pairs, table::Table};

/// The ratings and what they say.
#[derive(Clone, Copy)]
pub struct RatingsState {
    /// The files given.
    pub files: RwSignal<Vec<FileRow>>,
    /// What the work is at; `None` when it is done.
    pub progress: RwSignal<Option<Progress>>,
    /// How the last work went.
    pub status: RwSignal<Option<String>>,
    /// Why there are no tables.
    pub problem: RwSignal<Option<String>>,
    /// Duplicates, conflicts and whatever else there is to know.
    pub notes: RwSignal<Arc<Vec<String>>>,
    /// The studies that the ratings are of.
    pub studies: RwSignal<Vec<String>>,
    /// The study among them that is analysed.
    pub study: RwSignal<Option<String>>,
    /// The studies of the files given, by id, with their methods.
    pub known: RwSignal<Vec<(String, Vec<String>)>>,
    /// The scales.
    pub scales: RwSignal<Vec<ScaleRow>>,
    pub(super) own_scales: RwSignal<BTreeMap<String, (f64, f64)>>,
    /// The method that others are compared with.
    pub baseline: RwSignal<Option<String>>,
    /// Whether the permutation test is used in place of Wilcoxon's.
    pub sign_flips: RwSignal<bool>,
    /// Whether comments that are the reference itself count in BLEU and ROUGE.
    pub count_reference: RwSignal<bool>,
    /// Whether the paper's figures are shown beside ours.
    pub paper: RwSignal<bool>,
    /// Pilot sessions among the files.
    pub pilots: RwSignal<usize>,
    /// Whether they are taken.
    pub include_pilots: RwSignal<bool>,
    /// Raters who are left out.
    pub excluded: RwSignal<BTreeSet<String>>,
    /// The tables.
    pub report: RwSignal<Option<Arc<Report>>>,
    /// The same for the charts, and for the raters' table: they follow in turns of their own.
    pub charts: RwSignal<Option<Arc<Report>>>,
    /// See [`Self::charts`].
    pub raters: RwSignal<Option<Arc<Report>>>,
    /// What leaving raters out changes.
    pub changes: RwSignal<Option<Arc<Table>>>,
    /// The heat map's criterion, by its place.
    pub pairs_of: RwSignal<usize>,
    /// The pairs of the heat map.
    pub pairs: RwSignal<Option<Arc<Pairs>>>,
    /// Whether simulated raters are shown in place of the files.
    pub simulated: RwSignal<bool>,
    pub(super) queue: StoredValue<VecDeque<Command>, LocalStorage>,
    pub(super) work: StoredValue<Option<Work>, LocalStorage>,
    pub(super) wanted: StoredValue<Option<Refresh>>,
    pub(super) busy: StoredValue<bool>,
    pub(super) next: StoredValue<usize>,
}

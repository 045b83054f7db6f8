//! People's ratings of the comments that are judged.

use std::collections::BTreeSet;

use crate::{
    browser::slices::Slices,
    survey::{
        analysis::{dataset::Dataset, material::Material},
        merge::{Sheet, pick},
    },
};

/// The sheets of all files that were given.
#[derive(Debug, Clone, Default)]
pub(super) struct People(pub(super) Vec<Sheet>);

impl People {
    /// Their ratings, as judges are held against them; or why they cannot be used.
    pub(super) async fn dataset(&self, pace: &Slices) -> Result<Dataset, String> {
        let picked = pick(&self.0, pace).await;
        let mut material = Material::default();
        for set in self.0.iter().filter_map(|sheet| sheet.set.as_ref()) {
            material.add_set(set);
        }
        Dataset::new(picked.slices(&self.0), &material, &BTreeSet::new(), pace)
            .await
            .map_err(|error| format!("The ratings cannot be used: {error}."))
    }
}

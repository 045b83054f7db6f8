//! Sets of annotated boards in whatever form they are given.

use std::{
    error::Error,
    path::{Path, PathBuf},
};

use kibitz::chessbench::{
    bag_record::BagKind,
    record::RecordSet,
    set_source::{read_bags, read_set},
};

use super::super::{
    program::program,
    survey_input::{bytes, text},
};

/// The set in a file of JSON lines (a run or a set), a CSV, a .bag file, or a folder with the dataset's .bag files.
pub fn read(path: &Path) -> Result<RecordSet, Box<dyn Error>> {
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let bags: Vec<PathBuf> = if path.is_dir() {
        // State values first: they alone have the boards in which the game is over, and so the boards' order.
        let kinds = [BagKind::StateValue, BagKind::BehavioralCloning, BagKind::ActionValue];
        let found = kinds.map(|kind| shards(path, kind));
        found.into_iter().collect::<Result<Vec<_>, _>>()?.concat()
    } else if path.extension().is_some_and(|end| end == "bag") {
        vec![path.to_owned()]
    } else {
        return read_set(text(path)?.as_bytes(), &program()).map_err(|error| named(&error).into());
    };
    if bags.is_empty() {
        let names = BagKind::ALL.map(BagKind::file_name).join(", ");
        return Err(named(&format!(
            "the folder has none of {names}, nor of their shards, such as action_value-00000-of-02148_data.bag"
        ))
        .into());
    }
    let files = bags.iter().map(|file| bytes(file)).collect::<Result<Vec<_>, _>>()?;
    let (set, left_out) = read_bags(files, &program()).map_err(|error| named(&error))?;
    if left_out > 0 {
        errln!(
            "lab: {}: {left_out} boards are left out: their moves are not the legal ones",
            path.display()
        );
    }
    Ok(set)
}

/// The files of a kind in a folder, in the order of their shards. That not all of them are there is said.
fn shards(folder: &Path, kind: BagKind) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut found: Vec<(usize, PathBuf)> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match BagKind::of_file(&name) {
            Some((of, shards)) if of == kind => found.push((shards, path)),
            _ => {}
        }
    }
    found.sort();
    let wanted = found.first().map_or(0, |(shards, _)| *shards);
    if found.iter().any(|(shards, _)| *shards != wanted) {
        let kind = kind.file_name();
        return Err(format!("{}: the shards of {kind} are of several sets", folder.display()).into());
    }
    if found.len() < wanted {
        let (there, kind) = (found.len(), kind.file_name());
        errln!(
            "lab: {}: {there} of {wanted} shards of {kind} are there",
            folder.display()
        );
    }
    Ok(found.into_iter().map(|(_, path)| path).collect())
}

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

use super::super::{program::program, survey_input::bytes};

/// The set in a file of JSON lines (a run or a set), a CSV, a .bag file, or a folder with the dataset's .bag files.
pub fn read(path: &Path) -> Result<RecordSet, Box<dyn Error>> {
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let bags: Vec<PathBuf> = if path.is_dir() {
        // State values first: they alone have the boards in which the game is over, and so the boards' order.
        let kinds = [BagKind::StateValue, BagKind::BehavioralCloning, BagKind::ActionValue];
        let files = kinds.map(|kind| path.join(kind.file_name()));
        files.into_iter().filter(|file| file.is_file()).collect()
    } else if path.extension().is_some_and(|end| end == "bag") {
        vec![path.to_owned()]
    } else {
        return read_set(&bytes(path)?, &program()).map_err(|error| named(&error).into());
    };
    if bags.is_empty() {
        let names = BagKind::ALL.map(BagKind::file_name).join(", ");
        return Err(named(&format!("the folder has none of {names}")).into());
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

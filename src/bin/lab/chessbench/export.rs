//! `lab chessbench export`: annotated boards as JSON lines, as CSV, or in the dataset's own layout.

use std::{
    error::Error,
    fs::{self, File},
    io::BufWriter,
    path::PathBuf,
};

use kibitz::chessbench::{
    bag::BagWriter,
    bag_record::{BagKind, bag_records},
    csv_file::write_csv,
};

use super::{super::survey_input::write, sets::read};

/// What to write, and where.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A run, a set, a CSV, a .bag file or a folder of them.
    #[arg(value_name = "SET")]
    set: PathBuf,
    /// The set as JSON lines: a header, then a line a board.
    #[arg(long, value_name = "FILE.jsonl")]
    jsonl: Option<PathBuf>,
    /// A row an action.
    #[arg(long, value_name = "FILE.csv")]
    csv: Option<PathBuf>,
    /// The folder of action_value_data.bag, state_value_data.bag and behavioral_cloning_data.bag.
    #[arg(long, value_name = "FOLDER")]
    bag: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    if args.jsonl.is_none() && args.csv.is_none() && args.bag.is_none() {
        return Err("nothing is to be written: name --jsonl, --csv or --bag".into());
    }
    let set = read(&args.set)?;
    if let Some(path) = &args.jsonl {
        write(path, &set.text())?;
    }
    if let Some(path) = &args.csv {
        write(path, &write_csv(&set.records))?;
    }
    if let Some(folder) = &args.bag {
        let at = |path: &std::path::Path, error: std::io::Error| format!("{}: {error}", path.display());
        fs::create_dir_all(folder).map_err(|error| at(folder, error))?;
        for kind in BagKind::ALL {
            let path = folder.join(kind.file_name());
            let records = bag_records(&set.records, kind);
            let written = File::create(&path).and_then(|file| {
                let mut writer = BagWriter::new(BufWriter::new(file));
                records.iter().try_for_each(|record| writer.write(&record.encode()))?;
                writer.finish()
            });
            written.map_err(|error| at(&path, error))?;
            errln!("lab: {} records in {}", records.len(), path.display());
        }
    }
    errln!("lab: {} boards", set.records.len());
    Ok(())
}

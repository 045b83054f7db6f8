//! A file that holds annotated boards, whatever its form.

use thiserror::Error;

use super::{
    bag_record::{BagSet, BagSetError},
    board::BoardCounts,
    csv_file::{COLUMNS, CsvSetError, read_csv_at},
    record::{RecordSet, SCHEMA, SetError, SetHeader},
    run_file::{AnnotationRun, AnnotationRunError},
};
use crate::{
    pace::{AtOnce, Pace, at_once},
    table_file::{TableFile, is_json},
};

/// Why a file is no set of annotated boards.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SetSourceError {
    /// It is no text, and is not named `.bag`.
    #[error("the file is no text; files in the dataset's layout have to be named .bag")]
    NotText,
    /// A set of ours.
    #[error(transparent)]
    Set(#[from] SetError),
    /// A run of ours.
    #[error(transparent)]
    Run(#[from] AnnotationRunError),
    /// A table.
    #[error(transparent)]
    Csv(#[from] CsvSetError),
    /// A file in the dataset's layout.
    #[error(transparent)]
    Bag(#[from] BagSetError),
}

/// The set in a file of JSON lines (a run or a set) or in a CSV, by how it begins.
///
/// # Errors
/// When it is neither.
pub fn read_set(bytes: &[u8], program: &str) -> Result<RecordSet, SetSourceError> {
    at_once(read_set_at(bytes, program, &AtOnce))
}

/// The same in turns.
///
/// # Errors
/// As [`read_set`].
pub async fn read_set_at(bytes: &[u8], program: &str, pace: &impl Pace) -> Result<RecordSet, SetSourceError> {
    let text = std::str::from_utf8(bytes).map_err(|_| SetSourceError::NotText)?;
    pace.turn().await;
    let is_table = |table: TableFile<'_>| [COLUMNS[0], COLUMNS[1]].iter().all(|name| table.find(name) != Ok(None));
    if !is_json(text) && TableFile::open(text).is_ok_and(is_table) {
        return Ok(RecordSet {
            header: unknown_origin(program),
            records: read_csv_at(text, pace).await?,
        });
    }
    match AnnotationRun::read_at(text, pace).await {
        Ok(run) => Ok(run.set_at(pace).await),
        Err(AnnotationRunError::NoHeader) => Ok(RecordSet::read_at(text, pace).await?),
        Err(error) => Err(error.into()),
    }
}

/// The set of files in the dataset's layout, and how many boards were left out because their moves are not the legal ones.
///
/// # Errors
/// When one of them is none, or they contradict each other.
pub fn read_bags<B: AsRef<[u8]>>(
    files: impl IntoIterator<Item = B>,
    program: &str,
) -> Result<(RecordSet, usize), SetSourceError> {
    at_once(read_bags_at(files, program, &AtOnce))
}

/// The same in turns.
///
/// # Errors
/// As [`read_bags`].
pub async fn read_bags_at<B: AsRef<[u8]>>(
    files: impl IntoIterator<Item = B>,
    program: &str,
    pace: &impl Pace,
) -> Result<(RecordSet, usize), SetSourceError> {
    let mut set = BagSet::default();
    for bytes in files {
        set.add_at(bytes.as_ref(), pace).await?;
    }
    let (records, left_out) = set.finish_at(pace).await?;
    let header = unknown_origin(program);
    Ok((RecordSet { header, records }, left_out))
}

fn unknown_origin(program: &str) -> SetHeader {
    SetHeader {
        schema: SCHEMA,
        program: program.to_owned(),
        oracle: None,
        counts: BoardCounts::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{csv_file::write_csv, record::tests::set},
        *,
    };

    #[test]
    fn a_file_is_what_it_is() {
        let set = set(12);
        let read = |text: &str| read_set(text.as_bytes(), "test");
        assert_eq!(read(&set.text()).unwrap(), set);
        assert_eq!(read(&write_csv(&set.records)).unwrap().records, set.records);
        let oracle = set.header.oracle.clone().unwrap();
        let run = AnnotationRun::new(Vec::new(), BoardCounts::default(), oracle, "test".to_owned());
        assert_eq!(read(&run.text()).unwrap().records, []);
        assert_eq!(read("nonsense"), Err(SetSourceError::Set(SetError::NoHeader)));
        assert_eq!(read_set(&[0xff, 0xfe], "test"), Err(SetSourceError::NotText));
        assert!(matches!(
            read("fen,value,score,best,move,action_value,action_score\nx"),
            Err(SetSourceError::Csv(_))
        ));
        let newer = run.text().replacen("\"schema\":1", "\"schema\":7", 1);
        assert!(matches!(
            read(&newer),
            Err(SetSourceError::Run(AnnotationRunError::Schema(7)))
        ));
    }

    #[test]
    fn a_bag_that_is_none_is_refused() {
        assert!(matches!(read_bags([b"abc"], "test"), Err(SetSourceError::Bag(_))));
        assert_eq!(read_bags::<&[u8]>([], "test").unwrap().0.records, []);
    }
}

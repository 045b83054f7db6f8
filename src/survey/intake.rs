//! The files that an analysis is given, known by what is in them: raters' results, the study, scores of metrics.

use serde::Deserialize;
use thiserror::Error;

use super::{
    analysis::material::{Material, ScoresError},
    merge::{Results, ResultsError, read_results_in_turns},
    responses::MAX_RESULTS_BYTES,
    study::Study,
    study_file::{StudyError, read_study_at},
};
use crate::{
    file_text::{NotText, TextNotice, read_text_at},
    pace::Pace,
    table_file::TableFile,
};

/// What a file is.
#[derive(Debug, Clone, PartialEq)]
pub enum Intake {
    /// Raters' results.
    Results(Results),
    /// The study that was rated.
    Study(Box<Study>),
    /// A table of scores, and how many there are in it.
    Scores {
        /// The table, for [`Material::add_scores`].
        text: String,
        /// Scores in it.
        count: usize,
    },
}

/// A file that is nothing to analyse.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum IntakeError {
    /// It is no text.
    #[error(transparent)]
    NotText(#[from] NotText),
    /// It would be results, but cannot be read.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// It would be a study, but cannot be read.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// It would be a table of scores, but cannot be read.
    #[error(transparent)]
    Scores(#[from] ScoresError),
}

/// Reads a file: JSON with the `schema` of a study is a study, a table with the columns `position` and `method` and
/// without `rater` holds scores; all else is results or nothing. Also what is to be known of how its text was read.
///
/// # Errors
/// When it is neither, or is damaged.
pub async fn read(bytes: &[u8], pace: &impl Pace) -> Result<(Intake, Option<TextNotice>), IntakeError> {
    if bytes.len() > MAX_RESULTS_BYTES {
        return Err(ResultsError::TooLarge(bytes.len()).into());
    }
    let read = read_text_at(bytes, pace).await?;
    let text = read.text.trim_start();
    let intake = if text.starts_with('{') && says_study(text) {
        Intake::Study(Box::new(read_study_at(text.as_bytes(), pace).await?))
    } else if says_scores(text, pace).await {
        let count = Material::default().add_scores(&read.text)?;
        let text = read.text;
        Intake::Scores { text, count }
    } else {
        Intake::Results(read_results_in_turns(read.text.as_bytes(), pace).await?)
    };
    Ok((intake, read.notice))
}

/// Whether the first JSON object says that it is a study, of this version or another.
fn says_study(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Head {
        #[serde(default)]
        schema: serde_json::Value,
    }
    let first = serde_json::Deserializer::from_str(text).into_iter::<Head>().next();
    let Some(Ok(Head { schema })) = first else {
        return false;
    };
    schema
        .as_str()
        .is_some_and(|schema| schema.starts_with("kibitz-study-"))
}

async fn says_scores(text: &str, pace: &impl Pace) -> bool {
    let Ok(table) = TableFile::open_at(text, pace).await else {
        return false;
    };
    let has = |name: &str| table.columns().iter().any(|found| found.eq_ignore_ascii_case(name));
    has("position") && has("method") && !has("rater") && !has("criterion")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        pace::{AtOnce, at_once},
        survey::demonstration::demonstration,
    };

    fn take(text: &str) -> Result<Intake, String> {
        let read = at_once(read(text.as_bytes(), &AtOnce));
        read.map(|(intake, _)| intake).map_err(|error| error.to_string())
    }

    #[test]
    fn files_are_known_by_what_is_in_them() {
        let study = demonstration().unwrap();
        assert_eq!(take(&study.to_json()), Ok(Intake::Study(Box::new(study.clone()))));
        let newer = study.to_json().replace("kibitz-study-1", "kibitz-study-9");
        assert!(take(&newer).unwrap_err().contains("kibitz-study-9"));
        let scores = take("method,GCC,position\na,0.5,p1\n");
        assert!(matches!(scores, Ok(Intake::Scores { count: 1, .. })), "{scores:?}");
        assert_eq!(
            take("position,method,x\np1,a,good\n"),
            Err("line 2: “good” is no number for x".into())
        );
        let rows = take("\u{feff}rater,item,position,method,criterion,value\nr1,p1/a,p1,a,clarity,4\n");
        assert!(
            matches!(&rows, Ok(Intake::Results(Results::Rows(rows))) if rows.len() == 1),
            "{rows:?}"
        );
        assert!(take("{\"schema\":\"other-1\"}").unwrap_err().contains("other-1"));
        assert_eq!(take(" \n"), Err("it is empty".into()));
        let zip = at_once(read(b"PK\x03\x04", &AtOnce)).map_err(|error| error.to_string());
        assert!(zip.as_ref().is_err_and(|error| error.contains("xlsx")), "{zip:?}");
        assert!(
            take("<html></html>")
                .unwrap_err()
                .contains("the header lacks the column “rater”")
        );
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), text in "(?s)[{}\"a-z:,;\n\t1-9]{0,80}") {
            let _ = at_once(read(&bytes, &AtOnce));
            let _ = take(&text);
            let _ = take(&format!("position,method,{text}"));
            let _ = take(&format!("{{\"schema\":\"kibitz-study-1\",{text}"));
        }
    }
}

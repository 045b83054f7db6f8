//! The files that an analysis is given, known by what is in them: raters' results, the study, scores of metrics.

use serde::Deserialize;
use thiserror::Error;

use super::{
    analysis::material::{Material, ScoresError},
    merge::{Results, ResultsError, read_results_in_turns},
    responses::MAX_RESULTS_BYTES,
    study::Study,
    study_file::{StudyError, read_study},
};
use crate::pace::Pace;

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

/// Reads a file: JSON with the `schema` of a study is a study, a CSV with the columns `position` and `method` and
/// without `rater` holds scores; all else is results or nothing.
///
/// # Errors
/// When it is neither, or is damaged.
pub async fn read(bytes: &[u8], pace: &impl Pace) -> Result<Intake, IntakeError> {
    let text = (bytes.len() <= MAX_RESULTS_BYTES)
        .then(|| std::str::from_utf8(bytes).ok())
        .flatten()
        .unwrap_or_default()
        .trim_start_matches('\u{feff}')
        .trim_start();
    if text.starts_with('{') && says_study(text) {
        return Ok(Intake::Study(Box::new(read_study(bytes)?)));
    }
    if says_scores(text) {
        let count = Material::default().add_scores(text)?;
        return Ok(Intake::Scores {
            text: text.to_owned(),
            count,
        });
    }
    Ok(Intake::Results(read_results_in_turns(bytes, pace).await?))
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

fn says_scores(text: &str) -> bool {
    let header: Vec<&str> = text
        .lines()
        .next()
        .unwrap_or_default()
        .split([',', ';', '\t'])
        .map(|name| name.trim().trim_matches('"'))
        .collect();
    let has = |name: &str| header.iter().any(|found| found.eq_ignore_ascii_case(name));
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
        at_once(read(text.as_bytes(), &AtOnce)).map_err(|error| error.to_string())
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
        assert_eq!(
            at_once(read(&[0xff, 0xfe, 0], &AtOnce)),
            Err(IntakeError::Results(ResultsError::NotText))
        );
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

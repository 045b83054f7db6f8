//! What a language model is told about a move, by its arm; the concepts come from the source that speaks in the page.

use crate::{
    chess::Played,
    commentary::{Appraisal, Arm, Evaluation, FactSheet, Prompt, PromptOptions, prompt},
    services::{
        analysis::{self, EvaluationError, Services},
        settings::Settings,
    },
};

/// What a model is asked, and the sheet its answer is held against.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// With all that the arm is told.
    pub sheet: FactSheet,
    /// The prompt.
    pub prompt: Prompt,
    /// Why the arm is told less than it should be.
    pub lacks: Option<String>,
}

impl Prepared {
    /// From a sheet that has what the arm is told.
    #[must_use]
    pub fn new(sheet: FactSheet, arm: Arm, options: PromptOptions) -> Self {
        let prompt = prompt::prompt(&sheet, arm, options);
        Self {
            sheet,
            prompt,
            lacks: None,
        }
    }
}

/// Looks at a move for an arm; the searches are not made again where their outcome is known.
///
/// # Errors
/// When the engine does not answer: every answer is held against what it says.
pub async fn prepare(
    services: &Services,
    played: &Played,
    known: Option<Evaluation>,
    arm: Arm,
    settings: &Settings,
) -> Result<Prepared, EvaluationError> {
    let options = settings.prompt_options(arm);
    if let Some(evaluation) = known.as_ref().filter(|_| !arm.tells_concepts()) {
        return Ok(Prepared::new(
            FactSheet::new(played, Some(evaluation), None),
            arm,
            options,
        ));
    }
    let known = known.map(|evaluation| Appraisal::of(played.clone(), evaluation));
    let (effort, wanted) = (settings.effort(), settings.wanted());
    let analysis = analysis::analyse(services, played, effort, wanted, known, || false, |_| ()).await;
    analysis.evaluation?;
    let lacks = match (analysis.concepts.instead, analysis.concepts.used) {
        _ if !arm.tells_concepts() => None,
        (Some(reason), _) => Some(reason.to_string()),
        (None, Err(error)) => Some(error.to_string()),
        _ => None,
    };
    Ok(Prepared {
        lacks,
        ..Prepared::new(analysis.sheet, arm, options)
    })
}

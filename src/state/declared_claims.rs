//! Claims that a model declares of texts that are there already: a person's comment, pasted answers, comments of other models. The
//! connected one is asked for each text once; without one a chat's answer is brought by hand. What is declared is judged like any
//! claim.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{
    endpoint::EndpointState,
    model_run::{Going, ModelRun},
};
use crate::{
    commentary::{Declaration, FactSheet, prompt::declaration},
    long_run::count::several,
    services::endpoint::stopper,
};

/// What the model declared of texts on one move.
#[derive(Clone, Copy)]
pub struct DeclaredClaims {
    endpoint: EndpointState,
    by_text: RwSignal<Vec<(String, Declaration)>>,
}

impl DeclaredClaims {
    /// Nothing asked.
    #[must_use]
    pub fn new(endpoint: EndpointState) -> Self {
        Self {
            endpoint,
            by_text: RwSignal::new(Vec::new()),
        }
    }

    /// What was declared of a text; tracked.
    #[must_use]
    pub fn of(&self, text: &str) -> Declaration {
        let found = self
            .by_text
            .with(|all| all.iter().find(|(of, _)| of == text).map(|(_, what)| what.clone()));
        found.unwrap_or_default()
    }

    /// Those of the texts that the model was not asked about yet, each once; tracked.
    #[must_use]
    pub fn unasked(&self, texts: Vec<String>) -> Vec<String> {
        let mut left: Vec<String> = Vec::new();
        for text in texts {
            if text.chars().any(char::is_alphabetic) && !left.contains(&text) && self.of(&text) == Declaration::Unasked
            {
                left.push(text);
            }
        }
        left
    }

    /// Asks for the claims of texts on the sheet's move, one after the other, until the run is stopped or a question fails.
    pub fn ask(&self, texts: Vec<String>, sheet: FactSheet, run: ModelRun) {
        let Some(going) = run.begin() else { return };
        let this = *self;
        spawn_local(async move {
            let all = texts.len();
            for (done, text) in texts.into_iter().enumerate() {
                going.tell(done, all, Some("The claims of a comment".to_owned()));
                let declared = claims_declared(this.endpoint, &sheet, &text, going).await;
                if !going.is_current() {
                    return;
                }
                match declared {
                    Ok(declared) => this.by_text.update(|all| all.push((text, declared))),
                    Err(problem) => return going.fail(problem),
                }
            }
            going.end();
        });
    }

    /// Keeps what an answer declared of its own text.
    pub fn keep(&self, text: &str, declaration: &Declaration) {
        if declaration.is_made() {
            self.by_text.update(|all| {
                all.retain(|(of, _)| of != text);
                all.push((text.to_owned(), declaration.clone()));
            });
        }
    }

    /// Takes what somebody brought from a chat that was asked for the claims of a text; what can't be read changes nothing. What
    /// came of it, in sentences.
    ///
    /// # Errors
    /// What went wrong and what to do, in sentences.
    pub fn take_by_hand(&self, text: &str, brought: &str) -> Result<String, String> {
        let declaration = Declaration::by_hand(brought, text);
        if let Declaration::Unread(why) = &declaration {
            return Err(format!(
                "The claims could not be read: {why}. Nothing has changed: paste the chat’s whole answer, or give it the text once more."
            ));
        }
        self.keep(text, &declaration);
        Ok(match declaration.claims().len() {
            0 => "The chat declares no claims: the comment is checked by its words.".to_owned(),
            count => format!("The comment is judged by {}.", several(count, "declared claim")),
        })
    }

    /// Forgets all of it, as when another move is taken up.
    pub fn forget(&self) {
        self.by_text.set(Vec::new());
    }
}

/// Asks for the claims of a text on the sheet's move. The error is what happened and what to do.
pub(super) async fn claims_declared(
    endpoint: EndpointState,
    sheet: &FactSheet,
    text: &str,
    going: Going,
) -> Result<Declaration, String> {
    let (stop, stopped) = stopper();
    going.stop_slot().try_set_value(Some(stop));
    let question = declaration(sheet, text);
    let answer = endpoint.ask_for_claims(question, stopped, |_| ()).await;
    let answer = answer.map_err(|failure| format!("{} {}", failure.what, failure.advice))?;
    Ok(Declaration::read(&answer.text, answer.is_cut(), text))
}

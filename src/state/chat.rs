//! Questions about the move under discussion. What a question asks about is looked at first; a model answers where one is
//! connected, the facts where none is.

use std::cell::OnceCell;

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{
    commentary::Commentary,
    endpoint::EndpointState,
    exchange::{Ending, Heard, StopSlot, reviewed},
    model_comment::ModelComment,
    on_demand::on_demand,
    preferences::Preferences,
};
use crate::{
    commentary::{
        FactSheet, Review, Reviewed, Sentence,
        conversation::{Turn, answered_by_facts, messages},
        inquiry::{Finding, Inquiry, Look, Question, inquire},
        replies::Looked,
        replies::{Reply, reply},
    },
    services::analysis::{self, Services},
    uci::SearchResult,
    view::checked::CheckedView,
};

/// What is said to a question that the facts cannot answer.
const UNKNOWN: &str = "The facts alone answer questions about threats, plans and other moves, and those that name a move or the \
                       fate of a piece, such as “why not Nf3?” or “is the knight on e5 safe?”. Connect a language model for others.";
/// What is said to a question that asks for a deeper look.
const DEEPER: &str = "The engine looks deeper at this move; the commentary above is renewed with what it finds.";

/// What was answered.
#[derive(Debug, Clone, PartialEq)]
pub enum Answered {
    /// Nothing yet: what is being done.
    Pending(String),
    /// By the model, and checked.
    Model {
        /// The checked answer.
        view: CheckedView,
        /// Which model, or why its answer is not whole.
        by: String,
    },
    /// By the facts.
    Facts(Vec<Sentence>),
    /// By nobody: why, and what to do.
    Nobody(String),
}

/// A question and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// The question.
    pub question: String,
    /// What was looked at: lines with move numbers, positions.
    pub looked: Vec<String>,
    /// The answer.
    pub answered: Answered,
}

/// The conversation about a move.
#[derive(Clone, Copy)]
pub struct Chat {
    services: StoredValue<Services, LocalStorage>,
    preferences: Preferences,
    endpoint: EndpointState,
    commentary: Commentary,
    comment: ModelComment,
    stop: StopSlot,
    generation: StoredValue<u64>,
    /// No further search is made for the question under way.
    stopped: StoredValue<bool>,
    turns: StoredValue<Vec<Turn>, LocalStorage>,
    /// What was said, oldest first.
    pub said: RwSignal<Vec<Said>>,
    /// Whether an answer is under way.
    pub busy: RwSignal<bool>,
}

impl Chat {
    /// The one of the page.
    #[must_use]
    pub fn get() -> Self {
        thread_local! {
            static STORE: OnceCell<Chat> = const { OnceCell::new() };
        }
        on_demand(&STORE, |app| {
            Self::new(
                app.services,
                app.preferences,
                app.endpoint,
                app.commentary,
                app.model_comment,
            )
        })
    }

    /// Nothing said yet.
    fn new(
        services: StoredValue<Services, LocalStorage>,
        preferences: Preferences,
        endpoint: EndpointState,
        commentary: Commentary,
        comment: ModelComment,
    ) -> Self {
        Self {
            services,
            preferences,
            endpoint,
            commentary,
            comment,
            stop: StoredValue::new_local(None),
            generation: StoredValue::new(0),
            stopped: StoredValue::new(false),
            turns: StoredValue::new_local(Vec::new()),
            said: RwSignal::new(Vec::new()),
            busy: RwSignal::new(false),
        }
    }

    /// Asks about the move shown; the answer arrives in the conversation.
    pub fn ask(&self, question: &str) {
        let Some(sheet) = self.commentary.sheet.get_untracked() else {
            return;
        };
        if question.trim().is_empty() || self.busy.get_untracked() {
            return;
        }
        let inquiry = inquire(&sheet, question);
        self.busy.set(true);
        self.stopped.set_value(false);
        self.said.update(|said| {
            said.push(Said {
                question: question.trim().to_owned(),
                looked: inquiry.titles(sheet.played()),
                answered: Answered::Pending("Reading the question…".to_owned()),
            });
        });
        let (this, question, generation) = (*self, question.to_owned(), self.generation.get_value());
        spawn_local(async move {
            let answered = this.answer(&sheet, &question, &inquiry, generation).await;
            if this.is_current(generation) {
                this.put(answered);
                this.busy.set(false);
            }
        });
    }

    fn is_current(&self, generation: u64) -> bool {
        self.generation.try_get_value() == Some(generation)
    }

    fn put(&self, answered: Answered) {
        self.said.try_update(|said| {
            if let Some(last) = said.last_mut() {
                last.answered = answered;
            }
        });
    }

    async fn answer(&self, sheet: &FactSheet, question: &str, inquiry: &Inquiry, generation: u64) -> Answered {
        if inquiry.question == Question::Deeper {
            // The commentary itself is what is looked at again.
            self.commentary.deepen();
            return Answered::Nobody(DEEPER.to_owned());
        }
        let looked = self.look(inquiry, generation).await;
        let found = self.search(sheet, inquiry, generation).await;
        if !self.is_current(generation) {
            return Answered::Nobody("Stopped.".to_owned());
        }
        let mut turn = Turn::new(question, inquiry, looked);
        match found {
            Ok(found) => turn = turn.with(found),
            // What the engine could not do is no answer, but lines and notes may be there all the same.
            Err(why) if turn.looked.is_empty() && turn.notes.is_empty() => return Answered::Nobody(why),
            Err(_) => {}
        }
        let answered = if self.endpoint.is_configured_untracked() {
            self.model(sheet, &mut turn, generation).await
        } else {
            let sentences = answered_by_facts(&turn);
            if sentences.is_empty() {
                Answered::Nobody(UNKNOWN.to_owned())
            } else {
                turn.answer = sentences.iter().map(|s| s.text.as_str()).collect::<Vec<_>>().join(" ");
                Answered::Facts(sentences)
            }
        };
        if !turn.answer.is_empty() && self.is_current(generation) {
            self.turns.update_value(|turns| turns.push(turn));
        }
        answered
    }

    /// Analyses the lines that a question asks about; those that are compared are searched with the move under discussion.
    async fn look(&self, inquiry: &Inquiry, generation: u64) -> Vec<Looked> {
        let services = self.services.get_value();
        let settings = self.preferences.get_untracked();
        let mut looked = Vec::new();
        for line in inquiry.lines.iter().filter(|line| !line.instead) {
            if self.stopped.try_get_value().unwrap_or(true) {
                break;
            }
            self.put(Answered::Pending(format!("Looking at {}…", line.title)));
            let effort = settings.effort();
            let analysis = analysis::analyse(
                &services,
                &line.played,
                effort,
                settings.wanted(),
                None,
                || false,
                |_| (),
            )
            .await;
            if !self.is_current(generation) {
                break;
            }
            looked.push(Looked {
                title: line.title.clone(),
                sheet: analysis.sheet,
                narrated: true,
            });
        }
        looked
    }

    /// Makes the searches that a question needs, and puts into words what they found; why there are none, in a sentence.
    async fn search(&self, sheet: &FactSheet, inquiry: &Inquiry, generation: u64) -> Result<Reply, String> {
        let engine = self.services.with_value(|services| services.engine.clone());
        let (played, limit) = (sheet.played(), self.preferences.get_untracked().effort().limit);
        // The annotation of the game waits until all are done.
        let _ahead = engine.ahead();
        let mut found: Vec<Finding> = Vec::new();
        let mut failed = None;
        let mut looks: Vec<Look> = inquiry.looks.clone();
        looks.reverse();
        while let Some(look) = looks.pop() {
            if !self.is_current(generation) || self.stopped.try_get_value().unwrap_or(true) {
                break;
            }
            let Some(request) = look.request(engine.id(), played, limit) else {
                continue;
            };
            let what = look.title(played).unwrap_or_else(|| inquiry.titles(played).join("; "));
            self.put(Answered::Pending(format!("Looking at {what}…")));
            let this = *self;
            let progress = move |result: &SearchResult| {
                if this.is_current(generation) {
                    this.put(Answered::Pending(format!(
                        "Looking at {what}… depth {}",
                        result.depth()
                    )));
                }
            };
            match engine.search(request, progress).await {
                Ok(result) => found.push(Finding { look, result }),
                Err(error) => failed = Some(error.to_string()),
            }
            if looks.is_empty() {
                looks.extend(inquiry.more(played, &found));
            }
        }
        let answer = reply(sheet, inquiry, &found, &engine.name());
        match failed {
            Some(why) if answer.sentences.is_empty() => Err(why),
            _ => Ok(answer),
        }
    }

    async fn model(&self, sheet: &FactSheet, turn: &mut Turn, generation: u64) -> Answered {
        self.put(Answered::Pending("Waiting for the model…".to_owned()));
        let comment = match self.comment.checked.get_untracked() {
            Some(view) => view.kept,
            None => self.commentary.prose.with_untracked(|prose| {
                let texts: Vec<&str> = prose.iter().map(|sentence| sentence.text.as_str()).collect();
                texts.join(" ")
            }),
        };
        let context = self.preferences.get_untracked().context;
        let asked = self
            .turns
            .with_value(|past| messages(sheet, context, &comment, past, turn));
        let lines = turn.looked.iter().map(|looked| looked.sheet.clone()).collect();
        let review = Review::new(asked.clone()).beside(lines);
        let this = *self;
        let facts = answered_by_facts(turn);
        let (about, instead) = (sheet.clone(), facts.clone());
        let hear = move |heard| {
            if !this.is_current(generation) {
                return;
            }
            this.put(match heard {
                Heard::Text(_) | Heard::Recalled => Answered::Pending("The model is answering…".to_owned()),
                Heard::Waiting(reason) => match this.last() {
                    // What is shown stays.
                    Some(Answered::Model { view, .. }) => Answered::Model { view, by: reason },
                    _ => Answered::Pending(reason),
                },
                Heard::Whole(reviewed) => Answered::Model {
                    view: answer_view(&reviewed, &about, &instead),
                    by: "Checked by its words; the model is asked for the claims it meant to make…".to_owned(),
                },
                Heard::Again => {
                    Answered::Pending("Some of the answer was wrong; the model was asked once more…".to_owned())
                }
            });
        };
        let (reviewed, ending) = reviewed(self.endpoint, review, asked, sheet, self.stop, hear).await;
        let by = match &ending {
            Ending::Answered { model, note: None } => model.clone(),
            Ending::Answered {
                model,
                note: Some(note),
            } => format!("{model}. {note}"),
            Ending::Failed { what, advice } => format!("{what} {advice}"),
        };
        let Some(reviewed) = reviewed else {
            return Answered::Nobody(by);
        };
        let view = answer_view(&reviewed, sheet, &facts);
        turn.answer.clone_from(&view.kept);
        Answered::Model { view, by }
    }

    /// What the last question was answered with so far.
    fn last(&self) -> Option<Answered> {
        self.said
            .with_untracked(|said| said.last().map(|last| last.answered.clone()))
    }

    /// Ends what is under way; what a model has said by then is kept.
    pub fn stop(&self) {
        self.stopped.set_value(true);
        match self.stop.try_update_value(Option::take).flatten() {
            Some(stop) => stop.now(),
            None => self.services.with_value(|services| services.engine.stop()),
        }
    }

    /// Ends the conversation, as when another move is taken up.
    pub fn reset(&self) {
        self.generation.update_value(|g| *g += 1);
        if let Some(stop) = self.stop.try_update_value(Option::take).flatten() {
            stop.now();
        }
        self.turns.set_value(Vec::new());
        self.said.set(Vec::new());
        self.busy.set(false);
    }
}

/// A checked answer. Where nothing true is left of it, what was looked at for the question answers better than the comment on
/// the move would.
fn answer_view(reviewed: &Reviewed, sheet: &FactSheet, facts: &[Sentence]) -> CheckedView {
    let mut view = CheckedView::new(reviewed, sheet);
    if reviewed.narrator_spoke() && !facts.is_empty() {
        view.kept = facts.iter().map(|s| s.text.as_str()).collect::<Vec<_>>().join(" ");
        view.narrator = Some(facts.to_vec());
    }
    view
}

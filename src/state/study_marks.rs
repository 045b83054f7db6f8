//! Marks made beforehand on the comments of the study in the making: what the claim check holds against them, by their words or
//! by the claims that the connected model declares of them, and a planted mark on each.

use std::{cell::OnceCell, collections::HashMap};

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{
    declared_claims::claims_declared, endpoint::EndpointState, model_run::ModelRun, on_demand::on_demand,
    study::StudyBuilder,
};
use crate::{
    browser::clock,
    commentary::{Declaration, FactSheet},
    long_run::count::{several, time_left},
    survey::{
        Study, claim_marks,
        claims_by_hand::{self, COMMENTS_A_TEXT, ClaimsText, NamedComment, OnMove},
        span::{Span, SpanQuestion},
        study::{Item, MethodComment, played},
    },
};

/// The marking by claims that the model declares.
#[derive(Clone, Copy)]
pub struct StudyMarks {
    endpoint: EndpointState,
    builder: StudyBuilder,
    declared: RwSignal<HashMap<OnMove, Declaration>>,
    answered: RwSignal<usize>,
    /// How many comments a text asks about that goes to a chat by hand.
    pub comments_a_text: RwSignal<usize>,
    /// What came of the last answer that was brought by hand, in sentences; the error is what went wrong and what to do.
    pub brought: RwSignal<Option<Result<String, String>>>,
    /// How far it is: comments that the model was asked about.
    pub run: ModelRun,
}

impl StudyMarks {
    /// The one of the page.
    #[must_use]
    pub fn get() -> Self {
        thread_local! {
            static STORE: OnceCell<StudyMarks> = const { OnceCell::new() };
        }
        on_demand(&STORE, |app| Self {
            endpoint: app.endpoint,
            builder: app.builder,
            declared: RwSignal::new(HashMap::new()),
            answered: RwSignal::new(0),
            comments_a_text: RwSignal::new(COMMENTS_A_TEXT),
            brought: RwSignal::new(None),
            run: ModelRun::default(),
        })
    }

    /// Has the model declare the claims of every comment that it was not asked about yet, and marks each by them, until it is
    /// stopped or a question fails.
    pub fn mark(&self) {
        let Some(question) = self.builder.study.with_untracked(|study| study.spans.clone()) else {
            return;
        };
        let Some(going) = self.run.begin() else { return };
        self.builder.problem.set(None);
        self.builder.notice.set(None);
        let unasked = self.builder.study.with_untracked(|study| self.unasked(study));
        let this = *self;
        spawn_local(async move {
            let (all, begun) = (unasked.len(), clock::now());
            for (done, one) in unasked.into_iter().enumerate() {
                let each = (clock::now() - begun) / 1000.0 / done.max(1) as f64;
                let left = (done > 0).then(|| format!("{}.", time_left(each * (all - done) as f64)));
                going.tell(done, all, left.or_else(|| Some("The claims of a comment".to_owned())));
                let Ok(played) = played(&one.fen, &one.mv) else {
                    continue;
                };
                let sheet = FactSheet::new(&played, None, None);
                let declared = claims_declared(this.endpoint, &sheet, &one.text, going).await;
                if !going.is_current() {
                    return;
                }
                match declared {
                    Ok(declared) => {
                        this.declared.update(|all| {
                            all.insert(one.clone(), declared);
                        });
                        this.mark_where(&question, |item| item.fen == one.fen && item.mv == one.mv)
                            .await;
                    }
                    Err(problem) => return going.fail(problem),
                }
            }
            // What the model was asked about earlier, in a study that was opened again.
            this.mark_where(&question, |_| true).await;
            going.end();
            this.builder.notice.set(Some(this.told()));
        });
    }

    /// Ends the questions; the marks that are made stay.
    pub fn stop(&self) {
        self.run.stop();
        self.builder
            .notice
            .set(Some("Stopped; the marks that are made are kept.".to_owned()));
    }

    /// What changes with the comments of the study, and with nothing else in it; tracked.
    #[must_use]
    pub fn comments_hash(&self) -> u64 {
        self.builder.study.with(claims_by_hand::comments_hash)
    }

    /// The next text that asks a chat for the claims of comments, to be copied by hand; `None` where all are declared. Tracked, but
    /// for the study itself: see [`Self::comments_hash`].
    #[must_use]
    pub fn next_text(&self) -> Option<ClaimsText> {
        let all = self.builder.study.with_untracked(claims_by_hand::comments);
        let wanted = self.wanted(&all);
        // Of another study no text was answered yet.
        let is_begun = wanted.len() < all.len();
        let answered = if is_begun { self.answered.get() } else { 0 };
        ClaimsText::next(&wanted, self.comments_a_text.get(), answered)
    }

    /// The comments whose claims were not declared so that they could be read; tracked.
    fn wanted(&self, all: &[NamedComment]) -> Vec<NamedComment> {
        let is_made = |one: &NamedComment| {
            self.declared
                .with(|all| all.get(&one.on).is_some_and(Declaration::is_made))
        };
        all.iter().filter(|one| !is_made(one)).cloned().collect()
    }

    /// Takes what a chat answered to such a text, and marks the comments by it. False where nothing could be taken.
    pub fn take_by_hand(&self, brought: &str) -> bool {
        let study = self.builder.study;
        let Some(question) = study.with_untracked(|study| study.spans.clone()) else {
            return false;
        };
        let all = study.with_untracked(claims_by_hand::comments);
        let wanted = untrack(|| self.wanted(&all));
        let most = self.comments_a_text.get_untracked();
        let taken = match claims_by_hand::take(brought, &all, &wanted, most) {
            Ok(taken) => taken,
            Err(error) => {
                self.brought.set(Some(Err(error.to_string())));
                return false;
            }
        };
        self.declared
            .update(|declared| declared.extend(taken.declared.iter().cloned()));
        let left = untrack(|| self.wanted(&all)).len();
        if left == wanted.len() {
            // An answer that was brought before.
        } else if wanted.len() == all.len() {
            self.answered.set(1);
        } else {
            self.answered.update(|answered| *answered += 1);
        }
        let this = *self;
        spawn_local(async move {
            let is_meant = |item: &Item| {
                taken
                    .declared
                    .iter()
                    .any(|(on, _)| on.fen == item.fen && on.mv == item.mv)
            };
            this.mark_where(&question, is_meant).await;
            this.brought
                .try_set(Some(Ok(format!("{} {}", taken.said(), this.told()))));
        });
        true
    }

    fn unasked(&self, study: &Study) -> Vec<OnMove> {
        let mut unasked: Vec<OnMove> = Vec::new();
        for item in &study.items {
            for comment in &item.comments {
                let one = OnMove::of(item, &comment.text);
                let is_asked = self.declared.with_untracked(|all| all.contains_key(&one)) || unasked.contains(&one);
                if !is_asked && one.text.chars().any(char::is_alphabetic) {
                    unasked.push(one);
                }
            }
        }
        unasked
    }

    /// Marks the comments of some items by what was declared of them, one after another; those of which nothing was, by their words.
    async fn mark_where(&self, question: &SpanQuestion, is_meant: impl Fn(&Item) -> bool) {
        let builder = self.builder;
        let count = builder.study.with_untracked(|study| study.items.len());
        for item in 0..count {
            if builder
                .study
                .with_untracked(|study| study.items.get(item).is_some_and(&is_meant))
            {
                builder.mark_item(item, question, |one| self.declaration(one)).await;
            }
        }
    }

    /// What the model declared of a comment.
    fn declaration(&self, one: &OnMove) -> Declaration {
        self.declared
            .try_with_untracked(|all| all.get(one).cloned())
            .flatten()
            .unwrap_or_default()
    }

    /// What came of it, in sentences.
    fn told(&self) -> String {
        self.builder.study.with_untracked(|study| {
            let comments = || {
                let of_item = |item| {
                    let item: &Item = item;
                    item.comments.iter().map(move |comment| (item, comment))
                };
                study.items.iter().flat_map(of_item)
            };
            let marked = comments().filter(|(_, comment)| !comment.marks.is_empty()).count();
            let unread = comments().filter(|(item, comment)| {
                matches!(
                    self.declaration(&OnMove::of(item, &comment.text)),
                    Declaration::Unread(_)
                )
            });
            let mut told = format!(
                "By what the model declares, the claim check has something against {}.",
                several(marked, "comment")
            );
            match unread.count() {
                0 => {}
                count => {
                    told += &format!(
                        " What it declared of {} could not be read: marked by the words alone.",
                        several(count, "comment")
                    )
                }
            }
            told
        })
    }
}

impl StudyBuilder {
    /// Marks the comments with what the claim check holds against their words, and plants a mark on each, one after another.
    pub fn mark_comments(&self) {
        let Some(question) = self.study.with_untracked(|study| study.spans.clone()) else {
            return;
        };
        if self.running.get_value() {
            return;
        }
        self.running.set_value(true);
        let this = *self;
        spawn_local(async move {
            let count = this.study.with_untracked(|study| study.items.len());
            let mut marked = 0;
            for item in 0..count {
                if this.running.try_get_value() != Some(true) {
                    break;
                }
                this.progress.set(Some((item, count)));
                marked += this.mark_item(item, &question, |_| Declaration::Unasked).await;
            }
            this.running.try_set_value(false);
            this.progress.try_set(None);
            this.notice.try_set(Some(format!(
                "The claim check has something against {marked} comments."
            )));
        });
    }

    /// Marks the comments of an item; how many have something against them.
    async fn mark_item(
        &self,
        item: usize,
        question: &SpanQuestion,
        declared: impl Fn(&OnMove) -> Declaration,
    ) -> usize {
        let mut all: Vec<Marked> = Vec::new();
        loop {
            // The page draws and hears between two comments.
            clock::yield_to_browser().await;
            let next = self.study.try_with_untracked(|study| {
                let item = study.items.get(item)?;
                Marked::of(study, item, item.comments.get(all.len())?, question, &declared)
            });
            match next.flatten() {
                Some(next) => all.push(next),
                None => break,
            }
        }
        let count = all.iter().filter(|one| !one.marks.is_empty()).count();
        self.study.try_update(|study| {
            let comments = study.items.get_mut(item).map(|item| &mut item.comments);
            for (comment, one) in comments.into_iter().flatten().zip(all) {
                // It may have been written anew meanwhile.
                if comment.text == one.text {
                    (comment.marks, comment.decoys) = (one.marks, one.decoy.into_iter().collect());
                }
            }
        });
        count
    }
}

/// A comment with what the check holds against it, and a mark that is planted elsewhere.
struct Marked {
    text: String,
    marks: Vec<Span>,
    decoy: Option<Span>,
}

impl Marked {
    fn of(
        study: &Study,
        item: &Item,
        comment: &MethodComment,
        question: &SpanQuestion,
        declared: impl Fn(&OnMove) -> Declaration,
    ) -> Option<Self> {
        let on = played(&item.fen, &item.mv).ok()?;
        let text = comment.text.clone();
        let declaration = declared(&OnMove::of(item, &text));
        let seed = claim_marks::decoy_seed(study, &item.id, &comment.method);
        let marks = claim_marks::marks(question, &on, &text, declaration.claims());
        let decoy = claim_marks::decoy(question, &text, &marks, seed);
        Some(Self { text, marks, decoy })
    }
}

//! Comments by several methods on the move under discussion, side by side: the narrator's, a reference, and a language
//! model's in every arm, or in one arm with the board given as FEN and as PGN (the paper's appendix F).

use std::{cell::OnceCell, collections::BTreeMap};

use leptos::prelude::*;
use shakmaty::Position as _;
use wasm_bindgen_futures::spawn_local;

use super::{
    commentary::{Commentary, CommentaryStage},
    declared_claims::DeclaredClaims,
    endpoint::EndpointState,
    exchange::answered,
    game_store::GameStore,
    model_run::{Going, ModelRun},
    on_demand::on_demand,
    preferences::Preferences,
    study::StudyBuilder,
};
use crate::{
    browser::slices::Slices,
    chess::{Played, embedded_commands, fen::write_fen},
    commentary::{
        Arm, Context, FactSheet, Prompt, PromptOptions,
        prompt::{self, conversation, declaration},
        revision::{Attempt, Tally},
    },
    survey::{
        gathering::{REFERENCE, as_name},
        model_method::{Asked, claim_scores, comment_text, method_name},
        study::{Item, MethodComment},
    },
    view::side_by_side::MarkedComment,
};

/// The method under which a pasted answer goes into a study: nobody knows whose it is.
const PASTED: &str = "pasted";

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    /// The chosen arms.
    #[default]
    Methods,
    /// One arm with the FEN and with the game's moves.
    Contexts,
}

/// A place for a model's comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Slot {
    /// What the model is told.
    pub arm: Arm,
    /// How it is given the board.
    pub context: Context,
}

/// A model's comment in its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The column that it stands in.
    pub slot: Slot,
    /// How it was asked for.
    pub asked: Asked,
    /// The model that wrote it, or [`PASTED`].
    pub model: String,
    /// The comment as it was written; nothing is left out of it.
    pub text: String,
    /// What the claim check says of it.
    pub tally: Tally,
}

/// The comparison.
#[derive(Clone, Copy)]
pub struct Compare {
    preferences: Preferences,
    endpoint: EndpointState,
    game_store: GameStore,
    commentary: Commentary,
    builder: StudyBuilder,
    about: StoredValue<Option<Played>>,
    /// What is compared.
    pub mode: RwSignal<Mode>,
    /// The arms that are compared.
    pub arms: RwSignal<Vec<Arm>>,
    /// The arm whose contexts are compared.
    pub contexts_of: RwSignal<Arm>,
    /// What a person wrote about the move: the game's comment, or pasted; empty without one.
    pub reference: RwSignal<String>,
    /// What models wrote.
    pub answers: RwSignal<Vec<Answer>>,
    /// What the model declared that the comments claim.
    pub declared: DeclaredClaims,
    /// The questions to the model.
    pub run: ModelRun,
}

impl Compare {
    /// The one of the page.
    #[must_use]
    pub fn get() -> Self {
        thread_local! {
            static STORE: OnceCell<Compare> = const { OnceCell::new() };
        }
        on_demand(&STORE, |app| {
            Self::new(
                app.preferences,
                app.endpoint,
                app.game_store,
                app.commentary,
                app.builder,
            )
        })
    }

    /// Nothing asked; all arms.
    fn new(
        preferences: Preferences,
        endpoint: EndpointState,
        game_store: GameStore,
        commentary: Commentary,
        builder: StudyBuilder,
    ) -> Self {
        Self {
            preferences,
            endpoint,
            game_store,
            commentary,
            builder,
            about: StoredValue::new(None),
            mode: RwSignal::new(Mode::default()),
            arms: RwSignal::new(Arm::ALL.to_vec()),
            contexts_of: RwSignal::new(Arm::Ccc),
            reference: RwSignal::new(String::new()),
            answers: RwSignal::new(Vec::new()),
            declared: DeclaredClaims::new(endpoint),
            run: ModelRun::default(),
        }
    }

    /// Begins anew where another move is under discussion than the comments are about. To be called when it changes; tracked.
    pub fn follow(&self) {
        let subject = self.commentary.subject.get();
        if self.about.with_value(|about| *about == subject) {
            return;
        }
        let comment = untrack(|| {
            let at = self.game_store.at();
            self.game_store
                .with_game(|game| embedded_commands::prose(game.comment(at)))
        });
        self.run.stop();
        self.answers.set(Vec::new());
        self.declared.forget();
        self.reference.set(comment);
        self.about.set_value(subject);
    }

    /// Opens what a link to the comparison names behind its `?`, where the board has no move yet.
    pub fn open(&self, hash: &str) {
        if let Some((_, named)) = hash.split_once('?')
            && untrack(|| self.game_store.played()).is_none()
        {
            self.game_store.paste(&format!("#{named}"));
        }
    }

    /// The places that are shown; tracked.
    #[must_use]
    pub fn slots(&self) -> Vec<Slot> {
        match self.mode.get() {
            Mode::Methods => {
                let context = self.preferences.get().context;
                let arms = self.arms.get();
                arms.into_iter().map(|arm| Slot { arm, context }).collect()
            }
            Mode::Contexts => {
                let arm = self.contexts_of.get();
                Context::ALL.map(|context| Slot { arm, context }).into()
            }
        }
    }

    /// The sheet that everything is held against, once the engine's view of it has settled; tracked.
    #[must_use]
    pub fn sheet(&self) -> Option<FactSheet> {
        if self.commentary.stage.get() != CommentaryStage::Done {
            return None;
        }
        self.commentary.sheet.get()
    }

    /// Whether the moves before the discussed one are known; tracked.
    #[must_use]
    pub fn has_game(&self) -> bool {
        self.commentary
            .subject
            .with(|subject| subject.as_ref().is_some_and(|played| !played.history.is_empty()))
    }

    /// The comment in a place; tracked.
    #[must_use]
    pub fn answer(&self, slot: Slot) -> Option<Answer> {
        self.answers
            .with(|answers| answers.iter().find(|answer| answer.slot == slot).cloned())
    }

    fn options(&self, slot: Slot) -> PromptOptions {
        PromptOptions {
            context: slot.context,
            guidance: self.preferences.get().guidance(slot.arm),
        }
    }

    /// What the model is asked in a place; tracked.
    #[must_use]
    pub fn prompt(&self, slot: Slot) -> Option<Prompt> {
        let sheet = self.sheet()?;
        Some(prompt::prompt(&sheet, slot.arm, self.options(slot)))
    }

    /// Why an arm with concepts is told less than it should be; tracked.
    #[must_use]
    pub fn lacks(&self) -> Option<String> {
        let wanted = self.slots().iter().any(|slot| slot.arm.tells_concepts());
        self.commentary.lacking_concepts().filter(|_| wanted)
    }

    /// Asks the model for every comment that is not there yet, one after the other, until it is stopped or one fails.
    pub fn write(&self) {
        let wanted: Vec<Slot> = untrack(|| {
            let slots = self.slots().into_iter();
            slots.filter(|slot| self.answer(*slot).is_none()).collect()
        });
        let Some(sheet) = untrack(|| self.sheet()) else { return };
        let Some(going) = self.run.begin() else { return };
        let this = *self;
        spawn_local(async move {
            let all = wanted.len();
            for (done, slot) in wanted.into_iter().enumerate() {
                going.tell(done, all, Some(title(slot, this.mode.get_untracked())));
                let answer = this.ask(slot, &sheet, going).await;
                if !going.is_current() {
                    return;
                }
                match answer {
                    Ok(answer) => this.keep(answer),
                    Err(problem) => {
                        return going.fail(format!("{}: {problem}", title(slot, this.mode.get_untracked())));
                    }
                }
            }
            going.end();
        });
    }

    /// The comments whose claims the model was not asked for yet: a person's and models', not the narrator's, whose claims are
    /// known; tracked.
    #[must_use]
    pub fn undeclared(&self) -> Vec<String> {
        let reference = (self.mode.get() == Mode::Methods).then(|| self.reference.get());
        let answers = self.slots().into_iter().filter_map(|slot| self.answer(slot));
        let texts = reference.into_iter().chain(answers.map(|answer| answer.text));
        self.declared.unasked(texts.map(|text| comment_text(&text)).collect())
    }

    /// Asks the model for the claims of every such comment.
    pub fn declare(&self) {
        let (texts, sheet) = untrack(|| (self.undeclared(), self.sheet()));
        if let Some(sheet) = sheet {
            self.declared.ask(texts, sheet, self.run);
        }
    }

    /// A comment on the move, checked by what the model declared of it where it was asked; `None` until the engine has
    /// settled. Tracked.
    #[must_use]
    pub fn marked(&self, text: &str) -> Option<MarkedComment> {
        let declaration = self.declared.of(&comment_text(text));
        Some(MarkedComment::declared(&self.sheet()?, text, &declaration))
    }

    /// What asks a chat for the claims of a comment on the move, to be copied by hand; `None` until the engine has settled and where
    /// there is no comment. Tracked.
    #[must_use]
    pub fn claims_text(&self, text: &str) -> Option<String> {
        let text = comment_text(text);
        let sheet = self.sheet().filter(|_| text.chars().any(char::is_alphabetic))?;
        Some(conversation(&declaration(&sheet, &text)))
    }

    /// Takes what a chat answered to that: what came of it, in sentences.
    ///
    /// # Errors
    /// What went wrong and what to do, in sentences.
    pub fn take_claims(&self, text: &str, brought: &str) -> Result<String, String> {
        self.declared.take_by_hand(&comment_text(text), brought)
    }

    async fn ask(&self, slot: Slot, sheet: &FactSheet, going: Going) -> Result<Answer, String> {
        let asked = untrack(|| self.asked(slot));
        let messages = prompt::prompt(sheet, slot.arm, asked.options).messages;
        let (attempt, _) = answered(self.endpoint, messages, sheet, going.stop_slot()).await?;
        if attempt.checked.text.trim().is_empty() {
            return Err("The model gave no answer.".to_owned());
        }
        // One name for all of a model's comments, whatever the server calls the version that answered.
        let model = untrack(|| self.endpoint.model());
        Ok(Self::answer_of(slot, asked, model, attempt))
    }

    fn asked(&self, slot: Slot) -> Asked {
        let settings = self.preferences.get();
        Asked {
            arm: slot.arm,
            options: self.options(slot),
            concepts: settings.concepts,
            rule: settings.rule,
            checked: false,
        }
    }

    fn answer_of(slot: Slot, asked: Asked, model: String, attempt: Attempt) -> Answer {
        Answer {
            slot,
            asked,
            model,
            tally: Tally::of(&attempt.checked),
            text: attempt.checked.text,
        }
    }

    fn keep(&self, answer: Answer) {
        self.answers.try_update(|answers| {
            answers.retain(|other| other.slot != answer.slot);
            answers.push(answer);
        });
    }

    /// Takes an answer that the user brought from elsewhere.
    pub fn paste(&self, slot: Slot, reply: &str) {
        let Some(sheet) = untrack(|| self.sheet()) else { return };
        let asked = untrack(|| self.asked(slot));
        let (this, reply) = (*self, reply.to_owned());
        spawn_local(async move {
            let attempt = Attempt::read(&sheet, &reply, false, &Slices::new()).await;
            if !attempt.checked.text.trim().is_empty() {
                this.declared.keep(&attempt.checked.text, &attempt.declaration);
                this.keep(Self::answer_of(slot, asked, PASTED.to_owned(), attempt));
            }
        });
    }

    /// Forgets what models wrote.
    pub fn forget(&self) {
        self.run.stop();
        self.answers.set(Vec::new());
    }

    /// Puts the move with all comments that are shown into the study in the making. False while there is nothing to rate.
    pub fn make_study(&self) -> bool {
        let item = self.item();
        let made = item.is_some();
        if let Some(item) = item {
            self.builder.add_move(item);
        }
        made
    }

    /// The move with all comments that are shown; `None` while there is none.
    #[must_use]
    pub fn item(&self) -> Option<Item> {
        let played = self.commentary.subject.get_untracked()?;
        untrack(|| self.sheet())?;
        let reference = Some(comment_text(&self.reference.get_untracked())).filter(|text| !text.is_empty());
        let said: Vec<String> = self
            .commentary
            .prose
            .with_untracked(|prose| prose.iter().map(|sentence| sentence.text.clone()).collect());
        let plain = |method: &str, text: String| MethodComment {
            method: method.to_owned(),
            text,
            scores: BTreeMap::new(),
            marks: Vec::new(),
            decoys: Vec::new(),
        };
        let mut comments = vec![plain("narrator", said.join(" "))];
        comments.extend(reference.clone().map(|text| plain(REFERENCE, text)));
        for slot in untrack(|| self.slots()) {
            if let Some(answer) = untrack(|| self.answer(slot)) {
                comments.push(MethodComment {
                    method: method_name(&answer.model, &answer.asked),
                    text: comment_text(&answer.text),
                    scores: claim_scores(answer.tally),
                    marks: Vec::new(),
                    decoys: Vec::new(),
                });
            }
        }
        comments.retain(|comment| !comment.text.trim().is_empty());
        let label = format!("{}-{}", played.before.fullmoves(), played.san());
        (!comments.is_empty()).then(|| Item {
            id: as_name(&label),
            fen: write_fen(&played.before, played.mode),
            mv: played.san(),
            reference,
            comments,
        })
    }
}

/// A place as a column is headed: by its arm, or where one arm's contexts are compared, by the form of the board.
#[must_use]
pub fn title(slot: Slot, mode: Mode) -> String {
    match mode {
        Mode::Methods => slot.arm.label().to_owned(),
        Mode::Contexts => format!("{}, {}", slot.arm.label(), slot.context.word().to_uppercase()),
    }
}

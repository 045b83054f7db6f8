//! A study in the making.

use std::collections::BTreeMap;

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::preferences::Preferences;
use crate::{
    browser::{clock, files, files::FileBytes, location, slices::Slices},
    file_text::FileText,
    services::{
        analysis::{self, Services},
        collection, shipped,
    },
    state::notices,
    survey::{
        Study, StudyError,
        codebook::Codebook,
        collection_queue::Parcel,
        demonstration::{demonstration, narrator_text},
        gameknot::{self, NamedText},
        gathering::REFERENCE,
        import::{Import, Reading, SourceError},
        instrument::{INSTRUMENT_SCHEMA, Instrument, read_instrument},
        links::links,
        phrases::{MAX_PHRASES_BYTES, read_phrases},
        preset, sources,
        study::{Item, MethodComment, played},
        study_file::read_draft_at,
    },
    view::{collection::trial as words, survey::file_name},
};

/// The study on the builder's page.
#[derive(Clone, Copy)]
pub struct StudyBuilder {
    services: StoredValue<Services, LocalStorage>,
    preferences: Preferences,
    /// As it stands.
    pub study: RwSignal<Study>,
    /// Why something was refused.
    pub problem: RwSignal<Option<String>>,
    /// What was done last.
    pub notice: RwSignal<Option<String>>,
    /// Moves commented on and in all, while the narrator is at work.
    pub progress: RwSignal<Option<(usize, usize)>>,
    /// A file or a text is being read.
    pub reading: RwSignal<bool>,
    /// What came of trying the address that answers are sent to.
    pub trial: RwSignal<Option<String>>,
    /// What there is to say of the last import, a sentence each.
    pub imported: RwSignal<Vec<String>>,
    pub(super) running: StoredValue<bool>,
    begun: StoredValue<bool>,
}

impl StudyBuilder {
    /// Nothing yet: the paper's texts are code that other pages do without. See [`Self::begin`].
    #[must_use]
    pub fn new(services: StoredValue<Services, LocalStorage>, preferences: Preferences) -> Self {
        Self {
            services,
            preferences,
            study: RwSignal::new(Study::default()),
            problem: RwSignal::new(None),
            notice: RwSignal::new(None),
            progress: RwSignal::new(None),
            reading: RwSignal::new(false),
            trial: RwSignal::new(None),
            imported: RwSignal::new(Vec::new()),
            running: StoredValue::new(false),
            begun: StoredValue::new(false),
        }
    }

    /// The page is there: the study begins as the paper's structure, without items.
    pub fn begin(&self) {
        if !self.begun.get_value() {
            self.begun.set_value(true);
            self.study.set(paper());
        }
    }

    /// Sends a record that is nobody's answers to the address, and says what came of it.
    pub fn try_address(&self) {
        let trial = self.trial;
        let study = self.study.get_untracked();
        let Some(collection) = study.options.collection else {
            return;
        };
        let now = clock::time_of_day()
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap_or_default();
        let (Some(server), Some(parcel)) = (
            collection.server(),
            Parcel::trial(&collection, &study.id, now.as_millis()),
        ) else {
            return trial.set(Some(
                "It cannot be tried: the address is not complete, or is for one file alone, which a trial would replace."
                    .to_owned(),
            ));
        };
        trial.set(Some(format!("A trial record is being sent to {server}…")));
        spawn_local(async move {
            let verdict = collection::send(&parcel).await;
            trial.set(Some(words(&server, &verdict)));
        });
    }

    fn done(&self, notice: String) {
        self.problem.set(None);
        self.notice.set(Some(notice));
    }

    /// Starts anew from the paper's structure.
    pub fn paper(&self) {
        self.study.set(paper());
        self.done("The paper's structure, without items.".to_owned());
    }

    /// Starts anew from the demonstration.
    pub fn demonstration(&self) {
        match demonstration() {
            Ok(study) => {
                self.study.set(study);
                self.done("The demonstration.".to_owned());
            }
            Err(error) => self.problem.set(Some(error.to_string())),
        }
    }

    /// Opens a study file, with faults or without, or an instrument.
    pub fn open(&self, file: FileBytes) {
        let this = *self;
        self.read(async move |pace| {
            let found = match file.text(&pace).await {
                Ok(found) => found,
                Err(error) => return this.problem.set(Some(error.to_string())),
            };
            match read_draft_at(found.text.as_bytes(), &pace).await {
                Ok(study) => {
                    this.study.set(study);
                    this.done(format!("{} is open.", file.name));
                    notices::add(this.notice, found.notice_on(&file.name));
                }
                Err(StudyError::OtherSchema(name)) if name == INSTRUMENT_SCHEMA => {
                    this.put_instrument(&file.name, &found);
                }
                Err(error) => this.problem.set(Some(format!("{}: {error}", file.name))),
            }
        });
    }

    /// Reads in slices, between which the page answers.
    fn read(&self, work: impl AsyncFnOnce(Slices) + 'static) {
        let reading = self.reading;
        reading.set(true);
        spawn_local(async move {
            work(Slices::new()).await;
            reading.set(false);
        });
    }

    /// Puts an instrument's texts in the place of the study's.
    pub fn open_instrument(&self, file: FileBytes) {
        let this = *self;
        self.read(async move |pace| match file.text(&pace).await {
            Ok(found) => this.put_instrument(&file.name, &found),
            Err(error) => this.problem.set(Some(error.to_string())),
        });
    }

    fn put_instrument(&self, name: &str, found: &FileText) {
        match read_instrument(found.text.as_bytes()) {
            Ok(instrument) => {
                self.study.update(|study| instrument.put_into(study));
                self.done(format!("The texts are those of {name}."));
                notices::add(self.notice, found.notice_on(name));
            }
            Err(error) => self.problem.set(Some(format!("{name}: {error}"))),
        }
    }

    /// Hands the study's texts to the user as an instrument.
    pub fn save_instrument(&self) {
        let (name, text) = self.study.with_untracked(|study| {
            let name = file_name(&study.id, "instrument", "json");
            (name, Instrument::of(study).to_json())
        });
        self.hand_over(&name, &text);
    }

    /// Takes the whole study as its file has it.
    pub fn set_json(&self, text: String) {
        let this = *self;
        self.read(async move |pace| match read_draft_at(text.as_bytes(), &pace).await {
            Ok(study) => {
                this.study.set(study);
                this.done("The study is as the text says.".to_owned());
            }
            Err(error) => this.problem.set(Some(error.to_string())),
        });
    }

    /// Adds items from positions, a PGN, a table or lines.
    pub fn add(&self, text: String, reading: Reading) {
        let name = String::new();
        self.add_files(vec![NamedText { name, text }], Vec::new(), reading);
    }

    /// Adds items from files: from each by itself, or from those that belong together line by line. `notices` are on how they
    /// were read.
    pub fn add_files(&self, files: Vec<NamedText>, notices: Vec<String>, reading: Reading) {
        self.imported.set(notices);
        let this = *self;
        self.read(async move |pace| {
            if gameknot::is_files(&files) {
                let import = gameknot::from_files_at(&files, reading, &pace).await;
                pace.rest().await;
                return this.take(import);
            }
            for file in &files {
                let import = sources::from_text_at(&file.text, reading, &pace).await;
                // To take thousands of items is work enough for one turn.
                pace.rest().await;
                this.take(import);
            }
        });
    }

    fn take(&self, import: Result<Import, SourceError>) {
        match import {
            Ok(mut import) => {
                let items = std::mem::take(&mut import.items);
                let count = items.len();
                self.study.update(|study| sources::add(&mut study.items, items));
                // How many there are is said above; here, what was not taken.
                let said = import.sentences().into_iter().skip(1).chain(import.fault_sentences());
                self.imported.update(|all| all.extend(said));
                self.done(format!("{count} items were added."));
            }
            Err(error) => self.problem.set(Some(error.to_string())),
        }
    }

    /// Takes a move with its comments: into the item of that move, where there is one.
    pub fn add_move(&self, item: Item) {
        self.begin();
        let count = item.comments.len();
        self.study.update(|study| {
            let same = study
                .items
                .iter_mut()
                .find(|one| one.fen == item.fen && one.mv == item.mv);
            match same {
                Some(one) => {
                    one.reference = item.reference.or_else(|| one.reference.take());
                    for comment in item.comments {
                        put(&mut one.comments, &comment.method, comment.text, comment.scores);
                    }
                }
                None => sources::add(&mut study.items, vec![item]),
            }
        });
        self.done(format!("A move with {count} comments was added."));
    }

    /// Says why a file was not taken.
    pub fn refuse(&self, reason: String) {
        self.problem.set(Some(reason));
    }

    /// Removes all items.
    pub fn clear(&self) {
        self.study.update(|study| study.items.clear());
        self.done("All items are gone.".to_owned());
    }

    /// Makes every reference a comment, under the method `reference`.
    pub fn use_references(&self) {
        let mut count = 0;
        self.study.update(|study| {
            for item in &mut study.items {
                if let Some(text) = item.reference.clone() {
                    count += usize::from(put(&mut item.comments, REFERENCE, text, BTreeMap::new()));
                }
            }
        });
        self.done(format!("{count} references became comments."));
    }

    /// Lets the narrator comment on every item: from the board alone at once, or with engine and concepts one by one.
    pub fn narrate(&self, with_engine: bool) {
        if self.running.get_value() {
            return;
        }
        self.running.set_value(true);
        self.problem.set(None);
        let this = *self;
        spawn_local(async move {
            let count = this.study.with_untracked(|study| study.items.len());
            let mut written = 0;
            for index in 0..count {
                if this.running.try_get_value() != Some(true) {
                    break;
                }
                this.progress.set(Some((index, count)));
                let Some((fen, mv)) = this
                    .study
                    .with_untracked(|study| study.items.get(index).map(|item| (item.fen.clone(), item.mv.clone())))
                else {
                    break;
                };
                let Ok(played) = played(&fen, &mv) else { continue };
                let (method, text) = if with_engine {
                    let services = this.services.get_value();
                    let settings = this.preferences.get_untracked();
                    let analysis = analysis::analyse(
                        &services,
                        &played,
                        settings.effort(),
                        settings.wanted(),
                        None,
                        || false,
                        |_| (),
                    )
                    .await;
                    if let Err(error) = &analysis.evaluation {
                        this.problem
                            .try_set(Some(format!("The engine does not answer: {error}")));
                        break;
                    }
                    let said: Vec<String> = analysis.prose.into_iter().map(|sentence| sentence.text).collect();
                    ("narrator", said.join(" "))
                } else {
                    ("narrator-board", narrator_text(&played))
                };
                this.study.try_update(|study| {
                    if let Some(item) = study.items.get_mut(index) {
                        written += usize::from(put(&mut item.comments, method, text, BTreeMap::new()));
                    }
                });
            }
            this.running.try_set_value(false);
            this.progress.try_set(None);
            this.notice
                .try_set(Some(format!("The narrator wrote {written} comments.")));
        });
    }

    /// Lets the page speak a language that its words are there in; none for English.
    pub fn speak(&self, language: &str) {
        if language.is_empty() {
            self.study.update(|study| {
                study.phrases.clear();
                study.language = None;
            });
            return;
        }
        let (this, address) = (*self, format!("phrases/{language}.json"));
        spawn_local(async move {
            let found = match shipped::fetch_up_to(MAX_PHRASES_BYTES, &location::absolute(&address), |_, _| ()).await {
                Ok(bytes) => read_phrases(&bytes).map_err(|error| error.to_string()),
                Err(error) => Err(error.to_string()),
            };
            match found {
                Ok(found) => {
                    this.study.update(|study| {
                        study.language = Some(found.language);
                        study.phrases = found.phrases;
                    });
                    this.done("The page speaks this language to raters.".to_owned());
                }
                Err(error) => this.problem.set(Some(error)),
            }
        });
    }

    /// Hands the user a table of links: one for each slot that is given out again, else for each slot that is needed.
    pub fn save_links(&self, address: &str) {
        if address.trim().is_empty() {
            self.problem.set(Some(
                "Say first where the study file will lie: its address goes into every link.".to_owned(),
            ));
            return;
        }
        let (id, language, slots, again) = self.study.with_untracked(|study| {
            let allocation = &study.options.allocation;
            let all = allocation.slots.or_else(|| allocation.needed(study.items.len()));
            let (slots, again) = if allocation.reissue.is_empty() {
                ((1..=all.unwrap_or(0)).collect(), "")
            } else {
                (allocation.reissue.clone(), "b")
            };
            (study.id.clone(), study.language.clone(), slots, again)
        });
        if slots.is_empty() {
            self.problem.set(Some(
                "There are no slots yet: say how many raters each item needs, or how many slots there are.".to_owned(),
            ));
            return;
        }
        let table = links(&location::base(), address.trim(), language.as_deref(), &slots, again);
        match files::save(&file_name(&id, "links", "csv"), "text/csv", table.as_bytes()) {
            Ok(()) => self.done(format!("{} links.", slots.len())),
            Err(error) => self.problem.set(Some(error.to_string())),
        }
    }

    /// Ends the narrator's work after the move at hand.
    pub fn stop(&self) {
        self.running.try_set_value(false);
    }

    /// Removes a method's comments.
    pub fn remove_method(&self, method: &str) {
        self.study.update(|study| {
            for item in &mut study.items {
                item.comments.retain(|comment| comment.method != method);
            }
        });
    }

    /// Hands the study to the user as a file.
    pub fn save(&self) {
        let (name, text) = self
            .study
            .with_untracked(|study| (file_name(&study.id, "study", "json"), study.to_json()));
        self.hand_over(&name, &text);
    }

    /// Hands the user the codebook of the study: what the columns and values of its results mean.
    pub fn save_codebook(&self, csv: bool) {
        let (name, text) = self.study.with_untracked(|study| {
            let book = Codebook::from(study);
            let (ending, text) = if csv {
                ("csv", book.to_csv())
            } else {
                ("md", book.to_markdown())
            };
            (file_name(&study.id, "codebook", ending), text)
        });
        self.hand_over(&name, &text);
    }

    fn hand_over(&self, name: &str, text: &str) {
        if let Err(error) = files::save(name, "application/json", text.as_bytes()) {
            self.problem.set(Some(error.to_string()));
        }
    }
}

fn paper() -> Study {
    preset::paper("my-study", "Comments on chess moves")
}

/// Adds a method's comment, replacing the one that is there; false where there is nothing to say.
pub(super) fn put(
    comments: &mut Vec<MethodComment>,
    method: &str,
    text: String,
    scores: BTreeMap<String, f64>,
) -> bool {
    if text.trim().is_empty() {
        return false;
    }
    comments.retain(|comment| comment.method != method);
    comments.push(MethodComment {
        method: method.to_owned(),
        text,
        scores,
        marks: Vec::new(),
        decoys: Vec::new(),
    });
    true
}

//! A rater's session on this page: what happens goes to the session and to its store, and the next page is shown only
//! when the answers of this one are kept.

use std::{collections::BTreeMap, fmt::Display, sync::Arc};

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::{
        clock, document, files,
        files::{FileBytes, ReadFileError},
        journal::{self, JournalError},
        location,
        slices::Slices,
    },
    services::{
        shipped::{self, PreflightError},
        survey_store::{self, Begun, EventSafety, OpenError, SurveyStore},
    },
    state::{
        collection::{CollectionState, OpenSession},
        demonstration::{NoDemonstration, fetch_demonstration},
        rater_codebook::fetch_codebook,
    },
    survey::{
        Event, ResponseSet, Session, Stage, Stamp, Study,
        collection_queue::Occasion,
        event::What,
        long_form::write_csv,
        phrases::{MAX_PHRASES_BYTES, Phrase, filled, read_phrases},
        rater_code::{RaterCodeError, read_rater_code},
        recruitment::participant_code,
        session::Ending,
        span::Span,
        spreadsheet::for_spreadsheets,
        study_file::{MAX_STUDY_BYTES, read_study_at},
    },
    view::{
        collection::Standing as Sent,
        survey::{Invitation, file_name, refusal},
    },
};

/// How this tab stands to the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// No session is open.
    None,
    /// One is being opened.
    Opening,
    /// This tab writes it.
    Writing,
    /// Another tab writes it; here it can be looked at.
    ReadOnly,
}

/// The session and where it is kept.
#[derive(Clone, Copy)]
pub struct SurveyState {
    /// The study that was chosen.
    pub study: RwSignal<Option<Arc<Study>>>,
    /// The session as it is shown: behind the latest one until its answers are kept.
    pub session: RwSignal<Option<Session>>,
    /// How this tab stands to it.
    pub standing: RwSignal<Standing>,
    /// Whether the next page waits for answers to be kept.
    pub saving: RwSignal<bool>,
    /// Whether it is being tried again to keep what could not be kept.
    pub trying: RwSignal<bool>,
    /// Why something was refused.
    pub problem: RwSignal<Option<String>>,
    /// Where answers are less safe than they should be: what happened, what is kept, what to do.
    pub safety: RwSignal<Option<String>>,
    /// Sessions begun in this browser, with their studies where these are still there.
    pub begun: RwSignal<Vec<(Begun, Option<Arc<Study>>)>>,
    /// What the page says before there is a study, and the code of that language; `None` while it is fetched.
    pub spoken: RwSignal<Option<Spoken>>,
    /// Whether that was said when the session was opened, and is to stay.
    differs: StoredValue<bool>,
    latest: StoredValue<Option<Session>>,
    journal: StoredValue<Vec<Event>>,
    store: StoredValue<Option<SurveyStore>, LocalStorage>,
    opened: StoredValue<Option<Begun>>,
    /// What the link says of the rater.
    invitation: StoredValue<Invitation>,
    /// Answers on their way to a collection endpoint.
    pub collection: CollectionState,
    /// Whether the page is a rater's, who is shown nothing of the rest of the app.
    pub alone: RwSignal<bool>,
}

/// The page's words before there is a study.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spoken {
    /// The language's code; English where there is none.
    pub language: Option<&'static str>,
    words: BTreeMap<String, String>,
}

/// What a rater is shown at an end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WayOut {
    /// The study's own words.
    pub text: Option<String>,
    /// The code.
    pub code: Option<String>,
    /// Where to go.
    pub link: Option<Link>,
    /// There is more, which appears when all answers have arrived.
    pub waits: bool,
}

/// Where a rater goes at an end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The address with everything filled in.
    pub address: String,
    /// Its server, as raters read it.
    pub server: String,
}

impl SurveyState {
    /// Nothing chosen.
    #[must_use]
    pub fn new() -> Self {
        Self {
            study: RwSignal::new(None),
            session: RwSignal::new(None),
            standing: RwSignal::new(Standing::None),
            saving: RwSignal::new(false),
            trying: RwSignal::new(false),
            problem: RwSignal::new(None),
            safety: RwSignal::new(None),
            begun: RwSignal::new(Vec::new()),
            spoken: RwSignal::new(Some(Spoken::default())),
            differs: StoredValue::new(false),
            latest: StoredValue::new(None),
            journal: StoredValue::new(Vec::new()),
            store: StoredValue::new_local(None),
            opened: StoredValue::new(None),
            invitation: StoredValue::new(Invitation::default()),
            collection: CollectionState::new(),
            alone: RwSignal::new(false),
        }
    }

    /// Looks which sessions were begun in this browser.
    pub fn look(&self) {
        let this = *self;
        spawn_local(async move {
            this.list().await;
            this.collection.find(this.begun.get_untracked()).await;
        });
    }

    async fn list(self) {
        let mut begun = Vec::new();
        let (sessions, error) = survey_store::sessions().await;
        if let Some(error) = error {
            let error = match error {
                JournalError::Silent => OpenError::Silent,
                error => OpenError::NoStore(error),
            };
            self.problem.set(Some(self.open_error(&error)));
        }
        for one in sessions {
            let study = survey_store::study(&one).await.map(Arc::new);
            begun.push((one, study));
        }
        self.begun.set(begun);
    }

    /// Takes a study file.
    pub fn take(&self, file: FileBytes) {
        let this = *self;
        spawn_local(async move { this.read(file).await });
    }

    async fn read(&self, FileBytes { name, bytes }: FileBytes) {
        match read_study_at(&bytes, &Slices::new()).await {
            Ok(study) => self.choose(study),
            Err(error) => self.refuse(Phrase::StudyNotRead, &format!("{name}: {error}")),
        }
    }

    /// Chooses a study.
    pub fn choose(&self, study: Study) {
        if self.standing.get_untracked() == Standing::Writing {
            // The session under way stays in the store; it can be gone on with.
            self.close();
        }
        self.problem.set(None);
        self.study.set(Some(Arc::new(study)));
    }

    /// Chooses the demonstration.
    pub fn demonstrate(&self) {
        let this = *self;
        spawn_local(async move {
            match fetch_demonstration().await {
                Ok(study) => this.choose(study),
                Err(NoDemonstration::NotFetched) => this.problem.set(Some(this.say(Phrase::PartNotFetched))),
                Err(NoDemonstration::Faulty(error)) => this.refuse(Phrase::StudyNotRead, &error),
            }
        });
    }

    /// Fetches a study and chooses it.
    pub fn fetch(&self, address: &str) {
        let this = *self;
        let address = location::absolute(address);
        spawn_local(async move {
            match shipped::fetch_up_to(MAX_STUDY_BYTES, &address, |_, _| ()).await {
                Ok(bytes) => this.read(FileBytes { name: address, bytes }).await,
                Err(error) => this.refuse(Phrase::StudyNotFetched, &this.fetch_error(&error)),
            }
        });
    }

    /// Says why something was not taken: a phrase with an `{error}` in it.
    pub fn refuse(&self, phrase: Phrase, error: &dyn Display) {
        self.problem.set(Some(self.fill(phrase, &[("error", error)])));
    }

    /// Says why a file that was given could not be read.
    pub fn refuse_file(&self, error: &ReadFileError) {
        let said = match error {
            ReadFileError::TooLarge { name, limit, .. } => {
                self.fill(Phrase::FileTooLarge, &[("name", name), ("limit", &(limit / 1_000_000))])
            }
            ReadFileError::Unreadable { name, .. } | ReadFileError::NotText { name, .. } => {
                self.fill(Phrase::FileUnreadable, &[("name", name)])
            }
        };
        self.refuse(Phrase::StudyNotRead, &said);
    }

    /// Why something was not fetched, as raters read it.
    fn fetch_error(&self, error: &PreflightError) -> String {
        match error {
            PreflightError::Missing { path, status } => {
                self.fill(Phrase::FetchMissing, &[("name", path), ("status", status)])
            }
            PreflightError::TooLarge { path, limit } => {
                self.fill(Phrase::FileTooLarge, &[("name", path), ("limit", &(limit / 1_000_000))])
            }
            PreflightError::Unreachable { path, .. } | PreflightError::WrongType { path, .. } => {
                self.fill(Phrase::FetchFailed, &[("name", path)])
            }
        }
    }

    /// The rater comes with this link. Until there is a study the page speaks the language that it names.
    pub fn invited(&self, invitation: Invitation) {
        let (this, language) = (*self, invitation.language);
        self.invitation.set_value(invitation);
        let Some(code) = language else { return };
        self.spoken.set(None);
        spawn_local(async move {
            let address = location::absolute(&format!("phrases/{code}.json"));
            let found = shipped::fetch_up_to(MAX_PHRASES_BYTES, &address, |_, _| ()).await;
            let found = found.ok().and_then(|bytes| read_phrases(&bytes).ok());
            // Where it cannot be had the page speaks English.
            this.spoken.set(Some(found.map_or_else(Spoken::default, |found| Spoken {
                language: Some(code),
                words: found.phrases,
            })));
        });
    }

    /// By what name the link knows the rater, where the study asks it: the name, or that it is missing.
    #[must_use]
    pub fn participant(&self, study: &Study) -> Option<Result<String, String>> {
        let name = study.recruitment.as_ref()?.participant.clone()?;
        let found = self
            .invitation
            .with_value(|invitation| invitation.participant(study).map(str::to_owned));
        Some(found.filter(|found| participant_code(found).is_some()).ok_or(name))
    }

    /// Begins the session of a rater, or goes on with it.
    pub fn begin(&self, rater: &str) {
        let Some(study) = self.study.get_untracked() else {
            return;
        };
        let refuse = |sentence: String| self.problem.set(Some(sentence));
        let rater = match self.participant(&study) {
            Some(Ok(participant)) => participant_code(&participant).unwrap_or_default(),
            Some(Err(name)) => return refuse(study.fill(Phrase::NoParticipant, &[("name", &name)])),
            None => match read_rater_code(rater) {
                Ok(rater) => rater.to_owned(),
                Err(RaterCodeError::NotACode) => return refuse(study.say(Phrase::NoCode).to_owned()),
                Err(RaterCodeError::Simulated) => return refuse(study.say(Phrase::SimulatedCode).to_owned()),
            },
        };
        let begun = Begun::new(&study, &rater);
        self.open(study, begun, false);
    }

    /// Writes down what the link says of the rater, before anything is agreed to.
    fn invite(&self) {
        let Some(study) = self.study.get_untracked() else {
            return;
        };
        let known = self.latest.with_value(|session| {
            session
                .as_ref()
                .is_none_or(|session| session.stage() != Stage::Consent || session.participant().is_some())
        });
        let participant = self.participant(&study).and_then(Result::ok);
        let slot = self.invitation.with_value(|invitation| invitation.slot);
        if !known && (participant.is_some() || slot.is_some()) {
            self.apply(What::Invited { participant, slot });
        }
    }

    /// What the page says, in the language of the study, or before there is one in that of the link.
    #[must_use]
    pub fn say(&self, phrase: Phrase) -> String {
        self.fill(phrase, &[])
    }

    /// What the page says, with these values in it.
    #[must_use]
    pub fn fill(&self, phrase: Phrase, values: &[(&str, &dyn Display)]) -> String {
        self.study.with_untracked(|study| match study {
            Some(study) => study.fill(phrase, values),
            None => self.spoken.with_untracked(|spoken| {
                let english = BTreeMap::new();
                let words = spoken.as_ref().map_or(&english, |spoken| &spoken.words);
                filled(words, phrase, values)
            }),
        })
    }

    /// What the browser's store says is wrong, as raters read it.
    fn store_error(&self, error: &JournalError) -> String {
        let (phrase, name) = match error {
            JournalError::Full => (Phrase::StoreFull, ""),
            JournalError::Changed => (Phrase::StoreTaken, ""),
            JournalError::Silent => (Phrase::StoreNoAnswer, ""),
            JournalError::Unavailable(name) => (Phrase::StoreForbidden, name.as_str()),
            JournalError::Other(name) => (Phrase::StoreFailed, name.as_str()),
        };
        self.fill(phrase, &[("error", &name)])
    }

    /// Goes on with a session begun in this browser.
    pub fn resume(&self, begun: Begun) {
        let this = *self;
        spawn_local(async move {
            match survey_store::study(&begun).await {
                Some(study) => {
                    let study = Arc::new(study);
                    this.study.set(Some(Arc::clone(&study)));
                    this.open(study, begun, false);
                }
                None => this.problem.set(Some(this.say(Phrase::StudyGone))),
            }
        });
    }

    /// Takes the session from the tab that writes it.
    pub fn take_over(&self) {
        if let (Some(study), Some(begun)) = (self.study.get_untracked(), self.opened.get_value()) {
            self.open(study, begun, true);
        }
    }

    fn open(&self, study: Arc<Study>, begun: Begun, by_force: bool) {
        let this = *self;
        self.problem.set(None);
        self.safety.set(None);
        self.standing.set(Standing::Opening);
        self.opened.set_value(Some(begun.clone()));
        spawn_local(async move {
            let lost = move || this.lose();
            match SurveyStore::open(begun.clone(), &study, by_force, lost).await {
                Ok((store, kept)) => {
                    this.store.set_value(Some(store));
                    this.restore(study, &begun, kept.events, Standing::Writing);
                    let differs = kept
                        .differs
                        .map(|number| this.fill(Phrase::CopiesDiffer, &[("number", &number)]));
                    this.differs.set_value(differs.is_some());
                    this.safety.set(differs);
                    this.apply(What::Opened);
                    this.invite();
                    this.collect(&begun).await;
                }
                Err(OpenError::OtherTab) => match SurveyStore::look(&begun).await {
                    Ok(journal) => this.restore(study, &begun, journal, Standing::ReadOnly),
                    Err(error) => this.fail(&error),
                },
                Err(error) => this.fail(&error),
            }
        });
    }

    /// Sees to the sending of the session's answers.
    async fn collect(&self, begun: &Begun) {
        let Some(session) = self.latest.get_value() else { return };
        let open = OpenSession {
            latest: self.latest,
            journal: self.journal,
            store: self.store,
        };
        self.collection.opened(begun, &session, open).await;
    }

    fn fail(&self, error: &OpenError) {
        self.standing.set(Standing::None);
        self.problem.set(Some(self.open_error(error)));
    }

    /// Why a session cannot be opened, as raters read it.
    fn open_error(&self, error: &OpenError) -> String {
        match error {
            OpenError::OtherTab => self.say(Phrase::OpenElsewhere),
            OpenError::Silent => self.say(Phrase::StoreSilent),
            OpenError::NoStore(error) => self.fill(Phrase::NoStore, &[("error", &self.store_error(error))]),
            OpenError::NoRoom(bytes) => self.fill(Phrase::NoRoom, &[("megabytes", &bytes.div_ceil(1_000_000))]),
            OpenError::Damaged(number) => self.fill(Phrase::Damaged, &[("number", number)]),
        }
    }

    fn restore(&self, study: Arc<Study>, begun: &Begun, journal: Vec<Event>, standing: Standing) {
        match Session::replay(study, &begun.rater, &journal) {
            Ok(session) => {
                self.latest.set_value(Some(session.clone()));
                self.journal.set_value(journal);
                self.saving.set(false);
                self.session.set(Some(session));
                self.standing.set(standing);
            }
            Err((number, _)) => self.fail(&OpenError::Damaged(number + 1)),
        }
    }

    /// Another tab has taken the session.
    fn lose(&self) {
        self.store.set_value(None);
        self.standing.set(Standing::ReadOnly);
    }

    /// Leaves the session; it stays in the store.
    pub fn close(&self) {
        if self.standing.get_untracked() == Standing::Writing {
            self.apply(What::Blurred);
        }
        // The page is loaded anew, which gives the lock back.
        location::reload();
    }

    fn now() -> Stamp {
        let wall = clock::time_of_day()
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap_or_default();
        #[allow(clippy::cast_sign_loss, clippy::cast_possible_truncation)] // milliseconds since the page was opened
        Stamp {
            wall: u64::try_from(wall.as_millis()).unwrap_or(u64::MAX),
            tick: clock::now().max(0.0) as u64,
        }
    }

    /// Lets something happen. What leads to another stage is shown once it is kept.
    pub fn apply(&self, what: What) {
        if self.standing.get_untracked() != Standing::Writing {
            return;
        }
        // What the page says by itself: nobody waits for it.
        let quiet = matches!(what, What::Blurred | What::Focused | What::Invited { .. });
        let over = self
            .latest
            .with_value(|latest| latest.as_ref().is_some_and(Session::is_over));
        if over && (quiet || what == What::Opened) {
            // Results that are complete stay as they are: what was downloaded is what was sent.
            return;
        }
        if self.saving.get_untracked() && !quiet {
            return;
        }
        let event = Event::new(Self::now(), what);
        let applied = self.latest.try_update_value(|latest| {
            let session = latest.as_mut()?;
            let before = session.stage();
            Some(session.apply(&event).map(|()| session.stage() != before))
        });
        let Some(Some(applied)) = applied else { return };
        match applied {
            Ok(moves_on) => {
                self.journal.update_value(|journal| journal.push(event.clone()));
                if !quiet {
                    self.problem.set(None);
                }
                self.keep(&event, moves_on);
            }
            Err(_) if quiet => {}
            Err(denial) => {
                let study = self.study.get_untracked();
                self.problem.set(study.map(|study| refusal(&study, &denial)));
            }
        }
    }

    fn keep(&self, event: &Event, moves_on: bool) {
        let Some(store) = self.store.get_value() else { return };
        store.note(event);
        if moves_on {
            self.saving.set(true);
        } else if !self.saving.get_untracked() {
            self.session.set(self.latest.get_value());
        }
        let this = *self;
        spawn_local(async move { this.settled(store.flush().await) });
    }

    /// The rater agrees to take part, and to where answers go.
    pub fn agree(&self, version: String) {
        // The page has said why the browser may ask.
        journal::persist();
        self.agree_to_server();
        self.apply(What::Consented { version });
    }

    /// The rater agrees to have the answers sent where the study says.
    pub fn agree_to_server(&self) {
        if let Some(server) = self.server() {
            self.apply(What::SendsTo { server });
        }
    }

    /// The session that is open; follows the session that is shown.
    #[must_use]
    pub fn begun_now(&self) -> Option<Begun> {
        self.session.with(Option::is_some);
        self.opened.get_value()
    }

    /// What the study has for a rater at the end that the session has come to; tracked.
    #[must_use]
    pub fn way_out(&self) -> Option<WayOut> {
        let (exit, rater, participant) = self.session.with(|session| {
            let session = session.as_ref()?;
            let participant = session.participant().map(str::to_owned);
            Some((session.exit()?, session.rater().to_owned(), participant))
        })?;
        let address = exit.address(&rater, participant.as_deref());
        if (address.is_some() || exit.code.is_some()) && !self.has_arrived() {
            // Its words as well: they may hold the code.
            return Some(WayOut {
                waits: true,
                ..WayOut::default()
            });
        }
        let link = address.map(|address| {
            let server = address.split('/').nth(2).unwrap_or_default();
            Link {
                server: server.split('?').next().unwrap_or_default().to_owned(),
                address,
            }
        });
        Some(WayOut {
            text: exit.text,
            code: exit.code,
            link,
            waits: false,
        })
    }

    /// Whether all answers are where they have to be: on the server, where the study names one and anything is sent at all;
    /// tracked.
    fn has_arrived(&self) -> bool {
        let declined = self.stage() == Some(Stage::Ended(Ending::Declined));
        let begun = self.begun_now();
        declined
            || self.server().is_none()
            || self.collection.lines.with(|lines| {
                let line = lines.iter().find(|line| Some(&line.begun) == begun.as_ref());
                line.is_some_and(|line| line.view.standing == Sent::Arrived)
            })
    }

    /// Whether answers of the open session are on their way, or wait to go; tracked. Those that the server refuses do not
    /// keep the rater: they are not sent by themselves.
    #[must_use]
    pub fn is_being_sent(&self) -> bool {
        let begun = self.begun_now();
        self.collection.lines.with(|lines| {
            let line = lines.iter().find(|line| Some(&line.begun) == begun.as_ref());
            line.is_some_and(|line| matches!(line.view.standing, Sent::Sending | Sent::Waiting))
        })
    }

    /// Whether answers of the open session wait to be sent; tracked.
    #[must_use]
    pub fn unsent(&self) -> bool {
        let begun = self.begun_now();
        self.collection.lines.with(|lines| {
            lines
                .iter()
                .any(|line| Some(&line.begun) == begun.as_ref() && line.view.retry)
        })
    }

    /// Where the study's answers are sent, if anywhere; not tracked.
    #[must_use]
    pub fn server(&self) -> Option<String> {
        self.study
            .with_untracked(|study| study.as_ref()?.options.collection.as_ref()?.server())
    }

    /// Tries again to keep what could not be kept.
    pub fn try_again(&self) {
        let Some(store) = self.store.get_value().filter(|_| !self.trying.get_untracked()) else {
            return;
        };
        self.trying.set(true);
        let this = *self;
        spawn_local(async move {
            let kept = store.flush().await;
            this.trying.set(false);
            this.settled(kept);
        });
    }

    fn settled(&self, kept: EventSafety) {
        let go_on = |sentence: Option<String>| {
            self.safety.set(sentence);
            self.saving.set(false);
            let latest = self.latest.get_value();
            if let Some(session) = &latest {
                let pause = document::hidden() || matches!(session.stage(), Stage::Break { .. });
                let occasion = if pause { Occasion::Pause } else { Occasion::Page };
                self.collection.session_changed(session, occasion);
            }
            self.session.set(latest);
        };
        match kept {
            // What was noted since is on its way, and will report itself.
            EventSafety::Safe
                if !self
                    .store
                    .with_value(|store| store.as_ref().is_none_or(SurveyStore::is_settled)) => {}
            // What did not fit together on opening stays said.
            EventSafety::Safe => go_on(self.safety.get_untracked().filter(|_| self.differs.get_value())),
            EventSafety::Restored => go_on(Some(self.say(Phrase::StoreRestored))),
            EventSafety::Copy(error) => go_on(Some(
                self.fill(Phrase::SmallerStore, &[("error", &self.store_error(&error))]),
            )),
            EventSafety::Nowhere { error, lost } => {
                let error = self.store_error(&error);
                let phrase = if lost { Phrase::StoreGone } else { Phrase::NotKept };
                self.safety.set(Some(self.fill(phrase, &[("error", &error)])));
                self.saving.set(true);
            }
            EventSafety::Taken => self.lose(),
        }
    }

    /// Marks words of the page's comment; these are all marks there are then.
    pub fn mark(&self, spans: Vec<Span>) {
        if let Some(page) = self.page() {
            self.apply(What::Marked { page, spans });
        }
    }

    /// Whether the break is over, or its milliseconds left.
    #[must_use]
    pub fn break_left(&self) -> Option<u64> {
        self.session
            .with_untracked(|session| session.as_ref()?.break_left(Self::now()))
    }

    /// Answers the page.
    pub fn submit(&self) {
        if let Some(page) = self.page() {
            self.apply(What::Submitted { page });
        }
    }

    /// Rates a criterion of the page.
    pub fn rate(&self, criterion: &str, value: u8) {
        if let Some(page) = self.page() {
            self.apply(What::Rated {
                page,
                criterion: criterion.to_owned(),
                value,
            });
        }
    }

    /// The page that is shown; not tracked.
    #[must_use]
    pub fn page(&self) -> Option<String> {
        self.session.with_untracked(|session| session.as_ref()?.page_id())
    }

    /// Where the session is; tracked.
    #[must_use]
    pub fn stage(&self) -> Option<Stage> {
        self.session.with(|session| session.as_ref().map(Session::stage))
    }

    fn results(&self) -> Option<ResponseSet> {
        self.latest.with_value(|session| {
            let session = session.as_ref()?;
            Some(
                self.journal
                    .with_value(|journal| ResponseSet::collect(session, journal, &document::program())),
            )
        })
    }

    /// Hands the results to the rater as a file: JSON with everything in it.
    pub fn save_json(&self) {
        if let Some(set) = self.results() {
            self.save(
                &file_name(&set.study.id, &set.rater, "json"),
                "application/json",
                &set.to_json(),
            );
        }
    }

    /// The same as rows in long form; with nothing in it that a spreadsheet program would run, where that is asked for.
    pub fn save_csv(&self, safe: bool) {
        if let Some(set) = self.results() {
            let mut ratings = set.ratings();
            if safe {
                ratings = for_spreadsheets(&ratings);
            }
            self.save(
                &file_name(&set.study.id, &set.rater, "csv"),
                "text/csv",
                &write_csv(&ratings),
            );
        }
    }

    /// What the columns and values of these files mean, as CSV or as Markdown.
    pub fn save_codebook(&self, csv: bool) {
        let this = *self;
        let Some(study) = self.study.get_untracked() else {
            return;
        };
        let name = file_name(&study.id, "codebook", if csv { "csv" } else { "md" });
        let media_type = if csv { "text/csv" } else { "text/markdown" };
        spawn_local(async move {
            match fetch_codebook(study, csv).await {
                Ok(text) => this.save(&name, media_type, &text),
                Err(_) => this.problem.set(Some(this.say(Phrase::PartNotFetched))),
            }
        });
    }

    fn save(&self, name: &str, media_type: &str, text: &str) {
        if files::save(name, media_type, text.as_bytes()).is_err() {
            self.problem.set(Some(self.say(Phrase::NotSaved)));
        }
    }

    /// Removes a session from this browser.
    pub fn forget(&self, begun: Begun) {
        let this = *self;
        self.collection.forget(&begun);
        spawn_local(async move {
            match survey_store::forget(&begun).await {
                Ok(()) => this.list().await,
                Err(error) => this.refuse(Phrase::NotRemoved, &this.store_error(&error)),
            }
        });
    }

    /// Removes the session that is open from this browser, and leaves it.
    pub fn forget_this(&self) {
        let this = *self;
        let Some(begun) = self.opened.get_value() else { return };
        self.store.set_value(None);
        self.collection.forget(&begun);
        self.standing.set(Standing::Opening);
        spawn_local(async move {
            match survey_store::forget(&begun).await {
                Ok(()) => location::reload(),
                Err(error) => this.refuse(Phrase::NotRemoved, &this.store_error(&error)),
            }
        });
    }
}

impl Default for SurveyState {
    fn default() -> Self {
        Self::new()
    }
}

//! A running study, watched by its researcher: looked at again every half minute while the page is open.

use std::{cell::OnceCell, collections::BTreeMap, sync::Arc, time::Duration};

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::on_demand::on_demand;
use crate::{
    browser::{clock, files::Handle, folder, slices::Slices},
    pace::Pace,
    services::live_source::{Found, Source, SourceError},
    survey::{
        ResponseSet, Study,
        intake::{self, Intake},
        live::live,
        merge::Results,
    },
    view::live::LiveView,
};

/// How long it is until the next look.
const EVERY: Duration = Duration::from_secs(30);

/// Files that could not be read and are named at most.
const MOST_NAMED: usize = 20;

/// What was read of one file.
enum Read {
    Sets(Vec<ResponseSet>),
    Study(Box<Study>),
    Nothing(String),
}

/// What was read of each file, and of which version of it.
type ReadFiles = BTreeMap<String, (Option<String>, Arc<Read>)>;

/// A study that is watched.
#[derive(Clone, Copy)]
pub struct LiveState {
    /// Where its results lie.
    pub source: RwSignal<Option<String>>,
    /// Whether they are looked at again by themselves.
    pub watching: RwSignal<bool>,
    /// Whether they are looked at now.
    pub looking: RwSignal<bool>,
    /// What is seen.
    pub view: RwSignal<Option<Arc<LiveView>>>,
    /// How the last look went.
    pub status: RwSignal<Option<String>>,
    /// Why nothing could be read.
    pub problem: RwSignal<Option<String>>,
    /// Files that could not be read, with the reason.
    pub refused: RwSignal<Vec<String>>,
    /// How many ratings each comment should have.
    pub target: RwSignal<Option<usize>>,
    place: StoredValue<Option<Source>, LocalStorage>,
    kept: StoredValue<ReadFiles, LocalStorage>,
    /// Another number, another source: what an earlier one still brings is let go.
    turn: StoredValue<usize>,
}

impl LiveState {
    /// The one of the page.
    #[must_use]
    pub fn get() -> Self {
        thread_local! {
            static STORE: OnceCell<LiveState> = const { OnceCell::new() };
        }
        on_demand(&STORE, |_| Self::new())
    }

    /// Nothing is watched.
    fn new() -> Self {
        Self {
            source: RwSignal::new(None),
            watching: RwSignal::new(false),
            looking: RwSignal::new(false),
            view: RwSignal::new(None),
            status: RwSignal::new(None),
            problem: RwSignal::new(None),
            refused: RwSignal::new(Vec::new()),
            target: RwSignal::new(None),
            place: StoredValue::new_local(None),
            kept: StoredValue::new_local(BTreeMap::new()),
            turn: StoredValue::new(0),
        }
    }

    /// Whether folders can be watched in this browser.
    #[must_use]
    pub fn has_folders() -> bool {
        folder::available()
    }

    /// Lets the researcher choose a folder and watches it.
    pub fn choose_folder(&self) {
        let this = *self;
        spawn_local(async move {
            match folder::choose().await {
                Ok(Some(folder)) => this.watch(Source::Folder(folder)),
                Ok(None) => {}
                Err(error) => this.problem.set(Some(SourceError::from(error).to_string())),
            }
        });
    }

    /// Looks at files that were chosen, once.
    pub fn take_files(&self, files: Vec<Handle>) {
        if !files.is_empty() {
            self.watch(Source::Files(files));
        }
    }

    /// Watches the list at an address.
    pub fn watch_address(&self, text: &str) {
        match Source::address(text) {
            Ok(source) => self.watch(source),
            Err(error) => self.problem.set(Some(error.to_string())),
        }
    }

    fn watch(&self, source: Source) {
        self.stop();
        self.source.set(Some(source.name()));
        self.watching.set(source.changes());
        self.view.set(None);
        self.status.set(None);
        self.kept.set_value(BTreeMap::new());
        self.place.set_value(Some(source));
        let (this, turn) = (*self, self.turn.get_value());
        spawn_local(async move {
            while this.turn.try_get_value() == Some(turn) {
                this.look(turn).await;
                if !this.watching.try_get_untracked().unwrap_or_default() {
                    break;
                }
                clock::sleep(EVERY).await;
            }
        });
    }

    /// Looks now.
    pub fn look_again(&self) {
        let (this, turn) = (*self, self.turn.get_value());
        spawn_local(async move { this.look(turn).await });
    }

    /// Ends the watching; what was seen stays.
    pub fn stop(&self) {
        self.turn.update_value(|turn| *turn += 1);
        self.watching.set(false);
        self.looking.set(false);
    }

    /// Says how many ratings each comment should have.
    pub fn set_target(&self, target: Option<usize>) {
        self.target.set(target);
        self.show();
    }

    async fn look(&self, turn: usize) {
        let Some(source) = self.place.get_value() else { return };
        if self.looking.get_untracked() {
            return;
        }
        self.looking.set(true);
        let found = source.look().await;
        let mine = || self.turn.try_get_value() == Some(turn);
        if !mine() {
            return;
        }
        match found {
            Ok(found) => {
                let pace = Slices::new();
                let mut kept = BTreeMap::new();
                for file in found {
                    let read = self.read(&file, &pace).await;
                    if !mine() {
                        return;
                    }
                    kept.insert(file.key(), (file.version.clone(), read));
                }
                let files = kept.len();
                self.kept.set_value(kept);
                self.problem.set(None);
                self.status
                    .set(Some(format!("{files} files, looked at {}.", time_of_day())));
                self.show();
            }
            // What was seen stays: the next look may succeed.
            Err(error) => self.problem.set(Some(error.to_string())),
        }
        self.looking.set(false);
    }

    /// What is in a file; one that has not changed is not read again.
    async fn read(&self, file: &Found, pace: &impl Pace) -> Arc<Read> {
        let known = self.kept.with_value(|kept| {
            let (version, read) = kept.get(&file.key())?;
            (version.is_some() && *version == file.version).then(|| read.clone())
        });
        if let Some(known) = known {
            return known;
        }
        let nothing = |reason: String| Read::Nothing(format!("{}: {reason}", file.name));
        let read = match file.read().await {
            Err(error) => nothing(error.to_string()),
            Ok(bytes) => match intake::read(&bytes, pace).await {
                Ok((Intake::Results(Results::Sets(sets)), _)) => Read::Sets(sets),
                Ok((Intake::Study(study), _)) => Read::Study(study),
                Ok(_) => nothing("it holds no sessions.".to_owned()),
                Err(error) => nothing(format!("{error}.")),
            },
        };
        Arc::new(read)
    }

    fn show(&self) {
        let target = self.target.get_untracked();
        self.kept.with_value(|kept| {
            let read = || kept.values().map(|(_, read)| &**read);
            let sets = read().flat_map(|read| match read {
                Read::Sets(sets) => &sets[..],
                _ => &[],
            });
            let study = read().find_map(|read| match read {
                Read::Study(study) => Some(&**study),
                _ => None,
            });
            let refused = read().filter_map(|read| match read {
                Read::Nothing(reason) => Some(reason.clone()),
                _ => None,
            });
            self.refused.set(refused.take(MOST_NAMED).collect());
            let found = live(sets, study);
            self.view
                .set((!kept.is_empty()).then(|| Arc::new(LiveView::new(&found, target, now()))));
        });
    }
}

/// Milliseconds since 1970.
fn now() -> u64 {
    let since = clock::time_of_day()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// "at 17:58:05 UTC".
fn time_of_day() -> String {
    let text = crate::survey::time::rfc3339(now());
    format!("at {} UTC", text.get(11..19).unwrap_or_default())
}

//! The queue of answers on their way to a study's collection endpoint.
//!
//! One courier at a time walks the sessions of this browser whose studies collect answers. What it has to do follows from
//! each session's journal and the last receipt, so nothing is lost when the page goes away in the middle.

use std::{collections::BTreeMap, rc::Rc, sync::Arc, time::Duration};

use futures_util::lock::Mutex;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::{clock, document::program, journal::Lease, location},
    services::{
        collection,
        survey_store::{self, Begun, EventSafety, SurveyStore},
    },
    survey::{
        Event, Session, Study,
        collection_queue::{Ledger, Next, Occasion, Parcel, Reached},
        phrases::Phrase,
    },
    view::collection::{Facts, QueueView},
};

/// How long is waited where another tab sends, or the disk does not take the last answers. Looking costs nothing, and a
/// rater who has finished wants to close the page.
const ELSEWHERE: Duration = Duration::from_millis(500);

/// A session's line in the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueLine {
    /// The session whose answers wait.
    pub begun: Begun,
    /// How it stands.
    pub view: QueueView,
    /// The server that its answers go to.
    pub server: String,
    /// What such a queue is called, in the study's language.
    pub title: String,
    /// What its button says.
    pub send: String,
}

/// The session that is open in this tab: handles to what the survey's state holds.
#[derive(Clone, Copy)]
pub struct OpenSession {
    /// The latest session.
    pub latest: StoredValue<Option<Session>>,
    /// What led to it.
    pub journal: StoredValue<Vec<Event>>,
    /// Where it is kept.
    pub store: StoredValue<Option<SurveyStore>, LocalStorage>,
}

struct Post {
    begun: Begun,
    study: Arc<Study>,
    server: String,
    ledger: Ledger,
    reached: Option<Reached>,
    /// How far the server has it when what is on its way has arrived.
    on_its_way: Option<Reached>,
}

/// The queue.
#[derive(Clone, Copy)]
pub struct CollectionState {
    /// The sessions whose studies collect answers.
    pub lines: RwSignal<Vec<QueueLine>>,
    /// By the sessions' names.
    posts: StoredValue<BTreeMap<String, Post>>,
    open: StoredValue<Option<(String, OpenSession)>, LocalStorage>,
    round: StoredValue<u64>,
    turn: StoredValue<Rc<Mutex<Option<Held>>>, LocalStorage>,
}

/// The right to send a session's answers, kept from one delivery to the next: the browser gives a lock back a moment after
/// it was let go, and whoever asks in that moment finds it taken.
struct Held {
    session: String,
    _lease: Lease,
}

fn tick() -> u64 {
    #[allow(clippy::cast_sign_loss, clippy::cast_possible_truncation)] // milliseconds since the page was opened
    let tick = clock::now().max(0.0) as u64;
    tick
}

impl CollectionState {
    /// Nothing to send.
    #[must_use]
    pub fn new() -> Self {
        Self {
            lines: RwSignal::new(Vec::new()),
            posts: StoredValue::new(BTreeMap::new()),
            open: StoredValue::new_local(None),
            round: StoredValue::new(0),
            turn: StoredValue::new_local(Rc::default()),
        }
    }

    /// Looks which of the sessions begun in this browser have something to send, and sends it.
    pub async fn find(self, begun: Vec<(Begun, Option<Arc<Study>>)>) {
        for (begun, study) in begun {
            if self.posts.with_value(|posts| posts.contains_key(&begun.name())) {
                continue;
            }
            let Some(study) = study else { continue };
            let Ok(journal) = SurveyStore::look(&begun).await else {
                continue;
            };
            // A journal that does not fit its study is reported when it is opened.
            if let Ok(session) = Session::replay(study, &begun.rater, &journal) {
                self.add(&begun, &session).await;
            }
        }
        self.go();
    }

    /// The session that is open in this tab from now on.
    pub async fn opened(self, begun: &Begun, session: &Session, open: OpenSession) {
        self.open.set_value(Some((begun.name(), open)));
        self.add(begun, session).await;
        self.go();
    }

    async fn add(self, begun: &Begun, session: &Session) {
        let study = session.study();
        let Some(collection) = &study.options.collection else {
            return;
        };
        let Some(server) = collection.server() else { return };
        let mut ledger = survey_store::ledger(begun).await;
        let reached = Reached::of(session, &server);
        if let Some(now) = reached {
            ledger.look(now, collection.every, Occasion::Opened);
        }
        let post = Post {
            begun: begun.clone(),
            study: Arc::clone(study),
            server,
            ledger,
            reached,
            on_its_way: None,
        };
        self.posts.update_value(|posts| {
            posts.insert(begun.name(), post);
        });
        self.show();
    }

    /// The open session has come so far, and that is kept.
    pub fn session_changed(self, session: &Session, occasion: Occasion) {
        let Some((name, _)) = self.open.get_value() else { return };
        let known = self.posts.try_update_value(|posts| {
            let post = posts.get_mut(&name)?;
            post.reached = Reached::of(session, &post.server);
            let every = post.study.options.collection.as_ref()?.every;
            if let Some(now) = post.reached {
                post.ledger.look(now, every, occasion);
            }
            Some(())
        });
        if known.flatten().is_some() {
            self.show();
            self.go();
        }
    }

    /// Looks at all sessions anew: the device is online again, or somebody asks.
    pub fn again(self, occasion: Occasion) {
        self.posts.update_value(|posts| {
            for post in posts.values_mut() {
                post.ledger.online();
                let every = post.study.options.collection.as_ref().map_or(0, |c| c.every);
                if let Some(now) = post.reached {
                    post.ledger.look(now, every, occasion);
                }
            }
        });
        self.show();
        self.go();
    }

    /// Forgets a session that is removed from this browser.
    pub fn forget(self, begun: &Begun) {
        self.posts.update_value(|posts| {
            posts.remove(&begun.name());
        });
        self.show();
    }

    /// Draws the queue anew, also when the device went off line.
    pub fn show(self) {
        let online = location::online();
        let line = |post: &Post| QueueLine {
            begun: post.begun.clone(),
            server: post.server.clone(),
            title: post.study.say(Phrase::OnTheirWay).to_owned(),
            send: post.study.say(Phrase::SendNow).to_owned(),
            view: QueueView::new(Facts {
                study: &post.study,
                server: &post.server,
                reached: post.reached,
                ledger: &post.ledger,
                sending: post.on_its_way.is_some(),
                online,
            }),
        };
        let lines = self
            .posts
            .with_value(|posts| posts.values().map(line).collect::<Vec<_>>());
        if self.lines.with_untracked(|old| *old != lines) {
            self.lines.set(lines);
        }
    }

    /// Sends the courier round; one that waits elsewhere goes home.
    fn go(self) {
        self.round.update_value(|round| *round += 1);
        let mine = self.round.get_value();
        let Some(turn) = self.turn.try_get_value() else { return };
        spawn_local(async move {
            while self.round.try_get_value() == Some(mine) {
                let Some((name, wait)) = self.next() else {
                    turn.lock().await.take();
                    return;
                };
                if wait > Duration::ZERO {
                    // Another tab may send it meanwhile.
                    turn.lock().await.take();
                    clock::sleep(wait).await;
                    continue;
                }
                let mut held = turn.lock().await;
                self.deliver(&name, &mut held).await;
            }
        });
    }

    /// The session to see to first, and when.
    fn next(self) -> Option<(String, Duration)> {
        let tick = tick();
        self.posts.try_with_value(|posts| {
            let due = posts.iter().filter_map(|(name, post)| {
                if post.on_its_way.is_some() {
                    // Whoever sends it looks again when there is an answer.
                    return None;
                }
                let wait = match post.ledger.next(post.reached?, tick) {
                    Next::Nothing | Next::Refused => return None,
                    Next::Wait(wait) => wait,
                    Next::Send => Duration::ZERO,
                };
                Some((name.clone(), wait))
            });
            due.min_by_key(|(_, wait)| *wait)
        })?
    }

    async fn deliver(self, name: &str, held: &mut Option<Held>) {
        let Some(begun) = self
            .posts
            .with_value(|posts| posts.get(name).map(|post| post.begun.clone()))
        else {
            return;
        };
        if held.as_ref().is_none_or(|held| held.session != name) {
            held.take();
            let lease = survey_store::sender(&begun).await;
            *held = lease.map(|lease| Held {
                session: name.to_owned(),
                _lease: lease,
            });
        }
        if held.is_none() {
            self.change(name, |post| post.ledger.postpone(tick(), ELSEWHERE));
            return;
        }
        // Another tab may have sent it since.
        let kept = survey_store::ledger(&begun).await.receipt;
        self.change(name, |post| post.ledger.adopt(kept));
        let due = self.posts.with_value(|posts| {
            let post = posts.get(name)?;
            Some(post.ledger.next(post.reached?, tick()) == Next::Send)
        });
        if due != Some(true) {
            self.show();
            return;
        }
        let Some(parcel) = self.pack(name, &begun).await else {
            self.change(name, |post| post.ledger.postpone(tick(), ELSEWHERE));
            return;
        };
        self.carry(name, &begun, parcel).await;
    }

    /// Sends a parcel, and writes down what became of it. Where nobody hears of it, nothing has arrived.
    async fn carry(self, name: &str, begun: &Begun, parcel: Parcel) {
        self.change(name, |post| post.on_its_way = Some(parcel.reached));
        self.show();
        let verdict = collection::send(&parcel).await;
        let wall = clock::time_of_day()
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap_or_default();
        let wall = u64::try_from(wall.as_millis()).unwrap_or(u64::MAX);
        let ledger = self.posts.try_update_value(|posts| {
            let post = posts.get_mut(name)?;
            post.on_its_way = None;
            post.ledger.record(&parcel, verdict, tick(), wall, wall);
            // What was answered meanwhile may be due.
            if let (Some(now), Some(collection)) = (post.reached, &post.study.options.collection) {
                post.ledger.look(now, collection.every, Occasion::Page);
            }
            Some(post.ledger.clone())
        });
        if let Some(ledger) = ledger.flatten() {
            survey_store::keep_ledger(begun, &ledger).await;
        }
        self.show();
    }

    /// The page is hidden, or left: what the server has not is sent at once, for there may be no later. What is in the
    /// journal's memory is enough here: a page that goes away cannot wait for the disk.
    pub fn leave(self) {
        let Some((name, open)) = self.open.get_value() else {
            return;
        };
        let parcel = self.posts.try_update_value(|posts| {
            let post = posts.get_mut(&name)?;
            let (now, collection) = (post.reached?, post.study.options.collection.clone()?);
            post.ledger.look(now, collection.every, Occasion::Pause);
            let known = post.on_its_way.is_some_and(|sent| !now.is_beyond(sent));
            // What would be tried again later is tried now: another tab that was closing may have had the right to send.
            if known || matches!(post.ledger.next(now, tick()), Next::Nothing | Next::Refused) {
                return None;
            }
            let parcel = open.latest.with_value(|session| {
                open.journal
                    .with_value(|journal| Parcel::pack(&collection, session.as_ref()?, journal, &program()))
            })?;
            Some((post.begun.clone(), parcel))
        });
        if let Some((begun, parcel)) = parcel.flatten() {
            spawn_local(async move {
                self.carry(&name, &begun, parcel).await;
                self.go();
            });
        }
    }

    /// The session as it is on the disk, packed.
    async fn pack(self, name: &str, begun: &Begun) -> Option<Parcel> {
        let open = self.open.get_value().filter(|(open, _)| open == name);
        let study = self
            .posts
            .with_value(|posts| posts.get(name).map(|post| Arc::clone(&post.study)))?;
        let collection = study.options.collection.clone()?;
        if let Some((_, open)) = open
            && let Some(store) = open.store.try_get_value().flatten()
        {
            // What is not on the disk could be lost here and be there: it has to wait.
            if !matches!(
                store.flush().await,
                EventSafety::Safe | EventSafety::Restored | EventSafety::Copy(_)
            ) {
                return None;
            }
            return open.latest.with_value(|session| {
                let session = session.as_ref()?;
                open.journal
                    .with_value(|journal| Parcel::pack(&collection, session, journal, &program()))
            });
        }
        let journal = SurveyStore::look(begun).await.ok()?;
        let session = Session::replay(study, &begun.rater, &journal).ok()?;
        Parcel::pack(&collection, &session, &journal, &program())
    }

    fn change(self, name: &str, change: impl FnOnce(&mut Post)) {
        self.posts.try_update_value(|posts| {
            if let Some(post) = posts.get_mut(name) {
                change(post);
            }
        });
    }
}

impl Default for CollectionState {
    fn default() -> Self {
        Self::new()
    }
}

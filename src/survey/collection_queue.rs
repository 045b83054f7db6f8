//! What has to be sent of a session, when it is tried again, and which answers of a server are receipts.
//!
//! The queue is not a list of sets: a session's journal is kept anyway, and every set contains the ones before it. So all
//! that is kept besides is how far the server has the session ([`Ledger`]). What was answered beyond that waits; whatever
//! is lost on the way (a request, its answer, the ledger itself) only makes the same state be sent again under the same
//! key, never another one, and never nothing.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{
    collection::{COLLECTION_SCHEMA, Collection, KEY_HEADER, TRIAL_SCHEMA, Verb},
    event::Event,
    foreign_text::clipped,
    responses::{Outcome, ResponseSet},
    session::{Ending, Session, Stage},
};

/// The wait after the first failure; each later one is twice the one before.
pub const FIRST_WAIT: Duration = Duration::from_secs(2);

/// The longest wait of our own.
pub const LONGEST_WAIT: Duration = Duration::from_secs(300);

/// The least wait after a refusal, where the session is over.
pub const AFTER_REFUSAL: Duration = Duration::from_secs(60);

/// The longest `Retry-After` that is kept to.
pub const LONGEST_ASKED: Duration = Duration::from_secs(3600);

/// How far a session is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Reached {
    /// Events in the journal: the revision of the set.
    pub revision: usize,
    /// How often a page was answered, or answered anew.
    pub submissions: usize,
    /// Pages answered.
    pub pages: usize,
    /// Whether nothing more will come.
    pub over: bool,
}

impl Reached {
    /// How far a session is; `None` where nothing of it may be sent to `server`: the rater has not agreed to take part, or
    /// not to that server.
    #[must_use]
    pub fn of(session: &Session, server: &str) -> Option<Self> {
        session.consent()?;
        if session.sends_to() != Some(server) || session.stage() == Stage::Ended(Ending::Declined) {
            return None;
        }
        Some(Self {
            revision: session.events(),
            submissions: session.submissions(),
            pages: session.answered(),
            over: session.is_over(),
        })
    }
}

impl Reached {
    /// Whether a server that has `other` lacks something of this.
    #[must_use]
    pub const fn is_beyond(self, other: Self) -> bool {
        self.submissions > other.submissions || (self.over && !other.over)
    }
}

/// The name of a session: the same on every reload, another on every device. 16 hexadecimal digits.
#[must_use]
pub fn session_id(study_sha256: &str, rater: &str, journal: &[Event]) -> Option<String> {
    let first = serde_json::to_string(journal.first()?).ok()?;
    let digest = Sha256::digest(format!("{study_sha256}\n{rater}\n{first}"));
    Some(digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect())
}

/// A set that is ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parcel {
    /// Where to.
    pub url: String,
    /// The HTTP method.
    pub method: Verb,
    /// All headers, the key among them.
    pub headers: Vec<(String, String)>,
    /// The body, JSON.
    pub body: String,
    /// Session and revision: the same for the same contents.
    pub key: String,
    /// What the server has when it has this.
    pub reached: Reached,
}

/// A row as POST sends it.
#[derive(Serialize)]
struct Row<'a, T> {
    schema: &'a str,
    key: &'a str,
    study: &'a str,
    rater: &'a str,
    session: &'a str,
    revision: usize,
    outcome: Outcome,
    answered: usize,
    responses: &'a T,
}

impl Parcel {
    /// Packs a session, as far as it is; `None` where nothing of it may be sent, or not there.
    #[must_use]
    pub fn pack(collection: &Collection, session: &Session, journal: &[Event], app: &str) -> Option<Self> {
        let reached = Reached::of(session, &collection.server()?)?;
        let set = ResponseSet::collect(session, journal, app);
        let id = session_id(&set.study.sha256, &set.rater, journal)?;
        let key = format!("{id}-{}", reached.revision);
        let body = match collection.method {
            Verb::Put => set.to_json(),
            Verb::Post => serde_json::to_string(&Row {
                schema: COLLECTION_SCHEMA,
                key: &key,
                study: &set.study.id,
                rater: &set.rater,
                session: &id,
                revision: reached.revision,
                outcome: set.outcome,
                answered: set.answered(),
                responses: &set,
            })
            .ok()?,
        };
        Some(Self {
            url: collection.target(&set.study.id, &set.rater, &id, reached.revision)?,
            method: collection.method,
            headers: collection.headers(&key),
            body,
            key,
            reached,
        })
    }
}

/// A record that a researcher sends to try the address. Whoever reads results passes over it.
#[derive(Serialize)]
struct Trial<'a> {
    schema: &'a str,
    study: &'a str,
}

/// Rater and session of a record that tries an address.
const TRIAL: &str = "kibitz-trial";

impl Parcel {
    /// Packs a record that tries the address; `None` where it cannot be used, or takes one file alone, which the record would
    /// replace. Each is to have a `key` of its own.
    #[must_use]
    pub fn trial(collection: &Collection, study: &str, key: u128) -> Option<Self> {
        if collection.method == Verb::Put
            && !["{rater}", "{session}"]
                .iter()
                .any(|own| collection.address.contains(own))
        {
            return None;
        }
        let record = Trial {
            schema: TRIAL_SCHEMA,
            study,
        };
        let key = format!("{TRIAL}-{key}");
        Some(Self {
            url: collection.target(study, TRIAL, TRIAL, 0)?,
            method: collection.method,
            headers: collection.headers(&key),
            body: match collection.method {
                Verb::Put => serde_json::to_string(&record),
                Verb::Post => serde_json::to_string(&Row {
                    schema: TRIAL_SCHEMA,
                    key: &key,
                    study,
                    rater: TRIAL,
                    session: TRIAL,
                    revision: 0,
                    outcome: Outcome::Partial,
                    answered: 0,
                    responses: &record,
                }),
            }
            .ok()?,
            key,
            reached: Reached::default(),
        })
    }
}

impl Collection {
    /// All headers of a parcel with this key.
    fn headers(&self, key: &str) -> Vec<(String, String)> {
        let own = [("content-type", "application/json"), (KEY_HEADER, key)];
        let own = own.map(|(name, value)| (name.to_owned(), value.to_owned()));
        self.headers.clone().into_iter().chain(own).collect()
    }
}

/// When it is looked whether something has to be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occasion {
    /// A page was answered.
    Page,
    /// A break began, the page was left, or the device is online again.
    Pause,
    /// The app was opened: what failed before is forgotten.
    Opened,
    /// Somebody asks for it.
    Asked,
}

/// Why a set did not arrive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trouble {
    /// No answer that the browser may show: no network, no server, or one that does not allow this page.
    Unreachable,
    /// No answer in time.
    TimedOut,
    /// The server wants the answers elsewhere; the rater has not agreed to that place.
    Redirected,
    /// A web page instead of a receipt.
    WebPage,
    /// Another status than a receipt's, and the first words that came with it.
    Status(u16, String),
}

/// What an answer of the server means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It has the set.
    Received,
    /// It may take it later, perhaps after this wait.
    Later(Trouble, Option<Duration>),
    /// It will not take it until somebody changes something there.
    Refused(Trouble),
}

/// Reads an answer: its status (0 for a redirection that was not followed), its type and the first words of its body.
#[must_use]
pub fn verdict(method: Verb, status: u16, media_type: &str, retry_after: Option<Duration>, body: &str) -> Verdict {
    let trouble = || Trouble::Status(status, clipped(body.trim()));
    match status {
        // Hosts of static pages answer everything with their first page.
        200 if is_web_page(media_type) || is_web_page(body) => Verdict::Refused(Trouble::WebPage),
        200..=299 => Verdict::Received,
        // PostgREST's word for a key that is there already: the row arrived, its receipt did not.
        409 if method == Verb::Post && body.contains("\"23505\"") => Verdict::Received,
        0 | 300..=399 => Verdict::Refused(Trouble::Redirected),
        408 | 421 | 423 | 425 | 429 => Verdict::Later(trouble(), retry_after),
        501 | 505 => Verdict::Refused(trouble()),
        500..=599 => Verdict::Later(trouble(), retry_after),
        _ => Verdict::Refused(trouble()),
    }
}

/// Whether a media type, or a text by its first words, is that of a web page.
fn is_web_page(text: &str) -> bool {
    let start: String = text.trim_start().chars().take(9).collect();
    let start = start.to_ascii_lowercase();
    ["text/html", "<!doctype", "<html"]
        .iter()
        .any(|page| start.starts_with(page))
}

/// The last receipt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// The key of what arrived.
    pub key: String,
    /// How far the server has the session.
    pub reached: Reached,
    /// When, milliseconds since 1970 by the device's clock.
    pub at: u64,
}

/// What is known of the sending of one session.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Ledger {
    /// The last receipt.
    pub receipt: Option<Receipt>,
    /// Why the last attempt failed, if it did.
    pub trouble: Option<Trouble>,
    /// What was refused: it fails for good, as far as this page can do something about it.
    pub refused: Option<Reached>,
    /// Attempts that failed since the last receipt.
    pub failed: u32,
    /// Whether something has to be sent. Not kept: it is found again when the session is.
    #[serde(skip)]
    wanted: bool,
    /// Not before this time of the page's own clock, in milliseconds. A clock that can be set has no say in this.
    #[serde(skip)]
    not_before: u64,
}

/// What to do now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Nothing: all that has to be there is there.
    Nothing,
    /// Nothing until the next [`Occasion`]: it was refused, and more answers will come.
    Refused,
    /// Nothing can be sent before this time has passed.
    Wait(Duration),
    /// The next post can be sent now.
    Send,
}

impl Ledger {
    /// Whether the server has not all that was answered.
    #[must_use]
    pub fn is_behind(&self, now: Reached) -> bool {
        match &self.receipt {
            None => now.submissions > 0 || now.over,
            Some(receipt) => now.is_beyond(receipt.reached),
        }
    }

    /// Looks whether something has to be sent. `every` is [`Collection::every`].
    pub fn look(&mut self, now: Reached, every: usize, occasion: Occasion) {
        if !self.is_behind(now) {
            self.wanted = false;
            return;
        }
        let sent = self.receipt.as_ref().map_or(0, |receipt| receipt.reached.submissions);
        let enough = every > 0 && (occasion != Occasion::Page || now.submissions - sent.min(now.submissions) >= every);
        let due = now.over || enough || occasion == Occasion::Asked;
        self.wanted |= due;
        // What was refused is not sent again after every page, but whenever there is a reason to look anew.
        let ends = now.over && self.refused.is_some_and(|refused| !refused.over);
        if due && (occasion != Occasion::Page || ends) {
            self.refused = None;
        }
        if matches!(occasion, Occasion::Opened | Occasion::Asked) {
            self.not_before = 0;
        }
    }

    /// The device is online again: what could not be reached may be now.
    pub fn online(&mut self) {
        if matches!(self.trouble, Some(Trouble::Unreachable | Trouble::TimedOut)) {
            self.not_before = 0;
        }
    }

    /// Takes what another tab has learnt.
    pub fn adopt(&mut self, other: Option<Receipt>) {
        let further = |receipt: &Receipt| receipt.reached.revision;
        if other.as_ref().map(further) > self.receipt.as_ref().map(further) {
            self.receipt = other;
            (self.trouble, self.refused, self.failed, self.not_before) = (None, None, 0, 0);
        }
    }

    /// What to do at this time of the page's own clock.
    #[must_use]
    pub fn next(&self, now: Reached, tick: u64) -> Next {
        if !self.wanted || !self.is_behind(now) {
            Next::Nothing
        } else if self.refused.is_some() && !now.over {
            Next::Refused
        } else if tick < self.not_before {
            Next::Wait(Duration::from_millis(self.not_before - tick))
        } else {
            Next::Send
        }
    }

    /// Writes down what became of a parcel. `wall` is the time of day for the receipt; a tenth of a wait is left to chance,
    /// drawn from `seed`, so that many raters do not return at once.
    pub fn record(&mut self, parcel: &Parcel, verdict: Verdict, tick: u64, wall: u64, seed: u64) {
        match verdict {
            Verdict::Received => {
                let (key, reached) = (parcel.key.clone(), parcel.reached);
                self.receipt = Some(Receipt { key, reached, at: wall });
                (self.trouble, self.refused, self.failed, self.not_before) = (None, None, 0, 0);
            }
            Verdict::Refused(trouble) => {
                (self.trouble, self.refused) = (Some(trouble), Some(parcel.reached));
                self.failed = self.failed.saturating_add(1);
                if parcel.reached.over {
                    // Nothing follows that would be an occasion. Somebody may mend the server while the rater waits.
                    self.put_off(tick, wait(self.failed, None, seed).max(AFTER_REFUSAL));
                }
            }
            Verdict::Later(trouble, asked) => {
                self.trouble = Some(trouble);
                self.failed = self.failed.saturating_add(1);
                self.put_off(tick, wait(self.failed, asked, seed));
            }
        }
    }

    /// Comes back to it after a while: something of this page's own stood in the way.
    pub fn postpone(&mut self, tick: u64, wait: Duration) {
        self.put_off(tick, wait);
    }

    fn put_off(&mut self, tick: u64, wait: Duration) {
        self.not_before = tick.saturating_add(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
    }
}

/// How long to wait after so many failures, the last with this `Retry-After`.
#[must_use]
pub fn wait(failed: u32, asked: Option<Duration>, seed: u64) -> Duration {
    let doubled = 2_u32
        .checked_pow(failed.saturating_sub(1))
        .and_then(|times| FIRST_WAIT.checked_mul(times));
    let own = doubled.unwrap_or(LONGEST_WAIT).min(LONGEST_WAIT);
    let chance = crate::random::Rng::new(seed.wrapping_add(u64::from(failed))).below(100);
    #[allow(clippy::cast_precision_loss)] // below a hundred
    let own = own.mul_f64(0.9 + chance as f64 / 500.0);
    own.max(asked.unwrap_or_default().min(LONGEST_ASKED))
}

/// Reads a `Retry-After`: seconds, or a date counted from `now`.
#[must_use]
pub fn retry_after(text: &str, now: std::time::SystemTime) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

//! What a rater reads of the sending of their answers.

use std::fmt::Display;

use crate::survey::{
    collection_queue::{Ledger, Reached, Trouble, Verdict},
    phrases::Phrase,
    study::Study,
};

/// How it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Nothing had to be sent yet.
    Nothing,
    /// It is being sent.
    Sending,
    /// All that was answered has arrived, or will be sent with what follows.
    Arrived,
    /// It is tried again.
    Waiting,
    /// It is not tried again by itself.
    Refused,
    /// The rater has not agreed to this server.
    NotAgreed,
}

impl Standing {
    /// In a word.
    #[must_use]
    pub const fn word(self) -> Phrase {
        match self {
            Self::Nothing => Phrase::NothingSent,
            Self::Sending => Phrase::Sending,
            Self::Arrived => Phrase::Sent,
            Self::Waiting => Phrase::Waiting,
            Self::Refused => Phrase::Refused,
            Self::NotAgreed => Phrase::HeldBack,
        }
    }
}

/// The queue of one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueView {
    /// How it stands.
    pub standing: Standing,
    /// That in a word.
    pub word: String,
    /// What happened, what is kept, what to do.
    pub text: String,
    /// Whether one can ask for another attempt.
    pub retry: bool,
}

/// What is known of a session's sending.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// The study, in whose language it is said.
    pub study: &'a Study,
    /// Where to, as raters are shown it.
    pub server: &'a str,
    /// How far the session is; `None` where the rater has not agreed to the server.
    pub reached: Option<Reached>,
    /// What became of attempts.
    pub ledger: &'a Ledger,
    /// Whether an attempt is under way.
    pub sending: bool,
    /// Whether the device is online, as far as the browser knows.
    pub online: bool,
}

impl QueueView {
    /// Puts it in words.
    #[must_use]
    pub fn new(facts: Facts) -> Self {
        let Facts {
            study, server, ledger, ..
        } = facts;
        let says = |standing: Standing, text: String, retry| Self {
            standing,
            word: study.say(standing.word()).to_owned(),
            text,
            retry,
        };
        let say = |phrase| study.fill(phrase, &[("server", &server)]);
        let Some(now) = facts.reached else {
            return says(Standing::NotAgreed, say(Phrase::NotAgreed), false);
        };
        let arrived = ledger.receipt.as_ref().map_or(0, |receipt| receipt.reached.pages);
        let behind = ledger.is_behind(now);
        let waiting = now.pages.saturating_sub(arrived);
        let count = |phrase| {
            study.fill(
                phrase,
                &[("server", &server), ("waiting", &waiting), ("arrived", &arrived)],
            )
        };
        let (standing, text) = if facts.sending {
            (Standing::Sending, say(Phrase::BeingSent))
        } else if !behind && ledger.receipt.is_none() {
            (Standing::Nothing, say(Phrase::NoneYet))
        } else if !behind && now.over {
            (Standing::Arrived, say(Phrase::AllArrived))
        } else if !behind {
            (Standing::Arrived, say(Phrase::SoFarArrived))
        } else {
            match &ledger.trouble {
                // Nothing follows: it is on its way, and the page must stay until it has arrived.
                None if now.over => (Standing::Sending, say(Phrase::LastBeingSent)),
                None if ledger.receipt.is_none() => (Standing::Nothing, count(Phrase::WillBeSent)),
                None => (Standing::Arrived, count(Phrase::SomeArrived)),
                Some(_) if !facts.online && now.over => (Standing::Waiting, say(Phrase::OfflineEnd)),
                Some(_) if !facts.online => (Standing::Waiting, count(Phrase::Offline)),
                Some(trouble) if now.over => {
                    let refused = ledger.refused.is_some();
                    let remedy = if refused { study.say(remedy(trouble)) } else { "" };
                    let standing = if refused { Standing::Refused } else { Standing::Waiting };
                    let values: [(&str, &dyn Display); 4] = [
                        ("server", &server),
                        ("trouble", &said(study, trouble)),
                        ("tries", &ledger.failed),
                        ("remedy", &remedy),
                    ];
                    (standing, study.fill(Phrase::NotSentYet, &values).trim_end().to_owned())
                }
                Some(trouble) if ledger.refused.is_some() => (
                    Standing::Refused,
                    study.fill(
                        Phrase::ServerRefused,
                        &[
                            ("server", &server),
                            ("trouble", &said(study, trouble)),
                            ("remedy", &study.say(remedy(trouble))),
                        ],
                    ),
                ),
                Some(trouble) => (
                    Standing::Waiting,
                    study.fill(
                        Phrase::ServerTrouble,
                        &[
                            ("server", &server),
                            ("trouble", &said(study, trouble)),
                            ("waiting", &waiting),
                            ("tries", &ledger.failed),
                        ],
                    ),
                ),
            }
        };
        says(standing, text, behind && standing != Standing::Sending)
    }
}

/// What came of trying the address, for the researcher: in English, as the builder is.
#[must_use]
pub fn trial(server: &str, verdict: &Verdict) -> String {
    let study = Study::default();
    match verdict {
        Verdict::Received => format!("The trial record has arrived at {server}. Raters' answers will, too."),
        Verdict::Later(trouble, _) => format!("It has not arrived: {server} {}.", said(&study, trouble)),
        Verdict::Refused(trouble) => {
            format!(
                "It has not arrived, and no rater's answers will: {server} {}.",
                said(&study, trouble)
            )
        }
    }
}

/// What the server did: goes on after its name.
fn said(study: &Study, trouble: &Trouble) -> String {
    let phrase = match trouble {
        Trouble::Unreachable => Phrase::TroubleUnreachable,
        Trouble::TimedOut => Phrase::TroubleTimedOut,
        Trouble::Redirected => Phrase::TroubleRedirected,
        Trouble::WebPage => Phrase::TroubleWebPage,
        Trouble::Status(status, _) => match status {
            401 => Phrase::TroublePassword,
            403 => Phrase::TroubleForbidden,
            404 | 409 | 410 => Phrase::TroubleNoPlace,
            405 | 501 => Phrase::TroubleMethod,
            413 => Phrase::TroubleTooMuch,
            429 => Phrase::TroublePatience,
            507 => Phrase::TroubleNoRoom,
            500..=599 => Phrase::TroubleFault,
            _ => Phrase::TroubleOther,
        },
    };
    let what = study.say(phrase).to_owned();
    let Trouble::Status(status, words) = trouble else {
        return what;
    };
    // The server's own words, in whatever language it speaks.
    let status = if words.is_empty() || words.starts_with('<') {
        status.to_string()
    } else {
        format!("{status}: {words}")
    };
    study.fill(Phrase::TroubleStatus, &[("trouble", &what), ("status", &status)])
}

/// What can be done, and by whom.
const fn remedy(trouble: &Trouble) -> Phrase {
    match trouble {
        Trouble::Status(413, _) => Phrase::RemedyLimit,
        Trouble::Status(401 | 403, _) => Phrase::RemedyRefuses,
        _ => Phrase::RemedyTell,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::{collection_queue::Receipt, preset::paper};

    fn reached(pages: usize, over: bool) -> Reached {
        Reached {
            revision: 10 * pages,
            submissions: pages,
            pages,
            over,
        }
    }

    fn view(now: Option<Reached>, ledger: &Ledger, sending: bool, online: bool) -> QueueView {
        QueueView::new(Facts {
            study: &paper("s", "S"),
            server: "https://x.example.org",
            reached: now,
            ledger,
            sending,
            online,
        })
    }

    #[test]
    fn every_standing_has_its_sentence() {
        let mut ledger = Ledger::default();
        let said = |now, ledger: &Ledger, sending, online| {
            let view = view(now, ledger, sending, online);
            (view.standing, view.text, view.retry)
        };
        assert_eq!(said(None, &ledger, false, true).0, Standing::NotAgreed);
        assert_eq!(said(Some(reached(0, false)), &ledger, false, true).0, Standing::Nothing);
        let now = Some(reached(4, false));
        assert_eq!(said(now, &ledger, true, true).0, Standing::Sending);
        ledger.trouble = Some(Trouble::Unreachable);
        ledger.failed = 3;
        let (standing, text, retry) = said(now, &ledger, false, true);
        assert_eq!((standing, retry), (Standing::Waiting, true));
        assert_eq!(
            text,
            "https://x.example.org cannot be reached, or does not let this page send it anything. Rated comments kept here: \
             4. Sending is tried again by itself (tries so far: 3); you can go on meanwhile."
        );
        assert!(
            said(now, &ledger, false, false)
                .1
                .starts_with("This device is offline. Rated comments that are kept here")
        );
        ledger.refused = now;
        ledger.trouble = Some(Trouble::Status(413, "<html>".to_owned()));
        let (standing, text, _) = said(now, &ledger, false, true);
        assert_eq!(standing, Standing::Refused);
        assert_eq!(
            text,
            "https://x.example.org does not take so much at once (status 413). Your answers are safe here. Tell those who \
             asked you that their server's limit for one file is too small. Until that is mended, you can go on; download \
             your results at the end to be sure."
        );
        ledger.trouble = Some(Trouble::Status(403, "not yours".to_owned()));
        assert!(said(now, &ledger, false, true).1.contains("(status 403: not yours)"));
        let mut ledger = Ledger::default();
        ledger.receipt = Some(Receipt {
            key: "k".to_owned(),
            reached: reached(4, false),
            at: 1,
        });
        assert_eq!(
            said(now, &ledger, false, true),
            (
                Standing::Arrived,
                "Your answers so far have arrived at https://x.example.org.".to_owned(),
                false
            )
        );
        assert_eq!(
            said(Some(reached(5, false)), &ledger, false, true).1,
            "Rated comments that have arrived at https://x.example.org: 4; that will be sent with those that follow: 1."
        );
        // At the end "sent" is said of everything or not at all.
        for ledger in [&ledger, &Ledger::default()] {
            assert_eq!(
                said(Some(reached(5, true)), ledger, false, true),
                (
                    Standing::Sending,
                    "Your last answers are being sent to https://x.example.org…".to_owned(),
                    false
                )
            );
        }
    }
}

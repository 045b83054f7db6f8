//! What a rater reads of the sending of their answers.

use crate::survey::collection_queue::{Ledger, Reached, Trouble};

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
    pub const fn word(self) -> &'static str {
        match self {
            Self::Nothing => "nothing sent yet",
            Self::Sending => "sending",
            Self::Arrived => "sent",
            Self::Waiting => "waiting",
            Self::Refused => "refused",
            Self::NotAgreed => "held back",
        }
    }
}

/// The queue of one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueView {
    /// How it stands.
    pub standing: Standing,
    /// What happened, what is kept, what to do.
    pub text: String,
    /// Whether one can ask for another attempt.
    pub retry: bool,
}

/// What is known of a session's sending.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
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
        let Facts { server, ledger, .. } = facts;
        let Some(now) = facts.reached else {
            return Self {
                standing: Standing::NotAgreed,
                text: format!("Nothing is sent to {server}: you have not agreed to that."),
                retry: false,
            };
        };
        let arrived = ledger.receipt.as_ref().map_or(0, |receipt| receipt.reached.pages);
        let behind = ledger.is_behind(now);
        let waiting = comments(now.pages.saturating_sub(arrived));
        let (standing, text) = if facts.sending {
            (Standing::Sending, format!("Your answers are being sent to {server}…"))
        } else if !behind && ledger.receipt.is_none() {
            (
                Standing::Nothing,
                format!("Your answers will be sent to {server}. There are none yet."),
            )
        } else if !behind {
            (
                Standing::Arrived,
                if now.over {
                    format!("All your answers have arrived at {server}. You can close this page.")
                } else {
                    format!("Your answers so far have arrived at {server}.")
                },
            )
        } else {
            match &ledger.trouble {
                None if ledger.receipt.is_none() => (
                    Standing::Nothing,
                    format!("{waiting} will be sent to {server} with those that follow."),
                ),
                None => (
                    Standing::Arrived,
                    format!(
                        "{} arrived at {server}; {waiting} more will be sent with those that follow.",
                        have(arrived)
                    ),
                ),
                Some(_) if !facts.online => (
                    Standing::Waiting,
                    format!(
                        "This device is offline. {} kept here and will be sent to {server} when it is online again; you can go \
                         on meanwhile.",
                        are(now.pages.saturating_sub(arrived))
                    ),
                ),
                Some(trouble) if ledger.refused.is_some() => (
                    Standing::Refused,
                    format!(
                        "{server} {}. Your answers are safe here. {} Until that is mended, you can go on; download your results \
                         at the end to be sure.",
                        said(trouble),
                        remedy(trouble)
                    ),
                ),
                Some(trouble) => (
                    Standing::Waiting,
                    format!(
                        "{server} {}. {} kept here, and sending is tried again by itself (tried {} so far); you can go on \
                         meanwhile.",
                        said(trouble),
                        are(now.pages.saturating_sub(arrived)),
                        times(ledger.failed)
                    ),
                ),
            }
        };
        Self {
            standing,
            text,
            retry: behind && !facts.sending,
        }
    }
}

fn comments(count: usize) -> String {
    format!(
        "{count} {}",
        if count == 1 { "rated comment" } else { "rated comments" }
    )
}

fn are(count: usize) -> String {
    match count {
        0 => "Your answers are".to_owned(),
        1 => "1 rated comment is".to_owned(),
        count => format!("{} are", comments(count)),
    }
}

fn have(count: usize) -> String {
    format!("{} {}", comments(count), if count == 1 { "has" } else { "have" })
}

fn times(count: u32) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        count => format!("{count} times"),
    }
}

/// What the server did: goes on after its name.
fn said(trouble: &Trouble) -> String {
    match trouble {
        Trouble::Unreachable => "cannot be reached, or does not let this page send it anything".to_owned(),
        Trouble::TimedOut => "did not answer in time".to_owned(),
        Trouble::Redirected => "wants the answers sent elsewhere, which you did not agree to".to_owned(),
        Trouble::WebPage => "answered with a web page instead of a receipt".to_owned(),
        Trouble::Status(status, words) => {
            let what = match status {
                401 => "wants a password",
                403 => "does not allow the answers to be written there",
                404 | 409 | 410 => "has no such place",
                405 | 501 => "does not take files or rows in this way",
                413 => "does not take so much at once",
                429 => "asks for patience",
                507 => "has no room left",
                500..=599 => "has a fault of its own",
                _ => "did not take the answers",
            };
            if words.is_empty() || words.starts_with('<') {
                format!("{what} (status {status})")
            } else {
                format!("{what} (status {status}: {words})")
            }
        }
    }
}

/// What can be done, and by whom.
fn remedy(trouble: &Trouble) -> &'static str {
    match trouble {
        Trouble::Status(413, _) => "Tell those who asked you that their server's limit for one file is too small.",
        Trouble::Status(401 | 403, _) => "Tell those who asked you that their server refuses to take them.",
        _ => "Tell those who asked you what it says here.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::collection_queue::Receipt;

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
            "https://x.example.org cannot be reached, or does not let this page send it anything. 4 rated comments are kept \
             here, and sending is tried again by itself (tried 3 times so far); you can go on meanwhile."
        );
        assert!(
            said(now, &ledger, false, false)
                .1
                .starts_with("This device is offline. 4 rated comments are kept here")
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
            "4 rated comments have arrived at https://x.example.org; 1 rated comment more will be sent with those that follow."
        );
    }
}

//! The replies to questions about moves: each is kept with its move, whatever is looked at meanwhile, and shown when that move is
//! looked at again.

/// How many moves have their replies kept; of more, the one asked about longest ago goes.
const MOST_REPLIES: usize = 64;

/// A question: what comes of it belongs to its move, until the same move is asked about again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticket(u64);

/// Replies by the move that they are about, of which one move is shown.
#[derive(Debug, Clone)]
pub struct KeptReplies<R> {
    shown: Option<String>,
    /// The one asked about last at the end.
    kept: Vec<KeptReply<R>>,
    tickets: u64,
}

#[derive(Debug, Clone)]
struct KeptReply<R> {
    about: String,
    settings: String,
    ticket: Ticket,
    reply: R,
}

impl<R> Default for KeptReplies<R> {
    fn default() -> Self {
        Self {
            shown: None,
            kept: Vec::new(),
            tickets: 0,
        }
    }
}

impl<R> KeptReplies<R> {
    /// Shows a move, named by its position and itself, or none. Whether it is another one than before.
    pub fn look_at(&mut self, about: Option<String>) -> bool {
        let other = self.shown != about;
        self.shown = about;
        other
    }

    /// Begins a question about the move that is shown, with these settings; an earlier reply on it gives way. `None` where no
    /// move is shown.
    pub fn ask(&mut self, settings: String, reply: R) -> Option<Ticket> {
        let about = self.shown.clone()?;
        self.kept.retain(|kept| kept.about != about);
        if self.kept.len() >= MOST_REPLIES {
            self.kept.remove(0);
        }
        self.tickets += 1;
        let ticket = Ticket(self.tickets);
        self.kept.push(KeptReply {
            about,
            settings,
            ticket,
            reply,
        });
        Some(ticket)
    }

    /// What has come of a question so far; `None` where its move was asked about again.
    pub fn reply_mut(&mut self, ticket: Ticket) -> Option<&mut R> {
        self.kept
            .iter_mut()
            .find(|kept| kept.ticket == ticket)
            .map(|kept| &mut kept.reply)
    }

    /// Whether the question is the one whose move is shown.
    #[must_use]
    pub fn is_shown(&self, ticket: Ticket) -> bool {
        self.kept_here().is_some_and(|kept| kept.ticket == ticket)
    }

    /// The reply on the move that is shown.
    #[must_use]
    pub fn shown(&self) -> Option<&R> {
        self.kept_here().map(|kept| &kept.reply)
    }

    /// Whether that reply was asked for with other settings than these.
    #[must_use]
    pub fn is_for_other_settings(&self, settings: &str) -> bool {
        self.kept_here().is_some_and(|kept| kept.settings != settings)
    }

    fn kept_here(&self) -> Option<&KeptReply<R>> {
        let about = self.shown.as_ref()?;
        self.kept.iter().find(|kept| kept.about == *about)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(about: &str) -> Option<String> {
        Some(about.to_owned())
    }

    #[test]
    fn a_reply_stays_with_its_move() {
        let mut replies = KeptReplies::default();
        assert_eq!(replies.ask(String::new(), "nothing is shown".to_owned()), None);
        assert!(replies.look_at(at("Nf6")));
        let first = replies.ask("depth 10".to_owned(), String::new()).unwrap();
        replies.reply_mut(first).unwrap().push_str("It fo");
        // Looked at again, by another limit, a network, the page's first second.
        assert!(!replies.look_at(at("Nf6")));
        assert_eq!(replies.shown().map(String::as_str), Some("It fo"));
        assert!(!replies.is_for_other_settings("depth 10") && replies.is_for_other_settings("depth 20"));
        // It goes on while another move is looked at.
        assert!(replies.look_at(at("d6")));
        assert_eq!(replies.shown(), None);
        assert!(!replies.is_shown(first) && !replies.is_for_other_settings("depth 20"));
        replies.reply_mut(first).unwrap().push_str("rks.");
        let second = replies.ask("depth 10".to_owned(), "Solid.".to_owned()).unwrap();
        assert!(replies.look_at(at("Nf6")));
        assert!(replies.is_shown(first) && !replies.is_shown(second));
        assert_eq!(replies.shown().map(String::as_str), Some("It forks."));
        // Asked again, what still comes of the first question is nobody's.
        let third = replies.ask("depth 20".to_owned(), String::new()).unwrap();
        assert_eq!(replies.reply_mut(first), None);
        assert!(replies.is_shown(third));
        replies.look_at(None);
        assert_eq!(replies.shown(), None);
        replies.look_at(at("d6"));
        assert_eq!(replies.shown().map(String::as_str), Some("Solid."));
    }

    proptest! {
        #[test]
        fn looking_loses_nothing(steps in proptest::collection::vec((0..5_u8, any::<bool>()), 0..60)) {
            let mut replies = KeptReplies::default();
            let mut asked = std::collections::BTreeMap::new();
            for (number, (place, ask)) in steps.into_iter().enumerate() {
                let about = place.to_string();
                replies.look_at(at(&about));
                if ask {
                    replies.ask(String::new(), number).unwrap();
                    asked.insert(about.clone(), number);
                }
                prop_assert_eq!(replies.shown(), asked.get(&about));
            }
        }

        #[test]
        fn memory_is_bounded(count in 0..200_usize) {
            let mut replies = KeptReplies::default();
            for place in 0..count {
                replies.look_at(at(&place.to_string()));
                replies.ask(String::new(), place).unwrap();
            }
            prop_assert_eq!(replies.kept.len(), count.min(MOST_REPLIES));
            prop_assert_eq!(replies.shown().copied(), count.checked_sub(1));
        }
    }
}

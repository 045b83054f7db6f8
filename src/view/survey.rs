//! What a rater sees: pages, progress, sentences.

use percent_encoding::percent_decode_str;
use shakmaty::Color;

use super::{
    board::{BoardView, Brush},
    text_board::{TextBoard, text_board},
};
use crate::{
    chess::{Played, names::color_name},
    survey::{
        Session, Stage, Study,
        criteria::{Criterion, OTHER},
        session::Ending,
        study::{ShownError, played},
    },
};

/// A position with its move, before and after it. White is at the bottom, as in the paper's form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveView {
    /// "White plays 4. Ng5."
    pub label: String,
    /// The position that the move is played in, with the move as the blue arrow.
    pub before: BoardView,
    /// The position that it leads to, with the arrow.
    pub after: BoardView,
    /// The position before it in words.
    pub words: TextBoard,
}

impl MoveView {
    /// The view of a move.
    ///
    /// # Errors
    /// When the position cannot be read or the move not be played.
    pub fn new(fen: &str, mv: &str) -> Result<Self, ShownError> {
        let played = played(fen, mv)?;
        let board =
            |position, last| BoardView::new(position, last, false, false).with_arrow(played.mv, Brush::Discussed);
        Ok(Self {
            label: format!("{} plays {}.", color_name(played.mover()), numbered(&played)),
            before: board(&played.before, None),
            after: board(&played.after, Some(played.mv)),
            words: text_board(&played.before, Color::White, None),
        })
    }
}

fn numbered(played: &Played) -> String {
    use shakmaty::Position as _;
    let dots = if played.mover().is_white() { "." } else { "…" };
    format!("{}{dots} {}", played.before.fullmoves(), played.san())
}

/// A page to rate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageView {
    /// Its name, as events want it.
    pub id: String,
    /// "Comment 4 of 26" or "Practice 1 of 2".
    pub heading: String,
    /// The comment.
    pub comment: String,
    /// The move; a study that was checked has no other.
    pub shown: Result<MoveView, ShownError>,
}

impl PageView {
    /// The page that the session shows.
    #[must_use]
    pub fn new(session: &Session) -> Option<Self> {
        let (fen, mv, comment) = session.shown()?;
        let heading = match session.stage() {
            Stage::Practice { index, .. } => format!("Practice {} of {}", index + 1, session.study().practice.len()),
            Stage::Item { index } => format!("Comment {} of {}", index + 1, session.pages().len()),
            _ => return None,
        };
        Some(Self {
            id: session.page_id()?,
            heading,
            comment: comment.to_owned(),
            shown: MoveView::new(fen, mv),
        })
    }
}

/// A criterion as radio buttons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CriterionView {
    /// Its id.
    pub id: String,
    /// "Correctness".
    pub title: String,
    /// What one agrees with.
    pub statement: String,
    /// Its points.
    pub points: Vec<PointView>,
    /// What is asked further.
    pub follow_up: Option<FollowUpView>,
}

impl CriterionView {
    /// Whether only the ends of its scale have labels: they go above it, where there is room for them.
    #[must_use]
    pub fn only_ends(&self) -> bool {
        let ends = self.points.iter().any(|point| !point.label.is_empty());
        ends && !self.between()
    }

    /// Whether points between the ends have labels.
    #[must_use]
    pub fn between(&self) -> bool {
        let inner = self.points.iter().skip(1).rev().skip(1);
        inner.into_iter().any(|point| !point.label.is_empty())
    }
}

/// A point of a scale.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointView {
    /// From 1: also its key.
    pub value: u8,
    /// Its label; may be empty.
    pub label: String,
    /// What a screen reader says: "1, disagree", "2 of 3".
    pub spoken: String,
}

/// A further question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FollowUpView {
    /// Its id.
    pub id: String,
    /// The question.
    pub question: String,
    /// Ids and labels; the last is "other" where there is one.
    pub kinds: Vec<(String, String)>,
    /// Whether there is a text to write.
    pub other: bool,
}

/// The criteria of a study.
#[must_use]
pub fn criteria(study: &Study) -> Vec<CriterionView> {
    study
        .criteria
        .iter()
        .map(|criterion| criterion_view(study, criterion))
        .collect()
}

fn criterion_view(study: &Study, criterion: &Criterion) -> CriterionView {
    let labels = study
        .scale_of(criterion)
        .map(|scale| scale.points.as_slice())
        .unwrap_or_default();
    let points = (1_u8..).zip(labels).map(|(value, label)| PointView {
        value,
        label: label.clone(),
        spoken: if label.is_empty() {
            format!("{value} of {}", labels.len())
        } else {
            format!("{value}, {label}")
        },
    });
    CriterionView {
        id: criterion.id.clone(),
        title: criterion.title.clone(),
        statement: criterion.statement.clone(),
        points: points.collect(),
        follow_up: criterion.follow_up.as_ref().map(|follow_up| {
            let mut kinds: Vec<(String, String)> = follow_up
                .kinds
                .iter()
                .map(|kind| (kind.id.clone(), kind.label.clone()))
                .collect();
            if follow_up.other {
                kinds.push((OTHER.to_owned(), "Something else".to_owned()));
            }
            FollowUpView {
                id: follow_up.id.clone(),
                question: follow_up.question.clone(),
                kinds,
                other: follow_up.other,
            }
        }),
    }
}

/// How far a rater is, in words: "4 of 26 comments rated, about 22 minutes left."
#[must_use]
pub fn progress(session: &Session) -> String {
    let (done, all) = (session.answered(), session.pages().len());
    format!("{done} of {all} comments rated, {} left.", about(session.time_left()))
}

/// A length of time, roughly: "about 1 hour 20 minutes".
#[must_use]
pub fn about(ms: u64) -> String {
    let minutes = ms.div_ceil(60_000);
    let plural = |n: u64, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    match (minutes / 60, minutes % 60) {
        (0, 0) => "no time".to_owned(),
        (0, 1) => "about a minute".to_owned(),
        (0, minutes) => format!("about {minutes} minutes"),
        (hours, 0) => format!("about {}", plural(hours, "hour")),
        (hours, minutes) => format!("about {} {}", plural(hours, "hour"), plural(minutes, "minute")),
    }
}

/// A countdown: `9:05`.
#[must_use]
pub fn countdown(ms: u64) -> String {
    let seconds = ms.div_ceil(1000);
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// What is said where a session ended early.
#[must_use]
pub fn farewell(ending: Ending) -> &'static str {
    match ending {
        Ending::Declined => "You did not agree, so nothing was recorded but that. Thank you for your interest.",
        Ending::Comprehension => {
            "The questions on the instructions were not answered right, so this study ends here. Thank you for your time."
        }
        Ending::Expired => {
            "You were away for longer than this study allows, so it cannot be gone on with. What you answered before is \
             kept and can be downloaded."
        }
    }
}

/// What the feedback on a page of practice says of the ratings themselves; `None` where the study expects none.
#[must_use]
pub fn practice_verdict(session: &Session) -> Option<String> {
    let Stage::Practice { index, feedback: true } = session.stage() else {
        return None;
    };
    let study = session.study();
    let expected = &study.practice.get(index)?.expected;
    let answer = session.answer_on(&session.page_id()?)?;
    let off: Vec<&str> = expected
        .iter()
        .filter(|one| !answer.meets(std::slice::from_ref(one)))
        .filter_map(|one| study.criterion(&one.criterion))
        .map(|criterion| criterion.title.as_str())
        .collect();
    match (expected.is_empty(), off.as_slice()) {
        (true, _) => None,
        (false, []) => Some("Your ratings are what the study's authors expect.".to_owned()),
        (false, off) => Some(format!(
            "The study's authors would have rated {} otherwise.",
            off.join(" and ")
        )),
    }
}

/// Paragraphs of a text: parted by empty lines.
#[must_use]
pub fn paragraphs(text: &str) -> Vec<String> {
    let text = text.replace("\r\n", "\n");
    text.split("\n\n")
        .map(|part| part.trim().to_owned())
        .filter(|part| !part.is_empty())
        .collect()
}

/// What the address of the page asks for: `#/survey?study=ADDRESS&rater=CODE`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Invitation {
    /// Where the study file is.
    pub study: Option<String>,
    /// The rater's code.
    pub rater: Option<String>,
}

impl Invitation {
    /// Reads the part of an address from the `#` on.
    #[must_use]
    pub fn read(hash: &str) -> Self {
        let mut invitation = Self::default();
        let (_, query) = hash.split_once('?').unwrap_or_default();
        for (name, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
            let value = percent_decode_str(value).decode_utf8_lossy().into_owned();
            match name {
                "study" => invitation.study = Some(value),
                "rater" => invitation.rater = Some(value),
                _ => {}
            }
        }
        invitation
    }
}

/// A name that a file may have anywhere.
#[must_use]
pub fn file_name(study: &str, rater: &str, ending: &str) -> String {
    let plain = |text: &str| -> String {
        text.chars()
            .map(|c| {
                if c.is_alphanumeric() || "-_.".contains(c) {
                    c
                } else {
                    '-'
                }
            })
            .collect()
    };
    format!("{}-{}.{ending}", plain(study), plain(rater))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::survey::{Event, Stamp, demonstration::demonstration, event::What};

    #[test]
    fn times_in_words() {
        for (ms, words) in [
            (0, "no time"),
            (1, "about a minute"),
            (61_000, "about 2 minutes"),
            (3_600_000, "about 1 hour"),
            (7_260_001, "about 2 hours 2 minutes"),
        ] {
            assert_eq!(about(ms), words);
        }
        assert_eq!(
            (countdown(0), countdown(1), countdown(545_000)),
            ("0:00".into(), "0:01".into(), "9:05".into())
        );
    }

    #[test]
    fn the_move_is_an_arrow_on_the_position_before_it() {
        let view = MoveView::new(
            "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 4 4",
            "Nxe4",
        )
        .unwrap();
        assert_eq!(view.label, "Black plays 4… Nxe4.");
        assert_eq!(view.before.arrows, view.after.arrows);
        assert_eq!((view.before.last_move, view.before.flipped), (None, false));
        assert_ne!(view.before.placement, view.after.placement);
        assert!(view.words.white.contains("bishop"), "{}", view.words.white);
    }

    #[test]
    fn criteria_are_spoken_with_their_ends() {
        let study = demonstration().unwrap();
        let views = criteria(&study);
        let spoken: Vec<&str> = views[0].points.iter().map(|point| point.spoken.as_str()).collect();
        assert_eq!(spoken, ["1, disagree", "2 of 3", "3, agree"]);
        let follow_up = views[0].follow_up.as_ref().unwrap();
        assert_eq!((follow_up.kinds.len(), follow_up.kinds[4].0.as_str()), (5, "other"));
        assert_eq!(views[1].points.len(), 5);
        assert!(views[0].only_ends() && !views[0].between());
        let mut named = views[0].clone();
        named.points[1].label = "neither".to_owned();
        assert!(!named.only_ends() && named.between());
    }

    #[test]
    fn practice_is_judged_and_pages_are_counted() {
        let mut study = demonstration().unwrap();
        study.form.clear();
        study.instructions.clear();
        study.comprehension = None;
        let mut session = Session::new(Arc::new(study), "R1");
        let mut happens = |what| session.apply(&Event::new(Stamp::default(), what)).unwrap();
        happens(What::Opened);
        happens(What::Consented { version: "1".into() });
        for criterion in ["correctness", "relevance", "completeness", "clarity", "fluency"] {
            happens(What::Rated {
                page: "practice/1".into(),
                criterion: criterion.into(),
                value: 2,
            });
        }
        let page = PageView::new(&session).unwrap();
        assert_eq!(
            (page.heading.as_str(), page.id.as_str()),
            ("Practice 1 of 2", "practice/1")
        );
        assert_eq!(practice_verdict(&session), None);
        session
            .apply(&Event::new(Stamp::default(), What::Submitted { page: page.id }))
            .unwrap();
        assert_eq!(
            practice_verdict(&session).unwrap(),
            "The study's authors would have rated Correctness otherwise."
        );
        assert_eq!(progress(&session), "0 of 26 comments rated, about 28 minutes left.");
    }

    #[test]
    fn invitations_are_read() {
        let invitation = Invitation::read("#/survey?study=studies%2Fone.json&rater=R07&x=1");
        assert_eq!(invitation.study.as_deref(), Some("studies/one.json"));
        assert_eq!(invitation.rater.as_deref(), Some("R07"));
        assert_eq!(Invitation::read("#/survey"), Invitation::default());
    }

    #[test]
    fn texts_are_cut_into_paragraphs_and_names_are_plain() {
        assert_eq!(paragraphs("One.\r\n\r\n  Two\nlines.\n\n\n\n"), ["One.", "Two\nlines."]);
        assert_eq!(file_name("a/b", "R 1", "json"), "a-b-R-1.json");
    }
}

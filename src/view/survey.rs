//! What a rater sees: pages, progress, sentences.

use std::collections::BTreeMap;

use percent_encoding::percent_decode_str;
use shakmaty::{Chess, Color, Position, Role};

use super::{
    board::{BoardView, Brush},
    text_board::{TextBoard, text_board},
};
use crate::{
    chess::Played,
    survey::{
        Session, Stage, Study,
        criteria::{Criterion, OTHER},
        denial::Denial,
        phrases::{Phrase, shipped},
        session::Ending,
        study::{MAX_WRITTEN, ShownError, played},
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
    pub fn new(study: &Study, fen: &str, mv: &str) -> Result<Self, ShownError> {
        let played = played(fen, mv)?;
        let plays = if played.mover().is_white() {
            Phrase::WhitePlays
        } else {
            Phrase::BlackPlays
        };
        let board =
            |position, last| BoardView::new(position, last, false, false).with_arrow(played.mv, Brush::Discussed);
        Ok(Self {
            label: study.fill(plays, &[("move", &numbered(&played))]),
            before: board(&played.before, None),
            after: board(&played.after, Some(played.mv)),
            words: words(study, &played.before),
        })
    }
}

/// The board in words, in the study's language: English words decline, others are put side by side.
fn words(study: &Study, position: &Chess) -> TextBoard {
    let mut board = text_board(position, Color::White, None);
    if study.language.is_none() {
        return board;
    }
    let side = |color: Color| study.say(if color.is_white() { Phrase::White } else { Phrase::Black });
    let pieces = |color: Color| {
        let of = |role: &Role| {
            let squares = position.board().by_role(*role) & position.board().by_color(color);
            let squares: Vec<String> = squares.into_iter().map(|square| square.to_string()).collect();
            (!squares.is_empty()).then(|| format!("{} {}", study.say(piece(*role)), squares.join(" ")))
        };
        let pieces: Vec<String> = Role::ALL.iter().rev().filter_map(of).collect();
        study.fill(
            Phrase::BoardSide,
            &[("side", &side(color)), ("pieces", &pieces.join(", "))],
        )
    };
    for square in board.rows.iter_mut().flat_map(|row| &mut row.squares) {
        square.name = match square.piece {
            Some(found) => format!(
                "{} {} {}",
                square.square,
                side(found.color),
                study.say(piece(found.role))
            ),
            None => square.square.to_string(),
        };
    }
    board.white = pieces(Color::White);
    board.black = pieces(Color::Black);
    board.status = String::new();
    board
}

const fn piece(role: Role) -> Phrase {
    match role {
        Role::Pawn => Phrase::Pawn,
        Role::Knight => Phrase::Knight,
        Role::Bishop => Phrase::Bishop,
        Role::Rook => Phrase::Rook,
        Role::Queen => Phrase::Queen,
        Role::King => Phrase::King,
    }
}

fn numbered(played: &Played) -> String {
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
        let study = session.study();
        let heading = match session.stage() {
            Stage::Practice { index, .. } => study.fill(
                Phrase::PracticePage,
                &[("number", &(index + 1)), ("all", &study.practice.len())],
            ),
            Stage::Item { index } => study.fill(
                Phrase::CommentPage,
                &[("number", &(index + 1)), ("all", &session.pages().len())],
            ),
            _ => return None,
        };
        Some(Self {
            id: session.page_id()?,
            heading,
            comment: comment.to_owned(),
            shown: MoveView::new(study, fen, mv),
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
    /// What can be ticked; the last is "other" where there is one.
    pub kinds: Vec<KindView>,
    /// Whether there is a text to write.
    pub other: bool,
}

/// Something to tick.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KindView {
    /// Its id.
    pub id: String,
    /// What raters see.
    pub label: String,
    /// The key that ticks it: another for each kind of a page, as far as the alphabet goes.
    pub letter: Option<char>,
}

/// The criteria of a study.
#[must_use]
pub fn criteria(study: &Study) -> Vec<CriterionView> {
    let mut letters = 'a'..='z';
    study
        .criteria
        .iter()
        .map(|criterion| criterion_view(study, criterion, &mut letters))
        .collect()
}

fn criterion_view(study: &Study, criterion: &Criterion, letters: &mut impl Iterator<Item = char>) -> CriterionView {
    let labels = study
        .scale_of(criterion)
        .map(|scale| scale.points.as_slice())
        .unwrap_or_default();
    let points = (1_u8..).zip(labels).map(|(value, label)| PointView {
        value,
        label: label.clone(),
        spoken: if label.is_empty() {
            study.fill(Phrase::Point, &[("value", &value), ("all", &labels.len())])
        } else {
            study.fill(Phrase::NamedPoint, &[("value", &value), ("label", label)])
        },
    });
    CriterionView {
        id: criterion.id.clone(),
        title: criterion.title.clone(),
        statement: criterion.statement.clone(),
        points: points.collect(),
        follow_up: criterion.follow_up.as_ref().map(|follow_up| {
            let other = follow_up
                .other
                .then(|| (OTHER.to_owned(), study.say(Phrase::SomethingElse).to_owned()));
            let kinds = follow_up
                .kinds
                .iter()
                .map(|kind| (kind.id.clone(), kind.label.clone()))
                .chain(other);
            FollowUpView {
                id: follow_up.id.clone(),
                question: follow_up.question.clone(),
                kinds: kinds
                    .map(|(id, label)| KindView {
                        id,
                        label,
                        letter: letters.next(),
                    })
                    .collect(),
                other: follow_up.other,
            }
        }),
    }
}

/// How far a rater is, in words: "4 of 26 comments rated, about 22 minutes left."
#[must_use]
pub fn progress(session: &Session) -> String {
    let study = session.study();
    let time = about(study, session.time_left());
    study.fill(
        Phrase::Progress,
        &[
            ("done", &session.answered()),
            ("all", &session.pages().len()),
            ("time", &time),
        ],
    )
}

/// A length of time, roughly: "about 1 h 20 min".
#[must_use]
pub fn about(study: &Study, ms: u64) -> String {
    let minutes = ms.div_ceil(60_000);
    let (hours, minutes) = (minutes / 60, minutes % 60);
    let phrase = match (hours, minutes) {
        (0, 0) => Phrase::NoTime,
        (0, 1) => Phrase::OneMinute,
        (0, _) => Phrase::Minutes,
        (1, 0) => Phrase::OneHour,
        (_, 0) => Phrase::Hours,
        _ => Phrase::HourAndMinutes,
    };
    study.fill(phrase, &[("hours", &hours), ("minutes", &minutes)])
}

/// A countdown: `9:05`.
#[must_use]
pub fn countdown(ms: u64) -> String {
    let seconds = ms.div_ceil(1000);
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// What the page says where a session ended early and the study says nothing of its own.
#[must_use]
pub const fn farewell(ending: Ending) -> Phrase {
    match ending {
        Ending::Declined => Phrase::DeclinedEnd,
        Ending::Comprehension => Phrase::ComprehensionEnd,
        Ending::ScreenedOut => Phrase::ScreenedOutEnd,
        Ending::FailedChecks => Phrase::FailedChecksEnd,
        Ending::Expired => Phrase::ExpiredEnd,
    }
}

/// Why something was refused, as a rater reads it: most reasons cannot come about on the page, and are one sentence.
#[must_use]
pub fn refusal(study: &Study, denial: &Denial) -> String {
    match denial {
        Denial::Incomplete(missing) => {
            let list: Vec<&str> = missing.iter().map(|missing| missing.title.as_str()).collect();
            study.fill(Phrase::StillToAnswer, &[("list", &list.join(", "))])
        }
        Denial::Unanswered => study.say(Phrase::EveryQuestion).to_owned(),
        Denial::Field(label) => study.fill(Phrase::FieldDoesNotFit, &[("label", label)]),
        Denial::StillBreak => study.say(Phrase::BreakNotOver).to_owned(),
        Denial::TooLong => study.fill(Phrase::TooLong, &[("most", &MAX_WRITTEN)]),
        Denial::NoMarks => study.say(Phrase::CannotMark).to_owned(),
        _ => study.say(Phrase::NotNow).to_owned(),
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
        (false, []) => Some(study.say(Phrase::AsExpected).to_owned()),
        (false, off) => {
            let criteria = off.join(study.say(Phrase::And));
            Some(study.fill(Phrase::NotAsExpected, &[("criteria", &criteria)]))
        }
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

/// What the address of the page asks for: `#/survey?study=ADDRESS&rater=CODE&slot=7&lang=ko&PROLIFIC_PID=…`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Invitation {
    /// Where the study file is.
    pub study: Option<String>,
    /// The rater's code.
    pub rater: Option<String>,
    /// The rater's slot.
    pub slot: Option<u64>,
    /// The language that the page speaks before there is a study; one of those that ship.
    pub language: Option<&'static str>,
    /// All parts by name, for the one by which a recruiting site knows the rater.
    parts: BTreeMap<String, String>,
}

impl Invitation {
    /// Reads an address: the part before the `#` with its `?`, and the part from the `#` on. Recruiting sites write into
    /// the first, our own links into the second, which has the last word.
    #[must_use]
    pub fn read(search: &str, hash: &str) -> Self {
        let (_, query) = hash.split_once('?').unwrap_or_default();
        let pairs = search.trim_start_matches('?').split('&').chain(query.split('&'));
        let decoded = |text: &str| {
            percent_decode_str(&text.replace('+', " "))
                .decode_utf8_lossy()
                .into_owned()
        };
        let parts: BTreeMap<String, String> = pairs
            .filter_map(|pair| pair.split_once('='))
            .map(|(name, value)| (decoded(name), decoded(value)))
            .collect();
        Self {
            study: parts.get("study").cloned(),
            rater: parts.get("rater").cloned(),
            slot: parts.get("slot").and_then(|slot| slot.parse().ok()),
            language: parts.get("lang").and_then(|language| shipped(language)),
            parts,
        }
    }

    /// The participant's name, where the study says under which name the link has it.
    #[must_use]
    pub fn participant(&self, study: &Study) -> Option<&str> {
        let name = study.recruitment.as_ref()?.participant.as_ref()?;
        let found = self.parts.get(name)?.trim();
        (!found.is_empty()).then_some(found)
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
    use crate::survey::{Event, Stamp, demonstration::demonstration, event::What, recruitment::Recruitment};

    #[test]
    fn times_in_words() {
        let study = demonstration().unwrap();
        for (ms, words) in [
            (0, "no time"),
            (1, "about a minute"),
            (61_000, "about 2 minutes"),
            (3_600_000, "about 1 hour"),
            (7_260_001, "about 2 h 2 min"),
        ] {
            assert_eq!(about(&study, ms), words);
        }
        assert_eq!(
            (countdown(0), countdown(1), countdown(545_000)),
            ("0:00".into(), "0:01".into(), "9:05".into())
        );
    }

    #[test]
    fn the_move_is_an_arrow_on_the_position_before_it() {
        let mut study = demonstration().unwrap();
        study
            .phrases
            .insert("black-plays".to_owned(), "Schwarz spielt {move}.".to_owned());
        let view = MoveView::new(
            &study,
            "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 4 4",
            "Nxe4",
        )
        .unwrap();
        assert_eq!(view.label, "Schwarz spielt 4… Nxe4.");
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
        assert_eq!((follow_up.kinds.len(), follow_up.kinds[4].id.as_str()), (5, "other"));
        assert_eq!(
            (follow_up.kinds[0].letter, follow_up.kinds[4].letter),
            (Some('a'), Some('e'))
        );
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
        let mut apply = |what| session.apply(&Event::new(Stamp::default(), what)).unwrap();
        apply(What::Opened);
        apply(What::Consented { version: "1".into() });
        for criterion in ["correctness", "relevance", "completeness", "clarity", "fluency"] {
            apply(What::Rated {
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
        let invitation = Invitation::read(
            "?PROLIFIC_PID=5f2b+x&slot=9&rater=a",
            "#/survey?study=studies%2Fone.json&rater=R07&slot=x&lang=ko-KR",
        );
        assert_eq!(invitation.study.as_deref(), Some("studies/one.json"));
        assert_eq!((invitation.rater.as_deref(), invitation.slot), (Some("R07"), None));
        assert_eq!(invitation.language, Some("ko"));
        assert_eq!(Invitation::read("?lang=..%2Fx", "#/survey").language, None);
        assert_eq!(Invitation::read("", "#/survey"), Invitation::default());
        let mut study = demonstration().unwrap();
        assert_eq!(invitation.participant(&study), None);
        study.recruitment = Some(Recruitment {
            participant: Some("PROLIFIC_PID".to_owned()),
            ..Recruitment::default()
        });
        assert_eq!(invitation.participant(&study), Some("5f2b x"));
        assert_eq!(Invitation::read("?PROLIFIC_PID=", "").participant(&study), None);
    }

    #[test]
    fn texts_are_cut_into_paragraphs_and_names_are_plain() {
        assert_eq!(paragraphs("One.\r\n\r\n  Two\nlines.\n\n\n\n"), ["One.", "Two\nlines."]);
        assert_eq!(file_name("a/b", "R 1", "json"), "a-b-R-1.json");
    }
}

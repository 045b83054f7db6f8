//! The check of a text: its sentences one by one, by every reader, and the claims of all.

use std::ops::Range;

use super::{
    board::{scene::World, visited::Visited},
    checked::{Checked, Claim},
    claim::ClaimKind,
    doubt,
    draft::Draft,
    grammar::frame::Discourse,
    paraphrase::dialogue,
    reading::{self, network::Proposes},
    sentence::{BUILT_ONCE, sentence_of},
    stated,
    text::sentences,
    truth,
};
use crate::{commentary::FactSheet, pace::Pace};

/// Bytes of a text that are looked at; what is beyond is left uncheckable.
const LONGEST_TEXT: usize = 20_000;

/// Bytes of one sentence that are looked at.
const LONGEST_SENTENCE: usize = 1_500;

/// Claims of one text.
const MOST_CLAIMS: usize = 2_000;

/// Who reads a text. What the app checks is read by the default; others are for finding out what each of them does.
#[derive(Debug, Clone, Copy)]
pub struct Readers<'a> {
    /// Whether the families and cues read it.
    pub families: bool,
    /// Whether the reader that makes statements does.
    pub statements: bool,
    /// The network that proposes statements beside the rows (`training/claims`).
    pub network: Option<&'a dyn Proposes>,
}

impl Default for Readers<'_> {
    fn default() -> Self {
        Self {
            families: true,
            statements: true,
            network: None,
        }
    }
}

/// Checks prose about a move against its sheet.
#[must_use]
pub fn check(sheet: &FactSheet, text: &str) -> Checked {
    check_by(Readers::default(), sheet, text)
}

/// The same, by these readers.
#[must_use]
pub fn check_by(readers: Readers<'_>, sheet: &FactSheet, text: &str) -> Checked {
    let mut checking = Checking::new(readers, sheet, text);
    while checking.step() {}
    checking.done()
}

/// The same as [`check`], a sentence a step: a long text takes a page seconds, the first of a session some milliseconds more.
pub async fn check_in_turns(sheet: &FactSheet, text: &str, pace: &impl Pace) -> Checked {
    for build in BUILT_ONCE {
        build();
        pace.turn().await;
    }
    let mut checking = Checking::new(Readers::default(), sheet, text);
    while checking.step() {
        pace.turn().await;
    }
    checking.done()
}

/// A check under way.
struct Checking<'a> {
    readers: Readers<'a>,
    sheet: &'a FactSheet,
    world: World<'a>,
    text: &'a str,
    sentences: Vec<Range<usize>>,
    /// The number of the sentence that comes next.
    next: usize,
    reader: reading::Reader<'a>,
    discourse: Discourse,
    visited: Visited,
    claims: Vec<Claim>,
}

impl<'a> Checking<'a> {
    fn new(readers: Readers<'a>, sheet: &'a FactSheet, text: &'a str) -> Self {
        Self {
            readers,
            sheet,
            world: World::new(sheet),
            text,
            sentences: sentences::sentences(text),
            next: 0,
            reader: reading::Reader::new(&stated::subject(sheet), text, readers.network),
            discourse: Discourse::default(),
            visited: Visited::default(),
            claims: Vec::new(),
        }
    }

    /// Checks the next sentence; false where none is left.
    fn step(&mut self) -> bool {
        let number = self.next;
        let Some(range) = self.sentences.get(number) else {
            return false;
        };
        self.next += 1;
        let (readers, text, world) = (self.readers, self.text, &self.world);
        let is_read = range.end <= LONGEST_TEXT && range.len() <= LONGEST_SENTENCE;
        let read = if is_read && readers.statements {
            self.reader.sentence(range)
        } else {
            Vec::new()
        };
        let stated = stated::stated(self.sheet, read);
        let too_long = !is_read || self.claims.len() > MOST_CLAIMS;
        let mut drafts = if too_long || !readers.families {
            Vec::new()
        } else {
            let next = self.sentences.get(number + 1);
            members(text, range)
                .flat_map(|member| doubt::claims(world, text, member, next, &mut self.discourse, &mut self.visited))
                .collect()
        };
        // What an answer says of the open question before it.
        let question = number.checked_sub(1).map(|before| &self.sentences[before]);
        if !too_long
            && readers.families
            && let Some(plain) = question.and_then(|question| dialogue::statement(text, question, range))
        {
            let said = sentence_of(world, &plain, &[], &mut Discourse::default());
            drafts.extend(said.into_iter().map(|draft| Draft {
                span: range.clone(),
                ..draft
            }));
        }
        let alone = self.sentences.len() == 1 && readers.families;
        doubt::leave_open_where_often_misread(&mut drafts, text, range);
        stated::reconcile(&mut drafts, &stated, alone);
        if drafts.is_empty() {
            drafts.push(Draft {
                kind: ClaimKind::Other,
                span: range.clone(),
                truth: truth::Truth::unknown(if too_long {
                    "The text is too long to be checked to its end."
                } else {
                    "Nothing in it can be tied to the board."
                }),
            });
        }
        drafts.sort_by_key(|d| (d.span.start, d.span.end));
        for draft in drafts {
            let statements = stated::as_data(&draft, &stated);
            let span = bounded(text, draft.span, range);
            let (verdict, reason, facts) = draft.truth.into_parts();
            let claim = Claim {
                text: text.get(span.clone()).unwrap_or_default().to_owned(),
                span,
                sentence: number,
                kind: draft.kind,
                verdict,
                facts: once(facts),
                reason,
                statements,
            };
            if !self
                .claims
                .iter()
                .rev()
                .take(12)
                .any(|c| c.span == claim.span && c.kind == claim.kind && c.verdict == claim.verdict)
            {
                self.claims.push(claim);
            }
        }
        true
    }

    fn done(self) -> Checked {
        Checked {
            text: self.text.to_owned(),
            sentences: self.sentences,
            claims: self.claims,
        }
    }
}

/// A sentence's members: semicolons part statements that go on from one another.
fn members<'a>(text: &'a str, sentence: &Range<usize>) -> impl Iterator<Item = Range<usize>> + 'a {
    let mut start = sentence.start;
    text[sentence.clone()].split_inclusive(';').map(move |member| {
        let from = start;
        start += member.len();
        from..start
    })
}

fn once<T: PartialEq>(all: Vec<T>) -> Vec<T> {
    let mut kept: Vec<T> = Vec::with_capacity(all.len());
    for one in all {
        if !kept.contains(&one) {
            kept.push(one);
        }
    }
    kept
}

/// The span within its sentence, on character boundaries.
fn bounded(text: &str, span: Range<usize>, sentence: &Range<usize>) -> Range<usize> {
    let start = span.start.clamp(sentence.start, sentence.end);
    let end = span.end.clamp(start, sentence.end);
    if start < end && text.is_char_boundary(start) && text.is_char_boundary(end) {
        start..end
    } else {
        sentence.clone()
    }
}

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
    reading::network::Proposes,
    sentence::sentence_of,
    stated,
    text::sentences,
    truth,
};
use crate::commentary::FactSheet;

/// Bytes of a text that are looked at; what is beyond is left uncheckable.
const LONGEST_TEXT: usize = 20_000;

/// Bytes of one sentence that are looked at.
const LONGEST_SENTENCE: usize = 1_500;

/// Claims of one text.
const MOST_CLAIMS: usize = 2_000;

/// Who reads a text. What the app checks is read by the default; others are for finding out what each of them does.
#[derive(Debug, Clone, Copy)]
pub struct Readers<'a> {
    /// Whether the families and cues read it, beside the reader that makes statements.
    pub families: bool,
    /// The network that proposes statements beside the rows (`training/claims`).
    pub network: Option<&'a dyn Proposes>,
}

impl Default for Readers<'_> {
    fn default() -> Self {
        Self {
            families: true,
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
    let world = World::new(sheet);
    let sentences = sentences::sentences(text);
    let mut claims: Vec<Claim> = Vec::new();
    let mut discourse = Discourse::default();
    let mut visited = Visited::default();
    let is_short = |range: &Range<usize>| range.end <= LONGEST_TEXT && range.len() <= LONGEST_SENTENCE;
    let stated = stated::stated(sheet, text, readers.network, &sentences, is_short);
    for (number, range) in sentences.iter().enumerate() {
        let too_long = !is_short(range) || claims.len() > MOST_CLAIMS;
        let mut drafts = if too_long || !readers.families {
            Vec::new()
        } else {
            let next = sentences.get(number + 1);
            members(text, range)
                .flat_map(|member| doubt::claims(&world, text, member, next, &mut discourse, &mut visited))
                .collect()
        };
        // What an answer says of the open question before it.
        let question = number.checked_sub(1).map(|before| &sentences[before]);
        if !too_long
            && readers.families
            && let Some(plain) = question.and_then(|question| dialogue::statement(text, question, range))
        {
            let said = sentence_of(&world, &plain, &[], &mut Discourse::default());
            drafts.extend(said.into_iter().map(|draft| Draft {
                span: range.clone(),
                ..draft
            }));
        }
        let alone = sentences.len() == 1 && readers.families;
        if sentences.len() > 1 && text[range.clone()].split_whitespace().count() > PLAIN {
            doubt::leave_open_where_often_misread(&mut drafts);
        }
        stated::reconcile(&mut drafts, &stated[number], alone);
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
            let statements = stated::as_data(&draft, &stated[number]);
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
            if !claims
                .iter()
                .rev()
                .take(12)
                .any(|c| c.span == claim.span && c.kind == claim.kind && c.verdict == claim.verdict)
            {
                claims.push(claim);
            }
        }
    }
    Checked {
        text: text.to_owned(),
        sentences,
        claims,
    }
}

/// Words up to which a sentence is plain, and read well.
const PLAIN: usize = 12;

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

//! The check of a text: its sentences one by one, by our own reader, and the claims of all.

use std::ops::Range;

use super::{
    checked::{Checked, Claim},
    claim::{ClaimKind, ClaimVerdict},
    reading,
    stated::{self, Stated},
    sureness::is_sure,
    text::sentences,
};
use crate::{commentary::FactSheet, pace::Pace};

/// Bytes of a text that are looked at; what is beyond is not judged.
const LONGEST_TEXT: usize = 20_000;

/// Bytes of one sentence that are looked at.
const LONGEST_SENTENCE: usize = 1_500;

/// Claims of one text.
const MOST_CLAIMS: usize = 2_000;

/// Checks prose about a move against its sheet, by our own reader alone.
#[must_use]
pub fn check(sheet: &FactSheet, text: &str) -> Checked {
    let mut checking = Checking::new(sheet, text);
    while checking.step() {}
    checking.done()
}

/// The same as [`check`], a sentence a step: a long text takes a page seconds.
pub async fn check_in_turns(sheet: &FactSheet, text: &str, pace: &impl Pace) -> Checked {
    reading::build();
    pace.turn().await;
    let mut checking = Checking::new(sheet, text);
    while checking.step() {
        pace.turn().await;
    }
    checking.done()
}

/// A text that nobody has read: none of its sentences is judged.
#[must_use]
pub fn unread(text: &str) -> Checked {
    let sentences = sentences::sentences(text);
    let claims = sentences.iter().enumerate();
    let claims = claims.map(|(number, range)| not_judged(text, number, range, "Nobody has read it."));
    Checked {
        claims: claims.collect(),
        text: text.to_owned(),
        sentences,
    }
}

/// A check under way.
struct Checking<'a> {
    sheet: &'a FactSheet,
    text: &'a str,
    sentences: Vec<Range<usize>>,
    /// The number of the sentence that comes next.
    next: usize,
    reader: reading::Reader<'a>,
    claims: Vec<Claim>,
}

impl<'a> Checking<'a> {
    fn new(sheet: &'a FactSheet, text: &'a str) -> Self {
        Self {
            sheet,
            text,
            sentences: sentences::sentences(text),
            next: 0,
            reader: reading::Reader::new(&stated::subject(sheet), text),
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
        let text = self.text;
        if range.end > LONGEST_TEXT || range.len() > LONGEST_SENTENCE || self.claims.len() > MOST_CLAIMS {
            let too_long = "The text is too long to be checked to its end.";
            self.claims.push(not_judged(text, number, range, too_long));
            return true;
        }
        let read = self.reader.sentence(range);
        let mut stated = stated::told_once(stated::stated(self.sheet, read));
        stated.sort_by_key(|claim| (claim.span.start, claim.span.end));
        if stated.is_empty() {
            let untied = "Nothing in it can be tied to the board.";
            self.claims.push(not_judged(text, number, range, untied));
        }
        let claims = stated.into_iter().map(|stated| claim(text, number, range, stated));
        self.claims.extend(claims);
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

/// What our own reader has read. What it would contradict is doubtful only, unless it is known to read such claims right.
fn claim(text: &str, sentence: usize, range: &Range<usize>, stated: Stated) -> Claim {
    let span = bounded(text, stated.span, range);
    let (verdict, reason, facts) = stated.truth.into_parts();
    let verdict = match verdict {
        ClaimVerdict::Contradicted if !is_sure(stated.predicate) => ClaimVerdict::Doubtful,
        verdict => verdict,
    };
    Claim {
        text: text.get(span.clone()).unwrap_or_default().to_owned(),
        span,
        sentence,
        kind: stated.predicate.kind(),
        verdict,
        facts,
        reason,
        statements: stated.statements,
    }
}

fn not_judged(text: &str, sentence: usize, range: &Range<usize>, why: &str) -> Claim {
    Claim {
        text: text.get(range.clone()).unwrap_or_default().to_owned(),
        span: range.clone(),
        sentence,
        kind: ClaimKind::Other,
        verdict: ClaimVerdict::NotJudged,
        facts: Vec::new(),
        reason: why.to_owned(),
        statements: Vec::new(),
    }
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

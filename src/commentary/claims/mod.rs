//! The claim check: prose about a move against the board and the engine's lines. No language model has a say in it.
//!
//! A text goes through these folders from the top down:
//!
//! | folder | what is there |
//! |---|---|
//! | `text` | where sentences end; words, squares, moves, numbers; idioms, questions and answers put plainly |
//! | `grammar` | which words say what; the parts of a clause; who does what to whom, denied or not, along which line |
//! | `board` | the positions that are spoken of, the men that a phrase may mean; yes, no, or open |
//! | `families` | the families of claims: each asks the board of every clause what it knows of |
//! | `cues` | what the grammar misses: claims by their cue words |
//! | `reading`, `stated` | prose into statements, which the board judges; set beside what the families found |
//! | `doubt` | which contradictions stand: what else the words may be about, and how else they may be read |
//! | `claim` | a claim, a checked text |
//!
//! Words that fit several readings (which rook, which position) are wrong only where all of them are.

mod board;
mod claim;
mod cues;
pub mod declared;
mod doubt;
mod draft;
mod evaluation;
mod families;
mod grammar;
mod paraphrase;
mod reading;
mod stated;
pub mod statement;
mod text;
mod truth;

use std::ops::Range;

pub use claim::{Checked, Claim, ClaimKind, ClaimVerdict};
pub use evaluation::evaluate;
pub use reading::network::{Network, Proposes, WeightsError};
pub use reading::{Shown, shown};
pub use statement::Statement;
pub use text::{sentences, token::move_len};
pub use truth::Truth;

use self::{
    board::{anaphora, clause::Clause, lines, resolve, scene::World, visited::Visited},
    cues::{
        catchwords::catchword,
        keywords,
        patterns::restate,
        segments::{answer_cues, contact_cues, deed_cues, segment},
    },
    draft::Draft,
    families::{contact, deeds, judgement, king, material, moves, placement, promotions, structure, tactics},
    grammar::{
        atom, builder,
        frame::{self, Discourse, Frame},
        lead_in,
        phrase::{self, Item, MoveWord, Part},
        runs,
    },
    paraphrase::{dialogue, question},
    text::{general, token},
};
use super::FactSheet;

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
    let mut stated = stated::stated(sheet, text, readers.network, &sentences, is_short);
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
        stated::reconcile(&mut drafts, std::mem::take(&mut stated[number]), alone);
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

/// "Stockfish 8's terms say that Black's mobility score falls, which favours White": of an old engine's or a probe's scores,
/// which the board does not show.
fn of_scores(tokens: &[token::Token]) -> bool {
    tokens.windows(2).any(|pair| {
        matches!(pair[0].word(), "terms" | "probes" | "probe")
            && matches!(pair[1].word(), "say" | "says" | "see" | "sees" | "rate" | "rates")
    })
}

/// The claims of a sentence at a point of the game; `next` answers it, where it is a question.
fn at(
    world: &World<'_>,
    text: &str,
    tokens: &[token::Token],
    next: Option<&Range<usize>>,
    discourse: &mut Discourse,
) -> Vec<Draft> {
    if of_scores(tokens) {
        return Vec::new();
    }
    let resolved = anaphora::resolved(world, text, tokens);
    let tokens = resolved.as_deref().unwrap_or(tokens);
    let stated = question::stated(text, tokens);
    let question = stated
        .is_some()
        .then(|| next.and_then(|range| question::answer(&token::tokens(text, range.clone()))));
    let tokens = stated.as_deref().unwrap_or(tokens);
    let parts = phrase::parts(tokens);
    if let Some(lead) = lead_in::lead_in(tokens, &parts)
        && world.leads_on(&lead.line)
        && let Some(found) = along_line(world, text, tokens, &parts, &lead, discourse)
    {
        return found;
    }
    let frames = clauses(world, tokens, &parts, discourse);
    let mut found = by_grammar(world, tokens, &parts, &frames);
    named_moves(world, tokens, &parts, &frames, &mut found);
    restate::claims(world, text, tokens, &parts, &[], &mut found);
    keywords::claims(world, tokens, &frames, &mut found);
    if let Some(yes) = question {
        // A man or a move that a question names is there all the same.
        let named = |kind: ClaimKind| matches!(kind, ClaimKind::Placement | ClaimKind::Legality);
        let more = found.iter().any(|d| !named(d.kind));
        for draft in found.iter_mut().filter(|d| !(more && named(d.kind))) {
            draft.truth = match yes {
                Some(yes) => draft.truth.clone().negated(!yes),
                None => truth::Truth::unknown("It is asked, not said."),
            };
        }
    }
    if general::is_general(tokens) {
        for draft in &mut found {
            draft.truth = draft.truth.clone().lenient("It is a rule, not said of this position.");
        }
    }
    found
}

/// A sentence whose lead-in names a line: the rest, where it is a clause of its own, speaks of its end.
fn along_line(
    world: &World<'_>,
    text: &str,
    tokens: &[token::Token],
    parts: &[Part],
    lead: &lead_in::LeadIn,
    discourse: &mut Discourse,
) -> Option<Vec<Draft>> {
    let rest = &tokens[lead.rest..];
    let (said, mut frames) = behind_lead(world, rest)?;
    at_end_of(&lead.line, &mut frames);
    let mut found = by_grammar(world, rest, &said, &frames);
    restate::claims(world, text, rest, &said, &lead.line, &mut found);
    keywords::claims(world, rest, &frames, &mut found);
    // The moves themselves, as the whole sentence names them.
    let mut whole = clauses(world, tokens, parts, discourse);
    // What the rest denies is not that the line can be played.
    if let Some(first) = whole.first_mut() {
        first.negated = false;
    }
    named_moves(world, tokens, parts, &whole, &mut found);
    Some(found)
}

/// The clauses behind a lead-in, where they can stand alone.
fn behind_lead(world: &World<'_>, rest: &[token::Token]) -> Option<(Vec<Part>, Vec<Frame>)> {
    let said = phrase::parts(rest);
    let frames = clauses(world, rest, &said, &mut Discourse::default());
    if frames
        .first()
        .is_none_or(|f| f.verbless || !f.verb.finite || f.subject.is_empty() && !f.existential)
        // "the pawn does not watch over it": a clause, although we do not know its verb.
        && !rest.windows(2).any(|w| matches!(w[0].word(), "does" | "do") && w[1].word() == "not")
    {
        return None;
    }
    Some((said, frames))
}

/// Has the clauses speak of the position that a line leads to.
fn at_end_of(line: &[MoveWord], frames: &mut [Frame]) {
    for frame in frames {
        frame.context.runs.insert(0, line.to_vec());
        frame.context.vague = false;
        frame.context.deeds.clear();
    }
}

/// What the grammar finds in a sentence of its own making, said of the position at the end of a line, if it names one.
fn sentence_of(world: &World<'_>, text: &str, line: &[MoveWord], discourse: &mut Discourse) -> Vec<Draft> {
    let tokens = token::tokens(text, 0..text.len());
    let parts = phrase::parts(&tokens);
    let mut frames = clauses(world, &tokens, &parts, discourse);
    if !line.is_empty() {
        at_end_of(line, &mut frames);
    }
    let mut found = by_grammar(world, &tokens, &parts, &frames);
    named_moves(world, &tokens, &parts, &frames, &mut found);
    found
}

/// The clauses of a sentence.
fn clauses(world: &World<'_>, tokens: &[token::Token], parts: &[Part], discourse: &mut Discourse) -> Vec<Frame> {
    let mut frames = builder::frames(parts, discourse);
    give_words(&mut frames, tokens);
    for frame in &mut frames {
        resolve::resolve(world, frame);
    }
    frames
}

/// What the grammar finds in the clauses.
fn by_grammar(world: &World<'_>, tokens: &[token::Token], parts: &[Part], frames: &[Frame]) -> Vec<Draft> {
    let mut found = Vec::new();
    let named = catchword::Sentence::new(tokens, parts, frames);
    for (number, frame) in frames.iter().enumerate() {
        let clause = Clause::new(world, frame);
        let first = found.len();
        placement::claims(&clause, &mut found);
        contact::claims(&clause, &mut found);
        tactics::claims(&clause, &mut found);
        deeds::claims(&clause, &mut found);
        material::claims(&clause, &mut found);
        structure::claims(&clause, &mut found);
        moves::claims(&clause, &mut found);
        king::claims(&clause, &mut found);
        judgement::claims(&clause, &mut found);
        if material::gains_by_words(frame) {
            either(&mut found, first);
        }
        named.claims(&clause, number, &mut found, first);
        promotions::made(&clause, &mut found, first);
    }
    let segments = segment::segments(world, parts, tokens);
    deed_cues::claims(world, &segments, frames, &mut found);
    contact_cues::claims(world, &segments, frames, &mut found);
    answer_cues::claims(world, &segments, frames, &mut found);
    found
}

/// "picks up a pawn" is true of a capture and of what is won in the end: one of the two claims is enough.
fn either(found: &mut Vec<Draft>, first: usize) {
    let kind = |d: &Draft| matches!(d.kind, ClaimKind::Capture | ClaimKind::Material);
    let holds = found[first..].iter().any(|d| kind(d) && !d.truth.fails());
    let mut number = 0;
    found.retain(|d| {
        number += 1;
        number <= first || !(holds && kind(d) && d.truth.fails())
    });
}

/// Gives each clause the words from its beginning to that of the next.
fn give_words(frames: &mut [Frame], tokens: &[token::Token]) {
    // A clause that takes its subject from the one before begins behind that.
    let mut starts: Vec<usize> = Vec::with_capacity(frames.len());
    let mut end = 0;
    for frame in frames.iter() {
        let shared = starts.last().is_some_and(|&last| frame.span.start <= last);
        starts.push(if shared { end } else { frame.span.start });
        end = frame.span.end;
    }
    for token in tokens {
        let at = starts.iter().rposition(|&start| start <= token.span.start).unwrap_or(0);
        if let Some(frame) = frames.get_mut(at)
            && !token.word().is_empty()
        {
            frame.words.push(token.word().to_owned());
        }
    }
}

/// Runs of moves, each with the clause it stands in.
fn named_moves(world: &World<'_>, tokens: &[token::Token], parts: &[Part], frames: &[Frame], found: &mut Vec<Draft>) {
    let runs = runs::runs(parts, &atom::atoms("", tokens, parts, world.mover()));
    // The clause a run stands in: the last that begins before it, or the first.
    let mut line = lines::PlayedLine::default();
    for run in runs {
        let at = frames.iter().rposition(|f| f.span.start <= run.span.start).unwrap_or(0);
        // Words that name a man ("Nf3") are not a move here: the clauses know it.
        let settled = frames.iter().any(|frame| {
            let man = |p: &&Part| p.span == run.span && matches!(p.item, Item::Np(_));
            frame.post.iter().chain(&frame.pre).find(man).is_some()
                || frame
                    .subject
                    .iter()
                    .any(|a| matches!(a, frame::Arg::Np(np, span) if *span == run.span && np.is_men()))
        });
        // "the Be7", "the rook on the Rh4": where no such move is to be had, it is the man there.
        let behind = tokens
            .iter()
            .take_while(|t| t.span.start < run.span.start)
            .last()
            .is_some_and(|t| {
                t.tok == token::Tok::Possessive || matches!(t.word(), "the" | "his" | "her" | "its" | "their" | "that")
            });
        let stands = behind && matches!(run.words.as_slice(), [word] if resolve::is_man(world, word));
        if settled || stands {
            continue;
        }
        if let Some(frame) = frames.get(at) {
            let clause = Clause::new(world, frame);
            lines::legality(&clause, &run, &mut line, found);
        }
    }
}

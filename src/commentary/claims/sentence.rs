//! What the families and the cues find in one sentence, each of its clauses asked by all of them.

use std::ops::Range;

use super::{
    board::{anaphora, lines, resolve, scene::World, setting},
    claim::ClaimKind,
    cues::{
        catchwords::catchword,
        keywords,
        patterns::{
            restate::{self, Restated},
            restatements,
        },
        segments::{answer_cues, contact_cues, deed_cues, segment},
    },
    draft::Draft,
    families::{contact, deeds, judgement, king, material, moves, placement, promotions, structure, tactics},
    grammar::{
        atom::{self, Atom},
        builder, chunker,
        frame::{self, Discourse, Frame},
        lead_in, lexicon,
        phrase::{Item, MoveWord, Part},
        runs,
    },
    paraphrase::question,
    text::{general, token},
    truth,
};

/// What is put together once, before the first sentence is read. Each takes some milliseconds.
pub const BUILT_ONCE: [fn(); 2] = [lexicon::prepare, restatements::prepare];

/// "Stockfish 8's terms say that Black's mobility score falls, which favours White": of an old engine's or a probe's scores,
/// which the board does not show.
fn of_scores(tokens: &[token::Token]) -> bool {
    tokens.windows(2).any(|pair| {
        matches!(pair[0].word(), "terms" | "probes" | "probe")
            && matches!(pair[1].word(), "say" | "says" | "see" | "sees" | "rate" | "rates")
    })
}

/// The claims of a sentence at a point of the game; `next` answers it, where it is a question.
pub fn at(
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
    let parts = chunker::parts(tokens);
    if let Some(lead) = lead_in::lead_in(tokens, &parts)
        && world.leads_on(&lead.line)
        && let Some(found) = along_line(world, text, tokens, &parts, &lead, discourse)
    {
        return found;
    }
    let frames = clauses(world, tokens, &parts, discourse);
    let atoms = atom::atoms(text, tokens, &parts, world.mover());
    let mut found = by_grammar(world, tokens, &parts, &frames);
    named_moves(world, tokens, &parts, &frames, &atoms, &mut found);
    restated(world, (tokens, &parts, &atoms), &[], &mut found);
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
    let atoms = atom::atoms(text, rest, &said, world.mover());
    restated(world, (rest, &said, &atoms), &lead.line, &mut found);
    keywords::claims(world, rest, &frames, &mut found);
    // The moves themselves, as the whole sentence names them.
    let mut whole = clauses(world, tokens, parts, discourse);
    // What the rest denies is not that the line can be played.
    if let Some(first) = whole.first_mut() {
        first.negated = false;
    }
    let atoms = atom::atoms(text, tokens, parts, world.mover());
    named_moves(world, tokens, parts, &whole, &atoms, &mut found);
    Some(found)
}

/// The clauses behind a lead-in, where they can stand alone.
pub fn behind_lead(world: &World<'_>, rest: &[token::Token]) -> Option<(Vec<Part>, Vec<Frame>)> {
    let said = chunker::parts(rest);
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

/// What cues say in words that the grammar knows.
fn restated(
    world: &World<'_>,
    (tokens, parts, atoms): (&[token::Token], &[Part], &[Atom]),
    line: &[MoveWord],
    found: &mut Vec<Draft>,
) {
    let read = |plain: &str| sentence_of(world, plain, line, &mut Discourse::default());
    let restated = Restated {
        world,
        line,
        read: &read,
    };
    restate::claims(&restated, tokens, parts, atoms, found);
}

/// What the grammar finds in a sentence of its own making, said of the position at the end of a line, if it names one.
pub fn sentence_of(world: &World<'_>, text: &str, line: &[MoveWord], discourse: &mut Discourse) -> Vec<Draft> {
    let tokens = token::tokens(text, 0..text.len());
    let parts = chunker::parts(&tokens);
    let mut frames = clauses(world, &tokens, &parts, discourse);
    if !line.is_empty() {
        at_end_of(line, &mut frames);
    }
    let mut found = by_grammar(world, &tokens, &parts, &frames);
    let atoms = atom::atoms(text, &tokens, &parts, world.mover());
    named_moves(world, &tokens, &parts, &frames, &atoms, &mut found);
    found
}

/// The clauses of a sentence.
pub fn clauses(world: &World<'_>, tokens: &[token::Token], parts: &[Part], discourse: &mut Discourse) -> Vec<Frame> {
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
        let clause = setting::clause(world, frame);
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
fn named_moves(
    world: &World<'_>,
    tokens: &[token::Token],
    parts: &[Part],
    frames: &[Frame],
    atoms: &[Atom],
    found: &mut Vec<Draft>,
) {
    let runs = runs::runs(parts, atoms);
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
            let clause = setting::clause(world, frame);
            lines::legality(&clause, &run, &mut line, found);
        }
    }
}

//! Which contradictions stand. A sentence is read at the position after the move first; what fails there is left open where
//! the words may speak of another position or another move, or where a second reading of them holds.
//!
//! Striking what is true does more harm than leaving open what is wrong, and long sentences are misread more often than short
//! ones: `tests/claims_comments.rs` measures both on whole comments.

use std::{cell::LazyCell, ops::Range};

use shakmaty::{Position, Square};

use crate::uci::Score;

use super::{
    board::{
        scene::{View, World},
        visited::{self, Visited},
    },
    claim::ClaimKind,
    draft::Draft,
    grammar::{
        chunker,
        frame::{Arg, Discourse, Frame},
        lead_in,
        phrase::{Item, MoveWord, Part},
    },
    paraphrase::idiom,
    sentence::{at, behind_lead, clauses},
    text::{
        plain::Plainness,
        token::{self, Tok, Token},
    },
};

/// Words and signs from which on a sentence is misread as often as not where it seems to be wrong, if it names as many squares
/// and moves as [`PLACES`]. What it denies is read well at any length.
const LONG: usize = 28;
/// Squares and moves of a sentence that may be taken for one another.
const PLACES: usize = 2;

/// Words by which a sentence looks back to what was so before the move: "the knight, which had been pinned".
const PAST: [&str; 3] = ["had", "having", "been"];

/// Words beside which a mate is told that is not on the board yet: "the mate takes six moves".
const MATE_TO_COME: [&str; 3] = ["mated", "takes", "later"];

/// Words beside numbers that are rounded, as scores are: "more than five pawns up".
const ROUNDED: [&str; 9] = [
    "than", "nearly", "almost", "about", "over", "some", "around", "roughly", "half",
];

/// How many pawns, from none.
const NUMBERS: [&str; 11] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
];

/// What the families contradict of these in a longer sentence of a comment is more often misread than wrong: over the six open
/// sets of the benchmark it struck 20 true claims and caught 3 wrong ones, on the two files that nobody has read 3 and 3.
const OFTEN_MISREAD: [ClaimKind; 5] = [
    ClaimKind::Capture,
    ClaimKind::Trade,
    ClaimKind::Discovered,
    ClaimKind::Promotion,
    ClaimKind::Sacrifice,
];

/// And of these in a sentence by itself that names the engine or a line: the move that checks or castles is the engine's, as often
/// as not.
const OF_THE_ENGINE: [ClaimKind; 2] = [ClaimKind::Check, ClaimKind::Castling];

/// What a claim that fails on the board may be about instead.
enum Elsewhere {
    /// A position that earlier sentences have come by.
    Visited,
    /// The position before the move, which left a check.
    Checked,
    /// The position before the move, which a sentence in the past looks back to.
    Past,
    /// One that a move without notation leads to.
    Near,
    /// One that the sentence comes by itself, with the move that it names for it.
    Passed(Option<MoveWord>),
}

/// The claims of a sentence. `next` may answer it, where it is a question.
pub fn claims(
    world: &World<'_>,
    text: &str,
    range: Range<usize>,
    next: Option<&Range<usize>>,
    discourse: &mut Discourse,
    visited: &mut Visited,
) -> Vec<Draft> {
    let before = discourse.clone();
    let tokens = idiom::plain(token::tokens(text, range.clone()));
    let parts = chunker::parts(&tokens);
    let mut found = at(world, text, &tokens, next, discourse);
    if let Some(colon) = told_of(text, &parts) {
        visited.follow(world, &parts[colon..=colon]);
    }
    let entered = visited.views().next().is_some();
    let mut elsewhere: Vec<(View, Elsewhere)> =
        visited.views().map(|view| (view.clone(), Elsewhere::Visited)).collect();
    let passed = visited.follow(world, &parts);
    if !fails(&found) {
        return found;
    }
    let frames = clauses(world, &tokens, &parts, &mut before.clone());
    let plainness = Plainness::of(text, &range);
    let (alone, plain) = (plainness.alone, plainness.is_plain());
    if world.before().pos.is_check() {
        elsewhere.push((world.before(), Elsewhere::Checked));
    }
    if tokens.iter().any(|token| PAST.contains(&token.word())) {
        elsewhere.push((world.before(), Elsewhere::Past));
    }
    let rounded = || tokens.iter().any(|token| ROUNDED.contains(&token.word()));
    if (!alone || plainness.of_engine || rounded()) && in_pawns(world, &tokens) {
        open(&mut found, "It may be the engine's score, in pawns.", |draft| {
            draft.kind == ClaimKind::Material
        });
    }
    if !alone && tokens.iter().any(|token| MATE_TO_COME.contains(&token.word())) {
        open(&mut found, "It may be a mate to come.", |draft| {
            draft.kind == ClaimKind::Mate
        });
    }
    if !plain {
        // "answers the check in the most active way": the check before the move.
        let checked = world.before().pos.is_check();
        open(&mut found, "It may be the check before the move.", |draft| {
            checked && draft.kind == ClaimKind::Check && !names_move(draft, &frames)
        });
        open(&mut found, "It may be played a move later.", |draft| {
            draft.kind == ClaimKind::Legality && visited::is_at_hand(world, &moves(&parts, &draft.span))
        });
    }
    // A comment's later sentences tell of moves as a story does: what may be another move's is not held against this one.
    let later = range.start > 0 && !tokens.iter().any(|token| token.word() == "move");
    if later {
        let moves = parts.iter().filter(|part| matches!(part.item, Item::Move(_))).count();
        if entered || passed.len() > 1 || moves > 1 {
            // "d1" may be a square, and what can't be done something else than the move.
            open(
                &mut found,
                "It may be a move of a line that is not given in full.",
                |draft| {
                    let denied = || visited::clause_of(draft, &frames).is_some_and(Frame::denies);
                    draft.kind == ClaimKind::Legality && (is_square(text, &draft.span) || denied())
                },
            );
        }
        elsewhere.extend(
            visited::near(world, &parts)
                .into_iter()
                .map(|view| (view, Elsewhere::Near)),
        );
    }
    elsewhere.extend(passed.into_iter().map(|(view, by)| (view, Elsewhere::Passed(by))));

    let lead = lead_in::lead_in(&tokens, &parts)
        .filter(|lead| world.leads_on(&lead.line))
        .filter(|lead| behind_lead(world, &tokens[lead.rest..]).is_some())
        .map(|lead| lead.line)
        .unwrap_or_default();
    for (view, why) in elsewhere {
        if !fails(&found) {
            return found;
        }
        let there = at(&world.at(&view), text, &tokens, next, &mut before.clone());
        visited::allow(&mut found, &there, |draft| match &why {
            Elsewhere::Visited => true,
            Elsewhere::Past => !matches!(draft.kind, ClaimKind::Legality),
            Elsewhere::Checked => draft.kind == ClaimKind::Check,
            Elsewhere::Near => draft.kind.is_deed(),
            Elsewhere::Passed(by) => visited::may_tell(draft, &frames, &lead, by.as_ref()),
        });
    }
    if !alone && tokens.len() >= LONG && tokens.iter().filter(|token| is_place(token)).count() >= PLACES {
        open(
            &mut found,
            "The sentence is too long to be sure what it says of what.",
            |draft| visited::clause_of(draft, &frames).is_none_or(|frame| !frame.denies()),
        );
    }
    if !plain && frames.len() > 1 {
        let another = parts
            .iter()
            .any(|part| matches!(&part.item, Item::Move(word) if !world.is_played(word)));
        open(
            &mut found,
            "It may tell of another of the moves in this sentence.",
            |draft| {
                (draft.kind == ClaimKind::Movement || another && draft.kind.is_passing()) && is_told(draft, &frames)
            },
        );
    }
    let again = |part: Range<usize>, mut discourse: Discourse| {
        let tokens = idiom::plain(token::tokens(text, part));
        at(world, text, &tokens, None, &mut discourse)
    };
    let whole = LazyCell::new(|| again(range.clone(), Discourse::default()));
    open(&mut found, "Its words can be read so that they hold.", |draft| {
        let part = part(text, &range, &draft.span).filter(|part| !is_led(&tokens, part));
        !matches!(draft.kind, ClaimKind::Placement | ClaimKind::Legality)
            && (holds(draft, &whole) || part.is_some_and(|part| holds(draft, &again(part, before.clone()))))
    });
    found
}

/// Leaves open what fails and is of a kind that is often misread in such a sentence, unless statements say it, too.
pub fn leave_open_where_often_misread(found: &mut [Draft], text: &str, sentence: &Range<usize>) {
    if !fails(found) {
        return;
    }
    let sentence = Plainness::of(text, sentence);
    open(found, "It may be said of another move.", |draft| {
        let long = !sentence.short && !sentence.is_plain() && OFTEN_MISREAD.contains(&draft.kind);
        let engine = sentence.alone && sentence.of_engine && OF_THE_ENGINE.contains(&draft.kind);
        let there = sentence.compound && !sentence.alone && draft.kind == ClaimKind::Placement;
        long || engine || there
    });
}

/// "Black is nearly eight pawns up": so many pawns as the engine's score comes to, where that many are not on the board.
fn in_pawns(world: &World<'_>, tokens: &[Token]) -> bool {
    let Some(evaluation) = world.sheet.evaluation() else {
        return false;
    };
    let lines = evaluation.before.iter().chain(&evaluation.after);
    let scores: Vec<f64> = lines
        .map(|line| line.score)
        .chain([evaluation.played])
        .filter_map(|score| match score {
            Score::Cp(cp) => Some(f64::from(cp.abs()) / 100.0),
            Score::Mate(_) => None,
        })
        .collect();
    tokens.windows(2).any(|pair| {
        let said = NUMBERS.iter().position(|word| *word == pair[0].word());
        matches!(pair[1].word(), "pawn" | "pawns")
            && said.is_some_and(|said| scores.iter().any(|score| (score - said as f64).abs() < 1.0))
    })
}

fn fails(found: &[Draft]) -> bool {
    found.iter().any(|draft| draft.truth.fails())
}

/// Leaves open what fails.
fn open(found: &mut [Draft], why: &str, may: impl Fn(&Draft) -> bool) {
    for draft in found.iter_mut() {
        if draft.truth.fails() && may(draft) {
            draft.truth = draft.truth.clone().lenient(why);
        }
    }
}

/// "It moves with check: Nf3+": what stands before the colon, too, is about the move behind it, the part at this place.
fn told_of(text: &str, parts: &[Part]) -> Option<usize> {
    let at = parts.windows(2).position(|pair| {
        pair[0].item == Item::Break && matches!(pair[1].item, Item::Move(_)) && text[pair[0].span.clone()].contains(':')
    })?;
    Some(at + 1)
}

/// The moves within a claim.
fn moves(parts: &[Part], claim: &Range<usize>) -> Vec<MoveWord> {
    let within = parts
        .iter()
        .filter(|part| claim.start <= part.span.start && part.span.end <= claim.end);
    within
        .filter_map(|part| match &part.item {
            Item::Move(word) => Some(word.clone()),
            _ => None,
        })
        .collect()
}

/// True for "the queen takes", not for "the queen can take", which is asked of all moves.
fn is_told(draft: &Draft, frames: &[Frame]) -> bool {
    visited::clause_of(draft, frames).is_some_and(|frame| frame.verb.modal.is_none())
}

/// True for "Nf3 gives check".
fn names_move(draft: &Draft, frames: &[Frame]) -> bool {
    visited::clause_of(draft, frames).is_some_and(|frame| matches!(frame.subject.as_slice(), [Arg::Move(..)]))
}

/// True where one of these says of the same words that they hold.
fn holds(draft: &Draft, found: &[Draft]) -> bool {
    found.iter().any(|other| {
        let overlap = other.span.start < draft.span.end && draft.span.start < other.span.end;
        other.kind == draft.kind && overlap && other.truth.holds()
    })
}

/// The part of a sentence between the commas around a claim, where that is not all of it.
fn part(text: &str, sentence: &Range<usize>, claim: &Range<usize>) -> Option<Range<usize>> {
    let breaks = |c: char| matches!(c, ',' | ':' | '(' | ')');
    let before = text.get(sentence.start..claim.start)?;
    let start = before
        .rfind(breaks)
        .map_or(sentence.start, |at| sentence.start + at + 1);
    let behind = text.get(claim.end..sentence.end)?;
    let end = behind.find(breaks).map_or(sentence.end, |at| claim.end + at);
    ((start..end) != *sentence).then_some(start..end)
}

/// True where a move or a square stands before a part of a sentence, which may speak of it: "On 29.Ng1, g1 is empty".
fn is_led(tokens: &[Token], part: &Range<usize>) -> bool {
    tokens
        .iter()
        .take_while(|token| token.span.start < part.start)
        .any(is_place)
}

/// True for "d1", which may be a square in place of a pawn's move.
fn is_square(text: &str, span: &Range<usize>) -> bool {
    text.get(span.clone())
        .is_some_and(|words| words.parse::<Square>().is_ok())
}

const fn is_place(token: &Token) -> bool {
    matches!(token.tok, Tok::Move(_) | Tok::Square(_))
}

//! Clauses whose words the grammar does not know, put into words that it does: a cue tells what is claimed, its slots of
//! whom, the denials beside it whether it is denied. The grammar then reads "White is not better" and judges that.
//!
//! It speaks only where the grammar found nothing of the kind, of the position on the board, and where no slot is open.

use std::ops::Range;

use super::{
    cue::{Match, Stretch, Wanted},
    restatements::{Row, TABLES, Table},
};
use crate::commentary::claims::{
    ClaimKind,
    board::World,
    draft::Draft,
    grammar::{
        Item, MoveWord, Part,
        atom::{Atom, Slot},
        chunker,
    },
    text::{Token, token},
    truth::{self, Truth},
};

/// Words that a cue names when it is asked although the grammar found a claim of the kind.
const SURE: usize = 4;

/// What is said in other words, and who reads it then.
pub struct Restated<'a> {
    /// The sheet and its positions.
    pub world: &'a World<'a>,
    /// The moves at whose end it is said.
    pub line: &'a [MoveWord],
    /// What the grammar finds in a sentence, said at the end of the line.
    pub read: &'a dyn Fn(&str) -> Vec<Draft>,
}

/// The claims that cues make and the grammar did not find.
///
/// Behind a lead-in only what it says of men counts, at the end of the lead-in's line.
pub fn claims(restated: &Restated<'_>, tokens: &[Token], parts: &[Part], atoms: &[Atom], found: &mut Vec<Draft>) {
    let world = restated.world;
    let mut subject = None;
    // "Black was better off playing Nf6": of a move, not of the game.
    let off = atoms.windows(2).any(|w| w[0].word == "better" && w[1].word == "off");
    // "An advantage of a pawn": of material.
    let of = atoms.windows(3).any(|w| {
        matches!(w[0].word.as_str(), "advantage" | "edge" | "plus" | "lead")
            && matches!(w[1].word.as_str(), "of" | ":")
            && matches!(w[2].slot, Some(Slot::Amount { .. }))
            || matches!(w[0].word.as_str(), "better" | "stronger" | "richer")
                && w[1].word == "by"
                && matches!(w[2].slot, Some(Slot::Amount { .. }))
    });
    if of || off && atoms.iter().any(|a| a.slot == Some(Slot::Move)) {
        found.retain(|d| d.kind != ClaimKind::Evaluation);
    }
    let has = |word: &str| atoms.iter().any(|a| a.word == word);
    // "A knight up but a queen down": the balance of both is meant.
    let ends_up = |w: &[Atom]| {
        w[1].word == "up"
            && ["end", "wind", "turn", "finish"]
                .iter()
                .any(|s| w[0].word.starts_with(s))
    };
    let both_ways = has("up") && has("down") && !atoms.windows(2).any(ends_up);
    let mut named: Option<Atom> = None;
    for range in stretches(atoms) {
        // "Then Black has an extra piece": at the end of a line that was described before.
        let narrated = tokens.first().is_some_and(|t| t.word() == "then" && t.span.start > 0);
        let supposes = narrated || supposes(world, atoms, parts, &range);
        let pointing = named.as_ref().and_then(|it| pointing(atoms, &range, it));
        let stretch = pointing.as_deref().unwrap_or(&atoms[range.clone()]);
        let moves: Vec<&Atom> = stretch.iter().filter(|a| a.slot == Some(Slot::Move)).collect();
        named = match moves.as_slice() {
            [] => named,
            [one] => Some((*one).clone()),
            _ => None,
        };
        let words = TABLES.vocabulary.words(stretch);
        let numbered = Stretch {
            atoms: stretch,
            words: &words,
        };
        for (kind, rows) in TABLES
            .of_kinds
            .iter()
            .filter(|(kind, _)| !both_ways || *kind != ClaimKind::Material)
        {
            if let Some(draft) = best(restated, &numbered, (*kind, rows), subject, supposes, found) {
                // "gains nothing by capturing the rook": of the man that stands there, not of the move.
                let aside = |old: &Draft| {
                    draft.kind == ClaimKind::Hanging
                        && matches!(old.kind, ClaimKind::Material | ClaimKind::Capture)
                        && old.truth.fails()
                };
                found.retain(|old| (old.kind != *kind && !aside(old)) || !overlap(&old.span, &draft.span));
                found.push(draft);
            }
        }
        subject = sides(stretch, 0..stretch.len())
            .first()
            .map(|(_, side)| *side)
            .or(subject);
    }
}

/// "Qf3+ was an alternative, but it would have lost the queen": the stretch with the move for the word that points at it.
fn pointing(atoms: &[Atom], range: &Range<usize>, named: &Atom) -> Option<Vec<Atom>> {
    let stretch = &atoms[range.clone()];
    let which = range.start > 0 && atoms[range.start - 1].word == "which";
    let first = stretch.iter().position(|a| !a.light)?;
    let word = |a: &Atom| matches!(a.word.as_str(), "it" | "which");
    let unreal = |w: &[Atom]| matches!(w[0].word.as_str(), "would" | "could" | "might");
    let bare = !stretch.iter().any(|a| a.slot == Some(Slot::Move));
    if !bare || !stretch.windows(2).any(unreal) || !which && !word(&stretch[first]) {
        return None;
    }
    let start = stretch[first].span.clone();
    let mut found = stretch.to_vec();
    let it = Atom {
        span: start.clone(),
        ..named.clone()
    };
    if which {
        found.insert(
            first,
            Atom {
                span: start.start..start.start,
                ..it
            },
        );
    } else {
        found[first] = it;
    }
    Some(found)
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// Stretches of a sentence that are about one thing each.
fn stretches(atoms: &[Atom]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    // "While the rook is loose, …": the comma ends the first clause.
    let subordinate = |a: &Atom| {
        matches!(
            a.word.as_str(),
            "while" | "although" | "though" | "because" | "since" | "as"
        )
    };
    let mut led = atoms.first().is_some_and(subordinate);
    for (at, atom) in atoms.iter().enumerate() {
        let comma = at > 0 && atoms[at - 1].word == ",";
        let ends = match atom.word.as_str() {
            ";" | "-" | "(" | ")" | "–" | "—" => true,
            "whereas" | "while" | "although" | "though" | "yet" | "but" | "because" | "since" | "whilst" => true,
            "and" if atoms.get(at + 1).is_some_and(|next| next.word == "that") => true,
            // "can go to d8 and Black stands better": another clause.
            "and" if is_side(atoms.get(at + 1)) && at > 0 && !is_side(atoms.get(at - 1)) => true,
            "and" | "as" | "so" | "which" | "when" | "or" => comma,
            "," if std::mem::take(&mut led) => true,
            ":" => at - start > 4 && atoms.len() - at > 4,
            _ => false,
        };
        if ends {
            if at > start {
                found.push(start..at);
            }
            start = at + 1;
        }
    }
    if atoms.len() > start {
        found.push(start..atoms.len());
    }
    found
}

fn is_side(atom: Option<&Atom>) -> bool {
    atom.is_some_and(|a| matches!(a.slot, Some(Slot::Side(_))))
}

/// True where a stretch speaks of more than the position on the board: of a case that is put, or of another move that is
/// named beside it. "Ke8 was tougher, but Black is lost" names one aside.
fn supposes(world: &World<'_>, atoms: &[Atom], parts: &[Part], stretch: &Range<usize>) -> bool {
    let words = [
        "if",
        "unless",
        "suppose",
        "supposing",
        "assuming",
        "assume",
        "when",
        "until",
        "before",
        "once",
    ];
    let idiom = |at: usize| {
        let word = |at: Option<usize>| at.and_then(|at| atoms.get(at)).map_or("", |a| a.word.as_str());
        let next = word(Some(at + 1));
        match atoms[at].word.as_str() {
            // "at once", "if anything", "all but lost if not more".
            "once" => at > 0 && word(at.checked_sub(1)) == "at",
            "if" => matches!(next, "anything" | "not" | "only"),
            "before" => at + 1 == atoms.len() || matches!(next, "," | "." | ";"),
            _ => false,
        }
    };
    let put = |at: usize| words.contains(&atoms[at].word.as_str()) && !idiom(at);
    if (0..atoms.len()).any(put) {
        return true;
    }
    let aside = |a: &Atom| {
        matches!(
            a.word.as_str(),
            "but" | "although" | "though" | "while" | "whereas" | "yet" | "because" | "since" | ";" | "-" | "–" | "—"
        )
    };
    let leads = |a: &Atom| matches!(a.word.as_str(), "after" | "with" | "following" | "upon" | "against");
    let other = |p: &&Part| matches!(&p.item, Item::Move(word) if !world.is_played(word));
    let led = parts.iter().filter(other).any(|p| {
        let before = atoms
            .iter()
            .take_while(|a| a.span.start < p.span.start)
            .collect::<Vec<_>>();
        before.iter().rev().take(2).any(|a| leads(a))
    });
    let from = atoms[..stretch.start].iter().rposition(aside).map_or(0, |at| at + 1);
    let to = atoms[stretch.end..]
        .iter()
        .position(aside)
        .map_or(atoms.len(), |at| stretch.end + at);
    let near = |p: &Part| atoms[from..to].iter().any(|a| overlap(&a.span, &p.span));
    parts.iter().filter(other).any(|p| led || near(p))
}

fn best(
    restated: &Restated<'_>,
    numbered: &Stretch<'_>,
    (kind, rows): (ClaimKind, &Table),
    subject: Option<&'static str>,
    supposes: bool,
    found: &[Draft],
) -> Option<Draft> {
    let Restated { world, line, read } = *restated;
    let stretch = numbered.atoms;
    let (first, last) = (stretch.first()?, stretch.last()?);
    let span = first.span.start..last.span.end;
    let known = |d: &Draft| d.kind == kind && overlap(&d.span, &span) && !matches!(d.truth, Truth::Unknown(_));
    let known = found.iter().any(known);
    let mut fits: Vec<(Match, &Row)> = rows
        .for_words(numbered.words)
        .filter(|row| !supposes || row.says.contains("{M") || row.supposes)
        .filter(|row| {
            line.is_empty() || (row.says.contains("{X}") || kind == ClaimKind::Evaluation) && !row.says.contains("{M")
        })
        .filter_map(|row| row.cue.find(numbered).map(|m| (m, row)))
        .filter(|(m, _)| !strange(kind, beside(kind, stretch, &m.range)))
        // A cue that names many words is surer than the grammar.
        .filter(|(m, _)| !known || m.named.len() >= SURE)
        .collect();
    // The more words a cue names, the surer it is.
    fits.sort_by_key(|(m, _)| std::cmp::Reverse(m.named.len()));
    let mut said = fits.into_iter().filter_map(|(m, row)| {
        let mut plain = say(world, stretch, &m, row, line, subject)?;
        // "was winning": before the move, too.
        let past = |at: &usize| matches!(stretch[*at].text.to_ascii_lowercase().as_str(), "was" | "were" | "had");
        if kind == ClaimKind::Evaluation && m.named.iter().any(past) {
            plain = plain.replace(" is", " was");
        }
        // One of several readings is enough.
        let reading = |(number, one): (usize, &str)| {
            let drafts = read(one);
            let of_kind =
                |d: &Draft| d.kind == kind || number > 0 && matches!(d.kind, ClaimKind::Attack | ClaimKind::Quality);
            drafts.into_iter().find(of_kind)
        };
        let drafts: Vec<Draft> = plain.split(" / ").enumerate().filter_map(reading).collect();
        let truth = truth::any(drafts.iter().map(|d| d.truth.clone()));
        drafts.into_iter().next().map(|d| Draft { truth, ..d })
    });
    // What is decided goes before what is open.
    let first = said.next()?;
    let open = |d: &Draft| matches!(d.truth, Truth::Unknown(_));
    let decided = if open(&first) { said.find(|d| !open(d)) } else { None };
    Some(decided.unwrap_or(first)).map(|d| Draft { span, ..d })
}

/// What stands beside a cue, as far as it bears on what the cue is about: who stands better is said between commas, and
/// what it is put down to ("with so little material left") before whom it is said of.
fn beside<'a>(kind: ClaimKind, stretch: &'a [Atom], cue: &Range<usize>) -> &'a [Atom] {
    if kind != ClaimKind::Evaluation {
        return stretch;
    }
    let comma = |a: &Atom| a.word == ",";
    let mut from = stretch[..cue.start].iter().rposition(comma).map_or(0, |at| at + 1);
    let to = stretch[cue.end..]
        .iter()
        .position(comma)
        .map_or(stretch.len(), |at| cue.end + at);
    let first = stretch[from..cue.start].iter().find(|a| !a.light);
    if first.is_some_and(|a| matches!(a.word.as_str(), "with" | "despite" | "given")) {
        let whose = |a: &Atom| {
            matches!(a.slot, Some(Slot::Side(_))) && !a.owns || matches!(a.word.as_str(), "game" | "position" | "it")
        };
        from = stretch[..cue.start].iter().rposition(whose).unwrap_or(from);
    }
    &stretch[from..to]
}

/// Words beside which a cue of this kind is about something else.
fn strange(kind: ClaimKind, stretch: &[Atom]) -> bool {
    let has = |words: &[&str]| stretch.iter().any(|a| words.contains(&a.word.as_str()));
    let amount = stretch.iter().any(|a| matches!(a.slot, Some(Slot::Amount { .. })));
    match kind {
        ClaimKind::Evaluation => {
            // "is winning the rook on e4": no game is won by that.
            let won = |w: &[Atom]| {
                matches!(
                    w[0].word.as_str(),
                    "winning" | "losing" | "wins" | "loses" | "win" | "lose"
                ) && w
                    .iter()
                    .skip(1)
                    .find(|a| !a.light)
                    .is_some_and(|a| a.slot == Some(Slot::Men))
            };
            amount
                || stretch.windows(3).any(won)
                || stretch.windows(2).any(won)
                || has(&[
                    "material",
                    "materially",
                    "development",
                    "developed",
                    "mate",
                    "space",
                    "structure",
                    "alternatives",
                    "alternative",
                    "moves",
                    "other",
                    "between",
                    "trick",
                    "promote",
                    "promoting",
                ])
        }
        // "blunders a piece": what is lost tells.
        // "Castling is usually a healthy decision": of such moves.
        ClaimKind::Quality => {
            amount && has(&["blunders", "blundered", "blundering"])
                // "A solid move like d3 was called for": no word of this one.
                || has(&["like", "called", "needed", "required", "such"])
                || has(&["usually", "often", "normally", "generally", "typically", "most"])
        }
        ClaimKind::Material => has(&["temporarily", "momentarily"]),
        _ => false,
    }
}

/// The row's sentence with its slots filled. `None` where one is open or the words only suppose it.
fn say(
    world: &World<'_>,
    stretch: &[Atom],
    m: &Match,
    row: &Row,
    line: &[MoveWord],
    subject: Option<&'static str>,
) -> Option<String> {
    // Of the end of a line that is how it is put: "with Nf3 White would be better".
    let put = |a: &Atom| !line.is_empty() && matches!(a.word.as_str(), "would" | "should");
    let hoped = |a: &Atom| {
        matches!(
            a.word.as_str(),
            "would"
                | "could"
                | "might"
                | "may"
                | "hopes"
                | "hoping"
                | "hope"
                | "wants"
                | "want"
                | "wishes"
                | "tries"
                | "trying"
                | "try"
                | "aims"
                | "threatens"
                | "threatening"
                | "can"
                | "should"
        )
    };
    let said = |at: &usize| m.named.contains(at);
    if (0..m.range.end).any(|at| !said(&at) && hoped(&stretch[at]) && !put(&stretch[at])) {
        return None;
    }
    // Words about a man that the cue begins with don't deny what stands before him.
    let of_man = row.says.contains("{X}") && stretch[m.range.start].slot == Some(Slot::Men);
    let from = if of_man { m.range.start } else { 0 };
    let denials = (from..m.range.end).filter(|at| !said(at) && stretch[*at].denies && !contrasts(stretch, *at));
    let denied = (denials.count()
        + m.named
            .iter()
            .filter(|&&at| stretch[at].slot.is_some() && stretch[at].denies)
            .count())
        % 2
        == 1;
    let mover = crate::chess::names::color_name(world.mover());
    let says = match row.says {
        // The mover's best move was another one, the other side's is the reply.
        "{best}" => {
            let (_, side) = sides(stretch, m.range.clone()).into_iter().next()?;
            if side == mover {
                "{M} was{n} the best move."
            } else {
                "The best reply is{n} {M}."
            }
        }
        says => says,
    };
    let mut text = says.replace("{n}", if denied { " not" } else { "" });
    text = text.replace("{-n}", if denied { "" } else { " not" });
    if text.contains("{S}") {
        let named = sides(stretch, m.range.clone());
        let named = named
            .iter()
            .filter(|(at, _)| said(at))
            .chain(&named)
            .map(|(_, side)| *side)
            .next();
        let side = named.or_else(|| nearest_side(stretch, m, subject))?;
        text = text.replace("{S}", side);
    }
    let mut moved: Option<String> = None;
    if text.contains("{M") {
        let is_move = |at: &usize| stretch[*at].slot == Some(Slot::Move) || stretch[*at].slot == Some(Slot::Square);
        let mut moves: Vec<usize> = m.named.iter().copied().filter(is_move).collect();
        if moves.is_empty() {
            moves = (0..stretch.len())
                .filter(|&at| stretch[at].slot == Some(Slot::Move))
                .collect();
            if moves.len() > 1 {
                return None;
            }
        }
        if text.contains('>') {
            let (one, two) = (&stretch[*moves.first()?].text, &stretch[*moves.get(1)?].text);
            let (more, less) = if text == "{M>M2}" { (one, two) } else { (two, one) };
            return compared(world, more, less, denied);
        }
        let first = match moves.first() {
            Some(&at) => stretch[at].text.clone(),
            // What is said of the other side is not said of the move.
            None => {
                let others = sides(stretch, 0..stretch.len()).iter().any(|(_, side)| *side != mover);
                let men = stretch[..m.range.start]
                    .iter()
                    .any(|a| matches!(a.slot, Some(Slot::Men | Slot::Square)));
                if others || men {
                    return None;
                }
                world.played().san()
            }
        };
        text = text.replace("{M}", &first);
        moved = Some(first);
    }
    if text.contains("{T}") {
        let named = sides(stretch, m.range.clone()).first().map(|(_, side)| *side);
        let side = named.or_else(|| {
            let run = [move_word(&moved?)?];
            let view = world.follow(&[run.to_vec()]).views.into_iter().next()?;
            Some(crate::chess::names::color_name(view.mover()))
        })?;
        text = text.replace("{T}", side);
    }
    for (slot, wanted, nth) in [
        ("{A}", Wanted::Amount, 0),
        ("{X}", Wanted::Men, 0),
        ("{Y}", Wanted::Men, 1),
        ("{Q}", Wanted::Square, 0),
    ] {
        if text.contains(slot) {
            let at = m.named.iter().filter(|&&at| wanted.is(&stretch[at])).nth(nth)?;
            text = text.replace(slot, &stretch[*at].text);
        }
    }
    Some(text)
}

/// The move that a text is.
fn move_word(text: &str) -> Option<MoveWord> {
    chunker::parts(&token::tokens(text, 0..text.len()))
        .into_iter()
        .find_map(|part| match part.item {
            Item::Move(word) => Some(word),
            _ => None,
        })
}

/// One move is better than another: said of the one that was not played.
fn compared(world: &World<'_>, more: &str, less: &str, denied: bool) -> Option<String> {
    let played = |text: &str| {
        let tokens = token::tokens(text, 0..text.len());
        chunker::parts(&tokens).iter().any(|p| match &p.item {
            Item::Move(word) => world.is_played(word),
            Item::Np(np) => np.squares.iter().any(|s| world.played().san() == s.to_string()),
            _ => false,
        })
    };
    match (played(more), played(less)) {
        (false, true) => Some(format!("{more} was{} better.", if denied { " not" } else { "" })),
        (true, false) => Some(format!("{less} was{} better.", if denied { "" } else { " not" })),
        _ => None,
    }
}

/// "not Black": the denial strikes a side beside the one that is meant; in "is not Black's best move" it does not.
fn contrasts(stretch: &[Atom], at: usize) -> bool {
    let side = |a: &Atom| matches!(a.slot, Some(Slot::Side(_))) && !a.owns;
    stretch[at].word == "not" && at > 0 && stretch.get(at + 1).is_some_and(side)
}

fn sides(stretch: &[Atom], range: Range<usize>) -> Vec<(usize, &'static str)> {
    let named = |at: usize| match stretch[at].slot {
        Some(Slot::Side(color)) => Some((at, crate::chess::names::color_name(color))),
        _ => None,
    };
    let joined = |at: usize| {
        let beside = |a: Option<&Atom>| a.is_some_and(|a| matches!(a.word.as_str(), "and" | "than" | "or" | "nor"));
        beside(at.checked_sub(1).and_then(|i| stretch.get(i))) && named(at).is_some()
            || beside(stretch.get(at + 1))
                && stretch
                    .get(at + 2)
                    .is_some_and(|a| matches!(a.slot, Some(Slot::Side(_))))
            || at > 0 && contrasts(stretch, at - 1)
    };
    range.filter(|&at| !joined(at)).filter_map(named).collect()
}

/// The side named last before the cue, or first behind it, or in the stretch before. None where the cue may be said of
/// something else: of men, of a move, of something of the side's.
fn nearest_side(stretch: &[Atom], m: &Match, subject: Option<&'static str>) -> Option<&'static str> {
    let before = sides(stretch, 0..m.range.start);
    let from = before.last().map_or(0, |(at, _)| at + 1);
    let between = &stretch[from..m.range.start];
    let all = |a: &Atom| {
        a.light
            || matches!(
                a.word.as_str(),
                "position" | "game" | "chances" | "cause" | "situation" | "side"
            )
    };
    let owned = before.last().is_some_and(|(at, _)| stretch[*at].owns) && !between.iter().all(all);
    if owned || between.iter().any(|a| a.slot.is_some()) {
        return None;
    }
    let behind = sides(stretch, m.range.end..stretch.len());
    before.last().or(behind.first()).map(|(_, side)| *side).or(subject)
}

//! Clauses whose words the grammar does not know, put into words that it does: a cue tells what is claimed, its slots of
//! whom, the denials beside it whether it is denied. The grammar then reads "White is not better" and judges that.
//!
//! It speaks only where the grammar found nothing of the kind, of the position on the board, and where no slot is open.

use std::ops::Range;

use super::{
    ClaimKind,
    clause::Draft,
    cue::{self, Atom, Match, Slot},
    frame::Discourse,
    phrase::{Item, Part},
    restatements::{ROWS, Row},
    scene::World,
    token::Token,
    truth::Truth,
};

/// The claims that cues make and the grammar did not find.
pub fn claims(world: &World<'_>, text: &str, tokens: &[Token], parts: &[Part], found: &mut Vec<Draft>) {
    let atoms = cue::atoms(text, tokens, parts, world.mover());
    let supposes = supposes(world, &atoms, parts);
    let mut subject = None;
    for range in stretches(&atoms) {
        let stretch = &atoms[range];
        for (kind, tables) in ROWS {
            let rows = tables.iter().flat_map(|rows| rows.iter());
            if let Some(draft) = best(world, stretch, *kind, rows, subject, supposes, found) {
                found.retain(|old| old.kind != *kind || !overlap(&old.span, &draft.span));
                found.push(draft);
            }
        }
        subject = sides(stretch, 0..stretch.len())
            .first()
            .map(|(_, side)| *side)
            .or(subject);
    }
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

/// True where the sentence speaks of more than the position on the board.
fn supposes(world: &World<'_>, atoms: &[Atom], parts: &[Part]) -> bool {
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
    atoms.iter().any(|a| words.contains(&a.word.as_str()))
        || parts
            .iter()
            .any(|p| matches!(&p.item, Item::Move(word) if !world.is_played(word)))
}

fn best<'a>(
    world: &World<'_>,
    stretch: &[Atom],
    kind: ClaimKind,
    rows: impl Iterator<Item = &'a Row>,
    subject: Option<&'static str>,
    supposes: bool,
    found: &[Draft],
) -> Option<Draft> {
    let (first, last) = (stretch.first()?, stretch.last()?);
    let span = first.span.start..last.span.end;
    let known = |d: &Draft| d.kind == kind && overlap(&d.span, &span) && !matches!(d.truth, Truth::Unknown(_));
    if found.iter().any(known) {
        return None;
    }
    let mut fits: Vec<(Match, &Row)> = rows
        .filter(|row| !supposes || row.says.contains("{M") || row.says.contains("{L"))
        .filter_map(|row| cue::find(row.cue, stretch).map(|m| (m, row)))
        .collect();
    // The more words a cue names, the surer it is.
    fits.sort_by_key(|(m, _)| std::cmp::Reverse(m.named.len()));
    let drafts = fits.into_iter().find_map(|(m, row)| {
        let plain = say(world, stretch, &m, row, subject)?;
        let drafts = super::sentence_of(world, &plain, &mut Discourse::default());
        drafts.into_iter().find(|d| d.kind == kind)
    });
    drafts.map(|d| Draft { span, ..d })
}

/// The row's sentence with its slots filled. `None` where one is open or the words only suppose it.
fn say(world: &World<'_>, stretch: &[Atom], m: &Match, row: &Row, subject: Option<&'static str>) -> Option<String> {
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
    if (0..m.range.end).any(|at| !said(&at) && hoped(&stretch[at])) {
        return None;
    }
    let denials = (0..m.range.end).filter(|at| !said(at) && stretch[*at].denies && !contrasts(stretch, *at));
    let denied = (denials.count()
        + m.named
            .iter()
            .filter(|&&at| stretch[at].slot.is_some() && stretch[at].denies)
            .count())
        % 2
        == 1;
    let mut text = row.says.replace("{n}", if denied { " not" } else { "" });
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
        if text.contains("{M2}") {
            text = text.replace("{M2}", &stretch[*moves.get(1)?].text);
        }
        let first = match moves.first() {
            Some(&at) => stretch[at].text.clone(),
            None => world.played().san(),
        };
        text = text.replace("{M}", &first);
    }
    for (slot, wanted) in [("{A}", "AMOUNT"), ("{X}", "MEN"), ("{Q}", "SQUARE")] {
        if text.contains(slot) {
            let at = m.named.iter().find(|&&at| cue::is(wanted, &stretch[at]))?;
            text = text.replace(slot, &stretch[*at].text);
        }
    }
    Some(text)
}

/// "not Black": the denial strikes a side beside the one that is meant.
fn contrasts(stretch: &[Atom], at: usize) -> bool {
    stretch[at].word == "not" && at > 0 && matches!(stretch.get(at + 1).map(|a| a.slot), Some(Some(Slot::Side(_))))
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
    let owned = before.last().is_some_and(|(at, _)| stretch[*at].owns) && !between.iter().all(|a| a.light);
    if owned || between.iter().any(|a| a.slot.is_some()) {
        return None;
    }
    let behind = sides(stretch, m.range.end..stretch.len());
    before.last().or(behind.first()).map(|(_, side)| *side).or(subject)
}

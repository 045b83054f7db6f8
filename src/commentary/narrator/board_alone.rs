//! What can be said of a move before anything is searched: what no search can take back.

use super::{
    super::{
        FactSheet,
        board_facts::Found,
        fact::{Change, Detail, Moment},
        phrases::deeds,
        salience::select,
    },
    Narrator, Sentence,
};

/// The most deeds that are told.
const MOST_DEEDS: usize = 2;

/// One sentence of what the move does on the board. Whatever an engine finds later, it stays true: it speaks of no gain, no
/// threat, no danger and of nothing's worth.
#[must_use]
pub fn narrate_board(sheet: &FactSheet) -> Vec<Sentence> {
    let mut narrator = Narrator::new(sheet, 0);
    narrator.board_alone();
    narrator.said
}

impl Narrator<'_> {
    fn board_alone(&mut self) {
        if self.checkmate() {
            return;
        }
        let facts = self.facts().iter().filter(|fact| fact.moment != Moment::Before);
        let mut lasting: Vec<(Detail, _)> = facts
            .filter_map(|fact| Some((lasting(&fact.detail)?, fact.id)))
            .collect();
        let found: Vec<Found> = lasting
            .iter()
            .map(|(detail, _)| Found {
                moment: Moment::Move,
                detail: detail.clone(),
            })
            .collect();
        let told = select(&found, self.mover, MOST_DEEDS, 1);
        lasting.retain(|(detail, _)| told.contains(detail));
        lasting.sort_by_key(|(detail, _)| told.iter().position(|other| other == detail));
        if let Some(entered) = self.entered_opening() {
            lasting.truncate(1);
            // As in the comment that follows: it says where the pawn goes.
            lasting.retain(|(detail, _)| !matches!(detail, Detail::Move { .. }));
            lasting.push(entered);
        }
        let (details, ids): (Vec<Detail>, _) = lasting.into_iter().unzip();
        let acts = deeds(&details, None, &mut self.words);
        let plain = matches!(details[..], [Detail::Move { .. }]);
        self.open(None, &acts, plain, ids);
    }
}

/// The detail where it rests on the rules and on where the men stand, in words that claim no more; `None` for all others.
fn lasting(detail: &Detail) -> Option<Detail> {
    match detail {
        // "Picks up", "exchanges": how the captures end is for the search to say.
        Detail::Capture { by, taken, .. } => Some(Detail::Capture {
            by: *by,
            taken: *taken,
            gain: -1,
        }),
        // That it is a check is in its name.
        Detail::Check { by, discovered, .. } if *discovered || by.len() > 1 => Some(detail.clone()),
        Detail::Pin {
            change: Change::New,
            pin,
        } if pin.absolute() => Some(detail.clone()),
        Detail::Move { .. }
        | Detail::Stalemate { .. }
        | Detail::Draw { .. }
        | Detail::Castling { .. }
        | Detail::Promotion { .. }
        | Detail::EnPassant { .. }
        | Detail::Recapture { .. } => Some(detail.clone()),
        _ => None,
    }
}

//! What the network proposes, as the rows have it: the chunks of its slots caught, and what its predicate and flags fix.

use std::ops::Range;

use shakmaty::Color;

use super::{
    super::statement::{Designation, Mode, Predicate, Qualifier},
    chunk::Item,
    fixed::Fix,
    network::{Proposal, Slot},
    pattern::{Caught, pawns},
    readings::Reading,
    referent::mover,
    sentence::Sentence,
};

/// Chunks that a claim may stretch over.
const FARTHEST: usize = 16;

impl Sentence<'_> {
    /// The chunks that a proposal takes in.
    pub(super) fn extent(proposal: &Proposal) -> Option<Range<usize>> {
        proposal.chunks().map(|(first, end)| first..end)
    }

    /// What a proposal says; nothing where its chunks are not what its predicate needs.
    pub(super) fn proposed(&self, proposal: &Proposal) -> Option<Reading> {
        use Predicate as P;
        let extent = Self::extent(proposal).unwrap_or(0..self.chunks.len());
        // What stands so far apart is seldom one claim.
        if proposal.chunks().is_some() && extent.len() > FARTHEST {
            return None;
        }
        let modal = self.chunks[extent.start.saturating_sub(1)..extent.end]
            .iter()
            .find_map(|chunk| match &chunk.item {
                Item::Modal(word) => Some(word.as_str()),
                _ => None,
            });
        let mut caught = Caught {
            proposed: true,
            denials: usize::from(proposal.denied),
            was: proposal.was,
            modal,
            end: extent.end,
            ..Caught::default()
        };
        let mut fixed: Vec<Fix> = Vec::new();
        let item = |at: usize| &self.chunks[at].item;
        if let Some(at) = proposal.chunk(Slot::Moves)
            && let Item::Moves(moves) = item(at)
        {
            caught.moves = Some((moves, at));
        }
        match proposal.chunk(Slot::Subject).map(|at| (at, item(at))) {
            Some((at, Item::Men(_) | Item::Pronoun(_))) => caught.subject = Some(at),
            Some((at, Item::Moves(moves))) => caught.moves = Some((moves, at)),
            Some((_, Item::Side(side))) => caught.side = Some(*side),
            _ => {}
        }
        match proposal.chunk(Slot::Object).map(|at| (at, item(at))) {
            Some((at, Item::Men(_) | Item::Pronoun(_) | Item::Squares(_))) => caught.object = Some(at),
            Some((_, Item::Moves(_))) | None => {}
            Some(_) => return None,
        }
        caught.behind = proposal
            .chunk(Slot::Behind)
            .filter(|at| matches!(item(*at), Item::Men(_)));
        match proposal.chunk(Slot::Side).map(item) {
            Some(Item::Side(side)) => caught.side = Some(*side),
            Some(Item::Men(men)) => caught.side = men.each.first().and_then(|(man, _)| man.color),
            _ => {}
        }
        if let Some(Item::Files(files)) = proposal.chunk(Slot::Files).map(item) {
            caught.files.clone_from(files);
        }
        match proposal.chunk(Slot::Number).map(item) {
            Some(Item::Men(men)) => {
                caught.counted = Some(men);
                caught.amount = pawns(men);
            }
            Some(Item::Amount(amount, how)) => caught.amount = Some((*amount, *how)),
            Some(Item::Number(number)) => caught.number = Some(*number),
            Some(Item::Word(word)) if word == "exchange" => fixed.push(Fix::Exchange),
            Some(Item::Not | Item::Word(_)) | None => {}
            Some(_) => return None,
        }
        if let Some(Item::Men(men)) = proposal.chunk(Slot::Against).map(item) {
            caught.against = Some(men);
            fixed.push(Fix::For);
        }
        if proposal.other {
            fixed.push(Fix::Other);
        }
        caught.degree = proposal
            .qualifier
            .filter(|qualifier| suits(proposal.predicate, *qualifier));
        let wants_subject = matches!(
            proposal.predicate,
            P::Attacks | P::Defends | P::Pins | P::Forks | P::Skewers | P::ThreatensToTake | P::Blocks | P::Takes
        );
        if wants_subject && caught.subject.is_none() {
            caught.by = match caught.moves {
                Some((moves, _)) => Some(mover(&moves.last()?.san)?),
                None => caught.side.map(of_side),
            };
        }
        match proposal.predicate {
            P::CanTake | P::CanGo | P::CanCastle | P::Playable => fixed.push(Fix::Able),
            P::Takes | P::Goes => fixed.extend([Fix::Told, Fix::Deed]),
            P::Ahead if caught.counted.is_none() && !fixed.contains(&Fix::Exchange) => {
                if caught.amount.is_some() {
                    return None;
                }
                fixed.push(Fix::Bare);
            }
            P::BestMove | P::OnlyMove | P::BetterMove | P::EquallyGood if caught.moves.is_none() => return None,
            P::Better if proposal.qualifier == Some(Qualifier::Winning) => fixed.push(Fix::Winning),
            _ => {}
        }
        if proposal.castled {
            fixed.push(Fix::Castled);
        }
        if proposal.predicate == P::CanTake && caught.subject.is_none() {
            fixed.push(Fix::Side);
        }
        let mut reading = self.reading(proposal.predicate, fixed.into_iter().collect(), &caught, extent.start)?;
        if proposal.mode != Mode::Asserted && !is_of_ability(proposal.predicate) {
            for statement in reading.alternatives.iter_mut().chain(&mut reading.elsewhere).flatten() {
                statement.mode = proposal.mode;
            }
        }
        Some(reading)
    }
}

/// Whether what can be done is claimed, which modal verbs say, too.
const fn is_of_ability(predicate: Predicate) -> bool {
    matches!(
        predicate,
        Predicate::CanTake | Predicate::CanGo | Predicate::CanCastle | Predicate::Playable
    )
}

/// Any man of a side.
fn of_side(color: Color) -> Designation {
    Designation {
        color: Some(color),
        ..Designation::default()
    }
}

/// Whether a qualifier says something of such a claim.
const fn suits(predicate: Predicate, qualifier: Qualifier) -> bool {
    use Qualifier as Q;
    match predicate {
        Predicate::Better => matches!(qualifier, Q::Slight | Q::Clear | Q::Winning),
        Predicate::MoveQuality => matches!(qualifier, Q::Good | Q::Inaccuracy | Q::Mistake | Q::Blunder),
        Predicate::Castles | Predicate::CanCastle | Predicate::Majority => {
            matches!(qualifier, Q::Kingside | Q::Queenside)
        }
        Predicate::GamePhase => matches!(qualifier, Q::Opening | Q::Middlegame | Q::Endgame),
        _ => false,
    }
}

//! Whether a statement holds: the board and the engine's lines decide, by the definitions that the fact sheet uses, too.
//!
//! Three answers, never a guess: what the definitions leave to taste (a king's safety, a fork whose forker can be taken) is
//! open, and so is what no line of the engine reaches.

mod contact;
mod deeds;
mod engine;
mod finding;
mod material;
mod moves;
mod placement;
mod proof;
mod scene;
mod structure;
mod tactics;

pub use proof::{Proof, prove};

use self::{
    finding::{Absent, Finding},
    scene::Scene,
};
use super::{
    statement::{Mode, Predicate, Statement},
    truth::Truth,
};
use crate::commentary::FactSheet;

/// Whether `statement` holds of the move that `sheet` is about.
///
/// What is denied is judged as its opposite; what is only supposed, asked or wished is never wrong. Men that don't stand where
/// the statement has them make it wrong, unless they stood there before the move, or it is denied; so do moves that can't be
/// played.
#[must_use]
pub fn evaluate(statement: &Statement, sheet: &FactSheet) -> Truth {
    // What can be played is asked of the position that is named; other claims may begin elsewhere.
    let strict = statement.predicate == Predicate::Playable;
    let scene = match Scene::of(sheet, &statement.line, strict) {
        Ok(scene) => scene,
        Err(error) => {
            let truth = match (statement.predicate, statement.denied) {
                (Predicate::Playable, denied) => Truth::no(error).negated(denied),
                (_, true) => Truth::unknown(error),
                (_, false) => Truth::no(error),
            };
            return said(truth, statement.mode);
        }
    };
    let truth = judged(statement, &scene).unwrap_or_else(|absent| match (absent, statement.denied) {
        (Absent::Never(reason), false) => Truth::no(reason),
        (Absent::Never(reason) | Absent::Elsewhere(reason) | Absent::Unnamed(reason), _) => Truth::unknown(reason),
    });
    // "He may yet castle": what can be done is said by such words, not supposed.
    let ability = matches!(
        statement.predicate,
        Predicate::CanCastle | Predicate::CanGo | Predicate::CanTake | Predicate::Playable
    );
    let mode = if ability && statement.mode == Mode::Supposed {
        Mode::Asserted
    } else {
        statement.mode
    };
    said(truth, mode)
}

/// What is not asserted can't be wrong.
fn said(truth: Truth, mode: Mode) -> Truth {
    match mode {
        Mode::Asserted => truth,
        Mode::Supposed => truth.lenient("It is supposed, not said."),
        Mode::Asked => truth.lenient("It is asked, not said."),
        Mode::Wished => truth.lenient("It is intended, not said to be so."),
    }
}

fn judged(statement: &Statement, scene: &Scene<'_>) -> Finding {
    use Predicate as P;
    let plain = match statement.predicate {
        P::Stands | P::Empty | P::Count | P::Blocks | P::Undeveloped | P::ToMove | P::GamePhase | P::KingUnsafe => {
            placement::judge(statement, scene)
        }
        P::Playable | P::LegalMoves | P::CanGo | P::CanTake | P::CanCastle => moves::judge(statement, scene),
        P::Goes
        | P::Takes
        | P::Recaptures
        | P::Trades
        | P::Castles
        | P::Promotes
        | P::GivesCheck
        | P::InCheck
        | P::Checkmate
        | P::Stalemate
        | P::Develops => deeds::judge(statement, scene),
        P::Attacks | P::Defends | P::Undefended | P::Hanging | P::ThreatensToTake => contact::judge(statement, scene),
        P::Trapped | P::Pins | P::Forks | P::Skewers | P::Uncovers | P::Battery | P::ThreatensMate => {
            tactics::judge(statement, scene)
        }
        P::Passed
        | P::Isolated
        | P::Doubled
        | P::Connected
        | P::Backward
        | P::PawnIslands
        | P::Majority
        | P::OpenFile
        | P::HalfOpenFile
        | P::Outpost => structure::judge(statement, scene),
        P::Ahead | P::Level | P::BishopPair | P::Wins | P::GivesUp => material::judge(statement, scene),
        P::Better
        | P::Equal
        | P::Score
        | P::BestMove
        | P::BetterMove
        | P::EquallyGood
        | P::OnlyMove
        | P::MoveQuality
        | P::ForcedMate => engine::judge(statement, scene),
    };
    plain.map(|truth| truth.negated(statement.denied))
}

//! How good a checker of claims is: comments whose claims are labelled true or false, and the score of any checker's verdicts
//! on them. `docs/claims.md` says how they are counted, and has the figures.

mod by_predicate;
mod labelled;
mod own_word;
mod position;
mod score;

pub use by_predicate::{ByPredicate, Misses};
pub use labelled::{Comment, CommentError, LabelledClaim, comments};
pub use own_word::{Held, OwnWord};
pub use position::{Origin, PositionError, Positions, RecordedLine, RecordedPosition, recorded_positions};
pub use score::{Found, Score, Verdicts, marked};

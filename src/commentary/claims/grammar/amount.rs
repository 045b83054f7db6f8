//! Amounts of material in words.

use shakmaty::Role;

use super::{
    lexicon::Thing,
    phrase::{Head, Np},
};

/// An amount of material in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Amount {
    /// An amount that is not said: "material".
    Some,
    /// So many of a role.
    Men(Role, u32),
    /// Two of a role, or more: "several pawns".
    Several(Role),
    /// A minor piece or more.
    Piece(u32),
    /// Rook for minor piece.
    Exchange,
    /// So many points, a pawn being worth one.
    Points(i32),
}

/// The amount that a noun phrase means, if it means one.
pub fn amount(np: &Np) -> Option<Amount> {
    let n = np.count.unwrap_or(if np.plural { 2 } else { 1 });
    Some(match np.head {
        Head::Role(role) if role != Role::King && np.plural && np.count.is_none() => Amount::Several(role),
        Head::Role(role) if role != Role::King => Amount::Men(role, n),
        Head::Piece | Head::Minor => Amount::Piece(n),
        Head::Major => Amount::Men(Role::Rook, n),
        Head::Thing(Thing::Material) => Amount::Some,
        Head::Thing(Thing::Exchange) => Amount::Exchange,
        Head::Thing(Thing::Point) => Amount::Points(i32::try_from(n).unwrap_or(i32::MAX)),
        _ => return None,
    })
}

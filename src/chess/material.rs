//! Counting material, and saying in words what was gained.

use shakmaty::{Board, Color, Role};

use super::names::role_name;

/// A piece's worth in pawns: the textbook 1, 3, 3, 5, 9. The king counts more than everything else together.
#[must_use]
pub const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 1000,
    }
}

/// `side`'s material less the other side's, in pawns; kings are not counted.
#[must_use]
pub fn balance(board: &Board, side: Color) -> i32 {
    let count = |color| -> i32 {
        let men = board.material_side(color);
        Role::ALL
            .into_iter()
            .filter(|&role| role != Role::King)
            .map(|role| i32::from(*men.get(role)) * value(role))
            .sum()
    };
    count(side) - count(side.other())
}

/// A side's pieces without pawns and king, in pawns.
#[must_use]
pub fn pieces(board: &Board, side: Color) -> i32 {
    let men = board.material_side(side);
    [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
        .into_iter()
        .map(|role| i32::from(*men.get(role)) * value(role))
        .sum()
}

/// What one side has more of than the other, man against man; a knight weighs a bishop.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Surplus {
    /// What the side has more of, dearest first.
    pub more: Vec<Role>,
    /// What it has less of, dearest first.
    pub less: Vec<Role>,
    /// What a pawn of its has become on the way, beside all that; the pawn counts as kept.
    pub promoted: Option<Role>,
}

impl Surplus {
    /// `side`'s surplus on `board`.
    #[must_use]
    pub fn of(board: &Board, side: Color) -> Self {
        let ours = board.material_side(side);
        let theirs = board.material_side(side.other());
        Self::from_counts(|role| i32::from(*ours.get(role)) - i32::from(*theirs.get(role)))
    }

    /// What `side` has gained from `before` to `after`.
    #[must_use]
    pub fn gained(before: &Board, after: &Board, side: Color) -> Self {
        let difference = |board: &Board, role| {
            i32::from(*board.material_side(side).get(role)) - i32::from(*board.material_side(side.other()).get(role))
        };
        Self::from_counts(|role| difference(after, role) - difference(before, role))
    }

    /// What is gained beside a pawn's becoming `into`: "promotes to a queen" has said that.
    #[must_use]
    pub fn beside_promotion(&self, into: Role) -> Self {
        let mut left = self.clone();
        if let Some(at) = left.more.iter().position(|role| *role == into) {
            left.more.remove(at);
            match left.less.iter().position(|role| *role == Role::Pawn) {
                Some(pawn) => drop(left.less.remove(pawn)),
                None => left.more.push(Role::Pawn),
            }
        }
        left
    }

    fn from_counts(count: impl Fn(Role) -> i32) -> Self {
        let mut surplus = Self::default();
        let mut put = |role, n: i32| {
            let to = if n > 0 { &mut surplus.more } else { &mut surplus.less };
            to.extend(std::iter::repeat_n(role, n.unsigned_abs() as usize));
        };
        put(Role::Queen, count(Role::Queen));
        put(Role::Rook, count(Role::Rook));
        let (mut knights, mut bishops) = (count(Role::Knight), count(Role::Bishop));
        while knights * bishops < 0 {
            knights -= knights.signum();
            bishops -= bishops.signum();
        }
        put(Role::Bishop, bishops);
        put(Role::Knight, knights);
        put(Role::Pawn, count(Role::Pawn));
        surplus
    }

    /// Pawns' worth, positive for the side.
    #[must_use]
    pub fn points(&self) -> i32 {
        let sum = |roles: &[Role]| roles.iter().copied().map(value).sum::<i32>();
        let new = self.promoted.map_or(0, |into| value(into) - value(Role::Pawn));
        sum(&self.more) - sum(&self.less) + new
    }

    /// The same from the other side, whose own pawns it does not speak of.
    #[must_use]
    pub fn reversed(&self) -> Self {
        Self {
            more: self.less.clone(),
            less: self.more.iter().copied().chain(self.promoted).collect(),
            promoted: None,
        }
    }

    /// The same without what a pawn has become, where that is said otherwise.
    #[must_use]
    pub fn without_promotion(&self) -> Self {
        Self {
            promoted: None,
            ..self.clone()
        }
    }

    /// What is won, as the object of "wins": "a pawn", "two pawns", "the exchange", "a rook for a knight". `None` when
    /// nothing is won on balance.
    #[must_use]
    pub fn in_words(&self) -> Option<String> {
        if self.points() <= 0 || (self.more.is_empty() && self.promoted.is_none()) {
            return None;
        }
        if let Some(into) = self.promoted {
            let new = format!("a new {}", role_name(into));
            return Some(match (&self.more[..], self.price()) {
                ([], None) => new,
                ([], Some(price)) => format!("{new} for {price}"),
                (more, None) => format!("{} and {new}", list(more)),
                (more, Some(price)) => format!("{} and {new} for {price}", list(more)),
            });
        }
        let minor = |role: &Role| matches!(role, Role::Knight | Role::Bishop);
        if let ([Role::Rook], [less]) = (&self.more[..], &self.less[..])
            && minor(less)
        {
            return Some("the exchange".to_owned());
        }
        if let ([Role::Rook, Role::Pawn], [less]) = (&self.more[..], &self.less[..])
            && minor(less)
        {
            return Some("the exchange and a pawn".to_owned());
        }
        let won = list(&self.more);
        Some(if self.less.is_empty() {
            won
        } else {
            format!("{won} for {}", list(&self.less))
        })
    }
}

impl Surplus {
    /// What is won beside one `role`, to follow its name: nothing, " and a pawn", " for a pawn", " and another
    /// knight for two pawns".
    /// `None` where no such man is won.
    #[must_use]
    pub fn besides(&self, role: Role) -> Option<String> {
        let at = self.more.iter().position(|&won| won == role)?;
        let mut rest = self.more.clone();
        rest.remove(at);
        let more = match rest[..] {
            [] => String::new(),
            [same] if same == role => format!(" and another {}", role_name(role)),
            _ => format!(" and {}", list(&rest)),
        };
        let price = self.price().map_or(String::new(), |price| format!(" for {price}"));
        Some(more + &price)
    }

    /// What is given for it: "a knight and a pawn"; `None` when nothing is.
    #[must_use]
    pub fn price(&self) -> Option<String> {
        (!self.less.is_empty()).then(|| list(&self.less))
    }
}

/// "a rook and two pawns".
fn list(roles: &[Role]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut rest = roles;
    while let Some(&role) = rest.first() {
        let n = rest.iter().take_while(|&&r| r == role).count();
        rest = &rest[n..];
        let name = role_name(role);
        parts.push(match n {
            1 => format!("a {name}"),
            2 => format!("two {name}s"),
            3 => format!("three {name}s"),
            _ => format!("several {name}s"),
        });
    }
    join(&parts)
}

/// "a", "a and b", "a, b and c".
#[must_use]
pub fn join(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn surplus(more: &[Role], less: &[Role]) -> Surplus {
        Surplus {
            more: more.to_vec(),
            less: less.to_vec(),
            promoted: None,
        }
    }

    #[test]
    fn what_comes_beside_a_man_is_listed() {
        use Role::{Knight, Pawn, Queen, Rook};
        for (more, less, role, words) in [
            (&[Knight][..], &[][..], Knight, Some("")),
            (&[Knight], &[Pawn], Knight, Some(" for a pawn")),
            (&[Queen, Pawn], &[Knight], Queen, Some(" and a pawn for a knight")),
            (
                &[Knight, Knight],
                &[Pawn, Pawn],
                Knight,
                Some(" and another knight for two pawns"),
            ),
            (&[Rook], &[], Knight, None),
        ] {
            assert_eq!(surplus(more, less).besides(role).as_deref(), words, "{more:?} {less:?}");
        }
    }

    #[test]
    fn gains_read_like_chess() {
        use Role::{Bishop, Knight, Pawn, Queen, Rook};
        for (more, less, words) in [
            (&[Pawn][..], &[][..], Some("a pawn")),
            (&[Pawn, Pawn], &[], Some("two pawns")),
            (&[Rook], &[Knight], Some("the exchange")),
            (&[Rook, Pawn], &[Bishop], Some("the exchange and a pawn")),
            (&[Rook], &[Bishop, Pawn], Some("a rook for a bishop and a pawn")),
            (&[Queen], &[Rook, Rook], None),
            (&[Bishop, Pawn], &[], Some("a bishop and a pawn")),
            (&[], &[Knight], None),
        ] {
            assert_eq!(
                surplus(more, less).in_words().as_deref(),
                words,
                "{more:?} for {less:?}"
            );
        }
    }

    #[test]
    fn a_new_queen_is_not_a_queen_won() {
        let gained = surplus(&[Role::Queen, Role::Bishop], &[Role::Pawn, Role::Pawn]).beside_promotion(Role::Queen);
        let gained = Surplus {
            promoted: Some(Role::Queen),
            ..gained
        };
        assert_eq!(gained.points(), 9 + 3 - 2);
        assert_eq!(
            gained.in_words().as_deref(),
            Some("a bishop and a new queen for a pawn")
        );
        assert_eq!(
            gained.without_promotion().in_words().as_deref(),
            Some("a bishop for a pawn")
        );
    }

    #[test]
    fn the_start_is_level() {
        assert_eq!(balance(&Board::new(), Color::White), 0);
        assert_eq!(Surplus::of(&Board::new(), Color::Black), Surplus::default());
        assert_eq!(pieces(&Board::new(), Color::White), 31);
    }
}

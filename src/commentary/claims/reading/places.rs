//! Where men are: squares they go to or stand on, bishops by the colour of their squares, who has castled.

use shakmaty::{Color, Role};

use super::{
    super::statement::{Designation, Mode, Predicate, Shade, Statement},
    chunk::{Item, Men},
    fixed::Fixed,
    pattern::Caught,
    referent::Meant,
    sentence::Sentence,
};

/// The king's colour, where men are a king.
pub fn king(men: &Men) -> Option<Color> {
    match men.each.as_slice() {
        [(man, _)] if man.role == Some(Role::King) => man.color,
        _ => None,
    }
}

/// "Bishops of opposite colours": each side's only one.
pub(super) fn bishops_of_shades(caught: &Caught<'_>, same: bool, plain: &Statement) -> Option<Vec<Vec<Statement>>> {
    let men = caught.counted?;
    let bishops = matches!(men.each.as_slice(), [(man, _)] if man.role == Some(Role::Bishop) && man.color.is_none());
    let of = |color, shade, number| Statement {
        subject: Some(Designation {
            color: Some(color),
            role: Some(Role::Bishop),
            shade: Some(shade),
            ..Designation::default()
        }),
        number: Some(number),
        ..plain.clone()
    };
    let pair = |white, black| {
        let other = |shade| {
            if shade == Shade::Light {
                Shade::Dark
            } else {
                Shade::Light
            }
        };
        vec![
            of(Color::White, white, 1),
            of(Color::White, other(white), 0),
            of(Color::Black, black, 1),
            of(Color::Black, other(black), 0),
        ]
    };
    let (light, dark) = (Shade::Light, Shade::Dark);
    let meant = if same {
        vec![pair(light, light), pair(dark, dark)]
    } else {
        vec![pair(light, dark), pair(dark, light)]
    };
    (bishops && men.many && !plain.denied).then_some(meant)
}

impl Sentence<'_> {
    /// "The bishop runs on dark squares": the one on its square, or as many of its side's as are named.
    pub(super) fn of_shade(&self, caught: &Caught<'_>, shade: Shade, plain: Statement) -> Option<Vec<Vec<Statement>>> {
        let at = caught.subject?;
        let shaded = |man: Designation| Designation {
            shade: Some(shade),
            ..man
        };
        if let Item::Men(men) = &self.chunks[at].item
            && let ([(man, count)], true) = (men.each.as_slice(), men.many)
        {
            let both = man.role == Some(Role::Bishop) && man.color.is_some() && man.square.is_none();
            let number = count.unwrap_or(2);
            let count = Statement {
                predicate: Predicate::Count,
                subject: Some(shaded(*man)),
                number: Some(number),
                ..plain
            };
            return both.then(|| vec![vec![count]]);
        }
        let meant = self.men_at(at)?;
        let one = |men: &Vec<Designation>| matches!(men.as_slice(), [man] if man.square.is_some() && man.role.is_none_or(|role| role == Role::Bishop));
        let known: Meant = meant.into_iter().filter(one).collect();
        (!known.is_empty()).then(|| {
            self.each(&known, |man| Statement {
                subject: Some(shaded(man)),
                ..plain.clone()
            })
        })
    }

    /// Where somebody goes or stands.
    pub(super) fn placed(
        &self,
        predicate: Predicate,
        caught: &Caught<'_>,
        at: usize,
        plain: Statement,
    ) -> Option<Vec<Vec<Statement>>> {
        let Item::Squares(squares) = &self.chunks[caught.object?].item else {
            return None;
        };
        let subject = match caught.subject {
            Some(subject) => self.men_at(subject)?,
            None if predicate == Predicate::Goes => self.mentions.before(self.chunks, at)?,
            None => return None,
        };
        let [square] = squares.as_slice() else { return None };
        let of = |man: Designation| match predicate {
            Predicate::Goes => Statement {
                subject: Some(Designation { square: None, ..man }),
                squares: vec![*square],
                ..plain.clone()
            },
            _ => Statement {
                subject: Some(Designation {
                    square: Some(*square),
                    file: None,
                    ..man
                }),
                ..plain.clone()
            },
        };
        let alone = subject.iter().all(|men| men.len() == 1);
        (alone && !plain.denied).then(|| self.each(&subject, of))
    }

    /// Whoever has castled has lost the right, and his king has left its square.
    pub(super) fn castled(&self, caught: &Caught<'_>, at: usize, plain: Statement) -> Option<Vec<Vec<Statement>>> {
        // "could have castled": he has not.
        if plain.denied || plain.mode != Mode::Asserted {
            return None;
        }
        let king = |men: &Men| matches!(men.each.as_slice(), [(man, _)] if man.role == Some(Role::King));
        let of = match caught.subject {
            Some(subject) => match &self.chunks[subject].item {
                Item::Men(men) if king(men) => men.each[0].0.color?,
                _ => return None,
            },
            None => match caught.counted {
                Some(men) if !king(men) => return None,
                _ => self.side_of(&plain, at, Fixed::default())?,
            },
        };
        let man = Designation {
            color: Some(of),
            role: Some(Role::King),
            ..Designation::default()
        };
        let right = Statement {
            predicate: Predicate::CanCastle,
            side: Some(of),
            denied: true,
            ..plain.clone()
        };
        let home = Statement {
            subject: Some(man),
            denied: true,
            side: None,
            ..plain
        };
        Some(vec![vec![right, home]])
    }

    /// What is said of one man by itself: that it is developed, on an outpost, trapped.
    pub(super) fn alone_said(&self, at: Option<usize>, plain: Statement) -> Option<Vec<Vec<Statement>>> {
        let meant = self.men_at(at?)?;
        // That one of several is meant says nothing of the others.
        let named = meant
            .iter()
            .flatten()
            .all(|man| man.role.is_some() || man.square.is_some());
        (named && !(plain.denied && meant.iter().any(|men| men.len() > 1))).then(|| {
            self.each(&meant, |man| Statement {
                subject: Some(man),
                side: None,
                ..plain.clone()
            })
        })
    }
}

//! How many and how much: counts of men, material ahead, what a move wins.

use shakmaty::{Color, Role};

use super::{
    super::statement::{Designation, Predicate, Qualifier, Statement},
    chunk::{Chunk, Item, Men},
    pattern::Caught,
    sentence::Sentence,
};
use crate::chess::material::value;

/// What men are worth together; nothing where a king or a man that is not named is among them.
fn points(men: &Men) -> Option<i32> {
    men.each
        .iter()
        .map(|(man, count)| {
            let role = man.role.filter(|role| *role != Role::King)?;
            Some(value(role) * count.unwrap_or(1))
        })
        .sum()
}

impl Sentence<'_> {
    pub(super) fn count(
        &self,
        caught: &Caught<'_>,
        at: usize,
        plain: Statement,
        fixed: &dyn Fn(&str) -> bool,
    ) -> Option<Vec<Vec<Statement>>> {
        if fixed("off") {
            let Item::Men(men) = &self.chunks[caught.subject?].item else {
                return None;
            };
            let [(man, None)] = men.each.as_slice() else {
                return None;
            };
            let many = men.many && man.color.is_none() && man.square.is_none();
            let of = |side| Statement {
                subject: Some(Designation {
                    color: Some(side),
                    ..*man
                }),
                number: Some(0),
                side: None,
                ..plain.clone()
            };
            return (many && men.definite && man.file.is_none() && !plain.denied)
                .then(|| vec![vec![of(Color::White), of(Color::Black)]]);
        }
        let men = caught.counted?;
        let ends = match self.chunks.get(caught.end).map(|chunk| &chunk.item) {
            None | Some(Item::Break(_)) => true,
            Some(Item::Word(word)) => {
                matches!(
                    word.as_str(),
                    "and" | "against" | "while" | "but" | "left" | "to" | "each" | "though" | "although"
                )
            }
            _ => false,
        };
        if !ends || men.definite || men.extra || men.how == Some(Qualifier::About) {
            return None;
        }
        let sides = if fixed("each") {
            vec![Color::White, Color::Black]
        } else {
            vec![plain.side.or_else(|| self.side_before(at))?]
        };
        let mut statements = Vec::new();
        let nobody = fixed("each") && plain.denied;
        let plain = Statement { denied: false, ..plain };
        let against = caught.against.map(|men| (men, sides[0].other()));
        for (men, side) in sides.into_iter().map(|side| (men, side)).chain(against) {
            for (man, count) in &men.each {
                let elsewhere =
                    man.square.is_some() || man.file.is_some() || man.color.is_some_and(|color| color != side);
                if elsewhere || !men.epithets.is_empty() {
                    return None;
                }
                let only = self.chunks[at..caught.end].iter().any(|chunk| chunk.word() == "only");
                let (number, qualifier) = match count {
                    _ if men.none || nobody => (0, None),
                    Some(number) if *number > 1 || only || men.exact => (*number, men.how),
                    // Of both sides all is told.
                    _ if caught.against.is_some() && !men.many => (count.unwrap_or(1), men.how),
                    _ => (0, Some(Qualifier::MoreThan)),
                };
                statements.push(Statement {
                    subject: Some(Designation {
                        color: Some(side),
                        ..*man
                    }),
                    number: Some(number),
                    qualifier,
                    side: None,
                    ..plain.clone()
                });
            }
        }
        (!statements.is_empty() && (nobody || caught.denials == 0)).then(|| vec![statements])
    }

    pub(super) fn ahead(
        &self,
        caught: &Caught<'_>,
        at: usize,
        plain: Statement,
        fixed: &dyn Fn(&str) -> bool,
    ) -> Option<Vec<Vec<Statement>>> {
        let side = match plain.side {
            Some(side) => side,
            None => {
                let side = self.side_before(at)?;
                if fixed("other") { side.other() } else { side }
            }
        };
        let plain = Statement {
            side: Some(side),
            ..plain
        };
        let goes_on = |word: &str| self.chunks.get(caught.end).is_some_and(|chunk| chunk.word() == word);
        if fixed("exchange") && (goes_on("for") || goes_on("and")) {
            return None;
        }
        if fixed("exchange") {
            return Some(vec![vec![Statement {
                number: Some(2),
                ..plain
            }]]);
        }
        if fixed("bare") {
            return Some(vec![vec![plain]]);
        }
        let has = |word: &str| self.chunks.iter().any(|chunk| chunk.word() == word);
        if has("up") && has("down") {
            return None;
        }
        let men = caught.counted?;
        // "a rook short, with two extra pawns": all of it together.
        let against = |chunk: &Chunk| matches!(chunk.word(), "short" | "down" | "behind" | "for" | "against");
        if fixed("extra") && self.chunks.iter().any(against) {
            return None;
        }
        if men.definite || men.none || fixed("extra") && !men.extra {
            return None;
        }
        if let Some(against) = caught.against {
            let more = self
                .chunks
                .get(caught.end)
                .is_some_and(|chunk| matches!(chunk.word(), "plus" | "and" | "with"));
            if against.extra || more {
                return None;
            }
            let points = points(men)? - points(against)?;
            // The row's side is the one that is ahead.
            let (side, points) = if points < 0 {
                (side.other(), -points)
            } else {
                (side, points)
            };
            let level = Statement {
                predicate: Predicate::Level,
                side: None,
                ..plain.clone()
            };
            let ahead = Statement {
                number: Some(points),
                side: Some(side),
                ..plain
            };
            return Some(vec![vec![if points == 0 { level } else { ahead }]]);
        }
        // "ahead for a knight": of what stands against it nothing is read.
        let word = |at: usize| self.chunks.get(at).map_or("", |chunk| chunk.word());
        let behind = word(caught.end);
        if matches!(behind, "for" | "against") || behind == "in" && word(caught.end + 1) != "material" {
            return None;
        }
        let mut objects = Vec::new();
        for (man, count) in &men.each {
            if man.square.is_some() || man.file.is_some() || man.role.is_none() {
                return None;
            }
            let man = Designation {
                color: Some(side),
                ..*man
            };
            objects.extend(std::iter::repeat_n(
                man,
                usize::try_from(count.unwrap_or(1)).ok()?.min(9),
            ));
        }
        // "two pawns up" may be the engine's score.
        let pawns = objects.iter().all(|man| man.role == Some(Role::Pawn));
        let score = Statement {
            predicate: Predicate::Score,
            number: i32::try_from(objects.len()).ok().map(|pawns| pawns * 100),
            qualifier: men.how.or(Some(Qualifier::About)),
            ..plain.clone()
        };
        // "Exactly a rook": as many points, whoever they are.
        let exact = men.exact || self.chunks[at..caught.end].iter().any(|chunk| chunk.word() == "only");
        let said = if exact && !pawns {
            let number = points(men)?;
            Statement {
                number: Some(number),
                ..plain
            }
        } else {
            Statement {
                objects,
                qualifier: men.how,
                ..plain
            }
        };
        let mut alternatives = vec![vec![said]];
        if pawns {
            alternatives.push(vec![score]);
        }
        Some(alternatives)
    }

    pub(super) fn wins(&self, caught: &Caught<'_>, plain: Statement) -> Option<Vec<Vec<Statement>>> {
        let (moves, _) = caught.moves?;
        let last = moves.last()?;
        let ply = last.ply?;
        let side = if ply % 2 == 0 { Color::White } else { Color::Black };
        let Item::Men(men) = &self.chunks[caught.object?].item else {
            return None;
        };
        // "wins the exchange", "wins it" and more than one are not read.
        let [(man, _)] = men.each.as_slice() else { return None };
        let role = man.role.filter(|role| *role != Role::King)?;
        let object = Designation {
            color: Some(side.other()),
            role: Some(role),
            ..*man
        };
        (!plain.denied && !men.none).then(|| {
            vec![vec![Statement {
                side: Some(side),
                objects: vec![object],
                ..plain
            }]]
        })
    }
}

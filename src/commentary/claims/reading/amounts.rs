//! How many and how much: counts of men, material ahead, what a move wins.

use shakmaty::{Color, Role};

use super::{
    super::statement::{Designation, Predicate, Qualifier, Statement},
    chunk::{Chunk, Item, Men},
    fixed::{Fix, Fixed},
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
        fixed: Fixed,
    ) -> Option<Vec<Vec<Statement>>> {
        if fixed.has(Fix::Off) {
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
        let sides = if fixed.has(Fix::Each) {
            vec![Color::White, Color::Black]
        } else {
            vec![self.side_of(&plain, at, fixed)?]
        };
        let mut statements = Vec::new();
        let nobody = fixed.has(Fix::Each) && plain.denied;
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
        fixed: Fixed,
    ) -> Option<Vec<Vec<Statement>>> {
        let side = self.side_of(&plain, at, fixed)?;
        let plain = Statement {
            side: Some(side),
            ..plain
        };
        let goes_on = |word: &str| self.chunks.get(caught.end).is_some_and(|chunk| chunk.word() == word);
        if fixed.has(Fix::Exchange) && (goes_on("for") || goes_on("and")) {
            return None;
        }
        if fixed.has(Fix::Exchange) {
            return Some(vec![vec![Statement {
                number: Some(2),
                ..plain
            }]]);
        }
        if fixed.has(Fix::Bare) {
            return Some(vec![vec![plain]]);
        }
        let has = |word: &str| self.chunks.iter().any(|chunk| chunk.word() == word);
        if has("up") && has("down") {
            return None;
        }
        let men = caught.counted?;
        // "a rook short, with two extra pawns": all of it together.
        let against = |chunk: &Chunk| matches!(chunk.word(), "short" | "down" | "behind" | "for" | "against");
        if fixed.has(Fix::Extra) && self.chunks.iter().any(against) {
            return None;
        }
        if men.definite || men.none || fixed.has(Fix::Extra) && !men.extra {
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
        let of_scores = |chunk: &Chunk| {
            matches!(
                chunk.word(),
                "engine"
                    | "evaluation"
                    | "verdict"
                    | "assessment"
                    | "score"
                    | "about"
                    | "worth"
                    | "better"
                    | "advantage"
            )
        };
        if pawns && (men.how.is_some() || self.chunks.iter().any(of_scores)) {
            alternatives.push(vec![score]);
        }
        Some(alternatives)
    }

    pub(super) fn wins(&self, caught: &Caught<'_>, plain: Statement) -> Option<Vec<Vec<Statement>>> {
        let by_move = caught.moves.and_then(|(moves, _)| moves.last()?.ply);
        let side = by_move.map(|ply| if ply % 2 == 0 { Color::White } else { Color::Black });
        let side = side?;
        let men = match (caught.object.map(|at| &self.chunks[at].item), caught.counted) {
            (Some(Item::Men(men)), _) | (None, Some(men)) => men,
            _ => return None,
        };
        // "wins the exchange", "wins it" and more than one are not read.
        let [(man, count)] = men.each.as_slice() else {
            return None;
        };
        if count.is_some_and(|count| count > 1) {
            return None;
        }
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

    /// Men that go: traded, given up, or what a pawn becomes.
    pub(super) fn of_kind(&self, caught: &Caught<'_>, plain: Statement) -> Option<Vec<Vec<Statement>>> {
        let men = match (caught.counted, caught.object.map(|at| &self.chunks[at].item)) {
            (Some(men), _) | (None, Some(Item::Men(men))) => Some(men),
            (None, None) => None,
            _ => return None,
        };
        let Some(men) = men else {
            // That nothing is given up at all is said of much that words leave open.
            let told = !plain.denied || caught.moves.is_some();
            return (told && plain.predicate == Predicate::Promotes).then(|| vec![vec![plain]]);
        };
        let [(man, _)] = men.each.as_slice() else { return None };
        let object = Designation {
            role: Some(man.role.filter(|role| *role != Role::King)?),
            color: man.color,
            ..Designation::default()
        };
        Some(vec![vec![Statement {
            objects: vec![object],
            denied: plain.denied != men.none,
            ..plain
        }]])
    }
}

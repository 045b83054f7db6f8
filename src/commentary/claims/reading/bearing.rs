//! Who bears on whom: the statements of attacks, protection, pins and forks.

use super::{
    super::statement::{Designation, Predicate, Statement},
    chunk::Item,
    pattern::Caught,
    referent::Meant,
    sentence::Sentence,
};

impl Sentence<'_> {
    pub(super) fn contact(
        &self,
        predicate: Predicate,
        caught: &Caught<'_>,
        at: usize,
        plain: Statement,
    ) -> Option<Vec<Vec<Statement>>> {
        let squares = match caught.object.map(|object| &self.chunks[object].item) {
            Some(Item::Squares(squares)) => squares.clone(),
            _ => Vec::new(),
        };
        let subjects = match caught.subject {
            Some(subject) => self.men_at(subject)?.into_iter().map(Some).collect(),
            // Passives need none; a clause without one takes it from before.
            None if caught.object.is_some_and(|object| object == at) => vec![None],
            None => self.mentions.before(self.chunks, at)?.into_iter().map(Some).collect(),
        };
        let objects = match caught.object {
            Some(object) if squares.is_empty() => self.men_at(object)?,
            _ => vec![Vec::new()],
        };
        let behind = caught
            .behind
            .and_then(|behind| self.men_at(behind))
            .and_then(|men| men.first()?.first().copied());
        // "With no man protecting it, the pawn is loose": it comes behind.
        if at > 0
            && self.chunks[at - 1].word() == "with"
            && matches!(self.chunks.get(caught.object?).map(|c| &c.item), Some(Item::Pronoun(_)))
        {
            return None;
        }
        let none = [caught.subject, caught.object]
            .into_iter()
            .flatten()
            .any(|at| self.is_none(at));
        let sole = caught.counted.is_some_and(|men| men.epithets.contains(&"only"));
        let only = sole || self.alone(at, caught.end);
        // "look at queen moves".
        let bare = |at: usize| {
            matches!(&self.chunks[at].item, Item::Men(men) if !men.definite && !men.none
            && matches!(men.each.as_slice(), [(man, None)] if man.color.is_none() && man.square.is_none() && man.file.is_none()))
        };
        if caught.object.is_some_and(bare) {
            return None;
        }
        let objects = self.of_side(predicate, &subjects, objects);
        let mut said = Vec::new();
        for subject in &subjects {
            for object in &objects {
                let together = predicate == Predicate::Forks;
                let targets: Vec<Vec<Designation>> = if object.is_empty() || together {
                    vec![object.clone()]
                } else {
                    object.iter().map(|man| vec![*man]).collect()
                };
                let men: Vec<Option<Designation>> = match subject {
                    Some(men) => men.iter().copied().map(Some).collect(),
                    None => vec![None],
                };
                let mut statements = Vec::new();
                for man in men {
                    for target in &targets {
                        statements.push(Statement {
                            subject: man,
                            objects: target.clone(),
                            squares: squares.clone(),
                            behind,
                            denied: plain.denied != none,
                            side: None,
                            only,
                            ..plain.clone()
                        });
                    }
                }
                said.push(statements);
            }
        }
        // What is denied of several may be denied of one of them.
        let sure = !plain.denied || said.iter().all(|statements| statements.len() == 1);
        (sure && !said.iter().any(Vec::is_empty)).then_some(said)
    }

    /// "Black's queen protects that bishop": one of Black's, be it the one that was named or another.
    pub(super) fn of_side(&self, predicate: Predicate, subjects: &[Option<Vec<Designation>>], objects: Meant) -> Meant {
        let color = subjects.first().and_then(|men| men.as_ref()?.first()?.color);
        let (Some(color), [[man]]) = (color, objects.iter().map(Vec::as_slice).collect::<Vec<_>>().as_slice()) else {
            return objects;
        };
        let own = match predicate {
            Predicate::Defends => color,
            Predicate::Attacks => color.other(),
            _ => return objects,
        };
        if man.color.is_some() || man.role.is_none() {
            return objects;
        }
        let named = Designation {
            color: Some(own),
            ..*man
        };
        vec![vec![named], vec![Designation { square: None, ..named }]]
    }

    /// One man and another, whatever is between them: batteries, blocked men, lines that are opened, threats.
    pub(super) fn relation(&self, caught: &Caught<'_>, at: usize, plain: Statement) -> Option<Vec<Vec<Statement>>> {
        let squares = match caught.object.map(|object| &self.chunks[object].item) {
            Some(Item::Squares(squares)) => squares.clone(),
            _ => Vec::new(),
        };
        let subjects: Vec<Option<Designation>> = match caught.subject {
            Some(subject) => {
                let meant = self.men_at(subject)?;
                let single = meant.iter().all(|men| men.len() == 1);
                if !single {
                    return self.both(&meant, plain);
                }
                meant.into_iter().map(|men| men.first().copied()).collect()
            }
            None if plain.predicate == Predicate::ThreatensToTake => vec![None],
            None => self
                .mentions
                .before(self.chunks, at)?
                .into_iter()
                .map(|men| men.first().copied())
                .collect(),
        };
        let objects = match caught.object {
            Some(object) if squares.is_empty() => self.men_at(object)?,
            Some(_) => vec![Vec::new()],
            None => return None,
        };
        let mut said = Vec::new();
        for subject in &subjects {
            for object in &objects {
                said.push(vec![Statement {
                    subject: *subject,
                    objects: object.clone(),
                    squares: squares.clone(),
                    side: subject.and_then(|man| man.color).or(plain.side),
                    ..plain.clone()
                }]);
            }
        }
        Some(said)
    }

    /// "The rook and the queen form a battery": one and the other.
    fn both(&self, meant: &Meant, plain: Statement) -> Option<Vec<Vec<Statement>>> {
        if plain.predicate != Predicate::Battery {
            return None;
        }
        let of = |men: &Vec<Designation>| match men.as_slice() {
            [one, other] => Some(vec![Statement {
                subject: Some(*one),
                objects: vec![*other],
                ..plain.clone()
            }]),
            _ => None,
        };
        meant.iter().map(of).collect()
    }
}

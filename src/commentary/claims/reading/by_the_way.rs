//! What phrases say by the way: "the passed d-pawn", "Black's two rooks", "the knight on f3".

use shakmaty::Role;

use super::{
    super::statement::{Along, Point, Predicate, Statement},
    chunk::Item,
    readings::Reading,
    sentence::Sentence,
};

impl Sentence<'_> {
    /// What a phrase says of its men by the way: "the passed d-pawn", "Black's two rooks", "the knight on f3".
    pub(super) fn by_the_way(&self, at: usize) -> Vec<Reading> {
        let Item::Men(men) = &self.chunks[at].item else {
            return Vec::new();
        };
        let [(man, count)] = men.each.as_slice() else {
            return Vec::new();
        };
        if men.none || at > 0 && matches!(self.chunks[at - 1].word(), "without" | "of" | "as" | "like" | "no") {
            return Vec::new();
        }
        let mut said: Vec<Statement> = Vec::new();
        let of = |predicate| Statement {
            subject: Some(*man),
            ..Statement::new(predicate)
        };
        let specific = man.square.is_some() || man.file.is_some() || man.color.is_some();
        for epithet in men
            .epithets
            .iter()
            .filter(|_| specific && count.is_none_or(|count| count < 2))
        {
            let pawn = man.role == Some(Role::Pawn);
            match *epithet {
                "passed" if pawn => said.push(of(Predicate::Passed)),
                "isolated" if pawn => said.push(of(Predicate::Isolated)),
                "doubled" if pawn => said.push(of(Predicate::Doubled)),
                "backward" if pawn => said.push(of(Predicate::Backward)),
                "unprotected" | "undefended" | "unguarded" => said.push(of(Predicate::Undefended)),
                _ => {}
            }
        }
        let plain = man.square.is_none() && man.file.is_none() && man.shade.is_none() && men.how.is_none();
        if let (Some(number), Some(_), true) = (
            count.filter(|count| *count > 1),
            man.color,
            plain && men.definite && men.epithets.is_empty(),
        ) {
            said.push(Statement {
                number: Some(number),
                ..of(Predicate::Count)
            });
        }
        // "A rook on e8" may be one to come.
        if man.square.is_some() && man.role.is_some() && count.is_none() {
            said.push(of(Predicate::Stands));
        }
        let Some(mut lines) = self.paths.spoken_of(at) else {
            return Vec::new();
        };
        lines.push(Along::default());
        lines.push(Along {
            from: Point::Before,
            moves: Vec::new(),
        });
        lines.extend(self.paths.earlier().iter().cloned());
        said.into_iter()
            .map(|statement| Reading {
                span: self.chunks[at].span.clone(),
                predicate: statement.predicate,
                elsewhere: Vec::new(),
                alternatives: lines
                    .iter()
                    .map(|line| {
                        vec![Statement {
                            line: line.clone(),
                            ..statement.clone()
                        }]
                    })
                    .collect(),
            })
            .collect()
    }
}

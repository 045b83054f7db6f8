//! What a row and what it has caught may say: the statements, by their predicates, without their positions.

use shakmaty::{Color, Role};

use super::{
    super::statement::{Designation, Predicate, Qualifier, Shade, Statement},
    chunk::Item,
    fixed::{Fix, Fixed},
    pattern::Caught,
    places::{bishops_of_shades, king},
    sentence::Sentence,
};

/// Whether words name one man for certain.
const fn is_one(man: Designation) -> bool {
    man.square.is_some() || matches!(man.role, Some(Role::King)) && man.color.is_some()
}

impl Sentence<'_> {
    /// The statements that the words may make, each alternative one or more of them, without their lines.
    pub(super) fn said(
        &self,
        predicate: Predicate,
        fixed: Fixed,
        caught: &Caught<'_>,
        at: usize,
        plain: Statement,
    ) -> Option<Vec<Vec<Statement>>> {
        use Predicate as P;
        let one = |statement: Statement| Some(vec![vec![statement]]);
        match predicate {
            // "is the only man protecting f5".
            P::Attacks | P::Defends
                if fixed.has(Fix::Sole) && caught.counted.is_none_or(|men| !men.epithets.contains(&"only")) =>
            {
                None
            }
            P::Attacks | P::Defends | P::Pins | P::Forks | P::Skewers => self.contact(predicate, caught, at, plain),
            P::Undefended | P::Hanging => {
                let object = self.men_at(caught.object?)?;
                if at > 0 && matches!(self.chunks[at - 1].word(), "by" | "from" | "with" | "against") {
                    return None;
                }
                let by = self
                    .chunks
                    .get(caught.end)
                    .is_some_and(|chunk| matches!(chunk.word(), "by" | "from" | "against"));
                // That one of several bishops is covered says nothing of the others.
                let vague = object.iter().flatten().any(|man| !is_one(*man));
                if by || plain.denied && vague {
                    return None;
                }
                Some(self.each(&object, |man| Statement {
                    subject: Some(man),
                    ..plain.clone()
                }))
            }
            P::Passed | P::Doubled | P::Isolated | P::Connected | P::Backward => {
                // "is a passed pawn".
                if caught.counted.is_some_and(|men| !men.epithets.contains(&"passed")) {
                    return None;
                }
                // "White owns a passed pawn": where it stands is said by the way.
                if let (Some(men), None) = (caught.counted, caught.subject) {
                    let [(man, Some(1))] = men.each.as_slice() else {
                        return None;
                    };
                    let side = self.side_of(&plain, at, fixed)?;
                    let pawn = Designation {
                        color: Some(side),
                        ..*man
                    };
                    return one(Statement {
                        subject: Some(pawn),
                        side: None,
                        ..plain
                    });
                }
                let subject = match caught.subject {
                    Some(subject) => self.men_at(subject)?,
                    None => return None,
                };
                let plain = Statement { side: None, ..plain };
                let pawns =
                    |men: &Vec<Designation>| men.iter().all(|man| man.role.is_none_or(|role| role == Role::Pawn));
                let told = subject.iter().all(pawns);
                told.then(|| {
                    self.each(&subject, |man| Statement {
                        subject: Some(man),
                        ..plain.clone()
                    })
                })
            }
            P::BestMove if fixed.has(Fix::Moved) => {
                // "It" is the move under discussion where no other is spoken of.
                let another = self.chunks.iter().any(|chunk| matches!(chunk.item, Item::Moves(_)))
                    || !self.paths.earlier().is_empty();
                (!another).then(|| vec![vec![plain]])
            }
            P::Empty => {
                let Item::Squares(squares) = &self.chunks[caught.object?].item else {
                    return None;
                };
                one(Statement {
                    squares: squares.clone(),
                    ..plain
                })
            }
            P::ForcedMate => {
                let by_move = caught.moves.and_then(|(moves, _)| moves.last()?.ply);
                let side = by_move.map(|ply| if ply % 2 == 0 { Color::White } else { Color::Black });
                let side = side.or(plain.side).or_else(|| self.side_before(at))?;
                one(Statement {
                    side: Some(side),
                    ..plain
                })
            }
            P::OpenFile if at > 0 && matches!(self.chunks[at - 1].word(), "half" | "semi") => None,
            P::OpenFile | P::HalfOpenFile => {
                let files = &caught.files;
                let of = |file| Statement {
                    file: Some(file),
                    ..plain.clone()
                };
                (!files.is_empty()).then(|| vec![files.iter().copied().map(of).collect()])
            }
            P::CanCastle => {
                let side = self.side_of(&plain, at, fixed)?;
                let plain = Statement {
                    side: Some(side),
                    ..plain
                };
                if fixed.has(Fix::Both) && !plain.denied {
                    let wing = |wing| Statement {
                        qualifier: Some(wing),
                        ..plain.clone()
                    };
                    return Some(vec![vec![wing(Qualifier::Kingside), wing(Qualifier::Queenside)]]);
                }
                one(plain)
            }
            P::Undeveloped if fixed.has(Fix::Castled) => self.castled(caught, at, plain),
            P::Undeveloped => self.alone_said(caught.subject, plain),
            P::Count if fixed.has(Fix::Opposite) || fixed.has(Fix::Same) => {
                bishops_of_shades(caught, fixed.has(Fix::Same), &plain)
            }
            P::Count => self.count(caught, at, plain, fixed),
            P::Ahead => self.ahead(caught, at, plain, fixed),
            P::Score => {
                let (number, how) = caught.amount?;
                let compared =
                    at > 0 && matches!(self.chunks[at - 1].word(), "from" | "than" | "of" | "instead" | "by");
                let goes_on = self
                    .chunks
                    .get(caught.end)
                    .is_some_and(|chunk| matches!(chunk.word(), "for" | "more" | "fewer" | "off" | "than"));
                if compared || goes_on {
                    return None;
                }
                let side = self.side_of(&plain, at, fixed)?;
                let score = Statement {
                    side: Some(side),
                    number: Some(number),
                    qualifier: how,
                    ..plain
                };
                let mut said = vec![vec![score.clone()]];
                if fixed.has(Fix::Twice) && number % 100 == 0 {
                    let material = Statement {
                        predicate: P::Ahead,
                        number: Some(number / 100),
                        qualifier: how.filter(|how| *how != Qualifier::About),
                        ..score
                    };
                    said.push(vec![material]);
                }
                Some(said)
            }
            P::Better => {
                // "a better square", "better than before".
                let goes_on = self.chunks.get(caught.end).is_some_and(|chunk| match &chunk.item {
                    Item::Word(word) => !matches!(
                        word.as_str(),
                        "and"
                            | "but"
                            | "after"
                            | "with"
                            | "by"
                            | "according"
                            | "at"
                            | "in"
                            | "on"
                            | "because"
                            | "since"
                            | "despite"
                            | "although"
                            | "though"
                            | "while"
                    ),
                    Item::Break(_) | Item::Moves(_) => false,
                    _ => true,
                });
                if goes_on {
                    return None;
                }
                let side = self.side_of(&plain, at, fixed)?;
                one(Statement {
                    side: Some(side),
                    ..plain
                })
            }
            P::BishopPair => {
                let bishops = caught.counted?.each.as_slice();
                let both = matches!(bishops, [(man, count)] if man.role == Some(Role::Bishop) && man.square.is_none()
                    && (!fixed.has(Fix::Both) || caught.counted?.definite && count.is_none_or(|count| count == 2)));
                if !both {
                    return None;
                }
                let side = self.side_of(&plain, at, fixed)?;
                one(Statement {
                    side: Some(side),
                    ..plain
                })
            }
            P::LegalMoves => one(Statement {
                number: Some(caught.number.unwrap_or(1)),
                side: None,
                ..plain
            }),
            // "It moves with check: Nf3+" is said of the move behind the colon.
            P::GivesCheck
                if matches!(
                    self.chunks.get(caught.end).map(|chunk| &chunk.item),
                    Some(Item::Break(':'))
                ) =>
            {
                None
            }
            // Who gives check attacks the king.
            P::GivesCheck => {
                let Some(subject) = caught.subject.filter(|_| !plain.denied) else {
                    return one(plain);
                };
                let object = match caught.object {
                    Some(object) => self.men_at(object)?.first()?.clone(),
                    None => vec![Designation {
                        role: Some(Role::King),
                        ..Designation::default()
                    }],
                };
                let king = object.iter().all(|man| man.role == Some(Role::King));
                let subject = self.men_at(subject)?;
                let attacks = |man| Statement {
                    predicate: P::Attacks,
                    subject: Some(man),
                    objects: object.clone(),
                    ..plain.clone()
                };
                king.then(|| self.each(&subject, attacks))
            }
            P::CanTake | P::Takes => {
                let object = match caught.object {
                    Some(object) => self.men_at(object)?,
                    None => vec![vec![self.mentions.moved()]],
                };
                if fixed.has(Fix::None) {
                    let mover = self.mentions.moved().color?;
                    let anybody = Designation {
                        color: Some(mover.other()),
                        ..Designation::default()
                    };
                    let of = |men: &Vec<Designation>| {
                        vec![Statement {
                            subject: Some(anybody),
                            objects: men.clone(),
                            denied: !plain.denied,
                            ..plain.clone()
                        }]
                    };
                    return Some(object.iter().map(of).collect());
                }
                let subject = match caught.subject {
                    Some(subject) => self.men_at(subject)?,
                    None if fixed.has(Fix::Any) => {
                        let own = object
                            .iter()
                            .flatten()
                            .find_map(|man| man.color)
                            .or(self.mentions.moved().color)?;
                        vec![vec![Designation {
                            color: Some(own.other()),
                            ..Designation::default()
                        }]]
                    }
                    None if fixed.has(Fix::Side) => {
                        let color = self.side_of(&plain, at, fixed)?;
                        vec![vec![Designation {
                            color: Some(color),
                            ..Designation::default()
                        }]]
                    }
                    None => self.mentions.before(self.chunks, at)?,
                };
                // That nobody of a side can take it is said of all.
                let whole = fixed.has(Fix::Side) || fixed.has(Fix::Any);
                let nobody = caught.subject.is_some_and(|at| self.is_none(at));
                let plain = Statement {
                    denied: plain.denied != nobody,
                    ..plain
                };
                let mut said = Vec::new();
                for subject in &subject {
                    for object in &object {
                        let of = |man: &Designation| Statement {
                            subject: Some(*man),
                            objects: object.clone(),
                            ..plain.clone()
                        };
                        said.push(subject.iter().map(of).collect());
                    }
                }
                (!plain.denied || nobody || whole).then_some(said)
            }
            P::Stands if fixed.has(Fix::Dark) || fixed.has(Fix::Light) => {
                let shade = if fixed.has(Fix::Dark) {
                    Shade::Dark
                } else {
                    Shade::Light
                };
                self.of_shade(caught, shade, plain)
            }
            P::Goes | P::Stands => self.placed(predicate, caught, at, plain),
            P::Wins => self.wins(caught, plain),
            P::Trades | P::GivesUp | P::Promotes => self.of_kind(caught, plain),
            P::Battery | P::Blocks | P::Uncovers | P::ThreatensToTake => self.relation(caught, at, plain),
            P::Trapped => self.alone_said(caught.object.or(caught.subject), plain),
            P::Outpost | P::Develops => self.alone_said(caught.subject, plain),
            P::CanGo => {
                let Item::Squares(squares) = &self.chunks[caught.object?].item else {
                    return None;
                };
                self.alone_said(
                    caught.subject,
                    Statement {
                        squares: squares.clone(),
                        ..plain
                    },
                )
            }
            P::InCheck | P::KingUnsafe => {
                let of_king = caught.subject.and_then(|at| match &self.chunks[at].item {
                    Item::Men(men) => king(men),
                    _ => None,
                });
                let side = of_king.or_else(|| self.side_of(&plain, at, fixed))?;
                one(Statement {
                    side: Some(side),
                    ..plain
                })
            }
            P::Castles if caught.moves.is_some() => one(plain),
            P::ThreatensMate => {
                let by_move = caught.moves.and_then(|(moves, _)| moves.last()?.ply);
                let side = by_move.map(|ply| if ply % 2 == 0 { Color::White } else { Color::Black });
                let side = side.or(plain.side).or_else(|| self.mentions.moved().color)?;
                one(Statement {
                    side: Some(side),
                    ..plain
                })
            }
            P::MoveQuality => {
                plain.qualifier?;
                let another = caught.moves.is_none()
                    && (self.chunks.iter().any(|chunk| matches!(chunk.item, Item::Moves(_)))
                        || !self.paths.earlier().is_empty());
                (!another).then(|| vec![vec![plain]])
            }
            P::GamePhase => {
                plain.qualifier?;
                one(plain)
            }
            _ => one(plain),
        }
    }
}

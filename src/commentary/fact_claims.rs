//! What a fact claims, as statements: the narrator's sentences rest on facts, so this is what they claim. The audit judges
//! them by these, and nobody reads our own English.

use shakmaty::Color;

use super::{
    Fact, FactSheet, Sentence, Standing, Verdict,
    claims::statement::{Along, Designation, Point, Predicate, Qualifier, Statement},
    fact::{Change, Detail, Moment, Remedy},
    phrases::is_counted,
};
use crate::chess::{Man, endings::Known, material::Surplus, motifs::threat::Hanging};

impl Sentence {
    /// What the sentence claims, by the facts that it rests on; none twice.
    #[must_use]
    pub fn claims(&self, sheet: &FactSheet) -> Vec<Statement> {
        let mut all: Vec<Statement> = Vec::new();
        for claim in self.facts.iter().filter_map(|id| sheet.get(*id)).flat_map(claims) {
            if !all.contains(&claim) {
                all.push(claim);
            }
        }
        all
    }
}

/// What a fact claims. Nothing where neither board nor lines decide it: a plan, a concept, a phase, the name of an opening.
#[must_use]
pub fn claims(fact: &Fact) -> Vec<Statement> {
    let from = match fact.moment {
        Moment::Before => Point::Before,
        Moment::Move | Moment::After | Moment::Best | Moment::Line => Point::After,
    };
    let line = Along {
        from,
        moves: fact.line.clone(),
    };
    of_detail(&fact.detail, &line)
}

fn of_detail(detail: &Detail, line: &Along) -> Vec<Statement> {
    let line = &where_it_holds(detail, line);
    let said = |predicate| Statement {
        line: line.clone(),
        ..Statement::new(predicate)
    };
    let of = |man: Man, predicate| Statement {
        subject: Some(standing(man)),
        ..said(predicate)
    };
    let sided = |side: Color, predicate| Statement {
        side: Some(side),
        ..said(predicate)
    };
    let many = |men: &[Man], predicate| men.iter().map(|man| of(*man, predicate)).collect();
    let one = match detail {
        Detail::Move { man, to, .. }
        | Detail::Retreat { man, to }
        | Detail::KingActivity { king: man, to }
        | Detail::Castling { king: man, to, .. } => {
            let mut found = vec![Statement {
                squares: vec![*to],
                ..of_kind(*man, said(Predicate::Goes))
            }];
            if let Detail::Castling { short, .. } = detail {
                found.push(Statement {
                    qualifier: Some(if *short {
                        Qualifier::Kingside
                    } else {
                        Qualifier::Queenside
                    }),
                    ..sided(man.color, Predicate::Castles)
                });
            }
            return found;
        }
        Detail::Development { man, .. } => of_kind(*man, said(Predicate::Develops)),
        Detail::Capture { by, taken, .. } | Detail::EnPassant { by, taken, .. } => {
            to(*taken, of_kind(*by, said(Predicate::Takes)))
        }
        Detail::Recapture { by, taken } => {
            return vec![
                to(*taken, of_kind(*by, said(Predicate::Takes))),
                said(Predicate::Recaptures),
            ];
        }
        Detail::Check { by, .. } => match by[..] {
            [one] => of(one, Predicate::GivesCheck),
            _ => said(Predicate::GivesCheck),
        },
        Detail::Checkmate { .. } | Detail::BackRank { .. } => said(Predicate::Checkmate),
        Detail::Stalemate { .. } => said(Predicate::Stalemate),
        Detail::Promotion { into, .. } => Statement {
            objects: vec![Designation {
                role: Some(*into),
                ..Designation::default()
            }],
            ..said(Predicate::Promotes)
        },
        Detail::Attack { attack, .. } => to(attack.target, of(attack.by, Predicate::Attacks)),
        Detail::Defence {
            target,
            fresh: Some(by),
            ..
        } => to(*target, of(*by, Predicate::Defends)),
        Detail::Defence { target, defenders, .. } if defenders.is_empty() => of(*target, Predicate::Undefended),
        Detail::Defence { target, .. } => to(*target, sided(target.color, Predicate::Defends)),
        Detail::Hanging { hanging, .. } | Detail::Exposed { hanging, .. } => return hangs(*hanging, line),
        Detail::Trapped(hanging) => of(hanging.target, Predicate::Trapped),
        Detail::Threat(hanging) => to(hanging.target, of(hanging.by, Predicate::ThreatensToTake)),
        Detail::Pin { pin, .. } => Statement {
            behind: Some(standing(pin.behind)),
            ..to(pin.pinned, of(pin.by, Predicate::Pins))
        },
        Detail::Skewer(skewer) => Statement {
            behind: Some(standing(skewer.behind)),
            ..to(skewer.front, of(skewer.by, Predicate::Skewers))
        },
        Detail::Fork(fork) => Statement {
            objects: fork.targets.iter().map(|man| standing(*man)).collect(),
            ..of(fork.by, Predicate::Forks)
        },
        Detail::Discovered(found) => to(found.target, of(found.by, Predicate::Uncovers)),
        Detail::Battery { front, rear, .. } => to(*front, of(*rear, Predicate::Battery)),
        Detail::Sacrifice { man, .. } => to(*man, sided(man.color, Predicate::GivesUp)),
        Detail::MateThreat { side, .. } => sided(*side, Predicate::ThreatensMate),
        Detail::Material { side, surplus } => return material(*side, surplus, line).into_iter().collect(),
        Detail::MaterialChange { side, surplus } => {
            return wins(*side, surplus, Along::default()).into_iter().collect();
        }
        Detail::Passed { pawn, .. } => of(*pawn, Predicate::Passed),
        Detail::Isolated { pawn, .. } => of(*pawn, Predicate::Isolated),
        Detail::Backward { pawn, .. } => of(*pawn, Predicate::Backward),
        Detail::Doubled { pawns, .. } => return many(pawns, Predicate::Doubled),
        Detail::File { man, open, .. } | Detail::FileOpened { man, open } => Statement {
            file: Some(man.square.file()),
            side: (!open).then_some(man.color),
            ..said(if *open {
                Predicate::OpenFile
            } else {
                Predicate::HalfOpenFile
            })
        },
        Detail::Outpost { man } => of(*man, Predicate::Outpost),
        Detail::BishopPair { bishop, knight } => to(*knight, of_kind(*bishop, said(Predicate::Takes))),
        Detail::CastlingLost { king } => Statement {
            denied: true,
            ..sided(king.color, Predicate::CanCastle)
        },
        Detail::Mate { winner, moves, .. } => mate(*winner, *moves, line.clone()),
        Detail::Verdict {
            side, verdict, after, ..
        } => return judged(*side, *verdict, *after),
        Detail::OnlyMove { legal: true, .. } => Statement {
            number: Some(1),
            line: before(Vec::new()),
            ..Statement::new(Predicate::LegalMoves)
        },
        Detail::OnlyMove { legal: false, .. } => Statement::new(Predicate::OnlyMove),
        Detail::Best {
            side,
            san,
            acts,
            wins: won,
            mate: mates,
        } => {
            // "Better was": that no other move is as good is not said.
            return led(
                Predicate::BetterMove,
                *side,
                before(vec![san.clone()]),
                acts,
                won.as_ref(),
                *mates,
            );
        }
        Detail::Punishment {
            side,
            san,
            acts,
            wins: won,
            mate: mates,
        } => {
            return led(
                Predicate::Playable,
                *side,
                after(vec![san.clone()]),
                acts,
                won.as_ref(),
                *mates,
            );
        }
        Detail::Reply { side, san, acts } => {
            return led(Predicate::Playable, *side, after(vec![san.clone()]), acts, None, None);
        }
        Detail::Remedy { san, remedy, .. } => return remedied(san, remedy),
        Detail::Plan { san, .. } => Statement {
            line: Along {
                moves: fact_moves(line, san),
                ..line.clone()
            },
            ..Statement::new(Predicate::Playable)
        },
        Detail::Trade {
            ours,
            theirs,
            made: true,
        } => to(*theirs, of_kind(*ours, said(Predicate::Takes))),
        Detail::Ending(ending) => match ending.known() {
            Some(Known::Draw) => Statement::new(Predicate::Equal),
            Some(Known::Win(side)) => stands(side, Standing::Winning),
            None => return Vec::new(),
        },
        // Neither board nor lines decide these, or the board's count alone, which no statement has.
        Detail::Trade { .. }
        | Detail::Draw { .. }
        | Detail::Shelter { .. }
        | Detail::Concept { .. }
        | Detail::Phase(_)
        | Detail::Opening { .. }
        | Detail::Activity { .. }
        | Detail::Space { .. }
        | Detail::Luft { .. }
        | Detail::Connected { .. } => return Vec::new(),
    };
    vec![one]
}

/// A man where it stands.
fn standing(man: Man) -> Designation {
    Designation {
        color: Some(man.color),
        role: Some(man.role),
        square: Some(man.square),
        ..Designation::default()
    }
}

/// Of a man that moves, wherever it stands then.
fn of_kind(man: Man, statement: Statement) -> Statement {
    Statement {
        subject: Some(Designation {
            square: None,
            ..standing(man)
        }),
        ..statement
    }
}

/// Done to this man.
fn to(man: Man, statement: Statement) -> Statement {
    Statement {
        objects: vec![standing(man)],
        ..statement
    }
}

/// What a move ends held before it.
fn where_it_holds(detail: &Detail, line: &Along) -> Along {
    let (Detail::Attack { change, .. }
    | Detail::Hanging { change, .. }
    | Detail::Pin { change, .. }
    | Detail::Passed { change, .. }
    | Detail::Isolated { change, .. }
    | Detail::Backward { change, .. }
    | Detail::Doubled { change, .. }) = detail
    else {
        return line.clone();
    };
    match (change, line.moves.split_last()) {
        (Change::Gone, Some((_, earlier))) => Along {
            moves: earlier.to_vec(),
            ..line.clone()
        },
        (Change::Gone, None) => before(Vec::new()),
        _ => line.clone(),
    }
}

fn before(moves: Vec<String>) -> Along {
    Along {
        from: Point::Before,
        moves,
    }
}

fn after(moves: Vec<String>) -> Along {
    Along {
        from: Point::After,
        moves,
    }
}

/// The moves that lead to a plan's: its line has them, the plan's own last.
fn fact_moves(line: &Along, san: &str) -> Vec<String> {
    if line.moves.is_empty() {
        vec![san.to_owned()]
    } else {
        line.moves.clone()
    }
}

fn hangs(hanging: Hanging, line: &Along) -> Vec<Statement> {
    let said = Statement {
        line: line.clone(),
        subject: Some(standing(hanging.target)),
        ..Statement::new(Predicate::Hanging)
    };
    let unprotected = Statement {
        predicate: Predicate::Undefended,
        ..said.clone()
    };
    if hanging.protected {
        vec![said]
    } else {
        vec![said, unprotected]
    }
}

/// What one side has more of.
fn material(side: Color, surplus: &Surplus, line: &Along) -> Option<Statement> {
    let points = surplus.points();
    let statement = |predicate| Statement {
        line: line.clone(),
        ..Statement::new(predicate)
    };
    match points {
        0 if surplus.more.is_empty() && surplus.less.is_empty() => Some(statement(Predicate::Level)),
        // A rook against five pawns: whether that is level is a matter of taste.
        0 => None,
        _ => Some(Statement {
            side: Some(if points > 0 { side } else { side.other() }),
            number: Some(points.abs()),
            ..statement(Predicate::Ahead)
        }),
    }
}

/// What a side gains, where it does.
fn wins(side: Color, surplus: &Surplus, line: Along) -> Option<Statement> {
    let points = surplus.points();
    (points > 0).then(|| Statement {
        side: Some(side),
        number: Some(points),
        line,
        ..Statement::new(Predicate::Wins)
    })
}

fn mate(winner: Color, moves: u32, line: Along) -> Statement {
    Statement {
        side: Some(winner),
        number: i32::try_from(moves).ok().filter(|_| is_counted(moves)),
        line,
        ..Statement::new(Predicate::ForcedMate)
    }
}

/// How good the move is, and how its mover stands after it.
fn judged(mover: Color, verdict: Verdict, standing: Standing) -> Vec<Statement> {
    // "The best" may be said of several: that it is the engine's first choice is not.
    let quality = Statement {
        qualifier: Some(match verdict {
            Verdict::Best | Verdict::Good => Qualifier::Good,
            Verdict::Inaccuracy => Qualifier::Inaccuracy,
            Verdict::Mistake => Qualifier::Mistake,
            Verdict::Blunder => Qualifier::Blunder,
        }),
        ..Statement::new(Predicate::MoveQuality)
    };
    vec![quality, stands(mover, standing)]
}

/// How a side stands after the move.
fn stands(side: Color, standing: Standing) -> Statement {
    let better = |side, qualifier| Statement {
        side: Some(side),
        qualifier: Some(qualifier),
        ..Statement::new(Predicate::Better)
    };
    match standing {
        Standing::Equal => Statement::new(Predicate::Equal),
        Standing::SlightlyBetter => better(side, Qualifier::Slight),
        Standing::ClearlyBetter => better(side, Qualifier::Clear),
        Standing::Winning => better(side, Qualifier::Winning),
        Standing::SlightlyWorse => better(side.other(), Qualifier::Slight),
        Standing::ClearlyWorse => better(side.other(), Qualifier::Clear),
        Standing::Lost => better(side.other(), Qualifier::Winning),
    }
}

/// A move of a line: what it is, what it does, what it wins or mates.
fn led(
    is: Predicate,
    side: Color,
    line: Along,
    acts: &[Detail],
    won: Option<&Surplus>,
    mates: Option<u32>,
) -> Vec<Statement> {
    let mut found = vec![Statement {
        line: line.clone(),
        ..Statement::new(is)
    }];
    found.extend(acts.iter().flat_map(|act| of_detail(act, &line)));
    found.extend(won.and_then(|won| wins(side, won, line.clone())));
    // Counted from the position in which the first of its moves is played.
    found.extend(mates.map(|moves| {
        mate(
            side,
            moves,
            Along {
                moves: Vec::new(),
                ..line
            },
        )
    }));
    found
}

/// What the best move does about what makes the move bad.
fn remedied(san: &str, remedy: &Remedy) -> Vec<Statement> {
    let said = |predicate| Statement {
        line: before(vec![san.to_owned()]),
        ..Statement::new(predicate)
    };
    let one = match remedy {
        Remedy::Saves { man, to } => Statement {
            squares: vec![*to],
            ..of_kind(*man, said(Predicate::Goes))
        },
        Remedy::Protects { man, .. } => to(*man, sided_by(man.color, said(Predicate::Defends))),
        Remedy::Takes { attacker, .. } => to(*attacker, said(Predicate::Takes)),
        Remedy::Blocks { .. } | Remedy::Prevents { .. } | Remedy::StopsMate => said(Predicate::Playable),
    };
    vec![one]
}

fn sided_by(side: Color, statement: Statement) -> Statement {
    Statement {
        side: Some(side),
        ..statement
    }
}

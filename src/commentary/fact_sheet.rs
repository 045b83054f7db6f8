//! The fact sheet: everything that may be said about a move, numbered.

use shakmaty::{Bitboard, Chess, Color, Position, Square};

use super::{
    Evaluation, Phase,
    board_facts::{Found, board_facts},
    engine_facts::{Seen, engine_facts},
    fact::{Cause, Detail, Fact, FactId, FactKind, Moment, Plan, Remedy, Source},
    wording,
};
use crate::{
    chess::{Openings, Played, endings::ending},
    concepts::{Concepts, Term, priority::NAMED},
};

/// The numbered facts about one move. The prompt is printed from it, the narrator speaks from it.
#[derive(Debug, Clone)]
pub struct FactSheet {
    played: Played,
    evaluation: Option<Evaluation>,
    concepts: Option<Concepts>,
    facts: Vec<Fact>,
}

impl FactSheet {
    /// Gathers the facts. `evaluation` is the engine's, **the mover's view**; `concepts` are one source's. What is absent is
    /// not spoken of.
    #[must_use]
    pub fn new(played: &Played, evaluation: Option<&Evaluation>, concepts: Option<&Concepts>) -> Self {
        let plain = |found| Seen {
            found,
            line: Vec::new(),
        };
        let mut seen: Vec<(Seen, Source)> = Vec::new();
        let mut board = board_facts(played);
        board.extend(opening(played));
        board.extend(ending(&played.after).map(|ending| Found {
            moment: Moment::After,
            detail: Detail::Ending(ending),
        }));
        let engine = evaluation
            .map(|evaluation| engine_facts(played, evaluation))
            .unwrap_or_default();
        let mate_known = engine.iter().any(|s| matches!(s.found.detail, Detail::Mate { .. }));
        let (main, lists): (Vec<Found>, Vec<Found>) = board
            .into_iter()
            .filter(|f| !(mate_known && matches!(f.detail, Detail::Mate { .. })))
            .partition(|f| !matches!(f.detail, Detail::Attack { .. } | Detail::Defence { .. }));
        seen.extend(main.into_iter().map(|f| (plain(f), Source::Board)));
        seen.extend(engine.into_iter().map(|s| (s, Source::Engine)));
        let lasting = concepts
            .into_iter()
            .flat_map(|concepts| {
                let trusted = concepts
                    .changes
                    .iter()
                    .filter(|c| !concepts.doubted.contains(&c.concept));
                trusted.map(move |c| (c, concepts))
            })
            // Where no pawn has moved or gone, their structure is what it was, whatever a probe says.
            .filter(|(c, _)| c.concept.term != Term::Pawns || pawns(&played.before) != pawns(&played.after))
            .filter(|(c, _)| c.change() != 0.0 && c.change().is_finite() && c.lasting());
        seen.extend(lasting.take(NAMED).map(|(c, concepts)| {
            let detail = Detail::Concept {
                concept: c.concept,
                side: played.mover(),
                change: c.change(),
                source: concepts.source.clone(),
                unit: concepts.unit(),
            };
            (
                plain(Found {
                    moment: Moment::Move,
                    detail,
                }),
                Source::Concepts,
            )
        }));
        seen.extend(lists.into_iter().map(|f| (plain(f), Source::Board)));
        let facts = seen
            .into_iter()
            .zip(1..)
            .map(|((Seen { found, line }, source), number)| Fact {
                id: FactId(number),
                kind: found.detail.kind(),
                squares: squares(&found.detail),
                moment: found.moment,
                source,
                text: wording::sentence(&found.detail, found.moment, &line),
                line,
                detail: found.detail,
            })
            .collect();
        Self {
            played: played.clone(),
            evaluation: evaluation.cloned(),
            concepts: concepts.cloned(),
            facts,
        }
    }

    /// The move the facts are about.
    #[must_use]
    pub fn played(&self) -> &Played {
        &self.played
    }

    /// The engine's evaluation, where there was one.
    #[must_use]
    pub fn evaluation(&self) -> Option<&Evaluation> {
        self.evaluation.as_ref()
    }

    /// All that the concepts' source said, where one was asked: the facts hold the five that may be spoken of.
    #[must_use]
    pub fn concepts(&self) -> Option<&Concepts> {
        self.concepts.as_ref()
    }

    /// All facts, by number.
    #[must_use]
    pub fn facts(&self) -> &[Fact] {
        &self.facts
    }

    /// The fact with this number.
    #[must_use]
    pub fn get(&self, id: FactId) -> Option<&Fact> {
        self.facts.get(usize::from(id.0).checked_sub(1)?)
    }

    /// The facts of one kind.
    pub fn of_kind(&self, kind: FactKind) -> impl Iterator<Item = &Fact> {
        self.facts.iter().filter(move |fact| fact.kind == kind)
    }
}

/// The opening's name, while the game is still in it: where the position after the move has one, or most pieces are at home.
fn opening(played: &Played) -> Option<Found> {
    let (opening, entered) = Openings::shipped().reached(played)?;
    let named = Openings::shipped().name(&played.after).is_some();
    (named || Phase::of(played.after.board()) == Phase::Opening).then(|| Found {
        moment: Moment::Move,
        detail: Detail::Opening {
            opening: opening.clone(),
            entered,
        },
    })
}

fn pawns(position: &Chess) -> [Bitboard; 2] {
    let board = position.board();
    Color::ALL.map(|color| board.pawns() & board.by_color(color))
}

/// The squares a fact is about, the acting man's first.
fn squares(detail: &Detail) -> Vec<Square> {
    let all: Vec<Square> = match detail {
        Detail::Move { man, to, .. } | Detail::Retreat { man, to } | Detail::Development { man, to } => {
            vec![man.square, *to]
        }
        Detail::Castling { king, to, .. } => vec![king.square, *to],
        Detail::Promotion { pawn, to, .. } => vec![pawn.square, *to],
        Detail::EnPassant { by, to, taken } => vec![by.square, *to, taken.square],
        Detail::Capture { by, taken, .. } | Detail::Recapture { by, taken } => vec![by.square, taken.square],
        Detail::Check { by, king, .. } | Detail::Checkmate { by, king, .. } => {
            by.iter().map(|m| m.square).chain([king.square]).collect()
        }
        Detail::Stalemate { king } => vec![king.square],
        Detail::Attack { attack, .. } => vec![attack.by.square, attack.target.square],
        Detail::Defence {
            target,
            attackers,
            defenders,
            ..
        } => [target]
            .into_iter()
            .chain(attackers)
            .chain(defenders)
            .map(|m| m.square)
            .collect(),
        Detail::Hanging { hanging, .. } | Detail::Trapped(hanging) => vec![hanging.target.square, hanging.by.square],
        Detail::Threat(hanging) => vec![hanging.by.square, hanging.target.square],
        Detail::Pin { pin, .. } => vec![pin.by.square, pin.pinned.square, pin.behind.square],
        Detail::Fork(fork) => [&fork.by].into_iter().chain(&fork.targets).map(|m| m.square).collect(),
        Detail::Skewer(skewer) => vec![skewer.by.square, skewer.front.square, skewer.behind.square],
        Detail::Discovered(found) => vec![found.by.square, found.target.square],
        Detail::Battery { front, rear, target } => vec![front.square, rear.square, target.square],
        Detail::Trade { ours, theirs, .. } => vec![ours.square, theirs.square],
        Detail::Sacrifice { man, taker, .. } => vec![man.square, taker.square],
        Detail::Passed { pawn, .. } | Detail::Isolated { pawn, .. } | Detail::Backward { pawn, .. } => {
            vec![pawn.square]
        }
        Detail::Doubled { pawns, .. } => pawns.iter().map(|p| p.square).collect(),
        Detail::File { man, .. } | Detail::Outpost { man } => vec![man.square],
        Detail::Shelter { king, shield, lost, .. } => [king.square].iter().chain(shield).chain(lost).copied().collect(),
        Detail::BackRank { king, by } => vec![by.square, king.square],
        Detail::Best { acts, .. } | Detail::Reply { acts, .. } | Detail::Punishment { acts, .. } => {
            acts.iter().flat_map(squares).collect()
        }
        Detail::Exposed { hanging, cause } => {
            let about = match cause {
                Cause::Left(man) | Cause::Blocked(man) => Some(man.square),
                Cause::Opened | Cause::Walked | Cause::Ignored => None,
            };
            [hanging.target.square, hanging.by.square]
                .into_iter()
                .chain(about)
                .collect()
        }
        Detail::Remedy { remedy, .. } => match remedy {
            Remedy::Saves { man, to } => vec![man.square, *to],
            Remedy::Protects { man, .. } => vec![man.square],
            Remedy::Blocks { man, attacker } | Remedy::Takes { man, attacker } => vec![man.square, attacker.square],
            Remedy::Prevents { .. } | Remedy::StopsMate => Vec::new(),
        },
        Detail::Plan { plan, .. } => match plan {
            Plan::Castle { .. } => Vec::new(),
            Plan::Advance { pawn: man, to } | Plan::Reroute { man, to } | Plan::MakeWay { man, to } => {
                vec![man.square, *to]
            }
        },
        Detail::Activity { man, .. } | Detail::FileOpened { man, .. } => vec![man.square],
        Detail::Space { pawn } => vec![pawn.square],
        Detail::Luft { king, square } => vec![king.square, *square],
        Detail::KingActivity { king, to } => vec![king.square, *to],
        Detail::Connected { rooks } => rooks.iter().map(|rook| rook.square).collect(),
        Detail::CastlingLost { king } => vec![king.square],
        Detail::BishopPair { bishop, knight } => vec![bishop.square, knight.square],
        Detail::Draw { .. }
        | Detail::Material { .. }
        | Detail::MaterialChange { .. }
        | Detail::MateThreat { .. }
        | Detail::Mate { .. }
        | Detail::Verdict { .. }
        | Detail::Ending(_)
        | Detail::Concept { .. }
        | Detail::Phase(_)
        | Detail::OnlyMove { .. }
        | Detail::Opening { .. } => Vec::new(),
    };
    let mut once = Vec::with_capacity(all.len());
    for square in all {
        if !once.contains(&square) {
            once.push(square);
        }
    }
    once
}

//! The sentence of each fact: plain, exact, complete in itself.

use shakmaty::{Color, Square};

use super::concept_wording::concept_sentence;
use super::fact::{Cause, Change, Compensation, Detail, Fate, Gift, Moment, Plan, Remedy};
use super::phase::Phase;
use super::standing::Standing;
use crate::chess::{
    Man,
    endings::Known,
    material::{Surplus, join},
    motifs::{mate::Pattern, threat::Hanging},
    names::{color_name, role_name},
};

/// The fact's sentence. `line` as in [`super::fact::Fact::line`].
#[must_use]
pub fn sentence(detail: &Detail, moment: Moment, line: &[String]) -> String {
    let said = statement(detail);
    let own_frame = matches!(
        detail,
        Detail::Best { .. }
            | Detail::OnlyMove { .. }
            | Detail::Hanging {
                change: Change::Gone,
                ..
            }
            | Detail::Pin {
                change: Change::Gone,
                ..
            }
            | Detail::Passed {
                change: Change::Gone,
                ..
            }
            | Detail::Isolated {
                change: Change::Gone,
                ..
            }
            | Detail::Backward {
                change: Change::Gone,
                ..
            }
            | Detail::Doubled {
                change: Change::Gone,
                ..
            }
    );
    match moment {
        Moment::Before if !own_frame => format!("Before the move, {said}."),
        Moment::Line if !line.is_empty() => format!("In the expected line {}: {said}.", line.join(" ")),
        _ => format!("{said}."),
    }
}

fn owner(color: Color) -> String {
    format!("{}'s", color_name(color))
}

fn men(men: &[Man]) -> String {
    join(&men.iter().map(ToString::to_string).collect::<Vec<_>>())
}

fn squares(squares: &[Square]) -> String {
    join(&squares.iter().map(ToString::to_string).collect::<Vec<_>>())
}

fn new(change: Change) -> &'static str {
    if change == Change::New { " (new)" } else { "" }
}

fn pawns(n: i32) -> String {
    if n == 1 {
        "1 pawn".to_owned()
    } else {
        format!("{n} pawns")
    }
}

fn taking(hanging: &Hanging) -> String {
    let Hanging {
        target,
        by,
        gain,
        protected,
    } = hanging;
    if !protected {
        format!("{target} is undefended and {by} attacks it")
    } else {
        format!(
            "{target} is defended, but {by} can take it and win material worth {} by exchanges on {}",
            pawns(*gain),
            target.square
        )
    }
}

#[allow(clippy::too_many_lines)] // One arm a kind of fact: a table, not a procedure.
fn statement(detail: &Detail) -> String {
    match detail {
        Detail::Move { man, to, san } => format!("The move is {san}: {man} goes to {to}"),
        Detail::Capture { by, taken, gain } => {
            let net = match gain {
                0 => "comes out even".to_owned(),
                g if *g > 0 => format!("gains material worth {}", pawns(*g)),
                g => format!("loses material worth {}", pawns(-g)),
            };
            format!(
                "{by} captures {taken}; by exchanges on that square {} {net}",
                color_name(by.color)
            )
        }
        Detail::Check { by, king, discovered } => {
            let name = match (by.len(), discovered) {
                (2.., _) => "double check",
                (_, true) => "discovered check",
                _ => "check",
            };
            format!(
                "{} {} {name} to {king}",
                men(by),
                if by.len() == 1 { "gives" } else { "give" }
            )
        }
        Detail::Checkmate { by, king, pattern } => {
            let pattern = match pattern {
                Some(Pattern::BackRank) => ", a back-rank mate",
                Some(Pattern::Smothered) => ", a smothered mate",
                None => "",
            };
            format!(
                "{} {} {king}: checkmate{pattern}",
                men(by),
                if by.len() == 1 { "checkmates" } else { "checkmate" }
            )
        }
        Detail::Stalemate { king } => format!(
            "{king} is not in check and {} has no legal move: stalemate",
            color_name(king.color)
        ),
        Detail::Draw { repetition: true } => {
            "The position occurs for the third time, so a draw can be claimed".to_owned()
        }
        Detail::Draw { repetition: false } => "Neither side has enough material left to mate: a draw".to_owned(),
        Detail::Castling { king, to, short } => {
            format!(
                "{} castles {}: the king goes from {} to {to}",
                color_name(king.color),
                side(*short),
                king.square
            )
        }
        Detail::Promotion { pawn, to, into } => format!("{pawn} promotes to a {} on {to}", role_name(*into)),
        Detail::EnPassant { by, to, taken } => format!("{by} captures {taken} en passant, landing on {to}"),
        Detail::Retreat { man, to } => format!("{man} retreats to {to}"),
        Detail::Development { man, to } => format!("{man} leaves its home square and is developed to {to}"),
        Detail::Recapture { by, taken } => format!("{by} recaptures: {taken} had just captured there"),
        Detail::Attack { attack, change } => {
            let pinned = if attack.pinned {
                format!("; {} is pinned and may not capture", attack.by)
            } else {
                String::new()
            };
            format!("{} attacks {}{}{pinned}", attack.by, attack.target, new(*change))
        }
        Detail::Defence {
            target,
            attackers,
            defenders,
            ..
        } => {
            let attacked = if attackers.is_empty() {
                "not attacked".to_owned()
            } else {
                format!("attacked by {}", men(attackers))
            };
            let defended = if defenders.is_empty() {
                "not defended".to_owned()
            } else {
                format!("defended by {}", men(defenders))
            };
            format!("{target} is {attacked} and {defended}")
        }
        Detail::Hanging {
            hanging,
            change: Change::Gone,
            fate,
            ..
        } => {
            let now = match fate {
                Fate::Taken => "the move takes it",
                Fate::Moves => "the move brings it to safety",
                Fate::Stays => "now it no longer hangs",
            };
            format!("Before the move {}; {now}", taking(hanging))
        }
        Detail::Hanging {
            hanging,
            change,
            at_once,
            ..
        } => {
            let turn = if *at_once {
                "can be won at once"
            } else {
                "could be won if its side does nothing"
            };
            format!("{}: it hangs and {turn}{}", taking(hanging), new(*change))
        }
        Detail::Pin { pin, change } => {
            let to = format!("pinned to {} by {}", pin.behind, pin.by);
            if *change == Change::Gone {
                format!("Before the move {} was {to}; it no longer is", pin.pinned)
            } else {
                format!("{} is {to}{}", pin.pinned, new(*change))
            }
        }
        Detail::Fork(fork) => format!("{} forks {}", fork.by, men(&fork.targets)),
        Detail::Skewer(skewer) => format!("{} skewers {} against {}", skewer.by, skewer.front, skewer.behind),
        Detail::Discovered(found) => format!("The move uncovers an attack by {} on {}", found.by, found.target),
        Detail::Battery { front, rear, target } => {
            format!("{front} and {rear} behind it form a battery against {target}")
        }
        Detail::Trade {
            ours,
            theirs,
            made: true,
        } => format!("{ours} is traded for {theirs}"),
        Detail::Trade {
            ours,
            theirs,
            made: false,
        } => format!("{ours} offers itself for exchange with {theirs}"),
        Detail::Trapped(hanging) => format!(
            "{} is trapped: {} attacks it and no move saves it",
            hanging.target, hanging.by
        ),
        Detail::Sacrifice { man, taker, cost, gift } => {
            format!(
                "{man} is sacrificed: {taker} can take it, which costs {} material worth {} by static exchange{}",
                color_name(man.color),
                pawns(*cost),
                gift.as_ref().map_or_else(String::new, |gift| given(gift, man.color))
            )
        }
        Detail::Ending(ending) => {
            let known = match ending.known() {
                Some(Known::Win(color)) => format!(", won for {}", color_name(color)),
                Some(Known::Draw) => ", drawn".to_owned(),
                None => String::new(),
            };
            let why = ending.why().map_or_else(String::new, |why| format!(": {why}"));
            format!("The position is {}{known}{why}", ending.kind().in_words())
        }
        Detail::Threat(hanging) => {
            format!(
                "{} threatens to win {} with {}",
                color_name(hanging.by.color),
                hanging.target,
                hanging.by
            )
        }
        Detail::Material { side, surplus } => {
            match (surplus.points(), surplus.in_words(), surplus.reversed().in_words()) {
                (0, ..) => "Material is level".to_owned(),
                (points, Some(up), _) => format!("{} is ahead by {up} ({})", color_name(*side), pawns(points)),
                (points, _, Some(down)) => {
                    format!("{} is ahead by {down} ({})", color_name(side.other()), pawns(-points))
                }
                _ => "Material is unbalanced".to_owned(),
            }
        }
        Detail::MaterialChange { side, surplus } => {
            format!(
                "{} wins {}",
                color_name(*side),
                surplus.in_words().unwrap_or_else(|| "nothing".to_owned())
            )
        }
        Detail::Passed { pawn, change } => feature(pawn, "passed", *change),
        Detail::Isolated { pawn, change } => feature(pawn, "isolated", *change),
        Detail::Backward { pawn, change } => feature(pawn, "backward", *change),
        Detail::Doubled { pawns, change } => {
            let color = pawns.first().map_or("", |p| color_name(p.color));
            let on = squares(&pawns.iter().map(|p| p.square).collect::<Vec<_>>());
            if *change == Change::Gone {
                format!("Before the move the {color} pawns on {on} were doubled; they no longer are")
            } else {
                format!("The {color} pawns on {on} are doubled{}", new(*change))
            }
        }
        Detail::File { man, open, change } => {
            let open = if *open { "open" } else { "half-open" };
            format!(
                "{man} stands on the {open} {}-file{}",
                man.square.file().char(),
                new(*change)
            )
        }
        Detail::Shelter {
            king,
            shield,
            lost,
            gained,
        } => {
            let cover = match shield.len() {
                0 => "has no pawn in front of it".to_owned(),
                1 => format!("is sheltered by the pawn on {}", shield[0]),
                _ => format!("is sheltered by the pawns on {}", squares(shield)),
            };
            let lost = if lost.is_empty() {
                String::new()
            } else {
                format!("; the move took away its cover on {}", squares(lost))
            };
            let gained = if gained.is_empty() {
                String::new()
            } else {
                format!("; the move added cover on {}", squares(gained))
            };
            format!("{king} {cover}{lost}{gained}")
        }
        Detail::Outpost { man } => {
            format!("{man} stands on an outpost: a pawn protects it and no enemy pawn can drive it away")
        }
        Detail::BackRank { king, by } => {
            format!("{by} mates {king} on its back rank, walled in by its own pieces and pawns")
        }
        Detail::MateThreat { side, san } => format!("{} threatens mate with {san}", color_name(*side)),
        Detail::Mate { winner, moves, starts } => {
            let first = starts
                .as_ref()
                .map_or(String::new(), |san| format!(", starting with {san}"));
            let moves = if *moves == 1 {
                "on the next move".to_owned()
            } else {
                format!("in {moves}")
            };
            let counted = if starts.is_none() { ", counting this move" } else { "" };
            format!("{} mates by force {moves}{counted}{first}", color_name(*winner))
        }
        Detail::Verdict {
            side,
            verdict,
            before,
            after,
            best,
            played,
            engine,
        } => format!(
            "{engine} judges the move {}: with best play {} was {} (win probability {:.0} %), now {} is {} ({:.0} %)",
            verdict.phrase(),
            color_name(*side),
            standing(*before),
            best * 100.0,
            color_name(*side),
            standing(*after),
            played * 100.0,
        ),
        Detail::Best {
            side,
            san,
            acts,
            wins,
            mate,
        } => {
            format!(
                "The engine's best move for {} was {san}{}",
                color_name(*side),
                outcome(*side, acts, wins.as_ref(), *mate)
            )
        }
        Detail::Reply { side, san, acts } => {
            format!(
                "The engine expects {} to reply {san}{}",
                color_name(*side),
                outcome(*side, acts, None, None)
            )
        }
        Detail::Punishment {
            side,
            san,
            acts,
            wins,
            mate,
        } => {
            format!(
                "The move allows {} to reply {san}{}",
                color_name(*side),
                outcome(*side, acts, wins.as_ref(), *mate)
            )
        }
        Detail::Concept {
            concept,
            side,
            change,
            source,
            unit,
        } => concept_sentence(*concept, *side, *change, source, *unit),
        Detail::Phase(phase) => match phase {
            Phase::Opening => "The game is in the opening",
            Phase::Middlegame => "The game is in the middlegame",
            Phase::Endgame => "The game is in the endgame",
        }
        .to_owned(),
        Detail::Exposed { hanging, cause } => exposed(hanging, *cause),
        Detail::Remedy { side, san, remedy } => {
            format!("The better move {san} of {} {}", color_name(*side), remedied(remedy))
        }
        Detail::Plan { side, san, plan } => planned(*side, san, *plan),
        Detail::Activity {
            man,
            before,
            after,
            moved,
        } => {
            let had = if *moved { "where it stood" } else { "before" };
            let squares = |n: u32| {
                if n == 1 {
                    "1 square".to_owned()
                } else {
                    format!("{n} squares")
                }
            };
            format!(
                "{man} has {} to go to and had {} {had}",
                squares(*after),
                squares(*before)
            )
        }
        Detail::Space { pawn } => {
            format!("{pawn} has advanced into the enemy's half and is safe there: it gains space")
        }
        Detail::Luft { king, square } => {
            format!("{king} had no square to flee to from its back rank and now has {square}: luft")
        }
        Detail::KingActivity { king, to } => {
            format!("{king} goes to {to}, nearer to the centre, in the endgame")
        }
        Detail::Connected { rooks } => format!("{} protect each other: the rooks are connected", men(rooks)),
        Detail::CastlingLost { king } => {
            format!(
                "The move gives up {} right to castle; the king stood on {}",
                owner(king.color),
                king.square
            )
        }
        Detail::FileOpened { man, open } => format!(
            "The move {} the {}-file for {man}",
            if *open { "opens" } else { "half-opens" },
            man.square.file().char()
        ),
        Detail::BishopPair { bishop, knight } => {
            format!(
                "{bishop} is given for {knight}: {} gives up the bishop pair",
                color_name(bishop.color)
            )
        }
        Detail::Opening { opening, entered } => format!(
            "{} {} ({})",
            if *entered {
                "The move leads to the opening"
            } else {
                "The opening is"
            },
            the_opening(&opening.name),
            opening.eco
        ),
        Detail::OnlyMove { side, legal: true } => format!("{} has no other legal move", color_name(*side)),
        Detail::OnlyMove { side, legal: false } => {
            format!(
                "Every other move of {} is clearly worse in the engine's view",
                color_name(*side)
            )
        }
    }
}

fn feature(pawn: &Man, name: &str, change: Change) -> String {
    match change {
        Change::Gone => format!("Before the move {pawn} was {name}; it no longer is"),
        _ => format!("{pawn} is {name}{}", new(change)),
    }
}

/// "the Sicilian Defense", but "Petrov's Defense".
#[must_use]
pub fn the_opening(name: &str) -> String {
    let first = name.split(' ').next().unwrap_or_default();
    let persons = first.ends_with("'s") && !matches!(first, "King's" | "Queen's" | "Bishop's" | "Knight's");
    if persons {
        name.to_owned()
    } else {
        format!("the {name}")
    }
}

/// "kingside" or "queenside".
#[must_use]
pub const fn side(short: bool) -> &'static str {
    if short { "kingside" } else { "queenside" }
}

const fn standing(standing: Standing) -> &'static str {
    standing.word()
}

/// What a move along a line does: "; Black knight on c2 forks …; Black wins the exchange".
fn outcome(side: Color, acts: &[Detail], wins: Option<&Surplus>, mate: Option<u32>) -> String {
    let mut parts: Vec<String> = acts.iter().map(statement).collect();
    parts.extend(
        wins.and_then(Surplus::in_words)
            .map(|won| format!("{} wins {won}", color_name(side))),
    );
    parts.extend(mate.map(|n| match n {
        1 => format!("{} mates at once", color_name(side)),
        n => format!("{} mates in {n}", color_name(side)),
    }));
    parts.into_iter().map(|part| format!("; {part}")).collect()
}

/// "; after 12...Bxd1 13.Bxf7+ White mates in 2".
fn given(gift: &Gift, side: Color) -> String {
    let line = [Some(&gift.taken), gift.next.as_ref()].into_iter().flatten().cloned();
    let line = line.collect::<Vec<_>>().join(" ");
    let side = color_name(side);
    let what = match &gift.compensation {
        Compensation::Mate(1) => format!("{side} mates on the next move"),
        Compensation::Mate(moves) => format!("{side} mates in {moves}"),
        Compensation::Wins(surplus) => {
            format!(
                "{side} wins {}",
                surplus.in_words().unwrap_or_else(|| "material".to_owned())
            )
        }
        Compensation::WonBack => format!("{side} wins the material back"),
        Compensation::Stalemate => format!("{side} is stalemated, which is a draw"),
        Compensation::Attack(standing) => format!("{side} has an attack on the king and is {}", standing.word()),
        Compensation::Lasting(standing) => format!("{side} is {}", standing.word()),
    };
    format!("; after {line} {what}")
}

fn exposed(hanging: &Hanging, cause: Cause) -> String {
    let Hanging { target, by, .. } = hanging;
    let why = match cause {
        Cause::Left(man) => format!("{man} no longer protects it"),
        Cause::Opened => "the move opened the line between them".to_owned(),
        Cause::Blocked(man) => format!("the move cuts it off from the protection of {man}"),
        Cause::Walked => "the move brought it there".to_owned(),
        Cause::Ignored => "it could be won before, and the move does nothing about it".to_owned(),
    };
    format!("{by} can win {target}: {why}")
}

fn remedied(remedy: &Remedy) -> String {
    match remedy {
        Remedy::Saves { man, to } => format!("brings {man} to safety on {to}"),
        Remedy::Protects { man, keeps: false } => format!("protects {man}"),
        Remedy::Protects { man, keeps: true } => format!("keeps {man} protected"),
        Remedy::Blocks { man, attacker } => format!("blocks the attack by {attacker} on {man}"),
        Remedy::Takes { man, attacker } => format!("takes {attacker}, the attacker of {man}"),
        Remedy::Prevents { reply, possible: false } => format!("prevents {reply}: it can't be played then"),
        Remedy::Prevents { reply, possible: true } => format!("prevents {reply}: it would lose material then"),
        Remedy::StopsMate => "allows no forced mate".to_owned(),
    }
}

fn planned(side: Color, san: &str, plan: Plan) -> String {
    let side = color_name(side);
    match plan {
        Plan::Castle { short } => format!(
            "{side} castles {} with {san}, which was not possible before",
            self::side(short)
        ),
        Plan::Advance { pawn, to } => {
            format!("{pawn} advances to {to} with {san}, a square that the piece which moved now controls")
        }
        Plan::Reroute { man, to } => format!("{man} goes on to {to} with {san}"),
        Plan::MakeWay { man, to } => format!("{man} comes out to {to} with {san}, where the pawn had stood in its way"),
    }
}

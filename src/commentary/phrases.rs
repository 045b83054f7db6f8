//! Facts as verb phrases, so that a sentence can be built around them: "forks …", "forking …".

use shakmaty::{Color, File, Rank, Role, Square};

use super::{
    fact::{Change, Detail, Fate, Remedy},
    wording,
};
use crate::{
    chess::{
        Man,
        material::{Surplus, join},
        motifs::mate::Pattern,
        names::{color_name, role_name},
    },
    random::{Rng, hash},
};

/// Chooses wordings: the same position and move give the same choices, others give others.
#[derive(Debug, Clone)]
pub struct WordChoice(Rng);

impl WordChoice {
    /// The choices that belong to a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self(Rng::new(hash(text)))
    }

    /// One of `options`, which must not be empty.
    pub fn pick<'a>(&mut self, options: &[&'a str]) -> &'a str {
        let n = self.0.next_u64() % options.len().max(1) as u64;
        options
            .get(usize::try_from(n).unwrap_or(0))
            .copied()
            .unwrap_or_default()
    }
}

/// A verb phrase: "forks the king on e1 and the rook on a1", "forking …".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Act {
    verb: String,
    gerund: String,
    rest: String,
    /// True where the player is the subject, not the move: "White castles".
    pub of_player: bool,
}

impl Act {
    /// "forks the king on e1 and the rook on a1".
    #[must_use]
    pub fn fin(&self) -> String {
        format!("{} {}", self.verb, self.rest).trim_end().to_owned()
    }

    /// True for verbs that take several objects in one breath.
    fn lists(&self) -> bool {
        matches!(
            self.verb.as_str(),
            "attacks" | "threatens" | "protects" | "defends" | "saves" | "takes care of"
        ) && (self.rest.starts_with("the ") || self.rest.starts_with("to win the "))
    }

    /// "forking the king on e1 and the rook on a1".
    #[must_use]
    pub fn ing(&self) -> String {
        format!("{} {}", self.gerund, self.rest).trim_end().to_owned()
    }
}

fn act(verb: &str, gerund: &str, rest: &str) -> Act {
    Act {
        verb: verb.to_owned(),
        gerund: gerund.to_owned(),
        rest: rest.to_owned(),
        of_player: false,
    }
}

fn by_player(mut act: Act) -> Act {
    act.of_player = true;
    act
}

/// The longest mate that is mentioned at all, in moves: only an engine counts further, and its next search finds
/// another number.
const FAR_MATE: u32 = 8;
/// Moves up to which they are counted out.
const COUNTED: u32 = 5;

/// Whether a mate is near enough to be mentioned.
#[must_use]
pub const fn is_near(moves: u32) -> bool {
    moves <= FAR_MATE
}

/// Whether a mate's moves are counted in words.
#[must_use]
pub const fn is_counted(moves: u32) -> bool {
    moves <= COUNTED
}

/// "mate in 3", or "mate" where nobody would count the moves.
#[must_use]
pub fn mate_in(moves: u32) -> String {
    if is_counted(moves) {
        format!("mate in {moves}")
    } else {
        "mate".to_owned()
    }
}

/// "the knight on e5".
#[must_use]
pub fn the(man: &Man) -> String {
    format!("the {}", man.plain())
}

fn list(men: &[Man]) -> String {
    join(&men.iter().map(the).collect::<Vec<_>>())
}

/// "White's" or "Black's".
#[must_use]
pub fn owner(color: Color) -> String {
    format!("{}'s", color_name(color))
}

/// A fact as a verb phrase with the move or the player as its subject. `None` for facts that aren't deeds.
#[must_use]
#[allow(clippy::too_many_lines)] // A table.
pub fn deed(detail: &Detail, words: &mut WordChoice) -> Option<Act> {
    Some(match detail {
        Detail::Checkmate { pattern, king, .. } => match pattern {
            Some(Pattern::Smothered) => act("is", "being", "a smothered mate"),
            Some(Pattern::BackRank) => act("mates", "mating", &format!("{} on the back rank", the(king))),
            None => match words.pick(&["a", "b"]) {
                "a" => act("gives", "giving", "checkmate"),
                _ => act("checkmates", "checkmating", &the(king)),
            },
        },
        Detail::Mate { moves, .. } => act("forces", "forcing", &mate_in(*moves)),
        Detail::Stalemate { .. } => act("is", "being", "stalemate, so the game is drawn"),
        Detail::Draw { repetition: true } => act(
            "repeats",
            "repeating",
            "the position for the third time, so a draw can be claimed",
        ),
        Detail::Draw { repetition: false } => act(
            "leaves",
            "leaving",
            "too little material for either side to mate, so the game is drawn",
        ),
        Detail::Sacrifice { man, .. } => match words.pick(&["a", "b"]) {
            "a" => act("sacrifices", "sacrificing", &the(man)),
            _ => act("offers", "offering", &format!("{} as a sacrifice", the(man))),
        },
        Detail::Fork(fork) => act("forks", "forking", &list(&fork.targets)),
        Detail::Promotion { into, .. } => {
            by_player(act("promotes", "promoting", &format!("to a {}", role_name(*into))))
        }
        Detail::Skewer(skewer) => act(
            "skewers",
            "skewering",
            &format!("{} against {}", the(&skewer.front), the(&skewer.behind)),
        ),
        Detail::Discovered(found) if found.target.role == Role::King => {
            act("uncovers", "uncovering", &format!("a check from {}", the(&found.by)))
        }
        Detail::Discovered(found) => match words.pick(&["a", "b"]) {
            "a" => act(
                "uncovers",
                "uncovering",
                &format!("an attack by {} on {}", the(&found.by), the(&found.target)),
            ),
            _ => act(
                "unleashes",
                "unleashing",
                &format!("{} against {}", the(&found.by), the(&found.target)),
            ),
        },
        Detail::Trapped(hanging) => act("traps", "trapping", &the(&hanging.target)),
        Detail::MateThreat { san, .. } => act("threatens", "threatening", &format!("mate with {san}")),
        Detail::Capture { by, taken, gain }
            if *gain == 0 && by.value() == taken.value() && taken.role != Role::Pawn =>
        {
            if by.role == taken.role {
                act(
                    "exchanges",
                    "exchanging",
                    &format!("{}s on {}", role_name(by.role), taken.square),
                )
            } else {
                act(
                    "exchanges",
                    "exchanging",
                    &format!("the {} for {}", role_name(by.role), the(taken)),
                )
            }
        }
        Detail::Capture { taken, gain, .. }
            if *gain == taken.value() && !matches!(taken.role, Role::Pawn | Role::Queen) =>
        {
            match words.pick(&["a", "b"]) {
                "a" => act("picks up", "picking up", &the(taken)),
                _ => act("picks off", "picking off", &the(taken)),
            }
        }
        Detail::Capture { taken, .. } => match words.pick(&["a", "b", "a"]) {
            "a" => act("takes", "taking", &the(taken)),
            _ => act("captures", "capturing", &the(taken)),
        },
        Detail::EnPassant { taken, .. } => act("takes", "taking", &format!("{} en passant", the(taken))),
        Detail::Recapture { taken, .. } => act("recaptures", "recapturing", &the(taken)),
        Detail::Pin { pin, .. } => act(
            "pins",
            "pinning",
            &format!("{} to {}", the(&pin.pinned), the(&pin.behind)),
        ),
        // "Threatens the knight" would say that the man which moved attacks it; another may.
        Detail::Threat(hanging) => act("threatens", "threatening", &format!("to win {}", the(&hanging.target))),
        Detail::Castling { short, .. } => by_player(act("castles", "castling", wording::side(*short))),
        Detail::Check {
            discovered: true, by, ..
        } if by.len() > 1 => act("gives", "giving", "double check"),
        Detail::Check { king, .. } => match words.pick(&["a", "b"]) {
            "a" => act("gives", "giving", "check"),
            _ => act("checks", "checking", &the(king)),
        },
        Detail::Passed {
            pawn,
            change: Change::Kept,
        } => match pawn
            .color
            .fold_wb(pawn.square.rank(), pawn.square.rank().flip_vertical())
        {
            Rank::Sixth => act("advances", "advancing", "the passed pawn to the sixth rank"),
            Rank::Seventh => act("advances", "advancing", "the passed pawn to the seventh rank"),
            _ => act("advances", "advancing", "the passed pawn"),
        },
        Detail::Passed { pawn, .. } => act("creates", "creating", &format!("a passed pawn on {}", pawn.square)),
        Detail::Outpost { man } => act(
            "plants",
            "planting",
            &format!("the {} on an outpost on {}", role_name(man.role), man.square),
        ),
        Detail::Trade {
            ours,
            theirs,
            made: false,
        } => {
            if ours.role == theirs.role {
                act("offers", "offering", &format!("to exchange {}s", role_name(ours.role)))
            } else {
                act(
                    "offers",
                    "offering",
                    &format!("to exchange the {} for {}", role_name(ours.role), the(theirs)),
                )
            }
        }
        Detail::File { man, open, .. } => act(
            "places",
            "placing",
            &format!(
                "{} on the {} {}-file",
                the(man).replace(&format!(" on {}", man.square), ""),
                if *open { "open" } else { "half-open" },
                man.square.file().char()
            ),
        ),
        Detail::Development { man, to } => act(
            "develops",
            "developing",
            &format!("the {} to {to}", role_name(man.role)),
        ),
        Detail::Shelter { king, shield, .. } if shield.is_empty() => {
            act("strips", "stripping", &format!("{} of pawn cover", the(king)))
        }
        Detail::Shelter { king, .. } => act("weakens", "weakening", &format!("the pawn cover of {}", the(king))),
        Detail::Hanging {
            hanging,
            change: Change::Gone,
            fate,
            ..
        } => {
            let role = role_name(hanging.target.role);
            if *fate == Fate::Moves {
                act("moves", "moving", &format!("the attacked {role} to safety"))
            } else {
                match words.pick(&["a", "b"]) {
                    "a" => act("saves", "saving", &format!("the hanging {}", hanging.target.plain())),
                    _ => act(
                        "takes care of",
                        "taking care of",
                        &format!("the hanging {}", hanging.target.plain()),
                    ),
                }
            }
        }
        Detail::Isolated { pawn, .. } => act(
            "leaves",
            "leaving",
            &format!("{} with an isolated pawn on {}", color_name(pawn.color), pawn.square),
        ),
        Detail::Doubled { pawns, .. } => {
            let first = pawns.first()?;
            act(
                "doubles",
                "doubling",
                &format!(
                    "{} pawns on the {}-file",
                    owner(first.color),
                    first.square.file().char()
                ),
            )
        }
        Detail::Battery { front, rear, target } => {
            let line = if front.role == rear.role {
                format!("the two {}s", role_name(front.role))
            } else {
                format!("the {} and the {}", role_name(front.role), role_name(rear.role))
            };
            act("lines up", "lining up", &format!("{line} against {}", the(target)))
        }
        Detail::Attack { attack, .. } => act("attacks", "attacking", &the(&attack.target)),
        Detail::Defence { target, .. } => match words.pick(&["a", "b"]) {
            "a" => act("protects", "protecting", &the(target)),
            _ => act("defends", "defending", &the(target)),
        },
        Detail::Retreat { man, to } => act(
            "retreats",
            "retreating",
            &format!("the {} to {to}", role_name(man.role)),
        ),
        Detail::Activity { man, moved: true, .. } => {
            act("activates", "activating", &format!("the {}", role_name(man.role)))
        }
        Detail::Activity { man, before, after, .. } if after > before => act("frees", "freeing", &the(man)),
        Detail::Activity { man, .. } => act("shuts in", "shutting in", &the(man)),
        Detail::Space { pawn } => act("gains", "gaining", &format!("space {}", wing(pawn.square))),
        Detail::Luft { king, .. } => act("makes", "making", &format!("luft for {}", the(king))),
        Detail::KingActivity { .. } => act("brings", "bringing", "the king towards the centre"),
        Detail::Connected { .. } => act("connects", "connecting", "the rooks"),
        Detail::FileOpened { man, open } => {
            let line = format!("the {}-file for {}", man.square.file().char(), the(man));
            if *open {
                act("opens", "opening", &line)
            } else {
                act("half-opens", "half-opening", &line)
            }
        }
        Detail::CastlingLost { .. } => act("gives up", "giving up", "the right to castle"),
        Detail::BishopPair { .. } => act("gives up", "giving up", "the bishop pair"),
        Detail::Remedy { remedy, .. } => remedied(remedy),
        Detail::Opening { opening, .. } => by_player(act("enters", "entering", &wording::the_opening(&opening.name))),
        Detail::Move { man, to, .. } => moves(man, *to, words)?,
        _ => return None,
    })
}

/// "in the centre", "on the queenside".
const fn wing(square: Square) -> &'static str {
    match square.file() {
        File::D | File::E => "in the centre",
        File::A | File::B | File::C => "on the queenside",
        File::F | File::G | File::H => "on the kingside",
    }
}

fn remedied(remedy: &Remedy) -> Act {
    match remedy {
        Remedy::Saves { man, .. } => act("brings", "bringing", &format!("{} to safety", the(man))),
        Remedy::Protects { man, keeps: false } => act("protects", "protecting", &the(man)),
        Remedy::Protects { man, keeps: true } => act("keeps", "keeping", &format!("{} protected", the(man))),
        Remedy::Blocks { man, attacker } => act(
            "blocks",
            "blocking",
            &format!("the attack by {} on {}", the(attacker), the(man)),
        ),
        Remedy::Takes { man, .. } => act("removes", "removing", &format!("the attacker of {}", the(man))),
        Remedy::Prevents { reply, .. } => act("prevents", "preventing", reply),
        Remedy::StopsMate => act("avoids", "avoiding", "the mate"),
    }
}

fn moves(man: &Man, to: shakmaty::Square, words: &mut WordChoice) -> Option<Act> {
    let centre = matches!(to.file().char(), 'd' | 'e') && matches!(to.rank().char(), '4' | '5');
    Some(match man.role {
        Role::Pawn if centre => act("puts", "putting", &format!("a pawn in the centre on {to}")),
        // The move's own name says it all.
        Role::Pawn => return None,
        Role::King => act("moves", "moving", &format!("the king to {to}")),
        role => match words.pick(&["a", "b"]) {
            "a" => act("brings", "bringing", &format!("the {} to {to}", role_name(role))),
            _ => act("moves", "moving", &format!("the {} to {to}", role_name(role))),
        },
    })
}

/// "wins the exchange": what is won along a line.
#[must_use]
pub fn wins(surplus: &Surplus) -> Option<Act> {
    // That a pawn promotes on the way is no gain of material: see `gains`.
    Some(act("wins", "winning", &surplus.without_promotion().in_words()?))
}

/// "promotes a pawn and wins the exchange": what a line brings.
#[must_use]
pub fn gains(surplus: &Surplus) -> Option<String> {
    let won = wins(surplus).map(|won| won.fin());
    let promotes = surplus.promoted.map(|_| "promotes a pawn".to_owned());
    [promotes, won]
        .into_iter()
        .flatten()
        .reduce(|a, b| format!("{a} and {b}"))
}

/// The deeds of a move, with what it wins in the end: a capture or threat that wins just what it is aimed at is said
/// once, and so are attacks on several men.
#[must_use]
pub fn deeds(acts: &[Detail], surplus: Option<&Surplus>, words: &mut WordChoice) -> Vec<Act> {
    let mut said: Vec<Act> = Vec::new();
    let promoted = acts.iter().find_map(|detail| match detail {
        Detail::Promotion { into, .. } => Some(*into),
        _ => None,
    });
    let surplus = surplus.map(|s| match promoted {
        // The promotion is said as what the move does.
        Some(_) if s.promoted.is_some() => s.without_promotion(),
        Some(into) => s.beside_promotion(into),
        None => s.clone(),
    });
    let surplus = surplus.as_ref().filter(|s| s.points() > 0);
    let mut won = surplus.and_then(wins);
    let all_of = |role: Role| surplus.is_some_and(|s| s.less.is_empty() && s.more == [role]);
    let at_least = |role: Role| {
        surplus.is_some_and(|s| s.more.first() == Some(&role) && s.points() + 1 >= crate::chess::material::value(role))
    };
    for detail in acts {
        match detail {
            // Only what is not taken back is won there and then.
            Detail::Capture { taken, gain, .. }
                if *gain == taken.value() && (all_of(taken.role) || (taken.value() >= 3 && at_least(taken.role))) =>
            {
                said.push(act("wins", "winning", &the(taken)));
                won = None;
                continue;
            }
            // It is taken back, and what is taken then is won in turn: it comes to this man.
            Detail::Capture { taken, .. } if all_of(taken.role) && taken.role != Role::Pawn => {
                said.push(act("wins", "winning", &the(taken)));
                won = None;
                continue;
            }
            Detail::Capture { taken, gain, .. }
                if surplus.is_some_and(|s| s.more == [taken.role] && s.points() == *gain) =>
            {
                let price = surplus.and_then(Surplus::price).unwrap_or_default();
                said.push(act("wins", "winning", &format!("{} for {price}", the(taken))));
                won = None;
                continue;
            }
            Detail::Threat(hanging) if all_of(hanging.target.role) => continue,
            Detail::Recapture { taken, .. } if all_of(taken.role) => won = None,
            _ => {}
        }
        let Some(next) = deed(detail, words) else { continue };
        match said.last_mut() {
            Some(last) if last.verb == next.verb && last.lists() && next.lists() => {
                let more = next.rest.strip_prefix("to win ").unwrap_or(&next.rest);
                let more = more.replacen("the hanging ", "the ", 1);
                last.rest = format!("{} and {more}", last.rest);
            }
            _ => said.push(next),
        }
    }
    said.extend(won);
    said
}

/// "a", "a and b", "a, b and c".
#[must_use]
pub fn finite(acts: &[Act]) -> String {
    join(&acts.iter().map(Act::fin).collect::<Vec<_>>())
}

/// The same in the -ing form.
#[must_use]
pub fn gerund(acts: &[Act]) -> String {
    join(&acts.iter().map(Act::ing).collect::<Vec<_>>())
}

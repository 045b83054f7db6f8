//! Inaccuracies, mistakes and blunders: what the move allows first, then why the best move was better.

use shakmaty::{Color, Role};

use super::{
    super::{
        FactId, FactSheet, Verdict,
        fact::{Cause, Change, Detail, Fact, FactKind, Moment},
        phrases::{self, Act, deed, deeds, finite, gerund, is_near, mate_in, owner, the},
        salience::{bares, heaviest},
        standing::Standing,
    },
    MOST_SENTENCES, Narrator,
};
use crate::chess::{Man, material::Surplus, names::color_name};

/// Why a move is bad, to follow "is a mistake:", with the facts it rests on.
struct Reason {
    clause: String,
    facts: Vec<FactId>,
    /// True where the clause has already named the best move.
    names_best: bool,
    /// Of harm done to the own position: how much it weighs.
    weight: u32,
}

/// From this weight on a harm is worth a sentence beside a tactical reason.
const ASIDE: u32 = 45;
/// From this weight on it is reason enough for a bad move that shows no tactical one.
const GRAVE: u32 = 60;

impl Reason {
    fn of(clause: String, facts: Vec<FactId>) -> Self {
        Self {
            clause,
            facts,
            names_best: false,
            weight: 0,
        }
    }
}

/// A punishment: the fact, the reply, what it does, what it wins, the mate it starts.
type Punished<'a> = (&'a Fact, &'a str, &'a [Detail], Option<&'a Surplus>, Option<u32>);

impl<'a> Narrator<'a> {
    /// Comments on a bad move.
    pub(super) fn bad(&mut self, verdict: Verdict, id: FactId) {
        let achieved = self.deeds(1, 200);
        let san = self.san.clone();
        let mut ids = vec![id];
        ids.extend(self.move_id());
        let phrase = verdict.phrase();
        let tactical = self.exposed().or_else(|| self.punishment()).or_else(|| self.missed());
        let tactical = tactical.or_else(|| self.runs_into());
        let (harm, reason) = match tactical {
            Some(reason) => (self.harm(), Some(reason)),
            None => {
                let harm = self.harm().filter(|harm| harm.weight >= GRAVE);
                (None, harm.or_else(|| self.allows()).or_else(|| self.slip()))
            }
        };
        let names_best = reason.as_ref().is_some_and(|reason| reason.names_best);
        let intent: Vec<Act> = achieved.iter().filter_map(|(d, _)| deed(d, &mut self.words)).collect();
        let text = match (reason, intent.first()) {
            (Some(reason), None) => {
                ids.extend(reason.facts);
                format!("{san} is {phrase}: {}.", reason.clause)
            }
            (Some(reason), Some(intent)) => {
                ids.extend(reason.facts);
                let clause = reason.clause;
                match (self.words.pick(&["a", "b"]), intent.of_player) {
                    ("a", false) => {
                        ids.extend(achieved.iter().map(|&(_, id)| id));
                        format!("{san} {}, but it is {phrase}: {clause}.", intent.fin())
                    }
                    _ => format!("{san} is {phrase}: {clause}."),
                }
            }
            (None, Some(intent)) if !intent.of_player => {
                ids.extend(achieved.iter().map(|&(_, id)| id));
                format!("{san} {}, but it is {phrase}.", intent.fin())
            }
            (None, _) => format!("{san} is {phrase}."),
        };
        self.say(text, ids);
        if !names_best {
            self.better();
        }
        if let Some(harm) = harm.filter(|harm| self.said.len() < MOST_SENTENCES && harm.weight >= ASIDE) {
            let clause = harm.clause.strip_prefix("it ").unwrap_or(&harm.clause).to_owned();
            let mut ids = harm.facts;
            ids.extend(self.move_id());
            self.say(format!("{san} also {clause}."), ids);
        }
        self.concept(false);
        if self.said.len() < 2
            && let Some(slip) = self.slip()
        {
            let clause = slip.clause.replacen("it ", "The move ", 1);
            self.say(format!("{clause}."), slip.facts);
        }
    }

    fn punished(&self) -> Option<Punished<'a>> {
        let sheet: &'a FactSheet = self.sheet;
        let fact = sheet.of_kind(FactKind::Punishment).next()?;
        match &fact.detail {
            Detail::Punishment {
                san, acts, wins, mate, ..
            } => Some((fact, san, acts, wins.as_ref(), *mate)),
            _ => None,
        }
    }

    /// The reply takes a man that the move left to be taken: how it came to that, and what it wins.
    fn exposed(&mut self) -> Option<Reason> {
        let (fact, san, acts, wins, mate) = self.punished()?;
        let punishment = fact.id;
        let won = wins.filter(|won| mate.is_none() && won.points() > 0)?;
        let (exposed, hanging, cause) = self.facts().iter().find_map(|fact| match &fact.detail {
            Detail::Exposed { hanging, cause } if san.contains(&format!("x{}", hanging.target.square)) => {
                Some((fact.id, *hanging, *cause))
            }
            _ => None,
        })?;
        let letter = san.chars().next().filter(char::is_ascii_uppercase);
        let by_it = letter == (hanging.by.role != Role::Pawn).then(|| hanging.by.role.upper_char());
        if !by_it && matches!(cause, Cause::Opened) {
            return None;
        }
        let besides: Vec<Detail> = acts
            .iter()
            .filter(|act| {
                matches!(
                    act,
                    Detail::Fork(_) | Detail::Skewer(_) | Detail::Discovered(_) | Detail::MateThreat { .. }
                )
            })
            .cloned()
            .collect();
        let man = the(&hanging.target);
        let lead = match cause {
            Cause::Left(_) if hanging.protected => Some(format!("it takes a protector away from {man}")),
            Cause::Left(_) => Some(format!("it leaves {man} without a protector")),
            Cause::Opened => Some(format!("it opens the line from {} to {man}", the(&hanging.by))),
            Cause::Blocked(protector) => Some(format!("it cuts {man} off from {}", the(&protector))),
            Cause::Walked => None,
            Cause::Ignored => Some(match self.words.pick(&["a", "b"]) {
                "a" => format!("it does nothing about the attack on {man}"),
                _ => format!("it leaves {man} hanging"),
            }),
        };
        let mut besides = deeds(&besides, None, &mut self.words);
        let object = if lead.is_some() { "it" } else { &man };
        // The move played may be written as the reply is.
        let reply = if san == self.san {
            format!("{} {san}", owner(self.mover.other()))
        } else {
            san.to_owned()
        };
        let deed = match won.besides(hanging.target.role) {
            Some(more) => format!("{reply} wins {object}{more}"),
            None => {
                besides.extend(phrases::wins(won));
                format!("{reply} takes {object}")
            }
        };
        let lead = lead.map_or(String::new(), |lead| format!("{lead}, and "));
        let clause = if besides.is_empty() {
            format!("{lead}{deed}")
        } else {
            format!("{lead}{deed}, {}", gerund(&besides))
        };
        Some(Reason::of(clause, vec![punishment, exposed]))
    }

    /// What the reply does: "it allows …".
    fn punishment(&mut self) -> Option<Reason> {
        let (fact, san, acts, wins, mate) = self.punished()?;
        let (id, side) = (fact.id, color_name(self.mover.other()));
        if let Some(n) = mate.filter(|n| is_near(*n)) {
            let clause = match n {
                1 => format!("it allows {san}"),
                n => format!("it lets {side} force {}, starting with {san}", mate_in(n)),
            };
            return Some(Reason::of(clause, vec![id]));
        }
        let acts = shortened(acts, wins, self.mover.other());
        let deeds = deeds(&acts, wins, &mut self.words);
        if deeds.is_empty() {
            return None;
        }
        let clause = match self.words.pick(&["a", "b", "c"]) {
            "a" => format!("it allows {san}, {}", gerund(&deeds)),
            "b" => format!("after {san}, {side} {}", finite(&deeds)),
            _ => format!("{side} has the strong reply {san}, {}", gerund(&deeds)),
        };
        Some(Reason::of(clause, vec![id]))
    }

    /// What the best move wins that the move played does not.
    fn gain_missed(&self) -> Option<Surplus> {
        let Detail::Best { wins, .. } = &self.sheet.of_kind(FactKind::Best).next()?.detail else {
            return None;
        };
        let kept = self.harvest().map_or(0, |(surplus, _)| surplus.points());
        wins.clone().filter(|won| won.points() > kept.max(0))
    }

    /// A mate or material that the best move wins: "it misses …".
    fn missed(&mut self) -> Option<Reason> {
        let fact = self.sheet.of_kind(FactKind::Best).next()?;
        let Detail::Best { san, acts, mate, .. } = &fact.detail else {
            return None;
        };
        let won = self.gain_missed();
        let clause = match (mate.filter(|n| is_near(*n)), &won) {
            (Some(n), _) => format!("it misses {}", mating(san, n)),
            (None, Some(_)) => {
                let acts = shortened(acts, won.as_ref(), self.mover);
                let deeds = deeds(&acts, won.as_ref(), &mut self.words);
                format!("it misses {san}, {}", gerund(&deeds))
            }
            (None, None) => return None,
        };
        Some(Reason {
            clause,
            facts: vec![fact.id],
            names_best: true,
            weight: 0,
        })
    }

    /// The motif of the opponent's second move in the expected line.
    fn runs_into(&mut self) -> Option<Reason> {
        let enemy = self.mover.other();
        let fact = self.facts().iter().find(|fact| {
            fact.moment == Moment::Line
                && fact.line.len() == 3
                && fact.detail.actor() == Some(enemy)
                && matches!(
                    fact.kind,
                    FactKind::Fork | FactKind::Skewer | FactKind::Discovered | FactKind::Checkmate
                )
        })?;
        let [reply, answer, next] = &fact.line[..] else {
            return None;
        };
        let act = deed(&fact.detail, &mut self.words)?;
        Some(Reason::of(
            format!("after {reply} {answer}, {next} {}", act.fin()),
            vec![fact.id],
        ))
    }

    /// What the move does to its own side's position, to follow "it".
    fn harm(&mut self) -> Option<Reason> {
        let (weight, fact) = self
            .facts()
            .iter()
            .filter(|fact| !matches!(fact.moment, Moment::Line | Moment::Best | Moment::Before))
            .filter_map(|fact| harms(&fact.detail, self.mover).map(|weight| (weight, fact)))
            .max_by_key(|&(weight, fact)| (weight, std::cmp::Reverse(fact.id)))?;
        let clause = match &fact.detail {
            Detail::Shelter { king, .. } => format!("it weakens the pawn cover of {}", the(king)),
            Detail::Backward { pawn, .. } => format!("it leaves {} backward", the(pawn)),
            Detail::Passed { pawn, .. } => {
                format!("it gives {} a passed pawn on {}", color_name(pawn.color), pawn.square)
            }
            Detail::Doubled { pawns, .. } => {
                let pawn = pawns.first()?;
                format!(
                    "it leaves {} pawns doubled on the {}-file",
                    owner(pawn.color),
                    pawn.square.file().char()
                )
            }
            other => format!("it {}", deed(other, &mut self.words)?.fin()),
        };
        Some(Reason {
            weight,
            ..Reason::of(clause, vec![fact.id])
        })
    }

    /// The reply that the move allows, and how the sides stand after it.
    fn allows(&mut self) -> Option<Reason> {
        let (fact, san, ..) = self.punished()?;
        let judged = self.find(FactKind::Verdict)?;
        let Detail::Verdict { before, after, .. } = judged.detail else {
            return None;
        };
        let (side, other) = (color_name(self.mover), color_name(self.mover.other()));
        let clause = match (before, after) {
            (Standing::Lost, Standing::Lost) => format!("after {san}, {other} wins more easily"),
            (Standing::Winning, Standing::Winning) => {
                format!("after {san}, {side} is still winning, but with less in hand")
            }
            (_, after) if after < Standing::Equal => match self.words.pick(&["a", "b"]) {
                "a" => format!("after {san}, {other} is {}", after.reversed().word()),
                _ => format!("it allows {san}, and {other} is {}", after.reversed().word()),
            },
            (_, Standing::Equal) => match self.words.pick(&["a", "b"]) {
                "a" => format!("after {san}, {side}'s advantage is gone"),
                _ => format!("it allows {san}, and the game is equal"),
            },
            (..) => format!("after {san}, part of {side}'s advantage is gone"),
        };
        Some(Reason::of(clause, vec![fact.id, judged.id]))
    }

    /// How the move changes the mover's standing, where it does.
    fn slip(&self) -> Option<Reason> {
        use Standing::{ClearlyBetter, Equal, Lost, Winning};
        let fact = self.find(FactKind::Verdict)?;
        let Detail::Verdict { before, after, .. } = fact.detail else {
            return None;
        };
        let (side, other) = (color_name(self.mover), color_name(self.mover.other()));
        let clause = match (before, after) {
            (before, after) if after >= before => return None,
            (Equal, Lost) => format!("it turns an equal position into a lost one for {side}"),
            (before, Lost) if before > Equal => format!("it turns a better position for {side} into a lost one"),
            (_, Lost) => format!("it leaves {side} with a lost position"),
            (Winning | ClearlyBetter, after) if after > Equal => format!("it lets part of {side}'s advantage slip"),
            (before, Equal) if before > Equal => format!("it lets {side}'s advantage slip"),
            (before, after) if before > Equal => {
                format!(
                    "it lets {side}'s advantage slip, and {other} is {}",
                    after.reversed().word()
                )
            }
            (Equal, after) => format!(
                "it leaves {other} {} in a position that was equal",
                after.reversed().word()
            ),
            (_, after) => format!("it leaves {side} {}", after.word()),
        };
        Some(Reason::of(clause, vec![fact.id]))
    }

    /// Whether the move played brings this man to safety, too.
    fn saves(&self, man: Man) -> bool {
        self.facts().iter().any(|fact| {
            !matches!(fact.moment, Moment::Line | Moment::Best)
                && matches!(&fact.detail, Detail::Hanging { hanging, change: Change::Gone, .. } if hanging.target == man)
        })
    }

    /// What should have been played, and what it does about the trouble.
    fn better(&mut self) {
        let Some(fact) = self.find(FactKind::Best) else { return };
        let Detail::Best { san, acts, mate, .. } = &fact.detail else {
            return;
        };
        let side = color_name(self.mover);
        if let Some(n) = mate.filter(|n| is_near(*n)) {
            let text = format!("{side} misses {}.", mating(san, n));
            return self.say(text, vec![fact.id]);
        }
        let won = self.gain_missed();
        let remedy = self.find(FactKind::Remedy);
        let cured = remedy.and_then(|fact| cured(&fact.detail));
        // A capture that wins needs no other reason.
        let remedy = remedy.filter(|fact| won.is_none() || !takes(fact));
        let worth_saying: Vec<Detail> = acts
            .iter()
            .filter(|act| match act {
                // The remedy says how; and what the move played did as well tells nothing of the difference.
                Detail::Hanging { hanging, .. } => cured != Some(hanging.target) && !self.saves(hanging.target),
                Detail::Capture { .. } | Detail::Recapture { .. } => !remedy.is_some_and(takes),
                // That it is a check is in its name.
                Detail::Check { discovered, .. } => *discovered,
                _ => true,
            })
            .cloned()
            .collect();
        let acts = shortened(&worth_saying, won.as_ref(), self.mover);
        let mut deeds = deeds(&acts, won.as_ref(), &mut self.words);
        let mut ids = vec![fact.id];
        if let Some(remedy) = remedy.filter(|_| deeds.len() < 2)
            && let Some(act) = deed(&remedy.detail, &mut self.words)
        {
            deeds.insert(0, act);
            ids.push(remedy.id);
        }
        let ing = gerund(&deeds);
        let text = match (deeds.is_empty(), self.words.pick(&["a", "b", "c"])) {
            (true, "a") => format!("Better was {san}."),
            (true, "b") => format!("{san} was the move to play."),
            (true, _) => format!("{san} was stronger."),
            (false, "a") => format!("Better was {san}, {ing}."),
            (false, "b") => format!("{san} was the right move, {ing}."),
            (false, _) => format!("{side} should have played {san}, {ing}."),
        };
        self.say(text, ids);
    }
}

/// "Ra8#, which mates at once".
fn mating(san: &str, moves: u32) -> String {
    match moves {
        1 => format!("{san}, which mates at once"),
        n => format!("{san}, which forces {}", mate_in(n)),
    }
}

/// The man that the remedy is about.
fn cured(remedy: &Detail) -> Option<Man> {
    use super::super::fact::Remedy::{Blocks, Prevents, Protects, Saves, StopsMate, Takes};
    match remedy {
        Detail::Remedy { remedy, .. } => match remedy {
            Saves { man, .. } | Protects { man, .. } | Blocks { man, .. } | Takes { man, .. } => Some(*man),
            Prevents { .. } | StopsMate => None,
        },
        _ => None,
    }
}

/// True where the remedy itself tells of the capture.
fn takes(fact: &Fact) -> bool {
    use super::super::fact::Remedy::Takes;
    matches!(
        &fact.detail,
        Detail::Remedy {
            remedy: Takes { .. },
            ..
        }
    )
}

/// What is said of a move in a variation: besides what it wins, one thing is enough.
fn shortened(acts: &[Detail], won: Option<&Surplus>, mover: Color) -> Vec<Detail> {
    match won {
        Some(won) if won.points() > 0 => heaviest(acts, mover).cloned().into_iter().collect(),
        _ => acts.to_vec(),
    }
}

/// How much a fact speaks against the move of `mover`; `None` for what does not.
fn harms(detail: &Detail, mover: Color) -> Option<u32> {
    Some(match detail {
        Detail::CastlingLost { king } if king.color == mover => 90,
        Detail::Shelter { king, lost, gained, .. } if king.color == mover && bares(lost, gained) => 80,
        Detail::Passed {
            pawn,
            change: Change::New,
        } if pawn.color != mover => 70,
        Detail::Activity {
            man,
            before,
            after,
            moved: false,
        } if man.color == mover && after < before => 60,
        Detail::Isolated {
            pawn,
            change: Change::New,
        } if pawn.color == mover => 50,
        Detail::Doubled {
            pawns,
            change: Change::New,
        } if pawns.iter().all(|pawn| pawn.color == mover) => 45,
        Detail::Backward {
            pawn,
            change: Change::New,
        } if pawn.color == mover => 40,
        Detail::BishopPair { bishop, .. } if bishop.color == mover => 62,
        _ => return None,
    })
}

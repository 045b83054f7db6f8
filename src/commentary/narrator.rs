//! The offline narrator: one to three sentences from the fact sheet, each resting on facts it names.

use serde::Serialize;
use shakmaty::{Color, EnPassantMode, Position, Role, fen::Fen};

use super::{
    FactId, FactSheet, Verdict,
    board_facts::Found,
    fact::{Change, Detail, Fact, FactKind, Moment},
    phrases::{Act, Dice, deed, deeds, finite, gerund, the},
    telling::{repeats, select},
    verdict::Standing,
    wording::concept_effect,
};
use crate::{
    chess::{material::Surplus, names::color_name},
    concepts::Concept,
};

/// A sentence of the commentary with the facts it rests on, at least one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sentence {
    /// The sentence.
    pub text: String,
    /// The facts.
    pub facts: Vec<FactId>,
}

/// The most sentences a comment has.
const MOST: usize = 3;

/// Comments on the move in one to three sentences. The same sheet gives the same text.
#[must_use]
pub fn narrate(sheet: &FactSheet) -> Vec<Sentence> {
    let mut narrator = Narrator::new(sheet);
    match narrator.verdict() {
        Some((verdict, id)) if verdict.is_bad() => narrator.bad(verdict, id),
        verdict => narrator.fair(verdict),
    }
    narrator.said.truncate(MOST);
    narrator.said
}

struct Narrator<'a> {
    sheet: &'a FactSheet,
    san: String,
    mover: Color,
    dice: Dice,
    said: Vec<Sentence>,
}

impl<'a> Narrator<'a> {
    fn new(sheet: &'a FactSheet) -> Self {
        let played = sheet.played();
        let epd = Fen::from_position(&played.before, EnPassantMode::Legal).to_string();
        let board = epd.rsplitn(3, ' ').last().unwrap_or_default();
        Self {
            sheet,
            san: played.san(),
            mover: played.mover(),
            dice: Dice::of(&format!("{board} {}", played.uci())),
            said: Vec::new(),
        }
    }

    fn say(&mut self, text: String, mut facts: Vec<FactId>) {
        facts.sort_unstable();
        facts.dedup();
        self.said.push(Sentence { text, facts });
    }

    fn facts(&self) -> &'a [Fact] {
        self.sheet.facts()
    }

    fn find(&self, kind: FactKind) -> Option<&'a Fact> {
        self.facts().iter().find(|fact| fact.kind == kind)
    }

    fn id_of(&self, detail: &Detail) -> Option<FactId> {
        self.facts()
            .iter()
            .find(|fact| fact.detail == *detail)
            .map(|fact| fact.id)
    }

    fn move_id(&self) -> Vec<FactId> {
        self.find(FactKind::Move).map(|f| f.id).into_iter().collect()
    }

    fn verdict(&self) -> Option<(Verdict, FactId)> {
        self.facts().iter().find_map(|fact| match &fact.detail {
            Detail::Verdict { verdict, .. } => Some((*verdict, fact.id)),
            _ => None,
        })
    }

    /// What the mover wins or loses along the expected line, from the mover's view.
    fn harvest(&self) -> Option<(Surplus, FactId)> {
        self.facts().iter().find_map(|fact| match &fact.detail {
            Detail::MaterialChange { side, surplus } => {
                let surplus = if *side == self.mover {
                    surplus.clone()
                } else {
                    surplus.reversed()
                };
                Some((surplus, fact.id))
            }
            _ => None,
        })
    }

    /// The most telling deeds of the move, with their facts.
    fn deeds(&mut self, most: usize, least: u32) -> Vec<(Detail, FactId)> {
        let found: Vec<Found> = self
            .facts()
            .iter()
            .filter(|fact| !matches!(fact.moment, Moment::Line | Moment::Best))
            .map(|fact| Found {
                moment: fact.moment,
                detail: fact.detail.clone(),
            })
            .collect();
        select(&found, self.mover, most, least)
            .into_iter()
            .filter_map(|detail| self.id_of(&detail).map(|id| (detail, id)))
            .collect()
    }

    // ---- Fair moves, and moves without a verdict ----

    fn fair(&mut self, verdict: Option<(Verdict, FactId)>) {
        let mut told = self.deeds(2, 120);
        if told.is_empty() {
            told = self.deeds(2, 1);
        }
        // A judged move has its verdict to speak of; that a rook goes to e8 is in its name.
        if verdict.is_some() {
            told.retain(|(detail, _)| !matches!(detail, Detail::Move { man, .. } if man.role != Role::Pawn));
        }
        if let Some(entered) = self.entered_opening() {
            told.truncate(1);
            // "Puts a pawn in the centre and enters the King's Pawn Game" says it twice.
            told.retain(|(detail, _)| !matches!(detail, Detail::Move { .. }));
            told.push(entered);
        }
        let details: Vec<Detail> = told.iter().map(|(d, _)| d.clone()).collect();
        let mut ids: Vec<FactId> = told.iter().map(|&(_, id)| id).collect();
        let gains = self
            .harvest()
            .filter(|(surplus, _)| surplus.points() > 0 && verdict.is_some());
        let ends = details
            .iter()
            .any(|d| matches!(d, Detail::Checkmate { .. } | Detail::Mate { .. }));
        let own = gains.as_ref().filter(|(surplus, _)| !ends && earns(&details, surplus));
        let acts = deeds(&details, own.map(|(surplus, _)| surplus), &mut self.dice);
        ids.extend(own.map(|&(_, id)| id));
        let plain = matches!(details[..], [Detail::Move { .. }]);
        self.open(verdict, &acts, plain, ids);
        if ends {
            return self.mating_line();
        }
        self.only_move();
        self.follow_up(&details);
        if own.is_none()
            && let Some((surplus, id)) = &gains
            && let Some(won) = surplus.in_words()
        {
            let side = color_name(self.mover);
            let text = match self.dice.pick(&["a", "b"]) {
                "a" => format!("In the expected line {side} wins {won}."),
                _ => format!("With best play on both sides, {side} wins {won}."),
            };
            self.say(text, vec![*id]);
        }
        self.own_danger(verdict.is_some());
        self.reply();
        self.concept(true);
        self.standing();
    }

    /// The opening, where the move newly leads to its name.
    fn entered_opening(&self) -> Option<(Detail, FactId)> {
        let fact = self.find(FactKind::Opening)?;
        matches!(fact.detail, Detail::Opening { entered: true, .. }).then(|| (fact.detail.clone(), fact.id))
    }

    /// The first sentence of a move that isn't bad; `plain` when all it does is go somewhere.
    fn open(&mut self, verdict: Option<(Verdict, FactId)>, acts: &[Act], plain: bool, mut ids: Vec<FactId>) {
        ids.extend(self.move_id());
        let (san, side) = (self.san.clone(), color_name(self.mover));
        let fin = finite(acts);
        let ing = gerund(acts);
        let player = acts.iter().any(|a| a.of_player);
        let text = match verdict {
            Some((verdict, id)) => {
                ids.push(id);
                let phrase = verdict.phrase();
                let quality = match verdict {
                    Verdict::Best => self
                        .dice
                        .pick(&["the best move", "the strongest move", "the right move"]),
                    _ => phrase,
                };
                if acts.is_empty() {
                    format!("{san} is {quality}.")
                } else if player {
                    match self.dice.pick(&["a", "b"]) {
                        "a" => format!("{side} {fin} with {san}, {quality}."),
                        _ => format!("{san} is {quality}: {side} {fin}."),
                    }
                } else {
                    match self.dice.pick(&["a", "b", "c"]) {
                        "a" => format!("{san} is {quality}: it {fin}."),
                        "b" => format!("{side} plays {quality}, {san}, {ing}."),
                        _ => format!("{san}, {quality}, {fin}."),
                    }
                }
            }
            None if acts.is_empty() => format!("{side} plays {san}."),
            // With the name of the move beside it, "moves the queen to e2" would say it twice.
            None if plain => format!("{side} {fin}."),
            None if player => format!("{side} {fin} with {san}."),
            None => match self.dice.pick(&["a", "b", "c"]) {
                "a" => format!("{san} {fin}."),
                "b" => format!("With {san}, {side} {fin}."),
                _ => format!("{side} plays {san}, {ing}."),
            },
        };
        self.say(text, ids);
    }

    /// How a forced mate ends, along the expected line.
    fn mating_line(&mut self) {
        let mates =
            |fact: &&Fact| fact.moment == Moment::Line && matches!(fact.kind, FactKind::Checkmate | FactKind::BackRank);
        let Some(fact) = self.facts().iter().find(mates) else {
            return;
        };
        let back_rank = fact.kind == FactKind::BackRank;
        let text = match (&fact.line[..], back_rank) {
            ([reply, mate], false) => format!("After {reply}, {mate} is mate."),
            ([reply, mate], true) => format!("After {reply}, {mate} is mate on the back rank."),
            (line, false) => format!("The expected line is {}.", line.join(" ")),
            (line, true) => format!("The expected line, {}, ends in mate on the back rank.", line.join(" ")),
        };
        self.say(text, vec![fact.id]);
    }

    fn only_move(&mut self) {
        let Some(fact) = self.find(FactKind::OnlyMove) else {
            return;
        };
        let side = color_name(self.mover);
        let text = match fact.detail {
            Detail::OnlyMove { legal: true, .. } => format!("{side} had no other legal move."),
            _ => self
                .dice
                .pick(&[
                    "Every other move would have been clearly worse.",
                    "Nothing else would have been nearly as good.",
                    "It was the only good move.",
                ])
                .to_owned(),
        };
        self.say(text, vec![fact.id]);
    }

    /// The motif that comes next along the expected line.
    fn follow_up(&mut self, told: &[Detail]) {
        let Some(fact) = self.facts().iter().find(|fact| {
            fact.moment == Moment::Line
                && fact.line.len() == 2
                && matches!(
                    fact.kind,
                    FactKind::Fork | FactKind::Skewer | FactKind::Discovered | FactKind::Checkmate
                )
                && !told.iter().any(|t| repeats(t, &fact.detail))
        }) else {
            return;
        };
        let [reply, next] = &fact.line[..] else { return };
        let Some(act) = deed(&fact.detail, &mut self.dice) else {
            return;
        };
        let text = match self.dice.pick(&["a", "b"]) {
            "a" => format!("After {reply}, {next} {}.", act.fin()),
            _ => format!("If {reply}, then {next} {}.", act.fin()),
        };
        self.say(text, vec![fact.id]);
    }

    /// A man of the mover's that hangs. With an engine's blessing it isn't worth a word.
    fn own_danger(&mut self, judged: bool) {
        if judged {
            return;
        }
        let Some((fact, hanging)) = self.facts().iter().find_map(|fact| match &fact.detail {
            Detail::Hanging {
                hanging,
                change,
                at_once: true,
                ..
            } if *change != Change::Gone && hanging.target.color == self.mover => Some((fact, *hanging)),
            _ => None,
        }) else {
            return;
        };
        let (man, by) = (the(&hanging.target), the(&hanging.by));
        let text = match self.dice.pick(&["a", "b"]) {
            "a" => format!("However, {man} can be taken by {by}."),
            _ => format!("It leaves {man} to be taken by {by}."),
        };
        self.say(text, vec![fact.id]);
    }

    fn reply(&mut self) {
        if self.said.len() >= 2 {
            return;
        }
        let Some(fact) = self.find(FactKind::Reply) else { return };
        let Detail::Reply { side, san, acts } = &fact.detail else {
            return;
        };
        let acts = deeds(acts, None, &mut self.dice);
        if acts.is_empty() {
            return;
        }
        let (side, ing) = (color_name(*side), gerund(&acts));
        let text = match self.dice.pick(&["a", "b"]) {
            "a" => format!("{side} is expected to reply {san}, {ing}."),
            _ => format!("The expected reply is {san}, {ing}."),
        };
        self.say(text, vec![fact.id]);
    }

    fn concept(&mut self, helps: bool) {
        if self.said.len() >= MOST {
            return;
        }
        let concepts: Vec<(FactId, Concept, f32, f32)> = self
            .facts()
            .iter()
            .filter_map(|fact| match &fact.detail {
                Detail::Concept {
                    concept,
                    change,
                    source,
                    ..
                } => Some((fact.id, *concept, *change, source.least_change())),
                _ => None,
            })
            .collect();
        let largest = concepts
            .iter()
            .map(|(_, _, change, _)| change.abs())
            .fold(0.0, f32::max);
        let worth = |change: f32, least: f32| (change > 0.0) == helps && change.abs() >= (largest / 2.0).max(least);
        let board = self.sheet.played().after.board().clone();
        let told = concepts
            .iter()
            .filter(|(_, _, change, least)| worth(*change, *least))
            .find_map(|&(id, concept, ..)| {
                let helped = if helps { self.mover } else { self.mover.other() };
                Some((id, concept_effect(concept, helped, &board)?))
            });
        let Some((id, effect)) = told else { return };
        // "It" could be the reply or the better move of the sentence before: the move is named.
        let san = self.san.clone();
        let subject = if helps {
            self.dice.pick(&["The move", &san])
        } else {
            &san
        };
        let text = format!("{subject} also {effect}.");
        let mut ids = vec![id];
        ids.extend(self.move_id());
        self.say(text, ids);
    }

    /// How the mover stands, when there is little else to say.
    fn standing(&mut self) {
        if self.said.len() >= 2 {
            return;
        }
        let Some(fact) = self.find(FactKind::Verdict) else {
            return;
        };
        let Detail::Verdict { after, .. } = fact.detail else {
            return;
        };
        let (side, other) = (color_name(self.mover), color_name(self.mover.other()));
        let text = match after {
            Standing::Winning => format!("{side} is winning."),
            Standing::Better => format!("{side} stands better."),
            Standing::Balanced => "The game is balanced.".to_owned(),
            Standing::Worse => format!("{other} stands better."),
            Standing::Lost => format!("{other} is winning all the same."),
        };
        self.say(text, vec![fact.id]);
    }

    // ---- Inaccuracies, mistakes, blunders ----

    fn bad(&mut self, verdict: Verdict, id: FactId) {
        let told = self.deeds(1, 200);
        let san = self.san.clone();
        let mut ids = vec![id];
        ids.extend(self.move_id());
        let phrase = verdict.phrase();
        let because = self.punishment();
        let intent: Vec<Act> = told.iter().filter_map(|(d, _)| deed(d, &mut self.dice)).collect();
        let text = match (because, intent.first()) {
            (Some((reason, fact)), None) => {
                ids.push(fact);
                format!("{san} is {phrase}: {reason}.")
            }
            (Some((reason, fact)), Some(intent)) => {
                ids.push(fact);
                ids.extend(told.iter().map(|&(_, id)| id));
                let subject = if intent.of_player { color_name(self.mover) } else { &san };
                match (self.dice.pick(&["a", "b"]), intent.of_player) {
                    ("a", false) => format!("{subject} {}, but it is {phrase}: {reason}.", intent.fin()),
                    _ => format!("{san} is {phrase}: {reason}."),
                }
            }
            (None, Some(intent)) if !intent.of_player => {
                ids.extend(told.iter().map(|&(_, id)| id));
                format!("{san} {}, but it is {phrase}.", intent.fin())
            }
            (None, _) => format!("{san} is {phrase}."),
        };
        self.say(text, ids);
        self.better();
        self.concept(false);
    }

    /// Why the move is bad: "it allows …", with its fact.
    fn punishment(&mut self) -> Option<(String, FactId)> {
        let fact = self.find(FactKind::Punishment)?;
        let Detail::Punishment {
            side,
            san,
            acts,
            wins: surplus,
            mate,
        } = &fact.detail
        else {
            return None;
        };
        let side = color_name(*side);
        if let Some(n) = mate {
            return Some((
                match n {
                    1 => format!("it allows {san}"),
                    n => format!("it lets {side} force mate in {n}, starting with {san}"),
                },
                fact.id,
            ));
        }
        let deeds = deeds(acts, surplus.as_ref(), &mut self.dice);
        let text = match self.dice.pick(&["a", "b", "c"]) {
            "a" => format!("it allows {san}, {}", gerund(&deeds)),
            "b" => format!("after {san}, {side} {}", finite(&deeds)),
            _ => format!("{side} has the strong reply {san}, {}", gerund(&deeds)),
        };
        Some((text, fact.id))
    }

    /// What should have been played.
    fn better(&mut self) {
        let Some(fact) = self.find(FactKind::Best) else { return };
        let Detail::Best {
            san,
            acts,
            wins: surplus,
            mate,
            ..
        } = &fact.detail
        else {
            return;
        };
        let side = color_name(self.mover);
        if let Some(n) = mate {
            let text = match n {
                1 => format!("{side} misses {san}, which mates at once."),
                n => format!("{side} misses {san}, which forces mate in {n}."),
            };
            return self.say(text, vec![fact.id]);
        }
        let deeds = deeds(acts, surplus.as_ref(), &mut self.dice);
        let ing = gerund(&deeds);
        let text = match (deeds.is_empty(), self.dice.pick(&["a", "b", "c"])) {
            (true, "a") => format!("Better was {san}."),
            (true, "b") => format!("{san} was the move to play."),
            (true, _) => format!("{san} was stronger."),
            (false, "a") => format!("Better was {san}, {ing}."),
            (false, "b") => format!("{san} was the right move, {ing}."),
            (false, _) => format!("{side} should have played {san}, {ing}."),
        };
        self.say(text, vec![fact.id]);
    }
}

/// True when what is won is plainly what the deeds were after, so that one sentence may join them.
fn earns(deeds: &[Detail], surplus: &Surplus) -> bool {
    let among = |role| surplus.more.first() == Some(&role);
    deeds.iter().any(|deed| match deed {
        Detail::Capture { taken, .. } => among(taken.role),
        Detail::Fork(fork) => fork.targets.iter().any(|t| among(t.role)),
        Detail::Skewer(skewer) => among(skewer.behind.role) || among(skewer.front.role),
        Detail::Discovered(found) => among(found.target.role),
        Detail::Trapped(hanging) | Detail::Threat(hanging) => among(hanging.target.role),
        Detail::Pin { pin, .. } => among(pin.pinned.role) || among(pin.behind.role),
        Detail::Promotion { .. } => true,
        _ => false,
    })
}

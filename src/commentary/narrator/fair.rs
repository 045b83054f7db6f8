//! Moves that are not bad, and moves without a verdict: what they do, what they prepare, what follows.

use super::{
    super::{
        FactId, Trust, Verdict,
        fact::{Change, Compensation, Detail, Fact, FactKind, Moment, Plan},
        phrases::{Act, deed, deeds, finite, gains, gerund, is_near, mate_in, the, wins},
        salience::{repeats, weight},
        standing::Standing,
        wording::side,
    },
    MOST_SENTENCES, Narrator,
};
use crate::chess::{
    endings::Known,
    material::Surplus,
    names::{color_name, role_name},
};
use crate::{chess::motifs::mate::Pattern, uci::Score};
use shakmaty::{Position, Role};

/// From this weight on what the expected reply does matters to a move that is not bad.
const MATTERS: u32 = 400;
/// From this weight on what the only legal move does is worth telling.
const STRIKING: u32 = 400;
/// By how much the first choice must be ahead of the second to be the best move, in win probability.
const ALONE: f64 = 0.02;
/// Men left up to which a level ending may be called a draw.
const FEW: usize = 7;
/// What an engine may still see in a draw, in centipawns.
const LEVEL: i32 = 8;

impl Narrator<'_> {
    /// Comments on a move that is not bad, or that no engine has judged.
    pub(super) fn fair(&mut self, verdict: Option<(Verdict, FactId)>) {
        if self.checkmate() {
            return;
        }
        if let Some((text, id)) = self.doom() {
            let mut ids = vec![id];
            ids.extend(self.move_id());
            ids.extend(verdict.map(|(_, id)| id));
            self.say(text, ids);
            return self.only_move();
        }
        let opening = self.entered_opening();
        let mut chosen = if self.is_forced() {
            // What the only legal move does beside was not what it was played for.
            self.deeds(1, STRIKING)
        } else {
            self.deeds(if opening.is_some() { 1 } else { 2 }, 120)
        };
        if chosen.is_empty() && !self.is_forced() {
            chosen = self.deeds(2, 1);
        }
        // A judged move has its verdict to speak of; that a rook goes to e8 is in its name.
        if verdict.is_some() {
            chosen.retain(|(detail, _)| !matches!(detail, Detail::Move { man, .. } if man.role != Role::Pawn));
        }
        if let Some(entered) = opening {
            // "Puts a pawn in the centre and enters the King's Pawn Game" says it twice.
            chosen.retain(|(detail, _)| !matches!(detail, Detail::Move { .. }));
            chosen.push(entered);
        }
        let details: Vec<Detail> = chosen.iter().map(|(d, _)| d.clone()).collect();
        let mut ids: Vec<FactId> = chosen.iter().map(|&(_, id)| id).collect();
        let harvest = self
            .harvest()
            .filter(|(surplus, _)| surplus.points() > 0 && verdict.is_some());
        let ends = details
            .iter()
            .any(|d| matches!(d, Detail::Checkmate { .. } | Detail::Mate { .. }));
        let own = harvest
            .as_ref()
            .filter(|(surplus, _)| !ends && earns(&details, surplus));
        let acts = deeds(&details, own.map(|(surplus, _)| surplus), &mut self.words);
        ids.extend(own.map(|&(_, id)| id));
        let plain = matches!(details[..], [Detail::Move { .. }]);
        self.open(verdict, &acts, plain, ids);
        if ends {
            return self.mating_line();
        }
        self.only_move();
        self.gift();
        self.follow_up(&details);
        if own.is_none()
            && let Some((surplus, id)) = &harvest
            && let Some(won) = gains(surplus)
        {
            let side = color_name(self.mover);
            let text = match self.words.pick(&["a", "b"]) {
                "a" => format!("In the expected line {side} {won}."),
                _ => format!("With best play on both sides, {side} {won}."),
            };
            self.say(text, vec![*id]);
        }
        self.own_danger(verdict.is_some());
        self.ending();
        self.plan();
        self.reply();
        self.concept(true);
        self.standing(acts.is_empty());
    }

    /// True where there was no other legal move.
    fn is_forced(&self) -> bool {
        let only = self.find(FactKind::OnlyMove).map(|fact| &fact.detail);
        matches!(only, Some(Detail::OnlyMove { legal: true, .. }))
    }

    /// A move that ends the game needs no more words.
    pub(super) fn checkmate(&mut self) -> bool {
        let Some(fact) = self
            .find(FactKind::Checkmate)
            .filter(|fact| fact.moment == Moment::Move)
        else {
            return false;
        };
        let Detail::Checkmate { pattern, .. } = &fact.detail else {
            return false;
        };
        let (san, other) = (self.san.clone(), color_name(self.mover.other()));
        let text = match pattern {
            Some(Pattern::Smothered) => format!("{san} is a smothered mate."),
            Some(Pattern::BackRank) => format!("{san} mates on the back rank."),
            None => match self.words.pick(&["a", "b"]) {
                "a" => format!("{san} is checkmate."),
                _ => format!("{other} is checkmated by {san}."),
            },
        };
        let mut ids = vec![fact.id];
        ids.extend(self.move_id());
        self.say(text, ids);
        true
    }

    /// What happens if the sacrifice is taken.
    fn gift(&mut self) {
        let Some(fact) = self.find(FactKind::Sacrifice) else {
            return;
        };
        let Detail::Sacrifice { gift: Some(gift), .. } = &fact.detail else {
            return;
        };
        let side = color_name(self.mover);
        let taken = &gift.taken;
        let text = match (&gift.compensation, &gift.next) {
            (Compensation::Mate(1), Some(next)) => format!("If {taken}, {next} is mate."),
            (Compensation::Mate(moves), Some(next)) => {
                format!("If {taken}, {side} mates in {moves}, starting with {next}.")
            }
            (Compensation::Wins(surplus), Some(next)) => {
                let won = wins(surplus).map_or_else(|| "comes out ahead".to_owned(), |won| won.fin());
                format!("If {taken}, {side} goes on with {next} and {won}.")
            }
            (Compensation::Stalemate, _) => format!("If {taken}, it is stalemate, and the game is drawn."),
            (Compensation::WonBack, Some(next)) => match self.words.pick(&["a", "b"]) {
                "a" => format!("If {taken}, {side} wins the material back, beginning with {next}."),
                _ => format!("After {taken}, {next} begins to win the material back."),
            },
            (Compensation::Attack(standing), Some(next)) => {
                format!(
                    "If {taken}, {next} goes on with the attack on the king, and {}.",
                    standing.of_game(self.mover)
                )
            }
            (Compensation::Lasting(standing), _) => {
                format!(
                    "If {taken}, {side} has enough for it: {}.",
                    standing.of_game(self.mover)
                )
            }
            _ => return,
        };
        self.say(text, vec![fact.id]);
    }

    /// What is known of the ending.
    fn ending(&mut self) {
        if self.said.len() >= MOST_SENTENCES {
            return;
        }
        let Some(fact) = self.find(FactKind::Ending) else {
            return;
        };
        let Detail::Ending(ending) = &fact.detail else { return };
        let text = match (ending.known(), ending.why()) {
            (Some(Known::Draw), Some(why)) => format!("The ending is drawn: {why}."),
            (Some(Known::Draw), None) => format!("{} like this is drawn.", capital(&ending.kind().in_words())),
            (Some(Known::Win(color)), Some(why)) => format!("{} wins this ending: {why}.", color_name(color)),
            (Some(Known::Win(color)), None) => format!("{} wins this ending.", color_name(color)),
            (None, _) if self.is_dead_level() => {
                format!("With best play {} like this is a draw.", ending.kind().in_words())
            }
            (None, _) => return,
        };
        self.say(text, vec![fact.id]);
        self.ended = true;
    }

    /// The engine sees nothing but a draw, with few men left.
    fn is_dead_level(&self) -> bool {
        let few = self.sheet.played().after.board().occupied().count() <= FEW;
        few && self.sheet.evaluation().is_some_and(|evaluation| {
            evaluation.trust == Trust::Settled && matches!(evaluation.played, Score::Cp(cp) if cp.abs() <= LEVEL)
        })
    }

    /// The mate that the opponent has all the same.
    fn doom(&self) -> Option<(String, FactId)> {
        let other = self.mover.other();
        let fact = self.find(FactKind::Mate)?;
        let Detail::Mate { winner, moves, starts } = &fact.detail else {
            return None;
        };
        let first = starts.as_ref().filter(|_| *winner == other && is_near(*moves))?;
        let (side, san) = (color_name(other), &self.san);
        // Where another move would have put the mate off, this one does change something.
        let mated = |evaluation: &crate::commentary::Evaluation| {
            matches!(
                evaluation.before.first().map(|line| line.score),
                Some(Score::Mate(..=0))
            )
        };
        let effect = match self.sheet.evaluation() {
            Some(evaluation) if !mated(evaluation) => "loses faster",
            _ => "changes nothing",
        };
        let text = match moves {
            1 => format!("{san} {effect}: {side} mates at once with {first}."),
            n => format!(
                "{san} changes nothing: {side} forces {}, starting with {first}.",
                mate_in(*n)
            ),
        };
        Some((text, fact.id))
    }

    /// The opening, where the move newly leads to its name.
    pub(super) fn entered_opening(&self) -> Option<(Detail, FactId)> {
        let fact = self.find(FactKind::Opening)?;
        matches!(fact.detail, Detail::Opening { entered: true, .. }).then(|| (fact.detail.clone(), fact.id))
    }

    /// The first sentence of a move that isn't bad; `plain` when all it does is go somewhere.
    pub(super) fn open(&mut self, verdict: Option<(Verdict, FactId)>, acts: &[Act], plain: bool, mut ids: Vec<FactId>) {
        ids.extend(self.move_id());
        let (san, side) = (self.san.clone(), color_name(self.mover));
        let fin = finite(acts);
        let ing = gerund(acts);
        let player = acts.iter().any(|a| a.of_player);
        let text = match verdict {
            Some((verdict, id)) => {
                ids.push(id);
                let quality = self.quality(verdict);
                if acts.is_empty() {
                    format!("{san} is {quality}.")
                } else if player {
                    match self.words.pick(&["a", "b"]) {
                        "a" => format!("{side} {fin} with {san}, {quality}."),
                        _ => format!("{san} is {quality}: {side} {fin}."),
                    }
                } else {
                    match self.words.pick(&["a", "b", "c"]) {
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
            None => match self.words.pick(&["a", "b", "c"]) {
                "a" => format!("{san} {fin}."),
                "b" => format!("With {san}, {side} {fin}."),
                _ => format!("{side} plays {san}, {ing}."),
            },
        };
        self.say(text, ids);
    }

    /// "the best move" only where the scores distinguish it from the second best.
    fn quality(&mut self, verdict: Verdict) -> &'static str {
        if verdict != Verdict::Best {
            return verdict.phrase();
        }
        let played = self.sheet.played().uci();
        if self.sheet.played().before.legal_moves().len() == 1 {
            return "the only legal move";
        }
        let alone = self.sheet.evaluation().is_some_and(|evaluation| {
            let chance = |at: usize| {
                evaluation
                    .before
                    .get(at)
                    .map_or(0.0, |line| line.score.win_probability())
            };
            let first = evaluation.before.first().and_then(|line| line.moves.first()) == Some(&played);
            first && (chance(0) - chance(1) >= ALONE || self.sheet.played().after.is_checkmate())
        });
        if alone {
            self.words
                .pick(&["the best move", "the strongest move", "the right move"])
        } else if self.costs_something() {
            // In a decided game more may be lost, but there are better moves.
            Verdict::Good.phrase()
        } else {
            "one of the best moves"
        }
    }

    /// Whether the move costs what makes another class of move elsewhere.
    fn costs_something(&self) -> bool {
        let judged = self.find(FactKind::Verdict).map(|fact| &fact.detail);
        matches!(judged, Some(Detail::Verdict { best, played, .. }) if Verdict::by_loss(best - played) != Verdict::Best)
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
            // For a judged move, `quality` says so.
            Detail::OnlyMove { legal: true, .. } if self.verdict().is_some() => return,
            Detail::OnlyMove { legal: true, .. } => format!("{side} had no other legal move."),
            _ => self
                .words
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
    fn follow_up(&mut self, said: &[Detail]) {
        let Some(fact) = self.facts().iter().find(|fact| {
            fact.moment == Moment::Line
                && fact.line.len() == 2
                && matches!(
                    fact.kind,
                    FactKind::Fork | FactKind::Skewer | FactKind::Discovered | FactKind::Checkmate
                )
                && !said.iter().any(|s| repeats(s, &fact.detail))
        }) else {
            return;
        };
        let [reply, next] = &fact.line[..] else { return };
        let Some(act) = deed(&fact.detail, &mut self.words) else {
            return;
        };
        let text = match self.words.pick(&["a", "b"]) {
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
        let text = match self.words.pick(&["a", "b"]) {
            "a" => format!("However, {man} can be taken by {by}."),
            _ => format!("It leaves {man} to be taken by {by}."),
        };
        self.say(text, vec![fact.id]);
    }

    /// What the move prepares.
    fn plan(&mut self) {
        if self.said.len() >= 2 {
            return;
        }
        let Some(fact) = self.find(FactKind::Plan) else { return };
        let Detail::Plan { plan, .. } = &fact.detail else {
            return;
        };
        let text = match plan {
            Plan::Castle { short } => format!("The move prepares to castle {}.", side(*short)),
            Plan::Advance { pawn, to } => format!("The move supports the advance of {} to {to}.", the(pawn)),
            Plan::Reroute { man, to } => format!("The {} is heading for {to}.", role_name(man.role)),
            Plan::MakeWay { man, to } => format!("The move makes way for {}, which is heading for {to}.", the(man)),
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
        // A capture or a check that was to be expected is no news.
        let weighs = |act: &Detail| weight(act, Moment::Move, *side) >= MATTERS;
        let acts: Vec<Detail> = acts.iter().filter(|act| weighs(act)).cloned().collect();
        let acts = deeds(&acts, None, &mut self.words);
        if acts.is_empty() {
            return;
        }
        let (side, ing) = (color_name(*side), gerund(&acts));
        let text = match self.words.pick(&["a", "b"]) {
            "a" => format!("{side} is expected to reply {san}, {ing}."),
            _ => format!("The expected reply is {san}, {ing}."),
        };
        self.say(text, vec![fact.id]);
    }

    /// How the mover stands, when there is little else to say.
    fn standing(&mut self, quiet: bool) {
        if self.said.len() >= 2 || self.ended {
            return;
        }
        let Some(fact) = self.find(FactKind::Verdict) else {
            return;
        };
        let Detail::Verdict { before, after, .. } = fact.detail else {
            return;
        };
        let now = match after {
            Standing::Lost => format!("{} all the same", after.of_game(self.mover)),
            other => other.of_game(self.mover),
        };
        let text = if self.said.is_empty() || before != after || !quiet {
            sentence(&now)
        } else {
            match self.words.pick(&["a", "b", "c"]) {
                "a" => format!("It changes little: {now}."),
                _ => sentence(&now),
            }
        };
        self.say(text, vec![fact.id]);
    }
}

fn sentence(clause: &str) -> String {
    format!("{}.", capital(clause))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
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

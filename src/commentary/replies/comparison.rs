//! A move compared with the one under discussion, line against line.
//!
//! Both scores come from one search of both moves, so that they can be compared. How much better a move is goes by the
//! difference in win probability: up to [3 points](NONE) count as none; below 5 a little, from 15 much, as at the
//! [limits of the verdicts](Verdict::LIMITS).

use shakmaty::Color;

use super::{
    super::{FactSheet, Line, Sentence, Verdict, inquiry::Inquiry, standing::Standing},
    line_sheet::Root,
    points::{judged, point, trouble, wins_material},
    reply::{Looked, Reply},
};
use crate::{
    chess::names::color_name,
    uci::{Score, SearchResult},
};

/// Which of two moves is better, the asked one's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    Worse,
    Same,
    Better,
}

/// Compares the single moves that the inquiry names with the one under discussion, by a search of them all.
pub fn compared(sheet: &FactSheet, inquiry: &Inquiry, duel: &SearchResult, engine: &str) -> Reply {
    let played = sheet.played();
    let root = Root::before(played, engine);
    let lines = root.lines(duel);
    let of = |uci| lines.iter().find(|line| line.moves.first() == Some(&uci));
    let mut reply = Reply::default();
    let Some(own) = of(played.uci()) else { return reply };
    // The best move is known from the search before the move; what both searches looked at is judged by the duel.
    let mut all: Vec<Line> = lines.clone();
    let known = sheet.evaluation().into_iter().flat_map(|evaluation| &evaluation.before);
    all.extend(
        known
            .filter(|line| !lines.iter().any(|seen| seen.moves.first() == line.moves.first()))
            .cloned(),
    );
    // Stable: of equal scores the engine's own order stands.
    all.sort_by_key(|line| std::cmp::Reverse(line.score));
    for asked in inquiry.lines.iter().filter(|line| line.instead) {
        let Some(line) = of(asked.played.uci()) else { continue };
        let Some(other) = root.sheet(line, &all, duel.nodes) else {
            continue;
        };
        reply.sentences.extend(sentences(sheet, &other, line.score, own.score));
        reply.looked.push(Looked {
            title: asked.title.clone(),
            sheet: other,
            narrated: false,
        });
    }
    reply
}

/// Two or three sentences: the comparison, what the asked move's line does, what the played one's does. Scores are **the
/// mover's view**.
fn sentences(sheet: &FactSheet, other: &FactSheet, asked: Score, own: Score) -> Vec<Sentence> {
    let (relation, text) = verdict(other, sheet, asked, own);
    let mut said = vec![Sentence {
        text,
        facts: judged(other),
    }];
    said.extend(asked_line(other, relation));
    said.extend(own_line(sheet, other, relation));
    said
}

/// Difference in win probability up to which two moves are equally good: a longer search moves it by as much.
const NONE: f64 = 0.03;

/// The sentence that says which is better.
fn verdict(other: &FactSheet, sheet: &FactSheet, asked: Score, own: Score) -> (Relation, String) {
    let (side, a, b) = (sheet.played().mover(), other.played().san(), sheet.played().san());
    if let (Score::Mate(n), Score::Mate(m)) = (asked, own)
        && (n > 0) == (m > 0)
    {
        let text = if n > 0 {
            format!("Both moves win by force: {a} mates in {n}, {b} in {m}.")
        } else {
            format!(
                "{a} changes nothing: after {b} as well, {} mates by force.",
                color_name(side.other())
            )
        };
        return (Relation::Same, text);
    }
    let gap = asked.win_probability() - own.win_probability();
    let [_, little, _, much] = Verdict::LIMITS;
    let size = gap.abs();
    let (after, now) = (Standing::of(asked), Standing::of(own));
    if size <= NONE {
        let text = if after == now {
            format!("{a} is as good as {b}: {} either way.", now.of_game(side))
        } else {
            format!("{a} is about as good as {b}.")
        };
        return (Relation::Same, text);
    }
    let (relation, word) = match (gap > 0.0, size) {
        (true, s) if s >= much => (Relation::Better, "much better"),
        (true, s) if s < little => (Relation::Better, "a little better"),
        (true, _) => (Relation::Better, "better"),
        (false, s) if s >= much => (Relation::Worse, "much worse"),
        (false, s) if s < little => (Relation::Worse, "a little worse"),
        (false, _) => (Relation::Worse, "worse"),
    };
    let text = if after == now {
        format!("{a} is {word} than {b}, though {} either way.", now.of_game(side))
    } else {
        format!(
            "{a} is {word} than {b}: after {a} {}, after {b} {}.",
            after.of_game(side),
            now.of_game(side)
        )
    };
    (relation, text)
}

/// What the asked move's line does: what it loses where it is worse, what it does or wins where it is not.
fn asked_line(other: &FactSheet, relation: Relation) -> Option<Sentence> {
    if relation == Relation::Worse
        && let Some((text, facts)) = trouble(other)
    {
        return Some(Sentence { text, facts });
    }
    // What is as good wins nothing that the other does not, and of a worse move a gain would be half the story.
    does(other, relation == Relation::Better, "")
}

/// What the played move's line does instead.
fn own_line(sheet: &FactSheet, other: &FactSheet, relation: Relation) -> Option<Sentence> {
    let side: Color = sheet.played().mover();
    match relation {
        Relation::Better => trouble(sheet).map(|(text, facts)| Sentence { text, facts }),
        // A gain that both have tells nothing of the difference.
        Relation::Worse => does(sheet, !wins_material(other, side), " instead"),
        Relation::Same => does(sheet, false, " instead"),
    }
}

/// "Nc3 develops the knight to c3."
fn does(sheet: &FactSheet, gains: bool, tail: &str) -> Option<Sentence> {
    let point = point(sheet, 2, gains);
    let (san, fin) = (sheet.played().san(), point.fin()?);
    let text = if point.of_player() {
        format!("With {san}, {} {fin}{tail}.", color_name(sheet.played().mover()))
    } else {
        format!("{san}{tail} {fin}.")
    };
    Some(Sentence {
        text,
        facts: point.facts,
    })
}

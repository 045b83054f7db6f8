//! What else could have been played: the engine's good moves in place of the one under discussion.

use super::{
    super::{FactSheet, Line, Sentence, Verdict, standing::Standing},
    line_sheet::{Root, numbered},
    points::{judged, point},
    reply::{Looked, Reply},
};
use crate::{
    chess::{material::join, names::color_name},
    uci::SearchResult,
};

/// The most alternatives in an answer.
const MOST_ALTERNATIVES: usize = 3;

/// The good moves besides the one played, each with its point. A move that loses is not good, nor is one that the best
/// move beats by an inaccuracy or more.
pub fn others(sheet: &FactSheet, before: &SearchResult, engine: &str) -> Option<Reply> {
    let played = sheet.played();
    let root = Root::before(played, engine);
    let lines = root.lines(before);
    let best = lines.first()?.score;
    let rest = lines.iter().filter(|line| line.moves.first() != Some(&played.uci()));
    let good: Vec<&Line> = rest
        .clone()
        .filter(|line| !Verdict::by_scores(best, line.score).is_bad() && Standing::of(line.score) != Standing::Lost)
        .take(MOST_ALTERNATIVES)
        .collect();
    let (side, san) = (played.mover(), played.san());
    let mut reply = Reply::default();
    let mut put = |line: &Line, text: &mut dyn FnMut(&FactSheet) -> Sentence| {
        if let Some(other) = root.sheet(line, &lines, before.nodes) {
            reply.sentences.push(text(&other));
            reply.looked.push(Looked {
                title: numbered(&played.before, &line.san[..1]),
                sheet: other,
                narrated: false,
            });
        }
    };
    if good.is_empty() {
        let next = rest.clone().next()?;
        put(next, &mut |other| {
            let name = other.played().san();
            let stands = Standing::of(next.score).of_game(side);
            let text = if Standing::of(best) == Standing::Lost {
                format!("Nothing else saves the game: after the next best, {name}, {stands} too.")
            } else {
                format!("There was no other good move: after the next best, {name}, {stands}.")
            };
            Sentence {
                text,
                facts: judged(other),
            }
        });
        return Some(reply);
    }
    for line in &good {
        put(line, &mut |other| sentence(other, line));
    }
    if reply.looked.len() > 1 {
        let names: Vec<String> = reply.looked.iter().map(|looked| looked.sheet.played().san()).collect();
        let text = format!("In place of {san}, {} had {}.", color_name(side), join(&names));
        let facts = reply
            .looked
            .first()
            .map(|looked| judged(&looked.sheet))
            .unwrap_or_default();
        reply.sentences.insert(0, Sentence { text, facts });
    }
    Some(reply)
}

/// "Bb5 develops the bishop to b5; White is slightly better."
fn sentence(other: &FactSheet, line: &Line) -> Sentence {
    let (san, side) = (other.played().san(), other.played().mover());
    let stands = Standing::of(line.score).of_game(side);
    let point = point(other, 1, true);
    let mut facts = judged(other);
    let text = match point.fin() {
        Some(fin) if point.of_player() => format!("With {san}, {} {fin}; {stands}.", color_name(side)),
        Some(fin) => format!("{san} {fin}; {stands}."),
        None => format!("After {san}, {stands}."),
    };
    facts.extend(point.facts);
    facts.sort_unstable();
    facts.dedup();
    Sentence { text, facts }
}

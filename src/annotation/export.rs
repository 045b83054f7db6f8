//! An annotated game written back into the game, for PGN.
//!
//! Of a move's comment, what its author wrote stays, and so do its other commands (`[%clk]`, `[%csl]`); an old `[%eval]`
//! gives way to ours. What we add of our own is marked, so that annotating the game once more replaces it:
//! `[%kibitz 4] prose [%kibitz end]`, where 4 is the glyph that we set (`$4`), 0 for none. Without prose the second mark
//! is left out. Viewers don't show commands that they don't know. A move that its author gave one of the glyphs `!` to
//! `?!`, or `□`, keeps that one and gets none of ours. How the game went stands before its first move, marked the same way.

use std::collections::BTreeSet;

use super::{AnnotatedGame, Scope, TurningPoint, story::story, turning_point::reason};
use crate::{
    chess::{
        Game, NodeId,
        embedded_commands::{EmbeddedCommand, ROUNDS, commands, prose, without},
    },
    commentary::{Verdict, Voice},
    uci::Score,
};

/// The command that marks what is ours.
const MARK: &str = "kibitz";
/// Its value where our prose ends.
const END: &str = "end";
/// What our part of the tag Annotator begins with.
const NAME: &str = "Kibitz";
/// The glyphs that judge a move: `!` `?` `!!` `??` `!?` `?!` `□`.
const JUDGING: std::ops::RangeInclusive<u8> = 1..=7;

/// The game with evaluations, glyphs and the comments of `scope`, as `voice` says them. `game` is the one that was annotated; moves may have
/// been added to it since. `version` is Kibitz's own.
#[must_use]
pub fn annotate(game: &Game, annotated: &AnnotatedGame, scope: Scope, voice: Voice, version: &str) -> Game {
    let mut speaker = voice.speaker();
    let mut written = game.clone();
    let chosen = annotated.chosen(scope);
    let points = annotated.turning_points();
    let (own, _) = authors(game.comment(NodeId::ROOT), true);
    let story_text = story(game, annotated);
    written.set_comment(NodeId::ROOT, &comment(own, None, None, story_text.as_deref()));
    for (index, mv) in annotated.moves().iter().enumerate() {
        let Some(verdict) = mv.verdict else { continue };
        let score = annotated.score(index + 1).and_then(eval);
        let (own, old) = authors(game.comment(mv.node), score.is_none());
        if let Some(nag) = old {
            written.remove_nag(mv.node, nag);
        }
        let judged = written.nags(mv.node).iter().any(|nag| JUDGING.contains(nag));
        let point = points.iter().find(|point| point.index == index);
        let praise = point.copied().and_then(TurningPoint::glyph);
        let nag = glyph(verdict).or(praise).filter(|_| !judged);
        if let Some(nag) = nag {
            written.add_nag(mv.node, nag);
        }
        let prose = chosen.contains(&index).then(|| mv.comment(&mut speaker)).flatten();
        let why = point.and_then(|point| reason(annotated, *point));
        // Where there is no prose, the reason stands alone.
        let prose = [why.filter(|_| chosen.contains(&index)), prose]
            .into_iter()
            .flatten()
            .reduce(|why, prose| format!("{why} {prose}"));
        written.set_comment(mv.node, &comment(own, score, nag, prose.as_deref()));
    }
    sign(&mut written, annotated, version);
    if let Some(opening) = annotated.opening() {
        for (tag, value) in [("ECO", &opening.eco), ("Opening", &opening.name)] {
            if written.tag(tag).is_none() {
                written.tags.push((tag.to_owned(), value.clone()));
            }
        }
    }
    written
}

/// The numeric annotation glyph of a bad move.
#[must_use]
pub const fn glyph(verdict: Verdict) -> Option<u8> {
    match verdict {
        Verdict::Mistake => Some(2),
        Verdict::Blunder => Some(4),
        Verdict::Inaccuracy => Some(6),
        Verdict::Best | Verdict::Good => None,
    }
}

/// The author's comment with ours.
fn comment(own: String, score: Option<String>, nag: Option<u8>, prose: Option<&str>) -> String {
    let mark = (nag.is_some() || prose.is_some()).then(|| format!("[%{MARK} {}]", nag.unwrap_or(0)));
    // Nothing in the prose may pass for a command.
    let prose = prose.map(|text| format!("{} [%{MARK} {END}]", text.replace("[%", "[ %")));
    [score, Some(own), mark, prose]
        .into_iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// `[%eval 0.35]` or `[%eval #-3]`, White's view of the position after the move, as Lichess writes it; nothing for a
/// checkmate on the board.
fn eval(score: Score) -> Option<String> {
    match score {
        Score::Mate(0) => None,
        Score::Mate(moves) => Some(format!("[%eval #{moves}]")),
        Score::Cp(cp) => {
            let sign = if cp < 0 { "-" } else { "" };
            let size = cp.unsigned_abs();
            Some(format!("[%eval {sign}{}.{:02}]", size / 100, size % 100))
        }
    }
}

/// What the author wrote: the comment without what is ours, and without an old evaluation unless it is to stay. And
/// the glyph that we set.
fn authors(comment: &str, keep_eval: bool) -> (String, Option<u8>) {
    let mut own = comment.to_owned();
    let mut nag = None;
    for _ in 0..ROUNDS {
        let marks: Vec<EmbeddedCommand<'_>> = commands(&own)
            .filter(|command| command.name == MARK || (command.name == "eval" && !keep_eval))
            .collect();
        if marks.is_empty() {
            break;
        }
        let mut ours = Vec::new();
        let mut rest = marks.iter().peekable();
        while let Some(mark) = rest.next() {
            let mut span = mark.span.clone();
            if mark.name == MARK {
                nag = nag.or(mark.value.parse().ok().filter(|nag| JUDGING.contains(nag)));
                let is_end = |next: &&EmbeddedCommand<'_>| next.name == MARK && next.value == END;
                if mark.value != END
                    && let Some(end) = rest.next_if(is_end)
                {
                    span.end = end.span.end;
                }
            }
            ours.push(span);
        }
        own = without(&own, ours);
    }
    (own, nag)
}

/// What the author of a game says in a comment, for people: without commands, and without what an annotation added.
#[must_use]
pub fn own_prose(comment: &str) -> String {
    prose(&authors(comment, true).0)
}

/// Names Kibitz in the tag Annotator, beside whom it names already.
fn sign(game: &mut Game, annotated: &AnnotatedGame, version: &str) {
    let clean = |name: &str| name.replace(';', ",");
    let mut ours = format!(
        "{NAME} {version} ({}, {} a position",
        clean(annotated.engine()),
        annotated.limit().words()
    );
    let spoke = annotated.moves().iter().filter_map(|mv| mv.model_prose.as_ref());
    let models: BTreeSet<String> = spoke
        .filter(|prose| prose.text.is_some())
        .map(|prose| clean(&prose.model))
        .collect();
    if !models.is_empty() {
        let models: Vec<String> = models.into_iter().collect();
        ours += &format!(", checked comments by {}", models.join(", "));
    }
    ours.push(')');
    let others = game.tag("Annotator").unwrap_or_default().split(';').map(str::trim);
    let all: Vec<&str> = others
        .filter(|name| !name.is_empty() && !name.starts_with(NAME))
        .chain([ours.as_str()])
        .collect();
    let signed = all.join("; ");
    match game.tags.iter_mut().find(|(name, _)| name == "Annotator") {
        Some((_, value)) => *value = signed,
        None => game.tags.push(("Annotator".to_owned(), signed)),
    }
}

//! What a position's "expert" and "concept" prompts are told, and the motifs of its best move.

use shakmaty::{Chess, Move, Position};

use super::position::{Reached, TestPosition};
use crate::{
    chess::{Played, pv_san},
    commentary::{FactKind, FactSheet, fact::Moment},
    uci::{Limit, Score, SearchRequest, SearchResult},
};

/// The kinds of facts that are motifs.
const MOTIFS: [FactKind; 14] = [
    FactKind::Checkmate,
    FactKind::BackRank,
    FactKind::MateThreat,
    FactKind::Fork,
    FactKind::Pin,
    FactKind::Skewer,
    FactKind::Discovered,
    FactKind::Hanging,
    FactKind::Trapped,
    FactKind::Trade,
    FactKind::Promotion,
    FactKind::Castling,
    FactKind::Check,
    FactKind::Passed,
];

/// The motifs of a move by our own detectors: facts about the move itself and the position after it that its player
/// brings about.
#[must_use]
pub fn motifs(reached: &Reached, mv: Move) -> Vec<String> {
    let Some(played) = Played::new(reached.position.clone(), mv, reached.mode, reached.history.clone()) else {
        return Vec::new();
    };
    let mover = played.mover();
    let sheet = FactSheet::new(&played, None, None);
    MOTIFS
        .iter()
        .filter(|kind| {
            sheet.facts().iter().any(|fact| {
                fact.kind == **kind
                    && !matches!(fact.moment, Moment::Line | Moment::Best | Moment::Before)
                    && fact.detail.actor().is_none_or(|color| color == mover)
            })
        })
        .map(|kind| kind.word().to_owned())
        .collect()
}

/// The engine's sentence: the best moves with their scores, the view of the side to move.
#[must_use]
pub fn expert(position: &Chess, result: &SearchResult) -> Option<String> {
    let words = ["best move", "second best move"];
    let parts: Vec<String> = words
        .iter()
        .zip(&result.lines)
        .filter_map(|(word, line)| {
            let san = pv_san(position, &line.pv).into_iter().next()?;
            Some(format!("{word} - {san} {}", score_words(line.score)))
        })
        .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Tells a position what an engine's search of it says: the "expert" prompt's sentence, and the motifs of the best move.
pub fn told(at: &mut TestPosition, reached: &Reached, result: &SearchResult) {
    at.expert = expert(&reached.position, result);
    let best = result.lines.first().and_then(|line| line.pv.first());
    if let Some(best) = best.and_then(|best| best.to_move(&reached.position).ok()) {
        at.motifs = motifs(reached, best);
    }
}

/// The search whose result is [`told`].
#[must_use]
pub fn search(id: u64, reached: &Reached, limit: Limit) -> SearchRequest {
    SearchRequest::reached(id, &reached.history, reached.position.clone(), reached.mode, limit)
        .multipv(2)
        .afresh()
}

fn score_words(score: Score) -> String {
    match score {
        Score::Cp(cp) => format!("{cp}cp"),
        Score::Mate(moves) => format!("Mate in {moves}"),
    }
}

/// The engine's sentence where the answer is known without one.
#[must_use]
pub fn expert_of(position: &Chess, mv: Move) -> String {
    let mut after = position.clone();
    after.play_unchecked(mv);
    let san = shakmaty::san::SanPlus::from_move(position.clone(), mv);
    match after.is_checkmate() {
        true => format!("best move - {san} Mate in 1"),
        false => format!("best move - {san}"),
    }
}

/// What the "concept" prompt says of a mate in one.
pub const MATE_IN_ONE: &str = "The side to move has a checkmate in one move in this position.";

/// The concept's sentence: what the position is about, by its themes or motifs; `None` where neither names anything.
#[must_use]
pub fn concept(at: &TestPosition) -> Option<String> {
    let has = |word: &str| at.themes.iter().any(|theme| theme == word);
    if has("mateIn1") {
        return Some(MATE_IN_ONE.to_owned());
    }
    let themes: Vec<String> = at
        .themes
        .iter()
        .filter(|theme| !is_dull(theme))
        .map(|theme| spaced(theme))
        .collect();
    let motifs: Vec<String> = at.motifs.iter().map(|motif| spaced(motif)).collect();
    let named = if themes.is_empty() { motifs } else { themes };
    (!named.is_empty()).then(|| format!("This position is about: {}.", named.join(", ")))
}

/// What Lichess's tags say that is no concept: length, origin, result.
fn is_dull(theme: &str) -> bool {
    matches!(
        theme,
        "oneMove"
            | "short"
            | "long"
            | "veryLong"
            | "master"
            | "masterVsMaster"
            | "superGM"
            | "middlegame"
            | "opening"
            | "endgame"
    )
}

/// `discoveredAttack` as `discovered attack`.
fn spaced(word: &str) -> String {
    let mut text = String::new();
    for c in word.chars() {
        if c.is_ascii_uppercase() && !text.is_empty() && !text.ends_with(' ') {
            text.push(' ');
        }
        text.extend(c.to_lowercase());
    }
    text
}

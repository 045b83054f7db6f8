//! Questions by which models are timed, the same on every machine: what they say does not matter, how long they are does.

use super::{
    notation::Notation,
    probe::ProbeTask,
    probe_set::{PrefixLengths, draw_at},
    random_game::random_game,
    split::Beginnings,
    token::Token,
};
use crate::pace::Pace;

/// How many there are.
pub const TIMED: usize = 100;
/// So many are asked at a time.
pub const AT_A_TIME: usize = 20;

/// Seconds that a thousand questions take, as many as the paper's set has, where so many took these.
#[must_use]
pub fn seconds_a_thousand(seconds: f64, questions: usize) -> f64 {
    1000.0 * seconds / questions.max(1) as f64
}

/// End-Actual after games of chance, with prefixes as long as the paper's: what a model of a notation is given.
pub async fn timed_questions(notation: Notation, pace: &impl Pace) -> Vec<Vec<u8>> {
    let mut games = Vec::new();
    // Some end early, some leave nothing to ask.
    for seed in 0..3 * TIMED as u64 {
        pace.turn().await;
        games.push(random_game(seed, PrefixLengths::LONG.to + 1));
    }
    let probes = draw_at(&games, &Beginnings::default(), PrefixLengths::LONG, TIMED, 1, pace).await;
    let asked = probes.iter().filter_map(|probe| {
        let question = probe.question(ProbeTask::EndActual)?;
        Some(probe.tokens(notation, &question))
    });
    asked
        .map(|tokens| tokens.into_iter().map(Token::number).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pace::{AtOnce, at_once};

    #[test]
    fn there_are_as_many_as_are_promised() {
        let asked = at_once(timed_questions(Notation::Rap(25), &AtOnce));
        assert_eq!(asked.len(), TIMED);
        assert!(asked.iter().all(|tokens| (104..=230).contains(&tokens.len())));
        assert_eq!(TIMED % AT_A_TIME, 0);
        assert_eq!(seconds_a_thousand(0.5, 20), 25.0);
    }
}

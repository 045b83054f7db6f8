//! What one answer is worth.

use shakmaty::{CastlingMode, Position, Square};

use super::{
    end_error::EndError,
    probe::{Probe, Question},
    token::Token,
};

/// What a model says to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The likeliest tokens, first the likeliest: as many as there are legal answers where the model ranks them, fewer where the
    /// others were not heard; else one, or none where what it said is no answer.
    pub tokens: Vec<Token>,
    /// Whether the model ranks tokens; else it was asked, and R-precision is not defined.
    pub ranked: bool,
}

/// What it is worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grade {
    /// ExM: whether it is what was played; `None` of the Other tasks.
    pub exact: Option<bool>,
    /// LgM: whether it is legal.
    pub legal: bool,
    /// The share of legal answers among the R likeliest tokens, R being how many are legal (Manning, Raghavan and Schütze,
    /// "Introduction to information retrieval", 2008, section 8.4); `None` where tokens were not ranked.
    pub r_precision: Option<f64>,
    /// What is wrong, of the End tasks where it is not legal.
    pub error: Option<EndError>,
    /// Castling that the rules allow: the paper's sets leave it out, and it counts as an error of syntax.
    pub castling: bool,
    /// What was said is no answer; it counts as unreachable.
    pub unparsable: bool,
}

/// Grades an answer.
#[must_use]
pub fn grade(probe: &Probe, question: &Question, answer: &Answer) -> Grade {
    let best = answer.tokens.first().and_then(|token| token.square());
    let is_legal = |square: Square| question.legal.contains(&square);
    let legal = best.is_some_and(is_legal);
    let from = question.from().filter(|_| question.task.is_end());
    let most = question.legal.len();
    let hits = answer.tokens.iter().take(most).filter_map(|token| token.square());
    Grade {
        exact: question.exact.map(|exact| best == Some(exact)),
        legal,
        r_precision: answer
            .ranked
            .then(|| hits.filter(|square| is_legal(*square)).count() as f64 / most as f64),
        error: from
            .filter(|_| !legal)
            .map(|from| EndError::of(probe.position(), from, best)),
        castling: from.zip(best).is_some_and(|(from, to)| castles(probe, from, to)),
        unparsable: answer.tokens.is_empty(),
    }
}

fn castles(probe: &Probe, from: Square, to: Square) -> bool {
    probe.position().legal_moves().iter().any(|mv| {
        let uci = mv.to_uci(CastlingMode::Standard);
        mv.is_castle() && (uci.from(), uci.to()) == (Some(from), Some(to))
    })
}

#[cfg(test)]
mod tests {
    use super::{
        super::probe::{ProbeLine, ProbeTask, tests::example},
        *,
    };

    fn graded(line: &ProbeLine, task: ProbeTask, tokens: &str, ranked: bool) -> Grade {
        let probe = Probe::read(line).unwrap();
        let answer = Answer {
            tokens: tokens.split_whitespace().map(|token| token.parse().unwrap()).collect(),
            ranked,
        };
        grade(&probe, &probe.question(task).unwrap(), &answer)
    }

    #[test]
    fn the_papers_example_is_graded() {
        let of = |task, tokens| graded(&example(), task, tokens, true);
        let best = of(ProbeTask::EndActual, "b5 e2 d3 c4 a6");
        assert_eq!(
            (best.exact, best.legal, best.r_precision, best.error),
            (Some(true), true, Some(1.0), None)
        );
        // "If the model predicts g1 … such a move is not possible for a bishop."
        let other_type = of(ProbeTask::EndActual, "g1 b5 e2 P q a6");
        assert_eq!(
            (other_type.exact, other_type.error),
            (Some(false), Some(EndError::Syntax))
        );
        assert_eq!(other_type.r_precision, Some(0.4), "of the first five two are legal");
        // "If it predicts g2, … another piece is currently at g2."
        assert_eq!(of(ProbeTask::EndActual, "g2").error, Some(EndError::PathObstruction));
        assert_eq!(of(ProbeTask::EndActual, "B").error, Some(EndError::Unreachable));
        let other = of(ProbeTask::EndOther, "d2");
        assert_eq!((other.exact, other.legal), (None, true));
        let start = of(ProbeTask::StartActual, "c1 f1");
        assert_eq!(
            (start.exact, start.legal, start.r_precision),
            (Some(false), true, Some(1.0))
        );
        assert_eq!(
            of(ProbeTask::StartOther, "e4").error,
            None,
            "kinds are those of End tasks alone"
        );
    }

    #[test]
    fn what_was_asked_has_no_r_precision() {
        let asked = graded(&example(), ProbeTask::EndActual, "b5", false);
        assert_eq!(
            (asked.exact, asked.r_precision, asked.unparsable),
            (Some(true), None, false)
        );
        let nothing = graded(&example(), ProbeTask::EndActual, "", false);
        assert_eq!((nothing.legal, nothing.error), (false, Some(EndError::Unreachable)));
        assert!(nothing.unparsable);
    }

    #[test]
    fn castling_is_told_apart() {
        let line = ProbeLine {
            prefix: "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5".to_owned(),
            starting_square: "e1".to_owned(),
            ending_square: Some("e2".to_owned()),
            other_starting_square: None,
            ..example()
        };
        let castled = graded(&line, ProbeTask::EndActual, "g1", true);
        assert_eq!(
            (castled.legal, castled.error, castled.castling),
            (false, Some(EndError::Syntax), true)
        );
        assert!(!graded(&line, ProbeTask::EndActual, "c1", true).castling);
    }
}

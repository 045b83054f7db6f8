//! What a score is worth: the chance of winning that labels are made of.

use crate::uci::Score;

/// Per centipawn; Lichess's fit (<https://lichess.org/page/accuracy>).
const STEEPNESS: f64 = 0.003_682_08;

/// The value of a score, 0..1, of the side whose view it is: `50 + 50·(2/(1 + exp(−0.00368208·centipawns)) − 1)` per cent, in
/// the released code's own form, so that a score and its negative make exactly 1. Mates are 1, being mated is 0.
///
/// The exponential is `libm`'s everywhere: each platform's own differs in the last digit, and a label is the same wherever it is made.
/// Centipawns are **not** held within ±1000, as [`Score::win_probability`] holds them: labels of won positions differ.
#[must_use]
pub fn value_of(score: Score) -> f64 {
    match score {
        Score::Cp(cp) => 0.5 + 0.5 * (2.0 / (1.0 + libm::exp(-STEEPNESS * f64::from(cp))) - 1.0),
        Score::Mate(moves) if moves > 0 => 1.0,
        Score::Mate(_) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written by `tests/data/chessbench/expected.py`.
    const EXPECTED: &str = include_str!("../../tests/data/chessbench/values.tsv");

    #[test]
    fn the_table_of_independent_code_is_met() {
        let mut count = 0;
        for line in EXPECTED.lines().filter(|line| !line.starts_with('#')) {
            let (cp, value) = line.split_once('\t').unwrap();
            let (cp, value): (i32, f64) = (cp.parse().unwrap(), value.parse().unwrap());
            let own = value_of(Score::Cp(cp));
            assert!((own - value).abs() < 1e-15, "{cp}: {own}");
            assert!((value_of(Score::Cp(-cp)) + own - 1.0).abs() < 1e-15);
            count += 1;
        }
        assert!(count > 20);
        assert_eq!(
            [3, 1, 0, -1].map(|moves| value_of(Score::Mate(moves))),
            [1.0, 1.0, 0.0, 0.0]
        );
    }

    #[test]
    fn it_is_not_held_within_ten_pawns() {
        assert!(value_of(Score::Cp(2000)) > value_of(Score::Cp(1000)));
        assert_eq!(Score::Cp(2000).win_probability(), Score::Cp(1000).win_probability());
        assert_eq!(value_of(Score::Cp(250)), Score::Cp(250).win_probability());
        assert_eq!(
            (value_of(Score::Cp(i32::MAX)), value_of(Score::Cp(i32::MIN))),
            (1.0, 0.0)
        );
    }
}

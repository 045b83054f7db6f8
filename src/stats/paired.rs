//! Tests of paired differences: has one method been rated higher than another on the same positions?

use serde::Serialize;

use super::{Undefined, distributions::normal_two_sided, enough, is_zero};
use crate::{
    pace::{AtOnce, Pace, at_once},
    random::Rng,
    ranks::{DOUBLE, mid_ranks},
};

/// Up to this many differences the distribution of ranks is computed exactly.
pub const EXACT_UP_TO: usize = 100;

/// What Wilcoxon's signed-rank test says.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SignedRank {
    /// Sum of the ranks of the positive differences.
    pub plus: f64,
    /// Sum of the ranks of the negative ones.
    pub minus: f64,
    /// Differences that are not zero; zeros are left out.
    pub n: usize,
    /// Two-sided.
    pub p: f64,
    /// Whether the p-value is exact; else by the normal approximation.
    pub exact: bool,
}

impl SignedRank {
    /// The matched-pairs rank-biserial correlation, −1 (all differences negative) to 1: the size of the effect (Kerby,
    /// "The simple difference formula", Comprehensive Psychology 3, 2014).
    #[must_use]
    pub fn rank_biserial(&self) -> f64 {
        (self.plus - self.minus) / (self.plus + self.minus)
    }
}

/// Wilcoxon's signed-rank test that paired differences are symmetric about zero, two-sided. Zeros are left out, ties
/// share the mean of their ranks, both by value at [`DOUBLE`] precision (Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1, 1945).
/// Up to [`EXACT_UP_TO`] differences the p-value is that of all 2ⁿ signs, given the ties (Streitberg and Röhmel,
/// "Exact distributions for permutation and rank tests", Statistical Software Newsletter 12, 1986); beyond, that of
/// [`signed_rank_normal`].
///
/// # Errors
/// When no difference is other than zero, or one is not finite.
pub fn signed_rank(differences: &[f64]) -> Result<SignedRank, Undefined> {
    let ranks = doubled_ranks(differences)?;
    if ranks.len() > EXACT_UP_TO {
        return signed_rank_normal(differences);
    }
    let (plus, minus) = sums(&ranks);
    // How many of the 2ⁿ signs give each (doubled) sum of ranks. At most 2¹⁰⁰: a double holds that to 16 digits.
    let mut ways = vec![0.0_f64; plus + minus + 1];
    ways[0] = 1.0;
    let mut most = 0;
    for (rank, _) in &ranks {
        for sum in (0..=most).rev() {
            ways[sum + rank] += ways[sum];
        }
        most += rank;
    }
    let tail: f64 = ways[..=plus.min(minus)].iter().sum();
    Ok(SignedRank {
        p: (2.0 * tail / 2.0_f64.powi(ranks.len() as i32)).min(1.0),
        exact: true,
        ..tested(&ranks)
    })
}

/// [`signed_rank`] by the normal approximation, its variance corrected for ties, without continuity correction
/// (Lehmann, "Nonparametrics", 1975, section 3.2).
///
/// # Errors
/// When no difference is other than zero, or one is not finite.
pub fn signed_rank_normal(differences: &[f64]) -> Result<SignedRank, Undefined> {
    let ranks = doubled_ranks(differences)?;
    let (plus, minus) = sums(&ranks);
    // Of W = plus / 2 the variance is Σ rank² / 4, which for tied ranks is Lehmann's corrected one.
    let variance: f64 = ranks.iter().map(|(rank, _)| (*rank as f64 / 2.0).powi(2)).sum::<f64>() / 4.0;
    let z = (plus as f64 - minus as f64) / 4.0 / variance.sqrt();
    Ok(SignedRank {
        p: normal_two_sided(z),
        exact: false,
        ..tested(&ranks)
    })
}

fn tested(ranks: &[(usize, bool)]) -> SignedRank {
    let (plus, minus) = sums(ranks);
    SignedRank {
        plus: plus as f64 / 2.0,
        minus: minus as f64 / 2.0,
        n: ranks.len(),
        p: 1.0,
        exact: false,
    }
}

/// Twice the sums of the positive and of the negative ranks.
fn sums(ranks: &[(usize, bool)]) -> (usize, usize) {
    ranks.iter().fold((0, 0), |(plus, minus), (rank, positive)| {
        if *positive {
            (plus + rank, minus)
        } else {
            (plus, minus + rank)
        }
    })
}

/// Twice the rank of the size of each difference that is not zero, and whether it is positive. Doubled, the mean ranks
/// of ties are whole numbers.
fn doubled_ranks(differences: &[f64]) -> Result<Vec<(usize, bool)>, Undefined> {
    enough(differences, "pairs", 1)?;
    let kept: Vec<f64> = differences.iter().copied().filter(|d| !is_zero(*d)).collect();
    if kept.is_empty() {
        return Err(Undefined::NoDifference);
    }
    let sizes: Vec<f64> = kept.iter().map(|d| d.abs()).collect();
    let ranks = mid_ranks(&sizes, DOUBLE);
    Ok(ranks
        .iter()
        .zip(kept)
        .map(|(rank, d)| ((2.0 * rank) as usize, d > 0.0))
        .collect())
}

/// What the sign-flip permutation test says.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SignFlips {
    /// The mean difference.
    pub mean: f64,
    /// How many differences there are, zeros among them.
    pub n: usize,
    /// Two-sided.
    pub p: f64,
    /// Whether all 2ⁿ signs were tried; else as many as were asked for, drawn by chance.
    pub exact: bool,
}

/// The permutation test that paired differences are symmetric about zero, by the size of their mean, two-sided (Fisher,
/// "The Design of Experiments", 1935, section 21). Where 2ⁿ is at most `flips`, all signs are tried; else `flips` are
/// drawn with `seed`, and the differences as they are count as one of them, so that p is never 0 (Phipson and Smyth,
/// "Permutation p-values should never be zero", 2010).
///
/// # Errors
/// When no difference is other than zero, or one is not finite.
pub fn sign_flips(differences: &[f64], flips: u32, seed: u64) -> Result<SignFlips, Undefined> {
    at_once(sign_flips_in_turns(differences, flips, seed, &AtOnce))
}

/// Flips between turns for others.
const FLIPS: u32 = 1_000;

/// [`sign_flips`], with turns for others.
///
/// # Errors
/// When no difference is other than zero, or one is not finite.
pub async fn sign_flips_in_turns(
    differences: &[f64],
    flips: u32,
    seed: u64,
    pace: &impl Pace,
) -> Result<SignFlips, Undefined> {
    enough(differences, "pairs", 1)?;
    if differences.iter().all(|d| is_zero(*d)) {
        return Err(Undefined::NoDifference);
    }
    let n = differences.len();
    let total: f64 = differences.iter().sum();
    // Sums of the same differences in another order differ in their last digits.
    let least = total.abs() - 1e-9 * differences.iter().map(|d| d.abs()).sum::<f64>();
    let with_signs = |bits: &mut dyn FnMut() -> u64| {
        let mut sum = 0.0;
        for chunk in differences.chunks(64) {
            let mut signs = bits();
            for difference in chunk {
                sum += if signs & 1 == 1 { *difference } else { -difference };
                signs >>= 1;
            }
        }
        f64::abs(sum) >= least
    };
    let exact = n < 32 && 1_u64 << n <= u64::from(flips);
    let p = if exact {
        // At most as many as `flips`, which is 32 bits.
        let all = 1_u32 << n;
        let mut extreme = 0_usize;
        for first in (0..all).step_by(FLIPS as usize) {
            let step = first..all.min(first.saturating_add(FLIPS));
            extreme += step.filter(|signs| with_signs(&mut || u64::from(*signs))).count();
            pace.turn().await;
        }
        extreme as f64 / f64::from(all)
    } else {
        let mut rng = Rng::new(seed);
        let mut extreme = 0_usize;
        for first in (0..flips).step_by(FLIPS as usize) {
            let step = first..flips.min(first.saturating_add(FLIPS));
            extreme += step.filter(|_| with_signs(&mut || rng.next_u64())).count();
            pace.turn().await;
        }
        (extreme + 1) as f64 / (f64::from(flips) + 1.0)
    };
    Ok(SignFlips {
        mean: total / n as f64,
        n,
        p,
        exact,
    })
}

//! Ties by value, wherever ranks are taken: noise in the last digits and the order of a sum change no figure.
#![allow(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use kibitz::{
    chessbench::kendall::tau_of_sort_orders,
    concepts::quality::{auc, spearman},
    ranks::{DOUBLE, mid_ranks},
    stats::{
        alpha::{Level, krippendorff_alpha},
        correlation::{Correlation, kendall, pearson},
        effect::cliff_delta,
        paired::{sign_flips, signed_rank, signed_rank_normal},
    },
};
use proptest::prelude::*;
use serde::Deserialize;

/// Written by `tests/data/prepare/ties_expected.py`.
#[derive(Deserialize)]
struct Expected {
    origin: String,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    x: Vec<f64>,
    y: Vec<f64>,
    tau: f64,
    tau_p: f64,
    rho: f64,
    tau_of_noise: f64,
    smaller: f64,
    normal: f64,
    delta: f64,
}

#[track_caller]
fn near(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 1e-9, "{found} where {wanted} was expected");
}

fn tau(x: &[f64], y: &[f64]) -> Correlation {
    kendall(x, y, 0.95).unwrap()
}

#[test]
fn figures_of_sums_are_scipys_of_the_fractions_behind_them() {
    let expected: Expected = serde_json::from_str(include_str!("data/ties-expected.json")).unwrap();
    assert!(expected.origin.contains("scipy"));
    let mut broken = 0;
    for case in &expected.cases {
        let found = tau(&case.x, &case.y);
        near(found.value, case.tau);
        near(found.p.unwrap(), case.tau_p);
        let (x, y) = (mid_ranks(&case.x, DOUBLE), mid_ranks(&case.y, DOUBLE));
        near(pearson(&x, &y, 0.95).unwrap().value, case.rho);
        let differences: Vec<f64> = case.x.iter().zip(&case.y).map(|(x, y)| x - y).collect();
        let test = signed_rank_normal(&differences).unwrap();
        near(test.plus.min(test.minus), case.smaller);
        near(test.p, case.normal);
        near(cliff_delta(&case.x, &case.y).unwrap(), case.delta);
        broken += usize::from((case.tau_of_noise - case.tau).abs() > 1e-3);
    }
    assert!(broken > 2, "the noise of sums matters in {broken} cases");
}

/// What ranks are taken of, in all the ways in which they are.
#[derive(Debug, PartialEq)]
struct Figures {
    tau: Result<(f64, Option<f64>), String>,
    sort_orders: f64,
    signed_rank: Result<(f64, f64, f64), String>,
    flips: Result<f64, String>,
    delta: Result<f64, String>,
    alpha: Result<f64, String>,
}

impl Figures {
    fn of(x: &[f64], y: &[f64]) -> Self {
        let differences: Vec<f64> = x.iter().zip(y).map(|(x, y)| x - y).collect();
        let items: Vec<Vec<f64>> = x.iter().zip(y).map(|(x, y)| vec![*x, *y]).collect();
        let words = |reason: kibitz::stats::Undefined| reason.to_string();
        Self {
            tau: kendall(x, y, 0.95)
                .map(|found| (found.value, found.p.ok()))
                .map_err(words),
            sort_orders: tau_of_sort_orders(x, y),
            signed_rank: signed_rank(&differences)
                .map(|test| (test.plus, test.minus, test.p))
                .map_err(words),
            flips: sign_flips(&differences, 600, 1).map(|test| test.p).map_err(words),
            delta: cliff_delta(x, y).map_err(words),
            alpha: krippendorff_alpha(&items, Level::Ordinal)
                .map(|found| found.alpha)
                .map_err(words),
        }
    }
}

proptest! {
    #[test]
    fn noise_changes_no_figure(
        rows in proptest::collection::vec(((-12_i32..12, -1.0_f64..1.0), (-12_i32..12, -1.0_f64..1.0)), 1..50),
        unit in prop_oneof![Just(7.0), Just(10.0), Just(1024.0), Just(0.25)],
    ) {
        let values = |noise: f64| -> (Vec<f64>, Vec<f64>) {
            rows.iter()
                .map(|((x, by), (y, by_other))| {
                    (f64::from(*x) / unit + noise * by, f64::from(*y) / unit + noise * by_other)
                })
                .unzip()
        };
        let ((x, y), (noisy_x, noisy_y)) = (values(0.0), values(1e-12));
        prop_assert_eq!(Figures::of(&noisy_x, &noisy_y), Figures::of(&x, &y));
    }

    #[test]
    fn the_order_of_a_sum_changes_no_figure(
        rows in proptest::collection::vec(proptest::collection::vec(1_u8..8, 4), 2..40),
        scores in proptest::collection::vec(1_u8..6, 40),
    ) {
        let mean = |ratings: &mut dyn Iterator<Item = &u8>| ratings.map(|rating| f64::from(*rating) / 10.0).sum::<f64>() / 4.0;
        let there: Vec<f64> = rows.iter().map(|row| mean(&mut row.iter())).collect();
        let back: Vec<f64> = rows.iter().map(|row| mean(&mut row.iter().rev())).collect();
        let scores: Vec<f64> = scores.iter().map(|score| f64::from(*score) / 3.0).collect();
        prop_assert_eq!(Figures::of(&there, &scores[..rows.len()]), Figures::of(&back, &scores[..rows.len()]));
    }

    #[test]
    fn noise_of_single_precision_changes_no_figure_of_a_probe(
        rows in proptest::collection::vec((0_u16..60, 0_u16..60, any::<bool>()), 2..60),
    ) {
        // The same change of a label, once of low and once of high labels.
        let change = |base: f32, hundredths: u16| (base + f32::from(hundredths) / 100.0) - base;
        let of = |base: f32| -> (Vec<f32>, Vec<f32>) {
            rows.iter().map(|(score, label, _)| (change(base, *score), change(base, *label))).unzip()
        };
        let ((scores, labels), (exact, exact_labels)) = (of(3.7), of(0.0));
        let classes: Vec<bool> = rows.iter().map(|row| row.2).collect();
        prop_assert_eq!(spearman(&scores, &labels), spearman(&exact, &exact_labels));
        prop_assert_eq!(auc(&scores, &classes), auc(&exact, &classes));
    }
}

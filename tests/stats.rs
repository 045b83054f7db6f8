//! Statistics against other packages and against worked examples of papers; tests/data/stats-expected.json says whose.
#![allow(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use kibitz::pace::{AtOnce, at_once};
use kibitz::random::Rng;
use kibitz::stats::{
    Interval, Undefined,
    alpha::{Level, krippendorff_alpha},
    bayes_elo::{Colours, GameResult, Results, chances},
    bootstrap::percentile_interval,
    bradley_terry::{Prior, WinMatrix},
    correlation::{kendall, pearson},
    effect::{cliff_delta, cohen_d, cohen_dz},
    holm::holm,
    icc::icc2,
    kappa::fleiss_kappa,
    mean::{clustered_mean, mean_interval},
    paired::{sign_flips, signed_rank, signed_rank_normal},
    performance::performance_rating,
    rate::wilson,
    slope::slope,
};
use proptest::prelude::*;
use serde::de::DeserializeOwned;
use serde_json::Value;

const LEVEL: f64 = 0.95;

fn expected() -> Value {
    serde_json::from_str(include_str!("data/stats-expected.json")).unwrap()
}

fn cases(function: &str) -> Vec<Value> {
    let cases = expected()[function].as_array().unwrap().clone();
    assert!(!cases.is_empty(), "{function}");
    cases
}

fn read<T: DeserializeOwned>(case: &Value, field: &str) -> T {
    serde_json::from_value(case[field].clone()).unwrap_or_else(|error| panic!("{field}: {error}"))
}

#[track_caller]
fn near(case: &Value, field: &str, found: f64) {
    let wanted: f64 = read(case, field);
    assert!(
        (found - wanted).abs() <= 1e-9 * wanted.abs().max(1.0),
        "{field}: {found} where {wanted} was expected"
    );
}

#[track_caller]
fn near_interval(case: &Value, prefix: &str, found: Result<Interval, Undefined>) {
    let found = found.unwrap();
    near(case, &format!("{prefix}low"), found.low);
    near(case, &format!("{prefix}high"), found.high);
}

#[test]
fn means_have_the_t_interval() {
    for case in cases("means") {
        let values: Vec<f64> = read(&case, "values");
        let found = mean_interval(&values, LEVEL).unwrap();
        near(&case, "mean", found.mean);
        near_interval(&case, "", found.interval);
        assert_eq!((found.n, found.units), (values.len(), values.len()));
    }
}

#[test]
fn clustered_means_are_those_of_a_regression_on_a_constant() {
    for case in cases("clustered_means") {
        let found = clustered_mean(
            &read::<Vec<_>>(&case, "values"),
            &read::<Vec<_>>(&case, "clusters"),
            LEVEL,
        )
        .unwrap();
        near(&case, "mean", found.mean);
        near_interval(&case, "", found.interval);
    }
}

#[test]
fn rates_have_wilsons_interval() {
    for case in cases("rates") {
        let found = wilson(read(&case, "count"), read(&case, "n"), LEVEL).unwrap();
        near(&case, "rate", found.rate);
        near_interval(&case, "", Ok(found.interval));
    }
}

#[test]
fn holm_adjusts_as_statsmodels_does() {
    for case in cases("holms") {
        let adjusted: Vec<f64> = read(&case, "adjusted");
        for (found, wanted) in holm(&read::<Vec<_>>(&case, "p")).into_iter().zip(adjusted) {
            assert!((found - wanted).abs() < 1e-12, "{found} {wanted}");
        }
    }
}

#[test]
fn signed_ranks_are_exact_for_few_and_normal_for_many() {
    let (mut exact, mut normal) = (0, 0);
    for case in cases("signed_ranks") {
        let differences: Vec<f64> = read(&case, "differences");
        let found = if case["exact"].is_null() {
            normal += 1;
            let found = signed_rank_normal(&differences).unwrap();
            near(&case, "normal", found.p);
            found
        } else {
            exact += 1;
            let found = signed_rank(&differences).unwrap();
            assert!(found.exact);
            near(&case, "exact", found.p);
            found
        };
        near(&case, "smaller", found.plus.min(found.minus));
        let n = found.n as f64;
        assert_eq!(found.plus + found.minus, n * (n + 1.0) / 2.0);
    }
    assert!(exact > 5 && normal > 2);
    let many: Vec<f64> = (1..=101).map(|i| f64::from(i) - 40.5).collect();
    assert!(!signed_rank(&many).unwrap().exact);
}

#[test]
fn few_differences_have_all_their_signs_tried() {
    for case in cases("sign_flips") {
        let found = sign_flips(&read::<Vec<_>>(&case, "differences"), 20_000, 1).unwrap();
        assert!(found.exact);
        near(&case, "p", found.p);
    }
}

#[test]
fn signs_drawn_by_chance_come_near_all_signs() {
    let case = cases("sign_flips").pop().unwrap();
    let (differences, wanted): (Vec<f64>, f64) = (read(&case, "differences"), read(&case, "p"));
    let found = sign_flips(&differences, 10_000, 7).unwrap();
    assert!(!found.exact);
    // Four standard errors of 10,000 draws.
    assert!((found.p - wanted).abs() < 4.0 * (wanted * (1.0 - wanted) / 10_000.0).sqrt() + 1e-4);
    assert_eq!(found, sign_flips(&differences, 10_000, 7).unwrap());
}

#[test]
fn kappas_are_those_of_other_packages_and_of_fleiss() {
    for case in cases("kappas") {
        let found = fleiss_kappa(&read::<Vec<_>>(&case, "counts")).unwrap();
        near(&case, "kappa", found.kappa);
        let unequal = case["package"].as_str().unwrap().starts_with("irrCAC");
        assert_eq!(found.fewest < found.most, unequal);
    }
    let fleiss = &expected()["published"]["fleiss"];
    let found = fleiss_kappa(&read::<Vec<_>>(fleiss, "counts")).unwrap();
    for (field, found) in [
        ("kappa", found.kappa),
        ("observed", found.observed),
        ("expected", found.expected),
    ] {
        assert!((found - read::<f64>(fleiss, field)).abs() < 0.0006, "{field} {found}");
    }
}

#[test]
fn alphas_are_those_of_the_package_and_of_krippendorff() {
    let levels = [
        ("nominal", Level::Nominal),
        ("ordinal", Level::Ordinal),
        ("interval", Level::Interval),
    ];
    let published = &expected()["published"]["krippendorff"];
    for (name, level) in levels {
        for case in cases("alphas") {
            let found = krippendorff_alpha(&read::<Vec<_>>(&case, "items"), level).unwrap();
            near(&case, name, found.alpha);
        }
        let found = krippendorff_alpha(&read::<Vec<_>>(published, "items"), level).unwrap();
        assert!((found.alpha - read::<f64>(published, name)).abs() < 0.0006, "{name}");
        assert_eq!((found.items, found.ratings), (11, 40));
    }
}

#[test]
fn iccs_are_those_of_pingouin_and_of_shrout_and_fleiss() {
    for case in cases("iccs") {
        let found = icc2(&read::<Vec<_>>(&case, "rows"), LEVEL).unwrap();
        near(&case, "single", found.single);
        near(&case, "average", found.average);
        near_interval(&case, "single_", found.single_interval);
        near_interval(&case, "average_", found.average_interval);
    }
    let published = &expected()["published"]["shrout_fleiss"];
    let found = icc2(&read::<Vec<_>>(published, "rows"), LEVEL).unwrap();
    assert!((found.single - read::<f64>(published, "single")).abs() < 0.005);
    assert!((found.average - read::<f64>(published, "average")).abs() < 0.005);
}

#[test]
fn correlations_are_scipys() {
    for case in cases("correlations") {
        let (x, y): (Vec<f64>, Vec<f64>) = (read(&case, "x"), read(&case, "y"));
        let r = pearson(&x, &y, LEVEL).unwrap();
        near(&case, "r", r.value);
        near(&case, "r_p", r.p.unwrap());
        if case["r_low"].is_null() {
            assert!(r.interval.is_err());
        } else {
            near_interval(&case, "r_", r.interval);
        }
        let tau = kendall(&x, &y, LEVEL).unwrap();
        near(&case, "tau", tau.value);
        near(&case, "tau_p", tau.p.unwrap());
    }
}

/// Figures whose interval depends on a definition of our choice, by hand.
#[test]
fn the_interval_of_tau_is_fieller_hartley_and_pearsons() {
    let x: Vec<f64> = (0..12).map(f64::from).collect();
    let y = [0.0, 2.0, 1.0, 4.0, 3.0, 6.0, 5.0, 8.0, 7.0, 11.0, 10.0, 9.0];
    let tau = kendall(&x, &y, LEVEL).unwrap();
    // Seven of 66 pairs the wrong way round: tau = 1 - 14/66; atanh ± 1.959964 · √(0.437 / 8).
    assert!((tau.value - (1.0 - 14.0 / 66.0)).abs() < 1e-12);
    let width = 1.959_963_984_540_054 * (0.437_f64 / 8.0).sqrt();
    let interval = tau.interval.unwrap();
    assert!((interval.low - (tau.value.atanh() - width).tanh()).abs() < 1e-9);
    assert!((interval.high - (tau.value.atanh() + width).tanh()).abs() < 1e-9);
}

#[test]
fn undefined_figures_have_a_reason() {
    let same = |what| Undefined::AllSame { what };
    let few = |what, found, needed| Undefined::TooFew { what, found, needed };
    assert_eq!(mean_interval(&[], LEVEL), Err(few("ratings", 0, 1)));
    assert_eq!(
        mean_interval(&[3.0], LEVEL).unwrap().interval,
        Err(few("positions", 1, 2))
    );
    assert_eq!(
        mean_interval(&[3.0, 3.0], LEVEL).unwrap().interval,
        Err(same("ratings"))
    );
    assert_eq!(mean_interval(&[3.0, f64::NAN], LEVEL), Err(Undefined::NotFinite));
    assert!(wilson(0, 0, LEVEL).is_err() && wilson(2, 1, LEVEL).is_err());
    assert_eq!(signed_rank(&[0.0, 0.0]), Err(Undefined::NoDifference));
    assert_eq!(signed_rank(&[]), Err(few("pairs", 0, 1)));
    assert_eq!(sign_flips(&[0.0], 100, 1), Err(Undefined::NoDifference));
    assert_eq!(fleiss_kappa(&[vec![0, 5], vec![0, 5]]), Err(same("ratings")));
    assert_eq!(
        fleiss_kappa(&[vec![0, 1], vec![1, 0]]),
        Err(few("items with two ratings", 0, 1))
    );
    assert_eq!(fleiss_kappa(&[]), Err(few("items with two ratings", 0, 1)));
    assert_eq!(
        krippendorff_alpha(&[vec![2.0, 2.0], vec![2.0, 2.0], vec![3.0]], Level::Ordinal),
        Err(same("ratings"))
    );
    assert_eq!(
        krippendorff_alpha(&[vec![1.0]], Level::Nominal),
        Err(few("items with two ratings", 0, 1))
    );
    assert_eq!(icc2(&[vec![2.0, 2.0], vec![2.0, 2.0]], LEVEL), Err(same("ratings")));
    assert_eq!(icc2(&[vec![1.0, 2.0]], LEVEL), Err(few("items", 1, 2)));
    assert_eq!(icc2(&[vec![1.0], vec![2.0]], LEVEL), Err(few("raters", 1, 2)));
    assert_eq!(
        icc2(&[vec![1.0, 2.0], vec![2.0]], LEVEL),
        Err(Undefined::NotCrossed { items: 1, raters: 2 })
    );
    let agreed = icc2(&[vec![1.0, 1.0], vec![4.0, 4.0]], LEVEL).unwrap();
    assert_eq!((agreed.single, agreed.average), (1.0, 1.0));
    assert_eq!(agreed.single_interval, Err(Undefined::NoError));
    // Raters and error cancel each other out in what the interval's degrees of freedom are computed from.
    let against = icc2(&[vec![1.0, 3.0, 3.0], vec![3.0, 1.0, 3.0]], LEVEL).unwrap();
    assert_eq!(against.single_interval, Err(Undefined::NoFreedom));
    // Every item has the same mean and every rater too: neither variance is there to compare.
    let crossed = icc2(&[vec![1.0, 2.0], vec![2.0, 1.0]], LEVEL);
    assert!(crossed.is_err() || crossed.unwrap().single.is_finite());
    assert_eq!(pearson(&[1.0, 1.0], &[1.0, 2.0], LEVEL), Err(same("mean ratings")));
    assert_eq!(kendall(&[1.0, 2.0], &[1.0, 1.0], LEVEL), Err(same("scores")));
    let two = pearson(&[1.0, 2.0], &[1.0, 2.0], LEVEL).unwrap();
    assert!((two.value - 1.0).abs() < 1e-12);
    assert_eq!(two.p, Err(few("pairs", 2, 3)));
}

fn finite(values: &[f64]) -> bool {
    values.iter().all(|value| value.is_finite())
}

proptest! {
    /// Whatever is rated, a figure is a finite number or a reason.
    #[test]
    fn no_figure_is_nan(table in prop::collection::vec(prop::collection::vec(1_u8..4, 0..5), 0..6), constant in 0_u8..3) {
        let rows: Vec<Vec<f64>> = table.iter().map(|row| {
            row.iter().map(|value| if constant == 0 { 2.0 } else { f64::from(*value) }).collect()
        }).collect();
        let counts: Vec<Vec<u32>> = rows.iter().map(|row| {
            (1..4).map(|point| row.iter().filter(|value| **value == f64::from(point)).count() as u32).collect()
        }).collect();
        if let Ok(found) = fleiss_kappa(&counts) {
            prop_assert!(finite(&[found.kappa]) && found.kappa <= 1.0, "{found:?}");
        }
        for level in [Level::Nominal, Level::Ordinal, Level::Interval] {
            if let Ok(found) = krippendorff_alpha(&rows, level) {
                prop_assert!(finite(&[found.alpha]) && found.alpha <= 1.0, "{found:?}");
            }
        }
        if let Ok(found) = icc2(&rows, LEVEL) {
            prop_assert!(finite(&[found.single, found.average]), "{found:?}");
            if let (Ok(one), Ok(all)) = (found.single_interval, found.average_interval) {
                prop_assert!(finite(&[one.low, one.high, all.low, all.high]), "{found:?}");
            }
        }
        let all: Vec<f64> = rows.concat();
        if let Ok(found) = mean_interval(&all, LEVEL) {
            prop_assert!(finite(&[found.mean]));
            if let Ok(interval) = found.interval {
                prop_assert!(interval.low <= found.mean && found.mean <= interval.high);
            }
        }
        let differences: Vec<f64> = all.windows(2).map(|pair| pair[1] - pair[0]).collect();
        if let Ok(found) = signed_rank(&differences) {
            prop_assert!((0.0..=1.0).contains(&found.p) && finite(&[found.rank_biserial()]), "{found:?}");
            let normal = signed_rank_normal(&differences).unwrap();
            prop_assert!((0.0..=1.0).contains(&normal.p), "{normal:?}");
        }
    }

    /// Knight's method counts as one pair after another does.
    #[test]
    fn tau_counts_every_pair(pairs in prop::collection::vec((0_u8..5, 0_u8..5), 2..40)) {
        let x: Vec<f64> = pairs.iter().map(|pair| f64::from(pair.0)).collect();
        let y: Vec<f64> = pairs.iter().map(|pair| f64::from(pair.1)).collect();
        let sign = |a: f64, b: f64| if a == b { 0.0 } else { (b - a).signum() };
        let (mut lead, mut varies_x, mut varies_y) = (0.0, 0.0_f64, 0.0_f64);
        for i in 0..x.len() {
            for j in 0..i {
                let (a, b) = (sign(x[i], x[j]), sign(y[i], y[j]));
                lead += a * b;
                varies_x += a * a;
                varies_y += b * b;
            }
        }
        match kendall(&x, &y, LEVEL) {
            Ok(found) => {
                prop_assert!((found.value - lead / (varies_x * varies_y).sqrt()).abs() < 1e-12);
                prop_assert!((0.0..=1.0).contains(&found.p.unwrap()), "{found:?}");
            }
            Err(_) => prop_assert!(varies_x * varies_y == 0.0),
        }
        if let Ok(found) = pearson(&x, &y, LEVEL) {
            prop_assert!((-1.0..=1.0).contains(&found.value));
        }
    }
}

fn win_matrix(case: &Value) -> WinMatrix {
    let rows: Vec<Vec<f64>> = read(case, "wins");
    let mut wins = WinMatrix::new(rows.len());
    for (winner, row) in rows.iter().enumerate() {
        for (loser, won) in row.iter().enumerate() {
            wins.add_win(winner, loser, *won);
        }
    }
    wins
}

fn bradley_terry_expected() -> Value {
    serde_json::from_str(include_str!("data/bradley-terry-expected.json")).unwrap()
}

/// Newton's method here, MM there; tests/data/prepare/bradley_terry_expected.py.
#[test]
fn strengths_are_those_of_the_mm_algorithm_and_of_agresti() {
    let expected = bradley_terry_expected();
    let cases = expected["cases"].as_array().unwrap();
    assert!(cases.len() > 8);
    for case in cases {
        let prior = match read(case, "prior") {
            0.0 => Prior::None,
            wins => Prior::WinsEachWay(wins),
        };
        let found = win_matrix(case).strengths(prior).unwrap();
        near(case, "n", found.comparisons);
        let wanted: Vec<f64> = read(case, "log_strengths");
        for ((found, wanted), elo) in found.log_strengths.iter().zip(&wanted).zip(found.elo()) {
            assert!((found - wanted).abs() < 1e-8, "{}: {found}, not {wanted}", case["name"]);
            assert!((10_f64.powf(elo / 400.0) - wanted.exp()).abs() < 1e-6 * wanted.exp());
        }
        assert!(found.log_strengths.iter().sum::<f64>().abs() < 1e-9);
    }
    let agresti = &expected["published"];
    let found = win_matrix(agresti).strengths(Prior::None).unwrap();
    near(agresti, "n", found.comparisons);
    for (log, wanted) in found
        .log_strengths
        .iter()
        .zip(read::<Vec<f64>>(agresti, "log_strengths_above_last"))
    {
        assert!((log - found.log_strengths[6] - wanted).abs() < 0.005, "{log} {wanted}");
    }
}

#[test]
fn strengths_that_are_not_finite_have_a_reason() {
    for case in bradley_terry_expected()["undefined"].as_array().unwrap() {
        let wins = win_matrix(case);
        let wanted = match case["reason"].as_str().unwrap() {
            "always won" => Undefined::AlwaysWon,
            _ => Undefined::NotCompared,
        };
        assert_eq!(wins.strengths(Prior::None), Err(wanted), "{case}");
        assert_eq!(wins.tiers(), read::<Vec<Vec<usize>>>(case, "tiers"), "{case}");
        // A prior helps those who won everything, not those who never met.
        let with_prior = wins.strengths(Prior::HALF_A_WIN);
        match wanted {
            Undefined::AlwaysWon => assert_eq!(with_prior.unwrap().prior, Prior::WinsEachWay(0.5)),
            _ => assert_eq!(with_prior, Err(Undefined::NotCompared)),
        }
    }
    let few = Undefined::TooFew {
        what: "methods",
        found: 1,
        needed: 2,
    };
    assert_eq!(WinMatrix::new(1).strengths(Prior::None), Err(few));
    assert_eq!(WinMatrix::new(2).tiers(), [[0], [1]]);
    let mut wins = WinMatrix::new(2);
    wins.add_tie(0, 1, 1.0);
    assert_eq!(wins.strengths(Prior::WinsEachWay(f64::NAN)), Err(Undefined::NotFinite));
    wins.add_win(1, 0, -3.0);
    assert_eq!(wins.strengths(Prior::None), Err(Undefined::Negative { what: "wins" }));
}

/// Ten methods and a thousand draws, as a caller makes intervals of them.
#[test]
fn strengths_have_intervals_by_the_bootstrap_over_items() {
    let mut rng = Rng::new(5);
    let item = |rng: &mut Rng| {
        let (one, other) = (rng.below(10), rng.below(10));
        // Lower numbers are stronger.
        let first = rng.unit() < 1.0 / (1.0 + (0.2 * (one as f64 - other as f64)).exp());
        if first { (one, other) } else { (other, one) }
    };
    let items: Vec<(usize, usize)> = (0..900).map(|_| item(&mut rng)).collect();
    let mut wins = WinMatrix::new(10);
    let mut figure = |drawn: &[u32], method: usize| {
        wins.clear();
        for ((winner, loser), times) in items.iter().zip(drawn) {
            wins.add_win(*winner, *loser, f64::from(*times));
        }
        Some(wins.strengths(Prior::None).ok()?.log_strengths[method])
    };
    let all = figure(&vec![1; items.len()], 0).unwrap();
    let found = at_once(percentile_interval(
        items.len(),
        1,
        LEVEL,
        |drawn| figure(drawn, 0),
        &AtOnce,
    ))
    .unwrap();
    assert!(found.low < all && all < found.high, "{found:?} {all}");
    // The true value is 0.9 above the mean of all.
    assert!(
        found.low < 0.9 && found.high > 0.9 && found.high - found.low < 1.2,
        "{found:?}"
    );
}

proptest! {
    /// At the highest point each method has won as often as the strengths say; names do not matter.
    #[test]
    fn strengths_say_how_often_each_has_won(
        rows in (2..6_usize).prop_flat_map(|n| prop::collection::vec(prop::collection::vec(0..30_u8, n), n)),
    ) {
        let n = rows.len();
        let (mut wins, mut turned) = (WinMatrix::new(n), WinMatrix::new(n));
        for (winner, row) in rows.iter().enumerate() {
            for (loser, won) in row.iter().enumerate() {
                wins.add_win(winner, loser, f64::from(*won));
                turned.add_win(n - 1 - winner, n - 1 - loser, f64::from(*won));
            }
        }
        match wins.strengths(Prior::None) {
            Ok(found) => {
                prop_assert_eq!(wins.tiers().len(), 1);
                for one in 0..n {
                    let met = |other: usize| wins.wins(one, other) + wins.wins(other, one);
                    let said: f64 = (0..n).filter(|other| *other != one).map(|other| met(other) * found.chance(one, other)).sum();
                    let won: f64 = (0..n).map(|other| wins.wins(one, other)).sum();
                    prop_assert!((said - won).abs() < 1e-6, "{} {}", said, won);
                }
                let turned = turned.strengths(Prior::None).unwrap().log_strengths;
                for (log, same) in found.log_strengths.iter().zip(turned.iter().rev()) {
                    prop_assert!((log - same).abs() < 1e-7);
                }
            }
            Err(Undefined::AlwaysWon | Undefined::NotCompared) => prop_assert!(wins.tiers().len() > 1),
            Err(error) => prop_assert!(false, "{}", error),
        }
    }
}

/// Effect sizes, slopes and ratings: tests/data/effects-expected.json.
fn effect_cases(function: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(include_str!("data/effects-expected.json")).unwrap();
    let cases = all[function].as_array().unwrap().clone();
    assert!(!cases.is_empty(), "{function}");
    cases
}

#[test]
fn effect_sizes_are_those_of_numpy_and_scipy() {
    for case in effect_cases("effects") {
        let (a, b): (Vec<f64>, Vec<f64>) = (read(&case, "a"), read(&case, "b"));
        near(&case, "d", cohen_d(&a, &b).unwrap());
        near(&case, "delta", cliff_delta(&a, &b).unwrap());
        assert!((cohen_d(&a, &b).unwrap() + cohen_d(&b, &a).unwrap()).abs() < 1e-12);
    }
    for case in effect_cases("paired") {
        near(&case, "dz", cohen_dz(&read::<Vec<f64>>(&case, "differences")).unwrap());
    }
    assert!(matches!(
        cohen_d(&[1.0, 1.0], &[1.0, 1.0]),
        Err(Undefined::AllSame { .. })
    ));
    assert!(matches!(cohen_dz(&[2.0, 2.0]), Err(Undefined::AllSame { .. })));
    assert!(matches!(cliff_delta(&[], &[1.0]), Err(Undefined::TooFew { .. })));
    assert!(matches!(
        cohen_d(&[f64::NAN, 1.0], &[1.0, 2.0]),
        Err(Undefined::NotFinite)
    ));
}

#[test]
fn slopes_are_those_of_linregress() {
    for case in effect_cases("slopes") {
        let found = slope(&read::<Vec<f64>>(&case, "x"), &read::<Vec<f64>>(&case, "y"), LEVEL).unwrap();
        near(&case, "slope", found.slope);
        near(&case, "intercept", found.intercept);
        near(&case, "p", found.p.unwrap());
        near_interval(&case, "", Ok(found.interval.unwrap()));
    }
    let two = slope(&[1.0, 2.0], &[3.0, 5.0], LEVEL).unwrap();
    assert_eq!((two.slope, two.interval, two.p), (2.0, None, None));
    assert!(matches!(
        slope(&[1.0, 1.0], &[3.0, 5.0], LEVEL),
        Err(Undefined::AllSame { .. })
    ));
    assert!(slope(&[1.0, 2.0], &[3.0], LEVEL).is_err());
}

#[test]
fn performance_ratings_are_the_roots_that_scipy_finds() {
    for case in effect_cases("performances") {
        let found =
            performance_rating(&read::<Vec<f64>>(&case, "ratings"), &read::<Vec<f64>>(&case, "scores")).unwrap();
        let wanted: f64 = read(&case, "rating");
        assert!((found - wanted).abs() < 1e-6, "{found} {wanted}");
    }
    assert_eq!(performance_rating(&[1500.0], &[1.0]), Err(Undefined::Extreme));
    assert_eq!(performance_rating(&[1500.0], &[0.0]), Err(Undefined::Extreme));
    assert!(performance_rating(&[], &[]).is_err());
}

#[test]
fn bootstrap_intervals_are_scipys_within_the_spread_of_the_draws() {
    for case in effect_cases("bootstraps") {
        let values: Vec<f64> = read(&case, "values");
        let mean = |drawn: &[u32]| {
            let sum: f64 = drawn
                .iter()
                .zip(&values)
                .map(|(times, value)| f64::from(*times) * value)
                .sum();
            Some(sum / values.len() as f64)
        };
        let found = at_once(percentile_interval(values.len(), 1, LEVEL, mean, &AtOnce)).unwrap();
        let error: f64 = read(&case, "error");
        for (found, field) in [(found.low, "low"), (found.high, "high")] {
            let wanted: f64 = read(&case, field);
            assert!(
                // An end of 1,000 draws has a standard error of 0.085 of the mean's: sqrt(0.025 · 0.975 / 1000) / φ(1.96).
                (found - wanted).abs() < 3.5 * 0.085 * error,
                "{field}: {found} {wanted} {error}"
            );
        }
    }
}

fn results(games: &[Vec<[f64; 3]>]) -> Results {
    let mut results = Results::new(games.len());
    for (white, row) in games.iter().enumerate() {
        for (black, cell) in row.iter().enumerate() {
            for (count, result) in cell
                .iter()
                .zip([GameResult::White, GameResult::Draw, GameResult::Black])
            {
                results.add(white, black, result, *count);
            }
        }
    }
    results
}

/// Newton's method here, SciPy and BayesElo's own MM there; tests/data/prepare/bayes_elo_expected.py.
#[test]
fn ratings_are_those_of_scipy_and_of_the_mm_algorithm() {
    let expected: Value = serde_json::from_str(include_str!("data/bayes-elo-expected.json")).unwrap();
    let cases = expected["cases"].as_array().unwrap();
    assert!(cases.len() > 7);
    for case in cases {
        let results = results(&read::<Vec<Vec<[f64; 3]>>>(case, "games"));
        let colours = match read::<Option<(f64, f64)>>(case, "colours") {
            Some((advantage, draw)) => Colours::Given { advantage, draw },
            None => Colours::Fitted,
        };
        let found = results.ratings(colours, read(case, "prior"), LEVEL).unwrap();
        let name = &case["name"];
        let within =
            |found: f64, wanted: f64, by: f64| assert!((found - wanted).abs() < by, "{name}: {found}, not {wanted}");
        within(found.advantage, read(case, "advantage"), 0.01);
        within(found.draw, read(case, "draw"), 0.01);
        let (elo, variances): (Vec<f64>, Vec<f64>) = (read(case, "elo"), read(case, "variances"));
        for ((rating, wanted), variance) in found.players.iter().zip(&elo).zip(&variances) {
            within(rating.elo, *wanted, 0.01);
            within((rating.high - rating.low) / 2.0, 1.959_964 * variance.sqrt(), 0.05);
        }
        let anchored = found.anchored(0, 2000.0);
        within(anchored[0].high - anchored[0].low, 0.0, 1e-3);
        within(anchored[1].elo, 2000.0 + elo[1] - elo[0], 0.02);
        if elo.len() == 2 {
            // The distance of two from each other is twice that from their middle.
            let widths = [found.players[1], anchored[1]].map(|rating| rating.high - rating.low);
            within(widths[1], 2.0 * widths[0], 1e-6);
        }
        within(found.expected_score(0, 1) + found.expected_score(1, 0), 1.0, 1e-12);
    }
}

#[test]
fn what_games_explain_ever_better_by_ever_larger_numbers_is_not_fitted() {
    // Nobody has ever won against the first: the more all of it is worth, the likelier the games.
    let mut results = Results::new(2);
    for (white, black, won) in [(0, 1, GameResult::White), (1, 0, GameResult::Black)] {
        results.add(white, black, won, 6.0);
        results.add(white, black, GameResult::Draw, 2.0);
    }
    let fitted = results.ratings(Colours::Fitted, 2.0, 0.95);
    assert!(matches!(fitted, Err(Undefined::NotFound { .. })), "{fitted:?}");
    let given = results.ratings(Colours::BAYES_ELO, 2.0, 0.95).unwrap();
    assert!(given.players[0].high < 1_000.0, "{:?}", given.players);
}

#[test]
fn ratings_that_are_not_finite_have_a_reason() {
    let swept = results(&[vec![[0.0; 3], [5.0, 0.0, 0.0]], vec![[0.0, 0.0, 5.0], [0.0; 3]]]);
    let of = |results: &Results, colours, prior| results.ratings(colours, prior, LEVEL).map(|found| found.games);
    assert_eq!(of(&swept, Colours::BAYES_ELO, 0.0), Err(Undefined::AlwaysWon));
    assert_eq!(of(&swept, Colours::BAYES_ELO, 2.0), Ok(10.0));
    let drawn = results(&[vec![[0.0; 3], [0.0, 5.0, 0.0]], vec![[0.0; 3], [0.0; 3]]]);
    assert_eq!(
        of(&drawn, Colours::Fitted, 2.0),
        Err(Undefined::AllSame { what: "results" })
    );
    assert_eq!(of(&drawn, Colours::BAYES_ELO, 0.0), Ok(5.0));
    let strangers = results(&vec![vec![[0.0; 3]; 3]; 3]);
    assert_eq!(of(&strangers, Colours::BAYES_ELO, 2.0), Err(Undefined::NotCompared));
    let one = Results::new(1);
    assert!(matches!(
        of(&one, Colours::BAYES_ELO, 2.0),
        Err(Undefined::TooFew { .. })
    ));
    let mut odd = Results::new(2);
    odd.add(0, 1, GameResult::Draw, f64::NAN);
    assert_eq!(of(&odd, Colours::BAYES_ELO, 2.0), Err(Undefined::NotFinite));
    let no_draws = Colours::Given {
        advantage: 0.0,
        draw: 0.0,
    };
    assert!(matches!(of(&drawn, no_draws, 2.0), Err(Undefined::Negative { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// More points for one game never cost a player rating, colours exchanged exchange the ratings, and chances are chances.
    #[test]
    fn ratings_follow_results(cells in prop::collection::vec([0u8..6, 0u8..6, 0u8..6], 12), draw in 5.0f64..300.0) {
        let mut games = vec![vec![[0.0; 3]; 4]; 4];
        let pairs = (0..4).flat_map(|white| (0..4).filter(move |black| *black != white).map(move |black| (white, black)));
        for ((white, black), cell) in pairs.zip(&cells) {
            games[white][black] = cell.map(f64::from);
        }
        // Each has met the next.
        for player in 0..3 {
            games[player][player + 1][1] += 1.0;
        }
        let colours = Colours::Given { advantage: 20.0, draw };
        let found = results(&games).ratings(colours, 2.0, LEVEL).unwrap();
        let mut better = games.clone();
        better[0][1][0] += 1.0;
        let with_a_win = results(&better).ratings(colours, 2.0, LEVEL).unwrap();
        prop_assert!(with_a_win.players[0].elo >= found.players[0].elo - 1e-6);
        prop_assert!(found.players.iter().map(|rating| rating.elo).sum::<f64>().abs() < 1e-6);
        let turned: Vec<Vec<[f64; 3]>> = (0..4).map(|row| (0..4).map(|column| games[3 - row][3 - column]).collect()).collect();
        let turned = results(&turned).ratings(colours, 2.0, LEVEL).unwrap();
        for player in 0..4 {
            prop_assert!((turned.players[3 - player].elo - found.players[player].elo).abs() < 1e-6);
        }
        let chance = chances(found.players[0].elo, draw);
        prop_assert!((chance.iter().sum::<f64>() - 1.0).abs() < 1e-12 && chance.iter().all(|share| *share >= 0.0));
    }
}

//! One engine's grades against another's, and against answers that people vouch for.

use super::{material::mean, resampling::LEVEL};
use crate::{
    grading::{
        grade::{Class, Grade},
        grade_file::Grades,
    },
    stats::correlation::{kendall, pearson},
    survey::analysis::table::{Cell, Table},
};

/// How far two graders agree on the moves that both graded.
#[must_use]
pub fn agreement(first: &Grades, second: &Grades) -> Option<Table> {
    let (one, two) = (first.by_move(), second.by_move());
    let both: Vec<(&Grade, &Grade)> = one
        .iter()
        .filter_map(|(key, grade)| Some((*grade, *two.get(key)?)))
        .collect();
    if both.is_empty() {
        return None;
    }
    let share = |yes: usize| Cell::Number(yes as f64 / both.len() as f64, 3);
    let count = |test: &dyn Fn(&Grade, &Grade) -> bool| both.iter().filter(|(a, b)| test(a, b)).count();
    let near = |a: Class, b: Class| (a as u8).abs_diff(b as u8) <= 1;
    let (x, y): (Vec<f64>, Vec<f64>) = both
        .iter()
        .map(|(a, b)| (f64::from(a.capped_loss()), f64::from(b.capped_loss())))
        .unzip();
    let differences: Vec<f64> = x.iter().zip(&y).map(|(x, y)| (x - y).abs()).collect();
    let value = |found: Option<f64>| Cell::number(found, 3);
    Some(Table {
        caption: format!("{} against {}", first.words(), second.words()),
        head: [
            "Moves",
            "Same class",
            "Within one class",
            "Same best move",
            "Mean difference of capped losses",
            "Pearson's r",
            "Kendall's tau",
            "Kappa of classes",
        ]
        .map(str::to_owned)
        .into(),
        rows: vec![vec![
            Cell::Count(both.len()),
            share(count(&|a, b| a.class() == b.class())),
            share(count(&|a, b| near(a.class(), b.class()))),
            share(count(&|a, b| a.best == b.best)),
            Cell::number(mean(&differences), 1),
            value(pearson(&x, &y, LEVEL).ok().map(|found| found.value)),
            value(kendall(&x, &y, LEVEL).ok().map(|found| found.value)),
            value(kappa(&both)),
        ]],
        notes: vec!["Kappa is Cohen's, quadratically weighted.".to_owned()],
    })
}

/// Cohen's kappa of the classes, weighted by the square of their distance (Cohen, "Weighted kappa", Psychological Bulletin
/// 70, 1968); `None` where one of both names a single class.
fn kappa(both: &[(&Grade, &Grade)]) -> Option<f64> {
    let n = both.len() as f64;
    let mut margins = [[0.0; 5]; 2];
    let mut seen = 0.0;
    let far = |a: usize, b: usize| (a.abs_diff(b) as f64).powi(2);
    for (a, b) in both {
        let (a, b) = (a.class() as usize, b.class() as usize);
        margins[0][a] += 1.0;
        margins[1][b] += 1.0;
        seen += far(a, b) / n;
    }
    let mut expected = 0.0;
    for (a, first) in margins[0].iter().enumerate() {
        for (b, second) in margins[1].iter().enumerate() {
            expected += first * second / (n * n) * far(a, b);
        }
    }
    (expected > 0.0).then(|| 1.0 - seen / expected)
}

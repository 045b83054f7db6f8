//! The pairwise rubric's results: both orders of a pair together, who wins, how strong each method is.

use std::collections::BTreeMap;

use super::methods;
use crate::{
    judge::{
        exchange::{Outcome, Rated},
        rubric::{
            Quality, Winner,
            decision::{Decision, decide_both, is_flip},
        },
        run_file::Run,
        task::Ask,
    },
    pace::Pace,
    stats::{
        Interval, Undefined,
        bootstrap::percentile_interval,
        bradley_terry::{Prior, WinMatrix},
    },
    survey::analysis::table::{Better, Cell, Table},
};

/// The seed of the resamples.
const SEED: u64 = 1;
/// The level of intervals.
const LEVEL: f64 = 0.95;

/// A pair of methods on an item, as one judge sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedPair<'a> {
    /// The judge.
    pub judge: &'a str,
    /// The item.
    pub item: &'a str,
    /// The methods, in the order of the first judgement.
    pub methods: [&'a str; 2],
    /// With the first method as A.
    pub there: &'a Rated,
    /// With the second method as A; `None` where that order was not judged.
    pub back: Option<&'a Rated>,
    /// Both together; the one that there is, where one is missing.
    pub decision: Decision,
}

impl JudgedPair<'_> {
    /// Whether the orders name different winners; `None` where one is missing.
    #[must_use]
    pub fn is_flip(&self) -> Option<bool> {
        let back = self.back?;
        Some(is_flip(self.there.decision.winner, back.decision.winner))
    }
}

/// All pairs of a run.
#[must_use]
pub fn judged_pairs(run: &Run) -> Vec<JudgedPair<'_>> {
    let mut rows: BTreeMap<(&str, &str, &str, &str), &Rated> = BTreeMap::new();
    for row in run.judged() {
        if let (Ask::Rubric { first, second }, Outcome::Ratings(rated)) = (&row.task.ask, &row.outcome) {
            rows.insert((&row.task.judge, &row.task.item, first, second), rated);
        }
    }
    let order = methods(run);
    let place = |method: &str| order.iter().position(|known| known == method);
    let weights = &run.header.settings.weights;
    let mut pairs = Vec::new();
    for (&(judge, item, first, second), there) in &rows {
        let back = rows.get(&(judge, item, second, first)).copied();
        if back.is_some() && place(first) > place(second) {
            continue;
        }
        let decision = back.map_or(there.decision, |back| {
            decide_both(&there.decision, &back.decision, weights)
        });
        pairs.push(JudgedPair {
            judge,
            item,
            methods: [first, second],
            there,
            back,
            decision,
        });
    }
    pairs
}

/// A judge's comparisons.
fn of<'p, 'a>(pairs: &'p [JudgedPair<'a>], judge: &str) -> Vec<&'p JudgedPair<'a>> {
    pairs.iter().filter(|pair| pair.judge == judge).collect()
}

/// For each judge: in the row's method against the column's, the share of wins, with a tie as half.
#[must_use]
pub fn win_matrix(run: &Run) -> Vec<Table> {
    let (methods, pairs) = (methods(run), judged_pairs(run));
    run.header
        .judges
        .iter()
        .map(|judge| {
            let own = of(&pairs, &judge.name);
            let wins = matrix(&methods, own.iter().map(|pair| (*pair, 1.0)));
            let mut table = Table {
                caption: format!("Wins by {}: the row's method against the column's", judge.name),
                head: ["Method".to_owned()].into_iter().chain(methods.iter().cloned()).collect(),
                ..Table::default()
            };
            for (row, method) in methods.iter().enumerate() {
                let mut cells = vec![Cell::Text(method.clone())];
                for column in 0..methods.len() {
                    let (won, lost) = (wins.wins(row, column), wins.wins(column, row));
                    cells.push(Cell::number((won + lost > 0.0).then(|| won / (won + lost)), 2));
                }
                table.rows.push(cells);
            }
            let flips: Vec<bool> = own.iter().filter_map(|pair| pair.is_flip()).collect();
            let flipped = flips.iter().filter(|flip| **flip).count();
            table.notes.push(format!(
                "{} comparisons; a tie counts half for each. The two orders named different winners in {flipped} of {}{}: that \
                 is a tie.",
                own.len(),
                flips.len(),
                if flips.is_empty() {
                    String::new()
                } else {
                    format!(" ({:.2})", flipped as f64 / flips.len() as f64)
                }
            ));
            let bad: Vec<_> = own.iter().filter(|pair| pair.decision.neither_is_good).collect();
            let checked = bad.iter().filter(|pair| pair.there.disqualified == [true, true]).count();
            if !bad.is_empty() {
                table.notes.push(format!(
                    "Neither is good in {} of the comparisons: both have a faithfulness of 1, in {checked} because the claim check \
                     disqualifies both.",
                    bad.len()
                ));
            }
            table
        })
        .collect()
}

fn matrix<'p>(methods: &[String], pairs: impl Iterator<Item = (&'p JudgedPair<'p>, f64)>) -> WinMatrix {
    let mut wins = WinMatrix::new(methods.len());
    for (pair, weight) in pairs {
        let place = |method: &str| methods.iter().position(|known| known == method);
        let (Some(a), Some(b)) = (place(pair.methods[0]), place(pair.methods[1])) else {
            continue;
        };
        match pair.decision.winner {
            Winner::A => wins.add_win(a, b, weight),
            Winner::B => wins.add_win(b, a, weight),
            Winner::Tie => wins.add_tie(a, b, weight),
        }
    }
    wins
}

/// How strong a judge's comparisons make the methods.
#[derive(Debug, Clone, PartialEq)]
pub struct Strengths {
    /// The judge's name, as the run has it.
    pub judge: String,
    /// Comparisons that the strengths are fitted to.
    pub comparisons: usize,
    /// What was added to the comparisons, so that strengths are finite.
    pub prior: Prior,
    /// For each method of the run its strength in Elo points, the mean 0, with its bootstrap interval over items; or why
    /// there are none.
    pub elo: Result<Vec<(f64, Option<Interval>)>, Undefined>,
}

/// The Bradley-Terry strengths by each judge.
#[must_use]
pub async fn strengths(run: &Run, pace: &impl Pace) -> Vec<Strengths> {
    let (methods, pairs) = (methods(run), judged_pairs(run));
    let mut all = Vec::new();
    for judge in &run.header.judges {
        let own = of(&pairs, &judge.name);
        let wins = matrix(&methods, own.iter().map(|pair| (*pair, 1.0)));
        // Where a method won or lost everything no finite strengths fit best; then half a win each way is added, and said.
        let (found, prior) = match wins.strengths(Prior::None) {
            Ok(found) => (Ok(found), Prior::None),
            Err(_) => (wins.strengths(Prior::HALF_A_WIN), Prior::HALF_A_WIN),
        };
        let elo = match found {
            Ok(found) => {
                let intervals = intervals(run, &methods, &own, prior, pace).await;
                Ok(found.elo().into_iter().zip(intervals).collect())
            }
            Err(why) => Err(why),
        };
        all.push(Strengths {
            judge: judge.name.clone(),
            comparisons: own.len(),
            prior,
            elo,
        });
    }
    all
}

/// For each judge: strengths and mean ratings of the methods.
#[must_use]
pub fn ratings(run: &Run, strengths: &[Strengths]) -> Vec<Table> {
    let (methods, pairs) = (methods(run), judged_pairs(run));
    let mut tables = Vec::new();
    for found in strengths {
        let own = of(&pairs, &found.judge);
        let mut table = Table {
            caption: format!("The pairwise rubric by {}", found.judge),
            head: ["Method", "Strength", "low", "high"]
                .map(str::to_owned)
                .into_iter()
                .chain(Quality::ALL.iter().map(|quality| quality.label().to_owned()))
                .chain(["Total".to_owned(), "Comparisons".to_owned()])
                .collect(),
            ..Table::default()
        };
        for (place, method) in methods.iter().enumerate() {
            let strength = found.elo.as_ref().ok().and_then(|elo| elo.get(place).copied());
            let interval = strength.and_then(|(_, interval)| interval);
            let ratings: Vec<[f64; 6]> = own
                .iter()
                .filter_map(|pair| match pair.methods {
                    [first, _] if first == method => Some(pair.decision.a),
                    [_, second] if second == method => Some(pair.decision.b),
                    _ => None,
                })
                .collect();
            let mean = |of: &dyn Fn(&[f64; 6]) -> f64| {
                (!ratings.is_empty()).then(|| ratings.iter().map(of).sum::<f64>() / ratings.len() as f64)
            };
            let mut row = vec![
                Cell::Text(method.clone()),
                Cell::number(strength.map(|(elo, _)| elo), 0),
                Cell::number(interval.map(|interval| interval.low), 0),
                Cell::number(interval.map(|interval| interval.high), 0),
            ];
            for quality in 0..Quality::ALL.len() {
                row.push(Cell::number(mean(&|ratings| ratings[quality]), 2));
            }
            row.push(Cell::number(
                mean(&|ratings| run.header.settings.weights.total(ratings)),
                2,
            ));
            row.push(Cell::Count(ratings.len()));
            table.rows.push(row);
        }
        for column in [1, 4, 5, 6, 7, 8, 9, 10] {
            table.mark_column(column, Better::Higher);
        }
        table.notes.push(match &found.elo {
            Ok(_) => format!(
                "Strength: Bradley-Terry, {}; 400 points are odds of ten to one, the mean is 0. Intervals of level {LEVEL}: \
                 bootstrap over items, seed {SEED}.",
                found.prior.words()
            ),
            Err(why) => format!("There are no strengths: {why}."),
        });
        let weights = &run.header.settings.weights;
        if !weights.is_plain() {
            let words: Vec<String> = weights.0.iter().map(f64::to_string).collect();
            table.notes.push(format!("Totals are weighted: {}.", words.join(", ")));
        }
        table
            .notes
            .push("Ratings are means of both orders, faithfulness after the hard rule.".to_owned());
        tables.push(table);
    }
    tables
}

async fn intervals(
    run: &Run,
    methods: &[String],
    own: &[&JudgedPair<'_>],
    prior: Prior,
    pace: &impl Pace,
) -> Vec<Option<Interval>> {
    let items: Vec<&str> = run.items.iter().map(|item| item.id.as_str()).collect();
    let places: Vec<usize> = own
        .iter()
        .map(|pair| items.iter().position(|item| *item == pair.item).unwrap_or(0))
        .collect();
    let mut intervals = Vec::with_capacity(methods.len());
    for method in 0..methods.len() {
        let figure = |drawn: &[u32]| {
            let weighted = own
                .iter()
                .zip(&places)
                .map(|(pair, place)| (*pair, f64::from(drawn[*place])));
            let found = matrix(methods, weighted).strengths(prior).ok()?;
            Some(found.elo()[method])
        };
        intervals.push(percentile_interval(items.len(), SEED, LEVEL, figure, pace).await.ok());
    }
    intervals
}

#[cfg(test)]
mod tests {
    use super::super::{
        disagreements::order,
        tests::{items, played},
    };
    use super::*;
    use crate::{
        judge::judges::Settings,
        pace::{AtOnce, at_once},
    };

    /// A line that rates every quality so.
    fn line(a: u8, b: u8) -> String {
        let ratings = |rating: u8| format!("{0},{0},{0},{0},{0},{0},{1}", rating, 6 * u32::from(rating));
        // The judge's own winner counts for nothing.
        format!("WINNER,B,A,{},B,{}", ratings(a), ratings(b))
    }

    /// Three methods on two moves, with a win, a flip, a tie and an order that cannot be read.
    fn run() -> Run {
        let settings = Settings {
            criteria: Vec::new(),
            ..Settings::default()
        };
        played(items(&["one", "two"], &["a", "b", "c"]), &["j"], &settings, |task| {
            let Ask::Rubric { first, second } = &task.ask else {
                panic!("pairs alone are asked for")
            };
            match (task.item.as_str(), first.as_str(), second.as_str()) {
                (_, "a", "b") => line(4, 3),
                (_, "b", "a") => line(3, 4),
                // Whoever comes first.
                ("one", "a", "c") | ("one", "c", "a") => line(5, 2),
                ("one", ..) => line(3, 3),
                ("two", "a", "c") => line(2, 3),
                ("two", "c", "a") => line(3, 2),
                ("two", "b", "c") => line(4, 2),
                _ => "I cannot say.".to_owned(),
            }
        })
    }

    fn shown(table: &Table) -> Vec<Vec<String>> {
        let row = |row: &Vec<Cell>| row.iter().map(Cell::shown).collect();
        table.rows.iter().map(row).collect()
    }

    #[test]
    fn wins_are_shares_with_ties_and_flips_as_half() {
        let run = run();
        assert_eq!(judged_pairs(&run).len(), 6);
        let tables = win_matrix(&run);
        assert_eq!(tables.len(), 1);
        assert_eq!(tables[0].head, ["Method", "a", "b", "c"]);
        assert_eq!(
            shown(&tables[0]),
            [
                ["a", "–", "1.00", "0.25"],
                ["b", "0.00", "–", "0.75"],
                ["c", "0.75", "0.25", "–"]
            ]
        );
        // Of the pair of which one order cannot be read the other counts, and nobody knows whether it flips.
        let notes = tables[0].notes.join(" ");
        assert!(notes.starts_with("6 comparisons;"), "{notes}");
        assert!(notes.contains("different winners in 1 of 5 (0.20)"), "{notes}");
    }

    #[test]
    fn the_order_is_counted_over_single_judgements() {
        // 11 of them: A wins 6, B 3, and 2 are ties.
        assert_eq!(shown(&order(&run())), [["j", "0.55", "0.27", "0.18", "0.20", "5"]]);
    }

    #[test]
    fn the_best_strength_and_rating_are_marked() {
        let run = run();
        let strengths = at_once(strengths(&run, &AtOnce));
        let table = &ratings(&run, &strengths)[0];
        let faithfulness = 4;
        let (best, second) = (table.rows[0][faithfulness].mark(), table.rows[2][faithfulness].mark());
        assert_eq!(table.head[faithfulness], "Faithfulness");
        // a: 4, 3.5, 4, 2; b: 3, 3, 3, 4; c: 3.5, 3, 3, 2, in the order of the pairs.
        let means: Vec<String> = table.rows.iter().map(|row| row[faithfulness].shown()).collect();
        assert_eq!(means, ["3.38", "3.25", "2.88"]);
        assert_eq!((best, second), (Some(crate::survey::analysis::table::Mark::Best), None));
        assert!(
            table.to_markdown().contains("<ins>3.25</ins>"),
            "{}",
            table.to_markdown()
        );
        assert!(table.to_latex().contains("\\textbf{3.38}"), "{}", table.to_latex());
        // Elo points have the mean 0.
        let sum: f64 = strengths[0].elo.as_ref().unwrap().iter().map(|(elo, _)| elo).sum();
        assert!(sum.abs() < 1e-6, "{sum}");
        assert_eq!(strengths[0].comparisons, 6);
    }
}

//! Where judges differ: from one another, and from the claim check; worst first, to be read with the board.

use super::{means::scores, methods, pairs::judged_pairs};
use crate::{
    judge::{gcc_eval::Criterion, rubric::Winner, run_file::Run},
    stats::correlation::{kendall, pearson},
    survey::analysis::table::{Cell, Table},
};

/// At most so many disagreements are listed.
pub const MOST_DISAGREEMENTS: usize = 50;
/// The level of correlations' intervals.
const LEVEL: f64 = 0.95;

/// Every two judges: how their scores go together, and how often they name the same winner.
#[must_use]
pub fn between_judges(run: &Run) -> Table {
    let scores = scores(run);
    let pairs = judged_pairs(run);
    let mut table = Table {
        caption: "Judge against judge".to_owned(),
        head: [
            "Judges",
            "What",
            "Pearson",
            "Kendall",
            "Mean difference",
            "Same winner",
            "Judgements",
        ]
        .map(str::to_owned)
        .into(),
        ..Table::default()
    };
    let judges = &run.header.judges;
    for (place, one) in judges.iter().enumerate() {
        for other in &judges[place + 1..] {
            let names = format!("{}, {}", one.name, other.name);
            for criterion in &run.header.settings.criteria {
                let mut values = (Vec::new(), Vec::new());
                for ((judge, item, method, of), score) in &scores {
                    let theirs = scores.get(&(other.name.as_str(), *item, *method, *of));
                    if let Some(theirs) = theirs.filter(|_| *judge == one.name && of == criterion) {
                        values.0.push(score.score);
                        values.1.push(theirs.score);
                    }
                }
                let n = values.0.len();
                let difference = values.0.iter().zip(&values.1).map(|(a, b)| a - b).sum::<f64>() / n.max(1) as f64;
                table.rows.push(vec![
                    Cell::Text(names.clone()),
                    Cell::Text(criterion.label().to_owned()),
                    Cell::number(pearson(&values.0, &values.1, LEVEL).ok().map(|r| r.value), 2),
                    Cell::number(kendall(&values.0, &values.1, LEVEL).ok().map(|tau| tau.value), 2),
                    Cell::number((n > 0).then_some(difference), 2),
                    Cell::None,
                    Cell::Count(n),
                ]);
            }
            let both: Vec<bool> = pairs
                .iter()
                .filter(|pair| pair.judge == one.name)
                .filter_map(|pair| {
                    let theirs = pairs.iter().find(|theirs| {
                        theirs.judge == other.name && theirs.item == pair.item && theirs.methods == pair.methods
                    })?;
                    Some(theirs.decision.winner == pair.decision.winner)
                })
                .collect();
            if !both.is_empty() {
                let same = both.iter().filter(|same| **same).count() as f64 / both.len() as f64;
                table.rows.push(vec![
                    Cell::Text(names),
                    Cell::Text("Pairwise rubric".to_owned()),
                    Cell::None,
                    Cell::None,
                    Cell::None,
                    Cell::Number(same, 2),
                    Cell::Count(both.len()),
                ]);
            }
        }
    }
    table
        .notes
        .push("The mean difference is that of the scores from 1 to 5, the first judge's less the second's.".to_owned());
    table
}

/// A comment on which a judge and the claim check differ.
#[derive(Debug, Clone, PartialEq)]
pub struct Disagreement {
    /// The judge's name, as the run has it.
    pub judge: String,
    /// The item's id, as the run has it.
    pub item: String,
    /// The comment's method.
    pub method: String,
    /// What the judge says.
    pub judged: String,
    /// What the claim check says.
    pub checked: String,
    /// How bad it is: larger is worse.
    pub weight: f64,
}

/// Comments that the claim check contradicts and a judge scores high, and pairs on whose hard rule they differ; worst first.
///
/// The weight of a score is its share of the scale times the share of checkable claims that are wrong; that of the hard
/// rule, the judge's faithfulness above 1 as a share of the scale, or 1 where the judge disqualifies what the check does not.
#[must_use]
pub fn against_claims(run: &Run) -> Vec<Disagreement> {
    let mut found = Vec::new();
    for ((judge, item, method, criterion), score) in &scores(run) {
        // Fluency sees no board, and clarity asks for no truth.
        if !matches!(criterion, Criterion::Relevance | Criterion::Completeness) {
            continue;
        }
        let Some(comment) = run.item(item).and_then(|item| item.comment(method)) else {
            continue;
        };
        let checkable = comment.tally.supported + comment.tally.contradicted;
        if comment.wrong.is_empty() || score.share < 0.5 {
            continue;
        }
        found.push(Disagreement {
            judge: (*judge).to_owned(),
            item: (*item).to_owned(),
            method: (*method).to_owned(),
            judged: format!("{} {:.2} of 5", criterion.label(), score.score),
            checked: reasons(comment),
            weight: score.share * comment.wrong.len() as f64 / checkable.max(1) as f64,
        });
    }
    for pair in judged_pairs(run) {
        for (rated, names) in [
            (Some(pair.there), pair.methods),
            (pair.back, [pair.methods[1], pair.methods[0]]),
        ] {
            let Some(rated) = rated else { continue };
            for (side, ratings) in [&rated.line.a, &rated.line.b].into_iter().enumerate() {
                if !rated.disagrees()[side] {
                    continue;
                }
                let comment = run.item(pair.item).and_then(|item| item.comment(names[side]));
                let faithfulness = f64::from(ratings[0]);
                found.push(Disagreement {
                    judge: pair.judge.to_owned(),
                    item: pair.item.to_owned(),
                    method: names[side].to_owned(),
                    judged: format!(
                        "Faithfulness {faithfulness} as {} against {}",
                        ["A", "B"][side],
                        names[1 - side]
                    ),
                    checked: comment
                        .filter(|_| rated.disqualified[side])
                        .map_or_else(|| "nothing that disqualifies".to_owned(), reasons),
                    weight: if rated.disqualified[side] {
                        (faithfulness - 1.0) / 4.0
                    } else {
                        1.0
                    },
                });
            }
        }
    }
    found.sort_by(|a, b| {
        let by_name = |one: &Disagreement| {
            (
                one.item.clone(),
                one.method.clone(),
                one.judge.clone(),
                one.judged.clone(),
            )
        };
        b.weight.total_cmp(&a.weight).then_with(|| by_name(a).cmp(&by_name(b)))
    });
    found
}

fn reasons(comment: &crate::judge::item::JudgedComment) -> String {
    let all: Vec<String> = comment
        .wrong
        .iter()
        .map(|claim| format!("“{}”: {}", claim.text, claim.reason))
        .collect();
    all.join(" ")
}

/// The worst of them, all that [`against_claims`] found, as a table.
#[must_use]
pub fn table(run: &Run, all: &[Disagreement]) -> Table {
    let mut table = Table {
        caption: "Judge against claim check, worst first".to_owned(),
        head: [
            "Item", "Position", "Move", "Method", "Judge", "Judged", "Checked", "Comment",
        ]
        .map(str::to_owned)
        .into(),
        ..Table::default()
    };
    for one in all.iter().take(MOST_DISAGREEMENTS) {
        let Some(item) = run.item(&one.item) else { continue };
        let comment = item.comment(&one.method).map_or("", |comment| comment.text.as_str());
        table.rows.push(
            [
                &one.item,
                &item.fen,
                &item.numbered,
                &one.method,
                &one.judge,
                &one.judged,
                &one.checked,
                comment,
            ]
            .map(Cell::from)
            .into(),
        );
    }
    table.notes.push(format!(
        "{} disagreements; at most {MOST_DISAGREEMENTS} are listed.",
        all.len()
    ));
    table
}

/// For each judge and method: how often the orders agree on the winner, and whether A is favoured.
#[must_use]
pub fn order(run: &Run) -> Table {
    let pairs = judged_pairs(run);
    let mut table = Table {
        caption: "Does the order decide?".to_owned(),
        head: ["Judge", "A wins", "B wins", "Ties", "Flips", "Pairs in both orders"]
            .map(str::to_owned)
            .into(),
        ..Table::default()
    };
    for judge in &run.header.judges {
        let own: Vec<_> = pairs.iter().filter(|pair| pair.judge == judge.name).collect();
        let winners: Vec<Winner> = own
            .iter()
            .flat_map(|pair| [Some(pair.there), pair.back])
            .flatten()
            .map(|rated| rated.decision.winner)
            .collect();
        let share = |winner: Winner| {
            let count = winners.iter().filter(|own| **own == winner).count();
            Cell::number((!winners.is_empty()).then(|| count as f64 / winners.len() as f64), 2)
        };
        let flips: Vec<bool> = own.iter().filter_map(|pair| pair.is_flip()).collect();
        let flipped = flips.iter().filter(|flip| **flip).count() as f64 / flips.len().max(1) as f64;
        table.rows.push(vec![
            Cell::Text(judge.name.clone()),
            share(Winner::A),
            share(Winner::B),
            share(Winner::Tie),
            Cell::number((!flips.is_empty()).then_some(flipped), 2),
            Cell::Count(flips.len()),
        ]);
    }
    table
}

/// For each judge and method: how often the hard rule applies to its comments by the judge, and how often by the claim check.
/// A comment counts once in every judgement of a pair that it is in.
#[must_use]
pub fn hard_rule(run: &Run) -> Table {
    let pairs = judged_pairs(run);
    let mut table = Table {
        caption: "The hard rule: disqualified by the judge, by the claim check".to_owned(),
        head: [
            "Judge",
            "Method",
            "By both",
            "By the judge alone",
            "By the check alone",
            "By neither",
            "Judgements",
        ]
        .map(str::to_owned)
        .into(),
        ..Table::default()
    };
    let methods = methods(run);
    for judge in &run.header.judges {
        for method in &methods {
            let mut counts = [0_usize; 4];
            for pair in pairs.iter().filter(|pair| pair.judge == judge.name) {
                let orders = [
                    (Some(pair.there), pair.methods),
                    (pair.back, [pair.methods[1], pair.methods[0]]),
                ];
                for (rated, names) in orders.into_iter().filter_map(|(rated, names)| Some((rated?, names))) {
                    for (side, line) in [&rated.line.a, &rated.line.b].into_iter().enumerate() {
                        if names[side] == method {
                            let place = match (line[0] == 1, rated.disqualified[side]) {
                                (true, true) => 0,
                                (true, false) => 1,
                                (false, true) => 2,
                                (false, false) => 3,
                            };
                            counts[place] += 1;
                        }
                    }
                }
            }
            let mut row = vec![Cell::Text(judge.name.clone()), Cell::Text(method.clone())];
            row.extend(counts.map(Cell::Count));
            row.push(Cell::Count(counts.iter().sum()));
            table.rows.push(row);
        }
    }
    table.notes.push(
        "A judge disqualifies with a faithfulness of 1. What either disqualifies and the other does not is in the list of \
         disagreements."
            .to_owned(),
    );
    table
}

/// The number of methods: tables of pairs need two.
#[must_use]
pub fn has_pairs(run: &Run) -> bool {
    run.header.settings.pairs.is_some() && methods(run).len() > 1
}

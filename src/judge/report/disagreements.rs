//! Where judges differ: from one another, and from the claim check; worst first, to be read with the board.

use super::{claims_by, means::scores, methods, pairs::judged_pairs};
use crate::{
    judge::{gcc_eval::Criterion, item::JudgedComment, rubric::Winner, run_file::Run},
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
                    checked: match comment {
                        Some(comment) if rated.disqualified[side] => reasons(comment),
                        comment => format!(
                            "nothing that disqualifies{}",
                            comment.map_or_else(String::new, undecided)
                        ),
                    },
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

/// What nothing decides, to be read after what is said of the rest.
fn undecided(comment: &JudgedComment) -> String {
    let all: Vec<String> = comment
        .undecided
        .iter()
        .map(|claim| format!("“{}” ({})", claim.text, claim.kind))
        .collect();
    match all.is_empty() {
        true => String::new(),
        false => format!("; not decided: {}", all.join(" ")),
    }
}

fn reasons(comment: &JudgedComment) -> String {
    let unsupported = comment
        .unsupported
        .iter()
        .map(|claim| format!("“{}”: without support ({}).", claim.text, claim.features));
    let all: Vec<String> = comment
        .wrong
        .iter()
        .map(|claim| format!("“{}”: {}", claim.text, claim.reason))
        .chain(unsupported)
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
    table.notes.push(claims_by(run));
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
            "Not decided",
            "Judgements",
        ]
        .map(str::to_owned)
        .into(),
        ..Table::default()
    };
    let methods = methods(run);
    for judge in &run.header.judges {
        for method in &methods {
            let (mut counts, mut undecided) = ([0_usize; 4], 0);
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
                            let comment = run.item(pair.item).and_then(|item| item.comment(method));
                            let is_open = comment.is_some_and(|comment| !comment.undecided.is_empty());
                            undecided += usize::from(is_open && !rated.disqualified[side]);
                        }
                    }
                }
            }
            let mut row = vec![Cell::Text(judge.name.clone()), Cell::Text(method.clone())];
            row.extend(counts.map(Cell::Count));
            row.push(Cell::Count(undecided));
            row.push(Cell::Count(counts.iter().sum()));
            table.rows.push(row);
        }
    }
    table.notes.push(
        "A judge disqualifies with a faithfulness of 1. What either disqualifies and the other does not is in the list of \
         disagreements. Not decided: judgements of comments that the check does not disqualify, though they make a claim of which \
         the rule speaks, or call something forced, that neither board nor engine decides; they are counted in the columns before \
         too. Such a claim has no support, and is not disproved: the check lets it pass. A declared claim that the features say is \
         not so has none either, and disqualifies."
            .to_owned(),
    );
    table.notes.push(claims_by(run));
    table
}

/// The number of methods: tables of pairs need two.
#[must_use]
pub fn has_pairs(run: &Run) -> bool {
    run.header.settings.pairs.is_some() && methods(run).len() > 1
}

#[cfg(test)]
mod tests {
    use super::super::tests::played;
    use super::*;
    use crate::judge::{
        item::{UndecidedClaim, tests::item},
        judges::Settings,
    };

    /// A right comment with a claim that nothing decides against one that is wrong; every judgement is the same line.
    fn run(line: &str) -> Run {
        let settings = Settings {
            criteria: Vec::new(),
            ..Settings::default()
        };
        let mut item = item();
        item.comments[0].undecided.push(UndecidedClaim {
            text: "It wins a pawn.".to_owned(),
            kind: "material".to_owned(),
        });
        played(vec![item], &["j"], &settings, |_| line.to_owned())
    }

    #[test]
    fn who_disqualifies_is_counted_and_what_nothing_decides_apart() {
        // Whoever is A is no good, whoever is B is perfect.
        let run = run("WINNER,B,A,1,4,4,4,4,4,21,B,5,5,5,5,5,5,30");
        let table = hard_rule(&run);
        let counts = |row: usize| -> Vec<String> { table.rows[row].iter().map(Cell::shown).collect() };
        // By both, by the judge, by the check, by neither; not decided; all.
        assert_eq!(counts(0), ["j", "ours", "0", "1", "0", "1", "2", "2"]);
        assert_eq!(counts(1), ["j", "theirs", "1", "0", "1", "0", "0", "2"]);
        let found = against_claims(&run);
        let said: Vec<(&str, &str, f64)> = found
            .iter()
            .map(|one| (one.method.as_str(), one.judged.as_str(), one.weight))
            .collect();
        assert_eq!(
            said,
            [
                ("ours", "Faithfulness 1 as A against theirs", 1.0),
                ("theirs", "Faithfulness 5 as B against ours", 1.0)
            ]
        );
        assert_eq!(
            found[0].checked,
            "nothing that disqualifies; not decided: “It wins a pawn.” (material)"
        );
        assert!(found[1].checked.starts_with("“"), "{}", found[1].checked);
    }

    #[test]
    fn a_judge_that_believes_neither_says_that_neither_is_good() {
        let notes = |line: &str| super::super::pairs::win_matrix(&run(line))[0].notes.join(" ");
        let both = notes("WINNER,A,A,1,4,4,4,4,4,21,B,1,4,4,4,4,4,21");
        assert!(both.contains("Neither is good in 1 of the comparisons"), "{both}");
        assert!(both.contains("in 0 because the claim check"), "{both}");
        let one = notes("WINNER,A,A,1,4,4,4,4,4,21,B,3,4,4,4,4,4,23");
        assert!(!one.contains("Neither is good"), "{one}");
    }

    #[test]
    fn the_worst_disagreement_comes_first() {
        // As A it is believed a little, as B wholly.
        let run = run("WINNER,B,A,2,4,4,4,4,4,22,B,5,5,5,5,5,5,30");
        let weights: Vec<f64> = against_claims(&run).iter().map(|one| one.weight).collect();
        assert_eq!(weights, [1.0, 0.25]);
    }
}

//! The tables of runs, the paper's figures among them.
//!
//! | file | what is there |
//! |---|---|
//! | [`mod@answers`] | players with their answers, graded |
//! | [`listed`] | every answer of a run by its place, to be looked at |
//! | [`paper`] | the figures of the paper's tables |
//! | [`accuracy`] | tables 4 and 5: exact and legal moves, R-precision |
//! | [`models`] | tables 3, 6 and 9: models that were trained in several ways |
//! | [`mistakes`] | tables 7, 13 and 14, figure 8: what is wrong with answers |
//! | [`pairs`] | players held against each other, and the Other tasks against the Actual ones |

use std::collections::BTreeMap;

use answers::{Answers, ReportError, answers};

use super::{
    probe::ProbeTask,
    probe_stats::{baseline_table, prefixes_table, types_table},
    run_file::BlindRun,
    scores::Scores,
};
use crate::{
    pace::Pace,
    survey::analysis::table::{Cell, Table},
};

pub mod accuracy;
pub mod answers;
pub mod listed;
pub mod mistakes;
pub mod models;
pub mod pairs;
pub mod paper;

/// A player's figures.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayerScores {
    /// Its name.
    pub player: String,
    /// By task.
    pub scores: BTreeMap<ProbeTask, Scores>,
}

/// What came of runs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BlindReport {
    /// Every table, those of the paper in its order, then the tests.
    pub tables: Vec<Table>,
    /// The figures behind them.
    pub players: Vec<PlayerScores>,
}

/// Every table, as [`report`] makes them.
///
/// # Errors
/// As [`report`].
pub async fn all_tables(runs: &[BlindRun], pace: &impl Pace) -> Result<Vec<Table>, ReportError> {
    Ok(report(runs, &[], pace).await?.tables)
}

/// What came of runs about the same probes. `games` are the tables of the games that the probes were drawn from, where they are
/// at hand: table 10 and figure 4.
///
/// # Errors
/// When the runs are about different probes, or two players have one name.
pub async fn report(runs: &[BlindRun], games: &[Table], pace: &impl Pace) -> Result<BlindReport, ReportError> {
    let answers = answers(runs, pace).await?;
    let probes = runs.first().map_or(&[][..], |run| &run.probes);
    let mut tables = vec![
        players_table(&answers),
        models::perplexity_table(),
        accuracy::start_table(&answers, probes),
        accuracy::end_table(&answers, probes),
        models::attention_table(&answers),
        mistakes::kinds_table(&answers),
        models::sizes_table(&answers),
    ];
    pace.turn().await;
    tables.extend_from_slice(games);
    tables.extend([
        types_table(probes),
        prefixes_table(probes),
        baseline_table(probes),
        mistakes::check_table(&answers),
        mistakes::obstructed_table(&answers),
        mistakes::distances_table(&answers),
        pairs::other_table(&answers, pace).await,
    ]);
    if answers.len() > 1 {
        tables.push(pairs::players_table(&answers, pace).await);
    }
    let players = answers.into_iter().map(|own| PlayerScores {
        player: own.player.to_owned(),
        scores: own.scores,
    });
    Ok(BlindReport {
        tables,
        players: players.collect(),
    })
}

fn players_table(answers: &[Answers]) -> Table {
    let is_scored = answers.iter().any(|own| own.heard.is_some());
    let row = |own: &Answers| {
        let unparsable = own.graded.iter().filter(|graded| graded.grade.unparsable).count();
        let mut cells = vec![
            Cell::from(own.player),
            Cell::from(own.mode.as_str()),
            Cell::Count(own.graded.len()),
            Cell::Count(unparsable),
            Cell::Count(own.failed),
        ];
        cells.extend(is_scored.then(|| Cell::number(own.heard, 3)));
        cells
    };
    let mut head = vec!["Player", "Mode", "Answers", "Naming no square", "Errors"];
    let mut notes = vec![
        "A player that ranks its whole vocabulary has an R-precision; one that is asked names one square. An answer that \
         names none counts as wrong, an error is no answer."
            .to_owned(),
    ];
    if is_scored {
        head.push("Probability heard");
        notes.push(
            "A model that is scored ranks the 64 squares and 6 types by the probabilities of its own next tokens. Heard is how \
             much of the probability lay on them, in the mean of its answers; the server lists no more."
                .to_owned(),
        );
    }
    Table {
        caption: "Players".to_owned(),
        head: head.into_iter().map(str::to_owned).collect(),
        rows: answers.iter().map(row).collect(),
        notes,
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            notation::Notation,
            run_file::{BlindPlayerKind, tests::run},
        },
        *,
    };
    use crate::pace::{AtOnce, at_once};

    fn table<'a>(tables: &'a [Table], caption: &str) -> &'a Table {
        tables.iter().find(|table| table.caption.contains(caption)).unwrap()
    }

    fn row(table: &Table, name: &str) -> Vec<String> {
        let row = table.rows.iter().find(|row| row[0].shown() == name).unwrap();
        row.iter().map(Cell::shown).collect()
    }

    #[test]
    fn every_table_is_there_and_every_row_has_a_cell_for_every_heading() {
        let runs = [run(60)];
        let tables = at_once(all_tables(&runs, &AtOnce)).unwrap();
        for table in &tables {
            assert!(!table.rows.is_empty(), "{}", table.caption);
            for row in &table.rows {
                assert_eq!(row.len(), table.head.len(), "{}", table.caption);
            }
        }
        for what in [
            "table 4", "table 5", "table 7", "table 11", "table 13", "table 14", "figure 5", "figure 8",
        ] {
            table(&tables, what);
        }
        for what in ["table 3", "table 6", "table 9"] {
            let said = table(&tables, what).rows[0][1].shown();
            assert_eq!(said, "not measured in this run", "{what}");
        }
        let end = table(&tables, "table 5");
        let oracle = row(end, "oracle");
        assert_eq!(
            (oracle[2].as_str(), oracle[4].as_str(), oracle[8].as_str()),
            ("100.0", "100.0", "100.0")
        );
        assert_eq!(row(end, "Random legal (paper)")[8], "19.6");
        assert_eq!(row(end, "UCI, Train-L (paper)")[2], "97.7");
    }

    #[test]
    fn a_model_of_the_run_stands_in_the_tables_of_models() {
        let mut run = run(12);
        run.header.players[0].kind = BlindPlayerKind::Model {
            model: "small".to_owned(),
            hash: String::new(),
            notation: Notation::Rap(25),
            kind: "transformer".to_owned(),
            layers: 4,
            heads: 2,
            width: 128,
            window: Some(50),
            games: None,
        };
        let tables = at_once(all_tables(&[run], &AtOnce)).unwrap();
        let attention = row(table(&tables, "table 6"), "uniform");
        assert_eq!(
            (attention[1].as_str(), attention[2].as_str()),
            ("transformer, window 50", "12")
        );
        assert_eq!(
            row(table(&tables, "table 9"), "uniform")[1],
            "4 layers, 2 heads, width 128"
        );
        assert_eq!(attention[3], row(table(&tables, "table 5"), "uniform")[2]);
        assert_eq!(row(table(&tables, "table 6"), "LSTM, Train-S (paper)")[3], "60.2");
    }

    #[test]
    fn kinds_of_errors_sum_to_what_is_not_legal() {
        let runs = [run(60)];
        let answers = at_once(answers(&runs, &AtOnce)).unwrap();
        let kinds = mistakes::kinds_table(&answers);
        let mut rows = 0;
        for row in kinds.rows.iter().filter(|row| !row[0].shown().contains("(paper)")) {
            let count = |column: usize| match row[column] {
                Cell::Count(count) => count,
                _ => 0,
            };
            assert_eq!((3..7).map(count).sum::<usize>(), count(7));
            rows += 1;
        }
        assert_eq!(rows, 6, "three players, two tasks");
        let own = answers.iter().find(|own| own.player == "uniform").unwrap();
        let wrong = own
            .grades(ProbeTask::EndActual)
            .iter()
            .filter(|grade| !grade.legal)
            .count();
        assert_eq!(kinds.rows[0][7], Cell::Count(wrong));
    }

    #[test]
    fn what_does_not_belong_together_is_refused() {
        let (one, mut other) = (run(8), run(8));
        let refused = |runs: &[BlindRun]| at_once(answers(runs, &AtOnce)).unwrap_err();
        assert_eq!(refused(&[]), ReportError::NoRun);
        let twice = [one.clone(), one.clone()];
        assert_eq!(refused(&twice), ReportError::Twice("uniform".to_owned()));
        other.probes.pop();
        assert_eq!(refused(&[one, other]), ReportError::Probes);
    }
}

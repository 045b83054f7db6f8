//! The tables of runs and their grades.
//!
//! | file | what is there |
//! |---|---|
//! | [`material`] | answers with their grades, by contestant |
//! | [`answers`] | every answer by itself, the worst first |
//! | [`scores`] | scores, losses, classes, faults, time and tokens |
//! | [`groups`] | the same by level, part, stage, opening, motif and theme |
//! | [`solved`] | Table 7, puzzles by rating and theme, points by theme |
//! | [`pairs`] | two contestants on the same positions |
//! | [`baseline`] | answers beside the games' own moves |
//! | [`approved`] | grades against moves that people vouch for |
//! | [`games`] | the plan's table: losses by game and colour; levels against losses |
//! | [`calibration`] | a rating by the loss of players whose rating is known |
//! | [`graders`] | one engine's grades against another's |
//! | [`resampling`] | level and seed of the intervals |
//! | [`reasons`] | what the claim check says of reasons |

pub mod answers;
pub mod approved;
pub mod baseline;
pub mod calibration;
pub mod games;
pub mod graders;
pub mod groups;
#[cfg(test)]
mod known_strength;
pub mod material;
pub mod pairs;
pub mod reasons;
pub mod resampling;
pub mod scores;
pub mod solved;
#[cfg(test)]
mod worked_by_hand;

use super::{grade_file::Grades, run_file::Run};
use crate::{pace::Pace, survey::analysis::table::Table};

/// What runs come to: the tables, and the figures that charts are drawn from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Report {
    /// Scores by contestant.
    pub scores: Vec<scores::Score>,
    /// Classes of answers by contestant; empty without grades.
    pub distributions: Vec<scores::Distribution>,
    /// Figures by the level of the games; empty without grades, and with one level.
    pub levels: Vec<groups::GroupFigure>,
    /// Puzzles solved by bands of rating.
    pub bands: Vec<solved::Share>,
    /// Every table that there is something for.
    pub tables: Vec<Table>,
}

/// All tables that these runs and grades have something for.
pub async fn all_tables(runs: &[Run], grades: &[Grades], pace: &impl Pace) -> Vec<Table> {
    report(runs, grades, pace).await.tables
}

/// The report of these runs and grades. The first grades are the scores'; the second are held against them.
pub async fn report(runs: &[Run], grades: &[Grades], pace: &impl Pace) -> Report {
    let data = material::Material::new(runs, grades.first());
    let graded = data.grader.is_some();
    let mut report = Report {
        scores: scores::figures(&data, pace).await,
        bands: solved::by_rating(&data),
        ..Report::default()
    };
    let mut tables = vec![scores::table(&data, &report.scores)];
    if graded {
        report.distributions = scores::distributions(&data);
        tables.push(scores::losses(&data, pace).await);
        tables.push(scores::classes(&report.distributions));
    }
    tables.push(scores::faults(&data));
    tables.extend(solved::table_7(&data));
    tables.extend(solved::solved(&data));
    tables.extend(solved::table("Puzzles by rating", "Rating", &report.bands));
    tables.extend(solved::table("Solved by theme", "Theme", &solved::by_theme(&data)));
    pace.turn().await;
    tables.extend(solved::puzzle_ratings(&data, pace).await);
    tables.extend(solved::points(&data, pace).await);
    if graded {
        tables.extend(approved::approved(&data));
        tables.extend(approved::points_and_losses(&data));
        tables.extend(baseline::table(&data, pace).await);
        tables.extend(games::by_game(&data));
        tables.extend(games::levels(&data, pace).await);
        for by in groups::By::ALL {
            let (figures, small) = groups::figures(&data, by, pace).await;
            tables.extend(groups::table_of(by, &figures, small));
            if by == groups::By::Level {
                report.levels = figures;
            }
        }
        tables.extend(groups::parts_alike(&data));
        tables.extend(groups::sensitivity(&data));
        tables.extend(calibration::table(&data, pace).await);
    }
    tables.extend(pairs::table(&data, pace).await);
    for two in grades.windows(2) {
        tables.extend(graders::agreement(&two[0], &two[1]));
    }
    if let Some(first) = grades.first() {
        tables.extend(reasons::table(&data, first));
    }
    tables.push(scores::effort(&data));
    report.tables = tables;
    report
}

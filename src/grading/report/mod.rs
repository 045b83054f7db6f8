//! The tables of runs and their grades.
//!
//! | file | what is there |
//! |---|---|
//! | [`material`] | answers with their grades, by contestant |
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

/// All tables that these runs and grades have something for. The first grades are the scores'; the second are held against
/// them.
pub async fn all_tables(runs: &[Run], grades: &[Grades], pace: &impl Pace) -> Vec<Table> {
    let data = material::Material::new(runs, grades.first());
    let graded = data.grader.is_some();
    let mut tables = vec![scores::scores(&data, pace).await];
    if graded {
        tables.push(scores::losses(&data, pace).await);
        tables.push(scores::classes(&data));
    }
    tables.push(scores::faults(&data));
    tables.extend(solved::table_7(&data));
    tables.extend(solved::solved(&data));
    tables.extend(solved::puzzles(&data));
    tables.extend(solved::puzzle_ratings(&data, pace).await);
    tables.extend(solved::points(&data, pace).await);
    if graded {
        tables.extend(approved::approved(&data));
        tables.extend(approved::points_and_losses(&data));
        tables.extend(baseline::table(&data, pace).await);
        tables.extend(games::by_game(&data));
        tables.extend(games::levels(&data, pace).await);
        for by in groups::By::ALL {
            tables.extend(groups::table(&data, by, pace).await);
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
    tables
}

//! Scores by what is known of positions: level, part and stage of the game, opening, motif, theme.

use std::collections::BTreeMap;

use super::{
    material::{Contestant, Estimate, Material, Scored, mean, with_interval},
    resampling::LEVEL,
};
use crate::{
    grading::suite::position::TestPosition,
    pace::Pace,
    stats::slope::slope,
    survey::analysis::table::{Cell, Table, p_value},
};

/// Fewer answers than this are no row of a group.
const FEWEST: usize = 3;

/// By what positions are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The level of the game's players.
    Level,
    /// The rating of the player to move or of the puzzle, in bands.
    Rating,
    /// Early, middle, late.
    Part,
    /// Opening, middlegame, endgame.
    Stage,
    /// Whether the table of openings names the position.
    Book,
    /// The opening of the game, without its variations.
    Opening,
    /// Side to move.
    Side,
    /// What our detectors see in the best move.
    Motif,
    /// What the source says.
    Theme,
}

impl By {
    /// All, in the order of the report.
    pub const ALL: [Self; 9] = [
        Self::Level,
        Self::Rating,
        Self::Part,
        Self::Stage,
        Self::Book,
        Self::Opening,
        Self::Side,
        Self::Motif,
        Self::Theme,
    ];

    /// For headings.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Level => "Level",
            Self::Rating => "Rating",
            Self::Part => "Part of the game",
            Self::Stage => "Stage",
            Self::Book => "Opening book",
            Self::Opening => "Opening",
            Self::Side => "Side to move",
            Self::Motif => "Motif",
            Self::Theme => "Theme",
        }
    }

    /// The groups that a position is in.
    #[must_use]
    pub fn groups(self, at: &TestPosition) -> Vec<String> {
        match self {
            Self::Level => at.level.map(|level| level.to_string()).into_iter().collect(),
            Self::Rating => at.rating.map(rating_band).into_iter().collect(),
            Self::Part => vec![at.part.word().to_owned()],
            Self::Stage => vec![at.stage.word().to_owned()],
            Self::Book => vec![if at.book { "in the book" } else { "out of it" }.to_owned()],
            Self::Opening => at.opening.as_deref().map(family).into_iter().collect(),
            Self::Side => vec![if at.turn().is_white() { "White" } else { "Black" }.to_owned()],
            Self::Motif => at.motifs.clone(),
            Self::Theme => at.themes.clone(),
        }
    }
}

/// The width of a band of ratings.
pub(super) const BAND: u16 = 200;

/// The band of a rating: `1600–1799`.
pub(super) fn rating_band(rating: u16) -> String {
    let low = rating / BAND * BAND;
    format!("{low}–{}", low.saturating_add(BAND - 1))
}

/// `Ruy Lopez` of `C65 Ruy Lopez: Berlin Defense`.
fn family(opening: &str) -> String {
    let name = opening.split_once(' ').map_or(opening, |(_, name)| name);
    name.split([':', ',']).next().unwrap_or(name).trim().to_owned()
}

/// A contestant's answers by group.
#[must_use]
pub fn grouped<'a, 'b>(contestant: &'b Contestant<'a>, by: By) -> BTreeMap<String, Vec<&'b Scored<'a>>> {
    let mut groups: BTreeMap<String, Vec<&Scored<'a>>> = BTreeMap::new();
    for scored in &contestant.answers {
        for group in by.groups(scored.at) {
            groups.entry(group).or_default().push(scored);
        }
    }
    groups
}

/// A contestant's figures in a group of positions.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupFigure {
    /// Who.
    pub player: String,
    /// The group.
    pub group: String,
    /// Answers, legal or not.
    pub answers: usize,
    /// Those that are legal.
    pub legal: usize,
    /// The mean score over legal answers.
    pub over_legal: Option<f64>,
    /// The mean score over all.
    pub over_all: Estimate,
    /// The mean capped loss of legal moves, in centipawns.
    pub capped: Estimate,
    /// The mean loss of the chance of winning, in points of 100.
    pub chance: Option<f64>,
}

/// The figures of every group of `FEWEST` answers or more, and how many groups have fewer; none where there is one group
/// at most.
pub async fn figures(material: &Material<'_>, by: By, pace: &impl Pace) -> (Vec<GroupFigure>, usize) {
    let mut names: Vec<String> = material
        .contestants
        .iter()
        .flat_map(|contestant| grouped(contestant, by).into_keys())
        .collect();
    names.sort_by_key(|name| (number_in(name), name.clone()));
    names.dedup();
    let (mut found, mut small) = (Vec::new(), 0);
    if names.len() < 2 {
        return (found, small);
    }
    for contestant in &material.contestants {
        let groups = grouped(contestant, by);
        for name in &names {
            let Some(answers) = groups.get(name) else { continue };
            if answers.len() < FEWEST {
                small += 1;
                continue;
            }
            let grades: Vec<_> = answers.iter().filter_map(|scored| scored.grade).collect();
            let points: Vec<f64> = answers.iter().filter_map(|scored| scored.points()).collect();
            let losses: Vec<f64> = grades.iter().map(|grade| f64::from(grade.capped_loss())).collect();
            found.push(GroupFigure {
                player: contestant.name.clone(),
                group: name.clone(),
                answers: answers.len(),
                legal: answers.iter().filter(|scored| scored.row.is_legal()).count(),
                over_legal: mean(&grades.iter().map(|grade| f64::from(grade.points())).collect::<Vec<_>>()),
                over_all: Estimate::of(&points, pace).await,
                capped: Estimate::of(&losses, pace).await,
                chance: mean(&grades.iter().map(|grade| 100.0 * grade.win_loss()).collect::<Vec<_>>()),
            });
        }
    }
    (found, small)
}

/// The scores by group; `None` where there is one group at most.
pub async fn table(material: &Material<'_>, by: By, pace: &impl Pace) -> Option<Table> {
    let (figures, small) = figures(material, by, pace).await;
    table_of(by, &figures, small)
}

/// The same, where the figures are known.
#[must_use]
pub fn table_of(by: By, figures: &[GroupFigure], small: usize) -> Option<Table> {
    let mut table = Table {
        caption: format!("By {}", by.label().to_lowercase()),
        head: vec![
            "Player".to_owned(),
            by.label().to_owned(),
            "Answers".to_owned(),
            "Legal".to_owned(),
        ],
        ..Table::default()
    };
    table.head.extend(["Score, legal".to_owned()]);
    table.head.extend(with_interval("Score, all"));
    table.head.extend(with_interval("Capped loss"));
    table.head.push("Chance lost".to_owned());
    for figure in figures {
        let mut row = vec![
            Cell::Text(figure.player.clone()),
            Cell::Text(figure.group.clone()),
            Cell::Count(figure.answers),
            Cell::Number(figure.legal as f64 / figure.answers as f64, 3),
            Cell::number(figure.over_legal, 2),
        ];
        row.extend(figure.over_all.cells(2));
        row.extend(figure.capped.cells(1));
        row.push(Cell::number(figure.chance, 2));
        table.rows.push(row);
    }
    if small > 0 {
        table
            .notes
            .push(format!("Left out: {small} groups of fewer than {FEWEST} answers."));
    }
    (!table.rows.is_empty() || small > 0).then_some(table)
}

/// `skill 5` before `skill 10`.
fn number_in(name: &str) -> u64 {
    let digits: String = name.chars().filter(char::is_ascii_digit).take(9).collect();
    digits.parse().unwrap_or_default()
}

/// Scores in which each part of the game counts alike, however many positions of it there are: the plan's weighting by phase.
/// `None` where all positions are of one part.
#[must_use]
pub fn parts_alike(material: &Material<'_>) -> Option<Table> {
    let mut table = Table {
        caption: "Scores with the parts of the game counted alike".to_owned(),
        head: [
            "Player",
            "Parts",
            "Score, all",
            "Score, parts alike",
            "Capped loss, parts alike",
        ]
        .map(str::to_owned)
        .into(),
        ..Table::default()
    };
    for contestant in &material.contestants {
        let parts = grouped(contestant, By::Part);
        let of = |figure: &dyn Fn(&Scored<'_>) -> Option<f64>| -> Vec<f64> {
            let means = parts
                .values()
                .map(|answers| mean(&answers.iter().filter_map(|scored| figure(scored)).collect::<Vec<_>>()));
            means.flatten().collect()
        };
        let points = of(&|scored| scored.points());
        if points.len() < 2 {
            continue;
        }
        let all: Vec<f64> = contestant.answers.iter().filter_map(Scored::points).collect();
        let losses = of(&|scored| Some(f64::from(scored.grade?.capped_loss())));
        table.rows.push(vec![
            Cell::Text(contestant.name.clone()),
            Cell::Count(points.len()),
            Cell::number(mean(&all), 2),
            Cell::number(mean(&points), 2),
            Cell::number(mean(&losses), 1),
        ]);
    }
    table.notes.push(
        "The mean of the means of opening, early, middle and late positions, as far as there are any.".to_owned(),
    );
    (!table.rows.is_empty()).then_some(table)
}

/// How a contestant's score changes with the rating of the game's players: the plan's "ELO sensitivity".
#[must_use]
pub fn sensitivity(material: &Material<'_>) -> Option<Table> {
    let mut table = Table {
        caption: "ELO sensitivity: change of the score for 100 points more of the players that the position is from"
            .to_owned(),
        head: ["Player", "Change", "Low", "High", "p", "Answers"]
            .map(str::to_owned)
            .into(),
        ..Table::default()
    };
    for contestant in &material.contestants {
        let pairs: Vec<(f64, f64)> = contestant
            .answers
            .iter()
            .filter_map(|scored| {
                let elo = scored
                    .at
                    .level
                    .and_then(crate::grading::level::Level::nominal_elo)
                    .or(scored.at.rating)?;
                Some((f64::from(elo) / 100.0, scored.points()?))
            })
            .collect();
        let (x, y): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let Ok(found) = slope(&x, &y, LEVEL) else { continue };
        table.rows.push(vec![
            Cell::Text(contestant.name.clone()),
            Cell::Number(found.slope, 3),
            Cell::number(found.interval.map(|interval| interval.low), 3),
            Cell::number(found.interval.map(|interval| interval.high), 3),
            found.p.map_or(Cell::None, |p| Cell::Text(p_value(p))),
            Cell::Count(found.n),
        ]);
    }
    table.notes.push(
        "Least squares over answers, illegal ones with 0; skill levels by the plan's table of ratings.".to_owned(),
    );
    (!table.rows.is_empty()).then_some(table)
}

//! What a set of annotated boards is like: who annotated, counts (table A1) and histograms (figure A1).

use super::{
    action::ACTIONS,
    bins::Bins,
    record::{BoardRecord, RecordSet, SetHeader},
};
use crate::{
    pace::{AtOnce, Pace, at_once},
    survey::analysis::table::{Cell, Table},
};

/// Buckets of the histograms of figure A1.
pub const BUCKETS: u16 = 50;

/// Numbers of moves in a bucket.
const NUMBERS: usize = ACTIONS.div_ceil(BUCKETS as usize);

/// Rows of the paper's table A1: the split, games, records of state values, of best actions and of action values.
const PAPER: [(&str, f64, f64, f64, f64); 5] = [
    ("train", 1e4, 591_897.0, 589_130.0, 17_373_887.0),
    ("train", 1e5, 5_747_753.0, 5_720_672.0, 167_912_926.0),
    ("train", 1e6, 55_259_971.0, 54_991_050.0, 1_606_372_407.0),
    ("train", 1e7, 530_310_443.0, 527_633_465.0, 15_316_914_724.0),
    ("test", 1e3, 62_829.0, 62_561.0, 1_838_218.0),
];

/// Records of each kind in a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RecordCounts {
    /// Boards with a value.
    pub state_values: usize,
    /// Boards with a best action.
    pub best_actions: usize,
    /// Actions with a value.
    pub action_values: usize,
    /// Boards in which the game is over: they have a value and no action.
    pub over: usize,
    /// Boards with several best actions.
    pub tied: usize,
}

impl RecordCounts {
    /// Of these records.
    #[must_use]
    pub fn of(records: &[BoardRecord]) -> Self {
        let mut counts = Self::default();
        records.iter().for_each(|record| counts.add(record));
        counts
    }

    fn add(&mut self, record: &BoardRecord) {
        self.state_values += usize::from(record.value.is_some());
        self.best_actions += usize::from(record.best.is_some());
        self.action_values += record.actions.len();
        self.over += usize::from(record.actions.is_empty() && record.best.is_none());
        let most = record
            .actions
            .iter()
            .map(|own| own.value)
            .fold(f64::NEG_INFINITY, f64::max);
        let best = record.actions.iter().filter(|own| own.value == most).count();
        self.tied += usize::from(best > 1);
    }
}

/// How many are in each of the buckets.
pub type Buckets = [usize; BUCKETS as usize];

/// What a data card shows of a set's boards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetFigures {
    /// Table A1.
    pub counts: RecordCounts,
    /// Chances of winning on the boards.
    pub states: Buckets,
    /// Chances of winning by the moves: figure A1, left.
    pub actions: Buckets,
    /// Legal moves by their numbers.
    pub legal: Buckets,
    /// Best moves by their numbers: figure A1, right.
    pub best: Buckets,
}

impl Default for SetFigures {
    fn default() -> Self {
        let none = [0; BUCKETS as usize];
        Self {
            counts: RecordCounts::default(),
            states: none,
            actions: none,
            legal: none,
            best: none,
        }
    }
}

impl SetFigures {
    /// Of these records, in turns.
    pub async fn of_at(records: &[BoardRecord], pace: &impl Pace) -> Self {
        let mut figures = Self::default();
        for record in records {
            figures.add(record);
            pace.turn().await;
        }
        figures
    }

    /// Adds a record.
    pub fn add(&mut self, record: &BoardRecord) {
        self.counts.add(record);
        if let Some(value) = record.value {
            self.states[bucket(value)] += 1;
        }
        for own in &record.actions {
            self.actions[bucket(own.value)] += 1;
            self.legal[usize::from(own.action.number()) / NUMBERS] += 1;
        }
        if let Some(best) = record.best {
            self.best[usize::from(best.number()) / NUMBERS] += 1;
        }
    }
}

/// The tables of a set's data card.
#[must_use]
pub fn data_card(set: &RecordSet) -> Vec<Table> {
    card_tables(&set.header, &at_once(SetFigures::of_at(&set.records, &AtOnce)))
}

/// The same of figures that are there.
#[must_use]
pub fn card_tables(header: &SetHeader, figures: &SetFigures) -> Vec<Table> {
    vec![
        origin_table(header),
        sizes_table(header.counts.games, figures.counts),
        values_table(figures),
        actions_table(figures),
    ]
}

fn origin_table(header: &SetHeader) -> Table {
    let counts = header.counts;
    let unknown = || "the file does not say".to_owned();
    let oracle = header.oracle.as_ref();
    let rows = [
        ("Engine", oracle.map_or_else(unknown, |own| own.engine.clone())),
        (
            "Limit of each search",
            oracle.map_or_else(unknown, |own| own.limit.words()),
        ),
        (
            "Action values",
            oracle.map_or_else(unknown, |own| own.actions.words().to_owned()),
        ),
        ("Program", header.program.clone()),
        ("Games", counts.games.to_string()),
        ("Boards in them", counts.offered.to_string()),
        ("Boards that repeat another", counts.repeated.to_string()),
        ("Boards that the symbols cannot say", counts.not_symbols.to_string()),
    ];
    Table {
        caption: "Where the set is from".to_owned(),
        head: ["What", "Of this set"].map(str::to_owned).to_vec(),
        rows: rows.map(|(what, of)| vec![Cell::from(what), Cell::Text(of)]).to_vec(),
        notes: vec![
            "The paper's oracle is Stockfish 16 with 50 ms a search; its boards are unique with their counters, as here.".to_owned(),
        ],
    }
}

/// Table A1.
fn sizes_table(games: usize, counts: RecordCounts) -> Table {
    let head = [
        "Set",
        "Games",
        "State values",
        "Best actions",
        "Action values",
        "Actions a board",
        "Game over",
        "Several best actions",
    ];
    let each = |actions: f64, boards: f64| (boards > 0.0).then(|| actions / boards);
    let mut rows = vec![vec![
        Cell::from("this set"),
        Cell::Count(games),
        Cell::Count(counts.state_values),
        Cell::Count(counts.best_actions),
        Cell::Count(counts.action_values),
        Cell::number(each(counts.action_values as f64, counts.best_actions as f64), 2),
        Cell::Count(counts.over),
        Cell::Count(counts.tied),
    ]];
    rows.extend(PAPER.map(|(split, games, states, best, actions)| {
        vec![
            Cell::Text(format!("{split} (paper)")),
            Cell::Number(games, 0),
            Cell::Number(states, 0),
            Cell::Number(best, 0),
            Cell::Number(actions, 0),
            Cell::number(each(actions, best), 2),
            Cell::Number(states - best, 0),
            Cell::None,
        ]
    }));
    Table {
        caption: "Records (table A1)".to_owned(),
        head: head.map(str::to_owned).to_vec(),
        rows,
        notes: vec![
            "The paper lays the boards without a best action to time-outs. At each of its sizes they are 26.8 to 27.7 for a hundred \
             games, as boards would be in which a game has ended in mate or stalemate: here those are kept, with a value and no action."
                .to_owned(),
        ],
    }
}

/// How many of the values are in each bucket.
#[must_use]
pub fn histogram(values: impl IntoIterator<Item = f64>) -> Buckets {
    let mut buckets = [0; BUCKETS as usize];
    for value in values {
        buckets[bucket(value)] += 1;
    }
    buckets
}

/// The bucket that a value is in.
fn bucket(value: f64) -> usize {
    let bins = Bins::new(BUCKETS).unwrap_or(Bins::DEFAULT);
    // Buckets hold their lower edge, as histograms do; bins of labels hold the upper one.
    let bin = bins.bin_of(value);
    let at_edge = bin + 1 < usize::from(BUCKETS) && bins.edge(bin + 1) <= value;
    bin + usize::from(at_edge)
}

/// The chances of winning that are in a bucket, in per cent: `0–2`.
#[must_use]
pub fn bucket_of_values(bucket: usize) -> String {
    let width = 100 / usize::from(BUCKETS);
    format!("{}–{}", bucket * width, (bucket + 1) * width)
}

/// The numbers of moves that are in a bucket: `0–39`.
#[must_use]
pub fn bucket_of_numbers(bucket: usize) -> String {
    format!("{}–{}", bucket * NUMBERS, ((bucket + 1) * NUMBERS).min(ACTIONS) - 1)
}

fn shares(buckets: &[usize]) -> impl Fn(usize) -> [Cell; 2] + '_ {
    let all: usize = buckets.iter().sum();
    move |bucket| {
        let count = buckets[bucket];
        let share = (all > 0).then(|| count as f64 / all as f64);
        [Cell::Count(count), Cell::number(share, 4)]
    }
}

/// Figure A1, left.
fn values_table(figures: &SetFigures) -> Table {
    let (state, action) = (shares(&figures.states), shares(&figures.actions));
    Table {
        caption: "Chances of winning (figure A1, left)".to_owned(),
        head: ["Win %", "Boards", "Share", "Actions", "Share"]
            .map(str::to_owned)
            .to_vec(),
        rows: (0..usize::from(BUCKETS))
            .map(|bucket| {
                let cells = state(bucket).into_iter().chain(action(bucket));
                [Cell::Text(bucket_of_values(bucket))]
                    .into_iter()
                    .chain(cells)
                    .collect()
            })
            .collect(),
        notes: vec!["The side to move's. The paper's histogram is of the actions.".to_owned()],
    }
}

/// Figure A1, right.
fn actions_table(figures: &SetFigures) -> Table {
    let (all, chosen) = (shares(&figures.legal), shares(&figures.best));
    Table {
        caption: "Moves by their numbers (figure A1, right)".to_owned(),
        head: ["Numbers", "Legal moves", "Share", "Best moves", "Share"]
            .map(str::to_owned)
            .to_vec(),
        rows: (0..usize::from(BUCKETS))
            .map(|bucket| {
                let cells = all(bucket).into_iter().chain(chosen(bucket));
                [Cell::Text(bucket_of_numbers(bucket))]
                    .into_iter()
                    .chain(cells)
                    .collect()
            })
            .collect(),
        notes: vec!["Numbers run from squares near a1 to those near h8; the last are promotions.".to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use super::{super::record::tests::set, *};

    #[test]
    fn every_record_is_counted_once() {
        let set = set(50);
        let counts = RecordCounts::of(&set.records);
        assert_eq!(counts.state_values, 50);
        assert_eq!(counts.best_actions + counts.over, 50);
        assert!(counts.tied > 0);
        let tables = data_card(&set);
        assert_eq!(tables[0].rows[1][1].shown(), "1,000 nodes");
        assert_eq!(tables[1].rows[0][2].shown(), "50");
        assert_eq!(tables[1].rows[5][6].shown(), "268");
        let sum = |table: &Table, column: usize| -> usize {
            let count = |row: &Vec<Cell>| match row[column] {
                Cell::Count(count) => count,
                _ => 0,
            };
            table.rows.iter().map(count).sum()
        };
        assert_eq!((sum(&tables[2], 1), sum(&tables[2], 3)), (50, counts.action_values));
        assert_eq!(
            (sum(&tables[3], 1), sum(&tables[3], 3)),
            (counts.action_values, counts.best_actions)
        );
        assert_eq!(tables[3].rows[49][0].shown(), "1960–1967");
        assert!(
            data_card(&super::super::record::tests::set(0))
                .iter()
                .all(|table| !table.rows.is_empty())
        );
    }

    #[test]
    fn a_bucket_holds_its_lower_edge() {
        let buckets = histogram([0.0, 0.019, 0.02, 0.5, 0.98, 1.0]);
        assert_eq!((buckets[0], buckets[1], buckets[25], buckets[49]), (2, 1, 1, 2));
        assert_eq!(buckets.iter().sum::<usize>(), 6);
    }
}

//! What models, an engine and a network say of a position's moves, side by side: the table, where they disagree most, and the
//! distribution of a move's value.

use shakmaty::{Chess, Move, san::SanPlus};

use crate::{
    chessbench::{
        action::Action,
        prediction::{Prediction, Said, first_highest},
    },
    survey::analysis::table::{Cell, Table, rounded},
};

/// Width of the picture, in its own units; letters are 11 high.
pub const WIDTH: f64 = 360.0;
/// Its height.
pub const HEIGHT: f64 = 110.0;
/// Where the first bin begins.
pub const LEFT: f64 = 8.0;
/// Where the last one ends.
pub const RIGHT: f64 = 352.0;
/// Where the highest bar ends.
const TOP: f64 = 8.0;
/// Where bars stand.
pub const BOTTOM: f64 = 88.0;
/// What of the probability the words place: from this share below to this share above.
const MIDDLE: [f64; 2] = [0.1, 0.9];

/// What an opinion's figures are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Chances of winning of the side to move, 0..1.
    Chance,
    /// How likely the move is to be played, 0..1.
    Share,
}

/// What somebody says of every legal move.
#[derive(Debug, Clone, PartialEq)]
pub struct Opinion {
    /// Who.
    pub name: String,
    /// What the figures are.
    pub measure: Measure,
    /// For each legal move in the order of actions.
    pub figures: Vec<f64>,
    /// For each legal move the probabilities of its value's bins, of models that say them.
    pub bins: Option<Vec<Vec<f64>>>,
    /// What else there is to say, in sentences.
    pub notes: Vec<String>,
}

impl Opinion {
    /// A model's; `legal` are the moves in the order of actions.
    #[must_use]
    pub fn of_prediction(name: &str, prediction: &Prediction, legal: &[Action]) -> Self {
        let mut notes = Vec::new();
        if let Some(state) = prediction.state {
            notes.push(format!(
                "{name} gives the board itself {} %.",
                rounded(100.0 * state, 1)
            ));
        }
        if let Some(action) = prediction.unmasked {
            notes.push(match legal.contains(&action) {
                true => format!("Of all 1,968 actions {name} finds {action} likeliest, which is legal."),
                false => format!("Of all 1,968 actions {name} finds {action} likeliest, which is not legal here."),
            });
        }
        let (measure, figures, bins) = match &prediction.said {
            Said::Bins(rows) => {
                let shares = rows.iter().map(|row| row.iter().map(|log| log.exp()).collect());
                (Measure::Chance, prediction.scores.clone(), Some(shares.collect()))
            }
            Said::Values(values) => (Measure::Chance, values.clone(), None),
            Said::Moves(logs) => (Measure::Share, logs.iter().map(|log| log.exp()).collect(), None),
        };
        Self {
            name: name.to_owned(),
            measure,
            figures,
            bins,
            notes,
        }
    }

    /// What stands above its column.
    #[must_use]
    pub fn heading(&self) -> String {
        match self.measure {
            Measure::Chance => format!("{}, win %", self.name),
            Measure::Share => format!("{}, probability %", self.name),
        }
    }

    /// The place of the move that it likes best.
    #[must_use]
    pub fn best(&self) -> Option<usize> {
        first_highest(&self.figures)
    }
}

/// A row of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct PredictedMove {
    /// The move's place in the order of actions.
    pub place: usize,
    /// As a player writes it.
    pub san: String,
    /// What each opinion says, in per cent with one decimal, and whether it is its best.
    pub cells: Vec<(String, bool)>,
}

/// A move as players write it.
#[must_use]
pub fn written(position: &Chess, mv: Move) -> String {
    SanPlus::from_move(position.clone(), mv).to_string()
}

/// The moves with what is said of them, the best of the opinion number `by` first.
#[must_use]
pub fn predicted_moves(position: &Chess, legal: &[Move], opinions: &[Opinion], by: usize) -> Vec<PredictedMove> {
    let mut places: Vec<usize> = (0..legal.len()).collect();
    if let Some(first) = opinions.get(by) {
        let figure = |place: usize| first.figures.get(place).copied().unwrap_or(f64::NEG_INFINITY);
        // Stable: of equal figures the order of actions stands.
        places.sort_by(|a, b| figure(*b).total_cmp(&figure(*a)));
    }
    let row = |place: usize| PredictedMove {
        place,
        san: written(position, legal[place]),
        cells: opinions
            .iter()
            .map(|opinion| {
                let figure = opinion.figures.get(place);
                let text = figure.map_or_else(|| "–".to_owned(), |figure| rounded(100.0 * figure, 1));
                (text, opinion.best() == Some(place))
            })
            .collect(),
    };
    places.into_iter().map(row).collect()
}

/// The same as a table to copy, the figures with all their digits.
#[must_use]
pub fn prediction_table(fen: &str, rows: &[PredictedMove], opinions: &[Opinion]) -> Table {
    let head = ["Move".to_owned()].into_iter().chain(opinions.iter().map(Opinion::heading));
    let cells = |row: &PredictedMove| {
        let figures = opinions
            .iter()
            .map(|own| Cell::number(own.figures.get(row.place).map(|figure| 100.0 * figure), 1));
        [Cell::from(row.san.as_str())].into_iter().chain(figures).collect()
    };
    Table {
        caption: format!("What is said of the moves in {fen}"),
        head: head.collect(),
        rows: rows.iter().map(cells).collect(),
        notes: Vec::new(),
    }
}

/// Which moves they like best, and about which move their chances of winning are farthest apart; `None` with fewer than two
/// opinions.
#[must_use]
pub fn disagreement(position: &Chess, legal: &[Move], opinions: &[Opinion]) -> Option<String> {
    if opinions.len() < 2 || legal.is_empty() {
        return None;
    }
    let mut liked: Vec<(usize, Vec<&str>)> = Vec::new();
    for opinion in opinions {
        let Some(best) = opinion.best() else { continue };
        match liked.iter_mut().find(|(place, _)| *place == best) {
            Some((_, names)) => names.push(&opinion.name),
            None => liked.push((best, vec![&opinion.name])),
        }
    }
    let move_at = |place: usize| legal.get(place).map_or_else(String::new, |mv| written(position, *mv));
    let mut said = match &liked[..] {
        [(place, _)] => format!("All like {} best.", move_at(*place)),
        _ => {
            let groups = liked
                .iter()
                .map(|(place, names)| format!("{}: {}", move_at(*place), names.join(", ")));
            format!("Best by each: {}.", groups.collect::<Vec<_>>().join("; "))
        }
    };
    let chances: Vec<&Opinion> = opinions.iter().filter(|own| own.measure == Measure::Chance).collect();
    let apart = (0..legal.len()).filter_map(|place| {
        let of = |own: &&Opinion| own.figures.get(place).copied();
        let low = chances.iter().min_by(|a, b| order(of(a), of(b)))?;
        let high = chances.iter().max_by(|a, b| order(of(a), of(b)))?;
        Some((place, of(low)?, &low.name, of(high)?, &high.name))
    });
    let farthest = apart.max_by(|a, b| (a.3 - a.1).total_cmp(&(b.3 - b.1)));
    if let Some((place, low, low_name, high, high_name)) = farthest.filter(|(_, low, _, high, _)| high > low) {
        said += &format!(
            " They disagree most about {}: {high_name} gives it {} %, {low_name} {} %.",
            move_at(place),
            rounded(100.0 * high, 1),
            rounded(100.0 * low, 1)
        );
    }
    Some(said)
}

fn order(a: Option<f64>, b: Option<f64>) -> std::cmp::Ordering {
    a.unwrap_or(f64::NAN).total_cmp(&b.unwrap_or(f64::NAN))
}

/// A distribution over bins as shapes, and in words.
#[derive(Debug, Clone, PartialEq)]
pub struct DistributionView {
    /// Whose it is.
    pub name: String,
    /// The bars.
    pub bars: Vec<DistributionBar>,
    /// Where the expected value is, across.
    pub expected: f64,
    /// In words, for who does not see it.
    pub words: String,
}

/// A bin.
#[derive(Debug, Clone, PartialEq)]
pub struct DistributionBar {
    /// Where it begins, across.
    pub x: f64,
    /// How wide it is.
    pub width: f64,
    /// Where it ends, from the top down.
    pub y: f64,
    /// The bin and its probability, in words.
    pub text: String,
}

/// The distribution of a move's value; `None` where an opinion has none.
#[must_use]
pub fn distribution(opinion: &Opinion, place: usize, san: &str) -> Option<DistributionView> {
    let shares = opinion.bins.as_ref()?.get(place).filter(|shares| !shares.is_empty())?;
    let count = shares.len();
    let most = shares.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let width = (RIGHT - LEFT) / count as f64;
    let edge = |bin: usize| 100.0 * bin as f64 / count as f64;
    let named = |bin: usize| format!("{} to {} %", rounded(edge(bin), 1), rounded(edge(bin + 1), 1));
    let bars = shares.iter().enumerate().map(|(bin, share)| DistributionBar {
        x: LEFT + width * bin as f64,
        width,
        y: BOTTOM - (BOTTOM - TOP) * share / most,
        text: format!("{}: probability {} %", named(bin), rounded(100.0 * share, 1)),
    });
    let expected = opinion.figures.get(place).copied()?;
    let likeliest = first_highest(shares)?;
    let [low, high] = MIDDLE.map(|below| edge_where(shares, below));
    let words = format!(
        "{}, {san}: {} % expected; the likeliest bin of {count} is {}, with {} %; four fifths of the probability lie between {} and {} %.",
        opinion.name,
        rounded(100.0 * expected, 1),
        named(likeliest),
        rounded(100.0 * shares[likeliest], 1),
        rounded(edge(low), 0),
        rounded(edge(high + 1), 0),
    );
    Some(DistributionView {
        name: opinion.name.clone(),
        bars: bars.collect(),
        expected: LEFT + (RIGHT - LEFT) * expected.clamp(0.0, 1.0),
        words,
    })
}

/// The bin in which the sum from below reaches a share.
fn edge_where(shares: &[f64], share: f64) -> usize {
    let all: f64 = shares.iter().sum();
    let mut sum = 0.0;
    for (bin, own) in shares.iter().enumerate() {
        sum += own;
        if sum >= share * all {
            return bin;
        }
    }
    shares.len() - 1
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;

    use super::*;
    use crate::{chess::read_fen, chessbench::action::legal_actions};

    fn position() -> (Chess, Vec<Move>) {
        let position = read_fen("7k/8/8/8/8/8/P7/K7 w - - 0 1").unwrap().position;
        let legal = legal_actions(&position, CastlingMode::Standard);
        (position, legal.into_iter().map(|(_, mv)| mv).collect())
    }

    fn opinion(name: &str, measure: Measure, figures: &[f64]) -> Opinion {
        Opinion {
            name: name.to_owned(),
            measure,
            figures: figures.to_vec(),
            bins: None,
            notes: Vec::new(),
        }
    }

    #[test]
    fn moves_are_sorted_by_one_and_every_best_is_marked() {
        let (position, legal) = position();
        let mut chances = vec![0.5; legal.len()];
        chances[2] = 0.9;
        let mut shares = vec![0.1; legal.len()];
        shares[1] = 0.6;
        let opinions = [
            opinion("AV", Measure::Chance, &chances),
            opinion("BC", Measure::Share, &shares),
        ];
        let rows = predicted_moves(&position, &legal, &opinions, 0);
        assert_eq!(rows.len(), legal.len());
        assert_eq!((rows[0].place, &rows[0].cells[0]), (2, &("90.0".to_owned(), true)));
        assert_eq!(rows[1].place, 0, "equal ones keep their order");
        let by_share = predicted_moves(&position, &legal, &opinions, 1);
        assert_eq!(by_share[0].cells[1], ("60.0".to_owned(), true));
        assert_eq!(predicted_moves(&position, &legal, &[], 3).len(), legal.len());
    }

    #[test]
    fn the_move_that_divides_them_is_named() {
        let (position, legal) = position();
        let own = vec![0.5; legal.len()];
        let mut other = own.clone();
        other[1] = 0.95;
        let shares = opinion("BC", Measure::Share, &own);
        let opinions = [
            opinion("AV", Measure::Chance, &own),
            opinion("Stockfish", Measure::Chance, &other),
            shares.clone(),
        ];
        let said = disagreement(&position, &legal, &opinions).unwrap();
        let mv = written(&position, legal[1]);
        assert!(
            said.ends_with(&format!("disagree most about {mv}: Stockfish gives it 95.0 %, AV 50.0 %.")),
            "{said}"
        );
        assert!(said.starts_with("Best by each: "), "{said}");
        let same = [opinions[0].clone(), shares];
        let said = disagreement(&position, &legal, &same).unwrap();
        assert_eq!(said, format!("All like {} best.", written(&position, legal[0])));
        assert_eq!(disagreement(&position, &legal, &opinions[..1]), None);
        assert_eq!(disagreement(&position, &[], &opinions), None);
    }

    #[test]
    fn a_models_opinion_is_what_it_said() {
        let (_, legal) = position();
        let actions: Vec<Action> = legal
            .iter()
            .map(|mv| Action::of_move(*mv, CastlingMode::Standard).unwrap())
            .collect();
        let mut all = vec![-30.0; crate::chessbench::action::ACTIONS];
        all[usize::from(actions[1].number())] = 0.0;
        let cloned = Prediction::of_actions(&all, &actions).unwrap();
        let own = Opinion::of_prediction("BC", &cloned, &actions);
        assert_eq!((own.best(), own.measure, own.heading().as_str()), (Some(1), Measure::Share, "BC, probability %"));
        assert!(own.notes[0].ends_with("which is legal."), "{:?}", own.notes);
        let bare = Prediction::of_values(vec![0.25; actions.len()], Some(0.5)).unwrap();
        let own = Opinion::of_prediction("SV", &bare, &actions);
        assert_eq!(own.notes, ["SV gives the board itself 50.0 %."]);
        let table = prediction_table("fen", &predicted_moves(&position().0, &legal, std::slice::from_ref(&own), 0), &[own]);
        assert_eq!((table.head.len(), table.rows[0].len()), (2, 2));
    }

    #[test]
    fn a_distribution_is_drawn_and_said() {
        let mut shares = vec![0.0; 10];
        shares[3] = 0.25;
        shares[4] = 0.75;
        let own = Opinion {
            bins: Some(vec![shares]),
            ..opinion("AV", Measure::Chance, &[0.425])
        };
        let drawn = distribution(&own, 0, "a4").unwrap();
        assert_eq!((drawn.bars.len(), drawn.bars[4].y), (10, TOP));
        assert_eq!(drawn.bars[0].y, BOTTOM);
        assert_eq!(
            drawn.words,
            "AV, a4: 42.5 % expected; the likeliest bin of 10 is 40.0 to 50.0 %, with 75.0 %; four fifths of the probability lie \
             between 30 and 50 %."
        );
        assert_eq!(distribution(&opinion("BC", Measure::Share, &[1.0]), 0, "a4"), None);
        assert_eq!(distribution(&own, 1, "a4"), None);
    }
}

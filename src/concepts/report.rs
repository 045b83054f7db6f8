//! The report on a set of probes, in the manner of the paper's Table 6.
//!
//! Two tables: the **mover's frame**, in which probes are fitted (ours, theirs, totals signed for the side to move), and
//! the paper's own 21 rows, **White and Black**: labels and tails are of White's and Black's terms, and a position's score
//! is that of the probe which speaks of that side there ("Our Knights" for White's with White to move, "Their Knights"
//! with Black to move; totals with their sign turned for Black). Both are of test games alone.

use serde::Serialize;
use shakmaty::Color;

use super::concept::frame_name;
use super::fitting::in_frame;
use super::label_quantiles::{LabelQuantiles, NoQuantiles};
use super::layer::Layer;
use super::probe::Probe;
use super::quality::{self, Tally, Undefined};
use super::split::{Positions, Side};
use super::{Concept, ConceptScores};

/// Figures as the paper prints them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PaperFigures {
    /// Test accuracy.
    pub accuracy: f64,
    /// Test precision.
    pub precision: f64,
    /// Test recall.
    pub recall: f64,
}

/// Table 6 of "Concept-guided Chess Commentary" (NAACL 2025), in the order of [`Concept::ALL`]: Lc0's T78, layer 40.
pub const TABLE_6: [PaperFigures; 21] = {
    const fn row(accuracy: f64, precision: f64, recall: f64) -> PaperFigures {
        PaperFigures {
            accuracy,
            precision,
            recall,
        }
    }
    [
        row(0.93, 0.93, 0.94),
        row(0.80, 0.73, 0.93),
        row(0.84, 0.81, 0.90),
        row(0.91, 0.87, 0.96),
        row(0.91, 0.87, 0.97),
        row(0.77, 0.73, 0.87),
        row(0.75, 0.71, 0.83),
        row(1.00, 1.00, 1.00),
        row(0.99, 0.99, 1.00),
        row(0.74, 0.71, 0.79),
        row(0.81, 0.84, 0.77),
        row(0.99, 0.99, 1.00),
        row(0.98, 0.96, 0.99),
        row(0.96, 0.97, 0.94),
        row(0.94, 0.96, 0.91),
        row(0.93, 0.90, 0.96),
        row(0.93, 0.90, 0.97),
        row(1.00, 1.00, 1.00),
        row(1.00, 1.00, 1.00),
        row(0.98, 0.98, 0.98),
        row(0.92, 0.91, 0.94),
    ]
};

/// What the default network's probes must reach on the paper's rows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Floors {
    /// Of the mean accuracy.
    pub mean: f64,
    /// Rows that must be at or above the paper's figure.
    pub rows: usize,
    /// Of the worst accuracy.
    pub min: f64,
}

/// The floors that Kibitz holds itself to.
pub const FLOORS: Floors = Floors {
    mean: 0.95,
    rows: 18,
    min: 0.85,
};

/// One value, or one for the mover's and one for the opponent's probe.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Used<T> {
    /// A single value.
    One(T),
    /// Two that differ: "Our …", "Their …".
    Two([T; 2]),
}

impl<T: PartialEq> Used<T> {
    fn of(ours: T, theirs: T) -> Self {
        if ours == theirs {
            Self::One(ours)
        } else {
            Self::Two([ours, theirs])
        }
    }
}

/// One row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Which: `White Knights` or `Our Knights`.
    pub concept: String,
    /// Share of the test positions at the tails that are judged rightly, 0..1.
    pub accuracy: f64,
    /// True positives among those judged positive.
    pub precision: f64,
    /// True positives among the positive ones.
    pub recall: f64,
    /// Among the test positions **between** the tails: telling those above their median from the others.
    pub auc: Option<f64>,
    /// Why there is no `auc`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auc_undefined: Option<String>,
    /// Rank correlation over **all** test positions.
    pub spearman: Option<f64>,
    /// Why there is no `spearman`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spearman_undefined: Option<String>,
    /// What is read.
    pub layer: Used<Layer>,
    /// The support vector machine's C.
    #[serde(rename = "C")]
    pub c: Used<f64>,
    /// Positions learnt from.
    pub n: Used<u64>,
    /// Positions judged at the tails.
    pub test: usize,
    /// Positions judged between the tails.
    pub middle: usize,
    /// Share of the positive tail that was drawn by lot among equal labels.
    pub tied_positive: f64,
    /// Share of the negative tail that was drawn by lot among equal labels.
    pub tied_negative: f64,
    /// Positions that each tail lacks, since their label would be in both.
    pub dropped: usize,
    /// The paper's figures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paper: Option<PaperFigures>,
    /// Whether the accuracy is at or above the paper's, at the two decimals that the paper prints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_or_above: Option<bool>,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Table {
    /// In the order of Table 6.
    pub rows: Vec<Row>,
    /// Mean accuracy.
    pub mean: f64,
    /// Least accuracy.
    pub min: f64,
}

/// Both tables.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// White and Black, as the paper.
    #[serde(flatten)]
    pub colours: Table,
    /// Rows of it at or above the paper's.
    pub at_or_above_paper: usize,
    /// What it is held to.
    pub floors: Floors,
    /// Whether it holds.
    pub met: bool,
    /// The mover's frame.
    pub mover: Table,
    /// Positions that are used and have no label: specialised endgames.
    pub unlabelled: usize,
}

/// What a report is made from.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// How positions are dealt out.
    pub positions: &'a Positions,
    /// Each position's scores (a side's in its own view, totals in White's) and side to move.
    pub labels: &'a [(Option<ConceptScores>, Color)],
    /// Of each tail.
    pub share: f64,
    /// The probes of the 21.
    pub probes: &'a [Probe],
    /// Their decision values of the test positions.
    pub decisions: &'a [Vec<f32>],
}

/// Why there is no report.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NoReport {
    /// The labels make no tails.
    #[error("{concept}: {error}")]
    LabelQuantiles {
        /// The row.
        concept: String,
        /// Why not.
        error: NoQuantiles,
    },
    /// There is no test position at the tails.
    #[error("{concept}: no test position is in a tail")]
    NoTest {
        /// The row.
        concept: String,
    },
    /// The probes are not 21, or the decisions not those of the test positions.
    #[error("the decision values don't fit the probes or the positions")]
    Decisions,
}

impl Report {
    /// Judges the probes.
    ///
    /// # Errors
    /// When the labels or the test games don't suffice.
    pub fn new(evidence: &Evidence) -> Result<Self, NoReport> {
        let test = evidence.positions.on(Side::Test);
        let whole = evidence.decisions.iter().all(|own| own.len() == test.len());
        let count = Concept::ALL.len();
        if !whole || evidence.probes.len() < count || evidence.decisions.len() < count {
            return Err(NoReport::Decisions);
        }
        let rows = |of: &dyn Fn(Concept) -> Result<Row, NoReport>| -> Result<Table, NoReport> {
            let rows = Concept::ALL.into_iter().map(of).collect::<Result<Vec<_>, _>>()?;
            Ok(Table::new(rows))
        };
        let colours = rows(&|concept| evidence.colour_row(concept, &test))?;
        let mover = rows(&|concept| evidence.mover_row(concept, &test))?;
        let at_or_above_paper = colours.rows.iter().filter(|row| row.at_or_above == Some(true)).count();
        let used = |i: &usize| evidence.positions.side(*i as u32).is_some();
        Ok(Self {
            at_or_above_paper,
            floors: FLOORS,
            met: colours.mean >= FLOORS.mean && at_or_above_paper >= FLOORS.rows && colours.min >= FLOORS.min,
            colours,
            mover,
            unlabelled: (0..evidence.positions.len())
                .filter(used)
                .filter(|&i| evidence.labels[i].0.is_none())
                .count(),
        })
    }
}

impl Table {
    fn new(rows: Vec<Row>) -> Self {
        Self {
            mean: rows.iter().map(|row| row.accuracy).sum::<f64>() / rows.len().max(1) as f64,
            min: rows.iter().map(|row| row.accuracy).fold(1.0, f64::min),
            rows,
        }
    }
}

impl Evidence<'_> {
    fn mover_row(&self, concept: Concept, test: &[u32]) -> Result<Row, NoReport> {
        let of = |(scores, turn): &(Option<ConceptScores>, Color)| {
            scores.map(|scores| in_frame(&scores, *turn).get(concept))
        };
        let labels: Vec<_> = self.labels.iter().map(of).collect();
        let i = concept.index();
        let scores = self.decisions[i].clone();
        self.row(frame_name(concept), &labels, &scores, test, [i, i])
    }

    fn colour_row(&self, concept: Concept, test: &[u32]) -> Result<Row, NoReport> {
        let labels: Vec<_> = self
            .labels
            .iter()
            .map(|(scores, _)| scores.map(|scores| scores.get(concept)))
            .collect();
        let (with_white, with_black) = (concept.index(), concept.mirrored().index());
        let sign = if concept.side.is_none() { -1.0 } else { 1.0 };
        // In units of the probe's spread, so that two probes' values can be ranked together.
        let score = |probe: usize, at: usize| self.decisions[probe][at] / self.probes[probe].card.spread as f32;
        let scores: Vec<f32> = test
            .iter()
            .enumerate()
            .map(|(at, &i)| match self.labels[i as usize].1 {
                Color::White => score(with_white, at),
                Color::Black => sign * score(with_black, at),
            })
            .collect();
        let mut row = self.row(
            concept.name().to_owned(),
            &labels,
            &scores,
            test,
            [with_white, with_black],
        )?;
        let paper = TABLE_6[concept.index()];
        row.paper = Some(paper);
        row.at_or_above = Some((row.accuracy * 100.0).round() >= (paper.accuracy * 100.0).round());
        Ok(row)
    }

    /// `scores`: of the test positions, positive where the probe judges positive.
    fn row(
        &self,
        concept: String,
        labels: &[Option<f32>],
        scores: &[f32],
        test: &[u32],
        probes: [usize; 2],
    ) -> Result<Row, NoReport> {
        let tails = match LabelQuantiles::cut(labels, self.positions, self.share) {
            Ok(tails) => tails,
            Err(error) => return Err(NoReport::LabelQuantiles { concept, error }),
        };
        let score = |i: u32| test.binary_search(&i).ok().map(|at| scores[at]);
        let scored = |list: &[u32], class: bool| -> Vec<(f32, bool)> {
            list.iter().filter_map(|&i| Some((score(i)?, class))).collect()
        };
        let judged = [scored(&tails.positive, true), scored(&tails.negative, false)].concat();
        let Some(tally) = Tally::of(judged) else {
            return Err(NoReport::NoTest { concept });
        };
        let labelled = |list: &[u32]| -> (Vec<f32>, Vec<f32>) {
            list.iter()
                .filter_map(|&i| Some((score(i)?, labels[i as usize]?)))
                .unzip()
        };
        let (middle, middle_labels) = labelled(&tails.middle);
        let (auc, auc_undefined) = figure(quality::auc_at_median(&middle, &middle_labels));
        let (all, all_labels) = labelled(test);
        let (spearman, spearman_undefined) = figure(quality::spearman(&all, &all_labels));
        let [ours, theirs] = probes.map(|i| &self.probes[i].card);
        Ok(Row {
            concept,
            accuracy: tally.accuracy,
            precision: tally.precision,
            recall: tally.recall,
            auc,
            auc_undefined,
            spearman,
            spearman_undefined,
            layer: Used::of(ours.layer.clone(), theirs.layer.clone()),
            c: Used::of(ours.c, theirs.c),
            n: Used::of(ours.n, theirs.n),
            test: tally.n,
            middle: middle.len(),
            tied_positive: tails.tied_positive,
            tied_negative: tails.tied_negative,
            dropped: tails.dropped,
            paper: None,
            at_or_above: None,
        })
    }
}

fn figure(figure: Result<f64, Undefined>) -> (Option<f64>, Option<String>) {
    match figure {
        Ok(figure) => (Some(figure), None),
        Err(why) => (None, Some(why.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::super::probe::tests::card;
    use super::*;

    fn positions(count: usize) -> Positions {
        let texts: Vec<(String, String)> = (0..count).map(|i| (format!("{}", i / 5), format!("{i}"))).collect();
        Positions::new(texts.iter().map(|(game, fen)| (game.as_str(), fen.as_str())), 3)
    }

    /// Labels of chance, White and Black to move by turns; probes that know the label in the mover's frame, but for
    /// `Their Knights`, which knows the opposite.
    fn evidence<R>(with: impl FnOnce(&Evidence) -> R) -> R {
        let positions = positions(1000);
        let mut rng = crate::random::Rng::new(5);
        let mut number = || rng.below(2001) as f32 / 100.0 - 10.0;
        let labels: Vec<(Option<ConceptScores>, Color)> = (0..1000)
            .map(|i| {
                let scores = ConceptScores::new([(); 21].map(|()| number()));
                let turn = if i % 2 == 0 { Color::White } else { Color::Black };
                ((i % 50 != 7).then_some(scores), turn)
            })
            .collect();
        let test = positions.on(Side::Test);
        let probes: Vec<Probe> = Concept::ALL
            .into_iter()
            .map(|concept| {
                let layer = if concept.side == Some(Color::White) {
                    "block 2"
                } else {
                    "block 1"
                };
                Probe::new(card(&frame_name(concept), layer), &[0.0; 64], 0.0)
            })
            .collect();
        let decisions: Vec<Vec<f32>> = Concept::ALL
            .into_iter()
            .map(|concept| {
                let sign = if concept.name() == "Black Knights" { -1.0 } else { 1.0 };
                let of = |&i: &u32| {
                    let (scores, turn) = labels[i as usize];
                    scores.map_or(0.0, |scores| sign * in_frame(&scores, turn).get(concept))
                };
                test.iter().map(of).collect()
            })
            .collect();
        with(&Evidence {
            positions: &positions,
            labels: &labels,
            share: 0.1,
            probes: &probes,
            decisions: &decisions,
        })
    }

    #[test]
    fn the_movers_probes_make_whites_and_blacks_rows() {
        let report = evidence(|evidence| Report::new(evidence).unwrap());
        let row = |table: &Table, name: &str| table.rows.iter().find(|row| row.concept == name).unwrap().clone();
        for name in ["Material", "White Rooks", "Black Rooks"] {
            let found = row(&report.colours, name);
            assert_eq!(
                (found.accuracy, found.precision, found.recall),
                (1.0, 1.0, 1.0),
                "{name}"
            );
            assert!(found.spearman.unwrap() > 0.999 && found.auc.unwrap() > 0.999);
            assert_eq!(found.at_or_above, Some(true));
        }
        assert_eq!(row(&report.mover, "Our Knights").accuracy, 1.0);
        assert_eq!(row(&report.mover, "Their Knights").accuracy, 0.0);
        // White's knights are theirs in every second position.
        let knights = row(&report.colours, "White Knights");
        assert!((0.3..0.7).contains(&knights.accuracy), "{}", knights.accuracy);
        assert_eq!(knights.at_or_above, Some(false));
        let layers = [Layer::block(2), Layer::block(1)];
        assert_eq!(knights.layer, Used::Two(layers));
        assert_eq!(row(&report.colours, "Material").layer, Used::One(Layer::block(1)));
        assert_eq!(
            (report.at_or_above_paper, report.met, report.unlabelled),
            (19, false, 20)
        );
        assert_eq!(report.mover.min, 0.0);
        let mean = (19.0 + 2.0 * report.colours.min.max(0.0)) / 21.0;
        assert!((report.colours.mean - mean).abs() < 0.03);
    }

    #[test]
    fn the_json_has_the_rows_first_and_says_what_is_undefined() {
        let report = evidence(|evidence| {
            let labels: Vec<_> = evidence
                .labels
                .iter()
                .map(|(scores, turn)| {
                    let zero = |scores: ConceptScores| {
                        let mut raw = Concept::ALL.map(|concept| scores.get(concept));
                        // Queens: nothing but zeros in the middle.
                        for i in [9, 10] {
                            raw[i] = if raw[i] < -9.0 { raw[i] } else { 0.0 };
                        }
                        ConceptScores::new(raw)
                    };
                    (scores.map(zero), *turn)
                })
                .collect();
            let changed = Evidence {
                labels: &labels,
                ..*evidence
            };
            serde_json::to_value(Report::new(&changed).unwrap()).unwrap()
        });
        let queens = &report["rows"][9];
        assert_eq!(queens["concept"], "White Queens");
        assert!(
            queens["auc"].is_null() && queens["auc_undefined"].is_string(),
            "{queens}"
        );
        assert!(
            queens["dropped"].as_u64().unwrap() > 0 && queens["tied_positive"] == 1.0,
            "{queens}"
        );
        assert_eq!(queens["paper"]["accuracy"], 0.74);
        for field in ["layer", "C", "n", "precision", "recall", "spearman"] {
            assert!(!queens[field].is_null(), "{field}");
        }
        assert!(report["mean"].is_f64() && report["min"].is_f64() && report["mover"]["rows"].is_array());
    }

    #[test]
    fn decisions_of_other_positions_are_refused() {
        let refused = evidence(|evidence| {
            let short = Evidence {
                decisions: &evidence.decisions[..20],
                ..*evidence
            };
            Report::new(&short)
        });
        assert_eq!(refused, Err(NoReport::Decisions));
    }

    /// The paper's mean, which it gives in its text.
    #[test]
    fn table_6_is_as_printed() {
        let mean = TABLE_6.iter().map(|row| row.accuracy).sum::<f64>() / 21.0;
        assert!((mean - 0.91).abs() < 0.005, "{mean}");
        assert_eq!(TABLE_6.iter().map(|row| row.accuracy).fold(1.0, f64::min), 0.74);
    }
}

//! A probe set as a table like the paper's Table 6.

use super::fit::{concept_label, grouped};
use crate::concepts::{Concept, Layer, Pools, Probe, ProbeSet, report::TABLE_6};

/// A concept's row. Shares are 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportRow {
    /// `our king safety`.
    pub concept: String,
    /// On positions of games that were not learnt from, at the tails.
    pub accuracy: f64,
    /// The paper's own, for White's row beside ours, for Black's beside theirs; `None` for further concepts.
    pub paper: Option<f64>,
    /// True positives among those judged positive.
    pub precision: f64,
    /// True positives among the positive ones.
    pub recall: f64,
    /// Between the tails.
    pub auc: Option<f64>,
    /// Over all test positions.
    pub spearman: Option<f64>,
    /// The better of the controls' accuracies; `None` where none was fitted.
    pub control: Option<f64>,
    /// Accuracy less the control's; of the same fit on the control's positions where these are others.
    pub selectivity: Option<f64>,
    /// Positions that the control and that fit learnt from, where these are others.
    pub control_n: Option<u64>,
    /// What is read.
    pub layer: String,
    /// The support vector machine's C.
    pub c: f64,
    /// Positions learnt from.
    pub n: u64,
    /// Why there is no probe: `not enough labels …`; the figures then mean nothing.
    pub missing: Option<String>,
}

/// The table.
#[derive(Debug, Clone, PartialEq)]
pub struct ProbeReport {
    /// The 21 first, in the paper's order.
    pub rows: Vec<ReportRow>,
    /// Of the 21, those that have a probe.
    pub probes: usize,
    /// Their mean accuracy.
    pub mean: f64,
    /// Their lowest.
    pub min: f64,
    /// How many of the 21 are at or above the paper's figure.
    pub at_or_above: usize,
    /// What has to be said of the figures; a sentence or two.
    pub caution: String,
}

/// With fewer positions to learn from, figures are shown with a warning.
const FEW: u64 = 1000;

impl ProbeReport {
    /// The report of a set.
    #[must_use]
    pub fn new(set: &ProbeSet) -> Self {
        let rows: Vec<ReportRow> = set
            .all()
            .iter()
            .enumerate()
            .map(|(i, probe)| row(probe, TABLE_6.get(i).map(|figures| figures.accuracy)))
            .collect();
        let table: Vec<&ReportRow> = rows
            .iter()
            .take(Concept::ALL.len())
            .filter(|row| row.missing.is_none())
            .collect();
        #[allow(clippy::cast_precision_loss)] // 21
        let mean = table.iter().map(|row| row.accuracy).sum::<f64>() / table.len().max(1) as f64;
        let fewest = table.iter().map(|row| row.n).min().unwrap_or_default();
        let frame = "The paper probes White's and Black's concepts; these probes read the mover's (“our”) and the \
                     opponent's (“their”), since that is how a network sees the board.";
        let caution = if fewest < FEW {
            format!(
                "Fitted on as few as {fewest} positions a concept, and judged on fewer: the figures can be off by \
                 several points either way. {frame}"
            )
        } else {
            frame.to_owned()
        };
        let caution = match controls(&rows) {
            Some(controls) => format!("{caution} {controls}"),
            None => caution,
        };
        Self {
            probes: table.len(),
            mean,
            min: table.iter().map(|row| row.accuracy).fold(1.0, f64::min),
            at_or_above: table
                .iter()
                // Both are printed with two digits: equal when printed is equal.
                .filter(|row| row.paper.is_some_and(|paper| row.accuracy + 0.005 >= paper))
                .count(),
            rows,
            caution,
        }
    }
}

impl ProbeReport {
    /// The concepts that have a probe, further ones included.
    pub fn all(&self) -> impl Iterator<Item = &ReportRow> {
        self.rows.iter().filter(|row| row.missing.is_none())
    }

    /// The figures in a sentence: of the paper's 21, and, where there are more, of all.
    #[must_use]
    pub fn accuracy(&self) -> String {
        let count = self.all().count();
        if count == self.probes {
            return format!("Mean test accuracy {:.2}, lowest {:.2}.", self.mean, self.min);
        }
        #[allow(clippy::cast_precision_loss)] // dozens
        let mean = self.all().map(|row| row.accuracy).sum::<f64>() / count.max(1) as f64;
        let lowest = self.all().min_by(|a, b| a.accuracy.total_cmp(&b.accuracy));
        let lowest = lowest.map_or_else(String::new, |row| {
            format!(", lowest {:.2} ({})", row.accuracy, row.concept)
        });
        format!(
            "Mean test accuracy {:.2} of the paper's {}; {mean:.2} of all{lowest}.",
            self.mean, self.probes
        )
    }
}

/// From how many positions controls learnt that were fitted on others than their probes.
fn controls(rows: &[ReportRow]) -> Option<String> {
    let counts = || {
        rows.iter()
            .filter_map(|row| row.control_n)
            .filter_map(|n| usize::try_from(n).ok())
    };
    let (least, most) = (counts().min()?, counts().max()?);
    let n = match least == most {
        true => grouped(least),
        false => format!("{} to {}", grouped(least), grouped(most)),
    };
    Some(format!(
        "The controls learnt from {n} positions a concept. Selectivity is against a fit of the probe's layer on the same \
         positions, not against the accuracy beside it."
    ))
}

fn row(probe: &Probe, paper: Option<f64>) -> ReportRow {
    let card = &probe.card;
    ReportRow {
        concept: concept_label(&card.name),
        accuracy: card.accuracy,
        paper,
        precision: card.precision,
        recall: card.recall,
        auc: card.auc,
        spearman: card.spearman,
        control: card.controls.highest(),
        selectivity: card.controls.selectivity(card.accuracy),
        control_n: card.controls.beside.map(|same| same.n),
        layer: reads(&card.layer),
        c: card.c,
        n: card.n,
        missing: probe.is_silent().then(|| reason(&card.labels).to_owned()),
    }
}

/// A reason begins with the concept, which the row names already.
fn reason(text: &str) -> &str {
    text.split_once(": ").map_or(text, |(_, rest)| rest)
}

/// What a probe reads, short enough for a column: `block 6`, `blocks 1–6, pools by men`.
fn reads(layer: &Layer) -> String {
    let blocks = layer.blocks();
    let [first, .., last] = blocks else {
        return layer.to_string();
    };
    // Ascending, so that as many as the span are all of it.
    let numbers = if usize::from(last - first) + 1 == blocks.len() {
        format!("{first}–{last}")
    } else {
        blocks.iter().map(u8::to_string).collect::<Vec<_>>().join(", ")
    };
    let pools = match layer.pools() {
        Pools::None => "",
        Pools::Board => " and pools",
        Pools::Men => " and pools by piece",
        Pools::MenAlone => ", pools by piece only",
        Pools::Sums => ", sums by piece and line",
    };
    format!("blocks {numbers}{pools}")
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::concepts::{ControlFigures, SameFit, concept::frame_name, probe::ProbeCard};

    #[test]
    fn layers_are_described_in_few_words() {
        for (layer, words) in [
            ("block 6", "block 6"),
            ("block 6 with pools", "block 6 with pools"),
            ("blocks 1+2+3+4+5+6", "blocks 1–6"),
            ("blocks 2+4+6 with pools", "blocks 2, 4, 6 and pools"),
            ("blocks 1+2+3 with pools by men", "blocks 1–3 and pools by piece"),
            ("blocks 3+6+10 as pools by men", "blocks 3, 6, 10, pools by piece only"),
        ] {
            assert_eq!(reads(&layer.parse().unwrap()), words);
        }
    }

    fn set(n: u64, accuracy: impl Fn(usize) -> f64) -> ProbeSet {
        let probes = Concept::ALL.into_iter().enumerate().map(|(i, concept)| {
            let card = ProbeCard {
                name: frame_name(concept),
                layer: Layer::block(1),
                labels: "made up".into(),
                n,
                c: 1e-3,
                seed: 1,
                accuracy: accuracy(i),
                precision: 0.9,
                recall: 0.9,
                auc: None,
                spearman: Some(0.5),
                controls: ControlFigures::default(),
                mean: 0.0,
                spread: 1.0,
                bias: 0.0,
                scale: 1.0,
            };
            Probe::new(card, &[1.0; 64], 0.0)
        });
        ProbeSet::new(&"ab".repeat(32), 1, probes.collect()).unwrap()
    }

    #[test]
    fn rows_stand_beside_the_papers() {
        let report = ProbeReport::new(&set(20_000, |i| if i == 9 { 0.70 } else { 0.95 }));
        assert_eq!(report.rows[9].concept, "our queens");
        assert_eq!(report.rows[9].paper, Some(0.74));
        assert_eq!(report.min, 0.70);
        assert!((report.mean - (20.0 * 0.95 + 0.70) / 21.0).abs() < 1e-9);
        // 0.95 is below the paper's rooks, mobility, space, and White's king safety and passed pawns.
        assert_eq!(report.at_or_above, 21 - 1 - 8);
        assert!(report.caution.starts_with("The paper probes"), "{}", report.caution);
    }

    #[test]
    fn a_concept_without_a_probe_is_listed_and_not_counted() {
        let whole = set(2000, |_| 0.9);
        let mut probes = whole.all().to_vec();
        probes[9] = Probe::silent(
            "Our Queens",
            "Our Queens: not enough labels: all positions have the same label",
            1,
            64,
        );
        let report = ProbeReport::new(&ProbeSet::new(whole.network(), 1, probes).unwrap());
        assert_eq!((report.rows.len(), report.probes, report.min), (21, 20, 0.9));
        assert_eq!(
            report.rows[9].missing.as_deref(),
            Some("not enough labels: all positions have the same label")
        );
        assert!(report.caution.starts_with("The paper"), "{}", report.caution);
    }

    #[test]
    fn controls_on_other_positions_say_on_how_many() {
        let whole = set(20_000, |_| 0.95);
        assert!(!ProbeReport::new(&whole).caution.contains("controls"));
        let with = |n| {
            let mut probe = whole.all()[9].clone();
            probe.card.controls = ControlFigures {
                shuffled: Some(0.8),
                planes: Some(0.7),
                beside: Some(SameFit { n, accuracy: 0.9 }),
            };
            probe
        };
        let mut probes = whole.all().to_vec();
        probes[9] = with(5_000);
        let report = ProbeReport::new(&ProbeSet::new(whole.network(), 1, probes).unwrap());
        let row = &report.rows[9];
        assert_eq!(
            (row.accuracy, row.control, row.control_n),
            (0.95, Some(0.8), Some(5_000))
        );
        assert!(
            (row.selectivity.unwrap() - 0.1).abs() < 1e-9,
            "against the same positions' fit"
        );
        assert!(report.caution.contains("from 5,000 positions"), "{}", report.caution);
    }

    /// The default network's report has no gap.
    #[test]
    fn shipped_probes_have_both_controls() {
        let file = include_bytes!("../../public/networks/kibitz-64x6.probes");
        let set = ProbeSet::read(file).unwrap();
        for probe in set.all() {
            let controls = probe.card.controls;
            assert!(
                controls.shuffled.is_some_and(|accuracy| accuracy > 0.5)
                    && controls.planes.is_some_and(|accuracy| accuracy > 0.5),
                "{}",
                probe.card.name
            );
        }
        // Figures keep their last digit where the laboratory is built.
        #[cfg(feature = "lab")]
        assert_eq!(set.write(), file, "read and written again it is the same");
    }

    #[test]
    fn few_positions_are_said_to_be_few() {
        let report = ProbeReport::new(&set(140, |_| 0.9));
        assert!(report.caution.contains("as few as 140 positions"), "{}", report.caution);
    }
}

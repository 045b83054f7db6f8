//! Figures that the paper printed (Kim et al., NAACL 2025, section 4, tables 1 to 5), to stand beside ours. They are of other
//! raters, other moves and other models, so that they are company and no yardstick.
//!
//! *Numbers.* 50 moves, five methods, five raters who rated all 250 comments. A mean of Table 1 rests on 250 ratings of a
//! method, its words on 50 comments; tables 3 and 4 on 250 comments. Of what the rates of Table 2 are shares, and how many
//! comments Table 5 rests on, the paper does not say.
//!
//! *What does not go together.* The text has CCC second in correctness; in Table 1 it is third, behind GAC and the reference.
//! The text says that GCC-Eval goes better with people than BLEU and ROUGE do in all criteria; of correctness there is no
//! GCC-Eval, neither in Table 4 nor in Table 5. That the κ of Table 3 is of ranks is said in the text alone.

use crate::{commentary::Arm, survey::gathering::REFERENCE};

/// Whose figures they are.
pub const SOURCE: &str = "Kim et al., NAACL 2025";

/// Ratings behind each mean of Table 1: of 50 comments by five raters.
pub const RATINGS: usize = 250;
/// Comments of a method: what a mean of words rests on.
pub const COMMENTS_OF_A_METHOD: usize = 50;
/// Comments that all raters rated: what tables 3 and 4 rest on.
pub const COMMENTS: usize = 250;
/// Raters.
pub const RATERS: usize = 5;

/// A method of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PaperMethod {
    /// What people wrote about the move.
    Reference,
    /// Comments by Jhamtani et al., 2018.
    Gac,
    /// The model alone.
    Llm,
    /// The model with the engine's evaluation.
    Expert,
    /// The model with evaluation and concepts: the paper's own.
    Ccc,
}

impl PaperMethod {
    /// All, in the order of the tables.
    pub const ALL: [Self; 5] = [Self::Reference, Self::Gac, Self::Llm, Self::Expert, Self::Ccc];

    /// As the paper calls it.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Reference => "Reference",
            Self::Gac => "GAC",
            Self::Llm => "GPT-4o",
            Self::Expert => "GPT-4o + expert",
            Self::Ccc => "CCC",
        }
    }

    /// The method of the paper that a method of ours corresponds to, by its name: `reference`, `gac`, one of a language
    /// model by its arm (`gpt-x+ccc+checked`, `gpt-x ccc`, `ccc`), or a name of the paper's. Fact sheets are not the paper's.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        let name = name.trim().to_lowercase();
        let words: Vec<&str> = name
            .split(|letter: char| letter == '+' || letter.is_whitespace())
            .filter(|word| !word.is_empty())
            .collect();
        match words[..] {
            [word] if word == REFERENCE => return Some(Self::Reference),
            ["gac", ..] => return Some(Self::Gac),
            ["gpt-4o"] => return Some(Self::Llm),
            ["gpt-4o", "expert"] => return Some(Self::Expert),
            ["gpt-4o", "expert", "concept", ..] => return Some(Self::Ccc),
            _ => {}
        }
        // A model may be called like an arm: what it was given stands after its name.
        let arms = if words.len() > 1 { &words[1..] } else { &words[..] };
        let arm = |word: &&str| Arm::ALL.into_iter().find(|arm| arm.word() == *word);
        match arms.iter().find_map(arm)? {
            Arm::Llm => Some(Self::Llm),
            Arm::Engine => Some(Self::Expert),
            Arm::Ccc => Some(Self::Ccc),
            Arm::Facts | Arm::Full => None,
        }
    }
}

/// The criteria in the order of the tables.
pub const CRITERIA: [&str; 5] = ["correctness", "relevance", "completeness", "clarity", "fluency"];

fn place(criterion: &str) -> Option<usize> {
    CRITERIA
        .iter()
        .position(|known| known.eq_ignore_ascii_case(criterion.trim()))
}

/// A figure of Table 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PaperMean {
    /// The mean: of ratings as a share of the scale, or of words.
    pub mean: f64,
    /// Whether it differs from the paper's CCC with p < 0.001.
    pub differs: bool,
}

/// Means of ratings and, last, words per comment; and which of them have the star.
type MeanRow = (PaperMethod, [f64; 6], [bool; 6]);

const ALL_BUT_CORRECTNESS: [bool; 6] = [false, true, true, true, true, true];

/// Table 1.
const TABLE_1: [MeanRow; 5] = [
    (
        PaperMethod::Reference,
        [0.62, 0.52, 0.30, 0.60, 0.62, 15.6],
        ALL_BUT_CORRECTNESS,
    ),
    (
        PaperMethod::Gac,
        [0.63, 0.46, 0.15, 0.66, 0.64, 8.9],
        ALL_BUT_CORRECTNESS,
    ),
    (PaperMethod::Llm, [0.36, 0.49, 0.40, 0.72, 0.84, 27.1], [true; 6]),
    (PaperMethod::Expert, [0.43, 0.56, 0.49, 0.72, 0.85, 26.2], [true; 6]),
    (PaperMethod::Ccc, [0.60, 0.67, 0.59, 0.80, 0.91, 28.5], [false; 6]),
];

/// Table 1: the mean rating of a method; n is [`RATINGS`].
#[must_use]
pub fn mean(method: PaperMethod, criterion: &str) -> Option<PaperMean> {
    table_1(method, place(criterion)?)
}

/// Table 1: words per comment; n is [`COMMENTS_OF_A_METHOD`].
#[must_use]
pub fn words(method: PaperMethod) -> Option<PaperMean> {
    table_1(method, CRITERIA.len())
}

fn table_1(method: PaperMethod, column: usize) -> Option<PaperMean> {
    let (_, means, stars) = TABLE_1.iter().find(|(row, ..)| *row == method)?;
    Some(PaperMean {
        mean: means[column],
        differs: stars[column],
    })
}

/// Table 2, by our names of the kinds: GPT-4o, with the expert, CCC.
const TABLE_2: [(&str, [f64; 3]); 4] = [
    ("illegal", [0.46, 0.28, 0.20]),
    ("tactical", [0.46, 0.40, 0.26]),
    ("positional", [0.28, 0.26, 0.28]),
    ("evaluation", [0.32, 0.30, 0.34]),
];

/// Table 2: the rate of a kind of error, by the kind's name in [`preset::paper`](crate::survey::preset::paper); n is not said.
#[must_use]
pub fn error_rate(method: PaperMethod, kind: &str) -> Option<f64> {
    let column = match method {
        PaperMethod::Reference | PaperMethod::Gac => return None,
        PaperMethod::Llm => 0,
        PaperMethod::Expert => 1,
        PaperMethod::Ccc => 2,
    };
    let (_, rates) = TABLE_2.iter().find(|(row, _)| *row == kind)?;
    Some(rates[column])
}

/// Table 3.
const TABLE_3: [f64; 5] = [0.5393, 0.2448, 0.2449, 0.1782, 0.2328];

/// Table 3: Fleiss' κ, of ranks; n is [`COMMENTS`] by [`RATERS`].
#[must_use]
pub fn kappa(criterion: &str) -> Option<f64> {
    place(criterion).map(|place| TABLE_3[place])
}

/// Table 4: Pearson's r and Kendall's τ by criterion. GCC-Eval has none of correctness.
const TABLE_4: [(&str, [(f64, f64); 5]); 4] = [
    (
        "BLEU-1",
        [
            (0.17, 0.10),
            (-0.06, 0.02),
            (-0.25, -0.07),
            (-0.08, 0.01),
            (-0.36, -0.16),
        ],
    ),
    (
        "ROUGE-1",
        [
            (0.04, -0.01),
            (-0.19, -0.08),
            (-0.29, -0.18),
            (-0.18, -0.14),
            (-0.29, -0.17),
        ],
    ),
    (
        "ROUGE-2",
        [
            (0.15, 0.03),
            (-0.10, -0.03),
            (-0.16, -0.05),
            (-0.02, 0.03),
            (-0.15, 0.00),
        ],
    ),
    (
        "ROUGE-L",
        [
            (0.08, 0.01),
            (-0.18, -0.08),
            (-0.29, -0.18),
            (-0.16, -0.14),
            (-0.29, -0.17),
        ],
    ),
];
const TABLE_4_GCC_EVAL: [(f64, f64); 4] = [(0.40, 0.24), (0.56, 0.39), (0.44, 0.23), (0.55, 0.38)];

/// Table 4: Pearson's r and Kendall's τ of a metric with people's means; n is [`COMMENTS`]. A metric that is GCC-Eval's of a
/// criterion ([`gcc_criterion`]) has them with this criterion alone.
#[must_use]
pub fn correlation(metric: &str, criterion: &str) -> Option<(f64, f64)> {
    let column = place(criterion)?;
    if let Some((_, row)) = TABLE_4
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(metric.trim()))
    {
        return Some(row[column]);
    }
    (place(gcc_criterion(metric)?)? == column).then(|| TABLE_4_GCC_EVAL[column - 1])
}

/// The criterion whose GCC-Eval a metric is, by its name: `gcc-relevance`, `GCC-Eval clarity`, `gcc_fluency_qwen`.
#[must_use]
pub fn gcc_criterion(metric: &str) -> Option<&'static str> {
    let metric = metric.to_lowercase();
    let mut named = CRITERIA[1..].iter().filter(|criterion| metric.contains(**criterion));
    let first = named.next().copied()?;
    (metric.starts_with("gcc") && named.next().is_none()).then_some(first)
}

/// Table 5: relevance, completeness, clarity, fluency.
const TABLE_5: [(PaperMethod, [f64; 4]); 5] = [
    (PaperMethod::Reference, [0.51, 0.25, 0.47, 0.72]),
    (PaperMethod::Gac, [0.47, 0.14, 0.39, 0.81]),
    (PaperMethod::Llm, [0.79, 0.48, 0.85, 0.95]),
    (PaperMethod::Expert, [0.81, 0.49, 0.75, 0.90]),
    (PaperMethod::Ccc, [0.89, 0.54, 0.88, 1.00]),
];

/// Table 5: the mean of GCC-Eval, as a share of its scale; n is not said.
#[must_use]
pub fn gcc_eval(method: PaperMethod, criterion: &str) -> Option<f64> {
    let column = place(criterion)?.checked_sub(1)?;
    let (_, row) = TABLE_5.iter().find(|(row, _)| *row == method)?;
    Some(row[column])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_the_papers_by_their_arm() {
        for (name, method) in [
            ("reference", Some(PaperMethod::Reference)),
            ("gac", Some(PaperMethod::Gac)),
            ("GAC (2018)", Some(PaperMethod::Gac)),
            ("gpt-x+llm", Some(PaperMethod::Llm)),
            ("qwen2.5-7b+engine+checked", Some(PaperMethod::Expert)),
            ("gpt-x ccc", Some(PaperMethod::Ccc)),
            ("ccc+ccc+sf8+checked", Some(PaperMethod::Ccc)),
            ("llm", Some(PaperMethod::Llm)),
            ("GPT-4o + expert", Some(PaperMethod::Expert)),
            ("GPT-4o + expert + concept (CCC, ours)", Some(PaperMethod::Ccc)),
            // The model's name is no arm.
            ("llm+full", None),
            ("gpt-4o+facts", None),
            ("cccp", None),
            ("my-reference", None),
            ("narrator", None),
            ("", None),
        ] {
            assert_eq!(PaperMethod::of(name), method, "{name}");
        }
        for method in PaperMethod::ALL {
            assert_eq!(PaperMethod::of(method.label()), Some(method));
        }
    }

    /// Figures that the paper's text names, and the edges of its tables.
    #[test]
    fn figures_are_those_of_the_tables() {
        let star = |method, criterion| mean(method, criterion).map(|mean| (mean.mean, mean.differs));
        assert_eq!(star(PaperMethod::Gac, "correctness"), Some((0.63, false)));
        assert_eq!(star(PaperMethod::Expert, "Fluency"), Some((0.85, true)));
        assert_eq!(star(PaperMethod::Ccc, "humour"), None);
        assert_eq!(words(PaperMethod::Ccc).map(|words| words.mean), Some(28.5));
        assert_eq!(error_rate(PaperMethod::Ccc, "evaluation"), Some(0.34));
        assert_eq!(error_rate(PaperMethod::Gac, "illegal"), None);
        assert_eq!(kappa("correctness"), Some(0.5393));
        assert_eq!(correlation("rouge-l", "fluency"), Some((-0.29, -0.17)));
        assert_eq!(correlation("gcc-relevance", "relevance"), Some((0.40, 0.24)));
        assert_eq!(correlation("gcc-relevance", "fluency"), None);
        assert_eq!(correlation("GCC-Eval fluency", "fluency"), Some((0.55, 0.38)));
        assert_eq!(correlation("gcc-correctness", "correctness"), None);
        assert_eq!(gcc_eval(PaperMethod::Ccc, "fluency"), Some(1.0));
        assert_eq!(gcc_eval(PaperMethod::Llm, "correctness"), None);
        assert_eq!(gcc_criterion("my gcc clarity"), None);
        assert_eq!(
            gcc_criterion("gcc-clarity-relevance"),
            None,
            "which of the two is not known"
        );
    }

    /// The kinds of errors are those that raters are asked for.
    #[test]
    fn kinds_are_those_of_the_preset() {
        let study = crate::survey::preset::paper("s", "S");
        let asked = study
            .criteria
            .iter()
            .find_map(|criterion| criterion.follow_up.as_ref())
            .unwrap();
        let kinds: Vec<&str> = asked.kinds.iter().map(|kind| kind.id.as_str()).collect();
        assert_eq!(kinds, TABLE_2.map(|(kind, _)| kind));
        let criteria: Vec<&str> = study.criteria.iter().map(|criterion| criterion.id.as_str()).collect();
        assert_eq!(criteria, CRITERIA);
    }
}

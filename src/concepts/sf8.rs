//! The evaluation terms that Stockfish 8 prints for `eval`.
//!
//! The table has, in pawns, a mid-game and an end-game value of each term: White's and Black's, each from its own
//! side, and a total, White less Black. Material, Imbalance and Pawns have only a total. The paper uses the mid-game
//! values.
//!
//! Endings that Stockfish judges by a special rule (half a per cent of positions) print zeros for every term: that is
//! no table. A position in check is evaluated like any other.

use super::{Concept, ConceptScores, Term};
use shakmaty::Color;

/// A mid-game and an end-game value, in pawns.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Phases {
    /// The mid-game value, in pawns.
    pub mg: f32,
    /// The end-game value, in pawns.
    pub eg: f32,
}

/// One term's line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TermValues {
    /// White's share in White's view, then Black's in Black's; `None` for the terms that are totals.
    pub sides: Option<[Phases; 2]>,
    /// White's view.
    pub total: Phases,
}

/// The whole table.
#[derive(Debug, Clone, PartialEq)]
pub struct Terms {
    /// In the order of [`Term::ALL`].
    values: [TermValues; 12],
    /// The evaluation of the position in White's view, in pawns.
    pub evaluation: f32,
}

/// What `eval` said.
#[derive(Debug, Clone, PartialEq)]
pub enum Eval {
    /// The terms.
    Terms(Box<Terms>),
    /// Nothing that tells of the concepts.
    NoTable(NoTable),
}

impl Eval {
    /// The 21 concepts in the order of Table 6: a side's in its own view, totals in White's. `None` without a table.
    #[must_use]
    pub fn labels(&self) -> Option<Vec<f32>> {
        match self {
            Self::Terms(terms) => Some(terms.scores().iter().map(|(_, score)| score).collect()),
            Self::NoTable(_) => None,
        }
    }
}

/// Why there are no terms.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum NoTable {
    /// Stockfish evaluates this ending by a rule of its own and computes no terms.
    #[error("Stockfish 8 judges this ending by a special rule and gives no terms for it")]
    Specialised {
        /// That rule's evaluation, White's view, in pawns.
        evaluation: f32,
    },
}

/// Text that is not such a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// A line with a term's name does not hold its numbers.
    #[error("Stockfish 8 printed a line that can't be read: {0:?}")]
    Line(String),
    /// The table ended without one of the terms.
    #[error("Stockfish 8 printed no line for {}", .0.label())]
    Missing(Term),
}

impl Terms {
    /// The values of a term.
    #[must_use]
    pub fn get(&self, term: Term) -> TermValues {
        // `Term::ALL` lists the variants in the order of their declaration.
        self.values[term as usize]
    }

    /// The paper's 21 concepts: mid-game values.
    #[must_use]
    pub fn scores(&self) -> ConceptScores {
        ConceptScores::new(Concept::ALL.map(|concept| {
            let values = self.get(concept.term);
            match (concept.side, values.sides) {
                (Some(Color::White), Some([white, _])) => white.mg,
                (Some(Color::Black), Some([_, black])) => black.mg,
                _ => values.total.mg,
            }
        }))
    }
}

/// Takes the lines that follow `eval` until the table is whole.
#[derive(Debug, Clone, Default)]
pub struct TableReader {
    values: [Option<TermValues>; 12],
}

impl TableReader {
    /// A reader that has seen nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a line. `Some` ends the table, and the reader is ready for the next one; lines that don't belong to a
    /// table are passed over.
    pub fn on_line(&mut self, line: &str) -> Option<Result<Eval, ReadError>> {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("Total Evaluation:") {
            return Some(self.finish(rest.trim()));
        }
        let (name, values) = line.split_once('|')?;
        let term = term_named(name.trim())?;
        match read_values(values, term) {
            Some(read) => {
                self.values[term as usize] = Some(read);
                None
            }
            None => {
                *self = Self::new();
                Some(Err(ReadError::Line(line.chars().take(100).collect())))
            }
        }
    }

    fn finish(&mut self, evaluation: &str) -> Result<Eval, ReadError> {
        let seen = std::mem::take(self).values;
        let unread = || {
            ReadError::Line(format!(
                "Total Evaluation: {}",
                evaluation.chars().take(100).collect::<String>()
            ))
        };
        let evaluation = evaluation
            .split_whitespace()
            .next()
            .and_then(number)
            .ok_or_else(unread)?;
        let mut values = [TermValues {
            sides: None,
            total: Phases::default(),
        }; 12];
        for (term, (slot, value)) in Term::ALL.into_iter().zip(values.iter_mut().zip(seen)) {
            *slot = value.ok_or(ReadError::Missing(term))?;
        }
        if values.iter().all(TermValues::is_zero) {
            return Ok(Eval::NoTable(NoTable::Specialised { evaluation }));
        }
        Ok(Eval::Terms(Box::new(Terms { values, evaluation })))
    }
}

impl TermValues {
    fn is_zero(&self) -> bool {
        let zero = Phases::default();
        self.total == zero && self.sides.is_none_or(|sides| sides == [zero; 2])
    }
}

fn term_named(name: &str) -> Option<Term> {
    Some(match name {
        "Material" => Term::Material,
        "Imbalance" => Term::Imbalance,
        "Pawns" => Term::Pawns,
        "Knights" => Term::Knights,
        "Bishop" | "Bishops" => Term::Bishops,
        "Rooks" => Term::Rooks,
        "Queens" => Term::Queens,
        "Mobility" => Term::Mobility,
        "King safety" => Term::KingSafety,
        "Threats" => Term::Threats,
        "Passed pawns" => Term::PassedPawns,
        "Space" => Term::Space,
        _ => return None,
    })
}

/// Three columns of two numbers; `---` in the first two of a total.
fn read_values(text: &str, term: Term) -> Option<TermValues> {
    let mut columns = text.split('|').map(|column| {
        let mut words = column.split_whitespace().map(number);
        let phases = (words.next()?, words.next()?);
        match (phases, words.next()) {
            ((Some(mg), Some(eg)), None) => Some(Phases { mg, eg }),
            _ => None,
        }
    });
    let (white, black, total) = (columns.next()?, columns.next()?, columns.next()??);
    let sides = if term.is_total() { None } else { Some([white?, black?]) };
    columns.next().is_none().then_some(TermValues { sides, total })
}

fn number(word: &str) -> Option<f32> {
    word.parse()
        .ok()
        .filter(|value: &f32| value.is_finite())
        .map(|value| value + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every table in the text.
    fn read_all(text: &str) -> Vec<Result<Eval, ReadError>> {
        let mut reader = TableReader::new();
        text.lines().filter_map(|line| reader.on_line(line)).collect()
    }

    #[test]
    fn real_tables_give_the_expected_scores() {
        let tables = read_all(include_str!("../../tests/data/sf8-eval-output.txt"));
        let expected = include_str!("../../tests/data/sf8-eval-expected.tsv");
        let mut rows = expected.lines().filter(|line| !line.starts_with('#'));
        let head: Vec<&str> = rows.next().unwrap().split('\t').collect();
        let rows: Vec<Vec<&str>> = rows.map(|row| row.split('\t').collect()).collect();
        assert_eq!(tables.len(), rows.len());
        let mut without = 0;
        for (table, row) in tables.into_iter().zip(rows) {
            let evaluation: f32 = row[1].parse().unwrap();
            match table.unwrap() {
                Eval::NoTable(NoTable::Specialised { evaluation: got }) => {
                    assert_eq!((got, row[2]), (evaluation, "none"), "{}", row[0]);
                    without += 1;
                }
                Eval::Terms(terms) => {
                    assert_eq!(terms.evaluation, evaluation, "{}", row[0]);
                    let scores = terms.scores();
                    for (name, value) in head.iter().zip(&row).skip(2) {
                        let concept = Concept::from_name(name).unwrap();
                        assert_eq!(
                            scores.get(concept),
                            value.parse::<f32>().unwrap(),
                            "{name} of {}",
                            row[0]
                        );
                    }
                }
            }
        }
        assert_eq!(without, 2);
    }

    #[test]
    fn both_phases_and_both_sides_are_kept() {
        let tables = read_all(include_str!("../../tests/data/sf8-eval-output.txt"));
        let Some(Ok(Eval::Terms(terms))) = tables.into_iter().next() else {
            panic!("the first is a table")
        };
        let threats = terms.get(Term::Threats);
        assert_eq!(threats.sides.unwrap()[0], Phases { mg: 0.0, eg: 0.10 });
        let mobility = terms.get(Term::Mobility);
        assert_eq!(
            mobility.sides.unwrap(),
            [Phases { mg: -0.19, eg: -0.21 }, Phases { mg: -0.76, eg: -0.87 }]
        );
        assert_eq!(mobility.total, Phases { mg: 0.57, eg: 0.66 });
        assert_eq!(terms.get(Term::Material).sides, None);
    }

    /// Tables of positions and of the same positions with the colours exchanged: each concept is the other side's.
    #[test]
    fn colours_are_symmetric() {
        let tables = read_all(include_str!("../../tests/data/sf8-eval-mirrored.txt"));
        assert!(tables.len() >= 20 && tables.len().is_multiple_of(2));
        for pair in tables.chunks(2) {
            let [Ok(Eval::Terms(one)), Ok(Eval::Terms(other))] = pair else {
                panic!("{pair:?}")
            };
            assert_eq!(one.scores().mirrored(), other.scores());
            assert_ne!(one.scores(), other.scores());
        }
    }

    #[test]
    fn a_table_with_a_hole_is_refused_and_the_next_one_read() {
        let text = include_str!("../../tests/data/sf8-eval-output.txt");
        let torn: String = text
            .lines()
            .filter(|line| !line.contains("Space"))
            .take(20)
            .collect::<Vec<_>>()
            .join("\n");
        assert!(matches!(read_all(&torn)[0], Err(ReadError::Missing(Term::Space))));
        let bad = "   Knights |  0.13  x | 0 0 | 0 0\n";
        let mut results = read_all(&format!("{bad}{text}"));
        assert!(matches!(results.remove(0), Err(ReadError::Line(_))));
        assert!(results.iter().all(Result::is_ok));
    }

    proptest! {
        #[test]
        fn no_text_panics(lines in proptest::collection::vec(prop_oneof![
            any::<String>(),
            "(Material|Pawns|King safety|Space) *\\|[-0-9. |xe]{0,40}",
            "Total Evaluation:[-0-9. xinf]{0,10}",
        ], 0..40)) {
            let mut reader = TableReader::new();
            for line in lines {
                let _ = reader.on_line(&line);
            }
        }
    }
}

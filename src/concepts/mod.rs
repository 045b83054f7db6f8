//! The concepts a move changes: the 21 of the paper's Table 6, where their scores come from, and which matter most; and
//! what else probes may be fitted for: tactical motifs ([`extra`]).
//!
//! # Whose view
//! [`ConceptScores`] hold a side's concept in that side's own view (positive is good for it) and the totals in
//! White's, as Stockfish 8 prints them. [`ConceptChange`] is **the mover's view throughout**: positive helps the mover.
//!
//! ```
//! use kibitz::concepts::{Concept, ConceptScores};
//! use shakmaty::Color;
//!
//! let scores = ConceptScores::new([0.25; 21]);
//! assert_eq!(scores.iter().count(), 21);
//! // A total is in White's view, so for Black its sign turns.
//! let (concept, value) = scores.iter().next().ok_or("no concepts")?;
//! assert_eq!((concept, value), (Concept::ALL[0], 0.25));
//! assert_eq!(scores.for_mover(concept, Color::Black), -0.25);
//! # Ok::<(), &str>(())
//! ```

pub mod activations;
pub mod concept;
pub mod control;
pub mod difference;
pub mod extra;
pub mod extra_fit;
pub mod extra_labels;
pub mod fit;
pub mod fitting;
pub mod label_quantiles;
pub mod layer;
pub mod men;
pub mod moves;
pub mod overlap;
pub mod priority;
pub mod probe;
pub mod probe_file;
pub mod probe_shares;
pub mod quality;
pub mod readout;
pub mod report;
pub mod rule;
pub mod sampled;
pub mod scaling;
pub mod scores;
pub mod sf8;
pub mod shares;
pub mod source;
pub mod split;
pub mod steering;
pub mod strategic_theme;
pub mod svm;

pub use activations::{Activations, HalfStore};
pub use concept::{Concept, Term};
pub use control::{Control, ControlFigures, PlaneRows, SameFit};
pub use extra::ExtraConcept;
pub use fitting::Fitting;
pub use layer::{Layer, Pools, WrongActivations};
pub use men::Men;
pub use moves::{Decisions, MotifReading};
pub use priority::{Around, ConceptChange, Predicted, lowered, priorities, prioritised, raised};
pub use probe::{Probe, ProbeSet, WrongNetwork};
pub use rule::Rule;
pub use scores::ConceptScores;
pub use shares::Shares;
pub use source::{Choice, Concepts, Source, Unit, Wanted};

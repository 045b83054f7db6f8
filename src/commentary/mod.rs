//! From facts to prose: the engine's verdict, the fact sheet, the narrator, the prompt, the check and what follows it.
//!
//! ```
//! use kibitz::{
//!     chess::{Played, read_fen, read_move},
//!     commentary::{FactSheet, narrate},
//! };
//!
//! // Without an engine the board still speaks.
//! let fools = read_fen("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2")?;
//! let mv = read_move(&fools.position, fools.mode, "Qh4")?;
//! let played = Played::new(fools.position, mv, fools.mode, Vec::new()).ok_or("not legal")?;
//! let sheet = FactSheet::new(&played, None, None);
//! assert!(narrate(&sheet)[0].text.contains("checkmate"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod answer;
pub mod appraisal;
pub mod arm;
pub mod board_facts;
pub mod claim_benchmark;
pub mod claims;
pub mod concept_backing;
pub mod concept_wording;
pub mod conversation;
pub mod declaration;
pub mod engine_facts;
pub mod evaluation;
pub mod fact;
pub mod fact_claims;
pub mod fact_kind;
pub mod fact_sheet;
pub mod inquiry;
pub mod kept_declaration;
pub(crate) mod kinds;
pub mod line_gains;
pub mod narrator;
pub mod phase;
pub mod phrases;
pub mod plans;
pub mod prevention;
pub mod prompt;

pub mod replies;
pub mod revision;
pub mod sacrifice;
pub mod salience;
pub mod standing;

pub mod theme_facts;
pub mod verdict;
pub mod voice;
pub mod wording;

pub use answer::Answer;
pub use appraisal::Appraisal;
pub use arm::{Arm, ArmWord, Guidance, UnknownArm};
pub use claims::{Checked, Claim, ClaimKind, ClaimVerdict};
pub use declaration::Declaration;
pub use evaluation::{AssembleError, Evaluation, Line, Trust, ranked};
pub use fact::{Fact, FactId, FactKind};
pub use fact_sheet::FactSheet;
pub use narrator::{Sentence, narrate, narrate_board, narrate_in};
pub use phase::Phase;
pub use prompt::{Context, Prompt, PromptOptions, prompt};
pub use revision::{Review, Reviewed, Revision};
pub use standing::Standing;
pub use verdict::Verdict;
pub use voice::Voice;

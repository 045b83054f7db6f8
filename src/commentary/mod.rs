//! From facts to prose: the engine's verdict, the fact sheet, the narrator, the prompt, the check and what follows it.

pub mod answer;
pub mod arm;
pub mod assemble;
pub mod board_facts;
pub mod claims;
pub mod concept_wording;
pub mod conversation;
pub mod engine_facts;
pub mod evaluation;
pub mod fact;
pub mod fact_kind;
pub mod fact_sheet;
pub mod inquiry;
mod kinds;
pub mod narrator;
pub mod phrases;
pub mod plans;
pub mod prompt;
pub mod remedies;
pub mod revision;
pub mod telling;
pub mod theme_facts;
pub mod verdict;
pub mod wording;

pub use answer::Answer;
pub use arm::{Arm, UnknownArm};
pub use assemble::AssembleError;
pub use claims::{Checked, Claim, ClaimKind, ClaimVerdict};
pub use evaluation::{Evaluation, Line};
pub use fact::{Fact, FactId, FactKind};
pub use fact_sheet::FactSheet;
pub use narrator::{Sentence, narrate, narrate_in};
pub use prompt::{Context, Prompt, PromptOptions, prompt};
pub use revision::{Review, Revision, Told};
pub use verdict::{Standing, Verdict};

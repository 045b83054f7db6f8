//! Rating studies with people: a study's file, who sees what in which order, one rater's session, and the results.
//!
//! | file | what is there |
//! |---|---|
//! | [`study`], [`criteria`] | a study: consent, form, instructions, scales, items, checks, options |
//! | [`study_file`], `items_apart` | reading study files, and every fault with its place; long lists of items one after another |
//! | [`limits`] | how much of everything a study may have |
//! | [`diagram`], [`diagram_words`] | diagrams that instructions can show, and what they say |
//! | [`editing`] | changes of a study that touch more than one place |
//! | [`preset`] | the structure of the paper's study, its instructions in our own words |
//! | [`demonstration`] | a small study that ships with the app, comments by the narrator |
//! | [`instrument`] | all that raters read and are asked, as a file of its own |
//! | [`warnings`] | what is better known before people are asked: gaps, too few positions |
//! | [`sources`], [`table`], [`gameknot`] | items from positions, PGN, CSV, JSON lines, lines that belong together |
//! | [`import`], [`gathering`], [`several_moves`] | what was read and what was not taken; rows to items; comments on several moves |
//! | [`model_method`] | a language model's comments as a method: its name, its prose |
//! | [`assignment`] | balanced orders, checks strewn among the pages |
//! | [`allocation`] | who sees which items, where nobody sees all |
//! | [`recruitment`] | raters from a recruiting site: their names, codes and ways out |
//! | [`phrases`], [`first_words`] | what the page says to raters, in the study's language; before anything is fetched |
//! | [`rater_code`] | by what name a rater is known |
//! | [`event`], [`session`], [`answer`], [`denial`] | one rater's session: events in, stage out; replaying its journal restores it |
//! | `foreign_text` | text from outside: what may be in it, and what an error message shows of it |
//! | [`safekeeping`] | what is known to be kept of a session in which place, and what may be relied on |
//! | [`responses`] | a rater's results as a file, and as rows of the long form |
//! | [`collection`], [`collection_queue`] | where answers are sent, what waits to be sent, what is a receipt |
//! | [`merge`] | the files of many raters, duplicates and conflicts named |
//! | [`intake`] | what the files are that an analysis is given: studies, results, scores |
//! | [`live`], [`live_listing`] | a study that runs: who is where, and the list of files at an address |
//! | [`long_form`] | results as rows, for statistics programs |
//! | [`span`] | words of a comment marked as wrong |
//! | [`claim_marks`] | what the claim check holds against comments, as marks |
//! | [`claims_by_hand`] | claims that a chat declares of a study's comments, without a key |
//! | [`links`] | a link for each slot |
//! | [`session_facts`] | what results say of their rater |
//! | [`spreadsheet`] | cells that no spreadsheet program takes for a formula |
//! | [`codebook`] | what the columns and values of exports mean |
//! | [`anonymise`] | ratings that can be given away |
//! | [`analysis`] | what ratings say: the paper's tables |
//! | [`simulation`] | raters of chance, to try a study and to see how many are needed |
//! | [`time`] | times of day in results |
//!
//! ```
//! use kibitz::survey::{assign, demonstration::demonstration};
//!
//! let study = demonstration()?;
//! // The order of the pages depends on the study, its seed and the rater, and on nothing else.
//! let pages = assign(&study, "rater-1");
//! assert_eq!(pages, assign(&study, "rater-1"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod allocation;
pub mod analysis;
pub mod anonymise;
pub mod answer;
pub mod assignment;
pub mod claim_marks;
pub mod claims_by_hand;
pub mod codebook;
pub mod collection;
pub mod collection_queue;
pub mod criteria;
pub mod demonstration;
pub mod denial;
pub mod diagram;
pub mod diagram_words;
pub mod editing;
pub mod event;
pub mod first_words;
pub(crate) mod foreign_text;
pub mod gameknot;
pub mod gathering;
pub mod import;
pub mod instrument;
pub mod intake;
mod items_apart;
pub mod limits;
pub mod links;
pub mod live;
pub mod live_listing;
pub mod long_form;
pub mod merge;
pub mod model_method;
pub mod phrases;
pub mod preset;
pub mod rater_code;
pub mod recruitment;
pub mod responses;
pub mod safekeeping;
pub mod session;
pub mod session_facts;
pub mod several_moves;
pub mod simulation;
pub mod sources;
pub mod span;
pub mod spreadsheet;
pub mod study;
pub mod study_file;
pub mod table;
pub mod time;
mod token_boards;
pub mod warnings;

pub use assignment::{Page, PageKind, assign};
pub use event::{Event, Stamp};
pub use long_form::Rating;
pub use responses::ResponseSet;
pub use session::{Session, Stage};
pub use study::{STUDY_SCHEMA, Study};
pub use study_file::{StudyError, read_draft, read_study};

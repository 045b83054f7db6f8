//! How much of everything a study may have. Whatever has more is refused with the limit, and only so much of it is looked
//! at: a file of any content is checked in bounded time.

/// The largest study file that is read, in bytes.
pub const MAX_STUDY_BYTES: usize = 16_000_000;

/// The most items, and the most pages in all.
pub const MAX_PAGES: usize = 10_000;

/// The longest text, in characters.
pub const MAX_TEXT: usize = 20_000;

/// The longest name (of a study, a method, a criterion …), in characters.
pub const MAX_NAME: usize = 64;

/// The most methods of a study, and so the most comments on an item.
pub const MOST_METHODS: usize = 50;

/// The most scores of one comment.
pub const MOST_SCORES: usize = 200;

/// The most questions on the rater.
pub const MOST_FIELDS: usize = 100;

/// The most sections of the instructions, and the most examples of one.
pub const MOST_SECTIONS: usize = 100;

/// The most questions on the instructions.
pub const MOST_QUESTIONS: usize = 50;

/// The most attempts at them.
pub const MOST_ATTEMPTS: usize = 10;

/// The most answers to choose from.
pub const MOST_CHOICES: usize = 100;

/// The most scales.
pub const MOST_SCALES: usize = 50;

/// The most points of a scale: each has a key.
pub const MOST_POINTS: usize = 9;

/// The most criteria.
pub const MOST_CRITERIA: usize = 20;

/// The most kinds of a further question.
pub const MOST_KINDS: usize = 20;

/// The most comments for practice.
pub const MOST_PRACTICE: usize = 50;

/// The longest break, in minutes.
pub const MOST_BREAK_MINUTES: usize = 240;

/// The longest time that a page may be said to take, in seconds.
pub const MOST_SECONDS: usize = 3_600;

/// The longest time that a rater may stay away, in hours: ten years.
pub const MOST_HOURS: usize = 87_600;

/// The most faults of a study that are listed.
pub const MOST_FAULTS: usize = 500;

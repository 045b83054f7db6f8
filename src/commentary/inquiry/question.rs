//! The kinds of questions, and the reader that tells them apart.
//!
//! The reader looks for words, whatever their case and the punctuation around them. The first of these that is found decides:
//!
//! | kind | words |
//! |---|---|
//! | threat | *threat…*, *menace*, *danger*, *worry*, *watch out*, *beware*, *afraid*, *fear* |
//! | plan | *plan…*, *idea…*, *intend…*, *intention…*, *strategy*, *aim…*, *goal…*, *up to*, *do/play/happen … next*, *should … do/play*, *go on*, *continue*, *what now*; of the opponent *reply*, *answer*, *response* |
//! | others | *else*, *alternative…*, *option…*, *candidate…*, *choice…*, *other/another/better/best/stronger … move(s)*, *anything/something/what … better/stronger*, *instead* |
//! | deeper | *deeper*, *longer*, *harder*, *further*, *closer*, *are you sure*, *really*, *double-check*, *check/look/think again* |
//!
//! The side asked about is the one that is named, or "the opponent", else the mover, and of what was threatened before the
//! move its opponent. Who has to worry, and the side after "to" or "against", is the one that is threatened.

use shakmaty::Color;

use super::words::Word;

/// What kind of question it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Question {
    /// It names moves.
    Moves,
    /// What becomes of a man.
    Fate,
    /// What a side threatens.
    Threat {
        /// The side that threatens.
        by: Color,
        /// Before the move, not after it.
        earlier: bool,
    },
    /// What a side means to do.
    Plan {
        /// The side.
        of: Color,
    },
    /// What else could have been played.
    Others,
    /// To look longer.
    Deeper,
    /// None of these.
    #[default]
    Unknown,
}

impl Question {
    /// Reads a question that names no moves. `mover` made the move under discussion.
    pub(super) fn read(words: &[Word<'_>], mover: Color) -> Self {
        let text = Text::of(words);
        if text.asks_for_threat() {
            return text.threat(mover);
        }
        if text.has(&["reply", "answer", "response", "respond"]) {
            let of = text.side(mover).map_or(mover.other(), |named| named.side);
            return Self::Plan { of };
        }
        if text.asks_for_plan() {
            let of = text.side(mover).map_or(mover, |named| named.side);
            return Self::Plan { of };
        }
        if text.asks_for_others() {
            return Self::Others;
        }
        if text.asks_for_more() {
            return Self::Deeper;
        }
        Self::Unknown
    }
}

/// The words of a question in lower case: letters only, "White's" as "white" and "s".
struct Text(Vec<String>);

/// A side that a question names.
struct Named {
    side: Color,
    /// "to White", "against White".
    is_object: bool,
}

impl Text {
    fn of(words: &[Word<'_>]) -> Self {
        let parts = words
            .iter()
            .flat_map(|word| word.text.split(|c: char| !c.is_alphanumeric()));
        Self(parts.filter(|part| !part.is_empty()).map(str::to_lowercase).collect())
    }

    fn has(&self, any: &[&str]) -> bool {
        self.0.iter().any(|word| any.contains(&word.as_str()))
    }

    fn begins(&self, any: &[&str]) -> bool {
        self.0.iter().any(|word| any.iter().any(|stem| word.starts_with(stem)))
    }

    /// Whether the words of `phrase` stand next to each other.
    fn says(&self, phrase: &[&str]) -> bool {
        self.0
            .windows(phrase.len())
            .any(|run| run.iter().zip(phrase).all(|(word, wanted)| word == wanted))
    }

    fn asks_for_threat(&self) -> bool {
        self.begins(&["threat", "menac", "worr"])
            || self.has(&["danger", "dangers", "dangerous", "beware", "afraid", "fear", "fears"])
            || self.says(&["watch", "out"])
            || self.says(&["look", "out"])
    }

    fn asks_for_plan(&self) -> bool {
        let next = self.has(&["next"])
            && self.has(&[
                "do", "does", "doing", "play", "plays", "happen", "happens", "come", "comes", "go", "will", "what",
            ]);
        let should = self.has(&["should"]) && self.has(&["do", "play"]);
        next || should
            || self.begins(&["plan", "intend", "intention", "strateg"])
            || self.has(&["idea", "ideas", "aim", "aims", "aiming", "goal", "goals"])
            || self.says(&["up", "to"])
            || self.says(&["go", "on"])
            || self.says(&["what", "now"])
            || self.says(&["and", "now"])
            || self.begins(&["continu"])
    }

    fn asks_for_others(&self) -> bool {
        let moves = self.has(&["move", "moves", "try", "tries", "way", "ways"]);
        let better = self.has(&["better", "best", "stronger", "strongest", "improvement", "improve"]);
        let open = self.has(&["anything", "something", "what", "which", "there", "nothing"]);
        self.begins(&["alternativ", "option", "candidate"])
            || self.has(&["else", "choice", "choices", "instead"])
            || moves && self.has(&["other", "another"])
            || better && (moves || open)
    }

    fn asks_for_more(&self) -> bool {
        let again =
            self.has(&["again", "more"]) && self.has(&["check", "look", "think", "search", "analyse", "analyze"]);
        again
            || self.has(&["deeper", "longer", "harder", "further", "closer", "really"])
            || self.says(&["you", "sure"])
            || self.says(&["you", "certain"])
            || self.says(&["double", "check"])
            || matches!(&self.0[..], [only] if only == "sure")
            || self.says(&["is", "that", "right"])
            || self.says(&["is", "that", "true"])
            || self.says(&["is", "that", "correct"])
    }

    /// The side that is named first, one that is no object before one that is.
    fn side(&self, mover: Color) -> Option<Named> {
        let named: Vec<Named> = self
            .0
            .iter()
            .enumerate()
            .filter_map(|(i, word)| {
                let side = match word.as_str() {
                    "white" | "whites" => Color::White,
                    "black" | "blacks" => Color::Black,
                    "opponent" | "opponents" | "enemy" => mover.other(),
                    _ => return None,
                };
                let before = |n: usize| i.checked_sub(n).map(|at| self.0[at].as_str());
                let is_object = [before(1), before(2).filter(|_| before(1) == Some("the"))]
                    .into_iter()
                    .flatten()
                    .any(|word| matches!(word, "to" | "against" | "for" | "on"));
                Some(Named { side, is_object })
            })
            .collect();
        let first = named.iter().position(|named| !named.is_object).unwrap_or(0);
        named.into_iter().nth(first)
    }

    fn threat(&self, mover: Color) -> Question {
        let worries = self.begins(&["worr"])
            || self.has(&["beware", "afraid", "fear", "fears", "danger"])
            || self.says(&["watch", "out"])
            || self.says(&["look", "out"]);
        let earlier = self.has(&["was", "were", "did", "before", "had", "threatened"]);
        let by = self.side(mover).map_or_else(
            || if earlier { mover.other() } else { mover },
            |named| {
                if worries || named.is_object {
                    named.side.other()
                } else {
                    named.side
                }
            },
        );
        Question::Threat {
            by,
            // What the mover threatened can only be what the move threatens: before it, the mover was to move.
            earlier: earlier && by != mover,
        }
    }
}

//! In which way and of which position a clause speaks.

use super::{
    super::statement::{Along, Mode, Point, Predicate},
    chunk::Item,
    pattern::Caught,
    sentence::Sentence,
};

/// Whether it is said of how men bear on others.
const fn is_contact(predicate: Predicate) -> bool {
    matches!(
        predicate,
        Predicate::Attacks
            | Predicate::Defends
            | Predicate::Pins
            | Predicate::Forks
            | Predicate::Skewers
            | Predicate::GivesCheck
    )
}

/// A verb of what a man does before it stands somewhere else.
fn moves_on(word: &str) -> bool {
    ["captur", "tak", "grab", "recaptur", "trad", "jump", "retreat"]
        .iter()
        .any(|stem| word.starts_with(stem))
}

impl Sentence<'_> {
    /// In which way it is said; nothing where it can't be told.
    pub(super) fn mode(&self, caught: &Caught<'_>, at: usize, able: bool, predicate: Predicate) -> Option<Mode> {
        let engine = matches!(
            predicate,
            Predicate::BestMove | Predicate::BetterMove | Predicate::EquallyGood | Predicate::LegalMoves
        );
        if able || engine {
            return Some(Mode::Asserted);
        }
        if caught
            .modal
            .is_some_and(|modal| matches!(modal, "might" | "may" | "could" | "would" | "should" | "will" | "shall"))
        {
            return Some(Mode::Supposed);
        }
        // "The knight captures on b6 and then attacks the rook": who does something else first stands elsewhere.
        let takes_over = caught
            .subject
            .is_none_or(|at| matches!(self.chunks[at].item, Item::Pronoun(_)));
        if takes_over && is_contact(predicate) && self.chunks[..at].iter().any(|chunk| moves_on(chunk.word())) {
            return Some(Mode::Supposed);
        }
        // The words before it, up to a sign.
        let before = self.chunks[..at]
            .iter()
            .rev()
            .take_while(|chunk| !matches!(chunk.item, Item::Break(_)))
            .take(6);
        for (number, chunk) in before.enumerate() {
            let word = chunk.word();
            if matches!(
                word,
                "if" | "unless" | "whether" | "perhaps" | "maybe" | "until" | "before" | "seems" | "were"
            ) {
                return Some(Mode::Supposed);
            }
            // "after the recapture": of a position that no notation leads to.
            let led = matches!(
                word,
                "after" | "once" | "when" | "following" | "eventually" | "otherwise"
            );
            if led && !self.chunks.iter().any(|chunk| matches!(chunk.item, Item::Moves(_))) {
                return Some(Mode::Supposed);
            }
            let intends = [
                "threat", "want", "hop", "plan", "inten", "aim", "tri", "wish", "prepar", "allow", "let", "try",
            ];
            if number < 3 && (intends.iter().any(|stem| word.starts_with(stem)) || word == "to") {
                return Some(Mode::Wished);
            }
            let kept = [
                "without", "from", "stop", "prevent", "than", "nothing", "nobody", "neither",
            ];
            if number < 3 && kept.iter().any(|stem| word.starts_with(stem)) || number < 2 && chunk.item == Item::Not {
                return None;
            }
            if number < 3 && matches!(chunk.item, Item::Modal(_)) {
                return Some(Mode::Supposed);
            }
        }
        Some(Mode::Asserted)
    }

    /// The positions that may be spoken of; nothing where they can't be told.
    pub(super) fn lines(&self, predicate: Predicate, caught: &Caught<'_>, at: usize) -> Option<Vec<Along>> {
        if let Some((moves, _)) = caught.moves {
            let roots = match (predicate, moves) {
                (Predicate::LegalMoves, _) => self.paths.before(moves),
                // "12...Rb8 13.Bxe5 is the main line": its first move is the best.
                (Predicate::BestMove, [first, ..]) => self.paths.roots(std::slice::from_ref(first)),
                _ => self.paths.roots(moves),
            };
            return (!roots.is_empty()).then_some(roots);
        }
        // "hits the rook after 52...Ke6": of a position that comes later in the sentence.
        let behind = self.chunks[caught.end..]
            .iter()
            .take_while(|chunk| !matches!(chunk.item, Item::Break(_)))
            .take(3);
        if behind
            .into_iter()
            .any(|chunk| matches!(chunk.word(), "after" | "once" | "following" | "when" | "if" | "before"))
        {
            return None;
        }
        let mut lines = self.paths.spoken_of(at)?;
        lines.push(Along::default());
        let past = caught.was
            || predicate == Predicate::InCheck
            || self.chunks[..caught.end].iter().any(|chunk| chunk.was || matches!(chunk.word(), "until" | "before"))
            // "An edge for Black becomes one for White."
            || predicate == Predicate::Score && self.chunks.iter().any(|chunk| chunk.was)
            || self.chunks.iter().any(|chunk| {
                ["becom", "turn", "shr", "drop", "climb", "grow", "ris"].iter().any(|stem| chunk.word().starts_with(stem))
            });
        if past {
            lines.push(Along {
                from: Point::Before,
                moves: Vec::new(),
            });
        }
        lines.dedup();
        Some(lines)
    }

    /// Whether words around say that a move can't be played, or only threatens.
    pub(super) fn denied_or_threatened(&self, at: usize) -> bool {
        // A denial behind the moves is of something else.
        self.chunks.iter().enumerate().any(|(place, chunk)| match &chunk.item {
            Item::Not => place < at,
            Item::Word(word) => [
                "threat",
                "prevent",
                "stop",
                "rul",
                "avoid",
                "impossible",
                "illegal",
                "without",
                "if",
                "parr",
                "idea",
                "plan",
            ]
            .iter()
            .any(|stem| word.starts_with(stem)),
            _ => false,
        })
    }
}

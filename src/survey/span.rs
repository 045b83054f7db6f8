//! Words of a comment that are marked as wrong: by a rater, by the claim check, or planted to see who follows marks blindly.

use serde::{Deserialize, Serialize};

use super::criteria::Kind;

/// The criterion of the rows of the long form that hold marked words, one row a span; see [`Span::to_value`].
pub const SPAN: &str = "span";

/// The criterion of the row that says which marks the rater was shown; see [`Prefill`].
pub const SPAN_CONDITION: &str = "span_condition";

/// Words of a comment with the kind of error that they are.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Span {
    /// The first character, counted from 0. Characters are Unicode scalar values.
    pub start: usize,
    /// The character after the last one.
    pub end: usize,
    /// The id of the kind of error.
    pub kind: String,
}

/// Which marks a comment carries when it is first shown to a rater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Prefill {
    /// No marks: the rater marks a clean text.
    Hidden,
    /// Those of the claim check.
    Shown,
    /// Those of the claim check, and wrong ones that were planted among them.
    Planted,
}

impl Prefill {
    /// As files have it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Hidden => "hidden",
            Self::Shown => "shown",
            Self::Planted => "planted",
        }
    }

    /// Reads such a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Hidden, Self::Shown, Self::Planted]
            .into_iter()
            .find(|condition| condition.word() == word)
    }
}

/// Asks raters to mark the words that are wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpanQuestion {
    /// What raters are asked to do.
    pub question: String,
    /// The kinds of errors that marked words can be.
    pub kinds: Vec<Kind>,
    /// Which marks comments carry at first. Of several, each rater meets each equally often, and each item with each over
    /// as many raters.
    #[serde(default = "hidden", skip_serializing_if = "is_hidden")]
    pub prefill: Vec<Prefill>,
}

fn hidden() -> Vec<Prefill> {
    vec![Prefill::Hidden]
}

fn is_hidden(prefill: &[Prefill]) -> bool {
    prefill == [Prefill::Hidden]
}

/// The most spans of one comment.
pub const MAX_SPANS: usize = 100;

/// Whether these are marks on a comment of so many characters: in their order, none within another, of these kinds.
#[must_use]
pub fn are_marks(spans: &[Span], characters: usize, kinds: &[Kind]) -> bool {
    spans.len() <= MAX_SPANS
        && spans
            .iter()
            .all(|span| span.fits(characters) && kinds.iter().any(|kind| kind.id == span.kind))
        && spans.windows(2).all(|pair| pair[0].end <= pair[1].start)
}

/// The claim check's marks with the planted ones among them, in their order; a planted one gives way.
#[must_use]
pub fn with_decoys(marks: &[Span], decoys: &[Span]) -> Vec<Span> {
    let apart = decoys
        .iter()
        .filter(|decoy| !marks.iter().any(|mark| mark.meets(decoy)));
    let mut all: Vec<Span> = marks.iter().chain(apart).cloned().collect();
    all.sort_unstable();
    all
}

impl Span {
    /// Whether this is a piece of a comment that has so many characters.
    #[must_use]
    pub const fn fits(&self, characters: usize) -> bool {
        self.start < self.end && self.end <= characters
    }

    /// Whether two have a character in common.
    #[must_use]
    pub const fn meets(&self, other: &Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The words in the comment; empty where the span does not fit the comment.
    #[must_use]
    pub fn words<'a>(&self, comment: &'a str) -> &'a str {
        let byte = |character: usize| {
            let starts = comment.char_indices().map(|(byte, _)| byte);
            starts.chain([comment.len()]).nth(character)
        };
        match (byte(self.start), byte(self.end)) {
            (Some(start), Some(end)) if start < end => &comment[start..end],
            _ => "",
        }
    }

    /// As a value of the long form: `12-25 wrong-piece`.
    #[must_use]
    pub fn to_value(&self) -> String {
        format!("{}-{} {}", self.start, self.end, self.kind)
    }

    /// Reads such a value.
    #[must_use]
    pub fn from_value(value: &str) -> Option<Self> {
        let (places, kind) = value.trim().split_once(' ')?;
        let (start, end) = places.split_once('-')?;
        let span = Self {
            start: start.parse().ok()?,
            end: end.parse().ok()?,
            kind: kind.trim().to_owned(),
        };
        (span.start < span.end && !span.kind.is_empty()).then_some(span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: usize, end: usize) -> Span {
        Span {
            start,
            end,
            kind: "wrong-piece".to_owned(),
        }
    }

    #[test]
    fn values_of_the_long_form_are_read_back() {
        assert_eq!(span(12, 25).to_value(), "12-25 wrong-piece");
        assert_eq!(Span::from_value("12-25 wrong-piece"), Some(span(12, 25)));
        for text in ["", "12-25", "25-12 x", "3-3 x", "a-b x", "1-2 "] {
            assert_eq!(Span::from_value(text), None, "{text}");
        }
    }

    #[test]
    fn places_are_characters_and_no_bytes() {
        let comment = "Żółw nie bije.";
        assert_eq!(span(0, 4).words(comment), "Żółw");
        assert_eq!(span(9, 14).words(comment), "bije.");
        assert_eq!((span(9, 15).words(comment), span(5, 5).words(comment)), ("", ""));
        assert!(span(9, 14).fits(14) && !span(9, 15).fits(14));
        assert!(span(0, 4).meets(&span(3, 5)) && !span(0, 4).meets(&span(4, 5)));
    }
}

//! Commands that programs write into PGN comments: `[%eval 0.35]`, `[%clk 0:05:00]`, `[%csl Ge4]` (the supplement to the
//! PGN standard, section 6). Readers that do not know one pass over it.

use std::ops::Range;

/// One command in a comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbeddedCommand<'a> {
    /// Its bytes in the comment, brackets included.
    pub span: Range<usize>,
    /// What follows `[%`: `eval`, `clk`, …
    pub name: &'a str,
    /// The rest, without the white space around it; often empty.
    pub value: &'a str,
}

/// The commands in a comment, in their order. What is not closed is text.
pub fn commands(comment: &str) -> impl Iterator<Item = EmbeddedCommand<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + comment[at..].find("[%")?;
            let inside = start + 2;
            let length = comment[inside..].find(['[', ']'])?;
            let end = inside + length;
            // Another bracket opens before this one closes: the first is text.
            if comment[end..].starts_with('[') {
                at = end;
                continue;
            }
            at = end + 1;
            let (name, value) = comment[inside..end]
                .split_once(char::is_whitespace)
                .unwrap_or((&comment[inside..end], ""));
            if name.is_empty() {
                continue;
            }
            return Some(EmbeddedCommand {
                span: start..end + 1,
                name,
                value: value.trim(),
            });
        }
    })
}

/// The comment without these bytes (in ascending order, not overlapping), white space as single spaces.
#[must_use]
pub fn without(comment: &str, spans: impl IntoIterator<Item = Range<usize>>) -> String {
    let mut kept = String::new();
    let mut at = 0;
    for span in spans {
        kept.push_str(&comment[at..span.start]);
        kept.push(' ');
        at = span.end;
    }
    kept.push_str(&comment[at..]);
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How often one looks again after commands were taken out: where one is taken out of the middle of what looked like
/// another, that becomes one. No program writes such a thing; a hostile comment might nest a million.
pub const ROUNDS: usize = 8;

/// What a person reads of the comment: all but the commands.
#[must_use]
pub fn prose(comment: &str) -> String {
    let mut kept = without(comment, []);
    for _ in 0..ROUNDS {
        if commands(&kept).next().is_none() {
            break;
        }
        kept = without(&kept, commands(&kept).map(|command| command.span));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn commands_are_found_and_text_stays() {
        let comment = "So. [%eval -1.2,18] [%clk 0:01:02]Well [% x] [%half [%csl Ge4,Rd5] [%open 3";
        let found: Vec<_> = commands(comment).map(|c| (c.name, c.value)).collect();
        assert_eq!(found, [("eval", "-1.2,18"), ("clk", "0:01:02"), ("csl", "Ge4,Rd5")]);
        assert_eq!(prose(comment), "So. Well [% x] [%half [%open 3");
        assert_eq!(prose("[%emt]"), "");
        assert_eq!(prose("[%a [%b] c] d"), "d");
    }

    proptest! {
        #[test]
        fn any_text_is_read(comment in "(\\[%|\\]|\\[|eval|é| |[a-z.]){0,20}") {
            let mut at = 0;
            for command in commands(&comment) {
                prop_assert!(command.span.start >= at && comment[command.span.clone()].starts_with("[%"));
                at = command.span.end;
            }
            prop_assert!(comment.matches("[%").count() > ROUNDS || commands(&prose(&comment)).next().is_none());
        }
    }
}

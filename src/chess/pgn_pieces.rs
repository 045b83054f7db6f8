//! Where games begin in a file of many, so that it can be read a game, or a few of them, at a time.

/// Looks at a file line by line: a game begins at a tag behind something that is no tag.
#[derive(Debug, Clone, Copy, Default)]
pub struct GameStarts {
    in_moves: bool,
    in_comment: bool,
    after_blank: bool,
}

impl GameStarts {
    /// Whether a game begins with this line, and another one is before it.
    pub fn begins(&mut self, line: &str) -> bool {
        let line = line.trim();
        let was_blank = std::mem::replace(&mut self.after_blank, line.is_empty());
        // A comment's line may begin like a tag. One that nobody closed ends at a tag behind a blank line all the same.
        if is_tag(line) && (!self.in_comment || (was_blank && line.ends_with("\"]"))) {
            let begins = self.in_moves;
            *self = Self::default();
            return begins;
        }
        self.in_moves |= !line.is_empty();
        if !line.starts_with([';', '%']) {
            match (line.rfind('{'), line.rfind('}')) {
                (None, None) => {}
                (opened, closed) => self.in_comment = opened > closed,
            }
        }
        false
    }
}

/// `[Event "…`, and tags that lack their quotes; not `[%clk …`.
pub(super) fn is_tag(line: &str) -> bool {
    line.strip_prefix('[')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// The text in pieces that each begin with a game and have at least so many bytes, but the last.
pub fn pieces(text: &str, at_least: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    let line_end = if text.contains('\n') { '\n' } else { '\r' };
    std::iter::from_fn(move || {
        let (mut starts, mut end) = (GameStarts::default(), 0);
        for line in rest.split_inclusive(line_end) {
            if starts.begins(line) && end >= at_least {
                break;
            }
            end += line.len();
        }
        let (piece, after) = rest.split_at(end);
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FIRST: &str =
        "[Event \"A\"]\n[White \"B\"]\n\n1. e4 {a comment\n[of \"three\"\nlines]} e5\n\n{one more} 1-0\n\n";
    const SECOND: &str = "[Event \"C\"]\n\n[Site \"D\"]\n\n1. d4 {[%clk 0:01]\n[%eval 0.1]} *\n";
    const OPEN: &str = "[Event \"E\"]\n\n1. c4 {nobody closes it\n\n";

    #[test]
    fn a_piece_begins_with_each_game() {
        let text = [FIRST, SECOND, OPEN, FIRST].concat();
        assert_eq!(pieces(&text, 0).collect::<Vec<_>>(), [FIRST, SECOND, OPEN, FIRST]);
        let old = text.replace('\n', "\r\n");
        assert_eq!(pieces(&old, 0).count(), 4);
        assert_eq!(pieces(&text.replace('\n', "\r"), 0).count(), 4);
    }

    #[test]
    fn short_games_share_a_piece() {
        let text = FIRST.repeat(10);
        let lengths: Vec<_> = pieces(&text, 3 * FIRST.len() - 1).map(str::len).collect();
        assert_eq!(lengths, [3, 3, 3, 1].map(|games| games * FIRST.len()));
    }

    proptest! {
        #[test]
        fn nothing_is_lost(text in "([\\[\\]{};%A\" \n\r]|1\\. e4 ){0,80}", at_least in 0..40_usize) {
            let found: Vec<_> = pieces(&text, at_least).collect();
            prop_assert_eq!(found.concat(), text.as_str());
            for piece in found.iter().rev().skip(1) {
                prop_assert!(piece.len() >= at_least.max(1));
            }
        }
    }
}

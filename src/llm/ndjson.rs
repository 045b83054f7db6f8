//! Lines that arrive in pieces: JSON objects, one a line, as Ollama streams them.

/// Parts bytes into lines, wherever they are split. Blank lines are passed over.
#[derive(Debug)]
pub(super) struct LineParser {
    limit: usize,
    line: Vec<u8>,
    dead: bool,
}

/// A line is longer than the bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooLong;

impl LineParser {
    /// A parser for lines of `limit` bytes at most.
    pub(super) fn with_limit(limit: usize) -> Self {
        Self {
            limit,
            line: Vec::new(),
            dead: false,
        }
    }

    /// The next line that `bytes` complete, taking from their front; `None` when they are used up. After an error there
    /// is nothing more.
    pub(super) fn next(&mut self, bytes: &mut &[u8]) -> Option<Result<Vec<u8>, TooLong>> {
        while !bytes.is_empty() && !self.dead {
            let end = bytes.iter().position(|&byte| byte == b'\n');
            let text = &bytes[..end.unwrap_or(bytes.len())];
            if self.line.len() + text.len() > self.limit {
                self.dead = true;
                return Some(Err(TooLong));
            }
            self.line.extend_from_slice(text);
            *bytes = end.map_or(&[], |end| &bytes[end + 1..]);
            if end.is_some() {
                let line = std::mem::take(&mut self.line);
                if !line.trim_ascii().is_empty() {
                    return Some(Ok(line));
                }
            }
        }
        None
    }

    /// What stands behind the last line end.
    pub(super) fn finish(self) -> Vec<u8> {
        if self.dead { Vec::new() } else { self.line }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(pieces: &[&[u8]], limit: usize) -> (Vec<Result<Vec<u8>, TooLong>>, Vec<u8>) {
        let mut parser = LineParser::with_limit(limit);
        let mut lines = Vec::new();
        for piece in pieces {
            let mut piece = *piece;
            lines.extend(std::iter::from_fn(|| parser.next(&mut piece)));
        }
        (lines, parser.finish())
    }

    #[test]
    fn lines_end_with_a_line_feed() {
        let (lines, rest) = read(&[b"{}\r\n\n \n{\"a\":\"", "é\"}\nx".as_bytes()], 20);
        assert_eq!(lines, [Ok(b"{}\r".to_vec()), Ok("{\"a\":\"é\"}".as_bytes().to_vec())]);
        assert_eq!(rest, b"x");
        assert_eq!(
            read(&[b"1234\n12345\n1"], 4),
            (vec![Ok(b"1234".to_vec()), Err(TooLong)], vec![])
        );
    }

    proptest! {
        #[test]
        fn splitting_changes_nothing(
            bytes in "[ab\n]{0,60}",
            cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..6),
        ) {
            let bytes = bytes.as_bytes();
            let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
            at.sort_unstable();
            at.push(bytes.len());
            let mut from = 0;
            let pieces: Vec<&[u8]> = at.iter().map(|&to| &bytes[std::mem::replace(&mut from, to)..to]).collect();
            for limit in [5, 100] {
                prop_assert_eq!(read(&pieces, limit), read(&[bytes], limit));
            }
        }
    }
}

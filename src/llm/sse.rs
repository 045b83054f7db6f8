//! Server-sent events, read as the bytes arrive. Source: WHATWG HTML, section 9.2.6 "Interpreting an event stream".
//!
//! Two liberties, both for servers that are out there: the last event counts even where the stream ends without the
//! blank line after it (the reader of the data sees whether it is whole), and a field `error`, which llama.cpp sent
//! until late 2025 in place of `data`, makes an event named `error`.

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SseEvent {
    /// The event's name, empty for the usual ones.
    pub event: String,
    /// Its data, lines joined by `\n`. Bytes that are not UTF-8 have become U+FFFD.
    pub data: String,
}

impl SseEvent {
    /// Whether this is the `[DONE]` that ends a chat stream.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.data.trim() == "[DONE]"
    }
}

/// Why a stream cannot be read on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SseError {
    /// One event outgrew the bound.
    #[error("One event of the stream is longer than {limit} bytes.")]
    TooLong {
        /// The bound in bytes.
        limit: usize,
    },
}

/// The bound on one event, in bytes: forty times what the longest honest chunk takes.
pub const MAX_EVENT: usize = 256 * 1024;

/// Reads events from bytes that may be split anywhere. How they are split changes nothing about what comes out.
#[derive(Debug)]
pub struct SseParser {
    limit: usize,
    line: Vec<u8>,
    event: String,
    data: Option<String>,
    after_cr: bool,
    at_start: bool,
    dead: bool,
}

impl Default for SseParser {
    fn default() -> Self {
        Self::with_limit(MAX_EVENT)
    }
}

impl SseParser {
    /// A parser whose events hold `limit` bytes at most.
    #[must_use]
    pub fn with_limit(limit: usize) -> Self {
        Self {
            limit,
            line: Vec::new(),
            event: String::new(),
            data: None,
            after_cr: false,
            at_start: true,
            dead: false,
        }
    }

    /// The events that `bytes` complete. An error is the last item ever given: what follows it is ignored.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Result<SseEvent, SseError>> {
        let mut events = Vec::new();
        let mut rest = bytes;
        while !rest.is_empty() && !self.dead {
            if std::mem::take(&mut self.after_cr) && rest[0] == b'\n' {
                rest = &rest[1..];
                continue;
            }
            let end = rest.iter().position(|&byte| byte == b'\n' || byte == b'\r');
            let text = &rest[..end.unwrap_or(rest.len())];
            if self.held() + text.len() > self.limit {
                self.dead = true;
                events.push(Err(SseError::TooLong { limit: self.limit }));
                break;
            }
            self.line.extend_from_slice(text);
            let Some(end) = end else { break };
            self.after_cr = rest[end] == b'\r';
            rest = &rest[end + 1..];
            events.extend(self.end_line().map(Ok));
        }
        events
    }

    /// The event that the end of the stream completes, if any.
    #[must_use]
    pub fn finish(mut self) -> Option<SseEvent> {
        if self.dead {
            return None;
        }
        self.end_line().or_else(|| self.dispatch())
    }

    fn held(&self) -> usize {
        self.line.len() + self.event.len() + self.data.as_ref().map_or(0, String::len)
    }

    fn end_line(&mut self) -> Option<SseEvent> {
        let mut bytes = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.at_start) && bytes.starts_with(b"\xEF\xBB\xBF") {
            bytes.drain(..3);
        }
        if bytes.is_empty() {
            return self.dispatch();
        }
        let line = String::from_utf8_lossy(&bytes);
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => self.add(value),
            "event" => self.event = value.to_owned(),
            "error" => {
                self.event = "error".to_owned();
                self.add(value);
            }
            // Comments (an empty field name), `id`, `retry` and what a later standard may bring.
            _ => {}
        }
        None
    }

    fn add(&mut self, value: &str) {
        match &mut self.data {
            Some(data) => {
                data.push('\n');
                data.push_str(value);
            }
            None => self.data = Some(value.to_owned()),
        }
    }

    fn dispatch(&mut self) -> Option<SseEvent> {
        let event = std::mem::take(&mut self.event);
        self.data.take().map(|data| SseEvent { event, data })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(pieces: &[&[u8]], limit: usize) -> Vec<Result<SseEvent, SseError>> {
        let mut parser = SseParser::with_limit(limit);
        let mut events: Vec<_> = pieces.iter().flat_map(|piece| parser.push(piece)).collect();
        events.extend(parser.finish().map(Ok));
        events
    }

    fn data(bytes: &[u8]) -> Vec<(String, String)> {
        let events = read(&[bytes], MAX_EVENT);
        events
            .into_iter()
            .map(|event| event.map(|e| (e.event, e.data)).unwrap())
            .collect()
    }

    fn plain(texts: &[&str]) -> Vec<(String, String)> {
        texts.iter().map(|&text| (String::new(), text.to_owned())).collect()
    }

    #[test]
    fn reads_every_line_ending() {
        for end in ["\n", "\r\n", "\r"] {
            let stream = "data: a\ndata:b\n\ndata:  c\n\n".replace('\n', end);
            assert_eq!(data(stream.as_bytes()), plain(&["a\nb", " c"]), "{end:?}");
        }
    }

    #[test]
    fn follows_the_standard() {
        assert_eq!(data(b"\xEF\xBB\xBFdata: bom\n\n"), plain(&["bom"]));
        assert_eq!(data(b": ping\n\n:\ndata: x\nid: 1\nretry: 5\nfoo\n\n"), plain(&["x"]));
        assert_eq!(data(b"data\n\n"), plain(&[""]));
        assert_eq!(data(b"data:\ndata:\n\n"), plain(&["\n"]));
        assert_eq!(data(b"event: lost\n\ndata: x\n\n"), plain(&["x"]));
        assert_eq!(
            data(b"event: ping\ndata: {}\n\n"),
            [("ping".to_owned(), "{}".to_owned())]
        );
        assert_eq!(data(b"\n\n\n"), []);
    }

    #[test]
    fn takes_two_liberties() {
        assert_eq!(data(b"data: a\n\ndata: [DONE]"), plain(&["a", "[DONE]"]));
        assert_eq!(
            data(b"error: {\"code\":400}\n\n"),
            [("error".to_owned(), "{\"code\":400}".to_owned())]
        );
    }

    #[test]
    fn an_endless_event_is_an_error() {
        let too_long = Err(SseError::TooLong { limit: 10 });
        assert_eq!(
            read(&[b"data: ", &[b'x'; 11], b"\n\ndata: y\n\n"], 10),
            std::slice::from_ref(&too_long)
        );
        let many: Vec<&[u8]> = std::iter::repeat_n(&b"data: x\n"[..], 50).collect();
        assert_eq!(read(&many, 10), [too_long]);
        // Comments do not add up.
        assert_eq!(read(&[b": x\n: x\n: x\n: x\n", b"data: y\n\n"], 10).len(), 1);
    }

    proptest! {
        #[test]
        fn splitting_changes_nothing(
            stream in prop_oneof![
                proptest::collection::vec(any::<u8>(), 0..200),
                "(data: ?[aé♞]{0,9}|event: e|: c|error: x|\u{FEFF}|\n|\r|\r\n){0,40}".prop_map(String::into_bytes),
            ],
            cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..12),
            limit in prop_oneof![Just(16_usize), Just(MAX_EVENT)],
        ) {
            let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(stream.len() + 1)).collect();
            at.sort_unstable();
            at.push(stream.len());
            let mut from = 0;
            let pieces: Vec<&[u8]> = at.iter().map(|&to| &stream[std::mem::replace(&mut from, to)..to]).collect();
            let single: Vec<&[u8]> = stream.chunks(1).collect();
            let whole = read(&[&stream], limit);
            prop_assert_eq!(&read(&pieces, limit), &whole);
            prop_assert_eq!(&read(&single, limit), &whole);
        }
    }
}

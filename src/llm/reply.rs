//! A reply, put together as its bytes arrive.

use std::time::Duration;

use serde_json::Value;

use super::chunk::Chunk;
use super::complaint::Complaint;
use super::error::ChatError;
use super::finish::Finish;
use super::json::{self, Halves};
use super::key::ApiKey;
use super::ndjson::{LineParser, TooLong};
use super::probabilities::TokenProbabilities;
use super::provider::Provider;
use super::redaction::Redaction;
use super::server_text::clean;
use super::sse::{SseEvent, SseParser};
use super::support::Support;
use super::thinking::{Part, Thinking};
use super::usage::Usage;

/// The longest reply, in bytes of text: a comment has a few hundred, a game's annotations a few thousand.
pub const MAX_TEXT: usize = 64 * 1024;
/// Thinking beyond this many bytes is not kept.
pub const MAX_THINKING: usize = 256 * 1024;
/// The most bytes read off the wire for one reply: a stream takes some 300 bytes a token, so 50,000 tokens.
pub const MAX_WIRE: usize = 16 * 1024 * 1024;
/// The longest reply in one piece, in bytes: a little longer than its text and thinking; escapes make six bytes of one.
const MAX_BODY: usize = 8 * (MAX_TEXT + MAX_THINKING);

/// A whole reply; `text` is not blank.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// What the model says, without its thinking.
    pub text: String,
    /// What it thought before, where the server shows it; [`MAX_THINKING`] bytes at most.
    pub thinking: String,
    /// How it ended, where the server says.
    pub finish: Option<Finish>,
    /// Token counts, where the server says.
    pub usage: Option<Usage>,
    /// The model that answered, where the server says: an alias is resolved here.
    pub model: Option<String>,
    /// How likely each token was, where that was asked for and the server gives it.
    pub probabilities: Option<TokenProbabilities>,
    /// Fields of the request that the server refused, so that it was asked again without them: see
    /// [`ChatRequest::given_up`](super::ChatRequest::given_up).
    pub given_up: Vec<&'static str>,
}

impl Reply {
    /// Whether the text ends where the bound on its length was, not where the model was done.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.finish == Some(Finish::Length)
    }

    /// What a reader has to know of how it ended, a sentence; nothing where all went well.
    #[must_use]
    pub fn note(&self) -> Option<&'static str> {
        match self.finish {
            Some(Finish::Length) => Some("Cut off at the bound on its length."),
            Some(Finish::Unmarked) => Some("Its end was not marked: something may be missing."),
            _ => None,
        }
    }
}

/// A piece of a reply, as it arrives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delta {
    /// More text.
    Text(String),
    /// More thinking, which is not part of the text.
    Thinking(String),
    /// All text so far was thinking: the reply began within a thought, as its end shows.
    Recalled,
}

/// Reads the body of a 2xx answer, streamed or not: a body that begins with `{` or `[` is JSON whatever its content
/// type says, in lines where the provider is Ollama. Feed it with [`push`](Self::push) until the body ends or [`is_over`](Self::is_over), then ask
/// [`finish`](Self::finish). Neither depends on how the bytes were split. The browser's own model gives text instead:
/// [`push_text`](Self::push_text), then [`finish_text`](Self::finish_text).
#[derive(Debug)]
pub struct ReplyStream {
    provider: Provider,
    form: Form,
    key: Option<ApiKey>,
    wire: usize,
    /// Of the text, and of the thinking that the server parts from it.
    halves: [Halves; 2],
    thinking_tags: Thinking,
    shown_text: Redaction,
    shown_thinking: Redaction,
    text: String,
    thinking: String,
    refusal: String,
    finish: Option<Finish>,
    usage: Option<Usage>,
    model: Option<String>,
    probabilities: TokenProbabilities,
    /// Whether anything of a chat reply has been seen.
    of_chat: bool,
    done: bool,
    error: Option<ChatError>,
}

#[derive(Debug)]
enum Form {
    /// Nothing but blanks yet: these.
    Unknown(Vec<u8>),
    Events(SseParser),
    Lines(LineParser),
    /// The body so far: JSON, or a web page that should not be there.
    Whole(Vec<u8>),
}

impl ReplyStream {
    /// A stream at its beginning. `key` is what must be neither in the reply nor in an error's texts.
    #[must_use]
    pub fn new(provider: Provider, key: Option<ApiKey>) -> Self {
        Self {
            provider,
            form: Form::Unknown(Vec::new()),
            key,
            wire: 0,
            halves: Default::default(),
            thinking_tags: Thinking::default(),
            shown_text: Redaction::default(),
            shown_thinking: Redaction::default(),
            text: String::new(),
            thinking: String::new(),
            refusal: String::new(),
            finish: None,
            usage: None,
            model: None,
            probabilities: TokenProbabilities::default(),
            of_chat: false,
            done: false,
            error: None,
        }
    }

    /// What `bytes` bring. A reply that is not streamed brings all at [`finish`](Self::finish).
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Delta> {
        let mut deltas = Vec::new();
        if self.is_over() {
            return deltas;
        }
        // Byte-exact, so that the bound falls at the same place however the bytes are split.
        let room = MAX_WIRE - self.wire;
        self.wire += bytes.len().min(room);
        self.read(&bytes[..bytes.len().min(room)], &mut deltas);
        if bytes.len() > room && !self.is_over() {
            self.error = Some(endless());
        }
        deltas
    }

    /// What a piece of text brings that came without any wrapping.
    pub fn push_text(&mut self, piece: &str) -> Vec<Delta> {
        let mut deltas = Vec::new();
        if !self.is_over() {
            let parts = self.thinking_tags.push(piece);
            self.keep(parts, &mut deltas);
        }
        deltas
    }

    /// The reply, when the last piece of text has come.
    pub fn finish_text(mut self) -> Result<Reply, ChatError> {
        self.done = true;
        self.finish()
    }

    /// Whether no more needs to be read: the stream said that it is done, or failed.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.done || self.error.is_some()
    }

    /// Whether something said that the reply has ended.
    fn is_marked(&self) -> bool {
        self.done || self.finish.is_some()
    }

    /// The text so far.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The reply, when the body has ended.
    pub fn finish(self) -> Result<Reply, ChatError> {
        self.finish_whole().judge()
    }

    fn finish_whole(mut self) -> Self {
        let mut rest = Vec::new();
        match std::mem::replace(&mut self.form, Form::Unknown(Vec::new())) {
            Form::Unknown(_) => {}
            Form::Events(parser) => {
                if !self.is_over()
                    && let Some(event) = parser.finish()
                {
                    self.take_event(&event, &mut rest);
                }
            }
            Form::Lines(parser) => {
                let line = parser.finish();
                if !self.is_over() && !line.trim_ascii().is_empty() {
                    match json::read_halves(&line) {
                        Ok(value) if self.of_chat => self.take_object(&value, &mut rest),
                        Err(_) if self.of_chat => self.error = Some(broken_off()),
                        _ => self.take_body(&line, &mut rest),
                    }
                }
            }
            Form::Whole(body) if self.error.is_none() => self.take_body(&body, &mut rest),
            Form::Whole(_) => {}
        }
        let cut = !self.is_marked() || self.finish == Some(Finish::Length);
        let mut parts = self.thinking_tags.push(self.halves[0].finish());
        parts.extend(self.thinking_tags.finish(cut));
        self.keep(parts, &mut rest);
        self.flush(&mut rest);
        self
    }

    /// Whether the answer, which is all there, brought token probabilities; [`Support::Unknown`] where it is no reply at
    /// all.
    #[must_use]
    pub fn support(self) -> Support {
        match self.finish_whole() {
            whole if !whole.probabilities.tokens.is_empty() => Support::Yes,
            whole if whole.of_chat && whole.error.is_none() => Support::No,
            _ => Support::Unknown,
        }
    }

    /// The reply, when reading the body failed: whole where the end had been said before.
    pub fn broken(self) -> Result<Reply, ChatError> {
        if self.is_over() || self.is_marked() {
            return self.finish();
        }
        Err(ChatError::BrokenStream {
            received: self.received(),
            cause: None,
        })
    }

    /// The error when the user pressed stop.
    #[must_use]
    pub fn stopped(self) -> ChatError {
        ChatError::Stopped {
            received: self.received(),
        }
    }

    /// The error when it takes longer than any reply does, though something comes all the time.
    #[must_use]
    pub fn too_long(self) -> ChatError {
        ChatError::Endless {
            received: self.received(),
        }
    }

    /// The error when nothing came for so long.
    #[must_use]
    pub fn timed_out(self, silence: Duration) -> ChatError {
        ChatError::TimedOut {
            seconds: u32::try_from(silence.as_secs()).unwrap_or(u32::MAX),
            received: self.received(),
        }
    }

    /// All that came.
    fn received(mut self) -> String {
        self.flush(&mut Vec::new());
        self.text
    }

    fn read(&mut self, bytes: &[u8], deltas: &mut Vec<Delta>) {
        let joined;
        let mut bytes = bytes;
        if let Form::Unknown(blanks) = &mut self.form {
            // A byte order mark and blanks say nothing of the form, but the parser must see them.
            let first = bytes.iter().position(|byte| !b"\xEF\xBB\xBF \t\r\n".contains(byte));
            if blanks.len() + first.unwrap_or(bytes.len()) > MAX_TEXT {
                self.error = Some(endless());
                return;
            }
            blanks.extend_from_slice(bytes);
            let Some(first) = first else { return };
            let form = match bytes[first] {
                b'{' if self.provider == Provider::Ollama => Form::Lines(LineParser::with_limit(MAX_BODY)),
                b'{' | b'[' | b'<' => Form::Whole(Vec::new()),
                _ => Form::Events(SseParser::default()),
            };
            joined = std::mem::take(blanks);
            bytes = &joined;
            self.form = form;
        }
        match &mut self.form {
            Form::Unknown(_) => {}
            Form::Whole(body) => {
                if body.len() + bytes.len() > MAX_BODY {
                    body.clear();
                    self.error = Some(endless());
                } else {
                    body.extend_from_slice(bytes);
                }
            }
            Form::Events(parser) => {
                for event in parser.push(bytes) {
                    if self.is_over() {
                        break;
                    }
                    match event {
                        Ok(event) => self.take_event(&event, deltas),
                        Err(_) => self.error = Some(endless()),
                    }
                }
            }
            Form::Lines(_) => self.read_lines(bytes, deltas),
        }
    }

    fn read_lines(&mut self, mut bytes: &[u8], deltas: &mut Vec<Delta>) {
        while let Form::Lines(parser) = &mut self.form {
            let line = match parser.next(&mut bytes) {
                None => return,
                Some(Ok(line)) => line,
                Some(Err(TooLong)) => {
                    self.error = Some(endless());
                    return;
                }
            };
            let text = line.trim_ascii_start();
            match json::read_halves(text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text)) {
                Ok(value) => self.take_object(&value, deltas),
                // Half an object: skipping it would drop a word, perhaps a "not".
                Err(_) if self.of_chat => self.error = Some(broken_off()),
                Err(_) => {}
            }
            // JSON over several lines, another API's, or none: whatever it is, it is read as a whole.
            if !self.of_chat && self.error.is_none() {
                let mut body = line;
                body.push(b'\n');
                self.form = Form::Whole(body);
                return self.read(bytes, deltas);
            }
            if self.is_over() {
                return;
            }
        }
    }

    fn take_event(&mut self, event: &SseEvent, deltas: &mut Vec<Delta>) {
        if event.is_done() {
            self.done = true;
            self.flush(deltas);
            return;
        }
        let key = self.key.as_ref();
        let data = event.data.trim();
        match json::read_halves(data.as_bytes()) {
            Ok(value) if event.event == "error" => self.error = Some(Complaint::read(&value, key).into_stream_error()),
            Ok(value) => self.take_object(&value, deltas),
            Err(_) if event.event == "error" => {
                self.error = Some(Complaint::read_text(data.as_bytes(), key).into_stream_error());
            }
            // Half an object: skipping it would drop a word, perhaps a "not".
            Err(_) if data.starts_with(['{', '[']) && self.finish.is_none() => {
                self.error = Some(broken_off());
            }
            // Something to keep the line open.
            Err(_) => {}
        }
    }

    fn take_body(&mut self, body: &[u8], deltas: &mut Vec<Delta>) {
        let key = self.key.as_ref();
        let text = body.trim_ascii_start();
        match json::read_halves(text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text)) {
            Ok(value) => {
                self.take_object(&value, deltas);
                if self.error.is_none() && !self.of_chat {
                    let text = clean(&value.to_string(), self.key.as_ref());
                    self.error = Some(ChatError::NotChat { text });
                }
                // One of Ollama's lines may stand alone where the others were cut off: it says itself whether it is the last.
                self.done |= self.provider != Provider::Ollama;
            }
            Err(error) if error.is_eof() => {
                self.error = Some(broken_off());
            }
            Err(_) => self.error = Some(ChatError::not_chat(body, key)),
        }
    }

    fn take_object(&mut self, value: &Value, deltas: &mut Vec<Delta>) {
        let chunk = match Chunk::read(self.provider, value, self.key.as_ref()) {
            Ok(chunk) => chunk,
            Err(error) => {
                self.error = Some(error);
                return;
            }
        };
        self.of_chat |= chunk.of_chat;
        self.model = self.model.take().or(chunk.model);
        self.usage = Usage::joined(self.usage, chunk.usage);
        self.finish = chunk.finish.or(self.finish.take());
        if self.refusal.len() < MAX_TEXT {
            self.refusal.push_str(&chunk.refusal);
        }
        let thinking = self.halves[1].push(chunk.thinking);
        self.keep(vec![Part::Thought(thinking)], deltas);
        let parts = self.thinking_tags.push(&self.halves[0].push(chunk.text));
        self.keep(parts, deltas);
        self.probabilities.extend(chunk.probabilities);
        self.done |= chunk.done;
        if self.done {
            self.flush(deltas);
        }
    }

    /// Gives what waited for the rest of a key: no more comes.
    fn flush(&mut self, deltas: &mut Vec<Delta>) {
        let (text, thinking) = (self.shown_text.finish(), self.shown_thinking.finish());
        self.add_thinking(thinking, deltas);
        self.add_text(text, deltas);
    }

    fn keep(&mut self, parts: Vec<Part>, deltas: &mut Vec<Delta>) {
        for part in parts {
            match part {
                Part::Text(text) => {
                    let text = self.shown_text.push(text, self.key.as_ref());
                    self.add_text(text, deltas);
                }
                Part::Thought(thought) => {
                    let thought = self.shown_thinking.push(thought, self.key.as_ref());
                    self.add_thinking(thought, deltas);
                }
                Part::Recalled => {
                    self.flush(deltas);
                    let thought = std::mem::take(&mut self.text);
                    deltas.push(Delta::Recalled);
                    self.keep_thinking(thought);
                }
            }
        }
    }

    fn add_thinking(&mut self, thought: String, deltas: &mut Vec<Delta>) {
        let kept = self.keep_thinking(thought);
        if !kept.is_empty() {
            deltas.push(Delta::Thinking(kept));
        }
    }

    /// As much of it as there is room for.
    fn keep_thinking(&mut self, mut thought: String) -> String {
        cut(&mut thought, MAX_THINKING.saturating_sub(self.thinking.len()));
        self.thinking.push_str(&thought);
        thought
    }

    fn add_text(&mut self, mut text: String, deltas: &mut Vec<Delta>) {
        let whole = cut(&mut text, MAX_TEXT.saturating_sub(self.text.len()));
        if !text.is_empty() {
            self.text.push_str(&text);
            deltas.push(Delta::Text(text));
        }
        if !whole {
            self.error.get_or_insert(endless());
        }
    }

    fn judge(self) -> Result<Reply, ChatError> {
        let blank = self.text.trim().is_empty();
        match self.error {
            Some(ChatError::Endless { .. }) => return Err(ChatError::Endless { received: self.text }),
            Some(ChatError::BrokenStream { cause, .. }) => {
                return Err(ChatError::BrokenStream {
                    received: self.text,
                    cause,
                });
            }
            Some(error) if blank => return Err(error),
            Some(error) => {
                return Err(ChatError::BrokenStream {
                    received: self.text,
                    cause: Some(Box::new(error)),
                });
            }
            None => {}
        }
        if self.finish == Some(Finish::ContentFilter) || !self.refusal.trim().is_empty() {
            return Err(ChatError::Refused {
                message: clean(&self.refusal, self.key.as_ref()),
                received: self.text,
            });
        }
        // OpenRouter's word for a provider that failed on the way.
        let failed = self.finish == Some(Finish::Other("error".to_owned()));
        let unmarked = self.of_chat && !self.is_marked();
        if failed || (unmarked && blank) {
            return Err(ChatError::BrokenStream {
                received: self.text,
                cause: None,
            });
        }
        if blank {
            return Err(ChatError::Empty {
                thinking: !self.thinking.trim().is_empty(),
            });
        }
        Ok(Reply {
            text: self.text,
            thinking: self.thinking,
            finish: self.finish.or(unmarked.then_some(Finish::Unmarked)),
            usage: self.usage,
            model: self.model,
            probabilities: Some(self.probabilities).filter(|found| !found.tokens.is_empty()),
            given_up: Vec::new(),
        })
    }
}

/// More than a reply is; the text is put in when all is judged.
fn endless() -> ChatError {
    ChatError::Endless {
        received: String::new(),
    }
}

/// Ended in the middle; the text is put in when all is judged.
fn broken_off() -> ChatError {
    ChatError::BrokenStream {
        received: String::new(),
        cause: None,
    }
}

/// Cuts `text` to `room` bytes, at a character; whether it was whole.
fn cut(text: &mut String, room: usize) -> bool {
    let whole = text.len() <= room;
    text.truncate(text.floor_char_boundary(room));
    whole
}

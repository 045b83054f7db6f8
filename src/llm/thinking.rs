//! Thoughts that a model writes into its answer, where the server does not part them: taken off here and nowhere else.
//!
//! Known are tags of any case, with attributes, in angle brackets (`<think>`, `<thought>`, `<details type="reasoning">` …), square ones
//! (`[THINK]`, Mistral's) and Kimi's `◁think▷`; harmony's channels (`<|channel|>analysis<|message|>…<|end|>`), also where a server
//! lost their marks (`analysisWe need … assistantfinal…`); and answers that the prompt's template began within a thought, so
//! that only its end is there. A tag that is quoted, in code or in a fence is text. A thought that does not end leaves no answer:
//! a draft is not one.

/// What tags of thoughts are called, in lower case.
const TAGS: [&str; 10] = [
    "think",
    "thinking",
    "thought",
    "thoughts",
    "reasoning",
    "reflection",
    "scratchpad",
    "seed:think",
    "antthinking",
    FOLDED,
];
/// The names in square brackets: others are headings.
const BRACKETED: [&str; 2] = ["think", "thinking"];
/// HTML's element for what is folded away: a thought where its attributes say so, as Open WebUI writes them.
const FOLDED: &str = "details";
const FOLDED_THOUGHT: &str = "type=\"reasoning\"";
/// The longest mark, attributes included, in bytes.
const MAX_MARK: usize = 200;
/// Text that may turn out to be an answer is kept back up to here, in bytes.
const MAX_HELD: usize = 64 * 1024;
/// More letters than a channel's name has.
const MAX_CHANNEL: usize = 16;
/// How harmony's analysis begins and ends where its marks were lost.
const BARE_ANALYSIS: &str = "analysis";
const BARE_FINAL: &str = "assistantfinal";

/// A whole text, parted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parted {
    /// The answer.
    pub text: String,
    /// What was thought before and within it.
    pub thinking: String,
}

/// Parts a whole text, such as one that somebody pasted.
#[must_use]
pub fn part(text: &str) -> Parted {
    let mut reader = Thinking::default();
    let mut parted = Parted::default();
    let mut parts = reader.push(text);
    parts.extend(reader.finish(false));
    for part in parts {
        match part {
            Part::Text(text) => parted.text.push_str(&text),
            Part::Thought(thought) => parted.thinking.push_str(&thought),
            Part::Recalled => parted.thinking.push_str(&std::mem::take(&mut parted.text)),
        }
    }
    parted
}

/// A piece of a text, told apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    Text(String),
    Thought(String),
    /// All text so far was a thought.
    Recalled,
}

/// Parts a text that arrives in pieces; blanks before an answer's first word are dropped.
#[derive(Debug, Default)]
pub(super) struct Thinking {
    place: Place,
    /// What may yet turn out to be a mark; shorter than [`MAX_MARK`].
    pending: String,
    /// Whether anything but blanks has come.
    begun: bool,
    /// Whether there is text that was not recalled.
    said: bool,
    /// Whether some of it stood in no channel.
    outside: bool,
    /// Whether a thought has ended.
    thought: bool,
    /// Behind an end without a beginning after a whole thought: a slip if nothing follows, else all before it was a thought too.
    stray: bool,
    /// Within harmony's final channel.
    channel: bool,
    /// The beginning of the text, which may be a channel's name.
    head: String,
    line: LineState,
}

#[derive(Debug, Default)]
enum Place {
    #[default]
    Answer,
    Tags {
        depth: usize,
        held: Held,
    },
    /// What stands before `<|message|>`, and whether it names a channel.
    Header {
        named: bool,
        text: String,
    },
    Analysis,
    BareAnalysis,
}

/// What is kept back within tags.
#[derive(Debug)]
enum Held {
    Nothing,
    /// All since a tag in the midst of a sentence: it may only be spoken of.
    Doubtful(String),
    /// Since an inner thought's end: the answer, if no other end comes.
    Tail(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Open,
    Close,
    /// The end of what is folded away: a thought's or any other's.
    Unfold,
    /// `<|start|>` and `<|channel|>`.
    Start,
    Channel,
    Message,
    End,
}

impl Mark {
    const fn is_of_harmony(self) -> bool {
        !matches!(self, Self::Open | Self::Close | Self::Unfold)
    }
}

enum Found {
    Whole(Mark, usize),
    Begun,
    Nothing,
}

impl Thinking {
    pub(super) fn push(&mut self, piece: &str) -> Vec<Part> {
        self.pending.push_str(piece);
        let mut parts = Vec::new();
        self.read(false, &mut parts);
        parts
    }

    /// What was held back, when no more comes. `cut` where the end is not the model's: half a mark is no text then, and a thought
    /// that may have been one is.
    pub(super) fn finish(&mut self, cut: bool) -> Vec<Part> {
        let mut parts = Vec::new();
        if cut {
            self.pending.clear();
        }
        self.read(true, &mut parts);
        if let Place::Tags { held, .. } = std::mem::take(&mut self.place) {
            match held {
                Held::Doubtful(text) | Held::Tail(text) if cut => add_thought(&mut parts, &text),
                Held::Doubtful(text) => self.plain(&text, &mut parts),
                Held::Tail(text) => {
                    self.begin_answer();
                    self.plain(&text, &mut parts);
                }
                Held::Nothing => {}
            }
        }
        parts
    }

    fn read(&mut self, last: bool, parts: &mut Vec<Part>) {
        let pending = std::mem::take(&mut self.pending);
        let mut rest = pending.as_str();
        if !self.begun {
            rest = rest.trim_start();
            if !last && BARE_ANALYSIS.starts_with(rest) {
                rest.clone_into(&mut self.pending);
                return;
            }
            if let Some(after) = rest.strip_prefix(BARE_ANALYSIS)
                && after.starts_with(char::is_uppercase)
            {
                self.place = Place::BareAnalysis;
                rest = after;
            }
            self.begun = !rest.is_empty();
        }
        while !rest.is_empty() {
            if matches!(self.place, Place::BareAnalysis) {
                let Some(at) = rest.find(BARE_FINAL) else {
                    let begun = (1..BARE_FINAL.len()).rev().find(|&n| rest.ends_with(&BARE_FINAL[..n]));
                    let (thought, more) = rest.split_at(rest.len() - begun.filter(|_| !last).unwrap_or(0));
                    add_thought(parts, thought);
                    rest = more;
                    break;
                };
                add_thought(parts, &rest[..at]);
                rest = &rest[at + BARE_FINAL.len()..];
                self.end_thought();
                continue;
            }
            let (plain, more) = rest.split_at(rest.find(['<', '[', '◁']).unwrap_or(rest.len()));
            self.plain(plain, parts);
            rest = more;
            match mark(rest) {
                Found::Whole(mark, length) => {
                    self.take_mark(mark, &rest[..length], parts);
                    rest = &rest[length..];
                }
                Found::Begun if !last => break,
                Found::Begun | Found::Nothing => {
                    let sign = rest.chars().next().map_or(0, char::len_utf8);
                    self.plain(&rest[..sign], parts);
                    rest = &rest[sign..];
                }
            }
        }
        rest.clone_into(&mut self.pending);
    }

    fn plain(&mut self, text: &str, parts: &mut Vec<Part>) {
        match &mut self.place {
            Place::Answer => {
                let blanks_count = self.said && !self.line.ends_blank() && !self.stray;
                let text = if blanks_count || self.line.within {
                    text
                } else {
                    text.trim_start()
                };
                if text.is_empty() {
                    return;
                }
                if std::mem::take(&mut self.stray) {
                    self.recall(parts);
                }
                // What a thought parted is two words.
                let apart = blanks_count && !self.line.within && !text.starts_with(char::is_whitespace);
                self.line.within = true;
                self.said = true;
                self.outside |= !self.channel;
                let room = MAX_CHANNEL.saturating_sub(self.head.chars().count());
                self.head.extend(text.chars().take(room));
                self.line.read(text);
                if apart {
                    add_text(parts, " ");
                }
                add_text(parts, text);
            }
            Place::Tags { held, .. } => match held {
                Held::Nothing => add_thought(parts, text),
                Held::Doubtful(kept) | Held::Tail(kept) => {
                    kept.push_str(text);
                    if kept.len() > MAX_HELD {
                        add_thought(parts, kept);
                        *held = Held::Nothing;
                    }
                }
            },
            Place::Header { text: header, .. } => {
                if header.len() < MAX_MARK {
                    header.push_str(text);
                }
            }
            Place::Analysis | Place::BareAnalysis => add_thought(parts, text),
        }
    }

    fn take_mark(&mut self, mark: Mark, raw: &str, parts: &mut Vec<Part>) {
        let mark = match (mark, &self.place) {
            (Mark::Unfold, Place::Tags { .. }) => Mark::Close,
            (mark, _) => mark,
        };
        match (&mut self.place, mark) {
            (Place::Answer, Mark::Unfold) => self.plain(raw, parts),
            (Place::Answer, mark) if self.line.quotes() && !(self.channel && mark.is_of_harmony()) => {
                self.plain(raw, parts);
            }
            (Place::Answer, Mark::Open) => {
                let held = if self.line.ends_sentence() || !self.said {
                    Held::Nothing
                } else {
                    Held::Doubtful(raw.to_owned())
                };
                self.place = Place::Tags { depth: 1, held };
            }
            (Place::Answer, Mark::Close) => {
                if self.thought && self.said {
                    self.stray = true;
                    self.line.within = false;
                } else {
                    self.recall(parts);
                    self.end_thought();
                }
            }
            (Place::Answer, Mark::Message) => {
                let thought = matches!(self.head.trim(), "analysis" | "commentary");
                self.recall(parts);
                self.begin_message(thought);
            }
            (Place::Answer, Mark::End) => self.channel = false,
            (Place::Tags { depth, held }, Mark::Open | Mark::Close) => {
                *depth = if mark == Mark::Open { *depth + 1 } else { *depth - 1 };
                let done = *depth == 0;
                match held {
                    Held::Doubtful(text) if done => {
                        // Without the tag itself.
                        let inside = text
                            .find(['>', ']', '▷'])
                            .map_or(0, |at| text.ceil_char_boundary(at + 1));
                        add_thought(parts, &text[inside..]);
                    }
                    Held::Doubtful(text) => text.push_str(raw),
                    Held::Tail(text) => {
                        add_thought(parts, text);
                        *held = Held::Nothing;
                    }
                    Held::Nothing => {}
                }
                if done {
                    self.end_thought();
                } else if matches!(held, Held::Nothing) {
                    add_thought(parts, raw);
                    if mark == Mark::Close {
                        *held = Held::Tail(String::new());
                    }
                }
            }
            (Place::Header { named, text }, Mark::Channel) => {
                *named = true;
                text.clear();
            }
            (Place::Header { named, text }, Mark::Message) => {
                let thought = *named && !text.trim_start().starts_with("final");
                if !thought && self.outside {
                    self.recall(parts);
                }
                self.begin_message(thought);
            }
            (Place::Analysis, Mark::End) => self.end_thought(),
            (Place::Answer | Place::Analysis, Mark::Start | Mark::Channel) => {
                let (named, text) = (mark == Mark::Channel, String::new());
                self.place = Place::Header { named, text };
            }
            (Place::Header { .. }, Mark::End) => self.begin_answer(),
            (Place::Header { .. }, _) => {}
            _ => self.plain(raw, parts),
        }
    }

    /// What was taken for the answer was a thought.
    fn recall(&mut self, parts: &mut Vec<Part>) {
        if self.said {
            parts.push(Part::Recalled);
        }
        (self.said, self.outside) = (false, false);
        self.head.clear();
        self.line = LineState::default();
    }

    fn begin_message(&mut self, thought: bool) {
        if thought {
            self.place = Place::Analysis;
        } else {
            self.begin_answer();
            self.channel = true;
        }
    }

    fn end_thought(&mut self) {
        self.thought = true;
        self.begin_answer();
    }

    fn begin_answer(&mut self) {
        self.place = Place::Answer;
        self.channel = false;
        self.line.within = false;
    }
}

fn add_text(parts: &mut Vec<Part>, more: &str) {
    match parts.last_mut() {
        Some(Part::Text(text)) => text.push_str(more),
        _ if more.is_empty() => {}
        _ => parts.push(Part::Text(more.to_owned())),
    }
}

fn add_thought(parts: &mut Vec<Part>, more: &str) {
    match parts.last_mut() {
        Some(Part::Thought(thought)) => thought.push_str(more),
        _ if more.is_empty() => {}
        _ => parts.push(Part::Thought(more.to_owned())),
    }
}

/// The mark at the beginning of a text.
fn mark(text: &str) -> Found {
    if let Some(inner) = text.strip_prefix("<|") {
        let known = [
            ("start|>", Mark::Start),
            ("channel|>", Mark::Channel),
            ("message|>", Mark::Message),
            ("end|>", Mark::End),
            ("return|>", Mark::End),
            ("call|>", Mark::End),
            ("begin_of_thought|>", Mark::Open),
            ("end_of_thought|>", Mark::Close),
            ("START_THINKING|>", Mark::Open),
            ("END_THINKING|>", Mark::Close),
        ];
        let whole = known.iter().find(|(name, _)| inner.starts_with(name));
        return match whole {
            Some((name, mark)) => Found::Whole(*mark, 2 + name.len()),
            None if known.iter().any(|(name, _)| name.starts_with(inner)) => Found::Begun,
            None => Found::Nothing,
        };
    }
    let (sign, end, names): (_, _, &[&str]) = match text.chars().next() {
        Some('<') => ('<', '>', &TAGS),
        Some('[') => ('[', ']', &BRACKETED),
        Some('◁') => ('◁', '▷', &BRACKETED),
        _ => return Found::Nothing,
    };
    let inner = &text[sign.len_utf8()..];
    if inner.is_empty() {
        return Found::Begun;
    }
    let name = inner.strip_prefix('/').unwrap_or(inner);
    let mark = if name.len() < inner.len() {
        Mark::Close
    } else {
        Mark::Open
    };
    let length = name
        .find(|c: char| !c.is_ascii_alphanumeric() && c != ':')
        .unwrap_or(name.len());
    let (name, after) = name.split_at(length);
    let lower = name.to_ascii_lowercase();
    if after.is_empty() {
        let begun = names.iter().any(|known| known.starts_with(&lower));
        return if begun { Found::Begun } else { Found::Nothing };
    }
    if !names.contains(&lower.as_str()) {
        return Found::Nothing;
    }
    let folded = lower == FOLDED;
    let mark = if folded && mark == Mark::Close {
        Mark::Unfold
    } else {
        mark
    };
    let attributes = after.starts_with(char::is_whitespace) && sign == '<';
    if !after.starts_with(end) && !attributes {
        return Found::Nothing;
    }
    match after.find([end, '<', '\n']) {
        Some(at) if folded && mark == Mark::Open && !after[..at].contains(FOLDED_THOUGHT) => Found::Nothing,
        Some(at) if after[at..].starts_with(end) && !after[..at].ends_with('/') && at < MAX_MARK => {
            Found::Whole(mark, text.len() - after.len() + at + end.len_utf8())
        }
        None if after.len() < MAX_MARK => Found::Begun,
        _ => Found::Nothing,
    }
}

/// Where in a line of the answer a mark stands.
#[derive(Debug, Default)]
struct LineState {
    /// Whether the answer has begun since the last thought.
    within: bool,
    fence: bool,
    code: bool,
    quoted: bool,
    ticks: Ticks,
    last: Option<char>,
    before: Option<char>,
}

/// Backticks so far at the beginning of a line: three make a fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ticks {
    Leading(u8),
    Behind,
}

impl Default for Ticks {
    fn default() -> Self {
        Self::Leading(0)
    }
}

impl LineState {
    fn read(&mut self, text: &str) {
        for sign in text.chars() {
            match sign {
                '\n' => {
                    (self.code, self.quoted, self.ticks) = (false, false, Ticks::default());
                }
                '`' => {
                    self.code = !self.code;
                    if let Ticks::Leading(count) = &mut self.ticks {
                        *count = count.saturating_add(1);
                        if *count == 3 {
                            (self.fence, self.code, self.ticks) = (!self.fence, false, Ticks::Behind);
                        }
                    }
                }
                '"' | '“' => self.quoted = !self.quoted,
                '„' | '«' => self.quoted = true,
                '”' | '»' => self.quoted = false,
                _ => {}
            }
            if !sign.is_whitespace() && sign != '`' {
                self.ticks = Ticks::Behind;
            }
            (self.before, self.last) = (self.last, Some(sign));
        }
    }

    /// Whether a mark here is only spoken of.
    fn quotes(&self) -> bool {
        let apostrophe = matches!(self.last, Some('\'' | '‘')) && !self.before.is_some_and(char::is_alphanumeric);
        self.fence || self.code || self.quoted || apostrophe
    }

    fn ends_blank(&self) -> bool {
        self.last.is_none_or(char::is_whitespace)
    }

    /// Whether a sentence or a line has ended.
    fn ends_sentence(&self) -> bool {
        let visible = [self.last, self.before].into_iter().flatten().find(|sign| *sign != ' ');
        !visible.is_some_and(|sign| sign.is_alphanumeric() || sign == ',')
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parted(pieces: &[&str], cut: bool) -> (String, String) {
        let mut thinking = Thinking::default();
        let mut parts: Vec<Part> = pieces.iter().flat_map(|piece| thinking.push(piece)).collect();
        parts.extend(thinking.finish(cut));
        let (mut text, mut thought) = (String::new(), String::new());
        for part in parts {
            match part {
                Part::Text(more) => text.push_str(&more),
                Part::Thought(more) => thought.push_str(&more),
                Part::Recalled => thought.push_str(&std::mem::take(&mut text)),
            }
        }
        (text, thought)
    }

    #[test]
    fn parts_alike_however_split() {
        for (whole, text, thought) in [
            ("\n<think>Nf3? no</x></think>\n\nIt pins.", "It pins.", "Nf3? no</x>"),
            ("<think>only", "", "only"),
            ("<think>cut</thi", "", "cut</thi"),
            ("  <thin air", "<thin air", ""),
            ("<th", "<th", ""),
            ("<think></think>é♞", "é♞", ""),
            ("<THINK>a</Think>b", "b", "a"),
            ("<thought kind=\"x\">a</thought >b", "b", "a"),
            ("[THINK]a[/THINK]b", "b", "a"),
            ("◁think▷a◁/think▷b", "b", "a"),
            ("<|begin_of_thought|>a<|end_of_thought|>b", "b", "a"),
            ("<think>a</think><think>b</think>c", "c", "ab"),
            ("<think>a<think>b</think>c</think>d", "d", "a<think>b</think>c"),
            (
                "<thinking>a<reflection>b</reflection>c</thinking>d",
                "d",
                "a<reflection>b</reflection>c",
            ),
            (
                "<details type=\"reasoning\" done=\"true\">\n<summary>Thought for 3 s</summary>\na\n</details>\nb",
                "b",
                "\n<summary>Thought for 3 s</summary>\na\n",
            ),
            (
                "a\n<details><summary>More</summary>b</details>",
                "a\n<details><summary>More</summary>b</details>",
                "",
            ),
            // Named but never ended within: the last end counts.
            ("<think>the <think> tag</think>d", "d", "the <think> tag</think>"),
            ("<think>a</think>b.\n<think>c", "b.\n", "ac"),
            ("a draft</think>\nb", "b", "a draft"),
            ("a draft</think>", "", "a draft"),
            ("<think>a</think>b</think>", "b", "a"),
            ("<think>a</think>b</think> c", "c", "ab"),
            ("Sure.\n<think>a</think>\nb", "Sure.\nb", "a"),
            ("Okay <think>a</think> b", "Okay b", "a"),
            // Spoken of.
            ("The `<think>` tag", "The `<think>` tag", ""),
            ("It says \"</think>\" here", "It says \"</think>\" here", ""),
            ("Say '<think>' there", "Say '<think>' there", ""),
            ("The <think> tag", "The <think> tag", ""),
            (
                "a\n```\n<think>b</think>\n```\nc",
                "a\n```\n<think>b</think>\n```\nc",
                "",
            ),
            ("4 <5 and 3<=4", "4 <5 and 3<=4", ""),
            // Harmony.
            (
                "<|channel|>analysis<|message|>e4?<|end|><|start|>assistant<|channel|>final<|message|>Nf3<|return|>",
                "Nf3",
                "e4?",
            ),
            ("<|channel|>analysis<|message|>e4?", "", "e4?"),
            ("<|start|>assistant<|message|>Nf3<|end|>", "Nf3", ""),
            (
                "<|channel|>commentary to=x <|constrain|>json<|message|>{}<|call|><|start|>assistant<|channel|>final<|message|>b",
                "b",
                "{}",
            ),
            (
                "We think.<|end|><|start|>assistant<|channel|>final<|message|>b",
                "b",
                "We think.",
            ),
            (
                "analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b",
                "b",
                "analysisa",
            ),
            ("analysisWe need e4.assistantfinalNf3", "Nf3", "We need e4."),
            ("analysisWe need e4.assistant", "", "We need e4.assistant"),
            ("analysis of it", "analysis of it", ""),
        ] {
            let letters: Vec<String> = whole.chars().map(String::from).collect();
            let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
            let expected = (text.to_owned(), thought.to_owned());
            assert_eq!(parted(&[whole], false), expected, "{whole}");
            assert_eq!(parted(&letters, false), expected, "{whole}");
            assert_eq!(part(whole).text, text, "{whole}");
        }
    }

    /// What the bound on the length cut off may have been a thought.
    #[test]
    fn a_cut_thought_leaves_no_answer() {
        for whole in ["<think>a<think>b</think> e4", "Well, <think> e4", "<think>e4</thin"] {
            let (text, _) = parted(&[whole], true);
            assert!(!text.contains("e4"), "{whole}: {text}");
        }
    }

    fn answer() -> impl Strategy<Value = String> {
        "([A-Za-z♞é0-9][a-z0-9 .,:;!?()\n\"'`*+#=/-]{0,40}|```\n<think>x</think>\n```\nNf3|\"<think>\" is a tag|\\{\"move\": \"Nf3\"\\})"
            .prop_map(|text| text.trim().to_owned())
    }

    fn thoughts() -> impl Strategy<Value = String> {
        "([a-zA-Z0-9 .,:;!?\n\"'`*+#=(){}-]|\\[|\\]|♞|e4|WINNER,A|4/5){0,60}"
    }

    proptest! {
        #[test]
        fn a_thought_of_any_form_leaves_exactly_the_answer(
            thought in thoughts(), answer in answer(), blanks in "[ \n]{0,3}",
            name in proptest::sample::select(TAGS[..9].to_vec()), upper: bool, form in 0..7_u8,
        ) {
            let name = if upper { name.to_uppercase() } else { name.to_owned() };
            let reply = match form {
                0 => format!("<{name}>{thought}</{name}>{blanks}{answer}"),
                1 => format!("{blanks}<{name} kind=\"x\">{thought}<{name}>{thought}</{name}>{thought}</{name}>{blanks}{answer}"),
                2 => format!("[THINK]{thought}[/THINK]{blanks}{answer}"),
                3 => format!("<|channel|>analysis<|message|>{thought}<|end|><|start|>assistant<|channel|>final<|message|>{answer}<|return|>"),
                4 => format!("<{name}>{thought}</{name}><{name}>{thought}</{name}>{blanks}{answer}"),
                5 => format!("analysisWe{}assistantfinal{answer}", thought.replace("assistant", "")),
                // A lone end, behind a thought whose last line quotes nothing.
                _ => format!("{}\n</{name}>{blanks}{answer}", thought.replace(['`', '"', '\''], "")),
            };
            prop_assert_eq!(part(&reply).text, answer.as_str(), "{}", reply);
            prop_assert_eq!(part(&answer).text, answer.as_str());
        }

        #[test]
        fn cuts_change_nothing(
            pieces in proptest::collection::vec(prop_oneof![
                Just("<think>"), Just("</think>"), Just("<thought a=b>"), Just("</THOUGHT>"), Just("[THINK]"), Just("[/THINK]"), Just("`"),
                Just("```\n"), Just("\""), Just("\n"), Just(" "), Just("e4. "), Just("word"), Just("♞"), Just("<"), Just("<|channel|>"), Just("analysis"),
                Just("final"), Just("<|message|>"), Just("<|end|>"), Just("<|start|>"), Just("assistant"), Just("We"), Just("<think/>"),
            ], 0..14),
            cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..6), cut: bool,
        ) {
            let whole = pieces.concat();
            let mut at: Vec<usize> = cuts.iter().map(|cut| whole.floor_char_boundary(cut.index(whole.len() + 1))).collect();
            at.sort_unstable();
            at.push(whole.len());
            let mut from = 0;
            let cut_up: Vec<&str> = at.iter().map(|&to| &whole[std::mem::replace(&mut from, to)..to]).collect();
            prop_assert_eq!(parted(&cut_up, cut), parted(&[&whole], cut), "{:?}", cut_up);
            // Nothing is said twice.
            let (text, thought) = parted(&[&whole], cut);
            prop_assert!(text.len() + thought.len() <= whole.len());
        }
    }
}

//! Thinking that a model writes into its answer between `<think>` and `</think>`, where the server does not part them.

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// Parts a text that arrives in pieces. Only a tag at the very start opens thinking: later ones are text.
/// Blanks before the first word are dropped.
#[derive(Debug, Default)]
pub(super) struct Thinking {
    state: State,
    /// Text that may yet turn out to be a tag; shorter than a tag.
    pending: String,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Start,
    Inside,
    /// Behind the closing tag, where blanks are dropped.
    Behind,
    Text,
}

/// A piece, parted.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Parted {
    pub(super) text: String,
    pub(super) thinking: String,
}

impl Thinking {
    pub(super) fn push(&mut self, piece: &str) -> Parted {
        let mut parted = Parted::default();
        self.pending.push_str(piece);
        loop {
            match self.state {
                State::Start => {
                    self.pending = self.pending.trim_start().to_owned();
                    if let Some(rest) = self.pending.strip_prefix(OPEN) {
                        self.pending = rest.to_owned();
                        self.state = State::Inside;
                    } else if OPEN.starts_with(&self.pending) {
                        return parted;
                    } else {
                        self.state = State::Text;
                    }
                }
                State::Inside => {
                    let Some(at) = self.pending.find(CLOSE) else {
                        let keep = (1..CLOSE.len()).rev().find(|&n| self.pending.ends_with(&CLOSE[..n]));
                        let give = self.pending.len() - keep.unwrap_or(0);
                        parted.thinking.extend(self.pending.drain(..give));
                        return parted;
                    };
                    parted.thinking.push_str(&self.pending[..at]);
                    self.pending.drain(..at + CLOSE.len());
                    self.state = State::Behind;
                }
                State::Behind => {
                    self.pending = self.pending.trim_start().to_owned();
                    if self.pending.is_empty() {
                        return parted;
                    }
                    self.state = State::Text;
                }
                State::Text => {
                    parted.text.push_str(&std::mem::take(&mut self.pending));
                    return parted;
                }
            }
        }
    }

    /// What was held back, when no more comes.
    pub(super) fn finish(&mut self) -> Parted {
        let rest = std::mem::take(&mut self.pending);
        match self.state {
            State::Inside => Parted {
                thinking: rest,
                ..Parted::default()
            },
            _ => Parted {
                text: rest,
                ..Parted::default()
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(pieces: &[&str]) -> (String, String) {
        let mut thinking = Thinking::default();
        let mut all: Vec<Parted> = pieces.iter().map(|piece| thinking.push(piece)).collect();
        all.push(thinking.finish());
        all.into_iter().fold(Default::default(), |(text, thought), parted| {
            (text + &parted.text, thought + &parted.thinking)
        })
    }

    #[test]
    fn parts_alike_however_split() {
        for (whole, text, thought) in [
            ("\n<think>Nf3? no</x></think>\n\nIt pins.", "It pins.", "Nf3? no</x>"),
            ("<think>only", "", "only"),
            ("<think>cut</thi", "", "cut</thi"),
            ("No <think>tag</think>.", "No <think>tag</think>.", ""),
            ("  <thin air", "<thin air", ""),
            ("<th", "<th", ""),
            ("<think></think>é♞", "é♞", ""),
        ] {
            let letters: Vec<String> = whole.chars().map(String::from).collect();
            let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
            let expected = (text.to_owned(), thought.to_owned());
            assert_eq!(part(&[whole]), expected);
            assert_eq!(part(&letters), expected, "{whole}");
        }
    }
}

//! The items of a study file as texts of their own, so that megabytes of them can be read one after another.
//!
//! A JSON reader takes a text in one piece. Here the text is only cut: whatever is not plainly a list of objects in `"items"`
//! stays where it is, and the reader says what is wrong with it.

use std::ops::Range;

use crate::pace::Pace;

/// The member of the outermost object that is cut out.
const NAME: &[u8] = b"items";
/// Bytes looked at before others get their turn.
const STEP: usize = 1 << 15;

/// A study's text without its items.
#[derive(Debug, PartialEq, Eq)]
pub struct Apart {
    /// The text with an empty list of items.
    pub rest: String,
    /// Where each item stands in the text, in bytes.
    pub items: Vec<Range<usize>>,
    /// What lay between the brackets of the list, in bytes of the text.
    cut: Range<usize>,
}

impl Apart {
    /// Where in the text a byte of `rest` comes from.
    #[must_use]
    pub fn whence(&self, at: usize) -> usize {
        if at <= self.cut.start { at } else { at + self.cut.len() }
    }
}

/// Cuts the items out of a study's text, if it is an object with one list of objects of that name.
pub async fn items_apart(text: &str, pace: &impl Pace) -> Option<Apart> {
    let mut scan = Scan {
        bytes: text.as_bytes(),
        at: 0,
        looked: 0,
    };
    scan.takes(b'{')?;
    let mut found = None;
    if !scan.has(b'}') {
        loop {
            let name = scan.text()?;
            scan.takes(b':')?;
            if scan.bytes.get(name) == Some(NAME) {
                // Twice is an error of the study, which its reader words.
                if found.is_some() {
                    return None;
                }
                found = Some(scan.list(pace).await?);
            } else {
                scan.value(pace).await?;
            }
            if scan.has(b'}') {
                break;
            }
            scan.takes(b',')?;
        }
    }
    scan.space();
    if scan.at < scan.bytes.len() {
        return None;
    }
    let (cut, items) = found?;
    let rest = format!("{}{}", text.get(..cut.start)?, text.get(cut.end..)?);
    Some(Apart { rest, items, cut })
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    /// How far it had come when others had their turn.
    looked: usize,
}

impl Scan<'_> {
    fn space(&mut self) {
        let rest = &self.bytes[self.at..];
        let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        self.at += rest.iter().take_while(|byte| is_space(byte)).count();
    }

    /// Goes past this byte, if it is next.
    fn has(&mut self, byte: u8) -> bool {
        self.space();
        let has = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(has);
        has
    }

    fn takes(&mut self, byte: u8) -> Option<()> {
        self.has(byte).then_some(())
    }

    /// Goes past a string; what stands between its quotes.
    fn text(&mut self) -> Option<Range<usize>> {
        self.takes(b'"')?;
        let start = self.at;
        loop {
            match self.bytes.get(self.at)? {
                b'"' => break,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        Some(start..self.at - 1)
    }

    /// Goes past a value of whatever kind: to where its brackets are closed, or to the comma or bracket behind it.
    async fn value(&mut self, pace: &impl Pace) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            if self.at - self.looked > STEP {
                self.looked = self.at;
                pace.turn().await;
            }
            self.space();
            match self.bytes.get(self.at)? {
                b'"' => {
                    self.text()?;
                }
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' if depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                }
                b'}' | b']' | b',' if depth == 0 => return Some(()),
                _ => self.at += 1,
            }
            if depth == 0 && matches!(self.bytes[self.at - 1], b'}' | b']' | b'"') {
                return Some(());
            }
        }
    }

    /// Goes past a list of objects: what lies between its brackets, and each object.
    async fn list(&mut self, pace: &impl Pace) -> Option<(Range<usize>, Vec<Range<usize>>)> {
        self.takes(b'[')?;
        let start = self.at;
        let mut items = Vec::new();
        if !self.has(b']') {
            loop {
                self.space();
                let from = self.at;
                if self.bytes.get(from) != Some(&b'{') {
                    return None;
                }
                self.value(pace).await?;
                items.push(from..self.at);
                if self.has(b']') {
                    break;
                }
                self.takes(b',')?;
            }
        }
        Some((start..self.at - 1, items))
    }
}

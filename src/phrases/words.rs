//! The words of a stretch, with what tells at once that most patterns do not stand among them.

use std::{cell::RefCell, ops::Deref, rc::Rc};

use crate::{beginnings::Beginnings, pattern};

/// Words in a row, and how they begin.
#[derive(Debug, Clone)]
pub struct Words {
    words: Vec<String>,
    beginnings: Beginnings,
}

impl Words {
    /// True where one of the patterns stands among them.
    #[must_use]
    pub fn say(&self, patterns: &'static [&'static str]) -> bool {
        let needs = needs(patterns);
        let mut both = patterns.iter().zip(needs.iter());
        both.any(|(pattern, needs)| self.may_have(needs) && pattern::find(&self.words, pattern).is_some())
    }

    /// Takes every place of the patterns out (an empty word is left) and counts them.
    pub fn take(&mut self, patterns: &'static [&'static str]) -> usize {
        let mut count = 0;
        // What is taken out only leaves less: the beginnings stay as they were.
        for (pattern, needs) in patterns.iter().zip(needs(patterns).iter()) {
            while self.may_have(needs)
                && let Some(range) = pattern::find(&self.words, pattern)
            {
                count += 1;
                for word in &mut self.words[range] {
                    word.clear();
                }
            }
        }
        count
    }

    fn may_have(&self, needs: &[Beginnings]) -> bool {
        needs.iter().all(|one| self.beginnings.meets(one))
    }
}

impl From<Vec<String>> for Words {
    fn from(words: Vec<String>) -> Self {
        let beginnings = Beginnings::of(words.iter().map(String::as_str));
        Self { words, beginnings }
    }
}

impl Deref for Words {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.words
    }
}

/// What each of some patterns can't do without, for each of its words that are needed.
type Needs = Rc<[Box<[Beginnings]>]>;

thread_local! {
    /// By where the patterns lie in the program: they are looked for again and again, and to read them takes as long as to match.
    static KNOWN: RefCell<Vec<((usize, usize), Needs)>> = const { RefCell::new(Vec::new()) };
}

fn needs(patterns: &'static [&'static str]) -> Needs {
    let place = (patterns.as_ptr().addr(), patterns.len());
    KNOWN.with_borrow_mut(|known| match known.binary_search_by_key(&place, |(place, _)| *place) {
        Ok(at) => Rc::clone(&known[at].1),
        Err(at) => {
            let needs: Needs = patterns.iter().map(|pattern| pattern::needed(pattern)).collect();
            known.insert(at, (place, Rc::clone(&needs)));
            needs
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Words {
        text.split_whitespace().map(str::to_owned).collect::<Vec<_>>().into()
    }

    #[test]
    fn patterns_are_said_and_taken_out() {
        const DENIED: &[&str] = &["not a|one single", "not|no|never"];
        let mut said = words("there is not a single way and no move");
        assert!(said.say(DENIED) && said.say(&["a _ way"]) && !said.say(&["a way", "nothing"]));
        assert_eq!(said.take(DENIED), 2);
        assert_eq!(said.join(" "), "there is    way and  move");
        assert!(!said.say(DENIED));
        assert!(!words("").say(DENIED) && words("a").say(&["b|a"]));
    }
}

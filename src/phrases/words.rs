//! The words of a stretch, with what tells at once that most patterns do not stand among them.

use std::{cell::RefCell, ops::Deref, rc::Rc};

use crate::{
    beginnings::{Beginning, Beginnings},
    pattern::Pattern,
};

/// Words in a row, and how they begin.
#[derive(Debug, Clone)]
pub struct Words {
    words: Vec<String>,
    begin: Vec<Beginning>,
    beginnings: Beginnings,
}

impl Words {
    /// True where one of the patterns stands among them.
    #[must_use]
    pub fn say(&self, patterns: &'static [&'static str]) -> bool {
        let patterns = taken_apart(patterns);
        let mut likely = patterns.iter().filter(|pattern| pattern.may_stand(&self.beginnings));
        likely.any(|pattern| pattern.find(&self.words, &self.begin).is_some())
    }

    /// Takes every place of the patterns out (an empty word is left) and counts them.
    pub fn take(&mut self, patterns: &'static [&'static str]) -> usize {
        let mut count = 0;
        for pattern in taken_apart(patterns).iter() {
            // What is taken out only leaves less: the beginnings of all stay as they were.
            while pattern.may_stand(&self.beginnings)
                && let Some(range) = pattern.find(&self.words, &self.begin)
            {
                count += 1;
                for at in range {
                    self.words[at].clear();
                    self.begin[at] = Beginning::default();
                }
            }
        }
        count
    }
}

impl From<Vec<String>> for Words {
    fn from(words: Vec<String>) -> Self {
        let begin = words.iter().map(|word| Beginning::of(word)).collect();
        let beginnings = Beginnings::of(words.iter().map(String::as_str));
        Self {
            words,
            begin,
            beginnings,
        }
    }
}

impl Deref for Words {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.words
    }
}

/// Patterns by where they lie in the program, and how many they are.
type Known = Vec<((usize, usize), Rc<[Pattern]>)>;

thread_local! {
    /// They are looked for again and again, and to read them takes as long as to match.
    static KNOWN: RefCell<Known> = const { RefCell::new(Vec::new()) };
}

fn taken_apart(patterns: &'static [&'static str]) -> Rc<[Pattern]> {
    let place = (patterns.as_ptr().addr(), patterns.len());
    KNOWN.with_borrow_mut(|known| match known.binary_search_by_key(&place, |(place, _)| *place) {
        Ok(at) => Rc::clone(&known[at].1),
        Err(at) => {
            let patterns: Rc<[Pattern]> = patterns.iter().map(|pattern| Pattern::of(pattern)).collect();
            known.insert(at, (place, Rc::clone(&patterns)));
            patterns
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

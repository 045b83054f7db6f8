//! Where a text gives a score from 1 to 5.
//!
//! A digit is often no score: the scale's end ("4/5", "1 = very poor"), a count ("names 2 moves"), a list's number ("1. Read it"),
//! a move. What is looked for, the surest first:
//! 1. the number behind the criterion's name ("Fluency: 4", `"fluency": 4`);
//! 2. the number behind "score", "rating" and the like, with a sign or a verb between them, then without;
//! 3. a share of five ("4/5", "3 out of 5");
//! 4. the number that begins the first line, or fills a line;
//! 5. the number that is given ("I give it a 3", "a solid four");
//! 6. the only digit that is left.
//!
//! Two different numbers of one kind give no score, nor does the surest number where it is not whole ("3.5", "3-4", "8/10").

use std::{collections::BTreeSet, ops::Range};

use super::Criterion;

/// A score that a text gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digit {
    /// Byte of the text.
    pub at: usize,
    /// 1 to 5.
    pub score: u8,
}

/// Why a text gives no score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoDigit {
    /// No whole number from 1 to 5 where one should be.
    Missing,
    /// Several, of which none is surer than the others.
    Several,
}

const LABELS: [&str; 10] = [
    "score",
    "rating",
    "grade",
    "overall",
    "final",
    "total",
    "verdict",
    "boxed",
    "answer",
    "assessment",
];
/// What may stand between a label and its number.
const LINKING: [&str; 12] = [
    "is",
    "of",
    "would",
    "be",
    "a",
    "an",
    "at",
    "as",
    "therefore",
    "thus",
    "given",
    "assigned",
];
/// What else stands in a label's remark on the scale.
const SCALE: [&str; 14] = [
    "from", "on", "a", "the", "of", "scale", "to", "out", "between", "and", "number", "alone", "integer", "range",
];
const ENDS_OF_SCALES: [&str; 15] = [
    "worst",
    "best",
    "lowest",
    "highest",
    "poor",
    "poorest",
    "excellent",
    "unreadable",
    "perfect",
    "terrible",
    "minimum",
    "maximum",
    "min",
    "max",
    "top",
];
/// Words before a number that make it a reference.
const REFERENCES: [&str; 16] = [
    "move", "moves", "step", "line", "sentence", "rank", "point", "item", "no", "version", "comment", "option", "min",
    "max", "minimum", "maximum",
];
/// "Of" as other languages' judges write it.
const SHARE_OF: [&str; 7] = ["of", "von", "sur", "de", "su", "van", "av"];
/// Words in "s" that are no plural.
const NO_PLURALS: [&str; 10] = [
    "is", "as", "was", "this", "its", "has", "points", "stars", "plus", "thus",
];

/// The score that `text` gives on a criterion.
///
/// # Errors
/// When it gives none, or several.
pub fn given_score(text: &str, criterion: Criterion) -> Result<Digit, NoDigit> {
    let reader = Reader::new(text);
    let labelled = reader.labelled(criterion);
    let kinds = [
        labelled.by_criterion,
        labelled.linked,
        labelled.bare,
        reader.shares(),
        reader.lines(),
        reader.given(),
        reader.left_over(),
    ];
    for found in kinds {
        let mut scores = found.iter().filter_map(|value| value.ok());
        if let Some(first) = scores.next() {
            let one = scores.all(|digit| digit.score == first.score);
            return one.then_some(first).ok_or(NoDigit::Several);
        }
        if let Some(fault) = found.into_iter().find_map(Result::err) {
            return Err(fault);
        }
    }
    Err(NoDigit::Missing)
}

/// A word, a number or a sign. Quotes, brackets and marks of Markdown are left out.
#[derive(Debug)]
struct Token<'a> {
    at: usize,
    kind: Kind<'a>,
    /// Whether white space stands before it.
    apart: bool,
}

#[derive(Debug, PartialEq)]
enum Kind<'a> {
    /// A number as it is written, and what it is where it is whole.
    Number(Option<u32>),
    /// In words, 1 to 5.
    InWords(u8),
    /// In lower case, and whether it began with a capital letter.
    Word(String, bool),
    Sign(&'a str),
    LineEnd,
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found: Vec<Token<'_>> = Vec::new();
    let (mut at, mut apart) = (0, true);
    while let Some(letter) = text[at..].chars().next() {
        let rest = &text[at..];
        let mut length = letter.len_utf8();
        let kind = if letter == '\n' {
            Some(Kind::LineEnd)
        } else if letter.is_ascii_alphanumeric()
            || (letter.is_alphabetic() && letter.is_lowercase() != letter.is_uppercase())
        {
            let word = |c: char| {
                c.is_ascii_alphanumeric()
                    || c == '\''
                    || c == '’'
                    || (c.is_alphabetic() && c.is_lowercase() != c.is_uppercase())
            };
            length = rest.find(|c| !word(c)).unwrap_or(rest.len());
            let word = &rest[..length];
            if word.bytes().all(|byte| byte.is_ascii_digit()) {
                let more = rest[length..].strip_prefix(['.', ',']).map_or(0, digits);
                let decimals = &rest[length..][..if more > 0 { 1 + more } else { 0 }];
                length += decimals.len();
                let negative = at > 0 && is_minus(&text[..at]);
                // "4.0" is whole; "01" and what has more digits is written by nobody who means a score.
                let whole = !negative && decimals.bytes().all(|byte| !byte.is_ascii_digit() || byte == b'0');
                Some(Kind::Number(
                    word.parse().ok().filter(|_| whole && !word.starts_with('0')),
                ))
            } else {
                let lower = word.to_lowercase().replace('’', "'");
                let number = ["one", "two", "three", "four", "five"]
                    .iter()
                    .position(|name| *name == lower);
                Some(match number.and_then(|place| u8::try_from(place + 1).ok()) {
                    Some(number) => Kind::InWords(number),
                    None => Kind::Word(lower, letter.is_uppercase()),
                })
            }
        } else if letter.is_whitespace() || "*_`\"“”'’‘#$\\{}[]<>".contains(letter) {
            None
        } else {
            Some(Kind::Sign(&rest[..length]))
        };
        match kind {
            Some(kind) => {
                found.push(Token { at, kind, apart });
                apart = false;
            }
            None => apart |= letter.is_whitespace(),
        }
        at += length;
    }
    found
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// Whether a text ends in a minus that belongs to the number behind it.
fn is_minus(before: &str) -> bool {
    let Some(rest) = before.strip_suffix(['-', '−']) else {
        return false;
    };
    !rest.ends_with(|c: char| c.is_alphanumeric() || c == '*' || c == ' ' || c == ')')
        || (rest.ends_with(' ')
            && !rest
                .trim_end()
                .ends_with(|c: char| c.is_alphanumeric() || ":*".contains(c)))
}

type Values = Vec<Result<Digit, NoDigit>>;

#[derive(Default)]
struct Labelled {
    by_criterion: Values,
    linked: Values,
    bare: Values,
}

struct Reader<'a> {
    tokens: Vec<Token<'a>>,
    /// Ranges of tokens.
    lines: Vec<Range<usize>>,
    /// Numbers that begin lines as a list's do.
    listed: BTreeSet<u32>,
    /// Whether both a 1 and a 5 are there.
    has_both_ends: bool,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        let mut reader = Self {
            tokens: tokens(text),
            lines: Vec::new(),
            listed: BTreeSet::new(),
            has_both_ends: false,
        };
        reader.lines = reader.all_lines();
        reader.listed = reader
            .lines
            .iter()
            .filter_map(|line| reader.list_number(line.start))
            .collect();
        let is_there = |end: u32| (0..reader.tokens.len()).any(|place| reader.number(place) == Some(Some(end)));
        reader.has_both_ends = is_there(1) && is_there(5);
        reader
    }

    /// The number where a line's first token is one, with a full stop or a bracket and text behind it.
    fn list_number(&self, place: usize) -> Option<u32> {
        let text = matches!(self.sign(place + 1), "." | ")")
            && self.kind(place + 2).is_some_and(|kind| *kind != Kind::LineEnd);
        self.number(place).flatten().filter(|_| text)
    }

    fn kind(&self, place: usize) -> Option<&Kind<'_>> {
        self.tokens.get(place).map(|token| &token.kind)
    }

    fn word(&self, place: usize) -> &str {
        match self.kind(place) {
            Some(Kind::Word(word, _)) => word,
            _ => "",
        }
    }

    fn before(&self, place: usize, back: usize) -> &str {
        place.checked_sub(back).map_or("", |place| self.word(place))
    }

    fn sign(&self, place: usize) -> &str {
        match self.kind(place) {
            Some(Kind::Sign(sign)) => sign,
            _ => "",
        }
    }

    fn number(&self, place: usize) -> Option<Option<u32>> {
        match self.kind(place)? {
            Kind::Number(whole) => Some(*whole),
            Kind::InWords(number) => Some(Some((*number).into())),
            _ => None,
        }
    }

    fn is_digit(&self, place: usize) -> bool {
        matches!(self.kind(place), Some(Kind::Number(_)))
    }

    fn is_dash(&self, place: usize) -> bool {
        matches!(self.sign(place), "-" | "–" | "—" | "−" | "‐" | "‑" | "~")
    }

    /// The other end of the range that begins here, such as "3-4" or "1 to 5".
    fn range(&self, place: usize) -> Option<usize> {
        let end = place + 2;
        let (Some(from), Some(to)) = (self.number(place), self.number(end)) else {
            return None;
        };
        let dash = self.is_dash(place + 1) && from.zip(to).is_none_or(|(from, to)| from < to);
        let word = matches!(self.word(place + 1), "to" | "or" | "through") || self.sign(place + 1) == "…";
        let pair = self.word(place + 1) == "and" && self.before(place, 1) == "between";
        (dash || word || pair).then_some(end)
    }

    /// Whether the number ends a range.
    fn ends_range(&self, place: usize) -> bool {
        place
            .checked_sub(2)
            .is_some_and(|begin| self.range(begin) == Some(place))
    }

    /// The number of which this one is a share: "/5", "out of 5", "of 5".
    fn whole(&self, place: usize) -> Option<(usize, u32)> {
        // "4 points out of 5"
        let unit = matches!(self.word(place + 1), "points" | "point" | "stars" | "star");
        let next = place + 1 + usize::from(unit);
        let at = if self.sign(next) == "/" || SHARE_OF.contains(&self.word(next)) {
            next + 1
        } else if self.word(next) == "out" && self.word(next + 1) == "of" {
            next + 2
        } else {
            return None;
        };
        // "4 of the 5"
        let at = at + usize::from(self.word(at) == "the");
        Some((at, self.number(at)?.unwrap_or(0)))
    }

    fn is_whole(&self, place: usize) -> bool {
        (2..=5).any(|back| {
            let share = place.checked_sub(back);
            share.is_some_and(|share| {
                self.number(share).is_some() && self.whole(share).is_some_and(|(at, _)| at == place)
            })
        })
    }

    /// What the number here comes to where a score should be.
    fn value(&self, place: usize) -> Result<Digit, NoDigit> {
        let share = self.whole(place);
        let end = share.map_or(place, |(at, _)| at);
        // "3-4", "3/5 or 4/5"
        if self.range(place).is_some() || self.range(end).is_some() {
            return Err(NoDigit::Several);
        }
        let fits = share.is_none_or(|(_, whole)| whole == 5) && !matches!(self.sign(place + 1), "%" | "½");
        let score = self
            .number(place)
            .flatten()
            .and_then(|number| u8::try_from(number).ok());
        let score = score.filter(|score| fits && (1..=5).contains(score));
        let at = self.tokens.get(place).map_or(0, |token| token.at);
        score.map(|score| Digit { at, score }).ok_or(NoDigit::Missing)
    }

    /// Whether here the scale itself is told, 1 to 5.
    fn is_scale(&self, place: usize) -> bool {
        self.range(place)
            .is_some_and(|end| self.number(place) == Some(Some(1)) && self.number(end) == Some(Some(5)))
    }

    /// The numbers behind labels.
    fn labelled(&self, criterion: Criterion) -> Labelled {
        let mut found = Labelled::default();
        let mut last = Vec::new();
        for place in 0..self.tokens.len() {
            let word = self.word(place);
            let by_criterion = word == criterion.word();
            if !by_criterion && !LABELS.contains(&word.trim_end_matches('s')) || self.before_sign(place) == "/" {
                continue;
            }
            let Some((at, linked)) = self.number_behind(place + 1) else {
                continue;
            };
            let value = self.value(at);
            let decided = ["final", "overall"].contains(&word) || ["final", "overall"].contains(&self.before(place, 1));
            if decided && linked {
                last.push(value);
            }
            if by_criterion && linked {
                found.by_criterion.push(value);
            } else if linked {
                found.linked.push(value);
            } else if self.is_free(at) {
                found.bare.push(value);
            }
        }
        if !last.is_empty() {
            found.linked = last;
        }
        found
    }

    fn before_sign(&self, place: usize) -> &str {
        place.checked_sub(1).map_or("", |before| self.sign(before))
    }

    /// The number that a label is followed by, and whether a sign or a verb links them.
    fn number_behind(&self, label: usize) -> Option<(usize, bool)> {
        let is_link = |place: usize| matches!(self.sign(place), ":" | "=" | "|" | "：" | "→" | "⇒");
        // "Fluency score (1-5, the number alone): 4", "Score from 1 to 5: 4".
        let remark = (label..self.tokens.len().min(label + 16)).find(|place| {
            let said = match &self.tokens[*place].kind {
                Kind::Word(word, _) => {
                    SCALE.contains(&word.as_str())
                        || LABELS.contains(&word.as_str())
                        || ENDS_OF_SCALES.contains(&word.as_str())
                }
                Kind::Sign(sign) => ["(", ")", ",", "-", "–", "/", "=", ";"].contains(sign) && !is_link(*place),
                Kind::Number(_) | Kind::InWords(_) => true,
                Kind::LineEnd => false,
            };
            !said
        });
        if let Some(link) = remark.filter(|place| is_link(*place)) {
            let between = label..link;
            let scale = between
                .clone()
                .any(|place| self.range(place).is_some() || self.is_whole(place));
            if scale || !between.clone().any(|place| self.number(place).is_some()) {
                let mut place = link + 1;
                // `"fluency": {"score": 4}`, "Score:\n4".
                while is_link(place)
                    || LABELS.contains(&self.word(place))
                    || LINKING.contains(&self.word(place))
                    || self.kind(place) == Some(&Kind::LineEnd)
                    || self.sign(place) == "("
                {
                    place += 1;
                }
                if self.number(place).is_some() {
                    return Some((place, true));
                }
            }
        }
        let mut place = label;
        let mut linked = false;
        while place - label < 5 {
            let word = self.word(place);
            if LINKING.contains(&word) || LABELS.contains(&word) {
                linked |= matches!(word, "is" | "of" | "be" | "at");
            } else if self.is_dash(place) && self.tokens.get(place).is_some_and(|token| token.apart) {
                linked = true;
            } else {
                break;
            }
            place += 1;
        }
        (self.number(place).is_some() && !self.is_scale(place)).then_some((place, linked))
    }

    /// "4/5", "3 out of 5".
    fn shares(&self) -> Values {
        let of = |place: &usize| {
            self.whole(*place)
                .is_some_and(|(_, whole)| matches!(whole, 5 | 10 | 100))
        };
        let places = (0..self.tokens.len()).filter(|place| self.number(*place).is_some());
        places
            .filter(|place| of(place) && !self.is_negated(*place) && !self.ends_range(*place))
            .map(|place| self.value(place))
            .collect()
    }

    /// Lines, as ranges of tokens.
    fn all_lines(&self) -> Vec<Range<usize>> {
        let mut lines = Vec::new();
        let mut begin = 0;
        for (place, token) in self.tokens.iter().enumerate() {
            if token.kind == Kind::LineEnd {
                lines.push(begin..place);
                begin = place + 1;
            }
        }
        lines.push(begin..self.tokens.len());
        lines.retain(|line| !line.is_empty());
        lines
    }

    /// The number that fills a line, or begins the first.
    fn lines(&self) -> Values {
        let mut found = Values::new();
        for line in &self.lines {
            let end = self.range(line.start).unwrap_or(line.start);
            let full_stop = usize::from(self.sign(end + 1) == ".");
            if self.number(line.start).is_some() && end + 1 + full_stop == line.end && !self.is_scale(line.start) {
                found.push(self.value(line.start));
            }
        }
        if found.is_empty()
            && let Some(first) = self.lines.first()
            && self.is_digit(first.start)
            && !self.is_scale(first.start)
            && !self.is_listed(first.start)
            && self.stands_alone(first.start)
        {
            found.push(self.value(first.start));
        }
        found
    }

    /// Whether what follows a number is a remark on it.
    fn stands_alone(&self, place: usize) -> bool {
        let next = place + 1;
        if self.range(place).is_some() {
            return true;
        }
        match self.kind(next) {
            None | Some(Kind::LineEnd) => true,
            Some(Kind::Sign(sign)) => match *sign {
                "." | "," | ";" | ":" | "!" | "(" | ")" if !self.is_definition(place) => true,
                _ => self.is_dash(next) && (self.tokens[next].apart || self.word(next + 1).is_empty()),
            },
            Some(Kind::Word(word, capital)) => {
                *capital
                    || ["because", "as", "since", "for", "points", "stars", "point", "star"].contains(&word.as_str())
            }
            Some(_) => false,
        }
    }

    /// "1. Read …", "2) Assess …": one of several.
    fn is_listed(&self, place: usize) -> bool {
        let begins = self.lines.binary_search_by_key(&place, |line| line.start).is_ok();
        let number = self.list_number(place).filter(|_| begins);
        number.is_some_and(|number| {
            let beside = [number.saturating_sub(1), number.saturating_add(1)];
            number == 1 || beside.iter().any(|other| self.listed.contains(other))
        })
    }

    /// "I give it a 3", "a solid four".
    fn given(&self) -> Values {
        let places = (0..self.tokens.len()).filter(|place| self.number(*place).is_some() && self.is_free(*place));
        let is_given = |place: &usize| {
            let [one, two] = [1, 2].map(|back| self.before(*place, back));
            let verb = (2..=6).any(|back| {
                [
                    "give", "gave", "giving", "rate", "rated", "score", "scored", "award", "assign", "gets",
                    "deserves", "earns", "say",
                ]
                .contains(&self.before(*place, back))
            });
            let article = |word: &str| ["a", "an"].contains(&word);
            let adjective = [
                "solid", "strong", "clear", "weak", "good", "generous", "full", "low", "high", "mere",
            ]
            .contains(&one);
            article(one) || (article(two) && adjective) || (verb && ["it", "this", "comment", "that"].contains(&one))
        };
        places.filter(is_given).map(|place| self.value(place)).collect()
    }

    /// The digits of which nothing says that they are something else.
    fn left_over(&self) -> Values {
        (0..self.tokens.len())
            .filter(|place| self.is_digit(*place) && self.is_free(*place) && !self.is_listed(*place))
            .filter_map(|place| self.value(place).ok().map(Ok))
            .collect()
    }

    /// Whether a number is neither of the scale nor a count, a reference or what the comment is not.
    fn is_free(&self, place: usize) -> bool {
        let of_scale = (self.before(place, 1) == "of" && self.before(place, 2) == "scale")
            || self.range(place).is_some()
            || self.ends_range(place)
            || self.is_whole(place)
            || self.is_definition(place);
        !of_scale && !self.is_count(place) && !self.is_negated(place) && !REFERENCES.contains(&self.before(place, 1))
    }

    /// "1 = very poor", "5 is best", "1 (worst)".
    fn is_definition(&self, place: usize) -> bool {
        let next = self.sign(place + 1);
        if matches!(next, "=" | "≙") {
            return true;
        }
        let extreme = matches!(self.number(place), Some(Some(1 | 5)));
        // "5 (excellent)" alone is a score; "1 (poor) to 5 (excellent)" is none.
        let linked = match next {
            "(" | ":" => self.has_both_ends,
            _ => matches!(
                self.word(place + 1),
                "is" | "being" | "means" | "the" | "for" | "meaning"
            ),
        };
        let told = (2..=5)
            .take_while(|on| !matches!(self.sign(place + on), "." | ";" | ")"))
            .any(|on| ENDS_OF_SCALES.contains(&self.word(place + on)));
        extreme && linked && told && self.whole(place).is_none()
    }

    /// "2 moves", "1 plan", "a 2-move plan", "3 small slips".
    fn is_count(&self, place: usize) -> bool {
        let of_word = self.is_dash(place + 1) && !self.tokens[place + 1].apart && !self.word(place + 2).is_empty();
        let plural = |word: &str| word.len() > 2 && word.ends_with('s') && !NO_PLURALS.contains(&word);
        let noun = |word: &str| {
            !word.is_empty()
                && !LINKING.contains(&word)
                && !["because", "since", "for", "here", "on", "and", "but", "out"].contains(&word)
        };
        let [one, two] = [1, 2].map(|on| self.word(place + on));
        let capital = matches!(self.kind(place + 1), Some(Kind::Word(_, true)));
        let single = self.number(place) == Some(Some(1)) && noun(one) && !capital;
        of_word || single || plural(one) || (noun(one) && plural(two))
    }

    /// "not a 5", "rather than 3".
    fn is_negated(&self, place: usize) -> bool {
        let mut back = 1;
        while back <= 5 && place >= back {
            let word = match &self.tokens[place - back].kind {
                Kind::Word(word, _) => word,
                _ => return false,
            };
            if [
                "not", "never", "than", "instead", "cannot", "below", "above", "under", "over",
            ]
            .contains(&word.as_str())
                || word.ends_with("n't")
            {
                return true;
            }
            back += 1;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(text: &str) -> Option<u8> {
        given_score(text, Criterion::Fluency).ok().map(|digit| digit.score)
    }

    #[test]
    fn a_score_is_the_surest_number() {
        let table = [
            ("4", Some(4)),
            (" 3\n", Some(3)),
            ("5/5", Some(5)),
            ("4/5", Some(4)),
            ("4 out of 5", Some(4)),
            ("four out of five", Some(4)),
            ("Score: 2", Some(2)),
            ("Score (1-5): 2", Some(2)),
            ("Score 1-5: 2", Some(2)),
            ("Score on a scale of 1 to 5: 2", Some(2)),
            ("Fluency score (1-5, the number alone): 4", Some(4)),
            ("2 (on a scale of 1-5)", Some(2)),
            ("2 (on a scale from 1 to 5)", Some(2)),
            ("2 – on this scale 1 is the worst and 5 the best.", Some(2)),
            ("1 is the worst and 5 the best. This is a 2.", Some(2)),
            ("Score: 3 (1 = very poor, 5 = excellent)", Some(3)),
            ("1 = very poor, 5 = excellent. Score: 3", Some(3)),
            ("On a scale of 1–5, where 5 is best, I give it a 3.", Some(3)),
            ("**4**", Some(4)),
            ("Rating: **4**", Some(4)),
            ("**Rating: 4**", Some(4)),
            ("**Score:** 4", Some(4)),
            ("# Score\n4", Some(4)),
            ("Score - 4", Some(4)),
            ("Score = 4", Some(4)),
            ("The score is therefore 4.", Some(4)),
            ("I'd give it a score of 4 out of 5.", Some(4)),
            ("```\n4\n```", Some(4)),
            ("<score>4</score> for 2 moves", Some(4)),
            ("\\boxed{4}", Some(4)),
            ("| Fluency | 4 |\n| Clarity | 2 |", Some(4)),
            ("1. Read it.\n2. Assess it.\n3. Score: 5", Some(5)),
            ("1. Read it.\n2. Assess it.\n3. Weigh it.\n\n5", Some(5)),
            ("4. Clear and detailed.", Some(4)),
            ("The score is 4.", Some(4)),
            ("4.", Some(4)),
            ("4.0", Some(4)),
            ("4 (2 small slips)", Some(4)),
            ("4/5 (2 small slips)", Some(4)),
            ("4 because it names 2 moves.", Some(4)),
            ("4\n\nReason: the comment names 2 moves and 1 plan.", Some(4)),
            ("It names 2 moves and 1 plan.\n\n4", Some(4)),
            ("The comment names 2 moves and 1 plan, so 4.", Some(4)),
            ("I would not give it a 5, but a 4.", Some(4)),
            ("I'd give it a four.", Some(4)),
            ("A solid 4 from me.", Some(4)),
            ("I rate this 3 overall", Some(3)),
            ("3 stars", Some(3)),
            ("It deserves 3 points out of 5.", Some(3)),
            ("4 on a scale of 5", Some(4)),
            ("5: Excellent", Some(5)),
            ("5 (excellent)", Some(5)),
            ("5 - Excellent.", Some(5)),
            ("1 (worst) to 5 (best): I say 3", Some(3)),
            ("3. It has two flaws.", Some(3)),
            ("Fluency: good. 2 slips. Final: 4", Some(4)),
            ("**Score:** 4 out of 5 stars", Some(4)),
            ("Rating: ★★★★☆ (4/5)", Some(4)),
            ("After 12.Nf3 the comment explains it well. 4", Some(4)),
            ("Draft score: 2. Final score: 4", Some(4)),
            ("Overall: 4", Some(4)),
            ("Relevance: 2\nFluency: 4\nClarity: 3", Some(4)),
            ("{\"score\": 4, \"reason\": \"2 moves\"}", Some(4)),
            ("```json\n{\"reason\": \"names 2 moves\", \"score\": 4}\n```", Some(4)),
            ("{\"score\": \"4/5\"}", Some(4)),
            ("{\"relevance\": 2, \"fluency\": 4, \"clarity\": 3}", Some(4)),
            ("{\"fluency\": {\"score\": 4}, \"clarity\": {\"score\": 2}}", Some(4)),
            ("{\"rating\": 4, \"max\": 5}", Some(4)),
            ("{\"value\": 4}", Some(4)),
            ("The knight on d5 is strong: 4", Some(4)),
            ("评分：4", Some(4)),
            ("Die Note ist 2", Some(2)),
            ("Score 4/5 for 30... Bd2+", Some(4)),
            ("five", Some(5)),
            ("Score: four", Some(4)),
            ("4.5", None),
            ("3,5", None),
            ("3-4", None),
            ("3 to 4", None),
            ("3 or 4", None),
            ("3-4/5", None),
            ("Score: 3/5 or 4/5", None),
            ("Score: 4½", None),
            ("I'd say between a 3 and a 4", None),
            ("Score: 3-4", None),
            ("Score: 3.5", None),
            ("Score: 3.5\nIt names 2 moves.", None),
            ("3.5/5", None),
            ("8/10", None),
            ("Score: 4/10", None),
            ("Somewhere between 3 and 4.", None),
            ("10", None),
            ("01", None),
            ("0", None),
            ("6", None),
            ("-3", None),
            ("80%", None),
            ("ten", None),
            ("", None),
            ("1 to 5", None),
            ("It names 2 moves.", None),
            ("{\"relevance\": 2, \"clarity\": 3}", None),
            ("Relevance: 3. Clarity: 4.", None),
            ("Score: 3\nRating: 4", None),
            ("2\n4", None),
            ("Nd5 was played on move e4", None),
        ];
        let wrong: Vec<String> = table
            .into_iter()
            .filter(|(text, wanted)| score(text) != *wanted)
            .map(|(text, wanted)| {
                format!(
                    "{text:?} gives {:?}, not {wanted:?}",
                    given_score(text, Criterion::Fluency)
                )
            })
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn several_are_told_from_none() {
        let fault = |text| given_score(text, Criterion::Clarity).unwrap_err();
        assert_eq!(fault("3 or 4"), NoDigit::Several);
        assert_eq!(fault("Relevance: 3. Fluency: 4."), NoDigit::Several);
        assert_eq!(fault("It is fine."), NoDigit::Missing);
    }

    #[test]
    fn the_place_is_that_of_the_digit() {
        let found = given_score("ä 4/5", Criterion::Fluency);
        assert_eq!(found, Ok(Digit { at: 3, score: 4 }));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "([ 0-9./\\-–a-eé\n():=]|score|out of|fluency|four|not|to){0,24}") {
            if let Ok(digit) = given_score(&text, Criterion::Fluency) {
                let letter = text[digit.at..].chars().next();
                proptest::prop_assert!(letter == char::from_digit(digit.score.into(), 10) || letter == Some('f'));
            }
        }

        #[test]
        fn a_remark_changes_nothing(score in 1..=5_u8, form in 0..5_u8, remark in "(names 2 moves|1 plan|misses move 3|see Nf3 and d5|1 is worst and 5 best|\\(1 = poor, 5 = excellent\\))( and 3 slips)?") {
            let reply = match form {
                0 => format!("{score}\n\nReason: {remark}."),
                1 => format!("Score: {score}. It {remark}."),
                2 => format!("{{\"reason\": \"{remark}\", \"score\": {score}}}"),
                3 => format!("{remark}.\n\n**{score}/5**"),
                _ => format!("Fluency: {score} – {remark}"),
            };
            proptest::prop_assert_eq!(super::tests::score(&reply), Some(score), "{}", reply);
        }
    }
}

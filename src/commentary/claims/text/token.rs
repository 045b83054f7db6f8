//! Prose as tokens: words in lower case, squares, moves, numbers and signs, each with its place in the text.

use std::ops::Range;

use shakmaty::Square;

/// What a token is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tok {
    /// A word in lower case; "isn't" makes two, "half-open" too.
    Word(String),
    /// `'s` or a plural's `'`: a possessive, or short for "is" or "has".
    Possessive,
    /// A square, which may be a pawn's move.
    Square(Square),
    /// The shape of a move that is no bare square, with its check or mate sign.
    Move(String),
    /// A number; `dots` counts the full stops behind it ("12." has one, "12..." three).
    Number {
        /// Its value.
        n: u32,
        /// The dots behind it.
        dots: u8,
    },
    /// Two dots or more that stand before a word: "...Nf6" is Black's.
    Ellipsis,
    /// Any other sign.
    Sign(char),
}

/// A token and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub tok: Tok,
    /// Bytes of the text.
    pub span: Range<usize>,
    /// True where a hyphen joins it to the one before: "e-file", "f3-knight".
    pub glued: bool,
    /// True for a word that begins with a capital.
    pub capital: bool,
}

impl Token {
    /// The word, empty for anything else.
    #[must_use]
    pub fn word(&self) -> &str {
        match &self.tok {
            Tok::Word(word) => word,
            _ => "",
        }
    }
}

/// The tokens of `text[range]`.
#[must_use]
pub fn tokens(text: &str, range: Range<usize>) -> Vec<Token> {
    let mut lexer = Lexer {
        text,
        end: range.end.min(text.len()),
        at: range.start,
        glued: false,
        found: Vec::new(),
    };
    lexer.run();
    lexer.found
}

/// Words that a man's name follows.
const DETERMINERS: [&str; 19] = [
    "the", "a", "an", "this", "that", "his", "her", "its", "their", "your", "my", "our", "white", "black", "both",
    "two", "each", "every", "no",
];

struct Lexer<'a> {
    text: &'a str,
    end: usize,
    at: usize,
    glued: bool,
    found: Vec<Token>,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..self.end).unwrap_or_default()
    }

    fn push(&mut self, tok: Tok, len: usize) {
        let span = self.at..self.at + len;
        let capital = self.text[span.clone()].starts_with(char::is_uppercase);
        self.found.push(Token {
            tok,
            span,
            glued: std::mem::take(&mut self.glued),
            capital,
        });
        self.at += len;
    }

    fn run(&mut self) {
        while let Some(c) = self.rest().chars().next() {
            if c.is_whitespace() {
                self.glued = false;
                self.at += c.len_utf8();
            } else if !(self.dots() || self.a_move() || self.number() || self.words()) {
                if is_hyphen(c) && self.joins() {
                    self.glued = true;
                    self.at += c.len_utf8();
                } else if let Some(role) = figurine(c) {
                    let behind = self.rest()[c.len_utf8()..].trim_start_matches(['\u{fe0e}', '\u{fe0f}']);
                    let len = self.rest().len() - behind.len();
                    if self.is_ornament(role, behind) {
                        self.glued = false;
                        self.at += len;
                    } else {
                        self.push(Tok::Word(role.to_owned()), len);
                    }
                } else {
                    let sign = match c {
                        '’' | '‘' => '\'',
                        '“' | '”' | '„' => '"',
                        c if is_hyphen(c) => '-',
                        c => c,
                    };
                    self.push(Tok::Sign(sign), c.len_utf8());
                }
            }
        }
    }

    /// Whether a figurine only adorns the text: it names no square, and nothing before it says that a piece is meant ("the ♞",
    /// "White's ♕").
    fn is_ornament(&self, role: &str, behind: &str) -> bool {
        let behind = behind.trim_start();
        let place = ["on ", "at ", "from ", "to "]
            .iter()
            .find_map(|word| behind.strip_prefix(word));
        let names_square = san_len(place.unwrap_or(behind)).is_some();
        match self.found.last().map(|token| &token.tok) {
            // "The knight ♞ on f6"
            Some(Tok::Word(word)) if word == role => true,
            Some(Tok::Word(word)) => !names_square && !DETERMINERS.contains(&word.as_str()),
            Some(Tok::Possessive) => false,
            _ => !names_square,
        }
    }

    /// True where the hyphen stands between two words without a space.
    fn joins(&self) -> bool {
        let before = self.text[..self.at].chars().next_back();
        let after = self.rest().chars().nth(1);
        before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric)
    }

    fn dots(&mut self) -> bool {
        let rest = self.rest();
        let len: usize = rest
            .chars()
            .take_while(|&c| c == '.' || c == '…')
            .map(char::len_utf8)
            .sum();
        if rest[..len].chars().count() > 1 || rest.starts_with('…') {
            self.push(Tok::Ellipsis, len);
            return true;
        }
        false
    }

    fn a_move(&mut self) -> bool {
        let boundary = self.text[..self.at]
            .chars()
            .next_back()
            .is_none_or(|c| !c.is_alphanumeric());
        if !boundary {
            return false;
        }
        let rest = self.rest();
        let Some(len) = move_len(rest) else { return false };
        let body = &rest[..len];
        let tail: usize = rest[len..]
            .chars()
            .take_while(|c| "+#!?‼⁇⁈⁉†‡".contains(*c))
            .map(char::len_utf8)
            .sum();
        let marks: String = rest[len..len + tail].chars().filter(|c| "+#".contains(*c)).collect();
        // "ed7": a pawn's capture without its cross.
        let crossed = match body.as_bytes() {
            [from, rest @ ..] if rest.len() == 2 && from.is_ascii_lowercase() && rest[0].is_ascii_lowercase() => {
                format!("{}x{}", &body[..1], &body[1..])
            }
            _ => body.to_owned(),
        };
        let tok = match body.to_ascii_lowercase().parse::<Square>() {
            // The marks stay outside: "to e4!" ends a sentence.
            Ok(square) if marks.is_empty() => {
                self.push(Tok::Square(square), len);
                return true;
            }
            _ => Tok::Move(format!("{crossed}{marks}")),
        };
        // A mark that ends the sentence stays with the move; nothing is lost by that.
        self.push(tok, len + tail);
        true
    }

    fn number(&mut self) -> bool {
        let rest = self.rest();
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits == 0 {
            return false;
        }
        let n = rest[..digits].parse().unwrap_or(u32::MAX);
        let dotted = &rest[digits..];
        let dots_len: usize = dotted
            .chars()
            .take_while(|&c| c == '.' || c == '…')
            .map(char::len_utf8)
            .sum();
        let mut dots: usize = dotted[..dots_len].chars().map(|c| if c == '…' { 3 } else { 1 }).sum();
        let mut len = digits + dots_len;
        // "12 ..." and "12 . Bxh7", as some corpora write.
        if dots_len == 0 {
            let spaced = dotted.trim_start_matches(' ');
            let more: usize = spaced
                .chars()
                .take_while(|&c| c == '.' || c == '…')
                .map(char::len_utf8)
                .sum();
            let follows = spaced[more..].trim_start_matches([' ', '.']);
            if more > 0 && move_len(follows).is_some() {
                dots = spaced[..more].chars().map(|c| if c == '…' { 3 } else { 1 }).sum();
                len = digits + (dotted.len() - spaced.len()) + more;
            }
        }
        self.push(
            Tok::Number {
                n,
                dots: u8::try_from(dots).unwrap_or(3),
            },
            len,
        );
        true
    }

    fn words(&mut self) -> bool {
        let rest = self.rest();
        let mut len = 0;
        for (i, c) in rest.char_indices() {
            let apostrophe = matches!(c, '\'' | '’')
                && i > 0
                && rest[i + c.len_utf8()..].chars().next().is_some_and(char::is_alphabetic);
            if c.is_alphabetic() || apostrophe {
                len = i + c.len_utf8();
            } else {
                break;
            }
        }
        let possessive = rest.starts_with(['\'', '’']);
        if possessive {
            let mark = rest.chars().next().map_or(1, char::len_utf8);
            let after = &rest[mark..];
            let s = after.starts_with(['s', 'S']) && !after[1..].starts_with(char::is_alphanumeric);
            let after_word = self.text[..self.at].ends_with(|c: char| c.is_alphanumeric());
            let tokenised = self.text[..self.at].ends_with(' ');
            if s && (after_word || tokenised) {
                self.push(Tok::Possessive, mark + 1);
                return true;
            }
            if after_word && self.text[..self.at].ends_with('s') {
                self.push(Tok::Possessive, mark);
                return true;
            }
            return false;
        }
        if len == 0 {
            return false;
        }
        let mut word = rest[..len].to_lowercase();
        if word.contains('’') {
            word = word.replace('’', "'");
        }
        if word == "n't" {
            self.push(Tok::Word("not".into()), len);
            return true;
        }
        let whole = match word.as_str() {
            "cannot" => Some(["can", "not"]),
            "can't" => Some(["can", "not"]),
            "won't" => Some(["will", "not"]),
            "shan't" => Some(["shall", "not"]),
            "let's" => Some(["let", "us"]),
            "it's" => Some(["it", "is"]),
            "that's" => Some(["that", "is"]),
            "there's" => Some(["there", "is"]),
            "here's" => Some(["here", "is"]),
            "he's" => Some(["he", "is"]),
            "she's" => Some(["she", "is"]),
            "what's" => Some(["what", "is"]),
            "who's" => Some(["who", "is"]),
            "ain't" => Some(["is", "not"]),
            _ => None,
        };
        if let Some([first, second]) = whole {
            self.pair(first, second, len);
            return true;
        }
        if let Some(stem) = word.strip_suffix("n't") {
            let stem = stem.to_owned();
            self.pair(&stem, "not", len);
            return true;
        }
        for (suffix, short) in [
            ("'re", "are"),
            ("'ll", "will"),
            ("'ve", "have"),
            ("'d", "would"),
            ("'m", "am"),
        ] {
            if let Some(stem) = word.strip_suffix(suffix) {
                let stem = stem.to_owned();
                self.pair(&stem, short, len);
                return true;
            }
        }
        if let Some(stem) = word.strip_suffix("'s") {
            let tail = rest[..len].char_indices().rev().nth(1).map_or(len, |(at, _)| at);
            let stem = stem.to_owned();
            self.push(Tok::Word(stem), tail);
            self.push(Tok::Possessive, len - tail);
            return true;
        }
        let word = match word.as_str() {
            "ca" if rest[len..].trim_start().to_lowercase().starts_with("n't") => "can".to_owned(),
            "wo" if rest[len..].trim_start().to_lowercase().starts_with("n't") => "will".to_owned(),
            _ => word,
        };
        self.push(Tok::Word(word), len);
        true
    }

    /// Two words out of one; both carry the whole span's start and end, so that a claim's text has all of it.
    fn pair(&mut self, first: &str, second: &str, len: usize) {
        let start = self.at;
        self.push(Tok::Word(first.to_owned()), len);
        self.found.push(Token {
            tok: Tok::Word(second.to_owned()),
            span: start..start + len,
            glued: false,
            capital: false,
        });
    }
}

/// The piece that a figurine shows.
const fn figurine(c: char) -> Option<&'static str> {
    Some(match c {
        '♔' | '♚' => "king",
        '♕' | '♛' => "queen",
        '♖' | '♜' => "rook",
        '♗' | '♝' => "bishop",
        '♘' | '♞' => "knight",
        '♙' | '♟' => "pawn",
        _ => return None,
    })
}

const fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '‐' | '‑' | '–' | '—' | '−')
}

/// Characters of a move, at most.
const LONGEST_MOVE: usize = 12;

/// Bytes of the move or square at the front of `text`, without check signs and marks. `None` where there is none.
#[must_use]
pub fn move_len(text: &str) -> Option<usize> {
    if !may_be_move(text.as_bytes()) {
        return None;
    }
    let len = castling_len(text).or_else(|| san_len(text))?;
    // A word may not go on behind it: "a4ever"; "e4-e5-e6" isn't one either.
    let next = text[len..].chars().next();
    (!next.is_some_and(|c| c.is_alphanumeric() || c == '_')).then_some(len)
}

/// False for what no move begins as: most words are seen at once to be none, as they have no number.
fn may_be_move(text: &[u8]) -> bool {
    let castling = matches!(text.first(), Some(b'O' | b'o' | b'0'));
    let mut stretch = text
        .iter()
        .take(4 * LONGEST_MOVE)
        .take_while(|byte| !byte.is_ascii_whitespace());
    castling || stretch.any(u8::is_ascii_digit)
}

fn castling_len(text: &str) -> Option<usize> {
    // A zero's castling is digits: "0-0" yes, "1-0" no.
    for form in [
        "O-O-O",
        "0-0-0",
        "o-o-o",
        "O-O",
        "0-0",
        "o-o",
        "O–O–O",
        "0–0–0",
        "O–O",
        "0–0",
    ] {
        if text.starts_with(form) {
            return Some(form.len());
        }
    }
    None
}

fn san_len(text: &str) -> Option<usize> {
    let chars: Vec<(usize, char)> = text.char_indices().take(LONGEST_MOVE).collect();
    let at = |i: usize| chars.get(i).map(|&(_, c)| c);
    let is_file = |c: Option<char>| c.is_some_and(|c| ('a'..='h').contains(&c));
    let is_rank = |c: Option<char>| c.is_some_and(|c| ('1'..='8').contains(&c));
    let mut i = 0;
    let figurine = at(0).is_some_and(|c| "♔♕♖♗♘♙♚♛♜♝♞♟".contains(c));
    let letter = at(0).is_some_and(|c| "KQRBNP".contains(c));
    // "nf3" is a knight's move, "b4" a pawn's.
    let small = at(0).is_some_and(|c| "kqrn".contains(c));
    let piece = figurine || letter || small;
    if piece {
        i += 1;
        while at(i) == Some('\u{fe0e}') || at(i) == Some('\u{fe0f}') {
            i += 1;
        }
    }
    // Capital files ("E4") only as whole squares.
    if at(0).is_some_and(|c| ('A'..='H').contains(&c)) && is_rank(at(1)) && !at(2).is_some_and(char::is_alphanumeric) {
        return Some(2);
    }
    let takes = |c: Option<char>| c.is_some_and(|c| matches!(c, 'x' | '×' | ':'));
    let dash = |c: Option<char>| c.is_some_and(is_hyphen);
    // Longest first: from-square, then less.
    for origin in [2, 1, 0] {
        let mut j = i;
        let ok = match origin {
            2 => is_file(at(j)) && is_rank(at(j + 1)),
            1 => is_file(at(j)) || (piece && is_rank(at(j))),
            _ => true,
        };
        if !ok {
            continue;
        }
        j += origin;
        if takes(at(j)) || (origin == 2 && dash(at(j)) && is_file(at(j + 1)) && is_rank(at(j + 2))) {
            j += 1;
        } else if origin == 1 && !piece {
            // "ae4" is not a capture, "de4" may be.
            let beside = |a: Option<char>, b: Option<char>| {
                a.zip(b).is_some_and(|(a, b)| u32::from(a).abs_diff(u32::from(b)) == 1)
            };
            if !beside(at(i), at(j)) {
                continue;
            }
        }
        if !(is_file(at(j)) && is_rank(at(j + 1))) {
            continue;
        }
        j += 2;
        // A promotion.
        let into = |c: Option<char>| c.is_some_and(|c| "QRBNqrbn".contains(c));
        let before = at(j.wrapping_sub(1));
        if matches!(before, Some('1' | '8')) {
            if matches!(at(j), Some('=' | '/')) && into(at(j + 1)) {
                j += 2;
            } else if at(j) == Some('(') && into(at(j + 1)) && at(j + 2) == Some(')') {
                j += 3;
            } else if into(at(j)) && !at(j + 1).is_some_and(char::is_alphanumeric) {
                j += 1;
            }
        }
        let end = chars.get(j).map_or(text.len(), |&(byte, _)| byte);
        return Some(end);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str) -> String {
        let shown: Vec<String> = tokens(text, 0..text.len())
            .iter()
            .map(|t| {
                let core = match &t.tok {
                    Tok::Word(word) => word.clone(),
                    Tok::Possessive => "'s".into(),
                    Tok::Square(square) => format!("<{square}>"),
                    Tok::Move(san) => format!("[{san}]"),
                    Tok::Number { n, dots } => format!("#{n}{}", ".".repeat((*dots).into())),
                    Tok::Ellipsis => "…".into(),
                    Tok::Sign(c) => c.to_string(),
                };
                if t.glued { format!("~{core}") } else { core }
            })
            .collect();
        shown.join(" ")
    }

    #[test]
    fn words_moves_and_squares() {
        assert_eq!(
            show("White's f3-knight isn't on e5."),
            "white 's <f3> ~knight is not on <e5> ."
        );
        assert_eq!(show("12...Nf6 13.Bg5 O-O"), "#12... [Nf6] #13. [Bg5] [O-O]");
        assert_eq!(
            show("the a-pawn, e2-e4 and e7e8q!"),
            "the a ~pawn , [e2-e4] and [e7e8q]"
        );
        assert_eq!(show("White ca n't play 14 . Bxh7"), "white can not play #14. [Bxh7]");
        assert_eq!(show("♘xe5+ …Qd4 exd5 e8=Q#"), "[♘xe5+] … [Qd4] [exd5] [e8=Q#]");
        assert_eq!(
            show("the ♞ on f6, White's ♕, ♘ e5, ♜ on d8"),
            "the knight on <f6> , white 's queen , knight <e5> , rook on <d8>"
        );
        assert_eq!(
            show("♞ It eyes the centre ♞ and wins ♕. The knight ♞ on f6 ♔️"),
            "it eyes the centre and wins . the knight on <f6>"
        );
        assert_eq!(show("the half-open e-file"), "the half ~open e ~file");
        assert_eq!(show("It’s White’s move"), "it is white 's move");
        assert_eq!(show("the rooks' files — good"), "the rooks 's files - good");
        assert_eq!(show("white 's pawn"), "white 's pawn");
        assert_eq!(show("e4!"), "<e4> !");
        assert_eq!(show("R1e2 Nbd7 Qh4xe1"), "[R1e2] [Nbd7] [Qh4xe1]");
        assert_eq!(
            show("be4ever a44 kb"),
            "be4ever a #44 kb".replace("be4ever", "be #4 ever").as_str()
        );
    }
}

//! What a question about a move asks to be looked at: lines it names, and the captures of a man whose fate it asks about.
//!
//! "Can the knight on h4 survive?" asks about every capture on h4, "why not Nd5?" about another move, "what if Bxf3 and then
//! gxf3" about a line. Each is analysed before anybody answers (paper, appendix D).

use shakmaty::{Chess, Color, Move, Position, Role, Square, san::SanPlus};

use super::{FactSheet, claims::move_len};
use crate::chess::{
    Man, Played,
    names::{color_name, role_name},
    notation::read_move,
};

/// The most lines that a question is taken to ask about.
const MOST: usize = 3;
/// The most moves of a line.
const LONGEST: usize = 8;
/// Words of a question that are read.
const WORDS: usize = 400;

/// A line that a question asks about.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Its last move, with what led there: that move is analysed.
    pub played: Played,
    /// With move numbers, "12...Bxh4 13.gxh4".
    pub title: String,
}

/// What a question asks about.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Inquiry {
    /// To be analysed; none where the fact sheet is enough.
    pub lines: Vec<Line>,
    /// What the rules alone answer: that nothing can take a man, that a move cannot be played.
    pub notes: Vec<String>,
}

/// Reads a question about the sheet's move. Text that names nothing gives an empty inquiry.
#[must_use]
pub fn inquire(sheet: &FactSheet, question: &str) -> Inquiry {
    let words: Vec<Word<'_>> = question
        .split_whitespace()
        .take(WORDS)
        .map(Word::read)
        .filter(|word| !word.text.is_empty())
        .collect();
    let mut inquiry = Inquiry::default();
    named_lines(sheet.played(), &words, &mut inquiry);
    if asks_for_fate(&words) {
        for square in men_named(&words) {
            fate(sheet.played(), square, &mut inquiry);
        }
    }
    inquiry.lines.truncate(MOST);
    inquiry.notes.truncate(MOST);
    inquiry
}

/// A word of a question.
struct Word<'a> {
    /// Without the punctuation around it and without a move number before it.
    text: &'a str,
    /// Whether there was a move number.
    numbered: bool,
    /// Whose move the number says it is.
    side: Option<Color>,
}

impl<'a> Word<'a> {
    fn read(word: &'a str) -> Self {
        let text = word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '+' | '#' | '='));
        let text = text.trim_end_matches(['+', '#']);
        match text.rfind('.') {
            Some(dot) if text[..dot].bytes().all(|b| b.is_ascii_digit() || b == b'.') => Self {
                text: &text[dot + 1..],
                numbered: true,
                side: Some(if text[..dot].ends_with('.') {
                    Color::Black
                } else {
                    Color::White
                }),
            },
            _ => Self {
                text,
                numbered: false,
                side: None,
            },
        }
    }

    fn is(&self, word: &str) -> bool {
        self.text.eq_ignore_ascii_case(word)
    }
}

fn square(word: &str) -> Option<Square> {
    word.to_ascii_lowercase().parse().ok()
}

fn role(word: &str) -> Option<Role> {
    Role::ALL
        .into_iter()
        .find(|role| word.eq_ignore_ascii_case(role_name(*role)))
}

/// Written as moves are, by the reader that the claim check has. A bare square is a move only where one is `called` for.
fn is_move(word: &str, called: bool) -> bool {
    if square(word).is_some() {
        return called;
    }
    move_len(word) == Some(word.len())
}

/// Whether the words before the one at `i` call for a move: "why not", "what if", another move.
fn calls(words: &[Word<'_>], i: usize) -> bool {
    const CALLS: [&str; 10] = [
        "play", "plays", "played", "playing", "push", "pushes", "about", "then", "if", "not",
    ];
    let before = |n: usize| i.checked_sub(n).and_then(|i| words.get(i));
    let is_call =
        |word: &Word<'_>| word.numbered || CALLS.iter().any(|call| word.is(call)) || is_move(word.text, false);
    words[i].numbered
        || before(1).is_some_and(is_call)
        || before(1).is_some_and(|w| w.is("and") || w.is("or")) && before(2).is_some_and(is_call)
}

/// A line under way: the positions before and after its last move.
struct Walk {
    history: Vec<Chess>,
    at: Chess,
    last: Option<Played>,
    title: String,
    length: usize,
}

impl Walk {
    fn from(history: &[Chess], at: &Chess) -> Self {
        Self {
            history: history.to_vec(),
            at: at.clone(),
            last: None,
            title: String::new(),
            length: 0,
        }
    }

    /// Plays `text` if it is a legal move here.
    fn play(&mut self, played: &Played, text: &str) -> bool {
        if self.length == LONGEST {
            return false;
        }
        read_move(&self.at, played.mode, text).is_ok_and(|mv| self.step(played, mv))
    }

    fn step(&mut self, played: &Played, mv: Move) -> bool {
        let Some(next) = Played::new(self.at.clone(), mv, played.mode, self.history.clone()) else {
            return false;
        };
        let number = self.at.fullmoves();
        let san = SanPlus::from_move(self.at.clone(), mv);
        let step = match (self.at.turn(), self.title.is_empty()) {
            (Color::White, true) => format!("{number}.{san}"),
            (Color::White, false) => format!(" {number}.{san}"),
            (Color::Black, true) => format!("{number}...{san}"),
            (Color::Black, false) => format!(" {san}"),
        };
        self.title.push_str(&step);
        self.history.push(std::mem::replace(&mut self.at, next.after.clone()));
        self.last = Some(next);
        self.length += 1;
        true
    }

    fn finish(self, inquiry: &mut Inquiry) {
        let Some(played) = self.last else { return };
        if !inquiry.lines.iter().any(|line| line.title == self.title) {
            let title = self.title;
            inquiry.lines.push(Line { played, title });
        }
    }
}

/// Moves in a row make a line, from the position after the move or else as an alternative to it.
fn named_lines(played: &Played, words: &[Word<'_>], inquiry: &mut Inquiry) {
    let mut after = played.history.clone();
    after.push(played.before.clone());
    let starts = [
        Walk::from(&after, &played.after),
        Walk::from(&played.history, &played.before),
    ];
    let fresh = |which: usize| Walk::from(&starts[which].history, &starts[which].at);
    let mut walk: Option<Walk> = None;
    for (i, word) in words.iter().enumerate() {
        let castles = word.text.to_ascii_lowercase().starts_with("castl");
        if !castles && !is_move(word.text, calls(words, i)) {
            continue;
        }
        let long = words
            .get(i + 1)
            .is_some_and(|next| next.is("queenside") || next.is("long"));
        let text = match (castles, long) {
            (true, true) => "O-O-O",
            (true, false) => "O-O",
            (false, _) => word.text,
        };
        let this =
            text == played.san().trim_end_matches(['+', '#']) && word.side.is_none_or(|side| side == played.mover());
        if this && (walk.is_none() || i > 0 && words[i - 1].is("after")) {
            // The move under discussion: what follows are replies to it.
            let open = walk.replace(fresh(0));
            if let Some(done) = open {
                done.finish(inquiry);
            }
            continue;
        }
        if let Some(open) = walk.as_mut()
            && open.play(played, text)
        {
            continue;
        }
        let mut reply = fresh(0);
        let mut instead = fresh(1);
        let begun = if reply.play(played, text) {
            Some(reply)
        } else if instead.play(played, text) {
            Some(instead)
        } else {
            None
        };
        match begun {
            Some(begun) => {
                if let Some(done) = walk.replace(begun) {
                    done.finish(inquiry);
                }
            }
            None if castles => {}
            None => {
                if let Err(error) = read_move(&played.after, played.mode, text) {
                    inquiry.notes.push(format!("{text} cannot be played here: {error}."));
                }
            }
        }
    }
    if let Some(done) = walk {
        done.finish(inquiry);
    }
}

/// Whether it is asked what becomes of a man.
fn asks_for_fate(words: &[Word<'_>]) -> bool {
    const STEMS: [&str; 14] = [
        "surviv", "safe", "tak", "captur", "hang", "win", "los", "grab", "danger", "trap", "save", "free", "prise",
        "poison",
    ];
    words.iter().any(|word| {
        STEMS
            .iter()
            .any(|stem| word.text.to_ascii_lowercase().starts_with(stem))
    })
}

/// The squares of men that are named: "knight on h4", "the h4 knight".
fn men_named(words: &[Word<'_>]) -> Vec<Square> {
    let mut found = Vec::new();
    for (i, word) in words.iter().enumerate() {
        let Some(square) = square(word.text) else { continue };
        let back = |n: usize| i.checked_sub(n).and_then(|i| words.get(i));
        let on = back(1).is_some_and(|place| place.is("on") || place.is("at"));
        let named = on && back(2).is_some_and(|man| role(man.text).is_some())
            || words.get(i + 1).is_some_and(|next| role(next.text).is_some());
        if named && !found.contains(&square) {
            found.push(square);
        }
    }
    found
}

/// The captures of the man on `square` after the move, or why there are none.
fn fate(played: &Played, square: Square, inquiry: &mut Inquiry) {
    let after = &played.after;
    let Some(man) = Man::at(after.board(), square) else {
        inquiry.notes.push(format!("No man stands on {square} after the move."));
        return;
    };
    let enemy = man.color.other();
    if after.turn() != enemy {
        inquiry.notes.push(format!(
            "It is {}'s turn: {} cannot take the {} before {} has moved.",
            color_name(after.turn()),
            color_name(enemy),
            man.plain(),
            color_name(after.turn()),
        ));
        return;
    }
    let mut captures: Vec<Move> = after
        .legal_moves()
        .iter()
        .filter(|m| m.is_capture() && m.to() == square)
        .copied()
        .collect();
    if captures.is_empty() {
        inquiry
            .notes
            .push(format!("Nothing can take the {} at once.", man.plain()));
    }
    // The cheapest taker first: it is the one to fear.
    captures.sort_by_key(|m| {
        (
            m.from().and_then(|from| Man::at(after.board(), from)).map(Man::value),
            m.from(),
        )
    });
    for mv in captures {
        let mut history = played.history.clone();
        history.push(played.before.clone());
        let mut walk = Walk::from(&history, after);
        if walk.step(played, mv) {
            walk.finish(inquiry);
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn sheet(fen: &str, mv: &str) -> FactSheet {
        let before: Chess = fen
            .parse::<Fen>()
            .unwrap()
            .into_position(CastlingMode::Standard)
            .unwrap();
        let mv = read_move(&before, CastlingMode::Standard, mv).unwrap();
        FactSheet::new(
            &Played::new(before, mv, CastlingMode::Standard, Vec::new()).unwrap(),
            None,
            None,
        )
    }

    /// After 1.e4 e5 2.Nf3 Nc6 3.Nxe5 a knight can take the knight.
    fn knight_given_up() -> FactSheet {
        sheet(
            "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
            "Nxe5",
        )
    }

    fn titles(inquiry: &Inquiry) -> Vec<&str> {
        inquiry.lines.iter().map(|line| line.title.as_str()).collect()
    }

    #[test]
    fn the_fate_of_a_man_is_its_captures() {
        let sheet = knight_given_up();
        for question in [
            "Can the knight on e5 survive?",
            "is the e5 knight safe",
            "Won't they just take the Knight on E5??",
        ] {
            assert_eq!(titles(&inquire(&sheet, question)), ["3...Nxe5"], "{question}");
        }
        let turn = inquire(&sheet, "Is the knight on c6 hanging?");
        assert!(
            turn.lines.is_empty() && turn.notes[0].contains("Black's turn"),
            "{turn:?}"
        );
        let none = inquire(&sheet, "Could somebody capture the bishop on f1?");
        assert_eq!(none.notes, ["Nothing can take the bishop on f1 at once."]);
        assert_eq!(
            inquire(&sheet, "Is the rook on d5 safe?").notes,
            ["No man stands on d5 after the move."]
        );
    }

    #[test]
    fn moves_in_a_row_make_a_line_and_others_are_alternatives() {
        let sheet = knight_given_up();
        assert_eq!(
            titles(&inquire(&sheet, "What about 3...Nxe5 4.d4 then?")),
            ["3...Nxe5 4.d4"]
        );
        assert_eq!(titles(&inquire(&sheet, "why not Bb5 or Bc4?")), ["3.Bb5", "3.Bc4"]);
        assert_eq!(
            titles(&inquire(&sheet, "What if Black plays Qe7 after Nxe5?")),
            ["3...Qe7"]
        );
        assert_eq!(titles(&inquire(&sheet, "Why Nxe5 Nxe5 d4?")), ["3...Nxe5 4.d4"]);
        let wrong = inquire(&sheet, "And Ra5?");
        assert!(
            wrong.lines.is_empty() && wrong.notes[0].starts_with("Ra5 cannot be played here"),
            "{wrong:?}"
        );
    }

    #[test]
    fn other_questions_need_nothing_looked_at() {
        let sheet = knight_given_up();
        for question in [
            "",
            "Why is this bad?",
            "What is White's plan on the e-file?",
            "Who controls d4 and e5?",
            "☃ .. … 12.",
        ] {
            assert_eq!(inquire(&sheet, question), Inquiry::default(), "{question}");
        }
    }
}

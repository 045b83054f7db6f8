//! What a question about a move asks for, and what has to be looked at before anybody answers (paper, section 4.4 and
//! appendix D).
//!
//! A question may name moves: "why not Nd5?" asks for an alternative, which is compared with the move; "what if Bxf3 and then
//! gxf3" for a line, which is analysed; "can the knight on h4 survive?" for every capture on h4. Or it is one of the common
//! kinds of [`Question`]: threats, plans, alternatives, a deeper look. What has to be searched is data, [`Look`]s; whoever
//! holds an engine makes the searches, and [`replies`](super::replies) puts the results into words.

mod fate;
mod look;
mod named;
mod question;
mod subject;
mod words;

use shakmaty::{Color, Position};

pub use look::{Finding, Look};
pub use question::Question;
pub use subject::{AskedLine, Inquiry};

use super::FactSheet;
use crate::chess::{Played, names::color_name};

/// The most lines that a question is taken to ask about, and the most notes on it.
const MOST_LINES: usize = 3;

/// Reads a question about the sheet's move. Text that asks for nothing known gives an empty inquiry.
#[must_use]
pub fn inquire(sheet: &FactSheet, question: &str) -> Inquiry {
    let played = sheet.played();
    let words = words::words(question);
    let mut inquiry = Inquiry::default();
    named::named_lines(played, &words, &mut inquiry);
    let men = if fate::asks_for_fate(&words) {
        fate::men_named(&words)
    } else {
        Vec::new()
    };
    for &square in &men {
        fate::fate(played, square, &mut inquiry);
    }
    inquiry.lines.truncate(MOST_LINES);
    if inquiry.lines.is_empty() && men.is_empty() {
        inquiry.question = Question::read(&words, played.mover());
        look_for(played, &mut inquiry);
    } else {
        inquiry.question = if men.is_empty() {
            Question::Moves
        } else {
            Question::Fate
        };
        let instead: Vec<_> = inquiry
            .lines
            .iter()
            .filter(|line| line.instead)
            .map(|line| line.played.mv)
            .collect();
        if !instead.is_empty() {
            inquiry.looks.push(Look::Duel(instead));
        }
    }
    inquiry.notes.truncate(MOST_LINES);
    inquiry
}

/// Sets what a question of a common kind needs looked at, or the note that there is nothing to look at.
fn look_for(played: &Played, inquiry: &mut Inquiry) {
    let mover = played.mover();
    let over = played.after.is_game_over();
    let (look, note) = match inquiry.question {
        Question::Threat { by, earlier: true } if by != mover => {
            let checked = format!("{} was in check and had to answer that.", color_name(mover));
            (Look::Earlier, played.before.is_check().then_some(checked))
        }
        Question::Threat { .. } | Question::Plan { .. } if over => (Look::After, Some(ended(played))),
        Question::Threat { by, .. } if by == mover => {
            let other = color_name(by.other());
            let checked = format!(
                "{other} is in check and must answer that first: what else {} threatens cannot be told by letting {other} \
                 pass.",
                color_name(by)
            );
            (Look::Passed, played.after.is_check().then_some(checked))
        }
        // It is that side's turn.
        Question::Threat { .. } | Question::Plan { .. } => (Look::After, None),
        Question::Others if played.before.legal_moves().len() == 1 => (
            Look::Before,
            Some(format!("{} had no other legal move.", color_name(mover))),
        ),
        Question::Others => (Look::Before, None),
        Question::Moves | Question::Fate | Question::Deeper | Question::Unknown => return,
    };
    match note {
        Some(note) => inquiry.notes.push(note),
        None => inquiry.looks.push(look),
    }
}

/// How the game ended with the move.
fn ended(played: &Played) -> String {
    let loser: Color = played.after.turn();
    if played.after.is_checkmate() {
        format!("{} is checkmated: the game is over.", color_name(loser))
    } else {
        "The game is drawn with this move.".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, fen::Fen};

    use super::*;
    use crate::chess::notation::read_move;

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
            ["No piece stands on d5 after the move."]
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
            "What is the meaning of it all?",
            "Who controls d4 and e5?",
            "☃ .. … 12.",
        ] {
            assert_eq!(inquire(&sheet, question), Inquiry::default(), "{question}");
        }
    }
}

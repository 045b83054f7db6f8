//! Questions about a move that are offered to be asked.

use shakmaty::Position;

use crate::{chess::names::color_name, commentary::FactSheet};

/// The common questions that make sense of the sheet's move, the most telling first.
#[must_use]
pub fn suggested_questions(sheet: &FactSheet) -> Vec<String> {
    let played = sheet.played();
    let (mover, other) = (color_name(played.mover()), color_name(played.mover().other()));
    let best = sheet.evaluation().and_then(|evaluation| evaluation.before.first());
    let better = best.filter(|line| line.moves.first() != Some(&played.uci()));
    let mut questions: Vec<String> = Vec::new();
    if let Some(san) = better.and_then(|line| line.san.first()) {
        questions.push(format!("Why not {san}?"));
    }
    if !played.after.is_game_over() {
        if !played.after.is_check() {
            questions.push("What is the threat?".to_owned());
        }
        questions.push(format!("What is {mover}'s plan?"));
        questions.push(format!("What will {other} do next?"));
    }
    if played.before.legal_moves().len() > 1 {
        questions.push("What else was there?".to_owned());
    }
    if !played.after.is_game_over() {
        questions.push("Look deeper".to_owned());
    }
    questions
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, fen::Fen};

    use super::*;
    use crate::{
        chess::{Played, notation::read_move},
        commentary::inquiry::{Question, inquire},
    };

    fn sheet(fen: &str, mv: &str) -> FactSheet {
        let before: Chess = fen
            .parse::<Fen>()
            .unwrap()
            .into_position(CastlingMode::Standard)
            .unwrap();
        let mv = read_move(&before, CastlingMode::Standard, mv).unwrap();
        let played = Played::new(before, mv, CastlingMode::Standard, Vec::new()).unwrap();
        FactSheet::new(&played, None, None)
    }

    #[test]
    fn what_is_offered_is_understood() {
        for (fen, mv, count) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e4", 5),
            // A check, then mate.
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "Ra8+", 4),
            ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "Ra8#", 1),
        ] {
            let sheet = sheet(fen, mv);
            let questions = suggested_questions(&sheet);
            assert_eq!(questions.len(), count, "{questions:?}");
            for question in questions {
                assert_ne!(inquire(&sheet, &question).question, Question::Unknown, "{question}");
            }
        }
    }
}

//! A reader's game in words.

use shakmaty::{Chess, Color, Move, Position, san::SanPlus};

use crate::{
    stats::bayes_elo::GameResult,
    tournament::{fixture_game::Next, reader_game::ReaderGame},
};

/// What happened last and who moves, in sentences: for whoever does not see the board, too.
#[must_use]
pub fn said(game: &ReaderGame) -> String {
    let played = game.game();
    let name = &game.opponent.name;
    let mut said = match (played.history().last(), played.moves().last()) {
        (Some(before), Some(mv)) => {
            let label = numbered(before, *mv);
            match (before.turn() == game.reader, game.last_opinion()) {
                (true, _) => format!("You played {label}."),
                (false, Some(opinion)) => format!("{name} played {label}: {}.", opinion.words()),
                (false, None) => format!("{name} played {label}."),
            }
        }
        _ => "The game begins.".to_owned(),
    };
    if let Next::Move(colour) = played.next() {
        if played.position().is_check() {
            said += " Check.";
        }
        said += &match colour == game.reader {
            true => " It is your move.".to_owned(),
            false => format!(" It is the move of {name}."),
        };
    }
    for sentence in [ended(game).as_deref(), game.why()].into_iter().flatten() {
        if !sentence.is_empty() {
            said += &format!(" {sentence}");
        }
    }
    said
}

/// How a game ended; `None` of one under way.
fn ended(game: &ReaderGame) -> Option<String> {
    let Next::Over(result, ending) = game.game().next() else {
        return None;
    };
    let won = game.reader.fold_wb(GameResult::White, GameResult::Black);
    let how = ending.words();
    Some(match result {
        GameResult::Draw => format!("The game is drawn: {how}."),
        result if result == won => format!("You have won: {how}."),
        _ => format!("{} has won: {how}.", game.opponent.name),
    })
}

/// The moves so far, such as `1. e4 e5 2. Nf3`.
#[must_use]
pub fn moves_so_far(game: &ReaderGame) -> String {
    let played = game.game();
    let words = played.history().iter().zip(played.moves()).enumerate();
    let word = |(place, (before, mv)): (usize, (&Chess, &Move))| match before.turn() {
        Color::Black if place > 0 => SanPlus::from_move(before.clone(), *mv).to_string(),
        _ => numbered(before, *mv),
    };
    words.map(word).collect::<Vec<_>>().join(" ")
}

fn numbered(before: &Chess, mv: Move) -> String {
    let dots = before.turn().fold_wb(".", "…");
    let number = before.fullmoves();
    format!("{number}{dots} {}", SanPlus::from_move(before.clone(), mv))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::{
        contestant::{Contestant, Way},
        fixture_game::Ending,
        turn::Opinion,
    };
    use shakmaty::uci::UciMove;

    #[test]
    fn a_game_is_told_move_by_move() {
        let lots = Contestant {
            name: "Lots".to_owned(),
            way: Way::Random,
        };
        let mut game = ReaderGame::begin(lots, Color::White, 1, Chess::default());
        assert_eq!(said(&game), "The game begins. It is your move.");
        let mut play = |uci: &str, opinion| {
            let mv = uci.parse::<UciMove>().unwrap().to_move(game.game().position()).unwrap();
            assert!(game.play(mv, opinion));
            said(&game)
        };
        assert_eq!(play("f2f3", None), "You played 1. f3. It is the move of Lots.");
        let opinion = Some(Opinion::Chance(0.5));
        assert_eq!(
            play("e7e5", opinion),
            "Lots played 1… e5: win chance 50.0 %. It is your move."
        );
        play("g2g4", None);
        assert_eq!(play("d8h4", None), "Lots played 2… Qh4#. Lots has won: mate.");
        assert_eq!(moves_so_far(&game), "1. f3 e5 2. g4 Qh4#");
        assert!(game.take_back());
        game.lose(Ending::Resigned, String::new());
        assert!(said(&game).ends_with("Lots has won: resigned."));
    }
}

//! Files whose bytes are not UTF-8: what is read of them, and what is said of that.

use kibitz::{
    chess::{Game, NodeId, pgn::read_pgn},
    file_text::{TextNotice, read_text},
};

use super::table::check;

#[test]
fn bytes_become_the_text_that_was_meant() {
    check("bytes.tsv", |case| match read_text(&case.bytes) {
        Err(error) => format!("refused: {error}"),
        Ok(read) => {
            let games = read_pgn(&read.text).map_or_else(
                |error| vec![error.to_string()],
                |file| file.games.iter().map(of_game).collect(),
            );
            games.join(" | ") + &said(read.notice)
        }
    });
}

/// Players and comments.
fn of_game(game: &Game) -> String {
    let comments: Vec<&str> = game.main_line().into_iter().map(|node| game.comment(node)).collect();
    let comments: Vec<&str> = comments.into_iter().filter(|comment| !comment.is_empty()).collect();
    let comments = match comments.is_empty() || game.main_line() == [NodeId::ROOT] {
        true => "no comment".to_owned(),
        false => comments.join("; "),
    };
    let player = |tag: &str| game.tag(tag).unwrap_or("?").to_owned();
    format!("{} – {}: {comments}", player("White"), player("Black"))
}

/// A notice in the words of the tables.
pub fn said(notice: Option<TextNotice>) -> String {
    match notice {
        None => String::new(),
        Some(TextNotice::Windows1252 { lines, first }) => {
            format!("; Windows-1252 in {lines} lines from line {first}")
        }
        Some(TextNotice::NoCharacter(count)) => format!("; {count} characters lost"),
    }
}

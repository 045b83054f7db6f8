//! What games are called: over the board, and in the list of a file's games.

use crate::chess::game::Game;

/// Games of a list that are shown at a time.
pub const LISTED: usize = 30;

/// A game's players, result and circumstances, as its PGN has them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GameTitle {
    /// White's name with the rating behind it: "Morphy, Paul (2690)". `None` where the PGN has none.
    pub white: Option<String>,
    /// The same of Black.
    pub black: Option<String>,
    /// "1-0", "0-1", "½-½"; `None` where the game has not ended.
    pub result: Option<&'static str>,
    /// Event, site, round and date, as far as they are known: "Paris Opera, Paris, 1858".
    pub circumstances: String,
    /// What is searched, in lower case.
    words: String,
}

impl GameTitle {
    /// Of a game.
    #[must_use]
    pub fn of(game: &Game) -> Self {
        let tag = |name| game.tag(name).map(str::trim).filter(|value| !unknown(value));
        let player = |name, rating| {
            let rating = tag(rating).map_or_else(String::new, |elo| format!(" ({elo})"));
            tag(name).map(|name| format!("{name}{rating}"))
        };
        let round = tag("Round")
            .filter(|round| *round != "-")
            .map(|round| format!("round {round}"));
        let parts = [
            tag("Event").map(str::to_owned),
            tag("Site").map(str::to_owned),
            round,
            tag("Date").map(date),
        ];
        let mut circumstances: Vec<String> = parts.into_iter().flatten().collect();
        // Lichess writes the game's address as its site.
        circumstances.retain(|part| !part.starts_with("http"));
        circumstances.dedup();
        let mut title = Self {
            white: player("White", "WhiteElo"),
            black: player("Black", "BlackElo"),
            result: result(game),
            circumstances: circumstances.join(", "),
            words: String::new(),
        };
        let result = title.result.unwrap_or_default().to_owned();
        let mut words = vec![title.players(), result, title.circumstances.clone()];
        words.extend(["ECO", "Opening"].into_iter().filter_map(tag).map(str::to_owned));
        title.words = words.join(" ").to_lowercase();
        title
    }

    /// Whether the PGN says anything of it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.white.is_none() && self.black.is_none() && self.circumstances.is_empty()
    }

    /// "Morphy, Paul (2690) – Duke of Brunswick"; empty where neither is known.
    #[must_use]
    pub fn players(&self) -> String {
        match (&self.white, &self.black) {
            (None, None) => String::new(),
            (white, black) => {
                let name = |player: &Option<String>| player.clone().unwrap_or_else(|| "?".to_owned());
                format!("{} – {}", name(white), name(black))
            }
        }
    }

    /// The line of a list, where the game is number `index` from 0.
    #[must_use]
    pub fn line(&self, index: usize) -> String {
        let parts = [
            self.players(),
            self.result.unwrap_or_default().to_owned(),
            self.circumstances.clone(),
        ];
        let known: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        if known.is_empty() {
            format!("Game {}", index + 1)
        } else {
            format!("{}. {}", index + 1, known.join(", "))
        }
    }
}

fn unknown(value: &str) -> bool {
    value.is_empty() || value.chars().all(|c| matches!(c, '?' | '.' | '-'))
}

/// "1858.??.??" is 1858.
fn date(tag: &str) -> String {
    let known: Vec<&str> = tag.split('.').take_while(|part| !part.contains('?')).collect();
    known.join("-")
}

fn result(game: &Game) -> Option<&'static str> {
    use shakmaty::{Color, KnownOutcome, Outcome};
    match game.outcome {
        Outcome::Known(KnownOutcome::Decisive { winner: Color::White }) => Some("1-0"),
        Outcome::Known(KnownOutcome::Decisive { winner: Color::Black }) => Some("0-1"),
        Outcome::Known(KnownOutcome::Draw) => Some("½-½"),
        Outcome::Unknown => None,
    }
}

/// The games that have every word of `search` somewhere, the first [`LISTED`] of them, and how many there are.
#[must_use]
pub fn found(titles: &[GameTitle], search: &str) -> (Vec<usize>, usize) {
    let search = search.to_lowercase();
    let words: Vec<&str> = search.split_whitespace().collect();
    let fits = |title: &GameTitle| words.iter().all(|word| title.words.contains(word));
    let all: Vec<usize> = (0..titles.len()).filter(|index| fits(&titles[*index])).collect();
    let count = all.len();
    (all.into_iter().take(LISTED).collect(), count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::pasted::read_pasted;

    const FILE: &str = r#"[Event "Paris Opera"]
[Site "Paris"]
[Date "1858.??.??"]
[Round "?"]
[White "Morphy, Paul"]
[WhiteElo "2690"]
[Black "Duke of Brunswick"]
[Result "1-0"]
[ECO "C41"]

1. e4 e5 1-0

[White "?"]
[Site "https://lichess.org/abcdefgh"]
[Black "Anderssen"]
[Round "3"]

1. d4 1/2-1/2

1. c4 *"#;

    #[test]
    fn games_are_called_by_what_is_known() {
        let games = read_pasted(FILE).unwrap().games;
        let titles: Vec<GameTitle> = games.iter().map(GameTitle::of).collect();
        assert_eq!(
            titles
                .iter()
                .enumerate()
                .map(|(i, title)| title.line(i))
                .collect::<Vec<_>>(),
            [
                "1. Morphy, Paul (2690) – Duke of Brunswick, 1-0, Paris Opera, Paris, 1858",
                "2. ? – Anderssen, ½-½, round 3",
                "Game 3"
            ]
        );
        assert!(titles[2].is_empty() && !titles[1].is_empty());
        assert_eq!(found(&titles, "morphy  1858"), (vec![0], 1));
        assert_eq!(found(&titles, "c41"), (vec![0], 1));
        assert_eq!(found(&titles, "½-½"), (vec![1], 1));
        assert_eq!(found(&titles, ""), (vec![0, 1, 2], 3));
        assert_eq!(found(&titles, "Tal"), (vec![], 0));
    }
}

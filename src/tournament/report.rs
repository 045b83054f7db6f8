//! A tournament's tables: players with ratings, who scored what against whom, how games ended.

use super::{
    run_file::Tournament,
    standings::{PRIOR_DRAWS, Score, Standings},
};
use crate::{
    stats::{bayes_elo::Colours, rate::wilson},
    survey::analysis::table::{Cell, Table},
};

/// The level of all intervals.
pub const LEVEL: f64 = 0.95;

/// A player whose rating is fixed, so that the others' can be read on a known scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anchor {
    /// Its place.
    pub player: usize,
    /// Its points.
    pub points: f64,
}

/// All tables.
#[must_use]
pub fn tables(tournament: &Tournament, standings: &Standings, anchor: Option<Anchor>) -> Vec<Table> {
    vec![
        players_table(tournament, standings, anchor),
        crosstable(tournament, standings),
        endings_table(standings),
    ]
}

fn players_table(tournament: &Tournament, standings: &Standings, anchor: Option<Anchor>) -> Table {
    let head = [
        "Place",
        "Player",
        "How it plays",
        "Elo",
        "95 %",
        "Games",
        "Won",
        "Drawn",
        "Lost",
        "Points",
        "% with White",
        "% with Black",
    ];
    let ratings = standings.ratings.as_ref().ok().map(|ratings| match anchor {
        Some(Anchor { player, points }) => ratings.anchored(player, points),
        None => ratings.players.clone(),
    });
    let rows = standings.order.iter().enumerate().map(|(place, &player)| {
        let contestant = &tournament.header.contestants[player];
        let total = standings.total(player);
        let rating = ratings.as_ref().map(|ratings| ratings[player]);
        let interval = match (rating, anchor) {
            (Some(_), Some(anchor)) if anchor.player == player => Cell::from("anchor"),
            (Some(rating), _) => Cell::Text(format!("{:.0} to {:.0}", rating.low, rating.high)),
            (None, _) => Cell::None,
        };
        let share = |score: Score| match score.games() {
            0 => Cell::None,
            games => Cell::Number(100.0 * score.points() / games as f64, 1),
        };
        let [white, black] = standings.by_colour[player].map(share);
        vec![
            Cell::Count(place + 1),
            Cell::Text(contestant.name.clone()),
            Cell::Text(contestant.way.words()),
            Cell::number(rating.map(|rating| rating.elo), 0),
            interval,
            Cell::Count(total.games()),
            Cell::Count(total.won),
            Cell::Count(total.drawn),
            Cell::Count(total.lost),
            Cell::Number(total.points(), 1),
            white,
            black,
        ]
    });
    let mut notes = Vec::new();
    match &standings.ratings {
        Ok(ratings) => notes.push(format!(
            "Elo by BayesElo's model from these games alone, {}: the first move is worth {:.0} points, draws {:.0}, {}; every player has \
             {PRIOR_DRAWS} draws more than it played. Intervals come from the likelihood's curvature. It is no rating of any other \
             pool of players.",
            match anchor {
                Some(anchor) => format!("{} held at {:.0}", tournament.header.contestants[anchor.player].name, anchor.points),
                None => "with a mean of 0".to_owned(),
            },
            ratings.advantage,
            ratings.draw,
            match ratings.colours {
                Colours::Fitted => "as these games say",
                Colours::Given { .. } => "BayesElo's own values, since these games are too few to say",
            },
        )),
        Err(reason) => notes.push(format!("There are no ratings yet: {reason}.")),
    }
    let left = tournament.left().count();
    if left > 0 {
        notes.push(format!("{left} games are still to be played."));
    }
    Table {
        caption: "Players".to_owned(),
        head: head.map(str::to_owned).to_vec(),
        rows: rows.collect(),
        notes,
    }
}

fn crosstable(tournament: &Tournament, standings: &Standings) -> Table {
    let mut head = vec!["Player".to_owned()];
    head.extend(
        standings
            .order
            .iter()
            .map(|&player| tournament.header.contestants[player].name.clone()),
    );
    let cell = |own: usize, other: usize| {
        let score = standings.crosstable[own][other];
        match (own == other, score.games()) {
            (true, _) | (_, 0) => Cell::None,
            (false, games) => Cell::Text(format!(
                "{} of {games} (+{} ={} −{})",
                score.points(),
                score.won,
                score.drawn,
                score.lost
            )),
        }
    };
    let rows = standings.order.iter().map(|&own| {
        let mut row = vec![Cell::Text(tournament.header.contestants[own].name.clone())];
        row.extend(standings.order.iter().map(|&other| cell(own, other)));
        row
    });
    Table {
        caption: "Who scored what against whom".to_owned(),
        head,
        rows: rows.collect(),
        notes: vec![format!(
            "Points of the row's player. Each pair plays {} openings, each with either colour; all pairs play the same ones.",
            tournament.header.openings
        )],
    }
}

fn endings_table(standings: &Standings) -> Table {
    let games: usize = standings.endings.iter().map(|(_, count)| count).sum();
    let rows = standings.endings.iter().map(|(ending, count)| {
        let interval = wilson(*count, games, LEVEL).ok().map(|rate| rate.interval);
        vec![
            Cell::from(ending.words()),
            Cell::Count(*count),
            Cell::number((games > 0).then(|| 100.0 * *count as f64 / games as f64), 1),
            interval.map_or(Cell::None, |interval| {
                Cell::Text(format!("{:.1} to {:.1}", 100.0 * interval.low, 100.0 * interval.high))
            }),
        ]
    });
    Table {
        caption: "How games ended".to_owned(),
        head: ["Ending", "Games", "%", "95 %"].map(str::to_owned).to_vec(),
        rows: rows.collect(),
        notes: match games {
            0 => vec!["No game is over.".to_owned()],
            games => vec![format!(
                "{games} games of {:.1} half-moves on average, those of the openings among them.",
                standings.plies as f64 / games as f64
            )],
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        stats::bayes_elo::GameResult,
        tournament::{
            contestant::{Contestant, Way},
            fixture_game::Ending,
            run_file::{GameRow, Outcome, SCHEMA, TournamentHeader},
        },
    };

    /// The first of three wins with White and draws with Black, the second and third draw.
    fn tournament() -> Tournament {
        let contestants = ["A", "B", "C"].map(|name| Contestant {
            name: name.to_owned(),
            way: Way::Random,
        });
        let mut tournament = Tournament::new(TournamentHeader {
            schema: SCHEMA,
            program: "test".to_owned(),
            contestants: contestants.to_vec(),
            openings: 4,
            seed: 1,
            adjudication: None,
            engine: None,
        })
        .unwrap();
        for fixture in tournament.schedule().to_vec() {
            tournament.add(GameRow {
                fixture,
                outcome: Outcome::Played {
                    result: if fixture.white == 0 {
                        GameResult::White
                    } else {
                        GameResult::Draw
                    },
                    ending: if fixture.white == 0 {
                        Ending::Mate
                    } else {
                        Ending::Repetition
                    },
                    moves: "e2e4 e7e5".to_owned(),
                    book: 2,
                },
                millis: 0,
                tokens: None,
            });
        }
        tournament
    }

    fn shown(table: &Table) -> Vec<Vec<String>> {
        table
            .rows
            .iter()
            .map(|row| row.iter().map(Cell::shown).collect())
            .collect()
    }

    #[test]
    fn points_crosstable_and_endings_are_those_of_the_games() {
        let tables = {
            let tournament = tournament();
            tables(&tournament, &Standings::of(&tournament, LEVEL), None)
        };
        let players = shown(&tables[0]);
        assert_eq!(players[0][1..3], ["A", "by lot among the legal moves"]);
        assert_eq!(players[0][5..], ["16", "8", "8", "0", "12.0", "100.0", "50.0"]);
        let behind = [&players[1], &players[2]];
        assert_eq!(behind[0][3], behind[1][3], "B and C have done the same");
        assert_eq!(behind[0][5..10], ["16", "0", "12", "4", "6.0"]);
        assert_eq!(shown(&tables[1])[0][2], "6 of 8 (+4 =4 −0)");
        assert_eq!(shown(&tables[1])[0][1], "–");
        let endings = shown(&tables[2]);
        assert_eq!(endings[0][..3], ["mate", "8", "33.3"]);
        assert_eq!(endings[1][..3], ["repetition", "16", "66.7"]);
        assert!(tables[0].notes[0].contains("a mean of 0"), "{}", tables[0].notes[0]);
    }

    #[test]
    fn an_anchor_is_held_and_a_tournament_that_has_not_begun_says_so() {
        let mut tournament = tournament();
        let anchor = Anchor {
            player: 1,
            points: 1500.0,
        };
        let players = shown(&tables(&tournament, &Standings::of(&tournament, LEVEL), Some(anchor))[0]);
        let row = players.iter().find(|row| row[1] == "B").unwrap();
        assert_eq!((row[3].as_str(), row[4].as_str()), ("1500", "anchor"));
        tournament = Tournament::new(tournament.header).unwrap();
        let tables = tables(&tournament, &Standings::of(&tournament, LEVEL), None);
        assert!(
            tables[0].notes[0].starts_with("There are no ratings yet"),
            "{:?}",
            tables[0].notes
        );
        assert_eq!(tables[0].notes[1], "24 games are still to be played.");
        assert!(tables[2].rows.is_empty());
    }
}

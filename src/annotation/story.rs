//! How a game went, in a paragraph: what was played, how both sides stood, where it turned and by which moves, and how it
//! ended. It says what the searches in hindsight and the PGN's tags say, and nothing else.

use shakmaty::{Chess, Color, Outcome, Position};

use super::{AnnotatedGame, AnnotatedMove, TurningPoint, TurningPointKind};
use crate::{
    chess::{Game, names::color_name},
    commentary::{Standing, Verdict},
    uci::Score,
};

/// The longest name that is used, in characters.
const LONGEST_NAME: usize = 40;
/// A game of fewer half-moves has no story.
const FEWEST: usize = 2;
/// For how many half-moves a side must stand clearly better for this to be mentioned.
const LASTING: usize = 3;
/// How many of the winner's moves are named.
const NAMED: usize = 2;

/// The players' names for a sentence: what stands before the comma, or `White` and `Black` where a name is missing, too
/// long, or the other's.
#[must_use]
pub fn players(game: &Game) -> [String; 2] {
    let name = |tag| {
        let whole = game.tag(tag)?;
        let short = whole.split(',').next().unwrap_or_default();
        let words: Vec<&str> = short
            .split(|c: char| c.is_whitespace() || c.is_control())
            .filter(|word| !word.is_empty())
            .collect();
        let name = words.join(" ");
        let usable = name.chars().any(char::is_alphabetic) && !name.contains(['[', ']', '{', '}', '<', '>', '%']);
        (usable && name.chars().count() <= LONGEST_NAME).then_some(name)
    };
    let [white, black] = ["White", "Black"].map(name);
    let colors = [Color::White, Color::Black].map(|color| color_name(color).to_owned());
    if white == black {
        return colors;
    }
    let [on_white, on_black] = colors;
    [white.unwrap_or(on_white), black.unwrap_or(on_black)]
}

/// How the game went, 2 to 5 sentences; `None` until every position is searched, and for a game without moves to tell of.
#[must_use]
pub fn story(game: &Game, annotated: &AnnotatedGame) -> Option<String> {
    let (done, all) = annotated.progress();
    if annotated.moves().len() < FEWEST || done < all {
        return None;
    }
    let teller = Teller::new(game, annotated)?;
    let sentences: Vec<String> = [
        teller.opening(),
        teller.before_the_turn(),
        teller.turn(),
        teller.feats(),
        teller.end(),
    ]
    .into_iter()
    .flatten()
    .collect();
    Some(sentences.join(" "))
}

/// What the sentences are made from.
struct Teller<'a> {
    game: &'a Game,
    annotated: &'a AnnotatedGame,
    players: [String; 2],
    /// White's standing in each position.
    stands: Vec<Standing>,
    points: Vec<TurningPoint>,
    /// How it was decided.
    decided: Option<Decided>,
}

impl<'a> Teller<'a> {
    fn new(game: &'a Game, annotated: &'a AnnotatedGame) -> Option<Self> {
        let positions = annotated.line().positions();
        let stands: Vec<Standing> = (0..positions.len())
            .map(|position| Some(standing(annotated.score(position)?, &positions[position])))
            .collect::<Option<_>>()?;
        Some(Self {
            decided: Decided::of(&stands),
            points: annotated.turning_points(),
            players: players(game),
            game,
            annotated,
            stands,
        })
    }

    fn name(&self, side: Color) -> &str {
        &self.players[usize::from(side.is_black())]
    }

    fn has_names(&self) -> bool {
        Color::ALL.into_iter().any(|side| self.name(side) != color_name(side))
    }

    /// `12… Qd6`.
    fn label(&self, index: usize) -> &str {
        self.annotated.moves().get(index).map_or("", |mv| mv.label.as_str())
    }

    /// The standing in words, with the players' names.
    fn stood(&self, white: Standing) -> String {
        match white {
            Standing::Equal => "the game was equal".to_owned(),
            _ if white > Standing::Equal => format!("{} was {}", self.name(Color::White), white.word()),
            _ => format!("{} was {}", self.name(Color::Black), white.reversed().word()),
        }
    }

    /// `Kasparov (White) against Topalov (Black) began with the Pirc Defense.`
    fn opening(&self) -> Option<String> {
        let opening = self.annotated.opening().map(|opening| opening.name.as_str());
        let [white, black] = [Color::White, Color::Black].map(|side| match (self.name(side), color_name(side)) {
            (name, color) if name == color => name.to_owned(),
            (name, color) => format!("{name} ({color})"),
        });
        match (opening, self.has_names()) {
            (Some(opening), true) => Some(format!("{white} against {black} began with the {opening}.")),
            (Some(opening), false) => Some(format!("The game began with the {opening}.")),
            (None, true) => Some(format!("This is {white} against {black}.")),
            (None, false) => None,
        }
    }

    /// How both sides stood before the game was decided: how often the upper hand changed, or who had it.
    fn before_the_turn(&self) -> Option<String> {
        let turned = self
            .decided
            .map(|decided| decided.turn(self.annotated).map_or(decided.won, |index| index + 1));
        let until = turned.unwrap_or(self.stands.len());
        if until < LASTING {
            return None;
        }
        let mut hands: Vec<(Color, Standing, usize)> = Vec::new();
        for (position, run) in runs(&self.stands[..until]) {
            let Some((side, best)) = run else { continue };
            match hands.last_mut() {
                Some((last, most, _)) if *last == side => *most = (*most).max(best),
                _ => hands.push((side, best, position)),
            }
        }
        let turn = |position: usize| match position.checked_sub(1) {
            Some(index) => format!("after {}", self.label(index)),
            None => "from the start".to_owned(),
        };
        let all = self.decided.is_none();
        match hands[..] {
            [] => {
                let level = self.stands[..until].iter().all(|stands| *stands == Standing::Equal);
                let length = if all {
                    "throughout".to_owned()
                } else {
                    format!("until {}", self.label(until - 1))
                };
                Some(if level {
                    format!("The game was equal {length}.")
                } else if self.stands[..until].iter().all(|stands| upper(*stands).is_none()) {
                    format!("Neither side was more than slightly better {length}.")
                } else {
                    format!("Neither side was clearly better for long {length}.")
                })
            }
            [(side, best, position)] => Some(format!(
                "{} was {} {}, but it did not last.",
                self.name(side),
                best.word(),
                turn(position)
            ))
            .filter(|_| all || self.decided.is_some_and(|decided| decided.winner != side))
            .or_else(|| {
                Some(format!(
                    "{} was {} already {}, but had not won yet.",
                    self.name(side),
                    best.word(),
                    turn(position)
                ))
            }),
            [(first, ..), .., (last, best, position)] => Some(format!(
                "The upper hand changed {} between them: first {} had it, and in the end {} was {} {}.",
                times(hands.len() - 1),
                self.name(first),
                self.name(last),
                best.word(),
                turn(position)
            )),
        }
    }

    /// Where it turned, and from where on the game was won.
    fn turn(&self) -> Option<String> {
        let decided = self.decided?;
        let now = |position: usize| self.stood(self.stands[position]);
        let won = decided.won.checked_sub(1)?;
        let Some(index) = decided.turn(self.annotated) else {
            return Some(format!("From {} on {}.", self.label(won), now(decided.won)));
        };
        let mv = self.annotated.moves().get(index)?;
        let better = mv
            .evaluation
            .as_ref()
            .and_then(|evaluation| evaluation.before.first()?.san.first())
            .map_or_else(String::new, |san| format!(" ({san} was better)"));
        let then = if index == won {
            String::new()
        } else {
            format!("; from {} on {}", self.label(won), now(decided.won))
        };
        Some(format!(
            "It turned with {}, {}: before it {}, after it {}{better}{then}.",
            self.label(index),
            mv.verdict?.phrase(),
            now(index),
            now(index + 1)
        ))
    }

    /// The best moves of the side that won, or of both.
    fn feats(&self) -> Option<String> {
        let winner = self.decided.map(|decided| decided.winner);
        let mut best: Vec<TurningPoint> = self
            .points
            .iter()
            .copied()
            .filter(|point| point.kind.is_good() && point.kind != TurningPointKind::Finish)
            .filter(|point| winner.is_none_or(|winner| self.annotated.moves()[point.index].mover == winner))
            .collect();
        best.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.index.cmp(&b.index)));
        best.truncate(NAMED);
        best.sort_by_key(|point| point.index);
        let named: Vec<String> = best
            .iter()
            .map(|point| format!("{} ({})", self.label(point.index), point.kind.phrase()))
            .collect();
        let whose = winner.map_or_else(
            || "Notable".to_owned(),
            |winner| format!("{}’s best", self.name(winner)),
        );
        match &named[..] {
            [] => None,
            [one] => Some(format!("{whose} move was {one}.")),
            [one, two, ..] => Some(format!("{whose} moves were {one} and {two}.")),
        }
    }

    /// How it ended, by the board and by what the PGN says.
    fn end(&self) -> Option<String> {
        let last = self.annotated.line().positions().last()?;
        let stands = *self.stands.last()?;
        let number = self
            .annotated
            .moves()
            .last()?
            .label
            .split(['.', '…'])
            .next()?
            .to_owned();
        if let Outcome::Known(outcome) = last.outcome() {
            return Some(match outcome.winner() {
                Some(winner) => format!("{} mated on move {number}.", self.name(winner)),
                None if last.is_stalemate() => format!("It ended in stalemate on move {number}."),
                None => format!("It ended in a draw on move {number}: neither side can mate."),
            });
        }
        match (self.annotated.winner(), self.game.outcome.as_str()) {
            (Some(winner), result) => {
                let own = if winner.is_white() { stands } else { stands.reversed() };
                let loser = self.name(winner.other());
                Some(if own == Standing::Winning {
                    let how = match self.game.tag("Termination") {
                        Some(why) if why.to_ascii_lowercase().contains("time") => "lost on time",
                        _ => "gave up",
                    };
                    format!("{loser} {how} on move {number} in a lost position ({result}).")
                } else {
                    format!(
                        "The result is {result}, though in the last position {}.",
                        self.stood(stands).replace(" was ", " is ")
                    )
                })
            }
            (None, "1/2-1/2") => Some(match stands {
                Standing::Equal => format!("It was drawn on move {number} in an equal position."),
                _ => format!("It was drawn on move {number}, when {}.", self.stood(stands)),
            }),
            _ => Some(format!(
                "In the last position {}.",
                self.stood(stands).replace(" was ", " is ")
            )),
        }
    }
}

/// White's standing. `score` is White's view; of a checkmate it does not say who is mated.
fn standing(score: Score, at: &Chess) -> Standing {
    match score {
        Score::Mate(0) if at.turn().is_white() => Standing::Lost,
        Score::Mate(0) => Standing::Winning,
        score => Standing::of(score),
    }
}

/// The side that stands clearly better or winning.
fn upper(stands: Standing) -> Option<Color> {
    match stands {
        Standing::ClearlyBetter | Standing::Winning => Some(Color::White),
        Standing::ClearlyWorse | Standing::Lost => Some(Color::Black),
        _ => None,
    }
}

/// How a game was decided: one side stood at least clearly better to its end, and was winning there.
#[derive(Debug, Clone, Copy)]
struct Decided {
    winner: Color,
    /// The first position from which it stood at least clearly better to the end.
    from: usize,
    /// The first of them in which it was winning.
    won: usize,
}

impl Decided {
    fn of(stands: &[Standing]) -> Option<Self> {
        let winner = match stands.last()? {
            Standing::Winning => Color::White,
            Standing::Lost => Color::Black,
            _ => return None,
        };
        let kept = stands
            .iter()
            .rev()
            .take_while(|stands| upper(**stands) == Some(winner))
            .count();
        let from = stands.len() - kept;
        let is_won = |stands: &Standing| matches!(stands, Standing::Winning | Standing::Lost);
        let won = from + stands[from..].iter().position(is_won)?;
        Some(Self { winner, from, won })
    }

    /// The loser's worst error on the way from where the other side got the upper hand to where it was winning.
    fn turn(self, annotated: &AnnotatedGame) -> Option<usize> {
        let loss = |index: usize| {
            annotated
                .moves()
                .get(index)
                .and_then(AnnotatedMove::loss)
                .unwrap_or_default()
        };
        (self.from.saturating_sub(1)..self.won)
            .filter(|index| {
                let mv = &annotated.moves()[*index];
                mv.mover != self.winner && mv.verdict.is_some_and(Verdict::is_bad)
            })
            .max_by(|a, b| loss(*a).total_cmp(&loss(*b)).then(b.cmp(a)))
    }
}

/// The stretches of at least [`LASTING`] positions in which one side had the upper hand: where each begins, whose it is and
/// that side's best standing in it.
fn runs(stands: &[Standing]) -> Vec<(usize, Option<(Color, Standing)>)> {
    let mut found = Vec::new();
    let mut start = 0;
    for stretch in stands.chunk_by(|a, b| upper(*a) == upper(*b)) {
        if let Some(side) = upper(stretch[0]).filter(|_| stretch.len() >= LASTING) {
            let own = |stands: &Standing| if side.is_white() { *stands } else { stands.reversed() };
            let best = stretch.iter().map(own).max();
            found.push((start, best.map(|best| (side, best))));
        }
        start += stretch.len();
    }
    found
}

fn times(n: usize) -> String {
    match n {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        n => format!("{n} times"),
    }
}

//! What a sentence of the narrator's says of the move, the standing, material and mates: read from its words alone, by rules
//! of this file's own, so that the audit shares nothing with the code that wrote the sentence.

use kibitz::commentary::{Standing, Verdict};
use shakmaty::Color;

/// What a sentence says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// How good the move under discussion is.
    Move(Verdict),
    /// That it stands alone.
    Only,
    /// How a side stands after the move.
    Stands(Color, Standing),
    /// That a side wins so much, in pawns' worth.
    Wins(Color, i32),
    /// That a side mates by force, in so many moves where it says.
    Mates(Color, Option<u32>),
    /// That the game is a draw.
    Drawn,
}

/// Words that judge the move, longest first so that "a good move" is not found in "the only good move".
const JUDGEMENTS: [(&str, Verdict); 16] = [
    ("one of the best moves", Verdict::Best),
    ("the best move", Verdict::Best),
    ("the strongest move", Verdict::Best),
    ("the right move", Verdict::Best),
    ("an excellent move", Verdict::Good),
    ("a strong move", Verdict::Good),
    ("a good move", Verdict::Good),
    ("is excellent", Verdict::Good),
    ("an inaccuracy", Verdict::Inaccuracy),
    ("is inaccurate", Verdict::Inaccuracy),
    ("a mistake", Verdict::Mistake),
    ("a blunder", Verdict::Blunder),
    ("serious mistake", Verdict::Blunder),
    ("a bad mistake", Verdict::Blunder),
    ("not the best", Verdict::Inaccuracy),
    ("a small mistake", Verdict::Inaccuracy),
];

/// Where a list of what is won ends and another deed begins.
const VERBS: [&str; 12] = [
    " and threaten",
    " and uncover",
    " and attack",
    " and pin",
    " and fork",
    " and skewer",
    " and sav",
    " and giv",
    " and plac",
    " and check",
    " and creat",
    " and open",
];

/// Reads a sentence about a move of `mover` whose SAN is `san`.
pub fn read(sentence: &str, mover: Color, san: &str) -> Vec<Said> {
    let mut said = Vec::new();
    let lower = sentence.to_lowercase();
    // "Nf6 was the right move": of another move than the one under discussion.
    let own = sentence.contains(san) && !lower.contains(" was the right move") && !lower.contains("better was");
    if own && let Some((_, verdict)) = JUDGEMENTS.iter().find(|(words, _)| lower.contains(words)) {
        said.push(Said::Move(*verdict));
    }
    if [
        "only good move",
        "nothing else would have been",
        "every other move would",
    ]
    .iter()
    .any(|w| lower.contains(w))
    {
        said.push(Said::Only);
    }
    for (name, color) in [("white", Color::White), ("black", Color::Black)] {
        for (words, standing) in [
            ("is winning", Standing::Winning),
            ("is clearly better", Standing::ClearlyBetter),
            ("is slightly better", Standing::SlightlyBetter),
            ("slightly better", Standing::SlightlyBetter),
            ("clearly better", Standing::ClearlyBetter),
            ("is clearly worse", Standing::ClearlyWorse),
            ("is slightly worse", Standing::SlightlyWorse),
            ("is lost", Standing::Lost),
        ] {
            let phrase = format!("{name} {words}");
            // What the move gave up is said of the position before it.
            if lower.contains(&phrase) && !said.iter().any(|s| matches!(s, Said::Stands(c, _) if *c == color)) {
                said.push(Said::Stands(color, standing));
            }
        }
    }
    if lower.contains("game is equal") || lower.contains("position is equal") || lower.contains("remains equal") {
        said.push(Said::Stands(mover, Standing::Equal));
    }
    if ["is drawn", "is a draw", "dead draw"].iter().any(|w| lower.contains(w)) {
        said.push(Said::Drawn);
    }
    said.extend(mates(&lower, mover));
    said.extend(wins(&lower, mover));
    said
}

fn side_before(text: &str, mover: Color) -> Color {
    let white = text.rfind("white");
    let black = text.rfind("black");
    match (white, black) {
        (None, None) => mover,
        (Some(_), None) => Color::White,
        (None, Some(_)) => Color::Black,
        (Some(w), Some(b)) => Color::from_white(w > b),
    }
}

/// "mate in 3", "forces mate": whose is the side named last before it, else the mover's.
fn mates(lower: &str, mover: Color) -> Vec<Said> {
    let mut said = Vec::new();
    if lower.starts_with("if ") {
        return said;
    }
    for marker in ["mate in ", "mates in "] {
        let mut from = 0;
        while let Some(at) = lower[from..].find(marker).map(|at| at + from) {
            from = at + marker.len();
            let digits: String = lower[from..].chars().take_while(char::is_ascii_digit).collect();
            if let Ok(moves) = digits.parse() {
                let mut side = side_before(&lower[..at], mover);
                // "It allows mate in 2": the opponent's.
                if lower[..at].contains("it allows") && !lower[..at].contains("white") && !lower[..at].contains("black")
                {
                    side = mover.other();
                }
                said.push(Said::Mates(side, Some(moves)));
            }
        }
    }
    said
}

/// "wins a knight for two pawns", "winning the exchange": by whom is the side named last before it, else the mover; the
/// opponent where the clause tells of what the move allows.
fn wins(lower: &str, mover: Color) -> Vec<Said> {
    let mut said = Vec::new();
    // "Bh6 is a blunder: Nxh6 wins it": what follows the colon is the opponent's.
    let blames = ["an inaccuracy:", "a mistake:", "a blunder:"]
        .iter()
        .any(|words| lower.contains(words));
    for marker in [" wins ", " winning ", " win "] {
        let mut from = 0;
        while let Some(at) = lower[from..].find(marker).map(|at| at + from) {
            from = at + marker.len();
            // "Threatens to win" is of the board, and for the claim check.
            if lower[..at].ends_with("to") || lower[..at].ends_with("could") {
                continue;
            }
            // What another line would win, no search of the audit has looked at.
            if lower.starts_with("if ") {
                continue;
            }
            let rest = &lower[from..];
            let rest = VERBS
                .iter()
                .filter_map(|verb| rest.find(verb))
                .min()
                .map_or(rest, |end| &rest[..end]);
            let end = rest.find([',', '.', ';', ':']).unwrap_or(rest.len());
            let Some(points) = worth(&rest[..end]) else { continue };
            let clause = lower[..at].rfind([':', ';']).map_or(0, |start| start + 1);
            let named = &lower[clause..at];
            let allows = [
                "it allows",
                "lets ",
                "after ",
                "and then",
                "strong reply",
                "it leaves",
                "it takes a protector",
                "it opens",
            ];
            let side = if named.contains("white") || named.contains("black") {
                side_before(named, mover)
            } else if allows.iter().any(|w| named.contains(w)) || (clause > 0 && blames && !named.contains("it misses"))
            {
                mover.other()
            } else {
                mover
            };
            said.push(Said::Wins(side, points));
        }
    }
    said
}

/// The worth of what is listed, in pawns, less what follows "for"; `None` where nothing of worth is named.
fn worth(text: &str) -> Option<i32> {
    let (won, paid) = text.split_once(" for ").unwrap_or((text, ""));
    let sum = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut total = 0;
        for (i, word) in words.iter().enumerate() {
            let each = match word.trim_end_matches('s') {
                "pawn" => 1,
                "knight" | "bishop" | "piece" => 3,
                "rook" => 5,
                "queen" => 9,
                "exchange" => 2,
                _ => continue,
            };
            let count = match i.checked_sub(1).map(|i| words[i]) {
                Some("two") => 2,
                Some("three") => 3,
                Some("several") => 3,
                _ => 1,
            };
            // "the pawn on e5 and the queen's bishop": each noun counts once.
            total += each * count;
        }
        total
    };
    let points = sum(won) - sum(paid);
    (points > 0).then_some(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_read_by_their_words() {
        let white = Color::White;
        for (text, expected) in [
            (
                "Nf3 is the best move: it develops the knight.",
                vec![Said::Move(Verdict::Best)],
            ),
            ("Better was Nf3, winning a pawn.", vec![Said::Wins(white, 1)]),
            (
                "Nf3 is a blunder: after Qxd1, Black wins a queen for a knight.",
                vec![Said::Move(Verdict::Blunder), Said::Wins(Color::Black, 6)],
            ),
            (
                "Nf3 is a mistake: it allows Bxf3, winning two pawns.",
                vec![Said::Move(Verdict::Mistake), Said::Wins(Color::Black, 2)],
            ),
            (
                "White is clearly better.",
                vec![Said::Stands(white, Standing::ClearlyBetter)],
            ),
            (
                "Black forces mate in 3 all the same.",
                vec![Said::Mates(Color::Black, Some(3))],
            ),
            ("It was the only good move.", vec![Said::Only]),
            ("White threatens to win the knight on e5.", vec![]),
            (
                "Nf3 is a blunder: Bxf3 wins the knight on f3.",
                vec![Said::Move(Verdict::Blunder), Said::Wins(Color::Black, 3)],
            ),
            (
                "Nf3 wins the pawn on e5 and threatens to win the queen on d8.",
                vec![Said::Wins(white, 1)],
            ),
            ("If Bxd1, White mates in 2, starting with Bxf7+.", vec![]),
        ] {
            assert_eq!(read(text, white, "Nf3"), expected, "{text}");
        }
    }
}

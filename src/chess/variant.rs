//! What the Variant tag calls the games that Kibitz knows: chess and Chess960, under the names that programs write.

/// Names of chess, without spaces and signs and without the word "chess" at either end: those of python-chess, kokopu,
/// Cute Chess, XBoard and Lichess, and what people call it beside "Crazyhouse" and "Atomic".
const CHESS: [&str; 19] = [
    "",
    "classic",
    "classical",
    "fide",
    "fromposition",
    "illegal",
    "international",
    "none",
    "normal",
    "ordinary",
    "ortho",
    "orthodox",
    "regular",
    "setupposition",
    "standard",
    "traditional",
    "unrated",
    "usual",
    "western",
];
/// Names of FICS for chess from another start: the FEN tag says from which (python-chess).
const WILD: [&str; 10] = [
    "wild0", "wild1", "wild2", "wild3", "wild4", "wild5", "wild6", "wild7", "wild8", "wild8a",
];
/// Parts of names of Chess960.
const CHESS960: [&str; 6] = ["960", "fischer", "freestyle", "9lx", "frc", "wildfr"];

/// What is played by the rules that Kibitz knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Variant {
    Chess,
    Chess960,
}

impl Variant {
    /// The variant of this name; `None` for another game.
    pub(super) fn named(name: &str) -> Option<Self> {
        let plain: String = name
            .chars()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect();
        if CHESS960.iter().any(|part| plain.contains(part)) {
            return Some(Self::Chess960);
        }
        let bare = plain.strip_prefix("chess").unwrap_or(&plain);
        let bare = bare.strip_suffix("chess").unwrap_or(bare);
        (CHESS.contains(&bare) || WILD.contains(&bare)).then_some(Self::Chess)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chess_goes_by_many_names_and_other_games_do_not() {
        for name in [
            "",
            "?",
            "-",
            "Standard",
            "Standard ",
            "standard chess",
            "Chess",
            "Classical",
            "Normal",
            "Illegal",
            "Regular",
            "From Position",
            "from-position",
            "orthodox",
            "Orthodox Chess",
            "OrthoChess",
            "Chess (standard)",
            "wild/5",
        ] {
            assert_eq!(Variant::named(name), Some(Variant::Chess), "{name}");
        }
        for name in [
            "Chess960",
            "chess 960",
            "Chess-960",
            "fischerandom",
            "Fischerrandom",
            "Fischer Random",
            "Freestyle",
            "Chess 9LX",
            "FRC",
            "wild/fr",
            "960",
        ] {
            assert_eq!(Variant::named(name), Some(Variant::Chess960), "{name}");
        }
        for name in [
            "Atomic",
            "Crazyhouse",
            "Antichess",
            "Three-check",
            "King of the Hill",
            "Horde",
            "Racing Kings",
            "Suicide",
            "no-king",
            "white-king-only",
            "Xiangqi",
            "wild/9",
            "Bughouse",
            "losers chess",
            "Shatranj",
        ] {
            assert_eq!(Variant::named(name), None, "{name}");
        }
    }
}

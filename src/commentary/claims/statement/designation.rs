//! Whom a statement speaks of: "white knight f3", "black pawns", "dark-squared bishop", "e4", "white".

use std::{fmt, str::FromStr};

use shakmaty::{Bitboard, Board, Color, File, Role, Square};

use crate::chess::{Man, names::role_name};

/// The colour of a bishop's squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shade {
    /// Light squares.
    Light,
    /// Dark squares.
    Dark,
}

impl Shade {
    /// The squares of this colour.
    #[must_use]
    pub const fn squares(self) -> Bitboard {
        match self {
            Self::Light => Bitboard::LIGHT_SQUARES,
            Self::Dark => Bitboard::DARK_SQUARES,
        }
    }
}

/// Men, by what is known of them; whatever is not named may be anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Designation {
    /// Whose they are.
    pub color: Option<Color>,
    /// What they are.
    pub role: Option<Role>,
    /// No pawns: "piece".
    pub piece: bool,
    /// Knights and bishops: "minor piece".
    pub minor: bool,
    /// On squares of this colour.
    pub shade: Option<Shade>,
    /// On this file: "d-pawn".
    pub file: Option<File>,
    /// Where they stand.
    pub square: Option<Square>,
}

impl Designation {
    /// True for a side alone, with no man named: "white".
    #[must_use]
    pub fn is_side(&self) -> bool {
        self.color.is_some()
            && *self
                == Self {
                    color: self.color,
                    ..Self::default()
                }
    }

    /// True for a man that it may mean.
    #[must_use]
    pub fn fits(&self, man: Man) -> bool {
        self.color.is_none_or(|color| color == man.color)
            && self.role.is_none_or(|role| role == man.role)
            && !(self.piece && man.role == Role::Pawn)
            && (!self.minor || matches!(man.role, Role::Knight | Role::Bishop))
            && self.file.is_none_or(|file| file == man.square.file())
            && self.square.is_none_or(|square| square == man.square)
            && self.shade.is_none_or(|shade| shade.squares().contains(man.square))
    }

    /// The men on a board that it may mean.
    #[must_use]
    pub fn men(&self, board: &Board) -> Vec<Man> {
        Man::all(board, board.occupied())
            .into_iter()
            .filter(|man| self.fits(*man))
            .collect()
    }

    /// "a black knight on f6", "a pawn", "anything of White's", for the reader.
    #[must_use]
    pub fn in_words(&self) -> String {
        let man = match (self.minor, self.piece) {
            (true, _) => "minor piece",
            (false, true) => "piece",
            (false, false) => "man",
        };
        let name = match (self.color, self.role) {
            (Some(color), Some(role)) => format!("{} {}", color_word(color), role_name(role)),
            (Some(color), None) => format!("{} {man}", color_word(color)),
            (None, Some(role)) => role_name(role).to_owned(),
            (None, None) => man.to_owned(),
        };
        let shade = match self.shade {
            Some(Shade::Light) => "light-squared ",
            Some(Shade::Dark) => "dark-squared ",
            None => "",
        };
        let place = match (self.square, self.file) {
            (Some(square), _) => format!(" on {square}"),
            (None, Some(file)) => format!(" on the {}-file", file.char()),
            (None, None) => String::new(),
        };
        format!("{shade}{name}{place}")
    }
}

impl fmt::Display for Designation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [
            self.color.map(|color| color_word(color).to_owned()),
            self.shade.map(|shade| match shade {
                Shade::Light => "light-squared".to_owned(),
                Shade::Dark => "dark-squared".to_owned(),
            }),
            self.file.map(|file| format!("{}-file", file.char())),
            self.role.map(|role| role_name(role).to_owned()),
            self.minor.then(|| "minor".to_owned()),
            self.piece.then(|| "piece".to_owned()),
            self.square.map(|square| square.to_string()),
        ];
        let words: Vec<String> = words.into_iter().flatten().collect();
        f.write_str(if words.is_empty() { "any" } else { "" })?;
        f.write_str(&words.join(" "))
    }
}

/// A designation that can't be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no man or square is called “{0}”")]
pub struct DesignationError(String);

impl FromStr for Designation {
    type Err = DesignationError;

    fn from_str(text: &str) -> Result<Self, DesignationError> {
        let mut read = Self::default();
        let mut words = 0;
        let lower = text.to_ascii_lowercase();
        for word in lower
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|w| !w.is_empty())
        {
            words += 1;
            let word = word.strip_suffix('s').unwrap_or(word);
            if let Some(color) = color(word) {
                read.color = Some(color);
            } else if let Some(role) = role(word) {
                read.role = Some(role);
            } else if let Ok(square) = word.parse::<Square>() {
                read.square = Some(square);
            } else {
                let mut letters = word.chars();
                match word {
                    // An article, unless its pawn follows: "a-pawn".
                    "a" if !lower.contains("a-") => {}
                    _ if word.len() == 1 && File::from_char(letters.next().unwrap_or(' ')).is_some() => {
                        read.file = word.chars().next().and_then(File::from_char);
                    }
                    "light" => read.shade = Some(Shade::Light),
                    "dark" => read.shade = Some(Shade::Dark),
                    "piece" => read.piece = true,
                    "minor" => (read.minor, read.piece) = (true, true),
                    "squared" | "square" | "on" | "the" | "file" | "at" | "any" | "man" | "men" | "passed" => {}
                    _ => return Err(DesignationError(text.chars().take(40).collect())),
                }
            }
        }
        if words == 0 {
            return Err(DesignationError(text.chars().take(40).collect()));
        }
        Ok(read)
    }
}

/// "white", "black".
pub fn color(word: &str) -> Option<Color> {
    match word {
        "white" => Some(Color::White),
        "black" => Some(Color::Black),
        _ => None,
    }
}

/// "white", "black".
pub const fn color_word(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

fn role(word: &str) -> Option<Role> {
    Role::ALL.into_iter().find(|role| role_name(*role) == word)
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use proptest::prelude::*;

    pub fn any_designation() -> impl Strategy<Value = Designation> {
        (
            proptest::option::of(any::<bool>().prop_map(Color::from_white)),
            proptest::option::of(proptest::sample::select(Role::ALL.to_vec())),
            proptest::sample::select(vec![(false, false), (true, false), (true, true)]),
            proptest::option::of(proptest::sample::select(vec![Shade::Light, Shade::Dark])),
            proptest::option::of((0u32..8).prop_map(File::new)),
            proptest::option::of((0u32..64).prop_map(Square::new)),
        )
            .prop_map(|(color, role, (piece, minor), shade, file, square)| Designation {
                color,
                role,
                piece,
                minor,
                shade,
                file,
                square,
            })
    }

    #[test]
    fn men_are_read_as_models_write_them() {
        for (text, plain) in [
            ("White knight on f3", "white knight f3"),
            ("black pawns", "black pawn"),
            ("the dark-squared bishop", "dark-squared bishop"),
            ("BLACK", "black"),
            ("black a-pawn", "black a-file pawn"),
            ("a white g-pawn", "white g-file pawn"),
            ("a pawn", "pawn"),
            ("e4", "e4"),
            ("white pieces", "white piece"),
            ("Black minor pieces", "black minor piece"),
            ("white bishop (g5)", "white bishop g5"),
        ] {
            let read: Designation = text.parse().expect(text);
            assert_eq!(read.to_string(), plain);
        }
        for text in ["", "  ", "unicorn", "white knight z9"] {
            assert!(text.parse::<Designation>().is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(designation in any_designation()) {
            prop_assert_eq!(designation.to_string().parse::<Designation>(), Ok(designation));
        }
    }
}

//! A position as a picture for a report: one SVG element, nothing fetched. Figures are the chess characters of Unicode,
//! so that a file of any number of diagrams stays small.

use std::fmt::Write as _;

use shakmaty::{Chess, Color, Move, Position, Role, Square};

use crate::chess::names::role_name;

/// The side of a square, in the picture's own units.
const SIDE: u32 = 10;

/// The board with its figures, seen by `side`, and an arrow for `mv`. The words are for those who do not see it.
#[must_use]
pub fn diagram(position: &Chess, side: Color, mv: Option<Move>, words: &str) -> String {
    let all = 8 * SIDE;
    let corner = |square: Square| {
        let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
        if side.is_white() {
            (file * SIDE, (7 - rank) * SIDE)
        } else {
            ((7 - file) * SIDE, rank * SIDE)
        }
    };
    let mut out = format!(
        "<svg class=\"diagram\" viewBox=\"0 0 {all} {all}\" role=\"img\" aria-label=\"{}\">\n<rect class=\"light\" width=\"{all}\" height=\"{all}\"/>\n",
        html_escape::encode_safe(words)
    );
    let mut dark = String::new();
    for square in Square::ALL.into_iter().filter(|square| square.is_dark()) {
        let (x, y) = corner(square);
        let _ = write!(dark, "M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z");
    }
    let _ = writeln!(out, "<path class=\"dark\" d=\"{dark}\"/>");
    let ends = mv.and_then(|mv| Some((mv.from()?, mv.to())));
    if let Some((from, to)) = ends {
        let centre = |square| {
            let (x, y) = corner(square);
            (x + SIDE / 2, y + SIDE / 2)
        };
        let ((x1, y1), (x2, y2)) = (centre(from), centre(to));
        let _ = writeln!(
            out,
            "<path class=\"moved\" d=\"M{x1} {y1}L{x2} {y2}\"/><circle class=\"moved\" cx=\"{x2}\" cy=\"{y2}\" r=\"1.6\"/>"
        );
    }
    for (square, piece) in position.board().clone() {
        let (x, y) = corner(square);
        let class = if piece.color.is_white() { "white" } else { "black" };
        let _ = writeln!(
            out,
            "<text class=\"{class}\" x=\"{}\" y=\"{}\">{}</text>",
            x + SIDE / 2,
            y + SIDE / 2,
            figure(piece.role)
        );
    }
    out += "</svg>\n";
    out
}

/// The filled figure, which both sides use: their colours are the style's. The character behind it asks for text, not for
/// a coloured picture.
const fn figure(role: Role) -> &'static str {
    match role {
        Role::Pawn => "\u{265f}\u{fe0e}",
        Role::Knight => "\u{265e}\u{fe0e}",
        Role::Bishop => "\u{265d}\u{fe0e}",
        Role::Rook => "\u{265c}\u{fe0e}",
        Role::Queen => "\u{265b}\u{fe0e}",
        Role::King => "\u{265a}\u{fe0e}",
    }
}

/// Where everything stands, in words: "White: king e1, rook h1. Black: king e8."
#[must_use]
pub fn in_words(position: &Chess) -> String {
    let of = |color: Color| {
        let men = position.board().clone().into_iter();
        let men = men.filter(|(_, piece)| piece.color == color);
        let men: Vec<String> = men
            .map(|(square, piece)| format!("{} {square}", role_name(piece.role)))
            .collect();
        men.join(", ")
    };
    format!("White: {}. Black: {}.", of(Color::White), of(Color::Black))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, fen::Fen};

    fn position() -> Chess {
        let fen: Fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
        fen.into_position(CastlingMode::Standard).unwrap()
    }

    #[test]
    fn figures_stand_where_the_side_sees_them() {
        let position = position();
        let white = diagram(&position, Color::White, None, "<a position>");
        assert!(white.contains("aria-label=\"&lt;a position&gt;\""), "{white}");
        // The rook on h1: bottom right for White, top left for Black.
        assert!(
            white.contains("<text class=\"white\" x=\"75\" y=\"75\">\u{265c}"),
            "{white}"
        );
        let black = diagram(&position, Color::Black, None, "");
        assert!(
            black.contains("<text class=\"white\" x=\"5\" y=\"5\">\u{265c}"),
            "{black}"
        );
        assert_eq!(white.matches("<text").count(), 3);
        assert!(!white.contains("moved"));
    }

    #[test]
    fn a_move_is_an_arrow_and_the_men_are_named() {
        let position = position();
        let mv = position
            .legal_moves()
            .into_iter()
            .find(|mv| mv.to() == Square::H8)
            .unwrap();
        let drawn = diagram(&position, Color::White, Some(mv), "");
        assert!(drawn.contains("d=\"M75 75L75 5\""), "{drawn}");
        assert_eq!(in_words(&position), "White: king e1, rook h1. Black: king e8.");
    }
}

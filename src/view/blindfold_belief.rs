//! Blindfold live: where a language model believes that a piece may go, square by square, held against the rules.

use shakmaty::{Chess, Position, Square};

use super::board::{BoardView, destinations};
use crate::{
    blindfold::{notation::Notation, ply::Ply, ranked::Belief, token::Token},
    survey::analysis::table::rounded,
};

/// Depths of a shade: `share-for-4` is the darkest.
const DEPTHS: f64 = 4.0;
/// Squares that are listed.
const LISTED: usize = 10;

/// What a model is given to ask where the piece on `from` goes after these moves; as numbers of tokens. `None` where nothing
/// stands there that may move.
#[must_use]
pub fn prompt(plies: &[Ply], position: &Chess, from: Square, notation: Notation) -> Option<Vec<u8>> {
    let role = position.board().role_at(from)?;
    if targets(position, from).is_empty() {
        return None;
    }
    let mut tokens = notation.prefix(plies);
    if notation == Notation::Ap {
        tokens.push(Token::of_type(role));
    }
    tokens.push(Token::of_square(from));
    Some(tokens.into_iter().map(Token::number).collect())
}

/// The squares from which something may move, in order.
#[must_use]
pub fn starts(position: &Chess) -> Vec<Square> {
    destinations(position).into_iter().map(|(from, _)| from).collect()
}

fn targets(position: &Chess, from: Square) -> Vec<Square> {
    let found = destinations(position).into_iter().find(|(own, _)| *own == from);
    found.map_or_else(Vec::new, |(_, to)| to)
}

/// A square with what the model gives it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BelievedSquare {
    /// The square.
    pub square: Square,
    /// Its probability, 0 to 1.
    pub share: f64,
    /// Whether the piece may go there; castling counts.
    pub legal: bool,
}

/// A belief beside the rules.
#[derive(Debug, Clone, PartialEq)]
pub struct BeliefView {
    /// The likeliest squares, and every legal one, the likeliest first.
    pub squares: Vec<BelievedSquare>,
    /// The probability of all legal squares together, 0 to 1.
    pub on_legal: f64,
    /// In words, for who does not see the board.
    pub words: String,
}

impl BeliefView {
    /// Of the piece on `from`, in the position before its move.
    #[must_use]
    pub fn new(position: &Chess, from: Square, belief: &Belief) -> Self {
        let legal = targets(position, from);
        let all = belief.sorted().into_iter().map(|(square, share)| BelievedSquare {
            square,
            share,
            legal: legal.contains(&square),
        });
        let shown = all.enumerate().filter(|(place, one)| *place < LISTED || one.legal);
        let squares: Vec<BelievedSquare> = shown.map(|(_, one)| one).collect();
        let on_legal = legal.iter().map(|square| belief.at(*square)).sum();
        let named: Vec<String> = squares
            .iter()
            .take(3)
            .map(|one| {
                let legal = if one.legal { "legal" } else { "not legal" };
                format!("{} with {} % ({legal})", one.square, rounded(100.0 * one.share, 0))
            })
            .collect();
        let words = format!(
            "From {from} the model expects {}. Legal squares have {} % together.",
            named.join(", "),
            rounded(100.0 * on_legal, 0)
        );
        Self {
            squares,
            on_legal,
            words,
        }
    }

    /// The board with the shares as shades: blue where the piece may go, red where it may not; the darkest has the largest share.
    #[must_use]
    pub fn on(&self, mut board: BoardView) -> BoardView {
        let most = self.squares.first().map_or(0.0, |one| one.share);
        let shades = self.squares.iter().filter_map(|one| {
            // Below an eighth of the largest nothing is seen.
            let depth = (one.share / most * DEPTHS).round();
            let side = if one.legal { "for" } else { "against" };
            (depth >= 1.0).then(|| (one.square, format!("share-{side}-{depth:.0}")))
        });
        board.shaded = shades.collect();
        board
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blindfold::{perplexity::Logits, ply::replay};

    fn belief(of: &[(&str, f32)]) -> Belief {
        let mut logits: Logits = [f32::NEG_INFINITY; 77];
        for (text, share) in of {
            logits[usize::from(text.parse::<Token>().unwrap().number())] = share.ln();
        }
        Belief::of(&logits).unwrap()
    }

    #[test]
    fn the_prompt_is_the_game_and_the_square() {
        let game = replay("e2e4 e7e5").unwrap();
        let text = |notation| {
            let tokens = prompt(&game.plies, &game.position, Square::G1, notation).unwrap();
            let texts = tokens.into_iter().map(|number| Token::new(number).unwrap().to_string());
            texts.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(text(Notation::Rap(25)), "<s> e2 e4 e7 e5 g1");
        assert_eq!(text(Notation::Ap), "<s> P e2 e4 P e7 e5 N g1");
        for from in [Square::A1, Square::E4, Square::G8, Square::E6] {
            assert_eq!(prompt(&game.plies, &game.position, from, Notation::Uci), None, "{from}");
        }
        assert!(starts(&game.position).contains(&Square::G1) && !starts(&game.position).contains(&Square::A1));
    }

    #[test]
    fn shares_stand_beside_the_rules() {
        let game = replay("e2e4 e7e5").unwrap();
        let belief = belief(&[("f3", 0.5), ("e2", 0.25), ("c3", 0.2), ("P", 0.05)]);
        let view = BeliefView::new(&game.position, Square::G1, &belief);
        assert!((view.on_legal - 0.75).abs() < 1e-6);
        assert_eq!(
            view.words,
            "From g1 the model expects f3 with 50 % (legal), e2 with 25 % (legal), c3 with 20 % (not legal). Legal squares have 75 % \
             together."
        );
        assert!(
            view.squares
                .iter()
                .any(|one| one.square == Square::H3 && one.share == 0.0),
            "every legal one"
        );
        let board = view.on(BoardView::new(&game.position, None, false, true));
        let wanted = [("f3", "share-for-4"), ("e2", "share-for-2"), ("c3", "share-against-2")];
        assert_eq!(
            board.shaded,
            wanted.map(|(square, class)| (square.parse().unwrap(), class.to_owned()))
        );
    }
}

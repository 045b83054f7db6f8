//! What is lit on the board while somebody points at a sentence, a fact or a claim: what proves it where it was read as data, else
//! the squares that its words name; and the lines between the men of its facts.

use shakmaty::Square;

use super::board::{Arrow, Brush};
use crate::{
    chess::Man,
    commentary::{Claim, Fact, FactSheet, claims, fact::Detail},
};

/// What the board shows of a claim, by the statements that it was read as; nothing where it was not.
#[must_use]
pub fn shown(claim: &Claim, sheet: &FactSheet) -> claims::Proof {
    let mut all = claims::Proof::default();
    for statement in &claim.statements {
        all.add(claims::prove(statement, sheet));
    }
    all
}

/// Rings and arrows of a proof.
#[must_use]
pub fn proven(proof: &claims::Proof) -> Vec<Arrow> {
    let arrow = |(from, to)| Arrow {
        from,
        to,
        brush: Brush::Lit,
    };
    let rings = proof.squares.iter().map(|square| (*square, *square));
    proof.lines.iter().copied().chain(rings).map(arrow).collect()
}

/// Rings round the squares that a text names, and arrows between the men of the facts it rests on.
#[must_use]
pub fn lit<'a>(text: &str, facts: impl IntoIterator<Item = &'a Fact>) -> Vec<Arrow> {
    let mut squares = squares_named(text);
    let mut lit: Vec<Arrow> = Vec::new();
    for fact in facts {
        for square in squares_named(&fact.text) {
            if !squares.contains(&square) {
                squares.push(square);
            }
        }
        for (from, to) in lines(&fact.detail) {
            let arrow = Arrow {
                from,
                to,
                brush: Brush::Lit,
            };
            if from != to && !lit.contains(&arrow) {
                lit.push(arrow);
            }
        }
    }
    let ring = |square| Arrow {
        from: square,
        to: square,
        brush: Brush::Lit,
    };
    lit.extend(squares.into_iter().map(ring));
    lit
}

/// The squares in a text, as they come, each once: those of moves too ("Nxe5").
#[must_use]
pub fn squares_named(text: &str) -> Vec<Square> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    for (at, pair) in bytes.windows(2).enumerate() {
        let [b'a'..=b'h', b'1'..=b'8'] = pair else { continue };
        let number_goes_on = bytes.get(at + 2).is_some_and(u8::is_ascii_digit);
        // "exd5" and "Nbd7" are moves; any other small letter before it makes it part of a word.
        let before = |back: usize| at.checked_sub(back).map(|place| bytes[place]);
        let part_of_word = match before(1) {
            Some(b'a'..=b'h') => !before(2).is_some_and(|letter| letter.is_ascii_uppercase()),
            Some(b'x') | None => false,
            Some(letter) => letter.is_ascii_lowercase(),
        };
        if number_goes_on || part_of_word {
            continue;
        }
        if let Ok(square) = Square::from_ascii(pair)
            && !found.contains(&square)
        {
            found.push(square);
        }
    }
    found
}

/// From whom to whom a fact's attack, pin or protection goes.
fn lines(detail: &Detail) -> Vec<(Square, Square)> {
    let from = |by: &Man, targets: &[Man]| targets.iter().map(|target| (by.square, target.square)).collect();
    match detail {
        Detail::Attack { attack, .. } => from(&attack.by, &[attack.target]),
        Detail::Check { by, king, .. } | Detail::Checkmate { by, king, .. } => {
            by.iter().map(|man| (man.square, king.square)).collect()
        }
        Detail::Defence {
            target,
            fresh: Some(man),
            ..
        } => from(man, &[*target]),
        Detail::Hanging { hanging, .. }
        | Detail::Exposed { hanging, .. }
        | Detail::Trapped(hanging)
        | Detail::Threat(hanging) => from(&hanging.by, &[hanging.target]),
        Detail::Pin { pin, .. } => from(&pin.by, &[pin.behind]),
        Detail::Skewer(skewer) => from(&skewer.by, &[skewer.behind]),
        Detail::Fork(fork) => from(&fork.by, &fork.targets),
        Detail::Discovered(discovered) => from(&discovered.by, &[discovered.target]),
        Detail::Battery { rear, target, .. } => from(rear, &[*target]),
        Detail::Capture { by, taken, .. } | Detail::Recapture { by, taken } => from(by, &[*taken]),
        Detail::Sacrifice { man, taker, .. } => from(taker, &[*man]),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;
    use crate::{
        chess::{Played, notation::read_move},
        commentary::FactSheet,
    };

    fn named(text: &str) -> Vec<String> {
        squares_named(text).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn squares_of_moves_and_words_are_found() {
        assert_eq!(
            named("Bg4 pins the knight on f3 to the queen on d1."),
            ["g4", "f3", "d1"]
        );
        assert_eq!(named("after exd4, e2e4 or Nbxd7+ on d4"), ["d4", "e2", "e4", "d7"]);
        assert_eq!(named("F3, a10, kibitz-64x6, tab1, +1.2"), Vec::<String>::new());
    }

    #[test]
    fn a_pin_is_a_line_to_what_stands_behind() {
        let fen: Fen = "rnbqkbnr/ppp2ppp/3p4/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 3"
            .parse()
            .unwrap();
        let before: shakmaty::Chess = fen.into_position(CastlingMode::Standard).unwrap();
        let mv = read_move(&before, CastlingMode::Standard, "Bg4").unwrap();
        let played = Played::new(before, mv, CastlingMode::Standard, Vec::new()).unwrap();
        let sheet = FactSheet::new(&played, None, None);
        let pin = sheet
            .facts()
            .iter()
            .find(|fact| matches!(fact.detail, Detail::Pin { .. }))
            .unwrap();
        let lit = lit("Bg4 pins the knight.", [pin]);
        let arrow = |from: &str, to: &str| Arrow {
            from: from.parse().unwrap(),
            to: to.parse().unwrap(),
            brush: Brush::Lit,
        };
        assert_eq!(lit[0], arrow("g4", "d1"));
        for square in ["g4", "f3", "d1"] {
            assert!(lit.contains(&arrow(square, square)), "{square}");
        }
    }
}

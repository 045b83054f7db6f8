//! A move as people write it, read without a board: SAN, long algebraic, UCI, with whatever is put around it.

use std::borrow::Cow;

use shakmaty::{CastlingSide, File, Rank, Role, Square};

use super::fen_fields::is_dash;

/// No way of writing one move is longer, in bytes; `27... Ng1xf3=Q+!? e.p.` has 23.
const MAX_MOVE_BYTES: usize = 64;

/// What is written, before any board is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// `O-O` or `O-O-O`.
    Castle(CastlingSide),
    /// A pass.
    Null,
    /// Anything that names a target square.
    To {
        /// `None` where no letter is given and the from-square is: whatever stands there.
        role: Option<Role>,
        file: Option<File>,
        rank: Option<Rank>,
        /// An `x` is written.
        capture: bool,
        to: Square,
        promotion: Option<Role>,
    },
}

/// Reads one move; `None` when the text is not a move.
pub(super) fn read_written(text: &str) -> Option<Written> {
    if text.len() > MAX_MOVE_BYTES {
        return None;
    }
    let text = bare(text);
    if let Some(side) = castling(&text) {
        return Some(Written::Castle(side));
    }
    if is_null(&text) {
        return Some(Written::Null);
    }
    read_to(&text)
}

/// Whether it is a null move, without anything around it: as the PGN standard, ChessBase, Chess Assistant, UCI and others
/// write one.
pub(super) fn is_null(text: &str) -> bool {
    matches!(text, "--" | "Z0" | "@@@@" | "0000" | "<>" | "null" | "Null" | "NULL")
}

/// Takes `27.`, `27...` or `…` from the front; `27` alone only where a space follows.
pub(super) fn without_number(text: &str) -> &str {
    let text = text.trim_start();
    let after = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let dots = |c: char| c == '.' || c == '…' || c.is_whitespace();
    if after.len() == text.len() || after.starts_with(dots) {
        after.trim_start_matches(dots)
    } else {
        text
    }
}

/// The move without its number, its marks and its typography.
fn bare(text: &str) -> Cow<'_, str> {
    // Most have none: "Nf3", "exd5".
    if text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.ends_with(|c: char| c.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
    {
        return Cow::Borrowed(text);
    }
    let text = without_number(text.trim().trim_matches(['"', '\'', '`', '“', '”', '*']));
    let mut plain: String = text
        .chars()
        .filter_map(|c| match c {
            '♔' | '♚' => Some('K'),
            '♕' | '♛' => Some('Q'),
            '♖' | '♜' => Some('R'),
            '♗' | '♝' => Some('B'),
            '♘' | '♞' => Some('N'),
            '♙' | '♟' => Some('P'),
            c if is_invisible(c) => None,
            '×' | ':' => Some('x'),
            c if is_dash(c) => Some('-'),
            c => Some(c),
        })
        .collect();
    loop {
        let before = plain.len();
        let trimmed = plain.trim_end_matches(|c: char| {
            c.is_whitespace()
                || matches!(
                    c,
                    '+' | '#' | '!' | '?' | '‼' | '⁇' | '⁈' | '⁉' | '†' | '‡' | ',' | ';' | '.'
                )
        });
        plain.truncate(trimmed.len());
        for suffix in ["e.p", "ep", "mate", "ch"] {
            if let Some(rest) = plain.strip_suffix(suffix)
                && rest.ends_with(|c: char| c.is_ascii_digit() || c.is_whitespace() || c == '+')
            {
                plain.truncate(rest.len());
                break;
            }
        }
        if let Some((rest, nag)) = plain.rsplit_once('$')
            && nag.bytes().all(|b| b.is_ascii_digit())
        {
            plain.truncate(rest.len());
        }
        if plain.len() == before {
            break;
        }
    }
    // Spaces only beside signs: `e8 = Q`, `O - O`. `e4 e5` must not become the move e4e5.
    let mut tight = String::with_capacity(plain.len());
    let mut chars = plain.chars().peekable();
    while let Some(c) = chars.next() {
        let sign = |c: char| matches!(c, '-' | '=' | 'x');
        if c == ' ' && (tight.ends_with(sign) || chars.peek().is_some_and(|next| sign(*next))) {
            continue;
        }
        tight.push(c);
    }
    Cow::Owned(tight)
}

/// Characters without a look of their own: they say how those beside them are drawn or where a line may break, and come
/// along from web sites.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fe0e}' | '\u{fe0f}' | '\u{feff}'
    )
}

fn castling(text: &str) -> Option<CastlingSide> {
    if !text.starts_with(['O', 'o', '0']) {
        return None;
    }
    match text.to_ascii_uppercase().replace('0', "O").as_str() {
        "O-O" | "OO" => Some(CastlingSide::KingSide),
        "O-O-O" | "OOO" => Some(CastlingSide::QueenSide),
        _ => None,
    }
}

fn read_to(text: &str) -> Option<Written> {
    if !text.is_ascii() {
        return None;
    }
    let (text, promotion) = split_promotion(text)?;
    let (role, body) = split_role(text);
    // The target square stands last; what is before it says where from.
    let at = body.len().checked_sub(2)?;
    let to: Square = body[at..].to_ascii_lowercase().parse().ok()?;
    let origin = &body[..at];
    let (origin, capture) = match origin.strip_suffix(['x', 'X']) {
        Some(origin) => (origin, true),
        None => (origin.strip_suffix('-').unwrap_or(origin), false),
    };
    let (mut file, mut rank) = (None, None);
    for c in origin.chars() {
        if let Some(f) = File::from_char(c.to_ascii_lowercase())
            && file.is_none()
            && rank.is_none()
        {
            file = Some(f);
        } else if let Some(r) = Rank::from_char(c)
            && rank.is_none()
        {
            rank = Some(r);
        } else {
            return None;
        }
    }
    // A whole from-square speaks for itself (`g1f3`, `e2-e4`); less than that without a letter is a pawn.
    let role = match role {
        None if file.is_none() || rank.is_none() => Some(Role::Pawn),
        role => role,
    };
    Some(Written::To {
        role,
        file,
        rank,
        capture,
        to,
        promotion,
    })
}

/// `e8=Q`, `e8Q`, `e8=q`, `e8(Q)`, `e8/Q`, `e8 Q`. The outer `None`: a promotion to something impossible.
fn split_promotion(text: &str) -> Option<(&str, Option<Role>)> {
    let inner = text.strip_suffix(')').unwrap_or(text);
    let Some(last) = inner.chars().last().filter(char::is_ascii_alphabetic) else {
        return Some((text, None));
    };
    let rest = &inner[..inner.len() - 1];
    let rest = rest.trim_end_matches(['=', '/', '(', ' ']);
    if !rest.ends_with(|c: char| c.is_ascii_digit()) {
        return Some((text, None));
    }
    let role = Role::from_char(last).filter(|role| !matches!(role, Role::King | Role::Pawn))?;
    Some((rest, Some(role)))
}

/// The piece letter, if there is one. A lower-case letter counts where it can't be a file; `b` is a bishop only where a
/// pawn of the b-file can't be meant: `bxc3` and `b4` are pawn moves, `bf4` is a bishop's.
fn split_role(text: &str) -> (Option<Role>, &str) {
    let mut chars = text.chars();
    let Some(first) = chars.next() else { return (None, text) };
    let rest = chars.as_str();
    let role = match first {
        'K' | 'Q' | 'R' | 'B' | 'N' | 'P' | 'k' | 'q' | 'r' | 'n' | 'p' => Role::from_char(first),
        'b' => {
            let mut body = rest.trim_start_matches(['x', 'X', '-']).chars();
            match (body.next(), body.next(), body.next()) {
                (Some('b' | 'd'..='h'), Some('1'..='8'), None) => Some(Role::Bishop),
                _ => None,
            }
        }
        _ => None,
    };
    (role, if role.is_some() { rest } else { text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_off_and_castling_with_zeros_stays() {
        assert_eq!(without_number("27... Ne7"), "Ne7");
        assert_eq!(without_number("27.Ne7"), "Ne7");
        assert_eq!(without_number("27 Ne7"), "Ne7");
        assert_eq!(without_number("… Ne7"), "Ne7");
        assert_eq!(without_number("0-0"), "0-0");
    }

    #[test]
    fn a_lower_case_b_is_a_pawn_where_a_pawn_can_be_meant() {
        let role = |text| match read_written(text) {
            Some(Written::To { role, .. }) => role,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(role("bxc3"), Some(Role::Pawn));
        assert_eq!(role("bc3"), Some(Role::Pawn));
        assert_eq!(role("b4"), Some(Role::Pawn));
        assert_eq!(role("bf4"), Some(Role::Bishop));
        assert_eq!(role("bxe5"), Some(Role::Bishop));
        assert_eq!(role("b7b8q"), None);
    }
}

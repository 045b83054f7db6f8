//! Takes the user's key out of a reply that comes in pieces, should the server send it back.

use super::key::{ApiKey, HIDDEN, LONG};

/// Text on its way to the reader. The end of a piece that may be the key's beginning waits for the next piece.
#[derive(Debug, Default)]
pub(super) struct Redaction {
    waiting: String,
}

impl Redaction {
    /// What can be shown of `piece` and of what waited. Short keys (`none`, `x`) are no secret and stay.
    pub(super) fn push(&mut self, piece: String, key: Option<&ApiKey>) -> String {
        let Some(key) = key.filter(|key| key.expose().len() >= LONG) else {
            return piece;
        };
        self.waiting.push_str(&piece);
        let secret = key.expose();
        // As `redact` finds them, from the left: a key may overlap itself.
        let last = self.waiting.match_indices(secret).last();
        let behind = last.map_or(0, |(at, _)| at + secret.len());
        let open = &self.waiting[behind..];
        let begun = (1..secret.len()).rev().find(|&n| open.ends_with(&secret[..n]));
        let shown = self.waiting.len() - begun.unwrap_or(0);
        key.redact(&self.waiting.drain(..shown).collect::<String>())
    }

    /// What waited, when no more comes: a key's beginning that is long enough to be worth something is hidden too.
    pub(super) fn finish(&mut self) -> String {
        let rest = std::mem::take(&mut self.waiting);
        if rest.len() >= LONG { HIDDEN.to_owned() } else { rest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KEY: &str = "sk-sk-test-0123";

    fn shown(pieces: &[&str]) -> String {
        let key = ApiKey::new(KEY).unwrap();
        let mut redaction = Redaction::default();
        let mut all: String = pieces
            .iter()
            .map(|piece| redaction.push((*piece).to_owned(), Some(&key)))
            .collect();
        all.push_str(&redaction.finish());
        all
    }

    #[test]
    fn a_key_that_comes_in_pieces_is_hidden() {
        assert_eq!(
            shown(&["It is sk-sk-", "test-0123, ", "you know"]),
            "It is [key], you know"
        );
        assert_eq!(shown(&["sk-sk-sk-test-0123"]), "sk-[key]");
        assert_eq!(shown(&["ask", " me"]), "ask me");
        assert_eq!(shown(&["it ends in sk-"]), "it ends in sk-");
        assert_eq!(shown(&["it ends in sk-sk-test-"]), "it ends in [key]");
    }

    #[test]
    fn a_key_that_overlaps_itself_is_hidden_whole() {
        let key = ApiKey::new("abababab").unwrap();
        let mut redaction = Redaction::default();
        let first = redaction.push("ababababab".to_owned(), Some(&key));
        assert_eq!(first + &redaction.push("ababab.".to_owned(), Some(&key)), "[key][key].");
    }

    #[test]
    fn without_a_key_every_piece_is_shown_at_once() {
        assert_eq!(Redaction::default().push("sk-".to_owned(), None), "sk-");
        let short = ApiKey::new("none").unwrap();
        assert_eq!(Redaction::default().push("none".to_owned(), Some(&short)), "none");
    }

    proptest! {
        #[test]
        fn it_does_not_matter_where_pieces_end(
            parts in proptest::collection::vec(prop_oneof![Just(KEY.to_owned()), "[sk\\-te0123♛]{0,6}"], 0..8),
            ends in proptest::collection::vec(0_usize..200, 0..6),
        ) {
            let whole = parts.concat();
            let mut ends: Vec<usize> = ends.iter().map(|end| whole.floor_char_boundary(end % (whole.len() + 1))).collect();
            ends.extend([0, whole.len()]);
            ends.sort_unstable();
            let pieces: Vec<&str> = ends.windows(2).map(|pair| &whole[pair[0]..pair[1]]).collect();
            let cut = shown(&pieces);
            prop_assert_eq!(&cut, &shown(&[whole.as_str()]));
            prop_assert!(!cut.contains(KEY));
        }
    }
}

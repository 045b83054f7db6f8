//! Counts with their word.

/// A count with its word: `1 move`, `2 moves`.
#[must_use]
pub fn several(count: usize, word: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {word}{plural}")
}

#[cfg(test)]
mod tests {
    use super::several;

    #[test]
    fn one_is_alone() {
        assert_eq!([0, 1, 2].map(|n| several(n, "move")), ["0 moves", "1 move", "2 moves"]);
    }
}

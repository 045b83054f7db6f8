//! The code by which a rater is known in the results.

use super::limits::MAX_NAME;

/// What the codes of simulated raters begin with; a number of at least three digits follows.
pub const SIMULATED_CODE: &str = "sim-";

/// Whether a rater's code is that of a simulated one, so that nobody takes such ratings for people's wherever a file
/// of them has been.
#[must_use]
pub fn is_simulated(rater: &str) -> bool {
    rater
        .strip_prefix(SIMULATED_CODE)
        .is_some_and(|number| number.len() >= 3 && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Why a text is no rater's code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RaterCodeError {
    /// Empty, too long, or with other characters.
    #[error("Type the code that you were given: letters, digits, “-”, “_” and “.”.")]
    NotACode,
    /// That of a simulated rater: an analysis would take a person's ratings for made-up ones.
    #[error("Codes of “sim-” and a number are for simulated raters. Ask for another code.")]
    Simulated,
}

/// Reads a code as a rater types it; spaces around it don't count.
///
/// # Errors
/// Where it is no code that a person can have.
pub fn read_rater_code(text: &str) -> Result<&str, RaterCodeError> {
    let code = text.trim();
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let named = code.chars().any(char::is_alphanumeric) && code.chars().all(plain);
    if code.chars().count() > MAX_NAME || !named {
        return Err(RaterCodeError::NotACode);
    }
    if is_simulated(code) {
        return Err(RaterCodeError::Simulated);
    }
    Ok(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_short_plain_and_a_persons() {
        for (text, code) in [(" R1 ", "R1"), ("Żółw-7.b_2", "Żółw-7.b_2"), ("sim-a", "sim-a")] {
            assert_eq!(read_rater_code(text), Ok(code));
        }
        for text in ["", "  ", "--", "a b", "<b>", "../R1", &"a".repeat(MAX_NAME + 1)] {
            assert_eq!(read_rater_code(text), Err(RaterCodeError::NotACode), "{text}");
        }
        assert_eq!(read_rater_code("sim-001"), Err(RaterCodeError::Simulated));
    }
}

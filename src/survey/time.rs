//! Times of day in results.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The last millisecond of the year 9999, beyond which RFC 3339 does not go.
const LATEST: u64 = 253_402_300_799_999;

/// Milliseconds since 1970 UTC as `2026-11-21T17:58:05.000Z` (RFC 3339).
#[must_use]
pub fn rfc3339(wall: u64) -> String {
    let time: SystemTime = UNIX_EPOCH + Duration::from_millis(wall.min(LATEST));
    humantime::format_rfc3339_millis(time).to_string()
}

/// The other way.
#[must_use]
pub fn from_rfc3339(text: &str) -> Option<u64> {
    let time = humantime::parse_rfc3339(text).ok()?;
    u64::try_from(time.duration_since(UNIX_EPOCH).ok()?.as_millis()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_go_there_and_back() {
        // From `date -u -d @1795283885 +%FT%TZ`.
        assert_eq!(rfc3339(1_795_283_885_042), "2026-11-21T17:58:05.042Z");
        for wall in [0, 1, 951_782_400_000, LATEST] {
            assert_eq!(from_rfc3339(&rfc3339(wall)), Some(wall));
        }
        assert_eq!(rfc3339(u64::MAX), "9999-12-31T23:59:59.999Z");
        assert_eq!(from_rfc3339("yesterday"), None);
    }
}

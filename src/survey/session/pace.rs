//! How long it takes: breaks, and the time that is left.

use super::{Session, Stage, Stamp};

/// Pages whose times are known before the time left is estimated from them.
const KNOWN: usize = 5;

impl Session {
    /// Milliseconds until the break is over; `None` where there is none.
    #[must_use]
    pub fn break_left(&self, now: Stamp) -> Option<u64> {
        let (Stage::Break { .. }, Some(breaks)) = (self.stage, self.study.options.breaks) else {
            return None;
        };
        let clock = self.clock.saturating_add(now.tick.saturating_sub(self.last.tick));
        let length = u64::from(breaks.minutes) * 60_000;
        Some(length.saturating_sub(clock.saturating_sub(self.since)))
    }

    /// Milliseconds of work and breaks that are left, by the median of the pages so far, or by the study's own estimate
    /// until five are answered. The break under way is not counted.
    #[must_use]
    pub fn time_left(&self) -> u64 {
        let mut times: Vec<u64> = self.pages[..self.answered]
            .iter()
            .filter_map(|page| self.answers.get(&page.id))
            .map(|answer| answer.active_ms)
            .collect();
        times.sort_unstable();
        let each = if times.len() < KNOWN {
            u64::from(self.study.options.seconds_per_page) * 1000
        } else {
            times[times.len() / 2]
        };
        let left = self.pages.len().saturating_sub(self.answered);
        let breaks = self
            .study
            .options
            .breaks
            .filter(|b| b.after > 0 && left > 0)
            .map_or(0, |breaks| {
                let ahead = (self.pages.len() - 1) / breaks.after - self.answered / breaks.after;
                ahead as u64 * u64::from(breaks.minutes) * 60_000
            });
        each.saturating_mul(left as u64).saturating_add(breaks)
    }
}

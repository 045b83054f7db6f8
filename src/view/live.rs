//! A running study as tables: who is where, and how many ratings each comment has.

use crate::survey::{
    analysis::{
        dataset::MOST_METHODS,
        layout::distinct,
        table::{Cell, Table},
    },
    live::{Live, LiveRater, Reached},
    responses::Outcome,
    time::rfc3339,
};

/// Time without an event after which a rater who has not finished is called away, in milliseconds.
const AWAY: u64 = 30 * 60 * 1000;

/// What the researcher sees of a running study.
#[derive(Debug, Clone, PartialEq)]
pub struct LiveView {
    /// "5 raters: 2 complete, 2 rating, 1 away. 1 pilot session."
    pub summary: String,
    /// One row a rater.
    pub raters: Table,
    /// One row a position, one column a method.
    pub quotas: Table,
}

impl LiveView {
    /// The view at a time (milliseconds since 1970), with the ratings that are wanted of each comment, if that is said.
    #[must_use]
    pub fn new(live: &Live, target: Option<usize>, now: u64) -> Self {
        Self {
            summary: summary(live, now),
            raters: raters(live, now),
            quotas: quotas(live, target),
        }
    }
}

fn is_away(rater: &LiveRater, now: u64) -> bool {
    let ended = matches!(rater.reached, Reached::Over(_));
    !ended && rater.last.is_none_or(|last| now.saturating_sub(last) > AWAY)
}

fn summary(live: &Live, now: u64) -> String {
    let people = || live.raters.iter().filter(|rater| !rater.pilot);
    let count = |wanted: &dyn Fn(&LiveRater) -> bool| people().filter(|rater| wanted(rater)).count();
    let complete = count(&|rater| rater.reached == Reached::Over(Outcome::Complete));
    let ended = count(&|rater| matches!(rater.reached, Reached::Over(_))) - complete;
    let away = count(&|rater| is_away(rater, now));
    let all = people().count();
    let mut text = format!(
        "{all} {}: {complete} complete, {} under way, {away} away for more than half an hour, {ended} ended early.",
        if all == 1 { "rater" } else { "raters" },
        all - complete - ended - away,
    );
    match live.raters.len() - all {
        0 => {}
        1 => text.push_str(" One pilot session, not counted."),
        pilots => text.push_str(&format!(" {pilots} pilot sessions, not counted.")),
    }
    text
}

/// "just now", "12 min ago", "3 h ago", or the day.
fn ago(last: u64, now: u64) -> String {
    let minutes = now.saturating_sub(last) / 60_000;
    match minutes {
        0 => "just now".to_owned(),
        1..120 => format!("{minutes} min ago"),
        120..2_880 => format!("{} h ago", minutes / 60),
        _ => rfc3339(last).get(..10).unwrap_or_default().to_owned(),
    }
}

fn raters(live: &Live, now: u64) -> Table {
    let minutes = |ms: u64| Cell::Number(ms as f64 / 60_000.0, 1);
    let row = |rater: &LiveRater| {
        let mut stage = rater.reached.words();
        if rater.pilot {
            stage.push_str(" (pilot)");
        }
        if is_away(rater, now) {
            stage.push_str(", away");
        }
        vec![
            Cell::from(rater.rater.as_str()),
            Cell::Text(stage),
            Cell::Text(format!("{} of {}", rater.answered, rater.pages)),
            rater.last.map_or(Cell::None, |last| Cell::Text(ago(last, now))),
            Cell::Text(match rater.checks {
                0 => "–".to_owned(),
                checks => format!("{} of {checks}", rater.failed),
            }),
            minutes(rater.active_ms),
            minutes(rater.total_ms),
        ]
    };
    let mut notes = Vec::new();
    if live.others > 0 {
        notes.push(format!(
            "{} sets of other studies lie there too and are not shown.",
            live.others
        ));
    }
    if live.earlier > 0 {
        notes.push(format!(
            "{} earlier states of sessions lie there too; of each session the one that goes furthest is shown.",
            live.earlier
        ));
    }
    Table {
        caption: format!(
            "Who is where in the study “{}”. Times are those of the raters’ devices.",
            live.study
        ),
        head: [
            "rater",
            "stage",
            "pages",
            "last event",
            "checks failed",
            "active min",
            "total min",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: live.raters.iter().map(row).collect(),
        notes,
    }
}

fn quotas(live: &Live, target: Option<usize>) -> Table {
    let methods = distinct(
        live.quotas
            .iter()
            .map(|quota| quota.method.as_str())
            .take(10 * MOST_METHODS * MOST_METHODS),
    );
    let more = methods.len().saturating_sub(MOST_METHODS);
    let methods: Vec<&str> = methods.into_iter().take(MOST_METHODS).collect();
    let places: std::collections::BTreeMap<&str, usize> = methods.iter().copied().zip(0..).collect();
    let mut rows: Vec<(&str, Vec<Option<usize>>)> = Vec::new();
    let mut of_position: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    for quota in &live.quotas {
        let at = *of_position.entry(&quota.position).or_insert_with(|| {
            rows.push((&quota.position, vec![None; methods.len()]));
            rows.len() - 1
        });
        if let Some(place) = places.get(quota.method.as_str()) {
            rows[at].1[*place] = Some(quota.ratings);
        }
    }
    let cell = |ratings: &Option<usize>| match (ratings, target) {
        (None, _) => Cell::None,
        (Some(ratings), None) => Cell::Count(*ratings),
        (Some(ratings), Some(target)) => Cell::Text(format!("{ratings} of {target}")),
    };
    let full = |target: usize| live.quotas.iter().filter(|quota| quota.ratings >= target).count();
    let mut notes = Vec::new();
    if let Some(target) = target {
        notes.push(format!(
            "{} of {} comments have {target} ratings or more.",
            full(target),
            live.quotas.len()
        ));
    }
    if more > 0 {
        notes.push(format!(
            "{more} more methods have no column: at most {MOST_METHODS} are listed."
        ));
    }
    let mut head = vec!["position".to_owned()];
    head.extend(methods.iter().map(|&method| method.to_owned()));
    Table {
        caption: "Ratings so far of each comment; pilot sessions and checks are not counted.".to_owned(),
        head,
        rows: rows
            .iter()
            .map(|(position, counts)| {
                [Cell::from(*position)]
                    .into_iter()
                    .chain(counts.iter().map(cell))
                    .collect()
            })
            .collect(),
        notes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::live::Quota;

    const NOW: u64 = 1_795_283_885_000;

    fn rater(code: &str, reached: Reached, minutes: u64) -> LiveRater {
        LiveRater {
            rater: code.into(),
            pilot: code.starts_with('P'),
            reached,
            answered: 3,
            pages: 26,
            last: Some(NOW - minutes * 60_000),
            checks: 2,
            failed: 1,
            active_ms: 90_000,
            total_ms: 600_000,
        }
    }

    fn live() -> Live {
        let quota = |position: &str, method: &str, ratings| Quota {
            position: position.into(),
            method: method.into(),
            ratings,
        };
        Live {
            study: "s".into(),
            raters: vec![
                rater("R1", Reached::Over(Outcome::Complete), 5_000),
                rater("R2", Reached::Rating, 0),
                rater("R3", Reached::Practising, 45),
                rater("R4", Reached::Over(Outcome::Declined), 130),
                rater("P1", Reached::Rating, 1),
            ],
            quotas: vec![quota("m1", "a", 2), quota("m1", "b", 1), quota("m2", "a", 0)],
            others: 1,
            earlier: 2,
        }
    }

    #[test]
    fn who_is_where_is_said() {
        let view = LiveView::new(&live(), None, NOW);
        assert_eq!(
            view.summary,
            "4 raters: 1 complete, 1 under way, 1 away for more than half an hour, 1 ended early. One pilot session, not \
             counted."
        );
        let shown: Vec<Vec<String>> = view
            .raters
            .rows
            .iter()
            .map(|row| row.iter().map(Cell::shown).collect())
            .collect();
        assert_eq!(
            shown[1],
            ["R2", "rating", "3 of 26", "just now", "1 of 2", "1.5", "10.0"]
        );
        assert_eq!(shown[0][3], "2026-11-18");
        assert_eq!((&*shown[2][1], &*shown[2][3]), ("practising, away", "45 min ago"));
        assert_eq!((&*shown[3][1], &*shown[3][3]), ("declined", "2 h ago"));
        assert_eq!(shown[4][1], "rating (pilot)");
        assert_eq!(view.raters.notes.len(), 2);
    }

    #[test]
    fn quotas_stand_against_the_target() {
        let view = LiveView::new(&live(), Some(2), NOW);
        let shown: Vec<Vec<String>> = view
            .quotas
            .rows
            .iter()
            .map(|row| row.iter().map(Cell::shown).collect())
            .collect();
        assert_eq!(view.quotas.head, ["position", "a", "b"]);
        assert_eq!(shown, [["m1", "2 of 2", "1 of 2"], ["m2", "0 of 2", "–"]]);
        assert_eq!(view.quotas.notes, ["1 of 3 comments have 2 ratings or more."]);
        assert_eq!(LiveView::new(&live(), None, NOW).quotas.rows[0][1], Cell::Count(2));
    }
}

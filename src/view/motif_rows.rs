//! What the probes of motifs hold of a move, as rows to read.

use shakmaty::Color;

use crate::{
    chess::names::color_name,
    concepts::{MotifReading, extra::Motif},
};

/// A motif of one side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MotifRow {
    /// `White can fork`.
    pub title: String,
    /// `new`, `gone`, `stays`, `not there`.
    pub words: &'static str,
    /// Whether the probes hold that it is there before the move or after it.
    pub held: bool,
    /// `right 78 %`: of balanced test positions, by the weaker of the probes that were asked.
    pub accuracy: String,
    /// All of it in words, with the probes' scores.
    pub label: String,
}

/// The rows of a move: those that are held before or after it first.
#[must_use]
pub fn motif_rows(readings: &[MotifReading]) -> Vec<MotifRow> {
    let mut rows: Vec<MotifRow> = readings.iter().map(row).collect();
    // Stable: the order of reports stands otherwise.
    rows.sort_by_key(|row| !row.held);
    rows
}

fn row(reading: &MotifReading) -> MotifRow {
    let holds = |said: Option<crate::concepts::moves::MotifSaid>| said.map(|said| said.score > 0.0);
    let (before, after) = (holds(reading.before), holds(reading.after));
    let words = match (before, after) {
        (Some(false), Some(true)) => "new",
        (Some(true), Some(false)) => "gone",
        (Some(true), Some(true)) => "stays",
        (Some(true), None) => "before the move",
        (None, Some(true)) => "after the move",
        _ => "not there",
    };
    let title = title(reading.motif, reading.side);
    let asked = || [reading.before, reading.after].into_iter().flatten();
    let least = asked().map(|said| said.accuracy).fold(1.0, f64::min);
    let accuracy = format!("right {:.0} %", 100.0 * least);
    let score = |when: &str, said: Option<crate::concepts::moves::MotifSaid>| {
        said.map(|said| format!(", {:+.2} {when}", said.score))
            .unwrap_or_default()
    };
    MotifRow {
        label: format!(
            "{title}: {words}{}{}; the probe is {accuracy} of the time",
            score("before", reading.before),
            score("after", reading.after)
        ),
        title,
        words,
        held: before == Some(true) || after == Some(true),
        accuracy,
    }
}

fn title(motif: Motif, side: Color) -> String {
    let side = color_name(side);
    match motif {
        Motif::Fork => format!("{side} can fork"),
        Motif::Pin => format!("{side} has a pinned piece"),
        Motif::Skewer => format!("{side} can skewer"),
        Motif::DiscoveredAttack => format!("{side} can uncover an attack"),
        Motif::Mate => format!("{side} can mate in one"),
        Motif::HangingPiece => format!("{side} has a piece hanging"),
        Motif::ExposedKing => format!("{side}'s king is exposed"),
        Motif::Sacrifice => format!("{side}'s best move is a sacrifice"),
        Motif::DoubledPawns => format!("{side} has doubled pawns"),
        Motif::OpenFile => format!("{side} has a rook or queen on an open file"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::concepts::moves::MotifSaid;

    #[test]
    fn rows_say_what_the_move_did_and_how_far_the_probe_can_be_trusted() {
        let said = |score, accuracy| Some(MotifSaid { score, accuracy });
        let reading = |motif, before, after| MotifReading {
            motif,
            side: Color::Black,
            before,
            after,
        };
        let rows = motif_rows(&[
            reading(Motif::Pin, said(-0.5, 0.87), said(-0.1, 0.81)),
            reading(Motif::Fork, said(-0.5, 0.8), said(0.25, 0.77)),
            reading(Motif::Sacrifice, None, said(0.1, 0.756)),
            reading(Motif::Mate, said(1.0, 0.9), said(-1.0, 0.9)),
            reading(Motif::ExposedKing, said(1.0, 0.9), said(1.0, 0.9)),
        ]);
        let shown: Vec<(&str, &str)> = rows.iter().map(|row| (row.title.as_str(), row.words)).collect();
        assert_eq!(
            shown,
            [
                ("Black can fork", "new"),
                ("Black's best move is a sacrifice", "after the move"),
                ("Black can mate in one", "gone"),
                ("Black's king is exposed", "stays"),
                ("Black has a pinned piece", "not there"),
            ]
        );
        assert_eq!(rows[0].accuracy, "right 77 %");
        assert_eq!(
            rows[0].label,
            "Black can fork: new, -0.50 before, +0.25 after; the probe is right 77 % of the time"
        );
        assert!(rows[1].label.contains("sacrifice: after the move, +0.10 after;"));
        assert_eq!(rows.iter().filter(|row| row.held).count(), 4);
    }
}

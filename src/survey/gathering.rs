//! Gathers rows of a position, a move and perhaps a comment into items; what cannot be used is noted.

use std::collections::{BTreeMap, BTreeSet};

use shakmaty::Position;

use super::{
    foreign_text::clipped,
    import::{Import, MOST_LISTED, Reading, RowFault, RowWrong, SourceError},
    limits::{MAX_NAME, MAX_PAGES, MOST_METHODS},
    several_moves::{is_about_several_moves, moves_in},
    study::{Item, MethodComment, ShownError, played},
    study_file::is_name_letter,
};
use crate::chess::{Played, write_fen};

/// The method of people's comments, and the builder's name for references that become comments.
pub const REFERENCE: &str = "reference";

/// A row as it is written.
#[derive(Debug, Default)]
pub(super) struct Row {
    /// Where it begins, from 1.
    pub line: usize,
    /// The position before the move, as FEN.
    pub fen: String,
    /// The move, perhaps with its number, perhaps several.
    pub mv: String,
    /// What the item is to be called; rows of one name are on one item.
    pub id: Option<String>,
    /// What a person wrote about the move.
    pub reference: Option<String>,
    /// A method and its comment, which may be empty.
    pub comment: Option<(String, String)>,
    /// Scores of the comment.
    pub scores: BTreeMap<String, f64>,
}

/// Rows on the way to items.
pub(super) struct Gathering {
    keep_several: bool,
    /// Whether rows on the same move are one item.
    merging: bool,
    import: Import,
    /// Where the items are: by the name that the rows give, or by position and move.
    places: BTreeMap<String, usize>,
    ids: BTreeSet<String>,
    /// Items whose reference is about several moves.
    left_out: BTreeSet<usize>,
    last_fault: Option<RowFault>,
}

/// A position with a move as they are put into an item.
struct Shown {
    fen: String,
    mv: String,
    played: Played,
    renumbered: bool,
    several: bool,
}

impl Gathering {
    /// Of rows that are one item where they are on the same move, or of rows that are an item each.
    pub fn new(reading: Reading, merging: bool) -> Self {
        Self {
            keep_several: reading.keep_several,
            merging,
            import: Import::default(),
            places: BTreeMap::new(),
            ids: BTreeSet::new(),
            left_out: BTreeSet::new(),
            last_fault: None,
        }
    }

    /// Notes a row that cannot be used. Of a line with several comments the same thing is noted once.
    pub fn fault(&mut self, line: usize, wrong: impl Into<RowWrong>) {
        let fault = RowFault {
            line,
            wrong: wrong.into(),
        };
        if self.last_fault.as_ref() != Some(&fault) {
            self.import.fault(fault.clone());
            self.last_fault = Some(fault);
        }
    }

    /// Notes a row that is about several moves and cannot be taken as one about the last of them.
    pub fn several(&mut self, line: usize) {
        self.import.several.add_once(line);
    }

    /// Notes a column that is no score, though some of its values are numbers.
    pub fn no_score(&mut self, column: &str, numbers: usize) {
        if numbers > 0 && self.import.no_scores.len() < MOST_LISTED {
            self.import.no_scores.push(clipped(column));
        }
    }

    /// Takes a row, or notes what is wrong with it.
    ///
    /// # Errors
    /// When there are more items than a study has.
    pub fn row(&mut self, row: Row) -> Result<(), SourceError> {
        let line = row.line;
        let shown = match shown(&row.fen, &row.mv) {
            Ok(shown) => shown,
            Err(error) => {
                self.fault(line, error);
                return Ok(());
            }
        };
        if shown.several && !self.keep_several {
            self.import.several.add_once(line);
            return Ok(());
        }
        let place = self.place(&shown, row.id.as_deref())?;
        if self.left_out.contains(&place) {
            return Ok(());
        }
        let people = row
            .comment
            .as_ref()
            .is_some_and(|(method, _)| as_name(method) == REFERENCE);
        let reference_is_long = row.reference.as_deref().is_some_and(is_about_several_moves);
        let comment_is_long = row
            .comment
            .as_ref()
            .is_some_and(|(_, text)| is_about_several_moves(text));
        if !self.keep_several && (reference_is_long || comment_is_long) {
            self.import.several.add_once(line);
            // The paper leaves out the move, not only what a person wrote about it.
            if reference_is_long || people {
                self.left_out.insert(place);
            }
            return Ok(());
        }
        if shown.renumbered {
            self.import.renumbered.add_once(line);
        }
        if let Some(reference) = row.reference {
            let item = &mut self.import.items[place];
            if item.reference.is_none() {
                item.reference = Some(reference);
            }
        }
        let Some((method, text)) = row.comment else {
            return Ok(());
        };
        if text.trim().is_empty() {
            self.import.empty.add(line);
            return Ok(());
        }
        self.comment(line, place, as_name(&method), &text, row.scores);
        Ok(())
    }

    fn comment(&mut self, line: usize, place: usize, method: String, text: &str, scores: BTreeMap<String, f64>) {
        let comments = &mut self.import.items[place].comments;
        if comments.iter().any(|comment| comment.method == method) {
            return self.fault(line, RowWrong::Twice(method));
        }
        if comments.len() >= MOST_METHODS {
            return self.fault(line, RowWrong::TooManyMethods);
        }
        comments.push(MethodComment {
            method,
            text: text.trim().to_owned(),
            scores,
            marks: Vec::new(),
            decoys: Vec::new(),
        });
    }

    /// The place of the item for a row, which is made where there is none.
    fn place(&mut self, shown: &Shown, id: Option<&str>) -> Result<usize, SourceError> {
        let count = self.import.items.len();
        let key = match id {
            Some(id) => id.to_owned(),
            None if self.merging => {
                // The number is no part of the position: one row may give it and another not.
                let fen = write_fen(&shown.played.before, shown.played.mode);
                let board: Vec<&str> = fen.split(' ').take(4).collect();
                format!("{} {}", board.join(" "), shown.played.uci())
            }
            None => count.to_string(),
        };
        if let Some(place) = self.places.get(&key) {
            return Ok(*place);
        }
        if count >= MAX_PAGES {
            return Err(SourceError::TooMany);
        }
        let name = id.map_or_else(|| format!("m{}", count + 1), as_name);
        self.import.items.push(Item {
            id: unused(name, &mut self.ids),
            fen: shown.fen.clone(),
            mv: shown.mv.clone(),
            reference: None,
            comments: Vec::new(),
        });
        self.places.insert(key, count);
        Ok(count)
    }

    /// What has come of the rows. `comments` says that each row was to have one: then an item without any is left out.
    ///
    /// # Errors
    /// When nothing has.
    pub fn finish(self, comments: bool) -> Result<Import, SourceError> {
        let Self {
            mut import, left_out, ..
        } = self;
        let mut bare = 0;
        import.items = std::mem::take(&mut import.items)
            .into_iter()
            .enumerate()
            .filter(|(place, item)| {
                let out = left_out.contains(place);
                let is_bare = comments && item.comments.is_empty() && item.reference.is_none();
                bare += usize::from(is_bare && !out);
                !out && !is_bare
            })
            .map(|(_, item)| item)
            .collect();
        import.bare = bare;
        match (import.items.is_empty(), import == Import::default()) {
            (false, _) => Ok(import),
            (true, true) => Err(SourceError::Empty),
            (true, false) => Err(SourceError::Nothing(Box::new(import))),
        }
    }
}

/// The position and the move of a row. A number that is written with the move takes the place of the FEN's; of several
/// moves the last one is shown, in the position before it.
fn shown(fen: &str, mv: &str) -> Result<Shown, ShownError> {
    let first = match played(fen, mv) {
        Ok(played) => played,
        Err(error) => {
            let moves = moves_in(mv);
            return match &moves[..] {
                [before @ .., last] if !before.is_empty() => after_moves(fen, mv, before, last).ok_or(error),
                _ => Err(error),
            };
        }
    };
    let own = write_fen(&first.before, first.mode);
    let number = number(mv).filter(|number| first.before.fullmoves().get() != *number);
    Ok(Shown {
        fen: number.map_or_else(|| fen.trim().to_owned(), |number| numbered(&own, number)),
        mv: mv.trim().to_owned(),
        played: first,
        renumbered: number.is_some(),
        several: false,
    })
}

fn after_moves(fen: &str, cell: &str, before: &[&str], last: &str) -> Option<Shown> {
    let mut fen = fen.trim().to_owned();
    let mut number = number(cell);
    for mv in before {
        let here = played(&fen, mv).ok()?;
        if let Some(number) = number.take() {
            fen = numbered(&write_fen(&here.before, here.mode), number);
        }
        let here = played(&fen, mv).ok()?;
        fen = write_fen(&here.after, here.mode);
    }
    Some(Shown {
        played: played(&fen, last).ok()?,
        fen,
        mv: last.to_owned(),
        renumbered: false,
        several: true,
    })
}

/// The number that a move is written with: 22 of `22. Nd8+`, `22...Nd8` and `22 Nd8`.
fn number(mv: &str) -> Option<u32> {
    let mv = mv.trim_start();
    let after = mv.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let ends = after.starts_with(|letter: char| letter == '.' || letter == '…' || letter.is_whitespace());
    let number: u32 = mv[..mv.len() - after.len()].parse().ok()?;
    (ends && (1..=9_999).contains(&number)).then_some(number)
}

/// A FEN of six fields with another number.
fn numbered(fen: &str, number: u32) -> String {
    let rest = fen.rsplit_once(' ').map_or(fen, |(rest, _)| rest);
    format!("{rest} {number}")
}

/// The text with what a name in the results may not have turned into `-`: "GPT-4o + expert" to "GPT-4o-+-expert".
#[must_use]
pub fn as_name(text: &str) -> String {
    let letters = text.trim().chars().take(MAX_NAME);
    letters
        .map(|letter| if is_name_letter(letter) { letter } else { '-' })
        .collect()
}

/// The name, or the name with a number behind it where it is taken.
pub(super) fn unused(name: String, taken: &mut BTreeSet<String>) -> String {
    let mut candidate = name.clone();
    let mut number = 2;
    while !taken.insert(candidate.clone()) {
        candidate = format!("{name}-{number}");
        number += 1;
    }
    candidate
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_the_move_mends_the_position() {
        let sloppy = "8/2pk4/1p2N1pp/1P1P1p2/2P2KP1/3P4/7P/8 w - - 0 0";
        let shown = super::shown(sloppy, "22. Nd8").unwrap();
        assert_eq!(shown.fen, "8/2pk4/1p2N1pp/1P1P1p2/2P2KP1/3P4/7P/8 w - - 0 22");
        assert!(shown.renumbered);
        let as_it_is = super::shown(sloppy, "Nd8").unwrap();
        assert_eq!((as_it_is.fen.as_str(), as_it_is.renumbered), (sloppy, false));
        let same = super::shown("8/2pk4/1p2N1pp/1P1P1p2/2P2KP1/3P4/7P/8 w - - 0 22", "22.Nd8").unwrap();
        assert!(!same.renumbered);
    }

    #[test]
    fn of_several_moves_the_last_is_shown() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0";
        let shown = super::shown(start, "7. e4 e5 8. Nf3").unwrap();
        assert!(shown.several);
        assert_eq!(
            (shown.fen.as_str(), shown.mv.as_str()),
            ("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 8", "Nf3")
        );
        assert!(super::shown(start, "e4 e4").is_err());
    }

    #[test]
    fn numbers_are_those_before_moves() {
        for (text, found) in [
            ("22. Nd8+", Some(22)),
            ("22...Nd8", Some(22)),
            ("22… Nd8", Some(22)),
            ("22 Nd8", Some(22)),
            ("0-0", None),
            ("0. e4", None),
            ("99999999999. e4", None),
            ("e2e4", None),
        ] {
            assert_eq!(number(text), found, "{text}");
        }
    }
}

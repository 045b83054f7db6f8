//! Commentary data in the manner of GameKnot's: lines that belong together, without a header.
//!
//! - One text: every line is `position ||| move ||| comment`, or the same three parted by tabs. The comment is what a person
//!   wrote and becomes the reference.
//! - Several files of one name: `NAME.che` has the position and the move (parted by `|||`, a tab or a blank), `NAME.en` the
//!   reference, `NAME.METHOD.en` the comments by a method. Line n of one belongs to line n of the others.
//!
//! A position is a FEN; in a `.che` file it may be two boards in words (`token_boards`). An empty line of the moves passes
//! over that line; an empty line of comments is a missing one.

use super::{
    gathering::{Gathering, Row},
    import::{Import, Reading, RowWrong, SourceError},
    limits::MAX_STUDY_BYTES,
    token_boards::{self, Shown},
};
use crate::pace::{AtOnce, Pace, at_once};

/// What parts the fields of a line.
pub const BAR: &str = "|||";

/// Whether a text is lines of three fields.
#[must_use]
pub fn is_lines(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let position = |field: &str| field.split_whitespace().next().unwrap_or_default().matches('/').count() == 7;
    let fields: Vec<&str> = first.split('\t').collect();
    (first.contains(BAR) && position(first)) || (fields.len() > 2 && position(fields[0]))
}

/// Items from lines of position, move and comment.
///
/// # Errors
/// When none of them can be used.
pub fn from_lines(text: &str, reading: Reading) -> Result<Import, SourceError> {
    at_once(from_lines_at(text, reading, &AtOnce))
}

/// The same at a pace.
///
/// # Errors
/// As [`from_lines`].
pub async fn from_lines_at(text: &str, reading: Reading, pace: &impl Pace) -> Result<Import, SourceError> {
    if text.len() > MAX_STUDY_BYTES {
        return Err(SourceError::TooLong(text.len()));
    }
    let mut gathering = Gathering::new(reading, true);
    for (line, whole) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        pace.turn().await;
        if whole.trim().is_empty() {
            continue;
        }
        let fields = fields(whole);
        let (fen, mv, comment) = match &fields[..] {
            [fen, mv] => (fen, mv, ""),
            [fen, mv, comment] => (fen, mv, *comment),
            _ => {
                gathering.fault(line, RowWrong::Fields(fields.len()));
                continue;
            }
        };
        take(&mut gathering, line, fen, mv, comment)?;
    }
    gathering.finish(false)
}

fn fields(line: &str) -> Vec<&str> {
    let parts: Vec<&str> = if line.contains(BAR) {
        line.split(BAR).collect()
    } else {
        line.split('\t').collect()
    };
    parts.into_iter().map(str::trim).collect()
}

fn take(gathering: &mut Gathering, line: usize, fen: &str, mv: &str, reference: &str) -> Result<(), SourceError> {
    if mv.is_empty() {
        gathering.fault(line, RowWrong::NoMove);
        return Ok(());
    }
    gathering.row(Row {
        line,
        fen: fen.to_owned(),
        mv: mv.to_owned(),
        reference: (!reference.is_empty()).then(|| reference.to_owned()),
        ..Row::default()
    })
}

/// A file by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedText {
    /// Without a folder: `test.che`.
    pub name: String,
    /// All of it.
    pub text: String,
}

/// Whether these are files that belong together line by line.
#[must_use]
pub fn is_files(files: &[NamedText]) -> bool {
    files.iter().any(|file| file.name.to_lowercase().ends_with(".che"))
}

/// What a file of comments holds: the references (`None`), or a method's comments.
type Comments<'a> = (Option<String>, Vec<&'a str>);

/// Items from files that belong together line by line.
///
/// # Errors
/// When a file is missing, has another number of lines or another name, or no line can be used.
pub fn from_files(files: &[NamedText], reading: Reading) -> Result<Import, SourceError> {
    at_once(from_files_at(files, reading, &AtOnce))
}

/// The same at a pace.
///
/// # Errors
/// As [`from_files`].
pub async fn from_files_at(files: &[NamedText], reading: Reading, pace: &impl Pace) -> Result<Import, SourceError> {
    let bytes = files.iter().map(|file| file.text.len()).sum();
    if bytes > MAX_STUDY_BYTES {
        return Err(SourceError::TooLong(bytes));
    }
    let error = |text: String| SourceError::Files(text);
    let mut moves = files.iter().filter(|file| file.name.to_lowercase().ends_with(".che"));
    let (Some(first), None) = (moves.next(), moves.next()) else {
        return Err(error(
            "Choose one file of moves (.che), with its files of comments (.en).".to_owned(),
        ));
    };
    let stem = &first.name[..first.name.len() - ".che".len()];
    let lines = all_lines(&first.text);
    let mut comments: Vec<Comments> = Vec::new();
    for file in files.iter().filter(|file| file.name != first.name) {
        let method = method(&file.name, stem).ok_or_else(|| {
            error(format!(
                "{} does not belong to {}: its comments are in {stem}.en, and those of a method in {stem}.METHOD.en.",
                file.name, first.name
            ))
        })?;
        let texts = all_lines(&file.text);
        if texts.len() != lines.len() {
            return Err(error(format!(
                "{} has {} lines and {} has {}: line n of one belongs to line n of the other.",
                first.name,
                lines.len(),
                file.name,
                texts.len()
            )));
        }
        comments.push((method, texts));
    }
    if comments.is_empty() {
        return Err(error(format!(
            "The comments are missing: choose {stem}.en together with {}.",
            first.name
        )));
    }
    let mut gathering = Gathering::new(reading, true);
    for (index, whole) in lines.iter().enumerate().filter(|(_, whole)| !whole.trim().is_empty()) {
        pace.turn().await;
        let line = index + 1;
        let (fen, mv) = match line_of_moves(whole) {
            Ok(Shown::Move(fen, mv)) => (fen, mv),
            Ok(Shown::Several) => {
                gathering.several(line);
                continue;
            }
            Err(wrong) => {
                gathering.fault(line, wrong);
                continue;
            }
        };
        for (method, texts) in &comments {
            let text = texts[index].trim();
            let comment = method.clone().map(|method| (method, text.to_owned()));
            let reference = (method.is_none() && !text.is_empty()).then(|| text.to_owned());
            gathering.row(Row {
                line,
                fen: fen.clone(),
                mv: mv.clone(),
                reference,
                comment,
                ..Row::default()
            })?;
        }
    }
    gathering.finish(true)
}

/// The position and the move of a line of a `.che` file.
fn line_of_moves(whole: &str) -> Result<Shown, RowWrong> {
    if token_boards::is_of_boards(whole) {
        return token_boards::read(whole);
    }
    let parts = fields(whole);
    let (fen, mv) = match &parts[..] {
        [fen, mv] => (*fen, (*mv).to_owned()),
        [one] => position_and_move(one),
        _ => return Err(RowWrong::Fields(parts.len())),
    };
    if mv.is_empty() {
        return Err(RowWrong::NoMove);
    }
    Ok(Shown::Move(fen.to_owned(), mv))
}

/// All lines, without the empty ones at the end.
fn all_lines(text: &str) -> Vec<&str> {
    text.trim_start_matches('\u{feff}').trim_end().lines().collect()
}

/// Whose comments a file holds: `None` are people's.
fn method(name: &str, stem: &str) -> Option<Option<String>> {
    let rest = name.strip_prefix(stem)?;
    let lower = rest.to_lowercase();
    if lower == ".en" {
        return Some(None);
    }
    let method = rest.get(1..rest.len().checked_sub(".en".len())?)?;
    (lower.ends_with(".en") && rest.starts_with('.') && !method.is_empty()).then(|| Some(method.to_owned()))
}

/// A FEN and a move in one: the move, with its number where there is one, is what follows the FEN's fields.
pub(super) fn position_and_move(whole: &str) -> (&str, String) {
    let Some((fen, mv)) = whole.trim().rsplit_once(char::is_whitespace) else {
        return (whole, String::new());
    };
    let fen = fen.trim_end();
    match fen.rsplit_once(char::is_whitespace) {
        Some((before, number)) if is_number(number) => (before.trim_end(), format!("{number} {mv}")),
        _ => (fen, mv.to_owned()),
    }
}

/// `22.`, `22...`; a FEN's own number has no dot.
fn is_number(word: &str) -> bool {
    let digits = word.trim_end_matches(['.', '…']);
    digits.len() < word.len() && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_files_name_says_whose_comments_it_holds() {
        assert_eq!(method("test.en", "test"), Some(None));
        assert_eq!(method("test.gac.en", "test"), Some(Some("gac".to_owned())));
        assert_eq!(method("test.single.EN", "test.single"), Some(None));
        for name in ["train.en", "test.txt", "test..en", "testen", "test."] {
            assert_eq!(method(name, "test"), None, "{name}");
        }
    }

    #[test]
    fn a_position_is_parted_from_its_move_and_number() {
        assert_eq!(
            position_and_move("8/8 w - - 0 0 22. Nd8+"),
            ("8/8 w - - 0 0", "22. Nd8+".to_owned())
        );
        assert_eq!(
            position_and_move("8/8 w - - 0 22 Nd8+"),
            ("8/8 w - - 0 22", "Nd8+".to_owned())
        );
        assert_eq!(position_and_move("e4"), ("e4", String::new()));
    }
}

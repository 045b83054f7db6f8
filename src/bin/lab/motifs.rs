//! `lab motifs DIR`: how often the fact sheet of a puzzle's first solution move holds the puzzle's motif.
//!
//! DIR holds Lichess puzzles as CSV, a file a theme (PuzzleId, FEN before the opponent's move, moves, rating, themes). A
//! motif counts as *shown* when the sheet has a fact of its kind about the move itself or the position after it, and as
//! *found* when it may also lie further along the engine's line. The control is how often the same kind fires on
//! puzzles whose own tags lack the theme (the columns with a minus).

use std::{
    collections::BTreeMap,
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

use kibitz::{
    chess::Played,
    commentary::{Evaluation, FactKind, FactSheet, fact::Moment},
    grading::suite::puzzles::words,
    table_file::{Row, TableFile, TableFileError},
};
use shakmaty::{CastlingMode, Chess, fen::Fen, uci::UciMove};

use super::file_text::text_of;

/// The lab's command could not be run.
#[derive(Debug, thiserror::Error)]
pub enum MotifsError {
    /// The folder or a file in it can't be read.
    #[error("can't read {path}: {source}")]
    Unreadable {
        /// What could not be read.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file is no table.
    #[error("{0}: {1}")]
    Table(String, TableFileError),
    /// There is no CSV file in the folder.
    #[error("{0} holds no .csv file of puzzles")]
    Empty(PathBuf),
    /// The report could not be written.
    #[error("can't write the report: {0}")]
    Unwritable(#[from] io::Error),
}

/// A line of a puzzle file.
struct Puzzle {
    played: Played,
    themes: Vec<String>,
}

/// The themes we look for, and the kinds that show them.
const THEMES: &[(&str, &[FactKind])] = &[
    ("fork", &[FactKind::Fork]),
    ("pin", &[FactKind::Pin]),
    ("skewer", &[FactKind::Skewer]),
    ("discoveredAttack", &[FactKind::Discovered]),
    ("hangingPiece", &[FactKind::Hanging]),
    ("mateIn1", &[FactKind::Checkmate]),
    ("mateIn2", &[FactKind::Mate]),
    ("backRankMate", &[FactKind::BackRank]),
    ("sacrifice", &[FactKind::Sacrifice]),
    ("trappedPiece", &[FactKind::Trapped]),
];

/// A puzzle's themes, and the kinds sighted on its sheet.
type Tagged = (Vec<String>, Vec<Sighting>);

/// What gives the engine's view of a move, where the lab has an engine.
pub type Judge<'a> = &'a mut dyn FnMut(&Played) -> Option<Evaluation>;

/// Reads the puzzles in `dir` and writes the report to `out`.
///
/// # Errors
/// When the folder can't be read or holds no puzzles, or the report can't be written.
pub fn run(dir: &Path, out: &mut dyn Write, mut judge: Option<Judge<'_>>) -> Result<(), MotifsError> {
    let files = puzzle_files(dir)?;
    let mut by_theme: BTreeMap<String, Vec<Tagged>> = BTreeMap::new();
    let mut skipped = 0_u32;
    for (path, text) in files {
        let seen = by_theme.entry(theme_of(&path)).or_default();
        let table = TableFile::open(&text).map_err(|error| MotifsError::Table(theme_of(&path), error))?;
        let columns = ["FEN", "Moves", "Themes"].map(|name| table.find(name).ok().flatten());
        for (_, row) in table {
            let Some(puzzle) = row.ok().and_then(|row| read(&row, columns)) else {
                skipped += 1;
                continue;
            };
            let evaluation = judge.as_mut().and_then(|judge| judge(&puzzle.played));
            let sheet = FactSheet::new(&puzzle.played, evaluation.as_ref(), None);
            seen.push((puzzle.themes, sightings(&sheet)));
        }
    }
    writeln!(
        out,
        "{:<18} {:>5} {:>8} {:>8} {:>9} {:>9} {:>6}",
        "theme", "n", "shown", "found", "- shown", "- found", "n"
    )?;
    for &(theme, kinds) in THEMES {
        let Some(own) = by_theme.get(theme) else { continue };
        let tagged: Vec<_> = own
            .iter()
            .filter(|(tags, _)| tags.iter().any(|tag| tag == theme))
            .collect();
        let others: Vec<_> = by_theme
            .values()
            .flatten()
            .filter(|(tags, _)| !tags.iter().any(|tag| tag == theme))
            .collect();
        let shown = |seen: &[Sighting]| {
            seen.iter()
                .any(|s| kinds.contains(&s.kind) && s.counts(theme) && !s.later)
        };
        let found = |seen: &[Sighting]| seen.iter().any(|s| kinds.contains(&s.kind) && s.counts(theme));
        writeln!(
            out,
            "{theme:<18} {:>5} {:>8} {:>8} {:>9} {:>9} {:>6}",
            tagged.len(),
            percent(tagged.iter().filter(|(_, seen)| shown(seen)).count(), tagged.len()),
            percent(tagged.iter().filter(|(_, seen)| found(seen)).count(), tagged.len()),
            percent(others.iter().filter(|(_, seen)| shown(seen)).count(), others.len()),
            percent(others.iter().filter(|(_, seen)| found(seen)).count(), others.len()),
            others.len(),
        )?;
    }
    if skipped > 0 {
        writeln!(out, "{skipped} lines skipped: not a puzzle")?;
    }
    Ok(())
}

fn theme_of(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn puzzle_files(dir: &Path) -> Result<Vec<(PathBuf, String)>, MotifsError> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |source| MotifsError::Unreadable { path, source }
    };
    let mut paths: Vec<PathBuf> = fs::read_dir(dir)
        .map_err(unreadable(dir))?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|ext| ext == "csv"))
        .collect();
    paths.sort();
    if paths.is_empty() {
        return Err(MotifsError::Empty(dir.to_owned()));
    }
    paths
        .into_iter()
        .map(|path| {
            let bytes = fs::read(&path).map_err(unreadable(&path))?;
            let text = text_of(&path, &bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error));
            let text = text.map_err(unreadable(&path))?;
            Ok((path, text))
        })
        .collect()
}

/// Reads a row: the first move is the opponent's, the second the solution's.
fn read(row: &Row, [fen, moves, themes]: [Option<usize>; 3]) -> Option<Puzzle> {
    let (fen, moves) = (row.name(fen?), row.get(moves?));
    let themes = words(row.get(themes?)).into_iter().map(str::to_owned).collect();
    let start: Chess = fen.parse::<Fen>().ok()?.into_position(CastlingMode::Standard).ok()?;
    let mut moves = words(moves).into_iter().map(|m| m.parse::<UciMove>().ok());
    let opponent = Played::new(
        start.clone(),
        moves.next()??.to_move(&start).ok()?,
        CastlingMode::Standard,
        Vec::new(),
    )?;
    let solution = moves.next()??.to_move(&opponent.after).ok()?;
    let played = Played::new(opponent.after, solution, CastlingMode::Standard, vec![start])?;
    Some(Puzzle { played, themes })
}

/// A kind of fact on a sheet.
struct Sighting {
    kind: FactKind,
    later: bool,
    by_mover: bool,
    text: String,
}

impl Sighting {
    /// True when the fact is one that its theme means.
    fn counts(&self, theme: &str) -> bool {
        match theme {
            // The move takes a piece that hung.
            "hangingPiece" => {
                self.by_mover && self.text.ends_with("the move takes it.") && !self.text.contains("pawn on")
            }
            // Mate in two, this move and the next.
            "mateIn2" => self.text.contains("by force in 2,"),
            _ => self.by_mover,
        }
    }
}

fn sightings(sheet: &FactSheet) -> Vec<Sighting> {
    let mover = sheet.played().mover();
    sheet
        .facts()
        .iter()
        .map(|fact| Sighting {
            kind: fact.kind,
            later: matches!(fact.moment, Moment::Line | Moment::Best),
            by_mover: fact.detail.actor().is_none_or(|color| color == mover),
            text: fact.text.clone(),
        })
        .collect()
}

fn percent(part: usize, whole: usize) -> String {
    if whole == 0 {
        return "–".to_owned();
    }
    #[allow(clippy::cast_precision_loss)] // A few thousand puzzles.
    let share = 100.0 * part as f64 / whole as f64;
    format!("{share:.1} %")
}

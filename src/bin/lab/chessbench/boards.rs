//! Boards from files: games as PGN, or a FEN a line.

use std::{error::Error, path::Path};

use kibitz::chessbench::board::Boards;

use super::super::{source_file::each_game, survey_input::text};

/// Takes the boards of a file: all of a game's main lines where its name ends in .pgn or .pgn.zst, else a FEN a line; blank lines
/// and those that begin with # are passed over.
pub fn add_file(boards: &mut Boards, path: &Path) -> Result<(), Box<dyn Error>> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if name.ends_with(".pgn") || name.ends_with(".pgn.zst") {
        each_game(path, |game, _| boards.add_game(game))?.say(path);
        return Ok(());
    }
    let text = text(path)?;
    for (line, fen) in text.lines().enumerate() {
        if fen.trim().is_empty() || fen.starts_with('#') {
            continue;
        }
        boards
            .add_fen(fen)
            .map_err(|error| format!("{}, line {}: {error}", path.display(), line + 1))?;
    }
    Ok(())
}

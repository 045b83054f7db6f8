//! Where boards are from: files, what is pasted, the game on the board.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{Annotating, MOST_BOARDS};
use crate::{
    browser::{
        clipboard::Pasted,
        files::{FileBytes, ReadFileError},
        slices::Slices,
    },
    chessbench::{
        board::Boards,
        board_source::{BoardSource, GivenBoards, read_boards_at},
    },
    file_text::FileText,
    long_run::{count::several, lines::end_words},
    state::{App, notices},
};

const fn as_typed(text: String) -> FileText {
    FileText { text, notice: None }
}

impl Annotating {
    /// Takes a file: a run, games, or a FEN a line.
    pub fn take_file(&self, file: Result<FileBytes, ReadFileError>) {
        match file {
            Ok(file) => {
                let name = file.name.clone();
                self.take(name, async move |pace: &Slices| {
                    file.text(pace).await.map_err(|error| error.to_string())
                });
            }
            Err(error) => self.problem.set(Some(format!("{error}."))),
        }
    }

    /// Takes what was typed.
    pub fn take_text(&self, text: String) {
        self.take("The text".to_owned(), async move |_: &Slices| Ok(as_typed(text)));
    }

    /// Takes what is pasted, in the browser still.
    pub fn take_pasted(&self, pasted: Pasted) {
        self.take("The text".to_owned(), async move |pace: &Slices| {
            Ok(as_typed(pasted.read(pace).await))
        });
    }

    /// Takes the boards of the game on the board.
    pub fn take_board(&self) {
        self.problem.set(None);
        let mut boards = Boards::default();
        let store = App::get().game_store;
        untrack(|| store.with_game(|game| boards.add_game(game)));
        let (boards, counts) = boards.into_parts();
        if boards.is_empty() {
            return self.problem.set(Some(
                "The game on the board has no board that the symbols can say: its castling is Chess960’s.".to_owned(),
            ));
        }
        let given = GivenBoards {
            boards,
            counts,
            ..GivenBoards::default()
        };
        let said = told("The game on the board", &given);
        self.take_boards(given, said);
    }

    fn take(&self, name: String, text: impl AsyncFnOnce(&Slices) -> Result<FileText, String> + 'static) {
        self.problem.set(None);
        self.notice.set(None);
        let Some(going) = self.preparing.begin() else { return };
        going.tell(0, 1, Some(format!("{name} is read.")));
        let this = *self;
        spawn_local(async move {
            let work = async {
                let pace = Slices::new();
                let found = text(&pace).await?;
                let read = read_boards_at(&found.text, MOST_BOARDS, &pace).await;
                let end = end_words(&found.text);
                let notice = found.notice_on(&name);
                read.map_err(|error| format!("{name} cannot be used: {error}"))
                    .map(|source| (source, end, notice))
            };
            let read = going.unless_stopped(work).await;
            if read.is_some() {
                going.end();
            }
            match read {
                Some(Ok((source, end, notice))) => {
                    match source {
                        BoardSource::Run(run) => {
                            let said = format!("{name}: {}.", several(run.boards.len(), "board"));
                            this.take_run(*run, said);
                        }
                        BoardSource::Boards(given) => {
                            let said = told(&name, &given);
                            this.take_boards(given, said);
                        }
                    }
                    notices::add(this.notice, end);
                    notices::add(this.notice, notice);
                }
                Some(Err(problem)) => this.problem.set(Some(format!("{problem}.").replace("..", "."))),
                None => {}
            }
        });
    }
}

/// What became of what was offered, in words.
fn told(name: &str, given: &GivenBoards) -> String {
    let counts = given.counts;
    let mut said = format!(
        "{name}: {} of {} in {}",
        several(given.boards.len(), "board"),
        counts.offered,
        several(counts.games, "game")
    );
    if counts.games == 0 {
        said = format!("{name}: {}", several(given.boards.len(), "board"));
    }
    for (count, why) in [
        (counts.repeated, "repeat another"),
        (counts.not_symbols, "cannot be written in the symbols"),
    ] {
        if count > 0 {
            said += &format!("; {count} {why}");
        }
    }
    said.push('.');
    if given.more {
        said += &format!(" There are more: the page takes {MOST_BOARDS} at most, the command line all of them.");
    }
    if let Some((count, first)) = &given.problems {
        said += &format!(" {} could not be read, the first: {first}", several(*count, "thing"));
    }
    said
}

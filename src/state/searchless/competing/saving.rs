//! Files: a tournament that is given, and what is saved of the one that is there. Large ones are read and written in turns.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{super::super::report_form::ReportForm, Competing, SAVED};
use crate::{
    browser::{
        files::{self, FileBytes, Pieces, ReadFileError, SaveError},
        slices::Slices,
    },
    long_run::{count::several, lines::end_words},
    pace::Pace,
    state::notices,
    tournament::run_file::{GameRow, Tournament},
};

/// Games that are written in one step.
const WRITTEN: usize = 64;

impl Competing {
    /// Takes a file: a tournament of the same players, openings and rules adds its games, another takes the place of what is there.
    pub fn take_file(&self, file: Result<FileBytes, ReadFileError>) {
        self.problem.set(None);
        let file = match file {
            Ok(file) => file,
            Err(error) => return self.problem.set(Some(format!("{error}."))),
        };
        let Some(going) = self.reading.begin() else { return };
        let name = file.name.clone();
        going.tell(0, 1, Some(format!("{name} is read.")));
        let this = *self;
        spawn_local(async move {
            let pace = Slices::new();
            let work = async {
                let found = file.text(&pace).await.map_err(|error| error.to_string())?;
                let read = Tournament::read_at(&found.text, &pace).await;
                let end = end_words(&found.text);
                let notice = found.notice_on(&file.name);
                read.map_err(|error| format!("{} cannot be used: {error}", file.name))
                    .map(|tournament| (tournament, end, notice))
            };
            let Some(read) = going.unless_stopped(work).await else {
                return;
            };
            going.end();
            match read {
                Ok((tournament, end, notice)) => {
                    this.take_read(&name, tournament);
                    notices::add(this.notice, end);
                    notices::add(this.notice, notice);
                }
                Err(problem) => this.problem.set(Some(format!("{problem}.").replace("..", "."))),
            }
        });
    }

    fn take_read(&self, name: &str, tournament: Tournament) {
        let known = self.tournament.get_untracked();
        let joined = known.and_then(|mut known| {
            let before = known.count().progress().answered;
            known.merge(tournament.clone()).ok()?;
            let more = known.count().progress().answered - before;
            Some((known, more))
        });
        match joined {
            Some((joined, more)) => {
                self.run.stop();
                self.put_in_place(
                    joined,
                    format!("{name} is of this tournament: {} more.", several(more, "game")),
                );
            }
            None => {
                let over = tournament.count().progress().answered;
                self.take_tournament(tournament, format!("{name}: {} are over.", several(over, "game")));
            }
        }
    }

    /// Puts a tournament in the place of what is there, which can be had back.
    pub(super) fn take_tournament(&self, tournament: Tournament, said: String) {
        self.put_aside();
        self.put_in_place(tournament, said);
    }

    fn put_in_place(&self, tournament: Tournament, said: String) {
        self.notice.set(Some(said));
        let head = tournament.head();
        let rows = tournament.rows().to_vec();
        self.rows.begin_after(rows.len().div_ceil(WRITTEN));
        self.show(Some(tournament));
        let this = *self;
        spawn_local(async move {
            if SAVED.keep_all(&head, rows.chunks(WRITTEN).map(lines)).await.is_err() {
                this.not_kept();
            }
        });
    }

    /// Saves the tournament's file.
    pub fn save_run(&self) {
        self.save(
            "tournament.jsonl",
            "application/jsonl",
            async |tournament, pieces, pace| {
                pieces.add(tournament.head().as_bytes())?;
                for rows in tournament.rows().chunks(WRITTEN) {
                    pace.turn().await;
                    pieces.add(lines(rows).as_bytes())?;
                }
                Ok(())
            },
        );
    }

    /// Saves the games that are over as PGN.
    pub fn save_pgn(&self) {
        self.save(
            "tournament.pgn",
            "application/x-chess-pgn",
            async |tournament, pieces, pace| {
                for game in tournament.pgn_games() {
                    pace.turn().await;
                    pieces.add(game.as_bytes())?;
                }
                Ok(())
            },
        );
    }

    fn save(
        &self,
        name: &'static str,
        media_type: &'static str,
        write: impl AsyncFn(&Tournament, &Pieces, &Slices) -> Result<(), SaveError> + 'static,
    ) {
        let this = *self;
        spawn_local(async move {
            let Some(tournament) = this.tournament.get_untracked() else {
                return;
            };
            let pieces = Pieces::default();
            let written = write(&tournament, &pieces, &Slices::new()).await;
            this.saved(written.and_then(|()| pieces.save(name, media_type)));
        });
    }

    /// Saves all tables.
    pub fn save_report(&self, form: ReportForm) {
        let text = self.shown.with_untracked(|shown| form.write(&shown.tables));
        let (name, media_type) = form.file("tournament");
        self.saved(files::save(&name, media_type, text.as_bytes()));
    }

    fn saved(&self, result: Result<(), SaveError>) {
        if let Err(error) = result {
            self.problem.set(Some(format!("The file could not be saved: {error}.")));
        }
    }
}

/// Rows as a file has them.
fn lines(rows: &[GameRow]) -> String {
    rows.iter().map(|row| row.line() + "\n").collect()
}

//! Where questions are from: the sets that come with the app, files, games.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{Blindfold, GivenGames, MOST_DRAWN, ShippedSet};
use crate::{
    blindfold::{
        probe_set::{PrefixLengths, ProbeSet},
        published::Published,
        source::{BlindSource, SourceGames, published_set, read_source},
    },
    browser::{
        document::program,
        files::{self, FileBytes, ReadFileError},
        slices::Slices,
    },
    long_run::{count::several, lines::end_words},
    services::shipped,
    state::notices,
};

impl Blindfold {
    /// Fetches a set that comes with the app.
    pub fn take_shipped(&self, which: ShippedSet) {
        let Some(going) = self.preparing.begin() else { return };
        self.problem.set(None);
        self.notice.set(None);
        going.tell(0, 1, Some(format!("The {} set is fetched.", which.word())));
        let this = *self;
        spawn_local(async move {
            let path = which.path();
            let work = async {
                let bytes = shipped::fetch(&path, |_, _| ())
                    .await
                    .map_err(|error| format!("The {} set could not be fetched: {error}.", which.word()))?;
                let text = String::from_utf8_lossy(&bytes);
                ProbeSet::read_at(&text, &Slices::new())
                    .await
                    .map_err(|error| format!("The {} set cannot be used: {error}.", which.word()))
            };
            match going.unless_stopped(work).await {
                Some(Ok(set)) => {
                    going.end();
                    let said = format!("The {} set: {}.", which.word(), several(set.probes.len(), "probe"));
                    this.forget_sources();
                    this.take_set(set, said);
                }
                Some(Err(problem)) => {
                    going.end();
                    this.problem.set(Some(problem));
                }
                None => {}
            }
        });
    }

    /// Takes a file: a run, a set of questions, the authors' instances, or games.
    pub fn take_file(&self, file: Result<FileBytes, ReadFileError>) {
        self.problem.set(None);
        self.notice.set(None);
        let file = match file {
            Ok(file) => file,
            Err(error) => return self.problem.set(Some(format!("{error}."))),
        };
        let Some(going) = self.preparing.begin() else { return };
        going.tell(0, 1, Some(format!("{} is read.", file.name)));
        let this = *self;
        spawn_local(async move {
            let work = async {
                let pace = Slices::new();
                let found = file.text(&pace).await.map_err(|error| error.to_string())?;
                let before = this.published.get_value().1;
                let read = read_source(&found.text, before, this.set_seed.get_untracked(), &pace).await;
                let end = end_words(&found.text);
                let notice = found.notice_on(&file.name);
                read.map_err(|error| format!("{} cannot be used: {error}", file.name))
                    .map(|source| (source, end, notice))
            };
            match going.unless_stopped(work).await {
                Some(Ok((source, end, notice))) => {
                    going.end();
                    this.take_source(&file.name, source).await;
                    notices::add(this.notice, end);
                    notices::add(this.notice, notice);
                }
                Some(Err(problem)) => {
                    going.end();
                    this.problem.set(Some(format!("{problem}.").replace("..", ".")));
                }
                None => {}
            }
        });
    }

    async fn take_source(&self, name: &str, source: BlindSource) {
        match source {
            BlindSource::Run(run) => {
                let said = format!("{name}: {}.", several(run.rows.len(), "answer"));
                self.forget_sources();
                self.take_run(*run, said);
            }
            BlindSource::Set(set) => {
                let said = format!("{name}: {}.", several(set.probes.len(), "probe"));
                self.forget_sources();
                self.take_set(set, said);
            }
            BlindSource::Published(published) => self.take_published(name, published).await,
            BlindSource::Games(games) => {
                self.forget_sources();
                let name = name.to_owned();
                self.games.set_value(Some(GivenGames { name, games }));
                self.draw().await;
            }
        }
    }

    /// Both of the authors' files make one set, whichever comes first.
    async fn take_published(&self, name: &str, published: Published) {
        let mut names = self.published.get_value().0;
        names.retain(|known| known != name);
        names.push(name.to_owned());
        let set = published_set(&published, &names, program(), &Slices::new()).await;
        let said = format!(
            "{}: {} of the authors.",
            names.join(" and "),
            several(set.probes.len(), "instance")
        );
        self.forget_sources();
        self.published.set_value((names, published));
        self.take_set(set, said);
    }

    fn forget_sources(&self) {
        self.games.set_value(None);
        self.published.set_value((Vec::new(), Published::default()));
    }

    /// Changes the lengths, and draws anew where games are at hand and no run has begun.
    pub fn choose_lengths(&self, lengths: PrefixLengths) {
        self.lengths.set(lengths);
        self.draw_again();
    }

    /// The same with the seed.
    pub fn choose_seed(&self, seed: u64) {
        self.set_seed.set(seed);
        self.draw_again();
    }

    fn draw_again(&self) {
        if untrack(|| self.is_open()) && self.games.with_value(Option::is_some) {
            self.problem.set(None);
            // What is being drawn is of another choice.
            self.preparing.stop();
            let this = *self;
            spawn_local(async move { this.draw().await });
        }
    }

    /// Draws questions from the games.
    async fn draw(&self) {
        let Some(GivenGames { name, games }) = self.games.get_value() else {
            return;
        };
        let (lengths, seed) = (self.lengths.get_untracked(), self.set_seed.get_untracked());
        let Some(going) = self.preparing.begin() else { return };
        going.tell(0, 1, Some(format!("Questions are drawn from {name}.")));
        let pace = Slices::new();
        let work = games.probes(&name, program(), lengths, MOST_DRAWN, seed, &pace);
        let Some(set) = going.unless_stopped(work).await else {
            return;
        };
        going.end();
        if set.probes.is_empty() {
            self.problem.set(Some(format!(
                "Nothing can be asked about the games of {name} after {} to {} half-moves: choose other lengths, or give more games.",
                lengths.from, lengths.to
            )));
            return;
        }
        let said = format!("{name}: {}. {}", several(set.probes.len(), "probe"), offered(&games));
        self.take_set(set, said);
    }

    /// Saves the questions as a set.
    pub fn save_set(&self) {
        let of_run = || {
            self.answered.with_untracked(|run| {
                let run = run.as_ref()?;
                Some(ProbeSet {
                    header: run.header.set.clone(),
                    probes: run.probes.clone(),
                })
            })
        };
        if let Some(set) = self.waiting.get_untracked().or_else(of_run) {
            self.saved(files::save("probes.jsonl", "application/jsonl", set.text().as_bytes()));
        }
    }
}

/// What became of the games of a file.
fn offered(games: &SourceGames) -> String {
    let offered = games.offered;
    let left_out = [
        (offered.elsewhere, "from another position"),
        (offered.too_short, "too short"),
        (offered.too_long, "too long"),
        (offered.repeated, "there already"),
    ];
    let words: Vec<String> = left_out
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, why)| format!("{count} {why}"))
        .collect();
    let kept = format!("Of {} {} are kept", several(offered.games, "game"), games.games.len());
    match words.is_empty() {
        true => format!("{kept}."),
        false => format!("{kept}; {}.", words.join(", ")),
    }
}

//! Sets of annotated boards that are given, in whatever form; puzzles; and how much of one is in another.

use std::{cell::OnceCell, collections::VecDeque, sync::Arc};

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{super::model_run::ModelRun, annotating::Annotating};
use crate::{
    browser::{
        document::program,
        files::{FileBytes, ReadFileError},
        slices::Slices,
    },
    chessbench::{
        bag_record::BagKind,
        record::RecordSet,
        set_overlap::{KnownBoards, overlap_table},
        set_source::{read_bags_at, read_set_at},
    },
    grading::suite::puzzles::from_csv_at,
    long_run::{count::several, lines::end_words},
    pace::Pace,
    state::on_demand::on_demand,
    survey::analysis::table::Table,
};

/// The most bytes of a set's file that are read: what a page's memory has room for, twice.
pub const SET_LIMIT: usize = 256_000_000;

/// What a file is given as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GivenAs {
    /// The set that is learned from.
    Learned,
    /// The set that is tested on.
    Tested,
    /// Puzzles.
    Puzzles,
}

/// A set that is given.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenSet {
    /// The names of its files.
    pub name: String,
    /// Its boards.
    pub set: Arc<RecordSet>,
    /// Boards that were left out because their moves are not the legal ones.
    pub left_out: usize,
}

/// Puzzles that are given.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenPuzzles {
    /// The file's name.
    pub name: String,
    /// The positions with the solver to move.
    pub fens: Arc<Vec<String>>,
    /// Lines that are no puzzles.
    pub bad: usize,
}

/// The sets.
#[derive(Clone, Copy)]
pub struct Sets {
    annotating: Annotating,
    /// Files that wait to be read.
    queue: StoredValue<VecDeque<(GivenAs, FileBytes)>>,
    /// The files in the dataset's layout that make up the set learned from, and the one tested on.
    bags: StoredValue<[Vec<FileBytes>; 2]>,
    compared: StoredValue<u64>,
    /// How far reading is.
    pub reading: ModelRun,
    /// The set that is learned from.
    pub learned: RwSignal<Option<GivenSet>>,
    /// The set that is tested on.
    pub tested: RwSignal<Option<GivenSet>>,
    /// Puzzles.
    pub puzzles: RwSignal<Option<GivenPuzzles>>,
    /// How much of the tested ones is in the learned one.
    pub overlap: RwSignal<Option<Table>>,
    /// What failed, and what to do.
    pub problem: RwSignal<Option<String>>,
}

impl Sets {
    /// The one of the page.
    #[must_use]
    pub fn get() -> Self {
        thread_local! {
            static SETS: OnceCell<Sets> = const { OnceCell::new() };
        }
        let annotating = Annotating::get();
        on_demand(&SETS, |_| Self {
            annotating,
            queue: StoredValue::new(VecDeque::new()),
            bags: StoredValue::new([Vec::new(), Vec::new()]),
            compared: StoredValue::new(0),
            reading: ModelRun::default(),
            learned: RwSignal::new(None),
            tested: RwSignal::new(None),
            puzzles: RwSignal::new(None),
            overlap: RwSignal::new(None),
            problem: RwSignal::new(None),
        })
    }

    /// Takes a file; files in the dataset's layout that are given one after the other make up one set.
    pub fn take_file(&self, given_as: GivenAs, file: Result<FileBytes, ReadFileError>) {
        match file {
            Ok(file) => {
                self.problem.set(None);
                self.queue.update_value(|queue| queue.push_back((given_as, file)));
                self.read_all();
            }
            Err(error) => self.problem.set(Some(format!("{error}."))),
        }
    }

    /// Takes the boards that are annotated in this page.
    pub fn take_run(&self, given_as: GivenAs) {
        self.problem.set(None);
        let this = *self;
        spawn_local(async move {
            let pace = Slices::new();
            let Some(run) = this.annotating.copy(&pace).await else {
                return;
            };
            let set = run.set_at(&pace).await;
            this.forget_bags(given_as);
            this.put(given_as, "The run of this page".to_owned(), set, 0);
            this.compare().await;
        });
    }

    /// Forgets what was given.
    pub fn forget(&self) {
        self.reading.stop();
        self.queue.set_value(VecDeque::new());
        self.bags.set_value([Vec::new(), Vec::new()]);
        self.learned.set(None);
        self.tested.set(None);
        self.puzzles.set(None);
        self.overlap.set(None);
        self.problem.set(None);
    }

    /// Ends what is being read, and what waits for it.
    pub fn stop(&self) {
        self.queue.set_value(VecDeque::new());
        self.reading.stop();
    }

    fn read_all(&self) {
        let Some(going) = self.reading.begin() else { return };
        let this = *self;
        spawn_local(async move {
            while let Some((given_as, file)) = this.queue.try_update_value(VecDeque::pop_front).flatten() {
                let name = file.name.clone();
                going.tell(0, 1, Some(format!("{name} is read.")));
                let work = this.read(given_as, file);
                match going.unless_stopped(work).await {
                    Some(Ok(())) => {}
                    Some(Err(problem)) => {
                        let said = format!("{name} cannot be used: {problem}.");
                        this.problem.set(Some(said.replace("..", ".")));
                    }
                    None => return,
                }
            }
            going.tell(0, 1, Some("The sets are compared.".to_owned()));
            if going.unless_stopped(this.compare()).await.is_some() {
                going.end();
            }
        });
    }

    async fn read(&self, given_as: GivenAs, file: FileBytes) -> Result<(), String> {
        let pace = Slices::new();
        if given_as == GivenAs::Puzzles {
            let found = file.text(&pace).await.map_err(|error| error.to_string())?;
            let (puzzles, bad) = from_csv_at(&found.text, &pace)
                .await
                .map_err(|error| error.to_string())?;
            if puzzles.is_empty() {
                return Err("none of its lines is a puzzle".to_owned());
            }
            let mut fens = Vec::with_capacity(puzzles.len());
            for puzzle in puzzles {
                fens.push(puzzle.fen);
                pace.turn().await;
            }
            self.puzzles.set(Some(GivenPuzzles {
                name: file.name,
                fens: Arc::new(fens),
                bad,
            }));
            return Ok(());
        }
        if !file.name.ends_with(".bag") {
            let found = file.text(&pace).await.map_err(|error| error.to_string())?;
            let set = read_set_at(found.text.as_bytes(), &program(), &pace).await;
            let set = set.map_err(|error| error.to_string())?;
            self.forget_bags(given_as);
            if let Some(end) = end_words(&found.text) {
                self.problem.set(Some(format!("{}: {end}", file.name)));
            }
            self.put(given_as, file.name, set, 0);
            return Ok(());
        }
        let mut bags = self.bags.with_value(|bags| bags[place(given_as)].clone());
        bags.retain(|bag| bag.name != file.name);
        bags.push(file);
        // State values first: they alone have the boards in which the game is over, and so the boards' order.
        let order = [BagKind::StateValue, BagKind::BehavioralCloning, BagKind::ActionValue];
        bags.sort_by_key(|bag| {
            order
                .iter()
                .position(|kind| BagKind::of_file(&bag.name).is_some_and(|(of, _)| of == *kind))
                .unwrap_or(order.len())
        });
        let read = read_bags_at(bags.iter().map(|bag| &bag.bytes), &program(), &pace).await;
        let (set, left_out) = read.map_err(|error| match bags.len() {
            1 => error.to_string(),
            _ => format!("with the other .bag files of this set, {error}"),
        })?;
        let names: Vec<&str> = bags.iter().map(|bag| bag.name.as_str()).collect();
        let names = names.join(", ");
        self.bags.update_value(|all| all[place(given_as)] = bags);
        self.put(given_as, names, set, left_out);
        Ok(())
    }

    fn forget_bags(&self, given_as: GivenAs) {
        self.bags.update_value(|bags| bags[place(given_as)].clear());
    }

    fn put(&self, given_as: GivenAs, name: String, set: RecordSet, left_out: usize) {
        let given = GivenSet {
            name,
            set: Arc::new(set),
            left_out,
        };
        match given_as {
            GivenAs::Learned => self.learned.set(Some(given)),
            GivenAs::Tested => self.tested.set(Some(given)),
            GivenAs::Puzzles => {}
        }
    }

    /// Counts what is shared. Of two comparisons at once the later counts.
    async fn compare(&self) {
        let number = self.compared.try_update_value(|compared| {
            *compared += 1;
            *compared
        });
        let Some(learned) = self.learned.get_untracked() else {
            return;
        };
        let (tested, puzzles) = (self.tested.get_untracked(), self.puzzles.get_untracked());
        if tested.is_none() && puzzles.is_none() {
            return;
        }
        let pace = Slices::new();
        let known = KnownBoards::of_at(fens(&learned.set), &pace).await;
        let boards = match &tested {
            Some(tested) => Some(known.overlap_at(fens(&tested.set), &pace).await),
            None => None,
        };
        let puzzles = match &puzzles {
            Some(puzzles) => Some(known.overlap_at(puzzles.fens.iter().map(String::as_str), &pace).await),
            None => None,
        };
        if self.compared.try_get_value() == number {
            self.overlap.set(Some(overlap_table(boards, puzzles)));
        }
    }
}

fn fens(set: &RecordSet) -> impl Iterator<Item = &str> {
    set.records.iter().map(|record| record.fen.as_str())
}

/// The place of a set's files.
const fn place(given_as: GivenAs) -> usize {
    match given_as {
        GivenAs::Learned => 0,
        GivenAs::Tested | GivenAs::Puzzles => 1,
    }
}

impl GivenSet {
    /// What it is, in words.
    #[must_use]
    pub fn words(&self) -> String {
        let mut said = format!("{}: {}", self.name, several(self.set.records.len(), "board"));
        if self.left_out > 0 {
            said += &format!("; {} left out, whose moves are not the legal ones", self.left_out);
        }
        said + "."
    }
}

impl GivenPuzzles {
    /// What they are, in words.
    #[must_use]
    pub fn words(&self) -> String {
        let mut said = format!("{}: {}", self.name, several(self.fens.len(), "puzzle"));
        if self.bad > 0 {
            said += &format!("; {} are none", several(self.bad, "line"));
        }
        said + "."
    }
}

//! What models, the engine and the network say of the position on the board, one after the other.

use std::cell::OnceCell;

use leptos::prelude::*;
use shakmaty::{Chess, Move};
use wasm_bindgen_futures::spawn_local;

use super::super::{App, game_store::GameStore, model_run::ModelRun, on_demand::on_demand};
use super::{annotating::Annotating, sets::Sets};
use crate::{
    browser::{
        clock,
        files::{FileBytes, ReadFileError},
    },
    chessbench::{board::Board, model_rows::ModelRows, network_prediction::positions_after, record::ActionSearch},
    searchless::{SearchlessDescription, header::Target},
    services::{analysis::Services, annotator::Annotator, network::Network, searchless::Searchless},
    uci::Limit,
    view::{
        board::BoardView,
        searchless_prediction::{Measure, Opinion},
    },
};

/// The most bytes of a model's file that are read.
pub const MODEL_FILE_LIMIT: usize = 400_000_000;

/// Nodes of each of Stockfish's searches.
const NODES: u64 = 1_000;

/// A position with what was said of it so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Predicted {
    /// The position.
    pub position: Chess,
    /// As FEN.
    pub fen: String,
    /// Its legal moves in the order of actions.
    pub legal: Vec<Move>,
    /// What is said of them.
    pub opinions: Vec<Opinion>,
    /// How long models took, in sentences.
    pub times: Vec<String>,
}

/// Who is asked besides the models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    Shipped(Target),
    Own,
    Network,
    Engine,
}

/// Predictions of the position on the board.
#[derive(Clone, Copy)]
pub struct Predicting {
    game_store: GameStore,
    annotating: Annotating,
    sets: Sets,
    services: StoredValue<Services, LocalStorage>,
    models: StoredValue<Searchless, LocalStorage>,
    annotator: StoredValue<Option<Annotator>, LocalStorage>,
    /// How far it is.
    pub run: ModelRun,
    /// A model's file that is being read.
    pub loading: ModelRun,
    /// What was said last.
    pub predicted: RwSignal<Option<Predicted>>,
    /// Who could not be asked, and why.
    pub problems: RwSignal<Vec<String>>,
    /// Why a model's file was not taken.
    pub loading_problem: RwSignal<Option<String>>,
    /// The reader's own model.
    pub own: RwSignal<Option<SearchlessDescription>>,
    /// Whether Stockfish is asked.
    pub with_engine: RwSignal<bool>,
    /// Whether every new position is predicted.
    pub follows: RwSignal<bool>,
    /// The number of the opinion by which moves are sorted.
    pub by: RwSignal<usize>,
    /// The move whose distribution is shown, by its place; `None` for the best of the first opinion.
    pub place: RwSignal<Option<usize>>,
}

impl Predicting {
    /// The one of the page.
    #[must_use]
    pub fn get() -> Self {
        thread_local! {
            static PREDICTING: OnceCell<Predicting> = const { OnceCell::new() };
        }
        on_demand(&PREDICTING, |app| Self::new(&app))
    }

    fn new(app: &App) -> Self {
        Self {
            game_store: app.game_store,
            annotating: Annotating::get(),
            sets: Sets::get(),
            services: app.services,
            models: StoredValue::new_local(Searchless::default()),
            annotator: StoredValue::new_local(None),
            run: ModelRun::default(),
            loading: ModelRun::default(),
            predicted: RwSignal::new(None),
            problems: RwSignal::new(Vec::new()),
            loading_problem: RwSignal::new(None),
            own: RwSignal::new(None),
            with_engine: RwSignal::new(true),
            follows: RwSignal::new(false),
            by: RwSignal::new(0),
            place: RwSignal::new(None),
        }
    }

    /// The models in use, the app's and the reader's.
    pub(super) fn models(&self) -> Searchless {
        self.models.get_value()
    }

    /// The network in use.
    pub(super) fn network(&self) -> Network {
        self.services.with_value(|services| services.network.clone())
    }

    /// The board with the position on it, where moves can be played. Tracked.
    #[must_use]
    pub fn board(&self) -> BoardView {
        let last = self.game_store.played().map(|played| played.mv);
        BoardView::new(&self.game_store.position(), last, self.game_store.flipped.get(), true)
    }

    /// Whether what is shown is of another position than the one on the board. Tracked.
    #[must_use]
    pub fn is_of_another(&self) -> bool {
        let position = self.game_store.position();
        self.predicted
            .with(|predicted| predicted.as_ref().is_some_and(|own| own.position != position))
    }

    /// Asks everybody about the position on the board; what was under way ends.
    pub fn predict(&self) {
        self.stop();
        let Some(going) = self.run.begin() else { return };
        self.problems.set(Vec::new());
        let board = match Board::of_position(untrack(|| self.game_store.position())) {
            Ok(board) => board,
            Err(error) => return going.fail(format!("The models cannot read this position: {error}.")),
        };
        let legal: Vec<Move> = board.legal().into_iter().map(|(_, mv)| mv).collect();
        if legal.is_empty() {
            return going.fail("The game is over in this position: there is no move to predict.".to_owned());
        }
        self.place.set(None);
        self.predicted.set(Some(Predicted {
            position: board.position().clone(),
            fen: board.fen().to_owned(),
            legal,
            opinions: Vec::new(),
            times: Vec::new(),
        }));
        let mut asked: Vec<Asked> = Target::ALL.map(Asked::Shipped).to_vec();
        if self.own.with_untracked(Option::is_some) {
            asked.push(Asked::Own);
        }
        asked.push(Asked::Network);
        if self.with_engine.get_untracked() {
            asked.push(Asked::Engine);
        }
        let this = *self;
        spawn_local(async move {
            for (done, one) in asked.iter().enumerate() {
                going.tell(done, asked.len(), Some(one.said()));
                let Some(said) = going.unless_stopped(this.ask(*one, &board)).await else {
                    return;
                };
                match said {
                    Ok(opinions) => this.predicted.update(|predicted| {
                        if let Some(predicted) = predicted {
                            predicted.opinions.extend(opinions);
                        }
                    }),
                    Err(problem) => this.problems.update(|problems| problems.push(problem)),
                }
            }
            going.end();
        });
    }

    /// Ends it; what has come stays.
    pub fn stop(&self) {
        if self.run.is_asking_untracked() {
            self.run.stop();
        }
    }

    /// Takes a model's file, and asks it too from now on.
    pub fn take_model(&self, file: Result<FileBytes, ReadFileError>) {
        let FileBytes { name, bytes } = match file {
            Ok(file) => file,
            Err(error) => return self.loading_problem.set(Some(format!("{error}."))),
        };
        let Some(going) = self.loading.begin() else { return };
        // A file that was no set of boards may be the model.
        self.annotating.problem.set(None);
        self.sets.problem.set(None);
        self.loading_problem.set(None);
        going.tell(0, 1, Some(format!("{name} is read.")));
        let this = *self;
        let models = self.models.get_value();
        spawn_local(async move {
            let Some(loaded) = going.unless_stopped(models.load(&name, bytes)).await else {
                return;
            };
            going.end();
            match loaded {
                Ok(description) => {
                    this.own.set(Some(description));
                    this.predict();
                }
                Err(error) => this.loading_problem.set(Some(error.to_string())),
            }
        });
    }

    /// Asks the reader's own model no more.
    pub fn forget_own(&self) {
        self.own.set(None);
    }

    async fn ask(&self, asked: Asked, board: &Board) -> Result<Vec<Opinion>, String> {
        let models = self.models.get_value();
        match asked {
            Asked::Shipped(target) => {
                let description = models.shipped(target).await.map_err(|error| error.to_string())?;
                self.of_model(&models, target.short(), &description, board).await
            }
            Asked::Own => {
                let description = self.own.get_untracked().ok_or("No model of your own is loaded.")?;
                let name = match description.header.name.as_str() {
                    "" => "your model",
                    name => name,
                };
                self.of_model(&models, name, &description, board).await
            }
            Asked::Network => self.of_network(board).await,
            Asked::Engine => self.of_engine(board).await,
        }
    }

    async fn of_model(
        &self,
        models: &Searchless,
        name: &str,
        description: &SearchlessDescription,
        board: &Board,
    ) -> Result<Vec<Opinion>, String> {
        let failed = |error: &dyn std::fmt::Display| format!("{name}: {error}");
        let rows = ModelRows::new(&description.header, board.position()).map_err(|error| failed(&error))?;
        let begun = clock::now();
        let outputs = models.outputs(&description.sha256, rows.rows()).await;
        let millis = clock::now() - begun;
        let outputs = outputs.map_err(|error| failed(&error))?;
        let prediction = rows.prediction(&outputs).map_err(|error| failed(&error))?;
        let time = format!("{name} took {millis:.0} ms for {} rows", rows.rows().len());
        self.predicted.update(|predicted| {
            if let Some(predicted) = predicted {
                predicted.times.push(time);
            }
        });
        Ok(vec![Opinion::of_prediction(name, &prediction, rows.legal())])
    }

    /// The policy, and the value of the position after each move, turned round.
    async fn of_network(&self, board: &Board) -> Result<Vec<Opinion>, String> {
        let network = self.network();
        if !network.is_loaded() {
            return Err(
                "No network is loaded: choose one on the board page, and its policy and value stand here too."
                    .to_owned(),
            );
        }
        let position = board.position();
        let legal = board.legal();
        let all: Vec<Chess> = [position.clone()]
            .into_iter()
            .chain(positions_after(position))
            .collect();
        let outputs = network
            .evaluate(&all.iter().collect::<Vec<_>>(), board.mode())
            .await
            .map_err(|error| error.to_string())?;
        let [own, after @ ..] = &outputs[..] else {
            return Err("The network answered for fewer positions than were asked.".to_owned());
        };
        let share = |mv: Move| {
            let found = own.policy.iter().find(|(known, _)| *known == mv);
            found.map_or(0.0, |(_, share)| f64::from(*share))
        };
        let opinion = |name: &str, measure, figures| Opinion {
            name: name.to_owned(),
            measure,
            figures,
            bins: None,
            notes: Vec::new(),
        };
        Ok(vec![
            opinion(
                "network’s value",
                Measure::Chance,
                after
                    .iter()
                    .map(|output| 1.0 - f64::from(output.q.midpoint(1.0)))
                    .collect(),
            ),
            opinion(
                "network’s policy",
                Measure::Share,
                legal.iter().map(|(_, mv)| share(*mv)).collect(),
            ),
        ])
    }

    async fn of_engine(&self, board: &Board) -> Result<Vec<Opinion>, String> {
        // Taken out for the time: where this is stopped, the engine ends with it.
        let annotator = self.annotator.try_update_value(Option::take).flatten();
        let mut annotator = annotator.unwrap_or_else(Annotator::new);
        let found = annotator
            .annotate(board, Limit::Nodes(NODES), ActionSearch::EachMove)
            .await;
        let row = found.map_err(|error| format!("Stockfish could not annotate the position: {error}."))?;
        self.annotator.try_set_value(Some(annotator));
        let record = row.record().ok_or("Stockfish could not annotate the position.")?;
        let value = record
            .value
            .map(|value| format!("Stockfish gives the board itself {:.1} %.", 100.0 * value));
        Ok(vec![Opinion {
            name: "Stockfish".to_owned(),
            measure: Measure::Chance,
            figures: record.values(),
            bins: None,
            notes: value.into_iter().collect(),
        }])
    }
}

impl Asked {
    fn said(self) -> String {
        match self {
            Self::Shipped(target) => format!("{} is asked ({}).", target.short(), target.words()),
            Self::Own => "Your model is asked.".to_owned(),
            Self::Network => "The network is asked.".to_owned(),
            Self::Engine => format!("Stockfish searches each move, {NODES} nodes."),
        }
    }
}

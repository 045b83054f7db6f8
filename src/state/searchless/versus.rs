//! A game of the reader against a player of the reader's choice, on a board of its own. It is kept in the browser move by move.

use std::cell::OnceCell;

use leptos::prelude::*;
use shakmaty::{CastlingMode, Chess, Color, Outcome, Position};
use wasm_bindgen_futures::spawn_local;

use super::{
    super::{
        App,
        game_store::{GameStore, Step},
        model_run::ModelRun,
        on_demand::on_demand,
    },
    players::Players,
    predicting::Predicting,
};
use crate::{
    browser::{clock, files, location},
    chess::{
        game::{Game, NodeId},
        pgn_writer::write_pgn,
    },
    chessbench::policy::PolicyRules,
    searchless::header::Target,
    services::{
        contestants::{ContestantError, Contestants},
        saved_lines::SavedLines,
    },
    tournament::{
        contestant::Way,
        entrant::{Entrant, EntrantKind},
        fixture_game::{Ending, game_of},
        reader_game::ReaderGame,
        turn::Moved,
    },
    view::board::BoardView,
};

/// Where this browser keeps the game.
const SAVED_GAME: SavedLines = SavedLines::new("searchless-game");

/// The most nodes of a search.
pub const MOST_NODES: u64 = 1_000_000;

/// Nodes of each of Stockfish's searches to begin with.
const NODES: u64 = 1_000;

/// The game, and the form that begins one.
#[derive(Clone, Copy)]
pub struct Versus {
    page_board: GameStore,
    players: Players,
    contestants: StoredValue<Option<Contestants>, LocalStorage>,
    /// The game that the last one replaced.
    former: RwSignal<Option<ReaderGame>>,
    /// The board on which it is played; it stands at the last move.
    pub board: GameStore,
    /// The game.
    pub game: RwSignal<Option<ReaderGame>>,
    /// The opponent at work.
    pub run: ModelRun,
    /// What failed, and what to do.
    pub problem: RwSignal<Option<String>>,
    /// What was done.
    pub notice: RwSignal<Option<String>>,
    /// Whom to play.
    pub kind: RwSignal<EntrantKind>,
    /// Its skill or rating, where its kind has one.
    pub level: RwSignal<u64>,
    /// Nodes of each of its searches, where it searches.
    pub nodes: RwSignal<u64>,
    /// The switches of a model's policy.
    pub rules: RwSignal<PolicyRules>,
    /// Whether the reader has White.
    pub has_white: RwSignal<bool>,
    /// Whether the game begins in the position on the page's board.
    pub from_board: RwSignal<bool>,
}

impl Versus {
    /// The one of the page.
    #[must_use]
    pub fn get() -> Self {
        thread_local! {
            static VERSUS: OnceCell<Versus> = const { OnceCell::new() };
        }
        on_demand(&VERSUS, |app| Self::new(&app))
    }

    fn new(app: &App) -> Self {
        let players = Players {
            predicting: Predicting::get(),
            network: app.network,
            endpoint: app.endpoint,
        };
        Self {
            page_board: app.game_store,
            players,
            contestants: StoredValue::new_local(None),
            former: RwSignal::new(None),
            board: GameStore::new(),
            game: RwSignal::new(None),
            run: ModelRun::default(),
            problem: RwSignal::new(None),
            notice: RwSignal::new(None),
            kind: RwSignal::new(EntrantKind::Shipped(Target::ActionValue)),
            level: RwSignal::new(5),
            nodes: RwSignal::new(NODES),
            rules: RwSignal::new(PolicyRules::default()),
            has_white: RwSignal::new(true),
            from_board: RwSignal::new(false),
        }
    }

    /// Brings back the game that this browser keeps, once.
    pub fn restore(&self) {
        let this = *self;
        spawn_local(async move {
            let game = SAVED_GAME.find_once().await.and_then(|text| ReaderGame::read(&text));
            // The reader was quicker.
            let is_free =
                this.game.try_with_untracked(Option::is_none) == Some(true) && !this.run.is_asking_untracked();
            if let Some(game) = game.filter(|_| is_free) {
                this.put(game);
            }
        });
    }

    /// The board with the game on it, where the reader can move in turn. Tracked.
    #[must_use]
    pub fn view(&self) -> BoardView {
        let moves = self.asks(ReaderGame::is_readers_turn);
        let last = self.board.played().map(|played| played.mv);
        BoardView::new(&self.board.position(), last, self.board.flipped.get(), moves)
    }

    /// Whether something is so of the game, where there is one. Tracked.
    pub fn asks(&self, is_so: impl FnOnce(&ReaderGame) -> bool) -> bool {
        self.game.with(|game| game.as_ref().is_some_and(is_so))
    }

    /// Begins a game as the form says, in place of the one that is there.
    pub fn begin(&self) {
        self.stop();
        self.problem.set(None);
        self.notice.set(None);
        let root = match self.root() {
            Ok(root) => root,
            Err(problem) => return self.problem.set(Some(problem)),
        };
        let Some(going) = self.run.begin() else { return };
        let kind = self.kind.get_untracked();
        let entrant = Entrant::new(kind, self.level.get_untracked(), self.nodes.get_untracked());
        let reader = Color::from_white(self.has_white.get_untracked());
        let (rules, seed) = (self.rules.get_untracked(), clock::now().to_bits());
        going.tell(0, 1, Some(format!("{} gets ready.", entrant.name())));
        let this = *self;
        spawn_local(async move {
            let Some(found) = going.unless_stopped(this.players.contestant(entrant, rules)).await else {
                return;
            };
            going.end();
            match found {
                Ok(opponent) => {
                    this.former.set(this.game.get_untracked());
                    this.contestants
                        .try_update_value(|contestants| contestants.as_mut().map(Contestants::new_game));
                    this.put(ReaderGame::begin(opponent, reader, seed, root));
                    this.keep();
                    this.think();
                }
                Err(problem) => this.problem.set(Some(problem)),
            }
        });
    }

    /// The position in which the form's game begins.
    fn root(&self) -> Result<Chess, String> {
        if !self.from_board.get_untracked() {
            return Ok(Chess::default());
        }
        let (position, mode) = untrack(|| (self.page_board.position(), self.page_board.with_game(Game::mode)));
        if mode != CastlingMode::Standard {
            return Err("The position on the board is Chess960’s, which models have no symbols for.".to_owned());
        }
        if position.outcome() != Outcome::Unknown {
            return Err("The game is over in the position on the board: choose another one.".to_owned());
        }
        Ok(position)
    }

    /// Puts a game on the board.
    fn put(&self, game: ReaderGame) {
        self.board.flipped.set(game.reader.is_black());
        let (root, moves) = (game.game().root().clone(), game.game().moves().to_vec());
        // First the game: what is on the board is compared with it.
        self.game.set(Some(game));
        self.board.show(game_of(&root, &moves));
    }

    /// A drag or two clicks on the board.
    pub fn drag(&self, from: &str, to: &str) {
        if let (Ok(from), Ok(to)) = (from.parse(), to.parse())
            && untrack(|| self.asks(ReaderGame::is_readers_turn))
        {
            self.board.drag(from, to);
        }
    }

    /// Plays a move that was typed; `false` where it is refused.
    pub fn type_move(&self, text: &str) -> bool {
        if !untrack(|| self.asks(ReaderGame::is_readers_turn)) {
            let whose = match untrack(|| self.asks(ReaderGame::is_opponents_turn)) {
                true => "It is not your move.",
                false => "The game is over.",
            };
            self.board.move_problem.set(Some(whose.to_owned()));
            return false;
        }
        self.board.type_move(text)
    }

    /// Takes the move that the reader has made on the board, which now shows this place, and has the opponent answer.
    pub fn follow(&self, at: NodeId) {
        let made = untrack(|| self.board.played().map(|played| played.mv));
        let plies = untrack(|| self.board.with_game(|game| game.line_to(at).len()));
        let took = self.game.try_maybe_update(|game| {
            let taken = match (game, made) {
                (Some(game), Some(mv)) if game.is_readers_turn() && plies == game.game().moves().len() + 1 => {
                    game.play(mv, None)
                }
                _ => false,
            };
            (taken, taken)
        });
        if took == Some(true) {
            self.notice.set(None);
            self.keep();
            self.think();
        }
    }

    /// Has the opponent move, where it is its turn.
    pub fn think(&self) {
        let game = self.game.get_untracked().filter(ReaderGame::is_opponents_turn);
        let Some(game) = game else { return };
        let Some(going) = self.run.begin() else { return };
        self.problem.set(None);
        let name = game.opponent.name.clone();
        going.tell(0, 1, Some(format!("{name} is at work.")));
        let contestants = self.contestants.try_update_value(Option::take).flatten();
        let mut contestants = contestants.unwrap_or_else(|| self.players.contestants());
        contestants.connection = self.players.connection();
        let (this, players) = (*self, self.players);
        spawn_local(async move {
            let way = &game.opponent.way;
            let mut lots = game.lots();
            let finding = async {
                if matches!(way, Way::NetworkPolicy { .. } | Way::NetworkValue { .. }) {
                    // After a reload it is on its way still.
                    players.network_hash().await;
                }
                contestants.find_move(way, game.game(), &mut lots).await
            };
            // Where it is stopped, whatever works for it ends with it.
            let Some(found) = going.unless_stopped(finding).await else {
                return;
            };
            this.contestants.try_set_value(Some(contestants));
            going.end();
            match found {
                Ok(moved) => this.take(moved),
                Err(error) => this.problem.set(Some(no_move(&name, &error))),
            }
        });
    }

    fn take(&self, moved: Moved) {
        let mut played = None;
        self.game.update(|game| {
            let Some(game) = game else { return };
            match moved {
                Moved::Move(mv, opinion) => played = game.play(mv, opinion).then_some(mv),
                Moved::None(why) => game.lose(Ending::NoMove, why),
            }
        });
        if let Some(mv) = played {
            self.board.play(mv);
        }
        self.keep();
    }

    /// Ends the opponent's work; the game stays as it is.
    pub fn stop(&self) {
        if self.run.is_asking_untracked() {
            self.run.stop();
        }
    }

    /// Takes back the reader's last move, and the answer to it.
    pub fn take_back(&self) {
        self.change(|game| {
            game.take_back();
        });
    }

    /// The reader gives the game up.
    pub fn resign(&self) {
        self.change(|game| {
            if game.is_readers_turn() {
                game.lose(Ending::Resigned, String::new());
            }
        });
    }

    fn change(&self, change: impl FnOnce(&mut ReaderGame)) {
        self.stop();
        self.problem.set(None);
        let Some(mut game) = self.game.get_untracked() else {
            return;
        };
        change(&mut game);
        self.put(game);
        self.keep();
    }

    /// Whether another game was replaced. Tracked.
    #[must_use]
    pub fn has_former(&self) -> bool {
        self.former.with(Option::is_some)
    }

    /// Brings back the game that the last one replaced.
    pub fn bring_back(&self) {
        self.stop();
        let Some(former) = self.former.try_update(Option::take).flatten() else {
            return;
        };
        self.former.set(self.game.get_untracked());
        self.problem.set(None);
        self.put(former);
        self.keep();
    }

    fn pgn(&self) -> Option<String> {
        self.game
            .with_untracked(|game| Some(write_pgn(&game.as_ref()?.as_game())))
    }

    /// Saves the game as PGN.
    pub fn save(&self) {
        let Some(pgn) = self.pgn() else { return };
        match files::save("searchless-game.pgn", "application/x-chess-pgn", pgn.as_bytes()) {
            Ok(()) => self.notice.set(Some("Saved as searchless-game.pgn.".to_owned())),
            Err(error) => self.problem.set(Some(format!("The game was not saved: {error}."))),
        }
    }

    /// Opens the game on the board page, in place of what is there; there it can be had back.
    pub fn analyse(&self) {
        let Some(pgn) = self.pgn() else { return };
        if self.page_board.paste(&pgn) {
            self.page_board.step(Step::Last);
            // Without an address: one that the board has not shown yet would be opened in the game's place.
            location::go("#");
        }
    }

    /// Keeps the game in this browser.
    fn keep(&self) {
        let Some(line) = self.game.with_untracked(|game| game.as_ref().map(ReaderGame::line)) else {
            return;
        };
        let this = *self;
        spawn_local(async move {
            if SAVED_GAME.keep_head(&line).await.is_err() {
                let said = "This browser keeps nothing: after a reload the game is gone, unless you save it.";
                this.notice.try_set(Some(said.to_owned()));
            }
        });
    }
}

/// What is said where the opponent could not be asked.
fn no_move(name: &str, error: &ContestantError) -> String {
    let said = error.to_string();
    format!("{name} has no move: {}. You can ask again.", said.trim_end_matches('.'))
}

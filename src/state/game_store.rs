//! The open game, and the place in it that is looked at; the games it was pasted with.

use std::{collections::HashMap, pin::pin, sync::Arc};

use futures_channel::oneshot;
use futures_util::future::{Either, select};
use leptos::prelude::*;
use shakmaty::{Chess, Move, Role, Square};
use wasm_bindgen_futures::spawn_local;

use super::lookahead::Outlook;
use crate::{
    browser::{clock, location, slices::Slices, storage},
    chess::{
        Played,
        game::{Game, NodeId},
        link::Link,
        pasted::{Pasted, PastedError, read_pasted, read_pasted_at},
        pgn_problem::ProblemKind,
        pgn_writer::write_pgn,
        typed_move::read_typed,
    },
    pace::Pace,
    view::{
        board::{Dragged, dragged},
        game_titles::GameTitle,
    },
};

/// A pawn move that waits for its piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromotionChoice {
    /// The choices, queen first.
    pub choices: Vec<(Role, Move)>,
    /// Where the pawn arrives.
    pub square: Square,
    /// Whose pawn.
    pub white: bool,
}

/// The position looked at, and the move that led there.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Here {
    position: Chess,
    played: Option<Played>,
}

impl Here {
    fn of(game: &Game, at: NodeId) -> Self {
        let played = game.played(at);
        Self {
            position: match &played {
                Some(played) => played.after.clone(),
                None => game.position(at).unwrap_or_else(|| game.root().clone()),
            },
            played,
        }
    }
}

/// Games that were open together, and the place that was looked at.
#[derive(Debug, Clone)]
struct Shelf {
    games: Vec<Game>,
    titles: Arc<[GameTitle]>,
    chosen: usize,
    at: NodeId,
    flipped: bool,
    text: Option<Arc<str>>,
    visited: Visited,
}

/// The places that the page's address has shown, by the game's index: the browser's Back and Forward lead to them.
type Visited = HashMap<String, (usize, NodeId)>;

/// The game and the place in it.
#[derive(Clone, Copy)]
pub struct GameStore {
    /// All games of the last paste; the open one is at `chosen`.
    games: RwSignal<Vec<Game>>,
    chosen: RwSignal<usize>,
    at: RwSignal<NodeId>,
    /// What is there, found once for all that ask: a long line takes a while to replay. Made with the first question.
    here: StoredValue<Option<Memo<Here>>>,
    owner: StoredValue<Option<Owner>>,
    /// What the games are called.
    pub titles: RwSignal<Arc<[GameTitle]>>,
    /// What was open before the last paste, the latest last.
    earlier: RwSignal<Vec<Shelf>>,
    /// What was undone.
    later: StoredValue<Vec<Shelf>>,
    /// The text of several games, or of one that is long: what the tab keeps of those that are not open.
    text: StoredValue<Option<Arc<str>>>,
    visited: StoredValue<Visited>,
    /// What the address shows, and since when.
    shown: StoredValue<Option<(String, f64)>>,
    /// Other games were opened since: a step of the browser's history, however fast it came.
    reopened: StoredValue<bool>,
    /// True when Black is at the bottom.
    pub flipped: RwSignal<bool>,
    /// What was repaired or left out when reading; sentences.
    pub notices: RwSignal<Vec<String>>,
    /// A long text is being read. Dropping what is in `reading_stop` ends that.
    pub reading: RwSignal<bool>,
    reading_stop: StoredValue<Option<oneshot::Sender<()>>>,
    /// Why the last paste was refused.
    pub paste_problem: RwSignal<Option<String>>,
    /// Why the last typed move was refused.
    pub move_problem: RwSignal<Option<String>>,
    /// A promotion that waits for its piece.
    pub promotion: RwSignal<Option<PromotionChoice>>,
}

/// How a link says which side is at the bottom; one without it shows the board from the mover's side.
const WHITE_BELOW: &str = "view=white";
const BLACK_BELOW: &str = "view=black";

/// Under what name a tab keeps its game.
const GAME: &str = "kibitz-game";
/// The address that was shown with it.
const ADDRESS: &str = "kibitz-address";
/// And the text of all games, where there are several, with the number of the open one: in how many pieces it is kept, each
/// under this name and its number.
const GAMES: &str = "kibitz-games";
const CHOSEN: &str = "kibitz-chosen";
/// A game with more moves than this, variations included, is not kept: writing it down would hold up the page.
const MOST_KEPT: usize = 2000;
/// Nor is one with longer comments, in bytes.
const MOST_COMMENTS: usize = 100_000;
/// A game with more moves is written down after the page has answered.
const MOST_KEPT_AT_ONCE: usize = 100;
/// The text of games is kept in pieces of so many bytes, between which the page answers: browsers take it while it waits.
const PIECE: usize = 200_000;
/// So many replaced sets of games can be had back.
const MOST_EARLIER: usize = 8;
/// Positions that follow each other faster than this, in milliseconds, are one step of the browser's history: browsers
/// count steps, and refuse too many.
const STEP: f64 = 100.0;

impl GameStore {
    /// With the start position.
    #[must_use]
    pub fn new() -> Self {
        Self {
            games: RwSignal::new(vec![Game::new(Chess::default(), shakmaty::CastlingMode::Standard)]),
            chosen: RwSignal::new(0),
            at: RwSignal::new(NodeId::ROOT),
            here: StoredValue::new(None),
            owner: StoredValue::new(Owner::current()),
            titles: RwSignal::new(Arc::new([GameTitle::default()])),
            earlier: RwSignal::new(Vec::new()),
            later: StoredValue::new(Vec::new()),
            text: StoredValue::new(None),
            visited: StoredValue::new(HashMap::new()),
            shown: StoredValue::new(None),
            reopened: StoredValue::new(false),
            flipped: RwSignal::new(false),
            notices: RwSignal::new(Vec::new()),
            reading: RwSignal::new(false),
            reading_stop: StoredValue::new(None),
            paste_problem: RwSignal::new(None),
            move_problem: RwSignal::new(None),
            promotion: RwSignal::new(None),
        }
    }

    /// Reads the game; tracked.
    pub fn with_game<T>(&self, read: impl FnOnce(&Game) -> T) -> T {
        let chosen = self.chosen.get();
        // `chosen` is an index that only `choose` and `open` set, both within bounds.
        self.games.with(|games| read(&games[chosen]))
    }

    /// The place looked at; tracked.
    #[must_use]
    pub fn at(&self) -> NodeId {
        self.at.get()
    }

    fn here(&self) -> Memo<Here> {
        if let Some(here) = self.here.get_value() {
            return here;
        }
        let this = *self;
        let make = || Memo::new(move |_| this.with_game(|game| Here::of(game, this.at())));
        let here = self.owner.with_value(|owner| match owner {
            Some(owner) => owner.with(make),
            None => make(),
        });
        self.here.set_value(Some(here));
        here
    }

    /// The position there; tracked.
    #[must_use]
    pub fn position(&self) -> Chess {
        self.here().with(|here| here.position.clone())
    }

    /// The move that led there; `None` at the start. Tracked.
    #[must_use]
    pub fn played(&self) -> Option<Played> {
        self.here().with(|here| here.played.clone())
    }

    /// The position there, and how the game goes on; tracked.
    #[must_use]
    pub fn outlook(&self) -> Outlook {
        let at = self.at();
        let (position, history) = self.here().with(|here| {
            let history = here.played.as_ref().map(|played| {
                let mut history = played.history.clone();
                history.push(played.before.clone());
                history
            });
            (here.position.clone(), history.unwrap_or_default())
        });
        self.with_game(|game| Outlook {
            position,
            mode: game.mode(),
            history,
            next: game.children(at).first().and_then(|next| game.mv(*next)),
        })
    }

    /// Which of the games is open; tracked.
    #[must_use]
    pub fn chosen(&self) -> usize {
        self.chosen.get()
    }

    /// What the open game is called; tracked.
    #[must_use]
    pub fn title(&self) -> GameTitle {
        let chosen = self.chosen.get();
        self.titles
            .with(|titles| titles.get(chosen).cloned().unwrap_or_default())
    }

    /// Reads what was pasted, if it is short; for what may be long there is [`read`](Self::read). On success it replaces the
    /// game; otherwise everything stays and [`paste_problem`](Self::paste_problem) says why. True on success.
    pub fn paste(&self, text: &str) -> bool {
        self.stop_reading();
        self.put(text, read_pasted(text).map(|pasted| (titles(&pasted.games), pasted)))
    }

    /// Reads what was pasted, in slices between which the page answers. As [`paste`](Self::paste); `None` where it was
    /// stopped, or where something else was pasted meanwhile.
    pub async fn read(&self, text: &str) -> Option<bool> {
        self.stop_reading();
        let (sender, stopped) = oneshot::channel();
        self.reading_stop.set_value(Some(sender));
        self.reading.set(true);
        let reading = async {
            let pace = Slices::new();
            let pasted = read_pasted_at(text, &pace).await?;
            let mut titles = Vec::with_capacity(pasted.games.len());
            for game in &pasted.games {
                titles.push(GameTitle::of(game));
                pace.turn().await;
            }
            // To show them takes a slice of its own.
            pace.rest().await;
            Ok((titles, pasted))
        };
        let Either::Left((read, _)) = select(pin!(reading), stopped).await else {
            return None;
        };
        self.stop_reading();
        Some(self.put(text, read))
    }

    /// Ends the reading of a long text; what was open stays.
    pub fn stop_reading(&self) {
        self.reading_stop.set_value(None);
        self.reading.set(false);
    }

    fn put(&self, text: &str, read: Result<(Vec<GameTitle>, Pasted), PastedError>) -> bool {
        match read {
            Ok((titles, pasted)) => {
                // What is too long to be written down again at each move is kept as it came.
                let is_kept = pasted.games.len() > 1 || text.len() > MOST_COMMENTS;
                self.put_games(titles, pasted, is_kept.then(|| Arc::from(text)));
                true
            }
            Err(error) => {
                self.refuse(error.to_string());
                false
            }
        }
    }

    /// What was given to be read is refused: says why, in place of what was said of an earlier input.
    pub fn refuse(&self, reason: String) {
        self.silence();
        self.paste_problem.set(Some(reason));
    }

    /// Takes back what was said of the last input.
    fn silence(&self) {
        self.paste_problem.set(None);
        self.move_problem.set(None);
        self.notices.set(Vec::new());
    }

    fn put_games(&self, titles: Vec<GameTitle>, pasted: Pasted, text: Option<Arc<str>>) {
        let notices = notices(&pasted);
        let Pasted { games, at, .. } = pasted;
        let Some(first) = games.first() else { return };
        let mover = first
            .played(at)
            .map_or_else(|| shakmaty::Position::turn(first.root()), |played| played.mover());
        let replaced = self.open(Shelf {
            chosen: 0,
            at,
            flipped: mover.is_black(),
            text,
            visited: HashMap::new(),
            titles: titles.into(),
            games,
        });
        self.keep_earlier(replaced);
        self.later.set_value(Vec::new());
        self.notices.set(notices);
    }

    /// Opens what is on a shelf; what was open before.
    fn open(&self, shelf: Shelf) -> Shelf {
        let Shelf {
            games,
            titles,
            chosen,
            at,
            flipped,
            text,
            visited,
        } = shelf;
        self.silence();
        self.promotion.set(None);
        let old_titles = self.titles.try_update(|old| std::mem::replace(old, titles));
        self.reopened.set_value(true);
        // What was kept is no longer what is open.
        storage::write_in_tab(GAMES, "");
        storage::write_in_tab(CHOSEN, &chosen.to_string());
        if let Some(text) = &text {
            self.keep_text(Arc::clone(text));
        }
        let (old_chosen, old_at) = (self.chosen.get_untracked(), self.at.get_untracked());
        let old_flipped = self.flipped.get_untracked();
        let old_text = self.text.try_update_value(|old| std::mem::replace(old, text));
        let old_visited = self.visited.try_update_value(|old| std::mem::replace(old, visited));
        self.chosen.set(0);
        let old_games = self.games.try_update(|old| std::mem::replace(old, games));
        self.chosen.set(chosen);
        self.at.set(at);
        self.flipped.set(flipped);
        Shelf {
            games: old_games.unwrap_or_default(),
            titles: old_titles.unwrap_or_else(|| Arc::new([])),
            chosen: old_chosen,
            at: old_at,
            flipped: old_flipped,
            text: old_text.flatten(),
            visited: old_visited.unwrap_or_default(),
        }
    }

    /// Keeps the text of the games that are open, piece by piece, unless others are opened meanwhile.
    fn keep_text(&self, text: Arc<str>) {
        let this = *self;
        spawn_local(async move {
            let mut count = 0;
            for piece in pieces(&text) {
                clock::yield_to_browser().await;
                let is_open = this
                    .text
                    .try_with_value(|now| now.as_ref().is_some_and(|now| Arc::ptr_eq(now, &text)));
                if is_open != Some(true) || !storage::write_in_tab(&piece_name(count), piece) {
                    return;
                }
                count += 1;
            }
            storage::write_in_tab(GAMES, &count.to_string());
        });
    }

    fn keep_earlier(&self, shelf: Shelf) {
        // The board of a page that was just opened is nothing to go back to.
        if shelf
            .games
            .iter()
            .all(|game| game.is_empty() && *game.root() == Chess::default())
        {
            return;
        }
        self.earlier.update(|earlier| {
            earlier.push(shelf);
            let surplus = earlier.len().saturating_sub(MOST_EARLIER);
            earlier.drain(..surplus);
        });
    }

    /// What [`undo`](Self::undo) brings back, in words; `None` where nothing was replaced. Tracked.
    #[must_use]
    pub fn undoable(&self) -> Option<String> {
        self.earlier.with(|earlier| {
            let shelf = earlier.last()?;
            let several = shelf.games.len();
            let title = shelf.titles.get(shelf.chosen).cloned().unwrap_or_default();
            Some(match (title.players(), several) {
                (_, 2..) => format!("the {several} games"),
                (players, _) if players.is_empty() => "what was here".to_owned(),
                (players, _) => players,
            })
        })
    }

    /// Brings back what the last paste replaced.
    pub fn undo(&self) {
        if let Some(Some(shelf)) = self.earlier.try_update(Vec::pop) {
            let undone = self.open(shelf);
            self.later.update_value(|later| later.push(undone));
        }
    }

    /// Shows another game at its end, on a board whose games nobody pastes and the tab does not keep.
    pub fn show(&self, game: Game) {
        self.move_problem.set(None);
        self.promotion.set(None);
        self.at.set(NodeId::ROOT);
        self.chosen.set(0);
        let end = game.end_of_line(NodeId::ROOT);
        self.games.set(vec![game]);
        self.at.set(end);
    }

    fn with_game_untracked<T>(&self, read: impl FnOnce(&Game) -> T) -> T {
        let chosen = self.chosen.get_untracked();
        self.games.with_untracked(|games| read(&games[chosen]))
    }

    /// Opens another game of the last paste.
    pub fn choose(&self, index: usize) {
        if index < self.games.with_untracked(Vec::len) {
            self.promotion.set(None);
            self.at.set(NodeId::ROOT);
            self.chosen.set(index);
            storage::write_in_tab(CHOSEN, &index.to_string());
        }
    }

    /// A drag or two clicks on the board.
    pub fn drag(&self, from: Square, to: Square) {
        let position = untrack(|| self.position());
        match dragged(&position, from, to) {
            Dragged::Move(mv) => self.play(mv),
            Dragged::Promotion(choices) => self.promotion.set(Some(PromotionChoice {
                choices,
                square: to,
                white: shakmaty::Position::turn(&position).is_white(),
            })),
            Dragged::Nothing => {}
        }
    }

    /// Chooses the piece of a waiting promotion, or gives the move up.
    pub fn promote(&self, mv: Option<Move>) {
        self.promotion.set(None);
        if let Some(mv) = mv {
            self.play(mv);
        }
    }

    /// Plays a legal move and goes there.
    pub fn play(&self, mv: Move) {
        let (at, chosen) = (self.at.get_untracked(), self.chosen.get_untracked());
        let played = self.games.try_update(|games| games[chosen].play(at, mv));
        match played {
            Some(Ok(node)) => {
                self.paste_problem.set(None);
                self.move_problem.set(None);
                self.at.set(node);
            }
            Some(Err(error)) => self.move_problem.set(Some(error.to_string())),
            None => {}
        }
    }

    /// Plays a typed move. True when it was understood.
    pub fn type_move(&self, text: &str) -> bool {
        let (position, mode) = untrack(|| (self.position(), self.with_game(Game::mode)));
        match read_typed(&position, mode, text) {
            Ok(mv) => {
                self.play(mv);
                true
            }
            Err(error) => {
                self.silence();
                self.move_problem.set(Some(error.to_string()));
                false
            }
        }
    }

    /// Plays moves one after another from the position before the discussed move, as a chip does.
    pub fn play_path(&self, path: &[shakmaty::uci::UciMove]) {
        let Some(parent) = self.with_game_untracked(|game| game.parent(self.at.get_untracked())) else {
            return;
        };
        self.at.set(parent);
        for step in path {
            let position = untrack(|| self.position());
            let Ok(mv) = step.to_move(&position) else { return };
            self.play(mv);
        }
    }

    /// Goes to a place.
    pub fn go(&self, node: NodeId) {
        if self.with_game_untracked(|game| game.contains(node)) {
            self.promotion.set(None);
            self.at.set(node);
        }
    }

    /// Goes a step. False where there is nothing to go to.
    pub fn step(&self, step: Step) -> bool {
        let at = self.at.get_untracked();
        let target = self.with_game_untracked(|game| match step {
            Step::First => Some(NodeId::ROOT),
            Step::Back => game.parent(at),
            Step::Forward => game.main_child(at),
            Step::Last => {
                let mut node = at;
                while let Some(next) = game.main_child(node) {
                    node = next;
                }
                Some(node)
            }
            Step::NextVariation => game.next_sibling(at),
            Step::PreviousVariation => game.prev_sibling(at),
        });
        let target = target.filter(|t| *t != at);
        if let Some(target) = target {
            self.go(target);
        }
        target.is_some()
    }

    /// The hash of the link to what is shown, the side at the bottom included; tracked.
    #[must_use]
    pub fn address(&self) -> String {
        let at = self.at();
        let link = self.with_game(|game| Link::of(game, at)).to_hash();
        format!("{link}&{}", if self.flipped.get() { BLACK_BELOW } else { WHITE_BELOW })
    }

    /// Shows in the page's address what is looked at. Another position is another step of the browser's history. Tracked.
    pub fn show_address(&self) {
        let address = self.address();
        let place = (self.chosen.get_untracked(), self.at.get_untracked());
        let link = link_of(&address).to_owned();
        self.visited.update_value(|visited| {
            visited.insert(link.clone(), place);
        });
        let now = clock::now();
        let reopened = self.reopened.try_update_value(std::mem::take).unwrap_or_default();
        let moved = self.shown.with_value(|shown| {
            shown
                .as_ref()
                .is_some_and(|(old, since)| *old != link && (reopened || now - since > STEP))
        });
        // After Back the address is there before the position.
        if moved && link_of(&location::hash()) != link {
            location::push_hash(&address);
        } else {
            location::replace_hash(&address);
        }
        self.shown.set_value(Some((link, now)));
        // As the browser spells it.
        storage::write_in_tab(ADDRESS, &location::hash());
    }

    /// Restores what the page's address names, if it names anything. True when it did.
    pub fn restore(&self) -> bool {
        let hash = location::hash();
        let kept = SavedGames::read();
        let restored = names_a_place(&hash) && self.paste(&hash);
        if restored {
            // Another address is a link that somebody followed: it shows what it says and no more.
            if kept.address.as_deref() == Some(&hash) {
                self.take_up(kept);
            }
            self.turn_as(&hash);
        }
        restored
    }

    /// Goes where the address leads by now, as Back, Forward or a link have changed it: to a place that was looked at
    /// before, in these games or in those that they replaced, or else to what it names.
    pub fn follow_address(&self) {
        let hash = location::hash();
        if !names_a_place(&hash)
            || self
                .shown
                .with_value(|shown| shown.as_ref().is_some_and(|(link, _)| *link == link_of(&hash)))
        {
            return;
        }
        let place = |visited: &Visited| visited.get(link_of(&hash)).copied();
        if let Some((game, node)) = self.visited.with_value(place) {
            if self.chosen.get_untracked() != game {
                self.choose(game);
            }
            self.go(node);
        } else if let Some(index) = self
            .earlier
            .with_untracked(|all| all.iter().rposition(|shelf| place(&shelf.visited).is_some()))
        {
            // Whatever lies between is kept behind it.
            while self.earlier.with_untracked(Vec::len) > index {
                self.undo();
            }
            self.follow_address();
        } else if let Some(shelf) = self
            .later
            .try_update_value(|later| {
                let at = later.iter().rposition(|shelf| place(&shelf.visited).is_some())?;
                Some(later.remove(at))
            })
            .flatten()
        {
            let replaced = self.open(shelf);
            self.keep_earlier(replaced);
            self.follow_address();
        } else {
            self.paste(&hash);
        }
        self.turn_as(&hash);
    }

    /// Turns the board as a link says.
    fn turn_as(&self, hash: &str) {
        let named = |side: &str| hash.split('&').any(|part| part == side);
        if named(WHITE_BELOW) || named(BLACK_BELOW) {
            self.flipped.set(named(BLACK_BELOW));
        }
    }

    /// Keeps the game for a page that is loaded again: its address holds the moves up to the one looked at, and no more.
    /// Tracked.
    pub fn keep(&self) {
        if self.with_game(Game::len) <= MOST_KEPT_AT_ONCE {
            return self.write_down();
        }
        // Until then nothing is kept: not the game that was open before.
        storage::write_in_tab(GAME, "");
        let this = *self;
        spawn_local(async move {
            clock::yield_to_browser().await;
            this.write_down();
        });
    }

    fn write_down(&self) {
        let is_short = |game: &Game| game.len() <= MOST_KEPT && game.comment_bytes() <= MOST_COMMENTS;
        let pgn = self.with_game_untracked(|game| is_short(game).then(|| write_pgn(game)));
        // Without room for it the address alone comes back.
        storage::write_in_tab(GAME, &pgn.unwrap_or_default());
    }

    /// Puts the kept game round the line of the page's address, if that line is in it, and the other games of its file
    /// beside it. A file is read in slices, and given up for whatever is pasted meanwhile.
    fn take_up(&self, kept: SavedGames) {
        let Some(text) = kept.games.filter(|text| !text.is_empty()).map(Arc::<str>::from) else {
            return self.take_up_with(kept.game, kept.chosen, None);
        };
        // The address alone was opened since: a page that is left before the file is read finds it here again.
        storage::write_in_tab(GAMES, &kept.pieces.to_string());
        storage::write_in_tab(CHOSEN, &kept.chosen.to_string());
        let this = *self;
        let (sender, stopped) = oneshot::channel();
        self.reading_stop.set_value(Some(sender));
        spawn_local(async move {
            let pace = Slices::new();
            let reading = pin!(read_pasted_at(&text, &pace));
            if let Either::Left((read, _)) = select(reading, stopped).await {
                this.stop_reading();
                let file = read.ok().map(|pasted| (pasted.games, Arc::clone(&text)));
                this.take_up_with(kept.game, kept.chosen, file);
            }
        });
    }

    fn take_up_with(&self, game: Option<String>, chosen: usize, file: Option<(Vec<Game>, Arc<str>)>) {
        let game = game.filter(|pgn| !pgn.is_empty());
        let game = game.and_then(|pgn| read_pasted(&pgn).ok()?.games.into_iter().next());
        let Some(game) = game.or_else(|| file.as_ref()?.0.get(chosen).cloned()) else {
            return;
        };
        let at = self.at.get_untracked();
        let Some(at) = self.with_game_untracked(|line| game.place_of(line, at)) else {
            return;
        };
        let flipped = self.flipped.get_untracked();
        let (games, chosen, text) = match file {
            Some((mut games, text)) if chosen < games.len() => {
                games[chosen] = game;
                (games, chosen, Some(text))
            }
            _ => (vec![game], 0, None),
        };
        self.open(Shelf {
            titles: titles(&games).into(),
            games,
            chosen,
            at,
            flipped,
            text,
            visited: HashMap::new(),
        });
    }
}

fn titles(games: &[Game]) -> Vec<GameTitle> {
    games.iter().map(GameTitle::of).collect()
}

/// What the tab keeps of the games that it had open.
struct SavedGames {
    address: Option<String>,
    game: Option<String>,
    games: Option<String>,
    /// In how many pieces the games were kept.
    pieces: usize,
    chosen: usize,
}

impl SavedGames {
    fn read() -> Self {
        let number = |name| storage::read_in_tab(name).and_then(|number| number.parse::<usize>().ok());
        let chosen = number(CHOSEN);
        let pieces = number(GAMES).unwrap_or_default();
        Self {
            address: storage::read_in_tab(ADDRESS),
            game: storage::read_in_tab(GAME),
            games: (0..pieces).map(|at| storage::read_in_tab(&piece_name(at))).collect(),
            pieces,
            chosen: chosen.unwrap_or_default(),
        }
    }
}

fn piece_name(number: usize) -> String {
    format!("{GAMES}-{number}")
}

/// A text in pieces of [`PIECE`] bytes, or up to three fewer.
fn pieces(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let (piece, rest) = text.split_at(text.floor_char_boundary(PIECE));
        text = rest;
        (!piece.is_empty()).then_some(piece)
    })
}

/// Whether an address names a position rather than a page.
fn names_a_place(hash: &str) -> bool {
    hash.len() > 1 && !hash.starts_with("#/")
}

/// An address without the side at the bottom.
fn link_of(hash: &str) -> &str {
    hash.split("&view=").next().unwrap_or(hash)
}

impl Default for GameStore {
    fn default() -> Self {
        Self::new()
    }
}

/// A step in the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// To the start.
    First,
    /// One move back.
    Back,
    /// One move on, along the main line.
    Forward,
    /// To the end of the line.
    Last,
    /// To the alternative listed next.
    NextVariation,
    /// To the alternative listed before.
    PreviousVariation,
}

/// What was repaired and what could not be read, as sentences; of many, the first few.
fn notices(pasted: &Pasted) -> Vec<String> {
    const SHOWN: usize = 5;
    let several = pasted.games.len() > 1;
    let repairs = pasted.repairs.iter().map(|(game, repair)| match several {
        true => format!("Game {}: {repair}", game + 1),
        false => repair.to_string(),
    });
    let problems = pasted.problems.iter().map(|problem| match several {
        _ if matches!(problem.kind, ProblemKind::Position(_)) => format!("Line {}: {}", problem.line, problem.kind),
        true => format!("Game {}: {}", problem.game, problem.said()),
        false => problem.said(),
    });
    let mut all: Vec<String> = repairs.chain(problems).collect();
    let hidden = all.len().saturating_sub(SHOWN) + pasted.more_problems;
    all.truncate(SHOWN);
    if hidden > 0 {
        all.push(format!("And {hidden} more."));
    }
    all
}

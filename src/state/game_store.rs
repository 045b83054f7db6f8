//! The open game, and the place in it that is looked at; the games it was pasted with.

use leptos::prelude::*;
use shakmaty::{Chess, Move, Role, Square};

use crate::{
    browser::{location, storage},
    chess::{
        Played,
        game::{Game, NodeId},
        link::Link,
        notation::read_move,
        pasted::{Pasted, read_pasted},
        pgn_writer::write_pgn,
    },
    view::board::{Dragged, dragged},
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

/// The game and the place in it.
#[derive(Clone, Copy)]
pub struct GameStore {
    /// All games of the last paste; the open one is at `chosen`.
    games: RwSignal<Vec<Game>>,
    chosen: RwSignal<usize>,
    at: RwSignal<NodeId>,
    /// True when Black is at the bottom.
    pub flipped: RwSignal<bool>,
    /// What was repaired or left out when reading; sentences.
    pub notices: RwSignal<Vec<String>>,
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
/// And the address that was shown with it.
const ADDRESS: &str = "kibitz-address";
/// A game with more moves than this, variations included, is not kept: writing it down would hold up the page.
const MOST_KEPT: usize = 2000;

impl GameStore {
    /// With the start position.
    #[must_use]
    pub fn new() -> Self {
        Self {
            games: RwSignal::new(vec![Game::new(Chess::default(), shakmaty::CastlingMode::Standard)]),
            chosen: RwSignal::new(0),
            at: RwSignal::new(NodeId::ROOT),
            flipped: RwSignal::new(false),
            notices: RwSignal::new(Vec::new()),
            paste_problem: RwSignal::new(None),
            move_problem: RwSignal::new(None),
            promotion: RwSignal::new(None),
        }
    }

    /// Reads the game; tracked.
    pub fn with_game<T>(&self, read: impl FnOnce(&Game) -> T) -> T {
        let chosen = self.chosen.get();
        // `chosen` is an index that only `choose` and `put` set, both within bounds.
        self.games.with(|games| read(&games[chosen]))
    }

    /// The place looked at; tracked.
    #[must_use]
    pub fn at(&self) -> NodeId {
        self.at.get()
    }

    /// The position there; tracked.
    #[must_use]
    pub fn position(&self) -> Chess {
        let at = self.at();
        self.with_game(|game| game.position(at).unwrap_or_else(|| game.root().clone()))
    }

    /// The move that led there; `None` at the start. Tracked.
    #[must_use]
    pub fn played(&self) -> Option<Played> {
        let at = self.at();
        self.with_game(|game| game.played(at))
    }

    /// How many games the last paste held, and which is open; tracked.
    #[must_use]
    pub fn choice(&self) -> (Vec<String>, usize) {
        let titles = self
            .games
            .with(|games| games.iter().enumerate().map(|(i, game)| title(game, i)).collect());
        (titles, self.chosen.get())
    }

    /// Reads what was pasted. On success it replaces the game; otherwise everything stays and
    /// [`paste_problem`](Self::paste_problem) says why. True on success.
    pub fn paste(&self, text: &str) -> bool {
        match read_pasted(text) {
            Ok(pasted) => {
                self.put(pasted);
                true
            }
            Err(error) => {
                self.paste_problem.set(Some(error.to_string()));
                false
            }
        }
    }

    fn put(&self, pasted: Pasted) {
        let notices = notices(&pasted);
        let Pasted { games, at, .. } = pasted;
        if games.is_empty() {
            return;
        }
        self.paste_problem.set(None);
        self.move_problem.set(None);
        self.promotion.set(None);
        self.notices.set(notices);
        self.chosen.set(0);
        self.games.set(games);
        self.at.set(at);
        let black_to_look = self.with_game_untracked(|game| {
            let mover = game
                .played(at)
                .map_or_else(|| shakmaty::Position::turn(game.root()), |p| p.mover());
            mover.is_black()
        });
        self.flipped.set(black_to_look);
    }

    fn with_game_untracked<T>(&self, read: impl FnOnce(&Game) -> T) -> T {
        let chosen = self.chosen.get_untracked();
        self.games.with_untracked(|games| read(&games[chosen]))
    }

    /// Opens another game of the last paste.
    pub fn choose(&self, index: usize) {
        if index < self.games.with_untracked(Vec::len) {
            self.at.set(NodeId::ROOT);
            self.chosen.set(index);
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
        match mv {
            Some(mv) => self.play(mv),
            // The pawn has moved on the board already: showing the same position again puts it back.
            None => self.at.update(|_| ()),
        }
    }

    /// Plays a legal move and goes there.
    pub fn play(&self, mv: Move) {
        let (at, chosen) = (self.at.get_untracked(), self.chosen.get_untracked());
        let played = self.games.try_update(|games| games[chosen].play(at, mv));
        match played {
            Some(Ok(node)) => {
                self.move_problem.set(None);
                self.at.set(node);
            }
            Some(Err(error)) => self.move_problem.set(Some(error.to_string())),
            None => {}
        }
    }

    /// Plays a move typed as SAN, LAN or UCI. True when it was understood.
    pub fn type_move(&self, text: &str) -> bool {
        let (position, mode) = untrack(|| (self.position(), self.with_game(Game::mode)));
        match read_move(&position, mode, text) {
            Ok(mv) => {
                self.play(mv);
                true
            }
            Err(error) => {
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

    /// Shows in the page's address what is looked at. Tracked.
    pub fn show_address(&self) {
        location::replace_hash(&self.address());
        // As the browser spells it.
        storage::write_in_tab(ADDRESS, &location::hash());
    }

    /// Restores what the page's address names, if it names anything. True when it did.
    pub fn restore(&self) -> bool {
        let hash = location::hash();
        let restored = hash.len() > 1 && !hash.starts_with("#/") && self.paste(&hash);
        if restored {
            // Another address is a link that somebody followed: it shows what it says and no more.
            if storage::read_in_tab(ADDRESS).as_deref() == Some(&hash) {
                self.take_up_kept();
            }
            let named = |side: &str| hash.split('&').any(|part| part == side);
            if named(WHITE_BELOW) || named(BLACK_BELOW) {
                self.flipped.set(named(BLACK_BELOW));
            }
        }
        restored
    }

    /// Keeps the game for a page that is loaded again: its address holds the moves up to the one looked at, and no more.
    /// Tracked.
    pub fn keep(&self) {
        let pgn = self.with_game(|game| (game.len() <= MOST_KEPT).then(|| write_pgn(game)));
        // Without room for it the address alone comes back.
        storage::write_in_tab(GAME, &pgn.unwrap_or_default());
    }

    /// Puts the kept game round the line of the page's address, if that line is in it.
    fn take_up_kept(&self) {
        let kept = storage::read_in_tab(GAME).and_then(|pgn| read_pasted(&pgn).ok());
        let Some(game) = kept.and_then(|pasted| pasted.games.into_iter().next()) else {
            return;
        };
        let at = self.at.get_untracked();
        if let Some(place) = self.with_game_untracked(|line| game.place_of(line, at)) {
            self.games.set(vec![game]);
            self.at.set(place);
        }
    }
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
        true => format!("Game {}: {}", problem.game, problem.kind),
        false => problem.kind.to_string(),
    });
    let mut all: Vec<String> = repairs.chain(problems).collect();
    let hidden = all.len().saturating_sub(SHOWN) + pasted.more_problems;
    all.truncate(SHOWN);
    if hidden > 0 {
        all.push(format!("And {hidden} more."));
    }
    all
}

fn title(game: &Game, index: usize) -> String {
    let player = |tag| game.tag(tag).filter(|name| *name != "?").unwrap_or("?").to_owned();
    let (white, black) = (player("White"), player("Black"));
    if white == "?" && black == "?" {
        return format!("Game {}", index + 1);
    }
    let event = game
        .tag("Event")
        .filter(|e| *e != "?")
        .map_or_else(String::new, |e| format!(", {e}"));
    format!("{}. {white} – {black}{event}", index + 1)
}

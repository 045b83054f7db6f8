//! The game tree: a root position, moves, variations, comments and marks.

use shakmaty::{CastlingMode, Chess, Color, Move, Outcome, Position, san::SanPlus};
use thiserror::Error;

use super::{
    pass::{SAN_OF_PASS, passed},
    played::Played,
};

/// The most moves a game may hold, variations included. Positions are not kept but replayed, so a full game is some
/// three megabytes.
pub const MAX_NODES: usize = 20_000;

/// Positions before a move that are kept with it: more than the rules ask for (75 moves end a game that repeats itself), and
/// than the longest games of tournaments have.
pub const MAX_HISTORY: usize = 600;

/// How deep variations may nest.
pub const MAX_DEPTH: usize = 48;

/// A place in a [`Game`]: the position after a move. [`NodeId::ROOT`] is the position before the first move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub usize);

impl NodeId {
    /// The position before the first move.
    pub const ROOT: Self = Self(0);
}

/// Why a move is not added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PlayError {
    /// There is no such node, or it was deleted.
    #[error("This place is no longer in the game.")]
    NoSuchNode,
    /// Not legal there.
    #[error("This move is not legal here.")]
    Illegal,
    /// [`MAX_NODES`] is reached.
    #[error("The game holds {MAX_NODES} moves, and more are not kept.")]
    TooManyMoves,
    /// [`MAX_DEPTH`] is reached.
    #[error("Variations are nested {MAX_DEPTH} deep, and no deeper ones are kept.")]
    TooDeep,
}

/// What leads from one position to the next.
#[derive(Debug, Clone)]
pub(super) enum HalfMove {
    /// A legal move, with its SAN.
    Move(Move, SanPlus),
    /// A null move: the turn passes.
    Pass,
}

impl HalfMove {
    fn mv(&self) -> Option<Move> {
        match self {
            Self::Move(mv, _) => Some(*mv),
            Self::Pass => None,
        }
    }

    /// Makes it, known to be possible there: checked when it was added.
    fn make(&self, position: &mut Chess) {
        match self {
            Self::Move(mv, _) => position.play_unchecked(*mv),
            Self::Pass => {
                if let Some(after) = passed(position) {
                    *position = after;
                }
            }
        }
    }
}

/// One half-move with what is said of it.
#[derive(Debug, Clone)]
struct Node {
    parent: NodeId,
    /// `None` at the root alone.
    step: Option<HalfMove>,
    children: Vec<NodeId>,
    nags: Vec<u8>,
    before: String,
    after: String,
}

/// A game with variations.
#[derive(Debug, Clone)]
pub struct Game {
    root: Chess,
    mode: CastlingMode,
    /// `None` where a node was deleted: ids never change their meaning.
    nodes: Vec<Option<Node>>,
    /// PGN tags in order, without FEN, SetUp and Result, which follow from the rest.
    pub tags: Vec<(String, String)>,
    /// How it ended.
    pub outcome: Outcome,
}

impl Game {
    /// A game that starts in `root`.
    #[must_use]
    pub fn new(root: Chess, mode: CastlingMode) -> Self {
        let node = Node {
            parent: NodeId::ROOT,
            step: None,
            children: Vec::new(),
            nags: Vec::new(),
            before: String::new(),
            after: String::new(),
        };
        Self {
            root,
            mode,
            nodes: vec![Some(node)],
            tags: Vec::new(),
            outcome: Outcome::Unknown,
        }
    }

    /// The position before the first move.
    #[must_use]
    pub fn root(&self) -> &Chess {
        &self.root
    }

    /// How castling is written in this game.
    #[must_use]
    pub fn mode(&self) -> CastlingMode {
        self.mode
    }

    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, value)| value.as_str())
    }

    /// How many moves there are, variations included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.iter().flatten().count() - 1
    }

    /// Whether there is no move.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.children(NodeId::ROOT).is_empty()
    }

    /// Whether the node is there (deleted ones are not).
    #[must_use]
    pub fn contains(&self, id: NodeId) -> bool {
        self.node(id).is_some()
    }

    fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.0)?.as_ref()
    }

    fn node_mut(&mut self, id: NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(id.0)?.as_mut()
    }

    /// Plays `mv` after `at`: goes to the child that has it, or adds one (a variation, where there are others).
    ///
    /// # Errors
    /// Where the move is not legal there, or the game is full.
    pub fn play(&mut self, at: NodeId, mv: Move) -> Result<NodeId, PlayError> {
        if let Some(child) = self.child_with(at, mv) {
            return Ok(child);
        }
        let position = self.position(at).ok_or(PlayError::NoSuchNode)?;
        if !position.is_legal(mv) {
            return Err(PlayError::Illegal);
        }
        let is_variation = !self.children(at).is_empty();
        if self.variation_depth(at) + usize::from(is_variation) > MAX_DEPTH {
            return Err(PlayError::TooDeep);
        }
        self.add(at, HalfMove::Move(mv, SanPlus::from_move(position, mv)))
    }

    /// Adds a half-move known to be possible, without asking the position. The caller minds the depth.
    pub(super) fn add(&mut self, at: NodeId, step: HalfMove) -> Result<NodeId, PlayError> {
        if self.is_full() {
            return Err(PlayError::TooManyMoves);
        }
        let id = NodeId(self.nodes.len());
        self.node_mut(at).ok_or(PlayError::NoSuchNode)?.children.push(id);
        self.nodes.push(Some(Node {
            parent: at,
            step: Some(step),
            children: Vec::new(),
            nags: Vec::new(),
            before: String::new(),
            after: String::new(),
        }));
        Ok(id)
    }

    /// Whether no further half-move can be added.
    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() > MAX_NODES
    }

    /// The child of `at` that plays `mv`.
    #[must_use]
    pub fn child_with(&self, at: NodeId, mv: Move) -> Option<NodeId> {
        self.child_by(at, Some(mv))
    }

    /// The child of `at` that plays this move, or passes where it is none.
    pub(super) fn child_by(&self, at: NodeId, mv: Option<Move>) -> Option<NodeId> {
        self.children(at).iter().copied().find(|child| self.mv(*child) == mv)
    }

    /// The place here that the same moves lead to as lead to `at` in another game, which may be the end of this one: a link
    /// has room for so many moves, and begins with the position before them. `None` where this game does not have them.
    #[must_use]
    pub fn place_of(&self, other: &Self, at: NodeId) -> Option<NodeId> {
        if self.mode != other.mode || !other.contains(at) {
            return None;
        }
        let line = other.line_to(at);
        let follow = |start| {
            let mut moves = line.iter();
            moves.try_fold(start, |here, step| self.child_by(here, other.mv(*step)))
        };
        self.nodes_with(&other.root).into_iter().find_map(follow)
    }

    /// The places where this position stands, at the number of its move.
    fn nodes_with(&self, position: &Chess) -> Vec<NodeId> {
        let plies =
            |position: &Chess| 2 * u64::from(position.fullmoves().get()) + u64::from(position.turn().is_black());
        let Some(depth) = plies(position).checked_sub(plies(&self.root)) else {
            return Vec::new();
        };
        let mut nodes = vec![NodeId::ROOT];
        for _ in 0..depth {
            nodes = nodes.iter().flat_map(|node| self.children(*node)).copied().collect();
            if nodes.is_empty() {
                return nodes;
            }
        }
        // Whatever its clock says, which a FEN may have lost; the move's number is that of the depth.
        nodes.retain(|node| self.position(*node).is_some_and(|here| here == *position));
        nodes
    }

    /// The moves played from here, main line first.
    #[must_use]
    pub fn children(&self, id: NodeId) -> &[NodeId] {
        self.node(id).map_or(&[], |node| node.children.as_slice())
    }

    /// The node before; `None` for the root.
    #[must_use]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        let node = self.node(id)?;
        node.step.as_ref().map(|_| node.parent)
    }

    /// The next move of the line.
    #[must_use]
    pub fn main_child(&self, id: NodeId) -> Option<NodeId> {
        self.children(id).first().copied()
    }

    /// The alternative listed after this move.
    #[must_use]
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        self.sibling(id, 1)
    }

    /// The alternative listed before this move.
    #[must_use]
    pub fn prev_sibling(&self, id: NodeId) -> Option<NodeId> {
        self.sibling(id, -1)
    }

    fn sibling(&self, id: NodeId, step: isize) -> Option<NodeId> {
        let siblings = self.children(self.parent(id)?);
        let at = siblings.iter().position(|sibling| *sibling == id)?;
        siblings.get(at.checked_add_signed(step)?).copied()
    }

    /// The last node of the line that goes on from here by first moves.
    #[must_use]
    pub fn end_of_line(&self, id: NodeId) -> NodeId {
        let mut at = id;
        while let Some(next) = self.main_child(at) {
            at = next;
        }
        at
    }

    /// The main line from the first move to the last.
    #[must_use]
    pub fn main_line(&self) -> Vec<NodeId> {
        self.line_to(self.end_of_line(NodeId::ROOT))
    }

    /// The nodes from the first move to this one; empty for the root.
    #[must_use]
    pub fn line_to(&self, id: NodeId) -> Vec<NodeId> {
        let mut line = Vec::new();
        let mut at = id;
        while let Some(parent) = self.parent(at) {
            line.push(at);
            at = parent;
        }
        line.reverse();
        line
    }

    /// How many times one leaves a main line on the way here.
    #[must_use]
    pub fn variation_depth(&self, id: NodeId) -> usize {
        let mut depth = 0;
        let mut at = id;
        while let Some(parent) = self.parent(at) {
            depth += usize::from(self.main_child(parent) != Some(at));
            at = parent;
        }
        depth
    }

    /// The move that leads here; `None` for the root, and where the turn was passed.
    #[must_use]
    pub fn mv(&self, id: NodeId) -> Option<Move> {
        self.node(id)?.step.as_ref()?.mv()
    }

    /// Whether it is a pass that leads here: a null move, after which the other side moves in the same position.
    #[must_use]
    pub fn is_pass(&self, id: NodeId) -> bool {
        self.node(id)
            .is_some_and(|node| matches!(node.step, Some(HalfMove::Pass)))
    }

    /// The move that leads here in SAN with its check mark; `--` for a pass.
    #[must_use]
    pub fn san(&self, id: NodeId) -> Option<String> {
        Some(match self.node(id)?.step.as_ref()? {
            HalfMove::Move(_, san) => san.to_string(),
            HalfMove::Pass => SAN_OF_PASS.to_owned(),
        })
    }

    /// The position here, replayed from the root; `None` where there is no such node.
    #[must_use]
    pub fn position(&self, id: NodeId) -> Option<Chess> {
        self.node(id)?;
        let mut position = self.root.clone();
        for step in self.steps_to(id) {
            step.make(&mut position);
        }
        Some(position)
    }

    /// The half-moves from the root to this node.
    fn steps_to(&self, id: NodeId) -> impl Iterator<Item = &HalfMove> {
        let line = self.line_to(id).into_iter();
        line.filter_map(|node| self.node(node)?.step.as_ref())
    }

    /// The move that leads here with the positions before it, as far back as [`MAX_HISTORY`] or to the last pass, which no
    /// game leads across; `None` for the root and for a pass.
    #[must_use]
    pub fn played(&self, id: NodeId) -> Option<Played> {
        let mv = self.mv(id)?;
        let forgotten = self.ply(id).saturating_sub(MAX_HISTORY + 1);
        let mut history = Vec::new();
        let mut before = self.root.clone();
        for (ply, step) in self.steps_to(self.parent(id)?).enumerate() {
            match step {
                HalfMove::Pass => history.clear(),
                HalfMove::Move(..) if ply >= forgotten => history.push(before.clone()),
                HalfMove::Move(..) => {}
            }
            step.make(&mut before);
        }
        Played::new(before, mv, self.mode, history)
    }

    /// Bytes of all comments together.
    #[must_use]
    pub fn comment_bytes(&self) -> usize {
        self.nodes
            .iter()
            .flatten()
            .map(|node| node.before.len() + node.after.len())
            .sum()
    }

    /// Half-moves from the root; 0 there.
    #[must_use]
    pub fn ply(&self, id: NodeId) -> usize {
        self.line_to(id).len()
    }

    /// The side that played the move that leads here; at the root the side that did not have the move.
    #[must_use]
    pub fn mover(&self, id: NodeId) -> Color {
        if self.ply(id).is_multiple_of(2) {
            !self.root.turn()
        } else {
            self.root.turn()
        }
    }

    /// The number of the move that leads here, as in a score sheet.
    #[must_use]
    pub fn move_number(&self, id: NodeId) -> u32 {
        let ply = u32::try_from(self.ply(id)).unwrap_or(u32::MAX);
        let black_first = u32::from(self.root.turn().is_black());
        self.root
            .fullmoves()
            .get()
            .saturating_add((ply + black_first).saturating_sub(1) / 2)
    }

    /// `12. Nf3` or `12… Nf6`; `None` for the root.
    #[must_use]
    pub fn label(&self, id: NodeId) -> Option<String> {
        let dots = self.mover(id).fold_wb(".", "…");
        Some(format!("{}{dots} {}", self.move_number(id), self.san(id)?))
    }

    /// Numeric annotation glyphs: 1 is `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`.
    #[must_use]
    pub fn nags(&self, id: NodeId) -> &[u8] {
        self.node(id).map_or(&[], |node| node.nags.as_slice())
    }

    /// The comment after the move; at the root the one before the game.
    #[must_use]
    pub fn comment(&self, id: NodeId) -> &str {
        self.node(id).map_or("", |node| node.after.as_str())
    }

    /// The comment before the move, where a variation opens with one.
    #[must_use]
    pub fn comment_before(&self, id: NodeId) -> &str {
        self.node(id).map_or("", |node| node.before.as_str())
    }

    /// Replaces the comment after the move. Runs of white space become one space, since PGN files are re-wrapped.
    pub fn set_comment(&mut self, id: NodeId, text: &str) {
        if let Some(node) = self.node_mut(id) {
            node.after = plain_comment(text);
        }
    }

    /// Adds to the comment after the move. Text comes as [`plain_comment`] leaves it, so that a million small comments
    /// cost no more than one large one.
    pub(super) fn append_comment(&mut self, id: NodeId, plain: &str) {
        if let Some(node) = self.node_mut(id) {
            join(&mut node.after, plain);
        }
    }

    /// Replaces the comment before the move.
    pub fn set_comment_before(&mut self, id: NodeId, text: &str) {
        if let Some(node) = self.node_mut(id) {
            node.before = plain_comment(text);
        }
    }

    /// Adds a glyph once.
    pub fn add_nag(&mut self, id: NodeId, nag: u8) {
        if let Some(node) = self.node_mut(id)
            && !node.nags.contains(&nag)
        {
            node.nags.push(nag);
        }
    }

    /// Takes a glyph away.
    pub fn remove_nag(&mut self, id: NodeId, nag: u8) {
        if let Some(node) = self.node_mut(id) {
            node.nags.retain(|other| *other != nag);
        }
    }

    /// Takes the move and all that follows it out of the game; the root stays. Returns where that leaves one: the node
    /// before.
    pub fn delete(&mut self, id: NodeId) -> Option<NodeId> {
        let parent = self.parent(id)?;
        self.node_mut(parent)?.children.retain(|child| *child != id);
        let mut doomed = vec![id];
        while let Some(next) = doomed.pop() {
            if let Some(node) = self.nodes.get_mut(next.0).and_then(Option::take) {
                doomed.extend(node.children);
            }
        }
        Some(parent)
    }

    /// Moves the variation that `id` is in one place up among its alternatives. False where it is the main line already.
    pub fn promote(&mut self, id: NodeId) -> bool {
        let mut at = id;
        while let Some(parent) = self.parent(at) {
            let Some(node) = self.node_mut(parent) else {
                return false;
            };
            if let Some(place @ 1..) = node.children.iter().position(|child| *child == at) {
                node.children.swap(place - 1, place);
                return true;
            }
            at = parent;
        }
        false
    }
}

/// Adds `more` after a space.
pub(super) fn join(whole: &mut String, more: &str) {
    if !whole.is_empty() && !more.is_empty() {
        whole.push(' ');
    }
    whole.push_str(more);
}

/// White space as single spaces; a closing brace, which no PGN comment can hold, as a parenthesis.
pub(super) fn plain_comment(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('}', ")")
}

#[cfg(test)]
mod tests {
    use super::plain_comment;
    use crate::chess::{Game, NodeId, link::Link, pgn::read_pgn};

    fn game(pgn: &str) -> Game {
        read_pgn(pgn).unwrap().games.remove(0)
    }

    #[test]
    fn a_long_comment_is_kept_whole() {
        let words = "A long  word of\npraise. ".repeat(20_000);
        let game = game(&format!("1. e4 {{{words}}} e5 *"));
        assert_eq!(game.comment(game.main_line()[0]), plain_comment(&words));
    }

    #[test]
    fn a_links_line_has_its_place_in_the_whole_game() {
        let whole = game("1. e4 e5 (1... c5 2. Nf3 d6) 2. Nf3 Nc6 3. Bb5 *");
        for at in (0..8).map(NodeId).filter(|at| whole.contains(*at)) {
            let link = Link::of(&whole, at).open().unwrap();
            assert_eq!(whole.place_of(&link.game, link.at), Some(at));
        }
        // Of a game that is too long for a link, a link holds the end.
        let moves = |number: usize| format!("{number}. {}", ["Nf3 Nf6", "Ng1 Ng8"][(number + 1) % 2]);
        let long = game(&format!("{} *", (1..=800).map(moves).collect::<Vec<_>>().join(" ")));
        for ply in [1600, 1599, 1000, 7] {
            let at = long.main_line()[ply - 1];
            let link = Link::of(&long, at).open().unwrap();
            assert_eq!(link.game.main_line().len() < ply, ply > 400);
            assert_eq!(long.place_of(&link.game, link.at), Some(at));
        }
        // Moves that it does not have, and a game from elsewhere.
        for other in [
            "1. e4 e5 2. Nc3 *",
            "1. d4 *",
            "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 3\"]\n\n3. e4 *",
        ] {
            let other = game(other);
            assert_eq!(whole.place_of(&other, other.end_of_line(NodeId::ROOT)), None);
        }
    }
}

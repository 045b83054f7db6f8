//! The game tree as the nested rows of a move list.

use shakmaty::{Color, Position};

use super::game_report::mark;
use crate::{
    chess::{Game, NodeId, Openings, embedded_commands::prose},
    commentary::Verdict,
};

/// A line of moves: the main line or a variation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MoveLine {
    /// What is said before the line: at the main line the comment before the game.
    pub comment: String,
    /// The moves in order.
    pub moves: Vec<MoveItem>,
}

/// A move in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveItem {
    /// The node it leads to.
    pub id: NodeId,
    /// `12.` or `12…` where a score sheet shows the number: before White's moves, and before Black's at the start of a
    /// line and after a comment or a variation.
    pub number: Option<String>,
    /// With its check mark.
    pub san: String,
    /// `12. Nf3` or `12… Nf6`: the name for a screen reader.
    pub label: String,
    /// The side that moves.
    pub mover: Color,
    /// `!`, `?!`, `±`, …
    pub glyphs: Vec<String>,
    /// How good it was, where the game is annotated.
    pub verdict: Option<Verdict>,
    /// What is said after the move; commands to programs are left out.
    pub comment: String,
    /// The alternatives to this move.
    pub variations: Vec<MoveLine>,
    /// Whether the board shows the position after this move.
    pub current: bool,
    /// Whether the move lies on the way to the position that the board shows.
    pub on_path: bool,
}

/// The whole game with `current` marked. Nesting is bounded by what a [`Game`] keeps.
#[must_use]
pub fn move_list(game: &Game, current: NodeId) -> MoveLine {
    let path = game.line_to(current);
    let mut line = MoveLine {
        comment: prose(game.comment(NodeId::ROOT)),
        moves: Vec::new(),
    };
    let list = Lister { game, path, current };
    if let Some(first) = game.main_child(NodeId::ROOT) {
        list.fill(&mut line, NodeId::ROOT, first, 0);
    }
    line
}

impl MoveLine {
    /// Marks the moves of the line that are annotated: bad ones with a sign, unless their author gave them one of the
    /// signs `!` to `?!`.
    pub fn mark(&mut self, verdict: impl Fn(NodeId) -> Option<Verdict>) {
        const JUDGING: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];
        for item in &mut self.moves {
            item.verdict = verdict(item.id);
            let Some(bad) = item.verdict.filter(|verdict| verdict.is_bad()) else {
                continue;
            };
            item.label = format!("{}, {bad}", item.label);
            if !item.glyphs.iter().any(|glyph| JUDGING.contains(&glyph.as_str())) {
                item.glyphs.insert(0, mark(bad).to_owned());
            }
        }
    }
}

/// The opening of the line that leads to `at`, as far as it has a name: "C65 Ruy Lopez: Berlin Defense".
#[must_use]
pub fn opening(game: &Game, at: NodeId) -> Option<String> {
    let mut positions = vec![game.root().clone()];
    for node in game.line_to(at) {
        let mut next = positions.last()?.clone();
        next.play_unchecked(game.mv(node)?);
        positions.push(next);
    }
    let opening = Openings::shipped().of_game(positions.iter())?;
    Some(format!("{} {}", opening.eco, opening.name))
}

struct Lister<'a> {
    game: &'a Game,
    path: Vec<NodeId>,
    current: NodeId,
}

impl Lister<'_> {
    /// Lists `first`, a child of `parent` after `ply` half-moves, and what follows it.
    fn fill(&self, line: &mut MoveLine, parent: NodeId, first: NodeId, ply: usize) {
        let (mut parent, mut ply, mut numbered) = (parent, ply, true);
        let mut next = Some(first);
        while let Some(id) = next {
            let mut item = self.item(id, ply, numbered);
            // The alternatives of a line's first move belong to the line it departs from, unless it is the main move.
            if self.game.main_child(parent) == Some(id) {
                for other in &self.game.children(parent)[1..] {
                    let comment = prose(self.game.comment_before(*other));
                    let mut variation = MoveLine {
                        comment,
                        moves: Vec::new(),
                    };
                    self.fill(&mut variation, parent, *other, ply);
                    item.variations.push(variation);
                }
            }
            numbered = !item.comment.is_empty() || !item.variations.is_empty();
            line.moves.push(item);
            parent = id;
            ply += 1;
            next = self.game.main_child(id);
        }
    }

    fn item(&self, id: NodeId, ply: usize, numbered: bool) -> MoveItem {
        let root = self.game.root();
        let from_white = ply + usize::from(root.turn().is_black());
        let mover = Color::from_white(from_white.is_multiple_of(2));
        let dots = mover.fold_wb(".", "…");
        let number = format!("{}{dots}", root.fullmoves().get() as usize + from_white / 2);
        let san = self.game.san(id).unwrap_or_default();
        MoveItem {
            id,
            label: format!("{number} {san}"),
            number: (numbered || mover.is_white()).then_some(number),
            san,
            mover,
            glyphs: self.game.nags(id).iter().map(|nag| glyph(*nag)).collect(),
            verdict: None,
            comment: prose(self.game.comment(id)),
            variations: Vec::new(),
            current: id == self.current,
            on_path: self.path.get(ply) == Some(&id),
        }
    }
}

/// The sign for a numeric annotation glyph (PGN standard, section 10), or `$n` where it has none.
#[must_use]
pub fn glyph(nag: u8) -> String {
    match nag {
        1 => "!",
        2 => "?",
        3 => "!!",
        4 => "??",
        5 => "!?",
        6 => "?!",
        7 => "□",
        10 => "=",
        13 => "∞",
        14 => "⩲",
        15 => "⩱",
        16 => "±",
        17 => "∓",
        18 => "+−",
        19 => "−+",
        146 => "N",
        other => return format!("${other}"),
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::pgn::read_pgn;

    #[test]
    fn numbers_variations_and_marks() {
        let pgn = "{Before.} 1. e4! e5 (1... c5 {Sicilian} 2. Nf3 (2. c3) 2... d6) 2. Nf3 Nc6 $16";
        let game = read_pgn(pgn).unwrap().games.remove(0);
        let here = game.main_line()[2];
        let list = move_list(&game, here);
        assert_eq!(list.comment, "Before.");
        let numbers: Vec<_> = list.moves.iter().map(|item| item.number.as_deref()).collect();
        assert_eq!(numbers, [Some("1."), None, Some("2."), None]);
        assert_eq!(list.moves[0].glyphs, ["!"]);
        assert_eq!(list.moves[3].glyphs, ["±"]);
        assert!(list.moves[2].current && list.moves[0].on_path && !list.moves[3].on_path);
        let sicilian = &list.moves[1].variations[0];
        let labels: Vec<_> = sicilian.moves.iter().map(|item| item.label.as_str()).collect();
        assert_eq!(labels, ["1… c5", "2. Nf3", "2… d6"]);
        assert_eq!(sicilian.moves[0].comment, "Sicilian");
        assert_eq!(sicilian.moves[2].number.as_deref(), Some("2…"), "after a variation");
        assert_eq!(sicilian.moves[1].variations[0].moves[0].label, "2. c3");
    }

    #[test]
    fn an_annotated_game_is_marked() {
        let game = read_pgn("1. e4 {[%eval 0.3] King's pawn. [%clk 0:01:00]} e5 2. Ke2! Nc6 $16 *").unwrap();
        let game = &game.games[0];
        let line = game.main_line();
        let mut list = move_list(game, NodeId::ROOT);
        list.mark(|id| (id == line[2] || id == line[3]).then_some(Verdict::Blunder));
        assert_eq!(list.moves[0].comment, "King's pawn.");
        assert_eq!((list.moves[1].verdict, list.moves[1].label.as_str()), (None, "1… e5"));
        assert_eq!(list.moves[2].glyphs, ["!"], "its author's sign stands");
        assert_eq!(list.moves[2].label, "2. Ke2, blunder");
        assert_eq!(list.moves[3].glyphs, ["??", "±"]);
    }

    #[test]
    fn the_opening_is_that_of_the_line_on_the_board() {
        let game = read_pgn("1. e4 c5 (1... e5 2. Nf3 Nc6 3. Bb5) 2. h4 h5 3. a4")
            .unwrap()
            .games
            .remove(0);
        let line = game.main_line();
        assert_eq!(opening(&game, NodeId::ROOT), None);
        assert_eq!(opening(&game, line[1]).as_deref(), Some("B20 Sicilian Defense"));
        let last = opening(&game, *line.last().unwrap()).unwrap();
        assert!(last.starts_with("B20 Sicilian Defense"), "{last}");
        let spanish = game.end_of_line(game.children(line[0])[1]);
        assert_eq!(opening(&game, spanish).as_deref(), Some("C60 Ruy Lopez"));
    }

    #[test]
    fn black_may_begin() {
        let pgn = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 9\"]\n\n9... Kd7 10. e4 Kd6";
        let game = read_pgn(pgn).unwrap().games.remove(0);
        let list = move_list(&game, NodeId::ROOT);
        let numbers: Vec<_> = list.moves.iter().map(|item| item.number.as_deref()).collect();
        assert_eq!(numbers, [Some("9…"), Some("10."), None]);
        for (item, id) in list.moves.iter().zip(game.main_line()) {
            assert_eq!(Some(item.label.clone()), game.label(id));
        }
    }
}

//! The game tree as the nested rows of a move list.

use std::cell::Cell;

use shakmaty::{Chess, Color, Position};

use super::glyphs::{glyph, mark};
use crate::{
    chess::{Game, NodeId, Openings, embedded_commands::prose},
    commentary::Verdict,
};

/// A line of moves: the main line or a variation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MoveLine {
    /// What is said before the line: at the main line the comment before the game.
    pub comment: String,
    /// Moves of the line before those that are listed.
    pub earlier: Option<Unlisted>,
    /// The moves in order: where there are more than a page can draw at once, those around the one that the board shows.
    pub moves: Vec<MoveItem>,
    /// Moves of the line behind those that are listed.
    pub later: Option<Unlisted>,
}

/// Moves that a list leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unlisted {
    /// Moves that are left out here.
    pub count: usize,
    /// The nearest of them.
    pub nearest: NodeId,
}

/// Half-moves of a line that are listed before the board's, and behind it.
const AROUND: usize = 120;
/// Half-moves that are listed of all variations together, beside those that lead to the board's position.
const IN_VARIATIONS: usize = 400;
/// Half-moves after which no opening is named any more: the table's longest line has fewer.
const NAMED: usize = 60;
/// Characters of a comment that are shown.
const COMMENT: usize = 3000;

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
    /// So many more are not listed.
    pub more_variations: usize,
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
        comment: shortened(game.comment(NodeId::ROOT)),
        ..MoveLine::default()
    };
    let list = Lister {
        game,
        path,
        current,
        left: Cell::new(IN_VARIATIONS),
    };
    if let Some(first) = game.main_child(NodeId::ROOT) {
        list.fill(&mut line, NodeId::ROOT, first, 0, true);
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
    // The first position of all is named after nothing, and the table need not be read to know it.
    if at == NodeId::ROOT && *game.root() == Chess::default() {
        return None;
    }
    let mut positions = vec![game.root().clone()];
    for node in game.line_to(at).into_iter().take(NAMED) {
        let Some(mv) = game.mv(node) else { break };
        let mut next = positions.last()?.clone();
        next.play_unchecked(mv);
        positions.push(next);
    }
    let opening = Openings::shipped().of_game(positions.iter())?;
    Some(format!("{} {}", opening.eco, opening.name))
}

struct Lister<'a> {
    game: &'a Game,
    path: Vec<NodeId>,
    current: NodeId,
    /// Half-moves that variations may still take.
    left: Cell<usize>,
}

impl Lister<'_> {
    /// Lists `first`, a child of `parent` after `ply` half-moves, and what follows it.
    fn fill(&self, line: &mut MoveLine, parent: NodeId, first: NodeId, ply: usize, main: bool) {
        let focus = self.focus(first, ply);
        let (mut parent, mut ply, mut numbered) = (parent, ply, true);
        let mut next = Some(first);
        while let Some(id) = next {
            let from = parent;
            next = self.game.main_child(id);
            parent = id;
            ply += 1;
            if !self.is_listed(line, id, ply - 1, focus, main) {
                let before = line.moves.is_empty() && ply <= focus;
                let place = if before { &mut line.earlier } else { &mut line.later };
                // The nearest is the last of those before, and the first of those behind.
                let count = place.map_or(0, |unlisted| unlisted.count) + 1;
                let nearest = place.filter(|_| !before).map_or(id, |unlisted| unlisted.nearest);
                *place = Some(Unlisted { count, nearest });
                continue;
            }
            let mut item = self.item(id, ply - 1, numbered);
            // The alternatives of a line's first move belong to the line it departs from, unless it is the main move.
            if self.game.main_child(from) == Some(id) {
                for other in &self.game.children(from)[1..] {
                    if self.left.get() == 0 && self.path.get(ply - 1) != Some(other) {
                        item.more_variations += 1;
                        continue;
                    }
                    let mut variation = MoveLine {
                        comment: shortened(self.game.comment_before(*other)),
                        ..MoveLine::default()
                    };
                    self.fill(&mut variation, from, *other, ply - 1, false);
                    item.variations.push(variation);
                }
            }
            numbered = !item.comment.is_empty() || !item.variations.is_empty();
            line.moves.push(item);
        }
    }

    /// How many half-moves come before the move of this line around which it is listed: the last on the way to the
    /// board's, else its first.
    fn focus(&self, first: NodeId, ply: usize) -> usize {
        if self.path.get(ply) != Some(&first) {
            return ply;
        }
        let mut focus = ply;
        let mut at = first;
        while let Some(next) = self
            .game
            .main_child(at)
            .filter(|next| self.path.get(focus + 1) == Some(next))
        {
            at = next;
            focus += 1;
        }
        focus
    }

    /// Whether a move is listed: near the line's focus; in a variation only while there is room for its half-moves.
    fn is_listed(&self, line: &MoveLine, id: NodeId, ply: usize, focus: usize, main: bool) -> bool {
        if ply + AROUND < focus || ply > focus + AROUND {
            return false;
        }
        if main || self.path.get(ply) == Some(&id) {
            return true;
        }
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        // A gap in the middle of a line would hide that there is one.
        left > 0 && line.later.is_none()
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
            comment: shortened(self.game.comment(id)),
            variations: Vec::new(),
            more_variations: 0,
            current: id == self.current,
            on_path: self.path.get(ply) == Some(&id),
        }
    }
}

/// A comment without commands to programs, as far as a list shows it.
fn shortened(comment: &str) -> String {
    match comment.char_indices().nth(COMMENT) {
        Some((end, _)) => format!("{}… ({} kB in all)", prose(&comment[..end]), comment.len() / 1000),
        None => prose(comment),
    }
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

    #[test]
    fn of_a_long_game_the_moves_around_the_boards_are_listed() {
        let moves: String = ["1. Nf3 Nf6 2. Ng1 Ng8 "; 250].concat();
        let game = read_pgn(&moves).unwrap().games.remove(0);
        let ids: Vec<NodeId> = game.line_to(game.end_of_line(NodeId::ROOT));
        assert_eq!(ids.len(), 1000);
        let list = move_list(&game, ids[500]);
        assert_eq!(list.moves.len(), 2 * AROUND + 1);
        let count = |unlisted: Option<Unlisted>| unlisted.map(|unlisted| unlisted.count);
        assert_eq!(count(list.earlier), Some(500 - AROUND));
        assert_eq!(count(list.later), Some(1000 - 501 - AROUND));
        assert_eq!(list.earlier.unwrap().nearest, ids[500 - AROUND - 1]);
        assert_eq!(list.later.unwrap().nearest, ids[501 + AROUND]);
        assert!(list.moves.iter().any(|item| item.current));
        let start = move_list(&game, NodeId::ROOT);
        assert_eq!((start.earlier, start.moves.len()), (None, AROUND + 1));
    }

    #[test]
    fn of_too_many_variations_those_that_lead_to_the_board_are_listed() {
        fn listed(line: &MoveLine) -> usize {
            let of_item = |item: &MoveItem| 1 + item.variations.iter().map(listed).sum::<usize>();
            line.moves.iter().map(of_item).sum()
        }
        fn currents(line: &MoveLine) -> usize {
            let inside = |item: &MoveItem| item.variations.iter().map(currents).sum::<usize>();
            line.moves
                .iter()
                .map(|item| usize::from(item.current) + inside(item))
                .sum()
        }
        fn hidden(line: &MoveLine) -> usize {
            let inside = |item: &MoveItem| item.variations.iter().map(hidden).sum::<usize>();
            line.moves.iter().map(|item| item.more_variations + inside(item)).sum()
        }
        let mut pgn = "1. e4 e5 ".to_owned();
        for black in 'a'..='h' {
            for white in "abcdfgh".chars() {
                for rank in [3, 4] {
                    pgn += &format!("(1... {black}6 2. {white}{rank} Nc6 3. Na3 Nb8 4. Nb1 Nc6 5. Na3 Nb8) ");
                }
            }
        }
        let game = read_pgn(&pgn).unwrap().games.remove(0);
        assert!(game.len() > IN_VARIATIONS + 100, "{}", game.len());
        let e4 = game.main_child(NodeId::ROOT).unwrap();
        let last = game.end_of_line(*game.children(e4).last().unwrap());
        let list = move_list(&game, last);
        assert!(listed(&list) <= IN_VARIATIONS + 20, "{}", listed(&list));
        assert_eq!(currents(&list), 1);
        assert!(hidden(&list) > 0);
        let comment = format!("{{{}}} 1. e4", "x".repeat(2 * COMMENT));
        let game = read_pgn(&comment).unwrap().games.remove(0);
        assert!(move_list(&game, NodeId::ROOT).comment.len() < COMMENT + 50);
    }
}

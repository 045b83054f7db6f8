//! What a game gives in place of a move, as text for a report.

use super::glyphs::glyph;
use crate::{
    annotation::export::own_prose,
    chess::{Game, NodeId},
};

enum Step {
    /// Goes on behind this move; whether a Black move there needs its number.
    After(NodeId, bool),
    /// Begins a variation with this move.
    Variation(NodeId),
    Close,
}

/// The variations that begin where `main` does, each in parentheses with all that follows: `(2. d4 exd4 3. c3) (2. f4)`.
/// Empty where there are none.
#[must_use]
pub fn variations(game: &Game, main: NodeId) -> String {
    let others = |siblings: &[NodeId], main: NodeId| -> Vec<NodeId> {
        siblings.iter().copied().filter(|id| *id != main).rev().collect()
    };
    let siblings = game.parent(main).map(|parent| game.children(parent));
    // With a stack of its own: a game may be deep.
    let mut steps = Vec::new();
    let branch = |steps: &mut Vec<Step>, ids: Vec<NodeId>| {
        for id in ids {
            steps.push(Step::Close);
            steps.push(Step::Variation(id));
        }
    };
    branch(&mut steps, others(siblings.unwrap_or_default(), main));
    let mut text = Text {
        game,
        out: String::new(),
    };
    while let Some(step) = steps.pop() {
        match step {
            Step::Variation(id) => {
                text.space();
                text.out.push('(');
                let commented = text.add(id, true);
                steps.push(Step::After(id, commented));
            }
            Step::After(id, numbered) => {
                let children = game.children(id);
                if let Some(main) = children.first() {
                    let commented = text.add(*main, numbered);
                    let others = others(children, *main);
                    steps.push(Step::After(*main, commented || !others.is_empty()));
                    branch(&mut steps, others);
                }
            }
            Step::Close => text.out.push(')'),
        }
    }
    text.out
}

struct Text<'a> {
    game: &'a Game,
    out: String,
}

impl Text<'_> {
    fn space(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with('(') {
            self.out.push(' ');
        }
    }

    fn comment(&mut self, comment: &str) -> bool {
        let said = own_prose(comment);
        if !said.is_empty() {
            self.space();
            self.out += &format!("[{said}]");
        }
        !said.is_empty()
    }

    /// Adds a move with its signs and comments; true where a comment stands behind it.
    fn add(&mut self, id: NodeId, numbered: bool) -> bool {
        let before = self.comment(self.game.comment_before(id));
        let label = self.game.label(id).unwrap_or_default();
        let (number, san) = label.split_once(' ').unwrap_or(("", &label));
        self.space();
        if numbered || before || self.game.mover(id).is_white() {
            self.out += &format!("{number} ");
        }
        self.out += san;
        for nag in self.game.nags(id) {
            self.out += &glyph(*nag);
        }
        self.comment(self.game.comment(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::pgn::read_pgn;

    #[test]
    fn variations_stand_in_parentheses_with_what_follows_them() {
        let pgn = "1. e4 e5 (1... c5 2. Nf3 (2. c3 $1 {Alapin [%clk 0:01:00]} d5) 2... d6) (1... e6) 2. Nf3 *";
        let game = read_pgn(pgn).unwrap().games.remove(0);
        let line = game.main_line();
        assert_eq!(variations(&game, line[0]), "");
        assert_eq!(
            variations(&game, line[1]),
            "(1… c5 2. Nf3 (2. c3! [Alapin] 2… d5) 2… d6) (1… e6)"
        );
        assert_eq!(variations(&game, line[2]), "");
    }
}

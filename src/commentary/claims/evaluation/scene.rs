//! The position that a statement speaks of, with the moves that led there.

use shakmaty::{Board, Chess, Color, Move, Position, uci::UciMove};

use super::{
    super::statement::{Along, Designation, Point, Statement},
    finding::Absent,
};
use crate::{
    chess::{Man, Played, destination, motifs::threat::passed_turn, read_move},
    commentary::{Evaluation, FactSheet},
    uci::Score,
};

/// A position and how it came about.
pub(super) struct Scene<'a> {
    pub sheet: &'a FactSheet,
    /// The position.
    pub pos: Chess,
    /// The moves that led here, each with the position before it: the move under discussion, where it is one of them, and the
    /// statement's. Empty for the position before the move.
    pub trail: Vec<(Chess, Move)>,
    /// How many of the trail are the statement's own moves.
    pub named: usize,
}

impl<'a> Scene<'a> {
    /// Plays the line's moves from where it says; unless it is `strict`, else from the other position.
    ///
    /// # Errors
    /// Where they can't be played anywhere: why, in a sentence.
    pub fn of(sheet: &'a FactSheet, line: &Along, strict: bool) -> Result<Self, String> {
        let played = sheet.played();
        let after = (played.after.clone(), vec![(played.before.clone(), played.mv)]);
        let before = (played.before.clone(), Vec::new());
        let starts = match line.from {
            Point::After => [after, before],
            Point::Before => [before, after],
        };
        // "the queen could have checked", when it was not its side's turn.
        let turned = [&played.after, &played.before];
        let turned = turned
            .into_iter()
            .filter_map(|pos| Some((passed_turn(pos)?, Vec::new())));
        let many = if line.moves.is_empty() || strict { 1 } else { usize::MAX };
        let mut error = None;
        for (pos, trail) in starts.into_iter().chain(turned).take(many) {
            match Self::play(sheet, pos, trail, &line.moves) {
                Ok(scene) => return Ok(scene),
                Err(why) => error = error.or(Some(why)),
            }
        }
        Err(error.unwrap_or_default())
    }

    fn play(
        sheet: &'a FactSheet,
        mut pos: Chess,
        mut trail: Vec<(Chess, Move)>,
        moves: &[String],
    ) -> Result<Self, String> {
        for text in moves {
            let m = read_move(&pos, sheet.played().mode, text.trim_end_matches(['+', '#', '!', '?']))
                .map_err(|error| format!("{text} can't be played: {error}"))?;
            let before = pos.clone();
            pos.play_unchecked(m); // legal: read_move found it among the legal ones
            trail.push((before, m));
        }
        Ok(Self {
            sheet,
            pos,
            trail,
            named: moves.len(),
        })
    }

    pub fn board(&self) -> &Board {
        self.pos.board()
    }

    pub fn played(&self) -> &'a Played {
        self.sheet.played()
    }

    pub fn evaluation(&self) -> Option<&'a Evaluation> {
        self.sheet.evaluation()
    }

    /// The move that led here; the move under discussion where the statement speaks of the position before it.
    pub fn deed(&self) -> (&Chess, Move, Chess) {
        match self.trail.last() {
            Some((before, m)) => (before, *m, self.pos.clone()),
            None => {
                let played = self.played();
                (&played.before, played.mv, played.after.clone())
            }
        }
    }

    /// The man that moves in [`Scene::deed`], as it stood and as it stands.
    pub fn moved(&self) -> Option<(Man, Man)> {
        let (before, m, after) = self.deed();
        let from = Man::at(before.board(), m.from()?)?;
        let to = Man::at(after.board(), destination(m))?;
        Some((from, to))
    }

    /// Who made [`Scene::deed`].
    pub fn mover(&self) -> Color {
        self.deed().0.turn()
    }

    /// The side that a statement is about: the one it names, else its subject's, else the one that moves.
    pub fn side_of(&self, statement: &Statement) -> Color {
        statement.of_side().unwrap_or_else(|| self.mover())
    }

    /// The position with this side to move; `None` where the other is in check.
    pub fn turned_to(&self, side: Color) -> Option<Chess> {
        if self.pos.turn() == side {
            Some(self.pos.clone())
        } else {
            passed_turn(&self.pos)
        }
    }

    /// The moves that the statement itself names, with the positions before them; the last move where it names none.
    pub fn own_moves(&self) -> Vec<(Chess, Move)> {
        if self.named > 0 {
            self.trail[self.trail.len() - self.named..].to_vec()
        } else {
            let (before, m, _) = self.deed();
            vec![(before.clone(), m)]
        }
    }

    /// The men that a designation may mean here.
    ///
    /// # Errors
    /// Where none stands here.
    pub fn men(&self, designation: &Designation) -> Result<Vec<Man>, Absent> {
        let men = designation.men(self.board());
        if men.is_empty() {
            return Err(self.absent(designation));
        }
        Ok(men)
    }

    /// Why no man fits: it stood there earlier on the way, or never.
    pub fn absent(&self, designation: &Designation) -> Absent {
        let there = |board: &Board| !designation.men(board).is_empty();
        let reason = format!("There is no {}.", designation.in_words());
        let played = self.played();
        let earlier = self.trail.iter().any(|(pos, _)| there(pos.board()));
        if earlier || there(played.before.board()) || there(played.after.board()) {
            Absent::Elsewhere(reason)
        } else {
            Absent::Never(reason)
        }
    }

    /// The engine's score of this position, **the view of the side that makes the move under discussion**: where one of its
    /// lines comes by here.
    pub fn score(&self) -> Option<Score> {
        let evaluation = self.evaluation()?;
        let played = self.played();
        if self.trail.is_empty() {
            return evaluation.before.first().map(|line| line.score);
        }
        let mode = played.mode;
        let way: Vec<UciMove> = self.trail.iter().map(|(_, m)| m.to_uci(mode)).collect();
        if self.trail[0].0 == played.before {
            if way == [played.uci()] {
                return Some(evaluation.played);
            }
            let along = |moves: &[UciMove], skip: usize| {
                way.get(skip..)
                    .is_some_and(|rest| moves.starts_with(rest) && !rest.is_empty())
            };
            let behind = way[0] == played.uci();
            let after = evaluation.after.iter().filter(|line| behind && along(&line.moves, 1));
            let before = evaluation.before.iter().filter(|line| along(&line.moves, 0));
            return after.chain(before).map(|line| line.score).next();
        }
        None
    }
}

//! The positions that prose may speak of: before and after the move, and along the moves that it names.

use std::cell::Cell;

use shakmaty::{Board, Chess, Color, Move, Position, Role, Square, san::SanPlus};

use crate::commentary::claims::grammar::{Arg, Context, MoveWord};
use crate::{
    chess::{Man, Played, destination, motifs::threat::passed_turn, read_move},
    commentary::{
        FactId, FactKind, FactSheet,
        fact::{Detail, Fact},
    },
};

/// Most readings of one move that are followed.
const READINGS: usize = 12;
/// Most moves that are tried for one text; prose longer than that is left uncheckable.
const TRIES: u32 = 20_000;

/// Which position a view is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// Before the move.
    Before,
    /// After it.
    After,
    /// Somewhere along a line.
    Line,
}

/// A position with the move that led to it.
#[derive(Debug, Clone)]
pub struct View {
    /// The position.
    pub pos: Chess,
    /// The position before and the move, where one led here.
    pub deed: Option<(Chess, Move)>,
    /// Which it is.
    pub point: Point,
    /// The moves of the line that led here, each with the position before it.
    pub trail: Vec<(Chess, Move)>,
}

impl View {
    /// The position after a move.
    #[must_use]
    pub fn after(before: &Chess, m: Move) -> Self {
        let mut pos = before.clone();
        pos.play_unchecked(m);
        Self {
            pos,
            deed: Some((before.clone(), m)),
            point: Point::Line,
            trail: vec![(before.clone(), m)],
        }
    }

    /// A position alone.
    #[must_use]
    pub const fn alone(pos: Chess) -> Self {
        Self {
            pos,
            deed: None,
            point: Point::Line,
            trail: Vec::new(),
        }
    }

    /// Its board.
    #[must_use]
    pub fn board(&self) -> &Board {
        self.pos.board()
    }

    /// The man that moved, where it stands now.
    #[must_use]
    pub fn moved(&self) -> Option<Man> {
        let (_, m) = self.deed.as_ref()?;
        Man::at(self.pos.board(), destination(*m))
    }

    /// The man that moved, where it stood.
    #[must_use]
    pub fn moved_from(&self) -> Option<Man> {
        let (before, m) = self.deed.as_ref()?;
        Man::at(before.board(), m.from()?)
    }

    /// The man that was taken, where it stood.
    #[must_use]
    pub fn taken(&self) -> Option<Man> {
        let (before, m) = self.deed.as_ref()?;
        if m.is_en_passant() {
            return Man::at(before.board(), Square::from_coords(m.to().file(), m.from()?.rank()));
        }
        if m.is_capture() {
            Man::at(before.board(), m.to())
        } else {
            None
        }
    }

    /// Who moved.
    #[must_use]
    pub fn mover(&self) -> Color {
        self.deed
            .as_ref()
            .map_or(self.pos.turn().other(), |(before, _)| before.turn())
    }

    /// The move in SAN.
    #[must_use]
    pub fn san(&self) -> Option<String> {
        let (before, m) = self.deed.as_ref()?;
        Some(SanPlus::from_move(before.clone(), *m).to_string())
    }
}

/// What moves that are named lead to.
#[derive(Debug, Clone)]
pub struct Readings {
    /// The positions, likeliest first.
    pub views: Vec<View>,
    /// Why the moves can't be played, where they can't.
    pub error: Option<String>,
}

/// The sheet with the positions around it.
pub struct World<'a> {
    /// The facts.
    pub sheet: &'a FactSheet,
    tries: Cell<u32>,
    /// The position that is spoken of in place of that after the move.
    scene: Option<View>,
}

impl<'a> World<'a> {
    /// The world of a sheet.
    pub const fn new(sheet: &'a FactSheet) -> Self {
        Self {
            sheet,
            tries: Cell::new(TRIES),
            scene: None,
        }
    }

    /// The same where a text has come to another position.
    pub fn at(&self, view: &View) -> Self {
        Self {
            sheet: self.sheet,
            tries: self.tries.clone(),
            scene: Some(View {
                point: Point::After,
                ..view.clone()
            }),
        }
    }

    /// The move.
    pub fn played(&self) -> &'a Played {
        self.sheet.played()
    }

    /// Who makes it.
    pub fn mover(&self) -> Color {
        self.played().mover()
    }

    /// After the move.
    pub fn after(&self) -> View {
        if let Some(view) = &self.scene {
            return view.clone();
        }
        let played = self.played();
        View {
            pos: played.after.clone(),
            deed: Some((played.before.clone(), played.mv)),
            point: Point::After,
            trail: vec![(played.before.clone(), played.mv)],
        }
    }

    /// Before the move.
    pub fn before(&self) -> View {
        let played = self.played();
        View {
            pos: played.before.clone(),
            deed: None,
            point: Point::Before,
            trail: Vec::new(),
        }
    }

    /// The facts of a kind for which `wanted` holds.
    pub fn facts(&self, kind: FactKind, wanted: impl Fn(&Detail) -> bool) -> Vec<FactId> {
        self.sheet
            .of_kind(kind)
            .filter(|fact| wanted(&fact.detail))
            .map(|fact| fact.id)
            .collect()
    }

    /// The first fact of a kind.
    pub fn fact(&self, kind: FactKind) -> Option<&'a Fact> {
        self.sheet.of_kind(kind).next()
    }

    /// True where the word is the move under discussion.
    pub fn is_played(&self, word: &MoveWord) -> bool {
        let Some((before, led)) = self.after().deed else {
            return false;
        };
        !word.reply
            && word.side.is_none_or(|side| side == before.turn())
            && read_move(&before, self.played().mode, &plain(&word.text)).is_ok_and(|m| m == led)
    }

    /// True where these moves lead to another position than that after the move under discussion.
    pub fn leads_on(&self, line: &[MoveWord]) -> bool {
        line.iter().any(|word| !self.is_played(word)) && !self.follow(&[line.to_vec()]).views.is_empty()
    }

    /// The positions after the runs of moves, tried as replies, as alternatives, as the mover's next move, and along
    /// the engine's lines.
    pub fn follow(&self, runs: &[Vec<MoveWord>]) -> Readings {
        self.walk(runs, false)
    }

    /// The same, where each run must follow the one before.
    pub fn follow_strictly(&self, runs: &[Vec<MoveWord>]) -> Readings {
        self.walk(runs, true)
    }

    /// The positions after a run from these alone.
    pub fn follow_from(&self, starts: &[View], run: &[MoveWord]) -> Readings {
        self.run(starts, run)
    }

    /// The positions after a move to the square from these, or in place of the move, by whoever can.
    pub fn reached(&self, views: &[View], square: Square, role: Option<Role>) -> Vec<View> {
        let there = |view: &View| view.moved().is_some_and(|man| man.square == square);
        if views.iter().any(there) {
            return Vec::new();
        }
        let mut starts: Vec<Chess> = views.iter().take(2).map(|view| view.pos.clone()).collect();
        let turned: Vec<Chess> = starts.iter().filter_map(passed_turn).collect();
        starts.extend(turned);
        starts.push(self.before().pos);
        let mut found = Vec::new();
        for pos in starts {
            let moves = pos.legal_moves();
            let fits = |m: &&Move| m.to() == square && role.is_none_or(|role| m.role() == role);
            found.extend(moves.iter().filter(fits).take(4).map(|m| View::after(&pos, *m)));
        }
        found
    }

    /// The position where the mover moves again.
    pub fn next_turn(&self) -> Vec<View> {
        passed_turn(&self.after().pos).map(View::alone).into_iter().collect()
    }

    fn walk(&self, runs: &[Vec<MoveWord>], strict: bool) -> Readings {
        let mut views: Vec<View> = Vec::new();
        let mut error = None;
        for run in runs {
            let mut tried = Readings {
                views: Vec::new(),
                error: None,
            };
            if !views.is_empty() {
                tried = self.run(&views, run);
            }
            let free = !strict || views.is_empty();
            if tried.views.is_empty() && free {
                let fresh = self.run(&self.starts(run, strict && runs.len() > 1), run);
                if tried.error.is_none() {
                    tried.error = fresh.error.clone();
                }
                tried.views = fresh.views;
            }
            if tried.views.is_empty() && free && !self.begins(run) {
                let numbered = run.first().and_then(|word| word.number);
                let mut starts = self.engine_starts();
                starts.retain(|view| numbered.is_none_or(|n| view.pos.fullmoves().get() == n));
                let fresh = self.run(&starts, run);
                tried.views = fresh.views;
            }
            if tried.views.is_empty() {
                error = tried.error;
                return Readings {
                    views: Vec::new(),
                    error,
                };
            }
            views = tried.views;
        }
        Readings { views, error }
    }

    /// Where a run may begin. One of several moves begins as a reply or in place of the move where it can; so does one that
    /// others must follow.
    fn starts(&self, run: &[MoveWord], leads: bool) -> Vec<View> {
        let mut starts = vec![self.after(), self.before()];
        if !self.begins(run) && (!leads || self.run(&starts, run).views.is_empty()) {
            starts.extend(self.next_turn());
        }
        starts
    }

    /// Several moves of which the first can be played as a reply or in place of the move.
    fn begins(&self, run: &[MoveWord]) -> bool {
        run.len() > 1 && !self.run(&[self.after(), self.before()], &run[..1]).views.is_empty()
    }

    /// Positions along the engine's lines.
    pub fn engine_starts(&self) -> Vec<View> {
        let Some(evaluation) = self.sheet.evaluation() else {
            return Vec::new();
        };
        let mut starts = Vec::new();
        let played = self.played();
        let before = evaluation.before.iter().map(|line| (&played.before, line));
        let after = evaluation.after.iter().map(|line| (&played.after, line));
        for (start, line) in after.chain(before).take(6) {
            let mut pos = start.clone();
            for uci in line.moves.iter().take(12) {
                let Ok(m) = uci.to_move(&pos) else { break };
                let before = pos.clone();
                let Ok(next) = pos.play(m) else { break };
                pos = next;
                starts.push(View {
                    pos: pos.clone(),
                    deed: Some((before, m)),
                    point: Point::Line,
                    trail: Vec::new(),
                });
            }
        }
        starts
    }

    fn run(&self, starts: &[View], run: &[MoveWord]) -> Readings {
        let mut views: Vec<View> = Vec::new();
        let mut furthest: Option<(usize, String)> = None;
        // "Nxe5 Nxe5" after the move that was played: it is there already, unless the other side castles, too.
        let named = run.first().is_some_and(|word| self.is_played(word));
        let from = starts.iter().flat_map(|start| {
            let skips: &[usize] = if start.point == Point::After && named {
                &[1, 0]
            } else {
                &[0]
            };
            skips.iter().map(move |&skip| (start, skip))
        });
        for (start, skip) in from {
            if views.len() >= READINGS {
                break;
            }
            let mut view = start.clone();
            let mut failed = None;
            for (number, word) in run.iter().enumerate().skip(skip) {
                if self.tries.get() == 0 {
                    failed = Some((number, String::new()));
                    break;
                }
                self.tries.set(self.tries.get() - 1);
                if let Some(side) = word.side.filter(|&side| side != view.pos.turn()) {
                    failed = Some((
                        number,
                        format!(
                            "{} is not {}'s move there.",
                            word.text,
                            crate::chess::names::color_name(side)
                        ),
                    ));
                    break;
                }
                match read_move(&view.pos, self.played().mode, &plain(&word.text)) {
                    Ok(m) => {
                        let before = view.pos.clone();
                        let Ok(pos) = view.pos.clone().play(m) else {
                            failed = Some((number, format!("{} can't be played.", word.text)));
                            break;
                        };
                        let point = if view.point == Point::Before && m == self.played().mv {
                            Point::After
                        } else {
                            Point::Line
                        };
                        let mut trail = std::mem::take(&mut view.trail);
                        trail.push((before.clone(), m));
                        view = View {
                            pos,
                            deed: Some((before, m)),
                            point,
                            trail,
                        };
                    }
                    Err(error) => {
                        failed = Some((number, format!("{} can't be played: {error}", word.text)));
                        break;
                    }
                }
            }
            match failed {
                None => views.push(view),
                Some((number, reason)) => {
                    if furthest.as_ref().is_none_or(|(n, _)| number > *n) {
                        furthest = Some((number, reason));
                    }
                }
            }
        }
        Readings {
            error: if views.is_empty() {
                furthest.map(|(_, reason)| reason)
            } else {
                None
            },
            views,
        }
    }

    /// The positions that a clause in this context, with this subject, speaks of.
    pub fn views(&self, context: &Context, subject: &[Arg]) -> Vec<View> {
        // "Qf7 mate, backed by the pawn": the move, or the queen.
        if let [Arg::Any(all)] = subject
            && let [Arg::Move(word, _)] = all.iter().filter(|a| matches!(a, Arg::Move(..))).collect::<Vec<_>>()[..]
            && !self.is_played(word)
        {
            let mut runs = context.runs.clone();
            runs.push(vec![word.clone()]);
            let mut views = self.follow(&runs).views;
            views.extend(self.views(context, &[]));
            return views;
        }
        let mut runs = context.runs.clone();
        let word = match subject {
            [Arg::Move(word, _)] => Some(word),
            _ => None,
        };
        if let Some(word) = word {
            if runs.is_empty() && self.is_played(word) {
                return vec![self.after()];
            }
            runs.push(vec![word.clone()]);
        }
        if !runs.is_empty() {
            return self.follow(&runs).views;
        }
        if context.before {
            return vec![self.before()];
        }
        let mut views = Vec::new();
        if !context.loose.is_empty() && !context.loose.iter().all(|word| self.is_played(word)) {
            views = self.follow(std::slice::from_ref(&context.loose)).views;
        }
        views.push(self.after());
        views
    }
}

/// The move for the reader: figurines and marks are read, the check sign is not asked for.
#[must_use]
pub fn plain(text: &str) -> String {
    text.trim_end_matches(['+', '#']).replace("o-o", "O-O")
}

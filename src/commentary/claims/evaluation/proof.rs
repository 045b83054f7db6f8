//! What shows on the board that a statement holds, or that it does not: the men and squares that it is about, the lines between
//! them, and the moves that decide it.

use shakmaty::{Board, Color, Move, Position, Square, uci::UciMove};

use super::{
    contact::{Contact, contact},
    scene::Scene,
    tactics::fits,
};
use crate::{
    chess::{
        Man, destination,
        motifs::{
            fork::fork,
            line::{aligned, pins},
            mate::mates_in_one,
        },
    },
    commentary::{
        FactSheet, Line,
        claims::statement::{Designation, Point, Predicate, Statement},
    },
};

/// Most men of one designation that are shown: of more, none is meant.
const MOST_MEN: usize = 8;
/// Most moves of an engine's line that are shown.
const MOST_MOVES: usize = 6;

/// What is drawn and played beside a claim.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proof {
    /// The men and squares that it is about, each once.
    pub squares: Vec<Square>,
    /// From a man to what it bears on, or where it goes.
    pub lines: Vec<(Square, Square)>,
    /// The moves that decide it, from the position before the move under discussion on: those that it names, or the engine's line
    /// that bears it out or refutes it.
    pub moves: Vec<UciMove>,
}

impl Proof {
    /// Whether there is nothing to show.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds what another shows; its moves where there are none yet.
    pub fn add(&mut self, other: Self) {
        other.squares.into_iter().for_each(|square| self.ring(square));
        other.lines.into_iter().for_each(|line| self.draw(line));
        if self.moves.is_empty() {
            self.moves = other.moves;
        }
    }

    fn ring(&mut self, square: Square) {
        if !self.squares.contains(&square) {
            self.squares.push(square);
        }
    }

    fn draw(&mut self, line: (Square, Square)) {
        if line.0 != line.1 && !self.lines.contains(&line) {
            self.lines.push(line);
        }
    }

    fn draw_move(&mut self, m: Move) {
        if let Some(from) = m.from() {
            self.draw((from, destination(m)));
        }
    }

    fn draw_all(&mut self, from: Square, to: impl IntoIterator<Item = Square>) {
        to.into_iter().for_each(|to| self.draw((from, to)));
    }
}

/// What shows that `statement` holds of the move that `sheet` is about, or does not. Nothing where its position can't be reached.
#[must_use]
pub fn prove(statement: &Statement, sheet: &FactSheet) -> Proof {
    let strict = statement.predicate == Predicate::Playable;
    let Ok(scene) = Scene::of(sheet, &statement.line, strict) else {
        return Proof::default();
    };
    let mut proof = Proof::default();
    named(statement, &scene, &mut proof);
    between(statement, &scene, &mut proof);
    proof.moves = deciding(statement, &scene);
    proof
}

/// The men and squares that it names.
fn named(statement: &Statement, scene: &Scene<'_>, proof: &mut Proof) {
    let board = scene.board();
    let designations = statement
        .subject
        .iter()
        .chain(&statement.objects)
        .chain(&statement.behind);
    for designation in designations {
        for man in few(designation, board) {
            proof.ring(man.square);
        }
        // Where such a man is missing, too.
        if let Some(square) = designation.square {
            proof.ring(square);
        }
    }
    for square in &statement.squares {
        proof.ring(*square);
    }
    if let Some(file) = statement.file {
        let pawns = board.pawns() & shakmaty::Bitboard::from(file);
        for square in pawns {
            proof.ring(square);
        }
    }
}

/// The men that a designation may mean, where they are few enough for one to be meant.
fn few(designation: &Designation, board: &Board) -> Vec<Man> {
    if designation.is_side() {
        return Vec::new();
    }
    let men = designation.men(board);
    if men.len() > MOST_MEN { Vec::new() } else { men }
}

/// The lines between men that make it so, or that are there instead.
fn between(statement: &Statement, scene: &Scene<'_>, proof: &mut Proof) {
    use Predicate as P;
    let board = scene.board();
    match statement.predicate {
        P::Attacks | P::Defends | P::Uncovers | P::ThreatensToTake | P::CanTake => bears(statement, board, proof),
        P::Undefended | P::Hanging | P::Trapped | P::Outpost => {
            // Its guards refute that nobody guards it; who takes it shows the rest.
            let guards = statement.predicate == P::Undefended;
            for man in statement.subject.iter().flat_map(|subject| few(subject, board)) {
                let color = if guards { man.color } else { man.color.other() };
                for by in onto(board, man.square, color) {
                    proof.draw((by, man.square));
                }
            }
        }
        P::Pins | P::Skewers => {
            let front = statement.object().or(statement.subject);
            let by = statement.object().and(statement.subject);
            let real = pins(board);
            let lines = aligned(board).filter(|(slider, man, back)| {
                fits(by, *slider)
                    && fits(front, *man)
                    && fits(statement.behind, *back)
                    && (statement.predicate == P::Skewers
                        || real.iter().any(|pin| pin.by == *slider && pin.pinned == *man))
            });
            for (slider, man, back) in lines {
                proof.ring(man.square);
                proof.draw((slider.square, back.square));
            }
        }
        P::Forks => {
            for man in statement.subject.iter().flat_map(|subject| few(subject, board)) {
                match fork(board, man, None) {
                    Some(fork) => proof.draw_all(man.square, fork.targets.iter().map(|target| target.square)),
                    None => bears(statement, board, proof),
                }
            }
        }
        P::Battery => {
            for one in statement.subject.iter().flat_map(|subject| few(subject, board)) {
                let other = statement.objects.iter().flat_map(|object| few(object, board));
                proof.draw_all(one.square, other.map(|man| man.square));
            }
        }
        P::GivesCheck | P::InCheck | P::Checkmate => {
            if let Some(king) = board.king_of(scene.pos.turn()) {
                for by in scene.pos.checkers() {
                    proof.draw((by, king));
                }
            }
        }
        P::Goes | P::Takes | P::Recaptures | P::Castles | P::Promotes | P::Develops | P::GivesUp => {
            for (_, m) in scene.own_moves() {
                proof.draw_move(m);
            }
        }
        P::CanGo => {
            for man in statement.subject.iter().flat_map(|subject| few(subject, board)) {
                let Some(pos) = scene.turned_to(man.color) else {
                    continue;
                };
                let moves = pos.legal_moves();
                let to = moves
                    .iter()
                    .filter(|m| m.from() == Some(man.square))
                    .map(|m| destination(*m));
                let wanted = to.filter(|to| statement.squares.is_empty() || statement.squares.contains(to));
                proof.draw_all(man.square, wanted);
            }
        }
        P::ThreatensMate => {
            let mates = scene
                .turned_to(scene.side_of(statement))
                .map(|pos| mates_in_one(&pos))
                .unwrap_or_default();
            for m in mates {
                proof.draw_move(m);
            }
        }
        _ => {}
    }
}

/// From the subject's men to the objects and squares that they bear on; of a side alone, any of its men.
fn bears(statement: &Statement, board: &Board, proof: &mut Proof) {
    let subject = statement.subject.unwrap_or_default();
    let color = subject.color.or(statement.side);
    let objects = statement.objects.iter().flat_map(|object| match object.square {
        Some(square) => vec![square],
        None => few(object, board).into_iter().map(|man| man.square).collect(),
    });
    let targets: Vec<Square> = objects.chain(statement.squares.iter().copied()).collect();
    let is_any = statement.subject.is_none() || subject.is_side();
    for target in targets {
        let men = Man::all(board, board.occupied())
            .into_iter()
            .filter(|man| match is_any {
                true => color.is_none_or(|color| man.color == color),
                false => subject.fits(*man),
            });
        let on = Man::at(board, target);
        let attack = statement.predicate != Predicate::Defends;
        for man in men {
            let sided = on.is_none_or(|on| (on.color != man.color) == attack);
            if sided && contact(board, man, target) != Contact::None {
                proof.draw((man.square, target));
            }
        }
    }
}

/// The squares of a side's men that bear on a square.
fn onto(board: &Board, square: Square, color: Color) -> Vec<Square> {
    let men = Man::all(board, board.by_color(color)).into_iter();
    men.filter(|man| contact(board, *man, square) != Contact::None)
        .map(|man| man.square)
        .collect()
}

/// The moves that decide it, from the position before the move under discussion on.
fn deciding(statement: &Statement, scene: &Scene<'_>) -> Vec<UciMove> {
    use Predicate as P;
    let played = scene.played();
    let here: Vec<UciMove> = scene.trail.iter().map(|(_, m)| m.to_uci(played.mode)).collect();
    let first = |lines: &[Line]| lines.first().map(|line| line.moves.clone()).unwrap_or_default();
    let line = scene.evaluation().and_then(|evaluation| match statement.predicate {
        // What is better than what is spoken of: the move by itself, which is lost to sight where a line leads on.
        P::BestMove | P::BetterMove | P::EquallyGood | P::OnlyMove => {
            Some(first(&evaluation.before).into_iter().take(1).collect())
        }
        // What follows.
        P::Better
        | P::Equal
        | P::Score
        | P::MoveQuality
        | P::ForcedMate
        | P::Wins
        | P::GivesUp
        | P::Trades
        | P::Hanging
        | P::Trapped
        | P::ThreatensToTake
            if scene.named == 0 =>
        {
            Some(match statement.line.from {
                Point::Before => first(&evaluation.before),
                Point::After => [vec![played.uci()], first(&evaluation.after)].concat(),
            })
        }
        _ => None,
    });
    let of_engine = line.map(|moves| moves.into_iter().take(MOST_MOVES).collect());
    let mut line: Vec<UciMove> = of_engine.unwrap_or(if scene.named > 0 { here } else { Vec::new() });
    // The move alone is on the board already.
    if line == [played.uci()] {
        line.clear();
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess::read_move, commentary::claims::statement::WrittenStatement};
    use shakmaty::{CastlingMode, Chess, fen::Fen};

    fn shown(fen: &str, mv: &str, written: &str) -> (Vec<String>, Vec<String>, Vec<String>) {
        let fen: Fen = fen.parse().unwrap();
        let before: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        let m = read_move(&before, CastlingMode::Standard, mv).unwrap();
        let played = crate::chess::Played::new(before, m, CastlingMode::Standard, Vec::new()).unwrap();
        let sheet = FactSheet::new(&played, None, None);
        let written: WrittenStatement = serde_json::from_str(written).unwrap();
        let proof = prove(&Statement::try_from(&written).unwrap(), &sheet);
        (
            proof.squares.iter().map(ToString::to_string).collect(),
            proof.lines.iter().map(|(from, to)| format!("{from}{to}")).collect(),
            proof.moves.iter().map(ToString::to_string).collect(),
        )
    }

    const PINNED: &str = "rnbqkbnr/ppp2ppp/3p4/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 3";

    fn words(all: &[&str]) -> Vec<String> {
        all.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_pin_is_shown_through_the_man_to_what_stands_behind() {
        let (squares, lines, moves) = shown(
            PINNED,
            "Bg4",
            r#"{"predicate": "pins", "subject": "black bishop g4", "objects": ["white knight f3"], "behind": "white queen"}"#,
        );
        assert_eq!(
            (squares, lines, moves),
            (words(&["g4", "f3", "d1"]), words(&["g4d1"]), Vec::new())
        );
    }

    #[test]
    fn guards_refute_that_nobody_guards() {
        let (squares, lines, _) = shown(
            PINNED,
            "Bg4",
            r#"{"predicate": "undefended", "subject": "white pawn e4"}"#,
        );
        assert_eq!(
            (squares, lines),
            (words(&["e4"]), Vec::new()),
            "it is so: there is nothing to draw"
        );
        let (_, lines, _) = shown(
            PINNED,
            "Bg4",
            r#"{"predicate": "undefended", "subject": "white knight f3"}"#,
        );
        assert_eq!(lines, words(&["d1f3", "g2f3"]));
    }

    #[test]
    fn a_man_that_is_missing_is_looked_for_on_its_square() {
        let (squares, lines, _) = shown(PINNED, "Bg4", r#"{"predicate": "stands", "subject": "black queen h4"}"#);
        assert_eq!((squares, lines), (words(&["h4"]), Vec::new()));
    }

    #[test]
    fn moves_that_are_named_are_played() {
        let (_, lines, moves) = shown(
            PINNED,
            "Bg4",
            r#"{"predicate": "takes", "subject": "white pawn", "objects": ["black pawn e5"], "moves": ["dxe5"]}"#,
        );
        assert_eq!((lines, moves), (words(&["d4e5"]), words(&["c8g4", "d4e5"])));
        let named = r#"{"predicate": "stands", "subject": "black bishop g4", "position": "before", "moves": ["Bg4"]}"#;
        let (_, _, moves) = shown(PINNED, "Bg4", named);
        assert_eq!(moves, Vec::<String>::new(), "the move itself is on the board");
    }
}

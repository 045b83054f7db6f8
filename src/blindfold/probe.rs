//! A question about the board: the beginning of a game, then one token, and a model's next token is its answer.

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Role, Square};
use thiserror::Error;

use super::{
    legal_sets::LegalSets,
    notation::Notation,
    ply::{Ply, ReplayError, Replayed, replay, uci_text},
    token::Token,
};

/// The four tasks (section 3.2 of the paper).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProbeTask {
    /// Where does the piece go that moved in the game?
    EndActual,
    /// Where may another piece go?
    EndOther,
    /// Where does the piece of this type stand that moved in the game?
    StartActual,
    /// Where do pieces of another type stand that may move?
    StartOther,
}

impl ProbeTask {
    /// All, in the paper's order.
    pub const ALL: [Self; 4] = [Self::EndActual, Self::EndOther, Self::StartActual, Self::StartOther];

    /// As the paper writes it.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::EndActual => "End-Actual",
            Self::EndOther => "End-Other",
            Self::StartActual => "Start-Actual",
            Self::StartOther => "Start-Other",
        }
    }

    /// Its word on command lines and in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::EndActual => "end-actual",
            Self::EndOther => "end-other",
            Self::StartActual => "start-actual",
            Self::StartOther => "start-other",
        }
    }

    /// The task with this word.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|task| task.word() == word)
    }

    /// Whether a square is asked for on which a move ends.
    #[must_use]
    pub const fn is_end(self) -> bool {
        matches!(self, Self::EndActual | Self::EndOther)
    }

    /// Whether the game's own move is asked about.
    #[must_use]
    pub const fn is_actual(self) -> bool {
        matches!(self, Self::EndActual | Self::StartActual)
    }
}

/// What a file says of a probe; the names of its fields are the authors', who have no `id`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeLine {
    /// Its name in its set.
    pub id: String,
    /// The moves before it, in UCI.
    pub prefix: String,
    /// Where the game's next move starts.
    pub starting_square: String,
    /// Where it ends; without it End-Actual is not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending_square: Option<String>,
    /// The square that End-Other asks about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_starting_square: Option<String>,
    /// The type that Start-Other asks about: N, B, R, Q or K.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_piece_type: Option<String>,
}

/// The beginning of a game, and what is asked after it; one prefix serves all four tasks.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    id: String,
    replayed: Replayed,
    legal: LegalSets,
    start: Square,
    end: Option<Square>,
    other_square: Option<Square>,
    other_type: Option<Role>,
}

/// Why a line is no probe.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProbeError {
    /// The moves cannot be played.
    #[error("prefix: {0}")]
    Prefix(#[from] ReplayError),
    /// Not a square.
    #[error("{0}: this is no square")]
    NoSquare(&'static str),
    /// Not a type of a piece.
    #[error("{0}: this is none of N, B, R, Q and K")]
    NoType(&'static str),
    /// No piece may move from there, pawns and castling apart.
    #[error("{0}: no piece may move from there")]
    NoMove(&'static str),
    /// The game's move is not legal.
    #[error("ending_square: the piece may not go there")]
    NotLegal,
    /// What is asked about as another is the game's own.
    #[error("{0}: this is the game's own, and no other")]
    NotOther(&'static str),
}

/// What is asked in one task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Which task.
    pub task: ProbeTask,
    /// The token after the prefix.
    pub prompt: Token,
    /// What moves.
    pub role: Role,
    /// The game's own answer; `None` of the Other tasks.
    pub exact: Option<Square>,
    /// The legal answers, in order; at least one.
    pub legal: Vec<Square>,
}

impl Question {
    /// Where the move starts, where that is given.
    #[must_use]
    pub fn from(&self) -> Option<Square> {
        self.prompt.square()
    }
}

impl Probe {
    /// Reads a line.
    ///
    /// # Errors
    /// When it is not about a position in which such moves are possible.
    pub fn read(line: &ProbeLine) -> Result<Self, ProbeError> {
        let replayed = replay(&line.prefix)?;
        let legal = LegalSets::of(&replayed.position);
        let movable = |name, text: &str| {
            let square = Square::from_ascii(text.as_bytes()).map_err(|_| ProbeError::NoSquare(name))?;
            let role = legal.role(square).ok_or(ProbeError::NoMove(name))?;
            Ok::<_, ProbeError>((square, role))
        };
        let (start, role) = movable("starting_square", &line.starting_square)?;
        let end = match &line.ending_square {
            Some(text) => {
                let end = Square::from_ascii(text.as_bytes()).map_err(|_| ProbeError::NoSquare("ending_square"))?;
                if !legal.targets(start).contains(&end) {
                    return Err(ProbeError::NotLegal);
                }
                Some(end)
            }
            None => None,
        };
        let other_square = match &line.other_starting_square {
            Some(text) => Some(movable("other_starting_square", text)?.0),
            None => None,
        };
        if other_square == Some(start) {
            return Err(ProbeError::NotOther("other_starting_square"));
        }
        let other_type = match &line.other_piece_type {
            Some(text) => Some(piece_type("other_piece_type", text)?),
            None => None,
        };
        if other_type == Some(role) {
            return Err(ProbeError::NotOther("other_piece_type"));
        }
        if other_type.is_some_and(|role| legal.starts(role).is_empty()) {
            return Err(ProbeError::NoMove("other_piece_type"));
        }
        Ok(Self {
            id: line.id.clone(),
            replayed,
            legal,
            start,
            end,
            other_square,
            other_type,
        })
    }

    /// As a file has it.
    #[must_use]
    pub fn line(&self) -> ProbeLine {
        ProbeLine {
            id: self.id.clone(),
            prefix: uci_text(&self.replayed.plies),
            starting_square: self.start.to_string(),
            ending_square: self.end.map(|square| square.to_string()),
            other_starting_square: self.other_square.map(|square| square.to_string()),
            other_piece_type: self.other_type.map(|role| role.upper_char().to_string()),
        }
    }

    /// Its name.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The moves before it.
    #[must_use]
    pub fn plies(&self) -> &[Ply] {
        &self.replayed.plies
    }

    /// The position that is asked about.
    #[must_use]
    pub const fn position(&self) -> &Chess {
        &self.replayed.position
    }

    /// Where its pieces may go.
    #[must_use]
    pub const fn legal(&self) -> &LegalSets {
        &self.legal
    }

    /// What is asked in a task; `None` where what it takes is not known.
    #[must_use]
    pub fn question(&self, task: ProbeTask) -> Option<Question> {
        let from = |square: Square, exact| {
            Some(Question {
                task,
                prompt: Token::of_square(square),
                role: self.legal.role(square)?,
                exact,
                legal: self.legal.targets(square).to_vec(),
            })
        };
        let of = |role: Role, exact| {
            Some(Question {
                task,
                prompt: Token::of_type(role),
                role,
                exact,
                legal: self.legal.starts(role),
            })
        };
        match task {
            ProbeTask::EndActual => from(self.start, Some(self.end?)),
            ProbeTask::EndOther => from(self.other_square?, None),
            ProbeTask::StartActual => of(self.legal.role(self.start)?, Some(self.start)),
            ProbeTask::StartOther => of(self.other_type?, None),
        }
    }

    /// What a model of a notation is given: the prefix, then the question's token. UCI + AP has every type before its move, so
    /// that the type stands before the square that an End task asks about as well.
    #[must_use]
    pub fn tokens(&self, notation: Notation, question: &Question) -> Vec<Token> {
        let mut tokens = notation.prefix(self.plies());
        if notation == Notation::Ap && question.task.is_end() {
            tokens.push(Token::of_type(question.role));
        }
        tokens.push(question.prompt);
        tokens
    }
}

/// A type of a piece by its letter.
pub(super) fn piece_type(name: &'static str, text: &str) -> Result<Role, ProbeError> {
    let role = match text {
        "N" => Role::Knight,
        "B" => Role::Bishop,
        "R" => Role::Rook,
        "Q" => Role::Queen,
        "K" => Role::King,
        _ => return Err(ProbeError::NoType(name)),
    };
    Ok(role)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The paper's running example.
    pub fn example() -> ProbeLine {
        ProbeLine {
            id: "example".to_owned(),
            prefix: "e2e4 e7e5 g1f3 b8c6 d2d4 h7h6".to_owned(),
            starting_square: "f1".to_owned(),
            ending_square: Some("b5".to_owned()),
            other_starting_square: Some("f3".to_owned()),
            other_piece_type: Some("N".to_owned()),
        }
    }

    #[test]
    fn the_questions_are_table_2() {
        let probe = Probe::read(&example()).unwrap();
        assert_eq!(probe.line(), example());
        let asked: Vec<(String, Option<String>, Vec<String>)> = ProbeTask::ALL
            .iter()
            .map(|task| {
                let question = probe.question(*task).unwrap();
                let mut legal: Vec<String> = question.legal.iter().map(Square::to_string).collect();
                legal.sort();
                let exact = question.exact.map(|square| square.to_string());
                (question.prompt.to_string(), exact, legal)
            })
            .collect();
        let wanted = [
            ("f1", Some("b5"), vec!["a6", "b5", "c4", "d3", "e2"]),
            ("f3", None, vec!["d2", "e5", "g1", "g5", "h4"]),
            ("B", Some("f1"), vec!["c1", "f1"]),
            ("N", None, vec!["b1", "f3"]),
        ]
        .map(|(prompt, exact, legal)| {
            let legal = legal.into_iter().map(str::to_owned).collect();
            (prompt.to_owned(), exact.map(str::to_owned), legal)
        });
        assert_eq!(asked, wanted);
    }

    #[test]
    fn the_prompts_are_those_of_each_notation() {
        let probe = Probe::read(&example()).unwrap();
        let text = |notation, task| {
            let question = probe.question(task).unwrap();
            let tokens = probe.tokens(notation, &question);
            tokens.iter().map(Token::to_string).collect::<Vec<_>>().join(" ")
        };
        let bare = "<s> e2 e4 e7 e5 g1 f3 b8 c6 d2 d4 h7 h6";
        let typed = "<s> P e2 e4 P e7 e5 N g1 f3 N b8 c6 P d2 d4 P h7 h6";
        assert_eq!(text(Notation::Uci, ProbeTask::EndActual), format!("{bare} f1"));
        assert_eq!(text(Notation::Rap(25), ProbeTask::StartActual), format!("{bare} B"));
        assert_eq!(text(Notation::Ap, ProbeTask::StartOther), format!("{typed} N"));
        assert_eq!(text(Notation::Ap, ProbeTask::EndActual), format!("{typed} B f1"));
    }

    #[test]
    fn lines_that_are_no_probes_are_refused_by_their_field() {
        let refused = |change: fn(&mut ProbeLine)| {
            let mut line = example();
            change(&mut line);
            Probe::read(&line).unwrap_err()
        };
        assert!(matches!(refused(|line| line.prefix += " e1e8"), ProbeError::Prefix(_)));
        assert_eq!(
            refused(|line| line.starting_square = "e2".to_owned()),
            ProbeError::NoMove("starting_square")
        );
        assert_eq!(
            refused(|line| line.starting_square = "é".to_owned()),
            ProbeError::NoSquare("starting_square")
        );
        assert_eq!(
            refused(|line| line.ending_square = Some("g1".to_owned())),
            ProbeError::NotLegal
        );
        assert_eq!(
            refused(|line| line.other_starting_square = Some("f1".to_owned())),
            ProbeError::NotOther("other_starting_square")
        );
        assert_eq!(
            refused(|line| line.other_piece_type = Some("B".to_owned())),
            ProbeError::NotOther("other_piece_type")
        );
        assert_eq!(
            refused(|line| line.other_piece_type = Some("P".to_owned())),
            ProbeError::NoType("other_piece_type")
        );
    }

    #[test]
    fn what_is_not_known_is_not_asked() {
        let line = ProbeLine {
            ending_square: None,
            other_starting_square: None,
            other_piece_type: None,
            ..example()
        };
        let probe = Probe::read(&line).unwrap();
        let asked: Vec<ProbeTask> = ProbeTask::ALL
            .into_iter()
            .filter(|task| probe.question(*task).is_some())
            .collect();
        assert_eq!(asked, [ProbeTask::StartActual]);
        for task in ProbeTask::ALL {
            assert_eq!(ProbeTask::of_word(task.word()), Some(task));
        }
    }
}

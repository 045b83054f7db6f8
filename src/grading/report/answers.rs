//! Every answer by itself, the worst first: what was said, what was best, why it lost. For whoever wants to look at the board.

use std::collections::BTreeMap;

use shakmaty::{Chess, uci::UciMove};

use super::material::Scored;
use crate::{
    chess::{
        link::{Link, MAX_LINK_MOVES},
        motifs::mate::mates_in_one,
        pv_san, write_fen,
    },
    grading::{
        fault::Fault,
        grade::{CAP, Class},
        grade_file::{Grades, Key, Reason},
        play::Row,
        run_file::Run,
        suite::{
            goal::Goal,
            position::{Reached, TestPosition},
        },
    },
    judge::item::WrongClaim,
    survey::analysis::table::{Cell, Table},
};

/// An answer to look at.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The position's name.
    pub item: String,
    /// The contestant: the player, with the prompt where there is one.
    pub player: String,
    /// The position.
    pub fen: String,
    /// The words that were taken for the move; of an answer without any its beginning.
    pub said: String,
    /// The legal move in UCI notation.
    pub mv: Option<String>,
    /// In SAN.
    pub san: Option<String>,
    /// What is wrong, where there is no legal move.
    pub fault: Option<Fault>,
    /// Whether the position's goal was reached; `None` where there is nothing to solve.
    pub solved: Option<bool>,
    /// The move's class; `None` without a grade.
    pub class: Option<Class>,
    /// Centipawns lost, uncapped.
    pub loss: Option<u32>,
    /// What would have been best in SAN: the engine's move, else what solves the position; several where several do.
    pub best: Vec<String>,
    /// The best move and what follows, in SAN.
    pub best_line: Vec<String>,
    /// The move that was made and what follows, in SAN: why it lost what it lost.
    pub line: Vec<String>,
    /// The player's reason.
    pub reason: Option<String>,
    /// The reason's claims that are wrong.
    pub wrong: Vec<WrongClaim>,
    /// Where it can be looked at: the position with the moves that led to it, and the move that was made, else the best.
    pub link: Link,
}

/// What is shown of a position at least.
const BEGINNING: usize = 80;

impl Answer {
    fn new(player: &str, scored: &Scored<'_>, reasons: &BTreeMap<(Key, &str), &Reason>) -> Self {
        let Scored { row, at, grade } = *scored;
        let mv = row.first_move().filter(|_| row.is_legal()).map(str::to_owned);
        let reached = at.read().ok();
        let san = |uci: &str| -> Option<String> {
            let uci: UciMove = uci.parse().ok()?;
            pv_san(&reached.as_ref()?.position, &[uci]).into_iter().next()
        };
        let best_uci = grade.map_or_else(
            || {
                reached
                    .as_ref()
                    .map_or_else(Vec::new, |reached| solutions(&at.goal, reached))
            },
            |grade| vec![grade.best.clone()],
        );
        let best: Vec<String> = best_uci.iter().filter_map(|uci| san(uci)).collect();
        let reason = row.explanation.clone();
        let checked = mv.as_ref().zip(reason.as_deref()).and_then(|(mv, reason)| {
            let key = (at.fen.clone(), at.moves.clone(), mv.clone());
            reasons.get(&(key, reason))
        });
        let wrong = checked.map(|checked| checked.wrong.clone()).unwrap_or_default();
        Self {
            item: at.id.clone(),
            player: player.to_owned(),
            fen: at.fen.clone(),
            said: said(row),
            san: mv.as_deref().and_then(san),
            link: link(at, mv.clone().or_else(|| best_uci.first().cloned())),
            mv,
            fault: row.fault.clone(),
            solved: row.solved,
            class: grade.map(crate::grading::grade::Grade::class),
            loss: grade.map(crate::grading::grade::Grade::loss),
            best,
            best_line: grade.map(|grade| grade.best_line.clone()).unwrap_or_default(),
            line: grade.map(|grade| grade.line.clone()).unwrap_or_default(),
            reason,
            wrong,
        }
    }

    /// Whether there is no answer at all.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.fault.as_ref().is_some_and(|fault| fault.kind.is_error())
    }

    /// How bad it is, for the order: what is no legal move loses as much as can be lost, what is not solved comes after it,
    /// then the losses; errors are no answers and stand last.
    fn badness(&self) -> (u8, u32) {
        match (self.is_error(), &self.fault, self.solved, self.loss) {
            (true, ..) => (0, 0),
            (_, Some(_), ..) => (3, CAP),
            (_, None, Some(false), loss) => (2, loss.unwrap_or(CAP)),
            (_, None, _, loss) => (1, loss.unwrap_or_default()),
        }
    }

    /// What is to be said of it, in a sentence.
    #[must_use]
    pub fn why(&self) -> String {
        if let Some(fault) = &self.fault {
            return fault.what.clone();
        }
        let mut sentences = Vec::new();
        match self.solved {
            Some(true) => sentences.push("It solves the position.".to_owned()),
            Some(false) => sentences.push("It does not solve the position.".to_owned()),
            None => {}
        }
        if let (Some(loss), Some(class)) = (self.loss, self.class) {
            sentences.push(format!("{}: it loses {loss} centipawns.", class.label()));
        }
        sentences.join(" ")
    }
}

/// All answers and errors of these runs, the worst first; of equal ones in the suite's order.
#[must_use]
pub fn answers(runs: &[Run], grades: Option<&Grades>) -> Vec<Answer> {
    let reasons = grades.map(Grades::reasons).unwrap_or_default();
    let material = super::material::Material::new(runs, grades);
    let positions: BTreeMap<&str, &TestPosition> = runs
        .iter()
        .flat_map(|run| &run.positions)
        .map(|at| (at.id.as_str(), at))
        .collect();
    let mut all = Vec::new();
    for contestant in &material.contestants {
        let errors = contestant.errors.iter().filter_map(|row| {
            Some(Scored {
                row,
                at: positions.get(row.task.item.as_str())?,
                grade: None,
            })
        });
        let scored = contestant.answers.iter().copied().chain(errors);
        all.extend(scored.map(|scored| Answer::new(&contestant.name, &scored, &reasons)));
    }
    all.sort_by_key(|answer| std::cmp::Reverse(answer.badness()));
    all
}

/// The words that were taken for the move, or the beginning of the answer.
fn said(row: &Row) -> String {
    if !row.said.is_empty() {
        return row.said.clone();
    }
    let reply = row.replies.first().map_or("", String::as_str);
    let mut short: String = reply.chars().take(BEGINNING).collect();
    if reply.chars().nth(BEGINNING).is_some() {
        short.push('…');
    }
    short
}

/// The moves that solve a position, in UCI notation; none where an engine has to say.
fn solutions(goal: &Goal, reached: &Reached) -> Vec<String> {
    match goal {
        Goal::Grade => Vec::new(),
        Goal::Mate => {
            let mates = mates_in_one(&reached.position);
            mates.iter().map(|mv| mv.to_uci(reached.mode).to_string()).collect()
        }
        Goal::Line { line } => line.first().cloned().into_iter().collect(),
        Goal::Points { points } => {
            let most = points.values().max();
            let best = points.iter().filter(|(_, worth)| Some(*worth) == most);
            best.map(|(uci, _)| uci.clone()).collect()
        }
        Goal::Best { best, .. } => best.clone(),
    }
}

/// The address of a position with the moves that led to it, as far as a link carries them.
fn link(at: &TestPosition, mv: Option<String>) -> Link {
    let moves: Vec<String> = at.moves.split_whitespace().map(str::to_owned).collect();
    // The move asked about is one more.
    if moves.is_empty() || moves.len() >= MAX_LINK_MOVES {
        return Link {
            fen: at.fen.clone(),
            mv,
            moves: None,
        };
    }
    let start = || write_fen(&Chess::default(), shakmaty::CastlingMode::Standard);
    Link {
        fen: at.start.clone().unwrap_or_else(start),
        mv,
        moves: Some(moves),
    }
}

/// All of them as a table.
#[must_use]
pub fn table(answers: &[Answer]) -> Table {
    let text = |text: &Option<String>| text.clone().map_or(Cell::None, Cell::Text);
    let list = |words: &[String], between: &str| match words.is_empty() {
        true => Cell::None,
        false => Cell::Text(words.join(between)),
    };
    Table {
        caption: "Every answer, the worst first".to_owned(),
        head: [
            "Item",
            "Player",
            "FEN",
            "Said",
            "Move",
            "SAN",
            "Fault",
            "What",
            "Solved",
            "Class",
            "Loss",
            "Best",
            "Best line",
            "Line",
            "Reason",
            "Wrong claims",
            "Link",
        ]
        .map(str::to_owned)
        .into(),
        rows: answers
            .iter()
            .map(|answer| {
                let wrong: Vec<String> = answer
                    .wrong
                    .iter()
                    .map(|claim| format!("{} ({})", claim.text, claim.reason))
                    .collect();
                vec![
                    Cell::Text(answer.item.clone()),
                    Cell::Text(answer.player.clone()),
                    Cell::Text(answer.fen.clone()),
                    Cell::Text(answer.said.clone()),
                    text(&answer.mv),
                    text(&answer.san),
                    answer
                        .fault
                        .as_ref()
                        .map_or(Cell::None, |fault| fault.kind.label().into()),
                    Cell::Text(answer.why()),
                    answer
                        .solved
                        .map_or(Cell::None, |solved| if solved { "yes" } else { "no" }.into()),
                    answer.class.map_or(Cell::None, |class| class.label().into()),
                    answer.loss.map_or(Cell::None, |loss| Cell::Count(loss as usize)),
                    list(&answer.best, " or "),
                    list(&answer.best_line, " "),
                    list(&answer.line, " "),
                    text(&answer.reason),
                    list(&wrong, "; "),
                    Cell::Text(answer.link.to_hash()),
                ]
            })
            .collect(),
        notes: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        grading::{
            fault::FaultKind,
            grade::Grade,
            grade_file::{GradeRow, Outcome},
            player::{Player, PlayerKind},
            suite::{file::Suite, puzzles::from_csv},
            task::{Settings, Task},
        },
        uci::{Limit, Score},
    };

    const MATES: &str = "PuzzleId,FEN,Moves,Rating,Themes\n\
        a,5k2/5ppp/8/8/8/8/R7/K7 b - - 0 20,f8g8 a2a8,800,mate mateIn1\n\
        b,5k2/5ppp/8/8/8/8/1R6/K7 b - - 0 20,f8g8 b2b8,810,mate mateIn1\n\
        c,5k2/5ppp/8/8/8/8/2R5/K7 b - - 0 20,f8g8 c2c8,820,mate mateIn1\n\
        d,5k2/5ppp/8/8/8/8/3R4/K7 b - - 0 20,f8g8 d2d8,830,mate mateIn1\n";

    fn run() -> Run {
        let positions = from_csv(MATES).unwrap().0;
        let player = Player {
            name: "llm".to_owned(),
            kind: PlayerKind::Endpoint {
                provider: "openai".to_owned(),
                server: "http://127.0.0.1:1".to_owned(),
                model: "m".to_owned(),
            },
        };
        let mut run = Run::new(
            Suite::new("mates", String::new(), 1, positions),
            vec![player],
            Settings::default(),
        );
        let row = |task: &Task, mv: Option<&str>, fault: Option<FaultKind>, solved| Row {
            task: task.clone(),
            key: format!("{task:?}"),
            moves: mv.map(str::to_owned).into_iter().collect(),
            fault: fault.map(|kind| Fault::new(kind, "No.")),
            solved,
            said: String::new(),
            replies: vec!["A long answer ".repeat(20)],
            objected: Vec::new(),
            explanation: mv.map(|_| "It checks.".to_owned()),
            model_answered: None,
            tokens: None,
            millis: 1,
            given_up: Vec::new(),
            copied: false,
        };
        let tasks = run.tasks();
        run.rows = vec![
            row(&tasks[0], Some("a2a8"), None, Some(true)),
            row(&tasks[1], Some("b2b3"), None, Some(false)),
            row(&tasks[2], None, Some(FaultKind::NotAMove), Some(false)),
            row(&tasks[3], None, Some(FaultKind::TimeOut), None),
        ];
        run
    }

    #[test]
    fn the_worst_answer_comes_first_and_every_one_can_be_opened() {
        let run = run();
        let found = answers(std::slice::from_ref(&run), None);
        let ids: Vec<&str> = found.iter().map(|answer| answer.item.as_str()).collect();
        assert_eq!(ids, ["c", "b", "a", "d"]);
        assert_eq!(found[0].best, ["Rc8#"]);
        assert_eq!(found[0].why(), "No.");
        assert!(found[0].said.ends_with('…'), "{}", found[0].said);
        assert_eq!((found[1].san.as_deref(), found[1].loss), (Some("Rb3"), None));
        assert_eq!(found[2].why(), "It solves the position.");
        assert!(found[3].is_error());
        for answer in &found {
            let opened = Link::from_hash(&answer.link.to_hash()).unwrap().open().unwrap();
            let shown = opened.game.position(opened.game.parent(opened.at).unwrap()).unwrap();
            assert_eq!(write_fen(&shown, shakmaty::CastlingMode::Standard), answer.fen);
        }
        assert_eq!(found[1].link.mv.as_deref(), Some("b2b3"), "what was played");
        assert_eq!(found[0].link.mv.as_deref(), Some("c2c8"), "what would have been best");
    }

    #[test]
    fn grades_say_why_it_lost_and_wrong_claims_are_told() {
        let run = run();
        let at = &run.positions[1];
        let mut grades = Grades::new("Toy", Limit::Nodes(1));
        let grade = Grade {
            uci: "b2b3".to_owned(),
            san: "Rb3".to_owned(),
            best: "b2b8".to_owned(),
            best_san: "Rb8#".to_owned(),
            best_score: Score::Mate(1),
            score: Score::Cp(400),
            rank: 6,
            only_move: false,
            depth: 1,
            best_line: vec!["Rb8#".to_owned()],
            line: vec!["Rb3".to_owned(), "g6".to_owned()],
        };
        let reason = Reason {
            uci: "b2b3".to_owned(),
            text: "It checks.".to_owned(),
            tally: crate::commentary::revision::Tally::default(),
            wrong: vec![WrongClaim {
                text: "It checks".to_owned(),
                kind: "check".to_owned(),
                reason: "there is no check".to_owned(),
                disqualifies: true,
            }],
            declaration: None,
        };
        for outcome in [Outcome::Grade(Box::new(grade)), Outcome::Reason(Box::new(reason))] {
            grades.rows.push(GradeRow {
                fen: at.fen.clone(),
                moves: at.moves.clone(),
                outcome,
            });
        }
        let found = answers(std::slice::from_ref(&run), Some(&grades));
        let answer = found.iter().find(|answer| answer.item == "b").unwrap();
        assert_eq!((answer.loss, answer.class), (Some(9_599), Some(Class::Blunder)));
        assert_eq!(
            answer.why(),
            "It does not solve the position. Blunder: it loses 9599 centipawns."
        );
        assert_eq!(answer.wrong[0].reason, "there is no check");
        let csv = table(&found).to_csv();
        assert_eq!(csv.lines().count(), 5);
        assert!(csv.contains("It checks (there is no check)"), "{csv}");
        assert!(csv.contains("Rb3 g6"), "{csv}");
    }
}

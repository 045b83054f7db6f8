//! Grades: an engine of its own looks at every move that was answered; with the shared engine's lines at hand the claim check
//! reads the reasons. A second engine's grades stand beside the first's.

use leptos::prelude::*;
use shakmaty::Move;
use wasm_bindgen_futures::spawn_local;

use super::{
    super::{briefing::prepare, model_run::Going},
    Playing,
    grader::Grader,
};
use crate::{
    browser::{clock, document::program},
    chess::Played,
    commentary::{Arm, Context},
    grading::{
        grade_file::{GradeLine, GradeRow, Grades, Outcome, ToGrade},
        suite::position::Reached,
    },
    services::{
        engine::{Engine, SearchError},
        settings::Settings,
    },
    uci::Limit,
};

impl Playing {
    /// Has an engine grade every move that is not graded; until it is stopped.
    pub fn grade(&self, grader: Grader) {
        let Some(going) = self.grading.begin() else { return };
        self.problem.set(None);
        self.notice.set(None);
        going.tell(0, 1, Some("The engine gets ready.".to_owned()));
        let this = *self;
        spawn_local(async move {
            let outcome = this.grade_all(grader, going).await;
            if going.is_current() {
                match outcome {
                    Ok(()) => going.end(),
                    Err(problem) => going.fail(problem),
                }
            }
            this.make_report().await;
        });
    }

    async fn grade_all(&self, grader: Grader, going: Going) -> Result<(), String> {
        let engine = Engine::new(grader.kind(), |_| ());
        let Some(name) = going.unless_stopped(engine.known_name()).await else {
            return Ok(());
        };
        let name = name.map_err(|error| error.to_string())?;
        let limit = grader.limit(self.grade_nodes.get_untracked());
        let Some(left) = self.left_to_grade(grader, &name, limit).await else {
            return Ok(());
        };
        let all = left.len();
        if all == 0 {
            self.notice.set(Some("Nothing is left to grade.".to_owned()));
        }
        let begun = clock::now();
        for (done, task) in left.iter().enumerate() {
            let mut note = String::new();
            if done > 0 {
                let each = (clock::now() - begun) / 1000.0 / done as f64;
                note = format!(" About {:.0} s left.", each * (all - done) as f64);
            }
            going.tell(
                done,
                all,
                Some(format!("Positions by {name}, {}.{note}", limit.words())),
            );
            // Who stops it waits for no search: the engine's worker ends with this function.
            let work = self.graded_position(&engine, task, limit);
            let Some(outcomes) = going.unless_stopped(work).await else {
                return Ok(());
            };
            for outcome in outcomes? {
                let row = GradeRow {
                    fen: task.at.fen.clone(),
                    moves: task.at.moves.clone(),
                    outcome,
                };
                self.keep_grade(grader, row).await;
            }
            clock::yield_to_browser().await;
        }
        Ok(())
    }

    /// What this engine has still to grade. Grades by another engine or limit are replaced.
    async fn left_to_grade(&self, grader: Grader, name: &str, limit: Limit) -> Option<Vec<ToGrade>> {
        let mut fresh = Grades::new(name, limit);
        fresh.header.program = program();
        let there = self.grades.with_untracked(|all| {
            let known = all[grader as usize].as_ref();
            known.is_some_and(|known| (&known.header.engine, known.header.limit) == (&fresh.header.engine, limit))
        });
        if !there {
            let mut all = self.grades.get_untracked();
            all[grader as usize] = Some(fresh.clone());
            self.show_grades(all);
            grader.saved().forget().await;
            let head = GradeLine::Grades(fresh.header).text();
            if grader.saved().keep_head(&head).await.is_err() {
                self.not_kept();
            }
        }
        let run = self.played.get_untracked()?;
        let baseline = self.baseline.get_untracked();
        let mut left = self.grades.with_untracked(|all| {
            let grades = all[grader as usize].as_ref()?;
            Some(grades.left(std::slice::from_ref(&run), baseline))
        })?;
        if grader == Grader::Stockfish8 {
            // Reasons are read once.
            for task in &mut left {
                task.reasons.clear();
            }
            left.retain(|task| !task.moves.is_empty());
        }
        Some(left)
    }

    async fn keep_grade(&self, grader: Grader, row: GradeRow) {
        let number = self.grades.try_update_untracked(|all| {
            let grades = all[grader as usize].as_mut()?;
            grades.rows.push(row.clone());
            Some(grades.rows.len() - 1)
        });
        let Some(Some(number)) = number else { return };
        self.graded.update(|graded| graded[grader as usize] = number + 1);
        let text = GradeLine::Row(row).text();
        if grader.saved().keep_row(number, &text).await.is_err() {
            self.not_kept();
        }
    }

    /// The grades and checked reasons of a position. What one search cannot say is an error that is kept.
    ///
    /// # Errors
    /// When the engine cannot be used any more.
    async fn graded_position(&self, engine: &Engine, task: &ToGrade, limit: Limit) -> Result<Vec<Outcome>, String> {
        let (reached, mut review) = match task.begin(limit) {
            Ok(begun) => begun,
            Err(errors) => return Ok(errors),
        };
        while let Some(request) = review.next(engine.id()) {
            let result = match engine.search(request, |_| ()).await {
                Ok(result) => result,
                Err(SearchError::Engine(error)) => return Err(error.to_string()),
                Err(error) => return Ok(task.errors(&error.to_string())),
            };
            if let Err(error) = review.take(result) {
                return Ok(task.errors(&error.to_string()));
            }
        }
        let mut outcomes: Vec<Outcome> = Outcome::grades(&review).collect();
        for (mv, uci, text) in task.legal_reasons(&reached) {
            outcomes.push(self.reason(&reached, mv, uci, text).await);
        }
        Ok(outcomes)
    }

    /// A reason, held against the board and the engine's lines.
    async fn reason(&self, reached: &Reached, mv: Move, uci: &str, text: &str) -> Outcome {
        let Some(played) = Played::new(reached.position.clone(), mv, reached.mode, reached.history.clone()) else {
            return Outcome::error(uci, "the move is not legal");
        };
        let settings = Settings {
            context: Context::Fen,
            ..self.preferences.get_untracked()
        };
        let services = self.services.get_value();
        match prepare(&services, &played, None, Arm::Engine, &settings).await {
            Ok(prepared) => Outcome::reason(&prepared.sheet, uci, text, None),
            Err(problem) => Outcome::error(uci, &problem.to_string()),
        }
    }

    /// Ends the grading under way; what is graded stays.
    pub fn stop_grading(&self) {
        self.grading.stop();
        self.notice
            .set(Some("Stopped; what is graded is kept, and you can go on.".to_owned()));
    }
}

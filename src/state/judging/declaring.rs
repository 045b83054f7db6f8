//! Claims that the connected model declares of comments before they are judged: each comment is asked about once.

use leptos::prelude::*;

use super::{
    super::{briefing::prepare, endpoint::Failure, model_run::Going},
    Judging, SAVED,
    asking::Asked,
};
use crate::{
    browser::{clock, slices::Slices},
    commentary::{
        Arm, Context, FactSheet,
        kept_declaration::{Declarer, KeptDeclaration},
    },
    judge::{
        item::{JudgedComment, JudgedItem, engine_words},
        run_file::DeclaredLine,
    },
    services::settings::Settings,
    survey::study::played,
};

/// How often what is declared is kept, in milliseconds: the head of a long run is large.
const KEPT_EVERY: f64 = 5_000.0;

impl Judging {
    /// Has the model declare the claims of every comment of the run that nobody has declared, one after another; until it is stopped.
    ///
    /// # Errors
    /// When a question fails: what happened and what to do. What is declared is kept.
    pub(super) async fn declare_all(&self, asked: &Asked, going: Going) -> Result<(), String> {
        let items = self.judged.with_untracked(|run| {
            let items = run.iter().flat_map(|run| &run.items);
            let undeclared = items.filter(|item| item.undeclared().next().is_some());
            undeclared.cloned().collect::<Vec<JudgedItem>>()
        });
        let all = items.iter().map(|item| item.undeclared().count()).sum();
        let declarer = Declarer::from(&asked.judge);
        let (mut done, mut kept) = (0, clock::now());
        let mut outcome = Ok(());
        'items: for item in &items {
            going.tell(done, all, Some(format!("The claims of the comments on {}.", item.id)));
            let sheet = match self.sheet_of(item).await {
                Ok(sheet) => sheet,
                Err(problem) => {
                    outcome = Err(problem);
                    break;
                }
            };
            for comment in item.undeclared() {
                if !going.is_current() {
                    break 'items;
                }
                match self.declared(asked, &declarer, &sheet, item, comment).await {
                    Ok(Some(comment)) => self.put_declared(&item.id, comment),
                    Ok(None) => break 'items,
                    Err(problem) => {
                        outcome = Err(problem);
                        break 'items;
                    }
                }
                done += 1;
                going.tell(done, all, Some(format!("The claims of the comments on {}.", item.id)));
            }
            if clock::now() - kept > KEPT_EVERY {
                self.keep_items().await;
                kept = clock::now();
            }
        }
        if done > 0 {
            self.keep_items().await;
        }
        outcome
    }

    /// A comment by what the model declares of it; `None` where it was stopped.
    async fn declared(
        &self,
        asked: &Asked,
        declarer: &Declarer,
        sheet: &FactSheet,
        item: &JudgedItem,
        comment: &JudgedComment,
    ) -> Result<Option<JudgedComment>, String> {
        self.lanes.open(1);
        let stopped = self.lanes.begin(0);
        let request = declarer.request(sheet, &comment.text);
        match asked.endpoint.ask(request, stopped, asked.silence, |_| ()).await {
            Err(error) if error.is_stopped() => Ok(None),
            Err(error) => {
                let Failure { what, advice, .. } = Failure::from(error);
                Err(format!(
                    "The claims of a comment on {} were not declared. {what} {advice}",
                    item.id
                ))
            }
            Ok(reply) => {
                let kept = KeptDeclaration::new(declarer, &reply);
                let (method, text) = (&comment.method, &comment.text);
                Ok(Some(JudgedComment::declared(sheet, &item.features, method, text, kept)))
            }
        }
    }

    /// What is known of an item's move, by the engine that the item was prepared with.
    async fn sheet_of(&self, item: &JudgedItem) -> Result<FactSheet, String> {
        let played = played(&item.fen, &item.mv).map_err(|error| format!("{}: {error}.", item.id))?;
        if item.engine.is_none() {
            return Ok(FactSheet::new(&played, None, None));
        }
        let settings = Settings {
            context: Context::Fen,
            ..self.preferences.get_untracked()
        };
        let services = self.services.get_value();
        let prepared = prepare(&services, &played, None, Arm::Engine, &settings)
            .await
            .map_err(|error| format!("The engine does not answer: {error}"))?;
        if engine_words(&prepared.sheet) == item.engine {
            return Ok(prepared.sheet);
        }
        Err(format!(
            "{} was prepared by {}, which is not the engine here: have its claims declared by “lab judge prepare --declarer”, or \
             take the comments without what was prepared.",
            item.id,
            item.engine.as_deref().unwrap_or("no engine")
        ))
    }

    fn put_declared(&self, item: &str, comment: JudgedComment) {
        let line = DeclaredLine {
            item: item.to_owned(),
            comment,
        };
        self.judged.try_update_untracked(|run| {
            let run = run.as_mut()?;
            if run.put_declared(line) {
                run.follow_declarations();
                self.progress.set(run.progress());
            }
            Some(())
        });
    }

    /// Keeps the items in the browser as they are now.
    async fn keep_items(&self) {
        let Some(run) = self.judged.get_untracked() else { return };
        if SAVED.keep_head(&run.head_at(&Slices::new()).await).await.is_err() {
            self.not_kept();
        }
    }
}

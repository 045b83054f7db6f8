//! The tables of a run.
//!
//! | file | what is there |
//! |---|---|
//! | [`means`] | Table 5: mean scores by method; what the claim check says of each method; scores as CSV |
//! | [`pairs`] | both orders of each pair together; the win matrix, strengths, how often an order flips the winner |
//! | [`people`] | Table 4: scores against people's ratings |
//! | [`disagreements`] | judge against judge, judge against claim check, worst first |

pub mod disagreements;
pub mod means;
pub mod pairs;
pub mod people;

use crate::commentary::kept_declaration::by_whom;

/// By whom the claims of a run's comments were found, in sentences.
#[must_use]
pub fn claims_by(run: &super::run_file::Run) -> String {
    let comments = run.items.iter().flat_map(|item| &item.comments);
    by_whom(
        "comment",
        comments.map(|comment| (comment.text.as_str(), comment.declaration.as_ref())),
    )
}

/// The methods of a run in the order in which items name them.
#[must_use]
pub fn methods(run: &super::run_file::Run) -> Vec<String> {
    let mut methods: Vec<String> = Vec::new();
    for comment in run.items.iter().flat_map(|item| &item.comments) {
        if !methods.contains(&comment.method) {
            methods.push(comment.method.clone());
        }
    }
    methods
}

#[cfg(test)]
mod tests {
    use crate::{
        judge::{
            exchange::{Exchange, Next},
            item::JudgedItem,
            judges::{Judge, Settings},
            run_file::{Header, Run},
            task::Task,
        },
        llm::Reply,
    };

    /// A run that these judges have made of the items, each judgement with the same reply however often it is asked for.
    pub(super) fn played(
        items: Vec<JudgedItem>,
        judges: &[&str],
        settings: &Settings,
        reply: impl Fn(&Task) -> String,
    ) -> Run {
        let judge = |name: &&str| Judge {
            name: (*name).to_owned(),
            provider: "openai".to_owned(),
            server: "http://127.0.0.1:1".to_owned(),
            model: "m".to_owned(),
        };
        let judges: Vec<Judge> = judges.iter().map(judge).collect();
        let header = Header::new("kibitz".to_owned(), judges.clone(), settings.clone());
        let mut run = Run::new(header, items);
        for task in run.tasks() {
            let item = run.item(&task.item).unwrap();
            let judge = judges.iter().find(|judge| judge.name == task.judge).unwrap();
            let mut exchange = Exchange::begin(&task, item, judge, settings).unwrap();
            let row = loop {
                let (then, next) = exchange.take(Reply {
                    text: reply(&task),
                    thinking: String::new(),
                    finish: None,
                    usage: None,
                    model: None,
                    probabilities: None,
                    given_up: Vec::new(),
                });
                exchange = then;
                if let Next::Done(row) = next {
                    break *row;
                }
            };
            run.rows.push(row);
        }
        run
    }

    /// Items on which these methods say something, none of it wrong.
    pub(super) fn items(ids: &[&str], methods: &[&str]) -> Vec<JudgedItem> {
        let of = |id: &&str| {
            let mut item = crate::judge::item::tests::item();
            item.id = (*id).to_owned();
            let right = item.comments[0].clone();
            let comment = |method: &&str| {
                let mut comment = right.clone();
                comment.method = (*method).to_owned();
                comment
            };
            item.comments = methods.iter().map(comment).collect();
            item
        };
        ids.iter().map(of).collect()
    }
}

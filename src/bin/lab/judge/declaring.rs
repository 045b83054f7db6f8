//! Claims that a model declares of comments that are to be judged: each comment is asked about once.

use std::{
    collections::{BTreeMap, VecDeque},
    error::Error,
    path::Path,
    sync::Mutex,
    time::Duration,
};

use kibitz::{
    commentary::{FactSheet, kept_declaration::by_whom},
    judge::{
        item::{JudgedComment, JudgedItem},
        run_file::{DeclaredLine, Run, RunLine},
    },
};

use super::{
    super::{
        declarer::Declaring,
        run_options::{EndpointSpec, endpoint_spec},
        run_output::{locked, work_off},
    },
    source::{Sheets, Source},
};

/// Who declares, in a run that has judges.
#[derive(Debug, Clone)]
pub enum DeclarerWord {
    /// The first judge.
    Judge,
    /// Another model.
    Other(EndpointSpec),
}

/// Reads it as it is written on the command line.
pub fn declarer_word(text: &str) -> Result<DeclarerWord, String> {
    match text {
        "judge" => Ok(DeclarerWord::Judge),
        _ => endpoint_spec(text).map(DeclarerWord::Other),
    }
}

impl DeclarerWord {
    /// The declarer, where `judge` is the first judge.
    pub fn declaring(&self, judge: Option<&EndpointSpec>, timeout: Duration) -> Result<Declaring, String> {
        match self {
            Self::Other(spec) => Declaring::new(spec, timeout),
            Self::Judge => Declaring::new(judge.ok_or("--declarer judge: there is no judge")?, timeout),
        }
    }
}

/// Comments, at most so many for each that is asked at the same time, after which prepared items are written anew.
const BATCH: usize = 8;

/// Has the claims of prepared items declared; `keep` is handed the items as they get on.
pub fn declare_items(
    items: &mut [JudgedItem],
    sheets: Sheets,
    source: &Source,
    declaring: Declaring,
    concurrency: u8,
    mut keep: impl FnMut(&[JudgedItem]) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let sheets = source.sheets_for(&items.iter().collect::<Vec<_>>(), sheets)?;
    let wanted = wanted(items.iter());
    let all = wanted.len();
    for (number, batch) in wanted.chunks(BATCH * usize::from(concurrency)).enumerate() {
        errln!(
            "lab: {} of {all} comments declared",
            number * BATCH * usize::from(concurrency)
        );
        let left = Mutex::new(batch.iter().collect::<VecDeque<_>>());
        let found = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..concurrency {
                let (items, sheets, declaring, left, found) = (&*items, &sheets, &declaring, &left, &found);
                scope.spawn(move || {
                    loop {
                        let Some(task) = locked(left).pop_front() else { return };
                        if let Some(line) = declared(items, sheets, declaring, task) {
                            locked(found).push(line);
                        }
                    }
                });
            }
        });
        for line in locked(&found).drain(..) {
            if let Some(item) = items.iter_mut().find(|item| item.id == line.item) {
                item.put_declared(line.comment);
            }
        }
        keep(items)?;
    }
    tell(items.iter());
    declaring.tell_failures();
    Ok(())
}

/// Has the claims of a run's items declared, those that `is_meant` tells; each line goes into its file as it comes.
pub fn declare_run(
    path: &Path,
    run: &Run,
    is_meant: impl Fn(&JudgedItem) -> bool,
    sheets: Sheets,
    source: &Source,
    declaring: Declaring,
    concurrency: u8,
) -> Result<(), Box<dyn Error>> {
    let meant: Vec<&JudgedItem> = run.items.iter().filter(|item| is_meant(item)).collect();
    let sheets = source.sheets_for(&meant, sheets)?;
    let wanted = VecDeque::from(wanted(meant.into_iter()));
    errln!("lab: {} comments whose claims are to be declared", wanted.len());
    let work = |(): &mut (), task: &Task| {
        let line = declared(&run.items, &sheets, &declaring, task)?;
        Some(RunLine::Declared(line).text())
    };
    work_off(path, wanted, vec![(); concurrency.into()], "comments", work)?;
    declaring.tell_failures();
    Ok(())
}

/// Says by whom claims were declared.
pub fn tell<'a>(items: impl Iterator<Item = &'a JudgedItem>) {
    let comments = items.flat_map(|item| &item.comments);
    let texts = comments.map(|comment| (comment.text.as_str(), comment.declaration.as_ref()));
    errln!("lab: {}", by_whom("comment", texts));
}

/// A comment: its item's id and its method.
type Task = (String, String);

fn wanted<'a>(items: impl Iterator<Item = &'a JudgedItem>) -> Vec<Task> {
    let of = |item: &'a JudgedItem| {
        let comments = item.undeclared();
        comments.map(|comment| (item.id.clone(), comment.method.clone()))
    };
    items.flat_map(of).collect()
}

/// Asks about a comment; `None` where the question failed.
fn declared(
    items: &[JudgedItem],
    sheets: &BTreeMap<String, FactSheet>,
    declaring: &Declaring,
    (id, method): &Task,
) -> Option<DeclaredLine> {
    let item = items.iter().find(|item| item.id == *id)?;
    let (comment, sheet) = (item.comment(method)?, sheets.get(id)?);
    let kept = declaring.ask(sheet, &comment.text).ok()?;
    Some(DeclaredLine {
        item: id.clone(),
        comment: JudgedComment::declared(sheet, &item.features, method, &comment.text, kept),
    })
}

//! `lab claims`: the public benchmark of claim checkers, and claims that a language model declares.

use std::{
    collections::HashMap,
    error::Error,
    fs,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use kibitz::commentary::{
    Checked, FactSheet,
    claim_benchmark::{ByPredicate, Comment, Found, OwnWord, Positions, Score, Verdicts, comments, marked},
    claims::{check, declared},
    prompt::declaration,
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::json;

use super::{file_text::text_of, output};

/// The benchmark of claim checkers.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Scores a checker's verdicts on labelled comments: ours, or those of a file.
    Score(ScoreArgs),
    /// Scores who of our readers catches and strikes what, with and without declared claims, on all sets of a folder.
    Compare(CompareArgs),
    /// Prints our verdicts, a comment a line: {"id", "verdicts": [[start, end, verdict], …]}, in bytes of the text.
    Verdicts(SetArgs),
    /// Prints what a model is asked for to declare the claims of each comment: {"id", "messages", "schema"}.
    Ask(SetArgs),
}

/// A set of labelled comments.
#[derive(Debug, clap::Args)]
struct SetArgs {
    /// The comments, one a line.
    #[arg(value_name = "COMMENTS.jsonl")]
    comments: PathBuf,
    /// Their positions.
    #[arg(long, value_name = "POSITIONS.jsonl")]
    positions: PathBuf,
    /// Claims that a model declared of them, a comment a line: {"id", "answer"}; our check then judges those.
    #[arg(long, value_name = "ANSWERS.jsonl")]
    declared: Option<PathBuf>,
    /// Leave words that nothing was declared of to nobody, instead of to our own reader.
    #[arg(long, requires = "declared")]
    declared_alone: bool,
}

#[derive(Debug, clap::Args)]
struct ScoreArgs {
    #[command(flatten)]
    set: SetArgs,
    /// Another checker's verdicts, as `lab claims verdicts` prints ours.
    #[arg(long, value_name = "VERDICTS.jsonl", conflicts_with = "declared")]
    verdicts: Option<PathBuf>,
    /// Writes what is contradicted and holds, and what is wrong and isn't contradicted. A set that is to stay unseen is not
    /// looked at this way.
    #[arg(long, value_name = "FILE")]
    misses: Option<PathBuf>,
    /// Says where wrong claims were missed, by the predicates of what a model declared of the comments, a comment a line:
    /// {"id", "answer"}. Our check doesn't see them.
    #[arg(long, value_name = "ANSWERS.jsonl", conflicts_with = "verdicts")]
    predicates: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
struct CompareArgs {
    /// Where the sets are: SET.jsonl with SET-positions.jsonl and SET-declared.jsonl, or SET-declared2.jsonl where it was asked anew.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// A model's answer for a comment.
#[derive(Deserialize)]
struct Answer {
    id: String,
    answer: String,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    match &args.command {
        Command::Score(args) => score(args),
        Command::Compare(args) => compare(&args.folder),
        Command::Verdicts(args) => {
            let set = Set::open(args)?;
            let mut out = BufWriter::new(output::stdout());
            for comment in &set.comments {
                let verdicts = Verdicts::of(&comment.id, &set.checked(comment)?);
                writeln!(out, "{}", serde_json::to_string(&verdicts)?)?;
            }
            Ok(out.flush()?)
        }
        Command::Ask(args) => {
            let set = Set::open(args)?;
            let mut out = BufWriter::new(output::stdout());
            for comment in &set.comments {
                let messages = declaration(set.sheet(comment)?, &comment.text);
                let line = json!({"id": comment.id, "messages": messages, "schema": declared::schema()});
                writeln!(out, "{line}")?;
            }
            Ok(out.flush()?)
        }
    }
}

struct Set {
    comments: Vec<Comment>,
    positions: Positions,
    answers: Option<HashMap<String, String>>,
    declared_alone: bool,
}

impl Set {
    fn open(args: &SetArgs) -> Result<Self, Box<dyn Error>> {
        let answers = args.declared.as_deref().map(answers).transpose()?;
        Ok(Self {
            declared_alone: args.declared_alone,
            comments: comments(&text(&args.comments)?).map_err(|error| named(&args.comments, error))?,
            positions: Positions::read(&text(&args.positions)?).map_err(|error| named(&args.positions, error))?,
            answers,
        })
    }

    fn sheet(&self, comment: &Comment) -> Result<&FactSheet, Box<dyn Error>> {
        let sheet = self.positions.get(&comment.position);
        sheet.ok_or_else(|| format!("{}: no position is called {}", comment.id, comment.position).into())
    }

    /// What our check says of a comment, with the claims that were declared of it where there are any.
    fn checked(&self, comment: &Comment) -> Result<Checked, Box<dyn Error>> {
        let sheet = self.sheet(comment)?;
        let Some(answers) = &self.answers else {
            return Ok(check(sheet, &comment.text));
        };
        let answer = answers.get(&comment.id).map(String::as_str).unwrap_or_default();
        let (claims, dropped) = declared::read(answer, &comment.text);
        for why in dropped {
            errln!("lab: {}: {why}", comment.id);
        }
        let check = if self.declared_alone {
            declared::check_declared_alone
        } else {
            declared::check_declared
        };
        Ok(check(sheet, &comment.text, &claims))
    }
}

fn text(path: &Path) -> Result<String, Box<dyn Error>> {
    let bytes = fs::read(path).map_err(|error| named(path, error))?;
    text_of(path, &bytes).map_err(|error| named(path, error))
}

fn named(path: &Path, error: impl Error) -> Box<dyn Error> {
    format!("{}: {error}", path.display()).into()
}

fn answers(path: &Path) -> Result<HashMap<String, String>, Box<dyn Error>> {
    let answers: Vec<Answer> = lines(path)?;
    Ok(answers.into_iter().map(|answer| (answer.id, answer.answer)).collect())
}

/// A file's lines, a JSON value each.
fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, Box<dyn Error>> {
    let text = text(path)?;
    let full = text.lines().filter(|line| !line.trim().is_empty());
    full.map(|line| serde_json::from_str(line).map_err(|error| named(path, error)))
        .collect()
}

fn score(args: &ScoreArgs) -> Result<(), Box<dyn Error>> {
    let set = Set::open(&args.set)?;
    let theirs: Option<HashMap<String, Verdicts>> = match &args.verdicts {
        Some(path) => {
            let verdicts: Vec<Verdicts> = lines(path)?;
            Some(
                verdicts
                    .into_iter()
                    .map(|verdicts| (verdicts.id.clone(), verdicts))
                    .collect(),
            )
        }
        None => None,
    };
    let predicates = args.predicates.as_deref().map(answers).transpose()?;
    let mut by_predicate = ByPredicate::default();
    let mut score = Score::default();
    let mut misses = String::new();
    for comment in &set.comments {
        let checked = set.checked(comment)?;
        let verdicts = match &theirs {
            Some(theirs) => theirs.get(&comment.id).cloned().unwrap_or(Verdicts {
                id: comment.id.clone(),
                verdicts: Vec::new(),
            }),
            None => Verdicts::of(&comment.id, &checked),
        };
        score.add(comment, &verdicts);
        if let Some(answers) = &predicates {
            let answer = answers.get(&comment.id).map(String::as_str).unwrap_or_default();
            by_predicate.add(comment, &checked, &declared::read(answer, &comment.text).0);
        }
        if args.misses.is_some() {
            misses.push_str(&missed(comment, &verdicts, theirs.is_none().then_some(&checked)));
        }
    }
    if let Some(path) = &args.misses {
        fs::write(path, misses).map_err(|error| named(path, error))?;
    }
    let mut tables = score.table(&args.set.comments.display().to_string());
    if predicates.is_some() {
        tables.push('\n');
        tables.push_str(&by_predicate.table());
    }
    out!("{tables}");
    Ok(())
}

/// Who reads: by the claims that were declared, with our own reader beside them or without; our own reader alone.
const CHOICES: [(&str, bool, bool); 3] = [
    ("declared, our reader", true, false),
    ("declared alone", true, true),
    ("our reader alone", false, false),
];

fn compare(folder: &Path) -> Result<(), Box<dyn Error>> {
    let entries = fs::read_dir(folder).map_err(|error| named(folder, error))?;
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix("-positions.jsonl").map(str::to_owned))
        .collect();
    // open2 before open10.
    names.sort_by_key(|name| (name.len(), name.clone()));
    out!("| set | texts | wrong | true |");
    for (choice, ..) in CHOICES {
        out!(" {choice} |");
    }
    outln!(" doubts |\n|---|---|---|---|{}---|", "---|".repeat(CHOICES.len()));
    let mut sums: [Vec<Score>; CHOICES.len()] = Default::default();
    let mut own = OwnWord::default();
    for name in &names {
        let mut of_set = OwnWord::default();
        let file = |end: &str| folder.join(format!("{name}{end}.jsonl"));
        for ((_, with, declared_alone), scores) in CHOICES.into_iter().zip(&mut sums) {
            let set = Set::open(&SetArgs {
                comments: file(""),
                positions: file("-positions"),
                // Of a set that was asked twice, what was answered last.
                declared: with.then(|| {
                    Some(file("-declared2"))
                        .filter(|path| path.exists())
                        .unwrap_or_else(|| file("-declared"))
                }),
                declared_alone,
            })?;
            let mut score = Score::default();
            for comment in &set.comments {
                let checked = set.checked(comment)?;
                score.add(comment, &Verdicts::of(&comment.id, &checked));
                if !with {
                    of_set.add(comment, &checked);
                }
            }
            scores.push(score);
        }
        let last: Vec<&Score> = sums.iter().filter_map(|scores| scores.last()).collect();
        row(
            name,
            &last.into_iter().map(std::slice::from_ref).collect::<Vec<_>>(),
            &of_set,
        );
        own.join(of_set);
    }
    row("all", &sums.iter().map(Vec::as_slice).collect::<Vec<_>>(), &own);
    outln!(
        "\nOf each: wrong claims contradicted, true claims contradicted, share of the contradictions that are wrong; of our reader's \
         doubts: those of wrong words, those of true ones.\n"
    );
    outln!("{}", own.table());
    Ok(())
}

fn row(name: &str, choices: &[&[Score]], own: &OwnWord) {
    let sum = |scores: &[Score], count: fn(&Score) -> usize| scores.iter().map(count).sum::<usize>();
    let first = choices.first().copied().unwrap_or_default();
    out!(
        "| {name} | {} | {} | {} |",
        sum(first, |score| score.comments),
        sum(first, |score| score.wrong.iter().sum()),
        sum(first, |score| score.holding.iter().sum())
    );
    for scores in choices {
        let caught = sum(scores, |score| score.wrong[Found::Contradicted as usize]);
        let struck = sum(scores, |score| score.holding[Found::Contradicted as usize]);
        let wrongly = 100.0 * struck as f64 / (caught + struck).max(1) as f64;
        out!(" {caught}, {struck}, {wrongly:.1} % |");
    }
    let (right, wrong) = own.doubts();
    outln!(" {right}, {wrong} |");
}

/// What a checker got wrong in a comment, to be read.
fn missed(comment: &Comment, verdicts: &Verdicts, checked: Option<&Checked>) -> String {
    let mut said = String::new();
    for (claim, found) in comment.claims.iter().zip(marked(comment, verdicts)) {
        let words = &comment.text[claim.span.clone()];
        let wrongly = claim.holds && found == Found::Contradicted;
        if !wrongly && (claim.holds || found == Found::Contradicted) {
            continue;
        }
        let what = if wrongly { "STRUCK" } else { "MISSED" };
        said.push_str(&format!("{what} {} {found:?}: {words} | {}\n", comment.id, claim.why));
        for own in checked.iter().flat_map(|checked| &checked.claims) {
            if own.span.start < claim.span.end && claim.span.start < own.span.end {
                said.push_str(&format!(
                    "    {} {:?}: “{}” {}\n",
                    own.kind.word(),
                    own.verdict,
                    own.text,
                    own.reason
                ));
            }
        }
    }
    if !said.is_empty() {
        said.push_str(&format!("  {}\n\n", comment.text));
    }
    said
}

//! `lab audit report`: comments on every move of a sample, and how many of their sentences, and of the claims in them, the deep
//! searches bear out.

use std::{
    collections::BTreeMap,
    error::Error,
    io::{self, BufWriter, Write},
    path::PathBuf,
};

use kibitz::{
    commentary::{
        Evaluation, FactKind, Sentence, Verdict,
        claims::{Statement, statement::WrittenStatement},
    },
    uci::Score,
};
use serde_json::json;

use super::super::{
    comment::LimitArgs,
    output,
    pipeline::{Commented, Pipeline},
    setup::Parts,
};
use super::{
    judge::{Judge, Judged},
    reference::deep,
    task::{AuditTask, tasks},
};

/// What is audited.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The moves, as `lab audit sample` writes them.
    #[arg(long = "in", value_name = "FILE.jsonl")]
    input: PathBuf,
    /// Their deep searches, as `lab audit search` writes them.
    #[arg(long, value_name = "FILE.jsonl")]
    reference: PathBuf,
    #[command(flatten)]
    parts: Parts,
    #[command(flatten)]
    limit: LimitArgs,
    /// One JSON object a move before the report.
    #[arg(long)]
    json: bool,
    /// List the sentences that are wrong, and the verdicts that are more than one class off.
    #[arg(long)]
    wrong: bool,
}

/// How often, and how often not.
#[derive(Debug, Default, Clone, Copy)]
struct Share {
    of: usize,
    n: usize,
}

impl Share {
    fn add(&mut self, holds: bool) {
        self.of += usize::from(holds);
        self.n += 1;
    }
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{:.3} ({} of {})",
            self.of as f64 / self.n.max(1) as f64,
            self.of,
            self.n
        )
    }
}

/// How many claims hold, don't hold, and are open.
#[derive(Debug, Default, Clone, Copy)]
struct Claims {
    supported: usize,
    contradicted: usize,
    open: usize,
}

impl Claims {
    fn add(&mut self, judged: &Judged) {
        let count = if judged.finding.holds() {
            &mut self.supported
        } else if judged.finding.fails() {
            &mut self.contradicted
        } else {
            &mut self.open
        };
        *count += 1;
    }
}

impl std::fmt::Display for Claims {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            supported,
            contradicted,
            open,
        } = self;
        write!(f, "{supported} supported, {contradicted} contradicted, {open} open")
    }
}

#[derive(Debug, Default)]
struct Report {
    equal: Share,
    near: Share,
    wrong: Share,
    without_reason: Share,
    concept_last: Share,
    sentences: usize,
    words: usize,
    claims: Claims,
    by_predicate: BTreeMap<&'static str, Claims>,
    by_kind: BTreeMap<String, Share>,
    by_source: BTreeMap<String, (Share, Share)>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let reference = deep(&args.reference)?;
    let mut pipeline = Pipeline::without_network(&args.parts, args.limit.limit())?;
    let mut out = BufWriter::new(output::stdout());
    let mut report = Report::default();
    let mut missing = 0;
    for task in tasks(&args.input)? {
        let played = task.played()?;
        let Some(judge) = reference.get(&task.id).and_then(|deep| Judge::new(&played, deep)) else {
            missing += 1;
            continue;
        };
        let commented = pipeline.comment(&played)?;
        let judged = judge.judge(&commented.sheet, &commented.prose);
        report.count(&task, &commented, &judge, &judged);
        print(&mut out, args, &task, &commented, &judge, &judged)?;
    }
    report.print(&mut out, args, missing)?;
    Ok(out.flush()?)
}

/// What a sentence is about: the kinds of the facts it rests on, without the move itself.
fn kind(commented: &Commented, sentence: &Sentence) -> String {
    let facts = sentence.facts.iter().filter_map(|id| commented.sheet.get(*id));
    let mut kinds: Vec<&str> = facts
        .filter(|fact| fact.kind != FactKind::Move)
        .map(|fact| fact.kind.word())
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds.join("+")
}

/// What is wrong with a sentence, a line each.
fn wrong(judged: &[Judged]) -> Vec<String> {
    let fails = judged.iter().filter(|judged| judged.finding.fails());
    fails
        .map(|Judged { claim, finding }| {
            let (_, reason, _) = finding.clone().into_parts();
            format!("{}: {reason}", written(claim))
        })
        .collect()
}

/// A claim as one line of JSON.
fn written(claim: &Statement) -> String {
    serde_json::to_string(&WrittenStatement::from(claim)).unwrap_or_default()
}

/// True where a comment on a bad move says nothing of what it allows, misses or spoils.
fn lacks_reason(commented: &Commented) -> bool {
    let said = commented.prose.iter().flat_map(|sentence| &sentence.facts);
    let mut kinds = said.filter_map(|id| commented.sheet.get(*id)).filter(|fact| {
        !matches!(fact.kind, FactKind::Move | FactKind::Verdict | FactKind::Best | FactKind::Concept)
            || matches!(&fact.detail, kibitz::commentary::fact::Detail::Best { wins, mate, .. } if wins.is_some() || mate.is_some())
    });
    kinds.next().is_none()
}

impl Report {
    fn count(&mut self, task: &AuditTask, commented: &Commented, judge: &Judge, judged: &[Vec<Judged>]) {
        let source = self.by_source.entry(task.source.clone()).or_default();
        if let Some(verdict) = commented.verdict {
            let apart = (verdict as u8).abs_diff(judge.verdict as u8);
            self.equal.add(apart == 0);
            self.near.add(apart <= 1);
            source.0.add(apart == 0);
            if verdict.is_bad() {
                self.without_reason.add(lacks_reason(commented));
            }
        }
        let about = |sentence: &Sentence| {
            let facts = sentence.facts.iter().filter_map(|id| commented.sheet.get(*id));
            facts.map(|fact| fact.kind).any(|kind| kind == FactKind::Concept)
        };
        self.concept_last.add(commented.prose.last().is_some_and(about));
        for (sentence, judged) in commented.prose.iter().zip(judged) {
            let is_wrong = judged.iter().any(|judged| judged.finding.fails());
            self.wrong.add(is_wrong);
            source.1.add(is_wrong);
            self.by_kind.entry(kind(commented, sentence)).or_default().add(is_wrong);
            for judged in judged {
                self.claims.add(judged);
                self.by_predicate
                    .entry(judged.claim.predicate.word())
                    .or_default()
                    .add(judged);
            }
            self.sentences += 1;
            self.words += sentence.text.split_whitespace().count();
        }
    }

    fn print(&self, out: &mut impl Write, args: &Args, missing: usize) -> io::Result<()> {
        writeln!(
            out,
            "moves                                  {} ({missing} without a deep search)",
            self.equal.n
        )?;
        writeln!(
            out,
            "comments at                            {}",
            args.limit.limit().words()
        )?;
        writeln!(out, "verdict equal to the deep search's     {}", self.equal)?;
        writeln!(out, "verdict within one class               {}", self.near)?;
        writeln!(out, "sentences wrong                        {}", self.wrong)?;
        writeln!(out, "claims in them                         {}", self.claims)?;
        writeln!(out, "bad moves without a reason             {}", self.without_reason)?;
        writeln!(out, "comments that end in a concept         {}", self.concept_last)?;
        let each = |sum: usize| sum as f64 / self.equal.n.max(1) as f64;
        writeln!(
            out,
            "sentences and words a comment          {:.2}, {:.1}",
            each(self.sentences),
            each(self.words)
        )?;
        writeln!(out, "\nby source: verdict equal; sentences wrong")?;
        for (source, (equal, wrong)) in &self.by_source {
            writeln!(out, "{source:<38} {equal}; {wrong}")?;
        }
        writeln!(out, "\nclaims by predicate")?;
        for (predicate, claims) in &self.by_predicate {
            writeln!(out, "{predicate:<38} {claims}")?;
        }
        writeln!(out, "\nsentences wrong, by what they rest on")?;
        let mut kinds: Vec<_> = self.by_kind.iter().collect();
        kinds.sort_by_key(|(kind, share)| (std::cmp::Reverse(share.of), std::cmp::Reverse(share.n), kind.as_str()));
        for (kind, share) in kinds {
            writeln!(out, "{kind:<58} {share}")?;
        }
        Ok(())
    }
}

/// Of the best move and of the move played, the mover's view.
fn scores(evaluation: &Evaluation) -> [Option<Score>; 2] {
    [
        evaluation.before.first().map(|line| line.score),
        Some(evaluation.played),
    ]
}

fn print(
    out: &mut impl Write,
    args: &Args,
    task: &AuditTask,
    commented: &Commented,
    judge: &Judge,
    judged: &[Vec<Judged>],
) -> Result<(), Box<dyn Error>> {
    let wrong: Vec<Vec<String>> = judged.iter().map(|judged| wrong(judged)).collect();
    let played = commented.sheet.played();
    let fen = kibitz::chess::write_fen(&played.before, played.mode);
    let text: Vec<&str> = commented.prose.iter().map(|sentence| sentence.text.as_str()).collect();
    if args.json {
        let record = json!({
            "id": task.id, "source": task.source, "fen": fen, "move": played.san(),
            "verdict": commented.verdict.map(Verdict::word), "deep": judge.verdict.word(),
            "scores": commented.evaluation.as_ref().map(scores), "deep_scores": scores(judge.evaluation()),
            "trust": commented.evaluation.as_ref().map(|evaluation| format!("{:?}", evaluation.trust)),
            "nodes": commented.evaluation.as_ref().map(|evaluation| evaluation.nodes),
            "prose": text, "wrong": wrong,
        });
        writeln!(out, "{record}")?;
    }
    let apart = commented
        .verdict
        .map_or(0, |verdict| (verdict as u8).abs_diff(judge.verdict as u8));
    if args.wrong && (apart > 1 || wrong.iter().any(|wrong| !wrong.is_empty())) {
        writeln!(out, "{} {fen} {}", task.id, played.san())?;
        if apart > 1 {
            let verdict = commented.verdict.map_or("none", Verdict::word);
            writeln!(out, "  verdict {verdict}, deep {}", judge.verdict)?;
        }
        for (text, wrong) in text.iter().zip(&wrong) {
            writeln!(out, "  {text}")?;
            for wrong in wrong {
                writeln!(out, "    ! {wrong}")?;
            }
        }
    }
    Ok(())
}

//! `lab narrator`: how much the narrator says, over moves of [`sampled_moves`](super::sampled_moves), many of them bad. What counts
//! as what:
//!
//! - a *reason* for a bad move is a sentence that rests on what the move allows, leaves hanging, misses or spoils;
//! - *only the verdict*: no sentence rests on more than the move, its verdict and the name of a better one.

use std::{
    error::Error,
    io::{self, BufWriter, Write},
};

use kibitz::{
    chess::Played,
    commentary::{
        Fact, FactKind, Verdict,
        fact::{Detail, Moment},
    },
};
use serde_json::json;

use super::{
    comment::LimitArgs,
    output,
    pipeline::{Commented, Pipeline},
    sampled_moves::{Sample, SampleArgs},
    setup::Parts,
};

/// What to measure on.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    sample: SampleArgs,
    #[command(flatten)]
    parts: Parts,
    #[command(flatten)]
    limit: LimitArgs,
    /// One JSON object a comment, with the kinds of the facts of each sentence, before the summary.
    #[arg(long)]
    json: bool,
}

/// What was counted.
#[derive(Debug, Default)]
struct Summary {
    comments: usize,
    bad: usize,
    reasons: usize,
    only_verdict: usize,
    sentences: usize,
    words: usize,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let mut sample = Sample::open(&args.sample)?;
    let mut pipeline = Pipeline::without_network(&args.parts, args.limit.limit())?;
    let mut out = BufWriter::new(output::stdout());
    let mut summary = Summary::default();
    while let Some(played) = sample.next(&mut pipeline)? {
        let commented = pipeline.comment(&played)?;
        summary.count(&commented);
        print(&mut out, &played, &commented, args.json)?;
    }
    summary.print(&mut out)?;
    Ok(out.flush()?)
}

/// True for a fact that says why a move of its mover's is bad.
fn explains(fact: &Fact, played: &Played) -> bool {
    let mover = played.mover();
    match &fact.detail {
        Detail::Best { wins, mate, .. } => mate.is_some() || wins.as_ref().is_some_and(|won| won.points() > 0),
        Detail::Passed { pawn, .. } => pawn.color != mover,
        Detail::Shelter { king, .. } => king.color == mover,
        Detail::Isolated { pawn, .. } | Detail::Backward { pawn, .. } => pawn.color == mover,
        Detail::Doubled { pawns, .. } => pawns.iter().all(|pawn| pawn.color == mover),
        _ if fact.moment == Moment::Line => fact.detail.actor() != Some(mover),
        _ => matches!(
            fact.kind,
            FactKind::Punishment
                | FactKind::Exposed
                | FactKind::Remedy
                | FactKind::Concept
                | FactKind::CastlingLost
                | FactKind::Activity
                | FactKind::BishopPair
        ),
    }
}

/// True for a fact that says no more than that the move was played and what it is worth.
fn says_little(fact: &Fact) -> bool {
    match &fact.detail {
        Detail::Best { acts, wins, mate, .. } => {
            acts.is_empty() && mate.is_none() && wins.as_ref().is_none_or(|won| won.points() <= 0)
        }
        _ => matches!(fact.kind, FactKind::Move | FactKind::Verdict),
    }
}

impl Summary {
    fn count(&mut self, commented: &Commented) {
        let facts = || {
            let ids = commented.prose.iter().flat_map(|sentence| &sentence.facts);
            ids.filter_map(|&id| commented.sheet.get(id))
        };
        let bad = commented.verdict.is_some_and(Verdict::is_bad);
        let reason = facts().any(|fact| explains(fact, commented.sheet.played()));
        self.comments += 1;
        self.bad += usize::from(bad);
        self.reasons += usize::from(bad && reason);
        self.only_verdict += usize::from(facts().all(says_little));
        self.sentences += commented.prose.len();
        let words = |text: &str| text.split_whitespace().count();
        self.words += commented.prose.iter().map(|s| words(&s.text)).sum::<usize>();
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        let each = |sum: usize| sum as f64 / self.comments.max(1) as f64;
        writeln!(
            out,
            "{} comments; {} on bad moves, {} of them with a reason ({:.0} %)",
            self.comments,
            self.bad,
            self.reasons,
            share(self.reasons, self.bad)
        )?;
        writeln!(
            out,
            "only the verdict: {} ({:.0} %); {:.1} sentences and {:.1} words a comment",
            self.only_verdict,
            share(self.only_verdict, self.comments),
            each(self.sentences),
            each(self.words)
        )
    }
}

fn print(out: &mut impl Write, played: &Played, commented: &Commented, json: bool) -> io::Result<()> {
    let fen = kibitz::chess::write_fen(&played.before, played.mode);
    let verdict = commented.verdict.map(Verdict::word);
    if json {
        let kinds = |ids: &[kibitz::commentary::FactId]| -> Vec<&'static str> {
            let facts = ids.iter().filter_map(|&id| commented.sheet.get(id));
            facts.map(|fact| fact.kind.word()).collect()
        };
        let prose: Vec<serde_json::Value> = commented
            .prose
            .iter()
            .map(|sentence| json!({"text": sentence.text, "kinds": kinds(&sentence.facts)}))
            .collect();
        let record = json!({"fen": fen, "move": played.san(), "verdict": verdict, "prose": prose});
        return writeln!(out, "{record}");
    }
    writeln!(out, "{fen}\n{} ({})", played.san(), verdict.unwrap_or("no verdict"))?;
    for sentence in &commented.prose {
        writeln!(out, "  {}", sentence.text)?;
    }
    writeln!(out)
}

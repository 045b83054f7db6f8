//! `lab probe priorities`: whether the probes' priorities mean something, on held-out positions.

use std::{error::Error, path::PathBuf, process::ExitCode};

use kibitz::{
    concepts::{
        Around, Concept, ConceptChange, ConceptScores, Men, Predicted, ProbeSet, Rule, WrongActivations,
        difference::{Seats, Seen, seats, targets},
        overlap::{Compared, Mean, NAMED, Overlap, drawn, most_changed, spreads},
        priorities, prioritised,
        priority::risen,
        split::Side,
    },
    net::{Planes, RunError, Runner, Taps},
    random::{Rng, seeded_hash},
    training::PositionRecord,
};
use serde::Serialize;
use shakmaty::{Chess, Color, Move, Position};

use super::{
    probe_data::{Cache, Progress, label},
    probe_inputs::{ProbeInputs, Sources},
    setup::read,
};

/// What to compare.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    sources: Sources,
    /// The probes.
    #[arg(long, value_name = "FILE")]
    probes: PathBuf,
    /// That the probes were fitted with, so that the positions are of test games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Positions at most.
    #[arg(long, default_value_t = 4_000)]
    count: usize,
    /// A folder to keep labels in.
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,
    /// All games judge: none of them was learnt from.
    #[arg(long)]
    all: bool,
    /// One JSON object instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Report {
    schema: &'static str,
    seed: u64,
    network: String,
    positions: String,
    labels: String,
    probes: String,
    /// Positions whose first engine line gave the move; a legal move by lot in the others.
    engine_moves: usize,
    /// Positions left out since Stockfish 8 has no terms before or after the move.
    without_terms: usize,
    /// Candidates that a prompt names by each rule, mean over the moves.
    named: Vec<Named>,
    /// Against the terms' changes in pawns.
    pawns: Option<Overlap>,
    /// Against the terms' changes over each term's spread on the test positions.
    standardised: Option<Overlap>,
}

/// How many concepts a prompt names.
#[derive(Debug, Clone, Serialize)]
struct Named {
    /// By which rule.
    rule: &'static str,
    /// Candidates, mean over the moves.
    candidates: f64,
    /// Of these: undone by the reply, or of probes that are doubted; what a model has to weed out.
    to_weed: f64,
}

/// A position, the move, and the position after it.
struct Turn<'a> {
    game: &'a str,
    before: &'a Chess,
    after: Chess,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Box<dyn Error>> {
    let cache = Cache::new(args.cache.as_deref())?;
    let inputs = ProbeInputs::new(&args.sources, args.seed, &cache)?;
    let bytes = read(&args.probes, "--probes")?;
    let probes = ProbeSet::read(&bytes)?;
    probes.check_network(&inputs.network.sha256)?;
    if !args.all && probes.probes().iter().any(|probe| probe.card.seed != args.seed) {
        return Err(
            "the probes were fitted with another seed, so these are not their test games: give it with --seed".into(),
        );
    }
    let sides: &[Side] = if args.all {
        &[Side::Training, Side::Validation, Side::Test]
    } else {
        &[Side::Test]
    };
    let mut test: Vec<u32> = sides.iter().flat_map(|&side| inputs.positions.on(side)).collect();
    test.sort_unstable();
    // By lot, then in the file's order, in which the positions of a game follow one another.
    let mut chosen = test.clone();
    chosen.sort_by_key(|&i| inputs.positions.lot(i));
    chosen.truncate(args.count);
    chosen.sort_unstable();
    let mut engine_moves = 0;
    let turns: Vec<Turn> = chosen
        .iter()
        .filter_map(|&i| {
            let (record, before) = (&inputs.file.records[i as usize], &inputs.file.positions[i as usize]);
            let (mv, by_engine) = a_move(record, before, args.seed)?;
            engine_moves += usize::from(by_engine);
            let after = before.clone().play(mv).ok()?;
            Some(Turn {
                game: &record.game,
                before,
                after,
            })
        })
        .collect();
    let both: Vec<Chess> = turns
        .iter()
        .flat_map(|turn| [turn.before.clone(), turn.after.clone()])
        .collect();
    let labels = label(&inputs.labels_path, &both)?;
    let spread = spreads(test.iter().filter_map(|&i| inputs.labelled[i as usize].0.as_ref()));
    let runner = Runner::with_taps(&inputs.network, Taps::All)?;
    let men = |position: &Chess| Men::seen(inputs.network.format.input, position);
    let usual = usual(&probes, &labels, &turns, &spread);
    let mut rng = Rng::new(args.seed);
    let (mut pawns, mut standardised, mut without_terms) = (Vec::new(), Vec::new(), 0);
    let mut counts = [[0_usize; 2]; 4];
    let progress = Progress::new("moves", turns.len());
    for (turn, labels) in turns.iter().zip(labels.as_chunks().0) {
        progress.add(1);
        let mover: Color = turn.before.turn();
        let [Some(before), Some(after)] = labels else {
            without_terms += 1;
            continue;
        };
        let terms = priorities(before, after, None, mover);
        let (_, activations) = runner.evaluate_tapped(&[], turn.before)?;
        let (output, activations_after) = runner.evaluate_tapped(std::slice::from_ref(turn.before), &turn.after)?;
        let reply = output
            .policy
            .first()
            .and_then(|(mv, _)| turn.after.clone().play(*mv).ok());
        let replied: Option<(Men, Vec<Vec<f32>>)> = match reply {
            Some(position) => {
                let history = [turn.before.clone(), turn.after.clone()];
                let (_, activations) = runner.evaluate_tapped(&history, &position)?;
                Some((men(&position), activations))
            }
            None => None,
        };
        let predicted = match probes.changes() {
            Some(changes) => {
                let before = seats_of(&runner, turn.before, mover)?;
                Some(changes.predict(&before, &seats_of(&runner, &turn.after, mover)?, None)?)
            }
            None => None,
        };
        let mut counts = counts.iter_mut();
        let mut named_by = |rule: Rule, predicted: Option<&Predicted>| -> Result<Vec<Concept>, WrongActivations> {
            let before = probes.scores_for(rule, &activations, &men(turn.before), mover)?;
            let after = probes.scores_for(rule, &activations_after, &men(&turn.after), !mover)?;
            let after_reply = match &replied {
                Some((men, activations)) => Some(probes.scores_for(rule, activations, men, mover)?),
                None => None,
            };
            let around = Around {
                before: &before,
                after: &after,
                after_reply: after_reply.as_ref(),
                predicted,
            };
            let changes = prioritised(rule, &around, mover);
            let named: Vec<&ConceptChange> = match rule {
                Rule::Authors => risen(&changes, mover).into_iter().map(|(change, _)| change).collect(),
                _ => changes
                    .iter()
                    .filter(|change| change.change() != 0.0)
                    .take(NAMED)
                    .collect(),
            };
            // Without predictions, the probes of positions are the ones to doubt.
            let asked = if predicted.is_some() { rule } else { Rule::Paper };
            let doubted = probes.doubted(asked);
            if let Some([candidates, to_weed]) = counts.next() {
                *candidates += named.len();
                let weak = |change: &&&ConceptChange| !change.lasting() || doubted.contains(&change.concept);
                *to_weed += named.iter().filter(weak).count();
            }
            Ok(named.into_iter().map(|change| change.concept).collect())
        };
        let as_mover = |own: &[u8]| -> Vec<Concept> {
            let concept = |&i: &u8| Concept::ALL.get(usize::from(i)).copied();
            own.iter()
                .filter_map(concept)
                .map(|concept| if mover.is_white() { concept } else { concept.mirrored() })
                .collect()
        };
        let named = vec![
            named_by(Rule::Ours, predicted.as_ref())?,
            named_by(Rule::Ours, None)?,
            named_by(Rule::Paper, None)?,
            named_by(Rule::Authors, None)?,
            as_mover(&usual),
            drawn(&mut rng),
        ];
        for (list, spread) in [(&mut pawns, &[1.0; 21]), (&mut standardised, &spread)] {
            list.push(Compared {
                game: turn.game.to_owned(),
                wanted: most_changed(&terms, spread, &mut rng),
                named: named.clone(),
            });
        }
    }
    progress.end();
    let moves = pawns.len().max(1) as f64;
    let named = counts.iter().zip(RULES);
    let report = Report {
        schema: "kibitz-probe-priorities-2",
        seed: args.seed,
        network: inputs.network.sha256.clone(),
        positions: inputs.file.sha256.clone(),
        labels: inputs.labels_hash.clone(),
        probes: super::probe_data::sha256_of(&args.probes)?,
        engine_moves,
        without_terms,
        named: named
            .map(|([candidates, to_weed], rule)| Named {
                rule,
                candidates: *candidates as f64 / moves,
                to_weed: *to_weed as f64 / moves,
            })
            .collect(),
        pawns: Overlap::of(&pawns, &RULES, args.seed),
        standardised: Overlap::of(&standardised, &RULES, args.seed),
    };
    if args.json {
        outln!("{}", serde_json::to_string(&report)?);
    } else {
        print(&report);
    }
    Ok(ExitCode::SUCCESS)
}

/// What each list of named concepts is by. The authors' rule is by the network's own first reply.
const RULES: [&str; 6] = [
    "ours (probes of changes)",
    "ours (probes of positions)",
    "paper",
    "authors",
    "same five always",
    "lot",
];

/// The five that are always named: those that the probes of changes met most often in training, or, where there are none,
/// those of these very moves, which favours the baseline.
fn usual(probes: &ProbeSet, labels: &[Option<ConceptScores>], turns: &[Turn<'_>], spread: &[f64; 21]) -> Vec<u8> {
    if let Some(changes) = probes.changes() {
        return changes.card().usual.clone();
    }
    let changes: Vec<_> = turns
        .iter()
        .zip(labels.as_chunks().0)
        .filter_map(|(turn, labels)| match labels {
            [Some(before), Some(after)] => Some(targets::change(before, after, turn.before.turn())),
            _ => None,
        })
        .collect();
    let units = targets::Units {
        units: [1.0; 21],
        spreads: spread.map(|x| if x > 0.0 { x } else { 1.0 }),
    };
    targets::usual(&changes, &units).into_iter().take(NAMED).collect()
}

/// A bare position from both sides' seats.
pub fn seats_of(runner: &Runner, position: &Chess, mover: Color) -> Result<Seats, RunError> {
    let seen = |planes: &Planes| -> Result<Seen, RunError> {
        Ok(Seen {
            activations: runner.run(planes)?.activations,
            men: Men::on(planes),
        })
    };
    let [own, other] = seats::planes(runner.input(), position, mover);
    Ok(Seats {
        mover: seen(&own)?,
        opponent: seen(&other)?,
    })
}

/// The engine's first move where the file has one, else a legal move by lot; `None` where there is no legal move.
fn a_move(record: &PositionRecord, position: &Chess, seed: u64) -> Option<(Move, bool)> {
    if let Some(mv) = record.lines.first().and_then(|line| line.uci.to_move(position).ok()) {
        return Some((mv, true));
    }
    let legal = position.legal_moves();
    let at = Rng::new(seeded_hash(seed, &record.fen)).below(legal.len());
    legal.get(at).map(|mv| (*mv, false))
}

fn print(report: &Report) {
    outln!(
        "{} moves of the engine; {} positions without terms left out",
        report.engine_moves,
        report.without_terms
    );
    outln!("\nCandidates named, mean over the moves, and of these: undone by the reply or doubted");
    for by in &report.named {
        outln!("  {:<28} {:<22.2} {:.2}", by.rule, by.candidates, by.to_weed);
    }
    for (name, overlap) in [("in pawns", &report.pawns), ("standardised", &report.standardised)] {
        let Some(overlap) = overlap else {
            outln!("\nStockfish 8's terms, {name}: no move changes any");
            continue;
        };
        outln!(
            "\nStockfish 8's terms, {name}: {} moves of {} games, {:.2} concepts asked for on average ({} moves change none)",
            overlap.moves,
            overlap.games,
            overlap.wanted,
            overlap.unchanged
        );
        let figure = |mean: Mean| format!("{:.3} [{:.3}, {:.3}]", mean.mean, mean.interval[0], mean.interval[1]);
        outln!(
            "  {:<28} {:<22} {:<22} first",
            "",
            "of the five",
            "first among the five"
        );
        for by in &overlap.rules {
            outln!(
                "  {:<28} {:<22} {:<22} {}",
                by.rule,
                figure(by.five),
                figure(by.first_among_five),
                figure(by.first)
            );
        }
    }
}

//! `lab probe priorities`: whether the probes' priorities mean something, on held-out positions.

use std::{error::Error, path::PathBuf, process::ExitCode};

use kibitz::{
    concepts::{
        Men, ProbeSet,
        overlap::{Compared, Mean, Overlap, drawn, most_changed, spreads},
        priorities,
        split::Side,
    },
    net::{Runner, Taps},
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
    /// Against the terms' changes in pawns.
    pawns: Option<Overlap>,
    /// Against the terms' changes over each term's spread on the test positions.
    standardised: Option<Overlap>,
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
    if probes.probes().iter().any(|probe| probe.card.seed != args.seed) {
        return Err(
            "the probes were fitted with another seed, so these are not their test games: give it with --seed".into(),
        );
    }
    let test = inputs.positions.on(Side::Test);
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
    let men = |position| Men::seen(inputs.network.format.input, position);
    let mut rng = Rng::new(args.seed);
    let (mut pawns, mut standardised, mut without_terms) = (Vec::new(), Vec::new(), 0);
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
        let before = probes.scores(&activations, &men(turn.before), mover)?;
        let (_, activations) = runner.evaluate_tapped(std::slice::from_ref(turn.before), &turn.after)?;
        let after = probes.scores(&activations, &men(&turn.after), !mover)?;
        // The scores are standardised already.
        let named = most_changed(&priorities(&before, &after, None, mover), &[1.0; 21], &mut rng);
        let by_lot = drawn(&mut rng);
        for (list, spread) in [(&mut pawns, &[1.0; 21]), (&mut standardised, &spread)] {
            list.push(Compared {
                game: turn.game.to_owned(),
                wanted: most_changed(&terms, spread, &mut rng),
                named: named.clone(),
                drawn: by_lot.clone(),
            });
        }
    }
    progress.end();
    let report = Report {
        schema: "kibitz-probe-priorities-1",
        seed: args.seed,
        network: inputs.network.sha256.clone(),
        positions: inputs.file.sha256.clone(),
        labels: inputs.labels_hash.clone(),
        probes: super::probe_data::sha256_of(&args.probes)?,
        engine_moves,
        without_terms,
        pawns: Overlap::of(&pawns, args.seed),
        standardised: Overlap::of(&standardised, args.seed),
    };
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        print(&report);
    }
    Ok(ExitCode::SUCCESS)
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
    println!(
        "{} moves of the engine; {} positions without terms left out",
        report.engine_moves, report.without_terms
    );
    for (name, overlap) in [("in pawns", &report.pawns), ("standardised", &report.standardised)] {
        let Some(overlap) = overlap else {
            println!("\nStockfish 8's terms, {name}: no move changes any");
            continue;
        };
        println!(
            "\nStockfish 8's terms, {name}: {} moves of {} games, {:.2} concepts asked for on average ({} moves change none)",
            overlap.moves, overlap.games, overlap.wanted, overlap.unchanged
        );
        let line = |what: &str, mean: Mean| {
            println!(
                "  {what:<44} {:.3}  [{:.3}, {:.3}]",
                mean.mean, mean.interval[0], mean.interval[1]
            );
        };
        line("named by the probes", overlap.probes);
        line("named by an order drawn by lot", overlap.chance);
        line("the most changed one, by the probes", overlap.first);
        line("the most changed one, by lot", overlap.first_by_chance);
    }
}

//! `lab probe changes`: fits probes of changes on pairs of positions a move apart, and judges them on other games.

use std::{
    collections::HashSet,
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use clap::ValueEnum;
use kibitz::{
    concepts::{
        Concept, Layer, ProbeSet,
        concept::frame_name,
        difference::{
            ChangeProbes, Figures,
            fit::{
                Heads, Learnt, Named, Origin, Ranking, add_changes, add_ranks, assemble, factors, gains, rank_rows,
                rank_shape, ranks, values,
            },
            ridge::{RidgeFit, Sums},
            targets::{Units, change, usual},
        },
        fitting::in_frame,
        layer::Pools,
        split::{Side, without_counters},
    },
    net::{Network, read_network},
    random::Rng,
};
use serde::Serialize;
use shakmaty::{Color, Position};

use super::{
    probe_data::{Cache, Labelled, PositionFile, Progress, labels, sha256_of},
    seat_rows::SeatRows,
    setup::{Parts, read},
};

/// Pairs worked on at once.
const AT_ONCE: usize = 1024;
/// Plies at the beginning of each game that are passed over: openings repeat from game to game.
const SKIPPED: u32 = 6;
/// The paper's concepts.
const COUNT: usize = 21;

/// What else than the network is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Control {
    /// The network with the weights of each layer shuffled.
    Shuffled,
    /// The input planes: pieces and castling rights, square by square.
    Planes,
}

/// What to fit.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The Lc0 network (.pb or .pb.gz).
    #[arg(long, value_name = "FILE")]
    net: PathBuf,
    /// Whole games to learn from and to choose by: every move of them is a pair. One game in ten chooses.
    #[arg(long, value_name = "FILE.pgn")]
    games: PathBuf,
    /// Other games, which judge.
    #[arg(long, value_name = "FILE.pgn")]
    test: PathBuf,
    /// Stockfish 8: npm's stockfish.js, or a native one. Without it the one in node_modules.
    #[arg(long, value_name = "PATH")]
    labels: Option<PathBuf>,
    /// What is read from each seat; without it three blocks, evenly spread.
    #[arg(long)]
    layer: Option<Layer>,
    /// Of the split by game, and of the control's shuffling.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Positions of --games that are used, at most.
    #[arg(long, default_value_t = 1_000_000)]
    count: usize,
    /// Positions of --test that are used, at most.
    #[arg(long, default_value_t = 1_000_000)]
    test_count: usize,
    /// Read this in place of the network.
    #[arg(long)]
    control: Option<Control>,
    /// Probes of positions, which the file is to hold as well.
    #[arg(long, value_name = "FILE", requires = "out")]
    probes: Option<PathBuf>,
    /// Where the probe file goes.
    #[arg(long, value_name = "FILE", requires = "probes", conflicts_with = "control")]
    out: Option<PathBuf>,
    /// Lots worked on at the same time.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=64))]
    threads: u8,
    /// A folder to keep labels and rows in (43 kB a position for three blocks of 64 filters).
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,
    /// One JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// Pairs of positions a move apart.
struct Pairs<'a> {
    rows: SeatRows<'a>,
    /// Numbers of the positions before and after, and whose move it is.
    moves: Vec<([u32; 2], Color)>,
    /// Of the terms, in the mover's frame.
    changes: Vec<[f32; COUNT]>,
    /// The terms before the move, likewise.
    before: Vec<[f32; COUNT]>,
    /// Side of the split.
    validation: Vec<bool>,
    /// The side to move stands in check before the move.
    checks: usize,
}

#[derive(Debug, Serialize)]
struct Report {
    schema: &'static str,
    network: String,
    control: Option<String>,
    layer: String,
    seed: u64,
    games: String,
    test_games: String,
    training_pairs: usize,
    validation_pairs: usize,
    test_pairs: usize,
    lambda: f32,
    validation: Judged,
    test: Judged,
    same_five: [f64; 3],
    lot: [f64; 3],
    file_bytes: Option<usize>,
}

#[derive(Debug, Serialize)]
struct Judged {
    #[serde(flatten)]
    figures: Figures,
    /// Five found, first among the five, first.
    named: [f64; 3],
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Box<dyn Error>> {
    let cache = Cache::new(args.cache.as_deref())?;
    let network =
        read_network(&read(&args.net, "--net")?).map_err(|error| format!("{}: {error}", args.net.display()))?;
    let network = match args.control {
        Some(Control::Shuffled) => network.shuffled(args.seed),
        _ => network,
    };
    let layer = args.layer.clone().unwrap_or_else(|| {
        let blocks = u8::try_from(network.blocks.len()).unwrap_or(u8::MAX);
        Layer::spread(blocks, 3).with_pools(Pools::Sums)
    });
    let mut files = [(&args.games, args.count), (&args.test, args.test_count)]
        .map(|(path, count)| file_of(path, count))
        .into_iter();
    let (Some(games), Some(test)) = (files.next(), files.next()) else {
        return Err("two files are needed".into());
    };
    let (games, test) = (games?, test?);
    let pairs = Pairs::of(args, &network, &layer, &games, &cache)?;
    let judges = Pairs::of(args, &network, &layer, &test, &cache)?;
    let on = |validation: bool| -> Vec<u32> {
        (0..pairs.moves.len() as u32)
            .filter(|&i| pairs.validation[i as usize] == validation)
            .collect()
    };
    let (training, validation) = (on(false), on(true));
    eprintln!(
        "lab: {} pairs to learn from, {} to choose by, {} to judge by; {} in check before the move",
        training.len(),
        validation.len(),
        judges.moves.len(),
        pairs.checks
    );
    let fitted = fit(args, &pairs, &training, &validation, &layer, &network)?;
    let all: Vec<u32> = (0..judges.moves.len() as u32).collect();
    let truth = |pairs: &Pairs, list: &[u32]| -> Vec<[f32; COUNT]> {
        list.iter().map(|&i| pairs.changes[i as usize]).collect()
    };
    let judge = |pairs: &Pairs, list: &[u32], fitted: &Fitted| -> Result<Judged, Box<dyn Error>> {
        let truth = truth(pairs, list);
        let (roots, ranks) = fitted.judge(pairs, list)?;
        let sizes: Vec<_> = truth.iter().map(|change| fitted.units.sizes(change)).collect();
        let named = Named::of(&ranks, &sizes);
        Ok(Judged {
            figures: Figures::of(&roots, &truth),
            named: [named.five, named.first_among_five, named.first],
        })
    };
    let test_truth = truth(&judges, &all);
    let sizes: Vec<_> = test_truth.iter().map(|change| fitted.units.sizes(change)).collect();
    let baseline = |order: &mut dyn FnMut() -> [f32; COUNT]| {
        let ranks: Vec<_> = sizes.iter().map(|_| order()).collect();
        let named = Named::of(&ranks, &sizes);
        [named.five, named.first_among_five, named.first]
    };
    let mut rng = Rng::new(args.seed);
    let lot = baseline(&mut || std::array::from_fn(|_| rng.unit() as f32));
    let mut always = [0.0; COUNT];
    for (place, &i) in fitted.usual.iter().enumerate() {
        always[usize::from(i)] = -(place as f32);
    }
    let same_five = baseline(&mut || always);
    let test_judged = judge(&judges, &all, &fitted)?;
    let mut file_bytes = None;
    if let (Some(out), Some(path)) = (&args.out, &args.probes) {
        let probes = fitted.probes(args, &layer, &network, &judges, &all, training.len())?;
        let whole = ProbeSet::read(&read(path, "--probes")?)?;
        whole.check_network(&network.sha256)?;
        let bytes = whole.with_changes(probes)?.write();
        fs::write(out, &bytes).map_err(|error| format!("{}: {error}", out.display()))?;
        file_bytes = Some(bytes.len());
    }
    let report = Report {
        schema: "kibitz-probe-changes-1",
        network: network.sha256.clone(),
        control: args
            .control
            .and_then(|control| Some(control.to_possible_value()?.get_name().to_owned())),
        layer: match args.control {
            Some(Control::Planes) => "input planes".to_owned(),
            _ => layer.to_string(),
        },
        seed: args.seed,
        games: games.sha256.clone(),
        test_games: test.sha256.clone(),
        training_pairs: training.len(),
        validation_pairs: validation.len(),
        test_pairs: judges.moves.len(),
        lambda: fitted.ranking.lambda,
        validation: judge(&pairs, &validation, &fitted)?,
        test: test_judged,
        same_five,
        lot,
        file_bytes,
    };
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        print(&report);
    }
    Ok(ExitCode::SUCCESS)
}

/// The first `count` positions of a file.
fn file_of(path: &Path, count: usize) -> Result<PositionFile, Box<dyn Error>> {
    let mut file = PositionFile::read(path)?;
    file.positions.truncate(count);
    file.records.truncate(count);
    Ok(file)
}

impl<'a> Pairs<'a> {
    fn of(
        args: &Args,
        network: &Network,
        layer: &Layer,
        file: &'a PositionFile,
        cache: &Cache,
    ) -> Result<Self, Box<dyn Error>> {
        let parts = Parts {
            engine: None,
            labels: args.labels.clone(),
            net: None,
        };
        let path = parts
            .labels_path()?
            .ok_or("changes can't be labelled without Stockfish 8")?;
        let labelled: Labelled = labels(&path, &sha256_of(&path)?, file, cache)?;
        let rows = match args.control {
            Some(Control::Planes) => SeatRows::planes(&file.positions),
            _ => SeatRows::of_network(network, layer, file, cache, args.threads.into())?,
        };
        let mut pairs = Self {
            rows,
            moves: Vec::new(),
            changes: Vec::new(),
            before: Vec::new(),
            validation: Vec::new(),
            checks: 0,
        };
        let mut seen = HashSet::new();
        for (i, both) in file.records.windows(2).enumerate() {
            let [earlier, later] = both else { continue };
            let next = earlier.game == later.game && later.ply == earlier.ply + 1;
            let (Some(before), Some(after)) = (labelled[i].0, labelled[i + 1].0) else {
                continue;
            };
            // Another game's moves are the same in the opening now and then.
            if !next
                || earlier.ply < SKIPPED
                || !seen.insert((without_counters(&earlier.fen), without_counters(&later.fen)))
            {
                continue;
            }
            let mover = labelled[i].1;
            let scores = in_frame(&before, mover);
            pairs.moves.push(([i as u32, i as u32 + 1], mover));
            pairs.changes.push(change(&before, &after, mover));
            pairs.before.push(Concept::ALL.map(|concept| scores.get(concept)));
            pairs
                .validation
                .push(Side::of(&earlier.game, args.seed) == Side::Validation);
            pairs.checks += usize::from(file.positions[i].is_check());
        }
        if pairs.moves.is_empty() {
            return Err(format!(
                "{} holds no two positions a move apart: whole games are needed",
                file.name
            )
            .into());
        }
        Ok(pairs)
    }

    fn rows(&self, list: &[u32]) -> std::io::Result<Vec<f32>> {
        let mut rows = Vec::with_capacity(list.len() * 2 * self.rows.width());
        for &i in list {
            let (positions, mover) = self.moves[i as usize];
            self.rows.difference(positions, mover, &mut rows)?;
        }
        Ok(rows)
    }

    /// Calls `work` for lots of `list`, in several threads, each with what `new` makes; gives what they made.
    fn in_threads<T: Send>(
        &self,
        what: &'static str,
        threads: u8,
        list: &[u32],
        new: impl Fn() -> T + Sync,
        work: impl Fn(&mut T, &[f32], &[u32]) -> Result<(), String> + Sync,
    ) -> Result<Vec<T>, Box<dyn Error>> {
        let (next, progress) = (AtomicUsize::new(0), Progress::new(what, list.len()));
        let lots: Vec<&[u32]> = list.chunks(AT_ONCE).collect();
        let one = || -> Result<T, String> {
            let mut own = new();
            while let Some(lot) = lots.get(next.fetch_add(1, Ordering::Relaxed)) {
                let rows = self.rows(lot).map_err(|error| error.to_string())?;
                work(&mut own, &rows, lot)?;
                progress.add(lot.len());
            }
            Ok(own)
        };
        let done = thread::scope(|scope| {
            let running: Vec<_> = (0..threads).map(|_| scope.spawn(one)).collect();
            running
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect::<Result<Vec<_>, _>>()
        })?;
        progress.end();
        Ok(done)
    }

    fn changes_of(&self, list: &[u32]) -> Vec<[f32; COUNT]> {
        list.iter().map(|&i| self.changes[i as usize]).collect()
    }
}

/// What was learnt.
struct Fitted {
    units: Units,
    heads: Heads,
    ranking: Ranking,
    factors: Vec<f64>,
    rank_factors: Vec<f64>,
    gains: [f64; COUNT],
    columns: Vec<u32>,
    usual: Vec<u8>,
}

fn fit(
    args: &Args,
    pairs: &Pairs,
    training: &[u32],
    validation: &[u32],
    layer: &Layer,
    network: &Network,
) -> Result<Fitted, Box<dyn Error>> {
    let learnt = pairs.changes_of(training);
    let before: Vec<_> = training.iter().map(|&i| pairs.before[i as usize]).collect();
    let units = Units::of(&learnt, &before);
    let truth = pairs.changes_of(validation);
    let width = 2 * pairs.rows.width();
    let (columns, rank_width) = match args.control {
        Some(Control::Planes) => ((0..width as u32 / 2).collect(), width / 2 + COUNT),
        _ => rank_shape(layer, network.filters()),
    };
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let sums = pairs.in_threads(
        "changes learnt",
        args.threads,
        training,
        || Sums::new(width, COUNT),
        |sums, rows, lot| add_changes(sums, rows, &pairs.changes_of(lot), &units).map_err(|e| text(&e)),
    )?;
    let sums = merged(sums)?;
    let solved = Heads::solve(&sums)?;
    let own_factors = factors(&sums);
    drop(sums);
    // All the values of the validation pairs, for each α.
    let predict =
        |solved: &[Vec<RidgeFit>], rows: &[f32]| solved.iter().map(|lines| values(lines, rows)).collect::<Vec<_>>();
    let predicted = pairs.on_all(validation, |rows| predict(&solved, rows))?;
    let heads = Heads::choose(solved, &predicted, &truth);
    let roots: Vec<[f32; COUNT]> = pairs
        .on_all(validation, |rows| vec![values(&heads.lines, rows)])?
        .concat();
    let sums = pairs.in_threads(
        "ranks learnt",
        args.threads,
        training,
        || Sums::new(rank_width, COUNT),
        |sums, rows, lot| add_ranks(sums, &heads, &columns, rows, &pairs.changes_of(lot), &units).map_err(|e| text(&e)),
    )?;
    let sums = merged(sums)?;
    let solved = Heads::solve(&sums)?;
    let rank_factors = factors(&sums);
    let predicted = pairs.on_all(validation, |rows| {
        let own = rank_rows(&values(&heads.lines, rows), &columns, rows);
        predict(&solved, &own)
    })?;
    let ranking = Ranking::choose(solved, &predicted, &roots, &truth, &units);
    eprintln!(
        "lab: α over pairs {:?}; of the rank heads {}, λ {}",
        heads.shrinks, ranking.heads.shrinks[0], ranking.lambda
    );
    Ok(Fitted {
        gains: gains(&roots, &truth, &units),
        usual: usual(&learnt, &units),
        units,
        heads,
        ranking,
        factors: own_factors,
        rank_factors,
        columns,
    })
}

impl Pairs<'_> {
    /// Several lists of values a pair, lot after lot, put together.
    fn on_all(
        &self,
        list: &[u32],
        values: impl Fn(&[f32]) -> Vec<Vec<[f32; COUNT]>>,
    ) -> Result<Vec<Vec<[f32; COUNT]>>, Box<dyn Error>> {
        let mut all: Vec<Vec<[f32; COUNT]>> = Vec::new();
        for lot in list.chunks(AT_ONCE) {
            let own = values(&self.rows(lot)?);
            all.resize(own.len(), Vec::new());
            for (all, own) in all.iter_mut().zip(own) {
                all.extend(own);
            }
        }
        Ok(all)
    }
}

fn merged(sums: Vec<Sums>) -> Result<Sums, Box<dyn Error>> {
    let mut all = sums.into_iter();
    let mut first = all.next().ok_or("nothing was learnt")?;
    for other in all {
        first.merge(&other)?;
    }
    Ok(first)
}

impl Fitted {
    /// Roots and ranks.
    #[allow(clippy::type_complexity)]
    fn judge(&self, pairs: &Pairs, list: &[u32]) -> Result<(Vec<[f32; COUNT]>, Vec<[f32; COUNT]>), Box<dyn Error>> {
        let both = pairs.on_all(list, |rows| {
            let roots = values(&self.heads.lines, rows);
            let own = rank_rows(&roots, &self.columns, rows);
            let by_heads = values(&self.ranking.heads.lines, &own);
            vec![ranks(&by_heads, &roots, &self.units, self.ranking.lambda), roots]
        })?;
        let mut both = both.into_iter();
        let (ranks, roots) = (both.next().unwrap_or_default(), both.next().unwrap_or_default());
        Ok((roots, ranks))
    }

    /// What goes into a file, judged as it is there.
    fn probes(
        &self,
        args: &Args,
        layer: &Layer,
        network: &Network,
        judges: &Pairs,
        all: &[u32],
        n: usize,
    ) -> Result<ChangeProbes, Box<dyn Error>> {
        let origin = Origin {
            layer: layer.clone(),
            labels: "Stockfish 8 eval, mid-game, change by a move".to_owned(),
            n: n as u64,
            seed: args.seed,
            usual: self.usual.clone(),
        };
        let probes = assemble(
            origin,
            network.filters(),
            &Learnt {
                heads: &self.heads,
                factors: &self.factors,
                ranking: &self.ranking,
                rank_factors: &self.rank_factors,
                units: &self.units,
                gains: &self.gains,
            },
        )?;
        let truth = judges.changes_of(all);
        let (mut roots, mut ranks) = (Vec::new(), Vec::new());
        for lot in all.chunks(AT_ONCE) {
            for row in judges.rows(lot)?.chunks_exact(2 * judges.rows.width()) {
                roots.push(probes.roots(row));
                ranks.push(probes.predict_row(row).rank);
            }
        }
        let figures = Figures::of(&roots, &truth);
        let sizes: Vec<_> = truth.iter().map(|change| self.units.sizes(change)).collect();
        let named = Named::of(&ranks, &sizes);
        eprintln!(
            "lab: as the file has them: ρ {:.4}, sign {:.4}, five {:.4}, first among five {:.4}, first {:.4}",
            figures.spearman, figures.sign, named.five, named.first_among_five, named.first
        );
        Ok(probes.judged(&figures))
    }
}

fn print(report: &Report) {
    println!(
        "{}, {}; {} pairs to learn from, {} to choose by, {} to judge by; λ {}",
        report.control.as_deref().unwrap_or("the network"),
        report.layer,
        report.training_pairs,
        report.validation_pairs,
        report.test_pairs,
        report.lambda
    );
    println!("{:<20} {:>8} {:>8} {:>8}", "concept (test)", "changed", "ρ", "sign");
    let number = |x: Option<f64>| x.map_or_else(|| "–".to_owned(), |x| format!("{x:.3}"));
    for (concept, own) in Concept::ALL.into_iter().zip(&report.test.figures.concepts) {
        println!(
            "{:<20} {:>8} {:>8} {:>8}",
            frame_name(concept),
            own.changed,
            number(own.spearman),
            number(own.sign)
        );
    }
    let line = |what: &str, judged: &Judged| {
        let [five, among, first] = judged.named;
        println!(
            "{what:<12} ρ {:.3}  sign {:.3}  five {five:.3}  first among five {among:.3}  first {first:.3}",
            judged.figures.spearman, judged.figures.sign
        );
    };
    line("validation", &report.validation);
    line("test", &report.test);
    for (what, [five, among, first]) in [("same five", report.same_five), ("lot", report.lot)] {
        println!("{what:<34} five {five:.3}  first among five {among:.3}  first {first:.3}");
    }
    if let Some(bytes) = report.file_bytes {
        println!("the file has {bytes} bytes");
    }
}

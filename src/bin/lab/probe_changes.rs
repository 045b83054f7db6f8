//! `lab probe changes`: fits probes of changes on pairs of positions a move apart, and judges them on other games.

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::ValueEnum;
use kibitz::{
    concepts::{
        Concept, Layer, ProbeSet,
        concept::frame_name,
        difference::{
            ChangeFitting, ChangeProbes, Figures, PairRows,
            fit::{Named, rank_shape},
            fitting::{ChangeSettings, FittedChanges, JudgedChanges, Pairs as ToLearn, units_of},
            pairs::{Met, Place},
            targets::{Units, change},
        },
        fitting::in_frame,
        layer::Pools,
        split::Side,
    },
    net::{Network, read_network},
    random::Rng,
    training::PositionRecord,
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
    #[arg(long, value_name = "FILE.pgn", required_unless_present = "judge")]
    games: Option<PathBuf>,
    /// Fit nothing: judge the probes of changes in this file on --test.
    #[arg(long, value_name = "FILE.probes", conflicts_with_all = ["games", "control", "out", "layer"])]
    judge: Option<PathBuf>,
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
    /// What is to be learnt of them.
    terms: ToLearn,
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
    /// Absent where probes of a file are judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<String>,
    test_games: String,
    training_pairs: usize,
    validation_pairs: usize,
    test_pairs: usize,
    lambda: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    validation: Option<Judged>,
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

impl From<JudgedChanges> for Judged {
    fn from(JudgedChanges { figures, named }: JudgedChanges) -> Self {
        Self {
            figures,
            named: [named.five, named.first_among_five, named.first],
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Box<dyn Error>> {
    let cache = Cache::new(args.cache.as_deref())?;
    let network =
        read_network(&read(&args.net, "--net")?).map_err(|error| format!("{}: {error}", args.net.display()))?;
    let report = match &args.judge {
        Some(path) => judge(args, path, &network, &cache)?,
        None => fit_and_judge(args, network, &cache)?,
    };
    if args.json {
        outln!("{}", serde_json::to_string(&report)?);
    } else {
        print(&report);
    }
    Ok(ExitCode::SUCCESS)
}

/// Judges the probes of a file on games that they have not seen.
fn judge(args: &Args, path: &Path, network: &Network, cache: &Cache) -> Result<Report, Box<dyn Error>> {
    let set = ProbeSet::read(&read(path, "--judge")?)?;
    set.check_network(&network.sha256)?;
    let probes = set
        .changes()
        .ok_or_else(|| format!("{} holds no probes of changes", path.display()))?;
    let card = probes.card();
    let test = file_of(&args.test, args.test_count)?;
    let judges = Pairs::of(args, network, &card.layer, &test, &mut Met::default(), cache)?;
    let (roots, ranks) = as_the_file_has_them(probes, &judges)?;
    let units = units_of(probes);
    let [same_five, lot] = baselines(&judges, &card.usual, &units, args.seed);
    Ok(Report {
        schema: SCHEMA,
        network: network.sha256.clone(),
        control: None,
        layer: card.layer.to_string(),
        seed: card.seed,
        games: None,
        test_games: test.sha256.clone(),
        training_pairs: usize::try_from(card.n).unwrap_or(usize::MAX),
        validation_pairs: 0,
        test_pairs: judges.moves.len(),
        lambda: card.lambda,
        validation: None,
        test: JudgedChanges::of(&roots, &ranks, &judges.terms.changes, &units).into(),
        same_five,
        lot,
        file_bytes: None,
    })
}

/// What a report of this command calls itself.
const SCHEMA: &str = "kibitz-probe-changes-1";

fn fit_and_judge(args: &Args, network: Network, cache: &Cache) -> Result<Report, Box<dyn Error>> {
    let network = match args.control {
        Some(Control::Shuffled) => network.shuffled(args.seed),
        _ => network,
    };
    let layer = args.layer.clone().unwrap_or_else(|| {
        let blocks = u8::try_from(network.blocks()).unwrap_or(u8::MAX);
        Layer::spread(blocks, 3).with_pools(Pools::Sums)
    });
    let path = args.games.as_ref().ok_or("--games: whole games are needed")?;
    let (games, test) = (file_of(path, args.count)?, file_of(&args.test, args.test_count)?);
    // Moves that were learnt from judge nothing.
    let mut met = Met::default();
    let pairs = Pairs::of(args, &network, &layer, &games, &mut met, cache)?;
    let judges = Pairs::of(args, &network, &layer, &test, &mut met, cache)?;
    let (columns, _) = match args.control {
        Some(Control::Planes) => ((0..pairs.rows.width() as u32).collect(), 0),
        _ => rank_shape(&layer, network.filters()),
    };
    let settings = ChangeSettings {
        columns,
        lot: AT_ONCE,
        threads: args.threads.into(),
    };
    let mut fit = ChangeFitting::new(pairs.terms.clone(), pairs.width(), settings);
    let [training, choosing] = fit.counts();
    errln!(
        "lab: {training} pairs to learn from, {choosing} to choose by, {} to judge by; {} in check before the move",
        judges.moves.len(),
        pairs.checks
    );
    let progress = Progress::new("steps of the fit", fit.progress().1);
    while fit.step(&pairs)? {
        progress.add(1);
    }
    progress.end();
    let fitted = fit.fitted().ok_or("the fit ended without probes")?;
    errln!(
        "lab: α over pairs {:?}; of the rank heads {}, λ {}",
        fitted.heads.shrinks,
        fitted.ranking.heads.shrinks[0],
        fitted.ranking.lambda
    );
    let [same_five, lot] = baselines(&judges, &fitted.usual, &fitted.units, args.seed);
    let validation: Vec<u32> = (0..pairs.moves.len() as u32)
        .filter(|&i| pairs.terms.chooses[i as usize])
        .collect();
    let mut file_bytes = None;
    if let (Some(out), Some(path)) = (&args.out, &args.probes) {
        let whole = ProbeSet::read(&read(path, "--probes")?)?;
        whole.check_network(&network.sha256)?;
        let bytes = whole
            .with_changes(probes(args, fitted, &layer, &network, &judges)?)?
            .write();
        fs::write(out, &bytes).map_err(|error| format!("{}: {error}", out.display()))?;
        file_bytes = Some(bytes.len());
    }
    Ok(Report {
        schema: SCHEMA,
        network: network.sha256.clone(),
        control: args
            .control
            .and_then(|control| Some(control.to_possible_value()?.get_name().to_owned())),
        layer: match args.control {
            Some(Control::Planes) => "input planes".to_owned(),
            _ => layer.to_string(),
        },
        seed: args.seed,
        games: Some(games.sha256.clone()),
        test_games: test.sha256.clone(),
        training_pairs: training,
        validation_pairs: choosing,
        test_pairs: judges.moves.len(),
        lambda: fitted.ranking.lambda,
        validation: Some(judged(fitted, &pairs, &validation)?),
        test: judged(fitted, &judges, &judges.all())?,
        same_five,
        lot,
        file_bytes,
    })
}

/// The same five always, and an order by lot: what they name.
fn baselines(judges: &Pairs, usual: &[u8], units: &Units, seed: u64) -> [[f64; 3]; 2] {
    let sizes: Vec<_> = judges.terms.changes.iter().map(|change| units.sizes(change)).collect();
    let named = |order: &mut dyn FnMut() -> [f32; COUNT]| {
        let ranks: Vec<_> = sizes.iter().map(|_| order()).collect();
        let named = Named::of(&ranks, &sizes);
        [named.five, named.first_among_five, named.first]
    };
    let mut rng = Rng::new(seed);
    let lot = named(&mut || std::array::from_fn(|_| rng.unit() as f32));
    let mut always = [f32::NEG_INFINITY; COUNT];
    for (place, &i) in usual.iter().enumerate() {
        always[usize::from(i)] = -(place as f32);
    }
    [named(&mut || always), lot]
}

/// The first `count` positions of a file.
fn file_of(path: &Path, count: usize) -> Result<PositionFile, Box<dyn Error>> {
    let mut file = PositionFile::read(path)?;
    file.positions.truncate(count);
    file.records.truncate(count);
    Ok(file)
}

fn place(record: &PositionRecord) -> Place<'_> {
    Place {
        game: &record.game,
        ply: record.ply,
        fen: &record.fen,
    }
}

impl<'a> Pairs<'a> {
    /// The moves of a file that were not `met` before.
    fn of(
        args: &Args,
        network: &Network,
        layer: &Layer,
        file: &'a PositionFile,
        met: &mut Met,
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
            terms: ToLearn::default(),
            checks: 0,
        };
        for (i, both) in file.records.windows(2).enumerate() {
            let [earlier, later] = both else { continue };
            let (Some(before), Some(after)) = (labelled[i].0, labelled[i + 1].0) else {
                continue;
            };
            if !met.is_new_move(place(earlier), place(later)) {
                continue;
            }
            let mover = labelled[i].1;
            let scores = in_frame(&before, mover);
            pairs.moves.push(([i as u32, i as u32 + 1], mover));
            let terms = &mut pairs.terms;
            terms.changes.push(change(&before, &after, mover));
            terms.before.push(Concept::ALL.map(|concept| scores.get(concept)));
            terms
                .chooses
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

    fn all(&self) -> Vec<u32> {
        (0..self.moves.len() as u32).collect()
    }

    fn rows(&self, list: &[u32]) -> std::io::Result<Vec<f32>> {
        let mut rows = Vec::with_capacity(list.len() * self.width());
        self.append(list, &mut rows)?;
        Ok(rows)
    }
}

impl PairRows for Pairs<'_> {
    type Error = std::io::Error;

    fn width(&self) -> usize {
        2 * self.rows.width()
    }

    fn append(&self, pairs: &[u32], out: &mut Vec<f32>) -> std::io::Result<()> {
        for &i in pairs {
            let (positions, mover) = self.moves[i as usize];
            self.rows.difference(positions, mover, out)?;
        }
        Ok(())
    }
}

/// Figures on the pairs of `list`, before the weights are rounded.
fn judged(fitted: &FittedChanges, pairs: &Pairs, list: &[u32]) -> Result<Judged, Box<dyn Error>> {
    let (mut roots, mut ranks) = (Vec::new(), Vec::new());
    for lot in list.chunks(AT_ONCE) {
        let (own_roots, own_ranks) = fitted.judge(&pairs.rows(lot)?);
        roots.extend(own_roots);
        ranks.extend(own_ranks);
    }
    let truth: Vec<_> = list.iter().map(|&i| pairs.terms.changes[i as usize]).collect();
    Ok(JudgedChanges::of(&roots, &ranks, &truth, &fitted.units).into())
}

/// Roots and ranks of all pairs by probes whose weights are rounded.
#[allow(clippy::type_complexity)]
fn as_the_file_has_them(
    probes: &ChangeProbes,
    judges: &Pairs,
) -> Result<(Vec<[f32; COUNT]>, Vec<[f32; COUNT]>), Box<dyn Error>> {
    let (mut roots, mut ranks) = (Vec::new(), Vec::new());
    for lot in judges.all().chunks(AT_ONCE) {
        for row in judges.rows(lot)?.chunks_exact(judges.width()) {
            roots.push(probes.roots(row));
            ranks.push(probes.predict_row(row).rank);
        }
    }
    Ok((roots, ranks))
}

/// What goes into a file, judged as it is there.
fn probes(
    args: &Args,
    fitted: &FittedChanges,
    layer: &Layer,
    network: &Network,
    judges: &Pairs,
) -> Result<ChangeProbes, Box<dyn Error>> {
    let labels = "Stockfish 8 eval, mid-game, change by a move";
    let probes = fitted.probes(layer, labels, args.seed, network.filters())?;
    let (roots, ranks) = as_the_file_has_them(&probes, judges)?;
    let judged = JudgedChanges::of(&roots, &ranks, &judges.terms.changes, &fitted.units);
    let JudgedChanges { figures, named } = &judged;
    errln!(
        "lab: as the file has them: ρ {:.4}, sign {:.4}, five {:.4}, first among five {:.4}, first {:.4}",
        figures.spearman,
        figures.sign,
        named.five,
        named.first_among_five,
        named.first
    );
    Ok(probes.judged(figures))
}

fn print(report: &Report) {
    outln!(
        "{}, {}; {} pairs to learn from, {} to choose by, {} to judge by; λ {}",
        report.control.as_deref().unwrap_or("the network"),
        report.layer,
        report.training_pairs,
        report.validation_pairs,
        report.test_pairs,
        report.lambda
    );
    outln!("{:<20} {:>8} {:>8} {:>8}", "concept (test)", "changed", "ρ", "sign");
    let number = |x: Option<f64>| x.map_or_else(|| "–".to_owned(), |x| format!("{x:.3}"));
    for (concept, own) in Concept::ALL.into_iter().zip(&report.test.figures.concepts) {
        outln!(
            "{:<20} {:>8} {:>8} {:>8}",
            frame_name(concept),
            own.changed,
            number(own.spearman),
            number(own.sign)
        );
    }
    let line = |what: &str, judged: &Judged| {
        let [five, among, first] = judged.named;
        outln!(
            "{what:<12} ρ {:.3}  sign {:.3}  five {five:.3}  first among five {among:.3}  first {first:.3}",
            judged.figures.spearman,
            judged.figures.sign
        );
    };
    if let Some(validation) = &report.validation {
        line("validation", validation);
    }
    line("test", &report.test);
    for (what, [five, among, first]) in [("same five", report.same_five), ("lot", report.lot)] {
        outln!("{what:<34} five {five:.3}  first among five {among:.3}  first {first:.3}");
    }
    if let Some(bytes) = report.file_bytes {
        outln!("the file has {bytes} bytes");
    }
}

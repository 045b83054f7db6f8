//! What probes are fitted on: positions, the labels that Stockfish 8 gives them, a network's activations; the latter two
//! kept in files, so that another run over the same positions need not wait for them.

use std::{
    collections::BTreeSet,
    error::Error,
    fs::{self, File},
    io::Read,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Instant,
};

use half::{f16, slice::HalfFloatSliceExt};
use kibitz::{
    chess::fen::read_fen,
    concepts::{Activations, Concept, ConceptScores, Layer, Men, sf8::Eval},
    net::{Network, Runner, Taps},
    training::PositionRecord,
};
use sha2::{Digest, Sha256};
use shakmaty::{Chess, Color, Position};

use super::{labels::Labels, source_file::read_games};

/// Positions labelled between two reports of progress.
const LABELS_AT_ONCE: usize = 4_000;
/// Positions whose activations are written at once.
const POSITIONS_AT_ONCE: usize = 128;
/// Digits of a hash in a file's name.
const HASH_DIGITS: usize = 16;

/// A position file, read whole.
#[derive(Debug)]
pub struct PositionFile {
    /// Its name.
    pub name: String,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// Its lines.
    pub records: Vec<PositionRecord>,
    /// Their positions.
    pub positions: Vec<Chess>,
}

/// SHA-256 of a file, in hexadecimal.
pub fn sha256_of(path: &Path) -> Result<String, Box<dyn Error>> {
    let mut file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let (mut hash, mut buffer) = (Sha256::new(), vec![0; 1 << 20]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex(&hash.finalize())),
            n => hash.update(&buffer[..n]),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl PositionFile {
    /// Reads a file of `lab positions`, or games.
    pub fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let mut records = Vec::new();
        read_games(path, |game| records.extend(game))?;
        let positions = records
            .iter()
            .enumerate()
            .map(|(i, record)| {
                let read = read_fen(&record.fen).map_err(|error| format!("position {}: {error}", i + 1))?;
                Ok(read.position)
            })
            .collect::<Result<Vec<_>, String>>()?;
        if positions.is_empty() {
            return Err(format!("{} holds no position", path.display()).into());
        }
        Ok(Self {
            name: file_name(path),
            sha256: sha256_of(path)?,
            records,
            positions,
        })
    }
}

/// Where files are kept from run to run; a folder of this process alone, removed at the end, where none is named.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    temporary: bool,
}

impl Cache {
    /// The folder `named`, made where it is not there.
    pub fn new(named: Option<&Path>) -> Result<Self, Box<dyn Error>> {
        let folder = named.map_or_else(
            || std::env::temp_dir().join(format!("kibitz-probe-{}", std::process::id())),
            Path::to_owned,
        );
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Self {
            folder,
            temporary: named.is_none(),
        })
    }

    /// Where a file of this kind and of these hashes is kept.
    pub fn file(&self, what: &str, hashes: &[&str], ending: &str) -> PathBuf {
        let hashes: Vec<&str> = hashes.iter().map(|hash| &hash[..HASH_DIGITS.min(hash.len())]).collect();
        self.folder.join(format!("{what}-{}.{ending}", hashes.join("-")))
    }
}

impl Drop for Cache {
    fn drop(&mut self) {
        if self.temporary {
            // A folder in the system's temporary one that can't be removed is left to the system.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// Progress on standard error: how much of how much, and how long it will take.
#[derive(Debug)]
pub struct Progress {
    what: &'static str,
    total: usize,
    done: AtomicUsize,
    reported: AtomicUsize,
    begun: Instant,
}

impl Progress {
    /// Of `total` things.
    pub fn new(what: &'static str, total: usize) -> Self {
        Self {
            what,
            total,
            done: AtomicUsize::new(0),
            reported: AtomicUsize::new(0),
            begun: Instant::now(),
        }
    }

    /// `more` things are done. Said every five seconds at the most.
    pub fn add(&self, more: usize) {
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        let seconds = self.begun.elapsed().as_secs_f64();
        let fives = (seconds / 5.0) as usize;
        if self.reported.fetch_max(fives, Ordering::Relaxed) < fives {
            let left = seconds * (self.total.saturating_sub(done)) as f64 / done.max(1) as f64;
            errln!("lab: {}: {done} of {}, {left:.0} s to go", self.what, self.total);
        }
    }

    /// All is done.
    pub fn end(&self) {
        let seconds = self.begun.elapsed().as_secs_f64();
        errln!("lab: {}: {} in {seconds:.1} s", self.what, self.total);
    }
}

/// Each position's scores (a side's in its own view, totals in White's) and side to move; no scores where Stockfish 8
/// prints no table.
pub type Labelled = Vec<(Option<ConceptScores>, Color)>;

/// Labels of all positions by the Stockfish 8 at `path`, from the cache where they are there. Two processes.
pub fn labels(path: &Path, hash: &str, file: &PositionFile, cache: &Cache) -> Result<Labelled, Box<dyn Error>> {
    const WIDTH: usize = Concept::ALL.len();
    let kept = cache.file("labels", &[&file.sha256, hash], "f32");
    let turns = file.positions.iter().map(Position::turn);
    let numbers: Vec<f32> = match fs::read(&kept) {
        Ok(bytes) if bytes.len() == file.positions.len() * WIDTH * 4 => bytes
            .as_chunks()
            .0
            .iter()
            .map(|&four| f32::from_le_bytes(four))
            .collect(),
        _ => {
            let scores = label(path, &file.positions)?;
            let row = |scores: &Option<ConceptScores>| {
                Concept::ALL.map(|concept| scores.map_or(f32::NAN, |scores| scores.get(concept)))
            };
            let numbers: Vec<f32> = scores.iter().flat_map(row).collect();
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            write_whole(&kept, &bytes)?;
            numbers
        }
    };
    let scores = numbers.as_chunks::<WIDTH>().0.iter();
    Ok(scores
        .map(|row| {
            row.iter()
                .all(|number| number.is_finite())
                .then(|| ConceptScores::new(*row))
        })
        .zip(turns)
        .collect())
}

/// Scores of positions, by two processes.
pub fn label(path: &Path, positions: &[Chess]) -> Result<Vec<Option<ConceptScores>>, Box<dyn Error>> {
    let progress = Progress::new("labels", positions.len());
    let halves: Vec<&[Chess]> = positions.chunks(positions.len().div_ceil(2).max(1)).collect();
    let done = thread::scope(|scope| {
        let running: Vec<_> = halves
            .into_iter()
            .map(|half| {
                let progress = &progress;
                scope.spawn(move || {
                    let mut labels = Labels::start(path)?;
                    let mut scores = Vec::with_capacity(half.len());
                    for some in half.chunks(LABELS_AT_ONCE) {
                        scores.extend(labels.evaluate(some)?.into_iter().map(|eval| match eval {
                            Eval::Terms(terms) => Some(terms.scores()),
                            Eval::NoTable(_) => None,
                        }));
                        progress.add(some.len());
                    }
                    Ok::<_, super::labels::LabelsError>(scores)
                })
            })
            .collect();
        running.into_iter().map(joined).collect::<Result<Vec<_>, _>>()
    })?;
    progress.end();
    Ok(done.concat())
}

/// What a thread gave. A panic in it goes on here.
fn joined<T>(thread: thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Writes a file under another name first, so that a file that is there is whole.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    let part = path.with_extension("part");
    fs::write(&part, bytes)?;
    Ok(fs::rename(part, path)?)
}

/// A network's activations of all positions, a file a block, in half precision.
#[derive(Debug)]
pub struct ActivationFiles {
    filters: usize,
    men: Vec<Men>,
    /// `None` of a block that was not wanted.
    files: Vec<Option<File>>,
}

/// Why activations can't be had.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The network has not so many blocks, or the block was not wanted.
    #[error("the network has {found} blocks, and block {block} is to be read, which is not there")]
    NoBlock {
        /// The block, from 1.
        block: u8,
        /// Blocks there are.
        found: usize,
    },
    /// The file can't be read.
    #[error("the activations can't be read: {0}")]
    File(#[from] std::io::Error),
}

impl ActivationFiles {
    /// Opens the files of the cache, or runs the network over all positions first, in `threads` threads. Only the blocks that
    /// `layers` read are kept: one is a sixth of the disk, for a network of six.
    pub fn new<'a>(
        network: &Network,
        file: &PositionFile,
        layers: impl IntoIterator<Item = &'a Layer>,
        cache: &Cache,
        threads: usize,
    ) -> Result<Self, Box<dyn Error>> {
        let wanted: BTreeSet<usize> = layers
            .into_iter()
            .flat_map(|layer| layer.blocks().iter().copied().map(usize::from))
            .collect();
        let paths: Vec<Option<PathBuf>> = (1..=network.blocks())
            .map(|block| {
                let path = cache.file(&format!("block-{block}"), &[&file.sha256, &network.sha256], "f16");
                wanted.contains(&block).then_some(path)
            })
            .collect();
        let bytes = (file.positions.len() * network.activations() * 2) as u64;
        let whole = |path: &PathBuf| fs::metadata(path).is_ok_and(|meta| meta.len() == bytes);
        if !paths.iter().flatten().all(whole) {
            compute(network, &file.positions, &paths, threads)?;
        }
        let open = |path: &Option<PathBuf>| path.as_ref().map(File::open).transpose();
        let files = paths.iter().map(open).collect::<Result<_, _>>()?;
        let men = |position| Men::seen(network.format.input, position);
        Ok(Self {
            filters: network.filters(),
            men: file.positions.iter().map(men).collect(),
            files,
        })
    }
}

fn compute(
    network: &Network,
    positions: &[Chess],
    paths: &[Option<PathBuf>],
    threads: usize,
) -> Result<(), Box<dyn Error>> {
    let runner = Runner::with_taps(network, Taps::All)?;
    let part = |path: &PathBuf| path.with_extension("part");
    let create = |path: &Option<PathBuf>| path.as_ref().map(|path| File::create(part(path))).transpose();
    let files = paths.iter().map(create).collect::<Result<Vec<_>, _>>()?;
    let width = network.activations();
    let progress = Progress::new("activations", positions.len());
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let running: Vec<_> = (0..threads.max(1))
            .map(|_| {
                let (runner, files, progress, next) = (runner.clone(), &files, &progress, &next);
                scope.spawn(move || -> Result<(), String> {
                    let mut halves = vec![f16::ZERO; width];
                    loop {
                        let from = next.fetch_add(POSITIONS_AT_ONCE, Ordering::Relaxed);
                        let some =
                            &positions[from.min(positions.len())..(from + POSITIONS_AT_ONCE).min(positions.len())];
                        if some.is_empty() {
                            return Ok(());
                        }
                        let mut blocks = vec![vec![0_u8; some.len() * width * 2]; files.len()];
                        for (at, position) in some.iter().enumerate() {
                            let raw = runner.run(&runner.planes(&[], position)).map_err(|e| e.to_string())?;
                            for (bytes, values) in blocks.iter_mut().zip(&raw.activations) {
                                if !values.iter().all(|v| v.is_finite()) {
                                    return Err("the network's activations are not numbers".to_owned());
                                }
                                // All at once: one by one is thirty times slower next to tract's vector code.
                                halves.convert_from_f32_slice(values);
                                for (two, half) in bytes[at * width * 2..].chunks_exact_mut(2).zip(&halves) {
                                    two.copy_from_slice(&half.to_le_bytes());
                                }
                            }
                        }
                        for (file, bytes) in files.iter().zip(&blocks) {
                            let Some(file) = file else { continue };
                            file.write_all_at(bytes, (from * width * 2) as u64)
                                .map_err(|e| e.to_string())?;
                        }
                        progress.add(some.len());
                    }
                })
            })
            .collect();
        running.into_iter().try_for_each(joined)
    })?;
    progress.end();
    for path in paths.iter().flatten() {
        fs::rename(part(path), path)?;
    }
    Ok(())
}

impl Activations for ActivationFiles {
    type Error = StoreError;

    fn filters(&self) -> usize {
        self.filters
    }

    fn rows(&self, layer: &Layer, positions: &[u32], out: &mut Vec<f32>) -> Result<(), StoreError> {
        let width = self.filters * 64;
        let (mut bytes, mut halves, mut values) = (vec![0; width * 2], vec![f16::ZERO; width], vec![0.0; width]);
        for &position in positions {
            for &block in layer.blocks() {
                let file = self.files.get(usize::from(block) - 1).and_then(Option::as_ref);
                let file = file.ok_or(StoreError::NoBlock {
                    block,
                    found: self.files.len(),
                })?;
                file.read_exact_at(&mut bytes, u64::from(position) * (width * 2) as u64)?;
                for (half, &pair) in halves.iter_mut().zip(bytes.as_chunks().0) {
                    *half = f16::from_le_bytes(pair);
                }
                halves.convert_to_f32_slice(&mut values);
                layer.append(&values, &self.men[position as usize], out);
            }
        }
        Ok(())
    }
}

/// A file's name without its folders.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

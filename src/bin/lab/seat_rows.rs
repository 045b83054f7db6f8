//! Rows of positions as both sides see them, kept in a file: what probes of changes are fitted on.

use std::{
    error::Error,
    fs::{self, File},
    os::unix::fs::FileExt,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use half::{f16, slice::HalfFloatSliceExt};
use kibitz::{
    concepts::{Layer, Men, PlaneRows},
    net::{Network, Planes, Runner, Taps},
};
use shakmaty::{Chess, Color};

use super::probe_data::{Cache, PositionFile, Progress};

/// Positions whose rows are written at once.
const AT_ONCE: usize = 64;

/// Rows of positions, from White's seat and from Black's.
pub enum SeatRows<'a> {
    /// A network's, in a file: of each position White's row, then Black's, in half precision.
    Network {
        /// Numbers of a row.
        width: usize,
        /// The file.
        file: File,
    },
    /// The input planes themselves, square by square.
    Planes {
        /// The positions.
        positions: &'a [Chess],
    },
}

impl<'a> SeatRows<'a> {
    /// The planes of `positions`.
    pub const fn planes(positions: &'a [Chess]) -> Self {
        Self::Planes { positions }
    }

    /// The rows of a layer of a network, from the cache, or run first.
    pub fn of_network(
        network: &Network,
        layer: &Layer,
        file: &PositionFile,
        cache: &Cache,
        threads: usize,
    ) -> Result<Self, Box<dyn Error>> {
        let width = layer.width(network.filters());
        let blocks = layer.blocks().iter().map(u8::to_string).collect::<Vec<_>>().join("+");
        let path = cache.file(&format!("seats-{blocks}"), &[&file.sha256, &network.sha256], "f16");
        let bytes = (file.positions.len() * width * 4) as u64;
        if !fs::metadata(&path).is_ok_and(|meta| meta.len() >= bytes) {
            let part = path.with_extension("part");
            compute(network, layer, &file.positions, &File::create(&part)?, threads)?;
            fs::rename(part, &path)?;
        }
        Ok(Self::Network {
            width,
            file: File::open(path)?,
        })
    }

    /// Numbers of a row of one seat.
    pub fn width(&self) -> usize {
        match self {
            Self::Network { width, .. } => *width,
            Self::Planes { .. } => PlaneRows::WIDTH,
        }
    }

    /// Appends the difference of the position `after` and the one `before`: seen by the mover, then by the opponent.
    pub fn difference(&self, [before, after]: [u32; 2], mover: Color, out: &mut Vec<f32>) -> std::io::Result<()> {
        for us in [mover, !mover] {
            let from = out.len();
            self.append(after, us, out)?;
            let mut earlier = Vec::with_capacity(out.len() - from);
            self.append(before, us, &mut earlier)?;
            for (x, before) in out[from..].iter_mut().zip(earlier) {
                *x -= before;
            }
        }
        Ok(())
    }

    fn append(&self, position: u32, us: Color, out: &mut Vec<f32>) -> std::io::Result<()> {
        match self {
            Self::Network { width, file } => {
                let (mut bytes, mut halves) = (vec![0; width * 2], vec![f16::ZERO; *width]);
                let number = 2 * u64::from(position) + us.fold_wb(0, 1);
                file.read_exact_at(&mut bytes, number * (width * 2) as u64)?;
                for (half, &pair) in halves.iter_mut().zip(bytes.as_chunks().0) {
                    *half = f16::from_le_bytes(pair);
                }
                let from = out.len();
                out.resize(from + width, 0.0);
                halves.convert_to_f32_slice(&mut out[from..]);
            }
            Self::Planes { positions } => PlaneRows::append_seen_by(us, &positions[position as usize], out),
        }
        Ok(())
    }
}

fn compute(
    network: &Network,
    layer: &Layer,
    positions: &[Chess],
    out: &File,
    threads: usize,
) -> Result<(), Box<dyn Error>> {
    let runner = Runner::with_taps(network, Taps::All)?;
    let width = layer.width(network.filters());
    let progress = Progress::new("positions from both seats", positions.len());
    let next = AtomicUsize::new(0);
    let work = |runner: &Runner| -> Result<(), String> {
        let (mut row, mut halves) = (Vec::new(), vec![f16::ZERO; width]);
        loop {
            let from = next.fetch_add(AT_ONCE, Ordering::Relaxed);
            let some = positions.iter().skip(from).take(AT_ONCE);
            if some.len() == 0 {
                return Ok(());
            }
            let count = some.len();
            let mut bytes = Vec::with_capacity(count * width * 4);
            for (position, us) in some.flat_map(|position| [(position, Color::White), (position, Color::Black)]) {
                let planes = Planes::seen_by(network.format.input, us, position);
                let raw = runner.run(&planes).map_err(|error| error.to_string())?;
                row.clear();
                layer
                    .gather(&raw.activations, &Men::on(&planes), network.filters(), &mut row)
                    .map_err(|error| error.to_string())?;
                if !row.iter().all(|x| x.is_finite()) {
                    return Err("the network's activations are not numbers".to_owned());
                }
                halves.convert_from_f32_slice(&row);
                bytes.extend(halves.iter().flat_map(|half| half.to_le_bytes()));
            }
            out.write_all_at(&bytes, (from * width * 4) as u64)
                .map_err(|error| error.to_string())?;
            progress.add(count);
        }
    };
    thread::scope(|scope| {
        let running: Vec<_> = (0..threads.max(1))
            .map(|_| {
                let (runner, work) = (runner.clone(), &work);
                scope.spawn(move || work(&runner))
            })
            .collect();
        running
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    progress.end();
    Ok(())
}

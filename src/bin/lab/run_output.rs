//! A long run's file: work by several at a time, each line written as it comes.

use std::{
    collections::VecDeque,
    error::Error,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use kibitz::long_run::lines::{end_words, whole_lines};

use super::survey_input::text;

/// How often progress is reported.
const NEWS: Duration = Duration::from_secs(10);

/// What the workers share.
struct Shared<T> {
    left: VecDeque<T>,
    out: File,
    done: usize,
    news: Instant,
    problem: Option<io::Error>,
}

/// Works through what is left, as many at a time as there are workers, and adds the line that comes of each task to the
/// file. What comes to nothing is passed over.
pub fn work_off<T: Send, W: Send>(
    path: &Path,
    left: VecDeque<T>,
    workers: Vec<W>,
    unit: &str,
    work: impl Fn(&mut W, &T) -> Option<String> + Sync,
) -> Result<(), String> {
    let all = left.len();
    let begun = Instant::now();
    let failed = |error: io::Error| format!("{}: {error}", path.display());
    let shared = Mutex::new(Shared {
        left,
        out: OpenOptions::new().append(true).open(path).map_err(failed)?,
        done: 0,
        news: Instant::now(),
        problem: None,
    });
    std::thread::scope(|scope| {
        for mut worker in workers {
            let (shared, work) = (&shared, &work);
            scope.spawn(move || {
                loop {
                    let Some(task) = locked(shared).left.pop_front() else {
                        return;
                    };
                    let Some(line) = work(&mut worker, &task) else {
                        continue;
                    };
                    let mut shared = locked(shared);
                    shared.done += 1;
                    // Each line in one piece, and at once: what is done is paid for.
                    if let Err(error) = shared.out.write_all((line + "\n").as_bytes()) {
                        shared.problem = Some(error);
                        shared.left.clear();
                    }
                    if shared.news.elapsed() >= NEWS {
                        shared.news = Instant::now();
                        let each = begun.elapsed().as_secs_f64() / shared.done as f64;
                        errln!(
                            "lab: {} of {all} {unit}, about {:.0} s left",
                            shared.done,
                            each * (all - shared.done) as f64
                        );
                    }
                }
            });
        }
    });
    let problem = locked(&shared).problem.take();
    problem.map_or(Ok(()), |error| Err(failed(error)))
}

/// A thread that panicked holds nothing half-done.
pub fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The text of a file of JSON lines. That it is cut off is said on standard error.
pub fn lines_of(path: &Path) -> Result<String, Box<dyn Error>> {
    let text = text(path)?;
    if let Some(words) = end_words(&text) {
        errln!("lab: {}: {words}", path.display());
    }
    Ok(text)
}

/// Takes away half a line that a run which was cut off has left.
pub fn end_line(path: &Path) -> io::Result<()> {
    let text = fs::read(path)?;
    let whole = whole_lines(&text);
    if whole < text.len() {
        OpenOptions::new().write(true).open(path)?.set_len(whole as u64)?;
    }
    Ok(())
}

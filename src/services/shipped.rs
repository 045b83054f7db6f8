//! Files that come with the app: the default network, its probes, the positions that probes are fitted on, the small language
//! model, the models without search; and a study that a link names.

pub use super::preflight::PreflightError;
use super::preflight::{ask, unreachable};

/// Larger than anything that comes with the app, in bytes.
const MOST_BYTES: usize = 100_000_000;

/// Fetches a file of the app whole; `on_progress` hears the bytes so far, and of how many where the server says.
///
/// # Errors
/// When it is missing or the server does not answer.
pub async fn fetch(path: &str, on_progress: impl Fn(u64, Option<u64>)) -> Result<Vec<u8>, PreflightError> {
    fetch_up_to(MOST_BYTES, path, on_progress).await
}

/// The same for a file of anybody's, of which no more than `limit` bytes are taken: a server may send without end.
///
/// # Errors
/// As [`fetch`], and where there is more of it.
pub async fn fetch_up_to(
    limit: usize,
    path: &str,
    on_progress: impl Fn(u64, Option<u64>),
) -> Result<Vec<u8>, PreflightError> {
    let mut answer = ask(path).await?;
    // Under a compression the length is that of what travels, not of what arrives.
    let all = answer
        .header("content-length")
        .filter(|_| answer.header("content-encoding").is_none())
        .and_then(|length| length.parse().ok());
    let mut bytes = Vec::new();
    while let Some(piece) = answer.next().await.map_err(|cause| unreachable(path, cause))? {
        if bytes.len() + piece.len() > limit {
            let path = path.to_owned();
            return Err(PreflightError::TooLarge { path, limit });
        }
        bytes.extend(piece);
        on_progress(bytes.len() as u64, all);
    }
    Ok(bytes)
}

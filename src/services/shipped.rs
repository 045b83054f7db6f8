//! Files that come with the app: the default network, its probes, the positions that probes are fitted on.

use super::preflight::{PreflightError, ask, unreachable};

/// Fetches the file at `path` whole; `on_progress` hears the bytes so far, and of how many where the server says.
///
/// # Errors
/// When it is missing or the server does not answer.
pub async fn fetch(path: &str, on_progress: impl Fn(u64, Option<u64>)) -> Result<Vec<u8>, PreflightError> {
    let mut answer = ask(path).await?;
    // Under a compression the length is that of what travels, not of what arrives.
    let all = answer
        .header("content-length")
        .filter(|_| answer.header("content-encoding").is_none())
        .and_then(|length| length.parse().ok());
    let mut bytes = Vec::new();
    while let Some(piece) = answer.next().await.map_err(|cause| unreachable(path, cause))? {
        bytes.extend(piece);
        on_progress(bytes.len() as u64, all);
    }
    Ok(bytes)
}

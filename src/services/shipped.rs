//! Files that come with the app: the default network, its probes, the positions that probes are fitted on.

use super::preflight::PreflightError;
use crate::browser::{
    http::{self, Method},
    location,
};

/// Fetches the file at `path` whole; `on_progress` hears the bytes so far, and of how many where the server says.
///
/// # Errors
/// When it is missing or the server does not answer.
pub async fn fetch(path: &str, on_progress: impl Fn(u64, Option<u64>)) -> Result<Vec<u8>, PreflightError> {
    let unreachable = |cause| PreflightError::Unreachable {
        path: path.to_owned(),
        cause,
    };
    let mut answer = http::send(Method::Get, &location::absolute(path), &[], None)
        .await
        .map_err(unreachable)?;
    if !(200..300).contains(&answer.status) {
        return Err(PreflightError::Missing {
            path: path.to_owned(),
            status: answer.status,
        });
    }
    // Under a compression the length is that of what travels, not of what arrives.
    let all = answer
        .header("content-length")
        .filter(|_| answer.header("content-encoding").is_none())
        .and_then(|length| length.parse().ok());
    let mut bytes = Vec::new();
    while let Some(piece) = answer.next().await.map_err(unreachable)? {
        bytes.extend(piece);
        on_progress(bytes.len() as u64, all);
    }
    Ok(bytes)
}

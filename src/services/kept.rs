//! What is kept in this browser under a network's hash: its probes, and how far a fit of them is.

use crate::browser::database::{self, StorageError};

/// The probe file that was fitted here or given by the user for the network with this hash.
fn probes(hash: &str) -> String {
    format!("probes-{hash}")
}

/// Keeps a probe file for the network with this hash.
///
/// # Errors
/// When the browser keeps nothing.
pub async fn keep_probes(hash: &str, file: &[u8]) -> Result<(), StorageError> {
    database::keep(&probes(hash), file).await
}

/// The probe file that is kept for the network with this hash. A store that can't be read holds nothing for us.
pub async fn find_probes(hash: &str) -> Option<Vec<u8>> {
    database::find(&probes(hash)).await.ok().flatten()
}

/// Forgets it.
pub async fn forget_probes(hash: &str) {
    // What can't be removed could not be kept either.
    let _ = database::forget(&probes(hash)).await;
}

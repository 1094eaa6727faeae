//! Blocking work, run on a small pool of threads for it.

use crate::error::{Answer, Refusal};

/// Runs blocking work on one of these threads, and waits for it.
pub(crate) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Answer<T> + Send + 'static,
) -> Answer<T> {
    tokio::task::spawn_blocking(work).await.map_err(|_| Refusal::fault())?
}

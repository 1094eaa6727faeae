//! Blocking work, run on a small pool of threads for it.

use crate::error::{Answer, Refusal};

/// Runs blocking work on one of these threads, and waits for it.
pub(crate) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Answer<T> + Send + 'static,
) -> Answer<T> {
    let failed = |_| {
        Refusal::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, "the request ended in a fault")
    };
    tokio::task::spawn_blocking(work).await.map_err(failed)?
}

//! Work that blocks, on threads for that, of which there are a few.

use crate::error::{Answer, Refusal};

/// Runs what blocks on a thread for that.
pub(crate) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Answer<T> + Send + 'static,
) -> Answer<T> {
    let failed = |_| {
        Refusal::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, "the request ended in a fault")
    };
    tokio::task::spawn_blocking(work).await.map_err(failed)?
}

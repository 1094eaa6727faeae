//! The reply to a creation: the id of the new object.

use serde::Serialize;
use utoipa::ToSchema;

/// The reply to a request that made something.
#[derive(Serialize, ToSchema)]
pub(crate) struct Made {
    /// The id of what was made.
    pub(crate) id: String,
}

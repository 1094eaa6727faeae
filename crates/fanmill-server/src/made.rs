//! What is answered when something was made: the id that it is found by from now on.

use serde::Serialize;
use utoipa::ToSchema;

/// Something that was made.
#[derive(Serialize, ToSchema)]
pub(crate) struct Made {
    /// Its id.
    pub(crate) id: String,
}

//! The part of its documents that an index stores, fixed when it is created.

use serde::{Deserialize, Serialize};

/// The part of its documents that an index stores.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keep {
    /// Texts and fingerprints.
    #[default]
    Everything,
    /// Fingerprints only: passages cannot be verified, and answers say so.
    Fingerprints,
}

impl Keep {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks for it")]
    pub(crate) fn is_everything(&self) -> bool {
        *self == Keep::Everything
    }
}

//! What an index keeps: said when it is begun.

use serde::{Deserialize, Serialize};

/// What an index keeps of its documents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keep {
    /// Texts and fingerprints.
    #[default]
    Everything,
    /// Fingerprints only: no passage can be verified, and answers say so.
    Fingerprints,
}

impl Keep {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks for it")]
    pub(crate) fn is_everything(&self) -> bool {
        *self == Keep::Everything
    }
}

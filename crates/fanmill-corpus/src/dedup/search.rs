//! From keys to candidate pairs.

use fanmill::Result;

use super::Run;
use super::copies::Copies;
use super::corpus::Starts;
use super::log::{Entry, Log};

/// Giants that the summary names.
pub(super) const SHOWN_GIANTS: usize = 20;

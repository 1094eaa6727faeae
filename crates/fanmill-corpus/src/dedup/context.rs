//! What the steps after reading work with. They read no corpus: these are texts in memory as well as shards.

use std::path::Path;

use super::settings::Settings;
use crate::job::Steps;
use crate::recipe::Recipe;

/// Settings, and where to put what does not fit into memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) settings: &'a Settings,
    pub(super) recipe: &'a Recipe,
    pub(super) steps: &'a Steps<'a>,
    /// The folder for what is above the settings' memory.
    pub(super) spill: &'a Path,
}

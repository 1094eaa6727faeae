//! What the steps of a run work with.

use std::path::Path;

use super::keep::Keep;
use super::settings::Settings;
use crate::job::{Corpus, Identity, Staging, Steps};
use crate::recipe::Recipe;
use crate::sides::{Scope, Sides};

/// A run, as its steps see it.
#[derive(Debug)]
pub(super) struct Run<'a> {
    pub(super) corpus: Corpus<'a>,
    pub(super) settings: &'a Settings,
    pub(super) recipe: Recipe,
    pub(super) staging: Staging,
    pub(super) steps: Steps<'a>,
    /// Whether there is a reference, even if it has no documents.
    pub(super) has_reference: bool,
    /// What documents are compared with.
    pub(super) scope: Scope,
    /// Equal for runs that may go on for each other.
    pub(super) identity: Identity,
}

impl Run<'_> {
    /// What the steps after reading work with, if the first so many documents are of the reference.
    pub(super) fn context(&self, n_references: u32) -> Context<'_> {
        let Run { settings, recipe, steps, staging, scope, .. } = self;
        let sides = Sides { n_references, scope: *scope };
        Context { settings, recipe, steps, sides, spill: staging.spill() }
    }

    /// Whether documents are preferred by another order than that of the corpus.
    pub(super) fn has_ranks(&self) -> bool {
        self.settings.keep != Keep::First
    }
}

/// What the steps after reading work with. They read no corpus, so the texts may as well be in memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) settings: &'a Settings,
    pub(super) recipe: &'a Recipe,
    pub(super) steps: &'a Steps<'a>,
    pub(super) sides: Sides,
    /// The folder for what is above the settings' memory.
    pub(super) spill: &'a Path,
}

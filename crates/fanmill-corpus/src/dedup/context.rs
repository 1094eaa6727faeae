//! The context that the steps of a run share.

use std::path::Path;

use super::keep::Keep;
use super::settings::Settings;
use crate::job::{Corpus, Identity, Staging, Steps};
use crate::recipe::Recipe;
use crate::reference_split::{ReferenceSplit, Scope};

/// A run, as its steps see it.
#[derive(Debug)]
pub(super) struct Run<'a> {
    pub(super) corpus: Corpus<'a>,
    pub(super) settings: &'a Settings,
    pub(super) recipe: Recipe,
    pub(super) staging: Staging,
    pub(super) steps: Steps<'a>,
    /// True if there is a reference, even one without documents.
    pub(super) has_reference: bool,
    /// The collections that documents are compared with.
    pub(super) scope: Scope,
    /// Equal for runs that may resume each other.
    pub(super) identity: Identity,
}

impl Run<'_> {
    /// Returns the context for the steps after reading, if the first `n_references` documents are those of the
    /// reference.
    pub(super) fn context(&self, n_references: u32) -> Context<'_> {
        let Run { settings, recipe, steps, staging, scope, .. } = self;
        let sides = ReferenceSplit { n_references, scope: *scope };
        Context { settings, recipe, steps, sides, spill: staging.spill() }
    }

    /// Returns whether the order of preference differs from that of the corpus.
    pub(super) fn has_ranks(&self) -> bool {
        self.settings.keep != Keep::First
    }
}

/// The context of the steps after reading. They do not read the corpus, so the texts may also be in memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) settings: &'a Settings,
    pub(super) recipe: &'a Recipe,
    pub(super) steps: &'a Steps<'a>,
    pub(super) sides: ReferenceSplit,
    /// The folder for data that exceeds the settings' memory.
    pub(super) spill: &'a Path,
}

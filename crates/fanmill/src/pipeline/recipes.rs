//! The recipes of a batch: one for each kind of text in it, and a second one of code for pairs with a short program.
//!
//! A program of a hundred tokens has no room for long runs: someone who renames and reorders its statements leaves runs
//! of ten tokens, which are idioms in long programs. So pairs with a short program have lower thresholds, and all
//! others keep theirs. Only grams of short programs are looked at for this recipe, so a few short programs cost a large
//! batch next to nothing.
//!
//! Source: ours; measured (`design/engine.md`, "Why do short programs have thresholds of their own?").

use std::sync::Arc;

use crate::base::{self, Base};
use crate::fingerprint::Recipe;
use crate::pipeline::batch::of_each;
use crate::pipeline::{Batch, Config};
use fanmill_text::document::Role;
use fanmill_text::error::Result;
use fanmill_text::frontend::Kind;
use fanmill_text::gram::SharedFilter;
use fanmill_text::progress::Progress;
use fanmill_text::token::Columns;

/// Programs with fewer tokens of code than this are short.
pub const SHORT: usize = 150;

/// Number of slots of the filter for each token of short programs.
const SLOTS_PER_TOKEN: usize = 4;

/// A recipe as a batch uses it: with its boilerplate, and for some of the pairs.
#[derive(Debug)]
pub(super) struct BatchRecipe {
    pub(super) recipe: Recipe,
    pub(super) base: Base,
    pairs: Pairs,
    /// True for each member that is a short program; empty if this recipe is for all pairs.
    is_short: Arc<[bool]>,
}

/// The pairs that a recipe is for.
#[derive(Debug)]
enum Pairs {
    /// All pairs.
    All,
    /// Pairs of two programs that are not short.
    OfLong,
    /// Pairs of a short program with any other. The filter holds the grams of all short programs.
    OfShort(SharedFilter),
}

impl BatchRecipe {
    /// Returns the recipes of a batch.
    ///
    /// # Errors
    /// If the configured thresholds contradict each other, or the run is cancelled.
    pub(super) fn all(
        batch: &Batch<'_>,
        config: &Config,
        progress: &dyn Progress,
    ) -> Result<Vec<BatchRecipe>> {
        let mut recipes = Vec::new();
        for kind in batch.kinds() {
            let short = match kind {
                Kind::Code => Self::from_short(batch, config, progress)?,
                Kind::Words | Kind::Chars => None,
            };
            let (pairs, is_short) = match &short {
                Some(short) => (Pairs::OfLong, Arc::clone(&short.is_short)),
                None => (Pairs::All, Arc::default()),
            };
            let of_kind = BatchRecipe::bare(config.recipe(kind)?, pairs, is_short);
            recipes.push(of_kind.with_base(batch, config, progress)?);
            recipes.extend(short);
        }
        Ok(recipes)
    }

    /// Returns the recipe for pairs with a short program; `None` if there is no short program, or thresholds for code
    /// were set.
    fn from_short(
        batch: &Batch<'_>,
        config: &Config,
        progress: &dyn Progress,
    ) -> Result<Option<BatchRecipe>> {
        let Some(recipe) = config.fingerprints.recipe_of_short()? else { return Ok(None) };
        let n_tokens = |member: usize| batch.members[member].outline.n_tokens_of(Kind::Code);
        let all = 0..batch.members.len();
        let is_short: Arc<[bool]> =
            all.map(|member| (1..SHORT).contains(&n_tokens(member))).collect();
        let (_, compared) = by_role(batch);
        let short: Vec<usize> = compared.into_iter().filter(|&member| is_short[member]).collect();
        if short.is_empty() {
            return Ok(None);
        }
        let n_tokens: usize = short.iter().map(|&member| n_tokens(member)).sum();
        let held = SharedFilter::with_slots(SLOTS_PER_TOKEN * n_tokens);
        of_each(&short, (progress, "reading short programs"), |member| {
            let stream = batch.stream(member, Columns::Symbols);
            let mut grams = base::distinct_grams(&stream, &recipe, |_| true);
            // The filter passes a gram that was noted twice, as if two submissions held it.
            held.note(&mut grams.clone());
            held.note(&mut grams);
        })?;
        let of_short = BatchRecipe::bare(recipe, Pairs::OfShort(held), is_short);
        of_short.with_base(batch, config, progress).map(Some)
    }

    fn bare(recipe: Recipe, pairs: Pairs, is_short: Arc<[bool]>) -> BatchRecipe {
        BatchRecipe { recipe, base: Base::default(), pairs, is_short }
    }

    /// Collects the boilerplate of this recipe in the whole batch.
    fn with_base(
        self,
        batch: &Batch<'_>,
        config: &Config,
        progress: &dyn Progress,
    ) -> Result<BatchRecipe> {
        let recipe = self.recipe;
        let holds_some =
            |member: &&usize| batch.members[**member].outline.ranges(recipe.kind).next().is_some();
        let (given, compared) = by_role(batch);
        let limit = config.max_docs.map(|max_docs| max_docs.limit(compared.len()));
        let given: Vec<usize> = given.iter().filter(holds_some).copied().collect();
        let compared: Vec<usize> = compared.iter().filter(holds_some).copied().collect();
        let grams = |member: usize, wanted: &(dyn Fn(u64) -> bool + Sync)| {
            base::distinct_grams(&batch.stream(member, Columns::Symbols), &recipe, wanted)
        };
        let step = (progress, "finding boilerplate");
        let given = of_each(&given, step, |member| grams(member, &|_| true))?;
        let frequent = match limit {
            None => Vec::new(),
            // Most grams are in a single submission only, and cannot be frequent.
            Some(limit) => {
                let wanted = |hash| self.may_be_shared(batch, hash);
                base::frequent(of_each(&compared, step, |m| grams(m, &wanted))?, limit)
            }
        };
        Ok(BatchRecipe { base: Base::new(given, frequent), ..self })
    }

    /// Returns whether this recipe is for the pair of these members.
    pub(super) fn is_for(&self, a: usize, b: usize) -> bool {
        match self.pairs {
            Pairs::All => true,
            Pairs::OfLong => !(self.is_short[a] || self.is_short[b]),
            Pairs::OfShort(_) => self.is_short[a] || self.is_short[b],
        }
    }

    /// Returns whether this recipe is for any pair with this member.
    pub(super) fn is_for_one(&self, member: usize) -> bool {
        !matches!(self.pairs, Pairs::OfLong) || !self.is_short[member]
    }

    /// Returns whether this recipe determines the boilerplate of a member. It includes the boilerplate of the other
    /// recipe for the same kind of text.
    pub(super) fn covers(&self, member: usize) -> bool {
        match self.pairs {
            Pairs::All => true,
            Pairs::OfLong => !self.is_short[member],
            Pairs::OfShort(_) => self.is_short[member],
        }
    }

    /// Returns whether this recipe is for pairs with a short program.
    pub(super) fn is_for_short(&self) -> bool {
        matches!(self.pairs, Pairs::OfShort(_))
    }

    /// Returns whether pairs with a short program have another recipe of their own.
    pub(super) fn is_for_long(&self) -> bool {
        matches!(self.pairs, Pairs::OfLong)
    }

    /// Returns whether the other submission of a pair may hold this gram. `false` is always right.
    #[inline]
    pub(super) fn may_be_shared(&self, batch: &Batch<'_>, hash: u64) -> bool {
        match &self.pairs {
            Pairs::All | Pairs::OfLong => batch.shared.may_be_shared(hash),
            Pairs::OfShort(held) => held.may_be_shared(hash),
        }
    }

    /// Returns whether a gram may be shared and is not boilerplate.
    #[inline]
    pub(super) fn counts(&self, batch: &Batch<'_>, hash: u64) -> bool {
        self.may_be_shared(batch, hash) && self.base.of(hash).is_none()
    }
}

/// Returns the base documents of a batch, and the members that are compared.
fn by_role(batch: &Batch<'_>) -> (Vec<usize>, Vec<usize>) {
    (0..batch.members.len())
        .partition(|&member| batch.members[member].submission.role == Role::Base)
}

//! Tokens of submissions in memory while their pairs are matched: as numbers, and as seeds.
//!
//! They take four bytes a token, eleven in prose, and eight for each position of a gram that another submission may
//! hold. Identical submissions share them.

use rayon::prelude::*;

use crate::base;
use crate::matches::{Seeds, WordWeights};
use crate::pipeline::batch::of_each;
use crate::pipeline::recipes::BatchRecipe;
use crate::pipeline::unspaced::{self, WordCounts};
use crate::pipeline::{Batch, Ranking};
use crate::score::surprise::TokenBits;
use crate::score::{Holders, without};
use fanmill_text::error::Result;
use fanmill_text::frontend::Kind;
use fanmill_text::progress::Progress;
use fanmill_text::token::{Columns, Dictionary, Number};

/// The tokens of one class of identical submissions.
#[derive(Debug, Default)]
pub(super) struct TokenCache {
    /// One number for each token, breaks included; equal where symbols are.
    pub(super) numbers: Vec<Number>,
    /// The grams at which matches may start, boilerplate left out: per recipe of the ranking.
    pub(super) seeds: Vec<Seeds>,
    /// The information that words of prose carry, boilerplate left out.
    pub(super) words: WordWeights,
    /// Bits of words, and of characters of scripts without spaces, in the score.
    pub(super) bits: TokenBits,
    /// Conversion of tokens to words.
    pub(super) n_words: WordCounts,
}

impl TokenCache {
    /// Reads the tokens of each class of a ranking; those of classes in no pair stay empty.
    ///
    /// # Errors
    /// If the run is cancelled.
    pub(super) fn new(
        batch: &Batch<'_>,
        ranking: &Ranking,
        progress: &dyn Progress,
    ) -> Result<Vec<TokenCache>> {
        let mut is_paired = vec![false; ranking.classes.len()];
        for pair in &ranking.pairs {
            is_paired[pair.a as usize] = true;
            is_paired[pair.b as usize] = true;
        }
        let paired = ranking.classes.iter().zip(&is_paired).filter(|(_, is_paired)| **is_paired);
        let members: Vec<usize> = paired.map(|(class, _)| class[0]).collect();
        let dictionary = Dictionary::default();
        let mut made = of_each(&members, (progress, "indexing"), |member| {
            let stream = batch.stream(member, Columns::Symbols);
            let seeds = ranking.recipes.iter().map(|of_pairs| {
                if !of_pairs.is_for_one(member) {
                    return Seeds::default();
                }
                Seeds::new(&stream, &of_pairs.recipe, |hash| of_pairs.counts(batch, hash))
            });
            let seeds = seeds.collect();
            let numbers = dictionary.numbers(&stream.tokens.symbols);
            let grey = base::union(&ranking.grey[member]);
            let weights = |kind| WordWeights::new(&numbers, without(stream.ranges(kind), &grey));
            let told = |position| unspaced::told(stream.tokens.symbols[position]);
            let words = weights(Kind::Words).scaled(told);
            let bits = TokenBits::new(&words, &weights(Kind::Chars));
            let n_words = WordCounts::new(&stream.tokens.symbols);
            TokenCache { numbers, seeds, words, bits, n_words }
        })?;
        // Frequent grams are known only once the seeds of all members are.
        lower_frequent(&mut made, &members, batch, ranking);
        let mut made = made.into_iter();
        let mut next = || made.next().expect("one for each class in a pair");
        let of_class = |&is_paired: &bool| if is_paired { next() } else { TokenCache::default() };
        Ok(is_paired.iter().map(of_class).collect())
    }
}

/// Lowers the bits of words and characters that are only in grams of many submissions.
fn lower_frequent(
    made: &mut [TokenCache],
    members: &[usize],
    batch: &Batch<'_>,
    ranking: &Ranking,
) {
    for (number, BatchRecipe { recipe, .. }) in ranking.recipes.iter().enumerate() {
        if recipe.kind == Kind::Code {
            continue;
        }
        let all = made.iter().map(|held| &held.seeds[number]);
        let holders = Holders::count(all, ranking.classes.len());
        made.par_iter_mut().zip(members).for_each(|(held, &member)| {
            let documents = batch.members[member].outline.ranges(recipe.kind);
            held.bits.lower(&held.seeds[number], documents, &holders);
        });
    }
}

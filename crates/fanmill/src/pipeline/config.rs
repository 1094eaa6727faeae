//! What a comparison can be told, and the presets.

use std::collections::BTreeMap;
use std::str::FromStr;

use crate::error::{Error, Result};
use crate::fingerprint::Recipe;
use crate::frontend::Kind;
use crate::pair;
use crate::select::{Selector, Thresholds};

/// The settings of a comparison: the presets, and what is [changed](Config::with).
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Config {
    /// The front end to read all documents with, instead of choosing one for each.
    pub language: Option<String>,
    /// Noise threshold in tokens, instead of the preset of each kind of text.
    pub noise: Option<u32>,
    /// Guarantee threshold in tokens, instead of the preset of each kind of text.
    pub guarantee: Option<u32>,
    /// Thresholds of single kinds of text, where `noise` and `guarantee` say nothing.
    pub by_kind: BTreeMap<Kind, Wanted>,
    /// Selector, instead of ROC.
    pub selector: Option<Selector>,
    /// Grams that more submissions hold are boilerplate.
    pub max_docs: Option<MaxDocs>,
    /// Quotations in prose are boilerplate.
    pub quotes: bool,
    /// Pairs with a lower score are counted, not listed; a fraction in `0..=1`.
    pub min_score: f64,
    /// Pairs listed at most.
    pub max_pairs: usize,
    /// Score from which on a pair links two submissions, a fraction in `0..=1`; `None` for where
    /// chance gives half a pair.
    pub cluster_threshold: Option<f64>,
    /// Archived submissions were chosen among many for what they share, so that chance cannot be judged.
    pub sources_are_chosen: bool,
    /// How much work finding candidates may take.
    pub candidates: pair::Limits,
}

/// The thresholds that are wanted for one kind of text, in tokens; the rest is the preset's.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Noise threshold.
    pub noise: Option<u32>,
    /// Guarantee threshold.
    pub guarantee: Option<u32>,
}

/// In how many submissions a gram may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MaxDocs {
    /// In at most so many.
    Count(usize),
    /// In at most this share of all, a fraction in `0..=1`.
    Share(f64),
}

impl Config {
    /// The presets: all pairs that share a passage, the best 1,500 listed, and 600 for long runs that few have.
    pub fn standard() -> Config {
        Config {
            language: None,
            noise: None,
            guarantee: None,
            by_kind: BTreeMap::new(),
            selector: None,
            max_docs: None,
            quotes: false,
            min_score: 0.0,
            max_pairs: 1500,
            cluster_threshold: None,
            sources_are_chosen: false,
            candidates: pair::Limits::default(),
        }
    }

    /// The same with a change: `Config::standard().with(|config| config.max_pairs = 100)`.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Config)) -> Config {
        change(&mut self);
        self
    }

    /// The recipe for documents of one kind.
    ///
    /// A threshold that is not given follows the other: the window of the preset is kept where it can be.
    ///
    /// # Errors
    /// If the thresholds contradict each other ([`Thresholds::new`]).
    pub fn recipe(&self, kind: Kind) -> Result<Recipe> {
        let (noise, guarantee) = preset(kind);
        let own = self.by_kind.get(&kind).copied().unwrap_or_default();
        let wanted = (self.noise.or(own.noise), self.guarantee.or(own.guarantee));
        let (noise, guarantee) = match wanted {
            (None, None) => (noise, guarantee),
            (Some(given), None) => (given, given.saturating_add(guarantee - noise)),
            (None, Some(given)) => (noise.min(given), given),
            (Some(noise), Some(guarantee)) => (noise, guarantee),
        };
        self.recipe_of(kind, noise, guarantee)
    }

    /// The recipe for pairs of programs of which one is short; `None` if there are thresholds for code, which then
    /// hold for all.
    ///
    /// # Errors
    /// None with the presets.
    pub fn recipe_of_short(&self) -> Result<Option<Recipe>> {
        let own = self.by_kind.get(&Kind::Code).copied().unwrap_or_default();
        let told = [self.noise, self.guarantee, own.noise, own.guarantee];
        if told.iter().any(Option::is_some) {
            return Ok(None);
        }
        let (noise, guarantee) = PRESET_OF_SHORT;
        self.recipe_of(Kind::Code, noise, guarantee).map(Some)
    }

    fn recipe_of(&self, kind: Kind, noise: u32, guarantee: u32) -> Result<Recipe> {
        let thresholds = Thresholds::new(noise, guarantee)?;
        let selector = self.selector.unwrap_or_else(|| Selector::roc(thresholds.noise()));
        Ok(Recipe { kind, thresholds, selector })
    }
}

/// Noise and guarantee in tokens for pairs of programs of which one is short.
const PRESET_OF_SHORT: (u32, u32) = (8, 12);

/// Noise and guarantee in tokens.
///
/// Code: at 11 tokens and more, candidates lose none of the labelled copies that all pairs would
/// find (`DESIGN.md`, "How are pairs ranked?"). Words: rewritten text shares runs of 3 words and few
/// longer ones (`DESIGN.md`, "How is rewritten prose found?"); 12 words are a sentence. Characters:
/// the lengths of the winnowing paper, halved, since scripts without spaces say in 25 characters what
/// takes 50 letters.
fn preset(kind: Kind) -> (u32, u32) {
    match kind {
        Kind::Code => (11, 24),
        Kind::Words => (3, 12),
        Kind::Chars => (25, 50),
    }
}

impl MaxDocs {
    /// The number of submissions allowed among `n`; at least 2, since below that all that is
    /// shared would be boilerplate, and nothing could be found.
    pub fn limit(self, n: usize) -> usize {
        let limit = match self {
            MaxDocs::Count(count) => count,
            #[expect(clippy::cast_sign_loss, reason = "shares are checked to lie in 0..=1")]
            MaxDocs::Share(share) => (share * n as f64).floor() as usize,
        };
        limit.max(2)
    }
}

impl FromStr for MaxDocs {
    type Err = Error;

    /// Reads `12` or `30%`.
    fn from_str(text: &str) -> Result<MaxDocs> {
        let wrong = || {
            Error::setting(format!(
                "`{text}` is neither a number of submissions (12) nor a share of them (30%)"
            ))
        };
        if let Some(percent) = text.strip_suffix('%') {
            let percent: f64 = percent.trim().parse().map_err(|_| wrong())?;
            let share = (0.0..=100.0).contains(&percent).then_some(percent / 100.0);
            return share.map(MaxDocs::Share).ok_or_else(wrong);
        }
        match text.parse().map_err(|_| wrong())? {
            0 | 1 => Err(Error::setting(format!(
                "`{text}` would take all that is shared for boilerplate; use 2 or more submissions"
            ))),
            count => Ok(MaxDocs::Count(count)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thresholds(noise: Option<u32>, guarantee: Option<u32>) -> (usize, usize) {
        let config = Config { noise, guarantee, ..Config::standard() };
        let recipe = config.recipe(Kind::Code).expect("fine");
        (recipe.thresholds.noise(), recipe.thresholds.guarantee())
    }

    #[test]
    fn one_threshold_follows_the_other() {
        assert_eq!(thresholds(None, None), (11, 24));
        assert_eq!(thresholds(Some(20), None), (20, 33));
        assert_eq!(thresholds(None, Some(8)), (8, 8));
        assert_eq!(thresholds(Some(5), Some(6)), (5, 6));
    }

    #[test]
    fn a_kind_has_its_own_thresholds_unless_all_kinds_are_told() {
        let own = Wanted { noise: Some(9), guarantee: Some(36) };
        let config = Config { by_kind: BTreeMap::from([(Kind::Code, own)]), ..Config::standard() };
        let of = |config: &Config, kind| {
            let thresholds = config.recipe(kind).expect("fine").thresholds;
            (thresholds.noise(), thresholds.guarantee())
        };
        assert_eq!((of(&config, Kind::Code), of(&config, Kind::Words)), ((9, 36), (3, 12)));
        let told = Config { noise: Some(7), ..config };
        assert_eq!((of(&told, Kind::Code), of(&told, Kind::Words)), ((7, 36), (7, 16)));
    }

    #[test]
    fn max_docs_is_a_number_or_a_share() {
        assert_eq!("12".parse::<MaxDocs>().expect("number").limit(50), 12);
        assert_eq!("30%".parse::<MaxDocs>().expect("share").limit(50), 15);
        assert_eq!("30%".parse::<MaxDocs>().expect("share").limit(4), 2, "a pair is no crowd");
        for wrong in ["", "-1", "0", "1", "130%", "x", "%"] {
            assert!(wrong.parse::<MaxDocs>().is_err(), "{wrong}");
        }
    }
}

//! The settings of a comparison, and the presets.
//!
//! The config file, the command line, Python, the service and the page in a browser fill these types, by the names that
//! serde gives the fields.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use crate::fingerprint::Recipe;
use crate::pair;
use crate::select::{Selector, Thresholds};
use fanmill_text::amount;
use fanmill_text::error::{Error, Result};
use fanmill_text::frontend::Kind;

/// The settings of a comparison: the presets, and any [changes](Config::with).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Config {
    /// Thresholds, selector and language of fingerprints.
    #[serde(flatten)]
    pub fingerprints: Fingerprinting,
    /// Grams in more submissions than this are boilerplate.
    pub max_docs: Option<MaxDocs>,
    /// If set, quotations in prose are boilerplate.
    pub quotes: bool,
    /// Pairs with a lower score are counted, not listed; a fraction in `0..=1`.
    #[serde(deserialize_with = "amount::share")]
    pub min_score: f64,
    /// Maximum number of pairs listed.
    pub max_pairs: usize,
    /// Minimum score for a pair to link two submissions, a fraction in `0..=1`; `None` for the score at which unrelated
    /// submissions of the batch would give half a pair.
    #[serde(deserialize_with = "amount::optional_share")]
    pub cluster_threshold: Option<f64>,
    /// If set, archived submissions were chosen among many for what they share, so that chance cannot be judged.
    #[serde(skip)]
    pub sources_are_chosen: bool,
    /// Limits on the work of finding candidates.
    #[serde(skip)]
    pub candidates: pair::CandidateLimits,
}

/// Thresholds, selector and language of fingerprints. `None` means the preset of each kind of text.
///
/// Thresholds of one kind of text take precedence over those of all kinds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Fingerprinting {
    /// The front end to read all documents with; `None` to choose one for each.
    pub lang: Option<String>,
    /// Noise threshold in tokens: no passage without a match of this length is shown.
    pub noise: Option<u32>,
    /// Guarantee threshold in tokens: shared passages of this length are always found.
    pub guarantee: Option<u32>,
    /// Selector of fingerprints; `None` for ROC.
    pub select: Option<Selector>,
    /// Thresholds of source code.
    pub code: ThresholdOverrides,
    /// Thresholds of prose.
    pub words: ThresholdOverrides,
    /// Thresholds of prose in scripts without spaces.
    pub chars: ThresholdOverrides,
}

/// Thresholds of one kind of text, in tokens, that replace those of all kinds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ThresholdOverrides {
    /// Noise threshold.
    pub noise: Option<u32>,
    /// Guarantee threshold.
    pub guarantee: Option<u32>,
}

/// Maximum number of submissions that may share a gram.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MaxDocs {
    /// A number of submissions.
    Count(usize),
    /// A share of all submissions, a fraction in `0..=1`.
    Share(f64),
}

impl Default for Config {
    fn default() -> Config {
        Config::standard()
    }
}

impl Config {
    /// Returns the presets: all pairs that share a passage, the best 1,500 of them listed, and 600 for long runs that
    /// few have.
    pub fn standard() -> Config {
        Config {
            fingerprints: Fingerprinting::default(),
            max_docs: None,
            quotes: false,
            min_score: 0.0,
            max_pairs: 1500,
            cluster_threshold: None,
            sources_are_chosen: false,
            candidates: pair::CandidateLimits::default(),
        }
    }

    /// Changes some settings: `Config::standard().with(|config| config.max_pairs = 100)`.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Config)) -> Config {
        change(&mut self);
        self
    }

    /// Checks the scores, and the thresholds set for single kinds of text.
    ///
    /// # Errors
    /// If a score is outside `0..=1`, or thresholds contradict each other.
    pub fn check(&self) -> Result<()> {
        self.fingerprints.check()?;
        amount::check_share("min-score", self.min_score)?;
        self.cluster_threshold
            .map_or(Ok(()), |score| amount::check_share("cluster-threshold", score).map(drop))
    }

    /// Returns the recipe for documents of one kind ([`Fingerprinting::recipe`]).
    ///
    /// # Errors
    /// If the thresholds contradict each other.
    pub fn recipe(&self, kind: Kind) -> Result<Recipe> {
        self.fingerprints.recipe(kind)
    }
}

impl Fingerprinting {
    /// Returns the thresholds set for one kind of text alone.
    pub fn of_kind(&self, kind: Kind) -> ThresholdOverrides {
        match kind {
            Kind::Code => self.code,
            Kind::Words => self.words,
            Kind::Chars => self.chars,
        }
    }

    /// Sets the thresholds of one kind of text.
    pub fn set_kind(&mut self, kind: Kind, own: ThresholdOverrides) {
        match kind {
            Kind::Code => self.code = own,
            Kind::Words => self.words = own,
            Kind::Chars => self.chars = own,
        }
    }

    /// Returns the thresholds set for one kind of text, or else for all kinds.
    fn chosen(&self, kind: Kind) -> ThresholdOverrides {
        let own = self.of_kind(kind);
        ThresholdOverrides {
            noise: own.noise.or(self.noise),
            guarantee: own.guarantee.or(self.guarantee),
        }
    }

    /// Checks the thresholds of kinds of text that have some of their own.
    ///
    /// # Errors
    /// If they contradict each other; the error names the kind.
    pub fn check(&self) -> Result<()> {
        let has_own = |kind: &Kind| self.of_kind(*kind) != ThresholdOverrides::default();
        for kind in [Kind::Code, Kind::Words, Kind::Chars].into_iter().filter(has_own) {
            let recipe = self.recipe(kind);
            recipe.map_err(|error| error.within(format_args!("thresholds for {kind}")))?;
        }
        Ok(())
    }

    /// Returns the recipe for documents of one kind.
    ///
    /// A threshold that is not given follows the other: the window of the preset is kept where possible.
    ///
    /// # Errors
    /// If the thresholds contradict each other ([`Thresholds::new`]).
    pub fn recipe(&self, kind: Kind) -> Result<Recipe> {
        let (noise, guarantee) = preset(kind);
        let chosen = self.chosen(kind);
        let (noise, guarantee) = match (chosen.noise, chosen.guarantee) {
            (None, None) => (noise, guarantee),
            (Some(given), None) => (given, given.saturating_add(guarantee - noise)),
            (None, Some(given)) => (noise.min(given), given),
            (Some(noise), Some(guarantee)) => (noise, guarantee),
        };
        self.recipe_of(kind, noise, guarantee)
    }

    /// Returns the recipe for pairs with a short program; `None` if thresholds for code were set, which then apply to
    /// all pairs.
    ///
    /// # Errors
    /// Never with the presets.
    pub fn recipe_of_short(&self) -> Result<Option<Recipe>> {
        if self.chosen(Kind::Code) != ThresholdOverrides::default() {
            return Ok(None);
        }
        let (noise, guarantee) = PRESET_OF_SHORT;
        self.recipe_of(Kind::Code, noise, guarantee).map(Some)
    }

    fn recipe_of(&self, kind: Kind, noise: u32, guarantee: u32) -> Result<Recipe> {
        let thresholds = Thresholds::new(noise, guarantee)?;
        let selector = self.select.unwrap_or_else(|| Selector::roc(thresholds.noise()));
        Ok(Recipe { kind, thresholds, selector })
    }
}

/// Noise and guarantee in tokens for pairs with a short program.
pub const PRESET_OF_SHORT: (u32, u32) = (8, 12);

/// Returns noise and guarantee of the preset, in tokens.
///
/// Code: at 11 tokens and more, candidates lose none of the labelled copies that all pairs would
/// find (`design/ranking.md`). Words: rewritten text shares runs of 3 words and few
/// longer ones (`design/rewritten-prose.md`); 12 words are a sentence. Characters:
/// the lengths of the winnowing paper, halved, since scripts without spaces say in 25 characters what
/// takes 50 letters.
pub fn preset(kind: Kind) -> (u32, u32) {
    match kind {
        Kind::Code => (11, 24),
        Kind::Words => (3, 12),
        Kind::Chars => (25, 50),
    }
}

impl MaxDocs {
    /// Returns the number of submissions allowed among `n`: at least 2, since below that everything shared would be
    /// boilerplate, and nothing could be found.
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

impl Serialize for MaxDocs {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            MaxDocs::Count(count) => serializer.serialize_u64(*count as u64),
            MaxDocs::Share(share) => serializer.collect_str(&format_args!("{}%", share * 100.0)),
        }
    }
}

impl<'de> Deserialize<'de> for MaxDocs {
    /// Reads `12` or `"30%"`.
    fn deserialize<D: Deserializer<'de>>(
        deserializer: D,
    ) -> std::result::Result<MaxDocs, D::Error> {
        deserializer.deserialize_any(CountOrShare)
    }
}

struct CountOrShare;

impl Visitor<'_> for CountOrShare {
    type Value = MaxDocs;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number of submissions, 12, or a share of them, \"30%\"")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> std::result::Result<MaxDocs, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> std::result::Result<MaxDocs, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> std::result::Result<MaxDocs, E> {
        self.visit_str(&number.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thresholds(noise: Option<u32>, guarantee: Option<u32>) -> (usize, usize) {
        let fingerprints = Fingerprinting { noise, guarantee, ..Fingerprinting::default() };
        let recipe = fingerprints.recipe(Kind::Code).expect("fine");
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
    fn thresholds_of_a_kind_take_precedence_over_those_of_all_kinds() {
        let of = |fingerprints: &Fingerprinting, kind| {
            let thresholds = fingerprints.recipe(kind).expect("fine").thresholds;
            (thresholds.noise(), thresholds.guarantee())
        };
        let code = ThresholdOverrides { noise: Some(9), guarantee: None };
        let mut fingerprints = Fingerprinting { code, ..Fingerprinting::default() };
        assert_eq!(
            (of(&fingerprints, Kind::Code), of(&fingerprints, Kind::Words)),
            ((9, 22), (3, 12))
        );
        fingerprints.noise = Some(7);
        assert_eq!(
            (of(&fingerprints, Kind::Code), of(&fingerprints, Kind::Words)),
            ((9, 22), (7, 16))
        );
        assert!(fingerprints.recipe_of_short().expect("fine").is_none());
    }

    #[test]
    fn thresholds_that_contradict_each_other_are_told_with_their_kind() {
        let mut fingerprints = Fingerprinting::default();
        assert!(fingerprints.check().is_ok());
        fingerprints.words = ThresholdOverrides { noise: Some(30), guarantee: Some(9) };
        let error = fingerprints.check().expect_err("30 is more than 9").to_string();
        assert!(
            error.starts_with("thresholds for words: guarantee threshold 9 is below"),
            "{error}"
        );
    }

    #[test]
    fn settings_are_data() {
        let text =
            r#"{"noise": 8, "max-docs": "30%", "min-score": "20%", "code": {"guarantee": 30}}"#;
        let config: Config = serde_json::from_str(text).expect("settings");
        assert_eq!(config.fingerprints.noise, Some(8));
        assert_eq!(config.fingerprints.code.guarantee, Some(30));
        assert_eq!((config.max_docs, config.max_pairs), (Some(MaxDocs::Share(0.3)), 1500));
        let written = serde_json::to_string(&config).expect("data");
        assert_eq!(serde_json::from_str::<Config>(&written).expect("ours"), config);
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

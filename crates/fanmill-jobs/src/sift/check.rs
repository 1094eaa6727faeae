//! One answer for each text: is it a copy of an original of the store?

use std::cmp::Reverse;
use std::collections::HashSet;
use std::path::Path;

use fanmill::Result;
use fanmill::progress::Progress;
use fanmill::sift::key::Key;
use fanmill::sift::sifter::{Sifted, Sifter};
use fanmill::sift::store::{Limits, Match, Store};
use fanmill::sift::verdict::{Grade, Threshold};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::explain::{Explanation, Originals};
use super::texts::{self, Account, Inputs, Notice, Text};
use super::{library, sift};

/// Originals that are named for a text that is explained, unless it is said how many.
const NAMED: usize = 5;

/// What a copy is, and what is said about one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Settings {
    /// Share of the smaller fingerprint that a copy has in common, a fraction in `0..=1`.
    pub threshold: f64,
    /// Values that a copy has in common with the original, at least.
    pub min_common: usize,
    /// How many originals are named, the likest first; none unless this is said, or originals are given.
    pub names: Option<usize>,
}

impl Default for Settings {
    fn default() -> Settings {
        let Threshold { s3, n_common } = Threshold::standard();
        Settings { threshold: s3, min_common: n_common, names: None }
    }
}

/// What is known of one text.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// Of the text.
    pub name: String,
    /// The answer itself.
    #[serde(rename = "answer")]
    pub verdict: Verdict,
    /// How sure it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grade: Option<String>,
    /// The originals that it is a copy of, the likest first, if they are to be named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub originals: Vec<String>,
    /// How many originals it is a copy of, of which only the likest may be named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_originals: Option<usize>,
    /// What is to be said about how it was read and compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// Why it is a copy, by the originals that were given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub explanations: Vec<Explanation>,
}

/// Whether a text is a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It is.
    Yes,
    /// It is not.
    No,
    /// There is nothing in what was read of it.
    Part,
    /// It has no word to ask about.
    None,
    /// The input is not a text.
    Skip,
}

impl Verdict {
    /// Its name in answers.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Yes => "yes",
            Verdict::No => "no",
            Verdict::Part => "part",
            Verdict::None => "none",
            Verdict::Skip => "skip",
        }
    }
}

impl Answer {
    /// The answer about an input that is not a text.
    pub fn skipped(notice: &Notice) -> Answer {
        Answer {
            name: notice.name.clone(),
            verdict: Verdict::Skip,
            grade: None,
            originals: Vec::new(),
            n_originals: None,
            remarks: vec![notice.reason.clone()],
            explanations: Vec::new(),
        }
    }
}

/// What was read.
#[derive(Debug)]
pub struct Outcome {
    /// Of the texts.
    pub account: Account,
    /// Of the originals that were given.
    pub originals: Account,
}

/// Asks a store about texts. Answers are handed to `take` batch by batch, in order; `originals` are for evidence,
/// and need not be given.
///
/// # Errors
/// If an input cannot be read, the store is missing, damaged or of another key, `take` fails, or the job is
/// cancelled.
pub fn run(
    settings: &Settings,
    key: &Key,
    store: &Path,
    originals: Inputs<'_>,
    inputs: Inputs<'_>,
    take: &mut dyn FnMut(&mut dyn Iterator<Item = Answer>) -> Result<()>,
    progress: &dyn Progress,
) -> Result<Outcome> {
    let store = &library::read(store, key)?;
    let sifter = &store.sifter(key)?;
    let has_originals = !originals.from.is_empty();
    let (known, of_originals) = if has_originals {
        let (known, account) = Originals::read(originals, store, sifter, progress)?;
        (Some(known), account)
    } else {
        (None, Account::default())
    };
    let n_named = settings.names.or_else(|| has_originals.then_some(NAMED));
    let threshold = Threshold { s3: settings.threshold, n_common: settings.min_common };
    let account = texts::each(inputs, progress, &mut |batch| {
        let ask = |text: &Text| found(store, &threshold, sifter, n_named, text);
        let all: Vec<Found> = batch.par_iter().map(ask).collect();
        let mut answers = batch.iter().zip(&all).map(|(text, found)| {
            let explanations = known.as_ref().map_or_else(Vec::new, |known| {
                let copies = found.copies.iter().map(|copy| (&copy.found, copy.reading));
                known.explain(sifter, store, text, &found.sifted, copies)
            });
            found.answer(store, text, explanations)
        });
        take(&mut answers)
    })?;
    Ok(Outcome { account, originals: of_originals })
}

/// How far a check goes that names so many originals.
fn limits(names: Option<usize>) -> Limits {
    let (standard, n) = (Limits::standard(), names.unwrap_or(0));
    Limits { holders: standard.holders.max(n), matches: standard.matches.max(n) }
}

/// An original that a text is a copy of.
struct Copy {
    grade: Grade,
    found: Match,
    /// Which of the text's readings it was found by.
    reading: usize,
}

/// What a store has of one text.
struct Found {
    /// Originals that it is a copy of, by any reading, each once; the likest first.
    copies: Vec<Copy>,
    /// Whether it is so short that a changed copy would not be recognised.
    is_short: bool,
    /// Whether so many originals share something with it that not all were compared.
    is_crowded: bool,
    /// Whether some of it was not read, so that nothing found is not "no".
    is_cut: bool,
    /// How many originals are named; `None` if nobody asked.
    named: Option<usize>,
    /// One for each reading.
    sifted: Vec<Sifted>,
}

/// Asks about every reading of a text: the best answer counts.
fn found(
    store: &Store,
    threshold: &Threshold,
    sifter: &Sifter,
    named: Option<usize>,
    text: &Text,
) -> Found {
    let sifted: Vec<Sifted> = text.readings().map(|bytes| sift(sifter, bytes)).collect();
    let mut copies: Vec<Copy> = Vec::new();
    let mut is_crowded = false;
    for (reading, sifted) in sifted.iter().enumerate() {
        let found = store.check(sifted, &limits(named));
        is_crowded |= found.is_cut;
        let graded = found.matches.into_iter().filter_map(|found| {
            let grade = threshold.grade(store.profile(), &found.likeness)?;
            Some(Copy { grade, found, reading })
        });
        copies.extend(graded);
    }
    // The store's order, by S3, decides among equal grades, and then the order of readings.
    copies.sort_by_key(|copy| Reverse(copy.grade));
    let mut seen = HashSet::new();
    copies.retain(|copy| seen.insert(copy.found.document));
    let families = store.profile().families();
    let is_short = sifted.iter().all(|sifted| {
        let kept = families.iter().zip(&sifted.families).filter(|(family, _)| !family.is_whole());
        kept.into_iter().all(|(_, kept)| kept.values.len() < threshold.n_common)
    });
    Found { copies, is_short, is_crowded, is_cut: text.is_cut, named, sifted }
}

impl Found {
    fn answer(&self, store: &Store, text: &Text, explanations: Vec<Explanation>) -> Answer {
        let named = self.copies.iter().take(self.named.unwrap_or(0));
        let originals: Vec<String> =
            named.map(|copy| store.name(copy.found.document).to_owned()).collect();
        Answer {
            name: text.name.clone(),
            verdict: self.verdict(),
            grade: self.copies.first().map(|copy| copy.grade.to_string()),
            n_originals: (!self.copies.is_empty()).then_some(self.copies.len()),
            originals,
            remarks: self.remarks(text),
            explanations,
        }
    }

    fn verdict(&self) -> Verdict {
        match (self.copies.is_empty(), self.is_cut, self.is_empty()) {
            (false, _, _) => Verdict::Yes,
            (true, true, _) => Verdict::Part,
            (true, false, true) => Verdict::None,
            (true, false, false) => Verdict::No,
        }
    }

    /// Whether there is nothing to ask about.
    fn is_empty(&self) -> bool {
        self.sifted.iter().all(Sifted::is_empty)
    }

    fn remarks(&self, text: &Text) -> Vec<String> {
        let mut remarks = text.remarks.clone();
        if self.copies.first().is_some_and(|copy| copy.reading > 0) {
            remarks.push("found in what another mail program shows of it".into());
        }
        if self.is_empty() {
            remarks.push("no word to recognise it by".into());
        } else if self.is_short && self.copies.is_empty() {
            remarks.push("so short that only an unchanged copy would be recognised".into());
        }
        if self.is_crowded && (self.copies.is_empty() || self.named.is_some()) {
            remarks.push(
                "so many originals share something with it that not all were compared".into(),
            );
        }
        remarks
    }
}

//! One answer for each text: is it a copy of an original of the store?

use fanmill_text::message;
use fanmill_text::message::Message;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::path::Path;

use fanmill_sift::key::Key;
use fanmill_sift::sifter::{Sifted, Sifter};
use fanmill_sift::store::{Limits, Match, Store};
use fanmill_sift::verdict::{Grade, Threshold};
use fanmill_source::Budget;
use fanmill_text::document::Notice;
use fanmill_text::progress::Progress;
use fanmill_text::{Result, amount};
use rayon::prelude::*;
use serde::{Deserialize, Serialize, Serializer};

use super::explain::{Explanation, Originals};
use super::sift;
use super::texts::{self, Account, Input, Inputs, MessagePart, Terms, Text};
use fanmill_sift::disk;
use fanmill_sift::disk::{Role, Stored};

/// Default number of originals named for a text that is explained.
const NAMED: usize = 5;

/// The settings of a check: what counts as a copy, and how much is reported about it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Settings {
    /// Minimum share of the smaller fingerprint that a copy has in common, a fraction in `0..=1`; `None` for the
    /// minimum of the store's profile.
    #[serde(deserialize_with = "amount::optional_share")]
    pub min_score: Option<f64>,
    /// Minimum number of values that a copy has in common with the original; `None` for the minimum of the store's
    /// profile.
    pub min_common: Option<usize>,
    /// Maximum number of originals that are named, most similar first. With `None`, none are named, unless originals
    /// are given.
    pub names: Option<usize>,
}

/// The answer about one text.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// The name of the text.
    pub name: String,
    /// The Message-ID of a message, as its sender wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// The verdict.
    #[serde(rename = "answer")]
    pub verdict: Verdict,
    /// The confidence in that verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grade: Option<String>,
    /// The originals that it is a copy of, most similar first, if they are to be named. For a wanted text, these are
    /// the wanted ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub originals: Vec<String>,
    /// The number of originals that it is a copy of, not all of which may be named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_originals: Option<usize>,
    /// Remarks on how it was read and compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<Message>,
    /// The reasons why it is a copy, from the originals that were given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub explanations: Vec<Explanation>,
}

/// The verdict on a text: whether it is a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is a copy.
    Yes,
    /// It is not a copy.
    No,
    /// It resembles a wanted original at least as much as any original that is reported.
    Wanted,
    /// Only a part of it was read, and that part is not a copy.
    Part,
    /// It has no words to recognise it by.
    None,
    /// The input is not a text.
    Skip,
}

impl Verdict {
    /// Returns its name in answers.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Yes => "yes",
            Verdict::No => "no",
            Verdict::Wanted => "wanted",
            Verdict::Part => "part",
            Verdict::None => "none",
            Verdict::Skip => "skip",
        }
    }
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Answer {
    /// Returns the answer about an input that is not a text.
    pub fn skipped(notice: &Notice) -> Answer {
        Answer {
            name: notice.path.clone(),
            message_id: None,
            verdict: Verdict::Skip,
            grade: None,
            originals: Vec::new(),
            n_originals: None,
            remarks: vec![notice.reason.clone()],
            explanations: Vec::new(),
        }
    }
}

/// The accounts of what was read.
#[derive(Debug)]
pub struct Outcome {
    /// Account of the texts.
    pub account: Account,
    /// Account of the originals that were given.
    pub originals: Account,
}

/// Checks texts against a store, and passes answers to `take` in batches, in order. `originals` serve as evidence, and
/// may be empty. They are read like `inputs`, and the limits hold for both together.
///
/// # Errors
/// If the threshold is outside `0..=1`, an input cannot be read, the store is missing, damaged or of another key,
/// `take` fails, or the job is cancelled.
pub fn run(
    settings: &Settings,
    key: &Key,
    store: &Path,
    originals: Vec<Input<'_>>,
    inputs: Inputs<'_>,
    take: &mut dyn FnMut(&mut dyn Iterator<Item = Answer>) -> Result<()>,
    progress: &dyn Progress,
) -> Result<Outcome> {
    let checker = &Checker::open(settings, key, store, progress)?;
    let Checker { store, sifter, .. } = checker;
    let Inputs { from, kind, limits, documents } = inputs;
    let (budget, extractor) = (&Budget::new(limits), &documents.open()?);
    let terms = Terms { kind, budget, extractor };
    let has_originals = !originals.is_empty();
    let (known, of_originals) = if has_originals {
        let (known, account) = Originals::read(originals, terms, store, sifter, progress)?;
        (Some(known), account)
    } else {
        (None, Account::default())
    };
    // Evidence is about originals that are named, so some are named if originals are given.
    let n_named = settings.names.or_else(|| has_originals.then_some(NAMED));
    let account = texts::each_of(from, terms, progress, &mut |batch| {
        let all: Vec<Matches> =
            batch.par_iter().map(|text| checker.matches(n_named, text)).collect();
        let mut answers = batch.iter().zip(&all).map(|(text, found)| {
            let explanations = known.as_ref().map_or_else(Vec::new, |known| {
                let copies = found.reported().iter().map(|copy| (&copy.found, copy.reading));
                known.explain(sifter, store, text, &found.sifted, copies)
            });
            found.answer(store, text, explanations)
        });
        take(&mut answers)
    })?;
    Ok(Outcome { account, originals: of_originals })
}

/// Returns limits that are high enough to name this many originals.
fn limits(names: Option<usize>) -> Limits {
    let (standard, n) = (Limits::standard(), names.unwrap_or(0));
    Limits { holders: standard.holders.max(n), matches: standard.matches.max(n) }
}

/// An original that a text is a copy of.
struct Copy {
    grade: Grade,
    found: Match,
    /// The number of the text's reading in which it was found.
    reading: usize,
}

/// The matches of one text in a store.
struct Matches {
    /// Originals that any reading is a copy of, each once, most similar first.
    copies: Vec<Copy>,
    /// Their role: wanted, if the text resembles wanted ones at least as much as others.
    role: Role,
    /// True if the text is so short that a changed copy would not be recognised.
    is_short: bool,
    /// True if so many originals share something with it that not all were compared.
    is_limited: bool,
    /// True if some of it was not read, so that the answer cannot be "no".
    is_cut: bool,
    /// Number of originals to be named.
    named: Option<usize>,
    /// The fingerprints of each reading.
    sifted: Vec<Sifted>,
}

/// A store that texts are checked against.
pub(super) struct Checker {
    store: Store,
    /// The role of each of its originals.
    roles: Vec<Role>,
    sifter: Sifter,
    threshold: Threshold,
}

impl Checker {
    /// Reads a store.
    ///
    /// # Errors
    /// If the threshold is outside `0..=1`, or the store is missing, damaged or of another key.
    pub(super) fn open(
        settings: &Settings,
        key: &Key,
        store: &Path,
        progress: &dyn Progress,
    ) -> Result<Checker> {
        let s3 = settings.min_score.map(|s3| amount::check_share("min-score", s3)).transpose()?;
        let Stored { records, facts } = disk::read(store, key, progress)?;
        let sifter = records.sifter(key)?;
        let measured = Threshold::from_profile(records.profile());
        let threshold = Threshold {
            s3: s3.unwrap_or(measured.s3),
            n_common: settings.min_common.unwrap_or(measured.n_common),
        };
        let roles = facts.iter().map(|facts| facts.role).collect();
        Ok(Checker { store: Store::from_records(records), roles, sifter, threshold })
    }

    /// Returns the answer about a text, without names of originals.
    pub(super) fn answer(&self, text: &Text) -> Answer {
        self.matches(None, text).answer(&self.store, text, Vec::new())
    }

    /// Checks every reading of a text; the best result counts.
    fn matches(&self, named: Option<usize>, text: &Text) -> Matches {
        let Checker { store, roles, sifter, threshold } = self;
        let sifted: Vec<Sifted> = text.readings().map(|bytes| sift(sifter, bytes)).collect();
        let mut copies: Vec<Copy> = Vec::new();
        let mut is_limited = false;
        for (reading, sifted) in sifted.iter().enumerate() {
            let found = store.check(sifted, &limits(named));
            is_limited |= found.is_cut;
            let graded = found.matches.into_iter().filter_map(|found| {
                let grade = threshold.grade(store.profile(), &found.likeness)?;
                Some(Copy { grade, found, reading })
            });
            copies.extend(graded);
        }
        // Among equal grades, the store's order by S3 stays, and then the order of readings.
        copies.sort_by_key(|copy| Reverse(copy.grade));
        let mut seen = HashSet::new();
        copies.retain(|copy| seen.insert(copy.found.document));
        // The most confident grade decides; if both roles have it, the text is wanted.
        let role_of = |copy: &Copy| roles[copy.found.document as usize];
        let best = [Role::Wanted, Role::Reported]
            .map(|role| copies.iter().find(|copy| role_of(copy) == role).map(|copy| copy.grade));
        let is_wanted = best[0].is_some() && best[0] >= best[1];
        let role = if is_wanted { Role::Wanted } else { Role::Reported };
        copies.retain(|copy| role_of(copy) == role);
        let families = store.profile().families();
        let is_short = sifted.iter().all(|sifted| {
            let kept =
                families.iter().zip(&sifted.families).filter(|(family, _)| !family.is_whole());
            kept.into_iter().all(|(_, kept)| kept.values.len() < threshold.n_common)
        });
        Matches { copies, role, is_short, is_limited, is_cut: text.is_cut, named, sifted }
    }
}

impl Matches {
    fn answer(&self, store: &Store, text: &Text, explanations: Vec<Explanation>) -> Answer {
        let verdict = self.verdict();
        let copies = if verdict == Verdict::Part { &[] } else { &*self.copies };
        let named = copies.iter().take(self.named.unwrap_or(0));
        let originals: Vec<String> =
            named.map(|copy| store.name(copy.found.document).to_owned()).collect();
        Answer {
            name: text.name.clone(),
            message_id: text.message_id.clone(),
            verdict,
            grade: copies.first().map(|copy| copy.grade.to_string()),
            n_originals: (!copies.is_empty()).then_some(copies.len()),
            originals,
            remarks: self.remarks(text),
            explanations,
        }
    }

    /// Returns the originals that the text is reported as a copy of.
    fn reported(&self) -> &[Copy] {
        if self.role == Role::Wanted { &[] } else { &self.copies }
    }

    fn verdict(&self) -> Verdict {
        let is_wanted = self.role == Role::Wanted;
        match (self.reported().is_empty(), self.is_cut, is_wanted, self.is_empty()) {
            (false, ..) => Verdict::Yes,
            (true, true, ..) => Verdict::Part,
            (true, false, true, _) => Verdict::Wanted,
            (true, false, false, true) => Verdict::None,
            (true, false, false, false) => Verdict::No,
        }
    }

    /// Returns whether the text has nothing to recognise it by.
    fn is_empty(&self) -> bool {
        self.sifted.iter().all(Sifted::is_empty)
    }

    fn remarks(&self, text: &Text) -> Vec<Message> {
        let mut remarks = text.remarks.clone();
        if let Some(copy) = self.copies.first().filter(|copy| copy.reading > 0) {
            remarks.push(match text.part(copy.reading) {
                Some(MessagePart::Attachment(name)) => message!["found in the attachment `{name}`"],
                Some(MessagePart::Own) => "found in its own text, without what is attached".into(),
                None => "found in what another mail program shows of it".into(),
            });
        }
        if self.is_empty() {
            remarks.push("no word to recognise it by".into());
        } else if self.is_short && self.copies.is_empty() {
            remarks.push("so short that only an unchanged copy would be recognised".into());
        }
        if self.is_limited && (self.copies.is_empty() || self.named.is_some()) {
            remarks.push(
                "so many originals share something with it that not all were compared".into(),
            );
        }
        remarks
    }
}

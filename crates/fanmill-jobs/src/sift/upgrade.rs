//! Making a new store from an earlier one: from a file of version 1, or with another profile.

use std::path::Path;

use fanmill_disk::replace::Disk;
use fanmill_sift::key::Key;
use fanmill_sift::profile::Profile;
use fanmill_sift::sifter::Sifter;
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result};
use serde::{Deserialize, Serialize};

use super::remade::RebuiltFingerprints;
use super::texts::{Account, Inputs};
use fanmill_sift::disk::{self, LockWait, Original, Removed, Writer};

/// The settings of the new store.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Settings {
    /// The profile of the new store, for which originals are needed; `None` for the old store's.
    pub profile: Option<Profile>,
    /// If set, texts whose originals are missing or have changed are left out of a store with another profile.
    pub drop_missing: bool,
}

/// The outcome of an upgrade.
#[derive(Debug)]
pub struct Outcome {
    /// True if there is a new store; otherwise originals are missing.
    pub is_written: bool,
    /// Number of texts in it.
    pub n_in_all: u64,
    /// Number of texts whose originals were found.
    pub n_found: usize,
    /// The names of the texts whose originals were needed and not found.
    pub missing: Vec<String>,
    /// An account of what was read.
    pub account: Account,
}

/// Makes a new store from the texts of an old one, which stays as it is.
///
/// With the same profile, fingerprints are copied, and originals that are given supply the dates of texts. With another
/// profile, fingerprints are made again from the originals.
///
/// # Errors
/// If something exists at the place of the new store; if an input cannot be read; if the old store is missing, damaged
/// or of another key; if the new one cannot be written; or if the job is cancelled.
pub fn run(
    settings: &Settings,
    key: &Key,
    [old, new]: [&Path; 2],
    originals: Inputs<'_>,
    progress: &dyn Progress,
) -> Result<Outcome> {
    if new.symlink_metadata().is_ok() {
        return Err(Error::setting(format!(
            "`{}` exists already; name a new store",
            new.display()
        )));
    }
    let stored = disk::read(old, key, progress)?;
    let old_sifter = stored.records.sifter(key)?;
    let profile = settings.profile.as_ref().unwrap_or(stored.records.profile());
    let (is_same, new_sifter) = (profile == stored.records.profile(), Sifter::new(profile, key));
    let sifters = [&old_sifter, &new_sifter];
    let (remade, account) = RebuiltFingerprints::read(&stored, sifters, originals, progress)?;
    let n_found = remade.n_found();
    let missing = if is_same { Vec::new() } else { remade.missing() };
    let is_written = missing.is_empty() || settings.drop_missing && n_found > 0;
    let mut outcome = Outcome { is_written, n_in_all: 0, n_found, missing, account };
    if is_written {
        let mut writer = Writer::open(&Disk::default(), new, key, Some(profile), LockWait::None)?;
        // With the same profile, texts are copied even if their originals were not given.
        let all: Box<dyn Iterator<Item = Original>> =
            if is_same { Box::new(remade.all()) } else { Box::new(remade.found()) };
        let mut all = all;
        writer.add(progress, |out, _| {
            all.try_for_each(|original| out.push(&original))?;
            Ok((Removed::new(), ()))
        })?;
        outcome.n_in_all = writer.n_originals();
        writer.close()?;
    }
    Ok(outcome)
}

//! A new store of an earlier one: of a file of version 1, or by another profile.

use std::path::Path;

use fanmill_disk::replace::Disk;
use fanmill_sift::key::Key;
use fanmill_sift::profile::Profile;
use fanmill_sift::sifter::Sifter;
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result};
use serde::{Deserialize, Serialize};

use super::remade::Remade;
use super::texts::{Account, Inputs};
use fanmill_sift::disk::{self, Original, Patience, Removed, Writer};

/// What the new store is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Settings {
    /// The profile of the new store, which takes the originals; `None` for that of the old one.
    pub profile: Option<Profile>,
    /// Whether texts whose originals are missing or have changed are left out of a store of another profile.
    pub drop_missing: bool,
}

/// What was done.
#[derive(Debug)]
pub struct Outcome {
    /// Whether there is a new store; if not, originals are missing.
    pub is_written: bool,
    /// Number of texts in it.
    pub n_in_all: u64,
    /// Number of texts whose originals were found.
    pub n_found: usize,
    /// The names of those that were needed and not found.
    pub missing: Vec<String>,
    /// What was read.
    pub account: Account,
}

/// Makes a new store of the texts of an old one, which stays as it is.
///
/// With the same profile, fingerprints are copied, and originals that are given say the dates of texts. With another
/// profile, fingerprints are made again from the originals.
///
/// # Errors
/// If there is something at the place of the new store; an input cannot be read; the old store is missing, damaged or of
/// another key; the new one cannot be written; or the job is cancelled.
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
    let (remade, account) = Remade::read(&stored, sifters, originals, progress)?;
    let n_found = remade.n_found();
    let missing = if is_same { Vec::new() } else { remade.missing() };
    let is_written = missing.is_empty() || settings.drop_missing && n_found > 0;
    let mut outcome = Outcome { is_written, n_in_all: 0, n_found, missing, account };
    if is_written {
        let mut writer = Writer::open(&Disk::default(), new, key, Some(profile), Patience::None)?;
        let all: Box<dyn Iterator<Item = Original>> =
            if is_same { Box::new(remade.all()) } else { Box::new(remade.found()) };
        let mut all = all;
        writer.add(progress, |out, _| {
            all.try_for_each(|original| out.push(&original))?;
            Ok((Removed::new(), ()))
        })?;
        outcome.n_in_all = writer.len();
        writer.close()?;
    }
    Ok(outcome)
}

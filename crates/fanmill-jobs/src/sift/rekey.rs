//! Replacing the key of a store.
//!
//! Fingerprints of one key cannot be converted to those of another. They are made again, from originals
//! whose old fingerprints equal the store's.

use std::path::Path;

use fanmill_sift::key::Key;
use fanmill_sift::sifter::Sifter;
use fanmill_text::message;
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result, Setting};
use serde::{Deserialize, Serialize};

use super::remade::RebuiltFingerprints;
use super::texts::{Account, Inputs};
use fanmill_sift::disk::{self, LockWait, Writer};

/// The settings of a change of keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Settings {
    /// If set, texts whose originals are missing or have changed are dropped from the store.
    pub drop_missing: bool,
    /// If set, waits while another process is writing the store, instead of ending with an error.
    pub wait: bool,
}

/// The outcome of a change of keys.
#[derive(Debug)]
pub struct Outcome {
    /// True if the store has the new key; otherwise originals are missing, and it is unchanged.
    pub is_written: bool,
    /// Number of texts whose originals were found.
    pub n_found: usize,
    /// The names of the texts whose originals are missing.
    pub missing: Vec<String>,
    /// An account of what was read.
    pub account: Account,
}

/// Makes a store's fingerprints again under another key, from the originals.
///
/// The store is written only if all originals are found, or if missing ones may be dropped and at least one is found.
///
/// # Errors
/// If both keys are the same, an input cannot be read, the store is missing or damaged, has another key, is being
/// written by another process, or cannot be written, or the job is cancelled. The store is then unchanged.
pub fn run(
    settings: Settings,
    [old_key, new_key]: [&Key; 2],
    store: &Path,
    originals: Inputs<'_>,
    progress: &dyn Progress,
) -> Result<Outcome> {
    if old_key.id() == new_key.id() {
        return Err(Error::setting(message![
            Setting("key"),
            " and ",
            Setting("new-key"),
            (" are the same key, {}; make another one", old_key.id())
        ]));
    }
    let patience = LockWait::new(settings.wait, progress);
    // The writer locks the store, so nothing changes between reading and replacing it.
    let mut writer = Writer::open_existing(store, old_key, patience)?;
    let old = disk::read(store, old_key, progress)?;
    let sifters = [old.records.sifter(old_key)?, Sifter::new(old.records.profile(), new_key)];
    let (remade, account) =
        RebuiltFingerprints::read(&old, sifters.each_ref(), originals, progress)?;
    let (n_found, missing) = (remade.n_found(), remade.missing());
    let is_written = missing.is_empty() || settings.drop_missing && n_found > 0;
    if is_written {
        let scheme = (old.records.profile(), new_key.id());
        writer.replace(scheme, progress, |out| {
            Ok(remade.found().try_for_each(|original| out.push(&original))?)
        })?;
    }
    writer.close()?;
    Ok(Outcome { is_written, n_found, missing, account })
}

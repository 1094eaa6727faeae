//! Generations of a folder: one small file each, which says which files count.
//!
//! `CURRENT` names the manifest in force, and its BLAKE3. The content of a manifest is up to its writer; it has the
//! hash of each file's tail, and the tail has the hash of the rest. So a file that belongs to another folder, or to
//! another time, is recognised as such. Renaming a new `CURRENT` into place is the commit.
//!
//! Segments are merged as they come: when the last few are of one size, within a factor of four, they become one. So
//! their content is rewritten a number of times that is logarithmic in their total size.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use fanmill_text::{Error, Result};

use super::pages::damaged;
use crate::given::names_in;
use crate::ours::{Ours, named_manifest};
use crate::replace::{Access, ExistingFile, NewFile};

/// The file that names the manifest.
pub const CURRENT: &str = "CURRENT";
/// Prefix of a manifest's name; its generation follows.
pub const MANIFEST: &str = "MANIFEST-";
/// Maximum length of a manifest in bytes: more than one with 100 million removed documents has.
const LONGEST: u64 = 4 << 30;
/// Number of times that a writer may commit and remove files while a folder is opened.
const TRIES: usize = 100;

/// A manifest as it was written: its path and its bytes.
pub type ManifestFile = (PathBuf, Vec<u8>);

/// Reads the manifest in force; `None` if the folder has none. `CURRENT` and manifests begin with `before`.
///
/// # Errors
/// If it cannot be read, or is damaged. A file in place of the folder has none.
pub fn read(folder: &Path, before: &str) -> Result<Option<ManifestFile>> {
    let path = folder.join(CURRENT);
    let current = match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return first(folder, before),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::IsADirectory => {
            return Err(damaged(&path, "it is a folder"));
        }
        current => current.map_err(|error| Error::io("read", &path, error))?,
    };
    let wanted = Ours::by_current(format!("{before}{MANIFEST}").as_bytes());
    if let (Some(found), Some(wanted)) = (Ours::by_current(&current), wanted)
        && found != wanted
    {
        return Err(Error::input(format!("`{}` is {found}, not {wanted}", folder.display())));
    }
    let (name, hash) = named_manifest(&current, before)
        .ok_or_else(|| damaged(&path, "it does not name a manifest"))?;
    let path = folder.join(name);
    let metadata = fs::metadata(&path).map_err(|error| Error::io("open", &path, error))?;
    if metadata.len() > LONGEST {
        return Err(damaged(&path, "it is too long"));
    }
    let bytes = fs::read(&path).map_err(|error| Error::io("read", &path, error))?;
    if blake3::hash(&bytes).to_hex().as_str() != hash {
        return Err(damaged(&path, &format!("{CURRENT} has another hash of it")));
    }
    Ok(Some((path, bytes)))
}

/// Reads the manifest of a folder without `CURRENT`, if it is the first one: then either the first commit was cut off
/// just before its end, or the file was lost since. Everything that the manifest names was written before it.
///
/// # Errors
/// If there were later generations, so that nobody can tell which one was in force.
fn first(folder: &Path, before: &str) -> Result<Option<ManifestFile>> {
    let names = names_in(folder).unwrap_or_default();
    let names = names.iter().filter_map(|name| name.to_str()).filter(|name| is_manifest(name));
    let (first, others): (Vec<&str>, Vec<&str>) = names.partition(|name| *name == manifest_name(1));
    if !others.is_empty() {
        return Err(damaged(&folder.join(CURRENT), "it is missing, and there are manifests"));
    }
    let Some(name) = first.first() else { return Ok(None) };
    let path = folder.join(name);
    let bytes = fs::read(&path).map_err(|error| Error::io("read", &path, error))?;
    Ok(bytes.starts_with(before.as_bytes()).then_some((path, bytes)))
}

/// Calls `open` with the current manifest; if a writer removed files meanwhile, calls it again with the next one.
/// Returns `None` if the folder has no manifest.
///
/// # Errors
/// As [`read`], and those of `open`.
pub fn opened<T>(
    folder: &Path,
    before: &str,
    mut open: impl FnMut(&ManifestFile) -> Result<T>,
) -> Result<Option<T>> {
    let mut tries = 0;
    loop {
        let Some(written) = read_with_retries(folder, before)? else { return Ok(None) };
        match open(&written) {
            Err(error) if error.is_io() && tries < TRIES => {
                // A writer may have removed a file between the two steps.
                let now = read_with_retries(folder, before)?;
                if now.is_some_and(|now| now.0 == written.0) {
                    return Err(of_missing_file(folder, error));
                }
                tries += 1;
            }
            opened => return opened.map(Some),
        }
    }
}

/// Retries [`read`], since a writer may remove the manifest between its two steps.
fn read_with_retries(folder: &Path, before: &str) -> Result<Option<ManifestFile>> {
    for _ in 0..TRIES {
        match read(folder, before) {
            Err(error) if error.is_io() && folder.join(CURRENT).exists() => {}
            read => return read,
        }
    }
    read(folder, before).map_err(|error| of_missing_file(folder, error))
}

/// Returns the error of a folder for that of a file which is not there, and which the folder must have.
fn of_missing_file(folder: &Path, error: Error) -> Error {
    if error.is_missing() { damaged(folder, &error.to_string()) } else { error }
}

/// Writes and commits a manifest, and all files that have been written before.
///
/// # Errors
/// If the disk refuses. The generation in force is then the one before, or this one.
pub fn commit(
    file: &mut NewFile,
    generation: u64,
    before: &str,
    bytes: &[u8],
    access: &Access,
) -> Result<()> {
    let name = manifest_name(generation);
    file.write(&name, access.clone(), |out| out.write_all(bytes))?;
    file.put(ExistingFile::Replaced)?;
    // Written only now, when everything that it names is on the disk.
    let hash = blake3::hash(bytes).to_hex();
    file.write(CURRENT, access.clone(), |out| writeln!(out, "{before}{name} {hash}"))?;
    file.put(ExistingFile::Replaced)?;
    Ok(())
}

/// Checks a folder that is to become `what`: an index, or a store.
///
/// # Errors
/// If it is not a folder, or contains something that is not ours.
pub fn check_new(folder: &Path, what: &str, is_ours: impl Fn(&str) -> bool) -> Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(|error| Error::io("read", folder, error))?,
    };
    for entry in entries {
        let entry = entry.map_err(|error| Error::io("read", folder, error))?;
        let name = entry.file_name();
        if !name.to_str().is_some_and(&is_ours) {
            return Err(Error::setting(format!(
                "`{}` holds `{}` and is not {what}; name a new folder, or an empty one",
                folder.display(),
                name.display()
            )));
        }
    }
    Ok(())
}

/// Returns the name of a generation's manifest.
pub fn manifest_name(generation: u64) -> String {
    format!("{MANIFEST}{generation}")
}

/// Returns whether the name is that of a manifest.
pub fn is_manifest(name: &str) -> bool {
    name.strip_prefix(MANIFEST).is_some_and(|number| number.parse::<u64>().is_ok())
}

/// A rule of merging segments.
#[derive(Debug, Clone, Copy)]
pub struct Merging {
    /// Segments below this number of bytes are of one size.
    pub lowest: u64,
    /// Number of segments of one size that are merged.
    pub tier: usize,
    /// Maximum number of segments.
    pub most: usize,
}

impl Merging {
    /// Returns the number of newest segments to merge, given the bytes of all, oldest first.
    pub fn n_to_merge(self, sizes: &[u64]) -> usize {
        let Some(&last) = sizes.last() else { return 0 };
        let level = |size: u64| (size / self.lowest).checked_ilog2().map_or(0, |log| log / 2 + 1);
        let n = sizes.iter().rev().take_while(|&&size| level(size) <= level(last)).count();
        let too_many = if sizes.len() > self.most { self.tier } else { 0 };
        if n >= self.tier { n } else { too_many }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each addition is one unit; the number of units rewritten grows with the logarithm of all.
    #[test]
    fn merging_rewrites_a_logarithmic_number_of_times() {
        const LOWEST: u64 = 1 << 20;
        let merging = Merging { lowest: LOWEST, tier: 4, most: 12 };
        let (mut sizes, mut n_rewritten) = (Vec::new(), 0);
        for _ in 0..4096 {
            sizes.push(LOWEST);
            loop {
                let n = merging.n_to_merge(&sizes);
                if n == 0 {
                    break;
                }
                let merged: u64 = sizes.split_off(sizes.len() - n).iter().sum();
                n_rewritten += merged / LOWEST;
                sizes.push(merged);
            }
            assert!(sizes.len() <= 12, "{sizes:?}");
        }
        assert!(n_rewritten <= 4096 * 7, "{n_rewritten}");
    }
}

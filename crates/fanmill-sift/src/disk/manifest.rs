//! The manifest of a store: its scheme and its segments.

use std::path::Path;

use crate::key::KeyId;
use crate::profile::Profile;
use fanmill_disk::replace::{Access, NewFile};
use fanmill_disk::segments::generation::{self, ManifestFile};
use fanmill_disk::segments::pages::damaged;
use fanmill_text::scheme::Scheme;
use fanmill_text::{Error, Result};
use serde::{Deserialize, Serialize};

use super::segment::{SegmentEntry, is_segment};

/// The beginning of `CURRENT` and of each manifest.
pub(super) const MAGIC: &str = "fanmsift ";
/// Version of the files. A release refuses later ones.
const VERSION: u32 = 2;

/// One generation of a store. The file is [`MAGIC`], the version, a line feed, and this as JSON on one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    /// The number of the generation, which rises with each change.
    pub(super) generation: u64,
    /// The profile, and the id of the key.
    scheme: String,
    /// The number of the segment that was written last.
    pub(super) last_segment: u64,
    /// The segments, oldest first.
    pub(super) segments: Vec<SegmentEntry>,
}

impl Manifest {
    /// Returns the manifest of an empty store.
    pub(super) fn new(profile: &Profile, key: KeyId) -> Manifest {
        let mut manifest = Manifest {
            generation: 0,
            scheme: String::new(),
            last_segment: 0,
            segments: Vec::new(),
        };
        manifest.set_scheme(profile, key);
        manifest
    }

    pub(super) fn set_scheme(&mut self, profile: &Profile, key: KeyId) {
        self.scheme = profile.scheme(key).to_string();
    }

    /// Returns the profile, and the id of the key.
    ///
    /// # Errors
    /// If this release does not know the scheme.
    pub(super) fn scheme(&self) -> Result<(Profile, KeyId)> {
        Profile::from_scheme(&self.scheme.parse::<Scheme>()?)
    }

    /// Parses a manifest from the bytes of its file.
    ///
    /// # Errors
    /// If it is not a manifest, or has another version than this release reads.
    pub(super) fn parse((path, bytes): &ManifestFile) -> Result<Manifest> {
        let wrong = || damaged(path, "it is not the manifest of a store");
        let text = str::from_utf8(bytes).ok().and_then(|text| text.strip_prefix(MAGIC));
        let (version, json) = text.and_then(|text| text.split_once('\n')).ok_or_else(wrong)?;
        if version != VERSION.to_string() {
            return Err(Error::input(format!(
                "`{}` is of version {version} of the format, and this release reads version {VERSION}; use the release \
                 that made the store, or make it again from the originals",
                path.display(),
            )));
        }
        let manifest: Manifest = serde_json::from_str(json).map_err(|_| wrong())?;
        // Nothing else that a manifest might name is ever opened.
        let are_segments = manifest.segments.iter().all(|entry| is_segment(&entry.file.name));
        if are_segments { Ok(manifest) } else { Err(wrong()) }
    }

    /// Writes and commits it, together with the files that have been written before.
    ///
    /// # Errors
    /// If writing fails. The valid generation is then the one before, or this one.
    pub(super) fn commit(&self, file: &mut NewFile, access: &Access) -> Result<()> {
        let json = serde_json::to_string(self).map_err(|error| Error::input(error.to_string()))?;
        let text = format!("{MAGIC}{VERSION}\n{json}\n");
        generation::commit(file, self.generation, MAGIC, text.as_bytes(), access)
    }

    /// Returns whether it needs the file of this name.
    pub(super) fn needs(&self, name: &str) -> bool {
        name == generation::CURRENT
            || name == generation::manifest_name(self.generation)
            || self.segments.iter().any(|entry| entry.file.name == name)
    }
}

/// Returns whether a folder is a store. Damaged stores count; anything that is not ours does not.
pub(super) fn is_at(folder: &Path) -> bool {
    begins(&folder.join(generation::CURRENT))
}

/// Returns whether a store has files of this name, and this file begins as they do.
pub(super) fn is_ours(folder: &Path, name: &str) -> bool {
    let is_part = name == generation::CURRENT || generation::is_manifest(name) || is_segment(name);
    is_part && begins(&folder.join(name))
}

fn begins(path: &Path) -> bool {
    use std::io::Read;
    let mut start = [0; MAGIC.len()];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == MAGIC.as_bytes()
}

//! The manifest of an index, which names the segments' files, with the hash of each file's tail.

use std::fs;
use std::io::Read;
use std::path::Path;

use fanmill::fingerprint::Recipe;
use fanmill::pipeline::{Config, ThresholdOverrides};
use fanmill::select::Selector;
use fanmill::surroundings::Detail;
use fanmill_disk::replace::{Access, NewFile};
use fanmill_disk::segments::generation::{
    self, CURRENT, MANIFEST, ManifestFile, is_manifest, manifest_name,
};
use fanmill_disk::segments::pages::damaged;
use fanmill_text::scheme::Scheme;
use fanmill_text::token::Kind;
use fanmill_text::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::block::Form;
use crate::keep::Keep;
use crate::segment::SegmentEntry;

/// Version of the files. A release refuses later versions.
const VERSION: u32 = 5;
/// First version whose segments store the surroundings of fingerprints. An index of an earlier version keeps that
/// version until it is upgraded.
const SURROUNDINGS: u32 = 2;
/// First version whose records have the facts of publications.
const PUBLICATIONS: u32 = 3;
/// First version whose surroundings have all their bits for the nearest tokens. An index of an earlier version keeps
/// that version until it is upgraded.
const NEAR: u32 = 4;
/// First version whose segments are packed. An index of an earlier version keeps that version until it is
/// upgraded, so that the release that made it can read it.
const PACKED: u32 = 5;

/// One generation of an index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    format: String,
    version: u32,
    pub(crate) generation: u64,
    /// The scheme by which each kind of text is fingerprinted, without front ends.
    pub(crate) schemes: Vec<String>,
    /// The front end for all documents, if one was forced.
    pub(crate) language: Option<String>,
    /// The part of its documents that is stored.
    #[serde(default, skip_serializing_if = "Keep::is_everything")]
    pub(crate) keep: Keep,
    /// The scheme of additional keys, if documents have any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) keys: Option<String>,
    /// The identifier of the key under which values are made, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) key: Option<String>,
    /// The number of the next document.
    pub(crate) next_document: u64,
    /// The number of the next segment.
    pub(crate) next_segment: u64,
    /// The segments, oldest first.
    pub(crate) segments: Vec<SegmentEntry>,
}

impl Manifest {
    /// Makes the manifest of an empty index with the thresholds, selector and language of `config`.
    ///
    /// # Errors
    /// If thresholds contradict each other.
    pub(crate) fn new(config: &Config, keep: Keep) -> Result<Manifest> {
        let kinds = [Kind::Code, Kind::Words, Kind::Chars];
        let schemes = kinds.map(|kind| Ok(config.recipe(kind)?.scheme([]).to_string()));
        Ok(Manifest {
            format: "fanmill index".to_owned(),
            version: VERSION,
            generation: 0,
            schemes: schemes.into_iter().collect::<Result<_>>()?,
            language: config.fingerprints.lang.clone(),
            keep,
            keys: None,
            key: None,
            next_document: 0,
            next_segment: 0,
            segments: Vec::new(),
        })
    }

    /// Returns the detail in which new segments store the surroundings of fingerprints. All indexes do, except older
    /// ones, and keyed ones, in which they would reveal something of the texts.
    pub(crate) fn surroundings(&self) -> Option<Detail> {
        let detail = if self.version >= NEAR { Detail::Near } else { Detail::Far };
        (self.version >= SURROUNDINGS && self.key.is_none()).then_some(detail)
    }

    /// Returns the form in which new segments are written.
    pub(crate) fn form(&self) -> Form {
        if self.version >= PACKED { Form::Packed } else { Form::Plain }
    }

    /// Raises the version to that of this release, for an upgrade that writes all segments in its way.
    pub(crate) fn raise(&mut self) {
        self.version = VERSION;
    }

    /// Returns whether new documents keep the facts of their publication. Those of an index of version 1 do not, until
    /// it is upgraded.
    pub(crate) fn keeps_publications(&self) -> bool {
        self.version >= SURROUNDINGS
    }

    /// Raises the version for documents that keep these facts, which earlier releases cannot read.
    pub(crate) fn raise_for_publications(&mut self) {
        self.version = self.version.max(PUBLICATIONS);
    }

    /// Returns the configuration of a comparison that takes the same fingerprints.
    ///
    /// # Errors
    /// If this release takes different fingerprints.
    pub(crate) fn config(&self) -> Result<Config> {
        let mut config = Config::standard();
        config.fingerprints.lang.clone_from(&self.language);
        let mut recipes = Vec::new();
        for scheme in &self.schemes {
            let recipe = Recipe::from_scheme(&scheme.parse::<Scheme>()?)?;
            let (noise, guarantee) = (recipe.thresholds.noise(), recipe.thresholds.guarantee());
            let own =
                ThresholdOverrides { noise: Some(noise as u32), guarantee: Some(guarantee as u32) };
            config.fingerprints.set_kind(recipe.kind, own);
            recipes.push(recipe);
        }
        // Default selectors differ between kinds, so the selector is set only if another one was chosen.
        let is_preset =
            |recipe: &Recipe| recipe.selector == Selector::roc(recipe.thresholds.noise());
        if !recipes.iter().all(is_preset) {
            config.fingerprints.select = recipes.first().map(|recipe| recipe.selector);
        }
        for recipe in recipes {
            let ours = config.recipe(recipe.kind)?;
            if ours != recipe {
                let [ours, theirs] = [ours, recipe].map(|recipe| recipe.scheme([]).to_string());
                return Err(other_scheme(&ours, &theirs));
            }
        }
        Ok(config)
    }

    /// Reads the current manifest; `None` if the folder does not have one.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or is of a later release.
    pub(crate) fn read(folder: &Path) -> Result<Option<Manifest>> {
        generation::read(folder, "")?.map(|written| Manifest::parse(&written)).transpose()
    }

    /// Parses a manifest.
    ///
    /// # Errors
    /// If it is not a manifest, or is of a later release.
    pub(crate) fn parse((path, bytes): &ManifestFile) -> Result<Manifest> {
        let wrong = || damaged(path, "it is not a manifest");
        let said: ManifestVersion = serde_json::from_slice(bytes).map_err(|_| wrong())?;
        if !(1..=VERSION).contains(&said.version) {
            return Err(Error::input(format!(
                "`{}` is of version {} of the format, and this release reads versions up to {VERSION}; use the release \
                 that made the index, or build it again",
                path.display(),
                said.version
            )));
        }
        let manifest: Manifest = serde_json::from_slice(bytes).map_err(|_| wrong())?;
        // Only names of index files are accepted, so that a manifest cannot have other paths opened.
        let is_right = |entry: &SegmentEntry| {
            entry.files().all(is_part)
                && entry.texts.is_some() == (manifest.keep == Keep::Everything)
        };
        if manifest.segments.iter().all(is_right) { Ok(manifest) } else { Err(wrong()) }
    }

    /// Writes and commits the manifest, and all files that were written before.
    ///
    /// # Errors
    /// If the disk refuses. The current generation is then the previous one, or this one.
    pub(crate) fn commit(&self, file: &mut NewFile) -> Result<()> {
        let mut bytes =
            serde_json::to_vec(self).map_err(|error| Error::input(error.to_string()))?;
        bytes.push(b'\n');
        generation::commit(file, self.generation, "", &bytes, &Access::Usual)
    }

    /// Returns the number of a new segment.
    pub(crate) fn take_segment(&mut self) -> u64 {
        self.next_segment += 1;
        self.next_segment
    }

    pub(crate) fn name(&self) -> String {
        manifest_name(self.generation)
    }

    /// Returns the names of all files that it needs.
    pub(crate) fn files(&self) -> Vec<String> {
        let of_segments = self.segments.iter().flat_map(SegmentEntry::files).map(str::to_owned);
        of_segments.chain([self.name(), CURRENT.to_owned()]).collect()
    }
}

/// The part that manifests of all versions have.
#[derive(Debug, Deserialize)]
struct ManifestVersion {
    version: u32,
}

/// Returns whether a file has a name and a beginning that files of an index have.
pub(crate) fn is_ours(folder: &Path, name: &str) -> bool {
    let begins = || {
        let mut bytes = Vec::new();
        let file = fs::File::open(folder.join(name)).ok()?;
        file.take(32).read_to_end(&mut bytes).ok()?;
        Some(
            [b"fanmill ".as_slice(), br#"{"format":"fanmill index""#, MANIFEST.as_bytes()]
                .iter()
                .any(|begin| bytes.starts_with(begin)),
        )
    };
    is_part(name) && begins().unwrap_or(false)
}

/// Returns whether files of an index have such a name.
fn is_part(name: &str) -> bool {
    let is_segment = || {
        let (number, kind) = name.strip_prefix("seg-")?.split_once('.')?;
        Some(number.parse::<u64>().is_ok() && ["fps", "txt"].contains(&kind))
    };
    name == CURRENT || is_manifest(name) || is_segment().unwrap_or(false)
}

/// Returns the error for an index with values of another scheme.
pub(crate) fn other_scheme(ours: &str, theirs: &str) -> Error {
    Error::input(format!(
        "the index has fingerprints of scheme `{theirs}`, and this release makes `{ours}`; build the index again from \
         the texts"
    ))
}

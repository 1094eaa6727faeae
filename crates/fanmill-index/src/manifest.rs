//! The manifest: what an index consists of. It names the segments' files, with the hash of each file's tail.

use std::fs;
use std::io::Read;
use std::path::Path;

use fanmill::fingerprint::Recipe;
use fanmill::pipeline::{Config, ThresholdOverrides};
use fanmill::select::Selector;
use fanmill_disk::replace::{Access, NewFile};
use fanmill_disk::segments::generation::{
    self, CURRENT, MANIFEST, Written, is_manifest, manifest_name,
};
use fanmill_disk::segments::pages::damaged;
use fanmill_text::scheme::Scheme;
use fanmill_text::token::Kind;
use fanmill_text::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::keep::Keep;
use crate::segment::SegmentEntry;

/// Version of the files. A release refuses later ones.
const VERSION: u32 = 2;
/// The version from which on segments have what stands around fingerprints. An index of an earlier version keeps it until
/// all of its documents are read again.
const SURROUNDINGS: u32 = 2;

/// One generation of an index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    format: String,
    version: u32,
    pub(crate) generation: u64,
    /// How each kind of text is fingerprinted, without front ends.
    pub(crate) schemes: Vec<String>,
    /// The front end for all documents, if one was forced.
    pub(crate) language: Option<String>,
    /// Whether texts are kept.
    #[serde(default, skip_serializing_if = "Keep::is_everything")]
    pub(crate) keep: Keep,
    /// The scheme of further keys, if documents have some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) keys: Option<String>,
    /// The identifier of the key that values are made under, if they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) key: Option<String>,
    /// The number of the next document.
    pub(crate) next_document: u64,
    /// The number of the next segment.
    pub(crate) next_segment: u64,
    /// Oldest first.
    pub(crate) segments: Vec<SegmentEntry>,
}

impl Manifest {
    /// That of an empty index, which is made by `config`'s thresholds, selector and language.
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

    /// Returns whether new segments have what stands around fingerprints: in all indexes but older and keyed ones, in which it
    /// would tell something of the texts.
    pub(crate) fn has_surroundings(&self) -> bool {
        self.version >= SURROUNDINGS && self.key.is_none()
    }

    /// Raises the version to that of this release, once all segments are as it writes them.
    pub(crate) fn raise(&mut self) {
        self.version = VERSION;
    }

    /// The configuration of a comparison that takes the same fingerprints.
    ///
    /// # Errors
    /// If this release takes others.
    pub(crate) fn config(&self) -> Result<Config> {
        let mut config = Config::standard();
        config.fingerprints.lang.clone_from(&self.language);
        let mut recipes = Vec::new();
        for scheme in &self.schemes {
            let recipe = Recipe::of_scheme(&scheme.parse::<Scheme>()?)?;
            let (noise, guarantee) = (recipe.thresholds.noise(), recipe.thresholds.guarantee());
            let own =
                ThresholdOverrides { noise: Some(noise as u32), guarantee: Some(guarantee as u32) };
            config.fingerprints.set_kind(recipe.kind, own);
            recipes.push(recipe);
        }
        // The selector that nobody chose differs from kind to kind.
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

    /// Reads the manifest that holds; `None` if the folder has none.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or is of a later release.
    pub(crate) fn read(folder: &Path) -> Result<Option<Manifest>> {
        generation::read(folder, "")?.map(|written| Manifest::parse(&written)).transpose()
    }

    /// Reads a manifest as it was written.
    ///
    /// # Errors
    /// If it is none, or is of a later release.
    pub(crate) fn parse((path, bytes): &Written) -> Result<Manifest> {
        let wrong = || damaged(path, "it is not a manifest");
        let said: Said = serde_json::from_slice(bytes).map_err(|_| wrong())?;
        if !(1..=VERSION).contains(&said.version) {
            return Err(Error::input(format!(
                "`{}` is of version {} of the format, and this release reads versions up to {VERSION}; use the release \
                 that made the index, or build it again",
                path.display(),
                said.version
            )));
        }
        let manifest: Manifest = serde_json::from_slice(bytes).map_err(|_| wrong())?;
        // No path that it might name is opened.
        let is_right = |entry: &SegmentEntry| {
            entry.files().all(is_part)
                && entry.texts.is_some() == (manifest.keep == Keep::Everything)
        };
        if manifest.segments.iter().all(is_right) { Ok(manifest) } else { Err(wrong()) }
    }

    /// Writes and commits it, and whatever files have been written before.
    ///
    /// # Errors
    /// If the disk refuses. The generation that holds is then the one before, or this one.
    pub(crate) fn commit(&self, file: &mut NewFile) -> Result<()> {
        let mut bytes =
            serde_json::to_vec(self).map_err(|error| Error::input(error.to_string()))?;
        bytes.push(b'\n');
        generation::commit(file, self.generation, "", &bytes, &Access::Usual)
    }

    /// The number of a new segment.
    pub(crate) fn take_segment(&mut self) -> u64 {
        self.next_segment += 1;
        self.next_segment
    }

    pub(crate) fn name(&self) -> String {
        manifest_name(self.generation)
    }

    /// The names of all files that it needs.
    pub(crate) fn files(&self) -> Vec<String> {
        let of_segments = self.segments.iter().flat_map(SegmentEntry::files).map(str::to_owned);
        of_segments.chain([self.name(), CURRENT.to_owned()]).collect()
    }
}

/// What every version of a manifest says.
#[derive(Debug, Deserialize)]
struct Said {
    version: u32,
}

/// Whether an index has files of this name, and this one begins as they do.
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

/// Whether an index has files of this name.
fn is_part(name: &str) -> bool {
    let is_segment = || {
        let (number, kind) = name.strip_prefix("seg-")?.split_once('.')?;
        Some(number.parse::<u64>().is_ok() && ["fps", "txt"].contains(&kind))
    };
    name == CURRENT || is_manifest(name) || is_segment().unwrap_or(false)
}

/// The error for values of another scheme.
pub(crate) fn other_scheme(ours: &str, theirs: &str) -> Error {
    Error::input(format!(
        "the index has fingerprints of scheme `{theirs}`, and this release makes `{ours}`; build the index again from \
         the texts"
    ))
}

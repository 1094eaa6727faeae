//! Real programs, read from folders in an order that depends only on their paths.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use fanmill_text::frontend::{FrontEnd, Registry};
use fanmill_text::token::Tokens;
use xxhash_rust::xxh3::xxh3_64;

/// The programs that a measurement takes.
#[derive(Debug, Args)]
pub(crate) struct ProgramArgs {
    /// Folders of real programs, each file a program.
    #[arg(long, value_name = "DIR", num_args = 1.., required = true)]
    programs: Vec<PathBuf>,
    /// The language of the programs: files of others are left out.
    #[arg(long, value_name = "NAME", default_value = "java")]
    language: String,
}

impl ProgramArgs {
    /// Returns the front end of their language.
    pub(crate) fn front_end<'r>(&self, registry: &'r Registry) -> Result<&'r dyn FrontEnd> {
        Ok(registry.find(&self.language)?)
    }

    /// Reads the different programs, the first ones an even sample.
    pub(crate) fn read(&self, registry: &Registry) -> Result<Vec<Program>> {
        read(&self.programs, registry, self.front_end(registry)?)
    }
}

/// A program with its tokens.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    /// Its path below the folder given.
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) tokens: Tokens,
}

/// Minimum number of tokens of a program, so that there is a place for a run, and stubs are left out.
const LEAST_TOKENS: usize = 100;
/// Maximum size of a program in bytes: larger ones are mostly tables, and not homework.
const MOST_BYTES: u64 = 1 << 17;

/// Reads the different programs of one language below some folders, in the order of the hashes of their paths, so that
/// the first ones are an even sample.
fn read(
    folders: &[PathBuf],
    registry: &Registry,
    front_end: &dyn FrontEnd,
) -> Result<Vec<Program>> {
    let mut programs = Vec::new();
    for (number, folder) in folders.iter().enumerate() {
        let mut paths = Vec::new();
        list(folder, front_end.claims().extensions, &mut paths)?;
        for path in paths {
            let inside = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
            // Files that are not UTF-8 are left out.
            let Ok(text) = fs::read_to_string(&path) else { continue };
            // A header may be in another language than its name suggests.
            let chosen = registry.choose(&inside, &text, None)?;
            if chosen.front_end.name() != front_end.name() {
                continue;
            }
            programs.push((xxh3_64(inside.as_bytes()), format!("{number}/{inside}"), text));
        }
    }
    programs.sort_unstable();
    let mut seen = BTreeSet::new();
    programs.retain(|(_, _, text)| seen.insert(xxh3_64(text.as_bytes())));
    let tokenized = programs.into_iter().map(|(_, name, text)| {
        let mut tokens = Tokens::default();
        front_end.tokenize(&text, &mut tokens);
        Program { name, text, tokens }
    });
    Ok(tokenized.filter(|program| program.tokens.len() >= LEAST_TOKENS).collect())
}

/// Appends the files below a folder that have one of the extensions; links are not followed.
fn list(folder: &Path, extensions: &[&str], paths: &mut Vec<PathBuf>) -> Result<()> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("could not list `{}`", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let (kind, path) = (entry.file_type()?, entry.path());
        let extension = path.extension().and_then(|extension| extension.to_str());
        if kind.is_dir() {
            list(&path, extensions, paths)?;
        } else if kind.is_file()
            && extension.is_some_and(|own| extensions.contains(&own))
            && entry.metadata()?.len() <= MOST_BYTES
        {
            paths.push(path);
        }
    }
    Ok(())
}

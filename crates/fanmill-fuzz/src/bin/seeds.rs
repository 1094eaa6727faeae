//! Writes each target's seeds to a folder with its name: `seeds fuzz/corpus`.
//!
//! It writes the handmade seeds, and the files of `testdata/` and `examples/` that the target's reader understands.

#![deny(unsafe_code)]

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use fanmill_fuzz::TARGETS;

/// The root of the repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn main() -> io::Result<()> {
    let corpus = PathBuf::from(env::args_os().nth(1).unwrap_or_else(|| "fuzz/corpus".into()));
    for target in TARGETS {
        fs::create_dir_all(corpus.join(target.name))?;
        for (number, seed) in (target.seeds)().iter().enumerate() {
            fs::write(corpus.join(target.name).join(format!("seed-{number}")), seed)?;
        }
    }
    let mut files = Vec::new();
    for folder in ["testdata", "examples"] {
        list(&Path::new(ROOT).join(folder), &mut files)?;
    }
    // Each file is a seed of every reader of its format, and of `decode`; source code is also one of `lexers`.
    for (number, file) in files.iter().enumerate() {
        let bytes = fs::read(file)?;
        let readers = match file.extension().and_then(OsStr::to_str).unwrap_or_default() {
            "csv" => &["csv", "manifest"][..],
            "jsonl" => &["jsonl"],
            "mbox" => &["mbox", "message"],
            "pdf" => &["pdf"],
            _ => &[],
        };
        for reader in readers.iter().chain(&["decode"]) {
            fs::write(corpus.join(reader).join(format!("file-{number}")), &bytes)?;
        }
        if let Some(language) = language(file, &bytes) {
            let seed = [&[language], &bytes[..]].concat();
            fs::write(corpus.join("lexers").join(format!("file-{number}")), seed)?;
        }
    }
    Ok(())
}

/// Appends the files in a folder and its subfolders.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { list(&path, files)? } else { files.push(path) }
    }
    files.sort();
    Ok(())
}

/// Returns the first byte of a seed of `lexers` for the language of a file.
fn language(file: &Path, bytes: &[u8]) -> Option<u8> {
    let registry = fanmill_lang::registry();
    let choice = registry.choose(file.to_str()?, std::str::from_utf8(bytes).ok()?, None).ok()?;
    let languages = fanmill_lang::front_ends();
    let number =
        languages.iter().position(|language| language.name() == choice.front_end.name())?;
    u8::try_from(number).ok()
}

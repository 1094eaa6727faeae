//! Extraction of text from documents: the flags for it, and this program as the reader of documents that are read in a
//! process of their own.

#[cfg(feature = "pdf")]
use std::env;
#[cfg(feature = "pdf")]
use std::path::PathBuf;

#[cfg(feature = "pdf")]
use fanmill_extract::cage;
use fanmill_source::Extraction;

use crate::args::ExtractionArgs;
use crate::layers;

impl ExtractionArgs {
    /// Adds the settings that are given as paths.
    pub(crate) fn add_paths(&self, extraction: &mut Extraction) {
        layers::replace_one(&mut extraction.password_file, self.password_file.as_ref());
    }
}

/// Does what a child is started for, and returns its exit status. In the program that people start, returns `None`,
/// after registering it as the reader.
#[cfg(feature = "pdf")]
pub(crate) fn of_child() -> Option<u8> {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    if arguments.first().is_some_and(|first| first == cage::COMMAND) {
        let words: Vec<&str> = arguments.iter().filter_map(|word| word.to_str()).collect();
        return Some(cage::main(&words[1..]));
    }
    // The program's file may be replaced while it runs; this name stays that of the running program.
    let own = PathBuf::from("/proc/self/exe");
    if let Some(program) = own.exists().then_some(own).or_else(|| env::current_exe().ok()) {
        cage::use_program(program);
    }
    None
}

//! This program as the reader of documents that are read in a process of their own.

use std::env;
use std::path::PathBuf;

use fanmill_extract::cage;

/// What a child does, and its exit status; `None` in the program that people start, which is then known as the reader.
pub(crate) fn of_child() -> Option<u8> {
    let arguments: Vec<_> = env::args_os().skip(1).take(3).collect();
    let words: Vec<&str> = arguments.iter().filter_map(|word| word.to_str()).collect();
    if let [cage::COMMAND, rest @ ..] = &*words {
        return Some(cage::main(rest));
    }
    // The program may be replaced while it runs; this name stays the program that runs.
    let own = PathBuf::from("/proc/self/exe");
    if let Some(program) = own.exists().then_some(own).or_else(|| env::current_exe().ok()) {
        cage::use_program(program);
    }
    None
}

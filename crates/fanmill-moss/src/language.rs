//! MOSS's names of languages, with Fanmill's names for them.
//!
//! The first 25 are those that clients list (the script, and mosspy 1.0.9); the others belong to the edition of MOSS
//! that was sold for local use. If Fanmill does not have a table for a language of MOSS, the nearest one is used: HC12
//! assembly is read as code of an unknown language, plain ASCII as prose.

/// MOSS's name of each language, and Fanmill's.
const LANGUAGES: [(&str, &str); 30] = [
    ("c", "c"),
    ("cc", "cpp"),
    ("java", "java"),
    ("ml", "sml"),
    ("pascal", "pascal"),
    ("ada", "ada"),
    ("lisp", "lisp"),
    ("scheme", "scheme"),
    ("haskell", "haskell"),
    ("fortran", "fortran"),
    ("ascii", "words"),
    ("vhdl", "vhdl"),
    ("verilog", "verilog"),
    ("perl", "perl"),
    ("matlab", "matlab"),
    ("python", "python"),
    ("mips", "mips"),
    ("prolog", "prolog"),
    ("spice", "spice"),
    ("vb", "visualbasic"),
    ("csharp", "csharp"),
    ("modula2", "modula2"),
    ("a8086", "a8086"),
    ("javascript", "javascript"),
    ("plsql", "plsql"),
    ("ocaml", "ocaml"),
    ("ruby", "ruby"),
    ("tcl", "tcl"),
    ("asm", "a8086"),
    ("hc12", "generic"),
];

/// Returns Fanmill's name of the language that MOSS calls `code`; `None` if MOSS does not have that language.
///
/// Names are in lower case and compared exactly, which is how clients send them.
///
/// ```
/// assert_eq!(fanmill_moss::language::fanmill_name("cc"), Some("cpp"));
/// assert_eq!(fanmill_moss::language::fanmill_name("ascii"), Some("words"));
/// assert_eq!(fanmill_moss::language::fanmill_name("klingon"), None);
/// ```
pub fn fanmill_name(code: &str) -> Option<&'static str> {
    LANGUAGES.iter().find(|(moss, _)| *moss == code).map(|(_, fanmill)| *fanmill)
}

/// Returns whether MOSS has a language of this name. Sessions use this rule by default.
pub fn is_known(code: &str) -> bool {
    fanmill_name(code).is_some()
}

/// Iterates over all of MOSS's names, those that clients list first.
pub fn codes() -> impl Iterator<Item = &'static str> {
    LANGUAGES.iter().map(|(moss, _)| *moss)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    /// The tables are read as text, so that this crate does not depend on another.
    #[test]
    fn every_language_has_a_front_end() {
        let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fanmill-lang/src/languages");
        let mut names = BTreeSet::from(["words".to_owned()]);
        for entry in fs::read_dir(tables).expect("the tables") {
            let table = fs::read_to_string(entry.expect("a table").path()).expect("text");
            let named = table.lines().filter_map(|line| line.strip_prefix("    name: \""));
            names.extend(named.filter_map(|rest| rest.split('"').next()).map(str::to_owned));
        }
        for code in codes() {
            let name = fanmill_name(code).expect("a name");
            assert!(names.contains(name), "{code}: {name} is not in {names:?}");
        }
    }

    #[test]
    fn names_are_single_words_and_occur_once() {
        let all: BTreeSet<&str> = codes().collect();
        assert_eq!(all.len(), codes().count());
        assert!(all.iter().all(|code| code.bytes().all(|b| b.is_ascii_alphanumeric())));
        assert!(!is_known("") && !is_known("C"));
    }
}

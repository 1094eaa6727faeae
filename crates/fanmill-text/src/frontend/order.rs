//! Languages that a user orders for files: one for all, and others by patterns of names.
//!
//! An order is a list with commas, such as `*.txt=fortran,*.m=matlab` or `java,*.h=c`. Of the patterns that match a path,
//! the first counts; a name without a pattern is for all other files.
//!
//! Cost: O(order × path).

use super::registry::Registry;
use crate::error::{Error, Result};
use crate::glob::Glob;

/// Returns the name of the language that is ordered for a file of a submission; `None` if it is to be chosen. Patterns
/// are those of paths in the submission, or of these with its name before them.
pub fn ordered_for<'o>(order: &'o str, submission: &str, path: &str) -> Option<&'o str> {
    let whole = format!("{submission}/{path}");
    let matches = |pattern: &str| {
        Glob::new(pattern).is_ok_and(|glob| glob.matches(path) || glob.matches(&whole))
    };
    let by_pattern = parts(order)
        .find_map(|(pattern, language)| pattern.filter(|one| matches(one)).and(Some(language)));
    by_pattern.or_else(|| ordered_for_all(order))
}

/// Returns the name of the language that is ordered for all files that no pattern matches.
fn ordered_for_all(order: &str) -> Option<&str> {
    parts(order).find_map(|(pattern, language)| pattern.is_none().then_some(language))
}

impl Registry {
    /// Checks an order of languages.
    ///
    /// # Errors
    /// If it names a language that no front end reads, a pattern or a language is missing, or two languages are for all
    /// files.
    pub fn check_order(&self, order: &str) -> Result<()> {
        for (pattern, language) in parts(order) {
            pattern.map(Glob::new).transpose()?;
            if language.is_empty() {
                let text = format!("no language in `{order}`; write it as `*.txt=fortran`");
                return Err(Error::setting(text));
            }
            self.find(language)?;
        }
        let mut all = parts(order).filter(|(pattern, _)| pattern.is_none());
        match (all.next(), all.next()) {
            (Some((_, first)), Some((_, second))) => Err(Error::setting(format!(
                "two languages for all files, `{first}` and `{second}`; give one of them a pattern, as in \
                 `*.txt={second}`"
            ))),
            _ => Ok(()),
        }
    }
}

/// Returns the patterns of an order with their languages.
fn parts(order: &str) -> impl Iterator<Item = (Option<&str>, &str)> {
    order.split(',').map(|part| match part.rsplit_once('=') {
        Some((pattern, language)) => (Some(pattern.trim()), language.trim()),
        None => (None, part.trim()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_pattern_counts_and_then_the_language_for_all() {
        for (order, path, expected) in [
            ("java", "a/b.txt", Some("java")),
            ("*.txt=fortran", "a/b.txt", Some("fortran")),
            ("*.txt=fortran", "a/b.f90", None),
            ("*.txt = fortran , java", "b.txt", Some("fortran")),
            ("*.txt=fortran,java", "b.m", Some("java")),
            ("java,*.txt=fortran", "b.txt", Some("fortran")),
            ("a*.txt=c,*.txt=r", "x/ab.txt", Some("c")),
            ("a*.txt=c,*.txt=r", "a/b.txt", Some("r")),
            ("lab1/*=c", "lab1/x", Some("c")),
            ("ada/**=c", "lab1/x", Some("c")),
            ("bo/**=c", "lab1/x", None),
        ] {
            assert_eq!(ordered_for(order, "ada", path), expected, "{order} for {path}");
        }
        assert_eq!(ordered_for_all("*.txt=words,chars"), Some("chars"));
        assert_eq!(ordered_for_all("*.txt=words"), None);
    }

    #[test]
    fn a_wrong_order_is_an_error_that_names_the_fault() {
        let error = |order: &str| match Registry::prose().check_order(order) {
            Ok(()) => String::new(),
            Err(error) => error.to_string(),
        };
        assert_eq!(error("*.txt=words,chars"), "");
        assert!(error("*.txt=").contains("no language in `*.txt=`"));
        assert!(error("=words").contains("a pattern is empty"));
        assert!(error("*.txt=wrds").contains("did you mean `words`?"));
        assert!(error("words,chars").contains("two languages for all files"));
    }
}

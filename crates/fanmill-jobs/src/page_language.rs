//! The language in which a report's page begins.

use fanmill_report::LANGUAGES;
use fanmill_text::{Error, Result, Setting, message};

/// The name of the reader's browser's own choice.
const AUTO: &str = "auto";

/// Returns the tag of the language that a page begins in; `None` if the reader's browser chooses.
///
/// # Errors
/// If the page has no words in this language.
pub fn checked(language: Option<&str>) -> Result<Option<String>> {
    match language {
        None | Some(AUTO) => Ok(None),
        Some(tag) if LANGUAGES.contains(&tag) => Ok(Some(tag.to_owned())),
        Some(tag) => Err(Error::setting(message![
            Setting("language"),
            (
                " `{}` is not a language of the page; give {}, or {AUTO} for that of the reader's browser",
                tag.escape_default(),
                LANGUAGES.join(", ")
            )
        ])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_languages_that_the_page_has_are_taken() {
        assert_eq!(checked(Some("de")).unwrap().as_deref(), Some("de"));
        assert_eq!(checked(Some("auto")).unwrap(), None);
        assert_eq!(checked(None).unwrap(), None);
        let error = checked(Some("fr\n")).unwrap_err().to_string();
        assert!(error.contains("`fr\\n` is not a language of the page; give de, en"), "{error}");
    }
}

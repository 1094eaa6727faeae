//! Names in requests: of accounts, courses, tokens and people.

use std::borrow::Cow;
use std::ops::Deref;

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// Maximum length of a name; LTI allows as much for the ids of deployments.
const MAX_CHARACTERS: usize = 255;

/// A text of 1 to [`MAX_CHARACTERS`] characters, without blanks at its ends and without control characters.
#[derive(Debug, Clone)]
pub(crate) struct Name(String);

impl Name {
    /// Removes blanks at the ends of a text, and checks the rest.
    ///
    /// # Errors
    /// If nothing is left, more than [`MAX_CHARACTERS`] characters are, or a control character is.
    pub(crate) fn new(text: &str) -> Result<Name, String> {
        let text = text.trim();
        if text.is_empty()
            || text.chars().count() > MAX_CHARACTERS
            || text.chars().any(char::is_control)
        {
            return Err(format!(
                "a name has 1 to {MAX_CHARACTERS} characters, and no control characters"
            ));
        }
        Ok(Name(text.to_owned()))
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<Name> for String {
    fn from(text: Name) -> String {
        text.0
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Name::new(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl PartialSchema for Name {
    fn schema() -> RefOr<Schema> {
        let schema = ObjectBuilder::new()
            .schema_type(Type::String)
            .min_length(Some(1))
            .max_length(Some(MAX_CHARACTERS))
            // No control characters, and one character at least that is no blank.
            .pattern(Some("^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$"));
        RefOr::T(Schema::Object(schema.build()))
    }
}

impl ToSchema for Name {
    fn name() -> Cow<'static, str> {
        "Name".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_texts_within_the_bounds_are_taken() {
        let taken = |text: &str| Name::new(text).map(String::from);
        assert_eq!(taken(" äöü\n"), Ok("äöü".to_owned()));
        assert!(taken(&"ä".repeat(255)).is_ok());
        for text in ["", " \t", "a\u{7}b", "a\nb", &"a".repeat(256)] {
            assert!(taken(text).is_err(), "{text:?}");
        }
    }
}

//! Settings of jobs from keyword arguments: the types that the config file and the service read, too.

use fanmill::{Error, Result};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The settings that JSON says; names may have underscores for hyphens.
///
/// # Errors
/// If there is no such setting, or it has no such value.
pub(crate) fn read<T: DeserializeOwned>(json: &str) -> Result<T> {
    let given: Map<String, Value> =
        serde_json::from_str(json).map_err(|error| Error::setting(error.to_string()))?;
    let named = hyphened(given);
    serde_json::from_value(Value::Object(named.clone())).map_err(|error| {
        // Which of them it is, is not said: the one that cannot be read by itself either.
        let is_wrong = |(name, value): &(&String, &Value)| {
            let alone = Map::from_iter([((*name).clone(), (*value).clone())]);
            serde_json::from_value::<T>(Value::Object(alone)).is_err()
        };
        let wrong = named.iter().find(is_wrong).map(|(name, _)| format!("the setting `{name}`: "));
        Error::setting(format!("{}{error}", wrong.unwrap_or_default()))
    })
}

/// The same with hyphens in names, those of nested settings included.
fn hyphened(given: Map<String, Value>) -> Map<String, Value> {
    let named = given.into_iter().map(|(name, value)| {
        let value = match value {
            Value::Object(inner) => Value::Object(hyphened(inner)),
            value => value,
        };
        (name.replace('_', "-"), value)
    });
    named.collect()
}

/// The value of a setting that is a word.
///
/// # Errors
/// If it is none of those that there are.
pub(crate) fn word<T: DeserializeOwned>(name: &str, word: &str) -> Result<T> {
    serde_json::from_value(Value::String(word.to_owned()))
        .map_err(|error| Error::setting(format!("the setting `{name}`: {error}")))
}

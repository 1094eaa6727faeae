//! Settings of jobs from keyword arguments, which come as JSON.

use fanmill_jobs::given::SettingsLayer;
use fanmill_text::message;
use fanmill_text::{Error, Result, Setting};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Fills the settings of a job.
///
/// # Errors
/// If there is no such setting, or a value is not valid for its setting.
pub(crate) fn read<T: Default + Serialize + DeserializeOwned>(json: &str) -> Result<T> {
    let (mut given, mut settings) = (SettingsLayer::from_json(json)?, T::default());
    given.fill(&mut settings)?;
    given.finish()?;
    Ok(settings)
}

/// Fills the settings and the inputs of a job.
///
/// # Errors
/// As [`read`].
pub(crate) fn read_both<T, U>(json: &str) -> Result<(T, U)>
where
    T: Default + Serialize + DeserializeOwned,
    U: Default + Serialize + DeserializeOwned,
{
    Ok(SettingsLayer::from_json(json)?.fill_both()?)
}

/// Reads the value of a setting that is a word.
///
/// # Errors
/// If it is not a known value.
pub(crate) fn word<T: DeserializeOwned>(name: &'static str, word: &str) -> Result<T> {
    serde_json::from_value(Value::String(word.to_owned()))
        .map_err(|error| Error::setting(message![Setting(name), ": {error}"]))
}

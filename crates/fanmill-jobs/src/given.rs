//! Settings as a front end received them: names and values, which fill the settings of a job.
//!
//! The command line, a config file, Python's keyword arguments, a request to the service and the page in a browser fill
//! the same types by the same names, and all of them do so here. Names are those of the types' serde form, with
//! underscores in place of hyphens in languages that allow no hyphens.
//!
//! Several of them form layers: the presets, then the config file, then the settings given by hand. A later layer takes
//! precedence as a whole: a threshold that it gives for all kinds of text replaces those that earlier layers gave for
//! single kinds. Within a layer, a value for one kind takes precedence over the value for all kinds
//! ([`Fingerprinting`](fanmill::pipeline::Fingerprinting)).

use fanmill_text::message;
use fanmill_text::message::Message;
use std::fmt;

use fanmill_text::{Error, Result, near};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Names and values of settings, as one front end received them.
///
/// ```
/// use fanmill_jobs::compare::{Inputs, Settings};
/// use fanmill_jobs::given::SettingsLayer;
///
/// let (mut settings, mut inputs) = (Settings::default(), Inputs::default());
/// let mut given = SettingsLayer::from_json(r#"{"max_pairs": 100, "max_file_bytes": "1MiB"}"#)?;
/// given.fill(&mut settings)?;
/// given.fill(&mut inputs)?;
/// given.finish()?;
/// assert_eq!((settings.max_pairs, inputs.limits.file_bytes), (100, 1 << 20));
/// # Ok::<(), fanmill_text::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SettingsLayer {
    values: Map<String, Value>,
    /// Names of all settings that were asked for, for the message about an unknown one.
    known: Vec<String>,
}

/// A setting that cannot be used, and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The setting's name, with its table if it is in one: `code.noise`.
    pub name: String,
    /// The reason.
    pub why: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for Fault {}

impl Fault {
    /// Returns the message. The setting, or its table, is a part of it, unless it has no valid name.
    pub fn message(&self) -> Message {
        if let Some((table, own)) = self.name.split_once('.') {
            message![Message::from_setting(table.to_owned()), (": `{own}`: {}", self.why)]
        } else {
            message![Message::from_setting(self.name.clone()), (": {}", self.why)]
        }
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Error {
        Error::setting(fault.message())
    }
}

impl SettingsLayer {
    /// Takes the names and values of a JSON object.
    ///
    /// # Errors
    /// If the text is not a JSON object.
    pub fn from_json(text: &str) -> Result<SettingsLayer> {
        let values: Map<String, Value> = serde_json::from_str(text)
            .map_err(|error| Error::setting(format!("the settings cannot be read: {error}")))?;
        Ok(SettingsLayer::from_map(values))
    }

    /// Takes names and values; `null` means that a setting is not given.
    pub fn from_map(values: Map<String, Value>) -> SettingsLayer {
        SettingsLayer { values: hyphened(values), known: Vec::new() }
    }

    /// Takes the fields of a type that serde can write, such as the arguments of a command. Fields that are `None`,
    /// `false` or an empty list count as not given.
    pub fn from_fields(fields: &impl Serialize) -> SettingsLayer {
        let is_given = |value: &Value| match value {
            Value::Null | Value::Bool(false) => false,
            Value::Array(items) => !items.is_empty(),
            _ => true,
        };
        match serde_json::to_value(fields) {
            Ok(Value::Object(fields)) => SettingsLayer::from_map(
                fields.into_iter().filter(|(_, value)| is_given(value)).collect(),
            ),
            _ => SettingsLayer::default(),
        }
    }

    /// Checks that all settings that were given are allowed.
    ///
    /// # Errors
    /// If one is not.
    pub fn allow(&self, may: impl Fn(&str) -> bool) -> std::result::Result<(), Fault> {
        match self.values.keys().find(|name| !may(name)) {
            Some(name) => {
                let why = "it cannot be chosen here; leave it out".to_owned();
                Err(Fault { name: name.clone(), why })
            }
            None => Ok(()),
        }
    }

    /// Sets those fields of `settings` that were given.
    ///
    /// # Errors
    /// If a value is not valid for its setting, or if the settings already have a path that is not UTF-8; so paths must
    /// be set last. The settings are then unchanged.
    pub fn fill<T: Serialize + DeserializeOwned>(
        &mut self,
        settings: &mut T,
    ) -> std::result::Result<(), Fault> {
        let mut table = match serde_json::to_value(&*settings) {
            Ok(Value::Object(table)) => table,
            Ok(_) => Map::new(),
            Err(error) => return Err(Fault { name: "paths".to_owned(), why: error.to_string() }),
        };
        self.known.extend(table.keys().cloned());
        let (own, others) = std::mem::take(&mut self.values)
            .into_iter()
            .partition(|(name, _)| table.contains_key(name));
        self.values = others;
        let own: Map<String, Value> = own;
        for name in own.keys() {
            forget_in_tables(&mut table, name);
        }
        let mut filled = None;
        for (name, value) in own {
            // One at a time, so that we know the name of a value that cannot be read.
            for (path, value) in leaves(&name, value) {
                put(&mut table, &path, value)?;
                let read = serde_json::from_value(Value::Object(table.clone()));
                filled = Some(read.map_err(|error| Fault { name: path, why: in_words(&error) })?);
            }
        }
        if let Some(filled) = filled {
            *settings = filled;
        }
        Ok(())
    }

    /// Fills the settings and the inputs of a job, and ends the filling.
    ///
    /// # Errors
    /// As [`fill`](SettingsLayer::fill) and [`finish`](SettingsLayer::finish).
    pub fn fill_both<T, U>(mut self) -> std::result::Result<(T, U), Fault>
    where
        T: Default + Serialize + DeserializeOwned,
        U: Default + Serialize + DeserializeOwned,
    {
        let (mut settings, mut inputs) = (T::default(), U::default());
        self.fill(&mut settings)?;
        self.fill(&mut inputs)?;
        self.finish()?;
        Ok((settings, inputs))
    }

    /// Ends the filling.
    ///
    /// # Errors
    /// If a name is left that no filled type has.
    pub fn finish(self) -> std::result::Result<(), Fault> {
        let unknown = self.values.into_iter().next();
        unknown.map_or(Ok(()), |(name, _)| Err(unknown_name(name, &self.known)))
    }
}

/// Lists the names of the settings that a type has.
pub fn names(settings: &impl Serialize) -> Vec<String> {
    match serde_json::to_value(settings) {
        Ok(Value::Object(table)) => table.into_iter().map(|(name, _)| name).collect(),
        _ => Vec::new(),
    }
}

/// Returns the values of a setting with their names; of a table, one for each of its entries.
fn leaves(name: &str, value: Value) -> Vec<(String, Value)> {
    match value {
        Value::Object(inner) => {
            inner.into_iter().map(|(own, value)| (format!("{name}.{own}"), value)).collect()
        }
        value => vec![(name.to_owned(), value)],
    }
}

/// Puts a value into the place that its name gives.
fn put(table: &mut Map<String, Value>, path: &str, value: Value) -> std::result::Result<(), Fault> {
    let Some((outer, name)) = path.split_once('.') else {
        table.insert(path.to_owned(), value);
        return Ok(());
    };
    match table.get_mut(outer) {
        Some(Value::Object(inner)) if inner.contains_key(name) => {
            inner.insert(name.to_owned(), value);
            Ok(())
        }
        Some(Value::Object(inner)) => {
            let known: Vec<String> = inner.keys().cloned().collect();
            Err(unknown_name(path.to_owned(), &known))
        }
        _ => {
            Err(Fault { name: outer.to_owned(), why: "it is a value, and not a table".to_owned() })
        }
    }
}

/// Clears a setting of single kinds of text, so that they follow the value that is now given for all kinds.
fn forget_in_tables(table: &mut Map<String, Value>, name: &str) {
    for inner in table.values_mut().filter_map(Value::as_object_mut) {
        if let Some(value) = inner.get_mut(name) {
            *value = Value::Null;
        }
    }
}

fn unknown_name(name: String, known: &[String]) -> Fault {
    let why =
        format!("there is no such setting; {}", hint(&name, known.iter().map(String::as_str)));
    Fault { name, why }
}

/// Returns a hint at the setting that was meant, or else the names of all.
pub(crate) fn hint<'a>(given: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let own = given.rsplit('.').next().unwrap_or(given);
    if let Some(name) = near::nearest(own, known.clone()) {
        return format!("did you mean `{name}`?");
    }
    let known: Vec<String> = known.map(|name| format!("`{name}`")).collect();
    format!("there are {}", known.join(", "))
}

/// Explains in plain words why serde could not read a value.
fn in_words(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.strip_suffix("expected u32").or_else(|| text.strip_suffix("expected usize")) {
        Some(start) => format!("{start}expected a whole number from 0 up"),
        None => text,
    }
}

/// Replaces underscores in all names by hyphens, in inner tables too, and drops values that are null.
fn hyphened(values: Map<String, Value>) -> Map<String, Value> {
    let named = values.into_iter().map(|(name, value)| {
        let value = match value {
            Value::Object(inner) => Value::Object(hyphened(inner)),
            value => value,
        };
        (name.replace('_', "-"), value)
    });
    named.filter(|(_, value)| !value.is_null()).collect()
}

#[cfg(test)]
mod tests {
    use fanmill::pipeline::Config;

    use super::*;

    fn given(json: &str) -> SettingsLayer {
        SettingsLayer::from_json(json).expect("an object")
    }

    #[test]
    fn a_later_layer_takes_precedence_and_the_rest_stays() {
        let mut config = Config::standard();
        given(r#"{"noise": 8, "max-pairs": 7, "code": {"noise": 9, "guarantee": 30}}"#)
            .fill(&mut config)
            .expect("fine");
        assert_eq!(config.fingerprints.code.noise, Some(9));
        given(r#"{"noise": 10}"#).fill(&mut config).expect("fine");
        let own = config.fingerprints.code;
        assert_eq!(
            (config.fingerprints.noise, own.noise, own.guarantee),
            (Some(10), None, Some(30))
        );
        assert_eq!(config.max_pairs, 7);
    }

    #[test]
    fn within_a_layer_a_kind_of_text_takes_precedence() {
        let mut config = Config::standard();
        given(r#"{"code": {"noise": 9}, "noise": 8}"#).fill(&mut config).expect("fine");
        assert_eq!((config.fingerprints.noise, config.fingerprints.code.noise), (Some(8), Some(9)));
    }

    #[test]
    fn underscores_are_hyphens_and_null_is_nothing() {
        let mut config = Config::standard();
        let mut layer = given(r#"{"max_pairs": 3, "min_score": null}"#);
        layer.fill(&mut config).expect("fine");
        layer.finish().expect("nothing is left");
        assert_eq!((config.max_pairs, config.min_score), (3, 0.0));
    }

    #[test]
    fn what_is_wrong_is_named_and_changes_nothing() {
        for (json, name, why) in [
            (r#"{"max-pairs": "x"}"#, "max-pairs", "expected a whole number from 0 up"),
            (r#"{"max-pairs": 5, "min-score": 60}"#, "min-score", "60 is not a score"),
            (r#"{"code": {"nois": 8}}"#, "code.nois", "did you mean `noise`?"),
            (r#"{"code": {"select": "all"}}"#, "code.select", "there are `guarantee`, `noise`"),
            (r#"{"code": {"noise": -8}}"#, "code.noise", "expected a whole number from 0 up"),
        ] {
            let mut config = Config::standard();
            let fault = given(json).fill(&mut config).expect_err(json);
            assert_eq!(fault.name, name);
            assert!(fault.why.contains(why), "{fault}");
            assert_eq!(config, Config::standard());
        }
        let mut layer = given(r#"{"max-pears": 5}"#);
        layer.fill(&mut Config::standard()).expect("not its own");
        let fault = layer.finish().expect_err("unknown");
        assert!(fault.why.contains("`max-pairs`"), "{fault}");
    }
}

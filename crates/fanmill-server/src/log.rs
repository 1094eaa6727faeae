//! What happens, one line each: requests and comparisons. Never contents, names, secrets or paths that hold one.

use serde_json::{Map, Value};

use crate::store::{now, rfc3339};

/// Where lines go, and how they are written.
#[derive(Debug, Clone, Copy, Default)]
pub enum Log {
    /// Nothing is logged.
    #[default]
    Off,
    /// `key=value`, separated by blanks.
    Text(fn(&str)),
    /// An object of JSON a line.
    Json(fn(&str)),
}

impl Log {
    /// Writes a line: when, what, and what belongs to it.
    pub(crate) fn say<const N: usize>(self, event: &str, fields: [(&'static str, Value); N]) {
        let head = [("time", rfc3339(now()).into()), ("event", event.into())];
        let all = head.into_iter().chain(fields).filter(|(_, value)| !value.is_null());
        match self {
            Log::Off => {}
            Log::Text(write) => {
                let words: Vec<String> =
                    all.map(|(key, value)| format!("{key}={}", word(&value))).collect();
                write(&words.join(" "));
            }
            Log::Json(write) => {
                let object: Map<String, Value> =
                    all.map(|(key, value)| (key.to_owned(), value)).collect();
                write(&Value::Object(object).to_string());
            }
        }
    }
}

/// A value as a word; in quotes if it would be several.
fn word(value: &Value) -> String {
    let is_plain = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_graphic() && c != '"' && c != '=')
    };
    match value {
        Value::String(text) if is_plain(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::word;

    #[test]
    fn a_word_cannot_be_two() {
        assert_eq!(word(&json!("done")), "done");
        assert_eq!(word(&json!("a b=c\nevent=x")), "\"a b=c\\nevent=x\"");
        assert_eq!(word(&json!(7)), "7");
    }
}

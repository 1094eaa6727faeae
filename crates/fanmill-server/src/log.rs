//! The log: one line for each event, such as a request or a comparison. It never has contents, names, secrets or paths
//! that hold one.

use serde_json::{Map, Value};

use crate::store::{now, rfc3339};

/// The destination of log lines, and their format.
#[derive(Debug, Clone, Copy, Default)]
pub enum Log {
    /// Nothing is logged.
    #[default]
    Off,
    /// `key=value`, separated by blanks.
    Text(fn(&str)),
    /// One JSON object per line.
    Json(fn(&str)),
}

impl Log {
    /// Writes a line: the time, the event and its fields, without those that are null.
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

/// Writes a value as one word, in quotes if it would be several.
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

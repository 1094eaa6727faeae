//! Messages for people, in which settings and tasks are names rather than words.
//!
//! A [`Message`] consists of words and of names of settings and tasks. A front end puts it into its own words with a
//! [`Vocabulary`], where a setting is a flag, a keyword argument or a field. Reports and logs have readers of every
//! front end, so they use general words: ``the setting `noise` ``.
//!
//! Parts are added one after another, by [`message!`](crate::message!) or [`Message::push`], and each knows whether it
//! is a name. No text is searched for names, so a file called ``the setting `noise` `` remains a file name.

use std::borrow::{Borrow, Cow};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, Range};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::setting::{Setting, Task};

/// A sentence or part of one, in which settings and tasks appear by name.
///
/// As a `str`, by `Display` and in JSON it has its general words. Comparisons use these, too.
///
/// ```
/// use fanmill_text::message;
/// use fanmill_text::message::Vocabulary;
/// use fanmill_text::setting::{Setting, Task};
///
/// struct Form;
///
/// impl Vocabulary for Form {
///     fn setting(&self, name: &str) -> String {
///         format!("the field “{name}”")
///     }
///
///     fn task(&self, name: &str) -> String {
///         format!("the button “{name}”")
///     }
/// }
///
/// let limit = 25;
/// let message = message!["10 is below {limit}; raise ", Setting("guarantee")];
/// assert_eq!(*message, *"10 is below 25; raise the setting `guarantee`");
/// assert_eq!(message.say(&Form), "10 is below 25; raise the field “guarantee”");
/// assert_eq!(message.settings().collect::<Vec<_>>(), ["guarantee"]);
/// let message = message!["not a key; ", Task("sift-keygen"), " makes one"];
/// assert_eq!(message.say(&Form), "not a key; the button “sift-keygen” makes one");
/// ```
#[derive(Clone, Default)]
pub struct Message {
    /// All parts in general words.
    text: String,
    /// Parts that are names, in the order of the text.
    names: Vec<Name>,
}

/// A part of a message that is a name.
#[derive(Debug, Clone)]
struct Name {
    /// Byte range in the text of its general words.
    at: Range<usize>,
    kind: NameKind,
    text: Cow<'static, str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NameKind {
    Setting,
    Task,
}

/// A part of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'a> {
    /// Words, the same in all front ends; never empty.
    Words(&'a str),
    /// The name of a setting.
    Setting(&'a str),
    /// The name of a task.
    Task(&'a str),
}

/// A front end's words for settings and tasks.
pub trait Vocabulary {
    /// Returns the words for the setting called `name` ([`is_name`]). It need not exist: someone may have misspelt it.
    fn setting(&self, name: &str) -> String;

    /// Returns the words for the task called `name`.
    fn task(&self, name: &str) -> String;
}

/// Makes a [`Message`](crate::message::Message) from parts.
///
/// A string literal is formatted, and may name variables in braces; with other values, write it in parentheses:
/// `("at most {}", limit())`. Every other part is an expression of a type that converts into a message:
/// [`Setting`](crate::setting::Setting), [`Task`](crate::setting::Task), another message, an [`Error`](crate::Error), a
/// text or a whole number. Such parts keep their names, which formatting would lose.
#[macro_export]
macro_rules! message {
    (@to $message:ident;) => {};
    (@to $message:ident; $words:literal $(, $($rest:tt)*)?) => {
        $message.push(::core::format_args!($words));
        $crate::message!(@to $message; $($($rest)*)?);
    };
    (@to $message:ident; ($words:literal, $($values:tt)*) $(, $($rest:tt)*)?) => {
        $message.push(::core::format_args!($words, $($values)*));
        $crate::message!(@to $message; $($($rest)*)?);
    };
    (@to $message:ident; $part:expr $(, $($rest:tt)*)?) => {
        $message.push($part);
        $crate::message!(@to $message; $($($rest)*)?);
    };
    ($($parts:tt)+) => {{
        let mut message = $crate::message::Message::default();
        $crate::message!(@to message; $($parts)+);
        message
    }};
}

impl Message {
    /// Returns a message of one setting, for a name that is known only at run time. A text that is not a name
    /// ([`is_name`]), such as that of a setting in a table, becomes words.
    pub fn from_setting(name: impl Into<Cow<'static, str>>) -> Message {
        Message::from_name(NameKind::Setting, name.into())
    }

    /// Returns a message of one task; the name is treated as in [`Message::from_setting`].
    pub fn from_task(name: impl Into<Cow<'static, str>>) -> Message {
        Message::from_name(NameKind::Task, name.into())
    }

    fn from_name(kind: NameKind, name: Cow<'static, str>) -> Message {
        let mut message = Message::default();
        message.push_name(kind, name);
        message
    }

    /// Appends another message, with its names.
    pub fn push(&mut self, part: impl Into<Message>) {
        let Message { text, names } = part.into();
        if self.text.is_empty() {
            *self = Message { text, names };
            return;
        }
        let start = self.text.len();
        self.text.push_str(&text);
        self.names.extend(names.into_iter().map(|name| {
            let at = start + name.at.start..start + name.at.end;
            Name { at, ..name }
        }));
    }

    fn push_name(&mut self, kind: NameKind, name: Cow<'static, str>) {
        let start = self.text.len();
        let what = match kind {
            NameKind::Setting => "setting",
            NameKind::Task => "task",
        };
        self.text.extend(["the ", what, " `", &name, "`"]);
        if is_name(&name) {
            self.names.push(Name { at: start..self.text.len(), kind, text: name });
        }
    }

    /// Returns the general words, in which a setting is ``the setting `noise` ``.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the parts in order.
    pub fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        let starts = std::iter::once(0).chain(self.names.iter().map(|name| name.at.end));
        let names = self.names.iter().map(Some).chain([None]);
        let both = starts.zip(names).flat_map(|(start, name)| {
            let end = name.map_or(self.text.len(), |name| name.at.start);
            let words = Some(&self.text[start..end]).filter(|words| !words.is_empty());
            [words.map(Part::Words), name.map(Name::part)]
        });
        both.flatten()
    }

    /// Returns the names of the settings in the message, in the order of the text.
    pub fn settings(&self) -> impl Iterator<Item = &str> {
        let settings = self.names.iter().filter(|name| name.kind == NameKind::Setting);
        settings.map(|name| &*name.text)
    }

    /// Returns the message in the words of a front end.
    pub fn say(&self, vocabulary: &impl Vocabulary) -> String {
        let mut said = String::with_capacity(self.text.len());
        for part in self.parts() {
            match part {
                Part::Words(words) => said.push_str(words),
                Part::Setting(name) => said.push_str(&vocabulary.setting(name)),
                Part::Task(name) => said.push_str(&vocabulary.task(name)),
            }
        }
        said
    }

    /// Appends the parts to `out` in the form that [`Message::read`] reads.
    pub fn write(&self, out: &mut Vec<u8>) {
        for part in self.parts() {
            let (kind, text) = match part {
                Part::Words(words) => (1, words),
                Part::Setting(name) => (2, name),
                Part::Task(name) => (3, name),
            };
            out.push(kind);
            out.extend((text.len() as u64).to_le_bytes());
            out.extend(text.as_bytes());
        }
        out.push(0);
    }

    /// Reads a message that [`Message::write`] wrote, and advances `bytes` past it. Returns `None` if it is something
    /// else.
    pub fn read(bytes: &mut &[u8]) -> Option<Message> {
        let mut message = Message::default();
        loop {
            let (&kind, rest) = bytes.split_first()?;
            *bytes = rest;
            if kind == 0 {
                return Some(message);
            }
            let (length, rest) = bytes.split_first_chunk()?;
            let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
            let (text, rest) = rest.split_at_checked(length)?;
            *bytes = rest;
            let text = str::from_utf8(text).ok()?;
            match kind {
                1 => message.push(text),
                2 => message.push(Message::from_setting(text.to_owned())),
                3 => message.push(Message::from_task(text.to_owned())),
                _ => return None,
            }
        }
    }
}

/// Returns true if a text has the form of a setting's or a task's name: 1 to 64 lower-case letters, digits and hyphens.
pub fn is_name(text: &str) -> bool {
    let is_of_name = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    (1..=64).contains(&text.len()) && text.bytes().all(is_of_name)
}

impl Name {
    fn part(&self) -> Part<'_> {
        match self.kind {
            NameKind::Setting => Part::Setting(&self.text),
            NameKind::Task => Part::Task(&self.text),
        }
    }
}

impl Deref for Message {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl AsRef<str> for Message {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl Borrow<str> for Message {
    fn borrow(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.text, f)
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}

impl PartialEq for Message {
    fn eq(&self, other: &Message) -> bool {
        self.text == other.text
    }
}

impl Eq for Message {}

impl PartialEq<str> for Message {
    fn eq(&self, other: &str) -> bool {
        self.text == other
    }
}

impl PartialEq<&str> for Message {
    fn eq(&self, other: &&str) -> bool {
        self.text == *other
    }
}

impl PartialEq<String> for Message {
    fn eq(&self, other: &String) -> bool {
        self.text == *other
    }
}

impl PartialOrd for Message {
    fn partial_cmp(&self, other: &Message) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Message {
    fn cmp(&self, other: &Message) -> Ordering {
        self.text.cmp(&other.text)
    }
}

impl Hash for Message {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

/// Writes the general words.
impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

/// Reads general words; names in them are not recognised.
impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Message, D::Error> {
        String::deserialize(deserializer).map(Message::from)
    }
}

impl From<String> for Message {
    fn from(text: String) -> Message {
        Message { text, names: Vec::new() }
    }
}

impl From<Setting> for Message {
    fn from(setting: Setting) -> Message {
        Message::from_setting(setting.0)
    }
}

impl From<Task> for Message {
    fn from(task: Task) -> Message {
        Message::from_task(task.0)
    }
}

impl From<Part<'_>> for Message {
    fn from(part: Part<'_>) -> Message {
        match part {
            Part::Words(words) => Message::from(words),
            Part::Setting(name) => Message::from_setting(name.to_owned()),
            Part::Task(name) => Message::from_task(name.to_owned()),
        }
    }
}

impl From<&Message> for Message {
    fn from(message: &Message) -> Message {
        message.clone()
    }
}

impl From<fmt::Arguments<'_>> for Message {
    fn from(words: fmt::Arguments<'_>) -> Message {
        Message::from(fmt::format(words))
    }
}

/// Converts values without names through `Display`.
macro_rules! from_displayed {
    ($($type:ty),*) => {
        $(impl From<$type> for Message {
            fn from(value: $type) -> Message {
                Message::from(value.to_string())
            }
        })*
    };
}

from_displayed!(&str, &String, Cow<'_, str>, char, i32, u32, u64, usize);

impl<M: Into<Message>> FromIterator<M> for Message {
    fn from_iter<I: IntoIterator<Item = M>>(parts: I) -> Message {
        let mut message = Message::default();
        parts.into_iter().for_each(|part| message.push(part));
        message
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    struct Short;

    impl Vocabulary for Short {
        fn setting(&self, name: &str) -> String {
            format!("<{name}>")
        }

        fn task(&self, name: &str) -> String {
            format!("[{name}]")
        }
    }

    #[test]
    fn only_names_are_said_in_other_words() {
        let file = "the setting `noise`";
        let message = message!["`{file}`: raise ", Setting("max-docs"), " or ", Task("text"), "."];
        assert_eq!(
            message.as_str(),
            "`the setting `noise``: raise the setting `max-docs` or the task `text`."
        );
        assert_eq!(message.say(&Short), "`the setting `noise``: raise <max-docs> or [text].");
        assert_eq!(message.settings().collect::<Vec<_>>(), ["max-docs"]);
    }

    #[test]
    fn a_message_within_another_keeps_its_names() {
        let tokens = 3_u32;
        let inner = message![Setting("noise"), " ", tokens];
        let outer = message!["line {{}}", ": ", &inner, "; ", inner.clone()];
        assert_eq!(outer.say(&Short), "line {}: <noise> 3; <noise> 3");
    }

    #[test]
    fn what_is_no_name_is_words() {
        for name in ["code.noise", "a b", "`", "", "NOISE", &"a".repeat(65)] {
            let message = Message::from_setting(name.to_owned());
            assert_eq!(message.say(&Short), format!("the setting `{name}`"));
            assert_eq!(message.settings().count(), 0);
        }
    }

    #[test]
    fn literals_are_formatted_and_other_texts_are_not() {
        let (n, braces) = (7, "{n}");
        let message = message!["{n} {{}} ", braces, " ", ("{:02}", n)];
        assert_eq!(message, "7 {} {n} 07");
        assert!(message!["",].parts().next().is_none());
    }

    #[test]
    fn a_message_is_compared_and_stored_by_its_words() {
        let message = message!["lower ", Setting("noise")];
        let json = serde_json::to_string(&message).expect("a text");
        assert_eq!(json, "\"lower the setting `noise`\"");
        let read: Message = serde_json::from_str(&json).expect("a text");
        assert_eq!(read, message);
        assert_eq!(read.settings().count(), 0);
        assert!(message < "m".into());
    }

    /// Generates messages of a few parts.
    fn any_message() -> impl Strategy<Value = Message> {
        let part = prop_oneof![
            "[a-c`{}é]{0,4}".prop_map(Message::from),
            "[a-z0-9-]{1,4}".prop_map(Message::from_setting),
            "[a-z0-9-]{1,4}".prop_map(Message::from_task),
        ];
        proptest::collection::vec(part, 0..6).prop_map(|parts| parts.into_iter().collect())
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_with_its_parts(message in any_message()) {
            let mut bytes = Vec::new();
            message.write(&mut bytes);
            bytes.push(9);
            let mut rest = &bytes[..];
            let read = Message::read(&mut rest).expect("just written");
            prop_assert_eq!(read.parts().collect::<Vec<_>>(), message.parts().collect::<Vec<_>>());
            prop_assert_eq!(rest, [9]);
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
            let _ = Message::read(&mut &bytes[..]);
        }

        #[test]
        fn parts_make_the_message_again(message in any_message()) {
            let again: Message = message.parts().collect();
            prop_assert_eq!(again.say(&Short), message.say(&Short));
            prop_assert_eq!(again, message);
        }
    }
}

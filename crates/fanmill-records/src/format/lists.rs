//! Texts inside lists: `messages[].content` is the `content` of each element of `messages`, joined by line breaks.
//!
//! A name with `[]` goes through the elements of a list, one with a dot behind it into the objects there. A field that is a
//! list of strings is joined without `[]`, too. Elements without the member, or with null, are left out.

use super::json::{Kind, Value, elements, members};
use crate::text::Text;

/// A way from a field's value to the strings in it.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    /// Each element of a list.
    Each,
    /// The member of an object.
    Member(String),
}

/// The steps from the value of a field to the texts in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Steps(Vec<Step>);

impl Steps {
    /// Splits a name into that of the field, and the steps from there.
    pub(super) fn of(name: &str) -> (&str, Steps) {
        let Some((field, rest)) = name.split_once("[]") else { return (name, Steps::default()) };
        let mut steps = vec![Step::Each];
        let mut parts = rest.split("[]").peekable();
        while let Some(part) = parts.next() {
            let members = part.split('.').filter(|member| !member.is_empty());
            steps.extend(members.map(|member| Step::Member(member.to_owned())));
            if parts.peek().is_some() {
                steps.push(Step::Each);
            }
        }
        (field, Steps(steps))
    }

    /// Returns whether the value of the field itself is the text.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Joins the strings that the steps lead to; `None` if there are none.
    ///
    /// # Errors
    /// If a step leads to something else; the text says to what.
    pub(super) fn joined(
        &self,
        value: Value,
        line: &[u8],
    ) -> Result<Option<Text<'static>>, String> {
        let mut joined = Joined::default();
        joined.follow(&self.0, value, line)?;
        Ok(joined
            .n
            .gt(&0)
            .then(|| Text { characters: joined.text.into(), is_replaced: joined.is_replaced }))
    }
}

/// Strings that have been found.
#[derive(Debug, Default)]
struct Joined {
    text: String,
    n: usize,
    is_replaced: bool,
}

impl Joined {
    /// Follows the steps from a value. The recursion is as deep as there are steps.
    fn follow(&mut self, steps: &[Step], value: Value, line: &[u8]) -> Result<(), String> {
        match (steps.split_first(), value.kind) {
            (_, Kind::Null) => Ok(()),
            (Some((Step::Each, rest)), Kind::Array) => self.each(rest, value, line),
            // A list of strings at the end needs no name.
            (None, Kind::Array) => self.each(&[], value, line),
            (Some((Step::Member(name), rest)), Kind::Object) => {
                let mut found = None;
                let seen = members(line, value.start, |member| {
                    if *member.key == *name.as_bytes() {
                        found = Some(member.value);
                    }
                });
                seen.map_err(|fault| fault.what.to_owned())?;
                found.map_or(Ok(()), |value| self.follow(rest, value, line))
            }
            (None, Kind::String) => {
                let text = value.text(line).map_err(|fault| fault.what.to_owned())?;
                self.push(text.as_ref());
                Ok(())
            }
            (step, kind) => Err(match step {
                Some((Step::Each, _)) => format!("{} where a list should be", kind.noun()),
                Some((Step::Member(name), _)) => {
                    format!("{} where an object with `{name}` should be", kind.noun())
                }
                None => format!("{} in a list of strings", kind.noun()),
            }),
        }
    }

    fn each(&mut self, steps: &[Step], list: Value, line: &[u8]) -> Result<(), String> {
        let mut outcome = Ok(());
        let crossed = elements(line, list.start, |value| {
            if outcome.is_ok() {
                outcome = match (steps, value.kind) {
                    // Lists in a list of strings have no end to their depth.
                    ([], Kind::Array) => Err("a list in a list of strings".to_owned()),
                    _ => self.follow(steps, value, line),
                };
            }
        });
        crossed.map_err(|fault| fault.what.to_owned())?;
        outcome
    }

    fn push(&mut self, text: Option<&Text<'_>>) {
        let Some(text) = text else { return };
        if self.n > 0 {
            self.text.push('\n');
        }
        self.n += 1;
        self.text.push_str(&text.characters);
        self.is_replaced |= text.is_replaced;
    }
}

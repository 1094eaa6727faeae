//! Texts inside lists: `messages[].content` is the `content` of each element of `messages`, joined by [`JOINT`].
//!
//! A name with `[]` goes through the elements of a list, one with a dot behind it into the objects there. A field that is a
//! list of strings is joined without `[]`, too. Elements without the member, or with null, are left out.

use fanmill_text::frontend::JOINT;

use super::json::{Kind, Value, elements, members};
use crate::text::Text;

/// A value of a record, in whatever format.
pub(super) trait Node<'a>: Copy {
    /// Returns its kind.
    fn kind(self) -> Kind;

    /// Calls `visit` with each element of a list.
    ///
    /// # Errors
    /// If the list cannot be crossed.
    fn each(self, visit: &mut dyn FnMut(Self)) -> Result<(), String>;

    /// Returns the member of an object, if it has one of that name.
    ///
    /// # Errors
    /// If the object cannot be crossed.
    fn member(self, name: &str) -> Result<Option<Self>, String>;

    /// Returns the content of a string.
    ///
    /// # Errors
    /// If it cannot be read.
    fn text(self) -> Result<Option<Text<'a>>, String>;
}

/// A value in a line of JSON.
#[derive(Debug, Clone, Copy)]
struct JsonNode<'a> {
    value: Value,
    line: &'a [u8],
}

impl<'a> Node<'a> for JsonNode<'a> {
    fn kind(self) -> Kind {
        self.value.kind
    }

    fn each(self, visit: &mut dyn FnMut(Self)) -> Result<(), String> {
        let JsonNode { value, line } = self;
        elements(line, value.start, |value| visit(JsonNode { value, line }))
            .map_err(|fault| fault.what.to_owned())?;
        Ok(())
    }

    fn member(self, name: &str) -> Result<Option<Self>, String> {
        let JsonNode { value, line } = self;
        let mut found = None;
        let seen = members(line, value.start, |member| {
            if *member.key == *name.as_bytes() {
                found = Some(JsonNode { value: member.value, line });
            }
        });
        seen.map(|_| found).map_err(|fault| fault.what.to_owned())
    }

    fn text(self) -> Result<Option<Text<'a>>, String> {
        self.value.text(self.line).map_err(|fault| fault.what.to_owned())
    }
}

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
    pub(super) fn from_name(name: &str) -> (&str, Steps) {
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

    /// Returns the names of the members that the steps go through.
    pub(super) fn members(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|step| match step {
            Step::Member(name) => Some(&**name),
            Step::Each => None,
        })
    }

    /// Joins the strings in a line of JSON that the steps lead to; `None` if there are none.
    ///
    /// # Errors
    /// If a step leads to something else; the text says to what.
    pub(super) fn joined(
        &self,
        value: Value,
        line: &[u8],
    ) -> Result<Option<Text<'static>>, String> {
        self.joined_from(JsonNode { value, line })
    }

    /// Joins the strings that the steps lead to from a value; `None` if there are none.
    ///
    /// # Errors
    /// If a step leads to something else; the text says to what.
    pub(super) fn joined_from<'a>(
        &self,
        node: impl Node<'a>,
    ) -> Result<Option<Text<'static>>, String> {
        let mut joined = Joined::default();
        joined.follow(&self.0, node)?;
        let Joined { text, n, is_replaced } = joined;
        Ok((n > 0).then(|| Text { characters: text.into(), is_replaced }))
    }
}

/// Returns the sentence on a field whose value the steps cannot follow: it has `what`.
pub(super) fn astray(name: &str, what: &str) -> String {
    format!("field `{name}` has {what}; name a path such as `{name}[].content`")
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
    fn follow<'a>(&mut self, steps: &[Step], node: impl Node<'a>) -> Result<(), String> {
        match (steps.split_first(), node.kind()) {
            (_, Kind::Null) => Ok(()),
            (Some((Step::Each, rest)), Kind::Array) => self.each(rest, node),
            // A list of strings at the end needs no name.
            (None, Kind::Array) => self.each(&[], node),
            (Some((Step::Member(name), rest)), Kind::Object) => {
                node.member(name)?.map_or(Ok(()), |member| self.follow(rest, member))
            }
            (None, Kind::String) => {
                self.push(node.text()?.as_ref());
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

    fn each<'a>(&mut self, steps: &[Step], list: impl Node<'a>) -> Result<(), String> {
        let mut outcome = Ok(());
        list.each(&mut |element| {
            if outcome.is_ok() {
                outcome = match (steps, element.kind()) {
                    // Lists in a list of strings have no end to their depth.
                    ([], Kind::Array) => Err("a list in a list of strings".to_owned()),
                    _ => self.follow(steps, element),
                };
            }
        })?;
        outcome
    }

    fn push(&mut self, text: Option<&Text<'_>>) {
        let Some(text) = text else { return };
        if self.n > 0 {
            self.text.push_str(JOINT);
        }
        self.n += 1;
        self.text.push_str(&text.characters);
        self.is_replaced |= text.is_replaced;
    }
}

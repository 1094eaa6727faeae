//! What applies to one element, after the cascade.
//!
//! Cost: O(1) for each declaration.
//! Source: CSS Cascading and Inheritance Level 4, §7.

use std::rc::Rc;

use fanmill_extract::html::{Tag, attribute};

use super::length::Length;
use super::property::{Display, N_PROPERTIES, Property, Value};
use super::variables::Variables;

/// Something that a rule writes.
#[derive(Debug)]
pub(super) enum Piece {
    Text(String),
    /// The value of an attribute.
    Attribute(String),
}

impl Piece {
    /// The text that is written at an element.
    pub(super) fn text<'t>(&'t self, tag: &'t Tag) -> Option<&'t str> {
        match self {
            Piece::Text(text) => Some(text),
            Piece::Attribute(name) => attribute(tag, name),
        }
    }
}

/// What applies to one element, after the cascade.
#[derive(Debug)]
pub(super) struct Style {
    values: [Option<Value>; N_PROPERTIES],
    /// The box that its name and attributes give it.
    display: Option<Value>,
    /// What is written before or after it.
    pub(super) written: Vec<Rc<Piece>>,
    /// The custom properties that it sees.
    pub(super) variables: Variables,
}

impl Style {
    pub(super) fn new() -> Style {
        Style {
            values: [None; N_PROPERTIES],
            display: None,
            written: Vec::new(),
            variables: Variables::default(),
        }
    }

    /// Notes that everything declared so far comes from the name and the attributes.
    pub(super) fn end_hints(&mut self) {
        self.display = self.get(Property::Display);
    }

    /// The value of a property, if it is declared.
    pub(super) fn get(&self, property: Property) -> Option<Value> {
        self.values[property as usize].filter(|value| *value != Value::Unset)
    }

    pub(super) fn is(&self, property: Property) -> Option<bool> {
        if let Some(Value::Is(is)) = self.get(property) { Some(is) } else { None }
    }

    pub(super) fn share(&self, property: Property) -> Option<f32> {
        if let Some(Value::Share(share)) = self.get(property) { Some(share) } else { None }
    }

    pub(super) fn length(&self, property: Property) -> Option<Length> {
        if let Some(Value::Length(length)) = self.get(property) { Some(length) } else { None }
    }

    pub(super) fn set(&mut self, property: Property, value: Value) {
        let display = &mut self.values[Property::Display as usize];
        match (property, value) {
            (Property::All, _) => {
                self.values[..Property::All as usize].fill(Some(Value::Unset));
                let display = Value::Display(Display::Inline);
                self.set(Property::Display, if value == Value::Revert { value } else { display });
            }
            (Property::Display, Value::Revert) => *display = self.display,
            _ => self.values[property as usize] = Some(value),
        }
    }
}

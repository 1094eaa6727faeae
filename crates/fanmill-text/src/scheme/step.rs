//! Reader of one step of a scheme: a name with parameters, `bands(b=25,r=5,needed=1)`, or either of the two alone.
//!
//! A type that is a step lists its forms in a [`Grammar`], takes a text apart with [`Grammar::step`], and asks for the
//! parameters by name. Each step has one spelling: parameters in their order, numbers without signs and leading zeros.
//! Any other text is refused here, in the same words for all types.

use crate::message;
use crate::message::Message;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::shown;
use crate::error::{Error, Result};

/// All numbers that a step can have: 0 never makes sense.
pub const POSITIVE: RangeInclusive<u32> = 1..=u32::MAX;

/// The steps that a type reads.
#[derive(Debug)]
pub struct Grammar {
    /// Their name in messages: `selector`.
    pub what: &'static str,
    /// An example of each form, with usual numbers, separated by spaces: `roc(r=3) winnow`. A name may have several
    /// forms.
    pub forms: &'static str,
}

/// A step, taken apart but not yet checked.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    grammar: &'a Grammar,
    text: &'a str,
    name: &'a str,
    /// The parameters without the parentheses; `None` if there are no parameters.
    parameters: Option<&'a str>,
}

/// A parameter of a step, whose value is not yet checked.
#[derive(Debug, Clone, Copy)]
pub struct Parameter<'a> {
    step: Step<'a>,
    name: &'a str,
    value: &'a str,
}

impl Grammar {
    /// Takes a text apart. This works for any text; the methods of [`Step`] find out whether it is a step of this
    /// grammar.
    pub fn step<'a>(&'a self, text: &'a str) -> Step<'a> {
        let (name, parameters) = parts(text);
        Step { grammar: self, text, name, parameters }
    }

    /// Returns the first form with this name.
    pub fn form(&self, name: &str) -> Option<&'static str> {
        self.forms_of(name).next()
    }

    fn forms_of(&self, name: &str) -> impl Iterator<Item = &'static str> {
        self.forms.split(' ').filter(move |form| parts(form).0 == name)
    }
}

/// Splits a text into the name, empty if there are parameters alone, and the parameters.
fn parts(text: &str) -> (&str, Option<&str>) {
    match text.strip_suffix(')').and_then(|rest| rest.split_once('(')) {
        Some((name, parameters)) if !name.is_empty() => (name, Some(parameters)),
        _ if text.contains('=') => ("", Some(text)),
        _ => (text, None),
    }
}

impl<'a> Step<'a> {
    /// Returns the name; empty if there are parameters alone.
    pub fn name(&self) -> &'a str {
        self.name
    }

    fn pairs(&self) -> impl Iterator<Item = Option<(&'a str, &'a str)>> + use<'a> {
        self.parameters.into_iter().flat_map(|all| all.split(',')).map(|each| each.split_once('='))
    }

    /// Returns whether there is a parameter of this name.
    pub fn has(&self, name: &str) -> bool {
        self.pairs().flatten().any(|(each, _)| each == name)
    }

    /// Removes the last parameter if it has this name and is not the only one.
    pub fn take_last(&mut self, name: &'a str) -> Option<Parameter<'a>> {
        let (before, last) = self.parameters?.rsplit_once(',')?;
        let value = last.strip_prefix(name)?.strip_prefix('=')?;
        let parameter = Parameter { step: *self, name, value };
        self.parameters = Some(before);
        Some(parameter)
    }

    /// Returns the parameters, which must be these in this order.
    ///
    /// # Errors
    /// If there are other parameters, or the grammar does not have the step's name.
    pub fn parameters<const N: usize>(&self, names: [&'a str; N]) -> Result<[Parameter<'a>; N]> {
        let named = |(each, name): (Option<(&'a str, &'a str)>, &'a str)| {
            each.filter(|pair| pair.0 == name).map(|(_, value)| Parameter {
                step: *self,
                name,
                value,
            })
        };
        let parameters: Option<Vec<Parameter<'a>>> = self.pairs().zip(names).map(named).collect();
        let has_all = self.pairs().count() == N && self.grammar.form(self.name).is_some();
        parameters
            .filter(|_| has_all)
            .and_then(|parameters| parameters.try_into().ok())
            .ok_or_else(|| self.unknown())
    }

    /// Returns the values of the parameters; all must be numbers within the same bounds.
    ///
    /// # Errors
    /// If one is out of bounds, or the parameters are not these.
    pub fn numbers<const N: usize>(
        &self,
        names: [&'a str; N],
        bounds: RangeInclusive<u32>,
    ) -> Result<[u32; N]> {
        let mut numbers = [0; N];
        for (number, parameter) in numbers.iter_mut().zip(self.parameters(names)?) {
            *number = parameter.number(bounds.clone())?;
        }
        Ok(numbers)
    }

    /// Returns the number of a step that has no other parameter.
    ///
    /// # Errors
    /// If there are other parameters, or the number is out of bounds.
    pub fn number(&self, name: &'a str, bounds: RangeInclusive<u32>) -> Result<u32> {
        self.numbers([name], bounds).map(|[number]| number)
    }

    /// Checks that there are no parameters, and returns `meaning`.
    ///
    /// # Errors
    /// If there are parameters.
    pub fn alone<T>(&self, meaning: T) -> Result<T> {
        self.parameters([]).map(|[]| meaning)
    }

    /// Returns the error that shows the valid forms: those with the same name, otherwise all.
    pub fn unknown(&self) -> Error {
        let Grammar { what, forms } = self.grammar;
        let text = shown(self.text);
        let same: Vec<&str> = self.grammar.forms_of(self.name).collect();
        Error::setting(if same.is_empty() {
            let all: Vec<&str> = forms.split(' ').collect();
            format!("unknown {what} `{text}`; use {}", choice(&all))
        } else {
            format!("{what} `{text}` has the wrong parameters; write it like {}", choice(&same))
        })
    }
}

impl<'a> Parameter<'a> {
    /// Returns the value as a whole number.
    ///
    /// # Errors
    /// If it is out of bounds, or has a sign or leading zeros.
    pub fn number(&self, bounds: RangeInclusive<u32>) -> Result<u32> {
        let number = self.value.parse().ok().filter(|number| bounds.contains(number));
        number.filter(|number| number.to_string() == self.value).ok_or_else(|| {
            let (low, high) = (bounds.start(), bounds.end());
            let form = self.step.grammar.form(self.step.name).unwrap_or_default();
            self.error(format!(
                "{} is a whole number from {low} to {high} in plain digits, as in {form}",
                self.name
            ))
        })
    }

    /// Returns the value as a type that reads only what it writes.
    ///
    /// # Errors
    /// If it is not a value of that type.
    pub fn read<T: FromStr<Err = Error>>(&self) -> Result<T> {
        self.value.parse().map_err(|error: Error| self.error(error.message()))
    }

    /// Returns the parameter without a unit at the end of its value; `None` if the value does not end with it.
    pub fn in_units_of(&self, unit: &str) -> Option<Parameter<'a>> {
        self.value.strip_suffix(unit).map(|value| Parameter { value, ..*self })
    }

    fn error(&self, what: impl Into<Message>) -> Error {
        let (kind, step) = (self.step.grammar.what, shown(self.step.text));
        Error::setting(message!["{kind} `{step}`: ", what])
    }
}

/// Joins forms as in `a, b or c`.
fn choice(forms: &[&str]) -> String {
    match forms {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => forms.concat(),
    }
}

//! Reading one step of a scheme: a name with parameters, `bands(b=25,r=5,needed=1)`, or either of the two alone.
//!
//! A type that is a step says in a [`Grammar`] which forms it has, takes a text apart with [`Grammar::step`], and asks
//! for the parameters by name. There is one spelling of each step: parameters in their order, numbers without
//! signs and leading zeros. Whatever else a text holds is refused here, in the same words for all types.

use crate::message;
use crate::message::Message;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::shown;
use crate::error::{Error, Result};

/// Any number that a step can have: 0 never makes sense.
pub const POSITIVE: RangeInclusive<u32> = 1..=u32::MAX;

/// The steps that a type reads.
#[derive(Debug)]
pub struct Grammar {
    /// What messages call them: `selector`.
    pub what: &'static str,
    /// An example of each form, with usual numbers and a space between each two: `roc(r=3) winnow`. A name may
    /// have several forms.
    pub forms: &'static str,
}

/// A step, taken apart but not yet checked.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    grammar: &'a Grammar,
    text: &'a str,
    name: &'a str,
    /// Without the parentheses; `None` if there are none.
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
    /// Takes a text apart. Any text can be: whether it is a step of this grammar shows later.
    pub fn step<'a>(&'a self, text: &'a str) -> Step<'a> {
        let (name, parameters) = parts(text);
        Step { grammar: self, text, name, parameters }
    }

    /// The first form with this name.
    pub fn form(&self, name: &str) -> Option<&'static str> {
        self.forms_of(name).next()
    }

    fn forms_of(&self, name: &str) -> impl Iterator<Item = &'static str> {
        self.forms.split(' ').filter(move |form| parts(form).0 == name)
    }
}

/// The name, which parameters alone do not have, and the parameters.
fn parts(text: &str) -> (&str, Option<&str>) {
    match text.strip_suffix(')').and_then(|rest| rest.split_once('(')) {
        Some((name, parameters)) if !name.is_empty() => (name, Some(parameters)),
        _ if text.contains('=') => ("", Some(text)),
        _ => (text, None),
    }
}

impl<'a> Step<'a> {
    /// The name; empty if parameters stand alone.
    pub fn name(&self) -> &'a str {
        self.name
    }

    fn pairs(&self) -> impl Iterator<Item = Option<(&'a str, &'a str)>> + use<'a> {
        self.parameters.into_iter().flat_map(|all| all.split(',')).map(|each| each.split_once('='))
    }

    /// Whether there is a parameter of this name.
    pub fn has(&self, name: &str) -> bool {
        self.pairs().flatten().any(|(each, _)| each == name)
    }

    /// Removes the last parameter if it has this name and another one stands before it.
    pub fn take_last(&mut self, name: &'a str) -> Option<Parameter<'a>> {
        let (before, last) = self.parameters?.rsplit_once(',')?;
        let value = last.strip_prefix(name)?.strip_prefix('=')?;
        let parameter = Parameter { step: *self, name, value };
        self.parameters = Some(before);
        Some(parameter)
    }

    /// The parameters, which must be these in this order.
    ///
    /// # Errors
    /// If they are others, or the grammar does not have the step's name.
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

    /// The parameters, all of which must be numbers within the same bounds.
    ///
    /// # Errors
    /// If one is out of bounds, or there are others than these.
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

    /// The number of a step that has no other parameter.
    ///
    /// # Errors
    /// If it has others, or the number is out of bounds.
    pub fn number(&self, name: &'a str, bounds: RangeInclusive<u32>) -> Result<u32> {
        self.numbers([name], bounds).map(|[number]| number)
    }

    /// Checks that there are no parameters, and returns what the name stands for.
    ///
    /// # Errors
    /// If there are some.
    pub fn alone<T>(&self, meaning: T) -> Result<T> {
        self.parameters([]).map(|[]| meaning)
    }

    /// The error that says what would be a step: all forms, or those of the name if there are some.
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
    /// A whole number.
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

    /// A value of a type that reads only what it writes.
    ///
    /// # Errors
    /// If it is not one.
    pub fn read<T: FromStr<Err = Error>>(&self) -> Result<T> {
        self.value.parse().map_err(|error: Error| self.error(error.message()))
    }

    /// The parameter without a unit at the end of its value; `None` if the value does not end with it.
    pub fn in_units_of(&self, unit: &str) -> Option<Parameter<'a>> {
        self.value.strip_suffix(unit).map(|value| Parameter { value, ..*self })
    }

    fn error(&self, what: impl Into<Message>) -> Error {
        let (kind, step) = (self.step.grammar.what, shown(self.step.text));
        Error::setting(message!["{kind} `{step}`: ", what])
    }
}

/// `a, b or c`.
fn choice(forms: &[&str]) -> String {
    match forms {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => forms.concat(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::lsh::bands::Bands;
    use crate::select::{Selector, Thresholds};
    use crate::sift::family::Family;
    use crate::sift::profile::Profile;
    use crate::sift::reduce::Reduction;
    use crate::sift::thousandths::Thousandths;
    use crate::sketch::Sketch;

    const DISHES: Grammar =
        Grammar { what: "dish", forms: "soup(salt=2) pie(l=3,p=0.5) pie(whole=1) tea" };

    fn refused<T: std::fmt::Debug>(result: Result<T>) -> String {
        let error = result.expect_err("wrong");
        assert!(error.is_setting());
        error.to_string()
    }

    #[test]
    fn a_step_has_a_name_and_parameters() {
        let soup = DISHES.step("soup(salt=7)");
        assert_eq!((soup.name(), soup.number("salt", POSITIVE).expect("a number")), ("soup", 7));
        let [l, p] = DISHES.step("pie(l=3,p=0.5)").parameters(["l", "p"]).expect("both");
        assert_eq!(l.number(1..=9).expect("a number"), 3);
        assert_eq!(p.read::<Thousandths>().expect("a decimal"), Thousandths(500));
        assert_eq!(DISHES.step("tea").alone("hot").expect("alone"), "hot");
        let mut pie = DISHES.step("pie(l=3,p=0.5,n=4)");
        let n = pie.take_last("n").expect("the last");
        assert!(n.number(4..=4).is_ok() && pie.take_last("n").is_none());
        assert!(pie.parameters(["l", "p"]).is_ok() && pie.has("p") && !pie.has("n"));
    }

    #[test]
    fn what_is_wrong_is_said_with_the_way_out() {
        let all = "soup(salt=2), pie(l=3,p=0.5), pie(whole=1) or tea";
        for unknown in ["", "soap(salt=2)", "(salt=2)", "soup(salt=2", "salt=2"] {
            let error = refused(DISHES.step(unknown).parameters(["salt"]));
            assert_eq!(error, format!("unknown dish `{unknown}`; use {all}"));
        }
        for wrong in ["soup", "soup()", "soup(l=2)", "soup(salt)", "soup(salt=2,salt=2)"] {
            let error = refused(DISHES.step(wrong).number("salt", POSITIVE));
            let expected = "has the wrong parameters; write it like soup(salt=2)";
            assert_eq!(error, format!("dish `{wrong}` {expected}"));
        }
        for wrong in ["", "0", "10", "02", "+2", "-2", " 2", "2.0", "(2)", "99999999999"] {
            let text = format!("soup(salt={wrong})");
            assert_eq!(
                refused(DISHES.step(&text).number("salt", 1..=9)),
                format!(
                    "dish `{text}`: salt is a whole number from 1 to 9 in plain digits, as in soup(salt=2)"
                )
            );
        }
        let pie = DISHES.step("pie(l=3)");
        let error = refused(pie.parameters(["l", "p"]));
        assert!(error.ends_with("write it like pie(l=3,p=0.5) or pie(whole=1)"), "{error}");
        assert!(refused(DISHES.step("tea(l=3)").alone(())).contains("wrong parameters"));
        let [p] = DISHES.step("pie(whole=.5)").parameters(["whole"]).expect("it");
        let error = refused(p.read::<Thousandths>());
        assert!(error.starts_with("dish `pie(whole=.5)`: `.5` is not a decimal"), "{error}");
    }

    #[test]
    fn a_long_text_is_not_shown_whole() {
        assert!(refused(DISHES.step(&"é".repeat(99_999)).alone(())).len() < 400);
    }

    /// Reads a text as every type that is a step. What is read is written the same, but for a selector's bare name.
    fn read_by_all(text: &str) -> usize {
        fn read<T: FromStr<Err = Error> + ToString>(text: &str) -> usize {
            match text.parse::<T>() {
                Ok(step) => {
                    let written = step.to_string();
                    assert!(written == text || written.starts_with(&format!("{text}(")), "{text}");
                    1
                }
                Err(error) => {
                    assert!(error.is_setting() && !error.to_string().is_empty());
                    0
                }
            }
        }
        read::<Selector>(text)
            + read::<Thresholds>(text)
            + read::<Sketch>(text)
            + read::<Bands>(text)
            + read::<Reduction>(text)
            + read::<Family>(text)
            + read::<Profile>(text)
    }

    fn steps() -> impl Strategy<Value = String> {
        let with =
            |name: &'static str, most: u32| (1..=most).prop_map(move |n| format!("{name}{n})"));
        let decimal = |most: u32| (20..=most).prop_map(|n| Thousandths(n).to_string());
        let family = prop_oneof![
            (1_u32..=64).prop_map(|l| format!("slide(l={l}")),
            (1_u32..=64, decimal(1000)).prop_map(|(l, p)| format!("skip(l={l},p={p}")),
            (1_u32..=64, decimal(1000)).prop_map(|(l, p)| format!("space(l={l},p={p}")),
            (decimal(500), decimal(500)).prop_map(|(a, s)| format!("skip(add={a},stop={s}")),
        ];
        let family = (family, 1_u32..=16).prop_map(|(family, parts)| match parts {
            1 => format!("{family})"),
            _ => format!("{family},b={parts})"),
        });
        prop_oneof![
            prop::sample::select(vec!["winnow", "robust", "all"]).prop_map(str::to_owned),
            with("roc(r=", u32::MAX),
            with("safe-mod(p=", u32::MAX),
            with("smallest(n=", u32::MAX),
            with("fss(t=", 200),
            with("lead(t=", 200),
            with("bottom(t=", u32::MAX),
            with("pow2(n=", u32::MAX),
            with("min(m=", u32::MAX),
            with("whole(n=", 10_000),
            decimal(1000).prop_map(|share| format!("min(m={share}n)")),
            decimal(1_000_000).prop_map(|times| format!("min(m={times}sqrt)")),
            (1_u32..9, 1_u32..9).prop_map(|(s, r)| format!("classic(k=9,s={s},r={r})")),
            (1_u32..9, 1_u32..9).prop_map(|(s, r)| format!("bytes(s={s},r={r})")),
            (1_u32..9, 1_u32..9)
                .prop_map(|(r, needed)| format!("bands(b=9,r={r},needed={needed})")),
            (1_u32..999, 999_u32..99_999).prop_map(|(k, t)| format!("k={k},t={t}")),
            family,
        ]
    }

    proptest! {
        #[test]
        fn every_type_reads_what_it_writes(text in steps()) {
            prop_assert_eq!(read_by_all(&text), 1, "{}", text);
        }

        /// A character removed, added or replaced, or two texts joined in the middle: read back the same, or refused.
        #[test]
        fn a_changed_step_is_read_back_the_same_or_refused(
            text in steps(),
            other in steps(),
            at in 0_usize..40,
            mutation in 0_usize..4,
            c in prop::sample::select("0019=(),.+- bklnprst@/é".chars().collect::<Vec<_>>()),
        ) {
            let at = at.min(text.len());
            let rest = text.get(at + 1..).unwrap_or_default();
            let changed = match mutation {
                0 => [&text[..at], rest].concat(),
                1 => format!("{}{c}{}", &text[..at], &text[at..]),
                2 => format!("{}{c}{rest}", &text[..at]),
                _ => [&text[..at], &other[other.len().min(at)..]].concat(),
            };
            read_by_all(&changed);
        }

        #[test]
        fn any_text_is_refused_without_a_panic(text in any::<String>()) {
            read_by_all(&text);
        }
    }
}

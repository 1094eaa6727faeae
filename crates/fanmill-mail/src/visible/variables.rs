//! Custom properties: values that are named once and used elsewhere, as in `--x: none` and `display: var(--x)`.
//!
//! An element sees its own names and those of all elements around it. The value of a name may use other names. A chain
//! of more than [`MAX_DEPTH`] names, or a value of more than [`MAX_TOKENS`] tokens, is invalid, which stops cycles and
//! names that double each other.
//!
//! Cost: O(n) in the resulting value.
//! Source: CSS Custom Properties for Cascading Variables Module Level 1, §2 and §3.
//! Departs from it: names inside a value are looked up where the value is used, not where it is set.

use std::collections::HashMap;
use std::rc::Rc;

use cssparser::{Parser, Token};

use super::nested::nested;

/// Maximum length of a chain of names that use one another.
const MAX_DEPTH: usize = 16;
/// Maximum number of tokens of a value with all names replaced, including the tokens of intermediate values.
const MAX_TOKENS: u64 = 1000;

/// Number of bytes that are copied or compared in one step.
pub(super) const BYTES_A_STEP: u64 = 16;

/// The names that an element sees.
#[derive(Debug, Clone, Default)]
pub(super) struct Variables(Option<Rc<Scope>>);

#[derive(Debug)]
struct Scope {
    around: Variables,
    own: HashMap<Rc<str>, Rc<str>>,
}

impl PartialEq for Variables {
    /// Returns whether they belong to the same element.
    fn eq(&self, other: &Variables) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }
}

impl Variables {
    /// Returns these names together with an element's own.
    #[must_use]
    pub(super) fn with(&self, own: HashMap<Rc<str>, Rc<str>>) -> Variables {
        if own.is_empty() {
            return self.clone();
        }
        Variables(Some(Rc::new(Scope { around: self.clone(), own })))
    }

    /// Returns the value of a name. Takes a step for each element that is searched.
    fn get(&self, name: &str, steps_left: &mut u64) -> Option<&Rc<str>> {
        let mut scope = self.0.as_ref();
        while let Some(Scope { around, own }) = scope.map(|scope| &**scope) {
            *steps_left = steps_left.saturating_sub(1);
            if let Some(value) = own.get(name) {
                return Some(value);
            }
            scope = around.0.as_ref();
        }
        None
    }

    /// Returns a value with all names replaced; `None` if one is not defined, or if there are not enough steps.
    pub(super) fn replaced(&self, value: &str, steps_left: &mut u64) -> Option<String> {
        let mut out = Out { text: String::new(), tokens_left: MAX_TOKENS, steps_left };
        let is_written = self.write(&mut Parser::new(value), 0, &mut out);
        is_written.then_some(out.text)
    }

    /// Appends the rest of the input; returns whether that worked.
    fn write(&self, input: &mut Parser<'_>, depth: usize, out: &mut Out<'_>) -> bool {
        loop {
            let start = input.position();
            let Ok(token) = input.next_including_whitespace() else { return true };
            let (token, end) = (token.clone(), input.position());
            let written = input.slice(start..end);
            if !out.take_steps(written.len()) {
                return false;
            }
            // A block is read as a nested input; its closing bracket is written after its content.
            let close = match &token {
                Token::Function(name) if is_substitution(name) => {
                    if !block(input, |input| self.write_named(input, depth, out)) {
                        return false;
                    }
                    continue;
                }
                Token::Function(_) | Token::ParenthesisBlock => ")",
                Token::SquareBracketBlock => "]",
                Token::CurlyBracketBlock => "}",
                _ => "",
            };
            out.text.push_str(written);
            if !close.is_empty() {
                if !block(input, |input| self.write(input, depth, out)) {
                    return false;
                }
                out.text.push_str(close);
            }
        }
    }

    /// Appends the value of a name, or the fallback if it is not defined.
    fn write_named(&self, input: &mut Parser<'_>, depth: usize, out: &mut Out<'_>) -> bool {
        let Ok(name) = input.expect_ident_cloned() else { return false };
        let has_other = input.try_parse(Parser::expect_comma).is_ok();
        if let Some(value) = self.get(&name, out.steps_left) {
            let is_written =
                depth < MAX_DEPTH && self.write(&mut Parser::new(value), depth + 1, out);
            while input.next().is_ok() {}
            return is_written;
        }
        has_other && self.write(input, depth, out)
    }
}

/// A value under construction.
#[derive(Debug)]
struct Out<'s> {
    text: String,
    tokens_left: u64,
    /// Number of steps that the page may still take.
    steps_left: &'s mut u64,
}

impl Out<'_> {
    /// Takes the steps for a token of `bytes` bytes; returns whether there were enough.
    fn take_steps(&mut self, bytes: usize) -> bool {
        let steps = 1 + bytes as u64 / BYTES_A_STEP;
        let is_within = self.tokens_left > 0 && *self.steps_left >= steps;
        self.tokens_left = self.tokens_left.saturating_sub(1);
        *self.steps_left = self.steps_left.saturating_sub(steps);
        is_within
    }
}

fn is_substitution(function: &str) -> bool {
    function.eq_ignore_ascii_case("var") || function.eq_ignore_ascii_case("env")
}

/// Reads the block that the last token began; returns whether that worked.
fn block(input: &mut Parser<'_>, read: impl FnOnce(&mut Parser<'_>) -> bool) -> bool {
    nested(input, |input| read(input).then_some(())).is_some()
}

/// Returns whether a value uses names, or is nested too deeply to know.
pub(super) fn has_names(value: &str) -> bool {
    has_names_in(&mut Parser::new(value))
}

fn has_names_in(input: &mut Parser<'_>) -> bool {
    while let Ok(token) = input.next() {
        let is_block = match token {
            Token::Function(name) if is_substitution(name) => return true,
            Token::Function(_)
            | Token::ParenthesisBlock
            | Token::SquareBracketBlock
            | Token::CurlyBracketBlock => true,
            _ => false,
        };
        if is_block && !block(input, |input| !has_names_in(input)) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(values: &[(&str, &str)]) -> Variables {
        let own = values.iter().map(|&(name, value)| (name.into(), value.into())).collect();
        Variables::default().with(own)
    }

    #[test]
    fn names_are_replaced() {
        let names = variables(&[("--a", "none"), ("--b", "rgb(var(--c), 0)"), ("--c", "1, 2")]);
        let inner = names.with([("--a".into(), "block".into())].into());
        let cases = [
            ("var(--a)", Some("none")),
            ("x v\\61r( --a ) y", Some("x none y")),
            ("var(--b)", Some("rgb(1, 2, 0)")),
            ("var(--d, var(--a))", Some(" none")),
            ("calc(1px * (2 + var(--d,3)))", Some("calc(1px * (2 + 3))")),
            ("var(--d)", None),
            ("var()", None),
        ];
        for (value, expected) in cases {
            assert!(has_names(value), "{value}");
            assert_eq!(names.replaced(value, &mut 1000).as_deref(), expected, "{value}");
        }
        assert_eq!(inner.replaced("var(--a)", &mut 1000).as_deref(), Some("block"));
        assert!(!has_names("calc(1px * (2 + 3)) 'var(--a)' /* var(--a) */"));
    }

    #[test]
    fn cycles_and_doubles_end() {
        let circle = variables(&[("--a", "var(--b)"), ("--b", "var(--a)")]);
        assert_eq!(circle.replaced("var(--a)", &mut 1000), None);
        let doubles: Vec<(String, String)> = (0..15)
            .map(|i| (format!("--a{i}"), format!("var(--a{0}) var(--a{0})", i + 1)))
            .chain([("--a15".to_owned(), "x".to_owned())])
            .collect();
        let doubles: Vec<(&str, &str)> = doubles.iter().map(|(a, b)| (&**a, &**b)).collect();
        assert_eq!(variables(&doubles).replaced("var(--a0)", &mut 1_000_000), None);
        let deep = format!("{}var(--a)", "(".repeat(100_000));
        let _ = (has_names(&deep), circle.replaced(&deep, &mut 1000));
    }
}

//! Parsing of selectors.
//!
//! Cost: O(n) in the selector; as much of it is kept as the limits allow.
//! Source: Selectors Level 4, §3 to §6, §14, §17; CSS Nesting Level 1, §3.

use cssparser::{Parser, Token, parse_nth};

use super::super::nested::{nested, separated};
use super::{
    Combinator, Comparison, Compound, Doubt, MAX_PARTS, MAX_SIZE, Selector, SelectorTarget, Test,
};

/// A selector under construction.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// The finished parts, each with the combinator after it; siblings are left out.
    done: Vec<(Compound, Combinator)>,
    current: Compound,
    is_begun: bool,
    /// The combinator between the last part and the next one.
    pending: Option<char>,
    specificity: [u16; 3],
    /// If set, its rule is nested, so it may begin with a combinator.
    is_nested: bool,
    doubt: Doubt,
    is_for: SelectorTarget,
    size: usize,
}

/// Reads one selector of a list; `None` if it cannot be read.
pub(super) fn read(mut reading: Reading, input: &mut Parser<'_>) -> Option<Selector> {
    reading.read(input)?;
    let Reading { done, current, specificity, doubt, is_for, size, .. } = reading;
    let is_cut = done.len() > MAX_PARTS || size > MAX_SIZE;
    let outer = done.into_iter().rev().map(|(part, combinator)| (combinator, part)).collect();
    Some(Selector { own: current, outer, specificity, doubt, is_for, size, is_cut })
}

impl Reading {
    /// Begins a selector of a nested rule.
    pub(super) fn nested() -> Reading {
        Reading { is_nested: true, ..Reading::default() }
    }

    fn read(&mut self, input: &mut Parser<'_>) -> Option<()> {
        loop {
            let token = match input.next_including_whitespace() {
                Ok(token) => token.clone(),
                Err(_) => return self.is_begun.then_some(()),
            };
            match token {
                Token::WhiteSpace(_) => {
                    self.pending = self.pending.or(Some(' ')).filter(|_| self.is_begun);
                    continue;
                }
                Token::Delim(sign @ ('>' | '+' | '~')) if self.is_begun || self.is_nested => {
                    if !std::mem::replace(&mut self.is_begun, true) {
                        self.current.is_outer = true;
                    }
                    self.pending = Some(sign);
                    continue;
                }
                _ => self.next_part(),
            }
            if self.done.len() > MAX_PARTS || self.size > MAX_SIZE {
                while input.next().is_ok() {}
                return Some(());
            }
            self.is_begun = true;
            self.test(&token, input)?;
        }
    }

    /// Finishes the current part if a combinator separates it from the next one.
    fn next_part(&mut self) {
        let Some(sign) = self.pending.take() else { return };
        let part = std::mem::take(&mut self.current);
        match sign {
            // A sibling has the same elements around it, so its part is left out.
            '+' | '~' => self.doubt.add(Doubt::Partly),
            '>' => self.done.push((part, Combinator::Child)),
            _ => self.done.push((part, Combinator::Inside)),
        }
    }

    fn count(&mut self, kind: usize) {
        self.specificity[kind] = self.specificity[kind].saturating_add(1);
    }

    /// Reads one test of an element.
    fn test(&mut self, token: &Token<'_>, input: &mut Parser<'_>) -> Option<()> {
        // `count` takes an index into the specificity: 0 for ids, 1 for classes and attributes, 2 for names.
        let test = match token {
            Token::Ident(name) => {
                self.count(2);
                Test::Name(name.to_ascii_lowercase())
            }
            Token::Delim('*') => return Some(()),
            Token::Delim('&') => {
                self.current.is_outer = true;
                self.doubt.add(Doubt::Partly);
                return Some(());
            }
            Token::IDHash(id) | Token::Hash(id) => {
                self.count(0);
                Test::Id(id.to_string())
            }
            Token::Delim('.') => {
                self.count(1);
                Test::Class(input.expect_ident().ok()?.to_string())
            }
            Token::SquareBracketBlock => {
                self.count(1);
                nested(input, attribute)?
            }
            Token::Colon => return self.pseudo_class(input),
            _ => return None,
        };
        self.push(test);
        Some(())
    }

    fn push(&mut self, test: Test) {
        self.size += test.size();
        self.current.tests.push(test);
    }

    fn pseudo_class(&mut self, input: &mut Parser<'_>) -> Option<()> {
        let mut token = input.next_including_whitespace().ok()?.clone();
        let is_element = token == Token::Colon;
        if is_element {
            token = input.next_including_whitespace().ok()?.clone();
        }
        let name = match &token {
            Token::Ident(name) | Token::Function(name) => name.to_ascii_lowercase(),
            _ => return None,
        };
        // Some pseudo-elements, such as `:before`, may have a single colon.
        if self.pseudo_element(&name, is_element) {
            return Some(());
        }
        let test = match (&*name, &token) {
            ("root", _) => Test::Root,
            ("link" | "any-link", _) => Test::Attribute {
                name: "href".to_owned(),
                comparison: Comparison::Exists,
                value: String::new(),
                has_case: true,
            },
            ("first-child", _) => {
                self.doubt.add(Doubt::Partly);
                Test::Nth(0, 1)
            }
            ("nth-child", Token::Function(_)) => {
                self.doubt.add(Doubt::Partly);
                let (a, b) = nested(input, |input| {
                    let place = parse_nth(input).ok()?;
                    input.is_exhausted().then_some(place)
                })?;
                Test::Nth(a, b)
            }
            ("not", Token::Function(_)) => Test::None(self.compounds(input)?),
            ("is" | "where" | "matches" | "-webkit-any" | "-moz-any", Token::Function(_)) => {
                Test::Any(self.compounds(input)?)
            }
            (
                "hover" | "active" | "focus" | "focus-within" | "focus-visible" | "visited"
                | "target",
                _,
            ) => {
                self.is_for = SelectorTarget::Nothing;
                return Some(());
            }
            _ => {
                self.doubt.add(Doubt::Unknown);
                return Some(());
            }
        };
        self.count(1);
        self.push(test);
        Some(())
    }

    /// Reads the name of a pseudo-element; returns whether it is one.
    fn pseudo_element(&mut self, name: &str, is_element: bool) -> bool {
        match name {
            "first-line" | "first-letter" => self.doubt.add(Doubt::Partly),
            "before" | "after" => self.is_for = SelectorTarget::Beside.max(self.is_for),
            "selection" | "placeholder" | "marker" | "backdrop" => {
                self.is_for = SelectorTarget::Nothing;
            }
            _ if is_element => {
                self.is_for = SelectorTarget::Nothing;
                if !name.starts_with("-webkit-") {
                    self.doubt.add(Doubt::Unknown);
                }
            }
            _ => return false,
        }
        true
    }

    /// Reads a list of tests of one element. Tests of the elements around it are left out.
    fn compounds(&mut self, input: &mut Parser<'_>) -> Option<Vec<Compound>> {
        let (mut list, mut size) = (Vec::new(), self.size);
        nested(input, |input| {
            separated(input, |input| {
                let mut one = Reading::default();
                one.read(input)?;
                size += 1 + one.size;
                if size <= MAX_SIZE {
                    list.push(one);
                }
                Some(())
            })
        })?;
        self.size = size;
        let is_doubtful = |one: &Reading| {
            one.doubt > Doubt::None || one.is_for == SelectorTarget::Nothing || !one.done.is_empty()
        };
        if list.iter().any(is_doubtful) {
            self.doubt.add(Doubt::Partly);
        }
        Some(list.into_iter().map(|one| one.current).collect())
    }
}

/// Reads a test of an attribute, between `[` and `]`.
fn attribute(input: &mut Parser<'_>) -> Option<Test> {
    let name = input.expect_ident().ok()?.to_ascii_lowercase();
    let comparison = match input.next() {
        Err(_) => Comparison::Exists,
        Ok(Token::Delim('=')) => Comparison::Equals,
        Ok(Token::IncludeMatch) => Comparison::HasWord,
        Ok(Token::DashMatch) => Comparison::HasBegin,
        Ok(Token::PrefixMatch) => Comparison::StartsWith,
        Ok(Token::SuffixMatch) => Comparison::EndsWith,
        Ok(Token::SubstringMatch) => Comparison::Contains,
        Ok(_) => return None,
    };
    let mut value = String::new();
    if comparison != Comparison::Exists {
        value.push_str(input.expect_ident_or_string().ok()?);
    }
    let has_case = input.try_parse(|input| input.expect_ident_matching("i")).is_err();
    Some(Test::Attribute { name, comparison, value, has_case })
}

//! Which elements a rule of a style sheet is for.
//!
//! Followed are names, classes, ids, attributes, `:root`, `:first-child`, `:nth-child()`, `:not()`, `:is()` and `:where()` of
//! these, and what is inside of what (`a b`, `a > b`). Not followed are neighbours (`a + b`, `a ~ b`) and all other
//! pseudo-classes: a selector with one of them is *doubtful*, and what is left of it is taken as its
//! meaning. Rules for what only a pointer or the keyboard makes true (`:hover`), and for what is no element
//! (`::before`), are for nothing.
//!
//! Cost: to ask about an element, for each part of a selector at most its depth.
//! Source: Selectors Level 4, §3 to §6, §14, §17.
//! Departs from it: classes and ids have no case, as in pages without a document type, which mail mostly is.

use cssparser::{ParseError, Parser, Token, parse_nth};
use fanmill_html::{LocalName, Tag};

/// Parts of a selector, inside of one another: more are read by nobody.
const MAX_PARTS: usize = 32;

/// What selectors ask about an element.
#[derive(Debug, Default)]
pub(super) struct Names {
    name: LocalName,
    /// In lower case.
    id: Option<String>,
    /// In lower case, ascending.
    classes: Vec<String>,
    attributes: Vec<(LocalName, String)>,
    /// Which child of the element around it this is, from 1.
    place: i32,
}

/// The elements around one.
pub(super) trait Around {
    /// The one around it, the one around that, and so on; the last one is the root.
    fn around(&self, n: usize) -> Option<&Names>;
}

/// What is around the root: nothing.
#[derive(Debug)]
pub(super) struct Outside;

impl Around for Outside {
    fn around(&self, _n: usize) -> Option<&Names> {
        None
    }
}

/// How an element stands to the next part of a selector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Combinator {
    Inside,
    Child,
}

/// A selector; see the [module](self).
#[derive(Debug)]
pub(super) struct Selector {
    own: Compound,
    /// From the innermost one outward.
    outer: Vec<(Combinator, Compound)>,
    /// Ids, then classes and attributes, then names.
    pub(super) specificity: [u16; 3],
    /// Whether some of it was not followed.
    pub(super) is_doubtful: bool,
    /// Whether it is for no element, or for one only while somebody points at it.
    pub(super) is_for_nothing: bool,
    /// Whether it has more parts than are read.
    pub(super) is_cut: bool,
}

/// What one element has to be.
#[derive(Debug, Default)]
struct Compound {
    tests: Vec<Test>,
}

#[derive(Debug)]
enum Test {
    Name(String),
    Id(String),
    Class(String),
    Attribute {
        name: String,
        comparison: Comparison,
        value: String,
        has_case: bool,
    },
    Root,
    /// Whether its place is `a * n + b` for some `n` from 0 on.
    Nth(i32, i32),
    Any(Vec<Compound>),
    None(Vec<Compound>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Exists,
    Equals,
    HasWord,
    HasBegin,
    StartsWith,
    EndsWith,
    Contains,
}

impl Names {
    /// Of an element whose name is all that is known.
    pub(super) fn of_name(name: &str) -> Names {
        Names { name: LocalName::from(name), ..Names::default() }
    }

    pub(super) fn of(tag: &Tag, place: usize) -> Names {
        let mut names = Names { name: tag.name.clone(), ..Names::default() };
        names.place = i32::try_from(place).unwrap_or(0);
        for attribute in &tag.attrs {
            let value = &*attribute.value;
            match &*attribute.name.local {
                "id" => names.id = Some(value.trim().to_lowercase()),
                "class" => {
                    names.classes = value.split_ascii_whitespace().map(str::to_lowercase).collect();
                    names.classes.sort_unstable();
                }
                _ => {}
            }
            names.attributes.push((attribute.name.local.clone(), value.to_owned()));
        }
        names
    }

    /// What rules may be found by for such an element, with a mark before it.
    pub(super) fn keys(&self) -> impl Iterator<Item = String> {
        let id = self.id.iter().map(|id| format!("#{id}"));
        let classes = self.classes.iter().map(|class| format!(".{class}"));
        let mut last = None;
        // A class that is there twice counts once.
        let classes =
            classes.filter(move |class| last.replace(class.clone()).as_ref() != Some(class));
        id.chain(classes).chain([self.name.to_string(), "*".to_owned()])
    }
}

impl Selector {
    /// Reads one selector of a list; `None` if it cannot be read.
    pub(super) fn parse(input: &mut Parser<'_>) -> Option<Selector> {
        let mut reading = Reading::default();
        reading.read(input)?;
        let Reading { done, current, specificity, is_doubtful, is_for_nothing, .. } = reading;
        let is_cut = done.len() > MAX_PARTS;
        let outer = done.into_iter().rev().map(|(part, combinator)| (combinator, part)).collect();
        Some(Selector { own: current, outer, specificity, is_doubtful, is_for_nothing, is_cut })
    }

    /// What elements are found by that it may be for: one of [`Names::keys`].
    pub(super) fn key(&self) -> String {
        let tests = &self.own.tests;
        let id = tests.iter().find_map(|test| match test {
            Test::Id(id) => Some(format!("#{id}")),
            _ => None,
        });
        let class = || {
            tests.iter().find_map(|test| match test {
                Test::Class(class) => Some(format!(".{class}")),
                _ => None,
            })
        };
        let name = || {
            tests.iter().find_map(|test| match test {
                Test::Name(name) => Some(name.clone()),
                _ => None,
            })
        };
        id.or_else(class).or_else(name).unwrap_or_else(|| "*".to_owned())
    }

    /// Whether it is for an element that stands inside of others. Takes a step for each element it asks about;
    /// without steps it is for nothing.
    pub(super) fn fits(&self, own: &Names, around: &impl Around, steps_left: &mut u64) -> bool {
        if !self.own.fits(own, around.around(0).is_none(), steps_left) {
            return false;
        }
        // How far outside the elements are that may be the last part's; 0 is the element itself.
        let mut places = vec![0];
        for (combinator, compound) in &self.outer {
            let n_around = |from: usize| {
                let mut n = from;
                while around.around(n).is_some() {
                    n += 1;
                }
                n
            };
            let candidates: Vec<usize> = match combinator {
                Combinator::Child => places.clone(),
                Combinator::Inside => {
                    let nearest = places.iter().copied().min().unwrap_or(0);
                    (nearest..n_around(nearest)).collect()
                }
            };
            places.clear();
            for n in candidates {
                let is_root = around.around(n + 1).is_none();
                let Some(names) = around.around(n) else { continue };
                if compound.fits(names, is_root, steps_left) {
                    places.push(n + 1);
                }
            }
            if places.is_empty() {
                return false;
            }
        }
        true
    }
}

impl Compound {
    fn fits(&self, names: &Names, is_root: bool, steps_left: &mut u64) -> bool {
        let fits = self.tests.iter().all(|test| test.fits(names, is_root, steps_left));
        *steps_left = steps_left.saturating_sub(1);
        fits && *steps_left > 0
    }
}

impl Test {
    fn fits(&self, names: &Names, is_root: bool, steps_left: &mut u64) -> bool {
        *steps_left = steps_left.saturating_sub(1);
        match self {
            Test::Name(name) => *names.name == **name,
            Test::Id(id) => names.id.as_deref() == Some(id),
            Test::Class(class) => names.classes.binary_search(class).is_ok(),
            Test::Attribute { name, comparison, value, has_case } => {
                let found = names.attributes.iter().find(|(other, _)| **other == **name);
                found.is_some_and(|(_, found)| {
                    *steps_left = steps_left.saturating_sub(found.len() as u64 / 16);
                    if *has_case {
                        comparison.holds(found, value)
                    } else {
                        comparison.holds(&found.to_lowercase(), &value.to_lowercase())
                    }
                })
            }
            Test::Root => is_root,
            Test::Nth(a, b) => {
                let behind = i64::from(names.place) - i64::from(*b);
                match i64::from(*a) {
                    0 => behind == 0,
                    a => behind % a == 0 && behind / a >= 0,
                }
            }
            Test::Any(list) => list.iter().any(|one| one.fits(names, is_root, steps_left)),
            Test::None(list) => !list.iter().any(|one| one.fits(names, is_root, steps_left)),
        }
    }
}

impl Comparison {
    fn holds(self, found: &str, value: &str) -> bool {
        match self {
            Comparison::Exists => true,
            Comparison::Equals => found == value,
            Comparison::HasWord => found.split_ascii_whitespace().any(|word| word == value),
            Comparison::HasBegin => found
                .strip_prefix(value)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('-')),
            Comparison::StartsWith => !value.is_empty() && found.starts_with(value),
            Comparison::EndsWith => !value.is_empty() && found.ends_with(value),
            Comparison::Contains => !value.is_empty() && found.contains(value),
        }
    }
}

/// A selector in the making.
#[derive(Debug, Default)]
struct Reading {
    /// The parts that are finished, each with what stands behind it; neighbours are left out.
    done: Vec<(Compound, Combinator)>,
    current: Compound,
    is_begun: bool,
    /// What stands between the last part and the next one.
    pending: Option<char>,
    specificity: [u16; 3],
    is_doubtful: bool,
    is_for_nothing: bool,
}

impl Reading {
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
                Token::Delim(sign @ ('>' | '+' | '~')) if self.is_begun => {
                    self.pending = Some(sign);
                    continue;
                }
                _ => self.next_part(),
            }
            if self.done.len() > MAX_PARTS {
                while input.next().is_ok() {}
                return Some(());
            }
            self.is_begun = true;
            self.test(&token, input)?;
        }
    }

    /// Finishes the part before what comes next, if there is something between them.
    fn next_part(&mut self) {
        let Some(sign) = self.pending.take() else { return };
        let part = std::mem::take(&mut self.current);
        match sign {
            // What is around a neighbour is around this one too.
            '+' | '~' => self.is_doubtful = true,
            '>' => self.done.push((part, Combinator::Child)),
            _ => self.done.push((part, Combinator::Inside)),
        }
    }

    fn count(&mut self, kind: usize) {
        self.specificity[kind] = self.specificity[kind].saturating_add(1);
    }

    /// Reads what one element has to be.
    fn test(&mut self, token: &Token<'_>, input: &mut Parser<'_>) -> Option<()> {
        let test = match token {
            Token::Ident(name) => {
                self.count(2);
                Test::Name(name.to_ascii_lowercase())
            }
            Token::Delim('*') => return Some(()),
            Token::IDHash(id) | Token::Hash(id) => {
                self.count(0);
                Test::Id(id.to_lowercase())
            }
            Token::Delim('.') => {
                self.count(1);
                Test::Class(input.expect_ident().ok()?.to_lowercase())
            }
            Token::SquareBracketBlock => {
                self.count(1);
                nested(input, attribute)?
            }
            Token::Colon => return self.pseudo_class(input),
            _ => return None,
        };
        self.current.tests.push(test);
        Some(())
    }

    fn pseudo_class(&mut self, input: &mut Parser<'_>) -> Option<()> {
        let mut token = input.next_including_whitespace().ok()?.clone();
        if token == Token::Colon {
            // What is no element.
            self.is_for_nothing = true;
            token = input.next_including_whitespace().ok()?.clone();
        }
        let name = match &token {
            Token::Ident(name) | Token::Function(name) => name.to_ascii_lowercase(),
            _ => return None,
        };
        let test = match (&*name, &token) {
            ("root", _) => Test::Root,
            ("link" | "any-link", _) => Test::Attribute {
                name: "href".to_owned(),
                comparison: Comparison::Exists,
                value: String::new(),
                has_case: true,
            },
            ("first-child", _) => Test::Nth(0, 1),
            ("nth-child", Token::Function(_)) => {
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
                | "target" | "before" | "after" | "first-line" | "first-letter" | "selection",
                _,
            ) => {
                self.is_for_nothing = true;
                return Some(());
            }
            _ => {
                self.is_doubtful = true;
                return Some(());
            }
        };
        self.count(1);
        self.current.tests.push(test);
        Some(())
    }

    /// Reads a list of what one element may be, each without anything around it.
    fn compounds(&mut self, input: &mut Parser<'_>) -> Option<Vec<Compound>> {
        let list = nested(input, |input| {
            let one = |input: &mut Parser<'_>| -> Result<Reading, ParseError<()>> {
                let mut reading = Reading::default();
                reading.read(input).ok_or_else(ParseError::unexpected_token)?;
                Ok(reading)
            };
            input.parse_comma_separated(one).ok()
        })?;
        let is_doubtful =
            |one: &Reading| one.is_doubtful || one.is_for_nothing || !one.done.is_empty();
        self.is_doubtful |= list.iter().any(is_doubtful);
        Some(list.into_iter().map(|one| one.current).collect())
    }
}

/// Reads what is between `[` and `]`.
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

fn nested<T>(input: &mut Parser<'_>, read: impl FnOnce(&mut Parser<'_>) -> Option<T>) -> Option<T> {
    let read = |input: &mut Parser<'_>| -> Result<T, ParseError<()>> {
        read(input).ok_or_else(ParseError::unexpected_token)
    };
    input.parse_nested_block(read).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `a.b#c[d=e]` as an element.
    fn element(text: &str, place: i32) -> Names {
        let selector = Selector::parse(&mut Parser::new(text)).expect(text);
        let mut names = Names { place, ..Names::default() };
        for test in selector.own.tests {
            match test {
                Test::Name(name) => names.name = LocalName::from(name),
                Test::Id(id) => names.id = Some(id),
                Test::Class(class) => names.classes.push(class),
                Test::Attribute { name, value, .. } => {
                    names.attributes.push((LocalName::from(name), value));
                }
                _ => panic!("{text}"),
            }
        }
        names
    }

    /// The elements of `html div.x p`, the innermost first.
    struct Row(Vec<Names>);

    impl Around for Row {
        fn around(&self, n: usize) -> Option<&Names> {
            self.0.get(n + 1)
        }
    }

    fn fits(selector: &str, row: &str) -> Option<bool> {
        let mut elements: Vec<Names> =
            row.split(' ').zip(1..).map(|(text, place)| element(text, place)).collect();
        elements.reverse();
        let row = Row(elements);
        let selector = Selector::parse(&mut Parser::new(selector))?;
        let mut steps = 10_000;
        let found = selector.fits(&row.0[0], &row, &mut steps);
        let has_key = row.0[0].keys().any(|key| key == selector.key());
        assert!(has_key || !found, "found by its key");
        Some(found)
    }

    #[test]
    fn selectors_are_for_some_elements() {
        let row = "html body div.A.b#Main[lang=en-US] ul p.C[title=one]";
        let cases = [
            ("p", true),
            ("P", true),
            ("*", true),
            ("b", false),
            (".c", true),
            ("p.C", true),
            ("p.d", false),
            ("div p", true),
            ("div > p", false),
            ("div > ul > p", true),
            ("html p", true),
            ("body > div p", true),
            ("ul div p", false),
            (".a.B .c", true),
            ("#main .c", true),
            ("div#other .c", false),
            ("[title]", true),
            ("[title=one]", true),
            ("[title='ONE' i]", true),
            ("[title=ONE]", false),
            ("[title^=o][title$=e]", true),
            ("[title*=n]", true),
            ("[lang|=en] p", true),
            ("[lang~=en] p", false),
            (":root p", true),
            (":root", false),
            ("p:not(.d)", true),
            ("p:not(.c, .d)", false),
            (":is(b, p.c)", true),
            ("p:nth-child(5)", true),
            ("p:nth-child(2n)", false),
            ("p:nth-child(odd)", true),
            ("p:first-child", false),
            ("\\70", true),
            (".\\43 ", true),
            ("div/**/p", false),
            ("div /* x */ p", true),
            ("body p, b", false),
        ];
        for (selector, expected) in cases {
            let found = fits(selector, row);
            match selector {
                // No selectors at all.
                "div/**/p" | "body p, b" => assert!(!found.unwrap_or(false), "{selector}"),
                _ => assert_eq!(found, Some(expected), "{selector}"),
            }
        }
    }

    #[test]
    fn what_is_not_followed_is_doubtful() {
        let parse = |text: &str| Selector::parse(&mut Parser::new(text));
        for text in
            ["u + .a", "a ~ b", "p:last-child", "p:nth-child(2 of .x)", "p:has(b)", ":not(a b)"]
        {
            assert!(parse(text).is_none_or(|selector| selector.is_doubtful), "{text}");
        }
        for text in ["a:hover", "p::before", "p:after", "p::part(x)"] {
            assert!(parse(text).expect(text).is_for_nothing, "{text}");
        }
        for text in ["", ">", "a,b{", "[", "a | b", "..a", "a:", "a::", ":not(", "12px"] {
            assert!(parse(text).is_none_or(|selector| selector.is_doubtful), "{text}");
        }
        assert_eq!(fits("u + .c", "html p.c"), Some(true));
        assert_eq!(parse("#a .b p:not(.c)").expect("a selector").specificity, [1, 2, 1]);
        let long = "a ".repeat(100_000);
        assert!(parse(&long).expect("a selector").is_cut);
    }

    #[test]
    fn without_steps_nothing_fits() {
        let row = Row(vec![element("p", 1), element("html", 1)]);
        let selector = Selector::parse(&mut Parser::new("html p:not(.a)")).expect("a selector");
        assert!(!selector.fits(&row.0[0], &row, &mut 5));
        assert!(selector.fits(&row.0[0], &row, &mut 8));
    }
}

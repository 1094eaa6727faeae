//! Which elements a rule of a style sheet is for.
//!
//! Followed are names, classes, ids, attributes, `:root`, `:first-child`, `:nth-child()`, `:not()`, `:is()` and `:where()` of
//! these, and what is inside of what (`a b`, `a > b`), in rules inside of rules too. Not followed are neighbours (`a + b`, `a ~ b`)
//! and all other pseudo-classes: a selector with one of them is *doubtful*, and what is left of it is taken as its
//! meaning. So is one that counts children, since we count those of the head as well, or is for a first line. Rules for what
//! only a pointer or the keyboard makes true (`:hover`), and for what is no element, are for nothing; of `::before` and
//! `::after` counts what they write.
//!
//! Cost: to ask about an element, for each part of a selector at most its depth.
//! Source: Selectors Level 4, §3 to §6, §14, §17; CSS Nesting Level 1, §3.

mod reading;

use crate::html::{LocalName, Tag};
use cssparser::Parser;

use super::nested::separated;
use super::property::Mode;
use super::variables::BYTES_A_STEP;
use reading::Reading;

/// Parts of a selector, inside of one another: more are read by nobody.
const MAX_PARTS: usize = 32;
/// The largest [`size`](Selector::size) of a selector that is read.
const MAX_SIZE: usize = 1000;

/// What selectors ask about an element.
#[derive(Debug, Default)]
pub(super) struct Names {
    name: LocalName,
    id: Option<String>,
    classes: Vec<String>,
    /// Whether case matters in both.
    has_case: bool,
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
#[derive(Debug, Clone)]
pub(super) struct Selector {
    own: Compound,
    /// From the innermost one outward.
    outer: Vec<(Combinator, Compound)>,
    /// Ids, then classes and attributes, then names.
    pub(super) specificity: [u16; 3],
    pub(super) doubt: Doubt,
    pub(super) is_for: For,
    /// What it takes to keep a copy: its tests, and one more for each 16 bytes of their values.
    pub(super) size: usize,
    /// Whether it is larger than what is read.
    pub(super) is_cut: bool,
}

/// How far a selector was followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Doubt {
    /// Wholly.
    #[default]
    None,
    /// In part.
    Partly,
    /// In part, and what was not followed may be unknown to browsers too.
    Unknown,
}

impl Doubt {
    fn add(&mut self, other: Doubt) {
        *self = other.max(*self);
    }
}

/// What a selector is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum For {
    #[default]
    Elements,
    /// What is written before or behind an element.
    Beside,
    /// No element, or one only while somebody points at it.
    Nothing,
}

/// What one element has to be.
#[derive(Debug, Clone, Default)]
struct Compound {
    tests: Vec<Test>,
    /// Whether it has to be what the rule around is for: `&`.
    is_outer: bool,
}

#[derive(Debug, Clone)]
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

    pub(super) fn of(tag: &Tag, place: usize, mode: Mode) -> Names {
        let has_case = mode == Mode::Standards;
        let mut names = Names { name: tag.name.clone(), has_case, ..Names::default() };
        names.place = i32::try_from(place).unwrap_or(0);
        for attribute in &tag.attrs {
            let value = &*attribute.value;
            match &*attribute.name.local {
                "id" => names.id = Some(value.trim().to_owned()),
                "class" => {
                    names.classes = value.split_ascii_whitespace().map(str::to_owned).collect();
                }
                _ => {}
            }
            names.attributes.push((attribute.name.local.clone(), value.to_owned()));
        }
        names
    }

    /// Attributes of the element.
    pub(super) fn n_attributes(&self) -> usize {
        self.attributes.len()
    }

    /// What rules may be found by for such an element, with a mark before it.
    pub(super) fn keys(&self) -> impl Iterator<Item = String> {
        let id = self.id.iter().map(|id| format!("#{}", id.to_ascii_lowercase()));
        let mut classes: Vec<String> =
            self.classes.iter().map(|class| format!(".{}", class.to_ascii_lowercase())).collect();
        // A class that is there twice counts once.
        classes.sort_unstable();
        classes.dedup();
        id.chain(classes).chain([self.name.to_string(), "*".to_owned()])
    }

    /// Whether an id or class is the one that a rule asks for.
    fn is_same(&self, own: &str, asked: &str) -> bool {
        if self.has_case { own == asked } else { own.eq_ignore_ascii_case(asked) }
    }
}

impl Selector {
    /// Reads one selector of a list; `None` if it cannot be read.
    pub(super) fn parse(input: &mut Parser<'_>) -> Option<Selector> {
        reading::read(Reading::default(), input)
    }

    /// Reads one selector of a list, of a rule inside of another one.
    pub(super) fn parse_nested(input: &mut Parser<'_>) -> Option<Selector> {
        reading::read(Reading::nested(), input)
    }

    /// Reads a list of selectors with `read`; at most `most` of them, and the number of the others. `None` if one cannot
    /// be read, which makes the whole rule invalid, as in browsers.
    pub(super) fn list(
        input: &mut Parser<'_>,
        most: usize,
        read: fn(&mut Parser<'_>) -> Option<Selector>,
    ) -> Option<(Vec<Selector>, usize)> {
        let (mut selectors, mut n_cut) = (Vec::new(), 0);
        separated(input, |input| {
            if selectors.len() < most {
                selectors.push(read(input)?);
            } else {
                n_cut += 1;
                while input.next().is_ok() {}
            }
            Some(())
        })?;
        Some((selectors, n_cut))
    }

    /// `&`: for what the rule around is for.
    pub(super) fn same() -> Selector {
        Selector {
            own: Compound { is_outer: true, ..Compound::default() },
            outer: Vec::new(),
            specificity: [0; 3],
            doubt: Doubt::Partly,
            is_for: For::Elements,
            size: 0,
            is_cut: false,
        }
    }

    /// This one, of a rule inside of another one, as if it stood alone. It is doubtful, since few mail programs know such rules.
    pub(super) fn inside(&self, around: &Selector) -> Selector {
        let mut whole = self.clone();
        let outermost = whole.outer.last_mut().map_or(&mut whole.own, |(_, part)| part);
        if std::mem::take(&mut outermost.is_outer) {
            outermost.tests.extend(around.own.tests.iter().cloned());
        } else {
            whole.outer.push((Combinator::Inside, around.own.clone()));
        }
        whole.outer.extend(around.outer.iter().cloned());
        for (own, around) in whole.specificity.iter_mut().zip(around.specificity) {
            *own = own.saturating_add(around);
        }
        whole.doubt.add(Doubt::Partly);
        whole.size += around.size;
        if around.is_for == For::Nothing {
            whole.is_for = For::Nothing;
        }
        whole.is_cut |= around.is_cut || whole.outer.len() > MAX_PARTS;
        whole
    }

    /// What elements are found by that it may be for: one of [`Names::keys`].
    pub(super) fn key(&self) -> String {
        let tests = &self.own.tests;
        let id = tests.iter().find_map(|test| match test {
            Test::Id(id) => Some(format!("#{}", id.to_ascii_lowercase())),
            _ => None,
        });
        let class = || {
            tests.iter().find_map(|test| match test {
                Test::Class(class) => Some(format!(".{}", class.to_ascii_lowercase())),
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
    /// See [`Selector::size`]. What is in a list was counted when that was read.
    fn size(&self) -> usize {
        let bytes = match self {
            Test::Name(name) | Test::Id(name) | Test::Class(name) => name.len(),
            Test::Attribute { name, value, .. } => name.len() + value.len(),
            Test::Root | Test::Nth(..) | Test::Any(_) | Test::None(_) => 0,
        };
        1 + bytes / 16
    }

    fn fits(&self, names: &Names, is_root: bool, steps_left: &mut u64) -> bool {
        *steps_left = steps_left.saturating_sub(1);
        match self {
            Test::Name(name) => *names.name == **name,
            Test::Id(id) => names.id.as_ref().is_some_and(|own| names.is_same(own, id)),
            Test::Class(class) => {
                *steps_left = steps_left.saturating_sub(names.classes.len() as u64 / 4);
                names.classes.iter().any(|own| names.is_same(own, class))
            }
            Test::Attribute { name, comparison, value, has_case } => {
                let found = names.attributes.iter().find(|(other, _)| **other == **name);
                let compared = found.map_or(0, |(_, found)| found.len());
                let n_steps = (names.attributes.len() + compared) as u64 / BYTES_A_STEP;
                *steps_left = steps_left.saturating_sub(n_steps);
                found.is_some_and(|(_, found)| {
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
        for text in [
            "u + .a",
            "a ~ b",
            "p:last-child",
            "p:first-child",
            "p:has(b)",
            ":not(a b)",
            "p::first-line",
        ] {
            assert!(parse(text).is_none_or(|selector| selector.doubt > Doubt::None), "{text}");
        }
        for text in ["p::before", "p:after"] {
            assert!(parse(text).expect(text).is_for == For::Beside, "{text}");
        }
        for text in ["a:hover", "p::part(x)", "p::-webkit-x"] {
            assert!(parse(text).expect(text).is_for == For::Nothing, "{text}");
        }
        for (text, is_unknown) in [("p::foo", true), ("p:foo", true), ("p::-webkit-x", false)] {
            let doubt = parse(text).expect(text).doubt;
            assert_eq!(doubt == Doubt::Unknown, is_unknown, "{text}");
        }
        for text in ["> a", "& a", "+ a"] {
            let nested = Selector::parse_nested(&mut Parser::new(text));
            assert!(
                nested.is_some_and(
                    |selector| !selector.outer.is_empty() || selector.doubt > Doubt::None
                ),
                "{text}"
            );
        }
        assert!(parse("> a").is_none());
        for text in
            ["", "a,b{", "[", "a | b", "..a", "a:", "a::", ":not(", "12px", "p:nth-child(2 of .x)"]
        {
            assert!(parse(text).is_none_or(|selector| selector.doubt > Doubt::None), "{text}");
        }
        assert_eq!(fits("u + .c", "html p.c"), Some(true));
        assert_eq!(parse("#a .b p:not(.c)").expect("a selector").specificity, [1, 2, 1]);
        let long = "a ".repeat(100_000);
        assert!(parse(&long).expect("a selector").is_cut);
    }

    #[test]
    fn rules_inside_of_rules_are_for_what_is_inside() {
        let row = Row(["p.c", "ul", "div.a.b", "body", "html"].map(|text| element(text, 1)).into());
        let cases = [
            ("div", "p", true),
            ("div.x", "p", false),
            ("div", "> p", false),
            ("ul", "> p", true),
            ("ul", "& > p", true),
            ("p", "&.c", true),
            ("p", "&.d", false),
            ("body .b", ".c", true),
            ("body > .b", "ul &", true),
        ];
        for (outer, inner, expected) in cases {
            let outer = Selector::parse(&mut Parser::new(outer)).expect(outer);
            let nested = Selector::parse_nested(&mut Parser::new(inner)).expect(inner);
            let whole = nested.inside(&outer);
            let mut steps = 1000;
            assert_eq!(whole.fits(&row.0[0], &row, &mut steps), expected, "{inner}");
            assert!(whole.doubt > Doubt::None);
        }
    }

    #[test]
    fn without_steps_nothing_fits() {
        let row = Row(vec![element("p", 1), element("html", 1)]);
        let selector = Selector::parse(&mut Parser::new("html p:not(.a)")).expect("a selector");
        assert!(!selector.fits(&row.0[0], &row, &mut 5));
        assert!(selector.fits(&row.0[0], &row, &mut 8));
    }
}

//! Tests of selectors and the elements that they are for.

use cssparser::Parser;

use super::super::names::{Ancestors, SelectableElement};
use super::*;
use fanmill_extract::html::LocalName;

/// Creates an element from text such as `a.b#c[d=e]`.
fn element(text: &str, place: i32) -> SelectableElement {
    let selector = Selector::parse(&mut Parser::new(text)).expect(text);
    let mut names = SelectableElement { place, ..SelectableElement::default() };
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

/// Elements such as `html div.x p`, the innermost first.
struct Row(Vec<SelectableElement>);

impl Ancestors for Row {
    fn around(&self, n: usize) -> Option<&SelectableElement> {
        self.0.get(n + 1)
    }
}

fn fits(selector: &str, row: &str) -> Option<bool> {
    let mut elements: Vec<SelectableElement> =
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
            // These are not selectors at all.
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
        assert!(parse(text).expect(text).is_for == SelectorTarget::Beside, "{text}");
    }
    for text in ["a:hover", "p::part(x)", "p::-webkit-x"] {
        assert!(parse(text).expect(text).is_for == SelectorTarget::Nothing, "{text}");
    }
    for (text, is_unknown) in [("p::foo", true), ("p:foo", true), ("p::-webkit-x", false)] {
        let doubt = parse(text).expect(text).doubt;
        assert_eq!(doubt == Doubt::Unknown, is_unknown, "{text}");
    }
    for text in ["> a", "& a", "+ a"] {
        let nested = Selector::parse_nested(&mut Parser::new(text));
        assert!(
            nested
                .is_some_and(|selector| !selector.outer.is_empty() || selector.doubt > Doubt::None),
            "{text}"
        );
    }
    assert!(parse("> a").is_none());
    // Invalid selectors are rejected, or doubtful at least.
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

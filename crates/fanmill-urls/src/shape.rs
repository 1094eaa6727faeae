//! Shapes: the common form of a segment's values, such as `S-` and twelve letters or digits.
//!
//! A shape is a literal lead and a number of characters of one class. It is fitted to values with the same content, as
//! narrowly as they allow.

use std::fmt::{self, Write};

/// Characters that separate a lead from the part that varies.
const JOINTS: [char; 8] = ['-', '_', '=', '.', '~', ':', '!', ','];
/// Longest lead, in bytes. A longer beginning varies rather than leads.
const MAX_LEAD: usize = 16;
/// Longest value whose length a shape counts; regular expressions grow with the number.
const MAX_COUNTED: usize = 128;

/// A class of characters, as a bracket expression and as a test.
struct Class {
    set: &'static str,
    has: fn(u8) -> bool,
}

/// All classes, from narrow to wide; the last one has all characters that a segment may hold.
const CLASSES: [Class; 10] = [
    Class { set: "[0-9]", has: |b| b.is_ascii_digit() },
    Class { set: "[0-9a-f]", has: |b| matches!(b, b'0'..=b'9' | b'a'..=b'f') },
    Class { set: "[0-9A-F]", has: |b| matches!(b, b'0'..=b'9' | b'A'..=b'F') },
    Class { set: "[a-z]", has: |b| b.is_ascii_lowercase() },
    Class { set: "[A-Z]", has: |b| b.is_ascii_uppercase() },
    Class { set: "[0-9a-z]", has: |b| b.is_ascii_lowercase() || b.is_ascii_digit() },
    Class { set: "[0-9A-Z]", has: |b| b.is_ascii_uppercase() || b.is_ascii_digit() },
    Class { set: "[0-9A-Za-z]", has: |b| b.is_ascii_alphanumeric() },
    Class { set: "[-0-9A-Z_a-z]", has: |b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_' },
    Class { set: "[^/?]", has: |b| b != b'/' && b != b'?' },
];

/// A lead, followed by a number of characters of one class.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shape {
    lead: String,
    /// An index into [`CLASSES`].
    class: usize,
    min: usize,
    max: usize,
}

impl Shape {
    /// Returns the narrowest shape with this lead that all `values` have; they must start with it.
    pub fn fit<'a>(lead: &str, values: impl IntoIterator<Item = &'a str>) -> Shape {
        let mut shape = Shape { lead: lead.to_owned(), class: 0, min: usize::MAX, max: 0 };
        // Classes are not nested: some have `a` without `A`, and some have `A` without `a`.
        let mut has_all = [true; CLASSES.len()];
        for value in values {
            let rest = value.strip_prefix(lead).unwrap_or(value);
            for (has_all, class) in has_all.iter_mut().zip(&CLASSES) {
                *has_all &= rest.bytes().all(class.has);
            }
            shape.min = shape.min.min(rest.len());
            shape.max = shape.max.max(rest.len());
        }
        shape.min = shape.min.min(shape.max);
        let narrowest = has_all.iter().position(|&has_all| has_all);
        shape.class = narrowest.unwrap_or(CLASSES.len() - 1);
        shape
    }

    /// Returns whether a segment has this shape.
    pub fn matches(&self, segment: &str) -> bool {
        segment.strip_prefix(&*self.lead).is_some_and(|rest| {
            let is_long_enough = rest.len() >= self.min.max(1);
            let is_short_enough = self.max > MAX_COUNTED || rest.len() <= self.max;
            is_long_enough && is_short_enough && rest.bytes().all(CLASSES[self.class].has)
        })
    }

    /// Returns the shape as a regular expression.
    pub fn regex(&self) -> String {
        self.after(regex::escape(&self.lead))
    }

    /// Appends the class and the number of characters to a lead.
    fn after(&self, mut text: String) -> String {
        text.push_str(CLASSES[self.class].set);
        let min = self.min.max(1);
        let write = if self.max > MAX_COUNTED {
            write!(text, "{{{},}}", min.min(MAX_COUNTED))
        } else if min == self.max {
            write!(text, "{{{min}}}")
        } else {
            write!(text, "{{{min},{}}}", self.max)
        };
        write.expect("writing to a String succeeds");
        text
    }
}

/// Writes the shape for readers: like the regular expression, but without its escapes.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.after(self.lead.clone()))
    }
}

/// Returns the beginning of a value up to and including its first joint; empty without one.
pub fn lead(value: &str) -> &str {
    match value.find(JOINTS) {
        Some(at) if at < MAX_LEAD && at + 1 < value.len() => &value[..=at],
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn shapes_are_narrow() {
        let shape = Shape::fit("S-", ["S-9kQ2mmXw41Ab", "S-Zz80tRe5sdF3"]);
        assert_eq!(shape.regex(), r"S\-[0-9A-Za-z]{12}");
        assert!(shape.matches("S-000000000000") && !shape.matches("S-short"));
        assert!(!shape.matches("T-000000000000"));
        assert_eq!(Shape::fit("", ["12", "7"]).regex(), "[0-9]{1,2}");
        assert_eq!(Shape::fit("", ["0af", "11c"]).regex(), "[0-9a-f]{3}");
        assert_eq!(Shape::fit("", ["é", "%20"]).regex(), "[^/?]{2,3}");
        assert_eq!(Shape::fit("", ["a", "A"]).regex(), "[0-9A-Za-z]{1}");
    }

    #[test]
    fn leads_end_at_the_first_joint() {
        let cases = [
            ("S-abc", "S-"),
            ("sid=1-2", "sid="),
            ("abc", ""),
            ("abc-", ""),
            ("-a", "-"),
            ("", ""),
        ];
        for (value, expected) in cases {
            assert_eq!(lead(value), expected, "{value}");
        }
        assert_eq!(lead("a-long-name-of-a-page"), "a-");
    }

    proptest! {
        #[test]
        fn regex_and_test_agree(
            values in proptest::collection::vec("[!-.0-9@-Z_a-~]{1,20}", 1..4),
            probes in proptest::collection::vec("[!-.0-9@-Z_a-~]{0,20}", 0..8),
        ) {
            let shared = lead(&values[0]).to_owned();
            let values: Vec<&str> = values.iter().map(|v| &**v).filter(|v| v.len() > shared.len() && v.starts_with(&shared)).collect();
            let shape = Shape::fit(&shared, values.iter().copied());
            let regex = regex::Regex::new(&format!("^(?:{})$", shape.regex())).expect("valid");
            for value in &values {
                prop_assert!(shape.matches(value) && regex.is_match(value), "{value}");
            }
            for probe in &probes {
                prop_assert_eq!(shape.matches(probe), regex.is_match(probe), "{}", probe);
            }
        }
    }
}

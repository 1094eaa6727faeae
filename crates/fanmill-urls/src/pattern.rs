//! Patterns: rules as regular expressions for crawlers, and the engine that applies them.
//!
//! The syntax is the common core of Rust's `regex`, RE2 and Go, without look-around and back-references, so that
//! matching takes linear time. A pattern matches from the address's start. It is replaced once, or, if its rule has
//! `repeat`, until nothing changes. Two kinds of rules are not patterns: sorting parameters and lowercasing are named
//! operations.
//!
//! Cost: O(length) for each rule of the address's host.

use std::collections::HashMap;
use std::hash::Hash;

use fanmill_text::{Error, Result};
use regex::bytes::{Regex, RegexBuilder};
use regex::escape;
use xxhash_rust::xxh3::Xxh3;

use super::address::Parts;
use super::rule::{Kind, Rule, Target};

/// The operation that a crawler performs for a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Replaces the match of the pattern.
    Replace,
    /// Sorts the query's parameters by name; those of equal names keep their order.
    SortParameters,
    /// Puts the path into lower case, ASCII letters only.
    LowercasePath,
}

impl Operation {
    const ALL: [Operation; 3] =
        [Operation::Replace, Operation::SortParameters, Operation::LowercasePath];

    /// Returns the name that is used in rules.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Replace => "replace",
            Operation::SortParameters => "sort-parameters",
            Operation::LowercasePath => "lowercase-path",
        }
    }

    /// Returns the operation with this name.
    pub fn named(name: &str) -> Option<Operation> {
        Operation::ALL.into_iter().find(|operation| operation.name() == name)
    }
}

/// A rule in the form that a crawler uses.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// The operation.
    pub operation: Operation,
    /// The expression to be replaced; for the other operations, it selects the addresses.
    pub regex: String,
    /// The replacement: text with `${1}` for groups, and `$$` for a dollar.
    pub replace: String,
    /// If set, replacing is repeated until nothing changes, since a parameter may occur twice.
    pub repeat: bool,
}

impl Pattern {
    /// Makes the pattern of a rule.
    pub fn from_rule(rule: &Rule) -> Pattern {
        let host = escape(&rule.host);
        let scope = escape(&rule.scope);
        // After a scope, a path continues with a slash, or with a parameter of its last segment.
        let any = if scope.is_empty() { "/[^?]*" } else { "(?:[/;][^?]*)?" };
        let once = |regex: String, replace: &str| Pattern {
            operation: Operation::Replace,
            regex,
            replace: replace.to_owned(),
            repeat: false,
        };
        let named = |operation: Operation| Pattern {
            operation,
            regex: format!("^https?://{host}/"),
            replace: String::new(),
            repeat: false,
        };
        match &rule.kind {
            Kind::Scheme(to) => {
                once(format!("^https?://{host}/"), &format!("{to}://{}/", literal(&rule.host)))
            }
            Kind::Move(target) => moved(rule, target),
            Kind::Parameter(name) => {
                let parameter = format!("{}(?:=[^&]*)?", escape(name));
                let regex = format!(
                    r"^(https?://{host}{scope}{any})(?:\?{parameter}$|(\?){parameter}&|(\?.*?)&{parameter}(&|$))"
                );
                Pattern { repeat: true, ..once(regex, "${1}${2}${3}${4}") }
            }
            Kind::PathParameter(name) => {
                let any = if scope.is_empty() { "/[^?]*?" } else { "(?:[/;][^?]*?)?" };
                let regex = format!(
                    r"^(https?://{host}{scope}{any});{}(?:=[^;/?]*)?([;/?]|$)",
                    escape(name)
                );
                Pattern { repeat: true, ..once(regex, "${1}${2}") }
            }
            Kind::Order => named(Operation::SortParameters),
            Kind::Case => named(Operation::LowercasePath),
            Kind::Slash => once(format!(r"^(https?://{host}/[^?]*?[^/?])/+(\?|$)"), "${1}${2}"),
            Kind::Index(file) => {
                once(format!(r"^(https?://{host}/(?:[^?]*/)?){}(\?|$)", escape(file)), "${1}${2}")
            }
            Kind::Segment { at, shape } => {
                let between = at - rule.scope.matches('/').count();
                let regex = format!(
                    r"^(https?://{host}{scope}(?:/[^/?]*){{{between}}}/){}(?:/|$|(\?))",
                    shape.regex()
                );
                once(regex, "${1}${2}")
            }
        }
    }
}

fn moved(rule: &Rule, target: &Target) -> Pattern {
    let (host, scope) = (escape(&rule.host), escape(&rule.scope));
    let path = literal(&target.path);
    let start = match &target.scheme {
        Some(scheme) => format!("{scheme}://{}", literal(&target.host)),
        None => format!("${{1}}://{}", literal(&target.host)),
    };
    // An address must not end after its host.
    let (end, kept) = match (rule.scope.is_empty(), target.path.is_empty()) {
        (true, _) => ("/", "/"),
        (false, true) => (r"(?:/|$|([?;]))", "/${2}"),
        (false, false) => (r"([/?;]|$)", "${2}"),
    };
    Pattern {
        operation: Operation::Replace,
        regex: format!("^(https?)://{host}{scope}{end}"),
        replace: format!("{start}{path}{kept}"),
        repeat: false,
    }
}

/// Escapes text so that it is literal in a replacement.
fn literal(text: &str) -> String {
    text.replace('$', "$$")
}

/// Patterns ready to be applied, in order.
#[derive(Debug, Default)]
pub struct Rewriter {
    /// The rules of each host, ascending.
    by_host: HashMap<String, Vec<CompiledRule>>,
    /// A hash of all rules, in order.
    identity: u64,
}

#[derive(Debug)]
struct CompiledRule {
    /// Its place among all rules.
    number: usize,
    operation: Operation,
    regex: Regex,
    replace: String,
    repeat: bool,
}

impl Rewriter {
    /// Prepares rules, each with the host whose addresses it changes, in the order in which they apply.
    ///
    /// # Errors
    /// If a regular expression is invalid or too large; the error names the rule's number, from 1.
    pub fn new(rules: impl IntoIterator<Item = (String, Pattern)>) -> Result<Rewriter> {
        let numbered = rules.into_iter().enumerate();
        Rewriter::numbered(numbered.map(|(number, (host, pattern))| (number, host, pattern)))
    }

    /// Prepares some of many rules, each with its number among all, ascending.
    pub(super) fn numbered(
        rules: impl IntoIterator<Item = (usize, String, Pattern)>,
    ) -> Result<Rewriter> {
        let mut by_host: HashMap<String, Vec<CompiledRule>> = HashMap::new();
        let mut identity = Xxh3::new();
        for (number, host, pattern) in rules {
            (number as u64, &host, &pattern).hash(&mut identity);
            let regex = compiled(&pattern.regex).map_err(|error| {
                let error = error.to_string();
                let error = error.lines().last().unwrap_or_default();
                Error::input(format!("rule {} has no regular expression: {error}", number + 1))
            })?;
            let Pattern { operation, replace, repeat, .. } = pattern;
            by_host.entry(host).or_default().push(CompiledRule {
                number,
                operation,
                regex,
                replace,
                repeat,
            });
        }
        Ok(Rewriter { by_host, identity: identity.digest() })
    }

    /// Returns a number that is equal for equal rules in the same order, and almost certainly for no others.
    pub fn identity(&self) -> u64 {
        self.identity
    }

    /// Returns an address, spelled as by [`normalise`](super::address::normalise), after all rules. A rule that moves
    /// it to another host is followed by that host's later rules.
    pub fn rewrite(&self, address: &str) -> String {
        let mut address = address.to_owned();
        let mut next = 0;
        loop {
            let Some(rules) = self.by_host.get(Parts::from_address(&address).host) else {
                return address;
            };
            let Some(rule) = rules.iter().find(|rule| rule.number >= next) else { return address };
            next = rule.number + 1;
            if let Some(changed) = rule.apply(&address) {
                address = changed;
            }
        }
    }
}

impl CompiledRule {
    fn apply(&self, address: &str) -> Option<String> {
        if !self.regex.is_match(address.as_bytes()) {
            return None;
        }
        let whole = |kind: Kind| {
            let host = Parts::from_address(address).host.to_owned();
            Rule { host, scope: String::new(), kind }.apply(address)
        };
        match self.operation {
            Operation::SortParameters => whole(Kind::Order),
            Operation::LowercasePath => whole(Kind::Case),
            Operation::Replace => Some(self.replaced(address)),
        }
    }

    fn replaced(&self, address: &str) -> String {
        // Repeating our rules makes the address shorter; rules from elsewhere may not do so, and are stopped.
        let mut left = if self.repeat { address.len() } else { 1 };
        let mut bytes = address.as_bytes().to_vec();
        while left > 0 {
            let changed = self.regex.replace(&bytes, self.replace.as_bytes());
            if *changed == *bytes {
                break;
            }
            left = (left - 1).min(changed.len());
            bytes = changed.into_owned();
        }
        // Addresses are ASCII, but an expression from elsewhere could cut a character of a replacement in two.
        String::from_utf8(bytes).unwrap_or_else(|_| address.to_owned())
    }
}

/// Compiles an expression on bytes: addresses are ASCII, and Unicode classes take ten times the memory.
fn compiled(regex: &str) -> std::result::Result<Regex, regex::Error> {
    RegexBuilder::new(regex).unicode(false).build()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::address::normalise;
    use crate::shape::Shape;

    fn names() -> impl Strategy<Value = String> {
        prop::sample::select(vec!["a", "s", "s.t", "a[]", "$1", "index.html", "~n"])
            .prop_map(str::to_owned)
    }

    fn kinds() -> impl Strategy<Value = Kind> {
        let target = |host: &'static str| {
            prop::sample::select(vec!["", "/a", "/$1/s"]).prop_map(move |path| {
                let scheme = (host != "example.org").then(|| "https".to_owned());
                Kind::Move(Target { scheme, host: host.to_owned(), path: path.to_owned() })
            })
        };
        let shapes = prop::sample::select(vec![
            Shape::fit("S-", ["S-abc", "S-12"]),
            Shape::fit("", ["a", "s"]),
            Shape::fit("", ["$1", "~n%"]),
        ]);
        prop_oneof![
            prop::sample::select(vec!["http", "https"]).prop_map(Kind::Scheme),
            target("example.org"),
            target("example.net:8080"),
            names().prop_map(Kind::Parameter),
            names().prop_map(Kind::PathParameter),
            Just(Kind::Order),
            Just(Kind::Slash),
            Just(Kind::Case),
            names().prop_map(Kind::Index),
            (0_usize..3, shapes).prop_map(|(at, shape)| Kind::Segment { at, shape }),
        ]
    }

    /// Addresses that have every piece that a rule may name, often and in odd places.
    fn addresses() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "/",
            "/",
            "/a",
            "/s",
            "/S-abc",
            "/$1",
            ";s=1",
            ";a",
            ";s",
            "/index.html",
            "a",
            "A",
            "s",
            "?",
            "&s=1",
            "&a=2",
            "&s",
            "&a[]=s&",
            "&s.t=",
            "=",
            "/~n",
            "?s=1",
            "%20",
        ]);
        let host = prop::sample::select(vec!["example.org", "example.org", "example.net:8080"]);
        let scheme = prop::sample::select(vec!["http", "https"]);
        (scheme, host, prop::collection::vec(piece, 0..12))
            .prop_map(|(scheme, host, pieces)| format!("{scheme}://{host}/{}", pieces.concat()))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(fanmill_effort::cases(4000)))]
        #[test]
        fn pattern_and_rule_do_the_same(
            kind in kinds(),
            scope in prop::sample::select(vec!["", "", "/a", "/$1", "/a/s"]),
            addresses in prop::collection::vec(addresses(), 8),
        ) {
            let is_scoped = matches!(kind, Kind::Parameter(_) | Kind::PathParameter(_) | Kind::Move(_))
                || matches!(kind, Kind::Segment { at, .. } if at >= scope.matches('/').count());
            let scope = if is_scoped { scope } else { "" };
            let rule = Rule { host: "example.org".to_owned(), scope: scope.to_owned(), kind };
            let rewriter = Rewriter::new([(rule.host.clone(), Pattern::from_rule(&rule))]).expect("valid");
            for address in addresses {
                let address = normalise(&address).expect("an address");
                let expected = rule.apply(&address).unwrap_or_else(|| address.clone());
                prop_assert_eq!(rewriter.rewrite(&address), expected, "{} of {}", rule, address);
                // A crawler may have only the expression, so that must contain the host.
                let foreign = address.replace("://example", "://another.example");
                let longer = address.replace("example.org", "example.org.example.com");
                let regex = compiled(&Pattern::from_rule(&rule).regex).expect("valid");
                prop_assert!(!regex.is_match(foreign.as_bytes()), "{} matches {}", regex, foreign);
                prop_assert!(longer == address || !regex.is_match(longer.as_bytes()), "{} matches {}", regex, longer);
            }
        }
    }

    #[test]
    fn later_rules_of_the_new_host_follow() {
        let target = Target { scheme: None, host: "example.org".to_owned(), path: String::new() };
        let rule =
            |host: &str, kind: Kind| Rule { host: host.to_owned(), scope: String::new(), kind };
        let rules = [
            rule("example.org", Kind::Parameter("early".to_owned())),
            rule("www.example.org", Kind::Move(target)),
            rule("example.org", Kind::Parameter("late".to_owned())),
        ];
        let rewriter = Rewriter::new(rules.iter().map(|r| (r.host.clone(), Pattern::from_rule(r))))
            .expect("valid");
        assert_eq!(
            rewriter.rewrite("http://www.example.org/?early=1&late=2&x"),
            "http://example.org/?early=1&x"
        );
        assert_eq!(rewriter.rewrite("http://example.com/?late=1"), "http://example.com/?late=1");
    }

    #[test]
    fn what_is_no_expression_is_named() {
        let pattern = Pattern {
            operation: Operation::Replace,
            regex: "^(".to_owned(),
            replace: String::new(),
            repeat: false,
        };
        let error =
            Rewriter::new([("example.org".to_owned(), pattern)]).expect_err("no expression");
        assert!(error.is_input() && error.to_string().starts_with("rule 1 "), "{error}");
    }
}

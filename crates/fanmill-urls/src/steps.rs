//! Rules applied one after another, but those that drop parameters in a single pass.
//!
//! If a host gives every visit a dozen parameters of its own, in the query or in the path, the rules that drop them are
//! tried together on every address: all of them, and all but each one. Writing an address anew for each rule took a
//! dozen times as long as looking at each of its parameters once.
//!
//! Cost: O(length of the address) for neighbouring rules that drop parameters below the same scope, however many there
//! are, and as much for each other rule.

use std::collections::BTreeSet;

use super::address::Parts;
use super::rule::{Kind, Rule, is_below, without_parameters};

/// Rules, prepared to be applied to many addresses.
#[derive(Debug)]
pub(super) struct Steps<'a>(Vec<Step<'a>>);

#[derive(Debug)]
enum Step<'a> {
    Rule(&'a Rule),
    /// Two or more rules that drop parameters of the query, and of the path's segments.
    Parameters {
        host: &'a str,
        scope: &'a str,
        of_query: BTreeSet<&'a str>,
        of_path: BTreeSet<&'a str>,
    },
}

impl<'a> Steps<'a> {
    /// Prepares these rules, in this order.
    pub(super) fn new(rules: &[&'a Rule]) -> Steps<'a> {
        let together = rules.chunk_by(|x, y| {
            let drop_both = [x, y].iter().all(|rule| rule.drops_parameter());
            drop_both && x.host == y.host && x.scope == y.scope
        });
        Steps(together.map(Step::from_rules).collect())
    }

    /// Returns an address after all rules; `None` if none of them changes it.
    pub(super) fn rewritten(&self, address: &str) -> Option<String> {
        let mut changed: Option<String> = None;
        for step in &self.0 {
            if let Some(next) = step.apply(changed.as_deref().unwrap_or(address)) {
                changed = Some(next);
            }
        }
        changed
    }
}

impl<'a> Step<'a> {
    fn from_rules(rules: &[&'a Rule]) -> Step<'a> {
        let first = rules[0];
        if rules.len() == 1 {
            return Step::Rule(first);
        }
        let (mut of_query, mut of_path) = (BTreeSet::new(), BTreeSet::new());
        for rule in rules {
            match &rule.kind {
                Kind::Parameter(name) => of_query.insert(&**name),
                Kind::PathParameter(name) => of_path.insert(&**name),
                _ => false,
            };
        }
        Step::Parameters { host: &first.host, scope: &first.scope, of_query, of_path }
    }

    fn apply(&self, address: &str) -> Option<String> {
        let (host, scope, of_query, of_path) = match self {
            Step::Rule(rule) => return rule.apply(address),
            Step::Parameters { host, scope, of_query, of_path } => (host, scope, of_query, of_path),
        };
        let parts = Parts::from_address(address);
        if parts.host != *host || !is_below(parts.path, scope) {
            return None;
        }
        without_parameters(parts, |name| of_query.contains(name), |name| of_path.contains(name))
    }
}

/// The naive twin: applies each rule by itself.
#[cfg(test)]
fn naive(address: &str, rules: &[&Rule]) -> Option<String> {
    let mut changed: Option<String> = None;
    for rule in rules {
        if let Some(next) = rule.apply(changed.as_deref().unwrap_or(address)) {
            changed = Some(next);
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rules() -> impl Strategy<Value = Vec<Rule>> {
        let kinds = prop_oneof![
            6 => prop::sample::select(vec!["a", "b", "", "c=", "id"]).prop_map(|name| Kind::Parameter(name.to_owned())),
            6 => prop::sample::select(vec!["a", "b", "", "c=", "id"]).prop_map(|name| Kind::PathParameter(name.to_owned())),
            1 => prop::sample::select(vec![Kind::Slash, Kind::Order, Kind::Case, Kind::Scheme("https")]),
        ];
        let host = prop::sample::select(vec!["x.org", "x.org", "y.org"]);
        let scope = prop::sample::select(vec!["", "", "/s"]);
        let rule = (host, scope, kinds).prop_map(|(host, scope, kind)| Rule {
            host: host.to_owned(),
            scope: scope.to_owned(),
            kind,
        });
        prop::collection::vec(rule, 0..8)
    }

    proptest! {
        #[test]
        fn rules_together_do_what_they_do_one_after_another(
            rules in rules(),
            path in prop::sample::select(vec!["", "/", "/s", "/s/", "/S/t", "/st", "/s;a", "/s;a=1;b/t;x;id=2;a", "/s/t;c==1;;b", "/;a/s;b"]),
            query in prop::sample::select(vec!["", "?", "?&", "?a=1", "?b&a=1&a=2", "?c==1&id=&x=y&b=2", "?=&a"]),
        ) {
            let address = format!("http://x.org{path}{query}");
            let rules: Vec<&Rule> = rules.iter().collect();
            prop_assert_eq!(Steps::new(&rules).rewritten(&address), naive(&address, &rules));
        }
    }

    /// Applying a bundle of a dozen rules is a single step.
    #[test]
    fn a_dozen_rules_that_drop_parameters_are_one_step() {
        let rule = |n: usize| Rule {
            host: "x.org".to_owned(),
            scope: String::new(),
            kind: if n < 12 {
                Kind::Parameter(format!("p{n}"))
            } else {
                Kind::PathParameter(format!("p{n}"))
            },
        };
        let rules: Vec<Rule> = (0..24).map(rule).collect();
        let rules: Vec<&Rule> = rules.iter().collect();
        let steps = Steps::new(&rules);
        assert_eq!(steps.0.len(), 1);
        let of_path = (12..24).map(|n| format!(";p{n}={n}")).collect::<Vec<_>>().concat();
        let of_query: Vec<String> = (0..12).map(|n| format!("p{n}={n}")).collect();
        let address = format!("http://x.org/s{of_path}?{}", of_query.join("&"));
        assert_eq!(steps.rewritten(&address).as_deref(), Some("http://x.org/s"));
    }
}

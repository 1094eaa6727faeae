//! Rules: each rewrites addresses without a part that their content does not depend on.
//!
//! A rule changes addresses of one host, below one path, and leaves all others unchanged. Its effect is written twice:
//! plainly, here, for learning; and as a regular expression, in [`pattern`](super::pattern), for crawlers. A property
//! test checks that both are equal.

use std::fmt;

use super::address::{Parts, name};
use super::shape::Shape;

/// A way to rewrite addresses of a host.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rule {
    /// The host whose addresses change, with its port if it has one.
    pub host: String,
    /// The path below which they change: empty for all, or a path like `/shop/items`.
    pub scope: String,
    /// The change.
    pub kind: Kind,
}

/// The change that a rule makes, the simplest first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The scheme becomes this one.
    Scheme(&'static str),
    /// The scope equals another folder, of this host or of another one.
    Move(Target),
    /// A parameter of the query is dropped, whatever its value.
    Parameter(String),
    /// A parameter of path segments, `;name=value`, is dropped.
    PathParameter(String),
    /// Parameters are sorted by their names.
    Order,
    /// Slashes at the end of the path are dropped.
    Slash,
    /// A file that represents its folder, such as `index.html`, is dropped.
    Index(String),
    /// The path is put in lower case.
    Case,
    /// A segment of the path is dropped.
    Segment {
        /// Its position, counted from 0.
        at: usize,
        /// The shape that it must have to be dropped.
        shape: Shape,
    },
}

/// The place that a folder moves to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    /// Its scheme; `None` for that of the address, if it stays on its host.
    pub scheme: Option<String>,
    /// Its host.
    pub host: String,
    /// Its path, empty for the whole host.
    pub path: String,
}

impl Rule {
    /// Returns the address without the part that the rule drops; `None` if it does not change.
    pub fn apply(&self, address: &str) -> Option<String> {
        let parts = Parts::from_address(address);
        if parts.host != self.host || !is_below(parts.path, &self.scope) {
            return None;
        }
        let rewritten = self.rewrite(parts)?;
        (rewritten != address).then_some(rewritten)
    }

    fn rewrite(&self, parts: Parts<'_>) -> Option<String> {
        let with_path = |path: &str| join(parts.scheme, parts.host, path, parts.query);
        match &self.kind {
            Kind::Scheme(to) => Some(join(to, parts.host, parts.path, parts.query)),
            Kind::Move(target) => Some(self.moved(parts, target)),
            Kind::Parameter(dropped) => {
                without_parameters(parts, |name| name == dropped, |_| false)
            }
            Kind::PathParameter(dropped) => {
                without_parameters(parts, |_| false, |name| name == dropped)
            }
            Kind::Order => {
                let mut sorted: Vec<&str> = parts.parameters().collect();
                sorted.sort_by_key(|parameter| name(parameter));
                Some(with_parameters(parts, &sorted))
            }
            Kind::Slash => {
                let path = parts.path.trim_end_matches('/');
                (!path.is_empty()).then(|| with_path(path))
            }
            Kind::Index(file) => {
                let folder = parts.path.strip_suffix(&**file)?;
                // The file must be the whole last segment.
                folder.ends_with('/').then(|| with_path(folder))
            }
            Kind::Case => Some(with_path(&parts.path.to_ascii_lowercase())),
            Kind::Segment { at, shape } => {
                without_segment(parts.path, &self.scope, *at, shape).map(|path| with_path(&path))
            }
        }
    }

    /// Returns the address with another folder in place of the scope.
    fn moved(&self, parts: Parts<'_>, target: &Target) -> String {
        let rest = &parts.path[self.scope.len()..];
        let path = format!("{}{rest}", target.path);
        let path = if path.starts_with('/') { path } else { format!("/{path}") };
        join(target.scheme.as_deref().unwrap_or(parts.scheme), &target.host, &path, parts.query)
    }

    /// Returns whether the rule drops a parameter, of the query or of the path. Rules of this kind may be applied in
    /// any order, and addresses that some of them make equal stay equal under more of them.
    pub(super) fn drops_parameter(&self) -> bool {
        matches!(self.kind, Kind::Parameter(_) | Kind::PathParameter(_))
    }

    /// Returns the host that addresses move to under the rule, if it is another one.
    pub fn new_host(&self) -> Option<&str> {
        match &self.kind {
            Kind::Move(target) if target.host != self.host => Some(&target.host),
            _ => None,
        }
    }
}

/// Returns whether a path is `scope` or below it.
pub(super) fn is_below(path: &str, scope: &str) -> bool {
    path.strip_prefix(scope)
        .is_some_and(|rest| scope.is_empty() || rest.is_empty() || rest.starts_with(['/', ';']))
}

fn join(scheme: &str, host: &str, path: &str, query: Option<&str>) -> String {
    let (mark, query) = query.map_or(("", ""), |query| ("?", query));
    [scheme, "://", host, path, mark, query].concat()
}

fn with_parameters(parts: Parts<'_>, parameters: &[&str]) -> String {
    let query = parameters.join("&");
    join(parts.scheme, parts.host, parts.path, (!query.is_empty()).then_some(&*query))
}

/// Returns an address without some parameters of its query and of its path's segments; `None`, at little cost, if it
/// does not have any of them.
pub(super) fn without_parameters(
    parts: Parts<'_>,
    in_query: impl Fn(&str) -> bool,
    in_path: impl Fn(&str) -> bool,
) -> Option<String> {
    let path = without(parts.path, in_path);
    let of_path = Parts { path: path.as_deref().unwrap_or(parts.path), ..parts };
    if parts.parameters().any(|parameter| in_query(name(parameter))) {
        let kept = parts.parameters().filter(|parameter| !in_query(name(parameter)));
        return Some(with_parameters(of_path, &kept.collect::<Vec<&str>>()));
    }
    path.as_deref().map(|path| join(parts.scheme, parts.host, path, parts.query))
}

/// Returns a path without some parameters of its segments; `None` if it does not have any of them.
fn without(path: &str, is_dropped: impl Fn(&str) -> bool) -> Option<String> {
    if !path.contains(';') {
        return None;
    }
    let mut kept = String::with_capacity(path.len());
    for (i, segment) in path.split('/').enumerate() {
        if i > 0 {
            kept.push('/');
        }
        let mut pieces = segment.split(';');
        kept.push_str(pieces.next().unwrap_or_default());
        for piece in pieces.filter(|piece| !is_dropped(name(piece))) {
            kept.push(';');
            kept.push_str(piece);
        }
    }
    (kept.len() < path.len()).then_some(kept)
}

/// Returns a path without its segment `at`; if that is the last one, the folder is left.
fn without_segment(path: &str, scope: &str, at: usize, shape: &Shape) -> Option<String> {
    if !path[scope.len()..].starts_with('/') {
        return None;
    }
    let segments: Vec<&str> = path.strip_prefix('/')?.split('/').collect();
    let segment = segments.get(at).filter(|segment| shape.matches(segment))?;
    let start = 1 + segments[..at].iter().map(|s| s.len() + 1).sum::<usize>();
    let rest = &path[start + segment.len()..];
    // One slash belongs to the segment; further ones are empty segments, and stay.
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    Some(format!("{}{rest}", &path[..start]))
}

impl fmt::Display for Rule {
    /// Describes the rule for readers, without the host.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Scheme(to) => write!(f, "write {to}")?,
            Kind::Move(target) => {
                let source = if self.scope.is_empty() { "the host" } else { &*self.scope };
                let is_here = target.host == self.host;
                let host = if is_here { "" } else { &*target.host };
                let is_root = target.path.is_empty() && (is_here || !self.scope.is_empty());
                let path = if is_root { "/" } else { &*target.path };
                return write!(f, "write {host}{path} for {source}");
            }
            Kind::Parameter(name) => write!(f, "drop parameter {name}")?,
            Kind::PathParameter(name) => write!(f, "drop path parameter ;{name}")?,
            Kind::Order => write!(f, "sort parameters")?,
            Kind::Slash => write!(f, "drop the slash at the end")?,
            Kind::Index(file) => write!(f, "drop {file}")?,
            Kind::Case => write!(f, "lower case path")?,
            Kind::Segment { at, shape } => {
                write!(f, "drop path segment {}, {shape}", at + 1)?;
            }
        }
        if self.scope.is_empty() { Ok(()) } else { write!(f, " below {}", self.scope) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(scope: &str, kind: Kind) -> Rule {
        Rule { host: "shop.example.com".to_owned(), scope: scope.to_owned(), kind }
    }

    fn becomes(rule: &Rule, from: &str, to: &str) {
        let address = |rest: &str| format!("http://shop.example.com{rest}");
        assert_eq!(rule.apply(&address(from)), Some(address(to)), "{rule}");
        assert_eq!(rule.apply(&address(to)), None, "{rule} is not idempotent");
    }

    #[test]
    fn parameters_are_dropped_where_they_are() {
        let sid = rule("", Kind::Parameter("sid".to_owned()));
        becomes(&sid, "/?sid=1", "/");
        becomes(&sid, "/a?sid=1&x=2&sid&y=3&sid=", "/a?x=2&y=3");
        assert_eq!(sid.apply("http://shop.example.com/?sids=1&x=sid"), None);
        assert_eq!(sid.apply("http://www.shop.example.com/?sid=1"), None);
        let below = rule("/a", Kind::Parameter("sid".to_owned()));
        becomes(&below, "/a/b?sid=1", "/a/b");
        becomes(&below, "/a;v=1?sid=1", "/a;v=1");
        assert_eq!(below.apply("http://shop.example.com/ab?sid=1"), None);
    }

    #[test]
    fn path_parameters_are_dropped_from_every_segment() {
        let rule = rule("", Kind::PathParameter("s".to_owned()));
        becomes(&rule, "/a;s=1;t=2/b;s?s=1", "/a;t=2/b?s=1");
        becomes(&rule, "/;s=1", "/");
    }

    #[test]
    fn segments_are_dropped_if_they_look_like_it() {
        let shape = Shape::fit("S-", ["S-xyz"]);
        let first = rule("", Kind::Segment { at: 0, shape: shape.clone() });
        becomes(&first, "/S-xyz", "/");
        becomes(&first, "/S-xyz/", "/");
        becomes(&first, "/S-xyz//p?x", "//p?x");
        let second = rule("/a", Kind::Segment { at: 1, shape });
        becomes(&second, "/a/S-xyz", "/a/");
        becomes(&second, "/a/S-xyz/p", "/a/p");
        assert_eq!(second.apply("http://shop.example.com/b/S-xyz/p"), None);
    }

    #[test]
    fn the_rest_of_the_path_is_tidied() {
        becomes(&rule("", Kind::Slash), "/a//?x", "/a?x");
        becomes(&rule("", Kind::Index("index.html".to_owned())), "/a/index.html?x", "/a/?x");
        becomes(&rule("", Kind::Case), "/A/%C3%84?X=Y", "/a/%c3%84?X=Y");
        becomes(&rule("", Kind::Order), "/?b=2&a=2&b=1", "/?a=2&b=2&b=1");
        assert_eq!(rule("", Kind::Slash).apply("http://shop.example.com//"), None);
    }

    #[test]
    fn folders_and_hosts_move() {
        let target = |scheme: Option<&str>, host: &str, path: &str| {
            let scheme = scheme.map(str::to_owned);
            Kind::Move(Target { scheme, host: host.to_owned(), path: path.to_owned() })
        };
        becomes(
            &rule("/~nina", target(None, "shop.example.com", "/users/nina")),
            "/~nina/a?x",
            "/users/nina/a?x",
        );
        becomes(&rule("/old", target(None, "shop.example.com", "")), "/old?x", "/?x");
        let mirror = rule("", target(Some("https"), "example.org", "/shop"));
        assert_eq!(
            mirror.apply("http://shop.example.com/a?x").as_deref(),
            Some("https://example.org/shop/a?x")
        );
        assert_eq!(mirror.new_host(), Some("example.org"));
    }
}

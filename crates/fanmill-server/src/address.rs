//! The address at which people reach the service, which may be a path of a host that has other pages too.
//!
//! `https://www.example.edu/fanmill` has the prefix `/fanmill`. Routes and handlers know nothing of it: it is taken off
//! each request, and put before the places and the paths of cookies in the head of each answer. Requests without it are
//! answered as well, because some proxies take it off, and checks on the same machine do not know it.

use std::fmt;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::uri::{PathAndQuery, Uri};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::{self, Next};
use axum::response::Response;
use fanmill_text::message;
use fanmill_text::{Error, Setting};
use url::Url;

/// The address at which people reach the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    /// Scheme, host and port, as browsers write them in the header `Origin`.
    origin: String,
    /// The path below which all pages are: empty, or with a slash at its beginning and none at its end.
    prefix: String,
}

impl Address {
    /// Parses an address that people use.
    ///
    /// # Errors
    /// If it is no address of HTTP, or has more than a host, a port and a path of plain characters.
    pub(crate) fn parse(text: &str) -> Result<Address, Error> {
        let refused = |why: &str| {
            let example = "`https://copies.example.edu` or `https://www.example.edu/copies`";
            Error::setting(message![
                "the address `{text}` {why}; give one like {example} by ",
                Setting("public-url")
            ])
        };
        let url = Url::parse(text).map_err(|why| refused(&format!("cannot be read: {why}")))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(refused("begins with neither `https://` nor `http://`"));
        }
        let has_more = url.query().is_some() || url.fragment().is_some();
        if has_more || !url.username().is_empty() || url.password().is_some() {
            return Err(refused("has more than a host, a port and a path"));
        }
        let prefix = url.path().trim_end_matches('/');
        let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~".contains(&b);
        let mut parts = prefix.split('/').skip(1);
        if !parts.all(|part| !part.is_empty() && part.bytes().all(is_plain)) {
            return Err(refused(
                "has other characters in its path than `A`-`Z`, `a`-`z`, `0`-`9` and `-._~/`",
            ));
        }
        let prefix = prefix.to_owned();
        Ok(Address { origin: url.origin().ascii_serialization(), prefix })
    }

    /// Scheme, host and port.
    pub(crate) fn origin(&self) -> &str {
        &self.origin
    }

    /// The host with its port, unless that is the scheme's own.
    pub(crate) fn host(&self) -> &str {
        self.origin.split_once("://").map_or("", |(_, host)| host)
    }

    pub(crate) fn prefix(&self) -> &str {
        &self.prefix
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        self.origin.starts_with("https:")
    }

    /// Returns the path that browsers ask for, of one that a route has.
    pub(crate) fn outer(&self, path: &str) -> String {
        format!("{}{path}", self.prefix)
    }

    /// Returns the path that a route has, of one that was asked for.
    fn inner<'a>(&self, path: &'a str) -> &'a str {
        let rest = path.strip_prefix(&self.prefix);
        match rest.filter(|rest| rest.is_empty() || rest.starts_with('/')) {
            Some("") => "/",
            Some(rest) => rest,
            None => path,
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.origin, self.prefix)
    }
}

/// Wraps a router so that its routes lie below the prefix of the address.
pub(crate) fn below(address: &Address, router: Router) -> Router {
    if address.prefix.is_empty() {
        return router;
    }
    // A layer of `router` itself would come after the route has been chosen.
    let layer = middleware::from_fn_with_state(address.clone(), converted);
    Router::new().fallback_service(router).layer(layer)
}

async fn converted(State(address): State<Address>, mut request: Request, next: Next) -> Response {
    if let Some(inner) = without_prefix(&address, request.uri()) {
        *request.uri_mut() = inner;
    }
    let mut response = next.run(request).await;
    add_prefix(&address, response.headers_mut());
    response
}

/// Returns the URI of the route, or nothing if it has no prefix that could be taken off.
fn without_prefix(address: &Address, uri: &Uri) -> Option<Uri> {
    let path = address.inner(uri.path());
    let whole = match uri.query() {
        Some(query) => PathAndQuery::try_from(format!("{path}?{query}")),
        None => PathAndQuery::try_from(path),
    };
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(whole.ok()?);
    Uri::from_parts(parts).ok()
}

/// Puts the prefix before the place that an answer leads to, and before the paths of its cookies.
fn add_prefix(address: &Address, headers: &mut HeaderMap) {
    let text = |value: &HeaderValue| value.to_str().map(str::to_owned).unwrap_or_default();
    let place = headers.get(header::LOCATION).map(text);
    if let Some(place) = place.filter(|place| place.starts_with('/'))
        && let Ok(place) = HeaderValue::from_str(&address.outer(&place))
    {
        headers.insert(header::LOCATION, place);
    }
    let cookies: Vec<String> = headers.get_all(header::SET_COOKIE).iter().map(text).collect();
    headers.remove(header::SET_COOKIE);
    for cookie in cookies {
        let cookie = cookie.replacen("; Path=/", &format!("; Path={}/", address.prefix), 1);
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            headers.append(header::SET_COOKIE, cookie);
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use tower_service::Service;

    use super::*;

    fn address(text: &str) -> Address {
        Address::parse(text).expect("an address")
    }

    #[test]
    fn an_address_is_an_origin_and_a_prefix() {
        for (text, origin, prefix) in [
            ("https://copies.example.edu", "https://copies.example.edu", ""),
            ("https://copies.example.edu/", "https://copies.example.edu", ""),
            ("https://Copies.Example.edu:443/", "https://copies.example.edu", ""),
            ("http://10.0.0.7:7474", "http://10.0.0.7:7474", ""),
            ("http://[::1]:80/a", "http://[::1]", "/a"),
            ("https://www.example.edu/it/copies/", "https://www.example.edu", "/it/copies"),
            ("https://www.example.edu/a/../copies_2.0", "https://www.example.edu", "/copies_2.0"),
        ] {
            let read = address(text);
            assert_eq!((read.origin(), read.prefix()), (origin, prefix), "{text}");
            assert_eq!(read.to_string(), format!("{origin}{prefix}"));
        }
    }

    #[test]
    fn what_is_no_address_is_refused_with_the_way_out() {
        for (text, why) in [
            ("copies.example.edu", "cannot be read"),
            ("copies.example.edu:443", "begins with neither"),
            ("ftp://copies.example.edu", "begins with neither"),
            ("https://", "cannot be read"),
            ("https://anna@copies.example.edu", "more than a host"),
            ("https://copies.example.edu/?a=b", "more than a host"),
            ("https://copies.example.edu/#top", "more than a host"),
            ("https://copies.example.edu/a//b", "other characters"),
            ("https://copies.example.edu/a b", "other characters"),
            ("https://copies.example.edu/a;b", "other characters"),
        ] {
            let refused = Address::parse(text).expect_err(text).to_string();
            assert!(refused.contains(why) && refused.contains(text), "{text}: {refused}");
        }
    }

    #[test]
    fn a_prefix_is_taken_off_whole_parts_of_a_path() {
        let address = address("https://www.example.edu/copies");
        for (asked, route) in [
            ("/copies", "/"),
            ("/copies/", "/"),
            ("/copies?a=/copies/b", "/?a=/copies/b"),
            ("/copies/users", "/users"),
            ("/copies/copies/users", "/copies/users"),
            ("/copiesandmore", "/copiesandmore"),
            ("/livez", "/livez"),
            ("/copies//other.example", "//other.example"),
        ] {
            let uri: Uri = asked.parse().expect("a URI");
            assert_eq!(
                without_prefix(&address, &uri).expect("a URI").to_string(),
                route,
                "{asked}"
            );
        }
    }

    #[test]
    fn routes_answer_below_the_prefix_and_without_it() {
        let routes = Router::new().route("/users", axum::routing::get(|| async { "all" }));
        let mut router = below(&address("https://www.example.edu/copies"), routes);
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        for (path, status) in [
            ("/copies/users", 200),
            ("/users", 200),
            ("/copies/copies/users", 404),
            ("/other/users", 404),
        ] {
            let request = Request::builder().uri(path).body(Body::empty()).expect("a request");
            let answer = runtime.block_on(router.call(request)).expect("an answer");
            assert_eq!(answer.status(), status, "{path}");
        }
    }

    #[test]
    fn heads_of_answers_have_the_prefix_in_their_paths_alone() {
        let address = address("https://www.example.edu/copies");
        let mut headers = HeaderMap::new();
        headers.insert(header::LOCATION, HeaderValue::from_static("/users"));
        headers.append(header::SET_COOKIE, HeaderValue::from_static("a=1; HttpOnly; Path=/"));
        headers.append(header::SET_COOKIE, HeaderValue::from_static("b=2; Path=/lti; Max-Age=0"));
        add_prefix(&address, &mut headers);
        assert_eq!(headers[header::LOCATION], "/copies/users");
        let cookies: Vec<_> = headers.get_all(header::SET_COOKIE).iter().collect();
        assert_eq!(cookies, ["a=1; HttpOnly; Path=/copies/", "b=2; Path=/copies/lti; Max-Age=0"]);
        headers.insert(header::LOCATION, HeaderValue::from_static("https://other.example/users"));
        add_prefix(&address, &mut headers);
        assert_eq!(headers[header::LOCATION], "https://other.example/users");
    }
}

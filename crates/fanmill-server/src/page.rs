//! Pages of a few sentences, for places where the program's own page cannot be shown: a link that asks for a password,
//! a failed login with another service, a launch from a learning platform.

use std::fmt::Write;
use std::sync::LazyLock;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use url::Url;

use crate::error::Refusal;
use crate::secret;
use crate::state::Server;

const STYLE: &str = "body{margin:0;font:16px/1.5 system-ui,sans-serif;color:#1d2430;background:#f5f6f8}\
    main{max-width:34rem;margin:12vh auto;padding:1.5rem 2rem;background:#fff;border:1px solid #d5d9e0;border-radius:10px}\
    h1{margin:0 0 .5rem;font-size:1.3rem}input,button,.button{font:inherit;padding:.45rem .8rem;border-radius:6px}\
    input{border:1px solid #767f8e}button,.button{display:inline-block;border:0;background:#1f5fbf;color:#fff;\
    text-decoration:none;cursor:pointer}\
    @media(prefers-color-scheme:dark){body{color:#e6e9ee;background:#14181f}main{background:#1c222b;border-color:#39424f}\
    input{background:#14181f;color:inherit;border-color:#8b95a5}button,.button{background:#7fb0ff;color:#10141a}}";

/// Sites whose pages may contain a page that may be framed.
const FRAMES: &str = "https: http://127.0.0.1:* http://localhost:*";

static STYLE_HASH: LazyLock<String> =
    LazyLock::new(|| BASE64_STANDARD.encode(secret::sha256(STYLE.as_bytes())));

/// Returns the element of a page's head that names the language set for this server; empty if none is.
pub(crate) fn language(server: &Server) -> String {
    let tag = server.0.config.language.as_deref();
    tag.map_or_else(String::new, |tag| meta("fanmill-language", tag))
}

/// Returns the elements of a page's head that name the language and the prefix of this server's paths, as far as it has
/// them.
pub(crate) fn settings(server: &Server) -> String {
    let prefix = server.0.address.prefix();
    let prefix = if prefix.is_empty() { String::new() } else { meta("fanmill-prefix", prefix) };
    language(server) + &prefix
}

/// Returns an element of a page's head, on a line of its own.
fn meta(name: &str, content: &str) -> String {
    format!("\n<meta name=\"{name}\" content=\"{content}\">")
}

/// A page, which is built step by step.
#[derive(Debug)]
pub(crate) struct Page {
    title: &'static str,
    body: String,
    /// Another server that its forms may be sent to.
    form_target: String,
    /// If set, other sites may show it within their own pages.
    is_framed: bool,
}

impl Page {
    pub(crate) fn new(title: &'static str) -> Page {
        Page { title, body: String::new(), form_target: String::new(), is_framed: false }
    }

    /// Adds a paragraph.
    pub(crate) fn says(mut self, text: &str) -> Page {
        let _ = write!(self.body, "<p>{}</p>", escaped(text));
        self
    }

    /// Adds a link that looks like a button.
    pub(crate) fn leads(mut self, words: &str, path: &str) -> Page {
        let (words, path) = (escaped(words), escaped(path));
        let _ = write!(self.body, "<p><a class=button href=\"{path}\">{words}</a></p>");
        self
    }

    /// Adds a form that asks for a password, and is sent to this page's address.
    pub(crate) fn asks_for_password(mut self) -> Page {
        self.body.push_str(
            "<form method=post><p><label>Password <input type=password name=password autofocus required></label> \
             <button>Open</button></p></form>",
        );
        self
    }

    /// Adds a link that looks like a button, and opens a new window.
    pub(crate) fn opens(mut self, words: &str, path: &str) -> Page {
        let (words, path) = (escaped(words), escaped(path));
        let _ = write!(
            self.body,
            "<p><a class=button href=\"{path}\" target=_blank rel=noopener>{words}</a></p>"
        );
        self
    }

    /// Adds a form with one value, which is sent to another server.
    pub(crate) fn sends(mut self, words: &str, to: &Url, (name, value): (&str, &str)) -> Page {
        let [words, place, name, value] = [words, to.as_str(), name, value].map(escaped);
        let _ = write!(
            self.body,
            "<form method=post action=\"{place}\"><p><input type=hidden name=\"{name}\" value=\"{value}\">\
             <button>{words}</button></p></form>"
        );
        self.form_target = to.origin().ascii_serialization();
        self
    }

    /// Lets pages of other sites show it, if they are reached by TLS or are on this machine.
    pub(crate) fn within_frames(mut self) -> Page {
        self.is_framed = true;
        self
    }

    /// Returns the page as the answer to a successful request.
    pub(crate) fn shown(self) -> Response {
        self.with_status(StatusCode::OK)
    }

    /// Returns the page as the answer to a refused request.
    pub(crate) fn response(self, refusal: &Refusal) -> Response {
        let mut response = self.with_status(refusal.status);
        if let Some(seconds) = refusal.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }

    fn with_status(self, status: StatusCode) -> Response {
        let Page { title, body, form_target, is_framed } = self;
        let policy = format!(
            "default-src 'none'; style-src 'sha256-{}'; form-action 'self' {form_target}; base-uri 'none'; \
             frame-ancestors {}",
            *STYLE_HASH,
            if is_framed { FRAMES } else { "'none'" },
        );
        let html = format!(
            "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">\
             <title>{title}</title><style>{STYLE}</style><main><h1>{title}</h1>{body}</main></html>"
        );
        let mut headers = HeaderMap::new();
        if let Ok(policy) = HeaderValue::from_str(&policy) {
            headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        }
        (status, headers, Html(html)).into_response()
    }
}

/// Makes a page that shows a refusal.
pub(crate) fn refused(title: &'static str, refusal: &Refusal) -> Page {
    Page::new(title).says(&sentence(&refusal.message))
}

/// Writes a message as a sentence: `lower case` becomes `Lower case.`
fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

/// Escapes a text for use within a page or an attribute.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

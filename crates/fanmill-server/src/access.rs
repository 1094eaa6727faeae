//! Who may do what: the words that the table of routes is written in.

use std::net::IpAddr;

use axum::http::{HeaderMap, StatusCode, header};

use crate::error::{Answer, Refusal};

/// What somebody is in a course.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Least {
    Reader,
    Teacher,
    Owner,
}

impl Least {
    pub(crate) fn includes(self, role: &str) -> bool {
        match self {
            Least::Reader => true,
            Least::Teacher => role == "teacher" || role == "owner",
            Least::Owner => role == "owner",
        }
    }
}

/// Who may use a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    /// Everyone, or the holder of a secret that the handler looks at.
    Anyone,
    /// Everyone with an account.
    User,
    /// Accounts that are not only readers.
    Teacher,
    Administrator,
    /// Programs on the same machine, and administrators.
    Near,
    /// At least this in the course of the address.
    Course(Least),
    /// At least this in the course of the address's batch.
    Batch(Least),
    /// At least this in the course of the address's link.
    Link(Least),
}

/// Somebody with an account.
#[derive(Debug, Clone)]
pub(crate) struct User {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) role: String,
}

/// Who sent a request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Asker {
    pub(crate) user: Option<User>,
    /// The session's secret, if a browser asks.
    pub(crate) session: Option<String>,
}

impl Asker {
    pub(crate) fn someone(&self) -> Answer<&User> {
        self.user.as_ref().ok_or_else(unknown)
    }
}

/// Where a request comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Client(pub(crate) Option<IpAddr>);

pub(crate) fn unknown() -> Refusal {
    Refusal::new(StatusCode::UNAUTHORIZED, "nobody is logged in")
}

/// The value of a cookie.
pub(crate) fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs =
        all.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(known, _)| *known == name).map(|(_, value)| value.to_owned())
}

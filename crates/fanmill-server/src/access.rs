//! The roles and access rules that the table of routes is written in.

use std::net::IpAddr;

use axum::http::{HeaderMap, StatusCode, header};

use crate::error::{Answer, Refusal};

/// The least role in a course that a route asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CourseRole {
    Reader,
    Teacher,
    Owner,
}

impl CourseRole {
    pub(crate) fn includes(self, role: &str) -> bool {
        match self {
            CourseRole::Reader => true,
            CourseRole::Teacher => role == "teacher" || role == "owner",
            CourseRole::Owner => role == "owner",
        }
    }
}

/// The people who may use a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AccessRule {
    /// Everyone, or the holder of a secret that the handler checks.
    Anyone,
    /// Everyone with an account.
    User,
    /// Accounts whose role is more than `reader`.
    Teacher,
    Administrator,
    /// Programs on the same machine, and administrators.
    Near,
    /// Members with at least this role in the course that the address names.
    Course(CourseRole),
    /// Members with at least this role in the course of the batch that the address names.
    Batch(CourseRole),
    /// Members with at least this role in the course of the link that the address names.
    Link(CourseRole),
}

/// A person with an account.
#[derive(Debug, Clone)]
pub(crate) struct User {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) role: String,
}

/// The sender of a request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Caller {
    pub(crate) user: Option<User>,
    /// The secret of the browser's session, if a browser asks.
    pub(crate) session: Option<String>,
}

impl Caller {
    pub(crate) fn someone(&self) -> Answer<&User> {
        self.user.as_ref().ok_or_else(unknown)
    }
}

/// The address that a request comes from, if it is known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Client(pub(crate) Option<IpAddr>);

pub(crate) fn unknown() -> Refusal {
    Refusal::new(StatusCode::UNAUTHORIZED, "nobody is logged in")
}

/// Returns the value of a cookie.
pub(crate) fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs =
        all.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(known, _)| *known == name).map(|(_, value)| value.to_owned())
}

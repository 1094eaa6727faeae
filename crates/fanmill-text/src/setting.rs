//! Names of settings and tasks, as messages use them.
//!
//! A library's message names a setting, and not the way in which it is given: a flag of a command line, a key of a
//! file, a field of a form. The same holds for a task that helps, which is a command in one front end and a function in
//! another. Both are parts of a [`Message`](crate::message::Message), and a front end puts its own words in their
//! place.

/// Name of a setting, as in a config file: lower-case letters, digits and hyphens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Setting(pub &'static str);

/// Name of something that Fanmill does, in lower-case letters and hyphens: a job, then a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Task(pub &'static str);

//! Settings and tasks by their names, as messages speak of them.
//!
//! A message of a library names a setting, and not the way in which it is given: a flag of a command line, a key of a
//! file, a field of a form. The same holds for a task that helps, which is a command here and a function there. Both
//! are parts of a [`Message`](crate::message::Message), and a front end puts its own words in their place.

/// The name of a setting, as in a config file: small letters, digits and hyphens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Setting(pub &'static str);

/// The name of something that Fanmill does, in small letters and hyphens: a job, then a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Task(pub &'static str);

//! The crate's one error: opaque outside, precise inside.
//!
//! Only what stops a whole run is an [`Error`]. A document that cannot be read appears in the report as a skipped or
//! failed input, and the run goes on.

use std::fmt;
use std::io;
use std::path::Path;

use crate::message;
use crate::message::Message;
use crate::readable::readable;

/// Result of an operation that may stop a whole run.
pub type Result<T> = std::result::Result<T, Error>;

/// The reason why a run failed. Its text names the thing, the value, the limit and the way out.
#[derive(Debug)]
pub struct Error(Box<Kind>);

#[derive(Debug)]
enum Kind {
    /// An operation on a file, a folder or a stream that the operating system refused.
    Io { what: Message, source: io::Error },
    /// A setting that contradicts itself, another one or its limits.
    Setting(Message),
    /// A required input of the wrong shape.
    Input(Message),
    /// Something that this run needs and another run is using.
    Busy(Message),
    /// The caller asked the run to stop.
    Cancelled,
}

impl Error {
    /// Returns the error of a failed operation on `path`; `action` completes "could not …".
    pub fn io(action: &'static str, path: impl AsRef<Path>, source: io::Error) -> Error {
        Error::system(
            format_args!("could not {action} `{}`", readable(path.as_ref().as_os_str())),
            source,
        )
    }

    /// Returns the error of an operation without a path that the operating system refused; `what` describes it.
    pub fn system(what: impl Into<Message>, source: io::Error) -> Error {
        Error(Box::new(Kind::Io { what: what.into(), source }))
    }

    /// Returns the error of a setting that cannot be used; the text names its value, the limit and the way out.
    pub fn setting(text: impl Into<Message>) -> Error {
        Error(Box::new(Kind::Setting(text.into())))
    }

    /// Returns the error of a required input of the wrong shape; the text names it and the way out.
    pub fn input(text: impl Into<Message>) -> Error {
        Error(Box::new(Kind::Input(text.into())))
    }

    /// Returns the error of something that another run is using for now; the text names it and the way out.
    pub fn busy(text: impl Into<Message>) -> Error {
        Error(Box::new(Kind::Busy(text.into())))
    }

    /// Prefixes the message of a setting, input or busy error with `whole`, the thing that it is part of.
    #[must_use]
    pub fn within(mut self, whole: impl Into<Message>) -> Error {
        if let Kind::Setting(text) | Kind::Input(text) | Kind::Busy(text) = &mut *self.0 {
            *text = message![whole, ": ", &*text];
        }
        self
    }

    /// Adds what holds in spite of the failure, such as the state of what was to be changed, if the operating system refused an
    /// operation.
    #[must_use]
    pub fn leaving(mut self, state: impl Into<Message>) -> Error {
        if let Kind::Io { what, .. } = &mut *self.0 {
            *what = message![&*what, "; ", state];
        }
        self
    }

    /// Returns the kind of error, for programs: `setting`, `input`, `busy`, `cancelled` or `io`.
    pub fn code(&self) -> &'static str {
        match *self.0 {
            Kind::Io { .. } => "io",
            Kind::Setting(_) => "setting",
            Kind::Input(_) => "input",
            Kind::Busy(_) => "busy",
            Kind::Cancelled => "cancelled",
        }
    }

    /// Returns the message, for front ends that put it into their own words.
    pub fn message(&self) -> Message {
        match &*self.0 {
            Kind::Io { what, source } => message![what, ": {source}"],
            Kind::Setting(text) | Kind::Input(text) | Kind::Busy(text) => text.clone(),
            Kind::Cancelled => message!["the run was cancelled"],
        }
    }

    /// Returns the error of a run that was asked to stop, by
    /// [`Progress::is_cancelled`](crate::progress::Progress::is_cancelled).
    pub fn cancelled() -> Error {
        Error(Box::new(Kind::Cancelled))
    }

    /// Returns whether the caller asked the run to stop.
    pub fn is_cancelled(&self) -> bool {
        matches!(*self.0, Kind::Cancelled)
    }

    /// Returns whether the user's settings are at fault, so that changing them helps.
    pub fn is_setting(&self) -> bool {
        matches!(*self.0, Kind::Setting(_))
    }

    /// Returns whether another run is using what this one needs, so that the same command may succeed later.
    pub fn is_busy(&self) -> bool {
        matches!(*self.0, Kind::Busy(_))
    }

    /// Returns whether an input is at fault: missing, not readable, or of the wrong shape.
    pub fn is_input(&self) -> bool {
        matches!(*self.0, Kind::Input(_))
    }

    /// Returns whether the operating system reports that a file or folder does not exist.
    pub fn is_missing(&self) -> bool {
        matches!(&*self.0, Kind::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }

    /// Returns whether the operating system refused a read or a write.
    pub fn is_io(&self) -> bool {
        matches!(*self.0, Kind::Io { .. })
    }
}

/// Writes the message in general words.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            Kind::Io { what, source } => write!(f, "{what}: {source}"),
            Kind::Setting(text) | Kind::Input(text) | Kind::Busy(text) => f.write_str(text),
            Kind::Cancelled => f.write_str("the run was cancelled"),
        }
    }
}

impl From<Error> for Message {
    fn from(error: Error) -> Message {
        error.message()
    }
}

impl From<&Error> for Message {
    fn from(error: &Error) -> Message {
        error.message()
    }
}

/// The text already names the cause, so there is no [`source`](std::error::Error::source).
impl std::error::Error for Error {}

//! The crate's one error: opaque outside, precise inside.
//!
//! Only what stops a whole run is an [`Error`]. A document that cannot be read is
//! carried in the report as a skipped or failed input, and the run goes on.

use std::fmt;
use std::io;
use std::path::Path;

use crate::message;
use crate::message::Message;
use crate::readable::readable;

/// The result of an operation that may stop a whole run.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a run could not be done. Its text names the thing, the value, the limit and the way out.
#[derive(Debug)]
pub struct Error(Box<Kind>);

#[derive(Debug)]
enum Kind {
    /// What the operating system refused, on a file, a folder or a stream.
    Io { what: Message, source: io::Error },
    /// A setting that contradicts itself, another one or its limits.
    Setting(Message),
    /// An input that the run cannot do without and that has the wrong shape.
    Input(Message),
    /// Another run has what this one needs.
    Busy(Message),
    /// The caller asked the run to stop.
    Cancelled,
}

impl Error {
    /// An operation on `path` that failed; `action` completes "could not …".
    pub fn io(action: &'static str, path: impl AsRef<Path>, source: io::Error) -> Error {
        Error::system(
            format_args!("could not {action} `{}`", readable(path.as_ref().as_os_str())),
            source,
        )
    }

    /// Something without a path that the operating system refused: `what` says what.
    pub fn system(what: impl Into<Message>, source: io::Error) -> Error {
        Error(Box::new(Kind::Io { what: what.into(), source }))
    }

    /// A setting that cannot be used; the text names value, limit and way out.
    pub fn setting(text: impl Into<Message>) -> Error {
        Error(Box::new(Kind::Setting(text.into())))
    }

    /// An indispensable input of the wrong shape; the text names it and the way out.
    pub fn input(text: impl Into<Message>) -> Error {
        Error(Box::new(Kind::Input(text.into())))
    }

    /// Something that another run has for now; the text names it and the way out.
    pub fn busy(text: impl Into<Message>) -> Error {
        Error(Box::new(Kind::Busy(text.into())))
    }

    /// Puts words before the message of an error of an input or a setting that is part of something: what that is.
    #[must_use]
    pub fn within(mut self, whole: impl Into<Message>) -> Error {
        if let Kind::Setting(text) | Kind::Input(text) | Kind::Busy(text) = &mut *self.0 {
            *text = message![whole, ": ", &*text];
        }
        self
    }

    /// The kind of error, for programs: `setting`, `input`, `busy`, `cancelled` or `io`.
    pub fn code(&self) -> &'static str {
        match *self.0 {
            Kind::Io { .. } => "io",
            Kind::Setting(_) => "setting",
            Kind::Input(_) => "input",
            Kind::Busy(_) => "busy",
            Kind::Cancelled => "cancelled",
        }
    }

    /// The message, for front ends that put it into their own words.
    pub fn message(&self) -> Message {
        match &*self.0 {
            Kind::Io { what, source } => message![what, ": {source}"],
            Kind::Setting(text) | Kind::Input(text) | Kind::Busy(text) => text.clone(),
            Kind::Cancelled => message!["the run was cancelled"],
        }
    }

    /// The run was asked to stop, by [`Progress::is_cancelled`](crate::progress::Progress::is_cancelled).
    pub fn cancelled() -> Error {
        Error(Box::new(Kind::Cancelled))
    }

    /// Whether the caller asked the run to stop.
    pub fn is_cancelled(&self) -> bool {
        matches!(*self.0, Kind::Cancelled)
    }

    /// Whether the user's settings are at fault, so that another command line helps.
    pub fn is_setting(&self) -> bool {
        matches!(*self.0, Kind::Setting(_))
    }

    /// Whether another run has what this one needs, so that the same command may succeed later.
    pub fn is_busy(&self) -> bool {
        matches!(*self.0, Kind::Busy(_))
    }

    /// Whether an input is at fault: not there, not readable, or of the wrong shape.
    pub fn is_input(&self) -> bool {
        matches!(*self.0, Kind::Input(_))
    }

    /// Whether the operating system says that a file or folder is not there.
    pub fn is_missing(&self) -> bool {
        matches!(&*self.0, Kind::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }

    /// Whether the operating system refused a read or a write.
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

/// The text already has the cause, so there is no [`source`](std::error::Error::source) beside it.
impl std::error::Error for Error {}

//! Reasons not to unpack a sound file: it asks for more memory than allowed, or for a dictionary that was not given.

use std::fmt;
use std::io;

/// A reason not to unpack a file that is not damaged; the source of an [`io::Error`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// It asks for a window of this many bytes, as far as known, and `limit` are allowed.
    Window {
        /// Size in bytes of the window that it was packed with.
        asked: Option<u64>,
        /// Size in bytes of the largest window allowed.
        limit: u64,
    },
    /// It needs the dictionary with this number.
    Dictionary(u32),
}

impl Obstacle {
    /// Returns the reason that an error carries; `None` if the file is damaged or cannot be read.
    pub fn from_error(error: &io::Error) -> Option<Obstacle> {
        error.get_ref()?.downcast_ref().copied()
    }

    #[cfg(feature = "zstandard")]
    pub(super) fn error(self) -> io::Error {
        io::Error::new(io::ErrorKind::Unsupported, self)
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::Window { asked, limit } => {
                match asked {
                    Some(asked) => write!(f, "it takes {} of memory to unpack", size(*asked))?,
                    None => f.write_str("a later part of it takes more memory to unpack")?,
                }
                write!(f, ", above the limit of {}", size(*limit))
            }
            Obstacle::Dictionary(id) => {
                write!(f, "it was packed with dictionary {id}, which is not given")
            }
        }
    }
}

impl std::error::Error for Obstacle {}

/// Returns a size in whole MiB, rounded up.
fn size(bytes: u64) -> String {
    format!("{} MiB", bytes.div_ceil(1 << 20))
}

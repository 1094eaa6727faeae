//! The protocol that clients of MOSS speak, and the pages that they read.
//!
//! MOSS's submission script and its many relatives speak a small protocol over TCP and then read pages of a fixed
//! shape. This crate has both, and nothing else: no socket, file, clock or dependency. A server gives a [`Session`] the
//! bytes that arrive and does what its events say, compares the files that it has written, and serves the [`pages`]
//! made of the result.
//!
//! ```
//! use fanmill_moss::{Event, Limits, Session, answer};
//!
//! let mut session = Session::new(Limits::standard());
//! let (mut written, mut files) = (String::new(), Vec::new());
//! let mut bytes: &[u8] = b"moss 17\nlanguage c\nfile 1 c 6 a.c\nint x;file 2 c 3 b.c\ny;\nquery 0 \n";
//! while let Some(event) = session.next(&mut bytes) {
//!     match event {
//!         Event::User(id) if id != "17" => session.refuse("no such user"),
//!         Event::Answer(line) | Event::Fault(line) => written += &line,
//!         Event::Begin(head) => files.push((head.path, Vec::new())),
//!         Event::Bytes(piece) => files.last_mut().expect("a file").1.extend(piece),
//!         Event::Query(_) => written += &answer("http://localhost/results/1/2"),
//!         _ => {}
//!     }
//! }
//! assert_eq!(written, "yes\nhttp://localhost/results/1/2\n");
//! assert_eq!(files[1], ("b.c".to_owned(), b"y;\n".to_vec()));
//! ```

#![forbid(unsafe_code)]

pub mod language;
mod line;
mod name;
mod boundary;
mod session;
pub mod escape;
pub mod pages;

pub use line::{answer, error};
pub use session::{Event, FileHead, Limits, Session, Settings};

//! Of raw mail, the text that a person sees.
//!
//! Who sends mail that must not be recognised writes one text for the filter and shows another one to
//! the reader: words in white on white, comments inside of words, a decent text beside the one that is
//! displayed. So what is to be compared is what a mail program shows. [`mbox`] cuts folders of mail into
//! messages, [`message`] finds a message's parts and decodes them, [`visible`] reads HTML as a
//! mail program shows it. What was left out is said by a [`Remark`].
//!
//! ```
//! use fanmill_extract::mail::{Limits, message};
//!
//! let raw = b"Subject: =?utf-8?q?N=65w?=\nContent-Type: text/html\n\n<p>v<!-- x -->ia<b></b>gra";
//! assert_eq!(message::read(raw, &Limits::standard()).text, "New\n\nviagra");
//! ```

pub mod limits;
pub mod remark;
mod charset;
mod transfer;
mod header;
mod line_ends;
pub mod begin;
pub mod mbox;
mod overridden;
mod stray;
mod parts;
pub mod visible;
pub mod message;

pub use limits::Limits;
pub use message::Message;
pub use remark::Remark;

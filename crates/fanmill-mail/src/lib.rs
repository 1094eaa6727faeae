//! The text that a person sees of raw mail.
//!
//! Senders who do not want to be recognised write one text for the filter and show another to the reader: white words
//! on white, comments inside words, a harmless text beside the one that is displayed. So the text to compare is the
//! text that a mail program shows. [`mbox`] cuts mailboxes into messages, [`message`] finds the parts of a message and
//! decodes them, and [`visible`] reads HTML as a mail program shows it. Signed contents (S/MIME) and Outlook's
//! `winmail.dat` are unwrapped. Documents are handed out as [`Attachment`]s, since other crates read these. A [`Remark`]
//! names what was left out.
//!
//! ```
//! use fanmill_mail::{Limits, message};
//!
//! let raw = b"Subject: =?utf-8?q?N=65w?=\nContent-Type: text/html\n\n<p>v<!-- x -->ia<b></b>gra";
//! assert_eq!(message::read(raw, &Limits::standard()).text, "New\n\nviagra");
//! ```

#![forbid(unsafe_code)]

pub mod limits;
pub mod attachment;
pub mod remark;
mod charset;
mod transfer;
mod header;
mod line_ends;
pub mod about;
pub mod headed;
pub mod begin;
pub mod mbox;
mod overridden;
mod stray;
mod ber;
mod cms;
mod compressed_rtf;
mod tnef;
mod content;
mod parts;
pub mod visible;
pub mod message;

pub use attachment::{Attachment, shown_name};
pub use limits::Limits;
pub use message::Message;
pub use remark::Remark;

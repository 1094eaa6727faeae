//! Readers: each moves the [cursor](crate::cursor::Cursor) over one kind of thing, and pushes its tokens.
//!
//! A reader that returns a `bool` may decline: then the position is unchanged, and the next reader is tried. [`step`]
//! looks at the next byte and calls the reader of its class.

mod context;
mod delimited;
mod fences;
mod comments;
mod strings;
mod here_documents;
mod numbers;
mod imports;
mod islands;
mod words;
mod usual;
mod step;

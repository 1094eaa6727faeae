//! The tables of languages, as they are written: what keywords, comments, literals, numbers and imports look like.

pub(crate) mod fences;
pub(crate) mod comments;
pub(crate) mod quotes;
pub(crate) mod numbers;
pub(crate) mod imports;
pub(crate) mod language;

//! One file a command.

pub(crate) mod compare;
pub(crate) mod dedup;
pub(crate) mod lab;
pub(crate) mod languages;
pub(crate) mod manual;
pub(crate) mod urls;

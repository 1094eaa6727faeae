//! Experiments of the papers whose figures `paper` shows beside the papers' own.
//!
//! They decide nothing for a user: those that do are in `fanmill_lab`.

pub(crate) mod leadbyte;
pub(crate) mod minwise;
pub(crate) mod random_text;
pub(crate) mod selection;
pub(crate) mod miss;

//! What clients of MOSS say to a server, and the pages that they read from it.

pub mod language;

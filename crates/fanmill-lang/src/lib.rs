//! Source-code front ends.

//! Tests of the program as people run it: what is typed, what is said, how it ends.
//!
//! One binary, one module a theme. Each run has a time limit, so that a hang is a failure and not
//! a wait. Snapshots hold exit status, standard output and standard error in one.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod place;
mod run;
mod report;

mod usage;
mod manners;
mod examples;
mod determinism;

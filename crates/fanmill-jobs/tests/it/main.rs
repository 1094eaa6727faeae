//! The jobs, started by a program that has no command line, and stopped by it.

mod place;
mod started;
mod cancelled;
mod settings;
mod seen;
mod watched;
mod archived;

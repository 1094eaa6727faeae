//! Whole conversations: those of real clients, sizes that are wrong, and sessions that nobody means well.

mod talk;

mod clients;
mod sizes;
mod limits;
mod mutated;

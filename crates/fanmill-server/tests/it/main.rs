//! The service over real HTTP: a process of its own for each test.

mod client;
mod whole;
mod moss;
mod access;
mod killed;
mod cage;
mod limits;
mod people;
mod kept;

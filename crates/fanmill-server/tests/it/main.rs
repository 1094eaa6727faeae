//! The service over real HTTP: a process of its own for each test.

mod client;
mod started;
mod issuer;
mod traces;
mod whole;
mod moss;
mod access;
mod oidc;
mod lti;
mod killed;
mod interrupted;
#[cfg(target_os = "linux")]
mod load;
mod cage;
mod limits;
#[cfg(target_os = "linux")]
mod slow;
mod locked;
#[cfg(target_os = "linux")]
mod opened;
mod people;
mod erased;
#[cfg(target_os = "linux")]
mod full_disk;
mod uploaded;
mod late;
mod operated;
mod kept;
mod described;
mod metrics;
mod shared;

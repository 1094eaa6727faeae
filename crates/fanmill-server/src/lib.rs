//! Fanmill as a service: accounts, courses, batches and their reports, over HTTP.
//!
//! [`serve`] runs it until it is asked to stop. Its records are in one SQLite file of the data folder, and uploads and
//! reports are files beside it. A comparison runs in a child process of the same program, which calls [`child`].
//! Nothing is printed: the caller reports to the user, from [`Started`].
//!
//! A request passes through the modules from left to right: `guard` checks its head and asks `accounts` who sent it,
//! `routes` lists who may do what, and a handler answers. Apart from all this, `jobs` starts queued comparisons.

#![forbid(unsafe_code)]

mod address;
mod secret;
mod name;
mod permits;
mod error;
mod made;
mod from_object;
mod run_blocking;
mod threads;
mod hashing;
mod network;
mod connections;
mod pace;
mod reserve;
mod store;
mod journal;
mod remains;
mod log;
mod meter;
mod upload;
mod results;
mod summary;
mod job;
mod instructions;
mod naming;
mod joining;
mod packed;
mod errand;
mod compared;
mod selftest;
mod config;
mod outgoing;
mod own_key;
mod errands;
mod state;
mod page;
mod signed;
mod access;
mod rates;
mod quota;
mod jobs;
mod passwords;
mod accounts;
mod identities;
mod sessions;
mod oidc;
mod tokens;
mod earlier;
mod work;
mod batches;
mod late;
mod person;
mod fetched;
mod removal;
mod erasure;
mod courses;
mod languages;
mod reports;
mod links;
mod lti;
#[doc(hidden)]
pub mod foreign;
mod people;
mod route;
mod guard;
mod openapi;
mod routes;
mod sweep;
mod listen;
mod moss;
mod backup;
mod service;

pub use backup::BackupCounts;
pub use config::{Config, ConnectionLimits, JobLimits, Keep, Provider, Quota, UploadLimits};
pub use errand::child;
pub use log::Log;
pub use lti::platforms::Platform;
pub use network::Network;
pub use remains::{SEARCH, search_disk};
pub use routes::paths;
pub use selftest::selftest;
pub use service::{
    Account, ErasedPerson, Started, accounts, add_account, add_platform, back_up, erase_person,
    export_person, platforms, remove_platform, reset_account, serve, verify_audit, when,
};
pub use work::settings_of_batches;

//! Tests of the program as people run it: arguments, output and exit codes.
//!
//! One binary, with a module for each theme. A run that does not end is a failure. A snapshot has the exit status,
//! standard output and standard error together.

mod place;
mod patience;
mod run;
mod report;
mod promised;

#[cfg(unix)]
mod unreadable;
mod usage;
mod manners;
mod streams;
mod library;
mod lists;
mod named;
mod script;
#[cfg(target_os = "linux")]
mod manuals;
mod sarif;
mod screen;
mod examples;
mod determinism;
mod beside;
mod evidence;
mod damage;
mod anonymous;
mod archives;
mod index;
mod index_records;
mod ours;
mod inputs;
mod pdf;
mod names;
#[cfg(unix)]
mod signals;
#[cfg(unix)]
mod interrupted;
mod encodings;
mod disguises;
mod documents;
mod disguise;
mod text;
mod urls;
mod dedup;
mod dedup_by_address;
mod remote;
#[cfg(unix)]
mod dedup_resumed;
mod dedup_runs;
#[cfg(feature = "index")]
mod dedup_sizes;
mod sift;
mod sift_admin;
mod sift_mail;
mod sift_attached;
mod sift_containers;
mod sift_pages;
mod sift_values;
mod lab;
mod change;
mod config;
mod lab_text;
mod attack;
mod lab_filter;
#[cfg(target_os = "linux")]
mod serve;

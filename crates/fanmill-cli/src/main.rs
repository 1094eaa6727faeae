//! The command `fanmill`.
//!
//! `args` says what can be typed, `commands` what is done, `exit` how it ends. Only this crate
//! prints: results to standard output, everything else to standard error.
#![allow(clippy::print_stderr, reason = "this is the program that speaks to people")]

mod args;
mod commands;
mod exit;
mod progress;
mod size;
mod terminal;

use std::process::ExitCode;

use clap::Parser;
use fanmill::report::printable;

use crate::args::{Cli, Command};
use crate::exit::{Exit, is_broken_pipe};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let outcome = match cli.command {
        Command::Compare(args) => commands::compare::run(&args),
        Command::Languages => commands::languages::run(),
        Command::Completions { shell } => commands::manual::completions(shell),
        Command::Man => commands::manual::man(),
    };
    match outcome {
        Ok(exit) => exit.into(),
        Err(error) if is_broken_pipe(&error) => Exit::Done.into(),
        Err(error) => {
            eprintln!("fanmill: {}", printable(&format!("{error:#}")));
            Exit::of(&error).into()
        }
    }
}

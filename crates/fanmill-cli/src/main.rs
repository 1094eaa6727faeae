//! The command `fanmill`.
//!
//! `args` defines commands and flags, `commands` runs them, and `exit` has the exit statuses. Only this crate
//! prints: `results` to standard output, `words` to standard error.

#![forbid(unsafe_code)]
#![cfg_attr(
    not(all(
        feature = "corpus",
        feature = "index",
        feature = "lab",
        feature = "server",
        feature = "sift"
    )),
    allow(dead_code, reason = "shared by several commands, some of which a build may leave out")
)]

mod color;
mod args;
mod exit;
mod flags;
mod layers;
mod results;
mod screen;
mod words;
mod progress;
mod page;
mod terminal;
mod memory;
mod threads;
mod version;
mod extraction;
mod commands;
mod interruption;

use std::env;
use std::io::{IsTerminal, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::error::ErrorKind;
use fanmill_report::printable;

use crate::args::Command;
use crate::exit::{Exit, is_broken_pipe};
use crate::words::say;

/// Programs that are linked statically, as those of releases for Linux are, would have the slow allocator of musl.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    if let Err(error) = version::choose_kernel() {
        return ending(Err(error.into())).into();
    }
    #[cfg(feature = "pdf")]
    if let Some(status) = extraction::of_child() {
        return ExitCode::from(status);
    }
    #[cfg(feature = "server")]
    if let Some(status) = commands::serve::of_child() {
        return status;
    }
    // A server ends differently from a job: it waits for what it has begun.
    if env::args_os().nth(1).is_none_or(|command| command != "serve") {
        interruption::watch();
    }
    guarded(|| match args::parse() {
        Ok(cli) => {
            color::choose(cli.color);
            run(cli.command)
        }
        Err(answer) => ending(show(&answer)),
    })
    .into()
}

/// Prints help or the version, or the error in the command line.
fn show(answer: &clap::Error) -> anyhow::Result<Exit> {
    if answer.use_stderr() {
        // If it cannot be written, the status still reports it.
        let _ = answer.print();
        return Ok(Exit::Usage);
    }
    results::print(|out| {
        // Colours are for a terminal only. Elsewhere, a full disk must be reported.
        if results::stdout().is_terminal() {
            answer.print()?;
        } else {
            write!(out, "{}", answer.render())?;
        }
        if answer.kind() == ErrorKind::DisplayVersion && version::is_verbose() {
            write!(out, "{}", version::details())?;
        }
        Ok(())
    })?;
    Ok(Exit::Done)
}

fn run(command: Command) -> Exit {
    let outcome = match command {
        Command::Compare(args) => commands::compare::run(&args),
        Command::Index(args) => commands::index::run(&args),
        Command::Search(args) => commands::search::run(&args),
        Command::Dedup(args) => commands::dedup::run(&args),
        Command::Urls(args) => commands::urls::run(&args),
        Command::Sift(args) => commands::sift::run(&args),
        Command::Lab(args) => commands::lab::run(&args),
        Command::Serve(args) => commands::serve::run(&args),
        Command::Text(args) => commands::text::run(&args),
        Command::Languages => commands::languages::run(),
        Command::Completions { shell } => commands::manual::completions(shell),
        Command::Man { folder } => commands::manual::man(folder.as_deref()),
    };
    ending(outcome)
}

/// Returns the exit status of a run, and prints its error, if there is one.
fn ending(outcome: anyhow::Result<Exit>) -> Exit {
    match outcome {
        Ok(exit) => exit,
        Err(error) if is_broken_pipe(&error) => Exit::Done,
        Err(error) => {
            say(format_args!("fanmill: {}", printable(&flags::said_of_error(&error))));
            Exit::from_error(&error)
        }
    }
}

/// Turns a panic, which has already printed its message, into an exit status and a request to report it.
///
/// Nothing is used after a panic, so no inconsistent state is seen.
fn guarded(run: impl FnOnce() -> Exit) -> Exit {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        say(format_args!(
            "fanmill {}: an internal fault; please report it with the lines above and the \
             command line",
            env!("CARGO_PKG_VERSION")
        ));
        Exit::Internal
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_ends_with_its_own_status() {
        assert_eq!(guarded(|| panic!("on purpose, to see what becomes of it")), Exit::Internal);
        assert_eq!(guarded(|| Exit::Above), Exit::Above);
    }

    #[test]
    fn a_panic_in_a_thread_of_the_pool_is_one_too() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
        let run = || pool.install(|| rayon::join(|| Exit::Done, || panic!("on purpose")).1);
        assert_eq!(guarded(run), Exit::Internal);
    }
}

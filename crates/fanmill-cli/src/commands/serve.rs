//! `serve`: the service, and its accounts.

mod settings;

use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use fanmill_report::printable;
use fanmill_server::{
    Config, Started, accounts, add_account, child, reset_account, selftest, serve,
};

use crate::args::{ServeArgs, ServeCommand, UserCommand};
use crate::exit::Exit;
use crate::results;
use crate::words::say;

/// What a child of the server does, and its exit status; `None` in the program that people start.
#[expect(clippy::disallowed_methods, reason = "a pipe to the server, not what people read")]
pub(crate) fn of_child() -> Option<ExitCode> {
    let mut arguments = env::args_os().skip(1);
    if arguments.next()? != "__job" {
        return None;
    }
    let folder = PathBuf::from(arguments.next()?);
    let (is_test, tested) = (folder == Path::new("selftest"), arguments.next());
    if let (true, Some(tested)) = (is_test, tested) {
        let is_right = selftest(Path::new(&tested), io::stdout()).is_ok();
        return Some(if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    // What went wrong is said to the server, in its own way.
    Some(if child(&folder, io::stdout()).is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

pub(crate) fn run(args: &ServeArgs) -> anyhow::Result<Exit> {
    if let Some(ServeCommand::User(command)) = &args.command {
        return user(command);
    }
    // The program may be replaced while it runs; this name stays the program that runs.
    let own = PathBuf::from("/proc/self/exe");
    let program = if own.exists() { own } else { env::current_exe()? };
    let mut config = Config::new(std::path::absolute(&args.data)?, program);
    settings::apply(args, &mut config)?;
    serve(
        config,
        |started| {
            greet(started);
            Ok(())
        },
        asked_to_end()?,
    )?;
    Ok(Exit::Done)
}

fn greet(started: &Started) {
    say(format_args!("fanmill: serving {}", printable(&started.address)));
    if let Some(moss) = &started.moss {
        say(format_args!("fanmill: for clients of MOSS, at {moss}"));
    }
    if let Some(setup) = &started.setup {
        say(format_args!("fanmill: become the administrator at {} (works once)", printable(setup)));
    }
}

/// Ready when the program is asked to end, once; the second time it ends at once.
#[cfg(unix)]
fn asked_to_end() -> anyhow::Result<impl Future<Output = ()> + Send + 'static> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    Ok(fanmill_server::when(move || {
        signals.forever().next();
        // From now on the signals do what they do to any program.
        for signal in [SIGINT, SIGTERM] {
            let now = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
            let _ = signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, now);
        }
    }))
}

#[cfg(not(unix))]
fn asked_to_end() -> anyhow::Result<impl Future<Output = ()> + Send + 'static> {
    Ok(std::future::pending())
}

fn user(command: &UserCommand) -> anyhow::Result<Exit> {
    let line = match command {
        UserCommand::Add { name, role, data } => link(add_account(data, name, role)?),
        UserCommand::Reset { name, data } => link(reset_account(data, name)?),
        UserCommand::List { data } => list(data)?,
    };
    results::print(|out| Ok(write!(out, "{line}")?))?;
    Ok(Exit::Done)
}

fn link(path: String) -> String {
    path + "\n"
}

fn list(data: &Path) -> anyhow::Result<String> {
    let line = |account: fanmill_server::Account| {
        let state = if account.is_set_up { "" } else { "  (no password yet)" };
        format!("{}  {}{state}\n", printable(&account.name), account.role)
    };
    Ok(accounts(data)?.into_iter().map(line).collect())
}

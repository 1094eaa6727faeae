//! `serve`: the service, and its accounts.

mod health;
mod settings;

use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use fanmill_disk::replace::{Access, Disk, ExistingFile, NewFile, folder_of, resolved};
use fanmill_report::printable;
use fanmill_server::{
    BackupCounts, Config, Platform, SEARCH, Started, accounts, add_account, add_platform, back_up,
    child, erase_person, export_person, platforms, remove_platform, reset_account, search_disk,
    selftest, serve, verify_audit,
};
use fanmill_text::Error;
use fanmill_text::counted::counted;

use crate::args::{
    AuditCommand, PersonCommand, PlatformCommand, ServeArgs, ServeCommand, UserCommand,
};
use crate::exit::Exit;
use crate::results;
use crate::words::say;

/// Does what a child of the server is started for, and returns its exit status; `None` in the program that people
/// start.
#[expect(clippy::disallowed_methods, reason = "a pipe to the server, not what people read")]
pub(crate) fn of_child() -> Option<ExitCode> {
    let mut arguments = env::args_os().skip(1);
    if arguments.next()? != "__job" {
        return None;
    }
    let folder = PathBuf::from(arguments.next()?);
    let (is_test, tested) = (folder == Path::new("selftest"), arguments.next());
    if let (true, Some(tested)) = (is_test, &tested) {
        let is_right = selftest(Path::new(tested), io::stdout()).is_ok();
        return Some(if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    if let (true, Some(data)) = (folder == Path::new(SEARCH), &tested) {
        let is_right = search_disk(Path::new(data), io::stdin(), io::stdout()).is_ok();
        return Some(if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    // The server reads the error from standard output, so only the status is left to return.
    Some(if child(&folder, io::stdout()).is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns the path of this program, which its children are started from.
fn own_program() -> io::Result<PathBuf> {
    // The program's file may be replaced while it runs; this name stays that of the running program.
    let own = PathBuf::from("/proc/self/exe");
    if own.exists() { Ok(own) } else { env::current_exe() }
}

pub(crate) fn run(args: &ServeArgs) -> anyhow::Result<Exit> {
    match &args.command {
        Some(ServeCommand::User(command)) => return user(command),
        Some(ServeCommand::Person(command)) => return person(command),
        Some(ServeCommand::Platform(command)) => return platform(command),
        Some(ServeCommand::Backup { to, server }) => return backup(to, &server.data),
        Some(ServeCommand::Audit(AuditCommand::Verify { server })) => return audit(&server.data),
        Some(ServeCommand::Health { listen }) => return health::run(*listen),
        None => {}
    }
    let mut config = Config::new(std::path::absolute(&args.data)?, own_program()?);
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
    if let Some(line) = started.broken_audit {
        say(format_args!("fanmill: {}", changed_audit(line)));
    }
    if let Some(setup) = &started.setup {
        say(format_args!("fanmill: become the administrator at {} (works once)", printable(setup)));
    }
}

/// Returns a future that is ready when the program is asked to end. If it is asked again, it ends at once.
#[cfg(unix)]
fn asked_to_end() -> anyhow::Result<impl Future<Output = ()> + Send + 'static> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    Ok(fanmill_server::when(move || {
        signals.forever().next();
        // From now on, the signals end the program at once, as they do by default.
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

fn backup(to: &Path, data: &Path) -> anyhow::Result<Exit> {
    let BackupCounts { batches, gone, bytes } = back_up(data, to)?;
    let copied = counted(batches, "batch", "batches");
    let gone = match gone {
        0 => String::new(),
        1 => "; 1 batch was deleted meanwhile".to_owned(),
        n => format!("; {n} batches were deleted meanwhile"),
    };
    let line = format!("copied the database and {copied}, {bytes} bytes{gone}\n");
    results::print(|out| Ok(write!(out, "{line}")?))?;
    Ok(Exit::Done)
}

fn audit(data: &Path) -> anyhow::Result<Exit> {
    match verify_audit(data)? {
        Ok((n, hash)) => {
            let last =
                if n > 0 { format!("; the last has the hash {hash}") } else { String::new() };
            let line = format!("{} in order{last}\n", counted(n, "line", "lines"));
            results::print(|out| Ok(write!(out, "{line}")?))?;
            Ok(Exit::Done)
        }
        Err(line) => {
            say(format_args!("fanmill: {}", changed_audit(line)));
            Ok(Exit::Incomplete)
        }
    }
}

fn changed_audit(line: i64) -> String {
    format!(
        "the audit log was changed from outside: line {line} does not follow from the one before; compare it with a \
         backup"
    )
}

fn user(command: &UserCommand) -> anyhow::Result<Exit> {
    let line = match command {
        UserCommand::Add { name, role, server } => link(add_account(&server.data, name, role)?),
        UserCommand::Reset { name, server } => link(reset_account(&server.data, name)?),
        UserCommand::List { server } => list(&server.data)?,
    };
    results::print(|out| Ok(write!(out, "{line}")?))?;
    Ok(Exit::Done)
}

fn person(command: &PersonCommand) -> anyhow::Result<Exit> {
    match command {
        PersonCommand::Export { name, output, server } => {
            let zip = export_person(&server.data, name)?;
            write_new(output, &zip)?;
        }
        PersonCommand::Erase { name, server } => {
            let erased = erase_person(&own_program()?, &server.data, name)?;
            let (deleted, again) = (erased.deleted, erased.compared_again);
            results::print(|out| {
                writeln!(
                    out,
                    "{deleted} batches deleted, {again} compared again at the next start"
                )?;
                Ok(writeln!(out, "{}", erased.finding)?)
            })?;
            for batch in &erased.not_searched {
                say(format_args!("fanmill: not searched: {}", printable(batch)));
            }
            return Ok(status_of_erasure(&erased.not_searched));
        }
    }
    Ok(Exit::Done)
}

/// Returns the status of an erasure that could not search these batches: something of the person may be left in them.
fn status_of_erasure(unread: &[String]) -> Exit {
    if unread.is_empty() {
        return Exit::Done;
    }
    let batches = counted(unread.len() as u64, "batch", "batches");
    say(format_args!(
        "fanmill: something of the person may be left in {batches}; delete them, or mend them and erase again"
    ));
    Exit::Incomplete
}

/// Writes a new file that only its owner may read: completely, or not at all.
fn write_new(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let refused =
        |why: &str| Error::setting(format!("output `{}` {why}; name a new file", path.display()));
    let name = path.file_name().ok_or_else(|| refused("is not a file"))?;
    let folder = resolved(folder_of(path))?;
    let mut new = NewFile::begin(&Disk::default(), &folder, "fanmill-person", "person")?;
    new.write(name, Access::Private, |out| out.write_all(bytes))?;
    if new.finish(ExistingFile::Absent)? { Ok(()) } else { Err(refused("is there already").into()) }
}

fn platform(command: &PlatformCommand) -> anyhow::Result<Exit> {
    match command.clone() {
        PlatformCommand::Add {
            name,
            issuer,
            client_id,
            login_url,
            token_url,
            keys_url,
            deployments,
            server,
        } => {
            let platform =
                Platform { name, issuer, client_id, login_url, token_url, keys_url, deployments };
            add_platform(&server.data, &platform)?;
        }
        PlatformCommand::Remove { name, server } => remove_platform(&server.data, &name)?,
        PlatformCommand::List { server } => {
            let line = |one: Platform| {
                let deployments = one.deployments.join(" ");
                let all = [one.name, one.issuer, one.client_id, deployments];
                all.map(|text| printable(&text).to_string()).join("  ") + "\n"
            };
            let list: String = platforms(&server.data)?.into_iter().map(line).collect();
            results::print(|out| Ok(write!(out, "{list}")?))?;
        }
    }
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_is_given_out_is_written_for_its_owner_and_over_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("ada.zip");
        write_new(&path, b"all of it").expect("written");
        let error = write_new(&path, b"other").expect_err("it is there").to_string();
        assert!(error.contains("is there already; name a new file"), "{error}");
        assert_eq!(fs::read(&path).expect("a file"), b"all of it");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing beside it");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(&path).expect("a file").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        assert!(write_new(Path::new(".."), b"").is_err(), "no name");
    }

    #[test]
    fn an_erasure_is_done_only_if_all_was_searched() {
        assert_eq!(status_of_erasure(&[]), Exit::Done);
        assert_eq!(status_of_erasure(&["`Essays`: damaged".to_owned()]), Exit::Incomplete);
    }
}

//! `fanmill sift keygen` and `destroy`.

use std::io::{IsTerminal, Write};

use anyhow::bail;
use fanmill_jobs::key_file;
use fanmill_jobs::sift;
use fanmill_report::printable;
use fanmill_sift::key::Key;
use fanmill_text::Error;
use fanmill_text::readable::readable;

use crate::args::{DestroyArgs, KeygenArgs};
use crate::exit::Exit;
use crate::results;
use crate::words::{say, words};

pub(super) fn generate(args: &KeygenArgs) -> anyhow::Result<Exit> {
    let key = key_file::make()?;
    match &args.output {
        Some(path) => key_file::write(&key, path)?,
        None => write_to_stdout(&key)?,
    }
    say(format_args!("made key {}; keep it private, and keep a copy in a safe place", key.id()));
    Ok(Exit::Done)
}

/// Writes a key to standard output if that is a file or a program. A file that a shell has opened is made private
/// before the key is written.
///
/// # Errors
/// If it is a screen, or a file that is not empty.
fn write_to_stdout(key: &Key) -> anyhow::Result<()> {
    let out = results::stdout();
    if out.is_terminal() {
        bail!(Error::setting(
            "a key is not shown on a screen; write it to a file: fanmill sift keygen > secret.key"
        ));
    }
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        use std::os::unix::fs::PermissionsExt;

        use anyhow::Context;

        let file = std::fs::File::from(out.as_fd().try_clone_to_owned()?);
        let metadata = file.metadata()?;
        if metadata.is_file() {
            if metadata.len() > 0 {
                bail!(Error::setting(
                    "standard output is a file that is not empty; write the key to a new file"
                ));
            }
            let private = std::fs::Permissions::from_mode(0o600);
            file.set_permissions(private).context("could not make the key file private")?;
        }
    }
    results::stream(|out| Ok(out.write_all(key.to_file().as_bytes())?))
}

pub(super) fn destroy(args: &DestroyArgs) -> anyhow::Result<Exit> {
    let path = &args.key.key;
    let id = key_file::read(path)?.id();
    if !args.yes {
        bail!(Error::setting(format!(
            "this would destroy key {id} in `{}` and make every store made with it useless for ever; add --yes to \
             confirm",
            path.display()
        )));
    }
    let path = sift::destroy(path)?;
    writeln!(
        words(),
        "key {id} is destroyed: `{}` was overwritten and removed; backups, snapshots and drives that keep \
         old blocks may still hold it",
        printable(&readable(path.as_os_str()))
    )?;
    Ok(Exit::Done)
}

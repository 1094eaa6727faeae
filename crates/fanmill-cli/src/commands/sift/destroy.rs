//! `fanmill sift destroy`: the end of a key.

use std::fs::{self, OpenOptions};
use std::io::Write;

use anyhow::bail;
use fanmill::Error;
use fanmill_report::printable;

use super::key_file;
use crate::args::DestroyArgs;
use crate::exit::Exit;
use crate::words::words;

/// Overwrites the key with random numbers, then with nothing, and removes the file.
///
/// A drive that writes elsewhere, a snapshot or a backup may still have it: what only the owner knows.
pub(crate) fn run(args: &DestroyArgs) -> anyhow::Result<Exit> {
    let path = &args.key.key;
    let id = key_file::read(path)?.id();
    if !args.yes {
        bail!(Error::setting(format!(
            "key {id} in `{}` would be destroyed, and every store made with it useless for ever; say --yes if \
             you want that",
            path.display()
        )));
    }
    let path = &fs::canonicalize(path).map_err(|error| Error::io("look at", path, error))?;
    let noise = key_file::make()?.to_file();
    let file = OpenOptions::new().write(true).open(path);
    let overwrite = |mut file: fs::File| {
        file.write_all(noise.as_bytes())?;
        file.sync_all()?;
        file.set_len(0)?;
        file.sync_all()
    };
    let overwritten = file.and_then(overwrite);
    overwritten.map_err(|error| Error::io("overwrite the key file", path, error))?;
    fs::remove_file(path).map_err(|error| Error::io("remove the key file", path, error))?;
    let shown = path.to_string_lossy();
    writeln!(
        words(),
        "key {id} is destroyed: `{}` was overwritten and removed; backups, snapshots and drives that keep \
         old blocks may still have it",
        printable(&shown)
    )?;
    Ok(Exit::Done)
}

//! Standard input, which can be read only once: as a shard, of a copy.

use std::io::{self, BufReader, Read};
use std::path::Path;

use crate::replace::DiskFile;
use fanmill::{Error, Result};

use super::Options;
use super::fields::check_names;
use super::shard::{Place, Shard};
use super::sniff::{Origin, Sniffed, sniff};
use super::stamp::Stamp;

/// Bytes by which an input is known, also where they are packed.
const BEGINNING: u64 = 1 << 20;

/// Copies an input that can be read only once into `file`, which is empty and at `path`, and says what it is:
/// what `options` say, or by its first bytes. An endless one that is of no format is not copied to its end.
///
/// # Errors
/// If it cannot be copied, or nothing is known of it.
pub fn spool_stdin(
    mut file: DiskFile,
    path: &Path,
    input: impl Read,
    options: &Options,
) -> Result<Shard> {
    check_names(options)?;
    let mut input = BufReader::with_capacity(1 << 16, input);
    let failed = |error| Error::io("copy standard input to", path, error);
    io::copy(&mut input.by_ref().take(BEGINNING), &mut file).map_err(failed)?;
    single(path, options)?;
    io::copy(&mut input, &mut file).map_err(failed)?;
    let mut shard = single(path, options)?;
    shard.set_name(format!("stdin.{}{}", shard.format(), shard.packing().extension()).into());
    Ok(shard)
}

/// One file as a shard, without a name. A file that is one record is not accepted.
///
/// # Errors
/// If the file cannot be read, or nothing is known of it.
fn single(path: &Path, options: &Options) -> Result<Shard> {
    let found = sniff(path, options.format, Origin::Named)?;
    if let Sniffed::Records(format, packing) = found
        && !format.is_loose()
    {
        return Ok(Shard::new(Place::File(path.to_owned()), format, packing, Stamp::of(path)?));
    }
    Err(Error::input("standard input is of no known format; name its format"))
}

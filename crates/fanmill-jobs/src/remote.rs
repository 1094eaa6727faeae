//! Inputs that are not on this machine, fetched before a job reads them.

use std::path::{Path, PathBuf};

use fanmill_disk::replace::Workplace;
use fanmill_text::Result;
use fanmill_text::progress::Progress;

/// Returns whether an input is not on this machine.
pub(crate) fn is_address(path: &Path) -> bool {
    path.to_str().is_some_and(|text| text.contains("://")) && !path.exists()
}

/// Replaces addresses among lists of paths by paths of copies, which are made in the folder that `open` returns for a
/// list of objects. Returns the folder; `None` if all paths are files and folders.
///
/// # Errors
/// If there is nothing at an address, a store refuses, or the copies cannot be written.
#[cfg(feature = "remote")]
pub(crate) fn replace(
    lists: &mut [&mut Vec<PathBuf>],
    open: impl FnOnce(&str) -> Result<Workplace>,
    progress: &dyn Progress,
) -> Result<Option<Workplace>> {
    use fanmill_remote::{Address, Listing};

    let mut paths: Vec<&mut PathBuf> =
        lists.iter_mut().flat_map(|list| list.iter_mut()).filter(|path| is_address(path)).collect();
    if paths.is_empty() {
        return Ok(None);
    }
    let addresses = paths.iter().map(|path| Address::parse(&path.to_string_lossy()));
    let listing = Listing::new(addresses.collect::<Result<_>>()?, progress)?;
    let mut workplace = open(&listing.identity())?;
    for (path, copy) in paths.iter_mut().zip(listing.fetch(&mut workplace, progress)?) {
        **path = copy;
    }
    Ok(Some(workplace))
}

/// Refuses addresses: this build fetches nothing.
///
/// # Errors
/// If there is one.
#[cfg(not(feature = "remote"))]
pub(crate) fn replace(
    lists: &mut [&mut Vec<PathBuf>],
    _open: impl FnOnce(&str) -> Result<Workplace>,
    _progress: &dyn Progress,
) -> Result<Option<Workplace>> {
    let mut paths = lists.iter().flat_map(|list| list.iter());
    match paths.find(|path| is_address(path)) {
        Some(path) => Err(fanmill_text::Error::input(fanmill_text::message![(
            "`{}` is not on this machine, and this build of Fanmill fetches nothing; fetch it, and name the copy",
            path.display()
        )])),
        None => Ok(None),
    }
}

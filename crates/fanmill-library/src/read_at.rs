//! Bytes that are read at any position, from a file or from memory.
//!
//! Positioned reads share no cursor, so that several threads read one file; and a file that becomes shorter while it is
//! read gives an error, which a file mapped into memory does not.

use std::fmt::Debug;
use std::fs::File;
use std::io::{self, Read};

use crate::Fault;

/// An input of known length that is read at any position.
pub trait ReadAt: Debug + Send + Sync {
    /// Returns its length in bytes.
    fn n_bytes(&self) -> u64;

    /// Fills `bytes` from a position on.
    ///
    /// # Errors
    /// If it cannot be read, or ends before.
    fn read_exact_at(&self, bytes: &mut [u8], at: u64) -> io::Result<()>;
}

/// A file, with its length at the time of opening.
#[derive(Debug)]
pub struct FileAt {
    file: File,
    n_bytes: u64,
}

impl FileAt {
    /// Takes an open file.
    ///
    /// # Errors
    /// If its length cannot be found out.
    pub fn new(file: File) -> io::Result<FileAt> {
        let n_bytes = file.metadata()?.len();
        Ok(FileAt { file, n_bytes })
    }
}

impl ReadAt for FileAt {
    fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    #[cfg(unix)]
    fn read_exact_at(&self, bytes: &mut [u8], at: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, bytes, at)
    }

    #[cfg(windows)]
    fn read_exact_at(&self, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
        while !bytes.is_empty() {
            let n = std::os::windows::fs::FileExt::seek_read(&self.file, bytes, at)?;
            if n == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            bytes = &mut bytes[n..];
            at += n as u64;
        }
        Ok(())
    }
}

impl ReadAt for Vec<u8> {
    fn n_bytes(&self) -> u64 {
        self.len() as u64
    }

    fn read_exact_at(&self, bytes: &mut [u8], at: u64) -> io::Result<()> {
        let from = usize::try_from(at).ok().and_then(|at| self.get(at..));
        let found = from.and_then(|from| from.get(..bytes.len()));
        bytes.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// Reads `n` bytes from a position on, which is checked before memory is taken.
///
/// # Errors
/// If the input ends before, or cannot be read; `what` names what is missing.
pub(crate) fn bytes_at(
    input: &dyn ReadAt,
    at: u64,
    n: usize,
    what: &str,
) -> Result<Vec<u8>, Fault> {
    let all = input.n_bytes();
    if at.checked_add(n as u64).is_none_or(|end| end > all) {
        let reason = format!("{what} is at bytes {at} to {at} + {n}, and the file has {all}");
        return Err(Fault::Damage(reason));
    }
    let mut bytes = vec![0; n];
    input.read_exact_at(&mut bytes, at).map_err(Fault::Io)?;
    Ok(bytes)
}

/// Part of an input, read from its beginning to its end.
#[derive(Debug)]
pub(crate) struct Section<'a> {
    pub(crate) input: &'a dyn ReadAt,
    pub(crate) at: u64,
    pub(crate) end: u64,
}

impl Read for Section<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let left = self.end.saturating_sub(self.at);
        let n = usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len());
        self.input.read_exact_at(&mut bytes[..n], self.at)?;
        self.at += n as u64;
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_read_behind_the_end() {
        let input = b"abcdef".to_vec();
        assert_eq!(bytes_at(&input, 2, 3, "x").expect("there"), b"cde");
        for (at, n) in [(2, 5), (7, 0), (u64::MAX, 2), (0, usize::MAX)] {
            assert!(matches!(bytes_at(&input, at, n, "x"), Err(Fault::Damage(_))), "{at} {n}");
        }
        let mut found = Vec::new();
        Section { input: &input, at: 1, end: 4 }.read_to_end(&mut found).expect("there");
        assert_eq!(found, b"bcd");
        assert!(Section { input: &input, at: 1, end: 9 }.read_to_end(&mut found).is_err());
    }
}

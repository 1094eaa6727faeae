//! Keeps fingerprints on disk until their store is written.
//!
//! They may take more room than the messages, of which there may be millions. The file is in the folder of the store,
//! which needs as much room, and has no name, so nothing is left of it however the run ends.
//!
//! Cost: 8 bytes of memory per document; reading them in their order takes one pass over the file.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use fanmill::sift::reduce::{Kept, Rule};
use fanmill::sift::sifter::Sifted;

/// Size of a write in bytes.
const WAITING: usize = 1 << 20;

/// Names and fingerprints, numbered from 0.
#[derive(Debug)]
pub(super) struct Spool {
    folder: PathBuf,
    /// Created for the first document.
    file: Option<BufReader<File>>,
    /// Where each document begins.
    starts: Vec<u64>,
    n_families: usize,
    /// What is not in the file yet.
    waiting: Vec<u8>,
    n_written: u64,
    /// Where the next byte is read.
    position: u64,
}

impl Spool {
    /// Empty, for fingerprints of this number of families; the file will be in `folder`.
    pub(super) fn in_folder(folder: &Path, n_families: usize) -> Spool {
        Spool {
            folder: folder.to_owned(),
            file: None,
            starts: Vec::new(),
            n_families,
            waiting: Vec::new(),
            n_written: 0,
            position: 0,
        }
    }

    /// Adds a document.
    pub(super) fn push(&mut self, name: &str, sifted: &Sifted) -> io::Result<()> {
        self.starts.push(self.n_written + self.waiting.len() as u64);
        let mut put = |n: u64| self.waiting.extend_from_slice(&n.to_le_bytes());
        put(name.len() as u64);
        for Kept { values, rule } in &sifted.families {
            let (kind, n) = match *rule {
                Rule::Divisor(n) => (0, n),
                Rule::Smallest(n) => (1, n),
            };
            [kind, n, values.len() as u64]
                .into_iter()
                .chain(values.iter().copied())
                .for_each(&mut put);
        }
        self.waiting.extend_from_slice(name.as_bytes());
        if self.waiting.len() >= WAITING { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(BufReader::new(tempfile::tempfile_in(&self.folder)?)),
        };
        // Nothing is read before everything is written, so writing continues at the end.
        file.get_mut().write_all(&self.waiting)?;
        self.n_written += self.waiting.len() as u64;
        self.waiting.clear();
        Ok(())
    }

    /// Ends writing.
    pub(super) fn end(&mut self) -> io::Result<()> {
        self.flush()?;
        self.waiting = Vec::new();
        self.file.as_mut().map_or(Ok(0), |file| file.seek(SeekFrom::Start(0))).map(drop)
    }

    /// A document, by its number, after [`end`](Spool::end).
    pub(super) fn get(&mut self, number: usize) -> io::Result<(String, Sifted)> {
        let start = self.starts[number];
        let step = start.cast_signed() - self.position.cast_signed();
        self.file.as_mut().expect("the file of a document that is there").seek_relative(step)?;
        self.position = start;
        let name_bytes = self.number()? as usize;
        let mut families = Vec::with_capacity(self.n_families);
        for _ in 0..self.n_families {
            let [kind, n, n_values] = [self.number()?, self.number()?, self.number()?];
            let rule = if kind == 0 { Rule::Divisor(n) } else { Rule::Smallest(n) };
            let values = (0..n_values).map(|_| self.number()).collect::<io::Result<_>>()?;
            families.push(Kept { values, rule });
        }
        let mut name = vec![0; name_bytes];
        self.read(&mut name)?;
        let name = String::from_utf8(name).map_err(io::Error::other)?;
        Ok((name, Sifted { families }))
    }

    fn number(&mut self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.read(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn read(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.position += bytes.len() as u64;
        self.file.as_mut().expect("the file of a document that is there").read_exact(bytes)
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    #[test]
    fn documents_come_back_in_any_order() {
        let place = TempDir::new().expect("a folder");
        let kept = |values: Vec<u64>, rule| Kept { values, rule };
        let of = |i: u64| Sifted {
            families: vec![
                kept((0..i % 90).map(|j| j * i).collect(), Rule::Divisor(1 << (i % 9))),
                kept(
                    vec![i],
                    if i.is_multiple_of(2) { Rule::Smallest(u64::MAX) } else { Rule::Smallest(i) },
                ),
            ],
        };
        let mut spool = Spool::in_folder(place.path(), 2);
        // More than wait at a time.
        for i in 0..5000 {
            spool.push(&"ä".repeat(i as usize % 5), &of(i)).expect("a disk");
        }
        spool.end().expect("a disk");
        for i in (0..5000).chain([7, 4999, 0, 8]) {
            let (name, sifted) = spool.get(i as usize).expect("a disk");
            assert_eq!((name, sifted), ("ä".repeat(i as usize % 5), of(i)));
        }
        assert_eq!(std::fs::read_dir(place.path()).expect("a folder").count(), 0, "it has no name");
    }
}

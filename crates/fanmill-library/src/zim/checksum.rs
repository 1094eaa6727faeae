//! The checksum at the end of a file.

use std::io::Read;

use md5::{Digest, Md5};

use crate::Fault;
use crate::read_at::{ReadAt, Section, bytes_at};
use crate::zim::header::CHECKSUM;

/// Size of the block that is hashed at once.
const BLOCK: usize = 1 << 20;

/// Returns whether the bytes before the checksum at `at` are those that it was made of.
pub(super) fn is_right(input: &dyn ReadAt, at: u64) -> Result<bool, Fault> {
    let stated = bytes_at(input, at, CHECKSUM as usize, "its checksum")?;
    let mut all = Section { input, at: 0, end: at };
    let (mut hash, mut block) = (Md5::new(), vec![0; BLOCK]);
    loop {
        match all.read(&mut block).map_err(Fault::Io)? {
            0 => return Ok(*hash.finalize() == *stated),
            n => hash.update(&block[..n]),
        }
    }
}

//! Needs that the heads of packed files state: memory, and a dictionary.
//!
//! Sources: RFC 8878, §3.1.1.1 (Zstandard); "The .xz File Format" 1.2.1, §2 and §3.1, and §5.3.1 (LZMA2).

/// Number of bytes that hold the head of any Zstandard frame.
pub(super) const ZSTANDARD_HEAD: usize = 18;
/// Number of bytes that hold the head of any xz stream and of its first block.
#[cfg(feature = "packings")]
pub(super) const XZ_HEAD: usize = 12 + 1024;

/// First bytes of a Zstandard frame.
pub(super) const ZSTANDARD_MAGIC: &[u8] = b"\x28\xb5\x2f\xfd";

/// The demands of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Demands {
    /// Size in bytes of the window.
    pub(super) window: u64,
    /// Number of the dictionary; 0 for none or any.
    pub(super) dictionary: u32,
}

/// Returns the number that up to 8 bytes are, the lowest first.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// Returns the demands of a Zstandard frame; `None` if it is skipped or its head is not whole.
pub(super) fn zstandard(head: &[u8]) -> Option<Demands> {
    let rest = head.strip_prefix(ZSTANDARD_MAGIC)?;
    let (&descriptor, rest) = rest.split_first()?;
    let is_single = descriptor & 0x20 != 0;
    let (window, rest) = if is_single {
        (0, rest)
    } else {
        let (&byte, rest) = rest.split_first()?;
        let base = 1_u64 << (10 + (byte >> 3));
        (base + base / 8 * u64::from(byte & 7), rest)
    };
    let (id, rest) = rest.split_at_checked([0, 1, 2, 4][usize::from(descriptor & 3)])?;
    let n_content = match (descriptor >> 6, is_single) {
        (0, is_single) => usize::from(is_single),
        (n, _) => 1 << n,
    };
    let content = number(rest.get(..n_content)?) + if n_content == 2 { 256 } else { 0 };
    let window = if is_single { content } else { window };
    // Four bytes at most.
    Some(Demands { window, dictionary: number(id) as u32 })
}

/// Returns the size in bytes of the largest dictionary of an xz stream's first block; `None` if it has no block or its
/// head is not whole.
#[cfg(feature = "packings")]
pub(super) fn xz(head: &[u8]) -> Option<u64> {
    let block = head.get(12..)?;
    let (&flags, mut rest) = block.get(1..)?.split_first()?;
    if block[0] == 0 {
        return None;
    }
    for bit in [0x40, 0x80] {
        if flags & bit != 0 {
            rest = multibyte(rest)?.1;
        }
    }
    let mut largest = None;
    for _ in 0..=flags & 3 {
        let (id, after) = multibyte(rest)?;
        let (n, after) = multibyte(after)?;
        let (properties, after) = after.split_at_checked(usize::try_from(n).ok()?)?;
        if let (0x21, &[bits]) = (id, properties) {
            let size = match bits {
                0..40 => (2 | u64::from(bits & 1)) << (bits / 2 + 11),
                _ => u64::from(u32::MAX),
            };
            largest = largest.max(Some(size));
        }
        rest = after;
    }
    largest
}

/// Returns the number that seven bits of each byte make, up to the first byte without the eighth, and what follows it.
#[cfg(feature = "packings")]
fn multibyte(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let n = 1 + bytes.iter().take(9).position(|byte| byte & 0x80 == 0)?;
    let (own, rest) = bytes.split_at(n);
    Some((own.iter().rev().fold(0, |number, byte| number << 7 | u64::from(byte & 0x7f)), rest))
}

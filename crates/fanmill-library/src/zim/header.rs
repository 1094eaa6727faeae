//! The header of a ZIM file, and the list of types behind it.

use crate::Fault;
use crate::read_at::{ReadAt, bytes_at};

/// The first bytes of every ZIM file.
pub const MAGIC: &[u8] = b"ZIM\x04";
/// Length of the header.
const LENGTH: usize = 80;
/// Length of the header of old files, which have no checksum.
const OLD_LENGTH: u64 = 72;
/// Maximum length of the list of types in bytes, and of types.
const MAX_TYPES: usize = 1 << 16;
/// Length of the checksum.
pub(super) const CHECKSUM: u64 = 16;

/// The header: counts of entries and clusters, and the places of lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) version: (u16, u16),
    pub(super) n_entries: u32,
    pub(super) n_clusters: u32,
    pub(super) paths_at: u64,
    pub(super) clusters_at: u64,
    pub(super) types_at: u64,
    /// The place of the checksum; `None` in old files.
    pub(super) checksum_at: Option<u64>,
}

/// Returns the little-endian number at the beginning of some bytes, of which there are enough.
fn number<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes.get(at..).and_then(|bytes| bytes.first_chunk()).copied().unwrap_or([0; N])
}

pub(super) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(number(bytes, at))
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(number(bytes, at))
}

pub(super) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(number(bytes, at))
}

impl Header {
    /// Reads the header, and checks all places against the file's length.
    pub(super) fn read(input: &dyn ReadAt) -> Result<Header, Fault> {
        let bytes = bytes_at(input, 0, LENGTH, "its header")?;
        if !bytes.starts_with(MAGIC) {
            return Err(Fault::damage("it does not begin like a ZIM file"));
        }
        let version = (u16_at(&bytes, 4), u16_at(&bytes, 6));
        if !matches!(version.0, 5 | 6) {
            let (major, minor) = version;
            return Err(Fault::Damage(format!(
                "it is of version {major}.{minor}, and versions 5 and 6 are read"
            )));
        }
        let types_at = u64_at(&bytes, 56);
        let checksum_at = (types_at > OLD_LENGTH).then(|| u64_at(&bytes, 72));
        let header = Header {
            version,
            n_entries: u32_at(&bytes, 24),
            n_clusters: u32_at(&bytes, 28),
            paths_at: u64_at(&bytes, 32),
            clusters_at: u64_at(&bytes, 48),
            types_at,
            checksum_at,
        };
        header.check(input.n_bytes(), u64_at(&bytes, 40))?;
        Ok(header)
    }

    fn check(&self, n_bytes: u64, titles_at: u64) -> Result<(), Fault> {
        if let Some(at) = self.checksum_at {
            let end = at.saturating_add(CHECKSUM);
            if end > n_bytes {
                return Err(Fault::Damage(format!(
                    "it is cut off: its header says {end} bytes, and it has {n_bytes}"
                )));
            }
            if end < n_bytes {
                return Err(Fault::Damage(format!(
                    "{} bytes follow its checksum: it is damaged, or several files in one",
                    n_bytes - end
                )));
            }
        }
        let (entries, clusters) = (u64::from(self.n_entries), u64::from(self.n_clusters));
        // New files have no list of titles, and say so by a place that cannot be.
        let has_titles = titles_at != 0 && titles_at != u64::MAX;
        let lists = [
            ("paths", self.paths_at, 8 * entries),
            ("titles", if has_titles { titles_at } else { 0 }, 4 * u64::from(has_titles) * entries),
            ("clusters", self.clusters_at, 8 * clusters),
            ("types", self.types_at, 1),
        ];
        for (name, at, n) in lists {
            if at.checked_add(n).is_none_or(|end| end > n_bytes) {
                return Err(Fault::Damage(format!(
                    "its list of {name} is at byte {at} with {n} bytes, and the file has {n_bytes}"
                )));
            }
        }
        Ok(())
    }

    /// Returns whether articles are in the name space `C`, as they are since version 6.1; before, they are in `A`.
    pub(super) fn has_new_names(&self) -> bool {
        self.version >= (6, 1)
    }

    /// Reads the list of types, in lower case.
    pub(super) fn types(&self, input: &dyn ReadAt) -> Result<Vec<String>, Fault> {
        let left = input.n_bytes().saturating_sub(self.types_at);
        let n = usize::try_from(left).unwrap_or(usize::MAX).min(MAX_TYPES);
        let bytes = bytes_at(input, self.types_at, n, "its list of types")?;
        let mut types = Vec::new();
        let mut rest = &bytes[..];
        while let Some(end) = memchr::memchr(0, rest) {
            if end == 0 {
                return Ok(types);
            }
            types.push(String::from_utf8_lossy(&rest[..end]).to_lowercase());
            rest = &rest[end + 1..];
        }
        Err(Fault::Damage(format!("its list of types does not end within {MAX_TYPES} bytes")))
    }
}

//! How much of a document is read.

/// The limits on one document. Each is counted as bytes are read, since a document may lie about its sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one unpacked part, and of the text that is found.
    pub part_bytes: u64,
    /// Bytes of all unpacked parts that are read.
    pub total_bytes: u64,
    /// Unpacked bytes for each byte of the document, above 10 MiB.
    pub ratio: u64,
    /// Entries of a zip; most documents have fewer than a hundred.
    pub entries: usize,
}

/// References, styles and sheets of a document that are followed; each may be written in a few bytes.
pub(super) const MOST_REFERENCES: usize = 20_000;

/// Below this many bytes a ratio says nothing: XML of empty cells packs 500 to 1.
const RATIO_FLOOR: u64 = 10 << 20;

impl Limits {
    /// 64 MiB a part, 1 GiB in all, 200 to 1, 20,000 entries.
    pub fn standard() -> Limits {
        Limits { part_bytes: 64 << 20, total_bytes: 1 << 30, ratio: 200, entries: 20_000 }
    }

    /// Unpacked bytes that a document of so many bytes may have.
    pub(super) fn unpacked(&self, packed: usize) -> u64 {
        (packed as u64).saturating_mul(self.ratio).max(RATIO_FLOOR).min(self.total_bytes)
    }
}

//! Limits on how much of a document is read.

/// Limits on one document. They are checked as bytes are read, since a document may lie about its sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one unpacked part, and of the extracted text.
    pub part_bytes: u64,
    /// Bytes of all unpacked parts together.
    pub total_bytes: u64,
    /// Unpacked bytes for each byte of the document, beyond 10 MiB.
    pub ratio: u64,
    /// Entries of a zip; most documents have fewer than a hundred.
    pub entries: usize,
    /// Levels of documents inside documents.
    pub levels: u32,
}

/// Maximum number of references, styles and sheets of a document that are followed; each may take only a few bytes.
pub(super) const MOST_REFERENCES: usize = 20_000;

/// Maximum number of documents inside a document that are read.
pub(super) const MOST_EMBEDDED: usize = 50;

/// Below this many bytes the ratio is meaningless: XML of empty cells packs 500 to 1.
const RATIO_FLOOR: u64 = 10 << 20;

impl Limits {
    /// Returns the standard limits: 64 MiB per part, 1 GiB in all, a ratio of 200 to 1, 20,000 entries, 2
    /// levels of documents inside documents.
    pub fn standard() -> Limits {
        Limits {
            part_bytes: 64 << 20,
            total_bytes: 1 << 30,
            ratio: 200,
            entries: 20_000,
            levels: 2,
        }
    }

    /// Returns the number of unpacked bytes that a document of `packed` bytes may have.
    pub(super) fn unpacked(&self, packed: usize) -> u64 {
        (packed as u64).saturating_mul(self.ratio).max(RATIO_FLOOR).min(self.total_bytes)
    }
}

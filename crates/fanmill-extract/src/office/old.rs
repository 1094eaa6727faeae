//! Office documents in the old container format: those from before 2007, and encrypted new ones. They are not read.
//!
//! Source: [MS-CFB], §2.2 (header) and §2.6 (names of streams); [MS-OFFCRYPTO], §2.3.

use memchr::memmem;

use crate::extracted::ReadFailure;

/// First bytes of such containers.
const MAGIC: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// Names of streams, and the reason not to read a container with such a stream.
const STREAMS: [(&str, &str); 5] = [
    ("EncryptedPackage", "encrypted; save it without a password"),
    ("WordDocument", "an old Word document (.doc); save it as .docx"),
    ("PowerPoint Document", "old slides (.ppt); save them as .pptx"),
    ("Workbook", "an old workbook (.xls); save it as .xlsx"),
    ("__properties_version1.0", "a message of Outlook (.msg); save it as .eml"),
];

pub(super) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Returns whether the container is a Word document.
pub(super) fn is_word(bytes: &[u8]) -> bool {
    begins(bytes) && reason(bytes).reason == STREAMS[1].1
}

/// Returns the reason why the container is not read.
pub(super) fn reason(bytes: &[u8]) -> ReadFailure {
    let utf16 = |name: &str| name.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let found = STREAMS.iter().find(|(name, _)| memmem::find(bytes, &utf16(name)).is_some());
    ReadFailure::skipped(
        found.map_or("an old office document; save it in a newer format", |(_, what)| what),
    )
}

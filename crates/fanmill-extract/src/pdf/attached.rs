//! Files attached to a document, which a reader opens from a list or from a pin on a page.
//!
//! A portfolio is a page that asks for another viewer, and its documents are attached to it. Their text follows that of
//! the pages.
//!
//! Cost: that of reading each of at most [`MOST_ATTACHED`] files; together they unpack to no more than the text may have.
//! Source: ISO 32000-2 (PDF 2.0), §7.9.6, "Name trees", §7.11.4, "Embedded file streams", and §12.5.6.15, "File attachment
//! annotations".
//! Departs from it: files that are packed in another way than by deflate, in no use today, are flagged and not read.

use std::collections::HashSet;
use std::io::Read;

use flate2::read::ZlibDecoder;
use hayro_interpret::CacheKey;
use hayro_interpret::hayro_syntax::object::{Array, Dict, Object, Stream};
use hayro_interpret::hayro_syntax::{Filter, Pdf};

use super::annotations::pinned;
use super::limits::{MOST_ATTACHED, MOST_NODES, MOST_PAGES, PARENTS};
use crate::extracted::Flag;
use crate::office::{Inner, Limits, read_within};

/// The beginning of PDF, which viewers look for in so many bytes.
const HEAD: &[u8] = b"%PDF-";
const HEAD_BYTES: usize = 1024;

/// Reads the files attached to a document, in the order of their names, and then those pinned to pages, each once. Returns
/// `None` for one that cannot be read, and in place of all that are over the limit. `left` is the number of bytes that they
/// may still unpack to, and `read` reads PDF to a text of so many bytes.
pub(super) fn attached(
    pdf: &Pdf,
    left: &mut u64,
    mut read: impl FnMut(&[u8], u64) -> Option<Inner>,
) -> Vec<Option<Inner>> {
    let mut known = HashSet::new();
    let mut files = Vec::new();
    for file in streams(pdf).filter(|file| known.insert(file.cache_key())) {
        if files.len() == MOST_ATTACHED {
            files.push(None);
            break;
        }
        files.push(one(&file, left, &mut read));
    }
    files
}

fn one(
    file: &Stream<'_>,
    left: &mut u64,
    read: impl FnOnce(&[u8], u64) -> Option<Inner>,
) -> Option<Inner> {
    let bytes = unpacked(file, *left)?;
    *left -= bytes.len() as u64;
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    let inner = if memchr::memmem::find(head, HEAD).is_some() {
        read(&bytes, *left)?
    } else {
        let limits = Limits { part_bytes: *left, total_bytes: *left, ..Limits::standard() };
        let (inner, n_unpacked) = read_within(&bytes, false, Some(limits));
        *left = left.saturating_sub(n_unpacked);
        inner?
    };
    let n_apart: usize = inner.asides.iter().map(|aside| aside.text.len()).sum();
    *left = left.checked_sub((inner.text.len() + n_apart) as u64)?;
    Some(inner)
}

/// Returns the contents of attached files.
fn streams(pdf: &Pdf) -> impl Iterator<Item = Stream<'_>> {
    let xref = pdf.xref();
    let catalog = xref.get::<Dict<'_>>(xref.root_id());
    let names = catalog.and_then(|catalog| catalog.get::<Dict<'_>>("Names"));
    let tree = names.and_then(|names| names.get::<Dict<'_>>("EmbeddedFiles"));
    let mut listed = Vec::new();
    if let Some(tree) = tree {
        let mut left = MOST_NODES;
        collect(&tree, 0, &mut left, &mut listed);
    }
    listed.into_iter().chain(pdf.pages().iter().take(MOST_PAGES).flat_map(pinned)).filter_map(
        |file| {
            let contents = file.get::<Dict<'_>>("EF")?;
            ["UF", "F"].iter().find_map(|name| contents.get::<Stream<'_>>(name))
        },
    )
}

/// Adds the files in a node of a tree of names, which may be in a circle; `left` is the number of nodes left to visit.
fn collect<'a>(node: &Dict<'a>, depth: usize, left: &mut usize, files: &mut Vec<Dict<'a>>) {
    if depth == PARENTS || *left == 0 {
        return;
    }
    *left -= 1;
    let named = node.get::<Array<'_>>("Names").unwrap_or_default();
    // Names and files take turns; one more than is read says that some are left out.
    let named = named.iter::<Object<'_>>().filter_map(Object::into_dict);
    files.extend(named.take(MOST_ATTACHED + 1));
    for kid in node.get::<Array<'_>>("Kids").unwrap_or_default().iter::<Dict<'_>>() {
        if files.len() > MOST_ATTACHED {
            return;
        }
        collect(&kid, depth + 1, left, files);
    }
}

/// Unpacks a file; `None` if it is over the limit, damaged, or packed in an unusual way.
fn unpacked(file: &Stream<'_>, most_bytes: u64) -> Option<Vec<u8>> {
    let packed = file.raw_data();
    let bytes = match file.filters()[..] {
        [] => packed.into_owned(),
        [Filter::FlateDecode] if !file.dict().contains_key("DecodeParms") => {
            let mut bytes = Vec::new();
            let unpacked = ZlibDecoder::new(&*packed);
            unpacked.take(most_bytes.saturating_add(1)).read_to_end(&mut bytes).ok()?;
            bytes
        }
        _ => return None,
    };
    (bytes.len() as u64 <= most_bytes).then_some(bytes)
}

/// Returns what to flag about a document with files attached to it.
pub(super) fn flags(files: &[Option<Inner>]) -> impl Iterator<Item = Flag> {
    let inner = files.iter().flatten().flat_map(|inner| inner.flags.iter().copied());
    inner.chain(files.iter().any(Option::is_none).then_some(Flag::Embedded))
}

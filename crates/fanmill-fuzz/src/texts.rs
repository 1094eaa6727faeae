//! Targets for readers of one text: encodings, front ends, notebooks and other cells, pages, mail, fingerprint stores.

use std::sync::LazyLock;

use fanmill::index::encoding::{self, Block};
use fanmill_mail::about::MessageIdentity;
use fanmill_mail::headed::headed;
use fanmill_mail::{Limits, begin, mbox as mailbox, message as mail};
use fanmill_sift::profile::Profile;
use fanmill_sift::{encoding as fingerprints, store_file};
use fanmill_text::frontend::cells::{Notation, join};
use fanmill_text::frontend::{FrontEnd, Text, Words, decode as decoded};
use fanmill_text::token::Tokens;
use xxhash_rust::xxh3::xxh3_64;

/// Decodes bytes to text, and maps each position in the text back to the bytes.
///
/// # Panics
/// If a position is outside the bytes, or positions go backwards.
pub fn decode(bytes: &[u8]) {
    let found = decoded(bytes);
    assert_eq!(found.map.out_len(), found.text.len(), "the map is as long as the text");
    assert!(found.map.in_len() <= bytes.len(), "the map ends inside of the bytes");
    let text = Text::new(bytes);
    let mut tokens = Tokens::default();
    fanmill_text::frontend::Words.tokenize(text.as_str(), &mut tokens);
    text.to_original(&mut tokens);
    check_spans(&tokens, bytes.len(), "words");
}

/// Lets the front end that the first byte selects read the other bytes.
///
/// # Panics
/// If a token is outside the text, or tokens go backwards.
pub fn lexers(bytes: &[u8]) {
    static ALL: LazyLock<Vec<Box<dyn FrontEnd>>> = LazyLock::new(fanmill_lang::front_ends);
    let Some((&first, rest)) = bytes.split_first() else { return };
    let front_end = &ALL[usize::from(first) % ALL.len()];
    let text = Text::new(rest);
    let mut tokens = Tokens::default();
    front_end.tokenize(text.as_str(), &mut tokens);
    check_spans(&tokens, text.as_str().len(), front_end.name());
}

fn check_spans(tokens: &Tokens, len: usize, who: &str) {
    let mut end_before = 0;
    for span in &tokens.spans {
        assert!(span.start >= end_before, "{who}: tokens go backwards at {span:?}");
        assert!(span.end >= span.start && span.end as usize <= len, "{who}: {span:?} of {len}");
        end_before = span.start;
    }
}

/// Reads a notebook's cells, and maps each back to the bytes.
///
/// # Panics
/// If a cell is mapped outside the notebook.
pub fn notebook(bytes: &[u8]) {
    read_cells(Notation::Notebook, bytes);
}

/// Reads the cells of a document in the notation that the first byte selects, and maps each back to the bytes.
///
/// # Panics
/// If a cell is mapped outside the document.
pub fn cells(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    read_cells(Notation::ALL[usize::from(first) % Notation::ALL.len()], rest);
}

fn read_cells(notation: Notation, bytes: &[u8]) {
    let document = decoded(bytes);
    let Ok(Some(cells)) = notation.cells(&document) else { return };
    // Prose and code are texts of their own, whatever is in them.
    let code = fanmill_lang::registry();
    let front_end = |name: &str| code.find(name).expect("a language that there is");
    let texts = join(&cells, &document, &|cell| {
        if cell.language.is_some() { front_end("c") } else { front_end(Words.name()) }
    });
    for cells in &texts {
        let mut end = 0;
        for piece in &cells.pieces {
            assert_eq!(piece.start, end, "pieces follow each other");
            end = piece.end;
        }
        let mut tokens = Tokens::default();
        cells.front_end.tokenize(cells.text.as_str(), &mut tokens);
        cells.text.to_original(&mut tokens);
        check_spans(&tokens, bytes.len(), "a cell");
    }
}

/// Reads the text of a page, as for a corpus.
pub fn page(bytes: &[u8]) {
    let text = fanmill_records::html::decode(bytes, None);
    fanmill_extract::html::text(&text.characters);
}

/// Reads the part of a page that a mail program shows.
pub fn visible(bytes: &[u8]) {
    fanmill_mail::visible::read(&String::from_utf8_lossy(bytes));
}

/// Reads one raw message, and adds a header to it.
///
/// # Panics
/// If the result begins with neither the header nor a line `From `.
pub fn message(bytes: &[u8]) {
    mail::read(bytes, &Limits::standard());
    MessageIdentity::read(bytes);
    let name = "X-Fanmill".parse().expect("a name");
    let passed = headed(bytes, &name, "no");
    assert!(passed.starts_with(b"X-Fanmill: no") || passed.starts_with(b"From "));
}

/// Reads a mailbox of messages.
///
/// # Panics
/// If a message is reported outside the mailbox.
pub fn mbox(bytes: &[u8]) {
    begin::kind(bytes);
    let limits = Limits::standard();
    for raw in mailbox::messages(bytes, &limits) {
        let raw = raw.expect("bytes in memory can be read");
        assert!(raw.offset <= bytes.len() as u64, "a message begins inside of the mailbox");
        mail::read(&raw.bytes, &limits);
    }
}

/// Reads a store of fingerprints as it is, and then with corrected checksums, since mutations do not hit the right
/// ones.
///
/// # Panics
/// If a store that can be read is written back differently.
pub fn store(bytes: &[u8]) {
    check_store(bytes);
    check_originals(bytes);
    if let Some(sealed) = sealed(bytes) {
        check_store(&sealed);
    }
}

/// Reads the fingerprints of an original, encoded as in segments.
fn check_originals(bytes: &[u8]) {
    for profile in [Profile::short(), Profile::mail()] {
        let Some(sifted) = fingerprints::decode(&profile, bytes) else { continue };
        let mut again = Vec::new();
        fingerprints::encode(&sifted, &mut again);
        assert_eq!(again, bytes, "what was read is written again");
    }
}

fn check_store(bytes: &[u8]) {
    let Ok(records) = store_file::read_without_key(bytes) else { return };
    let mut again = Vec::new();
    store_file::write(&records, &mut again).expect("memory takes it");
    assert_eq!(again, bytes, "what was read is written again");
}

/// Reads the postings of an index, all of them and block by block.
///
/// # Panics
/// If readable postings are written as different bytes, or a block has different postings than the whole.
pub fn postings(bytes: &[u8]) {
    let Ok(index) = encoding::decode(bytes) else { return };
    let mut again = Vec::new();
    encoding::encode(&index, &mut again);
    assert_eq!(again, bytes, "what was read is written again");
    let (mut rest, mut found) = (bytes, Vec::new());
    while !rest.is_empty() {
        let (block, after) = Block::parse(rest).expect("it was read before");
        for &hash in block.hashes() {
            found.clear();
            block.find(hash, &mut found).expect("it was read before");
            assert_eq!(found, index.postings(hash), "a block has what the whole has");
        }
        rest = after;
    }
}

/// Returns the store with both checksums corrected, if it is long enough to have them.
fn sealed(bytes: &[u8]) -> Option<Vec<u8>> {
    // The header has magic and version, the length of the scheme, the scheme, and the number of documents.
    let length = u32::from_le_bytes(bytes.get(12..16)?.try_into().ok()?) as usize;
    let header = bytes.get(..length.checked_add(24)?)?;
    let body = bytes.get(header.len() + 8..bytes.len().checked_sub(8)?)?;
    let sealed = |part: &[u8]| [part, &xxh3_64(part).to_le_bytes()].concat();
    Some([sealed(header), sealed(body)].concat())
}

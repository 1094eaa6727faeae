//! Records: an index's data about a document, besides its text and its fingerprints, as bytes of a segment's file.

use fanmill::index::encoding::{put, take};
use fanmill_sift::key::Sealer;
use fanmill_text::Result;
use fanmill_text::document::{Publication, Submission};
use serde::Serialize;

/// An index's data about a document. The files of a document were added together and are judged together, like a
/// submission of [`fanmill::pipeline::compare`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Record {
    /// Its number in the index, which was never that of another document.
    pub id: u64,
    /// Its name, which is unique in the index.
    pub name: String,
    /// The author, if one was given.
    pub author: Option<String>,
    /// The group that it was put into, if there is one.
    pub label: Option<String>,
    /// The time of its hand-in, if one was given.
    pub submitted: Option<String>,
    /// Facts by which a published text is found again.
    #[serde(flatten)]
    pub publication: Publication,
    /// Number of tokens.
    pub tokens: u64,
    /// Its files, ascending by path.
    pub files: Vec<FileRecord>,
    /// Part of the BLAKE3 hash of everything that was added.
    #[serde(skip)]
    pub(crate) content: [u8; 16],
    /// The start of its bytes among the texts of its segment.
    #[serde(skip)]
    pub(crate) start: u64,
}

/// A file of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FileRecord {
    /// Its path inside the document.
    pub path: String,
    /// Its size in bytes.
    pub bytes: u64,
}

impl Record {
    /// Makes the record of a submission to be added, without its number, its tokens and its place. In a keyed index,
    /// the hash of its contents is a value under the key.
    pub(crate) fn new(submission: &Submission, sealer: Option<&Sealer>) -> Record {
        let files = submission.documents.iter().map(|document| FileRecord {
            path: document.path.clone(),
            bytes: document.bytes.len() as u64,
        });
        let mut record = Record {
            id: 0,
            name: submission.name.clone(),
            author: submission.author.clone(),
            label: submission.label.clone(),
            submitted: submission.submitted.clone(),
            publication: submission.publication.clone(),
            tokens: 0,
            files: files.collect(),
            content: [0; 16],
            start: 0,
        };
        let content = record.content_of(submission.documents.iter().map(|file| &*file.bytes));
        record.content = sealer.map_or(content, |sealer| sealer.contents(content));
        record
    }

    /// Hashes its names, its facts, its sizes and the bytes of its files.
    pub(crate) fn content_of<'a>(&self, files: impl Iterator<Item = &'a [u8]>) -> [u8; 16] {
        let mut hasher = blake3::Hasher::new();
        let mut said = Vec::new();
        self.put_words(&mut said);
        self.put_publication(&mut said);
        hasher.update(&(said.len() as u64).to_le_bytes());
        hasher.update(&said);
        for bytes in files {
            hasher.update(bytes);
        }
        hasher.finalize().as_bytes().first_chunk().copied().unwrap_or_default()
    }

    /// Returns the bytes of its files.
    pub fn n_bytes(&self) -> u64 {
        self.files.iter().fold(0, |sum: u64, file| sum.saturating_add(file.bytes))
    }

    fn put_words(&self, bytes: &mut Vec<u8>) {
        put_text(&self.name, bytes);
        for text in [&self.author, &self.label, &self.submitted] {
            put_optional(text.as_deref(), bytes);
        }
        put(self.files.len() as u64, bytes);
        for file in &self.files {
            put_text(&file.path, bytes);
            put(file.bytes, bytes);
        }
    }

    /// Appends the facts of its publication, if there are any.
    fn put_publication(&self, bytes: &mut Vec<u8>) {
        if !self.publication.is_empty() {
            for fact in self.publication.facts() {
                put_optional(fact, bytes);
            }
        }
    }

    pub(crate) fn encode(&self, bytes: &mut Vec<u8>) {
        put(self.id, bytes);
        self.put_words(bytes);
        put(self.tokens, bytes);
        put(self.start, bytes);
        bytes.extend(self.content);
        self.put_publication(bytes);
    }

    /// Reads what [`encode`](Self::encode) writes, and rejects anything else.
    pub(crate) fn decode(mut bytes: &[u8]) -> Option<Record> {
        let bytes = &mut bytes;
        let record = read(bytes).ok()??;
        bytes.is_empty().then_some(record)
    }
}

fn read(bytes: &mut &[u8]) -> Result<Option<Record>> {
    let id = take(bytes)?;
    let Some(name) = take_text(bytes)? else { return Ok(None) };
    let Some([author, label, submitted]) = take_optional(bytes)? else { return Ok(None) };
    let mut files = Vec::new();
    for _ in 0..take(bytes)? {
        let Some(path) = take_text(bytes)? else { return Ok(None) };
        files.push(FileRecord { path, bytes: take(bytes)? });
    }
    let (tokens, start) = (take(bytes)?, take(bytes)?);
    let Some((&content, rest)) = bytes.split_first_chunk() else { return Ok(None) };
    *bytes = rest;
    let mut publication = Publication::default();
    if !bytes.is_empty() {
        let Some([title, url, licence, language]) = take_optional(bytes)? else {
            return Ok(None);
        };
        publication = Publication { title, url, licence, language };
        if publication.is_empty() {
            return Ok(None);
        }
    }
    Ok(Some(Record {
        id,
        name,
        author,
        label,
        submitted,
        publication,
        tokens,
        files,
        content,
        start,
    }))
}

fn put_optional(text: Option<&str>, bytes: &mut Vec<u8>) {
    put(u64::from(text.is_some()), bytes);
    if let Some(text) = text {
        put_text(text, bytes);
    }
}

fn take_optional<const N: usize>(bytes: &mut &[u8]) -> Result<Option<[Option<String>; N]>> {
    let mut optional = [const { None }; N];
    for text in &mut optional {
        match take(bytes)? {
            0 => {}
            1 => match take_text(bytes)? {
                Some(own) => *text = Some(own),
                None => return Ok(None),
            },
            _ => return Ok(None),
        }
    }
    Ok(Some(optional))
}

fn put_text(text: &str, bytes: &mut Vec<u8>) {
    put(text.len() as u64, bytes);
    bytes.extend(text.as_bytes());
}

fn take_text(bytes: &mut &[u8]) -> Result<Option<String>> {
    let n = usize::try_from(take(bytes)?).unwrap_or(usize::MAX);
    let Some((text, rest)) = bytes.split_at_checked(n) else { return Ok(None) };
    *bytes = rest;
    Ok(String::from_utf8(text.to_vec()).ok())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text() -> impl Strategy<Value = Option<String>> {
        prop::option::of(".{0,12}")
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            (id, tokens, start, content) in any::<(u64, u64, u64, [u8; 16])>(),
            name in ".{0,12}",
            (author, label, submitted) in (text(), text(), text()),
            (title, url, licence, language) in (text(), text(), text(), text()),
            files in prop::collection::vec((".{0,12}", any::<u64>()), 0..4),
        ) {
            let files = files.into_iter().map(|(path, bytes)| FileRecord { path, bytes }).collect();
            let publication = Publication { title, url, licence, language };
            let record = Record { id, name, author, label, submitted, publication, tokens, files, content, start };
            let mut bytes = Vec::new();
            record.encode(&mut bytes);
            prop_assert_eq!(Record::decode(&bytes[..bytes.len() - 1]), None);
            // Earlier releases wrote records without these facts.
            let bare = Record { publication: Publication::default(), ..record.clone() };
            let mut earlier = Vec::new();
            bare.encode(&mut earlier);
            prop_assert!(bytes.starts_with(&earlier));
            prop_assert_eq!(Record::decode(&earlier), Some(bare));
            prop_assert_eq!(Record::decode(&bytes), Some(record));
        }

        #[test]
        fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            let _ = Record::decode(&bytes);
        }
    }
}

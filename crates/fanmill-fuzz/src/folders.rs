//! A target for folders of an index: damaged contents with valid checksums, which mutations of whole files never have.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use fanmill::report::Match;
use fanmill_disk::replace::Disk;
use fanmill_disk::segments::generation::{CURRENT, manifest_name};
use fanmill_disk::segments::pages::{FileEntry, PageFile, PageWriter};
use fanmill_index::{Answer, Index, Search, Source, Writer};
use fanmill_text::document::{Corpus, Submission};
use fanmill_text::frontend::Registry;
use fanmill_text::progress::Silent;
use fanmill_text::{Error, Result};
use serde_json::Value;

/// The files of a segment.
const FILES: [&str; 2] = ["seg-1.fps", "seg-1.txt"];
/// Number of parts of an index: its manifest, and two of each file: the last part, which is read when the index is
/// opened, and what comes before.
const N_PARTS: usize = 1 + 2 * FILES.len();

/// A text that the index of the seeds has parts of.
const QUERY: &str = "Last summer we walked along the river until the old mill came into sight, and then home. \
    The miller sells flour that he grinds between stones from the time before the war, and nobody knows how old the wheel is.";

/// Registry of front ends for prose.
static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::prose);

/// Reads the bytes as the contents of an index, puts the checksums right, and searches it.
///
/// # Panics
/// If an index that is found to be sound cannot be searched or listed, or a passage is outside of its text.
pub fn index(bytes: &[u8]) {
    let Some(parts) = parts(bytes) else { return };
    super::scratch::with_folder(|folder| {
        write(folder, &parts).expect("room in the temporary folder");
        let Ok(index) = Index::open(folder) else { return };
        index.stats();
        let answer = search(&index);
        if index.verify(&Silent).is_err() {
            return;
        }
        let answer = answer.map_err(|error| error.to_string()).expect("a sound index is searched");
        check_sources(&index, &answer).map_err(|error| error.to_string()).expect("its texts");
        for document in index.submissions() {
            let document = document.map_err(|error| error.to_string());
            document.expect("a document of a sound index is read");
        }
    });
}

/// Searches for a text, and checks that passages are in it.
fn search(index: &Index) -> Result<Answer> {
    let query = document("query", QUERY)?;
    let answer = index.search(query, &REGISTRY, &Search::default(), &Silent)?;
    for Match { a, b, .. } in answer.sources.iter().flat_map(matches) {
        assert!(a.start <= a.end && a.end as usize <= QUERY.len(), "{a:?} in the query");
        assert!(b.start <= b.end, "{b:?} in a source");
    }
    Ok(answer)
}

fn matches(source: &Source) -> impl Iterator<Item = &Match> {
    source.pair.passages.iter().flat_map(|passage| &passage.matches)
}

/// Checks that passages are in the texts of a sound index: it finds each of its documents by name.
fn check_sources(index: &Index, answer: &Answer) -> Result<()> {
    for source in &answer.sources {
        let found = index.document(&source.record.name)?.expect("a source has a name");
        for Match { b, .. } in matches(source) {
            let n_bytes = found.documents.get(b.file as usize).map_or(0, |file| file.bytes.len());
            assert!(b.end as usize <= n_bytes, "{b:?} in {}", source.record.name);
        }
    }
    Ok(())
}

fn document(name: &str, text: &str) -> Result<Submission> {
    let submissions = Corpus::from_texts([(name, text)])?.submissions;
    submissions.into_iter().next().ok_or_else(|| Error::input("no document"))
}

/// Splits bytes into the parts of an index, which the lengths of all but the last one precede.
fn parts(bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let (lengths, mut rest) = bytes.split_first_chunk::<{ 2 * (N_PARTS - 1) }>()?;
    let mut parts = Vec::with_capacity(N_PARTS);
    for length in lengths.as_chunks::<2>().0 {
        let n = usize::from(u16::from_le_bytes(*length)).min(rest.len());
        let (part, later) = rest.split_at(n);
        parts.push(part);
        rest = later;
    }
    parts.push(rest);
    Some(parts)
}

/// Joins the parts of an index.
fn joined(parts: &[Vec<u8>]) -> Vec<u8> {
    let (_, before) = parts.split_last().expect("an index has parts");
    let lengths = before.iter().flat_map(|part| (part.len() as u16).to_le_bytes());
    lengths.chain(parts.concat()).collect()
}

/// Writes an index with valid checksums: of pages, of the files, and of the manifest.
fn write(folder: &Path, parts: &[&[u8]]) -> std::io::Result<()> {
    let mut manifest: Option<Value> = serde_json::from_slice(parts[0]).ok();
    for (name, own) in FILES.iter().zip(parts[1..].chunks_exact(2)) {
        let mut file = Vec::new();
        let mut out = PageWriter::new(name, &mut file);
        out.write(own[0])?;
        let body = out.begin_tail();
        out.write(&with_hash(own[1], &body))?;
        let entry = out.finish(name)?;
        fs::write(folder.join(name), file)?;
        if let Some(manifest) = &mut manifest {
            put(manifest, &entry);
        }
    }
    // A manifest that is no longer JSON stays as it is.
    let written =
        manifest.map_or_else(|| parts[0].to_vec(), |json| format!("{json}\n").into_bytes());
    let name = manifest_name(1);
    let hash = blake3::hash(&written).to_hex();
    fs::write(folder.join(&name), written)?;
    fs::write(folder.join(CURRENT), format!("{name} {hash}\n"))
}

/// Puts the hash of a file's body into its last part, which begins with JSON and the length of that, if it still does.
fn with_hash(tail: &[u8], hash: &str) -> Vec<u8> {
    let changed = || {
        let (length, rest) = tail.split_first_chunk()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let (json, rest) = rest.split_at_checked(length)?;
        let mut footer: Value = serde_json::from_slice(json).ok()?;
        *footer.get_mut("body")? = hash.into();
        let json = footer.to_string().into_bytes();
        Some([&(json.len() as u64).to_le_bytes(), &*json, rest].concat())
    };
    changed().unwrap_or_else(|| tail.to_vec())
}

/// Puts the lengths and the hash of a file into the entries of a manifest that name it.
fn put(manifest: &mut Value, entry: &FileEntry) {
    let segments = manifest.get_mut("segments").and_then(Value::as_array_mut);
    for segment in segments.into_iter().flatten() {
        for kind in ["fingerprints", "texts"] {
            let Some(own) = segment.get_mut(kind) else { continue };
            if own["name"] == *entry.name {
                *own = serde_json::to_value(entry).expect("an entry is JSON");
            }
        }
    }
}

/// Returns an index with texts and one without, each of documents that share a passage with the text searched for.
///
/// # Panics
/// Never, as long as there is room for temporary files.
pub fn seeds() -> Vec<Vec<u8>> {
    let words: Vec<&str> = QUERY.split(' ').collect();
    let texts = [
        format!("{} And in autumn it rained for weeks.", words[..18].join(" ")),
        format!("Flour is dear. {} It turns.", words[19..].join(" ")),
        "Nothing of this text is in any other one, as far as its author knows today.".to_owned(),
    ];
    let made = |n: usize| -> Result<Vec<u8>> {
        let folder = tempfile::tempdir().map_err(|error| Error::system("no folder", error))?;
        let mut writer = Writer::open(&Disk::default(), folder.path(), None)?;
        let names = ["ada", "bob", "cy"];
        let documents = names.iter().zip(&texts).take(n).map(|(name, text)| document(name, text));
        writer.add(documents.collect::<Result<_>>()?, &REGISTRY, &Silent)?;
        writer.close()?;
        contents(folder.path())
    };
    let made = [made(3), made(1)].into_iter().collect::<Result<_>>();
    made.expect("an index in a temporary folder")
}

/// Returns the parts of an index without checksums.
fn contents(folder: &Path) -> Result<Vec<u8>> {
    let path = folder.join(manifest_name(1));
    let manifest = fs::read(&path).map_err(|error| Error::io("read", &path, error))?;
    let json: Value = serde_json::from_slice(&manifest).expect("a manifest is JSON");
    let mut parts = vec![manifest];
    for kind in ["fingerprints", "texts"] {
        let entry = json["segments"][0][kind].clone();
        let entry: FileEntry = serde_json::from_value(entry).expect("an entry of a file");
        let (file, tail) = PageFile::open(folder, &entry)?;
        let mut body = Vec::new();
        file.read(0, file.n_body(), &mut body)?;
        parts.extend([body, tail]);
    }
    Ok(joined(&parts))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The checksums are as an index has them: nothing is changed where nothing was damaged.
    #[test]
    fn an_index_is_put_together_again() {
        for seed in seeds() {
            super::super::scratch::with_folder(|folder| {
                write(folder, &parts(&seed).expect("parts")).expect("room");
                let index = Index::open(folder).expect("an index");
                index.verify(&Silent).expect("all is as it was");
                let query = document("query", QUERY).expect("a document");
                let answer = index.search(query, &REGISTRY, &Search::default(), &Silent);
                let n_found = answer.expect("a sound index").sources.len();
                assert_eq!(n_found, 1.max(index.n_documents() as usize - 1));
                assert_eq!(contents(folder).expect("its contents").len(), seed.len());
            });
        }
    }
}

//! Targets for readers of libraries: ZIM files, dumps in XML, wikitext.

use std::sync::Arc;

use fanmill_library::wikitext::{LinkNames, text};
use fanmill_library::zim::made::{Made, MadeCluster, MadeEntry, MadeLeads};
use fanmill_library::zim::{Archive, Articles, Limits};

use super::corpora;

/// Maximum number of bytes that a cluster unpacks to, so low that the limit is reached too.
const CLUSTER_BYTES: u64 = 1 << 16;
/// Maximum size of an article in bytes.
const ARTICLE_BYTES: u64 = 1 << 12;

/// Reads a ZIM file to its end.
///
/// # Panics
/// If an article is longer than allowed, or there are more articles than entries.
pub fn zim(bytes: &[u8]) {
    let limits =
        Limits { cluster_bytes: CLUSTER_BYTES, article_bytes: ARTICLE_BYTES, ..Limits::standard() };
    let Ok(archive) = Archive::open(Arc::new(bytes.to_vec()), limits) else { return };
    let n_entries = archive.n_entries() as usize;
    let Ok(mut articles) = Articles::new(archive) else { return };
    let mut n_articles = 0;
    while let Ok(Some((_, article))) = articles.next_article() {
        n_articles += 1;
        let n_bytes = article.map_or(0, |article| article.content.len());
        assert!(n_bytes as u64 <= ARTICLE_BYTES, "an article of {n_bytes} bytes");
    }
    assert!(n_articles <= n_entries, "{n_articles} articles of {n_entries} entries");
}

/// Reads wikitext.
///
/// # Panics
/// If the text is far longer than its source.
pub fn wikitext(bytes: &[u8]) {
    let source = String::from_utf8_lossy(bytes);
    let found = text(&source, &LinkNames::standard());
    assert!(found.len() <= 2 * source.len(), "{} bytes of {}", found.len(), source.len());
}

/// Reads a dump of pages or of posts, and writes it again.
pub fn dump(bytes: &[u8]) {
    corpora::records("records.xml", bytes);
}

/// Returns files with packed and plain clusters, a redirect, a circle, and metadata.
///
/// # Panics
/// Never: writing to memory does not fail.
pub fn zims() -> Vec<Vec<u8>> {
    let entry = |namespace, path, leads| MadeEntry { namespace, path, title: "", leads };
    let entries = vec![
        entry(b'C', "Barley", MadeLeads::Text(0, b"<p>Barley is a grain.</p>")),
        entry(b'C', "Grain", MadeLeads::Entry(0)),
        entry(b'C', "circle", MadeLeads::Entry(2)),
        entry(b'C', "notes", MadeLeads::Text(1, b"plain words")),
        entry(b'M', "Name", MadeLeads::Text(1, b"wikipedia_en_grain")),
    ];
    let packed = MadeCluster {
        packing: 5,
        is_extended: true,
        pack: |bytes| zstd::encode_all(bytes, 3).expect("memory"),
    };
    let made =
        |cluster| Made { version: (6, 1), entries: entries.clone(), cluster, texts_in_cluster: 2 };
    [MadeCluster::PLAIN, packed].map(|cluster| made(cluster).bytes()).into()
}

/// Returns wikitext with all that is dropped, and all that stays.
pub fn wikitexts() -> Vec<Vec<u8>> {
    let texts = [
        "'''Barley''' is [[grain|a grain]]s.{{x|{{{1|y}}}}}<ref name=a>no</ref>\n== Yield ==\n* one\n{| class=x\n| y\n|}\n",
        "[[File:x.jpg|thumb|[[a]]]][https://a.example b] <nowiki>[[</nowiki>&nbsp;<!-- c -->__NOTOC__-{d}-<br/>",
    ];
    texts.map(|text| text.as_bytes().to_vec()).into()
}

/// Returns a dump of pages, and one of posts.
pub fn dumps() -> Vec<Vec<u8>> {
    let texts = [
        "<mediawiki xml:lang=\"en\"><siteinfo><base>https://a.example/wiki/M</base></siteinfo>\n\
         <page><title>A</title><ns>0</ns><id>1</id><revision><text>''a'' &amp;amp; [[b]]</text></revision></page>\n\
         <page><title>T:B</title><ns>1</ns></page>\n</mediawiki>\n",
        "<?xml version=\"1.0\"?>\n<posts>\n<row Id=\"1\" PostTypeId=\"1\" Body=\"&lt;p&gt;a&lt;pre&gt;b\" Title=\"t\" />\n\
         <row Id=\"2\" PostTypeId=\"2\" Body='x' />\n</posts>\n",
    ];
    texts.map(|text| text.as_bytes().to_vec()).into()
}

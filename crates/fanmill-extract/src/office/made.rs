//! Documents made for tests.

use std::io::{Cursor, Write};

use zip::write::{SimpleFileOptions, ZipWriter};

/// Makes a zip of these parts.
pub(super) fn zip(parts: &[(&str, &str)]) -> Vec<u8> {
    zip_of(&parts.iter().map(|(name, text)| (*name, text.as_bytes())).collect::<Vec<_>>())
}

/// Makes a zip of these parts, of any bytes.
pub(super) fn zip_of(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).expect("an entry");
        zip.write_all(content).expect("its bytes");
    }
    zip.finish().expect("a zip").into_inner()
}

/// Makes a table of relations: id, type, target.
pub(super) fn relations(all: &[(&str, &str, &str)]) -> String {
    let one = |(id, kind, target): &(&str, &str, &str)| {
        format!("<Relationship Id=\"{id}\" Type=\"http://t/{kind}\" Target=\"{target}\"/>")
    };
    format!("<Relationships>{}</Relationships>", all.iter().map(one).collect::<String>())
}

/// Makes a package whose main part has this name, with other parts.
pub(super) fn package(main: &str, parts: &[(&str, &str)]) -> Vec<u8> {
    let root = relations(&[("r1", "officeDocument", main)]);
    let mut all = vec![("[Content_Types].xml", "<Types/>"), ("_rels/.rels", &root)];
    all.extend(parts);
    zip(&all)
}

/// Makes a Word document with this body, and other parts.
pub(super) fn docx(body: &str, parts: &[(&str, &str)]) -> Vec<u8> {
    let document = format!("<w:document xmlns:w=\"w\"><w:body>{body}</w:body></w:document>");
    let kinds = ["styles", "settings", "footnotes", "endnotes", "comments"];
    let names: Vec<String> = kinds.iter().map(|kind| format!("{kind}.xml")).collect();
    let table: Vec<_> =
        kinds.iter().zip(&names).map(|(kind, name)| (*kind, *kind, &**name)).collect();
    let table = relations(&table);
    let mut all =
        vec![("word/document.xml", &*document), ("word/_rels/document.xml.rels", &*table)];
    all.extend(parts);
    package("word/document.xml", &all)
}

/// Makes a Word document with this body, and documents inside it: type of their relation, name, bytes.
pub(super) fn docx_around(body: &str, inner: &[(&str, &str, &[u8])]) -> Vec<u8> {
    let document = format!("<w:document xmlns:w=\"w\"><w:body>{body}</w:body></w:document>");
    let root = relations(&[("r1", "officeDocument", "word/document.xml")]);
    let table: Vec<_> = inner.iter().map(|&(kind, name, _)| (name, kind, name)).collect();
    let table = relations(&table);
    let mut all: Vec<(&str, &[u8])> = vec![
        ("_rels/.rels", root.as_bytes()),
        ("word/document.xml", document.as_bytes()),
        ("word/_rels/document.xml.rels", table.as_bytes()),
    ];
    let names: Vec<String> = inner.iter().map(|(_, name, _)| format!("word/{name}")).collect();
    all.extend(names.iter().zip(inner).map(|(name, &(_, _, bytes))| (&**name, bytes)));
    zip_of(&all)
}

/// Makes a Word paragraph with one run.
pub(super) fn paragraph(text: &str) -> String {
    format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")
}

/// Makes an OpenDocument file with these styles and this body.
pub(super) fn open_document(kind: &str, styles: &str, body: &str) -> Vec<u8> {
    let mime = format!("application/vnd.oasis.opendocument.{kind}");
    let content = format!(
        "<office:document-content><office:automatic-styles>{styles}</office:automatic-styles>\
         <office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>"
    );
    let meta = "<office:document-meta><office:meta><meta:generator>Writer</meta:generator><dc:creator>Bo</dc:creator>\
        <meta:initial-creator>Ada</meta:initial-creator></office:meta></office:document-meta>";
    zip(&[("mimetype", &mime), ("content.xml", &content), ("meta.xml", meta)])
}

/// Makes a book of these pages.
pub(super) fn epub(pages: &[&str]) -> Vec<u8> {
    let item = |i: usize| format!("<item id=\"p{i}\" href=\"text/page%20{i}.xhtml#x\"/>");
    let items: String = (0..pages.len()).map(item).collect();
    let reference = |i: usize| format!("<itemref idref=\"p{i}\"/>");
    let spine: String = (0..pages.len()).rev().map(reference).collect();
    let opf = format!(
        "<package><metadata><dc:creator>Ada</dc:creator></metadata><manifest>{items}</manifest><spine>{spine}</spine></package>"
    );
    let names: Vec<String> =
        (0..pages.len()).map(|i| format!("OEBPS/text/page {i}.xhtml")).collect();
    let container =
        "<container><rootfiles><rootfile full-path=\"OEBPS/book.opf\"/></rootfiles></container>";
    let mut parts = vec![
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", container),
        ("OEBPS/book.opf", &opf),
    ];
    parts.extend(names.iter().map(String::as_str).zip(pages.iter().copied()));
    zip(&parts)
}

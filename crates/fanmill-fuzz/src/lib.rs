//! Fuzz targets: every reader of foreign bytes, and the kernels, as functions of bytes.
//!
//! A target takes any bytes, reads them as its job would, and panics if a promise is broken: a span lies outside the
//! text, a record that is kept comes out changed, a store reads back differently.
//! [`TARGETS`] lists all of them. `fuzz/` wraps each for libFuzzer; the tests of this crate run each on mutated
//! [seeds].
//!
//! Readers that take paths get a file in memory if the system supports it ([`scratch`]).

#![deny(unsafe_code)]

pub mod scratch;
pub mod arrays;
pub mod columns;
pub mod corpora;
pub mod folders;
pub mod mutate;
pub mod seeds;
pub mod documents;
pub mod kernels;
pub mod libraries;
pub mod service;
pub mod sessions;
pub mod texts;

/// A reader of foreign bytes, with its seeds.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Name of the fuzz target, and of its folder of seeds.
    pub name: &'static str,
    /// Reads the bytes, and panics if a promise is broken.
    pub run: fn(&[u8]),
    /// Makes small inputs that reach deep into the reader.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// All targets, by name.
pub const TARGETS: &[Target] = &[
    Target { name: "archive", run: corpora::archive, seeds: seeds::archives },
    Target { name: "arrow", run: arrays::arrow, seeds: arrays::seeds },
    Target { name: "cells", run: texts::cells, seeds: seeds::cells },
    Target { name: "csv", run: corpora::csv, seeds: seeds::tables },
    Target { name: "decode", run: texts::decode, seeds: seeds::encodings },
    Target { name: "document", run: documents::document, seeds: documents::whole },
    Target { name: "dump", run: libraries::dump, seeds: libraries::dumps },
    Target { name: "index", run: folders::index, seeds: folders::seeds },
    Target { name: "ipc", run: corpora::ipc, seeds: seeds::ipc_files },
    Target { name: "jsonl", run: corpora::jsonl, seeds: seeds::json_lines },
    Target { name: "kernels", run: kernels::kernels, seeds: kernels::seeds },
    Target { name: "lexers", run: texts::lexers, seeds: seeds::programs },
    Target { name: "log", run: corpora::log, seeds: seeds::logs },
    Target { name: "lti", run: service::lti, seeds: service::statements },
    Target { name: "mailbox", run: corpora::mailbox, seeds: seeds::mailboxes },
    Target { name: "manifest", run: corpora::manifest, seeds: seeds::manifests },
    Target { name: "mbox", run: texts::mbox, seeds: seeds::mailboxes },
    Target { name: "message", run: texts::message, seeds: seeds::messages },
    Target { name: "moss", run: sessions::moss, seeds: sessions::seeds },
    Target { name: "multipart", run: service::multipart, seeds: service::forms },
    Target { name: "notebook", run: texts::notebook, seeds: seeds::notebooks },
    Target { name: "page", run: texts::page, seeds: seeds::pages },
    Target { name: "pages", run: columns::pages, seeds: columns::seeds },
    Target { name: "parquet", run: corpora::parquet, seeds: seeds::parquet_files },
    Target { name: "part", run: documents::part, seeds: documents::parts },
    Target { name: "pdf", run: documents::pdf, seeds: documents::pdfs },
    Target { name: "postings", run: texts::postings, seeds: seeds::postings },
    Target { name: "store", run: texts::store, seeds: seeds::stores },
    Target { name: "visible", run: texts::visible, seeds: seeds::pages },
    Target { name: "warc", run: corpora::warc, seeds: seeds::web_archives },
    Target { name: "wikitext", run: libraries::wikitext, seeds: libraries::wikitexts },
    Target { name: "zim", run: libraries::zim, seeds: libraries::zims },
];

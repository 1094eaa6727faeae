//! Documents: the cost of the cage around the reader of PDF, the time until a document that never ends is stopped, and
//! the cost of comparing Word essays.

#[expect(dead_code, reason = "tests draw more than a benchmark does")]
#[path = "../../fanmill-extract/src/pdf/made.rs"]
mod made;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::{Result, ensure};
use fanmill::pipeline::{Config, compare};
use fanmill_extract::cage::{self, WithoutLocks};
use fanmill_extract::pdf;
use fanmill_kernel::hash::mix::mix;
use fanmill_source::{Budget, Limits, Options};
use fanmill_text::document::{Corpus, Role};
use fanmill_text::progress::Silent;
use rayon::prelude::*;
use zip::write::{SimpleFileOptions, ZipWriter};

use self::made::{PdfBuilder, text};
use crate::stopwatch::processor;

/// Number of documents that are read inside the cage and outside.
const DOCUMENTS: u64 = 200;
/// Number of pages of each document, with 40 lines of 10 words.
const PAGES: u64 = 12;
/// Number of Word essays that are compared, and of words in each.
const ESSAYS: u64 = 400;
const WORDS: u64 = 3000;
/// Maximum text of a document, in bytes.
const MOST: u64 = 64 << 20;

/// Prints all figures. This program also serves as the caged child.
pub(crate) fn run() -> Result<()> {
    cage::use_program(std::env::current_exe()?);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
    pool.install(|| -> Result<()> {
        throughput()?;
        deadline()?;
        essays()
    })
}

fn throughput() -> Result<()> {
    let documents: Vec<Vec<u8>> = (0..DOCUMENTS).into_par_iter().map(pages).collect();
    let read_all = |read: &(dyn Fn(&[u8]) -> bool + Sync)| {
        measured(|| documents.par_iter().filter(|document| read(document)).count())
    };
    let (without, n_without) = read_all(&|document| pdf::read(document, MOST, "").is_ok());
    let (within, n_within) =
        read_all(&|document| cage::read(document, MOST, "", WithoutLocks::Read).document.is_ok());
    ensure!(n_without as u64 == DOCUMENTS && n_within == n_without, "a document was not read");
    let each = |used: Used, n: u64| 1e3 * used.processor / n as f64;
    println!(
        "{DOCUMENTS} PDF documents of {PAGES} pages, two threads: {:.2} ms of CPU a document without the cage ({:.2} a page), \
         {:.2} within: {:.2} times; {:.2} and {:.2} s by the clock: {:.2} times",
        each(without, DOCUMENTS),
        each(without, DOCUMENTS * PAGES),
        each(within, DOCUMENTS),
        within.processor / without.processor,
        without.clock,
        within.clock,
        within.clock / without.clock,
    );
    Ok(())
}

/// Returns a document of prose that no other document repeats.
fn pages(seed: u64) -> Vec<u8> {
    let page = |page: u64| -> String {
        let line = |line: u64| {
            let first = (page * 40 + line) * 10;
            text(50.0, 740.0 - 15.0 * line as f64, 11.0, &words(seed, first, 10))
        };
        (0..40).map(line).collect()
    };
    (0..PAGES).fold(PdfBuilder::default(), |made, number| made.page(&page(number))).finish()
}

fn words(seed: u64, first: u64, n: u64) -> String {
    let word = |i: u64| {
        let number = mix(seed << 32 | i);
        let letters =
            (0..3 + number % 6).map(|j| char::from(b'a' + (number >> (5 * j + 3)) as u8 % 26));
        letters.collect::<String>()
    };
    (first..first + n).map(word).collect::<Vec<_>>().join(" ")
}

/// Times a document whose form draws another form twice, and so on, thirty levels deep.
fn deadline() -> Result<()> {
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources 4 0 R";
    let mut endless = PdfBuilder::default().page("/F0 Do");
    for i in 0..30 {
        endless = endless.drawn(&format!("F{i}"), form, &format!("/F{0} Do /F{0} Do", i + 1));
    }
    let endless = endless.drawn("F30", form, "BT /F1 9 Tf (x) Tj ET").finish();
    let (used, answer) = measured(|| cage::read(&endless, MOST, "", WithoutLocks::Read));
    ensure!(answer.document.is_err(), "an endless document was read");
    println!(
        "a document that never ends is ended after {:.2} s of CPU, {:.2} s by the clock (limit: 10 s of CPU)",
        used.processor, used.clock
    );
    Ok(())
}

/// Times the comparison of essays that each share a paragraph with the next one.
fn essays() -> Result<()> {
    let folder = tempfile::tempdir()?;
    for i in 0..ESSAYS {
        let own = words(1000 + i, 0, WORDS - 200);
        let shared = [words(5000 + i, 0, 100), words(5000 + (i + 1) % ESSAYS, 0, 100)];
        let paragraphs = own.as_bytes().chunks(600).map(String::from_utf8_lossy);
        let all: Vec<String> = paragraphs.map(String::from).chain(shared).collect();
        write_docx(&folder.path().join(format!("essay{i:03}.docx")), &all)?;
    }
    let (used, n_pairs) = measured(|| -> Result<usize> {
        let (mut corpus, budget) = (Corpus::default(), Budget::new(Limits::standard()));
        let paths = [folder.path().to_owned()];
        let options = Options::everything();
        fanmill_source::read(&paths, Role::New, &options, &budget, &mut corpus, &Silent)?;
        let registry = fanmill_lang::registry();
        let comparison = compare(corpus, &registry, &Config::standard(), &Silent)?;
        Ok(comparison.report.pairs.len())
    });
    println!(
        "{ESSAYS} Word essays of {WORDS} words read and compared in {:.2} s of CPU, {} pairs (asked 4 s)",
        used.processor, n_pairs?
    );
    Ok(())
}

fn write_docx(path: &Path, paragraphs: &[String]) -> Result<()> {
    let mut zip = ZipWriter::new(fs::File::create(path)?);
    let paragraph = |text: &String| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>");
    let body: String = paragraphs.iter().map(paragraph).collect();
    let part = "<Relationships><Relationship Id=\"r\" Type=\"http://t/officeDocument\" Target=\"word/document.xml\"/></Relationships>";
    let document = format!("<w:document xmlns:w=\"w\"><w:body>{body}</w:body></w:document>");
    for (name, content) in [
        ("[Content_Types].xml", "<Types/>"),
        ("_rels/.rels", part),
        ("word/document.xml", &document),
    ] {
        zip.start_file(name, SimpleFileOptions::default())?;
        zip.write_all(content.as_bytes())?;
    }
    zip.finish()?;
    Ok(())
}

/// The time that a job took.
#[derive(Debug, Clone, Copy)]
struct Used {
    /// Processor time of this process and of finished children, in seconds; `clock` is wall-clock time.
    processor: f64,
    clock: f64,
}

fn measured<T>(job: impl FnOnce() -> T) -> (Used, T) {
    let (before, start) = (processor(), Instant::now());
    let result = job();
    let clock = start.elapsed().as_secs_f64();
    (Used { processor: processor() - before, clock }, result)
}

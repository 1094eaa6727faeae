//! The functions that a page calls, and those of the page that are called here.
//!
//! Bytes cross in buffers that only this module owns. The page asks for `room`, writes into it, and calls the function
//! for what it has written: a `path`, the `file` at that path, or the request to `compare`. It then reads `text`, which
//! is an error or the path of a file of the report, and `bytes`, which is that file.
//!
//! No pointer is followed here, so nothing is unsafe except that functions are called by their names.
#![expect(unsafe_code, reason = "names without mangling, and imports, count as unsafe")]

use std::cell::RefCell;
use std::panic;

use fanmill_text::progress::Progress;

use crate::session::{Session, words};

#[derive(Default)]
struct Exchange {
    session: Session,
    /// Written by the page.
    room: Vec<u8>,
    path: Vec<u8>,
    /// Read by the page.
    text: String,
    bytes: Vec<u8>,
}

thread_local! {
    static EXCHANGE: RefCell<Exchange> = RefCell::default();
}

fn with<T>(work: impl FnOnce(&mut Exchange) -> T) -> T {
    EXCHANGE.with_borrow_mut(work)
}

// SAFETY: the page provides these functions with these types, or the module cannot be instantiated. It only reads the
// memory that it is given, before it returns.
#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Begins a step with this name, in UTF-8, and with `total` parts.
    safe fn begin(name: *const u8, length: usize, total: f64);
    /// Advances the step by `n` parts.
    safe fn advance(n: f64);
    /// Reports the fault by which the module is about to end, in UTF-8.
    safe fn fault(text: *const u8, length: usize);
}

struct Page;

impl Progress for Page {
    fn begin(&self, step: &'static str, total: u64) {
        begin(step.as_ptr(), step.len(), total as f64);
    }

    fn advance_by(&self, n: u64) {
        advance(n as f64);
    }
}

impl Exchange {
    /// Returns whether a step succeeded; if not, `text` says why.
    fn succeeded(&mut self, result: fanmill_text::Result<()>) -> bool {
        self.text = result.err().map(|error| words(&error)).unwrap_or_default();
        self.text.is_empty()
    }
}

/// Returns room for `length` bytes, zeroed; null if there is not enough memory.
// SAFETY (of this name and the others): nothing else has this name.
#[unsafe(no_mangle)]
extern "C" fn room(length: usize) -> *mut u8 {
    with(|own| {
        own.room = Vec::new();
        if own.room.try_reserve_exact(length).is_err() {
            return std::ptr::null_mut();
        }
        own.room.resize(length, 0);
        own.room.as_mut_ptr()
    })
}

/// Takes what was written as the path of the next file.
#[unsafe(no_mangle)]
extern "C" fn path() {
    with(|own| own.path = std::mem::take(&mut own.room));
}

/// Takes what was written as a file. Returns whether it is accepted.
#[unsafe(no_mangle)]
extern "C" fn file() -> bool {
    with(|own| {
        let (path, bytes) = (std::mem::take(&mut own.path), std::mem::take(&mut own.room));
        let taken = own.session.add(&path, bytes);
        own.succeeded(taken)
    })
}

/// Takes what was written as the request, and compares. Returns whether there is a report.
#[unsafe(no_mangle)]
extern "C" fn compare() -> bool {
    panic::set_hook(Box::new(|why| {
        let text = why.to_string();
        fault(text.as_ptr(), text.len());
    }));
    with(|own| {
        let request = std::mem::take(&mut own.room);
        let compared = own.session.compare(&request, &Page);
        own.succeeded(compared)
    })
}

/// Leaves the names of the languages that are read as the text, one per line.
#[unsafe(no_mangle)]
extern "C" fn languages() {
    with(|own| own.text = fanmill_jobs::languages().collect::<Vec<_>>().join("\n"));
}

/// Takes the next file of the report, and leaves its path as the text. Returns whether there is one.
#[unsafe(no_mangle)]
extern "C" fn next() -> bool {
    with(|own| {
        let file = own.session.next_file();
        let is_any = file.is_some();
        (own.text, own.bytes) = file.unwrap_or_default();
        is_any
    })
}

/// Returns the address of the text.
#[unsafe(no_mangle)]
extern "C" fn text() -> *const u8 {
    with(|own| own.text.as_ptr())
}

/// Returns the number of bytes in the text, in UTF-8.
#[unsafe(no_mangle)]
extern "C" fn text_length() -> usize {
    with(|own| own.text.len())
}

/// Returns the address of the file.
#[unsafe(no_mangle)]
extern "C" fn bytes() -> *const u8 {
    with(|own| own.bytes.as_ptr())
}

/// Returns the number of bytes in the file.
#[unsafe(no_mangle)]
extern "C" fn bytes_length() -> usize {
    with(|own| own.bytes.len())
}

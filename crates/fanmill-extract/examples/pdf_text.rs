//! Prints the text of a PDF that you trust: `pdf_text FILE`. It is read in this process.

use std::io::{Write, stderr, stdout};

#[expect(clippy::disallowed_methods, reason = "an example, and no command of the program")]
fn main() -> std::io::Result<()> {
    let Some(path) = std::env::args_os().nth(1) else {
        return writeln!(stderr(), "give the path of a PDF");
    };
    match fanmill_extract::pdf::read(&std::fs::read(path)?, 64 << 20, "") {
        Ok(document) => {
            for aside in &document.asides {
                writeln!(stderr(), "{}: {}: {}", aside.at, aside.kind.name(), aside.text)?;
            }
            stdout().write_all(document.text.as_bytes())
        }
        Err(unread) => writeln!(stderr(), "{}", unread.reason),
    }
}

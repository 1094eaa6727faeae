//! Prints the text of a PDF that you do not trust: `pdf_caged FILE`. This program starts itself to read it, locked in.

use std::io::{Error, Write, stdout};
use std::process::ExitCode;

use fanmill_extract::cage::{self, WithoutLocks};

#[expect(clippy::disallowed_methods, reason = "an example, and no command of the program")]
fn main() -> std::io::Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &*arguments.iter().map(String::as_str).collect::<Vec<_>>() {
        // First of all, before there are threads and open files.
        [cage::COMMAND, rest @ ..] => Ok(cage::main(rest).into()),
        [path] => {
            cage::use_program(std::env::current_exe()?);
            let answer = cage::read(&std::fs::read(path)?, 64 << 20, "", WithoutLocks::Skip);
            let document =
                answer.document.map_err(|unread| Error::other(unread.reason.to_string()))?;
            stdout().write_all(document.text.as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
        _ => Err(Error::other("give the path of a PDF")),
    }
}

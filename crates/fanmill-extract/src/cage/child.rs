//! The child: locks itself in, reads one document and answers.

use std::io::{Read, Write, stdin, stdout};

use super::{locks, selftest, wire};

/// What the program does with the arguments that follow [`COMMAND`](super::COMMAND); returns its exit status.
pub fn main(arguments: &[&str]) -> u8 {
    match arguments {
        ["pdf"] => u8::from(read_one().is_none()),
        ["selftest"] => selftest::run(),
        [selftest::INSIDE] => selftest::inside(),
        _ => 2,
    }
}

/// Reads one document from standard input, and writes what it says to standard output.
#[expect(clippy::disallowed_methods, reason = "a pipe to the parent, not what people read")]
fn read_one() -> Option<()> {
    // What a fault of the reader has to say helps nobody.
    std::panic::set_hook(Box::new(|_| {}));
    let locks = locks::lock().ok()?;
    let (mut input, mut out) = (stdin().lock(), stdout().lock());
    out.write_all(&wire::hello(locks)).ok()?;
    out.flush().ok()?;
    let mut numbers = [0; 16];
    input.read_exact(&mut numbers).ok()?;
    let (most_bytes, length) = numbers.split_at(8);
    let number = |bytes: &[u8]| bytes.try_into().map(u64::from_le_bytes).ok();
    let (most_bytes, length) = (number(most_bytes)?, number(length)?);
    let mut bytes = Vec::new();
    input.take(length).read_to_end(&mut bytes).ok()?;
    let answer = wire::answer(&crate::pdf::read(&bytes, most_bytes));
    out.write_all(&(answer.len() as u64).to_le_bytes()).ok()?;
    out.write_all(&answer).ok()?;
    out.flush().ok()
}

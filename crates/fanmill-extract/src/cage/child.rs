//! The child: locks itself in, reads one document and answers.

use std::io::{Read, Write, stdin, stdout};

use super::{
    COMMAND_OF_USER, READS, RECOGNISER_OF_USER, RECOGNISES, UserProgram, locks, selftest, wire,
};

/// Runs the program with the arguments that follow [`COMMAND`](super::COMMAND), and returns its exit status.
pub fn main(arguments: &[&str]) -> u8 {
    match arguments {
        ["pdf"] => u8::from(read_one().is_none()),
        [COMMAND_OF_USER, program, rest @ ..] => run(program, rest, &READS),
        [RECOGNISER_OF_USER, program, rest @ ..] => run(program, rest, &RECOGNISES),
        ["selftest"] => selftest::run(),
        [selftest::INSIDE] => selftest::inside(),
        [selftest::CALLS] => selftest::calls(),
        _ => 2,
    }
}

/// Reads one document from standard input, and writes the answer to standard output.
#[expect(clippy::disallowed_methods, reason = "a pipe to the parent, not what people read")]
fn read_one() -> Option<()> {
    // The panic message of a reader would help nobody.
    std::panic::set_hook(Box::new(|_| {}));
    let locks = locks::lock().ok()?;
    let (mut input, mut out) = (stdin().lock(), stdout().lock());
    out.write_all(&wire::hello(locks)).ok()?;
    out.flush().ok()?;
    let page = u32::try_from(number(&mut input)?).ok()?;
    let most_bytes = number(&mut input)?;
    let passwords = String::from_utf8(told(&mut input)?).ok()?;
    let bytes = told(&mut input)?;
    let answer = match page {
        0 => wire::answer(&crate::pdf::read_with_scans(&bytes, most_bytes, &passwords)),
        page => wire::picture(&crate::pdf::picture(&bytes, page, &passwords)),
    };
    out.write_all(&(answer.len() as u64).to_le_bytes()).ok()?;
    out.write_all(&answer).ok()?;
    out.flush().ok()
}

fn number(input: &mut impl Read) -> Option<u64> {
    let mut bytes = [0; 8];
    input.read_exact(&mut bytes).ok()?;
    Some(u64::from_le_bytes(bytes))
}

/// Reads a length and that many bytes.
fn told(input: &mut impl Read) -> Option<Vec<u8>> {
    let length = number(input)?;
    let mut bytes = Vec::new();
    input.take(length).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Turns this process into a program of the user's, within the limits. Returns only if that fails.
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "a pipe to the parent, not what people read")]
fn run(program: &str, arguments: &[&str], may: &UserProgram) -> u8 {
    use std::io::stderr;
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    let failed = match locks::limit_command(may) {
        Ok(()) => Command::new(program).args(arguments).exec().to_string(),
        Err(reason) => reason,
    };
    let _ = stderr().write_all(failed.as_bytes());
    wire::NOT_STARTED
}

/// Runs a program of the user's, within the limits, and returns its exit status: no process becomes another one here.
#[cfg(windows)]
#[expect(clippy::disallowed_methods, reason = "a pipe to the parent, not what people read")]
fn run(program: &str, arguments: &[&str], may: &UserProgram) -> u8 {
    use std::io::stderr;
    use std::process::Command;

    let started = locks::limit_command(may).and_then(|()| {
        Command::new(program).args(arguments).status().map_err(|error| error.to_string())
    });
    match started.map(|status| status.code()) {
        Ok(Some(super::job::OUT_OF_TIME)) => wire::OUT_OF_TIME,
        // Statuses of more than eight bits are as bad as any.
        Ok(code) => code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1),
        Err(reason) => {
            let _ = stderr().write_all(reason.as_bytes());
            wire::NOT_STARTED
        }
    }
}

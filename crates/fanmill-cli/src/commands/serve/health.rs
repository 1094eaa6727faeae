//! `serve health`: whether a server on this machine can serve requests. Images without a shell have no other client.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::Context;
use fanmill_report::printable;

use crate::exit::Exit;
use crate::words::say;

/// Time for each step of the question.
const PATIENCE: Duration = Duration::from_secs(5);

/// Bytes of an answer that are read: its status, and why.
const MOST: u64 = 4096;

/// Asks the server at `listen`, and repeats its reason if it cannot serve.
pub(super) fn run(listen: SocketAddr) -> anyhow::Result<Exit> {
    let answer = ask(listen).with_context(|| format!("no answer from a server at {listen}"))?;
    if answer.starts_with("HTTP/1.1 200 ") {
        return Ok(Exit::Done);
    }
    let first = answer.lines().next().unwrap_or_default();
    let reason = answer.lines().last().unwrap_or_default();
    say(format_args!("fanmill: {listen} answers {}: {}", printable(first), printable(reason)));
    Ok(Exit::Incomplete)
}

fn ask(listen: SocketAddr) -> std::io::Result<String> {
    let mut server = TcpStream::connect_timeout(&listen, PATIENCE)?;
    server.set_read_timeout(Some(PATIENCE))?;
    server.set_write_timeout(Some(PATIENCE))?;
    write!(server, "GET /readyz HTTP/1.1\r\nHost: {listen}\r\nConnection: close\r\n\r\n")?;
    let mut answer = Vec::new();
    server.take(MOST).read_to_end(&mut answer)?;
    if answer.is_empty() {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

//! Self-test of the cage: tries inside it everything that it must prevent.

use std::fs;
use std::io::{Write, stdout};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::process::Command;

use super::{COMMAND, locks};

/// Argument of the process that makes the attempts.
pub(super) const INSIDE: &str = "selftest-inside";

/// Starts a process that makes the attempts, and prints its output, since inside the cage nothing but a pipe can be
/// written.
pub(super) fn run() -> u8 {
    let tried = std::env::current_exe()
        .and_then(|program| Command::new(program).args([COMMAND, INSIDE]).output());
    let Ok(tried) = tried else { return 3 };
    let is_said = print(&tried.stdout);
    u8::from(!is_said || !tried.status.success())
}

/// The name of an attempt, and a function that returns whether it succeeded.
type Try = (&'static str, fn() -> bool);

/// Locks this process in and tries to get out. The exit status is 0 if nothing was possible.
pub(super) fn inside() -> u8 {
    let Ok(locks) = locks::lock() else { return 3 };
    let tries: [Try; 8] = [
        ("read a file", || {
            fs::read("/proc/self/status").or_else(|_| fs::read("/etc/passwd")).is_ok()
        }),
        ("list a folder", || fs::read_dir("/").is_ok_and(|mut all| all.next().is_some())),
        ("write a file", || fs::write("/dev/null", "x").is_ok()),
        ("connect to a port", || TcpStream::connect("127.0.0.1:9").is_ok()),
        ("listen on a port", || TcpListener::bind("127.0.0.1:0").is_ok()),
        ("send a datagram", || UdpSocket::bind("127.0.0.1:0").is_ok()),
        ("start a process", || Command::new("/bin/true").status().is_ok()),
        ("take a gigabyte", || Vec::<u8>::new().try_reserve_exact(1 << 30).is_ok()),
    ];
    let mut said = format!("landlock: {:?}, seccomp: {:?}\n", locks.landlock, locks.seccomp);
    let mut n_possible = 0;
    for (what, is_possible) in tries {
        let is_possible = is_possible();
        n_possible += u8::from(is_possible);
        said.extend([what, ": ", if is_possible { "POSSIBLE" } else { "refused" }, "\n"]);
    }
    let is_said = print(said.as_bytes());
    u8::from(n_possible > 0 || !is_said)
}

#[expect(clippy::disallowed_methods, reason = "a process of its own, which is no command")]
fn print(bytes: &[u8]) -> bool {
    stdout().write_all(bytes).is_ok()
}

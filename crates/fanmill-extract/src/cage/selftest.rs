//! Self-test of the cage: tries inside it everything that it must prevent.

use std::fs;
use std::io::{Write, stdout};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::process::Command;

use super::{COMMAND, locks};

/// Argument of the process that makes the attempts.
pub(super) const INSIDE: &str = "selftest-inside";

/// Argument of the process that tries all system calls by their numbers.
pub(super) const CALLS: &str = "selftest-calls";

/// Starts a process that makes the attempts, and prints its output, since inside the cage nothing but a pipe can be
/// written. The process inherits an open file, which it must not get at.
pub(super) fn run() -> u8 {
    let inherited = open_to_children();
    let tried = std::env::current_exe()
        .and_then(|program| Command::new(program).args([COMMAND, INSIDE]).output());
    drop(inherited);
    let Ok(tried) = tried else { return 3 };
    let is_said = print(&tried.stdout);
    u8::from(!is_said || !tried.status.success())
}

/// Opens this program as a file that processes which are started inherit.
fn open_to_children() -> Option<fs::File> {
    let file = fs::File::open(std::env::current_exe().ok()?).ok()?;
    #[cfg(unix)]
    rustix::io::fcntl_setfd(&file, rustix::io::FdFlags::empty()).ok()?;
    Some(file)
}

/// The name of an attempt, and a function that returns whether it succeeded.
type Try = (&'static str, fn() -> bool);

const TRIES: [Try; 8] = [
    ("read a file", || fs::read("/proc/self/status").or_else(|_| fs::read("/etc/passwd")).is_ok()),
    ("list a folder", || fs::read_dir("/").is_ok_and(|mut all| all.next().is_some())),
    ("write a file", || fs::write("/dev/null", "x").is_ok()),
    ("connect to a port", || TcpStream::connect("127.0.0.1:9").is_ok()),
    ("listen on a port", || TcpListener::bind("127.0.0.1:0").is_ok()),
    ("send a datagram", || UdpSocket::bind("127.0.0.1:0").is_ok()),
    ("start a process", || Command::new("/bin/true").status().is_ok()),
    ("take a gigabyte", || Vec::<u8>::new().try_reserve_exact(1 << 30).is_ok()),
];

/// Locks this process in and tries to get out. The exit status is 0 if nothing was possible.
pub(super) fn inside() -> u8 {
    let Ok(locks) = locks::lock() else { return 3 };
    let mut said = format!("landlock: {:?}, seccomp: {:?}\n", locks.landlock, locks.seccomp);
    let mut n_possible = 0;
    let tried = TRIES.into_iter().map(|(what, is_possible)| (what, is_possible()));
    for (what, is_possible) in tried.chain(tried_by_number()) {
        n_possible += u8::from(is_possible);
        said.extend([what, ": ", if is_possible { "POSSIBLE" } else { "refused" }, "\n"]);
    }
    let is_said = print(said.as_bytes());
    u8::from(n_possible > 0 || !is_said)
}

#[cfg(not(target_os = "linux"))]
fn tried_by_number() -> Vec<(&'static str, bool)> {
    Vec::new()
}

#[cfg(target_os = "linux")]
use linux::tried_by_number;

/// Locks this process in, and prints the numbers of the system calls that it may make with senseless arguments. The
/// calls that end a process are not tried.
pub(super) fn calls() -> u8 {
    let Ok(_) = locks::lock() else { return 3 };
    #[cfg(target_os = "linux")]
    for number in super::passing_calls() {
        if !print(format!("{number}\n").as_bytes()) {
            return 1;
        }
    }
    0
}

#[expect(clippy::disallowed_methods, reason = "a process of its own, which is no command")]
fn print(bytes: &[u8]) -> bool {
    let mut out = stdout();
    out.write_all(bytes).and_then(|()| out.flush()).is_ok()
}

#[cfg(target_os = "linux")]
mod linux {
    use super::super::raw::{X32, attempt};

    /// Bytes of a page, or of several.
    const BYTES: i64 = 1 << 16;

    /// The first descriptor that can have been inherited.
    const INHERITED: i64 = 3;

    const MAP: i64 = libc::SYS_mmap;
    const READ: i64 = libc::PROT_READ as i64;
    const WRITE: i64 = libc::PROT_WRITE as i64;
    const RUN: i64 = libc::PROT_EXEC as i64;
    const OWN: i64 = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS) as i64;
    const SHARED: i64 = (libc::MAP_SHARED | libc::MAP_ANONYMOUS) as i64;

    /// Tries calls that are allowed with other arguments. Each fails with an error of the kernel if the filter lets it
    /// pass and its arguments are senseless otherwise, so only the filter's own error counts as refused.
    pub(in super::super) fn tried_by_number() -> Vec<(&'static str, bool)> {
        let own = i64::from(std::process::id());
        let tries: [(&str, i64, [i64; 6]); 15] = [
            ("read what was inherited", libc::SYS_read, [INHERITED, 0, 0, 0, 0, 0]),
            ("write to what was inherited", libc::SYS_write, [INHERITED, 0, 0, 0, 0, 0]),
            (
                "map what was inherited",
                MAP,
                [0, BYTES, READ, libc::MAP_PRIVATE.into(), INHERITED, 0],
            ),
            ("map standard input", MAP, [0, BYTES, READ, OWN, 0, 0]),
            ("share memory", MAP, [0, BYTES, READ, SHARED, -1, 0]),
            ("map memory to run", MAP, [0, BYTES, READ | WRITE | RUN, OWN, -1, 0]),
            ("make memory run", libc::SYS_mprotect, [0, BYTES, READ | RUN, 0, 0, 0]),
            ("start a thread", libc::SYS_clone, [libc::CLONE_THREAD.into(), 0, 0, 0, 0, 0]),
            (
                "enter a new name space",
                libc::SYS_clone,
                [libc::CLONE_NEWUSER.into(), 0, 0, 0, 0, 0],
            ),
            ("open a file system", libc::SYS_fsopen, [-1; 6]),
            ("get shared memory", libc::SYS_shmget, [-1; 6]),
            ("signal the parent", libc::SYS_tgkill, [1, 1, libc::SIGABRT.into(), 0, 0, 0]),
            ("signal itself to go on", libc::SYS_tgkill, [own, own, libc::SIGCONT.into(), 0, 0, 0]),
            ("read another process's clock", libc::SYS_clock_gettime, [-10, -1, 0, 0, 0, 0]),
            (
                "make a lock of priorities",
                libc::SYS_futex,
                [0, libc::FUTEX_LOCK_PI.into(), 0, 0, 0, 0],
            ),
        ];
        let is_possible = |number, arguments| attempt(number, arguments) != Err(libc::EPERM);
        let mut tried: Vec<_> = tries
            .into_iter()
            .map(|(what, number, arguments)| (what, is_possible(number, arguments)))
            .collect();
        let x32 = is_possible(X32 + libc::SYS_getpid, [0; 6]);
        tried.push(("call with short pointers", x32));
        tried
    }
}

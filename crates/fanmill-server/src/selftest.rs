//! A self-test of the sandbox: it tries what a comparison must not be able to do, and what it must.

use std::fs;
use std::io::Write;
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::path::Path;

use fanmill_extract::cage::Lock;

use crate::job::{JobRequest, OUTPUT, confine};

/// An attempt, and a function that returns whether it is possible.
type Try = (&'static str, fn() -> bool);

const FORBIDDEN: [Try; 12] = [
    ("read a file of the system", || fs::read("/etc/passwd").is_ok()),
    ("list a folder", || fs::read_dir("/").is_ok()),
    ("read another batch's upload", || fs::read("../other/upload.zip").is_ok()),
    ("list another batch", || fs::read_dir("../other").is_ok()),
    ("change another batch's permissions", || {
        fs::metadata("../other")
            .is_ok_and(|of| fs::set_permissions("../other", of.permissions()).is_ok())
    }),
    ("read beside the batch", || fs::read("../secret").is_ok()),
    ("write beside the batch", || fs::write("../secret", "x").is_ok()),
    ("write to the batch", || fs::write("job.json", "x").is_ok()),
    ("connect to a port", || TcpStream::connect("127.0.0.1:9").is_ok() || is_socket()),
    ("listen on a port", || TcpListener::bind("127.0.0.1:0").is_ok()),
    ("send a datagram", || UdpSocket::bind("127.0.0.1:0").is_ok()),
    ("take more memory than allowed", || {
        Vec::<u8>::new().try_reserve_exact(MEMORY as usize).is_ok()
    }),
];

const NEEDED: [Try; 4] = [
    ("read the batch", || fs::read("job.json").is_ok()),
    ("write the report", || {
        let out = Path::new(OUTPUT);
        fs::create_dir(out.join("a")).is_ok()
            && fs::write(out.join("a/b"), "x").is_ok()
            && fs::rename(out.join("a/b"), out.join("b")).is_ok()
    }),
    ("start a thread", || std::thread::Builder::new().spawn(|| ()).is_ok()),
    ("start the program itself", starts_itself),
];

/// Limit of the address space, in bytes.
const MEMORY: u64 = 1 << 30;

/// Returns whether a socket can be made at all; nothing listens at the port above.
#[cfg(unix)]
fn is_socket() -> bool {
    std::os::unix::net::UnixStream::pair().is_ok()
}

#[cfg(not(unix))]
fn is_socket() -> bool {
    true
}

/// Starts this program in the way it is started to read PDF.
fn starts_itself() -> bool {
    let mut itself = std::process::Command::new("/proc/self/exe");
    itself.arg("-V").stdin(std::process::Stdio::null());
    itself.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    itself.status().is_ok()
}

/// Confines this process like a comparison in `folder`, which is made, and writes to `out` what could be done.
///
/// # Errors
/// If something forbidden was possible, or something needed was not.
pub fn selftest(folder: &Path, mut out: impl Write) -> anyhow::Result<()> {
    let (batch, other) = (folder.join("batch"), folder.join("other"));
    fs::create_dir_all(batch.join(OUTPUT))?;
    fs::create_dir_all(&other)?;
    fs::write(other.join("upload.zip"), "x")?;
    fs::write(folder.join("secret"), "x")?;
    fs::write(batch.join("job.json"), "{}")?;
    std::env::set_current_dir(&batch)?;
    #[cfg(unix)]
    let parent = std::os::unix::process::parent_id();
    #[cfg(not(unix))]
    let parent = 0;
    let work =
        JobRequest { memory: MEMORY, processor_seconds: 60, parent, ..JobRequest::default() };
    let locks = confine(&work)?;
    writeln!(out, "{}", locks.missing().unwrap_or_else(|| "locked in".to_owned()))?;
    let mut is_right = locks.landlock != Lock::None && locks.seccomp != Lock::None;
    for (what, is_possible) in FORBIDDEN {
        let is_possible = is_possible();
        is_right &= !is_possible;
        writeln!(out, "{what}: {}", if is_possible { "POSSIBLE" } else { "refused" })?;
    }
    for (what, is_possible) in NEEDED {
        let is_possible = is_possible();
        is_right &= is_possible;
        writeln!(out, "{what}: {}", if is_possible { "possible" } else { "REFUSED" })?;
    }
    #[cfg(target_os = "linux")]
    writeln!(out, "calls: {:?}", fanmill_extract::cage::passing_calls())?;
    out.flush()?;
    anyhow::ensure!(is_right, "a comparison is not locked in");
    Ok(())
}

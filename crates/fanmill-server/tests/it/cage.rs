//! A comparison is locked in.

#[cfg(target_os = "linux")]
use std::collections::BTreeSet;
#[cfg(target_os = "linux")]
use std::path::Path;
use std::process::Command;

#[cfg(target_os = "linux")]
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::client::{Person, Running, assignment};

#[cfg(target_os = "linux")]
#[test]
fn a_comparison_is_locked_into_its_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let tried = Command::new(env!("CARGO_BIN_EXE_fanmill-serve"))
        .args(["__job", "selftest"])
        .arg(folder.path())
        .env_clear()
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&tried.stdout);
    if said.starts_with("no landlock") {
        // The start says so in the log, which the next test looks at.
        return;
    }
    assert!(tried.status.success(), "{said}{}", String::from_utf8_lossy(&tried.stderr));
    assert_eq!(said.lines().count(), 18, "{said}");
    assert!(!said.contains("POSSIBLE") && !said.contains("REFUSED"), "{said}");
    let calls = said.lines().find_map(|line| line.strip_prefix("calls: ")).expect("a line");
    let calls: BTreeSet<i64> = serde_json::from_str(calls).expect("numbers");
    assert_eq!(calls, ALLOWED.iter().copied().collect());
    assert_eq!(std::fs::read(folder.path().join("secret")).expect("still there"), b"x");
}

#[test]
fn the_start_says_in_the_log_how_comparisons_are_locked_in() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let reply = anna.upload(&server, &course, "{}", &assignment()).json();
    assert_eq!(anna.wait(&server, reply["id"].as_str().expect("an id"))["state"], "done");
    let log = server.log();
    let started = log.lines().find(|line| line.contains("\"started\"")).expect("a line");
    assert!(started.contains("\"cage\":"), "{started}");
    assert!(!data.path().join("selftest").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_comparison_that_breaks_off_three_times_is_given_up() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let lines = (0..300).map(|i| format!("x{i} = f(x{}, {i}) + y{i}", i / 2));
    let program = lines.collect::<Vec<_>>().join("\n");
    let tar = tar_of((0..60).map(|i| (format!("s{i}/a.py"), program.clone())));
    let settings = json!({"max_docs": "100%"}).to_string();
    let files = [("submissions", "all.tar".to_owned(), tar)];
    let reply = anna.upload(&server, &course, &settings, &files).json();
    let id = reply["id"].as_str().expect("an id");
    let mut killed = BTreeSet::new();
    let shown = loop {
        let folder = data.path().join("batches").join(id);
        for child in children(&folder) {
            let process = Pid::from_raw(child).expect("not 0");
            if kill_process(process, Signal::KILL).is_ok() {
                killed.insert(child);
            }
        }
        let shown = anna.get(&server, &format!("/api/v1/batches/{id}")).json();
        if !matches!(shown["state"].as_str(), Some("queued" | "running")) {
            break shown;
        }
    };
    assert_eq!(shown["state"], "failed", "{shown}");
    assert!(shown["error"].as_str().expect("why").contains("three times"), "{shown}");
    assert_eq!(killed.len(), 3, "begun three times");
    let log = server.log();
    let ends = log.lines().filter(|line| line.contains("\"event\":\"job\""));
    assert!(ends.clone().all(|line| line.contains("\"end\":\"broke\"")), "{log}");
    assert_eq!(ends.count(), 3, "{log}");
    assert_eq!(anna.get(&server, &format!("/batches/{id}/report/report.json")).status, 404);
    // It holds up nobody, and can be asked for again.
    let again = anna.post(&server, &format!("/api/v1/batches/{id}/run"), &json!({}));
    assert!(again.status < 300, "{}", again.text());
    assert_eq!(anna.wait(&server, id)["state"], "done");
}

/// Processes that compare the batch of a folder.
#[cfg(target_os = "linux")]
fn children(folder: &Path) -> impl Iterator<Item = i32> {
    let wanted = ["__job".as_bytes(), folder.as_os_str().as_encoded_bytes()].join(&0);
    let processes = std::fs::read_dir("/proc").expect("processes").flatten();
    processes.filter_map(move |entry| {
        let process = entry.file_name().to_str()?.parse().ok()?;
        let line = std::fs::read(entry.path().join("cmdline")).ok()?;
        line.windows(wanted.len()).any(|part| part == wanted).then_some(process)
    })
}

#[test]
fn a_comparison_that_takes_too_long_is_given_up() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::limited(data.path(), &["processor-seconds=1"]);
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    // A second is not enough for three thousand programs that are all alike.
    let lines = (0..400).map(|i| format!("x{i} = f(x{}, {i}) + y{i}", i / 2));
    let program = lines.collect::<Vec<_>>().join("\n");
    let tar = tar_of((0..3000).map(|i| (format!("s{i}/a.py"), program.clone())));
    let files = [("submissions", "all.tar".to_owned(), tar)];
    let reply = anna.upload(&server, &course, &json!({"max_docs": "100%"}).to_string(), &files);
    assert_eq!(reply.status, 201, "{}", reply.text());
    let shown = anna.wait(&server, reply.json()["id"].as_str().expect("an id"));
    assert_eq!(shown["state"], "failed", "{shown}");
    assert!(shown["error"].as_str().expect("why").contains("three times"), "{shown}");
}

/// A tar of text files.
pub(crate) fn tar_of(files: impl Iterator<Item = (String, String)>) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, text) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o600);
        tar.append_data(&mut header, name, text.as_bytes()).expect("added");
    }
    tar.into_inner().expect("whole")
}

/// All calls that a comparison may make with senseless arguments, besides those that end a process or copy it.
#[cfg(target_os = "linux")]
const ALLOWED: &[i64] = &[
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_lseek,
    libc::SYS_openat,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_fstatfs,
    libc::SYS_getdents64,
    libc::SYS_mkdirat,
    libc::SYS_unlinkat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_linkat,
    libc::SYS_readlinkat,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_getcwd,
    libc::SYS_ftruncate,
    libc::SYS_fallocate,
    libc::SYS_fchmod,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_syncfs,
    libc::SYS_flock,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_pipe2,
    libc::SYS_ppoll,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_brk,
    libc::SYS_execve,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_set_tid_address,
    libc::SYS_set_robust_list,
    libc::SYS_rseq,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_gettid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    libc::SYS_nanosleep,
    libc::SYS_clock_nanosleep,
    libc::SYS_clock_getres,
    libc::SYS_getrandom,
    libc::SYS_uname,
    libc::SYS_sysinfo,
    libc::SYS_landlock_create_ruleset,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_restrict_self,
    // It answers that there is no such call.
    libc::SYS_clone3,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_open,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_stat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lstat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_access,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_readlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_mkdir,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rmdir,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_unlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rename,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_link,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_poll,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_pipe,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_dup2,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_arch_prctl,
];

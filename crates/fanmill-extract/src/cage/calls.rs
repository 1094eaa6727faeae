//! Lists of the system calls that a locked process may make, by number and arguments, and the filters made of them.
//!
//! Calls that are not listed fail with `EPERM`. A call by the number of another architecture kills the process, since
//! the number would mean another call; x32 has no number in the list. `design/cage.md` has the reasons.

use std::collections::BTreeMap;

use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Op, SeccompCondition,
    SeccompFilter, SeccompRule, apply_filter_all_threads,
};

/// A condition on an argument, which is given by its place.
#[derive(Debug, Clone, Copy)]
enum Check {
    /// The argument's lower 32 bits are this number.
    Is(u8, u32),
    /// They are another number.
    IsNot(u8, u32),
    /// They are between two numbers, both included.
    Within(u8, u32, u32),
    /// The argument has no other bits than these.
    Only(u8, u64),
    /// The argument has none of these bits.
    Without(u8, u64),
    /// The argument has, besides the first bits, exactly the second ones.
    Exactly(u8, u64, u64),
}

use Check::{Exactly, Is, IsNot, Only, Within, Without};

/// A call that is allowed if all checks hold. A call that is listed several times is allowed by any of them.
type Allowed = (c_long, Vec<Check>);

/// Calls that the reader of a document may make with any arguments: memory that it has, the end, and signals that it
/// gets.
const OF_READER: [c_long; 13] = [
    libc::SYS_munmap,
    libc::SYS_brk,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_sigaltstack,
    libc::SYS_sched_yield,
    libc::SYS_getrandom,
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_restart_syscall,
];

/// `PROT_READ` and `PROT_WRITE`, without `PROT_EXEC`.
const DATA: u64 = (libc::PROT_READ | libc::PROT_WRITE) as u64;

/// Memory of this process alone, behind which there is no file.
const ANONYMOUS: u64 = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS) as u64;

/// Flags of memory that change nothing about what is in it.
const HINTS: u64 = (libc::MAP_NORESERVE | libc::MAP_STACK) as u64;

/// Variants of the calls of locks: within one process, and by which clock.
const FUTEX_VARIANTS: u64 = (libc::FUTEX_PRIVATE_FLAG | libc::FUTEX_CLOCK_REALTIME) as u64;

/// Returns what the reader of a document may do: use memory of its own, without code in it, read from standard input,
/// write to standard output and error, and end itself. `own` is its process.
fn of_reader(own: u32) -> Vec<Allowed> {
    let abort = Is(2, libc::SIGABRT as u32);
    let mut all = vec![
        (libc::SYS_read, vec![Is(0, 0)]),
        (libc::SYS_write, vec![Within(0, 1, 2)]),
        (libc::SYS_mmap, vec![Only(2, DATA), Exactly(3, HINTS, ANONYMOUS), Is(4, u32::MAX)]),
        (libc::SYS_mprotect, vec![Only(2, DATA)]),
        (libc::SYS_mremap, vec![Only(3, libc::MREMAP_MAYMOVE as u64)]),
        (libc::SYS_tgkill, vec![Is(0, own), Is(1, own), abort]),
        // The C library musl aborts by this call.
        (libc::SYS_tkill, vec![Is(0, own), Is(1, libc::SIGABRT as u32)]),
        // Other numbers are clocks of devices and of other processes.
        (libc::SYS_clock_gettime, vec![Within(0, 0, libc::CLOCK_TAI as u32)]),
    ];
    let advice = [libc::MADV_DONTNEED, libc::MADV_FREE, libc::MADV_HUGEPAGE];
    all.extend(advice.map(|advice| (libc::SYS_madvise, vec![Is(2, advice.cast_unsigned())])));
    let of_locks =
        [libc::FUTEX_WAIT, libc::FUTEX_WAKE, libc::FUTEX_WAIT_BITSET, libc::FUTEX_WAKE_BITSET];
    all.extend(of_locks.map(futex));
    all.extend(OF_READER.map(|call| (call, Vec::new())));
    all
}

fn futex(operation: i32) -> Allowed {
    (libc::SYS_futex, vec![Exactly(1, FUTEX_VARIANTS, operation.cast_unsigned().into())])
}

/// Calls that a comparison may make with any arguments. Landlock decides which files it may open.
const OF_COMPARISON: &[c_long] = &[
    // Files.
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
    // Memory.
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_brk,
    // Threads, and the readers of documents that it starts.
    libc::SYS_execve,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_exit,
    libc::SYS_exit_group,
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
    // Signals, time and chance.
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    libc::SYS_nanosleep,
    libc::SYS_clock_nanosleep,
    libc::SYS_clock_getres,
    libc::SYS_getrandom,
    libc::SYS_uname,
    libc::SYS_sysinfo,
    // The cages of those readers.
    libc::SYS_landlock_create_ruleset,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_restrict_self,
    // Refused by a filter of its own: see `without_clone3`.
    libc::SYS_clone3,
];

/// Older forms of the same calls, which only this architecture has.
#[cfg(target_arch = "x86_64")]
const OLDER: &[c_long] = &[
    libc::SYS_open,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_mkdir,
    libc::SYS_rmdir,
    libc::SYS_unlink,
    libc::SYS_rename,
    libc::SYS_link,
    libc::SYS_poll,
    libc::SYS_pipe,
    libc::SYS_dup2,
    libc::SYS_fork,
    libc::SYS_vfork,
    // It sets the register by which a thread finds its variables.
    libc::SYS_arch_prctl,
];

#[cfg(not(target_arch = "x86_64"))]
const OLDER: &[c_long] = &[];

/// Flags of `clone` for threads, and for processes that then start a program; none makes a new name space.
const THREADS_AND_PROGRAMS: u64 = (libc::CLONE_VM
    | libc::CLONE_FS
    | libc::CLONE_FILES
    | libc::CLONE_SIGHAND
    | libc::CLONE_THREAD
    | libc::CLONE_VFORK
    | libc::CLONE_SYSVSEM
    | libc::CLONE_SETTLS
    | libc::CLONE_PARENT_SETTID
    | libc::CLONE_CHILD_SETTID
    | libc::CLONE_CHILD_CLEARTID
    | libc::CLONE_DETACHED
    | libc::SIGCHLD) as u64;

/// Returns what a comparison may do: files, threads, and readers of documents, but no sockets. `parent` is the process
/// that waits for it.
fn of_comparison(parent: u32) -> Vec<Allowed> {
    let mut all: Vec<Allowed> =
        OF_COMPARISON.iter().chain(OLDER).map(|&call| (call, Vec::new())).collect();
    all.push((libc::SYS_clone, vec![Only(0, THREADS_AND_PROGRAMS)]));
    // Memory is never both written and run. Files may be mapped, as the readers' libraries are.
    for call in [libc::SYS_mmap, libc::SYS_mprotect] {
        all.push((call, vec![Without(2, libc::PROT_EXEC as u64)]));
        all.push((call, vec![Without(2, libc::PROT_WRITE as u64)]));
    }
    // Readers that take too long are killed. Nothing tells them from other processes, but not 0, -1 and groups, and not
    // the parent; landlock keeps others out of reach from Linux 6.12 on.
    let other = [Within(0, 2, i32::MAX as u32), IsNot(0, parent)];
    all.push((libc::SYS_kill, [&other[..], &[Is(1, libc::SIGKILL as u32)]].concat()));
    all.push((libc::SYS_tkill, [&other[..], &[Is(1, libc::SIGABRT as u32)]].concat()));
    all.push((libc::SYS_tgkill, [&other[..], &[Is(2, libc::SIGABRT as u32)]].concat()));
    all.push((libc::SYS_clock_gettime, vec![Within(0, 0, libc::CLOCK_TAI as u32)]));
    all.push((libc::SYS_prlimit64, vec![Is(0, 0)]));
    all.push((libc::SYS_seccomp, vec![Is(0, libc::SECCOMP_SET_MODE_FILTER), Within(1, 0, 1)]));
    let options = [libc::PR_SET_PDEATHSIG, libc::PR_SET_NO_NEW_PRIVS, libc::PR_SET_NAME];
    all.extend(options.map(|option| (libc::SYS_prctl, vec![Is(0, option.cast_unsigned())])));
    let requests = [libc::FIONBIO, libc::FIOCLEX, libc::TCGETS];
    all.extend(requests.map(|request| (libc::SYS_ioctl, vec![Is(1, request as u32)])));
    let of_descriptors = [
        libc::F_DUPFD,
        libc::F_DUPFD_CLOEXEC,
        libc::F_GETFD,
        libc::F_SETFD,
        libc::F_GETFL,
        libc::F_SETFL,
    ];
    all.extend(
        of_descriptors.map(|command| (libc::SYS_fcntl, vec![Is(1, command.cast_unsigned())])),
    );
    let of_locks = [
        libc::FUTEX_WAIT,
        libc::FUTEX_WAKE,
        libc::FUTEX_REQUEUE,
        libc::FUTEX_CMP_REQUEUE,
        libc::FUTEX_WAIT_BITSET,
        libc::FUTEX_WAKE_BITSET,
    ];
    all.extend(of_locks.map(futex));
    all
}

/// Locks the calls of this process, which reads a document. Returns whether the system could.
pub(super) fn lock_reader() -> bool {
    apply(of_reader(std::process::id()), SeccompAction::Errno(libc::EPERM as u32))
}

/// Locks the calls of this process, which compares. Returns whether the system could.
pub(super) fn lock_comparison(parent: u32) -> bool {
    without_clone3() && apply(of_comparison(parent), SeccompAction::Errno(libc::EPERM as u32))
}

/// Forbids sockets of this process other than those between processes of this machine. Returns whether the system could.
pub(super) fn lock_network() -> bool {
    let Some(of_network) = rule(&[IsNot(0, libc::AF_UNIX.cast_unsigned())]) else { return false };
    let refused = SeccompAction::Errno(libc::EPERM as u32);
    let mut calls = BTreeMap::from([
        (libc::SYS_socket, vec![of_network]),
        // It opens sockets, too.
        (libc::SYS_io_uring_setup, Vec::new()),
    ]);
    // By this number, programs with pointers of 32 bits make the same call.
    #[cfg(target_arch = "x86_64")]
    calls.insert(libc::SYS_socket | 0x4000_0000, Vec::new());
    install(calls, SeccompAction::Allow, refused).is_some()
}

/// Makes `clone3` a call that the system does not have. Its flags are in memory, where no filter sees them, and C
/// libraries then use `clone`, but only after `ENOSYS`.
fn without_clone3() -> bool {
    let calls = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    let missing = SeccompAction::Errno(libc::ENOSYS as u32);
    install(calls, SeccompAction::Allow, missing).is_some()
}

fn apply(allowed: Vec<Allowed>, otherwise: SeccompAction) -> bool {
    let mut calls: BTreeMap<c_long, Vec<SeccompRule>> = BTreeMap::new();
    for (call, checks) in allowed {
        let rules = calls.entry(call).or_default();
        if !checks.is_empty() {
            let Some(rule) = rule(&checks) else { return false };
            rules.push(rule);
        }
    }
    install(calls, otherwise, SeccompAction::Allow).is_some()
}

fn rule(checks: &[Check]) -> Option<SeccompRule> {
    let conditions = checks.iter().flat_map(|check| match *check {
        Is(at, number) => vec![(at, Length::Dword, Op::Eq, number.into())],
        IsNot(at, number) => vec![(at, Length::Dword, Op::Ne, number.into())],
        Within(at, from, to) => {
            vec![(at, Length::Dword, Op::Ge, from.into()), (at, Length::Dword, Op::Le, to.into())]
        }
        Only(at, bits) => vec![(at, Length::Qword, Op::MaskedEq(!bits), 0)],
        Without(at, bits) => vec![(at, Length::Qword, Op::MaskedEq(bits), 0)],
        Exactly(at, free, bits) => vec![(at, Length::Qword, Op::MaskedEq(!free), bits)],
    });
    let conditions: Result<Vec<_>, _> = conditions
        .map(|(at, length, op, value)| SeccompCondition::new(at, length, op, value))
        .collect();
    SeccompRule::new(conditions.ok()?).ok()
}

/// Puts a filter on all threads, after which the process cannot gain new privileges.
fn install(
    calls: BTreeMap<c_long, Vec<SeccompRule>>,
    otherwise: SeccompAction,
    listed: SeccompAction,
) -> Option<()> {
    let architecture = std::env::consts::ARCH.try_into().ok()?;
    let filter = SeccompFilter::new(calls, otherwise, listed, architecture).ok()?;
    let program: BpfProgram = filter.try_into().ok()?;
    apply_filter_all_threads(&program).ok()
}

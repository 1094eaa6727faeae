//! How a process locks itself in.

use std::path::PathBuf;

/// What a child is locked by, beside its limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Locks {
    /// Files, sockets and signals, by landlock.
    pub landlock: Lock,
    /// All calls of the system that reading needs none of, by seccomp.
    pub seccomp: Lock,
}

/// How much of a lock there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lock {
    /// None: the system has no such lock.
    None,
    /// A part, as far as the system knows it.
    Partial,
    /// All of it.
    Full,
}

impl Locks {
    /// What is missing, for a notice; `None` if nothing is.
    pub fn missing(self) -> Option<String> {
        let missing = |lock, name: &str| match lock {
            Lock::None => Some(format!("no {name}")),
            Lock::Partial => Some(format!("only a part of {name}")),
            Lock::Full => None,
        };
        let all = [missing(self.landlock, "landlock"), missing(self.seccomp, "seccomp")];
        let all: Vec<String> = all.into_iter().flatten().collect();
        (!all.is_empty()).then(|| all.join(" and "))
    }
}

/// What a process that compares may use. Threads and processes of its own are allowed, sockets are not.
#[derive(Debug, Clone, Default)]
pub struct Room {
    /// Files, and folders with all that is in them, to be read.
    pub readable: Vec<PathBuf>,
    /// Folders to be read and written.
    pub writable: Vec<PathBuf>,
    /// Programs that are started, and folders of the libraries that they load.
    pub runnable: Vec<PathBuf>,
    /// Address space in bytes.
    pub memory: u64,
    /// Processor time in seconds.
    pub processor_seconds: u64,
}

/// Limits this process, lets it die with its parent, and locks it into `room`. Called before threads are started, which
/// would not be locked in.
///
/// # Errors
/// If a limit cannot be set. A lock that the system does not have is no error.
pub fn confine(room: &Room) -> Result<Locks, String> {
    #[cfg(unix)]
    {
        set(rustix::process::Resource::Core, 0)?;
        limit_work(room.memory, room.processor_seconds)?;
    }
    #[cfg(target_os = "linux")]
    let locks =
        Locks { landlock: linux::landlock(room), seccomp: linux::seccomp_without_sockets() };
    #[cfg(not(target_os = "linux"))]
    let locks = Locks { landlock: Lock::None, seccomp: Lock::None };
    Ok(locks)
}

/// Sets the limits of this process, lets it die with its parent, and locks it in.
///
/// # Errors
/// If a limit cannot be set. A lock that the system does not have is no error.
pub(super) fn lock() -> Result<Locks, String> {
    limits()?;
    #[cfg(target_os = "linux")]
    let locks = Locks { landlock: linux::landlock(&Room::default()), seccomp: linux::seccomp() };
    #[cfg(not(target_os = "linux"))]
    let locks = Locks { landlock: Lock::None, seccomp: Lock::None };
    Ok(locks)
}

/// Limits memory and processor time of this process, which becomes a program of the user's and may need files and
/// processes, and lets it die with its parent.
///
/// # Errors
/// If a limit cannot be set.
#[cfg(unix)]
pub(super) fn limit_command() -> Result<(), String> {
    set(rustix::process::Resource::Core, 0)?;
    limit_work(super::MEMORY, super::PROCESSOR_SECONDS)
}

#[cfg(unix)]
fn limits() -> Result<(), String> {
    use rustix::process::Resource;

    set(Resource::Core, 0)?;
    set(Resource::Fsize, 0)?;
    // Linux counts threads as processes.
    set(Resource::Nproc, 0)?;
    limit_work(super::MEMORY, super::PROCESSOR_SECONDS)
}

#[cfg(unix)]
fn set(resource: rustix::process::Resource, most: u64) -> Result<(), String> {
    use rustix::process::{Rlimit, setrlimit};

    let limit = Rlimit { current: Some(most), maximum: Some(most) };
    setrlimit(resource, limit).map_err(|error| format!("{resource:?}: {error}"))
}

/// Limits memory and processor time.
#[cfg(unix)]
fn limit_work(memory: u64, processor_seconds: u64) -> Result<(), String> {
    use rustix::process::{Resource, Rlimit, setrlimit};

    // The signal that says why comes at the lower limit, and one that cannot be caught at the upper.
    let (current, maximum) = (Some(processor_seconds), Some(processor_seconds.saturating_add(1)));
    setrlimit(Resource::Cpu, Rlimit { current, maximum }).map_err(|error| error.to_string())?;
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Signal, set_parent_process_death_signal};

        set(Resource::As, memory)?;
        set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| error.to_string())?;
    }
    #[cfg(not(target_os = "linux"))]
    {
        // Refused by macOS, which then has no limit on memory.
        let _ = set(Resource::As, memory);
    }
    Ok(())
}

#[cfg(not(unix))]
fn limits() -> Result<(), String> {
    Err("this system has no limits for a process".to_owned())
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::BTreeMap;

    use landlock::{
        ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
        RulesetStatus, Scope, make_bitflags, path_beneath_rules,
    };
    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
        SeccompRule, apply_filter,
    };

    use super::{Lock, Room};

    /// Forbids all files but those of `room`, TCP, and signals to processes outside.
    pub(super) fn landlock(room: &Room) -> Lock {
        let abi = ABI::V6;
        let read = make_bitflags!(AccessFs::{ReadFile | ReadDir});
        let write = read | AccessFs::from_write(abi);
        // A path that does not exist is left out, and stays forbidden.
        let rules = path_beneath_rules(&room.readable, read)
            .chain(path_beneath_rules(&room.writable, write))
            .chain(path_beneath_rules(&room.runnable, read | AccessFs::Execute));
        let restricted = || -> Result<RulesetStatus, RulesetError> {
            let ruleset = Ruleset::default()
                .handle_access(AccessFs::from_all(abi))?
                .handle_access(AccessNet::from_all(abi))?
                .scope(Scope::from_all(abi))?;
            Ok(ruleset.create()?.add_rules(rules)?.restrict_self()?.ruleset)
        };
        match restricted() {
            Ok(RulesetStatus::FullyEnforced) => Lock::Full,
            Ok(RulesetStatus::PartiallyEnforced) => Lock::Partial,
            Ok(RulesetStatus::NotEnforced) | Err(_) => Lock::None,
        }
    }

    /// Calls that memory, time, signals and the end of a process need.
    const ALLOWED: [i64; 23] = [
        libc::SYS_mmap,
        libc::SYS_munmap,
        libc::SYS_mremap,
        libc::SYS_madvise,
        libc::SYS_mprotect,
        libc::SYS_brk,
        libc::SYS_exit,
        libc::SYS_exit_group,
        libc::SYS_rt_sigreturn,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_sigaltstack,
        libc::SYS_futex,
        libc::SYS_getrandom,
        libc::SYS_clock_gettime,
        libc::SYS_sched_yield,
        libc::SYS_sched_getaffinity,
        libc::SYS_gettid,
        libc::SYS_getpid,
        libc::SYS_getuid,
        libc::SYS_tgkill,
        libc::SYS_close,
        libc::SYS_restart_syscall,
    ];

    /// Allows reading from standard input, writing to the other two, and [`ALLOWED`]; all else is refused.
    ///
    /// Whatever else the process inherits open is out of reach, as calls on it are refused.
    pub(super) fn seccomp() -> Lock {
        let filter = || -> Option<BpfProgram> {
            let on = |file: u64| {
                let is_it =
                    SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, file);
                SeccompRule::new(vec![is_it.ok()?]).ok()
            };
            let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
                ALLOWED.iter().map(|&call| (call, Vec::new())).collect();
            rules.insert(libc::SYS_read, vec![on(0)?]);
            rules.insert(libc::SYS_write, vec![on(1)?, on(2)?]);
            let arch = std::env::consts::ARCH.try_into().ok()?;
            let refuse = SeccompAction::Errno(libc::EPERM as u32);
            SeccompFilter::new(rules, refuse, SeccompAction::Allow, arch).ok()?.try_into().ok()
        };
        applied(filter())
    }

    /// Calls that a comparison never needs: sockets, a ring that would do without calls, other processes' memory, and
    /// what changes the system or its name spaces.
    const REFUSED: [i64; 22] = [
        libc::SYS_socket,
        libc::SYS_socketpair,
        libc::SYS_io_uring_setup,
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_pidfd_getfd,
        libc::SYS_mount,
        libc::SYS_umount2,
        libc::SYS_move_mount,
        libc::SYS_pivot_root,
        libc::SYS_chroot,
        libc::SYS_unshare,
        libc::SYS_setns,
        libc::SYS_bpf,
        libc::SYS_perf_event_open,
        libc::SYS_userfaultfd,
        libc::SYS_keyctl,
        libc::SYS_add_key,
        libc::SYS_request_key,
        libc::SYS_init_module,
        libc::SYS_kexec_load,
    ];

    /// Refuses [`REFUSED`], and allows all else.
    pub(super) fn seccomp_without_sockets() -> Lock {
        let filter = || -> Option<BpfProgram> {
            let rules = REFUSED.iter().map(|&call| (call, Vec::new())).collect();
            let arch = std::env::consts::ARCH.try_into().ok()?;
            let refuse = SeccompAction::Errno(libc::EPERM as u32);
            SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch).ok()?.try_into().ok()
        };
        applied(filter())
    }

    /// Applies a filter, with which no new privileges can be had.
    fn applied(filter: Option<BpfProgram>) -> Lock {
        let is_applied = filter.is_some_and(|filter| apply_filter(&filter).is_ok());
        if is_applied { Lock::Full } else { Lock::None }
    }
}

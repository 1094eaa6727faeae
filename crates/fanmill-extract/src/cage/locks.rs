//! Locks that a process puts on itself.

use std::path::PathBuf;

/// Locks on a child, besides its resource limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Locks {
    /// Files, sockets and signals, by landlock.
    pub landlock: Lock,
    /// System calls that reading does not need, by seccomp.
    pub seccomp: Lock,
}

/// State of a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lock {
    /// Not locked: the system does not have this lock.
    None,
    /// Locked in part, as far as the system supports it.
    Partial,
    /// Fully locked.
    Full,
}

impl Locks {
    /// Returns the locks that are missing, for a notice; `None` if all are there.
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

/// Resources that a comparison process may use. It may also use threads and start processes, but no sockets.
#[derive(Debug, Clone, Default)]
pub struct SandboxLimits {
    /// Files, and folders with all that is in them, that may be read.
    pub readable: Vec<PathBuf>,
    /// Folders that may be read and written.
    pub writable: Vec<PathBuf>,
    /// Programs that may be started, and folders of the libraries that they load.
    pub runnable: Vec<PathBuf>,
    /// Address space in bytes.
    pub memory: u64,
    /// Processor time in seconds.
    pub processor_seconds: u64,
}

/// Limits this process, makes it die with its parent, and locks it into `room`. Must be called before threads are
/// started, since those would not be locked in.
///
/// # Errors
/// If a limit cannot be set. A lock that the system does not have is not an error.
pub fn confine(room: &SandboxLimits) -> Result<Locks, String> {
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

/// Sets the limits of this process, makes it die with its parent, and locks it in.
///
/// # Errors
/// If a limit cannot be set. A lock that the system does not have is not an error.
pub(super) fn lock() -> Result<Locks, String> {
    limits()?;
    #[cfg(target_os = "linux")]
    let locks =
        Locks { landlock: linux::landlock(&SandboxLimits::default()), seccomp: linux::seccomp() };
    #[cfg(not(target_os = "linux"))]
    let locks = Locks { landlock: Lock::None, seccomp: Lock::None };
    Ok(locks)
}

/// Limits the memory and processor time of this process, and makes it die with its parent. The process then becomes a
/// program of the user's, which may need files and processes.
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

/// Limits memory and processor time, and on Linux makes the process die with its parent.
#[cfg(unix)]
fn limit_work(memory: u64, processor_seconds: u64) -> Result<(), String> {
    use rustix::process::{Resource, Rlimit, setrlimit};

    // The lower limit sends a signal that names the reason; the upper one sends a signal that cannot be caught.
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
        // macOS refuses this limit, so memory is not limited there.
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

    use super::{Lock, SandboxLimits};

    /// Forbids files other than those of `room`, TCP, and signals to processes outside.
    pub(super) fn landlock(room: &SandboxLimits) -> Lock {
        let abi = ABI::V6;
        let read = make_bitflags!(AccessFs::{ReadFile | ReadDir});
        let write = read | AccessFs::from_write(abi);
        // A path that does not exist gets no rule, and stays forbidden.
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

    /// System calls needed for memory, time, signals and the end of a process.
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

    /// Allows reading from standard input, writing to standard output and standard error, and [`ALLOWED`]; refuses all
    /// other calls.
    ///
    /// Any other files that the process inherits open are out of reach, because calls on them are refused.
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

    /// System calls that a comparison never needs: sockets, `io_uring` (which would work without further calls), access
    /// to the memory of other processes, and changes to the system or its namespaces.
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

    /// Refuses [`REFUSED`], and allows all other calls.
    pub(super) fn seccomp_without_sockets() -> Lock {
        let filter = || -> Option<BpfProgram> {
            let rules = REFUSED.iter().map(|&call| (call, Vec::new())).collect();
            let arch = std::env::consts::ARCH.try_into().ok()?;
            let refuse = SeccompAction::Errno(libc::EPERM as u32);
            SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch).ok()?.try_into().ok()
        };
        applied(filter())
    }

    /// Applies a filter, after which the process cannot gain new privileges.
    fn applied(filter: Option<BpfProgram>) -> Lock {
        let is_applied = filter.is_some_and(|filter| apply_filter(&filter).is_ok());
        if is_applied { Lock::Full } else { Lock::None }
    }
}

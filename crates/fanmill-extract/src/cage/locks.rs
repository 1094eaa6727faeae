//! Locks that a process puts on itself.

use std::path::PathBuf;

#[cfg(target_os = "linux")]
use super::calls;
#[cfg(unix)]
use super::raw;

/// Locks on a child, besides its resource limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Locks {
    /// Files, sockets and signals, by landlock.
    pub landlock: Lock,
    /// System calls that are not needed, by seccomp.
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

/// Action for a document whose reader can be locked in by neither landlock nor seccomp, on a system that could have
/// them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WithoutLocks {
    /// The document is skipped.
    Skip,
    /// The document is read, in a process that has nothing but its limits.
    Read,
}

impl Locks {
    /// Returns whether the process has neither lock, though its system is one that can have them.
    pub fn is_unlocked(self) -> bool {
        cfg!(target_os = "linux") && self.landlock == Lock::None && self.seccomp == Lock::None
    }

    /// Returns the locks that are missing, for a notice; `None` if all are there.
    pub fn missing(self) -> Option<String> {
        if cfg!(windows) {
            return Some("limits alone, as Windows has no such locks".to_owned());
        }
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

/// Limits this process, makes it die with its parent, and locks it into `room`. Closes whatever is open besides
/// standard input, output and error, so it must be called before anything is opened, and before threads are started,
/// which landlock would leave out.
///
/// # Errors
/// If a limit cannot be set. A lock that the system does not have is not an error.
pub fn confine(room: &SandboxLimits) -> Result<Locks, String> {
    #[cfg(unix)]
    {
        raw::close_inherited();
        set(rustix::process::Resource::Core, 0)?;
        limit_work(room.memory, room.processor_seconds)?;
    }
    #[cfg(windows)]
    limit_job(room.memory, room.processor_seconds, false)?;
    #[cfg(target_os = "linux")]
    let locks = Locks {
        landlock: linux::landlock(room),
        seccomp: full_if(calls::lock_comparison(std::os::unix::process::parent_id())),
    };
    #[cfg(not(target_os = "linux"))]
    let locks = Locks { landlock: Lock::None, seccomp: Lock::None };
    Ok(locks)
}

/// Sets the limits of this process, makes it die with its parent, and locks it in.
///
/// # Errors
/// If a limit cannot be set. A lock that the system does not have is not an error.
pub(super) fn lock() -> Result<Locks, String> {
    #[cfg(unix)]
    raw::close_inherited();
    limits()?;
    #[cfg(target_os = "linux")]
    let landlock = linux::landlock(&SandboxLimits::default());
    // Landlock has needed a descriptor; nothing gets one from here on, neither a file nor a socket nor a pipe.
    #[cfg(unix)]
    set(rustix::process::Resource::Nofile, 0)?;
    #[cfg(target_os = "linux")]
    let locks = Locks { landlock, seccomp: full_if(calls::lock_reader()) };
    #[cfg(not(target_os = "linux"))]
    let locks = Locks { landlock: Lock::None, seccomp: Lock::None };
    Ok(locks)
}

#[cfg(target_os = "linux")]
fn full_if(is_locked: bool) -> Lock {
    if is_locked { Lock::Full } else { Lock::None }
}

/// Limits the memory and processor time of this process, and makes it die with its parent; forbids sockets of the network
/// if it needs none. The process then becomes a program of the user's, which may need files and processes.
///
/// # Errors
/// If a limit cannot be set, or on Linux the network cannot be forbidden.
#[cfg(unix)]
pub(super) fn limit_command(may: &super::UserProgram) -> Result<(), String> {
    set(rustix::process::Resource::Core, 0)?;
    limit_work(may.memory, may.processor_seconds)?;
    #[cfg(target_os = "linux")]
    if !may.has_network && !calls::lock_network() {
        return Err("this system cannot keep it from the network (seccomp)".to_owned());
    }
    Ok(())
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

#[cfg(windows)]
fn limits() -> Result<(), String> {
    limit_job(super::MEMORY, super::PROCESSOR_SECONDS, true)
}

/// Limits the memory and processor time of this process and of the program of the user's that it starts.
///
/// # Errors
/// If a limit cannot be set.
#[cfg(windows)]
pub(super) fn limit_command(may: &super::UserProgram) -> Result<(), String> {
    limit_job(may.memory, may.processor_seconds, false)
}

#[cfg(windows)]
fn limit_job(memory: u64, processor_seconds: u64, is_alone: bool) -> Result<(), String> {
    super::job::enter(super::job::JobLimits { memory, processor_seconds, is_alone })
}

#[cfg(not(any(unix, windows)))]
fn limits() -> Result<(), String> {
    Err("this system has no limits for a process".to_owned())
}

#[cfg(target_os = "linux")]
mod linux {
    use landlock::{
        ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
        RulesetStatus, Scope, make_bitflags, path_beneath_rules,
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
}

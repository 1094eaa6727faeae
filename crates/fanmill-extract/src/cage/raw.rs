//! System calls that no library offers in a safe form: closing what was inherited, and trying calls by number.

#![allow(unsafe_code, reason = "descriptors are closed, and calls tried, by number")]

/// Number of descriptors that stay open: standard input, output and error.
const KEPT: i32 = 3;

/// Maximum number of descriptors that are closed one by one where neither the system nor a list helps.
const MAX_DESCRIPTORS: i32 = 1 << 20;

/// Closes all descriptors of this process but standard input, output and error, so that nothing which the parent left
/// open by mistake can be read or mapped.
///
/// Must be called before this process opens anything that it still needs.
#[cfg(unix)]
pub(super) fn close_inherited() {
    if close_at_once() {
        return;
    }
    for descriptor in listed().unwrap_or_else(up_to_limit) {
        // SAFETY: the caller owns no descriptor above `KEPT`, and the list's own has been closed with the list.
        let _ = unsafe { libc::close(descriptor) };
    }
}

#[cfg(target_os = "linux")]
fn close_at_once() -> bool {
    let (all, no_flags) = (u64::from(u32::MAX), 0_u64);
    // SAFETY: the caller owns no descriptor above `KEPT`.
    unsafe { libc::syscall(libc::SYS_close_range, i64::from(KEPT), all, no_flags) == 0 }
}

#[cfg(all(unix, not(target_os = "linux")))]
fn close_at_once() -> bool {
    false
}

/// Returns the open descriptors from [`KEPT`] on, for kernels before Linux 5.9, and macOS.
#[cfg(unix)]
fn listed() -> Option<Vec<i32>> {
    let list = if cfg!(target_os = "linux") { "/proc/self/fd" } else { "/dev/fd" };
    let names = std::fs::read_dir(list).ok()?.map_while(Result::ok).map(|entry| entry.file_name());
    Some(names.filter_map(|name| name.to_str()?.parse().ok()).filter(|&n| n >= KEPT).collect())
}

/// Returns all numbers that a descriptor can have under the present limit.
#[cfg(unix)]
fn up_to_limit() -> Vec<i32> {
    use rustix::process::{Resource, getrlimit};

    let limit = getrlimit(Resource::Nofile).current.and_then(|limit| i32::try_from(limit).ok());
    (KEPT..limit.unwrap_or(MAX_DESCRIPTORS).min(MAX_DESCRIPTORS)).collect()
}

/// The range of system call numbers, with room for later ones.
#[cfg(target_os = "linux")]
const NUMBERS: std::ops::RangeInclusive<i64> = 0..=600;

/// Added to the numbers of calls of programs with short pointers (x32), which a kernel for x86-64 may have besides.
#[cfg(target_os = "linux")]
pub(super) const X32: i64 = 0x4000_0000;

/// Calls that do not return, or return twice, whatever their arguments are.
#[cfg(target_os = "linux")]
const NOT_TRIED: &[i64] = &[
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_rt_sigreturn,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_fork,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_vfork,
    // `uretprobe` and `uprobe`: newer kernels let them pass any filter, and kill the caller unless it is a probe that
    // the system's administrator has put into the program.
    #[cfg(target_arch = "x86_64")]
    335,
    #[cfg(target_arch = "x86_64")]
    336,
];

/// Returns the numbers of the system calls that this process may make with arguments which are no address, no
/// descriptor and no process; besides those that end a process or copy it. For tests of the lists of calls, in a
/// process that is locked in; in others some of these calls wait forever.
#[cfg(target_os = "linux")]
pub fn passing_calls() -> Vec<i64> {
    let all = NUMBERS.chain(NUMBERS.map(|number| X32 + number));
    let tried = all.filter(|number| !NOT_TRIED.contains(number));
    tried.filter(|&number| attempt(number, [-1; 6]) != Err(libc::EPERM)).collect()
}

/// Makes a system call, and returns the error's number if it fails.
///
/// The arguments must be such that the kernel writes to no memory which this process uses, or refuses the call.
#[cfg(target_os = "linux")]
pub(super) fn attempt(call: i64, arguments: [i64; 6]) -> Result<i64, i32> {
    let [first, second, third, fourth, fifth, sixth] = arguments;
    // SAFETY: the caller gives no address in use.
    let returned = unsafe { libc::syscall(call, first, second, third, fourth, fifth, sixth) };
    let error = || std::io::Error::last_os_error().raw_os_error().unwrap_or_default();
    if returned == -1 { Err(error()) } else { Ok(returned) }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn inherited_descriptors_are_found_without_the_call_for_it() {
        use std::os::fd::AsRawFd;

        let open = std::fs::File::open("/dev/null").expect("a file");
        assert!(listed().expect("a list").contains(&open.as_raw_fd()));
        assert!(up_to_limit().contains(&open.as_raw_fd()));
        assert!(listed().expect("a list").iter().all(|&n| n >= KEPT));
    }
}

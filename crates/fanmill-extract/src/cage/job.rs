//! Limits of a process on Windows: a job that it puts itself into, and that it cannot leave.

#![allow(unsafe_code, reason = "the system's interface to jobs")]

use std::io::Error;
use std::ptr::null;

use windows_sys::Win32::Foundation::ERROR_NOT_ENOUGH_QUOTA;
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT, JOB_OBJECT_LIMIT_ACTIVE_PROCESS,
    JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOB_OBJECT_LIMIT_PROCESS_MEMORY, JOB_OBJECT_LIMIT_PROCESS_TIME,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation,
    SetInformationJobObject,
};
use windows_sys::Win32::System::Threading::GetCurrentProcess;

/// Exit status of a process that has used up its processor time.
pub(super) const OUT_OF_TIME: i32 = ERROR_NOT_ENOUGH_QUOTA.cast_signed();

/// Units of 100 ns in a second.
const TICKS: u64 = 10_000_000;

/// Limits of a job.
#[derive(Debug, Clone, Copy)]
pub(super) struct JobLimits {
    /// Memory of each process in bytes.
    pub(super) memory: u64,
    /// Processor time of each process in seconds.
    pub(super) processor_seconds: u64,
    /// If set, the process can start no other.
    pub(super) is_alone: bool,
}

/// Puts this process into a new job. What it starts is in the job, too, and ends with this process.
///
/// # Errors
/// If the system refuses.
pub(super) fn enter(limits: JobLimits) -> Result<(), String> {
    let mut information = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
    let basic = &mut information.BasicLimitInformation;
    basic.LimitFlags = flags(limits.is_alone);
    basic.PerProcessUserTimeLimit =
        i64::try_from(limits.processor_seconds.saturating_mul(TICKS)).unwrap_or(i64::MAX);
    basic.ActiveProcessLimit = u32::from(limits.is_alone);
    information.ProcessMemoryLimit = usize::try_from(limits.memory).unwrap_or(usize::MAX);
    let size = size_of_val(&information) as u32;
    // SAFETY: both pointers may be null: no attributes, and no name.
    let job = unsafe { CreateJobObjectW(null(), null()) };
    if job.is_null() {
        return Err(format!("no job: {}", Error::last_os_error()));
    }
    // SAFETY: `job` is open, and `information` is what this class of information is, of `size` bytes.
    let is_set = unsafe {
        SetInformationJobObject(
            job,
            JobObjectExtendedLimitInformation,
            (&raw const information).cast(),
            size,
        )
    };
    if is_set == 0 {
        return Err(format!("limits of a job: {}", Error::last_os_error()));
    }
    // The handle stays open: the job ends with this process, and all that is in it.
    // SAFETY: both handles are open.
    if unsafe { AssignProcessToJobObject(job, GetCurrentProcess()) } == 0 {
        return Err(format!("entering a job: {}", Error::last_os_error()));
    }
    Ok(())
}

/// Returns what a job limits. Without a dialogue about crashes, a parent learns of them at once.
fn flags(is_alone: bool) -> JOB_OBJECT_LIMIT {
    let all = JOB_OBJECT_LIMIT_PROCESS_MEMORY
        | JOB_OBJECT_LIMIT_PROCESS_TIME
        | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION
        | JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    if is_alone { all | JOB_OBJECT_LIMIT_ACTIVE_PROCESS } else { all }
}

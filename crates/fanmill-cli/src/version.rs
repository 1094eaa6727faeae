//! The version of the program, the kernels that it uses on this processor, and the variable that chooses them.

use std::env;

use fanmill_kernel::InstructionSet;
use fanmill_text::{Error, Result};

/// The environment variable that chooses the kernels.
const VARIABLE: &str = "FANMILL_KERNEL";

/// Makes the whole process use the kernels that the user asks for, if any.
///
/// # Errors
/// If there are no such kernels, on this processor or at all.
pub(crate) fn choose_kernel() -> Result<()> {
    match env::var_os(VARIABLE) {
        None => Ok(()),
        Some(name) => {
            let set = name.to_string_lossy().parse::<InstructionSet>();
            set.and_then(InstructionSet::choose)
                .map_err(|error| Error::setting(error.to_string()).within(VARIABLE))
        }
    }
}

/// Returns whether more than one line is asked for.
pub(crate) fn is_verbose() -> bool {
    env::args_os().skip(1).any(|argument| argument == "--verbose")
}

/// Returns what `--version --verbose` prints after the version.
pub(crate) fn details() -> String {
    let all: Vec<&str> = InstructionSet::available().map(InstructionSet::name).collect();
    let by = env::var_os(VARIABLE).map_or_else(String::new, |_| format!(", by {VARIABLE}"));
    let allocator = if cfg!(target_env = "musl") { "mimalloc" } else { "of the system" };
    format!(
        "kernel: {}{by} (this processor has {})\nplatform: {} {}\nallocator: {allocator}\npdf: {}\n",
        InstructionSet::in_use(),
        all.join(", "),
        env::consts::ARCH,
        env::consts::OS,
        pdf(),
    )
}

/// Returns what locks a reader of PDF in on this system, as one that is started says.
#[cfg(feature = "pdf")]
fn pdf() -> String {
    use fanmill_extract::cage::{self, WithoutLocks};

    match cage::read(b"", 0, "", WithoutLocks::Read).locks.map(cage::Locks::missing) {
        None => "not read, as no process starts for it".to_owned(),
        Some(None) => "read in a process of its own, locked in".to_owned(),
        Some(Some(missing)) => format!("read in a process of its own, with {missing}"),
    }
}

#[cfg(not(feature = "pdf"))]
fn pdf() -> String {
    "not read by this build".to_owned()
}

//! The arguments of a job that this build leaves out: anything is allowed, as nothing is looked at.

use std::ffi::OsString;

use clap::Args;

/// Whatever stands behind the name of a job that was not built in.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub(crate) struct LeftOut {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    _arguments: Vec<OsString>,
}

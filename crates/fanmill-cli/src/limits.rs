//! Limits on what is read of files, folders and archives, from their flags.

use fanmill_source::Limits;

use crate::args::ReadLimitArgs;
use crate::size;

/// The limits that the flags stand for.
pub(crate) fn limits(args: &ReadLimitArgs) -> anyhow::Result<Limits> {
    Ok(Limits {
        file_bytes: size::parse("--max-file-bytes", &args.max_file_bytes)?,
        total_bytes: size::parse("--max-total-bytes", &args.max_total_bytes)?,
        entries: args.max_entries,
        depth: args.max_depth,
        ratio: args.max_ratio,
    })
}

//! `fanmill sift`: texts that were changed on purpose, recognised under a key.

mod key_file;
mod library;
mod kinds;
mod texts;
mod add;
#[cfg(feature = "lab")]
mod attack;
mod campaign;
mod places;
mod explain;
mod check;
mod destroy;
mod list;
mod rekey;

#[cfg(not(feature = "lab"))]
left_out!(attack, "lab");

use std::io::{self, Write};

use fanmill::frontend;
use fanmill::sift::sifter::{Sifted, Sifter};
use fanmill::sift::verdict::Threshold;
use fanmill_report::printable;
use rayon::prelude::*;

use crate::args::{KeygenArgs, SiftArgs, SiftCommand, TextArgs};
use crate::exit::Exit;
use crate::size;
use crate::words::{say, words};
use fanmill::counted::counted;
use texts::{Account, Text};

/// Notices that are shown; their number is always.
const SHOWN: usize = 20;

pub(crate) fn run(args: &SiftArgs) -> anyhow::Result<Exit> {
    match &args.command {
        SiftCommand::Keygen(args) => keygen(args),
        SiftCommand::Add(args) => add::run(args),
        SiftCommand::Check(args) => check::run(args),
        SiftCommand::Campaign(args) => campaign::run(args),
        SiftCommand::Attack(args) => attack::run(args),
        SiftCommand::List(args) => list::run(args),
        SiftCommand::Rekey(args) => rekey::run(args),
        SiftCommand::Destroy(args) => destroy::run(args),
    }
}

fn keygen(args: &KeygenArgs) -> anyhow::Result<Exit> {
    let key = key_file::make()?;
    key_file::write(&key, args.output.as_deref())?;
    say(format_args!("made key {}; keep it private, and a copy of it safe", key.id()));
    Ok(Exit::Done)
}

/// The fingerprints of a batch, in its order; of what most people see of each text.
fn sift_all(sifter: &Sifter, batch: &[Text]) -> Vec<Sifted> {
    batch.par_iter().map(|text| sift(sifter, &text.bytes)).collect()
}

/// The fingerprints of one reading of a text.
fn sift(sifter: &Sifter, bytes: &[u8]) -> Sifted {
    sifter.sift(frontend::Text::new(bytes).as_str())
}

/// What it takes to be called a copy, as it was typed; the rest as `standard` has it.
fn threshold(
    s3: Option<&str>,
    n_common: Option<usize>,
    standard: Threshold,
) -> anyhow::Result<Threshold> {
    let s3 = s3.map(|text| size::score("--threshold", text)).transpose()?;
    Ok(Threshold { s3: s3.unwrap_or(standard.s3), n_common: n_common.unwrap_or(standard.n_common) })
}

/// Says what was not read.
fn print_notices(account: &Account, is_quiet: bool) -> io::Result<()> {
    if is_quiet {
        return Ok(());
    }
    let mut words = words();
    for notice in account.notices.iter().take(SHOWN) {
        writeln!(words, "not read: {}: {}", printable(&notice.name), printable(&notice.reason))?;
    }
    if account.notices.len() > SHOWN {
        let more = counted((account.notices.len() - SHOWN) as u64, "more was", "more were");
        writeln!(words, "{more} not read")?;
    }
    Ok(())
}

/// How a command ends that has read everything it could.
fn ending(account: &Account, args: &TextArgs) -> Exit {
    if args.strict && !account.is_whole() { Exit::Incomplete } else { Exit::Done }
}

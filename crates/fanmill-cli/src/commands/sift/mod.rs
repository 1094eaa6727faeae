//! `fanmill sift`: texts that were changed on purpose, recognised under a key.

mod key_file;
mod library;
mod kinds;
mod texts;
mod spool;
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
use fanmill::sift::similarity::Overlap;
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

/// A text as an original: one of its readings.
#[derive(Debug)]
struct Original {
    /// Which.
    reading: usize,
    sifted: Sifted,
}

/// A reading says what an earlier one says if it shares at least this share of its values with that one, in some
/// family: then whatever is recognised by the one is recognised by the other ([`Threshold::standard`]).
const SAME: f64 = 0.12;
/// What is between a text's name and the number of its reading, as if that lay inside of it.
const READING: &str = "!/reading ";

impl Original {
    /// Its name, of a text that has this one.
    fn name(&self, text: &str) -> String {
        match self.reading {
            0 => text.to_owned(),
            n => reading_name(text, n),
        }
    }

    /// Whether a reading says the same, or nothing.
    fn says(&self, other: &Sifted) -> bool {
        let families = other.likeness(&self.sifted).families;
        let share = families.into_iter().filter_map(Overlap::s2).reduce(f64::max);
        share.is_none_or(|share| share >= SAME)
    }
}

/// The name of another reading of a text, from 1.
fn reading_name(text: &str, reading: usize) -> String {
    format!("{text}{READING}{}", reading + 1)
}

/// The name of the text that an original is a reading of.
fn text_of(original: &str) -> &str {
    original.split_once(READING).map_or(original, |parts| parts.0)
}

/// What the texts of a batch are as originals, in its order: what most people see of each first, and then each
/// reading that says something that none before it says.
fn sift_all(sifter: &Sifter, batch: &[Text]) -> Vec<Vec<Original>> {
    let originals = |text: &Text| {
        let mut originals: Vec<Original> = Vec::new();
        for (reading, bytes) in text.readings().enumerate() {
            let sifted = sift(sifter, bytes);
            if reading == 0 || !originals.iter().any(|original| original.says(&sifted)) {
                originals.push(Original { reading, sifted });
            }
        }
        originals
    };
    batch.par_iter().map(originals).collect()
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

//! `fanmill lab calibrate`: thresholds that fit a collection, written as a config file.

use fanmill_jobs::config_file;
use fanmill_lab::calibrate::{self, Calibration, Settings};
use fanmill_text::Error;
use fanmill_text::message;
use fanmill_text::readable::readable;

use super::{LabRun, file, inputs};
use crate::args::CalibrateArgs;
use crate::flags;
use crate::progress::Bar;

/// Maximum number of pairs: each takes 4 kB, and some hundred pairs of long documents take a second.
const MOST_PAIRS: usize = 100_000;

/// Maximum number of times a pair is scrambled; each costs as much as another pair.
const MOST_SCRAMBLES: u64 = 100;

/// Measures, and writes the recommended thresholds if a file for them is named.
pub(super) fn run(args: &CalibrateArgs, bar: &Bar) -> anyhow::Result<LabRun> {
    let settings = settings(args)?;
    if let Some(path) = &args.write_config {
        file::check(path)?;
    }
    let mut read = inputs::read(&args.inputs, &args.common)?;
    let mut found = calibrate::run(&settings, &read.collection(), bar)?;
    if let Some(path) = &args.write_config {
        if found.thresholds.is_empty() {
            anyhow::bail!(Error::input(format!(
                "there are no thresholds to write to `{}`: {}",
                path.display(),
                found.outcome.findings.join("; ")
            )));
        }
        file::write(path, &config_file::write(&why(&found), &found.thresholds))?;
        found.outcome.findings.push(message![(
            "written: `fanmill compare --config {}` uses these thresholds",
            fanmill_report::printable(&readable(path.as_os_str()))
        )]);
    }
    Ok(LabRun { outcome: found.outcome, notices: read.notices })
}

fn settings(args: &CalibrateArgs) -> anyhow::Result<Settings> {
    let inputs = &args.inputs;
    // Flags that experiments on documents share, but that this one cannot use.
    let given = [("--noise", inputs.noise.is_some()), ("--guarantee", inputs.guarantee.is_some())];
    if let Some((flag, _)) = given.iter().find(|(_, is_given)| *is_given) {
        anyhow::bail!(Error::setting(format!(
            "{flag} has no effect here: calibration finds the thresholds, on documents; leave it out"
        )));
    }
    if args.pairs > MOST_PAIRS {
        anyhow::bail!(Error::setting(format!(
            "--pairs {} is above the limit of {MOST_PAIRS}; 10,000 are enough for shares of 0.1 %",
            args.pairs
        )));
    }
    if !(1..=MOST_SCRAMBLES).contains(&args.scrambles) {
        anyhow::bail!(Error::setting(format!(
            "--scrambles {} is out of bounds; use 1 to {MOST_SCRAMBLES}",
            args.scrambles
        )));
    }
    let tolerate = fanmill_text::amount::parse_share(&args.tolerate)
        .map_err(|error| error.within("--tolerate"))?;
    if !(0.0001..=0.25).contains(&tolerate) {
        anyhow::bail!(Error::setting(format!(
            "--tolerate `{}` is out of bounds; use 0.01% to 25%, since the curve is fitted through quartiles",
            args.tolerate
        )));
    }
    Ok(Settings {
        n_pairs: args.pairs,
        n_scrambles: args.scrambles,
        related: fanmill_text::amount::parse_share(&args.related)
            .map_err(|error| error.within("--related"))?,
        tolerate,
        seed: args.common.seed,
    })
}

/// Returns the comment above the thresholds.
fn why(found: &Calibration) -> String {
    let outcome = &found.outcome;
    let mut lines = vec![
        format!("Thresholds by `fanmill lab calibrate`, fanmill {}.", env!("CARGO_PKG_VERSION")),
        format!("Measured on {}.", flags::said(&outcome.input)),
    ];
    lines.extend(outcome.findings.iter().map(flags::said));
    lines.join("\n")
}

//! `fanmill lab`: the papers' experiments, on the user's data.
//!
//! To add one, write its `…Args` and a variant of `Experiment` in `args/lab.rs`, an arm in [`run`], and a
//! function from its arguments to a [`LabRun`].

mod again;
mod file;
mod inputs;
mod calibrate;
mod filter;
mod frequency;

use std::io::Write;

use fanmill_lab::folder::{check_folder, write_folder};
use fanmill_lab::{Outcome, table};
use fanmill_report::printable;
use fanmill_text::Error;
use fanmill_text::document::Notice;

use crate::args::{CommonArgs, Experiment, LabArgs, LabFormat};
use crate::exit::Exit;
use crate::progress::Bar;
use crate::words::words;
use crate::{flags, results, screen, terminal, threads};
use fanmill_text::readable::readable;

/// The outcome of an experiment.
pub(crate) struct LabRun {
    pub(crate) outcome: Outcome,
    /// Notices about the inputs, if there are any.
    pub(crate) notices: Vec<Notice>,
}

pub(crate) fn run(args: &LabArgs) -> anyhow::Result<Exit> {
    match &args.experiment {
        Experiment::Frequency(args) => finish(&args.common, |bar| frequency::run(args, bar)),
        Experiment::Calibrate(args) => finish(&args.common, |bar| calibrate::run(args, bar)),
        Experiment::Filter(args) => finish(&args.common, |_| filter::run(args)),
    }
}

/// Runs an experiment, writes its outcome, and prints the command that reproduces it.
pub(crate) fn finish(
    common: &CommonArgs,
    experiment: impl FnOnce(&Bar) -> anyhow::Result<LabRun> + Send,
) -> anyhow::Result<Exit> {
    if common.png {
        return Err(Error::setting(
            "figures are .svg files, which browsers show and print; leave out --png, and make a .png of \
             one with `rsvg-convert --zoom 2 FIGURE.svg --output FIGURE.png`",
        )
        .into());
    }
    let threads = threads::pool(common.threads)?;
    if let Some(dir) = &common.output {
        check_folder(dir)?;
    }
    let bar = Bar::new(common.quiet);
    let mut found = threads.install(|| experiment(&bar))?;
    // The texts name settings, which users know as flags.
    let Outcome { input, findings, .. } = &mut found.outcome;
    for text in findings.iter_mut().chain([input]) {
        *text = flags::said(text).into();
    }
    bar.finish();
    let written = match &common.output {
        Some(dir) => write_folder(&found.outcome, dir)?,
        None => Vec::new(),
    };
    print(common, &found)?;
    if common.quiet {
        return Ok(Exit::Done);
    }
    let mut words = words();
    terminal::notices(&found.notices, None, &mut words)?;
    for path in written {
        writeln!(words, "written: {}", printable(&readable(path.as_os_str())))?;
    }
    words.command("again: ", &again::command(std::env::args_os(), found.outcome.seed));
    Ok(Exit::Done)
}

fn print(common: &CommonArgs, found: &LabRun) -> anyhow::Result<()> {
    results::print(|out| {
        match common.format {
            LabFormat::Table => table::write(&found.outcome, screen::of_results(), out)?,
            LabFormat::Json => out.write_all(found.outcome.to_json().as_bytes())?,
        }
        Ok(())
    })?;
    if common.format == LabFormat::Table && !common.quiet {
        writeln!(words())?;
    }
    Ok(())
}

//! `fanmill lab frequency`: how often grams occur, and a base of what many documents share.

use std::ffi::OsStr;

use fanmill::pipeline::ThresholdOverrides;
use fanmill::select::Thresholds;
use fanmill_lab::frequency::{self, Lengths, Settings};

use super::{LabRun, file, inputs};
use crate::args::{FrequencyArgs, LabInputArgs, PAPER, ReadAsArg};
use crate::progress::Bar;

/// Measures, and writes the base if a file for it is named and there is boilerplate.
pub(super) fn run(args: &FrequencyArgs, bar: &Bar) -> anyhow::Result<LabRun> {
    let lengths = lengths(&args.inputs)?;
    let settings = Settings {
        selector: args.select.parse()?,
        max_docs: args.max_docs.parse()?,
        n_strings: args.strings,
        ..Settings::new(lengths)
    };
    if let Some(path) = &args.write_base {
        file::check(path)?;
    }
    let mut read = inputs::read(&args.inputs, &args.common)?;
    let mut found = frequency::run(&settings, &read.collection(), bar)?;
    if let Some(path) = &args.write_base {
        if found.base.texts.is_empty() {
            found.outcome.findings.push("there is no boilerplate, so no base was written".into());
            return Ok(LabRun { outcome: found.outcome, notices: read.notices });
        }
        // The base must be read in the same way as the documents that it was made from.
        let language = match args.inputs.read_as {
            ReadAsArg::Characters => Some("chars"),
            ReadAsArg::Words => Some("words"),
            ReadAsArg::Auto => None,
        };
        let registry = fanmill_lang::registry();
        let name = path.file_name().unwrap_or(OsStr::new("")).to_string_lossy();
        let written = found.base.write(&name, &registry, language)?;
        file::write(path, &written.text)?;
        found.outcome.findings.push(said(&written, language).into());
    }
    Ok(LabRun { outcome: found.outcome, notices: read.notices })
}

/// Returns noise and guarantee as given, or else the presets of the kind of text, or the paper's for characters. If
/// only one is given, it shifts the other.
fn lengths(inputs: &LabInputArgs) -> anyhow::Result<Lengths> {
    let overrides = ThresholdOverrides { noise: inputs.noise, guarantee: inputs.guarantee };
    Ok(match inputs.read_as {
        // The kind of documents that are read as words is `words`, so that they get its presets.
        ReadAsArg::Auto | ReadAsArg::Words => Lengths::OfKind(overrides),
        ReadAsArg::Characters => {
            let (noise, guarantee) = match (inputs.noise, inputs.guarantee) {
                (None, None) => PAPER,
                (Some(noise), None) => (noise, noise.saturating_add(PAPER.1 - PAPER.0)),
                (None, Some(guarantee)) => (PAPER.0.min(guarantee), guarantee),
                (Some(noise), Some(guarantee)) => (noise, guarantee),
            };
            Lengths::Given(Thresholds::new(noise, guarantee)?)
        }
    })
}

fn said(written: &frequency::base::BaseFile, language: Option<&str>) -> String {
    let lang = language.map_or_else(String::new, |name| format!(" --lang {name}"));
    format!(
        "the base holds {} of the {} grams when it is read as {}; look through it, then give it to \
         `fanmill compare --base`{lang}",
        written.n_kept, written.n_grams, written.front_end
    )
}

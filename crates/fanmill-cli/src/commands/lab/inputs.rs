//! The inputs of an experiment, from its arguments.

use std::fs;

use fanmill_lab::{Collection, Reading};
use fanmill_source::{Budget, Glob, GroupBy, LeftOut, Options};
use fanmill_text::document::{Corpus, Notice, Role};
use fanmill_text::frontend::Registry;
use fanmill_text::progress::Silent;

use crate::args::{CommonArgs, LabInputArgs, ReadAsArg};
use crate::layers::limits;

/// The inputs as they were read, before they become tokens.
pub(crate) struct Read<'a> {
    inputs: &'a LabInputArgs,
    corpus: Corpus,
    registry: Registry,
    /// Notices about inputs that could not be read in full.
    pub(crate) notices: Vec<Notice>,
}

/// Reads the files that are given.
pub(crate) fn read<'a>(inputs: &'a LabInputArgs, common: &CommonArgs) -> anyhow::Result<Read<'a>> {
    let mut corpus = Corpus::default();
    let budget = Budget::new(limits(&inputs.limits)?);
    fanmill_source::read(
        &inputs.paths,
        Role::New,
        &options(inputs, common)?,
        &budget,
        &mut corpus,
        &Silent,
    )?;
    let registry = fanmill_lang::registry();
    let notices = corpus
        .notices
        .drain(..)
        .map(|notice| Notice { submission: String::new(), ..notice })
        .collect();
    Ok(Read { inputs, corpus, registry, notices })
}

impl Read<'_> {
    /// Returns the documents.
    pub(crate) fn collection(&mut self) -> Collection<'_> {
        let reading = match self.inputs.read_as {
            ReadAsArg::Characters => Reading::Characters,
            ReadAsArg::Words => Reading::Words,
            ReadAsArg::Auto => Reading::Auto(&self.registry),
        };
        Collection::new(std::mem::take(&mut self.corpus), reading)
    }
}

fn options(inputs: &LabInputArgs, common: &CommonArgs) -> anyhow::Result<Options> {
    let globs =
        |patterns: &[String]| patterns.iter().map(|p| Glob::new(p)).collect::<Result<Vec<_>, _>>();
    let output = common.output.as_deref().and_then(|dir| fs::canonicalize(dir).ok());
    let left_out =
        output.map(|path| LeftOut { path, reason: "the folder of the outcome: not read".into() });
    Ok(Options {
        group_by: GroupBy::File,
        include: globs(&inputs.include)?,
        exclude: globs(&inputs.exclude)?,
        left_out: left_out.into_iter().collect(),
        ..Options::everything()
    })
}

//! The inputs of an experiment, from its arguments: the user's files, or random text.

use std::fs;

use fanmill::pipeline::Config;
use fanmill::select::Thresholds;
use fanmill_lab::{Collection, Reading};
use fanmill_source::{Budget, Glob, GroupBy, LeftOut, Options};
use fanmill_text::document::{Corpus, Notice, Role};
use fanmill_text::frontend::{Kind, Registry};
use fanmill_text::progress::Silent;

use crate::args::{CommonArgs, LabInputArgs, PAPER, ReadAsArg};
use crate::layers::limits;

/// Returns noise and guarantee as given, or else the presets for the kind of token. If only one is given, it shifts the
/// other.
pub(crate) fn thresholds(inputs: &LabInputArgs) -> anyhow::Result<Thresholds> {
    let given = (inputs.noise, inputs.guarantee);
    let preset = |kind| {
        let config = Config::standard().with(|config| {
            config.fingerprints.noise = given.0;
            config.fingerprints.guarantee = given.1;
        });
        config.recipe(kind).map(|scheme| scheme.thresholds)
    };
    Ok(match (inputs.read_as, given) {
        (ReadAsArg::Words, _) => preset(Kind::Words)?,
        (ReadAsArg::Auto, _) => preset(Kind::Code)?,
        (ReadAsArg::Characters, given) => {
            let (noise, guarantee) = match given {
                (None, None) => PAPER,
                (Some(noise), None) => (noise, noise.saturating_add(PAPER.1 - PAPER.0)),
                (None, Some(guarantee)) => (PAPER.0.min(guarantee), guarantee),
                (Some(noise), Some(guarantee)) => (noise, guarantee),
            };
            Thresholds::new(noise, guarantee)?
        }
    })
}

/// The inputs as they were read, before they become tokens.
pub(crate) struct Read<'a> {
    inputs: &'a LabInputArgs,
    seed: u64,
    corpus: Corpus,
    registry: Registry,
    /// Notices about inputs that could not be read in full.
    pub(crate) notices: Vec<Notice>,
}

/// Reads the files that are given; with `--random`, there are none.
pub(crate) fn read<'a>(inputs: &'a LabInputArgs, common: &CommonArgs) -> anyhow::Result<Read<'a>> {
    let mut corpus = Corpus::default();
    if inputs.random.is_none() {
        if inputs.paths.is_empty() {
            anyhow::bail!(fanmill_text::Error::setting(
                "there is nothing to measure; give files or folders, or --random 8MiB"
            ));
        }
        let budget = Budget::new(limits(&inputs.limits)?);
        fanmill_source::read(
            &inputs.paths,
            Role::New,
            &options(inputs, common)?,
            &budget,
            &mut corpus,
            &Silent,
        )?;
    }
    let registry = fanmill_lang::registry();
    let notices = corpus
        .notices
        .drain(..)
        .map(|notice| Notice { submission: String::new(), ..notice })
        .collect();
    Ok(Read { inputs, seed: common.seed, corpus, registry, notices })
}

impl Read<'_> {
    /// Returns the documents.
    pub(crate) fn collection(&mut self) -> anyhow::Result<Collection<'_>> {
        if let Some(size) = &self.inputs.random {
            return Ok(Collection::random(
                fanmill_text::amount::parse_bytes(size)
                    .map_err(|error| error.within("--random"))?,
                self.seed,
            )?);
        }
        let reading = match self.inputs.read_as {
            ReadAsArg::Characters => Reading::Characters,
            ReadAsArg::Words => Reading::Words,
            ReadAsArg::Auto => Reading::Auto(&self.registry),
        };
        Ok(Collection::of(std::mem::take(&mut self.corpus), reading))
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

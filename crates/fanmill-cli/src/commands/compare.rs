//! `fanmill compare`: from the command line to a table and a report.

mod taken;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use fanmill::document::{Corpus, Notice, Outcome, Role};
use fanmill::frontend::Registry;
use fanmill::pipeline::{self, Comparison, Config, MaxDocs};
use fanmill_report::Compared;
use fanmill_source::{Budget, Glob, GroupBy, LeftOut, Options};

use crate::args::{CompareArgs, Format, GroupByArg};
use crate::exit::Exit;
use crate::limits::limits;
use crate::progress::Bar;
use crate::words::words;
use crate::{config_file, results, screen, size, terminal, threads};

pub(crate) fn run(args: &CompareArgs) -> anyhow::Result<Exit> {
    let config = config(args)?;
    let fail_above = fail_above(args, &config)?;
    let threads = threads::pool(args.limits.threads)?;
    let registry = Registry::new(fanmill_lang::front_ends())?;
    if let Some(dir) = &args.output {
        fanmill_report::check_folder(dir)?;
    }
    let bar = Bar::new(args.results.quiet);
    let corpus = read(args)?;
    let taken = taken::sentence(&args.paths, args.inputs.group_by, &corpus, words().room());
    let compare = || pipeline::compare(corpus, &registry, &config, &bar);
    let comparison = threads.install(compare)?;
    bar.finish();

    if let Some(dir) = &args.output {
        let texts = Compared { comparison: &comparison, registry: &registry };
        fanmill_report::write_folder(&comparison.report, &texts, dir)?;
    }
    print(args, taken.as_deref(), &comparison)?;
    let report = &comparison.report;
    if let (Some(_), Some(nothing)) = (fail_above, terminal::nothing_to_compare(report)) {
        anyhow::bail!(fanmill::Error::input(format!(
            "--fail-above cannot tell: {nothing}{}",
            terminal::way_out(report, args.inputs.group_by)
        )));
    }
    Ok(ending(args, fail_above, &comparison))
}

/// The settings: what flags say, then the config file, then the presets.
fn config(args: &CompareArgs) -> anyhow::Result<Config> {
    let (matching, results) = (&args.matching, &args.results);
    let score = |flag: &str, text: &Option<String>| {
        text.as_deref().map(|text| size::score(flag, text)).transpose()
    };
    let mut config = match &matching.config {
        Some(path) => config_file::read(path)?,
        None => Config::standard(),
    };
    config.language.clone_from(&args.inputs.lang);
    (config.noise, config.guarantee) = (matching.noise, matching.guarantee);
    if let Some(name) = &matching.select {
        config.selector = Some(name.parse()?);
    }
    if let Some(text) = &matching.max_docs {
        config.max_docs = Some(text.parse::<MaxDocs>()?);
    }
    if let Some(min_score) = score("--min-score", &results.min_score)? {
        config.min_score = min_score;
    }
    config.max_pairs = results.max_pairs.unwrap_or(config.max_pairs);
    let threshold = score("--cluster-threshold", &results.cluster_threshold)?;
    config.cluster_threshold = threshold.or(config.cluster_threshold);
    Ok(config)
}

/// The score from which on the run fails.
///
/// # Errors
/// If a pair above it might not be listed, so that the run would not see it.
fn fail_above(args: &CompareArgs, config: &Config) -> anyhow::Result<Option<f64>> {
    let Some(text) = &args.results.fail_above else { return Ok(None) };
    let limit = size::score("--fail-above", text)?;
    if config.max_pairs == 0 {
        anyhow::bail!(fanmill::Error::setting(
            "--fail-above looks at the best pair, and --max-pairs 0 lists none; use --top 0 to \
             print none"
        ));
    }
    if config.min_score > limit {
        anyhow::bail!(fanmill::Error::setting(format!(
            "--min-score {} hides pairs that are above --fail-above {limit}; lower --min-score",
            config.min_score
        )));
    }
    Ok(Some(limit))
}

fn read(args: &CompareArgs) -> anyhow::Result<Corpus> {
    let globs =
        |patterns: &[String]| patterns.iter().map(|p| Glob::new(p)).collect::<Result<Vec<_>, _>>();
    let options = Options {
        group_by: match args.inputs.group_by {
            GroupByArg::Auto => GroupBy::Auto,
            GroupByArg::Child => GroupBy::Child,
            GroupByArg::File => GroupBy::File,
            GroupByArg::Root => GroupBy::Root,
        },
        include: globs(&args.inputs.include)?,
        exclude: globs(&args.inputs.exclude)?,
        left_out: left_out(args.output.as_deref(), "the folder of the report: not read"),
        ..Options::everything()
    };
    let budget = Budget::new(limits(&args.limits.reading)?);
    let mut corpus = Corpus::default();
    let inputs = [
        (&args.paths, Role::New),
        (&args.inputs.archive, Role::Archive),
        (&args.inputs.base, Role::Base),
    ];
    let base = fanmill_source::overlaps(&inputs.map(|(paths, role)| (paths.as_slice(), role)))?;
    let mut outside_base = options.clone();
    for path in base {
        outside_base.left_out.extend(left_out(Some(&path), "given with --base: not compared"));
    }
    for (paths, role) in inputs {
        let options = if role == Role::Base { &options } else { &outside_base };
        if !paths.is_empty() {
            fanmill_source::read(paths, role, options, &budget, &mut corpus)?;
        }
    }
    Ok(corpus)
}

/// What is there already of a path that is no input.
fn left_out(path: Option<&Path>, reason: &str) -> Vec<LeftOut> {
    let real: Option<PathBuf> = path.and_then(|path| fs::canonicalize(path).ok());
    real.into_iter().map(|path| LeftOut { path, reason: reason.to_owned() }).collect()
}

fn print(args: &CompareArgs, taken: Option<&str>, comparison: &Comparison) -> anyhow::Result<()> {
    let report = &comparison.report;
    let room = screen::of_results();
    results::print(|out| {
        match args.results.format {
            Format::Table => {
                terminal::table(report, args.results.top, args.inputs.group_by, room, out)?;
                terminal::clusters(report, room, out)?;
            }
            Format::Json => fanmill_report::json::write(report, out)?,
            Format::Csv => fanmill_report::csv::write_pairs(report, out)?,
        }
        Ok(())
    })?;
    if args.results.quiet {
        return Ok(());
    }
    let mut words = words();
    if args.results.format == Format::Table {
        writeln!(words)?;
    } else if let Some(nothing) = terminal::nothing_to_compare(report) {
        writeln!(words, "{nothing}{}", terminal::way_out(report, args.inputs.group_by))?;
    }
    if let Some(taken) = taken {
        writeln!(words, "{taken}")?;
    }
    terminal::summary(report, &mut words)?;
    terminal::notices(report, &mut words)?;
    if let Some(dir) = &args.output {
        let page = dir.join("index.html");
        writeln!(words, "report: {}", fanmill_report::printable(&page.to_string_lossy()))?;
    }
    Ok(())
}

fn ending(args: &CompareArgs, fail_above: Option<f64>, comparison: &Comparison) -> Exit {
    let report = &comparison.report;
    let lost = |notice: &Notice| notice.outcome != Outcome::Flagged;
    if fail_above.is_some_and(|limit| comparison.highest_score > limit) {
        Exit::Above
    } else if args.results.strict && report.notices.iter().any(lost) {
        Exit::Incomplete
    } else {
        Exit::Done
    }
}

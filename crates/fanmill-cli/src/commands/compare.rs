//! `fanmill compare`: from the command line to a table and a report.

use std::io::{self, Write};

use anyhow::Context;
use fanmill::frontend::Registry;
use fanmill::pipeline::{self, Comparison, Config, MaxDocs};
use fanmill::report;
use fanmill::source::{self, Budget, Corpus, Glob, GroupBy, Limits, Options, Role};

use crate::args::{CompareArgs, Format, GroupByArg};
use crate::exit::{Exit, is_broken_pipe};
use crate::progress::Bar;
use crate::{size, terminal};

pub(crate) fn run(args: &CompareArgs) -> anyhow::Result<Exit> {
    let config = config(args)?;
    let registry = Registry::new(fanmill_lang::front_ends())?;
    if let Some(dir) = &args.output {
        report::check_folder(dir)?;
    }
    let bar = Bar::new(args.results.quiet);
    let corpus = read(args)?;
    let compare = || pipeline::compare(corpus, &registry, &config, &bar);
    let comparison = threads(args)?.install(compare)?;
    bar.finish();

    if let Some(dir) = &args.output {
        comparison.write(dir)?;
    }
    match print(args, &comparison) {
        Err(error) if !is_broken_pipe(&error) => return Err(error),
        _ => {}
    }
    Ok(ending(args, &comparison))
}

fn config(args: &CompareArgs) -> anyhow::Result<Config> {
    let (matching, results) = (&args.matching, &args.results);
    for (flag, share) in [
        ("--min-score", Some(results.min_score)),
        ("--cluster-threshold", results.cluster_threshold),
        ("--fail-above", results.fail_above),
    ] {
        if share.is_some_and(|share| !(0.0..=1.0).contains(&share)) {
            let value = share.unwrap_or_default();
            anyhow::bail!(fanmill::Error::setting(format!(
                "{flag} {value} is not a score; scores go from 0 to 1"
            )));
        }
    }
    Ok(Config {
        language: args.inputs.lang.clone(),
        noise: matching.noise,
        guarantee: matching.guarantee,
        selector: matching.select.as_deref().map(str::parse).transpose()?,
        max_docs: matching.max_docs.as_deref().map(str::parse::<MaxDocs>).transpose()?,
        min_score: results.min_score,
        max_pairs: results.max_pairs,
        cluster_threshold: results.cluster_threshold,
        ..Config::standard()
    })
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
    };
    let limits = Limits {
        file_bytes: size::parse("--max-file-bytes", &args.limits.max_file_bytes)?,
        total_bytes: size::parse("--max-total-bytes", &args.limits.max_total_bytes)?,
        entries: args.limits.max_entries,
        depth: args.limits.max_depth,
        ratio: args.limits.max_ratio,
    };
    let budget = Budget::new(limits);
    let mut corpus = Corpus::default();
    let inputs = [
        (&args.paths, Role::New),
        (&args.inputs.archive, Role::Archive),
        (&args.inputs.base, Role::Base),
    ];
    for (paths, role) in inputs {
        if !paths.is_empty() {
            source::read(paths, role, &options, &budget, &mut corpus)?;
        }
    }
    Ok(corpus)
}

fn threads(args: &CompareArgs) -> anyhow::Result<rayon::ThreadPool> {
    let n_threads = args.limits.threads.unwrap_or(0);
    rayon::ThreadPoolBuilder::new()
        .num_threads(n_threads)
        .build()
        .context("could not start threads")
}

fn print(args: &CompareArgs, comparison: &Comparison) -> anyhow::Result<()> {
    let report = &comparison.report;
    let mut out = io::stdout().lock();
    match args.results.format {
        Format::Table => {
            terminal::table(report, args.results.top, &mut out)?;
            terminal::clusters(report, &mut out)?;
        }
        Format::Json => report::json::write(report, &mut out)?,
        Format::Csv => report::csv::write_pairs(report, &mut out)?,
    }
    out.flush()?;
    if args.results.quiet {
        return Ok(());
    }
    let mut words = io::stderr().lock();
    if args.results.format == Format::Table {
        writeln!(words)?;
    }
    terminal::summary(report, &mut words)?;
    terminal::notices(report, &mut words)?;
    if let Some(dir) = &args.output {
        let page = dir.join("index.html");
        writeln!(words, "report: {}", report::printable(&page.to_string_lossy()))?;
    }
    Ok(())
}

fn ending(args: &CompareArgs, comparison: &Comparison) -> Exit {
    let report = &comparison.report;
    let lost = |notice: &report::model::Notice| notice.outcome != "flagged";
    if args.results.fail_above.is_some_and(|limit| comparison.highest_score > limit) {
        Exit::Above
    } else if args.results.strict && report.notices.iter().any(lost) {
        Exit::Incomplete
    } else {
        Exit::Done
    }
}

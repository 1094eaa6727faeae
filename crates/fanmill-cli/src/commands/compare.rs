//! `fanmill compare`: from the command line to a table and a report.

use std::io::Write;

use fanmill::report::Report;
use fanmill::score::expectation::STANDS_OUT;
use fanmill_jobs::compare::{self, Inputs, Settings};
use fanmill_jobs::taken::{self, TakenInputs};
use fanmill_report::{Compared, chance, printable};
use fanmill_text::amount;
use fanmill_text::document::{Notice, Outcome, Role};
use fanmill_text::readable::readable;

use crate::args::{CompareArgs, Format};
use crate::color::Painted;
use crate::exit::Exit;
use crate::progress::Bar;
use crate::words::words;
use crate::{layers, page, results, screen, terminal, threads};

pub(crate) fn run(args: &CompareArgs) -> anyhow::Result<Exit> {
    let (settings, inputs) = settings(args)?;
    let fail_above = fail_above(args, &inputs, &settings)?;
    let way_out = "compare fewer texts at once, or search an index of earlier work";
    let (threads, _) = threads::within(&args.limits.machine, way_out)?;
    let bar = Bar::new(args.results.quiet);
    let output = args.output.as_deref();
    let outcome = threads.install(|| compare::run(&settings, &inputs, output, &bar))?;
    bar.finish();
    let notices = &outcome.comparison.report.notices;
    let written = terminal::write_notices(&args.results.notices, notices);
    print(args, &inputs, &outcome)?;
    written?;
    if let Some(folder) = output.filter(|_| args.page.open) {
        page::open(folder);
    }
    let report = &outcome.comparison.report;
    // A change that adds nothing copies nothing.
    if let (None, Some(nothing)) = (&inputs.base_rev, nothing(&inputs, report)) {
        anyhow::bail!(fanmill_text::Error::input(nothing));
    }
    if let (Some(Limit::Chance), Some(_)) = (fail_above, &report.unjudged) {
        let why = chance::of_batch(report).unwrap_or_default();
        anyhow::bail!(fanmill_text::Error::input(format!(
            "--fail-above auto cannot tell: {why}; give it a score"
        )));
    }
    Ok(ending((args, &inputs), fail_above, &outcome))
}

/// Returns the settings and the inputs: flags override the config file, which overrides the presets.
fn settings(args: &CompareArgs) -> anyhow::Result<(Settings, Inputs)> {
    let (settings, mut inputs): (Settings, Inputs) = layers::filled(&args.config, "compare", args)?;
    layers::replace(&mut inputs.paths, &args.paths);
    layers::replace(&mut inputs.task, &args.task);
    layers::replace(&mut inputs.base, &args.inputs.base);
    layers::replace(&mut inputs.archive, &args.inputs.archive);
    args.documents.add_paths(&mut inputs.documents);
    Ok((settings, inputs))
}

/// The limit of `--fail-above`.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Limit {
    Score(f64),
    /// Fails at a pair that only one in ten batches of unrelated submissions would show.
    Chance,
}

/// Reads `--fail-above`.
///
/// # Errors
/// If a pair above it might not be listed.
fn fail_above(
    args: &CompareArgs,
    inputs: &Inputs,
    settings: &Settings,
) -> anyhow::Result<Option<Limit>> {
    let Some(text) = &args.results.fail_above else { return Ok(None) };
    let limit = match (&**text, &inputs.base_rev) {
        ("auto", Some(_)) => anyhow::bail!(fanmill_text::Error::setting(
            "--fail-above auto judges pairs of a batch, and --base-rev looks at shares of new lines; give it a share"
        )),
        ("auto", None) => Limit::Chance,
        (score, _) => {
            Limit::Score(amount::parse_share(score).map_err(|error| error.within("--fail-above"))?)
        }
    };
    if settings.max_pairs == 0 {
        anyhow::bail!(fanmill_text::Error::setting(
            "--fail-above looks at the best pair, and --max-pairs 0 lists none; use --top 0 to \
             print none"
        ));
    }
    // A pair above the limit must be listed to be seen.
    match limit {
        Limit::Score(limit) if settings.min_score > limit => {
            anyhow::bail!(fanmill_text::Error::setting(format!(
                "--min-score {} hides pairs that are above --fail-above {limit}; lower --min-score",
                settings.min_score
            )))
        }
        Limit::Score(_) | Limit::Chance => {}
    }
    Ok(Some(limit))
}

fn print(args: &CompareArgs, inputs: &Inputs, outcome: &compare::Outcome) -> anyhow::Result<()> {
    let report = &outcome.comparison.report;
    let room = screen::of_results();
    let nothing = nothing(inputs, report);
    results::print(|out| {
        match args.results.format {
            Format::Table => {
                // That there is nothing to compare is an error, which follows; an unchanged folder is not.
                if nothing.is_none() || inputs.base_rev.is_some() {
                    terminal::table(report, args.results.top, nothing.as_deref(), room, out)?;
                }
                terminal::clusters(report, room, out)?;
            }
            Format::Json => fanmill_report::json::write(report, out)?,
            Format::Csv => fanmill_report::csv::write_pairs(report, out)?,
            Format::Sarif => {
                let (comparison, registry) = (&outcome.comparison, &fanmill_lang::registry());
                let mut log = fanmill_report::sarif::Log::default();
                log.add(report, &Compared { comparison, registry });
                log.write(out)?;
            }
        }
        Ok(())
    })?;
    if args.results.quiet {
        return Ok(());
    }
    let mut words = words();
    if args.results.format == Format::Table {
        writeln!(words)?;
    } else if let Some(nothing) = nothing.as_ref().filter(|_| inputs.base_rev.is_some()) {
        writeln!(words, "{nothing}")?;
    }
    // The sentence names what was given, so an anonymous run leaves it out.
    if !inputs.anonymous && args.task.len() < 2 {
        let paths = [&args.paths[..], &args.task].concat();
        let room = words.room();
        let roles = [(&paths, Role::New), (&inputs.archive, Role::Archive)];
        let inputs_taken = TakenInputs::from_outcome(outcome);
        // An index says below what was taken from it.
        for (paths, role) in roles.into_iter().take(1 + usize::from(outcome.searched.is_empty())) {
            if let Some(taken) = inputs_taken.sentence(role, paths, inputs.group_by, room) {
                writeln!(words, "{taken}; --group-by changes that")?;
            }
        }
    }
    for searched in &outcome.searched {
        writeln!(words, "{}", taken::of_index(searched))?;
    }
    terminal::summary(report, &mut words)?;
    terminal::notices(&report.notices, Some(&args.results.notices), &mut words)?;
    let page = args.output.as_ref().map(|dir| dir.join("index.html"));
    let page = page.map(|page| printable(&readable(page.as_os_str())).into_owned());
    let last = terminal::last_line(report, page.as_deref());
    match report.counts.standing_out {
        0 => writeln!(words, "{last}")?,
        _ => words.paint(Painted::StandsOut, &last),
    }
    Ok(())
}

/// Returns the reason if there is nothing to compare.
fn nothing(inputs: &Inputs, report: &Report) -> Option<String> {
    let is_any_new = report.submissions.iter().any(|submission| submission.role == Role::New);
    match &inputs.base_rev {
        Some(revision) if !is_any_new => {
            Some(format!("no file that git tracks has changed since `{}`", printable(revision)))
        }
        _ => terminal::nothing_to_compare(report, inputs.group_by),
    }
}

fn ending(
    (args, inputs): (&CompareArgs, &Inputs),
    fail_above: Option<Limit>,
    outcome: &compare::Outcome,
) -> Exit {
    let comparison = &outcome.comparison;
    let lost = |notice: &Notice| notice.outcome != Outcome::Flagged;
    let highest = match inputs.base_rev {
        Some(_) => outcome.copied_of_a_change(),
        None => comparison.highest_score,
    };
    let expectation = comparison.report.expectation.as_ref();
    let is_above = |limit: Limit| match limit {
        Limit::Score(limit) => highest > limit,
        Limit::Chance => expectation.is_some_and(|fitted| fitted.of(highest) <= STANDS_OUT),
    };
    if fail_above.is_some_and(is_above) {
        Exit::Above
    } else if args.results.strict && comparison.report.notices.iter().any(lost) {
        Exit::Incomplete
    } else {
        Exit::Done
    }
}

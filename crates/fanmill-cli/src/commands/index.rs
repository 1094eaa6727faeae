//! `fanmill index`: earlier work, kept to be searched.

use std::ffi::OsString;
use std::io::Write;

use fanmill::counted::counted;
use fanmill::document::Notice;
use fanmill::readable::readable;
use fanmill_jobs::index::{self, Index, Inputs, Settings, Stats, Wait};
use fanmill_report::printable;

use crate::args::{
    IndexAddArgs, IndexArgs, IndexCommand, IndexFormat, IndexListArgs, IndexMergeArgs,
    IndexReadArgs, IndexRemoveArgs, IndexStatsArgs, IndexVerifyArgs,
};
use crate::exit::Exit;
use crate::limits::limits;
use crate::progress::Bar;
use crate::words::words;
use crate::{flags, results, screen, threads};

/// Maximum number of notices that are shown; their number always is.
const SHOWN: usize = 20;

pub(crate) fn run(args: &IndexArgs) -> anyhow::Result<Exit> {
    match &args.command {
        IndexCommand::Add(args) => add(args),
        IndexCommand::List(args) => list(args),
        IndexCommand::Stats(args) => stats(args),
        IndexCommand::Verify(args) => verify(args),
        IndexCommand::Remove(args) => remove(args),
        IndexCommand::Merge(args) => merge(args),
    }
}

fn add(args: &IndexAddArgs) -> anyhow::Result<Exit> {
    let mut settings = Settings::default();
    (settings.noise, settings.guarantee) = (args.noise, args.guarantee);
    settings.select = args.select.as_deref().map(str::parse).transpose()?;
    settings.lang.clone_from(&args.lang);
    let inputs = inputs(&args.paths, &args.reading)?;
    let threads = threads::pool(args.reading.limits.threads)?;
    let bar = Bar::new(args.reading.quiet);
    let wait = wait(args.wait);
    let outcome = threads.install(|| index::add(&settings, &args.index, &inputs, wait, &bar))?;
    bar.finish();
    print_notices(&outcome.notices, args.reading.quiet)?;
    if !args.reading.quiet {
        let (added, stats) = (&outcome.added, &outcome.stats);
        writeln!(
            words(),
            "{} added, {} replaced, {} already there; the index now holds {}",
            counted(added.added, "document", "documents"),
            added.replaced,
            added.unchanged,
            counted(stats.documents, "document", "documents"),
        )?;
    }
    Ok(ending(&outcome.notices, &args.reading))
}

/// Whether to wait for another process.
pub(super) fn wait(is_wanted: bool) -> Wait {
    if is_wanted { Wait::Yes } else { Wait::No }
}

/// Names of documents as the index has them: what is not UTF-8 was made readable there, too.
pub(super) fn names(given: &[OsString]) -> Vec<String> {
    given.iter().map(|name| readable(name).into_owned()).collect()
}

/// The inputs of a command that reads texts.
pub(super) fn inputs(
    paths: &[std::path::PathBuf],
    reading: &IndexReadArgs,
) -> anyhow::Result<Inputs> {
    let mut inputs = Inputs::of(paths);
    inputs.group_by = reading.group_by.into();
    inputs.include.clone_from(&reading.include);
    inputs.exclude.clone_from(&reading.exclude);
    inputs.limits = limits(&reading.limits.reading)?;
    Ok(inputs)
}

/// Prints what was not taken whole.
pub(super) fn print_notices(notices: &[Notice], is_quiet: bool) -> anyhow::Result<()> {
    if is_quiet {
        return Ok(());
    }
    let mut words = words();
    for Notice { outcome, submission, path, reason, .. } in notices.iter().take(SHOWN) {
        let name = if submission.is_empty() || submission == path {
            printable(path).into_owned()
        } else {
            format!("{}: {}", printable(submission), printable(path))
        };
        let reason = flags::named(reason);
        writeln!(words, "{}: {name}: {}", outcome.name(), printable(&reason))?;
    }
    if notices.len() > SHOWN {
        let n = (notices.len() - SHOWN) as u64;
        writeln!(words, "{}", counted(n, "more notice", "more notices"))?;
    }
    Ok(())
}

/// The exit status after everything readable was read.
pub(super) fn ending(notices: &[Notice], reading: &IndexReadArgs) -> Exit {
    if reading.strict && !index::is_whole(notices) { Exit::Incomplete } else { Exit::Done }
}

fn list(args: &IndexListArgs) -> anyhow::Result<Exit> {
    let index = Index::open(&args.index)?;
    let room = screen::of_results();
    results::print(|out| {
        if args.format == IndexFormat::Json {
            for record in index.documents() {
                writeln!(out, "{}", serde_json::to_string(&record?)?)?;
            }
            return Ok(());
        }
        let names = index.documents().map(|record| Ok(printable(&record?.name).into_owned()));
        let names: Vec<String> = names.collect::<fanmill::Result<_>>()?;
        let shown = room.names(names.iter().map(String::as_str));
        names.iter().try_for_each(|name| Ok(writeln!(out, "{}", shown[&**name])?))
    })?;
    Ok(Exit::Done)
}

fn stats(args: &IndexStatsArgs) -> anyhow::Result<Exit> {
    let stats = Index::open(&args.index)?.stats();
    results::print(|out| {
        match args.format {
            IndexFormat::Table => print_stats(&stats, out)?,
            IndexFormat::Json => writeln!(out, "{}", serde_json::to_string(&stats)?)?,
        }
        Ok(())
    })?;
    Ok(Exit::Done)
}

fn print_stats(stats: &Stats, out: &mut impl Write) -> std::io::Result<()> {
    let rows = [
        ("generation", stats.generation.to_string()),
        ("documents", stats.documents.to_string()),
        ("removed, still on the disk", stats.removed.to_string()),
        ("segments", stats.segments.to_string()),
        ("fingerprints", stats.fingerprints.to_string()),
        ("postings", stats.postings.to_string()),
        ("bytes of text", stats.text_bytes.to_string()),
        ("bytes of fingerprints on disk", stats.fingerprint_file_bytes.to_string()),
        ("bytes of texts on disk", stats.text_file_bytes.to_string()),
    ];
    for (name, value) in rows {
        writeln!(out, "{name:30} {value:>14}")?;
    }
    stats.schemes.iter().try_for_each(|scheme| writeln!(out, "scheme: {}", printable(scheme)))
}

fn verify(args: &IndexVerifyArgs) -> anyhow::Result<Exit> {
    let index = Index::open(&args.index)?;
    let bar = Bar::new(args.quiet);
    index.verify(&bar)?;
    bar.finish();
    if !args.quiet {
        let n = counted(index.n_documents(), "document", "documents");
        writeln!(words(), "{n} of generation {}: all as they were written", index.generation())?;
    }
    Ok(Exit::Done)
}

fn remove(args: &IndexRemoveArgs) -> anyhow::Result<Exit> {
    let bar = Bar::new(args.quiet);
    let names = names(&args.names);
    let n_removed = index::remove(&args.index, &names, args.merge, wait(args.wait), &bar)?;
    bar.finish();
    if !args.quiet {
        let n = counted(n_removed, "document", "documents");
        let until = if args.merge {
            ""
        } else {
            "; the texts stay on the disk until `fanmill index merge`"
        };
        writeln!(words(), "{n} removed{until}")?;
    }
    Ok(Exit::Done)
}

fn merge(args: &IndexMergeArgs) -> anyhow::Result<Exit> {
    let bar = Bar::new(args.quiet);
    let stats = index::merge(&args.index, wait(args.wait), &bar)?;
    bar.finish();
    if !args.quiet {
        let n = counted(stats.documents, "document", "documents");
        writeln!(words(), "{n} in {}", counted(stats.segments, "segment", "segments"))?;
    }
    Ok(Exit::Done)
}

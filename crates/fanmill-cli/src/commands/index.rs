//! `fanmill index`: earlier work, kept to be searched.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use fanmill_jobs::index::{self, Index, Inputs, Keep, Outcome, Settings, Stats, Wait, Watch};
use fanmill_report::printable;
use fanmill_text::Error;
use fanmill_text::counted::counted;
use fanmill_text::document::{Notice, Publication};
use fanmill_text::readable::readable;
use serde::Serialize;

use crate::args::{
    IndexAddArgs, IndexArgs, IndexChangeArgs, IndexCommand, IndexExportArgs, IndexFormat,
    IndexReadArgs, IndexRemoveArgs, IndexShowArgs, IndexWatchArgs, IndexWorkArgs, NoticesArgs,
};
use crate::exit::Exit;
use crate::progress::Bar;
use crate::words::words;
use crate::{layers, results, screen, terminal, threads};

/// The way out where an addition takes too much memory.
const FEWER: &str = "add shorter documents, or records instead of folders";

pub(crate) fn run(args: &IndexArgs) -> anyhow::Result<Exit> {
    match &args.command {
        IndexCommand::Add(args) => add(args),
        IndexCommand::List(args) => list(args),
        IndexCommand::Stats(args) => stats(args),
        IndexCommand::Verify(args) => verify(args),
        IndexCommand::Remove(args) => remove(args),
        IndexCommand::Export(args) => export(args),
        IndexCommand::Upgrade(args) => upgrade(args),
        IndexCommand::Watch(args) => watch(args),
        IndexCommand::Merge(args) => merge(args),
    }
}

fn add(args: &IndexAddArgs) -> anyhow::Result<Exit> {
    let (mut settings, mut inputs): (Settings, Inputs) =
        layers::filled(&args.config, "index", args)?;
    layers::replace(&mut inputs.paths, &args.paths);
    layers::replace_one(&mut settings.key, args.key.as_ref());
    args.reading.documents.add_paths(&mut inputs.documents);
    let threads;
    (threads, inputs.memory) = threads::within(&args.reading.limits.machine, FEWER)?;
    let bar = Bar::new(args.reading.quiet);
    let wait = wait(args.wait);
    let outcome = threads.install(|| index::add(&settings, &args.index, &inputs, wait, &bar))?;
    bar.finish();
    let written = terminal::write_notices(&args.reading.notices, &outcome.notices);
    print_outcome(&outcome, args.reading.quiet, Some(&args.reading.notices))?;
    written?;
    Ok(ending(&outcome.notices, &args.reading))
}

/// Prints what was done, unless it is to be quiet; `args` as for [`terminal::notices`].
fn print_outcome(
    outcome: &Outcome,
    is_quiet: bool,
    args: Option<&NoticesArgs>,
) -> std::io::Result<()> {
    if is_quiet {
        return Ok(());
    }
    terminal::notices(&outcome.notices, args, &mut words())?;
    let (added, stats) = (&outcome.added, &outcome.stats);
    writeln!(
        words(),
        "{} added, {} replaced, {} already there; the index now holds {}",
        counted(added.added, "document", "documents"),
        added.replaced,
        added.unchanged,
        counted(stats.documents, "document", "documents"),
    )
}

/// Watches a folder until the process is asked to end, and then tidies up.
fn watch(args: &IndexWatchArgs) -> anyhow::Result<Exit> {
    let (mut settings, mut inputs): (Settings, Inputs) =
        layers::filled(&args.config, "index", args)?;
    layers::replace_one(&mut settings.key, args.key.as_ref());
    args.documents.add_paths(&mut inputs.documents);
    let mut wanted = Watch::new(&args.folder);
    wanted.rest = Duration::from_millis(args.rest);
    let threads;
    (threads, inputs.memory) = threads::within(&args.limits.machine, FEWER)?;
    let bar = Bar::new(true);
    let mut take = |outcome: Outcome| {
        let is_news =
            outcome.added.added + outcome.added.replaced > 0 || !outcome.notices.is_empty();
        let printed = print_outcome(&outcome, args.quiet || !is_news, None);
        printed.map_err(|error| Error::system("could not write", error))
    };
    threads.install(|| index::watch(&settings, &args.index, &wanted, &inputs, &mut take, &bar))?;
    Ok(Exit::Done)
}

/// Converts the flag `--wait`.
pub(super) fn wait(is_wanted: bool) -> Wait {
    if is_wanted { Wait::Yes } else { Wait::No }
}

/// Returns the names that documents have in the index. Names may be given as the index has them or as they are printed.
/// Names without a document are returned as they are.
pub(super) fn names(index: &Path, given: &[OsString]) -> anyhow::Result<Vec<String>> {
    // Names that are not UTF-8 were made readable in the index, too.
    let mut names: Vec<String> = given.iter().map(|name| readable(name).into_owned()).collect();
    if names.is_empty() {
        return Ok(names);
    }
    let index = Index::open(index)?;
    // Names that the index does not have, with their positions: documents with control characters are printed
    // otherwise.
    let mut missing = BTreeMap::new();
    for (i, name) in names.iter().enumerate() {
        if index.record(name)?.is_none() {
            missing.insert(name.clone(), i);
        }
    }
    if missing.is_empty() {
        return Ok(names);
    }
    let mut is_found = BTreeSet::new();
    for record in index.documents() {
        let name = record?.name;
        let Some(&i) = missing.get(&*printable(&name)) else { continue };
        if !is_found.insert(i) {
            anyhow::bail!(Error::setting(format!(
                "several documents are printed as `{}`; give the name as `fanmill index list --format json` has it",
                printable(&name)
            )));
        }
        names[i] = name;
    }
    Ok(names)
}

/// Returns the exit status after everything readable was read.
pub(super) fn ending(notices: &[Notice], reading: &IndexReadArgs) -> Exit {
    if reading.strict && !index::is_whole(notices) { Exit::Incomplete } else { Exit::Done }
}

fn list(args: &IndexShowArgs) -> anyhow::Result<Exit> {
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
        let names: Vec<String> = names.collect::<fanmill_text::Result<_>>()?;
        let shown = room.names(names.iter().map(String::as_str));
        names.iter().try_for_each(|name| Ok(writeln!(out, "{}", shown[&**name])?))
    })?;
    Ok(Exit::Done)
}

fn stats(args: &IndexShowArgs) -> anyhow::Result<Exit> {
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
    if stats.keep == Keep::Fingerprints {
        writeln!(out, "keeps no texts")?;
    }
    let schemes = stats.schemes.iter().map(|scheme| ("scheme", scheme));
    let keys = stats.keys.iter().map(|scheme| ("keys", scheme));
    let mut all = schemes.chain(keys).chain(stats.key.iter().map(|id| ("made with key", id)));
    all.try_for_each(|(what, scheme)| writeln!(out, "{what}: {}", printable(scheme)))
}

fn verify(args: &IndexWorkArgs) -> anyhow::Result<Exit> {
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
    let IndexChangeArgs { work, wait: is_waiting } = &args.change;
    let bar = Bar::new(work.quiet);
    let names = names(&work.index, &args.names)?;
    let n_removed = index::remove(&work.index, &names, args.merge, wait(*is_waiting), &bar)?;
    bar.finish();
    if !work.quiet {
        let n = counted(n_removed, "document", "documents");
        let until = match (args.merge, Index::open(&work.index)?.keep()) {
            (true, _) => "",
            (false, Keep::Everything) => "; the texts stay on the disk until `fanmill index merge`",
            (false, Keep::Fingerprints) => {
                "; the fingerprints stay on the disk until `fanmill index merge`"
            }
        };
        writeln!(words(), "{n} removed{until}")?;
    }
    Ok(Exit::Done)
}

/// A file of a document, as `docs/index-command.md` describes it.
#[derive(Serialize)]
struct FileLine<'a> {
    id: &'a str,
    author: Option<&'a str>,
    label: Option<&'a str>,
    submitted: Option<&'a str>,
    #[serde(flatten)]
    publication: &'a Publication,
    path: &'a str,
    text: &'a str,
    /// True if bytes that are not UTF-8 were replaced by U+FFFD.
    replaced: bool,
}

fn export(args: &IndexExportArgs) -> anyhow::Result<Exit> {
    let index = Index::open(&args.index)?;
    results::print(|out| {
        for document in index.submissions() {
            let document = document?;
            for file in &document.documents {
                let text = String::from_utf8_lossy(&file.bytes);
                let line = FileLine {
                    id: &document.name,
                    author: document.author.as_deref(),
                    label: document.label.as_deref(),
                    submitted: document.submitted.as_deref(),
                    publication: &document.publication,
                    path: &file.path,
                    text: &text,
                    replaced: matches!(text, Cow::Owned(_)),
                };
                serde_json::to_writer(&mut *out, &line)?;
                writeln!(out)?;
            }
        }
        Ok(())
    })?;
    Ok(Exit::Done)
}

fn upgrade(args: &IndexChangeArgs) -> anyhow::Result<Exit> {
    let bar = Bar::new(args.work.quiet);
    let n_documents = index::upgrade(&args.work.index, wait(args.wait), &bar)?;
    bar.finish();
    if !args.work.quiet {
        let n = counted(n_documents, "document", "documents");
        writeln!(words(), "{n} read again; all are now as this release reads them")?;
    }
    Ok(Exit::Done)
}

fn merge(args: &IndexChangeArgs) -> anyhow::Result<Exit> {
    let bar = Bar::new(args.work.quiet);
    let stats = index::merge(&args.work.index, wait(args.wait), &bar)?;
    bar.finish();
    if !args.work.quiet {
        let n = counted(stats.documents, "document", "documents");
        writeln!(words(), "{n} in {}", counted(stats.segments, "segment", "segments"))?;
    }
    Ok(Exit::Done)
}

//! `fanmill dedup`: from the command line to a corpus without its duplicates.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use fanmill_corpus::dedup::{
    AddressCounts, Mode, Outcome, ReferenceCounts, ReferenceSummary, RunFigures, Summary,
};
use fanmill_corpus::job::{CaseClashes, Places, RunEnd, bookkeeping_of};
use fanmill_corpus::{decontaminate, passages, runs};
use fanmill_disk::replace::Disk;
use fanmill_jobs::dedup::{self, Settings};
use fanmill_records::account::{Inputs, Notice};
use fanmill_records::format::Sample;
use fanmill_report::fit::{self, LineWidth};
use fanmill_report::printable;
use fanmill_text::Error;
use fanmill_text::counted::{counted, plural};
use fanmill_text::document::{Notice as InputNotice, Outcome as InputOutcome};
use fanmill_text::readable::readable;
use serde::Serialize;

use crate::args::{DedupArgs, SummaryFormat};
use crate::exit::Exit;
use crate::progress::Bar;
use crate::results::{self, Results};
use crate::words::words;
use crate::{flags, layers, screen, terminal, threads};

/// The heading of two columns of names: the document of a cluster that is kept, and the duplicate that is least similar
/// to it.
const HEAD_OF_NAMES: &str = "KEPT · LEAST SIMILAR DUPLICATE";

/// Maximum number of notices of one kind that are shown; the summary has more.
const SHOWN: usize = 5;

/// A run that has ended.
struct Ran<'a> {
    args: &'a DedupArgs,
    mode: Mode,
    n_failed: u64,
}

pub(crate) fn run(args: &DedupArgs) -> anyhow::Result<Exit> {
    let (settings, inputs) = settings(args)?;
    // The curve depends on the settings alone, so nothing is read.
    if args.search.curve {
        let filter = dedup::filter(&settings)?;
        results::print(|out| Ok(write!(out, "{}", filter.curve())?))?;
        return Ok(Exit::Done);
    }
    terminal::check_notices_file(&args.notices)?;
    let pool = threads::pool(args.resources.threads)?;
    let places = Places {
        output: args.output.clone(),
        temp: args.resources.temp.clone(),
        disk: Disk::default(),
        clashes: if args.allow_case_clashes { CaseClashes::Allowed } else { CaseClashes::Refused },
    };
    if settings.limit.is_some() && !args.quiet && args.format == SummaryFormat::Table {
        print_samples(&settings, &inputs)?;
    }
    let bar = Bar::new(args.quiet);
    let ended = pool.install(|| dedup::run(&settings, &inputs, &places, &bar))?;
    bar.finish();
    let n_failed = match &ended {
        RunEnd::Now(outcome) => outcome.inputs().failed,
        RunEnd::Before => 0,
    };
    let written = match &ended {
        RunEnd::Now(outcome) => terminal::write_notices(&args.notices, &all_notices(outcome)),
        RunEnd::Before => Ok(()),
    };
    if args.quiet || args.format == SummaryFormat::Json {
        say_failed(args, n_failed)?;
    }
    let run = Ran { args, mode: settings.mode, n_failed };
    match ended {
        RunEnd::Now(dedup::Outcome::Documents(outcome)) => {
            print(&run, &outcome.summary, |out| table(&outcome, out))?;
        }
        #[cfg(feature = "index")]
        RunEnd::Now(dedup::Outcome::Seen(outcome, seen)) => {
            let summary = WithIndex { summary: &outcome.summary, index: seen };
            print(&run, &summary, |out| {
                table(&outcome, out)?;
                line(&said_of_index(&seen), screen::of_results(), out)
            })?;
        }
        RunEnd::Now(dedup::Outcome::Passages(summary)) => {
            print(&run, &*summary, |out| passage_table(&summary, out))?;
        }
        RunEnd::Now(dedup::Outcome::Runs(summary)) => {
            print(&run, &*summary, |out| run_table(&summary, out))?;
        }
        RunEnd::Now(dedup::Outcome::Contamination(summary)) => {
            print(&run, &*summary, |out| contamination_table(&summary, out))?;
        }
        RunEnd::Before => print_before(args)?,
    }
    written?;
    Ok(Exit::Done)
}

/// Returns the notices on a corpus, and then those on what it was compared with. Of a kind with more than are kept, the
/// last one counts the others.
fn all_notices(outcome: &dedup::Outcome) -> Vec<InputNotice> {
    match outcome {
        dedup::Outcome::Documents(outcome) => of_documents(&outcome.summary),
        #[cfg(feature = "index")]
        dedup::Outcome::Seen(outcome, _) => of_documents(&outcome.summary),
        dedup::Outcome::Passages(summary) => {
            listed(&summary.inputs, [&summary.degraded, &summary.skipped, &summary.bad_records])
        }
        dedup::Outcome::Runs(summary) => {
            listed(&summary.inputs, [&summary.degraded, &summary.skipped, &summary.bad_records])
        }
        dedup::Outcome::Contamination(summary) => {
            let own = [&summary.degraded, &summary.skipped, &summary.bad_records];
            let items = &summary.items;
            let of_items = [&items.degraded, &items.skipped, &items.bad_records];
            [listed(&summary.inputs, own), listed(&items.inputs, of_items)].concat()
        }
    }
}

fn of_documents(summary: &Summary) -> Vec<InputNotice> {
    let own = [&summary.degraded, &summary.skipped, &summary.bad_records];
    let mut all = listed(&summary.inputs, own);
    if let Some(reference) = &summary.reference {
        let others = [&reference.degraded, &reference.skipped, &reference.bad_records];
        all.extend(listed(&reference.inputs, others));
    }
    all
}

/// Returns notices on what was degraded, skipped and failed, in the form of other commands.
fn listed(inputs: &Inputs, kinds: [&Vec<Notice>; 3]) -> Vec<InputNotice> {
    let counts = [inputs.degraded, inputs.skipped, inputs.failed];
    let outcomes = [InputOutcome::Degraded, InputOutcome::Skipped, InputOutcome::Failed];
    let mut all = Vec::new();
    for ((notices, n), outcome) in kinds.into_iter().zip(counts).zip(outcomes) {
        let said = notices.iter().map(|notice| (place(notice), notice.reason.clone()));
        let n_more = n.saturating_sub(notices.len() as u64);
        let more = (n_more > 0).then(|| (String::new(), format!("and {n_more} more").into()));
        let notice = |(path, reason)| InputNotice {
            submission: String::new(),
            ..InputNotice::about_input(path, outcome, reason)
        };
        all.extend(said.chain(more).map(notice));
    }
    all
}

/// Names the place of a notice: `a.jsonl, record 3, byte 120`.
fn place(notice: &Notice) -> String {
    let record = notice.record.map(|record| format!(", record {record}"));
    let offset = notice.offset.map(|offset| format!(", byte {offset}"));
    format!("{}{}{}", notice.place, record.unwrap_or_default(), offset.unwrap_or_default())
}

/// Prints how the first files are read, and how their first texts begin.
fn print_samples(settings: &Settings, inputs: &dedup::Inputs) -> anyhow::Result<()> {
    let (samples, n_shards) = dedup::samples(settings, inputs)?;
    let room = screen::of_results();
    results::print(|out| {
        for Sample { shard, format, text_field, texts } in &samples {
            let field = text_field.as_ref().map(|field| format!(", text in `{field}`"));
            let said = format!("{shard}: {format}{}", field.unwrap_or_default());
            line(&printable(&said), room, out)?;
            for text in texts {
                writeln!(out, "  {}", room.beside(2).cut(&printable(text)))?;
            }
        }
        if n_shards > samples.len() {
            writeln!(out, "… and {} more", n_shards - samples.len())?;
        }
        Ok(writeln!(out)?)
    })
}

/// Writes the number of records that failed to the standard error, if any did: a program may be all that reads the rest.
fn say_failed(args: &DedupArgs, n: u64) -> io::Result<()> {
    if n == 0 {
        return Ok(());
    }
    let failed = counted(n, "record failed and was", "records failed and were");
    writeln!(words(), "{failed} not compared{}", places_of_failed(args))
}

/// Names the place of the records that failed, if there is one.
fn places_of_failed(args: &DedupArgs) -> String {
    let beside = args.output.as_deref().and_then(|output| bookkeeping_of(output).ok());
    let shown = |beside: PathBuf| {
        let folder = beside.join("failed");
        let place = if folder.is_dir() { folder } else { beside.join("failed.parquet") };
        format!(": see `{}`", printable(&readable(place.as_os_str())))
    };
    beside.map(shown).unwrap_or_default()
}

fn settings(args: &DedupArgs) -> anyhow::Result<(Settings, dedup::Inputs)> {
    let (mut settings, mut inputs): (Settings, dedup::Inputs) =
        layers::filled(&args.config, "dedup", args)?;
    args.documents.add_paths(&mut settings.documents);
    layers::replace(&mut inputs.paths, &args.paths);
    layers::replace(&mut inputs.against, &args.reference.against);
    layers::replace(&mut inputs.decontaminate, &args.reference.decontaminate);
    #[cfg(feature = "index")]
    layers::replace_one(&mut inputs.index, args.reference.index.as_ref());
    Ok((settings, inputs))
}

/// Reports that an earlier run of the same command did everything, but was killed while it cleaned up.
fn print_before(args: &DedupArgs) -> anyhow::Result<()> {
    let output = args.output.clone().unwrap_or_default();
    match args.format {
        SummaryFormat::Json => {
            let path = bookkeeping_of(&output)?.join("summary.json");
            let summary = fs::read(&path).map_err(|error| Error::io("read", &path, error))?;
            results::print(|out| Ok(out.write_all(&summary)?))
        }
        SummaryFormat::Table if !args.quiet => {
            let shown = readable(output.as_os_str());
            results::print(|out| {
                let words = "already done by an earlier run of this command";
                Ok(writeln!(out, "{words}: {}", printable(&shown))?)
            })
        }
        SummaryFormat::Table => Ok(()),
    }
}

fn print(
    run: &Ran<'_>,
    summary: &impl Serialize,
    table: impl FnOnce(&mut Results) -> io::Result<()>,
) -> anyhow::Result<()> {
    results::print(|out| {
        match run.args.format {
            SummaryFormat::Json => {
                serde_json::to_writer_pretty(&mut *out, summary)?;
                writeln!(out)?;
            }
            SummaryFormat::Table if !run.args.quiet => {
                table(out)?;
                written(run, out)?;
            }
            SummaryFormat::Table => {}
        }
        Ok(())
    })
}

/// Writes the places of what was written.
fn written(run: &Ran<'_>, out: &mut impl Write) -> io::Result<()> {
    let Some(output) = &run.args.output else { return Ok(()) };
    let name = |path: &Path| printable(&readable(path.as_os_str())).into_owned();
    let beside = bookkeeping_of(output).unwrap_or_default();
    let corpus = if run.mode == Mode::Report {
        String::new()
    } else {
        format!("the corpus in {}, ", name(output))
    };
    // Files that are one record each stay where they are.
    let failed = match run.n_failed {
        0 => "",
        _ if beside.join("failed").is_dir() => ", records that failed in its folder `failed`",
        _ => ", the reasons why files failed in its `failed.parquet`",
    };
    let beside = name(&beside);
    writeln!(out, "written: {corpus}tables and summary in {beside}{failed}")
}

/// Writes the counts, the largest clusters, and what was skipped.
fn table(outcome: &Outcome, out: &mut impl Write) -> io::Result<()> {
    let room = screen::of_results();
    let summary = &outcome.summary;
    let counts = &summary.counts;
    if !outcome.largest.is_empty() {
        let clusters = outcome.largest.iter().map(|cluster| {
            let names = [&cluster.kept, &cluster.farthest].map(|name| printable(name).into_owned());
            let numbers = [
                format!("{:>5}", cluster.size),
                cluster.smallest.map_or_else(|| "    –".to_owned(), |n| format!("{n:.3}")),
                cluster.mean.map_or_else(|| "   –".to_owned(), |n| format!("{n:.2}")),
            ];
            let ([kept, farthest], [size, least, mean]) = (names, numbers);
            [size, least, mean, kept, farthest]
        });
        let mut rows: Vec<[String; 5]> = clusters.collect();
        fit::shrink(&mut rows, &[3, 4], room);
        // The last heading is above two columns of names.
        let heads =
            fit::lay_out(&[[" SIZE", "LEAST", "MEAN", HEAD_OF_NAMES].map(str::to_owned)], &[3]);
        for line in heads.into_iter().chain(fit::lay_out(&rows, &[3, 4])) {
            writeln!(out, "{line}")?;
        }
        writeln!(out)?;
    }
    let said = format!(
        "{}, {:.1} MB of text: {} {}, {} {} ({} of them {}) in {}",
        counted(counts.documents, "document", "documents"),
        counts.text_bytes as f64 / 1e6,
        counts.kept,
        plural(counts.kept, "stays", "stay"),
        counts.duplicates,
        plural(counts.duplicates, "is a duplicate", "are duplicates"),
        counts.copies,
        plural(counts.copies, "a copy", "copies"),
        counted(counts.clusters, "cluster", "clusters")
    );
    line(&said, room, out)?;
    if let Some(addresses) = &summary.addresses {
        line(&said_of_addresses(addresses), room, out)?;
    }
    if let Some(reference) = &summary.reference {
        line(&said_of_reference(&reference.counts), room, out)?;
    }
    line(&format!("promise: {}", flags::said(&summary.promise)), room, out)?;
    notices(summary, room, out)?;
    let Some(ReferenceSummary { inputs, degraded, skipped, bad_records, .. }) = &summary.reference
    else {
        return Ok(());
    };
    if inputs.seen != inputs.compared {
        writeln!(out, "of the reference:")?;
    }
    account(inputs, degraded, skipped, bad_records, room, out)
}

/// A summary, with the part of the index.
#[cfg(feature = "index")]
#[derive(Serialize)]
struct WithIndex<'a> {
    #[serde(flatten)]
    summary: &'a Summary,
    index: dedup::IndexUse,
}

#[cfg(feature = "index")]
fn said_of_index(seen: &dedup::IndexUse) -> String {
    format!(
        "index: {} added, {} now (generation {}); {} of the earlier ones had a key in common with the corpus",
        counted(seen.added, "document", "documents"),
        seen.documents,
        seen.generation,
        seen.compared
    )
}

/// Describes the documents by their addresses.
fn said_of_addresses(counts: &AddressCounts) -> String {
    let AddressCounts { documents, missing, unusable, removed, with_other_text } = *counts;
    format!(
        "addresses: {} {} one, {missing} {} none, {unusable} something else; {removed} {} for another one of the same \
         address, {with_other_text} of them with another text",
        counted(documents, "document", "documents"),
        plural(documents, "has", "have"),
        plural(missing, "has", "have"),
        plural(removed, "goes", "go"),
    )
}

/// Describes the reference and its duplicates in the corpus.
fn said_of_reference(counts: &ReferenceCounts) -> String {
    format!(
        "reference: {}, {:.1} MB of text: {} {} duplicates in the corpus, {} in all",
        counted(counts.documents, "document", "documents"),
        counts.text_bytes as f64 / 1e6,
        counts.hit,
        plural(counts.hit, "has", "have"),
        counts.duplicates
    )
}

/// Writes a text on one line, or on several to fit a screen.
fn line(text: &str, room: LineWidth, out: &mut impl Write) -> io::Result<()> {
    room.wrap(text, 2).iter().try_for_each(|line| writeln!(out, "{line}"))
}

/// Writes the counts and the most frequent passages.
fn passage_table(summary: &passages::Summary, out: &mut impl Write) -> io::Result<()> {
    let room = screen::of_results();
    let (counts, removed) = (&summary.counts, &summary.counts.removed);
    if !summary.most_repeated.is_empty() {
        writeln!(out, "DOCUMENTS  PASSAGE")?;
        for passage in summary.most_repeated.iter().take(10) {
            let line: String = passage.text.split_whitespace().collect::<Vec<_>>().join(" ");
            let line: String = line.chars().take(room.beside(11).at_most(80)).collect();
            writeln!(out, "{:>9}  {}", passage.documents, room.beside(11).cut(&printable(&line)))?;
        }
        writeln!(out)?;
    }
    let said = format!(
        "{}, {:.1} MB of text: {} of {} removed ({:.1} MB) from {}, {} of which had nothing else",
        counted(counts.documents, "document", "documents"),
        counts.text_bytes as f64 / 1e6,
        removed.passages,
        counted(counts.passages, "passage", "passages"),
        removed.bytes as f64 / 1e6,
        counted(removed.documents, "document", "documents"),
        removed.emptied
    );
    line(&said, room, out)?;
    line(&format!("promise: {}", summary.promise), room, out)?;
    dropped(&summary.run, room, out)?;
    let bad = &summary.bad_records;
    account(&summary.inputs, &summary.degraded, &summary.skipped, bad, room, out)
}

/// Writes the counts of repeated runs.
fn run_table(summary: &runs::Summary, out: &mut impl Write) -> io::Result<()> {
    let room = screen::of_results();
    let (counts, removed) = (&summary.counts, &summary.counts.removed);
    let said = format!(
        "{}, {:.1} MB of text: {} of {} {} ({:.1} MB) in {} {} from {}",
        counted(counts.documents, "document", "documents"),
        counts.text_bytes as f64 / 1e6,
        removed.words,
        counted(counts.words, "word", "words"),
        plural(removed.words, "occurs earlier", "occur earlier"),
        removed.bytes as f64 / 1e6,
        counted(removed.runs, "run", "runs"),
        summary.action(),
        counted(removed.documents, "document", "documents"),
    );
    line(&said, room, out)?;
    if removed.emptied + removed.short > 0 {
        let said = format!(
            "documents that go: {} without a word left, {} with too few words left",
            removed.emptied, removed.short
        );
        line(&said, room, out)?;
    }
    if removed.exhausted > 0 {
        let documents = counted(removed.exhausted, "document was", "documents were");
        let said = format!(
            "exhausted: {documents} still cut in the last of {} rounds, and goes whole",
            counts.rounds
        );
        line(&said, room, out)?;
    }
    line(&format!("promise: {}", summary.promise), room, out)?;
    dropped(&summary.run, room, out)?;
    let bad = &summary.bad_records;
    account(&summary.inputs, &summary.degraded, &summary.skipped, bad, room, out)
}

/// Writes the counts, and the items that the most documents share a run with.
fn contamination_table(summary: &decontaminate::Summary, out: &mut impl Write) -> io::Result<()> {
    let room = screen::of_results();
    let (counts, items) = (&summary.counts, &summary.items);
    if !summary.most_shared.is_empty() {
        let rows = summary.most_shared.iter().take(10).map(|item| {
            let text = item.text.split_whitespace().collect::<Vec<_>>().join(" ");
            let text: String = text.chars().take(80).collect();
            let numbers = [
                format!("{:>9}", item.documents),
                format!("{:>4} of {}", item.longest, item.words),
            ];
            let [documents, longest] = numbers;
            [documents, longest, printable(&item.id).into_owned(), printable(&text).into_owned()]
        });
        let mut rows: Vec<[String; 4]> = rows.collect();
        // The headings are laid out like a row, so that the columns fit them, too.
        rows.insert(0, ["DOCUMENTS", "LONGEST", "ITEM", "ITS TEXT"].map(str::to_owned));
        fit::shrink(&mut rows, &[2, 3], room);
        for line in fit::lay_out(&rows, &[2, 3]) {
            writeln!(out, "{line}")?;
        }
        writeln!(out)?;
    }
    let said = format!(
        "{}, {:.1} MB of text: {} {}, {} {} a run with {} of {}",
        counted(counts.documents, "document", "documents"),
        counts.text_bytes as f64 / 1e6,
        counts.kept,
        plural(counts.kept, "stays", "stay"),
        counts.contaminated,
        plural(counts.contaminated, "shares", "share"),
        items.counts.hit,
        counted(items.counts.items, "item", "items")
    );
    line(&said, room, out)?;
    if items.counts.common_runs > 0 {
        let said = format!(
            "ignored: {} of {} of the items, as more documents have them than --max-documents; {} no other run",
            items.counts.common_runs,
            counted(items.counts.runs, "run", "runs"),
            counted(items.counts.common_items, "item has", "items have"),
        );
        line(&said, room, out)?;
    }
    line(&format!("promise: {}", summary.promise), room, out)?;
    dropped(&summary.run, room, out)?;
    let bad = &summary.bad_records;
    account(&summary.inputs, &summary.degraded, &summary.skipped, bad, room, out)?;
    if items.inputs.seen != items.inputs.compared {
        writeln!(out, "of the test sets:")?;
    }
    account(&items.inputs, &items.degraded, &items.skipped, &items.bad_records, room, out)
}

/// Reports if the work of an earlier run could not be used.
fn dropped(run: &RunFigures, room: LineWidth, out: &mut impl Write) -> io::Result<()> {
    if run.dropped_earlier {
        let words =
            "what an interrupted run had read, because its inputs or settings were different";
        line(&format!("dropped: {words}"), room, out)?;
    }
    Ok(())
}

fn notices(summary: &Summary, room: LineWidth, out: &mut impl Write) -> io::Result<()> {
    // One family of documents may share many keys: name each example once, with its largest group.
    let mut named = BTreeSet::new();
    let large = summary.common_keys.iter().filter(|group| named.insert(group.example.as_str()));
    for group in large.take(SHOWN) {
        let documents = counted(group.documents, "document has", "documents have");
        let example = printable(&group.example);
        line(&format!("large: {documents} a key in common, such as {example}"), room, out)?;
    }
    if summary.run.resumed_records > 0 {
        let records = counted(summary.run.resumed_records, "record was", "records were");
        writeln!(out, "resumed: {records} read before")?;
    }
    dropped(&summary.run, room, out)?;
    let bad = &summary.bad_records;
    account(&summary.inputs, &summary.degraded, &summary.skipped, bad, room, out)
}

/// Writes the counts of all inputs, unless all were compared in full, and the first of those that were not.
fn account(
    inputs: &Inputs,
    degraded: &[Notice],
    left_out: &[Notice],
    bad: &[Notice],
    room: LineWidth,
    out: &mut impl Write,
) -> io::Result<()> {
    let Inputs { seen, compared, degraded: n_degraded, skipped: n_left_out, failed } = *inputs;
    if seen == compared {
        return Ok(());
    }
    writeln!(
        out,
        "seen: {seen} = {compared} compared + {n_degraded} degraded + {n_left_out} skipped + {failed} failed"
    )?;
    let records = counted(failed, "record", "records");
    for (what, n, notices) in [
        (format!("degraded: compared without what is lost: {n_degraded}"), n_degraded, degraded),
        (format!("skipped: not compared: {n_left_out}"), n_left_out, left_out),
        (format!("failed: {records} could not be read"), failed, bad),
    ] {
        // Counts are of all notices, although only the first few are listed.
        if n == 0 {
            continue;
        }
        writeln!(out, "{what}")?;
        for notice in notices.iter().take(SHOWN) {
            let (place, said) = (place(notice), flags::said(&notice.reason));
            line(&format!("  {}: {}", printable(&place), printable(&said)), room, out)?;
        }
    }
    Ok(())
}

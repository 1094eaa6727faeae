//! `fanmill dedup`: from the command line to a corpus without its duplicates.

mod idle;

use std::fs;
use std::io::{self, Write};

use fanmill::Error;
use fanmill::counted::{counted, plural};
use fanmill::lsh::verify::Threshold;
use fanmill::sketch::Sketch;
use fanmill_corpus::account::{Inputs, Notice};
use fanmill_corpus::dedup::{
    self, CaseClashes, DEFAULT_RECALL, Ended, Keep, Linkage, Measure, Mode, Outcome, Places,
    RunFigures, Search, Settings, Summary,
};
use fanmill_corpus::format::Options;
use fanmill_corpus::passages::{self, Unit};
use fanmill_report::fit::{self, Room};
use fanmill_report::printable;
use fanmill_source::replace::Disk;
use serde::Serialize;

use crate::args::{ClusterArg, DedupArgs, ModeArg, SummaryFormat, UnitArg};
use crate::exit::Exit;
use crate::progress::Bar;
use crate::results::{self, Results};
use crate::{screen, size, threads};

/// Over the names of documents: one that stays, and one of its cluster that does not.
const HEAD_OF_NAMES: &str = "STAYS, AND THE LEAST ALIKE OF THE OTHERS";

/// Shorter passages are left alone unless the user says otherwise, in words.
const MIN_WORDS: u32 = 5;
/// What fewer documents have is left alone unless the user says otherwise.
const MIN_DOCUMENTS: u32 = 2;
/// Things of one kind that are shown; the summary has more.
const SHOWN: usize = 5;

pub(crate) fn run(args: &DedupArgs) -> anyhow::Result<Exit> {
    idle::refuse(args)?;
    let settings = settings(args)?;
    if args.search.curve {
        return curve(&settings);
    }
    let pool = threads::pool(args.resources.threads)?;
    let places = Places {
        output: args.output.clone(),
        temp: args.resources.temp.clone(),
        disk: Disk::default(),
        clashes: if args.allow_case_clashes { CaseClashes::Allowed } else { CaseClashes::Refused },
    };
    let options = options(args, &settings)?;
    let bar = Bar::new(args.quiet);
    if let Some(unit) = unit(args) {
        let settings = passages(args, unit, &settings);
        let run = || passages::run(&args.paths, &options, &settings, &places, &bar);
        let ended = pool.install(run)?;
        bar.finish();
        match ended {
            Ended::Now(summary) => print(args, &summary, |out| passage_table(&summary, out))?,
            Ended::Before => print_before(args)?,
        }
    } else {
        let run = || dedup::run(&args.paths, &options, &settings, &places, &bar);
        let ended = pool.install(run)?;
        bar.finish();
        match ended {
            Ended::Now(outcome) => print(args, &outcome.summary, |out| table(&outcome, out))?,
            Ended::Before => print_before(args)?,
        }
    }
    Ok(Exit::Done)
}

/// The parts of documents that are removed, if it is not whole documents.
fn unit(args: &DedupArgs) -> Option<Unit> {
    match args.duplicates.unit {
        UnitArg::Document => None,
        UnitArg::Paragraph => Some(Unit::Paragraph),
        UnitArg::Line => Some(Unit::Line),
    }
}

fn passages(args: &DedupArgs, unit: Unit, settings: &Settings) -> passages::Settings {
    passages::Settings {
        unit,
        min_words: args.duplicates.min_words.unwrap_or(MIN_WORDS),
        min_documents: args.duplicates.min_documents.unwrap_or(MIN_DOCUMENTS),
        mode: settings.mode,
        is_strict: settings.is_strict,
        memory: settings.memory,
    }
}

fn settings(args: &DedupArgs) -> anyhow::Result<Settings> {
    let (duplicates, search) = (&args.duplicates, &args.search);
    let threshold = |flag: &str, text: &str| -> anyhow::Result<Threshold> {
        Ok(Threshold::new(size::score(flag, text)?)?)
    };
    let standard = Settings::standard();
    let measure = match (&duplicates.containment, &duplicates.threshold) {
        (Some(text), _) => Measure::Containment(threshold("--containment", text)?),
        (None, Some(text)) => Measure::Resemblance(threshold("--threshold", text)?),
        (None, None) => standard.measure,
    };
    let search = if search.exact {
        Search::Exact
    } else {
        let (sketch, recall) = (search.sketch.as_deref(), search.recall.as_deref());
        let recall = recall.map_or(Ok(DEFAULT_RECALL), |text| size::score("--recall", text))?;
        Search::Sketches { sketch: sketch.map_or(Ok(Sketch::standard()), str::parse)?, recall }
    };
    Ok(Settings {
        measure,
        search,
        words: duplicates.shingle.unwrap_or(standard.words),
        is_weighted: duplicates.weighted,
        linkage: match duplicates.cluster {
            None => standard.linkage,
            Some(ClusterArg::Centres) => Linkage::Centres,
            Some(ClusterArg::Components) => Linkage::Components,
        },
        keep: duplicates.keep.as_deref().map_or(Ok(standard.keep), str::parse::<Keep>)?,
        mode: match args.mode {
            ModeArg::Remove => Mode::Remove,
            ModeArg::Mark => Mode::Mark,
            ModeArg::Report => Mode::Report,
        },
        has_pairs: args.pairs,
        is_strict: args.records.strict,
        memory: usize::try_from(size::parse("--memory", &args.resources.memory)?)?,
    })
}

fn options(args: &DedupArgs, settings: &Settings) -> anyhow::Result<Options> {
    let records = &args.records;
    Ok(Options {
        text: records.text_field.clone(),
        id: records.id_field.clone(),
        extra: settings.keep.field().map(str::to_owned).into_iter().collect(),
        format: records.input_format.as_deref().map(str::parse).transpose()?,
        record_bytes: usize::try_from(size::parse(
            "--max-record-bytes",
            &records.max_record_bytes,
        )?)?,
        batch_bytes: dedup::batch_bytes(settings.memory),
        page_bytes: dedup::page_bytes(settings.memory),
    })
}

/// Prints which pairs the sketch finds.
fn curve(settings: &Settings) -> anyhow::Result<Exit> {
    let filter = dedup::filter(settings)?;
    results::print(|out| Ok(write!(out, "{}", filter.curve())?))?;
    Ok(Exit::Done)
}

/// Says that the same run had done it all, and was killed while it cleaned up.
fn print_before(args: &DedupArgs) -> anyhow::Result<()> {
    let output = args.output.clone().unwrap_or_default();
    match args.format {
        SummaryFormat::Json => {
            let path = output.join("summary.json");
            let summary = fs::read(&path).map_err(|error| Error::io("read", &path, error))?;
            results::print(|out| Ok(out.write_all(&summary)?))
        }
        SummaryFormat::Table if !args.quiet => {
            let shown = output.to_string_lossy();
            results::print(|out| {
                let words = "already done by an earlier run of this command";
                Ok(writeln!(out, "{words}: {}", printable(&shown))?)
            })
        }
        SummaryFormat::Table => Ok(()),
    }
}

fn print(
    args: &DedupArgs,
    summary: &impl Serialize,
    table: impl FnOnce(&mut Results) -> io::Result<()>,
) -> anyhow::Result<()> {
    results::print(|out| {
        match args.format {
            SummaryFormat::Json => {
                serde_json::to_writer_pretty(&mut *out, summary)?;
                writeln!(out)?;
            }
            SummaryFormat::Table if !args.quiet => {
                table(out)?;
                if let Some(output) = &args.output {
                    writeln!(out, "written: {}", printable(&output.to_string_lossy()))?;
                }
            }
            SummaryFormat::Table => {}
        }
        Ok(())
    })
}

/// Counts, the largest clusters, and what was skipped.
fn table(outcome: &Outcome, out: &mut impl Write) -> io::Result<()> {
    let room = screen::of_results();
    let summary = &outcome.summary;
    let counts = &summary.counts;
    if !outcome.largest.is_empty() {
        let clusters = outcome.largest.iter().map(|cluster| {
            let names = [&cluster.kept, &cluster.farthest].map(|name| printable(name).into_owned());
            let numbers = [
                format!("{:>5}", cluster.size),
                format!("{:.3}", cluster.smallest),
                format!("{:.2}", cluster.mean),
            ];
            let ([kept, farthest], [size, least, mean]) = (names, numbers);
            [size, least, mean, kept, farthest]
        });
        let mut rows: Vec<[String; 5]> = clusters.collect();
        fit::shrink(&mut rows, &[3, 4], room);
        // The last head stands over two columns of names.
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
    line(&format!("promise: {}", summary.promise), room, out)?;
    notices(summary, room, out)
}

/// A line, or as many as a screen needs for it.
fn line(text: &str, room: Room, out: &mut impl Write) -> io::Result<()> {
    room.wrap(text, 2).iter().try_for_each(|line| writeln!(out, "{line}"))
}

/// Counts and the most frequent passages.
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

/// That an earlier run could not be resumed.
fn dropped(run: &RunFigures, room: Room, out: &mut impl Write) -> io::Result<()> {
    if run.dropped_earlier {
        let words = "what an interrupted run had read, as its inputs or settings were others";
        line(&format!("dropped: {words}"), room, out)?;
    }
    Ok(())
}

fn notices(summary: &Summary, room: Room, out: &mut impl Write) -> io::Result<()> {
    for giant in summary.giants.iter().take(SHOWN) {
        let documents = counted(giant.documents, "document has", "documents have");
        let example = printable(&giant.example);
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

/// What became of all that was met, if not all of it was compared whole, and the first of what was not.
fn account(
    inputs: &Inputs,
    degraded: &[Notice],
    left_out: &[Notice],
    bad: &[Notice],
    room: Room,
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
        if n == 0 {
            continue;
        }
        writeln!(out, "{what}")?;
        for notice in notices.iter().take(SHOWN) {
            let record = notice.record.map(|record| format!(", record {record}"));
            let offset = notice.offset.map(|offset| format!(", byte {offset}"));
            let (record, offset) = (record.unwrap_or_default(), offset.unwrap_or_default());
            let (place, reason) = (printable(&notice.place), printable(&notice.reason));
            line(&format!("  {place}{record}{offset}: {reason}"), room, out)?;
        }
    }
    Ok(())
}

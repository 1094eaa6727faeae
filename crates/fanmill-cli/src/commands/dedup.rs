//! `fanmill dedup`: from the command line to a corpus without its duplicates.

mod idle;

use std::io::{self, Write};

use fanmill::lsh::verify::Threshold;
use fanmill::report::printable;
use fanmill::sketch::Sketch;
use fanmill_corpus::dedup::{
    self, BadRecord, DEFAULT_RECALL, Inputs, Keep, Linkage, Measure, Mode, Notice, Outcome, Places,
    Search, Settings, Summary,
};
use fanmill_corpus::format::Options;
use fanmill_corpus::passages::{self, Unit};
use serde::Serialize;

use crate::args::{ClusterArg, DedupArgs, ModeArg, SummaryFormat, UnitArg};
use crate::exit::{Exit, is_broken_pipe};
use crate::progress::Bar;
use crate::{size, threads};

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
    let places = Places { output: args.output.clone(), temp: args.resources.temp.clone() };
    let options = options(args, &settings)?;
    let bar = Bar::new(args.quiet);
    let printed = if let Some(unit) = unit(args) {
        let settings = passages(args, unit, &settings);
        let run = || passages::run(&args.paths, &options, &settings, &places, &bar);
        let summary = pool.install(run)?;
        bar.finish();
        print(args, &summary, |out| passage_table(&summary, out))
    } else {
        let run = || dedup::run(&args.paths, &options, &settings, &places, &bar);
        let outcome = pool.install(run)?;
        bar.finish();
        print(args, &outcome.summary, |out| table(&outcome, out))
    };
    match printed {
        Err(error) if !is_broken_pipe(&error) => Err(error),
        _ => Ok(Exit::Done),
    }
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
    write!(io::stdout().lock(), "{}", filter.curve())?;
    Ok(Exit::Done)
}

fn print(
    args: &DedupArgs,
    summary: &impl Serialize,
    table: impl Fn(&mut io::StdoutLock<'_>) -> io::Result<()>,
) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match args.format {
        SummaryFormat::Json => {
            serde_json::to_writer_pretty(&mut out, summary)?;
            writeln!(out)?;
        }
        SummaryFormat::Table if !args.quiet => {
            table(&mut out)?;
            if let Some(output) = &args.output {
                writeln!(out, "written: {}", printable(&output.to_string_lossy()))?;
            }
        }
        SummaryFormat::Table => {}
    }
    out.flush()?;
    Ok(())
}

/// Counts, the largest clusters, and what was skipped.
fn table(outcome: &Outcome, out: &mut impl Write) -> io::Result<()> {
    let summary = &outcome.summary;
    let counts = &summary.counts;
    if !outcome.largest.is_empty() {
        writeln!(out, " SIZE  LEAST  MEAN  STAYS, AND THE LEAST ALIKE OF THE OTHERS")?;
        for cluster in &outcome.largest {
            writeln!(
                out,
                "{:>5}  {:.3}  {:.2}  {}  {}",
                cluster.size,
                cluster.smallest,
                cluster.mean,
                printable(&cluster.kept),
                printable(&cluster.farthest)
            )?;
        }
        writeln!(out)?;
    }
    writeln!(
        out,
        "{} documents, {:.1} MB of text: {} stay, {} are duplicates ({} of them copies) in {} clusters",
        counts.documents,
        counts.text_bytes as f64 / 1e6,
        counts.kept,
        counts.duplicates,
        counts.copies,
        counts.clusters
    )?;
    writeln!(out, "promise: {}", summary.promise)?;
    notices(summary, out)
}

/// Counts and the most frequent passages.
fn passage_table(summary: &passages::Summary, out: &mut impl Write) -> io::Result<()> {
    let (counts, removed) = (&summary.counts, &summary.counts.removed);
    if !summary.most_repeated.is_empty() {
        writeln!(out, "DOCUMENTS  PASSAGE")?;
        for passage in summary.most_repeated.iter().take(10) {
            let line: String = passage.text.split_whitespace().collect::<Vec<_>>().join(" ");
            let line: String = line.chars().take(80).collect();
            writeln!(out, "{:>9}  {}", passage.documents, printable(&line))?;
        }
        writeln!(out)?;
    }
    writeln!(
        out,
        "{} documents, {:.1} MB of text: {} of {} passages removed ({:.1} MB) from {} documents, {} of \
         which had nothing else",
        counts.documents,
        counts.text_bytes as f64 / 1e6,
        removed.passages,
        counts.passages,
        removed.bytes as f64 / 1e6,
        removed.documents,
        removed.emptied
    )?;
    writeln!(out, "promise: {}", summary.promise)?;
    account(&summary.inputs, &summary.degraded, &summary.skipped, out)?;
    skipped(counts.bad, &summary.bad_records, out)
}

fn notices(summary: &Summary, out: &mut impl Write) -> io::Result<()> {
    for giant in summary.giants.iter().take(SHOWN) {
        writeln!(
            out,
            "large: {} documents have a key in common, such as {}",
            giant.documents,
            printable(&giant.example)
        )?;
    }
    if summary.run.resumed_records > 0 {
        writeln!(out, "resumed: {} records were read before", summary.run.resumed_records)?;
    }
    account(&summary.inputs, &summary.degraded, &summary.skipped, out)?;
    skipped(summary.counts.bad, &summary.bad_records, out)
}

/// What became of all that was met, if not all of it was compared whole, and the first of what was not.
fn account(
    inputs: &Inputs,
    degraded: &[Notice],
    left_out: &[Notice],
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
    for (what, n, notices) in [
        ("degraded: compared without what is lost", n_degraded, degraded),
        ("skipped: not compared", n_left_out, left_out),
    ] {
        if n == 0 {
            continue;
        }
        writeln!(out, "{what}: {n}")?;
        for notice in notices.iter().take(SHOWN) {
            let record = notice.record.map(|record| format!(", record {record}"));
            let offset = notice.offset.map(|offset| format!(", byte {offset}"));
            let (record, offset) = (record.unwrap_or_default(), offset.unwrap_or_default());
            let (place, reason) = (printable(&notice.place), printable(&notice.reason));
            writeln!(out, "  {place}{record}{offset}: {reason}")?;
        }
    }
    Ok(())
}

/// The records that could not be read, and the first of them.
fn skipped(n: u64, records: &[BadRecord], out: &mut impl Write) -> io::Result<()> {
    if n == 0 {
        return Ok(());
    }
    writeln!(out, "failed: {n} records could not be read")?;
    for bad in records.iter().take(SHOWN) {
        let offset = bad.offset.map(|offset| format!(", byte {offset}")).unwrap_or_default();
        let place = printable(&bad.shard);
        writeln!(out, "  {place}, record {}{offset}: {}", bad.record, printable(&bad.reason))?;
    }
    Ok(())
}

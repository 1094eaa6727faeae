//! `fanmill urls`: from records to rules for addresses, and from rules to addresses.

mod table;

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use fanmill::pipeline::Progress;
use fanmill::report::printable;
use fanmill_corpus::format::{Shard, shards, spool_stdin};
use fanmill_corpus::urls::address::normalise;
use fanmill_corpus::urls::read::{Fields, OnBad, read};
use fanmill_corpus::urls::write::{self, Account};
use fanmill_corpus::urls::{Collector, Findings, Limits, Options};

use crate::args::{UrlsArgs, UrlsFormat};
use crate::exit::{Exit, is_broken_pipe};
use crate::progress::Bar;
use crate::terminal::counted;
use crate::{size, threads};

pub(crate) fn run(args: &UrlsArgs) -> anyhow::Result<Exit> {
    if let Some(rules) = &args.apply {
        return apply(rules, args);
    }
    let mut collector = Collector::new(options(args)?)?;
    let fields = fields(args)?;
    let pool = threads::pool(args.threads)?;
    if let Some(dir) = &args.output {
        write::check_folder(dir)?;
    }
    let spool = tempfile::tempdir().context("could not make a folder for temporary files")?;
    let shards = find(args, &fields, spool.path())?;
    let on_bad = if args.records.strict { OnBad::Stop } else { OnBad::Skip };
    let bar = Bar::new(args.results.quiet);
    let (account, findings) = pool.install(|| {
        let account = read(&shards, &fields, on_bad, &mut collector, &bar)?;
        bar.begin("learning", 1);
        Ok::<_, fanmill::Error>((account, collector.learn()?))
    })?;
    bar.finish();

    if let Some(dir) = &args.output {
        write::write_folder(&findings, &account, dir)?;
    }
    match print(args, &findings, &account) {
        Err(error) if !is_broken_pipe(&error) => Err(error),
        _ => Ok(Exit::Done),
    }
}

fn options(args: &UrlsArgs) -> anyhow::Result<Options> {
    let evidence = &args.evidence;
    Ok(Options {
        threshold: size::score("--threshold", &evidence.threshold)?,
        limits: Limits {
            min_support: evidence.min_support,
            max_conflicts: size::score("--max-conflicts", &evidence.max_conflicts)?,
            min_confidence: size::score("--min-confidence", &evidence.min_confidence)?,
        },
        memory: size::parse("--memory", &args.memory)?,
    })
}

fn fields(args: &UrlsArgs) -> anyhow::Result<Fields> {
    let records = &args.records;
    Ok(Fields {
        url: records.url_field.clone(),
        text: records.text_field.clone(),
        sketch: records.sketch_field.clone(),
        format: records.input_format.as_deref().map(str::parse).transpose()?,
    })
}

/// The shards that are given; standard input is put into a file first, to see what it is.
fn find(args: &UrlsArgs, fields: &Fields, spool: &Path) -> anyhow::Result<Vec<Shard>> {
    let options = fields.options();
    Ok(match args.paths.as_slice() {
        [only] if only.as_os_str() == "-" => {
            vec![spool_stdin(spool, io::stdin().lock(), &options)?]
        }
        paths => shards(paths, &options)?,
    })
}

fn print(args: &UrlsArgs, findings: &Findings, account: &Account) -> anyhow::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    match args.results.format {
        UrlsFormat::Table => table::rules(findings, args.results.top, &mut out)?,
        UrlsFormat::Json => write::write_json(findings, account, &mut out)?,
    }
    out.flush()?;
    if args.results.quiet {
        return Ok(());
    }
    let mut words = io::stderr().lock();
    if args.results.format == UrlsFormat::Table {
        writeln!(words)?;
    }
    table::summary(findings, account, &mut words)?;
    if let Some(dir) = &args.output {
        writeln!(words, "rules: {}", printable(&dir.join("rules.jsonl").to_string_lossy()))?;
    }
    Ok(())
}

/// Rewrites addresses, one a line.
fn apply(rules: &Path, args: &UrlsArgs) -> anyhow::Result<Exit> {
    let rewriter = write::read_rules(rules)?;
    let input: Box<dyn BufRead> = match args.paths.as_slice() {
        [] => Box::new(io::stdin().lock()),
        [only] if only.as_os_str() == "-" => Box::new(io::stdin().lock()),
        [only] => {
            let file = File::open(only).map_err(|error| fanmill::Error::io("open", only, error))?;
            Box::new(BufReader::new(file))
        }
        [_, more, ..] => anyhow::bail!(fanmill::Error::setting(format!(
            "--apply reads one file of addresses, and `{}` is a second one; give them one by one, or \
             to standard input",
            more.display()
        ))),
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let mut n_odd = 0_u64;
    for line in input.split(b'\n') {
        let line = line.context("could not read addresses")?;
        let text = std::str::from_utf8(&line).ok().map(str::trim).filter(|text| !text.is_empty());
        match text.map(normalise) {
            Some(Ok(address)) => out.write_all(rewriter.rewrite(&address).as_bytes())?,
            odd => {
                n_odd += u64::from(odd.is_some() || text.is_none() && !line.is_empty());
                out.write_all(&line)?;
            }
        }
        out.write_all(b"\n")?;
    }
    out.flush()?;
    if n_odd > 0 && !args.results.quiet {
        let lines = counted(n_odd, "line is", "lines are");
        writeln!(io::stderr().lock(), "{lines} no address, and left as they were")?;
    }
    Ok(Exit::Done)
}

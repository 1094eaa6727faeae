//! `fanmill urls`: from records to rules for addresses, and from rules to addresses.

mod table;

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use anyhow::Context;
use fanmill::progress::Progress;
use fanmill_corpus::account::Named;
use fanmill_corpus::format::{Purpose, Survey, spool_stdin, survey};
use fanmill_corpus::urls::address::normalise;
use fanmill_corpus::urls::pattern::Rewriter;
use fanmill_corpus::urls::read::{Fields, OnBad, read};
use fanmill_corpus::urls::write::{self, Account};
use fanmill_corpus::urls::{Collector, Findings, Limits, Options};
use fanmill_report::printable;
use fanmill_source::given;
use fanmill_source::replace::{Disk, Workplace};

use crate::args::{UrlsArgs, UrlsFormat};
use crate::exit::Exit;
use crate::progress::Bar;
use crate::words::{say, words};
use crate::{results, screen, size, threads};
use fanmill::counted::counted;

/// No address is longer, so no more of a line is held.
const LONGEST_LINE: u64 = 1 << 20;

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
    // Held until everything is read.
    let mut spool = None;
    let survey = find(args, &fields, &mut spool)?;
    let on_bad = if args.records.strict { OnBad::Stop } else { OnBad::Skip };
    let bar = Bar::new(args.results.quiet);
    let (account, findings) = pool.install(|| {
        let account = read(survey, &fields, on_bad, &mut collector, &bar)?;
        bar.begin("learning", 1);
        Ok::<_, fanmill::Error>((account, collector.learn()?))
    })?;
    bar.finish();
    spool.map_or(Ok(()), Workplace::clear)?;

    if let Some(dir) = &args.output {
        write::write_folder(&findings, &account, dir)?;
    }
    print(args, &findings, &account)?;
    Ok(Exit::Done)
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
fn find(args: &UrlsArgs, fields: &Fields, spool: &mut Option<Workplace>) -> anyhow::Result<Survey> {
    let options = fields.options();
    Ok(match args.paths.as_slice() {
        [only] if only.as_os_str() == "-" => {
            let spool = spool.insert(Workplace::temporary(&Disk::default(), None)?);
            let file = spool.make_file(Path::new("stdin"))?;
            let path = spool.path().join("stdin");
            let shard = spool_stdin(file, &path, io::stdin().lock(), &options)?;
            Survey { shards: vec![shard], left_out: Named::default() }
        }
        paths => survey(paths, &options, Purpose::Read)?,
    })
}

fn print(args: &UrlsArgs, findings: &Findings, account: &Account) -> anyhow::Result<()> {
    results::print(|out| {
        match args.results.format {
            UrlsFormat::Table => {
                table::rules(findings, args.results.top, screen::of_results(), out)?;
            }
            UrlsFormat::Json => write::write_json(findings, account, out)?,
        }
        Ok(())
    })?;
    if args.results.quiet {
        return Ok(());
    }
    let mut words = words();
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
    let mut input: Box<dyn BufRead> = match args.paths.as_slice() {
        [] => Box::new(io::stdin().lock()),
        [only] if only.as_os_str() == "-" => Box::new(io::stdin().lock()),
        [only] => Box::new(BufReader::new(given::open_file("", only)?)),
        [_, more, ..] => anyhow::bail!(fanmill::Error::setting(format!(
            "--apply reads one file of addresses, and `{}` is a second one; give them one by one, or \
             to standard input",
            more.display()
        ))),
    };
    let mut n_odd = 0;
    results::stream(|out| {
        n_odd = rewrite(&mut *input, &rewriter, out)?;
        Ok(())
    })?;
    if n_odd > 0 && !args.results.quiet {
        let lines = counted(
            n_odd,
            "line is no address, and left as it was",
            "lines are no addresses, and left as they were",
        );
        say(format_args!("{lines}"));
    }
    Ok(Exit::Done)
}

/// Rewrites each line that is an address; how many others there are that are not empty.
fn rewrite(
    input: &mut dyn BufRead,
    rewriter: &Rewriter,
    out: &mut impl Write,
) -> anyhow::Result<u64> {
    const COULD_NOT: &str = "could not read addresses";
    let (mut n_odd, mut line) = (0, Vec::new());
    loop {
        line.clear();
        let read = (&mut *input).take(LONGEST_LINE).read_until(b'\n', &mut line);
        let read = read.context(COULD_NOT)?;
        if read == 0 {
            return Ok(n_odd);
        }
        let is_whole = line.ends_with(b"\n") || (read as u64) < LONGEST_LINE;
        let words = line.trim_ascii();
        let address = str::from_utf8(words).ok().filter(|_| is_whole).map(normalise);
        if let Some(Ok(address)) = address.filter(|_| !words.is_empty()) {
            writeln!(out, "{}", rewriter.rewrite(&address))?;
            continue;
        }
        n_odd += u64::from(!words.is_empty());
        out.write_all(line.strip_suffix(b"\n").unwrap_or(&line))?;
        if !is_whole {
            pass_on(input, out).context(COULD_NOT)?;
        }
        out.write_all(b"\n")?;
    }
}

/// Copies the rest of a line, without its end, however long it is.
fn pass_on(input: &mut dyn BufRead, out: &mut impl Write) -> io::Result<()> {
    loop {
        let rest = input.fill_buf()?;
        let end = rest.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(rest.len(), |end| end + 1);
        out.write_all(&rest[..end.unwrap_or(used)])?;
        input.consume(used);
        if end.is_some() || used == 0 {
            return Ok(());
        }
    }
}

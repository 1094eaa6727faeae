//! `fanmill urls`: learns rules from records, and applies rules to URLs.

mod table;

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use fanmill_disk::given;
use fanmill_jobs::urls::{self, Outcome, Records, Settings};
use fanmill_report::printable;
use fanmill_text::counted::counted;
use fanmill_text::progress::Silent;
use fanmill_text::readable::readable;
use fanmill_urls::write;

use crate::args::{UrlsArgs, UrlsFormat};
use crate::exit::Exit;
use crate::progress::Bar;
use crate::results::OutputFailure;
use crate::words::{say, words};
use crate::{layers, results, screen, threads};

pub(crate) fn run(args: &UrlsArgs) -> anyhow::Result<Exit> {
    if let Some(rules) = &args.apply {
        return apply(rules, args);
    }
    let settings = settings(args)?;
    let pool = threads::pool(args.threads)?;
    let bar = Bar::new(args.results.quiet);
    let mut stdin = io::stdin();
    let records = match args.paths.as_slice() {
        [only] if only.as_os_str() == "-" => Records::Stream(&mut stdin),
        paths => Records::Paths(paths),
    };
    let output = args.output.as_deref();
    let outcome = pool.install(|| urls::run(&settings, records, output, &bar))?;
    bar.finish();
    print(args, &outcome)?;
    Ok(Exit::Done)
}

fn settings(args: &UrlsArgs) -> anyhow::Result<Settings> {
    let mut settings = Settings::default();
    layers::fill(&args.config, "urls", args, |given| given.fill(&mut settings))?;
    Ok(settings)
}

fn print(args: &UrlsArgs, Outcome { findings, account }: &Outcome) -> anyhow::Result<()> {
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
        writeln!(words, "rules: {}", printable(&readable(dir.join("rules.jsonl").as_os_str())))?;
    }
    Ok(())
}

/// Rewrites URLs, one per line.
fn apply(rules: &Path, args: &UrlsArgs) -> anyhow::Result<Exit> {
    let mut input: Box<dyn BufRead> = match args.paths.as_slice() {
        [] => Box::new(io::stdin().lock()),
        [only] if only.as_os_str() == "-" => Box::new(io::stdin().lock()),
        [only] => Box::new(BufReader::new(given::open_file("", only)?)),
        [_, more, ..] => anyhow::bail!(fanmill_text::Error::setting(format!(
            "--apply reads one file of URLs, and `{}` is a second one; run it once for each, or give them \
             on standard input",
            more.display()
        ))),
    };
    let mut n_odd = 0;
    results::stream(|out| {
        let mut handed = OutputFailure::default();
        let mut take = |line: &[u8]| handed.on(out.write_all(line).map_err(Into::into));
        let applied = urls::apply(rules, &mut *input, &mut take, &Silent);
        n_odd = handed.unless_failed(applied)?;
        Ok(())
    })?;
    if n_odd > 0 && !args.results.quiet {
        let lines = counted(
            n_odd,
            "line is not an address, and was left unchanged",
            "lines are not addresses, and were left unchanged",
        );
        say(format_args!("{lines}"));
    }
    Ok(Exit::Done)
}

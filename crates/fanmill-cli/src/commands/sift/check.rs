//! `fanmill sift check`: one answer for each text.

use fanmill_text::message::Message;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use fanmill_jobs::key_file;
use fanmill_jobs::sift::check::{self, Answer, Settings, Verdict};
use fanmill_jobs::sift::reading::Reading;
use fanmill_jobs::sift::texts::Account;
use fanmill_report::printable;
use fanmill_text::counted::counted;
use fanmill_text::progress::Silent;

use super::{ending, explained, inputs, show_notices};
use crate::args::{AnswerFormat, CheckArgs};
use crate::exit::{Exit, is_broken_pipe};
use crate::results::OutputFailure;
use crate::words::words;
use crate::{flags, layers, results, screen, terminal, threads};

/// Number of texts with each answer.
#[derive(Debug, Default)]
struct Tally {
    copies: usize,
    wanted: usize,
    others: usize,
    cut: usize,
    empty: usize,
}

pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    if args.names.is_some() {
        no_number_among(&args.paths)?;
    }
    let (settings, reading): (Settings, Reading) =
        layers::filled(&args.texts.reading.config, "sift", args)?;
    let key = key_file::read(&args.key.key)?;
    let (pool, _) = threads::within(&args.texts.machine, super::FEWER)?;
    let (mut stdin, mut again) = (io::stdin(), io::stdin());
    let originals = inputs(&args.explain, &args.texts.reading, reading.clone(), &mut stdin)?.from;
    let paths = if args.paths.is_empty() { vec!["-".into()] } else { args.paths.clone() };
    not_both_on_stdin(&args.explain, &paths)?;
    let texts = inputs(&paths, &args.texts.reading, reading, &mut again)?;
    let (mut tally, mut handed, mut is_heard) = (Tally::default(), OutputFailure::default(), true);
    let mut take = |answers: &mut dyn Iterator<Item = Answer>| {
        let written = results::stream(|out| {
            for answer in &mut *answers {
                tally.count(answer.verdict);
                if is_heard {
                    print(args, &answer, out)?;
                }
            }
            Ok(())
        });
        handed.on(match written {
            // Nobody reads the answers any more, but the exit status must still tell whether one of them is "yes".
            Err(error) if args.fail_on_copy && is_broken_pipe(&error) => {
                is_heard = false;
                answers.for_each(|answer| tally.count(answer.verdict));
                Ok(())
            }
            written => written,
        })
    };
    let checked = pool
        .install(|| check::run(&settings, &key, &args.store, originals, texts, &mut take, &Silent));
    let outcome = match handed.unless_failed(checked) {
        Err(error) if is_broken_pipe(&error) => return Ok(Exit::Done),
        checked => checked?,
    };
    if args.format == AnswerFormat::Json {
        print_skipped(&outcome.account)?;
    }
    let notices = [&outcome.originals.notices[..], &outcome.account.notices].concat();
    let written = terminal::write_notices(&args.texts.notices, &notices);
    for account in [&outcome.originals, &outcome.account] {
        show_notices(account, args.texts.quiet, Some(&args.texts.notices))?;
    }
    written?;
    if !args.texts.quiet && args.format == AnswerFormat::Table {
        tally.print(outcome.account.notices.len())?;
    }
    let ending = ending(&outcome.account, &args.texts);
    Ok(if args.fail_on_copy && tally.copies > 0 { Exit::Above } else { ending })
}

/// Refuses to read both the originals and the texts from standard input: the originals would take all of it, so that
/// nothing would be checked and a copy would go unnoticed.
fn not_both_on_stdin(originals: &[PathBuf], texts: &[PathBuf]) -> anyhow::Result<()> {
    let is_stdin = |path: &PathBuf| path.as_path() == Path::new("-");
    if originals.iter().any(is_stdin) && texts.iter().any(is_stdin) {
        anyhow::bail!(fanmill_text::Error::setting(
            "standard input (`-`) is given twice, to --explain and as a text to check; it can be read once: give one \
             of the two as a file"
        ));
    }
    Ok(())
}

/// Refuses a number among the paths: that of `--names` is optional, so `--names 3` means a text called `3`.
fn no_number_among(paths: &[PathBuf]) -> anyhow::Result<()> {
    let is_number = |path: &&PathBuf| {
        path.to_str().is_some_and(|text| text.parse::<usize>().is_ok()) && !path.exists()
    };
    match paths.iter().find(is_number) {
        Some(path) => Err(fanmill_text::Error::setting(format!(
            "`{0}` does not exist; to name at most {0} originals, write --names={0}",
            path.display()
        ))
        .into()),
        None => Ok(()),
    }
}

fn print(args: &CheckArgs, answer: &Answer, out: &mut impl Write) -> anyhow::Result<()> {
    if args.format == AnswerFormat::Json {
        serde_json::to_writer(&mut *out, answer)?;
        return Ok(writeln!(out)?);
    }
    let originals = &answer.originals;
    let named = match (originals.len(), answer.n_originals.unwrap_or(0)) {
        (0, _) => String::new(),
        (n, all) => {
            let more = if all > n { format!(" and {} more", all - n) } else { String::new() };
            format!("  <-  {}{more}", printable(&originals.join(", ")))
        }
    };
    let (verdict, grade) = (answer.verdict.name(), answer.grade.as_deref().unwrap_or(""));
    let id = answer.message_id.as_ref().map_or(String::new(), |id| format!(" {}", printable(id)));
    let said = format!("{verdict:<4} {grade:<6}  {}{id}{named}", printable(&answer.name));
    let room = screen::of_results();
    let remark = |remark: &Message| format!("             ({})", printable(&flags::said(remark)));
    for line in std::iter::once(said).chain(answer.remarks.iter().map(remark)) {
        for line in room.wrap(&line, 13) {
            writeln!(out, "{line}")?;
        }
    }
    answer.explanations.iter().try_for_each(|each| explained::print(each, out))?;
    Ok(())
}

/// Prints an object for each input that is not text, so that a program gets to see every input.
fn print_skipped(account: &Account) -> anyhow::Result<()> {
    results::print(|out| {
        account.notices.iter().try_for_each(|notice| {
            serde_json::to_writer(&mut *out, &Answer::skipped(notice))?;
            Ok(writeln!(out)?)
        })
    })
}

impl Tally {
    fn count(&mut self, verdict: Verdict) {
        *match verdict {
            Verdict::Yes => &mut self.copies,
            Verdict::Wanted => &mut self.wanted,
            Verdict::No => &mut self.others,
            Verdict::Part => &mut self.cut,
            Verdict::None | Verdict::Skip => &mut self.empty,
        } += 1;
    }

    fn print(&self, n_unread: usize) -> io::Result<()> {
        let mut words = words();
        let copies = counted(self.copies as u64, "copy", "copies");
        write!(words, "{copies}, {} not recognised", self.others)?;
        let rest = [
            (self.wanted, "wanted"),
            (self.cut, "read in part"),
            (self.empty, "without a word"),
            (n_unread, "not read"),
        ];
        for (n, what) in rest {
            if n > 0 {
                write!(words, ", {n} {what}")?;
            }
        }
        writeln!(words)
    }
}

//! `fanmill sift list`: what can be read from a store without its key.

use std::io::Write;

use fanmill_jobs::sift::dates;
use fanmill_report::printable;
use fanmill_sift::disk::{Facts, Role, Stored};
use fanmill_text::counted::counted;
use serde::Serialize;

use crate::args::{AnswerFormat, ListArgs};
use crate::exit::Exit;
use crate::results::Results;
use crate::words::words;
use crate::{results, screen};

/// Number of columns for the facts about a text, before its name.
const FACTS: usize = 10 + 2 + 10 + 2 + 6 + 2 + 6 + 2;

/// A text of a store.
#[derive(Serialize)]
struct Line<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_seen: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_seen: Option<String>,
    count: u64,
    wanted: bool,
}

impl<'a> Line<'a> {
    fn new(name: &'a str, facts: &Facts) -> Line<'a> {
        Line {
            name,
            first_seen: facts.seen.and_then(|seen| dates::shown(seen.first)),
            last_seen: facts.seen.and_then(|seen| dates::shown(seen.last)),
            count: facts.count,
            wanted: facts.role == Role::Wanted,
        }
    }

    /// Returns the facts in columns, which come before the name.
    fn facts(&self) -> String {
        let day = |date: &Option<String>| {
            date.as_ref().map_or_else(|| "-".to_owned(), |date| date.chars().take(10).collect())
        };
        let [first, last] = [&self.first_seen, &self.last_seen].map(day);
        let wanted = if self.wanted { "wanted" } else { "" };
        format!("{first:<10}  {last:<10}  {:>6}  {wanted:<6}  ", self.count)
    }
}

pub(crate) fn run(args: &ListArgs) -> anyhow::Result<Exit> {
    let Stored { records, facts } = fanmill_jobs::sift::list(&args.store)?;
    let lines: Vec<Line<'_>> =
        (0..).zip(&facts).map(|(at, facts)| Line::new(records.name(at), facts)).collect();
    results::print(|out| match args.format {
        AnswerFormat::Json => lines.iter().try_for_each(|line| {
            serde_json::to_writer(&mut *out, line)?;
            Ok(writeln!(out)?)
        }),
        AnswerFormat::Table => print(args, &lines, out),
    })?;
    let mut words = words();
    writeln!(words, "{}; key {}", counted(records.len() as u64, "text", "texts"), records.key())?;
    writeln!(words, "scheme: {}", records.profile().scheme(records.key()))?;
    Ok(Exit::Done)
}

fn print(args: &ListArgs, lines: &[Line<'_>], out: &mut Results) -> anyhow::Result<()> {
    let names: Vec<_> = lines.iter().map(|line| printable(line.name)).collect();
    let room = screen::of_results().beside(if args.long { FACTS } else { 0 });
    let shown = room.names(names.iter().map(|name| &**name));
    if args.long && !lines.is_empty() {
        writeln!(
            out,
            "{:<10}  {:<10}  {:>6}  {:<6}  name",
            "first seen", "last seen", "added", ""
        )?;
    }
    for (line, name) in lines.iter().zip(&names) {
        let facts = if args.long { line.facts() } else { String::new() };
        writeln!(out, "{facts}{}", shown[&**name])?;
    }
    Ok(())
}

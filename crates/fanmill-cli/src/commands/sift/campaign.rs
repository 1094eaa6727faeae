//! `fanmill sift campaign`: groups variants of the same message.

use std::io::{self, Write};

use fanmill_jobs::key_file;
use fanmill_jobs::sift::campaign::{self, BEGINNING, Group, Outcome, Settings};
use fanmill_jobs::sift::reading::Reading;
use fanmill_report::fit::LineWidth;
use fanmill_report::printable;
use fanmill_text::counted::counted;
use fanmill_text::progress::Silent;

use super::{ending, inputs, print_notices};
use crate::args::{AnswerFormat, CampaignArgs};
use crate::exit::Exit;
use crate::results::{self, Results};
use crate::words::words;
use crate::{layers, screen, threads};

/// Number of columns for a name.
const NAME: usize = 32;

pub(crate) fn run(args: &CampaignArgs) -> anyhow::Result<Exit> {
    let (settings, reading): (Settings, Reading) =
        layers::filled(&args.texts.reading.config, "sift", args)?;
    let key = key_file::read(&args.key.key)?;
    let (pool, _) = threads::within(&args.texts.machine, super::FEWER)?;
    let mut stdin = io::stdin();
    let messages = inputs(&args.paths, &args.texts.reading, reading, &mut stdin)?;
    let outcome = pool.install(|| campaign::run(&settings, &key, messages, &Silent))?;
    print(args, &outcome)?;
    print_notices(&outcome.account, &args.texts)?;
    Ok(ending(&outcome.account, &args.texts))
}

fn print(args: &CampaignArgs, outcome: &Outcome) -> anyhow::Result<()> {
    let room = screen::of_results();
    let (mut n_groups, mut n_grouped) = (0, 0);
    results::print(|out| {
        for group in outcome.groups() {
            if args.format == AnswerFormat::Table && n_groups == 0 {
                writeln!(out, "{:>6}  {:<NAME$}  begins", "size", "representative")?;
            }
            n_groups += 1;
            n_grouped += group.size;
            print_group(args, &group, room, out)?;
        }
        Ok(())
    })?;
    if !args.texts.quiet {
        writeln!(
            words(),
            "{} in {}; {} in no group",
            counted(n_grouped as u64, "message", "messages"),
            counted(n_groups, "group", "groups"),
            outcome.n_messages() - n_grouped
        )?;
    }
    Ok(())
}

fn print_group(
    args: &CampaignArgs,
    group: &Group,
    room: LineWidth,
    out: &mut Results,
) -> anyhow::Result<()> {
    if args.format == AnswerFormat::Json {
        serde_json::to_writer(&mut *out, group)?;
        return Ok(writeln!(out)?);
    }
    // A wide name takes room from the beginning of the text, down to a third of it.
    let name = room.beside(8 + 2 + BEGINNING / 3).cut(&printable(&group.representative));
    let left = room.beside(8 + name.chars().count().max(NAME) + 2).at_most(BEGINNING);
    let begins: String = printable(&group.beginning).chars().take(left).collect();
    writeln!(out, "{:>6}  {name:<NAME$}  {begins}", group.size)?;
    if args.members {
        let others = group.members[1..].iter().zip(&group.likeness[1..]);
        let others: Vec<_> = others.map(|(name, s3)| (printable(name), s3)).collect();
        let shown = room.beside(8 + 9).names(others.iter().map(|(name, _)| &**name));
        for (name, s3) in &others {
            writeln!(out, "        {:<NAME$}  S3 {s3:.2}", shown[&**name])?;
        }
    }
    Ok(())
}

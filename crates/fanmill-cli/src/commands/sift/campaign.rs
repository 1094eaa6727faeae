//! `fanmill sift campaign`: groups of messages that are one message.

use std::io::Write;

use fanmill::cluster::leaders::{Group, Groups, Leaders};
use fanmill::sift::profile::Profile;
use fanmill::sift::sifter::{Sifted, Sifter};
use fanmill::sift::verdict::Threshold;
use fanmill_report::fit::Room;
use fanmill_report::printable;
use serde::Serialize;

use super::texts::{self, Text};
use super::{ending, key_file, print_notices, sift_all, threshold};
use crate::args::{AnswerFormat, CampaignArgs};
use crate::exit::Exit;
use crate::results::{self, Results};
use crate::words::words;
use crate::{screen, threads};
use fanmill::counted::counted;

/// Columns of a name.
const NAME: usize = 32;

/// Characters of a message's beginning that are shown.
const SHOWN: usize = 60;

/// What is kept of the messages: their names and first words, mostly the subject.
///
/// One after another in one text, since there may be millions.
#[derive(Debug, Default)]
struct Messages {
    text: String,
    /// Where the name and the beginning of each end.
    ends: Vec<[usize; 2]>,
}

impl Messages {
    fn push(&mut self, name: &str, beginning: &str) {
        self.text.push_str(name);
        let name_end = self.text.len();
        self.text.push_str(beginning);
        self.ends.push([name_end, self.text.len()]);
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn name(&self, message: usize) -> &str {
        let start = message.checked_sub(1).map_or(0, |before| self.ends[before][1]);
        &self.text[start..self.ends[message][0]]
    }

    fn beginning(&self, message: usize) -> &str {
        let [start, end] = self.ends[message];
        &self.text[start..end]
    }
}

pub(crate) fn run(args: &CampaignArgs) -> anyhow::Result<Exit> {
    let threshold = threshold(args.threshold.as_deref(), args.min_common, Threshold::campaign())?;
    let profile = Profile::named(&args.profile)?;
    let key = key_file::read(&args.key.key)?;
    let sifter = Sifter::new(&profile, &key);
    let pool = threads::pool(args.texts.threads)?;
    let mut messages = Messages::default();
    let mut leaders = Leaders::new(&sifter, threshold);
    let account = pool.install(|| {
        texts::each(&args.paths, &args.texts.reading, &mut |batch| {
            let readings = sift_all(&sifter, &batch);
            for (text, readings) in batch.into_iter().zip(readings) {
                messages.push(&text.name, &beginning(&text));
                let readings: Vec<Sifted> =
                    readings.into_iter().map(|reading| reading.sifted).collect();
                leaders.push(&readings)?;
            }
            Ok(())
        })
    })?;
    let groups = leaders.finish();
    print(args, &messages, &groups)?;
    print_notices(&account, args.texts.quiet)?;
    Ok(ending(&account, &args.texts))
}

fn beginning(text: &Text) -> String {
    let head = String::from_utf8_lossy(&text.bytes[..text.bytes.len().min(4 * SHOWN)]).into_owned();
    let words = head.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(SHOWN).collect::<String>().trim_end().to_owned()
}

/// A group as data.
#[derive(Serialize)]
struct Line<'a> {
    size: usize,
    representative: &'a str,
    beginning: &'a str,
    /// The lowest S3 of a member with the message of the group that it is likest to.
    weakest: f64,
    members: Vec<&'a str>,
}

fn print(args: &CampaignArgs, messages: &Messages, groups: &Groups) -> anyhow::Result<()> {
    let large: Vec<_> =
        groups.iter().filter(|group| group.members.len() >= args.min_size.max(1)).collect();
    let room = screen::of_results();
    results::print(|out| {
        if args.format == AnswerFormat::Table && !large.is_empty() {
            writeln!(out, "{:>6}  {:<NAME$}  begins", "size", "representative")?;
        }
        large.iter().try_for_each(|group| print_group(args, messages, group, room, out))
    })?;
    if !args.texts.quiet {
        let grouped: usize = large.iter().map(|group| group.members.len()).sum();
        writeln!(
            words(),
            "{} in {}; {} in none",
            counted(grouped as u64, "message", "messages"),
            counted(large.len() as u64, "group", "groups"),
            messages.len() - grouped
        )?;
    }
    Ok(())
}

fn print_group(
    args: &CampaignArgs,
    messages: &Messages,
    group: &Group,
    room: Room,
    out: &mut Results,
) -> anyhow::Result<()> {
    let first = group.members[0].message;
    let (name, beginning) = (messages.name(first), messages.beginning(first));
    let members: Vec<&str> =
        group.members.iter().map(|member| messages.name(member.message)).collect();
    if args.format == AnswerFormat::Json {
        let line = Line {
            size: members.len(),
            representative: name,
            beginning,
            weakest: group.weakest(),
            members,
        };
        serde_json::to_writer(&mut *out, &line)?;
        return Ok(writeln!(out)?);
    }
    // A name of more columns than it has takes them from the beginning, down to a third of these.
    let name = room.beside(8 + 2 + SHOWN / 3).cut(&printable(name));
    let left = room.beside(8 + name.chars().count().max(NAME) + 2).at_most(SHOWN);
    let begins: String = printable(beginning).chars().take(left).collect();
    writeln!(out, "{:>6}  {name:<NAME$}  {begins}", members.len())?;
    if args.members {
        let others = group.members[1..].iter();
        let others: Vec<_> =
            others.map(|member| (printable(messages.name(member.message)), member.s3)).collect();
        let shown = room.beside(8 + 9).names(others.iter().map(|(name, _)| &**name));
        for (name, s3) in &others {
            writeln!(out, "        {:<NAME$}  S3 {s3:.2}", shown[&**name])?;
        }
    }
    Ok(())
}

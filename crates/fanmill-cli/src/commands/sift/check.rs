//! `fanmill sift check`: one answer for each text.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::io::{self, Write};

use fanmill::sift::sifter::{Sifted, Sifter};
use fanmill::sift::store::{Limits, Match, Store};
use fanmill::sift::verdict::{Grade, Threshold};
use fanmill_report::printable;
use rayon::prelude::*;
use serde::Serialize;

use super::explain::Originals;
use super::texts::{self, Account, Text};
use super::{ending, key_file, library, print_notices, sift, text_of, threshold};
use crate::args::{AnswerFormat, CheckArgs};
use crate::exit::{Exit, is_broken_pipe};
use crate::words::words;
use crate::{results, screen, threads};
use fanmill::counted::counted;

/// Originals that are named for a text, unless it is said how many.
const NAMED: usize = 5;

/// An original that a text is a copy of.
struct Copy {
    grade: Grade,
    found: Match,
    /// Which of the text's readings it was found by.
    reading: usize,
}

/// What is known of one text.
struct Answer {
    /// Originals that it is a copy of, by any reading, each once; the likest first.
    copies: Vec<Copy>,
    /// Whether it is so short that a changed copy would not be recognised.
    is_short: bool,
    /// Whether so many originals share something with it that not all were compared.
    is_crowded: bool,
    /// Whether some of it was not read, so that nothing found is not "no".
    is_cut: bool,
    /// How many originals are named; `None` if nobody asked.
    named: Option<usize>,
    /// One for each reading.
    sifted: Vec<Sifted>,
}

/// How many texts got which answer.
#[derive(Debug, Default)]
struct Tally {
    copies: usize,
    others: usize,
    cut: usize,
    empty: usize,
}

pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    let threshold = threshold(args.threshold.as_deref(), args.min_common, Threshold::standard())?;
    let key = key_file::read(&args.key.key)?;
    let store = library::read(&args.store, &key)?;
    let sifter = store.sifter(&key)?;
    let pool = threads::pool(args.texts.threads)?;
    let originals =
        pool.install(|| Originals::read(&args.explain, &args.texts, &store, &sifter))?;
    let paths = if args.paths.is_empty() { vec!["-".into()] } else { args.paths.clone() };
    let named = args.names.or_else(|| originals.is_some().then_some(NAMED));
    let mut tally = Tally::default();
    let account = pool.install(|| {
        texts::each(&paths, &args.texts.reading, &mut |batch| {
            let ask = |text: &Text| answer(&store, &threshold, &sifter, named, text);
            let answers: Vec<Answer> = batch.par_iter().map(ask).collect();
            for answer in &answers {
                tally.count(answer);
            }
            results::stream(|out| {
                batch.iter().zip(&answers).try_for_each(|asked| {
                    print(args, &store, &sifter, originals.as_ref(), asked, out)
                })
            })
        })
    });
    let account = match account {
        Err(error) if is_broken_pipe(&error) => return Ok(Exit::Done),
        read => read?,
    };
    if args.format == AnswerFormat::Json {
        print_skipped(&account)?;
    }
    print_notices(&account, args.texts.quiet)?;
    if !args.texts.quiet && args.format == AnswerFormat::Table {
        tally.print(account.notices.len())?;
    }
    let ending = ending(&account, &args.texts);
    Ok(if args.fail_on_copy && tally.copies > 0 { Exit::Above } else { ending })
}

/// How far a check goes that names so many originals.
fn limits(names: Option<usize>) -> Limits {
    let (standard, n) = (Limits::standard(), names.unwrap_or(0));
    Limits { holders: standard.holders.max(n), matches: standard.matches.max(n) }
}

/// Asks about every reading of a text: the best answer counts.
fn answer(
    store: &Store,
    threshold: &Threshold,
    sifter: &Sifter,
    named: Option<usize>,
    text: &Text,
) -> Answer {
    let sifted: Vec<Sifted> = text.readings().map(|bytes| sift(sifter, bytes)).collect();
    let mut copies: Vec<Copy> = Vec::new();
    let mut is_crowded = false;
    for (reading, sifted) in sifted.iter().enumerate() {
        let found = store.check(sifted, &limits(named));
        is_crowded |= found.is_cut;
        let graded = found.matches.into_iter().filter_map(|found| {
            let grade = threshold.grade(store.profile(), &found.likeness)?;
            Some(Copy { grade, found, reading })
        });
        copies.extend(graded);
    }
    // The store's order, by S3, decides among equal grades, and then the order of readings.
    copies.sort_by_key(|copy| Reverse(copy.grade));
    let mut seen = HashSet::new();
    copies.retain(|copy| seen.insert(text_of(store.name(copy.found.document))));
    let families = store.profile().families();
    let is_short = sifted.iter().all(|sifted| {
        let kept = families.iter().zip(&sifted.families).filter(|(family, _)| !family.is_whole());
        kept.into_iter().all(|(_, kept)| kept.values.len() < threshold.n_common)
    });
    Answer { copies, is_short, is_crowded, is_cut: text.is_cut, named, sifted }
}

impl Answer {
    fn word(&self) -> &'static str {
        match (self.copies.is_empty(), self.is_cut, self.is_empty()) {
            (false, _, _) => "yes",
            (true, true, _) => "part",
            (true, false, true) => "none",
            (true, false, false) => "no",
        }
    }

    /// Whether there is nothing to ask about.
    fn is_empty(&self) -> bool {
        self.sifted.iter().all(Sifted::is_empty)
    }

    fn remarks(&self, text: &Text) -> Vec<String> {
        let mut remarks = text.remarks.clone();
        if self.copies.first().is_some_and(|copy| copy.reading > 0) {
            remarks.push("found in what another mail program shows of it".into());
        }
        if self.is_empty() {
            remarks.push("no word to recognise it by".into());
        } else if self.is_short && self.copies.is_empty() {
            remarks.push("so short that only an unchanged copy would be recognised".into());
        }
        if self.is_crowded && (self.copies.is_empty() || self.named.is_some()) {
            remarks.push(
                "so many originals share something with it that not all were compared".into(),
            );
        }
        remarks
    }
}

/// An answer as data.
#[derive(Serialize)]
struct Line<'a> {
    name: &'a str,
    /// `yes`, `no`, `part` if there is nothing in what was read of it, `none` where there is nothing to ask about,
    /// or `skip` for what is no text.
    answer: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    grade: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    originals: Vec<&'a str>,
    /// How many originals it is a copy of, of which only the likest may be named.
    #[serde(skip_serializing_if = "Option::is_none")]
    n_originals: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    explanations: Vec<super::explain::Explanation>,
}

fn print(
    args: &CheckArgs,
    store: &Store,
    sifter: &Sifter,
    originals: Option<&Originals>,
    (text, answer): (&Text, &Answer),
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let explanations = originals.map_or_else(Vec::new, |originals| {
        let copies = answer.copies.iter().map(|copy| (&copy.found, copy.reading));
        originals.explain(sifter, store, text, &answer.sifted, copies)
    });
    let named = answer.copies.iter().take(answer.named.unwrap_or(0));
    let originals: Vec<&str> = named.map(|copy| text_of(store.name(copy.found.document))).collect();
    let grade = answer.copies.first().map(|copy| copy.grade.to_string());
    let remarks = answer.remarks(text);
    if args.format == AnswerFormat::Json {
        let line = Line {
            name: &text.name,
            answer: answer.word(),
            grade,
            n_originals: (!answer.copies.is_empty()).then_some(answer.copies.len()),
            originals,
            remarks,
            explanations,
        };
        serde_json::to_writer(&mut *out, &line)?;
        return Ok(writeln!(out)?);
    }
    let grade = grade.unwrap_or_default();
    let named = match (originals.len(), answer.copies.len()) {
        (0, _) => String::new(),
        (n, all) => {
            let more = if all > n { format!(" and {} more", all - n) } else { String::new() };
            format!("  <-  {}{more}", printable(&originals.join(", ")))
        }
    };
    let said = format!("{:<4} {grade:<6}  {}{named}", answer.word(), printable(&text.name));
    let room = screen::of_results();
    let remarks = remarks.iter().map(|remark| format!("             ({})", printable(remark)));
    for line in std::iter::once(said).chain(remarks) {
        for line in room.wrap(&line, 13) {
            writeln!(out, "{line}")?;
        }
    }
    explanations.iter().try_for_each(|each| each.print(out))?;
    Ok(())
}

/// One object for each input that is not text, so that a program sees everything that was met.
fn print_skipped(account: &Account) -> anyhow::Result<()> {
    results::stream(|out| {
        account.notices.iter().try_for_each(|notice| {
            let line = Line {
                name: &notice.name,
                answer: "skip",
                grade: None,
                originals: Vec::new(),
                n_originals: None,
                remarks: vec![notice.reason.clone()],
                explanations: Vec::new(),
            };
            serde_json::to_writer(&mut *out, &line)?;
            Ok(writeln!(out)?)
        })
    })
}

impl Tally {
    fn count(&mut self, answer: &Answer) {
        *match answer.word() {
            "yes" => &mut self.copies,
            "no" => &mut self.others,
            "part" => &mut self.cut,
            _ => &mut self.empty,
        } += 1;
    }

    fn print(&self, n_unread: usize) -> io::Result<()> {
        let mut words = words();
        let copies = counted(self.copies as u64, "copy", "copies");
        write!(
            words,
            "{copies}, {} of nothing here",
            counted(self.others as u64, "text", "texts")
        )?;
        let rest =
            [(self.cut, "read in part"), (self.empty, "without a word"), (n_unread, "not read")];
        for (n, what) in rest {
            if n > 0 {
                write!(words, ", {n} {what}")?;
            }
        }
        writeln!(words)
    }
}

//! Reading shards into a [`Collector`]: the fields with URL, text and sketch, and the treatment of bad records.
//!
//! Records of a batch are parsed and summarised in parallel, and collected in order.

use fanmill_sketch::similarity::MAX_REGISTERS;
use fanmill_text::message;
use fanmill_text::message::Message;
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result};
use rayon::prelude::*;

use super::content::{Content, Summariser, Summary};
use super::learn::Collector;
use super::write::Account;
use fanmill_records::format::{self, Batch, Columns, Format, Shard, Survey};
use fanmill_records::{BadRecord, Flaw};

/// Default for the field of the URL.
pub const URL: &str = "url";

/// The fields of a record that are read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fields {
    /// The field of the URL; `None` for `url`, or in web archives for the target of a record.
    pub url: Option<String>,
    /// The field of the text; `None` for the usual names.
    pub text: Option<String>,
    /// The field of a sketch in place of a text: an array of whole numbers, or a string of 16 hexadecimal digits a
    /// register.
    pub sketch: Option<String>,
    /// The format of the input; `None` to detect it from names and content.
    pub format: Option<Format>,
}

/// The treatment of a record that cannot be used, or not completely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnBad {
    /// It is left out, or used as far as possible, and counted.
    Skip,
    /// It ends the run.
    Stop,
}

impl Fields {
    /// Returns the options for finding and reading shards.
    pub fn options(&self) -> format::Options {
        let url = self.url.clone().unwrap_or_else(|| URL.to_owned());
        // With a sketch, a text is not needed; the URL is a text that every record has.
        let text = if self.sketch.is_some() { Some(url.clone()) } else { self.text.clone() };
        let extra = std::iter::once(url).chain(self.sketch.clone()).collect();
        format::Options { text, extra, format: self.format, ..format::Options::standard() }
    }
}

/// Reads all shards into `collector`.
///
/// # Errors
/// If a shard cannot be read, if the memory limit is reached, or, with [`OnBad::Stop`], if a record cannot be used
/// completely.
pub fn read(
    Survey { shards, left_out }: Survey,
    fields: &Fields,
    on_bad: OnBad,
    collector: &mut Collector,
    progress: &dyn Progress,
) -> Result<Account> {
    let summariser = collector.summariser()?;
    let options = fields.options();
    let mut account = Account { skipped: left_out, ..Account::default() };
    progress.begin("reading", shards.len() as u64);
    for shard in &shards {
        let mut reader = shard.reader(&options, Columns::Needed)?;
        let mut batch = Batch::new();
        while reader.next(&mut batch)? {
            progress.check()?;
            // Contents are numbered as they appear, so records are collected in order.
            let parse = |i: usize| parse(&batch, i, fields, shard.format(), &summariser);
            let parsed: Vec<_> = (0..batch.len()).into_par_iter().map(parse).collect();
            for (i, parsed) in parsed.into_iter().enumerate() {
                account.records += 1;
                let number = batch.first_number() + i as u64;
                let used = match parsed {
                    Ok(Parsed { url, summary, flaw }) => {
                        collector.push(&url, &summary)?.map(|()| flaw)
                    }
                    Err(reason) => Err(reason),
                };
                match used {
                    Ok(None) => {}
                    Ok(Some(flaw)) => account.flaw(shard, number, flaw, on_bad)?,
                    Err(reason) => {
                        let bad = BadRecord { number, offset: batch.offset(i), reason };
                        account.bad(shard, &bad, on_bad)?;
                    }
                }
            }
            for skipped in batch.skipped().1 {
                account.skipped.skipped(shard.name(), skipped.offset, &skipped.reason);
            }
        }
        progress.advance();
    }
    account.bad.leaves_some_of(account.records)?;
    Ok(account)
}

impl Account {
    fn bad(&mut self, shard: &Shard, bad: &BadRecord, on_bad: OnBad) -> Result<()> {
        if on_bad == OnBad::Stop {
            return Err(refusal(shard, bad.number, &bad.reason));
        }
        self.bad.bad(shard.name(), bad);
        Ok(())
    }

    fn flaw(&mut self, shard: &Shard, number: u64, flaw: Flaw, on_bad: OnBad) -> Result<()> {
        if on_bad == OnBad::Stop {
            return Err(refusal(shard, number, flaw.to_string()));
        }
        self.degraded.flaw(shard.name(), number, flaw);
        Ok(())
    }
}

/// Returns the error that ends a strict run.
fn refusal(shard: &Shard, number: u64, reason: impl Into<Message>) -> Error {
    let (shard, number) = (shard.name(), number + 1);
    Error::input(message![
        "`{shard}`, record {number}: ",
        reason,
        "; mend it, or do not ask for a strict run, which ends here"
    ])
}

/// The parts of a record that are used.
struct Parsed {
    url: String,
    summary: Summary,
    flaw: Option<Flaw>,
}

/// Returns a record's URL and the summary of its content, or the reason why the record cannot be used.
fn parse(
    batch: &Batch,
    i: usize,
    fields: &Fields,
    format: Format,
    summariser: &Summariser,
) -> std::result::Result<Parsed, Message> {
    let record = batch.record(i).map_err(|bad| bad.reason)?;
    let mut extra = record.extra.iter();
    let given = extra.next().and_then(Option::as_deref);
    let target =
        record.id.as_deref().filter(|_| fields.url.is_none() && format.is_named_by_address());
    let url = given
        .or(target)
        .ok_or_else(|| format!("no URL in field `{}`", fields.url.as_deref().unwrap_or(URL)))?;
    let summary = match &fields.sketch {
        None => summariser.summary(Content::Text(&record.text)),
        Some(name) => {
            let text = extra.next().and_then(Option::as_deref);
            let text = text.ok_or_else(|| format!("no sketch in field `{name}`"))?;
            summariser.summary(Content::Sketch(&registers(text)?))
        }
    };
    Ok(Parsed { url: url.to_owned(), summary, flaw: record.flaw })
}

/// Parses the registers of a sketch: `[1,2,3]`, or 16 hexadecimal digits each.
fn registers(text: &str) -> std::result::Result<Vec<u64>, String> {
    let text = text.trim();
    let row = if text.starts_with('[') {
        serde_json::from_str::<Vec<u64>>(text)
            .map_err(|_| "sketch is not an array of whole numbers from 0 to 2^64 - 1".to_owned())?
    } else if text.len().is_multiple_of(16) && text.bytes().all(|b| b.is_ascii_hexdigit()) {
        let digits = text.as_bytes().chunks(16).filter_map(|chunk| std::str::from_utf8(chunk).ok());
        digits.filter_map(|digits| u64::from_str_radix(digits, 16).ok()).collect()
    } else {
        return Err(
            "sketch is neither an array of numbers nor 16 hexadecimal digits a register".to_owned()
        );
    };
    if row.is_empty() || row.len() > MAX_REGISTERS {
        return Err(format!(
            "sketch of {} registers; 1 to {MAX_REGISTERS} are possible",
            row.len()
        ));
    }
    Ok(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sketches_have_two_forms() {
        assert_eq!(registers("[1, 18446744073709551615]"), Ok(vec![1, u64::MAX]));
        assert_eq!(registers("000000000000000AFFFFFFFFFFFFFFFF"), Ok(vec![10, u64::MAX]));
        for wrong in ["", "[]", "[1.5]", "[-1]", "abc", "[1", "000000000000000g", "éééééééé"]
        {
            assert!(registers(wrong).is_err(), "{wrong}");
        }
        assert!(registers(&"0".repeat(16 * (MAX_REGISTERS + 1))).is_err());
    }
}

//! Groups of variants of the same message.

use fanmill_sift::key::Key;
use fanmill_sift::leaders::{Groups, Leaders};
use fanmill_sift::profile::Profile;
use fanmill_sift::sifter::Sifter;
use fanmill_sift::verdict::Threshold;
use fanmill_text::progress::Progress;
use fanmill_text::{Result, amount};
use serde::{Deserialize, Serialize};

use super::sift_all;
use super::texts::{self, Account, Inputs, Text};

/// Number of characters kept of a message's beginning.
pub const BEGINNING: usize = 60;

/// The settings of a grouping: how messages are read, and which belong together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Settings {
    /// The profile; `None` for `mail`.
    pub profile: Option<Profile>,
    /// Minimum share of the smaller fingerprint that two messages have in common, a fraction in `0..=1`.
    #[serde(deserialize_with = "amount::share")]
    pub min_score: f64,
    /// Minimum number of values that two messages have in common.
    pub min_common: usize,
    /// Minimum size of a group, in messages.
    pub min_size: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        let Threshold { s3, n_common } = Threshold::campaign();
        Settings { profile: None, min_score: s3, min_common: n_common, min_size: 2 }
    }
}

/// The outcome of a grouping.
#[derive(Debug)]
pub struct Outcome {
    /// An account of what was read.
    pub account: Account,
    messages: Messages,
    groups: Groups,
    min_size: usize,
}

/// A group of messages, the first of which represents it.
#[derive(Debug, Serialize)]
pub struct Group {
    /// Number of messages.
    pub size: usize,
    /// The name of the first message.
    pub representative: String,
    /// Its beginning, usually with the subject.
    pub beginning: String,
    /// The lowest S3 of a member with the message of the group that it is most similar to.
    pub weakest: f64,
    /// The names of all members, including the first.
    pub members: Vec<String>,
    /// The S3 of each member with the message of the group that it is most similar to.
    #[serde(skip)]
    pub likeness: Vec<f64>,
}

impl Outcome {
    /// Returns the number of messages that were read.
    pub fn n_messages(&self) -> usize {
        self.messages.len()
    }

    /// Returns the groups that are large enough, largest first.
    pub fn groups(&self) -> impl Iterator<Item = Group> + '_ {
        let large = |members: usize| members >= self.min_size.max(1);
        self.groups.iter().filter(move |group| large(group.members.len())).map(|group| {
            let (representative, beginning) = self.messages.get(group.members[0].message);
            let names = group.members.iter().map(|member| self.messages.get(member.message).0);
            Group {
                size: group.members.len(),
                representative,
                beginning,
                weakest: group.weakest(),
                members: names.collect(),
                likeness: group.members.iter().map(|member| member.s3).collect(),
            }
        })
    }
}

/// The names of the messages and their first words, which are usually the subject.
///
/// There may be millions, and most names begin like the one before. So all are in one vector of bytes, one after
/// another: the number of bytes that the name has in common with the one before, the number of bytes of the beginning,
/// the number of the name's other bytes, then these bytes and the beginning. Every [`BLOCK`]-th name is whole.
#[derive(Debug, Default)]
struct Messages {
    bytes: Vec<u8>,
    /// Offset of each block in `bytes`.
    blocks: Vec<usize>,
    n: usize,
    /// The name of the last message.
    last: String,
}

/// Number of messages in a block; the first has a whole name.
const BLOCK: usize = 16;

impl Messages {
    fn push(&mut self, name: &str, beginning: &str) {
        if self.n.is_multiple_of(BLOCK) {
            self.blocks.push(self.bytes.len());
            self.last.clear();
        }
        let equal = self.last.bytes().zip(name.bytes()).take_while(|(old, new)| old == new);
        let n_common = equal.count().min(u8::MAX.into());
        let n_beginning =
            u8::try_from(beginning.len()).expect("60 characters have 240 bytes at most");
        self.bytes.extend([n_common as u8, n_beginning]);
        // A name may have any length, so its number of bytes is written seven bits at a time.
        let mut n_other = name.len() - n_common;
        while n_other >= 0x80 {
            self.bytes.push(n_other as u8 | 0x80);
            n_other >>= 7;
        }
        self.bytes.push(n_other as u8);
        self.bytes.extend_from_slice(&name.as_bytes()[n_common..]);
        self.bytes.extend_from_slice(beginning.as_bytes());
        self.last.clear();
        self.last.push_str(name);
        self.n += 1;
    }

    fn len(&self) -> usize {
        self.n
    }

    /// Returns the name and the beginning of a message.
    fn get(&self, message: usize) -> (String, String) {
        let (mut rest, mut name) = (&self.bytes[self.blocks[message / BLOCK]..], Vec::new());
        let mut beginning: &[u8] = &[];
        for _ in 0..=message % BLOCK {
            let (&[n_common, n_beginning], mut after) =
                rest.split_first_chunk().expect("a message");
            let (mut n_other, mut shift) = (0, 0);
            while let Some((&byte, later)) = after.split_first() {
                n_other |= usize::from(byte & 0x7f) << shift;
                (after, shift) = (later, shift + 7);
                if byte < 0x80 {
                    break;
                }
            }
            let (other, after) = after.split_at(n_other);
            name.truncate(n_common.into());
            name.extend_from_slice(other);
            (beginning, rest) = after.split_at(n_beginning.into());
        }
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("what was pushed");
        (text(name), text(beginning.to_vec()))
    }
}

/// Groups messages.
///
/// # Errors
/// If the threshold is outside `0..=1`, an input cannot be read, or the job is cancelled.
pub fn run(
    settings: &Settings,
    key: &Key,
    inputs: Inputs<'_>,
    progress: &dyn Progress,
) -> Result<Outcome> {
    let s3 = amount::check_share("min-score", settings.min_score)?;
    let threshold = Threshold { s3, n_common: settings.min_common };
    let profile = settings.profile.clone().unwrap_or_else(Profile::mail);
    let sifter = Sifter::new(&profile, key);
    let mut messages = Messages::default();
    let mut leaders = Leaders::new(&sifter, threshold);
    let account = texts::each(inputs, progress, &mut |batch| {
        let sifted = sift_all(&sifter, &batch);
        for (text, sifted) in batch.into_iter().zip(&sifted) {
            messages.push(&text.name, &beginning(&text));
            leaders.push(sifted)?;
        }
        Ok(())
    })?;
    Ok(Outcome { account, messages, groups: leaders.finish(), min_size: settings.min_size })
}

fn beginning(text: &Text) -> String {
    let head = &text.bytes[..text.bytes.len().min(4 * BEGINNING)];
    let head = String::from_utf8_lossy(head).into_owned();
    let words = head.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(BEGINNING).collect::<String>().trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_beginnings_are_kept() {
        let long = "ä".repeat(20_000);
        let name = |i: usize| match i % 7 {
            0 => String::new(),
            1 => format!("{long}#{i}"),
            2 => format!("{long}é{i}"),
            3 => format!("{}ë", &long[..200]),
            _ => format!("folder/inbox.mbox#{i}"),
        };
        let beginning = |i: usize| ["", "offer", &"𝄞".repeat(BEGINNING)][i % 3].to_owned();
        let mut messages = Messages::default();
        (0..100).for_each(|i| messages.push(&name(i), &beginning(i)));
        assert_eq!(messages.len(), 100);
        for i in (0..100).rev() {
            assert_eq!(messages.get(i), (name(i), beginning(i)), "{i}");
        }
    }
}

//! Groups of variants of the same message.

use fanmill::Result;
use fanmill::cluster::leaders::{Groups, Leaders};
use fanmill::progress::Progress;
use fanmill::sift::key::Key;
use fanmill::sift::profile::Profile;
use fanmill::sift::sifter::Sifter;
use fanmill::sift::verdict::Threshold;
use serde::{Deserialize, Serialize};

use super::texts::{self, Account, Inputs, Text};
use super::{named_profile, sift_all};
use crate::{as_text, share};

/// Number of characters kept of a message's beginning.
pub const BEGINNING: usize = 60;

/// How messages are read, and which belong together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Settings {
    /// The profile; `None` for `mail`.
    #[serde(serialize_with = "as_text::serialize", deserialize_with = "named_profile")]
    pub profile: Option<Profile>,
    /// Minimum share of the smaller fingerprint that two messages have in common, a fraction in `0..=1`.
    pub threshold: f64,
    /// Minimum number of values that two messages have in common.
    pub min_common: usize,
    /// Minimum size of a group, in messages.
    pub min_size: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        let Threshold { s3, n_common } = Threshold::campaign();
        Settings { profile: None, threshold: s3, min_common: n_common, min_size: 2 }
    }
}

/// What was found.
#[derive(Debug)]
pub struct Outcome {
    /// What was read.
    pub account: Account,
    messages: Messages,
    groups: Groups,
    min_size: usize,
}

/// A group of messages, the first of which represents it.
#[derive(Debug, Serialize)]
pub struct Group<'a> {
    /// Number of messages.
    pub size: usize,
    /// The name of the first.
    pub representative: &'a str,
    /// How it begins, usually with its subject.
    pub beginning: &'a str,
    /// The lowest S3 of a member with the message of the group that it is most similar to.
    pub weakest: f64,
    /// The names of all members, including the first.
    pub members: Vec<&'a str>,
    /// The S3 of each member with the message of the group that it is most similar to.
    #[serde(skip)]
    pub likeness: Vec<f64>,
}

impl Outcome {
    /// Number of messages read.
    pub fn n_messages(&self) -> usize {
        self.messages.len()
    }

    /// The groups that are large enough, largest first.
    pub fn groups(&self) -> impl Iterator<Item = Group<'_>> {
        let large = |members: usize| members >= self.min_size.max(1);
        self.groups.iter().filter(move |group| large(group.members.len())).map(|group| {
            let members = group.members.iter();
            let members: Vec<&str> =
                members.map(|member| self.messages.name(member.message)).collect();
            Group {
                size: members.len(),
                representative: members[0],
                beginning: self.messages.beginning(group.members[0].message),
                weakest: group.weakest(),
                members,
                likeness: group.members.iter().map(|member| member.s3).collect(),
            }
        })
    }
}

/// What is kept of the messages: their names and first words, usually the subject.
///
/// All are in one string, since there may be millions.
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
    let s3 = share::checked("threshold", settings.threshold)?;
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

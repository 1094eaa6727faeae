//! The labelled sets of re-used text, unpacked in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use fanmill_source::{Budget, GroupBy, Limits, Options};
use fanmill_text::document::{Corpus, Role};
use fanmill_text::progress::Silent;

/// Names of two texts.
pub(crate) type Pair = (String, String);

/// The kinds of re-use at PAN, as they are printed.
pub(crate) const KINDS: [&str; 4] = ["verbatim", "random", "translated", "summary"];

/// PAN's names of these kinds.
const NAMES: [&str; 4] =
    ["no-obfuscation", "random-obfuscation", "translation-obfuscation", "summary-obfuscation"];

/// A passage in characters: start and end in the first text, then in the second.
pub(crate) type Place = [(usize, usize); 2];

/// Texts, with labels for the pairs in which one re-uses the other.
#[derive(Debug)]
pub(crate) struct Set {
    /// One submission per text. Sources have the role of the archive if they are a set of their own.
    pub(crate) corpus: Corpus,
    /// The labelled pairs, each with its kind of re-use.
    pub(crate) pairs: Vec<(Pair, Option<String>)>,
    pub(crate) passages: BTreeMap<Pair, Vec<Place>>,
    pub(crate) n_copies: usize,
    /// Number of pairs that are labelled as copies of some kind but have no passage.
    pub(crate) n_without_passage: usize,
}

impl Set {
    /// Reads the answers and sources of Clough & Stevenson.
    pub(crate) fn clough(folder: &Path) -> Result<Set> {
        let rows = rows(&folder.join("clough.csv"))?.into_iter();
        let pairs = rows.map(|row| {
            let kind = (row[2] == "1").then(|| row[3].clone());
            ((row[0].clone(), row[1].clone()), kind)
        });
        let pairs: Vec<(Pair, Option<String>)> = pairs.collect();
        Ok(Set {
            corpus: texts_of(&folder.join("clough.tar.zst"))?,
            n_copies: pairs.iter().filter(|(_, kind)| kind.is_some()).count(),
            pairs,
            passages: BTreeMap::new(),
            n_without_passage: 0,
        })
    }

    /// Reads the pairs of PAN 2013.
    pub(crate) fn pan(folder: &Path) -> Result<Set> {
        let mut passages: BTreeMap<Pair, Vec<Place>> = BTreeMap::new();
        for row in rows(&folder.join("pan13.passages.csv"))? {
            let number = |at: usize| -> Result<usize> { Ok(row[at].parse()?) };
            let range = |at: usize| -> Result<(usize, usize)> {
                Ok((number(at)?, number(at)? + number(at + 1)?))
            };
            let pair = (row[0].clone(), row[1].clone());
            passages.entry(pair).or_default().push([range(2)?, range(4)?]);
        }
        let (mut pairs, mut n_without_passage) = (Vec::new(), 0);
        for row in rows(&folder.join("pan13.pairs.csv"))? {
            let pair = (row[0].clone(), row[1].clone());
            // A label of re-use without a passage is doubtful, so such a pair counts neither way.
            let number = NAMES.iter().position(|name| *name == row[3]);
            if number.is_some() && !passages.contains_key(&pair) {
                n_without_passage += 1;
                continue;
            }
            pairs.push((pair, number.map(|number| KINDS[number].to_owned())));
        }
        let mut corpus = texts_of(&folder.join("pan13.tar.zst"))?;
        for submission in &mut corpus.submissions {
            if submission.name.starts_with("source-") {
                submission.role = Role::Archive;
            }
        }
        corpus.submissions.sort_by(|x, y| (x.role, &x.name).cmp(&(y.role, &y.name)));
        let n_copies = pairs.iter().filter(|(_, kind)| kind.is_some()).count();
        Ok(Set { corpus, pairs, passages, n_copies, n_without_passage })
    }
}

/// Returns the texts of a set by name.
pub(crate) fn texts(corpus: &Corpus) -> BTreeMap<String, (Role, String)> {
    let text = |submission: &fanmill_text::document::Submission| {
        String::from_utf8_lossy(&submission.documents[0].bytes).into_owned()
    };
    let texts = corpus.submissions.iter();
    texts.map(|s| (s.name.clone(), (s.role, text(s)))).collect()
}

/// Returns all pairs of a new text and a source that are not labelled.
pub(crate) fn unlabelled(
    texts: &BTreeMap<String, (Role, String)>,
    labelled: &[(Pair, Option<String>)],
) -> Vec<Pair> {
    let labelled: BTreeSet<&Pair> = labelled.iter().map(|(pair, _)| pair).collect();
    let of_role = |role: Role| {
        let own = texts.iter().filter(move |(_, (own, _))| *own == role);
        own.map(|(name, _)| name.clone())
    };
    let sources: Vec<String> = of_role(Role::Archive).collect();
    let pairs = of_role(Role::New)
        .flat_map(|new| sources.iter().map(move |source| (new.clone(), source.clone())));
    pairs.filter(|pair| !labelled.contains(pair)).collect()
}

/// Reads the files of an archive, each as a text under its file name.
fn texts_of(archive: &Path) -> Result<Corpus> {
    let mut corpus = Corpus::default();
    let options = Options { group_by: GroupBy::File, ..Options::everything() };
    fanmill_source::read(
        &[archive.to_owned()],
        Role::New,
        &options,
        &Budget::new(Limits::standard()),
        &mut corpus,
        &Silent,
    )?;
    for submission in &mut corpus.submissions {
        let name = submission.name.rsplit('/').next().unwrap_or_default();
        submission.name = name.to_owned();
    }
    corpus.submissions.sort_by(|x, y| x.name.cmp(&y.name));
    ensure!(!corpus.submissions.is_empty(), "`{}` holds no texts", archive.display());
    Ok(corpus)
}

/// Reads the rows of a CSV, without its header.
fn rows(path: &Path) -> Result<Vec<Vec<String>>> {
    let mut reader = csv::Reader::from_path(path)
        .with_context(|| format!("could not read `{}`", path.display()))?;
    let rows = reader.records().map(|row| Ok(row?.iter().map(str::to_owned).collect()));
    rows.collect()
}

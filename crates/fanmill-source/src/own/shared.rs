//! Files that are the same, byte for byte, in many submissions: data and starter code that a course has given out.
//!
//! They become boilerplate, once, so that they cost what one file costs and do not decide the order of pairs. Each gets a
//! notice, since a teacher may see more in it. A ring of equal copies is not taken for a handout: a file counts as given
//! out only if two thirds of the class have it, and most of these people have as much work of their own. A fifth is enough
//! for a large file of data, beside any work.
//!
//! Cost: O(n) in the bytes of the documents, hashed once.

use std::collections::{BTreeMap, BTreeSet};

use fanmill_text::Setting;
use fanmill_text::counted::counted;
use fanmill_text::document::{Corpus, Document, Notice, Origin, Outcome, Role, Submission};
use fanmill_text::message;
use fanmill_text::message::Message;

use super::{LEAST_COMPARED, extension, hash};

/// Minimum number of submissions that have the same file.
const LEAST_SHARED: usize = 4;

/// Minimum size in bytes of what a submission shares with few or nobody, beside data, for that not to be all of the work.
const LEAST_OWN: usize = 200;

/// Extensions of data for a program.
const DATA: [&str; 9] = ["txt", "csv", "tsv", "json", "xml", "dat", "log", "in", "out"];

/// Minimum size in bytes of data that a fifth of a class suffices for: more than an essay or a report has.
const LEAST_DATA: usize = 64 << 10;

/// A content that several new submissions have.
#[derive(Default)]
struct Shared {
    /// Every place of it: a submission, ascending, and the number of the document.
    places: Vec<(usize, usize)>,
}

impl Shared {
    /// Lists the submissions that have it, each once.
    fn submissions(&self) -> impl Iterator<Item = usize> {
        let mut last = None;
        let all = self.places.iter().map(|&(submission, _)| submission);
        all.filter(move |&submission| last.replace(submission) != Some(submission))
    }
}

/// Makes boilerplate of what is the same in many new submissions, and says so.
pub fn set_handouts_apart(corpus: &mut Corpus) {
    let is_new = |submission: &&Submission| submission.role == Role::New;
    let n_new = corpus.submissions.iter().filter(is_new).count();
    let shared = shared(corpus);
    let own = own_bytes(corpus, &shared);
    let is_handout = |one: &&Shared| is_handout(one, corpus, &own, n_new);
    let handouts: Vec<&Shared> = shared.values().filter(is_handout).collect();
    if handouts.is_empty() {
        return;
    }
    let (mut given, mut notices) = (Vec::new(), Vec::new());
    for one in &handouts {
        let (first, number) = one.places[0];
        let document = corpus.submissions[first].documents[number].clone();
        let reason = reason(&document, one.submissions().count(), n_new);
        notices.extend(one.places.iter().map(|&(index, number)| {
            let submission = &corpus.submissions[index];
            let path = submission.documents[number].path.clone();
            let (role, submission) = (submission.role, submission.name.clone());
            Notice { role, submission, path, outcome: Outcome::Skipped, reason: reason.clone() }
        }));
        given.push(document);
    }
    let mut gone: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (submission, document) in handouts.iter().flat_map(|one| &one.places) {
        gone.entry(*submission).or_default().insert(*document);
    }
    for (submission, documents) in gone {
        let mut number = 0..;
        let kept = |_: &Document| number.next().is_none_or(|number| !documents.contains(&number));
        corpus.submissions[submission].documents.retain(kept);
    }
    add_base(corpus, given);
    corpus.notices.extend(notices);
    corpus.notices.sort();
}

/// Counts the bytes of each submission's documents that are not shared.
fn own_bytes(corpus: &Corpus, shared: &BTreeMap<u64, Shared>) -> Vec<usize> {
    let mut own: Vec<usize> = corpus.submissions.iter().map(Submission::n_bytes).collect();
    for &(index, number) in shared.values().flat_map(|one| &one.places) {
        own[index] -= corpus.submissions[index].documents[number].bytes.len();
    }
    own
}

/// Collects the contents that more than one new submission has, by hash; bytes are compared, too.
fn shared(corpus: &Corpus) -> BTreeMap<u64, Shared> {
    let mut all: BTreeMap<u64, Shared> = BTreeMap::new();
    for (index, submission) in corpus.submissions.iter().enumerate() {
        if submission.role != Role::New {
            continue;
        }
        for (number, document) in submission.documents.iter().enumerate() {
            if document.bytes.len() < LEAST_COMPARED || document.part.is_some() {
                continue;
            }
            let one = all.entry(hash(&document.bytes)).or_default();
            let is_same = one.places.first().is_none_or(|&(first, document_of)| {
                corpus.submissions[first].documents[document_of].bytes == document.bytes
            });
            if is_same {
                one.places.push((index, number));
            }
        }
    }
    all.retain(|_, one| one.submissions().count() >= LEAST_SHARED);
    all
}

/// Returns whether a shared file looks like one that was given out.
fn is_handout(one: &Shared, corpus: &Corpus, own: &[usize], n_new: usize) -> bool {
    let (first, number) = one.places[0];
    let document = &corpus.submissions[first].documents[number];
    let is_data = document.bytes.len() >= LEAST_DATA
        && DATA.contains(&&*extension(&document.path).to_ascii_lowercase());
    // Beside anything else, the own work must be no smaller: a ring of copies has a few lines of their own at most.
    let (enough, least_own) = if is_data {
        (n_new.div_ceil(5), LEAST_OWN)
    } else {
        ((2 * n_new).div_ceil(3), document.bytes.len())
    };
    let n = one.submissions().count();
    let n_with_own = one.submissions().filter(|&index| own[index] >= least_own).count();
    n >= enough.max(LEAST_SHARED) && 2 * n_with_own > n
}

/// Returns the reason for the notices on a handout, the same for all.
fn reason(document: &Document, n: usize, n_new: usize) -> Message {
    let n_words =
        document.bytes.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).count();
    let words = counted(n_words as u64, "word", "words");
    message![
        "{words}, the same in {n} of {n_new} submissions: taken for a handout and not compared; give it with ",
        Setting("base"),
        " if it is one, or compare it with ",
        Setting("everything")
    ]
}

/// Adds documents as boilerplate.
fn add_base(corpus: &mut Corpus, mut documents: Vec<Document>) {
    let mut names = crate::label::Names::default();
    for document in &mut documents {
        document.path = names.unique(&document.path);
    }
    documents.sort_by(|a, b| a.path.cmp(&b.path));
    let mut taken = crate::label::Names::default();
    for known in corpus.submissions.iter().filter(|known| known.role == Role::Base) {
        taken.unique(&known.name);
    }
    let name = taken.unique("the same in many submissions");
    let mut base = Submission::new(name, Role::Base, documents);
    base.origin = Origin::Folder;
    corpus.submissions.push(base);
    corpus.submissions.sort_by(|a, b| (a.role, &a.name).cmp(&(b.role, &b.name)));
}

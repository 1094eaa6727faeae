//! Earlier work that is kept in indexes. Only documents that share fingerprints with new work are read.

use std::collections::HashSet;
use std::path::PathBuf;

use fanmill::pipeline::Config;
use fanmill_index::{Index, Search};
use fanmill_text::Result;
use fanmill_text::document::{Corpus, Role, Submission};
use fanmill_text::frontend::Registry;
use fanmill_text::progress::Progress;

use crate::searched::Searched;

/// Removes the indexes from an archive, and returns them.
pub(crate) fn taken_out(archive: &mut Vec<PathBuf>) -> Vec<PathBuf> {
    let (indexes, others) =
        std::mem::take(archive).into_iter().partition(|path| Index::is_at(path));
    *archive = others;
    indexes
}

/// Adds documents of indexes to the archive: for each new submission, those that share the most rare fingerprints with
/// it, apart from boilerplate.
///
/// # Errors
/// If an index has other fingerprints than `config` asks for, or is damaged, or the run is cancelled.
pub(crate) fn find(
    indexes: &[PathBuf],
    corpus: &mut Corpus,
    registry: &Registry,
    config: &Config,
    progress: &dyn Progress,
) -> Result<Vec<Searched>> {
    let mut searched = Vec::new();
    let is_base = |known: &&Submission| known.role == Role::Base;
    let base: Vec<Submission> = corpus.submissions.iter().filter(is_base).cloned().collect();
    for path in indexes {
        let index = Index::open(path)?;
        index.check_config(config)?;
        let new: Vec<&Submission> =
            corpus.submissions.iter().filter(|known| known.role == Role::New).collect();
        let mut search = Search::default();
        search.base = index.base(base.clone(), registry)?;
        let found = index.sources(&new, registry, &search, progress)?;
        searched.push(Searched {
            index: path.clone(),
            generation: index.generation(),
            documents: index.n_documents(),
            compared: found.submissions.len() as u64,
            sharing: found.n_sharing,
            is_cut: found.is_cut,
        });
        add(found.submissions, corpus);
    }
    Ok(searched)
}

/// Adds submissions under unique names, and sorts all.
fn add(found: Vec<Submission>, corpus: &mut Corpus) {
    let archived = corpus.submissions.iter().filter(|known| known.role == Role::Archive);
    let mut names: HashSet<String> = archived.map(|known| known.name.clone()).collect();
    for mut submission in found {
        let (own, mut n) = (submission.name.clone(), 2);
        while !names.insert(submission.name.clone()) {
            submission.name = format!("{own} ({n})");
            n += 1;
        }
        corpus.submissions.push(submission);
    }
    corpus.submissions.sort_by(|x, y| (x.role, &x.name).cmp(&(y.role, &y.name)));
}

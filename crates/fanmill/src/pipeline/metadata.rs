//! Metadata that documents of two submissions share: who wrote them, when and with what.
//!
//! Cost: O(n log n) for n documents of both, plus the shared statements; [`MOST`] are kept.

use std::collections::BTreeMap;

use crate::report::{MetadataField, SharedMetadata};
use fanmill_text::document::{Metadata, Submission};

/// Maximum number of statements kept for a pair; people copy a file or two.
const MOST: usize = 100;

/// A getter of one statement in a document's metadata.
type Statement = fn(&Metadata) -> Option<&String>;

/// Returns the statements that both share, the strongest evidence first, then ascending by value and paths.
pub(super) fn shared(a: &Submission, b: &Submission) -> Vec<SharedMetadata> {
    if a.metadata.is_empty() || b.metadata.is_empty() {
        return Vec::new();
    }
    let mut found = revisions(a, b);
    let statements: [(MetadataField, Statement); 4] = [
        (MetadataField::Author, |metadata| metadata.author.as_ref()),
        (MetadataField::LastAuthor, |metadata| metadata.last_author.as_ref()),
        (MetadataField::Created, |metadata| metadata.created.as_ref()),
        (MetadataField::Program, |metadata| metadata.program.as_ref()),
    ];
    for (what, value) in statements {
        // The paths of both sides, by the value that their documents state.
        let mut by_value: BTreeMap<&str, [Vec<&str>; 2]> = BTreeMap::new();
        for (side, submission) in [a, b].into_iter().enumerate() {
            for (path, metadata) in &submission.metadata {
                if let Some(value) = value(metadata).filter(|value| !value.trim().is_empty()) {
                    by_value.entry(value).or_default()[side].push(path);
                }
            }
        }
        for (value, [of_a, of_b]) in by_value {
            let pairs = of_a.iter().flat_map(|a| of_b.iter().map(move |b| (*a, *b)));
            found.extend(pairs.take(MOST).map(|(path_a, path_b)| SharedMetadata {
                what,
                value: value.to_owned(),
                path_a: path_a.to_owned(),
                path_b: path_b.to_owned(),
            }));
        }
    }
    found.truncate(MOST);
    found
}

/// Returns pairs of documents with common revision ids, those with the most first.
fn revisions(a: &Submission, b: &Submission) -> Vec<SharedMetadata> {
    let mut of_b: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    for (path, metadata) in &b.metadata {
        for id in &metadata.revision_ids {
            of_b.entry(*id).or_default().push(path);
        }
    }
    let mut found: Vec<(usize, &str, &str)> = Vec::new();
    for (path_a, metadata) in &a.metadata {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for path_b in metadata.revision_ids.iter().filter_map(|id| of_b.get(id)).flatten() {
            *counts.entry(path_b).or_default() += 1;
        }
        found.extend(counts.into_iter().map(|(path_b, n)| (n, &**path_a, path_b)));
    }
    found.sort_by(|x, y| y.0.cmp(&x.0).then((x.1, x.2).cmp(&(y.1, y.2))));
    let shown = |(n, path_a, path_b): (usize, &str, &str)| SharedMetadata {
        what: MetadataField::RevisionIds,
        value: n.to_string(),
        path_a: path_a.to_owned(),
        path_b: path_b.to_owned(),
    };
    found.into_iter().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanmill_text::document::Role;

    fn submission(said: &[(&str, Metadata)]) -> Submission {
        let mut submission = Submission::new("someone", Role::New, Vec::new());
        let said = said.iter().map(|(path, metadata)| ((*path).to_owned(), metadata.clone()));
        submission.metadata.extend(said);
        submission
    }

    fn lines(found: &[SharedMetadata]) -> Vec<String> {
        let line =
            |x: &SharedMetadata| format!("{:?} {} {} {}", x.what, x.value, x.path_a, x.path_b);
        found.iter().map(line).collect()
    }

    #[test]
    fn what_both_say_is_found_and_what_one_says_is_not() {
        let said = |author: &str, program: &str, revision_ids: &[u32]| Metadata {
            author: Some(author.to_owned()),
            program: Some(program.to_owned()),
            revision_ids: revision_ids.to_vec(),
            ..Metadata::default()
        };
        let a = submission(&[
            ("essay.docx", said("Nadja", "Word", &[3, 7, 9])),
            ("notes.docx", said("Olaf", "Writer", &[])),
        ]);
        let b = submission(&[
            ("draft.docx", said("Nadja", " ", &[9])),
            ("final.docx", said("Petra", "Word", &[1, 3, 7])),
        ]);
        assert_eq!(
            lines(&shared(&a, &b)),
            [
                "RevisionIds 2 essay.docx final.docx",
                "RevisionIds 1 essay.docx draft.docx",
                "Author Nadja essay.docx draft.docx",
                "Program Word essay.docx final.docx",
            ]
        );
        assert!(shared(&a, &submission(&[])).is_empty());
    }

    #[test]
    fn a_thousand_documents_of_one_author_are_not_a_million_statements() {
        let own = Metadata { author: Some("Nadja".to_owned()), ..Metadata::default() };
        let names: Vec<String> = (0..1000).map(|i| format!("{i}.docx")).collect();
        let said: Vec<(&str, Metadata)> =
            names.iter().map(|name| (name.as_str(), own.clone())).collect();
        let all = submission(&said);
        assert_eq!(shared(&all, &all).len(), MOST);
    }
}

//! Searches for planted runs in an index, with default settings.

use anyhow::Result;
use fanmill_disk::replace::Disk;
use fanmill_index::{Index, Search, Writer};
use fanmill_text::document::{Document, Role, Submission};
use fanmill_text::frontend::Registry;
use fanmill_text::progress::Silent;

use super::planting::Planted;
use super::shows;

/// Results of the searches.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Searched {
    /// Number of planted runs found.
    pub(super) n_found: usize,
    /// Mean number of documents that a text was compared with.
    pub(super) n_compared: f64,
}

/// Searches for the second program of each planted run in an index of the whole batch, which excludes that program.
pub(super) fn search(
    texts: &[(String, String)],
    planted: &[Planted],
    registry: &Registry,
) -> Result<Searched> {
    let temporary = tempfile::tempdir()?;
    let folder = temporary.path().join("index");
    let submission =
        |name: &str, text: &str, role| Submission::new(name, role, vec![Document::new(name, text)]);
    let all = texts.iter().map(|(name, text)| submission(name, text, Role::Archive));
    let mut writer = Writer::open(&Disk::default(), &folder, None)?;
    writer.add(all.collect(), registry, &Silent)?;
    writer.close()?;
    let index = Index::open(&folder)?;
    let mut searched = Searched::default();
    for one in planted {
        let Some((name, text)) = texts.iter().find(|(name, _)| *name == one.b.name) else {
            continue;
        };
        // The index has the program itself, which would be its own best source.
        let mut search = Search::default();
        search.exclude_source = vec![name.clone()];
        let query = submission(name, text, Role::New);
        let answer = index.search(query, registry, &search, &Silent)?;
        let report = &answer.comparison.report;
        let names = |number: u32| report.submissions[number as usize].name.as_str();
        let is_shown = answer.sources.iter().any(|source| shows(one, &source.pair, &names));
        searched.n_found += usize::from(is_shown);
        searched.n_compared += answer.compared as f64 / planted.len() as f64;
    }
    Ok(searched)
}

//! The newswire articles on which sifting is measured.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use fanmill_lab::attack::article::Article;
use fanmill_lab::attack::{keys, table2};
use fanmill_sift::key::Key;

/// Reads all texts of a folder, by name, in the paper's form.
pub(crate) fn read(folder: &Path) -> Result<Vec<Article>> {
    let entries = fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    let article = |path: &Path| -> Result<Article> { Ok(Article::plain(&fs::read(path)?)) };
    let articles = paths.iter().map(|path| article(path)).collect::<Result<Vec<_>>>()?;
    let n = table2::SAMPLE;
    ensure!(articles.len() >= n, "{} articles; the paper has {n}", articles.len());
    Ok(articles)
}

/// Returns a key made from a number. Real keys come from the operating system.
pub(crate) fn key(number: u64) -> Key {
    keys::test_key(0, number)
}

/// Returns the words of an article, with a space between any two.
pub(crate) fn text(article: &Article) -> &str {
    article.text().trim_end()
}

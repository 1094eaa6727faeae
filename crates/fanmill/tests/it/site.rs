//! The manuals as a site: every page is in the contents, and every link leads somewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::tracked::{files, text};

/// The page that `mdbook` makes the list at the side of the site from.
const CONTENTS: &str = "docs/SUMMARY.md";

/// The documents that we write for people, with their texts.
fn documents() -> BTreeMap<PathBuf, String> {
    const OTHERS: [&str; 3] = ["testdata", "examples/essays", "examples/assignment"];
    let is_document = |path: &PathBuf| {
        path.extension().is_some_and(|extension| extension == "md")
            && !OTHERS.iter().any(|folder| path.starts_with(folder))
    };
    let found = files("").into_iter().filter(is_document);
    found.filter_map(|path| text(&path).map(|text| (path, text))).collect()
}

fn parser(text: &str) -> Parser<'_> {
    Parser::new_ext(text, Options::ENABLE_TABLES)
}

/// The addresses of a page's links and images.
fn links(text: &str) -> Vec<String> {
    let targets = |event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
            vec![dest_url.into_string()]
        }
        Event::Html(html) | Event::InlineHtml(html) => sources(&html),
        _ => Vec::new(),
    };
    parser(text).flat_map(targets).collect()
}

/// The addresses of pictures in HTML.
fn sources(html: &str) -> Vec<String> {
    let parts = html.split([' ', '\n']);
    let named = parts
        .filter_map(|part| part.strip_prefix("src=\"").or_else(|| part.strip_prefix("srcset=\"")));
    named.filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
}

/// The anchors of a page's headings, as mdBook and code hosts make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let (mut found, mut heading) = (BTreeSet::new(), None::<String>);
    for event in parser(text) {
        match (event, &mut heading) {
            (Event::Start(Tag::Heading { .. }), _) => heading = Some(String::new()),
            (Event::Text(words) | Event::Code(words), Some(title)) => title.push_str(&words),
            (Event::End(TagEnd::Heading(_)), Some(title)) => {
                let anchor = anchor(title);
                // The second heading of one name gets a number.
                let numbered = (1..).map(|n| format!("{anchor}-{n}"));
                let mut names = std::iter::once(anchor.clone()).chain(numbered);
                found.extend(names.find(|name| !found.contains(name)));
                heading = None;
            }
            _ => {}
        }
    }
    found
}

fn anchor(title: &str) -> String {
    let kept = title.trim().chars().filter_map(|c| match c {
        c if c.is_alphanumeric() || "_-".contains(c) => Some(c),
        c if c.is_whitespace() => Some('-'),
        _ => None,
    });
    kept.flat_map(char::to_lowercase).collect()
}

/// Follows a link of a page to a path from the root of the repository; nothing if that is outside.
fn followed(page: &Path, link: &str) -> Option<PathBuf> {
    let mut path = page.parent().map(PathBuf::from).unwrap_or_default();
    for part in Path::new(link).components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            Component::ParentDir if path.pop() => {}
            _ => return None,
        }
    }
    Some(path)
}

/// Lists the broken links of a page, whose repository has these documents and files.
fn broken(
    page: &Path,
    text: &str,
    documents: &BTreeMap<PathBuf, String>,
    files: &BTreeSet<PathBuf>,
) -> Vec<String> {
    let mut wrong = Vec::new();
    for link in links(text) {
        if link.contains("://") || link.starts_with("mailto:") {
            continue;
        }
        let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
        let target = if path.is_empty() { Some(page.to_owned()) } else { followed(page, path) };
        let leads = target.is_some_and(|target| {
            // The site consists of the folder, so it has nothing beside it.
            let is_inside = !page.starts_with("docs") || target.starts_with("docs");
            let has_anchor =
                || documents.get(&target).is_some_and(|text| anchors(text).contains(anchor));
            let is_there = files.iter().any(|file| file.starts_with(&target));
            is_inside && is_there && (anchor.is_empty() || has_anchor())
        });
        if !leads {
            wrong.push(format!("{}: {link}", page.display()));
        }
    }
    wrong
}

#[test]
fn every_link_of_a_document_leads_to_a_page_and_a_heading() {
    let documents = documents();
    let files: BTreeSet<PathBuf> = files("").into_iter().collect();
    let n_links: usize = documents.values().map(|text| links(text).len()).sum();
    let wrong: Vec<String> =
        documents.iter().flat_map(|(page, text)| broken(page, text, &documents, &files)).collect();
    assert!(n_links > 150 && wrong.is_empty(), "{n_links} links, of which are broken: {wrong:#?}");
}

#[test]
fn the_contents_of_the_site_have_every_page_once() {
    let contents = text(Path::new(CONTENTS)).expect("the contents");
    let mut listed: Vec<PathBuf> =
        links(&contents).iter().filter_map(|link| followed(Path::new(CONTENTS), link)).collect();
    listed.sort();
    let is_page = |path: &PathBuf| path.starts_with("docs") && path != Path::new(CONTENTS);
    let pages: Vec<PathBuf> = documents().into_keys().filter(is_page).collect();
    assert_eq!(listed, pages);
}

/// A folder's `index.md` would be its first page, whatever it is about.
#[test]
fn no_page_is_the_first_one_by_accident() {
    let names = documents().into_keys().filter(|path| path.ends_with("index.md"));
    let in_the_way: Vec<PathBuf> = names.filter(|path| path.starts_with("docs")).collect();
    assert!(in_the_way.is_empty(), "{in_the_way:?}");
}

/// Help, comments and documents name manuals as `docs/NAME.md`.
#[test]
fn manuals_that_are_named_exist() {
    const ENDINGS: [&str; 8] = ["rs", "md", "py", "pyi", "ts", "svelte", "toml", "yml"];
    let is_ours = |path: &PathBuf| {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        // These two have files of that name made up.
        ENDINGS.contains(&ending)
            && !path.ends_with("it/tracked.rs")
            && !path.ends_with("it/site.rs")
    };
    let all = files("");
    let known: BTreeSet<&PathBuf> = all.iter().collect();
    let (mut n_named, mut wrong) = (0, Vec::new());
    for path in all.iter().filter(|path| is_ours(path)) {
        let Some(text) = text(path) else { continue };
        for (at, _) in text.match_indices("docs/") {
            let rest = &text[at..];
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "/-_.".contains(c)));
            let name = rest[..end.unwrap_or(rest.len())].trim_end_matches('.');
            if Path::new(name).extension() == Some("md".as_ref()) {
                n_named += 1;
                if !known.contains(&PathBuf::from(name)) {
                    wrong.push(format!("{}: {name}", path.display()));
                }
            }
        }
    }
    assert!(n_named > 100 && wrong.is_empty(), "{n_named} names, without a file: {wrong:#?}");
}

#[test]
fn anchors_are_those_of_code_hosts() {
    let page = "# Repeated runs: `--unit run`\n\n## A & B\n\n## A & B\n\n```sh\n# not one\n```\n";
    let expected = ["a--b", "a--b-1", "repeated-runs---unit-run"].map(String::from);
    assert_eq!(anchors(page), BTreeSet::from(expected));
}

#[test]
fn broken_links_are_noticed() {
    let (page, other) = (PathBuf::from("docs/a.md"), PathBuf::from("docs/b.md"));
    let text = "# A\n[here](#a) [there](b.md#b) [none](c.md) [no heading](b.md#c) [outside](../README.md) \
                [far](https://example.com/x) `[code](d.md)` ![picture](images/none.png) [up](../../x.md) [folder](images)\n\n<img src=\"images/b.png\">\n";
    let documents = BTreeMap::from([(page.clone(), text.into()), (other.clone(), "# B\n".into())]);
    let others = ["README.md", "docs/images/a.png"].map(PathBuf::from);
    let files: BTreeSet<PathBuf> = [page.clone(), other].into_iter().chain(others).collect();
    let wrong = broken(&page, text, &documents, &files);
    let expected =
        ["c.md", "b.md#c", "../README.md", "images/none.png", "../../x.md", "images/b.png"];
    assert_eq!(wrong, expected.map(|link| format!("docs/a.md: {link}")));
}

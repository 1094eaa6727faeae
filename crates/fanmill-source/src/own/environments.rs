//! Environments of Python: the files that `venv`, `virtualenv` and `pip` have put there.
//!
//! An environment is known by its `pyvenv.cfg`, or by a folder `site-packages` with the record of an installed package.
//! Only files that a record lists, with the size that it gives, and those that make up the environment itself are
//! installed ones: a file that a person keeps beside them is the person's.
//!
//! Cost: O(n log n) in the number of files, O(n) in the records.
//! Source: PEP 405 (`pyvenv.cfg`), PEP 376 and PEP 627 (`RECORD`).

use std::collections::BTreeMap;

use fanmill_text::document::Document;

/// The file that makes a folder an environment.
const CONFIGURATION: &str = "pyvenv.cfg";

const PACKAGES: &str = "site-packages";

/// Programs that an environment has without a record.
const PROGRAMS: [&str; 12] = [
    "activate",
    "activate.bat",
    "activate.csh",
    "activate.fish",
    "activate.nu",
    "activate.ps1",
    "Activate.ps1",
    "activate_this.py",
    "deactivate.bat",
    "deactivate.nu",
    "pydoc.bat",
    "python",
];

/// Returns, for each document, the folder of the environment that it was installed into; `None` for all others.
pub(super) fn installed(documents: &[Document]) -> Vec<Option<String>> {
    let roots = roots(documents);
    if roots.is_empty() {
        return vec![None; documents.len()];
    }
    let recorded = recorded(documents);
    let folder = |document: &Document| {
        let root = roots.iter().find(|root| is_below(&document.path, root))?;
        let inside = document.path.get(root.len()..)?.trim_start_matches('/');
        let is_listed = recorded.get(&*document.path).is_some_and(|size| fits(*size, document));
        (is_listed || is_of_environment(inside)).then(|| root.clone())
    };
    documents.iter().map(folder).collect()
}

/// Returns the folders of environments, outer ones first; an empty one is the submission itself.
fn roots(documents: &[Document]) -> Vec<String> {
    let mut roots: Vec<String> = Vec::new();
    for document in documents {
        let (folder, name) = document.path.rsplit_once('/').unwrap_or(("", &document.path));
        if name == CONFIGURATION && document.bytes.starts_with(b"home") {
            roots.push(folder.to_owned());
        } else if name == "RECORD"
            && let Some(packages) = packages(&document.path)
        {
            roots.push(packages.to_owned());
        }
    }
    roots.sort_unstable();
    roots.dedup_by(|inner, outer| is_below(inner, outer));
    roots
}

/// Returns the folder `site-packages` that a path lies in.
fn packages(path: &str) -> Option<&str> {
    let mut end = 0;
    for part in path.split('/') {
        end += part.len();
        if part == PACKAGES {
            return Some(&path[..end]);
        }
        end += 1;
    }
    None
}

pub(super) fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty()
        || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns the files that the records of installed packages list, with their sizes if they give any.
fn recorded(documents: &[Document]) -> BTreeMap<String, Option<u64>> {
    let mut recorded = BTreeMap::new();
    let records = documents.iter().filter(|document| document.path.ends_with(".dist-info/RECORD"));
    for record in records {
        let Some(base) = packages(&record.path) else { continue };
        for line in String::from_utf8_lossy(&record.bytes).lines() {
            let mut fields = line.rsplitn(3, ',');
            let (size, _, path) = (fields.next(), fields.next(), fields.next());
            let Some(path) = path else { continue };
            let path = joined(base, path.trim_matches('"'));
            if is_of_packages(&path, base) {
                recorded.insert(path, size.and_then(|size| size.trim().parse().ok()));
            }
        }
    }
    recorded
}

/// Returns whether a package of the folder `base` may be installed at a path: in that folder, or in one for programs,
/// headers and data beside `lib`.
fn is_of_packages(path: &str, base: &str) -> bool {
    let mut folders = path.split('/').rev().skip(1);
    is_below(path, base)
        || folders.any(|part| matches!(part, "bin" | "Scripts" | "share" | "include" | "etc"))
}

/// Returns a path that is given from a folder, without `..`.
fn joined(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').collect();
    for part in path.split(['/', '\\']) {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns whether a file has the size in a record, which was written before anything changed the ends of lines. Only a
/// record itself has none.
fn fits(size: Option<u64>, document: &Document) -> bool {
    let bytes = &document.bytes;
    let Some(size) = size else { return document.path.ends_with(".dist-info/RECORD") };
    let n = bytes.len() as u64;
    let n_ends = memchr::memchr_iter(b'\n', bytes).count() as u64;
    let n_returns = memchr::memmem::find_iter(bytes, b"\r\n").count() as u64;
    size == n || size == n - n_returns || size == n + n_ends - n_returns
}

/// Returns whether a file is a part of an environment that no record lists.
fn is_of_environment(inside: &str) -> bool {
    let is_program = || {
        let (folder, name) = inside.split_once('/')?;
        Some(matches!(folder, "bin" | "Scripts") && PROGRAMS.contains(&name))
    };
    inside == CONFIGURATION || is_program().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apart(files: &[(&str, &str)]) -> Vec<String> {
        let documents: Vec<Document> =
            files.iter().map(|&(path, text)| Document::new(path, text)).collect();
        let found = documents.iter().zip(installed(&documents));
        found
            .filter(|(_, folder)| folder.is_some())
            .map(|(document, _)| document.path.clone())
            .collect()
    }

    #[test]
    fn only_what_was_installed_is_set_apart() {
        let record = "pip/__init__.py,sha256=x,5\npip/win.py,sha256=x,2\npip/changed.py,sha256=x,5\n\
                      ../../../bin/pip3,sha256=x,3\npip-1.dist-info/RECORD,,\n\
                      pip-1.dist-info/METADATA,sha256=x,9\n../../../../main.py,,\n";
        let files = [
            ("main.py", "import pip"),
            ("env/pyvenv.cfg", "home = /usr/bin\n"),
            ("env/bin/activate", "# activates"),
            ("env/bin/solution.py", "mine"),
            ("env/bin/python_solution.py", "mine"),
            ("env/lib/python3/site-packages/pip-1.dist-info/mine.py", "mine"),
            ("env/bin/pip3", "xyz"),
            ("env/lib/python3/site-packages/pip/__init__.py", "12345"),
            ("env/lib/python3/site-packages/pip/win.py", "1\r\n"),
            ("env/lib/python3/site-packages/pip/changed.py", "this is mine"),
            ("env/lib/python3/site-packages/mine.py", "mine"),
            ("env/lib/python3/site-packages/pip-1.dist-info/RECORD", record),
            ("env/lib/python3/site-packages/pip-1.dist-info/METADATA", "Name: pip"),
        ];
        assert_eq!(
            apart(&files),
            [
                "env/pyvenv.cfg",
                "env/bin/activate",
                "env/bin/pip3",
                "env/lib/python3/site-packages/pip/__init__.py",
                "env/lib/python3/site-packages/pip/win.py",
                "env/lib/python3/site-packages/pip-1.dist-info/RECORD",
                "env/lib/python3/site-packages/pip-1.dist-info/METADATA",
            ]
        );
    }

    #[test]
    fn a_folder_that_is_only_called_so_is_read() {
        assert_eq!(apart(&[("venv/main.py", "mine"), ("venv/bin/activate", "mine")]), [""; 0]);
        assert_eq!(
            apart(&[("venv/pyvenv.cfg", "not a configuration"), ("venv/bin/pip", "")]),
            [""; 0]
        );
    }
}

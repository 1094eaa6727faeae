//! Which documents make one submission.

use super::glob::Glob;

/// What one submission is, below the paths that were given. Named by `--group-by`.
///
/// Given `a/` with `ada/Main.java`, `ada/Report.java` and `bob.zip`:
///
/// | grouping | submissions |
/// |---|---|
/// | `child` | `ada` (2 documents), `bob.zip` (its entries) |
/// | `file` | `ada/Main.java`, `ada/Report.java`, `bob.zip!/…` for each entry |
/// | `root` | `a` (all documents) |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GroupBy {
    /// `auto`: `child` when one path is given; `root` when several are, since a shell turns
    /// `submissions/*` into several paths and each is then a submission.
    Auto,
    /// `child`: each file, folder or archive directly in a given folder; each top-level entry of
    /// a given archive, below its single wrapping folder if it has one. With several paths given,
    /// names start with the path's own: `2025/ada`.
    Child,
    /// `file`: each file and each archive entry.
    File,
    /// `root`: each given path as a whole, such as two code bases.
    Root,
}

impl GroupBy {
    /// Every choice with its name, in the order of the help text.
    pub const ALL: [(&'static str, GroupBy); 4] = [
        ("auto", GroupBy::Auto),
        ("child", GroupBy::Child),
        ("file", GroupBy::File),
        ("root", GroupBy::Root),
    ];

    /// What `auto` means for a number of given paths.
    pub(super) fn settle(self, n_paths: usize) -> GroupBy {
        match self {
            GroupBy::Auto if n_paths == 1 => GroupBy::Child,
            GroupBy::Auto => GroupBy::Root,
            chosen => chosen,
        }
    }
}

/// What to take from the given paths, and how to group it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// What one submission is. A manifest given as the only path says so itself.
    pub group_by: GroupBy,
    /// If not empty, only files that fit one of these are read. Archives are always opened.
    pub include: Vec<Glob>,
    /// Files and archives that fit one of these are not read.
    pub exclude: Vec<Glob>,
}

impl Options {
    /// Everything, grouped by [`GroupBy::Auto`].
    pub fn everything() -> Options {
        Options { group_by: GroupBy::Auto, include: Vec::new(), exclude: Vec::new() }
    }

    /// Why a file at `path` in its submission is left out before it is opened.
    pub(super) fn excludes(&self, path: &str) -> Option<&'static str> {
        self.exclude.iter().any(|glob| glob.matches(path)).then_some("left out by --exclude")
    }

    /// Why a file that is no archive is left out.
    pub(super) fn does_not_include(&self, path: &str) -> Option<&'static str> {
        let taken = self.include.is_empty() || self.include.iter().any(|glob| glob.matches(path));
        (!taken).then_some("not asked for by --include")
    }
}

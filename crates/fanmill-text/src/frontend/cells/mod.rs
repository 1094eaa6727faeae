//! Documents that mix prose and code: each notation gives its cells, and front ends read these.
//!
//! A notation is recognised by the document's name, and then by its content: Markdown without code has no cells, and is
//! read as a whole.
//!
//! Cost: O(n), with a copy of the text.

mod cell;
mod lines;
mod jupyter;
mod fences;
mod latex;
mod literate;
mod joined;

use super::decoded::Decoded;

pub use cell::{Cell, CellKind};
pub use joined::{CellText, each, join};

/// A way to write prose and code in one document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Notation {
    /// A Jupyter notebook.
    Notebook,
    /// Markdown with fenced code, R Markdown and Quarto.
    Markdown,
    /// The text of a MATLAB live script: Markdown whose code is in MATLAB.
    LiveScript,
    /// LaTeX with listings.
    Latex,
    /// LaTeX with chunks of R.
    Sweave,
    /// Literate Haskell.
    LiterateHaskell,
}

impl Notation {
    /// Every notation.
    pub const ALL: [Notation; 6] = [
        Notation::Notebook,
        Notation::Markdown,
        Notation::LiveScript,
        Notation::Latex,
        Notation::Sweave,
        Notation::LiterateHaskell,
    ];

    /// Returns the language of its documents in reports.
    pub fn name(self) -> &'static str {
        match self {
            Notation::Notebook => "notebook",
            Notation::Markdown => "markdown with code",
            Notation::LiveScript => "live script",
            Notation::Latex => "latex with code",
            Notation::Sweave => "sweave",
            Notation::LiterateHaskell => "literate haskell",
        }
    }

    /// Returns the notation whose documents have this language in reports.
    pub fn from_name(name: &str) -> Option<Notation> {
        Notation::ALL.into_iter().find(|notation| notation.name() == name)
    }

    /// Returns the extensions of its documents, in lower case.
    fn extensions(self) -> &'static [&'static str] {
        match self {
            Notation::Notebook => &["ipynb"],
            Notation::Markdown => &["markdown", "md", "mdown", "mdx", "qmd", "rmarkdown", "rmd"],
            Notation::LiveScript => &["mlx"],
            Notation::Latex => &["latex", "ltx", "tex"],
            Notation::Sweave => &["rnw", "snw"],
            Notation::LiterateHaskell => &["lhs"],
        }
    }

    /// Returns the notation that the name of a document claims.
    pub fn from_path(path: &str) -> Option<Notation> {
        let extension = path.rsplit(['/', '\\']).next()?.rsplit_once('.')?.1.to_lowercase();
        let claims = |notation: &Notation| notation.extensions().contains(&&*extension);
        Notation::ALL.into_iter().find(claims)
    }

    /// Returns the name of the front end for the prose of its documents. Its version says whether they were read cell by
    /// cell.
    pub fn prose(self) -> &'static str {
        match self {
            Notation::Notebook | Notation::Markdown | Notation::LiveScript => "markdown",
            Notation::Latex | Notation::Sweave | Notation::LiterateHaskell => "latex",
        }
    }

    /// Returns the cells of a document, in order; `None` if it has no code that is marked as such, and is read as a
    /// whole.
    ///
    /// # Errors
    /// If the document is not what its name says. The reason is in lower case, for a notice.
    pub fn cells(self, document: &Decoded<'_>) -> Result<Option<Vec<Cell>>, String> {
        let text = &*document.text;
        Ok(match self {
            Notation::Notebook => Some(jupyter::cells(text)?),
            Notation::Markdown => fences::cells(text, None),
            Notation::LiveScript => fences::cells(text, Some("matlab")),
            Notation::Latex => latex::cells(text),
            Notation::Sweave => latex::sweave(text),
            Notation::LiterateHaskell => literate::cells(text),
        })
    }
}

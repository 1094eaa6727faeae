//! Documents that mix prose and code: each notation gives its cells, and front ends read these.
//!
//! A notation is recognised by the document's name, and then by its content: Markdown without code has no cells, and is
//! read as a whole. Most notations mark the code; in reports it is found by its looks.
//!
//! Cost: O(n), with a copy of the text.

mod cell;
mod lines;
mod jupyter;
mod fences;
mod latex;
mod literate;
mod report;
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
    /// The text of a word processor's document or of PDF: prose with lines of code.
    Report,
}

impl Notation {
    /// Every notation.
    pub const ALL: [Notation; 7] = [
        Notation::Notebook,
        Notation::Markdown,
        Notation::LiveScript,
        Notation::Latex,
        Notation::Sweave,
        Notation::LiterateHaskell,
        Notation::Report,
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
            Notation::Report => "document with code",
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
            Notation::Report => &["doc", "docm", "docx", "dotx", "odt", "pdf", "rtf"],
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
            Notation::Report => "words",
        }
    }

    /// Returns whether form feeds in its documents separate pages.
    pub fn has_pages(self) -> bool {
        self == Notation::Report
    }

    /// Returns the cells of a document, in order; `None` if no code is marked or found in it, and it is read as a whole.
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
            Notation::Report => report::cells(text),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::decode;
    use crate::frontend::offset_map::narrow;
    use crate::frontend::words::Words;
    use crate::span::Span;
    use proptest::prelude::*;

    fn texts(notation: Notation, bytes: &[u8]) -> Option<Vec<CellText<'static>>> {
        let document = decode(bytes);
        let cells = notation.cells(&document).ok()??;
        Some(join(&cells, &document, &|_| &Words))
    }

    #[test]
    fn names_decide_and_lead_back() {
        for (path, want) in [
            ("a/b.IPYNB", Some(Notation::Notebook)),
            ("b.Rmd", Some(Notation::Markdown)),
            ("x.qmd", Some(Notation::Markdown)),
            ("a.tex", Some(Notation::Latex)),
            ("a.Rnw", Some(Notation::Sweave)),
            ("Queue.lhs", Some(Notation::LiterateHaskell)),
            ("a.mlx", Some(Notation::LiveScript)),
            ("lab/Report.DOCX", Some(Notation::Report)),
            ("a.rmd/b.txt", None),
            ("md", None),
        ] {
            assert_eq!(Notation::from_path(path), want, "{path}");
        }
        for notation in Notation::ALL {
            assert_eq!(Notation::from_name(notation.name()), Some(notation));
        }
    }

    #[test]
    fn a_text_has_all_cells_of_its_front_end() {
        let found = texts(Notation::Markdown, b"one\n```c\n\"x\n```\ntwo\n~~~\ny").expect("code");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].text.as_str(), "one\n\"x\ntwo\ny");
        assert_eq!(
            (&found[0].pieces, &found[0].starts),
            (&vec![0..4, 4..7, 7..11, 11..12], &vec![0, 4, 7, 11])
        );
        let document = decode("a\n```c\nx\n```\nb\n```c\ny\n```\nc\n".as_bytes());
        let cells = Notation::Markdown.cells(&document).expect("no notebook").expect("code");
        let code: Vec<Cell> =
            cells.iter().filter(|cell| cell.kind == CellKind::Code).cloned().collect();
        let prose: Vec<Cell> =
            cells.iter().filter(|cell| cell.kind != CellKind::Code).cloned().collect();
        let read = |cells: &[Cell]| join(cells, &document, &|_| &Words).remove(0);
        assert_eq!((read(&code).text.as_str(), read(&code).pieces), ("x\ny\n", vec![0..2, 2..4]));
        // Prose is read on from one cell to the next.
        assert_eq!((read(&prose).text.as_str(), read(&prose).pieces.len()), ("a\nb\nc\n", 1));
        assert_eq!(each(&cells, &document, &|_| &Words).len(), 5);
    }

    #[test]
    fn spans_point_into_the_file() {
        let notebook = r#"{"cells": [{"source": ["Tit\u006ce\n", "see \"x\""]},
            {"cell_type": "code", "source": "wo\u200Brd = '\ud83e\udd80'\nprint(x)"}]}"#;
        let markdown = "Grün wo\u{200B}rd\n```r\nprint(x)\n```\nsee\n";
        for (notation, file, words) in [
            (
                Notation::Notebook,
                notebook,
                &[
                    ("Title", r"Tit\u006ce"),
                    ("see \"", r#"see \""#),
                    ("🦀", r"\ud83e\udd80"),
                    ("print", "print"),
                    ("word", r"wo\u200Brd"),
                ][..],
            ),
            (
                Notation::Markdown,
                markdown,
                &[("word", "wo\u{200B}rd"), ("print", "print"), ("see", "see")],
            ),
        ] {
            for mark in ["", "\u{FEFF}"] {
                let file = format!("{mark}{file}");
                let text = texts(notation, file.as_bytes()).expect("code").remove(0);
                for &(word, original) in words {
                    let at = text.text.as_str().find(word).expect("it is there");
                    let mut spans = [Span::new(narrow(at), narrow(at + word.len()))];
                    text.text.spans_to_original(&mut spans);
                    assert_eq!(&file[spans[0].range()], original);
                }
            }
        }
    }

    #[test]
    fn a_notebook_in_utf_16_is_read() {
        let notebook = r#"{"cells": [{"source": "one"}]}"#;
        let bytes: Vec<u8> =
            format!("\u{FEFF}{notebook}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(texts(Notation::Notebook, &bytes).expect("cells")[0].text.as_str(), "one");
    }

    #[test]
    fn hostile_texts_take_no_time() {
        for part in [
            "```\n",
            "\\lstset{",
            "\\begin{lstlisting}[",
            "\\begin{minted}{",
            "<<",
            "<<>>=\n",
            "> \n",
            "\\begin{code}\n",
            "---\n",
            "`",
        ] {
            let text = part.repeat((1 << 20) / part.len());
            for notation in Notation::ALL {
                let _ = texts(notation, text.as_bytes());
            }
        }
    }

    proptest! {
        #[test]
        fn no_bytes_panic(
            parts in prop::collection::vec(prop::sample::select(vec![
                "```", "~~~~", "{r}", "\n", "\r", "> ", "x", " ", "<<a>>=", "@", "\\", "%", "\\begin{lstlisting}", "[language=C]",
                "\\end{lstlisting}", "\\begin{minted}", "{", "}", "\\lstset{language={[Sharp]C}}", "\\begin{code}", "\\end{code}",
                "---", "ﬁ", "\u{200B}", "é", "{\"cells\":[{\"source\":", "\"\\ud800", "\"", "]}",
            ]), 0..40),
            which in prop::sample::select(Notation::ALL.to_vec()),
        ) {
            let bytes = parts.concat().into_bytes();
            for text in texts(which, &bytes).into_iter().flatten() {
                let source = text.text.as_str();
                let pieces = &text.pieces;
                prop_assert_eq!(pieces.first().map_or(0, |piece| piece.start), 0);
                prop_assert_eq!(pieces.last().map_or(source.len(), |piece| piece.end), source.len());
                for piece in pieces {
                    prop_assert!(source.get(piece.clone()).is_some());
                }
                prop_assert!(pieces.windows(2).all(|two| two[0].end == two[1].start));
                prop_assert!(text.starts.is_sorted() && pieces.iter().all(|piece| text.starts.contains(&piece.start)));
                let mut tokens = crate::token::Tokens::default();
                text.front_end.tokenize(source, &mut tokens);
                text.text.to_original(&mut tokens);
                prop_assert!(tokens.spans.iter().all(|span| bytes.get(span.range()).is_some()));
                prop_assert!(tokens.spans.windows(2).all(|two| two[0].start <= two[1].start));
            }
        }
    }
}

//! LaTeX with listings, and Sweave: LaTeX with chunks of R.
//!
//! The bodies of `lstlisting` (package `listings`) and `minted` are code. `language=` of the listing or of the last
//! `\lstset` names the language of the first, and the last argument that of the second. A chunk of Sweave begins with a
//! line `<<…>>=` and ends with a line that begins with `@`, or with the next chunk; its language is R unless its option
//! `engine` says otherwise. Lines that begin or end code are neither prose nor code.
//!
//! Cost: O(n), one pass; two for Sweave.
//! Source: `listings` 1.10, §2.4 and §4.2 (`language`); `minted` 3, "Basic usage"; Sweave's manual, §2.1; knitr 1.48, `knit_patterns`.

use std::ops::Range;

use memchr::memmem;

use super::cell::{Cell, CellBuilder, CellKind};
use super::lines::lines;

/// Number of bytes of options that are read; more are no options but a bracket that was forgotten.
const OPTIONS: usize = 1 << 10;

/// Returns the cells of a text in LaTeX; `None` if it has no listing.
pub(super) fn cells(text: &str) -> Option<Vec<Cell>> {
    let mut cells = CellBuilder::new(text, CellKind::Latex);
    Listings { text, default: None }.read(0..text.len(), &mut cells);
    cells.finish()
}

/// Returns the cells of a text of Sweave; `None` if it has neither chunk nor listing.
pub(super) fn sweave(text: &str) -> Option<Vec<Cell>> {
    let mut cells = CellBuilder::new(text, CellKind::Latex);
    let mut listings = Listings { text, default: None };
    let (mut prose, mut chunk) = (0..0, None::<(String, Vec<Range<usize>>)>);
    for line in lines(text, 0..text.len()) {
        let content = &text[line.clone()];
        let begun = chunk_language(content);
        if begun.is_none() && chunk.is_none() {
            prose.end = line.end;
            continue;
        }
        if let Some(language) = begun {
            listings.read(prose, &mut cells);
            if let Some((language, lines)) = chunk.replace((language, Vec::new())) {
                cells.code(Some(language), lines);
            }
        } else if ends_chunk(content) {
            if let Some((language, lines)) = chunk.take() {
                cells.code(Some(language), lines);
            }
        } else if let Some((_, lines)) = chunk.as_mut().filter(|_| !is_reference(content)) {
            lines.push(line.clone());
        }
        prose = line.end..line.end;
    }
    listings.read(prose, &mut cells);
    if let Some((language, lines)) = chunk {
        cells.code(Some(language), lines);
    }
    cells.finish()
}

/// Returns the language of the chunk that a line begins; `None` if it begins none.
fn chunk_language(line: &str) -> Option<String> {
    let options = line.strip_prefix("<<")?;
    let options = &options[..options.find(">>=")?];
    let engine = options.split([',', ' ']).find_map(|option| option.strip_prefix("engine="));
    Some(engine.map_or("r", |engine| engine.trim_matches(['"', '\''])).to_lowercase())
}

/// Returns whether a line ends a chunk: `@`, alone or before a comment.
fn ends_chunk(line: &str) -> bool {
    let rest = line.strip_prefix('@');
    rest.is_some_and(|rest| rest.trim_start().is_empty() || rest.starts_with([' ', '\t', '%']))
}

/// Returns whether a line of a chunk refers to another chunk: `<<name>>`.
fn is_reference(line: &str) -> bool {
    let line = line.trim();
    line.starts_with("<<") && line.ends_with(">>")
}

/// A reader of listings.
struct Listings<'a> {
    text: &'a str,
    /// The language that `\lstset` named last.
    default: Option<String>,
}

impl Listings<'_> {
    /// Appends the prose and the listings of a stretch of the text.
    fn read(&mut self, range: Range<usize>, cells: &mut CellBuilder<'_>) {
        let (mut at, mut prose) = (range.start, range.start);
        let bytes = &self.text.as_bytes()[..range.end];
        while let Some(found) = memchr::memchr2(b'\\', b'%', &bytes[at..]) {
            at += found;
            if bytes[at] == b'%' {
                at = memchr::memchr(b'\n', &bytes[at..]).map_or(range.end, |end| at + end);
                continue;
            }
            let rest = &self.text[at..range.end];
            if let Some(options) = rest.strip_prefix("\\lstset").and_then(|rest| group(rest, '{')) {
                self.default = option(options).or(self.default.take());
            }
            let Some(listing) = self.listing(rest) else {
                // A backslash takes the meaning from the sign after it.
                at = (at + 2).min(range.end);
                continue;
            };
            cells.prose(prose..at);
            let body = at + listing.body.start..at + listing.body.end;
            cells.code(listing.language, [body]);
            at += listing.end;
            prose = at;
        }
        cells.prose(prose..range.end);
    }

    /// Reads the listing that `text` begins with.
    fn listing(&self, text: &str) -> Option<Listing> {
        let environment = text.strip_prefix("\\begin{")?;
        let (language, rest, end) = if let Some(rest) = environment.strip_prefix("lstlisting}") {
            let options = group(rest, '[');
            let named = options.and_then(option).or_else(|| self.default.clone());
            (named, &rest[options.map_or(0, |options| options.len() + 2)..], "\\end{lstlisting}")
        } else {
            let rest = environment.strip_prefix("minted}")?;
            let options = group(rest, '[').map_or(0, |options| options.len() + 2);
            let name = group(&rest[options..], '{')?;
            let rest = &rest[options + name.len() + 2..];
            (Some(name.trim().to_lowercase()), rest, "\\end{minted}")
        };
        let start = text.len() - rest.len();
        let body = memmem::find(rest.as_bytes(), end.as_bytes());
        let (len, end) = body.map_or((rest.len(), 0), |len| (len, end.len()));
        Some(Listing { language, body: start..start + len, end: start + len + end })
    }
}

/// A listing, with places from its beginning.
struct Listing {
    language: Option<String>,
    body: Range<usize>,
    end: usize,
}

/// Returns the inside of the brackets that `text` begins with; `None` if it begins with something else, or they are
/// not closed soon.
fn group(text: &str, open: char) -> Option<&str> {
    let inner = text.strip_prefix(open)?;
    let close = if open == '{' { b'}' } else { b']' };
    let mut depth = 0_usize;
    let at = inner.bytes().take(OPTIONS).position(|byte| {
        let is_end = depth == 0 && byte == close;
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_end
    })?;
    Some(&inner[..at])
}

/// Returns the value of `language`, in lower case: `language=C++`, `language={[Sharp]C}`.
fn option(options: &str) -> Option<String> {
    let mut rest = options;
    let value = loop {
        let at = rest.find("language")?;
        let is_whole = !rest[..at].ends_with(|c: char| c.is_alphanumeric());
        rest = &rest[at + "language".len()..];
        if let Some(value) = rest.trim_start().strip_prefix('=').filter(|_| is_whole) {
            break value.trim_start();
        }
    };
    let value = value.trim_start_matches('{').trim_start();
    let (dialect, name) = match value.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((dialect, name)) => (dialect.trim().to_lowercase(), name),
        None => (String::new(), value),
    };
    let end = name.find(|c: char| matches!(c, ',' | '}' | ']') || c.is_control());
    let name = name[..end.unwrap_or(name.len())].trim().to_lowercase();
    let name = match (dialect.as_str(), name.as_str()) {
        ("sharp", "c") => "csharp".to_owned(),
        ("objective", "c") => "objective-c".to_owned(),
        ("visual", _) => format!("visual {name}"),
        _ => name,
    };
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns each cell as its language, or `-` for prose, and its text.
    fn shown(cells: Option<Vec<Cell>>) -> Vec<(String, String)> {
        let of = |cell: Cell| match cell.kind {
            CellKind::Code => (cell.language.unwrap_or_default(), cell.source),
            _ => ("-".to_owned(), cell.source),
        };
        cells.into_iter().flatten().map(of).collect()
    }

    fn pairs<const N: usize>(cells: [(&str, &str); N]) -> Vec<(String, String)> {
        cells.map(|(language, text)| (language.to_owned(), text.to_owned())).to_vec()
    }

    #[test]
    fn listings_and_their_languages() {
        let text = "A\n\\begin{lstlisting}[caption={[x] y}, language=Java]\nint a;\n\\end{lstlisting} b\n\
                    \\lstset{basicstyle=\\ttfamily, language={[Sharp]C}}\n\\begin{lstlisting}\nvar c;\n\\end{lstlisting}\n\
                    \\begin{minted}[linenos]{Python}\nd = 1\n\\end{minted}";
        let want = [
            ("-", "A\n"),
            ("java", "\nint a;\n"),
            ("-", " b\n\\lstset{basicstyle=\\ttfamily, language={[Sharp]C}}\n"),
            ("csharp", "\nvar c;\n"),
            ("-", "\n"),
            ("python", "\nd = 1\n"),
        ];
        assert_eq!(shown(cells(text)), pairs(want));
        assert_eq!(cells("\\begin{verbatim} x \\end{verbatim}"), None);
    }

    #[test]
    fn comments_hold_no_listings() {
        let begin = "\\begin{lstlisting}\nx\n\\end{lstlisting}";
        assert_eq!(cells(&format!("% {begin}").replace('\n', " ")), None);
        assert_eq!(shown(cells(&format!("5\\% {begin}")))[1], pairs([("", "\nx\n")])[0]);
    }

    #[test]
    fn an_open_listing_reaches_to_the_end() {
        let open = "\\begin{lstlisting}[language=C\nx";
        assert_eq!(shown(cells(open)), pairs([("", "[language=C\nx")]));
    }

    #[test]
    fn chunks_of_sweave() {
        let text = "T $x$\n<<fit, echo=FALSE>>=\na <- 1\n<<other>>\n@ % end\nu\n<<engine='python'>>=\nb = 2\n<<>>=\nc\n@\n\
                    v @ w\n\\begin{minted}{c}\nd;\n\\end{minted}\n";
        let want = [
            ("-", "T $x$\n"),
            ("r", "a <- 1\n"),
            ("-", "u\n"),
            ("python", "b = 2\n"),
            ("r", "c\n"),
            ("-", "v @ w\n"),
            ("c", "\nd;\n"),
            ("-", "\n"),
        ];
        assert_eq!(shown(sweave(text)), pairs(want));
        assert_eq!(shown(sweave("<<>>=\nx")), pairs([("r", "x")]));
        assert_eq!(sweave("a @ b\n@\n"), None);
    }
}

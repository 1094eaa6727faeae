//! Literate Haskell: code is what is marked, and all else is prose.
//!
//! Lines that begin with `>` are code, and so are those between a line `\begin{code}` and a line `\end{code}`.
//!
//! Cost: O(n), one pass.
//! Source: The Haskell 2010 Language Report, §10.4.

use std::ops::Range;

use super::cell::{Cell, CellBuilder, CellKind};
use super::lines::lines;

/// Commands of which a text in LaTeX has at least one.
const LATEX: [&str; 4] = ["\\documentclass", "\\section", "\\begin{document}", "\\emph{"];

/// Returns the cells of a text; `None` if it has no code.
pub(super) fn cells(text: &str) -> Option<Vec<Cell>> {
    let is_latex = LATEX.iter().any(|command| text.contains(command));
    let prose = if is_latex { CellKind::Latex } else { CellKind::Markdown };
    let mut cells = CellBuilder::new(text, prose);
    let (mut code, mut is_block) = (Vec::new(), false);
    for line in lines(text, 0..text.len()) {
        let content = &text[line.clone()];
        if is_block && content.starts_with("\\end{code}") {
            is_block = false;
            flush(&mut code, &mut cells);
        } else if is_block {
            code.push(line);
        } else if content.starts_with("\\begin{code}") {
            flush(&mut code, &mut cells);
            is_block = true;
        } else if content.starts_with('>') {
            code.push(line.start + 1..line.end);
        } else {
            flush(&mut code, &mut cells);
            cells.prose(line);
        }
    }
    flush(&mut code, &mut cells);
    cells.finish()
}

/// Appends the lines of code so far, if there are any.
fn flush(code: &mut Vec<Range<usize>>, cells: &mut CellBuilder<'_>) {
    if !code.is_empty() {
        cells.code(Some("haskell".to_owned()), code.drain(..));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_marking_code() {
        let text = "Prose > this.\n\n> f x =\n>   x\n>\nMore.\n\\begin{code}\ng = 1\n> 2\n\\end{code}\nEnd.\n";
        let found = cells(text).expect("code");
        let found: Vec<_> =
            found.iter().map(|cell| (cell.language.as_deref(), cell.source())).collect();
        let want = [
            (None, "Prose > this.\n\n"),
            (Some("haskell"), " f x =\n   x\n\n"),
            (None, "More.\n"),
            (Some("haskell"), "g = 1\n> 2\n"),
            (None, "End.\n"),
        ];
        assert_eq!(found, want);
        assert_eq!(cells("Only prose."), None);
        assert_eq!(cells("\\emph{x}\n> y").expect("code")[0].kind, CellKind::Latex);
        assert_eq!(cells("x\n> y").expect("code")[0].kind, CellKind::Markdown);
    }
}

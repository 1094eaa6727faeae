//! MATLAB live scripts: text and code in the order in which they were written.
//!
//! A live script is a package like a Word document, with paragraphs in `matlab/document.xml`; those in the style `code` are
//! the program. Code paragraphs that follow each other are written as one fenced block, other paragraphs as lines of prose,
//! so that the text is Markdown and its code can be read as code. Outputs (`matlab/output.xml`) are left out: they follow
//! from the program. Alternative contents repeat a paragraph for older releases, so their fallback is not read.
//!
//! Cost: O(n) in the part.
//! Source: MATLAB Programming Fundamentals, "Live Code File Format (.mlx)"; ECMA-376-1, §17.3 (paragraphs and runs).

use super::draft::{Draft, LineTarget};
use super::package::Package;
use super::xml::{self, Element, Ending, Handler};
use crate::extracted::{Flag, ReadFailure};

/// The part with the paragraphs.
const MAIN: &str = "matlab/document.xml";

/// Returns whether an entry, by its name in lower case, is a part of a live script.
pub(super) fn is_part(name: &str) -> bool {
    let folders = ["matlab/", "metadata/", "_rels/", "docprops/"];
    name == "[content_types].xml" || folders.iter().any(|folder| name.starts_with(folder))
}

/// Returns whether a package is a live script.
pub(super) fn is_live_script(package: &Package<'_>) -> bool {
    package.has(MAIN)
}

/// Reads the paragraphs of a live script.
pub(super) fn read(package: &mut Package<'_>, draft: &mut Draft) -> Result<(), ReadFailure> {
    let part = package.take(MAIN)?.unwrap_or_default();
    let mut paragraphs = Paragraphs::new(draft);
    let ending = xml::read(&part, &mut paragraphs);
    paragraphs.end_paragraph();
    paragraphs.end_code();
    if ending == Ending::Damaged {
        draft.flag(Flag::Damaged);
    }
    Ok(())
}

/// The reader of the paragraphs.
struct Paragraphs<'r> {
    draft: &'r mut Draft,
    /// The text of the open paragraph.
    text: String,
    /// The code of the paragraphs before it, if these are code.
    code: String,
    is_code: bool,
    /// Number of open elements `t`, whose text is that of the paragraph.
    n_texts: usize,
    /// Number of open elements, counted from the outermost one that is left out.
    n_left_out: usize,
}

impl Paragraphs<'_> {
    fn new(draft: &mut Draft) -> Paragraphs<'_> {
        let (text, code) = (String::new(), String::new());
        Paragraphs { draft, text, code, is_code: false, n_texts: 0, n_left_out: 0 }
    }

    fn end_paragraph(&mut self) {
        let text = std::mem::take(&mut self.text);
        if std::mem::take(&mut self.is_code) {
            self.code.push_str(text.trim_end());
            self.code.push('\n');
        } else if !text.trim().is_empty() {
            self.end_code();
            self.write(&text);
        }
    }

    /// Writes the code so far as a block. Its fence is longer than any in the code, which cannot end the block.
    fn end_code(&mut self) {
        let code = std::mem::take(&mut self.code);
        if !code.trim().is_empty() {
            let fences = code.lines().map(str::trim_start);
            let longest = fences.map(|line| line.len() - line.trim_start_matches('`').len()).max();
            let fence = "`".repeat(longest.map_or(3, |n| (n + 1).max(3)));
            self.write(&format!("{fence}matlab\n{}\n{fence}", code.trim_matches('\n')));
        }
    }

    fn write(&mut self, text: &str) {
        self.draft.open_line();
        self.draft.push(text);
        self.draft.close_line(LineTarget::Body);
    }
}

impl Handler for Paragraphs<'_> {
    fn open(&mut self, element: &Element<'_>) {
        if self.n_left_out > 0 || element.name() == "Fallback" {
            self.n_left_out += 1;
            return;
        }
        match element.name() {
            "p" => self.end_paragraph(),
            "pStyle" => self.is_code = element.get("val").as_deref() == Some("code"),
            "t" => self.n_texts += 1,
            "br" | "cr" => self.text.push('\n'),
            "tab" => self.text.push('\t'),
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        if self.n_left_out > 0 {
            self.n_left_out -= 1;
            return;
        }
        match name {
            "p" => self.end_paragraph(),
            "t" => self.n_texts = self.n_texts.saturating_sub(1),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.n_left_out == 0 && self.n_texts > 0 {
            self.text.push_str(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::made::zip;
    use super::super::{Format, Limits, read};

    fn live_script(body: &str) -> Vec<u8> {
        let document = format!("<w:document><w:body>{body}</w:body></w:document>");
        zip(&[
            ("[Content_Types].xml", "<Types/>"),
            ("matlab/document.xml", &document),
            ("matlab/output.xml", "<outputs>42</outputs>"),
        ])
    }

    fn paragraph(style: &str, text: &str) -> String {
        format!(
            "<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
        )
    }

    fn text(body: &str) -> String {
        let read =
            read(&live_script(body), &Limits::standard()).expect("read").expect("a document");
        assert_eq!(read.format, Format::Mlx);
        read.text
    }

    #[test]
    fn text_and_code_stand_in_order() {
        let body = [
            paragraph("title", "Springs &amp; masses"),
            paragraph("code", "<![CDATA[k = 3;\nx = k' * 2;\n]]>"),
            "<w:p><w:pPr><w:sectPr/></w:pPr></w:p>".to_owned(),
            paragraph("code", "plot(x)"),
            "<w:p><w:pPr><w:pStyle w:val=\"text\"/></w:pPr><w:r><w:t>Two </w:t></w:r><w:r><w:t>runs.</w:t></w:r></w:p>"
                .to_owned(),
            paragraph("code", "y = 1;"),
        ];
        let expected = "Springs & masses\n\n```matlab\nk = 3;\nx = k' * 2;\nplot(x)\n```\n\nTwo runs.\n\n```matlab\ny = 1;\n```\n";
        assert_eq!(text(&body.concat()), expected);
    }

    #[test]
    fn a_fence_in_the_code_does_not_end_it() {
        let found = text(&paragraph("code", "x = 1;\n```\ny = 2;"));
        assert_eq!(found, "````matlab\nx = 1;\n```\ny = 2;\n````\n");
    }

    #[test]
    fn alternatives_are_read_once() {
        let choice = paragraph("code", "a = 1;");
        let body = format!(
            "<mc:AlternateContent><mc:Choice>{choice}</mc:Choice><mc:Fallback>{choice}</mc:Fallback></mc:AlternateContent>"
        );
        assert_eq!(text(&body), "```matlab\na = 1;\n```\n");
    }

    #[test]
    fn a_cut_script_is_read_up_to_the_fault() {
        assert_eq!(
            text("<w:p><w:r><w:t>whole</w:t></w:r></w:p><w:p><w:r><w:t>cut"),
            "whole\n\ncut\n"
        );
    }
}

//! PDF documents made for tests.

/// A document under construction: pages of 600 × 800 points with Helvetica as `/F1`.
#[derive(Default)]
pub(super) struct PdfBuilder {
    pages: Vec<String>,
    /// Objects that pages can draw: name and body.
    drawn: Vec<(String, String)>,
    /// Further entries of the trailer.
    pub(super) trailer: String,
    /// Further objects, numbered from [`PdfBuilder::FIRST_FREE`].
    pub(super) objects: Vec<String>,
    /// Entries of the font that replace those of Helvetica.
    pub(super) font: Option<String>,
    /// Annotations of each page.
    pub(super) annotations: String,
    /// Further entries of the catalog, and of the resources that all pages have.
    pub(super) catalog: String,
    pub(super) resources: String,
}

impl PdfBuilder {
    /// The number of the first object of [`PdfBuilder::objects`].
    pub(super) const FIRST_FREE: usize = 1000;

    /// Adds a page with this content.
    pub(super) fn page(mut self, content: &str) -> PdfBuilder {
        self.pages.push(content.to_owned());
        self
    }

    /// Adds a page of lines of prose, 14 points apart.
    pub(super) fn prose(self, lines: &[&str]) -> PdfBuilder {
        let line = |(i, line): (usize, &&str)| text(50.0, 740.0 - 14.0 * i as f64, 11.0, line);
        let content: String = lines.iter().enumerate().map(line).collect();
        self.page(&content)
    }

    /// Adds something that pages draw by `/NAME Do`: entries of its dictionary, and its stream.
    pub(super) fn drawn(mut self, name: &str, entries: &str, stream: &str) -> PdfBuilder {
        self.drawn.push((name.to_owned(), streamed(entries, stream)));
        self
    }

    /// Adds a grey picture of 2 × 2 pixels as `/NAME Do`.
    pub(super) fn picture(self, name: &str) -> PdfBuilder {
        let entries = "/Type /XObject /Subtype /Image /Width 2 /Height 2 /BitsPerComponent 8 /ColorSpace /DeviceGray";
        self.drawn(name, entries, "@@@@")
    }

    /// Returns the bytes of the document.
    pub(super) fn finish(self) -> Vec<u8> {
        let n_pages = self.pages.len();
        // Objects 1 to 4 are shared. Each page has two objects from 10 on, and what pages draw follows them.
        let page_object = |i: usize| 10 + 2 * i;
        let first_drawn = page_object(n_pages);
        let kids: Vec<String> = (0..n_pages).map(|i| format!("{} 0 R", page_object(i))).collect();
        let kids = kids.join(" ");
        let names = self.drawn.iter().enumerate();
        let names = names.map(|(i, (name, _))| format!("/{name} {} 0 R", first_drawn + i));
        let names = names.collect::<Vec<_>>().join(" ");
        let helvetica = "/Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding";
        let font = self.font.as_deref().unwrap_or(helvetica);
        let mut objects = vec![
            (1, format!("<< /Type /Catalog /Pages 2 0 R {} >>", self.catalog)),
            (2, format!("<< /Type /Pages /Kids [{kids}] /Count {n_pages} >>")),
            (3, format!("<< /Type /Font {font} >>")),
            (4, format!("<< /Font << /F1 3 0 R >> /XObject << {names} >> {} >>", self.resources)),
        ];
        for (i, content) in self.pages.iter().enumerate() {
            let (page, stream) = (page_object(i), page_object(i) + 1);
            objects.push((
                page,
                format!("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources 4 0 R /Contents {stream} 0 R /Annots [{}] >>", self.annotations),
            ));
            objects.push((stream, streamed("", content)));
        }
        let drawn = self.drawn.into_iter().enumerate();
        objects.extend(drawn.map(|(i, (_, body))| (first_drawn + i, body)));
        let more = self.objects.into_iter().enumerate();
        objects.extend(more.map(|(i, body)| (PdfBuilder::FIRST_FREE + i, body)));
        written(&objects, &self.trailer)
    }
}

/// Draws text at a position, counted from the lower left corner.
pub(super) fn text(x: f64, y: f64, size: f64, text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '(' | ')' | '\\' => escaped.extend(['\\', c]),
            c if c.is_ascii() => escaped.push(c),
            // Outside ASCII, only the letters of Latin 1 are supported.
            c => escaped.extend(format!("\\{:03o}", c as u32 & 0xFF).chars()),
        }
    }
    format!("BT /F1 {size} Tf {x} {y} Td ({escaped}) Tj ET\n")
}

/// Returns a stream as an object.
pub(super) fn streamed(entries: &str, stream: &str) -> String {
    format!("<< {entries} /Length {} >>\nstream\n{stream}\nendstream", stream.len())
}

fn written(objects: &[(usize, String)], trailer: &str) -> Vec<u8> {
    let mut out = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".to_vec();
    let mut table = String::from("0 1\n0000000000 65535 f \n");
    for (number, body) in objects {
        table.extend([format!("{number} 1\n{:010} 00000 n \n", out.len())]);
        out.extend(format!("{number} 0 obj\n{body}\nendobj\n").into_bytes());
    }
    let start = out.len();
    let size = objects.iter().map(|(number, _)| number + 1).max().unwrap_or(1);
    let end = format!(
        "xref\n{table}trailer\n<< /Size {size} /Root 1 0 R {trailer} >>\nstartxref\n{start}\n%%EOF\n"
    );
    out.extend(end.into_bytes());
    out
}

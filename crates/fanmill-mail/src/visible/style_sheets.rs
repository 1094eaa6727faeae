//! Finds the style sheets of a page, and determines which of them are in force.
//!
//! Cost: O(n) in the page; a page without style sheets is only searched for `<`.
//! Source: WHATWG HTML Standard, "The style element" and "Link type stylesheet"; CSSOM, "CSS style sheet collections".

use fanmill_extract::html::begin;
use fanmill_extract::html::{NoScript, Reader, Tag, TagKind, attribute, read as read_html};

use super::media::{self, Applicability};
use super::property::Mode;
use super::rules::Rules;

/// Returns the rules of all style sheets of a page. They also apply to what comes before them.
pub(super) fn of(page: &str) -> Rules {
    let mode = if begin::has_quirks(page) { Mode::Quirks } else { Mode::Standards };
    let mut rules = Rules::new(mode);
    if has_style_sheet(page) {
        let collector = Collector { rules, current: None, text: String::new(), n_aside: 0 };
        let (mut collector, _) = read_html(page, NoScript::Markup, collector);
        collector.finish();
        rules = collector.rules;
    }
    rules
}

fn has_style_sheet(page: &str) -> bool {
    // An address that contains a style sheet has a comma, perhaps written as a character reference.
    let has_comma = memchr::memchr2(b',', b'&', page.as_bytes()).is_some();
    let mut tags = memchr::memchr_iter(b'<', page.as_bytes()).map(|at| &page.as_bytes()[at + 1..]);
    tags.any(|tag| {
        let starts = |name: &[u8]| {
            tag.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
        };
        starts(b"style") || has_comma && starts(b"link")
    })
}

/// The reader that collects the style sheets of a page.
struct Collector {
    rules: Rules,
    /// Conditions of the style sheet that is being read.
    current: Option<Applicability>,
    text: String,
    /// Number of open elements whose style sheets are in force only in some programs.
    n_aside: usize,
}

impl Collector {
    fn finish(&mut self) {
        if let Some(holds) = self.current.take() {
            self.rules.read(&std::mem::take(&mut self.text), holds);
        }
    }

    /// Returns when the style sheet of an element is in force. This is uncertain if it has another type, or a title, by
    /// which readers choose one of several.
    fn holds(&self, tag: &Tag) -> Applicability {
        let said = |name| attribute(tag, name).unwrap_or("").trim();
        let is_css = matches!(&*said("type").to_ascii_lowercase(), "" | "text/css");
        let is_in_force = is_css && said("title").is_empty() && self.n_aside == 0;
        let holds = media::applicability(&mut cssparser::Parser::new(said("media")));
        if is_in_force { holds } else { holds.and(Applicability::Sometimes) }
    }
}

impl Reader for Collector {
    fn tag(&mut self, tag: &Tag) {
        self.finish();
        match (&*tag.name, tag.kind) {
            ("style", TagKind::StartTag) => self.current = Some(self.holds(tag)),
            ("link", TagKind::StartTag) => {
                let kind = attribute(tag, "rel").unwrap_or("").to_ascii_lowercase();
                let address = attribute(tag, "href");
                if let Some(address) = address.filter(|_| kind.contains("stylesheet")) {
                    self.rules.import(address);
                    self.rules.read("", Applicability::Sometimes);
                }
            }
            ("template" | "noscript", TagKind::StartTag) => self.n_aside += 1,
            ("template" | "noscript", TagKind::EndTag) => {
                self.n_aside = self.n_aside.saturating_sub(1);
            }
            _ => {}
        }
    }

    fn text(&mut self, characters: &str) {
        if self.current.is_some() {
            self.text.push_str(characters);
        }
    }
}

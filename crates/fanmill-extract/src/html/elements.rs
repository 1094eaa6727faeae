//! Content of elements (markup or plain text), and the gaps between elements and their neighbours.
//!
//! Source: WHATWG HTML Standard, "Parsing HTML documents" (which elements switch the tokenizer), "Rendering"
//! (which elements are blocks).
//! Departs from it: a script ends at the first `</script`. In the standard it continues if `<!--` and a second
//! `<script` come before that; the guard before the tokenizer would need the standard's many script states for this.

use html5ever::tokenizer::states::RawKind;

use crate::html::flow::Gap;

/// Ways of reading the content of `<noscript>`, which is shown where scripts do not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoScript {
    /// As markup, like programs that do not run scripts.
    Markup,
    /// As plain text, tags included, like programs that run scripts.
    Text,
}

/// The kind of content of an element, up to its end tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ContentModel {
    Markup,
    /// Text without markup.
    Raw,
    /// Text without markup, but with character references.
    Escaped,
    /// Text without markup that runs to the end of the page.
    Plain,
}

impl ContentModel {
    /// Returns the kind of content of the element called `name`, in lower case.
    pub(crate) fn new(name: &str, no_script: NoScript) -> ContentModel {
        match name {
            "script" | "style" | "xmp" | "iframe" | "noembed" | "noframes" => ContentModel::Raw,
            "noscript" if no_script == NoScript::Text => ContentModel::Raw,
            "title" | "textarea" => ContentModel::Escaped,
            "plaintext" => ContentModel::Plain,
            _ => ContentModel::Markup,
        }
    }

    /// Returns the tokenizer's name for this kind, if the element has an end tag and contains no markup.
    pub(crate) fn raw_kind(self) -> Option<RawKind> {
        match self {
            ContentModel::Raw => Some(RawKind::Rawtext),
            ContentModel::Escaped => Some(RawKind::Rcdata),
            ContentModel::Markup | ContentModel::Plain => None,
        }
    }
}

/// Returns the gap between an element called `name`, in lower case, and its neighbours.
pub fn gap_around(name: &str) -> Gap {
    match name {
        "address" | "article" | "aside" | "blockquote" | "caption" | "center" | "details"
        | "dialog" | "dir" | "dl" | "fieldset" | "figcaption" | "figure" | "footer" | "form"
        | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "header" | "hgroup" | "hr" | "legend"
        | "listing" | "main" | "menu" | "nav" | "ol" | "p" | "plaintext" | "pre" | "section"
        | "summary" | "table" | "textarea" | "ul" | "xmp" => Gap::Paragraph,
        "br" | "dd" | "div" | "dt" | "li" | "optgroup" | "option" | "select" | "tbody"
        | "tfoot" | "thead" | "tr" => Gap::Line,
        "td" | "th" | "button" | "input" => Gap::Space,
        _ => Gap::Nothing,
    }
}

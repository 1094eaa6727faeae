//! What is inside of elements, markup or none, and what is around them.
//!
//! Source: WHATWG HTML Standard, "Parsing HTML documents" (who switches the tokenizer to what), "Rendering"
//! (which elements are blocks).
//! Departs from it: a script ends at the first `</script`. By the standard it goes on if `<!--` and a second `<script`
//! are before that, for which the guard before the tokenizer would need the standard's many states of scripts.

use html5ever::tokenizer::states::RawKind;

use crate::html::flow::Gap;

/// What stands in for scripts, inside of `<noscript>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoScript {
    /// Is read as any other markup: for who runs no scripts.
    Markup,
    /// Is one text, its tags included: for who does.
    Text,
}

/// What is inside of an element, up to its end tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inside {
    Markup,
    /// Text without markup.
    Raw,
    /// Text without markup, but with references.
    Escaped,
    /// Text without markup and without end.
    Plain,
}

impl Inside {
    /// Of the element called `name`, in lower case.
    pub(crate) fn of(name: &str, no_script: NoScript) -> Inside {
        match name {
            "script" | "style" | "xmp" | "iframe" | "noembed" | "noframes" => Inside::Raw,
            "noscript" if no_script == NoScript::Text => Inside::Raw,
            "title" | "textarea" => Inside::Escaped,
            "plaintext" => Inside::Plain,
            _ => Inside::Markup,
        }
    }

    /// What the tokenizer calls it, if it has an end tag and no markup.
    pub(crate) fn raw_kind(self) -> Option<RawKind> {
        match self {
            Inside::Raw => Some(RawKind::Rawtext),
            Inside::Escaped => Some(RawKind::Rcdata),
            Inside::Markup | Inside::Plain => None,
        }
    }
}

/// What an element called `name`, in lower case, ends before and after it, wherever it is shown.
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

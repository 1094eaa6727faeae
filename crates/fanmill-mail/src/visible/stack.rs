//! The elements that are open, and how text inside of them looks.
//!
//! Mail is full of tags that are never closed or closed in the wrong order, and where hidden text ends depends on what
//! a browser makes of that. What is followed of the standard: which elements end others by starting (`<p>`, `<li>`,
//! cells), that an end tag does not reach out of a cell, nor that of a plain element out of a block, and that
//! formatting (`<font>`, `<b>`) stays open when the block around it ends. What is not: content that is moved out of tables.
//!
//! Cost: a tag costs at most [`MAX_DEPTH`] steps, usually a few. Beyond that depth nothing is followed: from there on,
//! all text counts as visible, since not even the end of hidden text would be known.
//! Source: WHATWG HTML Standard, "The stack of open elements", "The list of active formatting elements", "in body".

use fanmill_html::LocalName;

use super::look::{Look, Own};
use super::selector::{Around, Names};
use super::variables::Variables;

/// As deep as elements are followed, like in browsers.
pub(super) const MAX_DEPTH: usize = 512;
/// As many formatting elements of the same kind stay open one inside of the other (the "Noah's Ark clause").
const MAX_SAME: usize = 3;
/// As far down they are looked for.
const NEAR: usize = 64;

/// What matters of an element's kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Stays open when what is around it ends: `<b>`.
    Formatting,
    /// Ends nothing outside of it but by its own name: `<span>`.
    Plain,
    /// An end tag of a plain element does not reach out of it: `<div>`.
    Block,
    /// No end tag of something else does: `<td>`.
    Wall,
}

fn kind(name: &str) -> Kind {
    match name {
        "a" | "b" | "big" | "code" | "em" | "font" | "i" | "nobr" | "s" | "small" | "strike"
        | "strong" | "tt" | "u" => Kind::Formatting,
        "caption" | "marquee" | "object" | "table" | "td" | "template" | "th" | "applet" => {
            Kind::Wall
        }
        "address" | "article" | "aside" | "blockquote" | "button" | "center" | "dd" | "details"
        | "dialog" | "dir" | "div" | "dl" | "dt" | "fieldset" | "figcaption" | "figure"
        | "footer" | "form" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "header" | "hgroup"
        | "li" | "listing" | "main" | "menu" | "nav" | "ol" | "p" | "plaintext" | "pre"
        | "section" | "select" | "summary" | "tbody" | "textarea" | "tfoot" | "thead" | "tr"
        | "ul" | "xmp" => Kind::Block,
        _ => Kind::Plain,
    }
}

/// Whether an element has no end tag and nothing inside.
pub(super) fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "basefont"
            | "bgsound"
            | "br"
            | "col"
            | "embed"
            | "frame"
            | "hr"
            | "img"
            | "input"
            | "keygen"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

/// What an element ends by starting: the innermost open one of these names, looked for down to a wall or one of
/// the others.
fn ended_by(name: &str) -> Option<(&'static [&'static str], &'static [&'static str])> {
    Some(match name {
        "li" => (&["li"], &["ul", "ol", "menu", "dir"]),
        "dd" | "dt" => (&["dd", "dt"], &["dl"]),
        "option" | "optgroup" => (&["option"], &["select"]),
        name if kind(name) == Kind::Block || name == "table" || name == "hr" => {
            (&["p"], &["button"])
        }
        _ => return None,
    })
}

/// How far inside of its table a part of one is.
fn rank(name: &str) -> Option<u8> {
    Some(match name {
        "table" => 0,
        "tbody" | "tfoot" | "thead" | "caption" => 1,
        "tr" => 2,
        "td" | "th" => 3,
        _ => return None,
    })
}

#[derive(Debug)]
struct Element {
    name: LocalName,
    kind: Kind,
    rank: Option<u8>,
    own: Own,
    look: Look,
    names: Names,
    /// Elements inside of it so far, not those inside of these.
    n_children: usize,
}

/// The open elements, the innermost last.
#[derive(Debug)]
pub(super) struct Stack {
    html: Outermost,
    body: Outermost,
    /// How text looks in the body.
    root: Look,
    elements: Vec<Element>,
    n_deep: usize,
}

/// `<html>` or `<body>`, which are around everything, wherever their tags are; the first one counts.
#[derive(Debug)]
struct Outermost {
    own: Own,
    names: Names,
    has_tag: bool,
    n_children: usize,
}

impl Outermost {
    fn new(name: &str) -> Outermost {
        let names = Names::of_name(name);
        Outermost { own: Own::default(), names, has_tag: false, n_children: 0 }
    }

    fn take(&mut self, own: Own, names: Names) -> bool {
        let is_first = !std::mem::replace(&mut self.has_tag, true);
        if is_first {
            (self.own, self.names) = (own, names);
        }
        is_first
    }
}

impl Around for Stack {
    fn around(&self, n: usize) -> Option<&Names> {
        match n.checked_sub(self.elements.len()) {
            None => Some(&self.elements[self.elements.len() - 1 - n].names),
            Some(0) => Some(&self.body.names),
            Some(1) => Some(&self.html.names),
            Some(_) => None,
        }
    }
}

/// What is around the body.
#[derive(Debug)]
pub(super) struct AroundBody<'s>(&'s Stack);

impl Around for AroundBody<'_> {
    fn around(&self, n: usize) -> Option<&Names> {
        (n == 0).then_some(&self.0.html.names)
    }
}

impl Stack {
    pub(super) fn new() -> Stack {
        Stack {
            html: Outermost::new("html"),
            body: Outermost::new("body"),
            root: Look::ROOT,
            elements: Vec::new(),
            n_deep: 0,
        }
    }

    /// How many elements were too deep.
    pub(super) fn n_deep(&self) -> usize {
        self.n_deep
    }

    /// How text looks here.
    pub(super) fn look(&self) -> Look {
        match self.elements.last() {
            _ if self.n_deep > 0 => Look::ROOT,
            Some(element) => element.look,
            None => self.root,
        }
    }

    /// The names that stand for values here.
    pub(super) fn variables(&self) -> &Variables {
        match self.elements.last() {
            Some(element) => &element.own.variables,
            None => &self.body.own.variables,
        }
    }

    /// The names that stand for values around the body.
    pub(super) fn variables_of_html(&self) -> &Variables {
        &self.html.own.variables
    }

    /// What is around the body.
    pub(super) fn around_body(&self) -> AroundBody<'_> {
        AroundBody(self)
    }

    /// Counts an element that starts here, and says the how manieth of those around it it is, from 1.
    pub(super) fn place_of_next(&mut self) -> usize {
        let n_children = match self.elements.last_mut() {
            Some(element) => &mut element.n_children,
            None => &mut self.body.n_children,
        };
        *n_children += 1;
        *n_children
    }

    /// Whether what starts here is directly inside of details of which only the summary is seen.
    pub(super) fn is_in_closed_details(&self) -> bool {
        let around = self.elements.last();
        around.is_some_and(|element| &*element.name == "details" && element.own.is_closed())
    }

    /// The style of the page, as far as it is known without a tag.
    pub(super) fn begin(&mut self, html: Own, body: Own) {
        (self.html.own, self.body.own) = (html, body);
        self.root = Look::ROOT.with(&self.html.own).with(&self.body.own);
    }

    /// Takes the tag `<html>`.
    pub(super) fn html(&mut self, own: Own, names: Names) {
        if self.html.take(own, names) {
            self.look_at_all();
        }
    }

    /// Takes the tag `<body>`.
    pub(super) fn body(&mut self, own: Own, names: Names) {
        if self.body.take(own, names) {
            self.look_at_all();
        }
    }

    fn look_at_all(&mut self) {
        self.root = Look::ROOT.with(&self.html.own).with(&self.body.own);
        self.look_again(0);
    }

    /// Ends what an element ends by starting.
    pub(super) fn make_way(&mut self, name: &LocalName) {
        if self.n_deep > 0 {
            return;
        }
        if let Some(own) = rank(name).filter(|&own| own > 0) {
            // Parts of a table that cannot be around it end, with all that is open in them.
            let table = self.elements.iter().rposition(|element| element.rank == Some(0));
            let Some(from) = table.map(|at| at + 1) else { return };
            let ends = |element: &Element| element.rank.is_some_and(|other| other >= own);
            if let Some(at) = self.elements[from..].iter().position(ends) {
                self.elements.truncate(from + at);
            }
            return;
        }
        if &**name == "table" {
            // A table that is not in a cell of the one around it ends that.
            let around = self.elements.iter().rposition(|element| element.rank.is_some());
            let is_no_cell = |&at: &usize| {
                self.elements[at].rank < Some(3) && &*self.elements[at].name != "caption"
            };
            if let Some(around) = around.filter(is_no_cell) {
                let table =
                    self.elements[..=around].iter().rposition(|outer| outer.rank == Some(0));
                self.elements.truncate(table.unwrap_or(around));
            }
        }
        if let Some((ended, stops)) = ended_by(name) {
            for at in (0..self.elements.len()).rev() {
                let element = &self.elements[at];
                if ended.contains(&&*element.name) {
                    return self.close(at);
                }
                if element.kind == Kind::Wall || stops.contains(&&*element.name) {
                    return;
                }
            }
        }
    }

    /// Opens an element.
    pub(super) fn start(&mut self, name: &LocalName, own: Own, names: Names) {
        if self.n_deep > 0 || self.elements.len() == MAX_DEPTH {
            self.n_deep += 1;
            return;
        }
        // Parts of a table are nothing without one.
        let is_lost = rank(name).is_some_and(|own| own > 0)
            && !self.elements.iter().any(|element| element.rank == Some(0));
        if is_lost {
            return;
        }
        if kind(name) == Kind::Formatting {
            self.keep_few(name, &own);
        }
        // Like browsers for pages without a document type, which is what mail is: colours of text do not go into tables.
        let around = if &**name == "table" { self.look().of_table(self.root) } else { self.look() };
        let (kind, rank, look) = (kind(name), rank(name), around.with(&own));
        let name = name.clone();
        self.elements.push(Element { name, kind, rank, own, look, names, n_children: 0 });
    }

    /// Closes the outermost of the same formatting elements if there are too many near by.
    fn keep_few(&mut self, name: &LocalName, own: &Own) {
        let near = self.elements.iter().enumerate().rev().take(NEAR);
        let near = near.take_while(|(_, element)| element.kind != Kind::Wall);
        let mut same = near.filter(|(_, element)| element.name == *name && element.own == *own);
        if let Some((at, _)) = same.nth(MAX_SAME - 1) {
            self.remove(at);
        }
    }

    /// Closes the element that an end tag belongs to, if there is one.
    pub(super) fn end(&mut self, name: &LocalName) {
        if self.n_deep > 0 {
            return;
        }
        let (kind_of_end, rank_of_end) = (kind(name), rank(name));
        for at in (0..self.elements.len()).rev() {
            let element = &self.elements[at];
            if element.name == *name {
                if kind_of_end == Kind::Formatting {
                    return self.remove(at);
                }
                return self.close(at);
            }
            let stops = match element.kind {
                // The end of a row ends its cells, and that of a table all of these.
                Kind::Wall => rank_of_end.zip(element.rank).is_none_or(|(end, open)| end >= open),
                Kind::Block => kind_of_end == Kind::Plain,
                Kind::Formatting | Kind::Plain => false,
            };
            if stops {
                return;
            }
        }
    }

    /// Closes the element at a place and all inside of it, but formatting, which stays unless it was in a wall.
    fn close(&mut self, at: usize) {
        if self.elements[at].rank.is_some() || self.elements[at].kind == Kind::Wall {
            return self.elements.truncate(at);
        }
        let mut inside = self.elements.split_off(at);
        inside.remove(0);
        inside.retain(|element| element.kind == Kind::Formatting);
        self.elements.append(&mut inside);
        self.look_again(at);
    }

    /// Takes out one element.
    fn remove(&mut self, at: usize) {
        self.elements.remove(at);
        self.look_again(at);
    }

    /// Finds out anew how elements look from a place on.
    fn look_again(&mut self, from: usize) {
        let mut around = from.checked_sub(1).map_or(self.root, |before| self.elements[before].look);
        for element in &mut self.elements[from..] {
            if element.rank == Some(0) {
                around = around.of_table(self.root);
            }
            element.look = around.with(&element.own);
            around = element.look;
        }
    }
}

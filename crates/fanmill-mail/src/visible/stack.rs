//! The open elements, and the look of text inside them.
//!
//! Mail is full of tags that are never closed, or are closed in the wrong order, and where hidden text ends depends on
//! what a browser makes of this. We follow these rules of the standard: the start of some elements ends others (`<p>`,
//! `<li>`, cells); an end tag closes nothing outside its cell, and that of a plain element closes nothing outside its
//! block; formatting (`<font>`, `<b>`) stays open when the block around it ends; text of a table outside its cells is
//! shown before the table; drawings end where HTML begins.
//!
//! Cost: a tag takes at most [`MAX_DEPTH`] steps, usually a few. At that depth nested elements count as siblings, as in
//! browsers.
//! Source: WHATWG HTML Standard, "The stack of open elements", "The list of active formatting elements", "in body", "in
//! table", "in foreign content".

use fanmill_extract::html::{Attribute, LocalName, Tag};

use super::element::{
    EndTagReach, Family, begins_drawing, ends_drawing, family, family_ended_by,
    family_protected_by, holds_page, kind, rank, stays_in_table,
};
use super::look::{Boxed, Look, LookDeclarations};
use super::names::{Ancestors, SelectableElement};
use super::property::Mode;
use super::variables::Variables;

/// Maximum depth to which elements are followed, as in browsers.
pub(super) const MAX_DEPTH: usize = 512;
/// Maximum number of identical formatting elements that stay open inside one another (the "Noah's Ark clause").
const MAX_SAME: usize = 3;
/// Number of innermost elements among which identical ones are searched for.
const NEAR: usize = 64;
/// Maximum number of attributes kept of all tags `<html>`, and of all tags `<body>`.
const MAX_ATTRIBUTES: usize = 64;

#[derive(Debug)]
struct Element {
    name: LocalName,
    kind: EndTagReach,
    rank: Option<u8>,
    family: Option<Family>,
    protects: Option<Family>,
    /// If set, its content is part of a drawing.
    is_drawing: bool,
    own: LookDeclarations,
    look: Look,
    names: SelectableElement,
    /// Number of children so far.
    n_children: usize,
}

impl Element {
    /// Returns whether it is a table, or a part of one, that has no text of its own.
    fn has_cells(&self) -> bool {
        self.rank.is_some_and(|rank| rank < 3) && &*self.name != "caption"
    }
}

/// The open elements, the innermost last.
#[derive(Debug)]
pub(super) struct Stack {
    mode: Mode,
    html: Outermost,
    body: Outermost,
    /// The look of text in the body.
    root: Look,
    elements: Vec<Element>,
    n_deep: usize,
}

/// The element `<html>` or `<body>`, which surrounds everything wherever its tags are.
#[derive(Debug)]
struct Outermost {
    own: LookDeclarations,
    names: SelectableElement,
    /// The attributes of all its tags. If a name is repeated, its first value counts.
    attributes: Vec<Attribute>,
    n_children: usize,
}

impl Outermost {
    fn new(name: &str) -> Outermost {
        let (names, attributes) = (SelectableElement::from_name(name), Vec::new());
        Outermost { own: LookDeclarations::default(), names, attributes, n_children: 0 }
    }
}

impl Ancestors for Stack {
    fn around(&self, n: usize) -> Option<&SelectableElement> {
        match n.checked_sub(self.elements.len()) {
            None => Some(&self.elements[self.elements.len() - 1 - n].names),
            Some(0) => Some(&self.body.names),
            Some(1) => Some(&self.html.names),
            Some(_) => None,
        }
    }
}

/// The elements around the body.
#[derive(Debug)]
pub(super) struct AroundBody<'s>(&'s Stack);

impl Ancestors for AroundBody<'_> {
    fn around(&self, n: usize) -> Option<&SelectableElement> {
        (n == 0).then_some(&self.0.html.names)
    }
}

impl Stack {
    pub(super) fn new(mode: Mode) -> Stack {
        Stack {
            mode,
            html: Outermost::new("html"),
            body: Outermost::new("body"),
            root: Look::ROOT,
            elements: Vec::new(),
            n_deep: 0,
        }
    }

    /// Returns the number of elements that were nested too deeply.
    pub(super) fn n_deep(&self) -> usize {
        self.n_deep
    }

    /// Returns the look inside the innermost open element.
    pub(super) fn look(&self) -> Look {
        self.elements.last().map_or(self.root, |element| element.look)
    }

    /// Returns the look of text at this place.
    pub(super) fn look_of_text(&self) -> Look {
        self.look_before(self.elements.len(), false)
    }

    /// Returns the look that an element of this name inherits at this place.
    pub(super) fn look_around(&self, name: &str) -> Look {
        self.look_before(self.elements.len(), stays_in_table(name))
    }

    /// Returns the look that is inherited at a place of the stack. Content of a table outside its cells is shown before
    /// the table.
    fn look_before(&self, at: usize, stays: bool) -> Look {
        let mut around = &self.elements[..at];
        if !stays && around.last().is_some_and(Element::has_cells) {
            let table = around.iter().rposition(|element| element.rank == Some(0));
            around = &around[..table.unwrap_or(at)];
        }
        around.last().map_or(self.root, |element| element.look)
    }

    /// Returns whether this place is inside a drawing.
    pub(super) fn is_in_drawing(&self) -> bool {
        self.elements.last().is_some_and(|element| element.is_drawing)
    }

    /// Returns whether an element that starts here is part of a drawing, so that its start tag may also end it.
    pub(super) fn is_drawing(&self, name: &str) -> bool {
        begins_drawing(name) || self.is_in_drawing()
    }

    /// Returns the custom properties at this place.
    pub(super) fn variables(&self) -> &Variables {
        match self.elements.last() {
            Some(element) => &element.own.variables,
            None => &self.body.own.variables,
        }
    }

    /// Returns the custom properties around the body.
    pub(super) fn variables_of_html(&self) -> &Variables {
        &self.html.own.variables
    }

    /// Returns the elements around the body.
    pub(super) fn around_body(&self) -> AroundBody<'_> {
        AroundBody(self)
    }

    /// Counts an element that starts here, and returns its position among its siblings, from 1. Elements of a head that
    /// come before any element of the body are in the head.
    pub(super) fn place_of_next(&mut self, name: &str) -> usize {
        let is_head = matches!(
            name,
            "base"
                | "head"
                | "link"
                | "meta"
                | "noscript"
                | "script"
                | "style"
                | "template"
                | "title"
        );
        if is_head && self.elements.is_empty() && self.body.n_children == 0 {
            return 1;
        }
        let n_children = match self.elements.last_mut() {
            Some(element) => &mut element.n_children,
            None => &mut self.body.n_children,
        };
        *n_children += 1;
        *n_children
    }

    /// Returns whether an element that starts here is a child of closed details, which show only their summary.
    pub(super) fn is_in_closed_details(&self) -> bool {
        let around = self.elements.last();
        around.is_some_and(|element| &*element.name == "details" && element.own.is_closed())
    }

    /// Sets the style of the page before any of its tags is read.
    pub(super) fn begin(&mut self, html: LookDeclarations, body: LookDeclarations) {
        (self.html.own, self.body.own) = (html, body);
        self.root = Look::ROOT.with(&self.html.own).with(&self.body.own);
    }

    /// Adds the attributes of a tag `<html>` or `<body>` to those of earlier ones. Returns all of them if there are new
    /// ones.
    pub(super) fn merged(&mut self, tag: &Tag) -> Option<Tag> {
        let outermost = self.outermost_of(&tag.name);
        let n_before = outermost.attributes.len();
        for attribute in &tag.attrs {
            let is_new = outermost.attributes.iter().all(|old| old.name != attribute.name);
            if is_new && outermost.attributes.len() < MAX_ATTRIBUTES {
                outermost.attributes.push(attribute.clone());
            }
        }
        let attrs = outermost.attributes.clone();
        (attrs.len() > n_before).then(|| Tag { attrs, ..tag.clone() })
    }

    fn outermost_of(&mut self, name: &str) -> &mut Outermost {
        if name == "html" { &mut self.html } else { &mut self.body }
    }

    /// Sets the declarations of all tags `<html>` or `<body>` so far.
    pub(super) fn outermost(
        &mut self,
        name: &str,
        own: LookDeclarations,
        names: SelectableElement,
    ) {
        let outermost = self.outermost_of(name);
        (outermost.own, outermost.names) = (own, names);
        self.root = Look::ROOT.with(&self.html.own).with(&self.body.own);
        self.look_again(0);
    }

    /// Returns the part of a table that must start before one of this name, if any.
    pub(super) fn implied(&self, name: &str) -> Option<&'static str> {
        let rank_here = self.elements.iter().rev().find_map(|element| element.rank)?;
        match (rank(name)?, rank_here) {
            (2 | 3, 0) => Some("tbody"),
            (3, 1) => Some("tr"),
            _ => None,
        }
    }

    /// Closes the elements that the start of an element ends.
    pub(super) fn make_way(&mut self, name: &LocalName) {
        while self.is_in_drawing() && ends_drawing(name) {
            self.elements.pop();
        }
        if let Some(own) = rank(name).filter(|&own| own > 0) {
            // Parts of a table that cannot contain this part end, with everything open in them.
            let table = self.elements.iter().rposition(|element| element.rank == Some(0));
            let Some(from) = table.map(|at| at + 1) else { return };
            let ends = |element: &Element| element.rank.is_some_and(|other| other >= own);
            if let Some(at) = self.elements[from..].iter().position(ends) {
                self.elements.truncate(from + at);
            }
            return;
        }
        if &**name == "table" {
            // A table that is not in a cell of the table around it ends the outer table.
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
        if let Some(ended) = family_ended_by(name) {
            for at in (0..self.elements.len()).rev() {
                let element = &self.elements[at];
                if element.family == Some(ended) {
                    return self.close(at);
                }
                if element.kind == EndTagReach::Wall || element.protects == Some(ended) {
                    return;
                }
            }
        }
    }

    /// Makes room for one more open element.
    pub(super) fn make_room(&mut self) {
        if self.elements.len() == MAX_DEPTH {
            self.n_deep += 1;
            self.elements.pop();
        }
    }

    /// Opens an element. There must be room for it.
    pub(super) fn start(
        &mut self,
        name: &LocalName,
        own: LookDeclarations,
        names: SelectableElement,
    ) {
        // Parts of a table are ignored outside a table, and a form is ignored inside another form.
        let has = |test: &dyn Fn(&Element) -> bool| self.elements.iter().any(test);
        let is_lost =
            rank(name).is_some_and(|own| own > 0) && !has(&|element| element.rank == Some(0));
        if is_lost || &**name == "form" && has(&|element| &*element.name == "form") {
            return;
        }
        if kind(name) == EndTagReach::Formatting {
            self.keep_few(name, &own);
        }
        let is_drawing = self.is_drawing(name) && !holds_page(name);
        self.elements.push(Element {
            name: name.clone(),
            kind: kind(name),
            rank: rank(name),
            family: family(name),
            protects: family_protected_by(name),
            is_drawing,
            own,
            look: Look::ROOT,
            names,
            n_children: 0,
        });
        self.look_again(self.elements.len() - 1);
    }

    /// Closes the outermost of several identical formatting elements if there are too many.
    fn keep_few(&mut self, name: &LocalName, own: &LookDeclarations) {
        let near = self.elements.iter().enumerate().rev().take(NEAR);
        let near = near.take_while(|(_, element)| element.kind != EndTagReach::Wall);
        let mut same = near.filter(|(_, element)| element.name == *name && element.own == *own);
        if let Some((at, _)) = same.nth(MAX_SAME - 1) {
            self.remove(at);
        }
    }

    /// Closes the element that an end tag belongs to, if there is one. Returns how it is separated from its neighbours.
    pub(super) fn end(&mut self, name: &LocalName) -> Boxed {
        let (kind_of_end, rank_of_end) = (kind(name), rank(name));
        for at in (0..self.elements.len()).rev() {
            let element = &self.elements[at];
            if element.name == *name {
                let boxed = element.own.boxed;
                if kind_of_end == EndTagReach::Formatting {
                    self.remove(at);
                } else {
                    self.close(at);
                }
                return boxed;
            }
            let stops = match element.kind {
                // The end of a row ends its cells, and the end of a table ends all its parts.
                EndTagReach::Wall => {
                    rank_of_end.zip(element.rank).is_none_or(|(end, open)| end >= open)
                }
                EndTagReach::Block => kind_of_end == EndTagReach::Plain,
                EndTagReach::Formatting | EndTagReach::Plain => false,
            };
            if stops {
                break;
            }
        }
        Boxed::default()
    }

    /// Closes the element at a place and everything inside it. Formatting inside it stays open, unless the element is a
    /// wall or a part of a table.
    fn close(&mut self, at: usize) {
        if self.elements[at].rank.is_some() || self.elements[at].kind == EndTagReach::Wall {
            return self.elements.truncate(at);
        }
        let mut inside = self.elements.split_off(at);
        inside.remove(0);
        inside.retain(|element| element.kind == EndTagReach::Formatting);
        self.elements.append(&mut inside);
        self.look_again(at);
    }

    /// Removes one element.
    fn remove(&mut self, at: usize) {
        self.elements.remove(at);
        self.look_again(at);
    }

    /// Recomputes the looks of the elements from a place on.
    fn look_again(&mut self, from: usize) {
        for at in from..self.elements.len() {
            let element = &self.elements[at];
            let around = self.look_before(at, stays_in_table(&element.name));
            // In quirks mode tables do not inherit the colour and size of text.
            let is_apart = element.rank == Some(0) && self.mode == Mode::Quirks;
            let around = if is_apart { around.of_table(self.root) } else { around };
            self.elements[at].look = around.with(&element.own);
        }
    }
}

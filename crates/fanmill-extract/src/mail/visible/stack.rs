//! The elements that are open, and how text inside of them looks.
//!
//! Mail is full of tags that are never closed or closed in the wrong order, and where hidden text ends depends on what
//! a browser makes of that. What is followed of the standard: which elements end others by starting (`<p>`, `<li>`,
//! cells), that an end tag does not reach out of a cell, nor that of a plain element out of a block, that
//! formatting (`<font>`, `<b>`) stays open when the block around it ends, that text in no cell of a table stands before it, and that
//! drawings end where HTML begins.
//!
//! Cost: a tag costs at most [`MAX_DEPTH`] steps, usually a few. At that depth, elements inside of one another count as neighbours,
//! as in browsers.
//! Source: WHATWG HTML Standard, "The stack of open elements", "The list of active formatting elements", "in body", "in table",
//! "in foreign content".

use crate::html::{Attribute, LocalName, Tag};

use super::element::{
    Kind, begins_drawing, ended_by, ends_drawing, holds_page, kind, rank, stays_in_table,
};
use super::look::{Boxed, Look, Own};
use super::names::{Around, Names};
use super::property::Mode;
use super::variables::Variables;

/// As deep as elements are followed, like in browsers.
pub(super) const MAX_DEPTH: usize = 512;
/// As many formatting elements of the same kind stay open one inside of the other (the "Noah's Ark clause").
const MAX_SAME: usize = 3;
/// As far down they are looked for.
const NEAR: usize = 64;
/// Attributes of `<html>` and `<body>`, of all their tags.
const MAX_ATTRIBUTES: usize = 64;

#[derive(Debug)]
struct Element {
    name: LocalName,
    kind: Kind,
    rank: Option<u8>,
    /// Whether what is inside is part of a drawing.
    is_drawing: bool,
    own: Own,
    look: Look,
    names: Names,
    /// Elements inside of it so far, not those inside of these.
    n_children: usize,
}

impl Element {
    /// Whether it is a table or a part of one that has no text of its own.
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
    /// How text looks in the body.
    root: Look,
    elements: Vec<Element>,
    n_deep: usize,
}

/// `<html>` or `<body>`, which are around everything, wherever their tags are.
#[derive(Debug)]
struct Outermost {
    own: Own,
    names: Names,
    /// Of all its tags; of several of one name the first.
    attributes: Vec<Attribute>,
    n_children: usize,
}

impl Outermost {
    fn new(name: &str) -> Outermost {
        let (names, attributes) = (Names::of_name(name), Vec::new());
        Outermost { own: Own::default(), names, attributes, n_children: 0 }
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

    /// How many elements were too deep.
    pub(super) fn n_deep(&self) -> usize {
        self.n_deep
    }

    /// How text looks here.
    pub(super) fn look(&self) -> Look {
        self.elements.last().map_or(self.root, |element| element.look)
    }

    /// How text looks that stands here.
    pub(super) fn look_of_text(&self) -> Look {
        self.look_before(self.elements.len(), false)
    }

    /// How an element of this name looks that stands here, as far as it says nothing itself.
    pub(super) fn look_around(&self, name: &str) -> Look {
        self.look_before(self.elements.len(), stays_in_table(name))
    }

    /// How things look around what stands at a place; what is in none of a table's cells stands before the table.
    fn look_before(&self, at: usize, stays: bool) -> Look {
        let mut around = &self.elements[..at];
        if !stays && around.last().is_some_and(Element::has_cells) {
            let table = around.iter().rposition(|element| element.rank == Some(0));
            around = &around[..table.unwrap_or(at)];
        }
        around.last().map_or(self.root, |element| element.look)
    }

    /// Whether this is part of a drawing.
    pub(super) fn is_in_drawing(&self) -> bool {
        self.elements.last().is_some_and(|element| element.is_drawing)
    }

    /// Whether an element that starts here is part of a drawing, so that it may end in its own tag.
    pub(super) fn is_drawing(&self, name: &str) -> bool {
        begins_drawing(name) || self.is_in_drawing()
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

    /// Counts an element that starts here, and says the how manieth of those around it it is, from 1. What stands before the
    /// first one in the body is in the head.
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

    /// Adds what a tag `<html>` or `<body>` says to what others said; the whole, if that is more than before.
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

    /// Takes what all tags `<html>` or `<body>` say so far.
    pub(super) fn outermost(&mut self, name: &str, own: Own, names: Names) {
        let outermost = self.outermost_of(name);
        (outermost.own, outermost.names) = (own, names);
        self.root = Look::ROOT.with(&self.html.own).with(&self.body.own);
        self.look_again(0);
    }

    /// The part of a table that has to start before one of this name, if there is one.
    pub(super) fn implied(&self, name: &str) -> Option<&'static str> {
        let rank_here = self.elements.iter().rev().find_map(|element| element.rank)?;
        match (rank(name)?, rank_here) {
            (2 | 3, 0) => Some("tbody"),
            (3, 1) => Some("tr"),
            _ => None,
        }
    }

    /// Ends what an element ends by starting.
    pub(super) fn make_way(&mut self, name: &LocalName) {
        while self.is_in_drawing() && ends_drawing(name) {
            self.elements.pop();
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

    /// Sees to it that one more element may be open.
    pub(super) fn make_room(&mut self) {
        if self.elements.len() == MAX_DEPTH {
            self.n_deep += 1;
            self.elements.pop();
        }
    }

    /// Opens an element, for which there is room.
    pub(super) fn start(&mut self, name: &LocalName, own: Own, names: Names) {
        // Parts of a table are nothing without one, nor is a form inside of another one.
        let has = |test: &dyn Fn(&Element) -> bool| self.elements.iter().any(test);
        let is_lost =
            rank(name).is_some_and(|own| own > 0) && !has(&|element| element.rank == Some(0));
        if is_lost || &**name == "form" && has(&|element| &*element.name == "form") {
            return;
        }
        if kind(name) == Kind::Formatting {
            self.keep_few(name, &own);
        }
        let is_drawing = self.is_drawing(name) && !holds_page(name);
        let (kind, rank, look, name) = (kind(name), rank(name), Look::ROOT, name.clone());
        self.elements.push(Element {
            name,
            kind,
            rank,
            is_drawing,
            own,
            look,
            names,
            n_children: 0,
        });
        self.look_again(self.elements.len() - 1);
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

    /// Closes the element that an end tag belongs to, if there is one; how that stood among others.
    pub(super) fn end(&mut self, name: &LocalName) -> Boxed {
        let (kind_of_end, rank_of_end) = (kind(name), rank(name));
        for at in (0..self.elements.len()).rev() {
            let element = &self.elements[at];
            if element.name == *name {
                let boxed = element.own.boxed;
                if kind_of_end == Kind::Formatting {
                    self.remove(at);
                } else {
                    self.close(at);
                }
                return boxed;
            }
            let stops = match element.kind {
                // The end of a row ends its cells, and that of a table all of these.
                Kind::Wall => rank_of_end.zip(element.rank).is_none_or(|(end, open)| end >= open),
                Kind::Block => kind_of_end == Kind::Plain,
                Kind::Formatting | Kind::Plain => false,
            };
            if stops {
                break;
            }
        }
        Boxed::default()
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
        for at in from..self.elements.len() {
            let element = &self.elements[at];
            let around = self.look_before(at, stays_in_table(&element.name));
            // By old rules colours and sizes of text do not go into tables.
            let is_apart = element.rank == Some(0) && self.mode == Mode::Quirks;
            let around = if is_apart { around.of_table(self.root) } else { around };
            self.elements[at].look = around.with(&element.own);
        }
    }
}

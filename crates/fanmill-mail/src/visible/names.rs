//! Properties of an element, and of the elements around it, that selectors can test.
//!
//! Cost: O(n) in the attributes.
//! Source: Selectors Level 4, §5 and §6.

use fanmill_extract::html::{LocalName, Tag};

use super::property::Mode;

/// The properties of an element that selectors can test.
#[derive(Debug, Default)]
pub(super) struct SelectableElement {
    pub(super) name: LocalName,
    pub(super) id: Option<String>,
    pub(super) classes: Vec<String>,
    /// If set, the case of ids and classes matters.
    pub(super) has_case: bool,
    pub(super) attributes: Vec<(LocalName, String)>,
    /// Its position among the children of its parent, from 1.
    pub(super) place: i32,
}

impl SelectableElement {
    /// Creates an element with nothing but a name.
    pub(super) fn from_name(name: &str) -> SelectableElement {
        SelectableElement { name: LocalName::from(name), ..SelectableElement::default() }
    }

    pub(super) fn new(tag: &Tag, place: usize, mode: Mode) -> SelectableElement {
        let has_case = mode == Mode::Standards;
        let mut names =
            SelectableElement { name: tag.name.clone(), has_case, ..SelectableElement::default() };
        names.place = i32::try_from(place).unwrap_or(0);
        for attribute in &tag.attrs {
            let value = &*attribute.value;
            match &*attribute.name.local {
                "id" => names.id = Some(value.trim().to_owned()),
                "class" => {
                    names.classes = value.split_ascii_whitespace().map(str::to_owned).collect();
                }
                _ => {}
            }
            names.attributes.push((attribute.name.local.clone(), value.to_owned()));
        }
        names
    }

    /// Returns the number of attributes of the element.
    pub(super) fn n_attributes(&self) -> usize {
        self.attributes.len()
    }

    /// Returns the keys under which rules for such an element are found: its id, its classes, its name, and `*`.
    pub(super) fn keys(&self) -> impl Iterator<Item = String> {
        let id = self.id.iter().map(|id| format!("#{}", id.to_ascii_lowercase()));
        let mut classes: Vec<String> =
            self.classes.iter().map(|class| format!(".{}", class.to_ascii_lowercase())).collect();
        // A class that is named twice is looked up once.
        classes.sort_unstable();
        classes.dedup();
        id.chain(classes).chain([self.name.to_string(), "*".to_owned()])
    }

    /// Returns whether an id or class is the one that a selector requires.
    pub(super) fn is_same(&self, own: &str, asked: &str) -> bool {
        if self.has_case { own == asked } else { own.eq_ignore_ascii_case(asked) }
    }
}

/// The elements around an element.
pub(super) trait Ancestors {
    /// Returns the parent for 0, the parent's parent for 1, and so on; the last one is the root.
    fn around(&self, n: usize) -> Option<&SelectableElement>;
}

/// The root, which has no element around it.
#[derive(Debug)]
pub(super) struct NoAncestors;

impl Ancestors for NoAncestors {
    fn around(&self, _n: usize) -> Option<&SelectableElement> {
        None
    }
}

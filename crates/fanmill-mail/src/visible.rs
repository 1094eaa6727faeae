//! The HTML of mail as a mail program shows it.
//!
//! Comments and tags vanish without a trace (`v<!-- x -->ia<b></b>gra` is `viagra`), and blocks become lines. Text that
//! nobody sees is left out and counted (`look`): the attributes of elements, their styles and the style sheets of the page
//! decide (`rules`). Where we cannot know, because a background is a picture or a value is too complicated, text counts as
//! visible: hiding words there makes our text longer, but does not replace it. Text that is written backwards and shown
//! forwards (`<bdo>`) is put into the order in which it is seen.
//!
//! Mail programs and screens differ, and nobody follows everything that browsers do with styles. So a page is read in several
//! views, the first of which is that of a browser on an ordinary screen:
//!
//! | view | what is hidden | where words end | text of attributes |
//! |---|---|---|---|
//! | usual | what browsers hide | by styles | no |
//! | simple | what every program hides | by styles | no |
//! | doubtful | what may be hidden as well | also by floats and margins | no |
//! | labelled | what browsers hide | by styles | yes, and what styles write |
//! | bare | nothing | by the names of elements | no |
//!
//! If we do not know whether some rules apply, the page is read a second time with these rules, in the first two views. The bare
//! view has the text that we take for hidden although everybody sees it.
//!
//! [`fanmill_extract::html`] says where tags and text are. A stack of open elements knows enough of the standard's repairs to say where an
//! element ends (`stack`). Titles, scripts and style sheets are left out and not counted.
//!
//! Cost: O(n) time and memory in the page, for one reading or two. A tag costs at most the depth of the stack, which is bounded.
//! Source: WHATWG HTML Standard, "Tree construction" and "Rendering"; CSS 2.2; Quirks Mode Standard, §3.
//! Departs from it: no layout; `mso-hide`, which one mail program obeys, is doubtful.

mod nested;
mod length;
mod colour;
mod property;
mod variables;
mod media;
mod names;
mod selector;
mod style;
mod block;
mod rules;
mod style_sheets;
mod element;
mod look;
mod lines;
mod labels;
mod stack;
mod page;

use fanmill_extract::html::{Account, NoScript, read as read_html};

use page::Page;
use rules::{InDoubt, Rules};

/// What a person sees of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visible {
    /// The text, its lines separated by `\n`.
    pub text: String,
    /// The text as it may be seen on another screen or in a program that can do less. No two have the same words.
    pub others: Vec<String>,
    /// Whether the page has no visible text although it shows something else, such as pictures, or hides something.
    pub is_void: bool,
    /// Characters of hidden text without white space, and of what follows a comment, a script or the like that is not closed.
    pub n_hidden: usize,
    /// Elements that were nested too deeply; the innermost of them were read as siblings.
    pub n_deep: usize,
    /// Tags with too many attributes, of which the first were read.
    pub n_tags_cut: usize,
    /// Rules of style sheets, and texts that they write, that were not read, being too many or too long.
    pub n_rules_cut: usize,
}

/// Reads a page, whatever its bytes say.
pub fn read(page: &str) -> Visible {
    let mut rules = style_sheets::of(page);
    let (first, Account { n_tags_cut, n_unclosed }) = read_as(page, &mut rules, InDoubt::Omitted);
    let (n_hidden, n_deep) = (first.n_hidden() + n_unclosed, first.n_deep());
    let (has_pictures, n_labels_cut) = (first.has_pictures(), first.n_labels_cut());
    let [usual, simple, doubtful, labelled, bare] = first.into_texts();
    let (mut n_rules_cut, mut is_exhausted) = (n_labels_cut + rules.n_cut(), rules.is_exhausted());
    let mut followed = [None, None];
    if rules.has_doubtful() {
        let [usual, simple, ..] = read_as(page, &mut rules, InDoubt::Followed).0.into_texts();
        followed = [usual, simple];
        is_exhausted |= rules.is_exhausted();
    }
    n_rules_cut += usize::from(is_exhausted);
    let [followed, both] = followed;
    let text = usual.unwrap_or_default();
    let mut others: Vec<String> = Vec::new();
    for other in [followed, simple, both, doubtful, labelled, bare].into_iter().flatten() {
        if ![&text].into_iter().chain(&others).any(|old| has_same_words(old, &other)) {
            others.push(other);
        }
    }
    let is_void = (has_pictures || n_hidden > 0) && text.trim().is_empty();
    Visible { text, others, is_void, n_hidden, n_deep, n_tags_cut, n_rules_cut }
}

/// Whether two texts differ at most in white space.
pub(crate) fn has_same_words(a: &str, b: &str) -> bool {
    a.split_whitespace().eq(b.split_whitespace())
}

/// Reads a page with or without the rules of which we do not know whether they apply.
fn read_as<'s>(page: &str, rules: &'s mut Rules, in_doubt: InDoubt) -> (Page<'s>, Account) {
    rules.begin(in_doubt);
    // Mail programs do not run scripts, so they show what stands in for them.
    read_html(page, NoScript::Markup, Page::new(page.len(), rules, in_doubt))
}

#[cfg(test)]
mod tests;

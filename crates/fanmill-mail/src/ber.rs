//! Elements of BER, the encoding of ASN.1: a tag, a length, and contents.
//!
//! Only what wraps the contents of signed mail is needed: tags below 31, and lengths of up to four bytes or without a
//! number, in which case an empty element with tag 0 ends the contents. DER is a subset of this.
//!
//! Cost: O(1) for an element with a length; O(n · depth) for one without, up to [`MAX_DEPTH`].
//! Source: X.690 (2021), §8.1 and §8.7.

use std::borrow::Cow;

/// Maximum nesting of elements that are looked into.
const MAX_DEPTH: usize = 8;

/// Bit of a tag whose contents are elements themselves.
const CONSTRUCTED: u8 = 0x20;

/// An element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Element<'a> {
    /// Class, form and number.
    pub(crate) tag: u8,
    /// The contents, up to the end of the input.
    pub(crate) contents: &'a [u8],
    /// If set, the input ends before the contents do.
    pub(crate) is_cut: bool,
}

/// Splits off the first element; `None` if there is none. The rest follows it.
pub(crate) fn split(bytes: &[u8]) -> Option<(Element<'_>, &[u8])> {
    split_at_depth(bytes, 0)
}

fn split_at_depth(bytes: &[u8], depth: usize) -> Option<(Element<'_>, &[u8])> {
    let (&tag, rest) = bytes.split_first()?;
    let (&first, rest) = rest.split_first()?;
    // A number of 31 says that the tag has more bytes.
    if tag & 0x1F == 0x1F {
        return None;
    }
    let (length, rest) = match first {
        0..0x80 => (usize::from(first), rest),
        0x80 => return (tag & CONSTRUCTED != 0).then(|| open_ended(tag, rest, depth))?,
        _ => {
            let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7F))?;
            let n_zeros = digits.iter().take_while(|&&digit| digit == 0).count();
            let digits = digits.get(n_zeros..).filter(|digits| digits.len() <= 4)?;
            let length = digits.iter().fold(0, |length, &digit| length << 8 | u64::from(digit));
            (usize::try_from(length).ok()?, rest)
        }
    };
    let (contents, rest) = rest.split_at(length.min(rest.len()));
    Some((Element { tag, contents, is_cut: contents.len() < length }, rest))
}

/// Splits off an element whose length is not given.
fn open_ended(tag: u8, bytes: &[u8], depth: usize) -> Option<(Element<'_>, &[u8])> {
    if depth == MAX_DEPTH {
        return None;
    }
    let mut rest = bytes;
    loop {
        let contents = &bytes[..bytes.len() - rest.len()];
        if let Some(rest) = rest.strip_prefix(&[0, 0]) {
            return Some((Element { tag, contents, is_cut: false }, rest));
        }
        match split_at_depth(rest, depth + 1) {
            Some((_, after)) => rest = after,
            // The end is missing, or damaged. What is there may be worth reading.
            None => return Some((Element { tag, contents: bytes, is_cut: true }, &[])),
        }
    }
}

impl<'a> Element<'a> {
    /// Returns the bytes of a string of octets, which may come in pieces, and whether all of them are there.
    pub(crate) fn octets(&self) -> (Cow<'a, [u8]>, bool) {
        if self.tag & CONSTRUCTED == 0 {
            return (Cow::Borrowed(self.contents), !self.is_cut);
        }
        let mut out = Vec::with_capacity(self.contents.len());
        let is_whole = append_pieces(*self, 0, &mut out);
        (Cow::Owned(out), is_whole)
    }
}

/// Appends the pieces of a string; returns whether all of them are there.
fn append_pieces(string: Element<'_>, depth: usize, out: &mut Vec<u8>) -> bool {
    if string.tag & CONSTRUCTED == 0 {
        out.extend_from_slice(string.contents);
        return !string.is_cut;
    }
    if depth == MAX_DEPTH {
        return false;
    }
    let mut rest = string.contents;
    let mut is_whole = !string.is_cut;
    while !rest.is_empty() {
        let Some((piece, after)) = split(rest) else { return false };
        is_whole &= append_pieces(piece, depth + 1, out);
        rest = after;
    }
    is_whole
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn elements_have_lengths_of_three_forms() {
        let long = [&[4, 0x82, 1, 4], &[7; 260][..], &[5, 0]].concat();
        let (element, rest) = split(&long).expect("an element");
        assert_eq!((element.tag, element.contents.len(), rest), (4, 260, &[5, 0][..]));
        let (open, rest) = split(&[0x24, 0x80, 4, 2, 1, 2, 4, 1, 3, 0, 0, 9]).expect("an element");
        assert_eq!((open.contents, rest), (&[4, 2, 1, 2, 4, 1, 3][..], &[9][..]));
        assert_eq!(open.octets(), (Cow::Borrowed(&[1, 2, 3][..]), true));
        for none in [&[][..], &[4], &[0x1F, 1, 0], &[4, 0x80], &[4, 0x85, 1, 0, 0, 0, 1]] {
            assert_eq!(split(none), None);
        }
        // X.690, §8.1.3.5, allows more digits than a length needs.
        let (padded, rest) = split(&[4, 0x85, 0, 0, 0, 0, 1, 7, 9]).expect("an element");
        assert_eq!((padded.contents, rest), (&[7][..], &[9][..]));
    }

    #[test]
    fn what_is_cut_is_read_up_to_the_end() {
        let (cut, _) = split(&[4, 9, 1, 2]).expect("an element");
        assert_eq!((cut.contents, cut.is_cut), (&[1, 2][..], true));
        let (open, _) = split(&[0x24, 0x80, 4, 1, 5, 4, 9, 6]).expect("an element");
        assert_eq!(open.octets(), (Cow::Borrowed(&[5, 6][..]), false));
    }

    #[test]
    fn nesting_without_lengths_ends() {
        let deep = [0x24, 0x80].repeat(100_000);
        let (element, _) = split(&deep).expect("an element");
        assert!(element.is_cut && !element.octets().1);
    }

    proptest! {
        #[test]
        fn any_bytes_are_split(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            if let Some((element, rest)) = split(&bytes) {
                prop_assert!(element.contents.len() + rest.len() < bytes.len());
                prop_assert!(element.octets().0.len() <= element.contents.len());
            }
        }
    }
}

//! Items that a run sorts: windows of words, those that go, and pieces of text with their sources.
//!
//! Words are counted in the original text of a document, from 0. In later rounds a window may hold a cut; then more
//! words lie between its begin and its end than it has.

use crate::spill::fixed_bytes::FixedBytes;

/// Declares an item of numbers, which is stored as these and sorted by them, in their order.
macro_rules! item {
    ($(#[$doc:meta])* $name:ident { $($(#[$of:meta])* $field:ident: $number:ty,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub(super) struct $name { $($(#[$of])* pub(super) $field: $number,)* }

        impl FixedBytes for $name {
            const BYTES: usize = 0 $(+ size_of::<$number>())*;

            #[inline]
            fn write(self, bytes: &mut [u8]) {
                let mut at = 0;
                $(
                    self.$field.write(&mut bytes[at..]);
                    at += size_of::<$number>();
                )*
                debug_assert_eq!(at, Self::BYTES);
            }

            #[inline]
            fn read(bytes: &[u8]) -> Self {
                let mut at = 0;
                $(
                    let $field = <$number>::read(&bytes[at..]);
                    at += size_of::<$number>();
                )*
                debug_assert_eq!(at, Self::BYTES);
                $name { $($field,)* }
            }
        }
    };
}

item! {
    /// A selected gram: its value and where it is.
    Seed {
        value: u64,
        document: u32,
        begin: u32,
    }
}

item! {
    /// A window of words that may be repeated: its hash, and where it is. Equal ones are in the order of keeping.
    Window {
        hash: u64,
        more: u32,
        /// Place of its document in the order of keeping.
        place: u32,
        begin: u32,
        end: u32,
    }
}

item! {
    /// A window that goes, and an equal one that occurs earlier.
    Going {
        document: u32,
        begin: u32,
        end: u32,
        source: u32,
        source_begin: u32,
        source_end: u32,
    }
}

item! {
    /// A part of a document that is cut out.
    Cut {
        document: u32,
        begin: u32,
        end: u32,
        /// 1 if the last round has made or enlarged it, else 0.
        is_new: u8,
    }
}

item! {
    /// Consecutive words that go, and the consecutive words that they equal.
    Piece {
        document: u32,
        begin: u32,
        end: u32,
        source: u32,
        source_begin: u32,
    }
}

item! {
    /// The words that a piece equals, in their own document, and the number of the piece.
    SourceRef {
        document: u32,
        begin: u32,
        end: u32,
        piece: u64,
    }
}

item! {
    /// A row of the table about a piece, but for its words, in bytes of the text.
    Row {
        begin: u32,
        end: u32,
        words_left: u32,
        /// 1 if the document goes.
        is_removed: u8,
    }
}

item! {
    /// The source of a piece, in bytes of the source's text.
    SourceBytes {
        piece: u64,
        begin: u32,
        end: u32,
    }
}

impl Window {
    /// Returns whether two windows have equal words.
    pub(super) fn equals(&self, other: &Window) -> bool {
        (self.hash, self.more) == (other.hash, other.more)
    }
}

impl Piece {
    /// Returns whether the word at `place` continues it, if that word equals the one at `own` in the source.
    pub(super) fn goes_on_at(&self, place: u32, own: u32) -> bool {
        self.end == place && self.source_begin + (self.end - self.begin) == own
    }
}

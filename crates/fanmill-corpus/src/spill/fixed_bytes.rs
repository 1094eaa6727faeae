//! Values of a fixed number of bytes, as runs and columns store them.
//!
//! Numbers are little-endian. On disk an item takes no more than its fields, so a band key with its document takes 12
//! bytes there, and 16 in memory.

use fanmill_sketch::lsh::join::{Entry, Member, Pair};

/// A value that is stored in a fixed number of bytes.
pub(crate) trait FixedBytes: Copy + Ord + Send + Sync {
    /// Number of bytes.
    const BYTES: usize;

    /// Writes the value to the first [`Self::BYTES`] bytes.
    ///
    /// # Panics
    /// If there are fewer bytes.
    fn write(self, bytes: &mut [u8]);

    /// Reads a value from the first [`Self::BYTES`] bytes.
    ///
    /// # Panics
    /// If there are fewer bytes.
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! numbers {
    ($($number:ty),*) => { $(
        impl FixedBytes for $number {
            const BYTES: usize = size_of::<$number>();

            #[inline]
            fn write(self, bytes: &mut [u8]) {
                bytes[..Self::BYTES].copy_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn read(bytes: &[u8]) -> Self {
                let mut own = [0; size_of::<$number>()];
                own.copy_from_slice(&bytes[..Self::BYTES]);
                Self::from_le_bytes(own)
            }
        }
    )* };
}
numbers!(u8, u16, u32, u64, u128);

/// Newtypes around a number are stored as the number.
macro_rules! newtypes {
    ($($newtype:ident($number:ty)),*) => { $(
        impl FixedBytes for $newtype {
            const BYTES: usize = <$number>::BYTES;

            #[inline]
            fn write(self, bytes: &mut [u8]) {
                self.0.write(bytes);
            }

            #[inline]
            fn read(bytes: &[u8]) -> Self {
                Self(FixedBytes::read(bytes))
            }
        }
    )* };
}
newtypes!(Entry(u128), Member(u64), Pair(u64));

impl<A: FixedBytes, B: FixedBytes> FixedBytes for (A, B) {
    const BYTES: usize = A::BYTES + B::BYTES;

    #[inline]
    fn write(self, bytes: &mut [u8]) {
        self.0.write(bytes);
        self.1.write(&mut bytes[A::BYTES..]);
    }

    #[inline]
    fn read(bytes: &[u8]) -> Self {
        (A::read(bytes), B::read(&bytes[A::BYTES..]))
    }
}

impl<A: FixedBytes, B: FixedBytes, C: FixedBytes> FixedBytes for (A, B, C) {
    const BYTES: usize = A::BYTES + B::BYTES + C::BYTES;

    #[inline]
    fn write(self, bytes: &mut [u8]) {
        let (a, b, c) = self;
        (a, (b, c)).write(bytes);
    }

    #[inline]
    fn read(bytes: &[u8]) -> Self {
        let (a, (b, c)) = FixedBytes::read(bytes);
        (a, b, c)
    }
}

/// Appends items as bytes.
pub(super) fn append<T: FixedBytes>(items: &[T], bytes: &mut Vec<u8>) {
    let start = bytes.len();
    bytes.resize(start + items.len() * T::BYTES, 0);
    for (item, place) in items.iter().zip(bytes[start..].chunks_exact_mut(T::BYTES)) {
        item.write(place);
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use proptest::prelude::*;

    use super::*;

    fn come_back<T: FixedBytes + Debug>(items: &[T], n_bytes: usize) {
        let mut bytes = Vec::new();
        append(items, &mut bytes);
        assert_eq!(bytes.len(), items.len() * n_bytes);
        let read: Vec<T> = bytes.chunks_exact(T::BYTES).map(T::read).collect();
        assert_eq!(read, items);
    }

    proptest! {
        #[test]
        fn items_come_back(a: Vec<(u64, u32)>, b: Vec<u128>, c: Vec<(u64, u32, u16)>, d: Vec<u8>) {
            come_back(&a, 12);
            come_back(&b, 16);
            come_back(&c, 14);
            come_back(&d, 1);
        }
    }
}

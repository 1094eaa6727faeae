//! A pool of values that are costly to make: threads borrow them for a while and give them back.
//!
//! Rayon makes the values of `map_init` anew for each batch. Buffers that have grown to the size of the largest record
//! would be returned to the system and fetched again, page by page, which took a tenth of a run's time.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// The values that are not in use.
#[derive(Debug, Default)]
pub(crate) struct Pool<T>(Mutex<Vec<T>>);

impl<T: Default> Pool<T> {
    /// Lends a value, a new one if all are in use.
    pub(crate) fn lend(&self) -> Lent<'_, T> {
        let thing = self.with(Vec::pop).unwrap_or_default();
        Lent { thing, pool: self }
    }

    fn with<R>(&self, work: impl FnOnce(&mut Vec<T>) -> R) -> R {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A borrowed value, which returns to the pool when it is dropped.
#[derive(Debug)]
pub(crate) struct Lent<'a, T: Default> {
    thing: T,
    pool: &'a Pool<T>,
}

impl<T: Default> Deref for Lent<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.thing
    }
}

impl<T: Default> DerefMut for Lent<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.thing
    }
}

impl<T: Default> Drop for Lent<'_, T> {
    fn drop(&mut self) {
        let thing = std::mem::take(&mut self.thing);
        self.pool.with(|things| things.push(thing));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_back_is_lent_again() {
        let pool = Pool::<Vec<u8>>::default();
        let mut first = pool.lend();
        first.push(7);
        assert!(pool.lend().is_empty());
        drop(first);
        assert_eq!(*pool.lend(), [7]);
    }
}

//! Things that are costly to make and that threads need for a while: lent and given back.
//!
//! Rayon makes anew for each batch what `map_init` needs. Buffers that have grown to the size of the
//! largest record would go back to the system and be fetched again, page by page, which took a tenth of
//! the time of a run.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// Things that are not in use.
#[derive(Debug, Default)]
pub(crate) struct Pool<T>(Mutex<Vec<T>>);

impl<T: Default> Pool<T> {
    /// Lends one, a new one if all are in use.
    pub(crate) fn lend(&self) -> Lent<'_, T> {
        let thing = self.with(Vec::pop).unwrap_or_default();
        Lent { thing, pool: self }
    }

    fn with<R>(&self, work: impl FnOnce(&mut Vec<T>) -> R) -> R {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// One of a pool's things; goes back when it is dropped.
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

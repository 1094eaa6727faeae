//! Limits on the number of things that happen at the same time: in all, and for one owner.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A number of permits. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct Permits(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    all: usize,
    each: usize,
    taken: Mutex<HashMap<String, usize>>,
}

/// A permit, until it is dropped.
#[derive(Debug)]
pub(crate) struct Permit(Arc<Shared>, String);

impl Permits {
    /// Creates `all` permits, at most `each` of them for one owner.
    pub(crate) fn new(all: usize, each: usize) -> Permits {
        Permits(Arc::new(Shared { all, each, taken: Mutex::default() }))
    }

    /// Takes a permit, if one is left for this owner.
    pub(crate) fn take(&self, owner: &str) -> Option<Permit> {
        let mut taken = self.0.taken();
        let own = taken.get(owner).copied().unwrap_or_default();
        if taken.values().sum::<usize>() >= self.0.all || own >= self.0.each {
            return None;
        }
        taken.insert(owner.to_owned(), own + 1);
        Some(Permit(self.0.clone(), owner.to_owned()))
    }
}

impl Shared {
    fn taken(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut taken = self.0.taken();
        if let Some(own) = taken.get_mut(&self.1) {
            *own = own.saturating_sub(1);
        }
        taken.retain(|_, own| *own > 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permits_are_bounded_for_all_and_for_each_and_are_given_back() {
        let permits = Permits::new(3, 2);
        let first = permits.take("a");
        let second = permits.take("a");
        assert!(first.is_some() && second.is_some() && permits.take("a").is_none());
        let third = permits.take("b");
        assert!(third.is_some() && permits.take("b").is_none(), "there are three");
        drop(first);
        assert!(permits.take("b").is_some());
        drop((second, third));
        assert!(permits.0.taken().is_empty());
    }
}

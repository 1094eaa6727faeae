//! Redirects that lead nowhere, or in a circle.

/// A fault of a redirect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RedirectFault {
    Circle,
    Nowhere,
}

/// Marks in the list of targets for no entry; the file has fewer entries than that.
pub(super) const NO_REDIRECT: u32 = u32::MAX;
const SOUND: u32 = u32::MAX - 1;
const OPEN: u32 = u32::MAX - 2;
const IN_CIRCLE: u32 = u32::MAX - 3;
const NOWHERE: u32 = u32::MAX - 4;

/// The largest number of entries, so that marks differ from all of them.
pub(super) const MOST_ENTRIES: u32 = u32::MAX - 5;

/// Follows all redirects, and gives those with a fault to `found`, by their numbers. `targets` has the target of each
/// entry, or [`NO_REDIRECT`].
///
/// Cost: O(n), as each redirect is followed once.
pub(super) fn check(mut targets: Vec<u32>, mut found: impl FnMut(u32, RedirectFault)) {
    let mut walk: Vec<u32> = Vec::new();
    for first in 0..targets.len() {
        let mut at = first;
        let end = loop {
            match targets.get(at).copied() {
                None | Some(NOWHERE) => break NOWHERE,
                Some(OPEN | IN_CIRCLE) => break IN_CIRCLE,
                Some(NO_REDIRECT | SOUND) => break SOUND,
                Some(next) => {
                    targets[at] = OPEN;
                    walk.push(at as u32);
                    at = next as usize;
                }
            }
        };
        for entry in walk.drain(..) {
            targets[entry as usize] = end;
        }
    }
    for (entry, end) in (0..).zip(targets) {
        match end {
            IN_CIRCLE => found(entry, RedirectFault::Circle),
            NOWHERE => found(entry, RedirectFault::Nowhere),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn faults(targets: &[u32]) -> Vec<(u32, RedirectFault)> {
        let mut all = Vec::new();
        check(targets.to_vec(), |entry, fault| all.push((entry, fault)));
        all
    }

    fn naive(targets: &[u32]) -> Vec<(u32, RedirectFault)> {
        let mut all = Vec::new();
        for (entry, &first) in (0..).zip(targets) {
            let (mut at, mut n_steps) = (first, 0);
            while at != NO_REDIRECT && n_steps <= targets.len() && (at as usize) < targets.len() {
                at = targets[at as usize];
                n_steps += 1;
            }
            if n_steps > targets.len() {
                all.push((entry, RedirectFault::Circle));
            } else if at != NO_REDIRECT {
                all.push((entry, RedirectFault::Nowhere));
            }
        }
        all
    }

    #[test]
    fn circles_and_loose_ends_are_found() {
        use RedirectFault::{Circle, Nowhere};
        let none = NO_REDIRECT;
        assert_eq!(faults(&[none, 0, 1, 2]), []);
        assert_eq!(faults(&[0]), [(0, Circle)]);
        assert_eq!(faults(&[1, 2, 1, 9]), [(0, Circle), (1, Circle), (2, Circle), (3, Nowhere)]);
    }

    proptest! {
        #[test]
        fn faults_are_those_of_following_each(targets in prop::collection::vec(prop_oneof![Just(NO_REDIRECT), 0_u32..14], 0..12)) {
            prop_assert_eq!(faults(&targets), naive(&targets));
        }
    }
}
